r"""Worst cases as small semidefinite programmes: how much slack a proved constant has.

A line proves a claim from facts.  The worst case is the largest value of an expression that the facts allow, over all vectors of all
dimensions; the Gram matrix of the letters is the variable.  It is solved in floating point (extra ``referee``) at given parameters, for
deterministic instances: every sample is its mean.  Where a constant is sharp, an exact line and an exact instance say so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shbcore.proof.domain import Domain
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import ALL
from shbcore.proof.kernel import ONE, Context, Key, Line
from shbcore.proof.language import Node, Sample
from shbcore.proof.letters import ADMISSIBLE
from shbcore.proof.lines import flat
from shbcore.proof.search import cvxpy, pinned
from shbcore.proof.statement import Scope


@dataclass(frozen=True)
class WorstCase:
    """The largest value, what the solver says of it, and the rank of the Gram matrix: the dimension of a worst instance."""

    value: float
    status: str
    dimension: int


def _letter(context: Context, key: Key) -> Key:
    """A letter of an instance without chance: a sample is its mean."""
    if key.kind == "Sample" and isinstance(key.node, Sample):
        (mean,) = context.form(key.node.function.slope(key.node.at))
        return mean
    return key


def _plain(context: Context, node: Node) -> dict[Key, float]:
    """The normal form of a scalar for instances without chance: an expectation is what it averages."""
    total: dict[Key, float] = {}
    for key, value in context.form(node).items():
        inner = key.data[0] if key.kind == "mean" else key
        if inner.kind == "gram":
            inner = Key("gram", frozenset(_letter(context, one) for one in inner.data), inner.known)
        total[inner] = total.get(inner, 0.0) + float(value.as_expr())
    return total


def worst_case(
    objective: Node,
    facts: Iterable[Any],
    *,
    at: Mapping[Any, Any],
    domain: Domain = ADMISSIBLE,
    scope: Scope = Scope.LATE,
) -> WorstCase:
    """The largest value of ``objective`` under facts or lines, at the parameters ``at``, over all deterministic instances."""
    cp = cvxpy()
    context = Context(pinned(domain, at), scope, ALL)
    sources = [getattr(one, "fact", one) for one in facts]
    relations = [one.unfolded.relation if isinstance(one, Fact) else one.statement.relation for one in sources]
    parts = [_plain(context, objective), *(_plain(context, one.right - one.left) for one in relations)]
    letters: list[Key] = list(
        dict.fromkeys(letter for part in parts for key in part if key.kind == "gram" for letter in key.data)
    )
    values: list[Key] = list(dict.fromkeys(key for part in parts for key in part if key.kind not in ("gram", "one")))
    gram = cp.Variable((len(letters), len(letters)), PSD=True)
    heights = cp.Variable(max(len(values), 1))

    def number(part: Mapping[Key, float]) -> Any:
        matrix, linear = np.zeros(gram.shape), np.zeros(heights.shape)
        for key, weight in part.items():
            if key.kind == "gram":
                pair = [letters.index(letter) for letter in key.data]
                matrix[pair[0], pair[-1]] += weight
            elif key != ONE:
                linear[values.index(key)] += weight
        return cp.sum(cp.multiply(matrix, gram)) + linear @ heights + part.get(ONE, 0.0)

    limits = [number(p) == 0 if r.sense == "==" else number(p) >= 0 for p, r in zip(parts[1:], relations, strict=True)]
    problem = cp.Problem(cp.Maximize(number(parts[0])), limits)
    problem.solve(solver=cp.CLARABEL)
    if gram.value is None:
        return WorstCase(float(problem.value), str(problem.status), 0)
    spectrum = np.linalg.eigvalsh(gram.value)
    return WorstCase(float(problem.value), str(problem.status), int((spectrum > 1e-5 * max(spectrum.max(), 1.0)).sum()))


def tightness(line: Line, *, at: Mapping[Any, Any], without: Sequence[Any] = ()) -> WorstCase:
    """The largest left minus right of a proved claim under its own facts: 0 if no better constant follows from them."""
    whole = flat(line)
    kept = [term.source for term in whole.terms if term.source not in without]
    says = line.statement
    return worst_case(says.relation.left - says.relation.right, kept, at=at, domain=says.domain, scope=says.scope)
