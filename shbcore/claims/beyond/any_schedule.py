r"""The theorems for any schedule, as entries of the ledger."""

from shbcore.claims.writing import *
from shbcore.claims.beyond.enumerated import tried
from shbcore.claims.beyond.schedule_steps import OURS
from shbcore.claims.beyond.schedules import *

here = Section("Beyond the paper", "any_schedule", "theorem")

POTENTIALS = here.claim(
    "beyond/schedule/falls",
    "Lyapunov functions that fall given the past, with stepsizes for each step",
    kind="lemma",
    says=[
        Definition(G_k),
        proved(falls, "(A) and a multiple of (B)", under="the noise"),
        Definition(H_k),
        proved(falls_rough, "the envelope, the lengths and weak convexity", under="the noise"),
    ],
    words=f"{OURS} Stepsizes that do not grow; $S_k$ weighs the coming ones. The first is for smooth problems under (A3), the second "
    "for weakly convex ones under (A2).",
)
ANYTHING = here.claim(
    "beyond/schedule/any",
    "Any stepsizes at all, under (A2)",
    says=[
        proved(anything, "the envelope alone, summed", under="the noise", of="noise"),
        proved(anything_printed, "the first step by itself, with the printed start", under="the noise"),
    ],
    words=f"{OURS} The class is every sequence of positive stepsizes: constant, decaying, cosine, step decay, warm-up, and no "
    r"order at all. $S_{K+1}\ge0$ is any number; the others follow from it.",
    more=[
        proved(anything, "the same", under=r"$\Delta$"),
        proved(first_printed, "the first step with the printed start", under="the noise"),
        tried("schedule/any", "the bound, stepsizes in no order", 10),
    ],
)
MONOTONE_BOUND = here.claim(
    "beyond/schedule/monotone",
    "Stepsizes that do not grow, under (A2)",
    says=[
        proved(monotone, "any stepsizes, without $S_k$", under="the noise"),
        proved(rough, "a function that falls given the past, summed", under="the noise", of="noise"),
    ],
    words=f"{OURS} The first has no bound on the stepsizes. In the second the noise has no factor that grows as "
    r"$\beta$ falls, for a first stepsize up to $2\beta\lambda$; the stepsizes before the first one are names, and the method "
    "does not use them.",
    more=[
        proved(rough, "the same", under=r"$\Delta$"),
        tried("schedule/monotone", "the first bound", 5),
        tried("schedule/rough", "the second bound", 10),
    ],
)
FALLING_BOUND = here.claim(
    "beyond/schedule/falling",
    "Stepsizes that do not grow, smooth problems without a bounded gradient",
    says=[
        proved(sharp, "a function that falls given the past, summed", under="the noise", of="noise"),
        proved(falling, "the same without $S_k$", under="the noise"),
    ],
    words=f"{OURS} (A1) and (A3) alone, any closed convex set.",
    more=[
        proved(sharp, "the same", under=r"$\Delta$"),
        tried("schedule/sharp", "the first bound", 10),
        tried("schedule/falling", "the second bound", 10),
    ],
)
CONCAVE_BOUND = here.claim(
    "beyond/schedule/concave",
    "Log-concave stepsizes, smooth problems",
    says=proved(concave, "a function that falls given the past, summed", under="the noise", of="noise"),
    words=rf"{OURS} The ratio of consecutive stepsizes is at most 1 and does not grow: constant, geometric, linear, cosine to 0. Then the "
    r"terms of lowest order in the stepsize are those without momentum. The range of $S_{k+1}$ is where the weighted "
    r"sum of such a sequence lies. $1/\sqrt{k+1}$ and step decay are not of this class.",
    more=[
        proved(concave, "the same", under=r"$\Delta$"),
        tried("schedule/concave", "the bound", 10),
    ],
)
WARM_BOUND = here.claim(
    "beyond/schedule/warm",
    "Stepsizes that grow slowly, smooth problems",
    says=[
        proved(falls_warm, "(A) and a multiple of (B)", under="the noise"),
        proved(warm, "the function summed, without $S_k$", under="the noise"),
    ],
    words=rf"{OURS} Warm-up: a stepsize is at most $1+\beta/2$ times the one before, and may fall at will.",
    more=tried("schedule/warm", "the bound", 20),
)
