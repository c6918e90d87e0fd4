r"""Finding the multipliers of a proof, which the kernel never does.  A find is always a :class:`Line` that the kernel accepted.

The facts are brought into one order first, so the answer depends on which facts are given and not on how they are listed.  At rational
parameters a linear programme is solved exactly (:mod:`shbcore.proof.simplex`).  For all parameters its vertices say which facts to use;
their multipliers are solved for symbolically, and the kernel decides.  What is not found is told apart: see :class:`NotFound`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal

import sympy as sp
from gmpy2 import mpq

from shbcore.proof import simplex
from shbcore.proof.domain import Definition, Domain, defined
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import A1
from shbcore.proof.kernel import (
    Context,
    Form,
    Key,
    Line,
    Outcome,
    Refused,
    Term,
    check,
    claim,
    describe,
    parameters,
    permitted,
    used,
)
from shbcore.proof.language import PATHWISE, Inner, Slope, coefficient, walk
from shbcore.proof.plain import plain
from shbcore.proof.plain import times as multiple
from shbcore.proof.statement import Scope, Statement, canonical

Point = dict[Any, Any]
"""A rational number for each free parameter."""


# --- points of a domain


def pinned(domain: Domain, at: Mapping[Any, Any] | None = None) -> Domain:
    """The domain at one rational point: the given one, completed by one of its own; a point outside is refused."""
    entries = {one.symbol: one for one in domain.entries}
    own = parameters(domain).point()
    values: Point = {}
    for symbol, value in dict(at or {}).items():
        if symbol not in entries:
            known = ", ".join(sorted(map(str, entries)))
            raise ValueError(f"at: {symbol!r} is no parameter of the domain; its parameters are the symbols {known}")
        if isinstance(entry := entries[symbol], Definition):
            raise ValueError(f"at: leave out {symbol}, which is defined as {entry.formula}")
        values[symbol] = coefficient(value, f"value of {symbol}")
        if not values[symbol].is_Rational:
            raise ValueError(f"at: {symbol} = {value} must be a number, such as Fraction(1, 3)")
    for one in domain.ranges:
        if one.symbol in values and not one.uses:
            _inside(one, values)
    if values:
        try:
            own = parameters(domain.also(*(defined(symbol, value) for symbol, value in values.items()))).point()
        except Refused as refusal:
            raise ValueError(f"at: choose values inside the domain: {refusal}") from None
    for one in domain.ranges:
        if one.symbol in values:
            _inside(one, own)
    return domain.also(*(defined(one.symbol, own[one.symbol]) for one in domain.ranges))


def _inside(one: Any, point: Mapping[Any, Any]) -> None:
    """The value of one parameter lies in its range."""
    value, lower = point[one.symbol], one.lower.xreplace(point)
    upper = None if one.upper is None else one.upper.xreplace(point)
    if not one.inverse:
        seen = value
    else:
        seen = 1 / value if value > 0 else sp.S.NegativeInfinity
    open_below = one.strict or upper is not None or (one.inverse and lower == 0)
    if seen < lower or (open_below and seen == lower) or (upper is not None and seen > upper):
        name = f"1/{one.symbol}" if one.inverse else str(one.symbol)
        end = "infinity)" if upper is None else f"{upper}]"
        raise ValueError(
            f"at: choose {one.symbol} inside the domain: {name} must lie in {'(' if open_below else '['}{lower}, {end}, "
            f"and {one.symbol} = {value}"
        )


_SLACKS = (2, mpq(3, 7), 5, mpq(1, 11), 13, mpq(17, 3), mpq(2, 19), 23, mpq(7, 29), 31)


def points(domain: Domain, count: int, near: Mapping[Any, Any] | None = None) -> list[Point]:
    """Rational points of the domain in general position, the same ones every time; some parameters may be held (``near``)."""
    held = {symbol: coefficient(value) for symbol, value in dict(near or {}).items()}
    if held:
        pinned(domain, held)  # inside the domain
    at = parameters(domain.also(*(defined(symbol, value) for symbol, value in held.items())))
    found = []
    for j in range(count):
        slack = {s: sp.Rational(_SLACKS[(3 * i + j + i * j) % 10] + mpq(j, i + 2)) for i, s in enumerate(at.slacks)}
        found.append({one.symbol: at.formula[one.symbol].xreplace(slack) for one in domain.ranges})
    return found


def number_at(value: Any, numbers: Sequence[Any]) -> Any:
    """A rational function at a rational point."""

    def total(part: Any) -> Any:
        whole = mpq(0)
        for powers, times in part.terms():
            one = mpq(times.numerator, times.denominator)
            for base, power in zip(numbers, powers):
                one *= base**power if power else 1
            whole += one
        return whole

    return total(value.numer) / total(value.denom)


# --- the linear system behind a claim


class System:
    """The normal forms of a claim and of the facts, once for all points; facts in one order, without those that may not be used.

    With ``granted`` every fact may be used: what then has no multipliers has none at all.
    """

    def __init__(self, statement: Statement, sources: Iterable[Any], *, granted: bool = False) -> None:
        self.statement = statement
        scope = Scope.STEP if statement.scope is Scope.INHERITED else statement.scope
        self.context = Context(statement.domain, scope, statement.assumes, unbiased=A1 in statement.assumes)
        self.target = claim(self.context, statement)
        self.sources: list[Any] = []
        self.columns: list[Form] = []
        self.free: list[bool] = []
        self.left_out: list[tuple[str, str]] = []
        facts = {_order(one): one for one in map(_source, sources)}
        for _, source in sorted(facts.items(), key=lambda item: item[0]):
            try:
                relation, given = _says(source) if granted else self._permitted(source)
            except Refused as refusal:
                self.left_out.append((_short(source), str(refusal)))
                continue
            self.columns.append(self.mean(relation.right - relation.left, given))
            self.sources.append(source)
            self.free.append(relation.sense == "==")

    def _permitted(self, source: Any) -> tuple[Any, Any]:
        """What a source says; refused if its presuppositions or its assumptions are not granted here."""
        trial = Context(self.statement.domain, self.context.scope, self.statement.assumes, unbiased=False)
        relation, given, foundations = used(trial, source, self.statement.domain)
        if self.statement.relation.sense == "==" and relation.sense != "==":
            raise Refused("an equality cannot rest on an inequality")
        trial.used |= foundations
        permitted(trial)
        return relation, given

    def mean(self, node: Any, given: Any = None) -> Form:
        """The normal form of a scalar, in expectation given the field of the statement."""
        form = self.context.mean(node, self.statement.given if given is None else given)
        total: Form = {}
        for key, value in form.items():
            for part, share in self.context._mean(key, self.statement.given).items():
                total[part] = total.get(part, self.context.at.ring.zero) + value * share
        return {key: value for key, value in total.items() if value}

    def keys(self, columns: Sequence[Form], target: Form) -> list[Key]:
        return list(dict.fromkeys(key for part in (target, *columns) for key in part))

    def numbers(self, point: Mapping[Any, Any]) -> list[Any]:
        return [mpq(int(v.p), int(v.q)) for v in (point[symbol] for symbol in self.context.at.free)] or [mpq(0)]

    def matrix(
        self, columns: Sequence[Form], target: Form, point: Mapping[Any, Any]
    ) -> tuple[list[list[Any]], list[Any]]:
        """Rows and right side at a point."""
        at = self.numbers(point)
        keys = self.keys(columns, target)
        rows = [[number_at(one[key], at) if key in one else mpq(0) for one in columns] for key in keys]
        return rows, [number_at(target[key], at) if key in target else mpq(0) for key in keys]

    def closed(self, columns: Sequence[Form], target: Form) -> list[Any] | None:
        """The one solution of a system with independent columns, as rational functions of all parameters; ``None`` if there is none."""
        ring, keys = self.context.at.ring, self.keys(columns, target)
        rows = [
            [*(one.get(key, ring.zero) for one in columns), target.get(key, ring.zero)]
            for key in sorted(keys, key=lambda key: sum(key in one for one in columns))
        ]
        done: list[tuple[int, list[Any]]] = []
        for row in rows:
            for j, top in done:
                if times := row[j]:
                    row = [u - times * v if v else u for u, v in zip(row, top)]
            lead = next((j for j, value in enumerate(row[:-1]) if value), None)
            if lead is None:
                if row[-1]:
                    return None
                continue
            row = [value / row[lead] if value else value for value in row]
            done = [
                (i, [u - top[lead] * v if v else u for u, v in zip(top, row)] if top[lead] else top) for i, top in done
            ]
            done.append((lead, row))
        if len(done) < len(columns):
            return None
        found = {j: row[-1] for j, row in done}
        return [found[j] for j in range(len(columns))]


def _source(thing: Any) -> Any:
    """A fact, a line or a join, from what a person writes."""
    found = getattr(thing, "fact", thing)
    if not isinstance(found, Fact) and not hasattr(found, "statement"):
        hint = ", without its multiplier" if isinstance(thing, Term) else ""
        raise ValueError(f"sources: {thing!r} must be a fact or a line{hint} (what multipliers are looked for)")
    return found


def _says(source: Any) -> tuple[Any, Any]:
    """The relation of a fact or of a line, and the field given which it holds."""
    if isinstance(source, Fact):
        return source.unfolded.relation, PATHWISE
    return source.statement.relation, source.statement.given


def _order(source: Any) -> str:
    return canonical(source) if isinstance(source, Fact) else canonical(source.statement)


def _short(source: Any) -> str:
    return source.kind if isinstance(source, Fact) else source.name or "an earlier line"


# --- what is not found


@dataclass(frozen=True)
class Farkas:
    """Numbers for the terms that satisfy every fact and break the claim, at one point: no multipliers exist there."""

    at: Point
    numbers: dict[Key, Any]
    violation: Any

    def __str__(self) -> str:
        terms = ", ".join(f"{describe(key)} = {value}" for key, value in self.numbers.items() if value)
        return f"{terms} would satisfy every fact, and right minus left of the claim would be {-self.violation}"


def cvxpy() -> Any:
    """The package for semidefinite programmes, which is an extra."""
    try:
        return import_module("cvxpy")
    except ModuleNotFoundError:
        raise ModuleNotFoundError("a semidefinite programme needs cvxpy: pip install 'shbcore[referee]'") from None


class NotFound(ValueError):
    """Why nothing was found.

    ``kind`` is ``infeasible`` (no multipliers exist at ``farkas.at``, and ``farkas`` shows it), ``unbounded`` (an objective has no best
    value) or ``not verified`` (multipliers exist at every point tried, but none of the closed forms passed the kernel; ``attempt`` is one).
    """

    def __init__(
        self,
        kind: Literal["infeasible", "unbounded", "not verified"],
        words: str,
        *,
        farkas: Farkas | None = None,
        attempt: Line | None = None,
    ) -> None:
        super().__init__(words)
        self.kind, self.farkas, self.attempt = kind, farkas, attempt


def _label(key: Key) -> str:
    """A name that a term has in every normal form: a gradient and a subgradient are one."""
    if key.kind in ("gram", "mean"):
        inner = key.data if key.kind == "gram" else key.data[:1]
        return f"{key.kind}{sorted(map(_label, inner))}{key.data[1] if key.kind == 'mean' else ''}"
    if isinstance(key.node, Slope):
        return f"slope of {key.node.function.name} at {key.node.at}"
    return describe(key)


def refutes(farkas: Farkas, statement: Statement, sources: Iterable[Any]) -> bool:
    """Whether the numbers really satisfy every fact and break the claim: computed anew at the point, with other normal forms."""
    domain = pinned(statement.domain, farkas.at)
    system = System(replace(statement, domain=domain), sources)
    numbers = {_label(key): value for key, value in farkas.numbers.items()}
    if len(numbers) < len(farkas.numbers):
        return False  # two terms of one name

    def value(form: Form) -> Any:
        return sum((number_at(times, [mpq(0)]) * numbers.get(_label(key), 0) for key, times in form.items()), mpq(0))

    signs = [value(one) == 0 if free else value(one) >= 0 for one, free in zip(system.columns, system.free)]
    return all(signs) and value(system.target) < 0


def _infeasible(system: System, point: Point, y: Sequence[Any]) -> NotFound:
    """The refusal with its certificate, and what is left over when as much as possible is added up."""
    keys, count = system.keys(system.columns, system.target), len(system.columns)
    lost = [
        describe(key) for key, value in system.target.items() if value and not any(key in one for one in system.columns)
    ]
    where = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
    right = system.matrix(system.columns, system.target, point)[1]
    farkas = Farkas(point, dict(zip(keys, y, strict=True)), -sum(a * b for a, b in zip(y, right, strict=True)))
    rest, squares = _left_over(system, point)
    left = " + ".join(multiple(sp.Rational(value), name) for name, value in rest.items()).replace("+ -", "- ")
    words = "no non-negative multipliers"
    if squares and lost != ["1"]:
        how = "as facts, a number as number(...)" if "1" in rest else "as squares, or squares=True"
        words += f": the claim is weaker than the facts, add what is left over {how}: {left}"
    elif lost:
        hint = " (a number that is not negative is a fact too: number(...))" if lost == ["1"] else ""
        words += f": of the {count} facts none contains {', '.join(lost)}; add one that does{hint}, or weaken the claim"
    else:
        words += f": left over is {left}; add a fact, or weaken the claim"
    words += f"\nat {where}" if where else ""
    words += "".join(f"\nleft out: {name}, because {why}" for name, why in system.left_out)
    return NotFound("infeasible", f"{words}\n{farkas}", farkas=farkas)


def _left_over(system: System, point: Point) -> tuple[dict[str, Any], bool]:
    """What is missing at a point, as little as possible, and whether it is squares (of letters, or as the claim has them) and a number."""
    relation = system.statement.relation
    trees = [one for side in (relation.left, relation.right) for one in walk(side) if isinstance(one, Inner)]
    own = {plain(str(one)): system.mean(one) for one in trees if one.left == one.right}
    columns = [*system.columns, *own.values()]
    keys = system.keys(columns, system.target)
    rows, right = system.matrix(columns, system.target, point)
    slack = [[mpq(s * (i == r)) for i in range(len(rows)) for s in (1, -1)] for r in range(len(rows))]
    even = [(key.kind == "gram" and len(key.data) == 1) or describe(key) == "1" for key in keys]
    price = [mpq(0)] * len(system.columns) + [mpq(1)] * len(own)
    price += [mpq(1 if s > 0 and one else 1000) for one in even for s in (1, -1)]
    free = [*system.free, *[False] * (len(own) + 2 * len(rows))]
    best = simplex.solve([[*row, *more] for row, more in zip(rows, slack)], right, free, [price]).values
    first = len(columns)
    found = {name: best[len(system.columns) + i] for i, name in enumerate(own)}
    gaps = {describe(key): best[first + 2 * i] - best[first + 2 * i + 1] for i, key in enumerate(keys)}
    squares = all(best[first + 2 * i + 1] == 0 and (one or best[first + 2 * i] == 0) for i, one in enumerate(even))
    return {name: value for name, value in (*found.items(), *gaps.items()) if value}, squares


# --- finding


def find(
    statement: Statement, sources: Iterable[Any], *, at: Mapping[Any, Any] | None = None, squares: bool = False
) -> Line:
    """The statement as a line that the kernel accepts: its multipliers for all parameters, or (``at``) at rational ones.

    ``squares`` adds squares of combinations of the letters by itself (it needs the extra ``referee``).  Raises :class:`NotFound`, which
    says whether there are none (with a certificate) or none were verified.
    """
    facts = list(sources)
    if at is not None:
        if not isinstance(at, Mapping):
            raise ValueError(f"at = {at!r} must be values by parameter, such as {{beta: 1}} (a point of the domain)")
        statement = replace(statement, domain=pinned(statement.domain, at))
    if squares:
        from shbcore.proof.slack import squares_for

        facts += squares_for(statement, facts)
    system = System(statement, facts)
    tried = _feasible(system, 1 if at is not None else 4)
    attempt, why = None, ""
    for found, refusal in _candidates(system, tried):
        if not refusal:
            return found
        if attempt is None:
            attempt, why = found, refusal
    raise NotFound(
        "not verified",
        f"not verified: multipliers exist at {len(tried)} points, but no closed form passed on the whole domain: {why}; "
        "restrict the domain, or add facts",
        attempt=attempt,
    )


def _feasible(system: System, count: int) -> list[Point]:
    """So many points of the domain, at each of which multipliers exist; where there are none, that is the answer."""
    tried = points(system.statement.domain, count)
    for point in tried:
        result = simplex.solve(*system.matrix(system.columns, system.target, point), system.free)
        if result.status == "infeasible":
            raise _infeasible(system, point, result.values)
    return tried


def _candidates(system: System, tried: Sequence[Point]) -> Iterator[tuple[Line, str]]:
    """Lines with closed forms for the vertices at the points, and why each is refused (empty: it is accepted).

    A vertex whose facts do not suffice at another point is passed over; the first one of all comes last, to be reported.
    """
    seen: set[tuple[int, ...]] = set()
    first = None
    price = [[mpq(0) if free else mpq(1) for free in system.free]]
    for point in tried:
        for vertex in simplex.vertices(*system.matrix(system.columns, system.target, point), system.free, price):
            if vertex.support in seen:
                continue
            seen.add(vertex.support)
            first = first or vertex.support
            if all(_suffices(system, vertex.support, other) for other in tried if other is not point):
                yield from _decided(system, vertex.support)
    if first is not None:
        yield from _decided(system, first)


def _suffices(system: System, support: Sequence[int], point: Point) -> bool:
    columns, free = [system.columns[j] for j in support], [system.free[j] for j in support]
    return simplex.solve(*system.matrix(columns, system.target, point), free).status == "optimal"


def _decided(system: System, support: Sequence[int]) -> Iterator[tuple[Line, str]]:
    """The line with these facts alone, and what the kernel says of it."""
    values = system.closed([system.columns[j] for j in support], system.target)
    if values is None:
        return
    terms = tuple(Term(sp.factor(m.as_expr()), system.sources[j]) for m, j in zip(values, support))
    if not terms and system.statement.relation.sense == "<=" and system.sources:
        terms = (Term(sp.S.Zero, system.sources[0]),)  # both sides are one: the kernel wants a term all the same
    line = Line(system.statement, terms)
    outcome = check(line)
    yield line, "" if outcome.passed else outcome.detail


def refit(line: Any) -> Outcome:
    """Whether *any* non-negative multipliers of the same facts prove the claim at a sample point: for negative controls."""
    if not isinstance(line, Line):
        return check(line)
    if not line.terms or line.statement.relation.sense == "==":
        return check(line)
    sources, says = [term.source for term in line.terms], line.statement
    try:
        _feasible(System(replace(says, domain=pinned(says.domain)), sources, granted=True), 1)
        found = find(says, sources, at={})
    except (Refused, ValueError) as error:
        return Outcome(False, str(error).splitlines()[0])
    return check(found)


__all__ = ["Fact", "Farkas", "NotFound", "find", "pinned", "points", "refit", "refutes"]
