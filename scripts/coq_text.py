"""Numbers, sums and multiples as Coq reads them, with no more brackets than a reader needs."""

import re
import textwrap
from collections.abc import Iterable
from typing import Any

import sympy as sp

SYMBOLS = {"lambda": "lam", "L^2": "L2", "sigma^2": "sigma2", "G^2": "G2"}
RESERVED = {
    *("E", "V", "M", "d", "p", "f", "h", "on", "one", "zero", "inner", "known", "before", "total", "sum", "At", "All"),
    *("Trivial", "xi", "gamma", "Prop", "Type", "Set", "fun", "let", "in", "I", "S", "O"),
}
"""Names that Coq, or the setting, has taken."""
SUM, FACTOR, ATOM = 0, 1, 2
"""What may stand somewhere without brackets: anything, a product, a single thing."""


class NotExported(Exception):
    """The line has something in it that has no counterpart in the theorem; the message says what."""


def symbol(one: Any) -> str:
    """The name of a parameter in Coq."""
    plain = one.name.replace("{k+", "{k_next_").replace("{k-", "{k_prev_").replace("{-", "{minus_")
    name = SYMBOLS.get(one.name, re.sub(r"\W", "_", plain))
    return name + "_" if name in RESERVED else name


def real(value: Any, names: dict[Any, str] | None = None, place: int = SUM) -> str:
    """A rational expression, for a place in which sums, only products, or only single things need no brackets."""
    names = names or {}
    if isinstance(value, sp.Symbol):
        return names.get(value) or symbol(value)
    if isinstance(value, sp.Integer) and value >= 0:
        return str(value)
    if isinstance(value, sp.Add):
        return _held(signed((value.args, real), names), place > SUM)
    if isinstance(value, (sp.Mul, sp.Rational)) and falls(value):
        return f"(- {real(-value, names, FACTOR)})"
    if isinstance(value, sp.Pow) and value.exp.is_Integer and value.exp.is_positive:
        return f"{real(value.base, names, ATOM)} ^ {value.exp}" if place < ATOM else f"({real(value, names)})"
    if isinstance(value, (sp.Mul, sp.Pow, sp.Rational)):
        over, under = _apart(value)
        text = " * ".join(real(one, names, FACTOR if i == 0 else ATOM - 1) for i, one in enumerate(over)) or "1"
        below = " * ".join(real(one, names, FACTOR) for one in under)
        if under and text == "1" and isinstance(value, sp.Pow):
            text = f"/ {real(under[0], names, ATOM)}" if len(under) == 1 else f"/ ({below})"
        elif under:
            text += f" / {real(under[0], names, ATOM)}" if len(under) == 1 else f" / ({below})"
        return _held(text, place > FACTOR or (place == FACTOR and text.startswith("/")))
    raise NotExported(f"the number {value}")


def _apart(value: Any) -> tuple[list[Any], list[Any]]:
    """The factors above and below the line, as written."""
    over: list[Any] = []
    under: list[Any] = []
    for one in value.args if isinstance(value, sp.Mul) else (value,):
        if isinstance(one, sp.Rational):
            over += [sp.Integer(one.p)] if one.p != 1 else []
            under += [sp.Integer(one.q)] if one.q != 1 else []
        elif isinstance(one, sp.Pow) and one.exp.is_negative:
            under.append(1 / one)
        else:
            over.append(one)
    if any(isinstance(one, sp.Pow) and not one.exp.is_Integer for one in (*over, *under)):
        raise NotExported(f"the number {value}")
    return over, under


def falls(value: Any) -> bool:
    """Whether a number is written with a minus sign in front."""
    return bool(value.as_coeff_Mul()[0] < 0)


def signed(parts: tuple[Iterable[Any], Any], names: dict[Any, str]) -> str:
    """A sum of numbers with the signs between them."""
    values, show = parts
    text = ""
    for one in values:
        minus = bool(text) and falls(one)
        text += (" - " if minus else " + " if text else "") + show(-one if minus else one, names, FACTOR)
    return text


def times(value: Any, what: str) -> str:
    """A multiple of a random variable or vector that needs no brackets itself; no factor where it is one."""
    return what if value == 1 else f"{real(value, place=FACTOR)} * {what}"


def _held(text: str, brackets: bool) -> str:
    return f"({text})" if brackets else text


def wrapped(line: str, width: int = 110) -> str:
    """A line of a statement broken after blanks, what follows being indented."""
    indent = len(line) - len(line.lstrip())
    return textwrap.fill(
        line.strip(),
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
