(** Printed lines that are false, refuted on explicit finite instances with rational numbers.

    Each printed line is written with the definitions of [Paper.v], for every setting and every admissible run; then one run contradicts
    it.  The runs are on the real line: the first T samples (T = 0 or 1) shake the slope by [size], 0 or -[size]; later samples are exact. *)
Require Export HeavyBall.Runs HeavyBall.Theorem1 HeavyBall.SmoothStep HeavyBall.Theorem3.
Require Export HeavyBall.Model.
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
Lemma all_known {rare} (H : 0 < rare < 1 / 2) Y : @E (model (world H 1) 1) (before 1) Y = Y.
Proof.
  apply mean_known. cbn. intros [a []] [b []]. cbn. rewrite andb_true_r. intros L. apply same_draw_spec in L. now subst.
Qed.

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
  0 <= rho -> 0 < alpha -> 0 < nu -> beta <= 1 -> 0 <= L2 -> convex_set X -> weakly_convex rho f ->
  heavy_ball X alpha beta start x z g -> A1 f x g f' -> A2 L2 g -> (1 <= k)%nat ->
  (E[ (1 - beta) * f (x k) + (nu / 2) * || p beta x (S k) ||^2 | before k ] <=
   E[ (1 - beta) * f (prev x k) + (nu / 2) * || p beta x k ||^2 - alpha * || d alpha x (S k) ||^2
      + # (alpha ^ 2 * (rho * (1 - beta) / 2 + nu) * L2) | before k ])%m.

(** f = 0, slopes 8, -8, 0 with probabilities 1/128, 1/128, 126/128 (L = 1), alpha = 1/2, nu = 1, k = 1, after a first sample 8 *)
Lemma r128 : 0 < 1 / 128 < 1 / 2. Proof. lra. Qed.
Theorem Lemma_3_printed_false : ~ Lemma_3_printed.
Proof.
  intros H.
  specialize (H (model (world r128 1) 1) whole (on_world r128 1 (fun _ => 0)) (x r128 1 8 (fun _ => 0) (1 / 2) (1 / 2) (1 * (1 / 2)) 0)
    (z r128 1 8 (fun _ => 0) (1 / 2) (1 / 2) (1 * (1 / 2)) 0) (g r128 1 8 (fun _ => 0) (1 / 2) (1 / 2) (1 * (1 / 2)) 0)
    (slopes r128 1 8 (fun _ => 0) (1 / 2) (1 / 2) (1 * (1 / 2)) 0) 0 (1 / 2) 1 (1 / 2) 1 1%nat).
  cbv zeta in H. specialize (H ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) whole_convex).
  specialize (H (lift_weakly_convex _ _ _ _ _ (zero_bent 0 ltac:(lra))) (run _ _ _ _ _ _ _ _)).
  specialize (H (fun k => conj (means _ _ _ _ _ _ _ _ k) (lift_subgradient _ _ _ _ _ _ (Rle_refl 0) (zero_bent 0 (Rle_refl 0))))).
  assert (HL : forall r : R, 0 * 0 + 2 * (1 / 128) * (8 * 8) <= 1) by (intros; lra).
  specialize (H (moment _ _ _ _ _ _ _ _ _ HL) (le_n 1)).
  rewrite !all_known in H. pose proof (proj1 (mle_everywhere (world r128 1) 1 _ _) H (Up, tt)) as C. clear H.
  cbn in C. unfold on_world, lift, on_line, same_point in C. cbn in C. lra.
Qed.
