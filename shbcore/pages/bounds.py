r"""The bounds of the theorems side by side: factors of the gap, the noise and the first gradient, read off the formal statements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from shbcore.claims.theorem_1_proof import alpha_0
from shbcore.proof import latex
from shbcore.proof.domain import Domain
from shbcore.proof.facts import L2, N, beta, rho, sigma2
from shbcore.proof.language import Node, Number, Scaled, Sum
from shbcore.proof.letters import lam
from shbcore.proof.statement import Statement

SHORT = {lam: 1 / (2 * rho), alpha_0: 1 / (2 * rho)}
r"""Where bounds with free parameters are compared: :math:`\lambda=\alpha_0=1/(2\rho)`."""
GRADIENT = r"\|\nabla f(x_0)\|^2"
SLOPE = r"\lVert\nabla f(x_0)\rVert^2"
"""The square of the first gradient in the language of the library, and without a bar, which would end a cell of a table."""


@dataclass(frozen=True)
class Factors:
    r"""The right side of a bound times :math:`\sqrt{K+1}`: factors of :math:`\rho\Delta`, of the noise, which is ``letter``, and of
    :math:`\|\nabla f(x_0)\|^2`."""

    gap: Any
    noise: Any
    slope: Any
    letter: Any

    def map(self, change: Callable[[Any], Any]) -> "Factors":
        """The same with every factor changed."""
        return replace(self, gap=change(self.gap), noise=change(self.noise), slope=change(self.slope))

    @property
    def latex(self) -> str:
        """As a sum, numbers rounded where a fraction would be long; without a bar, which would end a cell of a table."""
        parts = (
            (self.gap, r"\rho\Delta"),
            (self.noise, latex.tex(self.letter)),
            (self.slope, SLOPE),
        )
        return "+".join(f"{_number(factor)}{of}" for factor, of in parts if factor != 0)


def _number(factor: Any) -> str:
    value = sp.Rational(factor)
    if value == 1:
        return ""
    return latex.tex(value).replace(r"\frac", r"\tfrac") if value.q <= 5 else f"{float(value):.2f}"


def put_in(value: Any, domain: Domain) -> Any:
    """A coefficient in the free parameters alone."""
    meaning = {one.symbol: one.formula for one in domain.definitions}
    while (after := value.xreplace(meaning)) != value:
        value = after
    return sp.together(value)


def _summands(tree: Node, times: Any = sp.S.One) -> list[tuple[str, Any]]:
    """The summands of a side, multiplied out, each with its coefficient; the value of a number is its coefficient."""
    if isinstance(tree, Sum):
        return [one for part in tree.parts for one in _summands(part, times)]
    if isinstance(tree, Scaled):
        return _summands(tree.of, times * tree.times)
    return [("", times * tree.value)] if isinstance(tree, Number) else [(latex.node(tree), times)]


def factors(says: Statement, at: Mapping[Any, Any] | None = None) -> Factors:
    """The factors of a bound, with values put in for its parameters; a bound of another form is refused."""
    found: dict[str, Any] = {}
    for name, value in _summands(says.relation.right):
        found[name] = found.get(name, sp.S.Zero) + value
    gap, infimum, number = (found.pop(name, sp.S.Zero) for name in ("f(x_0)", r"f^\star", ""))
    slope = found.pop(GRADIENT, sp.S.Zero)
    letter = next((one for one in (L2, sigma2) if number.has(one)), None)
    if found or letter is None or sp.simplify(gap + infimum) != 0:
        raise ValueError(f"this is no bound by the gap, the noise and the first gradient: {says.latex}")
    values = dict(at or {})
    whole = Factors(gap * N / rho, number * N / letter, slope * N, letter)
    return whole.map(lambda value: sp.simplify(put_in(sp.sympify(value), says.domain).subs(values)))


def in_the_limit(says: Statement, at: Mapping[Any, Any]) -> Factors:
    """The same for many steps; the bounds of the theorems without parameters are what they are."""
    return factors(says, at).map(lambda value: sp.simplify(sp.limit(value, N, sp.oo)))


def fixed(says: Statement) -> bool:
    r"""Whether a bound leaves the momentum free, so that it may be a fixed one."""
    return beta not in {one.symbol for one in says.domain.definitions}
