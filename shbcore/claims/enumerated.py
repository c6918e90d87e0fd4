r"""Exact evidence by enumeration: definitions, assumptions, lemmas and theorems on random rational problems and whole sample trees.

The certificates prove the same for all problems; this is the second, independent way, and it knows nothing of the algebra.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import sympy as sp
from gmpy2 import mpq

from shbcore.claims.enumeration import distribution, draw, exact_instance
from shbcore.claims.evidence_old import Line, exact, identity
from shbcore.claims.ledger import Check, Outcome
from shbcore.model import constants
from shbcore.model.constants import Number
from shbcore.model.instances import KINDS, Instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import V, W, d, p, phi, x_bar
from shbcore.numerics.slack import Setting, Slack
from shbcore.numerics.solver import Past, State

NINE = mpq(9, 10)
beta, nu, xi, lam = sp.symbols("beta nu xi lambda")
Given = Callable[[Setting, Past], Slack]


def cases(count: int = 15, seed: int = 5) -> Iterator[tuple[Instance, Parameters, np.random.Generator]]:
    r"""Problems with random :math:`\alpha,\beta`, of bounded subgradients."""
    rng = np.random.default_rng(seed)
    for j in range(count):
        kind = KINDS[j % len(KINDS)]
        case = exact_instance(kind, rng, bounded=kind == "smooth" or j % 2 == 0)
        yield case, Parameters(draw(rng, "1/4", "1/2", "1"), draw(rng, "1/4", "1/2", "3/4", "1")), rng


def smooth_settings(count: int = 9, seed: int = 6) -> Iterator[tuple[Setting, Number]]:
    r"""Smooth problems at :math:`\alpha\le1/(4\rho)`, on intervals and on the line, with their starting points."""
    rng = np.random.default_rng(seed)
    for j in range(count):
        case = exact_instance("linear noise" if j % 3 == 0 else "smooth", rng, bounded=j % 2 == 0)
        alpha = 1 / (4 * case.problem.smoothness) if case.problem.smoothness else mpq(1, 4)
        yield slack.smooth(case.problem, case.X, Parameters(alpha, draw(rng, "1/4", "1/2", "3/4", "1"))), case.x0


def states(depth: int = 2) -> Iterator[tuple[Setting, State]]:
    """Every state of small trees."""
    for case, q, _ in cases(8):
        setting = slack.nonsmooth(case.problem, case.X, q)
        for level in tree(case.problem, case.X, q, case.x0, depth):
            for atom in level:
                yield from ((setting, state) for _, state in setting.draws(atom.past))


def in_total_expectation(
    inequality: Given, *, depth: int = 3, envelope: bool = False, share: Number = 1
) -> Iterator[Line]:
    """An inequality given the past, averaged over each level of the tree; ``share`` of the noise is a perturbed claim."""
    for case, q, rng in cases():
        rho = case.problem.rho
        at = 1 / (2 * rho + draw(rng, "0", "1")) if rho else mpq(1)
        setting = slack.nonsmooth(case.problem, case.X, q, envelope=at if envelope else None)
        for level in tree(case.problem, case.X, q, case.x0, depth):
            one = slack.total(setting, level, inequality)
            yield Line(one.lhs, one.rhs - (1 - share) * abs(one.rhs))


def given_the_past(
    inequality: Callable[[Setting, State], Slack], *, depth: int = 2, share: Number = 1
) -> Iterator[Line]:
    r"""A smooth inequality averaged over :math:`S_k`, at every history."""
    for setting, x0 in smooth_settings():
        for level in tree(setting.problem, setting.X, setting.parameters, x0, depth):
            for atom in level:
                one = slack.given_past(setting, atom.past, inequality)
                yield Line(one.lhs, one.rhs - (1 - share) * abs(one.rhs))


def given_the_present(share: Number = 1) -> Iterator[Line]:
    r"""``lem:xdiff:smooth`` given :math:`\mathcal F_k`, at every state."""
    for setting, x0 in smooth_settings():
        for atom in tree(setting.problem, setting.X, setting.parameters, x0, 1)[1]:
            for _, state in setting.draws(atom.past):
                one = slack.lemma_xdiff_smooth(setting, state)
                yield Line(one.lhs, one.rhs - (1 - share) * abs(one.rhs))


def mean_subgradient(shift: Fraction = Fraction(0)) -> Iterator[Line]:
    r"""(A1): the mean of the samples' subgradients lies between the one-sided slopes of f."""
    for case, _, _ in cases():
        for x in (case.x0, *case.problem.mean.breaks):
            low, high = case.problem.mean.slopes(x)
            mean = sum(w * g for w, g in zip(case.problem.weights, case.problem.subgradients(x))) + shift
            yield from (Line(low, mean), Line(mean, high))


def second_moments(of: str, share: Number = 1) -> Iterator[Line]:
    r"""(A2) or (A3) at points of :math:`\mathcal X`, with the problem's own constant."""
    for case, _, _ in cases():
        problem = case.problem
        bound = problem.L2(case.X) if of == "L2" else problem.sigma2(case.X)
        for x in (case.x0, *(case.X.project(b) for b in problem.mean.breaks)):
            g = problem.subgradients(x)
            centre = 0 if of == "L2" else sum(w * s for w, s in zip(problem.weights, g))
            yield Line(sum(w * (s - centre) ** 2 for w, s in zip(problem.weights, g)), share * bound)


def recursion(old: Number = 1) -> Iterator[Line]:
    r""":math:`z_k=\beta g_k+(1-\beta)d_k` and :math:`x_{k+1}=\Pi(x_k-\alpha z_k)`, recomputed at every state."""
    for s, state in states():
        q = s.parameters
        yield Line(state.z, q.beta * state.g + old * (1 - q.beta) * d(state, q), "=")
        yield Line(s.next(state).x, s.X.project(state.x - q.alpha * state.z), "=")


def p_and_d(factor: Number = 1) -> Iterator[Line]:
    r""":math:`p_k=-\xi d_k` and :math:`\bar x_k=x_k+p_k`."""
    for s, state in states():
        q = s.parameters
        yield Line(p(state, q), -factor * q.xi * d(state, q), "=")
        yield Line(x_bar(state, q) - state.x, p(state, q), "=")


def V_lower(share: Number = 0) -> Iterator[Line]:
    r""":math:`V_k\ge\gamma_1f^\star`, and :math:`V_k` is a function of the last two points only."""
    for case, q, _ in cases():
        rho = case.problem.rho
        at = 1 / (2 * rho + 1)
        setting = slack.nonsmooth(case.problem, case.X, q, envelope=at)
        assert setting.smoothed is not None
        try:
            star = case.problem.f_star(case.X)
        except ValueError:
            continue
        for level in tree(case.problem, case.X, q, case.x0, 2):
            for atom in level:
                value = V(atom.past, case.problem, q, setting.smoothed(x_bar(atom.past, q)).value, envelope=at).total
                yield Line(q.gamma_1(envelope=at) * star + share, value)


def W_lower(share: Number = 0) -> Iterator[Line]:
    r""":math:`\varphi_k\ge0` and :math:`W_k\ge2f^\star`."""
    for setting, x0 in smooth_settings():
        try:
            star = setting.problem.f_star(setting.X)
        except ValueError:
            continue
        q = setting.parameters
        for atom in tree(setting.problem, setting.X, q, x0, 1)[1]:
            for _, state in setting.draws(atom.past):
                yield Line(share, phi(state, setting.X, q))
                yield Line(2 * star, W(state, setting.problem, setting.X, q).total)


def smoothness(share: Number = 1) -> Iterator[Line]:
    r""":math:`|f'(x)-f'(y)|\le\rho|x-y|` and :math:`f+\tfrac\rho2x^2` convex."""
    for setting, x0 in smooth_settings():
        f, rho = setting.problem.mean, setting.weak_convexity
        for x in (x0, *f.breaks):
            for y in (x + mpq(1, 3), x - mpq(1, 4)):
                yield Line(abs(f.subgradient(x) - f.subgradient(y)), share * rho * abs(x - y))
                yield Line((f.subgradient(y) - f.subgradient(x)) * (x - y), rho * (x - y) ** 2)


def sum_of_steps(share: Number = 1) -> Iterator[Line]:
    r"""Lemma 5 summed over three steps: :math:`\alpha\sum\mathrm E\|d_{k+1}\|^2\le\mathrm E[W_0]-2f^\star+12\nu\alpha^2\sigma^2`."""
    for setting, x0 in smooth_settings():
        q = setting.parameters
        try:
            star = setting.problem.f_star(setting.X)
        except ValueError:
            continue
        levels = tree(setting.problem, setting.X, q, x0, 3)
        steps = q.alpha * sum(atom.probability * d(atom.past, q) ** 2 for level in levels[1:] for atom in level)
        first = sum(w * W(s, setting.problem, setting.X, q).total for w, s in setting.draws(levels[0][0].past))
        yield Line(steps, share * (first - 2 * star + 12 * q.nu * q.alpha**2 * setting.sigma2))


def virtual(known: bool = True) -> Iterator[Line]:
    r""":math:`x'_{k+1}` does not depend on :math:`S_k` (the control asks it of :math:`x_{k+1}`), and :math:`z_k-p_k=\beta\Delta_k`."""
    for setting, x0 in smooth_settings():
        q, f = setting.parameters, setting.problem
        for atom in tree(f, setting.X, q, x0, 1)[1]:
            found = []
            for _, state in setting.draws(atom.past):
                direction = q.beta * f.mean_subgradient(state.x) + (1 - q.beta) * d(state, q)
                yield Line(state.z - direction, q.beta * (state.g - f.mean_subgradient(state.x)), "=")
                found.append(setting.X.project(state.x - q.alpha * direction) if known else setting.next(state).x)
            yield from (Line(one, found[0], "=") for one in found)


def unbounded(f: PiecewiseQuadratic) -> Iterator[Line]:
    r"""Whatever :math:`G` is proposed, :math:`|f'(2G)|\ge2G` breaks it; on :math:`[-G,G]` it is right."""
    for G in (Fraction(1), Fraction(10), Fraction(1000)):
        yield Line(2 * G, abs(f.subgradient(2 * G)))
        yield Line(RationalProblem((f,)).G2(Interval(-G, G)), G * G)


PARABOLA = PiecewiseQuadratic.build((), [1])
HUBER = PiecewiseQuadratic.build([-1, 1], [0, 1, 0], slope=-1)
"""The parabola on [-1, 1], continued by its tangents: its gradient is bounded."""


def strongest(theta: Fraction = Fraction(1, 2)) -> Iterator[Line]:
    r""":math:`f(x)=x`, :math:`\alpha=1/4`, :math:`\beta=1/2`, :math:`k=1`: the noise that Lemma 3 needs is the form with
    :math:`\theta=\|d_1\|/L=1/2`, exactly; another :math:`\theta` gives more."""
    q, slope = (
        Parameters(Fraction(1, 4), Fraction(1, 2)),
        RationalProblem((PiecewiseQuadratic.build((), [0], slope=1),)),
    )
    past = tree(slope, REAL_LINE, q, Fraction(0), 1)[1][0].past
    needed = -slack.lemma_3(replace(slack.nonsmooth(slope, REAL_LINE, q), L2=0), past).slack
    of = {"weak_convexity": 0, "beta": q.beta, "nu": q.nu, "L2": Fraction(1), "d2": d(past, q) ** 2, "theta": theta}
    yield Line(needed, q.alpha**2 * constants.lemma_3_noise_given(**of), "=")


def at_every_history(share: Number = 1) -> Iterator[Line]:
    r"""Lemmas 3 and 4 given :math:`\mathcal F_{k-1}` for several :math:`\theta`, at every history of small trees."""
    for case, q, _ in cases(10):
        rho, lam_ = case.problem.rho, 1 / (2 * case.problem.rho + 1)
        s = slack.nonsmooth(case.problem, case.X, q, envelope=lam_)
        silent = replace(s, weak_convexity=0, L2=0)
        for past in (atom.past for level in tree(case.problem, case.X, q, case.x0, 2) for atom in level):
            third, fourth = -slack.lemma_3(silent, past).slack, -slack.lemma_4(silent, past).slack
            for theta in (mpq(1, 4), mpq(1), mpq(3)):
                of = {"beta": q.beta, "nu": q.nu, "L2": s.L2, "d2": d(past, q) ** 2, "theta": theta}
                noise = share * q.alpha**2 * constants.lemma_3_noise_given(weak_convexity=rho, **of)
                yield Line(third, noise)
                own = share * q.alpha**2 * (rho * q.xi * of["d2"] + s.L2) / (2 * lam_)
                yield Line(fourth, own + q.xi**2 / (2 * lam_**2) * noise)


def interior(constrained: bool) -> Iterator[Line]:
    r""":math:`\nabla F_\lambda(\bar x)=f'(\hat x)` on the line, for :math:`f=x^2/2+x`; on :math:`[0,\infty)` it fails at the end."""
    lam_ = mpq(1, 2)
    for x in (mpq(-3), mpq(-1), mpq(0), mpq(2)):
        free = (x - lam_) / (1 + lam_)
        hat = max(free, mpq(0)) if constrained else free
        yield Line((x - hat) / lam_, hat + 1, "=")


def theorem(name: str, form: str = "", scale: int = 1) -> Outcome:
    """Whether no problem violates the theorem with its right side divided by ``scale``."""
    found = distribution(name, form)
    bad = sum(ratio * scale > 1 for ratio in found.ratios)
    return Outcome(
        found.violations == 0 and bad == 0, str(found) if scale == 1 else f"{bad} violations of 1/{scale} of the bound"
    )


def by_enumeration(name: str, scale: int, form: str = "") -> Check:
    """A theorem on 200 random problems."""
    display = ", second display," if form == "ten" else ""
    what = f"{name.replace('_', ' ').capitalize()}{display} on 200 random problems, whole sample trees"
    return Check(
        "exact", what, partial(theorem, name, form), partial(theorem, name, form, scale), f"1/{scale} of the right side"
    )


def total(inequality: Given, what: str, *, envelope: bool = False) -> Check:
    """A lemma in total expectation on whole trees."""
    lines = partial(in_total_expectation, inequality, envelope=envelope)
    return exact(what, lines, partial(lines, share=mpq(1, 4)), "a quarter of the right side")


def conditional(inequality: Callable[[Setting, State], Slack], what: str) -> Check:
    """A smooth lemma given the past on whole trees."""
    lines = partial(given_the_past, inequality)
    return exact(what, lines, partial(lines, share=mpq(1, 4)), "a quarter of the right side")


LEMMA_3 = total(slack.lemma_3, "Lemma 3 in total expectation, whole trees to depth 3")
LEMMA_4 = total(
    partial(slack.lemma_4, form="repaired"), "Lemma 4 in total expectation, whole trees to depth 3", envelope=True
)
FAMILY = exact(
    "Lemmas 3 and 4 given F_{k-1}, theta = 1/4, 1, 3, every history",
    at_every_history,
    partial(at_every_history, mpq(1, 4)),
    "a quarter of the noise",
)
STRONGEST = exact(
    "f(x) = x needs exactly the strongest noise given F_{k-1}, 25/256",
    strongest,
    partial(strongest, Fraction(1)),
    "the form theta = 1, which gives 26/256",
)
LEMMA_5 = conditional(slack.lemma_W, "Lemma 5 given F_{k-1}, whole trees")
LEMMA_6 = exact(
    "Lemma 6 given F_k, whole trees",
    given_the_present,
    partial(given_the_present, mpq(1, 4)),
    "a quarter of the right side",
)
LEMMA_7 = conditional(slack.lemma_z_diff, "Lemma 7 given F_{k-1}, whole trees")

CHECKS: dict[str, tuple[Check, ...]] = {
    "assumption:A": (
        exact("(A2) at kinks", partial(second_moments, "L2"), partial(second_moments, "L2", NINE), "9/10 of L^2"),
    ),
    "assumption:A/A1": (
        exact(
            "the mean lies between the slopes", mean_subgradient, partial(mean_subgradient, Fraction(9)), "moved by 9"
        ),
    ),
    "assumption:A/A2": (
        exact("at kinks", partial(second_moments, "L2"), partial(second_moments, "L2", NINE), "9/10 of L^2"),
    ),
    "assumption:A3": (
        exact(
            "at kinks", partial(second_moments, "sigma2"), partial(second_moments, "sigma2", NINE), "9/10 of sigma^2"
        ),
    ),
    "alg:iters:def": (
        exact("both lines at every state of small trees", recursion, partial(recursion, NINE), "9/10 of 1 - beta"),
    ),
    "alg:iters:def:b": (exact("z_k from g_k and d_k", recursion, partial(recursion, NINE), "9/10 of 1 - beta"),),
    "alg:iters:def/p-and-d": (exact("p_k = -xi d_k", p_and_d, partial(p_and_d, NINE), "9/10 of xi"),),
    "lem:xdiff:non-smooth": (LEMMA_3, FAMILY, STRONGEST),
    "appendix:proof:lem:xdiff:non-smooth": (LEMMA_3,),
    "lem:Vfunc:non-smooth": (LEMMA_4, FAMILY),
    "appendix:proof:lem:Vfunc:non-smooth": (LEMMA_4,),
    "eq:Vfunc": (exact("V_k >= gamma_1 f*", V_lower, partial(V_lower, 1000), "1000 more"),),
    "thrm:non-smooth:complexity/proof-gamma_1": (
        identity(
            "1 + (1-beta) xi^2/(2 lambda^2) + xi/lambda",
            constants.gamma_1(envelope=lam, beta=beta, nu=nu),
            (1 + (1 - beta) * xi**2 / (2 * lam**2) + xi / lam).subs(xi, (1 - beta) / nu),
            ((1 + (1 - beta) * xi**2) / (2 * lam**2) + xi / lam).subs(xi, (1 - beta) / nu),
            "the fraction with 1 + ... as its numerator",
        ),
    ),
    "thrm:non-smooth:complexity": (by_enumeration("theorem_1", 10),),
    "thrm:non-smooth:complexity/ten": (by_enumeration("theorem_1", 20, "ten"),),
    "assumption:A3/smooth": (exact("gradients at breaks", smoothness, partial(smoothness, NINE), "9/10 of rho"),),
    "assumption:A3/weakly-convex": (
        exact("gradients at breaks", smoothness, partial(smoothness, NINE), "9/10 of rho"),
    ),
    "assumption:A3/quadratic": (
        exact(
            "f = x^2/2 breaks every G at 2G, and keeps it on [-G, G]",
            partial(unbounded, PARABOLA),
            partial(unbounded, HUBER),
            "the same of a function that is linear beyond [-1, 1]",
        ),
    ),
    "lem:Wfunc:smooth/W": (exact("phi_k >= 0 and W_k >= 2 f*", W_lower, partial(W_lower, 1), "phi_k >= 1"),),
    "lem:Wfunc:smooth": (LEMMA_5,),
    "appendix:proof:Wfunc:smooth": (LEMMA_5, LEMMA_6, LEMMA_7),
    "lem:xdiff:smooth": (LEMMA_6,),
    "lem:z:diff": (LEMMA_7,),
    "lem:Wfunc:smooth/remark": (
        exact("three steps summed", sum_of_steps, partial(sum_of_steps, mpq(1, 20)), "1/20 of the right side"),
    ),
    "proof:smooth:p:normdiff/x_virtual": (
        exact("known before S_k", virtual, partial(virtual, False), "the same of x_{k+1}"),
    ),
    "proof:smooth:p:normdiff/p_virtual": (
        exact("known before S_k", virtual, partial(virtual, False), "the same of x_{k+1}"),
    ),
    "thrm:smooth:complexity": (by_enumeration("theorem_2", 10),),
    "thrm:smooth:unconstrained:complexity": (by_enumeration("theorem_3", 20),),
    "thrm:smooth:unconstrained:complexity/bound": (by_enumeration("theorem_3", 20),),
    "thrm:smooth:unconstrained:complexity/lambda": (
        exact(
            "grad F = f'(x_hat) without constraints",
            partial(interior, False),
            partial(interior, True),
            "with a constraint",
        ),
    ),
}
"""Evidence by label, for the ledger."""
