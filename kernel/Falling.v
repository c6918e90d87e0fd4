(** Theorem 1 with the function that falls given the past (beyond the paper): smaller constants for every alpha_0 up to 2/rho, for both starts;
    and at half the stepsize, alpha_0 = 1/(2 rho). *)
Require Export HeavyBall.Theorem2.
Require Import Lia.
Open Scope R_scope.

Section Falling.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (prox : V -> V) (x z g f' : nat -> V).
  Variables (rho L2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).
  Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha.

  (** c is chosen so that |d_k|^2 cancels *)
  Definition falling_c alpha nu := (xi (nu * alpha) nu ^ 2 / lam ^ 2 + rho * alpha * xi (nu * alpha) nu / lam) / (2 - nu * alpha - (1 - nu * alpha) * (rho * alpha)).
  Definition falling_gamma alpha nu := 1 + falling_c alpha nu * nu * lam.
  Definition falling_gamma_1 alpha nu := 1 + falling_c alpha nu * (1 - nu * alpha) + xi (nu * alpha) nu / lam.

  Let facts : 0 <= rho -> 0 < alpha_0 -> 0 < lam -> rho * alpha_0 <= 2 ->
    1 <= N /\ INR (K + 1) = N * N /\ 0 < alpha /\ 0 < nu /\ beta <= 1 /\ 0 < 2 - beta - (1 - beta) * (rho * alpha) /\ 0 <= falling_c alpha nu /\
    alpha * xi beta nu ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi beta nu / (2 * lam) + falling_c alpha nu * (1 - beta) * rho * alpha ^ 2 / 2
      <= falling_c alpha nu * alpha * (1 - beta / 2).
  Proof.
    intros Hr Ha Hl H2. pose proof (root_at_least_1 K) as HN. fold N in HN. pose proof (root_squared K) as HK. fold N in HK.
    assert (Hi : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hb : beta = / N) by (unfold beta, nu, alpha; field; lra). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Pa : 0 < alpha) by (unfold alpha; sp).
    assert (Hra : 0 <= rho * alpha /\ rho * alpha <= 2).
    { split; [nn|]. unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra). assert (0 <= rho * alpha_0) by nn. nra. }
    assert (Hd : 0 < 2 - beta - (1 - beta) * (rho * alpha)).
    { assert ((1 - beta) * (rho * alpha) <= (1 - beta) * 2) by (apply Rmult_le_compat_l; lra). lra. }
    assert (Hx : 0 <= xi beta nu) by (unfold xi; assert (0 <= 1 - beta) by lra; nn).
    repeat split; try assumption; try lra.
    - unfold falling_c. fold beta. apply quotient_nonneg; [nn | exact Hd].
    - right. unfold falling_c. fold beta. field. repeat split; lra.
  Qed.

  Lemma falling_repaired : rho * alpha_0 <= 2 -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (falling_gamma_1 alpha nu * (f_0 - f_star) + falling_gamma alpha nu * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros H2 [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb]. destruct (facts Hr Ha Hl H2) as (HN & HK & Pa & Pn & Hb & _ & Hc & Hp).
    pose proof (falling_at_rest Hr Pa Pn Hb CX Cf Run M1 M2 Hl Hs B F0 Fb Hc Hp K eq_refl) as H.
    fold beta in H. eapply le_number; [exact H|]. right. rewrite HK. unfold falling_gamma, falling_gamma_1. fold beta.
    set (c := falling_c alpha nu). clearbody c. set (q := xi beta nu). clearbody q. clear H. unfold alpha. field. repeat split; lra.
  Qed.
  Lemma falling_with_printed_start : rho * alpha_0 <= 2 -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (falling_gamma_1 alpha nu * (f_0 - f_star) + (2 - beta ^ 2) * falling_gamma alpha nu * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros H2 [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb]. destruct (facts Hr Ha Hl H2) as (HN & HK & Pa & Pn & Hb & _ & Hc & Hp).
    pose proof (falling_printed Hr Pa Pn Hb CX Cf Run M1 M2 Hl Hs B F0 Fb Hc Hp K eq_refl) as H.
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring).
    fold beta in H. eapply le_number; [exact H|]. right. rewrite HK, Kn. unfold falling_gamma, falling_gamma_1. fold beta.
    set (c := falling_c alpha nu). clearbody c. clear H. unfold xi, beta, nu, alpha. field. repeat split; lra.
  Qed.
End Falling.

Theorem Theorem_1_falling {P : Setting} X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let c := (xi beta nu ^ 2 / lam ^ 2 + rho * alpha * xi beta nu / lam) / (2 - beta - (1 - beta) * (rho * alpha)) in
  rho * alpha_0 <= 2 -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
   # (2 * ((1 + c * (1 - beta) + xi beta nu / lam) * (f_0 - f_star) + (1 + c * nu * lam) * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
Proof. intros N alpha nu beta c H2 R. exact (falling_repaired _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H2 R). Qed.
(** With the printed start the first step counts once more *)
Theorem Theorem_1_falling_printed_start {P : Setting} X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let c := (xi beta nu ^ 2 / lam ^ 2 + rho * alpha * xi beta nu / lam) / (2 - beta - (1 - beta) * (rho * alpha)) in
  rho * alpha_0 <= 2 -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
   # (2 * ((1 + c * (1 - beta) + xi beta nu / lam) * (f_0 - f_star) + (2 - beta ^ 2) * (1 + c * nu * lam) * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
Proof. intros N alpha nu beta c H2 R. exact (falling_with_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H2 R). Qed.

(** At half the stepsize: the factor 10 stays, and the noise has 3/2, or 3 with the printed start *)
Section Half_step.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (prox : V -> V) (x z g f' : nat -> V).
  Variables (rho L2 f_0 f_star : R) (K : nat).
  Hypothesis rho_pos : 0 < rho.
  Let N := sqrt (INR (K + 1)).
  Let alpha_0 := / (2 * rho). Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha. Let lam := / (2 * rho).
  Let s := 1 - / N.
  Let N_at_least_1 : 1 <= N. Proof. apply root_at_least_1. Qed.
  Let s_range : 0 <= s /\ s <= 1.
  Proof.
    unfold s. assert (0 < / N) by (apply Rinv_0_lt_compat; lra).
    assert (/ N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra.
  Qed.
  Let beta_is : beta = 1 - s. Proof. unfold beta, nu, alpha, alpha_0, s. field. lra. Qed.
  Let alpha_is : alpha = (1 - s) / (2 * rho). Proof. unfold alpha, alpha_0, s. field. lra. Qed.
  Let c_is : falling_c rho lam alpha nu = s * (1 + s) / (2 + s + s ^ 2).
  Proof.
    assert (2 + s + s ^ 2 <> 0) by nra. unfold falling_c, xi. fold beta. rewrite beta_is, alpha_is. unfold nu, lam, alpha_0. field. repeat split; try lra.
  Qed.
  Let gap start : nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu start -> (# f_star <= # f_0)%m.
  Proof. intros [_ _ _ _ Run _ _ F0 Fb] A. rewrite <- (F0 A). apply Fb, Run. Qed.

  Lemma half_step : nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 / 2 * L2) / N))%m.
  Proof.
    intros Q. assert (H2 : rho * alpha_0 <= 2) by (unfold alpha_0; replace (rho * / (2 * rho)) with (/ 2) by (field; lra); lra).
    pose proof (gap _ Q) as G. pose proof (falling_repaired _ _ _ _ _ _ _ _ _ _ _ _ _ _ K H2 Q) as H. fold N alpha nu beta in H.
    destruct Q as [[_ [HL _]] _ _ _ _ _ _ _ _]. destruct s_range as [S0 S1]. assert (D : 0 < 2 + s + s ^ 2) by sp. assert (S2 : 0 <= 1 - s) by lra.
    replace ((10 * rho * (f_0 - f_star) + 3 / 2 * L2) / N) with (10 * rho / N * (f_0 - f_star) + 3 / 2 * L2 / N) by (field; lra).
    refine (le_gap_number _ (rho / N * (4 * (1 + s * (1 + s) / (2 + s + s ^ 2) * s + s))) (L2 / N * (1 + s * (1 + s) / (2 + s + s ^ 2))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. unfold falling_gamma, falling_gamma_1. rewrite c_is. unfold xi. fold beta. rewrite beta_is.
      clearbody s. clear - rho_pos N_at_least_1 D. unfold nu, lam, alpha_0. clearbody N. field. repeat split; lra.
    - same_gap (rho / N * (4 * (1 - s) * (3 + 5 / 2 * s + 2 * s ^ 2) / (2 + s + s ^ 2))).
    - same_gap (L2 / N * ((1 - s) * (2 + s) / 2 / (2 + s + s ^ 2))).
  Qed.
  Lemma half_step_with_printed_start : nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 * L2) / N))%m.
  Proof.
    intros Q. assert (H2 : rho * alpha_0 <= 2) by (unfold alpha_0; replace (rho * / (2 * rho)) with (/ 2) by (field; lra); lra).
    pose proof (gap _ Q) as G. pose proof (falling_with_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ _ K H2 Q) as H. fold N alpha nu beta in H.
    destruct Q as [[_ [HL _]] _ _ _ _ _ _ _ _]. destruct s_range as [S0 S1]. assert (D : 0 < 2 + s + s ^ 2) by sp. assert (S2 : 0 <= 1 - s) by lra.
    replace ((10 * rho * (f_0 - f_star) + 3 * L2) / N) with (10 * rho / N * (f_0 - f_star) + 3 * L2 / N) by (field; lra).
    refine (le_gap_number _ (rho / N * (4 * (1 + s * (1 + s) / (2 + s + s ^ 2) * s + s)))
      (L2 / N * ((2 - (1 - s) ^ 2) * (1 + s * (1 + s) / (2 + s + s ^ 2)))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. unfold falling_gamma, falling_gamma_1. rewrite c_is. unfold xi. fold beta. rewrite beta_is.
      clearbody s. clear - rho_pos N_at_least_1 D. unfold nu, lam, alpha_0. clearbody N. field. repeat split; lra.
    - same_gap (rho / N * (4 * (1 - s) * (3 + 5 / 2 * s + 2 * s ^ 2) / (2 + s + s ^ 2))).
    - assert (S3 : 0 <= 4 + s - 2 * s ^ 3) by nra. same_gap (L2 / N * ((1 - s) * (4 + s - 2 * s ^ 3) / (2 + s + s ^ 2))).
  Qed.
End Half_step.

Theorem Theorem_1_half_step {P : Setting} X f Env prox x z g f' rho L2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha_0 := / (2 * rho) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  0 < rho -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 / 2 * L2) / N))%m.
Proof. intros N alpha_0 alpha nu beta lam Hr R. exact (half_step _ _ _ _ _ _ _ _ _ _ _ _ _ Hr R). Qed.
Theorem Theorem_1_half_step_printed_start {P : Setting} X f Env prox x z g f' rho L2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha_0 := / (2 * rho) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  0 < rho -> nonsmooth_run X f Env prox x z g f' rho L2 lam alpha_0 f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 * L2) / N))%m.
Proof. intros N alpha_0 alpha nu beta lam Hr R. exact (half_step_with_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ Hr R). Qed.
