r"""Looking for multipliers: what the kernel never does.  A find is always a :class:`Line`, and the kernel decides it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from shbcore.proof.domain import Domain, defined
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Context, Key, Line, Outcome, Refused, Term, check, claim, describe, parameters
from shbcore.proof.language import PATHWISE, Relation, coefficient
from shbcore.proof.statement import Scope, Statement


def pinned(domain: Domain, at: Mapping[Any, Any] | None = None) -> Domain:
    """The domain at one rational point: the given one, or one of its own."""
    own = parameters(domain).point()
    values = {**{one.symbol: own[one.symbol] for one in domain.ranges}, **dict(at or {})}
    return domain.also(*(defined(symbol, coefficient(value)) for symbol, value in values.items()))


def _columns(statement: Statement, sources: Sequence[Any]) -> tuple[list[dict[Key, Any]], dict[Key, Any], list[bool]]:
    """The normal forms of the sources and of the claim, and which sources are equalities."""
    scope = Scope.STEP if statement.scope is Scope.INHERITED else statement.scope
    context = Context(statement.domain, scope, statement.assumes)
    target = claim(context, statement)
    columns, free = [], []
    for source in sources:
        relation, given = (source.unfolded.relation, PATHWISE) if isinstance(source, Fact) else _says(source)
        form = context.mean(relation.right - relation.left, given)
        total: dict[Key, Any] = {}
        for key, value in form.items():
            for part, share in context._mean(key, statement.given).items():
                total[part] = total.get(part, context.at.ring.zero) + value * share
        columns.append(total)
        free.append(relation.sense == "==")
    return columns, target, free


def _says(source: Any) -> tuple[Relation, int]:
    """What a line or a join says, and given which field; whether it is proved is decided later."""
    return source.statement.relation, source.statement.given


def _source(thing: Any) -> Any:
    """A fact, a line or a join, from what a person writes."""
    return getattr(thing, "fact", thing)


def find(statement: Statement, sources: Iterable[Any], *, at: Mapping[Any, Any] | None = None) -> Line:
    """Multipliers for the statement: one linear solve, symbolic in all parameters, or (``at``) a linear programme at rational ones.

    Raises ``ValueError`` if none exist.  Multipliers that the linear solve leaves free are set to 0.
    """
    facts = [_source(one) for one in sources]
    if strange := [one for one in facts if not (isinstance(one, Fact) or hasattr(one, "statement"))]:
        raise ValueError(f"sources: {strange[0]!r} must be a fact or a line (what multipliers are looked for)")
    if at is not None:
        if not isinstance(at, Mapping):
            raise ValueError(f"at = {at!r} must be values by parameter, such as {{beta: 1}} (a point of the domain)")
        domain = pinned(statement.domain, at)
        statement = Statement(statement.relation, statement.given, domain, statement.assumes, statement.scope)
    columns, target, free = _columns(statement, facts)
    keys = list(dict.fromkeys(key for part in (*columns, target) for key in part))
    rows = [[column[key].as_expr() if key in column else sp.S.Zero for column in columns] for key in keys]
    right = [target[key].as_expr() if key in target else sp.S.Zero for key in keys]
    if at is not None:
        multipliers = _linear_programme(rows, right, free)
    else:
        unknowns = sp.symbols(f"m:{len(facts)}")
        solutions = list(sp.linsolve((sp.Matrix(rows), sp.Matrix(right)), *unknowns))
        if not solutions:
            lost = [
                describe(key) for key, value in target.items() if value and not any(key in column for column in columns)
            ]
            why = f"none contains {', '.join(lost)}" if lost else "its terms occur, not in this proportion"
            raise ValueError(f"no multipliers: the {len(facts)} facts do not span the claim: {why}")
        multipliers = [sp.factor(value.subs(dict.fromkeys(unknowns, 0))) for value in solutions[0]]
    return Line(statement, tuple(Term(m, one) for m, one in zip(multipliers, facts, strict=True) if m != 0))


def refit(line: Any) -> Outcome:
    """Whether *any* non-negative multipliers of the same facts prove the claim at a sample point: for negative controls."""
    if not isinstance(line, Line):
        return check(line)
    if not line.terms or line.statement.relation.sense == "==":
        return check(line)
    try:
        found = find(line.statement, [term.source for term in line.terms], at={})
    except (Refused, ValueError) as error:
        return Outcome(False, str(error))
    return check(found)


def _linear_programme(rows: list[list[Any]], right: list[Any], free: list[bool]) -> list[Any]:
    """A vertex of the multipliers at rational parameters: floating point finds the support, a rational solve the numbers."""
    import numpy as np
    from scipy.optimize import linprog

    bounds = [(None, None) if one else (0, None) for one in free]
    result = linprog(
        np.ones(len(free)), A_eq=np.array(rows, float), b_eq=np.array(right, float), bounds=bounds, method="highs-ds"
    )
    if result.status != 0 or result.x is None:
        raise ValueError("no non-negative multipliers at these parameters")
    support = [i for i, value in enumerate(result.x) if abs(value) > 1e-9]
    unknowns = sp.symbols(f"m:{len(support)}")
    solutions = list(sp.linsolve((sp.Matrix([[row[i] for i in support] for row in rows]), sp.Matrix(right)), *unknowns))
    if not solutions:
        raise ValueError("no exact multipliers on the support found by the linear programme")
    exact = dict(zip(support, (value.subs(dict.fromkeys(unknowns, 0)) for value in solutions[0]), strict=True))
    return [exact.get(i, sp.S.Zero) for i in range(len(free))]


__all__ = ["Fact", "find", "pinned", "refit"]
