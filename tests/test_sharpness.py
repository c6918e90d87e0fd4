r"""The staircase uses up the constants of Lemmas 3 and 4, and never more; the simulated side of Theorem 1 agrees with the exact one."""

from fractions import Fraction as Q

import numpy as np
import pytest

from shbcore.model.instances import KINDS, random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.model.staircase import staircase
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.rate import bound, measure
from shbcore.numerics.solver import Past

MOMENTA = (Q(1, 4), Q(1, 2), Q(4, 5), Q(1))


def shares(q: Parameters, steps: int, rho: Q, lam: Q) -> tuple[Q, Q]:
    """The shares of the constants of Lemmas 3 and 4 that the staircase uses at step ``steps``."""
    stairs, x = staircase(q, steps + 1, weak_convexity=rho)
    three = slack.lemma_3(slack.nonsmooth(stairs, REAL_LINE, q), Past(steps, x[steps - 1], x[steps]))
    price = q.alpha**2 * (rho * (1 - q.beta) / 2 + q.nu)
    stairs, x = staircase(q, steps, weak_convexity=rho)
    four = slack.lemma_4(slack.nonsmooth(stairs, REAL_LINE, q, envelope=lam), Past(steps, x[-2], x[-1]))
    allowance = q.gamma(weak_convexity=rho, envelope=lam) * q.alpha**2 / (2 * lam)
    return 1 - three.slack / price, 1 - four.slack / allowance


@pytest.mark.parametrize("beta", MOMENTA)
@pytest.mark.parametrize("rho", [Q(1, 2), Q(1)])
def test_the_constants_of_lemmas_3_and_4_are_used_up(beta: Q, rho: Q) -> None:
    q = Parameters(beta / 4, beta)  # nu = 4 >= 1/lambda
    for share in shares(q, 30, rho, 1 / (2 * Q(1))):
        assert Q(99, 100) < share <= 1


@pytest.mark.parametrize("beta", MOMENTA[1:3])
def test_the_printed_gamma_is_refuted_by_the_staircase(beta: Q) -> None:
    q, lam = Parameters(beta / 4, beta), Q(1, 2)
    stairs, x = staircase(q, 12, weak_convexity=1)
    s = slack.nonsmooth(stairs, REAL_LINE, q, envelope=lam)
    assert slack.lemma_4(s, Past(12, x[-2], x[-1]), "printed").verdict == "fails"
    assert slack.lemma_4(s, Past(12, x[-2], x[-1]), "repaired").verdict == "holds"


@pytest.mark.parametrize("beta", MOMENTA)
def test_the_iterates_of_the_staircase_are_those_of_the_method(beta: Q) -> None:
    q = Parameters(Q(1, 3), beta)
    stairs, x = staircase(q, 6, weak_convexity=Q(3, 2), L=Q(2))
    levels = tree(stairs, REAL_LINE, q, Q(0), 6)
    assert [level[0].past.x for level in levels] == list(x)
    assert stairs.L2(REAL_LINE) == 4
    assert stairs.rho == Q(3, 2)


def test_a_staircase_steeper_than_L_is_refused() -> None:
    with pytest.raises(ValueError, match="weak_convexity"):
        staircase(Parameters(Q(1), Q(1)), 3, weak_convexity=3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", ["beta_g0", "g0"])
def test_simulation_agrees_with_the_whole_tree(kind: str, start: str) -> None:
    case = random_instance(kind, np.random.default_rng(8))
    rho, K = max(case.problem.rho, Q(1, 2)), 3
    q, lam = Parameters.theorem_1(1 / rho, K), 1 / (2 * rho)
    exact = slack.theorem_1(case.problem, case.X, case.x0, alpha_0=1 / rho, K=K, envelope=lam, start=start).lhs
    of = {"envelope": lam, "runs": 4000, "rng": np.random.default_rng(1), "start": start}
    seen = measure(case.problem, case.X, case.x0, q, K, **of)
    assert abs(seen.gradient - float(exact)) <= 5 * seen.error + 1e-9


def test_without_noise_simulation_is_exact() -> None:
    problem = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
    q = Parameters.theorem_1(Q(1), 8)
    exact = slack.theorem_1(problem, REAL_LINE, Q(1), alpha_0=Q(1), K=8, envelope=Q(1, 3))
    seen = measure(problem, REAL_LINE, Q(1), q, 8, envelope=Q(1, 3), runs=2, rng=np.random.default_rng(0))
    assert seen.gradient == pytest.approx(float(exact.lhs), rel=1e-12)
    assert bound(problem, REAL_LINE, Q(1), q, 8, weak_convexity=0, envelope=Q(1, 3)) == exact.rhs


@pytest.mark.parametrize("kind", KINDS)
def test_theorem_1_holds_for_the_printed_start_with_its_price(kind: str) -> None:
    case = random_instance(kind, np.random.default_rng(4))
    rho = max(case.problem.rho, Q(1, 2))
    of = {"envelope": 1 / (2 * rho), "start": "g0"}
    left = slack.theorem_1(case.problem, case.X, case.x0, alpha_0=1 / rho, K=3, **of).lhs
    q = Parameters.theorem_1(1 / rho, 3)
    assert left <= bound(case.problem, case.X, case.x0, q, 3, weak_convexity=rho, **of)


@pytest.mark.parametrize(("name", "change"), [("runs", {"runs": 1}), ("start", {"start": "g_0"}), ("rng", {"rng": 0})])
def test_bad_input_to_the_simulation_is_refused(name: str, change: dict[str, object]) -> None:
    problem = RationalProblem((PiecewiseQuadratic.build((), [1]),))
    of = {"envelope": Q(1, 2), "runs": 2, "rng": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=name):
        measure(problem, Interval(-1, 1), Q(1), Parameters(Q(1, 2), Q(1, 2)), 3, **{**of, **change})


def test_a_modulus_below_that_of_f_is_refused() -> None:
    problem = RationalProblem((PiecewiseQuadratic.build((), [-1]),))
    with pytest.raises(ValueError, match="weak_convexity"):
        bound(problem, Interval(-1, 1), Q(0), Parameters(Q(1, 2), Q(1, 2)), 0, weak_convexity=Q(1, 2), envelope=Q(1, 4))
