"""What is called of the proof language: letters, domains, statements, facts, lines, joins, the search, and the kernel.

A line that the kernel accepts is evaluated exactly on small problems, by code that knows nothing of it.
"""

from typing import Any

import numpy as np
import sympy as sp
from fuzz import NONSENSE, fixed, pick, register

from shbcore.claims.falsify import contradicted
from shbcore.claims.trial import MODULUS, REAL_LINE, Trial
from shbcore.proof import *
from shbcore.proof import lines
from shbcore.proof.domain import Range

ASSUMED = (WEAKLY_CONVEX, A1, A2, A3, SURE, BOUNDED_BELOW)
SMOOTH_TOO = (SMOOTH_EVERYWHERE, A1, A2, A3, SURE, BOUNDED_BELOW, BOUNDED_GRADIENT, WHOLE_SPACE)
POINT = pick(x_prev, x_k, x_next, x_hat)
VECTOR = pick(x_k, x_next, g_k, d_k, x_bar, x_hat, x_k - x_next, 2 * g_k - d_k)
SCALAR = pick(x_k @ g_k, g_k**2, f(x_k), (x_k - x_hat) ** 2, f(x_k) - f(x_hat))
COEFFICIENT = pick(1, sp.Rational(1, 2), beta, 1 - beta, nu, 3, rho)
POSITIVE = pick(1, sp.Rational(1, 2), beta, nu)
WEIGHT = pick(beta, 1 - beta, sp.Rational(1, 3), 1)
FIELD = pick(TOTAL, PAST, NOW, PATHWISE)
SCOPE = pick(*Scope)
SYMBOL = pick(*sp.symbols("a b c"))
ENTRY = pick(positive(sp.Symbol("a")), between(sp.Symbol("b"), 0, 1), defined(sp.Symbol("c"), 2))
STRANGE: tuple[Any, ...] = (
    *(
        x_k,
        f(x_k),
        f,
        g_k,
        g_k**2,
        x_k**2 <= f(x_k),
        sp.Symbol("q"),
        sp.sqrt(2),
        sp.I,
        sp.oo,
        sp.nan,
        sp.zoo,
        0.5,
        "beta",
    ),
    *(
        square(x_k),
        young(x_k, g_k, 1),
        A1,
        Scope.STEP,
        ADMISSIBLE,
        Number(3),
        -7,
        10**6,
        ("x", 1),
        sp.Dummy("d"),
        h_star,
        F_env,
    ),
)


def strange(rng: np.random.Generator) -> Any:
    """An object of the language in the wrong place, or nonsense."""
    at = int(rng.integers(len(STRANGE) + len(NONSENSE)))
    return STRANGE[at] if at < len(STRANGE) else NONSENSE[at - len(STRANGE)]()


def true(given: dict[str, Any], found: Any) -> bool:
    """A line that is accepted is true on exact instances; one that is refused says why."""
    whole, outcome = found
    return bool(outcome.detail) if not outcome.passed else not contradicted(whole.statement, 2)


def used(build: Any, assumes: Any = ASSUMED) -> Any:
    """The builder of a fact, called and put into a line that says just that."""

    def function(**arguments: Any) -> Any:
        source = build(**arguments)
        relation = source.fact.unfolded.relation if hasattr(source, "fact") else source.statement.relation
        whole = line(relation, [1 * source], NOW, assumes=assumes, scope=Scope.EVERY)
        return whole, check(whole)

    return function


# facts and small lines
for name, arguments in {
    "square": {"v": VECTOR},
    "number": {"value": COEFFICIENT},
    "weak_convexity": {"f": pick(f), "x": POINT, "y": POINT},
    "second_moment": {"g": pick(g_k)},
    "variance": {"g": pick(g_k)},
    "sure_bound": {"g": pick(g_k)},
    "infimum": {"f": pick(f), "x": POINT},
    "envelope_infimum": {"F": pick(F_env), "y": pick(x_bar), "u": POINT},
    "envelope_attained": {"F": pick(F_env), "prox": pick(x_hat)},
    "young": {"a": VECTOR, "b": VECTOR, "theta": POSITIVE},
    "square_convexity": {"a": VECTOR, "b": VECTOR, "weight": WEIGHT},
    "chord": {"f": pick(f), "x": POINT, "y": POINT, "weight": WEIGHT},
    "projection": {"p": pick(x_next), "y": pick(trial_at(z_any)), "u": POINT},
    "nonexpansive": {"p": pick(x_next), "y": pick(trial_at(z_any)), "u": POINT},
    "prox_strong_convexity": {"prox": pick(x_hat), "x": POINT},
}.items():
    register(name, used(getattr(lines, name)), true, 1.0, strange, True, **arguments)
for name, arguments in {
    "smooth_above": {"f": pick(f), "x": POINT, "y": POINT},
    "lipschitz_gradient": {"f": pick(f), "x": POINT, "y": POINT},
    "interpolation": {"f": pick(f), "x": POINT, "y": POINT},
    "bounded_gradient": {"f": pick(f), "x": POINT},
    "free_prox": {"prox": pick(x_hat), "v": VECTOR},
    "whole_space": {"p": pick(x_next), "y": pick(trial_at(z_any)), "v": VECTOR},
    "prox_optimality": {"prox": pick(x_hat), "u": POINT},
}.items():
    register(name, used(getattr(lines, name), SMOOTH_TOO), None, 0.6, strange, True, **arguments)


# trees
def arithmetic(a: Any, b: Any, sign: str) -> Any:
    return {"+": lambda: a + b, "-": lambda: a - b, "@": lambda: a @ b, "*": lambda: b * a, "<=": lambda: a <= b}[
        sign
    ]()


register("vectors", arithmetic, None, 1.0, strange, True, a=fixed(x_k, g_k, d_k), b=VECTOR, sign=fixed("+", "-", "@"))
register("multiples", arithmetic, None, 1.0, strange, True, a=fixed(x_k, g_k), b=COEFFICIENT, sign=fixed("*"))
register("relations", arithmetic, None, 1.0, strange, True, a=fixed(g_k**2, f(x_k)), b=SCALAR, sign=fixed("<="))
register("Number", Number, None, 0.5, strange, True, value=COEFFICIENT)
register("E", E, None, 1.0, strange, True, of=SCALAR, given=FIELD)
register("Series", Series, None, 0.5, strange, True, of=SCALAR, first=pick(0, 1), last=pick("K", "K-1"))
register("RandomIndex", RandomIndex, None, 0.5, strange, True, of=SCALAR, shifted=pick(True, False))
register("shifted", shifted, None, 0.5, strange, True, node=SCALAR, by=pick(1, -1))
register("Function.slope", lambda at: f.slope(at), None, 0.5, strange, True, at=POINT)
register("Function.value", lambda at: f(at), None, 0.5, strange, True, at=POINT)
register("vector", vector, None, 0.5, strange, True, name=pick("u", "v"))

# domains and statements
register(
    "Range",
    Range,
    None,
    1.0,
    strange,
    True,
    symbol=SYMBOL,
    lower=pick(0, 1),
    upper=pick(None, 2),
    strict=pick(True, False),
)
register("between", between, None, 0.5, strange, True, symbol=SYMBOL, lower=pick(0, 1), upper=pick(2, 3))
register("defined", defined, None, 0.5, strange, True, symbol=SYMBOL, formula=COEFFICIENT)
register("Domain", lambda one, two: Domain(one, two), None, 0.5, strange, True, one=pick(positive(nu)), two=ENTRY)
register("Domain.also", lambda entry: ADMISSIBLE.also(entry), None, 0.5, strange, True, entry=ENTRY)
register(
    *("Statement", Statement, None, 1.0, strange, True),
    relation=pick(g_k**2 <= Number(L2)),
    given=FIELD,
    domain=pick(ADMISSIBLE),
    assumes=pick((A1,), ()),
    scope=SCOPE,
)


def stated(left: Any, right: Any, given: Any, scope: Any, multiplier: Any, assumes: Any) -> Any:
    """Any claim with one term: the kernel decides, and what it accepts is true."""
    whole = line(left <= right, [multiplier * square(x_k - x_hat)], given, assumes=assumes, scope=scope)
    return whole, check(whole)


register(
    *("line", stated, true, 3.0, strange, True),
    left=fixed(Number(0), g_k**2, f(x_k)),
    right=pick((x_k - x_hat) ** 2, 2 * (x_k - x_hat) ** 2, g_k**2, f(x_k)),
    given=FIELD,
    scope=SCOPE,
    multiplier=COEFFICIENT,
    assumes=pick(ASSUMED, ()),
)
register(
    "sign",
    lambda value, less: check(sign(value, less=less)),
    None,
    1.0,
    strange,
    True,
    value=COEFFICIENT,
    less=pick(0, beta),
)
register(
    "equal_numbers",
    lambda left, right: check(equal_numbers(left, right)),
    None,
    0.5,
    strange,
    True,
    left=COEFFICIENT,
    right=COEFFICIENT,
)
register(
    "identity", lambda left, right: check(identity(left, right)), None, 0.5, strange, True, left=SCALAR, right=SCALAR
)
register(
    "check",
    check,
    lambda given, found: found.passed is isinstance(given["line"], Line),
    1.0,
    strange,
    True,
    line=pick(young(x_k, g_k, 1)),
)
register(
    "recondition",
    recondition,
    None,
    0.5,
    strange,
    True,
    node=pick(f(x_k)),
    fine=pick(NOW),
    coarse=pick(PAST),
    domain=pick(ADMISSIBLE),
)

# joins
STEP = sp.Symbol("t")
register(
    "Limit",
    lambda of, symbol: check(Limit(of, symbol)),
    None,
    1.0,
    strange,
    True,
    of=pick(young(x_k, g_k, 1)),
    symbol=pick(STEP),
)
register(
    "Later",
    lambda of: check(Later(of)),
    None,
    0.5,
    strange,
    True,
    of=pick(line(g_k**2 >= 0, [1 * square(g_k)], scope=Scope.EVERY)),
)
register(
    "assume",
    assume,
    None,
    0.5,
    strange,
    True,
    relation=pick(g_k**2 <= Number(L2)),
    name=pick("mine"),
    meaning=pick("a bound"),
)


def sought(relation: Any, source: Any, given: Any, at: Any) -> Any:
    whole = find(Statement(relation, given, ADMISSIBLE, ASSUMED, Scope.EVERY), [source], at=at)
    return whole, check(whole)


register(
    *("find", sought, true, 1.0, strange, True),
    relation=pick(x_k @ g_k <= x_k**2 / 2 + g_k**2 / 2),
    source=pick(square(x_k - g_k), square(x_k + g_k)),
    given=FIELD,
    at=pick(None, {}, {beta: sp.Rational(1, 2)}),
)
register("refit", refit, None, 0.5, strange, True, line=pick(young(x_k, g_k, 1), line(g_k**2 <= 0, [1 * square(g_k)])))
register(
    *("Trial", Trial, None, 1.0),
    problem=pick(MODULUS),
    X=pick(REAL_LINE),
    x0=pick(0, 1),
    alpha=pick(sp.Rational(1, 4), 1),
    beta=pick(sp.Rational(1, 2), 1),
    start=pick("printed", "repaired"),
)
