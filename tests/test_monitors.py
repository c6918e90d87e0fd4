"""The monitors against their definitions, written a second time, and against the identities of the paper."""

from fractions import Fraction as Q
from itertools import islice, pairwise

import numpy as np
import pytest

from shbcore.model.instances import KINDS, Instance, random_instance
from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball, Box, ConvexSet, Simplex, WholeSpace, conjugate
from shbcore.model.smooth import NoisyQuadratic
from shbcore.numerics.monitors import (
    Smoothed,
    V,
    W,
    d,
    envelope_gradient,
    gradient_mapping,
    p,
    phi,
    square,
    subdifferential_distance,
    x_bar,
)
from shbcore.numerics.solver import State, shb

CASES = [
    random_instance(k, np.random.default_rng(s), bounded=b) for k in KINDS for s in range(3) for b in (True, False)
]
PARAMETERS = Parameters(Q(1, 4), Q(1, 3))


def name(case: Instance) -> str:
    return f"{case.kind}, {'bounded' if case.X.hi is not None else 'unbounded'}"


def states(case: Instance, steps: int = 6) -> list[State]:
    rule = ConstantStep(PARAMETERS.alpha)
    return list(islice(shb(case.problem, case.X, rule, PARAMETERS.beta, case.x0, np.random.default_rng(0)), steps))


@pytest.mark.parametrize("case", CASES, ids=name)
def test_exact_monitors_equal_the_formulas_of_the_paper(case: Instance) -> None:
    alpha, beta = PARAMETERS.alpha, PARAMETERS.beta
    nu, xi = beta / alpha, (1 - beta) / (beta / alpha)
    lam = 1 / (2 * case.problem.rho + Q(1, 2))
    smoothed = Smoothed(case.problem, case.X, envelope=lam)
    for s in states(case):
        assert p(s, PARAMETERS) == -xi * d(s, PARAMETERS) == x_bar(s, PARAMETERS) - s.x
        at = smoothed(x_bar(s, PARAMETERS))
        candidates = [case.X.project(at.point + Q(i, 50)) for i in range(-60, 61)]
        brute = min(case.problem.value(y) + (y - x_bar(s, PARAMETERS)) ** 2 / (2 * lam) for y in candidates)
        by_hand = (
            brute
            + nu * xi**2 / (4 * lam**2) * ((1 - beta) / beta * (s.x - s.x_prev)) ** 2
            + alpha * xi**2 / (2 * lam**2) * ((s.x_prev - s.x) / alpha) ** 2
            + ((1 - beta) * xi**2 / (2 * lam**2) + xi / lam) * case.problem.value(s.x_prev)
        )
        parts = V(s, case.problem, PARAMETERS, at.value, envelope=lam)
        assert parts.total == sum(parts) == by_hand
        y = s.x - alpha * s.z
        h_star = max(y * x - x * x / 2 for x in (case.X.project(y + Q(i, 50)) for i in range(-60, 61)))
        assert phi(s, case.X, PARAMETERS) == h_star - s.x**2 / 2 + alpha * s.x * s.z >= 0
        by_hand = (
            2 * case.problem.value(s.x)
            + phi(s, case.X, PARAMETERS) / (nu * alpha**2)
            + xi / 2 * ((s.x_prev - s.x) / alpha) ** 2
        )
        assert W(s, case.problem, case.X, PARAMETERS).total == by_hand


@pytest.mark.parametrize("case", [c for c in CASES if c.X == REAL_LINE], ids=name)
def test_unconstrained_x_bar_moves_by_the_fresh_subgradient(case: Instance) -> None:
    run = states(case)
    for now, after in pairwise(run):
        assert x_bar(after, PARAMETERS) == x_bar(now, PARAMETERS) - PARAMETERS.alpha * now.g


@pytest.mark.parametrize("case", CASES, ids=name)
def test_stationarity_measures_are_ordered_as_the_paper_says(case: Instance) -> None:
    r"""dist(0, dF(x_hat)) <= |grad F_lambda(x)|, and grad F_lambda is the derivative of F_lambda."""
    lam, tiny = 1 / (2 * case.problem.rho + Q(1, 2)), Q(1, 10**9)
    smoothed = Smoothed(case.problem, case.X, envelope=lam)
    for x in (Q(-5), Q(-1), Q(0), Q(1, 3), Q(2), Q(7)):
        at = smoothed(x)
        gradient = envelope_gradient(x, at, envelope=lam)
        assert abs(subdifferential_distance(case.problem, case.X, at.point)) <= abs(gradient)
        assert abs((smoothed(x + tiny).value - at.value) / tiny - gradient) < Q(1, 10**6)


def test_distance_to_the_subdifferential_by_hand() -> None:
    problem = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
    assert subdifferential_distance(problem, REAL_LINE, Q(0)) == 0
    assert subdifferential_distance(problem, REAL_LINE, Q(2)) == 1
    assert subdifferential_distance(problem, Interval(1, 2), Q(1)) == 0  # the set holds it back
    assert subdifferential_distance(problem, Interval(1, 2), Q(2)) == 1
    bowl = NoisyQuadratic(np.eye(2), np.array([[-3.0, 0.0]]))
    assert subdifferential_distance(bowl, WholeSpace(2), np.array([1.0, 1.0])) == pytest.approx(5**0.5)
    assert subdifferential_distance(bowl, Ball(1.0, np.zeros(2)), np.array([1.0, 0.0])) == 0
    assert subdifferential_distance(bowl, Ball(1.0, np.zeros(2)), np.array([0.5, 0.0])) == pytest.approx(2.5)
    assert subdifferential_distance(bowl, Box(-np.ones(2), np.ones(2)), np.array([1.0, 1.0])) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="lie in X"):
        subdifferential_distance(bowl, Ball(1.0, np.zeros(2)), np.array([2.0, 0.0]))
    with pytest.raises(ValueError, match="smooth"):
        subdifferential_distance(RobustPhaseRetrieval(np.eye(2), np.ones(2)), WholeSpace(2), np.zeros(2))
    with pytest.raises(ValueError, match="normal cone"):
        subdifferential_distance(bowl, Simplex(2), np.array([0.5, 0.5]))


@pytest.mark.parametrize("bounded", [True, False])
def test_gradient_mapping_is_at_most_three_halves_of_the_envelope_gradient(bounded: bool) -> None:
    r"""The remark's constant 3/2 (1 + 1/sqrt 2) can be 3/2, and not less: f = rho x^2/2 attains it."""
    for seed in range(12):
        case = random_instance("smooth", np.random.default_rng(seed), bounded=bounded)
        rho = case.problem.smoothness
        smoothed = Smoothed(case.problem, case.X, envelope=1 / (2 * rho))
        for x in (case.X.project(Q(i, 3)) for i in range(-20, 21)):
            mapping = gradient_mapping(case.problem, case.X, x, weak_convexity=rho)
            assert abs(mapping) <= Q(3, 2) * abs(envelope_gradient(x, smoothed(x), envelope=1 / (2 * rho)))
    bowl = RationalProblem((PiecewiseQuadratic((), ((Q(2), Q(0), Q(0)),)),))
    attained = gradient_mapping(bowl, REAL_LINE, Q(1), weak_convexity=Q(2))
    assert attained == Q(3, 2) * envelope_gradient(
        Q(1), Smoothed(bowl, REAL_LINE, envelope=Q(1, 4))(Q(1)), envelope=Q(1, 4)
    )


@pytest.mark.parametrize("X", [WholeSpace(4), Ball(0.7, np.zeros(4)), Box(-np.ones(4) / 4, np.ones(4)), Simplex(4)])
def test_phi_of_vectors_is_the_definition_with_the_conjugate(X: ConvexSet) -> None:
    rng = np.random.default_rng(0)
    problem = RobustPhaseRetrieval(rng.standard_normal((9, 4)), rng.uniform(0, 2, 9))
    q = Parameters(0.1, 0.3)
    for s in islice(shb(problem, X, ConstantStep(0.1), 0.3, X.project(np.full(4, 0.2)), rng), 20):
        definition = conjugate(X, s.x - 0.1 * s.z) - s.x @ s.x / 2 + 0.1 * s.x @ s.z
        assert phi(s, X, q) == pytest.approx(float(definition), abs=1e-13)
        assert phi(s, X, q) >= 0
        assert square(p(s, q)) == pytest.approx(q.xi**2 * square(d(s, q)))
