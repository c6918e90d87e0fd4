"""Generated instances: phase retrieval as in the paper, the adversaries, and the gallery against its formulas in matrix form."""

import numpy as np
import pytest

from shbcore.model import gallery
from shbcore.model.composite import AbsoluteQuadratics, RidgeSum
from shbcore.model.phase import RobustPhaseRetrieval, kinked_at, phase_retrieval
from shbcore.model.sets import Ball, Box, WholeSpace
from shbcore.model.smooth import boundary_minimiser, indefinite_quadratic, rare_large_gradients, robust_regression


def test_phase_retrieval_is_generated_as_in_the_paper() -> None:
    """Replay the draws: x*, Q, delta, zeta; D from 1/kappa to 1; zeta of variance 25."""
    for signal in ("sphere", "normal"):
        f, X, truth = phase_retrieval(300, 100, 10.0, 0.3, np.random.default_rng(7), signal)
        rng = np.random.default_rng(7)
        x = rng.standard_normal(100)
        x = x / np.linalg.norm(x) if signal == "sphere" else x
        Q, delta, zeta = rng.standard_normal((300, 100)), rng.random(300) < 0.3, 5 * rng.standard_normal(300)
        A = Q @ np.diag(np.linspace(0.1, 1, 100))
        assert isinstance(f, RobustPhaseRetrieval)
        assert np.allclose(truth, x, rtol=1e-14, atol=0)
        assert np.array_equal(f.A, A)
        assert np.allclose(f.b, (A @ x) ** 2 + delta * zeta, rtol=1e-13)
        assert np.array_equal(f.weights, np.full(300, 1 / 300))
        assert isinstance(X, WholeSpace)
        assert f.value(truth) == pytest.approx(np.abs(zeta[delta]).sum() / 300)
    assert np.linalg.norm(phase_retrieval(3, 4, 1.0, 0.0, np.random.default_rng(0)).truth) == pytest.approx(1)


def test_outliers_have_the_paper_s_frequency_and_size() -> None:
    f, _, truth = phase_retrieval(40_000, 1, 1.0, 0.3, np.random.default_rng(1))
    assert isinstance(f, RobustPhaseRetrieval)
    error = f.b - (f.A @ truth) ** 2
    hit = np.abs(error) > 1e-9
    assert hit.mean() == pytest.approx(0.3, abs=0.01)
    assert error[hit].std() == pytest.approx(5, abs=0.1)
    assert abs(error[hit].mean()) < 0.15


def test_phase_subgradient_has_the_sign_of_the_square() -> None:
    """a = 1, b = 1, x = 1/2: the slope of |x^2 - 1| is -1; the sign as printed, of (<a,x> - b)^2, would give +1."""
    f = RobustPhaseRetrieval(np.array([[1.0]]), np.array([1.0]))
    assert f.subgradients(np.array([0.5])).tolist() == [[-1.0]]
    assert f.subgradients(np.array([2.0])).tolist() == [[4.0]]
    assert f.subgradients(np.array([-1.0])).tolist() == [[0.0]]  # the choice at a kink


def test_kinked_at_puts_every_kink_on_the_point() -> None:
    rng = np.random.default_rng(3)
    A, x = rng.integers(-40, 40, (50, 7)) / 8, rng.integers(1, 40, 7) / 16
    f = kinked_at(A, x)
    assert f.value(x) == 0
    assert not f.subgradients(x).any()
    assert f.subgradients(x + 1e-3 * rng.normal(size=7)).any(axis=1).all()


def test_rare_large_gradients_have_unit_second_moment() -> None:
    f = rare_large_gradients(6.0)
    assert f.weights.tolist() == pytest.approx([1 / 72, 1 / 72, 70 / 72])
    assert f.value(np.array([3.0])) == pytest.approx(0, abs=1e-15)
    assert np.abs(f.subgradients(np.array([1.0]))).max() == 6
    for constant in (f.known_L2(WholeSpace(1)), f.known_sigma2(WholeSpace(1))):
        assert (constant.value, constant.how) == (pytest.approx(1.0), "closed form")


def test_boundary_minimiser_is_least_at_its_truth() -> None:
    f, X, truth = boundary_minimiser(3)
    x = X.project(np.random.default_rng(0).normal(0, 2, (2000, 3)))
    assert np.linalg.norm(truth) == 1
    assert min(f.value(p) for p in x) >= f.value(truth)
    assert np.allclose(X.project(truth - f.mean_subgradient(truth)), truth)
    assert np.linalg.norm(f.mean_subgradient(truth)) == 2


def test_indefinite_quadratic_has_the_noise_asked_for() -> None:
    f = indefinite_quadratic(6, 4, 0.7, np.random.default_rng(0))
    assert f.sigma2(WholeSpace(4)) == pytest.approx(0.7**2, rel=1e-12)
    assert f.rho == pytest.approx(1) == f.known_smoothness().value


def test_gallery_against_the_formulas_in_matrix_form() -> None:
    rng = np.random.default_rng(4)
    U, V, M, w = rng.normal(size=(2, 2)), rng.normal(size=(3, 2)), rng.normal(size=(2, 3)), rng.dirichlet(np.ones(6))
    rows, columns = np.indices((2, 3))
    pca = gallery.principal_components(rows.ravel(), columns.ravel(), M.ravel(), (2, 3), 2, w)
    x = np.concatenate([U.ravel(), V.ravel()])
    assert pca.value(x) == pytest.approx(np.sum(w.reshape(2, 3) * np.abs(U @ V.T - M)))
    assert pca.rho == pytest.approx(np.linalg.norm(w.reshape(2, 3), 2))

    A, b = rng.normal(size=(5, 3, 3)), rng.normal(size=5)
    sensing = gallery.matrix_sensing(A, b, 2)
    assert sensing.value(V.ravel()) == pytest.approx(np.mean([abs(np.sum(S * (V @ V.T)) - c) for S, c in zip(A, b)]))

    edges, omega, theta = [(0, 1), (1, 2), (0, 2)], [0.3, 2.0, -1.0], np.array([0.4, -2.0])
    angle = np.append(0.0, theta)
    chords = [abs(np.exp(1j * (angle[i] - angle[j])) - np.exp(1j * o)) for (i, j), o in zip(edges, omega)]
    assert gallery.synchronisation(3, edges, omega).value(theta) == pytest.approx(np.mean(chords))


def test_rank_one_sensing_by_squares_is_phase_retrieval() -> None:
    """A_i = a_i a_i': the same values, subgradients and constants from two different classes."""
    f = phase_retrieval(7, 3, 2.0, 0.3, np.random.default_rng(6)).problem
    assert isinstance(f, RobustPhaseRetrieval)
    g = gallery.matrix_sensing(f.A[:, :, None] * f.A[:, None, :], f.b, 1)
    x, X = np.array([0.3, -1.0, 0.7]), Ball(1.2, np.array([0.1, 0.0, -0.4]))
    assert np.allclose(f.values(x), g.values(x))
    assert np.allclose(f.subgradients(x), g.subgradients(x))
    assert f.rho == pytest.approx(g.rho)
    assert f.known_L2(X).value == pytest.approx(g.known_L2(X).value)


def test_minimum_over_tau_is_the_mean_of_the_worst_losses() -> None:
    f = gallery.conditional_value_at_risk(20, 2, 0.8, np.random.default_rng(2)).problem
    assert isinstance(f, gallery.ConditionalValueAtRisk)
    x = np.array([0.2, -0.4])
    losses = np.sort(f.losses.values(x))
    least = min(f.value(np.append(x, tau)) for tau in losses)
    assert least == pytest.approx(losses[-4:].mean())


def test_planted_solutions_are_better_than_chance() -> None:
    """Each generator plants a point that no random point of the set beats."""
    rng = np.random.default_rng(9)
    for name, (f, X, truth) in gallery.landscapes(rng).items():
        assert f.n == X.n == len(truth) == 2, name
        assert X.contains(truth), name
        x = X.project(rng.normal(0, 1.5, (300, 2)))
        values = np.array([f.value(p) for p in x])
        assert f.value(truth) <= np.quantile(values, 0.05), name


def test_the_square_has_no_rho_on_the_whole_plane() -> None:
    """Why nonlinear least squares needs a compact set: rho grows without bound with the domain."""
    t, y = np.linspace(0, 2, 5), np.ones(5)
    rho = [gallery.ExponentialFit(t, y, Box(np.zeros(2), np.array([size, 1.0]))).rho for size in (1.0, 10.0, 100.0)]
    assert rho[1] > 50 * rho[0] / 2
    assert rho[2] > 50 * rho[1]

    def bend(amplitude: float) -> float:
        """Curvature of the square in the rate, at a point where the model is below the data."""
        f = gallery.ExponentialFit(np.array([1.0]), np.array([amplitude]), Box(np.zeros(2), np.array([amplitude, 9.0])))
        e, x = np.array([0.0, 1e-3]), np.array([amplitude, 1.2])
        return (f.value(x + e) + f.value(x - e) - 2 * f.value(x)) / 1e-6

    assert bend(10.0) < -1
    assert bend(100.0) < 50 * bend(10.0)


def test_absolute_quadratics_accept_a_linear_part() -> None:
    H, l, c = np.array([[[2.0]], [[-1.0]]]), np.array([[1.0], [0.0]]), np.array([-1.0, 0.5])
    f = AbsoluteQuadratics(H, l, c)
    x = np.array([0.75])
    assert f.values(x).tolist() == pytest.approx([abs(0.75**2 + 0.75 - 1), abs(0.5 - 0.75**2 / 2)])
    assert f.rho == pytest.approx(1.5)


ONE_BY_ONE = {
    "ridge": robust_regression(40, 3, 0.1, np.random.default_rng(1)),
    "synchronisation": gallery.graph_synchronisation(6, 0.2, np.random.default_rng(2)),
    "quadratics": gallery.low_rank_recovery(30, 3, 2, 0.1, np.random.default_rng(3)),
    "square": gallery.nonlinear_least_squares(30, 0.1, np.random.default_rng(4)),
    "absolute": gallery.nonlinear_least_squares(30, 0.1, np.random.default_rng(5), "absolute"),
    "risk": gallery.conditional_value_at_risk(40, 3, 0.8, np.random.default_rng(6)),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_one_sample_is_a_row_of_all_and_needs_no_other(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, X, truth = ONE_BY_ONE[name]
    points = [truth, *X.project(np.random.default_rng(7).standard_normal((20, problem.n)))]
    rows = [problem.subgradients(x) for x in points]
    kinds = {type(problem), type(getattr(problem, "losses", problem))}
    for kind in kinds:
        for all_samples in ("_values", "_subgradients"):
            monkeypatch.setattr(kind, all_samples, lambda self, x: pytest.fail("all samples were computed"))
    for x, row in zip(points[1:], rows[1:], strict=True):
        for i in range(problem.m):
            np.testing.assert_allclose(problem.subgradient(x, i), row[i], rtol=1e-12, atol=1e-13 * np.abs(row).max())


def test_a_later_rule_for_all_samples_counts_for_one_as_well() -> None:
    class Turned(RidgeSum):
        def _subgradients(self, x: np.ndarray) -> np.ndarray:
            return -super()._subgradients(x)

    found, _, truth = ONE_BY_ONE["ridge"]
    assert isinstance(found, RidgeSum)
    turned, x = Turned(found.A, found.b, found.loss), truth + 1
    np.testing.assert_array_equal(turned.subgradient(x, 3), turned.subgradients(x)[3])
