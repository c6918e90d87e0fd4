"""Signs are proved over whole ranges, and refused where they are not provable by coefficients."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from shbcore.model import constants
from shbcore.proof.positivity import (
    Domain,
    at_least,
    between,
    defined,
    inverse_at_least,
    inverse_between,
    nonnegative,
    positive,
    prove_nonnegative,
)
from shbcore.proof.step import ADMISSIBLE, alpha, beta, lam, nu, rho, xi

TRUE = [
    1 - beta,
    1 / lam - 2 * rho,
    1 - rho * lam,
    alpha,
    xi,
    beta - beta**2,
    rho / (1 - lam * rho),
    1 / lam - rho / (1 - lam * rho),
]
FALSE = [
    beta - sp.Rational(1, 2),
    1 / lam - sp.Rational(21, 10) * rho,
    -alpha,
    xi - alpha,
    beta**2 - beta,
    1 - 3 * rho * lam,
]


@pytest.mark.parametrize("expression", TRUE, ids=str)
def test_a_sign_that_holds_on_the_whole_range_is_proved(expression):
    proof = prove_nonnegative(expression, ADMISSIBLE)
    assert proof.passed
    assert "every coefficient >= 0" in proof.detail


@pytest.mark.parametrize("expression", FALSE, ids=str)
def test_a_sign_that_fails_somewhere_is_refused(expression):
    proof = prove_nonnegative(expression, ADMISSIBLE)
    assert not proof.passed
    assert proof.negative


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(st.fractions(0, 20), min_size=7, max_size=7))
def test_a_point_of_the_domain_satisfies_its_ranges(slacks):
    at = dict(zip(ADMISSIBLE.slacks, (sp.Rational(s.numerator, s.denominator) + sp.Rational(1, 97) for s in slacks)))
    value = {s: ADMISSIBLE.substitute(s).subs(at) for s in (rho, nu, beta, lam, alpha, xi)}
    assert value[rho] >= 0
    assert value[nu] > 0
    assert 0 < value[beta] <= 1
    assert 1 / value[lam] >= 2 * value[rho]
    assert value[alpha] * value[nu] == value[beta]
    assert value[xi] == constants.xi(beta=value[beta], nu=value[nu])


def test_half_open_intervals_include_the_upper_end_only():
    u = sp.Symbol("u")
    domain = Domain(between(u, 2, 5))
    at = {domain.slacks[0]: 0}
    assert domain.substitute(u).subs(at) == 5
    assert prove_nonnegative(u - 2, domain).strict
    assert prove_nonnegative(5 - u, domain).passed
    assert not prove_nonnegative(5 - u, domain).strict
    assert not prove_nonnegative(u - 3, domain).passed


def test_theorem_3_range_makes_c_positive():
    domain = Domain(positive(rho), inverse_between(lam, 3 * rho / 2, 2 * rho))
    proof = prove_nonnegative(constants.c_theorem_3(weak_convexity=rho, envelope=lam), domain)
    assert proof.passed
    assert proof.strict
    wider = domain.also(inverse_between(lam, rho, 2 * rho))
    assert not prove_nonnegative(constants.c_theorem_3(weak_convexity=rho, envelope=lam), wider).passed


def test_definitions_may_stand_before_what_they_use():
    r = sp.Symbol("r")
    domain = ADMISSIBLE.also(defined(rho, r / alpha), between(r, 0, sp.Rational(1, 4)))
    assert prove_nonnegative(1 - 4 * rho * alpha, domain).passed
    assert not prove_nonnegative(1 - 5 * rho * alpha, domain).passed


def test_strict_signs_need_a_strictly_positive_monomial():
    u, v = sp.symbols("u v")
    domain = Domain(nonnegative(u), positive(v))
    assert prove_nonnegative(u + v, domain).strict
    assert not prove_nonnegative(u, domain).strict
    assert prove_nonnegative(sp.Integer(3), Domain()).strict


def test_a_parameter_without_a_range_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="stray"):
        prove_nonnegative(sp.Symbol("stray"), ADMISSIBLE)


def test_lower_bounds_and_inverse_bounds():
    u, w = sp.symbols("u w")
    domain = Domain(at_least(u, 1), inverse_at_least(w, u))
    assert prove_nonnegative(1 - w, domain).passed
    assert not prove_nonnegative(sp.Rational(9, 10) - w, domain).passed


@pytest.mark.parametrize("make", [lambda: at_least("b", 1), lambda: positive("b"), lambda: defined("b", 1)])
def test_a_parameter_given_as_a_word_is_refused_by_name(make):
    with pytest.raises(ValueError, match=r"SymPy symbol.*got 'b'"):
        make()
