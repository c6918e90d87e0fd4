"""The forms of the algorithm are one method, and each perturbed form is told apart."""

from collections.abc import Callable
from fractions import Fraction
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shbcore.claims import algorithm as a
from shbcore.claims.algorithm import Equivalence
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.sets import Ball, Box, WholeSpace
from shbcore.numerics.monitors import x_bar
from shbcore.numerics.solver import State, sgd, shb

CERTIFICATES = [(label, check) for label, checks in a.PROOFS.items() for check in checks]
betas = st.floats(0.01, 1.0)
seeds = st.integers(0, 2**32 - 1)
SETS = {"plane": WholeSpace(2), "disc": Ball(0.7, np.array([0.5, 0.2])), "box": Box(np.array([-0.2, 0.1]), np.ones(2))}


@pytest.mark.parametrize(("label", "check"), CERTIFICATES, ids=[f"{label}-{c.what[:30]}" for label, c in CERTIFICATES])
def test_certificate_holds_and_its_control_is_rejected(label: str, check: a.Check) -> None:
    assert check.run().passed
    assert not check.control().passed


FURTHER: dict[str, tuple[Callable[[], Equivalence], Callable[[], Equivalence]]] = {
    "sgd": (a.stochastic_subgradient, lambda: a.stochastic_subgradient(weight=a.sp.Rational(1, 2))),
    "pytorch with dampening": (a.pytorch, lambda: a.pytorch(dampening=0)),
    "pytorch without": (
        lambda: a.pytorch(dampening=0, lr=a.alpha * a.beta, scale=a.beta),
        lambda: a.pytorch(dampening=0, lr=a.alpha, scale=a.beta),
    ),
    "start with dampening": (
        lambda: a.pytorch_start(scale=1, first=a.g_0),
        lambda: a.pytorch_start(scale=1, first=a.beta * a.g_0),
    ),
    "weights of the mean": (lambda: a.weight_of_the_past(first=1), lambda: a.weight_of_the_past(first=a.beta)),
}


@pytest.mark.parametrize("name", FURTHER)
def test_identity_holds_and_its_perturbation_leaves_a_residual(name: str) -> None:
    right, wrong = FURTHER[name]
    assert right().detail == "residual 0"
    assert not wrong().passed


def problem() -> RobustPhaseRetrieval:
    A = np.array([[1.0, 0.3], [-0.4, 1.1], [0.7, -0.9]])
    return RobustPhaseRetrieval(A, np.array([0.5, 1.0, 0.2]))


def run(X: Ball | Box | WholeSpace, beta: float, seed: int, **options: object) -> list[State]:
    states = shb(
        problem(), X, ConstantStep(0.05), beta, X.project(np.array([1.0, 0.3])), np.random.default_rng(seed), **options
    )  # type: ignore[arg-type]
    return list(islice(states, 40))


@pytest.mark.parametrize("name", SETS)
@given(beta=betas, seed=seeds)
def test_every_step_is_the_projected_inertial_step(name: str, beta: float, seed: int) -> None:
    X = SETS[name]
    states = run(X, beta, seed)
    for now, after in pairwise(states):
        inertial = X.project(now.x - 0.05 * beta * now.g + (1 - beta) * (now.x - now.x_prev))
        np.testing.assert_allclose(after.x, inertial, atol=1e-12)


@given(beta=betas, seed=seeds)
def test_x_bar_takes_subgradient_steps_in_the_whole_space(beta: float, seed: int) -> None:
    q = Parameters(0.05, beta)
    states = run(SETS["plane"], beta, seed)
    for now, after in pairwise(states):
        np.testing.assert_allclose(x_bar(after, q), x_bar(now, q) - 0.05 * now.g, atol=1e-9 / beta)


def test_with_the_printed_start_the_first_step_of_x_bar_is_longer_by_the_factor_one_over_beta() -> None:
    q = Parameters(0.05, 0.1)
    first, second = run(SETS["plane"], 0.1, 1, start="g0")[:2]
    np.testing.assert_allclose(x_bar(second, q) - x_bar(first, q), -0.05 / 0.1 * first.g, rtol=1e-10)


@given(seed=seeds)
def test_beta_one_is_sgd(seed: int) -> None:
    X = SETS["disc"]
    x0 = X.project(np.array([1.0, 0.3]))
    plain = islice(sgd(problem(), X, ConstantStep(0.05), x0, np.random.default_rng(seed)), 40)
    for one, other in zip(plain, run(X, 1.0, seed)):
        assert np.array_equal(one.x, other.x)


@given(beta=betas, seed=seeds)
def test_polyaks_form_needs_the_ratio_of_stepsizes(beta: float, seed: int) -> None:
    step, x0 = DecayingStep(0.05), np.array([1.0, 0.3])
    states = list(islice(shb(problem(), SETS["plane"], step, beta, x0, np.random.default_rng(seed)), 40))
    for now, after in pairwise(states[1:]):
        ratio = step(now.k) / step(now.k - 1)
        polyak = now.x - step(now.k) * beta * now.g + (1 - beta) * ratio * (now.x - now.x_prev)
        np.testing.assert_allclose(after.x, polyak, atol=1e-12)


def test_lemma_3_at_the_printed_start_is_refuted_by_four_fractions() -> None:
    alpha, beta, nu, x_0 = Fraction(1, 4), Fraction(1, 2), Fraction(2), Fraction(1)

    def sides(z_0: Fraction) -> tuple[Fraction, Fraction]:
        p_1 = (1 - beta) / beta * (-alpha * z_0)
        return (1 - beta) * x_0 + nu / 2 * p_1**2, (1 - beta) * x_0 - alpha * z_0**2 + alpha**2 * nu

    assert sides(Fraction(1)) == (Fraction(9, 16), Fraction(3, 8))
    assert sides(beta)[0] <= sides(beta)[1]
