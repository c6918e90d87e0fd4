r"""The letters of the method with a stepsize for each step, :math:`x_{k+1}=\Pi_X(x_k-\alpha_kz_k)`, :math:`d_{k+1}=(x_k-x_{k+1})/\alpha_k`.

A domain that has :math:`\alpha_k`, :math:`\alpha_{k-1}` or :math:`\alpha_{k+1}` is about this method; one with :math:`\alpha` is about the
paper's.  The names are the paper's.  The extrapolated point looks ahead, the method does not: :math:`\bar x_k=x_k-(1-\beta)S_kd_k` with
:math:`S_k=\alpha_k+(1-\beta)S_{k+1}`, which is :math:`\alpha/\beta` for a constant stepsize, as in the paper.
"""

from functools import cache
from typing import Any

from shbcore.proof.facts import beta
from shbcore.proof.language import Iterate, Named, Node, Proximal, indexed, sequence
from shbcore.proof.letters import F_env, lam, sample, x


def stepsize(index: int = 0, first: bool = False) -> Any:
    r""":math:`\alpha_k`."""
    return sequence("alpha", index, first)


def ahead(index: int = 0, first: bool = False) -> Any:
    r""":math:`S_k`: the coming stepsizes, weighted."""
    return sequence("S", index, first)


def _earlier(index: int, first: bool) -> Iterate:
    return x(max(index - 1, 0) if first else index - 1, first)


@cache
def d(index: int = 0, first: bool = False) -> Named:
    r""":math:`d_k=(x_{k-1}-x_k)/\alpha_{k-1}`; at the first step it is 0, as :math:`x_{-1}=x_0`."""
    of = (_earlier(index, first) - x(index, first)) / stepsize(index - 1, first)
    return Named(indexed("d", index, first), of, "", index, first)


@cache
def bar(index: int = 0, first: bool = False) -> Named:
    r""":math:`\bar x_k=x_k-(1-\beta)S_kd_k`."""
    of = x(index, first) - (1 - beta) * ahead(index, first) * d(index, first)
    return Named(indexed(r"\bar x", index, first), of, "", index, first)


@cache
def recursion(index: int = 0, first: bool = False) -> Node:
    r""":math:`\beta g_k+(1-\beta)d_k`."""
    total: Node = beta * sample(index, first) + (1 - beta) * d(index, first)
    return total


@cache
def z(index: int = 0, first: bool = False) -> Named:
    r""":math:`z_k` by the recursion; at :math:`k=0` that is the repaired start."""
    return Named(indexed("z", index, first), recursion(index, first), "recursion", index, first)


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
    r""":math:`x_k-\alpha_kz_k`, the vector that is projected."""
    moved: Node = x(index, first) - stepsize(index, first) * direction
    return moved


MEANING = {"d": d, r"\bar x": bar, r"\nabla F_\lambda(\bar x)": gradient}
