r"""Appendix B line by line: Lemma 4 as certificates, symbolic in all parameters; see
:mod:`shbcore.claims.lemma3_proofs`."""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

from shbcore.claims.lemma3_proofs import (
    ELEVEN,
    FAMILY,
    HALF,
    NINE,
    NOISE,
    SEGMENT,
    inner_g,
    lemma_3,
    lemma_3_family,
    lemma_3_given,
    t,
    theta,
)
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, Claim, Expression, Vector, constant, pull_out, vector
from shbcore.proof.certificate import Certificate, Proof, identity, proof_of
from shbcore.proof.hypotheses import *
from shbcore.proof.step import *

GAMMA = constants.gamma(weak_convexity=rho, envelope=lam, beta=beta, nu=nu)
GAMMA_PRINTED = constants.gamma_printed(weak_convexity=rho, envelope=lam, beta=beta, nu=nu)
WEIGHTS = constants.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu)
STATEMENT_4 = (
    r"\mathrm{E}[V_{k+1}]\le\mathrm{E}[V_k]-\tfrac{\alpha}{2}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2"
    r"+\tfrac{\gamma\alpha^2L^2}{2\lambda}"
)
SHARE_3 = xi**2 / (2 * lam**2)
x_hat_next = vector(r"\hat x_{k+1}", 0)


def envelope_1(power: int = 2) -> Certificate:
    r"""``eq:proof:thrm:1:evn:1``: the envelope at :math:`\bar x_{k+1}` is an infimum, and :math:`\hat x_k` one
    candidate."""
    right = f(x_hat) + (x_next - (1 - beta) * x_k - beta * x_hat) ** 2 / (2 * lam * beta**power)
    terms = [1 * envelope_infimum(f, F_env, x_bar_next, x_hat)]
    return Certificate(F_env(x_bar_next) <= right, terms, label="eq:proof:thrm:1:evn:1")


def norm_a(scale: Any = 1) -> Certificate:
    r"""``eq:proof:thrm:1:norm:decomp:a``: nonexpansiveness at :math:`(1-\beta)x_k+\beta\hat x_k\in X`."""
    left = (x_next - (1 - beta) * x_k - beta * x_hat) ** 2 / (2 * lam * beta**2)
    terms = [1 / (2 * lam * beta**2) * nonexpansive(trial, x_next, (1 - beta, x_k), (beta, x_hat))]
    right = scale * (x_bar - x_hat - alpha * g_k) ** 2 / (2 * lam)
    return Certificate(left <= right, terms, label="eq:proof:thrm:1:norm:decomp:a")


def envelope_1_1(at: Any = x_hat) -> Certificate:
    r"""``eq:proof:thrm:1:evn:1:1`` with :math:`f(\hat x_k)`, where the paper prints :math:`f(\hat x_{k+1})`."""
    right = f(at) + (x_bar - x_hat - alpha * g_k) ** 2 / (2 * lam)
    terms = [1 * envelope_1().hypothesis(), 1 * norm_a().hypothesis()]
    return Certificate(F_env(x_bar_next) <= right, terms, label="eq:proof:thrm:1:evn:1:1")


def norm_b(factor: Any = 2) -> Certificate:
    """``eq:proof:thrm:1:norm:decomp:b``."""
    inner = factor * alpha * ((x_hat - x_k) @ g_k) + 2 * alpha * (1 - beta) / beta * ((x_prev - x_k) @ g_k)
    return identity((x_bar - x_hat - alpha * g_k) ** 2, (x_bar - x_hat) ** 2 + inner + alpha**2 * g_k**2)


def envelope_2(noise: Any = HALF) -> Certificate:
    """``eq:proof:thrm:1:evn:2``."""
    inner = alpha / lam * ((x_hat - x_k) @ g_k) + alpha * (1 - beta) / (lam * beta) * ((x_prev - x_k) @ g_k)
    terms = [1 * envelope_1_1().hypothesis(), -1 * envelope_attained(f, F_env, x_bar, x_hat)]
    right = F_env(x_bar) + inner + noise * alpha**2 / lam * g_k**2
    return Certificate(F_env(x_bar_next) <= right, terms, label="eq:proof:thrm:1:evn:2")


def inner_1(bend: Any = HALF) -> Certificate:
    r"""``eq:proof:thrm:1:inp:1``, given :math:`\mathcal F_{k-1}`; :math:`F=f` at :math:`x_k,\hat x_k\in X`."""
    right = f(x_hat) - f(x_k) + bend * rho * (x_hat - x_k) ** 2
    terms = [1 * weak_convexity(f, x_k, x_hat)]
    return Certificate(pull_out(x_hat - x_k, g_k, -1) <= right, terms, -1, "eq:proof:thrm:1:inp:1")


def strong_convexity(modulus: Any = 1 / lam - rho) -> Certificate:
    r"""``eq:strong:cvx`` from Lemma 1, item 2, and minimality of :math:`\hat x_k`, at :math:`tx_k+(1-t)\hat x_k` for
    :math:`t\in(0,1]`; then :math:`t\to0`."""
    z = (t * x_k + (1 - t) * x_hat).named("tx_k+(1-t)\\hat x_k")

    def model(u: Vector) -> Expression:
        value: Expression = f(u) + (u - x_bar) ** 2 / (2 * lam)
        return value

    chord = f(z) <= t * f(x_k) + (1 - t) * f(x_hat) + rho * t * (1 - t) / 2 * (x_k - x_hat) ** 2
    terms = [
        1 / t * given("weak convexity on a segment", chord, "", "lem:weak:convexity/2", "Lemma 1, item 2"),
        1 / t * given("the prox minimises", model(x_hat) <= model(z), "", "eq:prox", "definition of the prox"),
    ]
    left = (1 - t) * modulus / 2 * (x_hat - x_k) ** 2
    return Certificate(left <= model(x_k) - model(x_hat), terms, label="eq:strong:cvx", domain=SEGMENT)


def inner_1_bounded(share: Any = HALF) -> Certificate:
    r"""``eq:proof:thrm:1:inp:1:bounded``: strong convexity (a), the gradient of the envelope (b),
    :math:`\lambda^{-1}\ge2\rho` (c)."""
    left = share * lam * grad_env**2 - (x_k - x_bar) ** 2 / (2 * lam)
    right = f(x_k) - f(x_hat) - rho / 2 * (x_hat - x_k) ** 2
    terms = [1 * prox_strong_convexity(f, x_bar, x_hat, x_k), (1 / lam - 2 * rho) / 2 * square(x_hat - x_k)]
    return Certificate(left <= right, terms, label="eq:proof:thrm:1:inp:1:bounded")


def envelope_3_before(share: Any = HALF) -> Certificate:
    r"""The display above ``eq:proof:thrm:1:evn:3``, given :math:`\mathcal F_{k-1}`."""
    weight = alpha * (1 - beta) / (lam * beta)
    right = (
        F_env(x_bar)
        + weight * f(x_prev)
        - share * alpha * grad_env**2
        + alpha / (2 * lam**2) * (x_k - x_bar) ** 2
        + rho * weight / 2 * (x_prev - x_k) ** 2
        + alpha**2 / (2 * lam) * g_k**2
    )
    terms = [
        1 * envelope_2().hypothesis(),
        alpha / lam * inner_1().hypothesis(),
        alpha / lam * inner_1_bounded().hypothesis(),
        weight * inner_g(label="eq:proof:thrm:1:inp:2").hypothesis(),
    ]
    return Certificate(F_env(x_bar_next) + weight * f(x_k) <= right, terms, -1, "eq:proof:thrm:1:evn:3/before")


def _envelope_3(extra: Any) -> Claim:
    weight = (1 - beta) / (lam * nu)
    right = (
        F_env(x_bar)
        + weight * f(x_prev)
        - alpha / 2 * grad_env**2
        + (1 - beta) ** 2 / (2 * lam**2 * nu**2) * alpha * d_k**2
    )
    claim: Claim = F_env(x_bar_next) + weight * f(x_k) <= right + extra
    return claim


def envelope_3(drift: Any = rho * (1 - beta) / nu) -> Certificate:
    r"""``eq:proof:thrm:1:evn:3`` in total expectation with :math:`\rho(1-\beta)/\nu`, where the paper prints half of
    it."""
    terms = [
        1 * envelope_3_before().hypothesis(),
        alpha**2 / (2 * lam) * second_moment(g_k),
        rho * alpha**2 * xi / (2 * lam) * bounded(d_k, L2, total=True).at("eq:xdiff:norm:L"),
    ]
    return Certificate(_envelope_3(alpha**2 * (drift + 1) * L2 / (2 * lam)), terms, TRIVIAL, "eq:proof:thrm:1:evn:3")


def envelope_3_given(drift: Any = rho * (1 - beta) / nu) -> Certificate:
    r"""``eq:proof:thrm:1:evn:3`` given :math:`\mathcal F_{k-1}`: :math:`\|d_k\|^2` stays."""
    terms = [1 * envelope_3_before().hypothesis(), alpha**2 / (2 * lam) * second_moment(g_k)]
    extra = alpha**2 / (2 * lam) * (drift * d_k**2 + L2)
    return Certificate(_envelope_3(extra), terms, -1, "eq:proof:thrm:1:evn:3")


def lyapunov(bar: Vector, p: Vector, d: Vector, previous: Vector) -> Expression:
    r"""``eq:Vfunc``, with the weights of :func:`shbcore.model.constants.V_weights`."""
    value: Expression = F_env(bar) + WEIGHTS.p * p**2 + WEIGHTS.d * d**2 + WEIGHTS.f * f(previous)
    return value


V, V_NEXT = lyapunov(x_bar, p_k, d_k, x_prev), lyapunov(x_bar_next, p_next, d_next, x_k)


def lemma_4(gamma: Any = GAMMA) -> Certificate:
    r"""Lemma 4 in total expectation with the repaired :math:`\gamma`: ``eq:proof:thrm:1:evn:3`` plus
    :math:`\xi^2/(2\lambda^2)` times Lemma 3."""
    right = V - alpha / 2 * grad_env**2 + gamma * alpha**2 * L2 / (2 * lam)
    terms = [1 * envelope_3().hypothesis(), SHARE_3 * lemma_3().hypothesis("Lemma 3")]
    return Certificate(V_NEXT <= right, terms, TRIVIAL, "lem:Vfunc:non-smooth", STATEMENT_4)


def lemma_4_given(noise: Any = 1) -> Certificate:
    r"""Lemma 4 given :math:`\mathcal F_{k-1}`: what is known of :math:`\|d_k\|^2` stays on the right.  The member
    :math:`\theta=1` of :func:`lemma_4_family`."""
    drift = alpha**2 * rho * xi / (2 * lam) + alpha**2 * xi**2 * (1 - beta) * (rho + nu) / (4 * lam**2)
    rest = noise * alpha**2 * L2 / (2 * lam) * (1 + xi**2 * nu * (1 + beta) / (2 * lam))
    terms = [1 * envelope_3_given().hypothesis(), SHARE_3 * lemma_3_given().hypothesis("Lemma 3")]
    return Certificate(V_NEXT <= V - alpha / 2 * grad_env**2 + drift * d_k**2 + rest, terms, -1, "lem:Vfunc:non-smooth")


def lemma_4_family(share: Any = 1) -> Certificate:
    r"""Lemma 4 given :math:`\mathcal F_{k-1}` for every :math:`\theta>0`; the least noise over :math:`\theta` is

    .. math:: \frac{\alpha^2}{2\lambda}\bigl(\rho\xi\|d_k\|^2+L^2\bigr)+\frac{\alpha^2\xi^2}{4\lambda^2}
        \Bigl(\rho(1-\beta)\|d_k\|^2+\nu L^2+\nu(\beta L+(1-\beta)\|d_k\|)^2\Bigr)."""
    part = constants.lemma_3_noise_given(weak_convexity=rho, beta=beta, nu=nu, L2=share * L2, d2=d_k**2, theta=theta)
    noise = alpha**2 * ((rho * xi * d_k**2 + share * L2) / (2 * lam) + SHARE_3 * part)
    terms = [1 * envelope_3_given().hypothesis(), SHARE_3 * lemma_3_family().hypothesis("Lemma 3")]
    claim = V_NEXT <= V - alpha / 2 * grad_env**2 + noise
    return Certificate(claim, terms, -1, "lem:Vfunc:non-smooth", domain=FAMILY)


def gamma_collected(gamma: Any = GAMMA) -> Certificate:
    r"""The constants of the two inequalities add up to :math:`\gamma/(2\lambda)`."""
    total = (rho * xi + 1) / (2 * lam) + SHARE_3 * NOISE
    return identity(constant(gamma / (2 * lam)), constant(total))


_L4 = [
    proof_of("Lemma 4 in total expectation, repaired gamma", lemma_4, "the printed gamma", gamma=GAMMA_PRINTED),
    proof_of("given F_{k-1}, for every theta > 0", lemma_4_family, "nine tenths of L^2", share=NINE),
    proof_of("its member theta = 1", lemma_4_given, "nine tenths of the noise", noise=NINE),
]
_GAMMA = [proof_of("the constants add up", gamma_collected, "the printed gamma", gamma=GAMMA_PRINTED)]

PROOFS: dict[str, list[Proof]] = {
    "eq:proof:thrm:1:evn:1": [proof_of("infimum", envelope_1, "beta for beta^2", power=1)],
    "eq:proof:thrm:1:norm:decomp:a": [
        proof_of("nonexpansiveness", norm_a, "nine tenths of the right side", scale=NINE)
    ],
    "eq:proof:thrm:1:evn:1:1": [proof_of("with f(x_hat_k)", envelope_1_1, "the printed f(x_hat_{k+1})", at=x_hat_next)],
    "eq:proof:thrm:1:norm:decomp:b": [proof_of("identity", norm_b, "alpha for 2 alpha", factor=1)],
    "eq:proof:thrm:1:evn:2": [
        proof_of("from the lines before", envelope_2, "nine tenths of the noise", noise=HALF * NINE)
    ],
    "eq:proof:thrm:1:inp:1": [
        proof_of("weak convexity, given F_{k-1}", inner_1, "nine tenths of rho", bend=HALF * NINE)
    ],
    "eq:strong:cvx": [proof_of("from Lemma 1 and minimality", strong_convexity, "modulus 1/lambda", modulus=1 / lam)],
    "eq:proof:thrm:1:inp:1:bounded": [
        proof_of("(a), (b), (c)", inner_1_bounded, "eleven tenths of the gradient", share=HALF * ELEVEN)
    ],
    "eq:proof:thrm:1:inp:2": [
        proof_of("weak convexity, given F_{k-1}", inner_g, "nine tenths of rho", bend=HALF * NINE)
    ],
    "eq:proof:thrm:1:evn:3/before": [
        proof_of("given F_{k-1}", envelope_3_before, "eleven tenths of the gradient", share=HALF * ELEVEN)
    ],
    "eq:proof:thrm:1:evn:3": [
        proof_of(
            "total expectation, repaired",
            envelope_3,
            "the printed rho(1-beta)/(2nu)",
            drift=rho * (1 - beta) / (2 * nu),
        ),
        proof_of("given F_{k-1}", envelope_3_given, "half of the drift", drift=rho * (1 - beta) / (2 * nu)),
    ],
    "eq:proof:thrm:1:evn:3/telescoping": _L4,
    "eq:proof:thrm:1:evn:3/gamma": _GAMMA,
    "lem:Vfunc:non-smooth/gamma": _GAMMA,
    "lem:Vfunc:non-smooth": _L4,
    "eq:lem:Vfunc:non-smooth": _L4,
}
