r"""A corner cut into many small turns: how much of the gradient at the start the printed start can cost, in exact arithmetic.

As in :mod:`shbcore.claims.beyond.necessity`, :math:`f(x)=x_1` in the plane without noise, :math:`\rho=1`, :math:`\lambda=\frac12`,
:math:`\alpha=\alpha_0/N`, :math:`\beta=1/N`, :math:`z_0=g_0`.  The first step is long; its velocity must turn by a right angle, into a
side along which :math:`f` does not change.  A turn by an angle costs the factor of its cosine.  The triangle turns twice; here the
polygon turns ``turns`` times by nearly the same angle, each side as long as one step, so that every iterate is a corner.
"""

import math
from fractions import Fraction
from functools import cache

from gmpy2 import mpq

from shbcore.claims.beyond.fresh import ONE, Run
from shbcore.claims.beyond.necessity import Point, along


def directions(turns: int) -> list[Point]:
    """Rational unit vectors that turn from minus the first axis to the second one; the last is the second axis."""
    found: list[Point] = []
    for j in range(1, turns):
        t = Fraction(math.tan(math.pi / 4 * j / turns)).limit_denominator(50)
        t = mpq(t.numerator, t.denominator)
        found.append((-(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)))
    return [*found, (mpq(0), mpq(1))]


def corners(root: int, turns: int, alpha_0: mpq = ONE) -> list[Point]:
    r"""The start, a corner for each of the first steps, and the end of the last side, two fifths of the way that is left."""
    alpha, beta = alpha_0 / root, mpq(1, root)
    x: Point = (mpq(0), mpq(0))
    found, z = [x], (mpq(1), mpq(0))
    for u in directions(turns):
        length = -(z[0] * u[0] + z[1] * u[1])  # the speed along the next side
        x = (x[0] + alpha * length * u[0], x[1] + alpha * length * u[1])
        found.append(x)
        z = (beta - (1 - beta) * length * u[0], -(1 - beta) * length * u[1])
    last = -z[1] * alpha / beta * mpq(2, 5)
    return [*found, (x[0], x[1] + abs(last))]


@cache
def polygon(root: int, turns: int, alpha_0: mpq = ONE) -> Run:
    r"""The exact mean of :math:`\|\nabla F_\lambda(\bar x_k)\|^2` over :math:`k=0,\dots,K`, :math:`K+1=N^2`."""
    shape = corners(root, turns, alpha_0)
    total = sum((value * count for value, count in along(shape, root, alpha_0)), mpq(0))
    gap = shape[0][0] - min(point[0] for point in shape)
    return Run(root, total / root**2, mpq(1), mpq(0), gap, mpq(1))
