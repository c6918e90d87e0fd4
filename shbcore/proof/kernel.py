r"""The kernel of this package, written in Python and not that of Coq: it alone decides whether a line is proved.

A :class:`Line` is a statement and terms, each a multiplier times a fact or an earlier line.  :func:`check` accepts it exactly if right
minus left, in expectation given the field, is the sum of the terms, coefficient by coefficient; every multiplier of an inequality is
non-negative, and no denominator vanishes, on the whole domain; what the facts presuppose holds; every earlier line passes on this
domain and covers these steps; and nothing is used that the statement does not assume.  Nothing is searched for and nothing is printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Domain
from shbcore.proof.facts import HYPOTHESIS, SETTING, Fact
from shbcore.proof.forms import ONE, RUNS, Context, Form, Key, added
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Coefficient,
    Direction,
    Field,
    Function,
    Iterate,
    Mean,
    Node,
    RandomIndex,
    Relation,
    coefficient,
    of_step,
    walk,
)
from shbcore.proof.plain import describe, plain, times
from shbcore.proof.signs import Refused, parameters
from shbcore.proof.statement import USABLE, Scope, Statement

__all__ = ["ONE", "Context", "Form", "Key", "Line", "MeasurabilityError", "Outcome", "Refused", "Term", "accept"]
__all__ += [
    "check",
    "claim",
    "describe",
    "iterate_terms",
    "of_setting",
    "own_parameters",
    "parameters",
    "permitted",
    "recondition",
]
__all__ += ["unhidden", "used"]


class MeasurabilityError(Refused):
    """Something was pulled out of an expectation whose field does not know it."""


@dataclass(frozen=True)
class Outcome:
    """What a check found, and the words for it; ``foundations`` is what an accepted line rests on.  It is true if ``passed`` is.

    ``identity fails`` is followed by what is left over: the right side minus the left side minus the multiplied facts.  A refusal
    says that this proof does not prove the claim, not that the claim is false.
    """

    passed: bool
    detail: str
    foundations: frozenset[Foundation] = frozenset()

    def __bool__(self) -> bool:
        return self.passed


_OTHER_START = {
    **dict.fromkeys((Scope.LATE, Scope.FIRST, Scope.RUN_PRINTED), frozenset({on.START})),
    **dict.fromkeys((Scope.FIRST_REPAIRED, Scope.RUN, Scope.SHORT_RUN), frozenset({on.PRINTED_START})),
}
"""The start that an earlier line also provides for, and that a line for the other start does not rest on."""
_IMPLIED = {
    on.WEAKLY_CONVEX: (on.SMOOTH, on.SMOOTH_EVERYWHERE),
    on.SMOOTH: (on.SMOOTH_EVERYWHERE,),
}
"""What a stronger assumption contains."""


@dataclass(frozen=True, eq=False)
class Term:
    """A fact or an earlier line with its multiplier."""

    multiplier: Any
    source: Fact | Line | Any


@dataclass(frozen=True, eq=False)
class Line:
    """A statement with its proof: terms that add up to it."""

    statement: Statement
    terms: tuple[Term, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(self.terms))
        if not isinstance(self.statement, Statement):
            raise ValueError(f"statement = {self.statement!r} must be a Statement")
        for term in self.terms:
            if type(term) is not Term:
                raise ValueError(
                    f"terms must be multiplier * fact, got {term!r} without a multiplier; find() looks for multipliers"
                )

    def __rmul__(self, multiplier: Coefficient) -> Term:
        return Term(coefficient(multiplier, "multiplier"), self)

    def __bool__(self) -> bool:
        raise TypeError("a line is not decided by Python: ask check(line).passed")

    def __str__(self) -> str:
        return str(self.statement)


def check(line: Any, domain: Domain | None = None) -> Outcome:
    """Whether a line, or a join of lines, is proved, on its own domain or on another one; never an exception for a wrong proof."""
    try:
        if domain is not None:
            unhidden(line, domain)
        return Outcome(True, "", accept(line, domain or line.statement.domain))
    except Refused as refusal:
        return Outcome(False, str(refusal))
    except (TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        return Outcome(False, plain(str(error)))
    except RecursionError:
        return Outcome(False, "a tree too deep to be read")


_ACCEPTED: dict[tuple[Any, ...], tuple[Any, frozenset[Foundation]]] = {}


@cache
def _rules() -> tuple[type, ...]:
    """The rules that join lines: these classes, and no others."""
    from shbcore.proof import joins, surely

    return (joins.Limit, joins.Later, joins.Induction, joins.Summation, surely.AlmostSurely)


def accept(
    source: Any, domain: Domain, scope: Scope = Scope.ANY, assumes: frozenset[Foundation] = frozenset()
) -> frozenset[Foundation]:
    """The foundations of a proved line on a domain; raises :class:`Refused` otherwise.  A line is verified once on each domain.

    A line whose scope is inherited is proved for the steps, and from the assumptions, of the line that uses it.
    """
    if source.statement.scope is not Scope.INHERITED:
        scope, assumes = source.statement.scope, frozenset(source.statement.assumes)
    if type(source) not in (Line, *_rules()):
        raise Refused(f"{type(source).__name__} is no line and no rule of the kernel")
    says = source.statement
    for thing, kind in ((says, Statement), (says.relation, Relation), (says.domain, Domain), (domain, Domain)):
        if type(thing) is not kind:
            raise Refused(f"{type(thing).__name__} is no {kind.__name__} of the language")
    own = getattr(type(source), "statement", None)
    if isinstance(own, cached_property) and own.func(source) != source.statement:
        raise Refused("the statement of a rule is not the one that it computes")
    held = (source, source.statement, getattr(source, "terms", ()))
    key = (*map(id, held), domain, scope, assumes)
    if key not in _ACCEPTED:
        found = (
            _proved(source, domain, scope, assumes)
            if isinstance(source, Line)
            else source.proved(domain, scope, assumes)
        )
        _ACCEPTED[key] = (held, frozenset(found))
    return _ACCEPTED[key][1]


def _proved(line: Line, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
    """The line without (A1) if it holds without, else with it."""
    says = line.statement
    if says.relation.sense == "<=" and not line.terms:
        raise Refused("an inequality without terms: nothing is proved")
    for unbiased in (False, True):
        context = Context(domain, scope, assumes, unbiased=unbiased)
        context.at.begins()
        left = _residual(context, line, domain)
        if not left:
            _anchored(context, says, line)
            return permitted(context)
    rest = sorted(times(value.as_expr(), describe(key)) for key, value in left.items())
    raise Refused(f"identity fails: {', '.join(rest)}")


def _residual(context: Context, line: Line, domain: Domain) -> Form:
    """What is left of the claim minus the terms."""
    says = line.statement
    gap = claim(context, says)
    if says.relation.left.vector and line.terms:
        raise Refused("an equation between vectors is an identity: it has no terms")
    for term in line.terms:
        value = coefficient(term.multiplier, "multiplier")
        relation, given, foundations = used(context, term.source, domain)
        if relation.sense == "<=":
            if says.relation.sense == "==":
                raise Refused("an equality cannot rest on an inequality")
            if not context.at.sign(value)[0]:
                raise Refused(f"the multiplier {value} is not shown to be non-negative")
        hypothesis = context.mean(relation.right - relation.left, given)
        averaged = added((part, context._mean(key, says.given)) for key, part in hypothesis.items())
        gap = added([(context.at.ring.one, gap), (-context.number(value), averaged)])
        context.used |= foundations
    return {key: value for key, value in gap.items() if value}


def claim(context: Context, says: Statement) -> Form:
    """Right minus left, in expectation where it is a scalar."""
    nodes = [one for side in (says.relation.left, says.relation.right) for one in walk(side)]
    if len({one.shifted for one in nodes if isinstance(one, RandomIndex)}) > 1:
        raise Refused("two random indices with different laws in one statement")
    gap = says.relation.right - says.relation.left
    return context.form(gap) if says.relation.left.vector else context.mean(gap, says.given)


def used(context: Context, source: Any, domain: Domain) -> tuple[Relation, Field, frozenset[Foundation]]:
    """The relation that a term contributes, the field given which it holds, and what it rests on."""
    if isinstance(source, Fact):
        parts = (source, *(one for one in source.arguments if isinstance(one, Function)))
        if strange := [one for one in parts if type(one) not in (Fact, Function)]:
            raise Refused(f"{type(strange[0]).__name__} is no part of the closed list of facts")
        unfolded = source.unfolded
        context.granted(unfolded)
        return unfolded.relation, PATHWISE, frozenset()
    says = source.statement
    if says.scope not in USABLE[context.scope]:
        raise Refused(f"an earlier line holds {says.scope.value}, and is used {context.when}")
    unhidden(source, domain)
    below = accept(source, says.domain.also(*domain.entries), context.scope, context.assumes)
    return says.relation, says.given, below - _OTHER_START.get(context.scope, frozenset())


def unhidden(source: Any, domain: Domain) -> None:
    """What an earlier line says of a parameter of the setting, or of an own assumption, is not lost: the domain of use has it too."""
    own: Domain = source.statement.domain
    whole, assumed = own.also(*domain.entries), own_parameters(source)
    hidden = {one.symbol for one in own.entries if of_setting(one.symbol, whole) or one.symbol in assumed}
    hidden -= {one.symbol for one in domain.entries}
    if hidden:
        names = ", ".join(sorted(map(str, hidden)))
        raise Refused(f"an earlier line speaks of {names}, which has no range in the domain")


@cache
def own_parameters(source: Any) -> frozenset[Any]:
    """The parameters in the assumptions of one's own on which a line rests: what they mean does not change from line to line."""
    facts = [one for one in iterate_terms(source) if isinstance(one, Fact) and one.kind == "assumed"]
    return frozenset(
        symbol for one in facts if one.arguments[1:] != HYPOTHESIS for symbol in _symbols(one.arguments[0])
    )


def _symbols(thing: Any) -> Iterator[Any]:
    """All parameters in a piece of data."""
    if isinstance(thing, sp.Basic):
        yield from thing.free_symbols
    elif isinstance(thing, tuple) or is_dataclass(thing):
        inner = thing if isinstance(thing, tuple) else [getattr(thing, one.name) for one in fields(thing)]
        for part in inner:
            yield from _symbols(part)


def of_setting(symbol: Any, domain: Domain) -> bool:
    """Whether the letters depend on a parameter: one of the setting, or a member of a sequence at step k or at a step by number."""
    if symbol in SETTING or of_step(symbol) is not None:
        return True
    stem = re.sub(r"_(\d|\{-?\d+\})$", "", symbol.name)
    return stem != symbol.name and stem in {at[0] for one in domain.entries if (at := of_step(one.symbol))}


def _anchored(context: Context, says: Statement, line: Line) -> None:
    """Letters of the first and of a later step meet only in total expectation."""
    nodes = [one for side in (says.relation.left, says.relation.right) for one in walk(side)]
    for term in line.terms:
        relation = term.source.unfolded.relation if isinstance(term.source, Fact) else term.source.statement.relation
        nodes += [one for side in (relation.left, relation.right) for one in walk(side)]
    anchors = {one.first for one in nodes if isinstance(one, (Iterate, Direction))}
    conditional = [one for one in nodes if isinstance(one, Mean) and one.given not in (TOTAL, PATHWISE)]
    if len(anchors) == 2 and (says.given != TOTAL or conditional):
        raise Refused("letters of the first step and of step k meet outside a total expectation")
    if True in anchors and context.scope in RUNS and (says.given not in (TOTAL, PATHWISE) or conditional):
        raise Refused("letters of the first step in a run, given a field of step k")
    if True in anchors and context.scope not in (Scope.FIRST, Scope.FIRST_ANY, Scope.FIRST_REPAIRED, *RUNS):
        raise Refused("letters of the first step in a statement about every step")


def permitted(context: Context) -> set[Foundation]:
    """What was used; an assumption that the statement does not make is refused."""
    found: set[Foundation] = set()
    if strange := [one for one in (*context.assumes, *context.used) if type(one) is not Foundation]:
        raise Refused(f"{type(strange[0]).__name__} is no foundation")
    for one in context.used:
        granted = next((more for more in (one, *_IMPLIED.get(one, ())) if more in context.assumes), None)
        if one.kind in ("assumption", "own") and granted is None:
            raise Refused(f"the proof uses {one.name}, which the statement does not assume")
        found.add(granted or one)
    return found


def iterate_terms(line: Any) -> Iterator[Any]:
    """The sources of a line and of all lines below it, each once."""
    seen: set[int] = set()
    stack = [line]
    while stack:
        one = stack.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        stack += [term.source for term in getattr(one, "terms", ())] + list(getattr(one, "parents", ()))


def recondition(node: Node, fine: Field, coarse: Field, domain: Domain) -> None:
    """Whether the expectation given the finer field may stand for the one given the coarser field: only if it is known there."""
    if not isinstance(domain, Domain):
        raise ValueError(f"domain = {domain!r} must be a Domain (the parameters of the tree)")
    for name, field in (("fine", fine), ("coarse", coarse)):
        if type(field) is not int:
            raise ValueError(f"{name} = {field!r} must be a field, such as PAST (of an expectation)")
    context = Context(domain, Scope.LATE, ())
    late = {describe(key) for key, value in context.mean(node, fine).items() if value and key.known > coarse}
    if late:
        raise MeasurabilityError(f"{', '.join(sorted(late))} is not known at F_{{k{coarse:+d}}}")
