r"""Which parameters a line speaks of: each with a range or a definition, as data.

``between(beta, 0, 1)`` is :math:`\beta\in(0,1]`, ``inverse_at_least(lam, 2 * rho)`` is :math:`\lambda>0,\ \lambda^{-1}\ge2\rho`.
A bound may use other parameters, but not in a circle.  What a range means for signs and poles is decided in
:mod:`shbcore.proof.kernel`, with slack variables of its own that no name can meet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import sympy as sp

from shbcore.proof.language import Coefficient, coefficient, moved, of_step, sequence

__all__ = ["EVERYWHERE", "Domain", "Range", "at_least", "between", "defined"]
__all__ += ["inverse_above", "inverse_at_least", "inverse_between", "nonnegative", "positive"]


_SPELT = ("rho", "alpha", "beta", "lambda", "nu", "N", "L^2", "sigma^2", "G^2", "L_h", "L_c")
"""Parameters of the setting, by the one name that each has."""


def _symbol(symbol: Any) -> Any:
    if type(symbol) is not sp.Symbol:
        raise ValueError(f"a parameter must be a SymPy symbol, such as sp.Symbol('b'), got {symbol!r}")
    if symbol.assumptions0 != sp.Symbol("x").assumptions0:
        raise ValueError(f"parameter {symbol}: leave out SymPy's assumptions, its range in the domain says what it is")
    plain = re.sub(r"[\\{}\s]", "", symbol.name)
    plain = "lambda" if plain == "lamda" else plain  # SymPy prints both alike
    if plain in _SPELT and symbol.name != plain:
        raise ValueError(f"parameter {symbol}: write {plain}, as the setting does")
    at = of_step(symbol)
    if re.search(r"_\{k[+-]?0*\}$|_\{\d\}$", symbol.name) or (at is not None and sequence(*at) != symbol):
        raise ValueError(
            f"parameter {symbol}: a member of a sequence has one name, such as alpha_k, alpha_{{k+1}} or alpha_0"
        )
    return symbol


@dataclass(frozen=True)
class Range:
    r"""``symbol`` (or, with ``inverse``, one over it) in :math:`[\text{lower},\infty)`, or :math:`(\text{lower},\infty)` with ``strict``,
    or :math:`(\text{lower},\text{upper}]`; with ``inverse`` the symbol is positive."""

    symbol: Any
    lower: Any
    upper: Any = None
    strict: bool = False
    inverse: bool = False

    def __post_init__(self) -> None:
        _symbol(self.symbol)
        for name in ("lower", "upper"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, coefficient(getattr(self, name), f"{name} bound of {self.symbol}"))

    def __str__(self) -> str:
        return _plain(self)

    @property
    def uses(self) -> set[Any]:
        """The parameters in its bounds."""
        return set(self.lower.free_symbols) | (set(self.upper.free_symbols) if self.upper is not None else set())


@dataclass(frozen=True)
class Definition:
    r"""A parameter that is defined by others, such as :math:`\alpha=\beta/\nu`."""

    symbol: Any
    formula: Any

    def __post_init__(self) -> None:
        _symbol(self.symbol)
        object.__setattr__(self, "formula", coefficient(self.formula, f"formula of {self.symbol}"))

    def __str__(self) -> str:
        return _plain(self)

    @property
    def uses(self) -> set[Any]:
        return set(self.formula.free_symbols)


def _plain(one: Range | Definition) -> str:
    """A range or a definition in plain text."""
    from shbcore.proof import in_words, plain

    return plain.relation(in_words.entry(one))


def moved_entry(entry: Range | Definition, by: int, *, first: bool = False) -> Range | Definition | None:
    """An entry of a step at another step, counted from k, or (``first``) from 0; none for a parameter that is no member of a sequence."""
    at = of_step(entry.symbol)
    if at is None:
        return None
    symbol = sequence(at[0], at[1] + by, first)
    if isinstance(entry, Definition):
        return Definition(symbol, moved(entry.formula, by, first=first))
    lower = moved(entry.lower, by, first=first)
    upper = None if entry.upper is None else moved(entry.upper, by, first=first)
    return Range(symbol, lower, upper, entry.strict, entry.inverse)


def nonnegative(symbol: Any) -> Range:
    r""":math:`\text{symbol}\ge0`."""
    return Range(symbol, 0)


def positive(symbol: Any) -> Range:
    r""":math:`\text{symbol}>0`."""
    return Range(symbol, 0, strict=True)


def at_least(symbol: Any, lower: Coefficient) -> Range:
    r""":math:`\text{symbol}\ge\text{lower}`."""
    return Range(symbol, lower)


def between(symbol: Any, lower: Coefficient, upper: Coefficient) -> Range:
    r"""The half-open interval :math:`(\text{lower},\text{upper}]`."""
    return Range(symbol, lower, upper)


def inverse_at_least(symbol: Any, lower: Coefficient) -> Range:
    r""":math:`\text{symbol}>0` and :math:`1/\text{symbol}\ge\text{lower}`."""
    return Range(symbol, lower, inverse=True)


def inverse_above(symbol: Any, lower: Coefficient) -> Range:
    r""":math:`\text{symbol}>0` and :math:`1/\text{symbol}>\text{lower}`."""
    return Range(symbol, lower, strict=True, inverse=True)


def inverse_between(symbol: Any, lower: Coefficient, upper: Coefficient) -> Range:
    r""":math:`1/\text{symbol}\in(\text{lower},\text{upper}]`."""
    return Range(symbol, lower, upper, inverse=True)


def defined(symbol: Any, formula: Coefficient) -> Definition:
    r"""A parameter that others define, such as :math:`\xi=(1-\beta)/\nu`; it has no range of its own."""
    return Definition(symbol, formula)


def _entries(entries: tuple[Any, ...]) -> None:
    for entry in entries:
        if type(entry) not in (Range, Definition):
            raise ValueError(f"a domain is made of ranges and definitions, such as positive(nu), got {entry!r}")


@dataclass(frozen=True)
class Domain:
    """The admissible parameters: ranges and definitions, each symbol once."""

    entries: tuple[Range | Definition, ...]

    def __init__(self, *entries: Range | Definition) -> None:
        _entries(entries)
        names = [re.sub(r"[\\{}\s]", "", entry.symbol.name) for entry in entries]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(
                f"parameter {', '.join(sorted(twice))} has two ranges or definitions: give it one; also() replaces one"
            )
        object.__setattr__(self, "entries", entries)

    def __str__(self) -> str:
        return "; ".join(map(str, self.entries))

    def also(self, *entries: Range | Definition) -> Domain:
        """This domain with further parameters; a parameter named again is replaced in its place."""
        _entries(entries)
        again = {entry.symbol: entry for entry in entries}
        kept = [again.pop(old.symbol, old) for old in self.entries]
        return Domain(*kept, *again.values())

    def about(self, symbols: set[Any]) -> tuple[Range | Definition, ...]:
        """The entries of these symbols, and of those that they are stated with."""
        found = set(symbols)
        while True:
            more = {one for entry in self.entries if entry.symbol in found for one in entry.uses} - found
            if not more:
                return tuple(entry for entry in self.entries if entry.symbol in found)
            found |= more

    def started(self, step: int = 0) -> tuple[Range | Definition, ...]:
        r"""What the entries of a step say of step ``step``: :math:`\alpha_{k+1}\le\alpha_k` says :math:`\alpha_1\le\alpha_0`."""
        return tuple(at for entry in self.entries if (at := moved_entry(entry, step, first=True)) is not None)

    @property
    def ranges(self) -> tuple[Range, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Range))

    @property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Definition))


EVERYWHERE = Domain()
"""The domain of a line without parameters."""
