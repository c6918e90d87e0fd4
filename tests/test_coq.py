"""The Coq development and its record, looked at without Coq."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import coq_read
import coq_text
import pytest
import sympy as sp

import kernel
from shbcore.claims import checked
from shbcore.claims.registry import claim
from shbcore.proof.facts import KINDS, Fact
from shbcore.proof.kernel import Line
from shbcore.proof.statement import Scope


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


def changed(line: Line) -> Line:
    """The line with eleven tenths of its right-hand side."""
    right = sp.Rational(11, 10) * line.statement.relation.right
    says = replace(line.statement, relation=replace(line.statement.relation, right=right))
    return replace(line, statement=says)


def test_a_changed_constant_in_the_ledger_is_seen_without_coq(
    monkeypatch: pytest.MonkeyPatch, lines: list[tuple[str, Line, Any]]
) -> None:
    at = next(i for i, (_, one, _) in enumerate(lines) if one.statement.relation.sense == "<=")
    label, line, domain = lines[at]
    other = changed(line)
    ledger(monkeypatch, [*lines[:at], (label, other, domain), *lines[at + 1 :]])
    assert set(kernel.stale()) == {
        f"{label}: {checked.mark(other, domain)} was not checked",
        f"{label}: {checked.mark(line, domain)} is no longer in the ledger",
    }


def test_a_changed_join_is_seen_without_coq(monkeypatch: pytest.MonkeyPatch, lines: list[Any]) -> None:
    ledger(monkeypatch, lines)
    found = kernel.joins()
    assert {one["rule"] for one in found} == set(checked.RULES)
    other = {**found[0], "mark": "0" * 16}
    monkeypatch.setattr(kernel, "joins", lambda: [other, *found[1:]])
    assert set(kernel.stale()) == {
        f"{other['label']}: {other['mark']} was not checked",
        f"{other['label']}: {found[0]['mark']} is no longer in the ledger",
    }


def test_a_line_that_holds_wherever_it_is_used_is_checked_on_each_domain(lines: list[tuple[str, Line, Any]]) -> None:
    again = [(line, domain) for _, line, domain in lines if line.statement.scope is Scope.INHERITED]
    twice = {line for line, _ in again if sum(one is line for one, _ in again) > 1}
    assert twice
    known = {mark for one in record()["exported"] for mark in one["marks"]}
    assert {checked.mark(line, domain) for line, domain in again} <= known


def test_a_changed_statement_in_coq_is_seen_without_coq(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]
) -> None:
    ledger(monkeypatch, lines)
    found = record()
    at = next(i for i, one in enumerate(found["written"]) if not one["label"])
    found["written"][at]["fingerprint"] = "0" * 16
    other = tmp_path / "checked.json"
    other.write_text(json.dumps(found))
    monkeypatch.setattr(kernel, "RECORD", other)
    assert kernel.stale() == [found["written"][at]["theorem"]]


def test_a_changed_text_of_a_statement_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]
) -> None:
    ledger(monkeypatch, lines)
    found = json.loads(kernel.STATEMENTS.read_text())
    found["theorems"]["Theorem_1"]["statement"] += " "
    other = tmp_path / "statements.json"
    other.write_text(json.dumps(found))
    monkeypatch.setattr(kernel, "STATEMENTS", other)
    assert kernel.stale() == []  # the layout does not count
    found["theorems"]["Theorem_1"]["statement"] = "Theorem Theorem_1 : True."
    other.write_text(json.dumps(found))
    assert kernel.stale() == ["the text of Theorem_1"]


def test_exported_proofs_do_not_search(lines: list[tuple[str, Line, Any]]) -> None:
    export = kernel.exporter()
    for _, line, domain in lines[::20]:
        text = export.HEAD + export.theorem(export.Reader(line, domain).read("any"))
        assert not kernel.FORBIDDEN.search(kernel.without_comments(text))
        assert not kernel.NOT_GENERATED.search(kernel.without_comments(text))


def test_the_record_has_the_theorems_that_are_exported_now(lines: list[tuple[str, Line, Any]]) -> None:
    export = kernel.exporter()
    known = {mark: one for one in record()["exported"] for mark in one["marks"]}
    for _, line, domain in lines[5::30]:
        row = known[checked.mark(line, domain)]
        name = row["theorem"].rsplit(".", 1)[-1]
        text = kernel.without_comments(export.theorem(export.Reader(line, domain).read(name))).split("Proof.")[0]
        assert kernel.fingerprint(text) == row["fingerprint"]


def test_a_fact_that_says_something_else_is_seen(monkeypatch: pytest.MonkeyPatch, lines: list[Any]) -> None:
    line = next(one for _, one, _ in lines if any(isinstance(term.source, Fact) for term in one.terms))
    fact = next(term.source for term in line.terms if isinstance(term.source, Fact))
    before = checked.identity.__wrapped__(line)
    relation = fact.unfolded.relation
    other = replace(fact.unfolded, relation=replace(relation, right=sp.Rational(11, 10) * relation.right))
    monkeypatch.setitem(KINDS, fact.kind, lambda *_: other)
    assert checked.identity.__wrapped__(line) != before


def test_numbers_written_for_coq_are_read_back(lines: list[tuple[str, Line, Any]]) -> None:
    count = 0
    for value in {term.multiplier for _, line, _ in lines for term in line.terms}:
        names = {coq_text.symbol(one): one for one in value.free_symbols}
        found = coq_read.Formula(coq_text.real(value), names, {}).read()
        assert sp.expand(sp.numer(sp.together(found - value))) == 0
        count += 1
    assert count > 100


def test_a_theorem_of_coq_has_the_bound_of_the_ledger_and_no_other() -> None:
    before = kernel.openings(kernel.KERNEL / "Theorem1.v")["Theorem_1"]
    text = next(one.statement for one in kernel.theorems(kernel.files()) if one.name == "Theorem_1")
    found = coq_read.bound(text, before, kernel.definitions(kernel.files()))
    assert found is not None
    says = claim("thrm:non-smooth:complexity").statements
    assert [coq_read.same(found, one) for one in says[:2]] == [True, False]
    assert not coq_read.same(found, changed(Line(says[0])).statement)
    assert not coq_read.same((found[0], "1"), says[0])
    with pytest.raises(coq_read.Unread):
        coq_read.Formula("alpha + unknown", {"alpha": sp.Symbol("alpha")}, {}).read()


def test_the_premises_of_a_section_belong_to_a_theorem() -> None:
    found = kernel.openings(kernel.KERNEL / "Nonsmooth.v")["Lemma_3"]
    assert "weakly_convex rho f" in found
    assert "A2 L2 g" in found
    assert "lam" not in found  # fixed only after Lemma 3


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


def test_what_is_left_out_has_a_reason_and_is_no_result_of_the_paper() -> None:
    for one in record()["left_out"]:
        assert one["reason"]
        assert one["label"].startswith("beyond/")


def test_coq_refused_what_the_controls_change() -> None:
    refused = {one["mark"] for one in record()["refused"]}
    known = {mark for one in record()["exported"] for mark in one["marks"]}
    assert len(refused) > 250
    assert not refused & known
    assert len(record()["refused_constants"]) == len(kernel.CONTROLS)


def test_comments_are_no_statements() -> None:
    assert kernel.without_comments("a (* b (* c *) d *) e") == "a  e"


@pytest.mark.parametrize(("name", "right", "wrong"), kernel.CONTROLS)
def test_each_control_changes_its_file(name: str, right: str, wrong: str) -> None:
    text = (kernel.KERNEL / name).read_text()
    assert right in text
    assert wrong not in text
