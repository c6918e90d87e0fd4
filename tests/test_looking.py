"""What looks for proofs, piece by piece: points of a domain, small linear systems, vertices, rational functions from values, words."""

import contextlib
import itertools
import random
from dataclasses import replace
from fractions import Fraction as Q
from typing import Any

import pytest
import sympy as sp
from gmpy2 import mpq

from shbcore.proof import *
from shbcore.proof import simplex
from shbcore.proof.domain import Range, moved_entry
from shbcore.proof.kernel import Context, describe, parameters
from shbcore.proof.language import Slope, sequence
from shbcore.proof.plain import plain, times
from shbcore.proof.search import Farkas, System, number_at, pinned, points
from shbcore.proof.slack import guess, squares_for
from shbcore.proof.worstcase import worst_case

a, b, c = sp.symbols("a b c")
u, v, w = vector("u"), vector("v"), vector("w")
half = sp.Rational(1, 2)
PLANE = Domain(positive(a), positive(b))


# --- points of a domain

INSIDE: list[tuple[Any, Any, str | None]] = [
    (positive(a), 1, None),
    (positive(a), 0, "a must lie in (0, infinity), and a = 0"),
    (positive(a), -1, "a must lie in (0, infinity), and a = -1"),
    (nonnegative(a), 0, None),
    (at_least(a, 2), 2, None),
    (at_least(a, 2), 1, "a must lie in [2, infinity), and a = 1"),
    (between(a, 0, 1), 1, None),
    (between(a, 0, 1), half, None),
    (between(a, 0, 1), 0, "a must lie in (0, 1], and a = 0"),
    (between(a, 0, 1), 2, "a must lie in (0, 1], and a = 2"),
    (inverse_at_least(a, 2), half, None),
    (inverse_at_least(a, 2), 1, "1/a must lie in [2, infinity), and a = 1"),
    (inverse_at_least(a, 2), -1, "1/a must lie in [2, infinity), and a = -1"),
    (inverse_at_least(a, 0), 0, "1/a must lie in (0, infinity), and a = 0"),
    (inverse_at_least(a, 0), 1000, None),
    (inverse_above(a, 2), half, "1/a must lie in (2, infinity), and a = 1/2"),
    (inverse_above(a, 2), Q(1, 3), None),
    (inverse_between(a, 1, 2), half, None),
    (inverse_between(a, 1, 2), 1, "1/a must lie in (1, 2], and a = 1"),
    (inverse_between(a, 1, 2), Q(1, 3), "1/a must lie in (1, 2], and a = 1/3"),
]


@pytest.mark.parametrize(("entry", "value", "words"), INSIDE, ids=str)
def test_a_point_lies_in_its_range_or_is_refused(entry: Range, value: Any, words: str | None) -> None:
    if words is None:
        assert pinned(Domain(entry), {a: value}).entries == (defined(a, value),)
        return
    with pytest.raises(ValueError) as told:
        pinned(Domain(entry), {a: value})
    assert str(told.value) == f"at: choose a inside the domain: {words}"


def test_a_point_is_completed_and_bounds_may_use_other_parameters() -> None:
    where = Domain(positive(a), between(b, 0, a), defined(c, a + b))
    assert pinned(where, {a: 3, b: 3}).entries == (defined(a, 3), defined(b, 3), defined(c, a + b))
    half_way = {one.symbol: one for one in pinned(where, {a: 3}).entries}
    assert half_way[a].formula == 3
    assert 0 < half_way[b].formula <= 3
    own = {one.symbol: one.formula for one in pinned(where).definitions}
    assert own[a] == 1
    assert own[b] == sp.Rational(1, 3)
    with pytest.raises(ValueError, match=r"b must lie in \(0, 3\], and b = 4"):
        pinned(where, {a: 3, b: 4})
    with pytest.raises(ValueError, match="at: choose values inside the domain: "):
        pinned(Domain(positive(a), between(b, 0, a), between(c, b, 2 * a)), {a: 2, b: 5})
    with pytest.raises(ValueError, match=r"at: a = b must be a number, such as Fraction\(1, 3\)"):
        pinned(where, {a: b})
    with pytest.raises(ValueError, match=r"at: c is no parameter of the domain; its parameters are the symbols a, b"):
        pinned(PLANE, {c: 1})
    with pytest.raises(ValueError, match="at: leave out c, which is defined as a \\+ b"):
        pinned(where, {c: 1})
    with pytest.raises(ValueError, match=r"at = 1 must be values by parameter"):
        find(Statement(0 <= u**2), [square(u)], at=1)  # type: ignore[arg-type]


def test_the_points_that_are_tried_are_the_same_every_time_and_lie_inside() -> None:
    assert points(Domain(positive(a)), 4) == [{a: 2}, {a: Q(13, 14)}, {a: 6}, {a: Q(35, 22)}]
    assert points(PLANE, 3) == [
        {a: 2, b: Q(1, 11)},
        {a: Q(13, 14), b: Q(17, 3) + Q(1, 3)},
        {a: 6, b: 23 + Q(2, 3)},
    ]
    for one in points(ADMISSIBLE, 2):
        assert pinned(ADMISSIBLE, one)
    held = points(PLANE, 3, {a: Q(1, 7)})
    assert [one[a] for one in held] == [Q(1, 7)] * 3
    assert len({one[b] for one in held}) == 3
    with pytest.raises(ValueError, match="choose a inside the domain"):
        points(PLANE, 1, {a: 0})
    assert points(Domain(), 2) == [{}, {}]


def test_a_rational_function_has_its_value_at_a_point() -> None:
    ring = parameters(PLANE)
    value = ring.element((a**2 - 3 * b) / (2 * a * b + 1))
    assert number_at(value, [mpq(2), mpq(1, 3)]) == mpq(3) / mpq(7, 3)
    assert number_at(ring.element(sp.S.Zero), [mpq(2), mpq(1)]) == 0


# --- a small system


def test_the_multipliers_of_independent_facts_are_solved_for() -> None:
    says = Statement((u - v) ** 2 <= a * u**2 + b * v**2, domain=PLANE)
    system = System(says, [square(u), square(v), square(u + v)])
    ring = system.context.at
    columns = dict(zip((one.arguments[0] for one in system.sources), system.columns, strict=True))
    chosen = [columns[one] for one in (u, v, u + v)]
    found = system.closed(chosen, system.target)
    assert found is not None
    assert [sp.expand(one.as_expr()) for one in found] == [a - 2, b - 2, 1]
    assert system.closed(chosen[:2], system.target) is None  # the product is left
    assert system.closed([*chosen, chosen[0]], system.target) is None  # dependent
    assert system.closed([], {}) == []
    rows, right = system.matrix(chosen, system.target, {a: sp.Integer(5), b: sp.Rational(7, 2)})
    assert sorted(rows) == [[0, 0, 2], [0, 1, 1], [1, 0, 1]]
    assert sorted(right) == [2, mpq(5, 2), 4]
    assert system.numbers({a: sp.Rational(2, 3), b: sp.Integer(1)}) == [mpq(2, 3), mpq(1)]
    assert ring.free == (a, b)
    assert System(replace(says, domain=Domain(), relation=0 <= u**2), [square(u)]).numbers({}) == [mpq(0)]


def test_facts_that_do_not_fit_are_left_out_for_a_reason() -> None:
    same = Statement((u**2).equals(u**2), domain=Domain())
    assert System(same, [square(u)]).left_out == [("square", "an equality cannot rest on an inequality")]
    low = line(0 <= u**2, [1 * square(u)], domain=Domain(), scope=Scope.FIRST, name="low")
    nameless = line(0 <= 2 * u**2, [2 * square(u)], domain=Domain(), scope=Scope.FIRST)
    left = dict(System(Statement(0 <= u**2, domain=Domain()), [low, nameless, square(v)]).left_out)
    assert set(left) == {"low", "an earlier line"}
    assert "an earlier line holds for the printed start" in left["low"]
    kept = System(Statement(0 <= u**2, domain=Domain()), [square(v), square(u), square(u)])
    assert len(kept.columns) == len(kept.sources) == len(kept.free) == 2
    assert kept.free == [False, False]
    equal = System(
        Statement(0 <= F_env(x_bar), domain=ADMISSIBLE, assumes=(WEAKLY_CONVEX,), scope=Scope.EVERY),
        [envelope_attained(F_env, x_hat)],
    )
    assert equal.free == [True]
    for wrong, hint in ((2, " must be a fact or a line ("), (1 * square(u), ", without its multiplier (")):
        with pytest.raises(ValueError) as told:
            System(same, [wrong])
        assert hint in str(told.value)


# --- what is not found


def told(says: Statement, facts: list[Any], **how: Any) -> NotFound:
    with pytest.raises(NotFound) as found:
        find(says, facts, **how)
    return found.value


def test_what_is_left_over_is_said_in_words() -> None:
    weak = told(Statement(u @ v <= u**2 + v**2, domain=Domain()), [square(u - v)])
    first, second = str(weak).splitlines()
    assert first == (
        "no non-negative multipliers: the claim is weaker than the facts, add what is left over as squares, or squares=True: "
        "1/2 * |u|^2 + 1/2 * |v|^2"
    )
    assert second.endswith("would satisfy every fact, and right minus left of the claim would be -1")
    lost = told(Statement(f(x_k) <= d_k**2 + 2 * f(x_k), domain=ADMISSIBLE, scope=Scope.EVERY), [square(d_k)])
    assert "of the 1 facts none contains f(x_k); add one that does, or weaken the claim\nat rho = " in str(lost)
    ones = told(Statement(u**2 <= u**2 + Number(1), domain=Domain()), [square(u)])
    assert "none contains 1; add one that does (a number that is not negative is a fact too: number(...)), or" in str(
        ones
    )
    there, gap = vector("w", inside=True), f(x_k) - f(vector("w", inside=True))
    roomy = (x_k - alpha * g_k - there) ** 2 <= (1 + alpha * rho) * (
        x_k - there
    ) ** 2 - 2 * alpha * gap + 2 * alpha**2 * L2
    ranges = {"given": PAST, "domain": ADMISSIBLE, "assumes": (WEAKLY_CONVEX, A1, A2), "scope": Scope.EVERY}
    facts = [weak_convexity(f, x_k, there), second_moment(g_k)]
    more = told(Statement(roomy, **ranges), facts)
    assert "weaker than the facts, add what is left over as facts, a number as number(...): 218405/441\n" in str(more)
    assert check(find(Statement(roomy, **ranges), [*facts, number(L2)])).passed
    strong = told(Statement(u @ v <= u**2 / 2 + v**2 / 3, domain=Domain()), [square(u - v)])
    assert str(strong).splitlines()[0] == (
        "no non-negative multipliers: left over is -1/6 * |v|^2; add a fact, or weaken the claim"
    )
    assert weak.kind == strong.kind == "infeasible"
    assert weak.attempt is None


def test_a_certificate_is_about_its_own_facts_and_numbers() -> None:
    says = Statement(u @ v <= u**2 / 2 + v**2 / 3, domain=Domain())
    found = told(says, [square(u - v)]).farkas
    assert found is not None
    assert found.violation > 0
    assert refutes(found, says, [square(u - v)])
    assert str(found).endswith(f"right minus left of the claim would be {-found.violation}")
    assert not refutes(found, replace(says, relation=u @ v <= u**2 / 2 + v**2 / 2), [square(u - v)])
    none = Farkas(found.at, dict.fromkeys(found.numbers, mpq(0)), mpq(0))
    assert not refutes(none, says, [square(u - v)])
    turned = Farkas(found.at, {key: -value for key, value in found.numbers.items()}, found.violation)
    assert not refutes(turned, says, [square(u - v)])
    twins = {next(iter(Context(Domain(), Scope.ANY, ()).form(one**2))): mpq(1) for one in (u, vector("u", PAST))}
    assert len(twins) == 2  # two terms of one name
    assert not refutes(Farkas({}, twins, mpq(1)), says, [square(u - v)])


def test_a_proof_is_fitted_again_or_checked_as_it_is() -> None:
    sides = line((u**2).equals(u**2), domain=Domain())
    assert refit(sides).passed
    assert not refit(line((u**2).equals(2 * u**2), domain=Domain())).passed
    assert (
        refit(projection(x_next, trial, vector("y", inside=True))).passed
        is check(projection(x_next, trial, vector("y", inside=True))).passed
    )
    bad = refit(line(u @ v <= u**2 / 4 + v**2 / 4, [1 * square(u - v)], domain=Domain()))
    assert (bad.passed, "\n" in bad.detail) == (False, False)
    assert bad.detail.startswith("no non-negative multipliers")
    assert not refit(line(0 <= u**2, domain=Domain())).passed


# --- vertices of a linear programme


def basic(rows: list[Any], right: list[Any]) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """All vertices by their supports, by trying every set of columns."""
    n = len(rows[0])
    found = {}
    for size in range(n + 1):
        for support in itertools.combinations(range(n), size):
            matrix = sp.Matrix([[sp.Rational(int(row[j])) for j in support] for row in rows])
            if support and matrix.rank() < size:
                continue
            target = sp.Matrix([sp.Rational(int(one)) for one in right])
            if not support:
                if not any(right):
                    found[()] = (mpq(0),) * n
                continue
            if matrix.row_join(target).rank() > size:
                continue
            values = (matrix.T * matrix).LUsolve(matrix.T * target)
            if all(one > 0 for one in values):
                whole = [mpq(0)] * n
                for j, one in zip(support, values, strict=True):
                    whole[j] = mpq(int(one.p), int(one.q))
                found[support] = tuple(whole)
    return found


def test_all_vertices_of_the_best_face_are_shown_once_the_best_of_them_first() -> None:
    rng = random.Random(5)
    shown = 0
    for _ in range(25):
        m, n = rng.randint(1, 2), rng.randint(3, 5)
        rows = [[mpq(rng.randint(-1, 2)) for _ in range(n)] for _ in range(m)] + [[mpq(1)] * n]
        right = [mpq(rng.randint(0, 2)) for _ in range(m)] + [mpq(3)]
        first, second = ([mpq(rng.randint(0, 1)) for _ in range(n)] for _ in range(2))
        every = basic(rows, right)
        found = list(simplex.vertices(rows, right, [False] * n, [first, second]))
        assert len({one.support for one in found}) == len(found)
        if not every:
            assert found == []
            assert simplex.solve(rows, right, [False] * n).status == "infeasible"
            continue

        def cost(values: Any, of: Any) -> Any:
            return sum(x * y for x, y in zip(of, values, strict=True))

        least = min(cost(one, first) for one in every.values())
        face = {support: one for support, one in every.items() if cost(one, first) == least}
        assert {one.support: one.values for one in found} == face
        assert cost(found[0].values, second) == min(cost(one, second) for one in face.values())
        assert {one.support for one in simplex.vertices(rows, right, [False] * n)} == set(every)
        assert simplex.solve(rows, right, [False] * n, [first, second]).values in face.values()
        shown += len(found)
    assert shown > 20


def test_no_vertices_are_shown_of_what_has_none_and_not_more_than_asked_for() -> None:
    line_up = [[mpq(1), mpq(-1)]]
    assert list(simplex.vertices(line_up, [mpq(0)], [False, False], [[mpq(-1), mpq(0)]])) == []
    assert list(simplex.vertices(line_up, [mpq(0)], [False, False], [[mpq(-1), mpq(0)], [mpq(0), mpq(0)]])) == []
    box = [[mpq(i in (j, j + 4)) for i in range(8)] for j in range(4)]  # x_j + y_j = 1: 16 vertices
    every = list(simplex.vertices(box, [mpq(1)] * 4, [False] * 8, [[mpq(0)] * 8]))
    assert len(every) == 16
    assert all(len(one.support) == 4 for one in every)
    assert len(list(simplex.vertices(box, [mpq(1)] * 4, [False] * 8, [[mpq(0)] * 8], limit=5))) == 5


def test_all_rows_that_block_a_column_are_named_and_the_first_variable_leaves() -> None:
    rows = [[mpq(1), mpq(0), mpq(1), mpq(0)], [mpq(1), mpq(1), mpq(0), mpq(0)], [mpq(1), mpq(0), mpq(0), mpq(1)]]
    tableau = simplex._Tableau(rows, [mpq(2), mpq(2), mpq(3)], [False] * 4)
    for r, j in ((0, 2), (1, 1), (2, 3)):
        tableau.pivot(r, j)
    assert tableau.values == (0, 2, 2, 3)
    assert tableau.leaving(0) == [0, 1]
    assert tableau.bland([0, 1]) == 1  # of x_1 and x_2
    assert tableau.leaving(1) == [1]
    other = tableau.copy()
    other.pivot(0, 0)
    assert (other.values, tableau.values) == ((2, 0, 0, 1), (0, 2, 2, 3))


def test_free_columns_are_solved_for() -> None:
    both = [[mpq(1), mpq(1)], [mpq(1), mpq(-1)]]
    assert simplex.solve(both, [mpq(1), mpq(3)], [True, True]).values == (2, -1)
    assert simplex.solve(both, [mpq(1), mpq(3)], [False, False]).status == "infeasible"
    idle = simplex.solve([[mpq(1), mpq(2)]], [mpq(4)], [True, True], [[mpq(1), mpq(1)]])
    assert idle.status == "unbounded"
    assert idle.values[0] + 2 * idle.values[1] == 0
    assert sum(idle.values) < 0
    same = simplex.solve([[mpq(1), mpq(2)]], [mpq(4)], [True, True], [[mpq(1), mpq(2)]])
    assert (same.status, same.values, same.support) == ("optimal", (4, 0), (0,))
    away = simplex.solve([[mpq(1), mpq(-1)]], [mpq(0)], [False, False], [[mpq(-1), mpq(0)]])
    assert (away.status, away.values) == ("unbounded", (1, 1))
    assert simplex.solve([[mpq(-2)]], [mpq(-4)], [False]).values == (2,)


# --- rational functions and squares


@pytest.mark.parametrize(
    "value",
    [sp.Integer(3), a, (a + 1) / (b + 2), (a**2 - b) / (1 + a), a * b, 1 / (a + b)],
    ids=str,
)
def test_a_rational_function_is_guessed_from_its_values(value: Any) -> None:
    seen = [(one, Q(str(value.xreplace(one)))) for one in points(PLANE, 16)]
    assert sp.simplify(guess([a, b], seen) - value) == 0


def test_nothing_is_guessed_from_too_few_values_or_of_a_high_degree() -> None:
    at = points(Domain(positive(a)), 12)
    assert guess([a], [(one, Q(str(one[a] ** 3))) for one in at]) is None
    square_of = [(one, Q(str(one[a] ** 2))) for one in at]
    assert sp.expand(guess([a], square_of[:7]) - a**2) == 0
    assert guess([a], square_of[:6]) is None
    assert guess([a], [(one, Q(str(one[a]))) for one in at[:5]]) == a
    assert guess([a], [(one, Q(str(one[a]))) for one in at[:4]]) is None
    assert guess([a], [(one, Q(2)) for one in at[:3]]) == 2
    assert guess([a], [(one, Q(2)) for one in at[:2]]) is None


def test_the_squares_of_a_claim_are_proposed() -> None:
    pytest.importorskip("cvxpy")
    young_1 = Statement(u @ v <= u**2 / 2 + v**2 / 2, domain=Domain())
    (one,) = squares_for(young_1, [])
    assert one.fact in (square(u - v).fact, square(v - u).fact)
    two = squares_for(Statement(u @ v <= u**2 + v**2 / 2, domain=Domain()), [])
    assert len(two) == 2
    general = Statement(u @ v <= u**2 / (2 * a) + a / 2 * v**2, domain=Domain(positive(a), positive(b)))
    (one,) = squares_for(general, [])
    assert check(line(general.relation, [1 / (2 * a) * square(u - a * v)], domain=general.domain)).passed
    assert check(find(general, [one])).passed
    with pytest.raises(NotFound, match="no squares: add a fact or weaken the claim; none exist at") as found:
        squares_for(Statement(u @ v <= u**2 / 4 + v**2 / 4, domain=Domain()), [])
    assert found.value.kind == "infeasible"
    odd = Statement(2 * (u @ v) <= (1 + a**4) * u**2 / a + a * v**2 / (1 + a**4), domain=Domain(between(a, 0, 1)))
    with pytest.raises(NotFound, match="squares: name them yourself; no closed form was guessed") as found:
        squares_for(odd, [])
    assert found.value.kind == "not verified"


# --- worst cases


def test_values_equations_and_means_in_a_worst_case() -> None:
    pytest.importorskip("cvxpy")
    where = Domain(nonnegative(L2), nonnegative(rho))
    at = {L2: 4, rho: 1}
    y = vector("y", inside=True)
    short, _ = assume((y - u) ** 2 <= 9, "near")
    bound, _ = assume(f.slope(u) ** 2 <= Number(L2), "flat")
    fall = worst_case(f(u) - f(y), [weak_convexity(f, u, y), short, bound], at=at, domain=where)
    assert fall.value == pytest.approx(2 * 3 + 9 / 2, abs=1e-5)
    assert fall.status == "optimal"
    fixed, _ = assume((u @ v).equals(1), "product")
    small, _ = assume(u**2 + v**2 <= 4, "together")
    assert worst_case(-(u**2) - v**2 + Number(7), [fixed, small], at={}).value == pytest.approx(5, abs=1e-5)
    plane = worst_case(u**2 + v**2 - (u @ v), [small], at={})
    assert plane.value == pytest.approx(6, abs=1e-5)
    assert plane.dimension == 1
    wide = worst_case(
        (u - v) ** 2, [assume(u**2 <= 1, "u")[0], assume((v**2).equals(1), "v")[0], _right_angle()], at={}
    )
    assert (wide.dimension, round(wide.value, 5)) == (2, 2)
    noisy = worst_case(E(g_k @ x_k, PAST) - f.slope(x_k) @ x_k, [square(x_k)], at={}, scope=Scope.EVERY)
    assert noisy.value == pytest.approx(0, abs=1e-6)
    none = worst_case(u**2, [assume(u**2 <= -1, "nothing")[0]], at={})
    assert (none.status, none.dimension) == ("infeasible", 0)


def _right_angle() -> Any:
    return assume((u @ v).equals(0), "angle")[0]


# --- words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\langle a,b\rangle\le \|c\|^2", "<a,b><= |c|^2"),
        (r"\bar x_{k+1}", "x_bar_{k+1}"),
        (r"\hat x", "x_hat"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{a + b}{2}", "(a + b)/2"),
        (r"\frac{\alpha}{2 \lambda}", "alpha/(2 lambda)"),
        (r"\frac12", "1/2"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\sqrt{K + 1}", "sqrt(K + 1)"),
        (r"\mathcal{X}\in\mathbb{R}", "X in R"),
        (r"$k\ge1$", "k>=1"),
        (r"\left(a\right)\,\middle|\,b", "(a) | b"),
        (r"f^\star\to\infty", "f^* -> oo"),
        (r"f^\prime\nabla\Pi\dots", "f'gradprojection..."),
        (r"\leftarrow", "leftarrow"),
        (r"\{a\}\cdot b", "{a}. b"),
    ],
)
def test_a_formula_in_a_terminal(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_coefficient_times_something() -> None:
    assert [times(one, "x") for one in (sp.Integer(1), sp.Integer(-1), a, a + 1, sp.Integer(2))] == [
        *("x", "-1 * x", "a * x", "(a + 1) * x", "2 * x"),
    ]
    assert [times(one, "1") for one in (sp.Integer(1), sp.Integer(3), a + 1)] == ["1", "3", "(a + 1)"]


def test_the_names_of_terms() -> None:
    context = Context(ADMISSIBLE, Scope.LATE, (A1,), unbiased=False)

    def names(node: Any, given: Any = PATHWISE) -> list[str]:
        return sorted(describe(key) for key in context.mean(node, given))

    assert names(x_k**2 + x_k @ u + f(x_bar)) == ["<u, x_k>", "f(x_bar_k)", "|x_k|^2"]
    assert names(g_k**2, PAST) == ["E[|g_k|^2 | F_{k-1}]"]
    assert names(g_next**2, NOW) == ["E[|g_{k+1}|^2 | F_k]"]
    assert names(sample_at(2) ** 2, 1) == ["E[|g_{k+2}|^2 | F_{k+1}]"]
    assert names(g_k**2, TOTAL) == ["E[|g_k|^2]"]
    assert names(Number(1) + f_star) == ["1", "f^*"]
    assert names(f.slope(u) @ v) == ["<f'(u), v>"]
    assert isinstance(f.slope(u), Slope)


def sample_at(index: int) -> Any:
    from shbcore.proof.letters import sample

    return sample(index)


# --- ranges, signs, sequences


def test_a_domain_answers_about_its_parameters() -> None:
    where = Domain(positive(a), between(b, 0, a), defined(c, b**2), nonnegative(rho))
    assert [one.symbol for one in where.about({c})] == [a, b, c]
    assert where.about({rho}) == (nonnegative(rho),)
    assert where.also(positive(rho)).entries[3] == positive(rho)
    assert where.also(positive(nu)).entries[-1] == positive(nu)
    assert Range(a, b, c).uses == {b, c}
    assert (defined(a, b + c).uses, positive(a).uses) == ({b, c}, set())
    assert (where.ranges, where.definitions) == (where.entries[:2] + where.entries[3:], where.entries[2:3])
    al, al_next = sequence("alpha"), sequence("alpha", 1)
    steps = Domain(between(al_next, 0, al), defined(sequence("S"), 2 * al), positive(a))
    assert steps.started() == (
        between(sequence("alpha", 1, True), 0, sequence("alpha", 0, True)),
        defined(sequence("S", 0, True), 2 * sequence("alpha", 0, True)),
    )
    assert steps.started(1)[1] == defined(sequence("S", 1, True), 2 * sequence("alpha", 1, True))
    assert moved_entry(steps.entries[0], -1) == between(al, 0, sequence("alpha", -1))
    assert moved_entry(inverse_above(al, al_next), 1) == inverse_above(al_next, sequence("alpha", 2))
    assert moved_entry(positive(a), 1) is None
    assert [
        (one.strict, one.inverse, one.upper)
        for one in (positive(a), nonnegative(a), inverse_above(a, 1), inverse_at_least(a, 1), inverse_between(a, 0, 1))
    ] == [(True, False, None), (False, False, None), (True, True, None), (False, True, None), (False, True, 1)]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (a, (True, True)),
        (b, (True, True)),
        (1 - b, (True, False)),
        (2 - b, (True, True)),
        (rho, (True, False)),
        (rho + a, (True, True)),
        (rho * a, (True, False)),
        (a**2, (True, True)),
        (1 / a, (True, True)),
        (rho**2, (True, False)),
        (-a, (False, False)),
        (a - 1, (False, False)),
        (1 / lam - 2 * rho, (True, False)),
        (lam, (True, True)),
        (1 - 2 * lam * rho, (True, False)),
        (1 - 3 * lam * rho, (False, False)),
        (1 - b + b**2, (True, True)),
        (c, (True, True)),
        (c - 2, (True, False)),
        (sp.Integer(0), (True, False)),
        (sp.Integer(-1), (False, False)),
        ((b - 1) / (b - 2), (True, False)),
        (1 / (2 - b), (True, True)),
        (1 - 3 * rho + 8 * rho**2, (True, True)),  # it is lifted three times
        (1 - sp.Rational(7, 2) * rho + 8 * rho**2, (False, False)),  # true, but it would have to be lifted four times
    ],
    ids=str,
)
def test_a_sign_on_the_whole_domain(value: Any, found: tuple[bool, bool]) -> None:
    where = Domain(positive(a), between(b, 0, 1), nonnegative(rho), inverse_at_least(lam, 2 * rho), at_least(c, 2))
    assert parameters(where).sign(value) == found


def test_the_points_by_which_signs_are_refuted_lie_in_the_domain_and_at_its_edge() -> None:
    edges = (between(b, 0, 1), nonnegative(rho), inverse_at_least(lam, 2 * rho), at_least(c, 2))
    for entries in ((positive(a), *edges), (inverse_above(a, 1), inverse_between(b, 0, 1)), edges[:1]):
        where = Domain(*entries)
        at = parameters(where)
        assert len(at.points) == 4
        assert at.point() == at.points[0]
        for one in at.points:
            assert pinned(where, {symbol: one[symbol] for symbol in at.free})
    at = parameters(Domain(*edges))
    for edge in (1 - b, rho, 1 / lam - 2 * rho, c - 2):
        assert any(edge.xreplace(one) == 0 for one in at.points)
        assert any(edge.xreplace(one) > 0 for one in at.points)
    assert parameters(Domain(defined(a, 3))).points == [{a: 3}] * 4


def test_a_class_of_sequences_agrees_with_itself() -> None:
    one, two, three = (sequence("a", i) for i in (0, 1, 2))

    def agrees(*entries: Any, endless: bool = False) -> bool:
        with contextlib.suppress(Refused):
            parameters(Domain(*entries)).passes_on(endless=endless)
            return True
        with pytest.raises(Refused, match="is not shown to agree"):
            parameters(Domain(*entries)).passes_on(endless=endless)
        return False

    assert agrees(positive(one), positive(two))
    assert agrees(positive(one), between(two, 0, one))
    assert agrees(between(one, 0, 1), positive(two))
    assert agrees(positive(one), between(two, 0, one), endless=True)
    assert not agrees(at_least(one, 1), between(two, 0, 1), endless=True)
    assert not agrees(between(one, 0, 1), between(two, 1, 2))
    assert agrees(defined(one, 1), defined(two, 1))
    assert not agrees(defined(one, 1), defined(two, 2))
    assert not agrees(defined(one, 1), positive(two), endless=True)
    assert agrees(positive(one), between(two, 0, one), between(three, 0, two))
    assert agrees(inverse_at_least(one, 1), inverse_at_least(two, 1))
    assert agrees(inverse_at_least(one, 1), inverse_at_least(two, 2), endless=True)
    assert not agrees(inverse_at_least(one, 2), inverse_at_least(two, 1), endless=True)
    assert agrees(inverse_at_least(one, 2), inverse_at_least(two, 1))
