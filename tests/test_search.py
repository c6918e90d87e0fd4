"""Looking for multipliers: what is found is a line that the kernel accepts, what is not found is told."""

import pytest
import sympy as sp

from shbcore.proof import *

a = sp.Symbol("a")
u, v = vector("u"), vector("v")


def test_multipliers_are_found_symbolically() -> None:
    says = Statement(u @ v <= u**2 / (2 * a) + a / 2 * v**2, domain=Domain(positive(a)))
    found = find(says, [square(u - a * v)])
    assert check(found).passed
    assert [term.multiplier for term in found.terms] == [1 / (2 * a)]


def test_multipliers_are_found_at_a_point_by_a_linear_programme() -> None:
    says = Statement(u @ v <= u**2 / (2 * a) + a / 2 * v**2, domain=Domain(positive(a)))
    found = find(says, [square(u), square(u - 3 * v)], at={a: 3})
    assert check(found).passed


def test_what_no_fact_contains_is_named() -> None:
    with pytest.raises(ValueError, match=r"none contains f\(x_k\)"):
        find(Statement(f(x_k) <= d_k**2, domain=ADMISSIBLE, scope=Scope.EVERY), [square(d_k)])


def test_a_claim_that_is_too_strong_has_no_multipliers() -> None:
    strong = line(u @ v <= u**2 / 2 + v**2 / 3, [sp.Rational(1, 2) * square(u - v)], domain=Domain())
    assert not refit(strong).passed


def test_another_multiplier_is_found_where_the_given_one_is_wrong() -> None:
    wrong = line(0 <= u**2, [2 * square(u)], domain=Domain())
    assert not check(wrong).passed
    assert refit(wrong).passed
