"""The checks and formulas of the model at their edges: what is the last value accepted, the first refused, and what a message says."""

import math
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import sympy as sp

from shbcore.model import checks, constants, gallery, own
from shbcore.model.composite import AbsoluteQuadratics, Loss, RidgeSum
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters, exactly, root
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval, sums
from shbcore.model.problems import Constants, FiniteSum, Known, derived, known, squared
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem, combine, exact
from shbcore.model.schedules import CosineStep, Schedule, StepDecay, WarmUp
from shbcore.model.sets import Ball, Box, ConvexSet, HalfSpace, Simplex, WholeSpace, norm
from shbcore.model.smooth import (
    GEMAN_MCCLURE,
    LOG,
    NoisyQuadratic,
    indefinite_quadratic,
    rare_large_gradients,
    rising_then_falling,
    robust_regression,
)
from shbcore.model.staircase import staircase

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


def message(call: Any) -> str:
    with pytest.raises(ValueError) as refusal:
        call()
    return str(refusal.value)


# --- numbers


@pytest.mark.parametrize("value", [1e300, -1e300, 10**300, -(10**300), Q(10**300)])
def test_numbers_up_to_1e300_are_computed_with(value: Any) -> None:
    assert checks.LARGEST == 1e300
    assert checks.number("x", value, "a test") == value


@pytest.mark.parametrize("value", [1.1e300, -1.1e300, 10**300 * 2, -(10**300) * 2])
def test_numbers_beyond_1e300_are_refused(value: Any) -> None:
    assert "must be at most 1e+300 in size (a test)" in message(lambda: checks.number("x", value, "a test"))


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_not_finite_is_refused_as_such(value: float) -> None:
    assert message(lambda: checks.number("x", value, "a test")) == f"x = {value} must be finite (a test)"


@pytest.mark.parametrize(
    "value", [sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan, sp.Symbol("z", extended_real=False), 1 + 2 * sp.I]
)
def test_expressions_that_are_no_finite_real_numbers_are_refused(value: Any) -> None:
    assert "must be real and finite (a test)" in message(lambda: checks.number("x", value, "a test"))


@pytest.mark.parametrize("value", [sp.pi, sp.sqrt(2), sp.Symbol("t"), sp.Symbol("t", real=True), sp.Rational(1, 3)])
def test_expressions_that_may_be_real_numbers_are_accepted(value: Any) -> None:
    assert checks.number("x", value, "a test") is value


@pytest.mark.parametrize("value", [True, np.True_, sp.true, "1", None, [1.0], 1j, np.ones(1)])
def test_what_is_no_single_real_number_is_refused(value: Any) -> None:
    assert "must be a single real number (a test)" in message(lambda: checks.number("x", value, "a test"))


@pytest.mark.parametrize(
    "value", [np.int8(3), np.uint8(3), np.float16(3), np.float32(3), np.float64(3), np.longdouble(3)]
)
def test_numbers_of_numpy_become_those_of_python(value: Any) -> None:
    found = checks.number("x", value, "a test")
    assert found == 3
    assert type(found) is (int if value.dtype.kind in "iu" else float)


def test_a_letter_is_a_number_but_has_no_value() -> None:
    t = sp.Symbol("t", positive=True)
    assert checks.positive("x", t, "a test") is t
    assert message(lambda: checks.settled("x", t, "a test")) == "x = t must be a number, not a letter (a test)"
    assert message(lambda: checks.real("x", t, "a test")) == "x = t must be a number in the range of floats (a test)"
    assert "must be finite" in message(lambda: checks.real("x", sp.exp(1000), "a test"))
    assert checks.settled("x", sp.pi, "a test") is sp.pi
    assert checks.real("x", Q(1, 2), "a test") == 0.5


def test_signs_and_shares_at_their_ends() -> None:
    assert (checks.nonnegative("x", 0, ""), checks.positive("x", 5e-324, ""), checks.beta(1)) == (0, 5e-324, 1)
    assert [checks.probability("x", v, "") for v in (0, 1)] == [0, 1]
    for call, value, words in (
        (checks.positive, 0, "be positive"),
        (checks.positive, -0.5, "be positive"),
        (checks.nonnegative, -5e-324, "be at least 0"),
        (checks.probability, 1.0000001, "lie in [0, 1]"),
        (checks.probability, -0.5, "be at least 0"),
    ):
        assert message(lambda c=call, v=value: c("x", v, "w")) == f"x = {value} must {words} (w)"
    for value in (0, -0.5, Q(11, 10), 1.0000001):
        assert "must lie in (0, 1]" in message(lambda v=value: checks.beta(v))


def test_integers_at_their_ends() -> None:
    assert [checks.count("k", v, "w") for v in (1, 7)] == [1, 7]
    assert [checks.count("k", v, "w", least=-1, most=2) for v in (-1, 0, 2)] == [-1, 0, 2]
    assert message(lambda: checks.count("k", 0, "w")) == "k = 0 must be an integer >= 1 (w)"
    assert message(lambda: checks.count("k", -2, "w", least=-1)) == "k = -2 must be an integer >= -1 (w)"
    assert message(lambda: checks.count("k", 3, "w", most=2)) == "k = 3 must be an integer <= 2 (w)"
    assert message(lambda: checks.count("k", 1.0, "w")) == "k = 1.0 must be an integer (w)"
    assert message(lambda: checks.count("k", True, "w")) == "k = True must be an integer >= 1 (w)"


def test_data_of_at_most_a_billion_entries_fit() -> None:
    checks.room("w", m=10**9)
    checks.room("w", m=10**5, n=10**4)
    assert message(lambda: checks.room("w", m=10**9 + 1)) == (
        "m = 1000000001 must make at most 1000000000 entries of m (w)"
    )
    assert message(lambda: checks.room("w", m=2, n=10**9, k=1)) == (
        "n = 1000000000 must make at most 1000000000 entries of m times n times k (w)"
    )
    own_call = {"value": lambda x, i: 0.0, "subgradient": lambda x, i: np.zeros(1)}
    assert "n = 1000000001 must be an integer <= 1000000000" in message(
        lambda: own.from_functions(**own_call, n=10**9 + 1, m=1)
    )
    assert "m = 1000000001 must be an integer <= 1000000000" in message(
        lambda: own.from_functions(**own_call, n=1, m=10**9 + 1)
    )


def test_a_message_shows_a_value_in_one_line() -> None:
    def shown(value: object) -> str:
        return message(lambda: checks.fail("x", value, "be shown", "w"))[len("x = ") : -len(" must be shown (w)")]

    assert shown(np.full(8, 1 / 3)) == "[0.333333 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333]"
    assert shown(np.arange(9.0)) == "[0. 1. 2. ... 6. 7. 8.]"
    assert shown("a" * 198) == f"'{'a' * 198}'", "200 characters with the quotes"
    assert shown("a" * 199) == f"'{'a' * 196}..."

    class Dumb:
        def __repr__(self) -> str:
            raise RuntimeError

    assert shown(Dumb()) == "<Dumb>"


def test_words_objects_functions_and_sequences() -> None:
    assert checks.one_of("w", "a", ("a", "b"), "why") == "a"
    for value in ("c", "A", 1, ("a",)):
        assert message(lambda v=value: checks.one_of("w", v, ("a", "b"), "why")).endswith("must be one of a, b (why)")
    assert checks.instance((int, str), "v", "x", "why") == "x"
    assert message(lambda: checks.instance((int, str), "v", 1.0, "why")) == "v = 1.0 must be of type int or str (why)"
    assert message(lambda: checks.instance(int, "v", 1.0, "why")) == "v = 1.0 must be of type int (why)"
    assert checks.answers("v", "x", ("upper", "lower"), "why") == "x"
    assert message(lambda: checks.answers("v", "x", ("upper", "draw"), "why")).endswith("an object with draw (why)")
    assert message(lambda: checks.answers("v", str, ("upper",), "why")).endswith("an object with upper (why)")
    assert checks.function("f", len, "why") is len
    for value in (3, int):
        assert message(lambda v=value: checks.function("f", v, "why")).endswith("must be a function (why)")
    assert checks.sequence("s", [1, 2], "why", least=2) == (1, 2)
    assert checks.sequence("s", np.arange(2), "why") == (0, 1)
    assert checks.sequence("s", (), "why") == ()
    assert message(lambda: checks.sequence("s", [1], "why", least=2)) == "s = [1] must have at least 2 entries (why)"
    for value in ("ab", b"ab", {1: 2}, {1}, 3, iter([1]), np.array(1.0), np.ma.masked_array([1.0])):
        assert message(lambda v=value: checks.sequence("s", v, "why")).endswith("must be a list or a tuple (why)")


# --- arrays


@pytest.mark.parametrize("value", [["1"], [1j], [None], [[1.0], [1.0, 2.0]], np.ma.masked_array([1.0]), [True], "ab"])
def test_what_is_no_array_of_real_numbers_is_refused(value: Any) -> None:
    for call in (checks.array, lambda *more: checks.numeric(*more[:2], more[3])):
        assert "must be an array of real numbers (w)" in message(lambda c=call: c("v", value, (None,), "w"))


@pytest.mark.parametrize("value", [[1, 2], np.array([1, 2], np.uint8), [Q(1), 2.0], np.array([1, 2], np.float32)])
def test_real_numbers_of_every_kind_make_an_array_of_floats(value: Any) -> None:
    found = checks.array("v", value, (2,), "w")
    assert (found.dtype, found.tolist()) == (np.float64, [1.0, 2.0])
    assert not found.flags.writeable


def test_an_array_has_the_shape_asked_for() -> None:
    assert checks.array("v", np.ones((2, 3)), (None, 3), "w").shape == (2, 3)
    assert (
        message(lambda: checks.array("v", np.ones((2, 3)), (None, 2), "w")) == "v.shape = (2, 3) must be (any, 2) (w)"
    )
    assert message(lambda: checks.array("v", np.ones(2), (2, 1), "w")) == "v.shape = (2,) must be (2, 1) (w)"
    assert message(lambda: checks.array("v", [], (None,), "w")) == (
        "v.shape = (0,) must have no zero: the data are empty (w)"
    )
    for bad in (math.nan, math.inf, -math.inf):
        assert "must be finite (no NaN, no infinity) (w)" in message(lambda b=bad: checks.array("v", [0, b], (2,), "w"))


def test_points_stand_along_the_last_axis() -> None:
    batch = np.zeros((4, 3, 2))
    assert checks.points("x", batch, 2) is batch, "no copy"
    assert checks.points("x", [[1, 2]], 2).tolist() == [[1.0, 2.0]]
    assert message(lambda: checks.points("x", batch, 3)) == "x.shape = (4, 3, 2) must be (..., 3) (points lie in R^3)"
    assert message(lambda: checks.points("x", 1.0, 1)) == "x.shape = () must be (..., 1) (points lie in R^1)"
    lost = np.array([0.0, math.nan])
    assert "finite" in message(lambda: checks.points("x", lost, 2))
    assert checks.points("x", lost, 2, finite=False) is lost
    assert "real numbers" in message(lambda: checks.points("x", np.ma.masked_array(np.zeros(2)), 2))
    assert checks.points("x", np.zeros(2, np.float32), 2).dtype == np.float64


def test_weights_are_probabilities_up_to_rounding() -> None:
    assert checks.weights(None, 4).tolist() == [0.25] * 4
    assert checks.weights([0.0, 1.0 + 9e-10], 2)[0] == 0
    assert checks.weights([0.0, 1.0 - 9e-10], 2)[0] == 0
    assert "sum to 1, not to 1.000000002 (" in message(lambda: checks.weights([0.5, 0.500000002], 2))
    assert "sum to 1, not to 0.999999998 (" in message(lambda: checks.weights([0.5, 0.499999998], 2))
    assert "non-negative" in message(lambda: checks.weights([-1e-12, 1.0], 2))
    assert checks.law([Q(1, 4), Q(3, 4)]).tolist() == [0.25, 1.0]
    assert checks.law(np.array([0.25, 0.75])).tolist() == [0.25, 1.0]
    assert "must have at least 1 entries" in message(lambda: checks.law([]))
    assert "weights = 'half'" in message(lambda: checks.law(["half"]))


# --- the ranges of the paper


@pytest.mark.parametrize(
    ("result", "ratios", "outside"),
    [  # 1/(lambda rho)
        ("prox", (Q(1) + Q(1, 10**20), Q(9)), (Q(1), Q(1, 2))),
        ("lem:moreau:env", (Q(2), Q(9)), (Q(2) - Q(1, 10**20), Q(1))),
        ("lem:Vfunc:non-smooth", (Q(2), Q(9)), (Q(2) - Q(1, 10**20), Q(1))),
        ("thrm:non-smooth:complexity", (Q(2), Q(9)), (Q(2) - Q(1, 10**20), Q(1))),
        (
            "thrm:smooth:unconstrained:complexity",
            (Q(3, 2) + Q(1, 10**20), Q(2)),
            (Q(3, 2), Q(1), Q(2) + Q(1, 10**20), Q(9)),
        ),
    ],
)
def test_the_range_of_lambda_of_every_result(result: str, ratios: tuple[Q, ...], outside: tuple[Q, ...]) -> None:
    rho = Q(3)
    for ratio in ratios:
        assert checks.envelope_parameter(1 / (ratio * rho), weak_convexity=rho, result=result) == 1 / (ratio * rho)
    for ratio in outside:
        said = message(lambda r=ratio: checks.envelope_parameter(1 / (r * rho), weak_convexity=rho, result=result))
        assert f"must satisfy {checks.RANGES[result][0]} with rho = 3 ({result})" in said


def test_the_stepsize_of_the_smooth_results_at_its_end() -> None:
    assert checks.smooth_stepsize(Q(1, 12), weak_convexity=3) == Q(1, 12)
    assert checks.smooth_stepsize(Q(1, 6), weak_convexity=3, share=2) == Q(1, 6)
    assert "alpha = Fraction(1, 11) must lie in (0, 1/(4 rho)] with rho = 3" in message(
        lambda: checks.smooth_stepsize(Q(1, 11), weak_convexity=3)
    )
    assert "a = Fraction(1, 5) must lie in (0, 1/(2 rho)] with rho = 3" in message(
        lambda: checks.smooth_stepsize(Q(1, 5), weak_convexity=3, share=2, name="a")
    )


def test_rounding_counts_for_floats_alone() -> None:
    assert checks.at_most_one(1 + 5e-13)
    assert not checks.at_most_one(1 + 2e-12)
    assert checks.at_most_one(Q(1))
    assert not checks.at_most_one(1 + Q(1, 10**30))
    assert checks.at_most_one(sp.Symbol("t")), "a comparison that is open is accepted"


# --- formulas


ZERO_ALLOWED = {"beta", "weak_convexity", "L2", "sigma2", "d2", "gap", "excess", "factor"}


@pytest.mark.parametrize("letter", checks.FORMULA)
def test_the_sign_of_every_letter(letter: str) -> None:
    check = checks.FORMULA[letter]
    assert check(1) == 1
    assert f"{letter} = -1 must" in message(lambda: check(-1))
    if letter in ZERO_ALLOWED:
        assert check(0) == 0
    else:
        assert f"{letter} = 0 must be positive" in message(lambda: check(0))
    if letter == "beta":
        assert "must lie in [0, 1]" in message(lambda: check(2))
    else:
        assert check(2) == 2


def test_a_formula_over_a_grid_is_checked_at_both_of_its_ends() -> None:
    grid = np.array([[0.0, 0.5], [1.0, 0.25]])
    assert np.array_equal(constants.xi(beta=grid, nu=2), (1 - grid) / 2)
    assert "beta = -0.5 must" in message(lambda: constants.xi(beta=grid - 0.5, nu=2))
    assert "beta = 1.5 must" in message(lambda: constants.xi(beta=grid + 0.5, nu=2))
    assert "finite" in message(lambda: constants.xi(beta=np.array([0.5, math.nan]), nu=2))
    assert "beta.shape = (2, 2) must fit the other grids" in message(lambda: constants.xi(beta=grid, nu=np.ones(3)))
    assert "single real number" in message(lambda: constants.xi(beta=np.array(0.5), nu=2)), "an array of no axis"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"weak_convexity": 2.0, "alpha_0": 1e200}, "alpha_0 = 1e+200 must keep gamma_bound in the range of floats"),
        ({"weak_convexity": 1e200, "alpha_0": 0.5}, "weak_convexity = 1e+200 must keep gamma_bound"),
        ({"weak_convexity": 1e200, "alpha_0": 1e-20}, "weak_convexity = 1e+200 must keep gamma_bound"),
    ],
)
def test_an_overflow_names_the_most_extreme_letter(given: dict[str, float], words: str) -> None:
    assert words in message(lambda: constants.gamma_bound(**given))


def test_a_formula_leaves_letters_of_sympy_alone() -> None:
    t, beta = sp.Symbol("t"), sp.Symbol("beta")
    assert constants.xi(beta=beta, nu=t) == (1 - beta) / t
    assert "nu = -1 must be positive" in message(lambda: constants.xi(beta=beta, nu=sp.Integer(-1)))


# --- parameters and schedules


def test_the_root_of_K_plus_1() -> None:
    assert [root(K) for K in (0, 3, 8)] == [1, 2, 3]
    assert [root(K) for K in (1, 2)] == [math.sqrt(2), math.sqrt(3)]
    assert type(root(10**20 - 1)) is int
    assert root(10**300) == math.sqrt(10**300 + 1)
    assert "K = -1 must be an integer >= 0" in message(lambda: root(-1))
    assert "must be an integer <= 1000" in message(lambda: root(10**300 + 1))
    assert type(exactly(3)) is Q
    assert exactly(0.5) == 0.5


def test_rules_of_the_stepsize_begin_at_0() -> None:
    for rule in (
        ConstantStep(0.5),
        DecayingStep(0.5),
        CosineStep(0.5, 3),
        StepDecay(0.5, 2, 0.5),
        WarmUp(0.5, 1.0, 0.5),
    ):
        assert rule(0) == 0.5
        assert "k = -1 must be an integer >= 0" in message(lambda r=rule: r(-1))
    assert DecayingStep(0.5)(10**300) > 0
    assert "must be an integer <=" in message(lambda: DecayingStep(0.5)(10**300 + 1))


def test_a_step_decay_falls_every_so_many_steps() -> None:
    rule = StepDecay(Q(1), 3, Q(1, 2))
    assert [rule(k) for k in range(8)] == [1, 1, 1, Q(1, 2), Q(1, 2), Q(1, 2), Q(1, 4), Q(1, 4)]
    assert StepDecay(Q(1), 1, 1)(9) == 1
    for factor in (0, Q(-1, 2), -1, Q(3, 2)):
        assert "must lie in (0, 1]" in message(lambda f=factor: StepDecay(Q(1), 1, f))
    assert "every = 0 must be an integer >= 1" in message(lambda: StepDecay(Q(1), 0, 1))


def test_a_warm_up_grows_to_its_top_and_stays() -> None:
    rule = WarmUp(Q(1), Q(5), Q(1))
    assert [rule(k) for k in range(6)] == [1, 2, 4, 5, 5, 5]
    assert [rule(k) for k in (10, 10**12)] == [5, 5]
    assert WarmUp(Q(2), Q(2), Q(1))(3) == 2, "a top that is reached at once"
    assert "top = Fraction(1, 1) must be at least first = 2" in message(lambda: WarmUp(Q(2), Q(1), Q(1)))
    assert "growth = 0 must be positive" in message(lambda: WarmUp(Q(1), Q(2), 0))
    assert "first = 0 must be positive" in message(lambda: WarmUp(0, Q(2), 1))


def test_a_cosine_ends_above_0() -> None:
    rule = CosineStep(1.0, 2)
    wanted = [math.cos(math.pi * min(k, 3) / 8) ** 2 for k in range(6)]
    assert [rule(k) for k in range(6)] == pytest.approx(wanted)
    assert CosineStep(1.0, 0)(1) == pytest.approx(0.5)
    assert "K = -1 must be an integer >= 0" in message(lambda: CosineStep(1.0, -1))


def test_a_schedule_is_constant_after_its_end() -> None:
    schedule = Schedule(lambda k: Q(1, k + 1), Q(1, 2), 2)
    assert schedule.alphas == (1, Q(1, 2), Q(1, 3), Q(1, 4))
    assert [schedule.alpha(k) for k in (-1, 0, 3, 4, 99)] == [1, 1, Q(1, 4), Q(1, 4), Q(1, 4)]
    assert schedule.S(3) == schedule.S(99) == Q(1, 2)
    assert schedule.S(-1) == schedule.S(0)
    assert "k = -2 must be an integer >= -1" in message(lambda: schedule.alpha(-2))
    assert Schedule(ConstantStep(1), 1, 0).alphas == (1, 1)
    assert "K = 10000001 must be an integer <= 10000000" in message(lambda: Schedule(ConstantStep(1), 1, 10**7 + 1))
    assert Schedule(ConstantStep(1), 1, 10**7).K == 10**7


def _schedule(*alphas: Any) -> Schedule:
    return Schedule(lambda k: Q(alphas[k]), Q(1, 2), len(alphas) - 2)


@pytest.mark.parametrize(
    ("alphas", "falls", "concave", "slow"),
    [
        ((4, 4, 4), True, True, True),
        ((4, 2, 1), True, True, True),  # the ratio is constant: log-concave at its edge
        ((4, 2, Q(11, 10)), True, False, True),
        ((4, 2, Q(9, 10)), True, True, True),
        ((1, 2, 4), False, False, False),
        ((4, 5, Q(25, 4)), False, False, True),  # growth by 1 + beta/2 exactly
        ((4, 5, Q(26, 4)), False, False, False),
        ((4, 4, 5), False, False, True),
        ((8, 4, 2, 2), True, False, True),  # the last ratio counts
        ((2, 2, 1, 1), True, False, True),
    ],
)
def test_classes_of_schedules_at_their_edges(alphas: Any, falls: bool, concave: bool, slow: bool) -> None:
    schedule = _schedule(*alphas)
    assert (schedule.falls(), schedule.log_concave(), schedule.grows_slowly()) == (falls, concave, slow)


# --- the line


def test_floats_may_disagree_at_a_break_by_rounding_of_their_size() -> None:
    """Pieces 10^6 and 10^6 + e meet at 0: 1e-9 of the size 1 + 10^6 + e is allowed."""

    def pieces(size: float, gap: float) -> PiecewiseQuadratic:
        return PiecewiseQuadratic((0.0,), ((0.0, 0.0, size), (0.0, 0.0, size + gap)))

    for size in (1e6, -1e6):
        assert pieces(size, 9e-4).value(-1.0) == size
        assert "must agree at the break 0.0" in message(lambda s=size: pieces(s, 1.1e-3))
    assert pieces(0.0, 9e-10).value(1.0) == 9e-10
    assert "agree at the break" in message(lambda: pieces(0.0, 1.1e-9))
    assert "agree at the break" in message(lambda: PiecewiseQuadratic((0,), ((0, 0, 0), (0, 0, Q(1, 10**30)))))


def test_slopes_may_fall_at_a_break_by_rounding_alone() -> None:
    def kink(left: Any, right: Any, **more: Any) -> PiecewiseQuadratic:
        return PiecewiseQuadratic((left * 0,), ((left * 0, left, left * 0), (left * 0, right, left * 0)), **more)

    assert kink(1e6, 1e6 - 9e-4).slopes(0.0) == (1e6, 1e6 - 9e-4)
    assert "the slope falls from 1000000.0 to" in message(lambda: kink(1e6, 1e6 - 1.1e-3))
    assert "weak convexity needs convex kinks" in message(lambda: kink(Q(1), Q(1) - Q(1, 10**30)))
    assert kink(Q(-1), Q(3)).subgradient(Q(0)) == 1, "the mean of the slopes"
    for g in (Q(-1), Q(3), Q(1, 2)):
        assert kink(Q(-1), Q(3), at_kinks=(g,)).subgradient(Q(0)) == g
    for g in (Q(-1) - Q(1, 10**30), Q(3) + Q(1, 10**30)):
        assert "must be in the subdifferential [-1, 3] at 0 ((A1))" in message(
            lambda g=g: kink(Q(-1), Q(3), at_kinks=(g,))
        )
    assert kink(-1e6, 3e6, at_kinks=(-1e6 - 9e-4,)).subgradient(0.0) == -1e6 - 9e-4
    assert kink(-1e6, 3e6, at_kinks=(3e6 + 2.9e-3,)).subgradient(0.0) == 3e6 + 2.9e-3
    for g in (-1e6 - 1.1e-3, 3e6 + 3.1e-3):
        assert "subdifferential" in message(lambda g=g: kink(-1e6, 3e6, at_kinks=(g,)))


def test_a_function_on_the_line_counts_its_pieces() -> None:
    assert "must be 2 for 1 breaks, not 1" in message(lambda: PiecewiseQuadratic((0,), ((0, 0, 0),)))
    assert "three coefficients" in message(lambda: PiecewiseQuadratic((), ((0, 0),)))
    assert "must be 2 for 1 breaks" in message(lambda: PiecewiseQuadratic.build([0], [0]))
    assert "must be one for each of the 1 breaks" in message(lambda: PiecewiseQuadratic.build([0], [0, 0], [1, 1]))
    assert "increase strictly" in message(lambda: PiecewiseQuadratic((0, 0), ((0, 0, 0),) * 3))
    assert "must be 2 numbers" in message(lambda: combine([1], [ABS, ABS]))
    assert "must have at least 1 entries" in message(lambda: combine([], []))


def test_a_function_on_the_line_is_built_from_curvatures_and_jumps() -> None:
    r"""Breaks 1 and 3, curvatures 2, -1, 4, jumps 5 and 6, slope -3 and value 7 at 1."""
    f = PiecewiseQuadratic.build([1, 3], [2, -1, 4], [5, 6], slope=-3, value=7)
    assert [f.value(x) for x in (Q(0), Q(1), Q(3), Q(4))] == [11, 7, 9, 17]
    assert (f.slopes(Q(1)), f.slopes(Q(3)), f.slopes(Q(2))) == ((-3, 2), (0, 6), (1, 1))
    assert f.weak_convexity == 1
    alone = PiecewiseQuadratic.build((), [2], slope=3, value=5)
    assert (alone.value(Q(2)), alone.slopes(Q(2))) == (15, (7, 7))
    assert alone.weak_convexity == 0
    assert PiecewiseQuadratic.build([1], [2, 4]).smooth, "no jumps: continuously differentiable"
    assert PiecewiseQuadratic.build([1], [2, -4]).smoothness == 4
    assert f.to(float).at_kinks == (-0.5, 3.0)


def test_a_part_of_the_line_has_the_breaks_inside_it() -> None:
    f = PiecewiseQuadratic.build([1, 3], [2, -1, 4], [5, 6])
    for X, breaks, first, last in (
        (Interval(), (1, 3), 0, 3),
        (Interval(1, 3), (), 1, 2),
        (Interval(0, 3), (1,), 0, 2),
        (Interval(1, None), (3,), 1, 3),
        (Interval(None, 3), (1,), 0, 2),
        (Interval(3, 3), (), 2, 3),
        (Interval(2, 4), (3,), 1, 3),
    ):
        assert f.restricted(X) == (breaks, f.pieces[first:last])


def test_least_values_on_the_line() -> None:
    down, up = (PiecewiseQuadratic.build((), [0], slope=s) for s in (-1, 1))
    hill = PiecewiseQuadratic.build((), [-2])
    assert up.minimum(Interval(2, None)) == (2, 2)
    assert down.minimum(Interval(None, 2)) == (-2, 2)
    assert hill.minimum(Interval(-1, 3)) == (-9, 3)
    for f, X in (
        (up, Interval(None, 2)),
        (down, Interval(2, None)),
        (hill, Interval(0, None)),
        (hill, Interval(None, 0)),
    ):
        assert "unbounded below on X" in message(lambda f=f, X=X: f.minimum(X))
    bowl = PiecewiseQuadratic.build((), [2], slope=-4, value=3)
    for X in (Interval(), Interval(1, None), Interval(None, 3), Interval(1, 3), Interval(2, 3)):
        assert bowl.minimum(X) == (-1, 2)
    assert bowl.minimum(Interval(None, 1)) == (0, 1)
    assert bowl.minimum(Interval(3, None)) == (0, 3)


def test_an_envelope_on_the_line_by_hand() -> None:
    r""":math:`|x|` on :math:`[-1,2]`, :math:`\lambda=1/2`: quadratic around 0 and beyond the ends, slope 1 between."""
    F = ABS.moreau(Interval(-1, 2), envelope=Q(1, 2))
    assert F.breaks == (Q(-3, 2), Q(-1, 2), Q(1, 2), Q(5, 2))
    assert [F.value(x) for x in (Q(-2), Q(-1), Q(1, 4), Q(1), Q(3))] == [2, Q(3, 4), Q(1, 16), Q(3, 4), 3]
    point = ABS.moreau(Interval(2, 2), envelope=Q(1, 2))
    assert (point.breaks, point.value(Q(5))) == ((), 11)
    assert ABS.prox(Q(5), Interval(-1, 2), envelope=Q(1, 2)) == 2
    bowl = PiecewiseQuadratic.build((), [3], slope=4, value=5)
    F = bowl.moreau(envelope=Q(1, 2))
    assert F.pieces == ((Q(6, 5), Q(8, 5), 5 - Q(8, 5)),)
    assert bowl.prox(Q(1), envelope=Q(1, 2)) == Q(-2, 5)
    hill = PiecewiseQuadratic.build((), [-2])
    assert "must satisfy 1/lambda > rho: 1/envelope must be above weak_convexity = 2" in message(
        lambda: hill.moreau(envelope=Q(1, 2))
    )
    assert hill.moreau(envelope=Q(1, 2) - Q(1, 100)).weak_convexity == 100


def test_intervals_at_their_ends() -> None:
    X = Interval(1, 2)
    assert [X.contains(x) for x in (Q(1), Q(2), Q(1) - Q(1, 10**30), Q(2) + Q(1, 10**30))] == [True, True, False, False]
    assert X.contains(Q(3), tol=1)
    assert not X.contains(Q(3), tol=Q(99, 100))
    assert "tol = -1 must be at least 0" in message(lambda: X.contains(Q(3), tol=-1))
    assert Interval(1, 1).diameter == 0
    assert (X.n, RationalProblem((ABS,)).n, RationalProblem((ABS,) * 3).m) == (1, 1, 3)
    assert "lo = 2 must be at most hi = 1" in message(lambda: Interval(2, 1)).replace("Fraction(2, 1)", "2")
    assert type(exact(3)) is Q
    assert "size = True must" in message(lambda: exact(True, "size"))


def test_constants_on_the_line_by_hand() -> None:
    r"""Samples :math:`|x|` and :math:`2x` with weights 1/4 and 3/4: slopes (-1, 2) on the left and (1, 2) on the right."""
    f = RationalProblem((ABS, PiecewiseQuadratic.build((), [0], slope=2)), (Q(1, 4), Q(3, 4)))
    assert f.L2(Interval()) == Q(1, 4) + 3
    assert f.sigma2(Interval()) == Q(13, 4) - Q(25, 16)
    assert f.sigma2(Interval(0, 1)) == Q(13, 4) - Q(49, 16) + (Q(3) - Q(9, 4) - Q(13, 4) + Q(49, 16))
    assert f.sigma2(Interval(1, 2)) == Q(13, 4) - Q(49, 16)
    assert f.G2(Interval()) == Q(49, 16)
    assert f.G2(Interval(-1, 0)) == Q(9, 4), "at the end the chosen subgradient 0 counts, not the slope beyond"
    assert f.known_smoothness().value == math.inf
    assert f.f_star(Interval(-1, 5)) == Q(1, 4) - Q(3, 2)
    bowls = RationalProblem((PiecewiseQuadratic.build((), [1]), PiecewiseQuadratic.build((), [3])))
    assert (bowls.rho, bowls.smoothness) == (0, 2)
    assert bowls.L2(Interval(-1, 2)) == 20
    assert bowls.sigma2(Interval(-1, 2)) == 4
    assert bowls.G2(Interval(-1, 2)) == 16
    for ends in ((None, 0), (0, None), (None, None)):
        for name in ("L2", "sigma2", "G2"):
            assert getattr(bowls, f"known_{name}")(Interval(*ends)).value == math.inf
    same = RationalProblem(tuple(PiecewiseQuadratic.build((), [1], slope=s) for s in (-1, 1)))
    assert same.sigma2(Interval()) == 1, "equal curvatures: the variance is constant"
    alone = RationalProblem((PiecewiseQuadratic.build((), [1]),))
    assert (alone.sigma2(Interval()), alone.known_L2(Interval()).value) == (0, math.inf), "one sample has no variance"
    turned = RationalProblem(tuple(PiecewiseQuadratic.build((), [a], slope=1) for a in (1, -1)))
    assert turned.G2(Interval()) == 1, "opposite curvatures: the mean is linear"


def test_weights_on_the_line_are_positive_and_sum_to_one() -> None:
    for weights in ((Q(1, 2), Q(1, 2), Q(0)), (Q(1, 2), Q(1, 2)), (Q(1, 2), Q(1, 4), Q(1, 5)), (1.0, 1.0, -1.0)):
        assert "must be 3 positive numbers of sum 1" in message(lambda w=weights: RationalProblem((ABS,) * 3, w))
    assert RationalProblem((ABS,) * 2, (0.5, 0.5 + 5e-10)).m == 2
    assert "sum 1" in message(lambda: RationalProblem((ABS,) * 2, (0.5, 0.5 + 2e-9)))
    assert RationalProblem((ABS,) * 3).weights == (Q(1, 3),) * 3


def test_a_staircase_by_hand() -> None:
    r"""Without momentum every step has the length :math:`\alpha L`; the slope falls by :math:`\rho\alpha L` between two kinks."""
    q = Parameters(Q(1, 2), Q(1))
    stairs, iterates = staircase(q, 3, weak_convexity=Q(1, 3), L=Q(2))
    assert iterates == (0, -1, -2, -3)
    (f,) = stairs.samples
    assert f.breaks == (-3, -2, -1, 0)
    assert [f.slopes(x) for x in f.breaks] == [(-2, 2), (Q(5, 3), 2), (Q(5, 3), 2), (Q(5, 3), 2)]
    assert {f.subgradient(x) for x in f.breaks} == {2}
    assert stairs.rho == Q(1, 3)
    half = staircase(Parameters(Q(1), Q(1, 2)), 2, weak_convexity=0)
    assert half.iterates == (0, Q(-1, 2), Q(-5, 4))
    assert staircase(q, 0, weak_convexity=1).iterates == (0,)
    assert staircase(q, 1, weak_convexity=4, L=3).problem.rho == 4, "the slope may fall to -L"
    assert "leave slopes of size at most L" in message(lambda: staircase(q, 1, weak_convexity=Q(41, 10), L=3))
    assert "steps = 100001 must be an integer <= 100000" in message(lambda: staircase(q, 10**5 + 1, weak_convexity=1))
    assert "steps = -1 must be" in message(lambda: staircase(q, -1, weak_convexity=1))
    assert "L = 0 must be positive" in message(lambda: staircase(q, 1, weak_convexity=1, L=0))


# --- sets


def test_norms_where_squares_overflow() -> None:
    assert norm(np.array([3e200, 4e200])) == pytest.approx(5e200)
    assert norm(np.array([[3.0, 4.0], [3e200, -4e200]])).tolist() == [5.0, pytest.approx(5e200)]


def test_distance_and_membership_up_to_a_tolerance() -> None:
    X = Box(np.zeros(2), np.ones(2))
    assert X.distance(np.array([4.0, 5.0])) == 5
    assert X.contains(np.array([1.0 + 1.9e-9, 0.0]))
    assert not X.contains(np.array([1.0 + 2.1e-9, 0.0]))
    assert X.contains(np.array([4.0, 5.0]), tol=1.0)
    assert X.contains(np.array([3.0, 0.0]), tol=0.5)
    assert not X.contains(np.array([3.0, 0.0]), tol=0.49)
    assert not X.contains(np.array([[0.5, 0.5], [3.0, 0.0]]))
    assert not X.contains(np.array([np.inf, 0.0]))
    assert "tol = -1 must be at least 0" in message(lambda: X.contains(np.zeros(2), tol=-1))


@pytest.mark.parametrize("centre", [np.zeros(2), np.array([1.0, 0.0])])
def test_membership_in_a_tiny_ball(centre: Any) -> None:
    """Below a radius of 1e-6 the tolerance is a share of the radius, and 8 eps of the lengths."""
    e, tiny = np.array([0.0, 1.0]), Ball(1e-7, centre)
    assert tiny.contains(centre + 1e-7 * e)
    assert not tiny.contains(centre + 1e-7 * (1 + 1e-6) * e)
    assert tiny.contains(centre + 1e-7 * (1 + 0.4) * e, tol=0.5)
    assert not tiny.contains(centre + 1e-7 * (1 + 0.6) * e, tol=0.5)
    assert Ball(1e-6, centre).contains(centre + (1e-6 + 9e-10) * e), "as of every set"
    assert not tiny.contains(np.array([np.nan, 0.0]))
    assert not tiny.contains(np.array([centre, centre + e]))
    assert "tol = -1 must be at least 0" in message(lambda: tiny.contains(centre, tol=-1))
    far = Ball(1e-12, np.array([1e3, 0.0]))
    assert far.contains(far.centre + np.array([2e-13, 0.0]) * 7)
    assert not far.contains(far.centre + np.array([0.0, 1e-11]))


def test_a_ball_is_projected_on_along_the_ray() -> None:
    ball = Ball(2.0, np.array([1.0, 1.0]))
    assert ball.project(np.array([1.0, 3.0])).tolist() == [1.0, 3.0]
    assert ball.project(np.array([1.0, 9.0])).tolist() == [1.0, 3.0]
    assert ball.project(np.array([2.0, 2.0])).tolist() == [2.0, 2.0]
    far = np.array([[1e305, 1.0], [1.0, -1e305], [1.0, 2.0]])
    assert np.allclose(ball.project(far), [[3, 1], [1, -1], [1, 2]], rtol=1e-14)
    assert Ball(1e200, np.zeros(2)).project(np.array([1e307, 0.0])).tolist() == [1e200, 0]
    assert ball.diameter == 4


def test_extents_by_hand() -> None:
    """|Bx - d| on a ball, a box and a simplex, with and without a shift."""
    ball = Ball(2.0, np.array([1.0, 0.0]))
    assert ball.extent(np.zeros((1, 2))) == (0.0, True)
    for size in (1e-90, 1e90):
        assert Ball(size, np.zeros(2)).extent(np.zeros((4, 2)), -size) == (pytest.approx(2 * size, abs=0), True)
        assert Ball(size, np.zeros(2)).extent(np.zeros((1, 2))) == (0.0, True)
    words = message(lambda: Ball(1e-200, np.zeros(1)).extent(np.array([[1e-200]])))
    assert "must keep Bx - d in the range of floats" in words
    assert ball.extent(np.eye(2)).value == pytest.approx(3)
    assert ball.extent(np.eye(2), 0.0).exact
    assert ball.extent(np.eye(2), np.array([4.0, 0.0])).value == pytest.approx(5)
    assert ball.extent(np.array([[0.0, 3.0]]), 1.0).value == pytest.approx(7)
    for size in (1e80, 1e-80):
        assert ball.extent(size * np.eye(2)).value == pytest.approx(3 * size, rel=1e-9, abs=0)
        assert Ball(size, np.zeros(2)).extent(np.eye(2)).value == pytest.approx(size, rel=1e-9, abs=0)
        assert Ball(2 * size, np.zeros(2)).extent(np.diag([1.0, 3.0]) / size).value == pytest.approx(6)
        assert Ball(1.0, np.zeros(2)).extent(np.eye(2), np.array([size, 0.0])).value == pytest.approx(1 + size)
    for radius, entry in ((1e-310, 1e10), (1e10, 1e-310)):  # a quotient of these would overflow
        assert Ball(radius, np.zeros(1)).extent(np.full((1, 1), entry)).value == pytest.approx(1e-300, rel=1e-9, abs=0)
    box = Box(np.array([-1.0, 0.0]), np.array([1.0, 3.0]))
    assert box.extent(np.eye(2)) == (pytest.approx(math.sqrt(10)), True)
    assert box.extent(np.eye(2), np.array([2.0, 0.0])) == (pytest.approx(math.sqrt(18)), True)
    assert Simplex(3, 2.0).extent(np.diag([1.0, 2.0, 5.0]), 1.0) == (pytest.approx(math.sqrt(83)), True)
    assert WholeSpace(2).extent(np.zeros((3, 2)), 2.0) == (pytest.approx(math.sqrt(12)), True)
    assert WholeSpace(2).extent(np.zeros((2, 2)), np.array([3.0, 4.0])) == (5.0, True)
    assert "B.shape = (1, 3) must be (any, 2)" in message(lambda: ball.extent(np.ones((1, 3))))
    assert "d.shape = (2,) must be (1)" in message(lambda: ball.extent(np.ones((1, 2)), np.ones(2)))


def test_vertices_of_a_box_are_counted_up_to_4096() -> None:
    for n, exactly_known in ((12, True), (13, False)):
        X, B = Box(-np.ones(n), np.ones(n)), np.ones((1, n))
        found = X.extent(B, 1.0)
        assert found.exact is exactly_known
        assert found.value == pytest.approx(1 + n)
    wide = Box(-np.ones(13), 3 * np.ones(13))
    diagonal = np.zeros((13, 13))
    diagonal[:2, :2] = np.diag([1.0, 2.0])
    wanted = math.sqrt(5) + min(2 * 3, 2 * math.sqrt(13) * 2)
    assert wide.extent(diagonal).value == pytest.approx(wanted)
    assert wide.extent(np.eye(13)).value == pytest.approx(math.sqrt(13) + 2 * math.sqrt(13))


def test_which_sets_have_interior() -> None:
    assert Box(np.zeros(2), np.ones(2)).has_interior
    assert not Box(np.zeros(2), np.array([1.0, 0.0])).has_interior
    assert Box(np.zeros(2), np.zeros(2)).diameter == 0
    assert Ball(1.0, np.zeros(2)).has_interior
    assert WholeSpace(2).has_interior
    assert not Simplex(2).has_interior
    assert (Simplex(1, 3.0).diameter, Simplex(2, 3.0).diameter) == (0, pytest.approx(3 * math.sqrt(2)))
    assert Simplex(4).total == 1


def test_supports_by_hand() -> None:
    half = HalfSpace(np.array([3.0, 4.0]), 10.0)
    assert half.support(np.array([6.0, 8.0])) == 20
    assert half.support(np.zeros(2)) == 0
    assert half.support(np.array([-3.0, -4.0])) == np.inf
    assert half.support(np.array([3.0, 4.000001])) == np.inf
    assert half.project(np.array([6.0, 8.0])).tolist() == pytest.approx([1.2, 1.6])
    assert half.project(np.array([1.0, 1.0])).tolist() == [1.0, 1.0]
    assert WholeSpace(2).support(np.array([[0.0, 0.0], [0.0, 1e-300]])).tolist() == [0.0, np.inf]
    assert Box(np.array([-1.0, 2.0]), np.array([3.0, 4.0])).support(np.array([1.0, -1.0])) == 1
    assert Simplex(3, 2.0).support(np.array([-1.0, -5.0, -3.0])) == -2
    for tiny in (1e-170, 1e170):
        assert "have a square between 1e-308 and 1e308" in message(lambda t=tiny: HalfSpace(np.array([t]), 1.0))


def test_projections_on_a_simplex_by_hand() -> None:
    X = Simplex(3, 2.0)
    assert X.project(np.array([3.0, 0.0, 0.0])).tolist() == [2, 0, 0]
    assert X.project(np.array([1.0, 1.0, -9.0])).tolist() == [1, 1, 0]
    assert X.project(np.array([2.0, 1.0, 0.0])).tolist() == [1.5, 0.5, 0]
    assert X.project(np.zeros(3)).tolist() == pytest.approx([2 / 3] * 3)
    far = X.project(np.array([3e9, 3e9 - 1, 0.0]))
    assert far.tolist() == [1.5, 0.5, 0.0]


def test_abstract_classes_name_what_is_missing() -> None:
    assert ConvexSet.__abstractmethods__ == {"n", "_project", "_support"}
    assert Constants.__abstractmethods__ == {"known_rho", "known_smoothness", "known_L2", "known_sigma2", "known_G2"}
    assert FiniteSum.__abstractmethods__ == {"n", "_values", "_subgradients", "known_rho", "known_L2"}


# --- problems


def test_a_constant_says_how_it_is_known() -> None:
    assert [Known(1, how).certain for how in ("closed form", "certified bound", "estimated", "declared")] == [  # type: ignore[arg-type]
        True,
        True,
        False,
        False,
    ]
    assert known(2, True, "n") == Known(2.0, "closed form", "n")
    assert known(2, False, "n") == Known(2.0, "certified bound", "n")
    assert derived(Known(2, "closed form"), "n") == Known(2.0, "certified bound", "n")
    assert derived(Known(2, "estimated"), "n") == Known(2.0, "estimated", "n")
    assert "value = -1 must be at least 0" in message(lambda: Known(-1, "declared"))
    assert float(Known(math.inf, "closed form")) == math.inf
    assert (squared(3.0, "X", None), squared(math.inf, "X", None)) == (9.0, math.inf)
    assert "X = None must keep the constants of the problem below 1e308" in message(lambda: squared(1e155, "X", None))


def test_constants_of_phase_retrieval_on_a_ball_by_hand() -> None:
    """Samples |x_1^2 - 1| and |4 x_2^2 - 1| with weights 1/4 and 3/4 in the ball of radius 2."""
    f = RobustPhaseRetrieval(np.diag([1.0, 2.0]), np.ones(2), np.array([0.25, 0.75]))
    ball = Ball(2.0, np.zeros(2))
    assert f.known_rho() == Known(6.0, "closed form", f.known_rho().note)
    assert f.known_L2(ball).value == pytest.approx(4 * 0.75 * 4 * 4 * 4)
    assert f.known_L2(ball).how == "closed form"
    assert f.known_G2(ball).value == pytest.approx((6 * 2) ** 2)
    assert f.known_G2(ball).how == "certified bound"
    signed = RobustPhaseRetrieval(np.diag([1.0, 2.0]), np.array([1.0, -1.0]), np.array([0.25, 0.75]))
    assert signed.known_least_rho().value == pytest.approx(0.5)
    assert signed.known_rho().how == "certified bound"


def test_phase_retrieval_at_the_ends_of_its_ranges() -> None:
    rng = np.random.default_rng(0)
    assert phase_retrieval(1, 1, 1.0, 0.0, rng).problem.m == 1
    f, _, x = phase_retrieval(5, 2, 1.0, 1.0, rng)
    assert isinstance(f, RobustPhaseRetrieval)
    assert (np.abs(f.b - (f.A @ x) ** 2) > 1e-6).all(), "all measurements are corrupted"
    assert "kappa = 0.999 must be at least 1" in message(lambda: phase_retrieval(1, 1, 0.999, 0.0, rng))
    assert "m = 0" in message(lambda: phase_retrieval(0, 1, 1.0, 0.0, rng))
    assert "n = 0" in message(lambda: phase_retrieval(1, 0, 1.0, 0.0, rng))
    assert "must make at most 1000000000 entries of m times n" in message(
        lambda: phase_retrieval(10**6, 1001, 1.0, 0.0, rng)
    )


def test_sums_run_from_left_to_right() -> None:
    terms = np.array([[1.0, 1e16, -1e16, 1.0], [1e16, -1e16, 1.0, 1.0]])
    assert sums(terms).tolist() == [1.0, 2.0]
    assert sums(np.array([1.0, 2.0])) == 3


@pytest.mark.parametrize("level", [0.0, 0.5])
def test_constants_of_a_tail_risk_by_hand(level: float) -> None:
    r"""Losses :math:`\log(1+r^2)` of residuals :math:`x` and :math:`2x`, steepest 1: active samples weigh :math:`(a^2+q^2)/(1-q)^2`."""
    f = gallery.ConditionalValueAtRisk(RidgeSum(np.array([[1.0], [2.0]]), np.zeros(2), LOG), level)
    X = Ball(3.0, np.zeros(2))
    active = [(a * a + level**2) / (1 - level) ** 2 for a in (1.0, 2.0)]
    assert f.known_L2(X).value == pytest.approx(sum(max(one, 1.0) for one in active) / 2)
    assert f.known_rho().value == pytest.approx(2.5 / 4 / (1 - level))
    small = gallery.ConditionalValueAtRisk(RidgeSum(np.array([[0.1], [2.0]]), np.zeros(2), LOG), level)
    slopes = [0.6 / (1 + 0.09), 1.0]
    active = [(a * a * s * s + level**2) / (1 - level) ** 2 for a, s in zip((0.1, 2.0), slopes)]
    assert small.known_L2(X).value == pytest.approx(sum(max(one, 1.0) for one in active) / 2)
    assert small.n == 2
    assert f.value(np.array([0.0, -1.0])) == pytest.approx(-1 + 1 / (1 - level))
    assert f.value(np.array([0.0, 1.0])) == 1
    assert f.subgradient(np.array([0.0, 0.0]), 1).tolist() == [0.0, 1.0], "the inactive side of the kink"


def test_levels_of_a_tail_risk_at_their_ends() -> None:
    losses, rng = RidgeSum(np.array([[1.0]]), np.zeros(1), LOG), np.random.default_rng(0)
    assert gallery.ConditionalValueAtRisk(losses, 0.0).level == 0
    assert gallery.conditional_value_at_risk(3, 1, 0.0, rng).problem.m == 3
    for level in (1.0, -0.1, 1.5):
        for call in (
            lambda v=level: gallery.ConditionalValueAtRisk(losses, v),
            lambda v=level: gallery.conditional_value_at_risk(3, 1, v, rng),
        ):
            assert "must lie in [0, 1) (CVaR divides by 1 - level)" in message(call)


def test_constants_of_absolute_quadratics_by_hand() -> None:
    r""":math:`q_1=x_1^2-x_2^2/2+x_1`, :math:`q_2=x_2^2/2+2x_2` with weights 1/4 and 3/4 on the ball of radius 2."""
    H = np.array([np.diag([2.0, -1.0]), np.diag([0.0, 1.0])])
    linear, w = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0.25, 0.75])
    f = AbsoluteQuadratics(H, linear, np.zeros(2), w)
    assert f.known_rho() == Known(1.0, "certified bound", f.known_rho().note)
    x = np.array([2.0, 3.0])
    assert f.quadratics(x).tolist() == [1.5, 10.5]
    assert f.subgradients(x).tolist() == [[5.0, -3.0], [0.0, 5.0]]
    ball = Ball(2.0, np.zeros(2))
    angle = np.linspace(0, 2 * np.pi, 200_001)
    u, v = 2 * np.cos(angle), 2 * np.sin(angle)
    second = w[0] * ((2 * u + 1) ** 2 + v**2) + w[1] * (v + 2) ** 2
    assert f.known_L2(ball).value == pytest.approx(second.max(), rel=1e-8)
    assert f.known_L2(ball).how == "closed form"
    assert f.known_G2(ball).value == pytest.approx(min((1.0 * 2 + 0.25 + 1.5) ** 2, second.max()), rel=1e-8)
    assert AbsoluteQuadratics(H, 0 * linear, np.zeros(2), w).known_G2(ball).value == pytest.approx(4)
    assert AbsoluteQuadratics(H, 0 * linear, np.zeros(2), w).known_L2(ball).how == "closed form"
    assert AbsoluteQuadratics(0 * H, linear, np.zeros(2), w).known_L2(ball).how == "closed form"
    flat = AbsoluteQuadratics(np.array([H[0], 0 * H[0]]), 0 * linear, np.ones(2), w)
    assert flat.known_L2(ball).how == "certified bound", "a sample without slope is never at its supremum"
    assert f.known_L2(Simplex(2)).how == "certified bound"
    own_rho = Known(0.5, "declared")
    assert AbsoluteQuadratics(H, linear, np.zeros(2), w, own_rho).known_rho() is own_rho
    assert "modulus = 0.5 must be of type Known" in message(
        lambda: AbsoluteQuadratics(H, linear, np.zeros(2), w, 0.5)  # type: ignore[arg-type]
    )


def test_data_without_any_slope_have_constants_0() -> None:
    flat = RidgeSum(np.zeros((3, 2)), np.ones(3), LOG)
    assert (flat.rho, flat.smoothness, flat.G2(WholeSpace(2)), flat.L2(WholeSpace(2))) == (0, 0, 0, 0)
    none = AbsoluteQuadratics(np.zeros((3, 2, 2)), np.zeros((3, 2)), np.ones(3))
    assert (none.rho, none.L2(WholeSpace(2))) == (0, 0)


def test_matrices_are_symmetric_up_to_rounding() -> None:
    tilted = np.array([[[1.0, 2.0], [2.0 + 1e-12, 5.0]]])
    f = AbsoluteQuadratics(tilted, np.zeros((1, 2)), np.zeros(1))
    assert np.array_equal(f.H, f.H.swapaxes(1, 2))
    assert f.H[0, 0, 1] == pytest.approx(2.0, abs=1e-11)
    bad = np.array([np.eye(2), [[1.0, 2.0], [2.0 + 1e-10, 5.0]]])
    assert "H[1] = " in message(lambda: AbsoluteQuadratics(bad, np.zeros((2, 2)), np.zeros(2)))
    assert "must be that of m square matrices" in message(
        lambda: AbsoluteQuadratics(np.ones((1, 2, 3)), np.zeros((1, 2)), np.zeros(1))
    )


def test_a_loss_has_a_range_of_curvature() -> None:
    f = lambda r: r  # noqa: E731
    assert Loss("l", f, f, (0.0, 0.0), lambda low, high: low).curvature == (0.0, 0.0)
    for curvature in ((1.0, 0.0), (1.0,), (0.0, 1.0, 2.0)):
        assert "must be a range (low, high)" in message(lambda c=curvature: Loss("l", f, f, c, lambda low, high: low))
    assert "steepest = 3 must be a function" in message(lambda: Loss("l", f, f, (0.0, 1.0), 3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("loss", "steepest", "at", "curvature"),
    [(LOG, 1.0, 1.0, (-0.25, 2.0)), (GEMAN_MCCLURE, 3 * math.sqrt(3) / 8, 3**-0.5, (-0.5, 2.0))],
)
def test_robust_losses_have_the_slopes_and_curvatures_of_their_names(
    loss: Loss, steepest: float, at: float, curvature: tuple[float, float]
) -> None:
    r = np.linspace(-6, 6, 120_001)
    h = r[1] - r[0]
    slope, bend = np.gradient(loss.value(r), h, edge_order=2), np.gradient(loss.slope(r), h, edge_order=2)
    assert np.allclose(slope, loss.slope(r), atol=1e-6)
    assert (bend.min(), bend.max()) == (pytest.approx(curvature[0], abs=1e-6), pytest.approx(curvature[1], abs=1e-6))
    assert loss.curvature == pytest.approx(curvature)
    assert loss.slope(np.array([at]))[0] == pytest.approx(steepest)
    for low, high in ((-9.0, 9.0), (0.1, 0.2), (-0.2, -0.1), (2.0, 5.0), (-5.0, -2.0), (-0.1, 0.3), (-0.3, 0.1)):
        inside = np.linspace(low, high, 100_001)
        wanted = np.abs(loss.slope(inside)).max()
        assert loss.steepest(np.array([low]), np.array([high]))[0] == pytest.approx(wanted, rel=1e-6)
    assert "peak = 0 must be positive" in message(lambda: rising_then_falling(np.abs, 0))


def test_the_chord_of_a_circle_as_a_loss() -> None:
    r = np.linspace(-3, 3, 61)
    chord = np.abs(np.exp(1j * r) - 1)
    assert np.allclose(gallery.CHORD.value(r), chord)
    h = 1e-6
    off = np.abs(r) > 0.01
    slopes = (gallery.CHORD.value(r + h) - gallery.CHORD.value(r - h)) / (2 * h)
    assert np.allclose(gallery.CHORD.slope(r)[off], slopes[off], atol=1e-8)
    assert gallery.CHORD.slope(np.zeros(1)).tolist() == [0.0]
    assert gallery.CHORD.curvature == (-0.5, math.inf)
    assert gallery.CHORD.steepest(np.array([1.0, 2.0]), np.array([2.0, 3.0])).tolist() == [1.0, 1.0]


def test_quadratics_with_noise_by_hand() -> None:
    f = NoisyQuadratic(np.diag([1.0, -3.0]), np.array([[1.0, 0.0], [-1.0, 2.0]]), np.array([0.25, 0.75]))
    x = np.array([2.0, 1.0])
    assert f.values(x).tolist() == [0.5 + 2.0, 0.5 + 0.0]
    assert f.subgradients(x).tolist() == [[3.0, -3.0], [1.0, -1.0]]
    assert f.subgradient(x, 1).tolist() == [1.0, -1.0]
    assert f.mean.tolist() == [-0.5, 1.5]
    assert (f.rho, f.smoothness) == (3.0, 3.0)
    assert f.sigma2(WholeSpace(2)) == pytest.approx(0.25 * (1.5**2 + 1.5**2) + 0.75 * (0.5**2 + 0.5**2))
    assert f.G2(Box(np.zeros(2), np.ones(2))) == pytest.approx(0.5**2 + 1.5**2)
    assert f.L2(Box(np.zeros(2), np.ones(2))) == pytest.approx(2.5 + 1.5)
    many = NoisyQuadratic(np.eye(13), np.zeros((1, 13)))
    assert many.known_L2(Box(np.zeros(13), np.ones(13))).how == "certified bound"


def test_rare_large_gradients_at_the_ends_of_their_size() -> None:
    assert rare_large_gradients(1.0).weights.tolist() == [0.5, 0.5, 0.0]
    assert rare_large_gradients(1e100).weights[0] == 0.5e-200
    for size in (0.999, 1.1e100):
        assert "must be at least 1 and at most 1e100" in message(lambda s=size: rare_large_gradients(s))
    f = rare_large_gradients(2.0, 3)
    assert f.c.tolist() == [[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert rare_large_gradients(2.0).n == 1


def test_constants_of_ridges_by_hand() -> None:
    r"""Geman-McClure on :math:`x` and :math:`2x`, weights 1/4 and 3/4, on the line and on an interval."""
    f = RidgeSum(np.array([[1.0], [2.0]]), np.zeros(2), GEMAN_MCCLURE, np.array([0.25, 0.75]))
    top, steep = 0.25 + 0.75 * 4, 3 * math.sqrt(3) / 8
    for found, wanted in (
        (f.known_rho(), top / 2),
        (f.known_smoothness(), 2 * top),
        (f.known_L2(WholeSpace(1)), top * steep**2),
    ):
        assert (found.value, found.how) == (pytest.approx(wanted), "certified bound")
    triangle = 0.25 * steep + 0.75 * 2 * steep
    assert f.known_G2(WholeSpace(1)).value == pytest.approx(triangle**2)
    free = RidgeSum(np.diag([1.0, 2.0]), np.zeros(2), GEMAN_MCCLURE)
    assert {free.known_rho().how, free.known_smoothness().how, free.known_L2(WholeSpace(2)).how} == {"closed form"}
    assert free.known_L2(Ball(9.0, np.zeros(2))).how == "certified bound"
    assert free.known_G2(WholeSpace(2)).value == pytest.approx(min((3 * steep / 2) ** 2, 2 * steep**2))
    assert f.residual(np.array([3.0]), 1).tolist() == [6.0]
    off = RidgeSum(np.array([[1.0]]), np.array([5.0]), LOG)
    near = Ball(1.0, np.zeros(1))
    assert off.steepest(near).tolist() == pytest.approx([8 / 17])
    kinked = RidgeSum(np.array([[1.0]]), np.zeros(1), gallery.CHORD)
    assert kinked.known_smoothness().value == math.inf


def test_an_exponential_fit_at_the_edges_of_its_domain() -> None:
    box = Box(np.array([0.0, 0.5]), np.array([2.0, 2.0]))
    f = gallery.ExponentialFit(np.array([0.0, 1.0]), np.array([1.0, -1.0]), box)
    x = np.array([2.0, 0.5])
    decay = math.exp(-0.5)
    assert f.residuals(x).tolist() == pytest.approx([1.0, 2 * decay + 1])
    assert f.values(x).tolist() == pytest.approx([0.5, (2 * decay + 1) ** 2 / 2])
    assert f.subgradients(x).tolist() == [
        [pytest.approx(1.0), 0.0],
        pytest.approx([(2 * decay + 1) * decay, -(2 * decay + 1) * 2 * decay]),
    ]
    f.valid_on(box)
    f.valid_on(Box(box.lower - 5e-13, box.upper + 5e-13))
    for outside in (Box(box.lower - 2e-12, box.upper), Box(box.lower, box.upper + 2e-12)):
        assert "lie in the domain" in message(lambda X=outside: f.valid_on(X))
    slopes = [max(2 - 1, -(0 - 1)), 2 * decay + 1]
    steep = [1.0, decay * math.hypot(1, 2)]
    bend = [0.0, (2 * decay + math.hypot(2 * decay, 2 * decay)) / 2]
    assert f.known_rho().value == pytest.approx(sum(s * h for s, h in zip(slopes, bend)) / 2)
    assert f.known_L2(box).value == pytest.approx(sum((s * g) ** 2 for s, g in zip(slopes, steep)) / 2)
    assert f.known_smoothness().value == pytest.approx(sum(g * g + s * h for s, g, h in zip(slopes, steep, bend)) / 2)
    absolute = gallery.ExponentialFit(f.t, f.y, box, "absolute")
    assert absolute.known_rho().value == pytest.approx(sum(bend) / 2)
    assert absolute.known_L2(box).value == pytest.approx(sum(g * g for g in steep) / 2)
    assert absolute.known_smoothness().value == math.inf
    assert f.n == 2
    for t, domain in (
        ([-0.1], box),
        ([1.0], Box(np.array([-0.1, 0.5]), box.upper)),
        ([1.0], Box(np.array([0.0, -0.1]), box.upper)),
        ([1.0], Box(np.zeros(3), np.ones(3))),
    ):
        assert "be two non-negative numbers, as all t must" in message(
            lambda t=t, d=domain: gallery.ExponentialFit(np.array(t), np.ones(1), d)
        )


def test_edges_of_a_graph_and_entries_of_a_matrix_are_whole_and_inside() -> None:
    chain = gallery.synchronisation(3, [(0, 1), (2, 1)], [0.5, 0.25])
    assert chain.A.tolist() == [[-1.0, 0.0], [-1.0, 1.0]]
    assert chain.b.tolist() == [0.5, 0.25]
    assert gallery.synchronisation(2, [(0, 1)], [0.0]).known_rho().value == 0.5
    for edges in ([(-1, 1)], [(0, 3)], [(3, 0)], [(0.5, 1)], [(1, 1)]):
        assert "must join two different nodes of 0..2" in message(lambda e=edges: gallery.synchronisation(3, e, [0.0]))
    assert "nodes = 1 must be an integer >= 2" in message(lambda: gallery.synchronisation(1, [(0, 1)], [0.0]))
    f = gallery.principal_components([1, 0], [0, 1], [3.0, 4.0], (2, 2), 1)
    assert f.values(np.array([1.0, 2.0, 5.0, 7.0])).tolist() == [abs(2 * 5 - 3), abs(1 * 7 - 4)]
    assert f.known_rho() == Known(0.5, "closed form", f.known_rho().note)
    for rows, columns in (([2], [0]), ([0], [2]), ([-1], [0]), ([0], [-1])):
        assert "must hold all rows and columns" in message(
            lambda r=rows, c=columns: gallery.principal_components(r, c, [1.0], (2, 2), 1)
        )
    for rows, columns, name in (([0.5], [0], "rows"), ([0], [0.5], "columns")):
        assert f"{name} = [0.5] must be whole numbers" in message(
            lambda r=rows, c=columns: gallery.principal_components(r, c, [1.0], (2, 2), 1)
        )
    assert "must be two sizes" in message(lambda: gallery.principal_components([0], [0], [1.0], (2,), 1))  # type: ignore[arg-type]
    assert "shape[1] = 0 must be" in message(lambda: gallery.principal_components([0], [0], [1.0], (2, 0), 1))
    assert "must be that of square matrices" in message(lambda: gallery.matrix_sensing(np.ones((1, 2, 3)), [1.0], 1))
    sensing = gallery.matrix_sensing(np.array([[[1.0, 4.0], [0.0, 3.0]]]), [2.0], 1)
    assert sensing.H[0].tolist() == [[2.0, 4.0], [4.0, 6.0]]
    assert sensing.values(np.array([1.0, 2.0])).tolist() == [abs(1 + 8 + 12 - 2)]


# --- what a seed draws


def test_robust_regression_is_drawn_as_it_says() -> None:
    f, X, truth = robust_regression(50, 3, 0.4, np.random.default_rng(3), GEMAN_MCCLURE)
    rng = np.random.default_rng(3)
    x = rng.standard_normal(3)
    x /= np.linalg.norm(x)
    A, hit, error = rng.standard_normal((50, 3)), rng.random(50) < 0.4, 5 * rng.standard_normal(50)
    assert isinstance(f, RidgeSum)
    assert np.allclose(truth, x)
    assert np.array_equal(f.A, A)
    assert np.allclose(f.b, A @ x + hit * error)
    assert f.loss is GEMAN_MCCLURE
    assert isinstance(X, Ball)
    assert (X.radius, X.centre.tolist()) == (2.0, [0.0] * 3)


def test_an_indefinite_quadratic_is_drawn_as_it_says() -> None:
    f = indefinite_quadratic(4, 3, 0.5, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    basis, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    assert np.allclose(f.Q, basis @ np.diag([-1.0, 0.0, 1.0]) @ basis.T)
    noise = rng.standard_normal((4, 3))
    noise -= noise.mean(axis=0)
    noise *= 0.5 / np.sqrt(np.mean(np.sum(noise**2, axis=1)))
    assert np.allclose(f.c, rng.standard_normal(3) / math.sqrt(3) + noise)
    assert indefinite_quadratic(2, 1, 0.0, rng).sigma2(WholeSpace(1)) == 0
    assert "sigma = -1 must be at least 0" in message(lambda: indefinite_quadratic(2, 1, -1, rng))


def test_a_decay_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.nonlinear_least_squares(40, 0.3, np.random.default_rng(2))
    rng = np.random.default_rng(2)
    t = np.linspace(0, 3, 40)
    y = 1.5 * np.exp(-t) + 0.02 * rng.standard_normal(40)
    y += (rng.random(40) < 0.3) * rng.standard_normal(40)
    assert isinstance(f, gallery.ExponentialFit)
    assert np.array_equal(f.t, t)
    assert np.allclose(f.y, y)
    assert f.outer == "square"
    assert truth.tolist() == [1.5, 1.0]
    assert X is f.domain
    assert (f.domain.lower.tolist(), f.domain.upper.tolist()) == ([0.0, 0.5], [2.0, 2.0])


def test_a_matrix_with_errors_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.robust_pca((2, 3), 2, 0.5, np.random.default_rng(4), repeats=2)
    rng = np.random.default_rng(4)
    factors = rng.standard_normal((5, 2))
    M = np.repeat((factors[:2] @ factors[2:].T).ravel(), 2)
    M += (rng.random(12) < 0.5) * 5 * rng.standard_normal(12)
    assert isinstance(f, AbsoluteQuadratics)
    assert np.allclose(f.offset, -M)
    assert np.array_equal(truth, factors.ravel())
    wanted = np.repeat((factors[:2] @ factors[2:].T).ravel(), 2)
    assert np.allclose(f.quadratics(truth), wanted - M), "every entry twice, in this order"
    assert isinstance(X, Ball)
    assert X.radius == pytest.approx(2 * np.linalg.norm(factors))
    assert not X.centre.any()
    assert gallery.robust_pca((1, 1), 1, 0.0, rng).problem.m == 1


def test_measurements_of_a_matrix_are_drawn_as_they_say() -> None:
    f, X, truth = gallery.low_rank_recovery(6, 3, 2, 0.5, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    U, A = rng.standard_normal((3, 2)), rng.standard_normal((6, 3, 3))
    error = (rng.random(6) < 0.5) * 5 * rng.standard_normal(6)
    assert np.array_equal(truth, U.ravel())
    measured = np.array([np.sum(S * (U @ U.T)) for S in A])
    assert isinstance(f, AbsoluteQuadratics)
    assert np.allclose(f.offset, -(measured + error))
    assert np.allclose(f.quadratics(truth), -error)
    assert isinstance(X, Ball)
    assert X.radius == pytest.approx(2 * np.linalg.norm(U))
    assert X.n == 6


def test_a_tail_risk_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.conditional_value_at_risk(30, 2, 0.8, np.random.default_rng(6))
    losses, _, x = robust_regression(30, 2, 0.1, np.random.default_rng(6), LOG)
    assert isinstance(f, gallery.ConditionalValueAtRisk)
    assert isinstance(losses, RidgeSum)
    assert np.array_equal(f.losses.b, losses.b)
    tau = np.quantile(losses.values(x), 0.8)
    assert np.array_equal(truth, [*x, tau])
    assert isinstance(X, Ball)
    assert (X.radius, X.n) == (2.0 + tau, 3)


def test_a_graph_of_angles_is_drawn_as_it_says() -> None:
    f, X, truth = gallery.graph_synchronisation(5, 0.4, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    theta = rng.uniform(-2, 2, 4)
    angle, pairs = np.append(0.0, theta), [(i, j) for i in range(5) for j in range(i + 1, 5)]
    clean = np.array([angle[i] - angle[j] for i, j in pairs]) + 0.05 * rng.standard_normal(10)
    hit, wrong = rng.random(10) < 0.4, rng.uniform(-np.pi, np.pi, 10)
    assert isinstance(f, RidgeSum)
    assert np.array_equal(truth, theta)
    assert np.allclose(f.b, np.where(hit, wrong, clean))
    assert isinstance(X, Box)
    assert np.array_equal(X.upper, np.full(4, np.pi))
    assert np.array_equal(X.lower, -X.upper)
    assert gallery.graph_synchronisation(2, 0.0, rng).problem.m == 1
    assert "nodes = 1 must be an integer >= 2" in message(lambda: gallery.graph_synchronisation(1, 0.0, rng))


def test_the_landscapes_are_one_small_instance_of_each_application() -> None:
    found, rng = gallery.landscapes(np.random.default_rng(8)), np.random.default_rng(8)
    wanted = {
        "robust phase retrieval": phase_retrieval(20, 2, 2.0, 0.1, rng),
        "nonlinear least squares": gallery.nonlinear_least_squares(12, 0.1, rng),
        "robust PCA": gallery.robust_pca((1, 1), 1, 0.2, rng, repeats=9),
        "low-rank recovery": gallery.low_rank_recovery(12, 2, 1, 0.1, rng),
        "CVaR": gallery.conditional_value_at_risk(20, 1, 0.8, rng),
        "graph synchronisation": gallery.graph_synchronisation(3, 0.0, rng),
    }
    assert list(found) == list(wanted)
    at = np.array([0.3, 0.7])
    for name, one in found.items():
        assert one.problem.values(at).tolist() == wanted[name].problem.values(at).tolist(), name
        assert one.truth.tolist() == wanted[name].truth.tolist()


# --- problems of one's own


def _own(**more: Any) -> own.OwnProblem:
    """f(x) = w_0 x^2/2 + w_1 (-x^2/2 + 2x), weights 1/4 and 3/4."""
    return own.from_functions(
        lambda x, i: float(x @ x) / 2 if i == 0 else float(2 * x[0] - x @ x / 2),
        lambda x, i: x if i == 0 else 2 - x,
        n=1,
        m=2,
        weights=[0.25, 0.75],
        **more,
    )


def test_a_problem_of_ones_own_is_a_weighted_sum() -> None:
    f, x = _own(), np.array([3.0])
    assert f.values(x).tolist() == [4.5, 1.5]
    assert f.value(x) == pytest.approx(0.25 * 4.5 + 0.75 * 1.5)
    assert f.subgradients(x).tolist() == [[3.0], [-1.0]]
    assert f.subgradient(x, 1).tolist() == [-1.0]
    for i in (-1, 2):
        assert f"i = {i} must" in message(lambda i=i: f.subgradient(x, i))
    assert f.known_smoothness().value == math.inf
    assert _own(smoothness=1.0).smoothness == 1
    told = _own(L2=9.0, sigma2=4.0, G2=1.0)
    ball = Ball(1.0, np.zeros(1))
    assert (told.L2(ball), told.sigma2(ball), told.G2(ball)) == (9.0, 4.0, 1.0)
    part = _own(L2=9.0)
    assert (part.sigma2(ball), part.G2(ball)) == (9.0, 9.0)
    for name in ("known_L2", "known_sigma2", "known_G2"):
        assert "X.n = 2 must equal" in message(lambda n=name: getattr(told, n)(Ball(1.0, np.zeros(2))))


def test_the_first_sample_is_asked_for_when_a_problem_is_made() -> None:
    asked: list[tuple[str, int, list[float]]] = []

    def value(x: Any, i: int) -> float:
        asked.append(("value", i, x.tolist()))
        return 0.0

    def subgradient(x: Any, i: int) -> Any:
        asked.append(("subgradient", i, x.tolist()))
        return x

    own.from_functions(value, subgradient, n=2, m=3)
    assert asked == [("subgradient", 0, [0.0, 0.0]), ("value", 0, [0.0, 0.0])]


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: gallery.synchronisation(31_623, [(0, 1)], [0.0]),
        lambda rng: gallery.principal_components([0], [0], [1.0], (20_000, 20_000), 1),
        lambda rng: gallery.principal_components([0], [0], [1.0], (3, 4), 5_000),
        lambda rng: gallery.principal_components([0], [0], [1.0], (40_000, 30_000), 1),
        lambda rng: gallery.matrix_sensing(np.ones((1, 2, 2)), [1.0], 20_000),
        lambda rng: gallery.nonlinear_least_squares(10**9 + 1, 0.0, rng),
        lambda rng: gallery.robust_pca((2, 2), 1, 0.0, rng, repeats=2 * 10**7),
        lambda rng: gallery.robust_pca((2, 2), 8_000, 0.0, rng),
        lambda rng: gallery.low_rank_recovery(10**8, 2, 2, 0.0, rng),
        lambda rng: gallery.low_rank_recovery(1, 200, 200, 0.0, rng),
        lambda rng: gallery.graph_synchronisation(1300, 0.0, rng),
        lambda rng: robust_regression(10**6, 1001, 0.0, rng),
        lambda rng: indefinite_quadratic(10**6, 1001, 0.0, rng),
        lambda rng: rare_large_gradients(2.0, 31_623),
    ],
)
def test_data_that_do_not_fit_are_refused_before_they_are_made(call: Any) -> None:
    assert "must make at most 1000000000 entries of" in message(lambda: call(np.random.default_rng(0)))


def test_an_estimate_is_the_largest_of_its_points() -> None:
    """The curvature of f is -1/2 everywhere, and the spread of the slopes known at every point."""
    X = Ball(1.0, np.zeros(1))
    f = own.estimated(_own(), X, np.random.default_rng(3), points=7)
    cloud = X.project(np.random.default_rng(3).standard_normal((7, 1)))[:, 0]
    mean = 0.25 * cloud + 0.75 * (2 - cloud)
    second = 0.25 * cloud**2 + 0.75 * (2 - cloud) ** 2
    assert f.rho == pytest.approx(0.5)
    assert f.L2(X) == pytest.approx(second.max())
    assert f.G2(X) == pytest.approx((mean**2).max())
    assert f.sigma2(X) == pytest.approx((second - mean**2).max())
    assert f.known_rho() == Known(f.rho, "estimated", "the largest of 7 points")
    small = own.estimated(_own(), Ball(0.25, np.zeros(1)), np.random.default_rng(3), points=7)
    cloud = Ball(0.25, np.zeros(1)).project(0.25 * np.random.default_rng(3).standard_normal((7, 1)))[:, 0]
    assert small.G2(X) == pytest.approx(((0.25 * cloud + 0.75 * (2 - cloud)) ** 2).max())
    assert own.estimated(_own(), X, np.random.default_rng(3), points=2).rho == pytest.approx(0.5)
    assert "points = 1 must be an integer >= 2" in message(
        lambda: own.estimated(_own(), X, np.random.default_rng(3), points=1)
    )
    assert "points = 1000001 must be an integer <= 1000000" in message(
        lambda: own.estimated(_own(), X, np.random.default_rng(3), points=10**6 + 1)
    )
    bowl = own.from_functions(lambda x, i: float(x @ x), lambda x, i: 2 * x, n=1, m=1)
    usual = own.estimated(bowl, X, np.random.default_rng(0))
    assert usual.known_rho() == Known(0.0, "estimated", "the largest of 100 points"), (
        "a convex function does not bend down"
    )


def test_a_stream_checks_what_it_is_made_of() -> None:
    assert own.Stream(lambda x, s: x, lambda rng: 0, 2).n == 2
    assert "sample_subgradient = 3 must be a function" in message(lambda: own.Stream(3, lambda rng: 0, 2))  # type: ignore[arg-type]
    assert "draw = 3 must be a function" in message(lambda: own.Stream(lambda x, s: x, 3, 2))  # type: ignore[arg-type]
    assert "dimension = 0 must be" in message(lambda: own.Stream(lambda x, s: x, lambda rng: 0, 0))
    assert "dimension = 1000000001 must be" in message(lambda: own.Stream(lambda x, s: x, lambda rng: 0, 10**9 + 1))
