r"""Lines of a proof, and the inequalities that the paper's proofs are made of: what a researcher writes.

``line(claim, terms, given=PAST, assumes=(A1, A2), scope=Scope.STEP)`` states and proves; a term is ``multiplier * fact``.  Young's
inequality, the chord, nonexpansiveness and the optimality of a projection or of a prox are lines themselves, with a proof.  What is taken
without one stands in `What the proofs rest on <foundations.html>`__, among it the descent lemma and two-point smoothness
(:func:`interpolation`).  A proof may also use :func:`weak_convexity` as it stands; that it follows from the definition is Lemma 1.
"""

from collections.abc import Iterable, Sequence
from inspect import signature
from typing import Any, Literal, NoReturn

import sympy as sp

from shbcore.model import checks
from shbcore.proof.domain import EVERYWHERE, Domain, between
from shbcore.proof.facts import KINDS, Fact
from shbcore.proof.foundations import A1, A2, A3, Foundation
from shbcore.proof.joins import Limit
from shbcore.proof.kernel import Line, Term
from shbcore.proof.language import (
    PATHWISE,
    Coefficient,
    Field,
    Function,
    Letter,
    Node,
    Number,
    Proximal,
    Relation,
    Sample,
    as_scalar,
    coefficient,
)
from shbcore.proof.letters import ADMISSIBLE, rho
from shbcore.proof.statement import Scope, Statement, canonical

NONSMOOTH = (A1, A2)
SMOOTH_ORACLE = (A1, A3)


def line(
    claim: Relation,
    terms: Sequence[Term] = (),
    given: Field = PATHWISE,
    *,
    domain: Domain = ADMISSIBLE,
    assumes: Iterable[Foundation] = (),
    scope: Scope = Scope.ANY,
    name: str = "",
) -> Line:
    """A statement with its proof: ``terms``, each a multiplier times a fact, that add up to the claim."""
    for argument, value in (("terms", terms), ("assumes", assumes)):
        if not isinstance(value, Iterable) or isinstance(value, (str, dict, Node)):
            checks.fail(argument, value, "be a list", "a line of a proof")
    return Line(Statement(claim, given, domain, tuple(assumes), scope), tuple(terms), name)


class Use:
    """What ``square(d_k)`` and the other facts give: a :class:`~shbcore.proof.facts.Fact` that waits for its multiplier.

    ``2 * square(d_k)`` is a term of a line; the multiplier stands before the fact.  ``fact`` is the fact itself.
    """

    def __init__(self, fact: Fact) -> None:
        self.fact = fact

    def __str__(self) -> str:
        return str(self.fact)

    def __repr__(self) -> str:
        return f"Use({self.fact!r})"

    def __mul__(self, other: Any) -> NoReturn:
        raise TypeError(f"a multiplier must stand before its fact and be a number, not {other!r}")

    def __rmul__(self, multiplier: Coefficient) -> Term:
        return Term(coefficient(multiplier, "multiplier"), self.fact)


_VECTORS, _FUNCTIONS = frozenset("abpquvxy"), frozenset(("f", "F", "phi", "h"))


def _right(what: str, **arguments: Any) -> None:
    """Refuse, by name, an argument that is nothing of the kind that its name stands for."""
    for name, value in arguments.items():
        if name in _VECTORS and not (isinstance(value, Node) and value.vector):
            checks.fail(name, value, "be a vector of the language, such as x_k", what)
        if name in _FUNCTIONS and not isinstance(value, Function):
            checks.fail(name, value, "be a function of the language, such as f", what)
        if name == "g" and not isinstance(value, Sample):
            checks.fail(name, value, "be an oracle's sample, such as g_k: this is no oracle's sample", what)
        if name == "prox" and not isinstance(value, Proximal):
            checks.fail(name, value, "be a prox point, such as x_hat", what)
        if name == "of" and not (isinstance(value, Node) and not value.vector):
            checks.fail(name, value, "be a scalar of the language, such as g_k**2", what)
        if name == "relation" and not isinstance(value, Relation):
            checks.fail(name, value, "be a relation, such as g_k**2 <= Number(L2)", what)


def _fact(kind: str, *arguments: Any) -> Use:
    _right(kind, **dict(zip(signature(KINDS[kind]).parameters, arguments, strict=True)))
    fact = Fact(kind, arguments)
    _ = fact.unfolded  # what is wrong with its arguments is said here
    return Use(fact)


def square(v: Node) -> Use:
    r""":math:`\|v\|^2\ge0`."""
    return _fact("square", v)


def number(value: Coefficient) -> Use:
    r"""A parameter expression that is non-negative on the whole domain."""
    return _fact("number", coefficient(value))


def sign(value: Coefficient, *, domain: Domain = ADMISSIBLE, less: Coefficient = 0) -> Line:
    """The line ``less <= value`` between parameters alone."""
    low, high = coefficient(less), coefficient(value)
    return line(Number(low) <= Number(high), [1 * number(high - low)], domain=domain)


def identity(
    left: Node,
    right: Any,
    *,
    domain: Domain = ADMISSIBLE,
    scope: Scope = Scope.ANY,
    given: Field = PATHWISE,
    assumes: Iterable[Foundation] = (),
) -> Line:
    """The line of an identity between scalars, or between vectors."""
    if not isinstance(left, Node):
        checks.fail("left", left, "be a vector or a scalar of the language, such as x_k", "identity")
    return line(left.equals(right), (), given, domain=domain, scope=scope, assumes=assumes)


def equal_numbers(left: Coefficient, right: Coefficient, *, domain: Domain = ADMISSIBLE) -> Line:
    """The line of an identity between parameters alone."""
    return identity(as_scalar(left), as_scalar(right), domain=domain)


def weak_convexity(f: Function, x: Node, y: Node) -> Use:
    r""":math:`f(y)\ge f(x)+\langle f'(x),y-x\rangle-\frac\rho2\|y-x\|^2` (Lemma 1, item 1)."""
    return _fact("weak_convexity", f, x, y)


def convex_part(f: Function, phi: Function, x: Node) -> Use:
    r""":math:`\phi(x)=f(x)+\frac\rho2\|x\|^2`: the definition of weak convexity."""
    return _fact("convex_part", f, phi, x)


def tangent(f: Function, phi: Function, x: Node, y: Node) -> Use:
    r""":math:`\phi(y)\ge\phi(x)+\langle f'(x)+\rho x,y-x\rangle`: the convex function above its tangent."""
    return _fact("tangent", f, phi, x, y)


def jensen(phi: Function, x: Node, y: Node, weight: Coefficient) -> Use:
    r""":math:`\phi(wx+(1-w)y)\le w\phi(x)+(1-w)\phi(y)`: the convex function below its chord."""
    return _fact("jensen", phi, x, y, coefficient(weight))


def outer_tangent(f: Function, x: Node, y: Node) -> Use:
    r""":math:`h(c(y))\ge h(c(x))+\langle v,c(y)-c(x)\rangle` with :math:`v\in\partial h(c(x))`, for :math:`f=h\circ c`."""
    return _fact("outer_tangent", f, x, y)


def linearisation(x: Node, y: Node) -> Use:
    r""":math:`-\langle v,c(y)-c(x)-\nabla c(x)(y-x)\rangle\le\frac{L_hL_c}2\|y-x\|^2`: the bound of :math:`v` times that of the error."""
    return _fact("linearisation", x, y)


def nearest(p: Letter, y: Node, u: Node) -> Use:
    r""":math:`\|\Pi(y)-y\|^2\le\|u-y\|^2` for :math:`u\in\mathcal X`: the definition of the projection."""
    return _fact("projection_minimises", p, y, u)


def smooth_above(f: Function, x: Node, y: Node) -> Use:
    r""":math:`f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\frac\rho2\|y-x\|^2`."""
    return _fact("smooth_above", f, x, y)


def lipschitz_gradient(f: Function, x: Node, y: Node) -> Use:
    r""":math:`\|\nabla f(x)-\nabla f(y)\|^2\le\rho^2\|x-y\|^2`."""
    return _fact("lipschitz_gradient", f, x, y)


def interpolation(f: Function, x: Node, y: Node) -> Use:
    r"""Smoothness on :math:`\mathbb R^n` between two points; both orders are all that it says of them.

    With :math:`e=\nabla f(y)-\nabla f(x)`:

    .. math:: f(y)\ge f(x)+\langle\nabla f(x),y-x\rangle+\tfrac12\langle e,y-x\rangle+\tfrac1{4\rho}\|e\|^2-\tfrac\rho4\|y-x\|^2.
    """
    return _fact("interpolation", f, x, y)


def envelope_infimum(F: Function, y: Node, u: Node) -> Use:
    r""":math:`F_\lambda(y)\le f(u)+\frac1{2\lambda}\|u-y\|^2` for :math:`u\in\mathcal X`."""
    return _fact("envelope_infimum", F, y, u)


def envelope_attained(F: Function, prox: Proximal) -> Use:
    r""":math:`F_\lambda(y)=f(\hat y)+\frac1{2\lambda}\|\hat y-y\|^2` at the prox point."""
    return _fact("envelope_attained", F, prox)


def free_prox(prox: Proximal, v: Node) -> Use:
    r""":math:`\langle\nabla f(\hat x)-\lambda^{-1}(x-\hat x),v\rangle=0` without constraints."""
    return _fact("free_prox", prox, v)


def whole_space(p: Letter, y: Node, v: Node) -> Use:
    r""":math:`\langle\Pi(y)-y,v\rangle=0` without constraints."""
    return _fact("whole_space", p, y, v)


def conjugate_value(h: Function, p: Letter, y: Node) -> Use:
    r""":math:`h^*(y)=\langle y,\Pi y\rangle-\frac12\|\Pi y\|^2`."""
    return _fact("conjugate_value", h, p, y)


def second_moment(g: Sample) -> Use:
    r"""(A2): :math:`\mathbb E[\|g\|^2|\mathcal F]\le L^2` with the field before the sample."""
    return _fact("second_moment", g)


def variance(g: Sample) -> Use:
    r"""(A3): :math:`\mathbb E[\|g-\nabla f\|^2|\mathcal F]\le\sigma^2` with the field before the sample."""
    return _fact("variance", g)


def sure_bound(g: Sample) -> Use:
    r""":math:`\|g\|^2\le L^2` almost surely, which is stronger than (A2): that bounds the mean only."""
    return _fact("sure_bound", g)


def bounded_gradient(f: Function, x: Node) -> Use:
    r""":math:`\|\nabla f(x)\|^2\le G^2` on :math:`\mathcal X`."""
    return _fact("bounded_gradient", f, x)


def infimum(f: Function, x: Node) -> Use:
    r""":math:`f^\star\le f(x)` on :math:`\mathcal X`."""
    return _fact("infimum", f, x)


def uniform(of: Node, *, shift: bool = False) -> Use:
    r""":math:`(K+1)\,\mathbb E[e_{k^*}]=\sum_{k=0}^K\mathbb E[e_k]`, with ``shift`` for :math:`k^*` on :math:`\{-1,\dots,K-1\}`."""
    return _fact("uniform", of, shift)


def first_term(of: Node, last: Literal["K", "K-1"] = "K") -> Use:
    r""":math:`\sum_{k=0}^{\text{last}}\mathbb E[e_k]=\mathbb E[e_0]+\sum_{k=1}^{\text{last}}\mathbb E[e_k]`."""
    return _fact("first_term", of, last)


def last_term(of: Node, *, ended: bool = True) -> Use:
    r""":math:`\sum_{k=0}^K\mathbb E[e_k]=\sum_{k=0}^{K-1}\mathbb E[e_k]+\mathbb E[e_K]`; letters of a step stand for :math:`k=K+1`, or (not
    ``ended``, in a short run) for :math:`k=K`."""
    return _fact("last_term", of, ended)


def assume(relation: Relation, name: str, meaning: str = "") -> tuple[Use, Foundation]:
    """An assumption of one's own: the fact to use, and the foundation that the statement must declare."""
    for argument, text in (("name", name), ("meaning", meaning)):
        checks.instance(str, argument, text, "an assumption of one's own")
    use = _fact("assumed", relation, name, meaning or name)
    return use, use.fact.unfolded.foundations[0]


# --- lines that follow from the definitions, wherever they are used


def _lemma(claim: Relation, terms: Sequence[Term], name: str, domain: Domain = EVERYWHERE) -> Line:
    return Line(Statement(claim, domain=domain, scope=Scope.INHERITED), tuple(terms), name)


def young(a: Node, b: Node, theta: Coefficient) -> Line:
    r""":math:`\langle a,b\rangle\le\frac1{2\theta}\|a\|^2+\frac\theta2\|b\|^2`, :math:`\theta>0`."""
    _right("young", a=a, b=b)
    theta = coefficient(theta)
    claim = a @ b <= 1 / (2 * theta) * a**2 + theta / 2 * b**2
    return _lemma(claim, (1 / (2 * theta) * square(a - theta * b),), "Young")


def square_convexity(a: Node, b: Node, weight: Coefficient) -> Line:
    r""":math:`\|wa+(1-w)b\|^2\le w\|a\|^2+(1-w)\|b\|^2` for :math:`w\in[0,1]`."""
    _right("square_convexity", a=a, b=b)
    w = coefficient(weight)
    claim = (w * a + (1 - w) * b) ** 2 <= w * a**2 + (1 - w) * b**2
    return _lemma(claim, (w * (1 - w) * square(a - b),), "convexity of the square")


_t = sp.Symbol("t")
_SEGMENT = Domain(between(_t, 0, 1))


def projection(p: Letter, y: Node, u: Node) -> Limit:
    r"""Optimality of :math:`p=\Pi_{\mathcal X}(y)` at a point :math:`u` of :math:`\mathcal X`:
    :math:`\langle p-y,u-p\rangle\ge0` (``eq:x:opt:cond``)."""
    return Limit(projection_segment(p, y, u), _t, "optimality of the projection")


def projection_segment(p: Letter, y: Node, u: Node, share: Coefficient = sp.Rational(1, 2)) -> Line:
    r""":math:`0\le\langle p-y,u-p\rangle+\frac t2\|u-p\|^2` for :math:`t\in(0,1]`: the minimiser against the point :math:`p+t(u-p)`."""
    _right("projection", p=p, y=y, u=u)
    least = _fact("projection_minimises", p, y, p + _t * (u - p))
    claim = Number(sp.S.Zero) <= (p - y) @ (u - p) + share * _t * (u - p) ** 2
    return _lemma(claim, (1 / (2 * _t) * least,), "minimality along a segment", _SEGMENT)


def nonexpansive(p: Letter, y: Node, u: Node) -> Line:
    r"""The projection :math:`p=\Pi_{\mathcal X}(y)` is no farther from any point of :math:`\mathcal X`: :math:`\|p-u\|^2\le\|y-u\|^2`."""
    _right("nonexpansive", p=p, y=y, u=u)
    claim = (p - u) ** 2 <= (y - u) ** 2
    return _lemma(claim, (2 * projection(p, y, u), 1 * square(y - p)), "nonexpansiveness")


def nonexpansive_pair(p: Letter, y: Node, q: Letter, v: Node) -> Line:
    r""":math:`\|\Pi(y)-\Pi(v)\|^2\le\|y-v\|^2` with :math:`p=\Pi(y)`, :math:`q=\Pi(v)`."""
    _right("nonexpansive_pair", p=p, y=y, q=q, v=v)
    terms = (2 * projection(p, y, q), 2 * projection(q, v, p), 1 * square((y - v) - (p - q)))
    return _lemma((p - q) ** 2 <= (y - v) ** 2, terms, "nonexpansiveness")


def convex_function(f: Function) -> Function:
    r""":math:`\phi=f+\frac\rho2\|\cdot\|^2`, which is convex if :math:`f` is weakly convex."""
    return Function(r"\phi", role="convex", of=f)


def chord(f: Function, x: Node, y: Node, weight: Coefficient) -> Line:
    r""":math:`f(wx+(1-w)y)\le wf(x)+(1-w)f(y)+\frac{\rho w(1-w)}2\|x-y\|^2` (Lemma 1, item 2)."""
    _right("chord", f=f, x=x, y=y)
    w, phi = coefficient(weight), convex_function(f)
    z = w * x + (1 - w) * y
    parts = [m * _fact("convex_part", f, phi, point) for m, point in ((-1, z), (w, x), (1 - w, y))]
    claim = f(z) <= w * f(x) + (1 - w) * f(y) + rho * w * (1 - w) / 2 * (x - y) ** 2
    return _lemma(claim, (1 * _fact("jensen", phi, x, y, w), *parts), "weak convexity on a segment")


def prox_segment(prox: Proximal, x: Node, modulus: Coefficient | None = None) -> Line:
    r"""For :math:`t\in(0,1]` and the prox point :math:`\hat x` of :math:`c`:

    .. math:: (1-t)\frac{\lambda^{-1}-\rho}2\|x-\hat x\|^2\le f(x)+\frac1{2\lambda}\|x-c\|^2-f(\hat x)-\frac1{2\lambda}\|\hat x-c\|^2.
    """
    _right("prox_strong_convexity", prox=prox, x=x)
    f, lam, c = prox.function, prox.envelope, prox.of
    m = 1 / lam - rho if modulus is None else modulus
    right = f(x) + (x - c) ** 2 / (2 * lam) - f(prox) - (prox - c) ** 2 / (2 * lam)
    least = _fact("prox_minimises", prox, _t * x + (1 - _t) * prox)
    terms = (1 / _t * chord(f, x, prox, _t), 1 / _t * least)
    return _lemma((1 - _t) * m / 2 * (x - prox) ** 2 <= right, terms, "minimality along a segment", _SEGMENT)


def prox_strong_convexity(prox: Proximal, x: Node) -> Limit:
    r"""The prox function :math:`\Phi(x)=f(x)+\frac1{2\lambda}\|x-c\|^2` grows away from its minimiser (``eq:strong:cvx``):

    .. math:: \Phi(x)\ge\Phi(\hat x)+\tfrac{\lambda^{-1}-\rho}2\|x-\hat x\|^2.
    """
    return Limit(prox_segment(prox, x), _t, "strong convexity at the prox")


def prox_optimality(prox: Proximal, u: Node) -> Limit:
    r""":math:`\langle\nabla f(\hat x)+\lambda^{-1}(\hat x-x),u-\hat x\rangle\ge0` for smooth :math:`f` and :math:`u\in\mathcal X`."""
    _right("prox_optimality", prox=prox, u=u)
    f, lam, c = prox.function, prox.envelope, prox.of
    point = prox + _t * (u - prox)
    claim = (
        Number(sp.S.Zero)
        <= (f.slope(prox) + (prox - c) / lam) @ (u - prox) + _t * (rho + 1 / lam) / 2 * (u - prox) ** 2
    )
    terms = (1 / _t * _fact("prox_minimises", prox, point), 1 / _t * smooth_above(f, prox, point))
    return Limit(_lemma(claim, terms, "minimality along a segment", _SEGMENT), _t, "optimality of the prox")


def conjugate_smooth(h: Function, p: Letter, y: Node, q: Letter, v: Node) -> Line:
    r""":math:`h^*(v)\le h^*(y)+\langle\Pi y,v-y\rangle+\frac12\|v-y\|^2` with :math:`p=\Pi y`, :math:`q=\Pi v`."""
    _right("conjugate_smooth", h=h, p=p, y=y, q=q, v=v)
    claim = h(v) <= h(y) + p @ (v - y) + (v - y) ** 2 / 2
    terms = (-1 * conjugate_value(h, p, y), 1 * conjugate_value(h, q, v), 1 * projection(p, y, q))
    return _lemma(claim, (*terms, sp.Rational(1, 2) * square(v - y - q + p)), "smoothness of $h^*$")


def above_the_infimum(
    claim: Relation, f: Function, F: Function, prox: Proximal, rest: Sequence[Term], **more: Any
) -> Line:
    r"""The line that a multiple of :math:`f^\star` is below a potential :math:`F_\lambda(y)+\dots`, of which ``rest`` bounds the dots:
    the envelope is attained at the prox point of y, where :math:`f\ge f^\star`."""
    length = 1 / (2 * prox.envelope) * square(prox - prox.of)
    terms = [-1 * envelope_attained(F, prox), length, 1 * infimum(f, prox), *rest]
    return line(claim, terms, **{"scope": Scope.EVERY, **more})


def flat(whole: Line) -> Line:
    """The same line from facts and definitions alone: earlier lines replaced by their own terms, equal terms added up.

    Lines that hold wherever they are used (nonexpansiveness, Young) and joins stay as they are.
    """
    total: dict[Any, Term] = {}

    def add(part: Line, times: Any) -> None:
        for term in part.terms:
            weight = times * term.multiplier
            inner = term.source
            if isinstance(inner, Line) and inner.statement.scope is not Scope.INHERITED:
                add(inner, weight)
                continue
            key = canonical(inner) if isinstance(inner, Fact) else canonical(inner.statement)
            total[key] = Term(sp.factor(weight + (total[key].multiplier if key in total else 0)), inner)

    add(whole, sp.S.One)
    return Line(whole.statement, tuple(total.values()), whole.name)
