r"""A formal statement: what is assumed, for which steps, given which field, on which domain, and the relation.

This is the one text of a claim.  What is printed of it anywhere is made from this object, and a proof is a proof of this object.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from shbcore.proof.domain import EVERYWHERE, Domain
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import PATHWISE, Field, Relation


class Scope(Enum):
    r"""For which steps, and for which start, a statement is made.

    ``ANY``, the default, names no step.  ``INHERITED`` is for lines such as Young's inequality.  In a line about a run the letters of a
    step stand for the last one, :math:`k=K+1`; in a ``SHORT_RUN`` for :math:`k=K`.
    """

    ANY = ""
    INHERITED = "wherever it is used"
    EVERY = r"for every $k\ge0$, with either start"
    STEP = r"for every $k\ge1$, and for $k=0$ if $z_0=\beta g_0$"
    LATE = r"for every $k\ge1$, with either start"
    FIRST = r"for the printed start $z_0=g_0$"
    FIRST_ANY = r"at the first step, with either start"
    FIRST_REPAIRED = r"for the start $z_0=\beta g_0$"
    PRINTED = r"for every $k\ge0$, with the printed start $z_0=g_0$"
    RUN = r"for every $K\ge0$, with $z_0=\beta g_0$"
    RUN_PRINTED = r"for every $K\ge0$, with the printed start $z_0=g_0$"
    SHORT_RUN = r"for every $K\ge0$, with the start $z_0=\beta g_0$"
    RUN_ANY = r"for every $K\ge0$, with either start"
    SURELY = "almost surely, with either start"


_AT_LAST = frozenset({Scope.INHERITED, Scope.ANY, Scope.EVERY, Scope.STEP, Scope.LATE})
USABLE: dict[Scope, frozenset[Scope]] = {
    Scope.ANY: frozenset({Scope.ANY, Scope.INHERITED}),
    Scope.EVERY: frozenset({Scope.ANY, Scope.INHERITED, Scope.EVERY}),
    Scope.STEP: frozenset({Scope.ANY, Scope.INHERITED, Scope.EVERY, Scope.STEP}),
    Scope.LATE: _AT_LAST,
    Scope.FIRST: frozenset({Scope.ANY, Scope.INHERITED, Scope.FIRST, Scope.FIRST_ANY}),
    Scope.FIRST_ANY: frozenset({Scope.ANY, Scope.INHERITED, Scope.FIRST_ANY}),
    Scope.FIRST_REPAIRED: frozenset({Scope.ANY, Scope.INHERITED, Scope.FIRST_REPAIRED, Scope.FIRST_ANY}),
    Scope.PRINTED: frozenset(),
    Scope.RUN: _AT_LAST | {Scope.FIRST_ANY, Scope.FIRST_REPAIRED, Scope.RUN, Scope.RUN_ANY},
    Scope.RUN_PRINTED: _AT_LAST | {Scope.FIRST_ANY, Scope.FIRST, Scope.RUN_PRINTED, Scope.RUN_ANY},
    Scope.SHORT_RUN: (_AT_LAST - {Scope.LATE}) | {Scope.FIRST_ANY, Scope.FIRST_REPAIRED, Scope.SHORT_RUN},
    Scope.RUN_ANY: _AT_LAST | {Scope.FIRST_ANY, Scope.RUN_ANY},
    Scope.SURELY: frozenset(),
}
r"""Which earlier lines a line may use: in a statement about a whole run the letters of a step stand for the last one, :math:`k=K+1`
(in a short run :math:`k=K`, which may be 0)."""


@dataclass(frozen=True)
class Statement:
    """What is claimed: the relation in expectation given a field, on a domain of parameters, under assumptions, for some steps."""

    relation: Relation
    given: Field = PATHWISE
    domain: Domain = EVERYWHERE
    assumes: tuple[Foundation, ...] = ()
    scope: Scope = Scope.ANY

    def __post_init__(self) -> None:
        for name, kind in (("relation", Relation), ("given", int), ("domain", Domain), ("scope", Scope)):
            if type(getattr(self, name)) is not kind:
                hint = ", such as Scope.STEP" if name == "scope" else ""
                raise ValueError(f"{name} = {getattr(self, name)!r} must be a {kind.__name__}{hint}")
        if not isinstance(self.assumes, (tuple, list)):
            raise ValueError(f"assumes = {self.assumes!r} must be a tuple of foundations, such as (A1, A2)")
        object.__setattr__(self, "assumes", tuple(self.assumes))
        if stray := [one for one in self.assumes if not isinstance(one, Foundation)]:
            raise ValueError(f"assumes: {stray[0]!r} is no foundation")

    def __str__(self) -> str:
        """The relation in plain text, with its scope."""
        from shbcore.proof.plain import plain

        relation = " ".join(plain(self.latex).replace("<=", " <= ").split())
        return f"{relation}, {plain(self.scope.value)}" if self.scope.value else relation

    @property
    def latex(self) -> str:
        """The relation alone, as a formula."""
        from shbcore.proof.latex import relation

        return relation(self.relation, self.given, self.scope)

    @property
    def words(self) -> str:
        """The whole statement in a sentence, with formulas between dollars."""
        from shbcore.proof.in_words import sentence

        return sentence(self)

    @property
    def fingerprint(self) -> str:
        """A short hash of everything that the statement says."""
        return hashlib.sha256(canonical(self).encode()).hexdigest()[:16]


def canonical(thing: Any) -> str:
    """Plain text that is equal exactly for equal data: the source of fingerprints."""
    kind: Any = type(thing)
    if names := _compared(kind):
        inner = ",".join([f"{name}={canonical(getattr(thing, name))}" for name in names])
        return f"{kind.__name__}({inner})"
    if isinstance(thing, tuple):
        return "(" + ",".join(map(canonical, thing)) + ")"
    if isinstance(thing, Enum):
        return thing.name
    return _written(thing) if isinstance(thing, sp.Basic) else repr(thing)


@cache
def _compared(kind: Any) -> tuple[str, ...]:
    """The fields that tell two objects of a class apart."""
    return tuple(one.name for one in fields(kind) if one.compare) if is_dataclass(kind) else ()


@lru_cache(maxsize=100_000)
def _written(formula: Any) -> str:
    return str(sp.srepr(formula))
