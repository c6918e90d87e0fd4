(** Beyond the paper: Theorem 3 with constraints.  Three fifths of the bound of Theorem 3, for every closed convex set, with z_0 = beta g_0
    and lambda in the range of Theorem 3.  (The paper has the whole bound, and for the whole space only.) *)
Require Export HeavyBall.Theorem3 HeavyBall.Energy.
Require Import Lia.
Open Scope R_scope.

Section OneStep.
  Context {P : Setting} {X : V -> Prop} {f Env : V -> M} {grad prox proj : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu start sigma2 lam f_0 f_star : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_pos : 0 < rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (lam_pos : 0 < lam) (lam_above : 3 * rho / 2 < / lam) (lam_below : / lam <= 2 * rho) (long : rho * alpha <= 3 / 2).
  Hypotheses (CX : convex_set X) (Sm : smooth X rho f grad) (B : moreau X f lam Env prox) (Run : heavy_ball X alpha beta start x z g).
  Hypotheses (Mean : forall k, mean_given (before k) (g k) (grad (x k))) (Variance : A3 sigma2 g (fun k => grad (x k))).
  Hypotheses (Proj : forall y, is_projection X y (proj y)) (proj_known : keeps_known proj) (grad_known : keeps_known grad).

  Local Notation d := (d alpha x).
  Local Notation bar := (bar beta x).
  Local Notation hat k := (prox (bar k)).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Local Notation xi := (xi beta nu).
  Local Notation q := (rho * lam).
  Let l_below : q < 2 / 3.
  Proof. apply Rmult_lt_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let l_above : 1 / 2 <= q.
  Proof. apply Rmult_le_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let rho_nn : 0 <= rho. Proof. lra. Qed.
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.
  Let xi_nn : 0 <= xi. Proof. unfold Paper.xi. nn. Qed.
  Let ra_pos : 0 < rho * alpha. Proof. sp. Qed.
  Let in_X k : X (x k). Proof. destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]. Qed.
  Let x_at k := x_known _ _ _ _ _ _ _ Run k.
  Let prev_at k : known (before k) (prev x k).
  Proof. pose proof (x_at k). destruct k as [|j]; cbn [prev]; [assumption|]. pose proof (x_at j). know. Qed.
  Let bar_first : bar 0 = x 0%nat.
  Proof. unfold Paper.bar, p. cbn [prev]. same_vector. field; nz. Qed.
  Local Notation momentum k := (z k%nat = vadd (vscal beta (g k%nat)) (vscal (1 - beta) (d k%nat))).
  Let momentum_at_rest k : start = beta -> momentum k.
  Proof.
    intros S0. destruct k; [|apply (z_step _ _ _ _ _ _ _ Run)]. rewrite (z_start _ _ _ _ _ _ _ Run), S0. unfold Paper.d. cbn [prev].
    same_vector. field; nz.
  Qed.
  Local Notation spread := (alpha * xi ^ 2 / lam ^ 2 * (2 * q - 1 / 2)).

  (** The envelope and the function together, on the range of lambda of Theorem 3 *)
  Theorem envelope_wide k : momentum k ->
    (E[ Env (bar (S k)) + (1 / (lam * nu)) * f (x (S k)) | before k ] <=
     E[ Env (bar k) + (1 / (lam * nu)) * f (x k) - (alpha * (3 - 4 * q) / 2) * || gradient k ||^2 + spread * || d k ||^2
        + (rho * alpha ^ 2 / (2 * lam * nu)) * || d (S k) ||^2 + # (alpha ^ 2 * sigma2 / (2 * lam)) | before k ])%m.
  Proof.
    intros Z. pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1. pose proof (x_at k) as K1. pose proof (prev_at k) as K2.
    assert (K3 : known (before k) (hat k)) by (apply (prox_known _ _ _ _ _ B); unfold Paper.bar, p; know).
    pose proof (prox_in _ _ _ _ _ B (bar k)) as Hh.
    assert (Hu : X (beta * hat k + (1 - beta) * x k)%v) by (apply CX; auto; nn).
    pose proof (projection_optimal X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) Hu) as N.
    pose proof (env_below _ _ _ _ _ B (bar (S k)) _ Hh) as He. pose proof (env_at _ _ _ _ _ B (bar k)) as Ha.
    pose proof (smooth_above rho_nn CX Sm (x k) (x (S k)) (in_X k) (in_X (S k))) as Up. pose proof (smooth_below rho_nn CX Sm (x k) (hat k) (in_X k) Hh) as W1.
    pose proof (strong_convexity CX (smooth_weakly_convex rho_nn CX Sm) lam_pos B (bar k) (x k) (in_X k)) as Hs.
    assert (Sq : 0 <= alpha / (2 * lam) * (2 * rho - / lam)) by nn.
    rewrite Z in N. unfold env_gradient, Paper.xi.
    set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. set (h := prox (bar k)) in *.
    unfold Paper.bar, p, Paper.d in *. cbn [prev] in *. set (s := grad (x k)) in *.
    set (dn := ((/ alpha) * (x k - x (S k)))%v). set (dk := ((/ alpha) * (prev x k - x k))%v).
    balance {{ (1, He) ; (1 / (lam * beta ^ 2), N) ; (1 / (lam * nu), Up) ; (alpha / lam, W1) ; (alpha / lam, Hs) ;
        (alpha / (2 * lam) * (2 * rho - / lam), square_nn (x k + ((1 - beta) / beta) * (x k - prev x k) - h - ((1 - beta) / nu) * dk)%v) ;
        (alpha ^ 2 / (2 * lam), V1) ; (alpha ^ 2 / (2 * lam), square_nn (g k - s - (/ beta) * (dn - (1 - beta) * dk))%v) }}
      {{ (- 1 - alpha / lam, Ha) }}
      {{ (M1, ((alpha / lam) * (x k + ((1 - beta) / beta) * (x k - prev x k) - h))%v) }}.
  Qed.

  (** A function that falls given the past *)
  Definition wide_c := (2 * (xi ^ 2 / lam ^ 2) * (2 * q - 1 / 2) + rho * alpha / (lam * nu)) / (2 - rho * alpha).
  Local Notation c_2 := wide_c.
  Local Notation m_2 := (c_2 * xi / 2 + spread).
  Definition wide_potential k := (Env (bar k) + (1 / (lam * nu) + c_2) * f (x k) + m_2 * || d k ||^2)%m.
  Definition wide_noise := alpha ^ 2 * sigma2 / (2 * lam) * (1 + c_2 * lam * nu * (1 + beta)).
  Let spread_nn : 0 <= spread. Proof. assert (0 <= 2 * q - 1 / 2) by lra. nn. Qed.
  Let c_2_nn : 0 <= c_2. Proof. unfold wide_c. assert (0 <= 2 * q - 1 / 2) by lra. apply quotient_nonneg; [nn | lra]. Qed.
  Let c_2_is : spread = c_2 * alpha * (1 - rho * alpha / 2) - rho * alpha ^ 2 / (2 * lam * nu).
  Proof. unfold wide_c. field. repeat split; lra. Qed.
  Theorem wide_step k : momentum k ->
    (E[ wide_potential (S k) | before k ] <=
     E[ wide_potential k - (alpha * (3 - 4 * q) / 2) * || gradient k ||^2 + # wide_noise | before k ])%m.
  Proof.
    intros Z. pose proof (envelope_wide k Z) as HA.
    pose proof (energy rho_nn alpha_pos nu_pos beta_le CX Sm Run Mean Variance Proj proj_known grad_known k Z) as HB.
    unfold wide_potential, wide_noise. rewrite c_2_is in *. pose proof c_2_nn as Cn. set (c := c_2) in *. clearbody c.
    set (dk := d k) in *. set (dn := d (S k)) in *. set (y := xi) in *. clearbody y.
    balance {{ (1, HA) ; (c, HB) }} {{ }} {{ }}.
  Qed.

  (** *** Both ends of the sum *)
  Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, X u -> (# f_star <= f u)%m).
  Local Notation whole_weight := (1 + (1 / (lam * nu) + c_2)).
  Lemma wide_last k : (E[ # (whole_weight * f_star) ] <= E[ wide_potential k ])%m.
  Proof.
    pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ B (bar k))) as B1. pose proof (Below _ (in_X k)) as B2.
    assert (Sm2 : 0 <= m_2) by nn. assert (Sw : 0 <= 1 / (lam * nu) + c_2) by nn.
    unfold wide_potential. set (dk := d k) in *. set (m := m_2) in *. set (w := 1 / (lam * nu) + c_2) in *. clearbody m w. set (y := bar k) in *. set (h := prox y) in *.
    balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) ; (w, B2) ; (m, square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
  Qed.
  Lemma wide_first w : 0 <= w -> w <= lam / 2 * (1 - q) ->
    (E[ wide_potential 0 + w * || gradient 0 ||^2 ] <= E[ # (whole_weight * f_0) ])%m.
  Proof.
    intros W0 W1. pose proof (strong_convexity CX (smooth_weakly_convex rho_nn CX Sm) lam_pos B (x 0%nat) (x 0%nat) (in_X 0)) as Hs.
    unfold wide_potential. rewrite bar_first. unfold Paper.d, env_gradient. cbn [prev].
    assert (D : 0 <= lam / 2 * (1 - q) - w) by lra. set (m := m_2). set (c := 1 / (lam * nu) + c_2) in *. clearbody m c. set (h := prox (x 0%nat)) in *.
    balance {{ (1, Hs) ; (lam / 2 * (1 - q) - w, square_nn ((/ lam) * (x 0%nat - h))%v) }} {{ (1 + c, First) }} {{ }}.
  Qed.
  Let fall_pos : 0 < alpha * (3 - 4 * q) / 2. Proof. assert (0 < 3 - 4 * q) by lra. sp. Qed.
  Local Notation bound spent K := ((whole_weight * f_0 + spent - whole_weight * f_star + INR K * wide_noise) / (alpha * (3 - 4 * q) / 2 * INR (K + 1))).
  Lemma wide_sum K : start = beta -> (uniform K (fun k => || gradient k ||^2) <= # (bound wide_noise K))%m.
  Proof.
    intros S0. eapply le_number.
    - apply mean_of_steps with (a := wide_potential) (b0 := whole_weight * f_0); [exact fall_pos | | | apply wide_last].
      + intros k. apply in_total with (before k), wide_step. now apply momentum_at_rest.
      + assert (L : 0 <= lam / 2 * (1 - q)) by (assert (0 <= 1 - q) by lra; nn).
        pose proof (wide_first 0 ltac:(lra) L) as H. set (a := wide_potential 0) in *. set (G := gradient 0) in *.
        balance {{ (1, H) }} {{ }} {{ }}.
    - right. f_equal. replace (K + 1)%nat with (S K) by lia. rewrite S_INR. ring.
  Qed.
  Lemma wide_sum_shifted K : start = beta -> 2 * alpha <= lam -> (uniform K (fun k => || gradient (pred k) ||^2) <= # (bound 0 K))%m.
  Proof.
    intros S0 Sh. rewrite Rplus_0_r. apply mean_of_later_steps with (a := fun k => wide_potential (pred k)); [exact fall_pos | | | apply wide_last].
    - intros k Hk. destruct k as [|k]; [lia|]. cbn [pred]. apply in_total with (before k), wide_step. now apply momentum_at_rest.
    - cbn [pred]. apply wide_first; [lra|]. assert (0 <= (lam - 2 * alpha) * (1 - q)) by (apply Rmult_le_pos; lra).
      assert (0 <= alpha * (2 * q - 1)) by (apply Rmult_le_pos; lra). assert (0 <= alpha * (1 - q)) by (apply Rmult_le_pos; lra). lra.
  Qed.
End OneStep.

Section Theorem_3_constrained.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox proj : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 lam alpha_0 f_0 f_star : R) (K : nat).

  (** As for Theorem 3, on a convex set *)
  Record constrained_run alpha nu start : Prop := {
    constrained_ranges : 0 < rho /\ 0 <= sigma2 /\ 0 < alpha_0 /\ alpha_0 <= 1 / (4 * rho);
    constrained_lambda : 0 < lam /\ 3 * rho / 2 < / lam /\ / lam <= 2 * rho;
    constrained_set_convex : convex_set X;
    constrained_projection : forall y, is_projection X y (proj y);
    constrained_smooth : smooth X rho f grad;
    constrained_maps : keeps_known proj /\ keeps_known grad;
    constrained_envelope : moreau X f lam Env prox;
    constrained_method : heavy_ball X alpha (nu * alpha) start x z g;
    constrained_mean : forall k, mean_given (before k) (g k) (grad (x k));
    constrained_variance : A3 sigma2 g (fun k => grad (x k));
    constrained_start_value : (f (x O) == # f_0)%m;
    constrained_below : forall u, X u -> (# f_star <= f u)%m
  }.
  Let N := sqrt (INR (K + 1)).
  Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha.

  (** The numbers: q = rho lambda, y = alpha_0/lambda, s = 1 - beta *)
  Let numbers q y s : 1 / 2 <= q -> q < 2 / 3 -> 0 < y -> y * q <= 1 / 4 -> 0 <= s -> s <= 1 ->
    let c := (y ^ 2 * (s ^ 2 * (4 * q - 1) + q * (1 - s))) / (2 - y * q * (1 - s)) in
    5 * (2 - 3 * q) * (1 + (y + c)) <= 3 * (3 - 4 * q) * (1 + 2 * y ^ 2) /\
    5 * (2 - 3 * q) * (1 + c / y * (2 - s)) <= 3 * (3 - 4 * q) * (1 + 8 * y).
  Proof.
    intros Q0 Q1 Y0 Y1 S0 S1 c. assert (Yh : y <= 1 / 2) by nra. set (T := s ^ 2 * (4 * q - 1) + q * (1 - s)) in *.
    assert (S2 : 0 <= s ^ 2 /\ s ^ 2 <= s) by (split; [nn | nra]). destruct S2 as [S2 S3].
    assert (T0 : 0 <= T) by (unfold T; assert (0 <= s ^ 2 * (4 * q - 1)) by (apply Rmult_le_pos; lra); assert (0 <= q * (1 - s)) by (apply Rmult_le_pos; lra); lra).
    assert (D0 : 7 + s <= 4 * (2 - y * q * (1 - s))).
    { assert (y * q * (1 - s) <= 1 / 4 * (1 - s)) by (apply Rmult_le_compat_r; lra). lra. }
    set (D := 2 - y * q * (1 - s)) in *. assert (DP : 0 < D) by lra.
    assert (C1 : c <= y ^ 2 * ((4 * q - 1) / 2)).
    { unfold c. apply Rmult_le_reg_r with D; [exact DP|]. replace (y ^ 2 * T / D * D) with (y ^ 2 * T) by (field; lra). rewrite Rmult_assoc.
      apply Rmult_le_compat_l; [nn|]. assert (E1 : 8 * T <= (4 * q - 1) * (7 + s)).
      { unfold T. assert (s ^ 2 * (4 * q - 1) <= s * (4 * q - 1)) by (apply Rmult_le_compat_r; lra). assert (0 <= (1 - s) * (20 * q - 7)) by (apply Rmult_le_pos; lra). lra. }
      assert (E2 : (4 * q - 1) * (7 + s) <= (4 * q - 1) * (4 * D)) by (apply Rmult_le_compat_l; lra). lra. }
    assert (C2 : c / y * (2 - s) <= y).
    { unfold c. replace (y ^ 2 * T / D / y * (2 - s)) with (y * (T * (2 - s) / D)) by (field; lra). rewrite <- (Rmult_1_r y) at 2. apply Rmult_le_compat_l; [lra|].
      apply Rmult_le_reg_r with D; [exact DP|]. replace (T * (2 - s) / D * D) with (T * (2 - s)) by (field; lra).
      assert (E1 : T <= s ^ 2 * (5 / 3) + 2 / 3 * (1 - s)).
      { unfold T. assert (s ^ 2 * (4 * q - 1) <= s ^ 2 * (5 / 3)) by (apply Rmult_le_compat_l; lra). assert (q * (1 - s) <= 2 / 3 * (1 - s)) by (apply Rmult_le_compat_r; lra). lra. }
      assert (E2 : T * (2 - s) <= (s ^ 2 * (5 / 3) + 2 / 3 * (1 - s)) * (2 - s)) by (apply Rmult_le_compat_r; lra).
      assert (E3 : 0 <= 5 + 27 * s - 48 * s ^ 2 + 20 * s ^ 3).
      { replace (5 + 27 * s - 48 * s ^ 2 + 20 * s ^ 3) with (5 * (1 - s) + s * (20 * (s - 6 / 5) ^ 2 + 16 / 5)) by field.
        pose proof (pow2_ge_0 (s - 6 / 5)). assert (0 <= s * (20 * (s - 6 / 5) ^ 2 + 16 / 5)) by (apply Rmult_le_pos; lra). lra. }
      lra. }
    split.
    - apply Rle_trans with (5 * (2 - 3 * q) * (1 + (y + y ^ 2 * ((4 * q - 1) / 2)))); [apply Rmult_le_compat_l; lra|].
      set (a := 2 - 3 * q). replace q with ((2 - a) / 3) by (unfold a; field). assert (A0 : 0 < a /\ a <= 1 / 2) by (unfold a; lra). destruct A0 as [A0 A1]. clearbody a.
      assert (F : 0 <= (1 - 2 * a) * (1 + 2 * y ^ 2) + 2 * a * (1 / 2 - 5 / 2 * y + 47 / 12 * y ^ 2) + 10 / 3 * a ^ 2 * y ^ 2).
      { assert (0 <= (1 - 2 * a) * (1 + 2 * y ^ 2)) by (apply Rmult_le_pos; [lra | nra]). assert (0 <= 1 / 2 - 5 / 2 * y + 47 / 12 * y ^ 2) by nra.
        assert (0 <= 2 * a * (1 / 2 - 5 / 2 * y + 47 / 12 * y ^ 2)) by (apply Rmult_le_pos; lra). assert (0 <= 10 / 3 * a ^ 2 * y ^ 2) by nn. lra. }
      lra.
    - apply Rle_trans with (5 * (2 - 3 * q) * (1 + y)); [apply Rmult_le_compat_l; lra|]. nra.
  Qed.

  Lemma three_fifths : constrained_run alpha nu beta -> forall shift : bool,
    (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
     # (3 / 5 * (2 * / lam / (2 * / lam - 3 * rho)
        * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N))))%m.
  Proof.
    intros [[Hr [Hs [Ha Ha4]]] [Hl [L1 L2]] CX Pj Sm [Kp Kg] B Run M1 V1 F0 Fb] shift.
    pose proof (root_at_least_1 K) as HN. fold N in HN. pose proof (root_squared K) as HK. fold N in HK.
    assert (Hi : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hbi : beta = / N) by (unfold beta, nu, alpha; field; lra). assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    assert (H4 : rho * alpha_0 <= 1 / 4).
    { apply Rmult_le_compat_l with (r := rho) in Ha4; [|lra]. replace (rho * (1 / (4 * rho))) with (1 / 4) in Ha4 by (field; lra). exact Ha4. }
    assert (Hq : rho * alpha <= 1 / 4).
    { unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra). assert (0 < rho * alpha_0) by sp. nra. }
    assert (Q0 : 1 / 2 <= rho * lam) by (apply Rmult_le_reg_r with (/ lam); [sp|]; replace (rho * lam * / lam) with rho by (field; lra); lra).
    assert (Q1 : rho * lam < 2 / 3) by (apply Rmult_lt_reg_r with (/ lam); [sp|]; replace (rho * lam * / lam) with rho by (field; lra); lra).
    assert (Sh : 2 * alpha <= lam) by (apply Rmult_le_reg_l with rho; lra). assert (Lo : rho * alpha <= 3 / 2) by lra.
    set (c := @wide_c rho alpha nu lam). set (n := @wide_noise rho alpha nu sigma2 lam). set (w := 1 + (1 / (lam * nu) + c)).
    set (y := alpha_0 / lam). set (s := 1 - beta).
    destruct (numbers (rho * lam) y s Q0 Q1 ltac:(unfold y; sp) ltac:(unfold y; replace (alpha_0 / lam * (rho * lam)) with (rho * alpha_0) by (field; lra); exact H4)
      ltac:(unfold s; lra) ltac:(unfold s; lra)) as [N1 N2].
    assert (D : 2 - rho * alpha_0 * (1 - s) <> 0) by (unfold s; rewrite Hbi; assert (rho * alpha_0 * (1 - (1 - / N)) <= 1 / 4 * 1) by (apply Rmult_le_compat; [nn | lra | lra | lra]); lra).
    assert (Ec : (y ^ 2 * (s ^ 2 * (4 * (rho * lam) - 1) + rho * lam * (1 - s))) / (2 - y * (rho * lam) * (1 - s)) = c).
    { replace (y * (rho * lam) * (1 - s)) with (rho * alpha_0 * (1 - s)) by (unfold y; field; lra). unfold c, wide_c, xi. fold beta. fold s.
      replace (rho * alpha) with (rho * alpha_0 * (1 - s)) by (unfold s; rewrite Hbi; unfold alpha; field; lra). unfold y, nu. field. repeat split; try lra. }
    rewrite Ec in N1, N2.
    assert (En : INR (K + 1) * n = alpha_0 ^ 2 * sigma2 / (2 * lam) * (1 + c / y * (2 - s))).
    { rewrite HK. unfold n, wide_noise. fold c. fold beta. replace (2 - s) with (1 + beta) by (unfold s; ring). clearbody c. unfold y, alpha. unfold nu. field. repeat split; lra. }
    assert (Nn : 0 <= n).
    { unfold n, wide_noise. fold c. assert (0 <= c) by (unfold c, wide_c; assert (0 <= xi (nu * alpha) nu) by (unfold xi; assert (0 <= 1 - nu * alpha) by lra; nn);
        assert (0 <= 2 * (rho * lam) - 1 / 2) by lra; apply quotient_nonneg; [nn | lra]). assert (0 <= 1 + nu * alpha) by (fold beta; lra). nn. }
    assert (KK : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
    assert (H : exists spent, spent + INR K * n <= INR (K + 1) * n /\
      (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
       # ((w * f_0 + spent - w * f_star + INR K * n) / (alpha * (3 - 4 * (rho * lam)) / 2 * INR (K + 1))))%m).
    { destruct shift.
      - exists 0. split; [rewrite KK; lra|]. exact (wide_sum_shifted Hr Pa Pn Hb Hl L1 L2 Lo CX Sm B Run M1 V1 Pj Kp Kg F0 Fb K eq_refl Sh).
      - exists n. split; [rewrite KK; lra|]. exact (wide_sum Hr Pa Pn Hb Hl L1 L2 Lo CX Sm B Run M1 V1 Pj Kp Kg F0 Fb K eq_refl). }
    destruct H as [spent [Hsp H]].
    assert (G : (# f_star <= # f_0)%m) by (intros A; rewrite <- (F0 A); apply Fb, Run).
    set (F := / (5 * (2 - 3 * (rho * lam)) * (3 - 4 * (rho * lam))) * (2 / (alpha_0 * N))). assert (P1 : 0 < 2 - 3 * (rho * lam)) by lra. assert (P2 : 0 < 3 - 4 * (rho * lam)) by lra.
    assert (PF : 0 < F) by (unfold F; sp).
    replace (3 / 5 * (2 * / lam / (2 * / lam - 3 * rho) * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))
      with (F * (3 * (3 - 4 * (rho * lam)) * (1 + 2 * y ^ 2)) * (f_0 - f_star) + F * (alpha_0 ^ 2 * sigma2 / (2 * lam) * (3 * (3 - 4 * (rho * lam)) * (1 + 8 * y))))
      by (unfold F, y; field; repeat split; lra).
    refine (le_gap_number _ (F * (5 * (2 - 3 * (rho * lam)) * w)) (F * (5 * (2 - 3 * (rho * lam)) * (spent + INR K * n))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. rewrite HK. unfold F, alpha. clearbody w n c. field. repeat split; lra.
    - apply Rmult_le_compat_l; [lra|]. unfold w. replace (1 / (lam * nu)) with y by (unfold y, nu; field; lra). exact N1.
    - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (5 * (2 - 3 * (rho * lam)) * (INR (K + 1) * n)); [apply Rmult_le_compat_l; lra|]. rewrite En.
      replace (5 * (2 - 3 * (rho * lam)) * (alpha_0 ^ 2 * sigma2 / (2 * lam) * (1 + c / y * (2 - s)))) with (alpha_0 ^ 2 * sigma2 / (2 * lam) * (5 * (2 - 3 * (rho * lam)) * (1 + c / y * (2 - s)))) by ring.
      apply Rmult_le_compat_l; [nn | exact N2].
  Qed.
End Theorem_3_constrained.

(** Three fifths of the first display of Theorem 3, on every convex set with its projection; k* is uniform on {0, ..., K}, or ([shift]) on {-1, ..., K-1} *)
Theorem Theorem_3_constrained {P : Setting} X f Env grad prox proj x z g rho sigma2 lam alpha_0 f_0 f_star K (shift : bool) :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  constrained_run X f Env grad prox proj x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
   # (3 / 5 * (2 * / lam / (2 * / lam - 3 * rho)
      * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N))))%m.
Proof. intros N alpha nu beta R. exact (three_fifths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R shift). Qed.
