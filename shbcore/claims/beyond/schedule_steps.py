r"""One step with stepsizes :math:`\alpha_k`: the two inequalities of the smooth case, and those under (A2).

The momentum :math:`\beta` is constant.  The extrapolated point looks ahead (the method does not): :math:`\bar x_k=x_k-(1-\beta)S_kd_k`,
:math:`S_k=\alpha_k+(1-\beta)S_{k+1}`; then :math:`\bar x_{k+1}=\bar x_k-\beta S_k\delta_k` for every schedule.
"""

from shbcore.claims.writing import *
from shbcore.proof.scheduled import ahead, bar, d, gradient, prox, stepsize, trial_at, z

here = Section("Beyond the paper", "any_schedule", "lemma")
OURS = "Not in the paper."
smooth_f = Function("f", r"\nabla f")
SETTING, ROUGH = (on.SMOOTH, on.A1, on.A3), (on.WEAKLY_CONVEX, on.A1, on.A2)

al, al_next, al_prev = (stepsize(j) for j in (0, 1, -1))
S, S_next = ahead(), ahead(1)
A, e, tau = beta * S, (1 - beta) * S, (1 - beta) / beta
r""":math:`A_k=\beta S_k`, the weight of a step; :math:`\bar x_k=x_k-e_kd_k`; :math:`\tau=(1-\beta)/\beta`."""
kappa = A * S / (lam * al)
BASE = (nonnegative(rho), inverse_at_least(lam, 2 * rho), between(beta, 0, 1), nonnegative(L2), nonnegative(sigma2))
AHEAD = defined(S, al + (1 - beta) * S_next)
ANY = Domain(*BASE, positive(al_prev), positive(al), nonnegative(S_next), AHEAD)
r"""Any schedule: :math:`\alpha_k>0` for every k."""

d_k, d_next, x_bar, x_bar_next, x_hat, grad_env, z_k = d(0), d(1), bar(0), bar(1), prox(0), gradient(0), z(0)
trial = trial_at(z_k)
slope = smooth_f.slope(x_k)
D_k = Named("D_k", g_k - slope, "", 0)
delta_k = Named(r"\delta_k", (d_next - (1 - beta) * d_k) / beta, "", 0)


@cache
def moved_by_delta(share: Any = 1) -> Line:
    r"""The extrapolated point moves by a multiple of :math:`\delta_k`, whatever the stepsizes are."""
    return identity(x_bar_next, x_bar - share * A * delta_k, domain=ANY, scope=Scope.EVERY)


@cache
def envelope_kept(share: Any = 1) -> Line:
    r"""For every outcome: the projection is tested at the point of :math:`X` with weight :math:`\alpha_k/S_k\le1`."""
    w = al / S
    terms = [
        1 * envelope_infimum(F_env, x_bar_next, x_hat),
        1 / (lam * w**2) * projection(x_next, trial, (1 - w) * x_k + w * x_hat),
        -1 * envelope_attained(F_env, x_hat),
    ]
    kept = share * A**2 / (2 * lam) * (2 * (g_k @ delta_k) - delta_k**2)
    claim = F_env(x_bar_next) <= F_env(x_bar) - A / lam * (g_k @ (x_bar - x_hat)) + kept
    return line(claim, terms, domain=ANY, assumes=(on.WEAKLY_CONVEX,), scope=Scope.STEP)


@cache
def noise_split(share: Any = 1) -> Line:
    r"""A square: the noise is split off."""
    claim = 2 * (g_k @ delta_k) - delta_k**2 <= share * D_k**2 + 2 * (slope @ delta_k)
    return line(claim, [1 * square(D_k - delta_k)], domain=ANY, scope=Scope.EVERY)


def _towards(f: Function) -> list[Any]:
    r"""What bounds :math:`-\frac{A_k}\lambda\langle f'(x_k),x_k-\hat x_k\rangle`."""
    return [
        A / lam * weak_convexity(f, x_k, x_hat),
        A / lam * prox_strong_convexity(x_hat, x_k),
        A / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat - x_k),
    ]


@cache
def envelope_step(fall: Any = HALF, noise: Any = 1) -> Line:
    r"""(A) for any schedule."""
    f = smooth_f
    terms = [
        1 * envelope_kept(),
        A**2 / (2 * lam) * noise_split(),
        A**2 / (2 * lam) * variance(g_k),
        *_towards(f),
        kappa * smooth_above(f, x_k, x_next),
    ]
    right = (
        F_env(x_bar)
        + kappa * f(x_k)
        - fall * A * grad_env**2
        + A * e**2 / (2 * lam**2) * d_k**2
        + kappa * rho * al**2 / 2 * d_next**2
        + noise * A**2 * sigma2 / (2 * lam)
    )
    claim = F_env(x_bar_next) + kappa * f(x_next) <= right
    return line(claim, terms, PAST, domain=ANY, assumes=SETTING, scope=Scope.STEP)


x_mean = Projected("x'", x_k - al * (beta * slope + (1 - beta) * d_k))
r"""Where the step would lead without noise: known at :math:`\mathcal F_{k-1}`."""


@cache
def energy_lemma(noise: Any = 1, fall: Any = 1) -> Line:
    r"""(B) for any schedule: only :math:`\alpha_k` is in it, through :math:`d_k` also :math:`\alpha_{k-1}`."""
    f = smooth_f
    terms = [
        1 * smooth_above(f, x_k, x_next),
        1 / (beta * al) * projection(x_next, trial, x_k),
        al * beta * young(D_k, (x_mean - x_next) / al, 1 / beta),
        HALF / al * nonexpansive_pair(x_next, trial, x_mean, x_mean.of),
        al * (1 - beta) / (2 * beta) * square(d_next - d_k - beta * D_k),
        al * beta * (1 + beta) / 2 * variance(g_k),
    ]
    right = (
        f(x_k)
        + tau * al / 2 * d_k**2
        - fall * al * (1 - rho * al / 2) * d_next**2
        + noise * beta * al * (1 + beta) / 2 * sigma2
    )
    claim = f(x_next) + tau * al / 2 * d_next**2 <= right
    return line(claim, terms, PAST, domain=ANY, assumes=SETTING, scope=Scope.STEP)


# --- under (A2)


@cache
def envelope_rough(fall: Any = HALF, noise: Any = 1) -> Line:
    r"""The envelope under (A2), any schedule."""
    w = al / S
    terms = [
        1 * envelope_infimum(F_env, x_bar_next, x_hat),
        1 / (2 * lam * w**2) * nonexpansive(x_next, trial, (1 - w) * x_k + w * x_hat),
        -1 * envelope_attained(F_env, x_hat),
        A**2 / (2 * lam) * second_moment(g_k),
        *_towards(f),
    ]
    right = (
        F_env(x_bar)
        - fall * A * grad_env**2
        + A * e**2 / (2 * lam**2) * d_k**2
        + A * e / lam * (f.slope(x_k) @ d_k)
        + noise * A**2 * L2 / (2 * lam)
    )
    return line(F_env(x_bar_next) <= right, terms, PAST, domain=ANY, assumes=ROUGH, scope=Scope.STEP)


@cache
def lengths_grow(noise: Any = 1) -> Line:
    r"""The lengths of the steps under (A2), given the past."""
    terms = [1 / al**2 * nonexpansive(x_next, trial, x_k), beta**2 * second_moment(g_k)]
    right = (1 - beta) ** 2 * d_k**2 + 2 * beta * (1 - beta) * (f.slope(x_k) @ d_k) + noise * beta**2 * Number(L2)
    return line(d_next**2 <= right, terms, PAST, domain=ANY, assumes=(on.A1, on.A2), scope=Scope.STEP)


def length_terms(oracle: Callable[[Sample], Use], before: Term) -> list[Term]:
    r"""What bounds :math:`\|d_{k+1}\|^2` by a sample and by the length before."""
    return [
        1 / al**2 * nonexpansive(x_next, trial, x_k),
        1 * square_convexity(g_k, d_k, beta),
        beta * oracle(g_k),
        before,
    ]


def lengths_by_induction(bound: Any, given: int, oracle: Callable[[Sample], Use], assumed: Foundation) -> Induction:
    r""":math:`\|d_k\|^2\le L^2` for every k, any schedule and either start, in total expectation or surely."""
    says = d_k**2 <= Number(bound * L2)
    own = hypothesis(says, given)
    first, after = ANY.also(*ANY.started()), Relation(shifted(says.left), shifted(says.right))
    g_0, x_0, x_1 = sample(0, first=True), x(0, first=True), x(1, first=True)
    begin = Relation(at_start(says.left), at_start(says.right))
    base = line(begin, [bound * number(L2)], given, domain=first, scope=Scope.FIRST_ANY)
    terms = length_terms(oracle, Term(1 - beta, own))
    step = line(after, terms, given, domain=ANY, assumes=(assumed, *own.unfolded.foundations), scope=Scope.STEP)
    onward = trial_at(z_printed, 0, first=True)
    terms = [1 / stepsize(0, True) ** 2 * nonexpansive(x_1, onward, x_0), 1 * oracle(g_0)]
    printed = Relation(at_start(after.left), at_start(after.right))
    second = line(printed, terms, given, domain=first, assumes=(assumed,), scope=Scope.FIRST)
    return Induction(says, base, step, second, given)


@cache
def lengths_bounded(bound: Any = 1) -> Induction:
    r""":math:`\mathrm E\|d_k\|^2\le L^2` for every k."""
    return lengths_by_induction(bound, TOTAL, second_moment, on.A2)


NOISE_ANY = L2 / (2 * lam) * (A**2 + 2 * A * e + A * e**2 / lam)


@cache
def any_step(noise: Any = 1, fall: Any = HALF) -> Line:
    r"""(A2), any schedule, total expectation: the envelope alone is a Lyapunov function."""
    slope = f.slope(x_k)
    terms = [
        1 * envelope_rough(),
        A * e / lam * young(slope, d_k, 1),
        A * e / (2 * lam) * square(g_k - slope),
        A * e / (2 * lam) * second_moment(g_k),
        (A * e**2 / (2 * lam**2) + A * e / (2 * lam)) * lengths_bounded(),
    ]
    claim = F_env(x_bar_next) <= F_env(x_bar) - fall * A * grad_env**2 + Number(noise * NOISE_ANY)
    return line(claim, terms, TOTAL, domain=ANY, assumes=ROUGH, scope=Scope.STEP)


# --- the lemmas

AHEAD_POINT = here.claim(
    "beyond/schedule/ahead",
    "An extrapolated point that looks ahead",
    says=[Definition(x_bar), Definition(delta_k), proved(moved_by_delta, "identity", under="the move")],
    words=rf"{OURS} $S_k$ weighs the coming stepsizes. For a constant stepsize it is $\alpha/\beta$, and the point is the paper's. "
    "The method itself does not look ahead.",
)
KEPT = here.claim(
    "beyond/schedule/kept",
    "What nonexpansiveness throws away, for any schedule",
    says=[
        proved(envelope_kept, "the projection tested at a point of the set", under="the last term"),
        proved(noise_split, "a square", under="the noise"),
    ],
    words=rf"{OURS} $D_k$ is the noise of the sample. The first holds for every outcome.",
)
STEP_A = here.claim(
    "beyond/schedule/A",
    "(A) for any schedule",
    says=proved(envelope_step, "as with a constant stepsize", over="the decrease"),
    words=f"{OURS} No relation between the stepsizes is used.",
    more=proved(envelope_step, "the same", under="the noise", of="noise"),
)
STEP_B = here.claim(
    "beyond/schedule/B",
    "(B) for any schedule",
    says=proved(energy_lemma, "as with a constant stepsize", under="the noise"),
    words=f"{OURS} No relation between the stepsizes is used.",
    more=proved(energy_lemma, "the same", over="the decrease", of="fall"),
)
ROUGH_STEP = here.claim(
    "beyond/schedule/rough",
    "The envelope and the lengths under (A2), for any schedule",
    says=[
        proved(envelope_rough, "as in Appendix B", over="the decrease"),
        proved(lengths_grow, "nonexpansiveness", under="the noise"),
        proved(lengths_bounded, "induction on k", under="the bound"),
    ],
    words=f"{OURS} The last one is in total expectation, with either start.",
    more=proved(envelope_rough, "the same", under="the noise", of="noise"),
)
ANY_STEP = here.claim(
    "beyond/schedule/any-step",
    "The envelope alone falls, for any schedule",
    says=proved(any_step, "the lines before, and Young", under="the noise"),
    words=f"{OURS} No relation between the stepsizes is used, and no bound on them.",
    more=proved(any_step, "the same", over="the decrease", of="fall"),
)
