r"""Lines of Appendix E: one step of Theorem 3 on the whole space, the two ends of the sum, and the theorem for both starts.

Without constraints :math:`\nabla F_\lambda(\bar x_k)=\nabla f(\hat x_k)`.  As in Theorem 1, ``N`` is :math:`\sqrt{K+1}`.
"""

from shbcore.claims.writing import *
from shbcore.claims import appendix_c
from shbcore.claims.appendix_b import envelope_1_1
from shbcore.claims.appendix_c import W_NOISE, WEIGHTS, W, lemma_W, lemma_W_sharp, phi_nonnegative, stepsizes_up_to

f = appendix_c.f


alpha_0, c, delta = sp.symbols("alpha_0 c delta")
RANGE = inverse_between(lam, 3 * rho / 2, 2 * rho)
C = constants.c_theorem_3(weak_convexity=rho, envelope=lam)
NAMES = (defined(delta, 1 - alpha / lam), defined(c, C))


def one_step(bound: Any = QUARTER) -> Domain:
    r""":math:`\alpha\in(0,\text{bound}/\rho]` and :math:`\lambda^{-1}\in(3\rho/2,2\rho]`."""
    return stepsizes_up_to(bound).also(RANGE, *NAMES)


def whole_run(bound: Any = QUARTER) -> Domain:
    r""":math:`\alpha_0\in(0,\text{bound}/\rho]`, :math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\nu=1/\alpha_0`, the rest as in one step."""
    run = (between(alpha_0, 0, bound / rho), at_least(N, 1), defined(alpha, alpha_0 / N), defined(nu, 1 / alpha_0))
    return ADMISSIBLE.also(positive(rho), *run, defined(beta, 1 / N), RANGE, *NAMES)


ONE_STEP, THEOREM_3 = one_step(), whole_run()
WEAK = (on.WEAKLY_CONVEX,)
FREE = (on.SMOOTH, on.WHOLE_SPACE)
SETTING = (on.SMOOTH, on.WHOLE_SPACE, on.A1, on.A3)
BOUNDED = (*SETTING, on.BOUNDED_BELOW)
away, turn = x_bar - x_hat, f.slope(x_k) - f.slope(x_hat)
TARGET = (away - alpha * g_k) ** 2
SPREAD = alpha * delta * rho + alpha**2 * rho**2
RATIO = xi**2 / lam**2
STEP = (1 + 8 * nu * xi**2 / lam) * alpha**2 * sigma2 / (2 * lam)
MEASURE = grad_env**2


@cache
def evn_1(scale: Any = 1) -> Line:
    right = f(x_hat) + scale / (2 * lam) * (x_bar - x_hat - alpha * g_k) ** 2
    return line(F_env(x_bar_next) <= right, [1 * envelope_1_1()], domain=ONE_STEP, assumes=WEAK, scope=Scope.STEP)


@cache
def hat_rewritten(share: Any = 1) -> Line:
    r"""The optimality condition of :math:`\hat x_k`; a vector is zero where its square is."""
    off = x_hat - (alpha / lam * x_bar - share * alpha * f.slope(x_hat) + (1 - alpha / lam) * x_hat)
    terms = [alpha * free_prox(x_hat, off)]
    return line((off**2).equals(0), terms, domain=ONE_STEP, assumes=FREE, scope=Scope.EVERY)


LONGEST = ONE_STEP.also(defined(lam, 1 / (2 * rho)), defined(alpha, QUARTER / rho))
SHORT = ONE_STEP.also(defined(alpha, 1 / (100 * rho)))
"""Where some of the inequalities between constants are tight, or nearly so: for controls."""


@cache
def hat_gradient(share: Any = 1) -> Line:
    r"""Without constraints the gradient of the envelope is that of :math:`f` at the prox point."""
    off = grad_env - share * f.slope(x_hat)
    return line((off**2).equals(0), [-1 * free_prox(x_hat, off)], domain=ONE_STEP, assumes=FREE, scope=Scope.EVERY)


@cache
def delta_inside(least: Any = HALF, domain: Domain = ONE_STEP) -> Line:
    r""":math:`\delta` is at least one half."""
    return sign(delta, less=least, domain=domain)


@cache
def squared(noise: Any = 1) -> Line:
    r"""With :math:`\le` where the paper prints an equality: :math:`\sigma^2` is a bound of the variance."""
    right = (
        delta**2 * away**2 - 2 * alpha * delta * (away @ turn) + alpha**2 * turn**2 + Number(noise * alpha**2 * sigma2)
    )
    rewritten = delta * away - alpha * (g_k - f.slope(x_k)) - alpha * turn
    terms = [-alpha * free_prox(x_hat, (away - alpha * g_k) + rewritten), alpha**2 * variance(g_k)]
    return line(TARGET <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.EVERY)


@cache
def young_3(share: Any = 1) -> Line:
    left = -2 * alpha * delta * (away @ turn)
    right = alpha * delta * rho * away**2 + share * alpha * delta / rho * turn**2
    terms = [2 * alpha * delta * young(-away, turn, 1 / rho)]
    return line(left <= right, terms, TOTAL, domain=ONE_STEP, assumes=WEAK, scope=Scope.EVERY)


NOISE = Number(alpha**2 * sigma2)


@cache
def chain_1(share: Any = 1) -> Line:
    right = (delta**2 + rho * alpha * delta) * away**2 + share * (alpha * delta / rho + alpha**2) * turn**2 + NOISE
    terms = [1 * squared(), 1 * young_3()]
    return line(TARGET <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.EVERY)


@cache
def chain_2(share: Any = 1) -> Line:
    right = (delta**2 + rho * alpha * delta) * away**2 + share * SPREAD * (x_k - x_hat) ** 2 + NOISE
    terms = [1 * chain_1(), (alpha * delta / rho + alpha**2) * lipschitz_gradient(f, x_k, x_hat)]
    return line(TARGET <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.EVERY)


@cache
def chain_3(bend: Any = 3) -> Line:
    lead = delta**2 + bend * rho * alpha * delta + 2 * alpha**2 * rho**2
    right = lead * away**2 + 2 * SPREAD * (x_k - x_bar) ** 2 + NOISE
    terms = [1 * chain_2(), SPREAD * square((x_k - x_bar) - away)]
    return line(TARGET <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.EVERY)


TAIL = 1 / lam * (1 / lam - 3 * rho + 2 * rho**2 * lam)


@cache
def factor(share: Any = 1) -> Line:
    left = delta**2 + 3 * rho * alpha * delta + 2 * alpha**2 * rho**2
    right = 1 - alpha * (2 / lam - 3 * rho) + share * alpha**2 * TAIL
    return equal_numbers(left, right, domain=ONE_STEP)


@cache
def tail_sign(more: Any = 0, domain: Domain = ONE_STEP) -> Line:
    r"""The term with :math:`\alpha^2` is not positive; it vanishes at :math:`\lambda^{-1}=2\rho`."""
    return sign(sp.S.Zero, less=alpha**2 * TAIL + more, domain=domain)


@cache
def evn_2(fall: Any = 1) -> Line:
    right = away**2 - fall * alpha * (2 / lam - 3 * rho) * away**2 + 2 * SPREAD * (x_k - x_bar) ** 2 + NOISE
    terms = [1 * chain_3(), -(alpha**2) * TAIL * square(away)]
    return line(TARGET <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.EVERY)


@cache
def evn_2_envelope(fall: Any = 1) -> Line:
    right = (
        F_env(x_bar) - fall * alpha / c * MEASURE + SPREAD / lam * (x_k - x_bar) ** 2 + alpha**2 * sigma2 / (2 * lam)
    )
    terms = [1 * evn_1(), 1 / (2 * lam) * evn_2(), -1 * envelope_attained(F_env, x_hat)]
    return line(F_env(x_bar_next) <= right, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.STEP)


@cache
def weight(tail: Any = 1 / lam) -> Line:
    r"""The term with :math:`\alpha^2` carries a factor :math:`1/\lambda` that the paper drops."""
    right = alpha * rho / lam + alpha**2 * (rho**2 - rho / lam) * tail
    return equal_numbers(SPREAD / lam, right, domain=ONE_STEP)


@cache
def weight_first(share: Any = 1, domain: Domain = ONE_STEP) -> Line:
    return sign(alpha * rho / lam, less=share * SPREAD / lam, domain=domain)


@cache
def weight_last(share: Any = 1) -> Line:
    return sign(share * alpha / lam**2, less=alpha * rho / lam, domain=ONE_STEP)


@cache
def evn_3(fall: Any = 1, spread: Any = alpha / lam**2) -> Line:
    r"""The sharper ``spread`` is :math:`\alpha\rho/\lambda`."""
    right = F_env(x_bar) - fall * alpha / c * MEASURE + spread * xi**2 * d_k**2 + alpha**2 * sigma2 / (2 * lam)
    terms = [1 * evn_2_envelope(), (spread - SPREAD / lam) * xi**2 * square(d_k)]
    claim, name = F_env(x_bar_next) <= right, "one step of the envelope"
    return line(claim, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.STEP, name=name)


def V(index: int = 0) -> Named:
    r"""What Appendix E calls :math:`V_k`: :math:`F_\lambda(\bar x_k)+\frac{\xi^2}{\lambda^2}W_k+\frac{\alpha\xi^2}{\lambda^2}\|d_k\|^2`."""
    of = F_env(bar(index)) + RATIO * W(index) + alpha * RATIO * d(index) ** 2
    return Named(indexed("V", index), of, "", index)


V_k = V(0)


def fall(potential: Node, noise: Any) -> Node:
    r"""The right side of one step: the potential, less :math:`\frac\alpha c\|\nabla F_\lambda(\bar x_k)\|^2`, plus noise."""
    right: Node = potential - alpha / c * MEASURE + Number(noise)
    return right


@cache
def evn_4(noise: Any = 1) -> Line:
    terms = [1 * evn_3(), RATIO * lemma_W()]
    claim = V(1).of <= fall(V_k.of, noise * STEP)
    return line(claim, terms, TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.STEP)


# --- the ends of the sum

x_0, x_1, x_2 = (x(index, first=True) for index in range(3))
g_0, g_1 = sample(0, first=True), sample(1, first=True)
hat_0, grad_0 = prox(0, first=True), gradient(0, first=True)
slope_0, slope_1 = f.slope(x_0), f.slope(x_1)
turn_0 = slope_0 - grad_0
DELTA = f(x_0) - f_star
V_0, V_1 = at_start(V_k), at_start(shifted(V_k))
BOTTOM = 1 + 2 * RATIO


def free_value(p: Any, y: Node, times: Any) -> list[Term]:
    r"""Without constraints :math:`h^*(y)=\frac12\|y\|^2`, where ``p`` is the projection of ``y``."""
    return [times * conjugate_value(h_star, p, y), -times / 2 * whole_space(p, y, p - y)]


def lipschitz_0(times: Any) -> list[Term]:
    r""":math:`\|\nabla f(x_0)-\nabla F_\lambda(x_0)\|\le\rho\|x_0-\hat x_0\|`, since :math:`\nabla f(\hat x_0)=\nabla F_\lambda(x_0)`."""
    both = turn_0 + slope_0 - f.slope(hat_0)
    return [times * lipschitz_gradient(f, x_0, hat_0), times * free_prox(hat_0, both)]


@cache
def before_the_start(share: Any = 1) -> Line:
    r""":math:`V_{-1}` of the paper, with :math:`x_{-1}=x_0` and :math:`z_{-1}=d_{-1}=0`."""
    left = F_env(x_0) + RATIO * (2 * f(x_0))
    terms = [1 * envelope_infimum(F_env, x_0, x_0)]
    claim = left <= share * BOTTOM * f(x_0)
    return line(claim, terms, domain=ONE_STEP, assumes=WEAK, scope=Scope.FIRST_ANY)


@cache
def first_step(share: Any = 1, noise: Any = STEP, bound: Any = QUARTER) -> Line:
    r"""The step that the paper writes as :math:`k=-1`, for :math:`z_0=\beta g_0`: :math:`f(x_0)-F_\lambda(x_0)` pays for it."""
    part = RATIO * beta**2 / (2 * nu)
    terms = [
        *free_value(x_1, trial_at(z(0, first=True), 0, first=True), RATIO * WEIGHTS.phi),
        1 * envelope_attained(F_env, hat_0),
        1 * prox_strong_convexity(hat_0, x_0),
        part * variance(g_0),
        2 * part * young(grad_0, turn_0, 1 / (rho * lam)),
        *lipschitz_0(part * (1 + 1 / (rho * lam))),
        (lam / 2 * (1 - rho * lam) - alpha / c - part * (1 + rho * lam) ** 2) * square(grad_0),
        1 * number(noise - part * sigma2),
    ]
    claim = V_0 + alpha / c * grad_0**2 <= share * BOTTOM * f(x_0) + Number(noise)
    return line(claim, terms, TOTAL, domain=whole_run(bound), assumes=SETTING, scope=Scope.FIRST_REPAIRED)


@cache
def lower(share: Any = 1) -> Line:
    r"""The last term of the sum."""
    rest = [
        2 * RATIO * infimum(f, x_k),
        RATIO * WEIGHTS.phi * phi_nonnegative(),
        RATIO * (xi / 2 + alpha) * square(d_k),
    ]
    claim, assumes = share * BOTTOM * f_star <= V_k, (*WEAK, on.BOUNDED_BELOW)
    return above_the_infimum(claim, f, F_env, x_hat, rest, domain=ONE_STEP, assumes=assumes, scope=Scope.STEP)


# --- the theorem for the repaired start


@cache
def _potential_falls() -> Line:
    r"""``eq:proof:thrm:3:evn:4`` with its potential by name."""
    claim = V(1) <= fall(V_k, STEP)
    return line(claim, [1 * evn_4()], TOTAL, domain=ONE_STEP, assumes=SETTING, scope=Scope.STEP)


@cache
def _sum_from_0() -> Summation:
    return Summation(_potential_falls(), V_k, MEASURE, alpha / c, STEP, last="K-1")


@cache
def summed(noise: Any = 1) -> Line:
    r"""The sum from :math:`k=0` to :math:`K-1`."""
    right = V_0 - alpha / c * Series(MEASURE, 0, "K-1") + Number(noise * (N**2 - 1) * STEP)
    return line(V_k <= right, [1 * _sum_from_0()], TOTAL, domain=THEOREM_3, assumes=SETTING, scope=Scope.SHORT_RUN)


PART = c / (alpha_0 * N)


@cache
def evn_5(share: Any = 1) -> Line:
    r"""For :math:`k^*` on :math:`\{-1,\dots,K-1\}` with :math:`\bar x_{-1}=\bar x_0`."""
    right = PART * (BOTTOM * DELTA + Number(share * (1 + 8 * nu * xi**2 / lam) * sigma2 * alpha_0**2 / (2 * lam)))
    terms = [1 / N**2 * uniform(MEASURE, shift=True), PART * _sum_from_0(), PART * first_step(), PART * lower()]
    claim = RandomIndex(MEASURE, shifted=True) <= right
    return line(claim, terms, TOTAL, domain=THEOREM_3, assumes=BOUNDED, scope=Scope.SHORT_RUN)


def bound_3(share: Any = 1, factor: Any = 8) -> Node:
    r"""The right side of the first display."""
    noise = share * (1 + factor * alpha_0 / lam) * sigma2 * alpha_0**2 / (2 * lam)
    right: Node = PART * ((1 + 2 * alpha_0**2 / lam**2) * DELTA + Number(noise))
    return right


def _slack(factor: Any, spent: Any) -> Any:
    return PART * ((1 + factor * alpha_0 / lam) * alpha_0**2 / (2 * lam) * sigma2 - spent)


@cache
def theorem_3(share: Any = 1, least: Any = 1) -> Line:
    r"""Theorem 3, first display, as printed, for :math:`z_0=\beta g_0`: ``evn:5`` and :math:`\xi\le\alpha_0`."""
    terms = [
        1 * evn_5(),
        PART * 2 * (alpha_0**2 / lam**2 - RATIO) * infimum(f, x_0),
        1 * number(_slack(8, N**2 * STEP)),
    ]
    claim = RandomIndex(MEASURE, shifted=True) <= bound_3(share)
    domain = THEOREM_3.also(at_least(N, least))
    return line(claim, terms, TOTAL, domain=domain, assumes=BOUNDED, scope=Scope.SHORT_RUN)


HALF_LAMBDA = THEOREM_3.also(defined(lam, 1 / (2 * rho)))


@cache
def second(power: int = 2, share: Any = 1) -> Line:
    r"""Theorem 3, second display, :math:`\lambda=1/(2\rho)`, with :math:`\alpha_0^2` for the printed :math:`\alpha_0^3`."""
    noise = Number(share * (rho + 16 * alpha_0 * rho**2) * sigma2 * alpha_0**power)
    right = 4 / (alpha_0 * N) * ((1 + 8 * rho**2 * alpha_0**2) * DELTA + noise)
    claim = RandomIndex(MEASURE, shifted=True) <= right
    return line(claim, [1 * theorem_3()], TOTAL, domain=HALF_LAMBDA, assumes=BOUNDED, scope=Scope.SHORT_RUN)


PRINTED_SECOND = replace(second(3).statement, scope=Scope.RUN_PRINTED)
TIGHT = 1000
"""A root of K + 1 at which the bounds of the theorem are nearly those of its proof: for controls."""


@cache
def c_value(value: Any = 4) -> Line:
    return equal_numbers(c, value, domain=HALF_LAMBDA)


@cache
def c_least(value: Any = 4, domain: Domain = ONE_STEP) -> Line:
    return sign(c, less=value, domain=domain)


# --- the theorem for the printed start

J = sp.Symbol("J")
JUMP = 1 / (2 * lam * nu**2) + RATIO * (
    rho * alpha**2 + (1 - beta + 2 * beta * rho**2 * alpha**2) / (2 * nu) + xi / 2 + alpha
)
r"""The price :math:`J` of the printed start, in units of :math:`\mathrm E\|g_0\|^2`."""
START_RUN = THEOREM_3.also(defined(J, JUMP))


@cache
def jump_value(share: Any = 1) -> Line:
    r""":math:`J` is that of the library."""
    own = constants.start_excess_3(weak_convexity=rho, envelope=lam, alpha=alpha, beta=beta, nu=nu)
    return equal_numbers(J, share * own, domain=START_RUN)


@cache
def first_step_printed(share: Any = 1) -> Line:
    r"""After :math:`z_0=g_0`, with :math:`\hat x_0` as the candidate in the envelope at :math:`\bar x_1`; what it gains,
    :math:`\frac1\nu\langle\nabla F_\lambda(x_0),\nabla f(x_0)\rangle`, pays for both gradients at :math:`x_0`."""
    bar_1, d_1, z_1 = bar(1, first=True), d(1, first=True), z(1, first=True)
    moved = trial_at(z_printed, 0, first=True)
    spent, r = J - alpha * RATIO, rho * lam
    gain = 1 / nu - 2 * spent
    own = (J - 1 / (2 * lam * nu**2)) / alpha
    terms = [
        *free_value(x_2, trial_at(z_1, 1, first=True), RATIO * WEIGHTS.phi),
        1 * envelope_infimum(F_env, bar_1, hat_0),
        1 / (2 * lam * beta) * whole_space(x_1, moved, (bar_1 - hat_0) + (x_0 - 1 / nu * g_0 - hat_0)),
        -1 * envelope_attained(F_env, hat_0),
        1 * envelope_infimum(F_env, x_0, x_0),
        2 * RATIO * smooth_above(f, x_0, x_1),
        2 * RATIO * whole_space(x_1, moved, slope_0),
        -own * whole_space(x_1, moved, g_0 + d_1),
        RATIO / (2 * nu) * square_convexity(g_1, d_1, beta),
        RATIO * beta / (2 * nu) * variance(g_1),
        RATIO * beta / (2 * nu) * square((slope_1 - slope_0) - slope_0),
        RATIO * beta / nu * lipschitz_gradient(f, x_1, x_0),
        J * variance(g_0),
        gain * young(-grad_0, turn_0, 1 / r),
        *lipschitz_0(spent + gain / (2 * r)),
        ((1 - r) / nu - spent * (1 - r) ** 2 - alpha / c) * square(grad_0),
    ]
    right = BOTTOM * f(x_0) + Number(share * (J + alpha * RATIO / 2) * sigma2)
    claim = V_1 + alpha / c * grad_0**2 <= right
    return line(claim, terms, TOTAL, domain=START_RUN, assumes=SETTING, scope=Scope.FIRST)


@cache
def theorem_3_start(share: Any = 1) -> Line:
    r"""Theorem 3 for the printed start, :math:`k^*` on :math:`\{0,\dots,K\}`: the bound of ``evn:5`` with more noise."""
    total = Summation(_potential_falls(), V_k, MEASURE, alpha / c, STEP, first=1)
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * first_term(MEASURE),
        PART * total,
        PART * first_step_printed(),
        PART * lower(),
        1 * number(PART * STEP),
    ]
    noise = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam) + share * (J + alpha * RATIO / 2)
    claim = RandomIndex(MEASURE) <= PART * (BOTTOM * DELTA + Number(noise * sigma2))
    return line(claim, terms, TOTAL, domain=START_RUN, assumes=BOUNDED, scope=Scope.RUN_PRINTED)


# --- twice the range of stepsizes, with the sharper W lemma

SHARP_SETTING = (on.SMOOTH_EVERYWHERE, on.WHOLE_SPACE, on.A1, on.A3)
SHARP_STEP = (1 + 2 * W_NOISE * nu * xi**2 / lam) * alpha**2 * sigma2 / (2 * lam)


@cache
def sharp_step(share: Any = 1) -> Line:
    r"""``eq:proof:thrm:3:evn:4`` for :math:`\rho\alpha\le\frac12`, with the sharper W lemma."""
    terms = [1 * evn_3(), RATIO * lemma_W_sharp()]
    claim = V(1) <= fall(V_k, share * SHARP_STEP)
    return line(claim, terms, TOTAL, domain=one_step(HALF), assumes=SHARP_SETTING, scope=Scope.STEP)


@cache
def theorem_3_sharp(share: Any = 1, least: Any = 1) -> Line:
    r"""Theorem 3 for :math:`\alpha_0\le1/(2\rho)` with 2 for 8."""
    total = Summation(sharp_step(), V_k, MEASURE, alpha / c, SHARP_STEP, last="K-1")
    terms = [
        1 / N**2 * uniform(MEASURE, shift=True),
        PART * total,
        PART * first_step(1, SHARP_STEP, HALF),
        PART * lower(),
        PART * 2 * (alpha_0**2 / lam**2 - RATIO) * infimum(f, x_0),
        1 * number(_slack(2, N**2 * SHARP_STEP)),
    ]
    claim = RandomIndex(MEASURE, shifted=True) <= bound_3(share, 2)
    domain = whole_run(HALF).also(at_least(N, least))
    assumes = (*SHARP_SETTING, on.BOUNDED_BELOW)
    return line(claim, terms, TOTAL, domain=domain, assumes=assumes, scope=Scope.SHORT_RUN)
