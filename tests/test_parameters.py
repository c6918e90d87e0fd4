"""Parameters: one class for floats, fractions, gmpy2 and SymPy; the choices of the theorems; ranges at their ends."""

import math
from fractions import Fraction

import gmpy2
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from shbcore.model import checks, constants
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters, root

FRACTIONS = st.fractions(Fraction(1, 50), 1, max_denominator=50)


@given(FRACTIONS, FRACTIONS, FRACTIONS)
def test_all_number_types_give_the_same_constants(alpha: Fraction, beta: Fraction, rho: Fraction) -> None:
    envelope = 1 / (2 * rho)
    exact = Parameters(alpha, beta).gamma(weak_convexity=rho, envelope=envelope)
    assert isinstance(exact, Fraction)
    mpq = Parameters(gmpy2.mpq(alpha), gmpy2.mpq(beta)).gamma(
        weak_convexity=gmpy2.mpq(rho), envelope=gmpy2.mpq(envelope)
    )
    symbolic = Parameters(sympy.Rational(alpha), sympy.Rational(beta)).gamma(
        weak_convexity=sympy.Rational(rho), envelope=sympy.Rational(envelope)
    )
    number = Parameters(float(alpha), float(beta)).gamma(weak_convexity=float(rho), envelope=float(envelope))
    assert mpq == exact
    assert symbolic == sympy.Rational(exact)
    assert number == pytest.approx(float(exact))


def test_symbols_stay_symbols() -> None:
    alpha, beta = sympy.symbols("alpha beta", positive=True)
    parameters = Parameters(alpha, beta)
    assert sympy.expand(parameters.nu * alpha - beta) == 0
    assert sympy.expand(parameters.xi * beta - (1 - beta) * alpha) == 0
    rho = sympy.Symbol("rho", positive=True)
    assert checks.envelope_parameter(1 / (2 * rho), weak_convexity=rho) == 1 / (2 * rho)
    with pytest.raises(ValueError, match="envelope"):
        checks.envelope_parameter(2 / rho, weak_convexity=rho)


@given(FRACTIONS, st.integers(1, 40))
def test_theorem_1_is_exact_when_K_plus_1_is_a_square(alpha_0: Fraction, side: int) -> None:
    parameters = Parameters.theorem_1(alpha_0, side * side - 1)
    assert parameters == Parameters(alpha_0 / side, Fraction(1, side))
    assert parameters.nu == 1 / alpha_0
    assert parameters.xi == alpha_0 * (1 - Fraction(1, side))


def test_theorem_1_keeps_its_bounds_on_gamma() -> None:
    """At lambda = 1/(2 rho): gamma and gamma_1 stay below the theorem's polynomials, and the printed half is not the reason."""
    for alpha_0 in (Fraction(1, 7), Fraction(1), Fraction(9)):
        for side in (1, 2, 30):
            rho = Fraction(3, 2)
            p = Parameters.theorem_1(alpha_0, side * side - 1)
            gamma = p.gamma(weak_convexity=rho, envelope=1 / (2 * rho))
            assert gamma <= constants.gamma_bound(weak_convexity=rho, alpha_0=alpha_0)
            assert p.gamma_1(envelope=1 / (2 * rho)) <= constants.gamma_1_bound(weak_convexity=rho, alpha_0=alpha_0)


def test_weights_are_those_of_the_constants() -> None:
    p = Parameters(Fraction(1, 8), Fraction(1, 4))
    assert p.V_weights(envelope=Fraction(1, 2)).f == p.gamma_1(envelope=Fraction(1, 2)) - 1
    assert p.W_weights() == constants.W_weights(alpha=p.alpha, beta=p.beta, nu=p.nu)
    assert Parameters.from_nu(p.alpha, p.nu) == p


def test_weights_that_are_remembered_keep_the_type_of_their_numbers() -> None:
    p = Parameters(Fraction(1, 8), Fraction(1, 4))
    for _ in range(2):
        for envelope in (Fraction(1, 2), 0.5, gmpy2.mpq(1, 2)):
            assert type(p.V_weights(envelope=envelope).f) is type(envelope)
            assert p.V_weights(envelope=envelope) == constants.V_weights(
                envelope=Fraction(1, 2), alpha=p.alpha, beta=p.beta, nu=p.nu
            )
        assert p.V_weights(envelope=1) != p.V_weights(envelope=2)
        assert p.xi == constants.xi(beta=p.beta, nu=p.nu)
        for envelope in (True, 0, -1, float("nan")):
            with pytest.raises(ValueError, match="envelope"):
                p.V_weights(envelope=envelope)


def test_ends_of_the_ranges_are_in_or_out_as_the_paper_says() -> None:
    rho = Fraction(1, 3)
    Parameters(Fraction(1), Fraction(1))  # beta = 1 is in: SHB is SGD
    Parameters.theorem_3(1 / (4 * rho), 8, weak_convexity=rho)  # alpha_0 = 1/(4 rho) is in
    checks.envelope_parameter(1 / (2 * rho), weak_convexity=rho)  # 1/lambda = 2 rho is in
    theorem_3 = "thrm:smooth:unconstrained:complexity"
    checks.envelope_parameter(1 / (2 * rho), weak_convexity=rho, result=theorem_3)
    with pytest.raises(ValueError, match=r"3 rho/2"):  # 1/lambda = 3 rho/2 is out
        checks.envelope_parameter(2 / (3 * rho), weak_convexity=rho, result=theorem_3)
    with pytest.raises(ValueError, match=r"3 rho/2"):  # 1/lambda > 2 rho is out
        checks.envelope_parameter(1 / (2 * rho) - Fraction(1, 10**9), weak_convexity=rho, result=theorem_3)
    with pytest.raises(ValueError, match=r"2 rho"):
        checks.envelope_parameter(1 / (2 * rho) + Fraction(1, 10**30), weak_convexity=rho)
    checks.envelope_parameter(Fraction(10**6), weak_convexity=0)  # a convex f admits every lambda
    checks.envelope_parameter(1 / rho - Fraction(1, 10**30), weak_convexity=rho, result="prox")
    with pytest.raises(ValueError, match=r"1/lambda > rho"):
        checks.envelope_parameter(1 / rho, weak_convexity=rho, result="prox")


@given(st.floats(1e-6, 1e6))
def test_rounding_does_not_turn_the_end_of_a_range_away(rho: float) -> None:
    checks.envelope_parameter(1 / (2 * rho), weak_convexity=rho)
    checks.envelope_parameter(1 / (2 * rho), weak_convexity=rho, result="thrm:smooth:unconstrained:complexity")
    checks.smooth_stepsize(1 / (4 * rho), weak_convexity=rho)
    with pytest.raises(ValueError, match="envelope"):
        checks.envelope_parameter((1 + 1e-9) / (2 * rho), weak_convexity=rho)


def test_stepsize_rules() -> None:
    assert [ConstantStep(Fraction(1, 3))(k) for k in (0, 5)] == [Fraction(1, 3)] * 2
    assert [DecayingStep(0.6)(k) for k in (0, 3, 8)] == pytest.approx([0.6, 0.3, 0.2])
    assert root(24) == 5
    assert isinstance(root(24), int)
    assert root(1) == math.sqrt(2)
