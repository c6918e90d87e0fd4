(** The definitions of the paper, and Lemmas 1 and 2.

    A random vector lies in X, and a function is applied to it, outcome by outcome; a deterministic point is a constant one.
    Inequalities between random variables hold almost surely. *)
Require Export HeavyBall.Tactic.
Require Import Lia.
Open Scope R_scope.

Section Definitions.
  Context {P : Setting}.
  Implicit Types (X : V -> Prop) (f h Env : V -> M) (x z g : nat -> V).

  (** ** Sets and functions *)
  Definition convex_set X := forall u v w, 0 <= w -> w <= 1 -> X u -> X v -> X (w * u + (1 - w) * v)%v.
  (** The whole space.  What follows is asked for on X only: at points of X, and along segments between them. *)
  Definition whole : V -> Prop := fun _ => True.
  Definition convex X h :=
    forall u v w, 0 <= w -> w <= 1 -> X u -> X v -> (h (w * u + (1 - w) * v)%v <= w * h u + (1 - w) * h v)%m.
  (** rho-weakly convex on X: f + (rho/2) |x|^2 is convex there.  (The paper prints rho |x|^2, for which its Lemma 1 fails.) *)
  Definition weakly_convex X rho f := convex X (fun u => (f u + (rho / 2) * || u ||^2)%m).
  (** s is a subgradient of f at u: f(u + t (v - u)) >= f(u) + t <s, v - u> - o(t) towards every v of X. *)
  Definition subgradient X f (u s : V) := forall v A eps, X v -> 0 < eps -> exists t0, 0 < t0 /\ forall t, 0 < t -> t <= t0 ->
    on A (f u) + t * on A << s , v - u >>%m - t * eps <= on A (f (u + t * (v - u))%v).
  (** [grad] is the gradient of f on X: (f(u + t (v - u)) - f(u))/t tends to <grad f(u), v - u>, from u in X towards v in X. *)
  Definition is_gradient X f (grad : V -> V) := forall u v A eps, X u -> X v -> 0 < eps ->
    exists t0, 0 < t0 /\ forall t, 0 < t -> t <= t0 ->
    Rabs ((on A (f (u + t * (v - u))%v) - on A (f u)) / t - on A << grad u , v - u >>%m) < eps.
  (** rho-smooth on X: the gradient is rho-Lipschitz there. *)
  Definition smooth X rho f grad :=
    is_gradient X f grad /\ forall u v, X u -> X v -> (|| grad u - grad v ||^2 <= (rho ^ 2) * || u - v ||^2)%m.
  (** q is the projection of y onto X: the nearest point. *)
  Definition is_projection X (y q : V) := X q /\ forall u, X u -> (|| q - y ||^2 <= || u - y ||^2)%m.

  (** ** The Moreau envelope of F = f + the indicator of X, and its proximal map *)
  Record moreau X f lam Env (prox : V -> V) : Prop := {
    prox_in : forall y, X (prox y);
    env_below : forall y u, X u -> (Env y <= f u + (1 / (2 * lam)) * || u - y ||^2)%m;
    env_at : forall y, (Env y == f (prox y) + (1 / (2 * lam)) * || prox y - y ||^2)%m;
    prox_known : forall j y, known j y -> known j (prox y)
  }.
  (** The stationarity measure is the length of this vector, grad F_lambda(y) (Lemma 2). *)
  Definition env_gradient lam (prox : V -> V) (y : V) := ((/ lam) * (y - prox y))%v.

  (** ** The method
      [prev x k] is x_{k-1}, with x_{-1} = x_0; [before k] (in Setting.v) is F_{k-1}. *)
  Definition prev x k := match k with O => x O | S k => x k end.
  Definition d alpha x k := ((/ alpha) * (prev x k - x k))%v.
  Definition p beta x k := (((1 - beta) / beta) * (x k - prev x k))%v.
  Definition bar beta x k := (x k + p beta x k)%v.
  (** alg:iters:def.  The start is z_0 = [start] g_0: as printed [start] is 1, with [start] = beta the momentum starts at rest. *)
  Record heavy_ball X alpha beta start x z g : Prop := {
    x_start : X (x O);
    z_start : z O = (start * g O)%v;
    x_step : forall k, is_projection X (x k - alpha * z k)%v (x (S k));
    z_step : forall k, z (S k) = (beta * g (S k) + (1 - beta) * d alpha x (S k))%v;
    x_known : forall k, known (before k) (x k)
  }.

  (** ** The oracle *)
  Definition A1 X f x g (f' : nat -> V) := forall k, mean_given (before k) (g k) (f' k) /\ subgradient X f (x k) (f' k).
  Definition A2 L2 g := forall k, (E[ || g k ||^2 | before k ] <= # L2)%m.
  Definition A3 sigma2 g (f' : nat -> V) := forall k, (E[ || g k - f' k ||^2 | before k ] <= # sigma2)%m.

  (** ** The uniform index k*: the mean over k = 0, ..., K of what is expected at k *)
  Fixpoint msum (n : nat) (Y : nat -> M) : M := match n with O => zero | S n => (msum n Y + Y n)%m end.
  Definition uniform K (Y : nat -> M) : M := ((/ INR (K + 1)) * msum (K + 1) (fun k => E[ Y k ]))%m.

  (** ** The constants *)
  Definition xi beta nu := (1 - beta) / nu.
  Definition gamma rho lam beta nu := xi beta nu ^ 2 * (rho * (1 - beta) / 2 + nu) / lam + rho * xi beta nu + 1.
  Definition gamma_1 lam beta nu := 1 + (1 - beta) * xi beta nu ^ 2 / (2 * lam ^ 2) + xi beta nu / lam.
End Definitions.

(** [spread]: sums and multiples, on an event. *)
Ltac spread H := rewrite ?on_add, ?on_scal, ?on_add, ?on_scal, ?on_add, ?on_scal, ?on_add, ?on_scal in H.
Ltac spread_goal := rewrite ?on_add, ?on_scal, ?on_add, ?on_scal, ?on_add, ?on_scal, ?on_add, ?on_scal.

Section Lemmas.
  Context {P : Setting}.
  Implicit Types (X : V -> Prop) (f h Env : V -> M).

  (** ** Lemma 1: weak convexity *)
  Theorem Lemma_1_2 X f rho u v w : weakly_convex X rho f -> X u -> X v -> 0 <= w -> w <= 1 ->
    (f (w * u + (1 - w) * v)%v <= w * f u + (1 - w) * f v + (rho * w * (1 - w) / 2) * || u - v ||^2)%m.
  Proof.
    intros C Hu Hv H0 H1. pose proof (C u v w H0 H1 Hu Hv) as H. cbv beta in H.
    balance {{ (1, H) }} {{ }} {{ }}.
  Qed.

  Theorem Lemma_1_1 X f rho u v s : 0 <= rho -> weakly_convex X rho f -> X u -> X v -> subgradient X f u s ->
    (f u + << s , v - u >> - (rho / 2) * || v - u ||^2 <= f v)%m.
  Proof.
    intros Hr C Hu Hv S A. apply limit_to_zero. intros eps He.
    destruct (S v A eps Hv He) as [t0 [H0 H]]. set (t := Rmin t0 1).
    assert (T : 0 < t) by (unfold t; apply Rmin_glb_lt; lra). assert (T1 : t <= 1) by apply Rmin_r.
    specialize (H t T (Rmin_l _ _)).
    replace (u + t * (v - u))%v with (t * v + (1 - t) * u)%v in H by (same_vector; ring).
    pose proof (Lemma_1_2 X f rho v u t C Hv Hu ltac:(lra) T1 A) as K. spread K. spread_goal.
    pose proof (inner_pos (v - u)%v A) as Q. set (q := on A _) in Q.
    change (on A (inner (v - u)%v (v - u)%v)) with q in K |- *.
    assert (B : t * (on A (f u) + on A (inner s (v - u)%v) - rho / 2 * q - eps) <= t * on A (f v)).
    { assert (D : 0 <= rho * t * t * q) by nn. nra. }
    apply Rmult_le_reg_l with t; [exact T|]. lra.
  Qed.

  (** ** The projection *)
  Lemma projection_optimal X y q u : convex_set X -> is_projection X y q -> X u -> (zero <= << q - y , u - q >>)%m.
  Proof.
    intros C [Hq Hm] Hu A. rewrite on_zero. apply limit_to_zero. intros eps He.
    pose proof (inner_pos (u - q)%v A) as Q. set (s := on A _) in Q.
    set (t := Rmin 1 (eps / (s + 1))).
    assert (T0 : 0 < eps / (s + 1)) by (apply Rdiv_lt_0_compat; lra).
    assert (T : 0 < t) by (unfold t; apply Rmin_glb_lt; lra). assert (T1 : t <= 1) by apply Rmin_l.
    pose proof (Hm _ (C u q t ltac:(lra) T1 Hu Hq)) as H.
    assert (K : (zero <= << q - y , u - q >> + (t / 2) * || u - q ||^2)%m) by balance {{ (/ (2 * t), H) }} {{ }} {{ }}.
    specialize (K A). rewrite on_zero, on_add, on_scal in K.
    change (on A (inner (u - q)%v (u - q)%v)) with s in K.
    assert (D : t / 2 * s <= eps).
    { apply Rle_trans with (eps / (s + 1) / 2 * s).
      - apply Rmult_le_compat_r; [exact Q|]. apply Rmult_le_compat_r; [lra | apply Rmin_r].
      - replace (eps / (s + 1) / 2 * s) with (eps * (s / (2 * (s + 1)))) by (field; lra).
        rewrite <- (Rmult_1_r eps) at 2. apply Rmult_le_compat_l; [lra|].
        apply Rmult_le_reg_r with (2 * (s + 1)); [lra|]. replace (s / (2 * (s + 1)) * (2 * (s + 1))) with s by (field; lra). lra. }
    lra.
  Qed.
  Lemma nonexpansive X y q u : convex_set X -> is_projection X y q -> X u -> (|| q - u ||^2 <= || y - u ||^2)%m.
  Proof.
    intros C H Hu. pose proof (projection_optimal X y q u C H Hu) as K.
    balance {{ (2, K) ; (1, square_nn (y - q)%v) }} {{ }} {{ }}.
  Qed.
  Lemma nonexpansive_pair X y q v r : convex_set X -> is_projection X y q -> is_projection X v r ->
    (|| q - r ||^2 <= || y - v ||^2)%m.
  Proof.
    intros C H K. pose proof (projection_optimal X y q r C H (proj1 K)) as H1.
    pose proof (projection_optimal X v r q C K (proj1 H)) as K1.
    balance {{ (2, H1) ; (2, K1) ; (1, square_nn (y - v - (q - r))%v) }} {{ }} {{ }}.
  Qed.

  (** ** The Moreau envelope *)
  Section Envelope.
    Context {X : V -> Prop} {f : V -> M} {rho lam : R} {Env : V -> M} {prox : V -> V}.
    Hypotheses (C : convex_set X) (Cf : weakly_convex X rho f) (Hrho : 0 <= rho) (Hlam : 0 < lam) (B : moreau X f lam Env prox).

    (** eq:strong:cvx: the prox minimises a strongly convex function *)
    Lemma strong_convexity y u : X u ->
      (Env y + (1 / (2 * lam) - rho / 2) * || u - prox y ||^2 <= f u + (1 / (2 * lam)) * || u - y ||^2)%m.
    Proof.
      intros Hu.
      assert (L : forall t, 0 < t -> t <= 1 ->
        (((1 - t) * (1 / (2 * lam) - rho / 2)) * || u - prox y ||^2 <= f u + (1 / (2 * lam)) * || u - y ||^2 - Env y)%m).
      { intros t T T1. pose proof (Lemma_1_2 X f rho u (prox y) t Cf Hu (prox_in _ _ _ _ _ B y) ltac:(lra) T1) as H1.
        pose proof (env_below _ _ _ _ _ B y _ (C u (prox y) t ltac:(lra) T1 Hu (prox_in _ _ _ _ _ B y))) as H2.
        pose proof (env_at _ _ _ _ _ B y) as H3.
        balance {{ (/ t, H1) ; (/ t, H2) }} {{ (- (1 - t) / t, H3) }} {{ }}. }
      intros A. rewrite on_add, on_scal.
      enough (K : (1 / (2 * lam) - rho / 2) * on A (|| u - prox y ||^2)%m <= on A (f u + (1 / (2 * lam)) * || u - y ||^2 - Env y)%m).
      { rewrite (on_add A _ (mscal (-1) (Env y))), on_scal in K. lra. }
      apply limit_to_one. intros t T T1. pose proof (L t T T1 A) as H. rewrite on_scal in H. lra.
    Qed.

    (** Lemma 2, item 2, with the gradient of item 1: F_lambda is 1/lambda-smooth *)
    Theorem Lemma_2 x y : 2 * rho <= / lam ->
      (Env x + << env_gradient lam prox x , y - x >> - (1 / (2 * lam)) * || x - y ||^2 <= Env y)%m /\
      (Env y <= Env x + << env_gradient lam prox x , y - x >> + (1 / (2 * lam)) * || x - y ||^2)%m.
    Proof.
      intros Hl. unfold env_gradient. pose proof (env_at _ _ _ _ _ B x) as Ax. pose proof (env_at _ _ _ _ _ B y) as Ay.
      split.
      - pose proof (strong_convexity x (prox y) (prox_in _ _ _ _ _ B y)) as S.
        assert (R1 : 0 <= / 4 * / lam - rho / 2) by lra.
        balance {{ (1, S) ; (/ 4 * / lam - rho / 2, square_nn (prox y - prox x)%v) ;
                   (/ (4 * lam), square_nn (prox y - prox x - 2 * (y - x))%v) }} {{ (- 1, Ay) }} {{ }}.
      - pose proof (env_below _ _ _ _ _ B y (prox x) (prox_in _ _ _ _ _ B x)) as H.
        balance {{ (1, H) }} {{ (- 1, Ax) }} {{ }}.
    Qed.
  End Envelope.
End Lemmas.
