r"""An exact algebra of vectors, inner products and function values that knows what is measurable when.

A sigma-field :math:`\mathcal F_{k+j}` is the integer ``j``: ``-1`` is :math:`\mathcal F_{k-1}`, ``0`` is
:math:`\mathcal F_k`, and ``TRIVIAL`` is the field that knows no sample, so that ``E(u)`` is the total expectation.
Formulas read as on paper: ``u @ v`` is :math:`\langle u,v\rangle`, ``u**2`` is :math:`\|u\|^2`, ``f(x)`` a value,
``E(u @ v, -1)`` is :math:`\mathrm E[\langle u,v\rangle|\mathcal F_{k-1}]`, ``left <= right`` a claim.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Self, TypeVar

import sympy as sp

from shbcore.proof.printing import signed

Coefficient = Any
"""An integer, a ``Fraction`` or a SymPy expression in the parameters: never random."""

Key = TypeVar("Key", bound=Hashable)
TRIVIAL = -(10**6)


class MeasurabilityError(ValueError):
    """Something was pulled out of an expectation whose sigma-field does not know it."""


def exact(value: Coefficient) -> Any:
    """A coefficient as SymPy takes it; a float is refused, because a proof with rounded numbers proves nothing."""
    if isinstance(value, Combination):
        raise TypeError("a coefficient must be a number: write u @ v for an inner product and v**2 for a squared norm")
    found = sp.sympify(value)
    if found.has(sp.Float):
        raise ValueError(f"coefficient {value} is a float: write Fraction(11, 10), or an expression in the parameters")
    return found


def vanishes(coefficient: Coefficient) -> bool:
    """Whether a rational function is identically zero, decided in the field of rational functions over the rationals."""
    value = sp.sympify(coefficient)
    letters = sorted(value.free_symbols, key=str)
    if not letters:
        return sp.expand(value) is sp.S.Zero
    return not sp.QQ.frac_field(*letters).from_sympy(value)


def field_name(known: int) -> str:
    """The LaTeX name of a sigma-field."""
    shift = "" if known == 0 else f"{known:+d}"
    return r"\mathcal{F}_{-\infty}" if known == TRIVIAL else rf"\mathcal{{F}}_{{k{shift}}}"


@dataclass(frozen=True, eq=False)
class Combination(Generic[Key]):
    """A finite linear combination: what vectors and expressions have in common.

    ``terms`` is what it is; ``written`` only remembers how it was written, in the names of the paper, to print it so.
    """

    terms: Mapping[Key, Coefficient]
    written: tuple[tuple[str, Coefficient], ...] = ()

    def _like(self, pairs: Iterable[tuple[Any, Coefficient]], written: Iterable[tuple[str, Coefficient]] = ()) -> Self:
        return type(self)(_collect(pairs), tuple(_collect(written).items()))

    def _coerce(self, other: Any) -> Self | None:
        return other if isinstance(other, type(self)) else None

    def __add__(self, other: Any) -> Self:
        right = self._coerce(other)
        if right is None:
            return NotImplemented
        return self._like([*self.terms.items(), *right.terms.items()], self.written + right.written)

    __radd__ = __add__

    def __neg__(self) -> Self:
        return self.__mul__(-1)

    def __sub__(self, other: Any) -> Self:
        right = self._coerce(other)
        if right is None:
            return NotImplemented
        return self + -right

    def __rsub__(self, other: Any) -> Self:
        return (-self).__add__(other)

    def __mul__(self, factor: Coefficient) -> Self:
        times = exact(factor)
        written = ((name, times * value) for name, value in self.written)
        return self._like(((key, times * value) for key, value in self.terms.items()), written)

    __rmul__ = __mul__

    def __truediv__(self, factor: Coefficient) -> Self:
        return self.__mul__(1 / exact(factor))

    def map(self, change: Any) -> Self:
        """The same combination with ``change`` applied to every coefficient."""
        return self._like((key, change(value)) for key, value in self.terms.items())

    def is_zero(self) -> bool:
        """Whether every coefficient vanishes identically."""
        return all(vanishes(value) for value in self.terms.values())

    def named(self, name: str) -> Self:
        """The same under the name by which the paper calls it."""
        return type(self)(self.terms, ((name, sp.S.One),))

    def __str__(self) -> str:
        pairs = self.written or [(key.name, value) for key, value in self.terms.items()]  # type: ignore[attr-defined]
        return "".join(signed(name, value) for name, value in pairs).removeprefix("+") or "0"


@dataclass(frozen=True)
class Letter:
    r"""A vector that is not taken apart further, with the field at which it is known.

    ``key`` tells letters apart: the name, or function and point for a subgradient.  ``mean``, where given, is the
    conditional mean one field earlier: the vector carries the fresh sample of its field.
    """

    key: Hashable
    known: int
    name: str = field(compare=False)
    mean: "Vector | None" = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class Vector(Combination[Letter]):
    """A linear combination of letters."""

    @property
    def known(self) -> int:
        return max((letter.known for letter in self.terms), default=TRIVIAL)

    @property
    def key(self) -> frozenset[tuple[Letter, Coefficient]]:
        """The vector as a hashable value: equal for equal combinations."""
        reduced = ((letter, sp.cancel(value)) for letter, value in self.terms.items())
        return frozenset((letter, value) for letter, value in reduced if value is not sp.S.Zero)

    def __matmul__(self, other: "Vector") -> "Expression":
        pairs = ((Gram(frozenset((a, b))), u * v) for a, u in self.terms.items() for b, v in other.terms.items())
        name = rf"\|{self}\|^2" if self is other else rf"\langle {self},{other}\rangle"
        return Expression({})._like(pairs, [(name, sp.S.One)])

    def __pow__(self, exponent: Literal[2]) -> "Expression":
        if exponent != 2:
            raise ValueError(f"only the squared norm v**2 is defined, got exponent {exponent}")
        return self @ self


@dataclass(frozen=True)
class Gram:
    r"""The inner product :math:`\langle a,b\rangle` of the letters of a pair, or the squared norm of a single one."""

    pair: frozenset[Letter]

    @property
    def letters(self) -> tuple[Letter, Letter]:
        """The two letters in a fixed order."""
        both = sorted(self.pair, key=lambda letter: (letter.name, letter.known))
        return both[0], both[-1]

    @property
    def known(self) -> int:
        return max(letter.known for letter in self.pair)

    @property
    def name(self) -> str:
        a, b = self.letters
        return rf"\|{a.name}\|^2" if a == b else rf"\langle {a.name},{b.name}\rangle"

    def unknown_at(self, given: int) -> list[str]:
        return sorted({letter.name for letter in self.pair if letter.known > given})


@dataclass(frozen=True)
class Value:
    """The value of a function at a point, or (without a point) a scalar of its own; the number 1 is ``ONE``."""

    function: str
    key: Hashable
    known: int
    name: str = field(compare=False)

    def unknown_at(self, given: int) -> list[str]:
        return [self.name] if self.known > given else []


@dataclass(frozen=True)
class Mean:
    r"""An expectation :math:`\mathrm E[\cdot|\mathcal F]` that no rule takes further."""

    of: Gram | Value
    given: int

    @property
    def known(self) -> int:
        return self.given

    @property
    def name(self) -> str:
        return expected(self.of.name, self.given)

    def unknown_at(self, given: int) -> list[str]:
        return [self.name] if self.known > given else []


Scalar = Gram | Value | Mean
ONE = Value("1", None, TRIVIAL, "")


@dataclass(frozen=True, eq=False)
class Expression(Combination[Scalar]):
    """A linear combination of inner products, function values, their expectations, and the number 1."""

    def _coerce(self, other: Any) -> "Expression | None":
        if isinstance(other, Expression):
            return other
        return None if isinstance(other, Combination) else constant(other)

    @property
    def known(self) -> int:
        return max((scalar.known for scalar in self.terms), default=TRIVIAL)

    def __le__(self, other: Any) -> "Claim":
        return Claim(self, constant(0) + other)

    def __ge__(self, other: Any) -> "Claim":
        return Claim(constant(0) + other, self)

    def equals(self, other: Any) -> "Claim":
        return Claim(self, constant(0) + other, "==")


@dataclass(frozen=True)
class Claim:
    r"""``left <= right`` or ``left == right``; ``gap`` is right minus left, the expression to be shown non-negative
    or zero."""

    left: Expression
    right: Expression
    sense: Literal["<=", "=="] = "<="

    @property
    def gap(self) -> Expression:
        return self.right - self.left

    def latex(self, given: int | None = None) -> str:
        """The claim as written, in expectation given a field."""
        left, right = self.left, self.right
        if given is not None:
            left, right = E(left, given), E(right, given)
        return rf"{left}\le {right}" if self.sense == "<=" else f"{left}={right}"


@dataclass(frozen=True)
class Function:
    r"""A function: ``f(x)`` its value, ``f.slope(x)`` its (mean) subgradient, ``f.sample(x, "g_k")`` a stochastic
    one by (A1)."""

    name: str
    slope_name: str = ""

    def __call__(self, x: Vector) -> Expression:
        self._at(x)
        return _value(Value(self.name, x.key, x.known, f"{self.name}({x})"))

    def slope(self, x: Vector) -> Vector:
        self._at(x)
        mark = self.slope_name or f"{self.name}'"
        name = f"{mark}({x})"
        return Vector({Letter((mark, x.key), x.known, name): sp.S.One}, ((name, sp.S.One),))

    def sample(self, x: Vector, name: str) -> Vector:
        mean = self.slope(x)
        return vector(name, x.known + 1, mean=mean)

    def _at(self, x: Any) -> None:
        if not isinstance(x, Vector):
            raise ValueError(f"{self.name} is a function of a vector, such as vector('y'), got {x!s}")


def _value(scalar_: Value) -> Expression:
    return Expression({scalar_: sp.S.One}, ((scalar_.name, sp.S.One),))


def vector(name: str, known: int = TRIVIAL, *, mean: Vector | None = None) -> Vector:
    """A new letter as a vector; ``mean`` must be known before the letter itself."""
    if mean is not None:
        known_at(mean, known - 1)
    return Vector({Letter(name, known, name, mean): sp.S.One}, ((name, sp.S.One),))


def scalar(name: str, known: int = TRIVIAL) -> Expression:
    r"""A random scalar of its own, such as :math:`\varphi_k`."""
    return _value(Value(name, None, known, name))


def constant(value: Coefficient) -> Expression:
    """A deterministic number as an expression."""
    return Expression({})._like([(ONE, exact(value))], [("", value)])


def E(expression: Expression, given: int = TRIVIAL) -> Expression:
    r"""The conditional expectation given :math:`\mathcal F_{k+\text{given}}`; without ``given`` the total expectation.

    What the field knows is pulled out.  :math:`\mathrm E[\langle g,v\rangle|\mathcal F]` becomes
    :math:`\langle \mathrm E g,v\rangle` exactly when :math:`v` is known before the sample of :math:`g` and
    :math:`\mathcal F` is no finer than that.  The rest stays an expectation.
    """
    if expression.known <= given:
        return expression
    means = ((scalar_, value, _mean(scalar_, given)) for scalar_, value in expression.terms.items())
    pairs = ((key, value * part) for _, value, mean in means for key, part in mean.terms.items())
    return Expression({})._like(pairs, [(expected(str(expression), given), sp.S.One)])


def _mean(scalar_: Scalar, given: int) -> Expression:
    if scalar_.known <= given:
        return Expression({scalar_: sp.S.One})
    if isinstance(scalar_, Mean):  # tower property
        return _mean(scalar_.of, given)
    if isinstance(scalar_, Gram):
        a, b = scalar_.letters
        for fresh, other in ((a, b), (b, a)):
            if fresh.mean is not None and max(other.known, given) < fresh.known:
                return E(fresh.mean @ Vector({other: sp.S.One}), given)
    return Expression({Mean(scalar_, given): sp.S.One})


def known_at(thing: Vector | Expression, given: int) -> None:
    """Raise :class:`MeasurabilityError`, naming the offending factors, unless ``thing`` is known at the field."""
    if isinstance(thing, Vector):
        late = {letter.name: letter.known for letter in thing.terms if letter.known > given}
    else:
        late = {
            name: key.known
            for key, value in thing.terms.items()
            if not vanishes(value)
            for name in key.unknown_at(given)
        }
    if late:
        where = {known: field_name(known).replace(r"\mathcal{F}", "F") for known in (given, *late.values())}
        factors = ", ".join(f"{name} (known at {where[known]})" for name, known in sorted(late.items()))
        raise MeasurabilityError(f"{thing} is not known at {where[given]}: {factors}")


def pull_out(factor: Vector, other: Vector, given: int) -> Expression:
    r""":math:`\langle\mathrm E[\text{other}|\mathcal F],\text{factor}\rangle`, refused unless the factor is known at
    the field."""
    known_at(factor, given)
    return E(other @ factor, given)


def recondition(expression: Expression, fine: int, coarse: int) -> Expression:
    r""":math:`\mathrm E[u|\mathcal F_{\text{fine}}]` for :math:`\mathrm E[u|\mathcal F_{\text{coarse}}]`: refused
    unless known there."""
    inner = E(expression, fine)
    known_at(inner, coarse)
    return inner


def _collect(pairs: Iterable[tuple[Any, Coefficient]]) -> dict[Any, Coefficient]:
    """Add up equal keys and leave out zeros."""
    terms: dict[Any, Coefficient] = {}
    for key, coefficient in pairs:
        terms[key] = terms.get(key, sp.S.Zero) + sp.sympify(coefficient)
    return {key: value for key, value in terms.items() if value is not sp.S.Zero}


def expected(name: str, given: int) -> str:
    r"""The name of :math:`\mathrm E[\cdot|\mathcal F]`."""
    bar = "" if given == TRIVIAL else rf"\,|\,{field_name(given)}"
    return rf"\mathrm{{E}}\left[{name}{bar}\right]"
