r"""The worst case of one step over all functions and sets, as a semidefinite programme whose optimum an actual problem attains.

The question is how good a constant is at all, and not only how good it is from the facts of one proof.  The
points of a step (:math:`x_{k-1},x_k`, each outcome of :math:`x_{k+1}`, the prox points) carry a value, a mean subgradient and a normal,
and between all pairs stand the interpolation conditions, so that a function and a convex set with these data exist.  The noise takes
two values or none.  Floating point, to the accuracy of the solver (extra ``referee``).
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from shbcore.proof.search import cvxpy

Array = Any
Kind = Literal["A2", "A3"]
"""The assumptions: (A2) with L = 1 and f weakly convex, or (A3) with sigma = 1 and f smooth."""
WEIGHTS = frozenset({"F", "prev", "f", "m", "grad", "d", "dn"})
r"""What a potential and a decrease are made of: see :func:`worst_step`."""


@dataclass(frozen=True)
class Found:
    """What :func:`worst_step` answers: the largest rise, whether the solver is sure of it, the rank of the Gram matrix, and
    ``products``, the inner products of pairs of vectors of a worst instance.

    In ``products`` a vector has a short name: ``v`` is the gradient at :math:`x_k`, ``d`` is :math:`d_k`, and ``D`` has the direction
    of the noise and its standard deviation as length.  ``h`` is the prox point before the step and ``h0``, ``h1`` are those after it,
    for each value of the noise, seen from :math:`x_k`; ``d0``, ``d1`` are :math:`d_{k+1}`.  A name that begins with ``s`` is a slope:
    ``sp`` at :math:`x_{k-1}`, ``s0``, ``s1`` at :math:`x_{k+1}`, ``sh`` and ``sh0``, ``sh1`` at the prox points.
    """

    value: float
    sure: bool
    dimension: int
    products: Mapping[tuple[str, str], float] = field(default_factory=dict)


@dataclass
class _Gram:
    """A Gram matrix of letters, values of f, and linear conditions on both."""

    names: list[str]
    conditions: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cp = cvxpy()
        self.matrix = self.cp.Variable((len(self.names), len(self.names)), PSD=True)

    def letter(self, name: str) -> Array:
        return np.eye(len(self.names))[self.names.index(name)]

    def inner(self, u: Array, v: Array) -> Any:
        return self.cp.sum(self.cp.multiply(np.outer(u, v), self.matrix))

    def square(self, u: Array) -> Any:
        return self.inner(u, u)

    def at_most_one(self, expression: Any) -> None:
        self.conditions.append(expression <= 1)

    def largest(self, objective: Any) -> Found:
        """Solve, with weaker tolerances where the solver does not reach the strict ones."""
        problem = self.cp.Problem(self.cp.Maximize(objective), self.conditions)
        for tolerance in (1e-9, 1e-8, 1e-7, 5e-7):
            close = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), tolerance)
            try:
                with warnings.catch_warnings():  # what the solver is not sure of is said in the result
                    warnings.simplefilter("ignore", UserWarning)
                    problem.solve(solver=self.cp.CLARABEL, **close)
            except self.cp.error.SolverError:
                continue
            if problem.status in ("optimal", "unbounded"):
                break
        if problem.value is None or not np.isfinite(problem.value):
            return Found(float("inf") if problem.status == "unbounded" else float("nan"), False, 0)
        spectrum = np.linalg.eigvalsh(self.matrix.value)
        rank = int((spectrum > 1e-5 * max(spectrum.max(), 1.0)).sum())
        pairs = {
            (p, q): float(self.matrix.value[i, j]) for i, p in enumerate(self.names) for j, q in enumerate(self.names)
        }
        return Found(float(problem.value), problem.status == "optimal", rank, pairs)


@dataclass(frozen=True)
class _Point:
    """A point of X with its value, mean subgradient and normal (zero where none is needed)."""

    at: Array
    value: Any
    slope: Array
    normal: Array


def _interpolate(w: _Gram, points: list[_Point], rho: float, kind: Kind) -> None:
    """The pairwise conditions of a weakly convex (or smooth) f and of a convex set."""
    for p in points:
        if kind == "A2":
            w.at_most_one(w.square(p.slope))
        for q in points:
            if p is q:
                continue
            step = q.at - p.at
            above = q.value - p.value - w.inner(p.slope, step) + rho / 2 * w.square(step)
            if kind == "A3":
                turn = q.slope - p.slope + rho * step  # of the convex function f + rho/2 |x|^2, which is 2 rho-smooth
                above = above - w.square(turn) / (4 * rho)
            w.conditions.append(above >= 0)
            if np.any(p.normal):
                w.conditions.append(w.inner(p.normal, step) <= 0)


def worst_step(
    kind: Kind,
    weights: Mapping[str, float],
    *,
    rho: float,
    alpha: float,
    beta: float,
    lam: float,
    scale: float = 1.0,
    chance: float | None = None,
    short: bool = False,
    space: bool = False,
) -> Found:
    r"""The largest expected rise in a step of
    :math:`w_FF_\lambda(\bar x_k)+w_{\mathrm{prev}}f(x_{k-1})+w_ff(x_k)+w_m\|d_k\|^2`, plus
    :math:`w_{\mathrm{grad}}\|\nabla F_\lambda(\bar x_k)\|^2-w_d\|d_k\|^2-w_{\mathrm{dn}}\mathbb E\|d_{k+1}\|^2`, over ``scale``.

    A decrease has a positive weight ``grad``, and a negative one ``d`` or ``dn``: that of Lemma 3 is ``dn`` :math:`=-\alpha`.
    ``chance`` is the probability of one of the two values of the noise; ``None`` leaves the noise out, and then (A3) bounds
    :math:`\|\nabla f(x_k)\|` by 1 instead.  ``short`` asks for :math:`\|d_k\|\le1`, ``space`` for no constraints.
    """
    if stray := set(weights) - WEIGHTS:
        raise ValueError(f"weights = {sorted(stray)}: must be among {sorted(WEIGHTS)}")
    a = {name: float(weights.get(name, 0.0)) for name in WEIGHTS}
    quiet, xi = chance is None, (1 - beta) * alpha / beta
    laws = [(1.0, 0.0)]
    if chance is not None:
        odds = (1 - chance) / chance
        laws = [(chance, odds**0.5), (1 - chance, -(odds**-0.5))]
    envelope, walls = bool(a["F"] or a["grad"]), not space
    names = ["d", "v", "sp", *["D"] * (not quiet), *["h"] * envelope, *["sh"] * (envelope and walls)]
    for j in range(len(laws)):
        names += [f"s{j}", *[f"h{j}"] * envelope, *[f"d{j}"] * walls, *[f"sh{j}"] * (envelope and walls)]
    w = _Gram(names)
    zero, v, d = np.zeros(len(names)), w.letter("v"), w.letter("d")
    noise = zero if quiet else w.letter("D")
    now = _Point(zero, w.cp.Variable(), v, zero)
    before = _Point(alpha * d, w.cp.Variable(), w.letter("sp"), zero)
    points, rise = [now, before], a["prev"] * (now.value - before.value) - (a["m"] + a["d"]) * w.square(d)

    def prox(at: Array, hat: str, slope: str) -> tuple[_Point, Any]:
        """A prox point, and the value of the envelope."""
        u = w.letter(hat)
        g = (at - u) / lam if space else w.letter(slope)
        point = _Point(u, w.cp.Variable(), g, zero if space else (at - u) / lam - g)
        return point, point.value + w.square(u - at) / (2 * lam)

    if envelope:
        here, low = prox(-xi * d, "h", "sh")
        points.append(here)
        rise = rise - a["F"] * low + a["grad"] * w.square((-xi * d - here.at) / lam)
    for j, (probability, size) in enumerate(laws):
        z = beta * (v + size * noise) + (1 - beta) * d
        d_next = z if space else w.letter(f"d{j}")
        after = _Point(-alpha * d_next, w.cp.Variable(), w.letter(f"s{j}"), zero if space else d_next - z)
        points.append(after)
        part = a["f"] * (after.value - now.value) + (a["m"] - a["dn"]) * w.square(d_next)
        if envelope:
            there, low = prox(-(alpha + xi) * d_next, f"h{j}", f"sh{j}")
            points.append(there)
            part = part + a["F"] * low
        rise = rise + probability * part
    _interpolate(w, points, rho, kind)
    if kind == "A2":
        w.at_most_one(w.square(v) + w.square(noise))
    else:
        w.at_most_one(w.square(v if quiet else noise))
    if short:
        w.at_most_one(w.square(d))
    return w.largest(rise / scale)


@dataclass(frozen=True)
class Step:
    """A potential with its decrease, in the form that :func:`worst_step` takes."""

    kind: Kind
    weights: dict[str, float]
    scale: float
    space: bool = False
    short: bool = False


def steps(*, rho: float, alpha: float, beta: float, lam: float) -> dict[str, Step]:
    r"""The one-step results whose noise is asked for, by name.

    * ``Lemma 3, noise`` and ``Lemma 4, $\gamma$``: `One step <one_step.html>`__ and `The Lyapunov function <lyapunov_V.html>`__.
    * ``$U_k$ given the past, $\gamma'$``: `Complexity <complexity.html>`__.
    * ``(A), noise``, ``(B), noise`` and ``$\mathcal{E}_k$, noise``, which is made of both: `The open question <open_question.html>`__.
    * ``$\mathcal{V}_k$, noise``: `A shorter smooth half <shorter_smooth_half.html>`__.
    """
    nu = beta / alpha
    xi, kappa = (1 - beta) / nu, 1 / (lam * nu)
    ratio, unit = xi**2 / lam**2, alpha**2 / (2 * lam)
    c_u = (ratio + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)
    c = (ratio + kappa * rho * alpha) / (2 - rho * alpha)
    c_1 = rho * xi**2 / (lam * (1 - rho * alpha / 2))
    third = {"prev": 1 - beta, "m": nu * xi**2 / 2, "dn": -alpha}
    fourth = {"F": 1.0, "prev": (1 - beta) * ratio / 2 + xi / lam, "m": nu * xi**2 * ratio / 4 + alpha * ratio / 2}
    by_u = {"F": 1.0, "prev": c_u * (1 - beta) + xi / lam, "m": c_u / (2 * nu), "grad": alpha / 2}
    by_a = {"F": 1.0, "f": kappa, "grad": alpha / 2, "d": alpha * ratio / 2, "dn": kappa * rho * alpha**2 / 2}
    by_b = {"f": 1.0, "m": xi / 2, "dn": -alpha * (1 - rho * alpha / 2)}
    both = {"F": 1.0, "f": kappa + c, "m": c * xi / 2 + alpha * ratio / 2, "grad": alpha / 2}
    free = {"F": 1.0, "f": c_1, "m": c_1 * xi / 2 + alpha * rho * xi**2 / lam, "grad": alpha * (1 - 1.5 * rho * lam)}
    return {
        "Lemma 3, noise": Step("A2", third, alpha**2, short=True),
        r"Lemma 4, $\gamma$": Step("A2", {**fourth, "grad": alpha / 2}, unit, short=True),
        r"$U_k$ given the past, $\gamma'$": Step("A2", by_u, unit),
        "(A), noise": Step("A3", by_a, unit),
        "(B), noise": Step("A3", by_b, nu * alpha**2),
        r"$\mathcal{E}_k$, noise": Step("A3", both, unit),
        r"$\mathcal{V}_k$, noise": Step("A3", free, unit, space=True),
    }
