"""The first line of an error says what to change."""

from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
import sympy as sp

import shbcore
from shbcore import Ball, ConstantStep, Parameters, Past, WholeSpace, __main__, lemma_4, moreau, nonsmooth, shb
from shbcore.model.own import OwnProblem, from_functions
from shbcore.proof import *

TRUE = Statement(0 <= d_k**2, PATHWISE, ADMISSIBLE, (), Scope.EVERY)
assumed_nu = sp.Symbol("nu", positive=True)
OWN = from_functions(lambda x, i: abs(x[0]), lambda x, i: np.sign(x), n=1, m=1, rho=0.0, L2=1.0)
BALL = Ball(1.0, np.zeros(1))


class Unhashable(OwnProblem):
    """A class with an equality of its own has no hash, unless it says so."""

    __hash__ = None  # type: ignore[assignment]


def unhashable() -> Any:
    return Unhashable(OWN.sample_value, OWN.sample_subgradient, 1, OWN.weights, OWN.told)


def run(**change: Any) -> Any:
    return list(
        islice(shb(OWN, WholeSpace(1), ConstantStep(0.1), 0.5, np.ones(1), np.random.default_rng(0), **change), 1)
    )


ATTEMPTS: dict[str, Any] = {
    "parameter nu: write sp.Symbol('nu') without SymPy's assumptions": lambda: assumed_nu * square(d_k),
    "parameter nu: leave out SymPy's assumptions": lambda: positive(assumed_nu),
    "write Fraction(1, 2)": lambda: 1 / 2 * square(d_k),
    "write Fraction(9, 20)": lambda: find(TRUE, [square(d_k)], at={beta: 9 / 20}),
    "at: choose beta inside the domain: beta must lie in (0, 1], and beta = 2": lambda: find(TRUE, [], at={beta: 2}),
    "at: choose nu inside the domain: nu must lie in (0, infinity), and nu = 0": lambda: find(TRUE, [], at={nu: 0}),
    "at: leave out alpha, which is defined as beta/nu": lambda: find(TRUE, [square(d_k)], at={alpha: 1}),
    "at: 'beta' is no parameter of the domain; its parameters are": lambda: find(TRUE, [], at={"beta": 1}),
    "must be a Scope, such as Scope.STEP": lambda: Statement(0 <= d_k**2, scope="step"),  # type: ignore[arg-type]
    "without its multiplier": lambda: find(TRUE, [1 * square(d_k)]),
    "start = 'beta_g' must be one of beta_g0, g0": lambda: run(start="beta_g"),
    "form = 'repared' must be one of printed, repaired, conditional": lambda: lemma_4(
        nonsmooth(OWN, BALL, Parameters(0.1, 0.5)),
        Past(1, np.ones(1) / 5, np.ones(1) / 10),
        form="repared",  # type: ignore[arg-type]
    ),
    "must be hashable: write @dataclass(frozen=True, eq=False)": lambda: moreau(
        unhashable(), BALL, np.ones(1) / 2, envelope=0.1
    ),
}


@pytest.mark.parametrize("words", ATTEMPTS)
def test_the_first_line_says_what_to_change(words: str) -> None:
    with pytest.raises(ValueError) as told:
        ATTEMPTS[words]()
    assert words in str(told.value).splitlines()[0]


def test_the_right_attempts_pass() -> None:
    at = {beta: Fraction(9, 20), nu: 3, lam: Fraction(1, 9), rho: 4}
    assert check(find(TRUE, [square(d_k)], at=at)).passed
    assert check(find(TRUE, [square(d_k)], at={beta: 1})).passed  # the closed end
    assert run(start="g0")
    assert moreau(OWN, BALL, np.ones(1) / 2, envelope=0.1).value > 0


def test_the_command_has_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"shbcore {shbcore.__version__}"
    assert shbcore.__version__.count(".") == 2
