"""The table of constants: complete, read off the ledger, every lower value needed by an exact instance, and no upper value below it."""

from fractions import Fraction as Q
from itertools import product

import pytest
import sympy as sp
from gmpy2 import mpq

from shbcore.claims.appendix_b import lemma_4
from shbcore.claims.beyond import descent, energy, fresh, less_noise, momentum, turning, whole_bounds
from shbcore.claims.beyond.enumerated import constant_steps, gradients
from shbcore.claims.constants_table import Row, RunRow, StepRow, coefficient, largest, rows, table
from shbcore.claims.printed_start import theorem_u
from shbcore.claims.registry import claim
from shbcore.claims.trial import compare
from shbcore.proof.kernel import Line, check

ALL = rows()


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_no_instance_needs_more_than_is_proved(row: Row) -> None:
    printed, repaired, sharpened, lower = row.values
    assert lower <= sharpened
    assert repaired is None or float(sharpened) <= float(repaired)
    assert (printed is None) == (repaired is None)
    assert claim(row.label)
    assert row.words


def test_only_the_printed_gamma_of_lemma_4_is_below_what_is_needed() -> None:
    broken = [row.name for row in ALL if row.printed is not None and float(row.values[0] or 0) < float(row.lower)]
    assert broken == [r"Lemma 4, $\gamma$"]


def test_the_table_has_no_empty_cell_and_every_constant_has_a_share() -> None:
    assert all(cell for line in table() for cell in line)
    assert [row.name for row in ALL if not row.thousandths] == [row.name for row in ALL if not row.certified]
    assert largest().gap == max(row.gap for row in ALL)


def test_every_sharpened_statement_is_proved() -> None:
    known = {one.fingerprint for label in {row.label for row in ALL} for one in claim(label).statements}
    known |= {
        one.statement.fingerprint
        for label in {row.label for row in ALL}
        for one in claim(label).checks
        if one.statement is not None
    }
    ours = {one.statement.fingerprint for one in less_noise.LESS_NOISE.checks if one.statement is not None}
    shared = {
        one.statement.fingerprint
        for label in ("beyond/short/average", "beyond/constrained/average", "beyond/open/ten", "eq:thrm:1")
        for one in claim(label).checks
        if one.statement is not None
    }
    missing = [row.name for row in ALL if row.sharpened.fingerprint not in known | ours | shared]
    assert missing == [
        r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $L^2$, start $\beta g_0$",
    ]
    assert check(theorem_u()).passed


def test_a_constant_is_read_off_its_statement() -> None:
    row = next(one for one in ALL if one.name == r"Lemma 4, $\gamma$")
    assert isinstance(row, StepRow)
    assert row.upper(lemma_4(value=sp.Rational(7, 5)).statement) == Q(7, 5)
    ten = next(one for one in ALL if one.name == r"Without $G$, $\rho\Delta$")
    assert isinstance(ten, RunRow)
    assert coefficient(ten.sharpened, "gap", 8, Q(1)) == 10
    assert coefficient(ten.sharpened, "sigma2", 8, Q(1)) == 4
    with pytest.raises(ValueError, match="alpha_0"):
        coefficient(ten.sharpened, "gap", 8, Q(1, 2))


def test_a_statement_that_differs_in_more_than_the_constant_is_refused() -> None:
    row = next(one for one in ALL if one.name == "Lemma 7, noise")
    assert isinstance(row.printed, tuple)
    with pytest.raises(ValueError, match="more than that"):
        row.upper(row.printed[0])  # another factor of the last square too
    other = next(one for one in ALL if one.name == r"$\mathcal{V}_k$, noise")
    with pytest.raises(ValueError, match="more than that"):
        other.upper(energy.falls().statement)


def tree_mean(root: int, bend: mpq, start: str) -> mpq:
    """The bowl with noise in fresh directions again, by all paths in coordinates."""
    K, alpha, beta, lam = root * root - 1, mpq(1, root), mpq(1, root), mpq(1, 2)
    total = mpq(0)
    for signs in product((1, -1), repeat=K):
        x, d = [mpq(0)] * (K + 1), [mpq(0)] * (K + 1)
        for k in range(K + 1):
            bar = [a - (1 - beta) * alpha / beta * b for a, b in zip(x, d)]
            total += sum((bend / (1 + lam * bend) * a) ** 2 for a in bar)
            if k == K:
                break
            j = x.index(0)
            g = [bend * a for a in x]
            g[j] += signs[k]
            z = g if start == "printed" and k == 0 else [beta * a + (1 - beta) * b for a, b in zip(g, d)]
            d = z
            x = [a - alpha * b for a, b in zip(x, z)]
    return total / 2**K / (K + 1)


def test_one_path_stands_for_all_in_fresh_directions() -> None:
    for bend in (mpq(1), mpq(5)):
        assert fresh.run(2, bend).mean == tree_mean(2, bend, "repaired")
    assert fresh.run(2, mpq(1)).mean != tree_mean(2, mpq(1), "printed")


def test_a_coordinate_that_comes_back_is_refused() -> None:
    with pytest.raises(ValueError, match="comes back"):
        fresh.run(2, mpq(6))  # x_2 = x_1 (1 - alpha beta h) - alpha (1 - beta) d_1 = 0, since d_1 = -x_1 / alpha
    with pytest.raises(ValueError, match="start"):
        fresh.run(2, mpq(1), start="other")


def test_the_polygon_is_convex_and_its_first_iterates_are_its_corners() -> None:
    shape = turning.corners(16, 4)
    turns = [
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        for a, b, c in zip(shape, shape[1:] + shape[:1], shape[2:] + shape[:2])
    ]
    assert all(t <= 0 for t in turns)
    assert sum(t < 0 for t in turns) == len(turns) - 1  # two sides of one line end in the last corner but one
    assert all(a * a + b * b == 1 for a, b in turning.directions(8))
    triangle, eight = turning.polygon(64, 2), turning.polygon(64, 8)
    assert eight.mean > 2 * triangle.mean


@pytest.mark.parametrize("smooth", [True, False])
def test_the_teeth_have_the_slopes_that_they_say(smooth: bool) -> None:
    case = descent.teeth_case(mpq(3), mpq(1, 4), smooth=smooth)
    f = case.problem.mean
    assert case.problem.L2(case.X) == 1
    assert f.weak_convexity == 1
    assert f.smooth == smooth
    assert f.subgradient(mpq(-3, 8)) == mpq(5, 8)
    run = descent.measured(case, 2, mpq(1))
    again = gradients(case, *constant_steps(mpq(1, 2), mpq(1, 2), 3, False), mpq(1, 2))
    assert run.mean == sum(again) / 4


def test_lemma_7_holds_with_less_noise_at_the_bowl_and_not_with_what_it_needs_less_a_tenth() -> None:
    row = next(one for one in ALL if one.name == "Lemma 7, noise")
    assert isinstance(row, StepRow)
    assert row.instance is not None
    share = row.lower / row.certified
    for factor, holds in ((Q(1), True), (share * Q(9, 10), False)):
        (found,) = compare(less_noise.lemma_7_less(share=factor).statement, row.instance.trial, row.instance.k)
        assert found.holds is holds


def test_what_momentum_costs_is_read_off_the_certified_bound() -> None:
    for kind in momentum.FACTORS:
        gap, noise = momentum.factors(kind, momentum=sp.Rational(1, 1000), root=1000)
        assert 4.9 < gap < 5 < gap + 0.1
        assert 1.9 < noise < 2.1
    assert momentum.factors("weakly convex", momentum=1, root=7) == (1, 1)
    with pytest.raises(ValueError, match="kind"):
        momentum.factors("rough", momentum=1, root=7)


def test_with_the_momentum_of_the_theorems_a_problem_needs_more_than_sgd_ever_does() -> None:
    (found,) = momentum.real_cost()
    assert found.holds
    (control,) = momentum.real_cost(Q(3, 2))
    assert not control.holds


@pytest.mark.parametrize("row", whole_bounds.ROWS, ids=lambda row: row.name)
def test_a_whole_bound_needs_the_share_that_it_says(row: whole_bounds.Whole) -> None:
    """The run once more, in floating point and by hand: gradients of the envelope along the way to the wall."""
    left, right = row.sides()
    assert 0 < left <= right
    assert int(1000 * row.share) == row.thousandths
    assert row.gap == pytest.approx(100 * (float(right) / float(left) - 1))


def test_the_gradients_along_the_way_to_the_wall_are_those_of_the_formula() -> None:
    slope, alpha, beta, lam, K = 1.1, 0.05, 1.0, 0.5, 60
    x, total = 1.0, 0.0
    for _ in range(K + 1):
        prox = min(max((x / lam - slope) / (1 / lam - 1), 0.0), 1.0)  # of slope * x - x^2/2 on [0, 1]
        total += alpha * ((x - prox) / lam) ** 2
        x = min(max(x - alpha * beta * (slope - x), 0.0), 1.0)
    left, _ = whole_bounds.ROWS[0].sides()
    assert float(left) == pytest.approx(total, rel=1e-12)


def test_at_one_half_over_rho_the_bound_without_a_bounded_gradient_is_below_the_smaller_constants() -> None:
    """Which bound is the smallest, as the chapter on the shorter smooth half says; there |grad f(x_0)|^2 <= 2 rho Delta."""
    from shbcore.claims.beyond import constrained, open_question, shorter

    many = 10**6

    def both(line: Line, step: Q, envelope: Q = Q(1, 2)) -> tuple[Q, Q]:
        gap, noise, slope = (
            coefficient(line.statement, of, many, step, envelope) for of in ("gap", "sigma2", "slope2")
        )
        return gap + 2 * slope, noise

    for step in (Q(1, 10), Q(1, 4), Q(1, 2)):
        for ours, other in ((open_question.repaired, shorter.better), (open_question.printed, shorter.better_printed)):
            assert all(a < b for a, b in zip(both(ours(), step), both(other(), step), strict=True))
    short = [both(line(), Q(1, 20))[1] for line in (open_question.repaired, shorter.better)]
    assert short[0] > short[1]  # for the shortest steps the noise is smaller there
    for step, envelope in ((Q(1, 4), Q(1, 2)), (Q(1, 20), Q(3, 5)), (Q(1, 4), Q(13, 20))):
        assert both(constrained.average(), step, envelope)[0] < both(shorter.average(), step, envelope)[0]
    assert both(constrained.average(), Q(1, 4)) == both(open_question.repaired(), Q(1, 4))
