(** Every finite probability space with a filtration is a model of the setting, with random vectors in R^n for every n.

    So what [Setting.v] asks for is consistent; and a theorem of this development, read in this model, is a statement about finite
    sums of real numbers. *)
Require Import HeavyBall.Setting FunctionalExtensionality Lia.
Open Scope R_scope.

(** ** Vectors with n coordinates *)
Fixpoint Rn (n : nat) : Type := match n with O => unit | S n => (R * Rn n)%type end.
Fixpoint plus {n} : Rn n -> Rn n -> Rn n :=
  match n with O => fun _ _ => tt | S n => fun u v => (fst u + fst v, plus (snd u) (snd v)) end.
Fixpoint times {n} (c : R) : Rn n -> Rn n :=
  match n with O => fun _ => tt | S n => fun u => (c * fst u, times c (snd u)) end.
Fixpoint dot {n} : Rn n -> Rn n -> R :=
  match n with O => fun _ _ => 0 | S n => fun u v => fst u * fst v + dot (snd u) (snd v) end.

Lemma dot_plus {n} (u v w : Rn n) : dot (plus u v) w = dot u w + dot v w.
Proof. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma dot_times {n} c (u w : Rn n) : dot (times c u) w = c * dot u w.
Proof. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma dot_sym {n} (u v : Rn n) : dot u v = dot v u.
Proof. induction n; cbn; [ring|]. rewrite IHn. ring. Qed.
Lemma dot_pos {n} (u : Rn n) : 0 <= dot u u.
Proof.
  induction n; cbn; [lra|]. pose proof (IHn (snd u)). pose proof (Rle_0_sqr (fst u)) as S. unfold Rsqr in S. lra.
Qed.
Lemma dot_definite {n} (u v : Rn n) : dot (plus u (times (-1) v)) (plus u (times (-1) v)) = 0 -> u = v.
Proof.
  induction n; cbn; [destruct u, v; reflexivity|]. destruct u as [a u], v as [b v]; cbn. intros H.
  pose proof (dot_pos (plus u (times (-1) v))) as P. pose proof (Rle_0_sqr (a + -1 * b)) as S. unfold Rsqr in S.
  assert (A : (a + -1 * b) * (a + -1 * b) = 0) by lra. apply Rmult_integral in A.
  f_equal; [lra | apply IHn; lra].
Qed.

(** ** Finite sums over a list *)
Section Sums.
  Context {O : Type}.
  Fixpoint total (f : O -> R) (l : list O) : R := match l with [] => 0 | a :: l => f a + total f l end.
  Lemma total_ext f g l : (forall a, f a = g a) -> total f l = total g l.
  Proof. intros H. induction l; cbn; [reflexivity|]. now rewrite H, IHl. Qed.
  Lemma total_add f g l : total (fun a => f a + g a) l = total f l + total g l.
  Proof. induction l; cbn; [ring|]. rewrite IHl. ring. Qed.
  Lemma total_scal c f l : total (fun a => c * f a) l = c * total f l.
  Proof. induction l; cbn; [ring|]. rewrite IHl. ring. Qed.
  Lemma total_le f g l : (forall a, f a <= g a) -> total f l <= total g l.
  Proof. intros H. induction l; cbn; [lra|]. specialize (H a). lra. Qed.
  Lemma total_pos f l a : (forall a, 0 <= f a) -> In a l -> 0 < f a -> 0 < total f l.
  Proof.
    intros H I P. induction l as [|b l IH]; [destruct I|].
    assert (T : 0 <= total f l) by (clear - H; induction l as [|c l IH]; cbn; [lra | specialize (H c); lra]).
    destruct I as [->|I]; cbn; [lra|]. specialize (IH I). specialize (H b). lra.
  Qed.
End Sums.
Lemma total_swap {O Q} (f : O -> Q -> R) l m :
  total (fun a => total (f a) m) l = total (fun b => total (fun a => f a b) l) m.
Proof.
  induction l; cbn [total].
  - induction m; cbn; [reflexivity | rewrite <- IHm; ring].
  - rewrite IHl, <- total_add. reflexivity.
Qed.

(** ** A finite probability space with a filtration
    [same j a b]: the samples up to S_j do not tell the outcomes a and b apart. *)
Record Space := {
  outcome : Type;
  outcomes : list outcome;
  weight : outcome -> R;
  same : Z -> outcome -> outcome -> bool;
  equal : outcome -> outcome -> bool;
  all_listed : forall a, In a outcomes;
  weight_pos : forall a, 0 < weight a;
  weight_total : total weight outcomes = 1;
  equal_spec : forall a b, equal a b = true <-> a = b;
  same_refl : forall j a, same j a a = true;
  same_sym : forall j a b, same j a b = true -> same j b a = true;
  same_trans : forall j a b c, same j a b = true -> same j b c = true -> same j a c = true;
  same_later : forall i j a b, (i <= j)%Z -> same j a b = true -> same i a b = true
}.

Section Model.
  Context (S : Space) (n : nat).
  Notation W := (outcome S).

  (** Which outcomes a field does not tell apart *)
  Definition alike (j : fld) (a b : W) : bool :=
    match j with Trivial => true | At j => same S j a b | All => equal S a b end.
  Lemma alike_refl j a : alike j a a = true.
  Proof. destruct j; cbn; [reflexivity | apply same_refl | now apply (equal_spec S)]. Qed.
  Lemma alike_sym j a b : alike j a b = true -> alike j b a = true.
  Proof. destruct j; cbn; [auto | apply same_sym | rewrite !equal_spec; congruence]. Qed.
  Lemma alike_trans j a b c : alike j a b = true -> alike j b c = true -> alike j a c = true.
  Proof. destruct j; cbn; [auto | apply same_trans | rewrite !equal_spec; congruence]. Qed.
  Lemma alike_later i j a b : fle i j = true -> alike j a b = true -> alike i a b = true.
  Proof.
    destruct i as [|i|], j as [|j|]; cbn [fle alike]; try congruence; intros L H.
    - apply same_later with j; [now apply Z.leb_le | assumption].
    - apply (equal_spec S) in H. subst. apply same_refl.
  Qed.

  (** Conditional expectation: the weighted mean over the outcomes that the field does not tell apart *)
  Definition share (j : fld) (a b : W) : R := if alike j a b then weight S b else 0.
  Definition chance (j : fld) (a : W) : R := total (share j a) (outcomes S).
  Definition mean (j : fld) (X : W -> R) (a : W) : R := total (fun b => share j a b * X b) (outcomes S) / chance j a.

  Lemma share_nonneg j a b : 0 <= share j a b.
  Proof. unfold share. pose proof (weight_pos S b). destruct (alike j a b); lra. Qed.
  Lemma chance_pos j a : 0 < chance j a.
  Proof.
    apply total_pos with a; [apply share_nonneg | apply all_listed |].
    unfold share. rewrite alike_refl. apply weight_pos.
  Qed.
  Lemma alike_left j a b c : alike j a b = true -> alike j a c = alike j b c.
  Proof.
    intros H. destruct (alike j a c) eqn:K, (alike j b c) eqn:L; try reflexivity.
    - rewrite (alike_trans j b a c) in L; auto. now apply alike_sym.
    - rewrite (alike_trans j a b c) in K; auto.
  Qed.
  Lemma chance_alike j a b : alike j a b = true -> chance j a = chance j b.
  Proof. intros H. apply total_ext. intros c. unfold share. now rewrite (alike_left j a b c H). Qed.

  Lemma mean_lin j X Y c a : mean j (fun b => X b + c * Y b) a = mean j X a + c * mean j Y a.
  Proof.
    unfold mean. pose proof (chance_pos j a).
    rewrite (total_ext _ (fun b => share j a b * X b + c * (share j a b * Y b))) by (intros; ring).
    rewrite total_add, total_scal. field. lra.
  Qed.
  Lemma mean_mono j X Y : (forall a, X a <= Y a) -> forall a, mean j X a <= mean j Y a.
  Proof.
    intros H a. unfold mean, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, chance_pos|].
    apply total_le. intros b. apply Rmult_le_compat_l; [apply share_nonneg | apply H].
  Qed.
  (** what the field knows is its own mean *)
  Lemma mean_known j X : (forall a b, alike j a b = true -> X a = X b) -> mean j X = X.
  Proof.
    intros H. extensionality a. unfold mean. pose proof (chance_pos j a).
    rewrite (total_ext _ (fun b => X a * share j a b)).
    - rewrite total_scal. fold (chance j a). field. lra.
    - intros b. unfold share. destruct (alike j a b) eqn:K; [rewrite (H a b K); ring | ring].
  Qed.
  Lemma mean_is_known j X a b : alike j a b = true -> mean j X a = mean j X b.
  Proof.
    intros H. unfold mean. rewrite (chance_alike j a b H). f_equal. apply total_ext. intros c.
    unfold share. now rewrite (alike_left j a b c H).
  Qed.
  Lemma mean_tower i j X : fle i j = true -> mean i (mean j X) = mean i X.
  Proof.
    intros L. extensionality a. unfold mean at 1 3. f_equal.
    rewrite (total_ext _ (fun b => total (fun c => share i a b * (share j b c * X c) / chance j b) (outcomes S))).
    2:{ intros b. unfold mean, Rdiv. rewrite <- Rmult_assoc, Rmult_comm, <- total_scal, <- total_scal.
        apply total_ext. intros; ring. }
    rewrite total_swap. apply total_ext. intros c.
    rewrite (total_ext _ (fun b => (share i a c * X c / chance j c) * share j c b)).
    - rewrite total_scal. fold (chance j c). pose proof (chance_pos j c). field. lra.
    - intros b. unfold share. destruct (alike j b c) eqn:K.
      + rewrite (alike_sym j b c K), (chance_alike j b c K).
        assert (Q : alike i a b = alike i a c).
        { pose proof (alike_later i j b c L K) as K'. destruct (alike i a b) eqn:U, (alike i a c) eqn:T; try reflexivity.
          - rewrite (alike_trans i a b c U K') in T. congruence.
          - rewrite (alike_trans i a c b T (alike_sym i b c K')) in U. congruence. }
        rewrite Q. pose proof (chance_pos j c). destruct (alike i a c); field; lra.
      + destruct (alike j c b) eqn:K'; [rewrite (alike_sym j c b K') in K; congruence|].
        destruct (alike i a b); unfold Rdiv; ring.
  Qed.

  (** Random vectors that a field knows *)
  Definition measurable (j : fld) (u : W -> Rn n) := forall a b, alike j a b = true -> u a = u b.

  Program Definition model : Setting := {|
    M := W -> R; V := W -> Rn n; event := W; on := fun a X => weight S a * X a;
    madd := fun X Y a => X a + Y a; mscal := fun c X a => c * X a; one := fun _ => 1;
    vadd := fun u v a => plus (u a) (v a); vscal := fun c u a => times c (u a);
    inner := fun u v a => dot (u a) (v a); E := mean; known := measurable |}.
  Next Obligation. ring. Qed.
  Next Obligation. ring. Qed.
  Next Obligation. pose proof (weight_pos S A). lra. Qed.
  Next Obligation. rewrite dot_plus. ring. Qed.
  Next Obligation. rewrite dot_times. ring. Qed.
  Next Obligation. extensionality a. apply dot_sym. Qed.
  Next Obligation. apply Rmult_le_pos; [left; apply weight_pos | apply dot_pos]. Qed.
  Next Obligation.
    extensionality a. apply dot_definite. specialize (H a). apply Rmult_integral in H. pose proof (weight_pos S a). lra.
  Qed.
  Next Obligation. rewrite mean_lin. ring. Qed.
  Next Obligation.
    apply Rmult_le_compat_l; [left; apply weight_pos|]. apply mean_mono. intros a. specialize (H a).
    apply Rmult_le_reg_l with (weight S a); [apply weight_pos | exact H].
  Qed.
  Next Obligation. apply (mean_known j (fun _ => 1)). auto. Qed.
  Next Obligation. apply mean_known. intros a b H. apply (equal_spec S) in H. now subst. Qed.
  Next Obligation. now apply mean_tower. Qed.
  Next Obligation. intros a b K. now rewrite (H a b K), (H0 a b K). Qed.
  Next Obligation. intros a b K. now rewrite (H a b K). Qed.
  Next Obligation. intros a b K. apply H0. now apply (alike_later i j). Qed.
  Next Obligation. apply mean_known. intros a b K. now rewrite (H a b K), (H0 a b K). Qed.

  (** In the model, 'almost surely' is 'for every outcome'. *)
  Lemma mle_everywhere (X Y : @M model) : mle X Y <-> forall a, X a <= Y a.
  Proof.
    split; intros H a; [|apply Rmult_le_compat_l; [left; apply weight_pos | apply H]].
    specialize (H a). apply Rmult_le_reg_l with (weight S a); [apply weight_pos | exact H].
  Qed.
  Lemma meq_everywhere (X Y : @M model) : meq X Y <-> forall a, X a = Y a.
  Proof.
    split; intros H a; cbn in *; [|now rewrite H].
    specialize (H a). cbn in H. apply Rmult_eq_reg_l with (weight S a); [exact H|]. pose proof (weight_pos S a). lra.
  Qed.
  (** Total expectation is the weighted sum. *)
  Lemma total_expectation (X : @M model) a : @E model Trivial X a = total (fun b => weight S b * X b) (outcomes S).
  Proof.
    cbn. unfold mean. replace (chance Trivial a) with 1; [unfold Rdiv; rewrite Rinv_1, Rmult_1_r; reflexivity|].
    rewrite <- (weight_total S). reflexivity.
  Qed.
End Model.

(** ** Independent samples
    The space of T samples, each with the law p on a finite set: outcomes are tuples (S_0, ..., S_{T-1}), their weight is the
    product, and F_j knows the first j + 1 coordinates. *)
Lemma total_app {O} (f : O -> R) l m : total f (l ++ m) = total f l + total f m.
Proof. induction l; cbn; [ring|]. rewrite IHl. ring. Qed.
Lemma total_pairs {O Q} (f : O * Q -> R) l m :
  total f (list_prod l m) = total (fun a => total (fun b => f (a, b)) m) l.
Proof.
  induction l; cbn; [reflexivity|]. rewrite total_app, IHl. f_equal. clear. induction m; cbn; [reflexivity|]. now rewrite IHm.
Qed.

Section Samples.
  Context {Q : Type} (values : list Q) (p : Q -> R) (eqb : Q -> Q -> bool).
  Hypothesis eqb_spec : forall a b, eqb a b = true <-> a = b.
  Hypothesis p_pos : forall a, 0 < p a.
  Hypothesis listed : forall a, In a values.
  Hypothesis p_total : total p values = 1.

  Fixpoint tuple (T : nat) : Type := match T with O => unit | S T => (Q * tuple T)%type end.
  Fixpoint tuples (T : nat) : list (tuple T) := match T with O => [tt] | S T => list_prod values (tuples T) end.
  Fixpoint product (T : nat) : tuple T -> R :=
    match T with O => fun _ => 1 | S T => fun t => p (fst t) * product T (snd t) end.
  Fixpoint agree (T : nat) (j : Z) : tuple T -> tuple T -> bool :=
    match T with
    | O => fun _ _ => true
    | S T => fun s t => if Z.ltb j 0 then true else eqb (fst s) (fst t) && agree T (j - 1) (snd s) (snd t)
    end.
  Fixpoint tuple_eqb (T : nat) : tuple T -> tuple T -> bool :=
    match T with O => fun _ _ => true | S T => fun s t => eqb (fst s) (fst t) && tuple_eqb T (snd s) (snd t) end.

  Lemma eqb_same a : eqb a a = true. Proof. now apply eqb_spec. Qed.
  Local Obligation Tactic := cbn; intros.
  Program Definition samples (T : nat) : Space := {|
    outcome := tuple T; outcomes := tuples T; weight := product T; same := agree T; equal := tuple_eqb T |}.
  Next Obligation. induction T; cbn; [destruct a; auto|]. destruct a. apply in_prod; auto. Qed.
  Next Obligation. induction T; cbn; [lra|]. apply Rmult_lt_0_compat; auto. Qed.
  Next Obligation.
    induction T; [cbn; lra|]. cbn [product tuples tuple]. rewrite total_pairs. cbn [fst snd].
    rewrite (total_ext _ p); [exact p_total|]. intros a. rewrite total_scal, IHT. ring.
  Qed.
  Next Obligation.
    induction T; cbn; [destruct a, b; tauto|]. destruct a as [a s], b as [b t]; cbn. rewrite andb_true_iff, eqb_spec, IHT.
    split; [intros [-> ->]; reflexivity | intros H; inversion H; auto].
  Qed.
  Next Obligation.
    revert j. induction T; cbn; intros j; [reflexivity|]. destruct (Z.ltb j 0); [reflexivity|]. now rewrite eqb_same, IHT.
  Qed.
  Next Obligation.
    revert j H. induction T; cbn; intros j H; [reflexivity|]. destruct (Z.ltb j 0); [reflexivity|].
    apply andb_prop in H. destruct H as [H K]. apply eqb_spec in H. rewrite <- H, eqb_same. cbn. now apply IHT.
  Qed.
  Next Obligation.
    revert j H H0. induction T; cbn; intros j H K; [reflexivity|]. destruct (Z.ltb j 0); [reflexivity|].
    apply andb_prop in H, K. destruct H as [H H'], K as [K K']. apply eqb_spec in H, K. rewrite H, K, eqb_same. cbn.
    now apply IHT with (snd b).
  Qed.
  Next Obligation.
    revert i j H H0. induction T; cbn; intros i j L H; [reflexivity|].
    destruct (Z.ltb_spec i 0); [reflexivity|]. destruct (Z.ltb_spec j 0); [lia|].
    apply andb_prop in H. destruct H as [-> H]. cbn. apply IHT with (j - 1)%Z; [lia | exact H].
  Qed.
End Samples.

(** ** The uniform index k*
    An index drawn uniformly from {0, ..., K}, independently of everything: the expectation of X_{k*} over the product space is the
    average of the expectations. *)
Definition index_space (S : Space) (K : nat) : list (outcome S * nat) := list_prod (outcomes S) (seq 0 (K + 1)).
Lemma uniform_index (S : Space) (K : nat) (X : nat -> outcome S -> R) :
  total (fun ak => weight S (fst ak) * / INR (K + 1) * X (snd ak) (fst ak)) (index_space S K) =
  / INR (K + 1) * total (fun k => total (fun a => weight S a * X k a) (outcomes S)) (seq 0 (K + 1)).
Proof.
  unfold index_space. rewrite total_pairs, total_swap, <- total_scal. apply total_ext. intros k. cbn.
  rewrite <- total_scal. apply total_ext. intros a. ring.
Qed.
