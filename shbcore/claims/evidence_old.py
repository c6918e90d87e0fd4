r"""Builders of evidence: identities and combinations of inequalities, exact instances, and exact refutations.

A quadratic expression in vectors is a polynomial in their inner products.  It vanishes for all vectors of all dimensions exactly
if it vanishes for real numbers, because numbers already determine the symmetric matrix of its coefficients.  So the entries of the
ledger write a vector as one symbol, :math:`\langle u,v\rangle` as ``u*v`` and :math:`\|u\|^2` as ``u**2``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import sympy as sp

from shbcore.claims.ledger import Check, Outcome
from shbcore.proof.algebra import vanishes
from shbcore.proof.positivity import Domain, prove_nonnegative

Expr = Any
Relation = Literal["<=", "="]


def show(value: Any) -> str:
    """A number for a reader: a fraction, or its decimals where the fraction is long."""
    text = str(value)
    return text if len(text) <= 24 else f"{float(value):.6g}"


@dataclass(frozen=True)
class Line:
    """One displayed line evaluated at one instance: left side, relation, right side, all exact."""

    left: Any
    right: Any
    relation: Relation = "<="

    @property
    def holds(self) -> bool:
        """Whether the relation is true."""
        return bool(self.left <= self.right if self.relation == "<=" else self.left == self.right)

    def __str__(self) -> str:
        return f"{show(self.left)} {self.relation} {show(self.right)}"


@dataclass(frozen=True)
class Counterexample:
    """An instance that breaks a printed line, in words and in exact numbers.

    ``printed`` is the line as typeset, evaluated at the instance, and does not hold; ``repaired`` is the repaired line at the same
    instance, and holds.  ``numbers`` are the quantities on the way, so that a reader can check by hand.
    """

    instance: str
    claim: str
    printed: Line
    repaired: Line
    numbers: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    headline: str = ""
    labels: tuple[str, ...] = ()

    @property
    def refutes(self) -> bool:
        """Whether the printed line fails here while the repaired one holds."""
        return not self.printed.holds and self.repaired.holds


@dataclass(frozen=True)
class Against:
    """A function that builds a counterexample, with the labels of the lines it refutes; call it to get the counterexample."""

    build: Callable[[], Counterexample]
    labels: tuple[str, ...]

    @property
    def headline(self) -> str:
        """What is refuted, in one line."""
        return (self.build.__doc__ or "").strip()

    def __call__(self) -> Counterexample:
        return replace(self.build(), name=self.build.__name__, headline=self.headline, labels=self.labels)


def against(*labels: str) -> Callable[[Callable[[], Counterexample]], Against]:
    """Mark a function as a counterexample to the lines with these labels."""
    return lambda build: Against(build, labels)


def identity(what: str, left: Expr, right: Expr, wrong: Expr, control_what: str) -> Check:
    """A certificate that ``left = right`` identically; the control replaces the right side by ``wrong``."""

    def test(other: Expr) -> Outcome:
        same = vanishes(left - other)
        return Outcome(same, "the difference expands to 0" if same else f"difference {sp.factor(left - other)}")

    return Check("certificate", what, lambda: test(right), lambda: test(wrong), control_what)


def implied(
    what: str,
    slack: Expr,
    by: Iterable[tuple[Expr, Expr]],
    wrong: Expr,
    control_what: str,
    *,
    where: Domain,
) -> Check:
    r"""A certificate that ``slack >= 0``: it equals :math:`\sum_i m_i h_i` with hypotheses :math:`h_i\ge0` and multipliers
    :math:`m_i\ge0` on the whole domain ``where``; the control has the slack ``wrong``."""
    pairs = list(by)

    def test(claim: Expr) -> Outcome:
        rest = claim - sum(m * h for h, m in pairs)
        if not vanishes(rest):
            return Outcome(False, f"left over: {sp.factor(rest)}")
        bad = [m for _, m in pairs if not prove_nonnegative(m, where).passed]
        return Outcome(not bad, f"{len(pairs)} hypotheses, multipliers non-negative" if not bad else f"signs of {bad}")

    return Check("certificate", what, lambda: test(slack), lambda: test(wrong), control_what)


def bounded(what: str, slack: Expr, wrong: Expr, control_what: str, *, where: Domain) -> Check:
    """A certificate that an expression in the parameters is non-negative on the whole domain ``where``."""
    return Check(
        *(
            "certificate",
            what,
            lambda: prove_nonnegative(slack, where),
            lambda: prove_nonnegative(wrong, where),
            control_what,
        )
    )


def _all_hold(lines: Iterable[Line]) -> Outcome:
    count = 0
    for count, line in enumerate(lines, 1):
        if not line.holds:
            return Outcome(False, f"instance {count}: {line} is false")
    return Outcome(count > 0, f"{count} instances")


def exact(
    what: str, lines: Callable[[], Iterable[Line]], wrong: Callable[[], Iterable[Line]], control_what: str
) -> Check:
    """Exact evidence: a line holds on all instances; the control is a stronger line that fails on one of them."""
    return Check("exact", what, lambda: _all_hold(lines()), lambda: _all_hold(wrong()), control_what)


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

    return Check("counterexample", counterexample.headline, found, repaired, "the repaired line at the same instance")
