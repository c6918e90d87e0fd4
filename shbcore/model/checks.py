r"""What an argument must satisfy, and which assumption of the paper says so; a check returns its argument or raises.

Scalars are floats, ``Fraction``, ``gmpy2.mpq`` or SymPy expressions; a comparison that SymPy leaves open is accepted.
"""

import math
import numbers
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from inspect import signature
from typing import Any, NoReturn, ParamSpec, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Number = Any
RHO = "f + rho/2 |x|^2 is convex, introduction"
LAW = "the law P of the samples, eqn:objective"
START = "z_0 of alg:iters:def"
STARTS = ("beta_g0", "g0")
ROUNDING = 1e-12
LARGEST = 1e300
"""The largest number that is computed with: its products still tell when they overflow."""
MOST_ENTRIES = 10**9
"""The largest array that is ever asked for, 8 GB."""

P = ParamSpec("P")
R = TypeVar("R")


class Set(Protocol):
    """What the checks need to know of a convex set."""

    @property
    def n(self) -> int: ...
    def contains(self, x: Array, tol: float = ...) -> bool: ...


def _shown(value: object) -> str:
    """A value in an error message: one line's worth of it."""
    try:
        shown = np.array2string(value, threshold=8, precision=6) if isinstance(value, np.ndarray) else repr(value)
    except Exception:  # a value may be so wrong that it cannot even be printed
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= 200 else f"{shown[:197]}..."


def fail(name: str, value: object, must: str, why: str) -> NoReturn:
    """Raise the one form of error of the project: argument, value, admissible range, assumption."""
    raise ValueError(f"{name} = {_shown(value)} must {must} ({why})")


def _false(condition: object) -> bool:
    """Whether ``condition`` is certainly false; an undecided SymPy relation is not."""
    try:
        return not bool(condition)
    except TypeError:
        return False


def number(name: str, value: Number, why: str) -> Number:
    """A single finite real number of any type, rounded ones as floats of all digits; a SymPy expression that may be one."""
    if isinstance(value, np.generic) and value.dtype.kind in "iuf":
        value = value.item() if value.dtype.kind != "f" or value.itemsize <= 8 else float(value)
    elif type(value).__name__ in ("mpfr", "Float") and not isinstance(value, float):  # rounded, of gmpy2 or SymPy
        value = float(value)
    single = isinstance(value, numbers.Real) or hasattr(value, "is_extended_real")
    if isinstance(value, bool | np.bool_) or getattr(value, "is_Boolean", False) or not single:
        fail(name, value, "be a single real number", why)
    if isinstance(value, numbers.Real):
        if value != value or value in (math.inf, -math.inf):
            fail(name, value, "be finite", why)
        if not -LARGEST <= value <= LARGEST:  # type: ignore[operator]
            fail(name, value, f"be at most {LARGEST:g} in size", why)
    elif value.is_extended_real is False or value.is_finite is False or (value.is_number and not value.is_comparable):
        fail(name, value, "be real and finite", why)
    return value


def settled(name: str, value: Number, why: str) -> Number:
    """A number that can be compared with others: a letter of SymPy has no value yet."""
    value = number(name, value, why)
    if getattr(value, "free_symbols", None):
        fail(name, value, "be a number, not a letter", why)
    return value


def real(name: str, value: Number, why: str) -> float:
    """A number as a float, where the algorithm computes in floating point."""
    try:
        result = float(number(name, value, why))
    except (TypeError, OverflowError):
        fail(name, value, "be a number in the range of floats", why)
    return float(number(name, result, why))


def positive(name: str, value: Number, why: str) -> Number:
    """``value > 0``."""
    value = number(name, value, why)
    if _false(value > 0):
        fail(name, value, "be positive", why)
    return value


def nonnegative(name: str, value: Number, why: str) -> Number:
    """``value >= 0``."""
    value = number(name, value, why)
    if _false(value >= 0):
        fail(name, value, "be at least 0", why)
    return value


def count(name: str, value: Any, why: str, *, least: int = 1, most: int | None = None) -> int:
    """An integer, at least ``least`` and at most ``most``."""
    try:
        whole = operator.index(value)
    except TypeError:
        fail(name, value, "be an integer", why)
    if isinstance(value, bool) or whole < least:
        fail(name, value, f"be an integer >= {least}", why)
    if most is not None and whole > most:
        fail(name, value, f"be an integer <= {most}", why)
    return whole


def room(why: str, **sizes: int) -> None:
    """Data of these sizes fit into memory."""
    if math.prod(sizes.values()) > MOST_ENTRIES:
        name = max(sizes, key=lambda key: sizes[key])
        fail(name, sizes[name], f"make at most {MOST_ENTRIES} entries of {' times '.join(sizes)}", why)


def probability(name: str, value: Number, why: str) -> Number:
    """``0 <= value <= 1``."""
    value = nonnegative(name, value, why)
    if _false(value <= 1):
        fail(name, value, "lie in [0, 1]", why)
    return value


def one_of(name: str, value: str, options: Sequence[str], why: str) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in options:
        fail(name, value, f"be one of {', '.join(options)}", why)
    return value


def instance(kind: type | tuple[type, ...], name: str, value: Any, why: str) -> Any:
    """An object of a class, or of one of a few."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        fail(name, value, f"be of type {' or '.join(one.__name__ for one in kinds)}", why)
    return value


def answers(name: str, value: Any, methods: Sequence[str], why: str) -> Any:
    """An object that has all of these methods or attributes."""
    missing = [method for method in methods if isinstance(value, type) or not hasattr(value, method)]
    if missing:
        fail(name, value, f"be an object with {', '.join(missing)}", why)
    return value


def function(name: str, value: Any, why: str) -> Any:
    """A function."""
    if not callable(value) or isinstance(value, type):
        fail(name, value, "be a function", why)
    return value


def sequence(name: str, value: Any, why: str, *, least: int = 0) -> tuple[Any, ...]:
    """A list, a tuple or an array, as a tuple."""
    if (
        isinstance(value, str | bytes | dict | set | np.ma.MaskedArray)
        or not hasattr(value, "__iter__")
        or not hasattr(value, "__len__")
    ):
        fail(name, value, "be a list or a tuple", why)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        fail(name, value, "be a list or a tuple", why)
    if len(value) < least:
        fail(name, value, f"have at least {least} entries", why)
    return tuple(value)


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
    value = number("beta", value, why)
    if _false(value > 0) or _false(value <= 1):
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


FORMULA: dict[str, Callable[[Number], Number]] = {
    # the letters of the formulas in ``constants``, and what each of them is
    "alpha": alpha,
    "beta": lambda v: probability(
        "beta", v, "the momentum parameter of alg:iters:def, with the limit 0 of the remarks"
    ),
    "nu": lambda v: positive("nu", v, "beta = nu alpha, lem:xdiff:non-smooth"),
    "weak_convexity": weak_convexity,
    "envelope": lambda v: positive("envelope", v, "lambda of eq:moreau:env"),
    "L2": lambda v: nonnegative("L2", v, "L^2 of (A2)"),
    "sigma2": lambda v: nonnegative("sigma2", v, "sigma^2 of (A3)"),
    "d2": lambda v: nonnegative("d2", v, "|d_k|^2"),
    "theta": lambda v: positive("theta", v, "the weight of Young's inequality"),
    "gap": lambda v: nonnegative("gap", v, "Delta = f(x_0) - f* of the theorems"),
    "alpha_0": lambda v: positive("alpha_0", v, "alpha = alpha_0/sqrt(K+1) of the theorems"),
    "root": lambda v: positive("root", v, "sqrt(K+1) of the theorems"),
    "gamma": lambda v: positive("gamma", v, "gamma of lem:Vfunc:non-smooth"),
    "gamma_1": lambda v: positive("gamma_1", v, "gamma_1 of thrm:non-smooth:complexity"),
    "excess": lambda v: nonnegative("excess", v, "the price of the printed start"),
    "factor": lambda v: nonnegative("factor", v, "the factor of sigma^2 in Theorem 3"),
}


def _symbolic(value: Any) -> bool:
    """Whether a formula is asked for in letters: of SymPy, or of any other language that can add and multiply."""
    if hasattr(value, "free_symbols"):
        return bool(value.free_symbols)
    arithmetic = hasattr(type(value), "__radd__") and hasattr(type(value), "__rmul__")
    return arithmetic and not isinstance(value, numbers.Number | np.ndarray | np.generic)


def formula(function: Callable[P, R]) -> Callable[P, R]:
    """A formula of the paper whose numbers are checked by the name of their letter at every call."""
    letters = {name: FORMULA[name] for name in signature(function).parameters}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in kwargs.items():
            if isinstance(value, np.generic):  # half the digits of a float32 are not enough
                kwargs[name] = value = value.item()
            if name in letters and not _symbolic(value):
                if isinstance(value, np.ndarray) and value.ndim:  # drawn over a grid: every range is an interval
                    grid = array(name, value, (None,) * value.ndim, "a grid of values of one letter")
                    letters[name](float(grid.min()))
                    letters[name](float(grid.max()))
                    if value.dtype.kind in "iuf":  # products of integers overflow, and few digits are not enough
                        kwargs[name] = grid
                else:
                    kwargs[name] = letters[name](value)
        try:
            with np.errstate(all="ignore"):
                result = function(*args, **kwargs)
            if all(map(_in_range, result if isinstance(result, tuple) else (result,))):
                return result
        except (ZeroDivisionError, OverflowError):
            pass
        except ValueError as error:  # two grids that do not fit; a range that fails has its own words
            if "broadcast" not in str(error):
                raise
            grids = {key: value for key, value in kwargs.items() if isinstance(value, np.ndarray)}
            name = next(iter(grids))
            fail(f"{name}.shape", grids[name].shape, "fit the other grids", "a formula drawn over grids")
        numeric = {key: value for key, value in kwargs.items() if isinstance(value, numbers.Real) and value}
        name = max(numeric, key=lambda key: abs(math.log(abs(numeric[key]))), default=next(iter(kwargs)))
        fail(name, kwargs[name], f"keep {function.__name__} in the range of floats", "a formula of the paper")

    return checked


def _in_range(value: Any) -> bool:
    return not isinstance(value, float | np.ndarray) or bool(np.isfinite(value).all())


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
    alpha = positive(name, alpha, why)
    if not at_most_one(share * alpha * weak_convexity):
        fail(name, alpha, f"lie in (0, 1/({share} rho)] with rho = {weak_convexity}", why)
    return alpha


def _floats(name: str, value: Any, why: str) -> Array:
    """An array of floats from real numbers: no text, no complex number, no hidden entry is read as one."""
    try:
        raw = np.asarray(value)
        plain = raw.dtype.kind in "fiuO" and not isinstance(value, np.ma.MaskedArray)
        if plain and raw.dtype.kind == "O":
            plain = all(isinstance(entry, numbers.Real) for entry in raw.flat)
        if plain:
            return np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    fail(name, value, "be an array of real numbers", why)


def numeric(name: str, value: Any, why: str) -> Array:
    """Real numbers in an array of any shape."""
    return _floats(name, value, why)


def array(name: str, value: ArrayLike, shape: Sequence[int | None], why: str) -> Array:
    """A non-empty float array of the shape asked for (``None``: any positive length), all entries finite."""
    result = _floats(name, value, why)
    wanted = "(" + ", ".join("any" if k is None else str(k) for k in shape) + ")"
    if result.ndim != len(shape) or any(k not in (None, s) for k, s in zip(shape, result.shape, strict=True)):
        fail(f"{name}.shape", result.shape, f"be {wanted}", why)
    if result.size == 0:
        fail(f"{name}.shape", result.shape, "have no zero: the data are empty", why)
    if not np.isfinite(result).all():
        fail(name, result, "be finite (no NaN, no infinity)", why)
    result.setflags(write=False)
    return result


def points(name: str, value: Any, n: int, *, finite: bool = True) -> Array:
    """One point of dimension ``n`` or an array of them along the last axis; not a copy."""
    why = f"points lie in R^{n}"
    plain = isinstance(value, np.ndarray) and value.dtype == np.float64 and not isinstance(value, np.ma.MaskedArray)
    result: Array = value if plain else _floats(name, value, why)
    if result.ndim == 0 or result.shape[-1] != n:
        fail(f"{name}.shape", result.shape, f"be (..., {n})", why)
    if finite and not np.isfinite(result).all():
        fail(name, result, "be finite (no NaN, no infinity)", why)
    return result


def weights(value: ArrayLike | None, m: int) -> Array:
    r"""Probabilities of the samples: :math:`w_i\ge0`, :math:`\sum_iw_i=1`; ``None`` means :math:`1/m` each."""
    count("m", m, LAW, most=MOST_ENTRIES)
    if value is None:
        value = np.full(m, 1.0 / m)
    w = array("weights", value, (m,), LAW)
    if (w < 0).any():
        fail("weights", w, "be non-negative", LAW)
    if abs(w.sum() - 1) > 1e-9:
        fail("weights", w, f"sum to 1, not to {w.sum():.12g}", LAW)
    return w


def law(value: Any) -> Array:
    r"""Probabilities of any number type as running sums :math:`w_0,w_0+w_1,\dots` in floats; the last is 1 up to rounding."""
    if not isinstance(value, np.ndarray):
        value = [real("weights", weight, LAW) for weight in sequence("weights", value, LAW, least=1)]
    return np.cumsum(weights(value, len(value)))


def point(x: ArrayLike, n: int, name: str = "x") -> Array:
    """A finite vector of dimension ``n``."""
    return array(name, x, (n,), f"points lie in R^{n}")


def point_in(X: Set, x: ArrayLike, name: str = "x0") -> Array:
    r"""A point of the constraint set."""
    answers("X", X, ("n", "contains"), "eqn:objective minimises over a closed convex set")
    x = point(x, X.n, name)
    if not X.contains(x):
        fail(name, x, f"lie in X = {X}", "alg:iters:def starts from x_0 in X")
    return x


def same_dimension(n: int, X: Set) -> None:
    """The problem and the set live in the same space."""
    answers("X", X, ("n", "project", "contains"), "eqn:objective minimises over a closed convex set")
    if X.n != n:
        fail("X.n", X.n, f"equal the problem's n = {n}", "eqn:objective minimises over X in R^n")


def freeze(self: object, **fields: object) -> None:
    """Store checked fields in a frozen dataclass, from its ``__post_init__``."""
    for name, value in fields.items():
        object.__setattr__(self, name, value)
