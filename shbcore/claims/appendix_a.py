r"""Appendix A, line by line: the proof of Lemma 3.

Each function is one display of the paper; its arguments are the constants in it, so that a control can change one.
"""

from shbcore.claims.writing import *
from shbcore.claims import enumeration_lines
from shbcore.claims.method import from_the_second_step

here = Section("A Proof of Lemma 3", "one_step")

NOISE = constants.lemma_3_noise(weak_convexity=rho, beta=beta, nu=nu)
theta = sp.Symbol("theta")
FAMILY = ADMISSIBLE.also(positive(theta))
CONVEX = (on.WEAKLY_CONVEX, on.A1)
ORACLE = (on.WEAKLY_CONVEX, on.A1, on.A2)
x_any = vector("x", inside=True)


@cache
def compact(shift: Any = HALF) -> Line:
    r"""The step as a projection: the two objectives differ by :math:`\frac\alpha2\|z_k\|^2`, which does not depend on :math:`x`."""
    right = z_any @ (x_any - x_k) + (x_any - x_k) ** 2 / (2 * alpha) + shift * alpha * z_any**2
    return identity((x_any - (x_k - alpha * z_any)) ** 2 / (2 * alpha), right, scope=Scope.EVERY)


@cache
def momentum(power: int = 2, times: Any = 1) -> Line:
    right = times / (2 * beta**power) * (x_next - ((1 - beta) * x_k + beta * x_next)) ** 2
    return identity(p_next**2 / 2, right, scope=Scope.EVERY)


@cache
def norm(scale: Any = 1) -> Line:
    r"""Nonexpansiveness at :math:`(1-\beta)x_k+\beta x_{k+1}\in X`."""
    right = scale * HALF * (x_bar - alpha * g_k - x_next) ** 2
    terms = [1 / (2 * beta**2) * nonexpansive(x_next, trial, (1 - beta) * x_k + beta * x_next)]
    return line(HALF * p_next**2 <= right, terms, scope=Scope.STEP)


@cache
def norm_decomposed(noise: Any = HALF) -> Line:
    right = (
        HALF * p_k**2
        + (1 - beta) * alpha / beta * (g_k @ (x_prev - x_k))
        + (1 - beta) / beta * ((x_k - x_prev) @ (x_k - x_next))
        + alpha * (g_k @ (x_next - x_k))
        + HALF * (x_next - x_k) ** 2
        + noise * alpha**2 * g_k**2
    )
    return identity(HALF * (x_bar - alpha * g_k - x_next) ** 2, right, scope=Scope.EVERY)


@cache
def norm_2(noise: Any = HALF) -> Line:
    r"""The two lines before, times :math:`\nu`."""
    right = (
        nu / 2 * p_k**2
        + (1 - beta) * (g_k @ (x_prev - x_k))
        + z_k @ (x_next - x_k)
        + nu / 2 * (x_next - x_k) ** 2
        + noise * nu * alpha**2 * g_k**2
    )
    return line(nu / 2 * p_next**2 <= right, [nu * norm()], scope=Scope.STEP)


@cache
def inner_g(bend: Any = HALF) -> Line:
    right = f(x_prev) - f(x_k) + bend * rho * (x_k - x_prev) ** 2
    terms = [1 * weak_convexity(f, x_k, x_prev)]
    return line(g_k @ (x_prev - x_k) <= right, terms, PAST, assumes=CONVEX, scope=Scope.EVERY)


@cache
def optimality(share: Any = 1) -> Line:
    r"""The minimiser against the points of a segment, and the limit: for every :math:`x\in X`."""
    claim = Number(sp.S.Zero) <= (share * (x_next - x_k) + alpha * z_any) @ (x_any - x_next)
    return line(claim, [1 * projection(x_next, trial_at(z_any), x_any)], scope=Scope.EVERY)


@cache
def step_length(share: Any = 1) -> Line:
    terms = [1 / alpha * projection(x_next, trial_at(z_any), x_k)]
    return line(z_any @ (x_next - x_k) <= -share / alpha * (x_next - x_k) ** 2, terms, scope=Scope.EVERY)


@cache
def norm_bounded(share: Any = HALF) -> Line:
    right = (
        (1 - beta) * f(x_prev)
        + nu / 2 * p_k**2
        - (1 / alpha - share * nu) * (x_next - x_k) ** 2
        + (1 - beta) * rho / 2 * (x_k - x_prev) ** 2
        + nu * alpha**2 / 2 * g_k**2
    )
    terms = [1 * norm_2(), (1 - beta) * inner_g(), 1 / alpha * projection(x_next, trial, x_k)]
    return line((1 - beta) * f(x_k) + nu / 2 * p_next**2 <= right, terms, PAST, assumes=CONVEX, scope=Scope.STEP)


@cache
def z_base(bound: Any = L2) -> Line:
    r""":math:`\mathrm E\|z_0\|^2\le L^2` for the printed start."""
    return line(
        z_printed**2 <= Number(bound), [1 * second_moment(sample(0, True))], TOTAL, assumes=(on.A2,), scope=Scope.FIRST
    )


@cache
def z_base_repaired(share: Any = 1) -> Line:
    r"""For the repaired start there is a factor :math:`\beta^2` to spare."""
    terms = [beta**2 * second_moment(sample(0, True))]
    return line(
        z(0, True) ** 2 <= Number(share * beta**2 * L2), terms, TOTAL, assumes=(on.A2,), scope=Scope.FIRST_REPAIRED
    )


@cache
def z_norm_given(share: Any = 1) -> Line:
    r"""As far as it is true given :math:`\mathcal F_k`."""
    terms = [
        1 * square_convexity(g_next, d_next, beta),
        beta * second_moment(g_next),
        (1 - beta) / alpha**2 * nonexpansive(x_next, trial_at(z_any), x_k),
    ]
    claim = z_next**2 <= share * beta * L2 + (1 - beta) * z_any**2
    return line(claim, terms, NOW, assumes=(on.A2,), scope=Scope.EVERY)


def _d_induction(bound: Any, given: int, oracle: Any, assumed: Foundation) -> Induction:
    r""":math:`\|d_k\|^2\le L^2` for every :math:`k\ge0` and both starts, in total expectation or surely."""
    relation = d_k**2 <= Number(bound)
    before = hypothesis(relation, given)
    base = line(d(0, True) ** 2 <= Number(bound), [1 * number(bound)], given, scope=Scope.FIRST_ANY)
    terms = [
        1 / alpha**2 * nonexpansive(x_next, trial, x_k),
        1 * square_convexity(g_k, d_k, beta),
        beta * oracle(g_k),
        Term(1 - beta, before),
    ]
    step = line(
        d_next**2 <= Number(bound), terms, given, assumes=(assumed, *before.unfolded.foundations), scope=Scope.STEP
    )
    first = [
        1 / alpha**2 * nonexpansive(x(1, True), trial_at(z_printed, 0, True), x(0, True)),
        1 * oracle(sample(0, True)),
    ]
    second = line(d(1, True) ** 2 <= Number(bound), first, given, assumes=(assumed,), scope=Scope.FIRST)
    return Induction(relation, base, step, second, given, r"induction on $\|d_k\|^2$")


@cache
def d_bound(bound: Any = L2) -> Induction:
    return _d_induction(bound, TOTAL, second_moment, on.A2)


@cache
def d_sure(bound: Any = L2) -> Induction:
    return _d_induction(bound, PATHWISE, sure_bound, on.SURE)


@cache
def z_norm(bound: Any = L2) -> Line:
    r"""``eq:znorm`` in total expectation."""
    terms = [1 * square_convexity(g_k, d_k, beta), beta * second_moment(g_k), (1 - beta) * d_bound()]
    return line(z_k**2 <= Number(bound), terms, TOTAL, assumes=(on.A2,), scope=Scope.STEP)


def step_b(given: int = NOW) -> Statement:
    r"""Step (b) of ``eq:znorm``: :math:`\mathrm E[\|z_k\|^2|\mathcal F_{k-1}]` in place of :math:`\|z_k\|^2`."""
    return Statement(d_next**2 <= E(z_any**2, PAST), given, ADMISSIBLE, (), Scope.PRINTED)


@cache
def x_diff_first(share: Any = 1) -> Line:
    terms = [1 * nonexpansive(x_next, trial_at(z_any), x_k)]
    return line((x_next - x_k) ** 2 <= share * alpha**2 * z_any**2, terms, scope=Scope.EVERY)


@cache
def x_diff(bound: Any = L2) -> Line:
    r"""``eq:xdiff:norm:L`` in total expectation, for any start."""
    claim = (x_next - x_k) ** 2 <= Number(alpha**2 * bound)
    terms = [alpha**2 * Later(d_bound(), "the same induction, at the next step")]
    return line(claim, terms, TOTAL, assumes=(on.A2,), scope=Scope.EVERY)


LEFT = (1 - beta) * f(x_k) + nu / 2 * p_next**2
BEFORE = (1 - beta) * f(x_prev) + nu / 2 * p_k**2
RIGHT = BEFORE - alpha * d_next**2


@cache
def norm_final(noise: Any = NOISE) -> Line:
    r"""The end of the proof, in total expectation."""
    terms = [
        1 * norm_bounded(),
        alpha**2 * nu / 2 * second_moment(g_k),
        alpha**2 * rho * (1 - beta) / 2 * d_bound(),
        nu / 2 * x_diff(),
    ]
    right = BEFORE - 1 / alpha * (x_next - x_k) ** 2 + alpha**2 * noise * L2
    return line(LEFT <= right, terms, TOTAL, assumes=ORACLE, scope=Scope.STEP)


@cache
def lemma_3(noise: Any = NOISE) -> Line:
    r"""Lemma 3 in total expectation: the same with :math:`d_{k+1}`."""
    return line(LEFT <= RIGHT + alpha**2 * noise * L2, [1 * norm_final()], TOTAL, assumes=ORACLE, scope=Scope.STEP)


@cache
def lemma_3_given(share: Any = HALF) -> Line:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}`: :math:`\|d_k\|^2`, known there, stays on the right; the member :math:`\theta=1`."""
    right = RIGHT + alpha**2 / 2 * (1 - beta) * (rho + nu) * d_k**2 + share * nu * alpha**2 * (1 + beta) * L2
    terms = [
        1 * norm_bounded(),
        nu / 2 * nonexpansive(x_next, trial, x_k),
        nu * alpha**2 / 2 * square_convexity(g_k, d_k, beta),
        nu * alpha**2 * (1 + beta) / 2 * second_moment(g_k),
    ]
    return line(LEFT <= right, terms, PAST, assumes=ORACLE, scope=Scope.STEP)


@cache
def lemma_3_family(share: Any = 1) -> Line:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}` for every :math:`\theta>0`."""
    noise = constants.lemma_3_noise_given(weak_convexity=rho, beta=beta, nu=nu, L2=share * L2, d2=d_k**2, theta=theta)
    terms = [
        1 * norm_bounded(),
        nu / 2 * nonexpansive(x_next, trial, x_k),
        nu * alpha**2 * beta * (1 - beta) * young(g_k, d_k, 1 / theta),
        nu * alpha**2 / 2 * (1 + beta**2 + beta * (1 - beta) * theta) * second_moment(g_k),
    ]
    return line(LEFT <= RIGHT + alpha**2 * noise, terms, PAST, domain=FAMILY, assumes=ORACLE, scope=Scope.STEP)


ell, delta = sp.symbols("ell delta")


@cache
def least_theta(factor: Any = 1) -> Line:
    r"""With :math:`\ell=L` and :math:`\delta=\|d_k\|`: the member :math:`\theta` exceeds the least one by a square."""
    member = beta * (beta + (1 - beta) * theta) * ell**2 + (1 - beta) * (1 - beta + beta / theta) * delta**2
    more = factor * beta * (1 - beta) * (theta * ell - delta) ** 2 / theta
    domain = FAMILY.also(nonnegative(ell), nonnegative(delta))
    return equal_numbers(member, (beta * ell + (1 - beta) * delta) ** 2 + more, domain=domain)


@cache
def lemma_3_sure(noise: Any = NOISE) -> Line:
    r"""Lemma 3 given :math:`\mathcal F_{k-1}` as printed, if every sample is bounded by :math:`L`."""
    terms = [
        1 * norm_bounded(),
        nu * alpha**2 / 2 * sure_bound(g_k),
        nu * alpha**2 / 2 * Later(d_sure(), "the same induction, at the next step"),
        alpha**2 * rho * (1 - beta) / 2 * d_sure(),
    ]
    return line(LEFT <= RIGHT + alpha**2 * noise * L2, terms, PAST, assumes=(*CONVEX, on.SURE), scope=Scope.STEP)


# --- the places of Appendix A

COMPACT = here.claim(
    "appendix:proof:lem:xdiff:non-smooth/compact",
    "Compact form of the method",
    says=proved(compact, "the step is a projection", over="the last term"),
    words=r"The left side is least over $\mathcal{X}$ at the projection of $x_k-\alpha z_k$, and the last term does not depend on $x$.",
)
MOMENTUM = here.claim(
    "appendix:proof:lem:xdiff:non-smooth/p",
    "The momentum as a distance from a point of the set",
    says=proved(momentum, "identity", under="it", of="times"),
)
NORM = here.claim(
    "eq:proof:lem:1:norm",
    "Nonexpansiveness",
    says=proved(norm, "nonexpansiveness", under="the right side"),
    uses=[MOMENTUM],
    **from_the_second_step(norm(), "None for Lemma 3 beyond its own start."),
)
DECOMPOSED = here.claim(
    "eq:proof:lem:1:norm:decomp", "The square expanded", says=proved(norm_decomposed, "identity", over="the noise")
)
NORM_2 = here.claim(
    "eq:proof:lem:1:norm:2",
    "The direction put together",
    says=proved(norm_2, "from the lines before", under="the noise"),
    words=r"The two displays before, times $\nu$; the two inner products with $x_{k+1}-x_k$ make one with $z_k$.",
    uses=[DECOMPOSED],
    **from_the_second_step(norm_2(), "None for Lemma 3 beyond its own start."),
)
INNER_G = here.claim(
    "proof:lem:1:inp:g:xdiff",
    "Weak convexity under the expectation",
    says=proved(inner_g, "weak convexity, given the past", under="the curvature"),
    words=r"Pulling out $x_{k-1}-x_k$ is allowed: it is known at $\mathcal{F}_{k-1}$.",
)
OPTIMALITY = here.claim(
    "eq:x:opt:cond",
    "Optimality of the projection",
    says=proved(optimality, "the minimiser against the points of a segment, in the limit", over="the step"),
    uses=[COMPACT],
)
STEP_LENGTH = here.claim(
    "eq:x:opt:cond:x_next:new",
    "Optimality against the last iterate",
    says=proved(step_length, "optimality at the last iterate", over="the descent"),
    uses=[OPTIMALITY],
)
NORM_BOUNDED = here.claim(
    "eq:proof:lem:1:norm:bounded",
    "The conditional inequality",
    says=proved(norm_bounded, "given the past", under=r"$\nu/2$"),
    words="Given the past it is right from the second step on: everything in it is known there, or stands under the expectation.",
    uses=[STEP_LENGTH],
    **from_the_second_step(norm_bounded(), "None for Lemma 3 beyond its own start."),
)
BASE = here.claim(
    "eq:znorm/base",
    "Base of the induction",
    says=proved(z_base, "for the printed start", under="the bound"),
    words="With the repaired start it is smaller still.",
    more=proved(z_base_repaired, "for the repaired start", under="the bound"),
)
ZNORM = here.claim(
    "eq:znorm",
    "Induction on the length of the direction",
    as_printed="false",
    says=proved(z_norm, "in total expectation, by induction", under="the bound"),
    printed=as_printed(z_norm(), given=PAST),
    words=r"With the printed start it holds at the first step too, because $z_0$ is $g_0$: so it holds for every $k$, with either start. "
    r"Given the past it is true only in another form, with $\|d_k\|^2$ on the right.",
    printed_words=r"the induction given $\mathcal{F}_k$, with the average of $\|z_k\|^2$ given $\mathcal{F}_{k-1}$ in place of its value",
    repair="Total expectations throughout.",
    consequence="Lemmas 3 and 4 hold in total expectation; Theorems 1 and 2 use total expectations, and lose nothing.",
    more=[
        proved(z_norm_given, "given the present, with the last direction on the right", under="the noise"),
        proved(d_sure, "surely, for surely bounded samples", under="the bound"),
        broken_at(as_printed(z_norm(), given=PAST), RARE, "given the past it fails after a rare sample", z_norm(), k=2),
        broken_at(step_b(), RARE, "step (b) fails after a rare sample", step_b(given=TOTAL), k=1, says="step (b) says"),
        not_known(
            z_k**2,
            "step (b) treats the direction as known one field earlier",
            "the last step, which is known there",
            known=d_k**2,
        ),
    ],
    uses=[BASE],
)
XDIFF = here.claim(
    "eq:xdiff:norm:L",
    "Step length",
    as_printed="false",
    says=[
        proved(x_diff_first, "nonexpansiveness, for every outcome", under="the right side"),
        proved(x_diff, "in total expectation", under="the bound"),
    ],
    printed=as_printed(x_diff(), given=PAST),
    words="The first inequality holds for every outcome, hence given the past; the second only in total expectation.",
    repair="Total expectations.",
    consequence="As for the induction on the length of the direction.",
    more=[
        broken_at(as_printed(x_diff(), given=PAST), RARE, "given the past it fails after a rare sample", x_diff(), k=2),
        not_known(
            (x_k - x_prev) ** 2,
            "the last step is not known one field earlier",
            "the last step at the field where it is known",
            known=(x_k - x_prev) ** 2,
            field=PAST - 1,
        ),
    ],
    uses=[ZNORM],
    root=ZNORM,
)
NORM_FINAL = here.claim(
    "eq:proof:lem:1:norm:final",
    "Lemma 3, end of the proof",
    as_printed="false",
    says=proved(norm_final, "in total expectation", under="the noise"),
    printed=as_printed(norm_final(), given=PAST),
    words=r"It also needs a bound for $\|x_k-x_{k-1}\|^2$, which $\mathcal{F}_{k-1}$ already knows.",
    repair="Total expectations, and the repaired start or the steps from the second on.",
    consequence="As for the induction on the length of the direction.",
    more=[
        broken_at(
            as_printed(norm_final(), given=PAST), RARE, "given the past it fails after a rare sample", norm_final(), k=2
        ),
        first_step_breaks(norm_final()),
    ],
    root=ZNORM,
)
PROOF = here.proof(
    "appendix:proof:lem:xdiff:non-smooth",
    "Appendix A: proof of Lemma 3",
    before=COMPACT,
    as_printed="gap",
    says=proved(lemma_3, "Lemma 3 in total expectation", under="the noise"),
    words="Up to the induction every display is right given the past, from the second step on or with the repaired start.",
    printed_words=r"an induction on the mean of $\|z_k\|^2$ given $\mathcal{F}_{k-1}$",
    repair="An induction on its total expectation; the repaired start.",
    consequence="Lemma 3 in total expectation, with the printed constant.",
    more=enumeration_lines.LEMMA_3,
    root=ZNORM,
)
