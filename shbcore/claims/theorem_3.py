r"""Theorem 3: smooth and unconstrained, without a bound on the gradient.  Its proof stands in :mod:`shbcore.claims.appendix_e_proof`."""

from shbcore.claims.writing import *
from shbcore.claims.appendix_e_proof import (
    LONGEST,
    PRINTED_SECOND,
    TIGHT,
    C,
    c,
    c_least,
    c_value,
    first_step_printed,
    hat_gradient,
    jump_value,
    second,
    sharp_step,
    theorem_3,
    theorem_3_sharp,
    theorem_3_start,
)
from shbcore.claims.beyond.constrained import any_set_breaks
from shbcore.claims.beyond.open_question import FAR_OUT, ten_eight_four
from shbcore.claims.beyond.shorter import FIRST_DISPLAY, SECOND_DISPLAY, as_printed_start
from shbcore.claims.theorem_3_instances import CORNER, CUBE, ENUMERATED

here = Section("4 Extension to smooth non-convex functions", "smooth_unconstrained")
_LONG_RUN = "nine tenths of the noise, for a long run"
_FIRST = proved(theorem_3, "for the repaired start", under="the noise, for a long run", least=TIGHT)
_SECOND = proved(second, r"the first display at $\lambda=1/(2\rho)$", under="the noise", of="share")
_ANY_SET = as_printed(as_printed_start(), assumes=(on.SMOOTH, on.A1, on.A3), scope=Scope.RUN_PRINTED)
_SAME_GRADIENT = as_printed(hat_gradient(), assumes=(on.SMOOTH,), scope=hat_gradient().statement.scope)

LAMBDA = here.assumption(
    "thrm:smooth:unconstrained:complexity/lambda",
    "Theorem 3: the setting",
    as_printed="unstated",
    says=proved(hat_gradient, "without constraints", under="the gradient"),
    printed=_ANY_SET,
    words=(
        "The proof of the paper uses this identity, for which it needs the whole space. "
        r"The range of $\lambda$ is empty unless $\rho$ is positive; where $f$ has no lower bound the display says nothing."
    ),
    printed_words=r"the setting of Lemma 5, which has a general $\mathcal{X}$; only the sentence before speaks of the unconstrained case",
    repair="State in the theorem that there are no constraints.",
    consequence=(
        "None without constraints, the case that the paper means. With constraints the first display is false for the printed start. With "
        r"$z_0$ equal to $\beta g_0$ it holds on every closed convex $\mathcal{X}$, by another proof and even with three fifths of its "
        "right side (chapter A shorter smooth half)."
    ),
    more=[
        any_set_breaks(),
        broken_at(
            _SAME_GRADIENT,
            CORNER,
            "with a constraint the two gradients differ",
            hat_gradient(),
            says="for the squared distance of the two gradients the line says",
            X=REAL_LINE,
        ),
    ],
)
BOUND = here.theorem(
    "thrm:smooth:unconstrained:complexity/bound",
    "Theorem 3, first display, without constraints",
    says=FIRST_DISPLAY,
    words=(
        "Right as it stands without constraints, with the start as printed, by another proof, from the energy lemma; the proof of the "
        "paper has a gap and covers the repaired start only. With constraints it is false with that start: see the entry of the setting."
    ),
    more=[
        _FIRST,
        proved(theorem_3_sharp, "sharper, for twice the stepsizes", under="the noise, for a long run", least=TIGHT),
        ENUMERATED,
    ],
)
CONSTANT = here.definition(
    "thrm:smooth:unconstrained:complexity/c",
    "Theorem 3: the constant",
    says=Definition(c, C),
    more=[
        proved(c_value, "at the end of the range", over="it"),
        proved(c_least, "on the whole range", over="it, where it is attained", domain=LONGEST),
    ],
)
SECOND = here.theorem(
    "thrm:smooth:unconstrained:complexity/second",
    "Theorem 3, second display",
    as_printed="wrong",
    says=SECOND_DISPLAY,
    printed=PRINTED_SECOND,
    repair=r"$\alpha_0^2$ in place of $\alpha_0^3$, which is what the first display gives.",
    consequence=r"The printed line is false for small $\alpha_0$, with either start. The rate stands.",
    more=[_SECOND, *CUBE],
)
OPEN = here.sentence(
    "thrm:smooth:unconstrained:complexity/open",
    "That the bounded gradient was an open question",
    as_printed="open",
    says=proved(
        ten_eight_four,
        "the answer, with the printed start",
        under="the noise, for many steps",
        of="noise",
        least=FAR_OUT,
    ),
    words="That the question was open is a statement about the literature, not decided here. The question itself is answered in the "
    "chapter The open question: Theorem 2 does not need the bounded gradient. The complexity is preserved, with the "
    "gradient at the one point $x_0$.",
)
SIMILAR = here.undecided(
    "thrm:smooth:unconstrained:complexity/similar-result",
    "A similar result elsewhere",
    before=OPEN,
    words="A statement about another paper; not decided here.",
)
THEOREM_3 = here.theorem(
    "thrm:smooth:unconstrained:complexity",
    "Theorem 3: smooth and unconstrained, no bound on the gradient",
    before=LAMBDA,
    as_printed="wrong",
    says=[FIRST_DISPLAY, _FIRST, SECOND_DISPLAY],
    printed=PRINTED_SECOND,
    printed_words=(
        r"the second display with $\alpha_0^3$; no constraints, which is not stated; an index $k^*$ that may be $-1$, where "
        r"$\bar x_{-1}$ is not defined"
    ),
    repair=(
        r"$\alpha_0^2$ in the second display; state that there are no constraints. The index $-1$ of $k^*$ needs $x_{-2}$: let both "
        "$x_{-2}$ and $x_{-1}$ be $x_0$."
    ),
    consequence=(
        "The rate stands, without a bounded gradient, and with the start as printed. The proof of the paper covers the repaired start; "
        "completed for the printed one it has more noise when $K$ is large; another proof (chapter A shorter smooth half) has not. "
        "Where $f$ has no lower bound the theorem is not false but empty."
    ),
    more=[
        _SECOND,
        proved(theorem_3_start, "for the printed start", under="its price"),
        proved(first_step_printed, "the first step after the printed start", under="the noise"),
        proved(jump_value, "the price of the printed start in the library", under="it"),
        proved(theorem_3_sharp, "sharper, for twice the stepsizes", under="the noise, for a long run", least=TIGHT),
        proved(sharp_step, "its step, with the sharper Lemma 5", under="the noise"),
        *CUBE,
        ENUMERATED,
    ],
    root=SECOND,
)
