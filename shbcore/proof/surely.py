r"""What holds almost surely, from lines given the past: the lemma of Robbins and Siegmund, and slow changes.

The conclusions are about whole paths (:class:`~shbcore.proof.language.Tail`); no line may use them.  Both rules are foundations, cited and
not proved here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Domain, Range
from shbcore.proof.foundations import Foundation
from shbcore.proof.joins import _MARK, Join, _clean
from shbcore.proof.kernel import Context, Line, Refused, accept, permitted, unhidden
from shbcore.proof.language import (
    PAST,
    PATHWISE,
    TOTAL,
    Inner,
    Node,
    Number,
    Relation,
    Tail,
    coefficient,
    of_step,
    shifted,
)
from shbcore.proof.scheduled import stepsize
from shbcore.proof.statement import Scope, Statement


def _index_free(value: Any) -> bool:
    return all(of_step(one) is None for one in value.free_symbols)


@dataclass(frozen=True, eq=False)
class AlmostSurely(Join):
    r"""From :math:`\mathbb E[U_{k+1}|\mathcal F_{k-1}]\le U_k-w_k\|v_k\|^2+n_k` for every :math:`k\ge1` to almost every path.

    ``lower`` is a line :math:`b\le U_k` with a number :math:`b` that does not depend on k; :math:`w_k\ge0`; and :math:`0\le n_k\le`
    ``factor`` :math:`\alpha_k^2`, or :math:`\alpha_{k-1}^2` with ``before``, which has a finite sum by assumption.  Then :math:`U_k`
    converges (``spread``) and :math:`\sum w_k\|v_k\|^2` is finite (``rest``).  If also :math:`w_k\ge` ``least`` :math:`\alpha_k`, ``least``
    positive, and :math:`\sum\alpha_k=\infty`, then :math:`\liminf\|v_k\|^2=0` (``liminf``); and the limit is 0 (``lim``) if ``slow``
    is a line :math:`\|v_{k+1}-v_k\|^2\le(C\alpha_k)^2` for every outcome, ``rate`` its :math:`C^2`.

    From :math:`k=1` on the line holds with either start, and :math:`U_1` is a finite number on every path.
    """

    line: Line
    lower: Line
    potential: Node
    measure: Inner
    weight: Any
    noise: Any
    factor: Any
    what: Literal["rest", "spread", "liminf", "lim"]
    least: Any = 0
    before: bool = False
    slow: Line | None = None
    rate: Any = 0
    name: str = "almost surely"

    @property
    def parents(self) -> tuple[Any, ...]:
        return (self.line, self.lower, *([self.slow] if self.slow is not None else []))

    @cached_property
    def statement(self) -> Statement:  # type: ignore[override]
        of: Node = {"rest": coefficient(self.weight) * self.measure, "spread": self.potential}.get(
            self.what, self.measure
        )
        whole = {one for part in self.parents for one in part.statement.assumes} | {on.SQUARE_SUMMABLE}
        whole |= {on.DIVERGENT} if self.what in ("liminf", "lim") else set()
        relation = Tail(self.what, of).equals(0)
        ordered = tuple(one for one in on.ALL if one in whole)
        return Statement(relation, PATHWISE, self.line.statement.domain, ordered, Scope.SURELY)

    def proved(self, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
        says, where = self.line.statement, self.line.statement.domain.also(*domain.entries)
        if self.what not in ("rest", "spread", "liminf", "lim"):
            raise Refused(f"{self.what!r} is nothing that the lemma gives")
        if says.given != PAST or says.relation.sense != "<=" or says.scope not in (Scope.STEP, Scope.EVERY, Scope.LATE):
            raise Refused("the lemma is about a line given the past, for every step from k = 1 on")
        context = Context(where, Scope.LATE, says.assumes, unbiased=on.A1 in says.assumes)
        if not context.at.scheduled:
            raise Refused("a constant stepsize has no finite sum of squares")
        context.at.passes_on(endless=True)
        for one in where.entries:
            at = of_step(one.symbol)
            vanishing = isinstance(one, Range) and (one.upper is None if one.inverse else one.lower == 0)
            uses = [step for other in one.uses if (step := of_step(other)) is not None]
            if at is None and uses:
                raise Refused(f"{one.symbol} is one number for all steps, and its range depends on the step")
            rising = at is not None and any(step[0] == "alpha" and step[1] > at[1] for step in uses)
            if at is not None and at[0] == "alpha" and (rising or not vanishing):
                raise Refused("the stepsizes are bounded below, or fixed: their squares may have no finite sum")
        if any(key.known > PAST for key in context.form(self.measure)):
            raise Refused("the measure is not known at F_{k-1}")
        for name in ("factor", "least", "rate"):
            if any(of_step(one.symbol) for one in where.about(coefficient(getattr(self, name)).free_symbols)):
                raise Refused(f"the {name} depends on the step")
        noise, weight = coefficient(self.noise), coefficient(self.weight)
        wanted = self.potential - weight * self.measure + Number(noise) - shifted(self.potential)
        found = context.mean(says.relation.right - says.relation.left, PAST)
        if _clean(found) != _clean(context.mean(wanted, PAST)):
            raise Refused("the line does not have the form of a decrease of the potential")
        if late := [key for key in context.form(self.potential) if key.known > PAST]:
            raise Refused(f"the potential is not known at F_{{k-1}}: {late[0].name or late[0].kind}")
        if not isinstance(self.measure, Inner) or self.measure.left != self.measure.right:
            raise Refused("the measure is not a square")
        for value, words in ((weight, "weight"), (noise, "noise")):
            context.at.no_pole(value)
            if not context.at.sign(value)[0]:
                raise Refused(f"the {words} {value} is not shown to be non-negative")
        below = (
            set(accept(self.line, where)) | self._bounded(context, where) | {on.ROBBINS_SIEGMUND, on.SQUARE_SUMMABLE}
        )
        self._summable(context, noise)
        if self.what in ("liminf", "lim"):
            below |= self._often(context, weight)
        if self.what == "lim":
            below |= self._slow(context, where)
        if _MARK in below:
            raise Refused("the hypothesis of an induction is about step k")
        whole = Context(where, Scope.LATE, self.statement.assumes)
        whole.used |= below - {on.START}
        return permitted(whole)

    def _bounded(self, context: Context, where: Domain) -> set[Foundation]:
        """The potential is at least a number that does not depend on the step."""
        says = self.lower.statement
        own = context.form(says.relation.left)
        fixed = all(key.known == TOTAL and key.kind in ("quantity", "one") for key in own)
        if not fixed or not all(_index_free(value.as_expr()) for value in own.values()):
            raise Refused("the lower bound of the potential depends on the step")
        if says.scope not in (Scope.EVERY, Scope.STEP, Scope.LATE) or says.given not in (PATHWISE, PAST):
            raise Refused(f"the lower bound of the potential holds {says.scope.value}, not on every path")
        if says.relation.sense != "<=" or context.form(says.relation.right) != context.form(self.potential):
            raise Refused("the lower bound is not one of the potential")
        unhidden(self.lower, where)
        return set(accept(self.lower, says.domain.also(*where.entries)))

    def _summable(self, context: Context, noise: Any) -> None:
        factor = coefficient(self.factor)
        if not _index_free(factor):
            raise Refused(f"the factor {factor} depends on the step")
        room = factor * stepsize(-1 if self.before else 0) ** 2 - noise
        context.at.no_pole(room)
        if not context.at.sign(sp.factor(room))[0]:
            raise Refused(
                "the noise is not shown to be summable: it is not at most the factor times the square of the stepsize"
            )

    def _often(self, context: Context, weight: Any) -> set[Foundation]:
        least = coefficient(self.least)
        if (
            not _index_free(least)
            or not context.at.sign(least)[1]
            or not context.at.sign(weight - least * stepsize())[0]
        ):
            raise Refused("the weights are not shown to have an infinite sum")
        return {on.DIVERGENT}

    def _slow(self, context: Context, where: Domain) -> set[Foundation]:
        if self.slow is None:
            raise Refused("a limit needs a line that says how fast the measure changes")
        says, rate = self.slow.statement, coefficient(self.rate)
        change = shifted(self.measure.left) - self.measure.left
        wanted = Relation(change**2, Number(rate * stepsize() ** 2))
        if not _index_free(rate) or says.given != PATHWISE or says.scope not in (Scope.EVERY, Scope.STEP, Scope.LATE):
            raise Refused("the change is not bounded on every path by the stepsize")
        same = context.form(says.relation.right - says.relation.left) == context.form(wanted.right - wanted.left)
        if says.relation.sense != "<=" or not same:
            raise Refused("the line about slow changes is not about the measure")
        unhidden(self.slow, where)
        return {*accept(self.slow, says.domain.also(*where.entries)), on.SLOW_CHANGE}


__all__ = ["AlmostSurely"]
