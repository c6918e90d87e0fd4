r"""Looking for a Lyapunov function: the weights of a template, and the multipliers that prove that it falls.

.. math:: \mathbb E[V_{k+1}|\mathcal F]\le V_k-\delta\,e_k+c\,s,

.. math:: V_k=\text{fixed}+\sum_jw_jT_j.

The terms :math:`T_j`, the measure :math:`e_k`, the noise :math:`s` and the facts that may be used are given; the weights
:math:`w_j\ge0`, the multipliers, :math:`c` (least) and, where asked, :math:`\delta` (largest) are found.  At rational parameters
all of them solve one linear programme, which is solved exactly; its optimal vertex says which facts carry the proof, and these give
the weights and multipliers as rational functions of the parameters.  The kernel decides the line that comes out.  Nothing is returned
that it refuses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy as sp
from gmpy2 import mpq

from shbcore.proof import simplex
from shbcore.proof.domain import Domain, Range
from shbcore.proof.foundations import Foundation
from shbcore.proof.kernel import Form, Line, Refused, Term, check
from shbcore.proof.language import PATHWISE, Field, Named, Node, Number, Relation, is_node, shifted
from shbcore.proof.letters import ADMISSIBLE
from shbcore.proof.search import Farkas, NotFound, Point, System, number_at, points
from shbcore.proof.statement import Scope, Statement

Goal = Literal["noise", "decrease", "weights"]
GOALS = ("noise", "decrease", "weights")
Part = Node | tuple[Node, Node]
"""A term at step k, which is shifted by itself to k + 1; or the term at both."""


@dataclass(frozen=True, eq=False)
class Found:
    """A Lyapunov function that the kernel accepted: ``function`` falls, by ``line``.

    ``best_at`` says at how many of the ``tried`` points these weights are also the best ones that the facts allow.
    """

    function: Node
    weights: tuple[Any, ...]
    decrease: Any
    noise: Any
    line: Line
    best_at: int
    tried: int

    def __str__(self) -> str:
        return self.line.statement.words


@dataclass(frozen=True, eq=False)
class Template:
    r"""What is looked for: the term with weight 1, the terms with unknown weights, what falls, what noise is paid, and the facts.

    A term is written at step k and shifted to k + 1 by itself; a pair ``(now, after)`` says what it is at both, where a shift would not
    do, as for a weight that changes from step to step.  ``rate`` is :math:`\delta`, how much of ``decrease`` the function must fall by;
    without it the largest one is looked for, and a function that does not fall at all is no answer.
    """

    fixed: Part
    terms: Sequence[Part]
    decrease: Node
    noise: Node
    facts: Sequence[Any]
    given: Field = PATHWISE
    domain: Domain = ADMISSIBLE
    assumes: Sequence[Foundation] = ()
    scope: Scope = Scope.STEP
    rate: Any = None
    name: str = "V_k"

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(self.terms))
        object.__setattr__(self, "facts", tuple(self.facts))
        object.__setattr__(self, "assumes", tuple(self.assumes))
        for name in ("fixed", "decrease", "noise"):
            if not is_node(now := _now(getattr(self, name))) or now.vector:
                raise ValueError(f"{name}: write a scalar such as d_k**2 or Number(sigma2), got {now!s}")
        if any(not is_node(_now(one)) or _now(one).vector for one in self.terms):
            raise ValueError("terms: write scalars such as d_k**2 and f(x_k), each once")

    def function(self, weights: Sequence[Any], *, after: bool = False) -> Node:
        """The function with these weights, at step k or (``after``) at k + 1; it has a name if every term is shifted by itself."""
        side = _next if after else _now
        total = _total([(sp.S.One, side(self.fixed)), *zip(weights, map(side, self.terms), strict=True)])
        if any(isinstance(one, tuple) for one in (self.fixed, *self.terms)):
            return total
        at_k = _total([(sp.S.One, _now(self.fixed)), *zip(weights, map(_now, self.terms), strict=True)])
        named = Named(self.name, at_k, "", 0)
        return shifted(named) if after else named

    def statement(self, weights: Sequence[Any], rate: Any, noise: Any) -> Statement:
        """That the function with these weights falls."""
        right = self.function(weights)
        right = right - rate * self.decrease if rate != 0 else right
        right = right + noise * self.noise if noise != 0 else right
        relation = Relation(self.function(weights, after=True), right)
        return Statement(relation, self.given, self.domain, tuple(self.assumes), self.scope)


def _now(part: Part) -> Node:
    return part[0] if isinstance(part, tuple) else part


def _next(part: Part) -> Node:
    return part[1] if isinstance(part, tuple) else shifted(part)


def _total(parts: Iterable[tuple[Any, Node]]) -> Node:
    found: Node | None = None
    for times, node in parts:
        if times != 0:
            found = times * node if found is None else found + times * node
    return found if found is not None else Number(sp.S.Zero)


class _Programme:
    """The columns of a template: facts, then weights, then the rate (if it is asked for), then the noise."""

    def __init__(self, template: Template) -> None:
        self.template = template
        zero = Number(sp.S.Zero)
        self.system = System(replace(template.statement([0] * len(template.terms), 0, 0)), template.facts)
        mean = self.system.mean
        facts = list(self.system.columns)
        weights = [mean(_next(one) - _now(one)) for one in template.terms]
        rate = [mean(template.decrease)] if template.rate is None else []
        self.columns: list[Form] = [*facts, *weights, *rate, mean(zero - template.noise)]
        fixed = _now(template.fixed) - _next(template.fixed)
        self.target = mean(fixed if template.rate is None else fixed - template.rate * template.decrease)
        self.first = len(facts)
        self.free = [*self.system.free, *[False] * (len(self.columns) - self.first)]

    def costs(self, goals: Sequence[Goal]) -> list[list[Any]]:
        """One cost for each goal, and the sum of weights and multipliers at the end, which decides among equals."""
        n, last, asked = len(self.columns), len(self.columns) - 1, self.template.rate is None
        weights = range(self.first, last - asked)
        each = {
            "noise": [mpq(j == last) for j in range(n)],
            "decrease": [mpq(-(j == last - 1 and asked)) for j in range(n)],
            "weights": [mpq(j in weights) for j in range(n)],
        }
        return [*(each[goal] for goal in goals), [mpq(not free) for free in self.free]]

    def matrix(self, point: Point, support: Sequence[int] | None = None) -> tuple[list[list[Any]], list[Any]]:
        kept = self.columns if support is None else [self.columns[j] for j in support]
        return self.system.matrix(kept, self.target, point)

    def solve(self, point: Point, goals: Sequence[Goal]) -> simplex.Solved:
        return simplex.solve(*self.matrix(point), self.free, self.costs(goals))

    def result(self, support: Sequence[int]) -> Found | None:
        """The closed form of a support as a function with its line, undecided."""
        values = self.system.closed([self.columns[j] for j in support], self.target)
        if values is None:
            return None
        all_values = {j: sp.factor(value.as_expr()) for j, value in zip(support, values, strict=True)}
        n, count = len(self.columns), len(self.template.terms)
        weights = tuple(all_values.get(self.first + i, sp.S.Zero) for i in range(count))
        rate = all_values.get(n - 2, sp.S.Zero) if self.template.rate is None else self.template.rate
        noise = all_values.get(n - 1, sp.S.Zero)
        says = self.template.statement(weights, rate, noise)
        sources = self.system.sources
        line = Line(says, tuple(Term(value, sources[j]) for j, value in all_values.items() if j < self.first))
        return Found(self.template.function(weights), weights, rate, noise, line, 0, 0)


def lyapunov(template: Template, *goals: Goal, near: Mapping[Any, Any] | None = None, tries: int = 4) -> Found:
    """The function of the template that is best for the goals, the first one first.

    By default that is the least noise, then the least weights; without a rate in the template the largest decrease, then the least noise.

    ``near={beta: Fraction(1, 1000)}`` asks for the best one there; it is certified on the whole domain all the same.
    Raises :class:`NotFound`: ``infeasible`` if there is none at some point of the domain, ``unbounded`` if a goal has no best value there,
    ``not verified`` if the closed forms of the vertices tried are not shown to hold on the whole domain, or do not fall.
    """
    goals = goals or _usual(template)
    for goal in goals:
        if goal not in GOALS:
            raise ValueError(f"goal: choose one of {', '.join(GOALS)}, got {goal!r}")
    if "decrease" in goals and template.rate is not None:
        raise ValueError("goal: leave out rate in the template, if the decrease is asked for")
    programme = _Programme(template)
    tried = points(template.domain, tries, near)
    best = [_solved(programme, point, goals) for point in tried]
    why = ""
    for support in _supports(programme, tried, goals):
        found = programme.result(support)
        if found is None:
            continue
        if template.rate is None and found.decrease == 0:
            why = why or "its decrease is 0, so it need not fall: put decrease first among the goals, or fix the rate"
            continue
        for value in (*found.weights, found.noise, found.decrease):
            if not programme.system.context.at.sign(value)[0]:
                why = why or f"the weight {value} is not shown to be non-negative"
                break
        else:
            outcome = check(found.line)
            if outcome.passed:
                count = sum(_reaches(found, point, one, programme, goals) for point, one in zip(tried, best))
                return replace(found, best_at=count, tried=len(tried))
            why = why or outcome.detail
    raise NotFound(
        "not verified",
        f"not verified: there is such a function at {tries} points, but no closed form passed on the whole domain: {why}; "
        "restrict the domain, or add facts",
    )


def _usual(template: Template) -> tuple[Goal, ...]:
    """The goals where none are named."""
    return ("decrease", "noise") if template.rate is None else ("noise", "weights")


def _solved(programme: _Programme, point: Point, goals: Sequence[Goal]) -> simplex.Solved:
    found = programme.solve(point, goals)
    where = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
    if found.status == "infeasible":
        out = "".join(f"\nleft out: {name}, because {why}" for name, why in programme.system.left_out)
        keys, (_, right) = programme.system.keys(programme.columns, programme.target), programme.matrix(point)
        broken = -sum(y * b for y, b in zip(found.values, right, strict=True))
        farkas = Farkas(point, dict(zip(keys, found.values, strict=True)), broken)
        words = f"no weights: add terms or facts; there is no such function at {where}{out}"
        raise NotFound("infeasible", f"{words}\n{farkas}, whatever the weights", farkas=farkas)
    if found.status == "unbounded":
        raise NotFound(
            "unbounded", f"{goals[0]} has no best value: fix the rate, or put another goal first; at {where}"
        )
    return found


def _supports(programme: _Programme, tried: Sequence[Point], goals: Sequence[Goal]) -> Iterator[tuple[int, ...]]:
    """Supports that suffice at all points: of optimal vertices first, then of others, those that lose least at the worst point first."""
    costs = programme.costs(goals)
    optimal, others = (
        {
            v.support: None
            for point in tried
            for v in simplex.vertices(*programme.matrix(point), programme.free, c, most)
        }
        for c, most in ((costs, 300), (costs[:1], 300))
    )
    yield from (one for one in optimal if _worst(programme, one, tried, costs[0]) is not None)
    ranked = {one: _worst(programme, one, tried, costs[0]) for one in others if one not in optimal}
    yield from sorted((one for one, loss in ranked.items() if loss is not None), key=lambda one: (ranked[one], one))


def _worst(programme: _Programme, support: Sequence[int], tried: Sequence[Point], cost: Sequence[Any]) -> Any:
    """The largest cost that this support has at one of the points; ``None`` if it does not suffice at some point."""
    free = [programme.free[j] for j in support]
    found = []
    for point in tried:
        solved = simplex.solve(*programme.matrix(point, support), free)
        if solved.status != "optimal":
            return None
        found.append(sum(cost[j] * value for j, value in zip(support, solved.values, strict=True)))
    return max(found)


def _reaches(found: Found, point: Point, best: simplex.Solved, programme: _Programme, goals: Sequence[Goal]) -> bool:
    """Whether the closed form is as good as the optimum at a point, goal by goal."""
    at, ring = programme.system.numbers(point), programme.system.context.at
    values = [number_at(ring.element(sp.sympify(v)), at) for v in (*found.weights, found.noise, found.decrease)]
    reached = {"noise": values[-2], "decrease": -values[-1], "weights": sum(values[:-2], mpq(0))}
    costs = programme.costs(goals)
    return all(
        reached[goal] == sum(c * v for c, v in zip(cost, best.values, strict=True)) for goal, cost in zip(goals, costs)
    )


# --- the largest range of one parameter


def widest(template: Template, symbol: Any, *goals: Goal, top: Any = 10**6) -> Found:
    """The function on the largest range ``symbol > bound`` that the facts allow: for nu that is the largest range of stepsizes.

    At rational points of the other parameters the least value for which the linear programme has a solution is bracketed; the bound is
    the root of a multiplier's closed form that meets all brackets.  The function is then looked for, and certified, on that range.
    """
    ranges = {one.symbol: one for one in template.domain.ranges}
    if symbol not in ranges or ranges[symbol].upper is not None or ranges[symbol].inverse:
        raise ValueError(
            f"symbol: choose a parameter with a range above a bound, such as nu with positive(nu), not {symbol}"
        )
    programme = _Programme(template)
    goals = goals or ("noise", "weights")
    edges = []
    for point in points(template.domain, 5):
        high = sp.Rational(top)
        if programme.solve({**point, symbol: high}, goals).status != "optimal":
            raise NotFound(
                "infeasible", f"no weights: add terms or facts; there is no such function at {symbol} = {high}"
            )
        low = ranges[symbol].lower.xreplace(point)
        for _ in range(36):
            middle = sp.nsimplify(sp.Float((low + high) / 2, 8), rational=True)
            feasible = programme.solve({**point, symbol: middle}, goals).status == "optimal"
            low, high = (low, middle) if feasible else (middle, high)
        edges.append((point, low, high))
    for bound in _roots(programme, symbol, edges, goals):
        domain = template.domain.also(Range(symbol, bound, strict=True))
        try:
            return lyapunov(replace(template, domain=domain), *goals)
        except (NotFound, Refused):
            continue
    found = ", ".join(f"between {float(a):.6g} and {float(b):.6g}" for _, a, b in edges)
    raise NotFound(
        "not verified",
        f"not verified: the range of {symbol} ends {found} at the points that were tried, and no closed form was found for it; add facts",
    )


def _roots(programme: _Programme, symbol: Any, edges: Sequence[Any], goals: Sequence[Goal]) -> Iterator[Any]:
    """Bounds, as expressions in the other parameters, that lie in every bracket."""
    seen = set()
    for point, _, high in edges:
        found = programme.solve({**point, symbol: high}, goals)
        result = programme.result(found.support)
        if result is None:
            continue
        values = [*result.weights, result.noise, *(term.multiplier for term in result.line.terms)]
        parts = {
            part for value in values for side in sp.fraction(sp.together(value)) for part, _ in sp.factor_list(side)[1]
        }
        for part in sorted((one for one in parts if sp.degree(one, symbol) == 1), key=sp.default_sort_key):
            bound = sp.factor(sp.solve(part, symbol)[0])
            if bound in seen:
                continue
            seen.add(bound)
            if all(low <= bound.xreplace(at) <= high for at, low, high in edges):
                yield bound


__all__ = ["Found", "Template", "lyapunov", "widest"]
