r"""A Lyapunov function that falls given the past, and Theorem 1 for the start as printed.

.. math:: U_k=F_\lambda(\bar x_k)+\frac{c}{2\nu}\|d_k\|^2+\Bigl(c(1-\beta)+\frac\xi\lambda\Bigr)f(x_{k-1}).

The constant :math:`c` is chosen so that :math:`\|d_k\|^2`, which the past knows, cancels; for this :math:`\rho\alpha<2` is needed.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_a import ORACLE, inner_g
from shbcore.claims.appendix_b import envelope_3_before
from shbcore.claims.theorem_1_proof import (
    BELOW,
    DELTA,
    MEASURE,
    PARAMETER_FREE,
    SETTING,
    SHARE,
    THEOREM_1,
    alpha_0,
    at_ten,
    from_root,
    grad_0,
    x_0,
)

c, gamma_u, gamma_1_u = sp.symbols(r"c {\gamma'} {\gamma_1'}")
_CONSTANTS = (
    defined(c, (xi**2 / lam**2 + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)),
    defined(gamma_u, 1 + c * nu * lam),
    defined(gamma_1_u, 1 + c * (1 - beta) + xi / lam),
)
FALLS = ADMISSIBLE.also(Range(nu, beta * rho / 2, strict=True), *_CONSTANTS)
r""":math:`\rho\alpha<2`, which is :math:`\nu>\beta\rho/2`."""
SHORT_STEPS = THEOREM_1.also(inverse_above(alpha_0, rho / 2), *_CONSTANTS)
r"""Theorem 1 with :math:`\alpha_0<2/\rho`."""
FREE = PARAMETER_FREE.also(*_CONSTANTS)

WEIGHT_D, WEIGHT_F = c / (2 * nu), c * (1 - beta) + xi / lam
U_k = Named("U_k", F_env(x_bar) + WEIGHT_D * d_k**2 + WEIGHT_F * f(x_prev), "", 0)
NOISE_U = gamma_u * alpha**2 * L2 / (2 * lam)


@cache
def lengths_grow(share: Any = 1) -> Line:
    r"""All that is used of Lemma 3: :math:`\|d_{k+1}\|\le\|z_k\|`, expanded."""
    right = (1 - beta) ** 2 * d_k**2 + 2 * beta * (1 - beta) * (f.slope(x_k) @ d_k) + share * beta**2 * L2
    terms = [1 / alpha**2 * nonexpansive(x_next, trial, x_k), beta**2 * second_moment(g_k)]
    return line(d_next**2 <= right, terms, PAST, assumes=(on.A1, on.A2), scope=Scope.STEP)


@cache
def falls_given_past(share: Any = 1) -> Line:
    r""":math:`U_k` falls given :math:`\mathcal F_{k-1}`."""
    terms = [
        1 * envelope_3_before(),
        alpha**2 / (2 * lam) * second_moment(g_k),
        WEIGHT_D * lengths_grow(),
        c * (1 - beta) * inner_g(),
    ]
    claim = shifted(U_k) <= U_k - alpha / 2 * grad_env**2 + share * NOISE_U
    return line(claim, terms, PAST, domain=FALLS, assumes=ORACLE, scope=Scope.STEP)


@cache
def lower_u(weight: Any = 1) -> Line:
    r"""The last term."""
    rest = [WEIGHT_F * infimum(f, x_prev), WEIGHT_D * square(d_k)]
    return above_the_infimum(U_k >= weight * gamma_1_u * f_star, f, F_env, x_hat, rest, domain=FALLS, assumes=BELOW)


@cache
def upper_u(weight: Any = 1) -> Line:
    r"""The first term, with :math:`x_{-1}=x_0`."""
    terms = [1 * envelope_infimum(F_env, bar(0, first=True), x_0)]
    claim = at_start(U_k) <= weight * gamma_1_u * f(x_0)
    return line(claim, terms, domain=FALLS, assumes=(on.WEAKLY_CONVEX,), scope=Scope.FIRST_ANY)


def _sum(first: int) -> Summation:
    return Summation(falls_given_past(), potential=U_k, measure=MEASURE, weight=alpha / 2, noise=NOISE_U, first=first)


def bound_u(times: Any) -> Node:
    r"""The right side of Theorem 1 with the constants of :math:`U_k`, the noise times a factor."""
    right: Node = SHARE * (gamma_1_u * DELTA + times * gamma_u * alpha_0**2 * L2 / (2 * lam))
    return right


@cache
def theorem_u(times: Any = 1, domain: Domain = SHORT_STEPS) -> Line:
    r"""With :math:`z_0=\beta g_0`."""
    terms = [1 / N**2 * uniform(MEASURE), SHARE * _sum(0), SHARE * upper_u(), SHARE * lower_u()]
    return line(RandomIndex(MEASURE) <= bound_u(times), terms, TOTAL, domain=domain, assumes=SETTING, scope=Scope.RUN)


@cache
def first_step_u(share: Any = 1) -> Line:
    r"""The printed start: the first step costs as much as a step of length :math:`1/\nu`."""
    x_1, x_hat_0, after = x(1, first=True), prox(0, first=True), trial_at(z_printed, 0, first=True)
    terms = [
        1 * envelope_infimum(F_env, bar(1, first=True), x_hat_0),
        1 / (2 * lam * beta**2) * nonexpansive(x_1, after, (1 - beta) * x_0 + beta * x_hat_0),
        -1 * envelope_attained(F_env, x_hat_0),
        1 * envelope_infimum(F_env, bar(0, first=True), x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        WEIGHT_D / alpha**2 * nonexpansive(x_1, after, x_0),
        gamma_u / (2 * lam * nu**2) * second_moment(sample(0, first=True)),
    ]
    right = gamma_1_u * f(x_0) + share * gamma_u * L2 / (2 * lam * nu**2)
    claim = at_start(shifted(U_k)) + 1 / (2 * nu) * grad_0**2 <= right
    return line(claim, terms, TOTAL, domain=FALLS, assumes=ORACLE, scope=Scope.FIRST)


@cache
def theorem_u_printed(share: Any = 1, domain: Domain = SHORT_STEPS, noise: Any = 2 - beta**2) -> Line:
    r"""With the printed start: the first step counts :math:`\beta^{-2}` times, here :math:`\beta=1/\sqrt{K+1}`."""
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * first_term(MEASURE),
        SHARE * _sum(1),
        SHARE * first_step_u(),
        SHARE * lower_u(),
        SHARE * (1 / nu - alpha) / 2 * square(grad_0),
    ]
    claim = RandomIndex(MEASURE) <= bound_u(share * noise)
    return line(claim, terms, TOTAL, domain=domain, assumes=SETTING, scope=Scope.RUN_PRINTED)


def from_theorem_u(noise: Any, relation: Any, domain: Domain, *, printed: bool = False) -> Line:
    r"""A display without parameters from the bound for either start: 10 and ``noise`` are large enough."""
    theorem, scope, times = theorem_u, Scope.RUN, 1
    if printed:
        theorem, scope, times = theorem_u_printed, Scope.RUN_PRINTED, 2 - beta**2
    terms = [
        1 * theorem(domain=domain),
        (10 * rho / N - SHARE * gamma_1_u) * infimum(f, x_0),
        1 * number((noise / N - SHARE * times * gamma_u * alpha_0**2 / (2 * lam)) * L2),
    ]
    return line(relation, terms, TOTAL, domain=domain, assumes=SETTING, scope=scope)


@cache
def ten_and_four(gap: Any = 10, noise: Any = 4, least: Any = 1) -> Line:
    r"""At :math:`\alpha_0=1/\rho` with :math:`z_0=\beta g_0`."""
    relation = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + noise * L2)
    return from_theorem_u(4, relation, from_root(least, FREE))


@cache
def ten_and_eight(gap: Any = 10, noise: Any = 8, least: Any = 1) -> Line:
    r"""At :math:`\alpha_0=1/\rho` with the printed start."""
    relation = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + noise * L2)
    return from_theorem_u(8, relation, from_root(least, FREE), printed=True)


@cache
def ten_printed(gap: Any = 1, least: Any = 1) -> Line:
    r"""The second display of Theorem 1, with the start as printed."""
    return from_theorem_u(10, at_ten(gap, 1), from_root(least, FREE), printed=True)
