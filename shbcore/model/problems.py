r"""Problems as weighted finite sums, :math:`f(x)=\sum_iw_if_i(x)`, in one vocabulary, with constants that say how they are known.

Every problem of the project answers to :class:`Problem`, on the line in exact arithmetic (:mod:`shbcore.model.rational`) as in
:math:`\mathbb R^n` in floats.  The constants of the paper have one name each:

* ``rho``: :math:`f+\frac\rho2\|\cdot\|^2` is convex.  Lemma 1 has this :math:`\frac12`; the introduction prints it without.
* ``smoothness``: :math:`\|\nabla f(x)-\nabla f(y)\|\le\rho\|x-y\|`; it is the :math:`\rho` of section 4.
* ``L2(X)``: :math:`\mathbb E\|f'(x,S)\|^2\le L^2` on :math:`\mathcal X`, assumption (A2).
* ``sigma2(X)``: :math:`\mathbb E\|f'(x,S)-\mathbb Ef'(x,S)\|^2\le\sigma^2` on :math:`\mathcal X`, assumption (A3).
* ``G2(X)``: :math:`\|\mathbb Ef'(x,S)\|^2\le G^2` on :math:`\mathcal X`, as Theorem 2 asks.

These are finite numbers; where the assumption fails they raise an error that names it.  ``known_rho()``, ``known_smoothness()``,
``known_L2(X)``, ``known_sigma2(X)`` and ``known_G2(X)`` never raise for that reason: they return a :class:`Known`, whose value may
be infinite, and which says how it is known.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array, Number
from shbcore.model.sets import ConvexSet

How = Literal["closed form", "certified bound", "estimated", "declared"]


@dataclass(frozen=True)
class Known:
    r"""A constant of the paper and how it is known.

    ``closed form``: the least possible constant (up to rounding).  ``certified bound``: proved sufficient, perhaps not the least.
    ``estimated``: the largest value seen on samples, a lower bound of the constant and no certificate.  ``declared``: taken on the
    word of whoever made the problem.  An infinite value says that the assumption fails; of a problem from plain functions, an infinite
    smoothness says only that none was declared.
    """

    value: Number
    how: How
    note: str = ""

    def __post_init__(self) -> None:
        checks.one_of("how", self.how, get_args(How), "a constant says how it is known")
        if self.value != math.inf:
            value = checks.nonnegative("value", self.value, "constants of the paper are at least 0")
            checks.freeze(self, value=value)

    def __float__(self) -> float:
        return float(self.value)

    @property
    def certain(self) -> bool:
        """Whether it is proved here, and neither estimated nor declared."""
        return self.how in ("closed form", "certified bound")


def known(value: Number, sharp: bool, note: str) -> Known:
    """A float that is a closed form if ``sharp``, and otherwise a certified bound."""
    return Known(float(value), "closed form" if sharp else "certified bound", note)


def derived(found: Known, note: str) -> Known:
    """A bound that follows from another constant: as certain as that one, and no longer the least possible."""
    return Known(float(found.value), "certified bound" if found.certain else found.how, note)


def squared(value: float, name: str, of: object) -> float:
    """The square of a constant; where a finite one leaves the range of floats, the data are refused, for infinity has a meaning."""
    found = float(value) * float(value)
    if math.isinf(found) and not math.isinf(value):
        checks.fail(name, of, "keep the constants of the problem below 1e308", "they are computed in floats")
    return found


class Problem(Protocol):
    r"""What a problem answers: :math:`f(x)=\sum_{i<m}w_if_i(x)`, its subgradients and its constants.

    Points are vectors of floats, or plain numbers on the line.  A step of the method asks for ``subgradient(x, i)`` alone.

    * ``m`` samples, in dimension ``n``, with ``weights`` that sum to 1.
    * ``value(x)``: :math:`f(x)`; ``values(x)``: :math:`f_i(x)` of all samples, in order.
    * ``subgradient(x, i)``: a subgradient of :math:`f_i`; ``subgradients(x)``: those of all samples; ``mean_subgradient(x)``: their
      weighted mean.
    * ``smooth``: whether a finite ``smoothness`` is known.
    * ``rho``, ``smoothness``, ``L2(X)``, ``sigma2(X)``, ``G2(X)``: the constants as numbers; an infinite one is refused.
    * ``known_rho()``, ``known_smoothness()``, ``known_L2(X)``, ``known_sigma2(X)``, ``known_G2(X)``: the same as :class:`Known`.
    """

    @property
    def weights(self) -> Any: ...
    @property
    def n(self) -> int: ...
    @property
    def m(self) -> int: ...
    def value(self, x: Any) -> Any: ...
    def values(self, x: Any) -> Any: ...
    def subgradient(self, x: Any, i: int) -> Any: ...
    def subgradients(self, x: Any) -> Any: ...
    def mean_subgradient(self, x: Any) -> Any: ...

    @property
    def smooth(self) -> bool: ...
    @property
    def rho(self) -> Number: ...
    @property
    def smoothness(self) -> Number: ...
    def L2(self, X: Any) -> Number: ...
    def sigma2(self, X: Any) -> Number: ...
    def G2(self, X: Any) -> Number: ...
    def known_rho(self) -> Known: ...
    def known_smoothness(self) -> Known: ...
    def known_L2(self, X: Any) -> Known: ...
    def known_sigma2(self, X: Any) -> Known: ...
    def known_G2(self, X: Any) -> Known: ...


class Constants(ABC):
    """The constants that every problem has, each as a number and with how it is known."""

    @abstractmethod
    def known_rho(self) -> Known:
        r"""The :math:`\rho` of weak convexity."""

    @abstractmethod
    def known_smoothness(self) -> Known:
        r"""The :math:`\rho` of the smooth sections; infinite if there is none, or none was declared."""

    @abstractmethod
    def known_L2(self, X: Any) -> Known:
        r""":math:`L^2` of (A2) on a set."""

    @abstractmethod
    def known_sigma2(self, X: Any) -> Known:
        r""":math:`\sigma^2` of (A3) on a set."""

    @abstractmethod
    def known_G2(self, X: Any) -> Known:
        r""":math:`G^2` of Theorem 2 on a set."""

    @property
    def rho(self) -> Number:
        r""":math:`\rho` of weak convexity; for the smooth results use :attr:`smoothness`."""
        return self._finite(self.known_rho(), "problem", self, "be rho-weakly convex for some rho", checks.RHO)

    @property
    def smoothness(self) -> Number:
        r"""Lipschitz constant of :math:`\nabla f`."""
        found = self.known_smoothness()
        must = "be smooth: f has kinks" if found.certain else f"be smooth: {found.note}"
        return self._finite(found, "problem", self, must, "(A3), section 4")

    @property
    def smooth(self) -> bool:
        """Whether a finite smoothness is known, so that the theorems of the smooth sections apply."""
        return bool(self.known_smoothness().value != math.inf)

    def L2(self, X: Any) -> Number:
        r""":math:`L^2` of (A2)."""
        return self._finite(self.known_L2(X), "X", X, "make E|f'(x,S)|^2 bounded", "(A2)")

    def sigma2(self, X: Any) -> Number:
        r""":math:`\sigma^2` of (A3)."""
        return self._finite(self.known_sigma2(X), "X", X, "make the variance of f'(x,S) bounded", "(A3)")

    def G2(self, X: Any) -> Number:
        r""":math:`G^2` of Theorem 2."""
        return self._finite(self.known_G2(X), "X", X, "make |f'(x)| bounded", "the bound G of Theorem 2")

    @staticmethod
    def _finite(found: Known, name: str, value: object, must: str, why: str) -> Number:
        if found.value == math.inf:
            checks.fail(name, value, must, why)
        return found.value

    def constants(self, X: Any) -> dict[str, Known]:
        """All five constants on a set, by name."""
        found = {"rho": self.known_rho(), "smoothness": self.known_smoothness(), "L2": self.known_L2(X)}
        return {**found, "sigma2": self.known_sigma2(X), "G2": self.known_G2(X)}


class Instance(NamedTuple):
    """A generated problem, the set that goes with it, and ``truth``, the planted solution."""

    problem: "FiniteSum"
    X: ConvexSet
    truth: Array


@cache
def _alone(kind: type) -> bool:
    """Whether a class says how one sample is computed, at least as late as how all are: a later rule for all counts for one as well."""
    return "_subgradient" in next(
        vars(one) for one in kind.__mro__ if "_subgradients" in vars(one) or "_subgradient" in vars(one)
    )


class FiniteSum(Constants):
    """The base of all problems in floats; each adds its values, its subgradients and its constants."""

    weights: Array

    @property
    @abstractmethod
    def n(self) -> int: ...

    @property
    def m(self) -> int:
        return len(self.weights)

    @abstractmethod
    def _values(self, x: Array) -> Array: ...

    @abstractmethod
    def _subgradients(self, x: Array) -> Array: ...

    def _at(self, x: Any) -> Array:
        found = checks.points("x", x, self.n)
        if found.ndim != 1:
            checks.fail("x.shape", found.shape, f"be ({self.n})", f"points lie in R^{self.n}")
        return found

    def values(self, x: Array) -> Array:
        r""":math:`f_i(x)`, one for each sample."""
        return self._values(self._at(x))

    def subgradients(self, x: Array) -> Array:
        r""":math:`f'(x,i)\in\partial f_i(x)` as rows of an ``(m, n)`` array."""
        return self._subgradients(self._at(x))

    def _subgradient(self, x: Array, i: int) -> Array:
        """Of one sample; a problem that can do without all the others says how."""
        return np.asarray(self._subgradients(x)[i])

    def subgradient(self, x: Array, i: int) -> Array:
        r""":math:`f'(x,i)\in\partial f_i(x)`, of one sample."""
        x, i = self._at(x), checks.count("i", i, checks.LAW, least=0, most=self.m - 1)
        return self._subgradient(x, i) if _alone(type(self)) else np.asarray(self._subgradients(x)[i])

    def value(self, x: Array) -> float:
        r""":math:`f(x)`."""
        return float(self.weights @ self.values(x))

    def mean_subgradient(self, x: Array) -> Array:
        r""":math:`\mathbb E f'(x,S)\in\partial f(x)`, assumption (A1)."""
        return np.asarray(self.weights @ self.subgradients(x))

    def valid_on(self, X: ConvexSet) -> None:
        r"""Raises an error if ``X`` leaves the domain on which the constants were derived.  Most problems have no such domain."""

    def known_least_rho(self) -> Known:
        r"""The smallest :math:`\rho` known to suffice.  Where a formula of the paper gives a larger one, ``known_rho`` quotes that."""
        return self.known_rho()

    def known_smoothness(self) -> Known:
        return Known(math.inf, "closed form", "f is not smooth")

    def known_sigma2(self, X: ConvexSet) -> Known:
        return derived(self.known_L2(X), "sigma <= L: a variance is at most the second moment")

    def known_G2(self, X: ConvexSet) -> Known:
        return derived(self.known_L2(X), "G <= L: Jensen's inequality")
