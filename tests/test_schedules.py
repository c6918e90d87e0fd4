"""Stepsizes for each step: rules, schedules, the solver, exact trees and slacks, and the classes of the theorems."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from shbcore.claims.beyond import enumerated
from shbcore.claims.enumeration import exact_instance
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters
from shbcore.model.schedules import CosineStep, Schedule, StepDecay, WarmUp
from shbcore.model.sets import Box
from shbcore.model.smooth import indefinite_quadratic
from shbcore.numerics import scheduled
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import V, d, x_bar
from shbcore.numerics.solver import Past, shb

BETA = Fraction(1, 4)
LAM = Fraction(1)
RULES: dict[str, Any] = {
    "constant": ConstantStep(Fraction(1, 16)),
    "1/sqrt(k+1)": DecayingStep(1 / 16),
    "cosine": CosineStep(1 / 16, 20),
    "step decay": StepDecay(Fraction(1, 16), 5, Fraction(1, 2)),
    "warm-up": WarmUp(Fraction(1, 64), Fraction(1, 16), Fraction(1, 8)),
}


@pytest.mark.parametrize(
    ("name", "falls", "concave", "slow"),
    [
        ("constant", True, True, True),
        ("1/sqrt(k+1)", True, False, True),
        ("cosine", True, True, True),
        ("step decay", True, False, True),
        ("warm-up", False, False, True),
    ],
)
def test_to_which_classes_the_five_schedules_belong(name: str, falls: bool, concave: bool, slow: bool) -> None:
    schedule = Schedule(RULES[name], BETA, 20)
    assert (schedule.falls(), schedule.log_concave(), schedule.grows_slowly()) == (falls, concave, slow)
    assert schedule.admits("any", envelope=LAM)
    assert schedule.admits("falling", envelope=LAM) is falls
    assert schedule.admits("warm", envelope=LAM)


def test_a_jump_is_in_no_class_but_any() -> None:
    jump = Schedule(lambda k: Fraction(1, 100) if k < 3 else Fraction(1, 16), BETA, 6)
    assert [jump.admits(kind, envelope=LAM) for kind in ("any", "monotone", "falling", "warm")] == [
        True,
        False,
        False,
        False,
    ]
    with pytest.raises(ValueError, match="kind"):
        jump.bound("falling", envelope=LAM, gap=1, noise=1)


def test_the_coming_stepsizes() -> None:
    schedule = Schedule(RULES["step decay"], BETA, 20)
    for k in range(20):
        assert schedule.S(k) == schedule.alpha(k) + (1 - BETA) * schedule.S(k + 1)
        assert BETA * schedule.S(k) <= schedule.alpha(k)
    constant = Schedule(RULES["constant"], BETA, 20)
    assert {constant.S(k) for k in range(20)} == {Fraction(1, 4)}
    assert schedule.alpha(-1) == schedule.alpha(0)


@pytest.mark.parametrize(
    ("build", "word"),
    [
        (lambda: Schedule(RULES["constant"], 0, 5), "beta"),
        (lambda: Schedule(RULES["constant"], BETA, -1), "K"),
        (lambda: Schedule(3, BETA, 5), "step"),  # type: ignore[arg-type]
        (lambda: Schedule(lambda k: -1, BETA, 5).alphas, "alpha"),
        (lambda: StepDecay(1, 0, BETA), "every"),
        (lambda: StepDecay(1, 2, 2), "factor"),
        (lambda: WarmUp(2, 1, 1), "top"),
        (lambda: CosineStep(-1, 4), "alpha_0"),
        (lambda: Schedule(RULES["constant"], BETA, 5).admits("log", envelope=1), "kind"),  # type: ignore[arg-type]
        (lambda: V(Past(1, 0, 0), None, Schedule(RULES["constant"], BETA, 5), 0, envelope=1), "parameters"),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_named(build: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        build()


def test_a_constant_schedule_is_the_method_of_the_paper() -> None:
    case = exact_instance("kinked", np.random.default_rng(3), bounded=True)
    schedule, fixed = Schedule(ConstantStep(mpq(1, 4)), mpq(1, 2), 4), Parameters(mpq(1, 4), mpq(1, 2))
    ours, paper = (tree(case.problem, case.X, q, case.x0, 4) for q in (schedule, fixed))
    assert ours == paper
    for level in ours:
        for atom in level:
            assert d(atom.past, schedule) == d(atom.past, fixed)
            assert x_bar(atom.past, schedule) == x_bar(atom.past, fixed)


def test_the_solver_and_the_tree_make_the_same_steps() -> None:
    case = exact_instance("smooth", np.random.default_rng(5), bounded=True)
    schedule = Schedule(lambda k: (mpq(1, 2), mpq(1, 8), mpq(1, 3), mpq(1, 5))[min(k, 3)], mpq(1, 3), 3)
    seen = {
        (atom.past.x_prev, atom.past.x) for level in tree(case.problem, case.X, schedule, case.x0, 3) for atom in level
    }
    for state in shb(case.problem, case.X, schedule.alpha, schedule.beta, case.x0, np.random.default_rng(1)):
        assert (state.x_prev, state.x) in seen
        if state.k == 3:
            break


@pytest.mark.parametrize("kind", ["any", "monotone", "falling", "warm"])
def test_the_bounds_of_the_library_hold_and_are_those_of_the_exact_trees(kind: Any) -> None:
    """Two ways to the same number: the formulas of the library, and those that the exact trees have written out again."""
    rng = np.random.default_rng(0)
    for j in range(6):
        left, right = enumerated.schedule(rng, j, kind)
        assert left <= right
    found = 0
    for seed in range(8):
        case = exact_instance("smooth", np.random.default_rng(seed), bounded=True)
        rho = case.problem.smoothness
        if rho == 0:
            continue
        lam, beta = 1 / (2 * rho), mpq(1, 2)
        top = beta * lam / 4
        steps = {"any": (1, 4, 2, 3, 1), "warm": (2, 2, 1, 1, 1)}.get(kind, (4, 3, 3, 2, 1))
        schedule = Schedule(lambda k, top=top, steps=steps: top * mpq(steps[min(k, 4)], max(steps)), beta, 3)
        gap = case.problem.value(case.x0) - case.problem.f_star(case.X)
        noise = case.problem.L2(case.X) if kind in ("any", "monotone") else case.problem.sigma2(case.X)
        one = scheduled.slack(case.problem, case.X, schedule, case.x0, kind, envelope=lam, gap=gap, noise=noise)
        assert one.verdict == "holds"
        assert one.error == 0
        found += 1
    assert found >= 4


def test_means_over_runs_have_a_value_for_each_step() -> None:
    rng = np.random.default_rng(0)
    problem, X = indefinite_quadratic(4, 2, 0.3, rng), Box(-np.ones(2), np.ones(2))
    schedule, lam = Schedule(DecayingStep(0.01), 0.5, 5), 1 / (2 * problem.smoothness)
    found = scheduled.averaged(problem, X, schedule, np.zeros(2), "any", envelope=lam, runs=2, rng=rng)
    assert found.shape == (6,)
    assert (found > 0).all()
