"""Panels, sweeps and their tables at their edges; what an interruption leaves."""

import os
import signal
import threading
import time
from concurrent.futures import Executor, Future
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusal import message

from shbcore.numerics import engine, panels
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep, first_epoch, grid


def test_the_panels_are_those_of_the_paper() -> None:
    assert [(p.label, p.alpha_0, p.kappa, p.momentum.name) for p in panels.FIGURE_1] == [
        ("1(a)", 0.1, 10.0, "10/sqrt(K)"),
        ("1(b)", 0.25, 10.0, "10/sqrt(K)"),
        ("1(c)", 0.1, 1.0, "10/sqrt(K)"),
        ("1(d)", 0.15, 1.0, "10/sqrt(K)"),
    ]
    assert [(p.label, p.alpha_0, p.kappa, p.momentum.name) for p in panels.FIGURES_2_3] == [
        ("2(a)", None, 10.0, "1/sqrt(K)"),
        ("2(b)", None, 10.0, "1/(alpha_0 sqrt(K))"),
        ("3(a)", None, 10.0, "0.1"),
        ("3(b)", None, 10.0, "0.01"),
    ]
    assert (panels.EPSILON, panels.EPSILONS) == (0.1, (0.1, 0.03, 0.01))
    assert (len(panels.STEPSIZES), panels.STEPSIZES[0], panels.STEPSIZES[-1]) == (22, 0.003162, 10.0)
    ten, one = panels.figure_1()
    assert (ten.name, one.name) == ("figure_1_kappa_10", "figure_1_kappa_1")
    assert (ten.alpha_0, one.alpha_0) == ((0.1, 0.25), (0.1, 0.15))
    for work in (ten, one):
        assert (work.experiments, work.seed, work.keep, work.epsilons) == (50, 2020, True, panels.EPSILONS)
        assert (work.setting.p_fail, work.setting.signal, work.setting.epochs) == (0.2, "normal", 400)
        assert work.methods == (SGD, Method(panels.TEN, "g0"), Method(panels.TEN, "beta_g0"))
    both = panels.figures_2_3()
    assert (both.name, both.experiments, both.seed, both.keep) == ("figures_2_3", 50, 2020, False)
    assert both.setting == Setting(300, 100, 10.0, 0.3, "sphere", 400, "decaying")
    assert len(both.methods) == 9
    assert both.methods[:2] == (SGD, Method(Momentum(1.0, "root"), "g0"))
    constant = panels.constant_step(experiments=3)
    assert (constant.name, constant.setting.step, constant.alpha_0) == ("constant_step", "constant", panels.STEPSIZES)
    assert (constant.seed, constant.experiments) == (2020, 3)
    assert panels.constant_step().experiments == 50
    fine = panels.fine_grid()
    assert (fine.name, fine.seed, fine.experiments, len(fine.alpha_0)) == ("fine_grid", 2021, 50, 49)
    assert (fine.alpha_0[0], fine.alpha_0[-1]) == (0.01, 10.0)
    assert panels.FIGURE_1[0].shb() == Method(panels.TEN, "beta_g0")


def test_the_planes_of_momenta() -> None:
    assert panels.BETAS[0] == 1.0
    assert (len(panels.BETAS), panels.BETAS[-1]) == (11, 0.003162)
    plane = panels.momentum_plane(3.0)
    assert (plane.name, plane.setting.kappa, plane.experiments, plane.seed) == ("plane_kappa_3", 3.0, 20, 2022)
    assert plane.methods[0] == SGD
    assert plane.methods[1] == Method(Momentum(panels.BETAS[1]), "beta_g0")
    assert len(plane.alpha_0) == 15
    works = panels.larger_study(experiments=50, seed=7)
    assert [(w.name, w.seed, w.experiments) for w in works] == [
        ("constant_step", 7, 50),
        ("fine_grid", 8, 50),
        ("plane_kappa_1", 9, 20),
        ("plane_kappa_3", 9, 20),
        ("plane_kappa_10", 9, 20),
        ("plane_kappa_30", 9, 20),
    ]
    assert panels.larger_study(experiments=1)[-1].experiments == 1
    assert panels.larger_study()[0].seed == 2020
    assert "betas = () must have at least 1 entries" in message(lambda: panels.momentum_plane(1.0, betas=()))


def test_a_panel_of_ones_own() -> None:
    work = panels.own_panel([0.1, 0.2])
    assert (work.name, work.experiments, work.seed, work.epsilons) == ("panel", 50, 2020, (0.1,))
    assert work.methods == (SGD, Method(Momentum(1.0, "root"), "beta_g0"))
    assert "beta = 1 must be below 1" in message(lambda: panels.own_panel([0.1], 1))
    assert "alpha_0 = [] must have at least 1 entries" in message(lambda: panels.own_panel([]))
    table = pd.DataFrame(
        {"momentum": ["1", "1/sqrt(K)", "1/sqrt(K)", "0.1"], "start": ["g0", "g0", "beta_g0", "beta_g0"], "n": range(4)}
    )
    assert panels.rows(table, SGD)["n"].tolist() == [0]
    assert panels.rows(table, replace(SGD, start="beta_g0"))["n"].tolist() == [0], "SGD knows no start"
    assert panels.rows(table, work.methods[1])["n"].tolist() == [2]


def test_momentum_rules_by_name_and_value() -> None:
    for text, c, rule, name in (
        ("0.1", 0.1, "constant", "0.1"),
        (" 10/sqrt(K) ", 10.0, "root", "10/sqrt(K)"),
        ("1e-2/(alpha_0 sqrt(K))", 0.01, "alpha root", "0.01/(alpha_0 sqrt(K))"),
        ("2/(alpha_0*sqrt(K))", 2.0, "alpha root", "2/(alpha_0 sqrt(K))"),
        (0.5, 0.5, "constant", "0.5"),
    ):
        found = Momentum.parse(text)
        assert (found.c, found.rule, found.name) == (c, rule, name)
    for text in ("1.2.3", ".", "e5", "-", "1/sqrt(K", "K", "./(alpha_0 sqrt(K))"):
        assert "be a number, c/sqrt(K) or c/(alpha_0 sqrt(K))" in message(lambda t=text: Momentum.parse(t))
    assert Momentum.parse(".5").c == 0.5
    assert Momentum(0.25).beta(7.0, 100) == 0.25
    assert Momentum(2.0, "root").beta(7.0, 100) == 0.2
    assert Momentum(2.0, "alpha root").beta(4.0, 100) == 0.05
    assert (Momentum(1.0).beta(1.0, 1), Momentum(10.0, "root").beta(1.0, 100)) == (1.0, 1.0)
    assert message(lambda: Momentum(1.5).beta(1.0, 4)).startswith("beta = 1.5 must lie in (0, 1] (lem:xdiff")
    assert "beta = 3/sqrt(K) = 1.5 must lie in (0, 1] (" in message(lambda: Momentum(3.0, "root").beta(1.0, 4))
    assert "= 1.5 must lie in (0, 1], so alpha_0 >= 1.5 (" in message(lambda: Momentum(3.0, "alpha root").beta(1.0, 4))
    assert "K = 1000000001 must be" in message(lambda: Momentum(0.5).beta(1.0, 10**9 + 1))
    assert (SGD.name, Method(Momentum(1.0, "root")).name, Method(Momentum(0.5)).name) == ("SGD", "SHB", "SHB")
    assert Method(Momentum(0.5)).start == "g0"


def test_settings_and_sweeps_at_their_edges() -> None:
    setting = Setting(m=5, n=2, epochs=3, kappa=1.0)
    assert setting.K == 15
    assert "kappa = 0.99 must be at least 1" in message(lambda: Setting(kappa=0.99))
    for change in ({"m": 10**6, "n": 1001}, {"m": 10**6, "epochs": 1001, "n": 1}):
        assert "must make at most 1000000000 entries" in message(lambda c=change: Setting(**c))
    work = Sweep("a b.c+d-e_1", setting, (SGD,), (0.1, 0.2), (0.3,), experiments=4)
    assert work.runs == 8
    assert (Sweep("x", setting, (SGD,), (0.1,)).epsilons, Sweep("x", setting, (SGD,), (0.1,)).keep) == ((0.1,), False)
    assert (Sweep("x", setting, (SGD,), (0.1,)).experiments, Sweep("x", setting, (SGD,), (0.1,)).seed) == (50, 2020)
    assert work.lanes() == [(SGD, 0.1, 1.0), (SGD, 0.2, 1.0)]
    good: dict[str, Any] = {"name": "x", "setting": setting, "methods": (SGD,), "alpha_0": (0.1,)}
    for change, words in (
        ({"name": "a/b"}, "name = 'a/b' must be letters"),
        ({"name": "-a"}, "name = '-a' must be letters"),
        ({"name": ""}, "name = '' must be letters"),
        ({"methods": (SGD, SGD)}, "without repetitions"),
        ({"methods": ()}, "methods = () must be a non-empty tuple"),
        ({"methods": (3,)}, "methods = 3 must be of type Method"),
        ({"alpha_0": [0.1]}, "alpha_0 = [0.1] must be of type tuple"),
        ({"alpha_0": (0.1, 0.1)}, "without repetitions"),
        ({"epsilons": (0.1, 0.1)}, "without repetitions"),
        ({"epsilons": (-0.1,)}, "epsilon = -0.1 must be positive"),
        ({"keep": 1}, "keep = 1 must be of type bool"),
        ({"seed": -1}, "seed = -1 must be"),
        ({"experiments": 10**6 + 1}, "experiments = 1000001 must be an integer <= 1000000"),
        ({"setting": 3}, "setting = 3 must be of type Setting"),
    ):
        assert words in message(lambda c=change: Sweep(**(good | c)))
    assert Sweep(**(good | {"experiments": 10**6, "seed": 0})).experiments == 10**6


def test_grids_of_stepsizes() -> None:
    assert grid(0.01, 10, 1) == (0.01, 0.1, 1.0, 10.0)
    assert grid(1, 10, 2) == (1.0, 3.162, 10.0)
    assert grid(2, 2, 5) == (2.0,)
    for low, high in ((2, 1), (1e-200, 1e200)):
        assert "must be at least low = " in message(lambda a=low, b=high: grid(a, b, 1))
    assert len(grid(1, 10, 1000)) == 1001
    assert "per_decade = 1001 must be" in message(lambda: grid(1, 10, 1001))
    assert "low = 0 must be positive" in message(lambda: grid(0, 1, 1))


def test_first_epochs() -> None:
    assert first_epoch(np.array([[3.0, 2.0, 1.0], [1.0, 9.0, 0.0]]), 2.0).tolist() == [1, 0]
    for values in (np.zeros(3), np.zeros((3, 0)), np.zeros((1, 2, 3))):
        assert "be (runs, epochs)" in message(lambda v=values: first_epoch(v, 1.0))


def test_compact_tables_are_small() -> None:
    table = pd.DataFrame(
        {
            "experiment": [3],
            "method": ["SHB"],
            "momentum": ["0.1"],
            "start": ["g0"],
            "alpha_0": [0.1],
            "beta": [0.1],
            "epochs_0.1": [7.0],
            "lowest": [1.0],
            "epochs_run": [9],
        }
    )
    found = engine.compact(table)
    assert list(found) == ["experiment", "method", "momentum", "start", "alpha_0", "beta", "epochs_0.1"]
    assert (found["experiment"].dtype, found["epochs_0.1"].dtype, found["beta"].dtype) == (
        "int16",
        "float32",
        "float64",
    )
    work = Sweep("x", Setting(m=4, n=2, epochs=2), (SGD,), (0.1, 0.2), experiments=2)
    whole = engine.execute([work])
    assert (whole.computed, whole.found, whole.refused, len(whole.tables[0])) == (2, 0, (), 4)
    small = engine.compact(whole.tables[0])
    assert engine.agrees(small, work, 1)
    assert not engine.agrees(small.assign(beta=0.5), work, 1)
    assert not engine.agrees(small.drop(columns="start"), work, 1)
    assert "have a column experiment" in message(lambda: engine.agrees(small.drop(columns="experiment"), work, 1))
    told: list[int] = []
    engine.execute([work], done=told.append)
    assert told == [0, 1, 1]
    assert "workers = 257 must be an integer <= 256" in message(lambda: engine.processes(257))
    assert "workers = 0 must be" in message(lambda: engine.processes(0))


def test_a_worker_ends_when_its_parent_does(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, handled = [], []
    reader, writer = os.pipe()
    monkeypatch.setattr(engine.multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=reader))
    monkeypatch.setattr(engine.os, "_exit", ended.append)
    monkeypatch.setattr(engine.signal, "signal", lambda *given: handled.append(given))
    before = set(threading.enumerate())
    engine._follow_parent()
    (watch,) = set(threading.enumerate()) - before
    assert watch.daemon, "it does not keep the worker alive"
    assert ended == []
    os.close(writer)  # the parent is gone
    watch.join(10)
    os.close(reader)
    assert ended == [1]
    assert handled == [(signal.SIGINT, signal.SIG_IGN)]
    monkeypatch.setattr(engine.multiprocessing, "parent_process", lambda: None)
    engine._follow_parent()
    assert set(threading.enumerate()) <= before


class Half(Executor):
    """An executor whose first work is done, whose second failed, whose third is cancelled and whose fourth waits; then Ctrl-C."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.futures) == 4:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_result(fn(*args, **kwargs))
        elif len(self.futures) == 2:
            future.set_exception(RuntimeError("failed"))
        elif len(self.futures) == 3:
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


def test_an_interruption_keeps_what_is_finished_and_cancels_what_waits(tmp_path: Path) -> None:
    work, executor = Sweep("x", Setting(m=4, n=2, epochs=2), (SGD,), (0.1,), experiments=6), Half()
    with pytest.raises(KeyboardInterrupt):
        engine.execute([work], tmp_path, executor)
    assert [one.name for one in tmp_path.rglob("*.parquet")] == ["0000.parquet"]
    assert executor.futures[3].cancelled()


def test_an_exception_ends_the_processes_of_a_pool_at_once() -> None:
    begun = time.monotonic()
    running: list[Any] = []

    def interrupted() -> None:
        with engine.pool(1) as executor:
            future = executor.submit(time.sleep, 300)
            while not future.running():
                time.sleep(0.01)
            running.extend(executor._processes.values())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    (process,) = running
    assert wait([process.sentinel], 60), "the process has not ended"
    assert time.monotonic() - begun < 120, "what it slept was not waited for"
