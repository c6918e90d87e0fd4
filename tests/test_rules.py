"""Small rules of the kernel, each on both sides of its edge: which letters exist, what a name means, signs, ranges, equality, words."""

import dataclasses
from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof import facts, forms, foundations, kernel
from shbcore.proof.domain import Definition, Range
from shbcore.proof.forms import FAR
from shbcore.proof.language import Direction, Iterate, Proximal, Sample, indexed
from shbcore.proof.letters import bar, d, p, prox, recursion, sample, trial_at, x, z
from shbcore.proof.lines import uniform

a, b, t = sp.symbols("a b t")
y = vector("y")


def squared(node: Any, scope: Scope, assumes: Any = (WEAKLY_CONVEX,)) -> Any:
    """Whether the kernel knows what a vector is: its square is not negative."""
    return check(line(Number(0) <= node**2, [1 * square(node)], domain=ADMISSIBLE, scope=scope, assumes=assumes))


# --- which letters exist: x_{-1} = x_0 is an iterate, there is no g_{-1} and no z_{-1}; from k = 1 on one more of each

EXISTS: list[tuple[Any, Scope, bool]] = [
    (x(-1), Scope.EVERY, True),
    (x(-2), Scope.EVERY, False),
    (x(-2), Scope.LATE, True),
    (x(-3), Scope.LATE, False),
    (x(-2), Scope.STEP, False),
    (x(0, True), Scope.FIRST, True),
    (x(-1, True), Scope.FIRST, False),
    (Direction(0), Scope.EVERY, True),
    (Direction(-1), Scope.EVERY, False),
    (Direction(-1), Scope.LATE, True),
    (Direction(-2), Scope.LATE, False),
    (Direction(0, True), Scope.FIRST, True),
    (Direction(-1, True), Scope.FIRST, False),
    (sample(0), Scope.EVERY, True),
    (sample(-1), Scope.EVERY, False),
    (sample(-1), Scope.LATE, True),
    (sample(-2), Scope.LATE, False),
    (sample(-1, True), Scope.FIRST, False),
    (sample(-1, True), Scope.RUN, False),
    (sample(0, True), Scope.RUN, True),
    (x(-2), Scope.RUN, True),
    (x(-2), Scope.SHORT_RUN, False),
    (Direction(-1), Scope.RUN_ANY, True),
    (Direction(-1), Scope.SHORT_RUN, False),
    (vector("u", FAR - 1), Scope.EVERY, True),
    (vector("u", FAR), Scope.EVERY, False),
    (vector("u", -FAR), Scope.EVERY, False),
    (vector("u", 1 - FAR), Scope.EVERY, True),
    (Iterate(0, 1), Scope.EVERY, False),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("node", "scope", "known"), EXISTS, ids=str)
def test_a_letter_exists_or_it_does_not(node: Any, scope: Scope, known: bool) -> None:
    found = squared(node, scope)
    assert found.passed is known, found.detail


# --- the recursion z_k = beta g_k + (1 - beta) d_k

RECURSION: list[tuple[int, bool, Scope, bool]] = [
    (0, False, Scope.STEP, True),
    (0, False, Scope.SHORT_RUN, True),
    (0, False, Scope.LATE, True),
    (0, False, Scope.RUN, True),
    (0, False, Scope.RUN_PRINTED, True),
    (0, False, Scope.RUN_ANY, True),
    (0, False, Scope.EVERY, False),
    (1, False, Scope.EVERY, True),
    (-1, False, Scope.LATE, False),
    (-1, False, Scope.RUN_ANY, False),
    (0, True, Scope.FIRST_REPAIRED, True),
    (0, True, Scope.FIRST, False),
    (0, True, Scope.FIRST_ANY, False),
    (1, True, Scope.FIRST, True),
    (1, True, Scope.FIRST_ANY, True),
]


@pytest.mark.parametrize(("index", "first", "scope", "available"), RECURSION)
def test_the_recursion_is_available_or_it_is_not(index: int, first: bool, scope: Scope, available: bool) -> None:
    found = squared(z(index, first), scope)
    assert found.passed is available, found.detail


def test_the_recursion_is_the_papers() -> None:
    for change in (sp.Rational(9, 10), sp.Rational(11, 10)):
        for wrong in (beta * change * g_k + (1 - beta) * d_k, beta * g_k + (1 - beta) * change * d_k):
            found = squared(Named("z_k", wrong, "recursion", 0), Scope.STEP)
            assert not found.passed
    assert squared(Named("z_k", recursion(), "recursion", 0), Scope.STEP).passed
    assert not squared(Named("z_k", recursion(), "recursion", 1), Scope.STEP).passed
    assert not squared(Named("z_k", recursion(), "because", 0), Scope.STEP).passed


PRINTED = Named("z_0", sample(0, first=True), "printed start", 0, True)


@pytest.mark.parametrize(
    ("scope", "available"),
    [
        (Scope.FIRST, True),
        (Scope.RUN_PRINTED, True),
        (Scope.FIRST_REPAIRED, False),
        (Scope.FIRST_ANY, False),
        (Scope.RUN, False),
    ],
)
def test_the_printed_start_belongs_to_its_scope(scope: Scope, available: bool) -> None:
    given = TOTAL if scope in (Scope.RUN, Scope.RUN_PRINTED) else PATHWISE
    found = check(line(Number(0) <= PRINTED**2, [1 * square(PRINTED)], given, scope=scope))
    assert found.passed is available, found.detail


@pytest.mark.parametrize(
    "wrong", [2 * sample(0, True), sample(1, True), x(0, True), sample(0, True) + d(1, True)], ids=str
)
def test_the_printed_start_is_the_first_sample(wrong: Any) -> None:
    named = Named("z_0", wrong, "printed start", 0, True)
    assert not check(line(Number(0) <= named**2, [1 * square(named)], scope=Scope.FIRST)).passed
    assert not squared(Named("z_1", sample(0, True), "printed start", 1, True), Scope.FIRST).passed
    assert not squared(Named("z_k", sample(0), "printed start", 0), Scope.EVERY).passed


# --- what is projected


@pytest.mark.parametrize(
    ("index", "first", "scope", "made"),
    [
        (1, False, Scope.EVERY, True),
        (0, False, Scope.EVERY, False),
        (0, False, Scope.STEP, False),
        (0, False, Scope.LATE, True),
        (-1, False, Scope.LATE, False),
        (1, True, Scope.FIRST_ANY, True),
        (0, True, Scope.FIRST_ANY, False),
    ],
)
def test_an_iterate_is_made_by_the_step_before(index: int, first: bool, scope: Scope, made: bool) -> None:
    at, from_ = x(index, first), trial_at(Direction(index - 1, first), index - 1, first)
    u = vector("u", inside=True)
    whole = line((at - u) ** 2 <= (from_ - u) ** 2, [1 * nonexpansive(at, from_, u)], assumes=(), scope=scope)
    found = check(whole)
    assert found.passed is made, found.detail


# --- names of the paper


@pytest.mark.parametrize(
    ("index", "first", "scope"),
    [
        (0, True, Scope.FIRST_ANY),
        (1, True, Scope.FIRST_ANY),
        (-1, False, Scope.LATE),
        (0, False, Scope.EVERY),
        (1, False, Scope.EVERY),
        (2, False, Scope.EVERY),
    ],
)
def test_a_prox_point_of_the_paper_is_that_of_the_extrapolated_point(index: int, first: bool, scope: Scope) -> None:
    own = prox(index, first)
    assert squared(own, scope).passed, squared(own, scope).detail
    name = indexed(r"\hat x", index, first)
    for wrong in (Proximal(name, f, lam, x(index, first) * 2), Proximal(name, f, lam / 2, bar(index, first))):
        assert not squared(wrong, scope).passed
    assert squared(Proximal("q", f, lam / 2, bar(index, first)), scope).passed


@pytest.mark.parametrize("node", [d(0), p(0), bar(0), d(1), bar(1)], ids=str)
def test_a_name_of_the_paper_means_what_the_paper_says(node: Named) -> None:
    assert squared(node, Scope.EVERY).passed
    assert not squared(dataclasses.replace(node, of=sp.Rational(11, 10) * node.of), Scope.EVERY).passed


@pytest.mark.parametrize("name", ["x_k", "g_k", "z_0", "d_{k+1}", r"\bar x_k", "f(x_k)", "12"])
def test_a_vector_of_ones_own_has_no_name_of_the_paper(name: str) -> None:
    assert not squared(vector(name), Scope.EVERY).passed
    assert squared(vector("x_a"), Scope.EVERY).passed


def test_samples_are_called_what_they_are() -> None:
    assert not squared(Sample(f, x_k, "g_{k+1}"), Scope.EVERY).passed
    assert squared(Sample(f, x_k, "h"), Scope.EVERY).passed


# --- equal is what is equal by its meaning


def test_equal_points_have_equal_values_however_they_are_written() -> None:
    for same in (2 * (x_k / 2), x_k + y - y, (x_k + y) - 1 * y):
        assert check(identity(f(same), f(x_k), scope=Scope.EVERY)).passed
    assert not check(identity(f(sp.Rational(11, 10) * x_k), f(x_k), scope=Scope.EVERY)).passed


def test_a_fingerprint_tells_statements_apart() -> None:
    def says(**change: Any) -> Statement:
        given: dict[str, Any] = {
            "relation": g_k**2 <= Number(L2),
            "given": PAST,
            "assumes": (A2,),
            "scope": Scope.EVERY,
        }
        return Statement(**(given | change))

    others = [
        says(relation=g_k**2 <= Number(L2 / 2)),
        says(given=TOTAL),
        says(assumes=()),
        says(scope=Scope.LATE),
        says(domain=ADMISSIBLE),
    ]
    assert len({one.fingerprint for one in (says(), *others)}) == 6
    assert says().fingerprint == says().fingerprint


@pytest.mark.parametrize(
    "kind",
    [
        facts.Fact,
        facts.Unfolded,
        Limit,
        Later,
        Induction,
        Summation,
        Line,
        Statement,
        Relation,
        Range,
        Definition,
        kernel.Term,
        forms.Key,
    ],
)
def test_what_was_checked_cannot_be_changed_afterwards(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen


# --- ranges


@pytest.mark.parametrize(
    ("entry", "value", "holds"),
    [
        (between(a, 1, 2), a - 1, True),
        (between(a, 1, 2), 2 - a, True),
        (between(a, 1, 2), a - sp.Rational(11, 10), False),
        (between(a, 1, 2), sp.Rational(19, 10) - a, False),
        (at_least(a, 2), a - 2, True),
        (at_least(a, 2), a - sp.Rational(21, 10), False),
        (inverse_at_least(a, 2), sp.Rational(1, 2) - a, True),
        (inverse_at_least(a, 2), sp.Rational(9, 20) - a, False),
        (inverse_between(a, 1, 2), a - sp.Rational(1, 2), True),
        (inverse_between(a, 1, 2), 1 - a, True),
        (inverse_between(a, 1, 2), sp.Rational(9, 10) - a, False),
        (inverse_between(a, 1, 2), a - sp.Rational(6, 10), False),
        (nonnegative(a), a, True),
        (nonnegative(a), -a, False),
        (defined(a, 3), a - 3, True),
        (defined(a, 3), a - 4, False),
    ],
)
def test_a_range_is_what_it_says(entry: Any, value: Any, holds: bool) -> None:
    assert check(sign(value, domain=Domain(entry))).passed is holds


@pytest.mark.parametrize(
    ("domain", "value", "holds"),
    [
        (Domain(positive(a)), 1 / a, True),
        (Domain(nonnegative(a)), 1 / a, False),
        (Domain(between(a, 0, 1)), 1 / a, True),
        (Domain(between(a, 0, 1)), 1 / (1 - a), False),
        (Domain(between(a, 0, 1)), 1 / (2 - a), True),
        (Domain(positive(a), positive(b)), 1 / (a - b) ** 2, False),
        (Domain(positive(a), at_least(b, a)), b - a, True),
        (Domain(at_least(b, a), positive(a)), b - a, True),
        (Domain(at_least(a, b), at_least(b, a)), a - a, False),
        (Domain(between(a, 2, 1)), a - a, False),
        (Domain(positive(b), between(a, b, 2 * b)), 2 * b - a, True),
        (Domain(defined(a, 1 / b), nonnegative(b)), a, False),
        (Domain(defined(a, 1 / b), positive(b)), a, True),
        (Domain(inverse_at_least(a, b), nonnegative(b)), 1 / a - b, True),
        (Domain(Range(a, -1, inverse=True)), a, False),
        (Domain(positive(a)), b, False),
        (Domain(nonnegative(a)), a**3, True),
        (Domain(between(a, 0, 1)), (a - sp.Rational(1, 2)) ** 3, False),
        (Domain(between(a, 0, 1)), (1 - 2 * a) ** 3, False),
        (Domain(nonnegative(a), nonnegative(b)), 1 / (a + b), False),
        (Domain(positive(a), nonnegative(b)), 1 / (a + b), True),
        (Domain(nonnegative(a), nonnegative(b)), 1 / (1 + a * b), True),
        (Domain(nonnegative(a), nonnegative(b)), 1 / (a * b + a), False),
        (Domain(positive(a), positive(b)), (1 - a + a**2) * (1 - b + b**2), True),
        (Domain(positive(a), positive(b)), (1 - a + a**2) * (b - 1), False),
    ],
    ids=str,
)
def test_a_division_is_justified_and_a_domain_is_sound(domain: Domain, value: Any, holds: bool) -> None:
    assert check(sign(value, domain=domain)).passed is holds


@pytest.mark.parametrize(
    ("value", "times", "holds"),
    [
        (1 - a + a**2, 0, True),
        (4 * a**2 - 4 * a + 1, 1, False),
        (1 + a**3 - a, 0, True),
        (10 * a**2 - 9 * a + 1, 0, False),
    ],
)
def test_a_polynomial_is_lifted_until_its_signs_show(value: Any, times: int, holds: bool) -> None:
    """On (0, 1]; a square that vanishes inside is out of reach, and a polynomial with a negative value is refused."""
    assert check(sign(value, domain=Domain(between(a, 0, 1)))).passed is holds


# --- fields, and what is recorded


def test_an_expectation_given_a_finer_field_stands_for_a_coarser_one_only_if_it_is_known_there() -> None:
    recondition(f(x_k), NOW, PAST, ADMISSIBLE)
    with pytest.raises(MeasurabilityError, match="is not known at F_"):
        recondition(g_k**2, NOW, PAST, ADMISSIBLE)
    for wrong in ({"domain": 0}, {"fine": "PAST"}, {"coarse": None}):
        given: dict[str, Any] = {"fine": NOW, "coarse": PAST, "domain": ADMISSIBLE, **wrong}
        with pytest.raises(ValueError, match=rf"{next(iter(wrong))} = .* must be a"):
            recondition(f(x_k), **given)


def test_membership_of_the_iterates_is_recorded_where_it_is_used() -> None:
    """An iterate lies in X by the method; a prox point by what it is."""

    def rests(point: Any) -> Any:
        whole = line(
            f_star <= f(point), [1 * infimum(f, point)], assumes=(BOUNDED_BELOW, WEAKLY_CONVEX), scope=Scope.EVERY
        )
        return check(whole).foundations

    assert foundations.METHOD in rests(x_k)
    assert foundations.METHOD in rests(x_k / 2 + x_hat / 2)
    assert foundations.METHOD not in rests(vector("u", inside=True))
    assert foundations.METHOD not in rests(x_hat)


def test_a_sample_at_letters_of_two_steps_is_not_replaced_by_its_mean() -> None:
    """Which of the two fields would be meant is not decided: refused, although it may be true."""
    at = x_k + x(0, True)
    own, other = Sample(f, at, "h"), vector("u", inside=True)
    mixed = Proximal("q", f, lam, at)
    for point, passes in ((other, True), (mixed, False)):
        whole = identity(own @ point, f.slope(at) @ point, given=TOTAL, scope=Scope.RUN, assumes=(A1, WEAKLY_CONVEX))
        assert check(whole).passed is passes, check(whole).detail


@pytest.mark.parametrize("of", [h_star, F_env], ids=str)
def test_an_envelope_is_that_of_the_objective(of: Any) -> None:
    own, wrong = (Function("G", role="envelope", of=one, envelope=lam) for one in (f, of))
    assert check(identity(own(x_k), own(x_k), scope=Scope.EVERY, assumes=(WEAKLY_CONVEX,))).passed
    assert not check(identity(wrong(x_k), wrong(x_k), scope=Scope.EVERY, assumes=(WEAKLY_CONVEX,))).passed


def test_one_statement_has_one_random_index() -> None:
    e, where = g_k**2, ADMISSIBLE.also(at_least(N, 1))
    term = 1 * uniform(e)
    one = line((N**2 * RandomIndex(e, False)).equals(Series(e)), [term], TOTAL, domain=where, scope=Scope.RUN)
    assert check(one).passed, check(one).detail
    two = RandomIndex(e, False) + RandomIndex(e, True)
    found = check(line(two.equals(two), [], TOTAL, domain=where, scope=Scope.RUN))
    assert not found.passed
    assert "two random indices" in found.detail


def test_a_statement_says_what_a_scope_looks_like() -> None:
    with pytest.raises(ValueError, match=r"scope = 'STEP' .*such as Scope\.STEP"):
        Statement(g_k**2 <= Number(L2), scope="STEP")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="given = 'PAST'") as refusal:
        Statement(g_k**2 <= Number(L2), given="PAST")  # type: ignore[arg-type]
    assert "Scope" not in str(refusal.value)
