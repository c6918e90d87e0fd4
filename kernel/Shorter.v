(** Beyond the paper: a shorter smooth half.  Theorem 3 from one step of the envelope and the energy lemma, without phi_k, W_k and Appendix C:
    smaller constants, twice the range of stepsizes, both starts, both ranges of k*; so Theorem 3 holds with the start as printed.

    Without constraints the candidate in the envelope moves with the step, so that the envelope bends by rho/(1 + rho lambda) only. *)
Require Export HeavyBall.Theorem3 HeavyBall.Energy.
Require Import Lia.
Open Scope R_scope.

Section OneStep.
  Context {P : Setting} {f Env : V -> M} {grad prox : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu start sigma2 lam f_0 f_star : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_pos : 0 < rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (lam_pos : 0 < lam) (lam_above : 3 * rho / 2 < / lam) (lam_below : / lam <= 2 * rho) (long : rho * alpha <= 3 / 2).
  Hypotheses (Sm : smooth whole rho f grad) (B : moreau whole f lam Env prox) (Run : heavy_ball whole alpha beta start x z g).
  Hypotheses (Mean : forall k, mean_given (before k) (g k) (grad (x k))) (Variance : A3 sigma2 g (fun k => grad (x k))).
  Hypothesis grad_known : keeps_known grad.

  Local Notation d := (d alpha x).
  Local Notation bar := (bar beta x).
  Local Notation hat k := (prox (bar k)).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Local Notation xi := (xi beta nu).
  Local Notation q := (rho * lam).
  Local Notation bend := (rho / (1 + rho * lam)).
  Let l_below : q < 2 / 3.
  Proof. apply Rmult_lt_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let l_above : 1 / 2 <= q.
  Proof. apply Rmult_le_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let l_pos : 0 < 1 + q. Proof. lra. Qed.
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.
  Let xi_nn : 0 <= xi. Proof. unfold Paper.xi. nn. Qed.
  Let bend_nn : 0 <= bend. Proof. nn. Qed.
  Let ra_pos : 0 < rho * alpha. Proof. sp. Qed.
  Let short : 0 < 1 - rho * alpha / 2. Proof. lra. Qed.

  Let moves k : x (S k) = (x k - alpha * z k)%v.
  Proof. apply whole_projection_is, (x_step _ _ _ _ _ _ _ Run). Qed.
  Let prev_at k : known (before k) (prev x k).
  Proof. pose proof (x_known _ _ _ _ _ _ _ Run k). destruct k as [|j]; cbn [prev]; [assumption|]. pose proof (x_known _ _ _ _ _ _ _ Run j). know. Qed.
  Let hat_at k : known (before k) (hat k).
  Proof. apply (prox_known _ _ _ _ _ B). unfold Paper.bar, p. pose proof (x_known _ _ _ _ _ _ _ Run k). pose proof (prev_at k). know. Qed.
  Let bar_first : bar 0 = x 0%nat.
  Proof. unfold Paper.bar, p. cbn [prev]. same_vector. field; nz. Qed.
  Local Notation momentum k := (z k%nat = vadd (vscal beta (g k%nat)) (vscal (1 - beta) (d k%nat))).
  Let momentum_later k : (1 <= k)%nat -> momentum k.
  Proof. destruct k; [lia|]. intros _. apply (z_step _ _ _ _ _ _ _ Run). Qed.
  Let momentum_at_rest k : start = beta -> momentum k.
  Proof.
    intros S0. destruct k; [|apply momentum_later; lia]. rewrite (z_start _ _ _ _ _ _ _ Run), S0. unfold Paper.d. cbn [prev].
    same_vector. field; nz.
  Qed.

  (** The candidate in the envelope moves with the step; for every outcome, for any move t g *)
  Theorem moved_candidate y t (u : V) :
    (Env (y - t * u)%v <= Env y - t * << env_gradient lam prox y , u >> + (bend / 2 * t ^ 2) * || u ||^2)%m.
  Proof.
    set (h := prox y). set (w := (h - (t / (1 + q)) * u)%v).
    pose proof (env_below _ _ _ _ _ B (y - t * u)%v w I) as E1. pose proof (env_at _ _ _ _ _ B y) as Ha. fold h in Ha.
    pose proof (smooth_above (Rlt_le _ _ rho_pos) whole_convex Sm h w I I) as Up. unfold h in Up. rewrite (prox_gradient f grad rho lam Env prox y rho_pos lam_pos Sm B) in Up. fold h in Up.
    unfold env_gradient in *. fold h in Up |- *. set (e1 := Env (y - t * u)%v) in *. set (e0 := Env y) in *. set (fw := f w) in *. clearbody h. unfold w in *.
    balance {{ (1, E1) ; (1, Up) }} {{ (- 1, Ha) }} {{ }}.
  Qed.

  (** The envelope from step to step, given F_{k-1} *)
  Theorem envelope_fall k : momentum k ->
    (E[ Env (bar (S k)) | before k ] <=
     E[ Env (bar k) - (alpha * (2 - 3 * q) / 2) * || gradient k ||^2 + (alpha * rho * xi ^ 2 / lam) * || d k ||^2
        + # (bend / 2 * alpha ^ 2 * sigma2) | before k ])%m.
  Proof.
    intros Z. pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1. pose proof (x_known _ _ _ _ _ _ _ Run k) as K1.
    pose proof (prev_at k) as K2. pose proof (hat_at k) as K3. pose proof (grad_known _ _ K1) as K4.
    pose proof (moved_candidate (bar k) alpha (g k)) as Mv. pose proof (lipschitz Sm (x k) (hat k) I I) as L.
    rewrite (prox_gradient f grad rho lam Env prox (bar k) rho_pos lam_pos Sm B) in L.
    replace (bar k - alpha * g k)%v with (bar (S k)) in Mv.
    2:{ unfold Paper.bar, p. cbn [prev]. rewrite (moves k), Z. unfold Paper.d. same_vector. field; nz. }
    set (w := alpha * (1 - bend * alpha) / (2 * q) + bend * alpha ^ 2 / 2).
    assert (Sb : 0 <= 1 - bend * alpha).
    { replace (1 - bend * alpha) with ((1 + q - rho * alpha) / (1 + q)) by (field; lra). apply quotient_nonneg; lra. }
    assert (Sw : 0 <= w) by (unfold w; nn). assert (Sr : 0 <= / lam - rho) by lra.
    assert (Sq : 0 <= alpha ^ 2 * bend / 2 * (1 - q) * (2 * q - 1)) by (assert (0 <= 1 - q) by lra; assert (0 <= 2 * q - 1) by lra; nn).
    assert (Sd : 0 <= xi ^ 2 * bend * alpha ^ 2 * rho * (/ lam - rho)) by nn.
    unfold env_gradient in *. set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. set (h := prox (bar k)) in *.
    unfold Paper.xi, Paper.bar, p, Paper.d in *. set (s := grad (x k)) in *. set (xb := (x k + (1 - beta) / beta * (x k - prev x k))%v) in *.
    set (G := ((/ lam) * (xb - h))%v) in *.
    balance {{ (1, Mv) ; (bend / 2 * alpha ^ 2, V1) ; (alpha * (1 - bend * alpha) * (q / 2), square_nn (G + (/ q) * (s - G))%v) ; (w, L) ;
        (w * rho ^ 2, square_nn (lam * G - ((1 - beta) / nu) * ((/ alpha) * (prev x k - x k)))%v) ;
        (alpha ^ 2 * bend / 2 * (1 - q) * (2 * q - 1), square_nn G) ;
        (((1 - beta) / nu) ^ 2 * bend * alpha ^ 2 * rho * (/ lam - rho), square_nn ((/ alpha) * (prev x k - x k))%v) }}
      {{ }} {{ (M1, (alpha * G - (bend * alpha ^ 2) * s)%v) }}.
  Qed.

  (** A function that falls given the past *)
  Definition short_c := rho * xi ^ 2 / (lam * (1 - rho * alpha / 2)).
  Local Notation c_1 := short_c.
  Local Notation m_1 := (c_1 * xi / 2 + alpha * rho * xi ^ 2 / lam).
  Definition short_potential k := (Env (bar k) + c_1 * f (x k) + m_1 * || d k ||^2)%m.
  Definition short_noise := alpha ^ 2 * sigma2 / 2 * (bend + c_1 * nu * (1 + beta)).
  Let c_1_nn : 0 <= c_1. Proof. unfold short_c. nn. Qed.
  Let m_1_nn : 0 <= m_1. Proof. nn. Qed.
  Let c_1_is : alpha * rho * xi ^ 2 / lam = c_1 * alpha * (1 - rho * alpha / 2).
  Proof. unfold short_c. field. repeat split; lra. Qed.
  Let noise_nn : 0 <= short_noise. Proof. unfold short_noise. assert (0 <= 1 + beta) by lra. nn. Qed.
  Theorem short_step k : momentum k ->
    (E[ short_potential (S k) | before k ] <=
     E[ short_potential k - (alpha * (2 - 3 * q) / 2) * || gradient k ||^2 + # short_noise | before k ])%m.
  Proof.
    intros Z. pose proof (envelope_fall k Z) as HA.
    pose proof (energy (Rlt_le _ _ rho_pos) alpha_pos nu_pos beta_le whole_convex Sm Run Mean Variance whole_projection (fun j y K => K) grad_known k Z) as HB.
    unfold short_potential, short_noise. rewrite c_1_is in *. set (c := c_1) in *. clearbody c.
    set (dk := d k) in *. set (dn := d (S k)) in *. set (y := xi) in *. clearbody y.
    balance {{ (1, HA) ; (c, HB) }} {{ }} {{ }}.
  Qed.

  (** *** Both ends of the sum *)
  Hypothesis nu_large : 2 * rho <= nu.
  Let half : rho * alpha <= 1 / 2.
  Proof.
    apply Rle_trans with (nu / 2 * alpha); [apply Rmult_le_compat_r; lra | lra].
  Qed.
  Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, (# f_star <= f u)%m).
  Lemma start_gap : (Env (x 0%nat) + (lam / 2 * (1 - q)) * || env_gradient lam prox (x 0%nat) ||^2 <= f (x 0%nat))%m.
  Proof.
    pose proof (strong_convexity whole_convex (smooth_weakly_convex (Rlt_le _ _ rho_pos) whole_convex Sm) lam_pos B (x 0%nat) (x 0%nat) I) as Hs.
    unfold env_gradient. set (h := prox (x 0%nat)) in *. balance {{ (1, Hs) }} {{ }} {{ }}.
  Qed.
  Lemma short_last k : (E[ # ((1 + c_1) * f_star) ] <= E[ short_potential k ])%m.
  Proof.
    pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below (hat k)) as B1. pose proof (Below (x k)) as B2. pose proof m_1_nn as Sm1.
    unfold short_potential. set (dk := d k) in *. set (m := m_1) in *. set (c := c_1) in *. clearbody m c. set (y := bar k) in *. set (h := prox y) in *.
    balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) ; (c, B2) ; (m, square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
  Qed.
  Let room : 0 <= lam / 2 * (1 - q) - alpha * (2 - 3 * q) / 2.
  Proof.
    assert (L : alpha <= lam).
    { apply Rmult_le_reg_l with rho; [lra|]. lra. }
    assert (0 <= (lam - alpha) * (1 - q)) by (apply Rmult_le_pos; lra). assert (0 <= alpha * (2 * q - 1)) by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma short_first w : 0 <= w -> w <= lam / 2 * (1 - q) ->
    (E[ short_potential 0 + w * || gradient 0 ||^2 ] <= E[ # ((1 + c_1) * f_0) ])%m.
  Proof.
    intros W0 W1. pose proof start_gap as Sg. unfold short_potential. rewrite bar_first. unfold Paper.d. cbn [prev].
    assert (D : 0 <= lam / 2 * (1 - q) - w) by lra. set (m := m_1). set (c := c_1) in *. clearbody m c. set (G := env_gradient lam prox (x 0%nat)) in *.
    balance {{ (1, Sg) ; (lam / 2 * (1 - q) - w, square_nn G) }} {{ (1 + c, First) }} {{ }}.
  Qed.

  (** After the printed start z_0 = g_0: the first step pays for two gradients at x_0 *)
  Definition short_jump := bend / (2 * nu ^ 2) + c_1 * (1 + beta) / (2 * nu).
  Let weight := bend / (2 * nu ^ 2) + c_1 * xi / 2.
  Let weight_small : 0 <= weight /\ nu * weight <= 5 / 12.
  Proof.
    split; [unfold weight; nn|].
    set (b := rho / nu). assert (Hb : 0 < b /\ b <= 1 / 2).
    { unfold b. split; [sp|]. apply Rmult_le_reg_r with nu; [lra|]. replace (rho / nu * nu) with rho by (field; lra). lra. }
    set (s := 1 - beta). assert (Hs : 0 <= s /\ s <= 1) by (unfold s; lra). destruct Hb as [Hb0 Hb1], Hs as [Hs0 Hs1].
    assert (D : 0 < 1 - (1 - s) * b / 2) by nra.
    replace (nu * weight) with (b / (2 * (1 + q)) + b ^ 2 * s ^ 3 / (q * (1 - (1 - s) * b / 2)) / 2).
    - assert (A1 : b / (2 * (1 + q)) <= 1 / 6).
      { apply Rmult_le_reg_r with (2 * (1 + q)); [lra|]. replace (b / (2 * (1 + q)) * (2 * (1 + q))) with b by (field; lra). lra. }
      assert (A2 : b ^ 2 * s ^ 3 / (q * (1 - (1 - s) * b / 2)) <= 1 / 2).
      { assert (D2 : 0 < q * (1 - (1 - s) * b / 2)) by (apply Rmult_lt_0_compat; lra).
        apply Rmult_le_reg_r with (q * (1 - (1 - s) * b / 2)); [exact D2|].
        replace (b ^ 2 * s ^ 3 / (q * (1 - (1 - s) * b / 2)) * (q * (1 - (1 - s) * b / 2))) with (b ^ 2 * s ^ 3) by (field; lra).
        assert (E1 : b ^ 2 <= 1 / 4) by nra. assert (E2 : 0 <= s ^ 3) by nn. assert (E3 : b ^ 2 * s ^ 3 <= 1 / 4 * s ^ 3) by (apply Rmult_le_compat_r; lra).
        assert (E4 : s ^ 2 <= 1) by nra. assert (E5 : s ^ 3 <= s) by (replace (s ^ 3) with (s * s ^ 2) by ring; nra).
        assert (E6 : 1 - (1 - s) / 4 <= 1 - (1 - s) * b / 2) by nra.
        assert (E7 : 1 / 2 * (1 - (1 - s) / 4) <= q * (1 - (1 - s) * b / 2)) by (apply Rmult_le_compat; lra). lra. }
      lra.
    - unfold weight, short_c, Paper.xi. fold s. replace (rho * alpha) with (b * (1 - s)) by (unfold b, s; field; lra). unfold b. field.
      assert (nu * 2 - (1 - s) * rho <> 0) by (intros H; assert (b * nu = rho) by (unfold b; field; lra); nra).
      repeat split; try lra.
  Qed.
  Lemma short_first_step copies : start = 1 -> 0 <= copies -> copies <= 2 ->
    (E[ short_potential 1 + (copies * (alpha * (2 - 3 * q) / 2)) * || gradient 0 ||^2 ] <= E[ # ((1 + c_1) * f_0 + short_jump * sigma2) ])%m.
  Proof.
    intros S1 C0 C2. pose proof (Mean 0%nat) as M0. pose proof (Variance 0%nat) as V0. cbv beta in V0. pose proof (x_known _ _ _ _ _ _ _ Run 0%nat) as K0.
    pose proof (grad_known _ _ K0) as K1. pose proof (hat_at 0) as K2. rewrite bar_first in K2.
    pose proof (moved_candidate (x 0%nat) (/ nu) (g 0%nat)) as Mv. pose proof start_gap as Sg.
    pose proof (smooth_above (Rlt_le _ _ rho_pos) whole_convex Sm (x 0%nat) (x 1%nat) I I) as Up. pose proof (lipschitz Sm (x 0%nat) (prox (x 0%nat)) I I) as L.
    rewrite (prox_gradient f grad rho lam Env prox (x 0%nat) rho_pos lam_pos Sm B) in L.
    pose proof (moves 0) as X1. rewrite (z_start _ _ _ _ _ _ _ Run), S1 in X1.
    replace (x 0%nat - / nu * g 0%nat)%v with (bar 1) in Mv.
    2:{ unfold Paper.bar, p. cbn [prev]. rewrite X1. same_vector. field; nz. }
    destruct weight_small as [W0 W1].
    assert (Sp : 0 <= / nu - 2 * weight).
    { replace (/ nu - 2 * weight) with (/ nu * (1 - 2 * (nu * weight))) by (field; lra). apply Rmult_le_pos; [left; sp | lra]. }
    assert (Sv : 0 <= weight + c_1 * alpha) by nn.
    assert (Sl : 0 <= weight + (/ nu - 2 * weight) / (2 * q)) by nn.
    assert (SG : 0 <= lam / 2 * (1 - q) + (1 - q) / nu - weight * (1 - q) ^ 2 - copies * (alpha * (2 - 3 * q) / 2)).
    { replace (lam / 2 * (1 - q) + (1 - q) / nu - weight * (1 - q) ^ 2 - copies * (alpha * (2 - 3 * q) / 2))
        with (/ nu * (nu * lam / 2 * (1 - q) + (1 - q) - nu * weight * (1 - q) ^ 2 - copies / 2 * beta * (2 - 3 * q))) by (field; lra).
      apply Rmult_le_pos; [left; sp|]. set (w := nu * weight) in *. set (b := beta) in *. set (l := q) in *.
      assert (A1 : 2 * l <= nu * lam) by (unfold l; replace (2 * (rho * lam)) with (2 * rho * lam) by ring; apply Rmult_le_compat_r; lra).
      assert (A2 : l * (1 - l) <= nu * lam / 2 * (1 - l)) by (apply Rmult_le_compat_r; lra).
      assert (A3 : w * (1 - l) ^ 2 <= 5 / 12 * (1 - l) ^ 2) by (apply Rmult_le_compat_r; [apply pow_le; lra | exact W1]).
      assert (A4 : copies / 2 * b <= 1) by nra. assert (A5 : copies / 2 * b * (2 - 3 * l) <= 1 * (2 - 3 * l)) by (apply Rmult_le_compat_r; lra).
      clearbody l b w. nra. }
    rewrite bar_first. unfold short_potential. rewrite c_1_is. set (e1 := Env (bar 1)) in *. set (e0 := Env (x 0%nat)) in *.
    assert (Hj : short_jump = weight + c_1 * alpha) by (unfold short_jump, weight, Paper.xi; field; nz). rewrite Hj.
    set (w := weight) in *. assert (Hw : w = bend / (2 * nu ^ 2) + c_1 * xi / 2) by reflexivity. clearbody w.
    set (c := c_1) in *. clearbody c. set (y := xi) in *. assert (Hy : y = (1 - beta) / nu) by reflexivity. clearbody y.
    unfold env_gradient in *. set (h := prox (x 0%nat)) in *. set (s := grad (x 0%nat)) in *. set (f1 := f (x 1%nat)) in *. unfold Paper.d. cbn [prev].
    rewrite X1 in Up |- *. set (G := ((/ lam) * (x 0%nat - h))%v) in *.
    certificate {{ (1, Mv) ; (1, Sg) ; (c, Up) ; (w + c * alpha, V0) ; ((/ nu - 2 * w) * (q / 2), square_nn (G + (/ q) * (s - G))%v) ;
        (w + (/ nu - 2 * w) / (2 * q), L) ;
        (lam / 2 * (1 - q) + (1 - q) / nu - w * (1 - q) ^ 2 - copies * (alpha * (2 - 3 * q) / 2), square_nn G) }}
      {{ (1 + c, First) }} {{ (M0, ((/ nu) * G - (2 * w + c * alpha) * s)%v) }}.
    rewrite Hw. field; nz.
  Qed.

  (** *** The sums: both starts, both ranges of k* *)
  Let fall_pos : 0 < alpha * (2 - 3 * q) / 2. Proof. assert (0 < 2 - 3 * q) by lra. sp. Qed.
  Local Notation bound spent K := (((1 + c_1) * f_0 + spent - (1 + c_1) * f_star + INR K * short_noise) / (alpha * (2 - 3 * q) / 2 * INR (K + 1))).
  Lemma short_at_rest K : start = beta -> (uniform K (fun k => || gradient k ||^2) <= # (bound short_noise K))%m.
  Proof.
    intros S0. eapply le_number.
    - apply mean_of_steps with (a := short_potential) (b0 := (1 + c_1) * f_0); [exact fall_pos | | | apply short_last].
      + intros k. apply in_total with (before k), short_step. now apply momentum_at_rest.
      + pose proof (short_first 0 ltac:(lra) ltac:(lra)) as H. set (a := short_potential 0) in *. set (G := gradient 0) in *.
        balance {{ (1, H) }} {{ }} {{ }}.
    - right. f_equal. replace (K + 1)%nat with (S K) by lia. rewrite S_INR. ring.
  Qed.
  Lemma short_at_rest_shifted K : start = beta -> (uniform K (fun k => || gradient (pred k) ||^2) <= # (bound 0 K))%m.
  Proof.
    intros S0. rewrite Rplus_0_r. apply mean_of_later_steps with (a := fun k => short_potential (pred k)); [exact fall_pos | | | apply short_last].
    - intros k Hk. destruct k as [|k]; [lia|]. cbn [pred]. apply in_total with (before k), short_step. now apply momentum_at_rest.
    - cbn [pred]. apply short_first; lra.
  Qed.
  Lemma short_printed K : start = 1 -> (uniform K (fun k => || gradient k ||^2) <= # (bound (short_jump * sigma2) K))%m.
  Proof.
    intros S1. apply mean_of_later_steps with (a := short_potential); [exact fall_pos | | | apply short_last].
    - intros k Hk. apply in_total with (before k), short_step. now apply momentum_later.
    - pose proof (short_first_step 1 S1 ltac:(lra) ltac:(lra)) as H. rewrite Rmult_1_l in H. exact H.
  Qed.
  Lemma short_printed_shifted K : start = 1 -> (uniform K (fun k => || gradient (pred k) ||^2) <= # (bound (short_jump * sigma2) K))%m.
  Proof.
    intros S1. set (w := alpha * (2 - 3 * q) / 2) in *.
    apply mean_of_later_steps with (a := fun k => match k with S (S j) => short_potential (S j) | _ => (short_potential 1 + w * || gradient 0 ||^2)%m end);
      [exact fall_pos | | |].
    - intros k Hk. destruct k as [|[|k]]; [lia | |].
      + cbn [pred]. set (a := short_potential 1). set (G := gradient 0). balance {{ (1, number_nn _ noise_nn) }} {{ }} {{ }}.
      + cbn [pred]. apply in_total with (before (S k)), short_step, momentum_later. lia.
    - cbn [pred]. pose proof (short_first_step 2 S1 ltac:(lra) ltac:(lra)) as H. fold w in H.
      set (a := short_potential 1) in *. set (G := gradient 0) in *. clearbody w. balance {{ (1, H) }} {{ }} {{ }}.
    - destruct K as [|K]; cbn [Nat.add]; [|rewrite Nat.add_1_r; apply short_last]. pose proof (short_last 1) as H.
      set (a := short_potential 1) in *. set (G := gradient 0) in *. assert (0 < w) by exact fall_pos. clearbody w.
      balance {{ (1, H) ; (w, square_nn G) }} {{ }} {{ }}.
  Qed.
End OneStep.

Section Theorem_3_short.
  Context {P : Setting} (f Env : V -> M) (grad prox : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 lam alpha_0 f_0 f_star : R) (K : nat).

  (** As for Theorem 3, with alpha_0 up to 1/(2 rho) *)
  Record free_run alpha nu start : Prop := {
    free_ranges : 0 < rho /\ 0 <= sigma2 /\ 0 < alpha_0 /\ alpha_0 <= 1 / (2 * rho);
    free_lambda : 0 < lam /\ 3 * rho / 2 < / lam /\ / lam <= 2 * rho;
    free_smooth : smooth whole rho f grad;
    free_envelope : moreau whole f lam Env prox;
    free_method : heavy_ball whole alpha (nu * alpha) start x z g;
    free_mean : forall k, mean_given (before k) (g k) (grad (x k));
    free_variance : A3 sigma2 g (fun k => grad (x k));
    free_grad_known : keeps_known grad;
    free_start : (f (x O) == # f_0)%m;
    free_below : forall u, (# f_star <= f u)%m
  }.
  Lemma unconstrained_is_free alpha nu start :
    unconstrained_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu start -> free_run alpha nu start.
  Proof.
    intros [[Hr [Hs [Ha Ha4]]] Hl Sm B Run M1 V1 Gk F0 Fb]. split; auto. repeat split; auto.
    apply Rle_trans with (1 := Ha4). unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra.
  Qed.

  Let N := sqrt (INR (K + 1)).
  Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha.
  Let facts : 0 < rho -> 0 < alpha_0 -> alpha_0 <= 1 / (2 * rho) ->
    1 <= N /\ INR (K + 1) = N * N /\ 0 < alpha /\ 0 < nu /\ nu * alpha <= 1 /\ 2 * rho <= nu /\ beta = / N /\ 0 < / N /\ rho * alpha_0 <= 1 / 2.
  Proof.
    intros Hr Ha Ha2. pose proof (root_at_least_1 K) as HN. fold N in HN. pose proof (root_squared K) as HK. fold N in HK.
    assert (Hi : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hb : beta = / N) by (unfold beta, nu, alpha; field; lra).
    assert (H2 : rho * alpha_0 <= 1 / 2).
    { apply Rmult_le_compat_l with (r := rho) in Ha2; [|lra]. replace (rho * (1 / (2 * rho))) with (1 / 2) in Ha2 by (field; lra). exact Ha2. }
    assert (Hn : 2 * rho <= nu) by (unfold nu; apply Rmult_le_reg_r with alpha_0; [lra|]; rewrite Rinv_l by lra; lra).
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp). repeat split; try assumption; try (fold beta; lra); lra.
  Qed.
  (** The constants of the shorter proof are below those of the theorem *)
  Let constants : 0 < rho -> 0 < alpha_0 -> alpha_0 <= 1 / (2 * rho) -> 0 < lam -> 3 * rho / 2 < / lam -> / lam <= 2 * rho ->
    let c := @short_c rho alpha nu lam in
    0 <= c /\ c <= alpha_0 ^ 2 / lam ^ 2 /\ lam * (rho / (1 + rho * lam) + c * nu * (1 + beta)) <= 2 / 5 + alpha_0 / lam.
  Proof.
    intros Hr Ha Ha2 Hl L1 L2 c. destruct (facts Hr Ha Ha2) as (HN & HK & Pa & Pn & Hb & Hn & Hbi & Hi & H2).
    set (q := rho * lam). set (b := rho * alpha_0) in *. set (s := 1 - beta).
    assert (Q0 : 1 / 2 <= q) by (unfold q; apply Rmult_le_reg_r with (/ lam); [sp|]; replace (rho * lam * / lam) with rho by (field; lra); lra).
    assert (Q1 : q < 2 / 3) by (unfold q; apply Rmult_lt_reg_r with (/ lam); [sp|]; replace (rho * lam * / lam) with rho by (field; lra); lra).
    assert (B0 : 0 < b) by (unfold b; sp). assert (S0 : 0 <= s <= 1) by (unfold s; fold beta in Hb; lra). destruct S0 as [S0 S1].
    assert (D : 3 / 4 + s / 4 <= 1 - (1 - s) * b / 2) by nra.
    assert (Ec : c = b ^ 2 / q ^ 2 * (q * s ^ 2 / (1 - (1 - s) * b / 2))).
    { unfold c, short_c, xi. fold beta. fold s. replace (rho * alpha) with (b * (1 - s)) by (unfold b, s, beta, nu, alpha; field; lra).
      replace (1 - b * (1 - s) / 2) with (1 - (1 - s) * b / 2) by field. set (T := 1 - (1 - s) * b / 2) in *. assert (T <> 0) by lra. clearbody T.
      unfold b, q, nu. field. repeat split; lra. }
    assert (S2 : 0 <= s ^ 2 <= s) by nra. destruct S2 as [S2 S3].
    assert (E1 : q * s ^ 2 / (1 - (1 - s) * b / 2) <= 1).
    { apply Rmult_le_reg_r with (1 - (1 - s) * b / 2); [lra|]. replace (q * s ^ 2 / (1 - (1 - s) * b / 2) * (1 - (1 - s) * b / 2)) with (q * s ^ 2) by (field; lra).
      assert (q * s ^ 2 <= 2 / 3 * s) by (apply Rmult_le_compat; lra). lra. }
    assert (E2 : q * s ^ 2 * (2 - s) / (1 - (1 - s) * b / 2) <= 1).
    { apply Rmult_le_reg_r with (1 - (1 - s) * b / 2); [lra|]. replace (q * s ^ 2 * (2 - s) / (1 - (1 - s) * b / 2) * (1 - (1 - s) * b / 2)) with (q * s ^ 2 * (2 - s)) by (field; lra).
      assert (s ^ 2 * (2 - s) <= 1) by nra. assert (0 <= s ^ 2 * (2 - s)) by (assert (0 <= 2 - s) by lra; nn).
      assert (q * (s ^ 2 * (2 - s)) <= 2 / 3 * 1) by (apply Rmult_le_compat; lra). lra. }
    assert (Eb : b ^ 2 / q ^ 2 = alpha_0 ^ 2 / lam ^ 2) by (unfold b, q; field; lra).
    assert (Bq : 0 <= b ^ 2 / q ^ 2) by (assert (0 < q) by lra; nn). split; [|split].
    - rewrite Ec. assert (0 <= q * s ^ 2 / (1 - (1 - s) * b / 2)) by (apply quotient_nonneg; [assert (0 <= q) by lra; nn | lra]). nn.
    - rewrite <- Eb, Ec. rewrite <- (Rmult_1_r (b ^ 2 / q ^ 2)) at 2. apply Rmult_le_compat_l; assumption.
    - replace (lam * (rho / (1 + q) + c * nu * (1 + beta))) with (q / (1 + q) + b / q * (q * s ^ 2 * (2 - s) / (1 - (1 - s) * b / 2))).
      + assert (q / (1 + q) <= 2 / 5) by (apply Rmult_le_reg_r with (1 + q); [lra|]; replace (q / (1 + q) * (1 + q)) with q by (field; lra); lra).
        assert (0 < b / q) by (apply Rdiv_lt_0_compat; lra). replace (alpha_0 / lam) with (b / q) by (unfold b, q; field; lra).
        rewrite <- (Rmult_1_r (b / q)) at 2. apply Rplus_le_compat; [assumption | apply Rmult_le_compat_l; [left; assumption | exact E2]].
      + rewrite Ec. replace (1 + beta) with (2 - s) by (unfold s; ring). set (T := 1 - (1 - s) * b / 2) in *. assert (T <> 0) by lra. clearbody T s. unfold b, q, nu. field.
        repeat split; try lra; assert (0 < rho * lam) by sp; lra.
  Qed.
  Let finish start (Y : M) spent t : free_run alpha nu start ->
    (Y <= # (((1 + @short_c rho alpha nu lam) * f_0 + spent - (1 + @short_c rho alpha nu lam) * f_star + INR K * @short_noise rho alpha nu sigma2 lam)
             / (alpha * (2 - 3 * (rho * lam)) / 2 * INR (K + 1))))%m ->
    spent + INR K * @short_noise rho alpha nu sigma2 lam <= t * INR (K + 1) * @short_noise rho alpha nu sigma2 lam -> 0 <= t ->
    (Y <= # (2 * / lam / (2 * / lam - 3 * rho)
       * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + t * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros [[Hr [Hs [Ha Ha2]]] [Hl [L1 L2]] _ _ _ _ _ _ F0 Fb] H Sp T0. destruct (facts Hr Ha Ha2) as (HN & HK & Pa & Pn & Hb & Hn & Hbi & Hi & H2).
    destruct (constants Hr Ha Ha2 Hl L1 L2) as (C0 & C1 & C2). set (c := @short_c rho alpha nu lam) in *.
    assert (G : (# f_star <= # f_0)%m) by (intros A; rewrite <- (F0 A); apply Fb).
    assert (Q1 : rho * lam < 2 / 3) by (apply Rmult_lt_reg_r with (/ lam); [sp|]; replace (rho * lam * / lam) with rho by (field; lra); lra).
    set (n := @short_noise rho alpha nu sigma2 lam) in *.
    set (F := 2 * / lam / (2 * / lam - 3 * rho) / (alpha_0 * N)).
    assert (EF : F = 1 / (alpha * (2 - 3 * (rho * lam)) / 2 * INR (K + 1))) by (unfold F; rewrite HK; unfold alpha; field; repeat split; lra).
    assert (PF : 0 < F) by (rewrite EF, HK; assert (0 < 2 - 3 * (rho * lam)) by lra; sp).
    replace (2 * / lam / (2 * / lam - 3 * rho) * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + t * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N))
      with (F * (1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + F * (t * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)))
      by (unfold F; field; repeat split; lra).
    refine (le_gap_number _ (F * (1 + c)) (F * (spent + INR K * n)) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. rewrite EF. field. split; [rewrite HK; nra | split; [lra|]]. lra.
    - apply Rmult_le_compat_l; lra.
    - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := Sp).
      assert (En : INR (K + 1) * n = alpha_0 ^ 2 * sigma2 / (2 * lam) * (lam * (rho / (1 + rho * lam) + c * nu * (1 + beta)))).
      { rewrite HK. unfold n, short_noise. fold c. fold beta. assert (0 < rho * lam) by sp. clearbody c. unfold alpha. field. repeat split; lra. }
      rewrite Rmult_assoc, En. replace (t * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))
        with (t * (alpha_0 ^ 2 * sigma2 / (2 * lam) * (2 / 5 + alpha_0 / lam))) by (field; lra).
      apply Rmult_le_compat_l; [exact T0|]. apply Rmult_le_compat_l; [nn | exact C2].
  Qed.
  Let noise_nn start : free_run alpha nu start -> 0 <= @short_noise rho alpha nu sigma2 lam.
  Proof.
    intros [[Hr [Hs [Ha Ha2]]] [Hl [L1 L2]] _ _ _ _ _ _ F0 Fb]. destruct (facts Hr Ha Ha2) as (HN & HK & Pa & Pn & Hb & Hn & Hbi & Hi & H2).
    destruct (constants Hr Ha Ha2 Hl L1 L2) as (C0 & _). unfold short_noise. assert (0 < rho * lam) by sp. assert (0 <= 1 + nu * alpha) by (fold beta; lra). nn.
  Qed.

  Lemma better_repaired : free_run alpha nu beta -> forall shift : bool,
    (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
     # (2 * / lam / (2 * / lam - 3 * rho)
        * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + 1 * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros R shift. pose proof (noise_nn _ R) as Nn. pose proof R as [[Hr [Hs [Ha Ha2]]] [Hl [L1 L2]] Sm B Run M1 V1 Gk F0 Fb].
    destruct (facts Hr Ha Ha2) as (HN & HK & Pa & Pn & Hb & Hn & Hbi & Hi & H2). assert (KK : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
    assert (Hlong : rho * alpha <= 3 / 2) by (apply Rle_trans with (nu * alpha); [apply Rmult_le_compat_r; lra | lra]).
    destruct shift.
    - pose proof (short_at_rest_shifted Hr Pa Pn Hb Hl L1 L2 Hlong Sm B Run M1 V1 Gk Hn F0 Fb K eq_refl) as H.
      refine (finish _ _ _ _ R H _ _); [rewrite KK; lra | lra].
    - pose proof (short_at_rest Hr Pa Pn Hb Hl L1 L2 Hlong Sm B Run M1 V1 Gk Hn F0 Fb K eq_refl) as H.
      refine (finish _ _ _ _ R H _ _); [rewrite KK; lra | lra].
  Qed.
  Lemma better_printed : free_run alpha nu 1 -> forall shift : bool,
    (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
     # (2 * / lam / (2 * / lam - 3 * rho)
        * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + 2 * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros R shift. pose proof (noise_nn _ R) as Nn. pose proof R as [[Hr [Hs [Ha Ha2]]] [Hl [L1 L2]] Sm B Run M1 V1 Gk F0 Fb].
    destruct (facts Hr Ha Ha2) as (HN & HK & Pa & Pn & Hb & Hn & Hbi & Hi & H2). assert (KK : INR (K + 1) = INR K + 1) by (rewrite plus_INR; reflexivity).
    assert (Hlong : rho * alpha <= 3 / 2) by (apply Rle_trans with (nu * alpha); [apply Rmult_le_compat_r; lra | lra]).
    assert (J : @short_jump rho alpha nu lam * sigma2 = INR (K + 1) * @short_noise rho alpha nu sigma2 lam).
    { rewrite HK. unfold short_jump, short_noise. fold beta. generalize (@short_c rho alpha nu lam). intros c. assert (0 < rho * lam) by sp.
      unfold alpha. unfold nu. field. repeat split; lra. }
    destruct shift.
    - pose proof (short_printed_shifted Hr Pa Pn Hb Hs Hl L1 L2 Hlong Sm B Run M1 V1 Gk Hn F0 Fb K eq_refl) as H.
      refine (finish _ _ _ _ R H _ _); [rewrite J, KK; lra | lra].
    - pose proof (short_printed Hr Pa Pn Hb Hl L1 L2 Hlong Sm B Run M1 V1 Gk Hn F0 Fb K eq_refl) as H.
      refine (finish _ _ _ _ R H _ _); [rewrite J, KK; lra | lra].
  Qed.
End Theorem_3_short.

(** Theorem 3 with smaller constants, for alpha_0 up to 1/(2 rho); k* is uniform on {0, ..., K}, or ([shift]) on {-1, ..., K-1} *)
Theorem Theorem_3_better {P : Setting} f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star K (shift : bool) :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  free_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
   # (2 * / lam / (2 * / lam - 3 * rho)
      * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
Proof.
  intros N alpha nu beta R. eapply le_number; [exact (better_repaired _ _ _ _ _ _ _ _ _ _ _ _ _ _ R shift)|]. fold N. rewrite Rmult_1_l. apply Rle_refl.
Qed.
Theorem Theorem_3_better_printed_start {P : Setting} f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star K (shift : bool) :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  free_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (if shift then pred k else k)) ||^2) <=
   # (2 * / lam / (2 * / lam - 3 * rho)
      * ((1 + alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + 2 * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
Proof. intros N alpha nu beta R. exact (better_printed _ _ _ _ _ _ _ _ _ _ _ _ _ _ R shift). Qed.

(** Theorem 3, first display, word for word: with the printed start z_0 = g_0 and k* uniform on {-1, ..., K-1} *)
Theorem Theorem_3_as_printed {P : Setting} f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  unconstrained_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (pred k)) ||^2) <=
   # (2 * / lam / (2 * / lam - 3 * rho)
      * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))
      / (alpha_0 * N)))%m.
Proof.
  intros N alpha nu beta R. pose proof (root_at_least_1 K) as HN. fold N in HN.
  pose proof (better_printed _ _ _ _ _ _ _ _ _ _ _ _ _ K (unconstrained_is_free _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) true) as H. fold N alpha nu beta in H.
  destruct R as [[Hr [Hs [Ha Ha4]]] [Hl [L1 L2]] _ _ _ _ _ _ F0 Fb].
  assert (G : (# f_star <= # f_0)%m) by (intros A; rewrite <- (F0 A); apply Fb). set (F := 2 * / lam / (2 * / lam - 3 * rho)) in *.
  assert (PF : 0 < F) by (unfold F; apply Rdiv_lt_0_compat; [sp | lra]). clearbody F.
  replace (F * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N))
    with (F / (alpha_0 * N) * (1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + F / (alpha_0 * N) * ((1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))) by (field; lra).
  refine (le_gap_number _ (F / (alpha_0 * N) * (1 + alpha_0 ^ 2 / lam ^ 2)) (F / (alpha_0 * N) * (2 * (2 / 5 + alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))) _ _ _ _ _ G _ _).
  - eapply le_number; [exact H|]. right. field. lra.
  - same_gap (F / (alpha_0 * N) * (alpha_0 ^ 2 / lam ^ 2)).
  - same_gap (F / (alpha_0 * N) * ((1 / 5 + 6 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))).
Qed.
(** Its second display (lambda = 1/(2 rho)) with the printed start, with alpha_0^2 where the paper prints alpha_0^3 *)
Theorem Theorem_3_second_printed_start {P : Setting} f Env grad prox x z g rho sigma2 alpha_0 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  unconstrained_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (pred k)) ||^2) <=
   # (4 * ((1 + 8 * rho ^ 2 * alpha_0 ^ 2) * (f_0 - f_star) + (rho + 16 * alpha_0 * rho ^ 2) * sigma2 * alpha_0 ^ 2) / (alpha_0 * N)))%m.
Proof.
  intros N alpha nu beta lam H. pose proof (unconstrained_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H) as [Hr [_ [Ha _]]].
  pose proof (root_at_least_1 K) as HN. fold N in HN.
  pose proof (Theorem_3_as_printed _ _ _ _ _ _ _ _ _ _ _ _ _ K H) as T. cbv zeta in T. fold N alpha nu beta in T.
  eapply le_number; [exact T|]. right. unfold lam. rewrite Rinv_inv. field. repeat split; lra.
Qed.
