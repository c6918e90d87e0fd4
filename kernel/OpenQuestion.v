(** Beyond the paper: Theorem 2 without a bound on the gradient.  (The paper leaves it open whether that bound can be dropped.)

    For every K, with z_0 = beta g_0; and with the printed start z_0 = g_0, where the gradient at x_0 enters, and no other. *)
Require Export HeavyBall.Energy.
Require Import Lia.
Open Scope R_scope.

Section Theorem_2_unbounded.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox proj : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).

  (** As for Theorem 2, without a bound on the gradient; z_0 = [start] g_0 *)
  Record unbounded_run alpha nu start : Prop := {
    unbounded_ranges : 0 < rho /\ 0 <= sigma2 /\ 0 < alpha_0 /\ rho * alpha_0 < 2 /\ 0 < lam /\ 2 * rho <= / lam;
    unbounded_set_convex : convex_set X;
    unbounded_projection : forall y, is_projection X y (proj y);
    unbounded_smooth : smooth X rho f grad;
    unbounded_maps : keeps_known proj /\ keeps_known grad;
    unbounded_envelope : moreau X f lam Env prox;
    unbounded_method : heavy_ball X alpha (nu * alpha) start x z g;
    unbounded_mean : forall k, mean_given (before k) (g k) (grad (x k));
    unbounded_variance : A3 sigma2 g (fun k => grad (x k));
    unbounded_start_value : (f (x O) == # f_0)%m;
    unbounded_below : forall u, X u -> (# f_star <= f u)%m
  }.

  (** c is chosen so that |d_{k+1}|^2 cancels *)
  Definition energy_c alpha nu := (xi (nu * alpha) nu ^ 2 / lam ^ 2 + rho * alpha / (lam * nu)) / (2 - rho * alpha).
  Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha.
  Let facts : 0 < rho -> 0 < alpha_0 -> 0 < lam -> rho * alpha_0 < 2 ->
    1 <= N /\ INR (K + 1) = N * N /\ 0 < alpha /\ 0 < nu /\ beta <= 1 /\ 0 <= energy_c alpha nu /\
    xi beta nu ^ 2 / lam ^ 2 + rho * alpha / (lam * nu) <= energy_c alpha nu * (2 - rho * alpha).
  Proof.
    intros Hr Ha Hl H2. pose proof (root_at_least_1 K) as HN. fold N in HN. pose proof (root_squared K) as HK. fold N in HK.
    assert (Hi : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hb : beta = / N) by (unfold beta, nu, alpha; field; lra). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Pa : 0 < alpha) by (unfold alpha; sp).
    assert (Hq : rho * alpha < 2).
    { unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra). assert (0 < rho * alpha_0) by sp. nra. }
    assert (Hx : 0 <= xi beta nu) by (unfold xi; assert (0 <= 1 - beta) by lra; nn).
    repeat split; try assumption; try lra.
    - unfold energy_c. fold beta. apply quotient_nonneg; [nn | lra].
    - right. unfold energy_c. fold beta. field. repeat split; lra.
  Qed.

  Theorem Theorem_2_without_bounded_gradient :
    let c := energy_c alpha nu in
    unbounded_run alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (1 + 1 / (lam * nu) + c) / (alpha_0 * N) * (f_0 - f_star) + alpha_0 / (lam * N) * (1 + c * lam * nu * (1 + beta)) * sigma2))%m.
  Proof.
    intros c [[Hr [Hs [Ha [Hra [Hl Hl2]]]]] CX Pj Sm [Kp Kg] B Run M1 V1 F0 Fb]. destruct (facts Hr Ha Hl Hra) as (HN & HK & Pa & Pn & Hb & Hc & Hp).
    pose proof (sum_energy (Rlt_le _ _ Hr) Pa Pn Hb Hl Hl2 CX Sm B Run M1 V1 Pj Kp Kg Hc Hp F0 Fb K eq_refl) as H. fold beta c in H.
    eapply le_number; [exact H|]. right. rewrite HK. unfold energy_noise. fold beta. clearbody c. unfold alpha at 1 2. field. repeat split; lra.
  Qed.
  (** A bound without the noise of the last step, for alpha >= lambda *)
  Lemma Theorem_2_short :
    let c := energy_c alpha nu in lam <= alpha ->
    unbounded_run alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (1 + 1 / (lam * nu) + c) / (lam * N ^ 2) * (f_0 - f_star)
        + (N ^ 2 - 1) * alpha ^ 2 / (lam ^ 2 * N ^ 2) * (1 + c * lam * nu * (1 + beta)) * sigma2))%m.
  Proof.
    intros c Long [[Hr [Hs [Ha [Hra [Hl Hl2]]]]] CX Pj Sm [Kp Kg] B Run M1 V1 F0 Fb]. destruct (facts Hr Ha Hl Hra) as (HN & HK & Pa & Pn & Hb & Hc & Hp).
    pose proof (sum_energy_short (Rlt_le _ _ Hr) Pa Pn Hb Hl Hl2 CX Sm B Run M1 V1 Pj Kp Kg Hc Hp F0 Fb K eq_refl Long) as H. fold beta c in H.
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring).
    eapply le_number; [exact H|]. right. rewrite HK, Kn. unfold energy_noise. fold beta. clearbody c. field. repeat split; lra.
  Qed.
  (** The printed start: J is what its first sample costs, and |grad f(x_0)|^2 is at most [slope2] *)
  Theorem Theorem_2_without_bounded_gradient_printed_start slope2 :
    let c := energy_c alpha nu in let J := 1 / (2 * lam * nu ^ 2) + c * (1 + beta) / (2 * nu) in
    unbounded_run alpha nu 1 -> (|| grad (x O) ||^2 <= # slope2)%m ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (1 + 1 / (lam * nu) + c) / (alpha_0 * N) * (f_0 - f_star)
        + 2 / (alpha_0 * N) * ((alpha_0 ^ 2 - alpha ^ 2) / (2 * lam) * (1 + c * lam * nu * (1 + beta)) + J) * sigma2
        + 2 / (alpha_0 * N) * (J - (1 / (lam * nu) + c) * alpha / 2) * slope2))%m.
  Proof.
    intros c J [[Hr [Hs [Ha [Hra [Hl Hl2]]]]] CX Pj Sm [Kp Kg] B Run M1 V1 F0 Fb] Sl. destruct (facts Hr Ha Hl Hra) as (HN & HK & Pa & Pn & Hb & Hc & Hp).
    pose proof (sum_energy_printed (Rlt_le _ _ Hr) Pa Pn Hb Hl Hl2 CX Sm B Run M1 V1 Pj Kp Kg Hc Hp F0 Fb Sl K eq_refl) as H. fold beta c in H.
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring).
    eapply le_number; [exact H|]. right. rewrite HK, Kn. unfold energy_noise, energy_slope. change (@energy_jump alpha nu lam c) with J. fold beta.
    clearbody J c. unfold alpha. field. repeat split; lra.
  Qed.
End Theorem_2_unbounded.

(** The gradient at the start, for every outcome: no sample is used.  It is the case of a single step. *)
Lemma bar_at_start {P : Setting} b x : b <> 0 -> bar b x 0 = x 0%nat.
Proof. intros H0. unfold bar, p. cbn [prev]. same_vector. field. assumption. Qed.
Theorem first_gradient {P : Setting} X f Env grad prox x rho beta f_star : let lam := / (2 * rho) in
  0 < rho -> 0 < beta -> convex_set X -> smooth X rho f grad -> moreau X f lam Env prox ->
  X (x O) -> (forall u, X u -> (# f_star <= f u)%m) ->
  (|| env_gradient lam prox (bar beta x O) ||^2 <= (8 / 3 * rho) * (f (x O) - # f_star))%m.
Proof.
  intros lam Hr Hb CX Sm B Hx Fb. rewrite (bar_at_start beta x) by lra. assert (Hl : 0 < lam) by (unfold lam; sp).
  pose proof (strong_convexity CX (smooth_weakly_convex (Rlt_le _ _ Hr) CX Sm) Hl B (x O) (x O) Hx) as S. pose proof (env_at _ _ _ _ _ B (x O)) as Ha.
  pose proof (Fb _ (prox_in _ _ _ _ _ B (x O))) as B1. unfold env_gradient. set (h := prox (x O)) in *. unfold lam in *.
  balance {{ (8 / 3 * rho, S) ; (8 / 3 * rho, B1) }} {{ (- (8 / 3 * rho), Ha) }} {{ }}.
Qed.
Lemma first_gradient_mean {P : Setting} X f Env grad prox proj x z g rho sigma2 alpha_0 f_0 f_star alpha nu start :
  unbounded_run X f Env grad prox proj x z g rho sigma2 (/ (2 * rho)) alpha_0 f_0 f_star alpha nu start ->
  (E[ || env_gradient (/ (2 * rho)) prox (x O) ||^2 ] <= # (8 / 3 * rho * (f_0 - f_star)))%m.
Proof.
  intros [[Hr _] CX _ Sm _ B Run _ _ F0 Fb].
  pose proof (first_gradient X f Env grad prox x rho 1 f_star Hr ltac:(lra) CX Sm B (x_start _ _ _ _ _ _ _ Run) Fb) as F.
  rewrite (bar_at_start 1 x) in F by lra. set (G := env_gradient (/ (2 * rho)) prox (x O)) in *.
  assert (L : (E[ || G ||^2 ] <= E[ # (8 / 3 * rho * (f_0 - f_star)) ])%m) by balance {{ (1, F) }} {{ (8 / 3 * rho, F0) }} {{ }}.
  intros A. rewrite <- (E_number Trivial _ A). apply L.
Qed.

(** *** Without parameters: lambda = 1/(2 rho) *)
Lemma le_two_gap_numbers {P : Setting} Y a0 b0 a1 b1 w a b u v : 0 <= w -> w <= 1 ->
  (Y <= # (a0 * (u - v) + b0))%m -> (Y <= # (a1 * (u - v) + b1))%m -> (# v <= # u)%m ->
  (1 - w) * a0 + w * a1 <= a -> (1 - w) * b0 + w * b1 <= b -> (Y <= # (a * (u - v) + b))%m.
Proof.
  intros W0 W1 H0 H1 G La Lb. refine (le_gap_number Y ((1 - w) * a0 + w * a1) ((1 - w) * b0 + w * b1) a b u v _ G La Lb).
  intros A. specialize (H0 A). specialize (H1 A). rewrite on_scal in *. set (y := on A Y) in *. set (o := on A one) in *.
  apply Rmult_le_compat_l with (r := 1 - w) in H0; [|lra]. apply Rmult_le_compat_l with (r := w) in H1; [|lra]. lra.
Qed.

(** alpha_0 = 1/rho, z_0 = beta g_0, every K.  (For K = 0 it is [first_gradient]; for K = 1, 2 seven tenths of the whole sum and three tenths
    of the sum without its last step.) *)
(** a bound for a single step, K = 0, from [first_gradient] *)
Lemma single_step {P : Setting} b lam prox x a : b <> 0 -> (E[ || env_gradient lam prox (x O) ||^2 ] <= # a)%m ->
  (uniform 0 (fun k => || env_gradient lam prox (bar b x k) ||^2) <= # a)%m.
Proof.
  intros Hb F A. unfold uniform. cbn [Nat.add msum]. rewrite on_scal, on_add, on_zero, (bar_at_start b x Hb). change (INR 1) with 1. specialize (F A). lra.
Qed.

Section Ten_and_four.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox proj : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).
  Let alpha := / rho / N. Let nu := / / rho. Let beta := nu * alpha. Let lam := / (2 * rho).
  Local Notation run start := (unbounded_run X f Env grad prox proj x z g rho sigma2 lam (/ rho) f_0 f_star alpha nu start).
  Local Notation mean := (uniform K (fun k => inner (env_gradient lam prox (bar beta x k)) (env_gradient lam prox (bar beta x k)))).
  Let u := / N. (* beta *)
  Let C := (4 - 6 * u + 4 * u ^ 2) / (2 - u).
  Let N_at_least_1 : 1 <= N. Proof. apply root_at_least_1. Qed.
  Let u_range : 0 < u /\ u <= 1.
  Proof. unfold u. split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. Qed.
  Let gap start : run start -> (# f_star <= # f_0)%m.
  Proof. intros [_ _ _ _ _ _ Run _ _ F0 Fb] A. rewrite <- (F0 A). apply Fb, Run. Qed.
  Let c_is : 0 < rho -> energy_c rho lam alpha nu = C.
  Proof.
    intros Hr. destruct u_range as [U0 U1]. unfold C. assert (E0 : beta = u) by (unfold beta, nu, alpha, u; field; lra).
    assert (E1 : alpha = u / rho) by (unfold alpha, u; field; lra). unfold energy_c, xi. fold beta. rewrite E0, E1. unfold nu, lam. field. repeat split; lra.
  Qed.
  Let beta_is : 0 < rho -> beta = u. Proof. intros Hr. unfold beta, nu, alpha, u. field. lra. Qed.
  Let N_is : N = / u. Proof. unfold u. now rewrite Rinv_inv. Qed.

  Let whole_sum : run beta -> (mean <= # (2 * rho * u * (3 + C) * (f_0 - f_star) + 2 * u * (1 + C * (1 + u) / 2) * sigma2))%m.
  Proof.
    intros R. pose proof (proj1 (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R)) as Hr.
    pose proof (Theorem_2_without_bounded_gradient _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ K R) as H. cbv zeta in H. fold N alpha nu beta in H.
    eapply le_number; [exact H|]. right. rewrite (c_is Hr), (beta_is Hr). destruct u_range as [U0 U1]. rewrite N_is. unfold nu, lam.
    generalize C. intros c. field. repeat split; lra.
  Qed.
  Let short_sum : N <= 2 -> run beta ->
    (mean <= # (4 * rho * u ^ 2 * (3 + C) * (f_0 - f_star) + 4 * (u ^ 2 - u ^ 4) * (1 + C * (1 + u) / 2) * sigma2))%m.
  Proof.
    intros HN R. pose proof (proj1 (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R)) as Hr. destruct u_range as [U0 U1].
    assert (E1 : alpha = u / rho) by (unfold alpha, u; field; lra).
    assert (HU : / 2 <= u) by (unfold u; apply Rinv_le_contravar; lra).
    assert (L : lam <= alpha).
    { rewrite E1. unfold lam. replace (/ (2 * rho)) with (/ 2 * / rho) by (field; lra). apply Rmult_le_compat_r; [left; sp | lra]. }
    pose proof (Theorem_2_short _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ K L R) as H. cbv zeta in H. fold N alpha nu beta in H.
    eapply le_number; [exact H|]. right. rewrite (c_is Hr), (beta_is Hr), E1. rewrite N_is. unfold nu, lam.
    generalize C. intros c. field. repeat split; lra.
  Qed.

  Lemma ten_and_four : run beta -> (mean <= # ((10 * rho * (f_0 - f_star) + 4 * sigma2) / N))%m.
  Proof.
    intros R. pose proof (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as [Hr [Hs _]]. pose proof (gap _ R) as G. destruct u_range as [U0 U1].
    replace ((10 * rho * (f_0 - f_star) + 4 * sigma2) / N) with (10 * rho * u * (f_0 - f_star) + 4 * u * sigma2) by (unfold u; field; lra).
    assert (D : 0 < 2 - u) by lra.
    assert (Small : forall w, 0 <= w -> w <= 1 -> N <= 2 ->
      ((1 - w) * 2 + w * 4 * u) * (10 - 9 * u + 4 * u ^ 2) <= 10 * (2 - u) ->
      ((1 - w) * 2 + w * 4 * (u - u ^ 3)) * (4 - 2 * u - u ^ 2 + 2 * u ^ 3) <= 4 * (2 - u) ->
      (mean <= # (10 * rho * u * (f_0 - f_star) + 4 * u * sigma2))%m).
    { intros w W0 W1 HN L1 L2. refine (le_two_gap_numbers _ _ _ _ _ w _ _ _ _ W0 W1 (whole_sum R) (short_sum HN R) G _ _).
      - assert (0 <= 10 * (2 - u) - ((1 - w) * 2 + w * 4 * u) * (10 - 9 * u + 4 * u ^ 2)) by lra. unfold C.
        same_gap (rho * u * (10 * (2 - u) - ((1 - w) * 2 + w * 4 * u) * (10 - 9 * u + 4 * u ^ 2)) / (2 - u)).
      - assert (0 <= 4 * (2 - u) - ((1 - w) * 2 + w * 4 * (u - u ^ 3)) * (4 - 2 * u - u ^ 2 + 2 * u ^ 3)) by lra. unfold C.
        same_gap (sigma2 * u * (4 * (2 - u) - ((1 - w) * 2 + w * 4 * (u - u ^ 3)) * (4 - 2 * u - u ^ 2 + 2 * u ^ 3)) / (2 - u)). }
    assert (NN : N * N = INR (K + 1)) by (symmetry; apply root_squared). assert (UN : u * N = 1) by (unfold u; apply Rinv_l; lra).
    assert (UU : u ^ 2 * INR (K + 1) = 1) by (rewrite <- NN; replace (u ^ 2 * (N * N)) with ((u * N) * (u * N)) by ring; rewrite UN; ring).
    destruct (le_lt_dec 3 K) as [HK|HK].
    - assert (HN : 2 <= N).
      { unfold N. replace 2 with (sqrt (2 * 2)) by (apply sqrt_square; lra). apply sqrt_le_1_alt.
        apply le_INR in HK. rewrite plus_INR. cbn [INR] in *. lra. }
      assert (HU : u <= / 2) by (unfold u; apply Rinv_le_contravar; lra). assert (S1 : 0 <= 1 - u) by lra. assert (S2 : 0 <= 1 - 2 * u) by lra.
      refine (le_gap_number _ _ _ _ _ _ _ (whole_sum R) G _ _); unfold C.
      + same_gap (8 * rho * u ^ 2 * (1 - u) / (2 - u)).
      + same_gap (2 * sigma2 * u ^ 3 * (1 - 2 * u) / (2 - u)).
    - assert (HN : N <= 2).
      { unfold N. replace 2 with (sqrt (2 * 2)) by (apply sqrt_square; lra). apply sqrt_le_1_alt.
        assert (HK' : (K + 1 <= 3)%nat) by lia. apply le_INR in HK'. cbn [INR] in HK'. lra. }
      destruct K as [|[|[|K']]]; [| | | lia].
      + assert (U : u = 1) by (unfold u, N; cbn; rewrite sqrt_1; field). rewrite U.
        pose proof (first_gradient_mean _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as F.
        refine (le_gap_number _ (8 / 3 * rho) 0 _ _ _ _ (single_step _ _ _ _ _ _ _) G _ _); [rewrite (beta_is Hr); lra | | lra | lra].
        rewrite Rplus_0_r. exact F.
      + cbn [Nat.add INR] in UU. assert (UU' : u ^ 2 = / 2) by lra. assert (U3 : u ^ 3 = u / 2) by (cbn [pow] in *; rewrite Rmult_1_r in *; rewrite UU'; field).
        assert (U4 : u <= 71 / 100) by nra. apply (Small (3 / 10)); [lra | lra | exact HN | lra | rewrite U3, UU'; lra].
      + cbn [Nat.add INR] in UU. assert (UU' : u ^ 2 = / 3) by lra. assert (U3 : u ^ 3 = u / 3) by (cbn [pow] in *; rewrite Rmult_1_r in *; rewrite UU'; field).
        assert (U4 : u <= 59 / 100) by nra. apply (Small (3 / 10)); [lra | lra | exact HN | lra | rewrite U3, UU'; lra].
  Qed.

  Lemma ten_eight_four slope2 : 0 <= slope2 -> (|| grad (x O) ||^2 <= # slope2)%m -> run 1 ->
    (mean <= # ((10 * rho * (f_0 - f_star) + 8 * sigma2 + 4 * slope2) / N))%m.
  Proof.
    intros S0 Sl R. pose proof (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as [Hr [Hs _]]. pose proof (gap _ R) as G. destruct u_range as [U0 U1].
    assert (D : 0 < 2 - u) by lra. assert (U2 : 0 <= 1 - u) by lra.
    assert (S1 : 0 <= 2 + 4 * (1 - u) + 10 * (1 - u) ^ 2 - 4 * (1 - u) ^ 3) by (assert (0 <= (1 - u) ^ 2) by nn; nra). assert (S2 : 0 <= 8 - 6 * u) by lra.
    pose proof (Theorem_2_without_bounded_gradient_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ K _ R Sl) as H. cbv zeta in H. fold N alpha nu beta in H.
    replace ((10 * rho * (f_0 - f_star) + 8 * sigma2 + 4 * slope2) / N) with (10 * rho * u * (f_0 - f_star) + (8 * u * sigma2 + 4 * u * slope2)) by (unfold u; field; lra).
    refine (le_gap_number _ (2 * rho * u * (3 + C)) (2 * u * (2 - u ^ 2) * (1 + C * (1 + u) / 2) * sigma2 + u * (2 * (1 - u) + C) * slope2) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. assert (E1 : alpha = u / rho) by (unfold alpha, u; field; lra).
      rewrite (c_is Hr), (beta_is Hr), E1. rewrite N_is. unfold nu, lam. generalize C. intros c. field. repeat split; lra.
    - unfold C. same_gap (8 * rho * u ^ 2 * (1 - u) / (2 - u)).
    - unfold C. same_gap (sigma2 * (u ^ 3 * (2 + 4 * (1 - u) + 10 * (1 - u) ^ 2 - 4 * (1 - u) ^ 3) / (2 - u)) + slope2 * (u ^ 2 * (8 - 6 * u) / (2 - u))).
  Qed.
End Ten_and_four.

(** Theorem 2 without a bound on the gradient at the choice alpha_0 = 1/rho, lambda = 1/(2 rho), for every K *)
Theorem Theorem_2_without_bounded_gradient_second {P : Setting} X f Env grad prox proj x z g rho sigma2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let nu := / / rho in let beta := nu * alpha in let lam := / (2 * rho) in
  unbounded_run X f Env grad prox proj x z g rho sigma2 lam (/ rho) f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 4 * sigma2) / N))%m.
Proof. intros N alpha nu beta lam R. exact (ten_and_four _ _ _ _ _ _ _ _ _ _ _ _ _ _ R). Qed.
(** The same with the printed start z_0 = g_0; that |grad f(x_0)|^2 cannot go is shown in Necessity.v *)
Theorem Theorem_2_without_bounded_gradient_second_printed_start {P : Setting} X f Env grad prox proj x z g rho sigma2 slope2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let nu := / / rho in let beta := nu * alpha in let lam := / (2 * rho) in
  unbounded_run X f Env grad prox proj x z g rho sigma2 lam (/ rho) f_0 f_star alpha nu 1 ->
  0 <= slope2 -> (|| grad (x O) ||^2 <= # slope2)%m ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 8 * sigma2 + 4 * slope2) / N))%m.
Proof. intros N alpha nu beta lam R S0 Sl. exact (ten_eight_four _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ S0 Sl R). Qed.

(** At half the stepsize, alpha_0 = 1/(2 rho) *)
Section Half.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox proj : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).
  Let alpha_0 := / (2 * rho). Let alpha := alpha_0 / N. Let nu := / alpha_0. Let beta := nu * alpha. Let lam := / (2 * rho).
  Local Notation run start := (unbounded_run X f Env grad prox proj x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu start).
  Local Notation mean := (uniform K (fun k => inner (env_gradient lam prox (bar beta x k)) (env_gradient lam prox (bar beta x k)))).
  Let u := / N. (* beta *)
  Let C := (2 - 3 * u + 2 * u ^ 2) / (4 - u).
  Let N_at_least_1 : 1 <= N. Proof. apply root_at_least_1. Qed.
  Let u_range : 0 < u /\ u <= 1.
  Proof. unfold u. split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. Qed.
  Let gap start : run start -> (# f_star <= # f_0)%m.
  Proof. intros [_ _ _ _ _ _ Run _ _ F0 Fb] A. rewrite <- (F0 A). apply Fb, Run. Qed.
  Let beta_is : 0 < rho -> beta = u. Proof. intros Hr. unfold beta, nu, alpha, alpha_0, u. field. lra. Qed.
  Let alpha_is : 0 < rho -> alpha = u / (2 * rho). Proof. intros Hr. unfold alpha, alpha_0, u. field. lra. Qed.
  Let N_is : N = / u. Proof. unfold u. now rewrite Rinv_inv. Qed.
  Let c_is : 0 < rho -> energy_c rho lam alpha nu = C.
  Proof.
    intros Hr. destruct u_range as [U0 U1]. unfold C, energy_c, xi. fold beta. rewrite (beta_is Hr), (alpha_is Hr). unfold nu, lam, alpha_0. field. repeat split; lra.
  Qed.
  Lemma half_repaired : run beta -> (mean <= # ((10 * rho * (f_0 - f_star) + 3 / 2 * sigma2) / N))%m.
  Proof.
    intros R. pose proof (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as [Hr [Hs _]]. pose proof (gap _ R) as G. destruct u_range as [U0 U1].
    replace ((10 * rho * (f_0 - f_star) + 3 / 2 * sigma2) / N) with (10 * rho * u * (f_0 - f_star) + 3 / 2 * u * sigma2) by (unfold u; field; lra).
    assert (D : 0 < 4 - u) by lra. destruct K as [|K'].
    - assert (U : u = 1) by (unfold u, N; cbn; rewrite sqrt_1; field). rewrite U.
      pose proof (first_gradient_mean _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as F.
      refine (le_gap_number _ (8 / 3 * rho) 0 _ _ _ _ (single_step _ _ _ _ _ _ _) G _ _); [rewrite (beta_is Hr); lra | | lra | lra].
      rewrite Rplus_0_r. exact F.
    - assert (HN : 4 / 3 <= N).
      { unfold N. replace (4 / 3) with (sqrt (4 / 3 * (4 / 3))) by (apply sqrt_square; lra). apply sqrt_le_1_alt.
        rewrite plus_INR, S_INR. cbn [INR]. pose proof (pos_INR K'). lra. }
      assert (U2 : u <= 3 / 4) by (unfold u; replace (3 / 4) with (/ (4 / 3)) by field; apply Rinv_le_contravar; lra).
      assert (S1 : 0 <= 1 / 2 + u - 2 * u ^ 2) by nra. assert (S2 : 0 <= 5 - 4 * u) by lra.
      pose proof (Theorem_2_without_bounded_gradient _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as H. cbv zeta in H. fold N alpha nu beta in H.
      refine (le_gap_number _ (4 * rho * u * (2 + C)) (u * (1 + C * (1 + u)) * sigma2) _ _ _ _ _ G _ _).
      + eapply le_number; [exact H|]. right. rewrite (c_is Hr), (beta_is Hr), N_is. unfold nu, lam, alpha_0. generalize C. intros c. field. repeat split; lra.
      + unfold C. same_gap (rho * u * (2 * u * (5 - 4 * u) / (4 - u))).
      + unfold C. same_gap (sigma2 * (u ^ 2 * (1 / 2 + u - 2 * u ^ 2) / (4 - u))).
  Qed.
  Lemma half_printed slope2 : 0 <= slope2 -> (|| grad (x O) ||^2 <= # slope2)%m -> run 1 ->
    (mean <= # ((10 * rho * (f_0 - f_star) + 3 * sigma2 + 3 / 2 * slope2) / N))%m.
  Proof.
    intros S0 Sl R. pose proof (unbounded_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as [Hr [Hs _]]. pose proof (gap _ R) as G. destruct u_range as [U0 U1].
    replace ((10 * rho * (f_0 - f_star) + 3 * sigma2 + 3 / 2 * slope2) / N) with (10 * rho * u * (f_0 - f_star) + (3 * u * sigma2 + 3 / 2 * u * slope2)) by (unfold u; field; lra).
    assert (D : 0 < 4 - u) by lra. assert (S1 : 0 <= 5 - 4 * u) by lra. assert (S3 : 0 <= 13 / 2 - 3 * u) by lra.
    assert (S2 : 0 <= 1 + 8 * u - 6 * u ^ 2 - u ^ 3 + 2 * u ^ 4).
    { assert (0 <= u ^ 4) by nn. assert (u ^ 2 <= u) by nra. assert (u ^ 3 <= u) by nra. lra. }
    pose proof (Theorem_2_without_bounded_gradient_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ K _ R Sl) as H. cbv zeta in H. fold N alpha nu beta in H.
    refine (le_gap_number _ (4 * rho * u * (2 + C)) (u * (2 - u ^ 2) * (1 + C * (1 + u)) * sigma2 + u * (1 - u + C) * slope2) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. rewrite (c_is Hr), (beta_is Hr), (alpha_is Hr), N_is. unfold nu, lam, alpha_0. generalize C. intros c. field. repeat split; lra.
    - unfold C. same_gap (rho * u * (2 * u * (5 - 4 * u) / (4 - u))).
    - unfold C. same_gap (sigma2 * (u ^ 2 * (1 + 8 * u - 6 * u ^ 2 - u ^ 3 + 2 * u ^ 4) / (4 - u)) + slope2 * (u ^ 2 * (13 / 2 - 3 * u) / (4 - u))).
  Qed.
End Half.
Theorem Theorem_2_without_bounded_gradient_half_step {P : Setting} X f Env grad prox proj x z g rho sigma2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha_0 := / (2 * rho) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  unbounded_run X f Env grad prox proj x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 / 2 * sigma2) / N))%m.
Proof. intros N alpha_0 alpha nu beta lam R. exact (half_repaired _ _ _ _ _ _ _ _ _ _ _ _ _ _ R). Qed.
Theorem Theorem_2_without_bounded_gradient_half_step_printed_start {P : Setting} X f Env grad prox proj x z g rho sigma2 slope2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha_0 := / (2 * rho) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  unbounded_run X f Env grad prox proj x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu 1 ->
  0 <= slope2 -> (|| grad (x O) ||^2 <= # slope2)%m ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 3 * sigma2 + 3 / 2 * slope2) / N))%m.
Proof. intros N alpha_0 alpha nu beta lam R S0 Sl. exact (half_printed _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ S0 Sl R). Qed.
