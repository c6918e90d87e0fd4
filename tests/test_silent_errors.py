"""No silent wrong answer: what once got a confident answer to a mistaken question is refused by name, or answered rightly."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from itertools import islice
from typing import Any

import gmpy2
import numpy as np
import pytest
import sympy as sp

from shbcore.model import checks, constants, gallery
from shbcore.model.composite import AbsoluteQuadratics, Loss, RidgeSum
from shbcore.model.gallery import ExponentialFit
from shbcore.model.own import Stream, estimated, from_functions
from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval, kinked_at
from shbcore.model.problems import FiniteSum, Known
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.schedules import CosineStep, Schedule, StepDecay, WarmUp
from shbcore.model.sets import Ball, Box, HalfSpace, Simplex, WholeSpace
from shbcore.model.smooth import NoisyQuadratic
from shbcore.model.staircase import staircase
from shbcore.numerics import bundle, expectation, monitors, panels, phase_kernel, rate, scheduled, slack
from shbcore.numerics.envelope import Prox, moreau
from shbcore.numerics.monitors import inner
from shbcore.numerics.phase_kernel import Work
from shbcore.numerics.solver import Past, State, advance, respond, shb

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)
LINE = RationalProblem((ABS, PiecewiseQuadratic.build((), [0], slope=1)))
BOWL = RationalProblem((PiecewiseQuadratic.build((), [1]),))
X = Interval(-1, 1)
q = Parameters(Q(1, 4), Q(1, 2))
FOUR = slack.nonsmooth(LINE, X, q, envelope=Q(1, 2))
SMOOTH = slack.smooth(BOWL, X, q)
HERE = Past(1, Q(0), Q(1))
STATE = SMOOTH.draws(HERE)[0][1]
PHASE = RobustPhaseRetrieval(np.array([[1.0, 2.0], [0.5, -1.0]]), np.ones(2))
rng = np.random.default_rng(0)


@dataclass(frozen=True)
class Unfair:
    """A problem whose weights do not sum to one."""

    weights: tuple[float, ...] = (0.1, 0.1)
    n: int = 2

    def value(self, x: Any) -> float:
        return 0.0

    def subgradient(self, x: Any, i: int) -> Any:
        return np.zeros(2)

    def subgradients(self, x: Any) -> Any:
        return np.zeros((2, 2))

    def mean_subgradient(self, x: Any) -> Any:
        return np.zeros(2)


class WrongGradient(NoisyQuadratic):
    def _subgradients(self, x: Any) -> Any:
        return 2 * super()._subgradients(x)


class WrongSubgradient(AbsoluteQuadratics):
    def _subgradients(self, x: Any) -> Any:
        return -super()._subgradients(x)


def kinked(kind: type[AbsoluteQuadratics] = AbsoluteQuadratics, modulus: float | None = None) -> AbsoluteQuadratics:
    """|x^2 - 1| in one dimension, whose rho is 2."""
    known = None if modulus is None else Known(modulus, "declared")
    return kind(2 * np.ones((1, 1, 1)), np.zeros((1, 1)), -np.ones(1), modulus=known)


def _shifts(x: Any, i: int) -> Any:
    x -= 1.0
    return x


DECAY = ExponentialFit(np.array([1.0]), np.array([50.0]), Box(np.zeros(2), np.ones(2)), "absolute")
TENTH = Schedule(ConstantStep(Q(1, 10)), Q(1, 2), 3)


@dataclass(frozen=True)
class Drawing:
    """A problem that draws its samples itself, and answers with lists."""

    draw: Any
    weights: None = None
    n: int = 2

    def subgradient(self, x: Any, i: int) -> Any:
        return [1.0, 2.0]


RUN: Any = (WholeSpace(2), ConstantStep(0.1), 0.5, np.zeros(2), rng)


def work(order: list[int]) -> Work:
    return Work(np.ones((2, 1)), np.ones(2), np.ones(1), np.array(order), np.ones(len(order)))


REFUSED: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "start of a setting": (lambda: slack.nonsmooth(LINE, X, q, start="g_0"), ("start = 'g_0'", "beta_g0, g0")),  # type: ignore[arg-type]
    "start of a smooth setting": (lambda: slack.smooth(BOWL, X, q, start="g_0"), ("start = 'g_0'",)),  # type: ignore[arg-type]
    "start replaced": (lambda: replace(FOUR, start="g_0"), ("start = 'g_0'", "alg:iters:def")),  # type: ignore[arg-type]
    "start of draws": (lambda: expectation.draws(LINE, HERE, q, start="g_0"), ("start = 'g_0'",)),  # type: ignore[arg-type]
    "start of a response": (
        lambda: respond(HERE, Q(1), 0, alpha=Q(1), beta=Q(1), start="g_0"),  # type: ignore[arg-type]
        ("start = 'g_0'",),
    ),
    "start of a run, at the call": (
        lambda: shb(LINE, X, ConstantStep(Q(1)), Q(1), Q(0), rng, start="g_0"),  # type: ignore[arg-type]
        ("start = 'g_0'",),
    ),
    "beta of a run, at the call": (lambda: shb(LINE, X, ConstantStep(Q(1)), Q(2), Q(0), rng), ("beta", "(0, 1]")),
    "x0 of a run, at the call": (lambda: shb(LINE, X, ConstantStep(Q(1)), Q(1), Q(2), rng), ("x0", "lie in X")),
    "form of Lemma 3": (lambda: slack.lemma_3(FOUR, HERE, "repaired"), ("form = 'repaired'", "conditional")),  # type: ignore[arg-type]
    "form of Lemma 4": (lambda: slack.lemma_4(FOUR, HERE, "sharp"), ("form = 'sharp'", "repaired")),  # type: ignore[arg-type]
    "form of Lemma z": (lambda: slack.lemma_z_diff(SMOOTH, STATE, "repaired"), ("form = 'repaired'", "sharp")),  # type: ignore[arg-type]
    "form of Lemma W": (lambda: slack.lemma_W(SMOOTH, STATE, "repaired"), ("form = 'repaired'", "sharp")),  # type: ignore[arg-type]
    "form of Theorem 3": (
        lambda: slack.theorem_3(BOWL, Q(0), alpha_0=Q(1, 4), K=0, envelope=Q(1, 2), form="repaired"),  # type: ignore[arg-type]
        ("form = 'repaired'", "second printed"),
    ),
    "bounded of Theorem 1": (
        lambda: slack.theorem_1(LINE, X, Q(0), alpha_0=Q(1), K=0, envelope=Q(1), bounded="L"),  # type: ignore[arg-type]
        ("bounded = 'L'", "sigma2+G2"),
    ),
    "rho too small": (lambda: moreau(kinked(modulus=0.0), Box([-2.0], [2.0]), [0.1], envelope=2.0), ("problem", "rho")),
    "wrong subgradients": (
        lambda: moreau(kinked(WrongSubgradient), Box([-2.0], [2.0]), [0.1], envelope=0.25),
        ("problem", "subgradients", "(A1)"),
    ),
    "wrong gradients": (
        lambda: moreau(WrongGradient(np.eye(2), np.ones((1, 2))), WholeSpace(2), [3.0, 1.0], envelope=0.25),
        ("problem", "subgradients", "(A1)"),
    ),
    "a past outside X": (
        lambda: slack.lemma_3(FOUR, Past(1, Q(5), Q(0))),
        ("past.x_prev = Fraction(5, 1)", "lie in X"),
    ),
    "a past that moved before it began": (lambda: slack.lemma_3(FOUR, Past(0, Q(1), Q(0))), ("past.x_prev", "k = 0")),
    "a state outside X": (lambda: slack.lemma_W(SMOOTH, STATE._replace(x=Q(9))), ("state.x", "lie in X")),
    "a state with another z": (lambda: slack.lemma_W(SMOOTH, STATE._replace(z=Q(9))), ("state.z = Fraction(9, 1)",)),
    "a state with another g": (lambda: slack.lemma_W(SMOOTH, STATE._replace(g=Q(9))), ("state.g = Fraction(9, 1)",)),
    "weights of a run": (
        lambda: shb(Unfair(), WholeSpace(2), ConstantStep(0.1), 0.5, [0.0, 0.0], rng),
        ("weights", "sum to 1, not to 0.2"),
    ),
    "weights of a tree": (lambda: expectation.tree(Unfair(), WholeSpace(2), q, [0.0, 0.0], 1), ("weights", "sum to 1")),
    "half a level": (
        lambda: slack.total(FOUR, expectation.tree(LINE, X, q, Q(0), 1)[1][:1], slack.lemma_3),
        ("level", "sum to 1"),
    ),
    "a start outside X, projected": (
        lambda: rate.measure(LINE, X, Q(9), q, 3, envelope=Q(1), runs=2, rng=rng),
        ("x0 = Fraction(9, 1)", "lie in X"),
    ),
    "a point of another space, broadcast": (
        lambda: Ball(1.0, np.zeros(2)).project(np.ones(1)),
        ("x.shape = (1,)", "2"),
    ),
    "a number for a vector": (lambda: PHASE.value(np.ones(1)), ("x.shape = (1,)", "R^2")),
    "NaN to a problem": (lambda: PHASE.value(np.full(2, np.nan)), ("x = [nan nan]", "finite")),
    "complex data": (lambda: RobustPhaseRetrieval(np.ones((1, 2)) * 1j, [1.0]), ("A = ", "real numbers")),
    "text as data": (lambda: RobustPhaseRetrieval([["1", "2"]], [1.0]), ("A = ", "real numbers")),  # type: ignore[list-item]
    "hidden data": (
        lambda: RobustPhaseRetrieval(np.ma.masked_array([[1.0, 2.0]], [[True, False]]), [1.0]),
        ("A = ", "real numbers"),
    ),
    "samples beyond the data": (
        lambda: phase_kernel.run(work([0, 7]), np.ones(1), np.ones(1), np.ones(1)),
        ("work.order = [0 7]", "0..1"),
    ),
    "fewer momenta than stepsizes": (
        lambda: phase_kernel.run(work([0, 1]), np.ones(9), np.ones(1), np.ones(9)),
        ("beta.shape = (1,)", "(9)"),
    ),
    "c of Theorem 3 below 0": (
        lambda: constants.c_theorem_3(weak_convexity=1.0, envelope=1.0),
        ("envelope = 1.0", "3 rho/2"),
    ),
    "a momentum above 1 in a formula": (lambda: constants.xi(beta=2.0, nu=1.0), ("beta = 2.0", "[0, 1]")),
    "an overflow in a formula": (
        lambda: constants.gamma_bound(weak_convexity=1e200, alpha_0=1.0),
        ("weak_convexity = 1e+200", "range of floats"),
    ),
    "a negative weight of a slack": (lambda: slack.average([(-1, slack.Slack(0, 1))]), ("weight = -1", "at least 0")),
    "a negative error": (lambda: slack.Slack(0, 1, -2), ("error = -2", "at least 0")),
    "an exhausting tree": (lambda: expectation.tree(LINE, X, q, Q(0), 60), ("depth = 60", "histories")),
    "an inner product of a matrix": (lambda: inner(np.eye(2), np.eye(2)), ("v.shape = (2, 2)", "one axis")),
    "a word for a constant": (lambda: Known(1.0, "guessed"), ("how = 'guessed'", "declared")),  # type: ignore[arg-type]
    "an envelope outside the domain of rho": (
        lambda: moreau(DECAY, WholeSpace(2), np.ones(2), envelope=0.5 / DECAY.rho),
        ("X = WholeSpace(dimension=2)", "lie in the domain", "eq:composite"),
    ),
    "an asymmetric matrix": (
        lambda: AbsoluteQuadratics(np.array([[[0, 1e-8], [0, 0]]]), np.zeros((1, 2)), np.zeros(1)),
        ("H[0]", "be symmetric"),
    ),
    "a function that changes its point": (
        lambda: from_functions(_shifts, lambda x, i: x, n=1, m=1),
        ("value(0, 0)", "leave x as it is"),
    ),
    "a subgradient that changes its point": (
        lambda: Stream(_shifts, lambda rng: 0, 1).subgradient(np.ones(1), 0),
        ("subgradient(x, s)", "leave x as it is"),
    ),
    "variance out of floats": (
        lambda: NoisyQuadratic(np.eye(1), np.array([[1e200], [-1e200]])).known_sigma2(WholeSpace(1)),
        ("c = ", "below 1e308"),
    ),
    "a gradient out of floats": (
        lambda: NoisyQuadratic(1e150 * np.eye(1), np.zeros((1, 1))).known_G2(Ball(1e50, np.zeros(1))),
        ("X = ", "below 1e308"),
    ),
    "a diameter out of floats": (lambda: Box([-1e308], [1e308]).diameter, ("upper", "below 1e308")),
    "an extent out of floats": (
        lambda: Ball(1e200, np.zeros(1)).extent(np.full((1, 1), 1e200)),
        ("B = ", "range of floats"),
    ),
    "a vertex out of floats": (
        lambda: Box([-1e200], [1e200]).extent(np.full((1, 1), 1e200)),
        ("B = ", "range of floats"),
    ),
    "SymPy's NaN as a stepsize": (lambda: Parameters(sp.nan, Q(1)), ("alpha = nan", "real and finite")),
    "SymPy's NaN as a slack": (lambda: slack.Slack(sp.nan, 1), ("lhs = nan", "real and finite")),
    "a truth value of SymPy": (lambda: Parameters(sp.true, Q(1)), ("alpha", "real number")),
    "a letter in a slack": (lambda: slack.Slack(sp.Symbol("a"), 1), ("lhs = a", "not a letter")),
    "a letter as a factor": (lambda: StepDecay(1.0, 1, sp.Symbol("q")), ("factor = q", "not a letter")),
    "a letter as a growth": (lambda: WarmUp(0.1, 1.0, sp.Symbol("q")), ("growth = q", "not a letter")),
    "a stepsize that has become 0": (lambda: StepDecay(1.0, 1, 0.5)(1100), ("k = 1100", "above 0")),
    "lambda of a bound": (lambda: TENTH.bound("any", envelope=-1, gap=1, noise=1), ("envelope = -1", "positive")),
    "lambda that is no number": (
        lambda: TENTH.bound("any", envelope=math.nan, gap=1, noise=1),
        ("envelope = nan", "finite"),
    ),
    "lambda that is true": (lambda: TENTH.bound("any", envelope=True, gap=1, noise=1), ("envelope = True",)),
    "lambda of a class": (lambda: TENTH.admits("any", envelope="x"), ("envelope = 'x'",)),
    "smooth theorems with kinks": (
        lambda: scheduled.slack(LINE, X, TENTH, Q(1), "falling", envelope=Q(1, 2), gap=1, noise=1),
        ("kind = 'falling'", "any or monotone"),
    ),
    "a word for a schedule": (
        lambda: scheduled.averaged(BOWL, X, "s", 0.5, "any", envelope=0.5, runs=2, rng=rng),  # type: ignore[arg-type]
        ("schedule = 's'", "Schedule"),
    ),
    "a mean of nothing": (lambda: expectation.mean([], lambda s: 1), ("outcomes = 0.0", "sum to 1")),
    "a mean with a negative weight": (lambda: expectation.mean([(-1, 3)], lambda s: s), ("weight = -1",)),
    "an average of nothing": (lambda: slack.average([]), ("weighted = 0.0", "sum to 1")),
    "an average of a part": (lambda: slack.average([(0.1, slack.Slack(0, 1))]), ("weighted = 0.1", "sum to 1")),
    "another set for the same constants": (lambda: replace(FOUR, X=Interval(-9, 9)), ("X = ", "nonsmooth or smooth")),
    "another problem for the same constants": (lambda: replace(FOUR, problem=BOWL), ("problem = ", "anew")),
    "an envelope of another set": (
        lambda: slack.Setting(LINE, Interval(-9, 9), q, Q(0), L2=Q(1), smoothed=FOUR.smoothed),
        ("X = ", "the envelope"),
    ),
    "k of a state, a word": (lambda: slack.lemma_W(SMOOTH, STATE._replace(k="0")), ("state.k = '0'", "integer")),
    "k of a state, negative": (lambda: slack.lemma_W(SMOOTH, STATE._replace(k=-3)), ("state.k = -3", ">= 0")),
    "k of a past, a word": (lambda: expectation.draws(LINE, Past("a", Q(0), Q(1)), q), ("past.k = 'a'",)),  # type: ignore[arg-type]
    "k of a response": (lambda: respond(Past(-1, Q(0), Q(0)), Q(1), 0, alpha=Q(1), beta=Q(1)), ("past.k = -1",)),
    "z of another space": (
        lambda: advance(WholeSpace(2), State(0, np.zeros(2), np.zeros(2), np.ones(1), np.ones(1), 0), alpha=2),
        ("state.z.shape = (1,)", "(2,)"),
    ),
    "x_prev of another space": (
        lambda: respond(Past(1, np.zeros(1), np.zeros(3)), np.ones(3), 0, alpha=1.0, beta=0.5),
        ("past.x_prev.shape = (1,)", "(3,)"),
    ),
    "NaN in a past": (
        lambda: respond(Past(1, np.full(3, np.nan), np.zeros(3)), np.ones(3), 0, alpha=1.0, beta=0.5),
        ("past.x_prev = [nan nan nan]", "finite"),
    ),
    "truth values as points": (lambda: monitors.d(Past(0, True, False), q), ("at.x_prev = True", "real number")),
    "NaN to a monitor": (lambda: monitors.x_bar(Past(0, math.nan, 1.0), q), ("at.x_prev = nan", "finite")),
    "a vector and a number": (lambda: monitors.x_bar(Past(0, np.zeros(2), 1.0), q), ("at.x_prev.shape = (2,)",)),
    "a prox of another space": (
        lambda: monitors.envelope_gradient(np.zeros((2, 1)), Prox(np.zeros(3), 0, 0, 0), envelope=1.0),
        ("y.shape = (2, 1)", "(3,)"),
    ),
    "a draw that is no function": (lambda: shb(Drawing("uniform"), *RUN), ("draw = 'uniform'", "function")),
    "a draw without a generator": (lambda: shb(Drawing(lambda: 0), *RUN), ("draw = ", "draw(rng)")),
    "lambda too large for floats": (
        lambda: RationalProblem((PiecewiseQuadratic.build((), [0], slope=1),)).moreau(
            Interval(0.0, 4.0), envelope=1e17
        ),
        ("envelope = 1e+17", "exact numbers"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_is_refused_by_name(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(ValueError) as refusal:
        call()
    assert all(word in str(refusal.value) for word in words), str(refusal.value)
    assert " must " in str(refusal.value)


def test_the_certificate_of_a_contradicted_problem_is_negative() -> None:
    f = kinked(modulus=0.0)
    box = Box(np.array([-2.0]), np.array([2.0]))
    _, _, gap = bundle.minimise(
        f.value, f.mean_subgradient, box, np.array([0.1]), envelope=2.0, weak_convexity=0.0, tol=1e-12
    )
    assert gap < -0.1
    at = moreau(kinked(), box, [0.1], envelope=0.25)  # the same function with its own rho
    assert 0 <= at.gap < 1e-9


def test_a_ball_does_not_contain_what_overflows() -> None:
    ball = Ball(1.0, np.zeros(2))
    for size in (1e155, 1e200, 1e307):
        assert not ball.contains(np.full(2, size))
        assert np.linalg.norm(ball.project(np.full(2, size))) == pytest.approx(1.0)
    assert Ball(1e200, np.zeros(2)).contains(np.full(2, 1e199))
    assert not ball.contains(np.array([np.nan, 0.0]))


def test_the_support_of_a_half_space_is_infinite_off_its_normal_even_where_squares_overflow() -> None:
    half = HalfSpace(np.array([1.0, 2.0]), 0.5)
    for size in (1.0, 1e155, 1e200):
        assert half.support(size * np.array([1.0, 1.0])) == np.inf
        assert half.support(size * np.array([1.0, 2.0])) == pytest.approx(0.5 * size)


def test_a_simplex_is_reached_from_far_away() -> None:
    for x in (np.full(3, 1e200), np.array([1e17, 1e17 + 64, 0.0])):
        assert Simplex(3, 2.0).contains(Simplex(3, 2.0).project(x))


@pytest.mark.parametrize("envelope", [1e8, 1e16, 1e17, 1e18, 1e200])
def test_the_envelope_on_the_line_is_right_for_any_lambda(envelope: float) -> None:
    """f = |x| from 2: the prox is 0 and the envelope 4/(2 lambda); f = x on [0, 4] from 3: the prox is 0."""
    for f, at, y in ((ABS, REAL_LINE, 2.0), (PiecewiseQuadratic.build((), [0], slope=1), Interval(0.0, 4.0), 3.0)):
        for problem in (RationalProblem((f,)), RationalProblem((f,)).to(float)):
            found = moreau(problem, at, y, envelope=envelope)
            assert abs(found.point) <= max(found.radius, 1e-15)
            assert found.value == pytest.approx(y * y / 2 / envelope, rel=1e-6, abs=1e-15)
            assert found.gap > 0, "floats have rounding"
    assert moreau(RationalProblem((ABS,)), REAL_LINE, Q(2), envelope=Q(10**17)).gap == 0


def test_a_convex_loss_has_rho_zero_and_not_less() -> None:
    square = Loss("r^2/2", lambda r: r * r / 2, lambda r: r, (1.0, 1.0), lambda low, high: np.maximum(-low, high))
    assert RidgeSum(np.eye(2), np.zeros(2), square).rho == 0


def test_a_number_in_few_digits_is_computed_in_all_digits() -> None:
    assert ABS.value(np.float32(0.1)) == float(np.float32(0.1))
    third = constants.xi(beta=np.float32(0.1), nu=3)
    assert third == (1 - float(np.float32(0.1))) / 3
    assert Interval(np.int64(2**62), None).lo * 4 == 2**64
    half = np.float32(0.1)
    assert Parameters.theorem_1(half, 60) == Parameters.theorem_1(float(half), 60)
    for found in (Parameters(half, half).beta, Parameters.from_nu(half, half).beta, ConstantStep(half)(0)):
        assert type(found) is float


def test_checks_accept_what_is_right() -> None:
    """The neighbours of the refused calls."""
    assert slack.lemma_3(FOUR, HERE, "conditional").verdict == "holds"
    assert slack.lemma_W(SMOOTH, STATE, "sharp").verdict == "holds"
    assert math.isclose(checks.law((Q(1, 3), Q(2, 3)))[-1], 1)
    values, _ = phase_kernel.run(work([0, 1]), np.ones(1), np.ones(1), np.ones(1))
    assert np.isfinite(values).all()


def test_a_far_row_leaves_the_other_rows_of_a_projection_alone() -> None:
    ball, batch = Ball(1.0, np.zeros(2)), np.array([[2e300, 0.0], [2.0, 0.0], [0.0, 0.5]])
    assert ball.project(batch).tolist() == [[1, 0], [1, 0], [0, 0.5]]
    assert ball.distance(batch)[1:].tolist() == [1, 0]


def test_sets_of_extreme_size_are_measured_rightly() -> None:
    ball = Ball(1.0, np.zeros(2))
    assert ball.support(np.full(2, 1e200)) == pytest.approx(math.sqrt(2) * 1e200)
    assert Box(np.full(2, -1e200), np.full(2, 1e200)).diameter == pytest.approx(math.sqrt(8) * 1e200)
    assert ball.extent(1e-200 * np.eye(2)).value == pytest.approx(1e-200, rel=1e-9, abs=0)
    assert ball.extent(1e200 * np.eye(2)).value == pytest.approx(1e200)
    assert Ball(1e100, np.zeros(2)).extent(1e100 * np.eye(2)).value == pytest.approx(1e200)
    assert Ball(1e-100, np.zeros(2)).extent(np.eye(2), 1e-100 * np.ones(2)).value == pytest.approx(
        (1 + math.sqrt(2)) * 1e-100, rel=1e-9, abs=0
    )


def test_a_tiny_ball_does_not_contain_what_lies_outside_by_many_radii() -> None:
    tiny = Ball(1e-12, np.zeros(2))
    assert not tiny.contains(np.array([1e-10, 0.0]))
    assert tiny.contains(tiny.project(np.array([3.0, 4.0])))
    moved = Ball(1e-12, np.ones(2))
    assert moved.contains(moved.project(np.array([3.0, 4.0])))


@pytest.mark.parametrize("how", ["declared", "estimated"])
def test_what_follows_from_a_constant_is_as_certain_as_the_constant(how: Any) -> None:
    problem = from_functions(lambda x, i: abs(x[0]), lambda x, i: np.sign(x), n=1, m=1, L2=Known(0.5, how))
    ball = Ball(1.0, np.zeros(1))
    assert (problem.known_G2(ball).how, problem.known_sigma2(ball).how) == (how, how)
    assert not problem.known_G2(ball).certain
    certain = kinked()
    assert FiniteSum.known_G2(certain, ball).how == "certified bound"


def _late(x: Any, i: int) -> float:
    return float(100 * max(x[0] - 0.99, 0.0))


def test_an_estimated_constant_decides_nothing() -> None:
    box = Box([-1.0], [1.0])
    guess = from_functions(_late, lambda x, i: np.array([100.0 * (x[0] > 0.99)]), n=1, m=1)
    guess = estimated(guess, box, np.random.default_rng(1), points=5)
    setting = slack.nonsmooth(guess, box, Parameters(0.001, 0.5))
    past = Past(1, np.array([0.9999]), np.array([1.0]))
    one = slack.lemma_3(setting, past)
    assert (setting.estimated, one.estimated, one.verdict) == (True, True, "undecided")
    assert slack.average([(1.0, one)]).verdict == "undecided"
    told = from_functions(guess.sample_value, guess.sample_subgradient, n=1, m=1, rho=0.0, L2=1e4)
    assert slack.lemma_3(slack.nonsmooth(told, box, Parameters(0.001, 0.5)), past).verdict == "holds"


def test_constants_of_a_problem_cannot_be_changed() -> None:
    problem = from_functions(lambda x, i: -(x[0] ** 2) / 2, lambda x, i: -x, n=1, m=1, rho=1.0)
    with pytest.raises(TypeError):
        problem.told["rho"] = Known(0.0, "closed form")  # type: ignore[index]
    given = {"rho": Known(1.0, "declared")}
    kept = replace(problem, told=given)
    given["rho"] = Known(0.0, "closed form")
    assert kept.rho == 1


def test_rounding_decides_nothing_about_a_schedule() -> None:
    problem = RationalProblem((ABS,))

    def one(number: Any) -> slack.Slack:
        schedule = Schedule(ConstantStep(number(Q(1, 97))), number(Q(1, 10)), 0)
        more: Any = {"envelope": number(Q(1, 3)), "gap": number(Q(1, 194)), "noise": number(0)}
        return scheduled.slack(problem, X, schedule, number(Q(1, 2)), "any", **more)

    assert (one(Q).verdict, one(Q).slack, one(Q).error) == ("holds", 0, 0)
    assert one(float).verdict == "undecided"


def test_few_digits_do_not_leak() -> None:
    setting, few = slack.nonsmooth(RationalProblem((ABS,)), X, Parameters(0.25, 0.5)), np.float32(0.1)
    assert slack.lemma_3(setting, Past(1, few, few)) == slack.lemma_3(setting, Past(1, float(few), float(few)))
    problem = NoisyQuadratic(np.eye(1), np.zeros((1, 1)))
    runs = [
        [state.x[0] for state in islice(shb(problem, WholeSpace(1), ConstantStep(0.5), b, np.ones(1), rng), 9)]
        for b in (few, float(few))
    ]
    assert runs[0] == runs[1]
    assert type(shb(LINE, X, ConstantStep(0.5), 0.5, few, rng).__next__().x) is float


def test_integers_of_few_bytes_do_not_overflow() -> None:
    assert constants.gamma_1_bound(weak_convexity=np.array([3 * 10**9]), alpha_0=1)[0] == pytest.approx(1.8e19)
    byte = np.uint8(255)
    assert len(Schedule(ConstantStep(Q(1, 10)), Q(1, 2), byte).alphas) == 257  # type: ignore[arg-type]
    assert CosineStep(0.1, byte)(200) == CosineStep(0.1, 255)(200)  # type: ignore[arg-type]
    found = [
        rate.measure(LINE, X, 0.5, Parameters(0.1, 0.5), K, envelope=0.5, runs=2, rng=np.random.default_rng(0))
        for K in (byte, 255)  # type: ignore[list-item]
    ]
    assert found[0] == found[1]
    assert len(staircase(q, byte, weak_convexity=Q(0)).iterates) == 256  # type: ignore[arg-type]
    assert gallery.graph_synchronisation(np.uint8(30), 0.0, rng).problem.m == 435  # type: ignore[arg-type]
    assert panels.own_panel([0.1], m=np.int16(300), epochs=np.int16(400)).setting.K == 120_000
    step = advance(WholeSpace(1), State(0, np.zeros(1), np.zeros(1), np.array([100], np.int8), np.ones(1), 0), alpha=2)
    assert step.x.tolist() == [-200]


def test_integers_are_exact() -> None:
    assert Parameters(3, 1).nu == Q(1, 3)
    assert type(Parameters(3, 1).nu) is Q
    assert Parameters.theorem_1(1, 8).alpha == Q(1, 3)
    runs = [
        [state.x for state in islice(shb(BOWL, Interval(), ConstantStep(n(3)), n(1), n(2**53 + 1), rng), 2)]
        for n in (int, Q)
    ]
    assert runs[0] == runs[1]
    assert type(monitors.x_bar(Past(1, 3, 4), Parameters(3, 1))) is Q
    assert type(moreau(BOWL, Interval(), 3, envelope=1).value) is Q
    exact = slack.theorem_1(LINE, X, 1, alpha_0=1, K=3, envelope=1)
    assert exact == slack.theorem_1(LINE, X, Q(1), alpha_0=Q(1), K=3, envelope=Q(1))
    assert type(exact.slack) is Q
    array = Past(1, np.array([3.0]), np.array([4.0]))
    assert monitors.x_bar(array, Parameters.theorem_1(1, 8)).dtype == np.float64


@pytest.mark.parametrize("number", [lambda v: gmpy2.mpfr(str(v)), lambda v: sp.Float(str(v)), np.longdouble])
def test_rounded_numbers_are_floats_and_not_exact(number: Any) -> None:
    line = RationalProblem((PiecewiseQuadratic.build((), [0], slope=1),))

    def one(number: Any) -> slack.Slack:
        parameters = Parameters(number(0.01), number(0.1))
        setting = slack.nonsmooth(line, Interval(-100, 100), parameters)
        return slack.lemma_3(setting, Past(5, number(0.51), number(0.5)))

    assert one(number).verdict == "undecided"
    assert type(one(number).slack) is float


def test_a_rule_is_asked_for_every_stepsize_once() -> None:
    asked: list[int] = []

    def step(k: int) -> float:
        asked.append(k)
        return 0.1 * (len(asked))

    run = shb(NoisyQuadratic(np.eye(1), np.zeros((1, 1))), WholeSpace(1), step, 1.0, np.ones(1), rng)
    assert [state.x[0] for state in islice(run, 3)] == pytest.approx([1, 0.9, 0.72])
    assert asked == [0, 1]


def test_a_warm_up_ends_at_its_top_however_long_it_is() -> None:
    rule = WarmUp(0.01, 1.0, 0.1)
    assert [rule(k) for k in (7447, 8000, 10**9)] == [1.0, 1.0, 1.0]
    assert rule(10) == 0.01 * 1.1**10
    assert WarmUp(Q(1, 100), Q(1), Q(1, 10))(10**9) == 1


def test_an_oracle_may_answer_with_a_list() -> None:
    (state,) = islice(shb(Drawing(lambda rng: 0), *RUN), 1)
    assert state.g.tolist() == [1, 2]
    assert state.z.tolist() == [0.5, 1]


@pytest.mark.parametrize("problem", [kinked(), NoisyQuadratic(np.eye(1), np.zeros((1, 1))), kinked_at([[1.0]], [1.0])])
def test_a_search_that_overflows_names_the_point_that_was_asked_for(problem: Any) -> None:
    with pytest.raises(ValueError, match=r"y = \[1\.e\+200\] must keep"):
        moreau(problem, WholeSpace(1), [1e200], envelope=0.25)
