"""A sample of the adversary: random valid lines are accepted, random damages refused, or true on exact instances."""

import json
from pathlib import Path

import numpy as np
from adversary import run, survives, valid_line

from shbcore.proof import L2, PAST, Number, Scope, Statement, g_k


def test_valid_lines_are_accepted_and_damages_refused() -> None:
    count = run(40, 250, seed=7)
    assert count["valid accepted"] == 40
    assert count["refused"] >= 200
    assert not count["FALSE"]
    assert not count["VALID REFUSED"]


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    keep = tmp_path / "kept.json"
    whole = run(10, 12, seed=3, keep=keep)
    assert whole == run(10, 12, seed=3)
    assert run(10, 12, seed=3, keep=keep) == whole, "nothing is left to do"
    held = json.loads(keep.read_text())
    assert held["done"] == 10
    keep.write_text("{")
    assert run(10, 12, seed=3, keep=keep) == whole


def test_the_exact_instances_notice_a_false_line() -> None:
    assert not survives(Statement(g_k**2 <= Number(L2 / 2), PAST, scope=Scope.EVERY), np.random.default_rng(1))


def test_valid_lines_hold_on_exact_instances() -> None:
    rng = np.random.default_rng(3)
    assert all(survives(valid_line(rng).statement, rng, 3) for _ in range(5))
