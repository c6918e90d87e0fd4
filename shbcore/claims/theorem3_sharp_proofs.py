r"""Theorem 3 with the sharper W lemma: :math:`\alpha_0\le1/(2\rho)`, twice the printed range, and 2 for 8 in the noise.

The steps are those of :mod:`shbcore.claims.theorem3_proofs`; the earlier lines are verified again on the longer range.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.nonsmooth_proofs import N, alpha_0, f_0, f_star
from shbcore.claims.phi_proofs import PAST, TENTH, stepsizes_up_to
from shbcore.claims.theorem3_proofs import START, SUM, first_step_3
from shbcore.claims.theorem3_step_proofs import (
    G_0,
    RATIO,
    THEOREM_3,
    C,
    a,
    evn_3,
    lower_3,
    lyapunov_3,
)
from shbcore.claims.W_sharp_proofs import lemma_W_sharp
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E
from shbcore.proof.certificate import Certificate, Proof, Steps, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, between, inverse_between
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

HALF = sp.Rational(1, 2)
ONE_STEP_LONG = Domain(*stepsizes_up_to(HALF).also(inverse_between(lam, 3 * rho / 2, 2 * rho)).ranges)
THEOREM_3_LONG = THEOREM_3.also(between(a, 0, HALF))
r""":math:`\alpha_0\in(0,1/(2\rho)]`, the rest as in Theorem 3."""
W_NOISE = constants.W_noise(weak_convexity=rho, alpha=alpha, beta=beta)
STEP = (1 + 2 * W_NOISE * nu * xi**2 / lam) * alpha**2 * sigma2 / (2 * lam)


def lyapunov_step(share: Any = 1) -> Steps:
    r"""``evn:4`` with the sharper W lemma, in total expectation; and that Theorem 3's range lies inside."""
    now, after = lyapunov_3(x_bar, x_k, z_k, d_k), lyapunov_3(x_bar_next, x_next, z_next, d_next)
    terms = [1 * evn_3().hypothesis("evn:3"), RATIO * lemma_W_sharp().hypothesis("the W lemma")]
    claim = after <= now - alpha / C * grad_env**2 + share * STEP
    inside = [sign(room, domain=THEOREM_3_LONG) for room in (HALF - rho * alpha, 1 - beta)]
    return Steps([Certificate(claim, terms, PAST, domain=ONE_STEP_LONG), *inside])


def theorem_3_sharp(factor: Any = 2) -> Certificate:
    r"""Theorem 3 for :math:`\alpha_0\le1/(2\rho)` with ``factor`` 2 in place of 8, :math:`z_0=\beta g_0`, :math:`X=\mathbb R^n`."""
    part = C / (alpha_0 * N)
    end = E(lyapunov_3(x_bar, x_k, z_k, d_k))
    why = "the step above, k = 0..K-1"
    steps = telescoped(E(START), end, SUM, weight=alpha / C, noise=STEP, steps=N**2 - 1, why=why)
    of = {"sigma2": sigma2, "weak_convexity": rho, "envelope": lam, "alpha_0": alpha_0, "root": N, "factor": factor}
    room = constants.theorem_3_bound(gap=0, **of) - part * N**2 * STEP
    terms = [
        part * steps,
        part * first_step_3(noise=STEP, domain=THEOREM_3_LONG).hypothesis("the first step"),
        part * lower_3().hypothesis("the last term"),
        2
        * part
        * (alpha_0**2 / lam**2 - RATIO)
        * given("Delta >= 0", f_star <= f_0, r"f^\star\le f(x_0)", "", "infimum"),
        1 * number(room),
    ]
    claim = constants.theorem_3_bound(gap=f_0 - f_star, **of) >= (G_0**2 + SUM) / N**2
    label = "thrm:smooth:unconstrained:complexity"
    return Certificate(claim, terms, TRIVIAL, label, domain=THEOREM_3_LONG)


PROOFS: dict[str, list[Proof]] = {
    "thrm:smooth:unconstrained:complexity": [
        proof_of("sharper: alpha_0 <= 1/(2 rho), and 2 for 8", theorem_3_sharp, "1 for 8", factor=1),
        proof_of("its step, with the sharper W lemma", lyapunov_step, "nine tenths of the noise", share=TENTH),
    ],
}
