r"""The letters of the paper: one step of the method, its parameters, and the ranges of these.

:math:`x_{k-1},x_k,x_{k+1}` are iterates, :math:`g_k` is the oracle's sample at :math:`x_k`; everything else is a combination of them under
the paper's name.  Each function takes the index, counted from :math:`k`; ``first=True`` counts from 0.
"""

from functools import cache
from typing import Any

import sympy as sp

from shbcore.model import constants
from shbcore.proof.domain import Domain, between, defined, inverse_at_least, nonnegative, positive
from shbcore.proof.facts import G2 as G2
from shbcore.proof.facts import L2 as L2
from shbcore.proof.facts import N as N
from shbcore.proof.facts import alpha as alpha
from shbcore.proof.facts import beta as beta
from shbcore.proof.facts import f_star as f_star
from shbcore.proof.facts import rho as rho
from shbcore.proof.facts import sigma2 as sigma2
from shbcore.proof.language import Direction, Function, Iterate, Named, Node, Proximal, Sample, indexed

lam, nu, xi = sp.symbols("lambda nu xi")

ADMISSIBLE = Domain(
    nonnegative(rho),
    positive(nu),
    between(beta, 0, 1),
    inverse_at_least(lam, 2 * rho),
    nonnegative(L2),
    nonnegative(sigma2),
    nonnegative(G2),
    defined(alpha, beta / nu),
    defined(xi, constants.xi(beta=beta, nu=nu)),
)
r""":math:`\rho\ge0,\ \nu>0,\ \beta=\nu\alpha\in(0,1],\ \lambda^{-1}\ge2\rho`."""

f = Function("f")
F_env = Function(r"F_\lambda", role="envelope", of=f, envelope=lam)
h_star = Function("h^*", role="conjugate")


@cache
def x(index: int = 0, first: bool = False) -> Iterate:
    return Iterate(index, first)


@cache
def sample(index: int = 0, first: bool = False) -> Sample:
    r""":math:`g_k=f'(x_k,S_k)`."""
    return f.sample(x(index, first))


def _earlier(index: int, first: bool) -> Iterate:
    r""":math:`x_{k-1}`; at the first step :math:`x_{-1}=x_0`."""
    return x(max(index - 1, 0) if first else index - 1, first)


@cache
def d(index: int = 0, first: bool = False) -> Named:
    r""":math:`d_k=(x_{k-1}-x_k)/\alpha`."""
    return Named(indexed("d", index, first), (_earlier(index, first) - x(index, first)) / alpha, "", index, first)


@cache
def p(index: int = 0, first: bool = False) -> Named:
    r""":math:`p_k=\frac{1-\beta}\beta(x_k-x_{k-1})`."""
    of = (1 - beta) / beta * (x(index, first) - _earlier(index, first))
    return Named(indexed("p", index, first), of, "", index, first)


@cache
def bar(index: int = 0, first: bool = False) -> Named:
    r""":math:`\bar x_k=x_k+p_k`."""
    return Named(indexed(r"\bar x", index, first), x(index, first) + p(index, first).of, "", index, first)


@cache
def recursion(index: int = 0, first: bool = False) -> Node:
    r""":math:`\beta g_k+(1-\beta)d_k`."""
    total: Node = beta * sample(index, first) + (1 - beta) * d(index, first)
    return total


@cache
def z(index: int = 0, first: bool = False) -> Named:
    r""":math:`z_k` by the recursion; at :math:`k=0` that is the repaired start."""
    return Named(indexed("z", index, first), recursion(index, first), "recursion", index, first)


z_printed = Named("z_0", sample(0, first=True), "printed start", 0, True)
r""":math:`z_0=g_0`, the printed start."""
z_any = Direction(0)
r""":math:`z_k`, of which nothing is said: for lines that hold with any start."""


@cache
def prox(index: int = 0, first: bool = False) -> Proximal:
    r""":math:`\hat x_k=\mathrm{prox}_{\lambda F}(\bar x_k)`."""
    return F_env.prox(bar(index, first), indexed(r"\hat x", index, first))


@cache
def gradient(index: int = 0, first: bool = False) -> Named:
    r""":math:`\nabla F_\lambda(\bar x_k)=(\bar x_k-\hat x_k)/\lambda`."""
    at = indexed(r"\bar x", index, first)
    return Named(rf"\nabla F_\lambda({at})", (bar(index, first) - prox(index, first)) / lam, "", index, first)


def trial_at(direction: Node, index: int = 0, first: bool = False) -> Node:
    r""":math:`x_k-\alpha z_k`, the vector that is projected."""
    moved: Node = x(index, first) - alpha * direction
    return moved


def stepsize(index: int = 0, first: bool = False) -> Any:
    r""":math:`\alpha`, at every step."""
    return alpha


MEANING = {"d": d, "p": p, r"\bar x": bar, r"\nabla F_\lambda(\bar x)": gradient}


def meaning(node: Named, of: Any = MEANING) -> Node | None:
    """What the paper calls by this name, where the name is the paper's."""
    if node.index is None:
        return None
    stem = node.name.replace(indexed("", node.index, node.first), "")
    found = of.get(stem)
    return found(node.index, node.first).of if found is not None else None


x_prev, x_k, x_next = x(-1), x(0), x(1)
g_k, g_next = sample(0), sample(1)
d_k, d_next, p_k, p_next = d(0), d(1), p(0), p(1)
z_k, z_next = z(0), z(1)
x_bar, x_bar_next = bar(0), bar(1)
x_hat, x_hat_next = prox(0), prox(1)
grad_env = gradient(0)
trial = trial_at(z_k)
