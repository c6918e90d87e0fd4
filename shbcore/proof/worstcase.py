r"""Worst cases as small semidefinite programmes: how much slack a certified constant has.

A certificate proves a claim from hypotheses.  The worst case is the largest value of an expression that hypotheses allow,
over all vectors of all dimensions; the Gram matrix of the letters is the variable.  It is solved in floating point (extra
``referee``) at given parameters, for deterministic instances: every sample is its mean.  Where a constant is sharp, an exact
certificate and an exact instance say so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import sympy as sp

from shbcore.proof.algebra import Expression, Function, Gram, Letter, Mean, Value, Vector, vector
from shbcore.proof.certificate import Certificate
from shbcore.proof.hypotheses import Hypothesis, lipschitz_gradient, projection, square
from shbcore.proof.positivity import Domain, positive
from shbcore.proof.step import ADMISSIBLE, rho


@dataclass(frozen=True)
class WorstCase:
    """The largest value, what the solver says of it, and the rank of the Gram matrix: the dimension of a worst instance."""

    value: float
    status: str
    dimension: int


def deterministic(expression: Expression) -> Expression:
    """The expression for instances without chance: an expectation is what it averages, a sample is its mean."""
    total = Expression({})
    for key, coefficient in expression.terms.items():
        scalar = key.of if isinstance(key, Mean) else key
        if isinstance(scalar, Gram):
            a, b = (letter.mean or Vector({letter: sp.S.One}) for letter in scalar.letters)
            total = total + coefficient * (a @ b)
        else:
            total = total + coefficient * Expression({scalar: sp.S.One})
    return total


def worst_case(
    objective: Expression, hypotheses: Sequence[Hypothesis], *, at: Mapping[Any, Any], domain: Domain = ADMISSIBLE
) -> WorstCase:
    """The largest value of ``objective`` under the hypotheses, at the parameters ``at``, over all deterministic instances."""
    cp: Any = import_module("cvxpy")  # extra "referee"
    parts = [deterministic(e).map(domain.define) for e in (objective, *(h.expression for h in hypotheses))]
    keys = [key for part in parts for key in part.terms]
    letters: list[Letter] = sorted(
        {letter for key in keys if isinstance(key, Gram) for letter in key.pair}, key=lambda u: u.name
    )
    values: list[Value] = list({key: None for key in keys if isinstance(key, Value) and key.function != "1"})
    gram = cp.Variable((len(letters), len(letters)), PSD=True)
    heights = cp.Variable(max(len(values), 1))

    def number(part: Expression) -> Any:
        matrix, linear, shift = np.zeros(gram.shape), np.zeros(heights.shape), 0.0
        for key, coefficient in part.terms.items():
            weight = float(sp.sympify(coefficient).subs(dict(at)))
            if isinstance(key, Gram):
                a, b = key.letters
                matrix[letters.index(a), letters.index(b)] += weight
            elif isinstance(key, Value) and key in values:
                linear[values.index(key)] += weight
            else:
                shift += weight
        return cp.sum(cp.multiply(matrix, gram)) + linear @ heights + shift

    limits = [number(p) == 0 if h.sense == "==" else number(p) >= 0 for p, h in zip(parts[1:], hypotheses, strict=True)]
    problem = cp.Problem(cp.Maximize(number(parts[0])), limits)
    problem.solve(solver=cp.CLARABEL)
    if gram.value is None:
        return WorstCase(float(problem.value), str(problem.status), 0)
    spectrum = np.linalg.eigvalsh(gram.value)
    return WorstCase(float(problem.value), str(problem.status), int((spectrum > 1e-5 * max(spectrum.max(), 1.0)).sum()))


def tightness(certificate: Certificate, *, at: Mapping[Any, Any]) -> WorstCase:
    """The largest left minus right of a certified claim under its own assumptions: 0 if no better constant follows from them."""
    flat = certificate.flat()
    return worst_case(-flat.claim.gap, [term.hypothesis for term in flat.terms], at=at, domain=certificate.domain)


# The gradient mapping of a smooth f: x_plus is one projected gradient step, x_hat the prox with 1/lambda = 2 rho.

_f = Function("f", r"\nabla f")
_x, _hat, _plus = vector("x"), vector(r"\hat x"), vector("x^+")
THREE_HALVES = sp.Rational(3, 2)
GRADIENT_MAPPING = (rho * (_x - _plus)).named(r"\mathcal{G}_{1/\rho}(x)")
ENVELOPE_GRADIENT = (2 * rho * (_x - _hat)).named(r"\nabla F_{1/(2\rho)}(x)")


def gradient_mapping_hypotheses() -> list[Hypothesis]:
    r"""Smoothness between :math:`x` and :math:`\hat x`, and optimality of :math:`x^+` and of :math:`\hat x` against each other."""
    trial = (_x - _f.slope(_x) / rho).named(r"x-\nabla f(x)/\rho")
    prox = (_hat - (_f.slope(_hat) + 2 * rho * (_hat - _x)) / rho).named(
        r"\hat x-(\nabla f(\hat x)+2\rho(\hat x-x))/\rho"
    )
    optimal = [projection(trial, _plus, (1, _hat)), projection(prox, _hat, (1, _plus))]
    return [*optimal, lipschitz_gradient(_f, _x, _hat)]


def gradient_mapping(constant: Any = THREE_HALVES) -> Certificate:
    r""":math:`\|\mathcal G_{1/\rho}(x)\|\le\frac32\|\nabla F_{1/(2\rho)}(x)\|` for :math:`\rho`-smooth :math:`f` on a convex
    set; the paper has :math:`\frac32(1+\frac1{\sqrt2})`.  Here :math:`a=x-\hat x`, :math:`w=\hat x-x^+`, and
    :math:`e=(\nabla f(x)-\nabla f(\hat x))/\rho`."""
    a, w, e = _x - _hat, _hat - _plus, (_f.slope(_x) - _f.slope(_hat)) / rho
    step, prox, smooth = gradient_mapping_hypotheses()
    terms = [
        3 * rho**2 * step,
        3 * rho**2 * prox,
        3 * smooth,
        3 * rho**2 * square((e - w / 2).named("e-w/2")),
        5 * rho**2 * square((a - w / 2).named("a-w/2")),
    ]
    claim = constant**2 * ENVELOPE_GRADIENT**2 >= GRADIENT_MAPPING**2
    return Certificate(claim, terms, label="thrm:smooth:complexity/remark-iii", domain=Domain(positive(rho)))


def gradient_mapping_instance(x: Fraction, *, smoothness: Fraction) -> Fraction:
    r"""The exact ratio of the two norms for :math:`f=\frac\rho2x^2` on the real line: :math:`\frac32`, so the constant is sharp."""
    x_plus, x_hat = x - smoothness * x / smoothness, 2 * smoothness * x / (2 * smoothness + smoothness)
    return abs(smoothness * (x - x_plus)) / abs(2 * smoothness * (x - x_hat))
