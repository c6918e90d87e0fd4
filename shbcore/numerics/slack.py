r"""The slack of Lemmas 3 to 7 and Theorems 1 to 3, right side minus left, by exact expectations and with a certified error.

An inequality is a function of a :class:`Setting` and of what is known: a :class:`Past` (:math:`\mathcal F_{k-1}`) for Lemmas 3 and 4, a
:class:`State` (:math:`\mathcal F_k`) for the smooth lemmas.  :func:`given_past` and :func:`total` average it down to
:math:`\mathcal F_{k-1}` and to the total expectation: the inequalities are linear in the expectation, so slacks average.
As repaired, Lemmas 3, 4, 5 and 7 speak of :math:`k\ge1`, and of :math:`k=0` for the start ``beta_g0``.

Many of the functions take a ``form``.  ``printed`` is the printed *formula*; it is the default where that formula is true as an average
(in total expectation for Lemma 3, given the past for Lemmas 5 and 7).  Where it is false the default is ``repaired``.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from shbcore.model import checks, constants
from shbcore.model.checks import Number
from shbcore.model.parameters import Parameters, exactly, root
from shbcore.model.rational import REAL_LINE, Interval, RationalProblem
from shbcore.numerics.expectation import Atom, draws, tree
from shbcore.numerics.monitors import Smoothed, V, W, d, envelope_gradient, p, phi, square, x_bar
from shbcore.numerics.solver import (
    STARTS,
    Past,
    Point,
    Start,
    State,
    like,
    move,
    oracle,
    outset,
    place,
    region,
    step_number,
    vector_like,
)

ROUNDING = 1e-11
"""Allowance for floating-point rounding, relative to the largest term of an inequality."""

EXACT = "its expectations are exact, on the line"


@dataclass(frozen=True)
class Slack:
    r"""An inequality ``lhs <= rhs`` with its numbers.  The property ``slack`` is ``rhs - lhs``; the true slack differs from it by at
    most ``error`` (0 in exact arithmetic)."""

    lhs: Number
    rhs: Number
    error: Number = 0
    estimated: bool = field(default=False, repr=False)
    """Whether a constant in it is no more than an estimate: then nothing is decided."""

    def __post_init__(self) -> None:
        for name in ("lhs", "rhs", "error"):
            checks.freeze(self, **{name: checks.settled(name, getattr(self, name), "a side of an inequality")})
        if self.error < 0:
            checks.fail("error", self.error, "be at least 0", "a certified error")

    @property
    def slack(self) -> Number:
        return self.rhs - self.lhs

    @property
    def verdict(self) -> Literal["holds", "fails", "undecided"]:
        """``holds`` where the slack is at least the error, ``fails`` where it is below minus the error; ``undecided`` in between, and
        wherever a constant is an estimate."""
        if self.estimated:
            return "undecided"
        if self.slack >= self.error:
            return "holds"
        return "fails" if self.slack < -self.error else "undecided"


def average(weighted: Iterable[tuple[Number, Slack]]) -> Slack:
    """The weighted mean of both sides and of the error."""
    lhs: Number = 0
    rhs: Number = 0
    error: Number = 0
    mass, estimated = 0.0, False
    for weight, one in weighted:
        checks.nonnegative("weight", weight, checks.LAW)
        checks.instance(Slack, "slack", one, "an inequality of the paper")
        lhs, rhs, error = lhs + weight * one.lhs, rhs + weight * one.rhs, error + weight * one.error
        mass, estimated = mass + float(weight), estimated or one.estimated
    if not abs(mass - 1) <= 1e-9:
        checks.fail("weighted", mass, "have weights that sum to 1", f"a mean over {checks.LAW}")
    return Slack(lhs, rhs, error, estimated)


def compare(left: Sequence[Number], right: Sequence[Number], error: Number = 0, *, estimated: bool = False) -> Slack:
    """The :class:`Slack` of two sums of terms; in floats the error also covers rounding, relative to the largest term."""
    lhs, rhs = sum(left), sum(right)
    if isinstance(lhs, float) or isinstance(rhs, float):
        error = float(error) + ROUNDING * max(abs(float(t)) for t in (*left, *right))
    return Slack(lhs, rhs, error, estimated)


@dataclass(frozen=True)
class Setting:
    r"""What an inequality is evaluated on: a problem, a set, parameters and the constants of the assumptions.

    ``weak_convexity`` is :math:`\rho` (for the smooth lemmas, the Lipschitz constant of :math:`\nabla f`), ``L2`` is :math:`L^2`,
    ``sigma2`` is :math:`\sigma^2`, ``smoothed`` the envelope.  Use :func:`nonsmooth` and :func:`smooth`;
    ``dataclasses.replace`` perturbs a constant; another problem or set needs a new setting.  ``estimated`` says that a constant is
    an estimate, so that no inequality with it is decided.  ``made_for`` is filled in by these two functions: the problem and the set to
    which the constants belong.
    """

    problem: Any
    X: Any
    parameters: Parameters
    weak_convexity: Number
    L2: Number | None = None
    sigma2: Number | None = None
    smoothed: Smoothed | None = None
    start: Start = "beta_g0"
    estimated: bool = False
    made_for: tuple[Any, Any] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        oracle(self.problem)
        region(self.X)
        _current(self.made_for, self.problem, self.X, "the constants")
        if self.smoothed is not None and isinstance(self.smoothed, Smoothed):
            _current((self.smoothed.problem, self.smoothed.X), self.problem, self.X, "the envelope")
        checks.instance(Parameters, "parameters", self.parameters, "stepsize and momentum of alg:iters:def")
        checks.freeze(self, weak_convexity=checks.weak_convexity(self.weak_convexity))
        for name, why in (("L2", "L^2 of (A2)"), ("sigma2", "sigma^2 of (A3)")):
            if getattr(self, name) is not None:
                checks.freeze(self, **{name: checks.nonnegative(name, getattr(self, name), why)})
        if self.smoothed is not None:
            checks.instance(Smoothed, "smoothed", self.smoothed, "the envelope of eq:moreau:env")
        checks.one_of("start", self.start, STARTS, checks.START)

    def next(self, state: State) -> Past:
        return move(self.X, checks.instance(State, "state", state, "F_k of the paper"), self.parameters.alpha)

    def draws(self, past: Past) -> list[tuple[Number, State]]:
        return draws(self.problem, past, self.parameters, start=self.start)

    def past(self, past: Past) -> Past:
        r"""What :math:`\mathcal F_{k-1}` can know: two points of :math:`\mathcal X`, and :math:`x_{-1}=x_0` at :math:`k=0`."""
        checks.instance(Past, "past", past, "F_{k-1} of the paper")
        return Past(*self._points("past", past))

    def _points(self, name: str, at: Past | State) -> tuple[int, Point, Point]:
        k = step_number(f"{name}.k", at.k)
        x_prev, x = (place(self.X, getattr(at, which), f"{name}.{which}") for which in ("x_prev", "x"))
        if k == 0 and not np.array_equal(x_prev, x):
            checks.fail(f"{name}.x_prev", at.x_prev, f"be x = {at.x} at k = 0", "x_{-1} = x_0 of alg:iters:def")
        return k, x_prev, x

    def state(self, state: State) -> State:
        r"""What :math:`\mathcal F_k` can know: also a subgradient of one sample, and the :math:`z_k` that it gives with this start."""
        checks.instance(State, "state", state, "F_k of the paper")
        k, x_prev, x = self._points("state", state)
        z, g_k = (vector_like(f"state.{name}", getattr(state, name), x, "alg:iters:def") for name in ("z", "g"))
        state = state._replace(k=k, x_prev=x_prev, x=x, z=z, g=g_k)
        q, g = self.parameters, self.problem.subgradient(state.x, state.sample)
        beta = like(q.beta, x)
        right = g if k == 0 and self.start == "g0" else beta * g + (1 - beta) * d(state, q)
        for name, found, wanted in (("g", state.g, g), ("z", state.z, right)):
            gap = np.max(np.abs(found - wanted))
            if np.shape(found) != np.shape(wanted) or _beyond(gap, found, wanted):
                words = f"be {wanted}, from sample {state.sample} and start {self.start}"
                checks.fail(f"state.{name}", found, words, "(A1) and alg:iters:def")
        return state

    @cached_property
    def _gammas(self) -> dict[str, Number]:
        r""":math:`\gamma` of Lemma 4, printed and repaired."""
        assert self.smoothed is not None
        q, lam = self.parameters, self.smoothed.envelope
        of = {"weak_convexity": self.weak_convexity, "envelope": lam, "beta": q.beta, "nu": q.nu}
        return {"printed": constants.gamma_printed(**of), "repaired": constants.gamma(**of)}

    def need(self, *names: str) -> None:
        """Refuses a setting in which one of these constants, which an inequality is about, is missing."""
        for name in names:
            if getattr(self, name) is None:
                words = {"smoothed": "envelope"}.get(name, name)
                checks.fail(
                    words, None, "be given with the setting", "the inequality is about it: use nonsmooth or smooth"
                )


def _current(made_for: tuple[Any, Any] | None, problem: Any, X: Any, what: str) -> None:
    """That constants or an envelope belong to this problem and this set."""
    if made_for is None:
        return
    for name, now, before in (("problem", problem, made_for[0]), ("X", X, made_for[1])):
        if now is not before and not (isinstance(now, Interval) and now == before):
            words = f"be the one for which {what} were computed: make the setting anew with nonsmooth or smooth"
            checks.fail(name, now, words, "constants and envelope belong to a problem and a set")


def _beyond(gap: Number, *terms: Any) -> bool:
    """Whether two vectors differ: exactly, or beyond rounding in floats."""
    if isinstance(gap, float):
        return not gap <= 1e-9 * (1 + max(float(np.max(np.abs(term))) for term in terms))
    return bool(gap != 0)


def nonsmooth(
    problem: Any,
    X: Any,
    parameters: Parameters,
    *,
    envelope: Number | None = None,
    start: Start = "beta_g0",
    tol: float = 1e-12,
) -> Setting:
    r"""The setting of Lemmas 3 and 4 with the problem's own :math:`\rho` and :math:`L^2`; ``envelope`` is needed for Lemma 4."""
    checks.answers("problem", problem, ("rho", "L2"), "a problem with its constants, eqn:objective")
    rho, L2 = problem.rho, problem.L2(X)
    guessed = _guessed(problem, ("known_rho",), ("known_L2", X))
    smoothed = None
    if envelope is not None:
        checks.envelope_parameter(envelope, weak_convexity=rho, result="lem:Vfunc:non-smooth")
        smoothed = Smoothed(problem, X, envelope=envelope, tol=tol)
    more: Any = {"smoothed": smoothed, "start": start, "estimated": guessed, "made_for": (problem, X)}
    return Setting(problem, X, parameters, rho, L2=L2, **more)


def _guessed(problem: Any, *asked: tuple[Any, ...]) -> bool:
    """Whether one of these constants is estimated; a declared one is taken on the word of whoever declared it."""
    found = [getattr(problem, name)(*of) for name, *of in asked if hasattr(problem, name)]
    return any(one.how == "estimated" for one in found)


def smooth(problem: Any, X: Any, parameters: Parameters, *, start: Start = "beta_g0") -> Setting:
    r"""The setting of ``lem:Wfunc:smooth`` with the problem's own smoothness and :math:`\sigma^2`, for :math:`\alpha\le1/(4\rho)`."""
    checks.answers("problem", problem, ("known_smoothness", "sigma2"), "a problem with its constants, eqn:objective")
    checks.instance(Parameters, "parameters", parameters, "stepsize and momentum of alg:iters:def")
    rho, sigma2 = problem.smoothness, problem.sigma2(X)
    checks.smooth_stepsize(parameters.alpha, weak_convexity=rho)
    guessed = _guessed(problem, ("known_smoothness",), ("known_sigma2", X))
    more: Any = {"start": start, "estimated": guessed, "made_for": (problem, X)}
    return Setting(problem, X, parameters, rho, sigma2=sigma2, **more)


def _ready(s: Setting, *names: str) -> Setting:
    """A setting with the constants that an inequality is about."""
    checks.instance(Setting, "s", s, "made by nonsmooth or smooth")
    s.need(*names)
    return s


def lemma_3(s: Setting, past: Past, form: Literal["printed", "conditional"] = "printed") -> Slack:
    r"""Both sides of ``lem:xdiff:non-smooth`` given :math:`\mathcal F_{k-1}`:

    .. math:: (1-\beta)f(x_k)+\mathbb E[\tfrac\nu2\|p_{k+1}\|^2]\le(1-\beta)f(x_{k-1})+\tfrac\nu2\|p_k\|^2-\alpha\,\mathbb E\|d_{k+1}\|^2+n.

    With the form ``printed``, the noise is :math:`n=\alpha^2(\rho(1-\beta)/2+\nu)L^2`, which is true in total expectation.  With the form
    ``conditional``, :math:`n=\tfrac{\alpha^2}2(1-\beta)(\rho+\nu)\|d_k\|^2+\tfrac{\nu\alpha^2}2(1+\beta)L^2`, which is true given
    :math:`\mathcal F_{k-1}`.
    """
    checks.one_of("form", form, ("printed", "conditional"), "lem:xdiff:non-smooth")
    past = _ready(s, "L2").past(past)
    q, rho = s.parameters, s.weak_convexity
    alpha, beta, nu = q.alpha, q.beta, q.nu
    f = s.problem.value
    ahead = [(w, s.next(state)) for w, state in s.draws(past)]
    p_next = sum(w * square(p(after, q)) for w, after in ahead)
    d_next = sum(w * square(d(after, q)) for w, after in ahead)
    if form == "printed":
        noise = alpha * alpha * constants.lemma_3_noise(weak_convexity=rho, beta=beta, nu=nu) * s.L2
    else:
        of = {"weak_convexity": rho, "beta": beta, "nu": nu, "L2": s.L2, "d2": square(d(past, q))}
        noise = alpha * alpha * constants.lemma_3_noise_given(**of)
    rest = nu / 2 * square(p(past, q))
    return compare(
        [(1 - beta) * f(past.x), nu / 2 * p_next],
        [(1 - beta) * f(past.x_prev), rest, -alpha * d_next, noise],
        estimated=s.estimated,
    )


def lemma_4_forms(s: Setting, past: Past) -> dict[str, Slack]:
    r"""Both sides of ``lem:Vfunc:non-smooth`` given :math:`\mathcal F_{k-1}` in three forms, which differ in the noise :math:`n` only:

    .. math:: \mathbb E[V_{k+1}]\le V_k-\tfrac\alpha2\|\nabla F_\lambda(\bar x_k)\|^2+n.

    ``printed`` and ``repaired`` have :math:`n=\gamma\alpha^2L^2/(2\lambda)` with the printed and the repaired :math:`\gamma`; the repaired
    one is true in total expectation.  ``conditional`` is true given :math:`\mathcal F_{k-1}`:

    .. math:: n=\Bigl(\frac{\alpha^2\rho\xi}{2\lambda}+\frac{\alpha^2\xi^2(1-\beta)(\rho+\nu)}{4\lambda^2}\Bigr)\|d_k\|^2
        +\frac{\alpha^2L^2}{2\lambda}\Bigl(1+\frac{\xi^2\nu(1+\beta)}{2\lambda}\Bigr).
    """
    past = _ready(s, "L2", "smoothed").past(past)
    assert s.smoothed is not None
    q, rho, lam = s.parameters, s.weak_convexity, s.smoothed.envelope
    alpha, beta, nu, xi = q.alpha, q.beta, q.nu, q.xi
    V_next, error = _next_V(s, past)
    here = s.smoothed(x_bar(past, q))
    V_now = V(past, s.problem, q, here.value, envelope=lam).total
    gradient = envelope_gradient(x_bar(past, q), here, envelope=lam)
    if here.radius:  # the envelope lies in [value - gap, value]
        error = error + here.gap + alpha / 2 * gradient_error(gradient, here, lam)
    on_d = rho * xi / (2 * lam) + xi * xi * (1 - beta) * (rho + nu) / (4 * lam * lam)
    on_L = (1 + xi * xi * nu * (1 + beta) / (2 * lam)) / (2 * lam)
    noise = {"conditional": alpha * alpha * (on_d * square(d(past, q)) + on_L * s.L2)}
    for form, gamma in s._gammas.items():
        noise[form] = gamma * alpha * alpha * s.L2 / (2 * lam)
    return {
        form: compare([V_next], [V_now, -alpha / 2 * square(gradient), N], error, estimated=s.estimated)
        for form, N in noise.items()
    }


def lemma_4(s: Setting, past: Past, form: Literal["printed", "repaired", "conditional"] = "repaired") -> Slack:
    r"""Both sides of Lemma 4 given :math:`\mathcal F_{k-1}`, in one of its :func:`lemma_4_forms`: by default the repaired one.

    The repaired form is true in total expectation, so given a single past it may fail; ``conditional`` is true given each past.
    """
    checks.one_of("form", form, ("printed", "repaired", "conditional"), "lem:Vfunc:non-smooth")
    return lemma_4_forms(s, past)[form]


def gradient_error(gradient: Point, here: Any, lam: Number) -> Number:
    r"""How far :math:`\|\nabla F_\lambda\|^2` may be off, with the prox within the radius; 0 in exact arithmetic."""
    if not here.radius:
        return 0
    return (2 * math.sqrt(square(gradient)) + here.radius / lam) * here.radius / lam


def _next_V(s: Setting, past: Past) -> tuple[Number, Number]:
    r""":math:`\mathbb E[V_{k+1}\mid\mathcal F_{k-1}]` and its certified error."""
    assert s.smoothed is not None
    q, lam = s.parameters, s.smoothed.envelope
    ahead = [(w, s.next(state)) for w, state in s.draws(past)]
    there = s.smoothed.many([x_bar(after, q) for _, after in ahead])
    pairs = list(zip(ahead, there, strict=True))
    expected = sum(w * V(after, s.problem, q, F.value, envelope=lam).total for (w, after), F in pairs)
    return expected, sum(w * F.gap for (w, _), F in pairs)


def first_step(s: Setting, x0: Point) -> Slack:
    r"""The first step with the printed start: what replaces :math:`V_0\le\gamma_1f(x_0)`, since Lemma 4 then begins at :math:`k=1`:

    .. math:: \mathbb EV_1+\frac1{2\nu}\|\nabla F_\lambda(x_0)\|^2
        \le\gamma_1f(x_0)+L^2\Bigl(\frac1{2\lambda\nu^2}+\frac{\nu\xi^4}{4\lambda^2}+\frac{\alpha\xi^2}{2\lambda^2}\Bigr).
    """
    _ready(s, "L2", "smoothed")
    assert s.smoothed is not None
    q, lam = s.parameters, s.smoothed.envelope
    past = outset(s.X, x0)
    x0 = past.x
    lhs, error = _next_V(s, past)
    here = s.smoothed(x0)
    gradient = envelope_gradient(x0, here, envelope=lam)
    error = error + gradient_error(gradient, here, lam) / (2 * q.nu)
    noise = s.L2 * constants.start_excess(envelope=lam, alpha=q.alpha, beta=q.beta, nu=q.nu)
    right = [q.gamma_1(envelope=lam) * s.problem.value(x0), noise]
    return compare([lhs, square(gradient) / (2 * q.nu)], right, error, estimated=s.estimated)


def _fresh(s: Setting, after: Past, z: Point) -> tuple[Number, Number]:
    r""":math:`\mathbb E[\varphi_{k+1}\mid\mathcal F_k]` and :math:`\mathbb E[\|z_{k+1}-z_k\|^2\mid\mathcal F_k]`; vectors as one array."""
    if not isinstance(after.x, np.ndarray):
        ahead = s.draws(after)
        return sum(w * phi(new, s.X, s.parameters) for w, new in ahead), sum(w * square(new.z - z) for w, new in ahead)
    alpha, beta = float(s.parameters.alpha), float(s.parameters.beta)
    Z = beta * s.problem.subgradients(after.x) + (1 - beta) * d(after, s.parameters)
    move = s.X.project(after.x - alpha * Z) - after.x
    phis = -alpha * np.sum(Z * move, axis=1) - np.sum(move * move, axis=1) / 2
    return float(s.problem.weights @ phis), float(s.problem.weights @ np.sum((Z - z) ** 2, axis=1))


def lemma_xdiff_smooth(s: Setting, state: State) -> Slack:
    r"""Both sides of ``lem:xdiff:smooth`` given :math:`\mathcal F_k`, as printed; weak convexity is enough:

    .. math:: \mathbb E\Bigl[f(x_{k+1})+\frac{\varphi_{k+1}}{\nu\alpha^2}\Bigr]\le f(x_k)+\frac{\varphi_k}{\nu\alpha^2}
        -\Bigl(\alpha-\frac{\rho\alpha^2}2\Bigr)\|d_{k+1}\|^2+\frac1{2\nu}\mathbb E\|z_{k+1}-z_k\|^2.
    """
    state = _ready(s).state(state)
    q = s.parameters
    alpha, nu = q.alpha, q.nu
    after = s.next(state)
    phi_next, jump = _fresh(s, after, state.z)
    scale = nu * alpha * alpha
    descent = -(alpha - s.weak_convexity * alpha * alpha / 2) * square(d(after, q))
    return compare(
        [s.problem.value(after.x), phi_next / scale],
        [s.problem.value(state.x), phi(state, s.X, q) / scale, descent, jump / (2 * nu)],
        estimated=s.estimated,
    )


def lemma_z_diff(s: Setting, state: State, form: Literal["printed", "sharp"] = "printed") -> Slack:
    r"""Both sides of ``lem:z:diff`` given :math:`\mathcal F_k`:

    .. math:: \frac1{2\nu}\mathbb E\|z_{k+1}-z_k\|^2\le{}&f(x_k)-f(x_{k+1})+\frac\xi2(\|d_k\|^2-\|d_{k+1}\|^2)\\
        &-\Bigl(\alpha-\frac{\alpha^3\rho^2+c\rho\alpha^2}2\Bigr)\|d_{k+1}\|^2+N\nu\alpha^2\sigma^2.

    The form ``printed`` has :math:`c=3`, :math:`N=4`, the form ``sharp`` :math:`c=1`, :math:`N=3`; a smaller :math:`N` would do too.
    Both are true given :math:`\mathcal F_{k-1}`, not given :math:`\mathcal F_k`.
    """
    checks.one_of("form", form, ("printed", "sharp"), "lem:z:diff")
    state = _ready(s, "sigma2").state(state)
    q, rho = s.parameters, s.weak_convexity
    alpha, nu = q.alpha, q.nu
    after = s.next(state)
    _, jump = _fresh(s, after, state.z)
    d_now, d_next = square(d(state, q)), square(d(after, q))
    c, factor = (3, 4) if form == "printed" else (1, 3)
    descent = -(alpha - (alpha * alpha * alpha * rho * rho + c * rho * alpha * alpha) / 2) * d_next
    noise = factor * nu * alpha * alpha * s.sigma2
    f = s.problem.value
    right = [f(state.x), -f(after.x), q.xi / 2 * (d_now - d_next), descent, noise]
    return compare([jump / (2 * nu)], right, estimated=s.estimated)


def lemma_W(s: Setting, state: State, form: Literal["printed", "sharp"] = "printed") -> Slack:
    r"""Both sides of ``lem:Wfunc:smooth`` given :math:`\mathcal F_k`:

    .. math:: \mathbb E[W_{k+1}]\le W_k-\alpha\|d_{k+1}\|^2+N\nu\alpha^2\sigma^2.

    The form ``printed`` has :math:`N=4`, the form ``sharp`` :math:`N=1+\beta(1+\rho\alpha)`.  They are true given
    :math:`\mathcal F_{k-1}`, ``sharp`` for :math:`f` smooth on all of :math:`\mathbb R^n`; not given :math:`\mathcal F_k`: at a single
    state the inequality may fail.  :func:`given_past` averages it over the sample of the step.
    """
    checks.one_of("form", form, ("printed", "sharp"), "lem:Wfunc:smooth")
    state = _ready(s, "sigma2").state(state)
    q = s.parameters
    after = s.next(state)
    phi_next, _ = _fresh(s, after, state.z)
    w = q.W_weights()
    W_next = [w.f * s.problem.value(after.x), w.phi * phi_next, w.d * square(d(after, q))]
    least = constants.W_noise(weak_convexity=s.weak_convexity, alpha=q.alpha, beta=q.beta)
    noise = (4 if form == "printed" else least) * q.nu * q.alpha * q.alpha * s.sigma2
    right = [W(state, s.problem, s.X, q).total, -q.alpha * square(d(after, q)), noise]
    return compare(W_next, right, estimated=s.estimated)


def given_past(s: Setting, past: Past, inequality: Callable[[Setting, State], Slack]) -> Slack:
    r"""An inequality known at :math:`\mathcal F_k`, averaged over :math:`S_k`: both sides given :math:`\mathcal F_{k-1}`."""
    checks.function("inequality", inequality, "an inequality known at F_k")
    past = _ready(s).past(past)
    return average((weight, inequality(s, state)) for weight, state in s.draws(past))


def total(s: Setting, level: Sequence[Atom], inequality: Callable[[Setting, Past], Slack]) -> Slack:
    r"""An inequality known at :math:`\mathcal F_{k-1}`, in total expectation over one of the levels of :func:`tree`."""
    checks.function("inequality", inequality, "an inequality known at F_{k-1}")
    _ready(s)
    mass = float(sum(probability for probability, _ in checks.sequence("level", level, "a level of a tree", least=1)))
    if abs(mass - 1) > 1e-9:
        checks.fail("level", mass, "have probabilities that sum to 1", "a whole level of the tree of samples")
    return average((probability, inequality(s, past)) for probability, past in level)


def over_tree(
    s: Setting, x0: Point, depth: int, inequality: Callable[[Setting, Past], Slack]
) -> list[list[tuple[Number, Slack]]]:
    r"""Every history up to ``depth``, level by level: its probability and its slack given :math:`\mathcal F_{k-1}`.

    :func:`average` of a level is the slack in total expectation.
    """
    checks.function("inequality", inequality, "an inequality known at F_{k-1}")
    levels = tree(_ready(s).problem, s.X, s.parameters, x0, depth, start=s.start)
    return [[(probability, inequality(s, past)) for probability, past in level] for level in levels]


def _stationarity(s: Setting, x0: Point, K: int, first: int) -> Number:
    r""":math:`\mathbb E\|\nabla F_\lambda(\bar x_{k^*})\|^2`, :math:`k^*` uniform on ``first``, ..., ``first`` + K; index -1 is index 0."""
    assert s.smoothed is not None
    lam = s.smoothed.envelope
    levels = tree(
        s.problem, s.X, s.parameters, x0, max(first + K, 0), start=s.start, merge=isinstance(s.problem, RationalProblem)
    )
    means = [
        sum(
            probability * square(envelope_gradient(y, s.smoothed(y), envelope=lam))
            for probability, y in ((atom.probability, x_bar(atom.past, s.parameters)) for atom in level)
        )
        for level in levels
    ]
    return sum(means[max(k, 0)] for k in range(first, first + K + 1)) / (K + 1)


def theorem_1(
    problem: RationalProblem,
    X: Any,
    x0: Point,
    *,
    alpha_0: Number,
    K: int,
    envelope: Number,
    form: Literal["printed", "repaired", "ten"] = "repaired",
    start: Start = "beta_g0",
    bounded: Literal["L2", "sigma2+G2"] = "L2",
) -> Slack:
    r"""Both sides of ``thrm:non-smooth:complexity`` over the whole tree of samples, :math:`\alpha=\alpha_0/\sqrt{K+1}`,
    :math:`\nu=1/\alpha_0`.

    The form ``printed`` is its first display with the printed :math:`\gamma`; ``repaired`` has :math:`\alpha_0^2` on the noise
    and the right :math:`\gamma`; ``ten`` is the last display, for :math:`\alpha_0=1/\rho`, :math:`\lambda=1/(2\rho)`.
    ``bounded`` says what bounds the second moment: ``L2`` of (A2), or ``sigma2+G2``, which is :math:`\sigma^2+G^2` as in Theorem 2.
    Exact if :math:`K+1` is a square.
    """
    checks.one_of("form", form, ("printed", "repaired", "ten"), "thrm:non-smooth:complexity")
    checks.one_of("bounded", bounded, ("L2", "sigma2+G2"), "(A2), or (A3) and Theorem 2")
    checks.instance(RationalProblem, "problem", problem, EXACT)
    checks.instance(Interval, "X", X, EXACT)
    x0 = place(X, x0, "x0")
    envelope = exactly(checks.positive("envelope", envelope, "lambda of thrm:non-smooth:complexity"))
    alpha_0 = exactly(checks.positive("alpha_0", alpha_0, "thrm:non-smooth:complexity"))
    K = checks.count("K", K, "the number of iterations is K + 1", least=0)
    s = nonsmooth(problem, X, Parameters.theorem_1(alpha_0, K), envelope=envelope, start=start)
    rho, q = s.weak_convexity, s.parameters
    gap = problem.value(x0) - problem.f_star(X)
    L2 = s.L2 if bounded == "L2" else problem.sigma2(X) + problem.G2(X)
    lhs = _stationarity(s, x0, K, 0)
    if form == "ten":
        if alpha_0 * rho != 1 or 2 * rho * envelope != 1:
            checks.fail(
                "alpha_0", alpha_0, f"be 1/rho with rho = {rho}, and envelope 1/(2 rho)", "thrm:non-smooth:complexity"
            )
        return compare([lhs], [10 * (rho * gap + L2) / root(K)])
    gamma, bound = {
        "printed": (constants.gamma_printed, constants.theorem_1_bound_printed),
        "repaired": (constants.gamma, constants.theorem_1_bound),
    }[form]
    g = gamma(weak_convexity=rho, envelope=envelope, beta=q.beta, nu=q.nu)
    g_1 = q.gamma_1(envelope=envelope)
    return compare(
        [lhs], [bound(gap=gap, L2=L2, envelope=envelope, gamma=g, gamma_1=g_1, alpha_0=alpha_0, root=root(K))]
    )


def theorem_2(problem: RationalProblem, X: Any, x0: Point, **options: Any) -> Slack:
    r"""Both sides of ``thrm:smooth:complexity``: Theorem 1 with :math:`L^2` replaced by :math:`\sigma^2+G^2`; the options are
    those of Theorem 1."""
    if not checks.instance(RationalProblem, "problem", problem, EXACT).smooth:
        checks.fail("problem", problem, "be smooth", "thrm:smooth:complexity")
    return theorem_1(problem, X, x0, bounded="sigma2+G2", **options)


def theorem_3(
    problem: RationalProblem,
    x0: Point,
    *,
    alpha_0: Number,
    K: int,
    envelope: Number,
    form: Literal["first", "second printed", "sharp"] = "first",
    start: Start = "beta_g0",
) -> Slack:
    r"""Both sides of ``thrm:smooth:unconstrained:complexity`` on the real line, :math:`k^*` uniform on :math:`\{-1,\dots,K-1\}`.

    * ``first``, the default: the first display of the theorem.
    * ``second printed``: the display at :math:`\lambda=1/(2\rho)` as it is printed, with :math:`\alpha_0^3` by mistake.  Repaired, it is
      the form ``first`` at this :math:`\lambda`.
    * ``sharp``: the form ``first`` with :math:`1+2\alpha_0/\lambda` in place of :math:`1+8\alpha_0/\lambda`, for
      :math:`\alpha_0\le1/(2\rho)`; it comes from the sharper Lemma 5.  The theorem with the smaller constants of
      `Use it <use_it.html>`__ is another one, which is not computed here.
    """
    checks.one_of("form", form, ("first", "second printed", "sharp"), "thrm:smooth:unconstrained:complexity")
    checks.instance(RationalProblem, "problem", problem, EXACT)
    x0 = place(REAL_LINE, x0, "x0")
    rho, sigma2 = problem.smoothness, problem.sigma2(REAL_LINE)
    envelope = exactly(checks.positive("envelope", envelope, "lambda of thrm:smooth:unconstrained:complexity"))
    alpha_0 = exactly(checks.positive("alpha_0", alpha_0, "thrm:smooth:unconstrained:complexity"))
    K = checks.count("K", K, "the number of iterations is K + 1", least=0)
    checks.envelope_parameter(envelope, weak_convexity=rho, result="thrm:smooth:unconstrained:complexity")
    checks.smooth_stepsize(alpha_0, weak_convexity=rho, name="alpha_0", share=2 if form == "sharp" else 4)
    parameters = Parameters.theorem_1(alpha_0, K)
    smoothed = Smoothed(problem, REAL_LINE, envelope=envelope)
    s = Setting(problem, REAL_LINE, parameters, rho, sigma2=sigma2, smoothed=smoothed, start=start)
    gap = problem.value(x0) - problem.f_star(REAL_LINE)
    lhs = _stationarity(s, x0, K, -1)
    if form == "second printed":
        if 2 * rho * envelope != 1:
            checks.fail("envelope", envelope, f"be 1/(2 rho) with rho = {rho}", "thrm:smooth:unconstrained:complexity")
        noise = (rho + 16 * alpha_0 * rho * rho) * sigma2 * alpha_0 * alpha_0 * alpha_0
        rhs = 4 * ((1 + 8 * rho * rho * alpha_0 * alpha_0) * gap + noise) / (alpha_0 * root(K))
    else:
        of = {"gap": gap, "sigma2": sigma2, "weak_convexity": rho, "envelope": envelope, "alpha_0": alpha_0}
        rhs = constants.theorem_3_bound(root=root(K), factor=2 if form == "sharp" else 8, **of)
    return compare([lhs], [rhs])
