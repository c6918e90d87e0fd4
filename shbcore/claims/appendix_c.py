r"""Appendix C, place by place: the proof of Lemma 5.

The lines stand in :mod:`shbcore.claims.appendix_c_phi` (Lemma 6), :mod:`shbcore.claims.appendix_c_z` (Lemmas 7 and 5) and
:mod:`shbcore.claims.appendix_c_sharp` (the best stepsize).
"""

from shbcore.claims.writing import *
from shbcore.claims import smooth_instances as instances
from shbcore.claims.appendix_a import OPTIMALITY
from shbcore.claims.appendix_c_phi import *
from shbcore.claims.appendix_c_sharp import *
from shbcore.claims.appendix_c_z import *
from shbcore.claims.method import START, from_the_second_step

here = Section("C Proof of Lemma 5", "phi_and_W")
f = smooth_f

FIRST_STEP = "From the second step on, or with the repaired start."
BOTH_SIDES = (
    r"Expectations given $\mathcal{F}_{k-1}$ on both sides; from the second step on, or with the repaired start."
)
AS_LEMMA_7 = "As for Lemma 7."
AFTER_RARE = r"given $\mathcal{F}_k$ it fails after a rare large sample"


def rare(like: Line, what: str = AFTER_RARE, printed: Statement | None = None) -> Check:
    """The check that a printed line fails at the rare sample, where the repaired one holds."""
    wrong = printed if printed is not None else as_printed(like, given=NOW)
    return broken_at(wrong, RARE, what, like, k=1)


change_refused = partial(
    not_known,
    what="the change of condition is refused as not measurable",
    control_what="the same of what the past knows",
)


def known_to_the_past(known: Node, control_what: str, late: Node) -> Check:
    """The certificate that the noise has mean zero against what the past knows; its control is what comes later."""
    return proved(partial(old_noise, known=known), "the past knows it", control_what, known=late)


def slides(like: Line, printed: Statement | None = None) -> Check:
    """The check that a line fails at the first step of the printed start, without any noise."""
    return first_step_breaks(like, instances.SLIDE, printed)


def on_range(build: Callable[..., Line], *words: str, **change: Any) -> Check:
    """The certificate of a sign on a whole range; its control is refused by the kernel, since at a single point it may be true."""
    found = proved(build, *words, **change)
    return replace(found, control=lambda: check(build(**found.change)))


# --- Lemma 6

LEMMA_6 = here.lemma(
    "lem:xdiff:smooth",
    r"Lemma 6 (Appendix C): the change of $\varphi_k$",
    says=proved(lemma_6, "given the present, for every start", over="the decrease"),
    words=r"True as printed, for any start; neither (A3) nor a bound on the stepsize is needed, and weak convexity is enough.",
    more=instances.LEMMA_6,
)
LEMMA_6_DISPLAY = here.lemma(
    "lem:xdiff:smooth/display",
    "Lemma 6, the display",
    says=proved(lemma_6, "given the present, for every start", over="the decrease"),
    uses=[LEMMA_6],
)
REWRITE = here.claim(
    "alg:iters:def:a:rewrite",
    "The step rewritten",
    says=proved(rewrite, "the new iterate is least", over="its square"),
    words=r"Here $x$ is any point of $\mathcal{X}$: the new iterate is the minimiser.",
)
CONJUGATE = here.claim(
    "alg:iters:def:a:rewrite/conjugate",
    "The conjugate of $h$",
    says=[
        proved(conjugate_above, "below its parabolas", under="the square"),
        proved(conjugate_below, "above its tangents", over="the slope"),
        proved(conjugate_lipschitz, "a Lipschitz gradient", under="the distance"),
    ],
    words=r"The first two lines say that the projection is the gradient of $h^*$, the third that it is 1-Lipschitz. The gradient at "
    r"$x_k-\alpha z_k$ is therefore $x_{k+1}$, by the step of the method.",
)
SMOOTHNESS = here.claim(
    "alg:iters:def:a:rewrite/smoothness",
    "Smoothness of $h^*$",
    says=proved(smoothness, "between the two trial points", under="the square"),
    uses=[CONJUGATE],
)
VARPHI_DIFF = here.claim(
    "eq:varphi:diff",
    r"$\varphi_{k+1}-\varphi_k$",
    says=proved(varphi_diff, r"smoothness of $h^*$ put in", under="the square"),
)
NORM_IDENTITY = here.claim(
    "eq:norm:identity", "Polarisation", says=proved(norm_identity, "identity", under="the first square")
)
INNER_1A = here.claim(
    "proof:lema:1:inp:1:a",
    "Polarisation at $k$",
    says=proved(inner_1a, "identity", under="the second square"),
    uses=[NORM_IDENTITY],
)
INNER_1B = here.claim(
    "proof:lema:1:inp:1:b",
    "Polarisation at $k+1$",
    says=proved(inner_1b, "identity", under="the second square"),
    uses=[NORM_IDENTITY],
)
INNER_2 = here.claim(
    "proof:lema:1:inp:2",
    "Difference of squares",
    says=proved(inner_2, "identity", under="the product"),
    uses=[NORM_IDENTITY],
)
VARPHI_DIFF_2 = here.claim(
    "eq:varphi:diff:2",
    r"$\varphi_{k+1}-\varphi_k$, simplified",
    says=[
        proved(varphi_diff_2, "the inequality", under="the product"),
        proved(varphi_diff_2_split, "the identity after it", under="the last product"),
    ],
    uses=[INNER_1A, INNER_1B, INNER_2],
)
INNER_3C = here.claim(
    "proof:lema:1:inp:3:c",
    "Squares of $z$",
    says=proved(inner_3c, "identity", under="the square"),
    uses=[NORM_IDENTITY],
)
OPTIMALITY_AT_X = here.claim(
    "eq:x:opt:cond:x_next",
    "Optimality at $x_k$",
    says=proved(optimality_at_x, "optimality at the last iterate", over="the step"),
    uses=[OPTIMALITY],
)
INNER_3A = here.claim(
    "proof:lema:1:inp:3:a",
    "Definition of $z_{k+1}$ put in",
    says=proved(inner_3a, "identity", under="the subgradient"),
    words=r"It holds for every start, since $z_{k+1}$ is always given by the recursion.",
)
INNER_3B = here.claim(
    "proof:lema:1:inp:3:b",
    "Bounded by optimality",
    says=proved(inner_3b, "optimality again", over="the decrease"),
    uses=[INNER_3A],
)
VARPHI_DIFF_3 = here.claim(
    "eq:varphi:diff:3",
    r"$\varphi_{k+1}$ against $\varphi_k$",
    says=proved(varphi_diff_3, "the lines before together", over="the decrease"),
    uses=[INNER_3C],
)
WEAK_CONVEXITY_NEXT = here.claim(
    "proof:lema:1:inp:g:xdiff",
    "Weak convexity at $x_{k+1}$",
    says=proved(weak_convexity_next, "given the present", under=r"$\rho$"),
)
VARPHI_DIFF_4 = here.claim(
    "eq:varphi:diff:4",
    "Lemma 6, end of the proof",
    says=proved(varphi_diff_4, "given the present", over="the decrease"),
)

# --- Lemma 7

Z_DIFF_1 = here.claim(
    "proof:smooth:z:diff:1",
    "$z_{k+1}-z_k$ squared",
    as_printed="false",
    says=[
        proved(z_diff_1, "by the recursion", under="the samples"),
        proved(z_diff_1_split, "the noise taken apart", under="the cross term"),
    ],
    printed=[as_printed(z_diff_1()), as_printed(z_diff_1_split())],
    words=r"Here $\Delta_k$ is the noise $g_k-\nabla f(x_k)$ of a sample.",
    repair=FIRST_STEP,
    consequence="Lemma 7 from the second step on, or with the repaired start.",
    more=slides(z_diff_1()),
    root=START,
)
NOISE_DIFFERENCE = here.claim(
    "proof:smooth:z:diff:Delta",
    "The noise term",
    as_printed="false",
    says=[
        proved(noise_halves, "for every outcome", under="the first 2"),
        proved(noise_difference, "given the past", under="4"),
    ],
    printed=[as_printed(noise_halves()), as_printed(noise_difference(), given=NOW)],
    words=r"Here begins what runs through the rest of Appendix C: what $\mathcal{F}_k$ knows already, the noise $\Delta_k$, is treated as "
    "if it were averaged.",
    repair=r"$\mathcal{F}_{k-1}$ in place of $\mathcal{F}_k$, at which $\|\Delta_k\|^2$ is already known.",
    consequence=r"Lemmas 5 and 7 hold given $\mathcal{F}_{k-1}$, with the same constants; Theorem 3 takes total expectations.",
    more=[
        proved(noise_difference_sharp, "sharper: the noises are uncorrelated", under="2"),
        rare(noise_difference()),
        not_known(
            noise_k**2,
            r"given $\mathcal{F}_k$ the noise is known, not averaged",
            "the last step, which is known one field earlier",
            known=d_k**2,
        ),
    ],
)
CROSS_TERM = here.definition(
    "proof:smooth:z:diff:T",
    "The cross term $T$",
    as_printed="typo",
    says=[Definition(q_k), proved(cross_letters, "the cross term", under="it")],
    printed=Definition(Named("p_k", q_k.of)),
    words=r"The direction without its noise is called $q_k$ here; $T$ is either side.",
    printed_words=r'the letter $p_k$, which had been fixed "throughout the paper" for the momentum',
    repair="Another letter in Appendix C.",
    consequence="None: Appendix C never uses the momentum of Section 3.",
)
FRESH_NOISE = here.claim(
    "proof:smooth:cond:expect:a",
    "Fresh noise",
    says=proved(fresh_noise, "given the present", "the noise of the step before", drawn=noise_k),
    words=r"The difference $q_{k+1}-q_k$ is known at $\mathcal{F}_k$; the paper calls it $p_{k+1}-p_k$.",
)
_PRODUCT = noise_k @ (q_next - q_k)
OLD_NOISE_SWAP = here.claim(
    "proof:smooth:cond:expect:b",
    "Old noise: a change of condition",
    as_printed="false",
    says=proved(old_noise_averaged, "averaged over the last sample", under="it"),
    printed=Statement((-E(_PRODUCT, NOW)).equals(-E(_PRODUCT, PAST)), NOW, ADMISSIBLE, (), Scope.PRINTED),
    words=r"Only the average of the left side over $S_k$ is the right side. "
    r"Nothing is needed here: condition on $\mathcal{F}_{k-1}$ throughout.",
    repair=r"Drop the line; condition on $\mathcal{F}_{k-1}$ from the start.",
    consequence=AS_LEMMA_7,
    more=[
        rare(
            old_noise_averaged(),
            r"what is known at $\mathcal{F}_k$ is not its mean given $\mathcal{F}_{k-1}$",
            Statement((-E(_PRODUCT, NOW)).equals(-E(_PRODUCT, PAST)), NOW, ADMISSIBLE, (), Scope.PRINTED),
        ),
        change_refused(_PRODUCT, known=d_k @ q_k),
    ],
    root=NOISE_DIFFERENCE,
)
FALSE_GIVEN_THE_PRESENT: dict[str, Any] = {"as_printed": "false", "consequence": AS_LEMMA_7, "root": NOISE_DIFFERENCE}
"""What there is to say of the lines that inherit the change of condition."""


def false_given_the_present(like: Line, *sharper: Check) -> dict[str, Any]:
    """The same, of a line of which nothing else is wrong."""
    printed = as_printed(like, given=NOW)
    return {**FALSE_GIVEN_THE_PRESENT, "printed": printed, "repair": BOTH_SIDES, "more": [*sharper, rare(like)]}


OLD_NOISE = here.claim(
    "proof:smooth:cond:expect:b:1",
    "Old noise against what was known",
    says=proved(old_noise, "given the past", "one index later", known=q_next),
)
X_VIRTUAL = here.definition(
    "proof:smooth:p:normdiff/x_virtual",
    r"The virtual iterate $x^\prime_{k+1}$",
    says=Definition(x_virtual),
    words=r"The step without the noise of $S_k$, known at $\mathcal{F}_{k-1}$.",
    more=[known_to_the_past(x_virtual, "the true iterate", x_next), instances.VIRTUAL],
)
Q_VIRTUAL = here.definition(
    "proof:smooth:p:normdiff/p_virtual",
    r"The virtual direction $p^\prime_{k+1}$",
    says=Definition(q_virtual),
    words=r"Known at $\mathcal{F}_{k-1}$; the paper calls it $p^\prime_{k+1}$.",
    more=known_to_the_past(q_virtual, "the true direction", q_next),
    uses=[X_VIRTUAL],
)
CAUCHY = here.claim(
    "proof:smooth:p:normdiff/cauchy",
    "Old noise against the virtual direction",
    says=[
        proved(virtual_step, "the virtual direction is free", under="the true one"),
        proved(cauchy, "Cauchy and Schwarz", under="the second square"),
    ],
    words=r"The second line holds for every outcome and every $\theta$; its right side is least at the product of the two "
    "norms, which is the last line of the display.",
    uses=[Q_VIRTUAL],
)
NORMDIFF = here.claim(
    "proof:smooth:p:normdiff",
    "The virtual direction is near",
    as_printed="false",
    says=[
        proved(normdiff_b, "steps (a) and (b)", under="the right side"),
        proved(normdiff_c, "step (c)", under="the right side"),
        proved(normdiff, "first and last term", "the noise of the next step", drawn=noise_next),
    ],
    printed=[as_printed(normdiff_b()), as_printed(normdiff_c()), as_printed(normdiff())],
    words="The display with both sides squared.",
    repair=FIRST_STEP,
    consequence="None: the next display holds at the first step all the same.",
    more=slides(normdiff()),
    uses=[X_VIRTUAL, Q_VIRTUAL],
    root=START,
)
OLD_NOISE_BOUNDED = here.claim(
    "proof:smooth:cond:expect:b:3",
    "Old noise bounded",
    says=[
        proved(noise_against_momentum_late, "given the past", under="the noise"),
        proved(
            noise_against_momentum_first,
            "at the first step, with the printed start",
            "the direction of the step after",
            momentum=q(2, True),
        ),
        proved(noise_bound, "the variance", under=r"$\sigma^2$"),
    ],
    words="At the first step of the printed start the display before is false, and this one is true for another reason: the projection "
    "of a step along the gradient alone is known beforehand, and the noise turns the step towards itself.",
    more=proved(noise_against_momentum, "with the repaired start", under="the noise"),
    uses=[CAUCHY],
)
CROSS_BOUNDED = here.claim(
    "proof:smooth:cond:expect:b:final",
    "The cross term bounded",
    says=[
        proved(cross_term, "given the past", under="2"),
        proved(cross_term_first, "at the first step, with the printed start", under="2"),
    ],
    printed=as_printed(cross_term(), given=NOW),
    repair=r"$\mathcal{F}_{k-1}$ in place of $\mathcal{F}_k$, and nothing else: it holds at the first step of the printed start too.",
    more=broken_at(
        as_printed(cross_term(), given=NOW),
        instances.COIN,
        r"given $\mathcal{F}_k$ it fails: a fair coin suffices",
        cross_term(),
        k=1,
    ),
    uses=[CROSS_TERM, FRESH_NOISE, OLD_NOISE],
    **FALSE_GIVEN_THE_PRESENT,
)
Z_DIFF_2 = here.claim(
    "proof:smooth:z:diff:2",
    r"$\|z_{k+1}-z_k\|^2$ bounded",
    says=[
        proved(z_diff_2_first, "given the past", under="6"),
        proved(z_diff_2_convexity, "for every outcome", under=r"$\rho^2$"),
        proved(z_diff_2, "first and last term", under="6"),
    ],
    printed=[as_printed(z_diff_2_first(), given=NOW), as_printed(z_diff_2(), given=NOW)],
    words="The later inequalities of the display hold for every outcome.",
    repair=BOTH_SIDES,
    more=[proved(z_diff_2_sharp, "sharper: 4 for 6", under="4"), rare(z_diff_2_first())],
    uses=[Z_DIFF_1],
    **FALSE_GIVEN_THE_PRESENT,
)
D_DECOMPOSITION = here.claim(
    "proof:smooth:d:diff:decom",
    r"$\|d_{k+1}-d_k\|^2$ expanded",
    says=proved(d_decomposition, "identity", under="the product"),
)
D_OPTIMALITY = here.claim(
    "proof:smooth:d:diff:decom:1/optimality",
    "Optimality in terms of $d$",
    says=proved(d_optimality, "optimality at the last iterate", under="the sample"),
    uses=[OPTIMALITY],
    **from_the_second_step(
        d_optimality(), "Lemma 7 from the second step on, or with the repaired start.", instances.SLIDE
    ),
)


def divided(right: Node) -> Relation:
    r"""A bound on :math:`\langle d_{k+1},d_{k+1}-d_k\rangle` as printed, divided by :math:`1-\beta`."""
    bound: Node = -beta / (1 - beta) * d_next**2 + beta / (alpha * (1 - beta)) * right
    return d_next @ (d_next - d_k) <= bound


def divisor(weight: Any = 1) -> Iterator[Comparison]:
    r""":math:`1-\beta`, by which the printed line is divided."""
    yield Comparison(1 - weight, F(0), "=")


_DIVIDED_1 = as_printed(d_product(), relation=divided(g_k @ (x_k - x_next)))
D_PRODUCT = here.claim(
    "proof:smooth:d:diff:decom:1",
    r"$\langle d_{k+1},d_{k+1}-d_k\rangle$ bounded",
    as_printed="unstated",
    says=proved(d_product, r"times $1-\beta$", over="the decrease"),
    printed=_DIVIDED_1,
    words=r"Two things are wrong. The division needs $\beta$ below 1, which is not assumed. And for the printed start the line is false "
    "at the first step, as the line before it is; the counterexample shows this second defect.",
    printed_words=r"the inequality divided by $1-\beta$, although $\beta$ may be 1",
    repair=r"Do not divide: the line is multiplied by $1-\beta$ again later. From the second step on, or with the repaired start.",
    consequence="None beyond Lemma 7's own start.",
    more=[
        slides(d_product(), _DIVIDED_1),
        exact(divisor, "the divisor vanishes at beta = 1", "at beta = 9/10", weight=F(9, 10)),
    ],
)
GRADIENT_SPLIT = here.claim(
    "proof:smooth:g:inp/split",
    r"$\langle g_k,x_k-x_{k+1}\rangle$ in three parts",
    says=proved(gradient_split, "identity", under="the last part"),
)
_MOVE = noise_k @ (x_k - x_next)
_STEP_NOISE = as_printed(
    step_noise_virtual(), relation=E(_MOVE, NOW).equals(E(noise_k @ (x_virtual - x_next), PAST)), given=NOW
)
STEP_NOISE_VIRTUAL = here.claim(
    "proof:smooth:g:inp/noise",
    "The first part: the noise along the step",
    says=proved(step_noise_virtual, "given the past", under="the true iterate"),
    printed=_STEP_NOISE,
    repair=r"$\mathcal{F}_{k-1}$ on the left.",
    more=[
        rare(step_noise_virtual(), r"the left side is known at $\mathcal{F}_k$: it is not an average", _STEP_NOISE),
        change_refused(_MOVE, known=d_k @ x_k),
    ],
    uses=[X_VIRTUAL],
    **FALSE_GIVEN_THE_PRESENT,
)
STEP_NOISE = here.claim(
    "proof:smooth:g:inp",
    "The noise along the step bounded",
    says=[
        proved(step_noise_first, "given the past", under="the noise"),
        proved(step_noise, "first and last term", under="the bound"),
    ],
    printed=[
        as_printed(step_noise_first(), relation=E(_MOVE, NOW) <= alpha * beta * E(noise_k**2, PAST), given=NOW),
        as_printed(step_noise(), relation=E(_MOVE, NOW) <= Number(alpha * beta * sigma2), given=NOW),
    ],
    repair=r"$\mathcal{F}_{k-1}$ on the left; from the second step on, or with the repaired start.",
    more=rare(step_noise()),
    uses=[STEP_NOISE_VIRTUAL],
    **FALSE_GIVEN_THE_PRESENT,
)
GRADIENT_STEP_A = here.claim(
    "proof:smooth:g:inp:2a",
    "The second part: the gradient along the step",
    says=proved(gradient_step_a, "weak convexity at the new iterate", under=r"$\rho$"),
)
GRADIENT_STEP_B = here.claim(
    "proof:smooth:g:inp:2b",
    "The third part: the change of the gradient",
    says=proved(gradient_step_b, "the Lipschitz gradient", under=r"$\rho$"),
    words=r"True but wasteful: smoothness at $x_k$ bounds both parts at once, and turns $3\rho$ into $\rho$.",
    more=proved(gradient_step, "both parts at once", under=r"$\rho$"),
)
_GAIN = f(x_k) - f(x_next) + 3 * rho * alpha**2 / 2 * d_next**2 + Number(alpha * beta * sigma2)
_DIVIDED_2 = as_printed(d_product_bounded(), relation=divided(_GAIN), given=PATHWISE)
D_PRODUCT_BOUNDED = here.claim(
    "proof:smooth:d:diff:decom:2",
    r"$\langle d_{k+1},d_{k+1}-d_k\rangle$ bounded further",
    says=proved(d_product_bounded, r"given the past, times $1-\beta$", under="3"),
    printed=_DIVIDED_2,
    printed_words="the inequality without any expectation",
    repair=rf"Times $1-\beta$. {BOTH_SIDES}",
    more=rare(d_product_bounded(), "without any expectation it fails after a rare large sample", _DIVIDED_2),
    uses=[GRADIENT_SPLIT, D_PRODUCT],
    **FALSE_GIVEN_THE_PRESENT,
)
_EQUAL = as_printed(d_difference(), relation=replace(d_difference().statement.relation, sense="=="), given=PATHWISE)
D_DIFFERENCE = here.claim(
    "proof:smooth:d:diff:decom:final",
    r"$(1-\beta)\|d_{k+1}-d_k\|^2$ bounded",
    says=proved(d_difference, "given the past", under="3"),
    printed=_EQUAL,
    words="The sign of equality alone is a misprint, since the line is put into the next one as an inequality; what is inherited is the "
    "missing expectation.",
    printed_words="an equation, without any expectation",
    repair=f"An inequality. {BOTH_SIDES}",
    more=[
        proved(d_difference_sharp, r"sharper: $\rho$ for $3\rho$", under=r"$\rho$"),
        rare(d_difference(), "without any expectation, and as an equation, it fails after a rare large sample", _EQUAL),
    ],
    uses=[D_DECOMPOSITION],
    **FALSE_GIVEN_THE_PRESENT,
)
Z_DIFF_3 = here.claim(
    "proof:smooth:z:diff:3",
    "The change of direction, all together",
    says=proved(z_diff_3, "given the past", under="8"),
    **false_given_the_present(z_diff_3(), proved(z_diff_3_sharp, r"sharper: 6 for 8, $\rho$ for $3\rho$", under="6")),
)
CONCLUSION = here.sentence(
    "proof:smooth:z:diff:3/conclusion",
    "End of Appendix C",
    says=[
        proved(half_over_nu, "the two factors are one", under="the second"),
        on_range(
            margin,
            r"the factors of $\|d_{k+1}\|^2$ in Lemmas 6 and 7 add up to enough",
            r"$1/2$ for $1/4$",
            bound=HALF,
            far="the line has room to spare",
        ),
    ],
    words=r"Times the first factor the display before is Lemma 7. Lemmas 6 and 7, added up, are Lemma 5 by the second line; "
    r"both are needed given $\mathcal{F}_{k-1}$.",
    more=[
        proved(lemma_7, "Lemma 7 from the display before", under="4"),
        proved(lemma_W, "Lemma 5 from Lemmas 6 and 7", under="4"),
    ],
    uses=[LEMMA_6],
)

# --- what stands before its own proof

_LEMMA_7 = proved(lemma_7, "given the past", under="4")
LEMMA_7 = here.lemma(
    "lem:z:diff",
    "Lemma 7 (Appendix C): the change of direction",
    as_printed="false",
    says=_LEMMA_7,
    printed=as_printed(lemma_7(), given=NOW),
    repair=f"{BOTH_SIDES} The constants stay.",
    consequence=r"Lemma 5 given $\mathcal{F}_{k-1}$; Theorem 3 stands in this respect.",
    more=[
        proved(lemma_7_sharp, r"sharper: 3 for 4, $\rho$ for $3\rho$", under="3"),
        rare(lemma_7()),
        slides(lemma_7(), as_printed(lemma_7(), given=NOW)),
        instances.LEMMA_7,
    ],
    root=NOISE_DIFFERENCE,
    before=Z_DIFF_1,
)
LEMMA_7_DISPLAY = here.lemma(
    "lem:z:diff/display",
    "Lemma 7, the display",
    says=_LEMMA_7,
    uses=[LEMMA_7],
    before=Z_DIFF_1,
    **false_given_the_present(lemma_7()),
)
PROOF = here.proof(
    "appendix:proof:Wfunc:smooth",
    "Appendix C: proof of Lemma 5",
    as_printed="gap",
    says=proved(lemma_W, "Lemma 5 given the past", under="4"),
    words=r"Lemma 6 is right given $\mathcal{F}_k$. In Lemma 7 everything that involves $\Delta_k$ needs $\mathcal{F}_{k-1}$ on "
    "both sides; then all constants come out as printed.",
    printed_words=r"a proof given $\mathcal{F}_k$",
    repair=r"The same proof given $\mathcal{F}_{k-1}$: the noise $\Delta_k$ has mean zero against what is known there.",
    consequence=r"Lemma 5 given $\mathcal{F}_{k-1}$; Theorem 3 uses total expectations.",
    more=[instances.LEMMA_5, instances.LEMMA_6, instances.LEMMA_7],
    uses=[LEMMA_6, LEMMA_7],
    root=NOISE_DIFFERENCE,
    before=LEMMA_6,
)
