"""Constants of problems worked out by hand, and how each is known; the edges of small rules of the model."""

import dataclasses
import importlib
import math
import pkgutil
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

import shbcore.model
from shbcore.model.arguments import OneLine
from shbcore.model.composite import Loss, RidgeSum
from shbcore.model.gallery import ExponentialFit
from shbcore.model.own import estimated, from_functions
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.problems import Known
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.schedules import CosineStep, Schedule
from shbcore.model.sets import Ball, Box, Simplex
from shbcore.model.smooth import NoisyQuadratic

SQUARE = Loss("r^2/2", lambda r: r * r / 2, lambda r: r, (1.0, 1.0), lambda low, high: np.maximum(-low, high))


def test_constants_of_a_sum_of_ridges() -> None:
    """Samples 1/4 x_1 and 1/8 x_2 with residuals up to 1 and 1/2 on the disc of radius 2, each with weight 1/2."""
    f = RidgeSum(np.array([[0.5, 0.0], [0.0, 0.25]]), np.zeros(2), SQUARE)
    disc = Ball(2.0, np.zeros(2))
    assert f.known_L2(disc).value == pytest.approx((0.25 * 1 + 0.0625 * 0.25) / 2)
    assert f.known_G2(disc).value == pytest.approx(0.125 * (1 + 0.25) / 2)
    assert f.known_rho() == Known(0.0, "closed form", f.known_rho().note)
    assert f.known_smoothness().value == pytest.approx(0.125)


def test_constants_of_an_exponential_fit() -> None:
    r"""One sample :math:`c=x_1e^{-x_2}` on :math:`[0,2]\times[0,1]`: :math:`|c|\le2`, gradient :math:`\sqrt5`, Hessian :math:`1+\sqrt2`."""
    box = Box(np.zeros(2), np.array([2.0, 1.0]))
    f = ExponentialFit(np.array([1.0]), np.array([0.0]), box)
    assert f.known_L2(box).value == pytest.approx(20)
    assert f.known_rho().value == pytest.approx(2 * (1 + math.sqrt(2)))
    assert f.known_smoothness().value == pytest.approx(5 + 2 * (1 + math.sqrt(2)))
    small = Box(np.zeros(2), np.array([1.0, 1.0]))
    assert f.known_L2(small).value == pytest.approx(2)


def test_a_phase_with_no_noise_bends_upwards() -> None:
    f = RobustPhaseRetrieval(np.array([[1.0], [2.0]]), np.array([1.0, 0.0]))
    assert f.known_least_rho().value == 0
    assert f.known_rho().value == pytest.approx(5)
    assert f.known_rho().how == "certified bound"
    both = RobustPhaseRetrieval(np.array([[1.0], [2.0]]), np.array([1.0, 1.0]))
    assert both.known_rho().how == "closed form"
    assert both.known_least_rho().value == pytest.approx(5)


@pytest.mark.parametrize(
    ("X", "how"),
    [
        (Ball(1.0, np.zeros(2)), "closed form"),
        (Ball(1.0, np.ones(2)), "closed form"),
        (Simplex(2, 1.0), "certified bound"),
    ],
)
def test_a_supremum_is_least_where_it_is_attained_and_the_set_has_interior(X: Any, how: str) -> None:
    assert RobustPhaseRetrieval(np.array([[1.0, 2.0], [0.5, -1.0]]), np.ones(2)).known_L2(X).how == how


def test_the_least_eigenvalue_is_a_closed_form() -> None:
    f = NoisyQuadratic(np.diag([1.0, -3.0]), np.ones((1, 2)))
    assert (f.known_rho().value, f.known_rho().how) == (3.0, "closed form")
    assert NoisyQuadratic(np.eye(2), np.ones((1, 2))).known_rho().value == 0
    with pytest.raises(AttributeError):
        f.known_rho().value = 0.0  # type: ignore[misc]


def test_intervals_and_functions_on_the_line() -> None:
    assert Interval(1, 4).diameter == 3
    assert [Interval(*ends).diameter for ends in ((0, None), (None, 0), (None, None))] == [math.inf] * 3
    assert PiecewiseQuadratic.build((), [0]).minimum() == (0, 0)
    f = RationalProblem((PiecewiseQuadratic.build((), [1]), PiecewiseQuadratic.build((), [2])))
    assert f.subgradient(Q(1), 1) == 2
    for i in (2, 3, -1):
        with pytest.raises(ValueError, match=f"i = {i} must"):
            f.subgradient(Q(1), i)


def test_a_parser_refuses_an_option_that_lost_its_value_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    parser = OneLine("p")
    parser.add_argument("--number", type=int, default=0)
    parser.add_argument("--text", default="")
    parser.add_argument("--flag", action="store_true")
    assert vars(parser.parse_args([])) == {"number": 0, "text": "", "flag": False}
    with pytest.raises(SystemExit) as end:
        parser.parse_args(["--text", "--flag"])
    assert end.value.code == 2
    assert capsys.readouterr().err == "p: argument --text: expected one argument\n"


b, lam, gap, noise = Q(1, 3), Q(3), Q(5), Q(7)
FALLING, GROWING = (Q(1, 2), Q(1, 4), Q(1, 8)), (Q(1, 5), Q(9, 40), Q(1, 4))


def schedule(alphas: tuple[Q, ...]) -> Schedule:
    return Schedule(lambda k: alphas[k], b, len(alphas) - 2)


def test_the_bounds_for_schedules_typed_a_second_time() -> None:
    r"""Each from its display in ``shbcore/claims/beyond``: two steps, :math:`\beta=\frac13`, :math:`\lambda=5`."""
    (a_0, a_1, a_2), lam = FALLING, Q(5)
    given = {"envelope": lam, "gap": gap, "noise": noise}
    S_1 = a_1 + (1 - b) * a_2 / b
    S_0 = a_0 + (1 - b) * S_1
    falling = schedule(FALLING)
    assert falling.coming == (S_0, S_1, a_2 / b)
    assert falling.weights("any") == (b * S_0, b * S_1)
    assert falling.weights("monotone") == (a_0, a_1)
    cost = [b**2 * S**2 + 2 * b * (1 - b) * S**2 + b * (1 - b) ** 2 * S**3 / lam for S in (S_0, S_1)]
    assert falling.bound("any", **given) == 2 * gap + noise / lam * sum(cost)
    cost = [(2 - b) / b * a**2 + (1 - b) ** 2 * a**3 / (b**2 * lam) for a in (a_0, a_1)]
    assert falling.bound("monotone", **given) == 2 * gap / b + noise * sum(cost) / (b * lam)
    square = a_0**2 + a_1**2
    wanted = 2 * gap / b + 4 * a_0 * gap / (b**2 * lam) + (2 + b) * noise * square / (b * lam)
    assert falling.bound("falling", **given) == wanted
    (a_0, a_1, top) = GROWING
    cost = [4 * a**2 / (1 + b) ** 2 + 4 * (1 + b) * top * a for a in (a_0, a_1)]
    wanted = 2 * gap / b + 8 * top * gap / (b**2 * lam) + noise * sum(cost) / (b * lam)
    assert schedule(GROWING).bound("warm", **given) == wanted


@pytest.mark.parametrize(
    ("alphas", "kind", "envelope", "admitted"),
    [
        (FALLING, "any", lam, True),
        (GROWING, "any", lam, True),
        (FALLING, "monotone", lam, True),
        (FALLING, "monotone", lam / 100, True),
        (GROWING, "monotone", lam, False),
        (FALLING, "falling", Q(3, 4), True),
        (FALLING, "falling", Q(3, 4) * Q(9, 10), False),
        (GROWING, "falling", lam, False),
        (GROWING, "warm", lam, True),
        (GROWING, "warm", lam * Q(9, 10), False),
        ((Q(1, 10), Q(1, 9), Q(1, 7)), "warm", lam, False),
        (FALLING, "warm", Q(6), True),
    ],
)
def test_a_schedule_belongs_to_a_class_up_to_its_edge(alphas: Any, kind: Any, envelope: Q, admitted: bool) -> None:
    own = schedule(alphas)
    assert own.admits(kind, envelope=envelope) is admitted
    if not admitted:
        with pytest.raises(ValueError, match="kind = "):
            own.bound(kind, envelope=envelope, gap=gap, noise=noise)


def test_a_schedule_may_be_long() -> None:
    assert Schedule(lambda k: Q(1), b, 1000).S(0) == 3


def test_cosine_annealing() -> None:
    step = CosineStep(2.0, 1)
    assert [step(k) for k in range(5)] == pytest.approx([2.0, 1.5, 0.5, 0.5, 0.5])


def test_an_estimated_variance_is_that_of_the_samples() -> None:
    r""":math:`f'(x,\pm1)=x\pm1`: the variance is 1 everywhere."""
    f = from_functions(lambda x, i: float(x @ x) / 2, lambda x, i: x + (1 if i else -1), n=1, m=2)
    X = Ball(2.0, np.zeros(1))
    assert estimated(f, X, np.random.default_rng(0)).known_sigma2(X).value == pytest.approx(1)


def test_what_was_checked_cannot_be_changed_afterwards() -> None:
    modules = [
        importlib.import_module(f"shbcore.model.{one.name}") for one in pkgutil.iter_modules(shbcore.model.__path__)
    ]
    kinds = {
        one
        for module in modules
        for one in vars(module).values()
        if dataclasses.is_dataclass(one) and isinstance(one, type)
    }
    assert len(kinds) > 15
    assert [one for one in kinds if not one.__dataclass_params__.frozen] == []
    f = PiecewiseQuadratic.build((), [1])
    assert RationalProblem((f,)) != RationalProblem((f,)), "problems are told apart by identity"
