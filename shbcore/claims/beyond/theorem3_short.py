r"""A shorter smooth half: Theorem 3 from one envelope step and the energy lemma, for both starts, on :math:`\mathbb
R^n`.

For smooth :math:`f` on the whole space the envelope has upper curvature :math:`\rho/(1+\rho\lambda)`: the candidate
moves with the
step.  With the energy lemma (B) in place of :math:`\varphi_k`, :math:`W_k` and Appendix C,

.. math:: V_k=F_\lambda(\bar x_k)+c_1f(x_k)+m_1\|d_k\|^2,\quad c_1=\frac{\rho\xi^2/\lambda}{1-\rho\alpha/2},\quad
    m_1=\frac{c_1\xi}2+\frac{\alpha\rho\xi^2}\lambda

falls given the past for :math:`\rho\alpha\le\frac32`.  Theorem 3's first display follows as printed for
:math:`z_0=\beta g_0` and for the
printed :math:`z_0=g_0`, for :math:`k^*\in\{-1,\dots,K-1\}` and for :math:`k^*\in\{0,\dots,K\}`, with room to spare:
:func:`theorem_3_better`.  Setting: :math:`X=\mathbb R^n`, :math:`f` with :math:`\rho`-Lipschitz gradient,
:math:`f^\star>-\infty`, (A1),
(A3), :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`, :math:`\nu=1/\alpha_0`; :math:`N=\sqrt{K+1}`; :math:`\bar
x_{-1}=\bar x_0=x_0`.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import ELEVEN, HALF, PAST, TENTH, moved, stationary
from shbcore.claims.beyond.energy import energy_lemma
from shbcore.claims.nonsmooth_proofs import Delta, N, alpha_0, below, f_0, f_star, g_0, x_0, x_hat_0
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, Expression, Vector, scalar
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_between, nonnegative, positive
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

r, a = sp.symbols("r a")
THREE_HALVES, QUARTER = sp.Rational(3, 2), sp.Rational(1, 4)
SPACE = Domain(
    *(between(r, 0, THREE_HALVES), positive(nu), between(beta, 0, 1), nonnegative(sigma2), defined(alpha, beta / nu)),
    *(defined(rho, r / alpha), inverse_between(lam, 3 * rho / 2, 2 * rho), defined(xi, constants.xi(beta=beta, nu=nu))),
)
r""":math:`\rho\alpha\in(0,\frac32]`, :math:`\beta\in(0,1]`, :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`."""


def range_3(bound: Any = QUARTER) -> Domain:
    r""":math:`\alpha_0\in(0,\text{bound}/\rho]`, :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`, :math:`\nu=1/\alpha_0`,
    :math:`K\ge0`."""
    return Domain(
        *(between(a, 0, bound), positive(rho), at_least(N, 1), inverse_between(lam, 3 * rho / 2, 2 * rho)),
        *(nonnegative(Delta), nonnegative(sigma2), defined(alpha_0, a / rho), defined(alpha, alpha_0 / N)),
        *(defined(nu, 1 / alpha_0), defined(beta, 1 / N), defined(xi, constants.xi(beta=beta, nu=nu))),
    )


PRINTED = range_3()
C = constants.c_theorem_3(weak_convexity=rho, envelope=lam)
BEND = rho / (1 + rho * lam)
r"""The upper curvature of the envelope."""
slope, hat_slope = f.slope(x_k), f.slope(x_hat)
turn = (slope - grad_env).named(r"\nabla f(x_k)-\nabla F_\lambda(\bar x_k)")
x_free = (x_bar - alpha * g_k).named(r"\bar x_k-\alpha g_k")
SPREAD = alpha * rho * xi**2 / lam
STEP_NOISE = BEND / 2 * alpha**2


def moved_candidate(bend: Any = 1) -> Certificate:
    r"""Pathwise: :math:`F_\lambda(\bar x_k-\alpha g_k)\le F_\lambda(\bar x_k)-\alpha\langle\nabla F_\lambda(\bar
    x_k),g_k\rangle
    +\frac{\rho}{2(1+\rho\lambda)}\alpha^2\|g_k\|^2`, with the candidate :math:`\hat
    x_k-\frac\alpha{1+\rho\lambda}g_k`."""
    tau = 1 / (1 + rho * lam)
    candidate = (x_hat - tau * alpha * g_k).named(r"\hat x_k-\tfrac{\alpha}{1+\rho\lambda}g_k")
    terms = [
        1 * envelope_infimum(f, F_env, x_free, candidate),
        1 * smooth_above(f, x_hat, candidate),
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        -tau * alpha * stationary(f, x_hat, grad_env, g_k),
    ]
    right = F_env(x_bar) - alpha * (grad_env @ g_k) + bend * BEND / 2 * alpha**2 * g_k**2
    return Certificate(F_env(x_free) <= right, terms, PATHWISE, "beyond/short/candidate", domain=SPACE)


def turned(share: Any = 1) -> Certificate:
    r"""Pathwise: :math:`\|\nabla f(x_k)-\nabla F_\lambda(\bar x_k)\|^2\le\rho^2\|x_k-\hat x_k\|^2`, since
    :math:`\nabla F_\lambda(\bar x_k)=\nabla f(\hat x_k)` on the whole space."""
    terms = [
        1 * lipschitz_gradient(f, x_k, x_hat),
        1 * stationary(f, x_hat, grad_env, 2 * slope - hat_slope - grad_env),
    ]
    right = share * rho**2 * (x_k - x_hat) ** 2
    return Certificate(turn**2 <= right, terms, PATHWISE, "beyond/short/turn", domain=SPACE)


def envelope_fall(fall: Any = 1, noise: Any = 1) -> Certificate:
    r"""Given :math:`\mathcal F_{k-1}`: :math:`\mathrm EF_\lambda(\bar x_{k+1})\le F_\lambda(\bar x_k)-\frac\alpha
    c\|\nabla F_\lambda(\bar x_k)\|^2
    +\frac{\alpha\rho\xi^2}\lambda\|d_k\|^2+\frac{\rho}{1+\rho\lambda}\frac{\alpha^2\sigma^2}2`,
    :math:`c=\frac2{2-3\rho\lambda}`."""
    q = rho * lam
    weight = alpha * (1 - BEND * alpha) / (2 * q) + BEND * alpha**2 / 2
    terms = [
        1 * moved_candidate().hypothesis("the moved candidate"),
        BEND / 2 * alpha**2 * variance(g_k, slope),
        alpha * (1 - BEND * alpha) * young((-1 * grad_env).named(r"-\nabla F_\lambda(\bar x_k)"), turn, 1 / q),
        weight * turned().hypothesis("the gradient turns little"),
        weight * rho**2 * square((lam * grad_env - xi * d_k).named(r"\lambda\nabla F_\lambda(\bar x_k)-\xi d_k")),
        -alpha * BEND * alpha / 2 * (1 - q) * (1 - 2 * q) * square(grad_env),
        (SPREAD - 2 * weight * rho**2 * xi**2) * square(d_k),
    ]
    right = F_env(x_bar) - fall * alpha / C * grad_env**2 + SPREAD * d_k**2 + noise * STEP_NOISE * sigma2
    return Certificate(F_env(x_free) <= right, terms, PAST, "beyond/short/envelope", domain=SPACE)


def envelope_fall_next(fall: Any = 1) -> Certificate:
    r"""The same at :math:`\bar x_{k+1}`: on the whole space :math:`x_{k+1}=x_k-\alpha z_k`, so :math:`\bar
    x_{k+1}=\bar x_k-\alpha g_k`."""
    same = F_env(x_bar_next).equals(F_env(x_free))
    whole = given(
        "no constraint", same, r"\bar x_{k+1}=\bar x_k-\alpha g_k", "alg:iters:def:a", "the projection is the identity"
    )
    right = F_env(x_bar) - fall * alpha / C * grad_env**2 + SPREAD * d_k**2 + STEP_NOISE * sigma2
    terms = [1 * envelope_fall().hypothesis("the envelope"), 1 * whole]
    return Certificate(F_env(x_bar_next) <= right, terms, PAST, "beyond/short/envelope", domain=SPACE)


def free_step(factor: Any = 1) -> Certificate:
    r"""On the whole space, with :math:`d_{k+1}=z_k`: :math:`x_k-\frac1\nu d_{k+1}=\bar x_k-\alpha g_k`, and the left
    side is
    :math:`\bar x_{k+1}`."""
    bar = (x_k - factor * (beta * g_k + (1 - beta) * d_k) / nu).named(r"x_k-\tfrac1\nu z_k")
    return Certificate(((bar - x_free) ** 2).equals(0), (), PATHWISE, "beyond/short/free", domain=SPACE)


c_1 = rho * xi**2 / lam / (1 - rho * alpha / 2)
m_1 = c_1 * xi / 2 + SPREAD
NOISE = STEP_NOISE * sigma2 + c_1 * (1 + beta) / 2 * nu * alpha**2 * sigma2


def lyapunov_s(bar: Vector, x: Vector, d: Vector) -> Expression:
    r""":math:`V=F_\lambda(\bar x)+c_1f(x)+m_1\|d\|^2`."""
    value: Expression = F_env(bar) + c_1 * f(x) + m_1 * d**2
    return value


V, V_NEXT = lyapunov_s(x_bar, x_k, d_k), lyapunov_s(x_bar_next, x_next, d_next)


def falls_short(noise: Any = 1) -> Certificate:
    r"""Given :math:`\mathcal F_{k-1}`, :math:`\rho\alpha\le\frac32`: :math:`\mathrm E[V_{k+1}]\le V_k-\frac\alpha
    c\|\nabla F_\lambda(\bar x_k)\|^2
    +\frac{\alpha^2\sigma^2}2\bigl(\frac\rho{1+\rho\lambda}+c_1\nu(1+\beta)\bigr)`."""
    terms = [1 * envelope_fall_next().hypothesis("the envelope"), c_1 * energy_lemma().hypothesis("(B)")]
    claim = V_NEXT <= V - alpha / C * grad_env**2 + noise * NOISE
    return Certificate(claim, terms, PAST, "beyond/short/falls", domain=SPACE)


# --- both ends of the sum

G_0 = ((x_0 - x_hat_0) / lam).named(r"\nabla F_\lambda(x_0)")
slope_0 = f.slope(x_0)
x_1 = (x_0 - alpha * g_0).named("x_1")
x_bar_1 = (x_0 - g_0 / nu).named(r"\bar x_1")
V_0, V_1 = lyapunov_s(x_0, x_0, Vector({})), lyapunov_s(x_bar_1, x_1, g_0)
FIRST_NOISE = (BEND / (2 * nu**2) + c_1 * (1 + beta) / (2 * nu)) * sigma2
SUM_FROM_0 = scalar(r"\sum_{k=0}^{K-1}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
SUM_FROM_1 = scalar(r"\sum_{k=1}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
SUM_SHORT = scalar(r"\sum_{k=1}^{K-1}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")


def last_term(weight: Any = 1 + c_1) -> Certificate:
    r""":math:`(1+c_1)f^\star\le V_k`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        c_1 * below(x_k),
        m_1 * square(d_k),
    ]
    return Certificate(weight * f_star <= V, terms, PATHWISE, "beyond/short/last", domain=SPACE)


def start_gap(share: Any = 1) -> Certificate:
    r""":math:`F_\lambda(x_0)+\frac\lambda2(1-\rho\lambda)\|\nabla F_\lambda(x_0)\|^2\le f(x_0)`."""
    terms = [1 * envelope_attained(f, F_env, x_0, x_hat_0), 1 * prox_strong_convexity(f, x_0, x_hat_0, x_0)]
    left = F_env(x_0) + share * lam / 2 * (1 - rho * lam) * G_0**2
    return Certificate(left <= f_0, terms, PATHWISE, "beyond/short/start", domain=SPACE)


def first_step(copies: int = 2, share: Any = 1, domain: Domain = PRINTED) -> Certificate:
    r"""The printed :math:`z_0=g_0`, where :math:`\bar x_1=x_0-\frac1\nu g_0`, :math:`d_1=g_0`; with one or two copies
    of the gradient at
    :math:`x_0` (:math:`k^*\in\{0..K\}`, or :math:`\{-1..K-1\}`):
    :math:`\mathrm EV_1+\text{copies}\cdot\frac\alpha c\|\nabla F_\lambda(x_0)\|^2\le(1+c_1)f(x_0)
    +\bigl(\frac\rho{2(1+\rho\lambda)\nu^2}+\frac{c_1(1+\beta)}{2\nu}\bigr)\sigma^2`."""
    tau, q = 1 / (1 + rho * lam), rho * lam
    candidate = (x_hat_0 - tau / nu * g_0).named(r"\hat x_0-\tfrac{1}{(1+\rho\lambda)\nu}g_0")
    hat = f.slope(x_hat_0)
    weight = BEND / (2 * nu**2) + c_1 * xi / 2
    pull = 1 / nu - 2 * weight
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, candidate),
        1 * smooth_above(f, x_hat_0, candidate),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        -tau / nu * stationary(f, x_hat_0, G_0, g_0),
        1 * start_gap().hypothesis("the gap at the start"),
        c_1 * smooth_above(f, x_0, x_1),
        (weight + c_1 * alpha) * variance(g_0, slope_0),
        pull * young((-1 * G_0).named(r"-\nabla F_\lambda(x_0)"), (slope_0 - G_0).named("e_0"), 1 / q),
        (weight + pull / (2 * q)) * lipschitz_gradient(f, x_0, x_hat_0),
        (weight + pull / (2 * q)) * stationary(f, x_hat_0, G_0, 2 * slope_0 - hat - G_0),
        (lam / 2 * (1 - q) + (1 - q) / nu - weight * (1 - q) ** 2 - copies * alpha / C) * square(G_0),
    ]
    right = (1 + c_1) * f_0 + share * FIRST_NOISE
    claim = V_1 + copies * alpha / C * G_0**2 <= right
    return Certificate(claim, terms, TRIVIAL, "beyond/short/first-step", domain=domain)


def bound_short(gap: Any = f_0 - f_star, noise: Any = NOISE, first: Any = 0, steps: Any = N**2) -> Any:
    r""":math:`\frac c{\alpha(K+1)}\bigl((1+c_1)\Delta+\text{first}+\text{steps}\cdot\text{noise}\bigr)`."""
    return C / (alpha * N**2) * ((1 + c_1) * gap + first + steps * noise)


def average(kind: str, share: Any = 1, domain: Domain = PRINTED) -> Certificate:
    r"""The average of :math:`\mathrm E\|\nabla F_\lambda(\bar x_{k^*})\|^2`, for one of four kinds: start ``beta`` or
    ``printed``, and
    :math:`k^*` uniform on ``0..K`` or on ``-1..K-1`` (the second with the printed start for :math:`K\ge1`).
    Joined by: :func:`falls_short` over the steps named in ``telescoped``."""
    part, end = C / (alpha * N**2), E(V)

    def steps(start: Any, total: Any, count: Any, why: str) -> Any:
        return telescoped(start, end, total, weight=alpha / C, noise=NOISE, steps=count, why=why)

    terms = [part * last_term().hypothesis("the last term")]
    room = lam / 2 * (1 - rho * lam)
    if kind == "beta, 0..K":
        total = scalar(r"\sum_{k=0}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
        terms += [part * steps(V_0, total, N**2, "k = 0..K"), part * start_gap().hypothesis()]
        terms += [part * room * square(G_0)]
        left, right = total, bound_short()
    elif kind == "beta, -1..K-1":
        terms += [part * steps(V_0, SUM_FROM_0, N**2 - 1, "k = 0..K-1"), part * start_gap().hypothesis()]
        terms += [part * (room - alpha / C) * square(G_0)]
        left, right = SUM_FROM_0 + G_0**2, bound_short(steps=N**2 - 1)
    elif kind == "printed, 0..K":
        terms += [part * steps(E(V_1), SUM_FROM_1, N**2 - 1, "k = 1..K")]
        terms += [part * first_step(1, domain=domain).hypothesis("the first step")]
        left, right = SUM_FROM_1 + G_0**2, bound_short(first=FIRST_NOISE, steps=N**2 - 1)
    else:
        terms += [part * steps(E(V_1), SUM_SHORT, N**2 - 2, "k = 1..K-1")]
        terms += [part * first_step(2, domain=domain).hypothesis("the first step"), part * number(NOISE)]
        left, right = SUM_SHORT + 2 * G_0**2, bound_short(first=FIRST_NOISE, steps=N**2 - 1)
    return Certificate(share * right >= left / N**2, terms, TRIVIAL, f"beyond/short/average ({kind})", domain=domain)


KINDS = ("beta, 0..K", "beta, -1..K-1", "printed, 0..K", "printed, -1..K-1")


def averages(share: Any = 1, domain: Domain = PRINTED) -> Steps:
    r"""All four kinds, on :math:`\alpha_0\le\frac1{4\rho}`."""
    return Steps([average(kind, share, domain) for kind in KINDS])


def printed_bound(gap: Any = Delta, factor: Any = 8, lead: Any = 1, square_weight: Any = 2) -> Any:
    r"""Theorem 3's first display: :math:`c\,\bigl((1+2\frac{\alpha_0^2}{\lambda^2})\Delta+(1+8\frac{\alpha_0}\lambda)
    \frac{\sigma^2\alpha_0^2}{2\lambda}\bigr)/(\alpha_0\sqrt{K+1})`, with its constants as arguments."""
    y = alpha_0 / lam
    noise = (lead + factor * y) * sigma2 * alpha_0**2 / (2 * lam)
    return C * ((1 + square_weight * y**2) * gap + noise) / (alpha_0 * N)


def theorem_3_printed(share: Any = 1) -> Steps:
    r"""The bounds of :func:`averages` lie below Theorem 3's first display, :math:`\alpha_0\le\frac1{4\rho}`: it is
    true as printed for both
    starts and both ranges of :math:`k^*`."""
    printed = bound_short(Delta, first=FIRST_NOISE, steps=N**2 - 1)
    beta_ = bound_short(Delta)
    rooms = [share * printed_bound() - bound for bound in (printed, beta_)]
    return Steps([sign(room, "beyond/short/printed", domain=PRINTED) for room in rooms])


TWICE = range_3(HALF)


def theorem_3_better(lead: Any = sp.Rational(2, 5), factor: Any = 1) -> Steps:
    r"""Twice the range, :math:`\alpha_0\le\frac1{2\rho}`, and smaller constants, for both ranges of :math:`k^*`: with
    :math:`z_0=\beta g_0`
    :math:`(1+\frac{\alpha_0^2}{\lambda^2})\Delta+(\frac25+\frac{\alpha_0}\lambda)\frac{\sigma^2\alpha_0^2}{2\lambda}`
    in the numerator,
    with :math:`z_0=g_0` twice that noise."""
    small = {"square_weight": 1}
    printed = bound_short(Delta, first=FIRST_NOISE, steps=N**2 - 1)
    rooms = [
        printed_bound(lead=lead, factor=factor, **small) - bound_short(Delta),
        printed_bound(lead=2 * lead, factor=2 * factor, **small) - printed,
    ]
    below_ = [sign(room, "beyond/short/better", domain=TWICE) for room in rooms]
    return Steps([*(average(kind, 1, TWICE) for kind in KINDS), *below_])


# --- constrained sets: Theorem 3's first display from (A) and (B)

C_WIDE = 2 / (3 - 4 * rho * lam)
q_ = rho * lam
KAPPA = 1 / (lam * nu)
WIDE_D = alpha * xi**2 / lam**2 * (2 * q_ - HALF)


def envelope_wide(fall: Any = 1, noise: Any = 1) -> Certificate:
    r"""(A) for :math:`\lambda^{-1}\in(\frac32\rho,2\rho]` and any closed convex :math:`X`, given :math:`\mathcal
    F_{k-1}`:
    :math:`\mathrm E[F_\lambda(\bar x_{k+1})+\kappa f(x_{k+1})]\le F_\lambda(\bar x_k)+\kappa f(x_k)
    -\alpha(\frac32-2\rho\lambda)\|\nabla F_\lambda(\bar
    x_k)\|^2+\frac{\alpha\xi^2}{\lambda^2}(2\rho\lambda-\frac12)\|d_k\|^2
    +\frac{\kappa\rho\alpha^2}2\mathrm E\|d_{k+1}\|^2+\frac{\alpha^2\sigma^2}{2\lambda}`."""
    from shbcore.claims.beyond.energy import envelope_kept, noise_split

    near = (lam * grad_env - xi * d_k).named(r"\lambda\nabla F_\lambda(\bar x_k)-\xi d_k")
    terms = [
        1 * envelope_kept().hypothesis("what is kept"),
        alpha**2 / (2 * lam) * noise_split().hypothesis("the noise split off"),
        alpha**2 / (2 * lam) * variance(g_k, slope),
        alpha / lam * weak_convexity(f, x_k, x_hat),
        alpha / lam * prox_strong_convexity(f, x_bar, x_hat, x_k),
        alpha / (2 * lam) * (2 * rho - 1 / lam) * square(near),
        KAPPA * smooth_above(f, x_k, x_next),
    ]
    right = (
        F_env(x_bar)
        + KAPPA * f(x_k)
        - fall * alpha * (THREE_HALVES - 2 * q_) * grad_env**2
        + WIDE_D * d_k**2
        + KAPPA * rho * alpha**2 / 2 * d_next**2
        + noise * alpha**2 * sigma2 / (2 * lam)
    )
    claim = F_env(x_bar_next) + KAPPA * f(x_next) <= right
    return Certificate(claim, terms, PAST, "beyond/short/A-wide", domain=SPACE)


c_2 = (2 * WIDE_D / alpha + KAPPA * rho * alpha) / (2 - rho * alpha)
m_2 = c_2 * xi / 2 + WIDE_D
NOISE_2 = alpha**2 * sigma2 / (2 * lam) * (1 + c_2 * lam * nu * (1 + beta))


def lyapunov_w(bar: Vector, x: Vector, d: Vector) -> Expression:
    r""":math:`U=F_\lambda(\bar x)+(\kappa+c_2)f(x)+m_2\|d\|^2`."""
    value: Expression = F_env(bar) + (KAPPA + c_2) * f(x) + m_2 * d**2
    return value


U_2, U_2_NEXT = lyapunov_w(x_bar, x_k, d_k), lyapunov_w(x_bar_next, x_next, d_next)
U_2_START = lyapunov_w(x_0, x_0, Vector({}))


def falls_wide(noise: Any = 1) -> Certificate:
    r"""(A) and :math:`c_2` times (B) on the range of Theorem 3, any closed convex :math:`X`."""
    terms = [1 * envelope_wide().hypothesis("(A)"), c_2 * energy_lemma().hypothesis("(B)")]
    claim = U_2_NEXT <= U_2 - alpha / C_WIDE * grad_env**2 + noise * NOISE_2
    return Certificate(claim, terms, PAST, "beyond/short/falls-wide", domain=SPACE)


def last_wide(weight: Any = 1 + KAPPA + c_2) -> Certificate:
    r""":math:`(1+\kappa+c_2)f^\star\le U_k`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        (KAPPA + c_2) * below(x_k),
        m_2 * square(d_k),
    ]
    return Certificate(weight * f_star <= U_2, terms, PATHWISE, "beyond/short/last-wide", domain=SPACE)


def average_wide(kind: str, share: Any = 1) -> Certificate:
    r"""Any closed convex :math:`X`, :math:`z_0=\beta g_0`, :math:`\alpha_0\le\frac1{4\rho}`, both ranges of
    :math:`k^*`:
    :math:`\frac{c'}{\alpha(K+1)}\bigl((1+\kappa+c_2)\Delta+(K+1)\cdot\text{noise}\bigr)`,
    :math:`c'=\frac2{3-4\rho\lambda}`."""
    part, extra = C_WIDE / (alpha * N**2), kind != "beta, 0..K"
    total = SUM_FROM_0 if extra else scalar(r"\sum_{k=0}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
    count = N**2 - 1 if extra else N**2
    steps = telescoped(U_2_START, E(U_2), total, weight=alpha / C_WIDE, noise=NOISE_2, steps=count, why="each step")
    left = total + G_0**2 if extra else total
    terms = [
        part * steps,
        part * last_wide().hypothesis("the last term"),
        part * start_gap().hypothesis("the gap at the start"),
        part * (lam / 2 * (1 - q_) - (alpha / C_WIDE if extra else 0)) * square(G_0),
        part * (N**2 - count) * number(NOISE_2),
    ]
    right = part * ((1 + KAPPA + c_2) * (f_0 - f_star) + N**2 * NOISE_2)
    return Certificate(share * right >= left / N**2, terms, TRIVIAL, "beyond/short/average-wide", domain=PRINTED)


def averages_wide(share: Any = 1) -> Steps:
    r"""Both ranges of :math:`k^*`."""
    return Steps([average_wide(kind, share) for kind in KINDS[:2]])


def theorem_3_constrained(share: Any = sp.Rational(3, 5)) -> Certificate:
    r"""Theorem 3's first display holds for every closed convex :math:`X` with :math:`z_0=\beta g_0`, even with three
    fifths of
    its right side."""
    mine = C_WIDE / (alpha * N**2) * ((1 + KAPPA + c_2) * Delta + N**2 * NOISE_2)
    return sign(share * printed_bound() - mine, "beyond/short/constrained", domain=PRINTED)


def summed_steps(noise: Any = 1) -> Steps:
    r"""The steps that the averages add up hold on the ranges of the averages."""
    parts = [moved(falls_short(noise), TWICE), moved(falls_wide(noise), PRINTED)]
    return Steps(parts)


def proofs() -> dict[str, list[Proof]]:
    """The chain, in order."""
    less, up = TENTH, ELEVEN
    head = "beyond/short/"
    fit = sp.Rational(9, 10)
    return {
        f"{head}candidate": [proof_of("pathwise", moved_candidate, "nine tenths of the bend", bend=less)],
        f"{head}turn": [proof_of("pathwise", turned, "nine tenths", share=less)],
        f"{head}envelope": [
            proof_of("given F_{k-1}", envelope_fall, "nine tenths of the noise", noise=less),
            proof_of("given F_{k-1}", envelope_fall_next, "eleven tenths of the fall", fall=up),
        ],
        f"{head}free": [proof_of("identity", free_step, "nine tenths", factor=less)],
        f"{head}falls": [proof_of("with (B)", falls_short, "nine tenths of the noise", noise=less)],
        f"{head}last": [proof_of("the last term", last_term, "eleven tenths", weight=up * (1 + c_1))],
        f"{head}start": [proof_of("strong convexity", start_gap, "eleven tenths", share=up)],
        f"{head}first-step": [
            proof_of("two copies, printed start", first_step, "nine tenths of the noise", share=less),
            proof_of(
                "one copy, printed start",
                lambda **change: first_step(1, **change),
                "nine tenths of the noise",
                share=less,
            ),
        ],
        f"{head}summed": [
            proof_of("the steps hold on the ranges", summed_steps, "nine tenths of the noise", noise=less)
        ],
        f"{head}average": [proof_of("four kinds", averages, "nine tenths", share=less)],
        f"{head}printed": [proof_of("as printed, both starts", theorem_3_printed, "nine tenths", share=less)],
        f"{head}better": [proof_of("twice the range", theorem_3_better, "9/25 for 2/5", lead=fit * sp.Rational(2, 5))],
        f"{head}A-wide": [
            proof_of("(A), wider lambda", envelope_wide, "eleven tenths of the fall", fall=up),
            proof_of("(A), wider lambda", envelope_wide, "nine tenths of the noise", noise=less),
        ],
        f"{head}falls-wide": [proof_of("(A) + c (B)", falls_wide, "nine tenths of the noise", noise=less)],
        f"{head}last-wide": [proof_of("the last term", last_wide, "eleven tenths", weight=up * (1 + KAPPA + c_2))],
        f"{head}average-wide": [proof_of("both ranges of k*", averages_wide, "nine tenths", share=less)],
        f"{head}constrained": [
            proof_of("three fifths of it, any X", theorem_3_constrained, "27/50", share=less * sp.Rational(3, 5))
        ],
    }


PROOFS = proofs()

if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
