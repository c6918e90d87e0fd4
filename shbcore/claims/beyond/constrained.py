r"""Theorem 3 with constraints: its first display for every closed convex :math:`X`, from (A) and the energy lemma (B).

The paper's range :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`, the start :math:`z_0=\beta g_0`; three fifths of the right side are enough.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import smooth_f, stepsizes_up_to
from shbcore.claims.appendix_e_proof import PART, RANGE, THEOREM_3, alpha_0, bound_3
from shbcore.claims.beyond.energy import OURS, SETTING, energy_lemma, envelope_kept, noise_split
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.beyond.necessity import triangle
from shbcore.claims.beyond.shorter import start_gap
from shbcore.claims.theorem_1_proof import DELTA, MEASURE, grad_0, x_0

here = Section("Beyond the paper", "shorter_smooth_half")
f = smooth_f
BOUNDED = (*SETTING, on.BOUNDED_BELOW)
BELOW = (on.SMOOTH, on.BOUNDED_BELOW)
THREE_HALVES = sp.Rational(3, 2)
FAR = "a verdict, not a constant"
q = rho * lam
kappa, c_wide, c_2, m_2 = sp.symbols("kappa c_3 c_2 m_2")
SPREAD = alpha * xi**2 / lam**2 * (2 * q - HALF)
CONSTANTS = (
    defined(kappa, 1 / (lam * nu)),
    defined(c_wide, 2 / (3 - 4 * q)),
    defined(c_2, (2 * SPREAD / alpha + kappa * rho * alpha) / (2 - rho * alpha)),
    defined(m_2, c_2 * xi / 2 + SPREAD),
)
WIDE = stepsizes_up_to(THREE_HALVES).also(RANGE, *CONSTANTS)
RUN = THEOREM_3.also(*CONSTANTS)


@cache
def envelope_wide(fall: Any = 1, noise: Any = 1) -> Line:
    r"""(A) on the range of :math:`\lambda` of Theorem 3."""
    terms = [
        1 * envelope_kept(),
        alpha**2 / (2 * lam) * noise_split(),
        alpha**2 / (2 * lam) * variance(g_k),
        alpha / lam * weak_convexity(f, x_k, x_hat),
        alpha / lam * prox_strong_convexity(x_hat, x_k),
        alpha / (2 * lam) * (2 * rho - 1 / lam) * square(lam * grad_env - xi * d_k),
        kappa * smooth_above(f, x_k, x_next),
    ]
    right = (
        F_env(x_bar)
        + kappa * f(x_k)
        - fall * alpha / c_wide * grad_env**2
        + SPREAD * d_k**2
        + kappa * rho * alpha**2 / 2 * d_next**2
        + noise * alpha**2 * sigma2 / (2 * lam)
    )
    claim = F_env(x_bar_next) + kappa * f(x_next) <= right
    return line(claim, terms, PAST, domain=WIDE, assumes=SETTING, scope=Scope.STEP)


WEIGHT_F = kappa + c_2
U_k = Named(r"\mathcal{U}_k", F_env(x_bar) + WEIGHT_F * f(x_k) + m_2 * d_k**2, "", 0)
NOISE = alpha**2 * sigma2 / (2 * lam) * (1 + c_2 * lam * nu * (1 + beta))


@cache
def falls(noise: Any = 1) -> Line:
    r"""(A) and :math:`c_2` times (B)."""
    claim = shifted(U_k) <= U_k - alpha / c_wide * grad_env**2 + noise * NOISE
    terms = [1 * envelope_wide(), c_2 * energy_lemma()]
    return line(claim, terms, PAST, domain=WIDE, assumes=SETTING, scope=Scope.STEP)


@cache
def lower(share: Any = 1) -> Line:
    r"""The last term."""
    rest = [WEIGHT_F * infimum(f, x_k), m_2 * square(d_k)]
    return above_the_infimum(share * (1 + WEIGHT_F) * f_star <= U_k, f, F_env, x_hat, rest, domain=WIDE, assumes=BELOW)


OWN = c_wide / (alpha_0 * N)


@cache
def average(noise: Any = 1, shift: bool = False) -> Line:
    r"""With :math:`z_0=\beta g_0`, for either range of :math:`k^*`."""
    total = Summation(falls(), potential=U_k, measure=MEASURE, weight=alpha / c_wide, noise=NOISE)
    room = lam / 2 * (1 - q) - (alpha / c_wide if shift else 0)
    last = shifted(grad_env, -1)
    drawn = [-1 / N**2 * last_term(MEASURE), 1 / N**2 * square(last)] if shift else []
    terms = [1 / N**2 * uniform(MEASURE, shift=shift), *drawn, OWN * total, OWN * start_gap(), OWN * lower()]
    right = OWN * ((1 + WEIGHT_F) * DELTA + Number(noise * N**2 * NOISE))
    claim = RandomIndex(MEASURE, shift) <= right
    terms = [*terms, OWN * room * square(grad_0)]
    return line(claim, terms, TOTAL, domain=RUN, assumes=BOUNDED, scope=Scope.RUN)


THREE_FIFTHS = sp.Rational(3, 5)


@cache
def three_fifths(share: Any = THREE_FIFTHS, shift: bool = True, domain: Domain = RUN) -> Line:
    r"""Three fifths of the first display of Theorem 3, for every closed convex :math:`X`."""
    y = alpha_0 / lam
    gap = THREE_FIFTHS * PART * (1 + 2 * y**2) - OWN * (1 + WEIGHT_F)
    noise = THREE_FIFTHS * PART * (1 + 8 * y) * alpha_0**2 / (2 * lam) * sigma2 - OWN * N**2 * NOISE
    terms = [1 * average(shift=shift), gap * infimum(f, x_0), 1 * number(noise)]
    claim = RandomIndex(MEASURE, shift) <= share * bound_3()
    return line(claim, terms, TOTAL, domain=domain, assumes=BOUNDED, scope=Scope.RUN)


def fails_with_the_printed_start(root: int = 300) -> Iterator[Comparison]:
    r"""The whole display against the exact mean on the triangle, :math:`\alpha_0=\frac14`, both times :math:`\sqrt{K+1}`."""
    run = triangle(root, alpha_0=Fraction(1, 4))
    yield Comparison(24 * run.gap, run.mean)  # c (1 + 2 alpha_0^2 / lambda^2) / alpha_0 with c = 4 is 24


def any_set_breaks() -> Check:
    r"""The first display of Theorem 3, for every set, is false on the triangle; the control is a shorter run there, where it holds."""

    def test(root: int) -> Outcome:
        quarter, half = Fraction(1, 4), Fraction(1, 2)
        run = triangle(root, alpha_0=quarter)
        of = {"gap": run.gap, "sigma2": 0, "alpha_0": quarter, "weak_convexity": 1, "envelope": half}
        one = Comparison(run.early, root * constants.theorem_3_bound(root=root, **of))
        where = (
            "f(x) = x_1 without noise on the triangle with the corners (9 alpha/25, -12 alpha/25), (0, 0), (0, 4 (alpha_0 - alpha)/25), "
            f"rho = 1, lambda = 1/2, alpha_0 = 1/4, K = {root**2 - 1}, x_0 the first corner, z_0 = g_0; both sides times sqrt(K+1)"
        )
        return Outcome(
            not one.holds, f"{where}: the printed line says {one}, which is {'true' if one.holds else 'false'}"
        )

    what = "with constraints and the printed start the first display is false"
    return Check("counterexample", what, partial(test, 300), partial(test, 30), "at K = 899 it holds there", far=FAR)


TIGHT = RUN.also(defined(lam, 1 / (2 * rho)), defined(alpha_0, 1 / (7 * rho)), at_least(N, 1000))
"""Where three fifths are nearly needed: for controls."""

STEP_A = here.lemma(
    "beyond/constrained/A",
    r"(A) on the range of $\lambda$ of Theorem 3",
    says=proved(envelope_wide, "as (A), with a square for the rest", over="the decrease"),
    words=f"{OURS} Any closed convex set.",
    more=proved(envelope_wide, "the same", under="the noise", of="noise"),
)
FALLS = here.lemma(
    "beyond/constrained/falls",
    "A Lyapunov function with constraints",
    says=[
        Definition(U_k),
        proved(falls, r"(A) and $c_2$ times (B)", under="the noise"),
        proved(lower, "the infimum", over="the left side"),
    ],
    words=f"{OURS} Any closed convex set.",
)
AVERAGE = here.theorem(
    "beyond/constrained/average",
    "Theorem 3 with constraints, with its own constants",
    says=[
        proved(average, "the sum", under="the noise"),
        proved(partial(average, shift=True), "the sum, the other range", under="the noise"),
    ],
    words=f"{OURS} Any closed convex set, the repaired start.",
)
THREE_FIFTHS_OF_IT = here.theorem(
    "beyond/constrained/display",
    "Three fifths of the bound of Theorem 3, with constraints",
    says=[
        proved(three_fifths, "from the sum", under="it, near the worst place", domain=TIGHT),
        proved(
            partial(three_fifths, shift=False),
            "from the sum, the other range",
            under="it, near the worst place",
            domain=TIGHT,
        ),
    ],
    words=(
        f"{OURS} Any closed convex set, the repaired start. The paper has the whole bound, without constraints only. "
        "With the printed start such a bound is false, by the example of the triangle."
    ),
    more=[
        tried("short/constrained", "three fifths of it on an interval", 10),
        exact(
            fails_with_the_printed_start,
            "with constraints and the printed start even the whole display is too small, on a triangle with K = 89999",
            "at K = 899, where it is not",
            root=30,
            far=FAR,
        ),
    ],
    uses=[AVERAGE],
)
