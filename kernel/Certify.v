(** What a certificate proves.

    The gap of a claim (right minus left) is, as an identity between expressions, a sum of
    - multipliers >= 0 times hypotheses that say 'something >= 0' ([holds]),
    - multipliers of any sign times hypotheses that say 'something = 0' ([equal]),
    - inner products of fresh noise with what was known before it ([vanish]).
    Then the claim holds given the field [g].  The identity is checked for real numbers only ([Transfer.v]). *)
Require Export HeavyBall.Transfer.

Section Certify.
  Context {P : Setting} (e : list V) (a : list M) (v0 : V) (g : fld).
  Notation d := (sd e a v0). Notation D := (vd e v0).
  Fixpoint total (ts : list (R * sx)) : sx :=
    match ts with [] => SC 0 | (m, h) :: ts => SA (SM m h) (total ts) end.
  Fixpoint noise (zs : list (vx * vx)) : sx :=
    match zs with [] => SC 0 | (u, v) :: zs => SA (SI u v) (noise zs) end.
  Fixpoint holds (ts : list (R * sx)) : Prop :=
    match ts with [] => True | (m, h) :: ts => (0 <= m /\ mle zero (d h)) /\ holds ts end.
  Fixpoint equal (ts : list (R * sx)) : Prop :=
    match ts with [] => True | (m, h) :: ts => meq zero (d h) /\ equal ts end.
  Fixpoint vanish (zs : list (vx * vx)) : Prop :=
    match zs with [] => True | (u, v) :: zs => (forall A, on A (E g (inner (D u) (D v))) = 0) /\ vanish zs end.

  Lemma on_zero A : on A zero = 0. Proof. unfold zero. rewrite on_scal. ring. Qed.
  Lemma E_zero A : on A (E g zero) = 0. Proof. unfold zero. rewrite E_scal'. ring. Qed.
  Lemma on_total ts A : holds ts -> 0 <= on A (E g (d (total ts))).
  Proof.
    induction ts as [|[m h] ts IH]; cbn; intros H.
    - rewrite E_scal'. lra.
    - rewrite E_add', E_scal'. apply Rplus_le_le_0_compat; [|tauto]. apply Rmult_le_pos; [tauto|].
      rewrite <- (E_zero A). apply E_mono. tauto.
  Qed.
  Lemma on_equal ts A : equal ts -> on A (E g (d (total ts))) = 0.
  Proof.
    induction ts as [|[m h] ts IH]; cbn; intros H.
    - rewrite E_scal'. ring.
    - rewrite E_add', E_scal', IH by tauto. replace (on A (E g (d h))) with 0; [ring|]. rewrite <- (E_zero A).
      apply Rle_antisym; apply E_mono; intros B; destruct H as [K _]; rewrite (K B); apply Rle_refl.
  Qed.
  Lemma on_noise zs A : vanish zs -> on A (E g (d (noise zs))) = 0.
  Proof.
    induction zs as [|[u v] zs IH]; cbn; intros H; [rewrite E_scal'; ring|]. rewrite E_add', IH by tauto.
    destruct H as [K _]. rewrite K. ring.
  Qed.

  Definition gap l r := SA r (SM (-1) l).
  Definition rest l r ts es zs := SA (gap l r) (SM (-1) (SA (total ts) (SA (total es) (noise zs)))).
  Lemma balance l r ts es zs A :
    finer g (rest l r ts es zs) -> (forall x y, sr x y (rest l r ts es zs) = 0) -> equal es -> vanish zs ->
    on A (E g (d r)) - on A (E g (d l)) = on A (E g (d (total ts))).
  Proof.
    intros F I He Hz. pose proof (transfer e a v0 g A _ F I) as T. unfold rest, gap in T. cbn [sd] in T.
    rewrite !E_add', !E_scal', !E_add', (on_equal es), (on_noise zs) in T by assumption. lra.
  Qed.
  Theorem certify_le l r ts es zs :
    finer g (rest l r ts es zs) -> (forall x y, sr x y (rest l r ts es zs) = 0) ->
    holds ts -> equal es -> vanish zs -> mle (E g (d l)) (E g (d r)).
  Proof.
    intros F I H He Hz A. pose proof (balance l r ts es zs A F I He Hz). pose proof (on_total ts A H). lra.
  Qed.
  Theorem certify_eq l r es zs :
    finer g (rest l r [] es zs) -> (forall x y, sr x y (rest l r [] es zs) = 0) ->
    equal es -> vanish zs -> meq (E g (d l)) (E g (d r)).
  Proof.
    intros F I He Hz A. pose proof (balance l r [] es zs A F I He Hz) as K. cbn in K. rewrite E_scal' in K. lra.
  Qed.
  (** fresh noise against what was known before *)
  Lemma noise_vanishes j u m v A :
    fle g j = true -> mean_given j u m -> known j v -> on A (E g (inner (vadd u (vscal (-1) m)) v)) = 0.
  Proof.
    intros F [Km Hm] Kv. rewrite E_inner_add, E_inner_scal. rewrite <- (E_tower g j (inner u v)) by exact F.
    rewrite (Hm v Kv). ring.
  Qed.
End Certify.

Theorem certify_path_le {P : Setting} e a v0 l r ts es zs :
  finer All (rest l r ts es zs) -> (forall x y, sr x y (rest l r ts es zs) = 0) ->
  holds e a v0 ts -> equal e a v0 es -> vanish e v0 All zs -> mle (sd e a v0 l) (sd e a v0 r).
Proof. intros. rewrite <- (E_all (sd e a v0 l)), <- (E_all (sd e a v0 r)). eapply certify_le; eassumption. Qed.
Theorem certify_path_eq {P : Setting} e a v0 l r es zs :
  finer All (rest l r [] es zs) -> (forall x y, sr x y (rest l r [] es zs) = 0) ->
  equal e a v0 es -> vanish e v0 All zs -> meq (sd e a v0 l) (sd e a v0 r).
Proof. intros. rewrite <- (E_all (sd e a v0 l)), <- (E_all (sd e a v0 r)). eapply certify_eq; eassumption. Qed.

(** ** Elementary facts *)
Section Elementary.
  Context {P : Setting}.
  Lemma square_nn u : mle zero (inner u u).
  Proof. intros A. rewrite on_zero. apply inner_pos. Qed.
  Lemma number_nn c : 0 <= c -> mle zero (mscal c one).
  Proof. intros H A. rewrite on_zero, on_scal. apply Rmult_le_pos; [exact H | apply one_pos]. Qed.
  Lemma gap_nn X Y : mle X Y -> mle zero (madd Y (mscal (-1) X)).
  Proof. intros H A. rewrite on_zero, on_add, on_scal. specialize (H A). lra. Qed.
  Lemma gap_zero X Y : meq X Y -> meq zero (madd Y (mscal (-1) X)).
  Proof. intros H A. rewrite on_zero, on_add, on_scal. specialize (H A). lra. Qed.
  Lemma mle_trans X Y Z : mle X Y -> mle Y Z -> mle X Z.
  Proof. intros H K A. exact (Rle_trans _ _ _ (H A) (K A)). Qed.
  Lemma E_number j c : meq (E j (mscal c one)) (mscal c one).
  Proof. intros A. now rewrite E_scal', E_one, on_scal. Qed.
  Lemma E_E j X : meq (E Trivial (E j X)) (E Trivial X).
  Proof. intros A. now rewrite E_tower by reflexivity. Qed.
  (** What holds given a field holds in total expectation. *)
  Lemma in_total j X Y : mle (E j X) (E j Y) -> mle (E Trivial X) (E Trivial Y).
  Proof.
    intros H A. rewrite <- (E_tower Trivial j X), <- (E_tower Trivial j Y) by reflexivity. revert A. now apply E_mono.
  Qed.
  Lemma E_mle j X Y : mle X Y -> mle (E j X) (E j Y).
  Proof. exact (E_mono j X Y). Qed.
End Elementary.
