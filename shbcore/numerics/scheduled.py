r"""The theorems about schedules along runs: exact expectations on the line, and means over many runs in floating point.

Left is :math:`\sum_kw_k\,\mathbb E\|\nabla F_\lambda(\bar x_k)\|^2`, right the bound of :class:`~shbcore.model.schedules.Schedule`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.schedules import KINDS, Kind, Schedule
from shbcore.numerics.expectation import mean, tree
from shbcore.numerics.monitors import Smoothed, envelope_gradient, square, x_bar
from shbcore.numerics.slack import Slack, compare, gradient_error
from shbcore.numerics.solver import Start, shb


def gradients(
    problem: Any, X: Any, schedule: Schedule, x0: Number, *, envelope: Number, start: Start = "beta_g0"
) -> list[Number]:
    r"""The exact :math:`\mathbb E\|\nabla F_\lambda(\bar x_k)\|^2`, :math:`k=0,\dots,K`, by the whole tree of samples."""
    at, _ = _measure(problem, X, schedule, envelope)
    return [mean(level, at) for level in tree(problem, X, schedule, x0, schedule.K, start=start, merge=True)]


Measure = Callable[[Any], Number]


def _measure(problem: Any, X: Any, schedule: Schedule, envelope: Number) -> tuple[Measure, Measure]:
    r""":math:`\|\nabla F_\lambda(\bar x_k)\|^2` at a past or a state, and how far it may be off."""
    checks.instance(Schedule, "schedule", schedule, "stepsizes and momentum")
    smoothed = Smoothed(problem, X, envelope=envelope)

    def at(past: Any) -> Number:
        y = x_bar(past, schedule)
        return square(envelope_gradient(y, smoothed(y), envelope=envelope))

    def error(past: Any) -> Number:
        y = x_bar(past, schedule)
        here = smoothed(y)
        return gradient_error(envelope_gradient(y, here, envelope=envelope), here, envelope)

    return at, error


def slack(
    problem: Any, X: Any, schedule: Schedule, x0: Number, kind: Kind, *, envelope: Number, gap: Number, noise: Number
) -> Slack:
    r"""A theorem about schedules on a problem on the line with the start :math:`z_0=\beta g_0`: exactly, or in floats with its error.

    ``kind`` names the theorem, one of ``KINDS`` of :mod:`shbcore.model.schedules`; ``falling`` and ``warm`` are about smooth functions.
    ``gap`` is :math:`\Delta=f(x_0)-f^\star`, ``noise`` is :math:`L^2` under (A2) and :math:`\sigma^2` under (A3).
    """
    checks.one_of("kind", kind, KINDS, "the theorems about schedules")
    at, off = _measure(problem, X, schedule, envelope)
    if kind in ("falling", "warm") and not problem.smooth:
        checks.fail("kind", kind, "be any or monotone where f has kinks", f"beyond/schedule/{kind} is about a smooth f")
    levels = tree(problem, X, schedule, x0, schedule.K, merge=True)
    weights = schedule.weights(kind)
    terms = [w * mean(level, at) for w, level in zip(weights, levels, strict=True)]
    error = sum(w * mean(level, off) for w, level in zip(weights, levels, strict=True))
    return compare([*terms], [schedule.bound(kind, envelope=envelope, gap=gap, noise=noise)], error)


def averaged(
    problem: Any,
    X: Any,
    schedule: Schedule,
    x0: Any,
    kind: Kind,
    *,
    envelope: float,
    runs: int,
    rng: np.random.Generator,
) -> np.ndarray:
    r"""Running means :math:`\sum_{j\le k}w_j\|\nabla F_\lambda(\bar x_j)\|^2/\sum_{j\le k}w_j`, averaged over ``runs`` runs."""
    runs = checks.count("runs", runs, "runs that are averaged", least=1)
    at, _ = _measure(problem, X, schedule, envelope)
    weights = np.array(schedule.weights(kind), float)
    total = np.zeros(schedule.K + 1)
    for _ in range(runs):
        for state in shb(problem, X, schedule.alpha, schedule.beta, x0, rng):
            total[state.k] += float(at(state)) / runs
            if state.k == schedule.K:
                break
    found: np.ndarray = np.cumsum(weights * total) / np.cumsum(weights)
    return found
