r"""Squares that are not given: the PSD slack of a claim, found by a semidefinite programme and rounded to exact squares.

At a rational point the claim minus the facts is to be :math:`\mathbb E\langle Qu,u\rangle` for the letters :math:`u` and a positive
semidefinite :math:`Q` (extra ``referee``).  Its factors :math:`Q=\sum_jd_jv_jv_j^\top` give vectors :math:`\sum_iv_{ji}u_i`, whose entries
are rounded to fractions.  For all parameters this is done at many points, and each entry is guessed as a rational function of the
parameters.  All of it is only a proposal: the multipliers are found exactly, and the kernel decides.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from shbcore.proof.kernel import Key
from shbcore.proof.language import Node
from shbcore.proof.search import NotFound, Point, System, cvxpy, points
from shbcore.proof.statement import Statement

DENOMINATOR = 1000
DEGREE = 2


def squares_for(statement: Statement, sources: Iterable[Any]) -> list[Any]:
    """Facts ``square(v)`` that, with the given ones, may prove the statement; none if the programme has no solution."""
    from shbcore.proof.lines import square

    system = System(statement, sources)
    letters = _letters(system)
    asked = sorted(system.context.at.free, key=str)
    first = points(statement.domain, 1)[0]
    matter = [s for s in asked if any(_depends(form, s, system) for form in (system.target, *system.columns))]
    pattern = _factors(system, letters, first)
    if not matter:
        return [square(_combination(letters, row)) for row in pattern]
    count = 2 * len(_monomials(len(matter), DEGREE)) + 4
    tables: list[tuple[Point, Any]] = []
    for point in points(statement.domain, count):
        rows = _factors(system, letters, point)
        if len(rows) == len(pattern):
            tables.append((point, rows))
    found = []
    for j in range(len(pattern)):
        entries = [guess(matter, [(at, rows[j][i]) for at, rows in tables]) for i in range(len(letters))]
        if any(entry is None for entry in entries):
            raise NotFound(
                "not verified", "squares: name them yourself; no closed form was guessed for the slack of the claim"
            )
        found.append(square(_combination(letters, entries)))
    return found


def _letters(system: System) -> list[Key]:
    """The vectors in the claim and in the facts."""
    grams = (key.data[0] if key.kind == "mean" else key for form in (system.target, *system.columns) for key in form)
    return list(
        dict.fromkeys(one for key in grams if key.kind == "gram" for one in sorted(key.data, key=lambda k: k.name))
    )


def _depends(form: Mapping[Key, Any], symbol: Any, system: System) -> bool:
    return any(symbol in value.as_expr().free_symbols for value in form.values())


def _combination(letters: Sequence[Key], weights: Sequence[Any]) -> Node:
    total: Node | None = None
    for letter, weight in zip(letters, weights, strict=True):
        if weight != 0:
            assert letter.node is not None
            part = sp.sympify(weight) * letter.node
            total = part if total is None else total + part
    assert total is not None
    return total


def _factors(system: System, letters: Sequence[Key], point: Point) -> list[list[Fraction]]:
    """The rows of the factors of the least slack at a point, rounded; each begins with 1."""
    cp = cvxpy()
    n = len(letters)
    nodes = [letter.node for letter in letters if letter.node is not None]
    moments = {(i, j): system.mean(nodes[i] @ nodes[j]) for i in range(n) for j in range(i, n)}
    pairs = list(moments)
    columns = [*system.columns, *moments.values()]
    rows, right = system.matrix(columns, system.target, point)
    a, b = np.array(rows, float), np.array(right, float)
    k = len(system.columns)
    slack, times = cp.Variable((n, n), PSD=True), cp.Variable(max(k, 1))
    flat = cp.hstack([slack[i, j] * (1 if i == j else 2) for i, j in pairs])
    limits = [a[:, k:] @ flat + (a[:, :k] @ times[:k] if k else 0) == b]
    limits += [times[i] >= 0 for i in range(k) if not system.free[i]]
    problem = cp.Problem(cp.Minimize(cp.trace(slack)), limits)
    problem.solve(solver=cp.CLARABEL)
    if slack.value is None:
        raise NotFound("infeasible", f"no squares: add a fact or weaken the claim; none exist at {point}")
    rest, found = np.array(slack.value), []
    for i in range(n):
        if (pivot := rest[i, i]) > 1e-6 * max(1.0, float(np.trace(slack.value))):
            row = rest[i] / pivot
            rest = rest - pivot * np.outer(row, row)
            found.append(
                [Fraction(float(v)).limit_denominator(DENOMINATOR) if abs(v) > 1e-5 else Fraction(0) for v in row]
            )
    return found


# --- rational functions from values


def _monomials(count: int, degree: int) -> list[tuple[int, ...]]:
    return [powers for powers in product(range(degree + 1), repeat=count) if sum(powers) <= degree]


def guess(symbols: Sequence[Any], values: Sequence[tuple[Point, Any]]) -> Any | None:
    """A rational function of least degree through all values, ``None`` if none is found: a guess, to be certified by the kernel."""
    for degree in range(DEGREE + 1):
        powers = _monomials(len(symbols), degree)
        if len(values) < 2 * len(powers) + 1:
            break
        rows = []
        for point, value in values:
            terms = [sp.prod([sp.Rational(point[s]) ** e for s, e in zip(symbols, one, strict=True)]) for one in powers]
            rows.append([*terms, *(-sp.Rational(value.numerator, value.denominator) * t for t in terms)])
        for vector in sp.Matrix(rows).nullspace():
            above, below = vector[: len(powers)], vector[len(powers) :]
            texts = [sp.prod([s**e for s, e in zip(symbols, one, strict=True)]) for one in powers]
            bottom = sum(c * t for c, t in zip(below, texts, strict=True))
            if bottom != 0:
                return sp.factor(sum(c * t for c, t in zip(above, texts, strict=True)) / bottom)
    return None
