r"""Certificates of Theorem 3 (Appendix E) for both starts, on the whole space.

As in Theorem 1, :math:`N=\sqrt{K+1}`.  With :math:`X=\mathbb R^n`, :math:`\nabla F_\lambda(\bar x_k)=\nabla f(\hat x_k)`.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from dataclasses import replace
from typing import Any

import sympy as sp

from shbcore.claims.lemma4_proofs import envelope_1_1
from shbcore.claims.nonsmooth_proofs import Delta, N, alpha_0, below, f_0, f_star, x_0, x_hat_0
from shbcore.claims.phi_proofs import HALF, PAST, QUARTER, TENTH, W, phi, phi_nonnegative, stepsizes_up_to
from shbcore.claims.W_proofs import lemma_W
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, Vector, constant, scalar, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, identity, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, between, defined, inverse_between, nonnegative, positive
from shbcore.proof.step import *
from shbcore.proof.telescope import telescoped

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
SHORT = THEOREM_3.also(defined(lam, 1 / (2 * rho)))
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
        "Lipschitz gradient", claim, text, "eq:proof:thrm:3:evn:1/chain", "f is smooth and X is the whole space"
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


g_0 = f.sample(x_0, "g_0")
G_0 = ((x_0 - x_hat_0) / lam).named(r"\nabla F_\lambda(x_0)")
slope_0 = f.slope(x_0)
START = F_env(x_0) + RATIO * (2 * f_0 + beta**2 / (2 * nu) * g_0**2)
SUM = scalar(r"\sum_{k=0}^{K-1}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
SUM_FROM_1 = scalar(r"\sum_{k=1}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")


def first_step_3(share_of_f: Any = 1) -> Certificate:
    r"""The step that the paper writes as :math:`k=-1`: with :math:`z_0=\beta g_0`,
    :math:`\mathrm EV_0+\frac\alpha c\|\nabla F_\lambda(x_0)\|^2\le(1+2\xi^2/\lambda^2)f(x_0)+` one step's noise."""
    share = RATIO * beta**2 / (2 * nu)
    turn = (slope_0 - G_0).named(r"\nabla f(x_0)-\nabla f(\hat x_0)")
    lipschitz = given(
        "Lipschitz gradient",
        turn**2 <= rho**2 * (x_0 - x_hat_0) ** 2,
        r"\|\nabla f(x_0)-\nabla f(\hat x_0)\|\le\rho\|x_0-\hat x_0\|",
        "",
        "smooth",
    )
    terms = [
        1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        share * variance(g_0, slope_0),
        2 * share * young(G_0, turn, 1 / (rho * lam)),
        share * (1 + 1 / (rho * lam)) * lipschitz,
        (lam / 2 * (1 - rho * lam) - alpha / C - share * (1 + rho * lam) ** 2) * square(G_0),
        1 * number(STEP_3 - share * sigma2),
    ]
    claim = START + alpha / C * G_0**2 <= share_of_f * (1 + 2 * RATIO) * f_0 + STEP_3
    return Certificate(claim, terms, TRIVIAL, "eq:proof:thrm:3:evn:4/V_minus_1", domain=THEOREM_3)


def printed_bound(
    gap: Any = f_0 - f_star,
    weight: Any = 1 + 2 * RATIO,
    noise: Any = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam),
) -> Any:
    return C / (alpha_0 * N) * (weight * gap + noise * sigma2)


def evn_5(share: Any = 1) -> Certificate:
    r"""``eq:proof:thrm:3:evn:5`` for :math:`z_0=\beta g_0`: :math:`k^*\in\{-1,\dots,K-1\}`, :math:`\bar x_{-1}=\bar x_0=x_0`."""
    part = C / (alpha_0 * N)
    end = E(lyapunov_3(x_bar, x_k, z_k, d_k))
    steps = telescoped(E(START), end, SUM, weight=alpha / C, noise=STEP_3, steps=N**2 - 1, why="evn:4, k = 0..K-1")
    terms = [
        part * steps,
        part * first_step_3().hypothesis("the first step"),
        part * lower_3().hypothesis("the last term"),
    ]
    return Certificate(
        share * printed_bound() >= (G_0**2 + SUM) / N**2, terms, TRIVIAL, "eq:proof:thrm:3:evn:5", domain=THEOREM_3
    )


def bound_3(gap: Any) -> Any:
    return constants.theorem_3_bound(gap=gap, sigma2=sigma2, weak_convexity=rho, envelope=lam, alpha_0=alpha_0, root=N)


def theorem_3(share: Any = 1) -> Certificate:
    r"""Theorem 3, first display, as printed, for :math:`z_0=\beta g_0` and :math:`X=\mathbb R^n`: ``evn:5`` and :math:`\xi\le\alpha_0`."""
    more = C / (alpha_0 * N) * 2 * (alpha_0**2 / lam**2 - RATIO)
    slack = bound_3(0) - printed_bound(gap=0)
    terms = [
        1 * evn_5().hypothesis("evn:5"),
        more * given("Delta >= 0", f_star <= f_0, r"f^\star\le f(x_0)", "", "infimum"),
        1 * number(slack),
    ]
    return Certificate(
        share * bound_3(f_0 - f_star) >= (G_0**2 + SUM) / N**2,
        terms,
        TRIVIAL,
        "thrm:smooth:unconstrained:complexity",
        domain=THEOREM_3,
    )


def four(power: int = 2, factor: Any = 4) -> Certificate:
    r"""Second display, :math:`\lambda=1/(2\rho)`:
    :math:`4\,((1+8\rho^2\alpha_0^2)\Delta+(\rho+16\alpha_0\rho^2)\sigma^2\alpha_0^2)/(\alpha_0\sqrt{K+1})`."""
    right = (
        factor
        * ((1 + 8 * rho**2 * alpha_0**2) * Delta + (rho + 16 * alpha_0 * rho**2) * sigma2 * alpha_0**power)
        / (alpha_0 * N)
    )
    return identity(
        constant(bound_3(Delta)), constant(right), "thrm:smooth:unconstrained:complexity/second", domain=SHORT
    )


# --- the printed start z_0 = g_0

g_1 = f.sample((x_0 - alpha * g_0).named("x_1"), "g_1")
x_1 = (x_0 - alpha * g_0).named("x_1")
x_bar_1 = (x_0 - g_0 / nu).named(r"\bar x_1")
V_1 = (
    F_env(x_bar_1)
    + RATIO * (2 * f(x_1) + (beta * g_1 + (1 - beta) * g_0) ** 2 / (2 * nu) + xi / 2 * g_0**2)
    + alpha * RATIO * g_0**2
)
JUMP = 1 / (2 * lam * nu**2) + RATIO * (
    rho * alpha**2 + (1 - beta + 2 * beta * rho**2 * alpha**2) / (2 * nu) + xi / 2 + alpha
)


def first_step_printed(share: Any = 1) -> Certificate:
    r"""After :math:`z_0=g_0`, with :math:`J` = ``JUMP`` and :math:`q=\alpha\xi^2/\lambda^2`:
    :math:`\mathrm EV_1\le(1+2\xi^2/\lambda^2)f(x_0)+(J+q/2)\sigma^2+(J-q)\|\nabla f(x_0)\|^2`."""
    turn = (f.slope(x_1) - slope_0).named(r"\nabla f(x_1)-\nabla f(x_0)")
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, x_0),
        2 * RATIO * smooth_above(f, x_0, x_1),
        RATIO / (2 * nu) * square_convexity(g_1, g_0, beta),
        RATIO * beta / (2 * nu) * variance(g_1, f.slope(x_1)),
        RATIO * beta / (2 * nu) * square(turn - slope_0),
        RATIO * beta / nu * lipschitz_gradient(f, x_1, x_0),
        JUMP * variance(g_0, slope_0),
    ]
    right = (1 + 2 * RATIO) * f_0 + share * (JUMP + alpha * RATIO / 2) * sigma2 + (JUMP - alpha * RATIO) * slope_0**2
    return Certificate(right >= V_1, terms, TRIVIAL, "thrm:smooth:unconstrained:complexity", domain=THEOREM_3)


def slope_bounded(factor: Any = 2) -> Certificate:
    r""":math:`\|\nabla f(x_0)\|^2\le2\rho(f(x_0)-f^\star)`, by one exact gradient step."""
    lower = (x_0 - slope_0 / rho).named(r"x_0-\tfrac1\rho\nabla f(x_0)")
    terms = [2 * rho * smooth_above(f, x_0, lower), 2 * rho * below(lower)]
    return Certificate(slope_0**2 <= factor * rho * (f_0 - f_star), terms, domain=THEOREM_3)


def first_gradient_3(factor: Any = 3 * HALF) -> Certificate:
    rest = factor / lam * (1 / lam - rho / 2) - 1 / lam**2
    terms = [
        factor / lam * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        factor / lam * below(x_hat_0),
        rest * square(x_0 - x_hat_0),
    ]
    return Certificate(factor / lam * (f_0 - f_star) >= G_0**2, terms, domain=THEOREM_3)


def theorem_3_start(share: Any = 1) -> Certificate:
    r"""Theorem 3 for the printed start :math:`z_0=g_0`, :math:`k^*\in\{0,\dots,K\}`: the rate stays, with explicit extra constants."""
    part = C / (alpha_0 * N)
    end = E(lyapunov_3(x_bar, x_k, z_k, d_k))
    steps = telescoped(E(V_1), end, SUM_FROM_1, weight=alpha / C, noise=STEP_3, steps=N**2 - 1, why="evn:4, k = 1..K")
    terms = [
        part * steps,
        part * first_step_printed().hypothesis("the first step"),
        part * (JUMP - alpha * RATIO) * slope_bounded().hypothesis("the gradient of f at x_0"),
        part * lower_3().hypothesis("the last term"),
        1 / N**2 * first_gradient_3().hypothesis("the gradient of the envelope at x_0"),
        part * number(STEP_3),
    ]
    gap = 1 + 2 * RATIO + 2 * rho * (JUMP - alpha * RATIO) + 3 * alpha / (2 * lam * C)
    noise = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam) + JUMP + alpha * RATIO / 2
    right = printed_bound(weight=gap, noise=noise)
    return Certificate(
        share * right >= (G_0**2 + SUM_FROM_1) / N**2,
        terms,
        TRIVIAL,
        "thrm:smooth:unconstrained:complexity",
        domain=THEOREM_3,
    )


def proofs() -> dict[str, list[Proof]]:
    """Every certificate of Theorem 3, by label."""
    three, E_, up = "thrm:smooth:unconstrained:complexity", "eq:proof:thrm:3:evn", 1 / TENTH
    bound = proof_of("z_0 = beta g_0, X = R^n: as printed", theorem_3, "two thirds of it", share=sp.Rational(2, 3))
    fifth = proof_of("from evn:4, the first step and the last term", evn_5, "nine tenths", share=TENTH)
    second = proof_of("the first display at lambda = 1/(2 rho)", four, "alpha_0^3, as printed", power=3)
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
        f"{E_}:4/V_minus_1": [
            proof_of("the first step, k = 0", first_step_3, "nine tenths of the weight of f(x_0)", share_of_f=TENTH)
        ],
        f"{E_}:4/sum": [fifth],
        f"{E_}:5": [fifth],
        f"{E_}:5/nu": [bound],
        f"{E_}:5/second": [second],
        three: [
            bound,
            second,
            proof_of("z_0 = g_0 with explicit extra constants", theorem_3_start, "nine tenths", share=TENTH),
            proof_of("E V_1 after z_0 = g_0", first_step_printed, "nine tenths of the noise", share=TENTH),
            proof_of("|grad f(x_0)|^2 <= 2 rho Delta", slope_bounded, "1.8 for 2", factor=2 * TENTH),
            proof_of("|grad F(x_0)|^2 <= 3 Delta/(2 lambda)", first_gradient_3, "1 for 3/2", factor=1),
        ],
        f"{three}/bound": [bound],
        f"{three}/c": [proof_of("c = 4 at lambda = 1/(2 rho)", four, "5 for 4", factor=5)],
        f"{three}/second": [second],
    }


PROOFS = proofs()
