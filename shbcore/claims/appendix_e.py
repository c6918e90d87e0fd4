r"""Appendix E: the places of the proof of Theorem 3; its lines stand in :mod:`shbcore.claims.appendix_e_proof`."""

from shbcore.claims.writing import *
from shbcore.claims.appendix_b import V_k as V_OF_LEMMA_4
from shbcore.claims.appendix_e_proof import *
from shbcore.claims.beyond.shorter import BEFORE_IT, FIRST_DISPLAY, SECOND_DISPLAY
from shbcore.claims.lemma_3 import GRADIENT
from shbcore.claims.method import START, from_the_second_step
from shbcore.claims.theorem_3 import SECOND
from shbcore.claims.theorem_3_instances import CUBE, FROM_MINUS_ONE, SILENT, SLIDE

here = Section("E Proof of Theorem 3", "smooth_unconstrained")
_FROM_THE_SECOND = "From the second step on, or with the repaired start."
_NO_LOSS = "None: Theorem 3 stands, with the repaired start by this proof and with the printed one by another."

ENVELOPE_1 = here.claim(
    "eq:proof:thrm:3:evn:1",
    "Envelope from step to step",
    says=proved(evn_1, "as in the proof of Lemma 4", under="the square"),
    words=r"Here with the right index of $\hat x$.",
    **from_the_second_step(evn_1(), _NO_LOSS, SLIDE),
)
X_HAT = here.claim(
    "eq:proof:thrm:3:evn:1/x_hat",
    "The prox point rewritten",
    says=proved(hat_rewritten, "the optimality condition without constraints", under="the gradient"),
    words="A vector is zero where its square is.",
)
_EQUALITY = Relation(squared().statement.relation.left, squared().statement.relation.right, "==")
SQUARE = here.claim(
    "eq:proof:thrm:3:evn:1/square",
    "The square expanded",
    as_printed="typo",
    says=proved(squared, "the noise is orthogonal to the rest", under="the noise"),
    printed=as_printed(squared(), relation=_EQUALITY),
    repair=r"An inequality: $\sigma^2$ is a bound of the variance.",
    consequence="None.",
    more=[
        proved(delta_inside, r"$\delta$ is at least one half", over="it, where it is attained", domain=LONGEST),
        broken_at(
            as_printed(squared(), relation=_EQUALITY), SILENT, "the variance may be less than its bound", squared()
        ),
    ],
    uses=[X_HAT],
)
YOUNG = here.claim("eq:proof:thrm:3:evn:1/young", "Young's inequality", says=proved(young_3, "Young", under="a term"))
CHAIN = here.claim(
    "eq:proof:thrm:3:evn:1/chain",
    "Three inequalities",
    says=[
        proved(chain_1, "Young", under="a term"),
        proved(chain_2, "smoothness", under="a term"),
        proved(chain_3, "the square of a sum", under="the 3"),
    ],
)
FACTOR = here.claim(
    "eq:proof:thrm:3:evn:1/delta",
    r"The factor of $\|\bar x_k-\hat x_k\|^2$",
    says=[
        proved(factor, "identity", under="the last term"),
        proved(
            tail_sign,
            "the last term is not positive",
            r"a tenth of $\alpha^2\rho^2$ more, where it vanishes",
            more=alpha**2 * rho**2 / 10,
            domain=LONGEST,
        ),
    ],
)
ENVELOPE_2 = here.claim(
    "eq:proof:thrm:3:evn:2",
    "The square bounded",
    says=proved(
        evn_2,
        "from the chain and its factor",
        "three times the decrease",
        far=r"inside the range of $\lambda$ the dropped term with $\alpha^2$ would pay for a little more",
        fall=3,
    ),
    uses=[FACTOR],
)
ENVELOPE_2_BOUNDED = here.claim(
    "eq:proof:thrm:3:evn:2/envelope",
    "The envelope bounded",
    says=proved(evn_2_envelope, "the two displays together", over="the decrease"),
    uses=[GRADIENT],
    **from_the_second_step(evn_2_envelope(), _NO_LOSS, SLIDE),
)
WEIGHT = here.claim(
    "eq:proof:thrm:3:evn:2/weight",
    "The weight of the momentum",
    as_printed="wrong",
    says=[
        proved(weight, "identity", under=r"the factor $\lambda^{-1}$ of $\alpha^2$"),
        proved(weight_first, "the first inequality", over="the left side, for short steps", domain=SHORT),
        proved(
            weight_last,
            "the second inequality",
            "three fifths of the right side",
            far="on this range it has nearly a third to spare",
            share=sp.Rational(3, 5),
        ),
    ],
    printed=weight(1).statement,
    repair=r"A factor $\lambda^{-1}$ on the term with $\alpha^2$.",
    consequence=r"None: the inequalities that follow hold. One may keep $\alpha\rho/\lambda$, which is sharper.",
    more=broken_at(
        weight(1).statement,
        replace(SILENT, words="rho = 1, lambda = 1/2, alpha = 1/4 (delta = 1/2)"),
        "the identity lacks a factor",
        weight(),
    ),
)
ENVELOPE_3 = here.claim(
    "eq:proof:thrm:3:evn:3",
    "The envelope in terms of the last step",
    as_printed="false",
    says=proved(evn_3, "in total expectation", over="the decrease"),
    printed=as_printed(evn_3()),
    repair=_FROM_THE_SECOND,
    consequence=_NO_LOSS,
    more=[
        proved(partial(evn_3, spread=alpha * rho / lam), r"sharper, with $\alpha\rho/\lambda$", over="the decrease"),
        first_step_breaks(evn_3(), SLIDE),
    ],
    uses=[WEIGHT],
    root=START,
)
ENVELOPE_4 = here.claim(
    "eq:proof:thrm:3:evn:4",
    "The Lyapunov inequality of Theorem 3",
    says=proved(evn_4, "the line before and Lemma 5", under="the noise"),
    **from_the_second_step(evn_4(), _NO_LOSS, SLIDE),
)
_ONE_FUNCTION = Statement(V_k.of.equals(V_OF_LEMMA_4.of), TOTAL, ONE_STEP, SETTING, Scope.PRINTED)
V_AGAIN = here.definition(
    "eq:proof:thrm:3:evn:4/V",
    "The letter $V_k$ again",
    as_printed="typo",
    says=Definition(V_k),
    words="The paper's letter is kept here, for what stands under the expectation; the function is not the $V_k$ of Lemma 4.",
    printed_words="$V_{k+1}$ for the left side of the line before, although $V_k$ is the function of Lemma 4",
    repair="Another letter in Appendix E, as for $p_k$ in Appendix C.",
    consequence="None: Appendix E never uses the function of Lemma 4.",
    more=broken_at(
        _ONE_FUNCTION,
        SLIDE,
        "the two functions differ",
        replace(_ONE_FUNCTION, relation=V_k.of.equals(V_k.of)),
        says="if one letter meant one function, it would say",
    ),
)
SUM = here.claim(
    "eq:proof:thrm:3:evn:4/sum",
    "The sum over the steps",
    as_printed="wrong",
    says=[
        proved(summed, "the line before, summed from the first step", under="the noise"),
        proved(first_step, "what stands for the step before", under="the weight of $f(x_0)$"),
    ],
    words=r"The second line pays for the index $-1$ of $k^*$, where $\bar x_{-1}$ is $\bar x_0$.",
    printed_words=r"a sum over $k$ from $-1$ to $K-1$, with $V_{-1}$ on the right and the gradients from 0 to $K$",
    repair=r"The sum begins at 0. The gradient of the index $-1$ is paid by $f(x_0)-F_\lambda(x_0)$ and the noise of one step.",
    consequence="Theorem 3 stands, by a sum that begins at 0.",
    more=FROM_MINUS_ONE,
    uses=[V_AGAIN],
)
V_MINUS_1 = here.claim(
    "eq:proof:thrm:3:evn:4/V_minus_1",
    "The term before the first",
    says=proved(before_the_start, "the envelope is below the function", under="the right side"),
    words=r"The left side is $V_{-1}$, with nothing moved yet. Right in itself; the step from it to $V_0$ is not covered.",
)
ENVELOPE_5 = here.claim(
    "eq:proof:thrm:3:evn:5",
    "The bound that follows from the sum",
    says=BEFORE_IT,
    words="Right as it stands without constraints, with the start as printed. The printed sum before it is false with any start, so that "
    "its printed proof has a gap; the proof here is another one, from the energy lemma.",
    more=[
        proved(evn_5, "the sum, the first step and the last term", under="the noise"),
        proved(lower, "the last term", under="the weight"),
    ],
)
FIRST = here.claim(
    "eq:proof:thrm:3:evn:5/nu",
    "The first display",
    says=FIRST_DISPLAY,
    words="Right as it stands without constraints; it follows from the line before.",
    more=proved(
        theorem_3,
        "the bound before, made simpler, for the repaired start",
        under="the noise, for a long run",
        least=TIGHT,
    ),
    uses=[ENVELOPE_5],
)
SECOND_OF_IT = here.claim(
    "eq:proof:thrm:3:evn:5/second",
    "The second display",
    as_printed="wrong",
    says=SECOND_DISPLAY,
    printed=PRINTED_SECOND,
    printed_words=r"that the choice of $\lambda$ gives the second display, which has $\alpha_0^3$",
    repair=r"It gives $\alpha_0^2$.",
    consequence="As for the second display of the theorem.",
    more=[proved(second, "for the repaired start", under="the noise", of="share"), *CUBE],
    root=SECOND,
)
PROOF = here.proof(
    "appendix:proof:thrm:smooth:unconstrained:complexity",
    "Appendix E: proof of Theorem 3",
    before=ENVELOPE_1,
    as_printed="gap",
    says=proved(theorem_3, "the first display", under="the noise, for a long run", least=TIGHT),
    words=(
        r"The same difference pays for the noise of the first sample, since the gradient of $f$ at $x_0$ is not much longer than that "
        "of the envelope."
    ),
    printed_words=r"a sum that begins at $-1$, where neither Lemma 5 nor the bound on the envelope holds",
    repair=r"Begin the sum at the index 0; $f(x_0)-F_\lambda(x_0)$ pays for the term of the index $-1$.",
    consequence=r"With the repaired start the first display of Theorem 3 is right as it stands, also with its range of $k^*$.",
    more=FROM_MINUS_ONE,
    root=SUM,
)
