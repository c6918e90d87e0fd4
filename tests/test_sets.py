"""Convex sets: projections by their variational inequality, and h*, support, extent, diameter against brute force."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shbcore.model.checks import Array
from shbcore.model.sets import (
    Ball,
    Box,
    ConvexSet,
    HalfSpace,
    Simplex,
    WholeSpace,
    bounding_box,
    conjugate,
    largest_norm,
)

NUMBERS = st.floats(-8, 8, allow_subnormal=False).map(lambda t: round(t, 6))


def vectors(n: int) -> st.SearchStrategy[Array]:
    return st.lists(NUMBERS, min_size=n, max_size=n).map(np.array)


@st.composite
def sets(draw: st.DrawFn, least: int = 1, most: int = 4) -> ConvexSet:
    n = draw(st.integers(least, most))
    size = st.floats(0.25, 4).map(lambda t: round(t, 6))
    kind = draw(st.sampled_from(["whole", "ball", "box", "half", "simplex"]))
    if kind == "whole":
        return WholeSpace(n)
    if kind == "ball":
        return Ball(draw(size), draw(vectors(n)) / 4)
    if kind == "box":
        lower = draw(vectors(n)) / 4
        return Box(lower, lower + np.array([draw(size) for _ in range(n)]))
    if kind == "half":
        return HalfSpace(draw(vectors(n).filter(lambda a: np.linalg.norm(a) > 0.1)), draw(NUMBERS) / 4)
    return Simplex(n, draw(size))


@st.composite
def sets_and_points(draw: st.DrawFn, how_many: int) -> tuple[ConvexSet, list[Array]]:
    X = draw(sets())
    return X, [draw(vectors(X.n)) for _ in range(how_many)]


def in_set(X: ConvexSet, x: Array, tol: float = 1e-9) -> bool:
    """Membership from the definition, not from the projection."""
    match X:
        case WholeSpace():
            return True
        case Ball():
            return bool(np.linalg.norm(x - X.centre) <= X.radius + tol)
        case Box():
            return bool((x >= X.lower - tol).all() and (x <= X.upper + tol).all())
        case HalfSpace():
            return bool(x @ X.normal <= X.offset + tol * (1 + np.linalg.norm(X.normal)))
        case Simplex():
            return bool((x >= -tol).all() and abs(x.sum() - X.total) <= tol)
    raise AssertionError(X)


def is_projection(X: ConvexSet, project: Callable[[Array], Array], x: Array, others: list[Array]) -> bool:
    r"""P(x) is in X, and <x - P(x), y - P(x)> <= 0 for the points y of X at hand."""
    p = project(x)
    return in_set(X, p) and all((x - p) @ (X.project(y) - p) <= 1e-8 for y in others)


@given(sets_and_points(4))
def test_projection_satisfies_its_variational_inequality(case: tuple[ConvexSet, list[Array]]) -> None:
    X, (x, *others) = case
    assert all(in_set(X, X.project(y)) for y in others)
    assert is_projection(X, X.project, x, others)


def test_a_wrong_projection_is_refuted_by_the_same_check() -> None:
    X = Box(np.array([-1.0, -1.0]), np.array([1.0, 1.0]))
    radial = lambda x: x / max(np.abs(x).max(), 1.0)  # noqa: E731
    x, others = np.array([2.0, 1.0]), [np.array([1.0, 1.0]), np.array([-1.0, 1.0])]
    assert is_projection(X, X.project, x, others)
    assert not is_projection(X, radial, x, others)
    assert not is_projection(X, lambda v: 1.01 * X.project(v), x, others)


@given(sets_and_points(2))
def test_projection_is_firmly_nonexpansive_and_idempotent(case: tuple[ConvexSet, list[Array]]) -> None:
    X, (x, y) = case
    p, q = X.project(x), X.project(y)
    assert (p - q) @ (p - q) <= (p - q) @ (x - y) + 1e-8
    assert np.linalg.norm(p - q) <= np.linalg.norm(x - y) + 1e-12
    assert np.allclose(X.project(p), p, rtol=0, atol=1e-12)


@given(sets_and_points(3))
def test_a_batch_is_projected_row_by_row(case: tuple[ConvexSet, list[Array]]) -> None:
    X, points = case
    batch = np.stack(points)
    assert np.allclose(X.project(batch), [X.project(x) for x in points], rtol=0, atol=1e-14)
    assert np.allclose(conjugate(X, batch), [conjugate(X, x) for x in points], rtol=1e-14, atol=1e-13)
    assert np.allclose(X.support(batch), [X.support(x) for x in points], rtol=1e-14, atol=1e-13)


@given(sets_and_points(2))
def test_membership_agrees_with_the_definition(case: tuple[ConvexSet, list[Array]]) -> None:
    X, points = case
    for x in points:
        assert X.contains(X.project(x))
        if X.distance(x) > 1e-6:
            assert not X.contains(x)
            assert not in_set(X, x, tol=1e-10)


STEP = 0.02


def grid(X: ConvexSet) -> Array:
    """Points of a plane set, made from its definition: no point of X within the window is farther than 2 STEP."""
    if isinstance(X, Simplex):
        share = np.arange(0, 1 + STEP, STEP).clip(0, 1)
        return X.total * np.stack([share, 1 - share], axis=1)
    if isinstance(X, Box):
        u, v = np.meshgrid(np.linspace(0, 1, 251), np.linspace(0, 1, 251))
        return X.lower + np.stack([u.ravel(), v.ravel()], axis=1) * (X.upper - X.lower)
    if isinstance(X, Ball):
        r, angle = np.meshgrid(X.radius * np.linspace(0, 1, 201), np.linspace(0, 2 * np.pi, 1300))
        return X.centre + np.stack([(r * np.cos(angle)).ravel(), (r * np.sin(angle)).ravel()], axis=1)
    side = np.arange(-6, 6, STEP)
    points = np.stack([k.ravel() for k in np.meshgrid(side, side)], axis=1)
    return points if isinstance(X, WholeSpace) else points[points @ X.normal <= X.offset]


PLANE = [
    WholeSpace(2),
    Ball(1.5, np.array([0.5, -1.0])),
    Box(np.array([-1.0, 0.5]), np.array([2.0, 1.0])),
    HalfSpace(np.array([1.0, 2.0]), -0.5),
    Simplex(2, 1.5),
]


def conjugate_agrees_with_brute_force(X: ConvexSet, y: Array, value: float) -> bool:
    """No point of the grid does better, and the best comes as close as the grid allows."""
    points = grid(X)
    best = np.max(points @ y - np.sum(points**2, axis=1) / 2)
    reach = np.linalg.norm(y) + np.linalg.norm(X.project(y)) + 1
    return bool(best <= value + 1e-12 and value - best <= 2 * STEP * reach)


@pytest.mark.parametrize("X", PLANE, ids=lambda X: type(X).__name__)
def test_conjugate_against_brute_force(X: ConvexSet) -> None:
    for y in np.random.default_rng(1).uniform(-3, 3, (20, 2)):
        value = float(conjugate(X, y))
        assert conjugate_agrees_with_brute_force(X, y, value)
        assert not conjugate_agrees_with_brute_force(X, y, value - 0.6)
        assert not conjugate_agrees_with_brute_force(X, y, value + 0.6)


@given(sets_and_points(2))
def test_conjugate_is_the_supremum_by_fenchel_and_by_distance(case: tuple[ConvexSet, list[Array]]) -> None:
    r"""h*(y) >= <y,x> - |x|^2/2 for x in X, and h*(y) = |y|^2/2 - dist(y, X)^2/2, another way to compute it."""
    X, (y, x) = case
    x = X.project(x)
    assert conjugate(X, y) >= y @ x - x @ x / 2 - 1e-9
    assert conjugate(X, y) == pytest.approx(float(y @ y / 2 - X.distance(y) ** 2 / 2), abs=1e-9)


@given(sets_and_points(2))
def test_gradient_of_the_conjugate_is_the_projection(case: tuple[ConvexSet, list[Array]]) -> None:
    r"""h* is convex and 1-smooth: 0 <= h*(y') - h*(y) - <P(y), y'-y> <= |y'-y|^2/2, used in lem:xdiff:smooth."""
    X, (y, other) = case
    rest = conjugate(X, other) - conjugate(X, y) - X.project(y) @ (other - y)
    assert -1e-9 <= rest <= np.sum((other - y) ** 2) / 2 + 1e-9


def bounded(X: ConvexSet) -> bool:
    return X.diameter < np.inf


@given(sets_and_points(2))
def test_support_is_reached_by_projecting_far_points(case: tuple[ConvexSet, list[Array]]) -> None:
    X, (y, x) = case
    assert X.support(y) >= y @ X.project(x) - 1e-9
    if bounded(X) and np.linalg.norm(y) > 0.01:
        assert X.support(y) == pytest.approx(y @ X.project(1e7 * y), abs=1e-4)


@pytest.mark.parametrize("X", [X for X in PLANE if bounded(X)], ids=lambda X: type(X).__name__)
def test_diameter_is_the_largest_distance(X: ConvexSet) -> None:
    angles = np.linspace(0, np.pi, 4001)
    far = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    width = np.max(X.support(far) + X.support(-far))
    assert width <= X.diameter + 1e-12
    assert width == pytest.approx(X.diameter, rel=1e-5)


def climb(X: ConvexSet, B: Array, d: Array, rng: np.random.Generator) -> float:
    """The largest |Bx - d| found by jumping to the best point of the linearisation, from many starts."""
    x = X.project(rng.normal(0, 3, (60, X.n)))
    for _ in range(200):
        x = X.project(x + 1e6 * (x @ B.T - d) @ B)
    return float(np.max(np.linalg.norm(x @ B.T - d, axis=1)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [1, 2, 3])
def test_extent_is_the_supremum(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    B, d = rng.normal(size=(n + 1, n)), rng.normal(size=n + 1)
    lower = rng.normal(size=n)
    for X in (Ball(1.3, rng.normal(size=n)), Box(lower, lower + rng.random(n) + 0.1), Simplex(n, 1.7)):
        value, exact = X.extent(B, d)
        found = climb(X, B, d, rng)
        assert exact
        assert found <= value * (1 + 1e-9)
        assert found == pytest.approx(value, rel=1e-5)


def test_extent_in_the_hard_case_and_at_degenerate_data() -> None:
    """The centre is orthogonal to the top eigenvector: the dual minimiser sits at the eigenvalue."""
    B, X = np.diag([1.0, 3.0]), Ball(1.0, np.array([0.5, 0.0]))
    # by hand: x = (1/2 + u, v), u^2 + v^2 = 1: (1/2+u)^2 + 9(1-u^2) is largest at u = 1/16
    assert X.extent(B).value == pytest.approx(np.sqrt((1 / 2 + 1 / 16) ** 2 + 9 * (1 - 1 / 256)), rel=1e-12)
    assert X.extent(np.zeros((1, 2)), np.array([3.0])).value == 3.0
    assert Ball(2.0, np.zeros(2)).extent(B).value == pytest.approx(6.0, rel=1e-14)
    assert WholeSpace(2).extent(B).value == np.inf
    assert HalfSpace(np.ones(2), 1.0).extent(np.zeros((1, 2)), np.array([3.0])).value == 3.0


def test_extent_of_a_box_with_many_vertices_is_a_bound() -> None:
    rng = np.random.default_rng(0)
    X, B = Box(-np.ones(20), 2 * np.ones(20)), rng.normal(size=(5, 20))
    value, exact = X.extent(B)
    assert not exact
    assert climb(X, B, np.zeros(5), rng) <= value


def test_bounding_box_and_largest_norm() -> None:
    lower, upper = bounding_box(Ball(2.0, np.array([1.0, 0.0])))
    assert lower.tolist() == [-1.0, -2.0]
    assert upper.tolist() == [3.0, 2.0]
    assert largest_norm(Ball(2.0, np.array([3.0, 4.0]))) == pytest.approx(7.0)
    assert largest_norm(Simplex(3, 2.0)) == pytest.approx(2.0)
    assert largest_norm(HalfSpace(np.ones(2), 1.0)) == np.inf
