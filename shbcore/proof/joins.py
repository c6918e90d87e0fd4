r"""What joins steps: a limit, an induction over :math:`k`, a sum over all steps.  Each is a rule, listed among the foundations.

A join takes lines that are proved themselves and computes its conclusion from them; nothing is typed twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Domain, Range
from shbcore.proof.facts import HYPOTHESIS, Fact, N
from shbcore.proof.foundations import Foundation
from shbcore.proof.kernel import (
    Context,
    Line,
    Refused,
    Term,
    accept,
    iterate_terms,
    of_setting,
    own_parameters,
    permitted,
    unhidden,
)
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Coefficient,
    E,
    Field,
    Node,
    Number,
    Projected,
    Proximal,
    RandomIndex,
    Relation,
    Scaled,
    Series,
    at_start,
    coefficient,
    of_step,
    reparametrised,
    shifted,
    walk,
)
from shbcore.proof.statement import Scope, Statement


class Join:
    """A conclusion from lines by a rule."""

    statement: Statement
    name: str

    def __rmul__(self, multiplier: Coefficient) -> Term:
        return Term(coefficient(multiplier, "multiplier"), self)

    def __bool__(self) -> bool:
        raise TypeError("a line is not decided by Python: ask check(line).passed")

    def __str__(self) -> str:
        return str(self.statement)


@dataclass(frozen=True, eq=False)
class Limit(Join):
    r"""A limit: from a line for every :math:`t\in(0,1]` to the same line at :math:`t=0`.

    ``projection``, ``prox_optimality`` and ``prox_strong_convexity`` are made with it: the minimiser is compared with the points of a
    segment, and these go to it.
    """

    line: Line
    parameter: Any
    name: str = ""

    @property
    def parents(self) -> tuple[Any, ...]:
        return (self.line,)

    @cached_property
    def statement(self) -> Statement:  # type: ignore[override]
        says = self.line.statement
        kept = Domain(*(entry for entry in says.domain.entries if entry.symbol != self.parameter))
        at_zero = says.relation.map(lambda side: reparametrised(side, {self.parameter: sp.S.Zero}))
        return replace(says, relation=at_zero, domain=kept)

    def proved(self, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
        entry = next((one for one in self.line.statement.domain.entries if one.symbol == self.parameter), None)
        if not isinstance(entry, Range) or entry.inverse or entry.lower != 0 or entry.upper not in (None, 1):
            raise Refused(f"{self.parameter} does not range over (0, 1]: no limit to 0")
        whole = self.line.statement.domain.also(*domain.entries)
        if of_setting(self.parameter, whole) or self.parameter in own_parameters(self.line):
            raise Refused(f"the letters and the assumptions depend on {self.parameter}: no limit to 0")
        if any(self.parameter in (one.uses | {one.symbol}) for one in domain.entries):
            raise Refused(f"parameter {self.parameter} of a limit is used again in the domain")
        for side in (self.line.statement.relation.left, self.line.statement.relation.right):
            for node in walk(side):
                self._continuous(node)
        below = accept(self.line, self.line.statement.domain.also(*domain.entries), scope, assumes)
        return {*below, on.LIMIT}

    def _continuous(self, node: Node) -> None:
        """The parameter stands in no denominator, and in no point at which a function is evaluated."""
        value = node.times if isinstance(node, Scaled) else node.value if isinstance(node, Number) else sp.S.Zero
        for part in sp.preorder_traversal(value):
            if isinstance(part, sp.Pow) and part.exp.is_negative and self.parameter in part.base.free_symbols:
                raise Refused(f"{self.parameter} stands in a denominator: no limit to 0")
        for owner in (node, getattr(node, "function", None)):
            while owner is not None:
                lam = getattr(owner, "envelope", None)
                if lam is not None and self.parameter in coefficient(lam).free_symbols:
                    raise Refused(f"{self.parameter} is the parameter of an envelope: no limit to 0")
                owner = getattr(owner, "of", None) if not isinstance(owner, Node) else None
        if isinstance(node, (Series, RandomIndex)):
            raise Refused("a sum over all steps: no limit to 0")
        at = node.of if isinstance(node, (Proximal, Projected)) else getattr(node, "at", None)
        if at is not None and any(
            isinstance(one, Scaled) and self.parameter in one.times.free_symbols for one in walk(at)
        ):
            raise Refused(f"{self.parameter} moves a point at which a function is evaluated: no limit to 0")


@dataclass(frozen=True, eq=False)
class Later(Join):
    r"""A line that holds for every :math:`k\ge1`, at :math:`k+1`: it holds for every :math:`k\ge0`, whatever the start."""

    line: Any
    name: str = ""

    @property
    def parents(self) -> tuple[Any, ...]:
        return (self.line,)

    @cached_property
    def statement(self) -> Statement:  # type: ignore[override]
        says: Statement = self.line.statement
        given = says.given if says.given in (TOTAL, PATHWISE) else says.given + 1
        return replace(says, relation=says.relation.map(shifted), given=given, scope=Scope.EVERY)

    def proved(self, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
        if self.line.statement.scope not in (Scope.EVERY, Scope.STEP, Scope.LATE):
            raise Refused(f"a line that holds {self.line.statement.scope.value} is not a line about every step")
        if any(of_step(entry.symbol) for entry in (*self.line.statement.domain.entries, *domain.entries)):
            raise Refused("a line with parameters of a step is not moved: its domain would be about another step")
        found = set(accept(self.line, self.line.statement.domain.also(*domain.entries)))
        if _MARK in found:
            raise Refused("the hypothesis of an induction is about step k, and is used at a later step")
        return found


def hypothesis(relation: Relation, given: Field = TOTAL) -> Fact:
    """The hypothesis of an induction: the relation at step k, in total expectation or (``PATHWISE``) for every outcome."""
    before = relation if given == PATHWISE else relation.map(E)
    return Fact("assumed", (before, *HYPOTHESIS))


_MARK = Foundation(HYPOTHESIS[0], "own", HYPOTHESIS[1])


@dataclass(frozen=True, eq=False)
class Induction(Join):
    r"""From one step to every step: ``base`` is the relation at :math:`k=0`, ``step`` that at :math:`k+1` from the one at :math:`k`.

    The relation is in total expectation, or (``PATHWISE``) for every outcome.  ``step`` uses ``hypothesis(relation)`` and holds for
    :math:`k\ge1`, and for :math:`k=0` with the repaired start; with the printed start ``second``, the relation at :math:`k=1`, begins it.
    """

    relation: Relation
    base: Line
    step: Line
    second: Line
    given: Field = TOTAL
    name: str = "induction"

    @property
    def parents(self) -> tuple[Any, ...]:
        return (self.base, self.step, self.second)

    @cached_property
    def statement(self) -> Statement:  # type: ignore[override]
        whole = {one for line in self.parents for one in line.statement.assumes if one != _MARK}
        assumes = tuple(sorted(whole, key=lambda one: one.name))
        return Statement(self.relation, self.given, self.step.statement.domain, assumes, Scope.EVERY)

    def proved(self, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
        if self.given not in (TOTAL, PATHWISE):
            raise Refused("an induction is in total expectation, or for every outcome")
        Context(domain, Scope.EVERY, ()).at.passes_on()
        own = hypothesis(self.relation, self.given)
        (mark,) = own.unfolded.foundations
        parts = (
            (self.base, at_start, (Scope.FIRST_ANY, Scope.ANY), False, domain.started()),
            (self.step, shifted, (Scope.STEP, Scope.EVERY), True, ()),
            (
                *(self.second, lambda side: at_start(shifted(side)), (Scope.FIRST,), False),
                Domain().also(*domain.started(), *domain.started(1)).entries,
            ),
        )
        found = {on.INDUCTION}
        for line, move, scopes, inductive, at in parts:
            if line.statement.scope not in scopes:
                raise Refused(f"a part of the induction holds {line.statement.scope.value}")
            if (mark in line.statement.assumes) > inductive:
                raise Refused("only the step of an induction may use its hypothesis")
            where = domain.also(*at)
            unhidden(line, where)
            found |= self._same(line, self.relation.map(move), where) - {mark}
            found |= accept(line, line.statement.domain.also(*where.entries)) - {mark}
        for one in iterate_terms(self.step):
            if (
                isinstance(one, Fact)
                and one.kind == "assumed"
                and mark in one.unfolded.foundations
                and one.arguments != own.arguments
            ):
                raise Refused("the step of the induction assumes another relation than the one it proves")
        return found

    def _same(self, line: Line, wanted: Relation, domain: Domain) -> set[Foundation]:
        """What it rests on that a part proves the relation for which it is used."""
        says = line.statement
        context = Context(says.domain.also(*domain.entries), says.scope, says.assumes, unbiased=on.A1 in says.assumes)
        found = context.mean(says.relation.right - says.relation.left, self.given)
        same = _clean(found) == _clean(context.mean(wanted.right - wanted.left, self.given))
        if not same or says.relation.sense != wanted.sense or says.given != self.given:
            raise Refused("a part of the induction proves another relation than the one it is used for")
        return permitted(context)


def _clean(form: dict[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in form.items() if value}


@dataclass(frozen=True, eq=False)
class Summation(Join):
    r"""From one step to the sum over all steps: :math:`\mathbb E[A_{k+1}]\le\mathbb E[A_k]-w\,\mathbb E[e_k]+c` for every k gives

    .. math:: \mathbb E[A_{\text{last}+1}]+w\sum_{k=\text{first}}^{\text{last}}\mathbb E[e_k]\le\mathbb E[A_{\text{first}}]+nc,

    with :math:`n` the number of steps.  A weight or a noise with parameters of the step stands under the sum:
    :math:`\sum_k\mathbb E[w_ke_k]`, :math:`\sum_kc_k`.

    ``first`` is 0 (then the start is the one for which the line holds at :math:`k=0`) or 1; ``last`` is :math:`K` or :math:`K-1`.
    In the conclusion :math:`N^2=K+1`, and letters of a step stand for the last one.
    """

    line: Any
    potential: Node
    measure: Node
    weight: Any
    noise: Any
    first: int = 0
    last: Literal["K", "K-1"] = "K"
    name: str = "summed"

    @property
    def parents(self) -> tuple[Any, ...]:
        return (self.line,)

    @property
    def steps(self) -> Any:
        """The number of steps that are added up."""
        return N**2 - self.first - int(self.last == "K-1")

    @cached_property
    def statement(self) -> Statement:  # type: ignore[override]
        says = self.line.statement
        begin = at_start(self.potential if self.first == 0 else shifted(self.potential))
        weight, noise = coefficient(self.weight), Number(coefficient(self.noise))
        total: Node = weight * Series(self.measure, self.first, self.last)
        if self._of_step(weight):
            total = Series(weight * self.measure, self.first, self.last)
        cost = Series(noise, self.first, self.last) if self._of_step(noise.value) else self.steps * noise
        relation = self.potential + total <= begin + cost
        scope = Scope.RUN if self.first == 0 and says.scope is not Scope.EVERY else Scope.RUN_ANY
        scope = Scope.SHORT_RUN if self.last == "K-1" else scope
        domain = says.domain.also(*says.domain.started(self.first))
        return Statement(relation, TOTAL, domain, says.assumes, scope)

    @staticmethod
    def _of_step(value: Any) -> bool:
        return any(of_step(one) is not None for one in value.free_symbols)

    def proved(self, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
        says = self.line.statement
        if self.first not in (0, 1) or self.last not in ("K", "K-1") or (self.first == 1 and self.last != "K"):
            raise Refused(f"a sum from {self.first} to {self.last} is not provided for")
        if says.scope not in (Scope.STEP, Scope.EVERY) and not (says.scope is Scope.LATE and self.first == 1):
            raise Refused(f"the line that is summed holds {says.scope.value}")
        context = Context(says.domain.also(*domain.entries), says.scope, says.assumes, unbiased=on.A1 in says.assumes)
        if not self._of_step(coefficient(self.noise)):
            if N not in {entry.symbol for entry in domain.entries}:
                raise Refused("the domain of a sum over k has N, the root of K + 1")
            if not context.at.sign(N - 1)[0]:
                raise Refused("N, the root of K + 1, is at least 1")
        context.at.passes_on()
        context.at.begins()
        wanted = self.potential - self.weight * self.measure + Number(coefficient(self.noise)) - shifted(self.potential)
        found = context.mean(says.relation.right - says.relation.left, TOTAL)
        if _clean(found) != _clean(context.mean(wanted, TOTAL)) or says.relation.sense != "<=":
            raise Refused("the line that is summed does not have the form of a decrease of the potential")
        below = accept(self.line, says.domain.also(*domain.entries))
        if _MARK in below:
            raise Refused("the hypothesis of an induction is about step k, and is summed")
        return {*below, *permitted(context), on.SUMMATION}
