"""The problems of the model at their edges: constants, gradients, samples, and what a message says."""

import math

import numpy as np
import pytest
from refusal import message

from shbcore.model import gallery
from shbcore.model.composite import AbsoluteQuadratics, Loss, RidgeSum
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval, sums
from shbcore.model.problems import Known, derived, known, squared
from shbcore.model.rational import PiecewiseQuadratic
from shbcore.model.sets import Ball, Box, Simplex, WholeSpace
from shbcore.model.smooth import GEMAN_MCCLURE, LOG, NoisyQuadratic, rare_large_gradients, rising_then_falling

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


def test_a_constant_says_how_it_is_known() -> None:
    assert [Known(1, how).certain for how in ("closed form", "certified bound", "estimated", "declared")] == [  # type: ignore[arg-type]
        True,
        True,
        False,
        False,
    ]
    assert known(2, True, "n") == Known(2.0, "closed form", "n")
    assert known(2, False, "n") == Known(2.0, "certified bound", "n")
    assert derived(Known(2, "closed form"), "n") == Known(2.0, "certified bound", "n")
    assert derived(Known(2, "estimated"), "n") == Known(2.0, "estimated", "n")
    assert "value = -1 must be at least 0" in message(lambda: Known(-1, "declared"))
    assert float(Known(math.inf, "closed form")) == math.inf
    assert (squared(3.0, "X", None), squared(math.inf, "X", None)) == (9.0, math.inf)
    assert "X = None must keep the constants of the problem below 1e308" in message(lambda: squared(1e155, "X", None))


def test_constants_of_phase_retrieval_on_a_ball_by_hand() -> None:
    """Samples |x_1^2 - 1| and |4 x_2^2 - 1| with weights 1/4 and 3/4 in the ball of radius 2."""
    f = RobustPhaseRetrieval(np.diag([1.0, 2.0]), np.ones(2), np.array([0.25, 0.75]))
    ball = Ball(2.0, np.zeros(2))
    assert f.known_rho() == Known(6.0, "closed form", f.known_rho().note)
    assert f.known_L2(ball).value == pytest.approx(4 * 0.75 * 4 * 4 * 4)
    assert f.known_L2(ball).how == "closed form"
    assert f.known_G2(ball).value == pytest.approx((6 * 2) ** 2)
    assert f.known_G2(ball).how == "certified bound"
    signed = RobustPhaseRetrieval(np.diag([1.0, 2.0]), np.array([1.0, -1.0]), np.array([0.25, 0.75]))
    assert signed.known_least_rho().value == pytest.approx(0.5)
    assert signed.known_rho().how == "certified bound"


def test_phase_retrieval_at_the_ends_of_its_ranges() -> None:
    rng = np.random.default_rng(0)
    assert phase_retrieval(1, 1, 1.0, 0.0, rng).problem.m == 1
    f, _, x = phase_retrieval(5, 2, 1.0, 1.0, rng)
    assert isinstance(f, RobustPhaseRetrieval)
    assert (np.abs(f.b - (f.A @ x) ** 2) > 1e-6).all(), "all measurements are corrupted"
    assert "kappa = 0.999 must be at least 1" in message(lambda: phase_retrieval(1, 1, 0.999, 0.0, rng))
    assert "m = 0" in message(lambda: phase_retrieval(0, 1, 1.0, 0.0, rng))
    assert "n = 0" in message(lambda: phase_retrieval(1, 0, 1.0, 0.0, rng))
    assert "must make at most 1000000000 entries of m times n" in message(
        lambda: phase_retrieval(10**6, 1001, 1.0, 0.0, rng)
    )


def test_sums_run_from_left_to_right() -> None:
    terms = np.array([[1.0, 1e16, -1e16, 1.0], [1e16, -1e16, 1.0, 1.0]])
    assert sums(terms).tolist() == [1.0, 2.0]
    assert sums(np.array([1.0, 2.0])) == 3


@pytest.mark.parametrize("level", [0.0, 0.5])
def test_constants_of_a_tail_risk_by_hand(level: float) -> None:
    r"""Losses :math:`\log(1+r^2)` of residuals :math:`x` and :math:`2x`, steepest 1: active samples weigh :math:`(a^2+q^2)/(1-q)^2`."""
    f = gallery.ConditionalValueAtRisk(RidgeSum(np.array([[1.0], [2.0]]), np.zeros(2), LOG), level)
    X = Ball(3.0, np.zeros(2))
    active = [(a * a + level**2) / (1 - level) ** 2 for a in (1.0, 2.0)]
    assert f.known_L2(X).value == pytest.approx(sum(max(one, 1.0) for one in active) / 2)
    assert f.known_rho().value == pytest.approx(2.5 / 4 / (1 - level))
    small = gallery.ConditionalValueAtRisk(RidgeSum(np.array([[0.1], [2.0]]), np.zeros(2), LOG), level)
    slopes = [0.6 / (1 + 0.09), 1.0]
    active = [(a * a * s * s + level**2) / (1 - level) ** 2 for a, s in zip((0.1, 2.0), slopes)]
    assert small.known_L2(X).value == pytest.approx(sum(max(one, 1.0) for one in active) / 2)
    assert small.n == 2
    assert f.value(np.array([0.0, -1.0])) == pytest.approx(-1 + 1 / (1 - level))
    assert f.value(np.array([0.0, 1.0])) == 1
    assert f.subgradient(np.array([0.0, 0.0]), 1).tolist() == [0.0, 1.0], "the inactive side of the kink"


def test_levels_of_a_tail_risk_at_their_ends() -> None:
    losses, rng = RidgeSum(np.array([[1.0]]), np.zeros(1), LOG), np.random.default_rng(0)
    assert gallery.ConditionalValueAtRisk(losses, 0.0).level == 0
    assert gallery.conditional_value_at_risk(3, 1, 0.0, rng).problem.m == 3
    for level in (1.0, -0.1, 1.5):
        for call in (
            lambda v=level: gallery.ConditionalValueAtRisk(losses, v),
            lambda v=level: gallery.conditional_value_at_risk(3, 1, v, rng),
        ):
            assert "must lie in [0, 1) (CVaR divides by 1 - level)" in message(call)


def test_constants_of_absolute_quadratics_by_hand() -> None:
    r""":math:`q_1=x_1^2-x_2^2/2+x_1`, :math:`q_2=x_2^2/2+2x_2` with weights 1/4 and 3/4 on the ball of radius 2."""
    H = np.array([np.diag([2.0, -1.0]), np.diag([0.0, 1.0])])
    linear, w = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0.25, 0.75])
    f = AbsoluteQuadratics(H, linear, np.zeros(2), w)
    assert f.known_rho() == Known(1.0, "certified bound", f.known_rho().note)
    x = np.array([2.0, 3.0])
    assert f.quadratics(x).tolist() == [1.5, 10.5]
    assert f.subgradients(x).tolist() == [[5.0, -3.0], [0.0, 5.0]]
    ball = Ball(2.0, np.zeros(2))
    angle = np.linspace(0, 2 * np.pi, 200_001)
    u, v = 2 * np.cos(angle), 2 * np.sin(angle)
    second = w[0] * ((2 * u + 1) ** 2 + v**2) + w[1] * (v + 2) ** 2
    assert f.known_L2(ball).value == pytest.approx(second.max(), rel=1e-8)
    assert f.known_L2(ball).how == "closed form"
    assert f.known_G2(ball).value == pytest.approx(min((1.0 * 2 + 0.25 + 1.5) ** 2, second.max()), rel=1e-8)
    assert AbsoluteQuadratics(H, 0 * linear, np.zeros(2), w).known_G2(ball).value == pytest.approx(4)
    assert AbsoluteQuadratics(H, 0 * linear, np.zeros(2), w).known_L2(ball).how == "closed form"
    assert AbsoluteQuadratics(0 * H, linear, np.zeros(2), w).known_L2(ball).how == "closed form"
    flat = AbsoluteQuadratics(np.array([H[0], 0 * H[0]]), 0 * linear, np.ones(2), w)
    assert flat.known_L2(ball).how == "certified bound", "a sample without slope is never at its supremum"
    assert f.known_L2(Simplex(2)).how == "certified bound"
    own_rho = Known(0.5, "declared")
    assert AbsoluteQuadratics(H, linear, np.zeros(2), w, own_rho).known_rho() is own_rho
    assert "modulus = 0.5 must be of type Known" in message(
        lambda: AbsoluteQuadratics(H, linear, np.zeros(2), w, 0.5)  # type: ignore[arg-type]
    )


def test_data_without_any_slope_have_constants_0() -> None:
    flat = RidgeSum(np.zeros((3, 2)), np.ones(3), LOG)
    assert (flat.rho, flat.smoothness, flat.G2(WholeSpace(2)), flat.L2(WholeSpace(2))) == (0, 0, 0, 0)
    none = AbsoluteQuadratics(np.zeros((3, 2, 2)), np.zeros((3, 2)), np.ones(3))
    assert (none.rho, none.L2(WholeSpace(2))) == (0, 0)


def test_matrices_are_symmetric_up_to_rounding() -> None:
    tilted = np.array([[[1.0, 2.0], [2.0 + 1e-12, 5.0]]])
    f = AbsoluteQuadratics(tilted, np.zeros((1, 2)), np.zeros(1))
    assert np.array_equal(f.H, f.H.swapaxes(1, 2))
    assert f.H[0, 0, 1] == pytest.approx(2.0, abs=1e-11)
    bad = np.array([np.eye(2), [[1.0, 2.0], [2.0 + 1e-10, 5.0]]])
    assert "H[1] = " in message(lambda: AbsoluteQuadratics(bad, np.zeros((2, 2)), np.zeros(2)))
    assert "must be that of m square matrices" in message(
        lambda: AbsoluteQuadratics(np.ones((1, 2, 3)), np.zeros((1, 2)), np.zeros(1))
    )


def test_a_loss_has_a_range_of_curvature() -> None:
    f = lambda r: r  # noqa: E731
    assert Loss("l", f, f, (0.0, 0.0), lambda low, high: low).curvature == (0.0, 0.0)
    for curvature in ((1.0, 0.0), (1.0,), (0.0, 1.0, 2.0)):
        assert "must be a range (low, high)" in message(lambda c=curvature: Loss("l", f, f, c, lambda low, high: low))
    assert "steepest = 3 must be a function" in message(lambda: Loss("l", f, f, (0.0, 1.0), 3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("loss", "steepest", "at", "curvature"),
    [(LOG, 1.0, 1.0, (-0.25, 2.0)), (GEMAN_MCCLURE, 3 * math.sqrt(3) / 8, 3**-0.5, (-0.5, 2.0))],
)
def test_robust_losses_have_the_slopes_and_curvatures_of_their_names(
    loss: Loss, steepest: float, at: float, curvature: tuple[float, float]
) -> None:
    r = np.linspace(-6, 6, 120_001)
    h = r[1] - r[0]
    slope, bend = np.gradient(loss.value(r), h, edge_order=2), np.gradient(loss.slope(r), h, edge_order=2)
    assert np.allclose(slope, loss.slope(r), atol=1e-6)
    assert (bend.min(), bend.max()) == (pytest.approx(curvature[0], abs=1e-6), pytest.approx(curvature[1], abs=1e-6))
    assert loss.curvature == pytest.approx(curvature)
    assert loss.slope(np.array([at]))[0] == pytest.approx(steepest)
    for low, high in ((-9.0, 9.0), (0.1, 0.2), (-0.2, -0.1), (2.0, 5.0), (-5.0, -2.0), (-0.1, 0.3), (-0.3, 0.1)):
        inside = np.linspace(low, high, 100_001)
        wanted = np.abs(loss.slope(inside)).max()
        assert loss.steepest(np.array([low]), np.array([high]))[0] == pytest.approx(wanted, rel=1e-6)
    assert "peak = 0 must be positive" in message(lambda: rising_then_falling(np.abs, 0))


def test_the_chord_of_a_circle_as_a_loss() -> None:
    r = np.linspace(-3, 3, 61)
    chord = np.abs(np.exp(1j * r) - 1)
    assert np.allclose(gallery.CHORD.value(r), chord)
    h = 1e-6
    off = np.abs(r) > 0.01
    slopes = (gallery.CHORD.value(r + h) - gallery.CHORD.value(r - h)) / (2 * h)
    assert np.allclose(gallery.CHORD.slope(r)[off], slopes[off], atol=1e-8)
    assert gallery.CHORD.slope(np.zeros(1)).tolist() == [0.0]
    assert gallery.CHORD.curvature == (-0.5, math.inf)
    assert gallery.CHORD.steepest(np.array([1.0, 2.0]), np.array([2.0, 3.0])).tolist() == [1.0, 1.0]


def test_quadratics_with_noise_by_hand() -> None:
    f = NoisyQuadratic(np.diag([1.0, -3.0]), np.array([[1.0, 0.0], [-1.0, 2.0]]), np.array([0.25, 0.75]))
    x = np.array([2.0, 1.0])
    assert f.values(x).tolist() == [0.5 + 2.0, 0.5 + 0.0]
    assert f.subgradients(x).tolist() == [[3.0, -3.0], [1.0, -1.0]]
    assert f.subgradient(x, 1).tolist() == [1.0, -1.0]
    assert f.mean.tolist() == [-0.5, 1.5]
    assert (f.rho, f.smoothness) == (3.0, 3.0)
    assert f.sigma2(WholeSpace(2)) == pytest.approx(0.25 * (1.5**2 + 1.5**2) + 0.75 * (0.5**2 + 0.5**2))
    assert f.G2(Box(np.zeros(2), np.ones(2))) == pytest.approx(0.5**2 + 1.5**2)
    assert f.L2(Box(np.zeros(2), np.ones(2))) == pytest.approx(2.5 + 1.5)
    many = NoisyQuadratic(np.eye(13), np.zeros((1, 13)))
    assert many.known_L2(Box(np.zeros(13), np.ones(13))).how == "certified bound"


def test_rare_large_gradients_at_the_ends_of_their_size() -> None:
    assert rare_large_gradients(1.0).weights.tolist() == [0.5, 0.5, 0.0]
    assert rare_large_gradients(1e100).weights[0] == 0.5e-200
    for size in (0.999, 1.1e100):
        assert "must be at least 1 and at most 1e100" in message(lambda s=size: rare_large_gradients(s))
    f = rare_large_gradients(2.0, 3)
    assert f.c.tolist() == [[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert rare_large_gradients(2.0).n == 1


def test_constants_of_ridges_by_hand() -> None:
    r"""Geman-McClure on :math:`x` and :math:`2x`, weights 1/4 and 3/4, on the line and on an interval."""
    f = RidgeSum(np.array([[1.0], [2.0]]), np.zeros(2), GEMAN_MCCLURE, np.array([0.25, 0.75]))
    top, steep = 0.25 + 0.75 * 4, 3 * math.sqrt(3) / 8
    for found, wanted in (
        (f.known_rho(), top / 2),
        (f.known_smoothness(), 2 * top),
        (f.known_L2(WholeSpace(1)), top * steep**2),
    ):
        assert (found.value, found.how) == (pytest.approx(wanted), "certified bound")
    triangle = 0.25 * steep + 0.75 * 2 * steep
    assert f.known_G2(WholeSpace(1)).value == pytest.approx(triangle**2)
    free = RidgeSum(np.diag([1.0, 2.0]), np.zeros(2), GEMAN_MCCLURE)
    assert {free.known_rho().how, free.known_smoothness().how, free.known_L2(WholeSpace(2)).how} == {"closed form"}
    assert free.known_L2(Ball(9.0, np.zeros(2))).how == "certified bound"
    assert free.known_G2(WholeSpace(2)).value == pytest.approx(min((3 * steep / 2) ** 2, 2 * steep**2))
    assert f.residual(np.array([3.0]), 1).tolist() == [6.0]
    off = RidgeSum(np.array([[1.0]]), np.array([5.0]), LOG)
    near = Ball(1.0, np.zeros(1))
    assert off.steepest(near).tolist() == pytest.approx([8 / 17])
    kinked = RidgeSum(np.array([[1.0]]), np.zeros(1), gallery.CHORD)
    assert kinked.known_smoothness().value == math.inf


def test_an_exponential_fit_at_the_edges_of_its_domain() -> None:
    box = Box(np.array([0.0, 0.5]), np.array([2.0, 2.0]))
    f = gallery.ExponentialFit(np.array([0.0, 1.0]), np.array([1.0, -1.0]), box)
    x = np.array([2.0, 0.5])
    decay = math.exp(-0.5)
    assert f.residuals(x).tolist() == pytest.approx([1.0, 2 * decay + 1])
    assert f.values(x).tolist() == pytest.approx([0.5, (2 * decay + 1) ** 2 / 2])
    assert f.subgradients(x).tolist() == [
        [pytest.approx(1.0), 0.0],
        pytest.approx([(2 * decay + 1) * decay, -(2 * decay + 1) * 2 * decay]),
    ]
    f.valid_on(box)
    f.valid_on(Box(box.lower - 5e-13, box.upper + 5e-13))
    for outside in (Box(box.lower - 2e-12, box.upper), Box(box.lower, box.upper + 2e-12)):
        assert "lie in the domain" in message(lambda X=outside: f.valid_on(X))
    slopes = [max(2 - 1, -(0 - 1)), 2 * decay + 1]
    steep = [1.0, decay * math.hypot(1, 2)]
    bend = [0.0, (2 * decay + math.hypot(2 * decay, 2 * decay)) / 2]
    assert f.known_rho().value == pytest.approx(sum(s * h for s, h in zip(slopes, bend)) / 2)
    assert f.known_L2(box).value == pytest.approx(sum((s * g) ** 2 for s, g in zip(slopes, steep)) / 2)
    assert f.known_smoothness().value == pytest.approx(sum(g * g + s * h for s, g, h in zip(slopes, steep, bend)) / 2)
    absolute = gallery.ExponentialFit(f.t, f.y, box, "absolute")
    assert absolute.known_rho().value == pytest.approx(sum(bend) / 2)
    assert absolute.known_L2(box).value == pytest.approx(sum(g * g for g in steep) / 2)
    assert absolute.known_smoothness().value == math.inf
    assert f.n == 2
    for t, domain in (
        ([-0.1], box),
        ([1.0], Box(np.array([-0.1, 0.5]), box.upper)),
        ([1.0], Box(np.array([0.0, -0.1]), box.upper)),
        ([1.0], Box(np.zeros(3), np.ones(3))),
    ):
        assert "be two non-negative numbers, as all t must" in message(
            lambda t=t, d=domain: gallery.ExponentialFit(np.array(t), np.ones(1), d)
        )


def test_edges_of_a_graph_and_entries_of_a_matrix_are_whole_and_inside() -> None:
    chain = gallery.synchronisation(3, [(0, 1), (2, 1)], [0.5, 0.25])
    assert chain.A.tolist() == [[-1.0, 0.0], [-1.0, 1.0]]
    assert chain.b.tolist() == [0.5, 0.25]
    assert gallery.synchronisation(2, [(0, 1)], [0.0]).known_rho().value == 0.5
    for edges in ([(-1, 1)], [(0, 3)], [(3, 0)], [(0.5, 1)], [(1, 1)]):
        assert "must join two different nodes of 0..2" in message(lambda e=edges: gallery.synchronisation(3, e, [0.0]))
    assert "nodes = 1 must be an integer >= 2" in message(lambda: gallery.synchronisation(1, [(0, 1)], [0.0]))
    f = gallery.principal_components([1, 0], [0, 1], [3.0, 4.0], (2, 2), 1)
    assert f.values(np.array([1.0, 2.0, 5.0, 7.0])).tolist() == [abs(2 * 5 - 3), abs(1 * 7 - 4)]
    assert f.known_rho() == Known(0.5, "closed form", f.known_rho().note)
    for rows, columns in (([2], [0]), ([0], [2]), ([-1], [0]), ([0], [-1])):
        assert "must hold all rows and columns" in message(
            lambda r=rows, c=columns: gallery.principal_components(r, c, [1.0], (2, 2), 1)
        )
    for rows, columns, name in (([0.5], [0], "rows"), ([0], [0.5], "columns")):
        assert f"{name} = [0.5] must be whole numbers" in message(
            lambda r=rows, c=columns: gallery.principal_components(r, c, [1.0], (2, 2), 1)
        )
    assert "must be two sizes" in message(lambda: gallery.principal_components([0], [0], [1.0], (2,), 1))  # type: ignore[arg-type]
    assert "shape[1] = 0 must be" in message(lambda: gallery.principal_components([0], [0], [1.0], (2, 0), 1))
    assert "must be that of square matrices" in message(lambda: gallery.matrix_sensing(np.ones((1, 2, 3)), [1.0], 1))
    sensing = gallery.matrix_sensing(np.array([[[1.0, 4.0], [0.0, 3.0]]]), [2.0], 1)
    assert sensing.H[0].tolist() == [[2.0, 4.0], [4.0, 6.0]]
    assert sensing.values(np.array([1.0, 2.0])).tolist() == [abs(1 + 8 + 12 - 2)]
