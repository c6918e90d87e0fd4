"""A statement is compared with a trial only where it speaks: elsewhere nothing is refuted, and the trial is refused by name."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as Q
from typing import Any

import gmpy2
import pytest
import sympy as sp

from shbcore.claims.evidence import Comparison
from shbcore.claims.trial import AT_ONE, MODULUS, REAL_LINE, Trial, beyond, compare
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.proof import *

w, a_0 = sp.symbols("w alpha_0")
AT = Trial(MODULUS, REAL_LINE, Q(1, 2), Q(1), Q(1, 2), start="repaired")
BOWL = RationalProblem((PiecewiseQuadratic.build((), [1]),))
CAP = RationalProblem((PiecewiseQuadratic.build([-1, 1], [0, -1, 0], [2, 2], slope=-1),))


def says(relation: Any, *assumes: Any, scope: Scope = Scope.EVERY, given: int = PATHWISE, more: Any = ()) -> Statement:
    return Statement(relation, given, ADMISSIBLE.also(*more), assumes, scope)


WEIGHTED = says(w * d_k**2 >= 0, more=[nonnegative(w)])
BELOW = says(f(x_next) <= f(x_k) + f.slope(x_k) @ (x_next - x_k) + rho / 2 * (x_next - x_k) ** 2, SMOOTH)
FREE = says((x_next - (x_k - alpha * z_any)) ** 2 <= Number(0), WHOLE_SPACE)
STEP = says((z_k - beta * g_k - (1 - beta) * d_k) ** 2 <= Number(0), scope=Scope.STEP)
MOMENT = says(g_k**2 <= Number(L2), A2, given=PAST)
VARIANCE = says((g_k - f.slope(x_k)) ** 2 <= Number(sigma2), A3, given=PAST)
LATE = says(d_k**2 >= 0, scope=Scope.LATE)
RUN = says(Series(d_k**2) >= 0, scope=Scope.RUN, given=TOTAL)
OWN = Statement(vector("u", inside=True) ** 2 >= 0, PATHWISE, ADMISSIBLE, (), Scope.EVERY)
CURVED = says(F_env(x_k) >= f_star, WEAKLY_CONVEX)
NU = Statement(d_k**2 >= 0, PATHWISE, Domain(defined(nu, 1 / a_0), between(a_0, 0, 1)), (), Scope.EVERY)

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "out of its range": (lambda: compare(WEIGHTED, replace(AT, values={w: Q(-5)})), "w = -5 must satisfy w >= 0"),
    "lambda too large": (
        lambda: compare(CURVED, replace(AT, problem=CAP, envelope=Q(9, 10))),
        "lambda = 9/10 must satisfy 1/lambda >= 2\\*rho",
    ),
    "not smooth": (lambda: compare(BELOW, AT), "problem = .* must be smooth"),
    "rho is not the smoothness": (lambda: compare(BELOW, replace(AT, problem=BOWL)), "smooth = False must be True"),
    "constrained": (lambda: compare(FREE, replace(AT, X=Interval(0, 1))), "X = .* must be the real line"),
    "another start": (
        lambda: compare(STEP, replace(AT, start="printed")),
        "start = 'printed' must be repaired at k = 0",
    ),
    "another start of a run": (
        lambda: compare(RUN, replace(AT, start="printed", K=0)),
        "start = 'printed' must be repaired",
    ),
    "too early": (lambda: compare(LATE, AT), "k = 0 must be at least 1"),
    "too late": (lambda: compare(replace(LATE, scope=Scope.FIRST_ANY), AT, 1), "k = 1 must be 0"),
    "L2 too small": (lambda: compare(MOMENT, replace(AT, values={L2: Q(1, 4)})), r"values\[L\^2\] = .* at least 1"),
    "no L2": (lambda: compare(MOMENT, replace(AT, problem=BOWL)), r"X = .* make L\^2 finite"),
    "two betas": (lambda: compare(LATE, replace(AT, values={beta: Q(1, 4)}), 1), r"values\[beta\] = .* must be 1/2"),
    "known through a definition": (lambda: compare(NU, replace(AT, alpha=Q(1), beta=Q(1, 4))), "alpha_0 = 4 must"),
    "a point outside": (
        lambda: compare(OWN, replace(AT, X=Interval(0, 1), points={"u": Q(2)})),
        r"points\[u\] = Fraction\(2, 1\) must lie in X",
    ),
    "no point": (lambda: compare(OWN, AT), "points = {} must give a value to the free vector u"),
    "no K": (lambda: compare(RUN, AT), "K = None must be given"),
    "no value": (lambda: compare(WEIGHTED, AT), "no value for w"),
    "a word for a letter": (lambda: replace(AT, values={"w": Q(1)}), "values = 'w' must be of type Symbol"),
    "no trial": (lambda: compare(LATE, "trial"), "trial = 'trial' must be of type Trial"),  # type: ignore[arg-type]
    "no statement": (lambda: compare("says", AT), "statement = 'says' must be"),  # type: ignore[arg-type]
    "half a step": (lambda: compare(LATE, AT, 1.5), "k = 1.5 must be an integer"),  # type: ignore[arg-type]
    "a step before the first": (lambda: compare(LATE, AT, -3), "k = -3 must be an integer >= 0"),
    "float alpha": (lambda: replace(AT, alpha=0.1), "alpha = 0.1 must be an exact number"),
    "float x0": (lambda: replace(AT, x0=0.5), "x0 = 0.5 must be an exact number"),
    "float problem": (lambda: replace(AT, problem=MODULUS.to(float)), "problem = .* must be an exact number"),
    "float value": (lambda: replace(AT, values={w: 0.5}), r"values\[w\] = 0.5 must be an exact number"),
    "mpfr": (lambda: replace(AT, beta=gmpy2.mpfr("0.5")), "beta = .* must be an exact number"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_trial_of_which_the_statement_does_not_speak_is_refused_at_the_call(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(ValueError, match=words):
        call()


def test_outside_on_purpose_it_is_evaluated_all_the_same() -> None:
    (one,) = compare(WEIGHTED, replace(AT, values={w: Q(-5)}), 1, outside=True)
    assert not one.holds
    assert not any(one.holds for one in compare(BELOW, replace(AT, beta=1), outside=True))


def test_inside_nothing_changed() -> None:
    assert all(one.holds for one in compare(WEIGHTED, replace(AT, values={w: Q(5)}), 1))
    assert all(one.holds for one in compare(BELOW, replace(AT, problem=BOWL, smooth=True)))
    assert all(one.holds for one in compare(MOMENT, replace(AT, values={L2: Q(2)})))  # a larger constant will do
    assert all(one.holds for one in compare(VARIANCE, AT))
    assert beyond(STEP, replace(AT_ONE, beta=Q(1))) is None  # the two starts are the same
    assert beyond(STEP, AT_ONE, 1) is None


def test_an_integer_is_exact() -> None:
    assert replace(AT, alpha=3, beta=1).numbers[nu] == Q(1, 3)


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (Q(11, 16), Q(1, 2), "11/16 <= 1/2"),
        (Q(1291, 5000), Q(1251, 5000), "1291/5000 <= 1251/5000 (0.2582 <= 0.2502)"),
        (Q(1291, 5000), Q(1291, 5000), "1291/5000 <= 1291/5000"),
        (Q(10**7, 10**7 + 1), Q(1), "10000000/10000001 <= 1 (0.9999999 <= 1)"),
        (Q(10**30 + 1, 10**31), Q(127, 625), "0.1 <= 0.2032 (rounded; the right side is 127/625)"),
        (Q(300), Q(400), "300 <= 400"),
    ],
)
def test_sides_that_cannot_be_compared_at_sight_have_decimals(left: Q, right: Q, said: str) -> None:
    assert str(Comparison(left, right)) == said
