r"""The oracle and the method evaluated exactly, on random rational problems and at every state of small sample trees."""

from collections.abc import Iterator
from fractions import Fraction

from shbcore.claims.enumeration_lines import cases
from shbcore.claims.evidence import Comparison
from shbcore.model.constants import Number
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import d, p, x_bar
from shbcore.numerics.slack import Setting
from shbcore.numerics.solver import State


def states(depth: int = 2) -> Iterator[tuple[Setting, State]]:
    """Every state of small trees."""
    for case, q, _ in cases(8):
        setting = slack.nonsmooth(case.problem, case.X, q)
        for level in tree(case.problem, case.X, q, case.x0, depth):
            for atom in level:
                yield from ((setting, state) for _, state in setting.draws(atom.past))


def mean_subgradient(shift: Fraction = Fraction(0)) -> Iterator[Comparison]:
    r"""(A1): the mean of the samples' subgradients lies between the one-sided slopes of f; ``shift`` moves it."""
    for case, _, _ in cases():
        for x in (case.x0, *case.problem.mean.breaks):
            low, high = case.problem.mean.slopes(x)
            mean = sum(w * g for w, g in zip(case.problem.weights, case.problem.subgradients(x))) + shift
            yield from (Comparison(low, mean), Comparison(mean, high))


def second_moments(share: Number = 1) -> Iterator[Comparison]:
    r"""(A2) at points of :math:`\mathcal X`, with the problem's own constant."""
    for case, _, _ in cases():
        problem = case.problem
        bound = problem.L2(case.X)
        for x in (case.x0, *(case.X.project(b) for b in problem.mean.breaks)):
            squares = (w * g * g for w, g in zip(problem.weights, problem.subgradients(x)))
            yield Comparison(sum(squares), share * bound)


def recursion(share: Number = 1) -> Iterator[Comparison]:
    r""":math:`z_k=\beta g_k+(1-\beta)d_k` and :math:`x_{k+1}=\Pi(x_k-\alpha z_k)`, recomputed at every state."""
    for s, state in states():
        q = s.parameters
        yield Comparison(state.z, q.beta * state.g + share * (1 - q.beta) * d(state, q), "=")
        yield Comparison(s.next(state).x, s.X.project(state.x - q.alpha * state.z), "=")


def p_and_d(share: Number = 1) -> Iterator[Comparison]:
    r""":math:`p_k=-\xi d_k` and :math:`\bar x_k=x_k+p_k`."""
    for s, state in states():
        q = s.parameters
        yield Comparison(p(state, q), -share * q.xi * d(state, q), "=")
        yield Comparison(x_bar(state, q) - state.x, p(state, q), "=")
