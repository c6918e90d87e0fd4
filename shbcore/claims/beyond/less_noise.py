r"""Lemma 7 with less noise: :math:`2+\rho\alpha\beta` where the paper has 4.

The old noise stands against :math:`q_{k+1}=\beta\nabla f(x_{k+1})+(1-\beta)d_{k+1}`.  The paper bounds both parts by their length.  Against
:math:`d_{k+1}` it has a sign: the projection is monotone, so more noise makes a longer step along it.  Only the gradient costs something.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import smooth_f
from shbcore.claims.appendix_c_sharp import turn_noise
from shbcore.claims.appendix_c_z import *
from shbcore.claims.beyond.energy import OURS

here = Section("Beyond the paper", "how_good_are_the_constants", "lemma")
f = smooth_f


@cache
def noise_is_followed(share: Any = 0) -> Line:
    r"""The step goes along the noise, on average: the noise has mean zero against the step without it, and the projection is monotone."""
    terms = [
        1 / (alpha**2 * beta) * projection(x_next, trial, x_virtual),
        1 / (alpha**2 * beta) * projection(x_virtual, x_k - alpha * q_k, x_next),
        1 / (alpha**2 * beta) * square(x_next - x_virtual),
    ]
    claim = Number(share * beta * sigma2) <= noise_k @ d_next
    return line(claim, terms, PAST, assumes=(on.A1,), scope=Scope.STEP)


@cache
def lemma_7_less(share: Any = 1) -> Line:
    r"""Lemma 7 given :math:`\mathcal F_{k-1}`, with :math:`\rho\alpha^2` for :math:`3\rho\alpha^2` as well."""
    terms = [
        *(1 / (2 * nu) * part for part in (noise_difference_sharp(), z_diff_2_convexity(), d_difference_sharp())),
        beta**2 / nu * turn_noise(),
        beta * (1 - beta) / nu * noise_is_followed(),
    ]
    right = (
        f(x_k)
        - f(x_next)
        + xi / 2 * d_k**2
        - xi / 2 * d_next**2
        - (alpha - (alpha**3 * rho**2 + rho * alpha**2) / 2) * d_next**2
        + Number(share * (2 + rho * alpha * beta) * nu * alpha**2 * sigma2)
    )
    claim = (z_next - z_k) ** 2 / (2 * nu) <= right
    return line(claim, terms, PAST, domain=SMOOTH, assumes=GRADIENT_ORACLE, scope=Scope.STEP)


LESS_NOISE = here.claim(
    "beyond/constants/lemma-7",
    "Lemma 7 with less noise",
    says=[
        proved(
            noise_is_followed,
            "monotone projections, and noise of mean zero",
            "a tenth of the variance on the left",
            share=1 - NINE_TENTHS,
        ),
        proved(lemma_7_less, "the old noise has a sign against the new step", under="the noise"),
    ],
    words=f"{OURS} The paper has 4 in the noise, and three times the curvature in front of the last square.",
)
