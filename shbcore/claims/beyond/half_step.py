r"""Theorem 1 at half the stepsize: the same factor of the gap, and less noise; beside :mod:`shbcore.claims.printed_start`."""

from shbcore.claims.writing import *
from shbcore.claims.beyond.energy import OURS
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.printed_start import FREE, gamma_1_u, gamma_u, theorem_u, theorem_u_printed
from shbcore.claims.theorem_1_proof import DELTA, MEASURE, SETTING, SHARE, alpha_0, from_root, x_0

here = Section("Beyond the paper", "open_question")
HALVED = FREE.also(defined(alpha_0, 1 / (2 * rho)))
THREE_HALVES = sp.Rational(3, 2)
FAR_OUT = 100
r"""A root of :math:`K+1` from which the bounds are nearly their limits: for controls."""


def _half(theorem: Any, times: Any, used: Any, gap: Any, noise: Any, least: Any, scope: Scope) -> Line:
    domain = from_root(least, HALVED)
    terms = [
        1 * theorem(domain=domain),
        (10 * rho / N - SHARE * gamma_1_u) * infimum(f, x_0),
        1 * number((used / N - SHARE * times * gamma_u * alpha_0**2 / (2 * lam)) * L2),
    ]
    claim = RandomIndex(MEASURE) <= 1 / N * (gap * rho * DELTA + Number(noise * L2))
    return line(claim, terms, TOTAL, domain=domain, assumes=SETTING, scope=scope)


@cache
def ten_and_three_halves(gap: Any = 10, noise: Any = THREE_HALVES, least: Any = 1) -> Line:
    r"""With :math:`z_0=\beta g_0`."""
    return _half(theorem_u, 1, THREE_HALVES, gap, noise, least, Scope.RUN)


@cache
def ten_and_three(gap: Any = 10, noise: Any = 3, least: Any = 1) -> Line:
    r"""With the printed start."""
    return _half(theorem_u_printed, 2 - beta**2, 3, gap, noise, least, Scope.RUN_PRINTED)


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
