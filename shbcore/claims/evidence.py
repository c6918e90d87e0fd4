r"""Builders of evidence beside certificates: exact instances, exact refutations, and numbers with their margin."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from shbcore.claims.registry import Check, Evidence
from shbcore.proof.kernel import Outcome


def show(value: Any) -> str:
    """A number for a reader: a fraction, or its decimals where the fraction is long."""
    sizes = [abs(int(part)).bit_length() for part in (getattr(value, "numerator", 0), getattr(value, "denominator", 1))]
    text = str(value) if max(sizes) < 1000 else ""  # Python refuses to write out integers of some thousand digits
    return text if 0 < len(text) <= 24 else f"{float(value):.6g}"


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
        return f"{show(self.left)} {self.sign} {show(self.right)}"


@dataclass(frozen=True)
class Counterexample:
    """An instance that breaks a printed line, in words and in exact numbers.

    ``printed`` is the line as typeset, evaluated at the instance, and does not hold; ``repaired`` is the repaired line at the same
    instance, and holds.  ``numbers`` are the quantities on the way, so that a reader can check by hand.
    """

    instance: str
    printed: Comparison
    repaired: Comparison
    numbers: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    headline: str = ""

    @property
    def refutes(self) -> bool:
        """Whether the printed line fails here while the repaired one holds."""
        return not self.printed.holds and self.repaired.holds


@dataclass(frozen=True)
class Against:
    """A function that builds a counterexample; call it to get the counterexample."""

    build: Callable[[], Counterexample]

    @property
    def headline(self) -> str:
        """What is refuted, in one line."""
        return (self.build.__doc__ or "").strip()

    def __call__(self) -> Counterexample:
        return replace(self.build(), name=self.build.__name__, headline=self.headline)


def against(build: Callable[[], Counterexample]) -> Against:
    """Mark a function as a counterexample; its docstring says what it refutes."""
    return Against(build)


def _all_hold(lines: Iterable[Comparison]) -> Outcome:
    count = 0
    for count, line in enumerate(lines, 1):
        if not line.holds:
            return Outcome(False, f"instance {count}: {line} is false")
    return Outcome(count > 0, f"{count} instances")


def exact(
    what: str,
    lines: Callable[[], Iterable[Comparison]],
    wrong: Callable[[], Iterable[Comparison]],
    control_what: str,
    *,
    far: str = "",
) -> Check:
    """Exact evidence: a line holds on all instances; the control is a stronger line that fails on one of them."""
    return Check("exact", what, lambda: _all_hold(lines()), lambda: _all_hold(wrong()), control_what, far=far)


def measured(
    what: str,
    run: Callable[[], Outcome],
    control: Callable[[], Outcome],
    control_what: str,
    *,
    kind: Evidence = "numeric",
    far: str = "",
) -> Check:
    """Evidence of another kind: floating point, with the margin in the words of the outcome."""
    return Check(kind, what, run, control, control_what, far=far)


def refuted(counterexample: Against) -> Check:
    """An exact counterexample to the printed line; the control asks the same of the repaired line, which must survive."""

    def found() -> Outcome:
        c = counterexample()
        failed = not c.printed.holds
        return Outcome(
            failed, f"{c.instance}: the printed line says {c.printed}" + (", which is false" if failed else "")
        )

    def repaired() -> Outcome:
        c = counterexample()
        return Outcome(not c.repaired.holds, f"the repaired line says {c.repaired}")

    return Check(
        "counterexample",
        counterexample.headline,
        found,
        repaired,
        "the repaired line at the same instance",
        far="a verdict, not a constant",
    )
