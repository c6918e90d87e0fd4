"""Every false line of the paper is refuted in exact arithmetic, and its repair survives the same instance."""

from fractions import Fraction as F
from numbers import Rational

import pytest

from shbcore.claims import ledger
from shbcore.claims.counterexamples import ALL, conditional_lemma_4, printed_gamma, sawtooth, start_lemma_3
from shbcore.claims.counterexamples_rare import LAW, conditional_T, conditional_z
from shbcore.claims.counterexamples_theorem3 import random_walk_of_the_parabola, theorem_3_cube
from shbcore.claims.evidence import Against, Line
from shbcore.claims.labels import ORDER
from shbcore.model.rational import REAL_LINE
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.monitors import Smoothed, envelope_gradient, x_bar
from shbcore.numerics.solver import Start


@pytest.mark.parametrize("build", ALL, ids=lambda build: build.build.__name__)
def test_the_printed_line_fails_and_the_repaired_line_holds(build: Against) -> None:
    found = build()
    assert not found.printed.holds
    assert found.repaired.holds
    assert found.refutes
    assert found.instance
    assert found.headline
    assert set(found.labels) <= set(ORDER)


@pytest.mark.parametrize("build", ALL, ids=lambda build: build.build.__name__)
def test_both_sides_are_exact_numbers(build: Against) -> None:
    found = build()
    for line in (found.printed, found.repaired):
        assert all(isinstance(side, Rational) or type(side).__name__ == "mpq" for side in (line.left, line.right))


def test_every_false_line_of_the_theory_has_an_exact_counterexample() -> None:
    refuted = {label for build in ALL for label in build.labels}
    theory = [claim for claim in ledger.errata() if claim.as_printed == "false" and not claim.label.startswith("fig:")]
    assert {claim.label for claim in theory} <= refuted


def test_lemma_3_with_the_printed_start_is_the_line_of_the_issue() -> None:
    assert start_lemma_3().printed == Line(F(9, 16), F(3, 8))


@pytest.mark.parametrize(
    ("start", "x_0", "bars", "value"),
    [("g0", F(2, 5), (F(-1, 10), F(-1, 2)), F(8, 25)), ("beta_g0", F(8, 25), (F(-2, 25), F(-12, 25)), F(168, 625))],
)
def test_the_sawtooth_has_the_numbers_that_it_is_published_with(
    start: Start, x_0: F, bars: tuple[F, F], value: F
) -> None:
    setting, past = sawtooth(start)
    q, f = setting.parameters, setting.problem
    assert (q.nu, q.xi, past.x_prev) == (2, F(1, 10), x_0)
    assert (f.rho, f.L2(REAL_LINE), f.value(x_0)) == (1, 1, value)
    levels = tree(f, REAL_LINE, q, x_0, 2, start=start)
    assert levels[1][0].past == past
    assert tuple(x_bar(level[0].past, q) for level in levels[1:]) == bars
    assert setting.smoothed is not None
    assert {setting.smoothed(y).point for y in bars} == {0}


def test_the_factor_of_rho_xi_in_gamma_cannot_be_smaller_than_1() -> None:
    """On the sawtooth both sides of Lemma 4 are equal with the repaired gamma."""
    found = printed_gamma()
    assert found.repaired.left == found.repaired.right
    assert found.printed.left > found.printed.right


def test_lemma_4_holds_in_total_expectation_where_it_fails_given_the_past() -> None:
    found = conditional_lemma_4()
    assert found.printed.left > found.printed.right
    assert "1/10" in found.instance


def test_the_rare_sample_has_mean_0_and_variance_1() -> None:
    assert sum(LAW.values()) == 1
    assert sum(w * g for g, w in LAW.items()) == 0
    assert sum(w * g * g for g, w in LAW.items()) == 1
    assert conditional_z().printed == Line(F(9, 8), F(1))


def test_the_cross_term_is_refuted_by_a_fair_coin() -> None:
    assert conditional_T().printed == Line(F(53, 64), F(1, 2))


def test_the_second_moments_agree_with_the_whole_tree() -> None:
    """K + 1 = 4, alpha_0 = 1/10: the recursion against the enumeration of all samples."""
    from shbcore.model.parameters import Parameters
    from shbcore.model.rational import PiecewiseQuadratic, RationalProblem

    noisy = RationalProblem(tuple(PiecewiseQuadratic.build((), [1], slope=s) for s in (1, -1)))
    q = Parameters.theorem_3(F(1, 10), 3, weak_convexity=1)
    smoothed = Smoothed(noisy, REAL_LINE, envelope=F(1, 2))
    levels = tree(noisy, REAL_LINE, q, F(0), 2)
    squares = [
        sum(
            a.probability * envelope_gradient(y, smoothed(y), envelope=F(1, 2)) ** 2
            for a in level
            for y in [x_bar(a.past, q)]
        )
        for level in levels
    ]
    assert random_walk_of_the_parabola(F(1, 10), 2) == (squares[0] + sum(squares)) / 4


def test_theorem_3_second_display_is_refuted_by_more_than_rounding() -> None:
    found = theorem_3_cube()
    assert found.printed.left > F(107, 100) * found.printed.right
    assert found.repaired.left < F(1, 100) * found.repaired.right


def test_the_printed_gamma_holds_on_the_same_instance_once_repaired() -> None:
    setting, past = sawtooth()
    assert slack.lemma_4(setting, past, "repaired").verdict == "holds"
    assert slack.lemma_4(setting, past, "printed").verdict == "fails"
