r"""Runs without noise on the line that use up much of a bound on the gap: teeth, a wall, a slide.  All in exact numbers.

Where the slope grows on the way down, :math:`\hat x_k` lies where it is steeper than at :math:`x_k`; and the momentum carries
:math:`\bar x_k` beyond a wall.
"""

from functools import cache
from typing import Any

from gmpy2 import ceil, floor, mpq

from shbcore.claims.beyond.enumerated import Case, constant_steps, gradients
from shbcore.claims.beyond.fresh import HALF, ONE, Run
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem

Number = Any


def _problem(f: PiecewiseQuadratic) -> RationalProblem:
    return RationalProblem((f,)).to(mpq)


def measured(case: Case, root: int, alpha_0: Number, *, envelope: Number = HALF) -> Run:
    r"""The method for :math:`K+1=N^2` steps with :math:`z_0=\beta g_0`, :math:`\alpha=\alpha_0/N`, :math:`\beta=1/N`."""
    K = root * root - 1
    found = gradients(case, *constant_steps(alpha_0 / root, mpq(1, root), K, False), envelope)
    steepest = case.problem.known_L2(case.X).value
    return Run(root, sum(found, mpq(0)) / (K + 1), steepest, mpq(0), case.gap, G2=steepest)


def wall_case(slope: Number) -> Case:
    r""":math:`f(x)=(1+s)x-\frac12x^2` on :math:`[0,1]` from :math:`x_0=1`: the slope grows from :math:`s` to :math:`1+s`, then a wall."""
    return Case(_problem(PiecewiseQuadratic.build((), [-1], slope=1 + slope)), Interval(mpq(0), mpq(1)), mpq(1))


@cache
def wall(root: int, slope: Number, alpha_0: Number = ONE) -> Run:
    r"""A run against the wall; :math:`\rho=1`, :math:`\lambda=\frac12`."""
    return measured(wall_case(slope), root, alpha_0)


def slide_case(slope: Number, length: Number) -> Case:
    r"""No wall: from the slope :math:`s` with curvature :math:`-1` over a length :math:`w`, then with curvature 1 to the minimum."""
    steep = slope + length
    f = PiecewiseQuadratic.build([mpq(0), length], [1, -1, 0], slope=steep)
    return Case(_problem(f), REAL_LINE, length)


@cache
def slide(root: int, slope: Number, length: Number, alpha_0: Number) -> Run:
    r"""A run down the slide; :math:`\rho=1`, :math:`\lambda=\frac12`."""
    return measured(slide_case(slope, length), root, alpha_0)


def teeth_case(reach: Number, low: Number, *, smooth: bool = False) -> Case:
    r"""Teeth down to :math:`-\text{reach}`, from 0: the slope grows on the way down from ``low`` to 1 with curvature :math:`-1`, and falls
    back, at once or (``smooth``) with curvature 1.  Below, :math:`f` is constant, or runs out with curvature 1."""
    width = 1 - low
    count = int(ceil(reach / width)) - 1
    inner = [-j * width for j in range(count, 0, -1)]
    rest = reach - count * width
    if not smooth:
        jumps = [low + rest, *(width for _ in inner), 0]
        f = PiecewiseQuadratic.build([-reach, *inner, mpq(0)], [0, -1, *(-1 for _ in inner), 0], jumps, slope=0)
    else:
        bends = [-1 if j % 2 == 0 else 1 for j in range(count, -1, -1)]
        end = low + rest if count % 2 == 0 else 1 - rest  # the slope there
        f = PiecewiseQuadratic.build([-reach - end, -reach, *inner, mpq(0)], [0, 1, *bends, 0], slope=0)
    return Case(_problem(f), REAL_LINE, mpq(0))


@cache
def teeth(root: int, low: Number, alpha_0: Number = ONE, *, smooth: bool = False) -> Run:
    r"""A run down the teeth, as long as it takes: they end below the lowest prox point."""
    far = 2 * alpha_0 * root + 4
    case = teeth_case(far, low, smooth=smooth)
    alpha, beta = alpha_0 / root, mpq(1, root)
    envelope, x, d, lowest = case.problem.moreau(case.X, envelope=mpq(1, 2)), case.x0, mpq(0), mpq(0)
    for _ in range(root * root):
        bar = x - (1 - beta) * alpha / beta * d
        lowest = min(lowest, bar - envelope.subgradient(bar) / 2)
        d = beta * case.problem.mean_subgradient(x) + (1 - beta) * d
        x -= alpha * d
    reach = mpq(int(floor(-lowest * 1024)) + 1, 1024)
    assert reach < far
    return measured(teeth_case(reach, low, smooth=smooth), root, alpha_0)
