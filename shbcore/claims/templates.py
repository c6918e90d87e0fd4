r"""Templates from which the Lyapunov functions of the paper and of the chapters beyond it are found again, and one that neither has.

A template says which terms may occur and which facts may be used; the weights are found by :func:`shbcore.proof.lyapunov.lyapunov`.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_a import lemma_3
from shbcore.claims.appendix_b import envelope_3
from shbcore.claims.appendix_c_phi import phi, smooth_f
from shbcore.claims.appendix_c_sharp import lemma_W_sharp
from shbcore.claims.beyond.energy import D_k, delta_k, x_mean, z_mean
from shbcore.proof.lyapunov import Template
from shbcore.proof.search import find

ROUGH = (on.WEAKLY_CONVEX, on.A1, on.A2)
SMOOTH = (on.SMOOTH, on.A1, on.A3)
SHORT = ADMISSIBLE.also(Range(nu, beta * rho / 2, strict=True))
r""":math:`\rho\alpha<2`."""
LATE_POINT = (1 - beta) * x_k + beta * x_hat
r"""A point of :math:`X` against which the projection is tested."""


def paper_V() -> Template:
    r""":math:`V_k` from Lemma 3 and the last inequality of Appendix B (:math:`\|p_k\|^2` is a multiple of :math:`\|d_k\|^2`)."""
    facts = [lemma_3(), envelope_3(), square(d_k), square(d_next)]
    terms = [d_k**2, f(x_prev)]
    return Template(F_env(x_bar), terms, grad_env**2, Number(L2), facts, TOTAL, ADMISSIBLE, ROUGH, rate=alpha / 2)


def conditional_U() -> Template:
    r""":math:`U_k`, given the past, from facts alone: no lemma of the paper is used."""
    facts = [
        *(envelope_infimum(F_env, x_bar_next, x_hat), nonexpansive(x_next, trial, LATE_POINT)),
        *(envelope_attained(F_env, x_hat), weak_convexity(f, x_k, x_hat), prox_strong_convexity(x_hat, x_k)),
        *(square(x_hat - x_k), weak_convexity(f, x_k, x_prev), second_moment(g_k)),
        *(nonexpansive(x_next, trial, x_k), square(d_k), square(d_next)),
    ]
    terms = [d_k**2, f(x_prev)]
    return Template(F_env(x_bar), terms, grad_env**2, Number(L2), facts, PAST, SHORT, ROUGH, rate=alpha / 2)


def smooth_W() -> Template:
    r""":math:`\frac12W_k` from the facts under Lemma 5; the largest decrease is asked for."""
    whole = lemma_W_sharp()
    facts, says = [term.source for term in flat(whole).terms], whole.statement
    terms = [phi(0), d_k**2]
    return Template(smooth_f(x_k), terms, d_next**2, Number(sigma2), facts, PAST, says.domain, says.assumes)


def _energy_facts() -> list[Any]:
    return [
        *(smooth_above(smooth_f, x_k, x_next), projection(x_next, trial, x_k), variance(g_k)),
        *(young(D_k, (x_mean - x_next) / alpha, 1 / beta), square(d_next - d_k - beta * D_k)),
        *(nonexpansive_pair(x_next, trial, x_mean, x_k - alpha * z_mean), square(d_k), square(d_next)),
    ]


def energy(domain: Domain = SHORT) -> Template:
    r""":math:`f(x_k)+\frac\xi2\|d_k\|^2`; the largest decrease is asked for."""
    return Template(smooth_f(x_k), [d_k**2], d_next**2, Number(sigma2), _energy_facts(), PAST, domain, SMOOTH)


def without_virtual_step(domain: Domain = ADMISSIBLE) -> Template:
    r"""Not in the paper, nor elsewhere in this book: :math:`F_\lambda(\bar x_k)+wf(x_k)+m\|d_k\|^2` without the step without noise."""
    facts = [
        *(smooth_above(smooth_f, x_k, x_next), projection(x_next, trial, x_k), projection(x_next, trial, LATE_POINT)),
        *(variance(g_k), square(D_k - delta_k), square(x_hat - x_k), square(d_k), square(d_next)),
        *(envelope_infimum(F_env, x_bar_next, x_hat), envelope_attained(F_env, x_hat)),
        *(weak_convexity(smooth_f, x_k, x_hat), prox_strong_convexity(x_hat, x_k)),
    ]
    terms = [smooth_f(x_k), d_k**2]
    return Template(F_env(x_bar), terms, grad_env**2, Number(sigma2), facts, PAST, domain, SMOOTH, rate=alpha / 2)


# --- any schedule: the weight of the next step is given, the weights of this one are found

al, be, S, m_next, al_before = sp.symbols("alpha_k beta_k S_k m_{k+1} alpha_{k-1}")
SCHEDULE = Domain(
    *(nonnegative(rho), inverse_at_least(lam, 2 * rho), inverse_above(al, rho / 2), between(be, 0, 1)),
    *(at_least(S, al), nonnegative(sigma2), nonnegative(m_next), positive(al_before)),
)
r""":math:`\rho\alpha_k<2`, :math:`\beta_k\in(0,1]`, :math:`S_k\ge\alpha_k`, :math:`\lambda^{-1}\ge2\rho`."""
A, e, tau = be * S, (1 - be) * S, (1 - be) / be
kappa = A * S / (lam * al)
_d = (x_prev - x_k) / al_before
_trial = x_k - al * (be * g_k + (1 - be) * _d)
_trial_mean = x_k - al * (be * smooth_f.slope(x_k) + (1 - be) * _d)
_x_next, _x_mean = Projected("x^+", _trial), Projected("x'", _trial_mean)
_d_next = (x_k - _x_next) / al
_bar, _bar_next = x_k - e * _d, x_k - S * _d_next
_hat = F_env.prox(_bar, r"\hat y")
_fall = ((_bar - _hat) / lam) ** 2


def schedule_steps() -> tuple[Line, Line]:
    r"""(A) and (B) for any schedule, their multipliers found."""
    weight, delta = al / S, (_d_next - (1 - be) * _d) / be
    facts = [
        *(envelope_infimum(F_env, _bar_next, _hat), projection(_x_next, _trial, (1 - weight) * x_k + weight * _hat)),
        *(envelope_attained(F_env, _hat), square(D_k - delta), variance(g_k), weak_convexity(smooth_f, x_k, _hat)),
        *(prox_strong_convexity(_hat, x_k), square(_hat - x_k), smooth_above(smooth_f, x_k, _x_next)),
        *(projection(_x_next, _trial, x_k), young(D_k, (_x_mean - _x_next) / al, 1 / be)),
        *(nonexpansive_pair(_x_next, _trial, _x_mean, _trial_mean), square(_d_next - _d - be * D_k)),
    ]
    right_A = (
        *(F_env(_bar), kappa * smooth_f(x_k), -A / 2 * _fall, A * e**2 / (2 * lam**2) * _d**2),
        *(kappa * rho * al**2 / 2 * _d_next**2, Number(A**2 * sigma2 / (2 * lam))),
    )
    right_B = (
        *(smooth_f(x_k), tau * al / 2 * _d**2, -al * (1 - rho * al / 2) * _d_next**2),
        Number((1 + be) / 2 * be * al * sigma2),
    )
    claims = (
        F_env(_bar_next) + kappa * smooth_f(_x_next) <= sum(right_A[1:], right_A[0]),
        smooth_f(_x_next) + tau * al / 2 * _d_next**2 <= sum(right_B[1:], right_B[0]),
    )
    first, second = (find(Statement(one, PAST, SCHEDULE, SMOOTH, Scope.EVERY), facts) for one in claims)
    return first, second


def schedule() -> Template:
    r"""The function of the theorem on schedules: :math:`F_\lambda(\bar x_k)+wf(x_k)+m_k\|d_k\|^2`, backwards from :math:`m_{k+1}`."""
    fixed = (F_env(_bar), F_env(_bar_next) + m_next * _d_next**2)
    terms = [(smooth_f(x_k), smooth_f(_x_next)), (_d**2, Number(sp.S.Zero))]
    facts = [*schedule_steps(), square(_d_next)]
    return Template(fixed, terms, _fall, Number(sigma2), facts, PAST, SCHEDULE, SMOOTH, Scope.EVERY, rate=A / 2)
