"""Exact piecewise quadratics: value, subgradients, constants, prox and envelope, each by two ways."""

from fractions import Fraction as Q
from itertools import pairwise

import gmpy2
import numpy as np
import pytest

from shbcore.model.instances import KINDS, Instance, random_instance
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem, combine

CASES = [
    random_instance(kind, np.random.default_rng(seed), bounded=bounded)
    for kind in KINDS
    for seed in range(4)
    for bounded in (True, False)
]


def name(case: Instance) -> str:
    return f"{case.kind}, {'bounded' if case.X.hi is not None else 'unbounded'}"


def absolute() -> PiecewiseQuadratic:
    return PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


def sawtooth() -> PiecewiseQuadratic:
    """Curvature -1 between kinks at -1, 0, 1."""
    return PiecewiseQuadratic.build([-1, 0, 1], [0, -1, -1, 0], [2, 1, 2], slope=-1)


def grid(case: Instance, steps: int = 60) -> list[Q]:
    lo = case.X.lo if case.X.lo is not None else Q(-6)
    hi = case.X.hi if case.X.hi is not None else Q(6)
    return [lo + (hi - lo) * Q(i, steps) for i in range(steps + 1)]


def test_absolute_value_by_hand() -> None:
    f = absolute()
    assert [f.value(x) for x in (Q(-2), Q(0), Q(1, 3))] == [2, 0, Q(1, 3)]
    assert f.slopes(Q(0)) == (-1, 1)
    assert f.subgradient(Q(0)) == 0
    assert f.weak_convexity == 0
    huber = f.moreau(envelope=Q(1, 2))  # the Huber function
    assert huber.value(Q(1, 4)) == Q(1, 16)
    assert huber.value(Q(3)) == Q(11, 4)
    assert f.prox(Q(3), envelope=Q(1, 2)) == Q(5, 2)
    assert f.prox(Q(1, 3), envelope=Q(1, 2)) == 0


@pytest.mark.parametrize("case", CASES, ids=name)
def test_weak_convexity_inequality_holds_with_rho_and_not_with_less(case: Instance) -> None:
    f, rho = case.problem.mean, case.problem.rho
    points = grid(Instance("", case.problem, REAL_LINE, 0), 40) + list(f.breaks)

    def worst(constant: Q) -> Q:
        return min(
            f.value(y) - f.value(x) - f.subgradient(x) * (y - x) + constant * (y - x) ** 2 / 2
            for x in points
            for y in points
        )

    assert worst(rho) >= 0
    if rho > 0:
        assert worst(rho * Q(9, 10)) < 0


@pytest.mark.parametrize("case", CASES, ids=name)
def test_samples_average_to_the_mean(case: Instance) -> None:
    problem = case.problem
    for x in (*grid(case, 20), *problem.mean.breaks):
        assert sum(w * v for w, v in zip(problem.weights, problem.values(x))) == problem.value(x)
        mean = sum(w * g for w, g in zip(problem.weights, problem.subgradients(x)))
        left, right = problem.mean.slopes(x)
        assert mean == problem.mean_subgradient(x)
        assert left <= mean <= right


@pytest.mark.parametrize("case", CASES, ids=name)
def test_envelope_and_prox_agree_with_brute_force(case: Instance) -> None:
    """The prox against all candidates of a fine rational grid, all breaks and all stationary points, by value and by inclusion."""
    problem, X = case.problem, case.X
    for lam in (
        Q(1, 7),
        1 / (2 * problem.rho) if problem.rho else Q(3),
        2 / (3 * problem.rho) if problem.rho else Q(1, 2),
    ):
        smooth = problem.moreau(X, envelope=lam)
        for x in (Q(-7), Q(-5, 3), Q(0), Q(1, 2), Q(9, 4), Q(8)):
            point, value = x - lam * smooth.subgradient(x), smooth.value(x)
            assert X.contains(point)
            assert value == problem.value(point) + (point - x) ** 2 / (2 * lam)
            left, right = problem.mean.slopes(point)
            pull = (point - x) / lam
            assert point == X.lo or left + pull <= 0
            assert point == X.hi or right + pull >= 0
            assert all(value <= problem.value(y) + (y - x) ** 2 / (2 * lam) for y in grid(case))


@pytest.mark.parametrize("case", CASES, ids=name)
def test_constants_are_the_suprema(case: Instance) -> None:
    """L^2, sigma^2, G^2 and f*: never exceeded on a grid, and attained in the limit at one of its points or one-sided limits."""
    problem, X = case.problem, case.X
    near = [x + s * Q(1, 10**9) for x in (*problem.mean.breaks, X.lo, X.hi) if x is not None for s in (-1, 0, 1)]
    points = [x for x in (*grid(case), *near) if X.contains(x)]
    rows = [problem.subgradients(x) for x in points]
    second = [sum(w * g * g for w, g in zip(problem.weights, row)) for row in rows]
    means = [sum(w * g for w, g in zip(problem.weights, row)) for row in rows]
    assert min(map(problem.value, points)) >= problem.f_star(X) if case.kind != "linear noise" or X.hi else True
    bounds = [(problem.sigma2, [s - g * g for s, g in zip(second, means)])]
    if case.kind != "smooth" or X.hi is not None:
        bounds += [(problem.L2, second), (problem.G2, [g * g for g in means])]
    for bound, seen in bounds:
        assert 0 <= bound(X) - max(seen) < Q(1, 10**6)


def test_minimum_is_exact_inside_at_a_kink_at_an_end_and_refused_at_infinity() -> None:
    parabola = PiecewiseQuadratic((), ((Q(2), Q(-1), Q(0)),))
    assert parabola.minimum() == (Q(-1, 4), Q(1, 2))
    assert parabola.minimum(Interval(1, 3)) == (0, 1)
    assert absolute().minimum(Interval(-1, 5)) == (0, 0)
    with pytest.raises(ValueError, match="unbounded below"):
        PiecewiseQuadratic.build((), [0], slope=1).minimum(Interval(None, 1))


def test_boundary_instances_have_their_minimiser_on_the_boundary() -> None:
    for case in CASES:
        if case.kind == "boundary":
            assert case.problem.mean.minimum(case.X)[1] == case.X.lo


def test_smooth_instances_are_smooth_and_their_smoothness_is_sharp() -> None:
    for case in CASES:
        if case.kind == "smooth":
            f = case.problem.mean
            points = sorted({*grid(case, 40), *f.breaks, Q(-7), Q(-8), Q(7), Q(8)})
            ratios = [abs(f.subgradient(y) - f.subgradient(x)) / (y - x) for x, y in pairwise(points)]
            assert max(ratios) <= f.smoothness
            assert max(abs(a) for a, _, _ in f.pieces) == f.smoothness
    with pytest.raises(ValueError, match="kinks"):
        _ = absolute().smoothness


@pytest.mark.parametrize("rho", [Q(1), Q(3, 2)])
def test_envelope_curvature_attains_the_constant_of_lemma_2(rho: Q) -> None:
    r"""F_lambda is max(1/lambda, rho/(1-lambda rho))-smooth; this is 1/lambda exactly when 1/lambda >= 2 rho."""
    hill = PiecewiseQuadratic((), ((-rho, Q(0), Q(0)),))
    for ratio in (Q(5, 4), Q(3, 2), Q(2), Q(3)):
        lam = 1 / (ratio * rho)
        assert hill.moreau(envelope=lam).smoothness == rho / (1 - lam * rho)
        assert absolute().moreau(envelope=lam).smoothness == 1 / lam
        assert (rho / (1 - lam * rho) <= 1 / lam) == (ratio >= 2)


@pytest.mark.parametrize("number", [gmpy2.mpq, float])
def test_other_number_types_agree_with_fractions(number: type) -> None:
    for case in CASES[::3]:
        other = case.problem.to(number)
        lam = 1 / (2 * case.problem.rho + 1)
        X = Interval(*(None if end is None else number(end) for end in (case.X.lo, case.X.hi)))
        for x in grid(case, 12):
            value = case.problem.moreau(case.X, envelope=lam).value(x)
            same = other.moreau(X, envelope=number(lam)).value(number(x))
            assert type(same) is type(number(1))
            assert same == value if number is gmpy2.mpq else abs(same - value) <= 1e-12 * (1 + abs(value))


def test_interval_projection_and_membership() -> None:
    X = Interval(-1, Q(1, 2))
    assert [X.project(x) for x in (Q(-3), Q(0), Q(2))] == [-1, 0, Q(1, 2)]
    assert X.contains(Q(1, 2))
    assert not X.contains(Q(51, 100))
    assert X.diameter == Q(3, 2)
    assert REAL_LINE.project(Q(10**9)) == 10**9


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PiecewiseQuadratic.build([0], [0, 0], [-2], slope=1), "weak convexity"),
        (lambda: PiecewiseQuadratic((0,), ((0, 0, 0), (0, 0, 1))), "continuous"),
        (lambda: PiecewiseQuadratic((1, 0), ((0, 0, 0),) * 3), "increase"),
        (lambda: PiecewiseQuadratic((), ()), "pieces"),
        (lambda: PiecewiseQuadratic((), ((float("nan"), 0, 0),)), "pieces = nan must be finite"),
        (lambda: PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1, at_kinks=[2]), r"subdifferential.*A1"),
        (lambda: PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1, at_kinks=[]), "at_kinks"),
        (lambda: Interval(2, 1), "not empty"),
        (lambda: Interval(float("nan"), 1), "finite"),
        (lambda: RationalProblem(()), "samples.*at least 1"),
        (lambda: RationalProblem((absolute(),), (Q(1, 2),)), "sum 1"),
        (lambda: RationalProblem((absolute(),) * 2, (Q(3, 2), Q(-1, 2))), "positive"),
        (lambda: sawtooth().moreau(envelope=1), "weak_convexity"),
        (lambda: sawtooth().moreau(envelope=Q(-1)), "envelope"),
        (lambda: RationalProblem((PiecewiseQuadratic.build((), [1]),)).L2(REAL_LINE), r"\(A2\)"),
        (
            lambda: RationalProblem((PiecewiseQuadratic.build((), [1]), PiecewiseQuadratic.build((), [2]))).sigma2(
                REAL_LINE
            ),
            r"\(A3\)",
        ),
        (lambda: random_instance("odd", np.random.default_rng(0)), "kind"),
    ],
)
def test_bad_input_is_refused_by_name(make: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()  # type: ignore[operator]


def test_a_sum_keeps_every_kink() -> None:
    total = combine([Q(1, 2), Q(2)], [absolute(), sawtooth()])
    assert total.breaks == (-1, 0, 1)
    for x in (Q(-2), Q(-1, 2), Q(1, 3), Q(4)):
        assert total.value(x) == absolute().value(x) / 2 + 2 * sawtooth().value(x)
