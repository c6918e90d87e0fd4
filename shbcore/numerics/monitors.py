r"""The quantities of the paper along a run: :math:`p_k,d_k,\bar x_k,\hat x_k,\varphi_k,V_k,W_k` and measures of stationarity.

A monitor looks at the last two points (and :math:`z_k` where the paper does) and knows nothing of what produced them: its argument
``at`` is a ``Past`` or a ``State`` of the solver, and for ``phi`` and ``W`` a ``State``.  Points are vectors or, in one dimension, plain
numbers of any type; then everything is exact.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.parameters import Parameters, exactly
from shbcore.model.rational import EXACT, Interval, RationalProblem, exact
from shbcore.model.schedules import Schedule
from shbcore.model.sets import Ball, Box, WholeSpace
from shbcore.numerics.envelope import OnLine, Prox, check, moreau, moreau_many
from shbcore.numerics.solver import like, pair, place, region, step_number, vector_like

Point = Any


class Pair(Protocol):
    r"""Two consecutive points :math:`x_{k-1},x_k`."""

    @property
    def x_prev(self) -> Point: ...
    @property
    def x(self) -> Point: ...


class Directed(Pair, Protocol):
    r"""Two consecutive points and the direction :math:`z_k`."""

    @property
    def z(self) -> Point: ...


class Valued(Protocol):
    """What has a value at a point."""

    def value(self, x: Any) -> Any: ...


class Projecting(Protocol):
    """What projects a point."""

    def project(self, x: Any) -> Any: ...


def inner(u: Point, v: Point) -> Number:
    r""":math:`\langle u,v\rangle`."""
    if isinstance(u, np.ndarray) or isinstance(v, np.ndarray):
        for name, one in (("u", u), ("v", v)):
            real = isinstance(one, np.ndarray) and not isinstance(one, np.ma.MaskedArray) and one.dtype.kind in "fiu"
            if not real or not np.isfinite(one).all():
                checks.fail(name, one, "be a vector of finite numbers like the other", "an inner product of vectors")
        if u.ndim != 1 or u.shape != v.shape:
            checks.fail("v.shape", v.shape, f"be that of u, {u.shape}, one axis", "an inner product of vectors")
        return u @ v
    if type(u) not in EXACT or type(v) not in EXACT:
        u = checks.number("u", u, "an inner product on the line")
        v = checks.number("v", v, "an inner product on the line")
    return u * v


def square(u: Point) -> Number:
    r""":math:`\|u\|^2`."""
    return inner(u, u)


def _two(at: Pair, parameters: Any, *more: str, of: type = Parameters) -> tuple[Point, Point]:
    """Two consecutive points, of one shape, where the parameters are such."""
    checks.answers("at", at, ("x_prev", "x", *more), "a Past or a State of the method")
    checks.instance(of, "parameters", parameters, "stepsize and momentum of alg:iters:def")
    return pair("at", at.x_prev, at.x)


def _k(at: Any) -> int:
    return step_number("at.k", at.k)


def _z(at: Any, x: Point) -> Point:
    return vector_like("at.z", at.z, x, "z_k is a direction at x_k, alg:iters:def")


def d(at: Pair, parameters: Parameters | Schedule) -> Point:
    r""":math:`d_k=(x_{k-1}-x_k)/\alpha`, with :math:`\alpha_{k-1}` of a :class:`Schedule`; then ``at`` knows its k."""
    if isinstance(parameters, Schedule):
        x_prev, x = _two(at, parameters, "k", of=Schedule)
        return (x_prev - x) / like(parameters.alpha(_k(at) - 1), x)
    x_prev, x = _two(at, parameters)
    return (x_prev - x) / like(parameters.alpha, x)


def p(at: Pair, parameters: Parameters) -> Point:
    r""":math:`p_k=\frac{1-\beta}\beta(x_k-x_{k-1})=-\xi d_k`."""
    x_prev, x = _two(at, parameters)
    return like((1 - parameters.beta) / parameters.beta, x) * (x - x_prev)


def x_bar(at: Pair, parameters: Parameters | Schedule) -> Point:
    r""":math:`\bar x_k=x_k+\frac{1-\beta}\beta(x_k-x_{k-1})`;
    with a :class:`Schedule` :math:`x_k-(1-\beta)d_k\sum_{j\ge k}(1-\beta)^{j-k}\alpha_j`, its ``S(k)`` for the sum
    (stepsizes after :math:`K+1` count as :math:`\alpha_{K+1}`)."""
    if isinstance(parameters, Schedule):
        _, x = _two(at, parameters, "k", of=Schedule)
        return x - like((1 - parameters.beta) * parameters.S(_k(at)), x) * d(at, parameters)
    _, x = _two(at, parameters)
    return x + p(at, parameters)


def phi(at: Directed, X: Projecting, parameters: Parameters) -> Number:
    r""":math:`\varphi_k=h^*(x_k-\alpha z_k)-\frac12\|x_k\|^2+\alpha\langle x_k,z_k\rangle`.

    With :math:`x^+=\Pi(x_k-\alpha z_k)` this is :math:`-\alpha\langle z_k,x^+-x_k\rangle-\frac12\|x^+-x_k\|^2\ge0`, free of cancellation.
    """
    _, x = _two(at, parameters, "z")
    checks.answers("X", X, ("project",), "eqn:objective minimises over a closed convex set")
    z, alpha = _z(at, x), like(parameters.alpha, x)
    move = X.project(x - alpha * z) - x
    return -alpha * inner(z, move) - square(move) / 2


class Smoothed:
    r"""The envelope :math:`F_\lambda` of :math:`F=f+\mathsf I_{\mathcal X}` as an oracle: one point, or many at once.

    With ``F`` such an oracle, ``F(y)`` is the :class:`~shbcore.numerics.envelope.Prox` at a point, whose ``value`` is
    :math:`F_\lambda(y)`, and ``F.many(Y)`` is a list of them.  Exact (gap 0) for a
    :class:`~shbcore.model.rational.RationalProblem` on an :class:`~shbcore.model.rational.Interval`; otherwise certified by ``moreau``.
    """

    def __init__(self, problem: Any, X: Any, *, envelope: Number, tol: float = 1e-12) -> None:
        check(problem, X, envelope, tol)
        self.problem, self.X = problem, X
        self.envelope = envelope = checks.positive("envelope", envelope, "lambda of eq:moreau:env")
        self.many: Callable[[Sequence[Point]], list[Prox]]
        if isinstance(problem, RationalProblem):
            self._one: Callable[[Point], Prox] = OnLine(problem, X, envelope)  # built once, evaluated at every point
            self.many = lambda Y: [self._one(y) for y in Y]
        else:
            self._one = lambda y: moreau(problem, X, y, envelope=envelope, tol=tol)
            self.many = lambda Y: moreau_many(problem, X, np.asarray(Y), envelope=envelope, tol=tol)

    def __call__(self, y: Point) -> Prox:
        return self._one(y)


def envelope_gradient(y: Point, at: Prox, *, envelope: Number) -> Point:
    r"""The gradient :math:`\nabla F_\lambda(y)=(y-\hat y)/\lambda` from the prox ``at``; off by at most ``at.radius`` over
    :math:`\lambda`."""
    checks.instance(Prox, "at", at, "the prox at y, eq:moreau:env")
    envelope = checks.positive("envelope", envelope, "lambda of eq:moreau:env")
    y = vector_like("y", y, at.point, "the prox is a point of the same space, eq:moreau:env")
    return (y - at.point) / like(envelope, at.point)


class VParts(NamedTuple):
    r"""The four terms of :math:`V_k`: envelope, :math:`\|p_k\|^2`, :math:`\|d_k\|^2` and :math:`f(x_{k-1})`, weighted.
    The property ``total`` is their sum, :math:`V_k`."""

    envelope: Number
    p: Number
    d: Number
    f: Number

    @property
    def total(self) -> Number:
        return self.envelope + self.p + self.d + self.f


def V(at: Pair, problem: Valued, parameters: Parameters, F: Number, *, envelope: Number) -> VParts:
    r"""The terms of :math:`V_k` (``eq:Vfunc``); ``F`` is :math:`F_\lambda(\bar x_k)`:

    .. math:: V_k=F_\lambda(\bar x_k)+\frac{\nu\xi^2}{4\lambda^2}\|p_k\|^2+\frac{\alpha\xi^2}{2\lambda^2}\|d_k\|^2
        +\Bigl(\frac{(1-\beta)\xi^2}{2\lambda^2}+\frac\xi\lambda\Bigr)f(x_{k-1}).
    """
    _two(at, parameters)
    checks.answers("problem", problem, ("value",), "a weighted finite sum, eqn:objective")
    F = checks.number("F", F, "the envelope at x_bar_k, eq:Vfunc")
    w = parameters.V_weights(envelope=envelope)
    return VParts(F, w.p * square(p(at, parameters)), w.d * square(d(at, parameters)), w.f * problem.value(at.x_prev))


class WParts(NamedTuple):
    r"""The three terms of :math:`W_k`: :math:`f(x_k)`, :math:`\varphi_k` and :math:`\|d_k\|^2`, weighted.
    The property ``total`` is their sum, :math:`W_k`."""

    f: Number
    phi: Number
    d: Number

    @property
    def total(self) -> Number:
        return self.f + self.phi + self.d


def W(at: Directed, problem: Valued, X: Projecting, parameters: Parameters) -> WParts:
    r"""The terms of :math:`W_k=2f(x_k)+\varphi_k/(\nu\alpha^2)+\frac\xi2\|d_k\|^2` (``lem:Wfunc:smooth``)."""
    _two(at, parameters, "z")
    checks.answers("problem", problem, ("value",), "a weighted finite sum, eqn:objective")
    w = parameters.W_weights()
    return WParts(w.f * problem.value(at.x), w.phi * phi(at, X, parameters), w.d * square(d(at, parameters)))


def gradient_mapping(problem: Any, X: Any, x: Point, *, weak_convexity: Number) -> Point:
    r"""The gradient mapping :math:`\mathcal G_{1/\rho}(x)=\rho\,(x-\Pi_{\mathcal X}(x-\nabla f(x)/\rho))`."""
    why = "the gradient mapping takes steps of length 1/rho"
    weak_convexity = exactly(checks.positive("weak_convexity", weak_convexity, why))
    checks.answers("problem", problem, ("mean_subgradient",), "a weighted finite sum, eqn:objective")
    region(X)
    x = checks.point(x, X.n) if isinstance(x, np.ndarray | list | tuple) else exact(x, "x")
    rho = like(weak_convexity, x)
    return rho * (x - X.project(x - problem.mean_subgradient(x) / rho))


def subdifferential_distance(problem: Any, X: Any, x: Point) -> Number:
    r""":math:`\mathrm{dist}(0,\partial F(x))`, at :math:`x\in\mathcal X` (``eq:stationary:measure``).

    Exact on an interval.  In :math:`\mathbb R^n` for smooth :math:`f` on the whole space, a ball or a box: the length of
    :math:`-\nabla f(x)` less its part in the normal cone.
    """
    checks.answers("problem", problem, ("mean_subgradient", "smooth"), "a weighted finite sum, eqn:objective")
    region(X)
    x = place(X, x, "x")
    if isinstance(problem, RationalProblem) and isinstance(X, Interval):
        left, right = problem.mean.slopes(x)
        below = left if x != X.lo else None  # at an end, the normal cone opens one side of [left, right]
        above = right if x != X.hi else None
        if below is not None and below > 0:
            return below
        return -above if above is not None and above < 0 else 0 * left
    if not problem.smooth:
        checks.fail(
            "problem", problem, "be smooth, or a RationalProblem", "the subdifferential of a sum is not computed here"
        )
    force = -np.asarray(problem.mean_subgradient(x))
    if isinstance(X, Ball) and np.linalg.norm(x - X.centre) >= X.radius * (1 - 1e-12):
        normal = (x - X.centre) / np.linalg.norm(x - X.centre)
        force = force - max(float(force @ normal), 0.0) * normal
    elif isinstance(X, Box):
        force = np.where(((x <= X.lower) & (force < 0)) | ((x >= X.upper) & (force > 0)), 0.0, force)
    elif not isinstance(X, Ball | WholeSpace):
        checks.fail("X", X, "be an Interval, a WholeSpace, a Ball or a Box", "its normal cone must be known")
    return float(np.linalg.norm(force))
