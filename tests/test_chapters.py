"""Chapters and ledger agree: every claim has its place in a chapter, every place a claim; so do the front page and the README."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from shbcore.claims import graph, ledger
from shbcore.claims.labels import ORDER

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
CHAPTERS = sorted({claim.chapter for claim in ledger.claims()} | set(ledger.CHAPTERS))
CARDS = {"erratum", "entry", "claim"}
"""Functions whose first argument is a label of the ledger."""
LABEL = re.compile(r"^(?:lem|thrm|eq|eqn|alg|fig|proof|appendix|assumption|introduction|background|conclusion)[:/]\S+$")
NAMED = re.compile(r"^(?:Lemma|Theorem) \d")


@cache
def cells(chapter: str) -> tuple[tuple[str, str], ...]:
    """Kind and source of each cell."""
    path = BOOK / f"{chapter}.ipynb"
    assert path.exists(), f"the ledger sends readers to book/{chapter}.ipynb, which does not exist"
    found = json.loads(path.read_text("utf-8"))["cells"]
    return tuple((cell["cell_type"], "".join(cell["source"])) for cell in found)


def prose(chapter: str) -> str:
    return "\n".join(text for kind, text in cells(chapter) if kind == "markdown")


def code(chapter: str) -> str:
    return "\n".join(text for kind, text in cells(chapter) if kind == "code")


def directives(text: str) -> dict[str, str]:
    """Label and title of each statement set as a theorem, lemma, definition, ... ."""
    blocks = re.findall(r"\{prf:(?:\w+)\}([^\n]*)\n:label: *(\S+)", text)
    return {label: title for title, label in blocks}


def strings(source: str) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def cited(chapter: str) -> set[str]:
    """Labels of the paper that a chapter cites: in statements and references, and in cards of the ledger."""
    text = prose(chapter)
    found = {label for label in directives(text) if LABEL.match(label)}
    found |= {label for label in re.findall(r"\{prf:ref\}`([^`<]+)`", text) if LABEL.match(label)}
    calls = re.findall(rf"\b(?:{'|'.join(sorted(CARDS))})\(\s*[\"']([^\"']+)[\"']", code(chapter))
    return found | set(calls)


def generated(chapter: str) -> bool:
    """Whether the chapter shows the generated list of all its claims, as a table or step by step."""
    calls = [
        n for n in ast.walk(ast.parse(code(chapter))) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    tables = [call for call in calls if call.func.attr in {"claims", "steps"} and call.args]
    return any(isinstance(call.args[0], ast.Constant) and call.args[0].value == chapter for call in tables)


def without_a_place(chapter: str, claims: list[ledger.Claim]) -> list[str]:
    """Claims that a chapter neither lists nor cites."""
    if generated(chapter):
        return []
    known = cited(chapter) | strings(code(chapter))
    return [claim.label for claim in claims if claim.label not in known]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_of_the_ledger_stands_in_its_chapter(chapter: str) -> None:
    claims = [claim for claim in ledger.claims() if claim.chapter == chapter]
    assert without_a_place(chapter, claims) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_chapter_cites_what_the_ledger_does_not_know(chapter: str) -> None:
    unknown = {label for label in cited(chapter) if label not in ORDER}
    assert unknown == set()


def test_an_unknown_label_and_a_missing_claim_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        ("markdown", "```{prf:lemma} paper: Lemma 9\n:label: lem:unknown\n```"),
        ("code", 'style.erratum("eq:nothing")'),
    )
    monkeypatch.setitem(globals(), "cells", lambda chapter: source)
    assert cited("any") - set(ORDER) == {"lem:unknown", "eq:nothing"}
    claims = [claim for claim in ledger.claims() if claim.chapter == "one_step"]
    assert len(without_a_place("one_step", claims)) == len(claims)


def test_all_chapters_are_in_the_table_of_contents_in_the_order_of_the_ledger() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [Path(entry["file"]).name for part in toc["parts"] for entry in part["chapters"]]
    assert [name for name in listed if name in ledger.CHAPTERS] == list(ledger.CHAPTERS)


@pytest.mark.parametrize("chapter", ledger.CHAPTERS)
def test_links_call_a_chapter_by_its_title(chapter: str) -> None:
    heading = next(line for line in prose(chapter).splitlines() if line.startswith("# "))
    assert heading.startswith(f"# {ledger.CHAPTERS[chapter]}")


NAMES = sorted({graph.group(claim) for claim in ledger.claims() if NAMED.match(claim.title)})


@pytest.mark.parametrize("name", NAMES)
def test_every_lemma_and_theorem_is_stated_by_its_name_in_its_chapter(name: str) -> None:
    chapter = next(claim.chapter for claim in ledger.claims() if graph.group(claim) == name)
    titles = directives(prose(chapter)).values()
    assert [title for title in titles if re.search(rf"\b{name}\b", title)], f"no statement {name} in {chapter}"


REMARKS = [claim for claim in ledger.claims() if claim.kind == "remark"]


@pytest.mark.parametrize("remark", REMARKS, ids=lambda claim: claim.label)
def test_every_remark_stands_in_its_chapter_by_name(remark: ledger.Claim) -> None:
    text = prose(remark.chapter)
    words = re.match(r"Remark (i+)\b", remark.title)
    named = rf"[Rr]emarks? (?:i+ (?:to|and) )?{words.group(1)}\b" if words else r"[Rr]emark"
    assert remark.label in cited(remark.chapter) or re.search(named, text)


def test_a_statement_is_called_repaired_exactly_if_the_ledger_says_so() -> None:
    wrong = []
    for chapter in CHAPTERS:
        for label, title in directives(prose(chapter)).items():
            if label in ORDER and NAMED.search(title.removeprefix(" paper: ")):
                needs = ledger.claim(label).defective
                wrong += [f"{chapter}: {label}"] if needs != ("repaired" in title) else []
    assert wrong == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_figures_have_alternative_text(chapter: str) -> None:
    found = json.loads((BOOK / f"{chapter}.ipynb").read_text("utf-8"))["cells"]
    for cell in found:
        images = [o for o in cell.get("outputs", []) if any(k.startswith("image/") for k in o.get("data", {}))]
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        assert not images or len(alt) > 40, f"{chapter}: a figure without words"


# --- the front page, the README and the repaired paper say what the ledger says


def flat(text: str) -> str:
    """TeX without layout."""
    text = re.sub(r"\\begin\{aligned\}|\\end\{aligned\}|\\\\|\\quad|\\,|&|\s", "", text)
    return text.replace(r"\E[", r"\mathrm{E}[")


REPAIRED = (
    *("lem:xdiff:non-smooth", "lem:Vfunc:non-smooth", "eq:Vfunc", "thrm:non-smooth:complexity", "lem:Wfunc:smooth"),
    *("thrm:smooth:complexity/bound", "lem:Wfunc:smooth/W", "thrm:smooth:unconstrained:complexity/bound"),
    *("thrm:smooth:unconstrained:complexity/second", "alg:iters:def/start"),
)


@pytest.mark.parametrize("label", REPAIRED)
def test_the_repaired_paper_states_the_formulas_of_the_ledger(label: str) -> None:
    claim, text = ledger.claim(label), flat(prose("errata"))
    source = claim.repair if label == "alg:iters:def/start" else claim.statement
    long = [flat(formula) for formula in re.findall(r"\$([^$]+)\$", source) if len(formula) > 60]
    assert long
    assert [formula for formula in long if formula not in text] == []


def test_the_front_page_takes_its_numbers_from_the_ledger() -> None:
    text = (BOOK / "intro.md").read_text("utf-8")
    verdict = text[text.index("The verdict") : text.index("## What was found wrong")]
    assert {"claims", "right", "repaired", "undecided"} <= set(re.findall(r"\{\{ (\w+) \}\}", text))
    assert re.findall(r"\b\d+\b", verdict) == []


FOUND = {
    "start of the algorithm": ("alg:iters:def/start", ("beta g_0", r"\beta g_0")),
    "Lemma 4 |": ("lem:Vfunc:non-smooth/gamma", ("rho xi", r"\rho\xi")),
    "Theorems 1 and 2": ("eq:thrm:1", ("alpha_0^2", r"\alpha_0^2")),
    "Theorem 3, second display": ("thrm:smooth:unconstrained:complexity/second", ("alpha_0^2", r"\alpha_0^2")),
    "weak convexity": ("eqn:objective/weak-convexity", ("rho/2", r"\tfrac{\rho}{2}")),
    "phase retrieval": ("fig:1/subdifferential", ("<a,x>^2", r"\inner{a}{x}^2-b")),
    "Lemmas 3": ("eq:znorm", ("total expectation", "total expectation")),
}


@pytest.mark.parametrize("row", FOUND)
@pytest.mark.parametrize("page", ["README.md", "book/intro.md"])
def test_the_main_findings_are_defects_of_the_ledger(page: str, row: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    label, repairs = FOUND[row]
    line = next(line for line in text.splitlines() if line.startswith("|") and row in line)
    assert ledger.claim(label).defective
    assert repairs[page.endswith("intro.md")] in line


def test_the_main_findings_name_no_others() -> None:
    for page in ("README.md", "book/intro.md"):
        text = (ROOT / page).read_text("utf-8")
        table = text[text.index("| where |") :].split("\n\n")[0].splitlines()[2:]
        assert [line for line in table if not any(row in line for row in FOUND)] == []
