r"""The parts of the prox of robust phase retrieval, each against NumPy, and how little work the whole is."""

from typing import Any

import numpy as np
import pytest

from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.numerics import phase_kernel, phase_prox, phase_prox_far, phase_prox_many
from shbcore.numerics.phase_prox import (
    Data,
    Saddle,
    certificate,
    cholesky,
    cholesky_solve,
    gram,
    prepare,
    solve,
)

Array = Any


def problem(m: int, n: int, seed: int, share: float = 0.3) -> tuple[RobustPhaseRetrieval, Array]:
    found, _, truth = phase_retrieval(m, n, 2.0, share, np.random.default_rng(seed))
    assert isinstance(found, RobustPhaseRetrieval)
    return found, truth


def data_of(f: RobustPhaseRetrieval, **more: Any) -> Data:
    rho = float(f.known_least_rho())
    return prepare(f.A, f.b, f.weights, envelope=1 / (2 * rho), weak_convexity=rho, **more)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What is compiled at its first call is compiled before any test is timed."""
    f, truth = problem(12, 3, 0)
    data, X = data_of(f), truth + np.linspace(0, 1, 20)[:, None]
    phase_prox_many.solve_many(data, X)
    frozen = phase_prox_many.freeze(data, X[0])
    phase_prox_many._active_sets(data, frozen, X)
    phase_prox_far.descend(data, frozen.centre, X, 1)
    phase_prox_many._eliminate(np.eye(2), np.ones(2))
    gram(np.ones((1, 1)), np.ones(1), np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1)))
    cholesky(np.eye(2))
    cholesky_solve(np.eye(2), np.ones(2))
    certificate(data, X[0], X[1], frozen.centre.s, 0.0)


@pytest.mark.parametrize("n", range(1, 10))
@pytest.mark.parametrize("k", [0, 1, 5])
def test_a_gram_matrix_in_tiles_is_the_product(n: int, k: int) -> None:
    rng = np.random.default_rng(n)
    At, d, base = rng.standard_normal((n, k)), rng.random(k), rng.standard_normal((n, n))
    scaled, M = np.empty((n, k)), np.zeros((n, n))
    gram(At, d, base, scaled, M)
    wanted = base + At @ np.diag(d) @ At.T
    assert np.allclose(np.tril(M), np.tril(wanted), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("n", range(1, 12))
def test_a_factorisation_four_rows_at_a_time_is_that_of_cholesky(n: int) -> None:
    rng = np.random.default_rng(n)
    half = rng.standard_normal((n, n + 2))
    M = half @ half.T
    L, z = M.copy(), rng.standard_normal(n)
    cholesky(L)
    assert np.allclose(np.tril(L), np.linalg.cholesky(M), rtol=1e-10)
    x = z.copy()
    cholesky_solve(L, x)
    assert np.allclose(M @ x, z, rtol=1e-9, atol=1e-9)


def test_a_pivot_that_is_lost_leaves_its_direction_alone() -> None:
    M = np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 9.0]])  # the second pivot is 0
    cholesky(M)
    assert (M[0, 0], M[1, 0], M[1, 1], M[2, 2]) == (2.0, 1.0, 1e100, 3.0)
    z = np.array([4.0, 2.0, 9.0])
    cholesky_solve(M, z)
    assert z.tolist() == [1.0, 0.0, 1.0]
    small = np.array([[1.0, 1.0], [1.0, 1.0 + 4e-16]])
    cholesky(small)
    assert small[1, 1] == pytest.approx(2e-8, rel=0.1), "a pivot above rounding is kept"


@pytest.mark.parametrize("radius", [np.inf, 1.5])
@pytest.mark.parametrize("theta", [0.0, 0.7])
def test_a_certificate_typed_a_second_time(radius: float, theta: float) -> None:
    rng = np.random.default_rng(1)
    f, _ = problem(9, 3, 5, 0.8)
    assert (f.b <= 0).any()
    centre = np.array([0.1, -0.2, 0.3])
    data = data_of(f, centre=centre, radius=radius)
    x, y = rng.standard_normal(3), centre + 0.5 * rng.standard_normal(3)
    k = int((f.b > 0).sum())
    s = np.append(rng.uniform(-1, 1, k), np.ones(9 - k))
    A, b, w, inverse = data.A, data.b, data.w, data.inverse
    t = A @ y
    r = t * t - b
    phi = w @ np.abs(r) + inverse / 2 * (y - x) @ (y - x)
    e = inverse * (y - x) + 2 * A.T @ (w * s * t) + theta * (y - centre)
    gap = w @ (np.abs(r) - s * r) + e @ e / (2 * (data.kappa + theta))
    if theta > 0:
        gap += theta * max(radius**2 - (y - centre) @ (y - centre), 0.0) / 2
    scale = w @ (t * t + np.abs(b)) + inverse / 2 * (y - x) @ (y - x)
    assert certificate(data, x, y, s, theta) == pytest.approx((phi, gap, scale), rel=1e-12)


def test_data_are_ordered_with_the_kinks_first() -> None:
    A, b, w = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]]), np.array([-1.0, 2.0, 3.0]), np.array([0.5, 0.3, 0.2])
    data = prepare(A, b, w, envelope=0.25, weak_convexity=1.5)
    assert data.order.tolist() == [1, 2, 0]
    assert np.array_equal(data.A, A[[1, 2, 0]])
    assert np.array_equal(data.At, A[[1, 2]].T)
    assert (data.inverse, data.kappa, data.radius) == (4.0, 2.5, np.inf)
    wanted = 4 * np.eye(2) + 2 * 0.5 * np.outer(A[0], A[0])
    wanted -= 2 * (0.3 * np.outer(A[1], A[1]) + 0.2 * np.outer(A[2], A[2]))
    assert np.allclose(data.base, wanted)
    assert not data.centre.any()
    idle = prepare(A, b, np.array([0.5, 0.5, 0.0]), envelope=0.25, weak_convexity=1.5)
    assert idle.At.shape == (2, 1), "a row without weight has no kink"
    flat = prepare(A, np.array([0.0, 2.0, -3.0]), w, envelope=0.25, weak_convexity=1.5)
    assert flat.order.tolist() == [1, 0, 2], "a kink at 0 is none"


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_elimination_is_the_solution(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(5):
        K, z = rng.standard_normal((n, n)), rng.standard_normal(n)
        if n > 1:
            K[0, 0] = 0.0  # a pivot must be looked for
        x = z.copy()
        phase_prox_many._eliminate(K.copy(), x)
        assert np.allclose(K @ x, z, atol=1e-10)
    tiny, z = np.array([[1e-20, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0])
    phase_prox_many._eliminate(tiny, z)
    assert z.tolist() == [1.0, 1.0], "the largest entry is the pivot"


def test_certificates_of_many_pairs_are_those_of_each() -> None:
    rng = np.random.default_rng(2)
    f, _ = problem(12, 3, 6)
    data = data_of(f, centre=np.full(3, 0.1), radius=0.8)
    X, S = rng.standard_normal((5, 3)), rng.uniform(-1, 1, (5, 12))
    Y = np.full(3, 0.1) + np.array(
        [[0.8, 0.0, 0.0], [0.0, 0.81, 0.0], [0.1, 0.1, 0.1], [0.5, 0.5, 0.5], [0.0, 0.0, -0.79]]
    )
    value, gap, scale, inside = phase_prox_many._certificates(data, X, Y, S)
    for i in range(5):
        assert (value[i], gap[i], scale[i]) == pytest.approx(certificate(data, X[i], Y[i], S[i], 0.0))
    assert inside.tolist() == [1, 0, 1, 0, 1]


WORK = [
    (m, n, seed) for seed, (m, n) in enumerate([(1, 1), (5, 2), (12, 3), (30, 5), (30, 10), (6, 9), (60, 12), (25, 25)])
]


@pytest.mark.parametrize(("radius", "fast", "slow"), [(np.inf, 248, 708), (1.0, 260, 734), (0.3, 256, 746)])
def test_the_interior_point_method_needs_few_iterations(radius: float, fast: int, slow: int) -> None:
    """Of all points together: iterations of the fast run, and of the cautious one; a few more than were measured."""
    counts = [0, 0]
    for m, n, seed in WORK:
        f, truth = problem(m, n, seed)
        data = data_of(f, radius=radius)
        rng = np.random.default_rng(seed)
        for size in (0.0, 1e-3, 0.1, 1.0):
            x = truth + size * rng.standard_normal(n)
            for kind, most in ((0, 40), (1, 100)):
                at = Saddle(*phase_prox._interior_point(data, x, 1e-12, most, bool(kind)))
                assert at.gap <= 1e-12 * at.scale
                counts[kind] += at.iterations
    assert counts[0] <= fast
    assert counts[1] <= slow


@pytest.mark.parametrize("radius", [np.inf, 1.0, 0.3])
def test_a_run_that_is_asked_for_more_than_floats_can_give_ends_by_itself(radius: float) -> None:
    """With a tolerance of 0 no certificate is good enough: complementarity lost in rounding ends the run, and the best one is returned."""
    for m, n, seed in WORK:
        f, truth = problem(m, n, seed)
        x = truth + 0.1 * np.random.default_rng(seed).standard_normal(n)
        for cautious, most in ((False, 40), (True, 100)):
            at = Saddle(*phase_prox._interior_point(data_of(f, radius=radius), x, 0.0, most, cautious))
            assert at.iterations < most - 1
            assert at.gap <= 1e-15 * at.scale


@pytest.mark.parametrize("n", [1, 4, 5])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_rounds_of_descent_on_the_dual_typed_a_second_time(n: int, rounds: int) -> None:
    r"""Row after row, :math:`u_j` moves to where :math:`u_j\in\partial\psi_j(t_j)`, :math:`\psi_j=w_j\max(2t^2-b_j,b_j)`."""
    rng = np.random.default_rng(n)
    k = 6
    A, b, w = rng.standard_normal((k, n)), rng.random(k) + 0.1, rng.dirichlet(np.ones(k))
    half = rng.standard_normal((n, n + 2))
    inverse = np.linalg.inv(half @ half.T + np.eye(n))
    C = A @ inverse
    q = np.einsum("ij,ij->i", C, A)
    Y, U = rng.standard_normal((n, 8)) * np.geomspace(0.1, 30, 8), rng.standard_normal((k, 8)) / 10
    y, u = Y.copy().ravel(), U.copy()
    phase_prox_far._rounds(A, C, q, b, w, y, u, rounds)
    wanted, moved = U.copy(), Y.copy()
    for _ in range(rounds):
        for j in range(k):
            for lane in range(8):
                free = A[j] @ moved[:, lane] + q[j] * wanted[j, lane]
                # t = free - q u: inside the kinks u = 0, outside u = 4 w t, else t rests on the kink
                t = abs(free)
                if t <= np.sqrt(b[j]):
                    new = 0.0
                elif t / (1 + 4 * w[j] * q[j]) > np.sqrt(b[j]):
                    new = 4 * w[j] * t / (1 + 4 * w[j] * q[j])
                else:
                    new = (t - np.sqrt(b[j])) / q[j]
                new *= np.sign(free)
                moved[:, lane] += C[j] * (wanted[j, lane] - new)
                wanted[j, lane] = new
    assert np.allclose(u, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("m", "n"), [(40, 7), (60, 12)])
def test_descent_and_newton_find_points_that_lie_far_apart(m: int, n: int) -> None:
    f, truth = problem(m, n, m)
    data, rng = data_of(f), np.random.default_rng(0)
    X = truth + 0.5 * rng.standard_normal((19, n))
    centre = solve(data, X.mean(axis=0), 1e-14)
    for rounds in phase_prox_far.ROUNDS:
        Y, S = phase_prox_far.descend(data, centre, X, rounds)
        _, gap, scale, _ = phase_prox_many._certificates(data, X, Y, S)
        assert (gap <= 1e-12 * scale).all()
        assert (np.abs(S) <= 1).all()
    assert phase_prox_far.ROUNDS == (12, 80)


@pytest.mark.parametrize(("m", "n", "seed"), [(40, 7, 0), (60, 12, 1), (90, 30, 2), (30, 20, 3)])
@pytest.mark.parametrize("spread", [1e-4, 1e-2])
def test_frozen_states_serve_the_points_nearby(m: int, n: int, seed: int, spread: float) -> None:
    """From one factorisation, with the changes of state that are needed, and without any other method."""
    f, truth = problem(m, n, seed)
    data, rng = data_of(f), np.random.default_rng(seed)
    X = truth + 0.3 * rng.standard_normal(n) + spread * rng.standard_normal((23, n))
    frozen = phase_prox_many.freeze(data, X.mean(axis=0))
    assert len(frozen.spare) == 0
    Y, S = phase_prox_many._active_sets(data, frozen, X)
    _, gap, scale, _ = phase_prox_many._certificates(data, X, Y, S)
    assert (gap <= 1e-12 * scale).all()
    for x, y in zip(X[:3], Y):
        assert np.allclose(y, solve(data, x, 1e-15).point, atol=1e-6)
    if spread > 1e-3:
        k = data.At.shape[1]
        states = np.where(np.abs(S[:, :k]) == 1, S[:, :k], 0)
        assert (states != frozen.state).any(), "states do change"


def test_a_frozen_solution_pulls_as_its_point_asks() -> None:
    f, truth = problem(40, 7, 4)
    data = data_of(f)
    x = truth + 0.2
    at = solve(data, x, 1e-15)
    assert np.allclose(phase_prox_many._pull(data, at), data.inverse * x, rtol=1e-6)


def test_a_wrong_result_of_the_fast_run_is_replaced_by_the_cautious_one(monkeypatch: pytest.MonkeyPatch) -> None:
    f, truth = problem(12, 3, 6)
    data, asked = data_of(f), []
    true = phase_prox._interior_point

    def stopped(data: Any, x: Any, tol: float, most: int, cautious: bool) -> Any:
        asked.append((most, cautious))
        return true(data, x, tol, most if cautious else 2, cautious)

    x = truth + 0.3
    assert solve(data, x, 1e-12).gap > 0
    monkeypatch.setattr(phase_prox, "_interior_point", stopped)
    at = solve(data, x, 1e-12)
    assert at.gap <= 1e-12 * at.scale
    assert asked == [(40, False), (100, True)]
    asked.clear()
    loose = solve(data, x, 1e6)
    assert asked == [(40, False)]
    assert loose.gap <= 1e6 * loose.scale


class Newton:
    r"""The interior point method in NumPy: all equations of its docstring linearised at once, and solved without elimination."""

    def __init__(self, data: Data, x: Array, cautious: bool) -> None:
        self.data, self.x, self.cautious = data, x, cautious
        self.k = data.At.shape[1]
        self.A, self.b, self.w = (part[: self.k] for part in (data.A, data.b, data.w))
        self.ball = data.radius < np.inf
        R2, c = data.radius**2, data.centre
        d = x - c
        if self.ball:
            d = d * min(1.0, 0.9 * data.radius / np.linalg.norm(d))
        self.y = c + d
        self.v = (R2 - d @ d) / 2 if self.ball else 1.0
        t = self.A @ self.y
        size = self.w @ (t * t + self.b) + (data.inverse * min(R2, x @ x + c @ c) if self.ball else 0.0)
        mu = max(0.3 * (self.w @ np.abs(t * t - self.b)), 0.03 * size) / self.k
        zeta = self.w * (t * t - self.b)  # = p - q with p (1 - s) = q (1 + s) = mu
        self.s = (np.sqrt(mu * mu + zeta * zeta) - mu) / zeta
        self.p, self.q = mu / (1 - self.s), mu / (1 + self.s)
        self.theta = mu / self.v if self.ball else 0.0

    def step(self) -> None:
        k, n, ball = self.k, len(self.y), self.ball
        A, w, data = self.A, self.w, self.data
        s, p, q, v, theta = self.s, self.p, self.q, self.v, self.theta
        t, d = A @ self.y, self.y - data.centre
        e = data.base @ self.y + A.T @ (2 * w * (1 + s) * t) + theta * d - data.inverse * self.x
        total = p @ (1 - s) + q @ (1 + s) + (theta * v if ball else 0.0)
        size = n + 3 * k + 2
        Y, S, P, Q = slice(0, n), slice(n, n + k), slice(n + k, n + 2 * k), slice(n + 2 * k, n + 3 * k)
        T, V = n + 3 * k, n + 3 * k + 1
        J = np.zeros((size, size))
        J[Y, Y] = data.base + A.T @ np.diag(2 * w * (1 + s)) @ A + theta * np.eye(n)
        J[Y, S] = A.T @ np.diag(2 * w * t)
        J[S, Y], J[S, P], J[S, Q] = np.diag(2 * w * t) @ A, -np.eye(k), np.eye(k)
        J[P, P], J[P, S] = np.diag(1 - s), np.diag(-p)
        J[Q, Q], J[Q, S] = np.diag(1 + s), np.diag(q)
        J[T, T] = J[V, V] = 1.0
        if ball:
            J[Y, T], J[T, T], J[T, V], J[V, Y] = d, v, theta, d
        move, target, second = np.zeros(size), 0.0, 0.0
        for corrector in range(2):
            dy, ds, dp, dq, dtheta, dv = move[Y], move[S], move[P], move[Q], move[T], move[V]
            dt = A @ dy
            right = np.zeros(size)
            right[Y] = -e - second * (A.T @ (2 * w * ds * dt) + dtheta * dy)
            right[S] = -(w * (t * t - self.b + second * dt * dt) - p + q)
            right[P] = target - p * (1 - s) + second * dp * ds
            right[Q] = target - q * (1 + s) - second * dq * ds
            if ball:
                right[T] = target - theta * v - second * dtheta * dv
                right[V] = -(v - (data.radius**2 - d @ d) / 2 + second * dy @ dy / 2)
            move = np.linalg.solve(J, right)
            ds, dp, dq, dtheta, dv = move[S], move[P], move[Q], move[T], move[V]
            now = np.concatenate([1 - s, 1 + s, p, q, [v, theta] if ball else []])
            change = np.concatenate([-ds, ds, dp, dq, [dv, dtheta] if ball else []])
            a = min(-value / slope for value, slope in zip(now, change) if slope < 0)
            if corrector == 0:
                a = min(1.0, a)
                after = (p + a * dp) @ (1 - s - a * ds) + (q + a * dq) @ (1 + s + a * ds)
                after += (theta + a * dtheta) * (v + a * dv) if ball else 0.0
                mu = total / (2 * k + ball)
                target, second = mu * (after / total) ** 3, a * a
                if self.cautious:
                    target, second = max(target, 0.3 * mu), 0.0
        a = min(1.0, (0.9 if self.cautious else 0.999) * a)
        self.y, self.s = self.y + a * move[Y], s + a * ds
        self.p, self.q = p + a * dp, q + a * dq
        self.v, self.theta = v + a * dv, theta + a * dtheta


@pytest.mark.parametrize("cautious", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "radius"), [(7, 3, np.inf), (12, 5, np.inf), (3, 4, np.inf), (7, 3, 0.6), (12, 5, 2.0), (3, 4, 1.0)]
)
def test_every_step_of_the_interior_point_method_is_newtons(m: int, n: int, radius: float, cautious: bool) -> None:
    f, truth = problem(m, n, m + n)
    rng = np.random.default_rng(m)
    data = data_of(f, centre=0.1 * rng.standard_normal(n) if radius < np.inf else None, radius=radius)
    x = truth + 0.7 * rng.standard_normal(n)
    plain = Newton(data, x, cautious)
    for steps in range(5):
        if steps:
            plain.step()
        at = Saddle(*phase_prox._interior_point(data, x, 0.0, steps + 1, cautious))
        d = plain.y - data.centre
        near = data.centre + d * min(1.0, radius / np.linalg.norm(d))
        assert at.iterations == steps
        assert np.allclose(at.point, near, rtol=1e-7, atol=1e-9)
        assert np.allclose(at.s[: plain.k], plain.s, rtol=1e-6, atol=1e-7)
        assert (at.s[plain.k :] == 1).all()
        assert at.theta == pytest.approx(plain.theta, rel=1e-6, abs=1e-12)
        wanted = certificate(data, x, near, np.append(plain.s, np.ones(m - plain.k)), plain.theta)
        assert (at.value, at.gap, at.scale) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize(
    ("good", "asked", "left"),
    [(16, [16, 4], []), (8, [16, 4], [(8, 12)]), (7, [16], [(13, 12)]), (0, [16], [(20, 12)])],
)
def test_the_first_points_show_whether_the_states_of_the_centre_serve_the_others(
    good: int, asked: list[int], left: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen are tried; if half of them are served, so are the rest; the descent takes what is left, and the certificate judges."""
    f, truth = problem(40, 7, 0)
    data, rng = data_of(f), np.random.default_rng(0)
    X = truth + 0.3 * rng.standard_normal(7) + 1e-3 * rng.standard_normal((20, 7))
    near, far = phase_prox_many._active_sets, phase_prox_far.descend
    sizes: list[int] = []
    rows: list[tuple[int, int]] = []

    def some(data: Data, frozen: Any, X: Array) -> Any:
        Y, S = near(data, frozen, X)
        if not sizes:
            Y[good:] += 1e-3
        sizes.append(len(X))
        return Y, S

    def noted(data: Data, centre: Saddle, X: Array, rounds: int) -> Any:
        rows.append((len(X), rounds))
        return far(data, centre, X, rounds)

    monkeypatch.setattr(phase_prox_many, "_active_sets", some)
    monkeypatch.setattr(phase_prox_many, "descend", noted)
    found = phase_prox_many.solve_many(data, X, 1e-12)
    assert (sizes, rows) == (asked, left)
    for x, at in zip(X, found, strict=True):
        assert (at.iterations, at.theta) == (0, 0.0)
        assert at.gap <= 1e-12 * at.scale
        assert np.allclose(at.point, solve(data, x, 1e-15).point, atol=1e-6)


def test_what_no_method_serves_goes_to_the_interior_point_method(monkeypatch: pytest.MonkeyPatch) -> None:
    f, truth = problem(40, 7, 0)
    data, X = data_of(f), truth + 0.3 + 1e-3 * np.random.default_rng(0).standard_normal((3, 7))
    rounds: list[int] = []

    def nothing(data: Data, centre: Any, X: Array, *more: int) -> Any:
        rounds.extend(more)
        return np.ones((len(X), 7)), np.ones((len(X), 40))

    monkeypatch.setattr(phase_prox_many, "_active_sets", nothing)
    monkeypatch.setattr(phase_prox_many, "descend", nothing)
    found = phase_prox_many.solve_many(data, X, 1e-12)
    assert rounds == [12, 80]
    assert all(at.iterations > 0 and at.gap <= 1e-12 * at.scale for at in found)


def test_points_that_a_ball_holds_back_are_solved_one_by_one() -> None:
    f, truth = problem(40, 7, 0)
    X = 3 * truth + 1e-3 * np.random.default_rng(0).standard_normal((3, 7))
    for radius, alone in ((0.5, True), (50.0, False)):
        data = data_of(f, radius=radius)
        found = phase_prox_many.solve_many(data, X, 1e-12)
        assert all((at.theta > 0, at.iterations > 0) == (alone, alone) for at in found)
        assert all(at.gap <= 1e-12 * at.scale for at in found)


def test_problems_without_kinks_need_no_descent() -> None:
    f = RobustPhaseRetrieval(np.array([[1.0, 0.5], [-0.3, 2.0], [1.0, 1.0]]), -np.ones(3))
    data = prepare(f.A, f.b, f.weights, envelope=0.5, weak_convexity=0.0)
    X = np.array([[1.0, 2.0], [0.3, -1.0]])
    for x, at in zip(X, phase_prox_many.solve_many(data, X, 1e-12), strict=True):
        assert np.allclose(at.point, np.linalg.solve(data.base, 2 * x), atol=1e-12)
        assert at.gap <= 1e-12 * at.scale


@pytest.mark.parametrize(
    ("tol", "first", "second", "runs", "chosen"),
    [
        (1e-12, 0.9e-12, 0.0, 1, 0),
        (1e-12, 1.1e-12, 0.5e-12, 2, 1),
        (1e-12, 1.1e-12, 1.2e-12, 2, 0),
        (1e-20, 0.9e-15, 0.0, 1, 0),
        (1e-20, 1.1e-15, 1.0e-15, 2, 1),
    ],
)
def test_the_better_of_two_runs_is_taken_and_one_is_enough_at_the_tolerance(
    tol: float, first: float, second: float, runs: int, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gaps are relative to the scale, here 2; nothing below 1e-15 of it is asked for."""
    results = [Saddle(np.zeros(1), 0.0, 2 * gap, 2.0, np.zeros(1), 0.0, 0) for gap in (first, second)]
    given = iter(results)
    asked: list[tuple[int, bool]] = []

    def prepared(data: Data, x: Array, tol: float, most: int, cautious: bool) -> Saddle:
        asked.append((most, cautious))
        return next(given)

    monkeypatch.setattr(phase_prox, "_interior_point", prepared)
    f, _ = problem(5, 1, 0)
    assert solve(data_of(f), np.zeros(1), tol).gap == results[chosen].gap
    assert asked == [(40, False), (100, True)][:runs]


def test_the_descent_begins_at_the_solution_of_the_centre(monkeypatch: pytest.MonkeyPatch) -> None:
    f, truth = problem(40, 7, 0)
    data, x = data_of(f), truth + 0.2
    centre = solve(data, x, 1e-15)
    monkeypatch.setattr(phase_prox_far, "_newton", lambda *given: None)
    Y, S = phase_prox_far.descend(data, centre, np.array([x, x + 0.1]), 0)
    assert np.allclose(Y[0], centre.point, atol=1e-7)
    assert np.allclose(Y[1], centre.point + np.linalg.solve(data.base, data.inverse * np.full(7, 0.1)), atol=1e-7)
    k = data.At.shape[1]
    t = data.A[:k] @ centre.point
    clear = np.abs(t) > 1e-3
    assert np.allclose(S[0, :k][clear], centre.s[:k][clear], atol=1e-5)
    assert (S[:, k:] == 1).all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_newtons_method_on_the_states_finds_the_dual_with_one_state_wrong(seed: int) -> None:
    """From the dual of a solution, and from one in which a row that rests is said to be inside its kinks."""
    f, truth = problem(30, 6, seed)
    data, rng = data_of(f), np.random.default_rng(seed)
    k = data.At.shape[1]
    A, b, w = data.A[:k], data.b[:k], data.w[:k]
    x = truth + 0.3 * rng.standard_normal(6)
    at = solve(data, x, 1e-15)
    inverse = np.linalg.inv(data.base)
    G, free = A @ inverse @ A.T, data.inverse * (A @ inverse @ x)
    right = 2 * w * (1 + at.s[:k]) * (A @ at.point)
    resting = np.flatnonzero((right != 0) & (np.abs(right) < 4 * w * np.sqrt(b) * (1 - 1e-6)))
    other = right.copy()
    other[resting[0]] = 0.0
    U = np.array([right, other])
    phase_prox_far._newton(G, np.tile(free, (2, 1)), b, w, U)
    assert np.allclose(U, right, atol=1e-6)
    t = free - G @ U[0]
    for i in range(k):
        if abs(t[i]) < np.sqrt(b[i]) * (1 - 1e-9):
            assert U[0, i] == 0
        elif abs(t[i]) > np.sqrt(b[i]) * (1 + 1e-9):
            assert U[0, i] == pytest.approx(4 * w[i] * t[i])


@pytest.mark.parametrize("full", [1e-3, 20.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_newton_step_solves_for_the_states_that_a_dual_shows(
    full: float, sign: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    r"""One row: :math:`t=\mathrm{free}-gu`, and :math:`u=0` inside its kinks, :math:`t=\pm\sqrt b` at rest, :math:`u=4wt` outside."""
    monkeypatch.setattr(phase_prox_far, "STEPS", 1)
    g, root = 0.7, 1.5
    w, free = full / (4 * root), 2.0 * sign
    rest, outside = (free - sign * root) / g, free / (g + 1 / (4 * w))
    for u, wanted in (
        (0.0, 0.0),
        (0.5e-12 * full, 0.0),
        (2e-12 * full, rest),
        (full, rest),
        (full * (1 + 0.5e-9), rest),
        (full * (1 + 2e-9), outside),
    ):
        U = np.array([[sign * u]])
        phase_prox_far._newton.py_func(np.array([[g]]), np.array([[free]]), np.array([root**2]), np.array([w]), U)  # type: ignore[attr-defined]
        assert U[0, 0] == pytest.approx(wanted, rel=1e-12)


def test_compiled_code_is_kept_on_disk() -> None:
    for function in (phase_kernel._run, phase_prox._interior_point, phase_prox_many._change_states):
        assert function.stats.cache_path  # type: ignore[attr-defined]
