r"""Two inequalities behind the smooth results without a bounded gradient, both given :math:`\mathcal F_{k-1}`.

(A), :func:`envelope_step`, keeps what nonexpansiveness throws away; (B), :func:`energy_lemma`, tests the projection at :math:`x_k` and
compares with the step without noise.  Their sum, :func:`falls`, is a Lyapunov function that falls given the past if :math:`\rho\alpha<2`.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import smooth_f

here = Section("Beyond the paper", "open_question")
f = smooth_f


SETTING = (on.SMOOTH, on.A1, on.A3)
WEAK = (on.WEAKLY_CONVEX,)

kappa, c, m = sp.symbols("kappa c m")
KAPPA = defined(kappa, 1 / (lam * nu))
ONE_STEP = ADMISSIBLE.also(KAPPA)
CONSTANTS = (
    KAPPA,
    defined(c, (xi**2 / lam**2 + kappa * rho * alpha) / (2 - rho * alpha)),
    defined(m, c * xi / 2 + alpha * xi**2 / (2 * lam**2)),
)
ENERGY = ADMISSIBLE.also(Range(nu, beta * rho / 2, strict=True), *CONSTANTS)
r""":math:`\rho\alpha<2`, which is :math:`\nu>\beta\rho/2`; :math:`\beta\in(0,1]`, :math:`\lambda^{-1}\ge2\rho`."""

slope = f.slope(x_k)
D_k = Named("D_k", g_k - slope, "", 0)
delta_k = Named(r"\delta_k", (d_next - (1 - beta) * d_k) / beta, "", 0)


@cache
def moved_by_delta(share: Any = 1) -> Line:
    r""":math:`\delta_k` is what the extrapolated point moves by."""
    return identity(x_bar_next, x_bar - share * alpha * delta_k, scope=Scope.EVERY)


@cache
def envelope_kept(share: Any = 1) -> Line:
    r"""For every outcome; with :math:`\|\delta_k\|^2` where the paper has only :math:`\|g_k\|^2`."""
    terms = [
        1 * envelope_infimum(F_env, x_bar_next, x_hat),
        1 / (lam * beta**2) * projection(x_next, trial, (1 - beta) * x_k + beta * x_hat),
        -1 * envelope_attained(F_env, x_hat),
    ]
    kept = share * alpha**2 / (2 * lam) * (2 * (g_k @ delta_k) - delta_k**2)
    right = F_env(x_bar) - alpha / lam * (g_k @ (x_bar - x_hat)) + kept
    return line(F_env(x_bar_next) <= right, terms, assumes=WEAK, scope=Scope.STEP)


@cache
def noise_split(share: Any = 1) -> Line:
    r"""A square: the noise is split off, and the gradient is left beside :math:`\delta_k`."""
    left = 2 * (g_k @ delta_k) - delta_k**2
    return line(
        left <= share * D_k**2 + 2 * (slope @ delta_k), [1 * square(D_k - delta_k)], assumes=(), scope=Scope.EVERY
    )


@cache
def envelope_step(fall: Any = HALF, noise: Any = 1, bend: Any = 1) -> Line:
    r"""(A): any stepsize."""
    terms = [
        1 * envelope_kept(),
        alpha**2 / (2 * lam) * noise_split(),
        alpha**2 / (2 * lam) * variance(g_k),
        alpha / lam * weak_convexity(f, x_k, x_hat),
        alpha / lam * prox_strong_convexity(x_hat, x_k),
        alpha / (2 * lam) * (1 / lam - 2 * rho) * square(x_hat - x_k),
        kappa * smooth_above(f, x_k, x_next),
    ]
    right = (
        F_env(x_bar)
        + kappa * f(x_k)
        - fall * alpha * grad_env**2
        + alpha * xi**2 / (2 * lam**2) * d_k**2
        + bend * kappa * rho * alpha**2 / 2 * d_next**2
        + noise * alpha**2 * sigma2 / (2 * lam)
    )
    claim = F_env(x_bar_next) + kappa * f(x_next) <= right
    return line(claim, terms, PAST, domain=ONE_STEP, assumes=SETTING, scope=Scope.STEP)


z_mean = beta * slope + (1 - beta) * d_k
x_mean = Projected("x'", x_k - alpha * z_mean)
r"""Where the step would lead without noise: known at :math:`\mathcal F_{k-1}`."""
NOISE_B = (1 + beta) / 2 * nu * alpha**2 * sigma2


@cache
def energy_lemma(noise: Any = 1, fall: Any = 1) -> Line:
    r"""(B): any stepsize; it is useful for :math:`\rho\alpha<2`.

    :math:`\mathrm E\langle D_k,d_{k+1}\rangle` is split: the share :math:`\beta` against the step without noise, the share
    :math:`1-\beta` against :math:`d_k`, both known at :math:`\mathcal F_{k-1}`."""
    apart = (x_mean - x_next) / alpha
    terms = [
        1 * smooth_above(f, x_k, x_next),
        1 / (beta * alpha) * projection(x_next, trial, x_k),
        alpha * beta * young(D_k, apart, 1 / beta),
        1 / (2 * alpha) * nonexpansive_pair(x_next, trial, x_mean, x_k - alpha * z_mean),
        alpha * (1 - beta) / (2 * beta) * square(d_next - d_k - beta * D_k),
        alpha * beta * (1 + beta) / 2 * variance(g_k),
    ]
    right = f(x_k) + xi / 2 * d_k**2 - fall * alpha * (1 - rho * alpha / 2) * d_next**2 + noise * NOISE_B
    return line(f(x_next) + xi / 2 * d_next**2 <= right, terms, PAST, assumes=SETTING, scope=Scope.STEP)


WEIGHT_F = kappa + c
E_k = Named(r"\mathcal{E}_k", F_env(x_bar) + WEIGHT_F * f(x_k) + m * d_k**2, "", 0)
NOISE = alpha**2 * sigma2 / (2 * lam) * (1 + c * lam * nu * (1 + beta))


@cache
def falls(noise: Any = 1, fall: Any = HALF) -> Line:
    r"""(A) plus :math:`c` times (B), for :math:`\rho\alpha<2`."""
    terms = [1 * envelope_step(), c * energy_lemma()]
    claim = shifted(E_k) <= E_k - fall * alpha * grad_env**2 + noise * NOISE
    return line(claim, terms, PAST, domain=ENERGY, assumes=SETTING, scope=Scope.STEP)


theta = sp.Symbol("theta")
LENGTHS = ADMISSIBLE.also(between(theta, 0, 1), Range(nu, beta * rho / (2 * theta), strict=True))
r""":math:`\rho\alpha<2\theta`."""


@cache
def lengths(noise: Any = 1) -> Line:
    r"""(B) alone bounds the lengths of the steps on average."""
    terms = [1 * energy_lemma(), alpha * (theta - rho * alpha / 2) * square(d_next)]
    left = f(x_next) + xi / 2 * d_next**2 + (1 - theta) * alpha * d_next**2
    right = f(x_k) + xi / 2 * d_k**2 + noise * NOISE_B
    return line(left <= right, terms, PAST, domain=LENGTHS, assumes=SETTING, scope=Scope.STEP)


# --- the lemmas

OURS = "Not in the paper."

DELTA_K = here.lemma(
    "beyond/energy/delta",
    "What the extrapolated point moves by",
    says=[Definition(delta_k), proved(moved_by_delta, "identity", under="the move")],
    words=rf"{OURS} Without constraints $\delta_k$ is $g_k$, at the first step if the start is the repaired one.",
)
KEPT = here.lemma(
    "beyond/energy/kept",
    "What nonexpansiveness throws away, kept",
    says=[
        Definition(D_k),
        proved(envelope_kept, "the projection tested at a point of the set", under="the last term"),
        proved(noise_split, "a square", under="the noise"),
    ],
    words=rf"{OURS} The first holds for every outcome; the paper's proof has $\|g_k\|^2$ where the bracket stands.",
)
STEP_A = here.lemma(
    "beyond/energy/A",
    "(A) The envelope step with what nonexpansiveness throws away kept",
    says=proved(envelope_step, "the two lines before, weak convexity and smoothness", over="the decrease"),
    words=rf"{OURS} For every stepsize. Only the variance of the oracle stands on the right, not its second moment.",
    more=[
        proved(envelope_step, "the same", under="the noise", of="noise"),
        proved(envelope_step, "the same", under=r"the term with $\|d_{k+1}\|^2$", of="bend"),
    ],
)
STEP_B = here.lemma(
    "beyond/energy/B",
    "(B) The energy lemma",
    says=proved(
        energy_lemma,
        "the projection tested at the last iterate, and compared with the step without noise",
        under="the noise",
    ),
    words=(
        rf"{OURS} For every stepsize; the length of the step is subtracted if $\rho\alpha$ is less than 2. "
        r"The mean of $\langle D_k,d_{k+1}\rangle$ is split: the share $\beta$ against the step without noise, the rest against $d_k$, "
        r"both known at $\mathcal{F}_{k-1}$."
    ),
    more=proved(energy_lemma, "the same", over="the decrease", of="fall"),
)
FALLS = here.lemma(
    "beyond/energy/falls",
    "A Lyapunov function that falls given the past",
    says=[Definition(E_k), proved(falls, r"(A) and $c$ times (B)", under="the noise")],
    words=f"{OURS} Smoothness, (A1) and (A3) alone; any closed convex set, no bound on the gradient.",
    more=proved(falls, "the same", over="the decrease", of="fall"),
)
LENGTHS_SMALL = here.lemma(
    "beyond/energy/lengths",
    "The steps are short on average",
    says=proved(lengths, "from (B) alone", under="the noise"),
    words=f"{OURS} It does what Lemma 5 does, with a set, given the past, and for longer steps.",
)
