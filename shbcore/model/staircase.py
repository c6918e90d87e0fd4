r"""The staircase: a function on the line for which the constants of Lemmas 3 and 4 are sharp.

Without noise and with every subgradient equal to :math:`L`, the method has :math:`d_k=(1-(1-\beta)^k)L`.  Put a kink under every
iterate and curvature :math:`-\rho` between two of them.  Then every inequality in the proof of Lemma 3 becomes an equality
in the limit of large :math:`k`, as :math:`d_k` tends to :math:`L`.  In the proof of Lemma 4 the same is true at the last kink, if
:math:`1/\nu\le\lambda`; at an earlier kink it need not be.
"""

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from shbcore.model import checks
from shbcore.model.constants import Number
from shbcore.model.parameters import Parameters
from shbcore.model.rational import PiecewiseQuadratic, RationalProblem


class Staircase(NamedTuple):
    r"""The problem, and the iterates :math:`x_0>x_1>\dots>x_k` of the method with :math:`z_0=\beta g_0`, all on kinks."""

    problem: RationalProblem
    iterates: tuple[Number, ...]


def staircase(parameters: Parameters, steps: int, *, weak_convexity: Number, L: Number = 1) -> Staircase:
    r"""The staircase for ``steps`` steps down from :math:`x_0=0`; left of the last kink the slope is :math:`-L`.

    The slope to the right of every kink is :math:`L`, which is the subgradient there, and falls with curvature :math:`-\rho` up to
    the next one.  Fractions stay fractions.
    """
    checks.instance(Parameters, "parameters", parameters, "stepsize and momentum of alg:iters:def")
    steps = checks.count("steps", steps, "the iterates that stand on kinks", least=0, most=10**5)
    weak_convexity = checks.nonnegative("weak_convexity", weak_convexity, "f is rho-weakly convex")
    L = checks.positive("L", L, "(A2)")
    alpha, beta = parameters.alpha, parameters.beta
    moves = [alpha * (1 - (1 - beta) ** k) * L for k in range(1, steps + 1)]
    iterates = tuple(accumulate(moves, lambda x, move: x - move, initial=Fraction(0)))
    kinks = iterates[::-1]
    drops = [weak_convexity * (right - left) for left, right in pairwise(kinks)]
    if any(drop > 2 * L for drop in drops):
        checks.fail("weak_convexity", weak_convexity, "leave slopes of size at most L between kinks", "(A2)")
    bend = [0, *(-weak_convexity for _ in drops), 0]
    f = PiecewiseQuadratic.build(kinks, bend, [2 * L, *drops], slope=-L, at_kinks=[L] * len(kinks))
    return Staircase(RationalProblem((f,)), iterates)
