r"""The Moreau envelope and the prox of :math:`F=f+\mathsf I_{\mathcal X}`, with a certified gap or without an answer (``eq:moreau:env``).

.. math:: F_\lambda(y)=\min_{z\in\mathcal X}\Phi(z)=\Phi(\hat y),

.. math:: \Phi(z)=f(z)+\tfrac1{2\lambda}\|z-y\|^2.

For :math:`1/\lambda>\rho`, :math:`\Phi` is :math:`\kappa`-strongly convex, :math:`\kappa=1/\lambda-\rho`, so a gap bounds the
distance as well: :math:`\|z-\hat y\|^2\le2\,\mathrm{gap}/\kappa`.  What is known of :math:`f` decides how it is found:

============================================  =======================================================================
one-dimensional, exact numbers                in closed form: no gap
robust phase retrieval, whole space or ball   interior point method and its dual
smooth                                        accelerated projected gradient
anything else                                 cutting planes
============================================  =======================================================================

In the smooth case a subgradient :math:`v` of :math:`\Phi+\mathsf I_{\mathcal X}` at the point gives the gap :math:`\|v\|^2/(2\kappa)`.
A gap is rigorous in exact arithmetic; the rounding of :math:`\Phi` itself, some :math:`10^{-16}` of its terms, comes on top.
It presupposes that :math:`\rho` and the subgradients of the problem are right.  Where the points that were visited contradict
them, there is no certificate, and ``moreau`` says so in place of an answer.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem, exact
from shbcore.model.sets import Ball, ConvexSet, WholeSpace
from shbcore.numerics import bundle
from shbcore.numerics.phase_prox import Data, Saddle, prepare, solve
from shbcore.numerics.phase_prox_many import solve_many

PROBLEM = "a weighted finite sum, eqn:objective"
PROBES = 8
"""Coordinates along which a certificate is probed."""


@dataclass(frozen=True)
class Prox:
    r"""What :func:`moreau` answers: ``value`` bounds :math:`F_\lambda(y)` from above, ``value - gap`` from below;
    :math:`\hat y` is within ``radius`` of ``point``."""

    point: Any
    value: Any
    gap: Any
    radius: Any


def moreau(problem: Any, X: Any, y: Any, *, envelope: Any, tol: float = 1e-12) -> Prox:
    r"""Envelope :math:`F_\lambda(y)` and prox point :math:`\hat y`: aims at a gap of ``tol`` times the terms of :math:`\Phi`,
    reports the one reached.

    A gap of :math:`10^{-12}` places the point to about :math:`10^{-6}`: ask for less where the gradient matters.
    """
    check(problem, X, envelope, tol)
    if isinstance(problem, RationalProblem):
        return OnLine(problem, X, envelope)(y)
    y = checks.point(y, problem.n, "y")
    if _has_interior_point_method(problem, X):
        data = _prepared(problem, X, float(envelope))
        return _from_saddle(data, y, solve(data, y, tol))
    return _general(problem, X, y, float(envelope), tol)


def moreau_many(problem: Any, X: Any, Y: Any, *, envelope: Any, tol: float = 1e-12) -> list[Prox]:
    r""":func:`moreau` at every row of ``Y``.

    Phase retrieval shares one factorisation, which pays if the rows are close together, as the :math:`\bar x_k-\alpha g_i` of
    a conditional expectation are.
    """
    check(problem, X, envelope, tol)
    if isinstance(problem, RationalProblem):
        smoothed = OnLine(problem, X, envelope)
        return [smoothed(y) for y in checks.sequence("Y", Y, "points of the line")]
    Y = checks.array("Y", Y, (None, problem.n), f"rows of points in R^{problem.n}")
    if _has_interior_point_method(problem, X):
        data = _prepared(problem, X, float(envelope))
        return [_from_saddle(data, y, saddle) for y, saddle in zip(Y, solve_many(data, Y, tol), strict=True)]
    return [_general(problem, X, y, float(envelope), tol) for y in Y]


def check(problem: Any, X: Any, envelope: Any, tol: float) -> None:
    r"""A problem on a set of its own space, and :math:`\lambda` in the range in which the prox is a single point."""
    checks.positive("tol", tol, "the certified gap of the envelope")
    if not checks.positive("envelope", envelope, "lambda of eq:moreau:env") >= 1e-100:
        checks.fail("envelope", envelope, "be at least 1e-100", "1/lambda of eq:moreau:env is computed")
    if isinstance(problem, RationalProblem):
        checks.instance(Interval, "X", X, "an exact problem lives on the line")
        checks.envelope_parameter(envelope, weak_convexity=problem.rho, result="prox")
        return
    checks.answers("problem", problem, ("n", "value", "mean_subgradient", "known_rho", "known_smoothness"), PROBLEM)
    checks.instance(ConvexSet, "X", X, "eqn:objective minimises over a closed convex set")
    checks.same_dimension(problem.n, X)
    if hasattr(problem, "valid_on"):
        problem.valid_on(X)
    if not isinstance(problem, Hashable):
        checks.fail(
            "problem",
            problem,
            "be hashable: write @dataclass(frozen=True, eq=False)",
            "its constants are computed once: it must not change",
        )
    checks.envelope_parameter(checks.real("envelope", envelope, "lambda"), weak_convexity=_rho(problem), result="prox")


@lru_cache(maxsize=64)
def _rho(problem: Any) -> float:
    r"""The least :math:`\rho` known; problems are immutable, so it is computed once."""
    return float(problem.known_least_rho() if hasattr(problem, "known_least_rho") else problem.known_rho())


def _certified(problem: Any, point: Any, value: float, gap: float, radius: float) -> Prox:
    """The prox, unless the visited points contradict what the problem says of itself."""
    if gap < 0:
        words = (
            f"agree with its rho = {_rho(problem):g} and its subgradients, but a lower bound is exceeded by {-gap:.3g}"
        )
        checks.fail("problem", problem, words, "f is rho-weakly convex, and (A1)")
    if not math.isfinite(value) or not math.isfinite(gap):
        checks.fail("problem", problem, "have finite values near y", "the envelope is computed in floats")
    return Prox(point, value, gap, radius)


class OnLine:
    r"""The envelope of a problem on the line, built once as a piecewise quadratic: exact in exact arithmetic, with gap 0.

    In floats its value and its prox are compared with the least of :math:`\Phi` over all ends, breaks and stationary points, of which
    one is the prox: the gap is their difference and the rounding of :math:`\Phi`.  Where the two differ by more than rounding (a huge
    :math:`\lambda` wipes out the pieces of the envelope), the direct minimum is the answer.
    """

    def __init__(self, problem: RationalProblem, X: Interval, envelope: Any) -> None:
        envelope = exact(envelope, "envelope")
        self.f, self.X, self.envelope = problem.mean, X, envelope
        numbers = (envelope, X.lo, X.hi, *self.f.breaks, *(q for piece in self.f.pieces for q in piece))
        self.floating = any(isinstance(q, float) for q in numbers)
        try:
            self.F: PiecewiseQuadratic | None = problem.moreau(X, envelope=envelope)
        except (ValueError, OverflowError):
            if not self.floating:
                raise
            self.F = None  # the pieces of the envelope cannot be told apart in floats

    def __call__(self, y: Any) -> Prox:
        y = exact(y, "y")
        lam, F = self.envelope, self.F
        if not self.floating and not isinstance(y, float):
            assert F is not None
            return Prox(y - lam * F.subgradient(y), F.value(y), 0 * y, 0 * y)
        at, value = self._direct(y)
        if not math.isfinite(value):
            checks.fail("y", y, "keep the envelope in the range of floats", "eq:moreau:env")
        scale = abs(self.f.value(at)) + self._spread(at) + (at - y) * (at - y) / (2 * lam) + abs(value)
        rounding = 8 * np.finfo(float).eps * float(scale)
        where = 8 * np.finfo(float).eps * float(abs(at) + abs(y))
        if F is not None:
            point, built = y - lam * F.subgradient(y), F.value(y)
            if abs(built - value) <= 1e-12 * scale and abs(point - at) <= 1e-9 * (1 + abs(at)):
                return Prox(point, built, rounding + float(abs(built - value)), where + float(abs(point - at)))
        return Prox(at, value, rounding, where)

    def _direct(self, y: Any) -> tuple[Any, Any]:
        """The prox and the envelope by comparing all candidates."""
        breaks, pieces = self.f.restricted(self.X)
        found = [x for x in (self.X.lo, *breaks, self.X.hi) if x is not None]
        for a, b, _ in pieces:
            found.append(self.X.project((y - self.envelope * b) / (1 + self.envelope * a)))
        values = [(self.f.value(x) + (x - y) * (x - y) / (2 * self.envelope), x) for x in found]
        value, at = min(values)
        return at, value

    def _spread(self, x: Any) -> Any:
        """The size of the terms of f at a point."""
        a, b, c = self.f.pieces[min(bisect_left(self.f.breaks, x), len(self.f.breaks))]
        return abs(a) * x * x + abs(b * x) + abs(c)


def _has_interior_point_method(problem: Any, X: ConvexSet) -> bool:
    return isinstance(problem, RobustPhaseRetrieval) and isinstance(X, WholeSpace | Ball)


@lru_cache(maxsize=8)
def _prepared(problem: RobustPhaseRetrieval, X: ConvexSet, envelope: float) -> Data:
    ball: dict[str, Any] = {"centre": X.centre, "radius": X.radius} if isinstance(X, Ball) else {}
    return prepare(problem.A, problem.b, problem.weights, envelope=envelope, weak_convexity=_rho(problem), **ball)


def _from_saddle(data: Data, y: Array, at: Saddle) -> Prox:
    if not (math.isfinite(at.value) and math.isfinite(at.gap)):
        checks.fail("y", y, "keep f finite in floats", "the envelope is computed in floats")
    return Prox(at.point, at.value, at.gap, float(np.sqrt(2 * at.gap / data.kappa)))


def _general(problem: Any, X: ConvexSet, y: Array, envelope: float, tol: float) -> Prox:
    """Any problem; a search that leaves the range of floats is told of the point that was asked for."""
    found, first = None, X.project(y)
    with np.errstate(over="ignore", invalid="ignore"):
        if math.isfinite(problem.value(first) + (first - y) @ (first - y) / (2 * envelope)):
            try:
                found = _searched(problem, X, y, envelope, tol)
            except np.linalg.LinAlgError:
                pass
            except ValueError as error:
                if not str(error).startswith("x = ") or "be finite" not in str(error):
                    raise
    if found is None:
        words = f"keep the search in the range of floats, with envelope = {envelope:g}"
        checks.fail("y", y, words, "the envelope is computed in floats")
    return found


def _searched(problem: Any, X: ConvexSet, y: Array, envelope: float, tol: float) -> Prox:
    kappa, bend = 1 / envelope - _rho(problem), float(problem.known_smoothness())
    if np.isfinite(bend):
        found = _smooth(problem, X, y, envelope, tol, kappa, bend + 1 / envelope)
        return _probed(problem, X, y, envelope, found)
    point, value, gap = bundle.minimise(
        problem.value, problem.mean_subgradient, X, y, envelope=envelope, weak_convexity=_rho(problem), tol=tol
    )
    found = _certified(problem, point, value, gap, float(np.sqrt(2 * abs(gap) / kappa)))
    return _probed(problem, X, y, envelope, found)


def _probed(problem: Any, X: ConvexSet, y: Array, envelope: float, found: Prox) -> Prox:
    r"""The answer, unless :math:`\Phi` at a point nearby is below what was certified: the last word has the function itself."""
    at, axes = found.point, np.eye(problem.n)[:PROBES]
    size = 1 + float(np.linalg.norm(at))
    steps = np.vstack([sign * t * size * axes for t in (0.1, 1e-3) for sign in (1, -1)])
    below = 0.0
    for z in X.project(at + steps):
        value = problem.value(z) + (z - y) @ (z - y) / (2 * envelope)
        excess = found.value - found.gap - value
        scale = abs(found.value) + abs(value) + (z - y) @ (z - y) / envelope
        below = max(below, float(excess) if excess > bundle.ROUNDING * scale else 0.0)
    return found if below == 0 else _certified(problem, at, found.value, -below, found.radius)


def _smooth(
    problem: Any, X: ConvexSet, y: Array, envelope: float, tol: float, kappa: float, bend: float, most: int = 20_000
) -> Prox:
    r"""With :math:`z^+=\Pi(z-\nabla\Phi(z)/L)`, :math:`v=\nabla\Phi(z^+)-\nabla\Phi(z)+L(z-z^+)\in\partial(\Phi+I_X)(z^+)`.

    Strong convexity gives :math:`\Phi(z^+)-\min\Phi\le\|v\|^2/2\kappa` and :math:`\|z^+-\hat y\|\le\|v\|/\kappa`, whatever
    :math:`L`.  The gap is a square, so it is driven far below ``tol``, to where :math:`v` is lost in rounding.
    """
    momentum = (np.sqrt(bend) - np.sqrt(kappa)) / (np.sqrt(bend) + np.sqrt(kappa))

    def gradient(z: Array) -> Array:
        return np.asarray(problem.mean_subgradient(z) + (z - y) / envelope)

    old = z = best = X.project(y)
    least, age = np.inf, 0
    for _ in range(most):
        slope = gradient(z)
        new = X.project(z - slope / bend)
        v = gradient(new) - slope + bend * (z - new)
        if v @ v < least:
            best, least, age = new, float(v @ v), 0
        scale = abs(problem.value(best)) + (best - y) @ (best - y) / envelope
        age += 1
        if least <= 2e-8 * tol * kappa * scale or age > 100:
            break
        old, z = new, X.project(new + momentum * (new - old))
    value = problem.value(best) + (best - y) @ (best - y) / (2 * envelope)
    first = X.project(y)
    visited = [first, best, (first + best) / 2, X.project(first - gradient(first) / bend)]
    wrong = _contradiction(
        lambda z: problem.value(z) + (z - y) @ (z - y) / (2 * envelope), gradient, visited, kappa, bend
    )
    gap = -wrong if wrong > 0 else least / (2 * kappa)
    return _certified(problem, best, float(value), gap, float(np.sqrt(least)) / kappa)


def _contradiction(
    phi: Callable[[Array], float],
    gradient: Callable[[Array], Array],
    points: list[Array],
    kappa: float,
    bend: float,
) -> float:
    r"""By how much

    .. math:: \frac\kappa2\|b-a\|^2\le\Phi(b)-\Phi(a)-\langle\nabla\Phi(a),b-a\rangle\le\frac L2\|b-a\|^2

    fails, beyond rounding."""
    values, slopes = [phi(z) for z in points], [gradient(z) for z in points]
    worst = 0.0
    for a, f_a, slope in zip(points, values, slopes):
        for b, f_b in zip(points, values):
            step = b - a
            rise, square = f_b - f_a - slope @ step, step @ step / 2
            excess = max(kappa * square - rise, rise - bend * square)
            size = abs(f_a) + abs(f_b) + np.abs(slope) @ np.abs(step) + bend * square
            worst = max(worst, float(excess) if excess > bundle.ROUNDING * size else 0.0)
    return worst
