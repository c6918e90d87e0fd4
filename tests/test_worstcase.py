"""Worst cases: the proved constants are the best that their facts allow, and a smaller one is violated."""

import pytest
import sympy as sp

from shbcore.claims.appendix_a import NOISE, lemma_3
from shbcore.claims.appendix_b import lemma_4
from shbcore.proof import *
from shbcore.proof.worstcase import tightness, worst_case

PARAMETERS = [
    {rho: 1, nu: 2, beta: sp.Rational(1, 4), L2: 1, lam: sp.Rational(1, 2)},
    {rho: sp.Rational(1, 3), nu: 1, beta: sp.Rational(2, 3), L2: 2, lam: 1},
]


@pytest.mark.parametrize("at", PARAMETERS, ids=["quarter", "two-thirds"])
def test_lemmas_3_and_4_have_the_best_constants_that_their_facts_give(at: dict[sp.Symbol, sp.Expr]) -> None:
    for one in (lemma_3(), lemma_4()):
        assert tightness(one, at=at).value == pytest.approx(0, abs=1e-6)


def test_a_looser_constant_leaves_slack_and_a_smaller_one_is_violated() -> None:
    at = PARAMETERS[0]
    assert tightness(lemma_3(noise=2 * NOISE), at=at).value < -1e-2


def test_an_unbounded_question_is_reported_as_such() -> None:
    u = vector("u")
    assert worst_case(u**2, [square(u)], at={}).status.startswith("unbounded")


def test_a_bounded_question_has_its_value() -> None:
    u, v = vector("u"), vector("v")
    short, other = (
        assume(u**2 <= Number(sp.S.One), "u is short")[0],
        assume(v**2 <= Number(sp.Integer(4)), "v is short")[0],
    )
    found = worst_case(u @ v, [short, other], at={})
    assert found.value == pytest.approx(2, rel=1e-6)
    assert found.dimension == 1
