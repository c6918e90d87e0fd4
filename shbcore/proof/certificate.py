r"""Certificates: a claim is a sum of hypotheses with non-negative multipliers, as an exact identity.

``Certificate(claim, [multiplier * hypothesis, ...], given)`` says that right minus left of the claim, in expectation
given the field, is the sum of the terms.  ``verify`` checks the identity coefficient by coefficient, and proves over the
whole domain that no denominator vanishes and that every multiplier has its sign.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from shbcore.proof.algebra import ONE, Claim, E, Expression, MeasurabilityError, Vector, constant, vanishes
from shbcore.proof.hypotheses import Hypothesis, Term, number
from shbcore.proof.positivity import Domain, Range, SignProof, defined, never_zero, prove_nonnegative
from shbcore.proof.printing import tex
from shbcore.proof.step import ADMISSIBLE

PATHWISE = 10**6
"""The finest field: with ``given=PATHWISE`` nothing is averaged, the claim holds for every outcome."""


@dataclass(frozen=True)
class Verdict:
    """What a check found, in words."""

    passed: bool
    detail: str


@dataclass(frozen=True)
class Proof:
    """A check with its negative control: ``run`` must pass, ``control`` (the same check on a perturbed claim) must fail.

    ``build`` makes the certificate behind the check, where there is one.
    """

    kind: str
    what: str
    run: Callable[[], Verdict]
    control: Callable[[], Verdict]
    control_what: str
    build: "Callable[..., Certificate | Steps] | None" = None


@dataclass(frozen=True)
class Certificate:
    """The claim, the terms that add up to it, and where it holds.

    ``label`` is the paper's, ``statement`` the LaTeX (by default the claim as written).
    """

    claim: Claim
    terms: Sequence[Term] = ()
    given: int = PATHWISE
    label: str = ""
    statement: str = ""
    domain: Domain = ADMISSIBLE

    def __post_init__(self) -> None:
        if bare := [one for one in self.terms if not isinstance(one, Term)]:
            found = getattr(bare[0], "name", bare[0])
            raise ValueError(
                f"terms must be multiplier * hypothesis, got {found!r} without a multiplier; find() looks for multipliers"
            )
        object.__setattr__(self, "statement", self.statement or self.claim.latex(self.given))

    def residual(self) -> dict[str, Any]:
        """What is left of claim minus terms, by inner product or value: empty for a valid identity."""
        left = E(self.claim.gap, self.given)
        for term in self.terms:
            left = left - term.multiplier * E(term.hypothesis.expression, self.given)
        left = E(left, self.given).map(self.domain.define)
        return {key.name or "1": sp.factor(value) for key, value in left.terms.items() if not vanishes(value)}

    def signs(self) -> Iterator[tuple[str, SignProof]]:
        """One sign proof for each multiplier of an inequality, and one for each condition of a hypothesis."""
        for term in self.terms:
            if term.hypothesis.sense == "<=":
                yield f"multiplier of {term.hypothesis.name}", prove_nonnegative(term.multiplier, self.domain)
            for condition in term.hypothesis.requires:
                yield f"condition of {term.hypothesis.name}", prove_nonnegative(condition, self.domain)

    def coefficients(self) -> Iterator[Any]:
        """Everything in the claim and its terms that depends on the parameters."""
        for expression in (self.claim.gap, *(term.hypothesis.expression for term in self.terms)):
            yield from expression.terms.values()
        for term in self.terms:
            yield from (term.multiplier, *map(sp.sympify, term.hypothesis.requires))

    def poles(self) -> list[str]:
        """Denominators that may vanish somewhere on the domain: there the identity would say nothing."""
        powers = {power for value in self.coefficients() for power in self.domain.define(value).atoms(sp.Pow)}
        below = {power.base for power in powers if power.exp.is_negative and power.base.free_symbols}
        return sorted(str(one) for one in below if not never_zero(one, self.domain))

    def symbols(self) -> set[Any]:
        """The parameters that occur, also in the earlier lines that the terms come from."""
        own = {symbol for value in self.coefficients() for symbol in value.free_symbols}
        return own.union(*(term.hypothesis.proof.symbols() for term in self.terms if term.hypothesis.proof))

    def ranges(self) -> tuple[Range, ...]:
        """The ranges of the parameters that occur."""
        return self.domain.about(self.symbols())

    def verify(self) -> Verdict:
        """The identity, the signs, no pole, earlier lines on this domain, and (for an equality) that only equalities were used."""
        if self.claim.sense == "==" and any(term.hypothesis.sense == "<=" for term in self.terms):
            return Verdict(False, "an equality cannot rest on an inequality")
        residual = self.residual()
        if residual:
            return Verdict(
                False, "identity fails: " + ", ".join(f"{value} * {name}" for name, value in residual.items())
            )
        bad = [f"{what}: {proof.detail}" for what, proof in self.signs() if not proof.passed]
        bad += [f"the denominator {pole} may vanish" for pole in self.poles()]
        bad += [f"{line.label} on this domain: {found.detail}" for line, found in self._moved() if not found.passed]
        if bad:
            return Verdict(False, "; ".join(bad))
        used = f"; {len(self.terms)} term{'s' * (len(self.terms) > 1)} with proved signs" if self.terms else ""
        return Verdict(True, f"identity exact{used}")

    def _moved(self) -> Iterator[tuple["Certificate", Verdict]]:
        """Earlier lines that were certified on another domain, verified once more on this one."""
        for line in (term.hypothesis.proof for term in self.terms):
            if line is not None and line.domain != self.domain:
                yield line, replace(line, domain=line.domain.also(*self.domain.ranges)).verify()

    def hypothesis(self, name: str = "", why: str = "shown before") -> Hypothesis:
        """The certified claim as a hypothesis for what follows."""
        gap = E(self.claim.gap, self.given)
        return Hypothesis(name or self.label, gap, self.statement, self.label, why, self.claim.sense, proof=self)

    def flat(self) -> "Certificate":
        """The same claim from assumptions alone: earlier lines replaced by their own certificates, equal terms added up."""
        total: dict[tuple[str, str], Term] = {}
        for term in self.terms:
            inner = term.hypothesis.proof.flat().terms if term.hypothesis.proof else [1 * term.hypothesis]
            for part in inner:
                key, weight = (part.hypothesis.name, part.hypothesis.latex), term.multiplier * part.multiplier
                total[key] = Term(part.hypothesis, weight + (total[key].multiplier if key in total else 0))
        return replace(self, terms=list(total.values()))

    def refit(self) -> Verdict:
        """Whether *any* non-negative multipliers of the same hypotheses certify the claim at a sample point: for controls."""
        if not self.terms or set(self.claim.gap.terms) <= {ONE}:
            return self.verify()
        try:
            found = find(
                self.claim,
                [term.hypothesis for term in self.terms],
                self.given,
                domain=self.domain,
                at=self.domain.sample(),
            )
        except ValueError as error:
            return Verdict(False, str(error))
        return found.verify()

    def without(self, index: int) -> "Certificate":
        """The certificate with one term dropped."""
        return replace(self, terms=[term for i, term in enumerate(self.terms) if i != index])

    def table(self) -> list[dict[str, str]]:
        """One row a term, for a person (or ``pandas.DataFrame``): hypothesis, multiplier, where the paper uses it, and why it holds."""
        return [
            {
                "hypothesis": term.hypothesis.name,
                "statement": f"${term.hypothesis.latex}$",
                "multiplier": f"${tex(term.multiplier)}$",
                "where": term.hypothesis.where,
                "why": term.hypothesis.why,
            }
            for term in self.terms
        ]

    def latex(self) -> str:
        """The certificate as an ``align*``: the claim, then the terms that add up to it."""
        lines = [rf"&\Bigl({tex(term.multiplier)}\Bigr)\cdot\Bigl[{term.hypothesis.latex}\Bigr]" for term in self.terms]
        return "\n".join(
            [r"\begin{align*}", rf"&{self.statement}\\ \Longleftarrow\quad", r"\\ +\;".join(lines), r"\end{align*}"]
        )


@dataclass(frozen=True)
class Steps:
    """A proof in several certificates, such as the base and the step of an induction: all of them must hold."""

    parts: Sequence[Certificate]

    def verify(self) -> Verdict:
        return self._all([part.verify() for part in self.parts])

    def refit(self) -> Verdict:
        return self._all([part.refit() for part in self.parts])

    @staticmethod
    def _all(verdicts: list[Verdict]) -> Verdict:
        bad = [f"part {i}: {verdict.detail}" for i, verdict in enumerate(verdicts, 1) if not verdict.passed]
        return Verdict(
            not bad, "; ".join(bad) or f"{len(verdicts)} certificates, each an exact identity with proved signs"
        )


def refused(what: str, attempt: Callable[[], Any], legal: Callable[[], Any], control_what: str) -> Proof:
    """The check that the algebra refuses a step as unmeasurable; its control is a legal step, which is not refused."""

    def test(do: Callable[[], Any]) -> Verdict:
        try:
            return Verdict(False, f"not refused: {do()}")
        except MeasurabilityError as error:
            return Verdict(True, f"refused: {error}")

    return Proof("certificate", what, lambda: test(attempt), lambda: test(legal), control_what)


def proof_of(what: str, build: Callable[..., Certificate | Steps], control_what: str, **change: Any) -> Proof:
    """The check of the certificate ``build()``; its control is ``build(**change)``, for which no multipliers may exist at all."""
    return Proof("certificate", what, lambda: build().verify(), lambda: build(**change).refit(), control_what, build)


def identity(
    left: Expression | Vector,
    right: Expression | Vector | Any,
    label: str = "",
    statement: str = "",
    domain: Domain = ADMISSIBLE,
) -> Certificate:
    """The certificate of an identity between expressions, or between vectors (their difference has length 0)."""
    if isinstance(left, Vector):
        return Certificate(((left - right) ** 2).equals(0), (), PATHWISE, label, statement or f"{left}={right}", domain)
    return Certificate(left.equals(right), (), PATHWISE, label, statement, domain)


def sign(expression: Any, label: str = "", statement: str = "", domain: Domain = ADMISSIBLE) -> Certificate:
    """The certificate of an inequality between parameters alone: ``expression >= 0`` on the domain."""
    return Certificate(
        constant(0) <= constant(expression), [1 * number(expression)], PATHWISE, label, statement, domain
    )


def find(
    claim: Claim,
    hypotheses: Sequence[Hypothesis],
    given: int = PATHWISE,
    *,
    label: str = "",
    statement: str = "",
    domain: Domain = ADMISSIBLE,
    at: Mapping[Any, Any] | None = None,
) -> Certificate:
    """Multipliers for the claim: one linear solve, symbolic in all parameters, or (``at``) a linear programme at rational ones.

    Raises ``ValueError`` if none exist.  Multipliers that the linear solve leaves free are set to 0.
    """
    if at is not None:
        domain = domain.also(*(defined(symbol, sp.sympify(value)) for symbol, value in at.items()))
    rows, right = _system(claim, hypotheses, given, domain)
    if at is None:
        unknowns = sp.symbols(f"m:{len(hypotheses)}")
        solutions = list(sp.linsolve((sp.Matrix(rows), sp.Matrix(right)), *unknowns))
        if not solutions:
            raise ValueError(f"no multipliers: {_missing(claim, hypotheses, given, domain)}")
        multipliers = [sp.factor(value.subs(dict.fromkeys(unknowns, 0))) for value in solutions[0]]
    else:
        multipliers = _linear_programme(rows, right, [one.sense == "==" for one in hypotheses])
    terms = [value * one for value, one in zip(multipliers, hypotheses, strict=True) if not vanishes(value)]
    return Certificate(claim, terms, given, label, statement, domain)


def _system(
    claim: Claim, hypotheses: Sequence[Hypothesis], given: int, domain: Domain
) -> tuple[list[list[Any]], list[Any]]:
    """The linear equations for the multipliers: one row an inner product or value, one column a hypothesis."""
    columns = [E(one.expression, given).map(domain.define) for one in hypotheses]
    target = E(claim.gap, given).map(domain.define)
    keys = list(dict.fromkeys(key for part in (*columns, target) for key in part.terms))
    rows = [[sp.cancel(column.terms.get(key, sp.S.Zero)) for column in columns] for key in keys]
    return rows, [sp.cancel(target.terms.get(key, sp.S.Zero)) for key in keys]


def _missing(claim: Claim, hypotheses: Sequence[Hypothesis], given: int, domain: Domain) -> str:
    """Why the hypotheses do not span the claim: the terms that none of them contains, or their proportions."""
    known = {key for one in hypotheses for key in E(one.expression, given).terms}
    target = E(claim.gap, given).map(domain.define).terms
    lost = [key.name or "1" for key, value in target.items() if key not in known and not vanishes(value)]
    whole = f"the {len(hypotheses)} hypotheses do not span the claim"
    return f"{whole}: none contains {', '.join(lost)}" if lost else f"{whole}: its terms occur, not in this proportion"


def _linear_programme(rows: list[list[Any]], right: list[Any], free: list[bool]) -> list[Any]:
    """A vertex of the multipliers at rational parameters: floating point finds the support, a rational solve the numbers."""
    import numpy as np
    from scipy.optimize import linprog

    stray = {symbol for value in (*right, *(v for row in rows for v in row)) for symbol in value.free_symbols}
    if stray:
        raise ValueError(f"parameters {sorted(map(str, stray))} need a rational value for a linear programme")
    bounds = [(None, None) if one else (0, None) for one in free]
    result = linprog(
        np.ones(len(free)), A_eq=np.array(rows, float), b_eq=np.array(right, float), bounds=bounds, method="highs-ds"
    )
    if result.status != 0 or result.x is None:
        raise ValueError("no non-negative multipliers at these parameters")
    support = [i for i, value in enumerate(result.x) if abs(value) > 1e-9]
    unknowns = sp.symbols(f"m:{len(support)}")
    solutions = list(sp.linsolve((sp.Matrix([[row[i] for i in support] for row in rows]), sp.Matrix(right)), *unknowns))
    if not solutions:
        raise ValueError("no exact multipliers on the support found by the linear programme")
    exact = dict(zip(support, (value.subs(dict.fromkeys(unknowns, 0)) for value in solutions[0]), strict=True))
    return [exact.get(i, sp.S.Zero) for i in range(len(free))]
