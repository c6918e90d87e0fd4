(** Beyond the paper: with the printed start the gradient at x_0 cannot go from the bound of Theorem 2 without bounded gradients.

    f(x) = x_1 without noise, rho = 1, on the set x_1 >= 0, 4 x_1 + 3 x_2 >= 0, x_2 <= h, from x_0 = (9, -12)/(25 N) with z_0 = g_0, N = sqrt(K+1).
    The first step ends in the corner 0; there the velocity turns into the edge x_1 = 0, along which f does not change, and x_bar stays beyond the next
    corner (0, h) for a third of N steps.  So the mean is of order 1/N, while f(x_0) - f* is 9/(25 N): no factor of it is enough. *)
Require Export HeavyBall.Inhabited.
Require Import Lia.
Open Scope R_scope.

(** ** The set and its projection *)
Definition pt (a b : R) : Rn 2 := (a, (b, tt)).
Lemma pt_equal a b c d : a = c -> b = d -> pt a b = pt c d. Proof. now intros -> ->. Qed.
Section Polygon.
  Variable h : R.
  Hypothesis h_pos : 0 < h.
  Definition polygon (v : Rn 2) : Prop := 0 <= fst v /\ 0 <= 4 * fst v + 3 * fst (snd v) /\ fst (snd v) <= h.
  Definition onto (v : Rn 2) : Rn 2 :=
    let a := fst v in let b := Rmin (fst (snd v)) h in
    if Rle_dec 0 b then pt (Rmax a 0) b
    else if Rle_dec 0 (4 * a + 3 * b) then v
    else let t := Rmax 0 ((3 * a - 4 * b) / 25) in pt (3 * t) (- 4 * t).
  Definition slope_1 (v : Rn 2) : Rn 2 := pt 1 0.

  Lemma onto_nearest : nearest 2 polygon onto.
  Proof.
    intros [a [b []]]. unfold onto, polygon, sq, minus. cbn.
    assert (Q : forall (p1 p2 u1 u2 : R), 0 <= (p1 - a) * (u1 - p1) + (p2 - b) * (u2 - p2) ->
      (p1 + -1 * a) * (p1 + -1 * a) + ((p2 + -1 * b) * (p2 + -1 * b) + 0) <= (u1 + -1 * a) * (u1 + -1 * a) + ((u2 + -1 * b) * (u2 + -1 * b) + 0)).
    { intros p1 p2 u1 u2 H. pose proof (Rle_0_sqr (u1 - p1)) as S1. pose proof (Rle_0_sqr (u2 - p2)) as S2. unfold Rsqr in *. lra. }
    assert (Pos : forall s t, 0 <= s -> 0 <= t -> 0 <= s * t) by (intros; now apply Rmult_le_pos).
    unfold Rmin, Rmax. destruct (Rle_dec b h) as [Hb|Hb]; destruct (Rle_dec 0 _) as [H0|H0].
    - destruct (Rle_dec a 0) as [Ha|Ha]; cbn; (split; [lra|]); intros [u1 [u2 []]] (U1 & U2 & U3); cbn in *; apply Q.
      + pose proof (Pos (- a) u1 ltac:(lra) U1). lra.
      + lra.
    - destruct (Rle_dec 0 (4 * a + 3 * b)) as [H1|H1]; cbn.
      + split; [lra|]. intros [u1 [u2 []]] (U1 & U2 & U3); cbn in *. apply Q. lra.
      + destruct (Rle_dec 0 ((3 * a - 4 * b) / 25)) as [H2|H2]; cbn; (split; [lra|]); intros [u1 [u2 []]] (U1 & U2 & U3); cbn in *; apply Q.
        * pose proof (Pos (- (4 * a + 3 * b) / 25) (4 * u1 + 3 * u2) ltac:(lra) U2). lra.
        * pose proof (Pos (- b / 3) (4 * u1 + 3 * u2) ltac:(lra) U2). pose proof (Pos (- (3 * a - 4 * b) / 3) u1 ltac:(lra) U1). lra.
    - destruct (Rle_dec a 0) as [Ha|Ha]; cbn; (split; [lra|]); intros [u1 [u2 []]] (U1 & U2 & U3); cbn in *; apply Q.
      + pose proof (Pos (- a) u1 ltac:(lra) U1). pose proof (Pos (b - h) (h - u2) ltac:(lra) ltac:(lra)). lra.
      + pose proof (Pos (b - h) (h - u2) ltac:(lra) ltac:(lra)). lra.
    - lra.
  Qed.
  Lemma polygon_convex u v w : 0 <= w -> w <= 1 -> polygon u -> polygon v -> polygon (plus (times w u) (times (1 - w) v)).
  Proof. destruct u as [u1 [u2 []]], v as [v1 [v2 []]]. intros W0 W1 (U1 & U2 & U3) (V1 & V2 & V3). unfold polygon. cbn in *. repeat split; nra. Qed.

  (** The envelope of x_1, lambda = 1/2 *)
  Definition first_coordinate (v : Rn 2) : R := fst v.
  Definition down (v : Rn 2) : Rn 2 := onto (plus v (times (-1) (pt (1 / 2) 0))).
  Definition down_env (v : Rn 2) : R := fst (down v) + sq 2 (minus 2 (down v) v).
  Lemma down_proximal : proximal 2 polygon first_coordinate (/ (2 * 1)) down_env down.
  Proof.
    intros y. destruct (onto_nearest (plus y (times (-1) (pt (1 / 2) 0)))) as [H1 H2]. fold (down y) in H1, H2.
    replace (1 / (2 * / (2 * 1))) with 1 by field. split; [exact H1|]. split; [unfold down_env, first_coordinate; ring|].
    intros u Hu. specialize (H2 u Hu). unfold down_env, first_coordinate. set (q := down y) in *. clearbody q.
    destruct y as [y1 [y2 []]], u as [u1 [u2 []]], q as [q1 [q2 []]]. unfold sq, minus in *. cbn in *. lra.
  Qed.
End Polygon.

(** ** The run *)
Section Run.
  Variables (m : nat).
  Hypothesis m_pos : (1 <= m)%nat.
  Let K := (9 * m * m - 1)%nat.
  Let N := sqrt (INR (K + 1)).
  Let alpha := / 1 / N. Let nu := / / 1. Let beta := nu * alpha.
  Let u := / (3 * INR m).
  Let r := 1 - u.
  Let H := 12 / 25 * r.
  Let h := H / 3.
  Let m_ge : 1 <= INR m. Proof. apply le_INR in m_pos. exact m_pos. Qed.
  Let N_is : N = 3 * INR m.
  Proof.
    unfold N, K. replace (9 * m * m - 1 + 1)%nat with ((3 * m) * (3 * m))%nat by lia. rewrite mult_INR, sqrt_square by apply pos_INR.
    rewrite mult_INR. cbn [INR]. ring.
  Qed.
  Let alpha_is : alpha = u. Proof. unfold alpha, u. rewrite N_is. field. lra. Qed.
  Let beta_is : beta = u. Proof. unfold beta, nu. rewrite alpha_is. field. Qed.
  Let u_range : 0 < u /\ u <= / 3.
  Proof. unfold u. split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]. Qed.
  Let mu : INR m * u = / 3. Proof. unfold u. field. lra. Qed.
  Let h_pos : 0 < h. Proof. destruct u_range. unfold h, H, r. lra. Qed.
  (** Bernoulli: what fades like r^j stays above 2/3 for j <= m *)
  Let fades j : (j <= m)%nat -> 2 / 3 <= r ^ j /\ r ^ j <= 1.
  Proof.
    intros L. destruct u_range as [U0 U1]. assert (B : forall i, 1 - INR i * u <= r ^ i /\ r ^ i <= 1 /\ 0 <= r ^ i).
    { induction i as [|i [I1 [I2 I3]]]; [cbn; lra|]. rewrite S_INR. cbn [pow]. unfold r at 1 3 5. pose proof (pos_INR i). nra. }
    destruct (B j) as (B1 & B2 & _). split; [|exact B2]. apply le_INR in L. assert (INR j * u <= INR m * u) by (apply Rmult_le_compat_r; lra). lra.
  Qed.
  Let x0 := pt (9 / 25 * u) (- (12 / 25) * u).
  Let start_in : polygon h x0. Proof. unfold polygon, x0. pose proof h_pos. destruct u_range. cbn. lra. Qed.
  Let G (q : bool) (y : Rn 2) := slope_1 y.
  Let X := everywhere (coins 0) 2 (polygon h).
  Let f := lift (coins 0) 2 first_coordinate.
  Let Env := lift (coins 0) 2 (down_env h).
  Let grad := liftv (coins 0) 2 slope_1.
  Let prox := liftv (coins 0) 2 (down h).
  Let proj := liftv (coins 0) 2 (onto h).
  Let x := xs _ _ _ eqb_coin fair_pos coins_listed fair_total 0 2 (onto h) G slope_1 alpha beta 1 x0.
  Let z := zs _ _ _ eqb_coin fair_pos coins_listed fair_total 0 2 (onto h) G slope_1 alpha beta 1 x0.
  Let g := gs _ _ _ eqb_coin fair_pos coins_listed fair_total 0 2 (onto h) G slope_1 alpha beta 1 x0.

  Lemma slope_smooth : smooth (P := model (coins 0) 2) whole 1 f grad.
  Proof.
    apply smooth_everywhere.
    - intros v w a eps He. exists 1. split; [lra|]. intros t Ht _.
      match goal with |- Rabs ?e < _ => replace e with 0; [rewrite Rabs_R0; exact He|] end.
      unfold f, grad, lift, liftv, first_coordinate, slope_1, pt. cbn. destruct (v a) as [v1 [v2 []]], (w a) as [w1 [w2 []]]. cbn. field. exact Ht.
    - intros v w. apply mle_everywhere. intros a. unfold grad, liftv, slope_1, pt. cbn. destruct (v a) as [v1 [v2 []]], (w a) as [w1 [w2 []]]. cbn.
      pose proof (Rle_0_sqr (v1 - w1)) as S1. pose proof (Rle_0_sqr (v2 - w2)) as S2. unfold Rsqr in *. lra.
  Qed.
  Lemma necessity_run : unbounded_run (P := model (coins 0) 2) X f Env grad prox proj x z g 1 0 (/ (2 * 1)) (/ 1) (9 / 25 * u) 0 alpha nu 1.
  Proof.
    split.
    - lra.
    - apply lift_convex_set. intros v w t. apply polygon_convex.
    - intros y. exact (lift_projection (coins 0) 2 (polygon h) (onto h) y (onto_nearest h h_pos)).
    - exact (smooth_on _ slope_smooth).
    - split; intros j y; apply lift_known.
    - exact (lift_moreau _ _ _ _ _ _ _ (down_proximal h h_pos)).
    - apply run_is_heavy_ball; [exact (onto_nearest h h_pos) | exact start_in].
    - intros k. apply run_mean. intros y v. unfold G, fair. cbn. lra.
    - apply run_A3 with (polygon h); [exact (onto_nearest h h_pos) | exact start_in | lra |].
      intros y _. unfold G, sq, minus, slope_1, pt, fair. cbn. lra.
    - apply meq_everywhere. intros a. unfold f, lift, first_coordinate, x, xs, x0. cbn. lra.
    - intros v Hv. apply mle_everywhere. intros a. specialize (Hv a). destruct Hv as [Hv _]. unfold f, lift, first_coordinate. cbn. lra.
  Qed.

  Let here : outcome (coins 0) := tt.
  Let x_next k : x (S k) here = onto h (plus (x k here) (times (-1) (times alpha (z k here)))). Proof. reflexivity. Qed.
  Let z_next k : z (S k) here = plus (times beta (slope_1 (x (S k) here))) (times (1 - beta) (times (/ alpha) (plus (x k here) (times (-1) (x (S k) here))))).
  Proof. reflexivity. Qed.
  (** x_k = (0, H (1 - r^(k-1))) for k = 1, ..., m + 1 *)
  Let trajectory k : (k <= m)%nat ->
    x (S k) here = pt 0 (H * (1 - r ^ k)) /\ exists c, 0 < c /\ z (S k) here = pt c (- (12 / 25) * r ^ (S k)).
  Proof.
    destruct u_range as [U0 U1]. induction k as [|k IH]; intros L.
    - assert (X1 : x 1%nat here = pt 0 (H * (1 - r ^ 0))).
      { change (x 1%nat here) with (onto h (plus x0 (times (-1) (times alpha (times 1 (slope_1 x0)))))). rewrite alpha_is. unfold x0, slope_1, pt, onto. cbn.
        pose proof h_pos. unfold Rmin. destruct (Rle_dec _ h) as [E1|E1]; [|lra]. destruct (Rle_dec 0 _) as [E2|E2]; [lra|].
        destruct (Rle_dec 0 _) as [E3|E3]; [lra|]. unfold Rmax. destruct (Rle_dec 0 _) as [E4|E4]; apply pt_equal; lra. }
      split; [exact X1|]. exists (u + r * (9 / 25)). split; [unfold r; lra|].
      rewrite z_next, X1, alpha_is, beta_is. change (x 0%nat here) with x0. unfold x0, slope_1, pt. cbn. unfold r. apply pt_equal; field; lra.
    - destruct (IH ltac:(lia)) as [Xk [c [Hc Zk]]]. destruct (fades (S k) L) as [F1 F2]. destruct (fades k ltac:(lia)) as [F3 F4].
      assert (X1 : x (S (S k)) here = pt 0 (H * (1 - r ^ S k))).
      { rewrite x_next, alpha_is, Xk, Zk. unfold pt, onto. cbn -[pow].
        assert (Y : H * (1 - r ^ k) + -1 * (u * (- (12 / 25) * r ^ S k)) = H * (1 - r ^ S k)) by (unfold H; cbn [pow]; replace u with (1 - r) by (unfold r; ring); ring).
        assert (Hp : 0 < H) by (unfold H, r; lra). assert (Yh : H * (1 - r ^ S k) <= h) by (unfold h; nra). assert (Y0 : 0 <= H * (1 - r ^ S k)) by (apply Rmult_le_pos; lra).
        rewrite Y. unfold Rmin. destruct (Rle_dec _ h) as [E1|E1]; [|lra]. destruct (Rle_dec 0 _) as [E2|E2]; [|lra].
        unfold Rmax. destruct (Rle_dec _ 0) as [E3|E3]; [reflexivity|]. assert (0 < u * c) by (apply Rmult_lt_0_compat; lra). lra. }
      split; [exact X1|]. exists u. split; [lra|].
      rewrite z_next, X1, Xk, alpha_is, beta_is. unfold slope_1, pt. cbn -[pow]. apply pt_equal; [ring|].
      unfold H. cbn [pow]. replace r with (1 - u) by reflexivity. field. lra.
  Qed.
  Let stays k : (1 <= k)%nat -> (k <= m)%nat -> bar (P := model (coins 0) 2) beta x (S k) here = pt 0 H.
  Proof.
    intros L1 L2. destruct k as [|k]; [lia|]. destruct (trajectory k ltac:(lia)) as [Xk _]. destruct (trajectory (S k) L2) as [Xn _]. destruct u_range as [U0 U1].
    change (bar (P := model (coins 0) 2) beta x (S (S k)) here)
      with (plus (x (S (S k)) here) (times ((1 - beta) / beta) (plus (x (S (S k)) here) (times (-1) (x (S k) here))))).
    rewrite Xk, Xn, beta_is. unfold pt. cbn -[pow]. apply pt_equal; [ring|]. unfold H. cbn [pow]. replace r with (1 - u) by reflexivity. field. lra.
  Qed.
  Let measure k := (|| env_gradient (P := model (coins 0) 2) (/ (2 * 1)) prox (bar (P := model (coins 0) 2) beta x k) ||^2)%m.
  Let large k : (1 <= k)%nat -> (k <= m)%nat -> measure (S k) here = 16 / 9 * H ^ 2.
  Proof.
    intros L1 L2. pose proof (stays k L1 L2) as S1. pose proof h_pos as Hh. unfold measure, env_gradient. cbn -[bar x]. rewrite S1.
    unfold prox, liftv. rewrite S1. unfold down, onto, pt. cbn. unfold Rmin. destruct (Rle_dec _ h) as [E1|E1]; [unfold h in *; lra|].
    destruct (Rle_dec 0 h) as [E2|E2]; [|lra]. unfold Rmax. destruct (Rle_dec _ 0) as [E3|E3]; [|lra]. cbn. unfold h. field.
  Qed.
  Let nonneg k : 0 <= measure k here. Proof. apply (dot_pos (n := 2)). Qed.
  Let here_E j (Y : outcome (coins 0) -> R) : @E (model (coins 0) 2) j Y here = Y here.
  Proof. cbn. rewrite (mean_known (coins 0) j); [reflexivity|]. intros [] [] _. reflexivity. Qed.
  Let sums n : (n <= m)%nat -> INR n * (16 / 9 * H ^ 2) <= msum (P := model (coins 0) 2) (n + 2) (fun k => @E (model (coins 0) 2) Trivial (measure k)) here.
  Proof.
    induction n as [|n IH]; intros L.
    - cbn [Nat.add msum INR]. change (0 * (16 / 9 * H ^ 2) <= 0 * 1 + @E (model (coins 0) 2) Trivial (measure 0%nat) here + @E (model (coins 0) 2) Trivial (measure 1%nat) here).
      rewrite !here_E. pose proof (nonneg 0). pose proof (nonneg 1). lra.
    - specialize (IH ltac:(lia)). rewrite S_INR. change (S n + 2)%nat with (S (n + 2)). cbn [msum].
      set (s := msum (P := model (coins 0) 2) (n + 2) _) in *.
      change ((INR n + 1) * (16 / 9 * H ^ 2) <= s here + @E (model (coins 0) 2) Trivial (measure (n + 2)%nat) here). rewrite here_E.
      replace (n + 2)%nat with (S (S n)) by lia. rewrite (large (S n)) by lia. lra.
  Qed.
  Let all_sums n : INR m * (16 / 9 * H ^ 2) <= msum (P := model (coins 0) 2) (n + (m + 2)) (fun k => @E (model (coins 0) 2) Trivial (measure k)) here.
  Proof.
    induction n as [|n IH]; [apply sums; lia|]. cbn [Nat.add msum]. set (s := msum (P := model (coins 0) 2) _ _) in *.
    change (INR m * (16 / 9 * H ^ 2) <= s here + @E (model (coins 0) 2) Trivial (measure (n + (m + 2))%nat) here). rewrite here_E. pose proof (nonneg (n + (m + 2))). lra.
  Qed.
  (** N times the mean is at least 16/27 H^2 *)
  Lemma necessity_mean : 16 / 27 * H ^ 2 / N <= uniform (P := model (coins 0) 2) K measure here.
  Proof.
    unfold uniform. assert (EK : (K + 1 = (9 * m * m - m - 2) + (m + 2))%nat) by (unfold K; nia).
    set (s := msum (P := model (coins 0) 2) (K + 1) (fun k => @E (model (coins 0) 2) Trivial (measure k))).
    change (16 / 27 * H ^ 2 / N <= / INR (K + 1) * s here). assert (S0 : INR m * (16 / 9 * H ^ 2) <= s here) by (unfold s; rewrite EK; apply all_sums).
    assert (KN : INR (K + 1) = N * N) by apply root_squared. rewrite KN, N_is. replace (16 / 27 * H ^ 2 / (3 * INR m)) with (/ (3 * INR m * (3 * INR m)) * (INR m * (16 / 9 * H ^ 2))) by (field; lra).
    apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; nra | exact S0].
  Qed.
  Lemma necessity_fails a b : 4 * Rabs a < INR m ->
    ~ (uniform (P := model (coins 0) 2) K (fun k => || env_gradient (P := model (coins 0) 2) (/ (2 * 1)) prox (bar (P := model (coins 0) 2) beta x k) ||^2) <=
       # ((a * 1 * (9 / 25 * u - 0) + b * 0) / N))%m.
  Proof.
    intros La C. pose proof (proj1 (mle_everywhere (coins 0) 2 _ _) C here) as D. pose proof necessity_mean as M0. destruct u_range as [U0 U1].
    change (uniform (P := model (coins 0) 2) K measure here <= (a * 1 * (9 / 25 * u - 0) + b * 0) / N * 1) in D.
    assert (T : 16 / 27 * H ^ 2 / N <= (a * 1 * (9 / 25 * u - 0) + b * 0) / N * 1) by lra. rewrite N_is in T.
    assert (T1 : 16 / 27 * H ^ 2 <= a * (9 / 25) * u).
    { apply Rmult_le_compat_r with (r := 3 * INR m) in T; [|lra].
      replace (16 / 27 * H ^ 2 / (3 * INR m) * (3 * INR m)) with (16 / 27 * H ^ 2) in T by (field; lra).
      replace ((a * 1 * (9 / 25 * u - 0) + b * 0) / (3 * INR m) * 1 * (3 * INR m)) with (a * (9 / 25) * u) in T by (field; lra). exact T. }
    assert (T2 : a * u <= / 12).
    { apply Rle_trans with (Rabs a * u); [apply Rmult_le_compat_r; [lra | apply Rle_abs]|]. assert (4 * Rabs a * u <= INR m * u) by (apply Rmult_le_compat_r; lra). lra. }
    assert (T3 : 8 / 25 <= H) by (unfold H, r; lra). nra.
  Qed.
End Run.

(** No bound of the rate of Theorem 2 in terms of f(x_0) - f* and sigma^2 alone is true for the printed start, whatever its factors a and b *)
Theorem gradient_at_start_needed a b : ~ (forall (P : Setting) X f Env grad prox proj x z g rho sigma2 f_0 f_star K,
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let nu := / / rho in let beta := nu * alpha in let lam := / (2 * rho) in
  unbounded_run X f Env grad prox proj x z g rho sigma2 lam (/ rho) f_0 f_star alpha nu 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((a * rho * (f_0 - f_star) + b * sigma2) / N))%m).
Proof.
  intros C. destruct (archimed (4 * Rabs a)) as [A _]. pose proof (Rabs_pos a) as A0.
  set (m := Z.to_nat (up (4 * Rabs a))). assert (Hup : (0 < up (4 * Rabs a))%Z) by (apply lt_IZR; lra).
  assert (Em : INR m = IZR (up (4 * Rabs a))) by (unfold m; rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity | lia]).
  assert (Hm : (1 <= m)%nat) by (unfold m; lia).
  refine (necessity_fails m Hm a b ltac:(rewrite Em; lra) (C _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (necessity_run m Hm))).
Qed.
