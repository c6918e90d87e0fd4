"""Classes of sequences without a member, first members that do not belong to them, and what a rule must not be: each is refused.

Beside ``test_attacks_3.py``.  The comment at a row names what would follow, and why it is false.
"""

from typing import Any

import pytest
import sympy as sp

from shbcore.claims.beyond import schedules
from shbcore.proof import *
from shbcore.proof.language import Series, at_start, sequence
from shbcore.proof.letters import x, z_printed
from shbcore.proof.lines import first_term
from shbcore.proof.scheduled import d, stepsize, trial_at, z
from shbcore.proof.surely import AlmostSurely
from tests.test_attacks import Attack, _refusal

ATTACKS: list[Attack] = []
al, al_next, al_prev = (stepsize(j) for j in (0, 1, -1))
c_k, c_next, c_0 = sequence("c"), sequence("c", 1), sequence("c", 0, True)
theta, LONG = sp.Symbol("theta"), at_least(N, 1)
d_k, d_next = d(0), d(1)


def attacks(kind: str, *rows: tuple[str, str, Any]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


def falling_sum(domain: Domain) -> Summation:
    """c_{k+1} <= c_k - 1, added up."""
    step = line(
        Number(c_next) <= Number(c_k) - 1, [1 * number(c_k - c_next - 1)], TOTAL, domain=domain, scope=Scope.EVERY
    )
    return Summation(step, Number(c_k), Number(sp.S.One), 0, -1)


def _first_member_of_another_class() -> Line:
    domain = Domain(LONG, at_least(c_next, 1), at_least(c_k, c_next + 1))
    terms = [1 * falling_sum(domain), 1 * number(c_k)]
    where = domain.also(*domain.started()).also(defined(c_0, 5))
    return line(Number(N**2) <= Number(5), terms, TOTAL, domain=where, scope=Scope.RUN_ANY)


def _first_term_of_another_class() -> Line:
    claim = Series(Number(c_k)).equals(Number(5) + Series(Number(c_k), 1))
    where = Domain(between(c_k, 0, 1), defined(c_0, 5))
    return line(claim, [1 * first_term(Number(c_k))], TOTAL, domain=where, scope=Scope.RUN_ANY)


def _theorem_without_its_gap() -> Line:
    where = schedules.run(schedules.FALLING).also(defined(schedules.w_0, -1))
    noise = schedules.noise_of(schedules.PACE)
    total = Summation(schedules.falls(), schedules.G_k, schedules.MEASURE, schedules.A / 2, noise)
    of = (schedules.G_k, schedules.FALLING, schedules.smooth_f)
    terms = [1 * total, 1 * schedules.upper(*of, schedules.w_0), 1 * schedules.lower(*of)]
    claim = Series(schedules.A / 2 * schedules.MEASURE) <= Series(Number(noise))
    return line(claim, terms, TOTAL, domain=where, assumes=schedules.BOUNDED, scope=Scope.RUN)


def _fifth_member() -> Line:
    fifth = stepsize(5, True)
    where = Domain(LONG, at_least(al, 2), between(fifth, 0, 1))
    return line(Number(fifth) <= Number(1), [1 * number(1 - fifth)], TOTAL, domain=where, scope=Scope.RUN_ANY)


attacks(
    "first members",
    ("the first member of another class", "is not shown to begin", _first_member_of_another_class),  # K + 1 <= 5
    ("the first term of another class", "is not shown to begin", _first_term_of_another_class),  # c_0 = 5 > 1
    ("a theorem without its gap", "is not shown to begin", _theorem_without_its_gap),  # sigma = 0, x_0 not stationary
    ("a member further out", "names the first members", _fifth_member),  # alpha_5 >= 2
)


# --- classes without a sequence
def _definitions_that_differ() -> Line:
    domain = Domain(defined(c_k, 1), defined(c_next, 0))
    claim = Number(c_next) <= Number(c_k) - Number(c_k) + Number(c_next)
    step = line(claim, [1 * number(0)], TOTAL, domain=domain, scope=Scope.EVERY)
    total = Summation(step, Number(c_k), Number(sp.S.One), c_k, c_next)
    where = domain.also(*domain.started())
    return line(Series(Number(1)) <= Series(Number(0)), [1 * total], TOTAL, domain=where, scope=Scope.RUN_ANY)


def _induction(kind: type = Induction) -> Any:
    domain = Domain(
        positive(al_prev), positive(al), between(beta, 0, 1), nonnegative(L2), defined(c_k, 1), defined(c_next, 0)
    )
    claim = Number(0) <= c_k * (f.slope(x_prev) @ d(0))
    after, first = claim.map(shifted), claim.map(at_start)
    begun = domain.also(*domain.started())
    base = line(first, [1 * number(0)], TOTAL, domain=begun, scope=Scope.FIRST_ANY)
    step = line(after, [1 * number(0)], TOTAL, domain=domain, scope=Scope.STEP)
    v, z_0 = f.slope(x(0, True)), trial_at(z_printed, 0, True)
    terms = [1 * square(v), 1 / stepsize(0, True) * whole_space(x(1, True), z_0, v)]
    both = begun.also(*domain.started(1))
    last = after.map(at_start)
    second = line(last, terms, TOTAL, domain=both, assumes=(A1, WHOLE_SPACE), scope=Scope.FIRST)
    return kind(claim, base, step, second)


def _gap_between_members() -> Summation:
    domain = Domain(LONG, at_least(al_prev, 1), between(al_next, 0, al_prev / 2), positive(al))
    half = sp.Rational(1, 2)
    terms = [1 * number(al_prev / 2 - al_next), half * number(al_prev - 1)]
    claim = Number(al) + Number(al_next) <= Number(al_prev) + Number(al) - half
    step = line(claim, terms, TOTAL, domain=domain, scope=Scope.EVERY)
    return Summation(step, Number(al_prev) + Number(al), Number(1), 0, -half)


attacks(
    "classes",
    ("two definitions of one sequence", "at two steps", _definitions_that_differ),  # sum of 1 <= sum of 0
    ("an induction with two meanings", "at two steps", _induction),  # f = x^2/2, beta = 1/10: false at k = 6
    ("members two steps apart", "at two steps", _gap_between_members),  # no such stepsizes for long
)


# --- almost surely
def shorter(domain: Domain, factor: Any) -> AlmostSurely:
    """|d_k|^2 shrinks by beta |d_k|^2, up to beta L^2: its sum is not finite for f(x) = x."""
    terms = [
        1 / al**2 * nonexpansive(x_next, trial_at(z(0)), x_k),
        1 * square_convexity(g_k, d_k, beta),
        beta * second_moment(g_k),
    ]
    claim = d_next**2 <= d_k**2 - beta * d_k**2 + beta * Number(L2)
    step = line(claim, terms, PAST, domain=domain, assumes=(A2,), scope=Scope.STEP)
    low = line(Number(0) <= d_k**2, [1 * square(d_k)], domain=domain, scope=Scope.EVERY)
    return AlmostSurely(step, low, d_k**2, d_k**2, beta, beta * L2, factor, "rest")


def about(*steps: Any) -> Domain:
    return Domain(*steps, between(beta, 0, 1), nonnegative(L2))


def _no_endless_sequence() -> AlmostSurely:
    domain = about(positive(al_prev), positive(al), nonnegative(c_next), defined(c_k, c_next + 1))
    slope = f.slope(x_k)
    terms = [1 * second_moment(g_k), 1 * square(g_k - slope)]
    claim = c_next * Number(L2) <= c_k * Number(L2) - 1 * slope**2
    step = line(claim, terms, PAST, domain=domain, assumes=(A1, A2), scope=Scope.STEP)
    low = line(Number(0) <= c_k * Number(L2), [1 * number(c_k * L2)], domain=domain, scope=Scope.EVERY)
    return AlmostSurely(step, low, c_k * Number(L2), slope**2, 1, 0, 0, "rest")


FLOOR, OF_STEP = "bounded below, or fixed", "depends on the step"
attacks(
    "almost surely",
    ("a sequence that ends", "at two steps", _no_endless_sequence),
    (
        "a constant below every stepsize",
        OF_STEP,
        lambda: shorter(about(positive(al_prev), positive(al), between(theta, 0, al)), beta * L2 / theta**2),
    ),
    (
        "stepsizes above a constant",
        FLOOR,
        lambda: shorter(
            about(positive(theta), between(al_prev, theta, 1 + theta), between(al, theta, 1 + theta)),
            beta * L2 / theta**2,
        ),
    ),
    (
        "a constant stepsize by definition",
        FLOOR,
        lambda: shorter(about(defined(al_prev, 1), defined(al, 1)), beta * L2),
    ),
)


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    refusal = _refusal(one)
    assert refusal is not None, "a false claim was accepted"
    assert one.reason in refusal, refusal


def test_a_rule_of_ones_own_is_refused() -> None:
    class Mine(Induction):
        __module__ = "shbcore.proof.joins"

        def proved(self, *_: Any) -> set[Any]:
            return set()

    assert "no rule of the kernel" in check(_induction(Mine)).detail


@pytest.mark.parametrize("name", ["c_{k+0}", "c_{k}", "c_{k-0}", "c_{3}"])
def test_a_member_of_a_sequence_has_one_name(name: str) -> None:
    with pytest.raises(ValueError, match="one name"):
        positive(sp.Symbol(name))


def test_what_is_fixed_of_a_sequence_is_printed() -> None:
    domain = Domain(LONG, positive(al), defined(al_next, al / 2))
    step = line(
        Number(al_next) <= Number(al) - Number(al) / 2, [1 * number(0)], TOTAL, domain=domain, scope=Scope.EVERY
    )
    total = Summation(step, Number(al), Number(sp.S.One), al / 2, 0)
    assert r"\alpha_{k+1}=" in total.statement.words
    assert r"\alpha_{-1}=\alpha_{0}" in schedules.rough().statement.words
