r"""Sections 5 and 6, place by place: exact where a sentence is arithmetic, small repetitions of the figures where it is a picture.

The repetitions and the instances stand in :mod:`shbcore.claims.experiments_repeated`.
"""

from shbcore.claims.writing import *
from shbcore.claims.experiments_repeated import *
from shbcore.claims.introduction import COMPOSITE, DIRECTION
from shbcore.claims.method import A2, DECAYING
from shbcore.numerics import panels

here = Section("5 Numerical evaluations", "figure_1")
ranges = here.within("figures_2_3")
theory = here.within("theory_meets_experiment")

c, alpha_0, root_k, root_K = sp.symbols(r"c alpha_0 \sqrt{k+1} \sqrt{K}")
x_any = vector("x")
LONG_STEPS = Domain(at_least(root_k, 1), at_least(alpha_0, 2 * root_k))
SHORT_STEPS = Domain(positive(alpha_0), at_least(root_k, alpha_0 / 2))
BETWEEN = Domain(at_least(root_k, 1), defined(alpha_0, 2 * root_k))
r"""A stepsize of 2, where the two ranges meet: the iterate keeps its length."""


# --- arithmetic


@cache
def lowpass(share: Any = 1) -> Line:
    r""":math:`|1-(1-\beta)e^{-i\omega}|^2/\beta^2` with :math:`c=\cos\omega`."""
    left = ((1 - (1 - beta) * c) ** 2 + (1 - beta) ** 2 * (1 - c**2)) / beta**2
    right = 1 + (1 - beta) * (1 - c) * 2 * share / beta**2
    return equal_numbers(left, right, domain=Domain(between(beta, 0, 1), at_least(c, -1)))


def _stepped() -> Node:
    r"""The step of SGD for :math:`\frac12x^2`."""
    found: Node = (1 - alpha_0 / root_k) * x_any
    return found


@cache
def parabola_grows(scale: Any = 1, domain: Domain = LONG_STEPS) -> Line:
    terms = [alpha_0 / root_k * (alpha_0 / root_k - 2) * square(x_any)]
    return line(scale * x_any**2 <= _stepped() ** 2, terms, domain=domain)


@cache
def parabola_shrinks(scale: Any = 1, domain: Domain = SHORT_STEPS) -> Line:
    terms = [alpha_0 / root_k * (2 - alpha_0 / root_k) * square(x_any)]
    return line(_stepped() ** 2 <= scale * x_any**2, terms, domain=domain)


@cache
def admissible(least: Any = 1, *, edge: bool = False) -> Line:
    r""":math:`\beta=1/(\alpha_0\sqrt K)\le1` for :math:`\alpha_0\ge1/\sqrt K`; ``edge`` looks at the least stepsize alone."""
    range_ = defined(alpha_0, least / root_K) if edge else at_least(alpha_0, least / root_K)
    return sign(1, less=1 / (alpha_0 * root_K), domain=Domain(positive(root_K), range_))


# --- the places of Sections 5 and 6

PROBLEM = here.definition(
    "fig:1/problem",
    "Robust phase retrieval",
    words=r"Minimise $\frac1m\sum_i|\langle a_i,x\rangle^2-b_i|$ over $\mathbb{R}^n$. With outliers $x^\star$ need not "
    r"be its minimiser, so the gap $f(x)-f(x^\star)$ may be negative.",
    more=measured(objective, "value of f at a random point", "nine tenths of f", factor=0.9),
)
COMPOSITION = here.sentence(
    "fig:1/composite",
    "It is a composite function",
    as_printed="typo",
    words=r"$f=h\circ c$ with $h(y)=\frac1m\|y\|_1$ and $c_i(x)=\langle a_i,x\rangle^2-b_i$; hence weakly convex, with "
    r"$\rho\le\frac2m\lambda_{\max}(A^\top A)$.",
    printed_words=r"$h(y)=\|y\|_1$",
    repair=r"The factor $1/m$ in $h$.",
    consequence="None: a factor $m$ in $L_h$, and $f$ is weakly convex either way.",
    more=exact(
        mean_of_moduli,
        r"$h$ with $1/m$ gives $f$",
        r"$h=\|\cdot\|_1$ as printed",
        divide=False,
        far="the printed line itself",
    ),
    uses=[COMPOSITE],
)
DATA = here.definition(
    "fig:1/data",
    "The data",
    words=r"$m=300$, $n=100$, $x^\star$ standard normal in figure 1 and uniform on the unit sphere in the others, $A=QD$ "
    r"with $Q$ standard normal and $D$ diagonal, linearly spaced from $1/\kappa$ to 1. The rows of $A$ are the $a_i$.",
    more=measured(data, "one draw", "columns of equal scale", kappa=1.0, far="within the noise of one draw"),
)
OUTLIERS = here.definition(
    "fig:1/outliers",
    "The outliers",
    as_printed="typo",
    words=r"$b_i=\langle a_i,x^\star\rangle^2+\delta_i\zeta_i$ with $\zeta_i\sim N(0,25)$ and independent "
    r"$\delta_i\in\{0,1\}$, $P(\delta_i=1)=p_{\mathrm{fail}}$. On average $p_{\mathrm{fail}}m$ measurements are "
    "corrupted.",
    printed_words=r"$\delta\zeta_i$ with one $\delta$; “so that $p_{\mathrm{fail}}\cdot m$ measurements are corrupted”",
    repair=r"$\delta_i$ in place of $\delta$, and “on average”.",
    consequence="None.",
    more=exact(
        exactly_expected,
        "P(exactly 60 of 300 corrupted at p = 0.2) is at most 0.058, so the count is random",
        "nine tenths of that",
        share=SHARE,
    ),
)
X_0 = here.definition(
    "fig:1/x_0",
    "The starting point",
    as_printed="typo",
    words=r"$x_0\sim N(0,I_n)$ with $n=100$, so $\mathbb{E}\|x_0\|^2=100$.",
    printed_words=r"$x_0\sim\mathcal{N}(0,1)$",
    repair=r"$I_n$ in place of 1.",
    consequence="None.",
    more=measured(
        starting_point,
        "|x_0|^2 is 100 on average",
        "1, as N(0,1) says",
        coordinates=1,
        far="the printed line itself",
    ),
)
SUBDIFFERENTIAL = here.claim(
    "fig:1/subdifferential",
    "The stochastic subgradient",
    as_printed="wrong",
    words=r"For $g(x)=|\langle a,x\rangle^2-b|$: $\partial g(x)=2\langle a,x\rangle a\cdot\mathrm{sign}(\langle "
    r"a,x\rangle^2-b)$ where $\langle a,x\rangle^2\ne b$, and $2\langle a,x\rangle a\cdot[-1,1]$ otherwise.",
    printed_words=r"$\partial g(x)=2\langle a,x\rangle a\cdot\mathrm{sign}(\langle a,x\rangle-b)^2$ where $\langle "
    r"a,x\rangle^2\ne b$, and $2\langle a,x\rangle a\cdot[-1,1]$ otherwise",
    repair="The square stands inside the sign.",
    consequence="None for the theorems. A program written after the printed line would climb wherever "
    r"$\langle a,x\rangle^2<b$.",
    more=phase_sign,
)
RANGE_WORDS = r"With the decaying stepsize, and with either start: $z_0=\beta g_0$, or $z_0=g_0$ as printed."
EPSILON = ranges.definition(
    "fig:1/epsilon",
    "The accuracy",
    as_printed="unstated",
    words=r"Epochs to $\epsilon$-accuracy: the least $q$ with $f(x_{mq})-f(x^\star)\le\epsilon$. Here "
    r"$\epsilon\in\{0.1,0.03,0.01\}$ is tried.",
    printed_words=r"$\epsilon$-accuracy, without the value of $\epsilon$, the grid of $\alpha_0$, or what is counted "
    "when a run never arrives",
    repair=r"state $\epsilon$, the grid, and the rule for runs that never arrive",
    consequence="None for the theorems. The numbers on the axes of figures 2 and 3 cannot be reproduced, only their "
    "shape.",
    more=numeric(arrivals_differ, "the epochs depend on epsilon", "the same epsilon twice", second=0.1),
)
BUDGET = ranges.definition(
    "fig:1/budget",
    "Budget and statistics",
    before=EPSILON,
    words=r"An epoch is $m$ iterations, a run has $K=400m=120\,000$, 50 experiments a stepsize; median, and the band "
    "from the 10th to the 90th percentile, of the epochs to accuracy. How a run that never arrives is counted the paper "
    "does not say; here it is infinitely late.",
    more=numeric(budget, "length of the runs, and what never arrives", "an epoch less", epochs=399, far=""),
)
FIGURE_1 = here.figure(
    "fig:1",
    "Figure 1: the gap against iterations",
    words=r"SHB with $\beta=10/\sqrt K$ brings the gap of most runs below a tenth of its start in all four panels "
    r"within the budget, and no run diverges; with either start, $z_0=\beta g_0$ or $z_0=g_0$ as printed.",
    more=BELOW_A_TENTH,
    uses=[DATA, SUBDIFFERENTIAL],
)
SENSITIVITY = here.sentence(
    "fig:1/sensitivity",
    "SGD is the more sensitive one",
    words="In panels (b), (c), (d) the gap of SGD first grows by a factor of thousands or more in the median, more "
    "than ten times as much as that of SHB with either start. (With the repaired start SHB grows by a factor of tens "
    "at most; with the printed one by hundreds or thousands in panel (d).)",
    more=numeric(
        less_sensitive,
        "growth of the gap of SGD, more than ten times that of SHB in (b), (c), (d), both starts",
        "in panel (a) too",
        labels=ALL_1,
    ),
    uses=[FIGURE_1],
)
FIGURE_1_D = here.figure(
    "fig:1:d",
    "Figure 1(d): transient growth of SGD",
    words=r"At $\kappa=1$, $\alpha_0=0.15$ the gap of SGD grows by many orders of magnitude and then comes back below "
    "its start.",
    more=numeric(
        transient,
        "transient growth of SGD in panel (d)",
        "of SHB with the repaired start",
        method=panels.FIGURE_1[3].shb(REPAIRED),
    ),
    uses=[FIGURE_1],
)
HALF_SQUARE = here.sentence(
    "fig:1/half-square",
    r"The same happens for $\frac12x^2$",
    says=[
        proved(parabola_grows, "the first steps", "eleven tenths at stepsize 2", scale=ELEVEN_TENTHS, domain=BETWEEN),
        proved(parabola_shrinks, "the later steps", "nine tenths at stepsize 2", scale=NINE_TENTHS, domain=BETWEEN),
    ],
    words=r"A step of SGD for $\frac12x^2$ multiplies $x$ by $1-\alpha_0/\sqrt{k+1}$. The first line is about the steps with a "
    r"stepsize of 2 or more, the second about the later ones. So with a first stepsize above 2 an iterate that is not zero first grows and "
    r"then shrinks, to zero, since the sum of the stepsizes has no bound. For large $\alpha_0$ its peak is exponential in $\alpha_0^2$.",
    more=exact(
        growth_of_the_parabola,
        "for alpha_0 = 10 the iterate grows in 24 steps by more than 4.8 * 10^7",
        "by eleven tenths of that",
        share=Fraction(11, 10),
    ),
)
ROBUST = here.sentence(
    "fig:1/robust",
    "SHB converges in all settings of the figure",
    words="No run of SHB diverges, and in each panel at least half of the runs end below a tenth of their first gap, "
    "with either start. That momentum is the reason is a suggestion.",
    more=BELOW_A_TENTH,
    uses=[FIGURE_1],
)
LOWPASS = here.sentence(
    "fig:1/lowpass",
    "Momentum is a lowpass filter",
    says=proved(lowpass, "the gain of the recursion", under="the last term"),
    words=r"The recursion of $z_k$ multiplies a signal of frequency $\omega$ by $H$, the quotient of $\beta$ and "
    r"$1-(1-\beta)e^{-i\omega}$; the left side is $|H|^{-2}$, and $c$ is $\cos\omega$. As $c$ falls from 1 to $-1$ "
    r"the gain $|H|$ falls from 1, at frequency 0, to $\beta/(2-\beta)$, at frequency $\pi$.",
    uses=[DIRECTION],
)
FIGURE_2 = ranges.figure(
    "fig:2",
    r"Figure 2: epochs to accuracy against $\alpha_0$",
    words=rf"For both momentum rules of figure 2, SHB works for a wider range of $\alpha_0$ than SGD. {RANGE_WORDS}",
    more=wider("figure 2, both panels", "2(a) 2(b)"),
    uses=[DATA, EPSILON],
)
FIGURE_2_A = ranges.figure(
    "fig:epochs2eps",
    r"Figure 2(a): $\beta=1/\sqrt K$",
    words=r"SHB works for a wider range of $\alpha_0$ than SGD, by about a decade, and by less with the printed start. "
    rf"{RANGE_WORDS}",
    more=wider("figure 2(a)", "2(a)"),
    uses=[FIGURE_2],
)
FIGURE_2_B = ranges.figure(
    "fig:epochs2eps:corrupted",
    r"Figure 2(b): $\beta=1/(\alpha_0\sqrt K)$",
    as_printed="unstated",
    says=proved(
        admissible,
        "the momentum is at most 1 from that stepsize on",
        "at nine tenths of the least stepsize",
        least=NINE_TENTHS,
        edge=True,
    ),
    printed=Statement(admissible().statement.relation, domain=Domain(positive(root_K), positive(alpha_0))),
    words="The left side is the momentum of the panel. For the stepsizes where it is at most 1, SHB works on a wider range "
    "than SGD, with either start.",
    printed_words=r"the rule of the title, without a range of $\alpha_0$",
    reading="The rule gives a momentum, which is at most 1, for every stepsize",
    repair=r"state the range of $\alpha_0$, or cut $\beta$ at 1",
    consequence=r"None for the theorems; there $\beta$ is at most 1.",
    more=[beta_above_one, wider("figure 2(b)", "2(b)")],
    uses=[FIGURE_2],
    root=EPSILON,
)
RANGE = ranges.sentence(
    "fig:2/range",
    "SGD has a narrow range, SHB a wider one",
    words=r"The interval of working $\alpha_0$ is longer for SHB, in each of the panels of figures 2 and 3, with the "
    r"decaying stepsize: with $z_0=\beta g_0$ by more than the bootstrap error; with $z_0=g_0$ as printed by less, for "
    r"$\beta=0.1$ by little more than the grid resolves.",
    more=wider("figures 2 and 3, all panels", ALL_2_3),
    uses=[FIGURE_2],
)
FIGURE_3 = ranges.figure(
    "fig:3",
    "Figure 3: popular momenta",
    words=rf"For $\beta=0.1$ and $\beta=0.01$ SHB works for a wider range of $\alpha_0$ than SGD. {RANGE_WORDS}",
    more=wider("figure 3, both panels", "3(a) 3(b)"),
    uses=[DATA, EPSILON],
)
FIGURE_3_A = ranges.figure(
    "fig:epochs2eps:popular:mmt",
    r"Figure 3(a): $\beta=0.1$",
    words=rf"SHB works for a wider range of $\alpha_0$ than SGD, by a few tenths of a decade. {RANGE_WORDS}",
    more=wider("figure 3(a)", "3(a)"),
    uses=[FIGURE_3],
)
FIGURE_3_B = ranges.figure(
    "fig:epochs2eps:corrupted:popular:mmt",
    r"Figure 3(b): $\beta=0.01$",
    words=rf"SHB works for a wider range of $\alpha_0$ than SGD, by half a decade or more. {RANGE_WORDS}",
    more=wider("figure 3(b)", "3(b)"),
    uses=[FIGURE_3],
)
RANGE_3 = ranges.sentence(
    "fig:3/range",
    "A wider range for diverse momenta",
    words=rf"All four momentum rules of figures 2 and 3 give SHB a wider range than SGD. {RANGE_WORDS}",
    more=wider("figures 2 and 3, all panels", ALL_2_3),
    uses=[RANGE],
)
THEORY = theory.sentence(
    "fig:1/theory",
    "The experiments stand outside the theory",
    as_printed="unstated",
    before=BUDGET,
    words=r"On $\mathbb{R}^n$ the subgradients $2\langle a,x\rangle a$ are unbounded, so (A2) fails; the stepsize "
    r"decays, while the theorems have a constant one. A $\beta$ of order $1/\sqrt K$ is that of the theorems, but there it goes "
    "with a constant stepsize.",
    printed_words="“experiments to validate our theoretical developments”, with “a theoretically justified parameter "
    r"$\beta$”",
    repair="say that (A2) holds on bounded sets only, and that the paper's theorems do not cover the decaying stepsize",
    consequence="None for the theorems; the experiments illustrate and do not test them.",
    more=unbounded_subgradients,
    uses=[A2, DECAYING],
)
STEPSIZE = theory.sentence(
    "fig:1/stepsize",
    "Decaying or constant stepsize: no difference?",
    as_printed="wrong",
    before=THEORY,
    words=r"In our runs with the constant stepsize $\alpha_0/\sqrt{K+1}$ of the theorems, SHB works for no wider range of "
    r"$\alpha_0$ than SGD; its advantage in figures 2 and 3 belongs to the decaying stepsize, whose first steps are "
    "large. So does the transient growth of SGD in figure 1(d): in our runs with the constant stepsize, same data and "
    "samples, its gap never exceeds its start.",
    printed_words="the constant stepsize “will not change the qualitative aspects of our plots in any way”",
    repair=r"say that SHB and SGD are compared with $\alpha_k=\alpha_0/\sqrt{k+1}$ only",
    consequence="None for the theorems. The wider range of SHB is not shown for the stepsize that the theorems are "
    "about.",
    more=[
        numeric(
            changed_picture,
            "SHB has a wider range than SGD in no panel with the constant stepsize, in every panel with the decaying one, for both starts",
            "the picture does not change, as printed",
            in_book=True,
            printed=True,
        ),
        numeric(
            decaying_alone,
            "transient growth of SGD in panel 1(d) belongs to the decaying stepsize",
            "it shows with the constant stepsize too, as printed",
            printed=True,
        ),
    ],
    uses=[RANGE, RANGE_3, FIGURE_1_D],
)
CONCLUSION = here.undecided(
    "conclusion/summary",
    "Conclusion",
    chapter="errata",
    section="6 Conclusion",
    words="It sums up the theorems and figures, which are entries of their own, and claims priority, which is not "
    "decided here.",
)
