r"""Appendix A line by line: Lemma 3 as certificates, symbolic in all parameters.

Each function is one display of the paper; its arguments are the constants in it, so that a negative control can change
one.  What the paper states conditionally but holds only in total expectation is certified in total expectation, beside
its conditional forms; the strongest of these is :func:`lemma_3_family`.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, Expression, Vector, constant, pull_out, recondition, vector
from shbcore.proof.certificate import Certificate, Proof, Steps, identity, proof_of, refused
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import between, positive
from shbcore.proof.step import *

HALF, NINE, ELEVEN = sp.Rational(1, 2), sp.Rational(9, 10), sp.Rational(11, 10)
NOISE = constants.lemma_3_noise(weak_convexity=rho, beta=beta, nu=nu)
t, theta = sp.symbols("t theta")
SEGMENT = ADMISSIBLE.also(between(t, 0, 1))
FAMILY = ADMISSIBLE.also(positive(theta))
x = vector("x")


def compact(shift: Any = HALF) -> Certificate:
    r"""The step as a projection: the two objectives differ by :math:`\frac\alpha2\|z_k\|^2`, which does not depend
    on :math:`x`."""
    right = z_k @ (x - x_k) + (x - x_k) ** 2 / (2 * alpha) + shift * alpha * z_k**2
    return identity((x - trial) ** 2 / (2 * alpha), right)


def momentum(power: int = 2) -> Certificate:
    r""":math:`\frac12\|\frac{1-\beta}\beta(x_{k+1}-x_k)\|^2=\frac1{2\beta^2}\|x_{k+1}-((1-\beta)x_k+\beta
    x_{k+1})\|^2`."""
    return identity(p_next**2 / 2, (x_next - (1 - beta) * x_k - beta * x_next) ** 2 / (2 * beta**power))


def norm(scale: Any = 1) -> Certificate:
    r"""``eq:proof:lem:1:norm``: nonexpansiveness at :math:`(1-\beta)x_k+\beta x_{k+1}\in X`."""
    right = scale * (x_bar - alpha * g_k - x_next) ** 2 / 2
    terms = [1 / (2 * beta**2) * nonexpansive(trial, x_next, (1 - beta, x_k), (beta, x_next))]
    return Certificate(p_next**2 / 2 <= right, terms, label="eq:proof:lem:1:norm")


def norm_decomposed(noise: Any = HALF) -> Certificate:
    """``eq:proof:lem:1:norm:decomp``."""
    right = (
        p_k**2 / 2
        + (1 - beta) * alpha / beta * (g_k @ (x_prev - x_k))
        + (1 - beta) / beta * ((x_k - x_prev) @ (x_k - x_next))
        + alpha * (g_k @ (x_next - x_k))
        + (x_next - x_k) ** 2 / 2
        + noise * alpha**2 * g_k**2
    )
    return identity((x_bar - alpha * g_k - x_next) ** 2 / 2, right)


def norm_2(noise: Any = HALF) -> Certificate:
    r"""``eq:proof:lem:1:norm:2``: the two lines before, times :math:`\nu`."""
    right = (
        nu / 2 * p_k**2
        + (1 - beta) * (g_k @ (x_prev - x_k))
        + z_k @ (x_next - x_k)
        + nu / 2 * (x_next - x_k) ** 2
        + noise * nu * alpha**2 * g_k**2
    )
    return Certificate(nu / 2 * p_next**2 <= right, [nu * norm().hypothesis()], label="eq:proof:lem:1:norm:2")


def inner_g(bend: Any = HALF, label: str = "proof:lem:1:inp:g:xdiff") -> Certificate:
    r"""``proof:lem:1:inp:g:xdiff`` and ``eq:proof:thrm:1:inp:2``, given :math:`\mathcal F_{k-1}`."""
    left = pull_out(x_prev - x_k, g_k, -1)
    right = f(x_prev) - f(x_k) + bend * rho * (x_k - x_prev) ** 2
    return Certificate(left <= right, [1 * weak_convexity(f, x_k, x_prev)], -1, label)


def optimality(share: Any = HALF) -> Certificate:
    r"""``eq:x:opt:cond``: the minimiser against the point :math:`x_{k+1}+t(x-x_{k+1})\in X`, for every
    :math:`t\in(0,1]`; then :math:`t\to0`."""
    point = x_next + t * (x - x_next)

    def objective(u: Vector) -> Expression:
        value: Expression = alpha * (z_k @ u) + (u - x_k) ** 2 / 2
        return value

    least = given(
        "x_{k+1} minimises", objective(x_next) <= objective(point), "", "alg:iters:def:a", "definition of the step"
    )
    right = (x_next - x_k + alpha * z_k) @ (x - x_next) + share * t * (x - x_next) ** 2
    return Certificate(0 <= right, [1 / t * least], label="eq:x:opt:cond", domain=SEGMENT)


def step_length(share: Any = 1) -> Certificate:
    """``eq:x:opt:cond:x_next:new``."""
    terms = [1 / alpha * projection(trial, x_next, (1, x_k))]
    return Certificate(
        z_k @ (x_next - x_k) <= -share / alpha * (x_next - x_k) ** 2, terms, label="eq:x:opt:cond:x_next:new"
    )


def norm_bounded(share: Any = HALF) -> Certificate:
    r"""``eq:proof:lem:1:norm:bounded``, given :math:`\mathcal F_{k-1}`."""
    right = (
        (1 - beta) * f(x_prev)
        + nu / 2 * p_k**2
        - (1 / alpha - share * nu) * (x_next - x_k) ** 2
        + (1 - beta) * rho / 2 * (x_k - x_prev) ** 2
        + nu * alpha**2 / 2 * g_k**2
    )
    terms = [1 * norm_2().hypothesis(), (1 - beta) * inner_g().hypothesis(), 1 * step_length().hypothesis()]
    return Certificate((1 - beta) * f(x_k) + nu / 2 * p_next**2 <= right, terms, -1, "eq:proof:lem:1:norm:bounded")


def z_base(bound: Any = L2) -> Steps:
    r"""``eq:znorm/base`` for both starts: :math:`\mathrm E\|g_0\|^2\le L^2`, hence :math:`\mathrm E\|\beta
    g_0\|^2\le L^2`."""
    printed = Certificate(g_k**2 <= bound, [1 * second_moment(g_k)], TRIVIAL)
    terms = [beta**2 * second_moment(g_k), 1 * number((1 - beta**2) * L2)]
    return Steps([printed, Certificate((beta * g_k) ** 2 <= bound, terms, TRIVIAL)])


def z_norm_given(share: Any = 1) -> Certificate:
    r"""``eq:znorm`` as far as it is true given :math:`\mathcal F_k`: :math:`\mathrm E[\|z_{k+1}\|^2|\mathcal
    F_k]\le\beta L^2+(1-\beta)\|z_k\|^2`."""
    terms = [
        1 * square_convexity(g_next, d_next, beta).at("eq:znorm"),
        beta * second_moment(g_next),
        (1 - beta) / alpha**2 * nonexpansive(trial, x_next, (1, x_k)).at("eq:znorm"),
    ]
    return Certificate(z_next**2 <= share * beta * L2 + (1 - beta) * z_k**2, terms, 0, "eq:znorm")


def z_norm(bound: Any = L2) -> Certificate:
    r"""``eq:znorm`` in total expectation, the step of the induction: from :math:`\mathrm E\|z_k\|^2\le L^2` to
    :math:`\mathrm E\|z_{k+1}\|^2\le L^2`."""
    terms = [
        1 * z_norm_given().hypothesis(),
        (1 - beta) * bounded(z_k, L2, total=True).at("eq:znorm", "the induction hypothesis"),
    ]
    return Certificate(z_next**2 <= bound, terms, TRIVIAL, "eq:znorm")


def x_diff(bound: Any = L2) -> Steps:
    r"""``eq:xdiff:norm:L`` in total expectation; the first of its two inequalities holds for every outcome."""
    first = Certificate((x_next - x_k) ** 2 <= alpha**2 * z_k**2, [1 * nonexpansive(trial, x_next, (1, x_k))])
    terms = [1 * first.hypothesis(), alpha**2 * bounded(z_k, L2, total=True).at("eq:znorm")]
    return Steps([first, Certificate((x_next - x_k) ** 2 <= alpha**2 * bound, terms, TRIVIAL, "eq:xdiff:norm:L")])


LEFT_3 = (1 - beta) * f(x_k) + nu / 2 * p_next**2
RIGHT_3 = (1 - beta) * f(x_prev) + nu / 2 * p_k**2 - alpha * d_next**2


def lemma_3(noise: Any = NOISE) -> Certificate:
    r"""Lemma 3 in total expectation."""
    terms = [
        1 * norm_bounded().hypothesis(),
        alpha**2 * nu / 2 * second_moment(g_k),
        alpha**2 * rho * (1 - beta) / 2 * bounded(d_k, L2, total=True).at("eq:xdiff:norm:L"),
        alpha**2 * nu / 2 * bounded(d_next, L2, total=True).at("eq:xdiff:norm:L"),
    ]
    return Certificate(LEFT_3 <= RIGHT_3 + alpha**2 * noise * L2, terms, TRIVIAL, "lem:xdiff:non-smooth")


def lemma_3_given(share: Any = HALF) -> Certificate:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}`: :math:`\|d_k\|^2`, known there, stays on the right.  The member
    :math:`\theta=1` of :func:`lemma_3_family`, and the simplest."""
    noise = share * nu * alpha**2 * (1 + beta) * L2
    right = RIGHT_3 + alpha**2 * (1 - beta) * (rho + nu) / 2 * d_k**2 + noise
    terms = [
        1 * norm_bounded().hypothesis(),
        nu / 2 * nonexpansive(trial, x_next, (1, x_k)).at("eq:xdiff:norm:L"),
        nu * alpha**2 / 2 * square_convexity(g_k, d_k, beta),
        nu * alpha**2 * (1 + beta) / 2 * second_moment(g_k),
    ]
    return Certificate(LEFT_3 <= right, terms, -1, "lem:xdiff:non-smooth")


def lemma_3_family(share: Any = 1) -> Certificate:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}` for every :math:`\theta>0`, with the noise of
    :func:`shbcore.model.constants.lemma_3_noise_given`; its least member over :math:`\theta` (:func:`least_theta`) is

    .. math:: \frac{\rho(1-\beta)\alpha^2}2\|d_k\|^2+\frac{\nu\alpha^2}2\bigl(L^2+(\beta L+(1-\beta)\|d_k\|)^2\bigr),

    the strongest form: :math:`f(x)=x` attains it."""
    noise = constants.lemma_3_noise_given(weak_convexity=rho, beta=beta, nu=nu, L2=share * L2, d2=d_k**2, theta=theta)
    terms = [
        1 * norm_bounded().hypothesis(),
        nu / 2 * nonexpansive(trial, x_next, (1, x_k)).at("eq:xdiff:norm:L"),
        nu * alpha**2 * beta * (1 - beta) * young(g_k, d_k, 1 / theta),
        nu * alpha**2 / 2 * (1 + beta**2 + beta * (1 - beta) * theta) * second_moment(g_k),
    ]
    return Certificate(LEFT_3 <= RIGHT_3 + alpha**2 * noise, terms, -1, "lem:xdiff:non-smooth", domain=FAMILY)


def least_theta(factor: Any = 1) -> Certificate:
    r"""With :math:`\ell=L` and :math:`\delta=\|d_k\|` the member :math:`\theta` of the family exceeds
    :math:`(\beta\ell+(1-\beta)\delta)^2` by :math:`\beta(1-\beta)(\theta\ell-\delta)^2/\theta`: by nothing at
    :math:`\theta=\delta/\ell`."""
    ell, delta = sp.symbols("ell delta")
    member = beta * (beta + (1 - beta) * theta) * ell**2 + (1 - beta) * (1 - beta + beta / theta) * delta**2
    more = factor * beta * (1 - beta) * (theta * ell - delta) ** 2 / theta
    return identity(constant(member), constant((beta * ell + (1 - beta) * delta) ** 2 + more), domain=FAMILY)


def lemma_3_sure(noise: Any = NOISE) -> Certificate:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}` as printed, if :math:`\|f'(x,S)\|\le L` almost surely."""
    terms = [1 * norm_bounded().hypothesis(), *(nu * alpha**2 / 2 * bounded(v, L2) for v in (g_k, d_next))]
    terms.append(alpha**2 * rho * (1 - beta) / 2 * bounded(d_k, L2))
    return Certificate(LEFT_3 <= RIGHT_3 + alpha**2 * noise * L2, terms, -1, "lem:xdiff:non-smooth")


def z_norm_sure(bound: Any = L2) -> Certificate:
    r"""The induction behind :func:`lemma_3_sure`: :math:`\|z_{k+1}\|\le L` almost surely."""
    terms = [
        1 * square_convexity(g_next, d_next, beta),
        beta * bounded(g_next, L2),
        (1 - beta) / alpha**2 * nonexpansive(trial, x_next, (1, x_k)),
        (1 - beta) * bounded(z_k, L2),
    ]
    return Certificate(z_next**2 <= bound, terms, label="eq:znorm")


_Z = refused(
    "step (b) treats |z_k|^2 as known at F_{k-1}",
    lambda: recondition(z_k**2, 0, -1),
    lambda: recondition(d_k**2, 0, -1),
    "|d_k|^2",
)
_D = refused(
    "|x_k - x_{k-1}|^2 is not known at F_{k-2}",
    lambda: recondition((x_k - x_prev) ** 2, -1, -2),
    lambda: recondition((x_k - x_prev) ** 2, 0, -1),
    "the same at F_{k-1}",
)
_L3 = [
    proof_of("Lemma 3 in total expectation", lemma_3, "nine tenths of the noise constant", noise=NOISE * NINE),
    proof_of("given F_{k-1}, for every theta > 0", lemma_3_family, "nine tenths of L^2", share=NINE),
    proof_of("its least member is the strongest form", least_theta, "twice the excess", factor=2),
    proof_of("its member theta = 1", lemma_3_given, "nine tenths of the noise", share=HALF * NINE),
    proof_of(
        "given F_{k-1} as printed, for almost surely bounded subgradients",
        lemma_3_sure,
        "nine tenths",
        noise=NOISE * NINE,
    ),
]

PROOFS: dict[str, list[Proof]] = {
    "appendix:proof:lem:xdiff:non-smooth/compact": [
        proof_of("the step is a projection", compact, "alpha |z|^2 for half of it", shift=1)
    ],
    "appendix:proof:lem:xdiff:non-smooth/p": [proof_of("identity", momentum, "beta for beta^2", power=1)],
    "eq:proof:lem:1:norm": [proof_of("nonexpansiveness", norm, "nine tenths of the right side", scale=NINE)],
    "eq:proof:lem:1:norm:decomp": [proof_of("identity", norm_decomposed, "alpha^2 |g|^2 for half of it", noise=1)],
    "eq:proof:lem:1:norm:2": [proof_of("from the lines before", norm_2, "nine tenths of the noise", noise=HALF * NINE)],
    "proof:lem:1:inp:g:xdiff": [
        proof_of("weak convexity, given F_{k-1}", inner_g, "nine tenths of rho", bend=HALF * NINE)
    ],
    "eq:x:opt:cond": [
        proof_of("optimality along a segment", optimality, "nine tenths of the remainder", share=HALF * NINE)
    ],
    "eq:x:opt:cond:x_next:new": [
        proof_of("optimality at x_k", step_length, "eleven tenths of the descent", share=ELEVEN)
    ],
    "eq:proof:lem:1:norm:bounded": [proof_of("given F_{k-1}", norm_bounded, "nine tenths of nu/2", share=HALF * NINE)],
    "eq:znorm/base": [proof_of("base, both starts", z_base, "nine tenths of L^2", bound=L2 * NINE)],
    "eq:znorm": [
        proof_of("induction step in total expectation", z_norm, "nine tenths of L^2", bound=L2 * NINE),
        proof_of("given F_k, with |z_k|^2 on the right", z_norm_given, "nine tenths of beta L^2", share=NINE),
        proof_of(
            "almost surely, for almost surely bounded subgradients",
            z_norm_sure,
            "nine tenths of L^2",
            bound=L2 * NINE,
        ),
        _Z,
    ],
    "eq:xdiff:norm:L": [proof_of("total expectation", x_diff, "nine tenths of L^2", bound=L2 * NINE), _D],
    "eq:proof:lem:1:norm:final": _L3,
    "lem:xdiff:non-smooth": _L3,
    "eq:lem:xdiff:non-smooth": _L3,
}
