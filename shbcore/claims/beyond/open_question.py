r"""The open question of the paper: the rate of Theorem 2 under (A1) and (A3) alone, without a bound on the gradient.

The paper's :math:`k^*` and stepsizes, any :math:`\nu`, :math:`\lambda^{-1}\ge2\rho`, :math:`\rho\alpha<2`; ``N`` is :math:`\sqrt{K+1}`.
With the printed start the gradient at :math:`x_0` enters, and :mod:`shbcore.claims.beyond.necessity` shows that it must.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import smooth_f
from shbcore.claims.beyond.energy import CONSTANTS, ENERGY, NOISE, OURS, SETTING, WEIGHT_F, E_k, c, falls, kappa, m
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.theorem_1_proof import DELTA, MEASURE, SHARE, alpha_0, from_root, grad_0, x_0

here = Section("Beyond the paper", "open_question")
f = smooth_f
BOUNDED = (*SETTING, on.BOUNDED_BELOW)
BELOW = (on.SMOOTH, on.BOUNDED_BELOW)
WHOLE = 1 + kappa + c
r"""The factor of :math:`\Delta`."""
B = 1 + c * lam * nu * (1 + beta)
r"""The factor of the noise."""
J = sp.Symbol("J")
FIRST = 1 / (2 * lam * nu**2) + c * (1 + beta) / (2 * nu)
r"""What the first sample costs with the printed start."""
HORIZON = ADMISSIBLE.also(
    *(at_least(N, 1), inverse_above(alpha_0, rho / (2 * N)), defined(alpha, alpha_0 / N)),
    *(defined(nu, beta * N / alpha_0), *CONSTANTS),
)
r"""Every :math:`\beta=\nu\alpha\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}` and :math:`\rho\alpha<2`."""
START = (defined(J, FIRST),)


def at_half(alpha_0_is: Any) -> Domain:
    r""":math:`\lambda=1/(2\rho)`, :math:`\nu=1/\alpha_0`, with a chosen :math:`\alpha_0`."""
    return HORIZON.also(
        *(positive(rho), defined(alpha_0, alpha_0_is), defined(lam, 1 / (2 * rho))),
        *(defined(nu, 1 / alpha_0), defined(beta, 1 / N)),
    )


FREE, HALVED = at_half(1 / rho), at_half(1 / (2 * rho))
SMALL = FREE.also(between(N, sp.Rational(7, 5), 2))
r"""Contains :math:`\sqrt2` and :math:`\sqrt3`: :math:`K=1,2`."""
FROM_3, FROM_1 = 2, sp.Rational(5, 4)
r"""A root of :math:`K+1` for :math:`K\ge3`, and one below that of every :math:`K\ge1`."""
FAR_OUT = 100
r"""A root of :math:`K+1` from which the bounds are nearly their limits: for controls."""


@cache
def lower(share: Any = 1) -> Line:
    r"""The last term of the sum."""
    rest = [WEIGHT_F * infimum(f, x_k), m * square(d_k)]
    return above_the_infimum(E_k >= share * WHOLE * f_star, f, F_env, x_hat, rest, domain=ENERGY, assumes=BELOW)


@cache
def upper(share: Any = 1) -> Line:
    r"""The first term of the sum, where nothing has moved."""
    terms = [1 * envelope_infimum(F_env, bar(0, first=True), x_0)]
    claim = at_start(E_k) <= share * WHOLE * f(x_0)
    return line(claim, terms, domain=ENERGY, assumes=(on.SMOOTH,), scope=Scope.FIRST_ANY)


def _sum(first: int) -> Summation:
    return Summation(falls(), potential=E_k, measure=MEASURE, weight=alpha / 2, noise=NOISE, first=first)


STEPS = alpha_0**2 / (2 * lam) * B


@cache
def repaired(share: Any = 1, domain: Domain = HORIZON) -> Line:
    r"""With :math:`z_0=\beta g_0`."""
    terms = [1 / N**2 * uniform(MEASURE), SHARE * _sum(0), SHARE * upper(), SHARE * lower()]
    right = SHARE * (WHOLE * DELTA + Number(share * STEPS * sigma2))
    return line(RandomIndex(MEASURE) <= right, terms, TOTAL, domain=domain, assumes=BOUNDED, scope=Scope.RUN)


@cache
def first_step(noise: Any = 1, slope: Any = 1) -> Line:
    r"""After the printed start: a step of length :math:`1/\nu` for the extrapolated point, with the gradient at :math:`x_0`."""
    x_1, x_hat_0, g_0 = x(1, first=True), prox(0, first=True), sample(0, first=True)
    after, slope_0 = trial_at(z_printed, 0, first=True), f.slope(x_0)
    pull, left_over = WEIGHT_F * alpha, g_0 - d(1, first=True)
    terms = [
        1 * envelope_infimum(F_env, bar(1, first=True), x_hat_0),
        1 / (lam * beta**2) * projection(x_1, after, (1 - beta) * x_0 + beta * x_hat_0),
        -1 * envelope_attained(F_env, x_hat_0),
        1 * envelope_infimum(F_env, bar(0, first=True), x_0),
        1 / (lam * nu) * weak_convexity(f, x_0, x_hat_0),
        1 / (lam * nu) * prox_strong_convexity(x_hat_0, x_0),
        (1 / lam - 2 * rho) / (2 * lam * nu) * square(x_0 - x_hat_0),
        WEIGHT_F * smooth_above(f, x_0, x_1),
        c * (xi + 2 * alpha) / alpha**2 * projection(x_1, after, x_0),
        pull / 2 * square(f.slope(x_0) - left_over),
        (J - pull / 2) * square(left_over),
        J * variance(g_0),
    ]
    right = WHOLE * f(x_0) + noise * J * sigma2 + slope * (J - pull / 2) * slope_0**2
    claim = at_start(shifted(E_k)) + 1 / (2 * nu) * grad_0**2 <= right
    return line(claim, terms, TOTAL, domain=ENERGY.also(*START), assumes=SETTING, scope=Scope.FIRST)


SLOPE = J - WEIGHT_F * alpha / 2
STEPS_PRINTED = (alpha_0**2 - alpha**2) / (2 * lam) * B + J


@cache
def printed(noise: Any = 1, slope: Any = 1, domain: Domain = HORIZON) -> Line:
    r"""With :math:`z_0=g_0`, as printed: the first step by itself, the others summed."""
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * first_term(MEASURE),
        SHARE * _sum(1),
        SHARE * first_step(),
        SHARE * lower(),
        SHARE * (1 / nu - alpha) / 2 * square(grad_0),
    ]
    right = SHARE * (WHOLE * DELTA + Number(noise * STEPS_PRINTED * sigma2) + slope * SLOPE * f.slope(x_0) ** 2)
    claim = RandomIndex(MEASURE) <= right
    return line(claim, terms, TOTAL, domain=domain.also(*START), assumes=BOUNDED, scope=Scope.RUN_PRINTED)


# --- without parameters: lambda = 1/(2 rho), nu = 1/alpha_0


def _free(build: Any, used: Any, gap: Any, noise: Any, scope: Scope, domain: Domain) -> Line:
    """A bound of the form (gap rho Delta + noise sigma^2) / sqrt(K + 1), from the general one, for :math:`z_0=\\beta g_0`."""
    terms = [
        1 * build(domain=domain),
        (10 * rho / N - SHARE * WHOLE) * infimum(f, x_0),
        1 * number((used / N - SHARE * STEPS) * sigma2),
    ]
    claim = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + Number(noise * sigma2))
    return line(claim, terms, TOTAL, domain=domain, assumes=BOUNDED, scope=scope)


@cache
def ten_and_four(gap: Any = 10, noise: Any = 4, least: Any = FROM_3) -> Line:
    r""":math:`\alpha_0=1/\rho`, :math:`z_0=\beta g_0`, :math:`K\ge3`."""
    return _free(repaired, 4, gap, noise, Scope.RUN, from_root(least, FREE))


THREE_HALVES = sp.Rational(3, 2)


@cache
def ten_and_three_halves(gap: Any = 10, noise: Any = THREE_HALVES, least: Any = FROM_1) -> Line:
    r""":math:`\alpha_0=1/(2\rho)`, :math:`z_0=\beta g_0`, :math:`K\ge1`."""
    return _free(repaired, THREE_HALVES, gap, noise, Scope.RUN, from_root(least, HALVED))


def _free_printed(eight: Any, four: Any, gap: Any, noise: Any, slope: Any, domain: Domain) -> Line:
    terms = [
        1 * printed(domain=domain),
        (10 * rho / N - SHARE * WHOLE) * infimum(f, x_0),
        1 * number((eight / N - SHARE * STEPS_PRINTED) * sigma2),
        (four / N - SHARE * SLOPE) * square(f.slope(x_0)),
    ]
    right = 1 / N * (gap * rho * DELTA + Number(noise * sigma2) + slope * f.slope(x_0) ** 2)
    whole = domain.also(*START)
    return line(RandomIndex(MEASURE) <= right, terms, TOTAL, domain=whole, assumes=BOUNDED, scope=Scope.RUN_PRINTED)


@cache
def ten_eight_four(gap: Any = 10, noise: Any = 8, slope: Any = 4, least: Any = 1) -> Line:
    r""":math:`\alpha_0=1/\rho`, the printed start, every :math:`K\ge0`."""
    return _free_printed(8, 4, gap, noise, slope, from_root(least, FREE))


@cache
def ten_three_three_halves(gap: Any = 10, noise: Any = 3, slope: Any = THREE_HALVES, least: Any = FROM_1) -> Line:
    r""":math:`\alpha_0=1/(2\rho)`, the printed start, :math:`K\ge1`."""
    return _free_printed(3, THREE_HALVES, gap, noise, slope, from_root(least, HALVED))


EIGHT_THIRDS = sp.Rational(8, 3)


@cache
def at_once(factor: Any = EIGHT_THIRDS) -> Line:
    r""":math:`K=0`, where :math:`k^*=0`: no sample is used."""
    scale, x_hat_0 = EIGHT_THIRDS * rho, prox(0, first=True)
    terms = [scale * prox_strong_convexity(x_hat_0, x_0), scale * infimum(f, x_hat_0)]
    domain = ADMISSIBLE.also(positive(rho), defined(lam, 1 / (2 * rho)))
    return line(grad_0**2 <= factor * rho * DELTA, terms, domain=domain, assumes=BELOW, scope=Scope.FIRST_ANY)


# --- K = 1, 2 at alpha_0 = 1/rho: a part of the sum ends one step earlier


@cache
def last_gradient(factor: Any = 1) -> Line:
    r"""The last gradient without a step, and so without noise."""
    terms = [-1 * envelope_attained(F_env, x_hat), 1 * infimum(f, x_hat), WEIGHT_F * infimum(f, x_k), m * square(d_k)]
    left = factor * lam / 2 * grad_env**2 + WHOLE * f_star
    return line(left <= E_k, terms, domain=ENERGY, assumes=BELOW, scope=Scope.EVERY)


LONG = FREE.also(between(N, 1, 2))
r""":math:`\alpha\ge\lambda`."""


@cache
def falls_slowly(fall: Any = lam / 2) -> Line:
    r"""The same step with :math:`\frac\lambda2` on the gradient, for :math:`\alpha\ge\lambda`."""
    claim = shifted(E_k) <= E_k - fall * grad_env**2 + Number(NOISE)
    terms = [1 * falls(), (alpha - lam) / 2 * square(grad_env)]
    return line(claim, terms, TOTAL, domain=LONG, assumes=SETTING, scope=Scope.STEP)


def _short(step: Any, weight: Any) -> Summation:
    return Summation(step, potential=E_k, measure=MEASURE, weight=weight, noise=NOISE, last="K-1")


@cache
def whole_sum(noise: Any = 1) -> Line:
    r"""All steps: those before the last one summed, and the last one."""
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * last_term(MEASURE, ended=False),
        SHARE * _short(falls(), alpha / 2),
        SHARE * falls(),
        SHARE * upper(),
        SHARE * Later(lower()),
    ]
    right = SHARE * (WHOLE * DELTA + Number(noise * STEPS * sigma2))
    return line(RandomIndex(MEASURE) <= right, terms, TOTAL, domain=SMALL, assumes=BOUNDED, scope=Scope.SHORT_RUN)


@cache
def short_sum(noise: Any = 1) -> Line:
    r"""Without the last step."""
    part = 2 / (lam * N**2)
    terms = [
        1 / N**2 * uniform(MEASURE),
        1 / N**2 * last_term(MEASURE, ended=False),
        part * _short(falls_slowly(), lam / 2),
        part * upper(),
        part * last_gradient(),
    ]
    right = part * (WHOLE * DELTA + Number(noise * (N**2 - 1) * NOISE))
    return line(RandomIndex(MEASURE) <= right, terms, TOTAL, domain=SMALL, assumes=BOUNDED, scope=Scope.SHORT_RUN)


TAU = sp.Rational(3, 10)


@cache
def ten_and_four_small(gap: Any = 10, noise: Any = 4) -> Line:
    r""":math:`K=1,2`: seven tenths of the whole sum, three tenths of the short one."""
    part = 2 / (lam * N**2)
    spent = (1 - TAU) * SHARE * WHOLE + TAU * part * WHOLE
    noisy = (1 - TAU) * SHARE * STEPS * sigma2 + TAU * part * (N**2 - 1) * NOISE
    terms = [
        (1 - TAU) * whole_sum(),
        TAU * short_sum(),
        (10 * rho / N - spent) * infimum(f, x_0),
        1 * number(4 / N * sigma2 - noisy),
    ]
    claim = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + Number(noise * sigma2))
    return line(claim, terms, TOTAL, domain=SMALL, assumes=BOUNDED, scope=Scope.SHORT_RUN)


# --- the theorems

_MANY: dict[str, Any] = {"least": FAR_OUT}

BOUND = here.theorem(
    "beyond/open/bound",
    "Theorem 2 without a bounded gradient",
    says=[
        proved(repaired, "the sum of a function that falls, with the repaired start", under="the noise"),
        proved(printed, "the first step by itself, with the printed start", under="the noise"),
    ],
    words=(
        f"{OURS} The open question of the paper, answered: the rate of Theorem 2 under (A1) and (A3) alone, on any closed convex set, "
        r"for any $\nu$. With the printed start the gradient at $x_0$ enters, and no other; that it must is shown below."
    ),
    more=[
        proved(printed, "the same", under=r"the term with $\nabla f(x_0)$", of="slope"),
        tried("open/beta", "the bound with the repaired start", 5),
        tried("open/printed", "the bound with the printed start", 5),
    ],
)
ENDS = here.lemma(
    "beyond/open/ends",
    "The two ends of the sum, and the first step",
    before=BOUND,
    says=[
        proved(upper, "the envelope is below the function", under="the right side"),
        proved(lower, "the infimum", over="the left side"),
        proved(first_step, "after the printed start", under="the noise"),
    ],
    words=rf"{OURS} $\mathcal{{E}}_k$ is the function that falls.",
    more=proved(first_step, "the same", under=r"the term with $\nabla f(x_0)$", of="slope"),
)
AT_ONCE = here.lemma(
    "beyond/open/first-gradient",
    "The gradient at the start",
    says=proved(at_once, "strong convexity at the prox point", under="the factor"),
    words=(
        f"{OURS} No sample is used. For a run of a single step, where $k^*$ is 0, it is better than every bound below."
    ),
)
FREE_BOUND = here.theorem(
    "beyond/open/ten",
    "Ten and four without a bounded gradient",
    says=[
        proved(ten_and_four, "from the bound before", under=r"$\rho\Delta$, for many steps", **_MANY),
        proved(ten_and_four_small, "a part of the sum without its last step", under="the noise", of="noise"),
        proved(
            ten_eight_four,
            "from the bound before, with the printed start",
            under=r"the term with $\nabla f(x_0)$, for many steps",
            of="slope",
            **_MANY,
        ),
    ],
    words=(
        rf"{OURS} The choice of Theorem 2 without parameters. The first two displays with the gradient at "
        r"the start, which is the case of a single step, cover every $K$. The factors 10, 4, 8 and 4 are those of the limit of many steps."
    ),
    more=[
        proved(ten_and_four, "the same", under="the noise, for many steps", of="noise", **_MANY),
        proved(ten_and_four_small, "the same", under=r"$\rho\Delta$"),
        proved(ten_eight_four, "the same", under="the noise, for many steps", of="noise", **_MANY),
        proved(ten_eight_four, "the same", under=r"$\rho\Delta$, for many steps", **_MANY),
        tried("open/ten-four", "ten and four", 10),
        tried("open/ten-eight-four", "ten, eight and four", 10),
    ],
    uses=[AT_ONCE],
)
HALF_STEP = here.theorem(
    "beyond/open/half-step",
    "Half the stepsize",
    says=[
        proved(ten_and_three_halves, "from the bound before", under="the noise, for many steps", of="noise", **_MANY),
        proved(
            ten_three_three_halves,
            "from the bound before, with the printed start",
            under="the noise, for many steps",
            of="noise",
            **_MANY,
        ),
    ],
    words=f"{OURS} The same factor of the gap and much less noise. A run of a single step is the gradient at the start.",
    more=[
        proved(
            ten_three_three_halves,
            "the same",
            under=r"the term with $\nabla f(x_0)$, for many steps",
            of="slope",
            **_MANY,
        ),
        tried("open/half-step", "ten and three halves", 5),
        tried("open/half-step, printed", "ten, three and three halves", 5),
    ],
    uses=[AT_ONCE],
)
