r"""The proof of Theorem 1 and of the remarks after it, line by line.

``N`` is :math:`\sqrt{K+1}`, so that everything stays rational.  In a line about a whole run the letters of a step stand for the last one.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_a import NOISE, ORACLE, lemma_3
from shbcore.claims.appendix_b import GAMMA, V_k, gamma, lemma_4

alpha_0, gamma_1 = sp.symbols("alpha_0 gamma_1")
GAMMA_1 = 1 + (1 - beta) * xi**2 / (2 * lam**2) + xi / lam
ANY_NU = ADMISSIBLE.also(
    *(positive(alpha_0), at_least(N, 1), defined(alpha, alpha_0 / N), defined(nu, beta * N / alpha_0)),
    *(defined(gamma, GAMMA), defined(gamma_1, GAMMA_1)),
)
r"""Every :math:`\beta=\nu\alpha\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}`: remarks i and ii."""
THEOREM_1 = ANY_NU.also(defined(nu, 1 / alpha_0), defined(beta, 1 / N))
r"""Theorem 1: :math:`\nu=1/\alpha_0`, hence :math:`\beta=1/\sqrt{K+1}`."""
SHORTEST = THEOREM_1.also(positive(rho), defined(lam, 1 / (2 * rho)))
r"""Theorem 1 at :math:`\lambda=1/(2\rho)`, where its bounds on :math:`\gamma` and :math:`\gamma_1` hold."""
PARAMETER_FREE = SHORTEST.also(defined(alpha_0, 1 / rho))
SETTING = (*ORACLE, on.BOUNDED_BELOW)
BELOW = (on.WEAKLY_CONVEX, on.BOUNDED_BELOW)

x_0, grad_0 = x(0, first=True), gradient(0, first=True)
DELTA = f(x_0) - f_star
r""":math:`\Delta=f(x_0)-f^\star`."""
MEASURE = grad_env**2
STEP = gamma * alpha**2 * L2 / (2 * lam)
SHARE = 2 / (alpha_0 * N)
EXCESS = 1 / (2 * lam * nu**2) + nu * xi**4 / (4 * lam**2) + alpha * xi**2 / (2 * lam**2)
r"""What the printed start costs, in units of :math:`L^2`."""


@cache
def summed(share: Any = 1) -> Line:
    r"""Lemma 4 summed over :math:`k=0,\dots,K`: the constant collects, since :math:`(K+1)\alpha^2=\alpha_0^2`."""
    total = Summation(lemma_4(), potential=V_k, measure=MEASURE, weight=alpha / 2, noise=STEP)
    right = at_start(V_k) - alpha_0 / (2 * N) * Series(MEASURE) + share * gamma * L2 * alpha_0**2 / (2 * lam)
    return line(V_k <= right, [1 * total], TOTAL, domain=THEOREM_1, assumes=ORACLE, scope=Scope.RUN)


@cache
def lower(weight: Any = 1) -> Line:
    r"""The last term: :math:`\gamma_1f^\star\le V_{K+1}`."""
    weights = constants.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu)
    rest = [weights.f * infimum(f, x_prev), weights.p * square(p_k), weights.d * square(d_k)]
    domain = ADMISSIBLE.also(defined(gamma_1, GAMMA_1))
    return above_the_infimum(V_k >= weight * gamma_1 * f_star, f, F_env, x_hat, rest, domain=domain, assumes=BELOW)


@cache
def upper(weight: Any = 1) -> Line:
    r"""The first term, with :math:`x_{-1}=x_0`; it does not depend on :math:`z_0`."""
    terms = [1 * envelope_infimum(F_env, bar(0, first=True), x_0)]
    domain = ADMISSIBLE.also(defined(gamma_1, GAMMA_1))
    claim = at_start(V_k) <= weight * gamma_1 * f(x_0)
    return line(claim, terms, domain=domain, assumes=(on.WEAKLY_CONVEX,), scope=Scope.FIRST_ANY)


def bound_1(noise: Any = alpha_0**2) -> Node:
    r"""The right side of Theorem 1; the paper prints it without :math:`\alpha_0^2` on the noise."""
    right: Node = SHARE * (gamma_1 * DELTA + noise * gamma * L2 / (2 * lam))
    return right


@cache
def gamma_1_weight(share: Any = 1) -> Line:
    weight = constants.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu).f
    return equal_numbers(gamma_1, 1 + share * weight, domain=ADMISSIBLE.also(defined(gamma_1, GAMMA_1)))


@cache
def theorem_1(noise: Any = alpha_0**2, domain: Domain = THEOREM_1) -> Line:
    r"""Theorem 1 with :math:`z_0=\beta g_0`; the mean over :math:`k^*` is the sum divided by :math:`K+1`."""
    total = Summation(lemma_4(), potential=V_k, measure=MEASURE, weight=alpha / 2, noise=STEP)
    terms = [1 / N**2 * uniform(MEASURE), SHARE * total, SHARE * upper(), SHARE * lower()]
    return line(RandomIndex(MEASURE) <= bound_1(noise), terms, TOTAL, domain=domain, assumes=SETTING, scope=Scope.RUN)


@cache
def first_step(share: Any = 1) -> Line:
    r"""The printed start, with :math:`\hat x_0` as the candidate in the envelope at :math:`\bar x_1`."""
    x_1, x_hat_0, g_0 = x(1, first=True), prox(0, first=True), sample(0, first=True)
    after = trial_at(z_printed, 0, first=True)
    weights = constants.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu)
    terms = [
        1 * envelope_infimum(F_env, bar(1, first=True), x_hat_0),
        1 / (2 * lam * beta**2) * nonexpansive(x_1, after, (1 - beta) * x_0 + beta * x_hat_0),
        -1 * envelope_attained(F_env, x_hat_0),
        1 * envelope_infimum(F_env, bar(0, first=True), x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        (weights.p * xi**2 + weights.d) / alpha**2 * nonexpansive(x_1, after, x_0),
        EXCESS * second_moment(g_0),
    ]
    claim = at_start(shifted(V_k)) + 1 / (2 * nu) * grad_0**2 <= gamma_1 * f(x_0) + share * EXCESS * L2
    domain = ADMISSIBLE.also(defined(gamma_1, GAMMA_1))
    return line(claim, terms, TOTAL, domain=domain, assumes=ORACLE, scope=Scope.FIRST)


@cache
def theorem_1_start(share: Any = 1, domain: Domain = THEOREM_1) -> Line:
    r"""Theorem 1 for the printed start: Lemma 4 from :math:`k=1` on, the first step by itself."""
    total = Summation(lemma_4(), potential=V_k, measure=MEASURE, weight=alpha / 2, noise=STEP, first=1)
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * first_term(MEASURE),
        SHARE * total,
        SHARE * first_step(),
        SHARE * lower(),
        SHARE * (1 / nu - alpha) / 2 * square(grad_0),
    ]
    right = SHARE * (gamma_1 * DELTA + gamma * (alpha_0**2 - alpha**2) / (2 * lam) * L2 + share * EXCESS * L2)
    return line(RandomIndex(MEASURE) <= right, terms, TOTAL, domain=domain, assumes=SETTING, scope=Scope.RUN_PRINTED)


def from_root(least: Any, domain: Domain) -> Domain:
    r"""The domain with :math:`\sqrt{K+1}` from a number on: a bound that is reached as :math:`K\to\infty` is tested there."""
    return domain.also(at_least(N, least))


@cache
def gamma_bounded(share: Any = 1, least: Any = 1) -> Line:
    right = share * constants.gamma_bound(weak_convexity=rho, alpha_0=alpha_0)
    return sign(right, less=gamma, domain=from_root(least, SHORTEST))


@cache
def gamma_1_bounded(share: Any = 1, least: Any = 1) -> Line:
    right = share * constants.gamma_1_bound(weak_convexity=rho, alpha_0=alpha_0)
    return sign(right, less=gamma_1, domain=from_root(least, SHORTEST))


def at_ten(gap: Any, noise: Any) -> Relation:
    r"""The second display, with a factor on each of its two terms."""
    claim: Relation = RandomIndex(MEASURE) <= 10 / N * (gap * rho * DELTA + noise * L2)
    return claim


@cache
def ten(gap: Any = 1, noise: Any = 1, least: Any = 1) -> Line:
    r"""At :math:`\alpha_0=1/\rho` with :math:`z_0=\beta g_0`."""
    domain = from_root(least, PARAMETER_FREE)
    terms = [
        1 * theorem_1(domain=domain),
        (10 * rho / N - SHARE * gamma_1) * infimum(f, x_0),
        1 * number((10 / N - SHARE * gamma * alpha_0**2 / (2 * lam)) * L2),
    ]
    return line(at_ten(gap, noise), terms, TOTAL, domain=domain, assumes=SETTING, scope=Scope.RUN)


@cache
def fixed_momentum_gamma(share: Any = 1, domain: Domain = ANY_NU) -> Line:
    r"""Remark ii: for fixed :math:`\beta` the constant is at most its value at :math:`K=0`, where :math:`\nu=\beta/\alpha_0`."""
    widest = constants.gamma(weak_convexity=rho, envelope=lam, beta=beta, nu=beta / alpha_0)
    return sign(share * widest, less=gamma, domain=domain)


@cache
def fixed_momentum_gamma_1(share: Any = 1, domain: Domain = ANY_NU) -> Line:
    return sign(share * constants.gamma_1(envelope=lam, beta=beta, nu=beta / alpha_0), less=gamma_1, domain=domain)


SINGLE_STEP = ANY_NU.also(defined(N, 1))
r""":math:`K=0`, where the last two bounds are attained."""


@cache
def near(share: Any = 1) -> Line:
    r"""Remark iii: a square, with :math:`x_k-\bar x_k=\xi d_k`."""
    right = share * 2 * grad_env**2 + 2 * xi**2 / lam**2 * d_k**2
    terms = [1 / lam**2 * square((x_bar - x_hat) - (x_k - x_bar))]
    return line(1 / lam**2 * (x_k - x_hat) ** 2 <= right, terms, assumes=(on.WEAKLY_CONVEX,), scope=Scope.EVERY)


DISTANCE = (x_k - x_hat) ** 2
MOMENTUM = (1 - beta) * f(x_prev) + nu / 2 * p_k**2 + alpha * d_k**2
r"""What Lemma 3 lets fall by :math:`\alpha\|d_k\|^2`."""
BOTH = 4 * V_k.of + 2 * xi**2 / lam**2 * MOMENTUM
NOISE_3 = alpha**2 * NOISE * L2
NOISE_BOTH = 4 * STEP + 2 * xi**2 / lam**2 * NOISE_3


@cache
def momentum_falls(share: Any = 1) -> Line:
    r"""Lemma 3 in the form that is summed, for :math:`\|d_k\|^2`."""
    right = MOMENTUM - alpha * d_k**2 + share * NOISE_3
    return line(shifted(MOMENTUM) <= right, [1 * lemma_3()], TOTAL, assumes=ORACLE, scope=Scope.STEP)


@cache
def both_fall() -> Line:
    r"""Lemmas 3 and 4 and remark iii together: a potential that falls by :math:`\alpha\lambda^{-2}\|x_k-\hat x_k\|^2`."""
    terms = [4 * lemma_4(), 2 * xi**2 / lam**2 * momentum_falls(), alpha * near()]
    right = BOTH - alpha / lam**2 * DISTANCE + NOISE_BOTH
    domain = ADMISSIBLE.also(defined(gamma, GAMMA))
    return line(shifted(BOTH) <= right, terms, TOTAL, domain=domain, assumes=ORACLE, scope=Scope.STEP)


def near_bound(share: Any) -> Node:
    r"""Twice the bound of Theorem 1, and what Lemma 3 gives for the average of :math:`2\xi^2\lambda^{-2}\mathrm E\|d_k\|^2`."""
    drift = 1 / (alpha_0 * N) * ((1 - beta) * DELTA + alpha_0**2 * NOISE * L2)
    right: Node = share * 2 * bound_1() + 2 * xi**2 / lam**2 * drift
    return right


@cache
def near_rate(share: Any = 1) -> Line:
    r"""Remark iii: on average the distance of :math:`x_k` from a near-stationary point has the same rate, for every :math:`\nu`."""
    part, drift = 1 / (alpha_0 * N), 2 * xi**2 / (lam**2 * alpha_0 * N)
    terms = [
        1 / (lam * N) ** 2 * uniform(DISTANCE),
        part * Summation(both_fall(), potential=BOTH, measure=DISTANCE, weight=alpha / lam**2, noise=NOISE_BOTH),
        4 * part * upper(),
        4 * part * lower(),
        drift * (1 - beta) * infimum(f, x_prev),
        drift * nu / 2 * square(p_k),
        drift * alpha * square(d_k),
    ]
    claim = 1 / lam**2 * RandomIndex(DISTANCE) <= near_bound(share)
    return line(claim, terms, TOTAL, domain=ANY_NU, assumes=SETTING, scope=Scope.RUN)


@cache
def near_rate_start(share: Any = 1) -> Line:
    r"""The same for the printed start, which costs a constant."""
    part, drift = 1 / (alpha_0 * N), 2 * xi**2 / (lam**2 * alpha_0 * N)
    first_length = nu * xi**2 / 2 + alpha
    terms = [
        1 / (lam * N) ** 2 * uniform(DISTANCE),
        1 / (lam * N) ** 2 * first_term(DISTANCE),
        part
        * Summation(both_fall(), potential=BOTH, measure=DISTANCE, weight=alpha / lam**2, noise=NOISE_BOTH, first=1),
        4 * part * first_step(),
        drift * first_length / alpha**2 * nonexpansive(x(1, first=True), trial_at(z_printed, 0, first=True), x_0),
        drift * first_length * second_moment(sample(0, first=True)),
        4 * part * lower(),
        drift * (1 - beta) * infimum(f, x_prev),
        drift * nu / 2 * square(p_k),
        drift * alpha * square(d_k),
        part * (2 / nu - alpha) * square(grad_0),
        4 * part * number(STEP),
        drift * number(NOISE_3),
    ]
    more = 4 * part * EXCESS + drift * first_length
    claim = 1 / lam**2 * RandomIndex(DISTANCE) <= near_bound(share) + more * L2
    return line(claim, terms, TOTAL, domain=ANY_NU, assumes=SETTING, scope=Scope.RUN_PRINTED)


def near_each() -> Statement:
    """The bound of :func:`near_rate` for every single step."""
    claim = 1 / lam**2 * DISTANCE <= near_bound(1)
    return Statement(claim, TOTAL, ANY_NU, SETTING, Scope.PRINTED)


C, eps = sp.symbols("C epsilon")


@cache
def samples(share: Any = 1) -> Line:
    r"""From a rate :math:`C/\sqrt{K+1}` for the squared norm to :math:`K+1=C^2/\epsilon^2` samples for accuracy :math:`\epsilon`."""
    return equal_numbers(C / N, share * eps, domain=Domain(positive(C), positive(eps), defined(N, C / eps)))
