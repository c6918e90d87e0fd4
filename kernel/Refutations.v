(** Printed lines that are false, refuted on explicit finite instances with rational numbers.

    Each printed line is written with the definitions of [Paper.v], for every setting and every admissible run with the printed start
    z_0 = g_0; then one run contradicts it.  What a line assumes of f is asked for everywhere, not only on X: so the refutation says more.
    The runs are on the real line: T samples shake the slope by [size], 0 or -[size].  They are independent with one law, and T is so large that
    the line speaks of no later sample (or there is no noise at all, T = 0). *)
Require Export HeavyBall.Runs HeavyBall.Theorem1 HeavyBall.Theorem2 HeavyBall.SmoothStep HeavyBall.Theorem3.
Require Export HeavyBall.Model.
Require HeavyBall.Inhabited.
Require Import Lia.
Open Scope R_scope.

(** ** Instances: a rare large sample *)
Inductive draw := Up | Down | Flat.
Definition draws := [Up; Down; Flat].
Definition same_draw (a b : draw) : bool := match a, b with Up, Up | Down, Down | Flat, Flat => true | _, _ => false end.
Lemma same_draw_spec a b : same_draw a b = true <-> a = b. Proof. destruct a, b; cbn; split; congruence. Qed.
Lemma draws_listed a : In a draws. Proof. destruct a; cbn; auto. Qed.
Definition line (r : R) : Rn 1 := (r, tt).
Definition on_line (F : R -> R) (v : Rn 1) : R := F (fst v).
Definition move_line (h : R -> R) (v : Rn 1) : Rn 1 := line (h (fst v)).
Definition same_point (r : R) : R := r.

Section Instance.
  Context {rare : R} (Hrare : 0 < rare < 1 / 2) (T : nat) (size : R) (s : R -> R) (start alpha beta x0 : R).
  Definition law (q : draw) : R := match q with Flat => 1 - 2 * rare | _ => rare end.
  Definition jump (q : draw) : R := match q with Up => size | Down => - size | Flat => 0 end.
  Lemma law_pos q : 0 < law q. Proof. destruct q; cbn; lra. Qed.
  Lemma law_total : total law draws = 1. Proof. cbn. lra. Qed.
  Definition world := space draws law same_draw same_draw_spec law_pos draws_listed law_total T.
  Definition shaken (q : draw) (y : Rn 1) : Rn 1 := line (s (fst y) + jump q).
  Definition x : nat -> @V (model world 1) :=
    xs _ _ _ same_draw_spec law_pos draws_listed law_total T 1 (move_line same_point) shaken (move_line s) alpha beta start (line x0).
  Definition z : nat -> @V (model world 1) :=
    zs _ _ _ same_draw_spec law_pos draws_listed law_total T 1 (move_line same_point) shaken (move_line s) alpha beta start (line x0).
  Definition g : nat -> @V (model world 1) :=
    gs _ _ _ same_draw_spec law_pos draws_listed law_total T 1 (move_line same_point) shaken (move_line s) alpha beta start (line x0).
  Definition slopes k := liftv world 1 (move_line s) (x k).

  Lemma shaken_mean y v : total (fun q => law q * dot (shaken q y) v) draws = dot (move_line s y) v.
  Proof. destruct y as [y []], v as [v []]. cbn. ring. Qed.
  Lemma everything_near : nearest 1 (fun _ => True) (move_line same_point).
  Proof.
    intros [y []]. split; [exact I|]. intros [u []] _. unfold sq, minus, same_point. cbn. pose proof (Rle_0_sqr (u - y)) as Q. unfold Rsqr in Q. lra.
  Qed.
  Lemma run : heavy_ball (P := model world 1) whole alpha beta start x z g.
  Proof.
    pose proof (run_is_heavy_ball draws law same_draw same_draw_spec law_pos draws_listed law_total T 1 (fun _ => True)
      (move_line same_point) shaken (move_line s) alpha beta start (line x0) everything_near I) as [H1 H2 H3 H4 H5].
    split; [exact I | exact H2 | | exact H4 | exact H5].
    intros k. split; [exact I|]. intros u _. apply H3. intros a. exact I.
  Qed.
  Lemma means k : mean_given (before k) (g k) (slopes k).
  Proof. apply run_mean. apply shaken_mean. Qed.
  Lemma moment L2 : (forall r, s r * s r + 2 * rare * (size * size) <= L2) -> A2 (P := model world 1) L2 g.
  Proof.
    intros H. apply run_A2 with (fun _ => True); [exact everything_near | exact I | |]; intros [y []] _; specialize (H y); cbn.
    - lra.
    - assert (0 <= 2 * rare * (size * size)) by (pose proof (Rle_0_sqr size) as Q; unfold Rsqr in Q; nra). lra.
  Qed.
  Lemma variance sigma2 : 2 * rare * (size * size) <= sigma2 -> A3 (P := model world 1) sigma2 g slopes.
  Proof.
    intros H. assert (0 <= 2 * rare * (size * size)) by (pose proof (Rle_0_sqr size) as Q; unfold Rsqr in Q; nra).
    apply run_A3 with (fun _ => True); [exact everything_near | exact I | lra |]. intros [y []] _. cbn. lra.
  Qed.
End Instance.
(** nothing is averaged where everything is known *)
Lemma no_chance {rare} (H : 0 < rare < 1 / 2) j Y : @E (model (world H 0) 1) j Y = Y.
Proof. apply mean_known. cbn. intros [] [] _. reflexivity. Qed.
(** two samples: the mean over the second one, given the first *)
Lemma second_mean {rare} (H : 0 < rare < 1 / 2) Y q (r : draw * unit) : @E (model (world H 2) 1) (before 1) Y (q, r) =
  rare * Y (q, (Up, tt)) + rare * Y (q, (Down, tt)) + (1 - 2 * rare) * Y (q, (Flat, tt)).
Proof.
  cbn. unfold mean, chance, share, alike. destruct q, r as [r []]; cbn; field; lra.
Qed.
(** ... and what the first one tells is known *)
Lemma first_known {rare} (H : 0 < rare < 1 / 2) (Y Z : @M (model (world H 2) 1)) q (r : draw * unit) :
  @mle (model (world H 2) 1) (@E (model (world H 2) 1) (before 1) Y) (@E (model (world H 2) 1) (before 1) Z) ->
  rare * Y (q, (Up, tt)) + rare * Y (q, (Down, tt)) + (1 - 2 * rare) * Y (q, (Flat, tt)) <=
  rare * Z (q, (Up, tt)) + rare * Z (q, (Down, tt)) + (1 - 2 * rare) * Z (q, (Flat, tt)).
Proof. intros L. rewrite <- !(second_mean H _ q r). exact (proj1 (mle_everywhere (world H 2) 1 _ _) L (q, r)). Qed.

Definition on_world {rare} (H : 0 < rare < 1 / 2) T F := lift (world H T) 1 (on_line F).
Definition map_world {rare} (H : 0 < rare < 1 / 2) T h := liftv (world H T) 1 (move_line h).
Ltac decide_all := repeat match goal with
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b); try lra
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b); try lra
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a); try lra
  | H : ~ _ <= _ |- _ => apply Rnot_le_lt in H
  | H : ~ _ < _ |- _ => apply Rnot_lt_le in H
  end.
Lemma zero_bent rho : 0 <= rho -> bent_tangents 1 rho (on_line (fun _ => 0)) (move_line (fun _ => 0)).
Proof. intros H [x []] [y []]. unfold on_line, sq, minus. cbn. pose proof (Rle_0_sqr (y - x)) as Q. unfold Rsqr in Q. nra. Qed.

(** ** Lemma 3 given F_{k-1}, as printed (eq:lem:xdiff:non-smooth) *)
Definition Lemma_3_printed := forall (P : Setting) X f x z g f' rho alpha nu start L2 k,
  let beta := nu * alpha in
  0 <= rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> 0 <= L2 -> convex_set X -> weakly_convex whole rho f ->
  heavy_ball X alpha beta start x z g -> start = 1 -> A1 whole f x g f' -> A2 L2 g -> (1 <= k)%nat ->
  (E[ (1 - beta) * f (x k) + (nu / 2) * || p beta x (S k) ||^2 | before k ] <=
   E[ (1 - beta) * f (prev x k) + (nu / 2) * || p beta x k ||^2 - alpha * || d alpha x (S k) ||^2
      + # (alpha ^ 2 * (rho * (1 - beta) / 2 + nu) * L2) | before k ])%m.

(** f = 0, slopes 8, -8, 0 with probabilities 1/128, 1/128, 126/128 (L = 1), alpha = 1/2, nu = 1, k = 1, after a first sample 8 *)
Lemma r128 : 0 < 1 / 128 < 1 / 2. Proof. lra. Qed.
Section Rare_128.
  Local Notation of h := (h _ r128 2%nat 8 (fun _ => 0) 1 (1 / 2) (1 * (1 / 2)) 0).
  Theorem Lemma_3_printed_false : ~ Lemma_3_printed.
  Proof.
    intros H.
    specialize (H (model (world r128 2) 1) whole (on_world r128 2 (fun _ => 0)) (of (@x)) (of (@z)) (of (@g)) (of (@slopes)) 0 (1 / 2) 1 1 1 1%nat).
    cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) whole_convex).
    specialize (H (lift_weakly_convex _ _ _ _ _ _ (zero_bent 0 ltac:(lra))) (of (@run)) eq_refl).
    specialize (H (fun k => conj (of (@means) k) (lift_subgradient _ _ _ _ _ _ _ (Rle_refl 0) (zero_bent 0 (Rle_refl 0))))).
    assert (HL : forall r : R, 0 * 0 + 2 * (1 / 128) * (8 * 8) <= 1) by (intros; lra).
    specialize (H (moment _ _ _ _ _ _ _ _ _ HL) (le_n 1)).
    pose proof (first_known r128 _ _ Up (Up, tt) H) as C. clear H.
    cbn in C. unfold on_world, lift, on_line, same_point in C. cbn in C. lra.
  Qed.
End Rare_128.

(** ** Lemma 5 given F_k, as printed (eq:lem:smooth:W) *)
Definition Lemma_5_printed := forall (P : Setting) X f h_star grad proj x z g rho alpha nu start sigma2 k,
  let beta := nu * alpha in
  0 < rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> rho * alpha <= 1 / 4 ->
  convex_set X -> smooth whole rho f grad -> conjugate X h_star -> (forall y, is_projection X y (proj y)) -> keeps_known proj -> keeps_known grad ->
  heavy_ball X alpha beta start x z g -> start = 1 ->
  (forall k, mean_given (before k) (g k) (grad (x k))) -> A3 sigma2 g (fun k => grad (x k)) ->
  (E[ W f h_star alpha nu x z (S k) | before (S k) ] <=
   E[ W f h_star alpha nu x z k - alpha * || d alpha x (S k) ||^2 + # (4 * nu * alpha ^ 2 * sigma2) | before (S k) ])%m.

(** f = 0, slopes 4, -4, 0 with probabilities 1/32, 1/32, 30/32 (sigma = 1), rho = 1/2, alpha = 1/2, nu = 1, k = 0, a first sample 4 *)
Lemma r32 : 0 < 1 / 32 < 1 / 2. Proof. lra. Qed.
Lemma zero_smooth {rare} (Hr : 0 < rare < 1 / 2) T rho : 0 <= rho ->
  smooth (P := model (world Hr T) 1) whole rho (on_world Hr T (fun _ => 0)) (map_world Hr T (fun _ => 0)).
Proof.
  intros H. apply smooth_everywhere.
  - intros u w a eps He. exists 1. split; [lra|]. intros t Ht _.
    unfold on_world, map_world, lift, liftv, on_line, move_line, line. cbn. destruct (w a) as [c []]. cbn.
    match goal with |- Rabs ?e < _ => replace e with 0 by (field; exact Ht) end. rewrite Rabs_R0. exact He.
  - intros u v. apply mle_everywhere. intros a. unfold map_world, liftv, move_line, line. cbn. destruct (u a) as [b []], (v a) as [c []]. cbn.
    pose proof (Rle_0_sqr (b + -1 * c)) as Q. unfold Rsqr in Q. assert (0 <= rho * (rho * 1)) by nra. nra.
Qed.
Section Rare_32.
  Local Notation of h := (h _ r32 2%nat 4 (fun _ => 0) 1 (1 / 2) (1 * (1 / 2)) 0).
  Let HL : 2 * (1 / 32) * (4 * 4) <= 1. Proof. lra. Qed.
  Theorem Lemma_5_printed_false : ~ Lemma_5_printed.
  Proof.
    intros H.
    specialize (H (model (world r32 2) 1) whole (on_world r32 2 (fun _ => 0)) half_square (map_world r32 2 (fun _ => 0)) (fun y => y)
      (of (@x)) (of (@z)) (of (@g)) (1 / 2) (1 / 2) 1 1 1 0%nat).
    cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) whole_convex (zero_smooth r32 2 (1 / 2) ltac:(lra))).
    specialize (H whole_conjugate whole_projection (fun j y K => K) (fun j y K => lift_known _ _ j _ y K) (of (@run)) eq_refl).
    specialize (H (of (@means)) (variance r32 2 4 (fun _ => 0) 1 (1 / 2) (1 * (1 / 2)) 0 1 HL)).
    pose proof (first_known r32 _ _ Up (Up, tt) H) as C. clear H.
    cbn in C. unfold on_world, lift, on_line, same_point, half_square, xi in C. cbn in C. lra.
  Qed.

  (** ** Lemma 7 given F_k, as printed (lem:z:diff); the same run *)
  Definition Lemma_7_printed := forall (P : Setting) X f grad proj x z g rho alpha nu start sigma2 k,
    let beta := nu * alpha in
    0 < rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> rho * alpha <= 1 ->
    convex_set X -> smooth whole rho f grad -> (forall y, is_projection X y (proj y)) -> keeps_known proj -> keeps_known grad ->
    heavy_ball X alpha beta start x z g -> start = 1 ->
    (forall k, mean_given (before k) (g k) (grad (x k))) -> A3 sigma2 g (fun k => grad (x k)) ->
    (E[ (1 / (2 * nu)) * || z (S k) - z k ||^2 | before (S k) ] <=
     E[ f (x k) - f (x (S k)) + (xi beta nu / 2) * || d alpha x k ||^2 - (xi beta nu / 2) * || d alpha x (S k) ||^2
        - (alpha - (alpha ^ 3 * rho ^ 2 + 3 * rho * alpha ^ 2) / 2) * || d alpha x (S k) ||^2 + # (4 * nu * alpha ^ 2 * sigma2) | before (S k) ])%m.
  Theorem Lemma_7_printed_false : ~ Lemma_7_printed.
  Proof.
    intros H.
    specialize (H (model (world r32 2) 1) whole (on_world r32 2 (fun _ => 0)) (map_world r32 2 (fun _ => 0)) (fun y => y)
      (of (@x)) (of (@z)) (of (@g)) (1 / 2) (1 / 2) 1 1 1 0%nat).
    cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) whole_convex (zero_smooth r32 2 (1 / 2) ltac:(lra))).
    specialize (H whole_projection (fun j y K => K) (fun j y K => lift_known _ _ j _ y K) (of (@run)) eq_refl).
    specialize (H (of (@means)) (variance r32 2 4 (fun _ => 0) 1 (1 / 2) (1 * (1 / 2)) 0 1 HL)).
    pose proof (first_known r32 _ _ Up (Up, tt) H) as C. clear H.
    cbn in C. unfold on_world, lift, on_line, same_point, xi in C. cbn in C. lra.
  Qed.
End Rare_32.

(** ** Lemma 4 given F_{k-1}, as printed, even with the repaired gamma (eq:lem:Vfunc:non-smooth) *)
Definition Lemma_4_printed := forall (P : Setting) X f Env prox x z g f' rho alpha nu lam start L2 k,
  let beta := nu * alpha in
  0 <= rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> 0 <= L2 -> 0 < lam -> 2 * rho <= / lam ->
  convex_set X -> weakly_convex whole rho f -> moreau X f lam Env prox ->
  heavy_ball X alpha beta start x z g -> start = 1 -> A1 whole f x g f' -> A2 L2 g -> (1 <= k)%nat ->
  let V_ k := Lyapunov (f := f) (x := x) (alpha := alpha) (nu := nu) (lam := lam) (Env := Env) k in
  (E[ V_ (S k) | before k ] <=
   E[ V_ k - (alpha / 2) * || env_gradient lam prox (bar beta x k) ||^2 + # (gamma rho lam beta nu * alpha ^ 2 * L2 / (2 * lam)) | before k ])%m.

(** f = |x|, slopes shaken by 7, -7, 0 with probabilities 1/45000, 1/45000, rest (L^2 = 101/100); alpha = 1/2, nu = 1, lambda = 5,
    x_0 = 4, k = 1, after a first sample 8: then x_1 = 0, d_1 = 8, and d_2 is 8, 1 or (almost surely) 9/2 *)
Definition sign (r : R) : R := if Rlt_dec r 0 then -1 else 1.
Definition shrink lam (y : R) : R := if Rlt_dec y (- lam) then y + lam else if Rlt_dec lam y then y - lam else 0.
Definition abs_env lam (y : R) : R := Rabs (shrink lam y) + 1 / (2 * lam) * (shrink lam y - y) ^ 2.
Lemma abs_bent : bent_tangents 1 0 (on_line Rabs) (move_line sign).
Proof. intros [x []] [y []]. unfold on_line, sq, minus, sign, Rabs. cbn. decide_all. Qed.
Lemma abs_moreau {rare} (H : 0 < rare < 1 / 2) T lam : 0 < lam ->
  moreau (P := model (world H T) 1) whole (on_world H T Rabs) lam (on_world H T (abs_env lam)) (map_world H T (shrink lam)).
Proof.
  intros Hl. assert (B : proximal 1 (fun _ => True) (on_line Rabs) lam (on_line (abs_env lam)) (move_line (shrink lam))).
  { intros [y []]. split; [exact I|]. unfold on_line, sq, minus, abs_env. cbn. split; [ring|].
    intros [u []] _. cbn. set (k := 1 / (2 * lam)). assert (Hk : 0 < k) by (unfold k; sp). assert (Kl : 2 * k * lam = 1) by (unfold k; field; lra).
    pose proof (Rle_0_sqr (u - y)) as Q. pose proof (Rle_0_sqr (u - y + lam)) as Q1. pose proof (Rle_0_sqr (u - y - lam)) as Q2.
    unfold Rsqr in *. clearbody k. unfold shrink, Rabs. decide_all; nra. }
  destruct (lift_moreau (world H T) 1 _ _ _ _ _ B) as [H1 H2 H3 H4].
  split; [intros; exact I | intros y u _; apply H2; intros a; exact I | exact H3 | exact H4].
Qed.
Lemma r45000 : 0 < 1 / 45000 < 1 / 2. Proof. lra. Qed.
Section Rare_45000.
  Local Notation of h := (h _ r45000 2%nat 7 sign 1 (1 / 2) (1 * (1 / 2)) 4).
  Let after q := (Up, (q, tt)) : outcome (world r45000 2).
  Let x0 q : of (@x) 0%nat (after q) = line 4. Proof. reflexivity. Qed.
  Let z0 q : of (@z) 0%nat (after q) = line 8.
  Proof. unfold z, zs. cbn. unfold line, sign. decide_all. f_equal. lra. Qed.
  Let x1 q : of (@x) 1%nat (after q) = line 0.
  Proof.
    transitivity (move_line same_point (plus (of (@x) 0%nat (after q)) (times (-1) (times (1 / 2) (of (@z) 0%nat (after q)))))); [reflexivity|].
    rewrite x0, z0. cbn. unfold move_line, same_point, line. cbn. f_equal. lra.
  Qed.
  Let z1 q : of (@z) 1%nat (after q) = line (9 / 2 + jump 7 q / 2).
  Proof.
    transitivity (plus (times (1 * (1 / 2)) (shaken 7 sign q (of (@x) 1%nat (after q))))
      (times (1 - 1 * (1 / 2)) (times (/ (1 / 2)) (plus (of (@x) 0%nat (after q)) (times (-1) (of (@x) 1%nat (after q))))))); [reflexivity|].
    rewrite x0, x1. cbn. unfold sign, line. decide_all. f_equal. lra.
  Qed.
  Let x2 q : of (@x) 2%nat (after q) = line (- 9 / 4 - jump 7 q / 4).
  Proof.
    transitivity (move_line same_point (plus (of (@x) 1%nat (after q)) (times (-1) (times (1 / 2) (of (@z) 1%nat (after q)))))); [reflexivity|].
    rewrite x1, z1. cbn. unfold move_line, same_point, line. cbn. f_equal. lra.
  Qed.
  Theorem Lemma_4_printed_false : ~ Lemma_4_printed.
  Proof.
    intros H.
    specialize (H (model (world r45000 2) 1) whole (on_world r45000 2 Rabs) (on_world r45000 2 (abs_env 5)) (map_world r45000 2 (shrink 5))
      (of (@x)) (of (@z)) (of (@g)) (of (@slopes)) 0 (1 / 2) 1 5 1 (101 / 100) 1%nat).
    cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
    assert (H5 : 2 * 0 <= / 5) by lra. specialize (H H5 whole_convex (lift_weakly_convex _ _ _ _ _ _ abs_bent)).
    assert (P5 : 0 < 5) by lra. specialize (H (abs_moreau r45000 2 5 P5) (of (@run)) eq_refl).
    specialize (H (fun k => conj (of (@means) k) (lift_subgradient _ _ _ _ _ _ _ (Rle_refl 0) abs_bent))).
    assert (HL : forall r : R, sign r * sign r + 2 * (1 / 45000) * (7 * 7) <= 101 / 100) by (intros; unfold sign; destruct (Rlt_dec r 0); lra).
    specialize (H (moment r45000 2 7 sign 1 (1 / 2) (1 * (1 / 2)) 4 _ HL) (le_n 1)).
    pose proof (first_known r45000 _ _ Up (Up, tt) H) as C. clear H. fold (after Up) (after Down) (after Flat) in C.
    unfold Lyapunov, potential, env_gradient, map_world, on_world, liftv, lift, bar, p, d, prev in C. cbn -[x after] in C.
    rewrite !x0, !x1, !x2 in C. unfold on_line, move_line, line in C. cbn in C. unfold gamma, xi in C. revert C.
    unfold abs_env, shrink, Rabs. decide_all; intros C; lra.
  Qed.
End Rare_45000.

(** ** The printed gamma, with rho xi/2 where rho xi is needed (lem:Vfunc:non-smooth), in total expectation *)
Definition gamma_printed rho lam beta nu := xi beta nu ^ 2 * (rho * (1 - beta) / 2 + nu) / lam + rho * xi beta nu / 2 + 1.
Definition Lemma_4_printed_gamma := forall (P : Setting) X f Env prox x z g f' rho alpha nu lam start L2 k,
  let beta := nu * alpha in
  0 <= rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> 0 <= L2 -> 0 < lam -> 2 * rho <= / lam ->
  convex_set X -> weakly_convex whole rho f -> moreau X f lam Env prox ->
  heavy_ball X alpha beta start x z g -> start = 1 -> A1 whole f x g f' -> A2 L2 g -> (1 <= k)%nat ->
  let V_ k := Lyapunov (f := f) (x := x) (alpha := alpha) (nu := nu) (lam := lam) (Env := Env) k in
  (E[ V_ (S k) ] <=
   E[ V_ k - (alpha / 2) * || env_gradient lam prox (bar beta x k) ||^2 + # (gamma_printed rho lam beta nu * alpha ^ 2 * L2 / (2 * lam)) ])%m.

(** Two kinks, no noise: f(x) = -x for x <= 0, x - x^2/2 on [0, 2/5], slope 1 beyond; rho = L = 1, lambda = 1/2, alpha = 2/5, nu = 2,
    x_0 = 2/5 with z_0 = g_0 = 1, so x_1 = 0 with g_1 = 1, x_2 = -2/5; k = 1 *)
Definition kinks (r : R) : R := if Rle_dec r 0 then - r else if Rle_dec r (2 / 5) then r - r ^ 2 / 2 else r - 2 / 25.
Definition kinks_slope (r : R) : R := if Rlt_dec r 0 then -1 else if Rlt_dec r (2 / 5) then 1 - r else 1.
Definition kinks_prox (y : R) : R :=
  if Rlt_dec y (- 1 / 2) then y + 1 / 2 else if Rle_dec y (1 / 2) then 0 else if Rle_dec y (7 / 10) then 2 * y - 1
  else if Rle_dec y (9 / 10) then 2 / 5 else y - 1 / 2.
Definition kinks_env (y : R) : R := kinks (kinks_prox y) + 1 / (2 * (1 / 2)) * (kinks_prox y - y) ^ 2.
Lemma kinks_bent : bent_tangents 1 1 (on_line kinks) (move_line kinks_slope).
Proof.
  intros [x []] [y []]. unfold on_line, sq, minus. cbn. pose proof (Rle_0_sqr (y - x)) as Q. unfold Rsqr in Q.
  unfold kinks, kinks_slope. decide_all; nra.
Qed.
Lemma kinks_proximal : proximal 1 (fun _ => True) (on_line kinks) (1 / 2) (on_line kinks_env) (move_line kinks_prox).
Proof.
  intros [y []]. split; [exact I|]. unfold on_line, sq, minus, kinks_env. cbn. split; [ring|].
  intros [u []] _. cbn. replace (1 / (2 * (1 / 2))) with 1 by field.
  pose proof (Rle_0_sqr (u - y)) as Q. pose proof (Rle_0_sqr (u - y + 1 / 2)) as Q1. pose proof (Rle_0_sqr (u - y - 1 / 2)) as Q2.
  pose proof (Rle_0_sqr (u - (2 * y - 1))) as Q3. unfold Rsqr in *.
  unfold kinks_prox. decide_all; unfold kinks; decide_all; nra.
Qed.
Lemma kinks_moreau {rare} (H : 0 < rare < 1 / 2) T :
  moreau (P := model (world H T) 1) whole (on_world H T kinks) (1 / 2) (on_world H T kinks_env) (map_world H T kinks_prox).
Proof.
  destruct (lift_moreau (world H T) 1 _ _ _ _ _ kinks_proximal) as [H1 H2 H3 H4].
  split; [intros; exact I | intros y u _; apply H2; intros a; exact I | exact H3 | exact H4].
Qed.
Section Kinks.
  Local Notation of h := (h _ r32 0%nat 0 kinks_slope 1 (2 / 5) (2 * (2 / 5)) (2 / 5)).
  Let there := tt : outcome (world r32 0).
  Let x0 : of (@x) 0%nat there = line (2 / 5). Proof. reflexivity. Qed.
  Let z0 : of (@z) 0%nat there = line 1.
  Proof. unfold z, zs. cbn. unfold line, kinks_slope. decide_all. f_equal. lra. Qed.
  Let x1 : of (@x) 1%nat there = line 0.
  Proof.
    transitivity (move_line same_point (plus (of (@x) 0%nat there) (times (-1) (times (2 / 5) (of (@z) 0%nat there))))); [reflexivity|].
    rewrite x0, z0. cbn. unfold move_line, same_point, line. cbn. f_equal. lra.
  Qed.
  Let z1 : of (@z) 1%nat there = line 1.
  Proof.
    transitivity (plus (times (2 * (2 / 5)) (move_line kinks_slope (of (@x) 1%nat there)))
      (times (1 - 2 * (2 / 5)) (times (/ (2 / 5)) (plus (of (@x) 0%nat there) (times (-1) (of (@x) 1%nat there)))))); [reflexivity|].
    rewrite x0, x1. cbn. unfold kinks_slope, line. decide_all. f_equal. lra.
  Qed.
  Let x2 : of (@x) 2%nat there = line (- 2 / 5).
  Proof.
    transitivity (move_line same_point (plus (of (@x) 1%nat there) (times (-1) (times (2 / 5) (of (@z) 1%nat there))))); [reflexivity|].
    rewrite x1, z1. cbn. unfold move_line, same_point, line. cbn. f_equal. lra.
  Qed.
  Theorem Lemma_4_printed_gamma_false : ~ Lemma_4_printed_gamma.
  Proof.
    intros H.
    specialize (H (model (world r32 0) 1) whole (on_world r32 0 kinks) (on_world r32 0 kinks_env) (map_world r32 0 kinks_prox)
      (of (@x)) (of (@z)) (of (@g)) (of (@slopes)) 1 (2 / 5) 2 (1 / 2) 1 1 1%nat).
    cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
    assert (Hl : 2 * 1 <= / (1 / 2)) by lra. specialize (H Hl whole_convex (lift_weakly_convex _ _ _ _ _ _ kinks_bent) (kinks_moreau r32 0) (of (@run)) eq_refl).
    assert (H1 : 0 <= 1) by lra. specialize (H (fun k => conj (of (@means) k) (lift_subgradient _ _ _ _ _ _ _ H1 kinks_bent))).
    assert (HL : forall r : R, kinks_slope r * kinks_slope r + 2 * (1 / 32) * (0 * 0) <= 1) by (intros; unfold kinks_slope; decide_all; nra).
    specialize (H (moment r32 0 0 kinks_slope 1 (2 / 5) (2 * (2 / 5)) (2 / 5) _ HL) (le_n 1)).
    rewrite !no_chance in H. pose proof (proj1 (mle_everywhere (world r32 0) 1 _ _) H there) as C. clear H.
    unfold Lyapunov, potential, env_gradient, map_world, on_world, liftv, lift, bar, p, d, prev in C. cbn -[x] in C.
    rewrite x0, x1, x2 in C. unfold on_line, move_line, line in C. cbn in C. unfold gamma_printed, xi in C. revert C.
    unfold kinks_env, kinks_prox. decide_all. unfold kinks. decide_all; intros C; lra.
  Qed.
End Kinks.

(** ** Theorem 1 as printed (eq:thrm:1), without alpha_0^2 on the noise; even with the repaired gamma, for either start *)
Definition Theorem_1_as_printed (start_of : R -> R) :=
  forall (P : Setting) X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star K,
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu (start_of beta) ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
   # (2 * (gamma_1 lam beta nu * (f_0 - f_star) + gamma rho lam beta nu * L2 / (2 * lam)) / (alpha_0 * N)))%m.

(** f = |x| without noise, x_0 = 1, lambda = 1, K = 0, alpha_0 = 4: beta = 1, both starts agree *)
Section Alone.
  Variable start : R.
  Local Notation of h := (h _ r32 0%nat 0 sign start (4 / sqrt (INR (0 + 1))) (/ 4 * (4 / sqrt (INR (0 + 1)))) 1).
  Lemma alone_run : nonsmooth_run (P := model (world r32 0) 1) whole (on_world r32 0 Rabs) (on_world r32 0 (abs_env 1)) (map_world r32 0 (shrink 1))
      (of (@x)) (of (@z)) (of (@g)) (of (@slopes)) 0 1 1 4 1 0 (4 / sqrt (INR (0 + 1))) (/ 4) start.
  Proof.
    assert (H1 : 0 < 1) by lra. split.
    - lra.
    - exact whole_convex.
    - exact (lift_weakly_convex _ _ _ _ _ _ abs_bent).
    - exact (abs_moreau r32 0 1 H1).
    - apply run.
    - intros k. split; [apply means | exact (lift_subgradient _ _ _ _ _ _ _ (Rle_refl 0) abs_bent)].
    - apply moment. intros r. unfold sign. destruct (Rlt_dec r 0); lra.
    - apply meq_everywhere. intros a. unfold on_world, lift, on_line, x, xs. cbn. rewrite Rabs_R1. ring.
    - intros u _. apply mle_everywhere. intros a. unfold on_world, lift, on_line. cbn. pose proof (Rabs_pos (fst (u a))). lra.
  Qed.
  Lemma alone_large : ~ (uniform (P := model (world r32 0) 1) 0 (fun k => || env_gradient 1 (map_world r32 0 (shrink 1))
      (bar (/ 4 * (4 / sqrt (INR (0 + 1)))) (of (@x)) k) ||^2) <=
      # (2 * (gamma_1 1 (/ 4 * (4 / sqrt (INR (0 + 1)))) (/ 4) * (1 - 0) + gamma 0 1 (/ 4 * (4 / sqrt (INR (0 + 1)))) (/ 4) * 1 / (2 * 1))
           / (4 * sqrt (INR (0 + 1)))))%m.
  Proof.
    intros H. unfold uniform in H. cbn [msum Nat.add] in H. rewrite no_chance in H.
    pose proof (proj1 (mle_everywhere (world r32 0) 1 _ _) H tt) as C. clear H. revert C.
    unfold env_gradient, bar, p, prev, map_world, liftv, move_line, gamma, gamma_1, xi. change (INR 1) with 1. rewrite sqrt_1. cbn -[x].
    change (of (@x) 0%nat tt) with (line 1). cbn. unfold shrink. decide_all; intros C; lra.
  Qed.
End Alone.
Theorem Theorem_1_as_printed_false : ~ Theorem_1_as_printed (fun beta => beta) /\ ~ Theorem_1_as_printed (fun _ => 1).
Proof.
  split; intros H.
  - exact (alone_large _ (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 0%nat (alone_run (/ 4 * (4 / sqrt (INR (0 + 1))))))).
  - exact (alone_large _ (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 0%nat (alone_run 1))).
Qed.

(** ** Theorem 2, first display as printed (thrm:smooth:complexity): without alpha_0^2 on the noise, even with the repaired gamma *)
Definition Theorem_2_as_printed (start_of : R -> R) :=
  forall (P : Setting) X f Env grad prox x z g rho sigma2 G2 lam alpha_0 f_0 f_star K,
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  smooth_run X f Env grad prox x z g rho sigma2 G2 lam alpha_0 f_0 f_star alpha nu (start_of beta) -> smooth whole rho f grad ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
   # (2 * (gamma_1 lam beta nu * (f_0 - f_star) + gamma rho lam beta nu * (sigma2 + G2) / (2 * lam)) / (alpha_0 * N)))%m.

(** f = x^2/2 on [-1, 1] with the slopes x + 1 and x - 1 (a coin), rho = sigma = G = 1, lambda = 1/2, x_0 = 1, K = 0, alpha_0 = 12: the left side is
    4/9, the right side 5/12 *)
Lemma twelve_large start : ~ (uniform (P := model (Inhabited.coins 1) 1) 0 (fun k => || env_gradient (/ (2 * 1)) (Inhabited.map_coins 1 Inhabited.clipped_prox)
    (bar (/ 12 * (12 / sqrt (INR (0 + 1)))) (Inhabited.ex_x 1 0 Inhabited.same_point Inhabited.clip start 12) k) ||^2) <=
    # (2 * (gamma_1 (/ (2 * 1)) (/ 12 * (12 / sqrt (INR (0 + 1)))) (/ 12) * (1 / 2 - 0)
       + gamma 1 (/ (2 * 1)) (/ 12 * (12 / sqrt (INR (0 + 1)))) (/ 12) * (1 + 1) / (2 * / (2 * 1))) / (12 * sqrt (INR (0 + 1)))))%m.
Proof.
  intros H. pose proof (proj1 (mle_everywhere (Inhabited.coins 1) 1 _ _) H (true, tt)) as C. clear H. revert C.
  unfold uniform, gamma, gamma_1, xi. cbn [msum Nat.add]. change (INR 1) with 1. rewrite sqrt_1.
  unfold env_gradient, bar, p, prev, Inhabited.map_coins, liftv. cbn -[Inhabited.ex_x]. unfold mean, chance, share, alike. cbn.
  unfold Inhabited.fair, Inhabited.clipped_prox, Inhabited.two_thirds, Inhabited.clip, Rmax, Rmin. decide_all; intros C; lra.
Qed.
Theorem Theorem_2_as_printed_false : ~ Theorem_2_as_printed (fun beta => beta) /\ ~ Theorem_2_as_printed (fun _ => 1).
Proof.
  assert (A : 0 < 12) by lra.
  split; intros H; refine (twelve_large _ (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 0%nat (Inhabited.Theorem_2_not_empty 1 0 _ 12 A) (Inhabited.parabola_smooth 1))).
Qed.

(** ** Theorem 3, second display as printed, with alpha_0^3 *)
Definition Theorem_3_second_as_printed := forall (P : Setting) f Env grad prox x z g rho sigma2 alpha_0 f_0 f_star K,
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  unconstrained_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (pred k)) ||^2) <=
   # (4 * ((1 + 8 * rho ^ 2 * alpha_0 ^ 2) * (f_0 - f_star) + (rho + 16 * alpha_0 * rho ^ 2) * sigma2 * alpha_0 ^ 3) / (alpha_0 * N)))%m.

(** f(x) = 50 x^2 (rho = 100), slopes shaken by 4, -4, 0 with probabilities 1/32, 1/32, 30/32 (sigma = 1), x_0 = 0 (Delta = 0), K = 3, alpha_0 = 1/100000 *)
Definition steep (r : R) : R := 50 * r ^ 2.
Definition steep_slope (r : R) : R := 100 * r.
Definition steep_prox (r : R) : R := 2 * r / 3.
Definition steep_env (r : R) : R := 100 * r ^ 2 / 3.
Lemma steep_smooth {rare} (H : 0 < rare < 1 / 2) T : smooth (P := model (world H T) 1) whole 100 (on_world H T steep) (map_world H T steep_slope).
Proof.
  apply smooth_everywhere.
  - intros u w a eps He. set (q := weight (world H T) a * (50 * (fst (w a)) ^ 2)).
    assert (Q : 0 <= q).
    { unfold q. pose proof (weight_pos (world H T) a). pose proof (Rle_0_sqr (fst (w a))) as S. unfold Rsqr in S. cbn [pow]. nra. }
    exists (eps / (q + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros t Ht Hs.
    match goal with |- Rabs ?e < _ => replace e with (t * q) end.
    + rewrite Rabs_mult, (Rabs_right q) by lra. apply Rle_lt_trans with (Rabs t * (q + 1)).
      * apply Rmult_le_compat_l; [apply Rabs_pos | lra].
      * apply Rmult_lt_reg_r with (/ (q + 1)); [apply Rinv_0_lt_compat; lra|].
        replace (Rabs t * (q + 1) * / (q + 1)) with (Rabs t) by (field; lra). exact Hs.
    + unfold q, on_world, lift, on_line, map_world, liftv, move_line, line, steep_slope, steep. cbn.
      destruct (u a) as [b []], (w a) as [c []]. cbn. field. exact Ht.
  - intros u v. apply mle_everywhere. intros a. unfold map_world, liftv, move_line, line, steep_slope. cbn.
    destruct (u a) as [b []], (v a) as [c []]. cbn. lra.
Qed.
Lemma steep_moreau {rare} (H : 0 < rare < 1 / 2) T :
  moreau (P := model (world H T) 1) whole (on_world H T steep) (/ (2 * 100)) (on_world H T steep_env) (map_world H T steep_prox).
Proof.
  assert (B : proximal 1 (fun _ => True) (on_line steep) (/ (2 * 100)) (on_line steep_env) (move_line steep_prox)).
  { intros [y []]. unfold on_line, sq, minus. cbn. replace (1 / (2 * / (2 * 100))) with 100 by field.
    split; [exact I|]. split; [unfold steep_env, steep, steep_prox; field|].
    intros [u []] _. cbn. pose proof (Rle_0_sqr (u - 2 * y / 3)) as Q. unfold Rsqr in Q. unfold steep_env, steep. nra. }
  destruct (lift_moreau (world H T) 1 _ _ _ _ _ B) as [H1 H2 H3 H4].
  split; [intros; exact I | intros y u _; apply H2; intros a; exact I | exact H3 | exact H4].
Qed.
Section Steep.
  Let N := sqrt (INR (3 + 1)).
  Let N_is : N = 2.
  Proof. unfold N. replace (INR (3 + 1)) with (2 * 2) by (cbn; lra). apply sqrt_square. lra. Qed.
  Local Notation of h := (h _ r32 2%nat 4 steep_slope 1 (1 / 100000 / N) (/ (1 / 100000) * (1 / 100000 / N)) 0).
  Lemma steep_run : unconstrained_run (P := model (world r32 2) 1) (on_world r32 2 steep) (on_world r32 2 steep_env)
     (map_world r32 2 steep_slope) (map_world r32 2 steep_prox) (of (@x)) (of (@z)) (of (@g))
     100 1 (/ (2 * 100)) (1 / 100000) 0 0 (1 / 100000 / N) (/ (1 / 100000)) 1.
  Proof.
    split.
    - lra.
    - rewrite Rinv_inv. lra.
    - apply steep_smooth.
    - apply steep_moreau.
    - apply run.
    - apply means.
    - apply variance. lra.
    - intros j y. apply lift_known.
    - apply meq_everywhere. intros a. unfold on_world, lift, on_line, steep, x, xs. cbn. lra.
    - intros u. apply mle_everywhere. intros a. unfold on_world, lift, on_line, steep. cbn. pose proof (Rle_0_sqr (fst (u a))) as Q. unfold Rsqr in Q. lra.
  Qed.
  (** one of the four terms is enough *)
  Theorem Theorem_3_second_as_printed_false : ~ Theorem_3_second_as_printed.
  Proof.
    intros H. specialize (H _ _ _ _ _ _ _ _ _ _ _ _ _ 3%nat steep_run). fold N in H.
    set (Y := fun k => (|| env_gradient (/ (2 * 100)) (map_world r32 2 steep_prox)
       (bar (/ (1 / 100000) * (1 / 100000 / N)) (of (@x)) (pred k)) ||^2)%m) in H.
    assert (L : ((/ 4) * E[ Y 2%nat ] <= uniform 3 Y)%m).
    { unfold uniform. change (3 + 1)%nat with 4%nat. intros A. rewrite !on_scal. replace (INR 4) with 4 by (cbn; lra).
      apply Rmult_le_compat_l; [lra|]. cbn [msum]. rewrite !on_add, on_zero.
      assert (Pos : forall k, 0 <= on A (E Trivial (Y k))).
      { intros k. rewrite <- (E_zero Trivial A). apply E_mono. intros B. rewrite on_zero. apply inner_pos. }
      pose proof (Pos 0%nat). pose proof (Pos 1%nat). pose proof (Pos 3%nat). lra. }
    pose proof (proj1 (mle_everywhere (world r32 2) 1 _ _) (mle_trans _ _ _ L H) (Up, (Up, tt))) as C. clear H L.
    match type of C with _ <= ?r => change (/ 4 * @E (model (world r32 2) 1) Trivial (Y 2%nat) (Up, (Up, tt)) <= r) in C end.
    rewrite total_expectation in C. unfold Y in C.
    unfold env_gradient, bar, p, prev, map_world, liftv, move_line, pred in C. rewrite N_is in C.
    cbn in C. unfold steep_prox, steep_slope, same_point, line in C. cbn in C. lra.
  Qed.
End Steep.
