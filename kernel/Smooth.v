(** Smooth functions: what a Lipschitz gradient gives, and that smooth functions are weakly convex. *)
Require Export HeavyBall.Telescope HeavyBall.Descent.
Require Import Lia.
Open Scope R_scope.

Section Smooth.
  Context {P : Setting} {X : V -> Prop} {f : V -> M} {grad : V -> V} {rho : R}.
  Hypotheses (rho_nn : 0 <= rho) (CX : convex_set X) (Sm : smooth X rho f grad).

  Lemma lipschitz u v : X u -> X v -> (|| grad u - grad v ||^2 <= (rho ^ 2) * || u - v ||^2)%m.
  Proof. apply Sm. Qed.

  (** The function on the segment from u to v *)
  Section Segment.
    Variables (u v : V) (A : event).
    Hypotheses (Hu : X u) (Hv : X v).
    Local Notation w := (v - u)%v.
    Local Notation at_t t := (u + t * (v - u))%v.
    Let value t := on A (f (at_t t)).
    Let slope t := on A (inner (grad (at_t t)) w).
    Let inside t : 0 <= t -> t <= 1 -> X (at_t t).
    Proof. intros T0 T1. replace (at_t t) with (t * v + (1 - t) * u)%v by (same_vector; ring). now apply CX. Qed.

    (** from the point at t towards the end at [e] (0 or 1) *)
    Let towards t e eps : 0 <= t -> t <= 1 -> 0 <= e -> e <= 1 -> e <> t -> 0 < eps ->
      exists delta, 0 < delta /\ forall h, 0 < h / (e - t) -> Rabs h < delta -> Rabs ((value (t + h) - value t) / h - slope t) < eps.
    Proof.
      intros T0 T1 E0 E1 N He. assert (Pc : 0 < Rabs (e - t)) by (apply Rabs_pos_lt; lra).
      destruct (proj1 Sm (at_t t) (at_t e) A (eps * Rabs (e - t)) (inside t T0 T1) (inside e E0 E1) ltac:(apply Rmult_lt_0_compat; lra)) as [t0 [P0 H]].
      replace (at_t e - at_t t)%v with ((e - t) * w)%v in H by (same_vector; ring).
      exists (t0 * Rabs (e - t)). split; [apply Rmult_lt_0_compat; lra|]. intros h Hs Hd. set (s := h / (e - t)) in *.
      assert (Eh : h = s * (e - t)) by (unfold s; field; lra).
      assert (Hle : s <= t0).
      { rewrite Eh, Rabs_mult, (Rabs_right s) in Hd by lra. left. now apply Rmult_lt_reg_r with (Rabs (e - t)). }
      specialize (H s Hs Hle). replace (at_t t + s * ((e - t) * w))%v with (at_t (t + h)) in H by (rewrite Eh; same_vector; ring).
      rewrite inner_sym, inner_scal, inner_sym in H. fold (value t) (value (t + h)) (slope t) in H.
      replace ((value (t + h) - value t) / s - (e - t) * slope t) with ((e - t) * ((value (t + h) - value t) / h - slope t)) in H
        by (rewrite Eh; field; split; lra).
      rewrite Rabs_mult, Rmult_comm in H. now apply Rmult_lt_reg_r with (Rabs (e - t)).
    Qed.
    Lemma value_slope t : 0 <= t -> t <= 1 -> slope_within value t (slope t).
    Proof.
      intros T0 T1 eps He.
      assert (Up : exists d1, 0 < d1 /\ forall h, 0 < h -> t + h <= 1 -> Rabs h < d1 -> Rabs ((value (t + h) - value t) / h - slope t) < eps).
      { destruct (Req_dec t 1) as [->|N]; [exists 1; split; [lra | intros; lra]|].
        destruct (towards t 1 eps T0 T1 ltac:(lra) ltac:(lra) ltac:(lra) He) as [d1 [P1 H]]. exists d1. split; [exact P1|].
        intros h Hh _. apply H. apply Rdiv_lt_0_compat; lra. }
      assert (Down : exists d0, 0 < d0 /\ forall h, h < 0 -> 0 <= t + h -> Rabs h < d0 -> Rabs ((value (t + h) - value t) / h - slope t) < eps).
      { destruct (Req_dec t 0) as [->|N]; [exists 1; split; [lra | intros; lra]|].
        destruct (towards t 0 eps T0 T1 ltac:(lra) ltac:(lra) ltac:(lra) He) as [d0 [P0 H]]. exists d0. split; [exact P0|].
        intros h Hh _. apply H. replace (h / (0 - t)) with ((- h) / t) by (field; lra). apply Rdiv_lt_0_compat; lra. }
      destruct Up as [d1 [P1 H1]], Down as [d0 [P0 H0]]. exists (Rmin d0 d1). split; [now apply Rmin_glb_lt|].
      intros h Nh Hh L0 L1. pose proof (Rmin_l d0 d1). pose proof (Rmin_r d0 d1).
      destruct (Rlt_or_le h 0); [apply H0; lra | apply H1; lra].
    Qed.
    (** how far the slope can turn on the way, in the direction of the sign e *)
    Lemma slope_turn e t : e * e = 1 -> 0 < t -> t <= 1 -> e * (slope t - slope 0) <= rho * t * on A (inner w w).
    Proof.
      intros He Ht T1. pose proof (lipschitz (at_t t) u (inside t ltac:(lra) T1) Hu) as L.
      assert (K : forall c, 0 < c -> rho <= c -> (e * << grad (at_t t) - grad u , w >> <= (c * t) * || w ||^2)%m).
      { intros c Pc Hc. assert (S2 : 0 <= c ^ 2 - rho ^ 2) by (replace (c ^ 2 - rho ^ 2) with ((c - rho) * (c + rho)) by ring; apply Rmult_le_pos; lra).
        assert (Sg : e = 1 \/ e = - 1) by (assert (Z : (e - 1) * (e + 1) = 0) by lra; apply Rmult_integral in Z; lra).
        destruct Sg as [-> | ->]; [
          balance {{ (/ (2 * c * t), L) ; (/ (2 * c * t), square_nn (grad (u + t * (v - u)) - grad u - (c * t) * (v - u))%v) ;
                     ((c ^ 2 - rho ^ 2) * t / (2 * c), square_nn (v - u)%v) }} {{ }} {{ }}
        | balance {{ (/ (2 * c * t), L) ; (/ (2 * c * t), square_nn (grad (u + t * (v - u)) - grad u + (c * t) * (v - u))%v) ;
                     ((c ^ 2 - rho ^ 2) * t / (2 * c), square_nn (v - u)%v) }} {{ }} {{ }} ]. }
      pose proof (inner_pos w A) as Q. apply limit_to_zero. intros eps Pe.
      assert (Pq : 0 < eps / (t * on A (inner w w) + 1)) by (apply Rdiv_lt_0_compat; [exact Pe | assert (0 <= t * on A (inner w w)) by nn; lra]).
      set (c := rho + eps / (t * on A (inner w w) + 1)). specialize (K c ltac:(unfold c; lra) ltac:(unfold c; lra) A).
      rewrite !on_scal, inner_add, inner_scal in K. unfold slope. replace (u + 0 * w)%v with u by (same_vector; ring).
      set (q := on A (inner w w)) in *. assert (0 <= t * q) by nn.
      assert (B : eps / (t * q + 1) * (t * q) <= eps).
      { replace (eps / (t * q + 1) * (t * q)) with (eps - eps / (t * q + 1)) by (field; lra). lra. }
      unfold c in K. lra.
    Qed.
    Lemma segment_bound e : e * e = 1 -> e * (value 1 - value 0 - slope 0) <= rho / 2 * on A (inner w w).
    Proof.
      intros He. set (q := on A (inner w w)). assert (Q : 0 <= q) by apply inner_pos. assert (Rq : 0 <= rho / 2 * q) by nn.
      set (psi := fun t => e * value t - (e * slope 0 * t + rho / 2 * q * t ^ 2)).
      set (psi' := fun t => e * slope t - (e * slope 0 + rho * q * t)).
      assert (Ae : Rabs e = 1) by (unfold Rabs; destruct (Rcase_abs e); nra).
      assert (D : forall t, 0 <= t -> t <= 1 -> slope_within psi t (psi' t)).
      { intros t T0 T1 eps Pe. destruct (value_slope t T0 T1 (eps / 2) ltac:(lra)) as [d0 [P0 H]].
        assert (Pd : 0 < eps / 2 / (rho / 2 * q + 1)) by (apply Rdiv_lt_0_compat; lra).
        exists (Rmin d0 (eps / 2 / (rho / 2 * q + 1))). split; [now apply Rmin_glb_lt|]. intros h Nh Hh L0 L1.
        pose proof (Rmin_l d0 (eps / 2 / (rho / 2 * q + 1))). pose proof (Rmin_r d0 (eps / 2 / (rho / 2 * q + 1))).
        specialize (H h Nh ltac:(lra) L0 L1). unfold psi, psi'.
        match goal with |- Rabs ?r < _ => replace r with (e * ((value (t + h) - value t) / h - slope t) + - (rho / 2 * q * h)) by (field; exact Nh) end.
        eapply Rle_lt_trans; [apply Rabs_triang|]. rewrite Rabs_mult, Ae, Rabs_Ropp, Rabs_mult, (Rabs_right (rho / 2 * q)) by lra.
        assert (rho / 2 * q * Rabs h <= (rho / 2 * q + 1) * (eps / 2 / (rho / 2 * q + 1))).
        { apply Rmult_le_compat; [exact Rq | apply Rabs_pos | lra | lra]. }
        replace ((rho / 2 * q + 1) * (eps / 2 / (rho / 2 * q + 1))) with (eps / 2) in * by (field; lra). lra. }
      assert (F : psi 1 <= psi 0).
      { apply does_not_grow with psi'; [exact D|]. intros t T0 T1. unfold psi'.
        destruct (Req_dec t 0) as [->|N]; [lra|]. pose proof (slope_turn e t He ltac:(lra) T1) as B. fold q in B. lra. }
      unfold psi in F. lra.
    Qed.
  End Segment.

  Lemma smooth_above u v : X u -> X v -> (f v <= f u + << grad u , v - u >> + (rho / 2) * || v - u ||^2)%m.
  Proof.
    intros Hu Hv A. pose proof (segment_bound u v A Hu Hv 1 ltac:(lra)) as H. cbv beta zeta in H.
    replace (u + 1 * (v - u))%v with v in H by (same_vector; ring). replace (u + 0 * (v - u))%v with u in H by (same_vector; ring).
    rewrite !on_add, on_scal. lra.
  Qed.
  Lemma smooth_below u v : X u -> X v -> (f u + << grad u , v - u >> - (rho / 2) * || v - u ||^2 <= f v)%m.
  Proof.
    intros Hu Hv A. pose proof (segment_bound u v A Hu Hv (-1) ltac:(lra)) as H. cbv beta zeta in H.
    replace (u + 1 * (v - u))%v with v in H by (same_vector; ring). replace (u + 0 * (v - u))%v with u in H by (same_vector; ring).
    rewrite !on_add, !on_scal. lra.
  Qed.

  (** Functions that are smooth on X are weakly convex there, and the gradient is a subgradient. *)
  Lemma smooth_weakly_convex : weakly_convex X rho f.
  Proof.
    intros u v w W0 W1 Hu Hv. set (y := (w * u + (1 - w) * v)%v). assert (Hy : X y) by (now apply CX).
    pose proof (smooth_below y u Hy Hu) as H1. pose proof (smooth_below y v Hy Hv) as H2.
    assert (W2 : 0 <= 1 - w) by lra. set (s := grad y) in *. set (fy := f y) in *. unfold y in *.
    balance {{ (w, H1) ; (1 - w, H2) }} {{ }} {{ }}.
  Qed.
  Lemma smooth_subgradient u : X u -> subgradient X f u (grad u).
  Proof.
    intros Hu v A eps Hv He. destruct (proj1 Sm u v A eps Hu Hv He) as [t0 [T0 H]]. exists t0. split; [exact T0|].
    intros t Ht Hl. specialize (H t Ht Hl). apply Rabs_def2 in H. destruct H as [_ H].
    set (a := on A (f (u + t * (v - u))%v)) in *. set (b := on A (f u)) in *. set (c := on A _) in *.
    assert (K : t * ((a - b) / t - c) = a - b - t * c) by (field; lra). nra.
  Qed.
End Smooth.

(** What is smooth everywhere is smooth on X. *)
Section Everywhere.
  Context {P : Setting} {f : V -> M} {grad : V -> V} {rho : R}.
  Lemma whole_convex : convex_set whole. Proof. repeat intro. exact I. Qed.
  Lemma smooth_on X : smooth whole rho f grad -> smooth X rho f grad.
  Proof. intros [G L]. split; [intros u v A eps _ _; now apply G | intros u v _ _; now apply L]. Qed.

  (** On the whole space it is the usual notion: a derivative in every direction, from both sides. *)
  Lemma smooth_everywhere :
    (forall u w A eps, 0 < eps -> exists t0, 0 < t0 /\ forall t, t <> 0 -> Rabs t < t0 ->
       Rabs ((on A (f (u + t * w)%v) - on A (f u)) / t - on A << grad u , w >>%m) < eps) ->
    (forall u v, (|| grad u - grad v ||^2 <= (rho ^ 2) * || u - v ||^2)%m) -> smooth whole rho f grad.
  Proof.
    intros G L. split; [|intros u v _ _; apply L]. intros u v A eps _ _ He. destruct (G u (v - u)%v A eps He) as [t0 [P0 H]].
    exists (t0 / 2). split; [lra|]. intros t Ht Hl. apply H; [lra | rewrite Rabs_right; lra].
  Qed.

  (** All that smoothness says about two points (the interpolation inequality): here f is smooth everywhere, for the proof leaves X. *)
  Theorem two_points u v : 0 < rho -> smooth whole rho f grad ->
    (f u + << grad u , v - u >> - (rho / 2) * || v - u ||^2 + (1 / (4 * rho)) * || grad v - grad u + rho * (v - u) ||^2 <= f v)%m.
  Proof.
    intros rho_pos Sm. set (w := (v - (/ (2 * rho)) * (grad v - grad u + rho * (v - u)))%v). assert (rho_nn : 0 <= rho) by lra.
    pose proof (smooth_below rho_nn whole_convex Sm u w I I) as H1. pose proof (smooth_above rho_nn whole_convex Sm v w I I) as H2.
    set (fw := f w) in *. unfold w in *.
    balance {{ (1, H1) ; (1, H2) }} {{ }} {{ }}.
  Qed.
End Everywhere.
