r"""The facts that a proof may use without proving them: a closed list, each with what it says and what must be checked first.

A :class:`Fact` is a kind and its arguments; :func:`unfold` says what that means.  Everything else that a proof uses is a line that is
proved itself.  What a fact presupposes (a point lies in :math:`X`, a vector is a projection, a letter is the oracle's sample, a number
is positive) is listed in :class:`Unfolded` and checked by the kernel on the domain of use.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from shbcore.proof import foundations as on
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import (
    TOTAL,
    E,
    Free,
    Function,
    Letter,
    Named,
    Node,
    Number,
    Proximal,
    Quantity,
    RandomIndex,
    Relation,
    Sample,
    Series,
    at_start,
    coefficient,
    known,
    shifted,
)
from shbcore.proof.statement import Scope, canonical

rho, alpha, beta, N = sp.symbols("rho alpha beta N")
L2, sigma2, G2 = sp.symbols("L^2 sigma^2 G^2")
L_h, L_c = sp.symbols("L_h L_c")
SETTING = frozenset({rho, alpha, beta, N, L2, sigma2, G2, L_h, L_c})
"""The parameters of the setting: the letters and the assumptions depend on them."""
f_star = Quantity(r"f^\star")
_ENDED = (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY)
r"""Where the letters of a step stand for :math:`k=K+1`."""


@dataclass(frozen=True)
class Fact:
    """One use of a fact: its kind, and its arguments in the order of the functions of :mod:`shbcore.proof.lines`."""

    kind: str
    arguments: tuple[Any, ...]

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"fact {self.kind!r} is unknown; the facts are {', '.join(KINDS)}")
        object.__setattr__(self, "arguments", tuple(self.arguments))

    @property
    def unfolded(self) -> Unfolded:
        return KINDS[self.kind](*self.arguments)

    def __str__(self) -> str:
        return str(self.unfolded.relation)


@dataclass(frozen=True)
class Unfolded:
    """What a fact says and presupposes: signs to prove (strict or not), points of :math:`X`, projections ``(p, y)``, foundations, and the
    scopes in which it has a meaning (none: every scope)."""

    relation: Relation
    foundations: tuple[Foundation, ...]
    positive: tuple[Any, ...] = ()
    nonnegative: tuple[Any, ...] = ()
    inside: tuple[Node, ...] = ()
    projections: tuple[tuple[Node, Node], ...] = ()
    scopes: tuple[Scope, ...] = ()


def _need(what: bool, sentence: str) -> None:
    if not what:
        raise ValueError(sentence)


def _objective(f: Function) -> None:
    _need(f.role == "objective", f"{f.name} is not the objective, of which the paper assumes this")


def _envelope(F: Function) -> tuple[Function, Any]:
    _need(F.role == "envelope", f"{F.name} is no envelope")
    assert F.of is not None
    return F.of, F.envelope


def square(v: Node) -> Unfolded:
    return Unfolded(Number(sp.S.Zero) <= v**2, ())


def number(value: Any) -> Unfolded:
    return Unfolded(Number(sp.S.Zero) <= Number(value), (), nonnegative=(value,))


def weak_convexity(f: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    relation = f(x) + f.slope(x) @ (y - x) - rho / 2 * (y - x) ** 2 <= f(y)
    return Unfolded(relation, (on.WEAKLY_CONVEX,), inside=(x, y))


def convex_part(f: Function, phi: Function, x: Node) -> Unfolded:
    _objective(f)
    _need(phi.role == "convex" and phi.of == f, f"{phi.name} is not declared as the convex function of {f.name}")
    return Unfolded(phi(x).equals(f(x) + rho / 2 * x**2), (on.WEAKLY_CONVEX,), inside=(x,))


def tangent(f: Function, phi: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    _need(phi.role == "convex" and phi.of == f, f"{phi.name} is not declared as the convex function of {f.name}")
    relation = phi(x) + (f.slope(x) + rho * x) @ (y - x) <= phi(y)
    return Unfolded(relation, (on.WEAKLY_CONVEX, on.TANGENT), inside=(x, y))


def jensen(phi: Function, x: Node, y: Node, weight: Any) -> Unfolded:
    _need(
        phi.role == "convex" and phi.of is not None and phi.of.role == "objective",
        f"{phi.name} is not the convex function of the objective",
    )
    weight = coefficient(weight, "weight")
    z = weight * x + (1 - weight) * y
    relation = phi(z) <= weight * phi(x) + (1 - weight) * phi(y)
    return Unfolded(relation, (on.WEAKLY_CONVEX,), nonnegative=(weight, 1 - weight), inside=(x, y))


def composition(x: Node, y: Node) -> tuple[Free, Free, Free]:
    r"""The letters of :math:`f=h\circ c` at two points, named after these: a subgradient of h at c(x), the image of :math:`y-x` under
    the Jacobian, and the error of the linearisation of c."""
    _need(
        isinstance(x, Free) and isinstance(y, Free) and known(x) == known(y) == TOTAL and not (x.inside or y.inside),
        "a composition is looked at in two given points, any two: its letters do not say that these lie in X",
    )
    image = rf"\nabla c({x})({y}-{x})"
    return Free(f"h'(c({x}))"), Free(image), Free(f"c({y})-c({x})-{image}")


def outer_tangent(f: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    slope, image, error = composition(x, y)
    change = Named(f"c({y})-c({x})", image + error)
    return Unfolded(f(x) + slope @ change <= f(y), (on.LIPSCHITZ_OUTER,))


def linearisation(x: Node, y: Node) -> Unfolded:
    slope, _, error = composition(x, y)
    right = L_h * L_c / 2 * (y - x) ** 2
    return Unfolded(-(slope @ error) <= right, (on.LIPSCHITZ_OUTER, on.LIPSCHITZ_JACOBIAN), nonnegative=(L_h, L_c))


def smooth_above(f: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    relation = f(y) <= f(x) + f.slope(x) @ (y - x) + rho / 2 * (y - x) ** 2
    return Unfolded(relation, (on.SMOOTH, on.DESCENT), nonnegative=(rho,), inside=(x, y))


def lipschitz_gradient(f: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    relation = (f.slope(x) - f.slope(y)) ** 2 <= rho**2 * (x - y) ** 2
    return Unfolded(relation, (on.SMOOTH,), nonnegative=(rho,), inside=(x, y))


def interpolation(f: Function, x: Node, y: Node) -> Unfolded:
    _objective(f)
    u, step = f.slope(y) - f.slope(x), y - x
    right = f(x) + f.slope(x) @ step + u @ step / 2 + u**2 / (4 * rho) - rho / 4 * step**2
    return Unfolded(f(y) >= right, (on.SMOOTH_EVERYWHERE, on.COCOERCIVITY), positive=(rho,))


def projection_minimises(p: Letter, y: Node, u: Node) -> Unfolded:
    return Unfolded((p - y) ** 2 <= (u - y) ** 2, (on.PROJECTION,), inside=(u,), projections=((p, y),))


def conjugate_value(h: Function, p: Letter, y: Node) -> Unfolded:
    _need(h.role == "conjugate", f"{h.name} is not the conjugate of h")
    return Unfolded(h(y).equals(y @ p - p**2 / 2), (on.CONJUGATE, on.PROJECTION), projections=((p, y),))


def whole_space(p: Letter, y: Node, v: Node) -> Unfolded:
    return Unfolded(((p - y) @ v).equals(0), (on.WHOLE_SPACE,), projections=((p, y),))


def prox_minimises(prox: Proximal, u: Node) -> Unfolded:
    def model(at: Node) -> Node:
        value: Node = prox.function(at) + (at - prox.of) ** 2 / (2 * prox.envelope)
        return value

    return Unfolded(model(prox) <= model(u), (on.PROX,), positive=(prox.envelope,), inside=(u,))


def envelope_attained(F: Function, prox: Proximal) -> Unfolded:
    f, lam = _envelope(F)
    _need((prox.function, prox.envelope) == (f, lam), f"{prox.name} is not a prox point of {F.name}")
    relation = F(prox.of).equals(f(prox) + (prox - prox.of) ** 2 / (2 * lam))
    return Unfolded(relation, (on.PROX,), positive=(lam,))


def envelope_infimum(F: Function, y: Node, u: Node) -> Unfolded:
    f, lam = _envelope(F)
    return Unfolded(F(y) <= f(u) + (u - y) ** 2 / (2 * lam), (on.PROX,), positive=(lam,), inside=(u,))


def free_prox(prox: Proximal, v: Node) -> Unfolded:
    gradient = prox.function.slope(prox) - (prox.of - prox) / prox.envelope
    return Unfolded(
        (gradient @ v).equals(0), (on.SMOOTH, on.WHOLE_SPACE, on.STATIONARY_PROX, on.PROX), positive=(prox.envelope,)
    )


def _sample(g: Any) -> Sample:
    _need(isinstance(g, Sample), f"{g} is no oracle's sample")
    _objective(g.function)
    found: Sample = g
    return found


def second_moment(g: Sample) -> Unfolded:
    return Unfolded(E(_sample(g) ** 2, known(g.at)) <= Number(L2), (on.A2,), nonnegative=(L2,), inside=(g.at,))


def variance(g: Sample) -> Unfolded:
    noise = _sample(g) - g.function.slope(g.at)
    return Unfolded(E(noise**2, known(g.at)) <= Number(sigma2), (on.A3,), nonnegative=(sigma2,), inside=(g.at,))


def sure_bound(g: Sample) -> Unfolded:
    return Unfolded(_sample(g) ** 2 <= Number(L2), (on.SURE,), nonnegative=(L2,), inside=(g.at,))


def bounded_gradient(f: Function, x: Node) -> Unfolded:
    _objective(f)
    return Unfolded(f.slope(x) ** 2 <= Number(G2), (on.BOUNDED_GRADIENT,), nonnegative=(G2,), inside=(x,))


def infimum(f: Function, x: Node) -> Unfolded:
    _objective(f)
    return Unfolded(f_star <= f(x), (on.BOUNDED_BELOW,), inside=(x,))


def first_term(of: Node, last: Any) -> Unfolded:
    _need(last == "K", "a sum to K-1 may be empty: it has no first term")
    return Unfolded(Series(of, 0, last).equals(E(at_start(of)) + Series(of, 1, last)), (on.SUMMATION,))


def last_term(of: Node, ended: bool) -> Unfolded:
    last, scopes = (shifted(of, -1), _ENDED) if ended else (of, (Scope.SHORT_RUN,))
    return Unfolded(Series(of).equals(Series(of, 0, "K-1") + E(last)), (on.SUMMATION,), scopes=scopes)


def uniform(of: Node, shift: bool) -> Unfolded:
    total = E(at_start(of)) + Series(of, 0, "K-1") if shift else Series(of)
    return Unfolded((N**2 * RandomIndex(of, shift)).equals(total), (on.UNIFORM,), positive=(N,))


HYPOTHESIS = ("induction hypothesis", "the relation at step k")
"""Name and meaning of the hypothesis of an induction, which the induction discharges."""


def assumed(relation: Relation, name: str, meaning: str) -> Unfolded:
    """An assumption of one's own: it is told apart by what it says, not by its name alone."""
    own = re.sub(r"\s", "", name).casefold()
    taken = own in {re.sub(r"\s", "", one.name).casefold() for one in on.ALL}
    _need(bool(own) and not taken, f"{name!r} is the name of an assumption of the paper, or none")
    if (name, meaning) != HYPOTHESIS:
        digest = hashlib.sha256(canonical(relation).encode()).hexdigest()[:12]
        meaning = f"{meaning} [{digest}]"
    return Unfolded(relation, (Foundation(name, "own", meaning),))


KINDS: dict[str, Callable[..., Unfolded]] = {
    one.__name__: one
    for one in (
        *(square, number, weak_convexity, convex_part, tangent, jensen, outer_tangent, linearisation),
        *(smooth_above, lipschitz_gradient, interpolation, projection_minimises, conjugate_value, whole_space),
        *(prox_minimises, envelope_attained, envelope_infimum, free_prox, second_moment, variance, sure_bound),
        *(bounded_gradient, infimum, first_term, last_term, uniform, assumed),
    )
}
"""The closed list."""
