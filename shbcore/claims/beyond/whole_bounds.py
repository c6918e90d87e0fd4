r"""How good the bounds for schedules and for any momentum are as a whole: explicit runs, and how much of the bound each needs.

Their right sides have many terms, weighted by the stepsizes; no single constant can be read off.  So both sides are evaluated on a run
without noise, in exact numbers, by the formulas of :mod:`shbcore.claims.beyond.enumerated`, which are written apart from the certificates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from gmpy2 import mpq

from shbcore.claims.beyond.enumerated import Case, Number, Sides, open_question_at, schedule_at, theorem_1_at
from shbcore.claims.evidence import Comparison, exact
from shbcore.claims.registry import Check, Section
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem

here = Section("Beyond the paper", "how_good_are_the_constants", "sentence")
HALF, ONE, SLOPE = mpq(1, 2), mpq(1), mpq(11, 10)


def wall(slope: Number) -> Case:
    r""":math:`f(x)=\text{slope}\cdot x-\frac12x^2` on [0, 1] from 1."""
    return Case(RationalProblem((PiecewiseQuadratic((), ((-1, slope, 0),)),)), Interval(0, 1), ONE)


@dataclass(frozen=True)
class Whole:
    """A bound, a run, and how many thousandths of the bound the run needs, rounded down."""

    name: str
    label: str
    words: str
    sides: Callable[[], Sides]
    thousandths: int

    @property
    def share(self) -> Number:
        """Left over right, exactly."""
        left, right = self.sides()
        return left / right

    @property
    def gap(self) -> float:
        """How far the bound lies above the run, in per cent."""
        return float(100 * (1 / self.share - 1))

    def needs(self, times: Fraction = Fraction(1)) -> Iterator[Comparison]:
        """That the run needs its share of the bound; ``times`` asks for more."""
        left, right = self.sides()
        share = times * Fraction(self.thousandths, 1000)
        yield Comparison(share * Fraction(int(right.numerator), int(right.denominator)), left)


def _equal_steps(
    name: str, place: str, cls: str, alpha: Number, beta: Number, thousandths: int, slope: Number = SLOPE
) -> Whole:
    """Sixty-one equal steps towards the wall, in a class of schedules; only where any schedule will do the run ends there."""
    words = f"f(x) = {slope} x - x^2/2 on [0, 1] from 1, no noise; 61 steps of {alpha}, beta = {beta}"
    coming = mpq(0) if cls == "any" else alpha / beta
    sides = partial(schedule_at, wall(slope), cls, [alpha] * 61, beta, HALF, coming)
    return Whole(name, f"beyond/schedule/{place}", words, sides, thousandths)


def _sgd(name: str, label: str, sides: Callable[..., Sides], thousandths: int) -> Whole:
    """A run of 144 steps towards the wall without momentum, in a bound for any momentum."""
    words = f"f(x) = {SLOPE} x - x^2/2 on [0, 1] from 1, no noise; 144 steps, alpha_0 = 1/5, beta = 1"
    return Whole(name, label, words, partial(sides, wall(SLOPE), 12, mpq(1, 5), ONE, HALF), thousandths)


ROWS = (
    _equal_steps("Any schedule under (A2)", "any", "any", mpq(1, 20), ONE, 598),
    _equal_steps("Falling steps under (A2), first bound", "monotone", "monotone", mpq(1, 20), ONE, 598),
    _equal_steps("Falling steps under (A2), second bound", "monotone", "rough", mpq(3, 80), mpq(3, 4), 556),
    _equal_steps("Falling steps, smooth, first bound", "falling", "sharp", mpq(9, 200), mpq(9, 10), 653),
    _equal_steps("Falling steps, smooth, second bound", "falling", "falling", mpq(1, 20), ONE, 652),
    _equal_steps("Log-concave steps, smooth", "concave", "concave", mpq(1, 20), ONE, 708),
    _equal_steps("Warm-up, smooth", "warm", "warm", mpq(1, 8), ONE, 409, mpq(1001, 1000)),
    _sgd("Any momentum under (A2)", "beyond/momentum/any", theorem_1_at, 711),
    _sgd("Without a bounded gradient, any momentum", "beyond/open/bound", open_question_at, 743),
)


def _check(row: Whole) -> Check:
    what = f"{row.name}: a run needs {row.thousandths / 10:.4g} per cent of the bound"
    return exact(row.needs, what, "eleven tenths of it", times=Fraction(11, 10))


WHOLE = here.claim(
    "beyond/constants/whole",
    "How much of the bounds for schedules and for any momentum a run needs",
    words=(
        "Not in the paper. For each bound for stepsizes that change, or for any momentum, an explicit run without noise, in exact numbers, "
        "and the share of the whole bound that it needs."
    ),
    more=[_check(row) for row in ROWS],
)
