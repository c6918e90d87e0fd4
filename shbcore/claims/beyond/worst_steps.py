r"""How good are the constants of one step?  The worst case over all functions and sets, as a semidefinite programme.

The points of a step (:math:`x_{k-1},x_k`, every outcome of :math:`x_{k+1}`, and the prox points) carry a value, a
mean subgradient
and a normal; the conditions imposed between all pairs are *interpolation conditions*, so that a function and a convex
set with these
data exist.  The noise takes two values.  The optimum is therefore attained by an actual problem: a **lower** value of
the constant
(in floating point, to the solver's accuracy), beside the certified upper one.  Needs the extra ``referee``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

Array = Any
ROUGH = False
"""Whether a value that the solver calls inaccurate is taken; a table marks it."""


@dataclass
class Worst:
    """A Gram matrix of letters, values, and linear conditions on both."""

    names: list[str]
    constraints: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cp: Any = import_module("cvxpy")
        size = len(self.names)
        self.gram = self.cp.Variable((size, size), PSD=True)
        self.heights: list[Any] = []

    def letter(self, name: str) -> Array:
        v = np.zeros(len(self.names))
        v[self.names.index(name)] = 1
        return v

    def inner(self, u: Array, v: Array) -> Any:
        return self.cp.sum(self.cp.multiply(np.outer(u, v), self.gram))

    def square(self, u: Array) -> Any:
        return self.inner(u, u)

    def height(self) -> Any:
        self.heights.append(self.cp.Variable())
        return self.heights[-1]

    def nonnegative(self, expression: Any) -> None:
        self.constraints.append(expression >= 0)

    def solve(self, objective: Any) -> float:
        problem = self.cp.Problem(self.cp.Maximize(objective), self.constraints)
        for tolerance in (1e-8, 1e-7, 5e-7):
            try:
                problem.solve(solver=self.cp.CLARABEL, tol_gap_abs=tolerance, tol_gap_rel=tolerance, tol_feas=tolerance)
            except self.cp.error.SolverError:
                continue
            if problem.status == "optimal":
                return float(problem.value)
            if problem.status == "unbounded":
                return float("inf")
        self.rough = True
        return float("nan") if problem.value is None or not ROUGH else float(problem.value)


@dataclass
class Point:
    """A point of X with its value, mean subgradient and normal (zero if none is needed)."""

    at: Array
    value: Any
    slope: Array
    normal: Array


def interpolate(w: Worst, points: list[Point], rho: float, *, smooth: bool, L2: float | None, space: bool) -> None:
    """The pairwise conditions of a weakly convex (or smooth) f and, unless ``space``, of a convex set."""
    for p in points:
        if L2 is not None:
            w.nonnegative(L2 - w.square(p.slope))
        for q in points:
            if p is q:
                continue
            step = q.at - p.at
            if smooth:
                u = q.slope - p.slope
                w.nonnegative(
                    q.value
                    - p.value
                    - w.inner(p.slope, step)
                    - w.inner(u, step) / 2
                    - w.square(u) / (4 * rho)
                    + rho / 4 * w.square(step)
                )
            else:
                w.nonnegative(q.value - p.value - w.inner(p.slope, step) + rho / 2 * w.square(step))
            if not space and np.any(p.normal):
                w.nonnegative(-w.inner(p.normal, step))


def one_step(
    kind: str,
    *,
    rho: float,
    alpha: float,
    beta: float,
    lam: float,
    weights: dict[str, float],
    prob: float = 0.5,
    space: bool = False,
    d_bounded: bool = False,
    scale: float = 1.0,
    deterministic: bool = False,
) -> float:
    r"""The largest expected rise of :math:`F_\lambda(\bar x)\cdot a+b f(x_{k-1})+cf(x_k)+m\|d_k\|^2` in a step, with
    ``weights``
    ``F, prev, f, m`` and ``grad, d, dn`` for what is added: :math:`\mathrm{grad}\|\nabla F\|^2-\mathrm
    d\|d_k\|^2-\mathrm{dn}\,\mathrm E\|d_{k+1}\|^2`.
    ``kind`` is ``A2`` (:math:`L=1`) or ``A3`` (:math:`\sigma=1`, smooth); ``deterministic`` leaves the noise out, and
    then ``A3``
    bounds :math:`\|\nabla f(x_k)\|\le1` instead."""
    smooth, xi = kind == "A3", (1 - beta) * alpha / beta
    envelope = weights.get("F", 0.0) != 0 or weights.get("grad", 0.0) != 0
    count = 1 if deterministic else 2
    names = ["d", "v", "sp"] + ["D"] * (not deterministic) + ["h"] * envelope + ["sh"] * (envelope and not space)
    for j in range(1, count + 1):
        names += [f"s{j}"] + [f"h{j}"] * envelope + [f"d{j}"] * (not space) + [f"sh{j}"] * (envelope and not space)
    w = Worst(names)
    zero = np.zeros(len(names))
    v, d = w.letter("v"), w.letter("d")
    D = zero if deterministic else w.letter("D")
    chances: tuple[float, ...] = (prob, 1 - prob)
    sizes: tuple[float, ...] = (np.sqrt((1 - prob) / prob), -np.sqrt(prob / (1 - prob)))
    if deterministic:
        chances, sizes = (1.0,), (0.0,)
    now = Point(zero, w.height(), v, zero)
    before = Point(alpha * d, w.height(), w.letter("sp"), zero)
    points = [now, before]
    after, rise = [], 0.0
    for j, (chance, size) in enumerate(zip(chances, sizes, strict=True), 1):
        z = beta * (v + size * D) + (1 - beta) * d
        d_next = z if space else w.letter(f"d{j}")
        normal = zero if space else alpha * (d_next - z)
        after.append((chance, d_next, Point(-alpha * d_next, w.height(), w.letter(f"s{j}"), normal)))
        points.append(after[-1][2])
    if envelope:
        bar = -xi * d
        hat = w.letter("h")
        slope = (bar - hat) / lam if space else w.letter("sh")
        prox = Point(hat, w.height(), slope, zero if space else -(slope + (hat - bar) / lam))
        points.append(prox)
        here = prox.value + w.square(hat - bar) / (2 * lam)
        rise = rise - weights.get("F", 0.0) * here + weights.get("grad", 0.0) * w.square((bar - hat) / lam)
        for j, (chance, d_next, _) in enumerate(after, 1):
            bar_j, hat_j = -(alpha + xi) * d_next, w.letter(f"h{j}")
            slope_j = (bar_j - hat_j) / lam if space else w.letter(f"sh{j}")
            normal = zero if space else -(slope_j + (hat_j - bar_j) / lam)
            prox_j = Point(hat_j, w.height(), slope_j, normal)
            points.append(prox_j)
            rise = rise + weights.get("F", 0.0) * chance * (prox_j.value + w.square(hat_j - bar_j) / (2 * lam))
    interpolate(w, points, rho, smooth=smooth, L2=None if smooth else 1.0, space=space)
    if smooth:
        w.nonnegative(1 - w.square(v if deterministic else D))
    else:
        w.nonnegative(1 - w.square(v) - w.square(D))
    if d_bounded:
        w.nonnegative(1 - w.square(d))
    rise = rise + weights.get("prev", 0.0) * (now.value - before.value)
    rise = rise - (weights.get("m", 0.0) + weights.get("d", 0.0)) * w.square(d)
    for chance, d_next, point in after:
        rise = rise + chance * weights.get("f", 0.0) * (point.value - now.value)
        rise = rise + chance * (weights.get("m", 0.0) - weights.get("dn", 0.0)) * w.square(d_next)
    return w.solve(rise / scale)


def w_lemma(*, rho: float, alpha: float, beta: float) -> float:
    r"""The largest :math:`(\mathrm E[W_{k+1}-W_k]+\alpha\mathrm E\|d_{k+1}\|^2)/(\nu\alpha^2)` given :math:`\mathcal
    F_{k-1}`, :math:`\sigma=1`: two samples,
    :math:`g_k` and :math:`g_{k+1}`, each of two values; :math:`\varphi_k=\alpha^2(\langle
    z_k,d_{k+1}\rangle-\frac12\|d_{k+1}\|^2)`."""
    nu = beta / alpha
    xi = (1 - beta) / nu
    names = ["d", "v", "D", "d1", "d2", "v1", "v2", "D1", "D2", "d11", "d12", "d21", "d22", "s11", "s12", "s21", "s22"]
    w = Worst(names)
    zero = np.zeros(len(names))
    L = w.letter
    d, v = L("d"), L("v")
    now = Point(zero, w.height(), v, zero)
    points, rise = [now], 0.0
    for i, sign in ((1, 1), (2, -1)):
        z = beta * (v + sign * L("D")) + (1 - beta) * d
        d_i = L(f"d{i}")
        x_i = Point(-alpha * d_i, w.height(), L(f"v{i}"), alpha * (d_i - z))
        points.append(x_i)
        w.nonnegative(1 - w.square(L(f"D{i}")))
        W = 2 * now.value + (w.inner(z, d_i) - w.square(d_i) / 2) / nu + xi / 2 * w.square(d)
        rise = rise + (alpha * w.square(d_i) - W) / 2
        for j, other in ((1, 1), (2, -1)):
            z_j = beta * (L(f"v{i}") + other * L(f"D{i}")) + (1 - beta) * d_i
            d_j = L(f"d{i}{j}")
            points.append(Point(-alpha * d_i - alpha * d_j, w.height(), L(f"s{i}{j}"), alpha * (d_j - z_j)))
            W_next = 2 * x_i.value + (w.inner(z_j, d_j) - w.square(d_j) / 2) / nu + xi / 2 * w.square(d_i)
            rise = rise + W_next / 4
    w.nonnegative(1 - w.square(L("D")))
    interpolate(w, points, rho, smooth=True, L2=None, space=False)
    return w.solve(rise / (nu * alpha**2))


def w_lowest(**base: float) -> float:
    """The same; minus it, if the solver calls it inaccurate."""
    global ROUGH
    found = w_lemma(**base)
    if np.isfinite(found):
        return found
    ROUGH = True
    found = w_lemma(**base)
    ROUGH = False
    return -found


def gradient_mapping(*, rho: float = 1.0) -> float:
    r"""The largest :math:`\|\mathcal G_{1/\rho}(x)\|/\|\nabla F_{1/(2\rho)}(x)\|` for smooth :math:`f` and any convex
    set."""
    w = Worst(["v", "h", "sh", "p", "sp"])
    zero = np.zeros(5)
    v, h, sh, p, sp = (w.letter(name) for name in w.names)
    points = [
        Point(h, w.height(), sh, -(sh + 2 * rho * h)),
        Point(p, w.height(), sp, -v / rho - p),
    ]
    interpolate(w, [*points, Point(zero, w.height(), v, zero)], rho, smooth=True, L2=None, space=False)
    # x itself need not lie in X: drop the conditions that test a normal at x = 0
    w.constraints = []
    for one in points:
        for other in points:
            if one is not other:
                w.nonnegative(-w.inner(one.normal, other.at - one.at))
    free = Point(zero, w.height(), v, zero)
    interpolate(w, [*points, free], rho, smooth=True, L2=None, space=True)
    w.nonnegative(1 - w.square(2 * rho * h))
    return float(np.sqrt(w.solve(w.square(rho * p))))


@dataclass(frozen=True)
class Row:
    """A constant: what is printed, repaired, sharpened (certified), and the lower value."""

    name: str
    setting: str
    printed: float | None
    repaired: float
    sharpened: float
    lower: float

    @property
    def gap(self) -> float:
        """How far the certified value lies above the lower one, in per cent."""
        return 100 * (self.sharpened / abs(self.lower) - 1)

    def __str__(self) -> str:
        printed = "-" if self.printed is None else f"{self.printed:.4f}"
        return (
            f"{self.name:34s} {self.setting:26s} {printed:>9s} {self.repaired:9.4f} {self.sharpened:9.4f} "
            f"{abs(self.lower):9.4f}{' ~'[self.lower < 0]} {self.gap:7.1f}"
        )


def lowest(kind: str, base: dict[str, float], weights: dict[str, float], **options: Any) -> float:
    """The largest value over three laws of the noise; minus it, if the solver calls every one inaccurate."""
    global ROUGH
    chances = (0.5, 0.2, 0.05)
    found = [one_step(kind, **base, weights=weights, prob=p, **options) for p in chances]
    sure = [value for value in found if np.isfinite(value)]
    if sure:
        return max(sure)
    ROUGH = True
    found = [one_step(kind, **base, weights=weights, prob=p, **options) for p in chances]
    ROUGH = False
    return -max((value for value in found if np.isfinite(value)), default=float("nan"))


def rows(settings: list[tuple[float, float]] | None = None) -> Iterator[Row]:
    r"""One row a constant and a setting :math:`(\alpha,\nu)`, at :math:`\rho=1`, :math:`\lambda=\frac12`."""
    rho, lam = 1.0, 0.5
    yield Row("gradient mapping", "", 1.5 * (1 + 1 / np.sqrt(2)), 1.5, 1.5, gradient_mapping())
    for alpha, nu in settings or [(0.05, 1.0), (0.1, 1.0), (0.25, 1.0), (0.5, 1.0), (0.25, 0.3), (0.25, 4.0)]:
        beta = nu * alpha
        if beta > 1:
            continue
        xi, kappa = (1 - beta) / nu, 1 / (lam * nu)
        here = f"alpha = {alpha}, nu = {nu}"
        base = {"rho": rho, "alpha": alpha, "beta": beta, "lam": lam}

        three = rho * (1 - beta) / 2 + nu
        weights = {"prev": 1 - beta, "m": nu / 2 * xi**2, "dn": -alpha}
        low = lowest("A2", base, weights, d_bounded=True, scale=alpha**2)
        yield Row("Lemma 3, noise", here, three, three, three, low)

        gamma = xi**2 * three / lam + rho * xi + 1
        weights = {
            "F": 1.0,
            "prev": (1 - beta) * xi**2 / (2 * lam**2) + xi / lam,
            "m": nu * xi**2 / (4 * lam**2) * xi**2 + alpha * xi**2 / (2 * lam**2),
            "grad": alpha / 2,
        }
        scale = alpha**2 / (2 * lam)
        low = lowest("A2", base, weights, d_bounded=True, scale=scale)
        yield Row("Lemma 4, gamma", here, gamma - rho * xi / 2, gamma, gamma, low)

        c = (xi**2 / lam**2 + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)
        weights = {"F": 1.0, "prev": c * (1 - beta) + xi / lam, "m": c / (2 * nu), "grad": alpha / 2}
        low = lowest("A2", base, weights, scale=scale)
        yield Row("U given the past, gamma'", here, None, gamma, 1 + c * nu * lam, low)

        if rho * alpha <= 0.25:
            sharp = 1 + beta * (1 + rho * alpha)
            yield Row("Lemma 5 (W), noise", here, 4.0, 4.0, sharp, w_lowest(rho=rho, alpha=alpha, beta=beta))

        weights = {
            "F": 1.0,
            "f": kappa,
            "grad": alpha / 2,
            "d": alpha * xi**2 / (2 * lam**2),
            "dn": kappa * rho * alpha**2 / 2,
        }
        low = lowest("A3", base, weights, scale=scale)
        yield Row("(A), noise", here, None, 1.0, 1.0, low)

        weights = {"f": 1.0, "m": xi / 2, "dn": -alpha * (1 - rho * alpha / 2)}
        low = lowest("A3", base, weights, scale=nu * alpha**2)
        yield Row("(B), noise", here, None, (1 + beta) / 2, (1 + beta) / 2, low)

        c = (xi**2 / lam**2 + rho * alpha / (lam * nu)) / (2 - rho * alpha)
        weights = {"F": 1.0, "f": kappa + c, "m": c * xi / 2 + alpha * xi**2 / (2 * lam**2), "grad": alpha / 2}
        low = lowest("A3", base, weights, scale=scale)
        up = 1 + c * lam * nu * (1 + beta)
        yield Row("(A) + c (B), noise", here, None, up, up, low)

        c = rho * xi**2 / lam / (1 - rho * alpha / 2)
        m = c * xi / 2 + alpha * rho * xi**2 / lam
        weights = {"F": 1.0, "f": c, "m": m, "grad": alpha * (1 - 1.5 * rho * lam)}
        low = lowest("A3", base, weights, space=True, scale=scale)
        up = rho * lam / (1 + rho * lam) + c * lam * nu * (1 + beta)
        printed = 1 + 8 * nu * xi**2 / lam if rho * alpha <= 0.25 else None
        yield Row("Theorem 3, step on R^n", here, printed, printed or up, up, low)


if __name__ == "__main__":
    print(
        f"{'constant':34s} {'setting (rho=1, lambda=1/2)':26s} {'printed':>9s} {'repaired':>9s} {'certified':>9s} "
        f"{'lower':>9s} {'gap %':>8s}"
    )
    for row in rows():
        print(row, flush=True)
