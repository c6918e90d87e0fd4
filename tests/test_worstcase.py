"""Worst cases: the certified constants are the best that their hypotheses allow, and the printed gradient mapping constant is not."""

from fractions import Fraction

import pytest
import sympy as sp

from shbcore.claims.lemma3_proofs import NOISE, lemma_3
from shbcore.claims.lemma4_proofs import GAMMA, lemma_4
from shbcore.proof.hypotheses import given, square
from shbcore.proof.step import L2, beta, lam, nu, rho
from shbcore.proof.worstcase import (
    ENVELOPE_GRADIENT,
    GRADIENT_MAPPING,
    gradient_mapping,
    gradient_mapping_hypotheses,
    gradient_mapping_instance,
    tightness,
    worst_case,
)

PARAMETERS = [
    {rho: 1, nu: 2, beta: sp.Rational(1, 4), L2: 1, lam: sp.Rational(1, 2)},
    {rho: sp.Rational(1, 3), nu: 1, beta: sp.Rational(2, 3), L2: 2, lam: 1},
]


def test_gradient_mapping_constant_is_three_halves_and_sharp():
    assert gradient_mapping().verify().passed
    assert not gradient_mapping(sp.Rational(149, 100)).refit().passed
    for x, r in ((1, 1), (Fraction(-7, 3), Fraction(5, 2))):
        assert gradient_mapping_instance(Fraction(x), smoothness=Fraction(r)) == Fraction(3, 2)


def test_gradient_mapping_worst_case_agrees_and_the_printed_constant_is_loose():
    unit = given("unit", ENVELOPE_GRADIENT**2 <= 1, "", "", "scaling")
    found = worst_case(GRADIENT_MAPPING**2, [*gradient_mapping_hypotheses(), unit], at={rho: 1})
    assert found.status == "optimal"
    assert found.value == pytest.approx(Fraction(9, 4), rel=1e-5)
    printed = Fraction(9, 4) * Fraction(291421, 100000)  # (3/2)^2 (1 + 1/sqrt 2)^2, rounded down
    assert found.value < Fraction(35, 100) * printed


@pytest.mark.parametrize("at", PARAMETERS, ids=["quarter", "two-thirds"])
def test_lemmas_3_and_4_have_the_best_constants_that_their_hypotheses_give(at):
    for certificate in (lemma_3(), lemma_4()):
        assert tightness(certificate, at=at).value == pytest.approx(0, abs=1e-6)


def test_a_looser_constant_leaves_slack_and_a_smaller_one_is_violated():
    at = PARAMETERS[0]
    assert tightness(lemma_3(2 * NOISE), at=at).value < -1e-2
    assert tightness(lemma_3(NOISE / 2), at=at).value > 1e-2
    assert tightness(lemma_4(GAMMA * sp.Rational(9, 10)), at=at).value > 1e-3


def test_an_unbounded_question_is_reported_as_such():
    hypotheses = [square(GRADIENT_MAPPING)]
    assert worst_case(GRADIENT_MAPPING**2, hypotheses, at={rho: 1}).status.startswith("unbounded")
