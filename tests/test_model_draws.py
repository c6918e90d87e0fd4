"""What a seed draws, and problems of one's own, at their edges."""

import math
from typing import Any

import numpy as np
import pytest
from refusal import message

from shbcore.model import gallery, own
from shbcore.model.composite import AbsoluteQuadratics, RidgeSum
from shbcore.model.phase import phase_retrieval
from shbcore.model.problems import Known
from shbcore.model.rational import PiecewiseQuadratic
from shbcore.model.sets import Ball, Box, WholeSpace
from shbcore.model.smooth import GEMAN_MCCLURE, LOG, indefinite_quadratic, rare_large_gradients, robust_regression

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


# --- what a seed draws


def test_robust_regression_is_drawn_as_it_says() -> None:
    f, X, truth = robust_regression(50, 3, 0.4, np.random.default_rng(3), GEMAN_MCCLURE)
    rng = np.random.default_rng(3)
    x = rng.standard_normal(3)
    x /= np.linalg.norm(x)
    A, hit, error = rng.standard_normal((50, 3)), rng.random(50) < 0.4, 5 * rng.standard_normal(50)
    assert isinstance(f, RidgeSum)
    assert np.allclose(truth, x)
    assert np.array_equal(f.A, A)
    assert np.allclose(f.b, A @ x + hit * error)
    assert f.loss is GEMAN_MCCLURE
    assert isinstance(X, Ball)
    assert (X.radius, X.centre.tolist()) == (2.0, [0.0] * 3)


def test_an_indefinite_quadratic_is_drawn_as_it_says() -> None:
    f = indefinite_quadratic(4, 3, 0.5, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    basis, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    assert np.allclose(f.Q, basis @ np.diag([-1.0, 0.0, 1.0]) @ basis.T)
    noise = rng.standard_normal((4, 3))
    noise -= noise.mean(axis=0)
    noise *= 0.5 / np.sqrt(np.mean(np.sum(noise**2, axis=1)))
    assert np.allclose(f.c, rng.standard_normal(3) / math.sqrt(3) + noise)
    assert indefinite_quadratic(2, 1, 0.0, rng).sigma2(WholeSpace(1)) == 0
    assert "sigma = -1 must be at least 0" in message(lambda: indefinite_quadratic(2, 1, -1, rng))


def test_a_decay_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.nonlinear_least_squares(40, 0.3, np.random.default_rng(2))
    rng = np.random.default_rng(2)
    t = np.linspace(0, 3, 40)
    y = 1.5 * np.exp(-t) + 0.02 * rng.standard_normal(40)
    y += (rng.random(40) < 0.3) * rng.standard_normal(40)
    assert isinstance(f, gallery.ExponentialFit)
    assert np.array_equal(f.t, t)
    assert np.allclose(f.y, y)
    assert f.outer == "square"
    assert truth.tolist() == [1.5, 1.0]
    assert X is f.domain
    assert (f.domain.lower.tolist(), f.domain.upper.tolist()) == ([0.0, 0.5], [2.0, 2.0])


def test_a_matrix_with_errors_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.robust_pca((2, 3), 2, 0.5, np.random.default_rng(4), repeats=2)
    rng = np.random.default_rng(4)
    factors = rng.standard_normal((5, 2))
    M = np.repeat((factors[:2] @ factors[2:].T).ravel(), 2)
    M += (rng.random(12) < 0.5) * 5 * rng.standard_normal(12)
    assert isinstance(f, AbsoluteQuadratics)
    assert np.allclose(f.offset, -M)
    assert np.array_equal(truth, factors.ravel())
    wanted = np.repeat((factors[:2] @ factors[2:].T).ravel(), 2)
    assert np.allclose(f.quadratics(truth), wanted - M), "every entry twice, in this order"
    assert isinstance(X, Ball)
    assert X.radius == pytest.approx(2 * np.linalg.norm(factors))
    assert not X.centre.any()
    assert gallery.robust_pca((1, 1), 1, 0.0, rng).problem.m == 1


def test_measurements_of_a_matrix_are_drawn_as_they_say() -> None:
    f, X, truth = gallery.low_rank_recovery(6, 3, 2, 0.5, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    U, A = rng.standard_normal((3, 2)), rng.standard_normal((6, 3, 3))
    error = (rng.random(6) < 0.5) * 5 * rng.standard_normal(6)
    assert np.array_equal(truth, U.ravel())
    measured = np.array([np.sum(S * (U @ U.T)) for S in A])
    assert isinstance(f, AbsoluteQuadratics)
    assert np.allclose(f.offset, -(measured + error))
    assert np.allclose(f.quadratics(truth), -error)
    assert isinstance(X, Ball)
    assert X.radius == pytest.approx(2 * np.linalg.norm(U))
    assert X.n == 6


def test_a_tail_risk_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.conditional_value_at_risk(30, 2, 0.8, np.random.default_rng(6))
    losses, _, x = robust_regression(30, 2, 0.1, np.random.default_rng(6), LOG)
    assert isinstance(f, gallery.ConditionalValueAtRisk)
    assert isinstance(losses, RidgeSum)
    assert np.array_equal(f.losses.b, losses.b)
    tau = np.quantile(losses.values(x), 0.8)
    assert np.array_equal(truth, [*x, tau])
    assert isinstance(X, Ball)
    assert (X.radius, X.n) == (2.0 + tau, 3)


def test_a_graph_of_angles_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.graph_synchronisation(5, 0.4, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    theta = rng.uniform(-2, 2, 4)
    angle, pairs = np.append(0.0, theta), [(i, j) for i in range(5) for j in range(i + 1, 5)]
    clean = np.array([angle[i] - angle[j] for i, j in pairs]) + 0.05 * rng.standard_normal(10)
    hit, wrong = rng.random(10) < 0.4, rng.uniform(-np.pi, np.pi, 10)
    assert isinstance(f, RidgeSum)
    assert np.array_equal(truth, theta)
    assert np.allclose(f.b, np.where(hit, wrong, clean))
    assert isinstance(X, Box)
    assert np.array_equal(X.upper, np.full(4, np.pi))
    assert np.array_equal(X.lower, -X.upper)
    assert gallery.graph_synchronisation(2, 0.0, rng).problem.m == 1
    assert "nodes = 1 must be an integer >= 2" in message(lambda: gallery.graph_synchronisation(1, 0.0, rng))


def test_the_landscapes_are_one_small_instance_of_each_application() -> None:
    found, rng = gallery.landscapes(np.random.default_rng(8)), np.random.default_rng(8)
    wanted = {
        "robust phase retrieval": phase_retrieval(20, 2, 2.0, 0.1, rng),
        "nonlinear least squares": gallery.nonlinear_least_squares(12, 0.1, rng),
        "robust PCA": gallery.robust_pca((1, 1), 1, 0.2, rng, repeats=9),
        "low-rank recovery": gallery.low_rank_recovery(12, 2, 1, 0.1, rng),
        "CVaR": gallery.conditional_value_at_risk(20, 1, 0.8, rng),
        "graph synchronisation": gallery.graph_synchronisation(3, 0.0, rng),
    }
    assert list(found) == list(wanted)
    at = np.array([0.3, 0.7])
    for name, one in found.items():
        assert one.problem.values(at).tolist() == wanted[name].problem.values(at).tolist(), name
        assert one.truth.tolist() == wanted[name].truth.tolist()


# --- problems of one's own


def _own(**more: Any) -> own.OwnProblem:
    """f(x) = w_0 x^2/2 + w_1 (-x^2/2 + 2x), weights 1/4 and 3/4."""
    return own.from_functions(
        lambda x, i: float(x @ x) / 2 if i == 0 else float(2 * x[0] - x @ x / 2),
        lambda x, i: x if i == 0 else 2 - x,
        n=1,
        m=2,
        weights=[0.25, 0.75],
        **more,
    )


def test_a_problem_of_ones_own_is_a_weighted_sum() -> None:
    f, x = _own(), np.array([3.0])
    assert f.values(x).tolist() == [4.5, 1.5]
    assert f.value(x) == pytest.approx(0.25 * 4.5 + 0.75 * 1.5)
    assert f.subgradients(x).tolist() == [[3.0], [-1.0]]
    assert f.subgradient(x, 1).tolist() == [-1.0]
    for i in (-1, 2):
        assert f"i = {i} must" in message(lambda i=i: f.subgradient(x, i))
    assert f.known_smoothness().value == math.inf
    assert _own(smoothness=1.0).smoothness == 1
    told = _own(L2=9.0, sigma2=4.0, G2=1.0)
    ball = Ball(1.0, np.zeros(1))
    assert (told.L2(ball), told.sigma2(ball), told.G2(ball)) == (9.0, 4.0, 1.0)
    part = _own(L2=9.0)
    assert (part.sigma2(ball), part.G2(ball)) == (9.0, 9.0)
    for name in ("known_L2", "known_sigma2", "known_G2"):
        assert "X.n = 2 must equal" in message(lambda n=name: getattr(told, n)(Ball(1.0, np.zeros(2))))


def test_the_first_sample_is_asked_for_when_a_problem_is_made() -> None:
    asked: list[tuple[str, int, list[float]]] = []

    def value(x: Any, i: int) -> float:
        asked.append(("value", i, x.tolist()))
        return 0.0

    def subgradient(x: Any, i: int) -> Any:
        asked.append(("subgradient", i, x.tolist()))
        return x

    own.from_functions(value, subgradient, n=2, m=3)
    assert asked == [("subgradient", 0, [0.0, 0.0]), ("value", 0, [0.0, 0.0])]


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: gallery.synchronisation(31_623, [(0, 1)], [0.0]),
        lambda rng: gallery.principal_components([0], [0], [1.0], (20_000, 20_000), 1),
        lambda rng: gallery.principal_components([0], [0], [1.0], (3, 4), 5_000),
        lambda rng: gallery.principal_components([0], [0], [1.0], (40_000, 30_000), 1),
        lambda rng: gallery.matrix_sensing(np.ones((1, 2, 2)), [1.0], 20_000),
        lambda rng: gallery.nonlinear_least_squares(10**9 + 1, 0.0, rng),
        lambda rng: gallery.robust_pca((2, 2), 1, 0.0, rng, repeats=2 * 10**7),
        lambda rng: gallery.robust_pca((2, 2), 8_000, 0.0, rng),
        lambda rng: gallery.low_rank_recovery(10**8, 2, 2, 0.0, rng),
        lambda rng: gallery.low_rank_recovery(1, 200, 200, 0.0, rng),
        lambda rng: gallery.graph_synchronisation(1300, 0.0, rng),
        lambda rng: robust_regression(10**6, 1001, 0.0, rng),
        lambda rng: indefinite_quadratic(10**6, 1001, 0.0, rng),
        lambda rng: rare_large_gradients(2.0, 31_623),
    ],
)
def test_data_that_do_not_fit_are_refused_before_they_are_made(call: Any) -> None:
    assert "must make at most 1000000000 entries of" in message(lambda: call(np.random.default_rng(0)))


def test_an_estimate_is_the_largest_of_its_points() -> None:
    """The curvature of f is -1/2 everywhere, and the spread of the slopes known at every point."""
    X = Ball(1.0, np.zeros(1))
    f = own.estimated(_own(), X, np.random.default_rng(3), points=7)
    cloud = X.project(np.random.default_rng(3).standard_normal((7, 1)))[:, 0]
    mean = 0.25 * cloud + 0.75 * (2 - cloud)
    second = 0.25 * cloud**2 + 0.75 * (2 - cloud) ** 2
    assert f.rho == pytest.approx(0.5)
    assert f.L2(X) == pytest.approx(second.max())
    assert f.G2(X) == pytest.approx((mean**2).max())
    assert f.sigma2(X) == pytest.approx((second - mean**2).max())
    assert f.known_rho() == Known(f.rho, "estimated", "the largest of 7 points")
    small = own.estimated(_own(), Ball(0.25, np.zeros(1)), np.random.default_rng(3), points=7)
    cloud = Ball(0.25, np.zeros(1)).project(0.25 * np.random.default_rng(3).standard_normal((7, 1)))[:, 0]
    assert small.G2(X) == pytest.approx(((0.25 * cloud + 0.75 * (2 - cloud)) ** 2).max())
    assert own.estimated(_own(), X, np.random.default_rng(3), points=2).rho == pytest.approx(0.5)
    assert "points = 1 must be an integer >= 2" in message(
        lambda: own.estimated(_own(), X, np.random.default_rng(3), points=1)
    )
    assert "points = 1000001 must be an integer <= 1000000" in message(
        lambda: own.estimated(_own(), X, np.random.default_rng(3), points=10**6 + 1)
    )
    bowl = own.from_functions(lambda x, i: float(x @ x), lambda x, i: 2 * x, n=1, m=1)
    usual = own.estimated(bowl, X, np.random.default_rng(0))
    assert usual.known_rho() == Known(0.0, "estimated", "the largest of 100 points"), (
        "a convex function does not bend down"
    )


def test_a_stream_checks_what_it_is_made_of() -> None:
    assert own.Stream(lambda x, s: x, lambda rng: 0, 2).n == 2
    assert "sample_subgradient = 3 must be a function" in message(lambda: own.Stream(3, lambda rng: 0, 2))  # type: ignore[arg-type]
    assert "draw = 3 must be a function" in message(lambda: own.Stream(lambda x, s: x, 3, 2))  # type: ignore[arg-type]
    assert "dimension = 0 must be" in message(lambda: own.Stream(lambda x, s: x, lambda rng: 0, 0))
    assert "dimension = 1000000001 must be" in message(lambda: own.Stream(lambda x, s: x, lambda rng: 0, 10**9 + 1))
