"""The Coq development and its record, looked at without Coq."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import kernel
from shbcore.proof.kernel import Line


def test_nothing_is_left_unproved() -> None:
    assert kernel.sloppy() == []


def record() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(kernel.RECORD.read_text())
    return found


@pytest.fixture(scope="module")
def lines() -> list[tuple[str, Line, Any]]:
    """The lines of the ledger, which take a while to build."""
    return list(kernel.exporter().lines())


def ledger(monkeypatch: pytest.MonkeyPatch, lines: list[tuple[str, Line, Any]]) -> None:
    monkeypatch.setattr(kernel.exporter(), "lines", lambda: iter(lines))


def test_no_statement_has_changed_since_it_was_checked(monkeypatch: pytest.MonkeyPatch, lines: list[Any]) -> None:
    ledger(monkeypatch, lines)
    assert kernel.stale() == []


def test_a_changed_constant_in_the_ledger_is_seen_without_coq(
    monkeypatch: pytest.MonkeyPatch, lines: list[tuple[str, Line, Any]]
) -> None:
    at = next(i for i, (_, one, _) in enumerate(lines) if one.statement.relation.sense == "<=")
    label, line, domain = lines[at]
    right = sp.Rational(11, 10) * line.statement.relation.right
    says = replace(line.statement, relation=replace(line.statement.relation, right=right))
    ledger(monkeypatch, [*lines[:at], (label, replace(line, statement=says), domain), *lines[at + 1 :]])
    assert set(kernel.stale()) == {
        f"{label}: {says.fingerprint} was not checked",
        f"{label}: {line.statement.fingerprint} is no longer in the ledger",
    }


def test_a_changed_statement_in_coq_is_seen_without_coq(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]
) -> None:
    ledger(monkeypatch, lines)
    found = record()
    found["written"][0]["fingerprint"] = "0" * 16
    changed = tmp_path / "checked.json"
    changed.write_text(json.dumps(found))
    monkeypatch.setattr(kernel, "RECORD", changed)
    assert kernel.stale() == [found["written"][0]["theorem"]]


def test_another_axiom_is_refused() -> None:
    fine = {"HeavyBall.Theorem1.Theorem_1": sorted(kernel.ALLOWED)}
    assert kernel.not_allowed(fine) == {}
    planted = {**fine, "HeavyBall.Theorem2.Theorem_2": [*kernel.ALLOWED, "HeavyBall.Paper.wish"]}
    assert kernel.not_allowed(planted) == {"HeavyBall.Theorem2.Theorem_2": ["HeavyBall.Paper.wish"]}


def test_answers_of_coq_are_read_in_full() -> None:
    assert kernel.named("Axioms:\nwish : 0 = 1\nReals.long\n  : forall x,\n    x = x\n") == ["wish", "Reals.long"]
    assert kernel.named("Closed under the global context\n") == []
    with pytest.raises(SystemExit):
        kernel.named("something else")


@pytest.mark.skipif(not shutil.which("coqc"), reason="needs Coq")
def test_coq_names_a_planted_axiom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = "Axiom wish : 0 = 1.\nTheorem granted : 0 = 1.\nProof. exact wish. Qed.\n"
    (tmp_path / "Planted.v").write_text(source)
    subprocess.run(["coqc", "-q", "-R", str(tmp_path), kernel.LIBRARY, str(tmp_path / "Planted.v")], check=True)
    monkeypatch.setattr(kernel, "KERNEL", tmp_path)
    found = list(kernel.theorems(kernel.files()))
    assert list(kernel.not_allowed(kernel.assumptions(found)).values()) == [["Planted.wish"]]
    assert kernel.sloppy() == ["Planted.v: Axiom"]


def test_a_fingerprint_forgets_the_layout_and_nothing_else() -> None:
    one = kernel.Theorem("M", "T", "Theorem T : 0 <= 1.")
    assert one.fingerprint == replace(one, statement="Theorem T :\n  0  <= 1.").fingerprint
    assert one.fingerprint != replace(one, statement="Theorem T : 0 <= 2.").fingerprint


def test_only_the_axioms_of_the_reals_are_used() -> None:
    rests = [set(one["assumptions"]) for one in (*record()["written"], *record()["exported"])]
    assert rests
    assert all(one <= {axiom.rsplit(".", 1)[-1] for axiom in kernel.ALLOWED} for one in rests)


@pytest.mark.parametrize("name", ["Theorem_1", "Theorem_2", "Theorem_3", *(f"Lemma_{i}" for i in (3, 4, 5, 6, 7))])
def test_lemmas_and_theorems_are_recorded(name: str) -> None:
    assert any(
        one["theorem"].endswith(f".{name}") and one["label"] and one["statements"] for one in record()["written"]
    )


def test_every_line_left_out_has_a_reason() -> None:
    assert all(one["reason"] for one in record()["left_out"])


def test_comments_are_no_statements() -> None:
    assert kernel.without_comments("a (* b (* c *) d *) e") == "a  e"


@pytest.mark.parametrize(("name", "right", "wrong"), kernel.CONTROLS)
def test_each_control_changes_its_file(name: str, right: str, wrong: str) -> None:
    text = (kernel.KERNEL / name).read_text()
    assert right in text
    assert wrong not in text
