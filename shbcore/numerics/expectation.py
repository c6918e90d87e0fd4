r"""Exact expectations: a finite sum has finitely many samples, so :math:`\mathbb E[\cdot\mid\mathcal F]` is a weighted sum over them.

:func:`draws` enumerates one sample, :func:`tree` all of them; probabilities are of the number type of the weights.
"""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.parameters import Parameters
from shbcore.model.schedules import Schedule
from shbcore.numerics.solver import (
    STARTS,
    Oracle,
    Past,
    Point,
    Region,
    Start,
    State,
    advance,
    answer,
    move,
    oracle,
    outset,
    pair,
    step_number,
)

T = TypeVar("T")

MOST_HISTORIES = 2_000_000
"""The most histories that one step :math:`k` of a tree may have; a larger tree is refused."""


class Atom(NamedTuple):
    r"""One history :math:`(S_0,\dots,S_{k-1})`, or several that led to the same point, with its probability."""

    probability: Number
    past: Past


def _method(parameters: Parameters | Schedule) -> None:
    if not isinstance(parameters, Schedule):
        checks.instance(Parameters, "parameters", parameters, "stepsize and momentum of alg:iters:def")


def draws(
    problem: Oracle, past: Past, parameters: Parameters | Schedule, *, start: Start = "beta_g0"
) -> list[tuple[Number, State]]:
    r"""All :math:`m` outcomes of :math:`S_k` given :math:`\mathcal F_{k-1}`, each with its probability."""
    oracle(problem)
    checks.law(problem.weights)
    k, x_prev, x = checks.instance(Past, "past", past, "F_{k-1} of the paper")
    past = Past(step_number("past.k", k), *pair("past", x_prev, x))
    _method(parameters)
    checks.one_of("start", start, STARTS, checks.START)
    return _draws(problem, past, parameters, start)


def _stepsize(parameters: Parameters | Schedule, k: int) -> Number:
    return parameters.alpha(k) if isinstance(parameters, Schedule) else parameters.alpha


def _draws(problem: Oracle, past: Past, parameters: Parameters | Schedule, start: Start) -> list[tuple[Number, State]]:
    k, x_prev, x = past
    before = _stepsize(parameters, k - 1)
    return [
        (weight, answer(k, x_prev, x, g, i, before, parameters.beta, start))
        for i, (weight, g) in enumerate(zip(problem.weights, problem.subgradients(x), strict=True))
    ]


def mean(outcomes: Iterable[tuple[Number, T]], quantity: Callable[[T], Number]) -> Number:
    r"""The mean :math:`\sum_iw_iq(s_i)`: the expectation of ``quantity`` over weighted outcomes, of :func:`draws` or of a
    level of a tree."""
    checks.function("quantity", quantity, "what is averaged")
    total: Number = 0
    mass = 0.0
    for weight, outcome in outcomes:
        total, mass = total + weight * quantity(outcome), mass + float(weight)
        if weight < 0:
            checks.fail("weight", weight, "be at least 0", checks.LAW)
    if not abs(mass - 1) <= 1e-9:
        checks.fail("outcomes", mass, "have probabilities that sum to 1", checks.LAW)
    return total


def given_past(
    problem: Oracle,
    past: Past,
    parameters: Parameters,
    quantity: Callable[[State], Number],
    *,
    start: Start = "beta_g0",
) -> Number:
    r""":math:`\mathbb E[q(x_{k-1},x_k,z_k,g_k)\mid\mathcal F_{k-1}]`, with ``quantity`` for :math:`q`."""
    return mean(draws(problem, past, parameters, start=start), quantity)


def given_state(
    problem: Oracle, X: Region, state: State, parameters: Parameters, quantity: Callable[[State], Number]
) -> Number:
    r""":math:`\mathbb E[q(x_k,x_{k+1},z_{k+1},g_{k+1})\mid\mathcal F_k]`, with ``quantity`` for :math:`q`."""
    checks.instance(Parameters, "parameters", parameters, "stepsize and momentum of alg:iters:def")
    return given_past(problem, advance(X, state, alpha=parameters.alpha), parameters, quantity)


def tree(
    problem: Oracle,
    X: Region,
    parameters: Parameters | Schedule,
    x0: Point,
    depth: int,
    *,
    start: Start = "beta_g0",
    merge: bool = False,
) -> list[list[Atom]]:
    r"""Levels :math:`k=0,\dots,` ``depth`` of all histories: level :math:`k` lists the :math:`m^k` values of :math:`(x_{k-1},x_k)`.

    The children of atom :math:`j` are the atoms :math:`jm,\dots,jm+m-1` of the next level.  With ``merge``, histories that meet in
    the same :math:`(x_{k-1},x_k)` become one atom: enough for total expectations, and often far smaller.
    """
    oracle(problem)
    checks.law(problem.weights)
    _method(parameters)
    depth = checks.count("depth", depth, "the number of samples enumerated", least=0, most=10**5)
    checks.one_of("start", start, STARTS, checks.START)
    checks.instance(bool, "merge", merge, "whether histories that meet become one")
    m = len(problem.weights)
    if not merge and depth * math.log(m) > math.log(MOST_HISTORIES):
        checks.fail(
            "depth", depth, f"leave at most {MOST_HISTORIES} histories of {m} samples", "the tree is enumerated"
        )
    one = sum(problem.weights)
    levels = [[Atom(one, outset(X, x0))]]
    for _ in range(depth):
        level = [
            Atom(probability * weight, move(X, state, _stepsize(parameters, past.k)))
            for probability, past in levels[-1]
            for weight, state in _draws(problem, past, parameters, start)
        ]
        if merge:
            if isinstance(level[0].past.x, np.ndarray):
                checks.fail("merge", merge, "be False for vectors", "histories are compared exactly, on the line")
            together: dict[Past, Number] = {}
            for probability, past in level:
                together[past] = together[past] + probability if past in together else probability
            level = [Atom(probability, past) for past, probability in together.items()]
            if len(level) * m > MOST_HISTORIES:
                words = f"leave at most {MOST_HISTORIES} histories, even merged"
                checks.fail("depth", depth, words, "the tree is enumerated")
        levels.append(level)
    return levels
