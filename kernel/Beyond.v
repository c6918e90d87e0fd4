(** Beyond the paper: Theorem 2 without a bound on the gradient.  (The paper leaves it open whether that bound can be dropped.)

    Two inequalities given F_{k-1}, for smooth f on a closed convex set under (A1) and (A3) alone: [envelope_energy] keeps what
    nonexpansiveness throws away, [energy] is a decrease of f itself.  Together they make a potential that falls given the past. *)
Require Export HeavyBall.SmoothStep HeavyBall.Theorem1.
Require Import Lia.
Open Scope R_scope.

Section OneStep.
  Context {P : Setting} {X : V -> Prop} {f Env : V -> M} {grad prox proj : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu sigma2 lam f_0 f_star : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_pos : 0 < rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (lam_pos : 0 < lam) (lam_short : 2 * rho <= / lam).
  Hypotheses (CX : convex_set X) (Sm : smooth rho f grad) (B : moreau X f lam Env prox).
  Hypothesis Run : heavy_ball X alpha beta beta x z g.
  Hypotheses (Mean : forall k, mean_given (before k) (g k) (grad (x k))) (Variance : A3 sigma2 g (fun k => grad (x k))).
  Hypotheses (Proj : forall y, is_projection X y (proj y)) (proj_known : keeps_known proj) (grad_known : keeps_known grad).

  Local Notation d := (d alpha x).
  Local Notation bar := (bar beta x).
  Local Notation hat k := (prox (bar k)).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Local Notation xi := (xi beta nu).
  Local Notation noise k := (g k - grad (x k))%v.
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.
  Let xi_nn : 0 <= xi. Proof. unfold Paper.xi. nn. Qed.
  Let in_X k : X (x k). Proof. destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]. Qed.
  Let x_at k := x_known _ _ _ _ _ _ _ Run k.
  Let prev_at k : known (before k) (prev x k).
  Proof. pose proof (x_at k). destruct k as [|j]; cbn [prev]; [assumption|]. pose proof (x_at j). know. Qed.
  Let momentum k : z k = (beta * g k + (1 - beta) * d k)%v.
  Proof.
    destruct k; [|apply (z_step _ _ _ _ _ _ _ Run)]. rewrite (z_start _ _ _ _ _ _ _ Run). unfold Paper.d. cbn [prev].
    same_vector. field; nz.
  Qed.

  (** The envelope and the function together *)
  Lemma envelope_energy k :
    (E[ Env (bar (S k)) + (1 / (lam * nu)) * f (x (S k)) | before k ] <=
     E[ Env (bar k) + (1 / (lam * nu)) * f (x k) - (alpha / 2) * || gradient k ||^2 + (alpha * xi ^ 2 / (2 * lam ^ 2)) * || d k ||^2
        + (rho * alpha ^ 2 / (2 * lam * nu)) * || d (S k) ||^2 + # (alpha ^ 2 * sigma2 / (2 * lam)) | before k ])%m.
  Proof.
    pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1. pose proof (x_at k) as K1. pose proof (prev_at k) as K2.
    assert (K3 : known (before k) (hat k)) by (apply (prox_known _ _ _ _ _ B); unfold Paper.bar, p; know).
    pose proof (prox_in _ _ _ _ _ B (bar k)) as Hh.
    assert (Hu : X (beta * hat k + (1 - beta) * x k)%v) by (apply CX; auto; nn).
    pose proof (projection_optimal X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) Hu) as N.
    pose proof (env_below _ _ _ _ _ B (bar (S k)) _ Hh) as He. pose proof (env_at _ _ _ _ _ B (bar k)) as Ha.
    pose proof (smooth_above rho_pos Sm (x k) (x (S k))) as Up. pose proof (smooth_below rho_pos Sm (x k) (hat k)) as W1.
    pose proof (strong_convexity CX (smooth_weakly_convex rho_pos Sm) lam_pos B (bar k) (x k) (in_X k)) as Hs.
    assert (Sq : 0 <= alpha / (2 * lam) * (/ lam - 2 * rho)) by nn.
    rewrite (momentum k) in N. unfold env_gradient, Paper.xi.
    set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. set (h := prox (bar k)) in *.
    unfold Paper.bar, p, Paper.d in *. cbn [prev] in *. set (s := grad (x k)) in *.
    set (dn := ((/ alpha) * (x k - x (S k)))%v). set (dk := ((/ alpha) * (prev x k - x k))%v).
    balance {{ (1, He) ; (1 / (lam * beta ^ 2), N) ; (1 / (lam * nu), Up) ; (alpha / lam, W1) ; (alpha / lam, Hs) ;
        (alpha / (2 * lam) * (/ lam - 2 * rho), square_nn (x k - h)%v) ; (alpha ^ 2 / (2 * lam), V1) ;
        (alpha ^ 2 / (2 * lam), square_nn (g k - s - (/ beta) * (dn - (1 - beta) * dk))%v) }}
      {{ (- 1 - alpha / lam, Ha) }}
      {{ (M1, ((alpha / lam) * (x k + ((1 - beta) / beta) * (x k - prev x k) - h))%v) }}.
  Qed.

  (** The energy lemma: f falls along the steps *)
  Lemma energy k :
    (E[ f (x (S k)) + (xi / 2) * || d (S k) ||^2 | before k ] <=
     E[ f (x k) + (xi / 2) * || d k ||^2 - (alpha * (1 - rho * alpha / 2)) * || d (S k) ||^2
        + # ((1 + beta) / 2 * nu * alpha ^ 2 * sigma2) | before k ])%m.
  Proof.
    pose proof (virtual_distance (grad := grad) CX Run Proj k (momentum k)) as Nv.
    set (x' := proj (x k - alpha * (beta * grad (x k) + (1 - beta) * d k))%v) in *.
    pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1. pose proof (x_at k) as K1. pose proof (prev_at k) as K2.
    assert (K3 : known (before k) x').
    { apply proj_known. unfold Paper.d. pose proof (grad_known _ _ K1). know. }
    pose proof (projection_optimal X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) (in_X k)) as N.
    pose proof (smooth_above rho_pos Sm (x k) (x (S k))) as Up.
    clearbody x'. rewrite (momentum k) in N. unfold Paper.xi, Paper.d in *. cbn [prev] in *. set (s := grad (x k)) in *.
    set (dn := ((/ alpha) * (x k - x (S k)))%v). set (dk := ((/ alpha) * (prev x k - x k))%v).
    balance {{ (1, Up) ; (1 / (alpha * beta), N) ; ((1 - beta) / nu / 2, square_nn (dn - dk - beta * (g k - s))%v) ;
        (alpha * beta ^ 2 / 2, square_nn (g k - s - (/ beta) * (dn - (/ alpha) * (x k - x')))%v) ; (1 / (2 * alpha), Nv) ;
        (alpha * beta * (1 + beta) / 2, V1) }} {{ }}
      {{ (M1, ((- alpha) * ((1 - beta) * dk + beta * ((/ alpha) * (x k - x'))))%v) }}.
  Qed.

  (** The potential that falls given the past, for any c that pays for |d_{k+1}|^2 *)
  Section Potential.
    Context {c : R}.
    Hypotheses (c_nn : 0 <= c) (pays : xi ^ 2 / lam ^ 2 + rho * alpha / (lam * nu) <= c * (2 - rho * alpha)).
    Definition energy_potential k :=
      (Env (bar k) + (1 / (lam * nu) + c) * f (x k) + (c * xi / 2 + alpha * xi ^ 2 / (2 * lam ^ 2)) * || d k ||^2)%m.
    Definition energy_noise := alpha ^ 2 * sigma2 / (2 * lam) * (1 + c * lam * nu * (1 + beta)).
    Theorem energy_step k :
      (E[ energy_potential (S k) | before k ] <=
       E[ energy_potential k - (alpha / 2) * || gradient k ||^2 + # energy_noise | before k ])%m.
    Proof.
      pose proof (envelope_energy k) as HA. pose proof (energy k) as HB.
      assert (S1 : 0 <= alpha / 2 * (c * (2 - rho * alpha) - (xi ^ 2 / lam ^ 2 + rho * alpha / (lam * nu)))) by (apply Rmult_le_pos; lra).
      unfold energy_potential, energy_noise. set (dk := d k) in *. set (dn := d (S k)) in *. set (q := xi) in *. clearbody q.
      balance {{ (1, HA) ; (c, HB) ; (alpha / 2 * (c * (2 - rho * alpha) - (q ^ 2 / lam ^ 2 + rho * alpha / (lam * nu))), square_nn dn) }} {{ }} {{ }}.
    Qed.

    Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, X u -> (# f_star <= f u)%m).
    Let weight := 1 + (1 / (lam * nu) + c).
    Lemma sum_energy K : (uniform K (fun k => || gradient k ||^2) <=
      # ((weight * f_0 - weight * f_star + INR (K + 1) * energy_noise) / (alpha / 2 * INR (K + 1))))%m.
    Proof.
      assert (W1 : 0 <= 1 / (lam * nu) + c) by nn. assert (W2 : 0 <= c * xi / 2 + alpha * xi ^ 2 / (2 * lam ^ 2)) by nn.
      apply mean_of_steps with (a := energy_potential); [sp | | |].
      - intros k. apply in_total with (before k), energy_step.
      - assert (bar_first : bar 0 = x 0%nat) by (unfold Paper.bar, p; cbn [prev]; same_vector; field; nz).
        pose proof (env_below _ _ _ _ _ B (x 0%nat) _ (in_X 0)) as He. unfold energy_potential, weight. rewrite bar_first.
        unfold Paper.d. cbn [prev]. set (q := xi) in *. clearbody q.
        balance {{ (1, He) }} {{ (1 + (1 / (lam * nu) + c), First) }} {{ }}.
      - set (k := (K + 1)%nat). pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ B (bar k))) as B1.
        pose proof (Below _ (in_X k)) as B2. unfold energy_potential, weight. set (dk := d k). set (q := xi) in *. clearbody q.
        set (y := bar k) in *. set (h := prox y) in *.
        balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) ; (1 / (lam * nu) + c, B2) ;
          (c * q / 2 + alpha * q ^ 2 / (2 * lam ^ 2), square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
    Qed.
  End Potential.
End OneStep.

Section Theorem_2_unbounded.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox proj : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).

  (** As for Theorem 2, without a bound on the gradient; z_0 = beta g_0 *)
  Record unbounded_run alpha nu : Prop := {
    unbounded_ranges : 0 < rho /\ 0 <= sigma2 /\ 0 < alpha_0 /\ rho * alpha_0 < 2 /\ 0 < lam /\ 2 * rho <= / lam;
    unbounded_set_convex : convex_set X;
    unbounded_projection : forall y, is_projection X y (proj y);
    unbounded_smooth : smooth rho f grad;
    unbounded_maps : keeps_known proj /\ keeps_known grad;
    unbounded_envelope : moreau X f lam Env prox;
    unbounded_method : heavy_ball X alpha (nu * alpha) (nu * alpha) x z g;
    unbounded_mean : forall k, mean_given (before k) (g k) (grad (x k));
    unbounded_variance : A3 sigma2 g (fun k => grad (x k));
    unbounded_start_value : (f (x O) == # f_0)%m;
    unbounded_below : forall u, X u -> (# f_star <= f u)%m
  }.

  Theorem Theorem_2_without_bounded_gradient :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    let c := (xi beta nu ^ 2 / lam ^ 2 + rho * alpha / (lam * nu)) / (2 - rho * alpha) in
    unbounded_run alpha nu ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (1 + 1 / (lam * nu) + c) / (alpha_0 * N) * (f_0 - f_star) + alpha_0 / (lam * N) * (1 + c * lam * nu * (1 + beta)) * sigma2))%m.
  Proof.
    intros alpha nu beta c [[Hr [Hs [Ha [Hra [Hl Hl2]]]]] CX Pj Sm [Kp Kg] B Run M1 V1 F0 Fb].
    pose proof (root_at_least_1 K) as HN. pose proof (root_squared K) as HK. fold N in HN, HK.
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (HiN : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hbi : beta = / N) by (unfold beta, nu, alpha; field; lra). assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    assert (Hq : rho * alpha < 2).
    { unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra). assert (0 < rho * alpha_0) by sp. nra. }
    assert (Hxi : 0 <= xi beta nu) by (unfold xi; assert (0 <= 1 - beta) by lra; nn).
    assert (Hc : 0 <= c) by (unfold c; apply quotient_nonneg; [nn | lra]).
    assert (Hp : xi (nu * alpha) nu ^ 2 / lam ^ 2 + rho * alpha / (lam * nu) <= c * (2 - rho * alpha)).
    { fold beta. unfold c. right. field. repeat split; lra. }
    pose proof (sum_energy Hr Pa Pn Hb Hl Hl2 CX Sm B Run M1 V1 Pj Kp Kg Hc Hp F0 Fb K) as H. fold beta in H.
    eapply le_number; [exact H|]. right. rewrite HK. unfold energy_noise. fold beta. clearbody c. unfold alpha at 1 2. field. repeat split; lra.
  Qed.
End Theorem_2_unbounded.

(** At alpha_0 = 1/rho, lambda = 1/(2 rho), for K >= 3 *)
Theorem Theorem_2_without_bounded_gradient_second {P : Setting} X f Env grad prox proj x z g rho sigma2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let nu := / / rho in let beta := nu * alpha in let lam := / (2 * rho) in
  (3 <= K)%nat -> unbounded_run X f Env grad prox proj x z g rho sigma2 lam (/ rho) f_0 f_star alpha nu ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 4 * sigma2) / N))%m.
Proof.
  intros N alpha nu beta lam HK R. pose proof (Theorem_2_without_bounded_gradient _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) as H. cbv zeta in H.
  destruct R as [[Hr [Hs _]] _ _ _ _ _ Run _ _ F0 Fb]. fold N alpha nu beta in H.
  assert (G : (# f_star <= # f_0)%m) by (intros A; rewrite <- (F0 A); apply Fb, Run).
  assert (HN : 2 <= N).
  { unfold N. replace 2 with (sqrt (2 * 2)) by (apply sqrt_square; lra). apply sqrt_le_1_alt.
    apply le_INR in HK. rewrite plus_INR. cbn [INR] in *. lra. }
  set (s := 1 - / N). assert (Si : 0 < / N /\ / N <= / 2) by (split; [sp | apply Rinv_le_contravar; lra]).
  assert (S0 : 0 <= 1 - s) by (unfold s; lra). assert (S1 : 0 <= 2 * s - 1) by (unfold s; lra). assert (S2 : 0 <= s) by lra.
  replace ((10 * rho * (f_0 - f_star) + 4 * sigma2) / N) with (10 * rho / N * (f_0 - f_star) + 4 * sigma2 / N) by (field; lra).
  refine (le_gap_number _ (rho / N * (10 - 8 * s * (1 - s) / (1 + s))) (sigma2 / N * (4 - 2 * (1 - s) ^ 2 * (2 * s - 1) / (1 + s))) _ _ _ _ _ G _ _).
  - eapply le_number; [exact H|]. right. unfold xi, beta, nu, lam, alpha, s. field. repeat split; lra.
  - same_gap (rho / N * (8 * s * (1 - s) / (1 + s))).
  - same_gap (sigma2 / N * (2 * (1 - s) ^ 2 * (2 * s - 1) / (1 + s))).
Qed.
