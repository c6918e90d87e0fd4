r"""The W lemma with its best stepsize: for :math:`f` smooth on all of :math:`\mathbb R^n` it holds up to :math:`\rho\alpha=\sqrt2`.

.. math:: \mathrm E[W_{k+1}|\mathcal F_{k-1}]\le\mathrm E[W_k-\alpha\|d_{k+1}\|^2|\mathcal F_{k-1}]
    +(1+\beta(1+\rho\alpha))\,\nu\alpha^2\sigma^2 .

Smoothness enters once, as the interpolation inequality between :math:`x_k` and :math:`x_{k+1}`, which is all that it says about two
points; the paper uses it three times.  Two certificates cover the range, up to 1 and beyond; the parabola shows that it is the whole range.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.phi_proofs import PAST, SMOOTH, TENTH, W, r, smoothness
from shbcore.claims.W_proofs import noise_k, step_noise, turn, virtual_distance, x_virtual
from shbcore.model import constants
from shbcore.proof.algebra import constant
from shbcore.proof.certificate import Certificate, Proof, identity, proof_of
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least
from shbcore.proof.step import *

BEYOND = Domain(at_least(r, 1), *SMOOTH.ranges[1:])
r""":math:`\rho\alpha\ge1`; that :math:`\rho\alpha\le\sqrt2` is then a hypothesis of the certificate."""


def turn_noise(factor: Any = 1, domain: Domain = SMOOTH) -> Certificate:
    r"""Old noise against the turn of the gradient: :math:`-\mathrm E\langle\Delta_k,\nabla f(x_{k+1})-\nabla f(x_k)\rangle\le
    \rho\alpha\beta\sigma^2`, by the virtual iterate."""
    away = (f.slope(x_virtual) - f.slope(x_next)).named(r"\nabla f(x'_{k+1})-\nabla f(x_{k+1})")
    size = rho * alpha * beta
    terms = [
        1 * young(noise_k, away, 1 / size),
        1 / (2 * size) * lipschitz_gradient(f, x_next, x_virtual),
        rho / (2 * alpha * beta) * virtual_distance(),
        size * variance(g_k, f.slope(x_k)),
    ]
    return Certificate(-(noise_k @ turn) <= factor * size * sigma2, terms, PAST, domain=domain)


def lemma_W_sharp(share: Any = 1, domain: Domain = SMOOTH) -> Certificate:
    r"""The lemma with ``share`` of its noise; ``domain`` is ``SMOOTH``, :math:`\rho\alpha\le1`, or ``BEYOND``."""
    step = rho * alpha
    noise = constants.W_noise(weak_convexity=rho, alpha=alpha, beta=beta) * nu * alpha**2 * sigma2
    terms = [
        1 / (nu * alpha**2) * smoothness(),
        3 / (nu * alpha**2) * projection(trial, x_next, (1, x_k)),
        2 * interpolation(f, x_next, x_k),
        alpha * (1 - beta) / 2 * square(d_k - d_next + turn),
        alpha * beta / 2 * variance(g_next, f.slope(x_next)),
        alpha * beta / 2 * variance(g_k, f.slope(x_k)),
        beta * step_noise().hypothesis("the noise along the step"),
        alpha * beta * turn_noise(domain=domain).hypothesis("the noise along the turn"),
    ]
    if domain is BEYOND:
        terms += [alpha * (1 - 1 / step) / 2 * lipschitz_gradient(f, x_next, x_k)]
        room = constant(0) <= (2 - step**2) * d_next**2
        text = r"(2-\rho^2\alpha^2)\|d_{k+1}\|^2\ge0"
        terms += [alpha / 2 * given("the stepsize", room, text, "", r"$\rho\alpha\le\sqrt2$")]
    else:
        terms += [alpha * (1 / step - 1) / 2 * square(turn), alpha * (1 - step / 2) * square(d_next)]
    right = W(x_k, z_k, d_k) - alpha * d_next**2 + share * noise
    return Certificate(W(x_next, z_next, d_next) <= right, terms, PAST, "lem:Wfunc:smooth", domain=domain)


def parabola(power: int = 2) -> Certificate:
    r"""What is missing on :math:`f=\frac\rho2x^2` without noise, at :math:`\beta=1` and :math:`k=0`:
    :math:`W_1-W_0+\alpha d_1^2=\rho\,r\,(\frac{r^2}2-1)\,x_0^2`, which is positive beyond :math:`r=\sqrt2`."""
    weights = constants.W_weights(alpha=alpha, beta=1, nu=1 / alpha)
    x_0, x_1 = sp.Integer(1), 1 - rho * alpha
    values = [weights.f * rho * x**2 / 2 + weights.phi * (alpha * rho * x) ** 2 / 2 for x in (x_0, x_1)]
    excess = values[1] - values[0] + alpha * ((x_0 - x_1) / alpha) ** 2
    claim = rho * rho * alpha * ((rho * alpha) ** power / 2 - 1)
    return identity(constant(excess), constant(claim), "lem:Wfunc:smooth/stepsize", domain=SMOOTH)


PROOFS: dict[str, list[Proof]] = {
    "lem:Wfunc:smooth": [
        proof_of(
            "sharper noise 1 + beta (1 + rho alpha) for 4, rho alpha <= 1", lemma_W_sharp, "nine tenths", share=TENTH
        ),
        proof_of(
            "the same for rho alpha from 1 to sqrt(2)",
            lambda share=1: lemma_W_sharp(share, BEYOND),
            "nine tenths",
            share=TENTH,
        ),
    ],
    "lem:Wfunc:smooth/stepsize": [
        proof_of("the parabola exceeds W by a multiple of (rho alpha)^2 - 2", parabola, "of rho alpha - 2", power=1)
    ],
}
