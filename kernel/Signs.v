(** Real numbers: signs by structure, and the slacks behind a range of parameters. *)
Require Export Reals Lra.
Open Scope R_scope.

Lemma quotient_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]. Qed.
Lemma sum_pos_right a b : 0 <= a -> 0 < b -> 0 < a + b.
Proof. lra. Qed.
Lemma sum_pos_left a b : 0 < a -> 0 <= b -> 0 < a + b.
Proof. lra. Qed.

(** [nn] proves [0 <= t] and [sp] proves [0 < t], by the structure of [t]; the leaves are hypotheses or linear.
    A strict sum needs one strict summand only: asking for both would double the work at every level. *)
Ltac nn :=
  match goal with
  | |- 0 <= _ => assumption
  | H : 0 < ?a |- 0 <= ?a => left; exact H
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nn
  | |- 0 <= _ * _ => apply Rmult_le_pos; nn
  | |- 0 <= _ / _ => apply quotient_nonneg; [nn | sp]
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; sp
  | |- 0 <= _ ^ _ => apply pow_le; nn
  | |- 0 <= _ => lra
  end
with sp :=
  match goal with
  | |- 0 < _ => assumption
  | |- 0 < _ + _ => first [ apply sum_pos_right; [nn | sp] | apply sum_pos_left; [sp | nn] ]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; sp
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; sp
  | |- 0 < / _ => apply Rinv_0_lt_compat; sp
  | |- 0 < _ ^ _ => apply pow_lt; sp
  | |- 0 < _ => lra
  end.

(** Side conditions of [field]: a conjunction of denominators that do not vanish. *)
Ltac not_zero :=
  match goal with
  | |- _ /\ _ => split; not_zero
  | |- ?x <> 0 => first
      [ assumption
      | apply not_eq_sym, Rlt_not_eq; sp
      | match goal with H : ?y <> 0 |- _ => let K := fresh in intro K; apply H; rewrite <- K; ring end
      | match goal with H : 0 < ?y |- _ => let K := fresh in intro K; apply (Rlt_not_eq _ _ H); rewrite <- K; ring end
      | match goal with H : 0 < ?y |- _ =>
          let K := fresh in intro K; apply (Rlt_not_eq _ _ H); transitivity (- x); [rewrite K; ring | ring] end ]
  | |- True => exact I
  end.
Ltac nz := repeat split; not_zero.

(** [same_as b]: the goal [0 <= a] (or [0 < a]) is replaced by the same about [b], after [a = b] by [field]. *)
Ltac same_as b := match goal with
  | |- 0 <= ?a => replace a with b by (field; nz)
  | |- 0 < ?a => replace a with b by (field; nz)
  end.

(** ** For exported theorems
    [no_lets] puts definitions in; [quotient a b] proves 0 <= m because m = a/b, with a and b polynomials without minus signs. *)
Ltac no_lets := repeat match goal with x := _ : R |- _ => subst x end.
Ltac below_pos :=
  match goal with
  | |- 0 < _ => assumption
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; below_pos
  | |- 0 < _ ^ _ => apply pow_lt; below_pos
  | |- 0 < _ => solve [sp]
  | H : 0 < ?y |- 0 < ?x => replace x with y by ring; exact H
  | H : 0 < ?y |- 0 < ?x => replace x with y by (field; nz); exact H
  end.
Ltac quotient a b := match goal with |- 0 <= ?m => replace m with (a / b) by (field; nz); apply quotient_nonneg; [nn | below_pos] end.

Ltac quotient_pos a b := match goal with |- 0 < ?m => replace m with (a / b) by (field; nz); apply Rdiv_lt_0_compat; below_pos end.

(** ** Slacks: a parameter in a range, written with a free non-negative number. *)

Lemma slack_between l u x : l < x -> x <= u -> exists s, 0 <= s /\ x = (u + s * l) / (1 + s).
Proof.
  intros Hl Hu. exists ((u - x) / (x - l)). assert (0 < x - l) by lra.
  assert (0 <= (u - x) / (x - l)) by (apply quotient_nonneg; lra).
  split; [assumption|]. field. split; [lra|]. replace (x - l + (u - x)) with (u - l) by ring. lra.
Qed.
Lemma slack_at_least l x : l <= x -> exists s, 0 <= s /\ x = l + s.
Proof. intros. exists (x - l). split; lra. Qed.
Lemma slack_inverse_at_least l x : 0 < x -> l <= / x -> exists s, 0 <= s /\ 0 < l + s /\ x = / (l + s).
Proof.
  intros Hx Hl. exists (/ x - l). assert (0 < / x) by now apply Rinv_0_lt_compat.
  split; [lra|]. split; [lra|]. replace (l + (/ x - l)) with (/ x) by ring. now rewrite Rinv_inv.
Qed.
Lemma slack_inverse_above l x : 0 < x -> l < / x -> exists s, 0 < s /\ 0 < l + s /\ x = / (l + s).
Proof.
  intros Hx Hl. exists (/ x - l). assert (0 < / x) by now apply Rinv_0_lt_compat.
  split; [lra|]. split; [lra|]. replace (l + (/ x - l)) with (/ x) by ring. now rewrite Rinv_inv.
Qed.
Lemma slack_inverse_between l u x :
  0 < x -> l < / x -> / x <= u -> exists s, 0 <= s /\ 0 < u + s * l /\ x = (1 + s) / (u + s * l).
Proof.
  intros Hx Hl Hu. destruct (slack_between l u (/ x) Hl Hu) as [s [Hs E]].
  assert (0 < / x) by now apply Rinv_0_lt_compat.
  exists s. split; [assumption|].
  assert (K : u + s * l = / x * (1 + s)) by (rewrite E; field; lra).
  split; [rewrite K; apply Rmult_lt_0_compat; lra|]. rewrite K. field. split; lra.
Qed.

(** ** A limit: what holds up to a factor 1 - t for every small t > 0 holds without it. *)
Lemma limit_to_one a b : (forall t, 0 < t -> t <= 1 -> (1 - t) * a <= b) -> a <= b.
Proof.
  intros H. destruct (Rle_or_lt a b) as [|K]; [assumption|]. exfalso.
  destruct (Rle_or_lt a 0) as [Ha|Ha].
  - specialize (H (1 / 2)). lra.
  - set (t := Rmin 1 ((a - b) / (2 * a))). assert (0 < (a - b) / (2 * a)) by (apply Rdiv_lt_0_compat; lra).
    assert (T : 0 < t) by (unfold t; apply Rmin_glb_lt; lra). assert (T1 : t <= 1) by apply Rmin_l.
    specialize (H t T T1). assert (T2 : t * a <= (a - b) / 2).
    { replace ((a - b) / 2) with ((a - b) / (2 * a) * a) by (field; lra).
      apply Rmult_le_compat_r; [lra | apply Rmin_r]. }
    lra.
Qed.
(** What holds up to every eps > 0 holds. *)
Lemma limit_to_zero a b : (forall eps, 0 < eps -> a - eps <= b) -> a <= b.
Proof. intros H. destruct (Rle_or_lt a b) as [|K]; [assumption|]. specialize (H ((a - b) / 2)). lra. Qed.
