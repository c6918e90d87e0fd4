"""Every formal statement, changed in one place: the kernel notices, or the changed statement is proved as well."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from shbcore.claims import falsify
from shbcore.claims.registry import claim, claims
from shbcore.claims.trial import RARE, beyond, compare
from shbcore.proof import PAST, Domain, Number, Scope, Statement, at_least, beta, between, defined, nu, positive, rho

KNOWN = {
    "eq:varphi:diff:3": "constant",
    "lem:xdiff:non-smooth": "field",
    "eq:proof:lem:1:norm": "start",
    "lem:Wfunc:smooth": "range",
}


def test_a_sample_of_changes_is_noticed_in_every_proof() -> None:
    """One change in sixteen may be true as well, such as an assumption that the constants do not need; none is false on instances."""
    found = falsify.run(sample=1, seed=2, jobs=2)
    assert {one.label for one in found} == {entry.label for entry in claims() if falsify.proofs(entry)}
    assert {entry.label for entry in claims() if entry.statements} <= {one.label for one in found}
    assert [one for one in found if one.false_at] == []
    assert sum(not one.noticed for one in found) <= len(found) / 8


def test_the_sharper_forms_are_changed_too() -> None:
    beside = [one for entry in claims() for one in entry.more if one.build in falsify.proofs(entry)]
    assert len(beside) >= 20


def test_a_false_change_that_is_let_through_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kernel that accepts everything: the exact instances contradict it."""
    entry = claim("eq:varphi:diff:3")
    monkeypatch.setattr(falsify, "claims", lambda: (entry,))
    monkeypatch.setattr(falsify, "noticed", lambda *_: False)
    assert falsify.main(["--jobs", "1"]) == 1
    assert "proved, and false at k = " in capsys.readouterr().err


def test_a_stopped_run_goes_on_and_other_code_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = claims()[:40]
    monkeypatch.setattr(falsify, "claims", lambda: some)
    keep = tmp_path / "kept.json"
    whole = falsify.run(sample=1, keep=keep)
    held = json.loads(keep.read_text())
    first = min(held["done"])
    held["done"] = {first: held["done"][first]}
    keep.write_text(json.dumps(held))
    called: list[int] = []
    real = falsify._claim
    monkeypatch.setattr(falsify, "_claim", lambda task: called.append(task[0]) or real(task))
    assert falsify.run(sample=1, keep=keep) == whole
    assert called
    assert int(first) not in called
    keep.write_text(keep.read_text()[:-9])
    assert falsify.run(sample=1, keep=keep) == whole
    assert int(first) in called


@pytest.mark.parametrize("option", ["--jobs=0", "--sample=-1", "--sample=0", "--jobs=1000"])
def test_nonsense_is_one_line(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert falsify.main([option]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(("label", "change"), KNOWN.items())
def test_a_known_falsehood_is_noticed(label: str, change: str) -> None:
    (part, *_) = claim(label).says
    mutants = [one for one in falsify.mutants(label, part.statement) if one.change == change]
    assert mutants
    assert any(falsify.noticed(part.build, one) for one in mutants)


def test_seven_beta_for_beta_is_noticed_by_kernel_and_by_instances() -> None:
    (part, *_) = claim("eq:varphi:diff:3").says
    wrong = part.build(share=7)
    from shbcore.proof import check

    assert not check(wrong).passed
    assert any(not one.holds for k in (0, 1) for one in compare(wrong.statement, RARE, k))


def test_a_trial_with_inadmissible_parameters_contradicts_nothing() -> None:
    r"""Theorem 3 asks for :math:`\alpha_0\le1/(4\rho)`; a trial knows :math:`\alpha_0` through :math:`\nu=1/\alpha_0` alone."""
    a_0, N = sp.symbols("alpha_0 N")
    domain = Domain(positive(rho), defined(nu, 1 / a_0), defined(beta, 1 / N), at_least(N, 1))
    loose = Statement(Number(2) <= Number(1), PAST, domain.also(positive(a_0)), scope=Scope.FIRST)
    tight = replace(loose, domain=domain.also(between(a_0, 0, 1 / (4 * rho))))
    start = "printed"
    assert [beyond(loose, one) is None for one in falsify.trials(loose, start)] == [True, True, True]
    assert [beyond(tight, one) is None for one in falsify.trials(tight, start)] == [False, True, False]
    assert falsify.contradicted(loose)
    assert falsify.contradicted(tight), "the one admissible trial is enough"
    never = replace(loose, domain=domain.also(between(a_0, 0, 1 / (40 * rho))))
    assert not falsify.contradicted(never)


@pytest.mark.parametrize("options", [["--seed", "-1"], ["--keep", "FOLDER"], ["--keep", "FILE/kept.json"]])
def test_a_mistake_is_told_before_anything_is_computed(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    options = [one.replace("FOLDER", str(tmp_path)).replace("FILE", str(tmp_path / "file")) for one in options]
    monkeypatch.setattr(falsify, "_claim", lambda task: pytest.fail("it was begun"))
    assert falsify.main([*options, "--sample", "1", "--jobs", "1"]) == 2
    assert capsys.readouterr().err.strip().count("\n") == 0
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file"]
