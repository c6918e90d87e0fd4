r"""Signs and poles of the coefficients over a whole domain: the first part of the kernel.

Each parameter becomes a rational function of slacks that are its own, and a sign is read off the coefficients of a polynomial in them.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import combinations
from typing import Any

import sympy as sp

from shbcore.proof.domain import Definition, Domain, Range, moved_entry
from shbcore.proof.language import of_step
from shbcore.proof.plain import plain

_ALPHA = sp.Symbol("alpha")
_BY_NUMBER = re.compile(r"(.+)_(?:(\d+)|\{(-?\d+)\})")


class Refused(ValueError):
    """The kernel does not accept a line; the message says why, in plain text."""

    def __init__(self, why: str) -> None:
        super().__init__(plain(why))


class Parameters:
    """The domain as the kernel sees it: each parameter as a rational function of slacks that are its own."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.entries = {entry.symbol: entry for entry in domain.entries}
        self.spelt = {re.sub(r"[\\{}\s]", "", symbol.name) for symbol in self.entries}
        self.free = tuple(one.symbol for one in domain.ranges)
        self.ring = sp.QQ.frac_field(*(self.free or (sp.Dummy(),)))
        self.slack = {one: sp.Dummy(f"slack_{one.symbol}") for one in domain.ranges}
        self.slacks = tuple(self.slack.values()) or (sp.Dummy(),)
        self.space = sp.QQ.frac_field(*self.slacks)
        self.formula: dict[Any, Any] = {}
        self.value: dict[Any, Any] = {}
        self.signs: dict[Any, tuple[bool, bool]] = {}
        self.defined: dict[Any, Any] = {}
        self.whole: set[Any] = set()
        for symbol in self.entries:
            self._resolve(symbol, ())
        for entry in domain.entries:
            self._sound(entry)
        steps = {of_step(symbol) for symbol in self.entries}
        self.scheduled = any(one is not None and one[0] == "alpha" for one in steps)
        if self.scheduled and _ALPHA in self.entries:
            raise Refused("two methods in one domain: one with the stepsize alpha, one with a stepsize for each step")

    def _resolve(self, symbol: Any, trail: tuple[Any, ...]) -> None:
        if symbol in self.formula:
            return
        if symbol in trail:
            raise Refused(f"the domain runs in a circle: {' -> '.join(map(str, (*trail, symbol)))}")
        if symbol not in self.entries:
            raise Refused(f"parameter {symbol} has no range in the domain")
        entry = self.entries[symbol]
        for used in entry.uses:
            self._resolve(used, (*trail, symbol))
        if isinstance(entry, Definition):
            self.formula[symbol] = entry.formula.xreplace(self.formula)
            self.value[symbol] = entry.formula.xreplace(self.value)
        else:
            lower, s = entry.lower.xreplace(self.formula), self.slack[entry]
            base = lower + s if entry.upper is None else (entry.upper.xreplace(self.formula) + s * lower) / (1 + s)
            self.formula[symbol] = 1 / base if entry.inverse else base
            self.value[symbol] = symbol
        if self.formula[symbol].has(sp.zoo, sp.nan, sp.oo):
            raise Refused(f"parameter {symbol} is defined by a division by zero")

    def _sound(self, entry: Range | Definition) -> None:
        """A definition has no pole, an interval is not empty, one over a parameter is not negative."""
        if isinstance(entry, Definition):
            self.no_pole(entry.formula)
            if of_step(entry.symbol) is None and any(of_step(one) for one in entry.uses):
                raise Refused(f"{entry.symbol} has no index, and is defined by a parameter of step k")
            return
        for bound in (entry.lower, entry.upper):
            self.no_pole(sp.S.Zero if bound is None else bound)
        if entry.upper is not None and not self.sign(entry.upper - entry.lower)[1]:
            raise Refused(f"the range of {entry.symbol} may be empty")
        if entry.inverse and not self.sign(entry.lower)[0]:
            raise Refused(f"one over {entry.symbol} may be negative")

    def begins(self) -> None:
        """What the domain says of a member by number is what it says of the members at every step, or implies that."""
        steps = (moved_entry(entry, by, first=True) for entry in self.entries.values() for by in (0, 1))
        begun = [at for at in steps if at is not None]
        for symbol in {at.symbol for at in begun} & self.entries.keys():
            found = [at for at in begun if at.symbol == symbol]
            same = self.entries[symbol] in found
            if not same and not all(self._implied(one) for one in found):
                raise Refused(f"{symbol} is not shown to begin a sequence of this class")
        stems = {at[0] for symbol in self.entries if (at := of_step(symbol)) is not None}
        for symbol in self.entries.keys() - {at.symbol for at in begun}:
            named = _BY_NUMBER.fullmatch(symbol.name)
            if named and named[1] in stems and int(named[2] or named[3]) > 1:
                raise Refused(
                    f"{symbol}: of a sequence the domain names the first members, and those of steps k, k+1, ..."
                )

    def element(self, value: Any) -> Any:
        """A coefficient in the field of rational functions of the free parameters, definitions put in."""
        if value not in self.defined:
            if stray := value.free_symbols - self.entries.keys():
                raise Refused(f"parameter {', '.join(sorted(map(str, stray)))} has no range in the domain")
            plain = value.xreplace(self.value)
            if plain.has(sp.zoo, sp.nan, sp.oo):
                raise Refused(f"{value} is a division by zero on the domain")
            self.defined[value] = self.ring.from_sympy(plain)
        return self.defined[value]

    def sign(self, value: Any) -> tuple[bool, bool]:
        """Whether the value is proved to be non-negative, and positive, on the whole domain, by the signs of coefficients."""
        if value not in self.signs:
            if stray := value.free_symbols - self.entries.keys():
                raise Refused(f"parameter {', '.join(sorted(map(str, stray)))} has no range in the domain")
            plain = self._by_parts(value)
            if not plain[0] and not self._negative_somewhere(value):
                plain = self._sign(value)
            self.signs[value] = plain
        return self.signs[value]

    def _negative_somewhere(self, value: Any) -> bool:
        """Whether the value is negative at a point of the domain: then there is no sign to look for."""
        seen = (value.xreplace(at) for at in self.points)
        return any(one.is_Rational and one < 0 for one in seen)

    def _by_parts(self, value: Any) -> tuple[bool, bool]:
        """The sign of a product from those of its factors, of a sum from those of its terms: quick, and often enough."""
        entry = self.entries.get(value)
        if isinstance(entry, Definition):
            return self.sign(entry.formula)
        if isinstance(value, sp.Pow) and isinstance(value.exp, sp.Integer):
            low, above = self.sign(value.base)
            return bool(above or (low and value.exp > 0)), above
        if not isinstance(value, (sp.Mul, sp.Add)):
            return False, False
        found: list[tuple[bool, bool]] = []
        for part in value.args:
            found.append(self.sign(part))
            if not found[-1][0]:
                return False, False
        strict = [one[1] for one in found]
        return True, all(strict) if isinstance(value, sp.Mul) else any(strict)

    def _sign(self, value: Any) -> tuple[bool, bool]:
        """By the coefficients of the reduced fraction, slacks put in; where that does not do, slacks are put in and it is reduced again."""
        reduced = self.element(value)
        if self.fractions is not None:
            found = self._of_fraction(self._in_slacks(reduced.numer), self._in_slacks(reduced.denom))
            if found[1] or (found[0] and any(value.xreplace(at).is_zero for at in self.points)):
                return found
        reduced = self.space.from_sympy(value.xreplace(self.formula))
        return self._of_fraction(reduced.numer, reduced.denom)

    def _in_slacks(self, polynomial: Any) -> Any:
        """A polynomial in the free parameters as one in the slacks, times powers of their denominators, positive since they are finite."""
        assert self.fractions is not None
        total, most = self.space.field.ring.zero, polynomial.degrees()
        for powers, value in polynomial.items():
            term = self.space.field.ring.ground_new(value)
            for symbol, power, top in zip(self.free, powers, most):
                above, below = self.fractions[symbol]
                term *= above**power * below ** (top - power)
            total += term
        return total

    @cached_property
    def fractions(self) -> dict[Any, tuple[Any, Any]] | None:
        """Numerator and denominator of each free parameter in the slacks; ``None`` if a denominator has a negative coefficient."""
        found = {symbol: self.space.from_sympy(self.formula[symbol]) for symbol in self.free}
        if any(value < 0 for one in found.values() for value in one.denom.values()):
            return None
        return {symbol: (one.numer, one.denom) for symbol, one in found.items()}

    def _of_fraction(self, numerator: Any, denominator: Any) -> tuple[bool, bool]:
        """The sign of a fraction of polynomials in the slacks, which are not negative."""
        if all(value <= 0 for value in denominator.values()):
            numerator, denominator = -numerator, -denominator
        numerator = _lifted(numerator)
        if any(value < 0 for part in (numerator, denominator) for value in part.values()):
            return False, False
        sure = [one.strict and one.upper is None for one in self.slack] or [True]
        positive = any(
            value > 0 and all(strict or power == 0 for strict, power in zip(sure, powers, strict=True))
            for powers, value in numerator.items()
        )
        return True, positive

    def no_pole(self, value: Any) -> None:
        """Every denominator as written is positive, or negative, on the whole domain."""
        if value in self.whole:
            return
        for part in sp.preorder_traversal(value):
            below = part.base if isinstance(part, sp.Pow) and part.exp.is_negative else sp.S.One
            if below.free_symbols and not (self.sign(below)[1] or self.sign(-below)[1]):
                raise Refused(f"the denominator {below} may vanish")
        self.whole.add(value)

    def passes_on(self, *, endless: bool = False) -> None:
        """A class of sequences: what the domain says of a member at two steps agrees, by definition or by what one implies of the other."""
        members: dict[str, dict[int, Any]] = {}
        for entry in self.entries.values():
            if (at := of_step(entry.symbol)) is not None:
                members.setdefault(at[0], {})[at[1]] = entry
        for stem, found in members.items():
            for i, j in combinations(sorted(found), 2):
                early, late = moved_entry(found[i], j - i), moved_entry(found[j], i - j)
                bounded = isinstance(late, Range) and late.upper is not None
                if not (self._implied(early) or ((bounded or not endless) and self._implied(late))):
                    raise Refused(
                        f"what the domain says of {stem} at two steps is not shown to agree: no such sequence?"
                    )

    def _implied(self, entry: Any) -> bool:
        """Whether a range or a definition, moved here from another step, follows from the domain."""
        if isinstance(entry, Definition):
            own = self.entries[entry.symbol]
            return isinstance(own, Definition) and bool(own.formula == entry.formula)
        if (entry.uses | {entry.symbol}) - self.entries.keys():
            return False
        value = 1 / entry.symbol if entry.inverse else entry.symbol
        above = self.sign(value - entry.lower)[entry.strict or entry.upper is not None]
        return above and (entry.upper is None or self.sign(entry.upper - value)[0])

    def point(self) -> dict[Any, Any]:
        """One rational point of the domain, which shows that it is not empty."""
        return self.points[0]

    @cached_property
    def points(self) -> list[dict[Any, Any]]:
        """Some rational points of the domain, two of them at its edge, where slacks that may vanish do."""
        ranges, every = self.domain.ranges, range(1, len(self.slacks) + 1)
        inner = [one.upper is None and (one.strict or one.inverse) for one in ranges] or [True]
        outer = [one.upper is None and (one.strict or not one.inverse) for one in ranges] or [True]
        slacks = [[sp.Integer(i) for i in every], [sp.Rational(1, 7 * i) for i in every]]
        slacks += [[sp.Integer(i * kept) for i, kept in zip(every, edge, strict=True)] for edge in (inner, outer)]
        numbers = (dict(zip(self.slacks, one, strict=True)) for one in slacks)
        return [{symbol: formula.xreplace(at) for symbol, formula in self.formula.items()} for at in numbers]


def _lifted(numerator: Any) -> Any:
    r"""The polynomial times :math:`(1+s)^m`, for one slack s and the first m up to 3 that leave no negative coefficient, if any do."""
    if all(value >= 0 for value in numerator.values()):
        return numerator
    for s in numerator.ring.gens:
        lifted = numerator
        for _ in range(3):
            lifted = lifted * (1 + s)
            if all(value >= 0 for value in lifted.values()):
                return lifted
    return numerator


@cache
def parameters(domain: Domain) -> Parameters:
    """The domain prepared, once."""
    return Parameters(domain)
