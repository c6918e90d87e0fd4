r"""What a statement says around its formula, in words: what is assumed, for which steps and points, which ranges, which letters."""

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Definition, Domain, Range, at_least, moved_entry, positive
from shbcore.proof.facts import G2, L2, SETTING, L_c, L_h, N, alpha, beta, sigma2
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Free,
    Letter,
    Node,
    Proximal,
    RandomIndex,
    Series,
    Slope,
    Tail,
    Value,
    of_step,
    walk,
)
from shbcore.proof.latex import field_name, fields, relation, tex
from shbcore.proof.statement import Scope, Statement

_FIRST = re.compile(r"(.+)_(?:\d|\{-?\d+\})")


def _counted(one: Range | Definition) -> bool:
    """Whether it is a range of the root of K + 1 by numbers: then it is said which K it leaves."""
    if one.symbol != N or not isinstance(one, Range) or one.inverse:
        return False
    return bool(one.lower.is_Rational and (one.upper is None or one.upper.is_Rational))


def steps(root: Range) -> str:
    r"""The integers K that a range of the root of K + 1 leaves."""
    after = bool(root.strict or root.upper is not None)
    least = (sp.floor(root.lower**2) if after else sp.ceiling(root.lower**2) - 1) if root.lower > 0 else 0
    most = None if root.upper is None else sp.floor(root.upper**2) - 1
    return rf"K\ge {least}" if most is None else rf"{least}\le K\le {most}"


def entry(one: Range | Definition) -> str:
    """A range or a definition."""
    if _counted(one):
        return steps(one)  # type: ignore[arg-type]
    name = tex(one.symbol)
    if isinstance(one, Definition):
        return f"{name}={tex(one.formula, flat=True)}"
    name = f"{name}^{{-1}}" if one.inverse else name
    if one.upper is not None:
        return rf"{name}\in({tex(one.lower, flat=True)},{tex(one.upper, flat=True)}]"
    sign = ">" if one.strict else r"\ge "
    root = re.fullmatch(r"\\sqrt\{(\w)(\+1)?\}", name)
    if root and one.lower in (0, 1):  # said of the number, not of its root
        return f"{root[1]}{sign}{one.lower - bool(root[2])}"
    return f"{name}{sign}{tex(one.lower, flat=True)}"


def _nodes(statement: Statement) -> list[Node]:
    """All trees in a statement, those in a sum too."""
    found = [one for side in (statement.relation.left, statement.relation.right) for one in walk(side)]
    for one in found:  # it grows
        if isinstance(one, (Series, RandomIndex, Tail)):
            found += walk(one.of)
    return found


def symbols(statement: Statement) -> set[Any]:
    """The parameters that a statement mentions; a statement about a run speaks of the stepsize and of the momentum."""
    found: set[Any] = set()
    nodes = _nodes(statement)
    sums = [one for one in nodes if isinstance(one, (Series, RandomIndex, Tail))]
    for one in nodes:
        found |= getattr(one, "times", sp.S.Zero).free_symbols | getattr(one, "value", sp.S.Zero).free_symbols
        of = getattr(one, "envelope", None) or getattr(getattr(one, "function", None), "envelope", None)
        found |= sp.sympify(of).free_symbols if of is not None else set()
    from shbcore.proof.letters import ADMISSIBLE

    # A parameter of the setting that is restricted more than usual is always named: rho = 0 for convex functions.
    usual = {*ADMISSIBLE.entries, at_least(N, 1), positive(L_h), positive(L_c)}
    for said in statement.domain.entries:
        if said.symbol in SETTING and not usual.issuperset(statement.domain.about({said.symbol})):
            found.add(said.symbol)
    # The class of schedules: what is said of the members, and of a first one (a repetition is not printed).
    stems = {at[0] for one in statement.domain.ranges if (at := of_step(one.symbol))} | {"alpha"}
    for said in statement.domain.entries:
        at, first = of_step(said.symbol), _FIRST.fullmatch(said.symbol.name)
        if (at is not None and at[0] in stems) or (first is not None and first[1] in stems):
            found.add(said.symbol)
    return found | ({alpha, beta} if sums else set())


def of_schedule(symbol: Any, where: Domain) -> bool:
    """Whether a symbol is a member of a sequence that a domain speaks of, such as a stepsize of a schedule."""
    stems = {at[0] for one in where.entries if (at := of_step(one.symbol))}
    first = _FIRST.fullmatch(symbol.name)
    return of_step(symbol) is not None or (first is not None and first[1] in stems)


def _repeats(one: Range | Definition, among: Iterable[Range | Definition]) -> bool:
    """Whether an entry says of another step what an entry of step k, or of one nearer to it, says already."""
    at = of_step(one.symbol)
    for other in among:
        step = of_step(other.symbol)
        if step is None:
            continue
        if at is None and any(moved_entry(other, by, first=True) == one for by in (0, 1)):
            return True
        nearer = at is not None and at[0] == step[0] and abs(step[1]) < abs(at[1])
        if nearer and at is not None and moved_entry(other, at[1] - step[1]) == one:
            return True
    return False


SQUARES = tuple(at_least(one, 0) for one in (L2, sigma2, G2))
"""What the name of a letter says already: a square is not negative."""


def entries(statement: Statement) -> tuple[Range | Definition, ...]:
    """The ranges and definitions that a statement names: those of the parameters in it; its steps are named before the formula."""
    chosen = statement.domain.about(symbols(statement))
    steps = "$K" in statement.scope.value
    named = {one for one in chosen if (steps and _counted(one)) or one in SQUARES}
    return tuple(one for one in chosen if one not in named and not _repeats(one, chosen))


def ranges(chosen: Iterable[Range | Definition]) -> str:
    """Ranges and definitions in words: for all ..., where ..."""
    chosen = tuple(chosen)
    free = ", ".join(f"${entry(one)}$" for one in chosen if isinstance(one, Range))
    meanings = ", ".join(f"${entry(one)}$" for one in chosen if isinstance(one, Definition))
    return ", ".join([*([f"for all {free}"] if free else []), *([f"where {meanings}"] if meanings else [])])


def let(chosen: Iterable[Range | Definition]) -> str:
    """Ranges and definitions as sentences, before a formula."""
    chosen = tuple(chosen)
    free = [f"${entry(one)}$" for one in chosen if isinstance(one, Range)]
    meanings = [f"${entry(one)}$" for one in chosen if isinstance(one, Definition)]
    return " ".join(f"{verb} {', '.join(some)}." for verb, some in (("Let", free), ("Write", meanings)) if some)


def assumptions(of: Iterable[Foundation]) -> str:
    """What is assumed, in words; smooth on the set is smooth everywhere, where the set is the whole space."""
    found = list(of)
    if on.WHOLE_SPACE in found:
        found = [on.SMOOTH_EVERYWHERE if one == on.SMOOTH else one for one in found]
    return ", ".join(one.name for one in found)


def _where(statement: Statement) -> str:
    r"""Where the points of a statement lie: in the set, or anywhere if nothing else in the statement depends on the set.

    What holds for the points of every closed convex set holds for all points at which :math:`f` is finite, and for the others there is
    nothing to show.  So it is with Lemma 1, and with the envelope of :math:`f` alone, which is an infimum over the whole space.
    """
    if on.WHOLE_SPACE in statement.assumes:
        return r"\mathbb{R}^n"
    everywhere = {on.WEAKLY_CONVEX, on.SMOOTH_EVERYWHERE}
    nodes = _nodes(statement)
    bound = statement.scope is not Scope.ANY or not everywhere.issuperset(statement.assumes)
    bound |= not any(isinstance(one, (Value, Slope)) for one in nodes)  # about the set alone
    for one in nodes:
        if isinstance(
            one, Slope
        ):  # a gradient is that of a function which is smooth on the set, if nothing else is said
            bound |= one.function.slope_name.startswith(r"\nabla") and on.SMOOTH_EVERYWHERE not in statement.assumes
        elif isinstance(one, Proximal):
            bound |= not one.name.startswith(rf"\mathrm{{prox}}_{{\lambda {one.function.name}}}")
        elif isinstance(one, Value):
            bound |= one.function.role == "envelope" and one.function.name != r"f_\lambda"
        else:
            bound |= isinstance(one, Letter) and not isinstance(one, Free)
    return r"\mathcal{X}" if bound else r"\mathbb{R}^n"


def setting(statement: Statement, *, assumed: bool = True, steps_too: bool = True) -> str:
    """Everything that a statement says before its formula: what is ``assumed``, steps and start (``steps_too``), where its points lie."""
    parts = [f"Assume {assumptions(statement.assumes)}."] if assumed and statement.assumes else []
    scope = statement.scope.value if steps_too and statement.scope is not Scope.INHERITED else ""
    for one in statement.domain.ranges:
        if _counted(one) and (one.lower != 1 or one.strict or one.upper is not None):
            scope = scope.replace(r"$K\ge0$", f"${steps(one)}$")
    parts.append(scope[:1].upper() + scope[1:])
    found = {one.name: one for one in _nodes(statement) if isinstance(one, Free)}
    inside = sorted(f"${one.name}$" for one in found.values() if one.inside)
    if inside:
        every = f"or every {', '.join(inside)} in ${_where(statement)}$"
        parts[-1] += f", f{every}" if scope else f"F{every}"
    bound = {one for total in _nodes(statement) if isinstance(total, (Series, RandomIndex)) for one in walk(total.of)}
    when = [
        f"${one.name}$ is known at ${fields(field_name(one.known), None if one in bound else statement.scope)}$"
        for one in found.values()
        if one.known not in (TOTAL, PATHWISE)
    ]
    said, known = " ".join(part for part in parts if part).strip(), ", ".join(when)
    return f"{said}, where {known}" if known and said[-1:] not in ("", ".") else f"{said} {known}".strip()


def index(statement: Statement) -> str:
    """The law of the random index, where a statement has one."""
    sides = (statement.relation.left, statement.relation.right)
    found = {one.shifted for side in sides for one in walk(side) if isinstance(one, RandomIndex)}
    if not found:
        return ""
    steps, more = (r"-1,\dots,K-1", r"; $\bar x_{-1}$ means $\bar x_0$") if True in found else (r"0,\dots,K", "")
    return rf"with $k^*$ uniform on $\{{{steps}\}}$, independent of the samples{more}"


def where(statement: Statement) -> str:
    """Everything that a statement says after its formula: ranges, definitions, the law of the random index."""
    return ", ".join(part for part in (ranges(entries(statement)), index(statement)) if part)


def sentence(statement: Statement) -> str:
    """The whole statement in one paragraph, with formulas between dollars."""
    after, head = where(statement), setting(statement)
    head = f"{head}: " if head and not head.endswith(".") else f"{head} " if head else ""
    formula = relation(statement.relation, statement.given, statement.scope)
    return f"{head}${formula}$" + (f", {after}." if after else ".")
