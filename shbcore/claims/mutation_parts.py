r"""The lemmas term by term, as the paper writes them, so that each term can be changed alone.

A :class:`Part` is one term: its name, its expression (with its sign, on the right side of ``<=`` or on the left), and what it becomes
when one index in it is shifted.
"""
# ruff: noqa: F403, F405  -- the letters of the step are called by name, as on paper

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shbcore.claims import W_proofs, lemma3_proofs, lemma4_proofs, phi_proofs, theorem3_proofs
from shbcore.claims.phi_proofs import phi
from shbcore.proof.algebra import Expression, constant
from shbcore.proof.certificate import Certificate
from shbcore.proof.step import *


@dataclass(frozen=True)
class Part:
    """One term of a claim; ``helps`` says that it makes the right side larger."""

    name: str
    expression: Any
    right: bool = True
    helps: bool = True
    shifts: Sequence[tuple[str, Any]] = ()


@dataclass(frozen=True)
class Main:
    """A claim by its terms, and the certificate that proves it."""

    label: str
    certificate: Callable[[], Certificate]
    parts: Sequence[Part]

    def proof(self) -> Certificate:
        """The claim from assumptions alone, earlier lines taken apart."""
        return self.certificate().flat()

    def claim(self, parts: Sequence[Part]) -> Certificate:
        """The certificate with the claim built from these terms."""
        zero: Expression = constant(0)
        left = sum((part.expression for part in parts if not part.right), zero)
        right = sum((part.expression for part in parts if part.right), zero)
        return replace(self.proof(), claim=left <= right)

    def scaled(self, index: int, factor: Any) -> Certificate:
        """The claim with one term multiplied."""
        return self._with(index, factor * self.parts[index].expression)

    def shifted(self, index: int, name: str) -> Certificate:
        """The claim with one index shifted."""
        return self._with(index, dict(self.parts[index].shifts)[name])

    def _with(self, index: int, expression: Any) -> Certificate:
        changed = [replace(p, expression=expression) if i == index else p for i, p in enumerate(self.parts)]
        return self.claim(changed)

    def faithful(self) -> bool:
        """Whether the terms add up to the certified claim."""
        own, certified = self.claim(self.parts), self.certificate()
        return bool((own.claim.gap - certified.claim.gap).map(certified.domain.define).is_zero())


def claimed(name: str, expression: Any, *shifts: tuple[str, Any]) -> Part:
    """A term on the left: what is bounded."""
    return Part(name, expression, right=False, helps=False, shifts=shifts)


def gained(name: str, expression: Any, *shifts: tuple[str, Any]) -> Part:
    """A negative term on the right: the decrease."""
    return Part(name, -expression, helps=False, shifts=tuple((n, -e) for n, e in shifts))


def allowed(name: str, expression: Any, *shifts: tuple[str, Any]) -> Part:
    """A positive term on the right."""
    return Part(name, expression if isinstance(expression, Expression) else constant(expression), shifts=shifts)


LEMMA_3 = (
    claimed("(1-beta) f(x_k)", (1 - beta) * f(x_k), ("f(x_{k+1})", (1 - beta) * f(x_next))),
    claimed("nu/2 |p_{k+1}|^2", nu / 2 * p_next**2, ("p_k", nu / 2 * p_k**2)),
    allowed("(1-beta) f(x_{k-1})", (1 - beta) * f(x_prev), ("f(x_k)", (1 - beta) * f(x_k))),
    allowed("nu/2 |p_k|^2", nu / 2 * p_k**2, ("p_{k+1}", nu / 2 * p_next**2)),
    gained("alpha |d_{k+1}|^2", alpha * d_next**2, ("d_k", alpha * d_k**2)),
    allowed("alpha^2 rho(1-beta)/2 L^2", alpha**2 * rho * (1 - beta) / 2 * L2),
    allowed("alpha^2 nu L^2", alpha**2 * nu * L2),
)
WEIGHTS = lemma4_proofs.WEIGHTS
LEMMA_4 = (
    claimed("F(x_bar_{k+1})", F_env(x_bar_next), ("F(x_bar_k)", F_env(x_bar))),
    claimed("nu xi^2/(4 lambda^2) |p_{k+1}|^2", WEIGHTS.p * p_next**2, ("p_k", WEIGHTS.p * p_k**2)),
    claimed("alpha xi^2/(2 lambda^2) |d_{k+1}|^2", WEIGHTS.d * d_next**2, ("d_k", WEIGHTS.d * d_k**2)),
    claimed("weight of f(x_k)", WEIGHTS.f * f(x_k), ("f(x_{k+1})", WEIGHTS.f * f(x_next))),
    allowed("F(x_bar_k)", F_env(x_bar), ("F(x_bar_{k+1})", F_env(x_bar_next))),
    allowed("nu xi^2/(4 lambda^2) |p_k|^2", WEIGHTS.p * p_k**2, ("p_{k+1}", WEIGHTS.p * p_next**2)),
    allowed("alpha xi^2/(2 lambda^2) |d_k|^2", WEIGHTS.d * d_k**2, ("d_{k+1}", WEIGHTS.d * d_next**2)),
    allowed("weight of f(x_{k-1})", WEIGHTS.f * f(x_prev), ("f(x_k)", WEIGHTS.f * f(x_k))),
    gained("alpha/2 |grad F(x_bar_k)|^2", alpha / 2 * grad_env**2),
    allowed("xi^2 rho(1-beta)/(2 lambda) in gamma", xi**2 * rho * (1 - beta) / (2 * lam) * alpha**2 * L2 / (2 * lam)),
    allowed("xi^2 nu/lambda in gamma", xi**2 * nu / lam * alpha**2 * L2 / (2 * lam)),
    allowed("rho xi in gamma", rho * xi * alpha**2 * L2 / (2 * lam)),
    allowed("1 in gamma", alpha**2 * L2 / (2 * lam)),
)
PHI = 1 / (nu * alpha**2)
LEMMA_5 = (
    claimed("2 f(x_{k+1})", 2 * f(x_next), ("f(x_k)", 2 * f(x_k))),
    claimed("phi_{k+1}/(nu alpha^2)", PHI * phi(x_next, z_next), ("phi_k", PHI * phi(x_k, z_k))),
    claimed("xi/2 |d_{k+1}|^2", xi / 2 * d_next**2, ("d_k", xi / 2 * d_k**2)),
    allowed("2 f(x_k)", 2 * f(x_k), ("f(x_{k+1})", 2 * f(x_next))),
    allowed("phi_k/(nu alpha^2)", PHI * phi(x_k, z_k), ("phi_{k+1}", PHI * phi(x_next, z_next))),
    allowed("xi/2 |d_k|^2", xi / 2 * d_k**2, ("d_{k+1}", xi / 2 * d_next**2)),
    gained("alpha |d_{k+1}|^2", alpha * d_next**2, ("d_k", alpha * d_k**2)),
    allowed("4 nu alpha^2 sigma^2", 4 * nu * alpha**2 * sigma2),
)
LEMMA_6 = (
    claimed("f(x_{k+1})", f(x_next), ("f(x_k)", f(x_k))),
    claimed("phi_{k+1}/(nu alpha^2)", PHI * phi(x_next, z_next), ("phi_k", PHI * phi(x_k, z_k))),
    allowed("f(x_k)", f(x_k), ("f(x_{k+1})", f(x_next))),
    allowed("phi_k/(nu alpha^2)", PHI * phi(x_k, z_k), ("phi_{k+1}", PHI * phi(x_next, z_next))),
    gained("alpha |d_{k+1}|^2", alpha * d_next**2, ("d_k", alpha * d_k**2)),
    allowed("rho alpha^2/2 |d_{k+1}|^2", rho * alpha**2 / 2 * d_next**2, ("d_k", rho * alpha**2 / 2 * d_k**2)),
    allowed("1/(2 nu) |z_k - z_{k+1}|^2", (z_k - z_next) ** 2 / (2 * nu)),
)
LEMMA_7 = (
    claimed("1/(2 nu) |z_{k+1} - z_k|^2", (z_next - z_k) ** 2 / (2 * nu)),
    allowed("f(x_k)", f(x_k), ("f(x_{k+1})", f(x_next))),
    gained("f(x_{k+1})", f(x_next), ("f(x_k)", f(x_k))),
    allowed("xi/2 |d_k|^2", xi / 2 * d_k**2, ("d_{k+1}", xi / 2 * d_next**2)),
    gained("xi/2 |d_{k+1}|^2", xi / 2 * d_next**2, ("d_k", xi / 2 * d_k**2)),
    gained("alpha |d_{k+1}|^2", alpha * d_next**2, ("d_k", alpha * d_k**2)),
    allowed("alpha^3 rho^2/2 |d_{k+1}|^2", alpha**3 * rho**2 / 2 * d_next**2),
    allowed("3 rho alpha^2/2 |d_{k+1}|^2", 3 * rho * alpha**2 / 2 * d_next**2),
    allowed("4 nu alpha^2 sigma^2", 4 * nu * alpha**2 * sigma2),
)
RATIO, C = xi**2 / lam**2, theorem3_proofs.C
THEOREM_3 = (
    claimed("F(x_bar_{k+1})", F_env(x_bar_next), ("F(x_bar_k)", F_env(x_bar))),
    claimed("2 xi^2/lambda^2 f(x_{k+1})", 2 * RATIO * f(x_next), ("f(x_k)", 2 * RATIO * f(x_k))),
    claimed("phi_{k+1}", RATIO * PHI * phi(x_next, z_next)),
    claimed(
        "|d_{k+1}|^2 in W and beside it",
        RATIO * (xi / 2 + alpha) * d_next**2,
        ("d_k", RATIO * (xi / 2 + alpha) * d_k**2),
    ),
    allowed("F(x_bar_k)", F_env(x_bar), ("F(x_bar_{k+1})", F_env(x_bar_next))),
    allowed("2 xi^2/lambda^2 f(x_k)", 2 * RATIO * f(x_k), ("f(x_{k+1})", 2 * RATIO * f(x_next))),
    allowed("phi_k", RATIO * PHI * phi(x_k, z_k)),
    allowed("|d_k|^2 in W", RATIO * xi / 2 * d_k**2),
    allowed("alpha xi^2/lambda^2 |d_k|^2", RATIO * alpha * d_k**2),
    gained("alpha/c |grad F(x_bar_k)|^2", alpha / C * grad_env**2),
    allowed("1 in the noise", alpha**2 * sigma2 / (2 * lam)),
    allowed("8 nu xi^2/lambda in the noise", 8 * nu * xi**2 / lam * alpha**2 * sigma2 / (2 * lam)),
)

MAIN: tuple[Main, ...] = (
    Main("lem:xdiff:non-smooth", lemma3_proofs.lemma_3, LEMMA_3),
    Main("lem:Vfunc:non-smooth", lemma4_proofs.lemma_4, LEMMA_4),
    Main("lem:xdiff:smooth", phi_proofs.lemma_xdiff_smooth, LEMMA_6),
    Main("lem:z:diff", W_proofs.lemma_z_diff, LEMMA_7),
    Main("lem:Wfunc:smooth", W_proofs.lemma_W, LEMMA_5),
    Main("eq:proof:thrm:3:evn:4", theorem3_proofs.evn_4, THEOREM_3),
)
"""Lemmas 3 to 7 and the Lyapunov inequality of Theorem 3."""
