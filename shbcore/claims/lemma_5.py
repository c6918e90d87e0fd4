r"""Section 4 up to Lemma 5: smooth functions, (A3), the functions :math:`\varphi_k` and :math:`W_k`, and what follows at once.

The proof of Lemma 5 stands in :mod:`shbcore.claims.appendix_c`; here are the definitions and the sum over all steps.
"""

from shbcore.claims.writing import *
from shbcore.claims import appendix_c as C
from shbcore.claims import smooth_instances as instances
from shbcore.claims.appendix_c_phi import *
from shbcore.claims.appendix_c_sharp import *
from shbcore.claims.appendix_c_z import *
from shbcore.claims.lemma_3 import D_SMALL, FOR_EACH, READ_FOR_EACH

here = Section("4 Extension to smooth non-convex functions", "phi_and_W")
f = smooth_f
_x, _y = vector("x", inside=True), vector("y", inside=True)
_g = f.sample(_x, r"f^\prime(x,S)")


@cache
def smooth(share: Any = 1) -> Line:
    claim = (f.slope(_x) - f.slope(_y)) ** 2 <= share * rho**2 * (_x - _y) ** 2
    return line(claim, [1 * lipschitz_gradient(f, _x, _y)], assumes=(on.SMOOTH,))


@cache
def smooth_as_printed(second: Node = _x) -> Line:
    r"""The printed line holds of every function: nothing is assumed."""
    claim = (f.slope(_x) - f.slope(second)) ** 2 <= rho**2 * (_x - _y) ** 2
    return line(claim, [rho**2 * square(_x - _y)])


@cache
def smooth_is_weakly_convex(share: Any = 1) -> Line:
    r"""From all that smoothness says about two points."""
    bend, away = f.slope(_y) - f.slope(_x), _y - _x
    terms = [1 * interpolation(f, _x, _y), 1 / (4 * rho) * square(bend + rho * away)]
    claim = f(_x) + f.slope(_x) @ away - share * rho / 2 * away**2 <= f(_y)
    return line(claim, terms, domain=ADMISSIBLE.also(positive(rho)), assumes=(on.SMOOTH_EVERYWHERE,))


@cache
def variance_bound(share: Any = 1) -> Line:
    claim = (_g - f.slope(_x)) ** 2 <= Number(share * sigma2)
    return line(claim, [1 * variance(_g)], TOTAL, assumes=(on.A3,))


# --- Lemma 5 summed over all steps

alpha_0 = sp.Symbol("alpha_0")
RATE = ADMISSIBLE.also(
    *(positive(rho), between(alpha_0, 0, QUARTER / rho), at_least(N, 1)),
    *(defined(alpha, alpha_0 / N), defined(nu, 1 / alpha_0), defined(beta, 1 / N)),
)
r""":math:`\alpha=\alpha_0/\sqrt{K+1}`, :math:`\beta=1/\sqrt{K+1}`, :math:`\alpha_0\le1/(4\rho)`."""
_x_0, _x_1 = x(0, True), x(1, True)


@cache
def W_start(share: Any = 1) -> Line:
    r""":math:`\mathrm E[W_0]` with :math:`z_0=\beta g_0`."""
    z_0 = z(0, True)
    terms = [
        WEIGHTS.phi * conjugate_value(h_star, _x_1, trial_at(z_0, 0, True)),
        WEIGHTS.phi / 2 * square(_x_1 - _x_0 + alpha * z_0),
        beta**2 / (2 * nu) * variance(sample(0, True)),
    ]
    right = 2 * f(_x_0) + beta**2 / (2 * nu) * (f.slope(_x_0) ** 2 + Number(share * sigma2))
    return line(W(0, True) <= right, terms, TOTAL, assumes=(on.A1, on.A3), scope=Scope.FIRST_REPAIRED)


@cache
def average_step(factor: Any = 4) -> Line:
    r"""The average of :math:`\mathrm E\|d_{k+1}\|^2` over all steps."""
    summed = Summation(lemma_W(), W(0), d_next**2, alpha, 4 * nu * alpha**2 * sigma2)
    terms = [1 / (alpha * N**2) * part for part in (summed, W_lower(), W_start())]
    inner = 2 * f(_x_0) - 2 * f_star + alpha_0 / (2 * N**2) * (f.slope(_x_0) ** 2 + Number(sigma2))
    right = 1 / (alpha_0 * N) * (inner + Number(factor * alpha_0 * sigma2))
    assumes = (*GRADIENT_ORACLE, on.BOUNDED_BELOW)
    claim = 1 / N**2 * Series(d_next**2) <= right
    return line(claim, terms, TOTAL, domain=RATE, assumes=assumes, scope=Scope.RUN)


def each_step() -> Statement:
    """The same bound for every single step."""
    says = average_step().statement
    return Statement(d_next**2 <= says.relation.right, TOTAL, RATE, says.assumes, Scope.PRINTED)


_LONG = Trial(
    *(RationalProblem((instances.PARABOLA,)), REAL_LINE, Fraction(1), Fraction(1, 64), Fraction(1, 16)),
    smooth=True,
    values={alpha_0: QUARTER, N: Fraction(16)},
    words="f(x) = x^2/2 without noise (rho = 1), x_0 = 1, alpha_0 = 1/4, K = 255 (alpha = 1/64, beta = 1/16, nu = 4), z_0 = g_0: "
    "the first step has length 1 for every K, k = 0",
)
_LONG_REPAIRED = replace(
    _LONG,
    start="repaired",
    words=_LONG.words.partition(", z_0")[0] + ", z_0 = beta g_0: the direction grows for some steps, k = 24",
)
EACH_BREAKS = [
    broken_at(
        each_step(),
        _LONG,
        "a single step is longer than the bound on their average",
        average_step(),
        says=FOR_EACH,
        start="repaired",
        K=255,
    ),
    broken_at(
        each_step(),
        _LONG_REPAIRED,
        "with the repaired start a later step is longer too",
        average_step(),
        k=24,
        says=FOR_EACH,
        K=255,
    ),
]
_STEEP = Trial(RationalProblem((instances.PARABOLA,)), REAL_LINE, Fraction(1), Fraction(3, 2), Fraction(1), smooth=True)


def _beyond_the_range() -> Check:
    r"""The parabola at :math:`\rho\alpha=\frac32`, beyond :math:`\sqrt2`; the control is :math:`\frac75`, within."""

    def test(trial: Trial) -> Outcome:
        (one,) = compare(lemma_W_sharp().statement, trial, 0, outside=True)
        where = f"f(x) = x^2/2 without noise, x_0 = 1, beta = 1, k = 0, alpha = {show(trial.alpha)}"
        return Outcome(not one.holds, f"{where}: the sharper lemma says {one}")

    what = r"beyond $\sqrt2$ even the sharper lemma is false: f(x) = x^2/2, rho alpha = 3/2"
    within = replace(_STEEP, alpha=Fraction(7, 5))
    return Check("exact", what, lambda: test(_STEEP), lambda: test(within), "alpha = 7/5, within the range")


# --- the places of Section 4 up to Lemma 5

A3_SMOOTH = here.definition(
    "assumption:A3/smooth",
    r"Definition of a $\rho$-smooth function",
    as_printed="typo",
    says=proved(smooth, "the definition, squared", under=r"$\rho^2$"),
    printed=as_printed(smooth_as_printed(), scope=Scope.ANY),
    words=r"The proofs use it for points of $\mathcal{X}$; where the whole space is needed, the statement says so.",
    repair=r"$\nabla f(y)$ in place of the second $\nabla f(x)$.",
    consequence="None; as printed every differentiable function would be smooth.",
    more=[
        proved(
            smooth_as_printed,
            "the printed line holds of every function",
            r"the gradient at $y$, with no assumption",
            second=_y,
            far="another point, not a constant",
        ),
        instances.GRADIENTS,
    ],
)
A3_WEAKLY_CONVEX = here.sentence(
    "assumption:A3/weakly-convex",
    "Smooth functions are weakly convex",
    says=proved(smooth_is_weakly_convex, "from two-point smoothness", under=r"$\rho$"),
    words=r"Proved from what smoothness on $\mathbb{R}^n$ says of two points. For $x$ and $y$ in a convex $\mathcal{X}$ smoothness on "
    r"$\mathcal{X}$ is enough: integrate the gradient along the segment between them.",
    more=instances.GRADIENTS,
    uses=[A3_SMOOTH],
)
A3 = here.assumption(
    "assumption:A3",
    "(A3): bounded variance",
    says=proved(variance_bound, "the assumption", under=r"$\sigma^2$"),
    more=instances.VARIANCES,
)
here.sentence(
    "assumption:A3/quadratic",
    "A bounded gradient is too much for quadratics",
    chapter="smooth_unconstrained",
    words=r"On $\mathbb{R}^n$ no $G$ bounds $\|\nabla f\|$ for $f(x)=\frac12\|x\|^2$: at distance $2G$ from 0 the gradient is $2G$ long. "
    "On a bounded set some $G$ does.",
    more=instances.UNBOUNDED,
)
here.undecided(
    "assumption:A3/novelty",
    "What was known under (A3)",
    words="Statements about other papers; not decided here.",
)
PHI = here.definition(
    "lem:Wfunc:smooth/phi",
    r"The function $\varphi_k$",
    says=Definition(phi(z=z_any)),
    words=r"Here $h$ is half the square of the norm on $\mathcal{X}$ and infinite elsewhere, and $h^*$ is its conjugate.",
    more=proved(phi_value, "the value of the step", under="it"),
)
PHI_SIGN = here.sentence(
    "lem:Wfunc:smooth/phi-sign",
    r"The sign of $\varphi_k$",
    says=[
        proved(phi_value, r"$-\alpha$ times the least value of the step", under="it"),
        proved(partial(phi_nonnegative, z=z_any), "against the last iterate", over=r"$\|x_k\|^2$"),
    ],
    words=r"The current iterate $x_k$ is one of the candidates of the minimisation, with the value 0.",
    more=[proved(phi_lower, r"sharper: half of $\alpha^2\|d_{k+1}\|^2$", over="it"), instances.LOWER],
    uses=[PHI],
)
here.undecided(
    "lem:Wfunc:smooth/phi-literature",
    r"Where $\varphi_k$ comes from",
    words="Pointers to the literature; not decided here.",
)
_LEMMA_5 = proved(lemma_W, "given the past", under="4")
LEMMA_5 = here.lemma(
    "lem:Wfunc:smooth",
    "Lemma 5: the function $W_k$ decreases",
    as_printed="false",
    says=_LEMMA_5,
    printed=as_printed(lemma_W(), given=NOW),
    words=r"For a function that is smooth on all of $\mathbb{R}^n$ two sharper lines hold, with less noise: one for stepsizes up to "
    r"$1/\rho$, one from there to $\sqrt2/\rho$. The second has a parameter $s$: as it varies, $\rho\alpha$ takes every value from "
    r"1 to $\sqrt2$ and no other.",
    repair=f"{C.BOTH_SIDES} The constants stay.",
    consequence="Theorem 3 takes total expectations and stands in this respect.",
    more=[
        proved(lemma_W_sharp, r"sharper, for $\alpha$ up to $1/\rho$", under="the noise"),
        proved(lemma_W_beyond, r"sharper, from $1/\rho$ to $\sqrt2/\rho$", under="the noise"),
        C.rare(lemma_W()),
        first_step_breaks(lemma_W(), instances.TOSS),
        instances.LEMMA_5,
    ],
    uses=[C.LEMMA_6, C.LEMMA_7, PHI_SIGN],
    root=C.NOISE_DIFFERENCE,
)
STEPSIZE = here.assumption(
    "lem:Wfunc:smooth/stepsize",
    "Lemma 5: the stepsize, stated twice",
    as_printed="typo",
    says=C.on_range(
        margin, "the second range is enough", r"$1/2$ for $1/4$", bound=HALF, far="the range has room to spare"
    ),
    words=r"This is all that the proof of the paper needs of the stepsize, and it is true up to $(\sqrt6-2)/\rho$. "
    r"For $f$ smooth on all of $\mathbb{R}^n$ the repaired lemma, and one with smaller constants, hold up to $\sqrt2/\rho$ for "
    r"every $\beta$. Beyond, the one with smaller constants is false without momentum.",
    printed_words=r"two ranges, up to $1/\rho$ (open) and two lines later up to $1/(4\rho)$",
    repair="The second range only.",
    consequence="None.",
    more=[
        C.on_range(margin_wide, r"$11/25$ is enough", "eleven tenths of it", bound=sp.Rational(11, 25) * ELEVEN_TENTHS),
        proved(margin_root, r"the margin vanishes at $\sqrt6-2$", over="6"),
        proved(beyond_range, r"the wider range ends at $\sqrt2$", over="2"),
        proved(parabola, "what the parabola lacks", over="a half"),
        _beyond_the_range(),
    ],
)
W_K = here.definition(
    "lem:Wfunc:smooth/W",
    "The function $W_k$",
    says=Definition(W(z=z_any)),
    words=r"Known at $\mathcal{F}_k$, and bounded below if $f$ is.",
    more=[proved(partial(W_lower, z=z_any), "its lower bound", over="it"), instances.LOWER],
    uses=[PHI],
)
LEMMA_5_DISPLAY = here.lemma(
    "eq:lem:smooth:W",
    "Lemma 5, the display",
    as_printed="false",
    says=_LEMMA_5,
    printed=as_printed(lemma_W(), given=NOW),
    repair=C.BOTH_SIDES,
    consequence="Theorem 3 needs total expectations only.",
    more=C.rare(lemma_W()),
    uses=[LEMMA_5, W_K],
    root=C.NOISE_DIFFERENCE,
)
here.claim(
    "lem:Wfunc:smooth/sketch-1",
    "Sketch: the first inequality",
    says=proved(lemma_6, "given the present, for every start", over="the decrease"),
    words="Lemma 6 of Appendix C.",
    uses=[C.LEMMA_6],
)
here.claim(
    "lem:Wfunc:smooth/sketch-2",
    "Sketch: the second inequality",
    says=proved(lemma_7, "given the past", under="4"),
    words="Lemma 7 of Appendix C.",
    uses=[C.LEMMA_7],
    **C.false_given_the_present(lemma_7()),
)
here.claim(
    "lem:Wfunc:smooth/sketch-3",
    "Sketch: the combination",
    says=C.on_range(
        margin,
        r"the factors of $\|d_{k+1}\|^2$ add up to enough",
        r"$1/2$ for $1/4$",
        bound=HALF,
        far="the line has room to spare",
    ),
    words=r"The two inequalities, added up, with the two factors of $\|d_{k+1}\|^2$ on the right.",
    more=proved(lemma_W, "the two inequalities added up", under="4"),
    uses=[STEPSIZE, C.LEMMA_6, C.LEMMA_7],
)
here.remark(
    "lem:Wfunc:smooth/remark",
    r"Rate of $\mathbb{E}\|d_k\|^2$ without a bounded gradient",
    as_printed="unstated",
    says=proved(average_step, "Lemma 5 summed over all steps", under="4"),
    printed=each_step(),
    words=r"The average over all steps is of order $1/\sqrt{K}$; it needs a lower bound of $f$ on $\mathcal{X}$. The paper then says that "
    "the rate for the gradient of the envelope needs a bounded gradient. Its proof does; the result does not (chapter The open question).",
    printed_words=r"Lemma 5 “readily indicates the convergence rate $O(1/\sqrt{K})$ for $\mathbb{E}[\|d_k\|^2]$”; there is no "
    "average over $k$ and no lower bound of $f$ in the sentence",
    reading=READ_FOR_EACH,
    repair=r"Say that the average over all steps is meant, with the repaired start, and that $f^\star$ is finite.",
    consequence="None: only averages are used later. For a single step the bound fails, with either start.",
    more=[proved(W_start, r"the start of the sum", under=r"$\sigma^2$"), *EACH_BREAKS, instances.SUMMED],
    uses=[LEMMA_5],
    root=D_SMALL,
)
