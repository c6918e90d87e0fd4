r"""Every formal statement changed in turn, one place at a time: the kernel must refuse its proof.

A change is a constant (a tenth more), an exponent, a sign, an index, the field, the start, a range or an assumption.  A changed statement
that the kernel still accepts is proved too, and therefore true: it is listed as such, never as noticed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import sympy as sp
from tqdm import tqdm

from shbcore.claims.registry import Check, claims
from shbcore.proof.domain import Range
from shbcore.proof.joins import Join
from shbcore.proof.kernel import Line, Term, check
from shbcore.proof.language import NOW, PAST, PATHWISE, TOTAL, Iterate, Node, Number, Relation, Scaled, Sum, substituted, walk
from shbcore.proof.statement import Scope, Statement

FINER = {TOTAL: PAST, PAST: NOW, NOW: PATHWISE}
WIDER = {
    Scope.STEP: Scope.EVERY,
    Scope.LATE: Scope.EVERY,
    Scope.FIRST_REPAIRED: Scope.FIRST,
    Scope.RUN: Scope.RUN_PRINTED,
    Scope.RUN_PRINTED: Scope.RUN,
}
"""The same statement for more steps, or for the other start."""


@dataclass(frozen=True)
class Mutant:
    """A changed statement: what was changed, and the claim it belongs to."""

    label: str
    change: str
    statement: Statement


def _swap(relation: Relation, old: Node, new: Node) -> Relation:
    done = []

    def move(one: Node) -> Node | None:
        if one is old and not done:
            done.append(one)
            return new
        return None

    left = substituted(relation.left, move)
    return Relation(left, substituted(relation.right, move) if not done else relation.right, relation.sense)


def _value(node: Node) -> Any:
    return node.times if isinstance(node, Scaled) else node.value if isinstance(node, Number) else None


def _with(node: Node, value: Any) -> Node:
    return Scaled(value, node.of) if isinstance(node, Scaled) else Number(value)


def relations(relation: Relation) -> Iterator[tuple[str, Relation]]:
    """The relation with one coefficient, exponent, sign or index changed."""
    nodes = [*walk(relation.left), *walk(relation.right)]
    for node in nodes:
        value = _value(node)
        if value is not None and value != 0:
            yield "constant", _swap(relation, node, _with(node, value * sp.Rational(11, 10)))
            yield "sign", _swap(relation, node, _with(node, -value))
            if value.free_symbols:
                symbol = min(value.free_symbols, key=str)
                yield "exponent", _swap(relation, node, _with(node, value * symbol))
        if isinstance(node, Iterate) and not node.first:
            yield "index", _swap(relation, node, Iterate(node.index + 1))
        if isinstance(node, Sum) and len(node.parts) > 1:
            yield "sign", _swap(relation, node, Sum((-node.parts[0], *node.parts[1:])))
    if not any(_value(node) is not None for node in nodes):
        yield "constant", Relation(relation.left * sp.Rational(11, 10), relation.right, relation.sense)
        yield "sign", Relation(-relation.left, relation.right, relation.sense)


def mutants(label: str, says: Statement) -> Iterator[Mutant]:
    """All changes of one statement."""
    for change, relation in relations(says.relation):
        yield Mutant(label, change, replace(says, relation=relation))
    if says.given in FINER and not says.relation.left.vector:
        yield Mutant(label, "field", replace(says, given=FINER[says.given]))
    if says.scope in WIDER:
        yield Mutant(label, "start", replace(says, scope=WIDER[says.scope]))
    for one in says.assumes:
        yield Mutant(label, "assumption", replace(says, assumes=tuple(other for other in says.assumes if other != one)))
    for entry in says.domain.ranges:
        wide = _wider(entry)
        if wide is not None:
            yield Mutant(label, "range", replace(says, domain=says.domain.also(wide)))


def _wider(entry: Range) -> Range | None:
    """A longer range: twice the upper end, or half the lower one."""
    if entry.upper is not None:
        return replace(entry, upper=2 * entry.upper)
    return replace(entry, lower=entry.lower / 2) if entry.lower != 0 else None


def noticed(build: Any, mutant: Mutant) -> bool:
    """Whether the proof no longer proves the changed statement."""
    proof = build()
    terms = (Term(sp.S.One, proof),) if isinstance(proof, Join) else proof.terms
    return not check(Line(mutant.statement, terms)).passed


def _claim(task: tuple[int, int, int | None]) -> list[tuple[str, str, bool, str]]:
    """The mutants of one statement, or a sample of them."""
    which, seed, sample = task
    entry = claims()[which]
    found = []
    for part in (one for one in entry.says if isinstance(one, Check) and one.build is not None):
        assert part.build is not None
        every = list(mutants(entry.label, part.build().statement))
        if sample is not None and len(every) > sample:
            rng = np.random.default_rng([seed, which])
            every = [every[i] for i in sorted(rng.choice(len(every), size=sample, replace=False))]
        found += [(entry.label, one.change, noticed(part.build, one), one.statement.words) for one in every]
    return found


def run(*, sample: int | None = None, seed: int = 0, jobs: int = 1, progress: bool = False) -> list[tuple[str, str, bool, str]]:
    """Change every formal statement of the ledger: label, kind of change, whether it was noticed, the changed statement."""
    tasks = [(i, seed, sample) for i, entry in enumerate(claims()) if entry.statements]
    bar = tqdm(total=len(tasks), disable=not progress, unit="claim", mininterval=2.0, ascii=True)
    found: list[tuple[str, str, bool, str]] = []
    if jobs > 1:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            for part in pool.map(_claim, tasks):
                found += part
                bar.update()
    else:
        for task in tasks:
            found += _claim(task)
            bar.update()
    bar.close()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m shbcore falsify``."""
    p = argparse.ArgumentParser("python -m shbcore falsify", description="Change every formal statement, one place at a time.")
    p.add_argument("--sample", type=int, default=None, help="at most so many changes of a statement (all)")
    p.add_argument("--jobs", type=int, default=2, help="processes (2)")
    p.add_argument("--list", action="store_true", help="print every change that the kernel still proves")
    options = p.parse_args(arguments)
    start = time.perf_counter()
    found = run(sample=options.sample, jobs=options.jobs, progress=True)
    total, caught = Counter(one[1] for one in found), Counter(one[1] for one in found if one[2])
    few = {label for label, n in Counter(one[0] for one in found).items() if n < 3}
    for kind in sorted(total):
        print(f"{kind:<12} {caught[kind]:>5} of {total[kind]:>5} noticed, {total[kind] - caught[kind]} proved as they are, hence true")
    print(f"{sum(caught.values())} of {len(found)} changes of {len({one[0] for one in found})} claims noticed; {time.perf_counter() - start:.0f} s")
    if options.list:
        for label, kind, ok, words in found:
            if not ok:
                print(f"{label} ({kind}): {words}")
    for label in sorted(few):
        print(f"fewer than three changes: {label}", file=sys.stderr)
    return 0
