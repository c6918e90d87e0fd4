r"""Theorem 3 for the printed start :math:`z_0=g_0`: the rate stays, the weight of :math:`\Delta` stays, the noise grows by a constant.

As for Theorem 1, :math:`\hat x_0` is the candidate in the envelope at :math:`\bar x_1`.  What it gains,
:math:`\frac1\nu\langle\nabla F_\lambda(x_0),\nabla f(x_0)\rangle`, pays for both gradients at :math:`x_0`.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

from shbcore.claims.nonsmooth_proofs import N, alpha_0, f_0, g_0, x_0, x_hat_0
from shbcore.claims.phi_proofs import TENTH
from shbcore.claims.theorem3_step_proofs import (
    G_0,
    RATIO,
    STEP_3,
    THEOREM_3,
    C,
    lipschitz_0,
    lower_3,
    lyapunov_3,
    potential,
    printed_bound,
    slope_0,
    turn_0,
)
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, scalar
from shbcore.proof.certificate import Certificate, Proof, proof_of
from shbcore.proof.hypotheses import *
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

x_1 = (x_0 - alpha * g_0).named("x_1")
g_1 = f.sample(x_1, "g_1")
z_1 = (beta * g_1 + (1 - beta) * g_0).named("z_1")
x_bar_1 = (x_0 - g_0 / nu).named(r"\bar x_1")
V_1 = F_env(x_bar_1) + RATIO * (2 * f(x_1) + z_1**2 / (2 * nu) + xi / 2 * g_0**2) + alpha * RATIO * g_0**2
JUMP = constants.start_excess_3(weak_convexity=rho, envelope=lam, alpha=alpha, beta=beta, nu=nu)
SUM_FROM_1 = scalar(r"\sum_{k=1}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")


def first_potential(share: Any = 1) -> Certificate:
    r""":math:`V_1` is the potential of ``evn:4`` at :math:`k=1`, where :math:`d_1=g_0`."""
    return potential(lyapunov_3(x_bar_1, x_1, z_1, g_0), share * V_1, x_1 - alpha * z_1)


def first_step_printed(share: Any = 1) -> Certificate:
    r"""After :math:`z_0=g_0`, with :math:`J` = ``JUMP`` and :math:`q=\alpha\xi^2/\lambda^2`:
    :math:`\mathrm EV_1+\frac\alpha c\|\nabla F_\lambda(x_0)\|^2\le(1+2\xi^2/\lambda^2)f(x_0)+(J+q/2)\sigma^2`."""
    moved = (f.slope(x_1) - slope_0).named(r"\nabla f(x_1)-\nabla f(x_0)")
    weight, r = JUMP - alpha * RATIO, rho * lam
    gain = 1 / nu - 2 * weight
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, x_hat_0),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * envelope_infimum(f, F_env, x_0, x_0),
        2 * RATIO * smooth_above(f, x_0, x_1),
        RATIO / (2 * nu) * square_convexity(g_1, g_0, beta),
        RATIO * beta / (2 * nu) * variance(g_1, f.slope(x_1)),
        RATIO * beta / (2 * nu) * square(moved - slope_0),
        RATIO * beta / nu * lipschitz_gradient(f, x_1, x_0),
        JUMP * variance(g_0, slope_0),
        gain * young(-G_0, turn_0, 1 / r),
        (weight + gain / (2 * r)) * lipschitz_0(),
        ((1 - r) / nu - weight * (1 - r) ** 2 - alpha / C) * square(G_0),
    ]
    right = (1 + 2 * RATIO) * f_0 + share * (JUMP + alpha * RATIO / 2) * sigma2
    claim = V_1 + alpha / C * G_0**2 <= right
    return Certificate(claim, terms, TRIVIAL, "thrm:smooth:unconstrained:complexity", domain=THEOREM_3)


def theorem_3_start(share: Any = 1) -> Certificate:
    r"""Theorem 3 for the printed start :math:`z_0=g_0`, :math:`k^*\in\{0,\dots,K\}`: the bound of ``evn:5`` with
    :math:`(J+q/2)\sigma^2` more in its numerator."""
    part = C / (alpha_0 * N)
    end = E(lyapunov_3(x_bar, x_k, z_k, d_k))
    steps = telescoped(E(V_1), end, SUM_FROM_1, weight=alpha / C, noise=STEP_3, steps=N**2 - 1, why="evn:4, k = 1..K")
    terms = [
        part * steps,
        part * first_step_printed().hypothesis("the first step"),
        part * lower_3().hypothesis("the last term"),
        part * number(STEP_3),
    ]
    noise = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam) + JUMP + alpha * RATIO / 2
    claim = share * printed_bound(noise=noise) >= (G_0**2 + SUM_FROM_1) / N**2
    return Certificate(claim, terms, TRIVIAL, "thrm:smooth:unconstrained:complexity", domain=THEOREM_3)


PROOFS: dict[str, list[Proof]] = {
    "thrm:smooth:unconstrained:complexity": [
        proof_of("z_0 = g_0 with its extra constant on sigma^2", theorem_3_start, "nine tenths", share=TENTH),
        proof_of(
            "E V_1 and the gradient at x_0 after z_0 = g_0", first_step_printed, "nine tenths of the noise", share=TENTH
        ),
        proof_of("V_1 is the potential at k = 1", first_potential, "nine tenths of it", share=TENTH),
    ]
}
