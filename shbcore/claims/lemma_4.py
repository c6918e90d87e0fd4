r"""Lemma 4: the Lyapunov function and its constant.  The proof stands in :mod:`shbcore.claims.appendix_b`."""

from shbcore.claims.writing import *
from shbcore.claims import enumeration_lines
from shbcore.claims.appendix_a import ZNORM
from shbcore.claims.appendix_b import *
from shbcore.claims.lemma_3 import X_BAR

here = Section("3 Algorithm and convergence analysis", "lyapunov_V")

_LEMMA_4 = proved(lemma_4, "in total expectation", r"nine tenths of $\rho\xi$", value=gamma_with(NINE_TENTHS))

LEMMA_4 = here.lemma(
    "lem:Vfunc:non-smooth",
    "Lemma 4: the Lyapunov function decreases",
    as_printed="false",
    says=_LEMMA_4,
    printed=PRINTED_4,
    words=r"Given the past, part of $L^2$ has to be replaced by $\|d_k\|^2$, as in Lemma 3.",
    repair=r"Total expectation, $\rho\xi$ in $\gamma$, and the repaired start or the steps from the second on.",
    consequence=r"Theorem 1 takes total expectations, and its bound on $\gamma$ holds for the right $\gamma$: its rate and the constant 10 "
    "stand.",
    more=[
        proved(lemma_4_family, r"given the past, for every $\theta$", under="$L^2$"),
        proved(lemma_4_given, "given the past, the simplest member of the family", under="the noise"),
        enumeration_lines.LEMMA_4,
        enumeration_lines.FAMILY,
        *BROKEN_GAMMA,
        BROKEN_4,
        first_step_breaks(lemma_4(), AT_KINK),
    ],
    root=ZNORM,
)
V_FUNCTION = here.definition(
    "eq:Vfunc",
    "The Lyapunov function",
    says=Definition(V_k),
    words=r"It is known once the samples before step $k$ are drawn, that is at $\mathcal{F}_{k-1}$.",
    more=[proved(weights, "the weights of the library", under="a weight"), enumeration_lines.V_BELOW],
    uses=[X_BAR],
)
LEMMA_4_DISPLAY = here.lemma(
    "eq:lem:Vfunc:non-smooth",
    "Lemma 4, the display",
    as_printed="false",
    says=_LEMMA_4,
    printed=PRINTED_4,
    repair=r"Total expectation, $\rho\xi$ in $\gamma$, and the repaired start or the steps from the second on.",
    consequence="None for Theorem 1 beyond the constant and the start: it sums total expectations.",
    more=[*BROKEN_GAMMA, BROKEN_4],
    root=ZNORM,
)
GAMMA_CONSTANT = here.definition(
    "lem:Vfunc:non-smooth/gamma",
    r"The constant $\gamma$",
    as_printed="wrong",
    says=[
        Definition(gamma, GAMMA),
        proved(gamma_collected, "the constants add up", r"nine tenths of $\rho\xi$", value=gamma_with(NINE_TENTHS)),
    ],
    printed=Definition(gamma, GAMMA_PRINTED),
    repair=r"$\rho\xi$ in place of $\rho\xi/2$.",
    consequence=(
        r"Lemma 4 with the printed $\gamma$ is false. The bound on $\gamma$ in Theorem 1 is that of the right one (the printed one would "
        "give 5/2 in place of 3), so Theorems 1 and 2 keep their constants."
    ),
    more=[proved(gamma_value, "the constant of the library", under=r"$\rho\xi$"), *BROKEN_GAMMA],
    root=ENVELOPE_3,
)
