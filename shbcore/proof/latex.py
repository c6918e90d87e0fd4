r"""Trees, relations and statements in LaTeX, set as a person would write them."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from shbcore.proof.facts import G2, N
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Field,
    Free,
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
    Tail,
    Value,
    indexed,
    known,
    of_step,
    substituted,
    walk,
)
from shbcore.proof.statement import Scope

WIDTH = 54
"""How many characters of a formula fit on a line of the book, about."""
NARROW = 26
"""How many of them fit on a narrow screen, about."""
SPARE = 4
"""How many more do no harm."""


_LATE = sp.symbols("Delta L^2 sigma^2 G^2")
"""What the paper writes last in a product."""
_ROOT = {N: sp.sqrt(sp.Symbol("K") + 1)}


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer: numbers first (but K + 1), what is subtracted last, the variance before the gradient.

    A fraction is set upright; one inside it, or in a line of words (``flat``), with a slash, so that no letter becomes tiny.
    """

    def __init__(self, flat: bool = False) -> None:
        super().__init__()
        self.flat = flat

    def _print_Mul(self, expr: Any) -> str:
        above, below = sp.fraction(expr, exact=True)
        if below == 1:
            return str(super()._print_Mul(expr))
        if expr.as_coeff_Mul()[0].is_negative:
            return f"- {self._print_Mul(-expr)}"
        if self.flat:
            return _slashed(above, str(self._print(above)), below, str(self._print(below)))
        inner = _Printer(flat=True)
        return rf"\frac{{{inner.doprint(above)}}}{{{inner.doprint(below)}}}"

    def _print_Pow(self, expr: Any) -> str:
        if self.flat and expr.exp.is_Rational and expr.exp.is_negative:
            return str(self._print_Mul(expr))
        return str(super()._print_Pow(expr))

    def _print_Rational(self, expr: Any) -> str:
        return f"{expr.p}/{expr.q}" if self.flat and expr.q != 1 else str(super()._print_Rational(expr))

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        found = re.fullmatch(r"(.+)_(\{[kK]?[+-]\d+\})", expr.name)
        stem = sp.Symbol(found[1]) if found else expr
        return str(super()._print_Symbol(stem, style)) + (f"_{found[2]}" if found else "")

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> Any:
        terms = super()._as_ordered_terms(expr, order)
        late = expr.free_symbols == {sp.Symbol("K")}
        return sorted(terms, key=lambda term: (term.could_extract_minus_sign(), term.is_number is late, term.has(G2)))


def _slashed(above: Any, over: str, below: Any, under: str) -> str:
    """A fraction in one line: a sum above and more than one factor below stand in brackets."""
    over = f"({over})" if above.is_Add else over
    return f"{over}/" + (f"({under})" if below.is_Add or below.is_Mul else under)


def _falls(value: Any) -> bool:
    """Whether what a person would write first in a sum, its constant or else its terms of least degree, is subtracted."""
    constant = value.as_coeff_Add()[0]
    if constant != 0:
        return bool(constant.is_negative)
    degree = {
        term: sum(power for base, power in term.as_powers_dict().items() if base.is_Symbol) for term in value.args
    }
    least = [term for term, found in degree.items() if found == min(degree.values())]
    return all(term.could_extract_minus_sign() for term in least)


def _turned(value: Any) -> tuple[bool, Any]:
    """Whether there is a minus, and the value without it: in -y (x - 1) the factor is turned round, to y (1 - x)."""
    parts, minus = [], False
    for part in sp.Mul.make_args(value.xreplace(_ROOT)):
        base, power = part.as_base_exp()
        if base.is_Add and _falls(base) and power.is_Integer:
            base, minus = -base, minus is not bool(power.is_odd)
        parts.append(base**power)
    whole = sp.Mul(*parts)
    if whole.as_coeff_Mul()[0].is_negative:
        whole, minus = -whole, not minus
    return minus, whole


@cache
def tex(value: Any, flat: bool = False) -> str:
    """A coefficient, with what the paper writes last in a product last; ``flat`` is for a line of words."""
    value = (sp.sympify(value) if isinstance(value, (int, sp.Basic)) else sp.Rational(value)).xreplace(_ROOT)
    minus, whole = _turned(value)
    late = [part for part in sp.Mul.make_args(whole) if part in _LATE]
    rest = whole / sp.Mul(*late)
    printer, below = _Printer(flat), sp.S.One
    if flat and late:  # a slash stands behind the whole product
        rest, below = sp.fraction(rest, exact=True)
    before = "" if late and rest == 1 else str(printer.doprint(rest))
    before = rf"\left({before}\right)" if rest.is_Add and (late or minus) else before
    text = " ".join([before, *(str(printer.doprint(part)) for part in late)]).strip()
    text = text if below == 1 else _slashed(sp.S.One, text, below, str(printer.doprint(below)))
    return ("-" if minus else "") + text.replace("^{2}", "^2")


def _steepness(value: Any) -> Any:
    """How large the coefficients of a sum are beside its constant: of 1 - x and 1 - 2 x it is the second that is negative first."""
    return max(abs(part.as_coeff_Mul()[0]) for part in value.as_coeff_Add()[1].as_ordered_terms())


def upright(value: Any) -> str:
    """A coefficient that is known not to be negative: factors are turned round so that no minus stands before it."""
    text, whole = tex(value), sp.sympify(value).xreplace(_ROOT)
    if text[0] != "-":
        return text
    if whole.as_coeff_Mul()[0].is_negative:
        sums = [part for part in sp.Mul.make_args(whole) if part.is_Add]
        mixed = [part for part in sums if any(term.could_extract_minus_sign() for term in part.args)]
        steepest = max(mixed, key=_steepness, default=sp.S.One)
        turned = next((part for part in mixed if _falls(part)), steepest)
        whole = (-whole / turned) * (-turned)
    return str(_Printer().doprint(whole)).replace("^{2}", "^2")


def field_name(given: Field) -> str:
    """The name of a field."""
    return rf"\mathcal{{F}}_{{k{given:+d}}}" if given else r"\mathcal{F}_k"


def expectation(inner: str, given: Field) -> str:
    """The expectation of a formula given a field; of a single norm without brackets, if nothing is given."""
    if given == TOTAL and re.fullmatch(r"\\\|[^|]*\\\|\^2|[A-Z](_\w|_\{[^{}]*\})?", inner):
        return rf"\mathbb{{E}}{inner}" if inner[0] == "\\" else rf"\mathbb{{E}}[{inner}]"
    bar = "" if given == TOTAL else rf"\,\middle|\,{field_name(given)}"
    return rf"\mathbb{{E}}\left[{inner}{bar}\right]"


TALL = 30
"""About how many characters, with a fraction among them, may stand between bars as high as they are; longer norms may have to be broken."""


def node(tree: Node) -> str:
    """A tree as it was written."""
    if isinstance(tree, (Letter, Named, Quantity)):
        return tree.name
    if isinstance(tree, Number):
        return tex(tree.value)
    if isinstance(tree, (Sum, Scaled)):
        return _joined(_summands(tree))
    if isinstance(tree, Inner):
        if tree.left is tree.right or tree.left == tree.right:
            left = _vector(tree.left, squared=True)
            tall = r"\frac" in left and fits(left, TALL)
            return rf"\left\|{left}\right\|^2" if tall else rf"\|{left}\|^2"
        return rf"\langle {_vector(tree.left)},{_vector(tree.right)}\rangle"
    if isinstance(tree, Value):
        return f"{tree.function.name}({node(tree.at)})"
    if isinstance(tree, Mean):
        return node(tree.of) if isinstance(tree.of, Number) else expectation(node(tree.of), tree.given)
    if isinstance(tree, Series):
        times, of = (tree.of.times, tree.of.of) if isinstance(tree.of, Scaled) else (sp.S.One, tree.of)
        inner = node(of) if isinstance(of, Number) else expectation(node(of), TOTAL)
        if isinstance(of, Number) and _width(inner) > NARROW and (parts := _apart(of.value)):
            inner = parts
        elif isinstance(of, Number) and (inner.startswith("-") or of.value.xreplace(_ROOT).is_Add):
            inner = rf"\left({inner}\right)"
        share = "" if times == 1 else rf"\left({tex(times)}\right)" if times.is_Add else rf"{tex(times)}\,"
        share = rf"\left({tex(times)}\right)" if share.startswith("-") else share
        inner = inner.replace(r"\mathcal{F}", r"\mathcal F")  # its k is the one of the sum
        return rf"\sum_{{k={tree.first}}}^{{{tree.last}}}{share}{inner}"
    if isinstance(tree, Tail):
        inner = _joined(_summands(tree.of))
        inner = rf"\left({inner}\right)" if len(_summands(tree.of)) > 1 or inner.startswith("-") else inner
        before = {
            "lim": r"\lim_{k\to\infty}",
            "liminf": r"\liminf_{k\to\infty}",
            "rest": r"\lim_{K\to\infty}\sum_{k\ge K}",
        }
        if tree.what == "spread":
            return rf"\limsup_{{k\to\infty}}{inner}-\liminf_{{k\to\infty}}{inner}"
        return before[tree.what] + inner
    if isinstance(tree, RandomIndex):
        moved = re.sub(r"_\{k([+-]\d+)?\}", r"_{k^*\1}", node(tree.of))
        return expectation(moved.replace("_k", "_{k^*}"), TOTAL)
    raise TypeError(f"{type(tree).__name__} is no part of the language")


def _apart(value: Any) -> str:
    """A wide fraction as a product, its sum in a bracket of its own that a narrow screen can break; nothing where there is none."""
    above, below = sp.fraction(value.xreplace(_ROOT))
    late = [part for part in sp.Mul.make_args(above) if part in _LATE]
    factors = sp.Mul.make_args(sp.factor_terms(above / sp.Mul(*late)))
    widest = max((part for part in factors if part.is_Add), key=lambda part: len(str(part)), default=None)
    if widest is None:
        return ""
    rest = sp.Mul(*(part for part in factors if part is not widest)) / below
    return " ".join([tex(rest), rf"\left({tex(widest)}\right)", *(tex(part) for part in late)])


def _summands(tree: Node) -> list[tuple[str, str]]:
    """The summands of a tree, each with its sign; a number is its own mean."""
    if isinstance(tree, Sum):
        return [pair for part in tree.parts for pair in _summands(part)] or [("+", "0")]
    if isinstance(tree, Mean) and isinstance(tree.of, Number):
        return _summands(tree.of)
    if isinstance(tree, Scaled):
        of = tree.of.of if isinstance(tree.of, Mean) and isinstance(tree.of.of, Number) else tree.of
        if tree.times == 0 or _vanishes(of):
            return []
        if isinstance(of, Number):
            return _summands(Number(tree.times * of.value))
        if isinstance(of, Scaled):
            return _summands(Scaled(tree.times * of.times, of.of))
        if isinstance(of, Inner) and of.left != of.right and isinstance(of.left, Scaled) and of.left.times == -1:
            return _summands(Scaled(-tree.times, Inner(of.left.of, of.right)))  # a minus in a product stands before it
        sign, times = _signed(tree.times)
        inner = node(of)
        if isinstance(of, Sum) and (len(of.parts) > 1 or inner.startswith("-")):
            if times == 1:
                return [pair for part in of.parts for pair in _summands(Scaled(sp.Integer(f"{sign}1"), part))]
            inner = rf"\left({inner}\right)"
        text = "" if times == 1 else rf"\left({tex(times)}\right)" if times.is_Add else tex(times)
        return [(sign, f"{text} {inner}".strip())]
    if isinstance(tree, Inner) and tree.left != tree.right and isinstance(tree.left, Scaled) and tree.left.times == -1:
        return _summands(Scaled(sp.S.NegativeOne, Inner(tree.left.of, tree.right)))
    if isinstance(tree, Number):
        sign, times = _signed(tree.value)
        return [(sign, rf"\left({tex(times)}\right)" if sign == "-" and times.is_Add else tex(times))]
    return [("+", node(tree))]


def _vector(tree: Node, squared: bool = False) -> str:
    """A vector in a product: what is added and subtracted again is left out; in a square it does not begin with a minus."""
    pairs = _summands(tree) if isinstance(tree, (Sum, Scaled)) else []
    for sign, text in list(pairs):
        if sign == "+" and ("-", text) in pairs:
            pairs.remove(("+", text))
            pairs.remove(("-", text))
    for pair in dict.fromkeys(pairs):
        if pairs.count(pair) == 2 and not re.match(r"\d|\\frac|\\left", pair[1]):  # a letter, twice
            first = pairs.index(pair)
            pairs = [one for one in pairs if one != pair]
            pairs.insert(first, (pair[0], f"2 {pair[1]}"))
    if squared and pairs and pairs[0][0] == "-":
        pairs = [("+" if sign == "-" else "-", text) for sign, text in pairs]
    leading = next((pair for pair in pairs if pair[0] == "+"), None)
    if leading and pairs[0][0] == "-":  # in a product too, if something is added at all
        pairs = [leading, *(pair for pair in pairs if pair is not leading)]
    return _joined(pairs) if pairs else node(tree)


def _vanishes(tree: Node) -> bool:
    """Whether a square is that of a vector minus itself."""
    of = tree.left if isinstance(tree, Inner) and tree.left == tree.right else None
    return isinstance(of, Sum) and len(of.parts) == 2 and of.parts[1] == Scaled(sp.S.NegativeOne, of.parts[0])


def _signed(value: Any) -> tuple[str, Any]:
    minus, whole = _turned(value)
    return ("-" if minus else "+"), whole


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
                found.append(
                    (sign, rf"{text}\,{expectation(node(of), given)}" if text else expectation(node(of), given))
                )
                under.clear()
                return
        if under:
            pairs = [pair for part in under for pair in _summands(part)]
            minus = all(sign == "-" for sign, _ in pairs)
            inner = _joined(("+", text) for _, text in pairs) if minus else _joined(pairs)
            found.append(("-" if minus else "+", expectation(inner, given)))
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


def _written(rel: Relation) -> tuple[Node, str, Node]:
    """The sides in the order in which they were written, and the sign between them."""
    turned = rel.turned and rel.sense == "<="
    return (rel.right, r"\ge", rel.left) if turned else (rel.left, SENSE[rel.sense], rel.right)


_STEP = re.compile(r"_k(?![a-zA-Z])|_\{k([+-]\d+)\}")


def _last(rel: Relation, scope: Scope | None = None) -> Relation:
    """The relation with its letters of a step called by the last index, where it speaks of all steps: V_{K+1}, or V_K in a short run."""
    sums = [one for side in (rel.left, rel.right) for one in walk(side) if isinstance(one, (Series, RandomIndex))]
    if not sums and scope not in (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY, Scope.SHORT_RUN):
        return rel
    short = any(one.last == "K-1" if isinstance(one, Series) else one.shifted for one in sums)
    short = short if scope is None else scope is Scope.SHORT_RUN

    def late(value: Any) -> Any:
        """Parameters of a step, called by the last index."""
        found = {one: of_step(one) for one in value.free_symbols}
        names = {one: at[0] + indexed("", at[1] + (not short)).replace("k", "K") for one, at in found.items() if at}
        return value.xreplace({one: sp.Symbol(name) for one, name in names.items()})

    def move(one: Node) -> Node | None:
        if isinstance(one, Scaled):
            return Scaled(late(one.times), substituted(one.of, move))
        if isinstance(one, Number):
            return Number(late(one.value))
        if not isinstance(one, (Letter, Named)):
            return None
        name = _STEP.sub(lambda at: indexed("", int(at[1] or 0) + (not short)).replace("k", "K"), one.name)
        return Named(name, one) if name != one.name else None

    return rel.map(lambda side: substituted(side, move))


_FIELD = re.compile(r"(?<=\\mathcal\{F\})(_k|_\{k([+-]\d+)\})")


def fields(text: str, scope: Scope | None) -> str:
    """Fields by the last index in a statement about a run, and by number in one about the first step."""
    late = {Scope.RUN: 1, Scope.RUN_PRINTED: 1, Scope.RUN_ANY: 1, Scope.SHORT_RUN: 0}
    first = scope in (Scope.FIRST, Scope.FIRST_ANY, Scope.FIRST_REPAIRED) and not _STEP.search(_FIELD.sub("", text))
    if scope not in late and not first:
        return text
    by = 0 if scope is None else late.get(scope, 0)
    return _FIELD.sub(lambda at: indexed("", int(at[2] or 0) + by, first).replace("k", "K"), text)


def _vectors(rel: Relation, given: Field) -> tuple[Relation, Field]:
    """An equality of inner products with any vector as one of vectors; one between vectors is made path by path."""
    if rel.left.vector:
        return rel, PATHWISE
    left, right = rel.left, rel.right
    if rel.sense == "==" and isinstance(left, Inner) and isinstance(right, Inner) and left.right == right.right:
        along = left.right
        free = isinstance(along, Free) and along.known == TOTAL and not along.inside
        if free and along not in {*walk(left.left), *walk(right.left)}:
            return Relation(left.left, right.left, "=="), given
    return rel, given


def relation(rel: Relation, given: Field = PATHWISE, scope: Scope | None = None) -> str:
    """A relation in one line; in a statement about a run the letters of a step are those of the last one."""
    rel, given = _vectors(_last(rel, scope), given)
    left, sense, right = _written(rel)
    return fields(f"{_joined(_side(left, given))}{sense} {_joined(_side(right, given))}", scope)


def _width(text: str) -> int:
    """About how many characters a formula is wide."""
    text = re.sub(r"\\(left|right|middle|mathcal|mathbb|mathrm|tfrac|bar|hat|,|langle|rangle|\|)", "", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: max(m[1], m[2], key=len), text)
    text = re.sub(r"\\[a-zA-Z]+", "a", text)
    return len(re.sub(r"[{}_^\s]", "", text))


def fits(text: str, width: int) -> bool:
    """Whether a formula is at most about so many characters wide."""
    return _width(text) <= width


_MARK = re.compile(r"\\left|\\right|\\middle|[{}+-]")


def _opened(text: str, width: int) -> list[str]:
    """A summand that is too wide, in rows: the bracket at its end is opened, and broken between what is added in it."""
    marks = [(found.group(), found.start()) for found in _MARK.finditer(text)]
    depth, braces, start = 0, 0, len(text)
    cuts: list[int] = []
    for mark, at in marks:
        braces += (mark == "{") - (mark == "}")
        if mark == r"\left" and not braces:
            start, cuts = (at, []) if depth == 0 else (start, cuts)
            depth += 1
        elif mark == r"\right" and not braces:
            depth -= 1
        elif mark in "+-" and depth == 1 and not braces:
            cuts.append(at)
    sign = len(r"\left(")
    if not re.fullmatch(r"\\right[)\]]", text[-sign - 1 :]):
        return [text]
    inner = text[start + sign : -sign - 1]
    cuts = [at - start - sign for at in cuts if at > start + sign]
    pieces = [inner[a:b] for a, b in pairwise([0, *cuts, len(inner)])]
    rows = [rf"{text[:start]}\biggl{text[start + 5]}{pieces[0]}"]
    for piece in pieces[1:]:
        if _width(rows[-1] + piece) > width:
            rows.append("")
        rows[-1] += piece
    rows[-1] += rf"\biggr{text[-1]}"
    return [row.replace(r"\middle|", r"\bigg|") if i == len(rows) - 1 else row for i, row in enumerate(rows)]


def display(rel: Relation, given: Field = PATHWISE, width: int = WIDTH, scope: Scope | None = None) -> str:
    """A relation as a displayed formula, broken before its sign and between its summands where it is long."""
    one = relation(rel, given, scope)
    if _width(one) <= width:
        return one
    rel, given = _vectors(_last(rel, scope), given)
    lines: list[str] = []
    left, sense, right = _written(rel)
    for lead, side in (("&", left), (rf"&\quad{sense} ", right)):
        row = lead
        for i, (sign, text) in enumerate(_side(side, given)):
            summand = text if i == 0 and sign == "+" else sign + text
            if i and _width(row + summand) > width:
                lines.append(row)
                row = r"&\qquad " if side is right else r"&\quad "
            row += summand
            if _width(row) > width + SPARE and len(parts := _opened(row, width)) > 1:
                lines += [parts[0], *(rf"&\qquad\qquad {part}" for part in parts[1:-1])]
                row = rf"&\qquad\qquad {parts[-1]}"
        lines.append(row)
    rows = fields("\\\\\n".join(lines), scope)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


_SIGN = re.compile(r"\\left|\\right|[{}()\[\]]|\\[lg]eq?(?![a-zA-Z])|[=<>+-]")


def broken(text: str, width: int = WIDTH) -> str:
    """A formula in words that is too wide for them, in rows: broken before its signs and between its summands."""
    if _width(text) <= width:
        return text
    depth, cuts = 0, [0]
    for found in _SIGN.finditer(text):
        sign, at = found.group(), found.start()
        depth += (sign in ("\\left", "{", "(", "[")) - (sign in ("\\right", "}", ")", "]"))
        opens = not text[:at].strip() or text[:at].rstrip()[-1:] in "^_=<>&" or re.search(r"\\[a-z]+ ?$", text[:at])
        if depth == 0 and sign not in ("\\left", "\\right", *"{}()[]") and not opens:
            cuts.append(at)
    pieces = [text[a:b] for a, b in pairwise([*cuts, len(text)])]
    rows = [f"&{pieces[0]}"]
    for piece in pieces[1:]:
        relation = piece[0] not in "+-"
        if relation or _width(rows[-1] + piece) > width:
            rows.append(rf"&{chr(92)}quad {piece}" if relation else rf"&{chr(92)}qquad {piece}")
        else:
            rows[-1] += piece
    split = "\\\\\n".join(rows)
    return f"\\begin{{aligned}}\n{split}\n\\end{{aligned}}" if len(rows) > 1 else text
