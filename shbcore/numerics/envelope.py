r"""The Moreau envelope and the prox of :math:`F=f+I_X`, always with a certified gap.

.. math:: F_\lambda(y)=\min_{z\in X}\Phi(z),\quad\Phi(z)=f(z)+\tfrac1{2\lambda}\|z-y\|^2,\quad\hat y=\arg\min_X\Phi
   \qquad(\texttt{eq:moreau:env}).

For :math:`1/\lambda>\rho`, :math:`\Phi` is :math:`\kappa`-strongly convex, :math:`\kappa=1/\lambda-\rho`, so a gap bounds the
distance as well: :math:`\|z-\hat y\|^2\le2\,\mathrm{gap}/\kappa`.  What is known of :math:`f` decides how it is found:

============================================  =======================================================================
one-dimensional, exact numbers                in closed form: no gap
robust phase retrieval, whole space or ball   interior point method and its dual (:mod:`phase_prox`)
smooth                                        accelerated projected gradient, :math:`\|v\|^2/2\kappa`
anything else                                 cutting planes (:mod:`bundle`)
============================================  =======================================================================

A gap is rigorous in exact arithmetic; the rounding of :math:`\Phi` itself, some :math:`10^{-16}` of its terms, comes on top.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.rational import Interval, RationalProblem
from shbcore.model.sets import Ball, ConvexSet, WholeSpace
from shbcore.numerics import bundle
from shbcore.numerics.phase_prox import Data, Saddle, prepare, solve
from shbcore.numerics.phase_prox_many import solve_many


@dataclass(frozen=True)
class Prox:
    r"""``value`` bounds :math:`F_\lambda(y)` from above, ``value - gap`` from below; :math:`\hat y` is within ``radius`` of ``point``."""

    point: Any
    value: Any
    gap: Any
    radius: Any


def moreau(problem: Any, X: Any, y: Any, *, envelope: Any, tol: float = 1e-12) -> Prox:
    r""":math:`F_\lambda(y)` and :math:`\hat y`: aims at a gap of ``tol`` times the terms of :math:`\Phi`, reports the one reached.

    A gap of :math:`10^{-12}` places the point to about :math:`10^{-6}`: ask for less where the gradient matters.
    """
    if isinstance(problem, RationalProblem):
        return _exact(problem, X, y, envelope)
    _check(problem, X, envelope, tol)
    y = checks.point(y, problem.n, "y")
    if _has_interior_point_method(problem, X):
        data = _prepared(problem, X, float(envelope))
        return _from_saddle(data, solve(data, y, tol))
    return _general(problem, X, y, float(envelope), tol)


def moreau_many(problem: Any, X: Any, Y: Any, *, envelope: Any, tol: float = 1e-12) -> list[Prox]:
    r"""``moreau`` at every row of :math:`Y`.

    Phase retrieval shares one factorisation, which pays if the rows are close together, as the :math:`\bar x_k-\alpha g_i` of
    a conditional expectation are.
    """
    if isinstance(problem, RationalProblem):
        return [_exact(problem, X, y, envelope) for y in Y]
    _check(problem, X, envelope, tol)
    Y = checks.array("Y", Y, (None, problem.n), f"rows of points in R^{problem.n}")
    if _has_interior_point_method(problem, X):
        data = _prepared(problem, X, float(envelope))
        return [_from_saddle(data, saddle) for saddle in solve_many(data, Y, tol)]
    return [_general(problem, X, y, float(envelope), tol) for y in Y]


def _check(problem: Any, X: ConvexSet, envelope: Any, tol: float) -> None:
    checks.same_dimension(problem.n, X)
    checks.positive("tol", tol, "the certified gap of the envelope")
    checks.envelope_parameter(
        float(checks.positive("envelope", envelope, "lambda")), weak_convexity=_rho(problem), result="prox"
    )


@lru_cache(maxsize=64)
def _rho(problem: Any) -> float:
    r"""The least :math:`\rho` known; problems are immutable, so it is computed once."""
    return float(
        problem.least_weak_convexity() if isinstance(problem, RobustPhaseRetrieval) else problem.weak_convexity()
    )


def _exact(problem: RationalProblem, X: Interval, y: Any, envelope: Any) -> Prox:
    F = problem.moreau(X, envelope=envelope)
    return Prox(y - envelope * F.subgradient(y), F.value(y), 0 * y, 0 * y)


def _has_interior_point_method(problem: Any, X: ConvexSet) -> bool:
    return isinstance(problem, RobustPhaseRetrieval) and isinstance(X, WholeSpace | Ball)


@lru_cache(maxsize=8)
def _prepared(problem: RobustPhaseRetrieval, X: ConvexSet, envelope: float) -> Data:
    ball: dict[str, Any] = {"centre": X.centre, "radius": X.radius} if isinstance(X, Ball) else {}
    return prepare(problem.A, problem.b, problem.weights, envelope=envelope, weak_convexity=_rho(problem), **ball)


def _from_saddle(data: Data, at: Saddle) -> Prox:
    return Prox(at.point, at.value, at.gap, float(np.sqrt(2 * at.gap / data.kappa)))


def _general(problem: Any, X: ConvexSet, y: Array, envelope: float, tol: float) -> Prox:
    kappa, bend = 1 / envelope - _rho(problem), float(problem.smoothness())
    if np.isfinite(bend):
        return _smooth(problem, X, y, envelope, tol, kappa, bend + 1 / envelope)
    point, value, gap = bundle.minimise(
        problem.value, problem.mean_subgradient, X, y, envelope=envelope, weak_convexity=_rho(problem), tol=tol
    )
    return Prox(point, value, gap, float(np.sqrt(2 * gap / kappa)))


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
    return Prox(best, float(value), least / (2 * kappa), float(np.sqrt(least)) / kappa)
