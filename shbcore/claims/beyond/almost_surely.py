r"""Almost surely: what the conditional forms give by the lemma of Robbins and Siegmund (a foundation, cited, not
proved here).

Lemma (Robbins and Siegmund 1971).  If :math:`U_k,b_k,n_k\ge0` are adapted and :math:`\mathrm E[U_{k+1}|\mathcal
G_k]\le U_k-b_k+n_k` with
:math:`\sum n_k<\infty`, then almost surely :math:`U_k` converges to a finite limit and :math:`\sum b_k<\infty`.

**Theorem.**  Let :math:`\sum\alpha_k=\infty`, :math:`\sum\alpha_k^2<\infty`, :math:`f^\star>-\infty`, independent
samples, either start.

(a) smooth :math:`f`, closed convex :math:`X`, (A1), (A3), schedule of class (i) or (iv);
(b) weakly convex :math:`f`, closed convex :math:`X`, (A1), (A2), constant :math:`\beta`, non-increasing :math:`\alpha`,
    :math:`\alpha_0\le2\beta\lambda`.

Then almost surely the Lyapunov function converges, :math:`\sum A_k\|\nabla F_\lambda(\bar x_k)\|^2<\infty`, and so
:math:`\liminf\|\nabla F_\lambda(\bar x_k)\|=0`; in (a)(i) and (b) also :math:`\bar x_k-x_k\to0`.

(c) If in (b) moreover :math:`\|f'(x,S)\|\le L` almost surely, then :math:`\lim\|\nabla F_\lambda(\bar x_k)\|=0`: the
gradient moves by at
    most :math:`\frac1\lambda A_k\|\delta_k\|\le\frac{(2-\beta)L}{\beta\lambda}A_k` in a step (:func:`sure_move`,
    :func:`gradient_lipschitz`), so every
    rise from :math:`\epsilon` to :math:`2\epsilon` needs a stretch with :math:`\sum
    A_k\ge\epsilon\beta\lambda/((2-\beta)L)` on which the gradient
    is above :math:`\epsilon`; infinitely many of them contradict :math:`\sum A_k\|\nabla F_\lambda(\bar
    x_k)\|^2<\infty`.

Joined by: :func:`~shbcore.claims.beyond.schedules.falls` and :func:`~shbcore.claims.beyond.schedules.falls_rough`
(the form),
:func:`~shbcore.claims.beyond.schedules.summable`, :func:`noise_rough` (the sums), :func:`measurable` (adapted).  With
the printed start
the lemma is applied from :math:`k=1` on.
"""

from typing import Any

import sympy as sp

from shbcore.claims.beyond import schedules as s
from shbcore.claims.beyond.common import PAST, TENTH
from shbcore.proof.algebra import Function, MeasurabilityError, known_at, vector
from shbcore.proof.certificate import PATHWISE, Certificate, Proof, Verdict, proof_of, sign
from shbcore.proof.hypotheses import bounded, nonexpansive, prox_strong_convexity, square, square_convexity
from shbcore.proof.positivity import Domain, inverse_at_least, nonnegative

L2, be, al, lam, rho = s.L2, s.be, s.al, s.lam, s.rho


def measurable() -> Proof:
    r""":math:`U_k` is known at :math:`\mathcal F_{k-1}`: the samples before :math:`S_k`; :math:`U_{k+1}` is not."""
    w_k, m_k = sp.symbols("w_k m_k")

    def test(later: bool) -> Verdict:
        bar, x, d = (s.x_bar_next, s.x_next, s.d_next) if later else (s.x_bar, s.x_k, s.d_k)
        potential = s.F_env(bar) + w_k * (s.f(x) - s.f_star) + m_k * d**2
        try:
            known_at(potential, PAST)
        except MeasurabilityError as error:
            return Verdict(False, str(error))
        return Verdict(True, "every part is known at F_{k-1}")

    return Proof("certificate", "U_k is adapted", lambda: test(False), lambda: test(True), "U_{k+1}")


def noise_rough(share: Any = 1) -> Certificate:
    r"""(b): the noise of a step, :math:`(\frac{A_k^2}{2\lambda}+h_k\beta^2)L^2` with
    :math:`h_k=\frac{\alpha_{k-1}^2}{2\beta^2\lambda}`, is at most
    :math:`\frac{L^2}{2\lambda}(\alpha_k^2+\alpha_{k-1}^2)`, as :math:`A_k=\beta S_k\le\alpha_k`."""
    domain = s.class_rough().parts[0].domain.also(nonnegative(L2))
    noise = (s.A**2 / (2 * lam) + s.al_before**2 / (2 * lam)) * L2
    room = share * L2 / (2 * lam) * (al**2 + s.al_before**2) - noise
    return sign(room, "beyond/sure/noise", domain=domain)


def lengths_sure(bound: Any = L2) -> Certificate:
    r"""(c): :math:`\|d_{k+1}\|\le L`, if :math:`\|g_k\|\le L` and :math:`\|d_k\|\le L`; and :math:`d_0=0`."""
    terms = [
        1 / al**2 * nonexpansive(s.trial, s.x_next, (1, s.x_k)),
        1 * square_convexity(s.g_k, s.d_k, be),
        be * bounded(s.g_k, L2),
        (1 - be) * bounded(s.d_k, L2),
    ]
    return Certificate(s.d_next**2 <= bound, terms, PATHWISE, "beyond/sure/lengths", domain=s.STEP)


def sure_move(share: Any = 1) -> Certificate:
    r"""(c): :math:`\|\bar x_{k+1}-\bar x_k\|^2\le A_k^2\bigl(\frac{2-\beta}\beta\bigr)^2L^2`."""
    weight = 1 / (2 - be)
    terms = [
        s.S**2 * (2 - be) ** 2 * square_convexity(s.d_next, (-1 * s.d_k).named("-d_k"), weight),
        s.S**2 * (2 - be) * bounded(s.d_next, L2),
        s.S**2 * (2 - be) * (1 - be) * bounded(s.d_k, L2),
    ]
    right = share * s.A**2 * ((2 - be) / be) ** 2 * L2
    return Certificate((s.x_bar_next - s.x_bar) ** 2 <= right, terms, PATHWISE, "beyond/sure/move", domain=s.STEP)


def gradient_lipschitz(share: Any = 1) -> Certificate:
    r""":math:`\|\nabla F_\lambda(x)-\nabla F_\lambda(y)\|\le\frac1\lambda\|x-y\|` for :math:`\lambda^{-1}\ge2\rho`:
    both prox points tested against
    each other."""
    F = Function("F")
    x, y, p, q = vector("x"), vector("y"), vector(r"\hat x"), vector(r"\hat y")
    domain = Domain(nonnegative(rho), inverse_at_least(lam, 2 * rho))
    options = {"envelope": lam, "weak_convexity": rho}
    terms = [
        2 / lam * prox_strong_convexity(F, x, p, q, **options),
        2 / lam * prox_strong_convexity(F, y, q, p, **options),
        (1 / lam**2 - 2 * rho / lam) * square(p - q),
    ]
    left = (((x - p) - (y - q)) / lam) ** 2
    return Certificate(left <= share * (x - y) ** 2 / lam**2, terms, PATHWISE, "beyond/sure/lipschitz", domain=domain)


def proofs() -> dict[str, list[Proof]]:
    """The chain."""
    less = TENTH
    return {
        "beyond/sure/adapted": [measurable()],
        "beyond/sure/noise": [proof_of("(b): the noise", noise_rough, "nine tenths", share=less)],
        "beyond/sure/lengths": [proof_of("(c)", lengths_sure, "nine tenths", bound=less * L2)],
        "beyond/sure/move": [proof_of("(c)", sure_move, "nine tenths", share=less)],
        "beyond/sure/lipschitz": [
            proof_of("the gradient of the envelope", gradient_lipschitz, "nine tenths", share=less)
        ],
    }


PROOFS = proofs()


if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
