r"""A problem of one's own, from plain functions: the value and a subgradient of one sample.

.. code-block:: python

    import numpy as np
    from shbcore import Ball
    from shbcore.model.own import estimated
    from shbcore.model.own import from_functions

    # f(x) = mean of |x_1 - i|, i = 0, 1, 2
    value = lambda x, i: abs(x[0] - i)
    slope = lambda x, i: np.sign(x - i)
    X = Ball(1.0, np.zeros(1))
    rng = np.random.default_rng(0)
    mine = from_functions(
        value, slope, n=1, m=3, rho=0.0
    )
    mine = estimated(mine, X, rng)
    print(mine.known_rho())
    print(mine.known_L2(X))

It prints:

.. code-block:: text

    Known(value=0.0, how='declared', note='')
    Known(value=1.0, how='estimated', note='the largest of 100 points')

Here ``rho`` is taken on one's word and marked as declared; ``L2``, ``sigma2`` and ``G2`` are estimated and marked so.  Smoothness is
never estimated: without ``smoothness=`` the problem counts as one with kinks, and the lemmas of section 4 refuse it.  Every answer of
the functions is checked: one finite number, one finite vector of dimension n.  A step of the method asks for one
sample, so its cost does not grow with m; ``value`` and the exact expectations ask for all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array, Number
from shbcore.model.problems import FiniteSum, Known
from shbcore.model.sets import ConvexSet

WHY = "a problem from plain functions, eqn:objective"
NAMES = ("rho", "smoothness", "L2", "sigma2", "G2")
NOT_SMOOTH = "no smoothness was declared, and from_functions takes one as smoothness="


def _guarded(x: Array) -> Array:
    """A copy that cannot be changed, for a function of somebody else."""
    copy = np.array(x)
    copy.setflags(write=False)
    return copy


def _asked(name: str, function: Callable[[Array, Any], Any], x: Array, i: Any) -> Any:
    """The answer of a function of somebody else, which must leave the point as it is."""
    try:
        return function(x, i)
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        checks.fail(name, str(error), "leave x as it is: work on a copy of it, such as x - 1", "x is used again")


@dataclass(frozen=True, eq=False)
class OwnProblem(FiniteSum):
    r"""What :func:`from_functions` makes: :math:`f(x)=\sum_iw_if_i(x)` with ``sample_value(x, i)`` and ``sample_subgradient(x, i)``."""

    sample_value: Callable[[Array, int], float]
    sample_subgradient: Callable[[Array, int], Array]
    dimension: int
    weights: Array
    told: Mapping[str, Known] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checks.freeze(self, told=MappingProxyType(dict(self.told)))

    @property
    def n(self) -> int:
        return self.dimension

    def _at(self, x: Any) -> Array:
        return _guarded(super()._at(x))

    def _one(self, x: Array, i: int) -> Array:
        found = _asked(f"subgradient(x, {i})", self.sample_subgradient, x, i)
        return checks.array(f"subgradient(x, {i})", found, (self.n,), "f'(x,S) of (A1)")

    def subgradient(self, x: Array, i: int) -> Array:
        return self._one(self._at(x), checks.count("i", i, checks.LAW, least=0, most=self.m - 1))

    def _value(self, x: Array, i: int) -> float:
        return checks.real(f"value(x, {i})", _asked(f"value(x, {i})", self.sample_value, x, i), WHY)

    def _values(self, x: Array) -> Array:
        return np.array([self._value(x, i) for i in range(self.m)])

    def _subgradients(self, x: Array) -> Array:
        return np.array([self._one(x, i) for i in range(self.m)])

    def _told(self, name: str) -> Known:
        if name not in self.told:
            checks.fail(name, None, "be declared in from_functions, or found by estimated", "a constant of the paper")
        return self.told[name]

    def known_rho(self) -> Known:
        return self._told("rho")

    def known_smoothness(self) -> Known:
        return self.told.get("smoothness", Known(float("inf"), "declared", NOT_SMOOTH))

    def known_L2(self, X: ConvexSet) -> Known:
        checks.same_dimension(self.n, X)
        return self._told("L2")

    def known_sigma2(self, X: ConvexSet) -> Known:
        checks.same_dimension(self.n, X)
        return self.told.get("sigma2") or super().known_sigma2(X)

    def known_G2(self, X: ConvexSet) -> Known:
        checks.same_dimension(self.n, X)
        return self.told.get("G2") or super().known_G2(X)


def from_functions(
    value: Callable[[Array, int], float],
    subgradient: Callable[[Array, int], Array],
    *,
    n: int,
    m: int,
    weights: Any = None,
    **constants: Number | Known,
) -> OwnProblem:
    r"""A problem from two functions: the finite sum of ``m`` samples on :math:`\mathbb R^n`.

    ``value(x, i)`` is :math:`f_i(x)` and ``subgradient(x, i)`` one of its subgradients.  ``weights`` are ``m`` numbers that sum to 1;
    without them all samples weigh the same.  ``constants`` are any of ``rho``, ``smoothness``, ``L2``, ``sigma2``, ``G2``: a number is
    taken as declared, a :class:`~shbcore.model.problems.Known` says itself how it is known.
    """
    checks.function("value", value, WHY)
    checks.function("subgradient", subgradient, WHY)
    n = checks.count("n", n, WHY, most=checks.MOST_ENTRIES)
    m = checks.count("m", m, WHY, most=checks.MOST_ENTRIES)
    told = {}
    for name, constant in constants.items():
        checks.one_of("constant", name, NAMES, "the constants of the paper")
        told[name] = constant if isinstance(constant, Known) else Known(checks.real(name, constant, WHY), "declared")
    problem = OwnProblem(value, subgradient, n, checks.weights(weights, m), told)
    start = np.zeros(n)
    problem.subgradient(start, 0)  # shapes are wrong at once or never
    checks.real("value(0, 0)", _asked("value(0, 0)", value, _guarded(start), 0), WHY)
    return problem


def estimated(problem: OwnProblem, X: ConvexSet, rng: np.random.Generator, *, points: int = 100) -> OwnProblem:
    r"""The same problem with its missing constants, but for ``smoothness``: those not declared are estimated from random points of
    :math:`\mathcal X`.

    Each is the largest value seen, a lower bound of the constant: of :math:`2(f(x)+\langle f'(x),y-x\rangle-f(y))/\|y-x\|^2` for
    :math:`\rho`, and of the moments of the subgradients for :math:`L^2`, :math:`\sigma^2` and :math:`G^2`.
    """
    checks.instance(OwnProblem, "problem", problem, WHY)
    checks.same_dimension(problem.n, checks.instance(ConvexSet, "X", X, "eqn:objective"))
    checks.generator(rng)
    points = checks.count("points", points, "an estimate from points", least=2, most=10**6)
    size = min(X.diameter, 2.0) / 2
    cloud = X.project(size * rng.standard_normal((points, problem.n)))
    rows = [problem.subgradients(x) for x in cloud]
    means = [problem.weights @ g for g in rows]
    values = [problem.value(x) for x in cloud]
    moments = [problem.weights @ np.sum(g * g, axis=1) for g in rows]
    spreads = [problem.weights @ np.sum((g - mean) ** 2, axis=1) for g, mean in zip(rows, means)]
    bends = [0.0]
    for j in range(points):
        step, k = cloud[j] - cloud[j - 1], j - 1
        if (square := float(step @ step)) > 1e-12:
            bends.append(2 * (values[k] + means[k] @ step - values[j]) / square)
    found = {
        "rho": max(bends),
        "L2": max(moments),
        "sigma2": max(spreads),
        "G2": max(float(mean @ mean) for mean in means),
    }
    note = f"the largest of {points} points"
    return replace(problem, told={n: Known(float(v), "estimated", note) for n, v in found.items()} | dict(problem.told))


@dataclass(frozen=True, eq=False)
class Stream:
    r"""A problem :math:`f(x)=\mathbb Ef(x,S)` known by its samples only: ``draw(rng)`` is a sample,
    ``sample_subgradient(x, s)`` a subgradient.

    The method runs on it; nothing that needs an expectation does.  ``weights`` stays None: a stream has no list of samples.
    """

    sample_subgradient: Callable[[Array, Any], Array]
    draw: Callable[[np.random.Generator], Any]
    dimension: int
    weights: None = None

    def __post_init__(self) -> None:
        checks.function("sample_subgradient", self.sample_subgradient, WHY)
        checks.function("draw", self.draw, WHY)
        checks.freeze(self, dimension=checks.count("dimension", self.dimension, WHY, most=checks.MOST_ENTRIES))

    @property
    def n(self) -> int:
        return self.dimension

    def subgradient(self, x: Array, i: Any) -> Array:
        found = _asked("subgradient(x, s)", self.sample_subgradient, checks.point(x, self.n), i)
        return checks.array("subgradient(x, s)", found, (self.n,), "f'(x,S) of (A1)")
