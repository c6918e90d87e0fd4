r"""Builders of evidence beside certificates: exact instances, exact refutations, and numbers with their margin."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from shbcore.claims.registry import Check
from shbcore.proof.kernel import Outcome


def show(value: Any) -> str:
    """A number for a reader: a fraction, or its decimals where the fraction is long."""
    sizes = [abs(int(part)).bit_length() for part in (getattr(value, "numerator", 0), getattr(value, "denominator", 1))]
    text = str(value) if max(sizes) < 1000 else ""  # Python refuses to write out integers of some thousand digits
    return text if 0 < len(text) <= 24 else f"{float(value):.6g}"


def sides(left: Any, sign: str, right: Any) -> str:
    """Two exact sides for a reader, with decimals where the fractions cannot be compared at sight: as many as tell them apart."""
    pair = {"left": left, "right": right}
    broken = {name: one for name, one in pair.items() if getattr(one, "denominator", 1) > 1}
    if left == right or not any(max(abs(one.numerator), one.denominator) > 99 for one in broken.values()):
        return f"{show(left)} {sign} {show(right)}"
    rounded = [[f"{float(one):.{digits}g}" for one in pair.values()] for digits in range(4, 18)]
    low, high = next((two for two in rounded if two[0] != two[1]), rounded[-1])
    told = {name: f"the {name} side is {one}" for name, one in broken.items() if "/" in show(one)}
    if len(told) == len(broken):
        return f"{show(left)} {sign} {show(right)} ({low} {sign} {high})"
    return f"{low} {sign} {high} ({'; '.join(['rounded', *told.values()])})"


@dataclass(frozen=True)
class Comparison:
    """One displayed line evaluated at one instance: left side, sign, right side, all exact."""

    left: Any
    right: Any
    sign: Literal["<=", "="] = "<="

    def __post_init__(self) -> None:
        if self.sign not in ("<=", "="):
            raise ValueError(f"sign = {self.sign!r}: a comparison is '<=' or '='")

    @property
    def holds(self) -> bool:
        """Whether the comparison is true."""
        return bool(self.left <= self.right if self.sign == "<=" else self.left == self.right)

    def __str__(self) -> str:
        return sides(self.left, self.sign, self.right)


@dataclass(frozen=True)
class Counterexample:
    """An instance that breaks a printed line: the line as typeset, evaluated there, and the repaired one, which holds.

    ``said`` tells the outcome, with the comparison, or with its two sides, in its place.
    """

    instance: str
    printed: Comparison
    repaired: Comparison
    said: str = "the printed line says {}, which is false"


def _all_hold(lines: Iterable[Comparison]) -> Outcome:
    count = 0
    for count, line in enumerate(lines, 1):
        if not line.holds:
            return Outcome(False, f"instance {count}: {line} is false")
    return Outcome(count > 0, f"{count} instances")


def exact(
    lines: Callable[..., Iterable[Comparison]], what: str, control_what: str, *, far: str = "", **change: Any
) -> Check:
    """Exact evidence: all that ``lines()`` yields holds; the control is ``lines(**change)``, of which something fails."""
    return Check("exact", what, lambda: _all_hold(lines()), lambda: _all_hold(lines(**change)), control_what, far=far)


def measured(run: Callable[..., Outcome], what: str, control_what: str, *, far: str = "", **change: Any) -> Check:
    """Floating-point evidence, with the margin in the words of the outcome; the control is ``run(**change)``."""
    return Check("numeric", what, run, lambda: run(**change), control_what, far=far)


def refuted(build: Callable[[], Counterexample]) -> Check:
    """Exact evidence against the printed line, which the docstring of ``build`` names; the control asks the same of the repaired line."""

    def found() -> Outcome:
        c = build()
        if c.printed.holds:
            return Outcome(False, f"{c.instance}: the printed line says {c.printed}")
        said = c.said.format(c.printed, left=show(c.printed.left), right=show(c.printed.right))
        return Outcome(True, f"{c.instance}: {said}")

    def repaired() -> Outcome:
        c = build()
        return Outcome(not c.repaired.holds, f"the repaired line says {c.repaired}")

    what, far = (build.__doc__ or "").strip(), "a verdict, not a constant"
    return Check("counterexample", what, found, repaired, "the repaired line at the same instance", far=far)
