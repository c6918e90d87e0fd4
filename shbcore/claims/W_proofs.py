r"""Certificates of the second half of Appendix C: ``lem:z:diff`` and the W lemma.

What touches :math:`\Delta_k=g_k-\nabla f(x_k)` holds given :math:`\mathcal F_{k-1}` (``PAST``), and hence in total expectation: the repair
of both lemmas, which the paper states given :math:`\mathcal F_k`.  ``r`` is :math:`\rho\alpha`.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.phi_proofs import NOW, PAST, QUARTER, SMOOTH, TENTH, W, lemma_xdiff_smooth, r, stepsizes_up_to
from shbcore.proof.algebra import Vector, constant, pull_out, recondition, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, Verdict, identity, proof_of, refused, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.step import *

noise_k = (g_k - f.slope(x_k)).named(r"\Delta_k")
noise_next = (g_next - f.slope(x_next)).named(r"\Delta_{k+1}")
turn = (f.slope(x_next) - f.slope(x_k)).named(r"\nabla f(x_{k+1})-\nabla f(x_k)")
q_k = (beta * f.slope(x_k) + (1 - beta) * d_k).named("p_k")
q_next = (beta * f.slope(x_next) + (1 - beta) * d_next).named("p_{k+1}")
x_virtual = vector("x'_{k+1}", PAST)
q_virtual = (beta * f.slope(x_virtual) + (1 - beta) / alpha * (x_k - x_virtual)).named("p'_{k+1}")


# --- lem:z:diff, given F_{k-1}


def z_diff_1(factor: Any = 1) -> Steps:
    inner = beta * turn + (1 - beta) * (d_next - d_k)
    split = beta**2 * (noise_next - noise_k) ** 2 + inner**2 + factor * 2 * beta * ((noise_next - noise_k) @ inner)
    whole = (z_next - z_k) ** 2
    middle = (beta * (g_next - g_k) + (1 - beta) * (d_next - d_k)) ** 2
    return Steps([identity(whole, middle), identity(whole, split, "proof:smooth:z:diff:1")])


def noise_difference(factor: Any = 4) -> Certificate:
    claim = beta**2 * (noise_next - noise_k) ** 2 <= factor * beta**2 * sigma2
    oracle = [variance(g_next, f.slope(x_next)), variance(g_k, f.slope(x_k))]
    slack = sp.sympify(factor) / 2
    terms = [slack * beta**2 * one for one in oracle] + [(slack - 1) * beta**2 * square(noise_next + noise_k)]
    return Certificate(claim, terms, PAST, "proof:smooth:z:diff:Delta", domain=SMOOTH)


def noise_product(factor: Any = 1) -> Certificate:
    r"""``proof:smooth:z:diff:T``: the last term of ``proof:smooth:z:diff:1`` in the letters :math:`p_k`."""
    inner = beta * turn + (1 - beta) * (d_next - d_k)
    return identity(
        2 * beta * ((noise_next - noise_k) @ inner), factor * 2 * beta * ((noise_next - noise_k) @ (q_next - q_k))
    )


def fresh_noise_vanishes(against: Vector = q_next - q_k) -> Certificate:
    return Certificate((noise_next @ against).equals(0), (), NOW, "proof:smooth:cond:expect:a")


def old_noise_vanishes(against: Vector = q_k) -> Certificate:
    return Certificate((noise_k @ against).equals(0), (), PAST, "proof:smooth:cond:expect:b:1")


def virtual_step(against: Vector = q_virtual) -> Certificate:
    r"""Subtracting the virtual :math:`p'_{k+1}` costs nothing: :math:`\mathrm E\langle\Delta_k,p'_{k+1}\rangle=0`."""
    return Certificate((-(noise_k @ q_next)).equals(noise_k @ (against - q_next)), (), PAST)


def virtual_distance() -> Hypothesis:
    return nonexpansive_pair(trial, x_next, (x_k - alpha * q_k).named(r"x_k-\alpha p_k"), x_virtual)


def normdiff(factor: Any = 1, bound: Any = 1) -> Certificate:
    r"""``proof:smooth:p:normdiff``, squared: :math:`\|p_{k+1}-p'_{k+1}\|^2\le\beta^2\|\Delta_k\|^2` for :math:`\rho\alpha\le1`."""
    gradient, step = f.slope(x_next) - f.slope(x_virtual), x_virtual - x_next
    slope = beta * rho + (1 - beta) / alpha
    terms = [
        2 * beta * (1 - beta) / alpha * young(gradient, step, rho),
        (beta**2 + beta * (1 - beta) / (alpha * rho)) * lipschitz_gradient(f, x_next, x_virtual),
        slope**2 * virtual_distance(),
        beta**2 * (factor - (alpha * slope) ** 2) * square(noise_k),
    ]
    claim = (q_next - q_virtual) ** 2 <= factor * beta**2 * noise_k**2
    return Certificate(claim, terms, PATHWISE, "proof:smooth:p:normdiff", domain=stepsizes_up_to(bound))


def noise_against_momentum(factor: Any = 1) -> Certificate:
    terms = [
        1 * young(noise_k, q_virtual - q_next, 1 / beta),
        1 / (2 * beta) * normdiff().hypothesis(),
        beta * variance(g_k, f.slope(x_k)),
    ]
    return Certificate(
        -(noise_k @ q_next) <= factor * beta * sigma2, terms, PAST, "proof:smooth:cond:expect:b:3", domain=SMOOTH
    )


def cross_term(factor: Any = 2) -> Certificate:
    claim = 2 * beta * ((noise_next - noise_k) @ (q_next - q_k)) <= factor * beta**2 * sigma2
    return Certificate(
        claim,
        [2 * beta * noise_against_momentum().hypothesis()],
        PAST,
        "proof:smooth:cond:expect:b:final",
        domain=SMOOTH,
    )


def z_diff_2(noise: Any = 6, delta: Any = 4) -> Certificate:
    r"""``proof:smooth:z:diff:2``; ``noise`` is 4 once :math:`\mathrm E\langle\Delta_{k+1},\Delta_k\rangle=0` is used (``delta=2``)."""
    right = beta * rho**2 * alpha**2 * d_next**2 + (1 - beta) * (d_next - d_k) ** 2 + noise * beta**2 * sigma2
    terms = [
        1 * noise_difference(delta).hypothesis(),
        1 * cross_term().hypothesis(),
        1 * square_convexity(turn, d_next - d_k, beta),
        beta * lipschitz_gradient(f, x_next, x_k),
    ]
    return Certificate((z_next - z_k) ** 2 <= right, terms, PAST, "proof:smooth:z:diff:2", domain=SMOOTH)


def d_decomposition(factor: Any = 2) -> Certificate:
    return identity(
        (d_next - d_k) ** 2, d_k**2 - d_next**2 + factor * (d_next @ (d_next - d_k)), "proof:smooth:d:diff:decom"
    )


def d_optimality(factor: Any = 1) -> Certificate:
    claim = (-d_next + factor * beta * g_k + (1 - beta) * d_k) @ (-d_next) <= constant(0)
    return Certificate(
        claim, [1 / alpha**2 * projection(trial, x_next, (1, x_k))], PATHWISE, "proof:smooth:d:diff:decom:1/optimality"
    )


def d_product(factor: Any = 1) -> Certificate:
    r"""``proof:smooth:d:diff:decom:1`` times :math:`1-\beta`, so that :math:`\beta=1` needs no exception."""
    claim = (1 - beta) * (d_next @ (d_next - d_k)) <= -factor * beta * d_next**2 + beta / alpha * (g_k @ (x_k - x_next))
    return Certificate(claim, [1 * d_optimality().hypothesis()], PATHWISE, "proof:smooth:d:diff:decom:1")


def gradient_split(factor: Any = 1) -> Certificate:
    move = x_k - x_next
    return identity(
        g_k @ move, noise_k @ move + f.slope(x_next) @ move - factor * (turn @ move), "proof:smooth:g:inp/split"
    )


def step_noise_identity(against: Vector = x_virtual) -> Certificate:
    return Certificate(
        (noise_k @ (x_k - x_next)).equals(noise_k @ (against - x_next)), (), PAST, "proof:smooth:g:inp/noise"
    )


def step_noise(factor: Any = 1) -> Certificate:
    terms = [
        1 * young(noise_k, x_virtual - x_next, 1 / (alpha * beta)),
        1 / (2 * alpha * beta) * virtual_distance(),
        alpha * beta * variance(g_k, f.slope(x_k)),
    ]
    return Certificate(
        noise_k @ (x_k - x_next) <= factor * alpha * beta * sigma2, terms, PAST, "proof:smooth:g:inp", domain=SMOOTH
    )


def gradient_step_a(factor: Any = 1) -> Certificate:
    claim = f.slope(x_next) @ (x_k - x_next) <= f(x_k) - f(x_next) + factor * rho / 2 * (x_next - x_k) ** 2
    return Certificate(claim, [1 * weak_convexity(f, x_next, x_k)], PATHWISE, "proof:smooth:g:inp:2a", domain=SMOOTH)


def gradient_step_b(factor: Any = 1) -> Certificate:
    move = x_k - x_next
    terms = [1 * young(-turn, move, rho), 1 / (2 * rho) * lipschitz_gradient(f, x_next, x_k)]
    return Certificate(
        (-turn) @ move <= factor * rho * move**2, terms, PATHWISE, "proof:smooth:g:inp:2b", domain=SMOOTH
    )


def d_product_bounded(factor: Any = 1) -> Certificate:
    gain = f(x_k) - f(x_next) + factor * 3 * rho * alpha**2 / 2 * d_next**2 + alpha * beta * sigma2
    claim = (1 - beta) * (d_next @ (d_next - d_k)) <= -beta * d_next**2 + beta / alpha * gain
    parts = [step_noise().hypothesis(), gradient_step_a().hypothesis(), gradient_step_b().hypothesis()]
    terms = [1 * d_product().hypothesis(), *(beta / alpha * part for part in parts)]
    return Certificate(claim, terms, PAST, "proof:smooth:d:diff:decom:2", domain=SMOOTH)


def d_difference(bend: Any = 3, noise: Any = 2, sharp: bool = False) -> Certificate:
    r"""``proof:smooth:d:diff:decom:final``; ``sharp`` replaces 2a and 2b by one use of smoothness at :math:`x_k`, and 3 by 1."""
    right = (1 - beta) * (d_k**2 - d_next**2) - (2 * beta - bend * rho * alpha * beta) * d_next**2
    right = right + 2 * beta / alpha * (f(x_k) - f(x_next)) + noise * beta**2 * sigma2
    if sharp:
        terms = [
            2 * d_product().hypothesis(),
            2 * beta / alpha * step_noise().hypothesis(),
            2 * beta / alpha * smooth_above(f, x_k, x_next),
        ]
    else:
        terms = [2 * d_product_bounded().hypothesis()]
    return Certificate(
        (1 - beta) * (d_next - d_k) ** 2 <= right, terms, PAST, "proof:smooth:d:diff:decom:final", domain=SMOOTH
    )


def z_diff_3(noise: Any = 8, bend: Any = 3, delta: Any = 4, sharp: bool = False) -> Certificate:
    right = (1 - beta) * (d_k**2 - d_next**2) + 2 * beta / alpha * (f(x_k) - f(x_next))
    right = (
        right - (2 * beta - bend * rho * alpha * beta - beta * rho**2 * alpha**2) * d_next**2 + noise * beta**2 * sigma2
    )
    small = z_diff_2(delta + 2, delta) if sharp else z_diff_2()
    terms = [1 * small.hypothesis(), 1 * d_difference(bend if sharp else 3, sharp=sharp).hypothesis()]
    return Certificate((z_next - z_k) ** 2 <= right, terms, PAST, "proof:smooth:z:diff:3", domain=SMOOTH)


def lemma_z_diff(noise: Any = 4, bend: Any = 3, sharp: bool = False) -> Certificate:
    r"""``lem:z:diff`` given :math:`\mathcal F_{k-1}`; sharper: noise 3 and :math:`\rho\alpha^2` for :math:`3\rho\alpha^2`."""
    right = f(x_k) - f(x_next) + xi / 2 * d_k**2 - xi / 2 * d_next**2
    right = (
        right - (alpha - (alpha**3 * rho**2 + bend * rho * alpha**2) / 2) * d_next**2 + noise * nu * alpha**2 * sigma2
    )
    line = z_diff_3(6, 1, 2, True) if sharp else z_diff_3()
    return Certificate(
        (z_next - z_k) ** 2 / (2 * nu) <= right, [1 / (2 * nu) * line.hypothesis()], PAST, "lem:z:diff", domain=SMOOTH
    )


def lemma_W(noise: Any = 4, threshold: Any = QUARTER, fall: Any = 1) -> Certificate:
    r"""The W lemma given :math:`\mathcal F_{k-1}`:
    :math:`\mathrm E[W_{k+1}]\le\mathrm E[W_k]-\alpha\mathrm E\|d_{k+1}\|^2+4\nu\alpha^2\sigma^2`
    for :math:`\rho\alpha\le\frac14`; :mod:`shbcore.claims.W_sharp_proofs` has its best stepsize."""
    left = alpha * (2 - fall) - 2 * rho * alpha**2 - alpha**3 * rho**2 / 2
    right = W(x_k, z_k, d_k) - fall * alpha * d_next**2 + noise * nu * alpha**2 * sigma2
    terms = [1 * lemma_xdiff_smooth().hypothesis(), 1 * lemma_z_diff().hypothesis(), left * square(d_next)]
    return Certificate(
        W(x_next, z_next, d_next) <= right, terms, PAST, "lem:Wfunc:smooth", domain=stepsizes_up_to(threshold)
    )


def threshold(polynomial: Any) -> Proof:
    r"""The largest :math:`\rho\alpha` that the paper's proof of the W lemma allows: the one positive root of its margin."""

    def test(quadratic: Any) -> Verdict:
        margin = 1 - r / 2 - (r**2 + 3 * r) / 2
        residual = sp.expand(margin - quadratic)
        roots = [root for root in sp.roots(sp.Poly(quadratic, r)) if root.is_positive]
        return Verdict(residual is sp.S.Zero and len(roots) == 1, f"margin {sp.expand(margin)} vanishes at r = {roots}")

    return Proof(
        "certificate",
        "the exact threshold of the printed proof",
        lambda: test(polynomial),
        lambda: test(polynomial - r / 10),
        "another quadratic",
    )


ELEVEN = sp.Rational(11, 25)


def _margin(bound: Any = ELEVEN) -> Certificate:
    margin = alpha - 2 * rho * alpha**2 - alpha**3 * rho**2 / 2
    return sign(margin, "lem:Wfunc:smooth/stepsize", domain=stepsizes_up_to(bound))


THREE = 3 * TENTH
PROOFS: dict[str, list[Proof]] = {
    "proof:smooth:z:diff:1": [
        proof_of("expanding the square", z_diff_1, "nine tenths of the cross term", factor=TENTH)
    ],
    "proof:smooth:z:diff:Delta": [
        proof_of("given F_{k-1}", noise_difference, "1.8 for 4: below the sharp 2", factor=sp.Rational(9, 5)),
        proof_of(
            "sharper: 2 for 4, since the noises are uncorrelated",
            lambda factor=2: noise_difference(factor),
            "1.8 for 2",
            factor=2 * TENTH,
        ),
        refused(
            "given F_k the noise |Delta_k|^2 is known, not averaged",
            lambda: recondition(noise_k**2, NOW, PAST),
            lambda: recondition(d_k**2, NOW, PAST),
            "|d_k|^2 is known at F_{k-1}",
        ),
    ],
    "proof:smooth:z:diff:T": [
        proof_of("the cross term by its letters", noise_product, "nine tenths of it", factor=TENTH)
    ],
    "proof:smooth:cond:expect:a": [
        proof_of("fresh noise against the past", fresh_noise_vanishes, "against z_{k+1}", against=z_next)
    ],
    "proof:smooth:cond:expect:b": [
        refused(
            "E[.|F_k] = E[.|F_{k-1}] of <Delta_k, p_{k+1} - p_k>",
            lambda: recondition(noise_k @ (q_next - q_k), NOW, PAST),
            lambda: recondition(d_k @ q_k, NOW, PAST),
            "the same of <d_k, p_k>, which F_{k-1} knows",
        ),
        refused(
            "pulling p_{k+1} out of an expectation given F_{k-1}",
            lambda: pull_out(q_next, noise_k, PAST),
            lambda: pull_out(q_k, noise_k, PAST),
            "pulling out p_k",
        ),
    ],
    "proof:smooth:cond:expect:b:1": [
        proof_of("noise against what F_{k-1} knows", old_noise_vanishes, "against p_{k+1}", against=q_next)
    ],
    "proof:smooth:p:normdiff/cauchy": [
        proof_of("subtracting the virtual iterate", virtual_step, "subtracting p_{k+1} instead", against=q_next)
    ],
    "proof:smooth:p:normdiff": [
        proof_of("for every stepsize up to 1/rho", normdiff, "four fifths of beta", factor=sp.Rational(16, 25)),
    ],
    "proof:smooth:cond:expect:b:3": [proof_of("given F_{k-1}", noise_against_momentum, "nine tenths", factor=TENTH)],
    "proof:smooth:cond:expect:b:final": [proof_of("given F_{k-1}", cross_term, "nine tenths of 2", factor=2 * TENTH)],
    "proof:smooth:z:diff:2": [
        proof_of("given F_{k-1}", z_diff_2, "nine tenths of 6", noise=6 * TENTH),
        proof_of("sharper: 4 for 6", lambda noise=4: z_diff_2(noise, 2), "nine tenths of 4", noise=4 * TENTH),
    ],
    "proof:smooth:d:diff:decom": [
        proof_of("difference of squares", d_decomposition, "nine tenths of the product", factor=2 * TENTH)
    ],
    "proof:smooth:d:diff:decom:1/optimality": [
        proof_of("optimality in d", d_optimality, "nine tenths of g_k", factor=TENTH)
    ],
    "proof:smooth:d:diff:decom:1": [
        proof_of("times 1 - beta, beta = 1 included", d_product, "a larger decrease", factor=1 / TENTH)
    ],
    "proof:smooth:g:inp/split": [
        proof_of("splitting the subgradient", gradient_split, "nine tenths of the turn", factor=TENTH)
    ],
    "proof:smooth:g:inp/noise": [
        proof_of("given F_{k-1}", step_noise_identity, "against x_{k+1}", against=x_next),
        refused(
            "E[.|F_k] = E[.|F_{k-1}] of <Delta_k, x_k - x_{k+1}>",
            lambda: recondition(noise_k @ (x_k - x_next), NOW, PAST),
            lambda: recondition(d_k @ x_k, NOW, PAST),
            "the same of <d_k, x_k>, which F_{k-1} knows",
        ),
    ],
    "proof:smooth:g:inp": [proof_of("given F_{k-1}", step_noise, "nine tenths", factor=TENTH)],
    "proof:smooth:g:inp:2a": [
        proof_of("weak convexity at x_{k+1}", gradient_step_a, "nine tenths of rho", factor=TENTH)
    ],
    "proof:smooth:g:inp:2b": [proof_of("the Lipschitz gradient", gradient_step_b, "nine tenths of rho", factor=TENTH)],
    "proof:smooth:d:diff:decom:2": [
        proof_of("given F_{k-1}, times 1 - beta", d_product_bounded, "nine tenths of 3 rho", factor=TENTH)
    ],
    "proof:smooth:d:diff:decom:final": [
        proof_of("given F_{k-1}", d_difference, "nine tenths of 3 rho", bend=THREE),
        proof_of(
            "sharper: rho for 3 rho", lambda bend=1: d_difference(bend, sharp=True), "nine tenths of rho", bend=TENTH
        ),
    ],
    "proof:smooth:z:diff:3": [
        proof_of("given F_{k-1}", z_diff_3, "nine tenths of 8", noise=8 * TENTH),
        proof_of(
            "sharper: 6 for 8, rho for 3 rho",
            lambda noise=6: z_diff_3(noise, 1, 2, True),
            "nine tenths of 6",
            noise=6 * TENTH,
        ),
    ],
    "proof:smooth:z:diff:3/conclusion": [proof_of("given F_{k-1}", lemma_z_diff, "nine tenths of 4", noise=4 * TENTH)],
    "lem:z:diff": [
        proof_of("given F_{k-1}", lemma_z_diff, "nine tenths of 4", noise=4 * TENTH),
        proof_of(
            "sharper: 3 for 4, rho for 3 rho",
            lambda noise=3: lemma_z_diff(noise, 1, True),
            "nine tenths of 3",
            noise=3 * TENTH,
        ),
    ],
    "lem:Wfunc:smooth/sketch-2": [proof_of("given F_{k-1}", lemma_z_diff, "nine tenths of 4", noise=4 * TENTH)],
    "lem:Wfunc:smooth/sketch-3": [
        proof_of("the sum of the two lines, rho alpha <= 1/4", lemma_W, "nine tenths of 4", noise=4 * TENTH)
    ],
    "lem:Wfunc:smooth": [
        proof_of("given F_{k-1}, rho alpha <= 1/4", lemma_W, "a decrease of 2 alpha |d_{k+1}|^2", fall=2),
    ],
    "eq:lem:smooth:W": [proof_of("given F_{k-1}, rho alpha <= 1/4", lemma_W, "nine tenths of 4", noise=4 * TENTH)],
    "lem:Wfunc:smooth/stepsize": [
        proof_of(
            "rho alpha <= 11/25 suffices",
            _margin,
            "rho alpha <= 1/2",
            bound=sp.Rational(1, 2),
        ),
        threshold(1 - 2 * r - r**2 / 2),
    ],
}
