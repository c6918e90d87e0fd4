"""Parameters, schedules and problems on the line at their edges."""

import math
from fractions import Fraction as Q
from typing import Any

import pytest
from refusal import message

from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters, exactly, root
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem, combine, exact
from shbcore.model.schedules import CosineStep, Schedule, StepDecay, WarmUp
from shbcore.model.staircase import staircase

ABS = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)


# --- parameters and schedules


def test_the_root_of_K_plus_1() -> None:
    assert [root(K) for K in (0, 3, 8)] == [1, 2, 3]
    assert [root(K) for K in (1, 2)] == [math.sqrt(2), math.sqrt(3)]
    assert type(root(10**20 - 1)) is int
    assert root(10**300) == math.sqrt(10**300 + 1)
    assert "K = -1 must be an integer >= 0" in message(lambda: root(-1))
    assert "must be an integer <= 1000" in message(lambda: root(10**300 + 1))
    assert type(exactly(3)) is Q
    assert exactly(0.5) == 0.5


def test_rules_of_the_stepsize_begin_at_0() -> None:
    for rule in (
        ConstantStep(0.5),
        DecayingStep(0.5),
        CosineStep(0.5, 3),
        StepDecay(0.5, 2, 0.5),
        WarmUp(0.5, 1.0, 0.5),
    ):
        assert rule(0) == 0.5
        assert "k = -1 must be an integer >= 0" in message(lambda r=rule: r(-1))
    assert DecayingStep(0.5)(10**300) > 0
    assert "must be an integer <=" in message(lambda: DecayingStep(0.5)(10**300 + 1))


def test_a_step_decay_falls_every_so_many_steps() -> None:
    rule = StepDecay(Q(1), 3, Q(1, 2))
    assert [rule(k) for k in range(8)] == [1, 1, 1, Q(1, 2), Q(1, 2), Q(1, 2), Q(1, 4), Q(1, 4)]
    assert StepDecay(Q(1), 1, 1)(9) == 1
    for factor in (0, Q(-1, 2), -1, Q(3, 2)):
        assert "must lie in (0, 1]" in message(lambda f=factor: StepDecay(Q(1), 1, f))
    assert "every = 0 must be an integer >= 1" in message(lambda: StepDecay(Q(1), 0, 1))


def test_a_warm_up_grows_to_its_top_and_stays() -> None:
    rule = WarmUp(Q(1), Q(5), Q(1))
    assert [rule(k) for k in range(6)] == [1, 2, 4, 5, 5, 5]
    assert [rule(k) for k in (10, 10**12)] == [5, 5]
    assert WarmUp(Q(2), Q(2), Q(1))(3) == 2, "a top that is reached at once"
    assert "top = Fraction(1, 1) must be at least first = 2" in message(lambda: WarmUp(Q(2), Q(1), Q(1)))
    assert "growth = 0 must be positive" in message(lambda: WarmUp(Q(1), Q(2), 0))
    assert "first = 0 must be positive" in message(lambda: WarmUp(0, Q(2), 1))


def test_a_cosine_ends_above_0() -> None:
    rule = CosineStep(1.0, 2)
    wanted = [math.cos(math.pi * min(k, 3) / 8) ** 2 for k in range(6)]
    assert [rule(k) for k in range(6)] == pytest.approx(wanted)
    assert CosineStep(1.0, 0)(1) == pytest.approx(0.5)
    assert "K = -1 must be an integer >= 0" in message(lambda: CosineStep(1.0, -1))


def test_a_schedule_is_constant_after_its_end() -> None:
    schedule = Schedule(lambda k: Q(1, k + 1), Q(1, 2), 2)
    assert schedule.alphas == (1, Q(1, 2), Q(1, 3), Q(1, 4))
    assert [schedule.alpha(k) for k in (-1, 0, 3, 4, 99)] == [1, 1, Q(1, 4), Q(1, 4), Q(1, 4)]
    assert schedule.S(3) == schedule.S(99) == Q(1, 2)
    assert schedule.S(-1) == schedule.S(0)
    assert "k = -2 must be an integer >= -1" in message(lambda: schedule.alpha(-2))
    assert Schedule(ConstantStep(1), 1, 0).alphas == (1, 1)
    assert "K = 10000001 must be an integer <= 10000000" in message(lambda: Schedule(ConstantStep(1), 1, 10**7 + 1))
    assert Schedule(ConstantStep(1), 1, 10**7).K == 10**7


def _schedule(*alphas: Any) -> Schedule:
    return Schedule(lambda k: Q(alphas[k]), Q(1, 2), len(alphas) - 2)


@pytest.mark.parametrize(
    ("alphas", "falls", "concave", "slow"),
    [
        ((4, 4, 4), True, True, True),
        ((4, 2, 1), True, True, True),  # the ratio is constant: log-concave at its edge
        ((4, 2, Q(11, 10)), True, False, True),
        ((4, 2, Q(9, 10)), True, True, True),
        ((1, 2, 4), False, False, False),
        ((4, 5, Q(25, 4)), False, False, True),  # growth by 1 + beta/2 exactly
        ((4, 5, Q(26, 4)), False, False, False),
        ((4, 4, 5), False, False, True),
        ((8, 4, 2, 2), True, False, True),  # the last ratio counts
        ((2, 2, 1, 1), True, False, True),
    ],
)
def test_classes_of_schedules_at_their_edges(alphas: Any, falls: bool, concave: bool, slow: bool) -> None:
    schedule = _schedule(*alphas)
    assert (schedule.falls(), schedule.log_concave(), schedule.grows_slowly()) == (falls, concave, slow)


# --- the line


def test_floats_may_disagree_at_a_break_by_rounding_of_their_size() -> None:
    """Pieces 10^6 and 10^6 + e meet at 0: 1e-9 of the size 1 + 10^6 + e is allowed."""

    def pieces(size: float, gap: float) -> PiecewiseQuadratic:
        return PiecewiseQuadratic((0.0,), ((0.0, 0.0, size), (0.0, 0.0, size + gap)))

    for size in (1e6, -1e6):
        assert pieces(size, 9e-4).value(-1.0) == size
        assert "must agree at the break 0.0" in message(lambda s=size: pieces(s, 1.1e-3))
    assert pieces(0.0, 9e-10).value(1.0) == 9e-10
    assert "agree at the break" in message(lambda: pieces(0.0, 1.1e-9))
    assert "agree at the break" in message(lambda: PiecewiseQuadratic((0,), ((0, 0, 0), (0, 0, Q(1, 10**30)))))


def test_slopes_may_fall_at_a_break_by_rounding_alone() -> None:
    def kink(left: Any, right: Any, **more: Any) -> PiecewiseQuadratic:
        return PiecewiseQuadratic((left * 0,), ((left * 0, left, left * 0), (left * 0, right, left * 0)), **more)

    assert kink(1e6, 1e6 - 9e-4).slopes(0.0) == (1e6, 1e6 - 9e-4)
    assert "the slope falls from 1000000.0 to" in message(lambda: kink(1e6, 1e6 - 1.1e-3))
    assert "weak convexity needs convex kinks" in message(lambda: kink(Q(1), Q(1) - Q(1, 10**30)))
    assert kink(Q(-1), Q(3)).subgradient(Q(0)) == 1, "the mean of the slopes"
    for g in (Q(-1), Q(3), Q(1, 2)):
        assert kink(Q(-1), Q(3), at_kinks=(g,)).subgradient(Q(0)) == g
    for g in (Q(-1) - Q(1, 10**30), Q(3) + Q(1, 10**30)):
        assert "must be in the subdifferential [-1, 3] at 0 ((A1))" in message(
            lambda g=g: kink(Q(-1), Q(3), at_kinks=(g,))
        )
    assert kink(-1e6, 3e6, at_kinks=(-1e6 - 9e-4,)).subgradient(0.0) == -1e6 - 9e-4
    assert kink(-1e6, 3e6, at_kinks=(3e6 + 2.9e-3,)).subgradient(0.0) == 3e6 + 2.9e-3
    for g in (-1e6 - 1.1e-3, 3e6 + 3.1e-3):
        assert "subdifferential" in message(lambda g=g: kink(-1e6, 3e6, at_kinks=(g,)))


def test_a_function_on_the_line_counts_its_pieces() -> None:
    assert "must be 2 for 1 breaks, not 1" in message(lambda: PiecewiseQuadratic((0,), ((0, 0, 0),)))
    assert "three coefficients" in message(lambda: PiecewiseQuadratic((), ((0, 0),)))
    assert "must be 2 for 1 breaks" in message(lambda: PiecewiseQuadratic.build([0], [0]))
    assert "must be one for each of the 1 breaks" in message(lambda: PiecewiseQuadratic.build([0], [0, 0], [1, 1]))
    assert "increase strictly" in message(lambda: PiecewiseQuadratic((0, 0), ((0, 0, 0),) * 3))
    assert "must be 2 numbers" in message(lambda: combine([1], [ABS, ABS]))
    assert "must have at least 1 entries" in message(lambda: combine([], []))


def test_a_function_on_the_line_is_built_from_curvatures_and_jumps() -> None:
    r"""Breaks 1 and 3, curvatures 2, -1, 4, jumps 5 and 6, slope -3 and value 7 at 1."""
    f = PiecewiseQuadratic.build([1, 3], [2, -1, 4], [5, 6], slope=-3, value=7)
    assert [f.value(x) for x in (Q(0), Q(1), Q(3), Q(4))] == [11, 7, 9, 17]
    assert (f.slopes(Q(1)), f.slopes(Q(3)), f.slopes(Q(2))) == ((-3, 2), (0, 6), (1, 1))
    assert f.weak_convexity == 1
    alone = PiecewiseQuadratic.build((), [2], slope=3, value=5)
    assert (alone.value(Q(2)), alone.slopes(Q(2))) == (15, (7, 7))
    assert alone.weak_convexity == 0
    assert PiecewiseQuadratic.build([1], [2, 4]).smooth, "no jumps: continuously differentiable"
    assert PiecewiseQuadratic.build([1], [2, -4]).smoothness == 4
    assert f.to(float).at_kinks == (-0.5, 3.0)


def test_a_part_of_the_line_has_the_breaks_inside_it() -> None:
    f = PiecewiseQuadratic.build([1, 3], [2, -1, 4], [5, 6])
    for X, breaks, first, last in (
        (Interval(), (1, 3), 0, 3),
        (Interval(1, 3), (), 1, 2),
        (Interval(0, 3), (1,), 0, 2),
        (Interval(1, None), (3,), 1, 3),
        (Interval(None, 3), (1,), 0, 2),
        (Interval(3, 3), (), 2, 3),
        (Interval(2, 4), (3,), 1, 3),
    ):
        assert f.restricted(X) == (breaks, f.pieces[first:last])


def test_least_values_on_the_line() -> None:
    down, up = (PiecewiseQuadratic.build((), [0], slope=s) for s in (-1, 1))
    hill = PiecewiseQuadratic.build((), [-2])
    assert up.minimum(Interval(2, None)) == (2, 2)
    assert down.minimum(Interval(None, 2)) == (-2, 2)
    assert hill.minimum(Interval(-1, 3)) == (-9, 3)
    for f, X in (
        (up, Interval(None, 2)),
        (down, Interval(2, None)),
        (hill, Interval(0, None)),
        (hill, Interval(None, 0)),
    ):
        assert "unbounded below on X" in message(lambda f=f, X=X: f.minimum(X))
    bowl = PiecewiseQuadratic.build((), [2], slope=-4, value=3)
    for X in (Interval(), Interval(1, None), Interval(None, 3), Interval(1, 3), Interval(2, 3)):
        assert bowl.minimum(X) == (-1, 2)
    assert bowl.minimum(Interval(None, 1)) == (0, 1)
    assert bowl.minimum(Interval(3, None)) == (0, 3)


def test_an_envelope_on_the_line_by_hand() -> None:
    r""":math:`|x|` on :math:`[-1,2]`, :math:`\lambda=1/2`: quadratic around 0 and beyond the ends, slope 1 between."""
    F = ABS.moreau(Interval(-1, 2), envelope=Q(1, 2))
    assert F.breaks == (Q(-3, 2), Q(-1, 2), Q(1, 2), Q(5, 2))
    assert [F.value(x) for x in (Q(-2), Q(-1), Q(1, 4), Q(1), Q(3))] == [2, Q(3, 4), Q(1, 16), Q(3, 4), 3]
    point = ABS.moreau(Interval(2, 2), envelope=Q(1, 2))
    assert (point.breaks, point.value(Q(5))) == ((), 11)
    assert ABS.prox(Q(5), Interval(-1, 2), envelope=Q(1, 2)) == 2
    bowl = PiecewiseQuadratic.build((), [3], slope=4, value=5)
    F = bowl.moreau(envelope=Q(1, 2))
    assert F.pieces == ((Q(6, 5), Q(8, 5), 5 - Q(8, 5)),)
    assert bowl.prox(Q(1), envelope=Q(1, 2)) == Q(-2, 5)
    hill = PiecewiseQuadratic.build((), [-2])
    assert "must satisfy 1/lambda > rho: 1/envelope must be above weak_convexity = 2" in message(
        lambda: hill.moreau(envelope=Q(1, 2))
    )
    assert hill.moreau(envelope=Q(1, 2) - Q(1, 100)).weak_convexity == 100


def test_intervals_at_their_ends() -> None:
    X = Interval(1, 2)
    assert [X.contains(x) for x in (Q(1), Q(2), Q(1) - Q(1, 10**30), Q(2) + Q(1, 10**30))] == [True, True, False, False]
    assert X.contains(Q(3), tol=1)
    assert not X.contains(Q(3), tol=Q(99, 100))
    assert "tol = -1 must be at least 0" in message(lambda: X.contains(Q(3), tol=-1))
    assert Interval(1, 1).diameter == 0
    assert (X.n, RationalProblem((ABS,)).n, RationalProblem((ABS,) * 3).m) == (1, 1, 3)
    assert "lo = 2 must be at most hi = 1" in message(lambda: Interval(2, 1)).replace("Fraction(2, 1)", "2")
    assert type(exact(3)) is Q
    assert "size = True must" in message(lambda: exact(True, "size"))


def test_constants_on_the_line_by_hand() -> None:
    r"""Samples :math:`|x|` and :math:`2x` with weights 1/4 and 3/4: slopes (-1, 2) on the left and (1, 2) on the right."""
    f = RationalProblem((ABS, PiecewiseQuadratic.build((), [0], slope=2)), (Q(1, 4), Q(3, 4)))
    assert f.L2(Interval()) == Q(1, 4) + 3
    assert f.sigma2(Interval()) == Q(13, 4) - Q(25, 16)
    assert f.sigma2(Interval(0, 1)) == Q(13, 4) - Q(49, 16) + (Q(3) - Q(9, 4) - Q(13, 4) + Q(49, 16))
    assert f.sigma2(Interval(1, 2)) == Q(13, 4) - Q(49, 16)
    assert f.G2(Interval()) == Q(49, 16)
    assert f.G2(Interval(-1, 0)) == Q(9, 4), "at the end the chosen subgradient 0 counts, not the slope beyond"
    assert f.known_smoothness().value == math.inf
    assert f.f_star(Interval(-1, 5)) == Q(1, 4) - Q(3, 2)
    bowls = RationalProblem((PiecewiseQuadratic.build((), [1]), PiecewiseQuadratic.build((), [3])))
    assert (bowls.rho, bowls.smoothness) == (0, 2)
    assert bowls.L2(Interval(-1, 2)) == 20
    assert bowls.sigma2(Interval(-1, 2)) == 4
    assert bowls.G2(Interval(-1, 2)) == 16
    for ends in ((None, 0), (0, None), (None, None)):
        for name in ("L2", "sigma2", "G2"):
            assert getattr(bowls, f"known_{name}")(Interval(*ends)).value == math.inf
    same = RationalProblem(tuple(PiecewiseQuadratic.build((), [1], slope=s) for s in (-1, 1)))
    assert same.sigma2(Interval()) == 1, "equal curvatures: the variance is constant"
    alone = RationalProblem((PiecewiseQuadratic.build((), [1]),))
    assert (alone.sigma2(Interval()), alone.known_L2(Interval()).value) == (0, math.inf), "one sample has no variance"
    turned = RationalProblem(tuple(PiecewiseQuadratic.build((), [a], slope=1) for a in (1, -1)))
    assert turned.G2(Interval()) == 1, "opposite curvatures: the mean is linear"


def test_weights_on_the_line_are_positive_and_sum_to_one() -> None:
    for weights in ((Q(1, 2), Q(1, 2), Q(0)), (Q(1, 2), Q(1, 2)), (Q(1, 2), Q(1, 4), Q(1, 5)), (1.0, 1.0, -1.0)):
        assert "must be 3 positive numbers of sum 1" in message(lambda w=weights: RationalProblem((ABS,) * 3, w))
    assert RationalProblem((ABS,) * 2, (0.5, 0.5 + 5e-10)).m == 2
    assert "sum 1" in message(lambda: RationalProblem((ABS,) * 2, (0.5, 0.5 + 2e-9)))
    assert RationalProblem((ABS,) * 3).weights == (Q(1, 3),) * 3


def test_a_staircase_by_hand() -> None:
    r"""Without momentum every step has the length :math:`\alpha L`; the slope falls by :math:`\rho\alpha L` between two kinks."""
    q = Parameters(Q(1, 2), Q(1))
    stairs, iterates = staircase(q, 3, weak_convexity=Q(1, 3), L=Q(2))
    assert iterates == (0, -1, -2, -3)
    (f,) = stairs.samples
    assert f.breaks == (-3, -2, -1, 0)
    assert [f.slopes(x) for x in f.breaks] == [(-2, 2), (Q(5, 3), 2), (Q(5, 3), 2), (Q(5, 3), 2)]
    assert {f.subgradient(x) for x in f.breaks} == {2}
    assert stairs.rho == Q(1, 3)
    half = staircase(Parameters(Q(1), Q(1, 2)), 2, weak_convexity=0)
    assert half.iterates == (0, Q(-1, 2), Q(-5, 4))
    assert staircase(q, 0, weak_convexity=1).iterates == (0,)
    assert staircase(q, 1, weak_convexity=4, L=3).problem.rho == 4, "the slope may fall to -L"
    assert "leave slopes of size at most L" in message(lambda: staircase(q, 1, weak_convexity=Q(41, 10), L=3))
    assert "steps = 100001 must be an integer <= 100000" in message(lambda: staircase(q, 10**5 + 1, weak_convexity=1))
    assert "steps = -1 must be" in message(lambda: staircase(q, -1, weak_convexity=1))
    assert "L = 0 must be positive" in message(lambda: staircase(q, 1, weak_convexity=1, L=0))
