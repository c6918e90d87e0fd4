"""The study and its files by hand: widths, convergence, checksums, compiled code that is entered with what fits."""

import hashlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from refusal import message

from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.model.sets import Ball
from shbcore.numerics import envelope, panels, phase_kernel, store, study
from shbcore.numerics.envelope import moreau
from shbcore.numerics.sweep import SGD, Method, Setting, Sweep, draw, unit

# --- the study


def _arrivals(rows: list[list[float]], alpha_0: tuple[float, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(alpha_0))


def test_the_width_of_a_method_by_hand() -> None:
    inf, alpha_0 = math.inf, (0.01, 0.1, 1.0, 10.0, 100.0)
    two = study.width(_arrivals([[1, inf, 1, 1, inf], [1, inf, 1, inf, inf]], alpha_0))
    assert (two.decades, two.first, two.last) == (2.0, 1.0, 10.0), "half of the runs are enough"
    three = study.width(_arrivals([[1, inf, 1, 1, inf], [1, inf, 1, inf, inf], [1, inf, 1, inf, inf]], alpha_0))
    assert (three.decades, three.first, three.last) == (1.0, 0.01, 0.01), "the first of two that are equally long"
    assert study._longest(np.array([True, False, True, True])) == (2, 3)
    assert study._longest(np.array([True, True, False, True])) == (0, 1)
    assert study._longest(np.array([False, False])) == (0, -1)
    assert study._spacing(np.array([0.1, 1.0, 10.0])) == 1.0
    assert study._spacing(np.array([0.1])) == 0.0
    assert study._spacing(np.array([0.1, 1.0])) == 1.0
    works = np.array([[True, True, False], [False, True, True], [True, True, True], [False, False, False]])
    assert study._decades(works, np.array([0.1, 1.0, 10.0])).tolist() == [2.0, 2.0, 3.0, 0.0]
    assert str(two) == f"2.00 [{two.low:.2f}, {two.high:.2f}]"


def test_a_width_has_a_bootstrap_interval() -> None:
    inf = math.inf
    data = _arrivals([[1, 1, inf], [1, inf, inf], [1, 1, inf], [1, inf, 1]], (0.1, 1.0, 10.0))
    found = study.width(data, resamples=40, seed=3)
    chosen = np.random.default_rng(3).integers(0, 4, (40, 4))
    widths = []
    for rows in chosen:
        share = np.isfinite(data.to_numpy()[rows]).mean(axis=0) >= 0.5
        best = run = 0
        for good in share:
            run = (run + 1) * bool(good)
            best = max(best, run)
        widths.append(float(best))
    assert (found.low, found.high) == tuple(np.quantile(widths, (0.025, 0.975)))
    assert found.low < found.high
    assert study.LEVELS == (0.1, 0.5, 0.9)


def _peak(row: list[float]) -> float:
    return max(gap for gap in row if math.isfinite(gap))


def _course(gaps: list[list[float]], alpha_0: float, method: Method) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "method": method.name,
            "momentum": method.momentum.name,
            "start": method.start,
            "alpha_0": alpha_0,
            "final": [row[-1] for row in gaps],
            "peak": [_peak(row) for row in gaps],
            "course": gaps,
        }
    )


def _figure_1(gaps: list[list[float]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    def table(kappa: float) -> pd.DataFrame:
        parts = [
            _course(gaps, panel.alpha_0 or 0.0, method)
            for panel in panels.FIGURE_1
            if panel.kappa == kappa
            for method in (SGD, panel.shb())
        ]
        return pd.concat(parts, ignore_index=True)

    return table(10.0), table(1.0)


@pytest.mark.parametrize(
    ("gaps", "converges", "grows"),
    [
        ([[2.0, 1.0, 0.2], [2.0, 1.0, 0.3]], True, False),  # half of the runs end at a tenth of their start
        ([[2.0, 1.0, 0.21], [2.0, 1.0, 0.3]], False, False),
        ([[2.0, 1.0, 0.1], [2.0, 1.0, math.inf]], False, False),
        ([[2.0, 2001.0, 1.9], [2.0, 2002.0, 3.0]], False, True),  # more than a thousand, half come back
        ([[2.0, 2000.0, 1.9], [2.0, 2000.0, 3.0]], False, False),
        ([[2.0, 2001.0, 2.0], [2.0, 2001.0, 3.0]], False, False),
    ],
)
def test_convergence_and_growth_at_their_edges(gaps: list[list[float]], converges: bool, grows: bool) -> None:
    tables = _figure_1(gaps)
    found = study.converges(tables, "beta_g0")
    assert found.holds is converges
    assert f"{sum(not math.isfinite(row[-1]) for row in gaps) * 4} lost" in found.numbers
    assert study.transient_growth(tables).holds is grows
    assert study.growth(tables, "1(a)", SGD).tolist() == [_peak(row) / row[0] for row in gaps]
    assert str(found).startswith("HOLDS: SHB" if converges else "FAILS: SHB")
    shown = study.transient_growth(tables, method=panels.FIGURE_1[0].shb()).numbers
    exponent = math.log10(np.median([_peak(row) / row[0] for row in gaps]))
    assert f"factor 10^{exponent:.0f} in the median" in shown


def test_a_plane_of_momenta_by_hand() -> None:
    inf = math.inf
    works = {1.0: (5, inf, inf), 0.5: (4, 3, inf), 0.1: (inf, 9, 2)}
    records = [(e, beta, a, t) for e in range(3) for beta, row in works.items() for a, t in zip((0.1, 1.0, 10.0), row)]
    plane = pd.DataFrame(records, columns=["experiment", "beta", "alpha_0", "epochs_0.1"])
    table = study.widths_over_beta(plane, 0.1).set_index("beta")
    assert table["decades"].to_dict() == {0.1: 2.0, 0.5: 2.0, 1.0: 1.0}
    assert table["best"].to_dict() == {0.1: 2.0, 0.5: 3.0, 1.0: 5.0}
    assert study.medians(plane, 0.1).loc[0.5].tolist() == [4.0, 3.0, inf]
    wide, even = study.independent_of_momentum(plane, 0.1)
    assert (wide.holds, even.holds) == (True, True)
    assert "beta from 0.1 to 0.5: 2.00 to 2.00 decades, SGD 1.00" in wide.numbers
    narrow = plane.assign(**{"epochs_0.1": plane["epochs_0.1"].where(plane["beta"] != 0.1, inf)})
    wide, even = study.independent_of_momentum(narrow, 0.1)
    assert (wide.holds, even.holds) == (False, False)
    step = plane.assign(
        **{"epochs_0.1": plane["epochs_0.1"].mask((plane["beta"] == 0.1) & (plane["alpha_0"] == 1.0), inf)}
    )
    wide, even = study.independent_of_momentum(step, 0.1)
    assert (wide.holds, even.holds) == (True, True), "one step of the grid is no difference"


def test_the_quadratic_of_the_study_by_hand() -> None:
    path = study.quadratic(2.0, 0.5, 3)
    x, z, wanted = 1.0, 0.0, [1.0]
    for k in range(3):
        z = z / 2 + x / 2
        x -= 2.0 / math.sqrt(k + 1) * z
        wanted.append(abs(x))
    assert path.tolist() == pytest.approx(wanted)
    assert "steps = 10000001 must be" in message(lambda: study.quadratic(1.0, 0.5, 10**7 + 1))


# --- files and tables


SMALL = Sweep("small", Setting(m=4, n=2, epochs=3), (SGD,), (0.1,), experiments=2)


def test_where_an_experiment_is_kept_and_what_it_depends_on() -> None:
    path = store.place(Path("root"), SMALL, 7)
    assert path.name == "0007.parquet"
    name, _, digest = path.parent.name.partition("-")
    assert (name, len(digest), path.parent.parent) == ("small", 12, Path("root"))
    assert store.place(Path("root"), replace(SMALL, experiments=9), 7) == path
    assert store.place(Path("root"), replace(SMALL, seed=9), 7).parent != path.parent
    assert set(store.parameters(SMALL)) == {"setting", "methods", "alpha_0", "epsilons", "seed", "keep"}
    origin = store.provenance(SMALL, 1)
    assert set(origin) == {"experiment", "parameters", "source", "versions"}
    assert origin["experiment"] == 1
    assert set(origin["versions"]) == {"python", "numpy", "numba", "llvmlite", "pandas", "pyarrow"}
    assert store.table(SMALL) == {
        "experiments": 2,
        "parameters": store.parameters(SMALL),
        "source": store.code()["source"],
    }
    assert len(store.code()["source"]) == 64


def test_a_checksum_sees_names_types_and_bits() -> None:
    def frame(**columns: Any) -> pd.DataFrame:
        return pd.DataFrame({key: list(value) for key, value in columns.items()})

    base = frame(a=[1.0, 2.0], t=["x", "y"])
    lists = frame(c=[np.array([1.0, 2.0]), np.array([3.0])])
    others = [
        frame(b=[1.0, 2.0], t=["x", "y"]),
        frame(a=[1.0, np.nextafter(2.0, 3.0)], t=["x", "y"]),
        frame(a=[1.0, 2.0], t=["x", "z"]),
        frame(a=[1.0, 2.0], t=["y", "x"]),
        base.astype({"a": "float32"}),
        base.astype({"a": "int64"}),
        base[["t", "a"]],
        lists,
        frame(c=[np.array([1.0]), np.array([2.0, 3.0])]),
        frame(c=[np.array([1.0, 2.0]), np.array([4.0])]),
        frame(t=[]),
    ]
    sums = [store.checksum(one, "here") for one in (base, *others)] + [store.checksum(base, "there")]
    assert len(set(sums)) == len(sums)
    assert store.checksum(base.copy(), "here") == sums[0]
    text = hashlib.sha256(b"here")
    data = np.array([1.0, 2.0]).tobytes()
    text.update(b"a float64 16 " + data)
    assert store.checksum(frame(a=[1.0, 2.0]), "here") == text.hexdigest()


def test_a_file_is_read_only_if_it_is_what_was_asked_for(tmp_path: Path) -> None:
    path, frame = tmp_path / "below" / "t.parquet", pd.DataFrame({"a": [1.0]})
    store.write(path, frame, {"seed": 1, "source": "s"})
    assert store.read(path).equals(frame)
    assert store.read(path, {"seed": 1}).equals(frame)
    with pytest.raises(store.Refused, match=r"t\.parquet: made with other seed and source$"):
        store.read(path, {"seed": 2, "source": "t"})
    with pytest.raises(store.Refused, match="made with other more"):
        store.read(path, {"seed": 1, "more": 0})
    with pytest.raises(FileNotFoundError):
        store.read(tmp_path / "none.parquet")
    pq.write_table(pa.table({"a": [1.0]}), path)
    with pytest.raises(store.Refused, match=r"damaged, cannot be read \(KeyError\)"):
        store.read(path)
    label = json.dumps({"provenance": "{}", "sha256": "0"}).encode()
    pq.write_table(pa.table({"a": [1.0]}).replace_schema_metadata({store.KEY: label}), path)
    with pytest.raises(store.Refused, match="damaged, checksum does not agree"):
        store.read(path)


def test_what_failed_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with store.whole(tmp_path / "a") as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
    with store.whole(tmp_path / "a") as part:
        assert part.name == f"a.{os.getpid()}.part"
        part.write_text("whole")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("a", "whole")]


def test_only_what_the_dead_have_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"t.4.part", "t.5.part", "t.six.part", "t.part", f"t.{10**30}.part", "t.parquet", "t.7.part"}
    for name in names:
        (tmp_path / name).write_text("")

    def kill(pid: int, signal: int) -> None:
        assert signal == 0, "nobody is killed"
        if pid == 4:
            raise ProcessLookupError
        if pid == 7:
            raise PermissionError
        if pid > 10**20:
            raise OverflowError

    monkeypatch.setattr(store.os, "kill", kill)
    store.tidy(tmp_path)
    assert {one.name for one in tmp_path.iterdir()} == {"t.5.part", "t.7.part", "t.parquet"}


def test_a_run_that_is_cut_short_is_summed_up_to_where_it_ended() -> None:
    setting = Setting(m=20, n=3, epochs=12, kappa=1.0, p_fail=0.0)
    work = Sweep("x", setting, (SGD,), (0.05, 0.2, 0.5, 5.0), (1.0, 0.3))
    cut, full = unit(work, 1), unit(replace(work, keep=True), 1)
    assert list(cut) == [
        "experiment",
        "method",
        "momentum",
        "start",
        "alpha_0",
        "beta",
        "epochs_1",
        "epochs_0.3",
        "lowest",
        "peak",
        "peak_epoch",
        "final",
        "epochs_run",
    ]
    assert list(full)[-1] == "course"
    for short, whole in zip(cut.itertuples(), full.itertuples(), strict=True):
        course = np.array(whole.course)
        reached = np.flatnonzero(course <= 0.3)
        end = int(reached[0]) if len(reached) else int(np.flatnonzero(np.isfinite(course))[-1])
        part = course[: end + 1]
        assert (short.epochs_run, short.final, short.peak) == (end, part[-1], part.max())
        assert (short.lowest, short.peak_epoch) == (part.min(), part.argmax())
    assert (cut["epochs_run"] < 12).any()
    assert (cut["epochs_run"] == 12).any()


def test_data_start_and_samples_of_an_experiment_are_drawn_as_they_say() -> None:
    setting = Setting(m=6, n=3, epochs=2, kappa=3.0, p_fail=0.5, signal="normal")
    work, f_star = draw(setting, 5, 2)
    rng = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(2,)))
    f, _, truth = phase_retrieval(6, 3, 3.0, 0.5, rng, "normal")
    assert np.array_equal(work.A, f.A)  # type: ignore[attr-defined]
    assert np.array_equal(work.x_0, rng.standard_normal(3))
    assert np.array_equal(work.order, rng.integers(0, 6, 12))
    assert np.array_equal(work.roots, np.sqrt(np.arange(1, 13)))
    assert f_star == pytest.approx(f.value(truth))
    constant, _ = draw(replace(setting, step="constant"), 5, 2)
    assert np.array_equal(constant.roots, np.full(12, math.sqrt(13)))
    assert "seed = -1 must" in message(lambda: draw(setting, -1, 0))
    assert "experiment = -1 must" in message(lambda: draw(setting, 0, -1))
    assert "experiment = 1000001 must be an integer <= 1000000" in message(lambda: draw(setting, 0, 10**6 + 1))


def _work(**change: Any) -> phase_kernel.Work:
    good = phase_kernel.Work(np.ones((2, 1)), np.ones(2), np.ones(1), np.array([0, 1]), np.ones(2))
    return good._replace(**change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"order": np.array([0, 1, 0])}, "be whole epochs of 2 samples, each in 0..1"),
        ({"order": np.array([0, 2])}, "be whole epochs"),
        ({"order": np.array([-1, 0])}, "be whole epochs"),
        ({"order": np.array([0, 1], np.int32)}, "be whole epochs"),
        ({"order": np.array([[0, 1]])}, "be whole epochs"),
        ({"order": np.array([], np.int64), "roots": np.ones(0)}, "have at least one epoch"),
        ({"roots": np.array([1.0, 0.0])}, "must be positive (alpha_k = alpha_0/r_k)"),
        ({"roots": np.ones(3)}, "work.roots.shape"),
        ({"b": np.ones(3)}, "work.b.shape"),
        ({"x_0": np.ones(2)}, "work.x_0.shape"),
    ],
)
def test_compiled_code_is_entered_with_sizes_and_indices_that_fit(change: dict[str, Any], words: str) -> None:
    one = np.ones(1)
    assert words in message(lambda: phase_kernel.run(_work(**change), one, one, one))


@pytest.mark.parametrize(
    ("lanes", "words"),
    [
        ((0.0, 1.0, 1.0), "alpha_0 = [0.] must lie in (0, inf]"),
        ((1.0, 0.0, 1.0), "beta = [0.] must lie in (0, 1]"),
        ((1.0, 1.1, 1.0), "beta = [1.1] must lie in (0, 1]"),
        ((1.0, 1.0, 0.0), "first = [0.] must lie in (0, 1]"),
        ((1.0, 1.0, 1.1), "first = [1.1] must lie in (0, 1]"),
    ],
)
def test_lanes_are_admissible(lanes: tuple[float, float, float], words: str) -> None:
    assert words in message(lambda: phase_kernel.run(_work(), *(np.array([one]) for one in lanes)))
    assert words in message(lambda: phase_kernel.reference(_work(), *lanes))
    assert "stop = nan must" in message(lambda: phase_kernel.run(_work(), *np.ones((3, 1)), stop=math.nan))


def test_an_advantage_is_a_difference_of_widths_on_the_same_experiments() -> None:
    inf, rng = math.inf, np.random.default_rng(0)
    shb = panels.FIGURES_2_3[0].shb()
    arrived = {
        SGD: np.where(rng.random((9, 4)) < 0.5, 3.0, inf),
        shb: np.where(rng.random((9, 4)) < 0.7, 3.0, inf),
    }
    records = [
        (e, m.name, m.momentum.name, m.start, a, arrived[m][e, j])
        for m in arrived
        for e in range(9)
        for j, a in enumerate((0.1, 1.0, 10.0, 100.0))
    ]
    columns = ["experiment", "method", "momentum", "start", "alpha_0", "epochs_0.1"]
    table = pd.DataFrame(records, columns=columns)
    found = study.advantage(table, shb, 0.1, resamples=60, seed=2)
    alpha_0 = np.array([0.1, 1.0, 10.0, 100.0])
    one, other = (study._decades(study._works(arrived[m]), alpha_0) for m in (shb, SGD))
    assert found.decades == one - other
    chosen = np.random.default_rng(2).integers(0, 9, (60, 9))
    gains = [
        float(study._decades(study._works(arrived[shb][rows]), alpha_0))
        - float(study._decades(study._works(arrived[SGD][rows]), alpha_0))
        for rows in chosen
    ]
    assert (found.low, found.high) == tuple(np.quantile(gains, (0.025, 0.975)))
    assert math.isnan(found.first)
    assert math.isnan(found.last)


def test_a_ball_off_its_centre_is_served_by_the_interior_point_method() -> None:
    f = RobustPhaseRetrieval(np.array([[1.0, 0.5], [-0.3, 2.0]]), np.array([1.0, -0.5]))
    X, y = Ball(0.5, np.array([1.0, -1.0])), np.array([0.2, 0.3])
    rho = f.known_least_rho().value
    at = moreau(f, X, y, envelope=0.5 / rho, tol=1e-14)
    assert X.contains(at.point, 1e-12)
    kappa = rho
    assert at.radius == pytest.approx(math.sqrt(2 * at.gap / kappa), rel=1e-9, abs=0)
    rng = np.random.default_rng(0)
    for z in X.project(at.point + 0.2 * rng.standard_normal((100, 2))):
        assert f.value(z) + rho * (z - y) @ (z - y) >= at.value - at.gap - 1e-13
    (same,) = envelope.moreau_many(f, X, [y], envelope=0.5 / rho, tol=1e-14)
    assert np.allclose(same.point, at.point, atol=1e-6)
