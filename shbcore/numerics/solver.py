r"""The stochastic heavy ball method ``alg:iters:def``, for any problem and set, one readable step at a time.

.. math:: x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k),\qquad z_{k+1}=\beta g_{k+1}+(1-\beta)\frac{x_k-x_{k+1}}{\alpha_k}.

Points are NumPy vectors, or plain numbers of any type in one dimension.  The solver yields states and knows no monitor.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.parameters import Step

Point = Any
"""A vector of floats, or a single number in one dimension."""

Start = Literal["beta_g0", "g0"]
r"""``beta_g0``: :math:`z_0=\beta g_0`, which is what :math:`x_{-1}=x_0` means; ``g0``: :math:`z_0=g_0`, as printed."""

STARTS = ("beta_g0", "g0")


class Oracle(Protocol):
    """What the method and its monitors ask of a problem; ``Problem`` and ``RationalProblem`` both answer."""

    @property
    def weights(self) -> Sequence[Number] | Any: ...
    def value(self, x: Any) -> Any: ...
    def subgradients(self, x: Any) -> Any: ...
    def mean_subgradient(self, x: Any) -> Any: ...


class Region(Protocol):
    """What they ask of a set."""

    def project(self, x: Any) -> Any: ...
    def contains(self, x: Any) -> bool: ...


class Past(NamedTuple):
    r"""What is known before the sample :math:`S_k` is drawn: :math:`x_{k-1}` and :math:`x_k` (:math:`\mathcal F_{k-1}`)."""

    k: int
    x_prev: Point
    x: Point


class State(NamedTuple):
    r"""What is known once :math:`S_k` is drawn: also :math:`g_k` and :math:`z_k` (:math:`\mathcal F_k`)."""

    k: int
    x_prev: Point
    x: Point
    z: Point
    g: Point
    sample: int


def outset(X: Region, x0: Point) -> Past:
    r""":math:`x_{-1}=x_0\in\mathcal X`."""
    if isinstance(x0, np.ndarray | list | tuple):
        x0 = checks.point_in(X, x0)  # type: ignore[arg-type]
    elif not X.contains(checks.number("x0", x0, "alg:iters:def starts from x_0 in X")):
        checks.fail("x0", x0, f"lie in X = {X}", "alg:iters:def starts from x_0 in X")
    return Past(0, x0, x0)


def respond(past: Past, g: Point, sample: int, *, alpha: Number, beta: Number, start: Start = "beta_g0") -> State:
    r""":math:`z_k=\beta g_k+(1-\beta)(x_{k-1}-x_k)/\alpha_{k-1}`; at :math:`k=0` with start ``g0``, :math:`z_0=g_0`."""
    k, x_prev, x = past
    z = g if k == 0 and start == "g0" else beta * g + (1 - beta) * ((x_prev - x) / alpha)
    return State(k, x_prev, x, z, g, sample)


def advance(X: Region, state: State, *, alpha: Number) -> Past:
    r""":math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k)`."""
    return Past(state.k + 1, state.x, X.project(state.x - alpha * state.z))


def shb(
    problem: Oracle,
    X: Region,
    step: Step,
    beta: Number,
    x0: Point,
    rng: np.random.Generator,
    *,
    start: Start = "beta_g0",
) -> Iterator[State]:
    r"""States :math:`k=0,1,2,\dots` of the method, without end; the samples are drawn independently from ``rng``."""
    checks.beta(beta)
    checks.generator(rng)
    checks.one_of("start", start, STARTS, "z_0 of alg:iters:def")
    past = outset(X, x0)
    thresholds = np.array(list(accumulate(map(float, problem.weights))))
    alpha: Number = step(0)
    while True:
        sample = min(int(np.searchsorted(thresholds, rng.random(), side="right")), len(thresholds) - 1)
        state = respond(past, problem.subgradients(past.x)[sample], sample, alpha=alpha, beta=beta, start=start)
        yield state
        alpha = checks.alpha(step(past.k))
        past = advance(X, state, alpha=alpha)


def sgd(problem: Oracle, X: Region, step: Step, x0: Point, rng: np.random.Generator) -> Iterator[State]:
    r"""The stochastic subgradient method :math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kg_k)`: the heavy ball with :math:`\beta=1`."""
    return shb(problem, X, step, 1, x0, rng)
