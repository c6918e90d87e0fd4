"""The ledger: complete, consistent, and every check in it passes while its negative control is rejected."""

from dataclasses import replace

import pytest

from shbcore.claims import ledger
from shbcore.claims.labels import ORDER, PAPER_LABELS, PLACES
from shbcore.claims.ledger import Check, Claim, Outcome, Result

GOOD = Check("exact", "two is two", lambda: Outcome(2 == 2, "2 = 2"), lambda: Outcome(2 == 3, "2 = 3"), "two is three")
EASY = replace(GOOD, control=lambda: Outcome(True, "anything"), control_what="anything goes")
BROKEN = replace(GOOD, run=lambda: 1 / 0)  # type: ignore[arg-type, return-value]
BROKEN_CONTROL = replace(GOOD, control=lambda: 1 / 0)  # type: ignore[arg-type, return-value]
TRUE = Claim("eq:znorm", "a title", "step", "a statement", "one_step", checks=(GOOD,))


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return ledger.run(ledger.claims())


def test_the_paper_has_96_labels_and_each_stands_once_in_the_list() -> None:
    assert len(PAPER_LABELS) == 96
    assert len(set(PAPER_LABELS)) == 96
    assert len(ORDER) == len(PLACES)


def test_every_label_and_every_unlabelled_claim_has_an_entry() -> None:
    assert {claim.label for claim in ledger.claims()} == set(ORDER)


def test_every_entry_carries_what_its_verdict_requires() -> None:
    assert ledger.problems(ledger.claims()) == []


def test_claims_stand_in_the_order_of_the_paper() -> None:
    ranks = [ORDER[claim.label] for claim in ledger.claims()]
    assert ranks == sorted(ranks)


def test_what_a_claim_rests_on_makes_no_circle() -> None:
    uses = {claim.label: claim.uses for claim in ledger.claims()}
    done: set[str] = set()

    def visit(label: str, path: tuple[str, ...]) -> None:
        assert label not in path, f"{label} rests on itself: {path}"
        if label not in done:
            for below in uses[label]:
                visit(below, (*path, label))
            done.add(label)

    for label in uses:
        visit(label, ())


@pytest.mark.parametrize("label", list(ORDER))
def test_every_check_passes_and_its_negative_control_is_rejected(label: str, results: list[Result]) -> None:
    result = next(result for result in results if result.claim.label == label)
    for found in result.found:
        assert found.passed, f"{found.what}: {found.detail}"
        assert found.control_rejected, f"{found.control_what}: {found.control_detail}"


def test_errata_are_the_claims_that_are_neither_true_nor_open() -> None:
    errata = ledger.errata()
    assert {claim.as_printed for claim in errata} == {"typo", "wrong", "false", "gap", "unstated"}
    assert sum(ledger.by_class(errata).values()) == len(errata)
    assert set(ledger.roots()) <= set(errata)


def test_an_inherited_defect_names_a_root_that_is_an_erratum_itself() -> None:
    roots = {claim.label for claim in ledger.roots()}
    for claim in ledger.errata():
        assert not claim.root or claim.root in roots, claim.label


@pytest.mark.parametrize(
    "check", [EASY, BROKEN, BROKEN_CONTROL], ids=["control passes", "run breaks", "control breaks"]
)
def test_a_check_counts_only_if_it_passes_and_its_control_fails(check: Check) -> None:
    assert ledger.run_check(GOOD).passed
    assert not ledger.run_check(check).passed


def test_a_broken_check_is_a_failure_with_its_text() -> None:
    assert "ZeroDivisionError" in ledger.run_check(BROKEN).detail


@pytest.mark.parametrize(
    "change",
    [
        {"checks": ()},
        {"as_printed": "wrong"},
        {"as_printed": "false", "printed": "p", "repair": "r", "consequence": "c"},
        {"label": "eq:nowhere"},
        {"uses": ("eq:nowhere",)},
        {"chapter": "nowhere"},
        {"root": "eq:nowhere"},
        {"as_printed": "perhaps"},
        {"checks": (replace(GOOD, kind="guess"),)},  # type: ignore[arg-type]
    ],
    ids=lambda change: " and ".join(change),
)
def test_an_incomplete_entry_is_reported(change: dict[str, object]) -> None:
    assert ledger.problems([TRUE], complete=False) == []
    assert ledger.problems([replace(TRUE, **change)], complete=False)  # type: ignore[arg-type]


def test_a_missing_and_a_doubled_entry_are_reported() -> None:
    assert any("no entry" in problem for problem in ledger.problems([TRUE]))
    assert any("twice" in problem for problem in ledger.problems([TRUE, TRUE], complete=False))
