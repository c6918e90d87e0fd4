"""The Coq development and its record, looked at without Coq."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import coq_read
import coq_text
import kernel_controls
import pytest
import sympy as sp

import kernel
from shbcore.claims import checked
from shbcore.claims.registry import claim
from shbcore.pages import coq
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
    planted(monkeypatch, tmp_path, RECORD=found)
    assert kernel.stale() == [found["written"][at]["theorem"]]


def planted(monkeypatch: pytest.MonkeyPatch, folder: Path, **files: Any) -> None:
    """Other contents of files that the kernel reads."""
    for name, content in files.items():
        other = folder / f"{name.lower()}.json"
        other.write_text(json.dumps(content))
        monkeypatch.setattr(kernel, name, other)


def test_a_forged_record_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]) -> None:
    ledger(monkeypatch, lines)
    found = record()
    rows = {one["theorem"].rsplit(".", 1)[-1]: one for one in found["written"]}
    rows["Theorem_1"]["same"] = ["58c49a9b16a7933d"]  # the printed start
    rows["two_points"]["label"] = "lem:z:diff"
    planted(monkeypatch, tmp_path, RECORD=found)
    assert kernel.stale() == [
        f"{rows['two_points']['theorem']}: its label is none",
        f"{rows['Theorem_1']['theorem']}: which statements it is was not recorded so",
        "the text of two_points",  # with a label it would be shown
    ]


def test_changed_labels_are_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]) -> None:
    ledger(monkeypatch, lines)
    labels = json.loads(kernel.LABELS.read_text())
    del labels["Lemma_3"]
    planted(monkeypatch, tmp_path, LABELS={**labels, "Lemma_6": "thrm:non-smooth:complexity", "Lemma_9": "lem:z:diff"})
    assert kernel.stale() == [
        "Lemma_9 has a label and is not there",
        "HeavyBall.Nonsmooth.Lemma_3: its label is none",
        "HeavyBall.SmoothStep.Lemma_6: its label is thrm:non-smooth:complexity",
    ]


def test_a_pair_that_nobody_has_read_is_not_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[Any]
) -> None:
    ledger(monkeypatch, lines)
    table = kernel.reviewed()
    table["Lemma_3"] = {**table["Lemma_3"], "coq": "0" * 16}
    planted(monkeypatch, tmp_path, REVIEWED=table)
    assert kernel.stale() == ["HeavyBall.Nonsmooth.Lemma_3: which statements it is was not recorded so"]


def test_every_review_is_of_the_texts_as_they_are() -> None:
    """If not: `scripts/kernel.py review` shows both texts, and `--accept NAME` says that they are the same."""
    found, says = {one.name: one for one in kernel.theorems(kernel.files())}, kernel.of_the_ledger()
    for name, row in kernel.reviewed().items():
        assert row["ledger"], name
        assert row["coq"] == kernel.meaning(found[name]), name
        assert set(row["ledger"]) <= says.keys(), name
        bounds = kernel.alike(found[name], says)
        assert bounds is None or set(row["ledger"]) <= set(bounds), name


def test_the_meaning_of_a_theorem_has_its_premises_and_definitions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = next(each for each in kernel.theorems(kernel.files()) if each.name == "Theorem_1")
    before = kernel.meaning(one)
    assert before == kernel.reviewed()["Theorem_1"]["coq"]
    shutil.copytree(
        kernel.KERNEL, tmp_path / "kernel", ignore=lambda _, names: [n for n in names if not n.endswith(".v")]
    )
    monkeypatch.setattr(kernel, "KERNEL", tmp_path / "kernel")
    assert kernel.meaning(one) == before
    for name, right, wrong in (
        ("Paper.v", "X q /\\ forall u, X u -> (|| q - y", "X q /\\ forall u, (|| q - y"),  # the projection
        ("Theorem1.v", "set_convex : convex_set X;", "set_convex : convex_set X; more : alpha_0 <= 1 / 1000;"),
        ("Setting.v", "one_pos : forall A, 0 <= on A one;", "one_pos : forall A, 0 < on A one;"),
    ):
        path = tmp_path / "kernel" / name
        text = path.read_text()
        assert right in text
        path.write_text(text.replace(right, wrong))
        assert kernel.meaning(one) != before
        path.write_text(text)


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
    found["theorems"]["Lemma_3"]["before"] = "(* nothing is assumed *)"
    del found["theorems"]["Lemma_4"]
    found["definitions"]["weakly_convex"] = "Definition weakly_convex := False."
    del found["definitions"]["convex_set"]
    other.write_text(json.dumps(found))
    changed = [*(f"the text of {name}" for name in ("Lemma_4", "Lemma_3", "Theorem_1"))]
    changed += [f"the text of the definition {name}" for name in ("convex_set", "weakly_convex")]
    assert kernel.stale() == changed


def test_exported_proofs_do_not_search(lines: list[tuple[str, Line, Any]]) -> None:
    export = kernel.exporter()
    for _, line, domain in lines[::20]:
        text = export.HEAD + export.theorem(export.Reader(line, domain).read("any"))
        assert not kernel.FORBIDDEN.search(kernel.without_comments(text))
        assert not kernel.NOT_GENERATED.search(kernel.without_comments(text))


def features(line: Line) -> set[str]:
    """What the exporter has to write for a line: kinds of facts, lines and joins, its field, its scope, its relation."""
    says = line.statement
    sources = (term.source for term in line.terms)
    kinds = {one.kind if isinstance(one, Fact) else type(one).__name__ for one in sources}
    return kinds | {f"given {says.given}", f"scope {says.scope.name}", f"sense {says.relation.sense}"}


def covering(lines: list[tuple[str, Line, Any]]) -> list[tuple[str, Line, Any]]:
    """Few lines, always the same, in which everything occurs that occurs in any."""
    found, seen = [], set()
    for one in sorted(lines, key=lambda row: (len(row[1].terms), checked.mark(row[1], row[2]))):
        if features(one[1]) - seen:
            seen |= features(one[1])
            found.append(one)
    return found


def test_the_record_has_the_theorems_that_are_exported_now(lines: list[tuple[str, Line, Any]]) -> None:
    export = kernel.exporter()
    known = {mark: one for one in record()["exported"] for mark in one["marks"]}
    left_out = {one["mark"] for one in record()["left_out"]}
    chosen = covering([one for one in lines if checked.mark(one[1], one[2]) not in left_out])
    assert len(chosen) < len(lines) / 4
    for _, line, domain in chosen:
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
    known = kernel.definitions(kernel.files())
    found = coq_read.bound(text, before, known)
    assert found is not None
    says = claim("thrm:non-smooth:complexity").statements
    assert [coq_read.same(found, one) for one in says[:2]] == [True, False]
    assert not coq_read.same(found, changed(Line(says[0])).statement)
    for right, wrong in (
        ("nonsmooth_run alpha nu beta ->", "nonsmooth_run alpha nu 1 ->"),
        ("nonsmooth_run alpha nu beta ->", "nonsmooth_run alpha nu 0 ->"),
        ("(bar beta x k)", "(bar beta x (pred k))"),
        ("|| env_gradient lam prox (bar beta x k) ||^2", "(1 / 1000) * || x O - x O ||^2"),
        ("let beta := nu * alpha in", "let beta := nu * alpha / 2 in"),
        ("L2 * alpha_0 ^ 2", "L2 * alpha_0 ^ 3"),
    ):
        assert right in text
        other = coq_read.bound(text.replace(right, wrong), before, known)
        assert other is None or not coq_read.same(other, says[0])
    with pytest.raises(coq_read.Unread):
        coq_read.Formula("alpha + unknown", {"alpha": sp.Symbol("alpha")}, {}).read()


def test_the_premises_of_a_section_belong_to_a_theorem() -> None:
    found = kernel.openings(kernel.KERNEL / "Nonsmooth.v")["Lemma_3"]
    assert "weakly_convex X rho f" in found
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


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Theorem t : False.\nProof. Admitted.", "Admitted"),
        ("Theorem t : False.\nProof. admit. Qed.", "admit"),
        ("Axiom t : False.", "Axiom"),
        ("Axioms (t : False).", "Axioms"),
        ("Parameter t : False.", "Parameter"),
        ("Conjecture t : False.", "Conjecture"),
        ("Unset Guard Checking.", "Unset"),
        ("Unset Universe Checking.", "Unset"),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.", "bypass_check"),
        ("Set Universe Polymorphism.", "Set Universe Polymorphism"),
        ("Set Definitional UIP.", "Set Definitional UIP"),
        ("Module M.\nEnd M.", "Module"),
        ('Declare ML Module "other".', "Declare, Planted.v: Module"),
        ("Hypothesis t : False.", "Hypothesis outside a section"),
        ("Variables t : False.", "Variables outside a section"),
        ("Context (t : False).", "Context outside a section"),
        ("Section S.\nEnd S.\nVariable t : False.", "Variable outside a section"),
        ('Goal True. idtac "(*". Abort. Axiom t : False. Goal True. idtac "*)". Abort.', "Axiom"),
    ],
)
def test_what_leaves_something_unproved_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, word: str
) -> None:
    (tmp_path / "Planted.v").write_text(f"(* Axiom in words *)\n{text}\n")
    monkeypatch.setattr(kernel, "KERNEL", tmp_path)
    assert ", ".join(kernel.sloppy()) == f"Planted.v: {word}"


def test_what_sections_assume_is_allowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "Fine.v").write_text("Section S.\nVariable t : nat.\nHypothesis H : t = 0.\nEnd S.\nDeclare Scope x.\n")
    monkeypatch.setattr(kernel, "KERNEL", tmp_path)
    assert kernel.sloppy() == []


SUMMARY = """CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Reals.ClassicalDedekindReals.sig_forall_dec
    Coq.Logic.FunctionalExtensionality.functional_extensionality_dep

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>
"""


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        ("", "", []),
        ("type-in-type: <none>", "type-in-type: M.f", ["Constants/Inductives relying on type-in-type: M.f"]),
        ("fixpoints: <none>", "fixpoints: M.f", ["Constants/Inductives relying on unsafe (co)fixpoints: M.f"]),
        ("assumed: <none>", "assumed:\n  M.I", ["Inductives whose positivity is assumed: M.I"]),
        ("Coq.Reals.ClassicalDedekindReals.sig_forall_dec", "HeavyBall.Paper.wish", ["axiom: HeavyBall.Paper.wish"]),
        ("Set is predicative", "Set is impredicative", ["theory: Set is impredicative"]),
        (
            "* Inductives whose positivity is assumed: <none>",
            "",
            ["Inductives whose positivity is assumed: not mentioned"],
        ),
        ("* Theory", "* Something new: M.f\n\n* Theory", ["Something new: M.f"]),
    ],
)
def test_the_summary_of_coqchk_is_read_in_full(right: str, wrong: str, found: list[str]) -> None:
    assert right in SUMMARY
    assert kernel.unchecked(SUMMARY.replace(right, wrong) if right else SUMMARY) == found


def test_a_record_that_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    old = record()
    assert kernel.difference(old, record()) == []
    new = record()
    new["written"][3]["fingerprint"] = "0" * 16
    new["claims"].pop("lem:z:diff")
    new["coq"] = "8.99"
    new["definitions"]["Paper.v"] = "0" * 16
    theorem = new["written"][3]["theorem"]
    assert kernel.difference(old, new) == ["coq", "definitions: Paper.v", "claims: lem:z:diff", f"written: {theorem}"]


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
    assert len(record()["refused_constants"]) == len(kernel_controls.CONTROLS)
    assert all(one["reason"] and "Syntax error" not in one["reason"] for one in record()["refused_constants"])


def test_every_theorem_for_a_claim_has_a_wrong_constant_that_coq_refused() -> None:
    refused = {one["theorem"] for one in record()["refused_constants"]}
    assert [one["theorem"] for one in record()["written"] if one["label"] and one["theorem"] not in refused] == []


def test_only_a_refused_proof_counts() -> None:
    text = "Theorem t : 0 = 0.\nProof.\n  lra.\nQed.\nTheorem s : 0 = 0.\nProof. lra. Qed.\n"

    def said(line: int, message: str) -> str:
        return f'File "./T.v", line {line}, characters 2-5:\nError: {message}\n\n'

    assert kernel_controls.refusal(said(3, "Tactic failure: no."), text) == "Tactic failure: no."
    assert kernel_controls.refusal(said(6, "Unable to unify."), text) == "Unable to unify."
    assert kernel_controls.refusal(said(3, "Syntax error: illegal begin of vernac."), text) == ""
    assert kernel_controls.refusal(said(5, "Tactic failure: no."), text) == ""  # in a statement
    assert kernel_controls.refusal(said(3, "The reference x was not found in the current environment."), text) == ""
    assert kernel_controls.refusal("make: nothing", text) == ""


def test_comments_are_no_statements() -> None:
    assert kernel.without_comments("a (* b (* c *) d *) e") == "a  e"


@pytest.mark.parametrize("one", kernel_controls.CONTROLS, ids=lambda one: f"{one.get('theorem', one['file'])}")
def test_each_control_changes_its_file(one: dict[str, str]) -> None:
    text = (kernel.KERNEL / one["file"]).read_text()
    other = kernel_controls.changed_text(one, text)
    assert other != text
    assert one["wrong"] in other
    if one.get("where") == "statement":
        (name,) = (each for each in text.split("\n") if each.strip().startswith(f"Theorem {one['theorem']} "))
        assert name.split(one["theorem"])[0] in other
    with pytest.raises(SystemExit):
        kernel_controls.changed_text({**one, "right": "not there"}, text)


def test_a_broken_listing_has_every_word_and_fits_a_phone() -> None:
    names = [name for names, _ in coq.DEFINED for name in names.split()] + ["Theorem_1", "Theorem_1_as_printed_false"]
    for name in names:
        text = coq._text(name)
        shown = coq._broken(text)
        assert shown.split() == text.split()
        assert max(map(len, shown.splitlines())) <= 48
    assert any(len(row) > 48 for name in names for row in coq._text(name).splitlines())
    assert coq._broken("Lemma one : (a + b + c) <= d -> (a + b) <= d.", 34).splitlines() == [
        "Lemma one : (a + b + c) <= d ->",
        "    (a + b) <= d.",
    ]
