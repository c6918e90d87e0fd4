r"""Almost surely: what the lines given the past say of almost every path, by the lemma of Robbins and Siegmund.

Stepsizes that do not grow, with a finite sum of squares and no finite sum: the lower limit is 0.  That the limit is 0 is shown where every
sample is bounded, since then the gradient changes slowly.
"""

from shbcore.claims.writing import *
from shbcore.claims.beyond.schedule_steps import *
from shbcore.claims.beyond.schedules import *
from shbcore.proof.scheduled import gradient, prox
from shbcore.proof.surely import AlmostSurely

here = Section("Beyond the paper", "any_schedule", "theorem")
SURE = (on.WEAKLY_CONVEX, on.SURE)
SMOOTH_FACTOR = (2 + beta) * sigma2 / (2 * lam)


@cache
def smooth_paths(noise: Any = 1, what: Any = "rest") -> AlmostSurely:
    r"""Smooth problems under (A1) and (A3)."""
    return AlmostSurely(
        falls(noise),
        lower(G_k, FALLING, smooth_f),
        G_k,
        MEASURE,
        A / 2,
        noise * noise_of(PACE),
        SMOOTH_FACTOR,
        what,
        least=beta / 2,
    )


@cache
def rough_paths(noise: Any = 1, what: Any = "rest", slow: Any = None, rate: Any = 0) -> AlmostSurely:
    r"""Weakly convex problems under (A1) and (A2)."""
    return AlmostSurely(
        falls_rough(noise),
        lower(H_k, FALLING_2, f),
        H_k,
        MEASURE,
        A / 2,
        noise * NOISE_ROUGH,
        L2 / lam,
        what,
        least=beta / 2,
        before=True,
        slow=slow,
        rate=rate,
    )


# --- every sample bounded: the gradient of the envelope changes slowly


@cache
def lengths_sure(bound: Any = 1) -> Induction:
    r""":math:`\|d_k\|\le L` on every path, if every sample is bounded by :math:`L`."""
    return lengths_by_induction(bound, PATHWISE, sure_bound, on.SURE)


@cache
def next_length() -> Line:
    r""":math:`\|d_{k+1}\|^2\le L^2` on every path."""
    terms = length_terms(sure_bound, (1 - beta) * lengths_sure())
    return line(d_next**2 <= Number(L2), terms, domain=ANY, assumes=(on.SURE,), scope=Scope.STEP)


REACH = ((2 - beta) / beta) ** 2 * L2


FLAT = FALLING_2.also(defined(al_next, al), defined(S_next, al / beta))
"""Constant stepsizes, where the bound is reached: for controls."""


@cache
def moves_slowly(share: Any = 1, domain: Domain = FALLING_2) -> Line:
    r"""The extrapolated point moves by at most :math:`\frac{2-\beta}\beta L\alpha_k` in a step, if the stepsizes do not grow."""
    side = 2 - beta
    terms = [
        S**2 * side**2 * square_convexity(d_next, -1 * d_k, 1 / side),
        S**2 * side * next_length(),
        S**2 * side * (1 - beta) * lengths_sure(),
        1 * number(side**2 * L2 * (al / beta - S) * (al / beta + S)),
    ]
    claim = (x_bar_next - x_bar) ** 2 <= Number(share * REACH * al**2)
    return line(claim, terms, domain=domain, assumes=(on.SURE,), scope=Scope.STEP)


@cache
def gradient_changes_slowly(share: Any = 1) -> Line:
    r"""The gradient of the envelope is :math:`\lambda^{-1}`-Lipschitz: both prox points tested against each other."""
    ahead_hat, change = prox(1), gradient(1) - grad_env
    terms = [
        2 / lam * prox_strong_convexity(x_hat, ahead_hat),
        2 / lam * prox_strong_convexity(ahead_hat, x_hat),
        (1 / lam**2 - 2 * rho / lam) * square(x_hat - ahead_hat),
        1 / lam**2 * moves_slowly(),
    ]
    claim = change**2 <= Number(share * REACH / lam**2 * al**2)
    return line(claim, terms, domain=FALLING_2, assumes=SURE, scope=Scope.STEP)


@cache
def limit_zero(noise: Any = 1) -> AlmostSurely:
    r"""With bounded samples the gradient goes to 0 on almost every path."""
    return rough_paths(noise, "lim", gradient_changes_slowly(), REACH / lam**2)


_FAR = "nine tenths of the noise in the line for one step"
_WEAKER: dict[str, Any] = {"noise": NINE_TENTHS}

SLOWLY = here.claim(
    "beyond/sure/slowly",
    "With bounded samples the gradient of the envelope changes slowly",
    kind="lemma",
    says=[
        proved(lengths_sure, "induction on k", under="the bound"),
        proved(moves_slowly, "convexity of the square", under="the bound, for constant stepsizes", domain=FLAT),
        proved(gradient_changes_slowly, "the prox points tested against each other", under="the bound"),
    ],
    words="Not in the paper. On every path, for stepsizes that do not grow.",
)
SMOOTH_PATHS = here.claim(
    "beyond/sure/smooth",
    "Almost every path, smooth problems",
    says=[
        proved(partial(smooth_paths, what="rest"), "Robbins and Siegmund", under="the noise in the line for one step"),
        proved(
            partial(smooth_paths, what="spread"), "Robbins and Siegmund", under="the noise in the line for one step"
        ),
        proved(
            partial(smooth_paths, what="liminf"),
            "and the stepsizes have no finite sum",
            under="the noise in the line for one step",
        ),
    ],
    words="Not in the paper. Any closed convex set, no bound on the gradient. The limit itself is not claimed.",
)
ROUGH_PATHS = here.claim(
    "beyond/sure/rough",
    "Almost every path, weakly convex problems",
    says=[
        proved(partial(rough_paths, what="rest"), "Robbins and Siegmund", under="the noise in the line for one step"),
        proved(partial(rough_paths, what="spread"), "Robbins and Siegmund", under="the noise in the line for one step"),
        proved(
            partial(rough_paths, what="liminf"),
            "and the stepsizes have no finite sum",
            under="the noise in the line for one step",
        ),
        proved(limit_zero, "and the gradient changes slowly", under="the noise in the line for one step"),
    ],
    words="Not in the paper. Any closed convex set. The limit is claimed only where every sample is bounded.",
)
