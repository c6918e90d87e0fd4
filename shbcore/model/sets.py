r"""Closed convex sets: projection, membership, diameter, support function, and the conjugate :math:`h^*`.

Everything acts on the last axis, so one call projects a whole ``(m, n)`` array of points.  For a set of
your own, subclass :class:`ConvexSet` and give ``n``, ``_project`` and ``_support``; the points that these two get have been checked.
"""

import itertools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array

WHY = "X is a closed convex set, eqn:objective"
MOST_VERTICES = 4096


class Extent(NamedTuple):
    r"""How far a set extends: ``value`` bounds :math:`\sup_{x\in\mathcal X}\|Bx-d\|` from above; ``exact`` says that, up to rounding,
    it is this supremum."""

    value: float
    exact: bool


def norm(x: Array) -> Array:
    r""":math:`\|x\|` along the last axis, also where the squares overflow."""
    with np.errstate(over="ignore"):
        found = np.asarray(np.linalg.norm(x, axis=-1))
    if np.isfinite(found).all():
        return found
    size = np.max(np.abs(x), axis=-1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.isfinite(found), found, size[..., 0] * np.linalg.norm(x / size, axis=-1))


class ConvexSet(ABC):
    r"""A closed convex set :math:`\mathcal X\subseteq\mathbb R^n`, given by its projection."""

    has_interior: bool = True

    @property
    @abstractmethod
    def n(self) -> int: ...

    @property
    def diameter(self) -> float:
        r""":math:`\sup_{x,y\in\mathcal X}\|x-y\|`; infinite for the whole space and for a half-space."""
        return float("inf")

    @abstractmethod
    def _project(self, x: Array) -> Array: ...

    @abstractmethod
    def _support(self, y: Array) -> Array: ...

    def project(self, x: Array) -> Array:
        r""":math:`\Pi_{\mathcal X}(x)=\arg\min_{y\in\mathcal X}\|y-x\|`."""
        found = self._project(checks.points("x", x, self.n))
        if not np.isfinite(found).all():
            checks.fail("x", x, "be projected without overflow", WHY)
        return found

    def support(self, y: Array) -> Array:
        r""":math:`\sup_{x\in\mathcal X}\langle y,x\rangle`, possibly infinite."""
        return self._support(checks.points("y", y, self.n))

    def extent(self, B: Array, d: Array | float = 0.0) -> Extent:
        r""":math:`\sup_{x\in\mathcal X}\|Bx-d\|` or an upper bound of it; for the whole space and a half-space infinite unless :math:`B=0`.

        A bounded set computes it.  An unbounded set of another kind needs a rule of its own: here it would get infinity.
        """
        B, d = self._affine(B, d)
        rows = np.broadcast_to(d, B.shape[:1])
        return Extent(float("inf") if B.any() else float(norm(rows)), True)

    def _affine(self, B: Array, d: Array | float) -> tuple[Array, Array | float]:
        """A matrix with n columns, and a number or one for each row."""
        B = checks.array("B", B, (None, self.n), f"Bx - d for x in R^{self.n}")
        why = "a number, or one for each row of B"
        shape = (len(B),) if checks.numeric("d", d, why).ndim else ()
        return B, checks.array("d", d, shape, why)

    def distance(self, x: Array) -> Array:
        """Distance to the set."""
        x = checks.points("x", x, self.n)
        return norm(x - self._project(x))

    def contains(self, x: Array, tol: float = 1e-9) -> bool:
        r"""Whether every point is in the set, up to ``tol`` :math:`(1+\|x\|)`; a point that is not finite is not."""
        checks.nonnegative("tol", tol, "membership up to rounding")
        x = checks.points("x", x, self.n, finite=False)
        if not np.isfinite(x).all():
            return False
        distance = self.distance(x)
        return bool(np.all(np.isfinite(distance) & (distance <= tol * (1 + norm(x)))))


@dataclass(frozen=True)
class WholeSpace(ConvexSet):
    r"""No constraints, :math:`\mathcal X=\mathbb R^n`."""

    dimension: int

    def __post_init__(self) -> None:
        checks.freeze(self, dimension=checks.count("dimension", self.dimension, WHY))

    @property
    def n(self) -> int:
        return self.dimension

    def _project(self, x: Array) -> Array:
        return np.array(x, dtype=np.float64)

    def _support(self, y: Array) -> Array:
        return np.where(np.any(y != 0, axis=-1), np.inf, 0.0)


@dataclass(frozen=True, eq=False)
class Ball(ConvexSet):
    r"""The ball :math:`\{x:\|x-c\|\le R\}` with ``radius`` :math:`R>0` and ``centre`` :math:`c`."""

    radius: float
    centre: Array

    def __post_init__(self) -> None:
        radius = checks.real("radius", checks.positive("radius", self.radius, WHY), WHY)
        checks.freeze(self, radius=radius, centre=checks.array("centre", self.centre, (None,), WHY))

    @property
    def n(self) -> int:
        return len(self.centre)

    @property
    def diameter(self) -> float:
        return 2.0 * self.radius

    def _project(self, x: Array) -> Array:
        out = x - self.centre
        far = np.max(np.abs(out), axis=-1, keepdims=True)
        if (far > 1e300).any():  # the length may overflow: the direction is enough, in the rows that are so long
            out = np.where(far > 1e300, out / np.maximum(far, 1.0) * 2 * self.radius, out)
        size = np.expand_dims(norm(out), -1)
        return np.where(size <= self.radius, x, self.centre + out * (self.radius / np.maximum(size, self.radius)))

    def _support(self, y: Array) -> Array:
        return np.asarray(y @ self.centre + self.radius * norm(y))

    def contains(self, x: Array, tol: float = 1e-9) -> bool:
        r"""As of every set; in a ball of radius below :math:`10^{-6}` up to ``tol`` times the radius, beside rounding."""
        if self.radius >= 1e-6:
            return super().contains(x, tol)
        checks.nonnegative("tol", tol, "membership up to rounding")
        x = checks.points("x", x, self.n, finite=False)
        if not np.isfinite(x).all():
            return False
        slack = tol * self.radius + 8 * np.finfo(float).eps * (norm(x) + norm(self.centre))
        return bool(np.all(norm(x - self.centre) <= self.radius + slack))

    def extent(self, B: Array, d: Array | float = 0.0) -> Extent:
        r"""With :math:`r=Bc-d`, eigenvalues :math:`\mu_j` of :math:`B^\top B`, :math:`q=B^\top r` in its eigenbasis,

        .. math:: \sup_{\|u\|\le R}\|r+Bu\|^2=\min_{\mu\ge\mu_{\max}}\|r\|^2+\mu R^2+\sum_j q_j^2/(\mu-\mu_j).

        Every admissible :math:`\mu` gives an upper bound, and this trust-region dual has no gap.  Its slope in :math:`\mu`
        increases and is non-negative at :math:`\mu_{\max}+\|q\|/R`: bisection on :math:`t=\mu-\mu_{\max}`.
        """
        B, d = self._affine(B, d)
        if not B.any():
            return _finite(float(norm(np.broadcast_to(d, len(B)))), True, B)
        with np.errstate(over="ignore", invalid="ignore"):
            r, R, size = B @ self.centre - d, self.radius, 1.0
            sizes = np.array([np.abs(B).max(), np.abs(r).max(), R, np.abs(B).max() * R])
        if ((sizes > 1e75) | ((sizes < 1e-75) & (sizes > 0))).any():  # squares leave the range of floats
            size = float(max(sizes[1], sizes[3]))
            if not 0 < size < float("inf"):
                checks.fail("B", B, "keep Bx - d in the range of floats", WHY)
            B, r, R = B * (R / size) if R < 1 else B / size * R, r / size, 1.0
        eigenvalues, basis = np.linalg.eigh(B.T @ B)
        q2 = (basis.T @ (B.T @ r)) ** 2
        q2, gaps = q2[q2 > 0], (eigenvalues[-1] - eigenvalues)[q2 > 0]
        low, high = 0.0, float(np.sqrt(q2.sum())) / R
        for _ in range(200 if q2.size else 0):
            t = (low + high) / 2
            low, high = (t, high) if np.sum(q2 / (gaps + t) ** 2) > R * R else (low, t)
        squared = r @ r + (eigenvalues[-1] + high) * R * R + np.sum(q2 / (gaps + high))
        return _finite(size * float(np.sqrt(max(squared, 0.0))), True, B)


@dataclass(frozen=True, eq=False)
class Box(ConvexSet):
    r"""The box :math:`\{x: l_j\le x_j\le u_j\}`: ``lower`` is :math:`l`, ``upper`` is :math:`u`, both finite."""

    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        lower = checks.array("lower", self.lower, (None,), WHY)
        upper = checks.array("upper", self.upper, lower.shape, WHY)
        if (lower > upper).any():
            checks.fail("lower", lower, f"be at most upper = {upper}", "X is not empty, eqn:objective")
        checks.freeze(self, lower=lower, upper=upper, has_interior=bool((lower < upper).all()))

    @property
    def n(self) -> int:
        return len(self.lower)

    @property
    def diameter(self) -> float:
        with np.errstate(over="ignore"):
            found = float(norm(self.upper - self.lower))
        if not np.isfinite(found):
            checks.fail("upper", self.upper, "be so near to lower that the diameter is below 1e308", WHY)
        return found

    def _project(self, x: Array) -> Array:
        return np.clip(x, self.lower, self.upper)

    def _support(self, y: Array) -> Array:
        return np.asarray(np.sum(np.maximum(y * self.lower, y * self.upper), axis=-1))

    def extent(self, B: Array, d: Array | float = 0.0) -> Extent:
        r"""A convex function is largest at a vertex.  Where these are too many, with centre :math:`c` and half widths
        :math:`r`: :math:`\|Bx-d\|\le\|Bc-d\|+\min(\sum_j r_j\|B_j\|,\ \|r\|\|B\|_2)`."""
        B, d = self._affine(B, d)
        if 2**self.n <= MOST_VERTICES:
            return _largest_vertex(np.array(list(itertools.product(*np.stack([self.lower, self.upper], axis=1)))), B, d)
        centre, half = (self.lower + self.upper) / 2, (self.upper - self.lower) / 2
        with np.errstate(over="ignore", invalid="ignore"):
            spread = min(half @ np.linalg.norm(B, axis=0), np.linalg.norm(half) * np.linalg.norm(B, 2))
            return _finite(float(norm(B @ centre - d) + spread), False, B)


@dataclass(frozen=True, eq=False)
class HalfSpace(ConvexSet):
    r"""The half-space :math:`\{x:\langle a,x\rangle\le b\}`: ``normal`` is :math:`a\ne0`, ``offset`` is :math:`b`."""

    normal: Array
    offset: float

    def __post_init__(self) -> None:
        normal = checks.array("normal", self.normal, (None,), WHY)
        if not normal.any():
            checks.fail("normal", normal, "not be zero", WHY)
        with np.errstate(over="ignore"):
            square = normal @ normal
        if not 0 < square < np.inf:
            checks.fail("normal", normal, "have a square between 1e-308 and 1e308", "its length divides")
        checks.freeze(self, normal=normal, offset=checks.real("offset", self.offset, WHY))

    @property
    def n(self) -> int:
        return len(self.normal)

    def _project(self, x: Array) -> Array:
        excess = np.maximum(x @ self.normal - self.offset, 0.0) / (self.normal @ self.normal)
        return np.asarray(x - np.expand_dims(excess, -1) * self.normal)

    def _support(self, y: Array) -> Array:
        ratio = (y @ self.normal) / (self.normal @ self.normal)
        residual = norm(y - np.expand_dims(ratio, -1) * self.normal)
        parallel = (residual <= 1e-12 * norm(y)) & (ratio >= 0)
        return np.where(parallel, ratio * self.offset, np.inf)


@dataclass(frozen=True)
class Simplex(ConvexSet):
    r"""The simplex :math:`\{x\ge0:\sum_jx_j=s\}` in dimension ``dimension``; ``total`` is :math:`s>0`."""

    dimension: int
    total: float = 1.0
    has_interior = False

    def __post_init__(self) -> None:
        checks.freeze(self, dimension=checks.count("dimension", self.dimension, WHY))
        checks.freeze(self, total=checks.real("total", checks.positive("total", self.total, WHY), WHY))

    @property
    def n(self) -> int:
        return self.dimension

    @property
    def diameter(self) -> float:
        return float(np.sqrt(2) * self.total) if self.dimension > 1 else 0.0

    def _project(self, x: Array) -> Array:
        r""":math:`(x-\tau)_+`, with :math:`\tau` the last :math:`(\sum_{i\le j}x_{(i)}-s)/j` below :math:`x_{(j)}`."""
        top = np.max(x, axis=-1, keepdims=True)
        if np.any(np.abs(x) > 1e6 * (1 + self.total)):  # one shift of all coordinates changes nothing but the rounding
            x = x - top
        falling = -np.sort(-x, axis=-1)
        levels = (np.cumsum(falling, axis=-1) - self.total) / np.arange(1, self.n + 1)
        last = np.maximum(np.sum(falling > levels, axis=-1, keepdims=True) - 1, 0)
        return np.maximum(x - np.take_along_axis(levels, last, axis=-1), 0.0)

    def _support(self, y: Array) -> Array:
        return np.asarray(self.total * np.max(y, axis=-1))

    def extent(self, B: Array, d: Array | float = 0.0) -> Extent:
        B, d = self._affine(B, d)
        return _largest_vertex(self.total * np.eye(self.n), B, d)


def _largest_vertex(vertices: Array, B: Array, d: Array | float) -> Extent:
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite(float(np.max(norm(vertices @ B.T - d))), True, B)


def _finite(value: float, exact: bool, B: Array) -> Extent:
    """The extent of a bounded set is finite: what leaves the range of floats is refused."""
    if not np.isfinite(value):
        checks.fail("B", B, "keep Bx - d in the range of floats", "X is bounded, so its extent is finite")
    return Extent(value, exact)


def _of(X: ConvexSet) -> ConvexSet:
    found: ConvexSet = checks.instance(ConvexSet, "X", X, WHY)
    checks.room(WHY, n=found.n, columns=found.n)
    return found


def largest_norm(X: ConvexSet) -> float:
    r"""The largest norm of a point, :math:`\sup_{x\in\mathcal X}\|x\|`, or an upper bound of it."""
    return _of(X).extent(np.eye(X.n)).value


def bounding_box(X: ConvexSet) -> tuple[Array, Array]:
    """The smallest box around the set, as two vectors with possibly infinite entries."""
    axes = np.eye(_of(X).n)
    return -X.support(-axes), X.support(axes)


def conjugate(X: ConvexSet, y: Array) -> Array:
    r"""The conjugate :math:`h^*(y)=\sup_{x\in\mathcal X}\langle y,x\rangle-\frac12\|x\|^2` of
    :math:`h=\frac12\|\cdot\|^2+\mathsf I_{\mathcal X}`.

    The supremum is reached at the point of :math:`\mathcal X` nearest to :math:`y`, so one formula serves every set:
    :math:`h^*(y)=\langle y,\Pi(y)\rangle-\frac12\|\Pi(y)\|^2`.  Its gradient is :math:`\Pi(y)`.
    """
    y = checks.points("y", y, _of(X).n)
    nearest = X.project(y)
    return np.asarray(np.sum((y - nearest / 2) * nearest, axis=-1))
