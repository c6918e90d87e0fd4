r"""Normal forms of trees in one domain and one scope: the second part of the kernel.

A vector is a linear combination of letters, a scalar one of inner products, values and expectations; letters are told apart by what they
are.  What names stand for, which letters exist at a step, and what a fact presupposes is checked here, and what it rests on is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.domain import Domain
from shbcore.proof.facts import Unfolded, rho
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
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
    Sample,
    Scaled,
    Series,
    Slope,
    Sum,
    Value,
    coefficient,
    fixed_in_steps,
    indexed,
    known,
    of_step,
    walk,
)
from shbcore.proof.names import RESERVED, own_name, seen
from shbcore.proof.signs import Refused, parameters
from shbcore.proof.statement import Scope


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

    @property
    def when(self) -> str:
        """For which steps, for messages."""
        return self.scope.value or "without steps"

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
            return added((self.at.ring.one, self.form(part)) for part in node.parts)
        if isinstance(node, Scaled):
            return added([(self.number(node.times), self.form(node.of))])
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
            return added(
                [(_product(u, v), {_gram(a, b): self.at.ring.one}) for a, u in left.items() for b, v in right.items()]
            )
        if isinstance(node, Mean):
            if node.of.vector:
                raise Refused("the expectation of a vector is not part of the language")
            return added((value, self._mean(key, node.given)) for key, value in self.form(node.of).items())
        if isinstance(node, Value):
            value = (self._function(node.function), self._point(node.at))
            return {self._named(Key("value", value, known(node.at), str(node), node)): self.at.ring.one}
        if isinstance(node, Quantity):
            if RESERVED.fullmatch(node.name) and node.name != r"f^\star":
                raise Refused(f"{node.name} is a name of the paper for something else: choose another")
            own_name(node.name, self.at.spelt, fixed=True)
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
        for one in walk(node):
            fixed_in_steps(getattr(one, "times", sp.S.Zero) + getattr(one, "value", sp.S.Zero))
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
        if (f.role == "objective") != (seen(f.name) == "f") or (
            f.name == "f" and f.slope_name not in ("f'", r"\nabla f")
        ):
            raise Refused(f"the objective is called f, and the assumptions are about one function: not {f.name}")
        own_name(f.name, self.at.spelt)
        roles = {r"F_\lambda": "envelope", r"f_\lambda": "envelope", "h^*": "conjugate"}
        if roles.get(seen(f.name), f.role) != f.role or (seen(f.name) != f.name and seen(f.name) in ("f", *roles)):
            raise Refused(f"{f.name} is the paper's name of another function")
        if f.role == "envelope":
            if f.of is None or f.of.role != "objective":
                raise Refused(f"{f.name} is the envelope of something that is not the objective")
            if f.name in (r"F_\lambda", r"f_\lambda") and coefficient(f.envelope) != sp.Symbol("lambda"):
                raise Refused(f"{f.name} is the paper's envelope, with parameter lambda")
            self._prox_exists(f.envelope)
        data = (f.name, f.role, inner, None if f.envelope is None else self.number(coefficient(f.envelope)))
        if self.names.setdefault(f"the function {f.name}", Key("function", data, TOTAL)).data != data:
            raise Refused(f"two different things are called {f.name}")
        return data

    @property
    def method(self) -> Any:
        """The letters of the method that the domain is about: one stepsize, or one for each step."""
        from shbcore.proof import letters, scheduled

        return scheduled if self.at.scheduled else letters

    def _prox_exists(self, envelope: Any) -> None:
        r"""The prox of a weakly convex function exists and its envelope is finite for :math:`\lambda\rho<1`."""
        lam = coefficient(envelope)
        if any(of_step(one) for one in lam.free_symbols):
            raise Refused(f"the parameter {lam} of an envelope moves with the step")
        self.at.no_pole(lam)
        short = self.at.sign(1 / lam - rho)[1] or self.at.sign(sp.Rational(1, 2) - lam * rho)[0]
        if not (short and self.at.sign(lam)[1]):
            raise Refused(f"the prox for lambda = {lam} is not shown to exist: lambda rho < 1")
        self.used |= {on.WEAKLY_CONVEX, on.PROX}

    def _available(self, node: Letter) -> None:
        r"""A letter of an earlier step exists: :math:`x_{-1}=x_0`, but there is no :math:`g_{-1}` and no :math:`z_{-1}`."""
        early = self.scope in _AFTER
        if isinstance(node, Iterate):
            least = 0 if node.first else -2 if early else -1
            exists = node.index >= least
        elif isinstance(node, Direction):
            exists = node.index >= (0 if node.first or not early else -1)
        elif isinstance(node, Sample) and isinstance(node.at, Iterate):
            exists = node.at.index >= (0 if node.at.first or not early else -1)
            if node.name != indexed("g", node.at.index, node.at.first) and RESERVED.fullmatch(node.name):
                raise Refused(f"{node.name} is the paper's name of another sample")
        else:
            exists = True
            if RESERVED.fullmatch(node.name) and not self._paper(node):
                raise Refused(f"{node.name} is a name of the paper for something else: choose another")
        if not exists:
            raise Refused(f"{node.name} does not exist {self.when}")

    def _paper(self, node: Letter) -> bool:
        """Whether a letter with a name of the paper is what the paper calls so: a subgradient, a projection, a sample, a prox point."""
        if isinstance(node, Slope):
            return True
        if isinstance(node, Projected):
            return node.name == rf"\Pi_{{\mathcal{{X}}}}({node.of})"
        if isinstance(node, Sample):
            first = any(getattr(one, "first", False) for one in walk(node.at))
            drawn = ("S", indexed("S", known(node), first))
            return node.name in [f"f{prime}({node.at},{one})" for prime in ("'", r"^\prime") for one in drawn]
        if not isinstance(node, Proximal):
            return False
        if node.name == rf"\mathrm{{prox}}_{{\lambda f}}({node.of})":
            return bool(coefficient(node.envelope) == sp.Symbol("lambda"))
        for first in (False, True):
            for index in (0, 1) if first else (-1, 0, 1, 2):
                if node.name == indexed(r"\hat x", index, first):
                    own = coefficient(node.envelope) == sp.Symbol("lambda")
                    return own and self.form(node.of) == self.form(self.method.bar(index, first))
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
            raise Refused(f"{node.name} does not exist {self.when}")
        if isinstance(node, (Iterate, Direction)) and type(node.first) is not bool:
            raise Refused(f"{node.name}: first is true or false")
        self._available(node)
        if not isinstance(node, Slope):
            own_name(node.name, self.at.spelt, fixed=isinstance(node, Free) and at == TOTAL)
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

        own_name(node.name, self.at.spelt)
        form = self.form(node.of)
        own = meaning(node, self.method.MEANING)
        own = _gradient(node) if own is None else own
        if own is None and not node.because and RESERVED.fullmatch(node.name):
            raise Refused(f"{node.name} is a name of the paper: a tree under this name must be the paper's")
        if own is not None and form != self.form(own):
            raise Refused(f"{node.name} does not stand for what the paper calls {node.name}")
        key = Key("named", frozenset(form.items()), known(node), node.name, node)
        held = self.names.setdefault(node.name, key)
        if held != key and {held: self.at.ring.one} != form:
            raise Refused(f"two different things are called {node.name}")

    def _direction(self, z: Node, index: int, first: bool, name: str) -> None:
        r"""Whether a vector is the direction :math:`z` at an index: a letter, by the recursion, or by the printed start."""
        from shbcore.proof.letters import sample

        found = self.form(z)
        if list(found.values()) == [self.at.ring.one] and [(one.kind, one.data) for one in found] == [
            ("Direction", (index, first))
        ]:
            return
        if found == self.form(self.method.recursion(index, first)):
            self.used.add(on.RECURSION)
            if index == 0 and first:
                self._start(Scope.FIRST_REPAIRED, on.START, name)
            elif index == 0 and self.scope in (Scope.STEP, Scope.SHORT_RUN):
                self.used.add(on.START)
            elif (index == 0 and self.scope not in (Scope.LATE, *RUNS)) or index < 0:
                raise Refused(f"the recursion for {name} is not available {self.when}")
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
        return added((value, self._mean(key, given)) for key, value in self.form(node).items())

    # --- what facts presuppose

    def inside(self, point: Node) -> None:
        """The point is a convex combination of points of X, or there are no constraints."""
        weights = self.form(point)
        members = bool(weights) and all(self._member(key) for key in weights)
        convex = members and sum(weights.values()) == self.at.ring.one
        if convex and all(self.at.sign(value.as_expr())[0] for value in weights.values()):
            self.used.add(on.PROJECTION)
            self.used |= {on.METHOD} if any(key.kind == "Iterate" for key in weights) else set()
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
            if p.index < 1 and (p.first or p.index < 0 or self.scope not in _AFTER):
                raise Refused(f"{p.name} is not made by a step {self.when}")
            before = Iterate(p.index - 1, p.first)
            step = self.method.stepsize(p.index - 1, p.first)
            self._direction((before - y) / step, p.index - 1, p.first, f"the vector projected to {p.name}")
            self.used.add(on.METHOD)
            return
        raise Refused(f"{p} is not the projection of {y}")

    def granted(self, fact: Unfolded) -> None:
        """Check what a fact presupposes, and record what it rests on."""
        if fact.scopes and self.scope not in fact.scopes:
            raise Refused(f"a fact about the last step is used {self.when}")
        for strict, values in enumerate((fact.nonnegative, fact.positive)):
            for value in map(coefficient, values):
                self.at.no_pole(value)
                if not self.at.sign(value)[strict]:
                    raise Refused(f"{value} is not shown to be {'positive' if strict else 'non-negative'}")
        for point in fact.inside:
            self.inside(point)
        for p, y in fact.projections:
            self.projects(p, y)
        self.used |= set(fact.foundations)


RUNS = (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY, Scope.SHORT_RUN)


def _gradient(node: Named) -> Node | None:
    r"""What :math:`\nabla F_\lambda` at a point stands for: that point less its prox point, over :math:`\lambda`."""
    lam = sp.Symbol("lambda")
    for prox in walk(node.of):
        if isinstance(prox, Proximal) and node.name in (rf"\nabla {name}_\lambda({prox.of})" for name in "Ff"):
            return (prox.of - prox) / lam if coefficient(prox.envelope) == lam else None
    return None


_NODES = frozenset(
    (Sum, Scaled, Named, Number, Inner, Value, Quantity, Series, RandomIndex, Mean)
    + (Free, Iterate, Direction, Sample, Slope, Projected, Proximal)
)
"""The language is closed: a subclass is not part of it."""


def added(parts: Iterable[tuple[Any, Form]]) -> Form:
    """A sum of multiples of forms."""
    total: Form = {}
    for times, form in parts:
        for key, value in form.items():
            part = _product(times, value)
            total[key] = _plus(total[key], part) if key in total else part
    return total


def _product(u: Any, v: Any) -> Any:
    """A product of two coefficients; multiplication by 1 is left out, because it costs a greatest common divisor."""
    return v if _is_one(u) else u if _is_one(v) else _times(u, v)


def _is_one(u: Any) -> bool:
    return len(u.numer) == 1 and dict.__eq__(u.numer, u.denom) is True


@lru_cache(maxsize=300_000)
def _times(u: Any, v: Any) -> Any:
    return u * v


@lru_cache(maxsize=300_000)
def _plus(u: Any, v: Any) -> Any:
    return u + v


def _gram(a: Key, b: Key) -> Key:
    return Key("gram", frozenset((a, b)), max(a.known, b.known))
