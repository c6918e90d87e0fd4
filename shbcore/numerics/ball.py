r"""Theorem 1 where its assumptions hold: the paper's experiments in a ball, its left side measured, its bound computed.

On :math:`\mathcal X=\{\|x\|\le R\}` the subgradients are bounded, so (A2) holds with a computed L.  The stepsize is constant,
:math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\beta=1/\sqrt{K+1}`, :math:`z_0=\beta g_0`, and :math:`\lambda=1/(2\rho)`.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from shbcore.model import checks, constants
from shbcore.model.checks import Array
from shbcore.model.parameters import Parameters, root
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.model.sets import Ball
from shbcore.numerics import phase_prox
from shbcore.numerics.phase_kernel import compiled
from shbcore.numerics.sweep import Setting


class Sides(NamedTuple):
    r"""Both sides of Theorem 1 at one :math:`K`: measured mean and its standard error, bound; share of steps that met the boundary."""

    K: int
    left: float
    error: float
    right: float
    projected: float


@dataclass(frozen=True, eq=False)
class Instance:
    r"""One problem of the experiments in a ball about 0 that contains the start, with :math:`\rho` and :math:`L^2` computed."""

    problem: RobustPhaseRetrieval
    X: Ball
    x_0: Array
    weak_convexity: float
    L2: float

    @property
    def L(self) -> float:
        return math.sqrt(self.L2)

    @property
    def envelope(self) -> float:
        r""":math:`\lambda=1/(2\rho)`."""
        return 1 / (2 * self.weak_convexity)


def instance(setting: Setting, *, radius: float, seed: int) -> Instance:
    """Draw data and start as in the experiments; a start outside the ball is projected onto it."""
    checks.instance(Setting, "setting", setting, "the paper's numerical section")
    rng = np.random.default_rng(checks.count("seed", seed, "seeds are explicit", least=0))
    found, _, _ = phase_retrieval(setting.m, setting.n, setting.kappa, setting.p_fail, rng, setting.signal)
    problem, X = cast(RobustPhaseRetrieval, found), Ball(radius, np.zeros(setting.n))
    x_0 = X.project(rng.standard_normal(setting.n))
    return Instance(problem, X, x_0, problem.rho, problem.L2(X))


@compiled
def _path(A: Any, b: Any, x_0: Any, order: Any, alpha: Any, beta: Any, radius: Any, wanted: Any, out: Any) -> int:
    r"""SHB in the ball; ``out`` gets :math:`\bar x_k` for the ascending ``wanted`` k.  Returns how many steps were projected."""
    n = x_0.size
    previous, x, cut, at = x_0.copy(), x_0.copy(), 0, 0
    for k in range(order.size):
        while at < wanted.size and wanted[at] == k:
            out[at] = x + (1 - beta) / beta * (x - previous)
            at += 1
        a, t = A[order[k]], 0.0
        for j in range(n):
            t += a[j] * x[j]
        c = 2 * beta * t * np.sign(t * t - b[order[k]])
        norm = 0.0
        for j in range(n):
            new = x[j] - alpha * c * a[j] + (1 - beta) * (x[j] - previous[j])
            previous[j], x[j] = x[j], new
            norm += new * new
        if norm > radius * radius:
            x *= radius / np.sqrt(norm)
            cut += 1
    return cut


def bound(at: Instance, alpha_0: float, K: int) -> float:
    r"""Right side of Theorem 1 (repaired), with :math:`\Delta\le f(x_0)` since :math:`f\ge0`."""
    checks.instance(Instance, "at", at, "a problem in a ball")
    q = Parameters.theorem_1(alpha_0, K)
    rho, lam = at.weak_convexity, at.envelope
    return float(
        constants.theorem_1_bound(
            gap=at.problem.value(at.x_0),
            L2=at.L2,
            envelope=lam,
            gamma=q.gamma(weak_convexity=rho, envelope=lam),
            gamma_1=q.gamma_1(envelope=lam),
            alpha_0=alpha_0,
            root=root(K),
        )
    )


def sides(at: Instance, *, alpha_0: float, K: int, runs: int, points: int, rng: np.random.Generator) -> Sides:
    r""":math:`\mathbb E\|\nabla F_\lambda(\bar x_{k^*})\|^2` from ``runs`` runs and ``points`` draws of :math:`k^*` in each, and the bound.

    The gradient at a point is :math:`(\bar x-\hat x)/\lambda` with the certified prox; the draws are stratified over 0, ..., K.
    """
    checks.instance(Instance, "at", at, "a problem in a ball")
    runs = checks.count("runs", runs, "a standard error needs two runs", least=2)
    points = checks.count("points", points, "draws of k* in each run")
    checks.generator(rng)
    K = checks.count("K", K, "the number of iterations is K + 1", least=0)
    checks.room("steps of all runs", runs=runs, K=K + 1)
    q, p = Parameters.theorem_1(alpha_0, K), at.problem
    data = phase_prox.prepare(
        p.A, p.b, p.weights, envelope=at.envelope, weak_convexity=at.weak_convexity, radius=at.X.radius
    )
    means, cut = np.empty(runs), 0
    for r in range(runs):
        wanted = np.sort(((np.arange(points) + rng.random(points)) / points * (K + 1)).astype(np.int64))
        out = np.empty((points, p.n))
        cut += _path(
            p.A, p.b, at.x_0, rng.integers(0, p.m, K + 1), float(q.alpha), float(q.beta), at.X.radius, wanted, out
        )
        proxes = np.array([phase_prox.solve(data, x).point for x in out])
        means[r] = np.mean(np.sum(((out - proxes) / at.envelope) ** 2, axis=1))
    error = float(means.std(ddof=1) / np.sqrt(runs))
    return Sides(K, float(means.mean()), error, bound(at, alpha_0, K), cut / (runs * (K + 1)))


def second_moment(A: Array, x: Array) -> float:
    r"""The root of the second moment, :math:`(\mathbb E\|f'(x,S)\|^2)^{1/2}`, which (A2) bounds by :math:`L`."""
    A = checks.array("A", A, (None, None), "data of robust phase retrieval")
    x = checks.point(x, A.shape[1])
    return float(np.sqrt(np.mean(4 * (A @ x) ** 2 * np.sum(A * A, axis=1))))
