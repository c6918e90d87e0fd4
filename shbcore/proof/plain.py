r"""Names and formulas in plain text, for messages in a terminal: ``\bar x_{k+1}`` is ``x_bar_{k+1}``."""

import re
from typing import Any

from shbcore.proof.language import TOTAL, Value

_SIGNS = {
    r"\langle ": "<",
    r"\langle": "<",
    r"\rangle": ">",
    r"\|": "|",
    r"\le": "<=",
    r"\ge": ">=",
    r"\in": " in ",
    r"\to": " -> ",
    r"\cdot": ".",
    r"\infty": "oo",
    r"\{": "{",
    r"\}": "}",
    r"\,": " ",
    r"\dots": "...",
    "$": "",
    r"\left": "",
    r"\right": "",
    r"\middle": "",
    r"\star": "*",
    r"^\prime": "'",
    r"\nabla": "grad",
    r"\Pi": "projection",
}
_SIGN = re.compile("|".join(re.escape(sign) + r"(?![a-zA-Z])" * sign[-1].isalpha() for sign in _SIGNS))
_FRACTION = re.compile(r"\\frac(?:\{([^{}]*)\}|(\d))(?:\{([^{}]*)\}|(\d))")


def _divided(match: re.Match[str]) -> str:
    above, below = (one if re.fullmatch(r"\\?\w+", one) else f"({one})" for one in match.groups() if one is not None)
    return f"{above}/{below}"


def plain(text: str) -> str:
    """A text with formulas as plain text."""
    found = _SIGN.sub(lambda match: _SIGNS[match[0]], text)
    found = re.sub(r"\\(bar|hat) ?(\w)", r"\2_\1", found)
    found = re.sub(r"\\math\w+\{([^{}]*)\}", r"\1", found)
    found = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", found)
    while _FRACTION.search(found):
        found = _FRACTION.sub(_divided, found)
    return re.sub(r"\\([a-zA-Z]+)", r"\1", found)


def relation(text: str) -> str:
    """A formula with relations as plain text, with a space on each side of a sign of relation."""
    apart = re.sub(r"(?:\\[lg]e(?![a-zA-Z])|[<>=])(?![^{}]*\})", lambda sign: f" {sign[0]} ", text)
    return " ".join(plain(apart).split())


def times(value: Any, what: str) -> str:
    """A coefficient times something: a sum in brackets, a 1 left out."""
    text = f"({value})" if value.is_Add else str(value)
    return what if text == "1" else text if what == "1" else f"{text} * {what}"


def describe(key: Any) -> str:
    """A letter, an inner product, a value or an expectation of a normal form."""
    if key.kind == "gram":
        names = sorted(plain(letter.name) for letter in key.data)
        return f"|{names[0]}|^2" if len(names) == 1 else f"<{', '.join(names)}>"
    if key.kind == "mean":
        given = "" if key.data[1] == TOTAL else " | F_k" if key.data[1] == 0 else f" | F_{{k{key.data[1]:+d}}}"
        return f"E[{describe(key.data[0])}{given}]"
    if key.kind == "value" and isinstance(key.node, Value):
        return plain(f"{key.node.function.name}({key.node.at})")
    return plain(key.name or key.kind)
