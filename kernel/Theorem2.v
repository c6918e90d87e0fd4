(** Theorem 2: problems that are smooth on a convex set X, with bounded gradients there.  It is Theorem 1 with L^2 = sigma^2 + G^2. *)
Require Export HeavyBall.Theorem1 HeavyBall.Smooth.
Require Import Lia.
Open Scope R_scope.

Section Theorem_2.
  Context {P : Setting} (X : V -> Prop) (f Env : V -> M) (grad prox : V -> V) (x z g : nat -> V).
  Variables (rho sigma2 G2 lam alpha_0 f_0 f_star : R) (K : nat).
  Let N := sqrt (INR (K + 1)).

  Record smooth_run alpha nu start : Prop := {
    smooth_ranges : 0 <= rho /\ 0 <= sigma2 /\ 0 <= G2 /\ 0 < alpha_0 /\ 0 < lam /\ 2 * rho <= / lam;
    smooth_set_convex : convex_set X;
    function_smooth : smooth X rho f grad;
    gradient_bounded : forall u, X u -> (|| grad u ||^2 <= # G2)%m;
    smooth_envelope : moreau X f lam Env prox;
    smooth_method : heavy_ball X alpha (nu * alpha) start x z g;
    smooth_mean : forall k, mean_given (before k) (g k) (grad (x k));
    smooth_variance : A3 sigma2 g (fun k => grad (x k));
    smooth_start_value : (f (x O) == # f_0)%m;
    smooth_bounded_below : forall u, X u -> (# f_star <= f u)%m
  }.

  (** (A3) and bounded gradients give (A2). *)
  Lemma smooth_is_nonsmooth alpha nu start : smooth_run alpha nu start ->
    nonsmooth_run X f Env prox x z g (fun k => grad (x k)) rho (sigma2 + G2) lam alpha_0 f_0 f_star alpha nu start.
  Proof.
    intros [[Hr [H1 [H2 [Ha [Hl Hs]]]]] CX Sm Bd B Run M1 V1 F0 Fb].
    assert (In : forall k, X (x k)) by (intros k; destruct k; [apply Run | apply (x_step _ _ _ _ _ _ _ Run)]).
    split; auto; [lra | exact (smooth_weakly_convex Hr CX Sm) | |].
    - intros k. split; [apply M1 | exact (smooth_subgradient Sm (x k) (In k))].
    - intros k. pose proof (M1 k) as Mk. pose proof (V1 k) as Vk. cbv beta in Vk.
      pose proof (Bd _ (In k)) as Bk. pose proof (proj1 Mk) as Kk.
      assert (L : (E[ || g k ||^2 | before k ] <= E[ # (sigma2 + G2) | before k ])%m)
        by balance {{ (1, Vk) ; (1, Bk) }} {{ }} {{ (Mk, ((- 2) * grad (x k))%v) }}.
      intros A. rewrite <- (E_number (before k) _ A). apply L.
  Qed.

  (** Theorem 2, first display, for z_0 = beta g_0; the noise carries alpha_0^2 *)
  Theorem Theorem_2 :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    smooth_run alpha nu beta ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (gamma_1 lam beta nu * (f_0 - f_star) + gamma rho lam beta nu * (sigma2 + G2) * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)))%m.
  Proof. intros alpha nu beta H. exact (Theorem_1 _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (smooth_is_nonsmooth _ _ _ H)). Qed.

  (** The same for the printed start z_0 = g_0 *)
  Theorem Theorem_2_printed_start :
    let alpha := alpha_0 / N in let nu := / alpha_0 in let beta := nu * alpha in
    smooth_run alpha nu 1 ->
    (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <=
     # (2 * (gamma_1 lam beta nu * (f_0 - f_star)
             + (gamma rho lam beta nu * (alpha_0 ^ 2 - alpha ^ 2) / (2 * lam) + 1 / (2 * lam * nu ^ 2)
                + nu * xi beta nu ^ 4 / (4 * lam ^ 2) + alpha * xi beta nu ^ 2 / (2 * lam ^ 2)) * (sigma2 + G2)) / (alpha_0 * N)))%m.
  Proof. intros alpha nu beta H. exact (Theorem_1_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (smooth_is_nonsmooth _ _ _ H)). Qed.
End Theorem_2.

(** Theorem 2, second display: alpha_0 = 1/rho, lambda = 1/(2 rho), for both starts *)
Theorem Theorem_2_second {P : Setting} X f Env grad prox x z g rho sigma2 G2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let beta := rho * alpha in let lam := / (2 * rho) in
  0 < rho -> smooth_run X f Env grad prox x z g rho sigma2 G2 lam (/ rho) f_0 f_star alpha rho beta ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 4 * (sigma2 + G2)) / N))%m.
Proof.
  intros N alpha beta lam Hr H.
  exact (Theorem_1_second _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (smooth_is_nonsmooth _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H)).
Qed.
Theorem Theorem_2_second_printed_start {P : Setting} X f Env grad prox x z g rho sigma2 G2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let beta := rho * alpha in let lam := / (2 * rho) in
  0 < rho -> smooth_run X f Env grad prox x z g rho sigma2 G2 lam (/ rho) f_0 f_star alpha rho 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # ((10 * rho * (f_0 - f_star) + 8 * (sigma2 + G2)) / N))%m.
Proof.
  intros N alpha beta lam Hr H.
  exact (Theorem_1_second_printed_start _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (smooth_is_nonsmooth _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H)).
Qed.
(** The second display as printed is true, with the printed start too. *)
Theorem Theorem_2_ten {P : Setting} X f Env grad prox x z g rho sigma2 G2 f_0 f_star K :
  let N := sqrt (INR (K + 1)) in let alpha := / rho / N in let beta := rho * alpha in let lam := / (2 * rho) in
  0 < rho -> smooth_run X f Env grad prox x z g rho sigma2 G2 lam (/ rho) f_0 f_star alpha rho 1 ->
  (uniform K (fun k => || env_gradient lam prox (bar beta x k) ||^2) <= # (10 * (rho * (f_0 - f_star) + (sigma2 + G2)) / N))%m.
Proof.
  intros N alpha beta lam Hr H.
  exact (Theorem_1_ten _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (smooth_is_nonsmooth _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H)).
Qed.
