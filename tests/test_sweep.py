"""A sweep is a value: the same one gives the same table, bit by bit, whatever computes it; nonsense is refused with a reason."""

import contextlib
import math
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace

import distributed
import numpy as np
import pandas as pd
import pytest

from shbcore.numerics.engine import execute, processes
from shbcore.numerics.phase_kernel import reference
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep, draw, first_epoch, grid, unit

SMALL = Setting(m=40, n=10, epochs=30, kappa=3)
METHODS = (SGD, Method(Momentum(1, "root")), Method(Momentum(0.1), "beta_g0"))
WORK = Sweep("small", SMALL, METHODS, grid(0.01, 1, 4), (0.3, 0.1), experiments=6, seed=7)


@contextlib.contextmanager
def dask():
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        yield client.get_executor()


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    def bits(column: pd.Series) -> object:
        return column.to_numpy().tobytes() if column.dtype.kind in "fi" else column.tolist()

    return list(one) == list(other) and all(bits(one[c]) == bits(other[c]) for c in one)


@pytest.mark.parametrize("pool", [lambda: ThreadPoolExecutor(2), lambda: processes(1), lambda: processes(2), dask])
def test_every_executor_gives_the_same_table_bit_by_bit(pool) -> None:
    here = execute([WORK]).tables[0]
    with pool() as executor:
        assert isinstance(executor, Executor)
        assert same(execute([WORK], executor=executor).tables[0], here)


def test_another_seed_gives_another_table() -> None:
    """The control of the comparison above."""
    one, other = (execute([replace(WORK, seed=seed)]).tables[0] for seed in (7, 8))
    assert same(one, one.copy())
    assert not same(one, other)


def test_a_row_is_the_plain_loop() -> None:
    work, f_star = draw(SMALL, WORK.seed, 3)
    table = unit(replace(WORK, keep=True), 3)
    for row in table.iloc[[0, 4, 12, 20, -1]].itertuples():
        plain = reference(work, row.alpha_0, row.beta, 1.0 if row.start == "g0" else row.beta) - f_star
        assert np.array_equal(row.course, plain)
        for eps in WORK.epsilons:
            reached = [q for q, gap in enumerate(plain) if gap <= eps]
            assert getattr(table.loc[row.Index], f"epochs_{eps:g}") == (reached[0] if reached else math.inf)
        assert (row.peak, row.peak_epoch, row.final) == (plain.max(), plain.argmax(), plain[-1])


def test_ending_a_run_at_the_smallest_accuracy_changes_no_first_epoch() -> None:
    cut, full = unit(WORK, 0), unit(replace(WORK, keep=True), 0)
    for eps in WORK.epsilons:
        assert (cut[f"epochs_{eps:g}"] == full[f"epochs_{eps:g}"]).all()
    assert cut["epochs_run"].sum() < full["epochs_run"].sum()


def test_the_data_are_those_of_the_paper() -> None:
    setting = Setting(m=4000, n=20, kappa=10, p_fail=0.3, epochs=1)
    work, f_star = draw(setting, 1, 0)
    assert np.allclose(work.A.std(axis=0), np.linspace(0.1, 1, 20), rtol=0.1)
    assert f_star == pytest.approx(0.3 * 5 * math.sqrt(2 / math.pi), rel=0.1)
    assert np.bincount(work.order, minlength=4000).max() > 2  # with replacement: i.i.d. samples
    assert draw(replace(setting, p_fail=0.0), 1, 0)[1] == 0.0


def test_sgd_does_not_depend_on_the_start_and_momentum_one_is_sgd() -> None:
    rows = unit(replace(WORK, methods=(SGD, Method(Momentum(1.0), "beta_g0"))), 0)
    assert rows["method"].unique().tolist() == ["SGD"]
    assert (rows["lowest"][:9].to_numpy() == rows["lowest"][9:].to_numpy()).all()


def test_first_epoch_of_a_run_that_never_arrives_is_infinite() -> None:
    values = np.array([[3.0, 1, 2], [3, 2, 2], [np.nan, np.nan, 0]])
    assert first_epoch(values, 1.0).tolist() == [1, math.inf, 2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Sweep("x", SMALL, (Method(Momentum(1, "alpha root")),), (0.001,)),
            ["beta", "(0, 1]", "alpha_0 >= 0.0288675"],
        ),
        (lambda: Sweep("x", SMALL, (Method(Momentum(2.0)),), (0.1,)), ["beta = 2.0", "(0, 1]"]),
        (lambda: Momentum(0.0), ["beta = 0.0", "positive"]),
        (lambda: Momentum(math.nan), ["beta = nan", "finite"]),
        (lambda: Setting(kappa=0.5), ["kappa = 0.5", "at least 1"]),
        (lambda: Setting(p_fail=1.5), ["p_fail = 1.5", "[0, 1]"]),
        (lambda: Setting(m=0), ["m = 0", ">= 1"]),
        (lambda: Setting(signal="gauss"), ["signal = 'gauss'", "sphere, normal"]),  # type: ignore[arg-type]
        (lambda: Sweep("x", SMALL, (SGD,), ()), ["alpha_0 = ()", "non-empty"]),
        (lambda: Sweep("x", SMALL, (SGD,), (-0.1,)), ["alpha_0 = -0.1", "positive"]),
        (lambda: Sweep("x", SMALL, (SGD,), (0.1,), (0.0,)), ["epsilon = 0.0", "positive"]),
        (lambda: Sweep("x", SMALL, (SGD,), (0.1,), experiments=0), ["experiments = 0", ">= 1"]),
    ],
)
def test_nonsense_is_refused_with_the_argument_its_value_and_its_range(make, words: list[str]) -> None:
    with pytest.raises(ValueError) as error:
        make()
    assert all(word in str(error.value) for word in words), str(error.value)


def test_the_momentum_rule_is_admissible_from_one_over_root_K_on() -> None:
    K, rule = 120_000, Momentum(1, "alpha root")
    edge = 1 / math.sqrt(K)
    assert rule.beta(edge * (1 + 1e-12), K) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"alpha_0 >= 0\.00288675"):
        rule.beta(edge * (1 - 1e-9), K)
