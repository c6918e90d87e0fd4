r"""The open question of the paper, answered: the rate of Theorem 2 under (A1) and (A3) alone, without a bound on the
gradient.

Setting: :math:`f` has a :math:`\rho`-Lipschitz gradient, :math:`X` is closed and convex,
:math:`f^\star=\inf_Xf>-\infty`, independent
samples, (A1), (A3); :math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\beta=\nu\alpha\in(0,1]`, :math:`\lambda^{-1}\ge2\rho`,
:math:`\rho\alpha<2`; :math:`k^*` uniform on :math:`\{0,\dots,K\}`, independent of the samples.  As elsewhere
:math:`N=\sqrt{K+1}`.

* :math:`z_0=\beta g_0`: at most :math:`(10\rho\Delta+4\sigma^2)/\sqrt{K+1}` for :math:`\alpha_0=1/\rho`, every
:math:`K\ge0`.
* :math:`z_0=g_0`, as printed: :math:`(10\rho\Delta+8\sigma^2+4\|\nabla f(x_0)\|^2)/\sqrt{K+1}`, every :math:`K\ge0`;
that the last
  term cannot go is shown in :mod:`shbcore.claims.beyond.necessity`.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import ELEVEN, TENTH, below_bound, moved, within
from shbcore.claims.beyond.energy import ENERGY, NOISE, W_F, U, c_energy, falls, lyapunov_e, m_energy
from shbcore.claims.nonsmooth_proofs import (
    GRADIENT_0,
    GRADIENTS,
    GRADIENTS_FROM_1,
    Delta,
    N,
    alpha_0,
    below,
    d_1,
    f_0,
    f_star,
    g_0,
    x_0,
    x_1,
    x_bar_1,
    x_hat_0,
)
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, Vector, scalar
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_at_least, nonnegative, positive
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

r, V2 = sp.symbols("r V^2")
TAU = sp.Rational(3, 10)
HORIZON = Domain(
    *(below_bound(r, 2), positive(alpha_0), at_least(N, 1), between(beta, 0, 1), nonnegative(sigma2)),
    *(nonnegative(Delta), nonnegative(V2), defined(alpha, alpha_0 / N), defined(nu, beta / alpha)),
    *(defined(rho, r / alpha), inverse_at_least(lam, 2 * rho), defined(xi, constants.xi(beta=beta, nu=nu))),
)
r"""Every :math:`\beta=\nu\alpha\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}` and :math:`\rho\alpha<2`."""


def free(*size: Any) -> Domain:
    r"""The parameter-free choice :math:`\alpha_0=1/\rho=1/\nu`, :math:`\lambda=1/(2\rho)`, with a range of
    :math:`N`."""
    return Domain(
        *(positive(rho), *size, nonnegative(sigma2), nonnegative(Delta), nonnegative(V2), defined(alpha_0, 1 / rho)),
        *(defined(alpha, alpha_0 / N), defined(nu, 1 / alpha_0), defined(beta, 1 / N), defined(lam, 1 / (2 * rho))),
        defined(xi, constants.xi(beta=beta, nu=nu)),
    )


LARGE, SMALL = free(at_least(N, 2)), free(within(N, sp.Rational(7, 5), 2))
r""":math:`K\ge3`; and :math:`\sqrt{K+1}\in[\frac75,2)`, which contains :math:`\sqrt2` and :math:`\sqrt3`:
:math:`K=1,2`."""
U_0 = lyapunov_e(x_0, x_0, Vector({}))
U_1 = lyapunov_e(x_bar_1, x_1, d_1)
A_COEFFICIENT = 1 + W_F
B_COEFFICIENT = 1 + c_energy * lam * nu * (1 + beta)


def last_term(weight: Any = A_COEFFICIENT) -> Certificate:
    r""":math:`(1+\kappa+c)f^\star\le U_{K+1}`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        W_F * below(x_k),
        m_energy * square(d_k),
    ]
    return Certificate(weight * f_star <= U, terms, label="beyond/open/last", domain=ENERGY)


def first_term(weight: Any = A_COEFFICIENT) -> Certificate:
    r""":math:`U_0\le(1+\kappa+c)f(x_0)` for :math:`z_0=\beta g_0`: :math:`\bar x_0=x_0`, :math:`d_0=0`."""
    terms = [1 * envelope_infimum(f, F_env, x_0, x_0)]
    return Certificate(U_0 <= weight * f_0, terms, label="beyond/open/first", domain=ENERGY)


def bound_e(gap: Any = f_0 - f_star, noise: Any = B_COEFFICIENT) -> Any:
    r""":math:`\frac{2(1+\kappa+c)\Delta}{\alpha(K+1)}+\frac{\alpha\sigma^2}\lambda(1+c\lambda\nu(1+\beta))`."""
    return 2 * A_COEFFICIENT * gap / (alpha * N**2) + alpha * sigma2 / lam * noise


def theorem_beta(noise: Any = 1) -> Certificate:
    r"""Start :math:`z_0=\beta g_0`: the average of :math:`\mathrm E\|\nabla F_\lambda(\bar x_k)\|^2` over
    :math:`k=0,\dots,K` is at most
    :math:`\frac{2(1+\kappa+c)\Delta}{\alpha(K+1)}+\frac{\alpha\sigma^2}\lambda(1+c\lambda\nu(1+\beta))`.
    Joined by: :func:`~shbcore.claims.beyond.energy.falls` for :math:`k=0..K`."""
    share = 2 / (alpha * N**2)
    total = telescoped(U_0, E(U), GRADIENTS, weight=alpha / 2, noise=NOISE, steps=N**2, why="k = 0..K")
    terms = [share * total, share * first_term().hypothesis(), share * last_term().hypothesis()]
    right = bound_e(noise=noise * B_COEFFICIENT)
    return Certificate(GRADIENTS / N**2 <= right, terms, TRIVIAL, "beyond/open/beta", domain=HORIZON)


def ten_and_four_large(four: Any = 4) -> Certificate:
    r""":math:`K\ge3`, :math:`\alpha_0=1/\rho`: the bound is at most :math:`(10\rho\Delta+4\sigma^2)/\sqrt{K+1}`; with
    :math:`s=1-\beta` the
    rooms are :math:`8s(1-s)/(1+s)` and :math:`2(1-s)^2(2s-1)/(1+s)`."""
    return sign((10 * rho * Delta + four * sigma2) / N - bound_e(Delta), "beyond/open/ten-four", domain=LARGE)


GRADIENTS_BUT_LAST = scalar(r"\sum_{k=0}^{K-1}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")


def last_gradient(factor: Any = 1) -> Certificate:
    r"""The last gradient without a step and so without noise: :math:`\frac\lambda2\|\nabla F_\lambda(\bar
    x_k)\|^2+(1+\kappa+c)f^\star\le U_k`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 * below(x_hat),
        W_F * below(x_k),
        m_energy * square(d_k),
    ]
    left = factor * lam / 2 * grad_env**2 + A_COEFFICIENT * f_star
    return Certificate(left <= U, terms, label="beyond/open/last-gradient", domain=ENERGY)


def short_sum(noise: Any = 1) -> Certificate:
    r"""Start :math:`z_0=\beta g_0`, steps :math:`k=0..K-1` only: for :math:`\alpha\ge\lambda`, with
    :math:`\frac\lambda2` on every gradient,
    :math:`\frac\lambda2\sum_{k=0}^K\mathrm E\|\nabla F_\lambda(\bar x_k)\|^2\le(1+\kappa+c)\Delta+K\cdot` one step's
    noise."""
    steps = telescoped(U_0, E(U), GRADIENTS_BUT_LAST, weight=alpha / 2, noise=NOISE, steps=N**2 - 1, why="k = 0..K-1")
    terms = [
        1 * steps,
        1 * first_term().hypothesis(),
        1 * last_gradient().hypothesis(),
        (alpha - lam) / 2 * given("gradients", 0 <= GRADIENTS_BUT_LAST, "", "", "a sum of squares"),
    ]
    left = lam / 2 * (GRADIENTS_BUT_LAST + E(grad_env**2))
    right = A_COEFFICIENT * (f_0 - f_star) + noise * (N**2 - 1) * NOISE
    return Certificate(left <= right, terms, TRIVIAL, "beyond/open/short-sum", domain=SMALL)


def ten_and_four_small(four: Any = 4) -> Certificate:
    r""":math:`K=1,2`: :math:`\frac7{10}` of the whole sum and :math:`\frac3{10}` of the short one stay below
    :math:`(10\rho\Delta+4\sigma^2)/\sqrt{K+1}`, for every real :math:`\sqrt{K+1}\in[\frac75,2)`."""
    short = 2 / (lam * N**2) * (A_COEFFICIENT * Delta + (N**2 - 1) * NOISE)
    room = (10 * rho * Delta + four * sigma2) / N - (1 - TAU) * bound_e(Delta) - TAU * short
    return sign(room, "beyond/open/ten-four-small", domain=SMALL)


def ten_at_once(factor: Any = sp.Rational(8, 3)) -> Certificate:
    r""":math:`K=0`, both starts, no sample is used: :math:`\|\nabla F_{1/(2\rho)}(x_0)\|^2\le\frac83\rho\Delta`, the
    constant sharp
    (:math:`f=\frac\rho2x^2`)."""
    domain = Domain(positive(rho), defined(lam, 1 / (2 * rho)))
    scale = sp.Rational(8, 3) * rho
    terms = [
        scale * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        scale * below(x_hat_0),
    ]
    claim = GRADIENT_0**2 <= factor * rho * (f_0 - f_star)
    return Certificate(claim, terms, PATHWISE, "beyond/open/K=0", domain=domain)


# --- the printed start z_0 = g_0

slope_0 = f.slope(x_0)
D_0 = (g_0 - slope_0).named("D_0")
h_0 = (g_0 - d_1).named("g_0-d_1")
Q = 1 / (2 * lam * nu**2)
PULL = W_F * alpha
J_SIGMA = Q + c_energy * (1 + beta) / (2 * nu)
J_SLOPE = J_SIGMA - PULL / 2
FREE = free(at_least(N, 1))


def first_step(share: Any = 1, slope_share: Any = 1) -> Certificate:
    r"""The printed :math:`z_0=g_0`, with :math:`J=\frac1{2\lambda\nu^2}+\frac{c(1+\beta)}{2\nu}`:

    .. math:: \mathrm EU_1+\frac1{2\nu}\|\nabla F_\lambda(x_0)\|^2\le(1+\kappa+c)f(x_0)+J\sigma^2
        +\Bigl(J-\frac{(\kappa+c)\alpha}2\Bigr)\|\nabla f(x_0)\|^2."""
    after = (x_0 - alpha * g_0).named(r"x_0-\alpha g_0")
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, x_hat_0),
        1 / (lam * beta**2) * projection(after, x_1, (1 - beta, x_0), (beta, x_hat_0)),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * envelope_infimum(f, F_env, x_0, x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        W_F * smooth_above(f, x_0, x_1),
        c_energy * (xi + 2 * alpha) / alpha**2 * projection(after, x_1, (1, x_0)),
        PULL / 2 * square((slope_0 - h_0).named(r"\nabla f(x_0)-(g_0-d_1)")),
        (J_SIGMA - PULL / 2) * square(h_0),
        J_SIGMA * variance(g_0, slope_0),
    ]
    right = (1 + W_F) * f_0 + share * J_SIGMA * sigma2 + slope_share * J_SLOPE * slope_0**2
    claim = U_1 + GRADIENT_0**2 / (2 * nu) <= right
    return Certificate(claim, terms, TRIVIAL, "beyond/open/first-step", domain=ENERGY)


def bound_printed(gap: Any = f_0 - f_star, slope2: Any = slope_0**2) -> Any:
    r""":math:`\frac2{\alpha(K+1)}\bigl((1+\kappa+c)\Delta+J\sigma^2+(J-\frac{(\kappa+c)\alpha}2)\|\nabla
    f(x_0)\|^2\bigr)
    +\frac K{K+1}\frac{\alpha\sigma^2}\lambda(1+c\lambda\nu(1+\beta))`."""
    first = 2 / (alpha * N**2) * (A_COEFFICIENT * gap + J_SIGMA * sigma2 + J_SLOPE * slope2)
    return first + (1 - 1 / N**2) * alpha * sigma2 / lam * B_COEFFICIENT


def theorem_printed(share: Any = 1) -> Certificate:
    r"""Start :math:`z_0=g_0` as printed, any :math:`\nu`.  Joined by: :func:`first_step`, then
    :func:`~shbcore.claims.beyond.energy.falls` for :math:`k=1..K`."""
    part = 2 / (alpha * N**2)
    total = telescoped(E(U_1), E(U), GRADIENTS_FROM_1, weight=alpha / 2, noise=NOISE, steps=N**2 - 1, why="k = 1..K")
    terms = [
        part * total,
        part * first_step().hypothesis("the first step"),
        part * last_term().hypothesis(),
        part * (1 / nu - alpha) / 2 * square(GRADIENT_0),
    ]
    claim = (GRADIENTS_FROM_1 + GRADIENT_0**2) / N**2 <= share * bound_printed()
    return Certificate(claim, terms, TRIVIAL, "beyond/open/printed", domain=HORIZON)


def ten_eight_four(eight: Any = 8, four: Any = 4) -> Certificate:
    r"""Printed start, :math:`\alpha_0=1/\rho`, every :math:`K\ge0`: at most :math:`(10\rho\Delta+8\sigma^2+4\|\nabla
    f(x_0)\|^2)/\sqrt{K+1}`;
    ``V2`` is :math:`\|\nabla f(x_0)\|^2`."""
    room = (10 * rho * Delta + eight * sigma2 + four * V2) / N - bound_printed(Delta, V2)
    return sign(room, "beyond/open/ten-eight-four", domain=FREE)


HALF_STEP = free(at_least(N, sp.Rational(5, 4))).also(defined(alpha_0, 1 / (2 * rho)))
r"""Half the stepsize, :math:`\alpha_0=\frac1{2\rho}=\frac1\nu`, :math:`\lambda=\frac1{2\rho}`;
:math:`\sqrt{K+1}\ge\frac54` contains every :math:`K\ge1`."""


def half_step(noise: Any = sp.Rational(3, 2)) -> Certificate:
    r"""With :math:`\alpha_0=\frac1{2\rho}` and :math:`z_0=\beta g_0`: at most
    :math:`(10\rho\Delta+\frac32\sigma^2)/\sqrt{K+1}`, every :math:`K\ge1`;
    :math:`K=0` is :func:`ten_at_once`."""
    return sign((10 * rho * Delta + noise * sigma2) / N - bound_e(Delta), "beyond/open/half-step", domain=HALF_STEP)


def half_step_printed(noise: Any = 3, slope: Any = sp.Rational(3, 2)) -> Certificate:
    r"""With :math:`\alpha_0=\frac1{2\rho}` and :math:`z_0=g_0`: at most
    :math:`(10\rho\Delta+3\sigma^2+\frac32\|\nabla f(x_0)\|^2)/\sqrt{K+1}`, every :math:`K\ge1`."""
    room = (10 * rho * Delta + noise * sigma2 + slope * V2) / N - bound_printed(Delta, V2)
    return sign(room, "beyond/open/half-step", domain=HALF_STEP)


def summed_steps(noise: Any = 1) -> Steps:
    r"""The step that is added up holds on every range on which it is."""
    return Steps([moved(falls(noise), domain) for domain in (HORIZON, LARGE, SMALL, FREE, HALF_STEP)])


def proofs() -> dict[str, list[Proof]]:
    """The chain, in order; (A), (B) and their sum are in :mod:`shbcore.claims.beyond.energy`."""
    less, up = TENTH, ELEVEN
    return {
        "beyond/open/last": [proof_of("U_{K+1}", last_term, "eleven tenths", weight=up * A_COEFFICIENT)],
        "beyond/open/first": [proof_of("U_0", first_term, "nine tenths", weight=less * A_COEFFICIENT)],
        "beyond/open/summed": [
            proof_of("the step on the ranges", summed_steps, "nine tenths of the noise", noise=less)
        ],
        "beyond/open/beta": [proof_of("z_0 = beta g_0", theorem_beta, "nine tenths of the noise", noise=less)],
        "beyond/open/ten-four": [proof_of("K >= 3", ten_and_four_large, "3.9 for 4", four=sp.Rational(39, 10))],
        "beyond/open/last-gradient": [proof_of("no step", last_gradient, "eleven tenths", factor=up)],
        "beyond/open/short-sum": [proof_of("k = 0..K-1", short_sum, "nine tenths of the noise", noise=less)],
        "beyond/open/ten-four-small": [proof_of("K = 1, 2", ten_and_four_small, "3.6 for 4", four=4 * less)],
        "beyond/open/K=0": [proof_of("K = 0", ten_at_once, "nine tenths", factor=less * sp.Rational(8, 3))],
        "beyond/open/first-step": [
            proof_of("after z_0 = g_0", first_step, "nine tenths of the noise", share=less),
            proof_of("after z_0 = g_0", first_step, "nine tenths of the gradient term", slope_share=less),
        ],
        "beyond/open/printed": [proof_of("z_0 = g_0, as printed", theorem_printed, "nine tenths", share=less)],
        "beyond/open/half-step": [
            proof_of("alpha_0 = 1/(2 rho), K >= 1", half_step, "7/5 for 3/2", noise=sp.Rational(7, 5)),
            proof_of("printed start, K >= 1", half_step_printed, "2.8 for 3", noise=sp.Rational(14, 5)),
            proof_of("printed start, K >= 1", half_step_printed, "7/5 for 3/2", slope=sp.Rational(7, 5)),
        ],
        "beyond/open/ten-eight-four": [
            proof_of("every K >= 0", ten_eight_four, "7.9 for 8", eight=sp.Rational(79, 10)),
            proof_of("every K >= 0", ten_eight_four, "3.9 for 4", four=sp.Rational(39, 10)),
        ],
    }


PROOFS = proofs()

if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
