r"""Any schedule: constant momentum :math:`\beta`, stepsizes :math:`\alpha_k`, weighted sums of the expected gradients of the envelope.

Smooth problems without a bound on the gradient: stepsizes that do not grow, log-concave ones, and slow growth (warm-up).  Under (A2): any
stepsizes at all, and stepsizes that do not grow.  A class of schedules is the domain of its theorem, at every step.
"""

from shbcore.claims.writing import *
from shbcore.claims.beyond.schedule_steps import *
from shbcore.proof.scheduled import ahead, bar, gradient, prox, stepsize, trial_at

BOUNDED = (*SETTING, on.BOUNDED_BELOW)
ROUGHLY = (*ROUGH, on.BOUNDED_BELOW)
MEASURE = grad_env**2
x_0 = x(0, first=True)
DELTA = f(x_0) - f_star
w_k, w_next, m_k, m_next = (sequence(stem, j) for stem in ("w", "m") for j in (0, 1))
al_0, w_0 = stepsize(0, True), sequence("w", 0, True)


def both(symbol: Any, formula: Any) -> tuple[Any, Any]:
    """The definition of a member of a sequence, at step k and at the next one."""
    return defined(symbol, formula), defined(moved(symbol, 1), moved(sp.sympify(formula), 1))


def left_over(c: Any) -> Any:
    r"""What a step leaves on :math:`\|d_{k+1}\|^2` when :math:`c_k` times (B) is added to (A)."""
    return c * al * (tau / 2 + 1 - rho * al / 2) - kappa * rho * al**2 / 2


def needed(c: Any) -> Any:
    r"""What it needs on :math:`\|d_k\|^2`."""
    return A * e**2 / (2 * lam**2) + c * tau * al / 2


def noise_of(c: Any) -> Any:
    return sigma2 / (2 * lam) * (A**2 + lam * c * beta * al * (1 + beta))


def potential(name: str, f: Function, weight: Any) -> Named:
    return Named(name, F_env(x_bar) + weight * (f(x_k) - f_star) + m_k * d_k**2, "", 0)


def run(domain: Domain) -> Domain:
    """The domain of a step, with what it says of the first one."""
    return domain.also(*domain.started())


@cache
def lower(of: Named, domain: Domain, f: Function, share: Any = 1) -> Line:
    r"""The last term of the sum: :math:`f^\star` is below the potential."""
    values, lengths, *_ = (one.times for one in of.of.children if isinstance(one, Scaled))
    kind, point = (on.SMOOTH, x_k) if f is smooth_f else (on.WEAKLY_CONVEX, x_prev)
    rest = [values * infimum(f, point), lengths * square(d_k)]
    return above_the_infimum(
        share * f_star <= of, f, F_env, x_hat, rest, domain=domain, assumes=(kind, on.BOUNDED_BELOW)
    )


@cache
def upper(of: Named, domain: Domain, f: Function, weight: Any) -> Line:
    r"""The first term of the sum, where nothing has moved; ``weight`` is that of :math:`f` at the start."""
    terms = [1 * envelope_infimum(F_env, bar(0, first=True), x_0)]
    claim = at_start(of) <= (1 + weight) * (f(x_0) - f_star) + f_star
    kind = on.SMOOTH if f is smooth_f else on.WEAKLY_CONVEX
    return line(claim, terms, domain=run(domain), assumes=(kind, on.BOUNDED_BELOW), scope=Scope.FIRST_ANY)


# --- smooth, stepsizes that do not grow

PACE = al / (beta * lam)
FALLING = Domain(
    *(*BASE, positive(al_prev), between(al, 0, 2 * beta * lam), between(al_next, 0, al)),
    *(between(S_next, 0, al_next / beta), AHEAD, *both(w_k, kappa + PACE), *both(m_k, needed(PACE))),
)
r""":math:`\alpha_0\le2\beta\lambda`, :math:`\alpha_{k+1}\le\alpha_k`; then :math:`\beta S_k\le\alpha_k`."""
G_k = potential(r"\mathcal{G}_k", smooth_f, w_k)


def _falls(of: Named, domain: Domain, c: Any, spare: Any, noise: Any, drop: Any = None) -> Line:
    """(A) and c_k times (B)."""
    drop = w_k - w_next if drop is None else drop
    rooms = spare if isinstance(spare, (list, tuple)) else [spare]
    terms = [1 * envelope_step(), c * energy_lemma(), *(one * square(d_next) for one in rooms)]
    terms += [drop * infimum(smooth_f, x_next)] if drop != 0 else []
    claim = shifted(of) <= of - A / 2 * MEASURE + Number(noise * noise_of(c))
    return line(claim, terms, PAST, domain=domain, assumes=BOUNDED, scope=Scope.STEP)


@cache
def falls(noise: Any = 1) -> Line:
    r"""A Lyapunov function for stepsizes that do not grow."""
    return _falls(G_k, FALLING, PACE, left_over(PACE) - m_next, noise)


def _plain(step: Line, of: Named, domain: Domain, noise: Any, room: Any) -> Line:
    r"""A step times :math:`2/\beta`, with :math:`\alpha_k\le S_k` before the gradient and a simpler noise."""
    claim = shifted(2 / beta * of) <= 2 / beta * of - al * MEASURE + Number(noise)
    terms = [2 / beta * step, (S - al) * square(grad_env), 1 * number(room)]
    return line(claim, terms, PAST, domain=domain, assumes=BOUNDED, scope=Scope.STEP)


def _bound(step: Line, of: Named, domain: Domain, weight: Any, noise: Any, cost: Any) -> Line:
    """The sum over all steps of the simpler step: (2 / beta) (1 + weight) Delta and the noise."""
    total = Summation(step, 2 / beta * of, MEASURE, al, noise)
    first = next(one.times for one in at_start(of.of).children if isinstance(one, Scaled))
    terms = [
        1 * total,
        2 / beta * upper(of, domain, smooth_f, first),
        2 / beta * lower(of, domain, smooth_f),
        2 / beta * (weight - first) * infimum(smooth_f, x_0),
    ]
    right = 2 / beta * (1 + weight) * SMOOTH_DELTA + Series(Number(cost * noise))
    return line(Series(al * MEASURE) <= right, terms, TOTAL, domain=run(domain), assumes=BOUNDED, scope=Scope.RUN)


SMOOTH_DELTA = smooth_f(x_0) - f_star
NOISE_FALLING = (2 + beta) * sigma2 / (beta * lam) * al**2


@cache
def falls_plainly(noise: Any = 1) -> Line:
    r"""The same, weaker and simpler."""
    room = NOISE_FALLING - 2 / beta * noise_of(PACE)
    return _plain(falls(), G_k, FALLING, noise * NOISE_FALLING, room)


def _with_weights(step: Line, of: Named, domain: Domain, c: Any, gap: Any, noise: Any) -> Line:
    r"""The sum over all steps, with the weights :math:`\beta S_k`."""
    total = Summation(step, of, MEASURE, A / 2, noise_of(c))
    terms = [1 * total, 1 * upper(of, domain, smooth_f, w_0), 1 * lower(of, domain, smooth_f)]
    right = gap * (1 + w_0) * SMOOTH_DELTA + Series(Number(noise * noise_of(c)))
    claim = Series(A / 2 * MEASURE) <= right
    return line(claim, terms, TOTAL, domain=run(domain), assumes=BOUNDED, scope=Scope.RUN)


@cache
def sharp(gap: Any = 1, noise: Any = 1) -> Line:
    r"""Stepsizes that do not grow: the bound with the weights :math:`\beta S_k`."""
    return _with_weights(falls(), G_k, FALLING, PACE, gap, noise)


@cache
def falling(noise: Any = 1) -> Line:
    r"""Stepsizes that do not grow: the bound without :math:`S_k`."""
    return _bound(falls_plainly(), G_k, FALLING, 2 * al_0 / (beta * lam), NOISE_FALLING, noise)


# --- smooth, log-concave

THETA = rho + (1 - beta) ** 2 / (beta * lam)
CURVED = THETA * al * kappa
r""":math:`c_k` of second order in the stepsize."""
CONCAVE = Domain(
    *(*BASE, inverse_at_least(al_prev, rho), between(al, 0, al_prev), between(al_next, 0, al**2 / al_prev)),
    *(between(S_next, 0, al * al_next / (al - (1 - beta) * al_next)), AHEAD),
    *(*both(w_k, kappa + CURVED), *both(m_k, needed(CURVED))),
)
r""":math:`\rho\alpha_0\le1`, :math:`\alpha_{k+1}/\alpha_k` at most 1 and not growing; :math:`S_{k+1}` as for such a sequence."""
L_k = potential(r"\mathcal{L}_k", smooth_f, w_k)


@cache
def falls_concave(noise: Any = 1) -> Line:
    r"""A Lyapunov function for log-concave stepsizes; the room on :math:`\|d_{k+1}\|^2` in six parts with plain signs."""
    k_next = moved(kappa, 1)
    half, down = (1 - beta) ** 2 / (2 * lam), al - al_next
    drop_k, drop_c = kappa - k_next, THETA * (down * kappa + al_next * (kappa - k_next))
    rooms = [
        tau / 2 * al * drop_c,
        tau / 2 * moved(CURVED, 1) * down,
        half * drop_k * al**2 / beta,
        half * k_next * down * al / beta,
        half * k_next * al_next * (al / beta - S_next),
        kappa * al**2 * THETA * (1 - rho * al) / 2,
    ]
    return _falls(L_k, CONCAVE, CURVED, rooms, noise, drop_k + drop_c)


@cache
def concave(gap: Any = 1, noise: Any = 1) -> Line:
    r"""Log-concave stepsizes: the leading terms are those of the method without momentum."""
    return _with_weights(falls_concave(), L_k, CONCAVE, CURVED, gap, noise)


# --- smooth, slow growth

top = sp.Symbol("alphabar")
WEIGHT = 4 * top / (beta * lam)
ROOM = WEIGHT - kappa
WARM = Domain(
    *(between(beta, 0, 1), nonnegative(L2), nonnegative(sigma2), positive(al_prev), positive(S_next)),
    *(at_least(al_next, beta * (1 + beta) / 2 * S_next), at_least(al, al_next / (1 + beta / 2)), at_least(top, al)),
    *(at_least(lam, 4 * top / beta), between(rho, 0, 1 / (2 * lam)), AHEAD, *both(m_k, needed(ROOM))),
)
r""":math:`\alpha_{k+1}\le(1+\frac\beta2)\alpha_k`, :math:`\alpha_k\le\bar\alpha\le\frac{\beta\lambda}4`: warm-up, and drops at will."""
W_k = potential(r"\mathcal{Q}_k", smooth_f, WEIGHT)
NOISE_WARM = sigma2 / (beta * lam) * (4 * al**2 / (1 + beta) ** 2 + 4 * (1 + beta) * top * al)


@cache
def falls_warm(noise: Any = 1) -> Line:
    r"""A Lyapunov function for stepsizes that grow slowly and fall at will."""
    return _falls(W_k, WARM, ROOM, left_over(ROOM) - m_next, noise, sp.S.Zero)


@cache
def falls_warm_plainly() -> Line:
    r"""The same, weaker and simpler."""
    return _plain(falls_warm(), W_k, WARM, NOISE_WARM, NOISE_WARM - 2 / beta * noise_of(ROOM))


@cache
def warm(noise: Any = 1) -> Line:
    r"""Stepsizes that grow slowly: the bound without :math:`S_k`."""
    return _bound(falls_warm_plainly(), W_k, WARM, WEIGHT, NOISE_WARM, noise)


# --- (A2)


@cache
def any_doubled() -> Line:
    r"""The step for any schedule, times 2."""
    claim = 2 * F_env(x_bar_next) <= 2 * F_env(x_bar) - A * MEASURE + Number(2 * NOISE_ANY)
    return line(claim, [2 * any_step()], TOTAL, domain=ANY, assumes=ROUGH, scope=Scope.STEP)


@cache
def floor(share: Any = 1) -> Line:
    r""":math:`f^\star\le F_\lambda(\bar x_k)`."""
    assumes = (on.WEAKLY_CONVEX, on.BOUNDED_BELOW)
    return above_the_infimum(share * f_star <= F_env(x_bar), f, F_env, x_hat, [], domain=ANY, assumes=assumes)


@cache
def anything(gap: Any = 1, noise: Any = 1) -> Line:
    r"""(A2), any schedule at all."""
    total = Summation(any_doubled(), 2 * F_env(x_bar), MEASURE, A, 2 * NOISE_ANY)
    terms = [1 * total, 2 * envelope_infimum(F_env, bar(0, first=True), x_0), 2 * floor()]
    right = 2 * gap * DELTA + Series(Number(2 * noise * NOISE_ANY))
    return line(Series(A * MEASURE) <= right, terms, TOTAL, domain=run(ANY), assumes=ROUGHLY, scope=Scope.RUN)


S_0, grad_0 = ahead(0, True), gradient(0, True)
RUN_PRINTED = ANY.also(*ANY.started(), *ANY.started(1))


@cache
def first_printed(noise: Any = 1) -> Line:
    r"""(A2), the first step with the printed start: the extrapolated point makes a step of length :math:`S_0`."""
    x_1, x_hat_0, g_0 = x(1, first=True), prox(0, first=True), sample(0, first=True)
    w = al_0 / S_0
    terms = [
        1 * envelope_infimum(F_env, bar(1, first=True), x_hat_0),
        1 / (2 * lam * w**2) * nonexpansive(x_1, trial_at(z_printed, 0, True), (1 - w) * x_0 + w * x_hat_0),
        -1 * envelope_attained(F_env, x_hat_0),
        1 * envelope_infimum(F_env, bar(0, first=True), x_0),
        S_0**2 / (2 * lam) * second_moment(g_0),
        S_0 / lam * weak_convexity(f, x_0, x_hat_0),
        S_0 / lam * prox_strong_convexity(x_hat_0, x_0),
        S_0 / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat_0 - x_0),
    ]
    claim = F_env(bar(1, first=True)) + S_0 / 2 * grad_0**2 <= f(x_0) + Number(noise * S_0**2 * L2 / (2 * lam))
    return line(claim, terms, TOTAL, domain=run(ANY), assumes=ROUGH, scope=Scope.FIRST)


@cache
def anything_printed(noise: Any = 1, gap: Any = 1) -> Line:
    r"""(A2), any schedule at all, with the printed start."""
    total = Summation(any_doubled(), 2 * F_env(x_bar), MEASURE, A, 2 * NOISE_ANY, first=1)
    terms = [
        1 * total,
        2 * first_printed(),
        2 * floor(),
        1 * first_term(A * MEASURE),
        (1 - beta) * S_0 * square(grad_0),
    ]
    right = 2 * gap * DELTA + Number(noise * S_0**2 * L2 / lam) + Series(Number(2 * noise * NOISE_ANY), 1)
    claim = Series(A * MEASURE) <= right
    return line(claim, terms, TOTAL, domain=RUN_PRINTED, assumes=ROUGHLY, scope=Scope.RUN_PRINTED)


MONOTONE = ANY.also(between(al_next, 0, al), between(S_next, 0, al_next / beta))
r"""Stepsizes that do not grow, without a bound on the first one."""
NOISE_MONOTONE = L2 / (beta * lam) * ((2 - beta) / beta * al**2 + (1 - beta) ** 2 / (beta**2 * lam) * al**3)


@cache
def any_plainly() -> Line:
    r"""The step for stepsizes that do not grow, without :math:`S_k`."""
    claim = 2 / beta * F_env(x_bar_next) <= 2 / beta * F_env(x_bar) - al * MEASURE + Number(NOISE_MONOTONE)
    terms = [
        2 / beta * any_step(),
        (S - al) * square(grad_env),
        1 * number(NOISE_MONOTONE - 2 / beta * NOISE_ANY),
    ]
    return line(claim, terms, TOTAL, domain=MONOTONE, assumes=ROUGH, scope=Scope.STEP)


@cache
def monotone(noise: Any = 1) -> Line:
    r"""(A2), stepsizes that do not grow: the bound without :math:`S_k`."""
    total = Summation(any_plainly(), 2 / beta * F_env(x_bar), MEASURE, al, NOISE_MONOTONE)
    terms = [1 * total, 2 / beta * envelope_infimum(F_env, bar(0, first=True), x_0), 2 / beta * floor()]
    right = 2 / beta * DELTA + Series(Number(noise * NOISE_MONOTONE))
    return line(Series(al * MEASURE) <= right, terms, TOTAL, domain=run(MONOTONE), assumes=ROUGHLY, scope=Scope.RUN)


al_2 = stepsize(-2)
h_k, h_next = sequence("h"), sequence("h", 1)
o_k, o_next = sequence("omega"), sequence("omega", 1)
HEAVY = beta * (1 - beta) / lam * (S**2 / al_prev + al_prev / beta**2)
FALLING_2 = Domain(
    *(*BASE, between(al_2, 0, 2 * beta * lam), between(al_prev, 0, al_2), between(al, 0, al_prev)),
    *(between(al_next, 0, al), between(S_next, 0, al_next / beta), AHEAD),
    *(*both(h_k, al_2**2 / (2 * beta**2 * lam)), *both(o_k, HEAVY)),
)
H_k = Named(r"\mathcal{H}_k", F_env(x_bar) + o_k * (f(x_prev) - f_star) + h_k * d_k**2, "", 0)
NOISE_ROUGH = L2 / (2 * lam) * (A**2 + al_prev**2)


@cache
def falls_rough(noise: Any = 1) -> Line:
    r"""(A2): a Lyapunov function that falls given the past, for stepsizes that do not grow."""
    a, reach = al_prev, al_prev / beta - S
    scale, side = 1 / (2 * beta**2 * lam), 1 - beta
    widest = scale * a**2 * (1 - side**2 - side**2 * a / lam - 2 * rho * a * beta * side)
    rooms = [
        scale * (al_2**2 - a**2),
        beta * side**2 / (2 * lam**2) * reach * (a**2 / beta**2 + a / beta * S + S**2),
        rho * a * beta * side / (2 * lam) * reach * (a / beta + S),
        widest,
    ]
    drops = [
        beta * side / (lam * a) * (S - S_next) * (S + S_next),
        beta * side / lam * (a - al) * (1 / beta**2 - S_next**2 / (a * al)),
    ]
    terms = [
        1 * envelope_rough(),
        h_next * lengths_grow(),
        HEAVY * weak_convexity(f, x_k, x_prev),
        *(one * square(d_k) for one in rooms),
        *(one * infimum(f, x_k) for one in drops),
    ]
    claim = shifted(H_k) <= H_k - A / 2 * MEASURE + Number(noise * NOISE_ROUGH)
    return line(claim, terms, PAST, domain=FALLING_2, assumes=ROUGHLY, scope=Scope.STEP)


FIRST_2 = run(FALLING_2).also(
    *(between(al_0, 0, 2 * beta * lam), defined(stepsize(-1, True), al_0), defined(stepsize(-2, True), al_0)),
)
r"""The schedule begins with itself: :math:`\alpha_{-1}=\alpha_{-2}=\alpha_0`, which the method does not use."""


@cache
def rough(gap: Any = 1, noise: Any = 1) -> Line:
    r"""(A2), stepsizes that do not grow: the factor of the noise does not grow with :math:`1/\beta`."""
    o_0 = sequence("omega", 0, True)
    weight = 2 * (1 - beta) * al_0 / (beta * lam)
    start = line(
        at_start(H_k) <= (1 + o_0) * DELTA + f_star,
        [1 * envelope_infimum(F_env, bar(0, first=True), x_0)],
        domain=FIRST_2,
        assumes=(on.WEAKLY_CONVEX, on.BOUNDED_BELOW),
        scope=Scope.FIRST_ANY,
    )
    total = Summation(falls_rough(), H_k, MEASURE, A / 2, NOISE_ROUGH)
    terms = [1 * total, 1 * start, 1 * lower(H_k, FALLING_2, f), (weight - o_0) * infimum(f, x_0)]
    right = gap * (1 + weight) * DELTA + Series(Number(noise * NOISE_ROUGH))
    claim = Series(A / 2 * MEASURE) <= right
    return line(claim, terms, TOTAL, domain=FIRST_2, assumes=ROUGHLY, scope=Scope.RUN)
