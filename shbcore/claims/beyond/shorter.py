r"""A shorter smooth half: Theorem 3 from one envelope step and the energy lemma (B), for both starts, on :math:`\mathbb R^n`.

Without constraints the candidate in the envelope moves with the step, so that the envelope bends by :math:`\rho/(1+\rho\lambda)` only.
The energy lemma takes the place of :math:`\varphi_k`, :math:`W_k` and Appendix C.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import smooth_f, stepsizes_up_to
from shbcore.claims.appendix_e_proof import (
    BOTTOM,
    BOUNDED,
    FREE,
    HALF_LAMBDA,
    PART,
    RANGE,
    SETTING,
    THEOREM_3,
    C,
    alpha_0,
    bound_3,
    c,
    evn_5,
    second,
    whole_run,
)
from shbcore.claims.beyond.energy import OURS, energy_lemma
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.theorem_1_proof import DELTA, MEASURE, grad_0, x_0

here = Section("Beyond the paper", "shorter_smooth_half")
f = smooth_f
BELOW = (on.SMOOTH, on.BOUNDED_BELOW)
THREE_HALVES = sp.Rational(3, 2)
c_1, m_1 = sp.symbols("c_1 m_1")
bend = rho / (1 + rho * lam)
r"""The upper curvature of the envelope."""
SPREAD = alpha * rho * xi**2 / lam
CONSTANTS = (
    defined(c, C),
    defined(c_1, rho * xi**2 / (lam * (1 - rho * alpha / 2))),
    defined(m_1, c_1 * xi / 2 + SPREAD),
)
SPACE = stepsizes_up_to(THREE_HALVES).also(RANGE, *CONSTANTS)
r""":math:`\rho\alpha\in(0,\frac32]`, :math:`\beta\in(0,1]`, :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`."""
slope, hat_slope = f.slope(x_k), f.slope(x_hat)
turn = slope - grad_env
q, tau = rho * lam, 1 / (1 + rho * lam)


@cache
def moved_candidate(share: Any = 1) -> Line:
    r"""For every outcome, with the candidate :math:`\hat x_k-\frac\alpha{1+\rho\lambda}g_k`."""
    candidate, ahead = x_hat - tau * alpha * g_k, x_bar - alpha * g_k
    terms = [
        1 * envelope_infimum(F_env, x_bar_next, candidate),
        1 / (2 * lam * beta) * whole_space(x_next, trial, (x_bar_next - candidate) + (ahead - candidate)),
        1 * smooth_above(f, x_hat, candidate),
        -1 * envelope_attained(F_env, x_hat),
        -tau * alpha * free_prox(x_hat, g_k),
    ]
    right = F_env(x_bar) - alpha * (grad_env @ g_k) + share * bend / 2 * alpha**2 * g_k**2
    return line(F_env(x_bar_next) <= right, terms, domain=SPACE, assumes=FREE, scope=Scope.STEP)


@cache
def turned(share: Any = 1) -> Line:
    r"""The gradient of the envelope is that of :math:`f` at the prox point, which is near."""
    terms = [1 * lipschitz_gradient(f, x_k, x_hat), 1 * free_prox(x_hat, 2 * slope - hat_slope - grad_env)]
    right = share * rho**2 * (x_k - x_hat) ** 2
    return line(turn**2 <= right, terms, domain=SPACE, assumes=FREE, scope=Scope.EVERY)


@cache
def envelope_fall(fall: Any = 1, noise: Any = 1) -> Line:
    r"""The envelope from step to step, given the past."""
    weight = alpha * (1 - bend * alpha) / (2 * q) + bend * alpha**2 / 2
    terms = [
        1 * moved_candidate(),
        bend / 2 * alpha**2 * variance(g_k),
        alpha * (1 - bend * alpha) * young(-grad_env, turn, 1 / q),
        weight * turned(),
        weight * rho**2 * square(lam * grad_env - xi * d_k),
        -alpha * bend * alpha / 2 * (1 - q) * (1 - 2 * q) * square(grad_env),
        (SPREAD - 2 * weight * rho**2 * xi**2) * square(d_k),
    ]
    right = F_env(x_bar) - fall * alpha / c * grad_env**2 + SPREAD * d_k**2 + noise * bend / 2 * alpha**2 * sigma2
    return line(F_env(x_bar_next) <= right, terms, PAST, domain=SPACE, assumes=SETTING, scope=Scope.STEP)


V_k = Named(r"\mathcal{V}_k", F_env(x_bar) + c_1 * f(x_k) + m_1 * d_k**2, "", 0)
NOISE = alpha**2 * sigma2 / 2 * (bend + c_1 * nu * (1 + beta))


@cache
def falls(noise: Any = 1) -> Line:
    r"""The envelope and :math:`c_1` times (B): a function that falls given the past, for :math:`\rho\alpha\le\frac32`."""
    claim = shifted(V_k) <= V_k - alpha / c * grad_env**2 + noise * NOISE
    terms = [1 * envelope_fall(), c_1 * energy_lemma()]
    return line(claim, terms, PAST, domain=SPACE, assumes=SETTING, scope=Scope.STEP)


# --- both ends of the sum


@cache
def lower(share: Any = 1) -> Line:
    r"""The last term."""
    rest = [c_1 * infimum(f, x_k), m_1 * square(d_k)]
    return above_the_infimum(share * (1 + c_1) * f_star <= V_k, f, F_env, x_hat, rest, domain=SPACE, assumes=BELOW)


x_hat_0 = prox(0, first=True)


@cache
def start_gap(share: Any = 1) -> Line:
    r"""The envelope at :math:`x_0` is below the function by what pays for a gradient there."""
    terms = [1 * envelope_attained(F_env, x_hat_0), 1 * prox_strong_convexity(x_hat_0, x_0)]
    left = F_env(bar(0, first=True)) + share * lam / 2 * (1 - rho * lam) * grad_0**2
    return line(left <= f(x_0), terms, domain=SPACE, assumes=(on.SMOOTH,), scope=Scope.FIRST_ANY)


FIRST_NOISE = (bend / (2 * nu**2) + c_1 * (1 + beta) / (2 * nu)) * sigma2


UP_TO_HALF = whole_run(HALF)
r"""A whole run with :math:`\alpha_0\le\frac1{2\rho}` and :math:`\nu=1/\alpha_0`."""
TWICE = UP_TO_HALF.also(*CONSTANTS)


@cache
def first_step(copies: int = 2, noise: Any = 1) -> Line:
    r"""After the printed start; it pays for one or two gradients at :math:`x_0`."""
    x_1, g_0, d_1, bar_1 = x(1, first=True), sample(0, first=True), d(1, first=True), bar(1, first=True)
    moved, ahead = trial_at(z_printed, 0, first=True), x_0 - 1 / nu * g_0
    candidate = x_hat_0 - tau / nu * g_0
    slope_0, hat_0 = f.slope(x_0), f.slope(x_hat_0)
    weight = bend / (2 * nu**2) + c_1 * xi / 2
    pull = 1 / nu - 2 * weight
    terms = [
        1 * envelope_infimum(F_env, bar_1, candidate),
        1 / (2 * lam * beta) * whole_space(x_1, moved, (bar_1 - candidate) + (ahead - candidate)),
        1 * smooth_above(f, x_hat_0, candidate),
        -1 * envelope_attained(F_env, x_hat_0),
        -tau / nu * free_prox(x_hat_0, g_0),
        1 * start_gap(),
        c_1 * smooth_above(f, x_0, x_1),
        c_1 * whole_space(x_1, moved, slope_0),
        -(m_1 + c_1 * rho * alpha**2 / 2) / alpha * whole_space(x_1, moved, g_0 + d_1),
        (weight + c_1 * alpha) * variance(g_0),
        pull * young(-grad_0, slope_0 - grad_0, 1 / q),
        (weight + pull / (2 * q)) * lipschitz_gradient(f, x_0, x_hat_0),
        (weight + pull / (2 * q)) * free_prox(x_hat_0, 2 * slope_0 - hat_0 - grad_0),
        (lam / 2 * (1 - q) + (1 - q) / nu - weight * (1 - q) ** 2 - copies * alpha / c) * square(grad_0),
    ]
    claim = at_start(shifted(V_k)) + copies * alpha / c * grad_0**2 <= (1 + c_1) * f(x_0) + noise * FIRST_NOISE
    return line(claim, terms, TOTAL, domain=TWICE, assumes=SETTING, scope=Scope.FIRST)


# --- the sums: either start, either range of k*


def _sum(first: int) -> Summation:
    return Summation(falls(), potential=V_k, measure=MEASURE, weight=alpha / c, noise=NOISE, first=first)


def _drawn(shift: bool) -> list[Term]:
    r""":math:`k^*` on :math:`\{0,\dots,K\}`, or on :math:`\{-1,\dots,K-1\}`, where the last gradient is left out and the first is twice."""
    if not shift:
        return [1 / N**2 * uniform(MEASURE)]
    last = shifted(grad_env, -1)
    return [1 / N**2 * uniform(MEASURE, shift=True), -1 / N**2 * last_term(MEASURE), 1 / N**2 * square(last)]


def _repaired(shift: bool) -> list[Term]:
    room = lam / 2 * (1 - rho * lam) - (alpha / c if shift else 0)
    return [*_drawn(shift), PART * _sum(0), PART * start_gap(), PART * lower(), PART * room * square(grad_0)]


def _printed(shift: bool) -> list[Term]:
    copies = 2 if shift else 1
    start = [1 / N**2 * first_term(MEASURE), PART * _sum(1), PART * first_step(copies), PART * lower()]
    return [*_drawn(shift), *start]


SPENT = N**2 * NOISE
SPENT_PRINTED = FIRST_NOISE + (N**2 - 1) * NOISE


def own_bound(spent: Any) -> Node:
    r""":math:`\frac c{\alpha_0\sqrt{K+1}}((1+c_1)\Delta+\text{spent})`."""
    right: Node = PART * ((1 + c_1) * DELTA + Number(spent))
    return right


@cache
def average(noise: Any = 1, shift: bool = False) -> Line:
    r"""With :math:`z_0=\beta g_0`."""
    claim = RandomIndex(MEASURE, shift) <= own_bound(noise * SPENT)
    return line(claim, _repaired(shift), TOTAL, domain=TWICE, assumes=BOUNDED, scope=Scope.RUN)


@cache
def average_printed(noise: Any = 1, shift: bool = False) -> Line:
    r"""With :math:`z_0=g_0`, as printed."""
    claim = RandomIndex(MEASURE, shift) <= own_bound(noise * SPENT_PRINTED)
    return line(claim, _printed(shift), TOTAL, domain=TWICE, assumes=BOUNDED, scope=Scope.RUN_PRINTED)


# --- Theorem 3


def numerator(square_weight: Any, lead: Any, factor: Any) -> tuple[Any, Any]:
    r"""The weights :math:`1+w\frac{\alpha_0^2}{\lambda^2}` and :math:`(a+b\frac{\alpha_0}\lambda)\frac{\alpha_0^2}{2\lambda}`."""
    y = alpha_0 / lam
    return 1 + square_weight * y**2, (lead + factor * y) * alpha_0**2 / (2 * lam)


def _simpler(claim: Relation, weights: tuple[Any, Any], printed: bool, shift: bool, domain: Domain) -> Line:
    """A claim with these weights of the gap and of the noise, from the average, where the weights are larger than its own."""
    gap, noise = weights
    own, spent = (average_printed, SPENT_PRINTED) if printed else (average, SPENT)
    terms = [
        1 * own(shift=shift),
        PART * (gap - 1 - c_1) * infimum(f, x_0),
        1 * number(PART * (noise * sigma2 - spent)),
    ]
    scope = Scope.RUN_PRINTED if printed else Scope.RUN
    return line(claim, terms, TOTAL, domain=domain.also(*CONSTANTS), assumes=BOUNDED, scope=scope)


SHORT_STEPS = whole_run(sp.Rational(1, 100))
r"""Short steps, for which the factor of the gap is nearly 1: for controls."""


@cache
def display(gap: Any = 1, noise: Any = 1, shift: bool = True, domain: Domain = THEOREM_3) -> Line:
    r"""The first display of Theorem 3 with the printed start, from the average."""
    weights = numerator(2, 1, 8)
    claim = RandomIndex(MEASURE, shift) <= PART * (gap * weights[0] * DELTA + Number(noise * weights[1] * sigma2))
    return _simpler(claim, weights, True, shift, domain)


@cache
def as_printed_start() -> Line:
    r"""Theorem 3, first display, word for word: with the printed start and the paper's range of :math:`k^*`."""
    claim = RandomIndex(MEASURE, shifted=True) <= bound_3()
    return line(claim, [1 * display()], TOTAL, domain=THEOREM_3, assumes=BOUNDED, scope=Scope.RUN_PRINTED)


@cache
def evn_5_own(gap: Any = 1, domain: Domain = THEOREM_3) -> Line:
    r"""The line before it in the paper, which has :math:`\xi` for :math:`\alpha_0`, with the printed start."""
    noise = (1 + 8 * nu * xi**2 / lam) * alpha_0**2 / (2 * lam)
    claim = RandomIndex(MEASURE, shifted=True) <= PART * (gap * BOTTOM * DELTA + Number(noise * sigma2))
    return _simpler(claim, (BOTTOM, noise), True, True, domain)


@cache
def evn_5_printed() -> Line:
    r"""``eq:proof:thrm:3:evn:5``, word for word."""
    return line(
        evn_5().statement.relation, [1 * evn_5_own()], TOTAL, domain=THEOREM_3, assumes=BOUNDED, scope=Scope.RUN_PRINTED
    )


@cache
def second_printed(share: Any = 1) -> Line:
    r"""The second display with :math:`\alpha_0^2`, with the printed start."""
    relation = second(2, share).statement.relation
    terms = [1 * as_printed_start()]
    return line(relation, terms, TOTAL, domain=HALF_LAMBDA, assumes=BOUNDED, scope=Scope.RUN_PRINTED)


TWO_FIFTHS = sp.Rational(2, 5)
LIMIT = SHORT_STEPS.also(
    defined(lam, 100 / (151 * rho)), defined(alpha_0, 1 / (1000 * rho)), at_least(N, sp.Integer(100))
)
r"""Where the smaller constants are nearly reached: for controls."""


def _better(printed: bool, shift: bool, gap: Any, lead: Any, domain: Domain) -> Line:
    times = 2 if printed else 1
    own, noise = numerator(1, times * TWO_FIFTHS, times)
    asked = numerator(1, times * lead * TWO_FIFTHS, times)[1]
    claim = RandomIndex(MEASURE, shift) <= PART * (gap * own * DELTA + Number(asked * sigma2))
    return _simpler(claim, (own, noise), printed, shift, domain)


@cache
def better(gap: Any = 1, lead: Any = 1, shift: bool = False, domain: Domain = UP_TO_HALF) -> Line:
    r"""Twice the range of stepsizes and smaller constants, with :math:`z_0=\beta g_0`."""
    return _better(False, shift, gap, lead, domain)


@cache
def better_printed(gap: Any = 1, lead: Any = 1, shift: bool = False, domain: Domain = UP_TO_HALF) -> Line:
    r"""The same with the printed start, and twice the noise."""
    return _better(True, shift, gap, lead, domain)


# --- the results

_OTHER = r"for the paper's range of $k^*$"
_LIMIT: dict[str, Any] = {"of": "lead", "domain": LIMIT}


def _word_for_word(build: Any, own: Any, what: str) -> Check:
    """A printed line, word for word; its control asks for a tenth less of the gap, where steps are short, from all parts of its proof."""
    control = partial(own, gap=NINE_TENTHS, domain=SHORT_STEPS)
    found = proved(build, what, r"nine tenths of the factor of $\Delta$, for short steps")
    return replace(found, control=lambda: refit(control()))


FIRST_DISPLAY = _word_for_word(as_printed_start, display, "from the energy lemma, with the printed start")
r"""Theorem 3, first display, with the start as printed."""
BEFORE_IT = _word_for_word(evn_5_printed, evn_5_own, "from the energy lemma, with the printed start")
SECOND_DISPLAY = proved(second_printed, "the first display at one place, with the printed start", under="the noise")


def _shifted(build: Any, *words: str, **change: Any) -> Check:
    r"""The certificate for :math:`k^*` on :math:`\{-1,\dots,K-1\}`."""
    return proved(partial(build, shift=True), *words, **change)


ENVELOPE = here.lemma(
    "beyond/short/envelope",
    "The envelope bends less when the candidate moves",
    says=[
        proved(moved_candidate, "the candidate moves with the step", under="the bend"),
        proved(turned, "the gradient at the prox point", under="the right side"),
        proved(envelope_fall, "the two together", over="the decrease"),
    ],
    words=f"{OURS} No constraints. The first two hold for every outcome.",
    more=proved(envelope_fall, "the same", under="the noise", of="noise"),
)
FALLS = here.lemma(
    "beyond/short/falls",
    "A Lyapunov function without conjugates",
    says=[Definition(V_k), proved(falls, r"the envelope and $c_1$ times the energy lemma", under="the noise")],
    words=rf"{OURS} It takes the place of $\varphi_k$, $W_k$ and Appendix C, and allows steps six times as long.",
)
ENDS = here.lemma(
    "beyond/short/ends",
    "The two ends of the sum, and the first step",
    says=[
        proved(start_gap, "strong convexity at the prox point", over="the gain"),
        proved(lower, "the infimum", over="the left side"),
        proved(first_step, "after the printed start", under="the noise", of="noise"),
    ],
    words=f"{OURS} The first step pays for two gradients at the start.",
)
AVERAGE = here.theorem(
    "beyond/short/average",
    "Theorem 3 with the constants of the shorter proof",
    says=[
        proved(average, "the sum, with the repaired start", under="the noise"),
        proved(average_printed, "the sum, with the printed start", under="the noise"),
        _shifted(average, f"{_OTHER}, with the repaired start", under="the noise"),
        _shifted(average_printed, f"{_OTHER}, with the printed start", under="the noise"),
    ],
    words=rf"{OURS} For both starts and for both ranges of $k^*$.",
)
AS_PRINTED = here.theorem(
    "beyond/short/printed",
    "Theorem 3 with the printed start, its first display word for word",
    says=[FIRST_DISPLAY, BEFORE_IT, SECOND_DISPLAY],
    words=(
        rf"{OURS} The paper's proof covers the repaired start only. The first display and the line before it hold word for word, the "
        r"second display with $\alpha_0^2$."
    ),
    uses=[AVERAGE],
)
BETTER = here.theorem(
    "beyond/short/better",
    "Theorem 3 with smaller constants, for twice the stepsizes",
    says=[
        proved(better, "with the repaired start", under="the 2/5, in the limit", **_LIMIT),
        proved(better_printed, "with the printed start", under="the 4/5, in the limit", **_LIMIT),
        _shifted(better, f"{_OTHER}, with the repaired start", under="the 2/5, in the limit", **_LIMIT),
        _shifted(better_printed, f"{_OTHER}, with the printed start", under="the 4/5, in the limit", **_LIMIT),
    ],
    words=rf"{OURS} For both starts and for both ranges of $k^*$.",
    more=[
        proved(better, "the same", under=r"the factor of $\Delta$, for short steps", domain=SHORT_STEPS),
        proved(better_printed, "the same", under=r"the factor of $\Delta$, for short steps", domain=SHORT_STEPS),
        tried("short/beta, 0..K", "smaller constants with the repaired start", 20),
        tried("short/beta, -1..K-1", "smaller constants with the repaired start, the other range", 20),
        tried("short/printed, 0..K", "smaller constants with the printed start", 20),
        tried("short/printed, -1..K-1", "smaller constants with the printed start, the other range", 20),
    ],
    uses=[AVERAGE],
)
