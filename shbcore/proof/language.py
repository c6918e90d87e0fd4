r"""The language of the proofs: trees of vectors, inner products, function values and expectations, written as on paper.

``u @ v`` is :math:`\langle u,v\rangle`, ``u**2`` is :math:`\|u\|^2`, ``f(x)`` a value, ``E(s, PAST)`` is
:math:`\mathbb E[s|\mathcal F_{k-1}]`, ``left <= right`` a :class:`Relation`.  A field :math:`\mathcal F_{k+j}` is the integer ``j``.
Nothing is decided here: a tree keeps what was written, for the printer, the kernel and the export; :mod:`shbcore.proof.kernel` decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral
from typing import Any, ClassVar, Literal, TypeGuard

import sympy as sp

Coefficient = Any
"""An integer, a ``Fraction`` or a rational expression in parameters (SymPy symbols): never random, never a float."""
Field = int
TOTAL: Field = -(10**6)
r"""The field that knows no sample: ``E(s)`` is the total expectation."""
PAST: Field = -1
r"""The field :math:`\mathcal F_{k-1}`, which knows the samples before step k."""
NOW: Field = 0
r"""The field :math:`\mathcal F_k`, which knows the sample of step k too."""
PATHWISE: Field = 10**6
"""The finest field: nothing is averaged, the line holds for every outcome."""


def coefficient(value: Coefficient, what: str = "coefficient") -> Any:
    """A real rational expression in parameters; floats, strings, functions, roots and complex numbers are refused by name."""
    if isinstance(value, (Node, Relation)):
        raise TypeError(f"a {what} must be a number: write u @ v for an inner product and v**2 for a squared norm")
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what} {value!r} is a string: write sp.Symbol({value!r}), or a number")
    if isinstance(value, (bool, float, sp.Float)):
        raise ValueError(f"{what} {value} is not exact: write {_fraction(value)}, or an expression in the parameters")
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if not isinstance(value, (Integral, sp.Expr)):
        raise TypeError(f"a {what} must be a number or an expression in parameters, got {type(value).__name__}")
    found = value if isinstance(value, sp.Expr) else sp.Integer(int(value))
    for part in sp.preorder_traversal(found):
        if type(part) is sp.Symbol and part != sp.Symbol(part.name):
            raise ValueError(f"parameter {part}: write sp.Symbol({part.name!r}) without SymPy's assumptions ({what})")
        rational = isinstance(part, (sp.Rational, sp.Symbol, sp.Add, sp.Mul))
        if not rational and not (isinstance(part, sp.Pow) and isinstance(part.exp, sp.Integer)):
            raise ValueError(f"{what} {value} is no rational expression in real parameters: {part} stands in it")
    return found


def _fraction(value: Any) -> str:
    """The fraction that was meant by a rounded number."""
    if isinstance(value, bool) or abs(float(value)) in (0.0, float("inf")) or float(value) != float(value):
        return "Fraction(11, 10)"
    near = Fraction(float(value)).limit_denominator(1000)
    return f"Fraction({near.numerator}, {near.denominator})"


def _whole(name: str, value: Any, what: str) -> None:
    """A whole number, of Python's own: numbers of a fixed width overflow, and NaN is smaller than nothing."""
    if type(value) is not int:
        raise ValueError(f"{name} = {value!r} must be an int ({what})")


class Node:
    """A tree of the language, a vector or a scalar; the operators build larger trees."""

    vector: bool = False
    over: ClassVar[str] = ""
    """The field that holds the tree below, where there is one."""

    def _other(self, other: Any) -> Node:
        if isinstance(other, Node):
            if other.vector != self.vector:
                raise TypeError("a vector and a scalar cannot be added or compared")
            return other
        if self.vector:
            raise TypeError(f"a vector cannot be added to the number {other}")
        return Number(coefficient(other))

    def __add__(self, other: Any) -> Node:
        return Sum((*_parts(self), *_parts(self._other(other))))

    def __radd__(self, other: Any) -> Node:
        return Sum((*_parts(self._other(other)), *_parts(self)))

    def __neg__(self) -> Node:
        return self.__mul__(-1)

    def __sub__(self, other: Any) -> Node:
        return Sum((*_parts(self), *_parts(-self._other(other))))

    def __rsub__(self, other: Any) -> Node:
        return Sum((*_parts(self._other(other)), *_parts(-self)))

    def __mul__(self, factor: Coefficient) -> Node:
        times = coefficient(factor)
        if isinstance(self, Scaled):
            return Scaled(times * self.times, self.of)
        if isinstance(self, Number):
            return Number(times * self.value)
        if isinstance(self, Sum) and times in (1, -1):
            return Sum(tuple(part * times for part in self.parts)) if times == -1 else self
        return self if times == 1 else Scaled(times, self)

    __rmul__ = __mul__

    def __truediv__(self, factor: Coefficient) -> Node:
        below = coefficient(factor)
        if below == 0:
            raise ValueError("a division by zero")
        return self.__mul__(1 / below)

    def __matmul__(self, other: Any) -> Inner:
        if not (isinstance(other, Node) and self.vector and other.vector):
            raise TypeError("u @ v is the inner product of two vectors")
        return Inner(self, other)

    def __pow__(self, exponent: int) -> Inner:
        if exponent != 2 or not self.vector:
            raise ValueError(f"only the squared norm v**2 of a vector is defined, got exponent {exponent}")
        return Inner(self, self)

    def __le__(self, other: Any) -> Relation:
        return Relation(self._scalar(), self._other(other))

    def __ge__(self, other: Any) -> Relation:
        return Relation(self._other(other), self._scalar(), turned=True)

    def equals(self, other: Any) -> Relation:
        """The equation between two scalars, or between two vectors."""
        return Relation(self, self._other(other), "==")

    def named(self, name: str) -> Named:
        """The same under the name by which the paper calls it."""
        return Named(name, self)

    def _scalar(self) -> Node:
        if self.vector:
            raise TypeError("vectors are compared by equals(), scalars by <= and >=")
        return self

    def __bool__(self) -> bool:
        raise TypeError("a formula is neither true nor false: put it into a Line, and check that")

    @property
    def children(self) -> tuple[Node, ...]:
        return (getattr(self, self.over),) if self.over else ()

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        """The same node over changed children."""
        return replace(self, **{self.over: change(getattr(self, self.over))}) if self.over else self  # type: ignore[type-var]

    def __str__(self) -> str:
        from shbcore.proof.latex import node

        return node(self)


def is_node(thing: Any) -> TypeGuard[Node]:
    return isinstance(thing, Node)


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Sum) else (node,)


@dataclass(frozen=True)
class Sum(Node):
    """A sum; an empty one is the zero vector."""

    parts: tuple[Node, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))

    @property
    def vector(self) -> bool:  # type: ignore[override]
        """Whether it is a vector: its parts are all of one kind."""
        return not self.parts or self.parts[0].vector

    @property
    def children(self) -> tuple[Node, ...]:
        return self.parts

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        return Sum(tuple(change(part) for part in self.parts))


@dataclass(frozen=True)
class Scaled(Node):
    """A number times a tree."""

    times: Any
    of: Node
    over = "of"

    @property
    def vector(self) -> bool:  # type: ignore[override]
        """Whether it is a vector, as the tree below is."""
        return self.of.vector


@dataclass(frozen=True)
class Named(Node):
    r"""A tree under a name.  ``because`` says by which equation of the method the name stands for the tree, where it is one that may
    fail: :math:`z_k=\beta g_k+(1-\beta)d_k` is the recursion from :math:`k=1` on, and at :math:`k=0` a start."""

    name: str
    of: Node
    because: str = ""
    index: int | None = None
    first: bool = False
    over = "of"

    @property
    def vector(self) -> bool:  # type: ignore[override]
        """Whether it is a vector, as the tree below is."""
        return self.of.vector


@dataclass(frozen=True)
class Number(Node):
    """A deterministic number."""

    value: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", coefficient(self.value, "number"))


@dataclass(frozen=True)
class Inner(Node):
    """An inner product."""

    left: Node
    right: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        left = change(self.left)
        return Inner(left, left if self.right is self.left else change(self.right))


@dataclass(frozen=True)
class Value(Node):
    """The value of a function at a point."""

    function: Function
    at: Node
    over = "at"


@dataclass(frozen=True)
class Quantity(Node):
    r"""A number of its own that is not taken apart: :math:`f^\star`, or a sum over all steps."""

    name: str


@dataclass(frozen=True)
class Series(Node):
    r"""The sum of the expectations of a measure over all steps: :math:`\sum_{k=\text{first}}^{\text{last}}\mathbb E[e_k]`."""

    of: Node
    first: int = 0
    last: Literal["K", "K-1"] = "K"


@dataclass(frozen=True)
class Tail(Node):
    r"""What becomes of a scalar along a path, in a statement that holds almost surely: :math:`\liminf_k e_k`, :math:`\lim_k e_k`, the
    ``rest`` :math:`\lim_K\sum_{k\ge K}e_k` of a sum, or the ``spread`` :math:`\limsup_k e_k-\liminf_k e_k`.  No line may use it."""

    what: Literal["liminf", "lim", "rest", "spread"]
    of: Node


@dataclass(frozen=True)
class RandomIndex(Node):
    r"""The expectation of a measure at an index drawn at random: :math:`\mathbb E[e_{k^*}]`, with :math:`k^*` uniform on
    :math:`\{0,\dots,K\}`, or (``shifted``) on :math:`\{-1,\dots,K-1\}` with :math:`e_{-1}=e_0`."""

    of: Node
    shifted: bool = False


@dataclass(frozen=True)
class Mean(Node):
    """An expectation given a field."""

    of: Node
    given: Field
    over = "of"

    def __post_init__(self) -> None:
        _whole("given", self.given, "a field, such as PAST")


# --- letters: vectors that are not taken apart, told apart by what they are


class Letter(Node):
    """A vector that is not taken apart."""

    vector = True
    name: str


@dataclass(frozen=True)
class Free(Letter):
    """Any vector that is known at a field; with ``inside`` any point of the set :math:`X`."""

    name: str
    known: Field = TOTAL
    inside: bool = False

    def __post_init__(self) -> None:
        _whole("known", self.known, "a field, such as PAST")


@dataclass(frozen=True)
class Iterate(Letter):
    r"""The iterate :math:`x_{k+j}`, a point of :math:`\mathcal X` known at :math:`\mathcal F_{k+j-1}`; with ``first`` it is :math:`x_j`."""

    index: int
    first: bool = False

    def __post_init__(self) -> None:
        _whole("index", self.index, "a step")

    @property
    def name(self) -> str:  # type: ignore[override]
        return indexed("x", self.index, self.first)


@dataclass(frozen=True)
class Direction(Letter):
    r"""The direction :math:`z_{k+j}`, known at :math:`\mathcal F_{k+j}`, where nothing else is said of it."""

    index: int
    first: bool = False

    def __post_init__(self) -> None:
        _whole("index", self.index, "a step")

    @property
    def name(self) -> str:  # type: ignore[override]
        return indexed("z", self.index, self.first)


@dataclass(frozen=True)
class Sample(Letter):
    r"""The oracle's sample at a point, drawn one field after the point is known: :math:`g_k=f'(x_k,S_k)`."""

    function: Function
    at: Node
    name: str
    over = "at"

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        at = change(self.at)
        return Sample(self.function, at, _renamed(self.name, self.at, at, "g"))


@dataclass(frozen=True)
class Slope(Letter):
    r"""A subgradient at a point, the mean of the samples there by (A1); the gradient, where the function is smooth."""

    function: Function
    at: Node
    over = "at"

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{self.function.slope_name}({self.at})"


@dataclass(frozen=True)
class Projected(Letter):
    r"""The projection of a vector onto :math:`\mathcal X`."""

    name: str
    of: Node
    over = "of"


@dataclass(frozen=True)
class Proximal(Letter):
    r"""The prox point of a vector for :math:`F=f+\mathsf I_{\mathcal X}` and :math:`\lambda`: a point of :math:`\mathcal X`."""

    name: str
    function: Function
    envelope: Any
    of: Node
    over = "of"

    def __post_init__(self) -> None:
        object.__setattr__(self, "envelope", coefficient(self.envelope, "envelope"))

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        of = change(self.of)
        return Proximal(_renamed(self.name, self.of, of, r"\hat x"), self.function, self.envelope, of)


Place = tuple[int, bool]
"""An index, and whether it is counted from 0 and not from k."""


def indexed(name: str, index: int, first: bool = False) -> str:
    """A name with its index, counted from k, or from 0."""
    if first:
        return f"{name}_{{{index}}}" if index < 0 or index > 9 else f"{name}_{index}"
    return f"{name}_k" if index == 0 else f"{name}_{{k{index:+d}}}"


# --- parameters of a step: a name with the index k is a member of a sequence, and moves with the step

_OF_STEP = re.compile(r"(.+)_(?:k|\{k([+-]\d+)\})")
WITH_K = re.compile(r"(?<![a-zA-Z\\])[kK](?![a-zA-Z])")
"""A name that is read as depending on the step, or on the number of steps."""


def of_step(symbol: Any) -> tuple[str, int] | None:
    r"""The stem and the index, counted from k, of a parameter of a step, such as :math:`\alpha_{k+1}`; none for other parameters."""
    found = _OF_STEP.fullmatch(symbol.name)
    return (found[1], int(found[2] or 0)) if found else None


def sequence(stem: str, index: int = 0, first: bool = False) -> Any:
    r"""The member of a sequence of numbers at step :math:`k+\text{index}`, or (``first``) at step ``index``."""
    return sp.Symbol(indexed(stem, index, first))


def moved(value: Any, by: int = 0, *, first: bool = False) -> Any:
    r"""An expression with :math:`k` replaced by :math:`k+\text{by}` in its parameters, or (``first``) by 0."""
    found = {one: of_step(one) for one in value.free_symbols}
    fixed_in_steps(value)
    return value.xreplace({one: sequence(at[0], at[1] + by, first) for one, at in found.items() if at is not None})


def fixed_in_steps(value: Any) -> None:
    """A parameter that is no member of a sequence is one number for all steps: its name must not say that it moves with k."""
    if stray := [one for one in value.free_symbols if of_step(one) is None and WITH_K.search(one.name)]:
        raise ValueError(f"parameter {stray[0]} is read as moving with k, and is no member of a sequence")


def _coefficients_moved(one: Node, by: int, first: bool, rest: Callable[[Node], Node]) -> Node | None:
    if isinstance(one, Scaled):
        return Scaled(moved(one.times, by, first=first), rest(one.of))
    return Number(moved(one.value, by, first=first)) if isinstance(one, Number) else None


def _renamed(name: str, before: Node, after: Node, letter: str) -> str:
    """The name after the point has moved to another index: the index in the name moves too."""
    old, new = _index(before), _index(after)
    return indexed(letter, *new) if old and new and name == indexed(letter, *old) else name


def _index(node: Node) -> Place | None:
    if isinstance(node, (Iterate, Named)):
        return None if node.index is None else (node.index, node.first)
    return None


@dataclass(frozen=True)
class Function:
    r"""A function: ``f(x)`` its value, ``f.slope(x)`` a subgradient, ``f.sample(x)`` the oracle's sample.

    ``role`` is ``objective``; ``envelope`` of ``of`` with parameter ``envelope``; ``conjugate``, :math:`h^*` for
    :math:`h=\frac12\|\cdot\|^2+\mathsf I_{\mathcal X}`; or ``convex``, a convex function that belongs to the objective ``of``.
    """

    name: str
    slope_name: str = ""
    role: Literal["objective", "envelope", "conjugate", "convex"] = "objective"
    of: Function | None = None
    envelope: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "slope_name", self.slope_name or f"{self.name}'")
        if self.envelope is not None:
            object.__setattr__(self, "envelope", coefficient(self.envelope, "envelope"))
        if self.role not in ("objective", "envelope", "conjugate", "convex"):
            raise ValueError(f"role = {self.role!r}: a function is an objective, an envelope, a conjugate or convex")
        if (self.role == "envelope") != (self.envelope is not None) or (self.role in ("envelope", "convex")) != (
            self.of is not None
        ):
            raise ValueError(
                f"{self.name}: an envelope has a function and a parameter, a convex function the one it belongs to"
            )

    def __call__(self, x: Node) -> Value:
        return Value(self, _point(self, x))

    def slope(self, x: Node) -> Slope:
        return Slope(self, _point(self, x))

    def sample(self, x: Node, name: str = "") -> Sample:
        """The oracle's sample at ``x``; at an iterate its name is the paper's."""
        at = _index(_point(self, x))
        if not name:
            if at is None:
                raise ValueError(f"sample of {self.name} at {x}: give it a name")
            name = indexed("g", *at)
        return Sample(self, x, name)

    def prox(self, centre: Node, name: str) -> Proximal:
        """The prox point of ``centre``; only an envelope has one."""
        if self.role != "envelope" or self.of is None:
            raise ValueError(f"{self.name} is no envelope, so it has no prox point")
        return Proximal(name, self.of, self.envelope, _point(self, centre))


def _point(function: Function, x: Any) -> Node:
    if not (is_node(x) and x.vector):
        raise ValueError(f"{function.name} is a function of a vector, such as vector('y'), got {x!r}")
    return x


def vector(name: str, known: Field = TOTAL, *, inside: bool = False) -> Free:
    """A vector of one's own, known at a field; ``inside`` makes it a point of the set X."""
    return Free(name, known, inside)


def E(of: Node, given: Field = TOTAL) -> Mean:
    r"""The expectation given a field; without one the total expectation."""
    if not is_node(of):
        raise ValueError(f"of = {of!r} must be a scalar of the language, such as g_k**2 (the expectation)")
    return Mean(of._scalar(), given)


def as_scalar(value: Any) -> Node:
    """A scalar tree, from one or from a number."""
    return value._scalar() if is_node(value) else Number(coefficient(value))


@dataclass(frozen=True)
class Relation:
    """``left <= right`` between scalars, or ``left == right`` between scalars or vectors.

    ``turned`` remembers that it was written with ``>=``, so that it is printed that way; it says the same, and nothing else looks at it.
    """

    left: Node
    right: Node
    sense: Literal["<=", "=="] = "<="
    turned: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if self.sense not in ("<=", "=="):
            raise ValueError(f"sense = {self.sense!r}: a relation is '<=' or '=='")
        if not (is_node(self.left) and is_node(self.right)) or self.left.vector != self.right.vector:
            raise TypeError("both sides of a relation are scalars, or both are vectors")
        if self.left.vector and self.sense != "==":
            raise TypeError("vectors have no order: use equals()")

    def __bool__(self) -> bool:
        raise TypeError("a relation is not decided by Python: do not chain comparisons, and check a Line instead")

    def __str__(self) -> str:
        from shbcore.proof import latex, plain

        return plain.relation(latex.relation(self))

    def map(self, change: Callable[[Node], Node]) -> Relation:
        return Relation(change(self.left), change(self.right), self.sense, self.turned)


def known(node: Node) -> Field:
    """The field at which a tree is known: that of its latest part."""
    if isinstance(node, Free):
        return node.known
    if isinstance(node, (Iterate, Direction)):
        at = node.index - isinstance(node, Iterate)
        return TOTAL if node.first and at < 0 else at
    if isinstance(node, Sample):
        at = known(node.at)
        return 0 if at == TOTAL else at + 1
    if isinstance(node, Mean):
        return min(node.given, known(node.of))
    return max((known(child) for child in node.children), default=TOTAL)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    yield node
    for child in node.children:
        yield from walk(child)


def substituted(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every node for which ``change`` gives another one replaced by it."""
    found = change(node)
    return node.rebuilt(lambda child: substituted(child, change)) if found is None else found


def reparametrised(node: Node, values: dict[Any, Any]) -> Node:
    """The tree with parameters replaced in every coefficient."""

    def move(one: Node) -> Node | None:
        if isinstance(one, Scaled):
            return Scaled(one.times.xreplace(values), reparametrised(one.of, values))
        if isinstance(one, Number):
            return Number(one.value.xreplace(values))
        return None

    return substituted(node, move)


def _moved(one: Named, index: int, first: bool, of: Node) -> Named:
    """A named tree at another index: the index in its name moves too."""
    if indexed("", one.index or 0, one.first) not in one.name:
        raise ValueError(f"{one.name} does not have its index {one.index} in its name, and is moved to another step")
    stem = one.name.replace(indexed("", one.index or 0, one.first), "_k")
    return replace(one, name=stem.replace("_k", indexed("", index, first)), of=of, index=index, first=first)


def _called(one: Node, move: Callable[[Node], Node]) -> Node | None:
    """A letter or a tree under a name, moved: what it is and what it is called move together; none for other nodes."""
    if isinstance(one, Free) and one.known != TOTAL:
        raise ValueError(f"{one.name} belongs to step k, and it is not said what it is at the next step")
    if isinstance(one, Sample) and known(one.at) == TOTAL and not any(getattr(at, "first", False) for at in walk(one)):
        raise ValueError(f"{one.name} is drawn at step k, and it is not said what it is at the next step")
    if not isinstance(one, (Named, Sample, Proximal, Projected)):
        return None
    after = one.rebuilt(move)
    if after != one and after.name == one.name:  # type: ignore[attr-defined]
        raise ValueError(f"{one.name} is of step k, and it is not said what it is called at another one")
    return after


def shifted(node: Node, by: int = 1) -> Node:
    r"""The tree with :math:`k` replaced by :math:`k+\text{by}`: iterates, samples, prox points and fields move."""
    if not is_node(node):
        raise ValueError(f"node = {node!r} must be a tree of the language (another step)")
    if type(by) is not int:
        raise ValueError(f"by = {by!r} must be an integer (another step)")

    def move(one: Node) -> Node | None:
        if isinstance(one, (Iterate, Direction)):
            return one if one.first else type(one)(one.index + by)
        if isinstance(one, Mean) and one.given not in (TOTAL, PATHWISE):
            return Mean(shifted(one.of, by), one.given + by)
        if isinstance(one, Named) and one.index is not None and not one.first:
            return _moved(one, one.index + by, False, shifted(one.of, by))
        if isinstance(one, Projected):
            raise ValueError(f"{one.name} belongs to step k, and it is not said what it is at the next step")
        if (found := _called(one, lambda of: shifted(of, by))) is not None:
            return found
        return _coefficients_moved(one, by, False, lambda of: shifted(of, by))

    return substituted(node, move)


def at_start(node: Node) -> Node:
    r"""The tree at :math:`k=0`, where :math:`x_{-1}=x_0`: letters of the step become :math:`x_0,x_1,g_0,\dots`."""

    def move(one: Node) -> Node | None:
        if isinstance(one, Iterate) and not one.first:
            return Iterate(max(one.index, 0), first=True)
        if isinstance(one, Direction) and not one.first:
            return Direction(one.index, first=True)
        if isinstance(one, Named) and one.index is not None and not one.first:
            return _moved(one, one.index, True, at_start(one.of))
        if (found := _called(one, at_start)) is not None:
            return found
        return _coefficients_moved(one, 0, True, at_start)

    return substituted(node, move)
