"""The front pages say what the ledger says: the paper's numbers, the rates, the strip, the lines, what is to be cited."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from shbcore.claims import numbers, registry
from shbcore.claims.registry import claim, claims
from shbcore.pages import front, paper, use
from shbcore.pages.cards import formula
from shbcore.proof.facts import N
from shbcore.proof.language import Scaled

ROOT = Path(__file__).resolve().parent.parent
LABELS = (ROOT / "tests" / "data" / "paper_labels.txt").read_text("utf-8").split()
KNOWN = {
    "eqn:objective": "1",
    "eq:SHB:unconstrained:z": "3b",
    "alg:iters:def": "7",
    "alg:iters:def:a": "7a",
    "eq:Vfunc": "10",
}
KNOWN |= {
    "eq:thrm:1": "12",
    "eq:lem:smooth:W": "14",
    "eq:znorm": "24",
    "eq:proof:thrm:1:evn:3": "37",
    "eq:proof:thrm:3:evn:5": "74",
}
"""As LaTeX numbers them; the last one shows that none is left out."""


@pytest.mark.parametrize("label", KNOWN)
def test_a_display_has_the_number_of_the_paper(label: str) -> None:
    assert numbers.displays()[label] == KNOWN[label]


def test_displays_are_numbered_in_the_order_of_the_paper() -> None:
    found = [label for label in numbers.displays() if "/" not in label]
    assert found == [label for label in LABELS if label in found]
    assert [label for label in LABELS if re.match(r"eqn?:|proof:", label) and label not in found] == []


def test_a_display_that_is_left_out_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "UNLABELLED", {})
    monkeypatch.setattr(numbers, "displays", numbers.displays.__wrapped__)
    assert numbers.displays()["eq:proof:thrm:3:evn:5"] != KNOWN["eq:proof:thrm:3:evn:5"]


def test_places_are_called_as_in_the_paper() -> None:
    assert numbers.place(claim("lem:xdiff:non-smooth")) == "Lemma 3"
    assert numbers.place(claim("eq:lem:Vfunc:non-smooth")) == "Lemma 4 (11)"
    assert numbers.place(claim("eq:znorm/base")) == "at (24)"


def test_no_repair_changes_a_rate() -> None:
    found = front.bounds()
    assert {one.title.split(",")[0].split(":")[0] for one, _, _ in found} >= {"Theorem 1", "Theorem 2", "Theorem 3"}
    assert front.changed() == []
    assert {front.exponent(right) for _, _, right in found} == {sp.Rational(-1, 2)}


@pytest.mark.parametrize("factor", [1 / N, N, sp.sqrt(N) ** 2 * (1 + 1 / N)])
def test_a_changed_rate_would_be_noticed(factor: sp.Expr) -> None:
    _, _, right = front.bounds()[0]
    slower = replace(right, relation=replace(right.relation, right=Scaled(factor, right.relation.right)))
    assert front.exponent(slower) != front.exponent(right)


def test_the_strip_and_the_lines_have_every_claim_of_the_paper_once() -> None:
    expected = [one.label for one in claims() if not one.own]
    assert re.findall(r'href="ledger\.html#([^"]+)"', front.strip().html) == expected
    shown = [
        label
        for title in paper.sections()
        for label in re.findall(r' id="line-([^"]+)"', paper.section(title.split()[0]).html)
    ]
    assert shown == expected


def test_a_line_shows_what_is_printed_and_what_is_right() -> None:
    one = claim("lem:Vfunc:non-smooth/gamma")
    html = paper.line(one)
    assert html.index("printed</small>") < html.index("right</small>")
    assert "false" in paper.line(claim("eq:znorm"))
    assert "(24)" in paper.line(claim("eq:znorm"))


@pytest.mark.parametrize("name", use.STATEMENTS)
def test_what_is_to_be_cited_is_what_the_ledger_proves(name: str) -> None:
    _, label, lines = use.STATEMENTS[name]
    says = [build().statement for build in lines] or list(claim(label).statements)
    assert [one for one in says if formula(one) not in use.stated(name)] == []
    proved = {check.statement.fingerprint for one in registry.claims() for check in one.checks if check.statement}
    assert [one for one in says if one.fingerprint not in proved] == []


def test_the_line_for_pytorch_is_the_method() -> None:
    text = use.torch("100", "0.5")
    assert "lr=0.05, momentum=0.9, dampening=0.9" in text
    assert "lr=0.005, momentum=0.9, dampening=0" in text


def test_the_bibliography_names_the_version() -> None:
    version = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version
    assert f"version = {{{version.group(1)}}}" in use.bibtex()
    assert "@inproceedings{mai2020" in use.bibtex()


def test_what_is_new_leads_to_chapters_that_exist() -> None:
    named = set(re.findall(r"\{doc\}`(\w+)`", front.news()))
    assert {"complexity", "open_question", "shorter_smooth_half"} <= named <= set(registry.CHAPTERS)
