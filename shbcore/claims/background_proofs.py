r"""Certificates for the background: weak convexity, the composite rule, the Moreau envelope, and what its gradient
says.

Everything here is deterministic.  :math:`\phi` is the convex function :math:`f+\frac\rho2\|\cdot\|^2` behind the
definition (with :math:`\rho/2`, where the introduction prints :math:`\rho`); ``hat`` is the prox point.
"""
# ruff: noqa: F403, F405  -- the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.proof.algebra import Expression, Function, Vector, vector
from shbcore.proof.certificate import Certificate, Proof, Steps, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import (
    Domain,
    between,
    inverse_above,
    inverse_at_least,
    inverse_between,
    nonnegative,
    positive,
)
from shbcore.proof.step import lam, rho

HALF, NINE = sp.Rational(1, 2), sp.Rational(9, 10)
a, L_h, L_c, q, t = sp.symbols("a L_h L_c q t")
f, phi, F_env = Function("f"), Function(r"\phi"), Function(r"f_\lambda")
x, y, g = vector("x"), vector("y"), Function("f").slope(vector("x"))
x_hat, y_hat = vector(r"\hat x"), vector(r"\hat y")
gradient = ((x - x_hat) / lam).named(r"\nabla f_\lambda(x)")
ANY = Domain(nonnegative(rho))
MIX = ANY.also(between(a, 0, 1))
SHORT = Domain(positive(rho), inverse_at_least(lam, 2 * rho))
r"""The paper's range, :math:`\lambda^{-1}\ge2\rho`; a convex function is weakly convex with every :math:`\rho>0`."""
FULL = Domain(positive(rho), inverse_above(lam, rho))
r"""All of :math:`\lambda<1/\rho`, where the prox is unique."""
LONG = Domain(positive(rho), inverse_between(lam, rho, 2 * rho))
r""":math:`\lambda^{-1}\in(\rho,2\rho]`, which Theorem 3 needs."""


def convex_part(point: Vector, bend: Any) -> Hypothesis:
    r"""The definition: :math:`\phi(x)=f(x)+\text{bend}\,\rho\|x\|^2` is convex."""
    return given(
        "definition",
        phi(point).equals(f(point) + bend * rho * point**2),
        "",
        "eqn:objective/weak-convexity",
        "definition",
    )


def subgradient(bend: Any = HALF) -> Certificate:
    r"""Lemma 1, item 1, from the tangent of :math:`\phi` at :math:`x`, whose slope is :math:`g+2\,\text{bend}\,\rho
    x`."""
    tangent = phi(x) + (g + 2 * bend * rho * x) @ (y - x) <= phi(y)
    terms = [
        1 * given("tangent of a convex function", tangent, "", "", "convexity"),
        -1 * convex_part(x, bend),
        1 * convex_part(y, bend),
    ]
    right = f(y) + rho / 2 * (y - x) ** 2
    return Certificate(f(x) + g @ (y - x) <= right, terms, label="lem:weak:convexity/1", domain=ANY)


def segment(bend: Any = HALF) -> Certificate:
    r"""Lemma 1, item 2, from convexity of :math:`\phi` on the segment."""
    z = (a * x + (1 - a) * y).named("z")
    points = [-1 * convex_part(z, bend), a * convex_part(x, bend), (1 - a) * convex_part(y, bend)]
    right = a * f(x) + (1 - a) * f(y) + rho * a * (1 - a) / 2 * (x - y) ** 2
    return Certificate(f(z) <= right, [1 * jensen(phi, x, y, a), *points], label="lem:weak:convexity/2", domain=MIX)


def composite(share: Any = HALF) -> Certificate:
    r"""``eq:composite``: :math:`h\circ c` is :math:`L_hL_c`-weakly convex; :math:`q=\|y-x\|^2`,
    :math:`e=c(y)-c(x)-\nabla c(x)(y-x)`, :math:`v\in\partial h(c(x))`."""
    v, e, image = vector("v"), vector("e"), vector(r"\nabla c(x)(y-x)")
    tangent = f(x) + v @ (image + e) <= f(y)
    ratio = 2 * L_h / (L_c * q)
    terms = [
        1
        * given(
            "tangent of h", tangent, r"h(c(y))\ge h(c(x))+\langle v,c(y)-c(x)\rangle", "eq:composite", "$h$ is convex"
        ),
        1 * young(-v, e, ratio),
        1 / (2 * ratio) * bounded(v, L_h**2).at("eq:composite", "$h$ is Lipschitz"),
        ratio / 2 * bounded(e, (L_c * q / 2) ** 2).at("eq:composite", "$c$ has a Lipschitz Jacobian"),
    ]
    domain = Domain(positive(L_h), positive(L_c), positive(q))
    return Certificate(f(x) + v @ image <= f(y) + share * L_h * L_c * q, terms, label="eq:composite", domain=domain)


def strong(modulus: Any = 1 / lam - rho) -> Certificate:
    r"""The prox function is :math:`(\lambda^{-1}-\rho)`-strongly convex at its minimiser: on the segment to
    :math:`y`, for every :math:`t\in(0,1]`; then :math:`t\to0`."""
    z = (t * y + (1 - t) * x_hat).named("z")

    def model(u: Vector) -> Expression:
        value: Expression = f(u) + (u - x) ** 2 / (2 * lam)
        return value

    chord = f(z) <= t * f(y) + (1 - t) * f(x_hat) + rho * t * (1 - t) / 2 * (y - x_hat) ** 2
    terms = [
        1 / t * given("Lemma 1, item 2", chord, "", "lem:weak:convexity/2", "weak convexity"),
        1 / t * given("the prox minimises", model(x_hat) <= model(z), "", "eq:prox", "definition"),
    ]
    claim = (1 - t) * modulus / 2 * (y - x_hat) ** 2 <= model(y) - model(x_hat)
    return Certificate(claim, terms, label="eq:prox", domain=FULL.also(between(t, 0, 1)))


def smooth_upper(constant: Any = 1 / lam, domain: Domain = FULL) -> Certificate:
    r""":math:`f_\lambda(y)\le f_\lambda(x)+\langle\nabla f_\lambda(x),y-x\rangle+\frac1{2\lambda}\|y-x\|^2`: the
    candidate :math:`\hat x` for :math:`y`."""
    terms = [1 * envelope_infimum(f, F_env, y, x_hat), -1 * envelope_attained(f, F_env, x, x_hat)]
    return Certificate(F_env(y) <= F_env(x) + gradient @ (y - x) + constant / 2 * (y - x) ** 2, terms, domain=domain)


def smooth_lower(constant: Any = rho / (1 - lam * rho), domain: Domain = FULL) -> Certificate:
    r""":math:`f_\lambda(y)\ge f_\lambda(x)+\langle\nabla
    f_\lambda(x),y-x\rangle-\frac12\frac\rho{1-\lambda\rho}\|y-x\|^2`."""
    modulus = 1 / lam - rho
    terms = [
        1 * prox_strong_convexity(f, x, x_hat, y_hat),
        -1 * envelope_attained(f, F_env, y, y_hat),
        1 * envelope_attained(f, F_env, x, x_hat),
        modulus / 2 * square(y_hat - x_hat - (y - x) / (lam * modulus)),
    ]
    return Certificate(F_env(x) + gradient @ (y - x) - constant / 2 * (y - x) ** 2 <= F_env(y), terms, domain=domain)


def smoothness(scale: Any = 1) -> Steps:
    r"""Lemma 2, item 2, at :math:`\lambda^{-1}\ge2\rho`: both one-sided constants are at most :math:`1/\lambda`, the
    upper one equal to it."""
    larger = sign(scale / lam - rho / (1 - lam * rho), domain=SHORT)
    return Steps([smooth_upper(scale / lam, SHORT), smooth_lower(domain=SHORT), larger])


def smoothness_long(scale: Any = 1) -> Steps:
    r"""For :math:`\lambda^{-1}\in(\rho,2\rho]` the constant is :math:`\rho/(1-\lambda\rho)\ge1/\lambda`."""
    curvature = rho / (1 - lam * rho)
    return Steps(
        [smooth_upper(domain=LONG), smooth_lower(scale * curvature, LONG), sign(curvature - 1 / lam, domain=LONG)]
    )


def gradient_lipschitz(scale: Any = 1) -> Certificate:
    r"""The gradient is :math:`1/\lambda`-Lipschitz at :math:`\lambda^{-1}\ge2\rho`, so :math:`f_\lambda\in C^1`:
    strong convexity at both prox points."""
    other = (y - y_hat) / lam
    terms = [
        2 / lam * prox_strong_convexity(f, x, x_hat, y_hat),
        2 / lam * prox_strong_convexity(f, y, y_hat, x_hat),
        (1 / lam - 2 * rho) / lam * square(x_hat - y_hat),
    ]
    return Certificate((gradient - other) ** 2 <= scale / lam**2 * (x - y) ** 2, terms, domain=SHORT)


def stationary(share: Any = HALF) -> Certificate:
    r"""``eq:stationary:measure``: :math:`\nabla F_\lambda(x)\in\partial F(\hat x)`, since :math:`F(y)\ge F(\hat
    x)+\langle\nabla F_\lambda(x),y-\hat x\rangle-O(\|y-\hat x\|^2)`."""
    terms = [1 * envelope_infimum(f, F_env, x, y), -1 * envelope_attained(f, F_env, x, x_hat)]
    left = f(x_hat) + gradient @ (y - x_hat) - share / lam * (y - x_hat) ** 2
    return Certificate(left <= f(y), terms, label="eq:stationary:measure", domain=FULL)


_STRONG = [proof_of("unique minimiser: strong convexity", strong, "modulus 1/lambda", modulus=1 / lam)]
_GRADIENT = [
    proof_of("the upper half of the expansion", smooth_upper, "nine tenths of 1/lambda", constant=NINE / lam),
    proof_of(
        "the lower half, every lambda < 1/rho", smooth_lower, "nine tenths", constant=NINE * rho / (1 - lam * rho)
    ),
]
_LIPSCHITZ = [proof_of("Lipschitz gradient", gradient_lipschitz, "nine tenths", scale=NINE)]

PROOFS: dict[str, list[Proof]] = {
    "eq:composite": [proof_of("rho = L_h L_c", composite, "nine tenths of it", share=HALF * NINE)],
    "lem:weak:convexity/1": [
        proof_of("from the definition with rho/2", subgradient, "from the printed definition with rho", bend=1)
    ],
    "lem:weak:convexity/2": [
        proof_of("from the definition with rho/2", segment, "from the printed definition with rho", bend=1)
    ],
    "eq:prox": _STRONG,
    "lem:moreau:env/1": [*_GRADIENT, *_LIPSCHITZ],
    "lem:moreau:env/2": [
        proof_of("constant 1/lambda for 1/lambda >= 2 rho", smoothness, "nine tenths", scale=NINE),
        proof_of(
            "constant rho/(1 - lambda rho) for 1/lambda in (rho, 2 rho]", smoothness_long, "nine tenths", scale=NINE
        ),
    ],
    "eq:stationary:measure": [
        proof_of(
            "the gradient is a subgradient at the prox", stationary, "nine tenths of the remainder", share=HALF * NINE
        )
    ],
    "lem:xdiff:non-smooth/x_hat": _STRONG,
    "lem:xdiff:non-smooth/gradient": _GRADIENT,
    "appendix:proof:lem:Vfunc:non-smooth/x_hat": _STRONG,
    "appendix:proof:lem:Vfunc:non-smooth/gradient": _GRADIENT,
}
