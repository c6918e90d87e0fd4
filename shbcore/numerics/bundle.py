r"""The prox of any weakly convex function on any convex set, by cutting planes, with a certified gap.

For :math:`y,y_j\in X` and :math:`g_j\in\partial f(y_j)`, weak convexity says that
:math:`h(y)=f(y)+\tfrac\rho2\|y-x\|^2\ge h(y_j)+\langle g_j+\rho(y_j-x),y-y_j\rangle=c_j+\langle G_j,y-x\rangle`.
As :math:`\Phi=f+\tfrac1{2\lambda}\|\cdot-x\|^2=h+\tfrac\kappa2\|\cdot-x\|^2` with :math:`\kappa=1/\lambda-\rho`, any convex weights
:math:`\mu` on the cuts give a lower bound in closed form:

.. math:: \min_X\Phi\ge\min_{y\in X}\ c^\top\mu+\langle G^\top\mu,y-x\rangle+\tfrac\kappa2\|y-x\|^2,\qquad
   \text{attained at } y=\Pi_X(x-G^\top\mu/\kappa).

The gap is :math:`\Phi` at the best point seen minus the best such bound.  It needs the subgradients and :math:`\rho` to be
right, and nothing of how the weights were found.  Where they are wrong a point may lie below a cut: then the gap is negative,
minus the largest such contradiction.  The minimiser of the bound is the next point to cut at.  The best weights
maximise the bound :math:`D(\mu)`, concave, with :math:`\nabla D=c+G(y-x)` and :math:`\nabla^2D=-GJG^\top/\kappa`, :math:`J` a
Jacobian of the projection: Newton steps over the simplex of weights, each a quadratic program solved by a dual active set.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shbcore.model.checks import Array
from shbcore.model.sets import Ball, Box, ConvexSet, HalfSpace, Simplex

ROUNDING = 1e-9
"""A cut above the function by this share of the terms is a contradiction, and no rounding."""


def root_jacobian(X: ConvexSet, u: Array, y: Array) -> Any:
    r"""A square root of a Jacobian of :math:`\Pi_X` at :math:`u`, :math:`y=\Pi_X(u)`; a poor one costs steps, not rigour."""
    eye, out = np.eye(len(u)), u - y
    if not out.any():
        return eye
    normal = out / np.linalg.norm(out)
    if isinstance(X, Ball):  # the tangent space, shrunk by R/|u - c|
        return (eye - np.outer(normal, normal)) * np.sqrt(X.radius / (X.radius + np.linalg.norm(out)))
    if isinstance(X, HalfSpace):
        return eye - np.outer(normal, normal)
    if isinstance(X, Box):
        return np.diag(((u > X.lower) & (u < X.upper)).astype(float))
    if isinstance(X, Simplex):
        free = (y > 0).astype(float)
        return np.diag(free) - np.outer(free, free) / free.sum()
    return eye


def weights(G: Array, c: Array, start: Array) -> Array:
    r"""The :math:`\mu\ge0`, :math:`\sum_j\mu_j=1`, that maximise :math:`c^\top\mu-\tfrac12\|G^\top\mu\|^2`, from the support of ``start``.

    Dual to :math:`\min\tau+\tfrac12\|d\|^2` under :math:`c_j+\langle G_j,d\rangle\le\tau`, :math:`d=-G^\top\mu`.  The weight of a violated
    row grows until the row holds; the others move along :math:`r` and leave when they reach 0.
    """
    Q = G @ G.T
    size = float(np.abs(c).max() + Q.max())

    def equalise(rows: list[int], side: Array, total: float) -> Array:
        k = len(rows)
        system = np.ones((k + 1, k + 1))
        system[:k, :k], system[k, k] = Q[np.ix_(rows, rows)], 0.0
        return np.asarray(np.linalg.lstsq(system, np.append(side, total), rcond=1e-15)[0])

    on = [int(j) for j in np.flatnonzero(start > 0)]
    mu = equalise(on, c[on], 1.0)[:-1]
    if (mu < 0).any() or np.ptp(c[on] - Q[np.ix_(on, on)] @ mu) > 1e-14 * size:
        on, mu = [int(np.argmax(start))], np.ones(1)
    for _ in range(20 * len(c)):
        value = c - Q[:, on] @ mu
        new = int(np.argmax(value))
        violation, weight = value[new] - value[on[int(np.argmax(mu))]], 0.0
        if new in on or violation <= 1e-15 * size:
            break
        while True:
            k, r = len(on), equalise(on, Q[on, new], 1.0)
            slope = Q[new, new] - Q[on, new] @ r[:k] - r[k]
            full = violation / slope if slope > 1e-14 * Q[new, new] else np.inf
            falling = np.where(r[:k] > 0, mu / np.where(r[:k] > 0, r[:k], 1.0), np.inf)
            step = min(full, float(falling.min()))
            if not np.isfinite(step):
                break
            mu, weight, violation = np.maximum(mu - step * r[:k], 0.0), weight + step, violation - step * slope
            if step == full:
                break
            last = int(np.argmin(falling))
            on, mu = on[:last] + on[last + 1 :], np.delete(mu, last)
            if not on:  # the new row took all the weight
                break
        on, mu = [*on, new], np.append(mu, weight)
    result = np.zeros(len(c))
    result[on] = mu / mu.sum()
    return result


def _excess(G: Array, c: Array, move: Array, h: float) -> float:
    r"""How far a cut lies above :math:`h` at a point, beyond rounding; 0 if none does."""
    if not len(c):
        return 0.0
    above = c + G @ move - h
    size = np.abs(c) + np.abs(G) @ np.abs(move) + abs(h)
    return float(np.max(np.where(above > ROUNDING * size, above, 0.0)))


def minimise(
    f: Callable[[Array], float],
    subgradient: Callable[[Array], Array],
    X: ConvexSet,
    x: Array,
    *,
    envelope: float,
    weak_convexity: float,
    tol: float,
    most: int = 1000,
    patience: int = 40,
) -> tuple[Array, float, float]:
    r"""A point of :math:`X`, :math:`\Phi` there, and the gap: ``tol`` times the scale, or where ``patience`` ran out.

    A negative gap says that ``f``, ``subgradient`` and ``weak_convexity`` contradict each other.
    """
    rho, kappa = weak_convexity, 1 / envelope - weak_convexity
    G, c, mu = np.empty((0, len(x))), np.empty(0), np.empty(0)
    point, best, bound, gap, record, age = x, np.inf, -np.inf, np.inf, np.inf, 0
    y = X.project(x)
    contradiction = 0.0

    def half(y: Array) -> float:
        return float((y - x) @ (y - x)) / 2

    for _ in range(most):
        value, slope = f(y), subgradient(y) + rho * (y - x)
        if value + half(y) / envelope < best:
            point, best = y, value + half(y) / envelope
        contradiction = max(contradiction, _excess(G, c, y - x, value + rho * half(y)))
        kept = (mu > 0) | (np.arange(len(mu)) >= len(mu) - 10)
        offset = value + rho * half(y) - slope @ (y - x)
        G, c = np.vstack([G[kept], slope]), np.append(c[kept], offset)
        h_best = best - half(point) / envelope + rho * half(point)
        contradiction = max(contradiction, _excess(G[-1:], c[-1:], point - x, h_best))
        mu = np.append(mu[kept], 0.0 if kept.any() else 1.0)
        for _ in range(30):
            u = x - mu @ G / kappa
            y = X.project(u)
            ascent, root = c + G @ (y - x), G @ root_jacobian(X, u, y) / np.sqrt(kappa)
            step = weights(root, ascent + root @ (mu @ root), mu) - mu
            if ascent @ step <= 1e-16 * abs(mu @ ascent):
                break
            low, high, middle = 0.0, 1.0, 1.0  # the bound is concave along the step: stop where it turns
            for _ in range(30):
                trial = mu + middle * step
                rising = step @ (c + G @ (X.project(x - trial @ G / kappa) - x)) >= 0
                low, high = (middle, high) if rising else (low, middle)
                if low == 1.0:
                    break
                middle = (low + high) / 2
            mu = np.maximum(mu + low * step, 0.0)
            mu /= mu.sum()
        y = X.project(x - mu @ G / kappa)
        bound = max(bound, float(mu @ (c + G @ (y - x))) + kappa * half(y))
        gap, scale = best - bound, abs(best) + abs(bound) + kappa * half(y)
        record, age = (gap, 0) if gap < 0.9 * record else (record, age + 1)
        if gap <= max(tol, 1e-15) * scale or age > patience or contradiction > 0:
            break
    return point, best, -contradiction if contradiction > 0 else max(abs(gap), 1e-16 * scale)
