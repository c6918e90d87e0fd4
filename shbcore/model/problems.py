r"""Problems as weighted finite sums, :math:`f(x)=\sum_iw_if_i(x)`, with constants that say how they are known."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, SupportsFloat

import numpy as np

from shbcore.model.checks import Array
from shbcore.model.sets import ConvexSet


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


def known(value: SupportsFloat, sharp: bool, note: str) -> Known:
    """A constant that is a closed form if ``sharp``, and otherwise a certified bound."""
    return Known(float(value), "closed form" if sharp else "certified bound", note)


class Problem(Protocol):
    r""":math:`f(x)=\sum_{i<m}w_if_i(x)` on :math:`\mathbf R^n`, one subgradient chosen for each sample."""

    @property
    def weights(self) -> Array: ...
    @property
    def smooth(self) -> bool: ...
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

    @property
    @abstractmethod
    def n(self) -> int: ...

    @property
    def smooth(self) -> bool:
        """Whether the theorems of the smooth sections apply."""
        return self.smoothness().value < float("inf")

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
