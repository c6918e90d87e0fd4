r"""Stepsize and momentum: the pair :math:`(\alpha,\beta)`, its choices in the theorems, and stepsize rules."""

import math
import numbers
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from shbcore.model import checks, constants
from shbcore.model.checks import Number


def root(K: int) -> Number:
    r"""The root :math:`\sqrt{K+1}`: an exact integer if :math:`K+1` is a square, a float otherwise."""
    K = checks.count("K", K, "the number of iterations is K + 1", least=0, most=10**300)
    whole = math.isqrt(K + 1)
    return whole if whole * whole == K + 1 else math.sqrt(K + 1)


def exactly(number: Number) -> Number:
    """An integer as a ``Fraction``, so that division stays exact; any other number as it is."""
    return Fraction(int(number)) if isinstance(number, numbers.Integral) else number


@dataclass(frozen=True)
class Parameters:
    r"""A constant stepsize :math:`\alpha>0` and the weight :math:`\beta=\nu\alpha\in(0,1]` of the fresh subgradient
    (``lem:xdiff:non-smooth``).

    The momentum is :math:`1-\beta`.
    Any number type: a ``Fraction`` stays a ``Fraction``, an integer becomes one, a SymPy symbol stays symbolic.
    """

    alpha: Number
    beta: Number

    def __post_init__(self) -> None:
        checks.freeze(self, alpha=exactly(checks.alpha(self.alpha)), beta=exactly(checks.beta(self.beta)))

    @property
    def nu(self) -> Number:
        r""":math:`\nu=\beta/\alpha`."""
        return self.beta / self.alpha

    @cached_property
    def xi(self) -> Number:
        r""":math:`\xi=(1-\beta)/\nu`."""
        return constants.xi(beta=self.beta, nu=self.nu)

    @classmethod
    def from_nu(cls, alpha: Number, nu: Number) -> "Parameters":
        r""":math:`\beta=\nu\alpha`, which must not exceed 1."""
        alpha = checks.alpha(alpha)
        return cls(alpha, checks.positive("nu", nu, "beta = nu alpha, lem:xdiff:non-smooth") * alpha)

    @classmethod
    def theorem_1(cls, alpha_0: Number, K: int) -> "Parameters":
        r""":math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\nu=1/\alpha_0`, so :math:`\beta=1/\sqrt{K+1}` (Theorems 1, 2).

        Exact if ``alpha_0`` is exact and :math:`K+1` is a square.
        """
        alpha_0 = exactly(checks.positive("alpha_0", alpha_0, "thrm:non-smooth:complexity"))
        alpha = alpha_0 / root(K)
        return cls(alpha, alpha / alpha_0)

    @classmethod
    def theorem_3(cls, alpha_0: Number, K: int, *, weak_convexity: Number) -> "Parameters":
        r"""The choice of :meth:`theorem_1` with :math:`\alpha_0\in(0,1/(4\rho)]`; ``weak_convexity`` is the smoothness
        constant :math:`\rho`."""
        return cls.theorem_1(checks.smooth_stepsize(alpha_0, weak_convexity=weak_convexity, name="alpha_0"), K)

    def gamma(self, *, weak_convexity: Number, envelope: Number) -> Number:
        r"""The repaired :math:`\gamma` of Lemma 4, for :math:`\lambda^{-1}\ge2\rho`."""
        checks.envelope_parameter(envelope, weak_convexity=weak_convexity, result="lem:Vfunc:non-smooth")
        return constants.gamma(weak_convexity=weak_convexity, envelope=envelope, beta=self.beta, nu=self.nu)

    def gamma_1(self, *, envelope: Number) -> Number:
        r""":math:`\gamma_1` of Theorem 1."""
        return constants.gamma_1(envelope=checks.positive("envelope", envelope, "eq:Vfunc"), beta=self.beta, nu=self.nu)

    def V_weights(self, *, envelope: Number) -> constants.VWeights:
        r"""Weights of the terms of :math:`V_k` (``eq:Vfunc``)."""
        envelope = checks.positive("envelope", envelope, "eq:Vfunc")
        key = type(envelope), envelope  # equal numbers of two types are not the same: a fraction stays a fraction
        if key not in self._V_weights:
            weights = constants.V_weights(envelope=envelope, alpha=self.alpha, beta=self.beta, nu=self.nu)
            self._V_weights[key] = weights
        return self._V_weights[key]

    @cached_property
    def _V_weights(self) -> dict[tuple[type, Number], constants.VWeights]:
        """Those that have been asked for: a tree of samples asks for the same ones at every history."""
        return {}

    def W_weights(self) -> constants.WWeights:
        r"""Weights of the terms of :math:`W_k` (``lem:Wfunc:smooth``)."""
        return self._W_weights

    @cached_property
    def _W_weights(self) -> constants.WWeights:
        return constants.W_weights(alpha=self.alpha, beta=self.beta, nu=self.nu)


class Step(Protocol):
    r"""A stepsize rule :math:`k\mapsto\alpha_k`."""

    def __call__(self, k: int) -> Number: ...


@dataclass(frozen=True)
class ConstantStep:
    r""":math:`\alpha_k=\alpha`, the rule of the theorems."""

    alpha: Number

    def __post_init__(self) -> None:
        checks.freeze(self, alpha=checks.alpha(self.alpha))

    def __call__(self, k: int) -> Number:
        checks.count("k", k, "iterations are counted from 0", least=0)
        return self.alpha


@dataclass(frozen=True)
class DecayingStep:
    r""":math:`\alpha_k=\alpha_0/\sqrt{k+1}`, the rule of the experiments."""

    alpha_0: Number

    def __post_init__(self) -> None:
        alpha_0 = checks.positive("alpha_0", self.alpha_0, "the initial stepsize of the numerical section")
        checks.freeze(self, alpha_0=alpha_0)

    def __call__(self, k: int) -> Number:
        k = checks.count("k", k, "iterations are counted from 0", least=0, most=10**300)
        return self.alpha_0 / math.sqrt(k + 1)
