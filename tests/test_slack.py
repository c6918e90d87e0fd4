"""Every inequality of the paper on exact instances: which form holds given what, and the instances that refute the others."""

from dataclasses import replace
from fractions import Fraction as Q
from functools import partial
from itertools import pairwise

import gmpy2
import numpy as np
import pytest
from exact_cases import CASES, NONSMOOTH, PAIRS, SMOOTH, fast, smallest_envelope

from shbcore.model.instances import Instance, random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics.expectation import mean, tree
from shbcore.numerics.monitors import V, W, x_bar
from shbcore.numerics.slack import (
    Setting,
    Slack,
    average,
    first_step,
    given_past,
    lemma_3,
    lemma_4,
    lemma_W,
    lemma_xdiff_smooth,
    lemma_z_diff,
    nonsmooth,
    over_tree,
    smooth,
    theorem_1,
    theorem_2,
    theorem_3,
    total,
)
from shbcore.numerics.solver import Past

DEPTH = 3


def name(case: Instance) -> str:
    return f"{case.kind}, {'bounded' if case.X.hi is not None else 'unbounded'}"


def line(slope: Q) -> PiecewiseQuadratic:
    return PiecewiseQuadratic.build((), [0], slope=slope)


def linear_noise(size: Q, weight: Q) -> RationalProblem:
    """f = 0 with samples +-size x of the given weight each, and 0 otherwise."""
    return RationalProblem((line(size), line(-size), line(Q(0))), (weight, weight, 1 - 2 * weight))


def holds(levels: list[list[tuple[Q, Slack]]], first: int = 0) -> bool:
    return all(average(level).verdict == "holds" for level in levels[first:])


def holds_given_past(levels: list[list[tuple[Q, Slack]]], first: int = 0) -> bool:
    return all(one.verdict == "holds" for level in levels[first:] for _, one in level)


@pytest.mark.parametrize("case", NONSMOOTH, ids=name)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_lemmas_3_and_4_hold_in_total_expectation_and_their_conditional_forms_always(
    case: Instance, pair: Parameters
) -> None:
    setting = nonsmooth(case.problem, case.X, pair, envelope=smallest_envelope(case))
    assert holds(over_tree(setting, case.x0, DEPTH, lemma_3))
    assert holds(over_tree(setting, case.x0, DEPTH, lemma_4))
    assert holds_given_past(over_tree(setting, case.x0, DEPTH, partial(lemma_3, form="conditional")))
    assert holds_given_past(over_tree(setting, case.x0, DEPTH, partial(lemma_4, form="conditional")))


@pytest.mark.parametrize("case", NONSMOOTH, ids=name)
def test_lemmas_3_and_4_hold_from_k_1_on_with_the_printed_start(case: Instance) -> None:
    setting = nonsmooth(case.problem, case.X, PAIRS[0], envelope=smallest_envelope(case), start="g0")
    assert holds(over_tree(setting, case.x0, DEPTH, lemma_3), first=1)
    assert holds(over_tree(setting, case.x0, DEPTH, lemma_4), first=1)
    assert first_step(setting, case.x0).verdict == "holds"


@pytest.mark.parametrize("case", SMOOTH, ids=name)
@pytest.mark.parametrize("beta", [Q(1, 4), Q(3, 4), Q(1)])
def test_smooth_lemmas_hold_given_the_past(case: Instance, beta: Q) -> None:
    """lem:xdiff:smooth given F_k; lem:z:diff and the W lemma, printed and sharp, given F_{k-1}; from k = 1 on with z_0 = g_0."""
    alpha = 1 / (4 * case.problem.smoothness) if case.problem.smoothness else gmpy2.mpq(1, 2)
    for start, first in (("beta_g0", 0), ("g0", 1)):
        setting = smooth(case.problem, case.X, Parameters(alpha, gmpy2.mpq(beta)), start=start)  # type: ignore[arg-type]
        levels = tree(case.problem, case.X, setting.parameters, case.x0, 3, start=start)  # type: ignore[arg-type]
        for _, past in (atom for level in levels for atom in level):
            assert all(lemma_xdiff_smooth(setting, s).verdict == "holds" for _, s in setting.draws(past))
            if past.k >= first:
                for form in ("printed", "sharp"):
                    assert given_past(setting, past, partial(lemma_z_diff, form=form)).verdict == "holds"
                    assert given_past(setting, past, partial(lemma_W, form=form)).verdict == "holds"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_lemma_xdiff_smooth_needs_weak_convexity_only(case: Instance) -> None:
    setting = Setting(case.problem, case.X, PAIRS[1], case.problem.rho)
    for _, past in (atom for level in tree(case.problem, case.X, PAIRS[1], case.x0, 3) for atom in level):
        assert all(lemma_xdiff_smooth(setting, s).verdict == "holds" for _, s in setting.draws(past))


@pytest.mark.parametrize("case", NONSMOOTH[::3], ids=name)
def test_left_sides_agree_with_the_next_level_of_the_tree(case: Instance) -> None:
    """E[V_{k+1}] and E[W_{k+1}] a second way: not by nested conditional expectations but over all histories at once."""
    lam, pair = smallest_envelope(case), PAIRS[0]
    setting = nonsmooth(case.problem, case.X, pair, envelope=lam)
    levels = tree(case.problem, case.X, pair, case.x0, 4)
    F = setting.smoothed
    assert F is not None
    for now, after in pairwise(levels):
        expected = mean(after, lambda past: V(past, case.problem, pair, F(x_bar(past, pair)).value, envelope=lam).total)
        assert total(setting, now, lemma_4).lhs == expected
    with_noise = replace(setting, sigma2=Q(1))
    for now, after in pairwise(levels):
        expected = mean(after, lambda past: mean(setting.draws(past), lambda s: W(s, case.problem, case.X, pair).total))
        assert total(with_noise, now, partial(given_past, inequality=lemma_W)).lhs == expected


def test_the_checks_reject_constants_that_are_too_small() -> None:
    """Without its noise term every inequality breaks on some instance."""
    broken = {"first_step": 0, "lemma_3": 0, "lemma_4": 0, "lemma_W": 0, "lemma_z_diff": 0}
    for case in NONSMOOTH:
        setting = nonsmooth(case.problem, case.X, PAIRS[1], envelope=smallest_envelope(case))
        free = replace(setting, L2=setting.L2 * 0)
        broken["first_step"] += first_step(replace(free, start="g0"), case.x0).verdict == "fails"
        broken["lemma_3"] += not holds(over_tree(free, case.x0, 2, lemma_3))
        broken["lemma_4"] += not holds(over_tree(free, case.x0, 2, lemma_4))
    for case in SMOOTH:
        alpha = 1 / (4 * case.problem.smoothness) if case.problem.smoothness else gmpy2.mpq(1, 2)
        setting = replace(smooth(case.problem, case.X, Parameters(alpha, Q(1, 2))), sigma2=Q(0))
        for label, lemma in (("lemma_W", lemma_W), ("lemma_z_diff", lemma_z_diff)):
            broken[label] += not holds(over_tree(setting, case.x0, 2, partial(given_past, inequality=lemma)))
    assert all(broken.values()), broken


def test_lemma_xdiff_smooth_is_an_equality_on_a_concave_parabola_and_breaks_with_a_smaller_rho() -> None:
    problem = RationalProblem((PiecewiseQuadratic((), ((Q(-1), Q(0), Q(0)),)),))
    setting = Setting(problem, REAL_LINE, PAIRS[0], problem.rho)
    state = setting.draws(Past(1, Q(1), Q(3, 2)))[0][1]
    assert lemma_xdiff_smooth(setting, state).slack == 0
    assert lemma_xdiff_smooth(replace(setting, weak_convexity=Q(9, 10)), state).verdict == "fails"


def test_lemma_3_with_the_printed_start_is_refuted_at_k_0() -> None:
    problem = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
    past = Past(0, Q(1), Q(1))
    pair = Parameters.from_nu(Q(1, 4), Q(2))
    printed = lemma_3(nonsmooth(problem, REAL_LINE, pair, start="g0"), past)
    assert (printed.lhs, printed.rhs, printed.verdict) == (Q(9, 16), Q(3, 8), "fails")
    assert lemma_3(nonsmooth(problem, REAL_LINE, pair), past).verdict == "holds"


def test_lemma_W_with_the_printed_start_is_refuted_at_k_0_in_total_expectation() -> None:
    problem = RationalProblem((line(Q(1)), line(Q(-1))))
    past, pair = Past(0, Q(0), Q(0)), Parameters(Q(1), Q(1, 4))
    printed = given_past(smooth(problem, REAL_LINE, pair, start="g0"), past, lemma_W)
    assert (printed.lhs, printed.rhs, printed.verdict) == (Q(11, 4), Q(2), "fails")
    assert given_past(smooth(problem, REAL_LINE, pair), past, lemma_W).verdict == "holds"
    for beta in (Q(1, 3), Q(1, 2)):  # from beta = 1/3 on, 1 - beta <= 6 beta^2 and this instance no longer refutes
        assert (
            given_past(smooth(problem, REAL_LINE, Parameters(Q(1), beta), start="g0"), past, lemma_W).verdict == "holds"
        )


def test_lemma_3_given_the_past_is_refuted_by_a_rare_large_sample() -> None:
    problem = linear_noise(Q(6), Q(1, 72))
    pair = Parameters(Q(1), Q(1, 2))
    setting = nonsmooth(problem, REAL_LINE, pair)
    assert (setting.L2, setting.weak_convexity) == (1, 0)
    level = tree(problem, REAL_LINE, pair, Q(0), 1)[1]
    slack = lemma_3(setting, level[0].past)
    assert (slack.lhs, slack.rhs) == (Q(5, 8), Q(1, 4))
    assert lemma_3(setting, level[0].past, "conditional").verdict == "holds"
    assert total(setting, level, lemma_3).verdict == "holds"


def test_smooth_lemmas_given_the_present_are_refuted_by_a_rare_large_sample() -> None:
    problem = linear_noise(Q(10), Q(1, 200))
    setting = smooth(problem, REAL_LINE, Parameters(Q(1), Q(1, 2)))
    assert setting.sigma2 == 1
    past = Past(0, Q(0), Q(0))
    state = setting.draws(past)[0][1]
    for lemma, sides in ((lemma_W, (19, 2)), (lemma_z_diff, (Q(13, 2), Q(-71, 2)))):
        slack = lemma(setting, state)
        assert (slack.lhs, slack.rhs, slack.verdict) == (*sides, "fails")
        assert given_past(setting, past, lemma).verdict == "holds"
    assert lemma_xdiff_smooth(setting, state).verdict == "holds"


def test_printed_gamma_is_refuted_by_a_deterministic_sawtooth() -> None:
    r"""f' = -1 left of -1/5, falls from 1 to 4/5 on [-1/5, 0], is 1 right of 0; rho = L = 1, lambda = 1/2, alpha = 1/4, beta = 4/5,
    x_0 = 0.  Both iterates sit on a kink with subgradient 1, and x_1 is its own prox point: x_hat_1 = x_hat_2 = x_1."""
    f = PiecewiseQuadratic.build([Q(-1, 5), 0], [0, -1, 0], [2, Q(1, 5)], slope=-1, at_kinks=[1, 1])
    problem, pair = RationalProblem((f,)), Parameters(Q(1, 4), Q(4, 5))
    setting = nonsmooth(problem, REAL_LINE, pair, envelope=Q(1, 2))
    assert (setting.weak_convexity, setting.L2) == (1, 1)
    past = tree(problem, REAL_LINE, pair, Q(0), 1)[1][0].past
    assert past == (1, 0, Q(-1, 5))
    assert setting.smoothed is not None
    assert setting.smoothed(x_bar(past, pair)).point == past.x
    printed = lemma_4(setting, past, "printed")
    assert (printed.lhs, printed.rhs, printed.verdict) == (Q(18369, 200000), Q(9357, 102400), "fails")
    assert lemma_4(setting, past, "repaired").slack == Q(19009, 12800000) > 0


def test_lemma_4_given_the_past_is_refuted_by_a_rare_large_sample() -> None:
    """f = -x^2/2 on [-1, 1] with noise +-20 x of weight 1/800 each: rho = 1, L^2 = 2; lambda = 1/2, alpha = 1/40, beta = 1/2."""
    tilted = [PiecewiseQuadratic((), ((Q(-1), s, Q(0)),)) for s in (Q(20), Q(-20), Q(0))]
    problem, X = RationalProblem(tuple(tilted), (Q(1, 800), Q(1, 800), Q(798, 800))), Interval(-1, 1)
    pair = Parameters(Q(1, 40), Q(1, 2))
    setting = nonsmooth(problem, X, pair, envelope=Q(1, 2))
    assert (setting.weak_convexity, setting.L2) == (1, 2)
    level = tree(problem, X, pair, Q(0), 1)[1]
    slack = lemma_4(setting, level[0].past)
    assert (slack.lhs, slack.rhs, slack.verdict) == (Q(-10516139, 40960000), Q(-658639, 2560000), "fails")
    assert lemma_4(setting, level[0].past, "conditional").verdict == "holds"
    assert total(setting, level, lemma_4).verdict == "holds"


@pytest.mark.parametrize("case", [c for c in NONSMOOTH if c.problem.rho > 0], ids=name)
@pytest.mark.parametrize("K", [0, 3])
def test_theorem_1_holds_repaired(case: Instance, K: int) -> None:
    rho = case.problem.rho
    for alpha_0 in (Q(1, 3), 1 / rho, Q(4)):
        for lam in (1 / (2 * rho), 1 / (5 * rho)):
            assert theorem_1(case.problem, case.X, case.x0, alpha_0=alpha_0, K=K, envelope=lam).verdict == "holds"
    ten = theorem_1(case.problem, case.X, case.x0, alpha_0=1 / rho, K=K, envelope=1 / (2 * rho), form="ten")
    assert ten.verdict == "holds"


def test_theorem_1_as_printed_is_refuted() -> None:
    problem = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
    options = {"alpha_0": Q(4), "K": 0, "envelope": Q(1)}
    assert theorem_1(problem, REAL_LINE, Q(1), **options, form="printed").verdict == "fails"
    assert theorem_1(problem, REAL_LINE, Q(1), **options).verdict == "holds"


def test_theorem_2_as_printed_is_refuted_and_holds_repaired() -> None:
    problem = RationalProblem((PiecewiseQuadratic((), ((Q(1), Q(0), Q(0)),)),))
    options = {"alpha_0": Q(9), "K": 0, "envelope": Q(1, 2)}
    printed = theorem_2(problem, Interval(-1, 1), Q(1), **options, form="printed")
    assert (printed.lhs, printed.rhs, printed.verdict) == (Q(4, 9), Q(1, 3), "fails")
    assert theorem_2(problem, Interval(-1, 1), Q(1), **options).verdict == "holds"
    for case in SMOOTH:
        if case.X.hi is not None and case.problem.rho > 0:
            lam = 1 / (2 * case.problem.rho)
            assert theorem_2(case.problem, case.X, case.x0, alpha_0=Q(2), K=3, envelope=lam).verdict == "holds"
    with pytest.raises(ValueError, match="smooth"):
        theorem_2(RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [1]),)), Interval(-1, 1), Q(1), **options)


@pytest.mark.parametrize("seed", range(4))
def test_theorem_3_holds_as_its_first_display(seed: int) -> None:
    case = random_instance("smooth", np.random.default_rng(seed), bounded=False)
    rho = case.problem.smoothness
    for K in (0, 3, 8):
        for ratio in (Q(8, 5), Q(2)):
            slack = theorem_3(case.problem, case.x0, alpha_0=1 / (4 * rho), K=K, envelope=1 / (ratio * rho))
            assert slack.verdict == "holds"


def test_theorem_3_second_display_is_refuted() -> None:
    r"""f = x^2/2, sigma = 1, x_0 = 0, lambda = 1/2: the mean over k of E|grad F(x_bar_k)|^2 by the exact second moments of a linear
    recursion, since K + 1 = 576 is far beyond any tree; the tree confirms the recursion for K = 8."""

    def left(alpha_0: Q, root: int) -> Q:
        alpha, beta = gmpy2.mpq(alpha_0) / root, gmpy2.mpq(1, root)
        c, e, noise, r = 2 - beta - alpha * beta, 1 - beta, (alpha * beta) ** 2, (1 - beta) / beta
        xx = xy = yy = sums = gmpy2.mpq(0)  # moments of (x_{k-1}, x_k), from x_{-1} = x_0 = 0
        for _ in range(root * root - 1):  # k = 0, ..., K-1; k = -1 adds nothing
            sums += (
                ((1 + r) ** 2 * yy - 2 * r * (1 + r) * xy + r * r * xx) * 4 / 9
            )  # |grad F_{1/2}(x_bar)|^2 = (2 x_bar/3)^2
            xx, xy, yy = yy, c * yy - e * xy, c * c * yy - 2 * c * e * xy + e * e * xx + noise
        return Q(sums) / (root * root)

    problem = RationalProblem(tuple(PiecewiseQuadratic((), ((Q(1), Q(s), Q(0)),)) for s in (1, -1)))
    small = theorem_3(problem, Q(0), alpha_0=Q(1, 64), K=8, envelope=Q(1, 2), form="second printed")
    assert small.lhs == left(Q(1, 64), 3)
    a, root = Q(1, 256), 24
    assert 4 * (1 + 16 * a) * a**3 / (a * root) < left(a, root) <= 4 * (1 + 16 * a) * a**2 / (a * root)
    assert small.rhs == 4 * (1 + 16 * Q(1, 64)) * Q(1, 64) ** 3 / (Q(1, 64) * 3)


@pytest.mark.parametrize("case", SMOOTH, ids=name)
@pytest.mark.parametrize("step", [Q(1, 2), Q(1), Q(7, 5)], ids=str)
def test_the_W_lemma_holds_for_long_steps_and_with_less_noise(case: Instance, step: Q) -> None:
    """rho alpha up to 7/5 < sqrt(2), noise 1 + beta (1 + rho alpha) in place of 4: every history of every smooth case."""
    rho = max(case.problem.smoothness, gmpy2.mpq(1, 2))
    for beta in (Q(1, 4), Q(3, 4), Q(1)):
        pair = Parameters(gmpy2.mpq(step) / rho, gmpy2.mpq(beta))
        s = Setting(case.problem, case.X, pair, rho, sigma2=case.problem.sigma2(case.X))
        for level in tree(case.problem, case.X, pair, case.x0, 2):
            assert all(given_past(s, past, partial(lemma_W, form="sharp")).slack >= 0 for _, past in level)


def test_the_W_lemma_is_an_equality_at_sqrt_2_and_false_beyond() -> None:
    """The noisy parabola with beta = 1: both constants of the sharper W lemma are attained there."""

    def least(step: float, share: float = 1.0) -> float:
        noisy = RationalProblem(tuple(PiecewiseQuadratic.build((), [1.0], slope=t) for t in (1.0, -1.0)))
        s = Setting(noisy, REAL_LINE, Parameters(step, 1.0), 1.0, sigma2=share)
        return float(given_past(s, Past(0, 3.0, 3.0), partial(lemma_W, form="sharp")).slack)

    assert abs(least(2**0.5)) < 1e-12
    assert least(2**0.5, 0.99) < -1e-3
    assert least(1.42) < -1e-3
    assert least(1.41) > 1e-3


@pytest.mark.parametrize("seed", [20, 21, 22])
def test_theorem_3_holds_on_twice_its_range_with_a_quarter_of_the_factor(seed: int) -> None:
    case = fast(random_instance("smooth", np.random.default_rng(seed), bounded=False))
    rho = case.problem.smoothness
    for inverse, K in ((i, K) for i in (2 * rho, 7 * rho / 4) for K in (0, 3, 8)):
        at = {"alpha_0": 1 / (2 * rho), "K": K, "envelope": 1 / inverse}
        assert theorem_3(case.problem, case.x0, form="sharp", **at).slack >= 0
        with pytest.raises(ValueError, match=r"1/\(4 rho\)"):
            theorem_3(case.problem, case.x0, **at)
