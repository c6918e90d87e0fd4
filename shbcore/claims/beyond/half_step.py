r"""Theorem 1 at half the stepsize: the same factor of the gap, and less noise; beside :mod:`shbcore.claims.printed_start`."""

from shbcore.claims.writing import *
from shbcore.claims.beyond.energy import OURS
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.printed_start import FREE, from_theorem_u
from shbcore.claims.theorem_1_proof import DELTA, MEASURE, alpha_0, from_root

here = Section("Beyond the paper", "open_question")
HALVED = FREE.also(defined(alpha_0, 1 / (2 * rho)))
THREE_HALVES = sp.Rational(3, 2)
FAR_OUT = 100
r"""A root of :math:`K+1` from which the bounds are nearly their limits: for controls."""


def _half(gap: Any, noise: Any) -> Relation:
    claim: Relation = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + Number(noise * L2))
    return claim


@cache
def ten_and_three_halves(gap: Any = 10, noise: Any = THREE_HALVES, least: Any = 1) -> Line:
    r"""With :math:`z_0=\beta g_0`."""
    return from_theorem_u(THREE_HALVES, _half(gap, noise), from_root(least, HALVED))


@cache
def ten_and_three(gap: Any = 10, noise: Any = 3, least: Any = 1) -> Line:
    r"""With the printed start."""
    return from_theorem_u(3, _half(gap, noise), from_root(least, HALVED), printed=True)


HALF_STEP = here.theorem(
    "beyond/start/half-step",
    "Theorem 1 at half the stepsize",
    says=[
        proved(
            ten_and_three_halves,
            "from a function that falls given the past, with the repaired start",
            under="the noise, for many steps",
            of="noise",
            least=FAR_OUT,
        ),
        proved(
            ten_and_three,
            "from the same function, with the printed start",
            under="the noise, for many steps",
            of="noise",
            least=FAR_OUT,
        ),
    ],
    words=(
        rf"{OURS} Weakly convex $f$ under (A1) and (A2), as in Theorem 1, for both starts. At twice this stepsize the factors of the "
        "noise are 4 and 8; the paper has 10."
    ),
    more=tried("start/half-step", "ten and three halves", 10),
)
