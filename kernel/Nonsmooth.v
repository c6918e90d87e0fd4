(** The non-smooth half of the paper: Lemma 3, Lemma 4, Theorem 1, from the definitions, for every k and K.

    Repaired where the paper is wrong: Lemmas 3 and 4 hold in total expectation (not given F_{k-1}), gamma has rho xi (not rho xi/2),
    the noise in Theorem 1 carries alpha_0^2, and the first step is treated for both starts. *)
Require Export HeavyBall.Telescope.
Require Import Lia.
Open Scope R_scope.

Section OneStep.
  Context {P : Setting} {X : V -> Prop} {f : V -> M} {x z g f' : nat -> V}.
  Context {rho alpha nu start L2 : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_nn : 0 <= rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (L2_nn : 0 <= L2).
  Hypotheses (CX : convex_set X) (Cf : weakly_convex X rho f).
  Hypothesis Run : heavy_ball X alpha beta start x z g.
  Hypotheses (Mean : A1 X f x g f') (Moment : A2 L2 g).

  Local Notation d := (d alpha x).
  Local Notation p := (p beta x).
  Local Notation bar := (bar beta x).
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.

  Lemma x_in k : X (x k).
  Proof. destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]. Qed.
  Lemma prev_in k : X (prev x k).
  Proof. destruct k; apply x_in. Qed.
  Lemma prev_known k : known (before k) (prev x k).
  Proof.
    destruct k; cbn [prev]; [apply (x_known _ _ _ _ _ _ _ Run)|].
    apply known_later with (before k); [unfold before; earlier | apply (x_known _ _ _ _ _ _ _ Run)].
  Qed.
  (** weak convexity at x_k, with the mean of the sample as subgradient *)
  Lemma subgradient_at k v : X v -> (f (x k) + << f' k , v - x k >> - (rho / 2) * || v - x k ||^2 <= f v)%m.
  Proof. intros Hv. apply Lemma_1_1 with X; auto; [apply x_in | apply Mean]. Qed.

  (** *** Lengths of z_k and d_k in mean (eq:znorm, eq:xdiff:norm:L), by induction *)
  Lemma d_below_z k : (|| d (S k) ||^2 <= || z k ||^2)%m.
  Proof.
    pose proof (nonexpansive X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) (x_in k)) as N. unfold Paper.d. cbn [prev].
    balance {{ (/ alpha ^ 2, N) }} {{ }} {{ }}.
  Qed.
  Lemma z_bound k : 0 <= start -> start <= 1 -> (E[ || z k ||^2 ] <= E[ # L2 ])%m.
  Proof.
    intros S0 S1. induction k as [|k IH].
    - rewrite (z_start _ _ _ _ _ _ _ Run). pose proof (Moment 0%nat) as H2.
      assert (S2 : 0 <= 1 - start ^ 2) by (replace (1 - start ^ 2) with ((1 - start) * (1 + start)) by ring; nn).
      balance {{ (start ^ 2, H2) ; (1 - start ^ 2, number_nn L2 L2_nn) }} {{ }} {{ }}.
    - rewrite (z_step _ _ _ _ _ _ _ Run k). pose proof (d_below_z k) as D. pose proof (Moment (S k)) as H2.
      balance {{ (beta, H2) ; (1 - beta, D) ; (1 - beta, IH) ; (beta * (1 - beta), square_nn (g (S k) - d (S k))%v) }} {{ }} {{ }}.
  Qed.
  Lemma d_bound k : 0 <= start -> start <= 1 -> (E[ || d k ||^2 ] <= E[ # L2 ])%m.
  Proof.
    intros S0 S1. destruct k as [|k].
    - unfold Paper.d. cbn [prev]. balance {{ (1, number_nn L2 L2_nn) }} {{ }} {{ }}.
    - pose proof (d_below_z k) as D. pose proof (z_bound k S0 S1) as Z. balance {{ (1, D) ; (1, Z) }} {{ }} {{ }}.
  Qed.

  (** *** A step with momentum: every k >= 1, and k = 0 too if z_0 = beta g_0 *)
  Definition momentum k := z k = (beta * g k + (1 - beta) * d k)%v.
  Lemma momentum_later k : (1 <= k)%nat -> momentum k.
  Proof. destruct k; [lia|]. intros _. apply (z_step _ _ _ _ _ _ _ Run). Qed.
  Lemma momentum_at_rest k : start = beta -> momentum k.
  Proof.
    intros S. destruct k; [|apply momentum_later; lia]. unfold momentum. rewrite (z_start _ _ _ _ _ _ _ Run), S.
    unfold Paper.d. cbn [prev]. same_vector. field; nz.
  Qed.

  Section Step.
    Variable k : nat.
    Hypothesis Z : momentum k.

    (** eq:proof:lem:1:norm:bounded, given F_{k-1} *)
    Lemma norm_bounded :
      (E[ (1 - beta) * f (x k) + (nu / 2) * || p (S k) ||^2 | before k ] <=
       E[ (1 - beta) * f (prev x k) + (nu / 2) * || p k ||^2 - (alpha - nu * alpha ^ 2 / 2) * || d (S k) ||^2
          + ((1 - beta) * rho * alpha ^ 2 / 2) * || d k ||^2 + (nu * alpha ^ 2 / 2) * || g k ||^2 | before k ])%m.
    Proof.
      destruct (Mean k) as [M1 _]. pose proof (subgradient_at k (prev x k) (prev_in k)) as Hw. pose proof (prev_known k) as K1.
      pose proof (x_known _ _ _ _ _ _ _ Run k) as K2.
      pose proof (x_step _ _ _ _ _ _ _ Run k) as Hp. pose proof (x_in k) as Hk.
      assert (Hu : X (beta * x (S k) + (1 - beta) * x k)%v) by (apply CX; auto; [nn | apply x_in]).
      pose proof (nonexpansive X _ _ _ CX Hp Hu) as N1. pose proof (projection_optimal X _ _ _ CX Hp Hk) as N2.
      unfold momentum in Z. rewrite Z in N1, N2. unfold Paper.p, Paper.d in *. cbn [prev] in *.
      balance {{ (nu / (2 * beta ^ 2), N1) ; (/ alpha, N2) ; (1 - beta, Hw) }} {{ }}
        {{ (M1, ((1 - beta) * (x k - prev x k))%v) }}.
    Qed.

    (** Lemma 3 (eq:lem:xdiff:non-smooth) in total expectation *)
    Theorem Lemma_3 : 0 <= start -> start <= 1 ->
      (E[ (1 - beta) * f (x k) + (nu / 2) * || p (S k) ||^2 ] <=
       E[ (1 - beta) * f (prev x k) + (nu / 2) * || p k ||^2 - alpha * || d (S k) ||^2
          + # (alpha ^ 2 * (rho * (1 - beta) / 2 + nu) * L2) ])%m.
    Proof.
      intros S0 S1. pose proof (in_total _ _ _ norm_bounded) as H. pose proof (Moment k) as H2.
      pose proof (d_bound k S0 S1) as D1. pose proof (d_bound (S k) S0 S1) as D2.
      balance {{ (1, H) ; (nu * alpha ^ 2 / 2, H2) ; ((1 - beta) * rho * alpha ^ 2 / 2, D1) ; (nu * alpha ^ 2 / 2, D2) }} {{ }} {{ }}.
    Qed.

    (** Lemma 3 given F_{k-1}, which the paper prints, with |d_k|^2 on the right; for every theta > 0 (the best one is |d_k|/L) *)
    Definition noise_given theta :=
      ((rho * (1 - beta) / 2) * || d k ||^2
       + (nu / 2) * (# ((1 + beta * (beta + (1 - beta) * theta)) * L2) + ((1 - beta) * (1 - beta + beta / theta)) * || d k ||^2))%m.
    Theorem Lemma_3_given theta : 0 < theta ->
      (E[ (1 - beta) * f (x k) + (nu / 2) * || p (S k) ||^2 | before k ] <=
       E[ (1 - beta) * f (prev x k) + (nu / 2) * || p k ||^2 - alpha * || d (S k) ||^2 + (alpha ^ 2) * noise_given theta | before k ])%m.
    Proof.
      intros Ht. pose proof norm_bounded as H. pose proof (Moment k) as H2.
      pose proof (nonexpansive X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) (x_in k)) as N.
      unfold momentum in Z. rewrite Z in N. unfold noise_given.
      set (pn := p (S k)) in *. set (pk := p k) in *. unfold Paper.d in *. cbn [prev] in *. set (dk := ((/ alpha) * (prev x k - x k))%v) in *.
      balance {{ (1, H) ; (nu / 2, N) ; (nu * alpha ^ 2 * beta * (1 - beta) / (2 * theta), square_nn (theta * g k - dk)%v) ;
          (nu * alpha ^ 2 / 2 * (1 + beta ^ 2 + beta * (1 - beta) * theta), H2) }} {{ }} {{ }}.
    Qed.
  End Step.

  (** *** Lemma 4 *)
  Context {lam : R} {Env : V -> M} {prox : V -> V}.
  Hypotheses (lam_pos : 0 < lam) (lam_short : 2 * rho <= / lam) (Envelope : moreau X f lam Env prox).
  Local Notation xi := (xi beta nu).
  Local Notation hat k := (prox (bar k)).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Let xi_nn : 0 <= xi. Proof. unfold Paper.xi. nn. Qed.

  Lemma hat_known k : known (before k) (hat k).
  Proof.
    apply (prox_known _ _ _ _ _ Envelope). unfold Paper.bar, Paper.p.
    pose proof (prev_known k). pose proof (x_known _ _ _ _ _ _ _ Run k). know.
  Qed.

  (** The display above eq:proof:thrm:1:evn:3, given F_{k-1} *)
  Lemma envelope_step k : momentum k ->
    (E[ Env (bar (S k)) + (xi / lam) * f (x k) | before k ] <=
     E[ Env (bar k) + (xi / lam) * f (prev x k) - (alpha / 2) * || gradient k ||^2
        + (alpha * xi ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi / (2 * lam)) * || d k ||^2
        + (alpha ^ 2 / (2 * lam)) * || g k ||^2 | before k ])%m.
  Proof.
    intros Z. destruct (Mean k) as [M1 _]. pose proof (hat_known k) as K0. pose proof (prev_known k) as K1.
    pose proof (x_known _ _ _ _ _ _ _ Run k) as K2. pose proof (prox_in _ _ _ _ _ Envelope (bar k)) as Hh.
    pose proof (x_step _ _ _ _ _ _ _ Run k) as Hp. pose proof (x_in k) as Hk.
    assert (Hu : X (beta * hat k + (1 - beta) * x k)%v) by (apply CX; auto; nn).
    pose proof (nonexpansive X _ _ _ CX Hp Hu) as N.
    pose proof (env_below _ _ _ _ _ Envelope (bar (S k)) _ Hh) as He. pose proof (env_at _ _ _ _ _ Envelope (bar k)) as Ha.
    pose proof (subgradient_at k (hat k) Hh) as W1. pose proof (subgradient_at k (prev x k) (prev_in k)) as W2.
    pose proof (strong_convexity CX Cf lam_pos Envelope (bar k) (x k) Hk) as Hs.
    assert (Sq : 0 <= alpha / (2 * lam) * (/ lam - 2 * rho)) by nn.
    assert (S2 : 0 <= (1 - beta) / nu / lam) by nn.
    unfold momentum in Z. rewrite Z in N. unfold env_gradient, Paper.xi. unfold Paper.bar at 1 in He.
    set (h := prox (bar k)) in *. unfold Paper.bar, Paper.p, Paper.d in *. cbn [prev] in *.
    balance {{ (1, He) ; (1 / (2 * lam * beta ^ 2), N) ; (alpha / lam, W1) ; (alpha / lam, Hs) ; ((1 - beta) / nu / lam, W2) ;
        (alpha / (2 * lam) * (/ lam - 2 * rho), square_nn (x k - h)%v) }}
      {{ (- 1 - alpha / lam, Ha) }}
      {{ (M1, ((alpha / lam) * (x k - h) + ((1 - beta) / nu / lam) * (x k - prev x k))%v) }}.
  Qed.

  (** eq:Vfunc: V_k has this form, with the weights below *)
  Definition potential wp wd wf k :=
    (Env (bar k) + wp * || p k ||^2 + wd * || d k ||^2 + wf * f (prev x k))%m.
  Definition Lyapunov :=
    potential (nu * xi ^ 2 / (4 * lam ^ 2)) (alpha * xi ^ 2 / (2 * lam ^ 2)) ((1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam).

  (** Lemma 4 (eq:lem:Vfunc:non-smooth) in total expectation, with the repaired gamma *)
  Theorem Lemma_4 k : momentum k -> 0 <= start -> start <= 1 ->
    (E[ Lyapunov (S k) ] <=
     E[ Lyapunov k - (alpha / 2) * || gradient k ||^2 + # (gamma rho lam beta nu * alpha ^ 2 * L2 / (2 * lam)) ])%m.
  Proof.
    intros Z S0 S1. pose proof (in_total _ _ _ (envelope_step k Z)) as H. pose proof (Lemma_3 k Z S0 S1) as H3.
    pose proof (Moment k) as H2. pose proof (d_bound k S0 S1) as D1.
    assert (S2 : 0 <= xi ^ 2 / (2 * lam ^ 2)) by nn. assert (S3 : 0 <= rho * alpha ^ 2 * xi / (2 * lam)) by nn.
    unfold Lyapunov, potential, gamma, Paper.xi in *. cbn [prev].
    balance {{ (1, H) ; (((1 - beta) / nu) ^ 2 / (2 * lam ^ 2), H3) ; (alpha ^ 2 / (2 * lam), H2) ;
        (rho * alpha ^ 2 * ((1 - beta) / nu) / (2 * lam), D1) }} {{ }} {{ }}.
  Qed.

  (** Lemma 4 given F_{k-1}, which the paper prints, with |d_k|^2 on the right; for every theta > 0 *)
  Theorem Lemma_4_printed_given theta k : momentum k -> 0 < theta ->
    (E[ Lyapunov (S k) | before k ] <=
     E[ Lyapunov k - (alpha / 2) * || gradient k ||^2 + (rho * xi * alpha ^ 2 / (2 * lam)) * || d k ||^2
        + # (alpha ^ 2 * L2 / (2 * lam)) + (alpha ^ 2 * xi ^ 2 / (2 * lam ^ 2)) * noise_given k theta | before k ])%m.
  Proof.
    intros Z Ht. pose proof (envelope_step k Z) as H. pose proof (Lemma_3_given k Z theta Ht) as H3. pose proof (Moment k) as H2.
    unfold Lyapunov, potential, Paper.xi in *. cbn [prev].
    balance {{ (1, H) ; (((1 - beta) / nu) ^ 2 / (2 * lam ^ 2), H3) ; (alpha ^ 2 / (2 * lam), H2) }} {{ }} {{ }}.
  Qed.

  (** Beyond the paper: with these weights, for any c that pays for |d_k|^2, the potential falls given F_{k-1}. *)
  Definition falling c := potential (c * nu / 2) (c * alpha * (1 - beta / 2)) (c * (1 - beta) + xi / lam).
  Theorem Lemma_4_given c k : momentum k -> 0 <= c ->
    alpha * xi ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi / (2 * lam) + c * (1 - beta) * rho * alpha ^ 2 / 2 <= c * alpha * (1 - beta / 2) ->
    (E[ falling c (S k) | before k ] <=
     E[ falling c k - (alpha / 2) * || gradient k ||^2 + # ((1 + c * nu * lam) * alpha ^ 2 * L2 / (2 * lam)) | before k ])%m.
  Proof.
    intros Z Hc Hd. pose proof (envelope_step k Z) as H. pose proof (norm_bounded k Z) as H3. pose proof (Moment k) as H2.
    assert (S1 : 0 <= c * alpha * (1 - beta / 2)
      - (alpha * xi ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi / (2 * lam) + c * (1 - beta) * rho * alpha ^ 2 / 2)) by lra.
    unfold falling, potential. cbn [prev]. unfold Paper.xi in *.
    balance {{ (1, H) ; (c, H3) ; ((1 + c * nu * lam) * alpha ^ 2 / (2 * lam), H2) ;
      (c * alpha * (1 - beta / 2) - (alpha * ((1 - beta) / nu) ^ 2 / (2 * lam ^ 2)
         + rho * alpha ^ 2 * ((1 - beta) / nu) / (2 * lam) + c * (1 - beta) * rho * alpha ^ 2 / 2), square_nn (d k)) }} {{ }} {{ }}.
  Qed.

  (** *** Both ends of the sum, for any non-negative weights *)
  Context {f_0 f_star : R}.
  Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, X u -> (# f_star <= f u)%m).
  Section Ends.
    Context {wp wd wf : R}.
    Hypotheses (wp_nn : 0 <= wp) (wd_nn : 0 <= wd) (wf_nn : 0 <= wf).

    Lemma bar_first : bar 0 = x 0%nat.
    Proof. unfold Paper.bar, Paper.p. cbn [prev]. same_vector. field; nz. Qed.
    Lemma last_term k : (E[ # ((1 + wf) * f_star) ] <= E[ potential wp wd wf k ])%m.
    Proof.
      pose proof (env_at _ _ _ _ _ Envelope (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ Envelope (bar k))) as B1.
      pose proof (Below _ (prev_in k)) as B2. unfold potential.
      balance {{ (1 / (2 * lam), square_nn (hat k - bar k)%v) ; (1, B1) ; (wp, square_nn (p k)) ; (wd, square_nn (d k)) ; (wf, B2) }}
        {{ (- 1, Ha) }} {{ }}.
    Qed.
    Lemma first_term : (E[ potential wp wd wf 0 ] <= E[ # ((1 + wf) * f_0) ])%m.
    Proof.
      pose proof (env_below _ _ _ _ _ Envelope (x 0%nat) _ (x_in 0)) as He. unfold potential. rewrite bar_first.
      unfold Paper.p, Paper.d. cbn [prev].
      balance {{ (1, He) }} {{ (1 + wf, First) }} {{ }}.
    Qed.
    (** The printed start z_0 = g_0: what its first step costs *)
    Lemma first_step : start = 1 ->
      (E[ potential wp wd wf 1 + (alpha / 2) * || gradient 0 ||^2 ] <=
       E[ # ((1 + wf) * f_0 + (1 / (2 * lam * nu ^ 2) + wp * xi ^ 2 + wd) * L2) ])%m.
    Proof.
      intros S1. destruct (Mean 0%nat) as [M1 _]. pose proof (hat_known 0) as K0. pose proof (Moment 0%nat) as H2.
      pose proof (x_known _ _ _ _ _ _ _ Run 0%nat) as K2. pose proof (prox_in _ _ _ _ _ Envelope (bar 0)) as Hh.
      pose proof (x_step _ _ _ _ _ _ _ Run 0%nat) as Hp. pose proof (x_in 0) as Hk. rewrite (z_start _ _ _ _ _ _ _ Run), S1 in Hp.
      assert (Hu : X (beta * hat 0 + (1 - beta) * x 0%nat)%v) by (apply CX; auto; nn).
      pose proof (nonexpansive X _ _ _ CX Hp Hu) as N1. pose proof (nonexpansive X _ _ _ CX Hp Hk) as N2.
      pose proof (env_below _ _ _ _ _ Envelope (bar 1) _ Hh) as He. pose proof (env_at _ _ _ _ _ Envelope (bar 0)) as Ha.
      pose proof (env_below _ _ _ _ _ Envelope (x 0%nat) _ Hk) as Hx.
      pose proof (subgradient_at 0 (hat 0) Hh) as W1.
      pose proof (strong_convexity CX Cf lam_pos Envelope (bar 0) (x 0%nat) Hk) as Hs.
      assert (Sq : 0 <= / (2 * lam * nu) * (/ lam - 2 * rho)) by nn.
      assert (Sg : 0 <= (1 / nu - alpha) / 2) by (same_as ((1 - beta) / (2 * nu)); nn).
      rewrite bar_first in *. unfold potential, env_gradient.
      set (h := prox (x 0%nat)) in *. unfold Paper.xi in *. unfold Paper.bar, Paper.p, Paper.d. unfold Paper.bar, Paper.p in He. cbn [prev] in *.
      balance {{ (1, He) ; (1 / (2 * lam * beta ^ 2), N1) ; (1, Hx) ; (1 / (lam * nu), W1) ; (1 / (lam * nu), Hs) ;
          (/ (2 * lam * nu) * (/ lam - 2 * rho), square_nn (x 0%nat - h)%v) ;
          ((wp * ((1 - beta) / nu) ^ 2 + wd) / alpha ^ 2, N2) ;
          (1 / (2 * lam * nu ^ 2) + wp * ((1 - beta) / nu) ^ 2 + wd, H2) ;
          ((1 / nu - alpha) / 2, square_nn ((/ lam) * (x 0%nat - h))%v) }}
        {{ (- 1 - 1 / (lam * nu), Ha) ; (1 + wf, First) }}
        {{ (M1, ((1 / (lam * nu)) * (x 0%nat - h))%v) }}.
    Qed.
  End Ends.

  (** *** The sums of Theorem 1, for any alpha and nu *)
  Let weights : (0 <= nu * xi ^ 2 / (4 * lam ^ 2) /\ 0 <= alpha * xi ^ 2 / (2 * lam ^ 2)) /\ 0 <= (1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam.
  Proof. repeat split; nn. Qed.
  Lemma sum_at_rest K : start = beta ->
    (uniform K (fun k => || gradient k ||^2) <=
     # ((gamma_1 lam beta nu * f_0 - gamma_1 lam beta nu * f_star + INR (K + 1) * (gamma rho lam beta nu * alpha ^ 2 * L2 / (2 * lam)))
        / (alpha / 2 * INR (K + 1))))%m.
  Proof.
    intros S0. destruct weights as [[W1 W2] W3]. apply mean_of_steps with (a := Lyapunov); [sp | | |].
    - intros k. apply Lemma_4; [now apply momentum_at_rest | rewrite S0; nn | rewrite S0; exact beta_le].
    - replace (gamma_1 lam beta nu) with (1 + ((1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam)) by (unfold gamma_1; ring).
      now apply first_term.
    - replace (gamma_1 lam beta nu) with (1 + ((1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam)) by (unfold gamma_1; ring).
      now apply last_term.
  Qed.
  Definition excess := 1 / (2 * lam * nu ^ 2) + nu * xi ^ 4 / (4 * lam ^ 2) + alpha * xi ^ 2 / (2 * lam ^ 2).
  Lemma sum_printed K : start = 1 ->
    (uniform K (fun k => || gradient k ||^2) <=
     # ((gamma_1 lam beta nu * f_0 + excess * L2 - gamma_1 lam beta nu * f_star
         + INR K * (gamma rho lam beta nu * alpha ^ 2 * L2 / (2 * lam))) / (alpha / 2 * INR (K + 1))))%m.
  Proof.
    intros S0. destruct weights as [[W1 W2] W3]. apply mean_of_later_steps with (a := Lyapunov); [sp | | |].
    - intros k Hk. apply Lemma_4; [now apply momentum_later | rewrite S0; lra | rewrite S0; lra].
    - replace (gamma_1 lam beta nu) with (1 + ((1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam)) by (unfold gamma_1; ring).
      replace excess with (1 / (2 * lam * nu ^ 2) + nu * xi ^ 2 / (4 * lam ^ 2) * xi ^ 2 + alpha * xi ^ 2 / (2 * lam ^ 2))
        by (unfold excess; field; nz).
      now apply first_step.
    - replace (gamma_1 lam beta nu) with (1 + ((1 - beta) * xi ^ 2 / (2 * lam ^ 2) + xi / lam)) by (unfold gamma_1; ring).
      now apply last_term.
  Qed.
  (** The same with the potential that falls given the past *)
  Section Falling.
    Context {c : R}.
    Hypotheses (c_nn : 0 <= c)
      (pays : alpha * xi ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi / (2 * lam) + c * (1 - beta) * rho * alpha ^ 2 / 2
              <= c * alpha * (1 - beta / 2)).
    Let w_p : 0 <= c * nu / 2. Proof. nn. Qed.
    Let w_d : 0 <= c * alpha * (1 - beta / 2). Proof. assert (0 <= 1 - beta / 2) by lra. nn. Qed.
    Let w_f : 0 <= c * (1 - beta) + xi / lam. Proof. nn. Qed.
    Lemma falling_at_rest K : start = beta ->
      (uniform K (fun k => || gradient k ||^2) <=
       # (((1 + (c * (1 - beta) + xi / lam)) * f_0 - (1 + (c * (1 - beta) + xi / lam)) * f_star
           + INR (K + 1) * ((1 + c * nu * lam) * alpha ^ 2 * L2 / (2 * lam))) / (alpha / 2 * INR (K + 1))))%m.
    Proof.
      intros S0. apply mean_of_steps with (a := falling c); [sp | | |].
      - intros k. apply in_total with (before k). apply Lemma_4_given; auto. now apply momentum_at_rest.
      - now apply first_term.
      - now apply last_term.
    Qed.
    Lemma falling_printed K : start = 1 ->
      (uniform K (fun k => || gradient k ||^2) <=
       # (((1 + (c * (1 - beta) + xi / lam)) * f_0
           + (1 / (2 * lam * nu ^ 2) + c * nu / 2 * xi ^ 2 + c * alpha * (1 - beta / 2)) * L2
           - (1 + (c * (1 - beta) + xi / lam)) * f_star
           + INR K * ((1 + c * nu * lam) * alpha ^ 2 * L2 / (2 * lam))) / (alpha / 2 * INR (K + 1))))%m.
    Proof.
      intros S0. apply mean_of_later_steps with (a := falling c); [sp | | |].
      - intros k Hk. apply in_total with (before k). apply Lemma_4_given; auto. now apply momentum_later.
      - now apply first_step.
      - now apply last_term.
    Qed.
  End Falling.
End OneStep.
