(** Smooth functions: what a Lipschitz gradient gives, and that smooth functions are weakly convex. *)
Require Export HeavyBall.Telescope HeavyBall.Descent.
Require Import Lia.
Open Scope R_scope.

Section Smooth.
  Context {P : Setting} {f : V -> M} {grad : V -> V} {rho : R}.
  Hypotheses (rho_pos : 0 < rho) (Sm : smooth rho f grad).

  Lemma lipschitz u v : (|| grad u - grad v ||^2 <= (rho ^ 2) * || u - v ||^2)%m.
  Proof. apply Sm. Qed.

  Section Segment.
    Variables (u w : V) (A : event).
    Let value t := on A (f (u + t * w)%v).
    Let slope t := on A (inner (grad (u + t * w)%v) w).

    Lemma value_derivative t : derivable_pt_lim value t (slope t).
    Proof.
      intros eps He. destruct (proj1 Sm (u + t * w)%v w A eps He) as [t0 [T0 H]].
      exists (mkposreal t0 T0). cbn. intros h Hh Hd. specialize (H h Hh Hd). unfold value, slope.
      replace (u + (t + h) * w)%v with (u + t * w + h * w)%v by (same_vector; ring). exact H.
    Qed.
    (** how far the slope can turn on the way, in the direction of the sign e *)
    Lemma slope_turn e t : e * e = 1 -> 0 < t -> e * (slope t - slope 0) <= rho * t * on A (inner w w).
    Proof.
      intros He Ht. pose proof (lipschitz (u + t * w)%v u) as L.
      assert (K : (e * << grad (u + t * w)%v - grad u , w >> <= (rho * t) * || w ||^2)%m).
      { assert (S : e = 1 \/ e = - 1) by (assert (Z : (e - 1) * (e + 1) = 0) by lra; apply Rmult_integral in Z; lra).
        destruct S as [-> | ->]; [
          balance {{ (/ (2 * rho * t), L) ; (/ (2 * rho * t), square_nn (grad (u + t * w) - grad u - (rho * t) * w)%v) }} {{ }} {{ }}
        | balance {{ (/ (2 * rho * t), L) ; (/ (2 * rho * t), square_nn (grad (u + t * w) - grad u + (rho * t) * w)%v) }} {{ }} {{ }} ]. }
      specialize (K A). rewrite !on_scal, inner_add, inner_scal in K. unfold slope.
      replace (u + 0 * w)%v with u by (same_vector; ring). lra.
    Qed.
    Lemma segment_bound e : e * e = 1 -> e * (value 1 - value 0 - slope 0) <= rho / 2 * on A (inner w w).
    Proof.
      intros He. set (q := on A (inner w w)).
      set (psi := (mult_real_fct e value - (mult_real_fct (e * slope 0) id + mult_real_fct (rho / 2 * q) Rsqr))%F).
      set (psi' := fun t => e * slope t - (e * slope 0 * 1 + rho / 2 * q * (2 * t))).
      assert (D : forall t, derivable_pt_lim psi t (psi' t)).
      { intros t. apply derivable_pt_lim_minus; [apply derivable_pt_lim_scal, value_derivative|].
        apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id | apply derivable_pt_lim_Rsqr]. }
      assert (F : psi 1 <= psi 0).
      { apply does_not_grow with psi'; [exact D|]. intros t T0 _. unfold psi'.
        destruct (Req_dec t 0) as [->|N]; [lra|]. pose proof (slope_turn e t He ltac:(lra)) as Q. fold q in Q. lra. }
      unfold psi, mult_real_fct, minus_fct, plus_fct, id, Rsqr in F. lra.
    Qed.
  End Segment.

  Lemma smooth_above u v : (f v <= f u + << grad u , v - u >> + (rho / 2) * || v - u ||^2)%m.
  Proof.
    intros A. pose proof (segment_bound u (v - u)%v A 1 ltac:(lra)) as H. cbv beta zeta in H.
    replace (u + 1 * (v - u))%v with v in H by (same_vector; ring). replace (u + 0 * (v - u))%v with u in H by (same_vector; ring).
    rewrite !on_add, on_scal. lra.
  Qed.
  Lemma smooth_below u v : (f u + << grad u , v - u >> - (rho / 2) * || v - u ||^2 <= f v)%m.
  Proof.
    intros A. pose proof (segment_bound u (v - u)%v A (-1) ltac:(lra)) as H. cbv beta zeta in H.
    replace (u + 1 * (v - u))%v with v in H by (same_vector; ring). replace (u + 0 * (v - u))%v with u in H by (same_vector; ring).
    rewrite !on_add, !on_scal. lra.
  Qed.

  (** All that smoothness says about two points (the interpolation inequality). *)
  Theorem two_points u v :
    (f u + << grad u , v - u >> - (rho / 2) * || v - u ||^2 + (1 / (4 * rho)) * || grad v - grad u + rho * (v - u) ||^2 <= f v)%m.
  Proof.
    set (w := (v - (/ (2 * rho)) * (grad v - grad u + rho * (v - u)))%v).
    pose proof (smooth_below u w) as H1. pose proof (smooth_above v w) as H2. set (fw := f w) in *. unfold w in *.
    balance {{ (1, H1) ; (1, H2) }} {{ }} {{ }}.
  Qed.

  (** Smooth functions are weakly convex, and the gradient is a subgradient. *)
  Lemma smooth_weakly_convex : weakly_convex rho f.
  Proof.
    intros u v w W0 W1. set (y := (w * u + (1 - w) * v)%v).
    pose proof (smooth_below y u) as H1. pose proof (smooth_below y v) as H2.
    assert (W2 : 0 <= 1 - w) by lra. set (s := grad y) in *. set (fy := f y) in *. unfold y in *.
    balance {{ (w, H1) ; (1 - w, H2) }} {{ }} {{ }}.
  Qed.
  Lemma smooth_subgradient u : subgradient f u (grad u).
  Proof.
    intros w A eps He. destruct (proj1 Sm u w A eps He) as [t0 [T0 H]]. exists (t0 / 2). split; [lra|].
    intros t Ht Hl. specialize (H t ltac:(lra)). rewrite (Rabs_right t) in H by lra. specialize (H ltac:(lra)).
    apply Rabs_def2 in H. destruct H as [_ H].
    set (a := on A (f (u + t * w)%v)) in *. set (b := on A (f u)) in *. set (c := on A _) in *.
    assert (K : t * ((a - b) / t - c) = a - b - t * c) by (field; lra). nra.
  Qed.
End Smooth.
