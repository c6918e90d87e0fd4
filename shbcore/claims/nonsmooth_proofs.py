r"""Certificates for the non-smooth half of the paper, symbolic in all parameters: Lemmas 3 and 4, Appendices A and B."""

from typing import Any

from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL
from shbcore.proof.certificate import Certificate, Proof, proof_of
from shbcore.proof.hypotheses import bounded, nonexpansive, projection, second_moment, weak_convexity
from shbcore.proof.step import L2, alpha, beta, d_k, d_next, f, g_k, nu, p_k, p_next, rho, trial, x_k, x_next, x_prev

NOISE = constants.lemma_3_noise(weak_convexity=rho, beta=beta, nu=nu)


def lemma_3(noise: Any = NOISE) -> Certificate:
    r"""Lemma 3 in total expectation; the bounds on :math:`\mathrm E\|d_k\|^2` are ``eq:xdiff:norm:L`` without its condition."""
    left = (1 - beta) * f(x_k) + nu / 2 * p_next**2
    right = (1 - beta) * f(x_prev) + nu / 2 * p_k**2 - alpha * d_next**2 + alpha**2 * noise * L2
    terms = [
        nu / (2 * beta**2) * nonexpansive(trial, x_next, (1 - beta, x_k), (beta, x_next)),
        1 / alpha * projection(trial, x_next, (1, x_k)).at("eq:x:opt:cond:x_next:new"),
        (1 - beta) * weak_convexity(f, x_k, x_prev).at("proof:lem:1:inp:g:xdiff"),
        nu * alpha**2 / 2 * second_moment(g_k),
        alpha**2 * rho * (1 - beta) / 2 * bounded(d_k, L2, total=True).at("eq:xdiff:norm:L"),
        alpha**2 * nu / 2 * bounded(d_next, L2, total=True).at("eq:xdiff:norm:L"),
    ]
    return Certificate(left <= right, terms, TRIVIAL, "lem:xdiff:non-smooth")


PROOFS: dict[str, list[Proof]] = {
    "lem:xdiff:non-smooth": [
        proof_of("Lemma 3 in total expectation", lemma_3, "nine tenths of the noise constant", noise=NOISE * 9 / 10)
    ],
}
