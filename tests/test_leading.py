"""What the theorems for schedules say at a constant stepsize is read off their statements, and agrees with other ways to have it."""

import pytest
import sympy as sp

from shbcore.claims.beyond import schedules
from shbcore.claims.beyond.leading import leading
from shbcore.proof import beta

BUILDS = ("anything", "monotone", "rough", "sharp", "falling", "concave", "warm")


@pytest.mark.parametrize("name", BUILDS)
def test_without_momentum_no_factor_is_below_that_of_sgd(name: str) -> None:
    gap, noise = (sp.sympify(one).subs(beta, 1) for one in leading(getattr(schedules, name)()))
    assert gap == 2
    assert noise >= 1


def test_log_concave_schedules_cost_nothing_and_others_do() -> None:
    assert leading(schedules.concave()) == (2, 1)
    assert leading(schedules.rough()) == (2, 2)
    assert sp.simplify(leading(schedules.falling())[1] - (2 + beta) / beta) == 0


def test_the_finer_line_of_a_class_is_smaller() -> None:
    for fine, plain in ((schedules.sharp, schedules.falling), (schedules.rough, schedules.monotone)):
        for first, second in zip(leading(fine()), leading(plain()), strict=True):
            assert all(sp.sympify(first - second).subs(beta, at) <= 0 for at in (sp.Rational(1, 10), sp.Rational(1, 2)))
