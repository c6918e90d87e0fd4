r"""Both sides of Theorem 1 on the line for many steps: the left by simulation, where the tree of samples is too large, the right exactly.

Every run draws its own samples; the average over :math:`k=0,\dots,K` is exact, the mean over runs carries a standard error.
"""

from typing import NamedTuple

import numpy as np

from shbcore.model import checks, constants
from shbcore.model.checks import Number
from shbcore.model.parameters import Parameters, root
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics.solver import STARTS, Start, place


class Measured(NamedTuple):
    r"""What :func:`measure` answers: averages over :math:`k=0,\dots,K` and over runs of
    :math:`\|\nabla F_\lambda(\bar x_k)\|^2` (``error`` is its standard error),
    of :math:`\lambda^{-2}\|x_k-\hat x_k\|^2` and of :math:`\|d_k\|^2`."""

    gradient: float
    error: float
    distance: float
    d: float


class _Slope:
    """The subgradient of a piecewise quadratic at many points at once."""

    def __init__(self, f: PiecewiseQuadratic) -> None:
        self.breaks = np.array([*map(float, f.breaks), np.inf])
        self.at = np.array([*map(float, f.at_kinks or ()), np.nan])
        self.a, self.b, _ = np.array([[float(q) for q in piece] for piece in f.pieces]).T

    def __call__(self, x: np.ndarray) -> np.ndarray:
        j = np.searchsorted(self.breaks[:-1], x)
        return np.where(self.breaks[j] == x, self.at[j], self.a[j] * x + self.b[j])


def _exact(problem: RationalProblem, X: Interval, x0: Number, parameters: Parameters) -> None:
    """A problem on the line, a start in X, and parameters."""
    checks.instance(RationalProblem, "problem", problem, "both sides are computed on the line")
    checks.instance(Interval, "X", X, "both sides are computed on the line")
    checks.instance(Parameters, "parameters", parameters, "stepsize and momentum of alg:iters:def")
    place(X, x0, "x0")


def measure(
    problem: RationalProblem,
    X: Interval,
    x0: Number,
    parameters: Parameters,
    K: int,
    *,
    envelope: Number,
    runs: int,
    rng: np.random.Generator,
    start: Start = "beta_g0",
) -> Measured:
    r""":math:`\mathbb E\|\nabla F_\lambda(\bar x_{k^*})\|^2`, :math:`k^*` uniform on :math:`\{0,\dots,K\}`, from ``runs`` runs."""
    K = checks.count("K", K, "the number of iterations is K + 1", least=0)
    runs = checks.count("runs", runs, "a standard error needs two runs", least=2)
    checks.one_of("start", start, STARTS, "z_0 of alg:iters:def")
    checks.generator(rng)
    _exact(problem, X, x0, parameters)
    checks.room("steps of all runs", runs=runs, K=K + 1)
    checks.envelope_parameter(envelope, weak_convexity=problem.rho, result="prox")
    alpha, beta, lam = float(parameters.alpha), float(parameters.beta), float(envelope)
    slopes, gradient = [_Slope(f) for f in problem.samples], _Slope(problem.moreau(X, envelope=envelope))
    thresholds = np.cumsum([float(w) for w in problem.weights])[:-1]
    lo, hi = (-np.inf if X.lo is None else float(X.lo)), (np.inf if X.hi is None else float(X.hi))
    x = np.full(runs, float(x0))
    d = np.zeros(runs)
    total = np.zeros((3, runs))
    for k in range(K + 1):
        slope = gradient(x - (1 - beta) / beta * alpha * d)
        x_hat = x - (1 - beta) / beta * alpha * d - lam * slope
        total += slope**2, ((x - x_hat) / lam) ** 2, d**2
        sample = np.searchsorted(thresholds, rng.random(runs), side="right")
        g = np.choose(sample, [one(x) for one in slopes])
        z = g if k == 0 and start == "g0" else beta * g + (1 - beta) * d
        after = np.clip(x - alpha * z, lo, hi)
        x, d = after, (x - after) / alpha
    mean = total / (K + 1)
    return Measured(
        float(mean[0].mean()), float(mean[0].std(ddof=1) / np.sqrt(runs)), *map(float, mean[1:].mean(axis=1))
    )


def bound(
    problem: RationalProblem,
    X: Interval,
    x0: Number,
    parameters: Parameters,
    K: int,
    *,
    weak_convexity: Number,
    envelope: Number,
    start: Start = "beta_g0",
) -> Number:
    r"""The right side of Theorem 1 for any :math:`\beta` (remark i), with :math:`\alpha_0=\alpha\sqrt{K+1}`, any :math:`\rho`.

    For the start ``g0`` it carries :func:`shbcore.model.constants.start_excess`, which is what the first step costs with it.
    """
    checks.one_of("start", start, STARTS, "z_0 of alg:iters:def")
    _exact(problem, X, x0, parameters)
    checks.weak_convexity(weak_convexity)
    q, rho = parameters, problem.rho
    if weak_convexity < rho:
        checks.fail("weak_convexity", weak_convexity, f"be at least {rho}, that of f", "f is rho-weakly convex")
    of = {
        "gap": problem.value(x0) - problem.f_star(X),
        "L2": problem.L2(X),
        "envelope": envelope,
        "gamma": q.gamma(weak_convexity=weak_convexity, envelope=envelope),
        "gamma_1": q.gamma_1(envelope=envelope),
        "alpha_0": q.alpha * root(K),
        "root": root(K),
    }
    if start == "beta_g0":
        return constants.theorem_1_bound(**of)
    excess = constants.start_excess(envelope=envelope, alpha=q.alpha, beta=q.beta, nu=q.nu)
    return constants.theorem_1_bound_start(**of, excess=excess)
