r"""Exact runs in many dimensions: noise in a fresh direction at every step, so that one path stands for all.

:math:`f(x)=\frac h2\|x\|^2` near 0 on :math:`\mathbb R^{K+1}` or on the box :math:`[-r,r]^{K+1}`, the start is 0, and
:math:`f'(x,S)=\nabla f(x)\pm\sigma e_j` with probability one half, where :math:`j` is the first coordinate in which :math:`x` is still 0.
Step :math:`k` pushes coordinate :math:`k`, and no other step pushes it.  So every coordinate lives the same life, later by a step, up
to its sign, and all squared norms are the same on all :math:`2^{K+1}` paths.  :math:`\Delta=0`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from gmpy2 import mpq

Number = Any
Start = Literal["printed", "repaired"]
ZERO, HALF, ONE = mpq(0), mpq(1, 2), mpq(1)


@dataclass(frozen=True)
class Life:
    r"""A coordinate pushed once: after :math:`m=1,2,\dots` steps its square, and the square of its part of
    :math:`\nabla F_\lambda(\bar x)`."""

    x2: tuple[Number, ...]
    gradient2: tuple[Number, ...]


Room = tuple[Number, Number] | None


def life(
    alpha: Number,
    beta: Number,
    ages: int,
    *,
    bend: Number,
    envelope: Number,
    room: Room,
    push: Number,
    slope: Number = ZERO,
) -> Life:
    r"""The method on one coordinate: first the noise ``push`` in the direction, then none.

    ``slope`` and ``bend`` are the first two derivatives of :math:`f` at 0, ``room`` is the interval of the coordinate.
    """
    x, d, lengths, gradients = 0 * alpha, 0 * alpha, [], []
    for age in range(ages):
        z = beta * (slope + bend * x) + (1 - beta) * d + (push if age == 0 else 0)
        after = _clip(x - alpha * z, room)
        x, d = after, (x - after) / alpha
        bar = x - (1 - beta) * alpha / beta * d
        hat = _clip((bar - envelope * slope) / (1 + envelope * bend), room)
        lengths.append(x * x)
        gradients.append(((bar - hat) / envelope) ** 2)
    return Life(tuple(lengths), tuple(gradients))


def _clip(x: Number, room: Room) -> Number:
    return x if room is None else min(max(x, room[0]), room[1])


@dataclass(frozen=True)
class Run:
    r"""What a bound on a run is compared with: the mean of :math:`\|\nabla F_\lambda(\bar x_k)\|^2` over :math:`k=0,\dots,K` (exactly, or
    from below), :math:`\Delta`, :math:`\|\nabla f(x_0)\|^2`, and the constants with which (A2), (A3) and the bound :math:`G` hold."""

    root: int
    mean: Number
    L2: Number
    sigma2: Number
    gap: Number = ZERO
    slope2: Number = ZERO
    G2: Number = ZERO


def _room(alpha: Number) -> Room:
    r"""Two fifths of the way on which a push by 1 would carry a free coordinate: near :math:`1-e^{-1/2}`, the best share."""
    return -mpq(2, 5) * alpha, mpq(2, 5) * alpha


@cache
def run(
    root: int,
    bend: Number,
    *,
    boxed: bool = False,
    alpha_0: Number = ONE,
    start: Start = "repaired",
    envelope: Number = HALF,
) -> Run:
    r"""The exact mean for :math:`K+1=N^2` steps, :math:`\alpha=\alpha_0/N`, :math:`\beta=1/N`, :math:`\sigma=1`; ``root`` is :math:`N`.

    Coordinate :math:`j` has the age :math:`k-j` at :math:`\bar x_k`.  The printed start pushes coordinate 0 by :math:`\sigma`, where all
    others are pushed by :math:`\beta\sigma`; so :math:`f` does not depend on it, and it has a room of its own.  (A2) holds with
    :math:`\sigma^2+h^2R^2`, :math:`R` the largest :math:`\|x_k\|`: beyond :math:`R` let :math:`f` go on with the slope :math:`hR`.
    """
    if start not in ("printed", "repaired"):
        raise ValueError(f"start = {start!r}: 'printed' is z_0 = g_0, 'repaired' is z_0 = beta g_0")
    K, alpha, beta = root * root - 1, alpha_0 / root, mpq(1, root)
    usual = life(alpha, beta, K, bend=bend, envelope=envelope, room=_room(alpha) if boxed else None, push=beta)
    if not all(usual.x2):
        raise ValueError(f"bend = {bend}: a coordinate comes back to 0 and would be pushed again")
    pushed = K if start == "repaired" else K - 1  # how many coordinates live the usual life
    total = sum(((pushed + 1 - m) * e for m, e in enumerate(usual.gradient2[:pushed], 1)), mpq(0))
    if start == "printed":
        first = life(alpha, beta, K, bend=mpq(0), envelope=envelope, room=_room(alpha_0), push=mpq(1))
        total += sum(first.gradient2, mpq(0))
    radius2 = sum(usual.x2[:pushed], mpq(0))
    return Run(root, total / (K + 1), 1 + bend * bend * radius2, mpq(1))


CLOCK = mpq(1, 10**6)
"""The slope of the clock."""


@cache
def corner(root: int, *, alpha_0: Number, envelope: Number = HALF) -> Run:
    r"""Each coordinate in :math:`[0,3\alpha]` with :math:`f_j(t)=\frac{13}8\alpha t-\frac12t^2`, which is least at 0, where the start is.

    A coordinate comes back to 0, so that another one must tell the step: a clock, which goes down a slope of :math:`10^{-6}` and costs
    that much of a gap.  At step :math:`k` the noise is :math:`\pm e_k`.  A push into the wall does nothing, so each coordinate
    lives with probability one half, independently of all others.  The gradient of the clock is left out of the mean.
    """
    K, alpha, beta = root * root - 1, alpha_0 / root, mpq(1, root)
    slope, end = mpq(13, 8) * alpha, 3 * alpha
    assert slope * end >= end * end / 2, "0 is no minimum"
    one = life(alpha, beta, K, bend=mpq(-1), slope=slope, envelope=envelope, room=(mpq(0), end), push=-beta)
    total = sum(((K + 1 - m) * e for m, e in enumerate(one.gradient2, 1)), mpq(0)) / 2
    return Run(root, total / (K + 1), mpq(0), mpq(1), gap=CLOCK**2 * alpha * K)
