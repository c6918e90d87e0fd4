"""Monitors, trees, schedules and runs on the line and in a ball, each against a plain loop or by hand."""

import itertools
import math
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from refusal import message
from second_way import BOX, CURVED, KINKED, LAM, PAIR, gradient

from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.schedules import Schedule
from shbcore.model.sets import Ball, Box, WholeSpace
from shbcore.model.smooth import NoisyQuadratic
from shbcore.numerics import ball, envelope, expectation, rate, scheduled, slack, solver, survey
from shbcore.numerics import monitors as mon
from shbcore.numerics.envelope import moreau
from shbcore.numerics.solver import Past, State, pair, place, shb, vector_like
from shbcore.numerics.sweep import Setting

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


def test_the_next_point_of_a_setting_is_projected() -> None:
    state = State(0, Q(0), Q(0), Q(1), Q(1), 0)
    s = slack.nonsmooth(KINKED, BOX, PAIR)
    assert s.next(state) == Past(1, 0, Q(-1, 5))
    assert s.next(state._replace(z=Q(-99))) == Past(1, 0, BOX.hi)


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
