r"""Small problems on the line on which one step needs all, or most, of the constant of its lemma.

All at :math:`\rho=1`, :math:`\lambda=\frac12`, :math:`\alpha=\frac14`, :math:`\beta=\frac12`, hence :math:`\nu=2`, :math:`\xi=\frac14`.
"""

from dataclasses import dataclass
from fractions import Fraction as Q

from shbcore.claims.trial import REAL_LINE, Trial
from shbcore.model.parameters import Parameters
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.staircase import staircase

ALPHA, BETA, LAMBDA = Q(1, 4), Q(1, 2), Q(1, 2)
LONG = 30
r"""So many steps that :math:`d_k` is nearly 1 on the staircase."""
RARE = 64
r"""A sample of size 64 with probability 1/4097, else 1/64 the other way: the variance is 1."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem, the step at which it is looked at, and what it is in words."""

    trial: Trial
    k: int
    words: str


def _trial(problem: RationalProblem, x_0: Q, X: Interval = REAL_LINE, *, smooth: bool = False) -> Trial:
    return Trial(problem, X, x_0, ALPHA, BETA, start="repaired", envelope=LAMBDA, smooth=smooth)


def stairs(kinks: int) -> Instance:
    problem, _ = staircase(Parameters(ALPHA, BETA), kinks, weak_convexity=Q(1))
    words = f"the staircase at k = {LONG}: a kink under every iterate, curvature -1 between, every subgradient 1"
    return Instance(_trial(problem, Q(0)), LONG, words)


def _two_kinks() -> Instance:
    x_0 = ALPHA * BETA  # with g_0 = 1 and the repaired start x_1 = 0
    f = PiecewiseQuadratic.build([0, x_0], [0, -1, 0], [2, x_0], slope=-1, at_kinks=[1, 1])
    words = "f(x) = -x for x <= 0, x - x^2/2 up to x_0 = 1/8, slope 1 beyond; no noise; g_0 = g_1 = 1, x_1 = 0; k = 1"
    return Instance(_trial(RationalProblem((f,)), x_0), 1, words)


def _noisy(curvature: int, slope: Q, law: dict[Q, Q], X: Interval) -> Trial:
    samples = tuple(PiecewiseQuadratic.build((), [curvature], slope=slope + e) for e in law)
    return _trial(RationalProblem(samples, tuple(law.values())), Q(0), X, smooth=True)


def rare_jump(slope: Q, rare: int = RARE) -> Instance:
    r"""A wall at :math:`x_0`, a slope towards it, and a rare sample that jumps away from it."""
    law = {Q(-rare): Q(1, rare**2 + 1), Q(1, rare): Q(rare**2, rare**2 + 1)}
    words = (
        f"f(x) = {slope} x + x^2/2 on [0, oo), x_0 = 0, noise -{rare} with probability 1/{rare**2 + 1}, "
        f"else 1/{rare}; k = 0"
    )
    return Instance(_noisy(1, slope, law, Interval(Q(0), None)), 0, words)


TWO_KINKS = _two_kinks()
BOWL = Instance(
    _noisy(1, Q(0), {Q(1): Q(1, 2), Q(-1): Q(1, 2)}, REAL_LINE),
    0,
    "f(x) = x^2/2, x_0 = 0, noise +-1 with probability 1/2; k = 0",
)
CAP = Instance(
    _trial(RationalProblem((PiecewiseQuadratic.build((), [-1]),)), Q(1), smooth=True),
    0,
    "f(x) = -x^2/2, x_0 = 1, no noise; k = 0",
)
