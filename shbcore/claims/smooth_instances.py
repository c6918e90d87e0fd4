r"""The smooth half by enumeration: random rational problems, whole trees, exact numbers; and the problems of its counterexamples.

The lines prove the same for all problems; this is the second, independent way, and it knows nothing of the proof language.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np
from gmpy2 import mpq

from shbcore.claims.enumeration import draw, exact_instance
from shbcore.claims.evidence import Comparison, exact
from shbcore.claims.registry import Check
from shbcore.claims.trial import Trial
from shbcore.model.constants import Number
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import W, d, phi
from shbcore.numerics.slack import Setting, Slack
from shbcore.numerics.solver import State
from shbcore.proof.facts import rho

F = Fraction
NINE_TENTHS, QUARTER = mpq(9, 10), mpq(1, 4)
FAR = "random problems are no worst cases: most leave a large part of the bound unused"

PARABOLA = PiecewiseQuadratic.build((), [1])
HUBER = PiecewiseQuadratic.build([-1, 1], [0, 1, 0], slope=-1)
"""The parabola on [-1, 1], continued by its tangents: its gradient is bounded."""

SLIDE = Trial(
    *(RationalProblem((PARABOLA,)), REAL_LINE, F(1), F(1, 4), F(1, 2)),
    smooth=True,
    words="f(x) = x^2/2 without noise (rho = 1), x_0 = 1, alpha = 1/4, beta = 1/2 (nu = 2), k = 0, z_0 = g_0 as printed",
)
"""No noise at all: a gradient step of full length where the recursion would make a shorter one."""

_COIN = tuple(PiecewiseQuadratic((), ((F(1), s, F(0)),)) for s in (F(1), F(-1)))
COIN = Trial(
    *(RationalProblem(_COIN), REAL_LINE, F(-8), F(1, 4), F(1, 2)),
    smooth=True,
    words="f(x) = x^2/2, f'(x,S) = x +- 1 with probability 1/2 (sigma = rho = 1), alpha = 1/4, beta = 1/2, x_0 = -8, "
    "z_0 = g_0 as printed; k = 1",
)

_TOSS = tuple(PiecewiseQuadratic.build((), [0], slope=s) for s in (1, -1))
TOSS_WORDS = "f = 0, f'(x,S) = +-1 with probability 1/2 each (sigma = 1), rho = 1, alpha = beta = 1/4 (nu = 1), k = 0, z_0 = g_0 as printed"
TOSS = Trial(RationalProblem(_TOSS), REAL_LINE, F(0), F(1, 4), F(1, 4), values={rho: F(1)}, words=TOSS_WORDS)


def settings(count: int = 9, seed: int = 6) -> Iterator[tuple[Setting, Number]]:
    r"""Smooth problems at :math:`\alpha\le1/(4\rho)`, on intervals and on the line, with their starting points."""
    rng = np.random.default_rng(seed)
    for j in range(count):
        case = exact_instance("linear noise" if j % 3 == 0 else "smooth", rng, bounded=j % 2 == 0)
        alpha = 1 / (4 * case.problem.smoothness) if case.problem.smoothness else mpq(1, 4)
        yield slack.smooth(case.problem, case.X, Parameters(alpha, draw(rng, "1/4", "1/2", "3/4", "1"))), case.x0


def _comparison(one: Slack, share: Number) -> Comparison:
    return Comparison(one.lhs, one.rhs - (1 - share) * abs(one.rhs))


def given_the_past(inequality: Callable[[Setting, State], Slack], share: Number = 1) -> Iterator[Comparison]:
    r"""A smooth inequality averaged over :math:`S_k`, at every history."""
    for setting, x0 in settings():
        for level in tree(setting.problem, setting.X, setting.parameters, x0, 2):
            for atom in level:
                yield _comparison(slack.given_past(setting, atom.past, inequality), share)


def given_the_present(share: Number = 1) -> Iterator[Comparison]:
    r"""Lemma 6 given :math:`\mathcal F_k`, at every state."""
    for setting, x0 in settings():
        for atom in tree(setting.problem, setting.X, setting.parameters, x0, 1)[1]:
            for _, state in setting.draws(atom.past):
                yield _comparison(slack.lemma_xdiff_smooth(setting, state), share)


def bounded_below() -> Iterator[tuple[Setting, Number, Number]]:
    """The settings in which f has a least value on X, with their starting points and that value."""
    for setting, x0 in settings():
        with suppress(ValueError):
            yield setting, x0, setting.problem.f_star(setting.X)


def lower_bounds(share: Number = 0) -> Iterator[Comparison]:
    r""":math:`\varphi_k\ge0` and :math:`W_k\ge2f^\star`."""
    for setting, x0, star in bounded_below():
        q = setting.parameters
        for atom in tree(setting.problem, setting.X, q, x0, 1)[1]:
            for _, state in setting.draws(atom.past):
                yield Comparison(share, phi(state, setting.X, q))
                yield Comparison(2 * star, W(state, setting.problem, setting.X, q).total)


def smooth_gradients(share: Number = 1) -> Iterator[Comparison]:
    r""":math:`|f'(x)-f'(y)|\le\rho|x-y|`, and :math:`f+\tfrac\rho2x^2` is convex."""
    for setting, x0 in settings():
        f, bend = setting.problem.mean, setting.weak_convexity
        for x in (x0, *f.breaks):
            for y in (x + mpq(1, 3), x - mpq(1, 4)):
                yield Comparison(abs(f.subgradient(x) - f.subgradient(y)), share * bend * abs(x - y))
                yield Comparison((f.subgradient(y) - f.subgradient(x)) * (x - y), bend * (x - y) ** 2)


def variances(share: Number = 1) -> Iterator[Comparison]:
    r"""(A3) at kinks, with the problem's own constant."""
    for setting, x0 in settings():
        problem = setting.problem
        for x in (x0, *(setting.X.project(b) for b in problem.mean.breaks)):
            g = problem.subgradients(x)
            centre = sum(w * s for w, s in zip(problem.weights, g))
            yield Comparison(sum(w * (s - centre) ** 2 for w, s in zip(problem.weights, g)), share * setting.sigma2)


def sum_of_steps(share: Number = 1) -> Iterator[Comparison]:
    r"""Lemma 5 summed over three steps: :math:`\alpha\sum\mathrm E\|d_{k+1}\|^2\le\mathrm E[W_0]-2f^\star+12\nu\alpha^2\sigma^2`."""
    for setting, x0, star in bounded_below():
        q = setting.parameters
        levels = tree(setting.problem, setting.X, q, x0, 3)
        steps = q.alpha * sum(atom.probability * d(atom.past, q) ** 2 for level in levels[1:] for atom in level)
        first = sum(w * W(s, setting.problem, setting.X, q).total for w, s in setting.draws(levels[0][0].past))
        yield Comparison(steps, share * (first - 2 * star + 12 * q.nu * q.alpha**2 * setting.sigma2))


def virtual(known: bool = True) -> Iterator[Comparison]:
    r""":math:`x'_{k+1}` does not depend on :math:`S_k` (the control asks it of :math:`x_{k+1}`), and :math:`z_k-q_k=\beta\Delta_k`."""
    for setting, x0 in settings():
        q, f = setting.parameters, setting.problem
        for atom in tree(f, setting.X, q, x0, 1)[1]:
            found = []
            for _, state in setting.draws(atom.past):
                direction = q.beta * f.mean_subgradient(state.x) + (1 - q.beta) * d(state, q)
                yield Comparison(state.z - direction, q.beta * (state.g - f.mean_subgradient(state.x)), "=")
                found.append(setting.X.project(state.x - q.alpha * direction) if known else setting.next(state).x)
            yield from (Comparison(one, found[0], "=") for one in found)


def unbounded(f: PiecewiseQuadratic = PARABOLA) -> Iterator[Comparison]:
    r"""Whatever :math:`G` is proposed, :math:`|f'(2G)|\ge2G` breaks it; on :math:`[-G,G]` it is right."""
    for G in (F(1), F(10), F(1000)):
        yield Comparison(2 * G, abs(f.subgradient(2 * G)))
        yield Comparison(RationalProblem((f,)).G2(Interval(-G, G)), G * G)


def _quarter(what: str, lines: Callable[..., Iterator[Comparison]]) -> Check:
    return exact(lines, what, "a quarter of the right side", share=QUARTER, far=FAR)


LEMMA_5 = _quarter("Lemma 5 given F_{k-1}, whole trees", partial(given_the_past, slack.lemma_W))
LEMMA_6 = _quarter("Lemma 6 given F_k, whole trees", given_the_present)
LEMMA_7 = _quarter("Lemma 7 given F_{k-1}, whole trees", partial(given_the_past, slack.lemma_z_diff))
LOWER = exact(lower_bounds, "phi_k >= 0 and W_k >= 2 f*", "phi_k >= 1", share=1, far=FAR)
GRADIENTS = exact(smooth_gradients, "gradients at breaks", "nine tenths of rho", share=NINE_TENTHS)
VARIANCES = exact(variances, "at kinks", "nine tenths of sigma^2", share=NINE_TENTHS)
SUMMED = exact(sum_of_steps, "three steps summed", "a twentieth of the right side", share=mpq(1, 20), far=FAR)
VIRTUAL = exact(virtual, "known before S_k", "the same of x_{k+1}", known=False, far="another vector, not a constant")
UNBOUNDED = exact(
    unbounded,
    "f = x^2/2 breaks every G at 2G, and keeps it on [-G, G]",
    "the same of a function that is linear beyond [-1, 1]",
    f=HUBER,
    far="another function, not a constant",
)
