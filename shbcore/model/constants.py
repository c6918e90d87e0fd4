r"""The constants of the paper, each written once.

Every formula uses only ``+ - * /``, so one definition serves floats, ``Fraction`` and SymPy symbols alike.  ``weak_convexity``
is :math:`\rho`, ``envelope`` is :math:`\lambda`; both are keyword-only, as are all arguments of the functions here.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from shbcore.model.checks import fail, formula

Number = Any
"""A float, a ``Fraction``, a ``gmpy2.mpq`` or a SymPy expression."""


class VWeights(NamedTuple):
    r"""Weights of :math:`\|p_k\|^2`, :math:`\|d_k\|^2` and :math:`f(x_{k-1})` in :math:`V_k` (``eq:Vfunc``)."""

    p: Number
    d: Number
    f: Number


class WWeights(NamedTuple):
    r"""Weights of :math:`f(x_k)`, :math:`\varphi_k` and :math:`\|d_k\|^2` in :math:`W_k` (``lem:Wfunc:smooth``)."""

    f: Number
    phi: Number
    d: Number


@formula
def xi(*, beta: Number, nu: Number) -> Number:
    r""":math:`\xi = (1-\beta)/\nu`, the length of the momentum: :math:`\bar x_k - x_k = -\xi d_k`."""
    return (1 - beta) / nu


@formula
def lemma_3_noise(*, weak_convexity: Number, beta: Number, nu: Number) -> Number:
    r"""Factor of :math:`\alpha^2L^2` in Lemma 3: :math:`\rho(1-\beta)/2+\nu`."""
    return weak_convexity * (1 - beta) / 2 + nu


@formula
def lemma_3_noise_given(
    *, weak_convexity: Number, beta: Number, nu: Number, L2: Number, d2: Number, theta: Number = 1
) -> Number:
    r"""The noise of Lemma 3 given :math:`\mathcal F_{k-1}`, over :math:`\alpha^2`, for any :math:`\theta>0`; ``d2`` is :math:`\|d_k\|^2`:

    .. math:: \frac{\rho(1-\beta)}2\|d_k\|^2+\frac\nu2\Bigl(L^2+\beta(\beta+(1-\beta)\theta)L^2
        +(1-\beta)\bigl(1-\beta+\tfrac\beta\theta\bigr)\|d_k\|^2\Bigr).

    The best :math:`\theta` is :math:`\|d_k\|/L`; then the last two terms are :math:`(\beta L+(1-\beta)\|d_k\|)^2`.
    """
    z2 = beta * (beta + (1 - beta) * theta) * L2 + (1 - beta) * (1 - beta + beta / theta) * d2
    return weak_convexity * (1 - beta) / 2 * d2 + nu / 2 * (L2 + z2)


@formula
def gamma(*, weak_convexity: Number, envelope: Number, beta: Number, nu: Number) -> Number:
    r"""The repaired :math:`\gamma = \xi^2(\rho(1-\beta)/2+\nu)/\lambda + \rho\xi + 1` of Lemma 4."""
    length = xi(beta=beta, nu=nu)
    noise = lemma_3_noise(weak_convexity=weak_convexity, beta=beta, nu=nu)
    return length * length * noise / envelope + weak_convexity * length + 1


@formula
def gamma_printed(*, weak_convexity: Number, envelope: Number, beta: Number, nu: Number) -> Number:
    r""":math:`\gamma` as printed in ``lem:Vfunc:non-smooth``, with :math:`\rho\xi/2` where the proof needs :math:`\rho\xi`."""
    right = gamma(weak_convexity=weak_convexity, envelope=envelope, beta=beta, nu=nu)
    return right - weak_convexity * xi(beta=beta, nu=nu) / 2


def _V_weight_f(*, envelope: Number, beta: Number, nu: Number) -> Number:
    length = xi(beta=beta, nu=nu)
    ratio = length * length / (envelope * envelope)
    return (1 - beta) * ratio / 2 + length / envelope


@formula
def V_weights(*, envelope: Number, alpha: Number, beta: Number, nu: Number) -> VWeights:
    r"""Weights in the Lyapunov function of Lemma 4 (``eq:Vfunc``):

    .. math:: V_k = F_\lambda(\bar x_k) + \frac{\nu\xi^2}{4\lambda^2}\|p_k\|^2 + \frac{\alpha\xi^2}{2\lambda^2}\|d_k\|^2
        + \Bigl(\frac{(1-\beta)\xi^2}{2\lambda^2}+\frac{\xi}{\lambda}\Bigr) f(x_{k-1}).
    """
    length = xi(beta=beta, nu=nu)
    ratio = length * length / (envelope * envelope)
    f = _V_weight_f(envelope=envelope, beta=beta, nu=nu)
    return VWeights(p=nu * ratio / 4, d=alpha * ratio / 2, f=f)


@formula
def gamma_1(*, envelope: Number, beta: Number, nu: Number) -> Number:
    r""":math:`\gamma_1 = 1 + (1-\beta)\xi^2/(2\lambda^2) + \xi/\lambda`: one more than the weight of :math:`f` in :math:`V_k`."""
    return 1 + _V_weight_f(envelope=envelope, beta=beta, nu=nu)


@formula
def gamma_bound(*, weak_convexity: Number, alpha_0: Number) -> Number:
    r"""Theorem 1's bound :math:`\gamma \le \rho^2\alpha_0^2+3\rho\alpha_0+1`, for :math:`\lambda=1/(2\rho)`, :math:`\nu=1/\alpha_0`."""
    r = weak_convexity * alpha_0
    return r * r + 3 * r + 1


@formula
def gamma_1_bound(*, weak_convexity: Number, alpha_0: Number) -> Number:
    r"""Theorem 1's bound :math:`\gamma_1 \le 2\rho^2\alpha_0^2+2\rho\alpha_0+1`, for :math:`\lambda=1/(2\rho)`, :math:`\nu=1/\alpha_0`."""
    r = weak_convexity * alpha_0
    return 2 * r * r + 2 * r + 1


@formula
def W_weights(*, alpha: Number, beta: Number, nu: Number) -> WWeights:
    r"""Weights in the function of Lemma 5: :math:`W_k = 2f(x_k) + \varphi_k/(\nu\alpha^2) + \frac{\xi}{2}\|d_k\|^2`."""
    return WWeights(f=2, phi=1 / (nu * alpha * alpha), d=xi(beta=beta, nu=nu) / 2)


@formula
def W_noise(*, weak_convexity: Number, alpha: Number, beta: Number) -> Number:
    r"""Factor of :math:`\nu\alpha^2\sigma^2` that Lemma 5 needs, in place of 4: :math:`1+\beta(1+\rho\alpha)`."""
    return 1 + beta * (1 + weak_convexity * alpha)


@formula
def theorem_1_bound(
    *, gap: Number, L2: Number, envelope: Number, gamma: Number, gamma_1: Number, alpha_0: Number, root: Number
) -> Number:
    r"""Right side of Theorem 1: :math:`2\,(\gamma_1\Delta + \gamma L^2\alpha_0^2/(2\lambda))/(\alpha_0\sqrt{K+1})`.

    ``gap`` is :math:`\Delta`, ``L2`` is :math:`L^2`, ``root`` is :math:`\sqrt{K+1}`.
    """
    return 2 * (gamma_1 * gap + gamma * L2 * alpha_0 * alpha_0 / (2 * envelope)) / (alpha_0 * root)


@formula
def theorem_1_bound_printed(
    *, gap: Number, L2: Number, envelope: Number, gamma: Number, gamma_1: Number, alpha_0: Number, root: Number
) -> Number:
    r"""Right side of ``eq:thrm:1`` as printed: the :math:`L^2` term lacks :math:`\alpha_0^2`."""
    return 2 * (gamma_1 * gap + gamma * L2 / (2 * envelope)) / (alpha_0 * root)


@formula
def c_theorem_3(*, weak_convexity: Number, envelope: Number) -> Number:
    r""":math:`c = 2\lambda^{-1}/(2\lambda^{-1}-3\rho)` of Theorem 3, for :math:`\lambda^{-1}>\frac32\rho`."""
    left = 2 - 3 * weak_convexity * envelope
    if isinstance(left, int | float | Fraction) and left <= 0:
        fail("envelope", envelope, f"satisfy 1/lambda > 3 rho/2 with rho = {weak_convexity}", "c of Theorem 3")
    return 2 / left


@formula
def theorem_3_bound(
    *,
    gap: Number,
    sigma2: Number,
    weak_convexity: Number,
    envelope: Number,
    alpha_0: Number,
    root: Number,
    factor: Number = 8,
) -> Number:
    r"""Right side of Theorem 3's first display: :math:`cB/(\alpha_0\sqrt{K+1})` with :math:`c` from :func:`c_theorem_3` and

    .. math:: B=\Bigl(1+\frac{2\alpha_0^2}{\lambda^2}\Bigr)\Delta
        + \Bigl(1+\frac{8\alpha_0}\lambda\Bigr)\frac{\sigma^2\alpha_0^2}{2\lambda}.

    ``factor`` is the 8; for the start :math:`z_0=\beta g_0`, 2 in place of 8 is enough.
    """
    ratio = alpha_0 / envelope
    noise = (1 + factor * ratio) * sigma2 * alpha_0 * alpha_0 / (2 * envelope)
    c = c_theorem_3(weak_convexity=weak_convexity, envelope=envelope)
    return c * ((1 + 2 * ratio * ratio) * gap + noise) / (alpha_0 * root)


@formula
def start_excess(*, envelope: Number, alpha: Number, beta: Number, nu: Number) -> Number:
    r"""What the printed start :math:`z_0=g_0` costs in Theorem 1, as a factor of :math:`L^2`.

    By so much :math:`\mathbb E V_1+\frac1{2\nu}\|\nabla F_\lambda(x_0)\|^2` may exceed :math:`\gamma_1f(x_0)`:
    :math:`\frac1{2\lambda\nu^2}+\frac{\nu\xi^4}{4\lambda^2}+\frac{\alpha\xi^2}{2\lambda^2}`.
    """
    length = xi(beta=beta, nu=nu)
    weights = V_weights(envelope=envelope, alpha=alpha, beta=beta, nu=nu)
    return 1 / (2 * envelope * nu * nu) + weights.p * length * length + weights.d


@formula
def start_excess_3(*, weak_convexity: Number, envelope: Number, alpha: Number, beta: Number, nu: Number) -> Number:
    r"""What the printed start costs in Theorem 3, as a factor of :math:`\mathbb E\|g_0\|^2`:

    .. math:: J=\frac1{2\lambda\nu^2}
        +\frac{\xi^2}{\lambda^2}\Bigl(\rho\alpha^2+\frac{1-\beta+2\beta\rho^2\alpha^2}{2\nu}+\frac\xi2+\alpha\Bigr).
    """
    length = xi(beta=beta, nu=nu)
    bend = weak_convexity * alpha
    turn = (1 - beta + 2 * beta * bend * bend) / (2 * nu)
    moved = bend * alpha + turn + length / 2 + alpha
    return 1 / (2 * envelope * nu * nu) + length * length / (envelope * envelope) * moved


@formula
def theorem_1_bound_start(
    *,
    gap: Number,
    L2: Number,
    envelope: Number,
    gamma: Number,
    gamma_1: Number,
    excess: Number,
    alpha_0: Number,
    root: Number,
) -> Number:
    r"""A right side of Theorem 1 for the printed start :math:`z_0=g_0`; ``excess`` is :func:`start_excess`:

    .. math:: 2\,\frac{\gamma_1\Delta+\bigl(\text{excess}+\gamma\alpha_0^2/(2\lambda)\bigr)L^2}{\alpha_0\sqrt{K+1}}.

    The theorem in the ledger is a little sharper: there the noise of the first step is not counted, and
    :math:`\alpha_0^2-\alpha^2` stands in place of :math:`\alpha_0^2`."""
    main = theorem_1_bound(gap=gap, L2=L2, envelope=envelope, gamma=gamma, gamma_1=gamma_1, alpha_0=alpha_0, root=root)
    return main + 2 * excess * L2 / (alpha_0 * root)


@formula
def d_bound(
    *, gap: Number, L2: Number, weak_convexity: Number, beta: Number, nu: Number, alpha_0: Number, root: Number
) -> Number:
    r"""Bound on the average of :math:`\mathbb E\|d_{k+1}\|^2` over :math:`k=0,\dots,K`, from Lemma 3:
    :math:`\bigl((1-\beta)\Delta+\alpha_0^2(\rho(1-\beta)/2+\nu)L^2\bigr)/(\alpha_0\sqrt{K+1})`."""
    noise = lemma_3_noise(weak_convexity=weak_convexity, beta=beta, nu=nu)
    return ((1 - beta) * gap + alpha_0 * alpha_0 * noise * L2) / (alpha_0 * root)
