(** One step in the smooth half of the paper: Lemma 6 given F_k, for weakly convex f; Lemmas 7 and 5 given F_{k-1} (the paper prints F_k,
    for which both are false), for f that is smooth on X. *)
Require Export HeavyBall.Smooth.
Require Import Lia.
Open Scope R_scope.

Section Definitions.
  Context {P : Setting}.
  (** h*(y), the conjugate of h = |.|^2/2 + the indicator of X, is a supremum that is attained *)
  Definition conjugate (X : V -> Prop) (h_star : V -> M) := forall y,
    (forall u, X u -> (<< y , u >> - (1 / 2) * || u ||^2 <= h_star y)%m) /\
    exists u, X u /\ (h_star y == << y , u >> - (1 / 2) * || u ||^2)%m.
  Definition phi (h_star : V -> M) alpha (x z : nat -> V) k :=
    (h_star (x k - alpha * z k)%v - (1 / 2) * || x k ||^2 + alpha * << x k , z k >>)%m.
  Definition W f (h_star : V -> M) alpha nu (x z : nat -> V) k :=
    (2 * f (x k) + (1 / (nu * alpha ^ 2)) * phi h_star alpha x z k + (xi (nu * alpha) nu / 2) * || d alpha x k ||^2)%m.
  (** A map of points, such as a gradient or a projection, keeps what is known. *)
  Definition keeps_known (h : V -> V) := forall j y, known j y -> known j (h y).

  (** The conjugate at y is attained at the projection of y. *)
  Lemma conjugate_at X h_star y q : conjugate X h_star -> is_projection X y q -> (h_star y == << y , q >> - (1 / 2) * || q ||^2)%m.
  Proof.
    intros C [Hq Hm]. destruct (C y) as [Up [u [Hu At]]]. specialize (Up q Hq). specialize (Hm u Hu).
    assert (L : (h_star y <= << y , q >> - (1 / 2) * || q ||^2)%m).
    { balance {{ (1 / 2, Hm) }} {{ (1, At) }} {{ }}. }
    intros A. apply Rle_antisym; [apply L | apply Up].
  Qed.
  Lemma given_earlier i j Y Z : fle i j = true -> (E[ Y | j ] <= E[ Z | j ])%m -> (E[ Y | i ] <= E[ Z | i ])%m.
  Proof. intros L H A. rewrite <- (E_tower i j Y L), <- (E_tower i j Z L). revert A. now apply E_mono. Qed.
End Definitions.

(** ** Lemma 6, for weakly convex f *)
Section Lemma_6.
  Context {P : Setting} {X : V -> Prop} {f h_star : V -> M} {x z g f' : nat -> V}.
  Context {rho alpha nu start : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_nn : 0 <= rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu).
  Hypotheses (CX : convex_set X) (Cf : weakly_convex X rho f) (Hconj : conjugate X h_star).
  Hypothesis Run : heavy_ball X alpha beta start x z g.
  Hypothesis Mean : A1 X f x g f'.
  Local Notation d := (d alpha x).
  Local Notation phi := (phi h_star alpha x z).
  Let beta_pos : 0 < beta. Proof. sp. Qed.
  Let in_X k : X (x k). Proof. destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]. Qed.
  Let x_at k := x_known _ _ _ _ _ _ _ Run k.
  Let step k := x_step _ _ _ _ _ _ _ Run k.

  (** Lemma 6 (lem:xdiff:smooth), given F_k, for every k, every start and every stepsize *)
  Theorem Lemma_6 k :
    (E[ f (x (S k)) + (1 / (nu * alpha ^ 2)) * phi (S k) | before (S k) ] <=
     E[ f (x k) + (1 / (nu * alpha ^ 2)) * phi k - (alpha - rho * alpha ^ 2 / 2) * || d (S k) ||^2
        + (1 / (2 * nu)) * || z k - z (S k) ||^2 | before (S k) ])%m.
  Proof.
    pose proof (conjugate_at X h_star _ _ Hconj (step k)) as C1. pose proof (conjugate_at X h_star _ _ Hconj (step (S k))) as C2.
    pose proof (projection_optimal X _ _ _ CX (step k) (in_X k)) as O1.
    pose proof (projection_optimal X _ _ _ CX (step k) (in_X (S (S k)))) as O2.
    destruct (Mean (S k)) as [M1 Sg]. pose proof (Lemma_1_1 X f rho (x (S k)) (x k) _ rho_nn Cf (in_X (S k)) (in_X k) Sg) as H.
    pose proof (x_at (S k)) as K1. assert (K0 : known (before (S k)) (x k)) by (pose proof (x_at k); know).
    unfold SmoothStep.phi, Paper.d. set (h1 := h_star (x k - alpha * z k)%v) in *. set (h2 := h_star (x (S k) - alpha * z (S k))%v) in *.
    rewrite (z_step _ _ _ _ _ _ _ Run k) in *. unfold Paper.d in *. cbn [prev] in *.
    balance {{ (1 / (nu * alpha ^ 2), O2) ; (2 / (nu * alpha ^ 2), O1) ; (1, H) ;
        (1 / (2 * nu * alpha ^ 2), square_nn ((x (S k) - alpha * (beta * g (S k) + (1 - beta) * ((/ alpha) * (x k - x (S k)))))
           - (x k - alpha * z k) - x (S (S k)) + x (S k))%v) }}
      {{ (- 1 / (nu * alpha ^ 2), C1) ; (1 / (nu * alpha ^ 2), C2) }} {{ (M1, (x (S k) - x k)%v) }}.
  Qed.
End Lemma_6.

(** ** Lemmas 7 and 5, for f that is smooth on X *)
Section Step.
  Context {P : Setting} {X : V -> Prop} {f h_star : V -> M} {grad proj : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu start sigma2 : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_pos : 0 < rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (CX : convex_set X) (Sm : smooth X rho f grad) (Hconj : conjugate X h_star).
  Hypothesis Run : heavy_ball X alpha beta start x z g.
  Hypothesis Mean : forall k, mean_given (before k) (g k) (grad (x k)).
  Hypothesis Variance : A3 sigma2 g (fun k => grad (x k)).
  Hypotheses (Proj : forall y, is_projection X y (proj y)) (proj_known : keeps_known proj) (grad_known : keeps_known grad).

  Local Notation d := (d alpha x).
  Local Notation xi := (xi beta nu).
  Local Notation phi := (phi h_star alpha x z).
  Local Notation W := (W f h_star alpha nu x z).
  Let rho_nn : 0 <= rho. Proof. lra. Qed.
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.
  Let in_X k : X (x k). Proof. destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]. Qed.
  Let x_at k := x_known _ _ _ _ _ _ _ Run k.
  Let step k := x_step _ _ _ _ _ _ _ Run k.

  Section Momentum.
    Variable k : nat.
    Hypothesis Z : z k = (beta * g k + (1 - beta) * d k)%v.
    Hypothesis short : rho * alpha <= 1.

    Local Notation Delta := (g k - grad (x k))%v.
    (** p_k of Appendix C, the virtual iterate x'_{k+1}, and p'_{k+1} *)
    Let q := (beta * grad (x k) + (1 - beta) * d k)%v.
    Let x' := proj (x k - alpha * q)%v.
    Let q' := (beta * grad x' + ((1 - beta) / alpha) * (x k - x'))%v.
    Let q_next := (beta * grad (x (S k)) + (1 - beta) * d (S k))%v.

    Let prev_at : known (before k) (prev x k).
    Proof. pose proof (x_at k). destruct k as [|j]; cbn [prev]; [assumption|]. pose proof (x_at j). know. Qed.
    Let q_at : known (before k) q.
    Proof. unfold q, Paper.d. pose proof (x_at k). pose proof (grad_known _ _ (x_at k)). know. Qed.
    Let x'_at : known (before k) x'.
    Proof. apply proj_known. pose proof (x_at k). know. Qed.
    Let q'_at : known (before k) q'.
    Proof. unfold q'. pose proof (x_at k). pose proof (grad_known _ _ x'_at). know. Qed.

    Lemma virtual_distance : (|| x (S k) - x' ||^2 <= ((alpha * beta) ^ 2) * || Delta ||^2)%m.
    Proof.
      pose proof (nonexpansive_pair X _ _ _ _ CX (step k) (Proj (x k - alpha * q)%v)) as N. fold x' in N.
      rewrite Z in N. unfold q in N. balance {{ (1, N) }} {{ }} {{ }}.
    Qed.
    (** proof:smooth:g:inp *)
    Lemma step_noise : (E[ << Delta , x k - x (S k) >> | before k ] <= E[ # (alpha * beta * sigma2) | before k ])%m.
    Proof.
      pose proof virtual_distance as N. pose proof (Variance k) as H. cbv beta in H. pose proof (Mean k) as M1. pose proof (x_at k) as K1.
      balance {{ (alpha * beta / 2, square_nn (Delta - (/ (alpha * beta)) * (x' - x (S k)))%v) ;
          (1 / (2 * alpha * beta), N) ; (alpha * beta, H) }} {{ }} {{ (M1, (x' - x k)%v) }}.
    Qed.
    (** proof:smooth:p:normdiff, squared *)
    Lemma momentum_distance : (|| q_next - q' ||^2 <= (beta ^ 2) * || Delta ||^2)%m.
    Proof.
      pose proof virtual_distance as N. pose proof (lipschitz Sm (x (S k)) x' (in_X (S k)) (proj1 (Proj _))) as L.
      set (s := beta * rho + (1 - beta) / alpha). assert (Ps : 0 <= s) by (unfold s; nn).
      assert (S1 : 0 <= 1 - alpha * s) by (unfold s; same_as (beta * (1 - rho * alpha)); nn).
      assert (S2 : 0 <= beta ^ 2 * (1 - (alpha * s) ^ 2))
        by (replace (1 - (alpha * s) ^ 2) with ((1 - alpha * s) * (1 + alpha * s)) by ring; nn).
      unfold q_next, q', Paper.d in *. cbn [prev]. unfold s in *.
      balance {{ (beta * (1 - beta) / alpha / rho, square_nn (grad (x (S k)) - grad x' - rho * (x' - x (S k)))%v) ;
          (beta ^ 2 + beta * (1 - beta) / (alpha * rho), L) ; ((beta * rho + (1 - beta) / alpha) ^ 2, N) ;
          (beta ^ 2 * (1 - (alpha * (beta * rho + (1 - beta) / alpha)) ^ 2), square_nn Delta) }} {{ }} {{ }}.
    Qed.
    (** proof:smooth:cond:expect:b:3 *)
    Lemma momentum_noise : (E[ (- 1) * << Delta , q_next >> | before k ] <= E[ # (beta * sigma2) | before k ])%m.
    Proof.
      pose proof momentum_distance as N. pose proof (Variance k) as H. cbv beta in H. pose proof (Mean k) as M1.
      set (qn := q_next) in *. set (qv := q') in *.
      balance {{ (beta / 2, square_nn (Delta - (/ beta) * (qv - qn))%v) ; (1 / (2 * beta), N) ; (beta, H) }} {{ }} {{ (M1, qv) }}.
    Qed.

    (** Lemma 7 (lem:z:diff), given F_{k-1} *)
    Theorem Lemma_7 :
      (E[ (1 / (2 * nu)) * || z (S k) - z k ||^2 | before k ] <=
       E[ f (x k) - f (x (S k)) + (xi / 2) * || d k ||^2 - (xi / 2) * || d (S k) ||^2
          - (alpha - (alpha ^ 3 * rho ^ 2 + 3 * rho * alpha ^ 2) / 2) * || d (S k) ||^2 + # (4 * nu * alpha ^ 2 * sigma2) | before k ])%m.
    Proof.
      pose proof step_noise as N1. pose proof momentum_noise as N2. pose proof (Variance k) as V1. pose proof (Variance (S k)) as V2.
      cbv beta in V1, V2. pose proof (Mean k) as M1. pose proof (Mean (S k)) as M2.
      pose proof (lipschitz Sm (x (S k)) (x k) (in_X (S k)) (in_X k)) as L. pose proof (smooth_below rho_nn CX Sm (x (S k)) (x k) (in_X (S k)) (in_X k)) as B.
      pose proof (projection_optimal X _ _ _ CX (step k) (in_X k)) as O.
      pose proof (x_at k) as K1. pose proof (x_at (S k)) as K2. pose proof (grad_known _ _ K1) as K3. pose proof (grad_known _ _ K2) as K4.
      rewrite (z_step _ _ _ _ _ _ _ Run k). rewrite Z in *. unfold Paper.xi in *.
      unfold q_next, q, Paper.d in *. cbn [prev] in *.
      set (turn := (grad (x (S k)) - grad (x k))%v). set (dn := ((/ alpha) * (x k - x (S k)))%v) in *. set (dk := ((/ alpha) * (prev x k - x k))%v) in *.
      balance {{ (beta * alpha, V1) ; (beta * alpha, V2) ; (alpha * beta / 2, square_nn (g (S k) - grad (x (S k)) + (g k - grad (x k)))%v) ;
          (alpha, N2) ; (alpha * (1 - beta) / 2, square_nn (turn - (dn - dk))%v) ; (alpha / 2, L) ;
          (1 / (alpha * beta), O) ; (1, N1) ; (1, B) ; (1 / (2 * rho), square_nn (turn + rho * (x k - x (S k)))%v) ; (1 / (2 * rho), L) }}
        {{ }} {{ (M2, ((- alpha) * (beta * turn + (1 - beta) * (dn - dk)))%v) ; (M1, ((- alpha) * (beta * grad (x k) + (1 - beta) * dk))%v) }}.
    Qed.

    (** Lemma 5 (lem:Wfunc:smooth), given F_{k-1} *)
    Theorem Lemma_5 : rho * alpha <= 1 / 4 ->
      (E[ W (S k) | before k ] <=
       E[ W k - alpha * || d (S k) ||^2 + # (4 * nu * alpha ^ 2 * sigma2) | before k ])%m.
    Proof.
      intros quarter. pose proof (given_earlier (before k) (before (S k)) _ _ ltac:(earlier) (Lemma_6 (f' := fun k => grad (x k)) rho_nn alpha_pos nu_pos CX (smooth_weakly_convex rho_nn CX Sm) Hconj Run
        (fun k => conj (Mean k) (smooth_subgradient Sm (x k) (in_X k))) k)) as H6. pose proof Lemma_7 as H7.
      assert (S1 : 0 <= alpha * (1 - 2 * (rho * alpha) - (rho * alpha) ^ 2 / 2)).
      { apply Rmult_le_pos; [lra|]. assert (0 < rho * alpha) by sp. nra. }
      unfold SmoothStep.W. set (a := phi k) in *. set (b := phi (S k)) in *. set (dn := d (S k)) in *. set (dk := d k) in *.
      set (zn := z (S k)) in *. set (zk := z k) in *. unfold Paper.xi in *.
      balance {{ (1, H6) ; (1, H7) ; (alpha * (1 - 2 * (rho * alpha) - (rho * alpha) ^ 2 / 2), square_nn dn) }} {{ }} {{ }}.
    Qed.

    (** ** Sharper: the two noises are uncorrelated, and smoothness is used once.  Here g_k is known at F_k. *)
    Hypothesis sample_known : known (before (S k)) (g k).

    (** Lemma 7 with 3 in place of 4, and rho alpha^2 in place of 3 rho alpha^2 *)
    Theorem Lemma_7_sharp :
      (E[ (1 / (2 * nu)) * || z (S k) - z k ||^2 | before k ] <=
       E[ f (x k) - f (x (S k)) + (xi / 2) * || d k ||^2 - (xi / 2) * || d (S k) ||^2
          - (alpha - (alpha ^ 3 * rho ^ 2 + rho * alpha ^ 2) / 2) * || d (S k) ||^2 + # (3 * nu * alpha ^ 2 * sigma2) | before k ])%m.
    Proof.
      pose proof step_noise as N1. pose proof momentum_noise as N2. pose proof (Variance k) as V1. pose proof (Variance (S k)) as V2.
      cbv beta in V1, V2. pose proof (Mean k) as M1. pose proof (Mean (S k)) as M2.
      pose proof (lipschitz Sm (x (S k)) (x k) (in_X (S k)) (in_X k)) as L. pose proof (smooth_above rho_nn CX Sm (x k) (x (S k)) (in_X k) (in_X (S k))) as B.
      pose proof (projection_optimal X _ _ _ CX (step k) (in_X k)) as O.
      pose proof (x_at k) as K1. pose proof (x_at (S k)) as K2. pose proof (grad_known _ _ K1) as K3. pose proof (grad_known _ _ K2) as K4.
      rewrite (z_step _ _ _ _ _ _ _ Run k). rewrite Z in *. unfold Paper.xi in *.
      unfold q_next, q, Paper.d in *. cbn [prev] in *.
      set (turn := (grad (x (S k)) - grad (x k))%v). set (dn := ((/ alpha) * (x k - x (S k)))%v) in *. set (dk := ((/ alpha) * (prev x k - x k))%v) in *.
      balance {{ (beta * alpha / 2, V1) ; (beta * alpha / 2, V2) ; (alpha, N2) ; (alpha * (1 - beta) / 2, square_nn (turn - (dn - dk))%v) ;
          (alpha / 2, L) ; (1 / (alpha * beta), O) ; (1, N1) ; (1, B) }}
        {{ }} {{ (M2, ((- alpha) * (beta * turn + (1 - beta) * (dn - dk)) + (alpha * beta) * (g k - grad (x k)))%v) ;
                 (M1, ((- alpha) * (beta * grad (x k) + (1 - beta) * dk))%v) }}.
    Qed.

    (** old noise against the turn of the gradient, for every stepsize *)
    Lemma turn_noise : (E[ (- 1) * << Delta , grad (x (S k)) - grad (x k) >> | before k ] <= E[ # (rho * alpha * beta * sigma2) | before k ])%m.
    Proof.
      clear short. pose proof virtual_distance as N. pose proof (lipschitz Sm (x (S k)) x' (in_X (S k)) (proj1 (Proj _))) as L. pose proof (Variance k) as H. cbv beta in H.
      pose proof (Mean k) as M1. pose proof (grad_known _ _ (x_at k)) as K1. pose proof (grad_known _ _ x'_at) as K2.
      clearbody x'.
      balance {{ (rho * alpha * beta / 2, square_nn (Delta - (/ (rho * alpha * beta)) * (grad x' - grad (x (S k))))%v) ;
          (1 / (2 * rho * alpha * beta), L) ; (rho / (2 * alpha * beta), N) ; (rho * alpha * beta, H) }} {{ }} {{ (M1, (grad x' - grad (x k))%v) }}.
    Qed.

    (** Lemma 5 for every stepsize up to sqrt 2 / rho, beyond which it is false, with 1 + beta (1 + rho alpha) in place of 4; here f is smooth
        everywhere *)
    Theorem Lemma_5_sharp : smooth whole rho f grad -> (rho * alpha) ^ 2 <= 2 ->
      (E[ W (S k) | before k ] <=
       E[ W k - alpha * || d (S k) ||^2 + # ((1 + beta * (1 + rho * alpha)) * nu * alpha ^ 2 * sigma2) | before k ])%m.
    Proof.
      clear short. intros Everywhere root_two. pose proof step_noise as N1. pose proof turn_noise as N3.
      pose proof (conjugate_at X h_star _ _ Hconj (step k)) as C1. pose proof (conjugate_at X h_star _ _ Hconj (step (S k))) as C2.
      pose proof (projection_optimal X _ _ _ CX (step k) (in_X k)) as O1.
      pose proof (projection_optimal X _ _ _ CX (step k) (in_X (S (S k)))) as O2.
      pose proof (two_points (x (S k)) (x k) rho_pos Everywhere) as I2. pose proof (lipschitz Sm (x (S k)) (x k) (in_X (S k)) (in_X k)) as L.
      pose proof (Variance k) as V1. pose proof (Variance (S k)) as V2. cbv beta in V1, V2. pose proof (Mean k) as M1. pose proof (Mean (S k)) as M2.
      pose proof (x_at k) as K1. pose proof (x_at (S k)) as K2. pose proof (grad_known _ _ K1) as K3. pose proof (grad_known _ _ K2) as K4.
      assert (S0 : 0 < rho * alpha) by sp.
      unfold SmoothStep.W, SmoothStep.phi, Paper.xi, Paper.d in *. set (h1 := h_star (x k - alpha * z k)%v) in *. set (h2 := h_star (x (S k) - alpha * z (S k))%v) in *.
      rewrite (z_step _ _ _ _ _ _ _ Run k) in *. rewrite Z in *. unfold Paper.d in *. cbn [prev] in *.
      set (turn := (grad (x (S k)) - grad (x k))%v) in *. set (dn := ((/ alpha) * (x k - x (S k)))%v) in *. set (dk := ((/ alpha) * (prev x k - x k))%v) in *.
      assert (Rest : (zero <= (alpha * (1 / (rho * alpha) - 1) / 2) * || turn ||^2 + (alpha * (1 - rho * alpha / 2)) * || dn ||^2)%m).
      { destruct (Rle_or_lt (rho * alpha) 1) as [H|H].
        - assert (S1 : 0 <= 1 / (rho * alpha) - 1) by (same_as ((1 - rho * alpha) / (rho * alpha)); apply quotient_nonneg; lra).
          assert (S2 : 0 <= 1 - rho * alpha / 2) by lra.
          balance {{ (alpha * (1 / (rho * alpha) - 1) / 2, square_nn turn) ; (alpha * (1 - rho * alpha / 2), square_nn dn) }} {{ }} {{ }}.
        - assert (S1 : 0 <= 1 - 1 / (rho * alpha)) by (same_as ((rho * alpha - 1) / (rho * alpha)); apply quotient_nonneg; lra).
          assert (S2 : 0 <= 2 - (rho * alpha) ^ 2) by lra. unfold turn, dn.
          balance {{ (alpha * (1 - 1 / (rho * alpha)) / 2, L) ; (alpha * (2 - (rho * alpha) ^ 2) / 2, square_nn ((/ alpha) * (x k - x (S k)))%v) }} {{ }} {{ }}. }
      balance {{ (1 / (nu * alpha ^ 2), O2) ; (3 / (nu * alpha ^ 2), O1) ; (2, I2) ; (1, Rest) ;
          (1 / (2 * nu * alpha ^ 2), square_nn ((x (S k) - alpha * (beta * g (S k) + (1 - beta) * dn))
             - (x k - alpha * (beta * g k + (1 - beta) * dk)) - x (S (S k)) + x (S k))%v) ;
          (alpha * (1 - beta) / 2, square_nn (dk - dn + turn)%v) ; (alpha * beta / 2, V1) ; (alpha * beta / 2, V2) ; (beta, N1) ; (alpha * beta, N3) }}
        {{ (- 1 / (nu * alpha ^ 2), C1) ; (1 / (nu * alpha ^ 2), C2) }}
        {{ (M2, (x (S k) - x k + (- alpha) * (beta * turn + (1 - beta) * (dn - dk)) + (alpha * beta) * (g k - grad (x k)))%v) ;
           (M1, ((- (alpha * (1 - beta))) * dk)%v) }}.
    Qed.
  End Momentum.
End Step.
