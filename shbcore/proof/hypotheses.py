r"""The inequalities that the paper's proofs are made of, each an expression that is non-negative (or zero).

A hypothesis times a multiplier is a :class:`Term` of a certificate: ``(1 - beta) * weak_convexity(f, x_k, x_prev)``.
``requires`` lists what must be non-negative for the hypothesis itself to hold; the certificate proves that too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy as sp

from shbcore.proof.algebra import TRIVIAL, Claim, Coefficient, E, Expression, Function, Vector, constant, expected
from shbcore.proof.printing import bracketed, tex

_RHO, _LAM, _L2, _SIGMA2, _G2 = sp.symbols("rho lambda L^2 sigma^2 G^2")


def _in(v: Vector) -> str:
    """A vector's name where it is subtracted: in brackets, if it is a sum."""
    return bracketed(str(v))


def _mean_square(name: Vector | str, given: int) -> str:
    return rf"\mathrm{{E}}\|{name}\|^2" if given <= TRIVIAL else expected(rf"\|{name}\|^2", given)


@dataclass(frozen=True)
class Hypothesis:
    """``expression >= 0`` (or ``== 0``): its name, its LaTeX, the label under which the paper uses it, and why it holds.

    ``proof`` is the certificate behind it, where it is an earlier line and not an assumption.
    """

    name: str
    expression: Expression
    latex: str
    where: str
    why: str
    sense: Literal["<=", "=="] = "<="
    requires: tuple[Coefficient, ...] = ()
    proof: Any = None

    def __rmul__(self, multiplier: Coefficient) -> "Term":
        return Term(self, sp.sympify(multiplier))

    def at(self, where: str, why: str = "") -> "Hypothesis":
        """The same hypothesis, used under another label."""
        return replace(self, where=where, why=why or self.why)


@dataclass(frozen=True)
class Term:
    """A hypothesis with its multiplier."""

    hypothesis: Hypothesis
    multiplier: Coefficient


def given(name: str, claim: Claim, latex: str, where: str, why: str) -> Hypothesis:
    """A hypothesis of one's own, or an earlier line of the paper, from a claim; without ``latex`` it prints as written."""
    return Hypothesis(name, claim.gap, latex or claim.latex(), where, why, claim.sense)


def square(v: Vector) -> Hypothesis:
    r""":math:`\|v\|^2\ge0`."""
    return Hypothesis("square", v**2, rf"\|{v}\|^2\ge 0", "", "a square")


def number(value: Coefficient) -> Hypothesis:
    r"""A parameter expression that is non-negative on the whole domain."""
    text = rf"{tex(value)}\ge 0"
    return Hypothesis(
        "number", constant(value), text, "", "its sign over the whole range", requires=(sp.sympify(value),)
    )


def weak_convexity(f: Function, x: Vector, y: Vector, *, weak_convexity: Coefficient = _RHO) -> Hypothesis:
    r""":math:`f(y)\ge f(x)+\langle g,y-x\rangle-\frac\rho2\|y-x\|^2`, :math:`g\in\partial f(x)` (Lemma 1, item 1)."""
    g = f.slope(x)
    gap = f(y) - f(x) - g @ (y - x) + weak_convexity / 2 * (y - x) ** 2
    bend = rf" - \frac{{{tex(weak_convexity)}}}{{2}}\|{y}-{_in(x)}\|^2" if weak_convexity != 0 else ""
    text = rf"{f.name}({y})\ge {f.name}({x})+\langle {g},{y}-{_in(x)}\rangle{bend}"
    return Hypothesis("weak convexity", gap, text, "lem:weak:convexity/1", rf"$f$ lies above its bent tangent at ${x}$")


def jensen(f: Function, x: Vector, y: Vector, weight: Coefficient) -> Hypothesis:
    r"""Convexity of :math:`f`: :math:`f(wx+(1-w)y)\le wf(x)+(1-w)f(y)`, :math:`w\in[0,1]`."""
    z = (weight * x + (1 - weight) * y).named("z")
    w = tex(weight)
    text = rf"{f.name}({z})\le {w}{f.name}({x})+(1-{w}){f.name}({y})"
    gap = weight * f(x) + (1 - weight) * f(y) - f(z)
    return Hypothesis("convexity", gap, text, "", "definition of convexity", requires=(weight, 1 - weight))


def smooth_above(f: Function, x: Vector, y: Vector, *, smoothness: Coefficient = _RHO) -> Hypothesis:
    r""":math:`f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\frac\rho2\|y-x\|^2`."""
    g = f.slope(x)
    gap = f(x) - f(y) + g @ (y - x) + smoothness / 2 * (y - x) ** 2
    bend = rf"\frac{{{tex(smoothness)}}}{{2}}\|{y}-{_in(x)}\|^2"
    text = rf"{f.name}({y})\le {f.name}({x})+\langle {g},{y}-{_in(x)}\rangle+{bend}"
    return Hypothesis("smoothness", gap, text, "proof:smooth:g:inp:2a", rf"$f$ lies below its bent tangent at ${x}$")


def lipschitz_gradient(f: Function, x: Vector, y: Vector, *, smoothness: Coefficient = _RHO) -> Hypothesis:
    r""":math:`\|\nabla f(x)-\nabla f(y)\|^2\le\rho^2\|x-y\|^2`."""
    gx, gy = f.slope(x), f.slope(y)
    text = rf"\|{gx}-{_in(gy)}\|^2\le {tex(smoothness)}^2\|{x}-{_in(y)}\|^2"
    gap = smoothness**2 * (x - y) ** 2 - (gx - gy) ** 2
    return Hypothesis("Lipschitz gradient", gap, text, "proof:smooth:p:normdiff", "$f$ is smooth")


def interpolation(f: Function, x: Vector, y: Vector, *, smoothness: Coefficient = _RHO) -> Hypothesis:
    r"""Cocoercivity for curvature in :math:`[-\rho,\rho]`, with :math:`u=\nabla f(y)-\nabla f(x)`:
    :math:`f(y)\ge f(x)+\langle\nabla f(x)+\frac12u,y-x\rangle+\frac1{4\rho}\|u\|^2-\frac\rho4\|y-x\|^2`."""
    gx, step = f.slope(x), y - x
    u = f.slope(y) - gx
    gap = f(y) - f(x) - gx @ step - u**2 / (4 * smoothness) + smoothness / 4 * step**2 - u @ step / 2
    gy, r = f.slope(y), tex(smoothness)
    text = (
        rf"{f.name}({y})\ge {f.name}({x})+\tfrac12\langle {gx}+{gy},{y}-{_in(x)}\rangle"
        rf"+\tfrac{{1}}{{4{r}}}\|{gy}-{gx}\|^2-\tfrac{{{r}}}{{4}}\|{y}-{_in(x)}\|^2"
    )
    return Hypothesis("interpolation", gap, text, "", "all that smoothness says about two points")


def combination(points: Sequence[tuple[Coefficient, Vector]], name: str = "") -> tuple[Vector, tuple[Coefficient, ...]]:
    """A convex combination of points of the set, and the weights that must be non-negative; they must sum to 1."""
    if sp.expand(sum(weight for weight, _ in points) - 1) is not sp.S.Zero:
        raise ValueError(f"weights {[w for w, _ in points]} must sum to 1 for a convex combination of points of X")
    total = Vector({})
    for weight, point in points:
        total = total + weight * point
    return total.named(name or str(total)), tuple(sp.sympify(weight) for weight, _ in points)


def projection(y: Vector, p: Vector, *points: tuple[Coefficient, Vector]) -> Hypothesis:
    r"""Optimality of :math:`p=\Pi_X(y)` at a convex combination :math:`u` of points of :math:`X`:
    :math:`\langle p-y,u-p\rangle\ge0` (``eq:x:opt:cond``)."""
    u, weights = combination(points)
    text = rf"\langle {p}-{_in(y)},{u}-{_in(p)}\rangle\ge 0"
    return Hypothesis(
        "projection", (p - y) @ (u - p), text, "eq:x:opt:cond", rf"${p}$ is the projection", requires=weights
    )


def nonexpansive(y: Vector, p: Vector, *points: tuple[Coefficient, Vector]) -> Hypothesis:
    r"""The projection :math:`p=\Pi_X(y)` comes closer to every point of :math:`X`: :math:`\|p-u\|^2\le\|y-u\|^2`."""
    u, weights = combination(points)
    text = rf"\|{p}-{_in(u)}\|^2\le\|{y}-{_in(u)}\|^2"
    return Hypothesis(
        "nonexpansiveness", (y - u) ** 2 - (p - u) ** 2, text, "eq:proof:lem:1:norm", "the projection", requires=weights
    )


def nonexpansive_pair(y: Vector, p: Vector, v: Vector, q: Vector) -> Hypothesis:
    r""":math:`\|\Pi(y)-\Pi(v)\|^2\le\|y-v\|^2` with :math:`p=\Pi(y)`, :math:`q=\Pi(v)`."""
    text = rf"\|{p}-{_in(q)}\|^2\le\|{y}-{_in(v)}\|^2"
    return Hypothesis(
        "nonexpansiveness", (y - v) ** 2 - (p - q) ** 2, text, "proof:smooth:p:normdiff", "the projection"
    )


def envelope_infimum(
    F: Function, envelope_of_F: Function, y: Vector, u: Vector, *, envelope: Coefficient = _LAM
) -> Hypothesis:
    r""":math:`F_\lambda(y)\le F(u)+\frac1{2\lambda}\|u-y\|^2` for every :math:`u` (``eq:moreau:env``)."""
    text = rf"{envelope_of_F.name}({y})\le {F.name}({u})+\frac{{1}}{{2{tex(envelope)}}}\|{u}-{_in(y)}\|^2"
    gap = F(u) + (u - y) ** 2 / (2 * envelope) - envelope_of_F(y)
    return Hypothesis("envelope, infimum", gap, text, "eq:moreau:env", "an infimum is below every value")


def envelope_attained(
    F: Function, envelope_of_F: Function, y: Vector, prox: Vector, *, envelope: Coefficient = _LAM
) -> Hypothesis:
    r""":math:`F_\lambda(y)=F(\hat y)+\frac1{2\lambda}\|\hat y-y\|^2` at the prox point (``eq:prox``)."""
    below = envelope_infimum(F, envelope_of_F, y, prox, envelope=envelope)
    return replace(
        below,
        name="envelope, attained",
        latex=below.latex.replace(r"\le", "="),
        where="eq:prox",
        why="the prox attains it",
        sense="==",
    )


def prox_strong_convexity(
    F: Function,
    centre: Vector,
    prox: Vector,
    x: Vector,
    *,
    envelope: Coefficient = _LAM,
    weak_convexity: Coefficient = _RHO,
) -> Hypothesis:
    r"""``eq:strong:cvx``: :math:`F(x)+\frac1{2\lambda}\|x-c\|^2-F(\hat x)-\frac1{2\lambda}\|\hat x-c\|^2
    \ge\frac{\lambda^{-1}-\rho}2\|x-\hat x\|^2`, with :math:`\hat x` the prox of :math:`c`."""
    modulus = 1 / envelope - weak_convexity
    gap = (
        F(x)
        + (x - centre) ** 2 / (2 * envelope)
        - F(prox)
        - (prox - centre) ** 2 / (2 * envelope)
        - modulus / 2 * (x - prox) ** 2
    )
    lam = tex(envelope)
    text = (
        rf"{F.name}({x})+\tfrac{{1}}{{2{lam}}}\|{x}-{_in(centre)}\|^2"
        rf"\ge {F.name}({prox})+\tfrac{{1}}{{2{lam}}}\|{prox}-{_in(centre)}\|^2"
        rf"+\tfrac{{1/{lam}-{tex(weak_convexity)}}}{{2}}\|{x}-{_in(prox)}\|^2"
    )
    return Hypothesis(
        "strong convexity at the prox",
        gap,
        text,
        "eq:strong:cvx",
        f"${prox}$ minimises a strongly convex function",
        requires=(modulus,),
    )


def young(a: Vector, b: Vector, theta: Coefficient) -> Hypothesis:
    r""":math:`\langle a,b\rangle\le\frac1{2\theta}\|a\|^2+\frac\theta2\|b\|^2`, :math:`\theta>0`."""
    theta = sp.sympify(theta)
    text = rf"\langle {a},{b}\rangle\le {tex(1 / (2 * theta))}\|{a}\|^2+{tex(theta / 2)}\|{b}\|^2"
    return Hypothesis("Young", a**2 / (2 * theta) + theta / 2 * b**2 - a @ b, text, "", "a square", requires=(theta,))


def square_convexity(a: Vector, b: Vector, weight: Coefficient) -> Hypothesis:
    r""":math:`\|wa+(1-w)b\|^2\le w\|a\|^2+(1-w)\|b\|^2`."""
    w = tex(weight)
    text = rf"\|{w}\,{_in(a)}+(1-{w})\,{_in(b)}\|^2\le {w}\|{a}\|^2+(1-{w})\|{b}\|^2"
    gap = weight * a**2 + (1 - weight) * b**2 - (weight * a + (1 - weight) * b) ** 2
    return Hypothesis(
        "convexity of the square", gap, text, "eq:znorm", "the squared norm is convex", requires=(weight, 1 - weight)
    )


def second_moment(g: Vector, *, bound: Coefficient = _L2) -> Hypothesis:
    r"""(A2): :math:`\mathrm E[\|g\|^2|\mathcal F]\le L^2`, where :math:`\mathcal F` is the field before the sample
    of :math:`g`."""
    text = rf"{_mean_square(g, g.known - 1)}\le {tex(bound)}"
    return Hypothesis("(A2)", bound - E(g**2, g.known - 1), text, "assumption:A", "the oracle")


def variance(g: Vector, mean: Vector, *, bound: Coefficient = _SIGMA2) -> Hypothesis:
    r"""(A3): :math:`\mathrm E[\|g-\nabla f\|^2|\mathcal F]\le\sigma^2`, with :math:`\mathcal F` the field before the
    sample."""
    gap = bound - E((g - mean) ** 2, g.known - 1)
    text = rf"{_mean_square(f'{g}-{_in(mean)}', g.known - 1)}\le {tex(bound)}"
    return Hypothesis("(A3)", gap, text, "assumption:A3", "the oracle")


def bounded(v: Vector, bound: Coefficient = _G2, *, total: bool = False) -> Hypothesis:
    r""":math:`\|v\|^2\le\text{bound}` surely, or (``total``) :math:`\mathrm E\|v\|^2\le\text{bound}`."""
    left = E(v**2, TRIVIAL) if total else v**2
    text = _mean_square(v, TRIVIAL) if total else rf"\|{v}\|^2"
    return Hypothesis(
        f"bound on {v}",
        bound - left,
        rf"{text}\le {tex(bound)}",
        "",
        "shown before" if total else "assumed",
    )
