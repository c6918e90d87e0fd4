r"""Small random rational problems, made to be hard for the lemmas: kinks at an iterate, rare large samples, minima on the boundary."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from gmpy2 import mpq

from shbcore.model import checks
from shbcore.model.constants import Number
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem, combine


@dataclass(frozen=True)
class Instance:
    """A small exact problem, an interval and a start in it; ``kind`` says what it is made to be."""

    kind: str
    problem: RationalProblem
    X: Interval
    x0: Number


KINDS = ("kinked", "smooth", "rare", "boundary", "linear noise")
"""What an instance can be made to be; :func:`random_instance` says what each is."""


def random_instance(
    kind: str, rng: np.random.Generator, *, bounded: bool = True, number: Callable[..., Number] = Fraction
) -> Instance:
    r"""A small random rational problem with two or three samples; ``kind`` is one of five.

    ``kinked``: kinks on a coarse grid, the start on one of them.  ``smooth``: :math:`f\in C^1` with non-convex pieces, noise of bounded
    variance.  ``rare``: a large sample of small weight.  ``boundary``: the minimiser is an end of :math:`\mathcal X`.  ``linear
    noise``: :math:`f=0`, samples :math:`s_ix`.  Unbounded problems are bounded below and, unless smooth, Lipschitz.  ``number`` is the
    type in which it is made, ``Fraction`` or, faster, ``gmpy2.mpq``.
    """
    checks.one_of("kind", kind, KINDS, "instances made to be hard for the lemmas")
    checks.generator(rng)
    checks.instance(bool, "bounded", bounded, "whether X is bounded")
    if number is not Fraction and number is not mpq:
        checks.fail("number", number, "be Fraction or gmpy2.mpq", "exact numbers")

    def draw(low: int, high: int, denominator: int) -> Number:
        return number(int(rng.integers(low, high + 1)), denominator)

    def noise(scale: int) -> tuple[list[Number], list[Number]]:
        """Weights, and slopes of mean zero."""
        count = int(rng.integers(2, 4))
        raw = [number(int(rng.integers(1, 5))) for _ in range(count)] if kind != "rare" else [number(1), number(24)]
        weights = [w / sum(raw) for w in raw]
        first = [draw(-scale, scale, 2) for _ in weights[1:]]
        return weights, [-sum((w * s for w, s in zip(weights[1:], first)), number(0)) / weights[0], *first]

    weights, tilts = noise(4)
    count = int(rng.integers(1, 4))
    breaks = sorted(number(int(k), 2) for k in rng.choice(range(-4, 5), size=count, replace=False))
    width = draw(2, 6, 2)
    X = Interval(-width, width) if bounded else REAL_LINE
    shared = [draw(-4, 2, 2) for _ in breaks[1:]]
    samples: list[PiecewiseQuadratic] = []
    for tilt in tilts:
        inner = [a + draw(-2, 2, 4) for a in shared] if kind != "linear noise" else [number(0) for _ in shared]
        tails = [draw(0, 2, 2), draw(0, 2, 2)] if kind == "smooth" and not samples else [number(0)] * 2
        if kind == "smooth" and samples:  # equal tails: the variance stays bounded on the whole line
            tails = [samples[0].pieces[0][0], samples[0].pieces[-1][0]]
        jumps = [draw(0, 4, 2) if kind in ("kinked", "rare", "boundary") else number(0) for _ in breaks]
        samples.append(PiecewiseQuadratic.build(breaks, [tails[0], *inner, tails[1]], jumps, slope=tilt))
    f = combine(weights, samples)
    outward = max(abs(f.pieces[0][1]), abs(f.pieces[-1][1])) if kind != "linear noise" and not bounded else number(0)
    if kind == "smooth" and outward:
        bowl = PiecewiseQuadratic.build((), [number(1)])
        samples = [combine([number(1)] * 2, [s, bowl]) for s in samples]
    elif outward:
        bowl = PiecewiseQuadratic.build([number(0)], [0, 0], [2 * outward], slope=-outward)
        samples = [combine([number(1)] * 2, [s, bowl]) for s in samples]
    if kind == "boundary":
        X = Interval(-width, None if not bounded else width)
        steep = 1 + max(abs(s) for x in (-width, width, *f.breaks) for s in f.slopes(x))
        samples = [combine([number(1)] * 2, [s, PiecewiseQuadratic.build((), [0], slope=steep)]) for s in samples]
    x0 = X.project(breaks[int(rng.integers(count))])
    return Instance(kind, RationalProblem(tuple(samples), tuple(weights)), X, x0)
