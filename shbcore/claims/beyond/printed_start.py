r"""Theorems 1 and 2 with the start as printed: a Lyapunov function that falls *given the past*.

.. math:: U_k=F_\lambda(\bar x_k)+\frac{c}{2\nu}\|d_k\|^2+\Bigl(c(1-\beta)+\frac\xi\lambda\Bigr)f(x_{k-1}),\qquad
    c=\frac{\xi^2/\lambda^2+\rho\xi\alpha/\lambda}{2-\beta-(1-\beta)\rho\alpha}.

The weight :math:`\frac c{2\nu}` is :math:`\frac{c\nu}2\xi^2+c\alpha(1-\frac\beta2)`, since :math:`p_k=-\xi d_k`.
Range: :math:`\rho\alpha<2`, :math:`\lambda^{-1}\ge2\rho`, :math:`\beta=\nu\alpha\in(0,1]`.  As elsewhere
:math:`N=\sqrt{K+1}`.
Assumptions: (A1), (A2), :math:`X` closed and convex, :math:`f` weakly convex, :math:`f^\star>-\infty`, independent
samples,
:math:`k^*` uniform on :math:`\{0,\dots,K\}` and independent of them.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import HALF, PAST, TENTH, below_bound, moved
from shbcore.claims.lemma3_proofs import inner_g
from shbcore.claims.lemma4_proofs import envelope_3_before
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
from shbcore.proof.algebra import TRIVIAL, E, Expression, Vector
from shbcore.proof.certificate import Certificate, Proof, Steps, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_at_least, nonnegative, positive
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

r = sp.Symbol("r")
STEP = ADMISSIBLE.also(below_bound(r, 2), defined(rho, r / alpha))
r""":math:`\rho\alpha\in[0,2)`, :math:`\beta\in(0,1]`, :math:`\lambda^{-1}\ge2\rho`."""
HORIZON = Domain(
    *(below_bound(r, 2), positive(alpha_0), at_least(N, 1), between(beta, 0, 1), nonnegative(L2), nonnegative(Delta)),
    *(defined(alpha, alpha_0 / N), defined(nu, beta / alpha), defined(rho, r / alpha)),
    *(inverse_at_least(lam, 2 * rho), defined(xi, constants.xi(beta=beta, nu=nu))),
)
r"""Every :math:`\beta=\nu\alpha\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}` and :math:`\rho\alpha<2` (remarks i
and ii)."""
FREE = Domain(
    *(positive(rho), at_least(N, 1), nonnegative(L2), nonnegative(Delta), defined(alpha_0, 1 / rho)),
    *(defined(alpha, alpha_0 / N), defined(nu, 1 / alpha_0), defined(beta, 1 / N), defined(lam, 1 / (2 * rho))),
    defined(xi, constants.xi(beta=beta, nu=nu)),
)
r"""The parameter-free choice: :math:`\alpha_0=1/\rho=1/\nu`, :math:`\lambda=1/(2\rho)`, every :math:`K\ge0`."""

c = (xi**2 / lam**2 + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)
WEIGHT_D, WEIGHT_F = c / (2 * nu), c * (1 - beta) + xi / lam
GAMMA_PRIME = 1 + c * nu * lam
GAMMA_1_PRIME = 1 + WEIGHT_F
NOISE = GAMMA_PRIME * alpha**2 * L2 / (2 * lam)


def lyapunov_u(bar: Vector, d: Vector, previous: Vector) -> Expression:
    r""":math:`U=F_\lambda(\bar x)+\frac c{2\nu}\|d\|^2+(c(1-\beta)+\frac\xi\lambda)f(x_{k-1})`."""
    value: Expression = F_env(bar) + WEIGHT_D * d**2 + WEIGHT_F * f(previous)
    return value


U, U_NEXT = lyapunov_u(x_bar, d_k, x_prev), lyapunov_u(x_bar_next, d_next, x_k)
U_0, U_1 = lyapunov_u(x_0, Vector({}), x_0), lyapunov_u(x_bar_1, d_1, x_0)


def lengths_grow(noise: Any = 1) -> Certificate:
    r"""Given :math:`\mathcal F_{k-1}`: :math:`\mathrm E\|d_{k+1}\|^2\le(1-\beta)^2\|d_k\|^2+2\beta(1-\beta)\langle
    f'(x_k),d_k\rangle+\beta^2L^2`.

    This is all of Lemma 3: :math:`\|d_{k+1}\|\le\|z_k\|`, expanded."""
    right = (1 - beta) ** 2 * d_k**2 + 2 * beta * (1 - beta) * (f.slope(x_k) @ d_k) + noise * beta**2 * L2
    terms = [1 / alpha**2 * nonexpansive(trial, x_next, (1, x_k)), beta**2 * second_moment(g_k)]
    return Certificate(d_next**2 <= right, terms, PAST, "beyond/start/lengths", domain=STEP)


def falls_given_past(noise: Any = NOISE) -> Certificate:
    r""":math:`\mathrm E[U_{k+1}|\mathcal F_{k-1}]\le U_k-\frac\alpha2\|\nabla F_\lambda(\bar
    x_k)\|^2+\gamma'\frac{\alpha^2L^2}{2\lambda}`,
    :math:`\gamma'=1+c\nu\lambda`, for :math:`k\ge1`, and for :math:`k=0` with :math:`z_0=\beta g_0`."""
    terms = [
        1 * envelope_3_before().hypothesis("the line before evn:3"),
        alpha**2 / (2 * lam) * second_moment(g_k),
        WEIGHT_D * lengths_grow().hypothesis("the lengths"),
        c * (1 - beta) * inner_g().hypothesis("weak convexity"),
    ]
    claim = U_NEXT <= U - alpha / 2 * grad_env**2 + noise
    return Certificate(claim, terms, PAST, "beyond/start/falls", domain=STEP)


def same_weight(share: Any = HALF) -> Certificate:
    r""":math:`\frac c{2\nu}=\frac{c\nu}2\xi^2+c\alpha(1-\frac\beta2)`: the weights of :math:`\|p_k\|^2` and
    :math:`\|d_k\|^2` in one."""
    return sign_of_zero(WEIGHT_D - c * nu / 2 * xi**2 - c * alpha * (1 - share * beta), STEP)


def sign_of_zero(value: Any, domain: Domain) -> Certificate:
    """The certificate that a parameter expression vanishes."""
    from shbcore.proof.algebra import constant
    from shbcore.proof.certificate import identity

    return identity(constant(value), constant(0), domain=domain)


def last_term(weight: Any = GAMMA_1_PRIME) -> Certificate:
    r""":math:`\gamma_1'f^\star\le U_{K+1}`, with :math:`\gamma_1'=1+c(1-\beta)+\xi/\lambda`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        WEIGHT_F * below(x_prev),
        WEIGHT_D * square(d_k),
    ]
    return Certificate(weight * f_star <= U, terms, label="beyond/start/last", domain=STEP)


def first_term(weight: Any = GAMMA_1_PRIME) -> Certificate:
    r""":math:`U_0\le\gamma_1'f(x_0)` with :math:`x_{-1}=x_0`, that is :math:`z_0=\beta g_0`."""
    terms = [1 * envelope_infimum(f, F_env, x_0, x_0)]
    return Certificate(U_0 <= weight * f_0, terms, label="beyond/start/first", domain=STEP)


def bound_u(gap: Any = f_0 - f_star, times: Any = 1) -> Any:
    r""":math:`2(\gamma_1'\Delta+t\gamma'\alpha_0^2L^2/(2\lambda))/(\alpha_0\sqrt{K+1})`."""
    return 2 * (GAMMA_1_PRIME * gap + times * GAMMA_PRIME * alpha_0**2 * L2 / (2 * lam)) / (alpha_0 * N)


def theorem_beta(times: Any = 1) -> Certificate:
    r"""Start :math:`z_0=\beta g_0`: the average over :math:`k=0,\dots,K` of :math:`\mathrm E\|\nabla F_\lambda(\bar
    x_k)\|^2` is at most
    :math:`2(\gamma_1'\Delta+\gamma'\alpha_0^2L^2/(2\lambda))/(\alpha_0\sqrt{K+1})`.  Joined by:
    :func:`falls_given_past`, :math:`k=0..K`."""
    share = 2 / (alpha_0 * N)
    total = telescoped(U_0, E(U), GRADIENTS, weight=alpha / 2, noise=NOISE, steps=N**2, why="k = 0..K")
    terms = [share * total, share * first_term().hypothesis(), share * last_term().hypothesis()]
    return Certificate(GRADIENTS / N**2 <= bound_u(times=times), terms, TRIVIAL, "beyond/start/beta", domain=HORIZON)


def first_step(share: Any = 1) -> Certificate:
    r"""The printed :math:`z_0=g_0`:
    :math:`\mathrm EU_1+\frac1{2\nu}\|\nabla F_\lambda(x_0)\|^2\le\gamma_1'f(x_0)+\gamma'\frac{L^2}{2\lambda\nu^2}`:
    one step of length :math:`1/\nu`."""
    after = (x_0 - alpha * g_0).named(r"x_0-\alpha g_0")
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, x_hat_0),
        1 / (2 * lam * beta**2) * nonexpansive(after, x_1, (1 - beta, x_0), (beta, x_hat_0)),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * envelope_infimum(f, F_env, x_0, x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        WEIGHT_D / alpha**2 * nonexpansive(after, x_1, (1, x_0)),
        GAMMA_PRIME / (2 * lam * nu**2) * second_moment(g_0),
    ]
    right = GAMMA_1_PRIME * f_0 + share * GAMMA_PRIME * L2 / (2 * lam * nu**2)
    return Certificate(U_1 + GRADIENT_0**2 / (2 * nu) <= right, terms, TRIVIAL, "beyond/start/first-step", domain=STEP)


def theorem_printed(times: Any = 1 - 1 / N**2 + 1 / (nu * alpha_0) ** 2) -> Certificate:
    r"""Start :math:`z_0=g_0` as printed, any :math:`\nu`:
    :math:`\gamma_1'\Delta+(1-\frac1{K+1}+\frac1{(\nu\alpha_0)^2})\gamma'\alpha_0^2L^2/(2\lambda)`
    in the numerator; with :math:`\nu=1/\alpha_0` the factor is :math:`2-\beta^2`.  Joined by:
    :func:`falls_given_past`, :math:`k=1..K`."""
    share = 2 / (alpha_0 * N)
    total = telescoped(E(U_1), E(U), GRADIENTS_FROM_1, weight=alpha / 2, noise=NOISE, steps=N**2 - 1, why="k = 1..K")
    terms = [
        share * total,
        share * first_step().hypothesis("the first step"),
        share * last_term().hypothesis(),
        share * (1 / nu - alpha) / 2 * square(GRADIENT_0),
    ]
    claim = (GRADIENTS_FROM_1 + GRADIENT_0**2) / N**2 <= bound_u(times=times)
    return Certificate(claim, terms, TRIVIAL, "beyond/start/printed", domain=HORIZON)


def ten_and_four(four: Any = 4) -> Certificate:
    r""":math:`z_0=\beta g_0`, :math:`\alpha_0=1/\rho`: the bound is at most :math:`(10\rho\Delta+4L^2)/\sqrt{K+1}`,
    every :math:`K\ge0`."""
    room = (10 * rho * Delta + four * L2) / N - bound_u(gap=Delta)
    return sign(room, "beyond/start/ten-four", domain=FREE)


def ten_and_eight(eight: Any = 8) -> Certificate:
    r"""Printed start, :math:`\alpha_0=1/\rho`: at most
    :math:`(10\rho\Delta+8L^2)/\sqrt{K+1}\le10(\rho\Delta+L^2)/\sqrt{K+1}`, every :math:`K\ge0`."""
    room = (10 * rho * Delta + eight * L2) / N - bound_u(gap=Delta, times=2 - beta**2)
    return sign(room, "beyond/start/ten-eight", domain=FREE)


HALF_STEP = FREE.also(defined(alpha_0, 1 / (2 * rho)))
r"""Half the stepsize, :math:`\alpha_0=\frac1{2\rho}=\frac1\nu`, :math:`\lambda=\frac1{2\rho}`, every :math:`K\ge0`."""


def half_step(noise: Any = sp.Rational(3, 2)) -> Certificate:
    r"""With :math:`\alpha_0=\frac1{2\rho}`: :math:`(10\rho\Delta+\frac32L^2)/\sqrt{K+1}` for :math:`z_0=\beta g_0`,
    every :math:`K\ge0`."""
    room = (10 * rho * Delta + noise * L2) / N - bound_u(gap=Delta)
    return sign(room, "beyond/start/half-step", domain=HALF_STEP)


def half_step_printed(noise: Any = 3) -> Certificate:
    r"""With :math:`\alpha_0=\frac1{2\rho}`: :math:`(10\rho\Delta+3L^2)/\sqrt{K+1}` for the printed start, every
    :math:`K\ge0`."""
    room = (10 * rho * Delta + noise * L2) / N - bound_u(gap=Delta, times=2 - beta**2)
    return sign(room, "beyond/start/half-step", domain=HALF_STEP)


def free_inside(bound: Any = 2) -> Steps:
    r"""The parameter-free choice lies in the range: :math:`\rho\alpha<2`, :math:`\beta\le1`,
    :math:`\lambda^{-1}\ge2\rho`."""
    return Steps([sign(room, domain=FREE) for room in (bound - rho * alpha, 1 - beta, 1 / lam - 2 * rho)])


def summed_steps(noise: Any = NOISE) -> Steps:
    r"""The step that is added up holds on every range on which it is."""
    return Steps([moved(falls_given_past(noise), domain) for domain in (HORIZON, FREE, HALF_STEP)])


def proofs() -> dict[str, list[Proof]]:
    """The chain, in order."""
    less = TENTH
    return {
        "beyond/start/lengths": [proof_of("given F_{k-1}", lengths_grow, "nine tenths of the noise", noise=less)],
        "beyond/start/weight": [proof_of("identity", same_weight, "nine tenths of beta/2", share=HALF * less)],
        "beyond/start/falls": [
            proof_of("given F_{k-1}", falls_given_past, "nine tenths of the noise", noise=less * NOISE)
        ],
        "beyond/start/last": [
            proof_of("U_{K+1}", last_term, "eleven tenths of gamma_1'", weight=sp.Rational(11, 10) * GAMMA_1_PRIME)
        ],
        "beyond/start/first": [proof_of("U_0", first_term, "nine tenths", weight=less * GAMMA_1_PRIME)],
        "beyond/start/summed": [
            proof_of("the step on the ranges", summed_steps, "nine tenths of the noise", noise=less * NOISE)
        ],
        "beyond/start/beta": [proof_of("z_0 = beta g_0", theorem_beta, "nine tenths of the noise", times=less)],
        "beyond/start/first-step": [proof_of("z_0 = g_0", first_step, "nine tenths of the noise", share=less)],
        "beyond/start/printed": [
            proof_of(
                "z_0 = g_0, as printed",
                theorem_printed,
                "nine tenths of the noise",
                times=less * (1 - 1 / N**2 + 1 / (nu * alpha_0) ** 2),
            )
        ],
        "beyond/start/ten-four": [proof_of("sign, N >= 1", ten_and_four, "3.9 for 4", four=sp.Rational(39, 10))],
        "beyond/start/ten-eight": [proof_of("sign, N >= 1", ten_and_eight, "7.9 for 8", eight=sp.Rational(79, 10))],
        "beyond/start/half-step": [
            proof_of("alpha_0 = 1/(2 rho)", half_step, "7/5 for 3/2", noise=sp.Rational(7, 5)),
            proof_of("printed start", half_step_printed, "2.8 for 3", noise=sp.Rational(14, 5)),
        ],
        "beyond/start/range": [proof_of("inside the range", free_inside, "rho alpha < 9/10", bound=TENTH)],
    }


PROOFS = proofs()

if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
