r"""Theorem 1: complexity for weakly convex functions, the lines of its proof, and the remarks after it.

The lines are proved in :mod:`shbcore.claims.theorem_1_proof`, and for the printed start in :mod:`shbcore.claims.printed_start`.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_a import ORACLE
from shbcore.claims.appendix_b import GAMMA_PRINTED, gamma
from shbcore.claims.enumeration import PRINTED_START, by_enumeration
from shbcore.claims.lemma_3 import D_SMALL, FOR_EACH, GRADIENT, READ_FOR_EACH
from shbcore.claims.lemma_4 import GAMMA_CONSTANT, LEMMA_4, V_FUNCTION
from shbcore.claims.method import START
from shbcore.claims.printed_start import falls_given_past, ten_and_eight, ten_and_four, ten_printed, theorem_u_printed
from shbcore.claims.theorem_1_proof import *

here = Section("3 Algorithm and convergence analysis", "complexity")
FAR_OUT = 1000
r"""A root of :math:`K+1` at which a bound that is reached as :math:`K\to\infty` is nearly reached."""


# --- the printed lines, and where they break

PRINTED_GAMMA = THEOREM_1.also(defined(gamma, GAMMA_PRINTED))
PRINTED_BOUND = as_printed(
    theorem_1(),
    relation=RandomIndex(MEASURE) <= bound_1(1),
    domain=PRINTED_GAMMA,
    assumes=ORACLE,
    scope=Scope.RUN_PRINTED,
)
LONG_STEP = Trial(
    MODULUS,
    REAL_LINE,
    F(1),
    F(4),
    F(1),
    envelope=F(1),
    K=0,
    values={alpha_0: F(4)},
    words="f(x) = |x|, x_0 = 1, lambda = 1, K = 0, alpha_0 = 4 (so beta = 1, xi = 0, gamma = gamma_1 = 1, f(x_0) - f* = L = 1)",
)
NO_ALPHA_0 = broken_at(PRINTED_BOUND, LONG_STEP, "without the factor alpha_0^2 the bound is too small", theorem_1())
PRINTED_SUM = as_printed(summed(), domain=PRINTED_GAMMA, scope=Scope.RUN_PRINTED)
_TILTED = RationalProblem(tuple(PiecewiseQuadratic.build([0], [0, 0], [2], slope=t - 1) for t in (F(4), F(-4))))
TILTED = Trial(
    _TILTED,
    REAL_LINE,
    F(0),
    F(1, 2),
    F(1, 2),
    envelope=F(8),
    K=3,
    values={alpha_0: F(1)},
    words="f(x;S) = |x| +- 4x with probability 1/2 (L^2 = 17, rho = 0), x_0 = 0, alpha_0 = 1, K = 3 (alpha = beta = xi = 1/2, nu = 1), "
    "lambda = 8, z_0 = g_0 as printed",
)
SUM_BREAKS = broken_at(
    PRINTED_SUM,
    TILTED,
    "summed from k = 0 Lemma 4 is false with the printed start, even with the right gamma",
    summed(),
    start="repaired",
)
_HALVES = replace(AT_ONE, alpha=F(1, 2), values={rho: F(1), alpha_0: F(1), N: F(2)})
PRINTED_GAMMA_BOUND = replace(gamma_bounded().statement, domain=PRINTED_GAMMA)
PRINTED_GAMMA_1_BOUND = replace(gamma_1_bounded().statement, domain=THEOREM_1)


def needs_lambda(printed: Statement, small: Fraction, what: str, repaired: Line) -> Check:
    r"""The check that a bound on a constant fails for a small :math:`\lambda`; its control is :math:`\lambda=\frac12`."""
    words = f"rho = alpha_0 = 1, K = 3 (beta = 1/2, nu = 1, xi = 1/2), lambda = {small}, which is admissible"
    return broken_at(printed, replace(_HALVES, envelope=small, words=words), what, repaired, envelope=F(1, 2))


_SLOW = Trial(
    MODULUS,
    *(REAL_LINE, F(2), F(1, 16), F(1, 16)),
    envelope=F(2),
    values={alpha_0: F(1), N: F(16)},
    words="f(x) = |x|, x_0 = lambda = 2, alpha_0 = 1, K = 255 (alpha = beta = 1/16, nu = 1): the first iterate; k = 0",
)
FIRST_IS_FAR = broken_at(
    near_each(),
    _SLOW,
    "a single iterate is farther than the bound on the average",
    near_rate(),
    says=FOR_EACH,
    start="repaired",
    K=255,
)


@refuted
def pytorch_default() -> Counterexample:
    """PyTorch's SGD has no momentum by default"""
    return Counterexample(
        "torch.optim.SGD(params, lr=..., momentum=0, dampening=0, ...)",
        printed=Comparison(F(9, 10), F(0), "="),
        repaired=Comparison(F(9, 10), F(9, 10), "="),
        said="the documented default of the momentum is {right}, not {left}",
    )


@refuted
def smaller_momentum() -> Counterexample:
    """0.99 is called the smaller of 0.9 and 0.99"""
    return Counterexample(
        "1 - beta = 0.99 beside 1 - beta = 0.9",
        printed=Comparison(F(99, 100), F(9, 10)),
        repaired=Comparison(F(1, 100), F(1, 10)),
        said="{left} is larger than {right}",
    )


# --- evidence that several places share

_REPAIRED = proved(theorem_1, "from Lemma 4, with the repaired start", under="the noise")
_PRINTED_START = proved(
    theorem_1_start, "from Lemma 4 and the first step by itself, with the printed start", under="the cost of the start"
)
_GAMMA = proved(gamma_bounded, "sign over the whole range", under="the bound, for many steps", least=FAR_OUT)
_GAMMA_1 = proved(gamma_1_bounded, "sign over the whole range", under="the bound, for many steps", least=FAR_OUT)
_TEN = proved(
    ten_printed,
    "from a function that falls given the past, with the printed start",
    under=r"$\rho\Delta$, for many steps",
    least=FAR_OUT,
)
_TEN_REPAIRED = proved(
    ten,
    "from the first display and its constants, with the repaired start",
    under="$L^2$, for many steps",
    of="noise",
    least=FAR_OUT,
)
_TEN_SHARP = [
    proved(
        ten_and_eight,
        "with the printed start 8 in place of 10 is enough on $L^2$",
        under="the 8, for many steps",
        of="noise",
        least=FAR_OUT,
    ),
    proved(
        ten_and_four,
        "with the repaired start 4 in place of 10 is enough on $L^2$",
        under="the 4, for many steps",
        of="noise",
        least=FAR_OUT,
    ),
    proved(falls_given_past, "the step of that function, given the past", under="the noise"),
    proved(
        theorem_u_printed, r"the bound for every $\alpha_0$ below $2/\rho$, with the printed start", under="the noise"
    ),
]

# --- the places of Theorem 1

DISPLAY = here.theorem(
    "eq:thrm:1",
    "Theorem 1, first display",
    as_printed="wrong",
    says=[_REPAIRED, _PRINTED_START],
    printed=PRINTED_BOUND,
    printed_words=r"the last term without the factor $\alpha_0^2$; $\gamma$ with half of $\rho\xi$, as in the printed Lemma 4",
    repair=r"Put in the factor $\alpha_0^2$ and the right $\gamma$; take the repaired start, or add what the first step of the printed one "
    "costs.",
    consequence=(
        r"The printed line is false for a large $\alpha_0$. For $\alpha_0$ below one the missing square makes its right side larger, so "
        r"that it claims less; but the printed $\gamma$ is too small. Just below one the second effect wins: there it claims more than "
        "is proved. "
        "The rate stands for both starts. The constant 10 follows from the repaired line for the repaired start, and from another "
        "function for the printed one."
    ),
    more=[NO_ALPHA_0, proved(first_step, "the first step with the printed start", under="its cost")],
    uses=[LEMMA_4],
)
THEOREM = here.theorem(
    "thrm:non-smooth:complexity",
    "Theorem 1: complexity for weakly convex functions",
    as_printed="wrong",
    says=[_REPAIRED, _PRINTED_START, _GAMMA, _GAMMA_1, _TEN],
    printed=[PRINTED_BOUND, PRINTED_GAMMA_BOUND, PRINTED_GAMMA_1_BOUND],
    words=r"The display with the 10 is true as printed. The first one is printed without the factor $\alpha_0^2$, so that it is false for "
    r"a large $\alpha_0$, and with half of $\rho\xi$ in $\gamma$. It is proved for the repaired start, and with another constant for the "
    "printed one.",
    printed_words=(
        r"the last term without the factor $\alpha_0^2$; $\gamma$ with half of $\rho\xi$, as in the printed Lemma 4; the bounds on "
        r"$\gamma$ and $\gamma_1$ for every admissible $\lambda$"
    ),
    repair=(
        r"The factor $\alpha_0^2$, as in its own proof; the right $\gamma$; the $\lambda$ of the second display for the bounds on "
        "the constants; the repaired start, or the printed one with what the first step costs."
    ),
    consequence=(
        r"The rate and the constant 10 stand, the 10 for both starts. That $f$ is bounded below is not stated, and not needed for the "
        "truth of the theorem: where it is not, the theorem is empty."
    ),
    more=[NO_ALPHA_0, by_enumeration("theorem_1", 10)],
    uses=[LEMMA_4],
    root=DISPLAY,
    before=DISPLAY,
)
GAMMA_BOUND = here.theorem(
    "thrm:non-smooth:complexity/gamma",
    r"Theorem 1: bound on $\gamma$",
    as_printed="unstated",
    says=_GAMMA,
    printed=PRINTED_GAMMA_BOUND,
    printed_words=r"the bound in a theorem that allows every admissible $\lambda$",
    repair=r"Fix $\lambda$, as the proof does.",
    consequence=r"For a smaller $\lambda$ the theorem holds with $\gamma$ itself; the constant 10 is at this $\lambda$.",
    more=needs_lambda(
        PRINTED_GAMMA_BOUND,
        F(1, 16),
        "for a small lambda even the printed gamma exceeds the bound",
        gamma_bounded(),
    ),
    uses=[GAMMA_CONSTANT],
)
GAMMA_1_BOUND = here.theorem(
    "thrm:non-smooth:complexity/gamma_1",
    r"Theorem 1: bound on $\gamma_1$",
    as_printed="unstated",
    says=_GAMMA_1,
    printed=PRINTED_GAMMA_1_BOUND,
    printed_words=r"the bound in a theorem that allows every admissible $\lambda$",
    repair=r"Fix $\lambda$, as the proof does.",
    consequence=r"For a smaller $\lambda$ the theorem holds with $\gamma_1$ itself.",
    more=needs_lambda(
        PRINTED_GAMMA_1_BOUND, F(1, 8), "for a small lambda gamma_1 exceeds the bound", gamma_1_bounded()
    ),
    root=GAMMA_BOUND,
)
TEN = here.theorem(
    "thrm:non-smooth:complexity/ten",
    "Theorem 1, second display",
    says=_TEN,
    words=(
        "True for the start as printed, and for the repaired one. The paper's proof covers the repaired start only; for the printed one "
        r"another Lyapunov function is used, which falls given the past and in which $\|d_k\|^2$ cancels."
    ),
    more=[
        _TEN_REPAIRED,
        *_TEN_SHARP,
        by_enumeration("theorem_1", 20, "ten", ", second display, repaired start,"),
        by_enumeration("theorem_1", 20, PRINTED_START, ", second display, printed start,"),
    ],
)
SUM = here.claim(
    "thrm:non-smooth:complexity/proof-sum",
    "Proof of Theorem 1: the sum",
    as_printed="false",
    says=proved(summed, r"Lemma 4 added up over the run", under="the noise"),
    printed=PRINTED_SUM,
    words=r"The printed line has $\rho\xi/2$ in $\gamma$, like the printed Lemma 4, and the right line has $\rho\xi$.",
    printed_words=r"with $\rho\xi/2$ in $\gamma$, and from the first step on, where Lemma 4 fails for the printed start",
    repair=r"The repaired start, or a sum from the second step on; and the right $\gamma$.",
    consequence="None for the repaired start. For the printed one the first step is bounded by itself and costs a constant.",
    more=SUM_BREAKS,
    uses=[LEMMA_4],
    root=START,
)
GAMMA_1_DEFINED = here.definition(
    "thrm:non-smooth:complexity/proof-gamma_1",
    r"Definition of $\gamma_1$",
    says=Definition(gamma_1, GAMMA_1),
    words=r"One more than the weight of $f(x_{k-1})$ in $V_k$.",
    more=proved(gamma_1_weight, "one more than that weight", under="the weight"),
    uses=[V_FUNCTION],
)
LOWER = here.claim(
    "thrm:non-smooth:complexity/proof-lower",
    "Proof of Theorem 1: the last value of the Lyapunov function",
    says=proved(lower, "three infima and squares", over=r"$\gamma_1$"),
    words=r"$x_{k-1}$ and $\hat x_k$ lie in $\mathcal{X}$, and the squares are dropped. If $f$ has no lower bound, this line and the "
    "theorem say nothing.",
    uses=[V_FUNCTION, GAMMA_1_DEFINED],
)
UPPER = here.claim(
    "thrm:non-smooth:complexity/proof-V_0",
    "Proof of Theorem 1: the first value of the Lyapunov function",
    says=proved(upper, "the point itself in the envelope", under=r"$\gamma_1$"),
    words=r"$p_0$ and $d_0$ vanish, whatever $z_0$ is.",
    uses=[V_FUNCTION, GAMMA_1_DEFINED],
)
BOUND = here.claim(
    "thrm:non-smooth:complexity/proof-bound",
    "Proof of Theorem 1: the bound",
    as_printed="gap",
    says=[_REPAIRED, _PRINTED_START],
    printed=as_printed(theorem_1(), domain=PRINTED_GAMMA, assumes=ORACLE, scope=Scope.RUN_PRINTED),
    words=r"Here, unlike in the theorem, $\alpha_0^2$ is present.",
    printed_words="the bound for the printed start, from the sum above it, which fails for that start",
    repair=r"The repaired start and the right $\gamma$; or the printed start with what the first step costs.",
    consequence="None for the repaired start. The second display is true for the printed start all the same.",
    uses=[SUM, LOWER, UPPER],
    root=START,
)
CONSTANTS = here.claim(
    "thrm:non-smooth:complexity/proof-constants",
    "Proof of Theorem 1: bounds on the constants",
    says=[_GAMMA, _GAMMA_1],
    words=r"The first is reached by the right $\gamma$ as $K$ grows; for the printed $\gamma$ one could write 5/2 in place of 3.",
    uses=[GAMMA_CONSTANT, GAMMA_1_DEFINED],
)
PROOF_TEN = here.claim(
    "thrm:non-smooth:complexity/proof-ten",
    "Proof of Theorem 1: the constant 10",
    says=_TEN,
    words=(
        r"At this $\alpha_0$ both constants are at most 5, so the display follows from the bound above it, for the repaired start. "
        "It is true for the printed start too, by another way; the hole is in the bound above it."
    ),
    more=_TEN_REPAIRED,
    uses=[CONSTANTS],
)
REMARK_I = here.remark(
    "thrm:non-smooth:complexity/remark-i",
    r"Remark i: any $\nu$ works, nothing to tune",
    says=proved(partial(theorem_1_start, domain=ANY_NU), r"the theorem for every $\nu$", under="the cost of the start"),
    words=r"No constant of the problem is needed to choose $\alpha_0$ and $\nu$. The constant 10 holds for one $\alpha_0$, which depends "
    r"on $\rho$.",
    uses=[LEMMA_4],
)
LITERATURE = here.remark(
    "thrm:non-smooth:complexity/remark-i-literature",
    "Remark i: one and two time scales elsewhere",
    as_printed="open",
    words="Statements about other papers; not decided here.",
)
REMARK_II = here.remark(
    "thrm:non-smooth:complexity/remark-ii",
    r"Remark ii: a small $\beta$, and any fixed one, keep the rate",
    says=[
        proved(
            fixed_momentum_gamma, r"$\gamma$ for a fixed $\beta$", under="it, for a single step", domain=SINGLE_STEP
        ),
        proved(
            fixed_momentum_gamma_1, r"$\gamma_1$ for a fixed $\beta$", under="it, for a single step", domain=SINGLE_STEP
        ),
    ],
    words=(
        r"For a fixed $\beta$ both constants are at most what they are for a run of a single step, so the bound of remark i keeps its "
        r"rate; $\xi$ vanishes as $K$ grows, and both constants tend to one. With $\beta$ equal to one the method is SGD."
    ),
    uses=[REMARK_I],
)
PYTORCH = here.remark(
    "thrm:non-smooth:complexity/remark-ii-default",
    "Remark ii: the default of PyTorch",
    as_printed="wrong",
    words="The momentum of `torch.optim.SGD` is 0 by default; 0.9 is a customary value. (It is the default of the first average of "
    "`torch.optim.Adam`, which has the form of line (b); Adam is another method.)",
    printed_words=r"the default value $1-\beta=0.9$ in PyTorch",
    repair=r"The customary value $1-\beta=0.9$.",
    consequence=(
        r"None for the theorems. (PyTorch with momentum and dampening $1-\beta$ has the printed start; with dampening 0 and "
        r"the learning rate $\alpha\beta$ it has $z_0=\beta g_0$.)"
    ),
    more=pytorch_default,
)
SMALLER = here.remark(
    "thrm:non-smooth:complexity/remark-ii-smaller",
    "Remark ii: which is smaller",
    as_printed="typo",
    words=r"$1-\beta=0.99$ is the larger momentum; the word fits $\beta=0.01$, the smaller parameter.",
    printed_words=r"the smaller $1-\beta=0.99$",
    repair=r"The larger $1-\beta=0.99$.",
    consequence="None.",
    more=smaller_momentum,
)
REMARK_III = here.remark(
    "thrm:non-smooth:complexity/remark-iii",
    r"Remark iii: from $\bar x_k$ to $x_k$",
    says=proved(near, "a square", under="the gradient"),
    words=r"$x_k$ and $\bar x_k$ differ by $\xi d_k$.",
    uses=[GRADIENT],
)
REMARK_III_RATE = here.remark(
    "thrm:non-smooth:complexity/remark-iii-rate",
    r"Remark iii: the same rate for $x_k$",
    as_printed="unstated",
    says=[
        proved(near_rate, "Lemmas 3 and 4 added up, with the repaired start", under="the first part"),
        proved(near_rate_start, "the same with the printed start", under="the first part"),
    ],
    printed=near_each(),
    words=r"On average over the run, in total expectation: at $k^*$, as in the theorem.",
    printed_words=r"both terms converge at the rate for the iterate $x_k$, without an average over $k$",
    reading=READ_FOR_EACH,
    repair=r"Say that the random index $k^*$ of the theorem is meant.",
    consequence="None for the theorem. A single iterate need not be near: the first one does not depend on the length of the run.",
    more=FIRST_IS_FAR,
    uses=[THEOREM, REMARK_III],
    root=D_SMALL,
)
SUMMARY = here.sentence(
    "thrm:non-smooth:complexity/summary",
    "Rate and sample complexity",
    says=proved(samples, "from a rate to a number of samples", under="the accuracy"),
    words=r"The bound of the theorem is at most $C/\sqrt{K+1}$, with $C$ free of $K$. So $(C/\epsilon)^2$ samples suffice for accuracy "
    r"$\epsilon$ of the squared norm.",
    uses=[THEOREM],
)
