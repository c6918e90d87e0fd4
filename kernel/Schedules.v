(** Beyond the paper: a stepsize alpha_k for each step, any sequence at all.  Weakly convex f on a convex set under (A1) and (A2), momentum beta.

    The extrapolated point looks ahead (the method does not): x_bar_k = x_k - (1 - beta) S_k d_k, where S_k = alpha_k + (1 - beta) S_{k+1} weighs the
    coming stepsizes; with a constant stepsize S_k = alpha/beta, and the point is the paper's. *)
Require Export HeavyBall.Theorem1.
Require Import Lia.
Open Scope R_scope.

Section Definitions.
  Context {P : Setting}.
  Implicit Types (X : V -> Prop) (x z g : nat -> V) (alpha reach : nat -> R).
  (** d_0 = 0, d_{k+1} = (x_k - x_{k+1})/alpha_k *)
  Definition d_of alpha x k := match k with O => (0 * x O)%v | S j => ((/ alpha j) * (x j - x (S j)))%v end.
  Record scheduled X alpha beta start x z g : Prop := {
    sx_start : X (x O);
    sz_start : z O = (start * g O)%v;
    sx_step : forall k, is_projection X (x k - alpha k * z k)%v (x (S k));
    sz_step : forall k, z (S k) = (beta * g (S k) + (1 - beta) * d_of alpha x (S k))%v;
    sx_known : forall k, known (before k) (x k)
  }.
  (** the point that looks ahead; [reach] k is S_k *)
  Definition ahead alpha beta reach x k := (x k - ((1 - beta) * reach k) * d_of alpha x k)%v.

  (** the sum of a Lyapunov function with a weight and a noise for each step *)
  Lemma weighted_telescope (a e : nat -> M) (w c : nat -> R) m n :
    (forall k, (m <= k)%nat -> (k < m + n)%nat -> (E[ a (S k) ] <= E[ a k - w k * e k + # (c k) ])%m) ->
    (E[ a (m + n)%nat ] + msum n (fun k => w (m + k)%nat * E[ e (m + k)%nat ]) <= E[ a m ] + # (sum n (fun k => c (m + k)%nat)))%m.
  Proof.
    intros H A. induction n as [|n IH].
    - rewrite Nat.add_0_r. cbn [msum sum]. rewrite !on_add, !on_scal, on_zero. lra.
    - rewrite Nat.add_succ_r. cbn [msum sum]. assert (L : (m + n < m + S n)%nat) by lia. specialize (H (m + n)%nat) as H'.
      specialize (H' ltac:(lia) L A). assert (IH' := IH (fun k K1 K2 => H k K1 ltac:(lia))). rewrite !E_add', !E_scal', E_one in H'.
      rewrite !on_add, !on_scal in *. lra.
  Qed.
End Definitions.

Section OneStep.
  Context {P : Setting} {X : V -> Prop} {f Env : V -> M} {prox : V -> V} {x z g f' : nat -> V} {alpha reach : nat -> R}.
  Context {rho beta start L2 lam : R} {K : nat}.
  Hypotheses (rho_nn : 0 <= rho) (beta_pos : 0 < beta) (beta_le : beta <= 1) (L2_nn : 0 <= L2) (lam_pos : 0 < lam) (lam_short : 2 * rho <= / lam).
  Hypotheses (alpha_pos : forall k, 0 < alpha k) (reach_nn : 0 <= reach (S K)).
  Hypothesis reach_is : forall k, (k <= K)%nat -> reach k = alpha k + (1 - beta) * reach (S k).
  Hypotheses (CX : convex_set X) (Cf : weakly_convex X rho f) (Envelope : moreau X f lam Env prox).
  Hypotheses (Run : scheduled X alpha beta start x z g) (Mean : A1 X f x g f') (Moment : A2 L2 g).

  Local Notation d := (d_of alpha x).
  Local Notation bar := (ahead alpha beta reach x).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Local Notation A k := (beta * reach k).
  Local Notation e k := ((1 - beta) * reach k).
  Local Notation momentum k := (z k%nat = vadd (vscal beta (g k%nat)) (vscal (1 - beta) (d k%nat))).
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let in_X k : X (x k). Proof. destruct k; [apply Run | apply (sx_step _ _ _ _ _ _ _ Run)]. Qed.
  Let x_at k := sx_known _ _ _ _ _ _ _ Run k.
  Let d_at k : known (before k) (d k).
  Proof. pose proof (x_at k). destruct k as [|j]; cbn [d_of]; [know|]. pose proof (x_at j). know. Qed.
  Let reach_nonneg k : (k <= S K)%nat -> 0 <= reach k.
  Proof.
    intros L. remember (S K - k)%nat as n eqn:E0. revert k L E0. induction n as [|n IH]; intros k L E0.
    - replace k with (S K) by lia. exact reach_nn.
    - rewrite reach_is by lia. pose proof (IH (S k) ltac:(lia) ltac:(lia)). pose proof (alpha_pos k). nn.
  Qed.
  Let reach_pos k : (k <= K)%nat -> alpha k <= reach k.
  Proof. intros L. rewrite reach_is by exact L. pose proof (reach_nonneg (S k) ltac:(lia)). assert (0 <= (1 - beta) * reach (S k)) by nn. lra. Qed.

  Let momentum_later k : (1 <= k)%nat -> momentum k.
  Proof. destruct k; [lia|]. intros _. apply (sz_step _ _ _ _ _ _ _ Run). Qed.
  Let momentum_at_rest k : start = beta -> momentum k.
  Proof.
    intros S0. destruct k; [|apply momentum_later; lia]. rewrite (sz_start _ _ _ _ _ _ _ Run), S0. cbn [d_of]. same_vector. field; nz.
  Qed.

  (** The lengths of z_k and d_k in mean, by induction *)
  Let d_below_z k : (|| d (S k) ||^2 <= || z k ||^2)%m.
  Proof.
    pose proof (nonexpansive X _ _ _ CX (sx_step _ _ _ _ _ _ _ Run k) (in_X k)) as N. pose proof (alpha_pos k) as Ha. cbn [d_of]. set (a := alpha k) in *. clearbody a.
    balance {{ (/ a ^ 2, N) }} {{ }} {{ }}.
  Qed.
  Lemma lengths_bounded k : 0 <= start -> start <= 1 -> (E[ || d k ||^2 ] <= E[ # L2 ])%m.
  Proof.
    intros S0 S1. assert (Zb : forall k, (E[ || z k ||^2 ] <= E[ # L2 ])%m).
    { intros j. induction j as [|j IH].
      - rewrite (sz_start _ _ _ _ _ _ _ Run). pose proof (Moment 0%nat) as H2.
        assert (S2 : 0 <= 1 - start ^ 2) by (replace (1 - start ^ 2) with ((1 - start) * (1 + start)) by ring; nn).
        balance {{ (start ^ 2, H2) ; (1 - start ^ 2, number_nn L2 L2_nn) }} {{ }} {{ }}.
      - rewrite (sz_step _ _ _ _ _ _ _ Run j). pose proof (d_below_z j) as D. pose proof (Moment (S j)) as H2. set (dj := d (S j)) in *.
        balance {{ (beta, H2) ; (1 - beta, D) ; (1 - beta, IH) ; (beta * (1 - beta), square_nn (g (S j) - dj)%v) }} {{ }} {{ }}. }
    destruct k as [|k].
    - cbn [d_of]. balance {{ (1, number_nn L2 L2_nn) }} {{ }} {{ }}.
    - pose proof (d_below_z k) as D. pose proof (Zb k) as Zk. set (dk := d (S k)) in *. balance {{ (1, D) ; (1, Zk) }} {{ }} {{ }}.
  Qed.

  (** The envelope under (A2), given F_{k-1} *)
  Theorem envelope_scheduled k : (k <= K)%nat -> momentum k ->
    (E[ Env (bar (S k)) | before k ] <=
     E[ Env (bar k) - (A k / 2) * || gradient k ||^2 + (A k * e k ^ 2 / (2 * lam ^ 2)) * || d k ||^2
        + (A k * e k / lam) * << f' k , d k >> + # (A k ^ 2 * L2 / (2 * lam)) | before k ])%m.
  Proof.
    intros L Z. destruct (Mean k) as [M1 Sg]. pose proof (Moment k) as H2. pose proof (x_at k) as K1. pose proof (d_at k) as K2.
    pose proof (alpha_pos k) as Ha. pose proof (reach_pos k L) as Hr.
    assert (K3 : known (before k) (prox (bar k))) by (apply (prox_known _ _ _ _ _ Envelope); unfold ahead; know).
    pose proof (prox_in _ _ _ _ _ Envelope (bar k)) as Hh. set (w := alpha k / reach k).
    assert (W0 : 0 <= w) by (unfold w; apply quotient_nonneg; lra).
    assert (W1 : w <= 1) by (unfold w; apply Rmult_le_reg_r with (reach k); [lra|]; replace (alpha k / reach k * reach k) with (alpha k) by (field; lra); lra).
    pose proof (nonexpansive X _ _ _ CX (sx_step _ _ _ _ _ _ _ Run k) (CX _ _ w W0 W1 Hh (in_X k))) as N.
    pose proof (env_below _ _ _ _ _ Envelope (bar (S k)) _ Hh) as He. pose proof (env_at _ _ _ _ _ Envelope (bar k)) as Ea.
    pose proof (Lemma_1_1 X f rho (x k) (prox (bar k)) (f' k) rho_nn Cf (in_X k) (prox_in _ _ _ _ _ Envelope (bar k)) Sg) as Wc.
    pose proof (strong_convexity CX Cf lam_pos Envelope (bar k) (x k) (in_X k)) as Hs.
    rewrite Z in N. unfold env_gradient. set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. set (h := prox (bar k)) in *.
    unfold ahead in *. cbn [d_of] in He. replace ((1 - beta) * reach (S k)) with (reach k - alpha k) in He by (rewrite (reach_is k L); ring).
    set (dk := d k) in *. unfold w in N. set (a := alpha k) in *. set (S' := reach k) in *. assert (Ps : 0 < S') by lra. clearbody a S'.
    assert (Sq : 0 <= beta * S' / (2 * lam) * (/ lam - 2 * rho)) by nn.
    balance {{ (1, He) ; (S' ^ 2 / (2 * lam * a ^ 2), N) ; ((beta * S') ^ 2 / (2 * lam), H2) ; (beta * S' / lam, Wc) ; (beta * S' / lam, Hs) ;
        (beta * S' / (2 * lam) * (/ lam - 2 * rho), square_nn (x k - h)%v) }}
      {{ (- 1 - beta * S' / lam, Ea) }}
      {{ (M1, ((beta * S' / lam) * (x k - ((1 - beta) * S') * dk - h))%v) }}.
  Qed.
  Definition schedule_noise k := L2 / (2 * lam) * (A k ^ 2 + 2 * A k * e k + A k * e k ^ 2 / lam).
  (** In total expectation the envelope alone is a Lyapunov function, whatever the stepsizes are *)
  Theorem schedule_step k : (k <= K)%nat -> momentum k -> 0 <= start -> start <= 1 ->
    (E[ Env (bar (S k)) ] <= E[ Env (bar k) - (A k / 2) * || gradient k ||^2 + # (schedule_noise k) ])%m.
  Proof.
    intros L Z S0 S1. pose proof (in_total _ _ _ (envelope_scheduled k L Z)) as H. pose proof (lengths_bounded k S0 S1) as D.
    destruct (Mean k) as [M1 _]. pose proof (Moment k) as H2. pose proof (proj1 M1) as Kf. pose proof (reach_nonneg k ltac:(lia)) as Hr.
    unfold schedule_noise. set (S' := reach k) in *. set (dk := d k) in *. set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. set (G := gradient k) in *. clearbody S'.
    balance {{ (1, H) ; (beta * S' * ((1 - beta) * S') / (2 * lam), square_nn (f' k - dk)%v) ; (beta * S' * ((1 - beta) * S') / (2 * lam), square_nn (g k - f' k)%v) ;
        (beta * S' * ((1 - beta) * S') / (2 * lam), H2) ;
        (beta * S' * ((1 - beta) * S') ^ 2 / (2 * lam ^ 2) + beta * S' * ((1 - beta) * S') / (2 * lam), D) }} {{ }}
      {{ (M1, ((beta * S' * ((1 - beta) * S') / lam) * f' k)%v) }}.
  Qed.

  Context {f_0 f_star : R}.
  Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, X u -> (# f_star <= f u)%m).
  Let bar_first : bar 0 = x 0%nat.
  Proof. unfold ahead. cbn [d_of]. same_vector. ring. Qed.
  Let last k : (E[ # f_star ] <= E[ Env (bar k) ])%m.
  Proof.
    pose proof (env_at _ _ _ _ _ Envelope (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ Envelope (bar k))) as B1. set (y := bar k) in *. set (h := prox y) in *.
    balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) }} {{ (- 1, Ha) }} {{ }}.
  Qed.
  Let halves n m : forall Ev, on Ev (msum n (fun k => ((A (m + k)%nat) * E[ || gradient (m + k)%nat ||^2 ])%m))
    = 2 * on Ev (msum n (fun k => ((A (m + k)%nat / 2) * E[ || gradient (m + k)%nat ||^2 ])%m)).
  Proof. intros Ev. induction n as [|n IH]; cbn [msum]; rewrite ?on_zero; [ring|]. rewrite !on_add, IH, !on_scal. field. Qed.

  Lemma schedule_sum : start = beta ->
    (msum (S K) (fun k => (A k) * E[ || gradient k ||^2 ]) <= # (2 * (f_0 - f_star) + sum (S K) (fun k => 2 * schedule_noise k)))%m.
  Proof.
    intros S0 Ev. assert (St : 0 <= start /\ start <= 1) by lra. destruct St as [T0 T1].
    pose proof (weighted_telescope (fun k => Env (bar k)) (fun k => (|| gradient k ||^2)%m) (fun k => A k / 2) schedule_noise 0 (S K)) as T. cbn [Nat.add] in T.
    specialize (T (fun k _ L => schedule_step k ltac:(lia) (momentum_at_rest k S0) T0 T1) Ev).
    pose proof (halves (S K) 0 Ev) as Hv. cbn [Nat.add] in Hv. rewrite Hv. pose proof (last (S K) Ev) as H1. rewrite (E_number Trivial f_star Ev) in H1.
    assert (H0 : (E[ Env (bar 0) ] <= E[ # f_0 ])%m).
    { pose proof (env_below _ _ _ _ _ Envelope (x 0%nat) _ (in_X 0)) as He. rewrite bar_first. balance {{ (1, He) }} {{ (1, First) }} {{ }}. }
    specialize (H0 Ev). rewrite (E_number Trivial f_0 Ev) in H0. rewrite sum_scal.
    change (sum (S K) (fun k => schedule_noise k)) with (sum (S K) schedule_noise) in T. rewrite !on_add, !on_scal in *. lra.
  Qed.
  (** The printed start: the extrapolated point makes a step of length S_0 *)
  Lemma schedule_first : start = 1 ->
    (E[ Env (bar 1) + (reach 0%nat / 2) * || gradient 0 ||^2 ] <= E[ # (f_0 + reach 0%nat ^ 2 * L2 / (2 * lam)) ])%m.
  Proof.
    intros S1. destruct (Mean 0%nat) as [M1 Sg]. pose proof (Moment 0%nat) as H2. pose proof (x_at 0) as K1. pose proof (prox_known _ _ _ _ _ Envelope _ _ K1) as K3.
    pose proof (alpha_pos 0) as Ha. pose proof (reach_pos 0 ltac:(lia)) as Hr. pose proof (prox_in _ _ _ _ _ Envelope (x 0%nat)) as Hh. set (w := alpha 0%nat / reach 0%nat).
    assert (W0 : 0 <= w) by (unfold w; apply quotient_nonneg; lra).
    assert (W1 : w <= 1) by (unfold w; apply Rmult_le_reg_r with (reach 0%nat); [lra|]; replace (alpha 0%nat / reach 0%nat * reach 0%nat) with (alpha 0%nat) by (field; lra); lra).
    pose proof (nonexpansive X _ _ _ CX (sx_step _ _ _ _ _ _ _ Run 0%nat) (CX _ _ w W0 W1 Hh (in_X 0))) as N. rewrite (sz_start _ _ _ _ _ _ _ Run), S1 in N.
    pose proof (env_below _ _ _ _ _ Envelope (bar 1) _ Hh) as He. pose proof (env_at _ _ _ _ _ Envelope (x 0%nat)) as Ea. pose proof (env_below _ _ _ _ _ Envelope (x 0%nat) _ (in_X 0)) as Hx.
    pose proof (Lemma_1_1 X f rho (x 0%nat) (prox (x 0%nat)) (f' 0%nat) rho_nn Cf (in_X 0) (prox_in _ _ _ _ _ Envelope (x 0%nat)) Sg) as Wc.
    pose proof (strong_convexity CX Cf lam_pos Envelope (x 0%nat) (x 0%nat) (in_X 0)) as Hs.
    rewrite bar_first. unfold env_gradient. set (e1 := Env (bar 1)) in *. set (e0 := Env (x 0%nat)) in *. set (h := prox (x 0%nat)) in *.
    unfold ahead in He. cbn [d_of] in He. replace ((1 - beta) * reach 1%nat) with (reach 0%nat - alpha 0%nat) in He by (rewrite (reach_is 0 ltac:(lia)); ring).
    unfold w in N. set (a := alpha 0%nat) in *. set (S' := reach 0%nat) in *. assert (Ps : 0 < S') by lra. clearbody a S'.
    assert (Sq : 0 <= S' / (2 * lam) * (/ lam - 2 * rho)) by nn.
    balance {{ (1, He) ; (S' ^ 2 / (2 * lam * a ^ 2), N) ; (S' ^ 2 / (2 * lam), H2) ; (S' / lam, Wc) ; (S' / lam, Hs) ; (1, Hx) ;
        (S' / (2 * lam) * (/ lam - 2 * rho), square_nn (x 0%nat - h)%v) }}
      {{ (- 1 - S' / lam, Ea) ; (1, First) }} {{ (M1, ((S' / lam) * (x 0%nat - h))%v) }}.
  Qed.
  Lemma schedule_sum_printed : start = 1 ->
    (msum (S K) (fun k => (A k) * E[ || gradient k ||^2 ]) <=
     # (2 * (f_0 - f_star) + reach 0%nat ^ 2 * L2 / lam + sum K (fun k => 2 * schedule_noise (S k))))%m.
  Proof.
    intros S0 Ev. assert (St : 0 <= start /\ start <= 1) by lra. destruct St as [T0 T1].
    pose proof (weighted_telescope (fun k => Env (bar k)) (fun k => (|| gradient k ||^2)%m) (fun k => A k / 2) schedule_noise 1 K) as T. cbn [Nat.add] in T.
    specialize (T (fun k L1 L => schedule_step k ltac:(lia) (momentum_later k L1) T0 T1) Ev).
    pose proof (msum_first (fun k => ((A k) * E[ || gradient k ||^2 ])%m) K Ev) as F. rewrite F. pose proof (halves K 1 Ev) as Hv. cbn [Nat.add] in Hv. rewrite on_add, Hv.
    pose proof (last (S K) Ev) as H1. rewrite (E_number Trivial f_star Ev) in H1. pose proof (schedule_first S0 Ev) as H0.
    rewrite E_add', E_scal', (E_number Trivial _ Ev) in H0. rewrite sum_scal. rewrite !on_add, !on_scal in *.
    pose proof (reach_nonneg 0 ltac:(lia)) as R0. assert (G0 : 0 <= on Ev (E Trivial (inner (gradient 0) (gradient 0)))).
    { rewrite <- (E_zero Trivial Ev). apply E_mono. intros B. rewrite on_zero. apply inner_pos. }
    assert (G1 : beta * reach 0%nat * on Ev (E Trivial (inner (gradient 0) (gradient 0))) <= reach 0%nat * on Ev (E Trivial (inner (gradient 0) (gradient 0)))).
    { apply Rmult_le_compat_r; [exact G0|]. assert (0 <= (1 - beta) * reach 0%nat) by nn. lra. }
    replace ((2 * (f_0 - f_star) + reach 0%nat ^ 2 * L2 / lam + 2 * sum K (fun i => schedule_noise (S i))) * on Ev one)
      with (2 * ((f_0 + reach 0%nat ^ 2 * L2 / (2 * lam)) * on Ev one) - 2 * (f_star * on Ev one) + 2 * (sum K (fun i => schedule_noise (S i)) * on Ev one)) by (field; lra).
    lra.
  Qed.
End OneStep.

(** What a run with stepsizes alpha_k satisfies; S_k is needed for k = 0, ..., K + 1 only *)
Record schedule_run {P : Setting} X f Env prox x z g f' (alpha reach : nat -> R) rho L2 lam f_0 f_star beta start K : Prop := {
  schedule_ranges : 0 <= rho /\ 0 <= L2 /\ 0 < beta /\ beta <= 1 /\ 0 < lam /\ 2 * rho <= / lam;
  schedule_steps : forall k, 0 < alpha k;
  schedule_reach : 0 <= reach (S K) /\ forall k, (k <= K)%nat -> reach k = alpha k + (1 - beta) * reach (S k);
  schedule_convex : convex_set X;
  schedule_function : weakly_convex X rho f;
  schedule_envelope : moreau X f lam Env prox;
  schedule_method : scheduled X alpha beta start x z g;
  schedule_mean : A1 X f x g f';
  schedule_moment : A2 L2 g;
  schedule_start_value : (f (x O) == # f_0)%m;
  schedule_below : forall u, X u -> (# f_star <= f u)%m
}.
(** Any stepsizes at all, z_0 = beta g_0; with A_k = beta S_k and e_k = (1 - beta) S_k *)
Theorem any_schedule {P : Setting} X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta K :
  schedule_run X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta beta K ->
  let A k := beta * reach k in let e k := (1 - beta) * reach k in
  (msum (S K) (fun k => (A k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ]) <=
   # (2 * (f_0 - f_star) + sum (S K) (fun k => 2 * (L2 / (2 * lam) * (A k ^ 2 + 2 * A k * e k + A k * e k ^ 2 / lam)))))%m.
Proof.
  intros [[Hr [HL [Hb0 [Hb1 [Hl Hs]]]]] Ha [R0 R1] CX Cf B Run M1 M2 F0 Fb] A e.
  exact (schedule_sum Hr Hb0 Hb1 HL Hl Hs Ha R0 R1 CX Cf B Run M1 M2 F0 Fb eq_refl).
Qed.
(** The same with the printed start z_0 = g_0 *)
Theorem any_schedule_printed_start {P : Setting} X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta K :
  schedule_run X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta 1 K ->
  let A k := beta * reach k in let e k := (1 - beta) * reach k in
  (msum (S K) (fun k => (A k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ]) <=
   # (2 * (f_0 - f_star) + reach O ^ 2 * L2 / lam
      + sum K (fun k => 2 * (L2 / (2 * lam) * (A (S k) ^ 2 + 2 * A (S k) * e (S k) + A (S k) * e (S k) ^ 2 / lam)))))%m.
Proof.
  intros [[Hr [HL [Hb0 [Hb1 [Hl Hs]]]]] Ha [R0 R1] CX Cf B Run M1 M2 F0 Fb] A e.
  exact (schedule_sum_printed Hr Hb0 Hb1 HL Hl Hs Ha R0 R1 CX Cf B Run M1 M2 F0 Fb eq_refl).
Qed.

(** Stepsizes that do not grow: the bound without S_k *)
Theorem falling_schedule {P : Setting} X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta K :
  schedule_run X f Env prox x z g f' alpha reach rho L2 lam f_0 f_star beta beta K ->
  (forall k, (k <= K)%nat -> alpha (S k) <= alpha k) -> reach (S K) <= alpha (S K) / beta ->
  (msum (S K) (fun k => (alpha k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ]) <=
   # (2 / beta * (f_0 - f_star)
      + sum (S K) (fun k => L2 / (beta * lam) * ((2 - beta) / beta * alpha k ^ 2 + (1 - beta) ^ 2 / (beta ^ 2 * lam) * alpha k ^ 3))))%m.
Proof.
  intros R Down Last. pose proof (any_schedule _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as H. cbv zeta in H.
  destruct R as [[Hr [HL [Hb0 [Hb1 [Hl Hs]]]]] Ha [R0 R1] _ _ _ _ _ _ _ _].
  assert (Between : forall k, (k <= S K)%nat -> 0 <= reach k /\ reach k <= alpha k / beta).
  { intros k L. remember (S K - k)%nat as n eqn:E0. revert k L E0. induction n as [|n IH]; intros k L E0.
    - replace k with (S K) by lia. split; assumption.
    - destruct (IH (S k) ltac:(lia) ltac:(lia)) as [I1 I2]. rewrite R1 by lia. pose proof (Ha k). specialize (Down k ltac:(lia)). assert (B0 : 0 <= 1 - beta) by lra. split; [nn|].
      replace (alpha k / beta) with (alpha k + (1 - beta) * (alpha k / beta)) by (field; lra). apply Rplus_le_compat_l, Rmult_le_compat_l; [exact B0|].
      apply Rle_trans with (1 := I2). apply Rmult_le_compat_r; [left; sp | exact Down]. }
  intros Ev. specialize (H Ev).
  assert (L1 : beta * on Ev (msum (S K) (fun k => ((alpha k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ])%m))
    <= on Ev (msum (S K) (fun k => ((beta * reach k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ])%m))).
  { assert (L0 : forall n, (n <= S K)%nat -> beta * on Ev (msum n (fun k => ((alpha k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ])%m))
      <= on Ev (msum n (fun k => ((beta * reach k) * E[ || env_gradient lam prox (ahead alpha beta reach x k) ||^2 ])%m))).
    { induction n as [|n IH]; intros Ln; cbn [msum]; [rewrite on_zero; lra|]. specialize (IH ltac:(lia)). rewrite !on_add, !on_scal.
      set (q := on Ev (E Trivial _)). assert (Q : 0 <= q).
      { unfold q. rewrite <- (E_zero Trivial Ev). apply E_mono. intros B. rewrite on_zero. apply inner_pos. }
      assert (Rn : alpha n <= reach n).
      { rewrite R1 by lia. destruct (Between (S n) ltac:(lia)) as [I1 _]. assert (0 <= (1 - beta) * reach (S n)) by (assert (0 <= 1 - beta) by lra; nn). lra. }
      assert (beta * alpha n * q <= beta * reach n * q) by (apply Rmult_le_compat_r; [exact Q | apply Rmult_le_compat_l; lra]). lra. }
    apply L0. lia. }
  assert (L2' : sum (S K) (fun k => 2 * (L2 / (2 * lam) * ((beta * reach k) ^ 2 + 2 * (beta * reach k) * ((1 - beta) * reach k) + beta * reach k * ((1 - beta) * reach k) ^ 2 / lam)))
    <= beta * sum (S K) (fun k => L2 / (beta * lam) * ((2 - beta) / beta * alpha k ^ 2 + (1 - beta) ^ 2 / (beta ^ 2 * lam) * alpha k ^ 3))).
  { rewrite <- sum_scal. assert (L0 : forall n u v, (forall k, (k < n)%nat -> u k <= v k) -> sum n u <= sum n v).
    { clear. induction n as [|n IH]; intros u v Hk; cbn; [lra|]. pose proof (IH u v (fun k L => Hk k (Nat.lt_lt_succ_r _ _ L))). pose proof (Hk n (Nat.lt_succ_diag_r n)). lra. }
    apply L0. intros k L. destruct (Between k ltac:(lia)) as [I1 I2]. pose proof (Ha k) as Hk. set (r := reach k) in *. set (a := alpha k) in *. assert (B0 : 0 <= 1 - beta) by lra.
    assert (I3 : 0 <= a / beta - r) by lra.
    replace (beta * (L2 / (beta * lam) * ((2 - beta) / beta * a ^ 2 + (1 - beta) ^ 2 / (beta ^ 2 * lam) * a ^ 3)))
      with (2 * (L2 / (2 * lam) * ((beta * (a / beta)) ^ 2 + 2 * (beta * (a / beta)) * ((1 - beta) * (a / beta)) + beta * (a / beta) * ((1 - beta) * (a / beta)) ^ 2 / lam))) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [nn|]. set (b := a / beta) in *.
    assert (P2 : r ^ 2 <= b ^ 2) by (apply pow_incr; lra). assert (P3 : r ^ 3 <= b ^ 3) by (apply pow_incr; lra). clearbody b r.
    replace ((beta * r) ^ 2 + 2 * (beta * r) * ((1 - beta) * r) + beta * r * ((1 - beta) * r) ^ 2 / lam)
      with ((beta ^ 2 + 2 * beta * (1 - beta)) * r ^ 2 + beta * (1 - beta) ^ 2 / lam * r ^ 3) by (field; lra).
    replace ((beta * b) ^ 2 + 2 * (beta * b) * ((1 - beta) * b) + beta * b * ((1 - beta) * b) ^ 2 / lam)
      with ((beta ^ 2 + 2 * beta * (1 - beta)) * b ^ 2 + beta * (1 - beta) ^ 2 / lam * b ^ 3) by (field; lra).
    apply Rplus_le_compat; (apply Rmult_le_compat_l; [nn | assumption]). }
  rewrite on_scal in *. pose proof (one_pos Ev) as O1. apply Rmult_le_reg_l with beta; [exact Hb0|].
  apply Rle_trans with (1 := L1). apply Rle_trans with (1 := H). rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact O1|].
  replace (beta * (2 / beta * (f_0 - f_star) + sum (S K) (fun k => L2 / (beta * lam) * ((2 - beta) / beta * alpha k ^ 2 + (1 - beta) ^ 2 / (beta ^ 2 * lam) * alpha k ^ 3))))
    with (2 * (f_0 - f_star) + beta * sum (S K) (fun k => L2 / (beta * lam) * ((2 - beta) / beta * alpha k ^ 2 + (1 - beta) ^ 2 / (beta ^ 2 * lam) * alpha k ^ 3))) by (field; lra).
  apply Rplus_le_compat_l. exact L2'.
Qed.

(** The method with a constant stepsize is a schedule *)
Lemma constant_schedule {P : Setting} X alpha beta start x z g : heavy_ball X alpha beta start x z g -> scheduled X (fun _ => alpha) beta start x z g.
Proof. intros [H1 H2 H3 H4 H5]. split; assumption. Qed.
