r"""Trees, relations and statements in LaTeX, set as a person would write them."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from shbcore.proof.domain import Definition, Domain, Range
from shbcore.proof.facts import N, alpha, beta
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Field,
    Inner,
    Letter,
    Mean,
    Named,
    Node,
    Number,
    Quantity,
    RandomIndex,
    Relation,
    Scaled,
    Series,
    Sum,
    Value,
    indexed,
    known,
    substituted,
    walk,
)
from shbcore.proof.statement import Scope, Statement

WIDTH = 66
"""How many characters of a formula fit on a line of the book, about."""


_LATE = sp.symbols("Delta L^2 sigma^2 G^2")
"""What the paper writes last in a product."""
_ROOT = {N: sp.sqrt(sp.Symbol("K") + 1)}


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer, with what is subtracted last: 1 - x, not -x + 1."""

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> Any:
        return sorted(super()._as_ordered_terms(expr, order), key=lambda term: term.could_extract_minus_sign())


def _falls(value: Any) -> bool:
    """Whether what a person would write first in a sum, its constant or else its one term of least degree, is subtracted."""
    constant = value.as_coeff_Add()[0]
    if constant != 0:
        return bool(constant.is_negative)
    degree = {term: sum(power for base, power in term.as_powers_dict().items() if base.is_Symbol) for term in value.args}
    least = [term for term, found in degree.items() if found == min(degree.values())]
    return len(least) == 1 and bool(least[0].could_extract_minus_sign())


def _turned(value: Any) -> tuple[int, Any]:
    """A sign, and the value without it: in -y (x - 1) the factor is turned round, to y (1 - x)."""
    parts, sign = [], 1
    for part in sp.Mul.make_args(value):
        base, power = part.as_base_exp()
        if base.is_Add and _falls(base) and power.is_Integer:
            base, sign = -base, sign * (-1) ** int(power)
        parts.append(base**power)
    whole = sp.Mul(*parts)
    if whole.as_coeff_Mul()[0].is_negative:
        whole, sign = -whole, -sign
    return sign, whole


@cache
def tex(value: Any) -> str:
    """A coefficient, with what the paper writes last in a product last."""
    value = (sp.sympify(value) if isinstance(value, (int, sp.Basic)) else sp.Rational(value)).xreplace(_ROOT)
    sign, whole = _turned(value)
    late = [part for part in sp.Mul.make_args(whole) if part in _LATE]
    rest = whole / sp.Mul(*late)
    before = "" if late and rest == 1 else str(_Printer().doprint(rest))
    before = rf"\left({before}\right)" if rest.is_Add and (late or sign < 0) else before
    text = " ".join([before, *(str(_Printer().doprint(part)) for part in late)]).strip()
    return ("-" if sign < 0 else "") + text.replace("^{2}", "^2")


def field_name(given: Field) -> str:
    """The name of a field."""
    return rf"\mathcal{{F}}_{{k{given:+d}}}" if given else r"\mathcal{F}_k"


def expectation(inner: str, given: Field) -> str:
    """The expectation of a formula given a field; of a single norm without brackets, if nothing is given."""
    if given == TOTAL and re.fullmatch(r"\\\|[^|]*\\\|\^2|[A-Z](_\w|_\{[^{}]*\})?", inner):
        return rf"\mathbb{{E}}{inner}" if inner[0] == "\\" else rf"\mathbb{{E}}[{inner}]"
    bar = "" if given == TOTAL else rf"\,\middle|\,{field_name(given)}"
    return rf"\mathbb{{E}}\left[{inner}{bar}\right]"


def node(tree: Node) -> str:
    """A tree as it was written."""
    if isinstance(tree, (Letter, Named, Quantity)):
        return tree.name
    if isinstance(tree, Number):
        return tex(tree.value)
    if isinstance(tree, (Sum, Scaled)):
        return _joined(_summands(tree))
    if isinstance(tree, Inner):
        left = node(tree.left)
        return rf"\|{left}\|^2" if tree.left is tree.right or tree.left == tree.right else rf"\langle {left},{node(tree.right)}\rangle"
    if isinstance(tree, Value):
        return f"{tree.function.name}({node(tree.at)})"
    if isinstance(tree, Mean):
        return expectation(node(tree.of), tree.given)
    if isinstance(tree, Series):
        return rf"\sum_{{k={tree.first}}}^{{{tree.last}}}{expectation(node(tree.of), TOTAL)}"
    if isinstance(tree, RandomIndex):
        return expectation(node(tree.of).replace("_k", "_{k^*}"), TOTAL)
    raise TypeError(f"{type(tree).__name__} is no part of the language")


def _summands(tree: Node) -> list[tuple[str, str]]:
    """The summands of a tree, each with its sign."""
    if isinstance(tree, Sum):
        return [pair for part in tree.parts for pair in _summands(part)] or [("+", "0")]
    if isinstance(tree, Scaled):
        if tree.times == 0:
            return []
        sign, times = _signed(tree.times)
        inner = node(tree.of)
        if isinstance(tree.of, Sum) and len(tree.of.parts) > 1:
            if times == 1:
                turn = {"+": "-", "-": "+"} if sign == "-" else {"+": "+", "-": "-"}
                return [(turn[s], text) for s, text in _summands(tree.of)]
            inner = rf"\left({inner}\right)"
        text = "" if times == 1 else rf"\left({tex(times)}\right)" if times.is_Add else tex(times)
        return [(sign, f"{text} {inner}".strip())]
    if isinstance(tree, Number):
        sign, times = _signed(tree.value)
        return [(sign, rf"\left({tex(times)}\right)" if sign == "-" and times.is_Add else tex(times))]
    return [("+", node(tree))]


def _signed(value: Any) -> tuple[str, Any]:
    sign, whole = _turned(value)
    return ("-" if sign < 0 else "+"), whole


def _joined(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(sign + text for sign, text in pairs).removeprefix("+") or "0"


def _side(tree: Node, given: Field) -> list[tuple[str, str]]:
    """The summands of a side in expectation: what the field knows stands outside, the rest together under one expectation."""
    parts = tree.parts if isinstance(tree, Sum) else (tree,)
    found: list[tuple[str, str]] = []
    under: list[Node] = []

    def flush() -> None:
        if len(under) == 1:
            (part,) = under
            times, of = (part.times, part.of) if isinstance(part, Scaled) else (sp.S.One, part)
            if not isinstance(of, Sum):
                sign, value = _signed(times)
                text = "" if value == 1 else rf"\left({tex(value)}\right)" if value.is_Add else tex(value)
                found.append((sign, rf"{text}\,{expectation(node(of), given)}" if text else expectation(node(of), given)))
                under.clear()
                return
        if under:
            found.append(("+", expectation(_joined(pair for part in under for pair in _summands(part)), given)))
            under.clear()

    for part in parts:
        if given == PATHWISE or known(part) <= given:
            flush()
            found += _summands(part)
        else:
            under.append(part)
    flush()
    return found


SENSE = {"<=": r"\le", "==": "="}


def _last(rel: Relation) -> Relation:
    """The relation with its letters of a step called by the last index, where it speaks of all steps: V_{K+1}, or V_K in a short run."""
    sums = [one for side in (rel.left, rel.right) for one in walk(side) if isinstance(one, (Series, RandomIndex))]
    if not sums:
        return rel
    short = any(one.last == "K-1" if isinstance(one, Series) else one.shifted for one in sums)

    def move(one: Node) -> Node | None:
        if not isinstance(one, (Letter, Named)) or getattr(one, "first", False):
            return None
        for index in (-1, 0, 1):
            if indexed("", index) in one.name:
                after = index + (not short)
                last = f"_{{K{after:+d}}}" if after else "_K"
                return Named(one.name.replace(indexed("", index), last), one)
        return None

    return rel.map(lambda side: substituted(side, move))


def relation(rel: Relation, given: Field = PATHWISE) -> str:
    """A relation in one line."""
    rel = _last(rel)
    if rel.left.vector:
        given = PATHWISE
    return f"{_joined(_side(rel.left, given))}{SENSE[rel.sense]} {_joined(_side(rel.right, given))}"


def _width(text: str) -> int:
    """About how many characters a formula is wide."""
    text = re.sub(r"\\(left|right|middle|mathcal|mathbb|mathrm|tfrac|bar|hat|,|langle|rangle|\|)", "", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: max(m[1], m[2], key=len), text)
    text = re.sub(r"\\[a-zA-Z]+", "a", text)
    return len(re.sub(r"[{}_^\s]", "", text))


def display(rel: Relation, given: Field = PATHWISE, width: int = WIDTH) -> str:
    """A relation as a displayed formula, broken before its sign and between its summands where it is long."""
    one, rel = relation(rel, given), _last(rel)
    if _width(one) <= width:
        return one
    given = PATHWISE if rel.left.vector else given
    lines: list[str] = []
    for lead, side in (("&", rel.left), (rf"&\quad{SENSE[rel.sense]} ", rel.right)):
        row = lead
        for i, (sign, text) in enumerate(_side(side, given)):
            summand = text if i == 0 and sign == "+" else sign + text
            if i and _width(row + summand) > width:
                lines.append(row)
                row = r"&\qquad " if side is rel.right else r"&\quad "
            row += summand
        lines.append(row)
    rows = "\\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


def entry(one: Range | Definition) -> str:
    """A range or a definition."""
    if one.symbol == N and isinstance(one, Range) and one.lower == 1:
        return r"K\ge 0"
    name = tex(one.symbol)
    if isinstance(one, Definition):
        return f"{name}={tex(one.formula)}"
    name = f"{name}^{{-1}}" if one.inverse else name
    if one.upper is not None:
        return rf"{name}\in({tex(one.lower)},{tex(one.upper)}]"
    sign = ">" if one.strict else r"\ge "
    return f"{name}{sign}{tex(one.lower)}"


def symbols(statement: Statement) -> set[Any]:
    """The parameters that a statement mentions; a statement about a run speaks of the stepsize and of the momentum."""
    found: set[Any] = set()
    nodes = [one for side in (statement.relation.left, statement.relation.right) for one in walk(side)]
    sums = [one for one in nodes if isinstance(one, (Series, RandomIndex))]
    for one in (*nodes, *(part for total in sums for part in walk(total.of))):
        found |= getattr(one, "times", sp.S.Zero).free_symbols | getattr(one, "value", sp.S.Zero).free_symbols
    for one in statement.domain.definitions:  # a parameter of an assumption that is fixed, such as rho = 0 for convex functions
        name = rf"(?<![A-Za-z\\]){re.escape(tex(one.symbol))}(?![A-Za-z])"
        found |= {one.symbol} if any(re.search(name, text) for part in statement.assumes for text in part.name.split("$")[1::2]) else set()
    return found | ({alpha, beta} if sums else set())


def domain(where: Domain, of: set[Any] | None = None) -> str:
    """The ranges and definitions, of some parameters only if these are given: for all ..., where ..."""
    chosen = where.entries if of is None else where.about(of)
    ranges = ", ".join(f"${entry(one)}$" for one in chosen if isinstance(one, Range))
    meanings = ", ".join(f"${entry(one)}$" for one in chosen if isinstance(one, Definition))
    return ", ".join([*([f"for all {ranges}"] if ranges else []), *([f"where {meanings}"] if meanings else [])])


def assumptions(of: Iterable[Foundation]) -> str:
    """What is assumed, in words."""
    return ", ".join(one.name for one in of)


def setting(statement: Statement) -> str:
    """Everything that a statement says before its formula: assumptions, steps, start."""
    parts = [f"Assume {assumptions(statement.assumes)}."] if statement.assumes else []
    scope = statement.scope.value if statement.scope is not Scope.INHERITED else ""
    return " ".join([*parts, scope[:1].upper() + scope[1:]]).strip()


def sentence(statement: Statement) -> str:
    """The whole statement in one paragraph, with formulas between dollars."""
    where = domain(statement.domain, symbols(statement))
    head = setting(statement)
    head = f"{head}: " if head and not head.endswith(".") else f"{head} " if head else ""
    return f"{head}${relation(statement.relation, statement.given)}$" + (f", {where}." if where else ".")
