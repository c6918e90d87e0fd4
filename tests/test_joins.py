"""What a join concludes, word for word, and for which steps; and small rules of the kernel, each on both sides of its edge."""

from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.domain import Range
from shbcore.proof.language import at_start

A, e, c = x_k**2, g_k**2, L2
WHERE = ADMISSIBLE.also(at_least(N, 1))


def decrease(scope: Scope) -> Line:
    """A line of the form that is summed, assumed for the sake of the test."""
    use, own = assume(E(shifted(A)) <= E(A) - beta * E(e) + Number(c), "a decrease")
    return line(shifted(A) <= A - beta * e + Number(c), [1 * use], TOTAL, domain=WHERE, assumes=(own,), scope=scope)


SUMS: list[tuple[Scope, int, Any, Relation, Scope]] = [
    (Scope.STEP, 0, "K", A + beta * Series(e, 0, "K") <= at_start(A) + N**2 * Number(c), Scope.RUN),
    (Scope.EVERY, 0, "K", A + beta * Series(e, 0, "K") <= at_start(A) + N**2 * Number(c), Scope.RUN_ANY),
    (
        *(Scope.LATE, 1, "K"),
        A + beta * Series(e, 1, "K") <= at_start(shifted(A)) + (N**2 - 1) * Number(c),
        Scope.RUN_ANY,
    ),
    (
        *(Scope.STEP, 1, "K"),
        A + beta * Series(e, 1, "K") <= at_start(shifted(A)) + (N**2 - 1) * Number(c),
        Scope.RUN_ANY,
    ),
    (Scope.STEP, 0, "K-1", A + beta * Series(e, 0, "K-1") <= at_start(A) + (N**2 - 1) * Number(c), Scope.SHORT_RUN),
]


@pytest.mark.parametrize(("scope", "first", "last", "says", "where"), SUMS)
def test_a_sum_says_this_and_for_that_start(scope: Scope, first: int, last: Any, says: Any, where: Scope) -> None:
    total = Summation(decrease(scope), A, e, beta, c, first, last)
    assert total.statement.relation == says
    assert total.statement.scope is where
    assert total.statement.given == TOTAL
    assert check(total).passed, check(total).detail


@pytest.mark.parametrize(
    ("scope", "first", "last", "why"),
    [
        (Scope.STEP, 2, "K", "a sum from 2 to K is not provided for"),
        (Scope.STEP, -1, "K", "a sum from -1 to K is not provided for"),
        (Scope.STEP, 0, "K-2", "a sum from 0 to K-2 is not provided for"),
        (Scope.STEP, 1, "K-1", "a sum from 1 to K-1 is not provided for"),
        (Scope.LATE, 0, "K", "the line that is summed holds"),
        (Scope.LATE, 0, "K-1", "the line that is summed holds"),
        (Scope.FIRST, 1, "K", "the line that is summed holds"),
        (Scope.FIRST_ANY, 0, "K", "the line that is summed holds"),
    ],
)
def test_other_sums_are_refused(scope: Scope, first: int, last: Any, why: str) -> None:
    found = check(Summation(decrease(scope), A, e, beta, c, first, last))
    assert not found.passed
    assert why in found.detail


@pytest.mark.parametrize(
    "wrong", [{"weight": 2 * beta}, {"noise": L2 / 2}, {"measure": d_k**2}, {"potential": x_next**2}], ids=str
)
def test_a_sum_of_another_line_is_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"potential": A, "measure": e, "weight": beta, "noise": c, **wrong}
    found = check(Summation(decrease(Scope.STEP), **given))
    assert not found.passed
    assert "form of a decrease" in found.detail


@pytest.mark.parametrize("least", [sp.Rational(9, 10), sp.Integer(0)])
def test_a_sum_needs_at_least_one_step(least: Any) -> None:
    """N is the root of K + 1, and K is at least 0."""
    short = Summation(decrease(Scope.STEP), A, e, beta, c)
    assert not check(short, WHERE.also(at_least(N, least))).passed
    assert check(short, WHERE.also(at_least(N, 2))).passed


# --- the other step, the limit


@pytest.mark.parametrize(
    ("scope", "passes"),
    [(Scope.STEP, True), (Scope.EVERY, True), (Scope.LATE, True), (Scope.FIRST, False), (Scope.ANY, False)],
)
def test_a_line_is_moved_by_one_step(scope: Scope, passes: bool) -> None:
    moved = Later(decrease(scope))
    assert moved.statement.relation == decrease(scope).statement.relation.map(shifted)
    assert moved.statement.scope is Scope.EVERY
    assert check(moved).passed is passes


def test_a_field_moves_with_its_line() -> None:
    now = line(E(e, PAST) <= Number(L2), [1 * second_moment(g_k)], PAST, assumes=(A2,), scope=Scope.EVERY)
    assert Later(now).statement.given == NOW
    assert check(Later(now)).passed
    path = line(Number(0) <= e, [1 * square(g_k)], PATHWISE, scope=Scope.EVERY)
    assert Later(path).statement.given == PATHWISE


t = sp.Symbol("t")
y = vector("y")


@pytest.mark.parametrize(
    ("entry", "passes"),
    [
        (between(t, 0, 1), True),
        (positive(t), True),
        (between(t, 0, 2), False),
        (between(t, sp.Rational(-1, 2), 1), False),
        (between(t, sp.Rational(1, 2), 1), False),
        (Range(t, 0, inverse=True, strict=True), False),
        (defined(t, 1), False),
    ],
    ids=str,
)
def test_a_limit_needs_a_parameter_that_comes_down_to_zero(entry: Any, passes: bool) -> None:
    whole = line(Number(0) <= y**2 + t * y**2, [1 * square(y), t * square(y)], domain=Domain(entry))
    limit = Limit(whole, t)
    assert limit.statement.relation.left == Number(0)
    assert check(limit).passed is passes


# --- signs, names, words


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        (1 / (2 - beta), True),
        (-1 / (beta - 2), True),
        (1 / (beta - 2), False),
        ((1 - beta) / (beta - 2), False),
        ((beta - 1) / (beta - 2), True),
        (1 - beta, True),
        (sp.Rational(9, 10) - beta, False),
        (beta - beta**2, True),
        (1 - beta + beta**2, True),
        (beta**2 - beta, False),
        (sp.Integer(0), True),
    ],
)
def test_signs_are_proved_on_the_whole_range(value: Any, holds: bool) -> None:
    assert check(sign(value)).passed is holds


@pytest.mark.parametrize(
    "symbol", [sp.Dummy("b"), "b", sp.Symbol("b", positive=True), sp.Integer(2), sp.Symbol("b") + 1]
)
def test_a_parameter_is_a_plain_symbol(symbol: Any) -> None:
    for make in (positive, lambda one: defined(one, 1)):
        with pytest.raises(ValueError, match="parameter"):
            make(symbol)


def test_the_words_of_a_refusal_name_what_is_left() -> None:
    def words(left: Any, given: Any) -> str:
        return check(line(left <= 0, [1 * square(y)], given, scope=Scope.EVERY)).detail

    assert "E[|g_k|^2 | F_{k-1}]" in words(g_k**2, PAST)
    assert "E[|g_k|^2]," in words(g_k**2, TOTAL)
    assert "|g_k|^2" in words(g_k**2, NOW)
    assert "E[" not in words(g_k**2, NOW)
    assert "<g_k, x_k>" in words(g_k @ x_k, NOW)
    assert "f(x_k)" in words(f(x_k), PAST)
    assert "fails: -1," in words(Number(1), PAST)
