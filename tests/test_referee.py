"""Worst steps: the programmes agree with PEPit, with the certified constants where these are sharp, and with exact problems."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shbcore.claims.beyond.extracted import NAMES, SETTING, extracted
from shbcore.claims.constants_table import rows
from shbcore.proof.worst_step import Step, steps, worst_step

pytest.importorskip("cvxpy", reason="extra referee")
ROOT = Path(__file__).resolve().parent.parent


def script() -> Any:
    spec = importlib.util.spec_from_file_location("referee_pepit", ROOT / "scripts" / "referee_pepit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["referee_pepit"] = module
    spec.loader.exec_module(module)
    return module


def test_pepit_agrees_and_notices_another_weight() -> None:
    pytest.importorskip("PEPit", reason="extra referee")
    referee = script()
    settings = list(referee.settings())
    assert len(settings) >= 20
    for setting in settings[5:10]:
        assert referee.referee(setting).apart <= referee.AGREE
    one = settings[6]
    heavier = {**one.step.weights, "m": one.step.weights["m"] * 1.1}
    other = replace(one, step=replace(one.step, weights=heavier))
    apart = abs(referee.ours(other) - referee.theirs(one)) / abs(referee.theirs(one))
    assert apart > 100 * referee.AGREE


def worst(step: Step, chance: float | None) -> float:
    options: dict[str, Any] = {"scale": step.scale, "chance": chance, "short": step.short, "space": step.space}
    return worst_step(step.kind, step.weights, **SETTING, **options).value


@pytest.mark.parametrize("name", list(steps(**SETTING)))
def test_no_exact_instance_needs_more_than_the_worst_case_and_no_worst_case_more_than_is_proved(name: str) -> None:
    (row,) = (one for one in rows() if one.name == name)
    step = steps(**SETTING)[name]
    found = worst(step, 0.5)
    assert found <= float(row.certified) * (1 + 1e-5)
    if row.gap < 0.1:  # sharp: the programme finds the same number
        assert found == pytest.approx(float(row.certified), rel=1e-5)
    else:  # with an even coin the worst case needs more dimensions than the line
        assert found >= float(row.lower)


@pytest.mark.parametrize("name", NAMES)
def test_a_worst_case_becomes_a_problem(name: str) -> None:
    found = extracted(name, 16)
    (row,) = (one for one in rows() if one.name == name)
    assert 0.99 * found.worst < float(found.needs) <= float(row.certified)
    assert float(found.needs) <= found.worst * 1.001
    with pytest.raises(ValueError, match="name"):
        extracted("(C)", 16)


def test_a_stray_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        worst_step("A2", {"g": 1.0}, **SETTING)
