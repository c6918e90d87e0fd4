(** No empty truth: the premises of Theorems 1, 2 and 3 are met by concrete problems, for every K and every number T of random samples.

    Theorem 1: f(x) = |x| on [-1, 1], f'(x, S) = sign(x) + S with a fair coin S in {-1, 1}.
    Theorem 2 and Lemmas 5, 6, 7: f(x) = x^2/2 on [-1, 1], f'(x, S) = x + S.  Theorem 3: the same on the whole line. *)
Require Export HeavyBall.Runs HeavyBall.Falling HeavyBall.Shorter HeavyBall.OpenQuestion HeavyBall.Constrained HeavyBall.Schedules.
Require Export HeavyBall.Model.
Require Import Lia.
Open Scope R_scope.

(** ** T coins *)
Definition coin_values := [true; false].
Definition fair (q : bool) : R := 1 / 2.
Lemma eqb_coin a b : Bool.eqb a b = true <-> a = b. Proof. apply Bool.eqb_true_iff. Qed.
Lemma fair_pos a : 0 < fair a. Proof. unfold fair. lra. Qed.
Lemma coins_listed a : In a coin_values. Proof. destruct a; cbn; auto. Qed.
Lemma fair_total : total fair coin_values = 1. Proof. cbn. unfold fair. lra. Qed.
Definition coins T := space coin_values fair Bool.eqb eqb_coin fair_pos coins_listed fair_total T.
Definition toss (q : bool) : R := if q then 1 else -1.

(** ** The line, as vectors with one coordinate *)
Definition line (r : R) : Rn 1 := (r, tt).
Definition on_line (F : R -> R) (v : Rn 1) : R := F (fst v).
Definition move_line (h : R -> R) (v : Rn 1) : Rn 1 := line (h (fst v)).
Definition interval (v : Rn 1) : Prop := -1 <= fst v <= 1.
Definition clip (r : R) : R := Rmax (-1) (Rmin 1 r).
Ltac points := repeat match goal with v : Rn 1 |- _ => destruct v as [? []] end; cbn in *.
Ltac cases := unfold clip, Rmax, Rmin, Rabs in *;
  repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
  | H : context [Rlt_dec ?a ?b] |- _ => destruct (Rlt_dec a b)
  | H : context [Rcase_abs ?a] |- _ => destruct (Rcase_abs a)
  | H : _ /\ _ |- _ => destruct H
  | H : ~ _ <= _ |- _ => apply Rnot_le_lt in H
  | H : ~ _ < _ |- _ => apply Rnot_lt_le in H
  end.

Lemma clip_in r : -1 <= clip r <= 1. Proof. cases; lra. Qed.
Lemma clip_nearest : nearest 1 interval (move_line clip).
Proof.
  intros [y []]. split; [apply clip_in|]. intros [u []] Hu. unfold interval in Hu. unfold sq, minus. cbn in *.
  pose proof (Rle_0_sqr (u - y)) as Q. unfold Rsqr in Q. cases; nra.
Qed.
Lemma interval_convex T : convex_set (everywhere (coins T) 1 interval).
Proof. apply lift_convex_set. intros [u []] [v []] w W0 W1 [] []. unfold interval. cbn in *. nra. Qed.
Lemma oracle_mean (s : R -> R) y v :
  total (fun q => fair q * dot (line (s (fst y) + toss q)) v) coin_values = @dot 1 (move_line s y) v.
Proof. points. unfold fair. lra. Qed.

(** ** f = |x| on [-1, 1] *)
Definition sign (r : R) : R := if Rlt_dec r 0 then -1 else 1.
Definition shrink (y : R) : R := if Rlt_dec y (-1/2) then clip (y + 1/2) else if Rlt_dec (1/2) y then clip (y - 1/2) else 0.
Definition abs_env (y : R) : R := Rabs (shrink y) + (shrink y - y) ^ 2.
Lemma abs_bent : bent_tangents 1 1 (on_line Rabs) (move_line sign).
Proof.
  intros [x []] [y []]. unfold on_line, sq, minus, sign. cbn. pose proof (Rle_0_sqr (y - x)) as Q. unfold Rsqr in Q. cases; nra.
Qed.
Lemma shrink_in y : -1 <= shrink y <= 1.
Proof. unfold shrink. repeat destruct (Rlt_dec _ _); try apply clip_in; lra. Qed.
Lemma abs_proximal : proximal 1 interval (on_line Rabs) (/ (2 * 1)) (on_line abs_env) (move_line shrink).
Proof.
  intros [y []]. unfold interval, on_line, sq, minus. cbn. replace (1 / (2 * / (2 * 1))) with 1 by field.
  split; [apply shrink_in|]. split; [unfold abs_env; ring|].
  intros [u []]. cbn. intros Hu. 
  pose proof (Rle_0_sqr (u - y)) as Q. pose proof (Rle_0_sqr (u - y + 1/2)) as Q1. pose proof (Rle_0_sqr (u - y - 1/2)) as Q2.
  unfold Rsqr in *. unfold abs_env, shrink. cases; nra.
Qed.
(** ** The run of an oracle s(x) + S from x_0 = 1, with or without a set *)
Section Example.
  Variables (T K : nat) (s proj : R -> R) (start alpha_0 : R).
  Definition ex_alpha := alpha_0 / sqrt (INR (K + 1)).
  Definition shaken (q : bool) (y : Rn 1) : Rn 1 := line (s (fst y) + toss q).
  Definition ex_x : nat -> @V (model (coins T) 1) := xs _ _ _ eqb_coin fair_pos coins_listed fair_total T 1
    (move_line proj) shaken (move_line s) ex_alpha (/ alpha_0 * ex_alpha) start (line 1).
  Definition ex_z : nat -> @V (model (coins T) 1) := zs _ _ _ eqb_coin fair_pos coins_listed fair_total T 1
    (move_line proj) shaken (move_line s) ex_alpha (/ alpha_0 * ex_alpha) start (line 1).
  Definition ex_g : nat -> @V (model (coins T) 1) := gs _ _ _ eqb_coin fair_pos coins_listed fair_total T 1
    (move_line proj) shaken (move_line s) ex_alpha (/ alpha_0 * ex_alpha) start (line 1).
End Example.
Definition on_coins T F := lift (coins T) 1 (on_line F).
Definition map_coins T h := liftv (coins T) 1 (move_line h).

(** *** Theorem 1: |x| on [-1, 1], rho = 1, L^2 = 2, lambda = 1/2, any alpha_0, both starts (any [start]) *)
Theorem Theorem_1_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 ->
  nonsmooth_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T Rabs) (on_coins T abs_env) (map_coins T shrink)
    (ex_x T K sign clip start alpha_0) (ex_z T K sign clip start alpha_0) (ex_g T K sign clip start alpha_0)
    (fun k => map_coins T sign (ex_x T K sign clip start alpha_0 k))
    1 2 (/ (2 * 1)) alpha_0 1 0 (ex_alpha K alpha_0) (/ alpha_0) start.
Proof.
  intros Ha. split.
  - lra.
  - apply interval_convex.
  - exact (lift_weakly_convex _ _ _ _ _ _ abs_bent).
  - exact (lift_moreau _ _ _ _ _ _ _ abs_proximal).
  - apply run_is_heavy_ball; [exact clip_nearest | unfold interval; cbn; lra].
  - intros k. split; [apply run_mean | apply lift_subgradient with 1; [lra | exact abs_bent]].
    intros y v. apply (oracle_mean sign).
  - apply run_A2 with interval.
    + exact clip_nearest.
    + unfold interval; cbn; lra.
    + intros y _. unfold sq, fair. cbn. unfold sign. destruct (Rlt_dec _ _); lra.
    + intros y _. unfold sq. cbn. unfold sign. destruct (Rlt_dec _ _); lra.
  - apply meq_everywhere. intros a. cbn. unfold on_coins, lift, on_line. cbn. rewrite Rabs_R1. ring.
  - intros u _. apply mle_everywhere. intros a. unfold on_coins, lift, on_line. cbn. pose proof (Rabs_pos (fst (u a))). lra.
Qed.

(** *** Any schedule: the same problem with alpha_k = alpha_0/sqrt(K+1) and S_k = alpha_k/beta, which the theorem for falling stepsizes asks for too *)
Theorem any_schedule_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> let beta := / alpha_0 * ex_alpha K alpha_0 in
  schedule_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T Rabs) (on_coins T abs_env) (map_coins T shrink)
    (ex_x T K sign clip start alpha_0) (ex_z T K sign clip start alpha_0) (ex_g T K sign clip start alpha_0)
    (fun k => map_coins T sign (ex_x T K sign clip start alpha_0 k))
    (fun _ => ex_alpha K alpha_0) (fun _ => ex_alpha K alpha_0 / beta) 1 2 (/ (2 * 1)) 1 0 beta start K.
Proof.
  intros Ha beta. destruct (Theorem_1_not_empty T K start alpha_0 Ha) as [_ H1 H2 H3 H4 H5 H6 H7 H8].
  pose proof (root_at_least_1 K) as HN. assert (Pa : 0 < ex_alpha K alpha_0) by (unfold ex_alpha; apply Rdiv_lt_0_compat; lra).
  assert (Hb : beta = / sqrt (INR (K + 1))) by (unfold beta, ex_alpha; field; lra).
  assert (B : 0 < beta /\ beta <= 1) by (rewrite Hb; split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  split; try assumption.
  - lra.
  - intros k. exact Pa.
  - split; [left; apply Rdiv_lt_0_compat; lra|]. intros k _. field. lra.
  - exact (constant_schedule _ _ _ _ _ _ _ H4).
Qed.

(** *** f = x^2/2 *)
Definition parabola (r : R) : R := r ^ 2 / 2.
Definition same_point (r : R) : R := r.
Lemma parabola_smooth T : smooth (P := model (coins T) 1) whole 1 (on_coins T parabola) (map_coins T same_point).
Proof.
  apply smooth_everywhere.
  - intros u w a eps He. set (q := weight (coins T) a * ((fst (w a)) ^ 2 / 2)).
    assert (Q : 0 <= q).
    { unfold q. pose proof (weight_pos (coins T) a). pose proof (Rle_0_sqr (fst (w a))) as S. unfold Rsqr in S. cbn [pow]. nra. }
    exists (eps / (q + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros t Ht Hs.
    match goal with |- Rabs ?e < _ => replace e with (t * q) end.
    + rewrite Rabs_mult, (Rabs_right q) by lra. apply Rle_lt_trans with (Rabs t * (q + 1)).
      * apply Rmult_le_compat_l; [apply Rabs_pos | lra].
      * apply Rmult_lt_reg_r with (/ (q + 1)); [apply Rinv_0_lt_compat; lra|].
        replace (Rabs t * (q + 1) * / (q + 1)) with (Rabs t) by (field; lra). exact Hs.
    + unfold q, on_coins, lift, on_line, map_coins, liftv, move_line, line, same_point, parabola. cbn.
      destruct (u a) as [b []], (w a) as [c []]. cbn. field. exact Ht.
  - intros u v. apply mle_everywhere. intros a. unfold map_coins, liftv, move_line, line, same_point. cbn.
    destruct (u a) as [b []], (v a) as [c []]. cbn. lra.
Qed.
Lemma parabola_variance y : total (fun q => fair q * sq 1 (minus 1 (shaken same_point q y) (move_line same_point y))) coin_values <= 1.
Proof. points. unfold fair, sq, minus. cbn. unfold same_point. lra. Qed.

(** *** Theorem 2: on [-1, 1], rho = sigma^2 = G^2 = 1, lambda = 1/2, any alpha_0 *)
Definition two_thirds (r : R) : R := 2 * r / 3.
Definition clipped_prox (r : R) : R := clip (two_thirds r).
Definition clipped_env (r : R) : R := parabola (clipped_prox r) + (clipped_prox r - r) ^ 2.
Lemma clipped_proximal : proximal 1 interval (on_line parabola) (/ (2 * 1)) (on_line clipped_env) (move_line clipped_prox).
Proof.
  intros [y []]. unfold interval, on_line, sq, minus. cbn. replace (1 / (2 * / (2 * 1))) with 1 by field.
  split; [apply clip_in|]. split; [unfold clipped_env; ring|].
  intros [u []]. cbn. intros Hu. pose proof (Rle_0_sqr (u - 2 * y / 3)) as Q. unfold Rsqr in Q.
  unfold clipped_env, clipped_prox, two_thirds, parabola. cases; nra.
Qed.
Theorem Theorem_2_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 ->
  smooth_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T parabola) (on_coins T clipped_env)
    (map_coins T same_point) (map_coins T clipped_prox)
    (ex_x T K same_point clip start alpha_0) (ex_z T K same_point clip start alpha_0) (ex_g T K same_point clip start alpha_0)
    1 1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start.
Proof.
  intros Ha. split.
  - lra.
  - apply interval_convex.
  - apply smooth_on, parabola_smooth.
  - intros u Hu. apply mle_everywhere. intros a. specialize (Hu a). unfold interval in Hu. unfold map_coins, liftv, move_line, line, same_point.
    cbn. destruct (u a) as [b []]. cbn in *. nra.
  - exact (lift_moreau _ _ _ _ _ _ _ clipped_proximal).
  - apply run_is_heavy_ball; [exact clip_nearest | unfold interval; cbn; lra].
  - intros k. apply run_mean. intros y v. apply (oracle_mean same_point).
  - apply run_A3 with interval; [exact clip_nearest | unfold interval; cbn; lra | lra |]. intros y _. apply parabola_variance.
  - apply meq_everywhere. intros a. unfold on_coins, lift, on_line, parabola. cbn. lra.
  - intros u _. apply mle_everywhere. intros a. unfold on_coins, lift, on_line, parabola. cbn. pose proof (Rle_0_sqr (fst (u a))) as Q. unfold Rsqr in Q. lra.
Qed.

(** *** Theorem 2 without a bound on the gradient: the same problem, any start, any alpha_0 below 2; |grad f(x_0)|^2 = 1 *)
Theorem Theorem_2_without_bounded_gradient_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> alpha_0 < 2 ->
  unbounded_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T parabola) (on_coins T clipped_env)
    (map_coins T same_point) (map_coins T clipped_prox) (map_coins T clip)
    (ex_x T K same_point clip start alpha_0) (ex_z T K same_point clip start alpha_0) (ex_g T K same_point clip start alpha_0)
    1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start /\
  (let g_0 := map_coins T same_point (ex_x T K same_point clip start alpha_0 0%nat) : @V (model (coins T) 1) in (|| g_0 ||^2 <= # 1)%m).
Proof.
  intros Ha Hb. destruct (Theorem_2_not_empty T K start alpha_0 Ha) as [_ H1 H2 _ H3 H4 H5 H6 H7 H8]. split.
  - split; try assumption.
    + lra.
    + intros y. exact (lift_projection (coins T) 1 interval (move_line clip) y clip_nearest).
    + split; intros j y; apply lift_known.
  - apply mle_everywhere. intros a. cbn. unfold same_point. lra.
Qed.

(** *** Theorem 3 with constraints: the same problem, any alpha_0 up to 1/4 *)
Theorem Theorem_3_constrained_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> alpha_0 <= 1 / 4 ->
  constrained_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T parabola) (on_coins T clipped_env)
    (map_coins T same_point) (map_coins T clipped_prox) (map_coins T clip)
    (ex_x T K same_point clip start alpha_0) (ex_z T K same_point clip start alpha_0) (ex_g T K same_point clip start alpha_0)
    1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start.
Proof.
  intros Ha Hb. destruct (Theorem_2_without_bounded_gradient_not_empty T K start alpha_0 Ha ltac:(lra)) as [[_ H1 H2 H3 H4 H5 H6 H7 H8 H9 H10] _].
  split; try assumption; [lra | rewrite Rinv_inv; lra].
Qed.

(** *** Lemmas 5, 6 and 7: the same problem, with the conjugate of |.|^2/2 on [-1, 1] *)
Definition clip_star (r : R) : R := r * clip r - clip r ^ 2 / 2.
Lemma interval_conjugate T : conjugate (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T clip_star).
Proof.
  intros y. split.
  - intros u Hu. apply mle_everywhere. intros a. specialize (Hu a). unfold interval in Hu. unfold on_coins, lift, on_line, clip_star. cbn.
    destruct (y a) as [r []], (u a) as [v []]. cbn in *. pose proof (Rle_0_sqr (v - r)) as Q. unfold Rsqr in Q. cases; nra.
  - exists (map_coins T clip y). split; [intros a; apply clip_in|]. apply meq_everywhere. intros a.
    unfold on_coins, map_coins, lift, liftv, on_line, move_line, line, clip_star. cbn. destruct (y a) as [r []]. cbn. field.
Qed.
Theorem Lemma_5_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> alpha_0 <= 1 / 4 ->
  conjugate (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T clip_star) /\
  constrained_run (P := model (coins T) 1) (everywhere (coins T) 1 interval) (on_coins T parabola) (on_coins T clipped_env)
    (map_coins T same_point) (map_coins T clipped_prox) (map_coins T clip)
    (ex_x T K same_point clip start alpha_0) (ex_z T K same_point clip start alpha_0) (ex_g T K same_point clip start alpha_0)
    1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start.
Proof. intros Ha Hb. split; [apply interval_conjugate | now apply Theorem_3_constrained_not_empty]. Qed.

(** *** Theorem 3: on the whole line, rho = sigma^2 = 1, lambda = 1/2, any alpha_0 up to 1/2 for the shorter proof, up to 1/4 for that of the paper;
    each sample is known when it has been drawn, as the sharper Lemmas 5 and 7 ask *)
Definition free_env (r : R) : R := r ^ 2 / 3.
Lemma free_proximal : proximal 1 (fun _ => True) (on_line parabola) (/ (2 * 1)) (on_line free_env) (move_line two_thirds).
Proof.
  intros [y []]. unfold on_line, sq, minus. cbn. replace (1 / (2 * / (2 * 1))) with 1 by field.
  split; [exact I|]. split; [unfold free_env, parabola, two_thirds; field|].
  intros [u []] _. cbn. pose proof (Rle_0_sqr (u - 2 * y / 3)) as Q. unfold Rsqr in Q. unfold free_env, parabola. nra.
Qed.
Lemma free_nearest : nearest 1 (fun _ => True) (move_line same_point).
Proof.
  intros [y []]. split; [exact I|]. intros [u []] _. unfold sq, minus, same_point. cbn. pose proof (Rle_0_sqr (u - y)) as Q. unfold Rsqr in Q. lra.
Qed.
Lemma everywhere_whole T (v : @V (model (coins T) 1)) : everywhere (coins T) 1 (fun _ => True) v.
Proof. intros a. exact I. Qed.
Theorem Theorem_3_better_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> alpha_0 <= 1 / 2 ->
  free_run (P := model (coins T) 1) (on_coins T parabola) (on_coins T free_env)
    (map_coins T same_point) (map_coins T two_thirds)
    (ex_x T K same_point same_point start alpha_0) (ex_z T K same_point same_point start alpha_0) (ex_g T K same_point same_point start alpha_0)
    1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start /\
  forall k, @known (model (coins T) 1) (before (S k)) (ex_g T K same_point same_point start alpha_0 k).
Proof.
  intros Ha Hb. split; [|intros k; apply run_sample_known]. split.
  - lra.
  - rewrite Rinv_inv. lra.
  - apply parabola_smooth.
  - destruct (lift_moreau (coins T) 1 _ _ _ _ _ free_proximal) as [H1 H2 H3 H4].
    split; [intros; exact I | intros y u _; apply H2, everywhere_whole | exact H3 | exact H4].
  - pose proof (run_is_heavy_ball coin_values fair Bool.eqb eqb_coin fair_pos coins_listed fair_total T 1 (fun _ => True)
      (move_line same_point) (shaken same_point) (move_line same_point) (ex_alpha K alpha_0) (/ alpha_0 * ex_alpha K alpha_0) start (line 1) free_nearest I) as [H1 H2 H3 H4 H5].
    split; [exact I | exact H2 | | exact H4 | exact H5].
    intros k. split; [exact I|]. intros u _. apply H3, everywhere_whole.
  - intros k. apply run_mean. intros y v. apply (oracle_mean same_point).
  - apply run_A3 with (fun _ => True); [exact free_nearest | exact I | lra |]. intros y _. apply parabola_variance.
  - intros j y. apply lift_known.
  - apply meq_everywhere. intros a. unfold on_coins, lift, on_line, parabola. cbn. lra.
  - intros u. apply mle_everywhere. intros a. unfold on_coins, lift, on_line, parabola. cbn. pose proof (Rle_0_sqr (fst (u a))) as Q. unfold Rsqr in Q. lra.
Qed.

Theorem Theorem_3_not_empty (T K : nat) (start alpha_0 : R) : 0 < alpha_0 -> alpha_0 <= 1 / 4 ->
  unconstrained_run (P := model (coins T) 1) (on_coins T parabola) (on_coins T free_env)
    (map_coins T same_point) (map_coins T two_thirds)
    (ex_x T K same_point same_point start alpha_0) (ex_z T K same_point same_point start alpha_0) (ex_g T K same_point same_point start alpha_0)
    1 1 (/ (2 * 1)) alpha_0 (1 / 2) 0 (ex_alpha K alpha_0) (/ alpha_0) start.
Proof.
  intros Ha Hb. destruct (Theorem_3_better_not_empty T K start alpha_0 Ha ltac:(lra)) as [[_ H1 H2 H3 H4 H5 H6 H7 H8 H9] _].
  split; try assumption. lra.
Qed.

(** *** and the runs are random: after one coin the second iterate takes two values *)
Lemma run_is_random : ex_x 1 0 same_point same_point 1 (/ 4) 1%nat (true, tt) <> ex_x 1 0 same_point same_point 1 (/ 4) 1%nat (false, tt).
Proof.
  intros H. apply (f_equal fst) in H. cbn in H. unfold same_point, ex_alpha, toss in H. cbn in H. rewrite sqrt_1 in H. lra.
Qed.
