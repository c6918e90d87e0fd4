"""The formulas of the constants, each against its display in the paper, typed a second time; exact, for all parameters."""

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import pytest
import sympy as sp

from shbcore.model import constants as c

rho, lam, alpha, beta, nu, gap, L2, s2, d2, theta, a0, N = sp.symbols(
    "rho lambda alpha beta nu D L2 s2 d2 theta a0 N", positive=True
)
g, g1, extra = sp.symbols("g g1 J", positive=True)
xi = (1 - beta) / nu
LEMMA_3 = rho * (1 - beta) / 2 + nu
GAMMA = xi**2 * LEMMA_3 / lam + rho * xi + 1
C3 = (2 / lam) / (2 / lam - 3 * rho)
step: dict[str, Any] = {"beta": beta, "nu": nu}
run: dict[str, Any] = {"gap": gap, "alpha_0": a0, "root": N}
bound: dict[str, Any] = {**run, "L2": L2, "envelope": lam, "gamma": g, "gamma_1": g1}
three: dict[str, Any] = {**run, "sigma2": s2, "weak_convexity": rho, "envelope": lam}

FORMULAS: list[tuple[Callable[..., Any], dict[str, Any], Any]] = [
    (c.xi, step, xi),
    (c.lemma_3_noise, {**step, "weak_convexity": rho}, LEMMA_3),
    (
        c.lemma_3_noise_given,
        {**step, "weak_convexity": rho, "L2": L2, "d2": d2, "theta": theta},
        rho * (1 - beta) * d2 / 2
        + nu * (L2 + beta * (beta + (1 - beta) * theta) * L2 + (1 - beta) * (1 - beta + beta / theta) * d2) / 2,
    ),
    (c.gamma, {**step, "weak_convexity": rho, "envelope": lam}, GAMMA),
    (c.gamma_printed, {**step, "weak_convexity": rho, "envelope": lam}, xi**2 * LEMMA_3 / lam + rho * xi / 2 + 1),
    (c.gamma_1, {**step, "envelope": lam}, 1 + (1 - beta) * xi**2 / (2 * lam**2) + xi / lam),
    (c.gamma_bound, {"weak_convexity": rho, "alpha_0": a0}, rho**2 * a0**2 + 3 * rho * a0 + 1),
    (c.gamma_1_bound, {"weak_convexity": rho, "alpha_0": a0}, 2 * rho**2 * a0**2 + 2 * rho * a0 + 1),
    (c.W_noise, {"weak_convexity": rho, "alpha": alpha, "beta": beta}, 1 + beta + beta * rho * alpha),
    (c.theorem_1_bound, bound, 2 * (g1 * gap + g * L2 * a0**2 / (2 * lam)) / (a0 * N)),
    (c.theorem_1_bound_printed, bound, 2 * (g1 * gap + g * L2 / (2 * lam)) / (a0 * N)),
    (
        c.theorem_1_bound_start,
        {**bound, "excess": extra},
        2 * (g1 * gap + (extra + g * a0**2 / (2 * lam)) * L2) / (a0 * N),
    ),
    (c.c_theorem_3, {"weak_convexity": rho, "envelope": lam}, C3),
    (
        c.theorem_3_bound,
        three,
        C3 * ((1 + 2 * a0**2 / lam**2) * gap + (1 + 8 * a0 / lam) * s2 * a0**2 / (2 * lam)) / (a0 * N),
    ),
    (
        c.theorem_3_bound,
        {**three, "factor": 2},
        C3 * ((1 + 2 * a0**2 / lam**2) * gap + (1 + 2 * a0 / lam) * s2 * a0**2 / (2 * lam)) / (a0 * N),
    ),
    (
        c.start_excess,
        {**step, "envelope": lam, "alpha": alpha},
        1 / (2 * lam * nu**2) + nu * xi**4 / (4 * lam**2) + alpha * xi**2 / (2 * lam**2),
    ),
    (
        c.start_excess_3,
        {**step, "weak_convexity": rho, "envelope": lam, "alpha": alpha},
        1 / (2 * lam * nu**2)
        + xi**2 / lam**2 * (rho * alpha**2 + (1 - beta + 2 * beta * rho**2 * alpha**2) / (2 * nu) + xi / 2 + alpha),
    ),
    (
        c.d_bound,
        {**step, **run, "L2": L2, "weak_convexity": rho},
        ((1 - beta) * gap + a0**2 * LEMMA_3 * L2) / (a0 * N),
    ),
]
EXACT = {
    symbol: sp.Rational(2 * i + 1, i + 3)
    for i, symbol in enumerate((rho, lam, alpha, beta, nu, gap, L2, s2, d2, theta, a0, N, g, g1, extra))
}
EXACT |= {beta: sp.Rational(1, 3), rho: sp.Rational(1, 4), lam: sp.Rational(2, 3)}


@pytest.mark.parametrize("function", dict.fromkeys(one for one, _, _ in FORMULAS), ids=lambda one: one.__name__)
def test_no_letter_of_a_formula_may_be_nan(function: Callable[..., Any]) -> None:
    arguments = {name: one for other, letters, _ in FORMULAS if other is function for name, one in letters.items()}
    for name in arguments:
        with pytest.raises(ValueError, match=rf"{name} = nan must be finite"):
            function(**{**arguments, name: float("nan")})


@pytest.mark.parametrize(("function", "arguments", "formula"), FORMULAS, ids=lambda one: getattr(one, "__name__", ""))
def test_a_constant_is_the_papers(function: Callable[..., Any], arguments: dict[str, Any], formula: Any) -> None:
    assert sp.cancel(sp.together(function(**arguments) - formula)) == 0
    numbers = {name: Q(str(EXACT[value])) if value in EXACT else value for name, value in arguments.items()}
    expected = Q(str(sp.Rational(formula.xreplace(EXACT))))
    assert function(**numbers) == expected
    floats = {name: float(value) for name, value in numbers.items()}
    assert function(**floats) == pytest.approx(float(expected), rel=1e-12)


def test_the_weights_are_the_papers() -> None:
    weights = c.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu)
    wanted = (nu * xi**2 / (4 * lam**2), alpha * xi**2 / (2 * lam**2), (1 - beta) * xi**2 / (2 * lam**2) + xi / lam)
    assert [sp.cancel(one - two) for one, two in zip(weights, wanted, strict=True)] == [0, 0, 0]
    assert (weights.p, weights.d, weights.f) == tuple(weights)
    own = c.W_weights(alpha=alpha, beta=beta, nu=nu)
    assert [sp.cancel(one - two) for one, two in zip(own, (2, 1 / (nu * alpha**2), xi / 2), strict=True)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("envelope", "allowed"), [(Q(19, 30), True), (Q(2, 3), False), (Q(7, 10), False), (0.66, True), (0.67, False)]
)
def test_c_of_theorem_3_ends_at_two_thirds(envelope: Any, allowed: bool) -> None:
    if allowed:
        assert c.c_theorem_3(weak_convexity=1, envelope=envelope) > 0
    else:
        with pytest.raises(ValueError, match="3 rho/2"):
            c.c_theorem_3(weak_convexity=1, envelope=envelope)
