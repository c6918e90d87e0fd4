"""Lyapunov functions are found again from their templates, and what is found is what the book has; no template proves too much."""

from dataclasses import replace
from fractions import Fraction as Q
from itertools import product
from typing import Any

import pytest
import sympy as sp

from shbcore.claims import appendix_b, templates
from shbcore.claims.beyond import energy as book
from shbcore.claims.printed_start import FALLS, NOISE_U, U_k
from shbcore.claims.trial import REAL_LINE, Trial, compare
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.proof import *
from shbcore.proof.domain import Range
from shbcore.proof.kernel import Context, parameters

NINE_TENTHS = sp.Rational(9, 10)


def equal(left: Any, right: Any, domain: Domain) -> bool:
    """Whether two coefficients are one on a domain."""
    at = parameters(domain)
    return bool(at.element(sp.sympify(left)) == at.element(sp.sympify(right)))


def one_function(left: Any, right: Any, domain: Domain) -> bool:
    context = Context(domain, Scope.STEP, ())
    return context.form(left) == context.form(right)


def refused(template: Template, found: Found, *, noise: Any = 1, decrease: Any = 1) -> bool:
    """With less noise, or more decrease, the same weights have no multipliers from all facts of the template."""
    says = template.statement(found.weights, found.decrease * decrease, found.noise * noise)
    with pytest.raises(NotFound) as told:
        find(says, template.facts, at={})
    return told.value.kind == "infeasible" and refutes(told.value.farkas, says, template.facts)


def test_V_of_the_paper() -> None:
    template = templates.paper_V()
    found = lyapunov(template)
    assert one_function(found.function, appendix_b.V_k, ADMISSIBLE)
    assert equal(found.noise, appendix_b.GAMMA * alpha**2 / (2 * lam), ADMISSIBLE)
    assert (found.best_at, check(found.line).passed) == (found.tried, True)
    assert refused(template, found, noise=NINE_TENTHS)


def test_the_conditional_U_from_facts_alone() -> None:
    template = templates.conditional_U()
    found = lyapunov(template)
    assert one_function(found.function, U_k, FALLS)
    assert equal(found.noise * L2, NOISE_U, FALLS)
    assert found.best_at == found.tried
    assert refused(template, found, noise=NINE_TENTHS)
    assert refused(template, found, decrease=sp.Rational(11, 10))


def test_W_of_the_paper_with_its_largest_decrease() -> None:
    template = templates.smooth_W()
    found = lyapunov(template, "decrease", "noise")
    weights = (1 / (2 * nu * alpha**2), xi / 4)  # half of 1/(nu alpha^2) and of xi/2
    assert all(equal(a, b, template.domain) for a, b in zip(found.weights, weights, strict=True))
    assert equal(found.decrease, alpha * (1 - rho * alpha / 4), template.domain)  # the paper has alpha/2 for W_k/2
    assert refused(template, found, decrease=sp.Rational(11, 10))


def test_the_energy() -> None:
    template = templates.energy()
    for goals in (("decrease", "noise"), ("noise", "decrease")):
        found = lyapunov(template, *goals)
        assert equal(found.weights[0], xi / 2, template.domain)
        assert equal(found.decrease, alpha * (1 - rho * alpha / 2), template.domain)
        assert equal(found.noise * sigma2, book.NOISE_B, template.domain)
    assert refused(template, found, noise=NINE_TENTHS)


def test_the_function_of_the_theorem_on_schedules() -> None:
    t = templates
    template = t.schedule()
    found = lyapunov(template)
    c = (t.m_next + t.kappa * rho * t.al**2 / 2) / (t.al * (t.tau / 2 + 1 - rho * t.al / 2))
    m = t.A * t.e**2 / (2 * lam**2) + c * t.tau * t.al / 2
    noise = t.A**2 / (2 * lam) + c * t.be * t.al * (1 + t.be) / 2
    wanted = (t.kappa + c, m, noise)
    assert all(equal(a, b, t.SCHEDULE) for a, b in zip((*found.weights, found.noise), wanted, strict=True))
    assert refused(template, found, noise=NINE_TENTHS)


def test_one_that_the_paper_does_not_have() -> None:
    r"""It falls for beta + rho alpha < 2; its noise is less than that of the book's function exactly where beta + rho alpha < 1."""
    domain = ADMISSIBLE.also(Range(nu, beta * rho / (2 - beta), strict=True))
    template = templates.without_virtual_step(domain)
    found = lyapunov(template)
    size = ((1 - beta) ** 2 / (lam * nu) + 2 - beta) / (2 - beta - rho * alpha)
    assert equal(found.noise, alpha**2 / (2 * lam) * size, domain)
    assert refused(template, found, noise=NINE_TENTHS)
    gain = parameters(domain.also(*book.CONSTANTS)).element(book.NOISE / sigma2 - found.noise).as_expr()
    above = beta**3 * (nu - beta * nu - beta * rho) * ((1 - beta) ** 2 + beta * lam * rho)
    below = 2 * lam**2 * nu**2 * (2 * nu - beta * rho) * (2 * nu - beta * nu - beta * rho)
    assert equal(gain, above / below, domain)  # all factors but the one with the edge are positive


def test_the_new_function_on_exact_instances() -> None:
    """The second way: both sides are evaluated on small problems, all samples added up; without the noise it fails on some."""
    domain = ADMISSIBLE.also(Range(nu, beta * rho / (2 - beta), strict=True))
    template = templates.without_virtual_step(domain)
    found = lyapunov(template)
    silent = template.statement(found.weights, found.decrease, 0)
    bend, tilt = PiecewiseQuadratic.build([-1, 1], [1, -1, 1]), PiecewiseQuadratic.build((), [0], slope=2)
    back = PiecewiseQuadratic.build((), [0], slope=-2)
    noisy = tuple(PiecewiseQuadratic.build([-1, 1], [1, -1, 1], slope=t) for t in (2, -1))
    seen = failed = 0
    for pieces, X, x0, step, momentum in product(
        [(bend,), noisy, (tilt, back)],
        [REAL_LINE, Interval(-1, 2)],
        [Q(0), Q(3, 2)],
        [Q(1, 4), Q(1)],
        [Q(1, 4), Q(3, 4)],
    ):
        at = Trial(RationalProblem(pieces), X, x0, step, momentum, "repaired", Q(1, 3), True, values={rho: Q(1)})
        for k in range(2):
            for sides, quiet in zip(compare(found.line.statement, at, k), compare(silent, at, k), strict=True):
                assert sides.right >= sides.left
                seen, failed = seen + 1, failed + (quiet.right < quiet.left)
    assert seen > 100
    assert failed > 5


def test_the_largest_range_of_stepsizes_is_found() -> None:
    found = widest(templates.energy(ADMISSIBLE), nu)
    (bound,) = (one for one in found.line.statement.domain.ranges if one.symbol == nu)
    assert bound.strict
    assert equal(bound.lower, beta * rho / 2, ADMISSIBLE)


def test_infeasible_and_unbounded_are_told_apart() -> None:
    template = templates.energy()
    with pytest.raises(NotFound) as told:
        lyapunov(replace(template, facts=[one for one in template.facts if getattr(one, "fact", None) is None]))
    assert told.value.kind == "infeasible"
    assert told.value.farkas.violation > 0
    free = Template((f(x_k), f(x_k)), [], d_k**2, d_k**2, [square(d_k)], PATHWISE, scope=Scope.EVERY)
    with pytest.raises(NotFound) as told:
        lyapunov(free, "decrease")
    assert told.value.kind == "unbounded"
    with pytest.raises(ValueError, match="goal: choose one of noise"):
        lyapunov(template, "least")  # type: ignore[arg-type]


def test_without_a_rate_the_function_falls_or_there_is_none() -> None:
    energy = templates.energy()
    assert energy.rate is None
    assert equal(lyapunov(energy).decrease, alpha * (1 - rho * alpha / 2), energy.domain)
    still = Template((f(x_k), f(x_k)), [d_k**2], d_next**2, Number(sigma2), [square(d_k), square(d_next)])
    for goals in ((), ("noise", "weights"), ("decrease", "noise")):
        with pytest.raises(NotFound, match="its decrease is 0"):
            lyapunov(still, *goals)  # type: ignore[arg-type]
