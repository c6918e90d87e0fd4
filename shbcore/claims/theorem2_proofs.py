r"""Certificates of Theorem 2: Appendix D, and the gradient mapping."""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from dataclasses import replace
from typing import Any

import sympy as sp

from shbcore.claims.lemma4_proofs import GAMMA
from shbcore.claims.nonsmooth_proofs import GAMMA_1, PARAMETER_FREE, THEOREM_1, alpha_0, ten, theorem_1
from shbcore.claims.phi_proofs import HALF, PAST, TENTH
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, Verdict, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import defined, positive
from shbcore.proof.step import *

SECOND = sigma2 + G2
SHARP = sp.Rational(9, 4)


def second_moment_bound(share: Any = 1) -> Steps:
    r"""(A3) and :math:`\|\nabla f\|\le G` imply (A2) with :math:`L^2=\sigma^2+G^2`."""
    slope = f.slope(x_k)
    split = Certificate((g_k**2).equals((g_k - slope) ** 2 + slope**2), (), PAST)
    terms = [1 * variance(g_k, slope), 1 * bounded(slope, G2)]
    return Steps(
        [split, Certificate(g_k**2 <= share * SECOND, terms, PAST, "appendix:proof:thrm:smooth:complexity/base")]
    )


def z_step(noise: Any = 1) -> Steps:
    r"""The induction step: cross terms vanish, then the square is convex."""
    slope, noisy = f.slope(x_next), g_next - f.slope(x_next)
    split = Certificate((z_next**2).equals(beta**2 * noisy**2 + (beta * slope + (1 - beta) * d_next) ** 2), (), 0)
    right = noise * beta**2 * sigma2 + beta * slope**2 + (1 - beta) * d_next**2
    terms = [beta**2 * variance(g_next, slope), 1 * square_convexity(slope, d_next, beta)]
    return Steps([split, Certificate(z_next**2 <= right, terms, TRIVIAL, "appendix:proof:thrm:smooth:complexity/step")])


def d_below_z(share: Any = 1) -> Certificate:
    terms = [1 / alpha**2 * nonexpansive(trial, x_next, (1, x_k))]
    return Certificate(
        d_next**2 <= share * z_k**2, terms, PATHWISE, "appendix:proof:thrm:smooth:complexity/nonexpansive"
    )


def z_bounded(share: Any = 1) -> Certificate:
    r""":math:`\mathrm E\|z_k\|^2\le\sigma^2+G^2` implies the same at :math:`k+1`."""
    terms = [
        1 * z_step().parts[1].hypothesis("the step"),
        beta * bounded(f.slope(x_next), G2),
        (1 - beta) * d_below_z().hypothesis("nonexpansiveness"),
        (1 - beta)
        * bounded(z_k, SECOND, total=True).at("appendix:proof:thrm:smooth:complexity", "the induction hypothesis"),
        beta * (1 - beta) * number(sigma2),
    ]
    return Certificate(z_next**2 <= share * SECOND, terms, TRIVIAL, "appendix:proof:thrm:smooth:complexity/conclusion")


def theorem_2(bound: Any = constants.theorem_1_bound) -> Certificate:
    r"""Theorem 2 is Theorem 1 at :math:`L^2=\sigma^2+G^2`."""
    return replace(theorem_1(bound), domain=THEOREM_1.also(defined(L2, SECOND)), label="thrm:smooth:complexity")


def one_scale(share: Any = 1) -> Steps:
    r"""Remark ii: with :math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\beta=1/\sqrt{K+1}` for any :math:`\alpha_0>0`, both constants of the
    bound stay below their limits as :math:`K\to\infty`: the rate needs neither :math:`\rho` nor :math:`\sigma` nor :math:`G`."""
    limit = {"envelope": lam, "beta": 0, "nu": 1 / alpha_0}
    gamma = sign(share * constants.gamma(weak_convexity=rho, **limit) - GAMMA, domain=THEOREM_1)
    return Steps([gamma, sign(constants.gamma_1(**limit) - GAMMA_1, domain=THEOREM_1)])


def ten_2(factor: Any = 10) -> Certificate:
    return replace(ten(factor), domain=PARAMETER_FREE.also(defined(L2, SECOND)), label="thrm:smooth:complexity/ten")


# --- the gradient mapping


def gradient_mapping(factor: Any = SHARP) -> Certificate:
    r""":math:`\|\mathcal G_{1/\rho}(x)\|^2\le\frac94\|\nabla F_{1/(2\rho)}(x)\|^2`, from the two optimality conditions and smoothness."""
    x, prox, plus = vector("x"), vector(r"\hat x"), vector("x^+")
    near, move = x - prox, prox - plus
    turn = f.slope(x) - f.slope(prox)
    terms = [
        3
        * 2
        * rho**2
        * projection((x - f.slope(prox) / (2 * rho)).named(r"x-\tfrac{1}{2\rho}\nabla f(\hat x)"), prox, (1, plus)),
        3 * rho**2 * projection((x - f.slope(x) / rho).named(r"x-\tfrac{1}{\rho}\nabla f(x)"), plus, (1, prox)),
        3 * rho * young(turn, move, rho / 2),
        3 * lipschitz_gradient(f, x, prox),
        sp.Rational(5, 4) * rho**2 * square(move - 2 * near),
    ]
    claim = (rho * (x - plus)) ** 2 <= factor * (2 * rho * near) ** 2
    return Certificate(
        claim, terms, PATHWISE, "thrm:smooth:complexity/remark-iii", domain=ADMISSIBLE.also(positive(rho))
    )


def mapping_constants() -> Proof:
    r"""The printed :math:`\frac32(1+1/\sqrt2)` exceeds :math:`\frac32`, which :math:`f=\rho x^2/2` attains: true, and loose."""

    def test(claimed: Any) -> Verdict:
        prox = sp.solve(2 * rho * (x_0_ - hat_) - rho * hat_, hat_)[0]
        ratio = sp.cancel(rho * x_0_ / (2 * rho * (x_0_ - prox)))
        printed = claimed * (1 + 1 / sp.sqrt(2))
        return Verdict(
            ratio == claimed and bool(printed > claimed), f"f = rho x^2/2 attains {ratio}; printed {printed}"
        )

    x_0_, hat_ = sp.symbols("x xhat")
    return Proof(
        "certificate",
        "3/2 is attained, the printed constant is larger",
        lambda: test(3 * HALF),
        lambda: test(sp.Integer(1)),
        "1 for 3/2",
    )


def proofs() -> dict[str, list[Proof]]:
    """Every certificate of Theorem 2, by label."""
    two, D = "thrm:smooth:complexity", "appendix:proof:thrm:smooth:complexity"
    theorem = proof_of(
        "Theorem 1 at L^2 = sigma^2 + G^2",
        theorem_2,
        "without alpha_0^2, as printed",
        bound=constants.theorem_1_bound_printed,
    )
    moment = proof_of("(A3) and G imply (A2)", second_moment_bound, "nine tenths", share=TENTH)
    return {
        two: [theorem, moment],
        f"{two}/bound": [theorem],
        f"{two}/ten": [proof_of("sign over the whole range", ten_2, "nine", factor=9)],
        f"{two}/remark-ii": [
            proof_of(
                "the constants stay bounded as K grows, for any alpha_0", one_scale, "nine tenths of it", share=TENTH
            )
        ],
        f"{two}/remark-iii": [
            proof_of("3/2 for the printed constant", gradient_mapping, "nine tenths", factor=TENTH * SHARP),
            mapping_constants(),
        ],
        D: [theorem, moment],
        f"{D}/base": [moment],
        f"{D}/step": [proof_of("cross terms vanish", z_step, "nine tenths of the noise", noise=TENTH)],
        f"{D}/nonexpansive": [proof_of("the projection at x_k", d_below_z, "nine tenths", share=TENTH)],
        f"{D}/conclusion": [proof_of("induction step", z_bounded, "nine tenths", share=TENTH)],
    }


PROOFS = proofs()
