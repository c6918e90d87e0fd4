r"""Certificates of the first half of Appendix C: the conjugate :math:`h^*`, :math:`\varphi_k`, and ``lem:xdiff:smooth``.

The lemma holds given :math:`\mathcal F_k`, as printed; it needs weak convexity only, and neither (A3) nor a bound on the stepsize.
"""
# ruff: noqa: F403, F405  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.model import constants
from shbcore.proof.algebra import Function, Vector, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Steps, identity, proof_of
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, between, defined
from shbcore.proof.step import *

NOW, PAST = 0, -1
TENTH, HALF, QUARTER = sp.Rational(9, 10), sp.Rational(1, 2), sp.Rational(1, 4)
r = sp.Symbol("r")


def stepsizes_up_to(bound: Any) -> Domain:
    r""":math:`\rho\alpha\in(0,\text{bound}]`, with :math:`\beta=\nu\alpha\in(0,1]`."""
    return Domain(between(r, 0, bound), *ADMISSIBLE.also(defined(rho, r / alpha)).ranges)


SMOOTH = stepsizes_up_to(1)
h_star = Function("h^*")
trial_next = (x_next - alpha * z_next).named(r"x_{k+1}-\alpha z_{k+1}")
WEIGHTS = constants.W_weights(alpha=alpha, beta=beta, nu=nu)


def phi(x: Vector, z: Vector) -> Any:
    r""":math:`\varphi = h^*(x-\alpha z)-\frac12\|x\|^2+\alpha\langle x,z\rangle`."""
    return h_star((x - alpha * z).named(rf"{x}-\alpha {z}")) - x**2 / 2 + alpha * (x @ z)


def W(x: Vector, z: Vector, d: Vector) -> Any:
    r""":math:`W = 2f(x)+\varphi/(\nu\alpha^2)+\frac\xi2\|d\|^2`, the weights from :mod:`shbcore.model.constants`."""
    return WEIGHTS.f * f(x) + WEIGHTS.phi * phi(x, z) + WEIGHTS.d * d**2


# --- the conjugate h* and phi


def conjugate_smooth(half: Any = HALF) -> Certificate:
    r""":math:`h^*(v)\le h^*(y)+\langle\Pi y,v-y\rangle+\frac12\|v-y\|^2`, with :math:`h^*(y)=\langle y,\Pi y\rangle-\frac12\|\Pi y\|^2`."""
    y, v, p, q = (vector(name) for name in ("y", "v", r"\Pi y", r"\Pi v"))
    claim = v @ q - q**2 / 2 <= y @ p - p**2 / 2 + p @ (v - y) + half * (v - y) ** 2
    terms = [1 * projection(y, p, (1, q)), sp.Rational(1, 2) * square(v - y - q + p)]
    return Certificate(claim, terms, PATHWISE, "alg:iters:def:a:rewrite/conjugate", r"h^*\text{ is 1-smooth}")


def conjugate_convex(sense: Any = 1) -> Certificate:
    r""":math:`h^*(v)\ge h^*(y)+\langle\Pi(y),v-y\rangle`: :math:`\Pi` is the gradient."""
    y, v, p, q = (vector(name) for name in ("y", "v", r"\Pi y", r"\Pi v"))
    claim = sense * (y @ p - p**2 / 2 + p @ (v - y)) <= sense * (v @ q - q**2 / 2)
    return Certificate(claim, [1 * projection(v, q, (1, p)), sp.Rational(1, 2) * square(p - q)], PATHWISE)


def smoothness() -> Any:
    r"""The line of the paper: smoothness of :math:`h^*` between the two trial points, whose gradient is :math:`x_{k+1}`."""
    move = trial_next - trial
    claim = h_star(trial_next) <= h_star(trial) + x_next @ move + move**2 / 2
    text = r"h^*(x_{k+1}-\alpha z_{k+1})\le h^*(x_k-\alpha z_k)+\langle x_{k+1},v-u\rangle+\tfrac12\|v-u\|^2"
    return given(
        "smoothness of h*", claim, text, "alg:iters:def:a:rewrite/smoothness", "$h^*$ has a 1-Lipschitz gradient"
    )


def rewrite(factor: Any = 1) -> Certificate:
    r"""``alg:iters:def:a:rewrite``: the two objectives differ by a constant, so :math:`\varphi_k=-\alpha\cdot` optimal value."""
    x = vector("x")
    step = alpha * (z_k @ (x - x_k) + (x - x_k) ** 2 / (2 * alpha))
    return identity(
        factor * step, (alpha * z_k - x_k) @ x + x**2 / 2 + x_k**2 / 2 - alpha * (z_k @ x_k), "alg:iters:def:a:rewrite"
    )


def phi_nonnegative(shift: Any = 0) -> Certificate:
    r""":math:`\varphi_k\ge\frac{\alpha^2}2\|d_{k+1}\|^2\ge0`, with :math:`h^*` at its maximiser :math:`x_{k+1}`."""
    value = trial @ x_next - x_next**2 / 2 - x_k**2 / 2 + alpha * (x_k @ z_k)
    terms = [1 * projection(trial, x_next, (1, x_k)), alpha**2 / 2 * square(d_next)]
    return Certificate(
        shift * alpha**2 * d_next**2 <= value, terms, PATHWISE, "lem:Wfunc:smooth/phi-sign", r"\varphi_k\ge0"
    )


# --- lem:xdiff:smooth, given F_k


def varphi_diff(half: Any = HALF) -> Certificate:
    move = trial_next - trial
    right = (
        x_next @ move + half * move**2 - x_next**2 / 2 + alpha * (x_next @ z_next) + x_k**2 / 2 - alpha * (x_k @ z_k)
    )
    return Certificate(phi(x_next, z_next) - phi(x_k, z_k) <= right, [1 * smoothness()], PATHWISE, "eq:varphi:diff")


def norm_identity(half: Any = HALF) -> Certificate:
    a, b = vector("a"), vector("b")
    return identity(a @ b, half * a**2 + b**2 / 2 - (a - b) ** 2 / 2, "eq:norm:identity")


def inner_1(x: Vector, z: Vector, label: str, power: int = 2) -> Certificate:
    return identity(x @ (alpha * z), x**2 / 2 + alpha**power / 2 * z**2 - (x - alpha * z) ** 2 / 2, label)


def inner_2(factor: Any = 1) -> Certificate:
    move = trial - trial_next
    return identity(trial**2 / 2 - trial_next**2 / 2, factor * (trial @ move) - move**2 / 2, "proof:lema:1:inp:2")


def varphi_diff_2(factor: Any = 1) -> Steps:
    left = phi(x_next, z_next) - phi(x_k, z_k)
    gain, jump = alpha**2 / 2 * z_next**2 - alpha**2 / 2 * z_k**2, x_next - x_k
    first = gain + factor * ((jump + alpha * z_k) @ (jump + alpha * z_k - alpha * z_next))
    second = gain + alpha**2 * (z_k @ (z_k - z_next)) + (jump + alpha * z_k) @ jump + alpha * (jump @ (z_k - z_next))
    return Steps([Certificate(left <= first, [1 * varphi_diff().hypothesis()]), Certificate(first.equals(second))])


def inner_3c(factor: Any = 1) -> Certificate:
    return identity(
        z_next**2 / 2 - z_k**2 / 2 + z_k @ (z_k - z_next), factor * (z_k - z_next) ** 2 / 2, "proof:lema:1:inp:3:c"
    )


def optimality(more: Any = 0) -> Certificate:
    jump = x_next - x_k
    claim = (jump + alpha * z_k) @ jump <= -more * d_next**2
    return Certificate(claim, [1 * projection(trial, x_next, (1, x_k))], PATHWISE, "eq:x:opt:cond:x_next")


def inner_3a(factor: Any = 1) -> Certificate:
    jump = x_next - x_k
    right = jump @ (alpha * z_k) - factor * alpha * beta * (jump @ g_next) + (1 - beta) * jump**2
    return identity(jump @ (alpha * z_k - alpha * z_next), right, "proof:lema:1:inp:3:a")


def inner_3b(factor: Any = 1) -> Certificate:
    jump = x_next - x_k
    claim = jump @ (alpha * z_k - alpha * z_next) <= -factor * beta * jump**2 + alpha * beta * (x_k - x_next) @ g_next
    return Certificate(claim, [1 * optimality().hypothesis()], PATHWISE, "proof:lema:1:inp:3:b")


def varphi_diff_3(factor: Any = 1) -> Certificate:
    right = (
        phi(x_k, z_k)
        - factor * beta * (x_next - x_k) ** 2
        + alpha * beta * ((x_k - x_next) @ g_next)
        + alpha**2 / 2 * (z_k - z_next) ** 2
    )
    terms = [1 * varphi_diff().hypothesis(), 1 * optimality().hypothesis(), 1 * inner_3b().hypothesis()]
    return Certificate(phi(x_next, z_next) <= right, terms, PATHWISE, "eq:varphi:diff:3")


def weak_convexity_next(factor: Any = 1) -> Certificate:
    claim = f(x_next) <= f(x_k) - (x_k - x_next) @ g_next + factor * rho / 2 * (x_next - x_k) ** 2
    return Certificate(claim, [1 * weak_convexity(f, x_next, x_k)], NOW, "proof:lema:1:inp:g:xdiff")


def lemma_xdiff_smooth(factor: Any = 1) -> Certificate:
    r"""``lem:xdiff:smooth`` given :math:`\mathcal F_k`: weak convexity suffices, for every stepsize and every start."""
    left = f(x_next) + phi(x_next, z_next) / (nu * alpha**2)
    right = (
        f(x_k)
        + phi(x_k, z_k) / (nu * alpha**2)
        - factor * (alpha - rho * alpha**2 / 2) * d_next**2
        + (z_k - z_next) ** 2 / (2 * nu)
    )
    terms = [1 / (nu * alpha**2) * varphi_diff_3().hypothesis(), 1 * weak_convexity_next().hypothesis()]
    return Certificate(left <= right, terms, NOW, "lem:xdiff:smooth")


PROOFS: dict[str, list[Proof]] = {
    "alg:iters:def:a:rewrite": [
        proof_of("the two objectives differ by a constant", rewrite, "twice the objective", factor=2)
    ],
    "alg:iters:def:a:rewrite/conjugate": [
        proof_of(
            "h* is 1-smooth, with the projection as gradient",
            conjugate_smooth,
            "nine tenths of the 1/2",
            half=TENTH / 2,
        ),
        proof_of("h* lies above its tangents", conjugate_convex, "below", sense=-1),
    ],
    "alg:iters:def:a:rewrite/smoothness": [
        proof_of("h* is 1-smooth between any two points", conjugate_smooth, "nine tenths of the 1/2", half=TENTH / 2)
    ],
    "lem:Wfunc:smooth/phi": [
        proof_of("phi_k is minus alpha times the optimal value", rewrite, "twice the objective", factor=2)
    ],
    "lem:Wfunc:smooth/phi-sign": [
        proof_of("phi_k is at least alpha^2 |d_{k+1}|^2 / 2", phi_nonnegative, "at least alpha^2 |d_{k+1}|^2", shift=1)
    ],
    "eq:varphi:diff": [proof_of("smoothness of h* in phi", varphi_diff, "nine tenths of the square", half=TENTH / 2)],
    "eq:norm:identity": [proof_of("polarisation", norm_identity, "nine tenths of the first square", half=TENTH / 2)],
    "proof:lema:1:inp:1:a": [
        proof_of(
            "polarisation at k",
            lambda power=2: inner_1(x_k, z_k, "proof:lema:1:inp:1:a", power),
            "alpha for alpha^2",
            power=1,
        )
    ],
    "proof:lema:1:inp:1:b": [
        proof_of(
            "polarisation at k+1",
            lambda power=2: inner_1(x_next, z_next, "proof:lema:1:inp:1:b", power),
            "alpha for alpha^2",
            power=1,
        )
    ],
    "proof:lema:1:inp:2": [proof_of("difference of squares", inner_2, "nine tenths of the product", factor=TENTH)],
    "eq:varphi:diff:2": [
        proof_of("inserting the polarisations", varphi_diff_2, "nine tenths of the product", factor=TENTH)
    ],
    "proof:lema:1:inp:3:c": [proof_of("completing the square", inner_3c, "nine tenths of the square", factor=TENTH)],
    "eq:x:opt:cond:x_next": [proof_of("optimality at x_k", optimality, "with a square to spare", more=1)],
    "proof:lema:1:inp:3:a": [
        proof_of("the definition of z_{k+1}", inner_3a, "nine tenths of the subgradient", factor=TENTH)
    ],
    "proof:lema:1:inp:3:b": [proof_of("optimality again", inner_3b, "a larger decrease", factor=1 / TENTH)],
    "eq:varphi:diff:3": [proof_of("the three lines together", varphi_diff_3, "a larger decrease", factor=1 / TENTH)],
    "proof:lema:1:inp:g:xdiff": [
        proof_of("weak convexity at x_{k+1}", weak_convexity_next, "nine tenths of rho", factor=TENTH)
    ],
    "eq:varphi:diff:4": [proof_of("given F_k", lemma_xdiff_smooth, "a larger decrease", factor=1 / TENTH)],
    "lem:xdiff:smooth": [
        proof_of("given F_k, for every start", lemma_xdiff_smooth, "a larger decrease", factor=1 / TENTH)
    ],
    "lem:xdiff:smooth/display": [
        proof_of("given F_k, for every start", lemma_xdiff_smooth, "a larger decrease", factor=1 / TENTH)
    ],
    "lem:Wfunc:smooth/sketch-1": [
        proof_of("given F_k, for every start", lemma_xdiff_smooth, "a larger decrease", factor=1 / TENTH)
    ],
}
