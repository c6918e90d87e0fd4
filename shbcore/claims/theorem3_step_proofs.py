r"""Appendix E line by line: one step of Theorem 3 as certificates, on the whole space, and the terms at both ends of the sum.

As in Theorem 1, :math:`N=\sqrt{K+1}`.  With :math:`X=\mathbb R^n`, :math:`\nabla F_\lambda(\bar x_k)=\nabla f(\hat x_k)`.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from dataclasses import replace
from typing import Any

import sympy as sp

from shbcore.claims.lemma4_proofs import envelope_1_1
from shbcore.claims.nonsmooth_proofs import Delta, N, alpha_0, below, f_0, f_star, x_0, x_hat_0
from shbcore.claims.phi_proofs import PAST, QUARTER, TENTH, WEIGHTS, W, h_star, phi, phi_nonnegative, stepsizes_up_to
from shbcore.claims.W_proofs import lemma_W
from shbcore.model import constants
from shbcore.proof.algebra import Vector, constant, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, identity, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_between, nonnegative, positive
from shbcore.proof.step import *

ONE_STEP = Domain(*stepsizes_up_to(QUARTER).also(inverse_between(lam, 3 * rho / 2, 2 * rho)).ranges)
a = sp.Symbol("a")
THEOREM_3 = Domain(
    *(
        between(a, 0, QUARTER),
        positive(rho),
        at_least(N, 1),
        inverse_between(lam, 3 * rho / 2, 2 * rho),
        nonnegative(Delta),
        nonnegative(sigma2),
    ),
    *(defined(alpha_0, a / rho), defined(alpha, alpha_0 / N), defined(nu, 1 / alpha_0), defined(beta, 1 / N)),
    defined(xi, constants.xi(beta=beta, nu=nu)),
)
r""":math:`\alpha_0\in(0,1/(4\rho)]`, :math:`\lambda^{-1}\in(3\rho/2,2\rho]`, :math:`\nu=1/\alpha_0`."""
C = constants.c_theorem_3(weak_convexity=rho, envelope=lam)
delta = 1 - alpha / lam
hat_turn = (f.slope(x_k) - grad_env).named(r"\nabla f(x_k)-\nabla f(\hat x_k)")
away = (x_bar - x_hat).named(r"\bar x_k-\hat x_k")
TARGET = (away - alpha * g_k) ** 2
RATIO = xi**2 / lam**2
STEP_3 = (1 + 8 * nu * xi**2 / lam) * alpha**2 * sigma2 / (2 * lam)


def hat_lipschitz() -> Hypothesis:
    claim = hat_turn**2 <= rho**2 * (x_k - x_hat) ** 2
    text = r"\|\nabla f(x_k)-\nabla f(\hat x_k)\|^2\le\rho^2\|x_k-\hat x_k\|^2,\ \nabla f(\hat x_k)=\nabla F_\lambda(\bar x_k)"
    return given(
        "Lipschitz gradient",
        claim,
        text,
        "eq:proof:thrm:3:evn:1/chain",
        r"$f$ is smooth and $\mathcal{X}$ is the whole space",
    )


def evn_1(at: Vector = x_hat) -> Certificate:
    return replace(envelope_1_1(at), label="eq:proof:thrm:3:evn:1", domain=ONE_STEP)


def hat_rewritten(factor: Any = 1) -> Certificate:
    right = alpha / lam * x_bar - factor * alpha * grad_env + (1 - alpha / lam) * x_hat
    return identity((x_hat - right) ** 2, constant(0), "eq:proof:thrm:3:evn:1/x_hat")


def squared(noise: Any = 1) -> Certificate:
    right = (
        delta**2 * away**2 - 2 * alpha * delta * (away @ hat_turn) + alpha**2 * hat_turn**2 + noise * alpha**2 * sigma2
    )
    return Certificate(
        right >= TARGET, [alpha**2 * variance(g_k, f.slope(x_k))], PAST, "eq:proof:thrm:3:evn:1/square", domain=ONE_STEP
    )


def young_3(share: Any = 1) -> Certificate:
    right = alpha * delta * rho * away**2 + share * alpha * delta / rho * hat_turn**2
    terms = [2 * alpha * delta * young(-away, hat_turn, 1 / rho)]
    return Certificate(
        -2 * alpha * delta * (away @ hat_turn) <= right, terms, PATHWISE, "eq:proof:thrm:3:evn:1/young", domain=ONE_STEP
    )


def chain(bend: Any = 3) -> Steps:
    lead, weight = delta**2 + rho * alpha * delta, alpha * delta * rho + alpha**2 * rho**2
    first = lead * away**2 + weight / rho**2 * hat_turn**2 + alpha**2 * sigma2
    second = lead * away**2 + weight * (x_k - x_hat) ** 2 + alpha**2 * sigma2
    third = (
        (delta**2 + bend * rho * alpha * delta + 2 * alpha**2 * rho**2) * away**2
        + 2 * weight * (x_k - x_bar) ** 2
        + alpha**2 * sigma2
    )
    one = Certificate(
        first >= TARGET,
        [1 * squared().hypothesis("expanded"), 1 * young_3().hypothesis("Young")],
        PAST,
        domain=ONE_STEP,
    )
    two = Certificate(
        second >= TARGET, [1 * one.hypothesis(), weight / rho**2 * hat_lipschitz()], PAST, domain=ONE_STEP
    )
    last = [1 * two.hypothesis(), weight * square((x_k - x_bar) - (x_bar - x_hat))]
    return Steps([one, two, Certificate(third >= TARGET, last, PAST, "eq:proof:thrm:3:evn:1/chain", domain=ONE_STEP)])


def coefficient(factor: Any = 1) -> Steps:
    left = delta**2 + 3 * rho * alpha * delta + 2 * alpha**2 * rho**2
    tail = 1 / lam * (1 / lam - 3 * rho + 2 * rho**2 * lam)
    same = identity(
        constant(left), constant(1 - alpha * (2 / lam - 3 * rho) + factor * alpha**2 * tail), domain=ONE_STEP
    )
    return Steps([same, sign(-tail, domain=ONE_STEP)])


def evn_2(fall: Any = 1) -> Certificate:
    weight = alpha * delta * rho + alpha**2 * rho**2
    right = away**2 - fall * alpha * (2 / lam - 3 * rho) * away**2 + 2 * weight * (x_k - x_bar) ** 2 + alpha**2 * sigma2
    tail = -(alpha**2) * (1 / lam - rho) * (1 / lam - 2 * rho)
    terms = [1 * chain().parts[2].hypothesis("the chain"), tail * square(away)]
    return Certificate(right >= TARGET, terms, PAST, "eq:proof:thrm:3:evn:2", domain=ONE_STEP)


def evn_2_envelope(fall: Any = 1) -> Certificate:
    weight = alpha * delta * rho + alpha**2 * rho**2
    right = (
        F_env(x_bar)
        - fall * alpha / C * grad_env**2
        + weight / lam * (x_k - x_bar) ** 2
        + alpha**2 * sigma2 / (2 * lam)
    )
    terms = [
        1 * evn_1().hypothesis("evn:1"),
        1 / (2 * lam) * evn_2().hypothesis("evn:2"),
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
    ]
    return Certificate(F_env(x_bar_next) <= right, terms, PAST, "eq:proof:thrm:3:evn:2/envelope", domain=ONE_STEP)


def weight_identity(tail: Any = 1 / lam) -> Steps:
    r"""``(alpha delta rho + alpha^2 rho^2)/lambda``: the last term carries a factor :math:`1/\lambda` that the paper drops."""
    left = (alpha * delta * rho + alpha**2 * rho**2) / lam
    same = identity(
        constant(left), constant(alpha * rho / lam + alpha**2 * (rho**2 - rho / lam) * tail), domain=ONE_STEP
    )
    return Steps(
        [
            same,
            sign(alpha * rho / lam - left, domain=ONE_STEP),
            sign(alpha / lam**2 - alpha * rho / lam, domain=ONE_STEP),
        ]
    )


def evn_3(fall: Any = 1, spread: Any = alpha / lam**2) -> Certificate:
    r"""``eq:proof:thrm:3:evn:3``; the sharper ``spread`` is :math:`\alpha\rho/\lambda`."""
    weight = (alpha * delta * rho + alpha**2 * rho**2) / lam
    right = F_env(x_bar) - fall * alpha / C * grad_env**2 + spread * xi**2 * d_k**2 + alpha**2 * sigma2 / (2 * lam)
    terms = [1 * evn_2_envelope().hypothesis("the envelope"), (spread - weight) * xi**2 * square(d_k)]
    return Certificate(F_env(x_bar_next) <= right, terms, PAST, "eq:proof:thrm:3:evn:3", domain=ONE_STEP)


def lyapunov_3(bar: Vector, x: Vector, z: Vector, d: Vector) -> Any:
    return F_env(bar) + RATIO * W(x, z, d) + alpha * RATIO * d**2


def evn_4(noise: Any = STEP_3) -> Certificate:
    right = lyapunov_3(x_bar, x_k, z_k, d_k) - alpha / C * grad_env**2 + noise
    terms = [1 * evn_3().hypothesis("evn:3"), RATIO * lemma_W().hypothesis("the W lemma")]
    return Certificate(
        lyapunov_3(x_bar_next, x_next, z_next, d_next) <= right, terms, PAST, "eq:proof:thrm:3:evn:4", domain=ONE_STEP
    )


def potential(written: Any, shown: Any, point: Vector) -> Certificate:
    r"""A potential of ``evn:4`` written out: :math:`h^*(y)=\frac12\|y\|^2` at the trial point, since :math:`X=\mathbb R^n`."""
    whole = given("h* on the whole space", h_star(point).equals(point**2 / 2), "", "", "the projection is the identity")
    return Certificate(
        written.equals(shown), [RATIO * WEIGHTS.phi * whole], label="eq:proof:thrm:3:evn:4/sum", domain=THEOREM_3
    )


def lower_3(weight: Any = 1 + 2 * RATIO) -> Certificate:
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        2 * RATIO * below(x_k),
        RATIO
        / (nu * alpha**2)
        * given("phi_k >= 0", constant(0) <= phi(x_k, z_k), r"\varphi_k\ge0", phi_nonnegative().label, "shown before"),
        RATIO * (xi / 2 + alpha) * square(d_k),
    ]
    return Certificate(
        weight * f_star <= lyapunov_3(x_bar, x_k, z_k, d_k), terms, PATHWISE, "eq:proof:thrm:3:evn:5", domain=THEOREM_3
    )


G_0 = ((x_0 - x_hat_0) / lam).named(r"\nabla F_\lambda(x_0)")
slope_0 = f.slope(x_0)
turn_0 = (slope_0 - G_0).named(r"\nabla f(x_0)-\nabla f(\hat x_0)")


def lipschitz_0() -> Hypothesis:
    r""":math:`\|\nabla f(x_0)-\nabla f(\hat x_0)\|\le\rho\|x_0-\hat x_0\|`, where :math:`\nabla f(\hat x_0)=\nabla F_\lambda(x_0)`."""
    text = r"\|\nabla f(x_0)-\nabla f(\hat x_0)\|\le\rho\|x_0-\hat x_0\|"
    return given("Lipschitz gradient", turn_0**2 <= rho**2 * (x_0 - x_hat_0) ** 2, text, "", "$f$ is smooth")


def printed_bound(
    gap: Any = f_0 - f_star,
    weight: Any = 1 + 2 * RATIO,
    noise: Any = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam),
) -> Any:
    return C / (alpha_0 * N) * (weight * gap + noise * sigma2)


def _proofs() -> dict[str, list[Proof]]:
    """Every certificate of one step, by label."""
    E_, up = "eq:proof:thrm:3:evn", 1 / TENTH
    fall = proof_of("given F_{k-1}", evn_3, "a larger decrease", fall=up)
    return {
        f"{E_}:1": [
            proof_of(
                "from evn:1:1 with f(x_hat_k)", evn_1, "f(x_hat_{k+1}), as printed there", at=vector(r"\hat x_{k+1}", 0)
            )
        ],
        f"{E_}:1/x_hat": [
            proof_of("the optimality condition", hat_rewritten, "nine tenths of the gradient", factor=TENTH)
        ],
        f"{E_}:1/square": [proof_of("given F_{k-1}, with <= for =", squared, "nine tenths of the noise", noise=TENTH)],
        f"{E_}:1/young": [proof_of("theta = 1/rho", young_3, "nine tenths", share=TENTH)],
        f"{E_}:1/chain": [proof_of("three lines", chain, "2.7 for 3", bend=3 * TENTH)],
        f"{E_}:1/delta": [
            proof_of("identity and sign on [3rho/2, 2rho]", coefficient, "nine tenths of the last term", factor=TENTH)
        ],
        f"{E_}:2": [proof_of("given F_{k-1}", evn_2, "three times the decrease", fall=3)],
        f"{E_}:2/envelope": [proof_of("given F_{k-1}", evn_2_envelope, "a larger decrease", fall=up)],
        f"{E_}:2/weight": [proof_of("with the factor 1/lambda", weight_identity, "without it, as printed", tail=1)],
        f"{E_}:3": [
            fall,
            proof_of(
                "sharper: alpha rho/lambda for alpha/lambda^2",
                lambda fall=1: evn_3(fall, alpha * rho / lam),
                "a larger decrease",
                fall=up,
            ),
        ],
        f"{E_}:4": [proof_of("given F_{k-1}, k >= 0", evn_4, "nine tenths of the noise", noise=TENTH * STEP_3)],
    }


PROOFS = _proofs()
