r"""All inequalities at once: their slacks along one random run, and over the whole tree of samples.  The data of the plots.

The keys say which form is evaluated and given what: ``lemma_4 repaired | past`` is Lemma 4 with the right :math:`\gamma`, both sides given
:math:`\mathcal F_{k-1}`; ``present`` is :math:`\mathcal F_k`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from shbcore.model.checks import Number
from shbcore.model.parameters import Parameters
from shbcore.numerics.slack import (
    Setting,
    Slack,
    along_run,
    average,
    given_past,
    known_before,
    lemma_3,
    lemma_4,
    lemma_W,
    lemma_xdiff_smooth,
    lemma_z_diff,
    nonsmooth,
    over_tree,
    smooth,
)
from shbcore.numerics.solver import Past, Point, State

Known = Callable[[Setting, Past], Slack]
Fresh = Callable[[Setting, State], Slack]

NONSMOOTH: dict[str, Known] = {
    "lemma_3 printed | past": lemma_3,
    "lemma_3 conditional | past": partial(lemma_3, form="conditional"),
    "lemma_4 printed | past": partial(lemma_4, form="printed"),
    "lemma_4 repaired | past": lemma_4,
    "lemma_4 conditional | past": partial(lemma_4, form="conditional"),
    "lemma_xdiff_smooth printed | past": partial(given_past, inequality=lemma_xdiff_smooth),
}
"""Inequalities that need weak convexity only."""

SMOOTH: dict[str, Fresh] = {
    "lemma_xdiff_smooth printed": lemma_xdiff_smooth,
    "lemma_z_diff printed": lemma_z_diff,
    "lemma_z_diff sharp": partial(lemma_z_diff, form="sharp"),
    "lemma_W printed": lemma_W,
    "lemma_W sharp": partial(lemma_W, form="sharp"),
}
"""Inequalities of the smooth part; the first needs no smoothness."""


class Level(NamedTuple):
    r"""One :math:`k` of a tree: the slack in total expectation, and the least and the largest slack given :math:`\mathcal F_{k-1}`."""

    total: Slack
    least: Slack
    largest: Slack


def _settings(
    problem: Any, X: Any, parameters: Parameters, envelope: Number, tol: float
) -> list[tuple[Setting, dict[str, Known]]]:
    chosen = [(nonsmooth(problem, X, parameters, envelope=envelope, tol=tol), NONSMOOTH)]
    if problem.smooth:
        averaged: dict[str, Known] = {
            f"{name} | past": partial(given_past, inequality=one) for name, one in SMOOTH.items() if "xdiff" not in name
        }
        chosen.append((smooth(problem, X, parameters), averaged))
    return chosen


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
    r"""Every inequality that applies, at :math:`k=0,\dots,` ``steps`` :math:`-1` of one run, by exact conditional expectations."""
    seed = rng.bit_generator.random_raw()  # one trajectory for all inequalities
    return {
        name: along_run(setting, x0, steps, np.random.default_rng(seed), known_before(inequality))
        for setting, chosen in _settings(problem, X, parameters, envelope, tol)
        for name, inequality in chosen.items()
    }


def tree_slacks(
    problem: Any, X: Any, x0: Point, parameters: Parameters, depth: int, *, envelope: Number
) -> dict[str, list[Level]]:
    r"""Every inequality that applies, at the levels :math:`k=0,\dots,` ``depth`` of the whole tree."""

    def summary(level: list[tuple[Number, Slack]]) -> Level:
        ranked = sorted((one for _, one in level), key=lambda one: one.slack)
        return Level(average(level), ranked[0], ranked[-1])

    return {
        name: [summary(level) for level in over_tree(setting, x0, depth, inequality)]
        for setting, chosen in _settings(problem, X, parameters, envelope, 0.0)
        for name, inequality in chosen.items()
    }
