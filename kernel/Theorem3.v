(** Theorem 3: smooth problems on the whole space, without bounded gradients. *)
Require Export HeavyBall.SmoothStep HeavyBall.Theorem1.
Require Import Lia.
Open Scope R_scope.

(** ** The whole space: the projection is the identity, and h*(y) = |y|^2/2 *)
Section Whole.
  Context {P : Setting}.
  Definition half_square (y : V) : M := ((1 / 2) * || y ||^2)%m.
  Lemma whole_projection y : is_projection whole y y.
  Proof. split; [exact I|]. intros u _. balance {{ (1, square_nn (u - y)%v) }} {{ }} {{ }}. Qed.
  Lemma whole_projection_is y q : is_projection whole y q -> q = y.
  Proof.
    intros [_ H]. specialize (H y I). apply vector_equal.
    assert (L : (|| q - y ||^2 <= zero)%m) by balance {{ (1, H) }} {{ }} {{ }}.
    intros A. pose proof (L A). pose proof (inner_pos (q - y)%v A). rewrite on_zero in *. lra.
  Qed.
  Lemma whole_conjugate : conjugate whole half_square.
  Proof.
    intros y. unfold half_square. split.
    - intros u _. balance {{ (1 / 2, square_nn (y - u)%v) }} {{ }} {{ }}.
    - exists y. split; [exact I|]. balance {{ }} {{ }} {{ }}.
  Qed.
  (** The prox point is stationary: grad F_lambda(y) = grad f(prox y). *)
  Lemma prox_gradient f grad rho lam Env prox y : 0 < rho -> 0 < lam -> smooth whole rho f grad -> moreau whole f lam Env prox ->
    grad (prox y) = env_gradient lam prox y.
  Proof.
    intros Hr Hl Sm B. unfold env_gradient. set (h := prox y). set (s := (grad h - (/ lam) * (y - h))%v).
    set (t := lam / (1 + rho * lam)). assert (Pt : 0 < t) by (unfold t; apply Rdiv_lt_0_compat; [lra | sp]).
    pose proof (env_below _ _ _ _ _ B y (h - t * s)%v I) as H1. pose proof (env_at _ _ _ _ _ B y) as H2. fold h in H2.
    pose proof (smooth_above (Rlt_le _ _ Hr) whole_convex Sm h (h - t * s)%v I I) as H3.
    apply vector_equal. assert (L : (|| grad h - (/ lam) * (y - h) ||^2 <= zero)%m).
    { set (fs := f (h - t * s)%v) in *. assert (D : 0 < 1 + rho * lam) by sp. unfold s in *. unfold t in *.
      balance {{ (2 * (1 + rho * lam) / lam, H1) ; (2 * (1 + rho * lam) / lam, H3) }} {{ (- 2 * (1 + rho * lam) / lam, H2) }} {{ }}. }
    intros A. pose proof (L A). pose proof (inner_pos (grad h - (/ lam) * (y - h))%v A). rewrite on_zero in *. lra.
  Qed.
End Whole.

Section OneStep.
  Context {P : Setting} {f Env : V -> M} {grad prox : V -> V} {x z g : nat -> V}.
  Context {rho alpha nu start sigma2 lam f_0 f_star : R}.
  Local Notation beta := (nu * alpha).
  Hypotheses (rho_pos : 0 < rho) (alpha_pos : 0 < alpha) (nu_pos : 0 < nu) (beta_le : beta <= 1) (sigma2_nn : 0 <= sigma2).
  Hypotheses (lam_pos : 0 < lam) (lam_above : 3 * rho / 2 < / lam) (lam_below : / lam <= 2 * rho) (quarter : rho * alpha <= 1 / 4).
  Hypotheses (Sm : smooth whole rho f grad) (B : moreau whole f lam Env prox) (Run : heavy_ball whole alpha beta start x z g).
  Hypotheses (Mean : forall k, mean_given (before k) (g k) (grad (x k))) (Variance : A3 sigma2 g (fun k => grad (x k))).
  Hypothesis grad_known : keeps_known grad.

  Local Notation d := (d alpha x).
  Local Notation bar := (bar beta x).
  Local Notation hat k := (prox (bar k)).
  Local Notation gradient k := (env_gradient lam prox (bar k)).
  Local Notation xi := (xi beta nu).
  Local Notation W := (W f half_square alpha nu x z).
  (** lambda rho lies in [1/2, 2/3) *)
  Let l_below : rho * lam < 2 / 3.
  Proof. apply Rmult_lt_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let l_above : 1 / 2 <= rho * lam.
  Proof. apply Rmult_le_reg_r with (/ lam); [sp|]. replace (rho * lam * / lam) with rho by (field; lra). lra. Qed.
  Let one_minus : 0 <= 1 - beta. Proof. lra. Qed.
  Let beta_pos : 0 < beta. Proof. sp. Qed.

  Let xi_nn : 0 <= xi. Proof. unfold Paper.xi. nn. Qed.

  Let moves k : x (S k) = (x k - alpha * z k)%v.
  Proof. apply whole_projection_is, (x_step _ _ _ _ _ _ _ Run). Qed.
  Let hat_known k : known (before k) (hat k).
  Proof.
    apply (prox_known _ _ _ _ _ B). unfold Paper.bar, p. pose proof (x_known _ _ _ _ _ _ _ Run k).
    destruct k as [|j]; cbn [prev]; [know|]. pose proof (x_known _ _ _ _ _ _ _ Run j). know.
  Qed.
  Let prev_known k : known (before k) (prev x k).
  Proof. pose proof (x_known _ _ _ _ _ _ _ Run k). destruct k as [|j]; cbn [prev]; [assumption|]. pose proof (x_known _ _ _ _ _ _ _ Run j). know. Qed.
  Definition momentum3 k := z k = (beta * g k + (1 - beta) * d k)%v.

  (** c of Theorem 3 *)
  Definition c3 := 2 * / lam / (2 * / lam - 3 * rho).
  Let c3_is : c3 = 2 / (2 - 3 * rho * lam).
  Proof. unfold c3. field. repeat split; lra. Qed.
  Let c3_pos : 0 < c3. Proof. rewrite c3_is. apply Rdiv_lt_0_compat; lra. Qed.

  (** eq:proof:thrm:3:evn:3, given F_{k-1} *)
  Lemma envelope_step3 k : momentum3 k ->
    (E[ Env (bar (S k)) | before k ] <=
     E[ Env (bar k) - (alpha / c3) * || gradient k ||^2 + (alpha * xi ^ 2 / lam ^ 2) * || d k ||^2
        + # (alpha ^ 2 * sigma2 / (2 * lam)) | before k ])%m.
  Proof.
    intros Z. pose proof (Mean k) as M1. pose proof (Variance k) as V1. cbv beta in V1.
    pose proof (x_known _ _ _ _ _ _ _ Run k) as K1. pose proof (prev_known k) as K2. pose proof (hat_known k) as K3.
    pose proof (grad_known _ _ K1) as K4.
    pose proof (env_below _ _ _ _ _ B (bar (S k)) (hat k) I) as He. pose proof (env_at _ _ _ _ _ B (bar k)) as Ha.
    pose proof (lipschitz Sm (x k) (hat k) I I) as L.
    rewrite (prox_gradient f grad rho lam Env prox (bar k) rho_pos lam_pos Sm B) in L.
    unfold momentum3 in Z. set (e1 := Env (bar (S k))) in *. set (e0 := Env (bar k)) in *. unfold env_gradient in *.
    set (h := prox (bar k)) in *. unfold Paper.bar, p in *. cbn [prev] in *.
    rewrite (moves k), Z in He. unfold Paper.d in *.
    assert (D : 0 <= 1 - alpha / lam).
    { assert (alpha / lam <= alpha * (2 * rho)) by (apply Rmult_le_compat_l; lra). lra. }
    assert (S1 : 0 <= alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) by nn.
    assert (S2 : 0 <= alpha ^ 2 * (/ lam - rho) * (2 * rho - / lam)) by nn.
    assert (S3 : 0 <= alpha * (/ lam - rho) / lam + alpha ^ 2 * rho * (/ lam - rho) / lam).
    { assert (0 <= / lam - rho) by lra. nn. }
    assert (S4 : 2 - 3 * rho * lam <> 0) by lra. rewrite c3_is. unfold Paper.xi.
    set (xb := (x k + (1 - beta) / beta * (x k - prev x k))%v) in *.
    assert (C : 0 <= (alpha / lam ^ 2 - (alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) / lam) * ((1 - beta) / nu) ^ 2).
    { replace (alpha / lam ^ 2 - (alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) / lam)
        with (alpha * (/ lam - rho) / lam + alpha ^ 2 * rho * (/ lam - rho) / lam) by (field; nz). nn. }
    balance {{ (1, He) ; (alpha ^ 2 / (2 * lam), V1) ;
        (alpha * (1 - alpha / lam) * rho / (2 * lam), square_nn (xb - h + (/ rho) * (grad (x k) - (/ lam) * (xb - h)))%v) ;
        ((alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) / rho ^ 2 / (2 * lam), L) ;
        ((alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) / (2 * lam), square_nn (x k - xb - (xb - h))%v) ;
        (alpha ^ 2 * (/ lam - rho) * (2 * rho - / lam) / (2 * lam), square_nn (xb - h)%v) ;
        ((alpha / lam ^ 2 - (alpha * (1 - alpha / lam) * rho + alpha ^ 2 * rho ^ 2) / lam) * ((1 - beta) / nu) ^ 2,
           square_nn ((/ alpha) * (prev x k - x k))%v) }}
      {{ (- 1, Ha) }} {{ (M1, ((alpha / lam) * (xb - h) - (alpha ^ 2 / lam) * grad (x k))%v) }}.
  Qed.

  (** eq:proof:thrm:3:evn:4: the potential of Theorem 3, and its step given F_{k-1} *)
  Local Notation ratio := (xi ^ 2 / lam ^ 2).
  Definition potential3 k := (Env (bar k) + ratio * W k + (alpha * ratio) * || d k ||^2)%m.
  Definition noise3 := (1 + 8 * nu * xi ^ 2 / lam) * alpha ^ 2 * sigma2 / (2 * lam).
  Lemma potential_step k : momentum3 k ->
    (E[ potential3 (S k) | before k ] <= E[ potential3 k - (alpha / c3) * || gradient k ||^2 + # noise3 | before k ])%m.
  Proof.
    intros Z. pose proof (envelope_step3 k Z) as H.
    pose proof (Lemma_5 rho_pos alpha_pos nu_pos beta_le whole_convex Sm whole_conjugate Run Mean Variance
      whole_projection (fun j y K => K) grad_known k Z ltac:(lra) quarter) as H5.
    assert (S1 : 0 <= ratio) by nn. unfold potential3, noise3. set (w := W k) in *. set (w' := W (S k)) in *.
    set (dk := d k) in *. set (dn := d (S k)) in *. unfold Paper.xi in *.
    balance {{ (1, H) ; (((1 - beta) / nu) ^ 2 / lam ^ 2, H5) }} {{ }} {{ }}.
  Qed.

  (** *** Both ends of the sum *)
  Hypotheses (First : (f (x 0%nat) == # f_0)%m) (Below : forall u, (# f_star <= f u)%m) (nu_large : 4 * rho <= nu).
  Let bar_first : bar 0 = x 0%nat.
  Proof. unfold Paper.bar, p. cbn [prev]. same_vector. field; nz. Qed.

  Lemma last_term3 k : (E[ # ((1 + 2 * ratio) * f_star) ] <= E[ potential3 k ])%m.
  Proof.
    pose proof (env_at _ _ _ _ _ B (bar k)) as Ha. pose proof (Below (hat k)) as B1. pose proof (Below (x k)) as B2.
    assert (S1 : 0 <= ratio) by nn. assert (S2 : 0 <= xi / 2 + alpha) by (unfold Paper.xi; nn).
    unfold potential3, SmoothStep.W, phi, half_square. set (dk := d k). set (h := hat k) in *. set (e := Env (bar k)) in *. set (y := bar k) in *.
    unfold Paper.xi in *.
    balance {{ (1 / (2 * lam), square_nn (h - y)%v) ; (1, B1) ; (2 * (((1 - beta) / nu) ^ 2 / lam ^ 2), B2) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 / (2 * nu), square_nn (z k)) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * ((1 - beta) / nu / 2 + alpha), square_nn dk) }} {{ (- 1, Ha) }} {{ }}.
  Qed.

  (** The step that the paper writes as k = -1, for z_0 = beta g_0 *)
  Let share := ratio * beta ^ 2 / (2 * nu).
  Let first_sign : 0 <= lam / 2 * (1 - rho * lam) - alpha * (2 - 3 * rho * lam) / 2 - share * (1 + rho * lam) ^ 2.
  Proof.
    set (l := rho * lam) in *. set (b := rho / nu).
    assert (Hb : 0 < b /\ b <= 1 / 4).
    { unfold b. split; [sp|]. apply Rmult_le_reg_r with nu; [lra|]. replace (rho / nu * nu) with rho by (field; lra). lra. }
    assert (Hs : share * (1 + l) ^ 2 = / rho * ((beta * (1 - beta)) ^ 2 * b ^ 3 * ((1 + l) / l) ^ 2 / 2)).
    { unfold share, Paper.xi, l, b. field; nz. }
    assert (H1 : (beta * (1 - beta)) ^ 2 <= 1 / 16).
    { replace (1 / 16) with ((1 / 4) ^ 2) by field. apply pow_incr. split; [nn|].
      pose proof (Rle_0_sqr (beta - 1 / 2)) as Q. unfold Rsqr in Q. lra. }
    assert (H2 : b ^ 3 <= 1 / 64) by (destruct Hb; replace (1 / 64) with ((1 / 4) ^ 3) by field; apply pow_incr; lra).
    assert (H3 : 0 < (1 + l) / l) by (apply Rdiv_lt_0_compat; lra).
    assert (H4 : (1 + l) / l <= 3) by (apply Rmult_le_reg_r with l; [lra|]; replace ((1 + l) / l * l) with (1 + l) by (field; lra); lra).
    assert (H5 : ((1 + l) / l) ^ 2 <= 9) by nra.
    assert (H6 : (beta * (1 - beta)) ^ 2 * b ^ 3 <= 1 / 16 * (1 / 64)).
    { apply Rmult_le_compat; [apply pow_le; nn | apply pow_le; lra | exact H1 | exact H2]. }
    assert (H7 : (beta * (1 - beta)) ^ 2 * b ^ 3 * ((1 + l) / l) ^ 2 <= 1 / 16 * (1 / 64) * 9).
    { apply Rmult_le_compat; [apply Rmult_le_pos; [apply pow_le; nn | apply pow_le; lra] | apply pow_le; lra | exact H6 | exact H5]. }
    assert (H8 : 1 / 9 <= l * (1 - l) / 2) by nra.
    assert (H9 : rho * alpha * (2 - 3 * l) / 2 <= 1 / 16).
    { assert (0 < rho * alpha) by sp. nra. }
    rewrite Hs. set (T := (beta * (1 - beta)) ^ 2 * b ^ 3 * ((1 + l) / l) ^ 2) in *.
    match goal with |- 0 <= ?e => replace e with (/ rho * (l * (1 - l) / 2 - rho * alpha * (2 - 3 * l) / 2 - T / 2)) end.
    - assert (0 < / rho) by sp. apply Rmult_le_pos; lra.
    - clearbody T. unfold l. field; nz.
  Qed.
  Lemma first_step3 : start = beta ->
    (E[ potential3 0 + (alpha / c3) * || gradient 0 ||^2 ] <= E[ # ((1 + 2 * ratio) * f_0 + noise3) ])%m.
  Proof.
    intros S0. pose proof (Mean 0%nat) as M1. pose proof (Variance 0%nat) as V1. cbv beta in V1.
    pose proof (x_known _ _ _ _ _ _ _ Run 0%nat) as K1. pose proof (grad_known _ _ K1) as K2.
    pose proof (strong_convexity whole_convex (smooth_weakly_convex (Rlt_le _ _ rho_pos) whole_convex Sm) lam_pos B (x 0%nat) (x 0%nat) I) as Hs.
    pose proof (lipschitz Sm (x 0%nat) (prox (x 0%nat)) I I) as L.
    rewrite (prox_gradient f grad rho lam Env prox (x 0%nat) rho_pos lam_pos Sm B) in L.
    assert (Sr : 0 <= ratio) by nn. assert (Ss : 0 <= share) by (unfold share; nn).
    assert (Sn : 0 <= noise3 - share * sigma2).
    { unfold noise3, share. replace ((1 + 8 * nu * xi ^ 2 / lam) * alpha ^ 2 * sigma2 / (2 * lam) - ratio * beta ^ 2 / (2 * nu) * sigma2)
        with (alpha ^ 2 * sigma2 / (2 * lam) + 7 / 2 * (nu * ratio * alpha ^ 2 * sigma2)) by (field; nz). nn. }
    pose proof first_sign as Sg. unfold potential3, SmoothStep.W, phi, half_square. rewrite (z_start _ _ _ _ _ _ _ Run), S0, bar_first.
    rewrite c3_is. assert (D3 : 2 - 3 * rho * lam <> 0) by lra.
    unfold env_gradient in *. set (h := prox (x 0%nat)) in *. unfold Paper.d. cbn [prev]. unfold noise3, share, Paper.xi in *.
    balance {{ (1, Hs) ; (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta ^ 2 / (2 * nu), V1) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta ^ 2 / (2 * nu) * (rho * lam),
           square_nn ((/ lam) * (x 0%nat - h) - (/ (rho * lam)) * (grad (x 0%nat) - (/ lam) * (x 0%nat - h)))%v) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta ^ 2 / (2 * nu) * (1 + 1 / (rho * lam)), L) ;
        (lam / 2 * (1 - rho * lam) - alpha * (2 - 3 * rho * lam) / 2
           - ((1 - beta) / nu) ^ 2 / lam ^ 2 * beta ^ 2 / (2 * nu) * (1 + rho * lam) ^ 2, square_nn ((/ lam) * (x 0%nat - h))%v) ;
        (1, number_nn _ Sn) }}
      {{ (1 + 2 * (((1 - beta) / nu) ^ 2 / lam ^ 2), First) }}
      {{ (M1, ((- 2 * (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta ^ 2 / (2 * nu))) * grad (x 0%nat))%v) }}.
  Qed.

  (** eq:proof:thrm:3:evn:5: the mean over k* in {-1, ..., K-1}, where x_bar_{-1} = x_bar_0 = x_0 *)
  Lemma sum3_at_rest K : start = beta ->
    (uniform K (fun k => || gradient (pred k) ||^2) <=
     # (((1 + 2 * ratio) * f_0 + noise3 - (1 + 2 * ratio) * f_star + INR K * noise3) / (alpha / c3 * INR (K + 1))))%m.
  Proof.
    intros S0. apply mean_of_later_steps with (a := fun k => potential3 (pred k)); [sp | | |].
    - intros k Hk. destruct k as [|k]; [lia|]. cbn [pred]. apply in_total with (before k). apply potential_step.
      destruct k; [|apply (z_step _ _ _ _ _ _ _ Run)]. unfold momentum3. rewrite (z_start _ _ _ _ _ _ _ Run), S0.
      unfold Paper.d. cbn [prev]. same_vector. field; nz.
    - now apply first_step3.
    - apply last_term3.
  Qed.

  (** *** The printed start z_0 = g_0 *)
  (** What its first step costs, as a factor of sigma^2 *)
  Definition jump3 := 1 / (2 * lam * nu ^ 2)
    + ratio * (rho * alpha ^ 2 + (1 - beta + 2 * beta * rho ^ 2 * alpha ^ 2) / (2 * nu) + xi / 2 + alpha).
  Let q := 1 / (2 * lam * nu) + nu * ratio * (rho * alpha ^ 2 + (1 - beta + 2 * beta * rho ^ 2 * alpha ^ 2) / (2 * nu) + xi / 2).
  Let q_nn : 0 <= q. Proof. unfold q. nn. Qed.
  Let q_half : q <= 1 / 2.
  Proof.
    set (b := rho / nu). set (i := / (rho * lam)). set (s := 1 - beta). set (T := (beta * b) ^ 2 + b * (s + 2 * beta * (beta * b) ^ 2) / 2 + s * b / 2).
    assert (Hb : 0 < b /\ b <= 1 / 4).
    { unfold b. split; [sp|]. apply Rmult_le_reg_r with nu; [lra|]. replace (rho / nu * nu) with rho by (field; lra). lra. }
    assert (Hi : 0 < i /\ i <= 2).
    { unfold i. split; [sp|]. replace 2 with (/ (1 / 2)) by field. apply Rinv_le_contravar; lra. }
    assert (Hs : 0 <= s /\ s <= 1) by (unfold s; lra).
    assert (Q : q = b * i / 2 + s ^ 2 * (b * i ^ 2) * T) by (unfold q, T, b, i, s, Paper.xi; field; nz).
    rewrite Q.
    assert (B1 : b * i / 2 <= 1 / 4) by nra.
    assert (B2 : 0 <= b * i ^ 2 /\ b * i ^ 2 <= 1).
    { split; [destruct Hb, Hi; nn|]. assert (i ^ 2 <= 4) by nra. nra. }
    assert (Be : 0 < beta /\ beta = 1 - s) by (unfold s; lra). clear Q. clearbody s. set (e := beta) in *. clearbody e.
    assert (C1 : (e * b) ^ 2 <= e ^ 2 / 16) by (replace (e ^ 2 / 16) with ((e * (1 / 4)) ^ 2) by field; apply pow_incr; nra).
    assert (C0 : 0 <= (e * b) ^ 2) by nra.
    assert (B3 : 0 <= T /\ T <= e ^ 2 / 16 + (s + e ^ 3 / 8) / 8 + s / 8).
    { unfold T. split.
      - destruct Hb, Hs, Be. nn.
      - assert (2 * e * (e * b) ^ 2 <= e ^ 3 / 8) by nra.
        assert (b * (s + 2 * e * (e * b) ^ 2) <= 1 / 4 * (s + e ^ 3 / 8)).
        { apply Rmult_le_compat; [lra | | lra | lra]. destruct Hb, Hs, Be. nn. }
        nra. }
    assert (B4 : s ^ 2 * (b * i ^ 2) * T <= s ^ 2 * 1 * (e ^ 2 / 16 + (s + e ^ 3 / 8) / 8 + s / 8)).
    { apply Rmult_le_compat; [destruct Hs; nn | lra | apply Rmult_le_compat_l; [destruct Hs; nn | lra] | lra]. }
    assert (B5 : s ^ 2 * 1 * (e ^ 2 / 16 + (s + e ^ 3 / 8) / 8 + s / 8) <= 1 / 4).
    { clear - Be Hs. destruct Be as [_ ->]. destruct Hs as [H0 H1].
      replace (1 / 4) with (s ^ 2 * 1 * ((1 - s) ^ 2 / 16 + (s + (1 - s) ^ 3 / 8) / 8 + s / 8)
        + (1 - s) * (1 / 4 * (1 + s + s ^ 2) - s ^ 2 * (1 - s) / 16 - s ^ 2 * (1 - s) ^ 2 / 64)) by field.
      assert (0 <= s ^ 2 /\ s ^ 2 <= 1) by nra. assert (0 <= s ^ 2 * (1 - s) <= 1) by nra. assert (0 <= s ^ 2 * (1 - s) ^ 2 <= 1) by nra. nra. }
    lra.
  Qed.
  Lemma first_step3_printed : start = 1 ->
    (E[ potential3 1 + (alpha / c3) * || gradient 0 ||^2 ] <= E[ # ((1 + 2 * ratio) * f_0 + (jump3 + alpha * ratio / 2) * sigma2) ])%m.
  Proof.
    intros S0. pose proof (Mean 0%nat) as M0. pose proof (Mean 1%nat) as M1. pose proof (Variance 0%nat) as V0. pose proof (Variance 1%nat) as V1.
    cbv beta in V0, V1. pose proof (x_known _ _ _ _ _ _ _ Run 0%nat) as K0. pose proof (x_known _ _ _ _ _ _ _ Run 1%nat) as K1.
    pose proof (grad_known _ _ K0) as G0. pose proof (grad_known _ _ K1) as G1. pose proof (hat_known 0) as Kh. rewrite bar_first in Kh.
    pose proof (env_below _ _ _ _ _ B (bar 1) (prox (x 0%nat)) I) as E1. pose proof (env_at _ _ _ _ _ B (x 0%nat)) as Ha.
    pose proof (env_below _ _ _ _ _ B (x 0%nat) (x 0%nat) I) as E0.
    pose proof (smooth_above (Rlt_le _ _ rho_pos) whole_convex Sm (x 0%nat) (x 1%nat) I I) as Up. pose proof (lipschitz Sm (x 1%nat) (x 0%nat) I I) as L1.
    pose proof (lipschitz Sm (x 0%nat) (prox (x 0%nat)) I I) as L0.
    rewrite (prox_gradient f grad rho lam Env prox (x 0%nat) rho_pos lam_pos Sm B) in L0.
    assert (Sr : 0 <= ratio) by nn. assert (Sj : 0 <= jump3) by (unfold jump3; nn).
    assert (Sg : 0 <= (1 - 2 * q) / nu) by (assert (0 <= 1 - 2 * q) by lra; nn).
    assert (Sl : 0 <= q / nu + (1 - 2 * q) / nu / (2 * (rho * lam))) by (assert (0 <= 1 - 2 * q) by lra; nn).
    assert (SG : 0 <= ((1 - rho * lam) - q * (1 - rho * lam) ^ 2 - beta * (2 - 3 * rho * lam) / 2) / nu).
    { apply quotient_nonneg; [|lra]. assert (q * (1 - rho * lam) ^ 2 <= 1 / 2 * (1 - rho * lam) ^ 2) by (apply Rmult_le_compat_r; [apply pow_le; lra | lra]).
      assert (beta * (2 - 3 * rho * lam) <= 1 * (2 - 3 * rho * lam)) by (apply Rmult_le_compat_r; lra). nra. }
    assert (D3 : 2 - 3 * rho * lam <> 0) by lra. rewrite bar_first. rewrite c3_is.
    unfold potential3, SmoothStep.W, phi, half_square, env_gradient in *.
    set (e1 := Env (bar 1)) in *. set (e0 := Env (x 0%nat)) in *. set (h := prox (x 0%nat)) in *. set (s1 := grad (x 1%nat)) in *. set (f1 := f (x 1%nat)) in *.
    set (s0 := grad (x 0%nat)) in *. set (f0 := f (x 0%nat)) in *. set (q' := q) in *. set (j := jump3) in *.
    assert (Hj : j = q' / nu + alpha * ratio) by (unfold j, q', jump3, q; field; nz).
    unfold Paper.bar, p in E1. cbn [prev] in E1. rewrite (z_step _ _ _ _ _ _ _ Run 0%nat). unfold Paper.d. cbn [prev].
    pose proof (moves 0) as X1. rewrite (z_start _ _ _ _ _ _ _ Run), S0 in X1. rewrite X1 in E1, Up, L1 |- *.
    rewrite Hj. assert (Hq : q' = q) by reflexivity. clearbody q' j. clear Sj. unfold q, Paper.xi in *.
    assert (Sv : 0 <= q' / nu + alpha * (((1 - beta) / nu) ^ 2 / lam ^ 2)) by nn.
    certificate {{ (1, E1) ; (1, E0) ; (2 * (((1 - beta) / nu) ^ 2 / lam ^ 2), Up) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 / (2 * nu) * (beta * (1 - beta)), square_nn (g 1%nat - g 0%nat)%v) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta / (2 * nu), V1) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta / (2 * nu), square_nn (s1 - s0 - s0)%v) ;
        (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta / nu, L1) ;
        (q' / nu + alpha * (((1 - beta) / nu) ^ 2 / lam ^ 2), V0) ;
        ((1 - 2 * q') / nu * (rho * lam / 2), square_nn ((/ lam) * (x 0%nat - h) + (/ (rho * lam)) * (s0 - (/ lam) * (x 0%nat - h)))%v) ;
        (q' / nu + (1 - 2 * q') / nu / (2 * (rho * lam)), L0) ;
        (((1 - rho * lam) - q' * (1 - rho * lam) ^ 2 - beta * (2 - 3 * rho * lam) / 2) / nu, square_nn ((/ lam) * (x 0%nat - h))%v) }}
      {{ (- 1, Ha) ; (1 + 2 * (((1 - beta) / nu) ^ 2 / lam ^ 2), First) }}
      {{ (M0, ((/ nu) * ((/ lam) * (x 0%nat - h)) + (- 2 * (q' / nu)) * s0)%v) ;
         (M1, ((- (((1 - beta) / nu) ^ 2 / lam ^ 2 * beta / nu)) * s1)%v) }}.
    rewrite Hq. field; nz.
  Qed.
  Lemma sum3_printed K : start = 1 ->
    (uniform K (fun k => || gradient k ||^2) <=
     # (((1 + 2 * ratio) * f_0 + (jump3 + alpha * ratio / 2) * sigma2 - (1 + 2 * ratio) * f_star + INR K * noise3) / (alpha / c3 * INR (K + 1))))%m.
  Proof.
    intros S0. apply mean_of_later_steps with (a := potential3); [sp | | |].
    - intros k Hk. apply in_total with (before k). apply potential_step. destruct k; [lia | apply (z_step _ _ _ _ _ _ _ Run)].
    - now apply first_step3_printed.
    - apply last_term3.
  Qed.
End OneStep.

Section Theorem_3.
  Context {P : Setting} (f Env : V -> M) (grad prox : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).

  Record unconstrained_run alpha nu start : Prop := {
    unconstrained_ranges : 0 < rho /\ 0 <= sigma2 /\ 0 < alpha_0 /\ alpha_0 <= 1 / (4 * rho);
    unconstrained_lambda : 0 < lam /\ 3 * rho / 2 < / lam /\ / lam <= 2 * rho;
    unconstrained_smooth : smooth whole rho f grad;
    unconstrained_envelope : moreau whole f lam Env prox;
    unconstrained_method : heavy_ball whole alpha (nu * alpha) start x z g;
    unconstrained_mean : forall k, mean_given (before k) (g k) (grad (x k));
    unconstrained_variance : A3 sigma2 g (fun k => grad (x k));
    unconstrained_grad_known : keeps_known grad;
    unconstrained_start : (f (x O) == # f_0)%m;
    unconstrained_below : forall u, (# f_star <= f u)%m
  }.

  (** Theorem 3, first display as printed, for z_0 = beta g_0; k* is uniform on {-1, ..., K-1}, with x_bar_{-1} = x_0 *)
  Theorem Theorem_3 :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    unconstrained_run alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x (pred k)) ||^2) <=
     # (2 * / lam / (2 * / lam - 3 * rho)
        * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))
        / (alpha_0 * N)))%m.
  Proof.
    intros alpha nu beta [[Hr [Hs [Ha Ha4]]] [Hl [Hl1 Hl2]] Sm B Run M1 V1 Gk F0 Fb].
    pose proof (root_at_least_1 K) as HN. pose proof (root_squared K) as HK. fold N in HN, HK.
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Hbi : beta = / N) by (unfold beta, nu, alpha; field; lra).
    assert (HiN : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    assert (Hra : rho * alpha_0 <= 1 / 4).
    { apply Rmult_le_compat_l with (r := rho) in Ha4; [|lra]. replace (rho * (1 / (4 * rho))) with (1 / 4) in Ha4 by (field; lra). exact Ha4. }
    assert (Hq : rho * alpha <= 1 / 4).
    { unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra).
      assert (0 < rho * alpha_0) by sp. nra. }
    assert (Hn : 4 * rho <= nu).
    { unfold nu. apply Rmult_le_reg_r with alpha_0; [lra|]. rewrite Rinv_l by lra. lra. }
    pose proof (sum3_at_rest Hr Pa Pn Hb Hs Hl Hl1 Hl2 Hq Sm B Run M1 V1 Gk F0 Fb Hn K eq_refl) as H. fold beta in H.
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring). rewrite HK, Kn in H.
    set (C := 2 * / lam / (2 * / lam - 3 * rho)) in *. change (@c3 rho lam) with C in H.
    assert (PC : 0 < C) by (unfold C; apply Rdiv_lt_0_compat; [sp | lra]).
    assert (X0 : 0 <= xi beta nu) by (unfold xi; assert (0 <= 1 - beta) by lra; nn).
    assert (X1 : xi beta nu <= alpha_0).
    { unfold xi. rewrite Hbi. unfold nu. replace ((1 - / N) / / alpha_0) with (alpha_0 * (1 - / N)) by (field; lra). nra. }
    assert (X2 : xi beta nu ^ 2 <= alpha_0 ^ 2) by (apply pow_incr; lra).
    assert (G : (# f_star <= # f_0)%m) by (intros A; rewrite <- (F0 A); apply Fb).
    replace (C * ((1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star) + (1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N))
      with (C / (alpha_0 * N) * (1 + 2 * alpha_0 ^ 2 / lam ^ 2) * (f_0 - f_star)
            + C / (alpha_0 * N) * ((1 + 8 * alpha_0 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))) by (field; nz).
    refine (le_gap_number _ (C / (alpha_0 * N) * (1 + 2 * (xi beta nu ^ 2 / lam ^ 2)))
      (C / (alpha_0 * N) * ((1 + 8 * nu * xi beta nu ^ 2 / lam) * sigma2 * alpha_0 ^ 2 / (2 * lam))) _ _ _ _ _ G _ _).
    - eapply le_number; [exact H|]. right. unfold noise3. fold beta. unfold alpha. field. repeat split; lra.
    - assert (0 <= alpha_0 ^ 2 - xi beta nu ^ 2) by lra. same_gap (C / (alpha_0 * N) * (2 * (alpha_0 ^ 2 - xi beta nu ^ 2) / lam ^ 2)).
    - assert (0 <= alpha_0 ^ 2 - xi beta nu ^ 2) by lra. unfold nu.
      same_gap (C / (alpha_0 * N) * (8 * (alpha_0 ^ 2 - xi beta (/ alpha_0) ^ 2) / alpha_0 / lam * sigma2 * alpha_0 ^ 2 / (2 * lam))).
  Qed.

  (** The same for the printed start z_0 = g_0, with k* uniform on {0, ..., K}: the first step costs J + alpha xi^2/(2 lambda^2) more *)
  Theorem Theorem_3_printed_start :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in let xi := xi beta nu in
    let J := 1 / (2 * lam * nu ^ 2)
      + xi ^ 2 / lam ^ 2 * (rho * alpha ^ 2 + (1 - beta + 2 * beta * rho ^ 2 * alpha ^ 2) / (2 * nu) + xi / 2 + alpha) in
    unconstrained_run alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * / lam / (2 * / lam - 3 * rho)
        * ((1 + 2 * xi ^ 2 / lam ^ 2) * (f_0 - f_star)
           + ((1 + 8 * nu * xi ^ 2 / lam) * alpha_0 ^ 2 / (2 * lam) + J + alpha * xi ^ 2 / (2 * lam ^ 2)) * sigma2)
        / (alpha_0 * N)))%m.
  Proof.
    intros alpha nu beta xi' J [[Hr [Hs [Ha Ha4]]] [Hl [Hl1 Hl2]] Sm B Run M1 V1 Gk F0 Fb].
    pose proof (root_at_least_1 K) as HN. pose proof (root_squared K) as HK. fold N in HN, HK.
    assert (Pa : 0 < alpha) by (unfold alpha; sp). assert (Pn : 0 < nu) by (unfold nu; sp).
    assert (Hbi : beta = / N) by (unfold beta, nu, alpha; field; lra).
    assert (HiN : 0 < / N /\ / N <= 1) by (split; [sp | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Hb : nu * alpha <= 1) by (fold beta; lra).
    assert (Hra : rho * alpha_0 <= 1 / 4).
    { apply Rmult_le_compat_l with (r := rho) in Ha4; [|lra]. replace (rho * (1 / (4 * rho))) with (1 / 4) in Ha4 by (field; lra). exact Ha4. }
    assert (Hq : rho * alpha <= 1 / 4).
    { unfold alpha. replace (rho * (alpha_0 / N)) with (rho * alpha_0 * / N) by (field; lra).
      assert (0 < rho * alpha_0) by sp. nra. }
    assert (Hn : 4 * rho <= nu).
    { unfold nu. apply Rmult_le_reg_r with alpha_0; [lra|]. rewrite Rinv_l by lra. lra. }
    pose proof (sum3_printed Hr Pa Pn Hb Hl Hl1 Hl2 Hq Sm B Run M1 V1 Gk F0 Fb Hn K eq_refl) as H. fold beta in H. fold xi' in H.
    assert (Kn : INR K = N * N - 1) by (rewrite <- HK, plus_INR; cbn [INR]; ring). rewrite HK, Kn in H.
    set (C := 2 * / lam / (2 * / lam - 3 * rho)) in *. change (@c3 rho lam) with C in H.
    assert (PC : 0 < C) by (unfold C; apply Rdiv_lt_0_compat; [sp | lra]).
    assert (X0 : 0 <= xi') by (unfold xi', xi; assert (0 <= 1 - beta) by lra; nn).
    change (@jump3 rho alpha nu lam) with J in H. clearbody J.
    assert (S1 : 0 <= C / (alpha * (N * N)) * ((1 + 8 * nu * xi' ^ 2 / lam) * alpha ^ 2 * sigma2 / (2 * lam))) by nn.
    eapply le_number; [exact H|]. unfold noise3. fold beta xi'.
    match goal with |- ?a <= ?b => replace b with (a + C / (alpha * (N * N)) * ((1 + 8 * nu * xi' ^ 2 / lam) * alpha ^ 2 * sigma2 / (2 * lam))); [lra|] end.
    clearbody xi' C. unfold alpha. field. repeat split; lra.
  Qed.
End Theorem_3.

(** Theorem 3, second display (lambda = 1/(2 rho)), with alpha_0^2 where the paper prints alpha_0^3 *)
Theorem Theorem_3_second {P : Setting} f Env grad prox x z g rho sigma2 alpha_0 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
  let lam := / (2 * rho) in
  unconstrained_run f Env grad prox x z g rho sigma2 lam alpha_0 f_0 f_star alpha nu beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x (pred k)) ||^2) <=
   # (4 * ((1 + 8 * rho ^ 2 * alpha_0 ^ 2) * (f_0 - f_star) + (rho + 16 * alpha_0 * rho ^ 2) * sigma2 * alpha_0 ^ 2) / (alpha_0 * N)))%m.
Proof.
  intros N alpha nu beta lam H. pose proof (unconstrained_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H) as [Hr [_ [Ha _]]].
  pose proof (root_at_least_1 K) as HN. fold N in HN.
  pose proof (Theorem_3 _ _ _ _ _ _ _ _ _ _ _ _ _ K H) as T. cbv zeta in T. fold N alpha nu beta in T.
  eapply le_number; [exact T|]. right. unfold lam. rewrite Rinv_inv. field. repeat split; lra.
Qed.
