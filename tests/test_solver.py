"""The reference solver: the recursion of the paper, its equivalent forms, its starts, and its refusals."""

from fractions import Fraction as Q
from itertools import islice, pairwise

import numpy as np
import pytest

from shbcore.model.instances import KINDS, random_instance
from shbcore.model.parameters import ConstantStep, DecayingStep
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball, Box, ConvexSet, HalfSpace, Simplex, WholeSpace
from shbcore.numerics.solver import State, sgd, shb


def phase(seed: int = 0, m: int = 12, n: int = 4) -> RobustPhaseRetrieval:
    rng = np.random.default_rng(seed)
    return RobustPhaseRetrieval(rng.standard_normal((m, n)), rng.uniform(0.5, 2, m))


SETS: list[ConvexSet] = [
    WholeSpace(4),
    Ball(0.8, np.zeros(4)),
    Box(-np.ones(4) / 3, np.ones(4) / 2),
    HalfSpace(np.array([1.0, -2.0, 0.0, 1.0]), 0.5),
    Simplex(4),
]


def run(X: ConvexSet, steps: int = 40, start: str = "beta_g0", step: object = None, beta: float = 0.2) -> list[State]:
    rule = step or ConstantStep(0.05)
    x0 = X.project(np.full(4, 0.25))
    return list(islice(shb(phase(), X, rule, beta, x0, np.random.default_rng(3), start=start), steps))  # type: ignore[arg-type]


@pytest.mark.parametrize("X", SETS, ids=lambda X: type(X).__name__)
@pytest.mark.parametrize("start", ["beta_g0", "g0"])
@pytest.mark.parametrize("step", [ConstantStep(0.05), DecayingStep(0.2)], ids=["constant", "decaying"])
def test_states_satisfy_the_argmin_and_the_recursion(X: ConvexSet, start: str, step: object) -> None:
    """x_{k+1} minimises <z_k, x-x_k> + |x-x_k|^2/(2 alpha): its variational inequality against random points of X."""
    states = run(X, start=start, step=step)
    others = X.project(np.random.default_rng(1).standard_normal((50, 4)))
    assert np.array_equal(states[0].x_prev, states[0].x)
    assert np.array_equal(states[0].z, states[0].g if start == "g0" else 0.2 * states[0].g)
    for now, after in pairwise(states):
        alpha = step(now.k)  # type: ignore[operator]
        assert np.array_equal(after.x_prev, now.x)
        assert X.contains(after.x)
        assert ((others - after.x) @ (now.z + (after.x - now.x) / alpha)).min() > -1e-9
        np.testing.assert_allclose(after.z, 0.2 * after.g + 0.8 * (now.x - after.x) / alpha)
        np.testing.assert_array_equal(after.g, phase().subgradients(after.x)[after.sample])


def test_unconstrained_states_are_the_heavy_ball_of_polyak() -> None:
    r"""x_{k+1} = x_k - eta_k g_k + lambda_k (x_k - x_{k-1}), eta = alpha_k beta, lambda = (1-beta) alpha_k/alpha_{k-1}, for k >= 1;
    and z_{k+1} = beta g_{k+1} + (1-beta) z_k."""
    rule, beta = DecayingStep(0.1), 0.3
    states = run(WholeSpace(4), start="g0", step=rule, beta=beta)
    for before, now, after in zip(states, states[1:], states[2:]):
        momentum = (1 - beta) * rule(now.k) / rule(before.k)
        np.testing.assert_allclose(
            after.x, now.x - rule(now.k) * beta * now.g + momentum * (now.x - before.x), atol=1e-12
        )
        np.testing.assert_allclose(now.z, beta * now.g + (1 - beta) * before.z, atol=1e-12)


def test_sgd_is_the_projected_subgradient_step() -> None:
    X = Ball(0.8, np.zeros(4))
    states = list(islice(sgd(phase(), X, ConstantStep(0.05), np.zeros(4) + 0.1, np.random.default_rng(0)), 30))
    for now, after in pairwise(states):
        np.testing.assert_array_equal(after.x, X.project(now.x - 0.05 * now.g))


def test_the_two_starts_differ_in_the_first_direction_only_by_beta() -> None:
    a, b = run(WholeSpace(4), 2), run(WholeSpace(4), 2, start="g0")
    np.testing.assert_array_equal(a[0].g, b[0].g)
    np.testing.assert_allclose(a[1].x - a[0].x, 0.2 * (b[1].x - b[0].x))


@pytest.mark.parametrize("kind", KINDS)
def test_exact_run_stays_exact_and_agrees_with_floats(kind: str) -> None:
    case = random_instance(kind, np.random.default_rng(7))
    alpha, beta = Q(1, 8), Q(1, 4)
    rational = list(islice(shb(case.problem, case.X, ConstantStep(alpha), beta, case.x0, np.random.default_rng(1)), 8))
    X = Interval(float(case.X.lo), float(case.X.hi))
    floats = list(
        islice(shb(case.problem.to(float), X, ConstantStep(0.125), 0.25, float(case.x0), np.random.default_rng(1)), 8)
    )
    for q, x in zip(rational, floats):
        assert isinstance(q.x, Q)
        assert q.sample == x.sample
        assert float(q.x) == pytest.approx(x.x, abs=1e-12)


def test_samples_follow_the_weights() -> None:
    lines = tuple(PiecewiseQuadratic.build((), [0], slope=s) for s in (1, -1, 0))
    problem = RationalProblem(lines, (Q(1, 10), Q(3, 10), Q(6, 10)))
    states = islice(shb(problem, REAL_LINE, ConstantStep(Q(1)), Q(1), Q(0), np.random.default_rng(5)), 4000)
    counts = np.bincount([s.sample for s in states], minlength=3) / 4000
    assert np.abs(counts - [0.1, 0.3, 0.6]).max() < 0.03  # four standard deviations


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"beta": 0.0}, r"beta.*\(0, 1\]"),
        ({"beta": 1.5}, "beta"),
        ({"beta": float("nan")}, "beta"),
        ({"x0": np.full(4, 9.0)}, r"x0.*lie in X"),
        ({"x0": np.zeros(3)}, "x0.shape"),
        ({"x0": np.array([0, 0, 0, np.nan])}, "x0"),
        ({"start": "zero"}, "start"),
        ({"rng": 0}, "rng"),
    ],
)
def test_bad_input_is_refused_by_name(change: dict[str, object], words: str) -> None:
    call = {"beta": 0.5, "x0": np.zeros(4), "rng": np.random.default_rng(0), "start": "beta_g0", **change}
    with pytest.raises(ValueError, match=words):
        next(
            shb(
                phase(),
                Ball(1.0, np.zeros(4)),
                ConstantStep(0.1),
                call["beta"],
                call["x0"],
                call["rng"],
                start=call["start"],
            )
        )  # type: ignore[arg-type]


def test_start_outside_the_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="x0"):
        next(
            shb(
                RationalProblem((PiecewiseQuadratic.build((), [1]),)),
                Interval(0, 1),
                ConstantStep(1),
                1,
                Q(2),
                np.random.default_rng(0),
            )
        )
