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

    def needs(self, share: Fraction) -> Iterator[Comparison]:
        left, right = self.sides()
        yield Comparison(share * Fraction(int(right.numerator), int(right.denominator)), left)


def steps(alpha: Number, K: int) -> list[Number]:
    return [mpq(alpha)] * (K + 1)


def _schedule(
    cls: str, alpha: Number, beta: Number, slope: Number = SLOPE, last: Number | None = None
) -> Callable[[], Sides]:
    """Sixty-one equal steps towards the wall; ``last`` is what the coming steps would weigh."""
    coming = alpha / beta if last is None else last
    return lambda: schedule_at(wall(slope), cls, steps(alpha, 60), beta, HALF, coming)


WALL = "f(x) = 11/10 x - x^2/2 on [0, 1] from 1, no noise"
ROWS = (
    Whole(
        "Any schedule under (A2)",
        "beyond/schedule/any",
        f"{WALL}; 61 steps of 1/20, beta = 1",
        _schedule("any", mpq(1, 20), ONE, last=mpq(0)),
        598,
    ),
    Whole(
        "Falling steps under (A2), first bound",
        "beyond/schedule/monotone",
        f"{WALL}; 61 steps of 1/20, beta = 1",
        _schedule("monotone", mpq(1, 20), ONE),
        598,
    ),
    Whole(
        "Falling steps under (A2), second bound",
        "beyond/schedule/monotone",
        f"{WALL}; 61 steps of 3/80, beta = 3/4",
        _schedule("rough", mpq(3, 80), mpq(3, 4)),
        556,
    ),
    Whole(
        "Falling steps, smooth, first bound",
        "beyond/schedule/falling",
        f"{WALL}; 61 steps of 9/200, beta = 9/10",
        _schedule("sharp", mpq(9, 200), mpq(9, 10)),
        653,
    ),
    Whole(
        "Falling steps, smooth, second bound",
        "beyond/schedule/falling",
        f"{WALL}; 61 steps of 1/20, beta = 1",
        _schedule("falling", mpq(1, 20), ONE),
        652,
    ),
    Whole(
        "Log-concave steps, smooth",
        "beyond/schedule/concave",
        f"{WALL}; 61 steps of 1/20, beta = 1",
        _schedule("concave", mpq(1, 20), ONE),
        708,
    ),
    Whole(
        "Warm-up, smooth",
        "beyond/schedule/warm",
        "f(x) = 1001/1000 x - x^2/2 on [0, 1] from 1, no noise; 61 steps of 1/8, beta = 1",
        _schedule("warm", mpq(1, 8), ONE, mpq(1001, 1000)),
        409,
    ),
    Whole(
        "Any momentum under (A2)",
        "beyond/momentum/any",
        f"{WALL}; 144 steps, alpha_0 = 1/5, beta = 1",
        partial(theorem_1_at, wall(SLOPE), 12, mpq(1, 5), ONE, HALF),
        711,
    ),
    Whole(
        "Without a bounded gradient, any momentum",
        "beyond/open/bound",
        f"{WALL}; 144 steps, alpha_0 = 1/5, beta = 1",
        partial(open_question_at, wall(SLOPE), 12, mpq(1, 5), ONE, HALF),
        743,
    ),
)


def _check(row: Whole) -> Check:
    share = Fraction(row.thousandths, 1000)
    what = f"{row.name}: a run needs {float(100 * share):.4g} per cent of the bound"
    more = partial(row.needs, share * Fraction(11, 10))
    return exact(what, partial(row.needs, share), more, "eleven tenths of it")


WHOLE = here.claim(
    "beyond/constants/whole",
    "How much of the bounds for schedules and for any momentum a run needs",
    words=(
        "Not in the paper. For each bound for stepsizes that change, or for any momentum, an explicit run without noise, in exact numbers, "
        "and the share of the whole bound that it needs."
    ),
    more=[_check(row) for row in ROWS],
)
