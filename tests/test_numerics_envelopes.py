"""Cutting planes and envelopes a second way: closed forms, optimality, counts of calls, rounding."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from refusal import message
from second_way import BOX, CURVED, KINKED, LAM

from shbcore.model.parameters import Parameters
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.problems import Known
from shbcore.model.rational import Interval
from shbcore.model.sets import Ball, Box, HalfSpace, Simplex, WholeSpace
from shbcore.model.smooth import NoisyQuadratic
from shbcore.numerics import bundle, envelope, slack, survey
from shbcore.numerics import monitors as mon
from shbcore.numerics.envelope import Prox, moreau

# --- cutting planes


@pytest.mark.parametrize(
    ("X", "u"),
    [
        (WholeSpace(3), [1.0, 2.0, 3.0]),
        (Ball(1.5, np.array([0.2, 0.1, 0.0])), [1.0, 2.0, 3.0]),
        (Ball(1.5, np.array([0.2, 0.1, 0.0])), [0.3, 0.2, 0.1]),
        (Box(np.zeros(3), np.array([1.0, 2.5, 9.0])), [1.5, 2.0, -1.0]),
        (HalfSpace(np.array([1.0, 2.0, -1.0]), 0.5), [1.0, 2.0, 3.0]),
        (Simplex(3), [0.9, 0.6, -1.0]),
        (Simplex(3), [0.9, 0.6, 0.3]),
    ],
)
def test_the_square_of_the_root_is_the_derivative_of_the_projection(X: Any, u: list[float]) -> None:
    at, h = np.array(u), 1e-6
    columns = [(X.project(at + h * e) - X.project(at - h * e)) / (2 * h) for e in np.eye(3)]
    half = bundle.root_jacobian(X, at, X.project(at))
    assert np.allclose(half @ half.T, np.array(columns).T, atol=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_weights_satisfy_their_conditions_of_optimality(seed: int) -> None:
    """Every row with a weight is at the top, and no row is above it."""
    rng = np.random.default_rng(seed)
    rows, n = int(rng.integers(1, 12)), int(rng.integers(1, 6))
    G, c = rng.standard_normal((rows, n)), rng.standard_normal(rows)
    if seed % 5 == 0:
        G[rows // 2 :] = G[: rows - rows // 2]  # repeated rows
    start = rng.dirichlet(np.ones(rows)) * (rng.random(rows) < 0.6)
    start = start / start.sum() if start.any() else np.eye(rows)[0]
    mu = bundle.weights(G, c, start)
    assert mu.min() >= 0
    assert mu.sum() == pytest.approx(1, abs=1e-12)
    value = c - G @ (G.T @ mu)
    assert np.max(value) - np.min(value[mu > 0]) <= 1e-9
    assert mu @ value == pytest.approx(np.max(value), abs=1e-9)


def _kinks(n: int) -> tuple[Callable[[Any], float], Callable[[Any], Any]]:
    """max(|x_1|, ..., |x_n|) + sum |x_i|/2, convex; a subgradient of it."""

    def f(x: Any) -> float:
        return float(np.abs(x).max() + np.abs(x).sum() / 2)

    def g(x: Any) -> Any:
        top = np.zeros(n)
        top[np.argmax(np.abs(x))] = 1.0
        return (top + 0.5) * np.sign(x)

    return f, g


@pytest.mark.parametrize("x", [np.array([1.0, 0.8, -0.3, 0.1]), np.array([2.0, -1.0, 0.5, 0.6])])
@pytest.mark.parametrize(
    ("X", "most"),
    [
        (WholeSpace(4), 3),
        (Ball(0.7, np.full(4, 0.5)), 5),
        (Box(np.full(4, 0.2), np.full(4, 1.0)), 3),
        (HalfSpace(np.array([1.0, 2.0, -1.0, 0.5]), 0.5), 6),
        (Simplex(4), 4),
    ],
)
def test_cutting_planes_find_a_prox_in_few_calls(X: Any, most: int, x: Any) -> None:
    f, g = _kinks(4)
    calls = []

    def counted(y: Any) -> float:
        calls.append(y)
        return f(y)

    point, value, gap = bundle.minimise(counted, g, X, x, envelope=0.5, weak_convexity=0.0, tol=1e-8)
    assert value == pytest.approx(f(point) + (point - x) @ (point - x))
    assert 0 < gap <= (1e-9 if x[0] == 1.0 else 3e-15), "a whole step of Newton's leaves nothing"
    assert len(calls) <= most
    rng = np.random.default_rng(0)
    for z in X.project(point + rng.standard_normal((200, 4)) * rng.choice([1e-3, 0.1, 1.0], (200, 1))):
        assert f(z) + (z - x) @ (z - x) >= value - gap - 1e-12
    assert np.array_equal(calls[0], X.project(x)), "the first cut is at the projection"


def test_cutting_planes_end_after_the_calls_that_they_are_given() -> None:
    f, g = _kinks(4)
    x = np.array([1.0, 0.8, -0.3, 0.1])
    gaps = []
    for most in (1, 2, 3):
        calls = []
        _, value, gap = bundle.minimise(
            lambda y, calls=calls: (calls.append(y), f(y))[1],
            g,
            WholeSpace(4),
            x,
            envelope=0.5,
            weak_convexity=0.0,
            tol=1e-12,
            most=most,
        )
        assert len(calls) == most
        assert value == pytest.approx(min(f(y) + (y - x) @ (y - x) for y in calls))
        gaps.append(gap)
    assert gaps[0] == pytest.approx(f(x) - (f(x) - g(x) @ g(x) / 4)), "the first cut, minimised by hand"
    assert gaps[0] > gaps[1] > gaps[2]


def test_cuts_above_the_function_are_a_contradiction_and_rounding_is_none() -> None:
    G, c = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 0.5])
    move = np.array([2.0, 1.0])  # the cuts are at 3 and 2.5
    assert bundle._excess(G, c, move, 2.75) == 0.25
    assert bundle._excess(G, c, move, 2.0) == 1.0
    assert bundle._excess(G, c, move, 3.0) == 0.0
    assert bundle._excess(G, c, move, 3.0 - 5e-9) == 0.0, "1e-9 of the terms 1 + 2 + 3"
    assert bundle._excess(G, c, move, 3.0 - 7e-9) > 0
    assert bundle._excess(np.empty((0, 2)), np.empty(0), move, 1.0) == 0.0


# --- the envelope


def test_lambda_of_an_envelope_is_at_least_1e_100() -> None:
    bowl = NoisyQuadratic(np.eye(1), np.zeros((1, 1)))
    assert moreau(bowl, WholeSpace(1), [1.0], envelope=1e-3).value == pytest.approx(0.5 / 1.001)
    envelope.check(bowl, WholeSpace(1), 1e-100, 1e-12)
    assert "envelope = 9e-101 must be at least 1e-100" in message(
        lambda: envelope.check(bowl, WholeSpace(1), 9e-101, 1e-12)
    )
    for call, words in (
        (lambda: envelope.check(bowl, Interval(), 0.5, 1e-12), "X = "),
        (lambda: envelope.check(CURVED, WholeSpace(1), 0.5, 1e-12), "X = "),
        (lambda: envelope.check(bowl, WholeSpace(2), 0.5, 1e-12), "X.n = 2"),
        (lambda: envelope.check(bowl, WholeSpace(1), 0.5, 0), "tol = 0"),
        (lambda: envelope.check("f", WholeSpace(1), 0.5, 1e-12), "problem = 'f'"),
    ):
        assert words in message(call)


def test_smooth_envelopes_by_their_closed_form() -> None:
    r""":math:`\hat y=(Q+I/\lambda)^{-1}(y/\lambda-c)` for a quadratic; projected on a box if :math:`Q` is a multiple of 1."""
    Qm, c, lam = np.array([[2.0, 0.5], [0.5, -1.0]]), np.array([0.3, -0.2]), 0.4
    f, y = NoisyQuadratic(Qm, c[None]), np.array([1.0, -2.0])
    at = moreau(f, WholeSpace(2), y, envelope=lam)
    hat = np.linalg.solve(Qm + np.eye(2) / lam, y / lam - c)
    assert np.allclose(at.point, hat, atol=1e-10)
    assert at.value == pytest.approx(f.value(hat) + (hat - y) @ (hat - y) / (2 * lam), rel=1e-12)
    assert 0 <= at.gap <= 1e-15
    assert np.linalg.norm(at.point - hat) <= at.radius + 1e-15 <= 1e-9
    box = Box(np.zeros(2), np.full(2, 0.5))
    bowl = NoisyQuadratic(3 * np.eye(2), np.zeros((1, 2)))
    at = moreau(bowl, box, np.array([0.9, -2.0]), envelope=lam)
    assert np.allclose(at.point, [0.9 / 2.2, 0.0], atol=1e-10)


@pytest.mark.parametrize(
    ("X", "tol", "gradients"),
    [
        (WholeSpace(3), 1e-12, 59),
        (WholeSpace(3), 1e-8, 49),
        (WholeSpace(3), 1e-4, 39),
        (Ball(1.0, np.zeros(3)), 1e-12, 29),
        (Ball(1.0, np.zeros(3)), 1e-8, 23),
    ],
)
def test_a_smooth_envelope_is_found_in_as_many_gradients_as_its_tolerance_asks_for(
    X: Any, tol: float, gradients: int
) -> None:
    calls = []

    class Counted(NoisyQuadratic):
        def mean_subgradient(self, x: Any) -> Any:
            calls.append(x)
            return super().mean_subgradient(x)

    f = Counted(np.diag([1.0, 0.5, -0.9]), np.zeros((1, 3)))
    at = moreau(f, X, np.array([1.0, 2.0, 3.0]), envelope=0.5, tol=tol)
    assert at.gap == pytest.approx((2 - 0.9) / 2 * at.radius**2, rel=1e-9, abs=0)
    assert at.gap <= 1e-8 * tol * 30
    assert abs(len(calls) - gradients) <= 2, "one step more or less, by rounding"


def test_a_search_that_no_longer_improves_ends_after_a_hundred_steps() -> None:
    """A slope that grows at every call is no gradient: the first step is the best, and the words of the problem are contradicted."""
    calls: list[Any] = []

    class Growing(NoisyQuadratic):
        def mean_subgradient(self, x: Any) -> Any:
            calls.append(x)
            return np.full(1, 2.0 ** len(calls))

    f = Growing(np.eye(1), np.zeros((1, 1)))
    assert "a lower bound is exceeded by" in message(lambda: moreau(f, WholeSpace(1), np.ones(1), envelope=0.5))
    assert len(calls) == 2 * (1 + 100) + 1 + 4, "the first step, a hundred more, and the points that are visited again"


def test_a_smooth_function_is_held_to_its_word_at_four_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The projection, the answer, the point between them, and the first step of the gradient method."""
    seen: list[Any] = []

    def noted(phi: Any, gradient: Any, points: list[Any], kappa: float, bend: float) -> float:
        seen.append((points, kappa, bend, phi(y), gradient(y)))
        return 0.0

    monkeypatch.setattr(envelope, "_contradiction", noted)
    f, X, y = NoisyQuadratic(np.diag([3.0, -0.5]), np.zeros((1, 2))), Ball(1.0, np.zeros(2)), np.array([1.0, 2.0])
    at = moreau(f, X, y, envelope=0.5)
    ((points, kappa, bend, value, slope),) = seen
    first = X.project(y)
    step = X.project(first - (f.mean_subgradient(first) + 2 * (first - y)) / 5)
    assert np.allclose(points, [first, at.point, (first + at.point) / 2, step])
    assert (kappa, bend) == (2 - 0.5, 3 + 2)
    assert (value, slope.tolist()) == (f.value(y), f.mean_subgradient(y).tolist())


def test_points_that_contradict_a_smooth_function_are_found_by_how_much() -> None:
    points = [np.array([0.0]), np.array([1.0]), np.array([3.0])]

    def wrong(curvature: float, kappa: float, bend: float) -> float:
        return envelope._contradiction(
            lambda z: float(curvature * z @ z / 2), lambda z: curvature * z, points, kappa, bend
        )

    assert wrong(2.0, 2.0, 2.0) == 0
    assert wrong(2.0, 1.0, 3.0) == 0
    assert wrong(2.0, 2.5, 3.0) == pytest.approx(0.25 * 9)
    assert wrong(2.0, 1.0, 1.5) == pytest.approx(0.25 * 9)


@pytest.mark.parametrize("y", [-2.0, -0.3, 0.4, 3.0])
def test_envelopes_on_the_line_in_floats_carry_their_rounding(y: float) -> None:
    exact = moreau(KINKED, BOX, Q(y), envelope=LAM)
    for problem, X, at in (
        (KINKED.to(float), Interval(-0.75, 1.25), y),
        (KINKED, BOX, y),
        (KINKED, Interval(-0.75, Q(5, 4)), Q(y)),
        (KINKED.to(float), BOX, Q(y)),
    ):
        found = moreau(problem, X, at, envelope=LAM)
        assert found.value == pytest.approx(float(exact.value), rel=1e-14)
        assert abs(float(exact.value) - found.value) <= found.gap <= 1e-13
        assert abs(float(exact.point) - found.point) <= found.radius <= 1e-13
        assert found.gap > 0
        assert found.radius > 0
    assert (exact.gap, exact.radius) == (0, 0)
    half = moreau(KINKED.to(float), Interval(-0.75, 1.25), y, envelope=LAM)
    f = envelope.OnLine(KINKED.to(float), Interval(-0.75, 1.25), float(LAM))
    at, value = f._direct(y)
    assert (at, value) == (pytest.approx(half.point), pytest.approx(half.value))
    a, b, c = f.f.pieces[[x < at for x in f.f.breaks].count(True)]
    assert f._spread(at) == pytest.approx(abs(a) * at * at + abs(b * at) + abs(c))
    assert f.F is not None
    terms = abs(f.f.value(at)) + f._spread(at) + (at - y) ** 2 / (2 * float(LAM)) + abs(value)
    eps, found = 2.0**-52, f(y)
    assert found.gap == pytest.approx(8 * eps * terms + abs(f.F.value(y) - value), rel=1e-9, abs=0)
    assert found.radius == pytest.approx(8 * eps * (abs(at) + abs(y)) + abs(found.point - at), rel=1e-9, abs=0)
    assert (found.point, found.value) == (y - float(LAM) * f.F.subgradient(y), f.F.value(y)), (
        "the built envelope answers"
    )
    f.F = None  # where the pieces of the envelope cannot be told apart
    alone = f(y)
    assert (alone.point, alone.value) == (at, value)
    assert (alone.gap, alone.radius) == pytest.approx((8 * eps * terms, 8 * eps * (abs(at) + abs(y))), rel=1e-9, abs=0)


def test_a_certificate_may_be_undercut_by_rounding_alone() -> None:
    r"""The least value nearby is 1 at :math:`z=y\pm0.1`, where the terms are 1 + value + 0.02."""

    class Deep:
        n = 1

        def value(self, z: Any) -> float:
            return 1.0 - float(z @ z)

        def known_rho(self) -> Known:
            return Known(2.0, "declared")

    y, deep = np.zeros(1), Deep()
    just = Prox(y, 1.0 + 2e-9, 0.0, 0.0)
    assert envelope._probed(deep, WholeSpace(1), y, 0.5, just) is just
    assert "agree with its rho = 2 and its subgradients, but a lower bound is exceeded by 2.1e-09" in message(
        lambda: envelope._probed(deep, WholeSpace(1), y, 0.5, Prox(y, 1.0 + 2.1e-9, 0.0, 0.0))
    )
    covered = Prox(y, 1.0 + 2.1e-9, 1e-9, 0.0)
    assert envelope._probed(deep, WholeSpace(1), y, 0.5, covered) is covered, "the gap is allowed for"


@pytest.mark.parametrize("X", [WholeSpace(2), Ball(0.5, np.array([1.0, -1.0])), Box(np.zeros(2), np.ones(2))])
def test_the_tolerance_of_an_envelope_is_1e_12_if_none_is_given(X: Any) -> None:
    f, y = RobustPhaseRetrieval(np.array([[1.0, 0.5], [-0.3, 2.0]]), np.array([1.0, 0.5])), np.array([0.7, 0.3])
    smooth = NoisyQuadratic(np.diag([1.0, -0.5]), np.zeros((1, 2)))
    for problem in (f, smooth):
        found = moreau(problem, X, y, envelope=0.1)
        assert found.gap == moreau(problem, X, y, envelope=0.1, tol=1e-12).gap
        assert mon.Smoothed(problem, X, envelope=0.1)(y).gap == found.gap
        (many,) = envelope.moreau_many(problem, X, [y], envelope=0.1)
        assert many.gap == envelope.moreau_many(problem, X, [y], envelope=0.1, tol=1e-12)[0].gap
        q, x0 = Parameters(0.01, 0.5), X.project(y)
        setting = slack.nonsmooth(smooth, Ball(2.0, np.zeros(2)), q, envelope=0.1)
        assert setting.smoothed is not None
        assert setting.smoothed(y).gap == moreau(smooth, Ball(2.0, np.zeros(2)), y, envelope=0.1, tol=1e-12).gap
        if isinstance(X, Ball):
            runs = [
                survey.run_slacks(problem, X, x0, q, 1, np.random.default_rng(0), envelope=0.1, **more)
                for more in ({}, {"tol": 1e-12}, {"tol": 0.1})
            ]
            errors = [run["lemma_4 repaired"][0].error for run in runs]
            assert errors[0] == errors[1] < errors[2]


def test_a_certificate_is_probed_along_the_axes() -> None:
    bowl = NoisyQuadratic(np.eye(2), np.zeros((1, 2)))
    y = np.array([1.0, 0.0])
    good = moreau(bowl, WholeSpace(2), y, envelope=0.5)
    assert envelope._probed(bowl, WholeSpace(2), y, 0.5, good) is good
    asked: list[list[float]] = []
    many = SimpleNamespace(n=9, value=lambda z: (asked.append(z.tolist()), 0.0)[1])
    at = Prox(np.full(9, 1.0), 0.0, 0.0, 0.0)
    assert envelope._probed(many, WholeSpace(9), at.point, 0.5, at) is at
    wanted = [1 + sign * t * 4 * e for t in (0.1, 1e-3) for sign in (1, -1) for e in np.eye(9)[:8]]
    assert np.allclose(asked, wanted), "a tenth and a thousandth of 1 + |z|, to both sides, along eight axes"
    lie = replace(good, value=good.value + 1.0, point=good.point + 0.1)
    assert "a lower bound is exceeded by" in message(lambda: envelope._probed(bowl, WholeSpace(2), y, 0.5, lie))
    assert "have finite values near y" in message(lambda: envelope._certified(bowl, y, math.inf, 0.0, 0.0))
    assert "have finite values near y" in message(lambda: envelope._certified(bowl, y, 0.0, math.inf, 0.0))
