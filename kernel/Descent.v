(** A function on [0, 1] whose derivative is nowhere positive does not grow: by bisection, so that the law of excluded middle is not needed.
    (The mean value theorem of the standard library uses it.) *)
Require Import HeavyBall.Signs Lia.
Open Scope R_scope.

(** psi has the derivative [slope] at t, seen from within [0, 1]. *)
Definition slope_within (psi : R -> R) (t slope : R) := forall eps, 0 < eps -> exists delta, 0 < delta /\
  forall h, h <> 0 -> Rabs h < delta -> 0 <= t + h -> t + h <= 1 -> Rabs ((psi (t + h) - psi t) / h - slope) < eps.

Section Bisection.
  Variables (psi slope : R -> R) (eps : R).
  Hypotheses (eps_pos : 0 < eps) (D : forall t, 0 <= t -> t <= 1 -> slope_within psi t (slope t)).
  Hypothesis falls : forall t, 0 <= t -> t <= 1 -> slope t <= 0.
  (** the half on which psi still grows faster than eps *)
  Definition half (ab : R * R) : R * R :=
    let (a, b) := ab in let m := (a + b) / 2 in
    if Rlt_dec (eps * (m - a)) (psi m - psi a) then (a, m) else (m, b).
  Fixpoint halves (n : nat) : R * R := match n with O => (0, 1) | S n => half (halves n) end.
  Local Notation a n := (fst (halves n)).
  Local Notation b n := (snd (halves n)).
  Hypothesis grows : eps < psi 1 - psi 0.

  Lemma half_length n : b n - a n = (/ 2) ^ n.
  Proof.
    induction n; cbn [halves pow]; [cbn; lra|]. unfold half. destruct (halves n) as [u v]. cbn [fst snd] in *.
    destruct (Rlt_dec _ _); cbn; lra.
  Qed.
  Lemma half_grows n : eps * (b n - a n) < psi (b n) - psi (a n).
  Proof.
    induction n; cbn [halves]; [cbn; lra|]. unfold half. destruct (halves n) as [u v]. cbn [fst snd] in *.
    destruct (Rlt_dec _ _); cbn; lra.
  Qed.
  Lemma half_inside n : a n <= a (S n) /\ b (S n) <= b n /\ a n < b n.
  Proof.
    pose proof (half_length n) as L. assert (0 < (/ 2) ^ n) by (apply pow_lt; lra). cbn [halves]. unfold half.
    destruct (halves n) as [u v]. cbn [fst snd] in *. destruct (Rlt_dec _ _); cbn; lra.
  Qed.
  Lemma half_later n k : a n <= a (n + k)%nat /\ b (n + k)%nat <= b n.
  Proof.
    induction k; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. pose proof (half_inside (n + k)). lra.
  Qed.
  Lemma half_bounded n m : a n <= b m.
  Proof.
    destruct (half_later n m) as [H _]. destruct (half_later m n) as [_ K]. rewrite Nat.add_comm in K.
    pose proof (half_inside (n + m)). lra.
  Qed.
  Lemma no_growth : False.
  Proof.
    destruct (completeness (fun r => exists n, r = a n)) as [c [Up Least]].
    { exists 1. intros r [n ->]. apply (half_bounded n 0). }
    { exists 0, O. reflexivity. }
    assert (C1 : forall n, a n <= c) by (intros n; apply Up; now exists n).
    assert (C2 : forall n, c <= b n) by (intros n; apply Least; intros r [m ->]; apply half_bounded).
    assert (F : slope c <= 0) by (apply falls; [apply (C1 O) | apply (C2 O)]).
    destruct (D c (C1 O) (C2 O) (eps / 2) ltac:(lra)) as [delta [Pd Hd]].
    destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_right; lra) delta Pd) as [n Hn]. specialize (Hn n (le_n n)).
    assert (I0 : 0 <= a n) by apply (half_later 0 n). assert (I1 : b n <= 1) by apply (half_later 0 n).
    rewrite Rabs_right in Hn by (left; apply pow_lt; lra).
    pose proof (half_length n) as L. pose proof (half_grows n) as G. specialize (C1 n). specialize (C2 n). set (u := a n) in *. set (v := b n) in *.
    assert (R1 : psi v - psi c <= eps / 2 * (v - c)).
    { destruct (Req_dec v c) as [->|N]; [lra|]. specialize (Hd (v - c) ltac:(lra)). rewrite Rabs_right in Hd by lra. specialize (Hd ltac:(lra) ltac:(lra) ltac:(lra)).
      apply Rabs_def2 in Hd. replace (c + (v - c)) with v in Hd by ring. set (q := (psi v - psi c) / (v - c)) in *.
      assert (psi v - psi c = q * (v - c)) by (unfold q; field; lra). nra. }
    assert (R2 : psi c - psi u <= eps / 2 * (c - u)).
    { destruct (Req_dec u c) as [->|N]; [lra|]. specialize (Hd (u - c) ltac:(lra)). rewrite Rabs_left in Hd by lra. specialize (Hd ltac:(lra) ltac:(lra) ltac:(lra)).
      apply Rabs_def2 in Hd. replace (c + (u - c)) with u in Hd by ring. set (q := (psi u - psi c) / (u - c)) in *.
      assert (psi u - psi c = q * (u - c)) by (unfold q; field; lra). nra. }
    assert (0 < v - u) by (rewrite L; apply pow_lt; lra). nra.
  Qed.
End Bisection.

Theorem does_not_grow psi slope : (forall t, 0 <= t -> t <= 1 -> slope_within psi t (slope t)) ->
  (forall t, 0 <= t -> t <= 1 -> slope t <= 0) -> psi 1 <= psi 0.
Proof.
  intros D F. apply limit_to_zero. intros eps He. destruct (Rle_or_lt (psi 1 - psi 0) eps) as [|G]; [lra|].
  exfalso. exact (no_growth psi slope eps He D F G).
Qed.
