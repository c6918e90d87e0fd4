r"""What the files of this folder share: ranges that include zero, hypotheses of smooth steps, and how a chain is run.

A *chain* is a list of :class:`Proof`: every certificate must pass and its control (the claim changed in one place by
at most a
tenth, or the multipliers refitted at a sample point) must fail.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from shbcore.proof.algebra import Function, Vector
from shbcore.proof.certificate import Certificate, Proof
from shbcore.proof.hypotheses import Hypothesis, given
from shbcore.proof.positivity import Domain, Range

HALF, TENTH, ELEVEN = sp.Rational(1, 2), sp.Rational(9, 10), sp.Rational(11, 10)
NOW, PAST = 0, -1


def below_bound(symbol: Any, bound: Any) -> Range:
    r"""The half-open interval :math:`[0,\text{bound})`, as :math:`\text{bound}\cdot s/(1+s)`."""
    s = sp.Symbol(f"s_{symbol.name}")
    text = rf"{sp.latex(symbol)}\in[0,{sp.latex(sp.sympify(bound))})"
    return Range(symbol, bound * s / (1 + s), s, False, text)


def within(symbol: Any, lower: Any, upper: Any) -> Range:
    r"""The interval :math:`[\text{lower},\text{upper})`, as :math:`(\text{lower}+s\,\text{upper})/(1+s)`."""
    s = sp.Symbol(f"s_{symbol.name}")
    text = rf"{sp.latex(symbol)}\in[{sp.latex(sp.sympify(lower))},{sp.latex(sp.sympify(upper))})"
    return Range(symbol, (lower + s * upper) / (1 + s), s, False, text)


def stationary(f: Function, prox: Vector, gradient: Vector, along: Vector) -> Hypothesis:
    r""":math:`\langle\nabla f(\hat x)-\nabla F_\lambda(\bar x),v\rangle=0`: the prox condition on the whole space."""
    claim = ((f.slope(prox) - gradient) @ along).equals(0)
    text = rf"\nabla f({prox})={gradient}"
    return given("prox condition", claim, text, "eq:prox", r"$\mathcal{X}=\mathbb{R}^n$ and $f$ is smooth")


def moved(certificate: Certificate, domain: Domain) -> Certificate:
    """The same certificate, to be verified on another range of the parameters: where a sum uses it."""
    return replace(certificate, domain=certificate.domain.also(*domain.ranges))


def report(proofs: Mapping[str, Sequence[Proof]]) -> bool:
    """Run every check and its control, print one line each, and say whether all is well."""
    from time import perf_counter

    good = True
    for label, row in proofs.items():
        for one in row:
            start = perf_counter()
            verdict, control = one.run(), one.control()
            fine = verdict.passed and not control.passed
            good &= fine
            took = perf_counter() - start
            mark = "ok  " if fine else "FAIL"
            print(
                f"{mark} {took:6.2f} s  {label}: {one.what} -- {verdict.detail[:300]} | control ({one.control_what}): "
                f"{'rejected' if not control.passed else 'NOT REJECTED'}",
                flush=True,
            )
    return good
