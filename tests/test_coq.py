"""The Coq development and its record, looked at without Coq."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import kernel


def test_nothing_is_left_unproved() -> None:
    assert kernel.sloppy() == []


def test_no_statement_has_changed_since_it_was_checked() -> None:
    assert kernel.stale() == []


def test_a_changed_constant_is_seen_without_coq(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = json.loads(kernel.RECORD.read_text())
    record["theorems"][0]["fingerprint"] = "0" * 16
    changed = tmp_path / "checked.json"
    changed.write_text(json.dumps(record))
    monkeypatch.setattr(kernel, "RECORD", changed)
    assert record["theorems"][0]["theorem"] in kernel.stale()


def test_a_fingerprint_forgets_the_layout_and_nothing_else() -> None:
    one = kernel.Theorem("M", "T", "Theorem T : 0 <= 1.")
    assert one.fingerprint == replace(one, statement="Theorem T :\n  0  <= 1.").fingerprint
    assert one.fingerprint != replace(one, statement="Theorem T : 0 <= 2.").fingerprint


def test_only_the_axioms_of_the_reals_are_used() -> None:
    rests = [set(one["assumptions"]) for one in json.loads(kernel.RECORD.read_text())["theorems"]]
    assert rests
    assert all(one <= {axiom.rsplit(".", 1)[-1] for axiom in kernel.ALLOWED} for one in rests)


@pytest.mark.parametrize("name", ["Theorem_1", "Theorem_2", "Theorem_3", *(f"Lemma_{i}" for i in (3, 4, 5, 6, 7))])
def test_lemmas_and_theorems_are_recorded(name: str) -> None:
    assert any(
        one["theorem"].endswith(f".{name}") and one["label"]
        for one in json.loads(kernel.RECORD.read_text())["theorems"]
    )


def test_comments_are_no_statements() -> None:
    assert kernel.without_comments("a (* b (* c *) d *) e") == "a  e"


@pytest.mark.parametrize(("name", "right", "wrong"), kernel.CONTROLS)
def test_each_control_changes_its_file(name: str, right: str, wrong: str) -> None:
    text = (kernel.KERNEL / name).read_text()
    assert right in text
    assert wrong not in text
