r"""Any schedule: stepsizes :math:`\alpha_k` and momentum :math:`\beta_k`, as in every training script.

.. math:: z_k=\beta_kg_k+(1-\beta_k)d_k,\qquad x_{k+1}=\Pi_X(x_k-\alpha_kz_k),\qquad
d_{k+1}=\frac{x_k-x_{k+1}}{\alpha_k},\qquad d_0=0.

The analysis looks ahead (the method does not): :math:`S_k=\alpha_k+(1-\beta_{k+1})S_{k+1}`, :math:`A_k=\beta_kS_k`,
:math:`e_k=(1-\beta_k)S_k`, :math:`\bar x_k=x_k-e_kd_k`, so that :math:`\bar x_{k+1}=x_k-S_kd_{k+1}`.  For a finite
horizon
:math:`S_{K+1}\ge0` is free; for an infinite one :math:`S_k=\sum_{j\ge0}\alpha_{k+j}\prod_{i=1}^j(1-\beta_{k+i})`, if
finite.
The start :math:`z_0=\beta_0g_0`; the printed :math:`z_0=g_0` is :math:`\beta_0=1`.

Letters: ``al``, ``be``, ``S`` are :math:`\alpha_k,\beta_k,S_k`; ``before`` and ``after`` mark :math:`k-1` and
:math:`k+1`.
"""

from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import ELEVEN, HALF, PAST, TENTH, below_bound
from shbcore.proof.algebra import Function, scalar, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, identity, proof_of, sign
from shbcore.proof.hypotheses import (
    envelope_attained,
    envelope_infimum,
    given,
    nonexpansive,
    nonexpansive_pair,
    projection,
    prox_strong_convexity,
    second_moment,
    smooth_above,
    square,
    variance,
    weak_convexity,
    young,
)
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_at_least, nonnegative, positive

rho, lam, al, be, S, sigma2, L2 = sp.symbols("rho lambda alpha_k beta_k S_k sigma^2 L^2")
al_before, be_after, S_after, al_after = sp.symbols("alpha_{k-1} beta_{k+1} S_{k+1} alpha_{k+1}")
A, e, tau = be * S, (1 - be) * S, (1 - be) / be
kappa = A * S / (lam * al)
STEP = Domain(
    *(nonnegative(rho), inverse_at_least(lam, 2 * rho), positive(al), between(be, 0, 1), at_least(S, al)),
    *(nonnegative(sigma2), nonnegative(L2), positive(al_before)),
)
r""":math:`\alpha_k>0`, :math:`\beta_k\in(0,1]`, :math:`S_k\ge\alpha_k`, :math:`\lambda^{-1}\ge2\rho`: nothing else."""

f, F_env = Function("f"), Function(r"F_\lambda")
x_k, d_k = vector("x_k", -1), vector("d_k", -1)
x_prev = (x_k + al_before * d_k).named("x_{k-1}")
g_k = f.sample(x_k, "g_k")
slope = f.slope(x_k)
z_k = (be * g_k + (1 - be) * d_k).named("z_k")
d_next = vector("d_{k+1}", 0)
x_next = (x_k - al * d_next).named("x_{k+1}")
trial = (x_k - al * z_k).named(r"x_k-\alpha_kz_k")
x_bar = (x_k - e * d_k).named(r"\bar x_k")
x_bar_next = (x_k - S * d_next).named(r"\bar x_{k+1}")
x_hat = vector(r"\hat x_k", -1)
grad_env = ((x_bar - x_hat) / lam).named(r"\nabla F_\lambda(\bar x_k)")
D = (g_k - slope).named("D_k")
delta = ((d_next - (1 - be) * d_k) / be).named(r"\delta_k")
d_mean = vector("d'", -1)
x_mean = (x_k - al * d_mean).named("x'")
trial_mean = (x_k - al * (be * slope + (1 - be) * d_k)).named(r"x_k-\alpha_kz'")
f_star = scalar(r"f^\star")


def next_bar(share: Any = 1) -> Certificate:
    r""":math:`\bar x_{k+1}=x_{k+1}-e_{k+1}d_{k+1}=x_k-S_kd_{k+1}`, by :math:`S_k=\alpha_k+(1-\beta_{k+1})S_{k+1}`."""
    domain = Domain(positive(al), between(be_after, 0, 1), nonnegative(S_after), between(be, 0, 1), positive(lam)).also(
        defined(S, al + (1 - be_after) * S_after)
    )
    left = (x_next - share * (1 - be_after) * S_after * d_next).named(r"x_{k+1}-e_{k+1}d_{k+1}")
    return identity(left, x_bar_next, "beyond/schedule/bar", domain=domain)


def moved_by_delta(share: Any = 1) -> Certificate:
    r""":math:`\bar x_{k+1}=\bar x_k-A_k\delta_k`."""
    return identity(
        x_bar_next, (x_bar - share * A * delta).named(r"\bar x_k-A_k\delta_k"), "beyond/schedule/bar", domain=STEP
    )


def envelope_kept(share: Any = 1) -> Certificate:
    r"""Pathwise: :math:`F_\lambda(\bar x_{k+1})\le F_\lambda(\bar x_k)-\frac{A_k}\lambda\langle g_k,\bar x_k-\hat
    x_k\rangle
    +\frac{A_k^2}{2\lambda}(2\langle g_k,\delta_k\rangle-\|\delta_k\|^2)`; the point of :math:`X` has the weight
    :math:`\alpha_k/S_k\le1`."""
    w = al / S
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_next, x_hat),
        1 / (lam * w**2) * projection(trial, x_next, (1 - w, x_k), (w, x_hat)),
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
    ]
    right = F_env(x_bar) - A / lam * (g_k @ (x_bar - x_hat)) + share * A**2 / (2 * lam) * (2 * (g_k @ delta) - delta**2)
    return Certificate(F_env(x_bar_next) <= right, terms, PATHWISE, "beyond/schedule/kept", domain=STEP)


def noise_split(share: Any = 1) -> Certificate:
    r"""Pathwise: :math:`2\langle g_k,\delta_k\rangle-\|\delta_k\|^2\le\|D_k\|^2+2\langle\nabla
    f(x_k),\delta_k\rangle`."""
    terms = [1 * square((D - delta).named(r"D_k-\delta_k"))]
    claim = 2 * (g_k @ delta) - delta**2 <= share * D**2 + 2 * (slope @ delta)
    return Certificate(claim, terms, PATHWISE, "beyond/schedule/split", domain=STEP)


def _towards() -> list[Any]:
    r"""What bounds :math:`-\frac{A_k}\lambda\langle\nabla f(x_k),x_k-\hat x_k\rangle`."""
    return [
        A / lam * weak_convexity(f, x_k, x_hat, weak_convexity=rho),
        A / lam * prox_strong_convexity(f, x_bar, x_hat, x_k, envelope=lam, weak_convexity=rho),
        A / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat - x_k),
    ]


def envelope_step(share: Any = HALF, noise: Any = 1) -> Certificate:
    r"""(A) for any schedule, given :math:`\mathcal F_{k-1}`, with :math:`\kappa_k=A_kS_k/(\lambda\alpha_k)`:

    .. math:: \mathrm E[F_\lambda(\bar x_{k+1})+\kappa_kf(x_{k+1})]\le F_\lambda(\bar x_k)+\kappa_kf(x_k)
        -\frac{A_k}2\|\nabla F_\lambda(\bar x_k)\|^2+\frac{A_ke_k^2}{2\lambda^2}\|d_k\|^2
        +\frac{\kappa_k\rho\alpha_k^2}2\mathrm E\|d_{k+1}\|^2+\frac{A_k^2\sigma^2}{2\lambda}."""
    terms = [
        1 * envelope_kept().hypothesis("what is kept"),
        A**2 / (2 * lam) * noise_split().hypothesis("the noise split off"),
        A**2 / (2 * lam) * variance(g_k, slope, bound=sigma2),
        *_towards(),
        kappa * smooth_above(f, x_k, x_next, smoothness=rho),
    ]
    right = (
        F_env(x_bar)
        + kappa * f(x_k)
        - share * A * grad_env**2
        + A * e**2 / (2 * lam**2) * d_k**2
        + kappa * rho * al**2 / 2 * d_next**2
        + noise * A**2 * sigma2 / (2 * lam)
    )
    claim = F_env(x_bar_next) + kappa * f(x_next) <= right
    return Certificate(claim, terms, PAST, "beyond/schedule/A", domain=STEP)


def energy_lemma(noise: Any = 1) -> Certificate:
    r"""(B) for any schedule, given :math:`\mathcal F_{k-1}`, with :math:`\tau_k=(1-\beta_k)/\beta_k`:

    .. math:: \mathrm E\Bigl[f(x_{k+1})+\frac{\tau_k\alpha_k}2\|d_{k+1}\|^2\Bigr]\le
    f(x_k)+\frac{\tau_k\alpha_k}2\|d_k\|^2
        -\alpha_k\Bigl(1-\frac{\rho\alpha_k}2\Bigr)\mathrm E\|d_{k+1}\|^2+\frac{1+\beta_k}2\beta_k\alpha_k\sigma^2."""
    apart, jump = (d_next - d_mean).named("d_{k+1}-d'"), d_next - d_k
    terms = [
        1 * smooth_above(f, x_k, x_next, smoothness=rho),
        1 / (be * al) * projection(trial, x_next, (1, x_k)),
        al * be * young(D, apart, 1 / be),
        HALF / al * nonexpansive_pair(trial, x_next, trial_mean, x_mean),
        al * (1 - be) / (2 * be) * square((jump - be * D).named(r"d_{k+1}-d_k-\beta_kD_k")),
        al * be * (1 + be) / 2 * variance(g_k, slope, bound=sigma2),
    ]
    right = (
        f(x_k) + tau * al / 2 * d_k**2 - al * (1 - rho * al / 2) * d_next**2 + noise * be * al * (1 + be) / 2 * sigma2
    )
    claim = f(x_next) + tau * al / 2 * d_next**2 <= right
    return Certificate(claim, terms, PAST, "beyond/schedule/B", domain=STEP)


# --- the general step: c_k, and what is left for the next one

c_k, drop, spare = sp.symbols("c_k q r")
GENERAL = STEP.also(nonnegative(c_k), nonnegative(drop), nonnegative(spare))
LEFT_D = c_k * al * (tau / 2 + 1 - rho * al / 2) - kappa * rho * al**2 / 2
r"""What a step leaves on :math:`\|d_{k+1}\|^2`; it must be at least the next step's :math:`m_{k+1}`."""


def m_of(c: Any, a: Any, b: Any, s: Any) -> Any:
    r""":math:`m_k=\frac{A_ke_k^2}{2\lambda^2}+\frac{c_k\tau_k\alpha_k}2`."""
    return b * s * ((1 - b) * s) ** 2 / (2 * lam**2) + c * (1 - b) / b * a / 2


M_K = m_of(c_k, al, be, S)
NOISE = A**2 * sigma2 / (2 * lam) + c_k * be * al * (1 + be) / 2 * sigma2


def falls(noise: Any = 1) -> Certificate:
    r"""(A) plus :math:`c_k` times (B), for every :math:`c_k\ge0`.  With :math:`U_k=F_\lambda(\bar
    x_k)+w_k(f(x_k)-f^\star)+m_k\|d_k\|^2`,
    :math:`w_k=\kappa_k+c_k`, and any :math:`w_{k+1}=w_k-q`, :math:`m_{k+1}=`:data:`LEFT_D` :math:`-r` with
    :math:`q,r\ge0`:
    :math:`\mathrm E[U_{k+1}|\mathcal F_{k-1}]\le U_k-\frac{A_k}2\|\nabla F_\lambda(\bar x_k)\|^2
    +\sigma^2\bigl(\frac{A_k^2}{2\lambda}+\frac{c_k\beta_k\alpha_k(1+\beta_k)}2\bigr)`."""
    weight = kappa + c_k
    now = F_env(x_bar) + weight * (f(x_k) - f_star) + M_K * d_k**2
    after = F_env(x_bar_next) + (weight - drop) * (f(x_next) - f_star) + (LEFT_D - spare) * d_next**2
    infimum = given("infimum", f_star <= f(x_next), "", "thrm:non-smooth:complexity", "definition of the infimum")
    terms = [
        1 * envelope_step().hypothesis("(A)"),
        c_k * energy_lemma().hypothesis("(B)"),
        drop * infimum,
        spare * square(d_next),
    ]
    claim = after <= now - A / 2 * grad_env**2 + noise * NOISE
    return Certificate(claim, terms, PAST, "beyond/schedule/falls", domain=GENERAL)


# --- classes of schedules: w_k does not increase, and m_{k+1} <= LEFT_D

p, q, s, u, t, v = sp.symbols("p q s u t v")


def after(expression: Any, **change: Any) -> Any:
    """The expression one step later: constant momentum unless said otherwise."""
    return sp.sympify(expression).subs({al: al_after, S: S_after, be: change.get("be", be)}, simultaneous=True)


def class_i(share: Any = 1) -> Steps:
    r"""(i) constant :math:`\beta`, any non-increasing :math:`\alpha`, :math:`\alpha_0\le2\beta\lambda`, with
    :math:`c_k=\frac{\alpha_k}{\beta\lambda}`.
    Slacks: :math:`\alpha_{k+1}=\beta S_{k+1}+p` (since :math:`S_{k+1}\le\alpha_{k+1}/\beta`),
    :math:`\alpha_k=\alpha_{k+1}+q`,
    :math:`2\beta\lambda=\alpha_k+t`, :math:`2\lambda\rho=1-v/(1+v)`.  Also :math:`\alpha_k-\beta S_k\ge0` passes on."""
    domain = Domain(
        *(between(be, 0, 1), positive(S_after), nonnegative(p), nonnegative(q), nonnegative(t), nonnegative(v)),
        *(defined(al_after, be * S_after + p), defined(al, al_after + q), defined(S, al + (1 - be) * S_after)),
        *(defined(lam, (al + t) / (2 * be)), defined(rho, 1 / (2 * lam * (1 + v)))),
    )
    c = share * al / (be * lam)
    w = kappa + c
    left = LEFT_D.subs(c_k, c)
    rooms = [
        al - be * S,
        S - al,
        w - after(w),
        left - after(m_of(c, al, be, S)),
        2 * al / (be * lam) - kappa - al / (be * lam),
    ]
    return Steps([sign(room, "beyond/schedule/i", domain=domain) for room in rooms])


THETA_II = rho + (1 - be) ** 2 / (be * lam)


def class_ii(share: Any = 1) -> Steps:
    r"""(ii) constant :math:`\beta`, non-increasing and log-concave (:math:`\alpha_{k+1}/\alpha_k` does not increase),
    :math:`\rho\alpha_0\le1`:
    :math:`c_k=\bigl(\rho+\frac{(1-\beta)^2}{\beta\lambda}\bigr)\alpha_k\kappa_k`, of second order.  Slacks: with the
    ratios
    :math:`S_{k+1}=h\alpha_{k+1}`, :math:`1\le h\le\frac1\beta`, and :math:`S_k=(h+u)\alpha_k`, :math:`u\ge0` (the sum
    of a log-concave
    sequence over its first term does not increase), :math:`\alpha_k=\alpha_{k+1}+q`.  That :math:`h\le1/\beta` passes
    on:
    :math:`S_k=\alpha_k+(1-\beta)S_{k+1}`."""
    h, r_ = sp.symbols("h r_")
    domain = Domain(
        *(between(be, 0, 1), nonnegative(p), positive(al_after), nonnegative(q), nonnegative(u), below_bound(r_, 1)),
        *(defined(h, (1 + p) / (1 + be * p)), defined(S_after, h * al_after), defined(al, al_after + q)),
        *(defined(S, (h + u) * al), defined(rho, r_ / al), positive(t), defined(lam, 1 / (2 * rho + t))),
    )
    bounded_ratio = Domain(between(be, 0, 1), positive(al_after), nonnegative(p), nonnegative(q)).also(
        *(defined(S_after, (1 + p) / (1 + be * p) * al_after), defined(al, al_after + q)),
        defined(S, al + (1 - be) * S_after),
    )
    c = THETA_II * al * kappa
    left = LEFT_D.subs(c_k, share * c)
    rooms = [kappa - after(kappa), share * c - after(share * c), left - after(m_of(share * c, al, be, S))]
    return Steps(
        [
            sign(al / be - S, "beyond/schedule/ii", domain=bounded_ratio),
            *(sign(room, "beyond/schedule/ii", domain=domain) for room in rooms),
        ]
    )


def class_ii_ratio(share: Any = 1) -> Certificate:
    r"""(ii): :math:`S_k/\alpha_k` does not increase.  With
    :math:`h_k=S_k/\alpha_k=1+(1-\beta)\frac{\alpha_{k+1}}{\alpha_k}h_{k+1}`,
    backwards from the end, where :math:`S_{K+1}=0` (or termwise, for an infinite horizon): larger
    :math:`\alpha_{k+1}/\alpha_k` and
    larger :math:`h_{k+1}` give larger :math:`h_k`."""
    ratio, h = sp.symbols("R h")
    domain = Domain(between(be, 0, 1), positive(ratio), positive(h), nonnegative(p), nonnegative(q))
    room = (1 + (1 - be) * (ratio + p) * (h + q)) - (1 + (1 - share * be) * ratio * h)
    return sign(room, "beyond/schedule/ii", domain=domain)


def class_iii(factor: Any = 4, room: Any = 4) -> Steps:
    r"""(iii) constant :math:`\beta`, slow increases (warm-up), drops at will:
    :math:`\alpha_{k+1}\le(1+\frac\beta2)\alpha_k`,
    :math:`\alpha_k\le\bar\alpha\le\frac{\beta\lambda}4`, with :math:`w_k=\frac{4\bar\alpha}{\beta\lambda}` constant,
    :math:`c_k=w_k-\kappa_k`.  Slacks: :math:`\alpha_{k+1}=\frac{\beta(1+\beta)}2S_{k+1}+p`,
    :math:`\alpha_k=\alpha_{k+1}/(1+\frac\beta2)+q`,
    :math:`\bar\alpha=\alpha_k+u`, :math:`\lambda=4\bar\alpha/\beta+t`.  The bound
    :math:`S_k\le\frac{2\alpha_k}{\beta(1+\beta)}` passes on."""
    top = sp.Symbol(r"\bar\alpha")
    domain = Domain(
        *(between(be, 0, 1), positive(S_after), nonnegative(p), nonnegative(q), nonnegative(u), nonnegative(t)),
        *(nonnegative(v), defined(al_after, be * (1 + be) / 2 * S_after + p), defined(al, al_after / (1 + be / 2) + q)),
        *(defined(S, al + (1 - be) * S_after), defined(top, al + u), defined(lam, room * top / be + t)),
        defined(rho, 1 / (2 * lam * (1 + v))),
    )
    w = factor * top / (be * lam)
    c = w - kappa
    left = LEFT_D.subs(c_k, c)
    rooms = [2 * al / (be * (1 + be)) - S, c, left - m_of(w - after(kappa), al_after, be, S_after)]
    return Steps([sign(one, "beyond/schedule/iii", domain=domain) for one in rooms])


nu, a_before, a_last = sp.symbols("nu alpha_{k-2} alpha_{-1}")


def class_iv(share: Any = 1) -> Steps:
    r"""(iv) :math:`\beta_k=\nu\alpha_{k-1}\le1`, :math:`\alpha` non-increasing with :math:`\alpha_{k-1}/\alpha_k`
    non-increasing,
    :math:`\rho\alpha_{-1}<\frac12`: then :math:`S_k=\frac1\nu`, :math:`A_k=\alpha_{k-1}`,
    :math:`\kappa_k=\frac{\alpha_{k-1}}{\alpha_k\lambda\nu}`, and
    :math:`c_k=C\frac{\alpha_{k-1}}{\alpha_k}`,
    :math:`C=\bigl(\frac1{\lambda^2\nu^2}+\frac{3\rho\alpha_{-1}}{\lambda\nu}\bigr)/(2-\rho\alpha_{-1})`.  At
    :math:`k=0`,
    :math:`\alpha_{-1}` is
    :math:`\beta_0/\nu`.  Slacks: :math:`\alpha_{k-1}=\alpha_k+q`, :math:`\alpha_{-1}=\alpha_{k-1}+u`,
    :math:`\frac1\nu=\alpha_{-1}+s`."""
    r_ = sp.Symbol("r_")
    domain = Domain(
        *(positive(al), positive(al_after), nonnegative(q), nonnegative(u), nonnegative(s)),
        *(defined(al_before, al + q), defined(a_last, al_before + u), defined(nu, 1 / (a_last + s))),
        *(below_bound(r_, HALF), defined(rho, r_ / a_last), positive(t), defined(lam, 1 / (2 * rho + t))),
        *(defined(be, nu * al_before), defined(be_after, nu * al), defined(S, 1 / nu), defined(S_after, 1 / nu)),
    )
    big = (share / (lam**2 * nu**2) + 3 * rho * a_last / (lam * nu)) / (2 - rho * a_last)
    c, c_after = big * al_before / al, big * al / al_after
    left = LEFT_D.subs(c_k, c)
    recursion = identity_of(S - al - (1 - be_after) * S_after, domain)
    rooms = [S - al, left - m_of(c_after, al_after, be_after, S_after)]
    return Steps([recursion, *(sign(room, "beyond/schedule/iv", domain=domain) for room in rooms)])


def class_iv_weight(share: Any = 1) -> Certificate:
    r"""(iv): :math:`w_k=(\frac1{\lambda\nu}+C)\frac{\alpha_{k-1}}{\alpha_k}` does not increase, as the ratio does not:
    :math:`\alpha_k=x`, :math:`\alpha_{k-1}=(\rho_{k+1}+q)x`, :math:`\alpha_{k+1}=x/\rho_{k+1}`."""
    ratio, x, weight = sp.symbols("R x W")
    domain = Domain(at_least(ratio, 1), nonnegative(q), positive(x), nonnegative(weight))
    room = weight * ((ratio + q) * x) / x - share * weight * x / (x / ratio)
    return sign(room, "beyond/schedule/iv", domain=domain)


def identity_of(value: Any, domain: Domain) -> Certificate:
    """The certificate that a parameter expression vanishes."""
    from shbcore.proof.algebra import constant

    return identity(constant(value), constant(0), domain=domain)


def class_i_spare(share: Any = 1) -> Steps:
    r"""(i) with twice the :math:`c_k`: what is spared is at least
    :math:`\frac{\alpha_k^2}{2\beta\lambda}\|d_{k+1}\|^2`, so that
    :math:`\sum\alpha_k^2\|d_{k+1}\|^2` is bounded too."""
    domain = class_i().parts[0].domain
    c = 2 * al / (be * lam)
    w, left = kappa + c, LEFT_D.subs(c_k, c)
    rooms = [w - after(w), left - after(m_of(c, al, be, S)) - share * al**2 / (2 * be * lam)]
    return Steps([sign(room, "beyond/schedule/i", domain=domain) for room in rooms])


def summable(share: Any = 1) -> Steps:
    r"""What almost sure convergence needs, (i) with :math:`c_k=2\alpha_k/(\beta\lambda)`:
    :math:`A_k\ge\beta\alpha_k`, and the noise of a step is at most
    :math:`\frac{\sigma^2\alpha_k^2}{2\lambda}(3+2\beta)`; (iv): :math:`A_k=\alpha_{k-1}`, and it is at most
    :math:`\sigma^2\alpha_{k-1}^2(\frac1{2\lambda}+C\nu)`."""
    domain = class_i().parts[0].domain.also(nonnegative(sigma2))
    noise = NOISE.subs(c_k, 2 * al / (be * lam))
    first = sign(share * sigma2 * al**2 * (3 + 2 * be) / (2 * lam) - noise, "beyond/schedule/sure", domain=domain)
    fourth = class_iv().parts[1].domain.also(nonnegative(sigma2))
    big = (1 / (lam**2 * nu**2) + 3 * rho * a_last / (lam * nu)) / (2 - rho * a_last)
    noise_4 = NOISE.subs(c_k, big * al_before / al)
    bound = sigma2 * al_before**2 * (1 / (2 * lam) + big * nu)
    return Steps(
        [
            sign(A - be * al, "beyond/schedule/sure", domain=domain),
            first,
            sign(share * bound - noise_4, "beyond/schedule/sure", domain=fourth),
        ]
    )


def induction_weighted(share: Any = 1) -> Steps:
    r"""Telescoping with weights: from :math:`a_{k+1}\le a_k-\frac{A_k}2e_k+n_k` to
    :math:`a_n+\sum_{k<n}\frac{A_k}2e_k\le a_0+\sum_{k<n}n_k`, by
    induction on :math:`n`; ``A n`` stands for the term :math:`\frac{A_n}2e_n`."""
    a_0, a_n, a_next, term, noise = (scalar(name) for name in ("a_0", "a_n", "a_{n+1}", r"\tfrac12A_ne_n", "n_n"))
    s_0, s_n, s_next = (scalar(rf"\sum_{{k<{n}}}\tfrac12A_ke_k") for n in ("0", "n", "n+1"))
    t_0, t_n, t_next = (scalar(rf"\sum_{{k<{n}}}n_k") for n in ("0", "n", "n+1"))
    empty = [given("empty sum", one.equals(0), "", "", "no term") for one in (s_0, t_0)]
    longer = [
        given("one more term", s_next.equals(s_n + term), "", "", "the last index is n"),
        given("one more term", t_next.equals(t_n + noise), "", "", "the last index is n"),
    ]
    one_step = given("one step", a_next <= a_n - term + noise, "", "", "the step")
    before = given("P(n)", a_n + s_n <= a_0 + t_n, "", "", "the induction hypothesis")
    none = Domain(positive(lam))
    base = Certificate(a_0 + s_0 <= a_0 + share * t_0, [1 * empty[0], -share * empty[1]], domain=none)
    terms = [1 * before, 1 * one_step, 1 * longer[0], -1 * longer[1]]
    return Steps([base, Certificate(a_next + s_next <= a_0 + share * t_next, terms, domain=none)])


def last_terms(share: Any = 1) -> Certificate:
    r""":math:`f^\star\le U_k=F_\lambda(\bar x_k)+w_k(f(x_k)-f^\star)+m_k\|d_k\|^2` for :math:`w_k,m_k\ge0`."""
    w_k, m_k = sp.symbols("w_k m_k")
    domain = STEP.also(nonnegative(w_k), nonnegative(m_k))
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        *(weight * given("infimum", f_star <= f(at), "", "", "definition") for weight, at in ((1, x_hat), (w_k, x_k))),
        m_k * square(d_k),
    ]
    claim = share * f_star <= F_env(x_bar) + w_k * (f(x_k) - f_star) + m_k * d_k**2
    return Certificate(claim, terms, PATHWISE, "beyond/schedule/last", domain=domain)


def start_terms(weight: Any = 1) -> Certificate:
    r""":math:`U_0\le(1+w_0)\Delta+f^\star`: :math:`\bar x_0=x_0`, :math:`d_0=0`; and :math:`U_{K+1}\ge f^\star`."""
    x_0 = vector("x_0")
    w_0 = sp.Symbol("w_0")
    domain = Domain(nonnegative(w_0), positive(lam))
    claim = F_env(x_0) + w_0 * (f(x_0) - f_star) <= (weight + w_0) * (f(x_0) - f_star) + f_star
    return Certificate(claim, [1 * envelope_infimum(f, F_env, x_0, x_0, envelope=lam)], domain=domain)


# --- non-smooth, (A2)


def envelope_rough(share: Any = HALF, noise: Any = 1) -> Certificate:
    r"""(A2), given :math:`\mathcal F_{k-1}`: :math:`\mathrm EF_\lambda(\bar x_{k+1})\le F_\lambda(\bar
    x_k)-\frac{A_k}2\|\nabla F_\lambda(\bar x_k)\|^2
    +\frac{A_ke_k^2}{2\lambda^2}\|d_k\|^2+\frac{A_ke_k}\lambda\langle f'(x_k),d_k\rangle+\frac{A_k^2L^2}{2\lambda}`."""
    w = al / S
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_next, x_hat),
        1 / (2 * lam * w**2) * nonexpansive(trial, x_next, (1 - w, x_k), (w, x_hat)),
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        A**2 / (2 * lam) * second_moment(g_k, bound=L2),
        *_towards(),
    ]
    right = (
        F_env(x_bar)
        - share * A * grad_env**2
        + A * e**2 / (2 * lam**2) * d_k**2
        + A * e / lam * (slope @ d_k)
        + noise * A**2 * L2 / (2 * lam)
    )
    return Certificate(F_env(x_bar_next) <= right, terms, PAST, "beyond/schedule/rough", domain=STEP)


def lengths_grow(noise: Any = 1) -> Certificate:
    r"""(A2), given :math:`\mathcal F_{k-1}`: :math:`\mathrm E\|d_{k+1}\|^2\le(1-\beta_k)^2\|d_k\|^2
    +2\beta_k(1-\beta_k)\langle f'(x_k),d_k\rangle+\beta_k^2L^2`."""
    right = (1 - be) ** 2 * d_k**2 + 2 * be * (1 - be) * (slope @ d_k) + noise * be**2 * L2
    terms = [1 / al**2 * nonexpansive(trial, x_next, (1, x_k)), be**2 * second_moment(g_k, bound=L2)]
    return Certificate(d_next**2 <= right, terms, PAST, "beyond/schedule/lengths", domain=STEP)


def lengths_bounded(bound: Any = L2) -> Certificate:
    r"""(A2), total expectation: :math:`\mathrm E\|d_k\|^2\le L^2` implies :math:`\mathrm E\|d_{k+1}\|^2\le L^2`; and
    :math:`d_0=0`."""
    from shbcore.proof.algebra import TRIVIAL
    from shbcore.proof.hypotheses import bounded, square_convexity

    terms = [
        1 / al**2 * nonexpansive(trial, x_next, (1, x_k)),
        1 * square_convexity(g_k, d_k, be),
        be * second_moment(g_k, bound=L2),
        (1 - be) * bounded(d_k, L2, total=True),
    ]
    return Certificate(d_next**2 <= bound, terms, TRIVIAL, "beyond/schedule/lengths", domain=STEP)


def any_schedule(noise: Any = 1) -> Certificate:
    r"""(A2), *any* stepsizes and any :math:`\beta_k\in(0,1]`, total expectation; the envelope alone is the Lyapunov
    function:
    :math:`\mathrm EF_\lambda(\bar x_{k+1})\le\mathrm EF_\lambda(\bar x_k)-\frac{A_k}2\mathrm E\|\nabla F_\lambda(\bar
    x_k)\|^2
    +\frac{L^2}{2\lambda}\bigl(A_k^2+2A_ke_k+\frac{A_ke_k^2}\lambda\bigr)`.  Constant :math:`\beta`: the noise is
    :math:`\frac{L^2}{2\lambda}\bigl(\frac{2-\beta}\beta A_k^2+\frac{(1-\beta)^2}{\beta^2\lambda}A_k^3\bigr)`."""
    from shbcore.proof.algebra import TRIVIAL
    from shbcore.proof.hypotheses import bounded

    terms = [
        1 * envelope_rough().hypothesis("(A), rough"),
        A * e / lam * young(slope, d_k, 1),
        A * e / (2 * lam) * square(g_k - slope),
        A * e / (2 * lam) * second_moment(g_k, bound=L2),
        (A * e**2 / (2 * lam**2) + A * e / (2 * lam)) * bounded(d_k, L2, total=True),
    ]
    extra = L2 / (2 * lam) * (A**2 + 2 * A * e + A * e**2 / lam)
    claim = F_env(x_bar_next) <= F_env(x_bar) - A / 2 * grad_env**2 + noise * extra
    return Certificate(claim, terms, TRIVIAL, "beyond/schedule/any", domain=STEP)


h_k = sp.Symbol("h_k")
OMEGA = be * (1 - be) * (S**2 / lam + 2 * h_k) / al_before


def falls_rough(noise: Any = 1) -> Certificate:
    r"""(A2), given :math:`\mathcal F_{k-1}`, for every :math:`h_k\ge0`: with
    :math:`\Omega_k=\beta_k(1-\beta_k)(S_k^2/\lambda+2h_k)/\alpha_{k-1}`,

    .. math:: \mathrm E[F_\lambda(\bar x_{k+1})+h_k\|d_{k+1}\|^2]+\Omega_kf(x_k)\le F_\lambda(\bar
    x_k)+\Omega_kf(x_{k-1})
        -\frac{A_k}2\|\nabla F_\lambda(\bar x_k)\|^2+n_k\|d_k\|^2+\Bigl(\frac{A_k^2}{2\lambda}+h_k\beta_k^2\Bigr)L^2,

    :math:`n_k=(1-\beta_k)^2h_k+\frac{A_ke_k^2}{2\lambda^2}+\frac{\rho\alpha_{k-1}^2}2\Omega_k`."""
    domain = STEP.also(nonnegative(h_k))
    terms = [
        1 * envelope_rough().hypothesis("(A), rough"),
        h_k * lengths_grow().hypothesis("the lengths"),
        OMEGA * weak_convexity(f, x_k, x_prev, weak_convexity=rho),
    ]
    n_k = (1 - be) ** 2 * h_k + A * e**2 / (2 * lam**2) + rho * al_before**2 / 2 * OMEGA
    left = F_env(x_bar_next) + h_k * d_next**2 + OMEGA * f(x_k)
    right = (
        F_env(x_bar)
        + OMEGA * f(x_prev)
        - A / 2 * grad_env**2
        + n_k * d_k**2
        + noise * (A**2 / (2 * lam) + h_k * be**2) * L2
    )
    return Certificate(left <= right, terms, PAST, "beyond/schedule/falls-rough", domain=domain)


def class_rough(share: Any = 1) -> Steps:
    r"""(A2), constant :math:`\beta`, non-increasing :math:`\alpha`, :math:`\alpha_0\le2\beta\lambda`, with
    :math:`h_k=\frac{\alpha_{k-1}^2}{2\beta^2\lambda}`:
    :math:`\Omega_k` does not increase, :math:`n_k\le h_{k-1}`, and
    :math:`\Omega_1\le2(1-\beta)\frac{\alpha_0}{\beta\lambda}`.  Slacks:
    :math:`\alpha_{k+1}\ge\beta S_{k+1}` as in (i); :math:`\alpha_{k-1}=\alpha_k+u`,
    :math:`\alpha_{k-2}=\alpha_{k-1}+s`,
    :math:`2\beta\lambda=\alpha_{k-2}+t`."""
    domain = Domain(
        *(between(be, 0, 1), positive(S_after), nonnegative(p), nonnegative(q), nonnegative(u), nonnegative(s)),
        *(nonnegative(t), nonnegative(v), defined(al_after, be * S_after + p), defined(al, al_after + q)),
        *(defined(S, al + (1 - be) * S_after), defined(al_before, al + u), defined(a_before, al_before + s)),
        *(defined(lam, (a_before + t) / (2 * be)), defined(rho, 1 / (2 * lam * (1 + v)))),
    )
    h_now = share * al_before**2 / (2 * be**2 * lam)
    h_before = share * a_before**2 / (2 * be**2 * lam)
    omega = OMEGA.subs(h_k, h_now)
    omega_after = be * (1 - be) * (S_after**2 / lam + share * al**2 / (be**2 * lam)) / al
    n_k = (1 - be) ** 2 * h_now + A * e**2 / (2 * lam**2) + rho * al_before**2 / 2 * omega
    rooms = [omega - omega_after, h_before - n_k, 2 * (1 - be) * al_before / (be * lam) - omega]
    return Steps([sign(room, "beyond/schedule/rough-class", domain=domain) for room in rooms])


def first_rough(noise: Any = 1) -> Certificate:
    r"""(A2), the step :math:`k=0` from :math:`d_0=0`, any :math:`\beta_0\in(0,1]` (:math:`\beta_0=1` is the printed
    start), any :math:`h_0\ge0`:
    :math:`\mathrm E[F_\lambda(\bar x_1)+h_0\|d_1\|^2]\le f(x_0)-\frac{A_0}2\|\nabla
    F_\lambda(x_0)\|^2+(\frac{A_0^2}{2\lambda}+h_0\beta_0^2)L^2`."""
    x_0, x_hat_0, d_1, h_0 = vector("x_0", -1), vector(r"\hat x_0", -1), vector("d_1", 0), sp.Symbol("h_0")
    g_0 = f.sample(x_0, "g_0")
    x_1 = (x_0 - al * d_1).named("x_1")
    bar_1 = (x_0 - S * d_1).named(r"\bar x_1")
    tried = (x_0 - al * be * g_0).named(r"x_0-\alpha_0\beta_0g_0")
    grad = ((x_0 - x_hat_0) / lam).named(r"\nabla F_\lambda(x_0)")
    w = al / S
    terms = [
        1 * envelope_infimum(f, F_env, bar_1, x_hat_0),
        1 / (2 * lam * w**2) * nonexpansive(tried, x_1, (1 - w, x_0), (w, x_hat_0)),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * envelope_infimum(f, F_env, x_0, x_0),
        (A**2 / (2 * lam) + h_0 * be**2) * second_moment(g_0, bound=L2),
        A / lam * weak_convexity(f, x_0, x_hat_0, weak_convexity=rho),
        A / lam * prox_strong_convexity(f, x_0, x_hat_0, x_0, envelope=lam, weak_convexity=rho),
        A / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat_0 - x_0),
        h_0 / al**2 * nonexpansive(tried, x_1, (1, x_0)),
    ]
    right = f(x_0) - A / 2 * grad**2 + noise * (A**2 / (2 * lam) + h_0 * be**2) * L2
    domain = STEP.also(nonnegative(h_0))
    return Certificate(F_env(bar_1) + h_0 * d_1**2 <= right, terms, PAST, "beyond/schedule/first-rough", domain=domain)


def class_rough_iv(share: Any = 1) -> Steps:
    r"""(A2), :math:`\beta_k=\nu\alpha_{k-1}<1` for :math:`k\ge1`, any non-increasing :math:`\alpha`,
    :math:`\rho\alpha_{-1}<\frac12`: :math:`S_k=\frac1\nu`,
    :math:`A_k=\alpha_{k-1}`, and :math:`h_k=\frac12\bigl(\frac H{1-\beta_k}-\frac1{\nu^2\lambda}\bigr)` with
    :math:`H=\bigl(\frac2{\nu^2\lambda}+\frac1{\nu^3\lambda^2}\bigr)/(2-\rho\alpha_{-1})` makes :math:`\Omega_k=\nu H`
    constant and :math:`n_k\le h_{k-1}`,
    since :math:`h_{k-1}\ge h_k`.  Slacks: :math:`\alpha_{k-2}=\alpha_{k-1}+q`, :math:`\alpha_{-1}=\alpha_{k-2}+u`,
    :math:`\frac1\nu=\alpha_{-1}+s`, :math:`s>0`."""
    r_ = sp.Symbol("r_")
    domain = Domain(
        *(positive(al), nonnegative(v), nonnegative(q), nonnegative(u), positive(s), positive(t)),
        *(defined(al_before, al + v), defined(a_before, al_before + q), defined(a_last, a_before + u)),
        *(defined(nu, 1 / (a_last + s)), below_bound(r_, HALF), defined(rho, r_ / a_last)),
        *(defined(lam, 1 / (2 * rho + t)), defined(be, nu * al_before), defined(S, 1 / nu)),
    )
    big = (2 / (nu**2 * lam) + share / (nu**3 * lam**2)) / (2 - rho * a_last)
    h_now = (big / (1 - be) - 1 / (nu**2 * lam)) / 2
    h_before = (big / (1 - nu * a_before) - 1 / (nu**2 * lam)) / 2
    omega = OMEGA.subs(h_k, h_now)
    n_k = (1 - be) ** 2 * h_now + A * e**2 / (2 * lam**2) + rho * al_before**2 / 2 * omega
    return Steps(
        [
            identity_of(omega - nu * big, domain),
            sign(h_now, "beyond/schedule/rough-iv", domain=domain),
            sign(h_before - n_k, "beyond/schedule/rough-iv", domain=domain),
        ]
    )


def proofs() -> dict[str, list[Proof]]:
    """The chain, in order."""
    less, up, head = TENTH, ELEVEN, "beyond/schedule/"
    return {
        f"{head}bar": [
            proof_of("S_k = alpha_k + (1-beta) S_{k+1}", next_bar, "nine tenths", share=less),
            proof_of("x_bar moves by A_k delta_k", moved_by_delta, "nine tenths", share=less),
        ],
        f"{head}kept": [proof_of("pathwise", envelope_kept, "nine tenths of what is kept", share=less)],
        f"{head}split": [proof_of("a square", noise_split, "nine tenths", share=less)],
        f"{head}A": [
            proof_of("(A)", envelope_step, "eleven tenths of the gradient", share=HALF * up),
            proof_of("(A)", envelope_step, "nine tenths of the noise", noise=less),
        ],
        f"{head}B": [proof_of("(B)", energy_lemma, "nine tenths of the noise", noise=less)],
        f"{head}falls": [proof_of("(A) + c_k (B)", falls, "nine tenths of the noise", noise=less)],
        f"{head}last": [proof_of("the last term", last_terms, "eleven tenths", share=up)],
        f"{head}sum": [proof_of("induction on n", induction_weighted, "nine tenths of the noise", share=less)],
        f"{head}sure": [
            proof_of("what is summable", summable, "nine tenths", share=less),
            proof_of("what (i) can spare", class_i_spare, "eleven tenths", share=up),
        ],
        f"{head}start": [proof_of("the first term", start_terms, "nine tenths of Delta", weight=less)],
        f"{head}i": [proof_of("non-increasing", class_i, "nine tenths of c_k", share=less)],
        f"{head}ii": [
            proof_of("log-concave", class_ii, "nine tenths of c_k", share=less),
            proof_of("the ratio S_k/alpha_k", class_ii_ratio, "nine tenths of beta", share=less),
        ],
        f"{head}iii": [
            proof_of("warm-up", class_iii, "18/5 for 4", factor=4 * less),
            proof_of("warm-up", class_iii, "beta lambda/3.6", room=4 * less),
        ],
        f"{head}iv": [
            proof_of("beta_k = nu alpha_{k-1}", class_iv, "nine tenths of C", share=less),
            proof_of("the weight of f", class_iv_weight, "eleven tenths", share=up),
        ],
        f"{head}rough": [
            proof_of("(A2)", envelope_rough, "eleven tenths of the gradient", share=HALF * up),
            proof_of("(A2)", envelope_rough, "nine tenths of the noise", noise=less),
        ],
        f"{head}lengths": [
            proof_of("(A2), given F_{k-1}", lengths_grow, "nine tenths", noise=less),
            proof_of("(A2), total", lengths_bounded, "nine tenths", bound=less * L2),
        ],
        f"{head}any": [proof_of("(A2), any schedule", any_schedule, "nine tenths of the noise", noise=less)],
        f"{head}falls-rough": [proof_of("(A2)", falls_rough, "nine tenths of the noise", noise=less)],
        f"{head}first-rough": [proof_of("(A2), k = 0", first_rough, "nine tenths of the noise", noise=less)],
        f"{head}rough-iv": [proof_of("(A2), beta_k = nu alpha_{k-1}", class_rough_iv, "nine tenths of H", share=less)],
        f"{head}rough-class": [proof_of("(A2), non-increasing", class_rough, "nine tenths of h_k", share=less)],
    }


PROOFS = proofs()

if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
