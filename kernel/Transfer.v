(** An identity between inner products holds for all random vectors, and under every conditional expectation, as soon as it
    holds for real numbers.

    Expressions are written in a small syntax: [vx] for vectors, [sx] for random variables.  [sr] reads an expression with a real
    number for each vector, [sd] reads it in the setting.  Theorem [transfer]: if [sr] is 0 for all numbers, then so is the
    conditional expectation of [sd].  So each inequality of the paper is left with one goal for [field] or [ring]. *)
Require Export HeavyBall.Setting.
Require Import Lia.

(** ** The syntax, and its reading in real numbers *)

Inductive vx :=
| VL (n : nat)                     (* a letter *)
| VA (u v : vx)
| VM (c : R) (u : vx).
Inductive sx :=
| SI (u v : vx)                    (* an inner product *)
| SV (n : nat)                     (* a value, such as f(x) *)
| SC (c : R)                       (* a number *)
| SA (s t : sx)
| SM (c : R) (s : sx)
| SE (j : fld) (s : sx).           (* a conditional expectation *)

Fixpoint vr (x : nat -> R) (u : vx) : R :=
  match u with VL n => x n | VA u v => vr x u + vr x v | VM c u => c * vr x u end.
Fixpoint sr (x y : nat -> R) (s : sx) : R :=
  match s with
  | SI u v => vr x u * vr x v | SV n => y n | SC c => c
  | SA s t => sr x y s + sr x y t | SM c s => c * sr x y s | SE _ s => sr x y s
  end.

Fixpoint vsize (u : vx) : nat :=
  match u with VL n => S n | VA u v => Nat.max (vsize u) (vsize v) | VM _ u => vsize u end.
Fixpoint ssize (s : sx) : nat :=
  match s with
  | SI u v => Nat.max (vsize u) (vsize v) | SV n => S n | SC _ => 0
  | SA s t => Nat.max (ssize s) (ssize t) | SM _ s => ssize s | SE _ s => ssize s
  end.
(** Every inner expectation is given a field no coarser than [g]: then the tower property removes it. *)
Fixpoint finer (g : fld) (s : sx) : Prop :=
  match s with
  | SE j s => fle g j = true /\ finer g s
  | SA s t => finer g s /\ finer g t
  | SM _ s => finer g s
  | _ => True
  end.

(** ** Finite sums *)
Fixpoint sum (n : nat) (f : nat -> R) : R := match n with 0%nat => 0 | S n => sum n f + f n end.
Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n; cbn; intros H; [reflexivity|]. rewrite IHn, (H n); auto with arith. Qed.
Lemma sum_add n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_scal n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext n f (fun _ => 0)) by exact H. clear. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n; cbn; [symmetry; apply sum_zero; reflexivity|]. rewrite IHn, <- sum_add. apply sum_ext. reflexivity.
Qed.
Definition delta (i j : nat) : R := if Nat.eqb i j then 1 else 0.
Lemma sum_delta n i f : (i < n)%nat -> sum n (fun j => delta i j * f j) = f i.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec i n) as [->|K].
  - rewrite sum_zero. unfold delta. rewrite Nat.eqb_refl. ring.
    intros j Hj. unfold delta. destruct (Nat.eqb_spec n j); [lia|ring].
  - rewrite IHn by lia. unfold delta. destruct (Nat.eqb_spec i n); [lia|ring].
Qed.

(** ** Coefficients of an expression *)
Fixpoint vc (u : vx) (i : nat) : R :=
  match u with VL n => delta n i | VA u v => vc u i + vc v i | VM c u => c * vc u i end.
Fixpoint qc (s : sx) (i j : nat) : R :=
  match s with
  | SI u v => vc u i * vc v j | SA s t => qc s i j + qc t i j | SM c s => c * qc s i j | SE _ s => qc s i j | _ => 0
  end.
Fixpoint lc (s : sx) (i : nat) : R :=
  match s with
  | SV n => delta n i | SA s t => lc s i + lc t i | SM c s => c * lc s i | SE _ s => lc s i | _ => 0
  end.
Fixpoint kc (s : sx) : R :=
  match s with SC c => c | SA s t => kc s + kc t | SM c s => c * kc s | SE _ s => kc s | _ => 0 end.

(** ** A linear and a symmetric bilinear form, evaluated on expressions *)
Section Forms.
  Context (B : nat -> nat -> R) (l : nat -> R) (k : R).
  Fixpoint form (s : sx) : R :=
    match s with
    | SI u v => sum (vsize u) (fun i => sum (vsize v) (fun j => vc u i * vc v j * B i j))
    | SV n => l n | SC c => c * k
    | SA s t => form s + form t | SM c s => c * form s | SE _ s => form s
    end.
  Lemma vc_far u i : (vsize u <= i)%nat -> vc u i = 0.
  Proof.
    induction u; cbn; intros H.
    - unfold delta. destruct (Nat.eqb_spec n i); [lia|reflexivity].
    - rewrite IHu1, IHu2 by lia. ring.
    - rewrite IHu by lia. ring.
  Qed.
  Lemma sum_more n m f : (n <= m)%nat -> (forall i, (n <= i)%nat -> f i = 0) -> sum m f = sum n f.
  Proof.
    intros Hnm H. induction m; [now replace n with 0%nat by lia|].
    destruct (Nat.eq_dec n (S m)) as [->|K]; [reflexivity|]. cbn. rewrite IHm, (H m) by lia. ring.
  Qed.
  Lemma form_coefficients s N : (ssize s <= N)%nat ->
    form s = sum N (fun i => sum N (fun j => qc s i j * B i j)) + sum N (fun i => lc s i * l i) + kc s * k.
  Proof.
    induction s; cbn [form ssize qc lc kc]; intros H.
    - rewrite (sum_zero N (fun i => 0 * l i)) by (intros; ring).
      rewrite (sum_more (vsize u) N) by (try lia; intros i Hi; apply sum_zero; intros; rewrite (vc_far u i Hi); ring).
      rewrite (sum_ext (vsize u) _ (fun i => sum N (fun j => vc u i * vc v j * B i j))); [ring|].
      intros i _. symmetry. apply sum_more; [lia|]. intros j Hj. rewrite (vc_far v j Hj). ring.
    - rewrite (sum_zero N (fun i => sum N _)) by (intros; apply sum_zero; intros; ring).
      rewrite sum_delta by lia. ring.
    - rewrite (sum_zero N (fun i => sum N _)) by (intros; apply sum_zero; intros; ring).
      rewrite sum_zero by (intros; ring). ring.
    - rewrite IHs1, IHs2 by lia.
      rewrite (sum_ext N (fun i => sum N (fun j => (qc s1 i j + qc s2 i j) * B i j))
        (fun i => sum N (fun j => qc s1 i j * B i j) + sum N (fun j => qc s2 i j * B i j))).
      2:{ intros i _. rewrite <- sum_add. apply sum_ext. intros; ring. }
      rewrite (sum_ext N (fun i => (lc s1 i + lc s2 i) * l i) (fun i => lc s1 i * l i + lc s2 i * l i)) by (intros; ring).
      rewrite !sum_add. ring.
    - rewrite IHs by lia.
      rewrite (sum_ext N (fun i => sum N (fun j => c * qc s i j * B i j)) (fun i => c * sum N (fun j => qc s i j * B i j))).
      2:{ intros i _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
      rewrite (sum_ext N (fun i => c * lc s i * l i) (fun i => c * (lc s i * l i))) by (intros; ring).
      rewrite !sum_scal. ring.
    - now apply IHs.
  Qed.
End Forms.

Lemma vr_sum u x N : (vsize u <= N)%nat -> vr x u = sum N (fun i => vc u i * x i).
Proof.
  induction u; cbn [vr vsize vc]; intros H.
  - now rewrite sum_delta by lia.
  - rewrite IHu1, IHu2 by lia. rewrite <- sum_add. apply sum_ext. intros; ring.
  - rewrite IHu by lia. rewrite <- sum_scal. apply sum_ext. intros; ring.
Qed.
Lemma sr_form s x y : sr x y s = form (fun i j => x i * x j) y 1 s.
Proof.
  induction s; cbn; try congruence; try ring.
  - rewrite (vr_sum u x (vsize u)), (vr_sum v x (vsize v)) by lia.
    rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros i _.
    rewrite Rmult_comm, Rmult_assoc, <- sum_scal, <- sum_scal. apply sum_ext. intros; ring.
Qed.

(** An identity for numbers is an identity for every symmetric form: the coefficients can be read off at points. *)
Theorem forms_vanish s B l k :
  (forall x y, sr x y s = 0) -> (forall i j, B i j = B j i) -> form B l k s = 0.
Proof.
  intros Z sym. set (N := ssize s).
  assert (Q : forall x y, sum N (fun i => sum N (fun j => qc s i j * (x i * x j))) + sum N (fun i => lc s i * y i) + kc s = 0).
  { intros x y. rewrite <- (Z x y), sr_form, (form_coefficients _ _ _ s N) by (unfold N; lia). ring. }
  assert (K : kc s = 0).
  { specialize (Q (fun _ => 0) (fun _ => 0)). rewrite !sum_zero in Q; [lra| |]; intros; try apply sum_zero; intros; ring. }
  assert (L : forall n, (n < N)%nat -> lc s n = 0).
  { intros n Hn. specialize (Q (fun _ => 0) (delta n)). rewrite (sum_zero N (fun i => sum N _)) in Q.
    - rewrite (sum_ext N _ (fun i => delta n i * lc s i)) in Q by (intros; ring). rewrite sum_delta in Q by exact Hn. lra.
    - intros. apply sum_zero. intros. ring. }
  assert (P : forall x, sum N (fun i => sum N (fun j => qc s i j * (x i * x j))) = 0).
  { intros x. specialize (Q x (fun _ => 0)). cbv beta in Q. rewrite (sum_zero N (fun i => lc s i * 0)) in Q by (intros; ring). lra. }
  assert (S : forall a b, (a < N)%nat -> (b < N)%nat -> qc s a b + qc s b a = 0).
  { intros a b Ha Hb.
    assert (D : forall x z : nat -> R,
       sum N (fun i => sum N (fun j => qc s i j * (x i * z j))) + sum N (fun i => sum N (fun j => qc s i j * (z i * x j))) = 0).
    { intros x z. pose proof (P (fun i => x i + z i)) as H. cbv beta in H. pose proof (P x) as Hx. pose proof (P z) as Hz.
      rewrite (sum_ext N _ (fun i => (sum N (fun j => qc s i j * (x i * x j)) + sum N (fun j => qc s i j * (z i * z j)))
         + (sum N (fun j => qc s i j * (x i * z j)) + sum N (fun j => qc s i j * (z i * x j))))) in H.
      - rewrite !sum_add in H. lra.
      - intros i _. rewrite <- !sum_add. apply sum_ext. intros; ring. }
    specialize (D (delta a) (delta b)).
    assert (F : forall a b, (a < N)%nat -> (b < N)%nat -> sum N (fun i => sum N (fun j => qc s i j * (delta a i * delta b j))) = qc s a b).
    { clear a b Ha Hb D. intros a b Ha Hb.
      rewrite (sum_ext N _ (fun i => delta a i * qc s i b)); [now rewrite sum_delta|].
      intros i _. rewrite (sum_ext N _ (fun j => delta b j * (qc s i j * delta a i))) by (intros; ring).
      rewrite sum_delta by exact Hb. ring. }
    rewrite !F in D by assumption. exact D. }
  rewrite (form_coefficients _ _ _ s N) by (unfold N; lia). rewrite K.
  rewrite (sum_zero N (fun i => lc s i * l i)) by (intros i Hi; rewrite (L i Hi); ring).
  assert (T : sum N (fun i => sum N (fun j => qc s i j * B i j)) + sum N (fun i => sum N (fun j => qc s i j * B i j)) = 0).
  { rewrite (sum_swap N N (fun i j => qc s i j * B i j)) at 2. rewrite <- sum_add. apply sum_zero. intros i Hi.
    rewrite <- sum_add. apply sum_zero. intros j Hj. rewrite (sym j i). rewrite <- Rmult_plus_distr_r, S by assumption. ring. }
  lra.
Qed.

(** ** Meaning in the setting *)
Section Meaning.
  Context {P : Setting} (e : list V) (a : list M).
  Variables (v0 : V).
  Definition letter (n : nat) : V := nth n e v0.
  Definition value (n : nat) : M := nth n a one.
  Fixpoint vd (u : vx) : V :=
    match u with VL n => letter n | VA u v => vadd (vd u) (vd v) | VM c u => vscal c (vd u) end.
  Fixpoint sd (s : sx) : M :=
    match s with
    | SI u v => inner (vd u) (vd v) | SV n => value n | SC c => mscal c one
    | SA s t => madd (sd s) (sd t) | SM c s => mscal c (sd s) | SE j s => E j (sd s)
    end.
  Context (g : fld) (A : event).
  Let on' X := on A (E g X).
  Lemma E_scal' c X : on' (mscal c X) = c * on' X.
  Proof.
    unfold on'. pose proof (E_lin g (mscal 0 X) X c A) as H. pose proof (E_lin g (mscal c X) X 0 A) as H0.
    assert (Z0 : forall X Y, (forall A, on A X = on A Y) -> on A (E g X) = on A (E g Y)).
    { intros X1 Y1 K. apply Rle_antisym; apply E_mono; intros; rewrite K; apply Rle_refl. }
    assert (Zz : on A (E g (mscal 0 X)) = 0).
    { pose proof (E_lin g (mscal 0 X) (mscal 0 X) 1 A) as K.
      rewrite (Z0 (madd (mscal 0 X) (mscal 1 (mscal 0 X))) (mscal 0 X)) in K by (intros; rewrite on_add, !on_scal; ring). lra. }
    rewrite (Z0 (madd (mscal 0 X) (mscal c X)) (mscal c X)) in H by (intros; rewrite on_add, !on_scal; ring). lra.
  Qed.
  Lemma E_add' X Y : on' (madd X Y) = on' X + on' Y.
  Proof.
    unfold on'. pose proof (E_lin g X Y 1 A) as H.
    assert (Z0 : forall X Y, (forall A, on A X = on A Y) -> on A (E g X) = on A (E g Y)).
    { intros X1 Y1 K. apply Rle_antisym; apply E_mono; intros; rewrite K; apply Rle_refl. }
    rewrite (Z0 (madd X (mscal 1 Y)) (madd X Y)) in H by (intros; rewrite !on_add, on_scal; ring). lra.
  Qed.
  Let B i j := on' (inner (letter i) (letter j)).
  Lemma E_inner_add u v w : on' (inner (vadd u v) w) = on' (inner u w) + on' (inner v w).
  Proof.
    rewrite <- E_add'. unfold on'. apply Rle_antisym; apply E_mono; intros; rewrite inner_add, on_add; apply Rle_refl.
  Qed.
  Lemma E_inner_scal c u w : on' (inner (vscal c u) w) = c * on' (inner u w).
  Proof.
    rewrite <- E_scal'. unfold on'. apply Rle_antisym; apply E_mono; intros; rewrite inner_scal, on_scal; apply Rle_refl.
  Qed.
  Lemma inner_right u w N : (vsize u <= N)%nat -> on' (inner (vd u) w) = sum N (fun i => vc u i * on' (inner (letter i) w)).
  Proof.
    induction u; cbn [vd vsize vc]; intros H.
    - now rewrite sum_delta by lia.
    - rewrite E_inner_add, IHu1, IHu2 by lia. rewrite <- sum_add. apply sum_ext. intros; ring.
    - rewrite E_inner_scal, IHu by lia. rewrite <- sum_scal. apply sum_ext. intros; ring.
  Qed.
  Lemma meaning s : finer g s -> on' (sd s) = form B (fun n => on' (value n)) (on' one) s.
  Proof.
    induction s; cbn [sd form finer]; intros H.
    - rewrite (inner_right u (vd v) (vsize u)) by lia. apply sum_ext. intros i _.
      rewrite inner_sym, (inner_right v (letter i) (vsize v)) by lia. rewrite <- sum_scal. apply sum_ext. intros j _.
      unfold B. rewrite (inner_sym (letter j)). ring.
    - reflexivity.
    - apply E_scal'.
    - rewrite E_add', IHs1, IHs2 by tauto. reflexivity.
    - rewrite E_scal', IHs by exact H. reflexivity.
    - unfold on'. rewrite E_tower by tauto. apply IHs. tauto.
  Qed.
  Theorem transfer s : finer g s -> (forall x y, sr x y s = 0) -> on' (sd s) = 0.
  Proof. intros F Z. rewrite (meaning s F). apply forms_vanish; [exact Z|]. intros i j. unfold B. now rewrite inner_sym. Qed.
End Meaning.
