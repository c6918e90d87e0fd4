r"""One-dimensional piecewise quadratics in exact arithmetic: value, subgradient, minimum, prox and Moreau envelope.

Everything uses ``+ - * /`` and comparisons only, so the same code runs in ``Fraction``, ``gmpy2.mpq`` and floats.  The Moreau
envelope of a weakly convex piecewise quadratic is a piecewise quadratic again; it is built once and then evaluated like any other.
"""

from __future__ import annotations

import numbers
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import gmpy2

from shbcore.model import checks
from shbcore.model.constants import Number
from shbcore.model.problems import Constants, Known

Piece = tuple[Number, Number, Number]
r"""Coefficients ``(a, b, c)`` of :math:`\tfrac a2x^2+bx+c`."""

FLOAT_TOLERANCE = 1e-9
"""Relative mismatch allowed at a break when the data are floats; exact data are compared exactly."""


WHY = "an exact problem on the line"
EXACT = (Fraction, type(gmpy2.mpq()))


def exact(number: Number, name: str = "number") -> Number:
    """An ``int`` as a ``Fraction`` (so that division stays exact); any other finite number as it is."""
    if type(number) in EXACT:
        return number
    number = checks.number(name, number, WHY)
    return Fraction(int(number)) if isinstance(number, numbers.Integral) else number


def _line(x: Number, name: str = "x") -> Number:
    """A point of the line."""
    if type(x) in EXACT:
        return x
    return checks.number(name, x, "points of an exact problem are numbers")


def _evaluate(piece: Piece, x: Number) -> Number:
    a, b, c = piece
    return (a * x / 2 + b) * x + c


def _slope(piece: Piece, x: Number) -> Number:
    return piece[0] * x + piece[1]


def _excess(gap: Number, *scale: Number) -> bool:
    """Whether ``gap`` is above zero: exactly, or beyond rounding if it is a float."""
    return bool(gap > (FLOAT_TOLERANCE * (1 + max(map(abs, scale))) if isinstance(gap, float) else 0))


@dataclass(frozen=True)
class Interval:
    r"""The closed convex set :math:`\mathcal X=[lo,hi]\subseteq\mathbb R`; ``None`` is an infinite end."""

    lo: Number | None = None
    hi: Number | None = None

    def __post_init__(self) -> None:
        for name in ("lo", "hi"):
            end = getattr(self, name)
            if end is not None:
                checks.number(name, end, "a finite end, or None; X is a closed convex set, eqn:objective")
                object.__setattr__(self, name, exact(end))
        if self.lo is not None and self.hi is not None and self.lo > self.hi:
            checks.fail("lo", self.lo, f"be at most hi = {self.hi}", "X is not empty, eqn:objective")

    @property
    def n(self) -> int:
        return 1

    @property
    def diameter(self) -> Number:
        return float("inf") if self.lo is None or self.hi is None else self.hi - self.lo

    def project(self, x: Number) -> Number:
        x = _line(x)
        if self.lo is not None and x < self.lo:
            return self.lo
        return self.hi if self.hi is not None and x > self.hi else x

    def contains(self, x: Number, tol: Number = 0) -> bool:
        return bool(abs(x - self.project(x)) <= checks.nonnegative("tol", tol, "membership up to rounding"))


REAL_LINE = Interval()


def _numbers(name: str, values: Any) -> tuple[Number, ...]:
    """A sequence of finite numbers, integers as fractions."""
    return tuple(exact(value, name) for value in checks.sequence(name, values, WHY))


@dataclass(frozen=True)
class PiecewiseQuadratic:
    r"""Continuous :math:`f` with :math:`f(x)=\tfrac{a_j}2x^2+b_jx+c_j` between consecutive ``breaks``, weakly convex.

    ``at_kinks[j]`` is the subgradient the oracle returns at ``breaks[j]``, anywhere between the one-sided slopes; the default is
    their mean.  A kink with a falling slope has no Fréchet subgradient and is refused.
    """

    breaks: tuple[Number, ...]
    pieces: tuple[Piece, ...]
    at_kinks: tuple[Number, ...] | None = None

    def __post_init__(self) -> None:
        breaks = _numbers("breaks", self.breaks)
        rows = [_numbers("pieces", piece) for piece in checks.sequence("pieces", self.pieces, WHY)]
        if any(len(row) != 3 for row in rows):
            checks.fail("pieces", self.pieces, "have three coefficients (a, b, c) each", WHY)
        pieces = tuple((a, b, c) for a, b, c in rows)
        if len(pieces) != len(breaks) + 1:
            checks.fail("pieces", self.pieces, f"be {len(breaks) + 1} for {len(breaks)} breaks, not {len(pieces)}", WHY)
        if any(s >= t for s, t in pairwise(breaks)):
            checks.fail("breaks", breaks, "increase strictly", WHY)
        slopes = [(_slope(p, x), _slope(q, x)) for x, p, q in zip(breaks, pieces, pieces[1:])]
        for x, p, q, (left, right) in zip(breaks, pieces, pieces[1:], slopes):
            here = (_evaluate(p, x), _evaluate(q, x))
            if _excess(abs(here[0] - here[1]), *here):
                checks.fail("pieces", here, f"agree at the break {x}", "f must be continuous: it is weakly convex")
            if _excess(left - right, left, right):
                words = f"have convex kinks, but the slope falls from {left} to {right} at {x}"
                checks.fail("pieces", (p, q), words, "weak convexity needs convex kinks")
        chosen = tuple((left + right) / 2 for left, right in slopes)
        if self.at_kinks is not None:
            chosen = _numbers("at_kinks", self.at_kinks)
            if len(chosen) != len(breaks):
                checks.fail("at_kinks", chosen, f"be one for each of the {len(breaks)} breaks", WHY)
            for x, g, (left, right) in zip(breaks, chosen, slopes):
                if _excess(left - g, left) or _excess(g - right, right):
                    checks.fail("at_kinks", g, f"be in the subdifferential [{left}, {right}] at {x}", "(A1)")
        for name, value in (("breaks", breaks), ("pieces", pieces), ("at_kinks", chosen)):
            object.__setattr__(self, name, value)

    @classmethod
    def build(
        cls,
        breaks: Sequence[Number],
        curvatures: Sequence[Number],
        jumps: Sequence[Number] | None = None,
        *,
        slope: Number = 0,
        value: Number = 0,
        at_kinks: Sequence[Number] | None = None,
    ) -> PiecewiseQuadratic:
        """From the curvature of every piece and the jump of the slope at every break; ``slope`` (from the left) and ``value`` are
        those at the first break, or at 0 if there is none.  No jumps means continuously differentiable."""
        breaks, curvatures = _numbers("breaks", breaks), _numbers("curvatures", curvatures)
        jumps = (exact(0),) * len(breaks) if jumps is None else _numbers("jumps", jumps)
        if len(curvatures) != len(breaks) + 1:
            checks.fail("curvatures", curvatures, f"be {len(breaks) + 1} for {len(breaks)} breaks", WHY)
        if len(jumps) != len(breaks):
            checks.fail("jumps", jumps, f"be one for each of the {len(breaks)} breaks", WHY)
        at, slope, value = breaks[0] if breaks else exact(0), exact(slope, "slope"), exact(value, "value")
        pieces: list[Piece] = []
        for j, a in enumerate(curvatures):
            if j > 0:
                previous, at = pieces[-1], breaks[j - 1]
                slope, value = _slope(previous, at) + jumps[j - 1], _evaluate(previous, at)
            pieces.append((a, slope - a * at, value - slope * at + a * at * at / 2))
        return cls(breaks, tuple(pieces), None if at_kinks is None else _numbers("at_kinks", at_kinks))

    def to(self, number: Callable[[Number], Number]) -> PiecewiseQuadratic:
        """The same function in another number type, e.g. ``gmpy2.mpq`` or ``float``."""
        a, b, c = map(tuple, zip(*self.pieces))
        pieces = tuple(zip(map(number, a), map(number, b), map(number, c)))
        return PiecewiseQuadratic(tuple(map(number, self.breaks)), pieces, tuple(map(number, self.at_kinks or ())))

    def value(self, x: Number) -> Number:
        x = _line(x)
        return _evaluate(self.pieces[bisect_left(self.breaks, x)], x)

    def slopes(self, x: Number) -> tuple[Number, Number]:
        r"""One-sided derivatives :math:`(f'_-(x), f'_+(x))`; between them lies :math:`\partial f(x)`."""
        x = _line(x)
        return _slope(self.pieces[bisect_left(self.breaks, x)], x), _slope(self.pieces[bisect_right(self.breaks, x)], x)

    def subgradient(self, x: Number) -> Number:
        x = _line(x)
        j = bisect_left(self.breaks, x)
        if j < len(self.breaks) and self.breaks[j] == x:
            assert self.at_kinks is not None
            return self.at_kinks[j]
        return _slope(self.pieces[j], x)

    @cached_property
    def weak_convexity(self) -> Number:
        r"""The smallest :math:`\rho\ge0` for which :math:`f+\tfrac\rho2x^2` is convex: minus the smallest curvature, or 0."""
        return max(-min(a for a, _, _ in self.pieces), 0 * self.pieces[0][0])

    @cached_property
    def smooth(self) -> bool:
        """Whether the slopes match at every break."""
        return all(left == right for left, right in map(self.slopes, self.breaks))

    @cached_property
    def smoothness(self) -> Number:
        r"""Lipschitz constant of :math:`f'` when :math:`f` is smooth: the largest :math:`|a_j|`."""
        if not self.smooth:
            checks.fail("f", self, "be smooth: f has kinks", "section 4 needs matching slopes at every break")
        return max(abs(a) for a, _, _ in self.pieces)

    def restricted(self, X: Interval) -> tuple[tuple[Number, ...], tuple[Piece, ...]]:
        """The breaks inside ``X`` and the pieces that meet it."""
        checks.instance(Interval, "X", X, "a closed convex set on the line")
        first = 0 if X.lo is None else bisect_right(self.breaks, X.lo)
        last = len(self.breaks) if X.hi is None else max(bisect_left(self.breaks, X.hi), first)
        return self.breaks[first:last], self.pieces[first : last + 1]

    def minimum(self, X: Interval = REAL_LINE) -> tuple[Number, Number]:
        r"""``(value, point)`` of :math:`\inf_{x\in\mathcal X}f(x)`; an unbounded :math:`f` is refused (:math:`f^\star>-\infty`)."""
        breaks, pieces = self.restricted(X)
        ends = (X.lo, *breaks, X.hi)
        for (a, b, _), end, sign in ((pieces[0], X.lo, 1), (pieces[-1], X.hi, -1)):
            if end is None and (a < 0 or (a == 0 and sign * b > 0)):
                checks.fail("X", X, "bound f below, but f is unbounded below on X", "the theorems need f* > -inf")
        points = [x for x in ends if x is not None]
        for (a, b, _), lo, hi in zip(pieces, ends, ends[1:]):
            if a > 0 and (lo is None or -b / a > lo) and (hi is None or -b / a < hi):
                points.append(-b / a)
        return min((self.value(x), x) for x in points or [0 * self.pieces[0][0]])

    def moreau(self, X: Interval = REAL_LINE, *, envelope: Number) -> PiecewiseQuadratic:
        r"""The Moreau envelope :math:`F_\lambda` of :math:`F=f+\mathsf I_{\mathcal X}`, exactly, for :math:`1/\lambda>\rho`.

        Where the prox lies inside a piece, :math:`F_\lambda=\tfrac a{2(1+\lambda a)}x^2+\tfrac b{1+\lambda a}x+c-\tfrac{\lambda
        b^2}{2(1+\lambda a)}`; where it sits on a kink or an end :math:`y`, :math:`F_\lambda=f(y)+\tfrac1{2\lambda}(x-y)^2`.
        """
        lam = exact(checks.positive("envelope", envelope, "lambda of eq:moreau:env"))
        if lam * self.weak_convexity >= 1:
            words = f"satisfy 1/lambda > rho: 1/envelope must be above weak_convexity = {self.weak_convexity}"
            checks.fail("envelope", envelope, words, "prox")
        inner, pieces = self.restricted(X)

        def resting(y: Number) -> Piece:
            return 1 / lam, -y / lam, self.value(y) + y * y / (2 * lam)

        def moving(piece: Piece) -> Piece:
            a, b, c = piece
            return a / (1 + lam * a), b / (1 + lam * a), c - lam * b * b / (2 * (1 + lam * a))

        if X.lo is not None and X.lo == X.hi:
            return PiecewiseQuadratic((), (resting(X.lo),))
        out: list[Piece] = [] if X.lo is None else [resting(X.lo)]
        at: list[Number] = [] if X.lo is None else [X.lo + lam * self.slopes(X.lo)[1]]
        for y, piece in zip(inner, pieces):
            left, right = self.slopes(y)
            out.append(moving(piece))
            at.append(y + lam * left)
            if y + lam * right > at[-1]:  # thresholds, not slopes: floats may differ by rounding alone
                out.append(resting(y))
                at.append(y + lam * right)
        out.append(moving(pieces[-1]))
        if X.hi is not None:
            at.append(X.hi + lam * self.slopes(X.hi)[0])
            out.append(resting(X.hi))
        if any(s >= t for s, t in pairwise(at)):
            words = "keep the kinks of the envelope apart: in floats lambda is too large"
            checks.fail("envelope", envelope, words, "exact numbers have no such limit")
        return PiecewiseQuadratic(tuple(at), tuple(out))

    def prox(self, x: Number, X: Interval = REAL_LINE, *, envelope: Number) -> Number:
        r""":math:`\hat x=x-\lambda F_\lambda'(x)`."""
        return x - self.moreau(X, envelope=envelope).subgradient(_line(x)) * exact(envelope)


def combine(weights: Sequence[Number], functions: Sequence[PiecewiseQuadratic]) -> PiecewiseQuadratic:
    r"""The function :math:`\sum_iw_if_i`, with :math:`\sum_iw_if_i'` as its subgradient at every break.

    A weight may be negative if the sum is weakly convex all the same; where it is not, it is refused.
    """
    weights = _numbers("weights", weights)
    functions = checks.sequence("functions", functions, WHY, least=1)
    for f in functions:
        checks.instance(PiecewiseQuadratic, "functions", f, WHY)
    if len(weights) != len(functions):
        checks.fail("weights", weights, f"be {len(functions)} numbers", checks.LAW)
    breaks = tuple(sorted({x for f in functions for x in f.breaks}))
    rows = [[f.pieces[bisect_right(f.breaks, x)] for f in functions] for x in breaks]
    pieces = [
        tuple(sum(w * piece[c] for w, piece in zip(weights, row)) for c in range(3))
        for row in ([f.pieces[0] for f in functions], *rows)
    ]
    kinks = tuple(sum(w * f.subgradient(x) for w, f in zip(weights, functions)) for x in breaks)
    return PiecewiseQuadratic(breaks, tuple((a, b, c) for a, b, c in pieces), kinks)


@dataclass(frozen=True, eq=False)
class RationalProblem(Constants):
    r"""The finite sum :math:`f(x)=\sum_iw_if(x;i)` in one dimension, with every constant of the paper exact.

    Points and subgradients are plain numbers.  The constants are squares where the paper has norms (:math:`L^2,\sigma^2,G^2`), since
    those are rational.  No weights means uniform ones.
    """

    samples: tuple[PiecewiseQuadratic, ...]
    weights: tuple[Number, ...] = ()

    def __post_init__(self) -> None:
        samples = checks.sequence("samples", self.samples, "a finite sum", least=1)
        for f in samples:
            checks.instance(PiecewiseQuadratic, "samples", f, "a finite sum on the line")
        weights = _numbers("weights", self.weights) or (Fraction(1, len(samples)),) * len(samples)
        total = sum(weights)
        if len(weights) != len(samples) or any(not w > 0 for w in weights) or _excess(abs(total - 1), 0 * total):
            checks.fail("weights", weights, f"be {len(samples)} positive numbers of sum 1", checks.LAW)
        object.__setattr__(self, "samples", samples)
        object.__setattr__(self, "weights", weights)

    @property
    def n(self) -> int:
        return 1

    @property
    def m(self) -> int:
        return len(self.samples)

    def to(self, number: Callable[[Number], Number]) -> RationalProblem:
        """The same problem in another number type."""
        return RationalProblem(tuple(f.to(number) for f in self.samples), tuple(map(number, self.weights)))

    @cached_property
    def mean(self) -> PiecewiseQuadratic:
        r""":math:`f=\mathbb E_P[f(\cdot;S)]`, with the mean of the samples' subgradients at its breaks (A1)."""
        return combine(self.weights, self.samples)

    def value(self, x: Number) -> Number:
        return self.mean.value(x)

    def values(self, x: Number) -> list[Number]:
        return [f.value(x) for f in self.samples]

    def subgradients(self, x: Number) -> list[Number]:
        return [f.subgradient(x) for f in self.samples]

    def subgradient(self, x: Number, i: int) -> Number:
        return self.samples[checks.count("i", i, checks.LAW, least=0, most=self.m - 1)].subgradient(x)

    def mean_subgradient(self, x: Number) -> Number:
        return self.mean.subgradient(x)

    def known_rho(self) -> Known:
        return Known(self.mean.weak_convexity, "closed form", "minus the smallest curvature, at least 0")

    def known_smoothness(self) -> Known:
        return Known(
            self.mean.smoothness if self.mean.smooth else float("inf"), "closed form", "the largest |curvature|"
        )

    def _supremum(
        self,
        X: Interval,
        square: Callable[[Sequence[Number]], Number],
        curved: Callable[[Sequence[Number]], bool],
    ) -> Known:
        r"""Supremum over :math:`\mathcal X` of a convex function of the slopes: at one-sided limits and at chosen subgradients."""
        breaks, _ = self.mean.restricted(X)
        for end, j in ((X.lo, 0), (X.hi, -1)):
            if end is None and curved([f.pieces[j][0] for f in self.samples]):
                return Known(float("inf"), "closed form", "X is unbounded and the supremum over it is infinite")
        points = [x for x in (X.lo, *breaks, X.hi) if x is not None] or [0 * self.weights[0]]
        rows = []
        for x in points:
            sides = list(zip(*(f.slopes(x) for f in self.samples)))
            rows += [sides[0]] * (x != X.lo) + [sides[1]] * (x != X.hi) + [tuple(self.subgradients(x))]
        return Known(max(map(square, rows)), "closed form", "the largest over breaks and ends")

    def known_L2(self, X: Interval) -> Known:
        r""":math:`L^2=\sup_{x\in\mathcal X}\mathbb E|f'(x,S)|^2` of (A2)."""
        return self._supremum(X, self._second_moment, lambda curvatures: any(a != 0 for a in curvatures))

    def known_sigma2(self, X: Interval) -> Known:
        r""":math:`\sigma^2=\sup_{x\in\mathcal X}\mathbb E|f'(x,S)-f'(x)|^2` of (A3)."""
        return self._supremum(X, self._variance, lambda a: any(c != a[0] for c in a))

    def known_G2(self, X: Interval) -> Known:
        r""":math:`G^2=\sup_{x\in\mathcal X}|f'(x)|^2` of Theorem 2."""
        return self._supremum(X, lambda g: self._mean(g) ** 2, lambda a: bool(self._mean(a) != 0))

    def f_star(self, X: Interval) -> Number:
        r""":math:`f^\star=\inf_{x\in\mathcal X}f(x)`."""
        return self.mean.minimum(X)[0]

    def moreau(self, X: Interval, *, envelope: Number) -> PiecewiseQuadratic:
        r""":math:`F_\lambda` for :math:`F=f+\mathsf I_{\mathcal X}`; its derivative is :math:`\nabla F_\lambda`."""
        return self.mean.moreau(X, envelope=envelope)

    def _mean(self, row: Sequence[Number]) -> Number:
        return sum(w * g for w, g in zip(self.weights, row))

    def _variance(self, row: Sequence[Number]) -> Number:
        found = self._second_moment(row) - self._mean(row) ** 2
        return max(found, 0 * found)  # floats may fall below 0 by rounding

    def _second_moment(self, row: Sequence[Number]) -> Number:
        return sum(w * g * g for w, g in zip(self.weights, row))
