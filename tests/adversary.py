"""Random valid lines, and random damages to them: the kernel must accept the first and refuse the second, or the damaged line is true.

``python tests/adversary.py --valid 1000 --damages 10000`` runs at full size; ``tests/test_adversary.py`` runs a sample.
A damaged line that is still accepted is evaluated exactly on small random problems, by code that shares nothing with the kernel.
"""

import argparse
import contextlib
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp
from tqdm import tqdm

import shbcore
from shbcore.claims.falsify import mutants
from shbcore.claims.trial import Trial, compare
from shbcore.model.instances import KINDS, random_instance
from shbcore.proof import *
from shbcore.proof.kernel import Term
from shbcore.proof.language import Node

ASSUMED = (WEAKLY_CONVEX, A1, A2)
VECTORS: tuple[Node, ...] = (x_prev, x_k, x_next, g_k, d_k, d_next, x_hat, x_bar, p_k, f.slope(x_k))
POINTS: tuple[Node, ...] = (x_prev, x_k, x_next, x_hat)


def draw(rng: np.random.Generator, things: Any) -> Any:
    return things[int(rng.integers(len(things)))]


def factor(rng: np.random.Generator) -> Any:
    """A multiplier that is non-negative on the whole domain."""
    number = sp.Rational(int(rng.integers(1, 6)), int(rng.integers(1, 5)))
    return number * draw(
        rng, (sp.S.One, beta, 1 - beta, nu, 1 / nu, alpha, rho, 1 / lam, (1 - beta) * rho + nu, 1 / lam - 2 * rho)
    )


def combination(rng: np.random.Generator) -> Node:
    """A random linear combination of letters."""
    total = draw(rng, VECTORS)
    for _ in range(int(rng.integers(0, 3))):
        total = total + int(rng.choice([-2, -1, 1, 3])) * draw(rng, VECTORS)
    return total


def fact(rng: np.random.Generator) -> Any:
    """A random fact or line that holds for every step, with admissible arguments."""
    weight = draw(rng, (beta, 1 - beta, sp.Rational(1, 3)))
    mixed = weight * draw(rng, POINTS) + (1 - weight) * draw(rng, POINTS)
    makers = (
        lambda: square(combination(rng)),
        lambda: young(combination(rng), combination(rng), draw(rng, (1, nu, sp.Rational(1, 2), beta))),
        lambda: square_convexity(combination(rng), combination(rng), weight),
        lambda: weak_convexity(f, draw(rng, POINTS), draw(rng, POINTS)),
        lambda: second_moment(g_k),
        lambda: projection(x_next, trial_at(z_any), mixed),
        lambda: nonexpansive(x_next, trial_at(z_any), mixed),
        lambda: envelope_infimum(F_env, x_bar, mixed),
        lambda: envelope_attained(F_env, x_hat),
        lambda: prox_strong_convexity(x_hat, draw(rng, POINTS)),
    )
    return draw(rng, makers)()


def relation_of(source: Any) -> tuple[Relation, int]:
    inner = getattr(source, "fact", None)
    if inner is not None:
        return inner.unfolded.relation, PATHWISE
    return source.statement.relation, source.statement.given


def valid_line(rng: np.random.Generator) -> Line:
    """A line that is true by construction: a sum of facts, rearranged, with the same amounts added on both sides."""
    left: Node = Number(sp.S.Zero)
    right: Node = Number(sp.S.Zero)
    terms = []
    for _ in range(int(rng.integers(1, 5))):
        source, times = fact(rng), factor(rng)
        relation, _ = relation_of(source)
        left, right = left + times * relation.left, right + times * relation.right
        terms.append(times * source)
    for _ in range(int(rng.integers(0, 3))):
        extra = int(rng.integers(1, 4)) * (combination(rng) @ combination(rng))
        left, right = left + extra, right + extra
    given = draw(rng, (TOTAL, PAST, NOW, PATHWISE))
    return line(left <= right, terms, given, assumes=ASSUMED, scope=Scope.EVERY)


@dataclass(frozen=True)
class Damage:
    """A damaged line, and what was done to it."""

    what: str
    line: Line


def damages(whole: Line, rng: np.random.Generator) -> Iterator[Damage]:
    """Every way to damage a line in one place, in random order."""
    found = [Damage(one.change, Line(one.statement, whole.terms)) for one in mutants("", whole.statement)]
    for i, term in enumerate(whole.terms):
        rest = tuple(other for j, other in enumerate(whole.terms) if j != i)
        found.append(Damage("dropped term", Line(whole.statement, rest)))
        for share in (sp.Rational(9, 10), sp.S.NegativeOne):
            changed = (*rest, Term(share * term.multiplier, term.source))
            found.append(Damage("multiplier", Line(whole.statement, changed)))
        found.append(Damage("other fact", Line(whole.statement, (*rest, term.multiplier * square(combination(rng))))))
    return iter([found[i] for i in rng.permutation(len(found))])


def trials(rng: np.random.Generator, count: int) -> Iterator[Trial]:
    """Small random problems with random parameters, both starts."""
    for j in range(count):
        case = random_instance(KINDS[j % len(KINDS)], rng, bounded=True)
        one = draw(rng, (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1)))
        lam_ = 1 / (2 * case.problem.rho + draw(rng, (Fraction(1, 2), Fraction(1), Fraction(3))))
        start: Any = draw(rng, ("printed", "repaired"))
        yield Trial(
            case.problem, case.X, case.x0, draw(rng, (Fraction(1, 4), Fraction(1), Fraction(2))), one, start, lam_
        )


def survives(says: Statement, rng: np.random.Generator, count: int = 6) -> bool:
    """Whether a statement holds on small random problems, at the first two steps."""
    return all(one.holds for trial in trials(rng, count) for k in (0, 1) for one in compare(says, trial, k))


def one_line(i: int, seed: int, damaged: int) -> Counter[str]:
    """What became of valid line number ``i`` and of so many damages to it; it depends on the seed and on ``i`` alone."""
    rng, count = np.random.default_rng([seed, i]), Counter[str]()
    whole = valid_line(rng)
    count["valid accepted" if check(whole).passed else "VALID REFUSED"] += 1
    for one, _ in zip(damages(whole, rng), range(damaged), strict=False):
        count["damages"] += 1
        if not check(one.line).passed:
            count["refused"] += 1
        elif survives(replace(one.line.statement, scope=Scope.EVERY), rng):
            count["accepted, and true on exact instances"] += 1
        else:
            count["FALSE"] += 1
            print(f"FALSE: line {i}, {one.what}: {one.line.statement.words}", file=sys.stderr)
    return count


def code() -> str:
    """A hash of what the answers depend on."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(shbcore.__file__).parent.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def run(valid: int, damaged: int, *, seed: int = 0, progress: bool = False, keep: Path | None = None) -> Counter[str]:
    """Count what became of valid lines and of damages; a false line let through is counted as ``FALSE``.

    ``keep`` names a file from which a stopped run with the same code and seed goes on.
    """
    each, key, count, done = -(-damaged // valid), f"{code()} {seed} {damaged} {valid}", Counter[str](), 0
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        held = json.loads(keep.read_text()) if keep else {}
        if held["key"] == key:
            count, done = Counter(held["count"]), held["done"]
    with tqdm(total=valid, initial=done, disable=not progress, mininterval=2.0, ascii=True, unit="line") as bar:
        while done < valid:
            count += one_line(done, seed, min(each, damaged - count["damages"]))
            done += 1
            bar.update()
            if keep and (done % 20 == 0 or done == valid):
                keep.parent.mkdir(parents=True, exist_ok=True)
                part = keep.with_suffix(f".{os.getpid()}.part")
                part.write_text(json.dumps({"key": key, "count": count, "done": done}))
                os.replace(part, keep)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description="Random valid lines and random damages against the kernel.")
    parser.add_argument("--valid", type=int, default=1000)
    parser.add_argument("--damages", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="keep what is finished in this file, and go on from there")
    options = parser.parse_args()
    count = run(options.valid, options.damages, seed=options.seed, progress=True, keep=options.keep)
    for name, n in sorted(count.items()):
        print(f"{n:>7} {name}")
    return 1 if count["FALSE"] or count["VALID REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
