r"""The kernel: it alone decides whether a line is proved.

A :class:`Line` is a statement and terms, each a multiplier times a fact or an earlier line.  :func:`check` accepts it exactly if right
minus left, in expectation given the field, is the sum of the terms, coefficient by coefficient; every multiplier of an inequality is
non-negative, and no denominator vanishes, on the whole domain; what the facts presuppose holds; every earlier line passes on this
domain and covers these steps; and nothing is used that the statement does not assume.  Nothing is searched for and nothing is printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Definition, Domain, Range
from shbcore.proof.facts import SETTING, Fact, Unfolded, alpha, rho
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Coefficient,
    Direction,
    Field,
    Free,
    Function,
    Inner,
    Iterate,
    Letter,
    Mean,
    Named,
    Node,
    Number,
    Projected,
    Proximal,
    Quantity,
    RandomIndex,
    Relation,
    Sample,
    Scaled,
    Series,
    Slope,
    Sum,
    Value,
    coefficient,
    indexed,
    known,
    walk,
)
from shbcore.proof.statement import USABLE, Scope, Statement


class Refused(ValueError):
    """The kernel does not accept a line; the message says why."""


class MeasurabilityError(Refused):
    """Something was pulled out of an expectation whose field does not know it."""


@dataclass(frozen=True)
class Outcome:
    """What a check found, and the words for it; ``foundations`` is what an accepted line rests on."""

    passed: bool
    detail: str
    foundations: frozenset[Foundation] = frozenset()


# --- parameters: signs and poles over a whole domain


class Parameters:
    """The domain as the kernel sees it: each parameter as a rational function of slacks that are its own."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.entries = {entry.symbol: entry for entry in domain.entries}
        self.free = tuple(one.symbol for one in domain.ranges)
        self.ring = sp.QQ.frac_field(*(self.free or (sp.Dummy(),)))
        self.slack = {one: sp.Dummy(f"slack_{one.symbol}") for one in domain.ranges}
        self.slacks = tuple(self.slack.values()) or (sp.Dummy(),)
        self.space = sp.QQ.frac_field(*self.slacks)
        self.formula: dict[Any, Any] = {}
        self.value: dict[Any, Any] = {}
        self.signs: dict[Any, tuple[bool, bool]] = {}
        self.defined: dict[Any, Any] = {}
        for symbol in self.entries:
            self._resolve(symbol, ())
        for entry in domain.entries:
            self._sound(entry)

    def _resolve(self, symbol: Any, trail: tuple[Any, ...]) -> None:
        if symbol in self.formula:
            return
        if symbol in trail:
            raise Refused(f"the domain runs in a circle: {' -> '.join(map(str, (*trail, symbol)))}")
        if symbol not in self.entries:
            raise Refused(f"parameter {symbol} has no range in the domain")
        entry = self.entries[symbol]
        for used in entry.uses:
            self._resolve(used, (*trail, symbol))
        if isinstance(entry, Definition):
            self.formula[symbol] = entry.formula.xreplace(self.formula)
            self.value[symbol] = entry.formula.xreplace(self.value)
        else:
            lower, s = entry.lower.xreplace(self.formula), self.slack[entry]
            base = lower + s if entry.upper is None else (entry.upper.xreplace(self.formula) + s * lower) / (1 + s)
            self.formula[symbol] = 1 / base if entry.inverse else base
            self.value[symbol] = symbol
        if self.formula[symbol].has(sp.zoo, sp.nan, sp.oo):
            raise Refused(f"parameter {symbol} is defined by a division by zero")

    def _sound(self, entry: Range | Definition) -> None:
        """A definition has no pole, an interval is not empty, one over a parameter is not negative."""
        if isinstance(entry, Definition):
            self.no_pole(entry.formula)
            return
        for bound in (entry.lower, entry.upper):
            self.no_pole(sp.S.Zero if bound is None else bound)
        if entry.upper is not None and not self.sign(entry.upper - entry.lower)[1]:
            raise Refused(f"the range of {entry.symbol} may be empty")
        if entry.inverse and not self.sign(entry.lower)[0]:
            raise Refused(f"one over {entry.symbol} may be negative")

    def element(self, value: Any) -> Any:
        """A coefficient in the field of rational functions of the free parameters, definitions put in."""
        if value not in self.defined:
            if stray := value.free_symbols - self.entries.keys():
                raise Refused(f"parameter {', '.join(sorted(map(str, stray)))} has no range in the domain")
            plain = value.xreplace(self.value)
            if plain.has(sp.zoo, sp.nan, sp.oo):
                raise Refused(f"{value} is a division by zero on the domain")
            self.defined[value] = self.ring.from_sympy(plain)
        return self.defined[value]

    def sign(self, value: Any) -> tuple[bool, bool]:
        """Whether the value is proved to be non-negative, and positive, on the whole domain, by the signs of coefficients."""
        if value not in self.signs:
            if stray := value.free_symbols - self.entries.keys():
                raise Refused(f"parameter {', '.join(sorted(map(str, stray)))} has no range in the domain")
            self.signs[value] = self._sign(value.xreplace(self.formula))
        return self.signs[value]

    def _sign(self, rational: Any) -> tuple[bool, bool]:
        if rational.has(sp.zoo, sp.nan, sp.oo):
            raise Refused("a division by zero on the domain")
        reduced = self.space.from_sympy(rational)
        numerator, denominator = (
            sp.Poly(dict(part), *self.slacks, domain="QQ") for part in (reduced.numer, reduced.denom)
        )
        if all(value <= 0 for value in denominator.coeffs()):
            numerator, denominator = -numerator, -denominator
        numerator = _lifted(numerator)
        if any(value < 0 for part in (numerator, denominator) for value in part.coeffs()):
            return False, False
        sure = [one.strict and one.upper is None for one in self.slack] or [True]
        positive = any(
            value > 0 and all(strict or power == 0 for strict, power in zip(sure, powers, strict=True))
            for powers, value in numerator.terms()
        )
        return True, positive

    def no_pole(self, value: Any) -> None:
        """Every denominator as written is positive, or negative, on the whole domain."""
        for part in sp.preorder_traversal(value):
            below = part.base if isinstance(part, sp.Pow) and part.exp.is_negative else sp.S.One
            if below.free_symbols and not (self.sign(below)[1] or self.sign(-below)[1]):
                raise Refused(f"the denominator {below} may vanish")

    def point(self) -> dict[Any, Any]:
        """One rational point of the domain, which shows that it is not empty."""
        at = {s: sp.Integer(i) for i, s in enumerate(self.slacks, 1)}
        return {symbol: sp.nsimplify(formula.xreplace(at)) for symbol, formula in self.formula.items()}


def _lifted(numerator: Any) -> Any:
    r"""The polynomial times :math:`(1+s)^m`, for one slack s and the first m up to 3 that leave no negative coefficient, if any do."""
    if all(value >= 0 for value in numerator.coeffs()):
        return numerator
    for s in numerator.gens:
        lifted = numerator
        for _ in range(3):
            lifted = lifted * sp.Poly(1 + s, *numerator.gens, domain="QQ")
            if all(value >= 0 for value in lifted.coeffs()):
                return lifted
    return numerator


@cache
def parameters(domain: Domain) -> Parameters:
    """The domain prepared, once."""
    return Parameters(domain)


# --- normal forms: linear combinations of letters, and of inner products, values and expectations


@dataclass(frozen=True)
class Key:
    """A letter, a value, an inner product or an expectation as the kernel tells it apart: by what it is, not by its name."""

    kind: str
    data: Any
    known: Field
    name: str = field(compare=False, default="")
    node: Node | None = field(compare=False, default=None)
    first: bool | str | None = field(compare=False, default=None)


FAR = 1000
_AFTER = (Scope.LATE, Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY)
ONE = Key("one", None, TOTAL, "1")
Form = dict[Key, Any]
"""A linear combination with coefficients in the field of rational functions."""


class Context:
    """One domain and one statement's scope: normal forms in it, and what they rest on."""

    def __init__(self, domain: Domain, scope: Scope, assumes: Iterable[Foundation], *, unbiased: bool = True) -> None:
        self.at, self.unbiased = parameters(domain), unbiased
        self.scope, self.assumes = scope, frozenset(assumes)
        self.used: set[Foundation] = set()
        self.names: dict[str, Key] = {}
        self.cache: dict[int, tuple[Node, Form]] = {}

    def number(self, value: Coefficient) -> Any:
        value = coefficient(value)
        self.at.no_pole(value)
        return self.at.element(value)

    def form(self, node: Node) -> Form:
        """The normal form of a vector or of a scalar."""
        held = self.cache.get(id(node))
        if held is None:
            held = (node, {key: value for key, value in self._form(node).items() if value})
            self.cache[id(node)] = held
        return held[1]

    def _form(self, node: Node) -> Form:
        if type(node) not in _NODES:
            raise Refused(f"{type(node).__name__} is no part of the language")
        if isinstance(node, Sum):
            if len({part.vector for part in node.parts}) > 1:
                raise Refused("a sum of vectors and scalars")
            return _added((self.at.ring.one, self.form(part)) for part in node.parts)
        if isinstance(node, Scaled):
            return _added([(self.number(node.times), self.form(node.of))])
        if isinstance(node, Number):
            return {ONE: self.number(node.value)}
        if isinstance(node, Named):
            self._because(node)
            self._called(node)
            return self.form(node.of)
        if isinstance(node, Letter):
            return {self._letter(node): self.at.ring.one}
        if isinstance(node, Inner):
            if not (node.left.vector and node.right.vector):
                raise Refused("an inner product of something that is no vector")
            left, right = self.form(node.left), self.form(node.right)
            return _added(
                [(_product(u, v), {_gram(a, b): self.at.ring.one}) for a, u in left.items() for b, v in right.items()]
            )
        if isinstance(node, Mean):
            if node.of.vector:
                raise Refused("the expectation of a vector is not part of the language")
            return _added((value, self._mean(key, node.given)) for key, value in self.form(node.of).items())
        if isinstance(node, Value):
            key = self._named(
                Key("value", (self._function(node.function), self._point(node.at)), known(node.at), node=node)
            )
            return {key: self.at.ring.one}
        if isinstance(node, Quantity):
            return {Key("quantity", node.name, TOTAL, node.name, node): self.at.ring.one}
        if isinstance(node, (Series, RandomIndex)):
            if isinstance(node, Series) and (node.first not in (0, 1) or node.last not in ("K", "K-1")):
                raise Refused(f"a sum from {node.first} to {node.last} is not provided for")
            inner = frozenset(self._unscoped(node.of).items())
            data = (inner, node.first, node.last) if isinstance(node, Series) else (inner, node.shifted)
            return {Key(type(node).__name__, data, TOTAL, node=node): self.at.ring.one}
        raise Refused(f"{type(node).__name__} has no meaning here")

    def _unscoped(self, node: Node) -> Form:
        """The normal form of the summand of a series: its letters are bound by the sum."""
        inner = Context(self.at.domain, Scope.STEP, self.assumes)
        found = inner.form(node)
        if on.START in inner.used and self.scope not in (Scope.RUN, Scope.SHORT_RUN):
            raise Refused(f"the recursion at k = 0 in a sum is not available {self.scope.value}")
        self.used |= inner.used - {on.RECURSION, on.START}
        return found

    def _point(self, node: Node) -> frozenset[tuple[Key, Any]]:
        if not node.vector:
            raise Refused("a function is evaluated at a vector")
        return frozenset(self.form(node).items())

    def _function(self, f: Function) -> tuple[Any, ...]:
        if type(f) is not Function:
            raise Refused(f"{type(f).__name__} is no function of the language")
        inner = self._function(f.of) if f.of is not None else None
        if (f.role == "objective") != (f.name == "f") or (f.name == "f" and f.slope_name not in ("f'", r"\nabla f")):
            raise Refused(f"the objective is called f, and the assumptions are about one function: not {f.name}")
        if f.role == "envelope":
            if f.of is None or f.of.role != "objective":
                raise Refused(f"{f.name} is the envelope of something that is not the objective")
            if f.name == r"F_\lambda" and coefficient(f.envelope) != sp.Symbol("lambda"):
                raise Refused(f"{f.name} is the paper's envelope, with parameter lambda")
            self._prox_exists(f.envelope)
        data = (f.name, f.role, inner, None if f.envelope is None else self.number(coefficient(f.envelope)))
        if self.names.setdefault(f"the function {f.name}", Key("function", data, TOTAL)).data != data:
            raise Refused(f"two different things are called {f.name}")
        return data

    def _prox_exists(self, envelope: Any) -> None:
        r"""The prox of a weakly convex function exists and its envelope is finite for :math:`\lambda\rho<1`."""
        lam = coefficient(envelope)
        self.at.no_pole(lam)
        short = self.at.sign(1 / lam - rho)[1] or self.at.sign(sp.Rational(1, 2) - lam * rho)[0]
        if not (short and self.at.sign(lam)[1]):
            raise Refused(f"the prox for lambda = {lam} is not shown to exist: lambda rho < 1")
        self.used |= {on.WEAKLY_CONVEX, on.PROX}

    def _available(self, node: Letter) -> None:
        r"""A letter of an earlier step exists: :math:`x_{-1}=x_0`, but there is no :math:`g_{-1}` and no :math:`z_{-1}`."""
        early = self.scope in (Scope.LATE, Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY)
        if isinstance(node, Iterate):
            least = 0 if node.first else -2 if early else -1
            exists = node.index >= least
        elif isinstance(node, Direction):
            exists = node.index >= (0 if node.first or not early else -1)
        elif isinstance(node, Sample) and isinstance(node.at, Iterate):
            exists = node.at.index >= (0 if node.at.first or not early else -1)
            if node.name != indexed("g", node.at.index, node.at.first) and _RESERVED.fullmatch(node.name):
                raise Refused(f"{node.name} is the paper's name of another sample")
        else:
            exists = True
            if _RESERVED.fullmatch(node.name) and not self._paper(node):
                raise Refused(f"{node.name} is a name of the paper for something else")
        if not exists:
            raise Refused(f"{node.name} does not exist {self.scope.value or 'without steps'}")

    def _paper(self, node: Letter) -> bool:
        """Whether a prox point with a name of the paper is the prox point of the extrapolated point."""
        from shbcore.proof.letters import bar

        if not isinstance(node, Proximal):
            return False
        for first in (False, True):
            for index in (0, 1) if first else (-1, 0, 1, 2):
                if node.name == indexed(r"\hat x", index, first):
                    own = coefficient(node.envelope) == sp.Symbol("lambda")
                    return own and self.form(node.of) == self.form(bar(index, first))
        return False

    def _letter(self, node: Letter) -> Key:
        at = known(node)
        first: bool | str | None = None
        if at != TOTAL and not -FAR < at < FAR:
            raise Refused(f"{node.name} is known at no field of the method")
        if (
            isinstance(node, Sample)
            and known(node.at) != TOTAL
            and known(node.at) < (-2 if self.scope in _AFTER else -1)
        ):
            raise Refused(f"{node.name} does not exist {self.scope.value or 'without steps'}")
        if isinstance(node, (Iterate, Direction)) and type(node.first) is not bool:
            raise Refused(f"{node.name}: first is true or false")
        self._available(node)
        data: Any
        if isinstance(node, Free):
            data = (node.name, node.inside)
        elif isinstance(node, (Iterate, Direction)):
            data, first = (node.index, node.first), node.first
        elif isinstance(node, Sample):
            if node.function.role != "objective":
                raise Refused(f"{node.function.name} is not the objective, of which the oracle gives samples")
            if max((key.known for key in self.form(node.at)), default=TOTAL) != known(node.at):
                raise Refused(f"{node.name} is drawn later than its point is known")
            data = (self._function(node.function), self._point(node.at), node.name)
        elif isinstance(node, Slope):
            data = (self._function(node.function), self._point(node.at))
        elif isinstance(node, Projected):
            data = self._point(node.of)
        elif isinstance(node, Proximal):
            if node.function.role != "objective":
                raise Refused(f"{node.name} is a prox point of something that is not the objective")
            self._prox_exists(node.envelope)
            data = (self._function(node.function), self.number(coefficient(node.envelope)), self._point(node.of))
        else:
            raise Refused(f"{type(node).__name__} is no letter of the language")
        if first is None:
            anchors = {one.first for one in walk(node) if isinstance(one, (Iterate, Direction))}
            first = next(iter(anchors)) if len(anchors) == 1 else "mixed" if anchors else None
        return self._named(Key(type(node).__name__, data, at, node.name, node, first))

    def _named(self, key: Key) -> Key:
        """A name belongs to one thing; two things of one name in one line are refused."""
        if key.name and self.names.setdefault(key.name, key) != key:
            raise Refused(f"two different things are called {key.name}")
        return key

    def _because(self, node: Named) -> None:
        """A name that stands for its tree only by an equation of the method: the equation is checked, and recorded."""
        if not node.because:
            return
        name = indexed("z", node.index or 0, node.first)
        if node.because not in ("recursion", "printed start") or node.index is None or node.name != name:
            raise Refused(f"{node.name}: {node.because!r} is no equation of the method")
        self._direction(node.of, node.index, node.first, node.name)

    def _called(self, node: Named) -> None:
        """A name means one thing in a line, and the names of the paper mean what the paper says."""
        from shbcore.proof.letters import meaning

        form = self.form(node.of)
        own = meaning(node)
        if own is None and not node.because and _RESERVED.fullmatch(node.name):
            raise Refused(f"{node.name} is a name of the paper: a tree under this name must be the paper's")
        if own is not None and form != self.form(own):
            raise Refused(f"{node.name} does not stand for what the paper calls {node.name}")
        key = Key("named", frozenset(form.items()), known(node), node.name, node)
        held = self.names.setdefault(node.name, key)
        if held != key and {held: self.at.ring.one} != form:
            raise Refused(f"two different things are called {node.name}")

    def _direction(self, z: Node, index: int, first: bool, name: str) -> None:
        r"""Whether a vector is the direction :math:`z` at an index: a letter, by the recursion, or by the printed start."""
        from shbcore.proof.letters import recursion, sample

        found = self.form(z)
        if list(found.values()) == [self.at.ring.one] and [(one.kind, one.data) for one in found] == [
            ("Direction", (index, first))
        ]:
            return
        if found == self.form(recursion(index, first)):
            self.used.add(on.RECURSION)
            if index == 0 and first:
                self._start(Scope.FIRST_REPAIRED, on.START, name)
            elif index == 0 and self.scope in (Scope.STEP, Scope.SHORT_RUN):
                self.used.add(on.START)
            elif (index == 0 and self.scope not in (Scope.LATE, *_RUNS)) or index < 0:
                raise Refused(f"the recursion for {name} is not available {self.scope.value or 'without steps'}")
            return
        if first and index == 0 and found == self.form(sample(0, first=True)):
            self._start(Scope.FIRST, on.PRINTED_START, name)
            return
        raise Refused(f"{name} is not the direction of the method at this step")

    def _start(self, scope: Scope, start: Foundation, name: str) -> None:
        runs = (Scope.RUN, Scope.SHORT_RUN) if scope is Scope.FIRST_REPAIRED else (Scope.RUN_PRINTED,)
        if self.scope not in (scope, *runs):
            raise Refused(f"{name}: {start.name} is not available {self.scope.value}")
        self.used.add(start)

    def _mean(self, key: Key, given: Field) -> Form:
        """The expectation of one term: what the field knows is pulled out, a fresh sample is replaced by its mean (A1)."""
        one = {key: self.at.ring.one}
        if key.known <= given:
            return one
        if key.kind == "mean":  # tower property: the inner field is finer
            self.used.add(on.INDEPENDENCE)
            return self._mean(key.data[0], given)
        if key.kind == "gram":
            pair = sorted(key.data, key=lambda letter: -letter.known)
            fresh, other = pair[0], pair[-1]
            comparable = self.unbiased and (
                other.known == TOTAL or (fresh.first == other.first and fresh.first != "mixed")
            )
            if fresh.kind == "Sample" and other != fresh and comparable and max(other.known, given) < fresh.known:
                assert isinstance(fresh.node, Sample)
                self.used |= {on.A1, on.INDEPENDENCE}
                mean = self._letter(fresh.node.function.slope(fresh.node.at))
                return self._mean(_gram(mean, other), given)
        return {Key("mean", (key, given), given): self.at.ring.one}

    def mean(self, node: Node, given: Field) -> Form:
        return _added((value, self._mean(key, given)) for key, value in self.form(node).items())

    # --- what facts presuppose

    def inside(self, point: Node) -> None:
        """The point is a convex combination of points of X, or there are no constraints."""
        weights = self.form(point)
        members = bool(weights) and all(self._member(key) for key in weights)
        convex = members and sum(weights.values()) == self.at.ring.one
        if convex and all(self.at.sign(value.as_expr())[0] for value in weights.values()):
            self.used.add(on.CONVEX_SET)
            self.used |= {on.MEMBERSHIP} if any(key.kind == "Iterate" for key in weights) else set()
            return
        if on.WHOLE_SPACE in self.assumes:
            self.used.add(on.WHOLE_SPACE)
            return
        raise Refused(f"{point} is not shown to lie in X: it is no convex combination of points of X")

    @staticmethod
    def _member(key: Key) -> bool:
        return key.kind in ("Iterate", "Projected", "Proximal") or (key.kind == "Free" and key.data[1])

    def projects(self, p: Node, y: Node) -> None:
        """``p`` is the projection of ``y``: by what the letter is, or by the step of the method."""
        if isinstance(p, Named):
            p = p.of
        if isinstance(p, Projected):
            if self.form(p.of) == self.form(y):
                return
        elif isinstance(p, Iterate):
            if p.index < 1 and (
                p.first or p.index < 0 or self.scope not in (Scope.LATE, Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY)
            ):
                raise Refused(f"{p.name} is not made by a step {self.scope.value or 'without steps'}")
            before = Iterate(p.index - 1, p.first)
            self._direction((before - y) / alpha, p.index - 1, p.first, f"the vector projected to {p.name}")
            self.used.add(on.METHOD)
            return
        raise Refused(f"{p} is not the projection of {y}")

    def granted(self, fact: Unfolded) -> None:
        """Check what a fact presupposes, and record what it rests on."""
        if fact.scopes and self.scope not in fact.scopes:
            raise Refused(f"a fact about the last step is used {self.scope.value or 'without steps'}")
        for value in fact.positive:
            self.at.no_pole(coefficient(value))
            if not self.at.sign(coefficient(value))[1]:
                raise Refused(f"{value} is not shown to be positive")
        for value in fact.nonnegative:
            self.at.no_pole(coefficient(value))
            if not self.at.sign(coefficient(value))[0]:
                raise Refused(f"{value} is not shown to be non-negative")
        for point in fact.inside:
            self.inside(point)
        for p, y in fact.projections:
            self.projects(p, y)
        self.used |= set(fact.foundations)


_OTHER_START = {
    **dict.fromkeys((Scope.LATE, Scope.FIRST, Scope.RUN_PRINTED), frozenset({on.START})),
    **dict.fromkeys((Scope.FIRST_REPAIRED, Scope.RUN, Scope.SHORT_RUN), frozenset({on.PRINTED_START})),
}
"""The start that an earlier line also provides for, and that a line for the other start does not rest on."""
_RUNS = (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY, Scope.SHORT_RUN)
_RESERVED = re.compile(
    r"(x|g|z|d|p|\\bar x|\\hat x)_(k|\d|\{k([+-]\d+)?\}|\{-?\d+\})"
    r"|f\^\\star|-?\d+|(f|[Ff]_\\lambda|h\^\*)\(.*\)|\\nabla F_\\lambda\(\\bar x_.*\)"
)
"""The paper's names of iterates, samples and directions."""
_NODES = frozenset(
    (Sum, Scaled, Named, Number, Inner, Value, Quantity, Series, RandomIndex, Mean)
    + (Free, Iterate, Direction, Sample, Slope, Projected, Proximal)
)
"""The language is closed: a subclass is not part of it."""
_IMPLIED = {
    on.WEAKLY_CONVEX: (on.SMOOTH, on.SMOOTH_EVERYWHERE),
    on.SMOOTH: (on.SMOOTH_EVERYWHERE,),
}
"""What a stronger assumption contains."""


def _added(parts: Iterable[tuple[Any, Form]]) -> Form:
    """A sum of multiples of forms."""
    total: Form = {}
    for times, form in parts:
        for key, value in form.items():
            part = _product(times, value)
            total[key] = _plus(total[key], part) if key in total else part
    return total


def _product(u: Any, v: Any) -> Any:
    """A product of two coefficients; multiplication by 1 is left out, because it costs a greatest common divisor."""
    return v if u == 1 else u if v == 1 else _times(u, v)


@lru_cache(maxsize=300_000)
def _times(u: Any, v: Any) -> Any:
    return u * v


@lru_cache(maxsize=300_000)
def _plus(u: Any, v: Any) -> Any:
    return u + v


def _gram(a: Key, b: Key) -> Key:
    return Key("gram", frozenset((a, b)), max(a.known, b.known))


# --- lines


@dataclass(frozen=True, eq=False)
class Term:
    """A fact or an earlier line with its multiplier."""

    multiplier: Any
    source: Fact | Line | Any


@dataclass(frozen=True, eq=False)
class Line:
    """A statement with its proof: terms that add up to it."""

    statement: Statement
    terms: tuple[Term, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(self.terms))
        if not isinstance(self.statement, Statement):
            raise ValueError(f"statement = {self.statement!r} must be a Statement")
        for term in self.terms:
            if not isinstance(term, Term):
                raise ValueError(
                    f"terms must be multiplier * fact, got {term!r} without a multiplier; find() looks for multipliers"
                )

    def __rmul__(self, multiplier: Coefficient) -> Term:
        return Term(coefficient(multiplier, "multiplier"), self)

    def __bool__(self) -> bool:
        raise TypeError("a line is not decided by Python: ask check(line).passed")


def check(line: Any, domain: Domain | None = None) -> Outcome:
    """Whether a line, or a join of lines, is proved, on its own domain or on another one; never an exception for a wrong proof."""
    try:
        return Outcome(True, "", accept(line, domain or line.statement.domain))
    except Refused as refusal:
        return Outcome(False, str(refusal))
    except (TypeError, ValueError, AttributeError) as error:
        return Outcome(False, f"{error}")


_ACCEPTED: dict[tuple[Any, ...], tuple[Any, frozenset[Foundation]]] = {}


def accept(
    source: Any, domain: Domain, scope: Scope = Scope.ANY, assumes: frozenset[Foundation] = frozenset()
) -> frozenset[Foundation]:
    """The foundations of a proved line on a domain; raises :class:`Refused` otherwise.  A line is verified once on each domain.

    A line whose scope is inherited is proved for the steps, and from the assumptions, of the line that uses it.
    """
    if source.statement.scope is not Scope.INHERITED:
        scope, assumes = source.statement.scope, frozenset(source.statement.assumes)
    if type(source) is not Line and type(source).__module__ != "shbcore.proof.joins":
        raise Refused(f"{type(source).__name__} is no line and no rule of the kernel")
    own = getattr(type(source), "statement", None)
    if isinstance(own, cached_property) and own.func(source) != source.statement:
        raise Refused("the statement of a rule is not the one that it computes")
    held = (source, source.statement, getattr(source, "terms", ()))
    key = (*map(id, held), domain, scope, assumes)
    if key not in _ACCEPTED:
        found = (
            _proved(source, domain, scope, assumes)
            if isinstance(source, Line)
            else source.proved(domain, scope, assumes)
        )
        _ACCEPTED[key] = (held, frozenset(found))
    return _ACCEPTED[key][1]


def _proved(line: Line, domain: Domain, scope: Scope, assumes: frozenset[Foundation]) -> set[Foundation]:
    """The line without (A1) if it holds without, else with it."""
    says = line.statement
    if says.relation.sense == "<=" and not line.terms:
        raise Refused("an inequality without terms: nothing is proved")
    for unbiased in (False, True):
        context = Context(domain, scope, assumes, unbiased=unbiased)
        left = _residual(context, line, domain)
        if not left:
            _anchored(context, says, line)
            return _assumed(context)
    raise Refused(
        "identity fails: " + ", ".join(sorted(f"{value.as_expr()} * {describe(key)}" for key, value in left.items()))
    )


def _residual(context: Context, line: Line, domain: Domain) -> Form:
    """What is left of the claim minus the terms."""
    says = line.statement
    gap = claim(context, says)
    if says.relation.left.vector and line.terms:
        raise Refused("an equation between vectors is an identity: it has no terms")
    for term in line.terms:
        value = coefficient(term.multiplier, "multiplier")
        relation, given, foundations = used(context, term.source, domain)
        if relation.sense == "<=":
            if says.relation.sense == "==":
                raise Refused("an equality cannot rest on an inequality")
            if not context.at.sign(value)[0]:
                raise Refused(f"the multiplier {value} is not shown to be non-negative")
        hypothesis = context.mean(relation.right - relation.left, given)
        averaged = _added((part, context._mean(key, says.given)) for key, part in hypothesis.items())
        gap = _added([(context.at.ring.one, gap), (-context.number(value), averaged)])
        context.used |= foundations
    return {key: value for key, value in gap.items() if value}


def claim(context: Context, says: Statement) -> Form:
    """Right minus left, in expectation where it is a scalar."""
    nodes = [one for side in (says.relation.left, says.relation.right) for one in walk(side)]
    if len({one.shifted for one in nodes if isinstance(one, RandomIndex)}) > 1:
        raise Refused("two random indices with different laws in one statement")
    gap = says.relation.right - says.relation.left
    return context.form(gap) if says.relation.left.vector else context.mean(gap, says.given)


def used(context: Context, source: Any, domain: Domain) -> tuple[Relation, Field, frozenset[Foundation]]:
    """The relation that a term contributes, the field given which it holds, and what it rests on."""
    if isinstance(source, Fact):
        parts = (source, *(one for one in source.arguments if isinstance(one, Function)))
        if strange := [one for one in parts if type(one) not in (Fact, Function)]:
            raise Refused(f"{type(strange[0]).__name__} is no part of the closed list of facts")
        unfolded = source.unfolded
        context.granted(unfolded)
        return unfolded.relation, PATHWISE, frozenset()
    says = source.statement
    if says.scope not in USABLE[context.scope]:
        raise Refused(f"an earlier line holds {says.scope.value}, and is used {context.scope.value or 'without steps'}")
    hidden = {one.symbol for one in says.domain.entries} & SETTING - context.at.entries.keys()
    if hidden:
        raise Refused(
            f"an earlier line speaks of {', '.join(sorted(map(str, hidden)))}, which has no range in the domain"
        )
    below = accept(source, says.domain.also(*domain.entries), context.scope, context.assumes)
    return says.relation, says.given, below - _OTHER_START.get(context.scope, frozenset())


def _anchored(context: Context, says: Statement, line: Line) -> None:
    """Letters of the first and of a later step meet only in total expectation."""
    nodes = [one for side in (says.relation.left, says.relation.right) for one in walk(side)]
    for term in line.terms:
        relation = term.source.unfolded.relation if isinstance(term.source, Fact) else term.source.statement.relation
        nodes += [one for side in (relation.left, relation.right) for one in walk(side)]
    anchors = {one.first for one in nodes if isinstance(one, (Iterate, Direction))}
    conditional = [one for one in nodes if isinstance(one, Mean) and one.given not in (TOTAL, PATHWISE)]
    if len(anchors) == 2 and (says.given != TOTAL or conditional):
        raise Refused("letters of the first step and of step k meet outside a total expectation")
    if True in anchors and context.scope in _RUNS and (says.given not in (TOTAL, PATHWISE) or conditional):
        raise Refused("letters of the first step in a run, given a field of step k")
    if True in anchors and context.scope not in (Scope.FIRST, Scope.FIRST_ANY, Scope.FIRST_REPAIRED, *_RUNS):
        raise Refused("letters of the first step in a statement about every step")


def _assumed(context: Context) -> set[Foundation]:
    """What was used; an assumption that the statement does not make is refused."""
    found: set[Foundation] = set()
    if strange := [one for one in (*context.assumes, *context.used) if type(one) is not Foundation]:
        raise Refused(f"{type(strange[0]).__name__} is no foundation")
    for one in context.used:
        granted = next((more for more in (one, *_IMPLIED.get(one, ())) if more in context.assumes), None)
        if one.kind in ("assumption", "own") and granted is None:
            raise Refused(f"the proof uses {one.name}, which the statement does not assume")
        found.add(granted or one)
    return found


def describe(key: Key) -> str:
    """A key in plain words, for messages."""
    if key.kind == "gram":
        names = [letter.name for letter in key.data]
        return f"|{names[0]}|^2" if len(names) == 1 else f"<{', '.join(sorted(names))}>"
    if key.kind == "mean":
        return f"E[{describe(key.data[0])}|{'F' if key.data[1] != TOTAL else '.'}{'' if key.data[1] == TOTAL else key.data[1]}]"
    if key.kind == "value" and isinstance(key.node, Value):
        return f"{key.node.function.name}({key.node.at})"
    return key.name or key.kind


def iterate_terms(line: Any) -> Iterator[Any]:
    """The sources of a line and of all lines below it, each once."""
    seen: set[int] = set()
    stack = [line]
    while stack:
        one = stack.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        stack += [term.source for term in getattr(one, "terms", ())] + list(getattr(one, "parents", ()))


def recondition(node: Node, fine: Field, coarse: Field, domain: Domain) -> None:
    """Whether the expectation given the finer field may stand for the one given the coarser field: only if it is known there."""
    context = Context(domain, Scope.LATE, ())
    late = {describe(key) for key, value in context.mean(node, fine).items() if value and key.known > coarse}
    if late:
        raise MeasurabilityError(f"{', '.join(sorted(late))} is not known at F_{{k{coarse:+d}}}")
