r"""The method in its five disguises: each equivalence is one polynomial identity, proved for all vectors and parameters.

Every relation here is linear in vectors, or quadratic through inner products, so a vector is one symbol: an identity between
numbers is an identity between vectors of any dimension.  A function states its claim with the paper's formula as the default of
an argument.  Give it another formula, and the residual says by how much that one misses.
"""

from dataclasses import dataclass
from typing import Any

import sympy as sp

from shbcore.claims.ledger import Check

Expr = Any

x_prev, x, x_next, y = sp.symbols("x_{k-1} x_k x_{k+1} y", real=True)
g, g_0, z_prev, z = sp.symbols("g_k g_0 z_{k-1} z_k", real=True)
normal = sp.Symbol("r_k", real=True)
alpha, alpha_prev = sp.symbols(r"\alpha \alpha_{k-1}", positive=True)
beta, nu = sp.symbols(r"\beta \nu", positive=True)
buffer, buffer_prev = sp.symbols("b_k b_{k-1}", real=True)
mass = sp.Symbol("m_k", real=True)


@dataclass(frozen=True)
class Equivalence:
    """A claimed identity and its residual: the expanded numerator of left minus right, 0 exactly if the identity holds."""

    what: str
    residual: Expr

    @property
    def passed(self) -> bool:
        return bool(self.residual.is_zero)

    @property
    def detail(self) -> str:
        return "residual 0" if self.passed else f"residual {sp.factor(self.residual)}".replace("\\", "")


def equivalence(what: str, left: Expr, right: Expr) -> Equivalence:
    """Compare two rational expressions exactly."""
    return Equivalence(what, sp.expand(sp.numer(sp.together(left - right))))


def search_direction(*, step: Expr = alpha) -> Expr:
    r""":math:`z_k=\beta g_k+(1-\beta)(x_{k-1}-x_k)/\alpha_{k-1}`, line (b) of ``alg:iters:def``."""
    return beta * g + (1 - beta) * (x_prev - x) / step


def compact_form(*, quadratic: Expr = 1 / (2 * alpha)) -> Equivalence:
    r"""The argmin of ``alg:iters:def:a`` is a projection: with the square completed,

    .. math:: \langle z_k,y-x_k\rangle+\frac1{2\alpha}\|y-x_k\|^2=\frac1{2\alpha}\|y-(x_k-\alpha z_k)\|^2-\frac\alpha2\|z_k\|^2,

    and the last term does not depend on :math:`y`, so over :math:`y\in\mathcal X` the left side is least at
    :math:`\Pi_{\mathcal X}(x_k-\alpha z_k)`.
    """
    model = z * (y - x) + quadratic * (y - x) ** 2
    square = (y - (x - alpha * z)) ** 2 / (2 * alpha) - alpha * z**2 / 2
    return equivalence("argmin of the model = projection of x_k - alpha z_k", model, square)


def reduction() -> Equivalence:
    r"""Without constraints :math:`(x_{k-1}-x_k)/\alpha=z_{k-1}`, so (b) becomes ``eq:SHB:unconstrained:z``."""
    free = search_direction().subs(x, x_prev - alpha * z_prev)
    return equivalence("z_k = beta g_k + (1-beta) z_{k-1}", free, beta * g + (1 - beta) * z_prev)


def heavy_ball(
    *, eta: Expr = alpha * beta, inertia: Expr = (1 - beta) * alpha / alpha_prev, first: Expr | None = None
) -> Equivalence:
    r"""Polyak's form :math:`x_{k+1}=x_k-\eta_kg_k+\lambda_k(x_k-x_{k-1})` with :math:`\eta_k=\alpha_k\beta_{k-1}` and
    :math:`\lambda_k=(1-\beta_{k-1})\alpha_k/\alpha_{k-1}`, for stepsizes and momenta that vary with :math:`k`.

    Here :math:`\alpha` is :math:`\alpha_k` and :math:`\beta` is :math:`\beta_{k-1}`.  At :math:`k=0` give the first direction
    :math:`z_0`: then :math:`x_{-1}=x_0`.
    """
    polyak = x - eta * g + inertia * (x - x_prev)
    if first is None:
        return equivalence("SHB = Polyak's form, k >= 1", x - alpha * search_direction(step=alpha_prev), polyak)
    return equivalence("SHB = Polyak's form, k = 0", x - alpha * first, polyak.subs({x_prev: x, g: g_0}))


def stochastic_subgradient(*, weight: Expr = 1) -> Equivalence:
    r"""At :math:`\beta=1` the direction is the fresh subgradient: the method is projected SGD."""
    return equivalence("z_k = g_k at beta = 1", search_direction().subs(beta, weight), g)


def ipiano(*, stepsize: Expr = alpha * beta, inertia: Expr = 1 - beta) -> Equivalence:
    r"""iPiano projects :math:`x_k-s\nabla f(x_k)+\tau(x_k-x_{k-1})`; here :math:`s=\alpha\beta`, :math:`\tau=1-\beta`.

    The prox of an indicator is the projection whatever the stepsize, so equal arguments give equal iterates.
    """
    argument = x - stepsize * g + inertia * (x - x_prev)
    return equivalence("argument of the projection = iPiano's", x - alpha * search_direction(), argument)


def pytorch(*, momentum: Expr = 1 - beta, dampening: Expr = 1 - beta, lr: Expr = alpha, scale: Expr = 1) -> Equivalence:
    r"""One step of :math:`b_k=\mu b_{k-1}+(1-\tau)g_k`, :math:`x_{k+1}=x_k-\ell b_k` is one of SHB when :math:`z_k=c\,b_k`.

    Dampening :math:`\tau=1-\beta` with :math:`\ell=\alpha,c=1`, or :math:`\tau=0` with :math:`\ell=\alpha\beta,c=\beta`; both
    have momentum :math:`\mu=1-\beta`.  The residual joins the two lines, weighted by independent symbols.
    """
    b = momentum * buffer_prev + (1 - dampening) * g
    direction = beta * g + (1 - beta) * scale * buffer_prev - scale * b
    iterate = lr * buffer - alpha * scale * buffer
    return equivalence("c b_k = z_k and lr b_k = alpha z_k, given c b_{k-1} = z_{k-1}", direction + y * iterate, 0)


def pytorch_start(*, scale: Expr, first: Expr) -> Equivalence:
    r"""The first buffer is :math:`b_0=g_0`, without dampening, so :math:`z_0=c\,g_0`."""
    return equivalence("z_0 = c b_0 with b_0 = g_0", scale * g_0, first)


def outset(*, first: Expr = beta * g_0) -> Equivalence:
    r""":math:`x_{-1}=x_0` in line (b) at :math:`k=0` says :math:`z_0=\beta g_0`; printed is :math:`z_0=g_0`."""
    return equivalence("z_0 from line (b) with x_{-1} = x_0", search_direction().subs({x_prev: x, g: g_0}), first)


def extrapolation(*, first: Expr | None = None, shift: Expr | None = None) -> Equivalence:
    r"""The extrapolated point walks along the fresh subgradients alone,

    .. math:: \bar x_{k+1}=\bar x_k-\alpha g_k-r_k/\beta,\qquad r_k=x_k-\alpha z_k-x_{k+1}\in N_{\mathcal X}(x_{k+1}),

    so without constraints it is SGD with subgradients taken at :math:`x_k`.  With ``first`` given the claim is the one of
    :math:`k=0`, :math:`\bar x_1=\bar x_0-\alpha g_0` without constraints, where :math:`\bar x_0=x_0`.
    """
    if first is not None:
        after = x - alpha * first
        return equivalence("x_bar_1 = x_0 - alpha g_0", after + (1 - beta) / beta * (after - x), x - alpha * g_0)
    after = x - alpha * search_direction() - normal
    bar_next = after + (1 - beta) / beta * (after - x)
    bar = x + (1 - beta) / beta * (x - x_prev)
    moved = alpha * g + normal / beta if shift is None else shift
    return equivalence("x_bar_{k+1} = x_bar_k - alpha g_k - r_k/beta", bar_next, bar - moved)


def displacement(*, xi: Expr = (1 - beta) / nu) -> Equivalence:
    r""":math:`p_k=\frac{1-\beta}\beta(x_k-x_{k-1})=-\xi d_k` with :math:`d_k=(x_{k-1}-x_k)/\alpha` and :math:`\beta=\nu\alpha`."""
    p, d = (1 - beta) / beta * (x - x_prev), (x_prev - x) / alpha
    return equivalence("p_k = -xi d_k", p.subs(alpha, beta / nu), (-xi * d).subs(alpha, beta / nu))


def weight_of_the_past(*, first: Expr) -> Equivalence:
    r"""How much weight :math:`z_k` gives to all subgradients: :math:`m_{k+1}=\beta+(1-\beta)m_k`, from :math:`m_0=` ``first``.

    The claim is that :math:`m_k=1` for all :math:`k`; it holds if it holds at :math:`k=0` and is kept by the recursion.
    """
    step = (beta + (1 - beta) * mass).subs(mass, 1) - 1
    return equivalence("the weights of z_k add up to 1", first - 1 + y * step, 0)


PROOFS: dict[str, tuple[Check, ...]] = {
    "alg:iters:def:a": (
        Check(
            "certificate",
            "the argmin is the projection of x_k - alpha z_k",
            compact_form,
            lambda: compact_form(quadratic=1 / alpha),
            "1/alpha in place of 1/(2 alpha)",
        ),
    ),
    "alg:iters:def/reduces": (
        Check(
            "certificate",
            "without constraints line (b) is eq:SHB:unconstrained:z",
            reduction,
            lambda: equivalence("", search_direction().subs(x, x_prev - alpha * z_prev), beta * g + beta * z_prev),
            "beta in place of 1 - beta",
        ),
    ),
    "eq:SHB:unconstrained/heavy-ball": (
        Check(
            "certificate",
            "eta_k and lambda_k give Polyak's form for k >= 1, stepsizes may vary",
            heavy_ball,
            lambda: heavy_ball(inertia=1 - beta),
            "lambda_k without the ratio of stepsizes",
        ),
        Check(
            "certificate",
            "at k = 0 with z_0 = beta g_0 and x_{-1} = x_0",
            lambda: heavy_ball(first=beta * g_0),
            lambda: heavy_ball(first=g_0),
            "the printed start z_0 = g_0",
        ),
    ),
    "alg:iters:def/iPiano": (
        Check(
            "certificate",
            "iPiano with stepsize alpha beta and inertia 1 - beta",
            ipiano,
            lambda: ipiano(stepsize=alpha),
            "stepsize alpha",
        ),
    ),
    "alg:iters:def/start": (
        Check(
            "certificate", "x_{-1} = x_0 says z_0 = beta g_0", outset, lambda: outset(first=g_0), "z_0 = g_0 as printed"
        ),
        Check(
            "certificate",
            "with z_0 = beta g_0 also the first step is x_bar_1 = x_bar_0 - alpha g_0",
            lambda: extrapolation(first=beta * g_0),
            lambda: extrapolation(first=g_0),
            "z_0 = g_0 as printed",
        ),
    ),
    "alg:iters:def/p-and-d": (
        Check("certificate", "p_k = -xi d_k", displacement, lambda: displacement(xi=1 / nu), "xi = 1/nu"),
    ),
    "lem:xdiff:non-smooth/x_bar": (
        Check(
            "certificate",
            "x_bar_{k+1} = x_bar_k - alpha g_k - r_k/beta with r_k normal to X",
            extrapolation,
            lambda: extrapolation(shift=alpha * g + normal),
            "r_k in place of r_k/beta",
        ),
    ),
}
"""Certificates by label of the paper; the ledger joins them to its entries."""
