"""Looking for multipliers: a find is a line that the kernel accepts, in whichever order the facts come; the rest is told."""

import random
from dataclasses import replace
from itertools import product

import pytest
import sympy as sp
from gmpy2 import mpq
from orders import CLAIMS, verdict

from shbcore.claims.appendix_b import envelope_3_before
from shbcore.proof import *
from shbcore.proof import simplex

a, b = sp.symbols("a b")
u, v, w = vector("u"), vector("v"), vector("w")
YOUNG = Statement(u @ v <= u**2 / (2 * a) + a / 2 * v**2, domain=Domain(positive(a)))


def test_multipliers_are_found_symbolically() -> None:
    found = find(YOUNG, [square(u - a * v)])
    assert check(found).passed
    assert [term.multiplier for term in found.terms] == [1 / (2 * a)]


def test_multipliers_are_found_at_a_point_by_a_linear_programme() -> None:
    found = find(YOUNG, [square(u), square(u - 3 * v)], at={a: 3})
    assert check(found).passed


def test_a_claim_whose_sides_are_one_is_found() -> None:
    assert check(find(Statement(u**2 <= u**2, domain=Domain()), [square(u)])).passed
    with pytest.raises(NotFound):
        find(Statement(u**2 <= sp.Rational(9, 10) * u**2, domain=Domain()), [square(u)])


def test_what_no_fact_contains_is_named() -> None:
    with pytest.raises(ValueError, match=r"none contains f\(x_k\)"):
        find(Statement(f(x_k) <= d_k**2, domain=ADMISSIBLE, scope=Scope.EVERY), [square(d_k)])


def test_a_claim_that_is_too_strong_has_no_multipliers() -> None:
    strong = line(u @ v <= u**2 / 2 + v**2 / 3, [sp.Rational(1, 2) * square(u - v)], domain=Domain())
    assert not refit(strong).passed


def test_another_multiplier_is_found_where_the_given_one_is_wrong() -> None:
    wrong = line(0 <= u**2, [2 * square(u)], domain=Domain())
    assert not check(wrong).passed
    assert refit(wrong).passed


@pytest.mark.parametrize("name", CLAIMS)
def test_orders_and_superfluous_facts_do_not_matter(name: str) -> None:
    """A sample; benchmarks/orders.py tries 200 orders and 20 sets for each claim."""
    rng = random.Random(name)
    assert verdict(name, rng) == verdict(name, rng, extra=6) == "found"
    assert verdict(name, rng, control=True) == verdict(name, rng, control=True) == "infeasible"


def test_a_refusal_names_what_is_left_over_and_has_a_certificate() -> None:
    weak = Statement(u @ v <= u**2 + v**2, domain=Domain())
    with pytest.raises(NotFound, match=r"the claim is weaker than the facts.*1/2.*\|u\|\^2.*1/2") as told:
        find(weak, [square(u - v)])
    assert told.value.kind == "infeasible"
    assert refutes(told.value.farkas, weak, [square(u - v)])
    assert not refutes(told.value.farkas, weak, [square(u - v), square(u)])  # the certificate is about these facts
    assert check(find(weak, [square(u - v), square(u), square(v)])).passed


def test_nine_twentieths_for_a_half_is_told_to_be_weaker() -> None:
    whole = envelope_3_before()
    says = envelope_3_before(sp.Rational(9, 20)).statement
    facts = [term.source for term in whole.terms]
    with pytest.raises(NotFound, match=r"the claim is weaker than the facts.*grad F_lambda\(x_bar_k\)\|\^2"):
        find(says, facts)
    assert check(find(says, [*facts, square(grad_env)])).passed
    with pytest.raises(NotFound) as told:
        find(envelope_3_before(sp.Rational(11, 20)).statement, facts)
    assert "weaker" not in str(told.value)


def test_a_multiplier_of_the_wrong_sign_is_never_a_find() -> None:
    wide = Statement(u @ v <= b * u**2 + v**2 / (4 * b), domain=Domain(positive(b), positive(a)))
    facts = [square(u - v / (2 * b)), square(u)]
    assert check(find(wide, facts)).passed
    changes = replace(wide, relation=u @ v <= a * u**2 + v**2 / (4 * b))  # true for a >= b only
    with pytest.raises(NotFound) as told:
        find(changes, facts)
    assert told.value.kind == "infeasible"
    near = replace(changes, domain=Domain(positive(b), at_least(a, b * (1 - sp.Rational(1, 10**9)))))
    with pytest.raises(NotFound) as told:
        find(near, facts)  # right at every point tried, not on the whole domain
    assert told.value.kind == "not verified"
    assert "is not shown to be non-negative" in str(told.value)


def test_facts_that_may_not_be_used_are_left_out_and_named() -> None:
    says = Statement(f(x_k) <= f(x_k) + d_k**2, domain=ADMISSIBLE, scope=Scope.EVERY)
    assert check(find(says, [square(d_k), smooth_above(f, x_k, x_prev)])).passed
    with pytest.raises(NotFound, match="left out: smooth_above, because the proof uses"):
        find(replace(says, relation=f(x_prev) <= f(x_k)), [square(d_k), smooth_above(f, x_k, x_prev)])


@pytest.mark.parametrize(
    ("says", "facts"),
    [
        (Statement(u @ v <= u**2 / 2 + v**2 / 2, domain=Domain()), []),
        (Statement((u + v + w) ** 2 <= 3 * (u**2 + v**2 + w**2), domain=Domain()), []),
        (YOUNG, []),
        (Statement((a * u + (1 - a) * v) ** 2 <= a * u**2 + (1 - a) * v**2, domain=Domain(between(a, 0, 1))), []),
    ],
)
def test_squares_are_added_where_asked(says: Statement, facts: list) -> None:
    pytest.importorskip("cvxpy")
    assert check(find(says, facts, squares=True)).passed
    less = replace(says, relation=Relation(says.relation.left, sp.Rational(9, 10) * says.relation.right))
    with pytest.raises(NotFound):
        find(less, facts, squares=True)


# --- the exact linear programme, against enumeration of all bases


def test_the_programme_agrees_with_enumeration() -> None:
    rng = random.Random(3)
    seen = set()
    for _ in range(200):
        m, n = rng.randint(1, 3), rng.randint(1, 5)
        rows = [[mpq(rng.randint(-2, 2)) for _ in range(n)] for _ in range(m)]
        right = [mpq(rng.randint(-2, 2)) for _ in range(m)]
        free, cost = [rng.random() < 0.2 for _ in range(n)], [mpq(rng.randint(-2, 3)) for _ in range(n)]
        found = simplex.solve(rows, right, free, [cost])
        seen.add(found.status)
        dot = [sum(x * y for x, y in zip(row, found.values)) for row in rows]
        if found.status == "infeasible":
            column = [sum(y * row[j] for y, row in zip(found.values, rows)) for j in range(n)]
            assert sum(y * c for y, c in zip(found.values, right)) < 0
            assert all(c == 0 if one else c >= 0 for c, one in zip(column, free))
            continue
        assert all(x >= 0 for x, one in zip(found.values, free) if not one)
        value = sum(c * x for c, x in zip(cost, found.values))
        if found.status == "unbounded":
            assert dot == [0] * m
            assert value < 0
            continue
        assert dot == right
        best = _enumerated(rows, right, free, cost)
        assert best is None or best == value
    assert seen == {"optimal", "infeasible", "unbounded"}


def _enumerated(rows: list, right: list, free: list, cost: list):
    """The least cost of a basic solution, by trying every support; for programmes without free columns."""
    if any(free):
        return None
    values = []
    for support in product((0, 1), repeat=len(free)):
        chosen = [j for j, one in enumerate(support) if one]
        matrix = sp.Matrix([[int(row[j]) for j in chosen] for row in rows]) if chosen else sp.zeros(len(rows), 0)
        if matrix.rank() < len(chosen):
            continue
        solution = sp.linsolve((matrix, sp.Matrix([int(c) for c in right])), *sp.symbols(f"t:{len(chosen)}"))
        for point in solution if chosen else ([()] if not any(right) else []):
            if all(x >= 0 for x in point):
                values.append(sum(sp.Rational(int(cost[j])) * x for j, x in zip(chosen, point)))
    return mpq(int(min(values).p), int(min(values).q)) if values and min(values) != 0 else mpq(0)


def test_what_is_left_over_is_told_as_squares_where_it_is_and_a_fact_costs_nothing() -> None:
    for says, facts, rest in (
        (u @ v <= u @ (u + v), [], "squares=True: |u|^2"),
        (0 <= u**2 + v**2, [square(u / 4)], "squares=True: |v|^2"),
    ):
        with pytest.raises(NotFound) as told:
            find(Statement(says, domain=Domain()), facts)
        assert str(told.value).splitlines()[0].endswith(rest)


def test_squares_are_looked_for_beside_facts_that_are_not_used_backwards() -> None:
    pytest.importorskip("cvxpy")
    use, mark = assume(u**2 <= v**2 / 4, "u is short")
    assert check(find(Statement(0 <= u**2, domain=Domain(), assumes=(mark,)), [use], squares=True)).passed
