r"""Every formal statement changed in turn, one place at a time: the kernel must refuse its proof.

A change is a constant (a tenth more), an exponent, a sign, an index, the field, the start, a range or an assumption.  A changed statement
that the kernel still accepts is proved too, and so should be true: it is never counted as noticed, and it is evaluated exactly on small
problems, by code that knows nothing of the kernel.  One that is false there is the worst that can happen.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import numpy as np
import sympy as sp
from tqdm import tqdm

from shbcore.claims.registry import Check, Claim, claims
from shbcore.claims.trial import Trial, compare
from shbcore.model import checks
from shbcore.model.arguments import OneLine
from shbcore.model.instances import random_instance
from shbcore.model.rational import REAL_LINE, RationalProblem
from shbcore.proof.domain import Range
from shbcore.proof.facts import L2, rho
from shbcore.proof.foundations import SMOOTH, SMOOTH_EVERYWHERE, SURE, WHOLE_SPACE
from shbcore.proof.joins import Join
from shbcore.proof.kernel import Line, Term, check
from shbcore.proof.language import (
    NOW,
    PAST,
    PATHWISE,
    TOTAL,
    Iterate,
    Node,
    Number,
    Relation,
    Scaled,
    Sum,
    of_step,
    substituted,
    walk,
)
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
    done: list[Node] = []

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


# --- the second way: exact instances


STEPS: dict[Scope, tuple[tuple[int, Literal["printed", "repaired"]], ...]] = {
    Scope.STEP: ((0, "repaired"), (1, "repaired"), (1, "printed")),
    Scope.EVERY: ((0, "printed"), (1, "repaired"), (1, "printed")),
    Scope.LATE: ((1, "printed"), (2, "repaired")),
    Scope.FIRST: ((0, "printed"),),
    Scope.FIRST_REPAIRED: ((0, "repaired"),),
}
"""Steps and starts at which a statement about one step is evaluated."""


LARGEST = sp.Symbol("alphabar")
STEPSIZES = (Fraction(1), Fraction(9, 10), Fraction(3, 4), Fraction(1, 2))
r"""Stepsizes of every class of schedules, in units of :math:`\beta\lambda/4`; then they are halved at every step."""


def _sure(says: Statement, problem: RationalProblem, X: Any) -> dict[Any, Any]:
    """L^2 where every sample is assumed to be bounded by L, and not only their mean square."""
    return {L2: max(RationalProblem((one,)).L2(X) for one in problem.samples)} if SURE in says.assumes else {}


def trials(says: Statement, start: Literal["printed", "repaired"], count: int = 3) -> Iterator[Trial]:
    """Problems that meet the assumptions of a statement, at admissible parameters."""
    rng = np.random.default_rng(11)
    smooth = bool({SMOOTH, SMOOTH_EVERYWHERE} & set(says.assumes))
    for j in range(count):
        kind = ("smooth", "linear noise")[j % 2] if smooth else ("kinked", "rare", "boundary")[j % 3]
        case = random_instance(kind, rng, bounded=WHOLE_SPACE not in says.assumes and not (smooth and j == 2))
        steep = case.problem.smoothness if smooth else case.problem.rho
        curved = steep if steep else Fraction(1)
        X = REAL_LINE if WHOLE_SPACE in says.assumes else case.X
        beta = (Fraction(1, 2), Fraction(1), Fraction(1, 4))[j % 3]
        largest = beta / (8 * curved)
        scheduled = any(of_step(entry.symbol) for entry in says.domain.entries)
        yield Trial(
            *(case.problem, X, case.x0, Fraction(1, 4) / curved, beta, start, 1 / (2 * curved), smooth),
            values={rho: curved, LARGEST: largest, **_sure(says, case.problem, X)},
            stepsizes=tuple(largest * share for share in STEPSIZES) if scheduled else (),
            ratio=Fraction(1, 2),
        )


def contradicted(says: Statement, count: int = 3) -> str:
    """Where a statement about one step is false on exact instances; empty if nowhere, or if it cannot be evaluated."""
    for k, start in STEPS.get(says.scope, ()):
        for trial in trials(says, start, count):
            with contextlib.suppress(ValueError, KeyError):  # it does not speak of the trial, or a letter has no value
                for one in compare(says, trial, k):
                    if not one.holds:
                        return f"k = {k}, {start} start, {trial.problem}: {one}"
    return ""


# --- all of them


@dataclass(frozen=True)
class Tried:
    """A change that was tried: whether the kernel noticed, and where the changed statement is false although it did not."""

    label: str
    change: str
    noticed: bool
    words: str
    false_at: str = ""


def proofs(entry: Claim) -> list[Any]:
    """The builders of everything that a claim proves: what it says, and the sharper and conditional forms beside it."""
    return [one.build for one in (*entry.says, *entry.more) if isinstance(one, Check) and one.build is not None]


def _claim(task: tuple[int, int, int | None]) -> list[Tried]:
    """The changes of the statements of one claim, or a sample of them."""
    which, seed, sample = task
    entry = claims()[which]
    found = []
    for build in proofs(entry):
        every = list(mutants(entry.label, build().statement))
        if sample is not None and len(every) > sample:
            rng = np.random.default_rng([seed, which])
            every = [every[i] for i in sorted(rng.choice(len(every), size=sample, replace=False))]
        for one in every:
            ok = noticed(build, one)
            found.append(
                Tried(entry.label, one.change, ok, one.statement.words, "" if ok else contradicted(one.statement))
            )
    return found


def _key(seed: int, sample: int | None) -> str:
    """What the results depend on: the sources of the library, the seed and the sample."""
    root = Path(__file__).resolve().parent.parent
    found = hashlib.sha256(f"{seed} {sample}".encode())
    for path in sorted(one for room in ("model", "proof", "claims") for one in (root / room).rglob("*.py")):
        found.update(path.read_bytes() + b"\0")
    return found.hexdigest()


def _kept(path: Path | None, key: str) -> dict[int, list[Tried]]:
    """What an earlier run with the same code has finished; nothing, if its file is missing, damaged or of other code."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        held = json.loads(path.read_text()) if path is not None else {}
        if held["key"] == key:
            return {int(i): [Tried(*one) for one in part] for i, part in held["done"].items()}
    return {}


def _keep(path: Path | None, key: str, done: dict[int, list[Tried]]) -> None:
    """Whole or not at all."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        plain = {i: [list(vars(one).values()) for one in found] for i, found in done.items()}
        part.write_text(json.dumps({"key": key, "done": plain}))
        os.replace(part, path)


def run(
    *, sample: int | None = None, seed: int = 0, jobs: int = 1, progress: bool = False, keep: Path | None = None
) -> list[Tried]:
    """Change every formal statement of the ledger; ``keep`` names a file from which a stopped run goes on."""
    checks.count("jobs", jobs, "processes", most=64)
    seed = checks.count("seed", seed, "seeds are explicit", least=0)
    if sample is not None:
        checks.count("sample", sample, "changes of a statement", most=10**6)
    key = _key(seed, sample)
    done = _kept(keep, key)
    if keep is not None and keep.is_dir():
        checks.fail("keep", str(keep), "be a file, not a folder", "what is finished is kept in it")
    _keep(keep, key, done)  # a place that cannot be written to is told before anything is computed
    tasks = [(i, seed, sample) for i, entry in enumerate(claims()) if proofs(entry) and i not in done]
    bar = tqdm(
        total=len(tasks) + len(done), initial=len(done), disable=not progress, unit="claim", mininterval=2.0, ascii=True
    )
    with (
        bar,
        ProcessPoolExecutor(jobs, mp_context=get_context("fork")) if jobs > 1 else contextlib.nullcontext() as pool,
    ):
        for task, part in zip(tasks, (pool.map if pool else map)(_claim, tasks), strict=True):
            done[task[0]] = part
            _keep(keep, key, done)
            bar.update()
    return [one for i in sorted(done) for one in done[i]]


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m shbcore falsify``; exit code 1 if a change is neither noticed nor true, or a claim has fewer than three."""
    p = OneLine("python -m shbcore falsify", description="Change every formal statement, one place at a time.")
    p.add_argument("--sample", type=int, default=None, help="at most so many changes of a statement (all)")
    p.add_argument("--seed", type=int, default=0, help="of the sample (0)")
    p.add_argument("--jobs", type=int, default=2, help="processes (2)")
    p.add_argument("--keep", type=Path, help="keep what is finished in this file, and go on from there")
    p.add_argument("--list", action="store_true", help="after the run, print every change that the kernel still proves")
    options = p.parse_args(arguments)
    start = time.perf_counter()
    try:
        found = run(sample=options.sample, seed=options.seed, jobs=options.jobs, progress=True, keep=options.keep)
    except (ValueError, OSError) as error:
        print(f"python -m shbcore falsify: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; with --keep the same command goes on from there", file=sys.stderr)
        return 130
    total, caught = Counter(one.change for one in found), Counter(one.change for one in found if one.noticed)
    for kind in sorted(total):
        print(
            f"{kind:<12} {caught[kind]:>5} of {total[kind]:>5} noticed, {total[kind] - caught[kind]} proved as they are, hence true"
        )
    print(
        f"{sum(caught.values())} of {len(found)} changes of {len({one.label for one in found})} claims noticed;"
        f" {time.perf_counter() - start:.0f} s"
    )
    if options.list:
        for one in found:
            if not one.noticed:
                print(f"{one.label} ({one.change}): {one.words}")
    wrong = [
        f"proved, and false at {one.false_at}: {one.label} ({one.change}): {one.words}" for one in found if one.false_at
    ]
    few = sorted(label for label, n in Counter(one.label for one in found).items() if n < 3)
    wrong += [f"fewer than three changes: {label}" for label in few]
    for line in wrong:
        print(line, file=sys.stderr)
    return int(bool(wrong))
