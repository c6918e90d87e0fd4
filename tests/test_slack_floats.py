"""The slacks in floating point: the same numbers as in fractions, with an error that is an error, along runs of real problems."""

from dataclasses import replace
from fractions import Fraction as Q
from functools import partial

import gmpy2
import numpy as np
import pytest
from exact_cases import CURVED, NONSMOOTH, PAIRS, SMOOTH, fast, smallest_envelope

from shbcore.model.instances import random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.phase import phase_retrieval
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball
from shbcore.model.smooth import indefinite_quadratic, robust_regression
from shbcore.numerics.expectation import mean, tree
from shbcore.numerics.monitors import W, square
from shbcore.numerics.slack import (
    Slack,
    given_past,
    lemma_3,
    lemma_4,
    lemma_W,
    lemma_xdiff_smooth,
    lemma_z_diff,
    nonsmooth,
    smooth,
    theorem_3,
)
from shbcore.numerics.solver import Past
from shbcore.numerics.survey import run_slacks, tree_slacks


def test_floats_agree_with_fractions_within_the_stated_error() -> None:
    for case in NONSMOOTH[::4]:
        lam = smallest_envelope(case)
        exact = nonsmooth(case.problem, case.X, PAIRS[0], envelope=lam)
        X = Interval(*(None if end is None else float(end) for end in (case.X.lo, case.X.hi)))
        floats = nonsmooth(case.problem.to(float), X, Parameters(0.25, 0.25), envelope=float(lam))
        for a, b in zip(
            tree(case.problem, case.X, PAIRS[0], case.x0, 2)[2],
            tree(floats.problem, X, floats.parameters, float(case.x0), 2)[2],
        ):
            one, two = lemma_4(exact, a.past), lemma_4(floats, b.past)
            assert abs(float(one.slack) - two.slack) <= 1e-11 * (1 + abs(two.lhs))
            assert one.error == 0 < two.error


def test_a_margin_within_the_error_is_undecided() -> None:
    assert [Slack(1.0, 1.0 + m, 1e-9).verdict for m in (1e-8, 1e-10, -1e-10, -1e-8)] == [
        "holds",
        "undecided",
        "undecided",
        "fails",
    ]


def test_vector_problems_give_the_same_expectations_as_the_loop_over_samples() -> None:
    problem, X = indefinite_quadratic(12, 3, 0.7, np.random.default_rng(0)), Ball(0.65, np.zeros(3))
    setting = smooth(problem, X, Parameters(0.2, 0.4))
    past = Past(1, np.array([0.3, -0.2, 0.5]), np.array([0.35, -0.1, 0.45]))
    for _, state in setting.draws(past):
        after = setting.next(state)
        W_next = mean(setting.draws(after), lambda s: W(s, problem, X, setting.parameters).total)
        jump = mean(setting.draws(after), lambda s, z=state.z: square(s.z - z))
        assert lemma_W(setting, state).lhs == pytest.approx(W_next, rel=1e-13)
        assert lemma_z_diff(setting, state).lhs == pytest.approx(jump / (2 * setting.parameters.nu), rel=1e-13)
    for inequality in (lemma_W, lemma_z_diff, lemma_xdiff_smooth, partial(lemma_W, form="sharp")):
        assert given_past(setting, past, inequality).verdict == "holds"


@pytest.mark.parametrize(("m", "n", "radius", "steps"), [(40, 8, 0.7, 6), (40, 8, 2.0, 6), (300, 100, 1.2, 2)])
def test_lemmas_hold_along_phase_retrieval_in_a_ball_beyond_the_certified_error(
    m: int, n: int, radius: float, steps: int
) -> None:
    """Exact conditional expectations over all m samples, the m envelopes with certified gaps; both radii, so the ball binds and not."""
    rng = np.random.default_rng(0)
    problem, X = phase_retrieval(m, n, 10.0, 0.2, rng).problem, Ball(radius, np.zeros(n))
    rho = problem.rho
    x0 = X.project(rng.standard_normal(n))
    pair = Parameters.theorem_1(1 / rho, 99)
    found = run_slacks(problem, X, x0, pair, steps, np.random.default_rng(1), envelope=1 / (2 * rho))
    for name, slacks in found.items():
        assert all(one.verdict == "holds" for one in slacks), name
        assert all(0 < one.error < 1e-3 * abs(one.slack) for one in slacks), name
    setting = nonsmooth(problem, X, pair, envelope=1 / (2 * rho))
    free = replace(setting, L2=0.0)
    assert lemma_3(free, Past(0, x0, x0)).verdict == "fails"  # the same check without the noise term


def test_smooth_lemmas_hold_along_a_robust_regression_in_a_ball() -> None:
    problem, X, _ = robust_regression(30, 5, 0.2, np.random.default_rng(0))
    rho = problem.smoothness
    x0, pair = X.project(np.full(5, 0.3)), Parameters(1 / (4 * rho), 0.2)
    found = run_slacks(problem, X, x0, pair, 4, np.random.default_rng(1), envelope=1 / (2 * rho))
    assert "lemma_W printed" in found
    for name, slacks in found.items():
        assert all(one.verdict == "holds" for one in slacks), name


@pytest.mark.parametrize("kind", ["kinked", "smooth", "rare"])
def test_survey_of_a_tree_finds_every_inequality_true_where_it_is_claimed(kind: str) -> None:
    case = fast(random_instance(kind, np.random.default_rng(5)))
    pair = Parameters(gmpy2.mpq(1, 12), gmpy2.mpq(1, 4))
    found = tree_slacks(case.problem, case.X, case.x0, pair, 3, envelope=smallest_envelope(case))
    assert ("lemma_W printed" in found) == case.problem.smooth
    for name, levels in found.items():
        if name != "lemma_4 printed":
            assert all(level.total.verdict == "holds" for level in levels)
        if "conditional" in name or "smooth" in name or "lemma_W" in name or "lemma_z" in name:
            assert all(level.least.verdict == "holds" for level in levels)
        assert all(level.least.slack <= level.total.slack <= level.largest.slack for level in levels)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: nonsmooth(CURVED.problem, CURVED.X, PAIRS[0], envelope=Q(100)), "1/lambda >= 2 rho"),
        (lambda: lemma_4(nonsmooth(SMOOTH[0].problem, SMOOTH[0].X, PAIRS[0]), Past(0, Q(0), Q(0))), "envelope"),
        (lambda: smooth(SMOOTH[0].problem, SMOOTH[0].X, Parameters(Q(100), Q(1))), r"1/\(4 rho\)"),
        (lambda: nonsmooth(RationalProblem((PiecewiseQuadratic.build((), [1]),)), REAL_LINE, PAIRS[0]), r"\(A2\)"),
        (lambda: theorem_3(SMOOTH[1].problem, Q(0), alpha_0=Q(100), K=3, envelope=Q(1, 100)), "envelope"),
    ],
)
def test_bad_input_is_refused_by_name(make: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()  # type: ignore[operator]
