(** Theorem 1: stochastic heavy ball on weakly convex problems, for every K and both starts. *)
Require Export HeavyBall.Nonsmooth.
Require Import Lia.
Open Scope R_scope.

(** sqrt(K+1), with what is needed of it *)
Lemma root_squared K : INR (K + 1) = sqrt (INR (K + 1)) * sqrt (INR (K + 1)).
Proof. rewrite sqrt_sqrt; [reflexivity | left; apply INR_later]. Qed.
Lemma root_at_least_1 K : 1 <= sqrt (INR (K + 1)).
Proof. rewrite <- sqrt_1. apply sqrt_le_1_alt. rewrite plus_INR. cbn [INR]. pose proof (pos_INR K). lra. Qed.

(** A larger number on the right *)
Lemma le_number {P : Setting} Y a b : (Y <= # a)%m -> a <= b -> (Y <= # b)%m.
Proof.
  intros H L A. specialize (H A). rewrite on_scal in *. pose proof (one_pos A).
  apply Rle_trans with (a * on A one); [exact H | now apply Rmult_le_compat_r].
Qed.

Lemma le_gap_number {P : Setting} Y a0 b0 a b u v : (Y <= # (a0 * (u - v) + b0))%m -> (# v <= # u)%m ->
  a0 <= a -> b0 <= b -> (Y <= # (a * (u - v) + b))%m.
Proof.
  intros H G La Lb A. specialize (H A). specialize (G A). rewrite on_scal in *. pose proof (one_pos A) as O. rewrite on_scal in G.
  assert (0 <= (a - a0) * (u * on A one - v * on A one)) by (apply Rmult_le_pos; lra).
  assert (0 <= (b - b0) * on A one) by (apply Rmult_le_pos; lra). lra.
Qed.

Section Theorem_1.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (prox : V -> V) (x z g f' : nat -> V).
  Variables (rho L2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).

  (** What Theorems 1 and 2 assume of the parameters, the problem, and the run; the method starts with z_0 = [start] g_0. *)
  Record nonsmooth_run alpha nu start : Prop := {
    ranges : 0 <= rho /\ 0 <= L2 /\ 0 < alpha_0 /\ 0 < lam /\ 2 * rho <= / lam;
    set_convex : convex_set X;
    function_weakly_convex : weakly_convex X rho f;
    envelope : moreau X f lam Env prox;
    run : heavy_ball X alpha (nu * alpha) start x z g;
    oracle_mean : A1 X f x g f';
    oracle_moment : A2 L2 g;
    start_value : (f (x O) == # f_0)%m;
    bounded_below : forall u, X u -> (# f_star <= f u)%m
  }.

  (** Theorem 1, first display (eq:thrm:1), for z_0 = beta g_0; the noise carries alpha_0^2 *)
  Theorem Theorem_1 :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    nonsmooth_run alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (gamma_1 lam beta nu * (f_0 - f_star) + gamma rho lam beta nu * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof.
    intros alpha nu beta [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb].
    pose proof (root_at_least_1 K) as HN. pose proof (root_squared K) as HK. fold N in HN, HK.
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Hb : nu * alpha <= 1).
    { unfold nu, alpha. replace (/ alpha_0 * (alpha_0 / N)) with (/ N) by (field; lra).
      rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    pose proof (sum_at_rest Hr Pa Pn Hb HL CX Cf Run M1 M2 Hl Hs B F0 Fb K eq_refl) as H.
    fold beta in H. eapply le_number; [exact H|]. right. rewrite HK. unfold alpha. field. lra.
  Qed.

  (** The same for the printed start z_0 = g_0: its first step adds the last three terms, and saves its noise *)
  Theorem Theorem_1_printed_start :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    nonsmooth_run alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (gamma_1 lam beta nu * (f_0 - f_star)
             + (gamma rho lam beta nu * (alpha_0 ^ 2 - alpha ^ 2) / (2 * lam) + 1 / (2 * lam * nu ^ 2)
                + nu * xi beta nu ^ 4 / (4 * lam ^ 2) + alpha * xi beta nu ^ 2 / (2 * lam ^ 2)) * L2) / (alpha_0 * N)))%m.
  Proof.
    intros alpha nu beta [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb].
    pose proof (root_at_least_1 K) as HN. pose proof (root_squared K) as HK. fold N in HN, HK.
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Hb : nu * alpha <= 1).
    { unfold nu, alpha. replace (/ alpha_0 * (alpha_0 / N)) with (/ N) by (field; lra).
      rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    pose proof (sum_printed Hr Pa Pn Hb HL CX Cf Run M1 M2 Hl Hs B F0 Fb K eq_refl) as H.
    fold beta in H. eapply le_number; [exact H|].
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring).
    right. rewrite HK, Kn. unfold excess. fold beta. unfold alpha. field; nz.
  Qed.
End Theorem_1.

(** [same_gap e]: a <= b because b - a is e, which is non-negative. *)
Ltac same_gap e := match goal with |- ?a <= ?b =>
  let H := fresh in assert (H : 0 <= e) by nn; replace b with (a + e) by (field; nz); lra end.

(** Theorem 1, second display: alpha_0 = 1/rho, lambda = 1/(2 rho).
    The printed 10 (rho Delta + L^2)/sqrt(K+1) is true for both starts; the potential that falls given the past gives 4 and 8
    in place of the second 10. *)
Section Second_display.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (prox : V -> V) (x z g f' : nat -> V).
  Variables (rho L2 f_0 f_star : R) (K : nat).
  Hypothesis rho_pos : 0 < rho.
  Let N := sqrt (INR (K + 1)).
  Let alpha := / rho / N. Let nu := rho. Let beta := nu * alpha. Let lam := / (2 * rho).
  (** s = 1 - beta, and the weight c of the potential *)
  Let s := 1 - / N.
  Let c := 2 * s * (1 + s) / (1 + s ^ 2).

  Let N_at_least_1 : 1 <= N. Proof. apply root_at_least_1. Qed.
  Let s_range : 0 <= s /\ s <= 1.
  Proof.
    unfold s. assert (0 < / N) by (apply Rinv_0_lt_compat; lra).
    assert (/ N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra.
  Qed.
  Let beta_is : beta = 1 - s. Proof. unfold beta, nu, alpha, s. field. lra. Qed.
  Let alpha_is : alpha = (1 - s) / rho. Proof. unfold alpha, s. field. lra. Qed.

  Let pays : alpha * xi beta nu ^ 2 / (2 * lam ^ 2) + rho * alpha ^ 2 * xi beta nu / (2 * lam)
      + c * (1 - beta) * rho * alpha ^ 2 / 2 <= c * alpha * (1 - beta / 2).
  Proof.
    assert (D : 0 < 1 + s ^ 2) by nra.
    right. unfold xi. rewrite beta_is, alpha_is. unfold lam, nu, c. field. split; lra.
  Qed.

  Let gap : nonsmooth_run X f Env prox x z g f' rho L2 lam (/ rho) f_0 f_star alpha nu beta \/
            nonsmooth_run X f Env prox x z g f' rho L2 lam (/ rho) f_0 f_star alpha nu 1 -> (# f_star <= # f_0)%m.
  Proof.
    intros H A. assert (F : (f (x O) == # f_0)%m /\ (# f_star <= f (x O))%m).
    { destruct H as [H|H]; (split; [apply (start_value _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H)
        | apply (bounded_below _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H), (run _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H)]). }
    destruct F as [F G]. rewrite <- (F A). apply G.
  Qed.

  Theorem Theorem_1_second :
    nonsmooth_run X f Env prox x z g f' rho L2 lam (/ rho) f_0 f_star alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 4 * L2) / N))%m.
  Proof.
    replace ((10 * rho * (f_0 - f_star) + 4 * L2) / N) with (10 * rho / N * (f_0 - f_star) + 4 * L2 / N) by (field; lra).
    intros Q. pose proof (gap (or_introl Q)) as G. destruct Q as [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb].
    destruct s_range as [S0 S1]. assert (D : 0 < 1 + s ^ 2) by nra. assert (Hc : 0 <= c) by (unfold c; nn).
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    pose proof (falling_at_rest Hr Pa rho_pos Hb CX Cf Run M1 M2 Hl Hs B F0 Fb Hc pays K eq_refl) as H.
    pose proof (root_squared K) as HK. fold N in HK. rewrite HK in H.
    refine (le_gap_number _ (2 * rho / N * (5 - 2 * (1 - s) * (2 * s ^ 2 + s + 2) / (1 + s ^ 2)))
      (2 * L2 / N * (2 - (1 - s) / (1 + s ^ 2))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. assert (D' : 0 < N ^ 2 + (N - 1) ^ 2) by nra.
      unfold xi, alpha, lam, nu, c, s. field; nz.
    - same_gap (2 * rho / N * (2 * (1 - s) * (2 * s ^ 2 + s + 2) / (1 + s ^ 2))).
    - same_gap (2 * L2 / N * ((1 - s) / (1 + s ^ 2))).
  Qed.

  Theorem Theorem_1_second_printed_start :
    nonsmooth_run X f Env prox x z g f' rho L2 lam (/ rho) f_0 f_star alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 8 * L2) / N))%m.
  Proof.
    replace ((10 * rho * (f_0 - f_star) + 8 * L2) / N) with (10 * rho / N * (f_0 - f_star) + 8 * L2 / N) by (field; lra).
    intros Q. pose proof (gap (or_intror Q)) as G. destruct Q as [[Hr [HL [Ha [Hl Hs]]]] CX Cf B Run M1 M2 F0 Fb].
    destruct s_range as [S0 S1]. assert (D : 0 < 1 + s ^ 2) by nra. assert (Hc : 0 <= c) by (unfold c; nn).
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    pose proof (falling_printed Hr Pa rho_pos Hb CX Cf Run M1 M2 Hl Hs B F0 Fb Hc pays K eq_refl) as H.
    pose proof (root_squared K) as HK. fold N in HK. assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring).
    rewrite HK, Kn in H.
    refine (le_gap_number _ (2 * rho / N * (5 - 2 * (1 - s) * (2 * s ^ 2 + s + 2) / (1 + s ^ 2)))
      (2 * L2 / N * (4 - (1 - s) * (3 + s ^ 2 - 2 * s ^ 3) / (1 + s ^ 2))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. assert (D' : 0 < N ^ 2 + (N - 1) ^ 2) by nra.
      unfold xi, alpha, lam, nu, c, s. field; nz.
    - same_gap (2 * rho / N * (2 * (1 - s) * (2 * s ^ 2 + s + 2) / (1 + s ^ 2))).
    - assert (0 <= 3 + s ^ 2 - 2 * s ^ 3) by nra.
      same_gap (2 * L2 / N * ((1 - s) * (3 + s ^ 2 - 2 * s ^ 3) / (1 + s ^ 2))).
  Qed.
End Second_display.


(** The second display as printed is true, with the printed start too; only its proof has a gap. *)
Theorem Theorem_1_ten {P : Setting} X f Env prox x z g f' rho L2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let beta := rho * alpha in let lam := / (2 * rho) in
  0 < rho -> nonsmooth_run X f Env prox x z g f' rho L2 lam (/ rho) f_0 f_star alpha rho 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # (10 * (rho * (f_0 - f_star) + L2) / N))%m.
Proof.
  intros N alpha beta lam Hr H. pose proof (root_at_least_1 K) as HN. fold N in HN.
  pose proof (Theorem_1_second_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ Hr H) as T.
  destruct (ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H) as [_ [HL _]].
  eapply le_number; [exact T|]. fold N. same_gap (2 * L2 / N).
Qed.

(** The bounds on gamma and gamma_1 that Theorem 1 states; they need lambda = 1/(2 rho) *)
Theorem gamma_bounds rho alpha_0 beta : 0 < rho -> 0 < alpha_0 -> 0 < beta -> beta <= 1 ->
  gamma rho (/ (2 * rho)) beta (/ alpha_0) <= rho ^ 2 * alpha_0 ^ 2 + 3 * rho * alpha_0 + 1 /\
  gamma_1 (/ (2 * rho)) beta (/ alpha_0) <= 2 * rho ^ 2 * alpha_0 ^ 2 + 2 * rho * alpha_0 + 1.
Proof.
  intros Hr Ha Hb H1. set (s := 1 - beta). assert (S0 : 0 <= s) by (unfold s; lra). assert (S1 : 0 <= 1 - s) by (unfold s; lra).
  set (r := rho * alpha_0). assert (R0 : 0 < r) by (unfold r; sp).
  replace (gamma rho (/ (2 * rho)) beta (/ alpha_0)) with (s ^ 3 * r ^ 2 + (2 * s ^ 2 + s) * r + 1) by (unfold gamma, xi, s, r; field; lra).
  replace (gamma_1 (/ (2 * rho)) beta (/ alpha_0)) with (2 * s ^ 3 * r ^ 2 + 2 * s * r + 1) by (unfold gamma_1, xi, s, r; field; lra).
  replace (rho ^ 2 * alpha_0 ^ 2 + 3 * rho * alpha_0 + 1) with (r ^ 2 + 3 * r + 1) by (unfold r; ring).
  replace (2 * rho ^ 2 * alpha_0 ^ 2 + 2 * rho * alpha_0 + 1) with (2 * r ^ 2 + 2 * r + 1) by (unfold r; ring).
  split.
  - same_gap ((1 - s) * (1 + s + s ^ 2) * r ^ 2 + (1 - s) * (3 + 2 * s) * r).
  - same_gap (2 * (1 - s) * (1 + s + s ^ 2) * r ^ 2 + 2 * (1 - s) * r).
Qed.
