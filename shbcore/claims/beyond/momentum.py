r"""What momentum costs: the bound of Theorem 1 for every :math:`\beta`, beside that of SGD at :math:`\beta=1`.

With a constant :math:`\beta` the momentum is :math:`u=\frac{1-\beta}\beta\frac\alpha\lambda`, which goes to 0 with the
stepsize, and so does its cost.  With the paper's :math:`\beta=\nu\alpha` it is :math:`\frac1{\lambda\nu}(1-\beta)`, which does not.
"""

from gmpy2 import mpq

from shbcore.claims.writing import *
from shbcore.claims.beyond.descent import wall
from shbcore.claims.beyond.energy import OURS
from shbcore.claims.beyond.open_question import HORIZON as SMOOTH_HORIZON
from shbcore.claims.beyond.open_question import WHOLE, B
from shbcore.claims.printed_start import _CONSTANTS, gamma_1_u, gamma_u, theorem_u, theorem_u_printed
from shbcore.claims.theorem_1_proof import alpha_0

here = Section("Beyond the paper", "what_momentum_costs", "lemma")
HORIZON = ADMISSIBLE.also(
    *(at_least(N, 1), inverse_above(alpha_0, rho / (2 * N)), defined(alpha, alpha_0 / N)),
    *(defined(nu, beta * N / alpha_0), *_CONSTANTS),
)
r"""Every :math:`\beta\in(0,1]` with :math:`\alpha=\alpha_0/\sqrt{K+1}` and :math:`\rho\alpha<2`."""
SGD = HORIZON.also(defined(beta, 1))
SHORT = HORIZON.also(inverse_above(alpha_0, 1 / (lam * N)))
r"""With :math:`\alpha<\lambda` as well."""


@cache
def any_momentum(times: Any = 1) -> Line:
    r"""Theorem 1 with :math:`z_0=\beta g_0`, for every :math:`\beta`."""
    return theorem_u(times, HORIZON)


@cache
def any_momentum_printed(share: Any = 1) -> Line:
    r"""The same with :math:`z_0=g_0`: the noise of the first step counts :math:`\beta^{-2}` times."""
    return theorem_u_printed(share, HORIZON, 1 + (1 / beta**2 - 1) / N**2)


@cache
def no_momentum(share: Any = 1) -> Line:
    r"""At :math:`\beta=1` the factor of the gap is that of SGD, 1."""
    return equal_numbers(gamma_1_u, share, domain=SGD)


@cache
def no_momentum_noise(share: Any = 1) -> Line:
    return equal_numbers(gamma_u, share, domain=SGD)


u = (1 - beta) / beta * alpha / lam
r"""The length of the momentum over :math:`\lambda`."""


@cache
def cost_in_the_gap(share: Any = 1, domain: Domain = SHORT) -> Line:
    r"""What momentum adds to the factor of the gap goes to 0 with :math:`u`."""
    return sign(1 + share * (u + (1 - beta) * u * (u + rho * alpha)), less=gamma_1_u, domain=domain)


@cache
def cost_in_the_noise(share: Any = 1, domain: Domain = SHORT) -> Line:
    r"""The same for the factor of the noise."""
    return sign(1 + share * (1 - beta) * (u + rho * alpha), less=gamma_u, domain=domain)


# --- numbers for a figure, and the cost that is real

FACTORS = {"weakly convex": (HORIZON, gamma_1_u, gamma_u), "smooth": (SMOOTH_HORIZON, WHOLE, B)}


def factors(kind: str, *, momentum: Any, root: Any, step: Any = 1) -> tuple[Any, Any]:
    r"""The factors of the gap and of the noise, both 1 for SGD in the limit, at :math:`\rho=1`, :math:`\lambda=\frac12`; ``step`` is
    :math:`\alpha_0`.  Read off the definitions of the certified statement."""
    if kind not in FACTORS:
        raise ValueError(f"kind = {kind!r}: must be one of {', '.join(FACTORS)}")
    domain, gap, noise = FACTORS[kind]
    values = {rho: sp.S.One, lam: sp.Rational(1, 2), beta: sp.nsimplify(momentum), N: sp.nsimplify(root)}
    values[alpha_0] = sp.nsimplify(step)
    for one in domain.definitions:
        values[one.symbol] = sp.sympify(one.formula).xreplace(values)
    return sp.sympify(gap).xreplace(values), sp.sympify(noise).xreplace(values)


ROOT = 32
LEAST = mpq(1, 50)


def real_cost(times: Any = 1) -> Iterator[Comparison]:
    r"""What SGD needs at most, by its certificate, against what the wall needs with :math:`\beta=1/\sqrt{K+1}`; no noise,
    :math:`\alpha_0=1/\rho`."""
    seen = wall(ROOT, LEAST)
    most, _ = factors("smooth", momentum=1, root=ROOT)
    found = Fraction(int(seen.mean.numerator), int(seen.mean.denominator)) * ROOT
    gap = Fraction(int(seen.gap.numerator), int(seen.gap.denominator))
    yield Comparison(times * 2 * Fraction(int(most.p), int(most.q)) * gap, found)


TINY = SHORT.also(positive(rho), defined(lam, 1 / (2 * rho)), defined(alpha_0, N / (1000 * rho)))
"""Short steps, for which the terms of first order are all: for controls."""

ANY = here.claim(
    "beyond/momentum/any",
    r"Theorem 1 for every $\beta$, with better constants",
    kind="theorem",
    says=[
        proved(any_momentum, "the sum of a function that falls", under="the noise"),
        proved(any_momentum_printed, "with the printed start, whose first step stands apart", under="the noise"),
    ],
    words=rf"{OURS} It holds for every $\beta$ in $(0,1]$ and every number of steps; $\beta$ may depend on it. With the printed start the "
    r"noise of the first step counts $\beta^{-2}$ times, which a long run with a fixed $\beta$ forgets.",
)
NOTHING = here.claim(
    "beyond/momentum/sgd",
    "Without momentum it is the bound of SGD",
    says=[
        proved(no_momentum, "both factors are 1", "eleven tenths", share=sp.Rational(11, 10)),
        proved(no_momentum_noise, "both factors are 1", "eleven tenths", share=sp.Rational(11, 10)),
    ],
    words=rf"{OURS} The bound of Davis and Drusvyatskiy for the stochastic subgradient method.",
    uses=[ANY],
)
COST = here.claim(
    "beyond/momentum/cost",
    "What constant momentum costs goes to 0 with the stepsize",
    says=[
        proved(
            cost_in_the_gap,
            "sign over the whole range",
            under="it, for short steps",
            domain=TINY.also(defined(beta, sp.Rational(1, 2))),
        ),
        proved(
            cost_in_the_noise,
            "sign over the whole range",
            under=r"it, for short steps and $\beta$ near 1",
            domain=TINY.also(defined(beta, sp.Rational(99, 100))),
        ),
    ],
    words=rf"{OURS} For a fixed $\beta$ what momentum adds to the factors is of the order of the stepsize.",
    more=exact(
        real_cost,
        r"with the momentum of the theorems the cost is real: a smooth problem without noise needs more than SGD ever does",
        "one and a half times as much",
        times=Fraction(3, 2),
        far="a verdict, not a constant",
    ),
    uses=[ANY],
)
