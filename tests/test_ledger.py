"""The ledger: complete, in the paper's order, every check passes and every control is rejected; each formal statement is tried exactly."""

import re
from collections import Counter
from dataclasses import replace
from inspect import getclosurevars
from pathlib import Path
from types import FunctionType

import pytest

from shbcore.claims import registry, verify
from shbcore.claims.registry import Check, Claim, Definition, claim, claims
from shbcore.claims.trial import compare
from shbcore.pages import cards
from shbcore.proof.kernel import Outcome, check
from shbcore.proof.language import Named, walk
from shbcore.proof.statement import Statement, canonical

PAPER = (Path(__file__).parent / "data" / "paper_labels.txt").read_text().split()
OWN = {"lem:weak:convexity", "assumption:A3"}
"""Names without a slash that this project gave: Lemma 1 and Assumption (A3) carry no label in the paper."""


def test_every_label_of_the_paper_has_an_entry_and_no_other_name_pretends_to_be_one() -> None:
    plain = {one.label for one in claims() if "/" not in one.label}
    assert len(PAPER) == 96
    assert plain == set(PAPER) | OWN


def test_the_labels_stand_in_the_order_of_the_paper() -> None:
    order = [one.label for one in claims() if one.label in set(PAPER)]
    assert order == PAPER


def test_the_ledger_has_no_problems() -> None:
    assert verify.problems(claims()) == []


@pytest.mark.parametrize("entry", claims(), ids=lambda entry: entry.label)
def test_every_check_passes_and_every_control_is_rejected(entry: Claim) -> None:
    (result,) = verify.run([entry])
    assert [f"{one.what}: {one.detail}" for one in result.found if not one.passed] == []


def test_a_missing_part_of_an_entry_is_found() -> None:
    good = claim("eq:proof:lem:1:norm")
    for name, message in (
        ("consequence", "consequence is empty"),
        ("more", "without a counterexample"),
        ("chapter", "no chapter"),
    ):
        empty = replace(good, **{name: () if name == "more" else ""})
        assert any(message in problem for problem in verify.problems([empty]))


def test_words_that_restate_a_relation_are_found() -> None:
    talkative = replace(claim("eq:proof:lem:1:norm"), words=r"It says that $a\le b$.")
    assert any("restates" in problem for problem in verify.problems([talkative]))


def test_a_true_claim_that_needs_the_repaired_start_is_found() -> None:
    generous = replace(claim("eq:proof:lem:1:norm"), as_printed="true", more=())
    assert any("needs the repaired start" in problem for problem in verify.problems([generous]))


def test_a_broken_control_does_not_count_as_rejected() -> None:
    def boom() -> Outcome:
        raise RuntimeError("a mistake")

    good = claim("eq:norm:identity").checks[0]
    found = verify.run_check(replace(good, control=boom))
    assert not found.passed
    assert not found.control_rejected


def test_controls_change_a_little_or_say_why_not() -> None:
    near = re.compile(
        r"tenth|\d|given|index|field|start|printed|other|without|against|one (?:more|less)|at |early|step|epoch|true",
        re.IGNORECASE,
    )
    far = [
        f"{entry.label}: {one.control_what}"
        for entry in claims()
        for one in entry.checks
        if not one.far and not near.search(one.control_what)
    ]
    assert far == []


TWICE = {"V_k": 2, "W_k": 2, r"\varphi_k": 2, "d_k": 2, r"\bar x_k": 2, r"\nabla F_\lambda(\bar x_k)": 2}
TWICE |= {r"\delta_k": 2}
"""The paper uses V_k again in Appendix E; W_k and phi_k stand with z_k as a letter, and with its recursion put in.  The letters of a step
stand with one stepsize, and with one for each step."""


def test_one_name_means_one_thing_in_the_whole_ledger() -> None:
    trees: dict[str, set[str]] = {}
    for says in (one.statement for entry in claims() for one in entry.checks):
        for side in (says.relation.left, says.relation.right) if says is not None else ():
            for node in walk(side):
                if isinstance(node, Named) and node.index == 0 and not node.first:
                    trees.setdefault(node.name, set()).add(canonical(node.of))
    assert {name: len(found) for name, found in trees.items() if len(found) > 1} == TWICE


def test_every_defect_is_counted_once_where_it_begins() -> None:
    for one in registry.errata():
        assert one.root is None or one.root.defective
        assert one.root is None or one.root.root is None, f"{one.label}: its root {one.root.label} has a root itself"


def test_the_results_rest_on_few_foundations_and_on_no_step() -> None:
    for label in (
        *("lem:xdiff:non-smooth", "lem:Vfunc:non-smooth", "lem:Wfunc:smooth", "lem:xdiff:smooth", "lem:z:diff"),
        *("thrm:non-smooth:complexity", "thrm:smooth:complexity", "thrm:smooth:unconstrained:complexity"),
    ):
        found = verify.foundations(claim(label))
        assert 3 <= len(found) <= 20
        assert {one.kind for one in found} <= {"assumption", "definition", "rule"}
        steps = {entry.label for entry in claims() if entry.kind in ("step", "proof")}
        assert not {one.label for one in found} & (steps - {"eq:stoc:analysis"})


def test_a_claim_says_what_its_proof_proves() -> None:
    for entry in claims():
        for one in entry.says:
            if isinstance(one, Check):
                assert one.build is None or check(one.build()).passed
            else:
                assert isinstance(one, Definition)


def test_records_hold_the_statement_that_was_proved() -> None:
    (result,) = verify.run([claim("lem:xdiff:non-smooth")])
    record = result.record()
    assert record["says"][0]["statement"] == claim("lem:xdiff:non-smooth").statements[0].words
    assert {"label", "title", "as_printed", "repair", "evidence", "chapter"} <= record.keys()
    assert Counter(one["kind"] for one in record["evidence"])["certificate"] >= 1


def quoted(claim: Claim, check: Check) -> bool:
    """Whether a counterexample that speaks of the printed line has a line that the claim prints, or one with its values there."""
    if not isinstance(check.run, FunctionType) or "says" not in (held := getclosurevars(check.run).nonlocals):
        return True
    line, trial, k = held["printed"], held["trial"], held["k"]
    if held["says"] != "the printed line says" or line in claim.printed:
        return True
    mine = [str(one) for one in compare(line, trial, k, outside=True) if not one.holds]
    printed = [one for one in claim.printed if isinstance(one, Statement)]
    return mine[0] in [str(one) for other in printed for one in compare(other, trial, k, outside=True)]


def test_a_counterexample_quotes_the_printed_line_or_says_what_it_quotes() -> None:
    against = [(one, check) for one in claims() for check in one.checks if check.kind == "counterexample"]
    assert [(one.label, check.what) for one, check in against if not quoted(one, check)] == []
    seen = [check for one, check in against if quoted(replace(one, printed=()), check)]
    assert len(seen) < len(against) - 40, "without what is printed, most are noticed"


def test_where_the_paper_has_words_only_the_formula_is_told_as_a_reading() -> None:
    read = [one for one in claims() if one.reading]
    assert len(read) == 4
    for one in read:
        (first,), (second,) = cards.printed(one), cards.read_as(one)
        assert "$" in first
        assert second.startswith(one.reading)
        told = dict(cards.paragraphs(one))
        assert told["Printed"] == first
        assert told["Read as"].startswith(one.reading)
    assert cards.read_as(claim("eq:znorm")) == []
