"""The formulas of the pictures with sliders are those of the library; the browser's side is in ``tests/browser``."""

import numpy as np
import play_inputs
import pytest
import sympy as sp

from shbcore.claims.appendix_b import AT_KINK, lemma_4
from shbcore.claims.trial import compare
from shbcore.pages import play


@pytest.mark.parametrize("name", sorted(play.formulas()))
def test_a_formula_says_what_the_library_computes(name: str) -> None:
    formula = play.formulas()[name]
    rows = play_inputs.inputs(name, tuple(map(str, formula.arguments)), 40)
    compute = sp.lambdify(formula.arguments, formula.value, "math")
    found = [float(compute(*row)) for row in rows]
    expected = [play_inputs.REFERENCE[name](*row) for row in rows]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert not np.allclose(np.array(found) * 1.001 + 1e-3, expected, rtol=1e-9, atol=1e-9)


def test_every_formula_has_a_second_way() -> None:
    assert set(play_inputs.REFERENCE) == set(play.formulas())


def test_the_first_step_breaks_where_the_ledger_says() -> None:
    formula = play.formulas()["first_step"]
    value = formula.value.subs({one: sp.Rational(play_inputs.AT_KINK[str(one)]) for one in formula.arguments})
    (first,) = compare(lemma_4().statement, AT_KINK, outside=True)
    assert value == sp.Rational(first.left - first.right) > 0


def test_a_misspelt_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="envelop"):
        play.piece("envelop")


def test_a_picture_is_self_contained() -> None:
    text = play.piece("ball").html
    assert 'data-play="ball"' in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
