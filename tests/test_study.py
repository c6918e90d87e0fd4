"""The hypotheses of the study are decided by the numbers: made-up tables with a known answer, and their opposites."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from shbcore.numerics import ball, panels, store, study
from shbcore.numerics.engine import agrees, execute
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep, grid

DATA = Path(__file__).resolve().parent.parent / "book" / "data"
GRID = grid(0.01, 10, 4)


def made_up(works: dict[str, tuple[float, float]], experiments: int = 11) -> pd.DataFrame:
    """A table in which a momentum arrives after 7 epochs exactly for the stepsizes between two ends."""
    records = [
        (e, "SGD" if name == "1" else "SHB", name, "beta_g0", a, 7.0 if low <= a <= high else math.inf)
        for e in range(experiments)
        for name, (low, high) in works.items()
        for a in GRID
    ]
    return pd.DataFrame(records, columns=["experiment", "method", "momentum", "start", "alpha_0", "epochs_0.1"])


def rules(low: float, high: float) -> dict[str, tuple[float, float]]:
    return {panel.momentum.name: (low, high) for panel in panels.FIGURES_2_3}


def test_percentiles_count_a_run_that_never_arrives_as_infinitely_late() -> None:
    times = np.array([[1.0], [2.0], [math.inf], [math.inf]])
    assert study.percentiles(times)[:, 0].tolist() == [1, 2, math.inf]  # half arrive: the median is finite
    assert study.percentiles(np.vstack([times, [[math.inf]]]))[1, 0] == math.inf


def test_width_counts_decades_of_working_stepsizes() -> None:
    table = made_up({"1": (0.09, 1.1)})
    found = study.width(study.arrivals(table, SGD, 0.1))
    assert found.decades == pytest.approx(1.25)
    assert (found.low, found.high) == pytest.approx((1.25, 1.25))
    assert (found.first, found.last) == (0.1, 1.0)
    none = study.width(study.arrivals(made_up({"1": (5, 2)}), SGD, 0.1))
    assert none.decades == 0
    assert math.isnan(none.first)


def test_wider_is_decided_by_the_interval_of_the_gain() -> None:
    sgd = {"1": (0.09, 0.6)}
    assert study.wider(made_up(sgd | rules(0.09, 2)), 0.1, "beta_g0").holds
    assert not study.wider(made_up(sgd | rules(0.09, 0.6)), 0.1, "beta_g0").holds
    assert not study.wider(made_up(sgd | rules(0.09, 2) | {"0.1": (0.09, 0.6)}), 0.1, "beta_g0").holds


def test_same_picture_fails_if_the_advantage_disappears() -> None:
    sgd = {"1": (0.09, 0.6)}
    one, other = made_up(sgd | rules(0.09, 2)), made_up(sgd | rules(0.09, 0.6))
    assert study.same_picture(one, one, 0.1, "beta_g0").holds
    assert not study.same_picture(one, other, 0.1, "beta_g0").holds


def test_independence_of_momentum_tells_even_from_uneven() -> None:
    for last, even in ((2.0, True), (0.6, False)):
        table = made_up({"1": (0.09, 0.6), "0.1": (0.09, 2.0), "0.01": (0.09, last)})
        table["beta"] = table["momentum"].astype(float)
        wide, same = study.independent_of_momentum(table, 0.1)
        assert wide.holds
        assert same.holds is even


def test_on_the_quadratic_sgd_is_a_product_that_grows_as_long_as_the_stepsize_exceeds_two() -> None:
    for alpha_0 in (1.0, 3.0, 8.0):
        path = study.quadratic(alpha_0, 1.0, 400)
        product = np.cumprod([abs(1 - alpha_0 / math.sqrt(j + 1)) for j in range(400)])
        assert np.allclose(path[1:], product, rtol=1e-9)
        grows = [k for k in range(400) if path[k + 1] > path[k] * (1 + 1e-12)]
        assert grows == [k for k in range(400) if alpha_0 / math.sqrt(k + 1) > 2]
    assert study.quadratic(8.0, 1.0, 400).max() > 1e4
    assert study.quadratic(8.0, 0.03, 400).max() == 1


@pytest.fixture(scope="module")
def figure_1() -> tuple[pd.DataFrame, ...]:
    return execute(panels.figure_1(experiments=5)).tables


def test_sgd_grows_and_comes_back_in_panel_d_and_not_in_panel_a(figure_1: tuple[pd.DataFrame, ...]) -> None:
    assert study.transient_growth(figure_1, "1(d)").holds
    assert not study.transient_growth(figure_1, "1(a)").holds
    assert not study.transient_growth(figure_1, "1(d)", method=Method(panels.TEN, "beta_g0")).holds


def test_shb_brings_the_gap_down_in_every_panel_but_not_to_zero(figure_1: tuple[pd.DataFrame, ...]) -> None:
    for start in ("g0", "beta_g0"):
        assert study.converges(figure_1, start).holds
        assert not study.converges(figure_1, start, share=0.001).holds


@pytest.mark.parametrize("name", ["figures_2_3", "constant_step", "fine_grid", "plane_kappa_1", "plane_kappa_10"])
def test_the_tables_of_the_book_are_what_the_code_computes(name: str) -> None:
    work = {w.name: w for w in (panels.figures_2_3(), *panels.larger_study())}[name]
    table = store.read(DATA / f"{name}.parquet")
    assert len(table) == work.runs
    assert agrees(table, work, 7)
    wrong = table.copy()
    column = wrong.columns.get_loc("epochs_0.1")
    row = wrong.index[wrong["experiment"] == 7][len(work.alpha_0) // 2]
    wrong.iloc[row, column] = 399.0 if wrong.iloc[row, column] != 399 else 398.0
    assert not agrees(wrong, work, 7)


def test_the_claims_on_the_tables_of_the_book() -> None:
    tables = {name: store.read(DATA / f"{name}.parquet") for name in ("figures_2_3", "constant_step", "fine_grid")}
    for epsilon in panels.EPSILONS:
        assert study.wider(tables["figures_2_3"], epsilon, "beta_g0").holds
        assert study.wider(tables["fine_grid"], epsilon, "beta_g0").holds
        for start in ("g0", "beta_g0"):
            assert not study.same_picture(tables["figures_2_3"], tables["constant_step"], epsilon, start).holds


def test_own_panel_takes_momentum_in_words() -> None:
    work = panels.own_panel((0.05, 0.1), "2/sqrt(K)", m=40, n=10, epochs=5, kappa=2, experiments=2)
    assert [m.momentum for m in work.methods] == [Momentum(1.0), Momentum(2.0, "root")]
    assert panels.own_panel((0.5,), "1/(alpha_0 sqrt(K))", m=40, n=10).methods[1].momentum == Momentum(
        1.0, "alpha root"
    )
    assert panels.own_panel((0.5,), 0.25).methods[1].momentum == Momentum(0.25)
    for text in ("1/K", "", "one", "1/sqrt(k)"):
        with pytest.raises(ValueError, match="beta"):
            panels.own_panel((0.5,), text)
    assert isinstance(work, Sweep)


SMALL = Setting(m=40, n=8, kappa=3, epochs=1)


def test_theorem_1_holds_in_a_ball_and_a_thousandth_of_its_bound_does_not() -> None:
    at = ball.instance(SMALL, radius=4.0, seed=3)
    for K in (15, 255):
        found = ball.sides(at, alpha_0=1 / at.weak_convexity, K=K, runs=6, points=8, rng=np.random.default_rng(0))
        assert found.left + 3 * found.error < found.right
        assert found.left > found.right / 10_000


def test_L_is_the_largest_second_moment_in_the_ball() -> None:
    at = ball.instance(SMALL, radius=4.0, seed=3)
    norms = np.linalg.norm(at.problem.A, axis=1)
    top = np.linalg.eigh((at.problem.A * norms[:, None] ** 2).T @ at.problem.A)[1][:, -1]
    assert ball.second_moment(at.problem.A, 4.0 * top) == pytest.approx(at.L, rel=1e-9)
    assert ball.second_moment(at.problem.A, 40.0 * top) == pytest.approx(10 * at.L, rel=1e-9)
