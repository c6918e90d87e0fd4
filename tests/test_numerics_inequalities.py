"""The inequalities of the paper and the theorems typed a second time, in fractions, and slacks at their edges."""

import itertools
from dataclasses import replace
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from refusal import message
from second_way import BOX, CURVED, HERE, KINKED, LAM, PAIR, V, after, gradient, phi

from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.sets import Ball
from shbcore.model.smooth import NoisyQuadratic
from shbcore.numerics import expectation, slack
from shbcore.numerics import monitors as mon
from shbcore.numerics.envelope import Prox
from shbcore.numerics.slack import Slack
from shbcore.numerics.solver import Past


def test_lemma_3_typed_a_second_time() -> None:
    s = slack.nonsmooth(KINKED, BOX, PAIR)
    a, b, rho, L2 = PAIR.alpha, PAIR.beta, KINKED.rho, KINKED.L2(BOX)
    nu = b / a
    ahead = after(KINKED, BOX, PAIR, HERE)
    p_next = sum(w * ((1 - b) / b * (x - HERE.x)) ** 2 for w, _, x in ahead)
    d_next = sum(w * ((HERE.x - x) / a) ** 2 for w, _, x in ahead)
    p_now, d_now = (1 - b) / b * (HERE.x - HERE.x_prev), (HERE.x_prev - HERE.x) / a
    left = (1 - b) * KINKED.value(HERE.x) + nu / 2 * p_next
    right = (1 - b) * KINKED.value(HERE.x_prev) + nu / 2 * p_now**2 - a * d_next
    printed = slack.lemma_3(s, HERE)
    assert (printed.lhs, printed.rhs, printed.error) == (left, right + a**2 * (rho * (1 - b) / 2 + nu) * L2, 0)
    noise = a**2 / 2 * (1 - b) * (rho + nu) * d_now**2 + nu * a**2 / 2 * (1 + b) * L2
    assert slack.lemma_3(s, HERE, "conditional").rhs == right + noise


def test_lemma_4_typed_a_second_time() -> None:
    s = slack.nonsmooth(KINKED, BOX, PAIR, envelope=LAM)
    a, b, rho, L2 = PAIR.alpha, PAIR.beta, KINKED.rho, KINKED.L2(BOX)
    nu, xi = b / a, (1 - b) * a / b
    left = sum(w * V(KINKED, BOX, PAIR, LAM, HERE.x, x) for w, _, x in after(KINKED, BOX, PAIR, HERE))
    here = HERE.x + (1 - b) / b * (HERE.x - HERE.x_prev)
    d2 = ((HERE.x_prev - HERE.x) / a) ** 2
    right = V(KINKED, BOX, PAIR, LAM, HERE.x_prev, HERE.x) - a / 2 * gradient(KINKED, BOX, LAM, here) ** 2
    gamma = xi**2 * (rho * (1 - b) / 2 + nu) / LAM + rho * xi + 1
    noise = {
        "repaired": gamma * a**2 * L2 / (2 * LAM),
        "printed": (gamma - rho * xi / 2) * a**2 * L2 / (2 * LAM),
        "conditional": (a**2 * rho * xi / (2 * LAM) + a**2 * xi**2 * (1 - b) * (rho + nu) / (4 * LAM**2)) * d2
        + a**2 * L2 / (2 * LAM) * (1 + xi**2 * nu * (1 + b) / (2 * LAM)),
    }
    for form, one in slack.lemma_4_forms(s, HERE).items():
        assert (one.lhs, one.rhs, one.error) == (left, right + noise[form], 0), form
        assert slack.lemma_4(s, HERE, form) == one  # type: ignore[arg-type]


def test_the_first_step_typed_a_second_time() -> None:
    s = slack.nonsmooth(KINKED, BOX, PAIR, envelope=LAM, start="g0")
    a, b, x0 = PAIR.alpha, PAIR.beta, Q(2, 5)
    nu, xi = b / a, (1 - b) * a / b
    ahead = [(w, BOX.project(x0 - a * g)) for w, g in zip(KINKED.weights, KINKED.subgradients(x0))]
    left = sum(w * V(KINKED, BOX, PAIR, LAM, x0, x) for w, x in ahead)
    left += gradient(KINKED, BOX, LAM, x0) ** 2 / (2 * nu)
    gamma_1 = 1 + (1 - b) * xi**2 / (2 * LAM**2) + xi / LAM
    price = 1 / (2 * LAM * nu**2) + nu * xi**4 / (4 * LAM**2) + a * xi**2 / (2 * LAM**2)
    one = slack.first_step(s, x0)
    assert (one.lhs, one.rhs) == (left, gamma_1 * KINKED.value(x0) + KINKED.L2(BOX) * price)


def test_the_smooth_lemmas_typed_a_second_time() -> None:
    q = Parameters(Q(1, 3), Q(2, 5))
    s = slack.smooth(CURVED, BOX, q)
    a, b, rho, sigma2 = q.alpha, q.beta, CURVED.smoothness, CURVED.sigma2(BOX)
    nu, xi = b / a, (1 - b) * a / b
    assert (s.weak_convexity, s.sigma2) == (rho, sigma2)
    d_now = (HERE.x_prev - HERE.x) / a
    for (_, state), (_, z, x) in zip(s.draws(HERE), after(CURVED, BOX, q, HERE), strict=True):
        assert (state.z, s.next(state)) == (z, Past(3, HERE.x, x))
        d_next = (HERE.x - x) / a
        further = after(CURVED, BOX, q, Past(3, HERE.x, x))
        jump = sum(w * (new - z) ** 2 for w, new, _ in further)
        phi_next = sum(w * phi(BOX, q, x, new) for w, new, _ in further)
        f, f_next = CURVED.value(HERE.x), CURVED.value(x)
        one = slack.lemma_xdiff_smooth(s, state)
        assert one.lhs == f_next + phi_next / (nu * a**2)
        descent = (a - rho * a**2 / 2) * d_next**2
        assert one.rhs == f + phi(BOX, q, HERE.x, z) / (nu * a**2) - descent + jump / (2 * nu)
        for form, c, N in (("printed", 3, 4), ("sharp", 1, 3)):
            one = slack.lemma_z_diff(s, state, form)  # type: ignore[arg-type]
            assert one.lhs == jump / (2 * nu)
            descent = (a - (a**3 * rho**2 + c * rho * a**2) / 2) * d_next**2
            assert one.rhs == f - f_next + xi / 2 * (d_now**2 - d_next**2) - descent + N * nu * a**2 * sigma2
        W = 2 * f + phi(BOX, q, HERE.x, z) / (nu * a**2) + xi / 2 * d_now**2
        for form, least in (("printed", Q(4)), ("sharp", 1 + b * (1 + rho * a))):
            one = slack.lemma_W(s, state, form)  # type: ignore[arg-type]
            assert one.lhs == 2 * f_next + phi_next / (nu * a**2) + xi / 2 * d_next**2
            assert one.rhs == W - a * d_next**2 + least * nu * a**2 * sigma2


def stationarity(problem: RationalProblem, X: Interval, q: Parameters, lam: Q, x0: Q, K: int, start: str) -> list[Q]:
    """The mean of the squared gradient of the envelope at every level, over all words of samples."""
    found = []
    for k in range(K + 1):
        total = Q(0)
        for word in itertools.product(range(problem.m), repeat=k):
            x_prev = x = x0
            weight = Q(1)
            for j, i in enumerate(word):
                g = problem.subgradients(x)[i]
                z = g if j == 0 and start == "g0" else q.beta * g + (1 - q.beta) * (x_prev - x) / q.alpha
                x_prev, x, weight = x, X.project(x - q.alpha * z), weight * problem.weights[i]
            total += weight * gradient(problem, X, lam, x + (1 - q.beta) / q.beta * (x - x_prev)) ** 2
        found.append(total)
    return found


@pytest.mark.parametrize("start", ["beta_g0", "g0"])
def test_theorem_1_typed_a_second_time(start: Any) -> None:
    alpha_0, x0 = Q(3, 2), Q(2, 5)
    rho, L2, gap = KINKED.rho, KINKED.L2(BOX), KINKED.value(x0) - KINKED.f_star(BOX)
    for K, side in ((0, 1), (3, 2)):
        q = Parameters(alpha_0 / side, Q(1, side))
        left = sum(stationarity(KINKED, BOX, q, LAM, x0, K, start)) / (K + 1)
        xi = (1 - q.beta) * alpha_0
        gamma = xi**2 * (rho * (1 - q.beta) / 2 + 1 / alpha_0) / LAM + rho * xi + 1
        gamma_1 = 1 + (1 - q.beta) * xi**2 / (2 * LAM**2) + xi / LAM
        repaired = 2 * (gamma_1 * gap + gamma * L2 * alpha_0**2 / (2 * LAM)) / (alpha_0 * side)
        printed = 2 * (gamma_1 * gap + (gamma - rho * xi / 2) * L2 / (2 * LAM)) / (alpha_0 * side)
        given = {"alpha_0": alpha_0, "K": K, "envelope": LAM, "start": start}
        for form, right in (("repaired", repaired), ("printed", printed)):
            one = slack.theorem_1(KINKED, BOX, x0, form=form, **given)  # type: ignore[arg-type]
            assert (one.lhs, one.rhs) == (left, right)
    ten = slack.theorem_1(KINKED, BOX, x0, alpha_0=1 / rho, K=3, envelope=1 / (2 * rho), form="ten", start=start)
    assert ten.rhs == 10 * (rho * gap + L2) / 2
    for wrong in ({"alpha_0": 2 / rho, "envelope": 1 / (2 * rho)}, {"alpha_0": 1 / rho, "envelope": 1 / (3 * rho)}):
        assert "be 1/rho with rho = " in message(lambda w=wrong: slack.theorem_1(KINKED, BOX, x0, K=3, form="ten", **w))
    assert "K = -1 must" in message(lambda: slack.theorem_1(KINKED, BOX, x0, alpha_0=1, K=-1, envelope=LAM))


def test_theorem_2_has_the_variance_and_the_mean_in_the_place_of_L() -> None:
    alpha_0, x0 = Q(3, 2), Q(2, 5)
    one = slack.theorem_2(CURVED, BOX, x0, alpha_0=alpha_0, K=0, envelope=LAM)
    gap, noise = CURVED.value(x0) - CURVED.f_star(BOX), CURVED.sigma2(BOX) + CURVED.G2(BOX)
    assert one.rhs == 2 * (gap + noise * alpha_0**2 / (2 * LAM)) / alpha_0
    assert noise != CURVED.L2(BOX)


def test_theorem_3_typed_a_second_time() -> None:
    bowl = RationalProblem(
        tuple(PiecewiseQuadratic.build([0], [Q(1, 2), Q(3, 2)], slope=t, value=t) for t in (2, -1)), (Q(1, 3), Q(2, 3))
    )
    rho, sigma2, x0, K = bowl.smoothness, bowl.sigma2(REAL_LINE), Q(1, 2), 3
    gap = bowl.value(x0) - bowl.f_star(REAL_LINE)
    for form, alpha_0, factor, ratio in (("first", 1 / (4 * rho), 8, Q(9, 5)), ("sharp", 1 / (2 * rho), 2, Q(8, 5))):
        lam, q = 1 / (ratio * rho), Parameters(alpha_0 / 2, Q(1, 2))
        levels = stationarity(bowl, REAL_LINE, q, lam, x0, K - 1, "beta_g0")
        one = slack.theorem_3(bowl, x0, alpha_0=alpha_0, K=K, envelope=lam, form=form)  # type: ignore[arg-type]
        c = (2 / lam) / (2 / lam - 3 * rho)
        noise = (1 + factor * alpha_0 / lam) * sigma2 * alpha_0**2 / (2 * lam)
        assert one.lhs == (levels[0] + sum(levels)) / (K + 1), "k* from -1 to K - 1, and index -1 is index 0"
        assert one.rhs == c * ((1 + 2 * alpha_0**2 / lam**2) * gap + noise) / (alpha_0 * 2)
    alpha_0, lam = 1 / (5 * rho), 1 / (2 * rho)
    one = slack.theorem_3(bowl, x0, alpha_0=alpha_0, K=K, envelope=lam, form="second printed")
    noise = (rho + 16 * alpha_0 * rho**2) * sigma2 * alpha_0**3
    assert one.rhs == 4 * ((1 + 8 * rho**2 * alpha_0**2) * gap + noise) / (alpha_0 * 2)
    assert "be 1/(2 rho) with rho = " in message(
        lambda: slack.theorem_3(bowl, x0, alpha_0=alpha_0, K=K, envelope=1 / (Q(9, 5) * rho), form="second printed")
    )
    alone = slack.theorem_3(bowl, x0, alpha_0=alpha_0, K=0, envelope=lam)
    assert alone.lhs == gradient(bowl, REAL_LINE, lam, x0) ** 2


def test_the_error_of_a_slack_in_floats_typed_a_second_time() -> None:
    """The envelope of floats has a gap and a radius: they enter with the weights of the inequality."""
    f, X, q, lam = KINKED.to(float), Interval(-0.75, 1.25), Parameters(0.2, 2 / 3), 1 / 7
    s = slack.nonsmooth(f, X, q, envelope=lam)
    past = Past(2, 0.25, 0.4)
    assert s.smoothed is not None
    gaps = [(w, s.smoothed(mon.x_bar(s.next(state), q)).gap) for w, state in s.draws(past)]
    here = s.smoothed(mon.x_bar(past, q))
    slope = abs(mon.envelope_gradient(mon.x_bar(past, q), here, envelope=lam))
    off = (2 * slope + here.radius / lam) * here.radius / lam
    one = slack.lemma_4(s, past)
    largest = max(abs(one.lhs), *(abs(t) for t in (mon.V(past, f, q, here.value, envelope=lam).total, one.rhs)))
    wanted = sum(w * gap for w, gap in gaps) + here.gap + 0.1 * off
    assert wanted < one.error <= wanted + 1e-11 * 3 * largest
    assert slack.gradient_error(slope, here, lam) == pytest.approx(off, rel=1e-14, abs=0)
    assert slack.gradient_error(Q(1), Prox(Q(0), Q(0), 0, 0), Q(1)) == 0
    first = slack.first_step(s, 0.4)
    at = s.smoothed(0.4)
    off = slack.gradient_error(mon.envelope_gradient(0.4, at, envelope=lam), at, lam) / (2 * q.nu)
    gaps = [(w, s.smoothed(mon.x_bar(s.next(state), q)).gap) for w, state in s.draws(Past(0, 0.4, 0.4))]
    wanted = sum(w * gap for w, gap in gaps) + off
    assert wanted < first.error <= wanted + 1e-11 * 2 * max(abs(first.lhs), abs(first.rhs))


def test_a_verdict_at_its_edges() -> None:
    assert [Slack(Q(0), Q(m), Q(1)).verdict for m in (2, 1, 0, -1, -2)] == [
        "holds",
        "holds",
        "undecided",
        "undecided",
        "fails",
    ]
    assert [Slack(0, m).verdict for m in (1, 0, -1)] == ["holds", "holds", "fails"]
    assert Slack(0, 1, estimated=True).verdict == "undecided"
    assert (Slack(2, 5).slack, Slack(0, 1, 0).error) == (3, 0)


def test_sums_of_terms_carry_the_rounding_of_the_largest() -> None:
    one = slack.compare([1.0, -8.0], [2.0, 3.0], 0.5)
    assert (one.lhs, one.rhs, one.error) == (-7.0, 5.0, 0.5 + 8e-11)
    assert slack.compare([Q(1)], [2.0]).error == 2e-11
    assert slack.compare([1.0], [Q(4)]).error == 4e-11
    assert slack.compare([Q(1), Q(2)], [Q(3)], Q(1, 2)) == Slack(Q(3), Q(3), Q(1, 2))
    assert slack.compare([Q(1)], [Q(1)], estimated=True).estimated
    assert not slack.compare([Q(1)], [Q(1)]).estimated


def test_averages_of_slacks() -> None:
    one = slack.average([(Q(1, 4), Slack(1, 2, 8)), (Q(3, 4), Slack(5, 6, 4))])
    assert (one.lhs, one.rhs, one.error, one.estimated) == (4, 5, 5, False)
    assert slack.average([(Q(1, 2), Slack(1, 2)), (Q(1, 2), Slack(1, 2, estimated=True))]).estimated
    assert slack.average([(1 + 9e-10, Slack(0, 1))]).rhs == 1 + 9e-10
    for mass in (1 + 2e-9, 1 - 2e-9):
        assert "have weights that sum to 1" in message(lambda m=mass: slack.average([(m, Slack(0, 1))]))
    assert "slack = 3 must be of type Slack" in message(lambda: slack.average([(1, 3)]))  # type: ignore[list-item]
    s = slack.nonsmooth(KINKED, BOX, PAIR)
    level = expectation.tree(KINKED, BOX, PAIR, Q(0), 1)[1]
    whole = slack.total(s, level, slack.lemma_3)
    assert whole.lhs == sum(p * slack.lemma_3(s, past).lhs for p, past in level)
    first = expectation.tree(KINKED, BOX, PAIR, Q(0), 0)[0]
    assert slack.total(s, first, slack.lemma_3) == slack.lemma_3(s, Past(0, Q(0), Q(0))), "one history is a level"
    assert "must have at least 1 entries" in message(lambda: slack.total(s, [], slack.lemma_3))
    heavy = [expectation.Atom(float(p) * (1 + 2e-9), past) for p, past in level]
    assert "have probabilities that sum to 1" in message(lambda: slack.total(s, heavy, slack.lemma_3))
    light = [expectation.Atom(float(p) * (1 + 5e-10), past) for p, past in level]
    assert slack.total(s, light, slack.lemma_3).verdict == whole.verdict


def test_a_state_in_floats_may_differ_by_rounding_alone() -> None:
    problem, X = NoisyQuadratic(np.eye(2), np.zeros((1, 2))), Ball(9.0, np.zeros(2))
    s = slack.smooth(problem, X, Parameters(0.25, 0.5))
    past = Past(1, np.array([1.0, 3.0]), np.array([1.0, 2.0]))
    state = s.draws(past)[0][1]
    size = 1 + np.abs(state.z).max()
    assert s.state(state._replace(z=state.z + 0.9e-9 * size)).sample == 0
    assert "state.z = " in message(lambda: s.state(state._replace(z=state.z + 1.2e-9 * size)))
    assert "state.g = " in message(lambda: s.state(state._replace(g=state.g + 1e-6)))
    printed = slack.smooth(problem, X, Parameters(0.25, 0.5), start="g0")
    start = printed.draws(Past(0, past.x, past.x))[0][1]
    assert np.array_equal(printed.state(start).z, start.g)
    assert "start g0" in message(lambda: printed.state(start._replace(z=start.z / 2)))
    assert "state.z = " in message(lambda: s.state(start))


def test_a_setting_lacks_what_it_was_not_given() -> None:
    s = slack.Setting(KINKED, BOX, PAIR, 1)
    assert "L2 = None must be given with the setting" in message(lambda: slack.lemma_3(s, HERE))
    assert "envelope = None must be given" in message(lambda: slack.lemma_4(replace(s, L2=1), HERE))
    assert "sigma2 = None must be given" in message(lambda: slack.lemma_W(s, s.draws(HERE)[0][1]))
    assert "L2 = -1 must be at least 0" in message(lambda: replace(s, L2=-1))
    assert "sigma2 = -1 must be at least 0" in message(lambda: replace(s, sigma2=-1))
    assert "smoothed = 3 must be of type Smoothed" in message(lambda: replace(s, smoothed=3))
    assert slack.Setting(KINKED, Interval(*(BOX.lo, BOX.hi)), PAIR, 1, made_for=(KINKED, BOX)).L2 is None
