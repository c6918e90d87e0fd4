"""Numbers, arrays, ranges and formulas of the model at their edges: the last value accepted, the first refused, the message."""

import math
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import sympy as sp
from refusal import message

from shbcore.model import checks, constants, own
from shbcore.model.rational import PiecewiseQuadratic

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


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
