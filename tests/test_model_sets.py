"""The sets of the model at their edges: the last value accepted, the first refused, and what a message says."""

import math
from typing import Any

import numpy as np
import pytest
from refusal import message

from shbcore.model.problems import Constants, FiniteSum
from shbcore.model.rational import PiecewiseQuadratic
from shbcore.model.sets import Ball, Box, ConvexSet, HalfSpace, Simplex, WholeSpace, norm

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


def test_norms_where_squares_overflow() -> None:
    assert norm(np.array([3e200, 4e200])) == pytest.approx(5e200)
    assert norm(np.array([[3.0, 4.0], [3e200, -4e200]])).tolist() == [5.0, pytest.approx(5e200)]


def test_distance_and_membership_up_to_a_tolerance() -> None:
    X = Box(np.zeros(2), np.ones(2))
    assert X.distance(np.array([4.0, 5.0])) == 5
    assert X.contains(np.array([1.0 + 1.9e-9, 0.0]))
    assert not X.contains(np.array([1.0 + 2.1e-9, 0.0]))
    assert X.contains(np.array([4.0, 5.0]), tol=1.0)
    assert X.contains(np.array([3.0, 0.0]), tol=0.5)
    assert not X.contains(np.array([3.0, 0.0]), tol=0.49)
    assert not X.contains(np.array([[0.5, 0.5], [3.0, 0.0]]))
    assert not X.contains(np.array([np.inf, 0.0]))
    assert "tol = -1 must be at least 0" in message(lambda: X.contains(np.zeros(2), tol=-1))


@pytest.mark.parametrize("centre", [np.zeros(2), np.array([1.0, 0.0])])
def test_membership_in_a_tiny_ball(centre: Any) -> None:
    """Below a radius of 1e-6 the tolerance is a share of the radius, and 8 eps of the lengths."""
    e, tiny = np.array([0.0, 1.0]), Ball(1e-7, centre)
    assert tiny.contains(centre + 1e-7 * e)
    assert not tiny.contains(centre + 1e-7 * (1 + 1e-6) * e)
    assert tiny.contains(centre + 1e-7 * (1 + 0.4) * e, tol=0.5)
    assert not tiny.contains(centre + 1e-7 * (1 + 0.6) * e, tol=0.5)
    assert Ball(1e-6, centre).contains(centre + (1e-6 + 9e-10) * e), "as of every set"
    assert not tiny.contains(np.array([np.nan, 0.0]))
    assert not tiny.contains(np.array([centre, centre + e]))
    assert "tol = -1 must be at least 0" in message(lambda: tiny.contains(centre, tol=-1))
    far = Ball(1e-12, np.array([1e3, 0.0]))
    assert far.contains(far.centre + np.array([2e-13, 0.0]) * 7)
    assert not far.contains(far.centre + np.array([0.0, 1e-11]))


def test_a_ball_is_projected_on_along_the_ray() -> None:
    ball = Ball(2.0, np.array([1.0, 1.0]))
    assert ball.project(np.array([1.0, 3.0])).tolist() == [1.0, 3.0]
    assert ball.project(np.array([1.0, 9.0])).tolist() == [1.0, 3.0]
    assert ball.project(np.array([2.0, 2.0])).tolist() == [2.0, 2.0]
    far = np.array([[1e305, 1.0], [1.0, -1e305], [1.0, 2.0]])
    assert np.allclose(ball.project(far), [[3, 1], [1, -1], [1, 2]], rtol=1e-14)
    assert Ball(1e200, np.zeros(2)).project(np.array([1e307, 0.0])).tolist() == [1e200, 0]
    assert ball.diameter == 4


def test_extents_by_hand() -> None:
    """|Bx - d| on a ball, a box and a simplex, with and without a shift."""
    ball = Ball(2.0, np.array([1.0, 0.0]))
    assert ball.extent(np.zeros((1, 2))) == (0.0, True)
    for size in (1e-90, 1e90):
        assert Ball(size, np.zeros(2)).extent(np.zeros((4, 2)), -size) == (pytest.approx(2 * size, abs=0), True)
        assert Ball(size, np.zeros(2)).extent(np.zeros((1, 2))) == (0.0, True)
    words = message(lambda: Ball(1e-200, np.zeros(1)).extent(np.array([[1e-200]])))
    assert "must keep Bx - d in the range of floats" in words
    assert ball.extent(np.eye(2)).value == pytest.approx(3)
    assert ball.extent(np.eye(2), 0.0).exact
    assert ball.extent(np.eye(2), np.array([4.0, 0.0])).value == pytest.approx(5)
    assert ball.extent(np.array([[0.0, 3.0]]), 1.0).value == pytest.approx(7)
    for size in (1e80, 1e-80):
        assert ball.extent(size * np.eye(2)).value == pytest.approx(3 * size, rel=1e-9, abs=0)
        assert Ball(size, np.zeros(2)).extent(np.eye(2)).value == pytest.approx(size, rel=1e-9, abs=0)
        assert Ball(2 * size, np.zeros(2)).extent(np.diag([1.0, 3.0]) / size).value == pytest.approx(6)
        assert Ball(1.0, np.zeros(2)).extent(np.eye(2), np.array([size, 0.0])).value == pytest.approx(1 + size)
    for radius, entry in ((1e-310, 1e10), (1e10, 1e-310)):  # a quotient of these would overflow
        assert Ball(radius, np.zeros(1)).extent(np.full((1, 1), entry)).value == pytest.approx(1e-300, rel=1e-9, abs=0)
    box = Box(np.array([-1.0, 0.0]), np.array([1.0, 3.0]))
    assert box.extent(np.eye(2)) == (pytest.approx(math.sqrt(10)), True)
    assert box.extent(np.eye(2), np.array([2.0, 0.0])) == (pytest.approx(math.sqrt(18)), True)
    assert Simplex(3, 2.0).extent(np.diag([1.0, 2.0, 5.0]), 1.0) == (pytest.approx(math.sqrt(83)), True)
    assert WholeSpace(2).extent(np.zeros((3, 2)), 2.0) == (pytest.approx(math.sqrt(12)), True)
    assert WholeSpace(2).extent(np.zeros((2, 2)), np.array([3.0, 4.0])) == (5.0, True)
    assert "B.shape = (1, 3) must be (any, 2)" in message(lambda: ball.extent(np.ones((1, 3))))
    assert "d.shape = (2,) must be (1)" in message(lambda: ball.extent(np.ones((1, 2)), np.ones(2)))


def test_vertices_of_a_box_are_counted_up_to_4096() -> None:
    for n, exactly_known in ((12, True), (13, False)):
        X, B = Box(-np.ones(n), np.ones(n)), np.ones((1, n))
        found = X.extent(B, 1.0)
        assert found.exact is exactly_known
        assert found.value == pytest.approx(1 + n)
    wide = Box(-np.ones(13), 3 * np.ones(13))
    diagonal = np.zeros((13, 13))
    diagonal[:2, :2] = np.diag([1.0, 2.0])
    wanted = math.sqrt(5) + min(2 * 3, 2 * math.sqrt(13) * 2)
    assert wide.extent(diagonal).value == pytest.approx(wanted)
    assert wide.extent(np.eye(13)).value == pytest.approx(math.sqrt(13) + 2 * math.sqrt(13))


def test_which_sets_have_interior() -> None:
    assert Box(np.zeros(2), np.ones(2)).has_interior
    assert not Box(np.zeros(2), np.array([1.0, 0.0])).has_interior
    assert Box(np.zeros(2), np.zeros(2)).diameter == 0
    assert Ball(1.0, np.zeros(2)).has_interior
    assert WholeSpace(2).has_interior
    assert not Simplex(2).has_interior
    assert (Simplex(1, 3.0).diameter, Simplex(2, 3.0).diameter) == (0, pytest.approx(3 * math.sqrt(2)))
    assert Simplex(4).total == 1


def test_supports_by_hand() -> None:
    half = HalfSpace(np.array([3.0, 4.0]), 10.0)
    assert half.support(np.array([6.0, 8.0])) == 20
    assert half.support(np.zeros(2)) == 0
    assert half.support(np.array([-3.0, -4.0])) == np.inf
    assert half.support(np.array([3.0, 4.000001])) == np.inf
    assert half.project(np.array([6.0, 8.0])).tolist() == pytest.approx([1.2, 1.6])
    assert half.project(np.array([1.0, 1.0])).tolist() == [1.0, 1.0]
    assert WholeSpace(2).support(np.array([[0.0, 0.0], [0.0, 1e-300]])).tolist() == [0.0, np.inf]
    assert Box(np.array([-1.0, 2.0]), np.array([3.0, 4.0])).support(np.array([1.0, -1.0])) == 1
    assert Simplex(3, 2.0).support(np.array([-1.0, -5.0, -3.0])) == -2
    for tiny in (1e-170, 1e170):
        assert "have a square between 1e-308 and 1e308" in message(lambda t=tiny: HalfSpace(np.array([t]), 1.0))


def test_projections_on_a_simplex_by_hand() -> None:
    X = Simplex(3, 2.0)
    assert X.project(np.array([3.0, 0.0, 0.0])).tolist() == [2, 0, 0]
    assert X.project(np.array([1.0, 1.0, -9.0])).tolist() == [1, 1, 0]
    assert X.project(np.array([2.0, 1.0, 0.0])).tolist() == [1.5, 0.5, 0]
    assert X.project(np.zeros(3)).tolist() == pytest.approx([2 / 3] * 3)
    far = X.project(np.array([3e9, 3e9 - 1, 0.0]))
    assert far.tolist() == [1.5, 0.5, 0.0]


def test_abstract_classes_name_what_is_missing() -> None:
    assert ConvexSet.__abstractmethods__ == {"n", "_project", "_support"}
    assert Constants.__abstractmethods__ == {"known_rho", "known_smoothness", "known_L2", "known_sigma2", "known_G2"}
    assert FiniteSum.__abstractmethods__ == {"n", "_values", "_subgradients", "known_rho", "known_L2"}
