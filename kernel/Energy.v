(** Beyond the paper: two inequalities given F_{k-1}, for f that is smooth on a closed convex set X, under (A1) and (A3) alone.

    [envelope_energy] keeps what nonexpansiveness throws away, [energy] is a decrease of f itself.  Together they make a potential that
    falls given the past; here are its step, both ends of its sum, and the first step after the printed start. *)
Require Export HeavyBall.SmoothStep HeavyBall.Theorem1.
Require Import Lia.
Open Scope R_scope.

Section OneStep.
  Context {P : Setting} {X : V -> Prop} {f Env : V -> M} {grad prox proj : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu start sigma2 lam f_0 f_star : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_nn : 0 <= rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (lam_pos : 0 < lam) (lam_short : 2 * rho <= / lam).
  Hypotheses (CX : convex_set X) (Sm : smooth X rho f grad) (B : moreau X f lam Env prox).
  Hypothesis Run : heavy_ball X alpha beta start x z g.
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
  (** a step with momentum: every k >= 1, and k = 0 too if z_0 = beta g_0 *)
  Local Notation momentum k := (z k%nat = vadd (vscal beta (g k%nat)) (vscal (1 - beta) (d k%nat))).
  Let momentum_later k : (1 <= k)%nat -> momentum k.
  Proof. destruct k; [lia|]. intros _. apply (z_step _ _ _ _ _ _ _ Run). Qed.
  Let momentum_at_rest k : start = beta -> momentum k.
  Proof.
    intros S0. destruct k; [|apply momentum_later; lia]. rewrite (z_start _ _ _ _ _ _ _ Run), S0. unfold Paper.d. cbn [prev].
    same_vector. field; nz.
  Qed.
  Let bar_first : bar 0 = x 0%nat.
  Proof. unfold Paper.bar, p. cbn [prev]. same_vector. field; nz. Qed.

  (** The envelope and the function together *)
  Theorem envelope_energy k : momentum k ->
    (E[ Env (bar (S k)) + (1 / (lam * nu)) * f (x (S k)) | before k ] <=
     E[ Env (bar k) + (1 / (lam * nu)) * f (x k) - (alpha / 2) * || gradient k ||^2 + (alpha * xi ^ 2 / (2 * lam ^ 2)) * || d k ||^2
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
    assert (Sq : 0 <= alpha / (2 * lam) * (/ lam - 2 * rho)) by nn.
    rewrite Z in N. unfold env_gradient, Paper.xi.
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
  Theorem energy k : momentum k ->
    (E[ f (x (S k)) + (xi / 2) * || d (S k) ||^2 | before k ] <=
     E[ f (x k) + (xi / 2) * || d k ||^2 - (alpha * (1 - rho * alpha / 2)) * || d (S k) ||^2
        + # ((1 + beta) / 2 * nu * alpha ^ 2 * sigma2) | before k ])%m.
  Proof.
    intros Z. pose proof (virtual_distance (grad := grad) CX Run Proj k Z) as Nv.
    set (x' := proj (x k - alpha * (beta * grad (x k) + (1 - beta) * d k))%v) in *.
    pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1. pose proof (x_at k) as K1. pose proof (prev_at k) as K2.
    assert (K3 : known (before k) x').
    { apply proj_known. unfold Paper.d. pose proof (grad_known _ _ K1). know. }
    pose proof (projection_optimal X _ _ _ CX (x_step _ _ _ _ _ _ _ Run k) (in_X k)) as N.
    pose proof (smooth_above rho_nn CX Sm (x k) (x (S k)) (in_X k) (in_X (S k))) as Up.
    clearbody x'. rewrite Z in N. unfold Paper.xi, Paper.d in *. cbn [prev] in *. set (s := grad (x k)) in *.
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
    Theorem energy_step k : momentum k ->
      (E[ energy_potential (S k) | before k ] <=
       E[ energy_potential k - (alpha / 2) * || gradient k ||^2 + # energy_noise | before k ])%m.
    Proof.
      intros Z. pose proof (envelope_energy k Z) as HA. pose proof (energy k Z) as HB.
      assert (S1 : 0 <= alpha / 2 * (c * (2 - rho * alpha) - (xi ^ 2 / lam ^ 2 + rho * alpha / (lam * nu)))) by (apply Rmult_le_pos; lra).
      unfold energy_potential, energy_noise. set (dk := d k) in *. set (dn := d (S k)) in *. set (q := xi) in *. clearbody q.
      balance {{ (1, HA) ; (c, HB) ; (alpha / 2 * (c * (2 - rho * alpha) - (q ^ 2 / lam ^ 2 + rho * alpha / (lam * nu))), square_nn dn) }} {{ }} {{ }}.
    Qed.

    Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, X u -> (# f_star <= f u)%m).
    Let weight := 1 + (1 / (lam * nu) + c).
    Let W1 : 0 <= 1 / (lam * nu) + c. Proof. nn. Qed.
    Let W2 : 0 <= c * xi / 2 + alpha * xi ^ 2 / (2 * lam ^ 2). Proof. nn. Qed.
    Lemma energy_first : (E[ energy_potential 0 ] <= E[ # (weight * f_0) ])%m.
    Proof.
      pose proof (env_below _ _ _ _ _ B (x 0%nat) _ (in_X 0)) as He. unfold energy_potential, weight. rewrite bar_first.
      unfold Paper.d. cbn [prev]. set (q := xi) in *. clearbody q.
      balance {{ (1, He) }} {{ (1 + (1 / (lam * nu) + c), First) }} {{ }}.
    Qed.
    Lemma energy_last k : (E[ # (weight * f_star) ] <= E[ energy_potential k ])%m.
    Proof.
      pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ B (bar k))) as B1.
      pose proof (Below _ (in_X k)) as B2. unfold energy_potential, weight. set (dk := d k). set (q := xi) in *. clearbody q.
      set (y := bar k) in *. set (h := prox y) in *.
      balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) ; (1 / (lam * nu) + c, B2) ;
        (c * q / 2 + alpha * q ^ 2 / (2 * lam ^ 2), square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
    Qed.
    (** The last gradient without a step, and so without noise *)
    Lemma energy_last_gradient k : (E[ # (weight * f_star) + (lam / 2) * || gradient k ||^2 ] <= E[ energy_potential k ])%m.
    Proof.
      pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below _ (prox_in _ _ _ _ _ B (bar k))) as B1.
      pose proof (Below _ (in_X k)) as B2. unfold energy_potential, weight, env_gradient. set (dk := d k). set (q := xi) in *. clearbody q.
      set (y := bar k) in *. set (h := prox y) in *.
      balance {{ (1, B1) ; (1 / (lam * nu) + c, B2) ; (c * q / 2 + alpha * q ^ 2 / (2 * lam ^ 2), square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
    Qed.
    Lemma sum_energy K : start = beta -> (uniform K (fun k => || gradient k ||^2) <=
      # ((weight * f_0 - weight * f_star + INR (K + 1) * energy_noise) / (alpha / 2 * INR (K + 1))))%m.
    Proof.
      intros S0. apply mean_of_steps with (a := energy_potential); [sp | | exact energy_first | apply energy_last].
      intros k. apply in_total with (before k), energy_step. now apply momentum_at_rest.
    Qed.
    (** Without the last step, for alpha >= lambda *)
    Lemma sum_energy_short K : start = beta -> lam <= alpha -> (uniform K (fun k => || gradient k ||^2) <=
      # ((weight * f_0 - weight * f_star + INR K * energy_noise) / (lam / 2 * INR (K + 1))))%m.
    Proof.
      intros S0 Long. apply mean_of_earlier_steps with (a := energy_potential); [sp | | exact energy_first | apply energy_last_gradient].
      intros k. pose proof (in_total _ _ _ (energy_step k (momentum_at_rest k S0))) as H. assert (D : 0 <= (alpha - lam) / 2) by lra.
      set (a1 := energy_potential (S k)) in *. set (a0 := energy_potential k) in *. set (w := gradient k) in *.
      balance {{ (1, H) ; ((alpha - lam) / 2, square_nn w) }} {{ }} {{ }}.
    Qed.

    (** The printed start z_0 = g_0: what its first step costs, with the gradient at x_0 *)
    Definition energy_jump := 1 / (2 * lam * nu ^ 2) + c * (1 + beta) / (2 * nu).
    Definition energy_slope := energy_jump - (1 / (lam * nu) + c) * alpha / 2.
    Let slope_nn : 0 <= energy_slope.
    Proof. unfold energy_slope, energy_jump. same_as ((1 - beta) / (2 * lam * nu ^ 2) + c / (2 * nu)). nn. Qed.
    Let jump_nn : 0 <= energy_jump. Proof. unfold energy_jump. assert (0 <= 1 + beta) by lra. nn. Qed.
    Context {slope2 : R}.
    Hypothesis Slope : (|| grad (x 0%nat) ||^2 <= # slope2)%m.
    Lemma energy_first_step : start = 1 ->
      (E[ energy_potential 1 + (alpha / 2) * || gradient 0 ||^2 ] <= E[ # (weight * f_0 + energy_jump * sigma2 + energy_slope * slope2) ])%m.
    Proof.
      intros S1. pose proof (Mean 0%nat) as M0. pose proof (Variance 0%nat) as V0. cbv beta in V0. pose proof (x_at 0) as K0. pose proof (grad_known _ _ K0) as K1.
      pose proof (prox_known _ _ _ _ _ B _ _ K0) as K2. pose proof (in_X 0) as Hk. pose proof (prox_in _ _ _ _ _ B (x 0%nat)) as Hh.
      assert (Hu : X (beta * prox (x 0%nat) + (1 - beta) * x 0%nat)%v) by (apply CX; auto; nn).
      pose proof (x_step _ _ _ _ _ _ _ Run 0%nat) as Hp. rewrite (z_start _ _ _ _ _ _ _ Run), S1 in Hp.
      pose proof (projection_optimal X _ _ _ CX Hp Hu) as N1. pose proof (projection_optimal X _ _ _ CX Hp Hk) as N2.
      pose proof (env_below _ _ _ _ _ B (bar 1) _ Hh) as He. pose proof (env_at _ _ _ _ _ B (x 0%nat)) as Ha. pose proof (env_below _ _ _ _ _ B (x 0%nat) _ Hk) as Hx.
      pose proof (smooth_above rho_nn CX Sm (x 0%nat) (x 1%nat) Hk (in_X 1)) as Up. pose proof (smooth_below rho_nn CX Sm (x 0%nat) (prox (x 0%nat)) Hk Hh) as Wc.
      pose proof (strong_convexity CX (smooth_weakly_convex rho_nn CX Sm) lam_pos B (x 0%nat) (x 0%nat) Hk) as Hs.
      assert (Sq : 0 <= (/ lam - 2 * rho) / (2 * lam * nu)) by nn.
      assert (Sd : 0 <= alpha / 2 * (c * (2 - rho * alpha) - (xi ^ 2 / lam ^ 2 + rho * alpha / (lam * nu)))) by (apply Rmult_le_pos; lra).
      assert (Sg : 0 <= (1 / nu - alpha) / 2) by (same_as ((1 - beta) / (2 * nu)); nn).
      rewrite bar_first. unfold energy_potential, weight, env_gradient. unfold energy_slope in *. set (J := energy_jump) in *.
      assert (HJ : J = 1 / (2 * lam * nu ^ 2) + c * (1 + beta) / (2 * nu)) by reflexivity. clearbody J.
      set (e1 := Env (bar 1)) in *. set (e0 := Env (x 0%nat)) in *. set (h := prox (x 0%nat)) in *. set (s := grad (x 0%nat)) in *.
      unfold Paper.xi, Paper.bar, p, Paper.d in *. cbn [prev] in *. set (left_over := (g 0%nat - (/ alpha) * (x 0%nat - x 1%nat))%v).
      certificate {{ (1, He) ; (1 / (lam * beta ^ 2), N1) ; (1, Hx) ; (1 / (lam * nu), Wc) ; (1 / (lam * nu), Hs) ;
          ((/ lam - 2 * rho) / (2 * lam * nu), square_nn (x 0%nat - h)%v) ; (1 / (lam * nu) + c, Up) ;
          (c * ((1 - beta) / nu + 2 * alpha) / alpha ^ 2, N2) ; ((1 / (lam * nu) + c) * alpha / 2, square_nn (s - left_over)%v) ;
          (J - (1 / (lam * nu) + c) * alpha / 2, square_nn left_over) ; (J, V0) ; (J - (1 / (lam * nu) + c) * alpha / 2, Slope) ;
          (alpha / 2 * (c * (2 - rho * alpha) - (((1 - beta) / nu) ^ 2 / lam ^ 2 + rho * alpha / (lam * nu))), square_nn ((/ alpha) * (x 0%nat - x 1%nat))%v) ;
          ((1 / nu - alpha) / 2, square_nn ((/ lam) * (x 0%nat - h))%v) }}
        {{ (- 1 - 1 / (lam * nu), Ha) ; (1 + (1 / (lam * nu) + c), First) }}
        {{ (M0, ((1 / (lam * nu)) * (x 0%nat - h) + ((1 / (lam * nu) + c) * alpha - 2 * J) * s)%v) }}.
      rewrite HJ. field; nz.
    Qed.
    Lemma sum_energy_printed K : start = 1 -> (uniform K (fun k => || gradient k ||^2) <=
      # ((weight * f_0 + energy_jump * sigma2 + energy_slope * slope2 - weight * f_star + INR K * energy_noise) / (alpha / 2 * INR (K + 1))))%m.
    Proof.
      intros S1. apply mean_of_later_steps with (a := energy_potential); [sp | | now apply energy_first_step | apply energy_last].
      intros k Hk. apply in_total with (before k), energy_step. now apply momentum_later.
    Qed.
  End Potential.
End OneStep.
