"""Numerics a second way: inequalities typed again in fractions, monitors and rules at their edges, tables and refusals by hand."""

import hashlib
import itertools
import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from fractions import Fraction as Q
from multiprocessing.connection import wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.model.problems import Known
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.schedules import Schedule
from shbcore.model.sets import Ball, Box, HalfSpace, Simplex, WholeSpace
from shbcore.model.smooth import NoisyQuadratic
from shbcore.numerics import (
    ball,
    bundle,
    engine,
    envelope,
    expectation,
    panels,
    phase_kernel,
    rate,
    scheduled,
    slack,
    solver,
    store,
    study,
    survey,
)
from shbcore.numerics import monitors as mon
from shbcore.numerics.envelope import Prox, moreau
from shbcore.numerics.slack import Slack
from shbcore.numerics.solver import Past, State, pair, place, shb, vector_like
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep, draw, first_epoch, grid, unit


def message(call: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as refusal:
        call()
    return str(refusal.value)


# --- the inequalities, typed a second time


KINKED = RationalProblem(
    (
        PiecewiseQuadratic.build([Q(-1, 2), Q(1, 3)], [Q(1, 2), Q(-1), Q(0)], [1, 2], slope=Q(-1, 3), value=1),
        PiecewiseQuadratic.build([0], [0, Q(1, 4)], [1], slope=-1),
    ),
    (Q(1, 4), Q(3, 4)),
)
CURVED = RationalProblem(
    (
        PiecewiseQuadratic.build([0], [Q(1, 2), Q(-1, 3)], slope=Q(1, 5), value=2),
        PiecewiseQuadratic.build((), [Q(-1, 4)], slope=Q(-2)),
    ),
    (Q(1, 3), Q(2, 3)),
)
BOX = Interval(Q(-3, 4), Q(5, 4))
PAIR = Parameters(Q(1, 5), Q(2, 3))
HERE = Past(2, Q(1, 4), Q(2, 5))
LAM = Q(1, 7)


def after(problem: RationalProblem, X: Interval, q: Parameters, past: Past) -> list[tuple[Q, Q, Q]]:
    """Weight, z and next point for every sample, by the recursion."""
    found = []
    for w, g in zip(problem.weights, problem.subgradients(past.x)):
        z = q.beta * g + (1 - q.beta) * (past.x_prev - past.x) / q.alpha
        found.append((w, z, X.project(past.x - q.alpha * z)))
    return found


def V(problem: RationalProblem, X: Interval, q: Parameters, lam: Q, x_prev: Q, x: Q) -> Q:
    nu, xi = q.beta / q.alpha, (1 - q.beta) * q.alpha / q.beta
    step, d = (1 - q.beta) / q.beta * (x - x_prev), (x_prev - x) / q.alpha
    at = moreau(problem, X, x + step, envelope=lam).value
    weight = (1 - q.beta) * xi**2 / (2 * lam**2) + xi / lam
    moved = nu * xi**2 / (4 * lam**2) * step**2 + q.alpha * xi**2 / (2 * lam**2) * d**2
    return at + moved + weight * problem.value(x_prev)


def gradient(problem: RationalProblem, X: Interval, lam: Q, y: Q) -> Q:
    return (y - moreau(problem, X, y, envelope=lam).point) / lam


def phi(X: Interval, q: Parameters, x: Q, z: Q) -> Q:
    move = X.project(x - q.alpha * z) - x
    return -q.alpha * z * move - move**2 / 2


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


# --- monitors and the method


def test_inner_products_refuse_what_is_no_pair_of_vectors() -> None:
    u = np.array([1.0, 2.0])
    assert mon.inner(u, np.array([3, 4])) == 11
    assert mon.inner(Q(1, 2), 3) == Q(3, 2)
    assert mon.inner(2, Q(1, 2)) == 1
    for v in (3.0, [1.0, 2.0], np.array([1.0, math.nan]), np.array([1.0, math.inf]), np.ma.masked_array(u), u * 1j):
        assert "v = " in message(lambda v=v: mon.inner(u, v))
        assert "u = " in message(lambda v=v: mon.inner(v, u))
    assert "v.shape = (3,) must be that of u, (2,)" in message(lambda: mon.inner(u, np.ones(3)))
    assert "u = True" in message(lambda: mon.inner(True, Q(1)))
    assert "v = True" in message(lambda: mon.inner(Q(1), True))
    assert mon.square(u) == 5


def test_monitors_of_a_schedule_look_at_the_stepsize_before() -> None:
    schedule = Schedule(lambda k: (Q(1), Q(1, 2), Q(1, 4), Q(1, 8))[k], Q(1, 3), 2)
    past = Past(2, Q(3), Q(1))
    assert mon.d(past, schedule) == 2 / Q(1, 2)
    S = Q(1, 4) + Q(2, 3) * Q(1, 8) * 3
    assert mon.x_bar(past, schedule) == 1 - Q(2, 3) * S * 4
    assert mon.d(Past(0, Q(3), Q(1)), schedule) == 2
    assert "at.k = -1 must be" in message(lambda: mon.d(Past(-1, Q(3), Q(1)), schedule))


def test_parts_add_up() -> None:
    assert mon.VParts(1, 20, 300, 4000).total == 4321
    assert mon.WParts(1, 20, 300).total == 321


def test_the_gradient_mapping_by_hand() -> None:
    bowl = NoisyQuadratic(np.diag([1.0, 3.0]), np.array([[1.0, 0.0]]))
    X, x = Box(np.zeros(2), np.ones(2)), np.array([0.5, 1.0])
    assert mon.gradient_mapping(bowl, X, x, weak_convexity=4).tolist() == [1.5, 3.0]
    assert mon.gradient_mapping(bowl, X, [0.25, 0.5], weak_convexity=1).tolist() == [0.25, 0.5]
    line = RationalProblem((PiecewiseQuadratic.build((), [1], slope=1),))
    assert mon.gradient_mapping(line, Interval(0, 9), 1, weak_convexity=3) == 2
    assert mon.gradient_mapping(line, Interval(0, 9), 1, weak_convexity=1) == 1
    assert "weak_convexity = 0 must be positive" in message(
        lambda: mon.gradient_mapping(line, Interval(0, 9), 1, weak_convexity=0)
    )


@pytest.mark.parametrize(
    ("X", "x", "distance"),
    [
        (Ball(1.0, np.zeros(2)), [1.0, 0.0], 1.0),  # -grad = (1, 1): outwards along e_1, which the ball holds back
        (Ball(1.0, np.zeros(2)), [-1.0, 0.0], math.hypot(3, 1)),  # -grad = (3, 1) points inwards
        (Ball(1.0, np.zeros(2)), [1 - 1e-13, 0.0], 1.0),  # on the boundary up to rounding
        (Ball(1.0, np.zeros(2)), [1 - 1e-9, 0.0], math.sqrt(2)),
        (Box(np.zeros(2), np.ones(2)), [1.0, 1.0], 0.0),  # -grad = (1, 0)
        (Box(np.zeros(2), np.ones(2)), [0.0, 1.0], 2.0),
        (Box(np.zeros(2), np.ones(2)), [0.0, 0.0], math.hypot(2, 1)),
        (Box(np.array([3.0, 0.0]), np.array([4.0, 2.0])), [3.0, 2.0], 1.0),  # -grad = (-1, -1), held back by x_1 >= 3
        (Box(np.array([3.0, 2.0]), np.array([4.0, 3.0])), [3.0, 2.0], 0.0),
        (WholeSpace(2), [2.0, 1.0], 0.0),
    ],
)
def test_distance_to_the_normal_cone(X: Any, x: list[float], distance: float) -> None:
    bowl = NoisyQuadratic(np.eye(2), np.array([[-2.0, -1.0]]))
    assert mon.subdifferential_distance(bowl, X, np.array(x)) == pytest.approx(distance, abs=1e-8)


def test_distance_to_the_subdifferential_on_the_line() -> None:
    line = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [5], slope=-2),))
    assert [mon.subdifferential_distance(line, Interval(-1, 1), x) for x in (Q(-1), Q(-1, 2), Q(0), Q(1, 2), Q(1))] == [
        2,
        2,
        0,
        3,
        3,
    ]
    up = RationalProblem((PiecewiseQuadratic.build((), [0], slope=3),))
    assert [mon.subdifferential_distance(up, Interval(-1, 1), x) for x in (Q(-1), Q(0), Q(1))] == [0, 3, 3]
    for slope in (Q(-1, 2), Q(1, 2)):
        flat = RationalProblem((PiecewiseQuadratic.build((), [0], slope=slope),))
        assert mon.subdifferential_distance(flat, Interval(-1, 1), Q(0)) == Q(1, 2)
    down = RationalProblem((PiecewiseQuadratic.build((), [0], slope=-3),))
    assert [mon.subdifferential_distance(down, Interval(-1, 1), x) for x in (Q(-1), Q(0), Q(1))] == [3, 3, 0]


def test_points_and_directions_have_the_shape_of_the_space() -> None:
    X = Ball(2.0, np.zeros(2))
    assert place(X, [1.0, 1.0], "x").tolist() == [1.0, 1.0]
    assert "x = 1 must lie in X" in message(lambda: place(X, 1, "x"))
    assert place(Interval(0, 1), 1, "x") == 1
    assert "x = 2 must lie in X" in message(lambda: place(Interval(0, 1), 2, "x"))
    assert pair("at", 1, 2) == (1, 2)
    assert type(pair("at", 1, 2)[0]) is Q
    assert [v.tolist() for v in pair("at", [1.0], (2.0,))] == [[1.0], [2.0]]
    for one, two in (
        (np.zeros((1, 2)), np.zeros((1, 2))),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(1), 0.0),
        (0.0, [0.0]),
    ):
        assert "at.x_prev.shape" in message(lambda a=one, b=two: pair("at", a, b))
    assert vector_like("z", 3, Q(1), "w") == 3
    assert vector_like("z", [3.0], np.zeros(1), "w").tolist() == [3.0]
    for value, x in (([3.0], Q(1)), (3.0, np.zeros(1)), (np.zeros(2), np.zeros(1))):
        assert "z.shape" in message(lambda v=value, x=x: vector_like("z", v, x, "w"))


def test_the_last_sample_is_drawn_where_the_weights_sum_to_less_than_one_by_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Tail:
        def random(self) -> float:
            return 1.0 - 2.0**-53

    drawn = []
    monkeypatch.setattr(solver, "_states", lambda f, X, step, beta, past, draw, *more: drawn.append(draw(Tail())))
    f = RobustPhaseRetrieval(np.eye(2), np.ones(2), np.array([0.5, 0.5 - 5e-10]))
    shb(f, WholeSpace(2), ConstantStep(0.1), 0.5, np.ones(2), np.random.default_rng(0))
    assert drawn == [1]


# --- trees


def test_a_tree_is_enumerated_up_to_its_largest_level(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "leave at most 2000000 histories of 2 samples" in message(
        lambda: expectation.tree(KINKED, BOX, PAIR, Q(0), 21)
    )
    monkeypatch.setattr(expectation, "MOST_HISTORIES", 8)
    assert len(expectation.tree(KINKED, BOX, PAIR, Q(0), 3)[3]) == 8
    assert "depth = 4 must leave at most 8 histories of 2 samples" in message(
        lambda: expectation.tree(KINKED, BOX, PAIR, Q(0), 4)
    )
    monkeypatch.setattr(expectation, "MOST_HISTORIES", 16)
    assert len(expectation.tree(KINKED, BOX, PAIR, Q(0), 3, merge=True)[3]) == 8
    monkeypatch.setattr(expectation, "MOST_HISTORIES", 15)
    assert "leave at most 15 histories, even merged" in message(
        lambda: expectation.tree(KINKED, BOX, PAIR, Q(0), 3, merge=True)
    )
    flat = RationalProblem((PiecewiseQuadratic.build((), [0]),) * 2)
    assert [len(level) for level in expectation.tree(flat, BOX, PAIR, Q(0), 9, merge=True)] == [1] * 10
    assert expectation.tree(KINKED, BOX, PAIR, Q(0), 0) == [[(1, Past(0, 0, 0))]]
    assert "depth = 100001 must be an integer <= 100000" in message(
        lambda: expectation.tree(flat, BOX, PAIR, Q(0), 10**5 + 1, merge=True)
    )
    vectors = NoisyQuadratic(np.eye(1), np.zeros((2, 1)))
    assert "merge = True must be False for vectors" in message(
        lambda: expectation.tree(vectors, WholeSpace(1), Parameters(0.1, 0.5), [1.0], 1, merge=True)
    )


def test_a_mean_has_probabilities_that_sum_to_one() -> None:
    assert expectation.mean([(Q(1, 4), 2), (Q(3, 4), 6)], lambda v: v) == 5
    assert expectation.mean([(1 + 9e-10, 1)], lambda v: v) == 1 + 9e-10
    assert expectation.mean([(0, 7), (1, 1)], lambda v: v) == 1
    for mass in (1 + 2e-9, 1 - 2e-9):
        assert "have probabilities that sum to 1" in message(lambda m=mass: expectation.mean([(m, 1)], lambda v: v))


# --- schedules


STEPS = (Q(1, 5), Q(1, 6), Q(1, 9), Q(1, 10))


def test_a_theorem_about_schedules_typed_a_second_time() -> None:
    schedule, x0 = Schedule(lambda k: STEPS[k], Q(2, 3), 2), Q(2, 5)
    b = schedule.beta
    S = [Q(0)] * 4
    S[3] = STEPS[3] / b
    for k in (2, 1, 0):
        S[k] = STEPS[k] + (1 - b) * S[k + 1]
    means = []
    for k in range(3):
        total = Q(0)
        for word in itertools.product(range(2), repeat=k):
            x_prev, x, weight, before = x0, x0, Q(1), STEPS[0]
            for j, i in enumerate(word):
                z = b * CURVED.subgradients(x)[i] + (1 - b) * (x_prev - x) / before
                x_prev, x, weight, before = x, BOX.project(x - STEPS[j] * z), weight * CURVED.weights[i], STEPS[j]
            y = x - (1 - b) * S[k] * (x_prev - x) / before
            total += weight * gradient(CURVED, BOX, LAM, y) ** 2
        means.append(total)
    assert scheduled.gradients(CURVED, BOX, schedule, x0, envelope=LAM) == means
    given: Any = {"envelope": LAM, "gap": Q(2), "noise": Q(3)}
    one = scheduled.slack(CURVED, BOX, schedule, x0, "any", **given)
    assert one.lhs == sum(b * s * m for s, m in zip(S, means))
    assert (one.rhs, one.error) == (schedule.bound("any", **given), 0)
    one = scheduled.slack(CURVED, BOX, schedule, x0, "monotone", **given)
    assert one.lhs == sum(a * m for a, m in zip(STEPS, means))


def test_the_error_of_a_schedule_in_floats_is_that_of_its_gradients() -> None:
    f, X, schedule = CURVED.to(float), Interval(-0.75, 1.25), Schedule(ConstantStep(0.2), 2 / 3, 0)
    one = scheduled.slack(f, X, schedule, 0.4, "any", envelope=1 / 7, gap=2.0, noise=3.0)
    at = envelope.moreau(f, X, 0.4, envelope=1 / 7)
    off = slack.gradient_error(mon.envelope_gradient(0.4, at, envelope=1 / 7), at, 1 / 7)
    weight = schedule.weights("any")[0]
    assert one.error == pytest.approx(weight * off + 1e-11 * max(abs(one.lhs), abs(one.rhs)), rel=1e-9, abs=0)


def test_running_means_over_runs_are_weighted() -> None:
    problem, X = NoisyQuadratic(np.eye(1), np.array([[1.0], [-1.0]])), Box(-np.ones(1), np.ones(1))
    schedule = Schedule(lambda k: 0.3 / (k + 1), 0.5, 3)
    found = scheduled.averaged(
        problem, X, schedule, np.array([0.5]), "monotone", envelope=0.5, runs=2, rng=np.random.default_rng(4)
    )
    rng, total = np.random.default_rng(4), np.zeros(4)
    for _ in range(2):
        for state in itertools.islice(shb(problem, X, schedule.alpha, 0.5, np.array([0.5]), rng), 4):
            y = mon.x_bar(state, schedule)
            total[state.k] += float(((y - moreau(problem, X, y, envelope=0.5).point) / 0.5)[0]) ** 2 / 2
    w = np.array([0.3, 0.15, 0.1, 0.075])
    assert np.allclose(found, np.cumsum(w * total) / np.cumsum(w), rtol=1e-6)
    assert "runs = 0 must" in message(
        lambda: scheduled.averaged(
            problem, X, schedule, np.zeros(1), "any", envelope=0.5, runs=0, rng=np.random.default_rng(0)
        )
    )


# --- many steps on the line


@pytest.mark.parametrize("start", ["beta_g0", "g0"])
def test_a_simulation_on_the_line_is_the_plain_loop(start: Any) -> None:
    q, K, runs, lam = Parameters(Q(1, 5), Q(2, 3)), 4, 5, 1 / 7
    found = rate.measure(KINKED, BOX, Q(1, 3), q, K, envelope=LAM, runs=runs, rng=np.random.default_rng(2), start=start)
    rng, rows = np.random.default_rng(2), np.zeros((3, runs))
    x_prev, x = [1 / 3] * runs, [1 / 3] * runs
    for k in range(K + 1):
        chance = rng.random(runs)
        for r in range(runs):
            d = (x_prev[r] - x[r]) / 0.2
            y = x[r] + 0.5 * (x[r] - x_prev[r])
            hat = moreau(KINKED.to(float), Interval(-0.75, 1.25), y, envelope=lam).point
            rows[:, r] += [((y - hat) / lam) ** 2, ((x[r] - hat) / lam) ** 2, d**2]
            g = float(KINKED.subgradients(Q(x[r]) if k else Q(1, 3))[0 if chance[r] < 0.25 else 1])
            z = g if k == 0 and start == "g0" else 2 / 3 * g + d / 3
            x_prev[r], x[r] = x[r], min(max(x[r] - 0.2 * z, -0.75), 1.25)
    mean = rows / (K + 1)
    wanted = (mean[0].mean(), mean[0].std(ddof=1) / math.sqrt(runs), mean[1].mean(), mean[2].mean())
    assert tuple(found) == pytest.approx(wanted, rel=1e-9)


def test_the_bound_of_a_simulation_typed_a_second_time() -> None:
    q, x0, rho, K = Parameters(Q(1, 5), Q(2, 3)), Q(1, 3), KINKED.rho + 1, 3
    nu, xi, alpha_0 = q.beta / q.alpha, (1 - q.beta) * q.alpha / q.beta, q.alpha * 2
    gamma = xi**2 * (rho * (1 - q.beta) / 2 + nu) / LAM + rho * xi + 1
    gamma_1 = 1 + (1 - q.beta) * xi**2 / (2 * LAM**2) + xi / LAM
    gap, L2 = KINKED.value(x0) - KINKED.f_star(BOX), KINKED.L2(BOX)
    wanted = 2 * (gamma_1 * gap + gamma * L2 * alpha_0**2 / (2 * LAM)) / (alpha_0 * 2)
    given: Any = {"weak_convexity": rho, "envelope": LAM}
    assert rate.bound(KINKED, BOX, x0, q, K, **given) == wanted
    price = 1 / (2 * LAM * nu**2) + nu * xi**4 / (4 * LAM**2) + q.alpha * xi**2 / (2 * LAM**2)
    assert rate.bound(KINKED, BOX, x0, q, K, **given, start="g0") == wanted + 2 * price * L2 / (alpha_0 * 2)
    assert rate.bound(KINKED, BOX, x0, q, K, weak_convexity=KINKED.rho, envelope=LAM) < wanted
    for change in ({"K": -1}, {"runs": 1}):
        more = {"K": 3, "runs": 2} | change
        assert f"{next(iter(change))} = " in message(
            lambda m=more: rate.measure(KINKED, BOX, x0, q, envelope=LAM, rng=np.random.default_rng(0), **m)
        )


def test_a_survey_names_what_it_found() -> None:
    q = Parameters(Q(1, 12), Q(1, 4))
    levels = survey.tree_slacks(CURVED, BOX, Q(0), q, 1, envelope=LAM)
    assert sorted(levels) == [
        "lemma_3 conditional",
        "lemma_3 printed",
        "lemma_4 conditional",
        "lemma_4 printed",
        "lemma_4 repaired",
        "lemma_W printed",
        "lemma_W sharp",
        "lemma_xdiff_smooth printed",
        "lemma_z_diff printed",
        "lemma_z_diff sharp",
    ]
    s = slack.nonsmooth(CURVED, BOX, q, envelope=LAM)
    level = expectation.tree(CURVED, BOX, q, Q(0), 1)[1]
    found = [(p, slack.lemma_3(s, past)) for p, past in level]
    assert levels["lemma_3 printed"][1] == (
        slack.average(found),
        min((one for _, one in found), key=lambda one: one.slack),
        max((one for _, one in found), key=lambda one: one.slack),
    )
    for name in ("lemma_W", "lemma_z_diff", "lemma_3", "lemma_4"):
        sharper = "conditional" if name in ("lemma_3", "lemma_4") else "sharp"
        assert levels[f"{name} printed"][1] != levels[f"{name} {sharper}"][1]
    run = survey.run_slacks(CURVED, BOX, Q(0), q, 3, np.random.default_rng(0), envelope=LAM)
    assert {len(column) for column in run.values()} == {3}
    assert run["lemma_3 printed"][0] == slack.lemma_3(s, Past(0, Q(0), Q(0)))
    assert set(survey.run_slacks(KINKED, BOX, Q(0), q, 1, np.random.default_rng(0), envelope=LAM)) == {
        name for name in levels if "W" not in name and "z_diff" not in name
    }
    assert "steps = 1000001 must be an integer <= 1000000" in message(
        lambda: survey.run_slacks(CURVED, BOX, Q(0), q, 10**6 + 1, np.random.default_rng(0), envelope=LAM)
    )


# --- the ball of the experiments


def test_a_run_in_a_ball_is_the_method_with_its_projection() -> None:
    rng = np.random.default_rng(3)
    A, b, x_0 = rng.standard_normal((6, 3)), rng.random(6), np.array([0.3, -0.5, 0.2])
    order, wanted, out = rng.integers(0, 6, 40), np.array([0, 0, 7, 39]), np.empty((4, 3))
    alpha, beta, radius = 0.15, 0.4, 0.7
    cut = ball._path(A, b, x_0, order, alpha, beta, radius, wanted, out)
    previous = x = x_0
    points, projected = [], 0
    for i in order:
        points.append(x + (1 - beta) / beta * (x - previous))
        t = A[i] @ x
        new = x - alpha * beta * 2 * t * np.sign(t * t - b[i]) * A[i] + (1 - beta) * (x - previous)
        size = np.linalg.norm(new)
        projected += size > radius
        previous, x = x, new * min(1.0, radius / size)
    assert np.allclose(out, [points[k] for k in wanted], rtol=1e-10)
    assert 0 < cut == projected < 40


def test_both_sides_of_theorem_1_in_a_ball_typed_a_second_time() -> None:
    at = ball.instance(Setting(m=12, n=3, kappa=2, epochs=1), radius=0.8, seed=5)
    assert np.linalg.norm(at.x_0) <= 0.8 * (1 + 1e-12)
    assert (at.weak_convexity, at.L2) == (at.problem.rho, at.problem.L2(at.X))
    assert at.L == pytest.approx(math.sqrt(at.L2))
    assert at.envelope == pytest.approx(1 / (2 * at.problem.rho))
    alpha_0, K, lam = 0.6, 8, at.envelope
    found = ball.sides(at, alpha_0=alpha_0, K=K, runs=3, points=4, rng=np.random.default_rng(1))
    rng, means, projected = np.random.default_rng(1), [], 0
    for _ in range(3):
        wanted = np.sort(np.floor((np.arange(4) + rng.random(4)) / 4 * 9).astype(int))
        out = np.empty((4, 3))
        order = rng.integers(0, 12, 9)
        projected += ball._path(at.problem.A, at.problem.b, at.x_0, order, alpha_0 / 3, 1 / 3, 0.8, wanted, out)
        gradients = [(x - moreau(at.problem, at.X, x, envelope=lam).point) / lam for x in out]
        means.append(np.mean([g @ g for g in gradients]))
    assert (found.K, found.projected) == (8, projected / 27)
    assert found.left == pytest.approx(np.mean(means), rel=1e-4)
    assert found.error == pytest.approx(np.std(means, ddof=1) / math.sqrt(3), rel=1e-4)
    rho, gap = at.weak_convexity, at.problem.value(at.x_0)
    xi = (1 - 1 / 3) * alpha_0
    gamma = xi**2 * (rho * (2 / 3) / 2 + 1 / alpha_0) / lam + rho * xi + 1
    gamma_1 = 1 + 2 / 3 * xi**2 / (2 * lam**2) + xi / lam
    right = 2 * (gamma_1 * gap + gamma * at.L2 * alpha_0**2 / (2 * lam)) / (alpha_0 * 3)
    assert found.right == pytest.approx(right)
    first = ball.instance(Setting(m=4, n=2, epochs=1), radius=5.0, seed=0)
    draws = np.random.default_rng(0)
    f = phase_retrieval(4, 2, 10.0, 0.3, draws, "sphere").problem
    assert np.array_equal(first.problem.A, f.A)  # type: ignore[attr-defined]
    assert np.array_equal(first.x_0, draws.standard_normal(2)), "a start inside the ball stays where it is"
    rng = np.random.default_rng(0)
    for change, words in (({"runs": 1}, "runs = 1"), ({"points": 0}, "points = 0"), ({"K": -1}, "K = -1")):
        given: Any = {"alpha_0": 0.6, "K": 3, "runs": 2, "points": 1} | change
        assert words in message(lambda g=given: ball.sides(at, rng=rng, **g))
    assert ball.sides(at, alpha_0=0.6, K=0, runs=2, points=1, rng=rng).K == 0
    x = np.array([1.0, -2.0, 0.5])
    moments = [4 * (a @ x) ** 2 * (a @ a) for a in at.problem.A]
    assert ball.second_moment(at.problem.A, x) == pytest.approx(math.sqrt(np.mean(moments)))


# --- cutting planes


@pytest.mark.parametrize(
    ("X", "u"),
    [
        (WholeSpace(3), [1.0, 2.0, 3.0]),
        (Ball(1.5, np.array([0.2, 0.1, 0.0])), [1.0, 2.0, 3.0]),
        (Ball(1.5, np.array([0.2, 0.1, 0.0])), [0.3, 0.2, 0.1]),
        (Box(np.zeros(3), np.array([1.0, 2.5, 9.0])), [1.5, 2.0, -1.0]),
        (HalfSpace(np.array([1.0, 2.0, -1.0]), 0.5), [1.0, 2.0, 3.0]),
        (Simplex(3), [0.9, 0.6, -1.0]),
        (Simplex(3), [0.9, 0.6, 0.3]),
    ],
)
def test_the_square_of_the_root_is_the_derivative_of_the_projection(X: Any, u: list[float]) -> None:
    at, h = np.array(u), 1e-6
    columns = [(X.project(at + h * e) - X.project(at - h * e)) / (2 * h) for e in np.eye(3)]
    half = bundle.root_jacobian(X, at, X.project(at))
    assert np.allclose(half @ half.T, np.array(columns).T, atol=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_weights_satisfy_their_conditions_of_optimality(seed: int) -> None:
    """Every row with a weight is at the top, and no row is above it."""
    rng = np.random.default_rng(seed)
    rows, n = int(rng.integers(1, 12)), int(rng.integers(1, 6))
    G, c = rng.standard_normal((rows, n)), rng.standard_normal(rows)
    if seed % 5 == 0:
        G[rows // 2 :] = G[: rows - rows // 2]  # repeated rows
    start = rng.dirichlet(np.ones(rows)) * (rng.random(rows) < 0.6)
    start = start / start.sum() if start.any() else np.eye(rows)[0]
    mu = bundle.weights(G, c, start)
    assert mu.min() >= 0
    assert mu.sum() == pytest.approx(1, abs=1e-12)
    value = c - G @ (G.T @ mu)
    assert np.max(value) - np.min(value[mu > 0]) <= 1e-9
    assert mu @ value == pytest.approx(np.max(value), abs=1e-9)


def _kinks(n: int) -> tuple[Callable[[Any], float], Callable[[Any], Any]]:
    """max(|x_1|, ..., |x_n|) + sum |x_i|/2, convex; a subgradient of it."""

    def f(x: Any) -> float:
        return float(np.abs(x).max() + np.abs(x).sum() / 2)

    def g(x: Any) -> Any:
        top = np.zeros(n)
        top[np.argmax(np.abs(x))] = 1.0
        return (top + 0.5) * np.sign(x)

    return f, g


@pytest.mark.parametrize("x", [np.array([1.0, 0.8, -0.3, 0.1]), np.array([2.0, -1.0, 0.5, 0.6])])
@pytest.mark.parametrize(
    ("X", "most"),
    [
        (WholeSpace(4), 3),
        (Ball(0.7, np.full(4, 0.5)), 5),
        (Box(np.full(4, 0.2), np.full(4, 1.0)), 3),
        (HalfSpace(np.array([1.0, 2.0, -1.0, 0.5]), 0.5), 6),
        (Simplex(4), 4),
    ],
)
def test_cutting_planes_find_a_prox_in_few_calls(X: Any, most: int, x: Any) -> None:
    f, g = _kinks(4)
    calls = []

    def counted(y: Any) -> float:
        calls.append(y)
        return f(y)

    point, value, gap = bundle.minimise(counted, g, X, x, envelope=0.5, weak_convexity=0.0, tol=1e-8)
    assert value == pytest.approx(f(point) + (point - x) @ (point - x))
    assert 0 < gap <= (1e-9 if x[0] == 1.0 else 3e-15), "a whole step of Newton's leaves nothing"
    assert len(calls) <= most
    rng = np.random.default_rng(0)
    for z in X.project(point + rng.standard_normal((200, 4)) * rng.choice([1e-3, 0.1, 1.0], (200, 1))):
        assert f(z) + (z - x) @ (z - x) >= value - gap - 1e-12
    assert np.array_equal(calls[0], X.project(x)), "the first cut is at the projection"


def test_cutting_planes_end_after_the_calls_that_they_are_given() -> None:
    f, g = _kinks(4)
    x = np.array([1.0, 0.8, -0.3, 0.1])
    gaps = []
    for most in (1, 2, 3):
        calls = []
        _, value, gap = bundle.minimise(
            lambda y, calls=calls: (calls.append(y), f(y))[1],
            g,
            WholeSpace(4),
            x,
            envelope=0.5,
            weak_convexity=0.0,
            tol=1e-12,
            most=most,
        )
        assert len(calls) == most
        assert value == pytest.approx(min(f(y) + (y - x) @ (y - x) for y in calls))
        gaps.append(gap)
    assert gaps[0] == pytest.approx(f(x) - (f(x) - g(x) @ g(x) / 4)), "the first cut, minimised by hand"
    assert gaps[0] > gaps[1] > gaps[2]


def test_cuts_above_the_function_are_a_contradiction_and_rounding_is_none() -> None:
    G, c = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 0.5])
    move = np.array([2.0, 1.0])  # the cuts are at 3 and 2.5
    assert bundle._excess(G, c, move, 2.75) == 0.25
    assert bundle._excess(G, c, move, 2.0) == 1.0
    assert bundle._excess(G, c, move, 3.0) == 0.0
    assert bundle._excess(G, c, move, 3.0 - 5e-9) == 0.0, "1e-9 of the terms 1 + 2 + 3"
    assert bundle._excess(G, c, move, 3.0 - 7e-9) > 0
    assert bundle._excess(np.empty((0, 2)), np.empty(0), move, 1.0) == 0.0


# --- the envelope


def test_lambda_of_an_envelope_is_at_least_1e_100() -> None:
    bowl = NoisyQuadratic(np.eye(1), np.zeros((1, 1)))
    assert moreau(bowl, WholeSpace(1), [1.0], envelope=1e-3).value == pytest.approx(0.5 / 1.001)
    envelope.check(bowl, WholeSpace(1), 1e-100, 1e-12)
    assert "envelope = 9e-101 must be at least 1e-100" in message(
        lambda: envelope.check(bowl, WholeSpace(1), 9e-101, 1e-12)
    )
    for call, words in (
        (lambda: envelope.check(bowl, Interval(), 0.5, 1e-12), "X = "),
        (lambda: envelope.check(CURVED, WholeSpace(1), 0.5, 1e-12), "X = "),
        (lambda: envelope.check(bowl, WholeSpace(2), 0.5, 1e-12), "X.n = 2"),
        (lambda: envelope.check(bowl, WholeSpace(1), 0.5, 0), "tol = 0"),
        (lambda: envelope.check("f", WholeSpace(1), 0.5, 1e-12), "problem = 'f'"),
    ):
        assert words in message(call)


def test_smooth_envelopes_by_their_closed_form() -> None:
    r""":math:`\hat y=(Q+I/\lambda)^{-1}(y/\lambda-c)` for a quadratic; projected on a box if :math:`Q` is a multiple of 1."""
    Qm, c, lam = np.array([[2.0, 0.5], [0.5, -1.0]]), np.array([0.3, -0.2]), 0.4
    f, y = NoisyQuadratic(Qm, c[None]), np.array([1.0, -2.0])
    at = moreau(f, WholeSpace(2), y, envelope=lam)
    hat = np.linalg.solve(Qm + np.eye(2) / lam, y / lam - c)
    assert np.allclose(at.point, hat, atol=1e-10)
    assert at.value == pytest.approx(f.value(hat) + (hat - y) @ (hat - y) / (2 * lam), rel=1e-12)
    assert 0 <= at.gap <= 1e-15
    assert np.linalg.norm(at.point - hat) <= at.radius + 1e-15 <= 1e-9
    box = Box(np.zeros(2), np.full(2, 0.5))
    bowl = NoisyQuadratic(3 * np.eye(2), np.zeros((1, 2)))
    at = moreau(bowl, box, np.array([0.9, -2.0]), envelope=lam)
    assert np.allclose(at.point, [0.9 / 2.2, 0.0], atol=1e-10)


@pytest.mark.parametrize(
    ("X", "tol", "gradients"),
    [
        (WholeSpace(3), 1e-12, 59),
        (WholeSpace(3), 1e-8, 49),
        (WholeSpace(3), 1e-4, 39),
        (Ball(1.0, np.zeros(3)), 1e-12, 29),
        (Ball(1.0, np.zeros(3)), 1e-8, 23),
    ],
)
def test_a_smooth_envelope_is_found_in_as_many_gradients_as_its_tolerance_asks_for(
    X: Any, tol: float, gradients: int
) -> None:
    calls = []

    class Counted(NoisyQuadratic):
        def mean_subgradient(self, x: Any) -> Any:
            calls.append(x)
            return super().mean_subgradient(x)

    f = Counted(np.diag([1.0, 0.5, -0.9]), np.zeros((1, 3)))
    at = moreau(f, X, np.array([1.0, 2.0, 3.0]), envelope=0.5, tol=tol)
    assert at.gap == pytest.approx((2 - 0.9) / 2 * at.radius**2, rel=1e-9, abs=0)
    assert at.gap <= 1e-8 * tol * 30
    assert abs(len(calls) - gradients) <= 2, "one step more or less, by rounding"


def test_a_search_that_no_longer_improves_ends_after_a_hundred_steps() -> None:
    """A slope that grows at every call is no gradient: the first step is the best, and the words of the problem are contradicted."""
    calls: list[Any] = []

    class Growing(NoisyQuadratic):
        def mean_subgradient(self, x: Any) -> Any:
            calls.append(x)
            return np.full(1, 2.0 ** len(calls))

    f = Growing(np.eye(1), np.zeros((1, 1)))
    assert "a lower bound is exceeded by" in message(lambda: moreau(f, WholeSpace(1), np.ones(1), envelope=0.5))
    assert len(calls) == 2 * (1 + 100) + 1 + 4, "the first step, a hundred more, and the points that are visited again"


def test_a_smooth_function_is_held_to_its_word_at_four_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The projection, the answer, the point between them, and the first step of the gradient method."""
    seen: list[Any] = []

    def noted(phi: Any, gradient: Any, points: list[Any], kappa: float, bend: float) -> float:
        seen.append((points, kappa, bend, phi(y), gradient(y)))
        return 0.0

    monkeypatch.setattr(envelope, "_contradiction", noted)
    f, X, y = NoisyQuadratic(np.diag([3.0, -0.5]), np.zeros((1, 2))), Ball(1.0, np.zeros(2)), np.array([1.0, 2.0])
    at = moreau(f, X, y, envelope=0.5)
    ((points, kappa, bend, value, slope),) = seen
    first = X.project(y)
    step = X.project(first - (f.mean_subgradient(first) + 2 * (first - y)) / 5)
    assert np.allclose(points, [first, at.point, (first + at.point) / 2, step])
    assert (kappa, bend) == (2 - 0.5, 3 + 2)
    assert (value, slope.tolist()) == (f.value(y), f.mean_subgradient(y).tolist())


def test_points_that_contradict_a_smooth_function_are_found_by_how_much() -> None:
    points = [np.array([0.0]), np.array([1.0]), np.array([3.0])]

    def wrong(curvature: float, kappa: float, bend: float) -> float:
        return envelope._contradiction(
            lambda z: float(curvature * z @ z / 2), lambda z: curvature * z, points, kappa, bend
        )

    assert wrong(2.0, 2.0, 2.0) == 0
    assert wrong(2.0, 1.0, 3.0) == 0
    assert wrong(2.0, 2.5, 3.0) == pytest.approx(0.25 * 9)
    assert wrong(2.0, 1.0, 1.5) == pytest.approx(0.25 * 9)


@pytest.mark.parametrize("y", [-2.0, -0.3, 0.4, 3.0])
def test_envelopes_on_the_line_in_floats_carry_their_rounding(y: float) -> None:
    exact = moreau(KINKED, BOX, Q(y), envelope=LAM)
    for problem, X, at in (
        (KINKED.to(float), Interval(-0.75, 1.25), y),
        (KINKED, BOX, y),
        (KINKED, Interval(-0.75, Q(5, 4)), Q(y)),
        (KINKED.to(float), BOX, Q(y)),
    ):
        found = moreau(problem, X, at, envelope=LAM)
        assert found.value == pytest.approx(float(exact.value), rel=1e-14)
        assert abs(float(exact.value) - found.value) <= found.gap <= 1e-13
        assert abs(float(exact.point) - found.point) <= found.radius <= 1e-13
        assert found.gap > 0
        assert found.radius > 0
    assert (exact.gap, exact.radius) == (0, 0)
    half = moreau(KINKED.to(float), Interval(-0.75, 1.25), y, envelope=LAM)
    f = envelope.OnLine(KINKED.to(float), Interval(-0.75, 1.25), float(LAM))
    at, value = f._direct(y)
    assert (at, value) == (pytest.approx(half.point), pytest.approx(half.value))
    a, b, c = f.f.pieces[[x < at for x in f.f.breaks].count(True)]
    assert f._spread(at) == pytest.approx(abs(a) * at * at + abs(b * at) + abs(c))
    assert f.F is not None
    terms = abs(f.f.value(at)) + f._spread(at) + (at - y) ** 2 / (2 * float(LAM)) + abs(value)
    eps, found = 2.0**-52, f(y)
    assert found.gap == pytest.approx(8 * eps * terms + abs(f.F.value(y) - value), rel=1e-9, abs=0)
    assert found.radius == pytest.approx(8 * eps * (abs(at) + abs(y)) + abs(found.point - at), rel=1e-9, abs=0)
    assert (found.point, found.value) == (y - float(LAM) * f.F.subgradient(y), f.F.value(y)), (
        "the built envelope answers"
    )
    f.F = None  # where the pieces of the envelope cannot be told apart
    alone = f(y)
    assert (alone.point, alone.value) == (at, value)
    assert (alone.gap, alone.radius) == pytest.approx((8 * eps * terms, 8 * eps * (abs(at) + abs(y))), rel=1e-9, abs=0)


def test_a_certificate_may_be_undercut_by_rounding_alone() -> None:
    r"""The least value nearby is 1 at :math:`z=y\pm0.1`, where the terms are 1 + value + 0.02."""

    class Deep:
        n = 1

        def value(self, z: Any) -> float:
            return 1.0 - float(z @ z)

        def known_rho(self) -> Known:
            return Known(2.0, "declared")

    y, deep = np.zeros(1), Deep()
    just = Prox(y, 1.0 + 2e-9, 0.0, 0.0)
    assert envelope._probed(deep, WholeSpace(1), y, 0.5, just) is just
    assert "agree with its rho = 2 and its subgradients, but a lower bound is exceeded by 2.1e-09" in message(
        lambda: envelope._probed(deep, WholeSpace(1), y, 0.5, Prox(y, 1.0 + 2.1e-9, 0.0, 0.0))
    )
    covered = Prox(y, 1.0 + 2.1e-9, 1e-9, 0.0)
    assert envelope._probed(deep, WholeSpace(1), y, 0.5, covered) is covered, "the gap is allowed for"


@pytest.mark.parametrize("X", [WholeSpace(2), Ball(0.5, np.array([1.0, -1.0])), Box(np.zeros(2), np.ones(2))])
def test_the_tolerance_of_an_envelope_is_1e_12_if_none_is_given(X: Any) -> None:
    f, y = RobustPhaseRetrieval(np.array([[1.0, 0.5], [-0.3, 2.0]]), np.array([1.0, 0.5])), np.array([0.7, 0.3])
    smooth = NoisyQuadratic(np.diag([1.0, -0.5]), np.zeros((1, 2)))
    for problem in (f, smooth):
        found = moreau(problem, X, y, envelope=0.1)
        assert found.gap == moreau(problem, X, y, envelope=0.1, tol=1e-12).gap
        assert mon.Smoothed(problem, X, envelope=0.1)(y).gap == found.gap
        (many,) = envelope.moreau_many(problem, X, [y], envelope=0.1)
        assert many.gap == envelope.moreau_many(problem, X, [y], envelope=0.1, tol=1e-12)[0].gap
        q, x0 = Parameters(0.01, 0.5), X.project(y)
        setting = slack.nonsmooth(smooth, Ball(2.0, np.zeros(2)), q, envelope=0.1)
        assert setting.smoothed is not None
        assert setting.smoothed(y).gap == moreau(smooth, Ball(2.0, np.zeros(2)), y, envelope=0.1, tol=1e-12).gap
        if isinstance(X, Ball):
            runs = [
                survey.run_slacks(problem, X, x0, q, 1, np.random.default_rng(0), envelope=0.1, **more)
                for more in ({}, {"tol": 1e-12}, {"tol": 0.1})
            ]
            errors = [run["lemma_4 repaired"][0].error for run in runs]
            assert errors[0] == errors[1] < errors[2]


def test_a_certificate_is_probed_along_the_axes() -> None:
    bowl = NoisyQuadratic(np.eye(2), np.zeros((1, 2)))
    y = np.array([1.0, 0.0])
    good = moreau(bowl, WholeSpace(2), y, envelope=0.5)
    assert envelope._probed(bowl, WholeSpace(2), y, 0.5, good) is good
    asked: list[list[float]] = []
    many = SimpleNamespace(n=9, value=lambda z: (asked.append(z.tolist()), 0.0)[1])
    at = Prox(np.full(9, 1.0), 0.0, 0.0, 0.0)
    assert envelope._probed(many, WholeSpace(9), at.point, 0.5, at) is at
    wanted = [1 + sign * t * 4 * e for t in (0.1, 1e-3) for sign in (1, -1) for e in np.eye(9)[:8]]
    assert np.allclose(asked, wanted), "a tenth and a thousandth of 1 + |z|, to both sides, along eight axes"
    lie = replace(good, value=good.value + 1.0, point=good.point + 0.1)
    assert "a lower bound is exceeded by" in message(lambda: envelope._probed(bowl, WholeSpace(2), y, 0.5, lie))
    assert "have finite values near y" in message(lambda: envelope._certified(bowl, y, math.inf, 0.0, 0.0))
    assert "have finite values near y" in message(lambda: envelope._certified(bowl, y, 0.0, math.inf, 0.0))


# --- panels, sweeps and their tables


def test_the_panels_are_those_of_the_paper() -> None:
    assert [(p.label, p.alpha_0, p.kappa, p.momentum.name) for p in panels.FIGURE_1] == [
        ("1(a)", 0.1, 10.0, "10/sqrt(K)"),
        ("1(b)", 0.25, 10.0, "10/sqrt(K)"),
        ("1(c)", 0.1, 1.0, "10/sqrt(K)"),
        ("1(d)", 0.15, 1.0, "10/sqrt(K)"),
    ]
    assert [(p.label, p.alpha_0, p.kappa, p.momentum.name) for p in panels.FIGURES_2_3] == [
        ("2(a)", None, 10.0, "1/sqrt(K)"),
        ("2(b)", None, 10.0, "1/(alpha_0 sqrt(K))"),
        ("3(a)", None, 10.0, "0.1"),
        ("3(b)", None, 10.0, "0.01"),
    ]
    assert (panels.EPSILON, panels.EPSILONS) == (0.1, (0.1, 0.03, 0.01))
    assert (len(panels.STEPSIZES), panels.STEPSIZES[0], panels.STEPSIZES[-1]) == (22, 0.003162, 10.0)
    ten, one = panels.figure_1()
    assert (ten.name, one.name) == ("figure_1_kappa_10", "figure_1_kappa_1")
    assert (ten.alpha_0, one.alpha_0) == ((0.1, 0.25), (0.1, 0.15))
    for work in (ten, one):
        assert (work.experiments, work.seed, work.keep, work.epsilons) == (50, 2020, True, panels.EPSILONS)
        assert (work.setting.p_fail, work.setting.signal, work.setting.epochs) == (0.2, "normal", 400)
        assert work.methods == (SGD, Method(panels.TEN, "g0"), Method(panels.TEN, "beta_g0"))
    both = panels.figures_2_3()
    assert (both.name, both.experiments, both.seed, both.keep) == ("figures_2_3", 50, 2020, False)
    assert both.setting == Setting(300, 100, 10.0, 0.3, "sphere", 400, "decaying")
    assert len(both.methods) == 9
    assert both.methods[:2] == (SGD, Method(Momentum(1.0, "root"), "g0"))
    constant = panels.constant_step(experiments=3)
    assert (constant.name, constant.setting.step, constant.alpha_0) == ("constant_step", "constant", panels.STEPSIZES)
    assert (constant.seed, constant.experiments) == (2020, 3)
    assert panels.constant_step().experiments == 50
    fine = panels.fine_grid()
    assert (fine.name, fine.seed, fine.experiments, len(fine.alpha_0)) == ("fine_grid", 2021, 50, 49)
    assert (fine.alpha_0[0], fine.alpha_0[-1]) == (0.01, 10.0)
    assert panels.FIGURE_1[0].shb() == Method(panels.TEN, "beta_g0")


def test_the_planes_of_momenta() -> None:
    assert panels.BETAS[0] == 1.0
    assert (len(panels.BETAS), panels.BETAS[-1]) == (11, 0.003162)
    plane = panels.momentum_plane(3.0)
    assert (plane.name, plane.setting.kappa, plane.experiments, plane.seed) == ("plane_kappa_3", 3.0, 20, 2022)
    assert plane.methods[0] == SGD
    assert plane.methods[1] == Method(Momentum(panels.BETAS[1]), "beta_g0")
    assert len(plane.alpha_0) == 15
    works = panels.larger_study(experiments=50, seed=7)
    assert [(w.name, w.seed, w.experiments) for w in works] == [
        ("constant_step", 7, 50),
        ("fine_grid", 8, 50),
        ("plane_kappa_1", 9, 20),
        ("plane_kappa_3", 9, 20),
        ("plane_kappa_10", 9, 20),
        ("plane_kappa_30", 9, 20),
    ]
    assert panels.larger_study(experiments=1)[-1].experiments == 1
    assert panels.larger_study()[0].seed == 2020
    assert "betas = () must have at least 1 entries" in message(lambda: panels.momentum_plane(1.0, betas=()))


def test_a_panel_of_ones_own() -> None:
    work = panels.own_panel([0.1, 0.2])
    assert (work.name, work.experiments, work.seed, work.epsilons) == ("panel", 50, 2020, (0.1,))
    assert work.methods == (SGD, Method(Momentum(1.0, "root"), "beta_g0"))
    assert "beta = 1 must be below 1" in message(lambda: panels.own_panel([0.1], 1))
    assert "alpha_0 = [] must have at least 1 entries" in message(lambda: panels.own_panel([]))
    table = pd.DataFrame(
        {"momentum": ["1", "1/sqrt(K)", "1/sqrt(K)", "0.1"], "start": ["g0", "g0", "beta_g0", "beta_g0"], "n": range(4)}
    )
    assert panels.rows(table, SGD)["n"].tolist() == [0]
    assert panels.rows(table, replace(SGD, start="beta_g0"))["n"].tolist() == [0], "SGD knows no start"
    assert panels.rows(table, work.methods[1])["n"].tolist() == [2]


def test_momentum_rules_by_name_and_value() -> None:
    for text, c, rule, name in (
        ("0.1", 0.1, "constant", "0.1"),
        (" 10/sqrt(K) ", 10.0, "root", "10/sqrt(K)"),
        ("1e-2/(alpha_0 sqrt(K))", 0.01, "alpha root", "0.01/(alpha_0 sqrt(K))"),
        ("2/(alpha_0*sqrt(K))", 2.0, "alpha root", "2/(alpha_0 sqrt(K))"),
        (0.5, 0.5, "constant", "0.5"),
    ):
        found = Momentum.parse(text)
        assert (found.c, found.rule, found.name) == (c, rule, name)
    for text in ("1.2.3", ".", "e5", "-", "1/sqrt(K", "K", "./(alpha_0 sqrt(K))"):
        assert "be a number, c/sqrt(K) or c/(alpha_0 sqrt(K))" in message(lambda t=text: Momentum.parse(t))
    assert Momentum.parse(".5").c == 0.5
    assert Momentum(0.25).beta(7.0, 100) == 0.25
    assert Momentum(2.0, "root").beta(7.0, 100) == 0.2
    assert Momentum(2.0, "alpha root").beta(4.0, 100) == 0.05
    assert (Momentum(1.0).beta(1.0, 1), Momentum(10.0, "root").beta(1.0, 100)) == (1.0, 1.0)
    assert message(lambda: Momentum(1.5).beta(1.0, 4)).startswith("beta = 1.5 must lie in (0, 1] (lem:xdiff")
    assert "beta = 3/sqrt(K) = 1.5 must lie in (0, 1] (" in message(lambda: Momentum(3.0, "root").beta(1.0, 4))
    assert "= 1.5 must lie in (0, 1], so alpha_0 >= 1.5 (" in message(lambda: Momentum(3.0, "alpha root").beta(1.0, 4))
    assert "K = 1000000001 must be" in message(lambda: Momentum(0.5).beta(1.0, 10**9 + 1))
    assert (SGD.name, Method(Momentum(1.0, "root")).name, Method(Momentum(0.5)).name) == ("SGD", "SHB", "SHB")
    assert Method(Momentum(0.5)).start == "g0"


def test_settings_and_sweeps_at_their_edges() -> None:
    setting = Setting(m=5, n=2, epochs=3, kappa=1.0)
    assert setting.K == 15
    assert "kappa = 0.99 must be at least 1" in message(lambda: Setting(kappa=0.99))
    for change in ({"m": 10**6, "n": 1001}, {"m": 10**6, "epochs": 1001, "n": 1}):
        assert "must make at most 1000000000 entries" in message(lambda c=change: Setting(**c))
    work = Sweep("a b.c+d-e_1", setting, (SGD,), (0.1, 0.2), (0.3,), experiments=4)
    assert work.runs == 8
    assert (Sweep("x", setting, (SGD,), (0.1,)).epsilons, Sweep("x", setting, (SGD,), (0.1,)).keep) == ((0.1,), False)
    assert (Sweep("x", setting, (SGD,), (0.1,)).experiments, Sweep("x", setting, (SGD,), (0.1,)).seed) == (50, 2020)
    assert work.lanes() == [(SGD, 0.1, 1.0), (SGD, 0.2, 1.0)]
    good: dict[str, Any] = {"name": "x", "setting": setting, "methods": (SGD,), "alpha_0": (0.1,)}
    for change, words in (
        ({"name": "a/b"}, "name = 'a/b' must be letters"),
        ({"name": "-a"}, "name = '-a' must be letters"),
        ({"name": ""}, "name = '' must be letters"),
        ({"methods": (SGD, SGD)}, "without repetitions"),
        ({"methods": ()}, "methods = () must be a non-empty tuple"),
        ({"methods": (3,)}, "methods = 3 must be of type Method"),
        ({"alpha_0": [0.1]}, "alpha_0 = [0.1] must be of type tuple"),
        ({"alpha_0": (0.1, 0.1)}, "without repetitions"),
        ({"epsilons": (0.1, 0.1)}, "without repetitions"),
        ({"epsilons": (-0.1,)}, "epsilon = -0.1 must be positive"),
        ({"keep": 1}, "keep = 1 must be of type bool"),
        ({"seed": -1}, "seed = -1 must be"),
        ({"experiments": 10**6 + 1}, "experiments = 1000001 must be an integer <= 1000000"),
        ({"setting": 3}, "setting = 3 must be of type Setting"),
    ):
        assert words in message(lambda c=change: Sweep(**(good | c)))
    assert Sweep(**(good | {"experiments": 10**6, "seed": 0})).experiments == 10**6


def test_grids_of_stepsizes() -> None:
    assert grid(0.01, 10, 1) == (0.01, 0.1, 1.0, 10.0)
    assert grid(1, 10, 2) == (1.0, 3.162, 10.0)
    assert grid(2, 2, 5) == (2.0,)
    for low, high in ((2, 1), (1e-200, 1e200)):
        assert "must be at least low = " in message(lambda a=low, b=high: grid(a, b, 1))
    assert len(grid(1, 10, 1000)) == 1001
    assert "per_decade = 1001 must be" in message(lambda: grid(1, 10, 1001))
    assert "low = 0 must be positive" in message(lambda: grid(0, 1, 1))


def test_first_epochs() -> None:
    assert first_epoch(np.array([[3.0, 2.0, 1.0], [1.0, 9.0, 0.0]]), 2.0).tolist() == [1, 0]
    for values in (np.zeros(3), np.zeros((3, 0)), np.zeros((1, 2, 3))):
        assert "be (runs, epochs)" in message(lambda v=values: first_epoch(v, 1.0))


def test_compact_tables_are_small() -> None:
    table = pd.DataFrame(
        {
            "experiment": [3],
            "method": ["SHB"],
            "momentum": ["0.1"],
            "start": ["g0"],
            "alpha_0": [0.1],
            "beta": [0.1],
            "epochs_0.1": [7.0],
            "lowest": [1.0],
            "epochs_run": [9],
        }
    )
    found = engine.compact(table)
    assert list(found) == ["experiment", "method", "momentum", "start", "alpha_0", "beta", "epochs_0.1"]
    assert (found["experiment"].dtype, found["epochs_0.1"].dtype, found["beta"].dtype) == (
        "int16",
        "float32",
        "float64",
    )
    work = Sweep("x", Setting(m=4, n=2, epochs=2), (SGD,), (0.1, 0.2), experiments=2)
    whole = engine.execute([work])
    assert (whole.computed, whole.found, whole.refused, len(whole.tables[0])) == (2, 0, (), 4)
    small = engine.compact(whole.tables[0])
    assert engine.agrees(small, work, 1)
    assert not engine.agrees(small.assign(beta=0.5), work, 1)
    assert not engine.agrees(small.drop(columns="start"), work, 1)
    assert "have a column experiment" in message(lambda: engine.agrees(small.drop(columns="experiment"), work, 1))
    told: list[int] = []
    engine.execute([work], done=told.append)
    assert told == [0, 1, 1]
    assert "workers = 257 must be an integer <= 256" in message(lambda: engine.processes(257))
    assert "workers = 0 must be" in message(lambda: engine.processes(0))


def test_a_worker_ends_when_its_parent_does(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, handled = [], []
    reader, writer = os.pipe()
    monkeypatch.setattr(engine.multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=reader))
    monkeypatch.setattr(engine.os, "_exit", ended.append)
    monkeypatch.setattr(engine.signal, "signal", lambda *given: handled.append(given))
    before = set(threading.enumerate())
    engine._follow_parent()
    (watch,) = set(threading.enumerate()) - before
    assert watch.daemon, "it does not keep the worker alive"
    assert ended == []
    os.close(writer)  # the parent is gone
    watch.join(10)
    os.close(reader)
    assert ended == [1]
    assert handled == [(signal.SIGINT, signal.SIG_IGN)]
    monkeypatch.setattr(engine.multiprocessing, "parent_process", lambda: None)
    engine._follow_parent()
    assert set(threading.enumerate()) <= before


class Half(Executor):
    """An executor whose first work is done, whose second failed, whose third is cancelled and whose fourth waits; then Ctrl-C."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.futures) == 4:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_result(fn(*args, **kwargs))
        elif len(self.futures) == 2:
            future.set_exception(RuntimeError("failed"))
        elif len(self.futures) == 3:
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


def test_an_interruption_keeps_what_is_finished_and_cancels_what_waits(tmp_path: Path) -> None:
    work, executor = Sweep("x", Setting(m=4, n=2, epochs=2), (SGD,), (0.1,), experiments=6), Half()
    with pytest.raises(KeyboardInterrupt):
        engine.execute([work], tmp_path, executor)
    assert [one.name for one in tmp_path.rglob("*.parquet")] == ["0000.parquet"]
    assert executor.futures[3].cancelled()


def test_an_exception_ends_the_processes_of_a_pool_at_once() -> None:
    begun = time.monotonic()
    running: list[Any] = []

    def interrupted() -> None:
        with engine.pool(1) as executor:
            future = executor.submit(time.sleep, 300)
            while not future.running():
                time.sleep(0.01)
            running.extend(executor._processes.values())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    (process,) = running
    assert wait([process.sentinel], 60), "the process has not ended"
    assert time.monotonic() - begun < 120, "what it slept was not waited for"


# --- the study


def _arrivals(rows: list[list[float]], alpha_0: tuple[float, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(alpha_0))


def test_the_width_of_a_method_by_hand() -> None:
    inf, alpha_0 = math.inf, (0.01, 0.1, 1.0, 10.0, 100.0)
    two = study.width(_arrivals([[1, inf, 1, 1, inf], [1, inf, 1, inf, inf]], alpha_0))
    assert (two.decades, two.first, two.last) == (2.0, 1.0, 10.0), "half of the runs are enough"
    three = study.width(_arrivals([[1, inf, 1, 1, inf], [1, inf, 1, inf, inf], [1, inf, 1, inf, inf]], alpha_0))
    assert (three.decades, three.first, three.last) == (1.0, 0.01, 0.01), "the first of two that are equally long"
    assert study._longest(np.array([True, False, True, True])) == (2, 3)
    assert study._longest(np.array([True, True, False, True])) == (0, 1)
    assert study._longest(np.array([False, False])) == (0, -1)
    assert study._spacing(np.array([0.1, 1.0, 10.0])) == 1.0
    assert study._spacing(np.array([0.1])) == 0.0
    assert study._spacing(np.array([0.1, 1.0])) == 1.0
    works = np.array([[True, True, False], [False, True, True], [True, True, True], [False, False, False]])
    assert study._decades(works, np.array([0.1, 1.0, 10.0])).tolist() == [2.0, 2.0, 3.0, 0.0]
    assert str(two) == f"2.00 [{two.low:.2f}, {two.high:.2f}]"


def test_a_width_has_a_bootstrap_interval() -> None:
    inf = math.inf
    data = _arrivals([[1, 1, inf], [1, inf, inf], [1, 1, inf], [1, inf, 1]], (0.1, 1.0, 10.0))
    found = study.width(data, resamples=40, seed=3)
    chosen = np.random.default_rng(3).integers(0, 4, (40, 4))
    widths = []
    for rows in chosen:
        share = np.isfinite(data.to_numpy()[rows]).mean(axis=0) >= 0.5
        best = run = 0
        for good in share:
            run = (run + 1) * bool(good)
            best = max(best, run)
        widths.append(float(best))
    assert (found.low, found.high) == tuple(np.quantile(widths, (0.025, 0.975)))
    assert found.low < found.high
    assert study.LEVELS == (0.1, 0.5, 0.9)


def _peak(row: list[float]) -> float:
    return max(gap for gap in row if math.isfinite(gap))


def _course(gaps: list[list[float]], alpha_0: float, method: Method) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "method": method.name,
            "momentum": method.momentum.name,
            "start": method.start,
            "alpha_0": alpha_0,
            "final": [row[-1] for row in gaps],
            "peak": [_peak(row) for row in gaps],
            "course": gaps,
        }
    )


def _figure_1(gaps: list[list[float]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    def table(kappa: float) -> pd.DataFrame:
        parts = [
            _course(gaps, panel.alpha_0 or 0.0, method)
            for panel in panels.FIGURE_1
            if panel.kappa == kappa
            for method in (SGD, panel.shb())
        ]
        return pd.concat(parts, ignore_index=True)

    return table(10.0), table(1.0)


@pytest.mark.parametrize(
    ("gaps", "converges", "grows"),
    [
        ([[2.0, 1.0, 0.2], [2.0, 1.0, 0.3]], True, False),  # half of the runs end at a tenth of their start
        ([[2.0, 1.0, 0.21], [2.0, 1.0, 0.3]], False, False),
        ([[2.0, 1.0, 0.1], [2.0, 1.0, math.inf]], False, False),
        ([[2.0, 2001.0, 1.9], [2.0, 2002.0, 3.0]], False, True),  # more than a thousand, half come back
        ([[2.0, 2000.0, 1.9], [2.0, 2000.0, 3.0]], False, False),
        ([[2.0, 2001.0, 2.0], [2.0, 2001.0, 3.0]], False, False),
    ],
)
def test_convergence_and_growth_at_their_edges(gaps: list[list[float]], converges: bool, grows: bool) -> None:
    tables = _figure_1(gaps)
    found = study.converges(tables, "beta_g0")
    assert found.holds is converges
    assert f"{sum(not math.isfinite(row[-1]) for row in gaps) * 4} lost" in found.numbers
    assert study.transient_growth(tables).holds is grows
    assert study.growth(tables, "1(a)", SGD).tolist() == [_peak(row) / row[0] for row in gaps]
    assert str(found).startswith("HOLDS: SHB" if converges else "FAILS: SHB")
    shown = study.transient_growth(tables, method=panels.FIGURE_1[0].shb()).numbers
    exponent = math.log10(np.median([_peak(row) / row[0] for row in gaps]))
    assert f"factor 10^{exponent:.0f} in the median" in shown


def test_a_plane_of_momenta_by_hand() -> None:
    inf = math.inf
    works = {1.0: (5, inf, inf), 0.5: (4, 3, inf), 0.1: (inf, 9, 2)}
    records = [(e, beta, a, t) for e in range(3) for beta, row in works.items() for a, t in zip((0.1, 1.0, 10.0), row)]
    plane = pd.DataFrame(records, columns=["experiment", "beta", "alpha_0", "epochs_0.1"])
    table = study.widths_over_beta(plane, 0.1).set_index("beta")
    assert table["decades"].to_dict() == {0.1: 2.0, 0.5: 2.0, 1.0: 1.0}
    assert table["best"].to_dict() == {0.1: 2.0, 0.5: 3.0, 1.0: 5.0}
    assert study.medians(plane, 0.1).loc[0.5].tolist() == [4.0, 3.0, inf]
    wide, even = study.independent_of_momentum(plane, 0.1)
    assert (wide.holds, even.holds) == (True, True)
    assert "beta from 0.1 to 0.5: 2.00 to 2.00 decades, SGD 1.00" in wide.numbers
    narrow = plane.assign(**{"epochs_0.1": plane["epochs_0.1"].where(plane["beta"] != 0.1, inf)})
    wide, even = study.independent_of_momentum(narrow, 0.1)
    assert (wide.holds, even.holds) == (False, False)
    step = plane.assign(
        **{"epochs_0.1": plane["epochs_0.1"].mask((plane["beta"] == 0.1) & (plane["alpha_0"] == 1.0), inf)}
    )
    wide, even = study.independent_of_momentum(step, 0.1)
    assert (wide.holds, even.holds) == (True, True), "one step of the grid is no difference"


def test_the_quadratic_of_the_study_by_hand() -> None:
    path = study.quadratic(2.0, 0.5, 3)
    x, z, wanted = 1.0, 0.0, [1.0]
    for k in range(3):
        z = z / 2 + x / 2
        x -= 2.0 / math.sqrt(k + 1) * z
        wanted.append(abs(x))
    assert path.tolist() == pytest.approx(wanted)
    assert "steps = 10000001 must be" in message(lambda: study.quadratic(1.0, 0.5, 10**7 + 1))


def test_the_next_point_of_a_setting_is_projected() -> None:
    state = State(0, Q(0), Q(0), Q(1), Q(1), 0)
    s = slack.nonsmooth(KINKED, BOX, PAIR)
    assert s.next(state) == Past(1, 0, Q(-1, 5))
    assert s.next(state._replace(z=Q(-99))) == Past(1, 0, BOX.hi)


# --- files and tables


SMALL = Sweep("small", Setting(m=4, n=2, epochs=3), (SGD,), (0.1,), experiments=2)


def test_where_an_experiment_is_kept_and_what_it_depends_on() -> None:
    path = store.place(Path("root"), SMALL, 7)
    assert path.name == "0007.parquet"
    name, _, digest = path.parent.name.partition("-")
    assert (name, len(digest), path.parent.parent) == ("small", 12, Path("root"))
    assert store.place(Path("root"), replace(SMALL, experiments=9), 7) == path
    assert store.place(Path("root"), replace(SMALL, seed=9), 7).parent != path.parent
    assert set(store.parameters(SMALL)) == {"setting", "methods", "alpha_0", "epsilons", "seed", "keep"}
    origin = store.provenance(SMALL, 1)
    assert set(origin) == {"experiment", "parameters", "source", "versions"}
    assert origin["experiment"] == 1
    assert set(origin["versions"]) == {"python", "numpy", "numba", "llvmlite", "pandas", "pyarrow"}
    assert store.table(SMALL) == {
        "experiments": 2,
        "parameters": store.parameters(SMALL),
        "source": store.code()["source"],
    }
    assert len(store.code()["source"]) == 64


def test_a_checksum_sees_names_types_and_bits() -> None:
    def frame(**columns: Any) -> pd.DataFrame:
        return pd.DataFrame({key: list(value) for key, value in columns.items()})

    base = frame(a=[1.0, 2.0], t=["x", "y"])
    lists = frame(c=[np.array([1.0, 2.0]), np.array([3.0])])
    others = [
        frame(b=[1.0, 2.0], t=["x", "y"]),
        frame(a=[1.0, np.nextafter(2.0, 3.0)], t=["x", "y"]),
        frame(a=[1.0, 2.0], t=["x", "z"]),
        frame(a=[1.0, 2.0], t=["y", "x"]),
        base.astype({"a": "float32"}),
        base.astype({"a": "int64"}),
        base[["t", "a"]],
        lists,
        frame(c=[np.array([1.0]), np.array([2.0, 3.0])]),
        frame(c=[np.array([1.0, 2.0]), np.array([4.0])]),
        frame(t=[]),
    ]
    sums = [store.checksum(one, "here") for one in (base, *others)] + [store.checksum(base, "there")]
    assert len(set(sums)) == len(sums)
    assert store.checksum(base.copy(), "here") == sums[0]
    text = hashlib.sha256(b"here")
    data = np.array([1.0, 2.0]).tobytes()
    text.update(b"a float64 16 " + data)
    assert store.checksum(frame(a=[1.0, 2.0]), "here") == text.hexdigest()


def test_a_file_is_read_only_if_it_is_what_was_asked_for(tmp_path: Path) -> None:
    path, frame = tmp_path / "below" / "t.parquet", pd.DataFrame({"a": [1.0]})
    store.write(path, frame, {"seed": 1, "source": "s"})
    assert store.read(path).equals(frame)
    assert store.read(path, {"seed": 1}).equals(frame)
    with pytest.raises(store.Refused, match=r"t\.parquet: made with other seed and source$"):
        store.read(path, {"seed": 2, "source": "t"})
    with pytest.raises(store.Refused, match="made with other more"):
        store.read(path, {"seed": 1, "more": 0})
    with pytest.raises(FileNotFoundError):
        store.read(tmp_path / "none.parquet")
    pq.write_table(pa.table({"a": [1.0]}), path)
    with pytest.raises(store.Refused, match=r"damaged, cannot be read \(KeyError\)"):
        store.read(path)
    label = json.dumps({"provenance": "{}", "sha256": "0"}).encode()
    pq.write_table(pa.table({"a": [1.0]}).replace_schema_metadata({store.KEY: label}), path)
    with pytest.raises(store.Refused, match="damaged, checksum does not agree"):
        store.read(path)


def test_what_failed_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with store.whole(tmp_path / "a") as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
    with store.whole(tmp_path / "a") as part:
        assert part.name == f"a.{os.getpid()}.part"
        part.write_text("whole")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("a", "whole")]


def test_only_what_the_dead_have_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"t.4.part", "t.5.part", "t.six.part", "t.part", f"t.{10**30}.part", "t.parquet", "t.7.part"}
    for name in names:
        (tmp_path / name).write_text("")

    def kill(pid: int, signal: int) -> None:
        assert signal == 0, "nobody is killed"
        if pid == 4:
            raise ProcessLookupError
        if pid == 7:
            raise PermissionError
        if pid > 10**20:
            raise OverflowError

    monkeypatch.setattr(store.os, "kill", kill)
    store.tidy(tmp_path)
    assert {one.name for one in tmp_path.iterdir()} == {"t.5.part", "t.7.part", "t.parquet"}


def test_a_run_that_is_cut_short_is_summed_up_to_where_it_ended() -> None:
    setting = Setting(m=20, n=3, epochs=12, kappa=1.0, p_fail=0.0)
    work = Sweep("x", setting, (SGD,), (0.05, 0.2, 0.5, 5.0), (1.0, 0.3))
    cut, full = unit(work, 1), unit(replace(work, keep=True), 1)
    assert list(cut) == [
        "experiment",
        "method",
        "momentum",
        "start",
        "alpha_0",
        "beta",
        "epochs_1",
        "epochs_0.3",
        "lowest",
        "peak",
        "peak_epoch",
        "final",
        "epochs_run",
    ]
    assert list(full)[-1] == "course"
    for short, whole in zip(cut.itertuples(), full.itertuples(), strict=True):
        course = np.array(whole.course)
        reached = np.flatnonzero(course <= 0.3)
        end = int(reached[0]) if len(reached) else int(np.flatnonzero(np.isfinite(course))[-1])
        part = course[: end + 1]
        assert (short.epochs_run, short.final, short.peak) == (end, part[-1], part.max())
        assert (short.lowest, short.peak_epoch) == (part.min(), part.argmax())
    assert (cut["epochs_run"] < 12).any()
    assert (cut["epochs_run"] == 12).any()


def test_data_start_and_samples_of_an_experiment_are_drawn_as_they_say() -> None:
    setting = Setting(m=6, n=3, epochs=2, kappa=3.0, p_fail=0.5, signal="normal")
    work, f_star = draw(setting, 5, 2)
    rng = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(2,)))
    f, _, truth = phase_retrieval(6, 3, 3.0, 0.5, rng, "normal")
    assert np.array_equal(work.A, f.A)  # type: ignore[attr-defined]
    assert np.array_equal(work.x_0, rng.standard_normal(3))
    assert np.array_equal(work.order, rng.integers(0, 6, 12))
    assert np.array_equal(work.roots, np.sqrt(np.arange(1, 13)))
    assert f_star == pytest.approx(f.value(truth))
    constant, _ = draw(replace(setting, step="constant"), 5, 2)
    assert np.array_equal(constant.roots, np.full(12, math.sqrt(13)))
    assert "seed = -1 must" in message(lambda: draw(setting, -1, 0))
    assert "experiment = -1 must" in message(lambda: draw(setting, 0, -1))
    assert "experiment = 1000001 must be an integer <= 1000000" in message(lambda: draw(setting, 0, 10**6 + 1))


def _work(**change: Any) -> phase_kernel.Work:
    good = phase_kernel.Work(np.ones((2, 1)), np.ones(2), np.ones(1), np.array([0, 1]), np.ones(2))
    return good._replace(**change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"order": np.array([0, 1, 0])}, "be whole epochs of 2 samples, each in 0..1"),
        ({"order": np.array([0, 2])}, "be whole epochs"),
        ({"order": np.array([-1, 0])}, "be whole epochs"),
        ({"order": np.array([0, 1], np.int32)}, "be whole epochs"),
        ({"order": np.array([[0, 1]])}, "be whole epochs"),
        ({"order": np.array([], np.int64), "roots": np.ones(0)}, "have at least one epoch"),
        ({"roots": np.array([1.0, 0.0])}, "must be positive (alpha_k = alpha_0/r_k)"),
        ({"roots": np.ones(3)}, "work.roots.shape"),
        ({"b": np.ones(3)}, "work.b.shape"),
        ({"x_0": np.ones(2)}, "work.x_0.shape"),
    ],
)
def test_compiled_code_is_entered_with_sizes_and_indices_that_fit(change: dict[str, Any], words: str) -> None:
    one = np.ones(1)
    assert words in message(lambda: phase_kernel.run(_work(**change), one, one, one))


@pytest.mark.parametrize(
    ("lanes", "words"),
    [
        ((0.0, 1.0, 1.0), "alpha_0 = [0.] must lie in (0, inf]"),
        ((1.0, 0.0, 1.0), "beta = [0.] must lie in (0, 1]"),
        ((1.0, 1.1, 1.0), "beta = [1.1] must lie in (0, 1]"),
        ((1.0, 1.0, 0.0), "first = [0.] must lie in (0, 1]"),
        ((1.0, 1.0, 1.1), "first = [1.1] must lie in (0, 1]"),
    ],
)
def test_lanes_are_admissible(lanes: tuple[float, float, float], words: str) -> None:
    assert words in message(lambda: phase_kernel.run(_work(), *(np.array([one]) for one in lanes)))
    assert words in message(lambda: phase_kernel.reference(_work(), *lanes))
    assert "stop = nan must" in message(lambda: phase_kernel.run(_work(), *np.ones((3, 1)), stop=math.nan))


def test_an_advantage_is_a_difference_of_widths_on_the_same_experiments() -> None:
    inf, rng = math.inf, np.random.default_rng(0)
    shb = panels.FIGURES_2_3[0].shb()
    arrived = {
        SGD: np.where(rng.random((9, 4)) < 0.5, 3.0, inf),
        shb: np.where(rng.random((9, 4)) < 0.7, 3.0, inf),
    }
    records = [
        (e, m.name, m.momentum.name, m.start, a, arrived[m][e, j])
        for m in arrived
        for e in range(9)
        for j, a in enumerate((0.1, 1.0, 10.0, 100.0))
    ]
    columns = ["experiment", "method", "momentum", "start", "alpha_0", "epochs_0.1"]
    table = pd.DataFrame(records, columns=columns)
    found = study.advantage(table, shb, 0.1, resamples=60, seed=2)
    alpha_0 = np.array([0.1, 1.0, 10.0, 100.0])
    one, other = (study._decades(study._works(arrived[m]), alpha_0) for m in (shb, SGD))
    assert found.decades == one - other
    chosen = np.random.default_rng(2).integers(0, 9, (60, 9))
    gains = [
        float(study._decades(study._works(arrived[shb][rows]), alpha_0))
        - float(study._decades(study._works(arrived[SGD][rows]), alpha_0))
        for rows in chosen
    ]
    assert (found.low, found.high) == tuple(np.quantile(gains, (0.025, 0.975)))
    assert math.isnan(found.first)
    assert math.isnan(found.last)


def test_a_ball_off_its_centre_is_served_by_the_interior_point_method() -> None:
    f = RobustPhaseRetrieval(np.array([[1.0, 0.5], [-0.3, 2.0]]), np.array([1.0, -0.5]))
    X, y = Ball(0.5, np.array([1.0, -1.0])), np.array([0.2, 0.3])
    rho = f.known_least_rho().value
    at = moreau(f, X, y, envelope=0.5 / rho, tol=1e-14)
    assert X.contains(at.point, 1e-12)
    kappa = rho
    assert at.radius == pytest.approx(math.sqrt(2 * at.gap / kappa), rel=1e-9, abs=0)
    rng = np.random.default_rng(0)
    for z in X.project(at.point + 0.2 * rng.standard_normal((100, 2))):
        assert f.value(z) + rho * (z - y) @ (z - y) >= at.value - at.gap - 1e-13
    (same,) = envelope.moreau_many(f, X, [y], envelope=0.5 / rho, tol=1e-14)
    assert np.allclose(same.point, at.point, atol=1e-6)
