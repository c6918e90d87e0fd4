"""Ten claims of the book with the facts under them, superfluous facts, and the verdict of the search in a random order."""

import random
from typing import Any

import sympy as sp

from shbcore.claims import appendix_a, appendix_b
from shbcore.claims.appendix_c_phi import smooth_f
from shbcore.claims.beyond import constrained, energy
from shbcore.claims.printed_start import falls_given_past, lengths_grow
from shbcore.proof import *

LESS, MORE = sp.Rational(9, 10), sp.Rational(11, 10)
HALF = sp.Rational(1, 2)
CLAIMS: dict[str, Any] = {
    "lemma_3": (appendix_a.lemma_3, {"noise": LESS * appendix_a.NOISE}),
    "envelope_3_before": (appendix_b.envelope_3_before, {"share": HALF * MORE}),
    "lemma_4": (appendix_b.lemma_4, {"value": LESS * appendix_b.GAMMA}),
    "lemma_4_given": (appendix_b.lemma_4_given, {"noise": LESS}),
    "lengths_grow": (lengths_grow, {"share": LESS}),
    "falls_given_past": (falls_given_past, {"share": LESS}),
    "envelope_step": (energy.envelope_step, {"noise": LESS}),
    "energy_lemma": (energy.energy_lemma, {"noise": LESS}),
    "falls": (energy.falls, {"noise": LESS}),
    "envelope_wide": (constrained.envelope_wide, {"noise": LESS}),
}
SUPERFLUOUS = [
    *(square(d_k), square(d_next), square(g_k), square(x_k - x_prev), square(x_hat - x_bar), square(x_next - x_hat)),
    *(young(g_k, d_k, 1), young(d_k, g_k, 2), square_convexity(g_k, d_k, beta), infimum(f, x_k), infimum(f, x_hat)),
    *(weak_convexity(f, x_prev, x_k), weak_convexity(f, x_hat, x_k), smooth_above(smooth_f, x_prev, x_k)),
    *(projection(x_next, trial, x_prev), nonexpansive(x_next, trial, x_prev), prox_strong_convexity(x_hat, x_prev)),
    *(second_moment(g_k), variance(g_k), envelope_infimum(F_env, x_bar, x_k), bounded_gradient(smooth_f, x_k)),
]


def verdict(name: str, rng: random.Random, *, extra: int = 0, control: bool = False) -> str:
    """``found``, or the kind of refusal, from the facts under a claim in a random order, with ``extra`` superfluous ones.

    A control is a claim a tenth too strong.  More facts may make it true, so it is asked with its own facts alone."""
    build, change = CLAIMS[name]
    facts = [term.source for term in flat(build()).terms]
    facts += [] if control else rng.sample(SUPERFLUOUS, extra)
    rng.shuffle(facts)
    try:
        found = find(build(**(change if control else {})).statement, facts)
    except NotFound as refusal:
        return refusal.kind
    assert check(found).passed
    return "found"
