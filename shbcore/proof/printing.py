r"""Coefficients and sums in LaTeX, as a person would write them."""

import re
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer, with what is subtracted last: 1 - x, not -x + 1."""

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> Any:
        return sorted(super()._as_ordered_terms(expr, order), key=lambda term: term.could_extract_minus_sign())


def tex(coefficient: Any) -> str:
    """A coefficient in LaTeX; in -y (x - 1) the factor is turned round, and y (1 - x) printed."""
    value = sp.sympify(coefficient)
    parts, sign = [], 1
    for part in sp.Mul.make_args(value):
        base, power = part.as_base_exp()
        if base.is_Add and base.as_coeff_Add()[0].is_negative and power.is_Integer:
            base, sign = -base, sign * (-1) ** int(power)
        parts.append(base**power)
    turned = sp.Mul(sign, *parts)
    return str(_Printer().doprint(value if turned.as_coeff_Mul()[0].is_negative else turned))


def bracketed(name: str) -> str:
    """A name in LaTeX, in brackets if it is a sum: to be subtracted, or multiplied."""
    inside, before = name, ""
    while inside != before:
        before = inside
        inside = re.sub(r"\{[^{}]*\}|\([^()]*\)|\^[+*-]|\\langle((?!\\langle).)*?\\rangle|\\\|.*?\\\|", "", before)
    return f"({name})" if re.search("[+-]", inside) else name


def signed(name: str, coefficient: Any) -> str:
    """One summand in LaTeX, with its sign."""
    number, rest = sp.sympify(coefficient).as_coeff_Mul()
    sign, value = ("-", -number * rest) if number.is_negative else ("+", number * rest)
    text = tex(value)
    if name:
        name = name if coefficient == 1 else bracketed(name)
        text = "" if value is sp.S.One else rf"\left({text}\right)" if value.is_Add else text
    return f"{sign}{text} {name}".rstrip() if text else f"{sign}{name}"
