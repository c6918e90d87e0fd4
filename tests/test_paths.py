"""The rule for almost every path, on both sides of each of its conditions: a small case that passes, and one change at a time."""

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.domain import Range
from shbcore.proof.foundations import DIVERGENT, ROBBINS_SIEGMUND, SLOW_CHANGE, SQUARE_SUMMABLE
from shbcore.proof.kernel import Term
from shbcore.proof.language import Node, Tail
from shbcore.proof.scheduled import stepsize
from shbcore.proof.surely import AlmostSurely

al, al_next, al_prev = (stepsize(j) for j in (0, 1, -1))
b, c = sp.symbols("b c")
WHERE = Domain(positive(al_prev), positive(al), positive(al_next), positive(b), nonnegative(c))
U, V, NOISE = Number(b), 3 * b * al, c * al**2 / 2
STILL = x_k - x_k
M = STILL**2
"""The potential is a number and the measure 0, so that every line of the small case is one between numbers."""


def stated(claim: Relation, given: Any, value: Any, domain: Domain = WHERE, scope: Scope = Scope.EVERY) -> Line:
    """A line between numbers that differ by ``value``; one that is assumed, for the sake of the test, if that is none."""
    if value is not None:
        return line(claim, [1 * number(value)], given, domain=domain, scope=scope)
    averaged = claim if given == PATHWISE else claim.map(lambda side: E(side, given))
    use, own = assume(averaged, "own")
    return line(claim, [1 * use], given, domain=domain, assumes=(own,), scope=scope)


def falls(
    potential: Any = U, weight: Any = V, measure: Any = M, noise: Any = NOISE, given: Any = PAST, **how: Any
) -> Line:
    claim = shifted(potential) <= potential - weight * measure + Number(noise)
    return stated(claim, given, noise if potential is U and measure is M else None, **how)


def floor(left: Any = 0, right: Any = U, given: Any = PATHWISE, **how: Any) -> Line:
    value = b - left if right is U and not isinstance(left, Node) else None
    return stated((left if isinstance(left, Node) else Number(left)) <= right, given, value, **how)


def slow(rate: Any = 4 * c, of: Any = STILL, given: Any = PATHWISE, **how: Any) -> Line:
    value = rate * al**2
    return stated((shifted(of) - of) ** 2 <= Number(value), given, value if of is STILL else None, **how)


def rule(what: Any = "rest", **change: Any) -> AlmostSurely:
    """The small case, changed; a change of what the line says changes the line too."""
    said = {name: change[name] for name in ("potential", "weight", "measure", "noise") if name in change}
    how = {name: change.pop(name) for name in ("given", "domain", "scope") if name in change}
    given = {"line": falls(**said, **how), "lower": floor(right=change.get("potential", U), **_domain(how))}
    given |= {"potential": U, "measure": M, "weight": V, "noise": NOISE, "factor": c, "least": b}
    if what == "lim":
        given |= {"slow": slow(), "rate": 4 * c}
    return AlmostSurely(what=what, **{**given, **change})


def _domain(how: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in how.items() if name == "domain"}


SUMS = {ROBBINS_SIEGMUND, SQUARE_SUMMABLE}


@pytest.mark.parametrize(
    ("what", "of", "rests"),
    [
        ("rest", V * M, SUMS),
        ("spread", U, SUMS),
        ("liminf", M, SUMS | {DIVERGENT}),
        ("lim", M, SUMS | {DIVERGENT, SLOW_CHANGE}),
    ],
)
def test_what_the_rule_gives_and_what_it_rests_on(what: Any, of: Any, rests: set[Foundation]) -> None:
    found = check(rule(what))
    assert found.passed, found.detail
    assert {one for one in found.foundations if one.kind != "own"} == rests
    assert rule(what).statement.relation == Tail(what, of).equals(0)
    assert rule(what).statement.scope is Scope.SURELY
    assert (DIVERGENT in rule(what).statement.assumes) == (what in ("liminf", "lim"))
    assert len(rule(what).parents) == (3 if what == "lim" else 2)


PASSES: dict[str, Any] = {
    "for every step from 1 on": lambda: rule(scope=Scope.LATE),
    "for every step, with one start": lambda: rule(scope=Scope.STEP),
    "noise of the step before": lambda: rule(noise=c * al_prev**2, before=True),
    "all of the noise that is allowed": lambda: rule(noise=c * al**2),
    "no noise": lambda: rule(noise=0),
    "no weight": lambda: rule(weight=0),
    "stepsizes that do not grow": lambda: rule(domain=WHERE.also(between(al, 0, al_prev), between(al_next, 0, al))),
    "stepsizes with a bound": lambda: rule(domain=WHERE.also(*(between(one, 0, 1) for one in (al_prev, al, al_next)))),
    "inverse stepsizes above a bound": lambda: rule(
        domain=WHERE.also(*(Range(one, 1, inverse=True) for one in (al_prev, al, al_next)))
    ),
    "a floor from the start on": lambda: rule(lower=floor(scope=Scope.STEP)),
    "a floor given the past": lambda: rule(lower=floor(given=PAST)),
    "a floor far below": lambda: rule(lower=floor(-b)),
    "the least weight": lambda: rule("liminf", least=3 * b),
    "a slow change from 1 on": lambda: rule("lim", slow=slow(scope=Scope.LATE)),
}


@pytest.mark.parametrize("name", PASSES)
def test_at_the_edge_of_its_conditions_the_rule_still_holds(name: str) -> None:
    found = check(PASSES[name]())
    assert found.passed, found.detail


def _constant() -> AlmostSurely:
    where = Domain(positive(alpha), positive(b), nonnegative(c))
    said = {"weight": b * alpha, "noise": c * alpha**2}
    return rule(**said, domain=where)


def _equality(line_k: Line) -> Line:
    return replace(line_k, statement=replace(line_k.statement, relation=replace(line_k.statement.relation, sense="==")))


def _hypothesis() -> AlmostSurely:
    own = hypothesis(Number(0) <= U, PATHWISE)
    low = Statement(Number(0) <= U, PATHWISE, WHERE, own.unfolded.foundations, Scope.EVERY)
    return rule(lower=Line(low, (Term(sp.S.One, own),)))


U_2 = x_k**2
REFUSED: dict[str, tuple[str, Any]] = {
    "in total expectation": ("a line given the past", lambda: rule(given=TOTAL)),
    "given the present": ("a line given the past", lambda: rule(given=NOW)),
    "at the first step": ("for every step from k = 1 on", lambda: rule(scope=Scope.FIRST_ANY)),
    "an equality": ("the lemma is about a line", lambda: rule(line=_equality(falls()))),
    "another word": ("'limes' is nothing that the lemma gives", lambda: rule("limes")),
    "a constant stepsize": ("a constant stepsize has no finite sum of squares", _constant),
    "stepsizes above a bound": (
        "the stepsizes are bounded below",
        lambda: rule(domain=WHERE.also(*(at_least(one, 1) for one in (al_prev, al, al_next)))),
    ),
    "one stepsize above a bound": (
        "agree",
        lambda: rule(domain=WHERE.also(at_least(al, 1))),
    ),
    "fixed stepsizes": (
        "the stepsizes are bounded below, or fixed",
        lambda: rule(domain=WHERE.also(*(defined(one, 1) for one in (al_prev, al, al_next)))),
    ),
    "inverse stepsizes below a bound": (
        "the stepsizes are bounded below",
        lambda: rule(domain=WHERE.also(*(inverse_between(one, 0, 1) for one in (al_prev, al, al_next)))),
    ),
    "stepsizes that grow": (
        "the stepsizes are bounded below",
        lambda: rule(domain=WHERE.also(at_least(al_next, al), at_least(al, al_prev))),
    ),
    "stepsizes below the next one": (
        "the stepsizes are bounded below",
        lambda: rule(domain=WHERE.also(between(al_prev, 0, al), between(al, 0, al_next), between(al_next, 0, 1))),
    ),
    "a number whose range moves": (
        "b is one number for all steps, and its range depends on the step",
        lambda: rule(domain=WHERE.also(between(b, 0, al))),
    ),
    "a measure of this step": ("the measure is not known at F_{k-1}", lambda: rule(measure=g_k**2)),
    "a potential of this step": ("the potential is not known at F_{k-1}: ", lambda: rule(potential=g_k**2)),
    "a measure that is no square": ("the measure is not a square", lambda: rule(measure=x_k @ x_prev)),
    "a measure of two parts": ("the measure is not a square", lambda: rule(measure=x_k**2 + x_prev**2)),
    "another weight": ("form of a decrease", lambda: rule(line=falls(weight=2 * b * al, measure=U_2), measure=U_2)),
    "another noise": ("form of a decrease", lambda: rule(line=falls(noise=c * al**2))),
    "a weight below 0": ("the weight -3*alpha_k*b is not shown to be non-negative", lambda: rule(weight=-V)),
    "a noise below 0": ("is not shown to be non-negative", lambda: rule(noise=-NOISE)),
    "a weight with a pole": ("the denominator b - 1 may vanish", lambda: rule(weight=al / (b - 1))),
    "a factor that moves": ("the factor depends on the step", lambda: rule(factor=c * (1 + al))),
    "a least weight that moves": ("the least depends on the step", lambda: rule("liminf", least=b * al)),
    "a rate that moves": ("the rate depends on the step", lambda: rule("lim", rate=4 * c / al)),
    "too much noise": ("the noise is not shown to be summable", lambda: rule(noise=2 * c * al**2)),
    "noise of this step for the step before": ("summable", lambda: rule(before=True)),
    "noise of the step before for this step": ("summable", lambda: rule(noise=c * al_prev**2)),
    "a least weight that is too large": ("an infinite sum", lambda: rule("liminf", least=4 * b)),
    "a least weight of 0": ("an infinite sum", lambda: rule("liminf", least=0)),
    "no least weight that is positive": ("an infinite sum", lambda: rule("lim", least=c, weight=c * al)),
    "a floor in a few steps": ("at the first step", lambda: rule(lower=floor(scope=Scope.FIRST_ANY))),
    "a floor in mean": ("not on every path", lambda: rule(lower=floor(given=TOTAL))),
    "a floor of another vector": ("not one of the potential", lambda: rule(lower=floor(right=Number(2 * b)))),
    "a floor that is an equality": (
        "not one of the potential",
        lambda: rule(lower=_equality(floor(b))),
    ),
    "a floor with the stepsize": ("depends on the step", lambda: rule(lower=floor(-al))),
    "a floor that is random": ("depends on the step", lambda: rule(lower=floor(Number(0) - x_prev**2))),
    "no line about changes": ("how fast the measure changes", lambda: rule("lim", slow=None)),
    "changes in mean": ("bounded on every path", lambda: rule("lim", slow=slow(given=PAST))),
    "changes at the first step": ("bounded on every path", lambda: rule("lim", slow=slow(scope=Scope.FIRST_ANY))),
    "changes of another vector": ("not about the measure", lambda: rule("lim", slow=slow(of=x_k))),
    "changes at another rate": ("not about the measure", lambda: rule("lim", rate=2 * c)),
    "a hypothesis": ("the hypothesis of an induction is about step k", _hypothesis),
}


@pytest.mark.parametrize("name", REFUSED)
def test_beyond_its_conditions_the_rule_is_refused(name: str) -> None:
    why, build = REFUSED[name]
    found = check(build())
    assert not found.passed
    assert why in found.detail
