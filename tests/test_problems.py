"""Every problem: subgradients, weak convexity with its rho, and L, sigma, G against maximisation over X."""

from dataclasses import dataclass

import numpy as np
import pytest

from shbcore.model import gallery
from shbcore.model.checks import Array
from shbcore.model.composite import RidgeSum
from shbcore.model.phase import RobustPhaseRetrieval, kinked_at, phase_retrieval
from shbcore.model.problems import FiniteSum, Known, Problem
from shbcore.model.sets import Ball, Box, ConvexSet, Simplex, WholeSpace
from shbcore.model.smooth import (
    GEMAN_MCCLURE,
    LOG,
    NoisyQuadratic,
    boundary_minimiser,
    indefinite_quadratic,
    rare_large_gradients,
    robust_regression,
)


@dataclass(frozen=True)
class Case:
    """A problem on a set; ``bend``: a point and a direction in which the curvature is -rho, where rho is claimed least."""

    problem: FiniteSum
    X: ConvexSet
    bend: tuple[Array, Array] | None = None


def top(matrix: Array) -> Array:
    return np.linalg.eigh(matrix)[1][:, -1]


def cases() -> dict[str, Case]:
    rng = np.random.default_rng(20)
    ball, box = Ball(1.5, np.zeros(3)), Box(-np.ones(3), np.array([1.0, 2.0, 0.5]))
    off = Ball(1.0, np.array([1.0, -1.0, 0.5]))
    weights = np.array([0.9, 0.05, 0.05, 0.0])
    clean = RobustPhaseRetrieval(rng.normal(size=(4, 3)), rng.random(4) + 0.1, weights)
    mixed = phase_retrieval(12, 3, 5.0, 0.5, rng).problem
    assert isinstance(mixed, RobustPhaseRetrieval)
    assert (mixed.b < 0).any()
    two, noisy = rng.normal(size=(2, 3)), indefinite_quadratic(5, 3, 0.7, rng)
    log = RidgeSum(two, np.array([0.3, -0.2]), LOG)
    mcclure = RidgeSum(two, np.array([0.3, -0.2]), GEMAN_MCCLURE, np.array([0.25, 0.75]))
    tail = gallery.ConditionalValueAtRisk(log, 0.6)
    pca, pca_ball, _ = gallery.robust_pca((2, 3), 1, 0.3, rng)
    tree = gallery.synchronisation(4, [(0, 1), (1, 2), (1, 3)], [0.5, -1.0, 2.0], [0.5, 0.25, 0.25])
    solve = lambda A, r: np.linalg.lstsq(A, r, rcond=None)[0]  # noqa: E731
    down = {L: solve(two, np.array([0.3, -0.2]) + s) for L, s in (("log", 3**0.5), ("mcclure", 1.0))}
    steep = top((log.A.T * log.weights) @ log.A)
    small = gallery.low_rank_recovery(8, 3, 1, 0.2, rng)
    landscape = gallery.landscapes(np.random.default_rng(5))
    far = WholeSpace(3)
    return {
        "phase, all b > 0, ball": Case(clean, ball, (np.zeros(3), top((clean.A.T * weights) @ clean.A))),
        "phase, all b > 0, box": Case(clean, box),
        "phase, outliers, ball off centre": Case(mixed, off),
        "phase, outliers, simplex": Case(mixed, Simplex(3, 2.0)),
        "phase, kinked at a point": Case(
            kinked_at(two, np.array([1.0, -0.5, 0.25])), ball, (np.zeros(3), top(two.T @ two))
        ),
        "quadratic, ball": Case(noisy, ball, (np.ones(3), np.linalg.eigh(noisy.Q)[1][:, 0])),
        "quadratic, ball off centre": Case(noisy, off),
        "quadratic, simplex": Case(noisy, Simplex(3, 2.0)),
        "rare large gradients": Case(rare_large_gradients(6.0, 2), WholeSpace(2)),
        "minimiser on the boundary": Case(*boundary_minimiser(3)[:2], (np.zeros(3), np.eye(3)[1])),
        "log loss, free residuals": Case(log, far, (down["log"], steep)),
        "Geman-McClure, free residuals": Case(
            mcclure, far, (down["mcclure"], top((two.T * mcclure.weights) @ mcclure.A))
        ),
        "log loss, box": Case(log, box),
        "robust regression, ball": Case(*robust_regression(9, 3, 0.3, rng, GEMAN_MCCLURE)[:2]),
        "CVaR, free residuals": Case(tail, Ball(2.0, np.zeros(4)), (np.append(down["log"], -9.0), np.append(steep, 0))),
        "CVaR, plane": Case(*landscape["CVaR"][:2]),
        "robust PCA": Case(
            pca, pca_ball, (9 * np.ones(5), np.array([3**0.5, 3**0.5, -(2**0.5), -(2**0.5), -(2**0.5)]))
        ),
        "robust PCA, plane": Case(*landscape["robust PCA"][:2], (9 * np.ones(2), np.array([1.0, -1.0]))),
        "low-rank recovery": Case(*small[:2]),
        "low-rank recovery, rank 2": Case(*gallery.low_rank_recovery(6, 2, 2, 0.2, rng)[:2]),
        "synchronisation, tree": Case(
            tree, far, (solve(tree.A, tree.b + np.pi), top((tree.A.T * tree.weights) @ tree.A))
        ),
        "synchronisation, complete": Case(*gallery.graph_synchronisation(4, 0.2, rng)[:2]),
        "least squares": Case(*gallery.nonlinear_least_squares(8, 0.2, rng)[:2]),
        "least absolute values": Case(*gallery.nonlinear_least_squares(8, 0.2, rng, "absolute")[:2]),
    }


CASES = cases()
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def points(case: Case, how_many: int, seed: int) -> Array:
    """Points of the set, or around 0 if it is unbounded; for the fit they stay in its domain."""
    draws = np.random.default_rng(seed).normal(0, 1.5, (how_many, case.problem.n))
    return case.X.project(draws)


@every_case
def test_protocol_and_finite_sum(case: Case) -> None:
    problem: Problem = case.problem
    x = points(case, 1, 0)[0]
    assert problem.values(x).shape == problem.weights.shape == (problem.m,)
    assert problem.subgradients(x).shape == (problem.m, problem.n)
    assert problem.value(x) == pytest.approx(float(sum(problem.weights * problem.values(x))), rel=1e-12)
    assert np.allclose(problem.mean_subgradient(x), problem.weights @ problem.subgradients(x))
    assert problem.smooth == (problem.known_smoothness().value < np.inf)


def gradient_errors(problem: FiniteSum, x: Array, scale: float = 1.0) -> Array:
    """Largest difference between a subgradient and central differences, over samples without a kink near x."""
    h = 1e-6
    steps = h * np.eye(problem.n)
    plus, minus = (np.stack([problem.values(x + s * e) for e in steps], axis=1) for s in (1, -1))
    smooth_here = np.all(np.abs(plus + minus - 2 * problem.values(x)[:, None]) < 1e-8, axis=1)
    return np.abs((plus - minus) / (2 * h) - scale * problem.subgradients(x))[smooth_here]


@every_case
def test_subgradients_against_finite_differences_off_the_kinks(case: Case) -> None:
    errors = [gradient_errors(case.problem, x) for x in points(case, 30, 1)]
    assert sum(e.size for e in errors) >= 0.5 * 30 * case.problem.m * case.problem.n
    assert max(e.max(initial=0.0) for e in errors) < 1e-6
    wrong = [gradient_errors(case.problem, x, scale=1.01) for x in points(case, 30, 1)]
    assert max(e.max(initial=0.0) for e in wrong) > 1e-4


def worst_pair(case: Case, rho: float, seed: int, shift: float = 0.0) -> float:
    r"""Least slack of f(y) >= f(x) + <g,y-x> - rho/2 |y-x|^2 over random pairs, near and far, relative to its terms."""
    rng, f = np.random.default_rng(seed), case.problem
    worst = np.inf
    for x in points(case, 40, seed):
        g, fx = f.mean_subgradient(x) + shift, f.value(x)
        for size in (1e-3, 1e-2, 0.1, 1.0, 3.0):
            y = x + size * rng.normal(size=f.n)
            if isinstance(f, gallery.ExponentialFit):
                y = f.domain.project(y)
            slack = f.value(y) - fx - g @ (y - x) + rho / 2 * np.sum((y - x) ** 2)
            worst = min(worst, slack / (1 + abs(fx) + abs(f.value(y))))
    return worst


@every_case
def test_weak_convexity_inequality_holds_with_rho(case: Case) -> None:
    rho = case.problem.rho
    assert worst_pair(case, rho, 2) >= -1e-12
    assert worst_pair(case, rho, 2, shift=0.5) < -1e-6  # a vector that is no subgradient is found out


@every_case
def test_rho_is_not_improvable_where_it_is_claimed_least(case: Case) -> None:
    known = case.problem.known_rho()
    if known.how == "certified bound" or known.value == 0:
        return
    if case.bend is None:  # the same problem on another set
        assert any(other.problem is case.problem and other.bend for other in CASES.values())
        return
    x, v = case.bend
    assert not improvable(case.problem, x, v, known.value)
    assert improvable(case.problem, x, v, 1.01 * known.value)


def improvable(f: FiniteSum, x: Array, v: Array, rho: float) -> bool:
    """Whether the midpoint inequality of Lemma 1 still holds with 0.999 rho at x in direction v."""
    step = 1e-2 * v / np.linalg.norm(v)
    slack = f.value(x + step) + f.value(x - step) - 2 * f.value(x) + 0.999 * rho * (step @ step)
    return slack >= 0


def test_every_claim_of_a_least_rho_was_tested() -> None:
    claimed = {id(c.problem) for c in CASES.values() if c.problem.known_rho().how == "closed form"}
    tested = {id(c.problem) for c in CASES.values() if c.bend or c.problem.rho == 0}
    assert claimed <= tested
    assert len(claimed) >= 8


def test_least_rho_of_phase_retrieval_for_any_b() -> None:
    """With negative b_i the usual rho is a bound; the signed one is enough, and is attained near 0."""
    for seed in range(5):
        f = phase_retrieval(6, 3, 3.0, 0.8, np.random.default_rng(seed)).problem
        assert isinstance(f, RobustPhaseRetrieval)
        least, usual = f.known_least_rho().value, f.known_rho()
        assert least < usual.value
        assert usual.how == "certified bound"
        assert worst_pair(Case(f, WholeSpace(3)), least, seed) >= -1e-12
        signed = (f.A.T * np.where(f.b > 0, f.weights, -f.weights)) @ f.A
        step = 1e-3 * top(signed)
        bend = f.value(step) + f.value(-step) - 2 * f.value(np.zeros(3))
        assert bend / 1e-6 == pytest.approx(-least, rel=1e-6)


def largest(case: Case, measure: str, seed: int = 3) -> float:
    """The largest value over X of what ``measure`` bounds, by random starts and a shrinking random search."""
    f, X, rng = case.problem, case.X, np.random.default_rng(seed)

    def size(x: Array) -> float:
        g, mean = f.subgradients(x), f.mean_subgradient(x)
        if measure == "G2":
            return float(mean @ mean)
        return float(f.weights @ np.sum((g - (mean if measure == "sigma2" else 0.0)) ** 2, axis=1))

    starts = X.project(rng.normal(0, 4, (200, f.n)))
    best = sorted(starts, key=size)[-3:]
    for i, x in enumerate(best):
        top_size = size(x)
        for step in np.geomspace(2, 1e-4, 400):
            y = X.project(x + step * rng.normal(size=f.n))
            if (candidate := size(y)) > top_size:
                x, top_size = y, candidate
        best[i] = x
    return max(size(x) for x in best)


@pytest.mark.parametrize("measure", ["L2", "sigma2", "G2"])
@every_case
def test_constants_against_maximisation_over_the_set(case: Case, measure: str) -> None:
    known: Known = getattr(case.problem, f"known_{measure}")(case.X)
    found = largest(case, measure)
    assert known.value == getattr(case.problem, measure)(case.X) == case.problem.constants(case.X)[measure].value
    assert found <= known.value * (1 + 1e-9) + 1e-12
    if known.how == "closed form":
        assert found >= 0.98 * known.value
    else:
        assert known.note
    assert known.value < np.inf


def test_closed_forms_are_many_enough_to_mean_something() -> None:
    hows = [c.problem.constants(c.X)[name].how for c in CASES.values() for name in ("L2", "sigma2", "G2")]
    assert hows.count("closed form") >= 18


def test_an_unbounded_set_makes_phase_retrieval_violate_A2() -> None:
    f = phase_retrieval(5, 2, 1.0, 0.0, np.random.default_rng(0)).problem
    assert f.known_L2(WholeSpace(2)).value == np.inf
    assert f.known_G2(WholeSpace(2)).value == np.inf


@every_case
def test_smoothness_constant(case: Case) -> None:
    f = case.problem
    if not f.smooth:
        return
    rho, x, y = f.known_smoothness().value, points(case, 50, 6), points(case, 50, 7)
    slopes = [(f.mean_subgradient(a) - f.mean_subgradient(b), a - b) for a, b in zip(x, y)]
    assert all(np.linalg.norm(change) <= rho * np.linalg.norm(step) + 1e-12 for change, step in slopes)
    assert rho >= f.rho


def test_least_smoothness_is_reached() -> None:
    quadratic, log = CASES["quadratic, ball"].problem, CASES["log loss, free residuals"].problem
    assert isinstance(log, RidgeSum)
    assert isinstance(quadratic, NoisyQuadratic)
    flat = np.linalg.lstsq(log.A, log.b, rcond=None)[0]
    for f, x, v in (
        (log, flat, top((log.A.T * log.weights) @ log.A)),
        (quadratic, flat, top(quadratic.Q @ quadratic.Q)),
    ):
        bend = (f.mean_subgradient(x + 1e-5 * v) - f.mean_subgradient(x - 1e-5 * v)) / 2e-5
        assert f.known_smoothness().how == "closed form"
        assert np.linalg.norm(bend) == pytest.approx(f.known_smoothness().value, rel=1e-6)
