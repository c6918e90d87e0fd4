"""Bad input is turned away with an error that names the argument, its value and the assumption behind the range."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest

from shbcore.model import checks, gallery
from shbcore.model.composite import AbsoluteQuadratics, RidgeSum
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters, root
from shbcore.model.phase import RobustPhaseRetrieval, kinked_at, phase_retrieval
from shbcore.model.sets import Ball, Box, HalfSpace, Simplex, WholeSpace
from shbcore.model.smooth import LOG, NoisyQuadratic, indefinite_quadratic, rare_large_gradients, robust_regression
from shbcore.numerics import slack
from shbcore.numerics.solver import State, shb

rng = np.random.default_rng(0)
A, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 2.0])
BALL = Ball(1.0, np.zeros(2))
FIT = gallery.ExponentialFit(np.ones(3), np.ones(3), Box(np.zeros(2), np.ones(2)))
NAN = float("nan")


def run(**changed: Any) -> Iterator[State]:
    """A run of the method with one argument changed."""
    good: dict[str, Any] = {"step": ConstantStep(0.1), "beta": 0.5, "x0": [0.0, 0.0], "rng": rng}
    return shb(RobustPhaseRetrieval(A, b), BALL, **(good | changed))


# what is wrong, the call, and what the message must say: argument, value, range or assumption
Bad = tuple[str, Callable[[], object], tuple[str, ...]]
TABLE: list[Bad] = [
    ("beta = 0", lambda: Parameters(0.1, 0.0), ("beta = 0.0", "(0, 1]", "lem:xdiff:non-smooth")),
    ("beta > 1", lambda: Parameters(0.1, 1.5), ("beta = 1.5", "(0, 1]")),
    ("beta is NaN", lambda: Parameters(0.1, NAN), ("beta = nan", "finite")),
    ("beta is an array", lambda: Parameters(0.1, np.ones(2)), ("beta = [1. 1.]", "single real number")),
    ("beta is a word", lambda: Parameters(0.1, "0.5"), ("beta = '0.5'", "single real number")),
    ("exact beta > 1", lambda: Parameters(Fraction(1), Fraction(11, 10)), ("beta = Fraction(11, 10)", "(0, 1]")),
    ("alpha = 0", lambda: Parameters(0.0, 0.5), ("alpha = 0.0", "positive", "alg:iters:def")),
    ("alpha < 0", lambda: ConstantStep(-1.0), ("alpha = -1.0", "positive")),
    ("alpha infinite", lambda: ConstantStep(float("inf")), ("alpha = inf", "finite")),
    ("alpha_0 = 0", lambda: DecayingStep(0), ("alpha_0 = 0", "positive", "numerical section")),
    ("nu alpha > 1", lambda: Parameters.from_nu(2.0, 1.0), ("beta = 2.0", "(0, 1]")),
    ("nu < 0", lambda: Parameters.from_nu(0.1, -1.0), ("nu = -1.0", "positive")),
    ("K < 0", lambda: Parameters.theorem_1(1.0, -1), ("K = -1", ">= 0")),
    ("K not an integer", lambda: root(2.5), ("K = 2.5", "integer")),  # type: ignore[arg-type]
    (
        "alpha_0 > 1/(4 rho)",
        lambda: Parameters.theorem_3(1.0, 8, weak_convexity=1.0),
        ("alpha_0 = 1.0", "1/(4 rho)", "rho = 1.0", "thrm:smooth:unconstrained:complexity"),
    ),
    (
        "1/lambda < 2 rho",
        lambda: Parameters(0.1, 0.5).gamma(weak_convexity=1.0, envelope=0.6),
        ("envelope = 0.6", "1/lambda >= 2 rho", "rho = 1.0", "lem:Vfunc:non-smooth"),
    ),
    (
        "1/lambda <= rho",
        lambda: checks.envelope_parameter(1.0, weak_convexity=1.0, result="prox"),
        ("envelope = 1.0", "1/lambda > rho"),
    ),
    ("lambda = 0", lambda: checks.envelope_parameter(0, weak_convexity=1), ("envelope = 0", "positive")),
    ("rho < 0", lambda: checks.envelope_parameter(1, weak_convexity=-2), ("weak_convexity = -2", "at least 0")),
    (
        "unknown result",
        lambda: checks.envelope_parameter(1, weak_convexity=0, result="lemma 7"),
        ("result = 'lemma 7'",),
    ),
    ("x_0 outside X", lambda: checks.point_in(BALL, [2.0, 0.0]), ("x0 = [2. 0.]", "lie in X", "x_0 in X")),
    ("x_0 has a NaN", lambda: checks.point_in(BALL, [NAN, 0.0]), ("x0 = [nan  0.]", "finite")),
    ("x_0 in another space", lambda: checks.point_in(BALL, [0.0]), ("x0.shape = (1,)", "(2)", "R^2")),
    ("x_0 is no vector", lambda: checks.point_in(BALL, [[0.0, 0.0]]), ("x0.shape = (1, 2)",)),
    ("x_0 is text", lambda: checks.point_in(BALL, ["a", "b"]), ("x0 = ['a', 'b']", "real numbers")),  # type: ignore[list-item]
    (
        "problem and set differ",
        lambda: RobustPhaseRetrieval(A, b).known_L2(Simplex(3)),
        ("X.n = 3", "n = 2", "eqn:objective"),
    ),
    ("A is a vector", lambda: RobustPhaseRetrieval(b, b), ("A.shape = (2,)", "(any, any)", "phase retrieval")),
    ("b too short", lambda: RobustPhaseRetrieval(A, b[:1]), ("b.shape = (1,)", "(2)")),
    ("b has a NaN", lambda: RobustPhaseRetrieval(A, np.array([1.0, NAN])), ("b = [ 1. nan]", "finite")),
    ("A infinite", lambda: RobustPhaseRetrieval(A * np.inf, b), ("A = ", "finite")),
    ("no data", lambda: RobustPhaseRetrieval(np.zeros((0, 2)), np.zeros(0)), ("A.shape = (0, 2)", "empty")),
    (
        "negative weight",
        lambda: RobustPhaseRetrieval(A, b, np.array([-0.5, 1.5])),
        ("weights = [-0.5  1.5]", "non-negative", "law P"),
    ),
    (
        "weights do not sum to 1",
        lambda: RobustPhaseRetrieval(A, b, np.array([0.5, 0.6])),
        ("weights = [0.5 0.6]", "sum to 1, not to 1.1"),
    ),
    ("too many weights", lambda: RobustPhaseRetrieval(A, b, np.ones(3) / 3), ("weights.shape = (3,)", "(2)")),
    ("kappa < 1", lambda: phase_retrieval(3, 2, 0.5, 0.0, rng), ("kappa = 0.5", "at least 1", "condition number")),
    ("p_fail > 1", lambda: phase_retrieval(3, 2, 1.0, 1.5, rng), ("p_fail = 1.5", "[0, 1]")),
    ("m = 0", lambda: phase_retrieval(0, 2, 1.0, 0.1, rng), ("m = 0", ">= 1")),
    ("n not an integer", lambda: phase_retrieval(3, 2.0, 1.0, 0.1, rng), ("n = 2.0", "integer")),  # type: ignore[arg-type]
    ("unknown signal", lambda: phase_retrieval(3, 2, 1.0, 0.1, rng, "cube"), ("signal = 'cube'", "sphere, normal")),
    ("a seed, not a generator", lambda: phase_retrieval(3, 2, 1.0, 0.1, 7), ("rng = 7", "Generator")),  # type: ignore[arg-type]
    ("kink in another space", lambda: kinked_at(A, [1.0]), ("x.shape = (1,)", "(2)")),
    ("radius = 0", lambda: Ball(0.0, np.zeros(2)), ("radius = 0.0", "positive", "closed convex")),
    ("centre with NaN", lambda: Ball(1.0, np.array([NAN])), ("centre = [nan]", "finite")),
    ("empty box", lambda: Box(np.ones(2), np.zeros(2)), ("lower = [1. 1.]", "upper = [0. 0.]", "not empty")),
    ("box of two sizes", lambda: Box(np.zeros(2), np.ones(3)), ("upper.shape = (3,)", "(2)")),
    ("zero normal", lambda: HalfSpace(np.zeros(2), 1.0), ("normal = [0. 0.]", "not be zero")),
    ("simplex of total 0", lambda: Simplex(3, 0.0), ("total = 0.0", "positive")),
    ("space of dimension 0", lambda: WholeSpace(0), ("dimension = 0", ">= 1")),
    ("Q not symmetric", lambda: NoisyQuadratic(np.triu(A), A), ("Q = ", "symmetric")),
    ("one sample has no noise", lambda: indefinite_quadratic(1, 2, 1.0, rng), ("m = 1", ">= 2", "(A3)")),
    ("size < 1", lambda: rare_large_gradients(0.5), ("size = 0.5", "at least 1")),
    ("p_fail < 0", lambda: robust_regression(3, 2, -0.1, rng), ("p_fail = -0.1", "at least 0")),
    ("level = 1", lambda: gallery.ConditionalValueAtRisk(RidgeSum(A, b, LOG), 1.0), ("level = 1.0", "[0, 1)")),
    (
        "an edge to itself",
        lambda: gallery.synchronisation(3, [(1, 1)], [0.0]),
        ("edges = [[1. 1.]]", "different nodes"),
    ),
    ("an edge to nowhere", lambda: gallery.synchronisation(2, [(0, 2)], [0.0]), ("edges = [[0. 2.]]", "0..1")),
    ("entry outside", lambda: gallery.principal_components([2], [0], [1.0], (2, 2), 1), ("shape = (2, 2)", "hold all")),
    ("rank 0", lambda: gallery.matrix_sensing(A[None], [1.0], 0), ("rank = 0", ">= 1")),
    ("unknown outer function", lambda: gallery.nonlinear_least_squares(3, 0.0, rng, "cube"), ("outer = 'cube'",)),
    ("X outside the domain", lambda: FIT.known_L2(BALL), ("X = Ball(", "domain", "compact", "eq:composite")),
    ("X unbounded", lambda: FIT.known_L2(WholeSpace(2)), ("X = WholeSpace(", "domain", "compact")),
    ("a run from outside X", lambda: next(run(x0=[2.0, 0.0])), ("x0 = [2. 0.]", "lie in X", "x_0 in X")),
    ("a run in another space", lambda: next(run(x0=[0.0])), ("x0.shape = (1,)", "R^2")),
    ("a run with beta > 1", lambda: next(run(beta=2.0)), ("beta = 2.0", "(0, 1]", "alg:iters:def")),
    ("a run from a word", lambda: next(run(start="z0")), ("start = 'z0'", "beta_g0, g0", "alg:iters:def")),
    ("a run on a seed", lambda: next(run(rng=3)), ("rng = 3", "Generator")),
    ("a stepsize rule that fails", lambda: list(islice(run(step=lambda k: -1.0), 2)), ("alpha = -1.0", "positive")),
    (
        "Lemma 3 without (A2)",
        lambda: slack.nonsmooth(RobustPhaseRetrieval(A, b), WholeSpace(2), Parameters(0.1, 0.5)),
        ("X = WholeSpace(", "bounded", "(A2)"),
    ),
    (
        "Lemma 4 with 1/lambda < 2 rho",
        lambda: slack.nonsmooth(RobustPhaseRetrieval(A, b), BALL, Parameters(0.1, 0.5), envelope=1.0),
        ("envelope = 1.0", "1/lambda >= 2 rho", "lem:Vfunc:non-smooth"),
    ),
    (
        "Lemma W with alpha > 1/(4 rho)",
        lambda: slack.smooth(NoisyQuadratic(np.eye(2), A), BALL, Parameters(0.3, 0.5)),
        ("alpha = 0.3", "1/(4 rho)", "lem:Wfunc:smooth"),
    ),
    ("H not symmetric", lambda: AbsoluteQuadratics(A[None], b[None], b[:1]), ("H", "symmetric")),
]


@pytest.mark.parametrize(("call", "words"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_bad_input_is_refused_by_name(call: Callable[[], object], words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError) as refusal:
        call()
    message = str(refusal.value)
    assert all(word in message for word in words), message
    assert message.rstrip().endswith(")"), "the assumption stands in brackets at the end"


def test_the_table_is_long_enough_and_has_no_double() -> None:
    assert len(TABLE) >= 25
    assert len({row[0] for row in TABLE}) == len(TABLE)


def test_the_neighbouring_good_input_is_accepted() -> None:
    """The checks do not refuse everything."""
    Parameters(0.1, 1.0).gamma(weak_convexity=1.0, envelope=0.5)
    Parameters.theorem_3(0.25, 8, weak_convexity=1.0)
    assert [s.k for s in islice(run(), 3)] == [0, 1, 2]
    assert checks.point_in(BALL, [1.0, 0.0]).tolist() == [1.0, 0.0]
    assert RobustPhaseRetrieval(A, b, np.array([1.0, 0.0])).known_L2(BALL).value > 0
    assert FIT.known_L2(Box(np.zeros(2), np.ones(2))).value > 0


def test_checked_data_are_copies_and_read_only() -> None:
    """A problem cannot change behind the back of its constants."""
    data = A.copy()
    f = RobustPhaseRetrieval(data, b)
    data[0, 0] = 99.0
    assert f.A[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        f.A[0, 0] = 2.0
