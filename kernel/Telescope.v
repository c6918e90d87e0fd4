(** Telescoping: from one step of a Lyapunov function to the mean over all steps. *)
Require Export HeavyBall.Paper.
Require Import Lia.
Open Scope R_scope.

Section Telescope.
  Context {P : Setting}.

  Lemma msum_first (Y : nat -> M) n : (msum (S n) Y == Y O + msum n (fun k => Y (S k)))%m.
  Proof.
    induction n as [|n IH]; intros A; cbn [msum] in *; rewrite ?on_add, ?on_zero; [lra|].
    specialize (IH A). rewrite !on_add in IH. lra.
  Qed.
  Lemma msum_scale (Y Z : nat -> M) n : (forall k, (k < n)%nat -> (Y k <= Z k)%m) -> (msum n Y <= msum n Z)%m.
  Proof.
    intros H. induction n as [|n IH]; intros A; cbn [msum]; [lra|]. rewrite !on_add.
    specialize (IH (fun k L => H k (Nat.lt_lt_succ_r _ _ L)) A). specialize (H n (Nat.lt_succ_diag_r n) A). lra.
  Qed.

  (** The limit that joins lines: what holds for every t in (0, 1], and is continuous in t at 0, holds at t = 0. *)
  Lemma limit_at_zero (a b : R -> R) : continuity_pt a 0 -> continuity_pt b 0 -> (forall t, 0 < t -> t <= 1 -> a t <= b t) -> a 0 <= b 0.
  Proof.
    intros Ca Cb H. apply limit_to_zero. intros eps He.
    destruct (Ca (eps / 2) ltac:(lra)) as [d1 [P1 H1]]. destruct (Cb (eps / 2) ltac:(lra)) as [d2 [P2 H2]].
    set (t := Rmin 1 (Rmin (d1 / 2) (d2 / 2))). pose proof (Rmin_l 1 (Rmin (d1 / 2) (d2 / 2))) as L0. fold t in L0.
    pose proof (Rmin_r 1 (Rmin (d1 / 2) (d2 / 2))) as L1. pose proof (Rmin_l (d1 / 2) (d2 / 2)). pose proof (Rmin_r (d1 / 2) (d2 / 2)). fold t in L1.
    assert (T : 0 < t) by (unfold t; repeat apply Rmin_glb_lt; lra). specialize (H t T L0).
    assert (N : D_x no_cond 0 t) by (split; [exact I | lra]).
    assert (Near : forall d, t < d -> dist R_met t 0 < d) by (intros d L; cbn; unfold R_dist; rewrite Rminus_0_r, Rabs_right; lra).
    specialize (H1 t (conj N (Near d1 ltac:(lra)))). specialize (H2 t (conj N (Near d2 ltac:(lra)))). cbn in H1, H2. unfold R_dist in *.
    apply Rabs_def2 in H1. apply Rabs_def2 in H2. lra.
  Qed.
  Theorem limit_rule (X Y : R -> M) : (forall A, continuity_pt (fun t => on A (X t)) 0) -> (forall A, continuity_pt (fun t => on A (Y t)) 0) ->
    (forall t, 0 < t -> t <= 1 -> (X t <= Y t)%m) -> (X 0 <= Y 0)%m.
  Proof. intros CX CY H A. apply limit_at_zero with (a := fun t => on A (X t)) (b := fun t => on A (Y t)); auto. intros t T0 T1. now apply H. Qed.

  (** eq:stoc:analysis: if E a_{k+1} <= E a_k - w E e_k + c from k = m on, then the sum of the e_k is bounded. *)
  Lemma telescope (a e : nat -> M) w c m n :
    (forall k, (m <= k)%nat -> (E[ a (S k) ] <= E[ a k - w * e k + # c ])%m) ->
    (E[ a (m + n)%nat ] + w * msum n (fun k => E[ e (m + k)%nat ]) <= E[ a m ] + # (INR n * c))%m.
  Proof.
    intros H A. induction n as [|n IH].
    - rewrite Nat.add_0_r. cbn [msum INR]. rewrite !on_add, !on_scal, on_zero. lra.
    - rewrite Nat.add_succ_r. cbn [msum]. specialize (H (m + n)%nat ltac:(lia) A). rewrite S_INR.
      rewrite !E_add', !E_scal', E_one in H. rewrite !on_add, !on_scal, !on_add in *. lra.
  Qed.

  Lemma INR_later K : 0 < INR (K + 1).
  Proof. rewrite plus_INR. cbn [INR]. pose proof (pos_INR K). lra. Qed.

  (** The mean over k = 0, ..., K, when every step counts: z_0 = beta g_0 *)
  Lemma mean_of_steps (a e : nat -> M) w c b0 b1 K : 0 < w ->
    (forall k, (E[ a (S k) ] <= E[ a k - w * e k + # c ])%m) ->
    (E[ a O ] <= E[ # b0 ])%m -> (E[ # b1 ] <= E[ a (K + 1)%nat ])%m ->
    (uniform K e <= # ((b0 - b1 + INR (K + 1) * c) / (w * INR (K + 1))))%m.
  Proof.
    intros Hw H H0 H1 A. pose proof (telescope a e w c 0 (K + 1) (fun k _ => H k) A) as T. cbn [Nat.add] in T.
    specialize (H0 A). specialize (H1 A). pose proof (INR_later K) as HK. unfold uniform.
    rewrite (E_number Trivial b0 A) in H0. rewrite (E_number Trivial b1 A) in H1. rewrite !on_add, !on_scal in *.
    apply Rmult_le_reg_l with (w * INR (K + 1)); [nra|].
    replace (w * INR (K + 1) * (/ INR (K + 1) * on A (msum (K + 1) (fun k => E Trivial (e k)))))
      with (w * on A (msum (K + 1) (fun k => E Trivial (e k)))) by (field; lra).
    replace (w * INR (K + 1) * ((b0 - b1 + INR (K + 1) * c) / (w * INR (K + 1)) * on A one))
      with ((b0 - b1 + INR (K + 1) * c) * on A one) by (field; lra).
    lra.
  Qed.
  (** The same when the step k = 0 is paid for separately: z_0 = g_0 *)
  Lemma mean_of_later_steps (a e : nat -> M) w c b0 b1 K : 0 < w ->
    (forall k, (1 <= k)%nat -> (E[ a (S k) ] <= E[ a k - w * e k + # c ])%m) ->
    (E[ a 1%nat + w * e O ] <= E[ # b0 ])%m -> (E[ # b1 ] <= E[ a (K + 1)%nat ])%m ->
    (uniform K e <= # ((b0 - b1 + INR K * c) / (w * INR (K + 1))))%m.
  Proof.
    intros Hw H H0 H1 A. pose proof (telescope a e w c 1 K H A) as T. cbn [Nat.add] in T.
    specialize (H0 A). specialize (H1 A). pose proof (INR_later K) as HK. unfold uniform.
    rewrite (E_number Trivial b0 A) in H0. rewrite (E_number Trivial b1 A) in H1. rewrite E_add', E_scal' in H0.
    replace (K + 1)%nat with (S K) in * by lia. pose proof (msum_first (fun k => E Trivial (e k)) K A) as F.
    rewrite on_scal, F. rewrite !on_add, !on_scal in *.
    apply Rmult_le_reg_l with (w * INR (S K)); [nra|].
    set (q := on A (msum K _)) in *. set (e0 := on A (E Trivial (e O))) in *.
    replace (w * INR (S K) * (/ INR (S K) * (e0 + q))) with (w * (e0 + q)) by (field; lra).
    replace (w * INR (S K) * ((b0 - b1 + INR K * c) / (w * INR (S K)) * on A one))
      with ((b0 - b1 + INR K * c) * on A one) by (field; lra).
    lra.
  Qed.
  (** The same when the last term needs no step of its own *)
  Lemma mean_of_earlier_steps (a e : nat -> M) w c b0 b1 K : 0 < w ->
    (forall k, (E[ a (S k) ] <= E[ a k - w * e k + # c ])%m) ->
    (E[ a O ] <= E[ # b0 ])%m -> (E[ # b1 + w * e K ] <= E[ a K ])%m ->
    (uniform K e <= # ((b0 - b1 + INR K * c) / (w * INR (K + 1))))%m.
  Proof.
    intros Hw H H0 H1 A. pose proof (telescope a e w c 0 K (fun k _ => H k) A) as T. cbn [Nat.add] in T.
    specialize (H0 A). specialize (H1 A). pose proof (INR_later K) as HK. unfold uniform.
    rewrite (E_number Trivial b0 A) in H0. rewrite E_add', !E_scal', E_one in H1.
    replace (K + 1)%nat with (S K) in * by lia. cbn [msum]. rewrite !on_add, !on_scal in *. rewrite on_add.
    apply Rmult_le_reg_l with (w * INR (S K)); [nra|].
    set (q := on A (msum K _)) in *. set (e0 := on A (E Trivial (e K))) in *.
    replace (w * INR (S K) * (/ INR (S K) * (q + e0))) with (w * (q + e0)) by (field; lra).
    replace (w * INR (S K) * ((b0 - b1 + INR K * c) / (w * INR (S K)) * on A one))
      with ((b0 - b1 + INR K * c) * on A one) by (field; lra).
    lra.
  Qed.
End Telescope.
