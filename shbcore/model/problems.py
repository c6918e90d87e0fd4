r"""Problems as weighted finite sums, :math:`f(x)=\sum_iw_if_i(x)`, with constants that say how they are known."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.sets import ConvexSet, largest_norm


@dataclass(frozen=True)
class Known:
    r"""A constant of the paper and how it is known.

    ``closed form``: the least possible constant (up to rounding).  ``certified bound``: proved sufficient, perhaps not
    the least.  Nothing here is estimated from samples; an infinite value says that the assumption fails.
    """

    value: float
    how: Literal["closed form", "certified bound"]
    note: str = ""

    def __float__(self) -> float:
        return self.value


def known(value: float, sharp: bool, note: str) -> Known:
    """A constant that is a closed form if ``sharp``, and otherwise a certified bound."""
    return Known(float(value), "closed form" if sharp else "certified bound", note)


class Problem(Protocol):
    r""":math:`f(x)=\sum_{i<m}w_if_i(x)` on :math:`\mathbf R^n`, one subgradient chosen for each sample."""

    weights: Array
    smooth: bool

    @property
    def n(self) -> int: ...
    @property
    def m(self) -> int: ...
    def value(self, x: Array) -> float: ...
    def values(self, x: Array) -> Array: ...
    def subgradients(self, x: Array) -> Array: ...
    def mean_subgradient(self, x: Array) -> Array: ...
    def weak_convexity(self) -> Known: ...
    def smoothness(self) -> Known: ...
    def lipschitz(self, X: ConvexSet) -> Known: ...
    def variance(self, X: ConvexSet) -> Known: ...
    def gradient_bound(self, X: ConvexSet) -> Known: ...


class Instance(NamedTuple):
    """A generated problem, the set it is meant for, and the planted solution."""

    problem: "FiniteSum"
    X: ConvexSet
    truth: Array


class FiniteSum(ABC):
    """What every finite sum shares; a problem adds its samples and its constants."""

    weights: Array
    smooth: bool = False

    @property
    @abstractmethod
    def n(self) -> int: ...

    @property
    def m(self) -> int:
        return len(self.weights)

    @abstractmethod
    def values(self, x: Array) -> Array:
        r""":math:`f_i(x)`, one for each sample."""

    @abstractmethod
    def subgradients(self, x: Array) -> Array:
        r""":math:`f'(x,i)\in\partial f_i(x)` as rows of an ``(m, n)`` array."""

    def value(self, x: Array) -> float:
        r""":math:`f(x)`."""
        return float(self.weights @ self.values(x))

    def mean_subgradient(self, x: Array) -> Array:
        r""":math:`\mathbf E f'(x,S)\in\partial f(x)`, assumption (A1)."""
        return np.asarray(self.weights @ self.subgradients(x))

    @abstractmethod
    def weak_convexity(self) -> Known:
        r""":math:`\rho`: :math:`f+\frac\rho2\|\cdot\|^2` is convex."""

    def smoothness(self) -> Known:
        r"""The :math:`\rho` of the smooth sections: :math:`\|\nabla f(x)-\nabla f(y)\|\le\rho\|x-y\|`."""
        return Known(float("inf"), "closed form", "f is not smooth")

    @abstractmethod
    def lipschitz(self, X: ConvexSet) -> Known:
        r""":math:`L`: :math:`\mathbf E\|f'(x,S)\|^2\le L^2` on :math:`\mathcal X`, assumption (A2)."""

    def variance(self, X: ConvexSet) -> Known:
        r""":math:`\sigma`: :math:`\mathbf E\|f'(x,S)-\mathbf Ef'(x,S)\|^2\le\sigma^2` on :math:`\mathcal X`, (A3)."""
        return known(self.lipschitz(X).value, False, "sigma <= L: a variance is at most the second moment")

    def gradient_bound(self, X: ConvexSet) -> Known:
        r""":math:`G`: :math:`\|\mathbf Ef'(x,S)\|\le G` on :math:`\mathcal X`, as Theorem 2 asks."""
        return known(self.lipschitz(X).value, False, "G <= L: Jensen's inequality")


@dataclass(frozen=True, eq=False)
class AbsoluteQuadratics(FiniteSum):
    r""":math:`f(x)=\sum_iw_i|q_i(x)|` with :math:`q_i(x)=\frac12x^\top H_ix+l_i^\top x+c_i`.

    This is ``eq:composite`` with :math:`h=\sum_iw_i|\cdot|` and :math:`c=q` quadratic.  It is a maximum of quadratics,
    :math:`f(x)=\max_{|s_i|\le1}\sum_iw_is_iq_i(x)`, so :math:`f+\frac\rho2\|\cdot\|^2` is convex as soon as
    :math:`\rho I+\sum_iw_is_iH_i\succeq0` for all :math:`s`.  As :math:`-|H_i|\preceq s_iH_i` (matrix absolute value),
    :math:`\rho=\lambda_{\max}(\sum_iw_i|H_i|)` will do; a problem that knows better passes its own ``modulus``.
    The subgradient is :math:`\mathrm{sign}(q_i)\nabla q_i`, with 0 at a kink.
    """

    H: Array
    linear: Array
    offset: Array
    weights: Array
    modulus: Known | None = None

    def __post_init__(self) -> None:
        why = "a finite sum of |q_i|, eq:composite"
        H = checks.array("H", self.H, (None, None, None), why)
        m, n, _ = H.shape
        if H.shape[1] != H.shape[2] or not np.allclose(H, H.swapaxes(1, 2)):
            checks.fail("H.shape", H.shape, "be that of m symmetric matrices", why)
        for name, value in (
            ("H", H),
            ("linear", checks.array("linear", self.linear, (m, n), why)),
            ("offset", checks.array("offset", self.offset, (m,), why)),
            ("weights", checks.weights(self.weights, m)),
        ):
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        return int(self.H.shape[1])

    def quadratics(self, x: Array) -> Array:
        r""":math:`q_i(x)`."""
        return np.asarray((self.H @ x / 2 + self.linear) @ x + self.offset)

    def values(self, x: Array) -> Array:
        return np.abs(self.quadratics(x))

    def subgradients(self, x: Array) -> Array:
        return np.asarray(np.sign(self.quadratics(x))[:, None] * (self.H @ x + self.linear))

    def _curvature(self) -> float:
        eigenvalues, bases = np.linalg.eigh(self.H)
        absolute = (bases * np.abs(eigenvalues)[:, None, :]) @ bases.swapaxes(1, 2)
        return float(np.linalg.eigvalsh(np.tensordot(self.weights, absolute, axes=1))[-1])

    def weak_convexity(self) -> Known:
        return self.modulus or known(self._curvature(), False, "largest eigenvalue of sum w_i |H_i|")

    def lipschitz(self, X: ConvexSet) -> Known:
        r""":math:`L^2=\sup_{\mathcal X}\sum_iw_i\|H_ix+l_i\|^2`, least if :math:`\mathcal X` has interior: kinks are not dense."""
        checks.same_dimension(self.n, X)
        root = np.sqrt(self.weights)
        B, d = (root[:, None, None] * self.H).reshape(-1, self.n), -(root[:, None] * self.linear).ravel()
        value, exact = X.extent(B, d)
        never_flat = bool((self.H.any(axis=(1, 2)) | self.linear.any(axis=1)).all())
        return known(value, exact and X.has_interior and never_flat, "sup over X of (sum w_i |H_i x + l_i|^2)^(1/2)")

    def gradient_bound(self, X: ConvexSet) -> Known:
        r""":math:`\|\sum w_is_i(H_ix+l_i)\|\le\lambda_{\max}(\sum w_i|H_i|)\|x\|+\sum w_i\|l_i\|`, and at most :math:`L`."""
        bound = self._curvature() * largest_norm(X) + self.weights @ np.linalg.norm(self.linear, axis=1)
        return known(min(bound, self.lipschitz(X).value), False, "the smaller of curvature times |x| and L")
