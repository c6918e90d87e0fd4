r"""Certificates of Theorem 3 for :math:`z_0=\beta g_0`: the sum, the bound, both displays; ``PROOFS`` gathers both starts.

As in Theorem 1, :math:`N=\sqrt{K+1}`.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims import theorem3_start_proofs, theorem3_step_proofs
from shbcore.claims.nonsmooth_proofs import ZERO, Delta, N, alpha_0, f_0, f_star, g_0, x_0, x_hat_0
from shbcore.claims.phi_proofs import QUARTER, TENTH
from shbcore.claims.theorem3_start_proofs import *
from shbcore.claims.theorem3_step_proofs import *
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, constant, scalar
from shbcore.proof.certificate import Certificate, Proof, Steps, identity, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, defined
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

SHORT = THEOREM_3.also(defined(lam, 1 / (2 * rho)))
START = F_env(x_0) + RATIO * (2 * f_0 + beta**2 / (2 * nu) * g_0**2)
SUM = scalar(r"\sum_{k=0}^{K-1}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")


def first_step_3(share_of_f: Any = 1, noise: Any = STEP_3, domain: Domain = THEOREM_3) -> Certificate:
    r"""The step that the paper writes as :math:`k=-1`: with :math:`z_0=\beta g_0`,
    :math:`\mathrm EV_0+\frac\alpha c\|\nabla F_\lambda(x_0)\|^2\le(1+2\xi^2/\lambda^2)f(x_0)+` one step's noise."""
    share = RATIO * beta**2 / (2 * nu)
    terms = [
        1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        share * variance(g_0, slope_0),
        2 * share * young(G_0, turn_0, 1 / (rho * lam)),
        share * (1 + 1 / (rho * lam)) * lipschitz_0(),
        (lam / 2 * (1 - rho * lam) - alpha / C - share * (1 + rho * lam) ** 2) * square(G_0),
        1 * number(noise - share * sigma2),
    ]
    claim = START + alpha / C * G_0**2 <= share_of_f * (1 + 2 * RATIO) * f_0 + noise
    return Certificate(claim, terms, TRIVIAL, "eq:proof:thrm:3:evn:4/V_minus_1", domain=domain)


def summed_form(noise: Any = STEP_3) -> Steps:
    r"""What :func:`evn_5` sums: ``evn:4`` has the form :math:`a_{k+1}\le a_k-we_k+c` in total expectation, also on Theorem 3's
    own range (:math:`\rho\alpha\le\frac14`, :math:`\beta\le1`), and ``START``
    is its potential at :math:`k=0` with :math:`z_0=\beta g_0`, :math:`d_0=0`."""
    now, after = lyapunov_3(x_bar, x_k, z_k, d_k), lyapunov_3(x_bar_next, x_next, z_next, d_next)
    terms = [1 * evn_4().hypothesis("evn:4")]
    step = Certificate(after <= now - alpha / C * grad_env**2 + noise, terms, TRIVIAL, domain=ONE_STEP)
    inside = [sign(room, domain=THEOREM_3) for room in (QUARTER - rho * alpha, 1 - beta)]
    return Steps(
        [step, *inside, potential(lyapunov_3(x_0, x_0, beta * g_0, ZERO), START, (x_0 - alpha * (beta * g_0)))]
    )


def evn_5(share: Any = 1) -> Certificate:
    r"""``eq:proof:thrm:3:evn:5`` for :math:`z_0=\beta g_0`: :math:`k^*\in\{-1,\dots,K-1\}`, :math:`\bar x_{-1}=\bar x_0=x_0`."""
    part = C / (alpha_0 * N)
    end = E(lyapunov_3(x_bar, x_k, z_k, d_k))
    steps = telescoped(E(START), end, SUM, weight=alpha / C, noise=STEP_3, steps=N**2 - 1, why="evn:4, k = 0..K-1")
    terms = [
        part * steps,
        part * first_step_3().hypothesis("the first step"),
        part * lower_3().hypothesis("the last term"),
    ]
    return Certificate(
        share * printed_bound() >= (G_0**2 + SUM) / N**2, terms, TRIVIAL, "eq:proof:thrm:3:evn:5", domain=THEOREM_3
    )


def bound_3(gap: Any) -> Any:
    return constants.theorem_3_bound(gap=gap, sigma2=sigma2, weak_convexity=rho, envelope=lam, alpha_0=alpha_0, root=N)


def theorem_3(share: Any = 1) -> Certificate:
    r"""Theorem 3, first display, as printed, for :math:`z_0=\beta g_0` and :math:`X=\mathbb R^n`: ``evn:5`` and :math:`\xi\le\alpha_0`."""
    more = C / (alpha_0 * N) * 2 * (alpha_0**2 / lam**2 - RATIO)
    slack = bound_3(0) - printed_bound(gap=0)
    terms = [
        1 * evn_5().hypothesis("evn:5"),
        more * given("Delta >= 0", f_star <= f_0, r"f^\star\le f(x_0)", "", "infimum"),
        1 * number(slack),
    ]
    return Certificate(
        share * bound_3(f_0 - f_star) >= (G_0**2 + SUM) / N**2,
        terms,
        TRIVIAL,
        "thrm:smooth:unconstrained:complexity",
        domain=THEOREM_3,
    )


def four(power: int = 2, factor: Any = 4) -> Certificate:
    r"""Second display, :math:`\lambda=1/(2\rho)`:
    :math:`4\,((1+8\rho^2\alpha_0^2)\Delta+(\rho+16\alpha_0\rho^2)\sigma^2\alpha_0^2)/(\alpha_0\sqrt{K+1})`."""
    right = (
        factor
        * ((1 + 8 * rho**2 * alpha_0**2) * Delta + (rho + 16 * alpha_0 * rho**2) * sigma2 * alpha_0**power)
        / (alpha_0 * N)
    )
    return identity(
        constant(bound_3(Delta)), constant(right), "thrm:smooth:unconstrained:complexity/second", domain=SHORT
    )


def proofs() -> dict[str, list[Proof]]:
    """Every certificate of Theorem 3, by label."""
    three, E_ = "thrm:smooth:unconstrained:complexity", "eq:proof:thrm:3:evn"
    bound = proof_of("z_0 = beta g_0, X = R^n: as printed", theorem_3, "two thirds of it", share=sp.Rational(2, 3))
    fifth = proof_of("from evn:4, the first step and the last term", evn_5, "nine tenths", share=TENTH)
    second = proof_of("the first display at lambda = 1/(2 rho)", four, "alpha_0^3, as printed", power=3)
    form = proof_of("evn:4 has the form that is summed", summed_form, "nine tenths of c", noise=TENTH * STEP_3)
    own = {
        f"{E_}:4/V_minus_1": [
            proof_of("the first step, k = 0", first_step_3, "nine tenths of the weight of f(x_0)", share_of_f=TENTH)
        ],
        f"{E_}:4/sum": [fifth, form],
        f"{E_}:5": [fifth],
        f"{E_}:5/nu": [bound],
        f"{E_}:5/second": [second],
        three: [bound, second],
        f"{three}/bound": [bound],
        f"{three}/c": [proof_of("c = 4 at lambda = 1/(2 rho)", four, "5 for 4", factor=5)],
        f"{three}/second": [second],
    }
    parts = (theorem3_step_proofs.PROOFS, own, theorem3_start_proofs.PROOFS)
    return {label: [proof for part in parts for proof in part.get(label, [])] for part in parts for label in part}


PROOFS = proofs()
