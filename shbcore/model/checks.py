r"""What an argument must satisfy, and which assumption of the paper says so; a check returns its argument or raises.

Scalars are floats, ``Fraction``, ``gmpy2.mpq`` or SymPy expressions; a comparison that SymPy leaves open is accepted.
"""

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Number = Any
RHO = "f + rho/2 |x|^2 is convex, introduction"
ROUNDING = 1e-12


class Set(Protocol):
    """What the checks need to know of a convex set."""

    @property
    def n(self) -> int: ...
    def contains(self, x: Array, tol: float = ...) -> bool: ...


def fail(name: str, value: object, must: str, why: str) -> NoReturn:
    """Raise the one form of error of the project: argument, value, admissible range, assumption."""
    shown = np.array2string(value, threshold=8, precision=6) if isinstance(value, np.ndarray) else repr(value)
    raise ValueError(f"{name} = {shown} must {must} ({why})")


def _false(condition: object) -> bool:
    """Whether ``condition`` is certainly false; an undecided SymPy relation is not."""
    try:
        return not bool(condition)
    except TypeError:
        return False


def number(name: str, value: Number, why: str) -> Number:
    """A single finite number of any type."""
    if isinstance(value, bool | np.bool_ | str | np.ndarray | Sequence) or value is None:
        fail(name, value, "be a single real number", why)
    if isinstance(value, float | np.floating) and not math.isfinite(value):
        fail(name, value, "be finite", why)
    return value


def positive(name: str, value: Number, why: str) -> Number:
    """``value > 0``."""
    if _false(number(name, value, why) > 0):
        fail(name, value, "be positive", why)
    return value


def nonnegative(name: str, value: Number, why: str) -> Number:
    """``value >= 0``."""
    if _false(number(name, value, why) >= 0):
        fail(name, value, "be at least 0", why)
    return value


def count(name: str, value: Any, why: str, *, least: int = 1) -> int:
    """An integer, at least ``least``."""
    try:
        whole = operator.index(value)
    except TypeError:
        fail(name, value, "be an integer", why)
    if isinstance(value, bool) or whole < least:
        fail(name, value, f"be an integer >= {least}", why)
    return whole


def probability(name: str, value: Number, why: str) -> Number:
    """``0 <= value <= 1``."""
    if _false(nonnegative(name, value, why) <= 1):
        fail(name, value, "lie in [0, 1]", why)
    return value


def one_of(name: str, value: str, options: Sequence[str], why: str) -> str:
    """One of a few words."""
    if value not in options:
        fail(name, value, f"be one of {', '.join(options)}", why)
    return value


def generator(rng: Any) -> np.random.Generator:
    """An explicit source of chance."""
    if not isinstance(rng, np.random.Generator):
        fail("rng", rng, "be a numpy.random.Generator", "samples are i.i.d. and every run is reproducible")
    return rng


def alpha(value: Number) -> Number:
    r"""The stepsize: :math:`\alpha>0`."""
    return positive("alpha", value, "the stepsize of alg:iters:def")


def beta(value: Number) -> Number:
    r"""The momentum parameter: :math:`\beta\in(0,1]`."""
    why = "the momentum parameter of alg:iters:def, lem:xdiff:non-smooth"
    if _false(number("beta", value, why) > 0) or _false(value <= 1):
        fail("beta", value, "lie in (0, 1]", why)
    return value


def weak_convexity(value: Number) -> Number:
    r"""The modulus of weak convexity: :math:`\rho\ge0`."""
    return nonnegative("weak_convexity", value, RHO)


def at_most_one(product: Number) -> bool:
    """Whether ``product <= 1``, exactly for exact numbers and up to rounding for floats."""
    return not _false(product <= (1 + ROUNDING if isinstance(product, float) else 1))


RANGES: dict[str, tuple[str, Number, Number, bool]] = {
    # result: (range in words, 1/lambda at least [or above] low * rho, 1/lambda at most high * rho, is the lower end in)
    "prox": ("1/lambda > rho", 1, None, False),
    "lem:moreau:env": ("1/lambda >= 2 rho", 2, None, True),
    "lem:Vfunc:non-smooth": ("1/lambda >= 2 rho", 2, None, True),
    "thrm:non-smooth:complexity": ("1/lambda >= 2 rho", 2, None, True),
    "thrm:smooth:unconstrained:complexity": ("1/lambda in (3 rho/2, 2 rho]", Fraction(3, 2), 2, False),
}


def envelope_parameter(envelope: Number, *, weak_convexity: Number, result: str = "lem:moreau:env") -> Number:
    r""":math:`\lambda>0` in the range that ``result`` needs: a key of ``RANGES``, e.g. :math:`\lambda^{-1}\ge2\rho`."""
    words, low, high, closed = RANGES[one_of("result", result, tuple(RANGES), "a result with a range for lambda")]
    nonnegative("weak_convexity", weak_convexity, RHO)
    product = positive("envelope", envelope, f"lambda of {result}") * weak_convexity
    inside = at_most_one(low * product) if closed else not _false(low * product < 1)
    if not inside or (high is not None and not at_most_one(2 - high * product)):
        fail("envelope", envelope, f"satisfy {words} with rho = {weak_convexity}", result)
    return envelope


def smooth_stepsize(alpha: Number, *, weak_convexity: Number, name: str = "alpha", share: int = 4) -> Number:
    r""":math:`\alpha\in(0,1/(4\rho)]`, as ``lem:Wfunc:smooth`` and Theorem 3 ask; its sharper form has ``share`` 2."""
    why = "lem:Wfunc:smooth, thrm:smooth:unconstrained:complexity"
    nonnegative("weak_convexity", weak_convexity, RHO)
    if not at_most_one(share * positive(name, alpha, why) * weak_convexity):
        fail(name, alpha, f"lie in (0, 1/({share} rho)] with rho = {weak_convexity}", why)
    return alpha


def array(name: str, value: ArrayLike, shape: Sequence[int | None], why: str) -> Array:
    """A non-empty float array of the shape asked for (``None``: any positive length), all entries finite."""
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        fail(name, value, "be an array of real numbers", why)
    wanted = "(" + ", ".join("any" if k is None else str(k) for k in shape) + ")"
    if result.ndim != len(shape) or any(k not in (None, s) for k, s in zip(shape, result.shape, strict=True)):
        fail(f"{name}.shape", result.shape, f"be {wanted}", why)
    if result.size == 0:
        fail(f"{name}.shape", result.shape, "have no zero: the data are empty", why)
    if not np.isfinite(result).all():
        fail(name, result, "be finite (no NaN, no infinity)", why)
    result.setflags(write=False)
    return result


def weights(value: ArrayLike | None, m: int) -> Array:
    r"""Probabilities of the samples: :math:`w_i\ge0`, :math:`\sum_iw_i=1`; ``None`` means :math:`1/m` each."""
    why = "the law P of the samples, eqn:objective"
    if value is None:
        value = np.full(count("m", m, why), 1.0 / m)
    w = array("weights", value, (m,), why)
    if (w < 0).any():
        fail("weights", w, "be non-negative", why)
    if abs(w.sum() - 1) > 1e-9:
        fail("weights", w, f"sum to 1, not to {w.sum():.12g}", why)
    return w


def point(x: ArrayLike, n: int, name: str = "x") -> Array:
    """A finite vector of dimension ``n``."""
    return array(name, x, (n,), f"points lie in R^{n}")


def point_in(X: Set, x: ArrayLike, name: str = "x0") -> Array:
    r"""A point of the constraint set."""
    x = point(x, X.n, name)
    if not X.contains(x):
        fail(name, x, f"lie in X = {X}", "alg:iters:def starts from x_0 in X")
    return x


def same_dimension(n: int, X: Set) -> None:
    """The problem and the set live in the same space."""
    if X.n != n:
        fail("X.n", X.n, f"equal the problem's n = {n}", "eqn:objective minimises over X in R^n")


def freeze(self: object, **fields: object) -> None:
    """Store checked fields in a frozen dataclass, from its ``__post_init__``."""
    for name, value in fields.items():
        object.__setattr__(self, name, value)
