r"""How good are the constants?  One row for each: printed, repaired, sharpened and certified, needed by an exact instance, and the gap.

No constant is typed here.  The upper values are read off formal statements of the ledger: the normal form of a statement less that with
the constant put to 0, divided by what the constant multiplies.  The lower value is what the left side needs at an instance, evaluated
exactly.  For a bound on a run the right side is linear in :math:`\Delta`, :math:`L^2`, :math:`\sigma^2` and
:math:`\|\nabla f(x_0)\|^2`, so that its coefficients can be read off.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Literal, get_args

import sympy as sp

from shbcore.claims.beyond.fresh import Run
from shbcore.claims.beyond.tight_steps import Instance
from shbcore.claims.evidence import Comparison
from shbcore.claims.trial import compare
from shbcore.proof.facts import G2, L2, N, f_star, rho, sigma2
from shbcore.proof.foundations import ALL
from shbcore.proof.kernel import Context, describe
from shbcore.proof.language import Inner, Node, Number, Quantity, Scaled, Slope, Sum, Value, as_scalar
from shbcore.proof.letters import alpha, beta, lam, nu
from shbcore.proof.search import pinned
from shbcore.proof.statement import Statement

Exact = Any
Measure = Literal["gap", "L2", "sigma2", "G2", "slope2"]
MEASURES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True, eq=False)
class Row(ABC):
    """A constant: where it stands, the statements that carry it, and the instance that needs it.

    ``printed`` and ``repaired`` are ``None`` for a result that the paper does not have.  Where they differ from the sharpened statement in
    more than the constant they come with their own form with the constant put to 0.  ``thousandths`` is the share of the certified
    constant that the instance needs, rounded down.
    """

    name: str
    label: str
    sharpened: Statement
    _: KW_ONLY
    printed: Statement | tuple[Statement, Statement] | float | None = None
    repaired: Statement | tuple[Statement, Statement] | None = None
    thousandths: int = 0

    @abstractmethod
    def upper(self, statement: Statement, zero: Statement | None = None) -> Exact:
        """The constant that a statement claims, at the parameters of the instance."""

    def _read(self, thing: Statement | tuple[Statement, Statement] | float | None) -> Exact | None:
        if isinstance(thing, tuple):
            return self.upper(*thing)
        return self.upper(thing) if isinstance(thing, Statement) else thing

    @property
    @abstractmethod
    def lower(self) -> Exact:
        """The constant that the instance needs."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The instance in words."""

    @property
    def certified(self) -> Exact:
        """The sharpest constant that is proved."""
        return self.upper(self.sharpened)

    @property
    def values(self) -> tuple[Exact | None, Exact | None, Exact, Exact]:
        """Printed, repaired, sharpened, lower."""
        return self._read(self.printed), self._read(self.repaired), self.certified, self.lower

    @property
    def gap(self) -> float:
        """How far the certified constant lies above the needed one, in per cent."""
        return 100 * (float(self.certified) / float(self.lower) - 1) if self.certified else 0.0

    def needs(self, times: Exact = 1) -> Iterator[Comparison]:
        """That the instance needs its share of the certified constant; ``times`` asks for more."""
        yield Comparison(times * Fraction(self.thousandths, 1000) * self.certified, self.lower)


@dataclass(frozen=True, eq=False, kw_only=True)
class StepRow(Row):
    """A constant of one step: ``zero`` is the sharpened statement with the constant put to 0, ``unit`` what it multiplies."""

    zero: Statement
    unit: Node
    instance: Instance
    root: bool = False
    """Whether the constant is that of squared norms and is shown for the norms."""

    def _sides(self, statement: Statement) -> list[Comparison]:
        same = replace(statement, given=self.zero.given, scope=self.zero.scope)
        return list(compare(same, self.instance.trial, self.instance.k))

    @cached_property
    def _found(self) -> list[tuple[Exact, Exact, Exact]]:
        """For each history: the left side, the right side without the constant, and the unit."""
        units = self._sides(replace(self.zero, relation=self.unit <= as_scalar(0)))
        bare = self._sides(self.zero)
        return [(one.left, one.right, unit.left) for one, unit in zip(bare, units, strict=True)]

    def _shown(self, value: Exact) -> Exact:
        if not self.root:
            return value
        found = sp.sqrt(sp.Rational(value.numerator, value.denominator))
        return Fraction(int(found.p), int(found.q)) if found.is_Rational else float(found)

    def _form(self, statement: Statement, tree: Node) -> dict[str, Any]:
        """The normal form of a tree at the parameters of the instance, by the kernel."""
        numbers = self.instance.trial.numbers
        at = {
            one.symbol: sp.Rational(str(numbers[one.symbol]))
            for one in statement.domain.ranges
            if one.symbol in numbers
        }
        context = Context(pinned(statement.domain, at), self.zero.scope, ALL)
        return {describe(key): sp.Rational(value.as_expr()) for key, value in context.form(tree).items()}

    def upper(self, statement: Statement, zero: Statement | None = None) -> Exact:
        bare = zero or self.zero
        whole, rest = self._form(statement, statement.relation.right), self._form(bare, bare.relation.right)
        unit = self._form(bare, self.unit)
        more = {key: d for key in whole | rest if (d := whole.get(key, sp.S.Zero) - rest.get(key, sp.S.Zero))}
        ratios = {more.get(key, sp.S.Zero) / value for key, value in unit.items()}
        same = self._form(statement, statement.relation.left) == self._form(bare, bare.relation.left)
        if len(ratios) != 1 or not more.keys() <= unit.keys() or not same:
            raise ValueError(f"{self.name}: the statement differs from the one without the constant in more than that")
        value = ratios.pop()
        return self._shown(Fraction(int(value.p), int(value.q)))

    @property
    def lower(self) -> Exact:
        return self._shown(max((left - right) / unit for left, right, unit in self._found))

    @property
    def words(self) -> str:
        return self.instance.words


class _Right:
    r"""The right side of a bound on a run, as a number, where :math:`\Delta` and its like are given."""

    def __init__(self, statement: Statement, given: Mapping[str, Exact], symbols: Mapping[Any, Exact]) -> None:
        self.given = given
        self.values: dict[Any, Any] = {one: sp.Rational(str(value)) for one, value in symbols.items()}
        pending = list(statement.domain.definitions)
        while ready := [one for one in pending if one.formula.free_symbols <= self.values.keys()]:
            for one in ready:
                value = sp.sympify(one.formula).xreplace(self.values)
                if self.values.setdefault(one.symbol, value) != value:
                    raise ValueError(f"{one.symbol} = {self.values[one.symbol]}: the statement has {value}")
                pending.remove(one)

    def number(self, value: Any) -> Exact:
        found = sp.Rational(sp.sympify(value).xreplace(self.values))
        return Fraction(int(found.p), int(found.q))

    def at(self, tree: Node) -> Exact:
        if isinstance(tree, Sum):
            return sum((self.at(part) for part in tree.parts), Fraction(0))
        if isinstance(tree, Scaled):
            return self.number(tree.times) * self.at(tree.of)
        if isinstance(tree, Number):
            return self.number(tree.value)
        if isinstance(tree, Quantity) and tree == f_star:
            return Fraction(0)
        if isinstance(tree, Value) and tree.function.role == "objective":
            return self.given["gap"]
        if isinstance(tree, Inner) and isinstance(tree.left, Slope) and tree.left == tree.right:
            return self.given["slope2"]
        raise ValueError(f"{type(tree).__name__} has no place on the right side of a bound on a run")


def coefficient(
    statement: Statement, measure: Measure, root: int, alpha_0: Exact, envelope: Exact = Fraction(1, 2)
) -> Exact:
    r"""What multiplies :math:`\Delta` (or its like) in a bound on a run, times :math:`\sqrt{K+1}`, at :math:`\rho=1`; ``envelope`` is
    :math:`\lambda`."""
    given: dict[str, Exact] = {one: Fraction(one == measure) for one in MEASURES}
    noise = {L2: given["L2"], sigma2: given["sigma2"], G2: given["G2"]}
    step = {alpha: alpha_0 / root, beta: Fraction(1, root), nu: 1 / alpha_0}
    fixed = {rho: Fraction(1), lam: envelope, N: Fraction(root), sp.Symbol("alpha_0"): alpha_0}
    right = _Right(statement, given, {**noise, **step, **fixed})
    return root * right.at(statement.relation.right)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


@dataclass(frozen=True, eq=False, kw_only=True)
class RunRow(Row):
    r"""A constant of a bound on a run.  The lower value is what the run needs, the other terms of the bound taken as certified."""

    measure: Measure
    alpha_0: Exact
    make: Callable[[], Run]
    said: str

    @cached_property
    def run(self) -> Run:
        return self.make()

    def upper(self, statement: Statement, zero: Statement | None = None) -> Exact:
        return coefficient(statement, self.measure, self.run.root, self.alpha_0)

    @property
    def lower(self) -> Exact:
        if self.certified == 0:
            return Fraction(0)
        spent = sum((self._spent(one) for one in MEASURES if one != self.measure), Fraction(0))
        return (self.run.root * _fraction(self.run.mean) - spent) / _fraction(getattr(self.run, self.measure))

    def _spent(self, measure: Measure) -> Exact:
        times = coefficient(self.sharpened, measure, self.run.root, self.alpha_0)
        return times * _fraction(getattr(self.run, measure)) if times else Fraction(0)

    @property
    def words(self) -> str:
        return f"{self.said}; K = {self.run.root**2 - 1}"


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the order of the paper, then the results that it does not have."""
    from shbcore.claims import constants_rows

    return (*constants_rows.STEPS, *constants_rows.RUNS)


def largest() -> Row:
    """The row with the largest gap."""
    return max(rows(), key=lambda one: one.gap)


def decimal(value: Exact | None, digits: int = 4) -> str:
    """A value for a reader: a short decimal, or that the paper has none."""
    return "not in the paper" if value is None else f"{float(value):.{digits}g}"


def table() -> list[tuple[str, str, str, str, str, str]]:
    """The table as text: name, printed, repaired, sharpened, lower, gap in per cent."""
    found = []
    for row in rows():
        printed, repaired, sharpened, lower = (decimal(value) for value in row.values)
        found.append((row.name, printed, repaired, sharpened, lower, f"{row.gap:.1f}" if row.gap >= 0.05 else "0"))
    return found
