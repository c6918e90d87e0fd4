r"""Signs over a whole parameter range, proved and not sampled.

A :class:`Domain` says once how each parameter ranges, by a formula in non-negative slacks: :math:`\beta=1/(1+s)` is
:math:`\beta\in(0,1]`, :math:`1/\lambda=2\rho+t` is :math:`1/\lambda\ge2\rho`.  An expression is non-negative on the
domain if, after the substitution, every coefficient of its numerator and of its denominator is non-negative, perhaps after
multiplication by a power of :math:`1+s`.  That is a sufficient test: a refusal is no disproof.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Range:
    """One parameter: its formula in other parameters and in ``slack`` (``None`` for a definition), and the range in LaTeX."""

    symbol: Any
    formula: Any
    slack: Any
    strict: bool
    latex: str


def _slack(symbol: Any) -> Any:
    if not isinstance(symbol, sp.Symbol):
        raise ValueError(f"a parameter must be a SymPy symbol, such as sp.Symbol('b'), got {symbol!r}")
    return sp.Symbol(f"s_{symbol.name}")


def nonnegative(symbol: Any) -> Range:
    return at_least(symbol, sp.S.Zero)


def positive(symbol: Any) -> Range:
    s = _slack(symbol)
    return Range(symbol, s, s, True, rf"{sp.latex(symbol)}>0")


def at_least(symbol: Any, lower: Any) -> Range:
    s = _slack(symbol)
    return Range(symbol, lower + s, s, False, rf"{sp.latex(symbol)}\ge {sp.latex(sp.sympify(lower))}")


def inverse_at_least(symbol: Any, lower: Any) -> Range:
    r""":math:`1/\text{symbol}\ge\text{lower}`."""
    s = _slack(symbol)
    return Range(symbol, 1 / (lower + s), s, False, rf"{sp.latex(symbol)}^{{-1}}\ge {sp.latex(sp.sympify(lower))}")


def inverse_above(symbol: Any, lower: Any) -> Range:
    r""":math:`1/\text{symbol}>\text{lower}`."""
    s = _slack(symbol)
    return Range(symbol, 1 / (lower + s), s, True, rf"{sp.latex(symbol)}^{{-1}}>{sp.latex(sp.sympify(lower))}")


def between(symbol: Any, lower: Any, upper: Any) -> Range:
    r"""The half-open interval :math:`(\text{lower},\text{upper}]`, as :math:`(\text{upper}+s\,\text{lower})/(1+s)`."""
    s = _slack(symbol)
    text = rf"{sp.latex(symbol)}\in({sp.latex(sp.sympify(lower))},{sp.latex(sp.sympify(upper))}]"
    return Range(symbol, (upper + s * lower) / (1 + s), s, False, text)


def inverse_between(symbol: Any, lower: Any, upper: Any) -> Range:
    r""":math:`1/\text{symbol}\in(\text{lower},\text{upper}]`."""
    s = _slack(symbol)
    text = rf"{sp.latex(symbol)}^{{-1}}\in({sp.latex(sp.sympify(lower))},{sp.latex(sp.sympify(upper))}]"
    return Range(symbol, (1 + s) / (upper + s * lower), s, False, text)


def defined(symbol: Any, formula: Any) -> Range:
    r"""A parameter defined by others, such as :math:`\alpha=\beta/\nu`."""
    formula, _ = sp.sympify(formula), _slack(symbol)
    return Range(symbol, formula, None, False, rf"{sp.latex(symbol)}={sp.latex(formula)}")


@dataclass(frozen=True)
class Domain:
    """The admissible parameters: ranges and definitions, each of which may use the others, but not in a circle."""

    ranges: tuple[Range, ...]

    def __init__(self, *ranges: Range) -> None:
        object.__setattr__(self, "ranges", ranges)

    def also(self, *ranges: Range) -> "Domain":
        """This domain with further parameters; a parameter named again is replaced in its place."""
        again = {extra.symbol: extra for extra in ranges}
        kept = [again.pop(old.symbol, old) for old in self.ranges]
        return Domain(*kept, *again.values())

    def define(self, expression: Any) -> Any:
        """The expression with the definitions put in, the ranges left alone."""
        return self._replace(expression, {one.symbol: one.formula for one in self.ranges if one.slack is None})

    def substitute(self, expression: Any) -> Any:
        """The expression as a rational function of the slacks."""
        return self._replace(expression, {one.symbol: one.formula for one in self.ranges})

    def _replace(self, expression: Any, formulas: dict[Any, Any]) -> Any:
        expression = sp.sympify(expression)
        for _ in self.ranges:
            if not expression.free_symbols & formulas.keys():
                break
            expression = expression.xreplace(formulas)
        return expression

    def about(self, symbols: set[Any]) -> tuple[Range, ...]:
        """The ranges of these symbols, and of those that they are stated with."""
        for one in reversed(self.ranges * len(self.ranges)):
            symbols = symbols | one.formula.free_symbols if one.symbol in symbols else symbols
        return tuple(one for one in self.ranges if one.symbol in symbols)

    def sample(self) -> dict[Any, Any]:
        """One rational point of the domain, for searches: the slacks are 1, 2, 3, ..."""
        at = {s: sp.Integer(i) for i, s in enumerate(self.slacks, 1)}
        return {one.symbol: self.substitute(one.symbol).subs(at) for one in self.ranges if one.slack is not None}

    @property
    def slacks(self) -> tuple[Any, ...]:
        return tuple(one.slack for one in self.ranges if one.slack is not None)

    @property
    def latex(self) -> str:
        return r",\; ".join(one.latex for one in self.ranges)


@dataclass(frozen=True)
class SignProof:
    """The evidence: numerator and denominator in the slacks, and the monomials that spoil the sign, if any."""

    expression: Any
    numerator: Any
    denominator: Any
    negative: tuple[Any, ...]
    strict: bool

    @property
    def passed(self) -> bool:
        return not self.negative

    @property
    def detail(self) -> str:
        if self.passed:
            return f"{self.expression} = ({self.numerator})/({self.denominator}): every coefficient >= 0"
        return f"{self.expression}: no sign, because of {', '.join(map(str, self.negative))} in ({self.numerator})/({self.denominator})"


def prove_nonnegative(expression: Any, domain: Domain) -> SignProof:
    """Prove ``expression >= 0`` on the whole domain by the signs of coefficients; ``strict`` says that it is even positive."""
    rational = domain.substitute(expression)
    stray = rational.free_symbols - set(domain.slacks)
    if stray:
        raise ValueError(f"parameter {sorted(map(str, stray))} has no range in the domain {domain.latex}")
    slacks = domain.slacks or (sp.Dummy(),)
    reduced = sp.QQ.frac_field(*slacks).from_sympy(rational)
    numerator, denominator = (sp.Poly(dict(part), *slacks, domain="QQ") for part in (reduced.numer, reduced.denom))
    if all(value <= 0 for value in denominator.coeffs()):
        numerator, denominator = -numerator, -denominator
    numerator = _lifted(numerator)
    negative = tuple(
        value * sp.prod(s**power for s, power in zip(slacks, powers, strict=True))
        for part in (numerator, denominator)
        for powers, value in part.terms()
        if value < 0
    )
    sure = [one.strict for one in domain.ranges if one.slack is not None] or [True]
    strict = not negative and any(
        value > 0 and all(positive_ or power == 0 for positive_, power in zip(sure, powers, strict=True))
        for powers, value in numerator.terms()
    )
    return SignProof(expression, numerator.as_expr(), denominator.as_expr(), negative, strict)


def _lifted(numerator: Any) -> Any:
    r"""The polynomial times :math:`(1+s)^m`, for one slack s and the first m up to 3 that leave no negative coefficient, if any do."""
    if all(value >= 0 for value in numerator.coeffs()):
        return numerator
    for s in numerator.gens:
        lifted = numerator
        for _ in range(3):
            lifted = lifted * sp.Poly(1 + s, *numerator.gens, domain="QQ")
            if all(value >= 0 for value in lifted.coeffs()):
                return lifted
    return numerator


@cache
def never_zero(expression: Any, domain: Domain) -> bool:
    """Whether the expression is proved to be positive, or negative, on the whole domain: it may stand in a denominator."""
    return prove_nonnegative(expression, domain).strict or prove_nonnegative(-expression, domain).strict
