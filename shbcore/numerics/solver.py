r"""The stochastic heavy ball method ``alg:iters:def``, for any problem and set, one readable step at a time.

.. math:: x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k),\qquad z_{k+1}=\beta g_{k+1}+(1-\beta)\frac{x_k-x_{k+1}}{\alpha_k}.

Points are NumPy vectors, or plain numbers of any type in one dimension.  The solver yields states and knows no monitor.  A step asks
for the subgradient of the one sample that was drawn.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import STARTS, Number
from shbcore.model.parameters import Step

Point = Any
"""A vector of floats, or a single number in one dimension."""

Start = Literal["beta_g0", "g0"]
r"""``beta_g0``: :math:`z_0=\beta g_0`, which is what :math:`x_{-1}=x_0` means; ``g0``: :math:`z_0=g_0`, as printed."""

__all__ = [
    "STARTS",
    "Oracle",
    "Past",
    "Point",
    "Region",
    "Start",
    "State",
    "advance",
    "outset",
    "respond",
    "sgd",
    "shb",
]

PROBLEM = "a weighted finite sum, eqn:objective"
SET = "eqn:objective minimises over a closed convex set"


class Oracle(Protocol):
    """What the method and its monitors ask of a problem; part of :class:`shbcore.model.problems.Problem`."""

    @property
    def weights(self) -> Any: ...
    def value(self, x: Any) -> Any: ...
    def subgradient(self, x: Any, i: int) -> Any: ...
    def subgradients(self, x: Any) -> Any: ...
    def mean_subgradient(self, x: Any) -> Any: ...


class Region(Protocol):
    """What they ask of a set."""

    @property
    def n(self) -> int: ...
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


def oracle(problem: Any) -> None:
    """A problem that can be asked for what the method needs."""
    checks.answers("problem", problem, ("weights", "value", "subgradient", "subgradients", "mean_subgradient"), PROBLEM)


def region(X: Any) -> None:
    """A set that can be projected on."""
    checks.answers("X", X, ("n", "project", "contains"), SET)


def place(X: Region, x: Point, name: str) -> Point:
    r"""A point of :math:`\mathcal X`: a vector, or a plain number on the line."""
    if isinstance(x, np.ndarray | list | tuple):
        return checks.point_in(X, x, name)  # type: ignore[arg-type]
    if X.n != 1 or not X.contains(checks.number(name, x, "alg:iters:def stays in X")):
        checks.fail(name, x, f"lie in X = {X}", "alg:iters:def starts from x_0 in X and stays in X")
    return x


def outset(X: Region, x0: Point) -> Past:
    r""":math:`x_{-1}=x_0\in\mathcal X`."""
    region(X)
    x0 = place(X, x0, "x0")
    return Past(0, x0, x0)


def respond(past: Past, g: Point, sample: int, *, alpha: Number, beta: Number, start: Start = "beta_g0") -> State:
    r""":math:`z_k=\beta g_k+(1-\beta)(x_{k-1}-x_k)/\alpha_{k-1}`; at :math:`k=0` with start ``g0``, :math:`z_0=g_0`."""
    checks.one_of("start", start, STARTS, checks.START)
    checks.alpha(alpha)
    checks.beta(beta)
    k, x_prev, x = checks.instance(Past, "past", past, "F_{k-1} of the paper")
    if isinstance(g, np.ndarray) or isinstance(x, np.ndarray):
        if np.shape(g) != np.shape(x):
            checks.fail("g.shape", np.shape(g), f"be that of x, {np.shape(x)}", "g_k is a subgradient at x_k, (A1)")
        checks.points("g", g, len(x))
    else:
        checks.number("g", g, "g_k is a subgradient at x_k, (A1)")
    return answer(k, x_prev, x, g, sample, alpha, beta, start)


def answer(k: int, x_prev: Point, x: Point, g: Point, sample: int, alpha: Number, beta: Number, start: str) -> State:
    """:func:`respond` to arguments that have been checked."""
    z = g if k == 0 and start == "g0" else beta * g + (1 - beta) * ((x_prev - x) / alpha)
    return State(k, x_prev, x, z, g, sample)


def advance(X: Region, state: State, *, alpha: Number) -> Past:
    r""":math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k)`."""
    region(X)
    checks.instance(State, "state", state, "F_k of the paper")
    checks.alpha(alpha)
    return move(X, state, alpha)


def move(X: Region, state: State, alpha: Number) -> Past:
    """:func:`advance` with arguments that have been checked."""
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
    r"""States :math:`k=0,1,2,\dots` of the method, without end; the samples are drawn independently from ``rng``.

    The arguments are checked here, before the first step.  A problem with a method ``draw(rng)`` draws its samples itself.
    """
    checks.answers("problem", problem, ("weights", "subgradient"), PROBLEM)
    checks.function("step", step, "a stepsize rule k -> alpha_k, alg:iters:def")
    checks.beta(beta)
    checks.generator(rng)
    checks.one_of("start", start, STARTS, checks.START)
    past = outset(X, x0)
    n = getattr(problem, "n", X.n)
    if n != X.n:
        checks.same_dimension(n, X)  # type: ignore[arg-type]
    draw: Callable[[np.random.Generator], Any] | None = getattr(problem, "draw", None)
    if draw is None:
        thresholds = checks.law(problem.weights)
        last = len(thresholds) - 1

        def draw(rng: np.random.Generator) -> int:
            return min(int(np.searchsorted(thresholds, rng.random(), side="right")), last)

    return _states(problem, X, step, beta, past, draw, checks.alpha(step(0)), rng, start)


def _states(
    problem: Oracle,
    X: Region,
    step: Step,
    beta: Number,
    past: Past,
    draw: Callable[[np.random.Generator], Any],
    alpha: Number,
    rng: np.random.Generator,
    start: Start,
) -> Iterator[State]:
    while True:
        sample = draw(rng)
        g = problem.subgradient(past.x, sample)
        state = respond(past, g, sample, alpha=alpha, beta=beta, start=start)
        yield state
        alpha = checks.alpha(step(past.k))
        past = move(X, state, alpha)


def sgd(problem: Oracle, X: Region, step: Step, x0: Point, rng: np.random.Generator) -> Iterator[State]:
    r"""The stochastic subgradient method :math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kg_k)`: the heavy ball with :math:`\beta=1`."""
    return shb(problem, X, step, 1, x0, rng)
