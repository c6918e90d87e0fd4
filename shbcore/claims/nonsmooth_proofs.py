r"""Certificates for Theorem 1: telescoping, constants, both starts, remarks; ``PROOFS`` gathers the whole non-smooth
half.

:math:`N` is :math:`\sqrt{K+1}`, so that :math:`\alpha=\alpha_0/N` and everything stays rational; :math:`K\ge0` is
:math:`N\ge1`.  Letters of the step stand for the last iterate where a sum has been telescoped: there :math:`k` is
:math:`K+1`.
"""
# ruff: noqa: F403, F405, SIM300  -- the letters of the step and the hypotheses are called by name, as on paper

from typing import Any

import sympy as sp

from shbcore.claims import background_proofs, lemma3_proofs, lemma4_proofs
from shbcore.claims.lemma3_proofs import ELEVEN, NINE, NOISE
from shbcore.claims.lemma4_proofs import GAMMA, V_NEXT, WEIGHTS, V, lyapunov
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, E, Vector, constant, scalar, vector
from shbcore.proof.certificate import Certificate, Proof, Steps, identity, proof_of, sign
from shbcore.proof.hypotheses import *
from shbcore.proof.positivity import Domain, at_least, defined, nonnegative, positive
from shbcore.proof.step import *
from shbcore.proof.telescope import c, induction, telescoped

alpha_0, N, Delta = sp.symbols("alpha_0 N Delta")
GAMMA_1 = constants.gamma_1(envelope=lam, beta=beta, nu=nu)
ANY_NU = ADMISSIBLE.also(
    *(positive(alpha_0), at_least(N, 1), nonnegative(Delta)),
    *(defined(alpha, alpha_0 / N), defined(nu, beta * N / alpha_0)),
)
r"""Every :math:`\beta=\nu\alpha\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}`: remarks i and ii."""
THEOREM_1 = ANY_NU.also(defined(nu, 1 / alpha_0), defined(beta, 1 / N))
r"""Theorem 1: :math:`\nu=1/\alpha_0`, hence :math:`\beta=1/\sqrt{K+1}`."""
SHORTEST = THEOREM_1.also(positive(rho), defined(lam, 1 / (2 * rho)))
r"""Theorem 1 at :math:`\lambda=1/(2\rho)`, where its bounds on :math:`\gamma` and :math:`\gamma_1` hold."""
PARAMETER_FREE = SHORTEST.also(defined(alpha_0, 1 / rho))

ZERO = Vector({})
x_0, d_1 = vector("x_0"), vector("d_1", 0)
g_0 = f.sample(x_0, "g_0")
x_1 = (x_0 - alpha * d_1).named("x_1")
p_1 = ((1 - beta) / beta * (x_1 - x_0)).named("p_1")
x_bar_1 = (x_1 + p_1).named(r"\bar x_1")
x_hat_0 = vector(r"\hat x_0")
f_0, f_star = f(x_0), scalar(r"f^\star")
V_0, V_1 = lyapunov(x_0, ZERO, ZERO, x_0), lyapunov(x_bar_1, p_1, d_1, x_0)
STEP = GAMMA * alpha**2 * L2 / (2 * lam)
EXCESS = constants.start_excess(envelope=lam, alpha=alpha, beta=beta, nu=nu)
GRADIENT_0 = ((x_0 - x_hat_0) / lam).named(r"\nabla F_\lambda(x_0)")
GRADIENTS = scalar(r"\sum_{k=0}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
GRADIENTS_FROM_1 = scalar(r"\sum_{k=1}^{K}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2")
LENGTHS = scalar(r"\sum_{k=0}^{K}\mathrm{E}\|d_{k+1}\|^2")
LENGTHS_TO_K = scalar(r"\sum_{k=0}^{K}\mathrm{E}\|d_k\|^2")
THEOREM = (
    r"\mathrm{E}\|\nabla F_\lambda(\bar x_{k^*})\|^2\le"
    r"2\,\frac{\gamma_1\Delta+\gamma L^2\alpha_0^2/(2\lambda)}{\alpha_0\sqrt{K+1}}"
)
THEOREM_START = (
    r"\mathrm{E}\|\nabla F_\lambda(\bar x_{k^*})\|^2\le2\,\frac{\gamma_1\Delta"
    r"+(\frac{\gamma\alpha_0^2}{2\lambda}+\frac{1}{2\lambda\nu^2}+\frac{\nu\xi^4}{4\lambda^2}"
    r"+\frac{\alpha\xi^2}{2\lambda^2})L^2}{\alpha_0\sqrt{K+1}}"
)
DISTANCES = scalar(r"\sum_{k=0}^{K}\mathrm{E}\|x_k-\hat x_k\|^2")


def below(point: Vector) -> Hypothesis:
    r""":math:`f^\star\le f(x)` on :math:`X`; this is where :math:`f^\star>-\infty` is needed."""
    return given("infimum", f_star <= f(point), "", "thrm:non-smooth:complexity", "definition of the infimum")


def bound_1(bound: Any = constants.theorem_1_bound, gap: Any = f_0 - f_star, **constant_of: Any) -> Any:
    """The right side of Theorem 1, for the constants of this file."""
    weights = {"gamma": GAMMA, "gamma_1": GAMMA_1, **constant_of}
    return bound(gap=gap, L2=L2, envelope=lam, alpha_0=alpha_0, root=N, **weights)


def lower(weight: Any = GAMMA_1) -> Certificate:
    r"""The last term: :math:`\gamma_1f^\star\le V_{K+1}`."""
    terms = [
        -1 * envelope_attained(f, F_env, x_bar, x_hat),
        1 / (2 * lam) * square(x_hat - x_bar),
        1 * below(x_hat),
        WEIGHTS.f * below(x_prev),
        WEIGHTS.p * square(p_k),
        WEIGHTS.d * square(d_k),
    ]
    return Certificate(weight * f_star <= V, terms, label="thrm:non-smooth:complexity/proof-lower")


def upper(weight: Any = GAMMA_1) -> Certificate:
    r"""The first term, with :math:`x_{-1}=x_0` (that is :math:`z_0=\beta g_0`): :math:`V_0\le\gamma_1f(x_0)`."""
    terms = [1 * envelope_infimum(f, F_env, x_0, x_0)]
    return Certificate(V_0 <= weight * f_0, terms, label="thrm:non-smooth:complexity/proof-V_0")


def lemma_forms(noise: Any = STEP) -> Steps:
    r"""Lemmas 4 and 3 have the form :math:`a_{k+1}\le a_k-we_k+c` of the induction, with the potentials summed below."""
    lemma_4 = lemma4_proofs.lemma_4().hypothesis("Lemma 4")
    fourth = Certificate(V_NEXT <= V - alpha / 2 * grad_env**2 + noise, [1 * lemma_4], TRIVIAL, domain=ANY_NU)
    third_noise = alpha**2 * NOISE * L2
    after, now = (1 - beta) * f(x_k) + nu / 2 * p_next**2, (1 - beta) * f(x_prev) + nu / 2 * p_k**2
    lemma_3 = lemma3_proofs.lemma_3().hypothesis("Lemma 3")
    third = Certificate(after <= now - alpha * d_next**2 + third_noise, [1 * lemma_3], TRIVIAL, domain=ANY_NU)
    return Steps([fourth, third])


def summed(noise: Any = STEP) -> Certificate:
    r"""Lemma 4 summed over :math:`k=0,\dots,K`: the constant collects to :math:`\gamma L^2\alpha_0^2/(2\lambda)`."""
    last = telescoped(V_0, E(V), GRADIENTS, weight=alpha / 2, noise=noise, steps=N**2, why="Lemma 4, k = 0..K")
    right = V_0 - alpha_0 / (2 * N) * GRADIENTS + GAMMA * L2 * alpha_0**2 / (2 * lam)
    return Certificate(V <= right, [1 * last], TRIVIAL, "thrm:non-smooth:complexity/proof-sum", domain=ANY_NU)


def theorem_1(bound: Any = constants.theorem_1_bound, domain: Domain = THEOREM_1) -> Certificate:
    r"""Theorem 1 with :math:`z_0=\beta g_0`; the average over :math:`k^*` is the sum divided by :math:`K+1=N^2`."""
    share = 2 / (alpha_0 * N)
    terms = [share * summed().hypothesis("Lemma 4, summed"), share * upper().hypothesis(), share * lower().hypothesis()]
    return Certificate(GRADIENTS / N**2 <= bound_1(bound), terms, TRIVIAL, "eq:thrm:1", THEOREM, domain)


def first_step(excess: Any = EXCESS) -> Certificate:
    r"""The printed start :math:`z_0=g_0`, with :math:`\hat x_0` as the candidate in the envelope at :math:`\bar x_1`:

    .. math:: \mathrm EV_1+\frac1{2\nu}\|\nabla F_\lambda(x_0)\|^2\le\gamma_1f(x_0)
        +L^2\Bigl(\frac1{2\lambda\nu^2}+\frac{\nu\xi^4}{4\lambda^2}+\frac{\alpha\xi^2}{2\lambda^2}\Bigr)."""
    after = (x_0 - alpha * g_0).named(r"x_0-\alpha g_0")
    terms = [
        1 * envelope_infimum(f, F_env, x_bar_1, x_hat_0),
        1 / (2 * lam * beta**2) * nonexpansive(after, x_1, (1 - beta, x_0), (beta, x_hat_0)),
        -1 * envelope_attained(f, F_env, x_0, x_hat_0),
        1 * envelope_infimum(f, F_env, x_0, x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(f, x_0, x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        (WEIGHTS.p * xi**2 + WEIGHTS.d) / alpha**2 * nonexpansive(after, x_1, (1, x_0)).at("eq:xdiff:norm:L"),
        EXCESS * bounded(g_0, L2, total=True).at("assumption:A/A2"),
    ]
    claim = V_1 + GRADIENT_0**2 / (2 * nu) <= GAMMA_1 * f_0 + excess * L2
    return Certificate(claim, terms, TRIVIAL, "alg:iters:def/start")


def theorem_1_start(excess: Any = EXCESS, domain: Domain = THEOREM_1) -> Certificate:
    r"""Theorem 1 for the printed start :math:`z_0=g_0`: Lemma 4 for :math:`k=1,\dots,K`, the step :math:`k=0` by
    itself; of what it leaves of the gradient at :math:`x_0` only :math:`\alpha/2\le1/(2\nu)` is needed."""
    share = 2 / (alpha_0 * N)
    last = telescoped(
        E(V_1), E(V), GRADIENTS_FROM_1, weight=alpha / 2, noise=STEP, steps=N**2 - 1, why="Lemma 4, k = 1..K"
    )
    terms = [
        share * last,
        share * first_step().hypothesis("the first step"),
        share * lower().hypothesis(),
        share * (1 / nu - alpha) / 2 * square(GRADIENT_0),
        share * number(STEP),
    ]
    claim = (GRADIENTS_FROM_1 + GRADIENT_0**2) / N**2 <= bound_1(constants.theorem_1_bound_start, excess=excess)
    return Certificate(claim, terms, TRIVIAL, "thrm:non-smooth:complexity", THEOREM_START, domain)


def gamma_bounded(bound: Any = None) -> Certificate:
    r""":math:`\gamma\le\rho^2\alpha_0^2+3\rho\alpha_0+1` at :math:`\lambda=1/(2\rho)`."""
    bound = constants.gamma_bound(weak_convexity=rho, alpha_0=alpha_0) if bound is None else bound
    return sign(bound - GAMMA, "thrm:non-smooth:complexity/gamma", domain=SHORTEST)


def gamma_1_bounded(bound: Any = None) -> Certificate:
    r""":math:`\gamma_1\le2\rho^2\alpha_0^2+2\rho\alpha_0+1` at :math:`\lambda=1/(2\rho)`."""
    bound = constants.gamma_1_bound(weak_convexity=rho, alpha_0=alpha_0) if bound is None else bound
    return sign(bound - GAMMA_1, "thrm:non-smooth:complexity/gamma_1", domain=SHORTEST)


def ten(factor: Any = 10) -> Certificate:
    r"""The bound of Theorem 1 at :math:`\alpha_0=1/\rho` is at most :math:`10(\rho\Delta+L^2)/\sqrt{K+1}`."""
    return sign(
        factor * (rho * Delta + L2) / N - bound_1(gap=Delta), "thrm:non-smooth:complexity/ten", domain=PARAMETER_FREE
    )


def any_start(excess: Any = 4) -> Certificate:
    r"""At :math:`\lambda=1/(2\rho)`, :math:`\alpha_0=1/\rho` the printed start costs at most
    :math:`4L^2/\sqrt{K+1}` more than the repaired one: 10 becomes 14 on :math:`L^2`, and stays on :math:`\rho\Delta`."""
    more = bound_1(constants.theorem_1_bound_start, gap=Delta, excess=EXCESS) - bound_1(gap=Delta)
    return sign(excess * L2 / N - more, "thrm:non-smooth:complexity/ten", domain=PARAMETER_FREE)


def fixed_momentum(stretch: Any = 1) -> Steps:
    r"""Remark ii: for fixed :math:`\beta` (:math:`\nu=\beta/\alpha`) both constants are at most their values at
    :math:`K=0`."""
    widest = {"envelope": lam, "beta": beta, "nu": stretch * beta / alpha_0}
    gamma = sign(constants.gamma(weak_convexity=rho, **widest) - GAMMA, domain=ANY_NU)
    return Steps([gamma, sign(constants.gamma_1(**widest) - GAMMA_1, domain=ANY_NU)])


def near(factor: Any = 2) -> Certificate:
    r"""Remark iii: :math:`\lambda^{-2}\|x_k-\hat x_k\|^2\le2\|\nabla F_\lambda(\bar
    x_k)\|^2+2\lambda^{-2}\xi^2\|d_k\|^2`."""
    terms = [1 / lam**2 * square((x_bar - x_hat) - (x_k - x_bar))]
    return Certificate((x_k - x_hat) ** 2 / lam**2 <= factor * grad_env**2 + 2 * xi**2 / lam**2 * d_k**2, terms)


def lengths(noise: Any = NOISE) -> Certificate:
    r"""Lemma 3 summed over :math:`k=0,\dots,K`: the average of :math:`\mathrm E\|d_{k+1}\|^2` is
    :math:`O(1/\sqrt{K+1})`."""
    start, end = (1 - beta) * f_0, E((1 - beta) * f(x_prev) + nu / 2 * p_k**2)
    last = telescoped(
        start, end, LENGTHS, weight=alpha, noise=alpha**2 * noise * L2, steps=N**2, why="Lemma 3, k = 0..K"
    )
    share = 1 / (alpha_0 * N)
    terms = [share * last, share * (1 - beta) * below(x_prev), share * nu / 2 * square(p_k)]
    right = constants.d_bound(gap=f_0 - f_star, L2=L2, weak_convexity=rho, beta=beta, nu=nu, alpha_0=alpha_0, root=N)
    return Certificate(LENGTHS / N**2 <= right, terms, TRIVIAL, "lem:xdiff:non-smooth/d-small", domain=ANY_NU)


def near_rate(share: Any = 2) -> Certificate:
    r"""Remark iii: the average of :math:`\lambda^{-2}\mathrm E\|x_k-\hat x_k\|^2` has the same rate, for every
    :math:`\nu`; here :math:`d_0=0`."""
    summed_near = DISTANCES / lam**2 <= 2 * GRADIENTS + 2 * xi**2 / lam**2 * LENGTHS_TO_K
    shifted = LENGTHS_TO_K.equals(LENGTHS - E(d_k**2))
    terms = [
        1 / N**2 * given("remark iii, summed", summed_near, "", "thrm:non-smooth:complexity/remark-iii", "k = 0..K"),
        2 * xi**2 / (lam * N) ** 2 * given("shift of the index", shifted, "", "", "d_0 = 0; the last is d_{K+1}"),
        2 * xi**2 / (lam * N) ** 2 * square(d_k),
        2 * theorem_1(domain=ANY_NU).hypothesis("Theorem 1"),
        2 * xi**2 / lam**2 * lengths().hypothesis("the d_k"),
    ]
    d_rate = constants.d_bound(gap=f_0 - f_star, L2=L2, weak_convexity=rho, beta=beta, nu=nu, alpha_0=alpha_0, root=N)
    claim = DISTANCES / (lam * N) ** 2 <= share * bound_1() + 2 * xi**2 / lam**2 * d_rate
    return Certificate(claim, terms, TRIVIAL, "thrm:non-smooth:complexity/remark-iii-rate", domain=ANY_NU)


def complexity(power: int = 1) -> Certificate:
    r"""From a rate :math:`C/\sqrt{K+1}` to :math:`K+1\ge C^2/\epsilon^2` samples for accuracy :math:`\epsilon` of
    the *squared* norm."""
    C, eps = sp.symbols("C epsilon")
    return sign(eps - C / N**power, domain=Domain(positive(C), positive(eps), at_least(N, C / eps)))


def length_of_momentum(of: Any = xi) -> Certificate:
    r""":math:`p_k=\bar x_k-x_k=-\xi d_k`, by squared distance."""
    return identity((p_k + of * d_k) ** 2, constant(0))


def proofs() -> dict[str, list[Proof]]:
    """Every certificate of the non-smooth half, by label."""
    theorem = proof_of(
        "from Lemma 4, z_0 = beta g_0",
        theorem_1,
        "without alpha_0^2 on L^2, as printed",
        bound=constants.theorem_1_bound_printed,
    )
    start = proof_of(
        "from Lemma 4, z_0 = g_0 with its extra constant", theorem_1_start, "half of the extra", excess=EXCESS / 2
    )
    loose = constants.gamma_bound(weak_convexity=rho, alpha_0=alpha_0) - rho * alpha_0 / 2
    gamma = proof_of("sign over the whole range", gamma_bounded, "5/2 for 3", bound=loose)
    loose_1 = constants.gamma_1_bound(weak_convexity=rho, alpha_0=alpha_0) * NINE
    gamma_1 = proof_of("sign over the whole range", gamma_1_bounded, "nine tenths", bound=loose_1)
    tens = proof_of("sign over the whole range", ten, "nine", factor=9)
    sums = proof_of(
        "induction on the number of steps", induction, "nine tenths of c in the conclusion", per_step=c * NINE
    )
    rate = proof_of("from a rate to a number of samples", complexity, "1/K for 1/sqrt(K)", power=0)
    d_rate = proof_of("Lemma 3, summed", lengths, "nine tenths of the noise in the conclusion", noise=NOISE / NINE)
    here = "thrm:non-smooth:complexity"
    own = {
        "alg:iters:def/start": [
            proof_of(
                "E V_1 and the gradient at x_0 after z_0 = g_0", first_step, "half of the excess", excess=EXCESS / 2
            ),
        ],
        "alg:iters:def/p-and-d": [proof_of("p_k = -xi d_k", length_of_momentum, "alpha for xi", of=alpha)],
        "lem:xdiff:non-smooth/x_bar": [
            proof_of("x_bar_k - x_k = -xi d_k", length_of_momentum, "alpha for xi", of=alpha)
        ],
        "lem:xdiff:non-smooth/d-small": [d_rate],
        "eq:stoc:analysis": [sums],
        "eq:stoc:analysis/complexity": [sums, rate],
        here: [theorem, start],
        "eq:thrm:1": [theorem],
        f"{here}/gamma": [gamma],
        f"{here}/gamma_1": [gamma_1],
        f"{here}/ten": [
            tens,
            proof_of("what the printed start adds", any_start, "nine tenths", excess=4 * NINE),
        ],
        f"{here}/proof-sum": [
            sums,
            proof_of("Lemmas 3 and 4 have the form that is summed", lemma_forms, "nine tenths of c", noise=STEP * NINE),
            proof_of("k = 0..K", summed, "nine tenths of the noise of a step", noise=STEP / NINE),
        ],
        f"{here}/proof-lower": [proof_of("V_{K+1}", lower, "eleven tenths of gamma_1", weight=GAMMA_1 * ELEVEN)],
        f"{here}/proof-V_0": [proof_of("V_0, z_0 = beta g_0", upper, "nine tenths of gamma_1", weight=GAMMA_1 * NINE)],
        f"{here}/proof-bound": [theorem],
        f"{here}/proof-constants": [gamma, gamma_1],
        f"{here}/proof-ten": [tens],
        f"{here}/remark-i": [
            proof_of(
                "any nu",
                lambda **k: theorem_1(domain=ANY_NU, **k),
                "as printed",
                bound=constants.theorem_1_bound_printed,
            )
        ],
        f"{here}/remark-ii": [proof_of("fixed beta", fixed_momentum, "the constants at K + 1 = 4", stretch=2)],
        f"{here}/remark-iii": [proof_of("a square", near, "nine tenths of the gradient term", factor=2 * NINE)],
        f"{here}/remark-iii-rate": [
            d_rate,
            proof_of("both sums", near_rate, "nine tenths of the first", share=2 * NINE),
        ],
        f"{here}/summary": [rate],
    }
    parts = (background_proofs.PROOFS, lemma3_proofs.PROOFS, lemma4_proofs.PROOFS, own)
    return {label: [proof for part in parts for proof in part.get(label, [])] for part in parts for label in part}


PROOFS = proofs()
