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


# --- a small template, whose linear programme is solved by hand

a, b = sp.symbols("a b")
u, v, w, s = (vector(name) for name in "uvws")
CHEAP, CHEAP_ONE = assume(v**2 <= u**2 / (1 + a) + w**2 + Number(3 * a), "cheap")
"""It needs the weight 2 of the other term, and then the noise 3 a + 2; the function falls by a / (1 + a)."""
PAYS, PAYS_ONE = assume(s**2 <= w**2 / 2 + Number(1), "pays")
LIGHT, LIGHT_ONE = assume(v**2 <= u**2 / (1 + a) + Number(4 * a**2), "light")
"""It needs no weight."""
STEEP, STEEP_ONE = assume(v**2 <= Number(20 + 20 * a**2), "steep")
"""With it the function falls by 1."""
OWN = (CHEAP_ONE, PAYS_ONE, LIGHT_ONE, STEEP_ONE)
SMALL = Template(
    (u**2, v**2),
    [(w**2, s**2)],
    u**2,
    Number(1),
    [CHEAP, PAYS, LIGHT, STEEP, square(u), square(w)],
    PATHWISE,
    Domain(positive(a)),
    OWN,
    Scope.ANY,
)
FIXED = replace(SMALL, rate=a / (2 + 2 * a))


@pytest.mark.parametrize(
    ("template", "goals", "weight", "decrease", "noise", "best_at"),
    [
        (SMALL, (), 0, 1, 20 + 20 * a**2, 4),
        (SMALL, ("decrease", "noise"), 0, 1, 20 + 20 * a**2, 4),
        (FIXED, (), 2, a / (2 + 2 * a), 3 * a + 2, 3),
        (FIXED, ("noise", "weights"), 2, a / (2 + 2 * a), 3 * a + 2, 3),
        (FIXED, ("weights", "noise"), 0, a / (2 + 2 * a), 4 * a**2, 4),
        (FIXED, ("weights",), 0, a / (2 + 2 * a), 4 * a**2, 4),
        (replace(FIXED, rate=0), ("weights", "noise"), 0, 0, 4 * a**2, 4),
        (replace(FIXED, facts=[CHEAP, PAYS, square(u)]), (), 2, a / (2 + 2 * a), 3 * a + 2, 4),
    ],
)
def test_each_goal_has_its_best_function(
    template: Template, goals: Any, weight: Any, decrease: Any, noise: Any, best_at: int
) -> None:
    found = lyapunov(template, *goals)
    assert [
        sp.simplify(one) for one in (found.weights[0] - weight, found.decrease - decrease, found.noise - noise)
    ] == [*(0, 0, 0)]
    assert (found.best_at, found.tried) == (best_at, 4)
    assert found.function == template.function(found.weights)
    assert check(found.line).passed


def test_near_a_point_another_function_may_be_best() -> None:
    low = lyapunov(FIXED, near={a: Q(1, 100)})
    assert (low.weights, sp.expand(low.noise), low.best_at) == ((0,), 4 * a**2, 4)
    high = lyapunov(FIXED, near={a: 2}, tries=2)
    assert (high.weights, sp.expand(high.noise), high.best_at, high.tried) == ((2,), 3 * a + 2, 2, 2)


def test_a_template_states_what_it_looks_for() -> None:
    says = FIXED.statement([3], sp.Rational(1, 2), 5)
    assert says.relation == (v**2 + 3 * s**2 <= u**2 + 3 * w**2 - sp.Rational(1, 2) * u**2 + 5 * Number(1))
    assert (says.given, says.domain, says.assumes, says.scope) == (PATHWISE, SMALL.domain, OWN, Scope.ANY)
    assert SMALL.statement([0], 0, 0).relation == (v**2 <= u**2)
    assert SMALL.statement([1], 1, 1).relation == (v**2 + s**2 <= u**2 + w**2 - 1 * u**2 + 1 * Number(1))
    assert SMALL.function([2]) == u**2 + 2 * w**2
    assert SMALL.function([2], after=True) == v**2 + 2 * s**2
    named = Template(f(x_k), [d_k**2], d_next**2, Number(sigma2), [], name="Q_k")
    assert named.function([alpha]) == Named("Q_k", f(x_k) + alpha * d_k**2, "", 0)
    assert named.function([alpha], after=True) == Named("Q_{k+1}", f(x_next) + alpha * d_next**2, "", 1)
    nothing = Template((0 * u**2, v**2), [], u**2, Number(1), [])
    assert nothing.function([]) == 0 * u**2
    with pytest.raises(ValueError, match="zip"):
        SMALL.function([1, 2])
    found = lyapunov(SMALL)
    assert str(found) == found.line.statement.words
    assert str(found).startswith(r"Assume cheap, pays, light, steep. $\|v\|^2\le \|u\|^2-\|u\|^2+20 ")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"fixed": u}, "fixed: write a scalar such as d_k**2 or Number(sigma2), got u"),
        ({"fixed": (u, v)}, "fixed: write a scalar such as d_k**2 or Number(sigma2), got u"),
        ({"decrease": 1}, "decrease: write a scalar"),
        ({"noise": v}, "noise: write a scalar"),
        ({"terms": [u]}, "terms: write scalars such as d_k**2 and f(x_k), each once"),
        ({"terms": [u**2, 2]}, "terms: write scalars such as d_k**2 and f(x_k), each once"),
    ],
)
def test_a_template_is_made_of_scalars(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as told:
        replace(SMALL, **wrong)
    assert words in str(told.value)


def test_what_is_not_found_is_told() -> None:
    with pytest.raises(ValueError, match="goal: leave out rate in the template, if the decrease is asked for"):
        lyapunov(FIXED, "decrease")
    fast = replace(FIXED, rate=2 * a / (1 + a), facts=[CHEAP, PAYS, square(u), smooth_above(f, u, v)])
    with pytest.raises(NotFound) as told:
        lyapunov(fast)
    assert told.value.kind == "infeasible"
    assert told.value.farkas.at == {a: 2}
    assert told.value.farkas.violation == Q(2, 3)
    first, second, third = str(told.value).splitlines()
    assert first == "no weights: add terms or facts; there is no such function at a = 2"
    assert second.startswith("left out: smooth_above, because ")
    assert third == (
        "|u|^2 = 1, |v|^2 = 1/3 would satisfy every fact, and right minus left of the claim would be -2/3, whatever the weights"
    )
    kept, one = assume(v**2 <= u**2, "kept")
    free = replace(SMALL, noise=u**2, facts=[kept], assumes=(one,))
    with pytest.raises(
        NotFound, match="decrease has no best value: fix the rate, or put another goal first; at a = 2"
    ) as told:
        lyapunov(free)
    assert told.value.kind == "unbounded"


def test_weights_that_may_be_negative_somewhere_are_no_answer() -> None:
    """At every point that is tried a is below 100; the noise a (100 - a)^2 is not shown to be non-negative by the signs of coefficients."""
    where = Domain(positive(a))
    gap, one = assume(v**2 <= u**2 + Number((a - 100) ** 2 * a + a / 1000), "a gap")
    template = Template((u**2, v**2), [], u**2, Number(1), [gap, square(u)], PATHWISE, where, (one,), Scope.ANY, rate=0)
    with pytest.raises(NotFound, match="is not shown to be non-negative; restrict the domain, or add facts") as told:
        lyapunov(template)
    assert told.value.kind == "not verified"
    assert "at 4 points" in str(told.value)


def test_the_largest_range_is_asked_for_of_a_parameter_that_has_one() -> None:
    with pytest.raises(ValueError, match="such as nu with positive\\(nu\\), not b"):
        widest(SMALL, b)
    for entry in (between(a, 0, 1), inverse_at_least(a, 1)):
        with pytest.raises(ValueError, match="choose a parameter with a range above a bound"):
            widest(replace(FIXED, domain=Domain(entry)), a)
    with pytest.raises(NotFound, match="there is no such function at a = 1000000"):
        widest(replace(FIXED, facts=[LIGHT, square(u)], rate=2), a)
    with pytest.raises(NotFound, match="there is no such function at a = 1/50"):
        widest(replace(FIXED, facts=[LIGHT, square(u)], rate=sp.Rational(1, 4)), a, top=sp.Rational(1, 50))
