r"""The two inequalities behind the smooth results without bounded gradients, both given :math:`\mathcal F_{k-1}`.

For :math:`f` with a :math:`\rho`-Lipschitz gradient on a closed convex :math:`X`, under (A1) and (A3) alone, with
:math:`D_k=g_k-\nabla f(x_k)` and :math:`\delta_k=(d_{k+1}-(1-\beta)d_k)/\beta`, so that :math:`\bar x_{k+1}=\bar
x_k-\alpha\delta_k`:

* (A), :func:`envelope_step`: keep what nonexpansiveness throws away, :math:`\|x_k-\alpha z_k-x_{k+1}\|^2`;
* (B), :func:`energy_lemma`: test the projection at :math:`x_k`, and compare with the step without noise.

They hold for :math:`k\ge1`, and for :math:`k=0` with :math:`z_0=\beta g_0`, :math:`d_0=0`.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import ELEVEN, HALF, PAST, TENTH, below_bound
from shbcore.proof.algebra import Expression, Vector, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, identity, proof_of
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import defined
from shbcore.proof.step import *

r, t = sp.symbols("r t")
slope = f.slope(x_k)
D = (g_k - slope).named("D_k")
delta = ((d_next - (1 - beta) * d_k) / beta).named(r"\delta_k")
kappa = 1 / (lam * nu)
ENERGY = ADMISSIBLE.also(below_bound(r, 2), defined(rho, r / alpha))
r""":math:`\rho\alpha\in[0,2)`, :math:`\beta\in(0,1]`, :math:`\lambda^{-1}\ge2\rho`."""


def moved_by_delta(factor: Any = 1) -> Certificate:
    r""":math:`\bar x_{k+1}=\bar x_k-\alpha\delta_k`."""
    return identity(
        x_bar_next, (x_bar - factor * alpha * delta).named(r"\bar x_k-\alpha\delta_k"), "beyond/energy/delta"
    )


def envelope_kept(share: Any = 1) -> Certificate:
    r"""Pathwise: :math:`F_\lambda(\bar x_{k+1})\le F_\lambda(\bar x_k)-\frac\alpha\lambda\langle g_k,\bar x_k-\hat
    x_k\rangle
    +\frac{\alpha^2}{2\lambda}(2\langle g_k,\delta_k\rangle-\|\delta_k\|^2)`."""
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_next, x_hat),
        1 / (lam * beta**2) * projection(trial, x_next, (1 - beta, x_k), (beta, x_hat)),
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
    ]
    right = (
        F_env(x_bar)
        - alpha / lam * (g_k @ (x_bar - x_hat))
        + share * alpha**2 / (2 * lam) * (2 * (g_k @ delta) - delta**2)
    )
    return Certificate(F_env(x_bar_next) <= right, terms, PATHWISE, "beyond/energy/kept")


def noise_split(share: Any = 1) -> Certificate:
    r"""Pathwise: :math:`2\langle g_k,\delta_k\rangle-\|\delta_k\|^2\le\|D_k\|^2+2\langle\nabla
    f(x_k),\delta_k\rangle`."""
    terms = [1 * square((D - delta).named(r"D_k-\delta_k"))]
    left = 2 * (g_k @ delta) - delta**2
    return Certificate(left <= share * D**2 + 2 * (slope @ delta), terms, PATHWISE, "beyond/energy/split")


def envelope_step(share: Any = HALF, noise: Any = 1, bend: Any = 1) -> Certificate:
    r"""(A), given :math:`\mathcal F_{k-1}`, any :math:`\alpha`, with :math:`\kappa=\frac1{\lambda\nu}`:

    .. math:: \mathrm E[F_\lambda(\bar x_{k+1})+\kappa f(x_{k+1})]\le F_\lambda(\bar x_k)+\kappa f(x_k)
        -\frac\alpha2\|\nabla F_\lambda(\bar x_k)\|^2+\frac{\alpha\xi^2}{2\lambda^2}\|d_k\|^2
        +\frac{\kappa\rho\alpha^2}2\mathrm E\|d_{k+1}\|^2+\frac{\alpha^2\sigma^2}{2\lambda}."""
    terms = [
        1 * envelope_kept().hypothesis("what is kept"),
        alpha**2 / (2 * lam) * noise_split().hypothesis("the noise split off"),
        alpha**2 / (2 * lam) * variance(g_k, slope),
        alpha / lam * weak_convexity(f, x_k, x_hat),
        alpha / lam * prox_strong_convexity(f, x_bar, x_hat, x_k),
        alpha / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat - x_k),
        kappa * smooth_above(f, x_k, x_next),
    ]
    right = (
        F_env(x_bar)
        + kappa * f(x_k)
        - share * alpha * grad_env**2
        + alpha * xi**2 / (2 * lam**2) * d_k**2
        + bend * kappa * rho * alpha**2 / 2 * d_next**2
        + noise * alpha**2 * sigma2 / (2 * lam)
    )
    return Certificate(F_env(x_bar_next) + kappa * f(x_next) <= right, terms, PAST, "beyond/energy/A")


# --- (B): d' is the displacement of the step without noise, known at F_{k-1}

d_mean = vector("d'", -1)
x_mean = (x_k - alpha * d_mean).named("x'")
z_mean = (beta * slope + (1 - beta) * d_k).named("z'")
trial_mean = (x_k - alpha * z_mean).named(r"x_k-\alpha z'")
jump = (d_next - d_k).named("d_{k+1}-d_k")
apart = (d_next - d_mean).named("d_{k+1}-d'")


def energy_lemma(noise: Any = 1, fall: Any = 1) -> Certificate:
    r"""(B), the energy lemma, given :math:`\mathcal F_{k-1}`, any :math:`\alpha` (it is useful for
    :math:`\rho\alpha<2`):

    .. math:: \mathrm E\Bigl[f(x_{k+1})+\frac\xi2\|d_{k+1}\|^2\Bigr]\le f(x_k)+\frac\xi2\|d_k\|^2
        -\alpha\Bigl(1-\frac{\rho\alpha}2\Bigr)\mathrm E\|d_{k+1}\|^2+\frac{1+\beta}2\nu\alpha^2\sigma^2.

    :math:`\mathrm E\langle D_k,d_{k+1}\rangle` is split: the share :math:`\beta` against :math:`d'`, the share
    :math:`1-\beta` against
    :math:`d_k`, both known at :math:`\mathcal F_{k-1}`."""
    terms = [
        1 * smooth_above(f, x_k, x_next),
        1 / (beta * alpha) * projection(trial, x_next, (1, x_k)),
        alpha * beta * young(D, apart, 1 / beta),
        HALF / alpha * nonexpansive_pair(trial, x_next, trial_mean, x_mean),
        alpha * (1 - beta) / (2 * beta) * square((jump - beta * D).named(r"d_{k+1}-d_k-\beta D_k")),
        alpha * beta * (1 + beta) / 2 * variance(g_k, slope),
    ]
    right = (
        f(x_k)
        + xi / 2 * d_k**2
        - fall * alpha * (1 - rho * alpha / 2) * d_next**2
        + noise * (1 + beta) / 2 * nu * alpha**2 * sigma2
    )
    return Certificate(f(x_next) + xi / 2 * d_next**2 <= right, terms, PAST, "beyond/energy/B")


c_energy = (xi**2 / lam**2 + rho * alpha / (lam * nu)) / (2 - rho * alpha)
m_energy = c_energy * xi / 2 + alpha * xi**2 / (2 * lam**2)
W_F = kappa + c_energy
NOISE = alpha**2 * sigma2 / (2 * lam) * (1 + c_energy * lam * nu * (1 + beta))


def lyapunov_e(bar: Vector, x: Vector, d: Vector) -> Expression:
    r""":math:`U=F_\lambda(\bar x)+(\frac1{\lambda\nu}+c)f(x)+m\|d\|^2`,
    :math:`m=\frac{c\xi}2+\frac{\alpha\xi^2}{2\lambda^2}`."""
    value: Expression = F_env(bar) + W_F * f(x) + m_energy * d**2
    return value


U, U_NEXT = lyapunov_e(x_bar, x_k, d_k), lyapunov_e(x_bar_next, x_next, d_next)


def falls(noise: Any = 1) -> Certificate:
    r"""(A) plus :math:`c` times (B), :math:`c=(\xi^2/\lambda^2+\rho\alpha/(\lambda\nu))/(2-\rho\alpha)`, for
    :math:`\rho\alpha<2`:
    :math:`\mathrm E[U_{k+1}|\mathcal F_{k-1}]\le U_k-\frac\alpha2\|\nabla F_\lambda(\bar x_k)\|^2
    +\frac{\alpha^2\sigma^2}{2\lambda}(1+c\lambda\nu(1+\beta))`."""
    terms = [1 * envelope_step().hypothesis("(A)"), c_energy * energy_lemma().hypothesis("(B)")]
    claim = U_NEXT <= U - alpha / 2 * grad_env**2 + noise * NOISE
    return Certificate(claim, terms, PAST, "beyond/energy/falls", domain=ENERGY)


def lengths_small(noise: Any = 1) -> Certificate:
    r"""(B) alone bounds the lengths, for every :math:`\theta\in[0,1)` with :math:`\rho\alpha\le2\theta`:
    :math:`(1-\theta)\alpha\,\mathrm E\|d_{k+1}\|^2\le` fall of :math:`f(x_k)+\frac\xi2\|d_k\|^2`, plus
    :math:`\frac{1+\beta}2\nu\alpha^2\sigma^2`."""
    domain = ADMISSIBLE.also(below_bound(t, 1), below_bound(r, 2 * t), defined(rho, r / alpha))
    terms = [1 * energy_lemma().hypothesis("(B)"), alpha * (t - rho * alpha / 2) * square(d_next)]
    left = f(x_next) + xi / 2 * d_next**2 + (1 - t) * alpha * d_next**2
    right = f(x_k) + xi / 2 * d_k**2 + noise * (1 + beta) / 2 * nu * alpha**2 * sigma2
    return Certificate(left <= right, terms, PAST, "beyond/energy/lengths", domain=domain)


def proofs() -> dict[str, list[Proof]]:
    """The chain, in order."""
    less = TENTH
    return {
        "beyond/energy/delta": [proof_of("identity", moved_by_delta, "nine tenths", factor=less)],
        "beyond/energy/kept": [proof_of("pathwise", envelope_kept, "nine tenths of what is kept", share=less)],
        "beyond/energy/split": [proof_of("a square", noise_split, "nine tenths", share=less)],
        "beyond/energy/A": [
            proof_of("(A)", envelope_step, "eleven tenths of the gradient", share=HALF * ELEVEN),
            proof_of("(A)", envelope_step, "nine tenths of the noise", noise=less),
            proof_of("(A)", envelope_step, "nine tenths of the bend", bend=less),
        ],
        "beyond/energy/B": [
            proof_of("(B)", energy_lemma, "nine tenths of the noise", noise=less),
            proof_of("(B)", energy_lemma, "eleven tenths of the fall", fall=ELEVEN),
        ],
        "beyond/energy/falls": [proof_of("(A) + c (B)", falls, "nine tenths of the noise", noise=less)],
        "beyond/energy/lengths": [proof_of("from (B) alone", lengths_small, "nine tenths of the noise", noise=less)],
    }


PROOFS = proofs()


if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
