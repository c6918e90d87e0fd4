r"""Appendix D: the proof of Theorem 2, which is that of Theorem 1 with :math:`\sigma^2+G^2` in place of :math:`L^2` everywhere.

The replacement is made by the machine, in every line of the proofs of Lemmas 3, 4 and Theorem 1, and every line is checked again.
"""

from dataclasses import fields, replace
from functools import cache
from typing import Any

import sympy as sp

from shbcore.claims.appendix_a import HALF, NINE_TENTHS, d_bound
from shbcore.claims.registry import Section, proved
from shbcore.proof import foundations as on
from shbcore.proof.domain import EVERYWHERE
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import Foundation
from shbcore.proof.joins import Join, Later
from shbcore.proof.kernel import Line, Term
from shbcore.proof.language import NOW, PAST, PATHWISE, TOTAL, E, Node, Number, Relation, Sample, known, reparametrised
from shbcore.proof.letters import *
from shbcore.proof.lines import *
from shbcore.proof.statement import Scope, Statement

here = Section("D Proof of Theorem 2")
SECOND = sigma2 + G2
VARIANCE = (on.A1, on.A3, on.BOUNDED_GRADIENT)
r"""What takes the place of (A2): (A1), (A3) and a bounded gradient."""


@cache
def moment(g: Sample = g_k, share: Any = 1) -> Line:
    r"""(A1), (A3) and :math:`\|\nabla f\|\le G` on :math:`X` contain (A2) with :math:`L^2=\sigma^2+G^2`."""
    claim = E(g**2, known(g.at)) <= Number(share * SECOND)
    terms = [1 * variance(g), 1 * bounded_gradient(f, g.at)]
    return line(claim, terms, domain=EVERYWHERE, scope=Scope.INHERITED, name="variance and gradient")


@cache
def _assumed(before: tuple[Foundation, ...]) -> tuple[Foundation, ...]:
    stands_for = {on.A2: VARIANCE, on.WEAKLY_CONVEX: (on.SMOOTH,)}
    return tuple(dict.fromkeys(new for one in before for new in stands_for.get(one, (one,))))


_DONE: dict[int, tuple[Any, Any]] = {}


def smooth_oracle(thing: Any) -> Any:
    r"""A line, a join, a fact, a tree or a number with :math:`\sigma^2+G^2` for :math:`L^2`, and :func:`moment` for (A2)."""
    if isinstance(thing, (Line, Join)):
        if id(thing) not in _DONE:
            _DONE[id(thing)] = (thing, _rebuilt(thing))
        return _DONE[id(thing)][1]
    if isinstance(thing, Fact):
        return moment(*thing.arguments) if thing.kind == "second_moment" else Fact(thing.kind, smooth_oracle(thing.arguments))
    if isinstance(thing, Term):
        return Term(smooth_oracle(thing.multiplier), smooth_oracle(thing.source))
    if isinstance(thing, Statement):
        return replace(thing, relation=smooth_oracle(thing.relation), assumes=_assumed(thing.assumes))
    if isinstance(thing, Relation):
        return thing.map(smooth_oracle)
    if isinstance(thing, Node):
        return reparametrised(thing, {L2: SECOND})
    if isinstance(thing, tuple):
        return tuple(map(smooth_oracle, thing))
    return thing.xreplace({L2: SECOND}) if isinstance(thing, sp.Basic) else thing


def _rebuilt(thing: Any) -> Any:
    return replace(thing, **{one.name: smooth_oracle(getattr(thing, one.name)) for one in fields(thing)})
