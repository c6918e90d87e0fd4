r"""The stochastic heavy ball method ``alg:iters:def``, for any problem and set, one readable step at a time.

.. math:: x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k),

.. math:: z_{k+1}=\beta g_{k+1}+(1-\beta)\frac{x_k-x_{k+1}}{\alpha_k}.

Points are NumPy vectors, or plain numbers of any type in one dimension.  The solver yields states and knows no monitor.  A step asks
for the subgradient of the one sample that was drawn.
"""

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import STARTS, Number
from shbcore.model.parameters import Step
from shbcore.model.rational import EXACT, exact

Point = Any
"""A vector of floats, or a single number in one dimension."""

Start = Literal["beta_g0", "g0"]
r"""How the method begins: ``beta_g0`` is :math:`z_0=\beta g_0`, the recursion at :math:`k=0` with :math:`x_{-1}=x_0`; ``g0`` is
:math:`z_0=g_0`, as printed."""

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
    r"""What the method and its monitors ask of a problem; part of :class:`shbcore.model.problems.Problem`.

    * ``weights``: the probabilities of the samples.
    * ``value(x)``: :math:`f(x)`.
    * ``subgradient(x, i)``: that of sample ``i`` at ``x``; ``subgradients(x)``: those of all samples, in order.
    * ``mean_subgradient(x)``: their weighted mean.

    A run asks for ``weights`` and ``subgradient`` only.
    """

    @property
    def weights(self) -> Any: ...
    def value(self, x: Any) -> Any: ...
    def subgradient(self, x: Any, i: int) -> Any: ...
    def subgradients(self, x: Any) -> Any: ...
    def mean_subgradient(self, x: Any) -> Any: ...


class Region(Protocol):
    r"""What the method and its monitors ask of a set.

    * ``n``: the dimension.
    * ``project(x)``: :math:`\Pi_{\mathcal X}(x)`.
    * ``contains(x)``: whether :math:`x\in\mathcal X`.
    """

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
    found = exact(x, name)
    if X.n != 1 or not X.contains(found):
        checks.fail(name, x, f"lie in X = {X}", "alg:iters:def starts from x_0 in X and stays in X")
    return found


def like(number: Number, x: Point) -> Number:
    """A number that multiplies a point: a float beside a vector, as it is on the line."""
    return float(number) if isinstance(x, np.ndarray) else number


def pair(name: str, x_prev: Point, x: Point) -> tuple[Point, Point]:
    """Two points, both vectors of one space or both numbers of the line."""
    if type(x) in EXACT and type(x_prev) in EXACT:
        return x_prev, x
    why = "x_{k-1} and x_k in X"
    if not isinstance(x, np.ndarray | list | tuple) and not isinstance(x_prev, np.ndarray | list | tuple):
        return exact(x_prev, f"{name}.x_prev"), exact(x, f"{name}.x")
    if np.shape(x_prev) != np.shape(x) or np.ndim(x) != 1:
        checks.fail(f"{name}.x_prev.shape", np.shape(x_prev), f"be that of x, {np.shape(x)}, one axis", why)
    n = len(x)
    return checks.points(f"{name}.x_prev", x_prev, n), checks.points(f"{name}.x", x, n)


def step_number(name: str, k: Any) -> int:
    """A number of iterations."""
    return checks.count(name, k, "iterations are counted from 0", least=0)


def vector_like(name: str, value: Point, x: Point, why: str) -> Point:
    """A vector of the space in which a point lies, or a number on the line."""
    if isinstance(value, np.ndarray | list | tuple) or isinstance(x, np.ndarray):
        if np.shape(value) != np.shape(x):
            checks.fail(f"{name}.shape", np.shape(value), f"be that of x, {np.shape(x)}", why)
        return checks.points(name, value, len(x))
    return value if type(value) in EXACT else exact(value, name)


def outset(X: Region, x0: Point) -> Past:
    r"""The :class:`Past` at :math:`k=0`: :math:`x_{-1}=x_0\in\mathcal X`."""
    region(X)
    x0 = place(X, x0, "x0")
    return Past(0, x0, x0)


def respond(past: Past, g: Point, sample: int, *, alpha: Number, beta: Number, start: Start = "beta_g0") -> State:
    r""":math:`z_k=\beta g_k+(1-\beta)(x_{k-1}-x_k)/\alpha_{k-1}`; at :math:`k=0` with start ``g0``, :math:`z_0=g_0`."""
    checks.one_of("start", start, STARTS, checks.START)
    alpha, beta = checks.alpha(alpha), checks.beta(beta)
    k, x_prev, x = checks.instance(Past, "past", past, "F_{k-1} of the paper")
    k = step_number("past.k", k)
    x_prev, x = pair("past", x_prev, x)
    g = vector_like("g", g, x, "g_k is a subgradient at x_k, (A1)")
    return answer(k, x_prev, x, g, sample, alpha, beta, start)


def answer(k: int, x_prev: Point, x: Point, g: Point, sample: int, alpha: Number, beta: Number, start: str) -> State:
    """:func:`respond` to arguments that have been checked."""
    alpha, beta = like(alpha, x), like(beta, x)
    z = g if k == 0 and start == "g0" else beta * g + (1 - beta) * ((x_prev - x) / alpha)
    return State(k, x_prev, x, z, g, sample)


def advance(X: Region, state: State, *, alpha: Number) -> Past:
    r""":math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kz_k)`."""
    region(X)
    checks.instance(State, "state", state, "F_k of the paper")
    k, alpha = step_number("state.k", state.k), checks.alpha(alpha)
    x_prev, x = pair("state", state.x_prev, state.x)
    z = vector_like("state.z", state.z, x, "z_k is a direction at x_k, alg:iters:def")
    return move(X, state._replace(k=k, x_prev=x_prev, x=x, z=z), alpha)


def move(X: Region, state: State, alpha: Number) -> Past:
    """:func:`advance` with arguments that have been checked."""
    return Past(state.k + 1, state.x, X.project(state.x - like(alpha, state.x) * state.z))


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
    r"""The heavy ball method: its states :math:`k=0,1,2,\dots`, without end; the samples are drawn independently from ``rng``.

    The default start is the repaired one, ``beta_g0``; ``start="g0"`` is the printed one.
    The arguments are checked here, before the first step.  A problem with a method ``draw(rng)`` draws its samples itself.
    """
    checks.answers("problem", problem, ("weights", "subgradient"), PROBLEM)
    checks.function("step", step, "a stepsize rule k -> alpha_k, alg:iters:def")
    beta = checks.beta(beta)
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

    else:
        _drawing(draw, rng)
    return _states(problem, X, step, beta, past, draw, checks.alpha(step(0)), rng, start)


def _drawing(draw: Any, rng: np.random.Generator) -> None:
    """A function of ``rng`` alone."""
    checks.function("draw", draw, "draw(rng) is a sample")
    try:
        signature(draw).bind(rng)
    except ValueError:  # a function that does not tell its arguments
        return
    except TypeError as error:
        checks.fail("draw", draw, f"take the generator and nothing else, as draw(rng): {error}", "it draws a sample")


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
        alpha = checks.alpha(step(past.k)) if past.k else alpha  # the first one was asked for at the call
        past = move(X, state, alpha)


def sgd(problem: Oracle, X: Region, step: Step, x0: Point, rng: np.random.Generator) -> Iterator[State]:
    r"""The stochastic subgradient method :math:`x_{k+1}=\Pi_{\mathcal X}(x_k-\alpha_kg_k)`: the heavy ball with :math:`\beta=1`."""
    return shb(problem, X, step, 1, x0, rng)
