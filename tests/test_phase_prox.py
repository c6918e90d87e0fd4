r"""The prox of robust phase retrieval: certified on thousands of instances, confirmed in exact arithmetic and by another solver."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import cvxpy as cp
import numpy as np
import pytest

from shbcore.model.phase import RobustPhaseRetrieval, kinked_at, phase_retrieval
from shbcore.numerics import phase_prox_far, phase_prox_many
from shbcore.numerics.phase_prox import Array, Data, Saddle, _interior_point, certificate, prepare, solve
from shbcore.numerics.phase_prox_many import freeze, solve_many

KINDS = [
    "random",
    "m<n",
    "kappa=100",
    "x=0",
    "x=x*",
    "no outliers",
    "tiny",
    "huge",
    "weights",
    "b<=0",
    "repeated",
    "barely",
    "mixed",
]
"""``barely``: :math:`1/\\lambda` just above :math:`\\rho`; ``mixed``: rows of very different lengths."""


def data_of(
    problem: RobustPhaseRetrieval, stretch: float = 2.0, radius: float = np.inf, centre: Array | None = None
) -> Data:
    r"""Shared data at :math:`1/\lambda=` ``stretch`` :math:`\cdot\rho`."""
    least, rho = float(problem.known_least_rho()), problem.rho
    rho = least if least > 1e-9 * rho else rho  # f is convex if no b_i is positive
    return prepare(
        problem.A,
        problem.b,
        problem.weights,
        envelope=1 / (stretch * rho),
        weak_convexity=least,
        centre=centre,
        radius=radius,
    )


def instances(count: int, rng: np.random.Generator) -> Iterator[tuple[str, RobustPhaseRetrieval, Array, float, float]]:
    """``(kind, problem, x, stretch, radius)``: random ones and every degenerate kind in turn."""
    for i in range(count):
        m, n = int(rng.integers(1, 40)), int(rng.integers(1, 14))
        kind = KINDS[i % len(KINDS)]
        if kind == "m<n":
            m, n = int(rng.integers(1, 8)), int(rng.integers(8, 20))
        instance = phase_retrieval(
            m, n, 100.0 if kind == "kappa=100" else 1.0, 0.0 if kind in ("no outliers", "x=x*") else 0.3, rng
        )
        A, b, truth = np.array(instance.problem.A), np.array(instance.problem.b), instance.truth
        x = truth + rng.choice([0.0, 1e-8, 1e-3, 0.1, 1.0, 10.0]) * rng.standard_normal(n)
        weights, stretch = None, 2.0
        if kind in ("x=0", "x=x*"):
            x = 0 * truth if kind == "x=0" else truth
        elif kind in ("tiny", "huge"):
            size = 10.0 ** (rng.uniform(4, 12) * (1 if kind == "huge" else -1))
            b, x = b * size**2, x * size
        elif kind == "weights":
            weights = rng.dirichlet(np.full(m, 0.3))
        elif kind == "b<=0":
            b = -np.abs(b) * (rng.random(m) < 0.5)
        elif kind == "repeated":
            A, b = np.vstack([A, A]), np.concatenate([b, b])
        elif kind == "barely":
            stretch = 1 + 10.0 ** rng.uniform(-4, -1)
        elif kind == "mixed":
            rows = 10.0 ** rng.uniform(-4, 4, m)
            A, b, stretch = A * rows[:, None], b * rows**2, 100.0
        reach = float(np.linalg.norm(x)) or 1.0
        yield kind, RobustPhaseRetrieval(A, b, weights), x, stretch, reach * rng.choice([np.inf, np.inf, 2.0, 1.0, 0.3])


def test_the_gap_is_below_1e_10_on_5200_random_and_degenerate_instances() -> None:
    rng, worst = np.random.default_rng(0), {}
    for kind, problem, x, stretch, radius in instances(5200, rng):
        at = solve(data_of(problem, stretch, radius), x, 1e-10)
        assert np.linalg.norm(at.point) <= radius * (1 + 1e-14)
        assert np.isfinite(at.point).all()
        assert (np.abs(at.s) <= 1).all()
        assert at.theta >= 0
        relative = at.gap / at.scale if at.scale > 0 else at.gap
        worst[kind] = max(worst.get(kind, 0.0), relative)
    assert set(worst) == set(KINDS)
    assert max(worst.values()) <= 1e-10, worst


def test_the_cautious_run_needs_no_help() -> None:
    for kind, problem, x, stretch, radius in instances(650, np.random.default_rng(8)):
        data = data_of(problem, stretch, radius)
        at = Saddle(*_interior_point(data, x, 1e-10, 100, True))
        assert at.gap <= 1e-10 * at.scale, kind


def test_a_cycle_of_the_fast_run_is_noticed_and_repaired() -> None:
    *_, (_, problem, x, stretch, radius) = instances(4064, np.random.default_rng(0))
    data = data_of(problem, stretch, radius)
    fast = Saddle(*_interior_point(data, x, 1e-10, 40, False))
    assert fast.gap > 1e-10 * fast.scale
    assert solve(data, x, 1e-10).gap <= 1e-10 * fast.scale


def test_a_step_that_moves_nothing_is_taken() -> None:
    at = solve(data_of(RobustPhaseRetrieval(np.ones((1, 1)), np.ones(1))), np.ones(1), 1e-14)
    assert at.gap <= 1e-14
    assert at.point == pytest.approx([1.0])


@pytest.mark.parametrize("radius", [np.inf, 2.0, 0.4])
@pytest.mark.parametrize("kappa", [1.0, 10.0, 100.0])
def test_the_gap_is_below_1e_10_at_the_size_of_the_paper(kappa: float, radius: float) -> None:
    rng = np.random.default_rng(1)
    problem, _, truth = phase_retrieval(300, 100, kappa, 0.2, rng)
    data = data_of(problem, radius=radius)
    for x in (truth, 0 * truth, truth + 0.01 * rng.standard_normal(100), rng.standard_normal(100)):
        at = solve(data, x, 1e-10)
        assert at.gap <= 1e-10 * at.scale
        assert at.iterations <= 25
        near = solve(data, x, 1e-15)
        assert near.gap <= 2e-15 * near.scale
        assert np.linalg.norm(at.point - near.point) <= 2 * np.sqrt(2 * at.gap / data.kappa)


# Exact arithmetic --------------------------------------------------------------------------------------------------------------------


def exact(values: Array) -> list[Fraction]:
    return [Fraction(float(v)) for v in values]


def gauss(H: list[list[Fraction]], z: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Solution of ``H y = z`` and the pivots of ``H`` (all positive if and only if the symmetric ``H`` is positive definite)."""
    n, rows = len(z), [[*row, value] for row, value in zip(H, z, strict=True)]
    for j in range(n):
        for i in range(n):
            if i != j and rows[i][j] != 0:
                factor = rows[i][j] / rows[j][j]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[j], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)], [rows[i][i] for i in range(n)]


class Exact:
    r"""The data of a prox as fractions, :math:`\Phi`, and the dual function :math:`\min_yL(y,s,\theta)` itself, without :math:`\kappa`."""

    def __init__(self, data: Data, x: Array) -> None:
        self.A, self.b, self.w, self.x = [exact(row) for row in data.A], exact(data.b), exact(data.w), exact(x)
        self.inverse, self.kappa = Fraction(data.inverse), Fraction(data.kappa)
        self.c, self.R2 = exact(data.centre), Fraction(data.radius) ** 2 if data.radius < np.inf else Fraction(0)
        self.k, self.n = data.At.shape[1], len(x)

    def hessian(self, s: list[Fraction], extra: Fraction) -> list[list[Fraction]]:
        rows = range(len(self.b))
        return [
            [
                2 * sum(self.w[i] * s[i] * self.A[i][j] * self.A[i][l] for i in rows)
                + (self.inverse + extra if j == l else 0)
                for l in range(self.n)
            ]
            for j in range(self.n)
        ]

    def phi(self, y: list[Fraction]) -> Fraction:
        t = [sum(a * v for a, v in zip(row, y, strict=True)) for row in self.A]
        f = sum(w * abs(u * u - b) for w, u, b in zip(self.w, t, self.b, strict=True))
        return f + self.inverse / 2 * sum((u - v) ** 2 for u, v in zip(y, self.x, strict=True))

    def dual(self, s: list[Fraction], theta: Fraction) -> Fraction:
        z = [self.inverse * u + theta * c for u, c in zip(self.x, self.c, strict=True)]
        y, pivots = gauss(self.hessian(s, theta), z)
        assert min(pivots) > 0
        constant = self.inverse / 2 * sum(u * u for u in self.x) + theta / 2 * (sum(c * c for c in self.c) - self.R2)
        constant -= sum(w * u * b for w, u, b in zip(self.w, s, self.b, strict=True))
        return constant - sum(u * v for u, v in zip(y, z, strict=True)) / 2

    def modulus_holds(self) -> bool:
        r""":math:`B\succ(\kappa-\varepsilon)I`, hence :math:`H(s)\succ(\kappa-\varepsilon)I` for every :math:`s`."""
        lowest = [Fraction(-1)] * self.k + [Fraction(1)] * (len(self.b) - self.k)
        shift = -self.kappa + Fraction(1, 10**12) * self.inverse
        return min(gauss(self.hessian(lowest, shift), [Fraction(0)] * self.n)[1]) > 0


@pytest.mark.parametrize("seed", range(12))
def test_the_certificate_holds_in_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem, _, truth = phase_retrieval(6, 3, 2.0, 0.3, rng)
    radius = (np.inf, 1.5, 0.5)[seed % 3]
    data, x = data_of(problem, (2.0, 1.1)[seed % 2], radius), truth + rng.standard_normal(3)
    referee = Exact(data, x)
    assert referee.modulus_holds()
    rounding = Fraction(1, 10**14)
    for tol in (1e-2, 1e-6, 1e-12):
        at = solve(data, x, tol)
        y, s = exact(at.point), exact(at.s)
        assert sum(u * u for u in y) <= referee.R2 * (1 + rounding) or radius == np.inf
        true_gap = referee.phi(y) - referee.dual(s, Fraction(at.theta))
        scale = Fraction(at.scale)
        assert abs(referee.phi(y) - Fraction(at.value)) <= rounding * scale
        assert -rounding * scale <= true_gap <= Fraction(at.gap) + rounding * scale
        assert at.gap <= tol * at.scale
    # The same comparison refuses a gap that is too small, and a modulus that is too large.
    y = exact(solve(data, x, 1e-2).point + 0.1)
    if radius == np.inf:
        assert not referee.phi(y) - referee.dual(s, Fraction(at.theta)) <= Fraction(at.gap) + rounding * scale
    referee.kappa += referee.inverse / 100
    assert not referee.modulus_holds() or (problem.b <= 0).any()


# Another solver ----------------------------------------------------------------------------------------------------------------------


def clarabel(data: Data, x: Array) -> tuple[Array, float]:
    r""":math:`|r|=2r_+-r` moves the concave part into the quadratic :math:`\tfrac12y^\top By`, and Clarabel sees a convex program."""
    k, n = data.At.shape[1], len(x)
    y = cp.Variable(n)
    t = data.A[:k] @ y
    quadratic = cp.quad_form(y, cp.psd_wrap(data.base)) / 2 - data.inverse * x @ y
    kinks = 2 * data.w[:k] @ cp.pos(cp.square(t) - data.b[:k]) if k else 0
    ball = [cp.norm(y - data.centre) <= data.radius] if data.radius < np.inf else []
    problem = cp.Problem(cp.Minimize(quadratic + kinks), ball)
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    at = np.asarray(y.value)
    inside = data.centre + (at - data.centre) * min(
        1.0, data.radius / max(float(np.linalg.norm(at - data.centre)), 1e-300)
    )
    return inside, certificate(data, x, inside, np.ones(len(data.b)), 0.0)[0]


@pytest.mark.parametrize("radius", [np.inf, 1.0, 0.3])
@pytest.mark.parametrize(("m", "n"), [(20, 5), (40, 20), (5, 8)])
def test_cvxpy_with_clarabel_agrees(m: int, n: int, radius: float) -> None:
    rng = np.random.default_rng(m + n)
    problem, _, truth = phase_retrieval(m, n, 2.0, 0.2, rng)
    data, x = data_of(problem, radius=radius, centre=0.1 * rng.standard_normal(n)), truth + rng.standard_normal(n)
    ours = solve(data, x, 1e-14)
    point, value = clarabel(data, x)
    assert ours.value - ours.gap <= value + 1e-12  # no feasible point beats the certified lower bound
    assert ours.value <= value + 1e-12
    assert abs(ours.value - value) <= 1e-7 * ours.scale
    assert np.linalg.norm(ours.point - point) <= 1e-3


# What the certificate is worth -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [np.inf, 0.8])
def test_any_pair_is_judged_and_a_corrupted_one_is_exposed(radius: float) -> None:
    rng = np.random.default_rng(3)
    problem, _, truth = phase_retrieval(30, 8, 2.0, 0.2, rng)
    data, x = data_of(problem, radius=radius), truth + 0.5 * rng.standard_normal(8)
    at = solve(data, x, 1e-14)
    for _ in range(300):
        y = rng.standard_normal(8)
        y *= rng.random() * min(radius, 2.0) / np.linalg.norm(y)
        s, theta = rng.uniform(-1, 1, 30), float(rng.exponential()) if radius < np.inf else 0.0
        value, gap, scale = certificate(data, x, y, s, theta)
        assert gap >= 0
        assert value - gap <= at.value + 1e-14 * scale  # a lower bound of the envelope, whatever the pair
    for size in (1e-3, 1e-1):
        shift = size * rng.standard_normal(8)
        y = at.point + (shift if radius == np.inf else -np.linalg.norm(shift) * at.point)
        value, gap, scale = certificate(data, x, y, at.s, at.theta)
        assert gap >= value - at.value - 1e-14 * scale
        assert gap >= 1e3 * at.gap
        assert gap >= 1e-3 * size**2 * scale
        wrong = np.clip(at.s + size * rng.standard_normal(30), -1, 1)
        assert certificate(data, x, at.point, wrong, at.theta)[1] >= 1e3 * at.gap


def test_the_prox_point_satisfies_the_three_point_inequality() -> None:
    rng = np.random.default_rng(4)
    for kind, problem, x, stretch, radius in instances(260, rng):
        data = data_of(problem, stretch, radius)
        at = solve(data, x, 1e-13)
        size = float(np.linalg.norm(at.point)) + 1e-3 * float(np.linalg.norm(x))
        for _ in range(5):
            z = at.point + size * 10.0 ** rng.uniform(-4, 0) * rng.standard_normal(len(x))
            z *= min(1.0, radius / max(float(np.linalg.norm(z)), 1e-300))
            value, _, scale = certificate(data, x, z, np.ones(len(problem.b)), 0.0)
            growth = data.kappa / 2 * float((z - at.point) @ (z - at.point))
            slack = 4 * np.sqrt(at.gap * growth) + at.gap + 1e-13 * scale
            assert value >= at.value + growth - slack, kind


# Many points -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("near", ["far", "near", "solution"])
@pytest.mark.parametrize("radius", [np.inf, 3.0, 0.7])
def test_shared_factorisation_gives_the_same_certified_points(near: str, radius: float) -> None:
    rng = np.random.default_rng(5)
    problem, _, truth = phase_retrieval(90, 30, 2.0, 0.2, rng)
    data = data_of(problem, radius=radius)
    x = truth + {"far": 1.0, "near": 0.1, "solution": 1e-3}[near] * rng.standard_normal(30) / np.sqrt(30)
    for step in (1e-3, 0.1):
        X = x - step * problem.subgradients(x)
        for point, at in zip(X, solve_many(data, X, 1e-12), strict=True):
            alone = solve(data, point, 1e-12)
            assert at.gap <= 1e-12 * at.scale
            value, gap, _ = certificate(data, point, at.point, at.s, at.theta)
            assert np.isclose(at.value, value, rtol=1e-14, atol=0)
            assert abs(at.gap - gap) <= 1e-15 * at.scale
            assert np.linalg.norm(at.point) <= radius * (1 + 1e-12)
            assert -alone.gap - 1e-14 * at.scale <= at.value - alone.value <= at.gap + 1e-14 * at.scale
            assert np.linalg.norm(at.point - alone.point) <= sum(np.sqrt(2 * a.gap / data.kappa) for a in (at, alone))


@pytest.mark.parametrize(("step", "distance"), [(1e-3, 1.0), (3e-3, 0.1), (3e-2, 0.1), (3e-1, 1.0)])
def test_the_points_of_a_conditional_expectation_need_no_interior_point_method(step: float, distance: float) -> None:
    rng = np.random.default_rng(6)
    problem, _, truth = phase_retrieval(300, 100, 1.0, 0.2, rng)
    x = truth + distance * rng.standard_normal(100) / 10
    X = x - step * problem.subgradients(x)
    data = data_of(problem, radius=100.0)
    shared = solve_many(data, X, 1e-12)
    assert sum(at.iterations > 0 for at in shared) <= 3
    changed = np.array([np.count_nonzero(np.sign(at.s) != np.sign(shared[0].s)) for at in shared])
    assert changed.max() > 0  # states do change


def test_nothing_rests_on_the_success_of_the_descent(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    problem, _, truth = phase_retrieval(90, 30, 1.0, 0.2, rng)
    x = truth + rng.standard_normal(30) / 10
    X, data = x - 0.1 * problem.subgradients(x), data_of(problem)

    def spoilt(*given: Any) -> tuple[Any, Any]:
        Y, S = phase_prox_far.descend(*given)
        return Y * (1 + 1e-4), S

    right = solve_many(data, X, 1e-12)
    monkeypatch.setattr(phase_prox_many, "descend", spoilt)
    for at, before in zip(solve_many(data, X, 1e-12), right, strict=True):
        assert at.gap <= 1e-12 * at.scale
        assert np.isclose(at.value, before.value, rtol=1e-11)
    assert sum(at.iterations > 0 for at in right) == 0
    assert sum(at.iterations > 0 for at in solve_many(data, X, 1e-12)) > 0


def test_a_sharp_point_with_more_kinks_than_dimensions_is_found_for_all() -> None:
    rng = np.random.default_rng(7)
    problem = kinked_at(rng.standard_normal((40, 10)), np.ones(10))
    data = data_of(problem)
    x = np.ones(10) + 1e-3 * rng.standard_normal((40, 10))
    assert len(freeze(data, x.mean(axis=0)).spare) == 30
    for at in solve_many(data, x, 1e-12):
        assert at.iterations == 0
        assert at.gap <= 1e-12 * at.scale
        assert np.allclose(at.point, 1, atol=1e-7)
