r"""Lemmas 3 to 7 at once: their slacks along one random run, and over the whole tree of samples.

Every slack is given :math:`\mathcal F_{k-1}`; the keys name the lemma and its form.
"""

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.numerics.expectation import tree
from shbcore.numerics.slack import (
    Setting,
    Slack,
    average,
    given_past,
    lemma_3,
    lemma_4_forms,
    lemma_W,
    lemma_xdiff_smooth,
    lemma_z_diff,
    nonsmooth,
    smooth,
)
from shbcore.numerics.solver import Past, Point, shb


class Level(NamedTuple):
    r"""One :math:`k` of a tree: the slack in total expectation, and the least and the largest slack given :math:`\mathcal F_{k-1}`."""

    total: Slack
    least: Slack
    largest: Slack


def _slacks(weakly_convex: Setting, smooth_too: Setting | None, past: Past) -> dict[str, Slack]:
    found = {
        "lemma_3 printed": lemma_3(weakly_convex, past),
        "lemma_3 conditional": lemma_3(weakly_convex, past, "conditional"),
        **{f"lemma_4 {form}": one for form, one in lemma_4_forms(weakly_convex, past).items()},
        "lemma_xdiff_smooth printed": given_past(weakly_convex, past, lemma_xdiff_smooth),
    }
    if smooth_too is not None:
        found |= {
            "lemma_z_diff printed": given_past(smooth_too, past, lemma_z_diff),
            "lemma_z_diff sharp": given_past(smooth_too, past, lambda s, state: lemma_z_diff(s, state, "sharp")),
            "lemma_W printed": given_past(smooth_too, past, lemma_W),
            "lemma_W sharp": given_past(smooth_too, past, lambda s, state: lemma_W(s, state, "sharp")),
        }
    return found


def _settings(
    problem: Any, X: Any, parameters: Parameters, envelope: Number, tol: float = 1e-12
) -> tuple[Setting, Setting | None]:
    checks.positive("envelope", envelope, "lambda of Lemma 4")
    weakly_convex = nonsmooth(problem, X, parameters, envelope=envelope, tol=tol)
    return weakly_convex, smooth(problem, X, parameters) if problem.smooth else None


def run_slacks(
    problem: Any,
    X: Any,
    x0: Point,
    parameters: Parameters,
    steps: int,
    rng: np.random.Generator,
    *,
    envelope: Number,
    tol: float = 1e-12,
) -> dict[str, list[Slack]]:
    r"""Every inequality that applies, at each step of one run, by exact conditional expectations.

    Those of the smooth part apply if the problem is smooth, and then ask for :math:`\alpha\le1/(4\rho)`.
    """
    steps = checks.count("steps", steps, "the length of the run", most=10**6)
    settings = _settings(problem, X, parameters, envelope, tol)
    run = shb(problem, X, ConstantStep(parameters.alpha), parameters.beta, x0, rng)
    rows = [_slacks(*settings, Past(state.k, state.x_prev, state.x)) for state in islice(run, steps)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def tree_slacks(
    problem: Any, X: Any, x0: Point, parameters: Parameters, depth: int, *, envelope: Number
) -> dict[str, list[Level]]:
    r"""Every inequality that applies, at each level of the tree of samples down to ``depth``."""
    settings = _settings(problem, X, parameters, envelope)
    out: dict[str, list[Level]] = {}
    for level in tree(problem, X, parameters, x0, depth):
        rows = [(probability, _slacks(*settings, past)) for probability, past in level]
        for name in rows[0][1]:
            column = [(probability, row[name]) for probability, row in rows]
            ranked = sorted((one for _, one in column), key=lambda one: one.slack)
            out.setdefault(name, []).append(Level(average(column), ranked[0], ranked[-1]))
    return out
