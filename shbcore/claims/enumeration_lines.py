r"""Lemmas 3 and 4 by enumeration: random rational problems, whole trees of samples, exact numbers.

The certificates prove the same for all problems; this is the second, independent way, and it knows nothing of the proof language.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
from gmpy2 import mpq

from shbcore.claims.enumeration import draw, exact_instance
from shbcore.claims.evidence import Comparison, exact
from shbcore.claims.registry import Check
from shbcore.model import constants
from shbcore.model.constants import Number
from shbcore.model.instances import KINDS, Instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, PiecewiseQuadratic, RationalProblem
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import V, d, x_bar
from shbcore.numerics.slack import Setting, Slack
from shbcore.numerics.solver import Past

Given = Callable[[Setting, Past], Slack]
QUARTER = mpq(1, 4)
FAR = "random problems are no worst cases: most leave a large part of the bound unused"


def cases(count: int = 15, seed: int = 5) -> Iterator[tuple[Instance, Parameters, np.random.Generator]]:
    r"""Problems with random :math:`\alpha,\beta`, of bounded subgradients."""
    rng = np.random.default_rng(seed)
    for j in range(count):
        kind = KINDS[j % len(KINDS)]
        case = exact_instance(kind, rng, bounded=kind == "smooth" or j % 2 == 0)
        yield case, Parameters(draw(rng, "1/4", "1/2", "1"), draw(rng, "1/4", "1/2", "3/4", "1")), rng


def in_total_expectation(
    inequality: Given, *, depth: int = 3, envelope: bool = False, share: Number = 1
) -> Iterator[Comparison]:
    """An inequality given the past, averaged over each level of the tree; ``share`` of the right side is a perturbed claim."""
    for case, q, rng in cases():
        rho = case.problem.rho
        at = 1 / (2 * rho + draw(rng, "0", "1")) if rho else mpq(1)
        setting = slack.nonsmooth(case.problem, case.X, q, envelope=at if envelope else None)
        for level in tree(case.problem, case.X, q, case.x0, depth):
            one = slack.total(setting, level, inequality)
            yield Comparison(one.lhs, one.rhs - (1 - share) * abs(one.rhs))


def strongest(theta: Fraction = Fraction(1, 2)) -> Iterator[Comparison]:
    r""":math:`f(x)=x`, :math:`\alpha=1/4`, :math:`\beta=1/2`, :math:`k=1`: the noise that Lemma 3 needs is the member with
    :math:`\theta=\|d_1\|/L=1/2`, exactly; another :math:`\theta` gives more."""
    q = Parameters(Fraction(1, 4), Fraction(1, 2))
    slope = RationalProblem((PiecewiseQuadratic.build((), [0], slope=1),))
    past = tree(slope, REAL_LINE, q, Fraction(0), 1)[1][0].past
    needed = -slack.lemma_3(replace(slack.nonsmooth(slope, REAL_LINE, q), L2=0), past).slack
    of = {"weak_convexity": 0, "beta": q.beta, "nu": q.nu, "L2": Fraction(1), "d2": d(past, q) ** 2, "theta": theta}
    yield Comparison(needed, q.alpha**2 * constants.lemma_3_noise_given(**of), "=")


def at_every_history(share: Number = 1) -> Iterator[Comparison]:
    r"""Lemmas 3 and 4 given :math:`\mathcal F_{k-1}` for several :math:`\theta`, at every history of small trees."""
    for case, q, _ in cases(10):
        rho, lam = case.problem.rho, 1 / (2 * case.problem.rho + 1)
        s = slack.nonsmooth(case.problem, case.X, q, envelope=lam)
        silent = replace(s, weak_convexity=0, L2=0)
        for past in (atom.past for level in tree(case.problem, case.X, q, case.x0, 2) for atom in level):
            third, fourth = -slack.lemma_3(silent, past).slack, -slack.lemma_4(silent, past).slack
            for theta in (mpq(1, 4), mpq(1), mpq(3)):
                of = {"beta": q.beta, "nu": q.nu, "L2": s.L2, "d2": d(past, q) ** 2, "theta": theta}
                noise = share * q.alpha**2 * constants.lemma_3_noise_given(weak_convexity=rho, **of)
                yield Comparison(third, noise)
                own = share * q.alpha**2 * (rho * q.xi * of["d2"] + s.L2) / (2 * lam)
                yield Comparison(fourth, own + q.xi**2 / (2 * lam**2) * noise)


def V_lower(more: Number = 0) -> Iterator[Comparison]:
    r""":math:`V_k\ge\gamma_1f^\star` at every history of small trees."""
    for case, q, _ in cases():
        at = 1 / (2 * case.problem.rho + 1)
        setting = slack.nonsmooth(case.problem, case.X, q, envelope=at)
        assert setting.smoothed is not None
        try:
            star = case.problem.f_star(case.X)
        except ValueError:
            continue
        for level in tree(case.problem, case.X, q, case.x0, 2):
            for atom in level:
                value = V(atom.past, case.problem, q, setting.smoothed(x_bar(atom.past, q)).value, envelope=at).total
                yield Comparison(q.gamma_1(envelope=at) * star + more, value)


def _total(inequality: Given, what: str, *, envelope: bool = False) -> Check:
    lines = partial(in_total_expectation, inequality, envelope=envelope)
    return exact(lines, what, "a quarter of the right side", share=QUARTER, far=FAR)


LEMMA_3 = _total(slack.lemma_3, "Lemma 3 in total expectation, whole trees to depth 3")
LEMMA_4 = _total(slack.lemma_4, "Lemma 4 in total expectation, whole trees to depth 3", envelope=True)
FAMILY = exact(
    at_every_history,
    "Lemmas 3 and 4 given the past, theta = 1/4, 1, 3, every history",
    "a quarter of the noise",
    share=QUARTER,
    far=FAR,
)
STRONGEST = exact(
    strongest,
    "f(x) = x attains the strongest price given the past, 25/256",
    "eleven tenths of the best theta",
    theta=Fraction(11, 20),
)
V_BELOW = exact(V_lower, "V_k is at least gamma_1 f*", "1000 more", more=mpq(1000), far=FAR)
