r"""Lines of the second half of Appendix C: Lemma 7, the change of direction, and Lemma 5.

What touches :math:`\Delta_k=g_k-\nabla f(x_k)` holds given :math:`\mathcal F_{k-1}`, not given :math:`\mathcal F_k`.  The direction
without its noise, which the appendix calls :math:`p_k` a second time, is :math:`q_k` here.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import W, jump, lemma_6, smooth_f, stepsizes_up_to

f = smooth_f
SMOOTH = stepsizes_up_to(1)
r""":math:`\alpha\in(0,1/\rho]`."""
ORACLE = (on.A1, on.A3)
GRADIENT_ORACLE = (on.SMOOTH, on.A1, on.A3)
theta = sp.Symbol("theta")


def noise(index: int = 0, first: bool = False) -> Named:
    r""":math:`\Delta_k=g_k-\nabla f(x_k)`."""
    of = sample(index, first) - f.slope(x(index, first))
    return Named(indexed(r"\Delta", index, first), of, "", index, first)


def q(index: int = 0, first: bool = False) -> Named:
    r""":math:`q_k=\beta\nabla f(x_k)+(1-\beta)d_k`, the direction without its noise."""
    of = beta * f.slope(x(index, first)) + (1 - beta) * d(index, first)
    return Named(indexed("q", index, first), of, "", index, first)


noise_k, noise_next, q_k, q_next, q_1 = noise(0), noise(1), q(0), q(1), q(1, True)
turn = f.slope(x_next) - f.slope(x_k)
turned = beta * turn + (1 - beta) * (d_next - d_k)
x_virtual = Projected(r"x^\prime_{k+1}", x_k - alpha * q_k)
q_virtual = Named(r"q^\prime_{k+1}", beta * f.slope(x_virtual) + (1 - beta) / alpha * (x_k - x_virtual))


# --- the noise, and the cross term


@cache
def z_diff_1(share: Any = 1) -> Line:
    right = (share * beta * (g_next - g_k) + (1 - beta) * (d_next - d_k)) ** 2
    return identity((z_next - z_k) ** 2, right, scope=Scope.STEP)


@cache
def z_diff_1_split(twice: Any = 2) -> Line:
    cross = twice * beta * ((noise_next - noise_k) @ turned)
    right = beta**2 * (noise_next - noise_k) ** 2 + turned**2 + cross
    return identity((z_next - z_k) ** 2, right, scope=Scope.STEP)


@cache
def noise_halves(twice: Any = 2) -> Line:
    r"""The first step of ``proof:smooth:z:diff:Delta``, for every outcome."""
    right = beta**2 * (twice * noise_next**2 + 2 * noise_k**2)
    terms = [beta**2 * square(noise_next + noise_k)]
    return line(beta**2 * (noise_next - noise_k) ** 2 <= right, terms, scope=Scope.EVERY)


@cache
def noise_difference(factor: Any = 4) -> Line:
    terms = [1 * noise_halves(), 2 * beta**2 * variance(g_next), 2 * beta**2 * variance(g_k)]
    claim = beta**2 * (noise_next - noise_k) ** 2 <= Number(factor * beta**2 * sigma2)
    return line(claim, terms, PAST, assumes=(on.A3,), scope=Scope.EVERY)


@cache
def noise_difference_sharp(factor: Any = 2) -> Line:
    r"""The cross term vanishes: 2 for 4."""
    terms = [beta**2 * variance(g_next), beta**2 * variance(g_k)]
    claim = beta**2 * (noise_next - noise_k) ** 2 <= Number(factor * beta**2 * sigma2)
    return line(claim, terms, PAST, assumes=ORACLE, scope=Scope.EVERY)


@cache
def cross_letters(twice: Any = 2) -> Line:
    r"""``proof:smooth:z:diff:T``: the last term of ``proof:smooth:z:diff:1`` in the letters :math:`q_k`."""
    left = 2 * beta * ((noise_next - noise_k) @ turned)
    return identity(left, twice * beta * ((noise_next - noise_k) @ (q_next - q_k)), scope=Scope.EVERY)


@cache
def fresh_noise(drawn: Node = noise_next) -> Line:
    return identity(drawn @ (q_next - q_k), 0, given=NOW, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def old_noise_averaged(share: Any = 1) -> Line:
    r"""``proof:smooth:cond:expect:b`` averaged over :math:`S_k`: the tower property."""
    product = noise_k @ (q_next - q_k)
    return identity(-E(product, NOW), -share * E(product, PAST), given=PAST, scope=Scope.EVERY)


@cache
def old_noise(known: Node = q_k) -> Line:
    r"""The noise has mean zero against what is known before :math:`S_k` is drawn."""
    return identity(noise_k @ known, 0, given=PAST, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def virtual_step(share: Any = 1) -> Line:
    r"""Subtracting the virtual direction costs nothing: :math:`\mathrm E\langle\Delta_k,q'_{k+1}\rangle=0`."""
    right = noise_k @ (q_virtual - share * q_next)
    return identity(-(noise_k @ q_next), right, given=PAST, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def cauchy(half: Any = HALF) -> Line:
    r"""Cauchy and Schwarz, in the form of Young for every :math:`\theta>0`."""
    away = q_next - q_virtual
    right = 1 / (2 * theta) * noise_k**2 + half * theta * away**2
    terms = [1 * young(noise_k, q_virtual - q_next, theta)]
    domain = ADMISSIBLE.also(positive(theta))
    return line(noise_k @ (q_virtual - q_next) <= right, terms, domain=domain, scope=Scope.EVERY)


SLOPE = beta * rho + (1 - beta) / alpha
r""":math:`\beta\rho+(1-\beta)/\alpha`."""


def virtual_distance() -> Line:
    r""":math:`\|x_{k+1}-x'_{k+1}\|^2\le\|\alpha z_k-\alpha q_k\|^2`."""
    return nonexpansive_pair(x_next, trial, x_virtual, x_k - alpha * q_k)


@cache
def normdiff_b(share: Any = 1) -> Line:
    r"""Steps (a) and (b) of ``proof:smooth:p:normdiff``, squared."""
    bend, step = f.slope(x_next) - f.slope(x_virtual), x_virtual - x_next
    terms = [
        2 * beta * (1 - beta) / alpha * young(bend, step, rho),
        (beta**2 + beta * (1 - beta) / (alpha * rho)) * lipschitz_gradient(f, x_next, x_virtual),
    ]
    claim = (q_next - q_virtual) ** 2 <= share * SLOPE**2 * (x_next - x_virtual) ** 2
    return line(claim, terms, domain=SMOOTH, assumes=(on.SMOOTH,), scope=Scope.EVERY)


@cache
def normdiff_c(share: Any = 1) -> Line:
    r"""Step (c), squared: here the recursion is needed."""
    claim = SLOPE**2 * (x_next - x_virtual) ** 2 <= share * alpha**2 * beta**2 * SLOPE**2 * noise_k**2
    return line(claim, [SLOPE**2 * virtual_distance()], domain=SMOOTH, scope=Scope.STEP)


@cache
def normdiff(drawn: Node = noise_k) -> Line:
    r"""``proof:smooth:p:normdiff``, first and last term, squared; step (d) is :math:`\alpha\le1/\rho`."""
    terms = [1 * normdiff_b(), 1 * normdiff_c(), beta**2 * (1 - (alpha * SLOPE) ** 2) * square(noise_k)]
    claim = (q_next - q_virtual) ** 2 <= beta**2 * drawn**2
    why = r"the gradient is Lipschitz, the projection nonexpansive, and $\alpha\rho\le1$"
    return line(claim, terms, domain=SMOOTH, assumes=(on.SMOOTH,), scope=Scope.STEP, name=why)


@cache
def noise_against_momentum(share: Any = 1) -> Line:
    r"""The first inequality of ``proof:smooth:cond:expect:b:3``."""
    terms = [1 * young(noise_k, q_virtual - q_next, 1 / beta), 1 / (2 * beta) * normdiff()]
    claim = -(noise_k @ q_next) <= share * beta * noise_k**2
    return line(claim, terms, PAST, domain=SMOOTH, assumes=(on.SMOOTH, on.A1), scope=Scope.STEP)


@cache
def noise_against_momentum_late(share: Any = 1) -> Line:
    r"""The same from :math:`k=1` on, whatever the start."""
    claim = -(noise_k @ q_next) <= share * beta * noise_k**2
    terms = [1 * noise_against_momentum()]
    return line(claim, terms, PAST, domain=SMOOTH, assumes=(on.SMOOTH, on.A1), scope=Scope.LATE)


@cache
def noise_against_momentum_first(momentum: Node = q_1) -> Line:
    r"""The same at :math:`k=0` with the printed start: against the step along :math:`\nabla f(x_0)`, which no sample decides."""
    x_0, x_1, noise_0 = x(0, True), x(1, True), noise(0, True)
    start, plain = trial_at(z_printed, 0, True), x_0 - alpha * f.slope(x_0)
    x_plain = Projected(r"x^{\prime\prime}_1", plain)
    bend = f.slope(x_plain) - f.slope(x_1)
    terms = [
        beta * young(noise_0, bend, 1 / (alpha * rho)),
        beta / (2 * alpha * rho) * lipschitz_gradient(f, x_1, x_plain),
        beta * rho / (2 * alpha) * nonexpansive_pair(x_1, start, x_plain, plain),
        (1 - beta) / alpha**2 * projection(x_1, start, x_plain),
        (1 - beta) / alpha**2 * projection(x_plain, plain, x_1),
        (1 - beta) / alpha**2 * square(x_1 - x_plain),
        beta * (1 - rho * alpha) * square(noise_0),
    ]
    claim = -(noise_0 @ momentum) <= beta * noise_0**2
    return line(claim, terms, TOTAL, domain=SMOOTH, assumes=(on.SMOOTH, on.A1), scope=Scope.FIRST)


@cache
def noise_bound(share: Any = 1) -> Line:
    claim = beta * noise_k**2 <= Number(share * beta * sigma2)
    return line(claim, [beta * variance(g_k)], PAST, assumes=(on.A3,), scope=Scope.EVERY)


@cache
def cross_term(twice: Any = 2) -> Line:
    claim = 2 * beta * ((noise_next - noise_k) @ (q_next - q_k)) <= Number(twice * beta**2 * sigma2)
    terms = [2 * beta * noise_against_momentum(), 2 * beta * noise_bound()]
    return line(claim, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


@cache
def cross_term_first(twice: Any = 2) -> Line:
    r"""The same at :math:`k=0` with the printed start."""
    claim = 2 * beta * ((noise(1, True) - noise(0, True)) @ (q_1 - q(0, True))) <= Number(twice * beta**2 * sigma2)
    terms = [2 * beta * noise_against_momentum_first(), 2 * beta**2 * variance(sample(0, True))]
    return line(claim, terms, TOTAL, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.FIRST)


@cache
def z_diff_2_first(factor: Any = 6) -> Line:
    r"""The first inequality of ``proof:smooth:z:diff:2``."""
    right = turned**2 + Number(factor * beta**2 * sigma2)
    terms = [1 * noise_difference(), 1 * cross_term()]
    return line((z_next - z_k) ** 2 <= right, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


@cache
def z_diff_2_convexity(share: Any = 1) -> Line:
    r"""The second and third, for every outcome."""
    right = share * beta * rho**2 * alpha**2 * d_next**2 + (1 - beta) * (d_next - d_k) ** 2
    terms = [1 * square_convexity(turn, d_next - d_k, beta), beta * lipschitz_gradient(f, x_next, x_k)]
    return line(turned**2 <= right, terms, assumes=(on.SMOOTH,), scope=Scope.EVERY)


def _z_diff_2(factor: Any, terms: Any) -> Line:
    right = beta * rho**2 * alpha**2 * d_next**2 + (1 - beta) * (d_next - d_k) ** 2
    claim = (z_next - z_k) ** 2 <= right + Number(factor * beta**2 * sigma2)
    return line(claim, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


@cache
def z_diff_2(factor: Any = 6) -> Line:
    return _z_diff_2(factor, [1 * z_diff_2_first(), 1 * z_diff_2_convexity()])


@cache
def z_diff_2_sharp(factor: Any = 4) -> Line:
    r"""4 for 6, since the two noises are uncorrelated."""
    return _z_diff_2(factor, [1 * noise_difference_sharp(), 1 * cross_term(), 1 * z_diff_2_convexity()])


# --- the change of the step


@cache
def d_decomposition(twice: Any = 2) -> Line:
    right = d_k**2 - d_next**2 + twice * (d_next @ (d_next - d_k))
    return identity((d_next - d_k) ** 2, right, scope=Scope.EVERY)


@cache
def d_optimality(share: Any = 1) -> Line:
    claim = (-d_next + share * beta * g_k + (1 - beta) * d_k) @ (-d_next) <= Number(sp.S.Zero)
    return line(claim, [1 / alpha**2 * projection(x_next, trial, x_k)], scope=Scope.STEP)


@cache
def d_product(share: Any = 1) -> Line:
    r"""``proof:smooth:d:diff:decom:1`` times :math:`1-\beta`, so that :math:`\beta=1` needs no exception."""
    right = -share * beta * d_next**2 + beta / alpha * (g_k @ (x_k - x_next))
    return line((1 - beta) * (d_next @ (d_next - d_k)) <= right, [1 * d_optimality()], scope=Scope.STEP)


@cache
def gradient_split(share: Any = 1) -> Line:
    move = x_k - x_next
    right = (g_k - f.slope(x_k)) @ move + f.slope(x_next) @ move + share * ((f.slope(x_k) - f.slope(x_next)) @ move)
    return identity(g_k @ move, right, scope=Scope.EVERY)


@cache
def step_noise_virtual(share: Any = 1) -> Line:
    right = noise_k @ (x_virtual - share * x_next)
    return identity(noise_k @ (x_k - x_next), right, given=PAST, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def step_noise_first(share: Any = 1) -> Line:
    r"""The first inequality of ``proof:smooth:g:inp``."""
    terms = [1 * young(noise_k, x_virtual - x_next, 1 / (alpha * beta)), 1 / (2 * alpha * beta) * virtual_distance()]
    claim = noise_k @ (x_k - x_next) <= share * alpha * beta * noise_k**2
    return line(claim, terms, PAST, assumes=(on.A1,), scope=Scope.STEP)


@cache
def step_noise(share: Any = 1) -> Line:
    claim = noise_k @ (x_k - x_next) <= Number(share * alpha * beta * sigma2)
    terms, name = [1 * step_noise_first(), alpha * noise_bound()], "old noise along the step, by the virtual iterate"
    return line(claim, terms, PAST, assumes=ORACLE, scope=Scope.STEP, name=name)


@cache
def gradient_step_a(share: Any = 1) -> Line:
    claim = f.slope(x_next) @ (x_k - x_next) <= f(x_k) - f(x_next) + share * rho / 2 * jump**2
    return line(claim, [1 * weak_convexity(f, x_next, x_k)], assumes=(on.SMOOTH,), scope=Scope.EVERY)


@cache
def gradient_step_b(share: Any = 1) -> Line:
    bend, move = f.slope(x_k) - f.slope(x_next), x_k - x_next
    terms = [1 * young(bend, move, rho), 1 / (2 * rho) * lipschitz_gradient(f, x_next, x_k)]
    domain = ADMISSIBLE.also(positive(rho))
    claim = bend @ move <= share * rho * jump**2
    return line(claim, terms, domain=domain, assumes=(on.SMOOTH,), scope=Scope.EVERY)


@cache
def gradient_step(share: Any = 1) -> Line:
    r"""Both parts at once: smoothness at :math:`x_k` turns :math:`3\rho` into :math:`\rho`."""
    claim = f.slope(x_k) @ (x_k - x_next) <= f(x_k) - f(x_next) + share * rho / 2 * jump**2
    return line(claim, [1 * smooth_above(f, x_k, x_next)], assumes=(on.SMOOTH,), scope=Scope.EVERY)


@cache
def d_product_bounded(three: Any = 3) -> Line:
    r"""``proof:smooth:d:diff:decom:2`` times :math:`1-\beta`."""
    gain = f(x_k) - f(x_next) + three * rho * alpha**2 / 2 * d_next**2 + Number(alpha * beta * sigma2)
    claim = (1 - beta) * (d_next @ (d_next - d_k)) <= -beta * d_next**2 + beta / alpha * gain
    parts = [beta / alpha * part for part in (step_noise(), gradient_step_a(), gradient_step_b())]
    return line(claim, [1 * d_product(), *parts], PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


def _d_difference(bend: Any, terms: Any) -> Line:
    right = (
        (1 - beta) * (d_k**2 - d_next**2)
        - (2 * beta - bend * rho * alpha * beta) * d_next**2
        + 2 * beta / alpha * (f(x_k) - f(x_next))
        + Number(2 * beta**2 * sigma2)
    )
    claim = (1 - beta) * (d_next - d_k) ** 2 <= right
    return line(claim, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


@cache
def d_difference(bend: Any = 3) -> Line:
    return _d_difference(bend, [2 * d_product_bounded()])


@cache
def d_difference_sharp(bend: Any = 1) -> Line:
    parts = [2 * beta / alpha * part for part in (step_noise(), gradient_step())]
    return _d_difference(bend, [2 * d_product(), *parts])


# --- Lemma 7 and Lemma 5, given F_{k-1}


def _z_diff_3(factor: Any, bend: Any, terms: Any) -> Line:
    right = (
        (1 - beta) * (d_k**2 - d_next**2)
        + 2 * beta / alpha * (f(x_k) - f(x_next))
        - (2 * beta - bend * rho * alpha * beta - beta * rho**2 * alpha**2) * d_next**2
        + Number(factor * beta**2 * sigma2)
    )
    return line((z_next - z_k) ** 2 <= right, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


@cache
def z_diff_3(factor: Any = 8) -> Line:
    return _z_diff_3(factor, 3, [1 * z_diff_2(), 1 * d_difference()])


@cache
def z_diff_3_sharp(factor: Any = 6) -> Line:
    return _z_diff_3(factor, 1, [1 * z_diff_2_sharp(), 1 * d_difference_sharp()])


def _lemma_7(factor: Any, bend: Any, terms: Any, name: str) -> Line:
    right = (
        f(x_k)
        - f(x_next)
        + xi / 2 * d_k**2
        - xi / 2 * d_next**2
        - (alpha - (alpha**3 * rho**2 + bend * rho * alpha**2) / 2) * d_next**2
        + Number(factor * nu * alpha**2 * sigma2)
    )
    claim = (z_next - z_k) ** 2 / (2 * nu) <= right
    return line(claim, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP, name=name)


@cache
def lemma_7(factor: Any = 4) -> Line:
    r"""Lemma 7 given :math:`\mathcal F_{k-1}`."""
    return _lemma_7(factor, 3, [1 / (2 * nu) * z_diff_3()], "Lemma 7")


@cache
def lemma_7_sharp(factor: Any = 3) -> Line:
    r"""3 for 4 in the noise, and :math:`\rho\alpha^2` for :math:`3\rho\alpha^2`."""
    return _lemma_7(factor, 1, [1 / (2 * nu) * z_diff_3_sharp()], "Lemma 7, sharper")


@cache
def half_over_nu(share: Any = 1) -> Line:
    return equal_numbers(1 / (2 * nu), share * alpha / (2 * beta))


MARGIN = alpha - 2 * rho * alpha**2 - alpha**3 * rho**2 / 2
r"""What the factors of :math:`\|d_{k+1}\|^2` in Lemmas 6 and 7 leave beyond :math:`\alpha`."""


@cache
def margin(bound: Any = QUARTER) -> Line:
    r"""The factors of :math:`\|d_{k+1}\|^2` in Lemmas 6 and 7 add up to more than :math:`\alpha`."""
    sixth, seventh = alpha - rho * alpha**2 / 2, alpha - (alpha**3 * rho**2 + 3 * rho * alpha**2) / 2
    claim = Number(alpha) <= Number(sixth) + Number(seventh)
    return line(claim, [1 * number(MARGIN)], domain=stepsizes_up_to(bound))


WIDE = sp.Rational(11, 25)


@cache
def margin_wide(bound: Any = WIDE) -> Line:
    r"""The same beyond :math:`\rho\alpha=\frac14`."""
    return sign(MARGIN, domain=stepsizes_up_to(bound))


@cache
def margin_root(six: Any = 6) -> Line:
    r"""The margin as a difference of squares: it vanishes at :math:`\rho\alpha=\sqrt6-2`."""
    return equal_numbers(MARGIN / alpha, (six - (rho * alpha + 2) ** 2) / 2)


@cache
def lemma_W(factor: Any = 4, bound: Any = QUARTER) -> Line:
    r"""Lemma 5 given :math:`\mathcal F_{k-1}`, for :math:`\rho\alpha\le\frac14`."""
    right = W(0) - alpha * d_next**2 + Number(factor * nu * alpha**2 * sigma2)
    terms = [1 * lemma_6(z=z_k), 1 * lemma_7(), MARGIN * square(d_next)]
    domain = stepsizes_up_to(bound)
    return line(W(1) <= right, terms, PAST, domain=domain, assumes=GRADIENT_ORACLE, scope=Scope.STEP, name="Lemma 5")
