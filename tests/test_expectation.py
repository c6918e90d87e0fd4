"""Exact expectations: trees against moment recursions, against explicit enumeration, and against Monte Carlo."""

import itertools
import time
from fractions import Fraction as Q

import gmpy2
import numpy as np
import pytest

from shbcore.model.instances import KINDS, random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.rational import REAL_LINE, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball
from shbcore.numerics.expectation import given_past, given_state, mean, tree
from shbcore.numerics.slack import average, lemma_4, nonsmooth, over_tree
from shbcore.numerics.solver import Past, advance, outset, respond


def linear_quadratic(a: Q, tilts: tuple[Q, ...], weights: tuple[Q, ...]) -> RationalProblem:
    return RationalProblem(tuple(PiecewiseQuadratic((), ((a, s, Q(0)),)) for s in tilts), weights)


@pytest.mark.parametrize("start", ["beta_g0", "g0"])
@pytest.mark.parametrize("a", [Q(1), Q(-1, 2), Q(0)])
def test_second_moments_follow_the_linear_recursion(a: Q, start: str) -> None:
    r"""f = a x^2/2 + noise: (x_k, x_{k+1}) is linear in the past plus noise, so its second moments obey a 2x2 recursion:
    x_{k+1} = (2 - beta - alpha beta a) x_k - (1-beta) x_{k-1} - alpha beta s_k."""
    alpha, beta, x0 = Q(1, 3), Q(2, 5), Q(3, 2)
    tilts, weights = (Q(3), Q(-1, 2)), (Q(1, 7), Q(6, 7))
    problem = linear_quadratic(a, tilts, weights)
    sigma2 = sum(w * s * s for w, s in zip(weights, tilts))
    levels = tree(problem, REAL_LINE, Parameters(alpha, beta), x0, 7, start=start)  # type: ignore[arg-type]
    pull = beta if start == "beta_g0" else Q(1)
    c, e = 2 - beta - alpha * beta * a, 1 - beta
    xx, xy, yy = (
        x0 * x0,
        (1 - alpha * pull * a) * x0 * x0,
        ((1 - alpha * pull * a) * x0) ** 2 + (alpha * pull) ** 2 * sigma2,
    )
    for k in range(1, 8):
        assert mean(levels[k], lambda past: past.x_prev**2) == xx
        assert mean(levels[k], lambda past: past.x_prev * past.x) == xy
        assert mean(levels[k], lambda past: past.x**2) == yy
        noise = (alpha * beta) ** 2 * sigma2
        xx, xy, yy = yy, c * yy - e * xy, c * c * yy - 2 * c * e * xy + e * e * xx + noise
    assert mean(levels[7], lambda past: past.x**2) != xy  # a wrong moment is told apart


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", ["beta_g0", "g0"])
def test_tree_is_the_enumeration_of_all_sample_words(kind: str, start: str) -> None:
    case = random_instance(kind, np.random.default_rng(11))
    parameters, depth, m = Parameters(Q(1, 4), Q(1, 3)), 4, case.problem.m
    levels = tree(case.problem, case.X, parameters, case.x0, depth, start=start)  # type: ignore[arg-type]
    assert [len(level) for level in levels] == [m**k for k in range(depth + 1)]
    for word, atom in zip(itertools.product(range(m), repeat=depth), levels[-1], strict=True):
        past, probability = outset(case.X, case.x0), Q(1)
        for i in word:
            g = case.problem.subgradients(past.x)[i]
            past = advance(case.X, respond(past, g, i, alpha=Q(1, 4), beta=Q(1, 3), start=start), alpha=Q(1, 4))  # type: ignore[arg-type]
            probability *= case.problem.weights[i]
        assert atom == (probability, past)
    assert all(sum(a.probability for a in level) == 1 for level in levels)


@pytest.mark.parametrize("kind", KINDS)
def test_merging_keeps_total_expectations_and_the_tower_rule_holds(kind: str) -> None:
    case = random_instance(kind, np.random.default_rng(2))
    parameters = Parameters(Q(1, 2), Q(1, 2))
    full = tree(case.problem, case.X, parameters, case.x0, 5)
    merged = tree(case.problem, case.X, parameters, case.x0, 5, merge=True)

    def quantity(past: Past) -> Q:
        return past.x**2 - past.x * past.x_prev

    for k in range(6):
        assert len(merged[k]) <= len(full[k])
        assert mean(full[k], quantity) == mean(merged[k], quantity)
    for k in range(5):
        inner = mean(
            full[k],
            lambda past: given_past(
                case.problem, past, parameters, lambda s: quantity(advance(case.X, s, alpha=Q(1, 2)))
            ),
        )
        assert inner == mean(full[k + 1], quantity)


def test_conditional_expectation_of_a_vector_problem_is_the_mean_subgradient() -> None:
    rng = np.random.default_rng(0)
    problem = RobustPhaseRetrieval(rng.standard_normal((30, 5)), rng.uniform(0, 2, 30))
    X, parameters = Ball(1.0, np.zeros(5)), Parameters(0.1, 0.25)
    past = outset(X, np.full(5, 0.2))
    g = given_past(problem, past, parameters, lambda s: s.g)
    np.testing.assert_allclose(g, problem.mean_subgradient(past.x), atol=1e-13)
    state = respond(past, problem.subgradients(past.x)[3], 3, alpha=0.1, beta=0.25)
    after = advance(X, state, alpha=0.1)
    z = given_state(problem, X, state, parameters, lambda s: s.z)
    np.testing.assert_allclose(
        z, 0.25 * problem.mean_subgradient(after.x) + 0.75 * (past.x - after.x) / 0.1, atol=1e-12
    )


def test_monte_carlo_agrees_with_the_tree_within_its_standard_error() -> None:
    problem = linear_quadratic(Q(1), (Q(2), Q(-1)), (Q(1, 3), Q(2, 3)))
    exact = float(mean(tree(problem, REAL_LINE, Parameters(Q(1, 4), Q(1, 2)), Q(1), 6)[6], lambda past: past.x**2))
    rng = np.random.default_rng(4)
    x_prev = x = np.ones(20_000)
    for _ in range(6):
        g = x + np.where(rng.random(20_000) < 1 / 3, 2.0, -1.0)
        x_prev, x = x, x - 0.25 * (0.5 * g + 0.5 * (x_prev - x) / 0.25)
    assert abs(np.mean(x**2) - exact) < 4 * np.std(x**2) / np.sqrt(20_000)


def test_depth_twelve_with_the_lyapunov_function_takes_seconds() -> None:
    """8,190 nodes in gmpy2 with prox, V and the check of Lemma 4 (measured: half a second; the bound allows a busy machine)."""
    case = next(c for c in (random_instance("kinked", np.random.default_rng(s)) for s in range(50)) if c.problem.m == 2)
    number = gmpy2.mpq
    problem, X = case.problem.to(number), type(case.X)(number(case.X.lo), number(case.X.hi))
    begin = time.process_time()
    setting = nonsmooth(problem, X, Parameters(number(1, 4), number(1, 2)), envelope=1 / (2 * problem.rho + 1))
    levels = over_tree(setting, number(case.x0), 11, lemma_4)
    assert sum(2 * len(level) for level in levels) == 8190
    assert all(average(level).verdict == "holds" for level in levels)
    assert time.process_time() - begin < 5


def test_bad_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth"):
        tree(linear_quadratic(Q(1), (Q(0),), (Q(1),)), REAL_LINE, Parameters(Q(1), Q(1)), Q(0), -1)
