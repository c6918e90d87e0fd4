r"""The Moreau envelope of every problem on every set: lower and upper bound, distance, and agreement of independent methods."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from shbcore.model import gallery
from shbcore.model.checks import Array
from shbcore.model.instances import KINDS, random_instance
from shbcore.model.phase import phase_retrieval
from shbcore.model.problems import FiniteSum, Instance
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball, Box, ConvexSet, HalfSpace, Simplex, WholeSpace
from shbcore.model.smooth import boundary_minimiser, indefinite_quadratic, robust_regression
from shbcore.numerics import bundle
from shbcore.numerics.envelope import Prox, moreau, moreau_many


def problems() -> dict[str, Instance]:
    rng = np.random.default_rng(30)
    quadratic = indefinite_quadratic(10, 4, 1.0, rng)
    return {
        "robust PCA": gallery.robust_pca((3, 3), 1, 0.2, rng),
        "low-rank recovery": gallery.low_rank_recovery(30, 4, 2, 0.1, rng),
        "CVaR": gallery.conditional_value_at_risk(30, 4, 0.8, rng),
        "synchronisation": gallery.graph_synchronisation(6, 0.1, rng),
        "phase retrieval": phase_retrieval(25, 5, 2.0, 0.2, rng),
        "robust regression": robust_regression(30, 5, 0.1, rng),
        "quadratic": Instance(quadratic, Ball(1.0, np.zeros(4)), np.zeros(4)),
        "boundary": boundary_minimiser(4),
    }


PROBLEMS = problems()


def sets(n: int) -> dict[str, ConvexSet]:
    rng = np.random.default_rng(31)
    return {
        "space": WholeSpace(n),
        "ball": Ball(0.6, 0.2 * rng.standard_normal(n)),
        "box": Box(np.full(n, -0.3), np.full(n, 0.4)),
        "half-space": HalfSpace(rng.standard_normal(n), -0.2),
        "simplex": Simplex(n),
    }


def objective(problem: FiniteSum, y: Array, z: Array, envelope: float) -> float:
    return problem.value(z) + float((z - y) @ (z - y)) / (2 * envelope)


def consistent(problem: FiniteSum, X: ConvexSet, y: Array, envelope: float, at: Prox, trials: list[Array]) -> bool:
    r"""No point of :math:`X` goes below the lower bound, and :math:`\Phi(z)\ge\mathrm{value}-\mathrm{gap}+\tfrac\kappa2(\|z-p\|-r)_+^2`."""
    kappa = 1 / envelope - problem.rho
    scale = 1e-12 * (1 + abs(at.value) + float(y @ y) / envelope)
    for z in trials:
        away = max(float(np.linalg.norm(z - at.point)) - at.radius, 0.0)
        if objective(problem, y, z, envelope) < at.value - at.gap + kappa / 2 * away**2 - scale:
            return False
    return True


@pytest.mark.parametrize("kind", ["own", "space", "ball", "box", "half-space", "simplex"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_gap_is_small_and_no_point_of_the_set_contradicts_it(name: str, kind: str) -> None:
    problem, own, truth = PROBLEMS[name]
    X = own if kind == "own" else sets(problem.n)[kind]
    rho, rng = max(problem.rho, 0.1), np.random.default_rng(32)
    for stretch in (1.2, 2.0, 10.0):
        for spread in (0.1, 1.0):
            y = truth + spread * rng.standard_normal(problem.n)
            at = moreau(problem, X, y, envelope=1 / (stretch * rho))
            assert X.contains(at.point, 1e-12)
            assert at.value == pytest.approx(objective(problem, y, at.point, 1 / (stretch * rho)), rel=1e-13)
            assert 0 <= at.gap <= 1e-10 * (abs(at.value) + float(y @ y) * stretch * rho)
            nearby = [at.point + 10.0**-k * rng.standard_normal(problem.n) for k in range(6) for _ in range(10)]
            trials = [X.project(z) for z in [y, truth, *nearby]]
            assert consistent(problem, X, y, 1 / (stretch * rho), at, trials)
            low = replace(
                at, value=at.value + 1e-6 * stretch * rho
            )  # a bound too high is contradicted by the point itself
            assert not consistent(problem, X, y, 1 / (stretch * rho), low, [at.point])


@pytest.mark.parametrize(
    "name", ["nonlinear least squares", "robust PCA", "low-rank recovery", "CVaR", "graph synchronisation"]
)
def test_a_grid_in_the_plane_finds_the_same_envelope(name: str) -> None:
    problem, X, truth = gallery.landscapes(np.random.default_rng(33))[name]
    envelope = 1 / (2 * problem.rho)
    y = truth + np.array([0.3, -0.2])
    at = moreau(problem, X, y, envelope=envelope)
    centre, best = at.point, np.inf
    for width in (1.0, 0.03, 1e-3):  # a coarse grid, then finer ones about its own best point
        offsets = np.linspace(-width, width, 41)
        grid = X.project(centre + np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2) + width * 0.013)
        values = [objective(problem, y, z, envelope) for z in grid]
        centre, best = grid[int(np.argmin(values))], min(best, *values)
    assert at.value - at.gap <= best
    assert best - at.value <= 1e-3 * (1 + abs(at.value))
    assert np.linalg.norm(centre - at.point) <= 0.05


@pytest.mark.parametrize("kind", ["space", "ball"])
def test_cutting_planes_and_interior_point_agree_on_phase_retrieval(kind: str) -> None:
    problem, _, truth = PROBLEMS["phase retrieval"]
    X, rng, rho = sets(5)[kind], np.random.default_rng(34), problem.rho
    for _ in range(10):
        y = truth + rng.standard_normal(5)
        at = moreau(problem, X, y, envelope=1 / (2 * rho), tol=1e-14)
        point, value, gap = bundle.minimise(
            problem.value, problem.mean_subgradient, X, y, envelope=1 / (2 * rho), weak_convexity=rho, tol=1e-13
        )
        assert abs(value - at.value) <= gap + at.gap + 1e-13
        assert np.linalg.norm(point - at.point) <= at.radius + np.sqrt(2 * gap / rho)


@pytest.mark.parametrize("name", ["robust regression", "quadratic", "boundary"])
@pytest.mark.parametrize("kind", ["space", "ball", "box", "simplex"])
def test_cutting_planes_and_gradients_agree_on_smooth_problems(name: str, kind: str) -> None:
    problem, _, truth = PROBLEMS[name]
    X, rho = sets(problem.n)[kind], max(problem.rho, 0.1)
    y = truth + np.random.default_rng(35).standard_normal(problem.n)
    at = moreau(problem, X, y, envelope=1 / (2 * rho))
    _, value, gap = bundle.minimise(
        problem.value, problem.mean_subgradient, X, y, envelope=1 / (2 * rho), weak_convexity=rho, tol=1e-12
    )
    assert at.radius <= 1e-8
    assert abs(value - at.value) <= gap + at.gap + 1e-13
    assert gap <= 1e-9


def test_a_weak_convexity_too_small_gives_a_bound_that_a_point_contradicts() -> None:
    problem, X, _ = PROBLEMS["low-rank recovery"]
    rho, rng, caught = problem.rho, np.random.default_rng(36), 0
    for _ in range(20):
        y = 0.5 * rng.standard_normal(problem.n)
        right = moreau(problem, X, y, envelope=1 / (2 * rho))
        _, value, gap = bundle.minimise(
            problem.value, problem.mean_subgradient, X, y, envelope=1 / (2 * rho), weak_convexity=-rho, tol=1e-12
        )
        caught += value - gap > right.value + right.gap
    assert caught > 0


def test_the_exact_envelope_has_no_gap_and_floats_agree_with_it() -> None:
    half = Fraction(1, 2)
    kink = PiecewiseQuadratic((Fraction(-1), Fraction(1)), ((2, 0, -1), (-2, 0, 1), (2, 0, -1)))  # |x^2 - 1|
    problem, X = RationalProblem((kink,)), Interval(Fraction(-2), Fraction(3, 4))
    at = moreau(problem, X, Fraction(1, 4), envelope=Fraction(1, 4))
    assert at == Prox(half, Fraction(7, 8), 0, 0)
    assert isinstance(at.value, Fraction)
    assert moreau_many(problem, X, [Fraction(1, 4)] * 2, envelope=Fraction(1, 4)) == [at, at]
    phase = phase_retrieval(1, 1, 1.0, 0.0, np.random.default_rng(0)).problem
    phase = replace(phase, A=np.ones((1, 1)), b=np.ones(1))
    floating = moreau(phase, Ball(1.375, np.array([-0.625])), np.array([0.25]), envelope=0.25, tol=1e-15)
    assert floating.value == pytest.approx(7 / 8, abs=1e-13)
    assert abs(floating.point[0] - 0.5) <= floating.radius + 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_the_exact_envelope_is_below_every_rational_point(kind: str) -> None:
    rng, y = np.random.default_rng(37), Fraction(1, 3)
    for _ in range(10):
        problem, X = (instance := random_instance(kind, rng)).problem, instance.X
        lam = Fraction(1, 2) / max(problem.rho, Fraction(1, 4))
        at = moreau(problem, X, y, envelope=lam)
        others = [X.project(Fraction(k, 16)) for k in range(-64, 65)]
        phi = {z: problem.value(z) + (z - y) ** 2 / (2 * lam) for z in [*others, at.point]}
        assert phi[at.point] == at.value
        assert all(phi[z] >= at.value + (1 / lam - problem.rho) / 2 * (z - at.point) ** 2 for z in others)
        assert not all(value >= at.value + Fraction(1, 10**6) for value in phi.values())


def test_many_points_are_the_points_one_by_one() -> None:
    rng = np.random.default_rng(38)
    for name in ("phase retrieval", "CVaR", "robust regression"):
        problem, X, truth = PROBLEMS[name]
        envelope = 1 / (2 * problem.rho)
        Y = truth + 0.1 * rng.standard_normal((6, problem.n))
        for y, at in zip(Y, moreau_many(problem, X, Y, envelope=envelope), strict=True):
            alone = moreau(problem, X, y, envelope=envelope)
            assert abs(at.value - alone.value) <= at.gap + alone.gap + 1e-14
            assert np.linalg.norm(at.point - alone.point) <= at.radius + alone.radius + 1e-14


@pytest.mark.parametrize("kind", ["space", "ball", "simplex"])
def test_phase_retrieval_without_kinks_or_on_another_set_is_served(kind: str) -> None:
    problem = replace(PROBLEMS["phase retrieval"].problem, b=-np.ones(25))
    at = moreau(problem, sets(5)[kind], np.ones(5), envelope=0.3)
    assert at.gap <= 1e-11 * abs(at.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"envelope": 10.0}, ["envelope", "10.0", "1/lambda > rho"]),
        ({"envelope": -1.0}, ["envelope", "-1.0", "positive"]),
        ({"envelope": float("nan")}, ["envelope", "nan", "finite"]),
        ({"y": np.ones(4)}, ["y.shape", "4", "R^5"]),
        ({"y": np.full(5, np.nan)}, ["y", "nan", "finite"]),
        ({"X": WholeSpace(4)}, ["X.n", "4", "n = 5"]),
        ({"tol": 0.0}, ["tol", "0.0", "positive"]),
    ],
)
def test_bad_input_names_the_argument_and_the_range(change: dict[str, object], words: list[str]) -> None:
    arguments = {"X": WholeSpace(5), "y": np.ones(5), "envelope": 0.01, "tol": 1e-10, **change}
    problem = PROBLEMS["phase retrieval"].problem
    for call, y in ((moreau, arguments["y"]), (moreau_many, np.array([arguments["y"]]))):
        with pytest.raises(ValueError) as error:
            call(problem, arguments["X"], y, envelope=arguments["envelope"], tol=arguments["tol"])  # type: ignore[operator]
        assert all(word.lower() in str(error.value).lower() for word in words)
