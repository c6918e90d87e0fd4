(** Runs of the method on finite problems: in the model of independent samples, for every T, the run with a given oracle exists and
    satisfies the assumptions of the theorems.

    The first T samples are drawn from a finite law; after them the oracle is exact. *)
Require Export HeavyBall.Paper.
Require Export HeavyBall.Model.
Require Import FunctionalExtensionality Lia.
Open Scope R_scope.

(** ** Deterministic sets and functions, outcome by outcome *)
Section Lift.
  Context (S : Space) (n : nat).
  Local Instance here : Setting := model S n.
  Implicit Types (X : Rn n -> Prop) (F : Rn n -> R) (h : Rn n -> Rn n).
  Definition everywhere X (v : V) : Prop := forall a, X (v a).
  Definition lift F (v : V) : M := fun a => F (v a).
  Definition liftv h (v : V) : V := fun a => h (v a).
  Definition minus (u v : Rn n) : Rn n := plus u (times (-1) v).
  Definition sq (u : Rn n) : R := dot u u.

  (** F lies above its bent tangents, with slopes s *)
  Definition bent_tangents rho F (s : Rn n -> Rn n) :=
    forall x y, F x + dot (s x) (minus y x) - rho / 2 * sq (minus y x) <= F y.
  Definition proximal X F lam (Env : Rn n -> R) (prox : Rn n -> Rn n) := forall y, X (prox y) /\
    Env y = F (prox y) + 1 / (2 * lam) * sq (minus (prox y) y) /\
    forall u, X u -> Env y <= F u + 1 / (2 * lam) * sq (minus u y).
  Definition nearest X (proj : Rn n -> Rn n) := forall y, X (proj y) /\ forall u, X u -> sq (minus (proj y) y) <= sq (minus u y).

  Lemma lift_convex_set X : (forall u v w, 0 <= w -> w <= 1 -> X u -> X v -> X (plus (times w u) (times (1 - w) v))) ->
    convex_set (everywhere X).
  Proof. intros H u v w W0 W1 Hu Hv a. cbn. now apply H. Qed.
  Lemma lift_projection X proj y : nearest X proj -> is_projection (everywhere X) y (liftv proj y).
  Proof.
    intros H. split; [intros a; apply H|]. intros u Hu. apply mle_everywhere. intros a. apply (H (y a)). apply Hu.
  Qed.
  Lemma lift_moreau X F lam Env prox : proximal X F lam Env prox -> moreau (everywhere X) (lift F) lam (lift Env) (liftv prox).
  Proof.
    intros H. split.
    - intros y a. apply H.
    - intros y u Hu. apply mle_everywhere. intros a. apply H, Hu.
    - intros y. apply meq_everywhere. intros a. apply H.
    - intros j y K a b L. unfold liftv. now rewrite (K a b L).
  Qed.
  Lemma lift_known j h v : known j v -> known j (liftv h v).
  Proof. intros K a b L. unfold liftv. now rewrite (K a b L). Qed.
  Lemma lift_weakly_convex (X : V -> Prop) rho F s : bent_tangents rho F s -> weakly_convex X rho (lift F).
  Proof.
    intros H u v w W0 W1 _ _. set (y := (w * u + (1 - w) * v)%v).
    assert (T : forall t, (lift F y + << liftv s y , t - y >> - (rho / 2) * || t - y ||^2 <= lift F t)%m).
    { intros t. apply mle_everywhere. intros a. pose proof (H (y a) (t a)) as K. clearbody y. unfold lift, liftv, sq, minus in *. cbn. lra. }
    pose proof (T u) as H1. pose proof (T v) as H2. assert (W2 : 0 <= 1 - w) by lra.
    set (s' := liftv s y) in *. set (fy := lift F y) in *. unfold y in *. set (fu := lift F u) in *. set (fv := lift F v) in *.
    change (fy + (rho / 2) * || w * u + (1 - w) * v ||^2 <= w * (fu + (rho / 2) * || u ||^2) + (1 - w) * (fv + (rho / 2) * || v ||^2))%m.
    balance {{ (w, H1) ; (1 - w, H2) }} {{ }} {{ }}.
  Qed.
  Lemma lift_subgradient (X : V -> Prop) rho F s v : 0 <= rho -> bent_tangents rho F s -> subgradient X (lift F) v (liftv s v).
  Proof.
    intros Hr H u a eps _ He. generalize (u - v)%v. intros w. set (q := weight S a * (rho / 2 * dot (w a) (w a))).
    assert (Q : 0 <= q).
    { unfold q. pose proof (dot_pos (w a)). pose proof (weight_pos S a). nn. }
    exists (eps / (q + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros t T0 T1.
    pose proof (H (v a) (plus (v a) (times t (w a)))) as K. unfold sq, minus in K.
    assert (D : (v + t * w - v)%v = (t * w)%v) by (same_vector; ring).
    apply (f_equal (fun u : outcome S -> Rn n => u a)) in D. cbn in D. rewrite D, !dot_times, dot_sym, dot_times, (dot_sym (w a) (times t (w a))), dot_times in K.
    cbn. unfold lift, liftv. pose proof (weight_pos S a) as Wp.
    assert (B : t * q <= eps).
    { apply Rle_trans with (eps / (q + 1) * q); [apply Rmult_le_compat_r; lra|].
      replace (eps / (q + 1) * q) with (eps * (q / (q + 1))) by (field; lra). rewrite <- (Rmult_1_r eps) at 2.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_reg_r with (q + 1); [lra|]. replace (q / (q + 1) * (q + 1)) with q by (field; lra). lra. }
    assert (C : t * (t * q) <= t * eps) by (apply Rmult_le_compat_l; lra). unfold q in C.
    apply Rmult_le_compat_l with (r := weight S a) in K; [|lra]. rewrite (dot_sym (s (v a)) (w a)). 
    match type of K with ?l <= _ => apply Rle_trans with l; [|exact K] end. lra.
  Qed.
End Lift.

(** ** The run *)
Section Run.
  Context {Q : Type} (values : list Q) (p : Q -> R) (eqb : Q -> Q -> bool).
  Context (eqb_spec : forall a b, eqb a b = true <-> a = b) (p_pos : forall a, 0 < p a).
  Context (listed : forall a, In a values) (p_total : total p values = 1).
  Context (T n : nat).
  Definition space := samples values p eqb eqb_spec p_pos listed p_total T.
  Local Instance there : Setting := model space n.
  Local Notation tuple := (@tuple Q).
  Local Notation agree := (agree eqb).

  (** S_k, for k < T *)
  Fixpoint sample (T k : nat) : tuple T -> option Q :=
    match T with
    | O => fun _ => None
    | S T => fun t => match k with O => Some (fst t) | S k => sample T k (snd t) end
    end.
  Lemma sample_agree T' k j a b : agree T' j a b = true -> (Z.of_nat k <= j)%Z -> sample T' k a = sample T' k b.
  Proof.
    revert k j. induction T'; cbn -[Z.of_nat]; intros k j H L; [reflexivity|].
    destruct (Z.ltb_spec j 0); [lia|]. apply andb_prop in H. destruct H as [H K].
    destruct k; [apply eqb_spec in H; now rewrite H|]. apply IHT' with (j - 1)%Z; [exact K | lia].
  Qed.

  (** The mean given F_{k-1} of a function of S_k and of what is known before: average over S_k. *)
  Lemma total_fresh T' k (H : Q -> tuple T' -> R) a : (k < T')%nat ->
    (forall q b c, agree T' (Z.of_nat k - 1) b c = true -> H q b = H q c) ->
    total (fun b => (if agree T' (Z.of_nat k - 1) a b then product p T' b else 0)
                    * match sample T' k b with Some q => H q b | None => 0 end) (tuples values T') =
    total (fun b => if agree T' (Z.of_nat k - 1) a b then product p T' b else 0) (tuples values T')
      * total (fun q => p q * H q a) values.
  Proof.
    revert k H a. induction T' as [|T' IH]; intros k H a Hk Known; [lia|]. cbn [tuples Model.tuple]. rewrite !total_pairs.
    cbn [Model.agree product sample fst snd]. destruct k as [|k].
    - change (Z.of_nat 0 - 1)%Z with (-1)%Z in *. cbn [Z.ltb Z.compare].
      assert (One : total (product p T') (tuples values T') = 1)
        by exact (weight_total (samples values p eqb eqb_spec p_pos listed p_total T')).
      rewrite (total_ext _ (fun q => p q * H q a)).
      2:{ intros q. rewrite (total_ext _ (fun t => p q * H q a * product p T' t)).
          - rewrite total_scal, One. ring.
          - intros t. rewrite (Known q (q, t) a eq_refl). ring. }
      rewrite (total_ext (fun q => total _ _) p); [rewrite p_total; ring|].
      intros q. rewrite total_scal, One. ring.
    - replace (Z.of_nat (S k) - 1)%Z with (Z.of_nat k) in * by lia. destruct (Z.ltb_spec (Z.of_nat k) 0) as [L|L]; [lia|].
      destruct a as [a0 a']. cbn [fst snd].
      set (part := fun t => if agree T' (Z.of_nat k - 1) a' t then product p T' t else 0).
      assert (Step : forall (q : Q) (Y : tuple T' -> R),
        total (fun t => (if eqb a0 q && agree T' (Z.of_nat k - 1) a' t then p q * product p T' t else 0) * Y t) (tuples values T')
        = (if eqb a0 q then p q else 0) * total (fun t => part t * Y t) (tuples values T')).
      { intros q Y. rewrite <- total_scal. apply total_ext. intros t. unfold part.
        destruct (eqb a0 q), (agree T' (Z.of_nat k - 1) a' t); cbn [andb]; ring. }
      rewrite (total_ext _ (fun q => (if eqb a0 q then p q else 0)
        * (total part (tuples values T') * total (fun q => p q * H q (a0, a')) values))).
      2:{ intros q. rewrite Step. destruct (eqb a0 q) eqn:Eq; [|ring]. f_equal. apply eqb_spec in Eq. subst q.
          apply (IH k (fun q t => H q (a0, t)) a'); [lia|]. intros q b c Ag. apply Known. cbn [Model.agree fst snd].
          destruct (Z.ltb_spec (Z.of_nat k) 0); [reflexivity|]. rewrite Ag.
          rewrite (proj2 (eqb_spec a0 a0) eq_refl). reflexivity. }
      rewrite (total_ext (fun q => total (fun t => if eqb a0 q && _ then _ else 0) _) (fun q => (if eqb a0 q then p q else 0) * total part (tuples values T'))).
      2:{ intros q. transitivity ((if eqb a0 q then p q else 0) * total (fun t => part t * 1) (tuples values T')).
          - rewrite <- (Step q (fun _ => 1)). apply total_ext. intros t. ring.
          - f_equal. apply total_ext. intros t. ring. }
      set (c := total (fun q => p q * H q (a0, a')) values). set (d := total part _).
      rewrite (total_ext _ (fun q => (d * c) * (if eqb a0 q then p q else 0))) by (intros; ring).
      rewrite (total_ext (fun q => (if eqb a0 q then p q else 0) * d) (fun q => d * (if eqb a0 q then p q else 0))) by (intros; ring).
      rewrite !total_scal. ring.
  Qed.

  (** *** The oracle G(S_k, x), with mean s(x), and the method *)
  Context (X : Rn n -> Prop) (proj : Rn n -> Rn n) (G : Q -> Rn n -> Rn n) (s : Rn n -> Rn n) (alpha beta start : R) (x0 : Rn n).
  Hypothesis Gmean : forall y v, total (fun q => p q * dot (G q y) v) values = dot (s y) v.
  Hypotheses (Proj : nearest n X proj) (x0_in : X x0).

  Definition oracle k (a : tuple T) (y : Rn n) : Rn n := match sample T k a with Some q => G q y | None => s y end.
  (** x_k and z_k *)
  Fixpoint state k (a : tuple T) : Rn n * Rn n :=
    match k with
    | O => (x0, times start (oracle O a x0))
    | S k => let x := fst (state k a) in
             let x' := proj (plus x (times (-1) (times alpha (snd (state k a))))) in
             (x', plus (times beta (oracle (S k) a x')) (times (1 - beta) (times (/ alpha) (plus x (times (-1) x')))))
    end.
  Definition xs k : V := fun a => fst (state k a).
  Definition zs k : V := fun a => snd (state k a).
  Definition gs k : V := fun a => oracle k a (xs k a).

  Lemma xs_in k : everywhere space n X (xs k).
  Proof. intros a. destruct k; [exact x0_in | apply Proj]. Qed.
  Lemma state_known k a b :
    (agree T (Z.of_nat k - 1) a b = true -> xs k a = xs k b) /\ (agree T (Z.of_nat k) a b = true -> state k a = state k b).
  Proof.
    induction k as [|k [_ IH]].
    - split; [reflexivity|]. intros H. cbn [state]. unfold oracle. now rewrite (sample_agree T 0 _ a b H ltac:(lia)).
    - replace (Z.of_nat (S k) - 1)%Z with (Z.of_nat k) by lia. split; intros H.
      + unfold xs. cbn [state fst]. now rewrite (IH H).
      + assert (H' : agree T (Z.of_nat k) a b = true) by (apply (same_later space) with (Z.of_nat (S k)); [lia | exact H]).
        cbn [state]. rewrite (IH H'). unfold oracle. now rewrite (sample_agree T (S k) _ a b H ltac:(lia)).
  Qed.
  Theorem run_is_heavy_ball : heavy_ball (everywhere space n X) alpha beta start xs zs gs.
  Proof.
    split.
    - intros a. exact x0_in.
    - reflexivity.
    - intros k. exact (lift_projection space n X proj (xs k - alpha * zs k)%v Proj).
    - reflexivity.
    - intros k a b H. now apply state_known.
  Qed.

  (** Expectation of a function of the fresh sample, given F_{k-1} *)
  Lemma mean_fresh k (H : Q -> tuple T -> R) : (k < T)%nat ->
    (forall q b c, agree T (Z.of_nat k - 1) b c = true -> H q b = H q c) ->
    forall a, mean space (before k) (fun b => match sample T k b with Some q => H q b | None => 0 end) a = total (fun q => p q * H q a) values.
  Proof.
    intros Hk Known a. pose proof (chance_pos space (before k) a) as C. pose proof (total_fresh T k H a Hk Known) as F.
    set (c := chance space (before k) a) in *.
    change (total (fun b => (if agree T (Z.of_nat k - 1) a b then product p T b else 0)
                    * match sample T k b with Some q => H q b | None => 0 end) (tuples values T) / c = total (fun q => p q * H q a) values).
    rewrite F. change (total (fun b => if agree T (Z.of_nat k - 1) a b then product p T b else 0) (tuples values T)) with c. field. lra.
  Qed.
  Lemma sample_some k a : (k < T)%nat -> sample T k a <> None.
  Proof. clear. revert k. induction T as [|T' IH]; intros k H; [lia|]. cbn. destruct k; [congruence|]. apply IH. lia. Qed.
  Lemma sample_none k a : (T <= k)%nat -> sample T k a = None.
  Proof. clear. revert k. induction T as [|T' IH]; intros k H; cbn; [reflexivity|]. destruct k; [lia|]. apply IH. lia. Qed.

  (** g_k is known at F_k *)
  Theorem run_sample_known k : known (before (S k)) (gs k).
  Proof.
    intros a b H. unfold before in H. cbn [alike] in H. replace (Z.of_nat (S k) - 1)%Z with (Z.of_nat k) in H by lia. unfold gs, oracle.
    rewrite (sample_agree T k _ a b H ltac:(lia)). destruct (state_known k a b) as [_ S0]. unfold xs. now rewrite (S0 H).
  Qed.

  (** (A1): the mean of the sample *)
  Lemma slopes_known k : known (before k) (liftv space n s (xs k)).
  Proof. apply lift_known. intros a b H. now apply state_known. Qed.
  Theorem run_mean k : mean_given (before k) (gs k) (liftv space n s (xs k)).
  Proof.
    split; [apply slopes_known|]. intros v Kv. extensionality a.
    destruct (le_lt_dec T k) as [L|L].
    - transitivity (mean space (before k) (fun b => dot (s (xs k b)) (v b)) a).
      + cbn. unfold gs, oracle. f_equal. extensionality b. now rewrite (sample_none k b L).
      + rewrite mean_known; [reflexivity|]. intros b c H. rewrite (Kv b c H). f_equal. f_equal. now apply state_known.
    - transitivity (mean space (before k) (fun b => match sample T k b with Some q => dot (G q (xs k b)) (v b) | None => 0 end) a).
      + cbn. unfold gs, oracle. f_equal. extensionality b. pose proof (sample_some k b L). now destruct (sample T k b).
      + rewrite (mean_fresh k (fun q b => dot (G q (xs k b)) (v b)) L).
        * rewrite Gmean. reflexivity.
        * intros q b c H. rewrite (Kv b c H). f_equal. f_equal. now apply state_known.
  Qed.
  (** The mean of a square: (A2) and (A3) *)
  Lemma run_square_mean k (h : Q -> Rn n -> R) (h' : Rn n -> R) c :
    (forall y, X y -> total (fun q => p q * h q y) values <= c) -> (forall y, X y -> h' y <= c) ->
    forall a, mean space (before k) (fun b => match sample T k b with Some q => h q (xs k b) | None => h' (xs k b) end) a <= c.
  Proof.
    intros H H' a. destruct (le_lt_dec T k) as [L|L].
    - rewrite (mean_known space (before k)).
      + rewrite (sample_none k a L). apply H', xs_in.
      + intros b e Kb. rewrite !(sample_none k _ L). f_equal. now apply state_known.
    - apply Rle_trans with (mean space (before k) (fun b => match sample T k b with Some q => h q (xs k b) | None => 0 end) a).
      + right. f_equal. extensionality b. pose proof (sample_some k b L). now destruct (sample T k b).
      + rewrite (mean_fresh k (fun q b => h q (xs k b)) L); [apply H, xs_in|].
        intros q b e Kb. f_equal. now apply state_known.
  Qed.
  Theorem run_A2 L2 : (forall y, X y -> total (fun q => p q * sq n (G q y)) values <= L2) -> (forall y, X y -> sq n (s y) <= L2) -> A2 L2 gs.
  Proof.
    intros H H' k. apply mle_everywhere. intros a. pose proof (run_square_mean k (fun q y => sq n (G q y)) (fun y => sq n (s y)) L2 H H' a) as R.
    cbn. rewrite Rmult_1_r. eapply Rle_trans; [|exact R]. right. f_equal. extensionality b. unfold gs, oracle, sq. now destruct (sample T k b).
  Qed.
  Theorem run_A3 sigma2 : 0 <= sigma2 -> (forall y, X y -> total (fun q => p q * sq n (minus n (G q y) (s y))) values <= sigma2) ->
    A3 sigma2 gs (fun k => liftv space n s (xs k)).
  Proof.
    intros H0 H k. apply mle_everywhere. intros a.
    pose proof (run_square_mean k (fun q y => sq n (minus n (G q y) (s y))) (fun y => 0) sigma2 H (fun _ _ => H0) a) as R.
    cbn. rewrite Rmult_1_r. eapply Rle_trans; [|exact R]. right. f_equal. extensionality b. unfold gs, oracle, sq, minus, liftv.
    destruct (sample T k b); [reflexivity|]. clear. generalize (s (xs k b)). intros u.
    assert (D : forall m (u : Rn m), dot (plus u (times (-1) u)) (plus u (times (-1) u)) = 0).
    { clear. induction m as [|m IH]; intros w; cbn; [reflexivity|]. rewrite IH. ring. }
    apply D.
  Qed.
End Run.
