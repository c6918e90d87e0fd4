"""The compiled lanes compute, bit by bit, what the plain loop computes, and stop for the right reasons only."""

import numpy as np
import pytest

from shbcore.numerics.phase_kernel import Work, reference, run
from shbcore.numerics.simd import LANES


def small(m: int, n: int, epochs: int, *, seed: int = 0, constant: bool = False) -> Work:
    rng = np.random.default_rng(seed)
    A, x = rng.standard_normal((m, n)), rng.standard_normal(n)
    b = (A @ x) ** 2 + (rng.random(m) < 0.3) * 5 * rng.standard_normal(m)
    steps = np.arange(epochs * m, dtype=float) + 1
    roots = np.full_like(steps, np.sqrt(steps[-1] + 1)) if constant else np.sqrt(steps)
    return Work(A, b, rng.standard_normal(n), rng.integers(0, m, epochs * m), roots)


@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize(("m", "n", "lanes"), [(23, 7, 19), (8, 5, 8), (5, 1, 1), (1, 3, 9), (30, 16, 17)])
def test_every_lane_is_bitwise_the_plain_loop(m: int, n: int, lanes: int, printed: bool) -> None:
    work = small(m, n, 6, seed=m, constant=n % 2 == 0)
    alpha_0, beta = np.geomspace(1e-3, 1, lanes), np.linspace(0.05, 1, lanes)
    first = np.ones(lanes) if printed else beta
    values, iterations = run(work, alpha_0, beta, first)
    expected = [reference(work, *lane) for lane in zip(alpha_0.tolist(), beta.tolist(), first.tolist(), strict=True)]
    assert np.array_equal(values, expected, equal_nan=True)
    assert iterations == lanes * 6 * m


def test_another_order_of_summation_is_told_apart() -> None:
    """The control: the same sums from the last coordinate to the first are another run, after a while visibly so."""
    work = small(30, 20, 40)
    backward = Work(work.A[:, ::-1].copy(), work.b, work.x_0[::-1].copy(), work.order, work.roots)
    one, other = (run(w, np.array([0.05]), np.array([0.1]), np.ones(1))[0][0] for w in (work, backward))
    assert np.allclose(one[:3], other[:3], rtol=1e-9)
    assert not np.array_equal(one, other)


def test_the_starts_differ_unless_beta_is_one() -> None:
    work = small(20, 6, 3)
    for beta, same in ((1.0, True), (0.5, False)):
        values = [run(work, np.array([0.05]), np.array([beta]), np.array([first]))[0] for first in (1.0, beta)]
        assert np.array_equal(*values) is same


def test_beta_one_is_sgd() -> None:
    work = small(40, 9, 5)
    x = work.x_0.copy()
    for k, i in enumerate(work.order):
        t = float(work.A[i] @ x)
        x -= 0.02 / work.roots[k] * 2 * np.sign(t * t - work.b[i]) * t * work.A[i]
    f = np.abs((work.A @ x) ** 2 - work.b).mean()
    assert run(work, np.array([0.02]), np.ones(1), np.ones(1))[0][0, -1] == pytest.approx(f, rel=1e-9)


def test_lanes_that_stop_leave_the_others_untouched() -> None:
    work = small(40, 9, 30)
    alpha_0, beta = np.geomspace(1e-3, 0.3, 3 * LANES - 2), np.full(3 * LANES - 2, 0.2)
    full, _ = run(work, alpha_0, beta, beta)
    stop = float(np.median(full.min(axis=1)))
    cut, iterations = run(work, alpha_0, beta, beta, stop=stop)
    live = np.array([row if (row > stop).all() else row[: np.argmax(row <= stop) + 1] for row in full], dtype=object)
    assert iterations == sum((len(row) - 1) * 40 for row in live) < full.size * 40
    for row, kept in zip(cut, live, strict=True):
        assert np.array_equal(row[: len(kept)], kept.astype(float))
        assert np.isnan(row[len(kept) :]).all()


def test_a_run_whose_value_overflows_may_come_back() -> None:
    """x = 1e160 is finite, f = x^2 is not; the next step, x - x, leads to 0.  Only a lost iterate ends a run."""
    work = Work(np.ones((1, 1)), np.ones(1), np.array([1e160]), np.zeros(3, np.int64), np.full(3, 2.0))
    assert run(work, np.ones(1), np.ones(1), np.ones(1))[0][0].tolist() == [np.inf, 1, 1, 1]
    lost, iterations = run(work, np.array([1e200]), np.ones(1), np.ones(1))
    assert iterations == 1
    assert np.isnan(lost[0, 2:]).all()


def test_at_a_kink_the_subgradient_is_zero() -> None:
    work = Work(np.ones((1, 1)), np.ones(1), np.ones(1), np.zeros(2, np.int64), np.ones(2))
    assert run(work, np.ones(1), np.full(1, 0.5), np.ones(1))[0][0].tolist() == [0, 0, 0]
