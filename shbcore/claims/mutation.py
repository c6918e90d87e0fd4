r"""Mutation: strengthen every constant, shift every index, drop every hypothesis, and see what the checks reject.

A mutant is a claim of the paper with one thing changed.  It is *rejected* if, at one of three rational points of the admissible range (one
inside, two at its hardest corners), no non-negative multipliers of the same hypotheses prove it.  A mutant that survives is a claim with
room: how much is measured by making the same change larger until it is rejected.
"""

import argparse
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp
from sympy.polys.polyerrors import CoercionFailed
from tqdm import tqdm

from shbcore.claims.mutation_parts import MAIN, Main, Part
from shbcore.claims.nonsmooth_proofs import N
from shbcore.proof.algebra import ONE
from shbcore.proof.certificate import Certificate, Steps, Verdict, find
from shbcore.proof.positivity import Domain
from shbcore.proof.step import beta

MODULES = (
    *("background_proofs", "lemma3_proofs", "lemma4_proofs", "nonsmooth_proofs", "phi_proofs", "W_proofs"),
    *("theorem2_proofs", "theorem3_step_proofs", "theorem3_start_proofs", "theorem3_proofs"),
)
LESS, MORE = sp.Rational(9, 10), sp.Rational(11, 10)
SMALLER = (LESS, *(sp.Rational(n, 8) for n in (7, 6, 5, 4, 3, 2, 1, 0)))
LARGER = (MORE, *(sp.Rational(n, 4) for n in (5, 6, 7, 8, 12, 16)))
INTERNAL = {"delta", "sense", "power"}
"""Arguments that steer a proof and are no constants of its claim."""
ROOM = {
    "proof:smooth:z:diff:Delta": "the cross term E<Delta_{k+1}, Delta_k> vanishes, so 2 sigma^2 replaces 4 sigma^2",
    "proof:smooth:z:diff:2": "6 beta^2 sigma^2 may be 4, because of proof:smooth:z:diff:Delta",
    "proof:smooth:z:diff:3": "8 beta^2 sigma^2 may be 6, because of proof:smooth:z:diff:Delta",
    "lem:z:diff": "4 nu alpha^2 sigma^2 may be 3, because of proof:smooth:z:diff:Delta",
    "lem:Wfunc:smooth": "4 nu alpha^2 sigma^2 may be 3; at rho alpha <= 1/4 the decrease may be 47/32 alpha, and alpha may grow",
    "eq:proof:thrm:3:evn:3": "alpha rho/lambda is enough for alpha/lambda^2",
    "eq:proof:thrm:3:evn:4": "it adds the room of Lemma 5 and of eq:proof:thrm:3:evn:3",
    "alg:iters:def/start": "a constant of the second repair, chosen round",
    "thrm:non-smooth:complexity": "the extra constant of the second repair, chosen simple",
}
"""Why a surviving constant has room, by label."""


@dataclass(frozen=True)
class Mutant:
    """One changed claim: where, what was changed, whether the checks reject it, and why or with how much room it survives."""

    label: str
    kind: str
    what: str
    rejected: bool
    detail: str

    def __str__(self) -> str:
        return f"{'rejected' if self.rejected else 'SURVIVES'}  {self.kind:<10}  {self.label}: {self.what}" + (
            "" if self.rejected else f" ({self.detail})"
        )


def points(domain: Domain) -> list[dict[Any, Any]]:
    r"""An inner point of the domain; its corner, :math:`1/\lambda=2\rho` and :math:`\rho\alpha` largest, but no amount 0; and, where
    :math:`N=\sqrt{K+1}` occurs, the corner at large :math:`N`, where the constants of the theorems are attained."""

    def corner(N_slack: int) -> dict[Any, Any]:
        at = {}
        for one in domain.ranges:
            if one.slack is not None:
                inside = one.strict or one.symbol is beta or one.formula.subs(one.slack, 0) == 0
                at[one.slack] = sp.Integer(N_slack if one.symbol == N else int(inside))
        return {r.symbol: domain.substitute(r.symbol).subs(at) for r in domain.ranges if r.slack is not None}

    far = [corner(99)] if any(one.symbol == N for one in domain.ranges) else []
    return [domain.sample(), corner(1), *far]


def provable(proof: Certificate | Steps, at: Sequence[int] = (0, 1, 2)) -> Verdict:
    """Whether multipliers of the same hypotheses exist at the test points with these numbers."""
    if isinstance(proof, Steps):
        bad = [found for found in (provable(part, at) for part in proof.parts) if not found.passed]
        return bad[0] if bad else Verdict(True, "all parts")
    if not proof.terms or set(proof.claim.gap.terms) <= {ONE}:
        return proof.verify()  # an identity, or a bound on parameters: exact on the whole domain
    hypotheses = [term.hypothesis for term in proof.terms]
    for point in (point for i, point in enumerate(points(proof.domain)) if i in at):
        try:
            found = find(proof.claim, hypotheses, proof.given, domain=proof.domain, at=point).verify()
        except (ValueError, TypeError, CoercionFailed) as error:  # no multipliers, or a constant became infinite
            found = Verdict(False, str(error))
        if not found.passed:
            return found
    return Verdict(True, "provable at the test points")


def sites(proof: Certificate | Steps) -> tuple[int, ...]:
    """The test points at which the search finds the claim itself; the linear programme is in floating point and may miss one."""
    found = tuple(i for i in range(3) if provable(proof, (i,)).passed)
    if not found:
        raise ValueError("the claim itself is not provable at any test point")
    return found


Change = Callable[[Any], Certificate | Steps]


def _reach(change: Change, factors: Sequence[Any], at: Sequence[int]) -> Any:
    """The last of ``factors``, tried in order, with which the change is still provable."""
    last = sp.S.One
    for factor in factors:
        if not provable(change(factor), at).passed:
            break
        last = factor
    return last


def room(label: str, change: Change, at: Sequence[int]) -> str:
    """How far the same change may go before it is rejected, and why there is room."""
    low, high = _reach(change, SMALLER, at), _reach(change, LARGER, at)
    return f"not tight: provable with factors from {low} to {high}; {ROOM.get(label, 'inherited from an earlier line')}"


def constants_of(main: Main) -> Iterator[Mutant]:
    """Every term of a lemma, one at a time, nine tenths of what helps and eleven tenths of what is claimed."""
    at = sites(main.proof())
    for i, part in enumerate(main.parts):
        change, step = partial(main.scaled, i), LESS if part.helps else MORE
        verdict = provable(change(step), at)
        detail = room(main.label, change, at) if verdict.passed else verdict.detail
        yield Mutant(main.label, "constant", f"{part.name} times {step}", not verdict.passed, detail)


def indices_of(main: Main) -> Iterator[Mutant]:
    """Every index of a lemma, one at a time."""
    at = sites(main.proof())
    for i, part in enumerate(main.parts):
        for name, _ in part.shifts:
            rejected = not provable(main.shifted(i, name), at).passed
            yield Mutant(main.label, "index", f"{part.name} becomes {name}", rejected, "true, and weaker")


def hypotheses_of(main: Main) -> Iterator[Mutant]:
    """Every hypothesis of a lemma dropped, one at a time."""
    flat, at = main.proof(), sites(main.proof())
    for i, term in enumerate(flat.terms):
        rejected = not provable(flat.without(i), at).passed
        what = f"without {term.hypothesis.name} {term.hypothesis.latex}"
        yield Mutant(main.label, "hypothesis", what, rejected, "not needed: the others prove the claim without it")


def _numbers(build: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a proof that are constants: a number or a formula in the parameters."""
    found = {}
    for name, parameter in inspect.signature(build).parameters.items():
        default = parameter.default
        if (
            isinstance(default, int | sp.Expr)
            and not isinstance(default, bool)
            and default != 0
            and name not in INTERNAL
        ):
            found[name] = sp.sympify(default)
    return found


def constants_of_steps() -> Iterator[Mutant]:
    """Every constant that a certificate of a step takes as an argument, in both directions: at least one must be rejected."""
    for module in MODULES:
        for name, build in vars(importlib.import_module(f"{__package__}.{module}")).items():
            if not inspect.isfunction(build) or build.__module__ != f"{__package__}.{module}":
                continue
            if inspect.signature(build).return_annotation not in (Certificate, Steps):
                continue
            if any(p.default is inspect.Parameter.empty for p in inspect.signature(build).parameters.values()):
                continue
            for argument, value in _numbers(build).items():

                def change(factor: Any, b: Any = build, key: str = argument, v: Any = value) -> Certificate | Steps:
                    proof: Certificate | Steps = b(**{key: factor * v})
                    return proof

                original = build()
                at = sites(original)
                label = getattr(original, "label", "") or getattr(original, "parts", [original])[-1].label or name
                stronger = next((s for s in (LESS, MORE) if not provable(change(s), at).passed), None)
                what = f"{name}({argument})"
                if stronger is not None:
                    yield Mutant(label, "constant", f"{what} times {stronger}", True, "no multipliers")
                else:
                    yield Mutant(label, "constant", f"{what} times 9/10 and 11/10", False, room(label, change, at))


def mutants(*, steps: bool = True, only: str = "", progress: bool = False) -> list[Mutant]:
    """All mutants; ``only`` restricts to labels that contain it, ``steps`` adds the constants of the displayed steps."""
    streams = [(main, of) for main in MAIN if only in main.label for of in (constants_of, indices_of, hypotheses_of)]
    found = [mutant for main, of in tqdm(streams, disable=not progress, leave=False) for mutant in of(main)]
    return found + [mutant for mutant in constants_of_steps() if only in mutant.label] if steps else found


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m shbcore mutate``: the list, the count, and each survivor with its room."""
    parser = argparse.ArgumentParser("python -m shbcore mutate", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="labels that contain this text")
    parser.add_argument("--lemmas", action="store_true", help="the lemmas only, not the constants of every step")
    options = parser.parse_args(arguments)
    found = mutants(steps=not options.lemmas, only=options.only, progress=sys.stderr.isatty())
    print(*found, sep="\n")
    for kind in ("constant", "index", "hypothesis"):
        chosen = [mutant for mutant in found if mutant.kind == kind]
        print(f"{kind}: {sum(m.rejected for m in chosen)} of {len(chosen)} mutants rejected")
    return 0


__all__ = ["MAIN", "Main", "Mutant", "Part", "main", "mutants", "points", "provable"]
