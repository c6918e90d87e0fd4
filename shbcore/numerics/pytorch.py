r"""Translation between ``torch.optim.SGD`` and the stochastic heavy ball without constraints.

PyTorch keeps a buffer, :math:`b_0=g_0`, :math:`b_k=\mu b_{k-1}+(1-\delta)g_k`, and steps :math:`x_{k+1}=x_k-\eta b_k` (``lr``
:math:`\eta`, ``momentum`` :math:`\mu`, ``dampening`` :math:`\delta`).  With :math:`\beta=1-\mu` and :math:`z_k=cb_k`,
:math:`c=\beta/(1-\delta)`, this is :math:`z_k=\beta g_k+(1-\beta)z_{k-1}`, :math:`x_{k+1}=x_k-\alpha z_k` with :math:`\alpha=\eta/c`, and
:math:`z_0=cg_0`: the start ``g0`` if :math:`\delta=\mu`, and ``beta_g0`` if :math:`\delta=0`.
"""

from typing import NamedTuple

from shbcore.model import checks
from shbcore.numerics.solver import STARTS, Start

WHY = "torch.optim.SGD as alg:iters:def without constraints"


class HeavyBall(NamedTuple):
    r"""Stepsize, weight of the fresh subgradient (one minus the momentum) and start of the method."""

    alpha: float
    beta: float
    start: Start


class TorchSGD(NamedTuple):
    """Arguments of ``torch.optim.SGD``."""

    lr: float
    momentum: float
    dampening: float


def from_torch(lr: float, momentum: float = 0.0, dampening: float = 0.0, nesterov: bool = False) -> HeavyBall:
    r"""The heavy ball that an SGD of PyTorch is: ``from_torch(0.1, momentum=0.9)`` has :math:`\alpha=1` and :math:`\beta=0.1`, up to
    rounding, and the start ``beta_g0``.

    With momentum, ``dampening`` has to be 0 or equal to it, for otherwise :math:`z_0` is neither :math:`\beta g_0` nor :math:`g_0`.
    ``nesterov=True`` is no heavy ball.  Both are refused.
    """
    lr = checks.real("lr", checks.positive("lr", lr, WHY), WHY)
    momentum, dampening = checks.real("momentum", momentum, WHY), checks.real("dampening", dampening, WHY)
    checks.instance(bool, "nesterov", nesterov, WHY)
    if not 0 <= momentum < 1:
        checks.fail("momentum", momentum, "lie in [0, 1): beta = 1 - momentum", "beta in (0, 1], alg:iters:def")
    if nesterov:
        checks.fail("nesterov", nesterov, "be False: it steps along g_k + momentum b_k", "no heavy ball, alg:iters:def")
    if momentum == 0:  # the buffer is not used, nor is the dampening
        return HeavyBall(lr, 1.0, "beta_g0")
    if dampening not in (0.0, momentum):
        words = f"be 0 (start beta_g0) or momentum = {momentum} (start g0)"
        checks.fail("dampening", dampening, words, "z_0 is g_0 or beta g_0, alg:iters:def")
    if dampening == 0:
        return HeavyBall(lr / (1 - momentum), 1 - momentum, "beta_g0")
    return HeavyBall(lr, 1 - momentum, "g0")


def to_torch(alpha: float, beta: float, start: Start = "beta_g0") -> TorchSGD:
    r"""The ``torch.optim.SGD`` that makes the same steps, up to rounding."""
    alpha, beta = checks.real("alpha", checks.alpha(alpha), WHY), checks.real("beta", checks.beta(beta), WHY)
    checks.one_of("start", start, STARTS, checks.START)
    if start == "g0":
        return TorchSGD(alpha, 1 - beta, 1 - beta)
    return TorchSGD(alpha * beta, 1 - beta, 0.0)
