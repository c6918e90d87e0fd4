"""Worst steps: the programmes agree with PEPit, with the certified constants where these are sharp, and with exact problems."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from shbcore.claims.beyond.extracted import NAMES, SETTING, extracted
from shbcore.claims.constants_table import StepRow, rows
from shbcore.proof import *
from shbcore.proof.foundations import ALL
from shbcore.proof.kernel import Context
from shbcore.proof.worst_step import WEIGHTS, Step, steps, worst_step

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


def rise(weights: dict[str, Any]) -> Any:
    """What a programme maximises, in the language of the proofs."""
    w = {name: sp.nsimplify(weights.get(name, 0), rational=True) for name in WEIGHTS}
    envelope = w["F"] * (F_env(x_bar_next) - F_env(x_bar)) + w["grad"] * grad_env**2
    values = w["prev"] * (f(x_k) - f(x_prev)) + w["f"] * (f(x_next) - f(x_k))
    return envelope + values + w["m"] * (d_next**2 - d_k**2) - w["d"] * d_k**2 - w["dn"] * d_next**2


@pytest.mark.parametrize("name", list(steps(**SETTING)))
def test_a_programme_asks_about_the_statement_that_is_proved(name: str) -> None:
    """Left minus right without the constant, and what the constant multiplies, coefficient by coefficient for all parameters."""
    (row,) = (one for one in rows() if one.name == name)
    assert isinstance(row, StepRow)
    assert row.zero is not None
    assert row.unit is not None
    step, says = steps(rho=rho, alpha=alpha, beta=beta, lam=lam)[name], row.zero
    context = Context(says.domain, says.scope, ALL)
    apart = context.mean(rise(step.weights) - (says.relation.left - says.relation.right), says.given)
    assert not any(apart.values())
    noise = L2 if step.kind == "A2" else sigma2
    assert context.form(row.unit) == context.form(Number(step.scale * noise))
    assert (A2 in says.assumes, A3 in says.assumes) == (step.kind == "A2", step.kind == "A3")
    assert step.space is (WHOLE_SPACE in says.assumes)
    assert step.short is (step.kind == "A2" and says.given == TOTAL)  # the mean of |d_k|^2 is at most L^2


# --- steps whose worst case is known

AT = {"rho": 0.7, "alpha": 0.3, "beta": 0.4, "lam": 0.6}
AT_ONCE = {**AT, "beta": 1.0}
UP, DOWN = 0.3 + 0.7 * 0.3**2 / 2, 0.3 - 0.7 * 0.3**2 / 2
r""":math:`\alpha\pm\frac\rho2\alpha^2`."""
KNOWN: dict[str, tuple[float, Any]] = {
    "a kink and a bend": (UP, lambda: worst_step("A2", {"f": 1}, **AT_ONCE, space=True)),
    "twice as much over twice the scale": (UP, lambda: worst_step("A2", {"f": 2}, **AT_ONCE, space=True, scale=2.0)),
    "a step back": (UP, lambda: worst_step("A2", {"prev": 1}, **AT, short=True, space=True)),
    "a parabola": (5 - DOWN, lambda: worst_step("A3", {"f": 1, "dn": -5}, **AT_ONCE, space=True)),
    "noise on a parabola": (0.7 * 0.3**2 / 2, lambda: worst_step("A3", {"f": 1}, **AT_ONCE, space=True, chance=0.2)),
    "noise on a parabola, even": (
        0.7 * 0.3**2 / 2,
        lambda: worst_step("A3", {"f": 1}, **AT_ONCE, space=True, chance=0.5),
    ),
    "the direction, quiet": (0.4 / 1.6, lambda: worst_step("A2", {"m": 1}, **AT)),
    "the direction, noisy": (0.4 / 1.6, lambda: worst_step("A2", {"m": 1}, **AT, chance=0.2)),
    "the direction, no walls": (0.4 / 1.6, lambda: worst_step("A2", {"m": 1}, **AT, chance=0.2, space=True)),
    "the direction before": (1.0, lambda: worst_step("A2", {"d": -1}, **AT, short=True)),
    "the direction after": (1.0, lambda: worst_step("A2", {"dn": -1}, **AT, short=True)),
    "the gradient of an envelope": (1.0, lambda: worst_step("A2", {"grad": 1}, **AT, short=True, space=True)),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_worst_case_that_is_known_is_found(name: str) -> None:
    value, ask = KNOWN[name]
    found = ask()
    assert found.sure
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.dimension >= 1


@pytest.mark.parametrize("name", ["(B), noise", r"$\mathcal{V}_k$, noise"])
def test_an_uneven_coin_is_no_worse_where_only_the_variance_matters(name: str) -> None:
    (row,) = (one for one in rows() if one.name == name)
    assert worst(steps(**SETTING)[name], 0.2) == pytest.approx(float(row.certified), rel=1e-5)


def test_what_has_no_largest_value_is_not_sure() -> None:
    found = worst_step("A2", {"d": -1}, **AT)
    assert (found.value, found.sure, found.dimension) == (float("inf"), False, 0)
