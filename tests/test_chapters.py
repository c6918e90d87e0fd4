"""Chapters and ledger agree: every claim has its place in a chapter, every place a claim; so do the front page and the README."""

import ast
import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from shbcore.claims import graph
from shbcore.claims.registry import CHAPTERS as TITLES
from shbcore.claims.registry import Claim, claim, claims
from shbcore.pages.cards import formula
from shbcore.proof import BOUNDED_GRADIENT, PAST, TOTAL

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
KNOWN = {one.label for one in claims()}
CHAPTERS = sorted({one.chapter for one in claims()} | set(TITLES))
CARDS = {"erratum", "entry", "claim", "statement"}
"""Functions whose first argument is a label of the ledger; that of ``statement`` may be a name of the chapter's own."""
LABEL = re.compile(
    r"^(?:lem|thrm|eq|eqn|alg|fig|proof|appendix|assumption|introduction|background|conclusion|beyond)[:/]\S+$"
)
NAMED = re.compile(r"^(?:Lemma|Theorem) \d")
BLOCK = re.compile(r"\{prf:(\w+)\}([^\n]*)\n:label: *(\S+)")
TYPED = {"algorithm", "proof", "observation"}
"""Blocks that a chapter may write by hand: they state no relation that the ledger decides."""


@cache
def cells(chapter: str) -> tuple[dict[str, Any], ...]:
    path = BOOK / f"{chapter}.ipynb"
    assert path.exists(), f"the ledger sends readers to book/{chapter}.ipynb, which does not exist"
    return tuple(json.loads(path.read_text("utf-8"))["cells"])


def _sources(chapter: str, kind: str) -> str:
    return "\n".join("".join(cell["source"]) for cell in cells(chapter) if cell["cell_type"] == kind)


def prose(chapter: str) -> str:
    return _sources(chapter, "markdown")


def code(chapter: str) -> str:
    return _sources(chapter, "code")


def shown(chapter: str) -> str:
    """What the code cells set on the page as MyST: statements, from their formal objects."""
    outputs = [output for cell in cells(chapter) for output in cell.get("outputs", [])]
    return "\n".join("".join(output.get("data", {}).get("text/markdown", "")) for output in outputs)


def directives(text: str) -> dict[str, str]:
    """Label and title of each statement set as a theorem, lemma, definition, ... ."""
    return {label: title for _, title, label in BLOCK.findall(text)}


def strings(source: str) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def cited(chapter: str) -> set[str]:
    """Labels of the paper that a chapter cites: in statements and references, and in cards of the ledger."""
    text = prose(chapter)
    found = {*directives(text), *directives(shown(chapter)), *re.findall(r"\{prf:ref\}`([^`<]+)`", text)}
    found |= set(re.findall(rf"\b(?:{'|'.join(sorted(CARDS))})\(\s*[\"']([^\"']+)[\"']", code(chapter)))
    return {label for label in found if LABEL.match(label)}


def generated(chapter: str) -> bool:
    """Whether the chapter shows the generated list of all its claims, as a table or step by step."""
    calls = [
        n for n in ast.walk(ast.parse(code(chapter))) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    tables = [call for call in calls if call.func.attr in {"claims", "steps"} and call.args]
    return any(isinstance(call.args[0], ast.Constant) and call.args[0].value == chapter for call in tables)


def without_a_place(chapter: str, entries: list[Claim]) -> list[str]:
    """Claims that a chapter neither lists nor cites."""
    if generated(chapter):
        return []
    known = cited(chapter) | strings(code(chapter))
    return [one.label for one in entries if one.label not in known]


def typed(chapter: str) -> list[str]:
    """Statements that a chapter writes by hand, where they could differ from what was checked."""
    return [kind for kind in re.findall(r"\{prf:(\w+)\}(?!`)", prose(chapter)) if kind not in TYPED | {"ref"}]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_of_the_ledger_stands_in_its_chapter(chapter: str) -> None:
    entries = [one for one in claims() if one.chapter == chapter]
    assert without_a_place(chapter, entries) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_chapter_cites_what_the_ledger_does_not_know(chapter: str) -> None:
    assert cited(chapter) - KNOWN == set()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_chapter_types_a_statement_by_hand(chapter: str) -> None:
    assert typed(chapter) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_statement_on_a_page_is_that_of_the_ledger(chapter: str) -> None:
    text = shown(chapter)
    for label in set(directives(text)) & KNOWN:
        assert [one for one in claim(label).statements if formula(one) not in text] == [], (
            f"{label}: execute {chapter} again"
        )


def _notebook(*sources: tuple[str, str]) -> tuple[dict[str, Any], ...]:
    return tuple({"cell_type": kind, "source": [text]} for kind, text in sources)


def test_an_unknown_label_a_missing_claim_and_a_typed_statement_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _notebook(
        (
            "markdown",
            "```{prf:lemma} paper: Lemma 9\n:label: lem:unknown\n```\n```{prf:proof}\nBy {prf:ref}`lem:z:diff`.\n```",
        ),
        ("code", 'style.erratum("eq:nothing")\nstyle.statement("own:name")'),
    )
    monkeypatch.setitem(globals(), "cells", lambda chapter: source)
    assert cited("any") - KNOWN == {"lem:unknown", "eq:nothing"}
    assert typed("any") == ["lemma"]
    entries = [one for one in claims() if one.chapter == "one_step"]
    assert len(without_a_place("one_step", entries)) == len(entries)


def test_all_chapters_are_in_the_table_of_contents_in_the_order_of_the_ledger() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [Path(entry["file"]).name for part in toc["parts"] for entry in part["chapters"]]
    assert [name for name in listed if name in TITLES] == list(TITLES)


@pytest.mark.parametrize("chapter", TITLES)
def test_links_call_a_chapter_by_its_title(chapter: str) -> None:
    heading = next(line for line in prose(chapter).splitlines() if line.startswith("# "))
    assert heading.startswith(f"# {TITLES[chapter]}")


NAMES = sorted({graph.group(one) for one in claims() if NAMED.match(graph.group(one))})


@pytest.mark.parametrize("name", NAMES)
def test_every_lemma_and_theorem_is_stated_by_its_name_in_its_chapter(name: str) -> None:
    chapter = next(one.chapter for one in claims() if graph.group(one) == name)
    titles = directives(shown(chapter)).values()
    assert [title for title in titles if re.search(rf"\b{name}\b", title)], f"no statement {name} in {chapter}"


REMARKS = [one for one in claims() if one.kind == "remark"]


@pytest.mark.parametrize("remark", REMARKS, ids=lambda one: one.label)
def test_every_remark_stands_in_its_chapter_by_name(remark: Claim) -> None:
    words = re.match(r"Remark (i+)\b", remark.title)
    named = rf"[Rr]emarks? (?:i+ (?:to|and) )?{words.group(1)}\b" if words else r"[Rr]emark"
    assert remark.label in cited(remark.chapter) or re.search(named, prose(remark.chapter))


def test_a_statement_is_called_repaired_exactly_if_the_ledger_says_so() -> None:
    wrong = []
    for chapter in CHAPTERS:
        for label, title in directives(shown(chapter)).items():
            if label in KNOWN and NAMED.search(title.removeprefix(" paper: ")):
                wrong += [f"{chapter}: {label}"] if claim(label).defective != ("repaired" in title) else []
    assert wrong == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_figures_have_alternative_text(chapter: str) -> None:
    for cell in cells(chapter):
        images = [o for o in cell.get("outputs", []) if any(k.startswith("image/") for k in o.get("data", {}))]
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        assert not images or len(alt) > 40, f"{chapter}: a figure without words"


# --- the front page, the README and the repaired paper say what the ledger says

REPAIRED = {
    "repaired-assumptions": ("assumption:A/A1", "assumption:A/A2", "assumption:A3"),
    "repaired-method": ("alg:iters:def",),
    "repaired-lemma-3": ("lem:xdiff:non-smooth",),
    "repaired-lemma-4": ("eq:Vfunc", "lem:Vfunc:non-smooth"),
    "repaired-theorem-1": ("eq:thrm:1", "thrm:non-smooth:complexity/gamma", "thrm:non-smooth:complexity/gamma_1"),
    "repaired-theorem-2": ("thrm:smooth:complexity/bound",),
    "repaired-lemma-5": ("lem:Wfunc:smooth/W", "lem:Wfunc:smooth"),
    "repaired-lemma-7": ("lem:z:diff",),
    "repaired-theorem-3": ("thrm:smooth:unconstrained:complexity",),
}


def block(text: str, label: str) -> str:
    """One statement of a page, from its label to its end."""
    return text[text.index(f":label: {label}\n") :].split("\n````")[0]


@pytest.mark.parametrize("name", REPAIRED)
def test_the_repaired_paper_states_the_formulas_of_the_ledger(name: str) -> None:
    text = block(shown("errata"), name)
    for label in REPAIRED[name]:
        entry = claim(label)
        says = entry.statements or entry.says
        assert says
        assert [one for one in says if formula(one) not in text] == []


def numbers() -> dict[str, str]:
    """What the extension of the book puts in for ``{{ name }}``."""
    spec = importlib.util.spec_from_file_location("ledger_numbers", BOOK / "_ext" / "ledger_numbers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, str] = module.numbers()
    return found


def test_the_front_page_takes_its_numbers_from_the_ledger() -> None:
    text = (BOOK / "intro.md").read_text("utf-8")
    verdict = text[text.index("## What was found wrong") :].split("\n|")[0]
    used = set(re.findall(r"\{\{ (\w+) \}\}", text))
    assert {"claims", "right", "repaired", "undecided", "defects", "typos"} <= set(
        re.findall(r"\{\{ (\w+) \}\}", verdict)
    )
    assert {"formal", "checks", "coq", "measured"} <= used
    assert used <= numbers().keys()
    assert re.findall(r"\b\d+\b", verdict) == []


def test_the_numbers_are_those_of_the_claims_of_the_paper() -> None:
    found = numbers()
    paper = [one for one in claims() if not one.label.startswith("beyond/")]
    assert int(found["claims"]) == len(paper) == sum(int(found[name]) for name in ("right", "repaired", "undecided"))
    assert int(found["repaired"]) == sum(one.defective for one in paper)
    assert int(found["defects"]) == sum(one.defective and one.root is None for one in paper)


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "book/intro.md", "book/symbols.md", "book/api.md", "book/api_proof.md"]
)
def test_no_page_counts_by_hand(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert re.findall(r"\b\d+ (?:claims|defects|errata|typos|checks|certificates|counterexamples)\b", text) == []


FOUND = {
    "start of the algorithm": ("alg:iters:def/start", ("beta g_0", r"\beta g_0")),
    "Lemmas 3 and 4": ("eq:znorm", ("total expectation", "total expectation")),
    "Lemmas 5 and 7": ("proof:smooth:z:diff:Delta", ("F_{k-1}", r"\F_{k-1}")),
    "| Lemma 4 |": ("lem:Vfunc:non-smooth/gamma", ("rho xi", r"\rho\xi")),
    "Theorems 1 and 2 |": ("eq:thrm:1", ("alpha_0^2", r"\alpha_0^2")),
    "Theorem 3, second display": ("thrm:smooth:unconstrained:complexity/second", ("alpha_0^2", r"\alpha_0^2")),
    "weak convexity": ("eqn:objective/weak-convexity", ("rho/2", r"\tfrac{\rho}{2}")),
    "phase retrieval": ("fig:1/subdifferential", ("<a,x>^2", r"\inner{a}{x}^2-b")),
}


@pytest.mark.parametrize("row", FOUND)
@pytest.mark.parametrize("page", ["README.md", "book/intro.md"])
def test_the_main_findings_are_defects_of_the_ledger(page: str, row: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    label, repairs = FOUND[row]
    line = next(line for line in text.splitlines() if line.startswith("|") and row in line)
    assert claim(label).defective
    assert repairs[page.endswith("intro.md")] in line


def test_the_main_findings_name_no_others() -> None:
    for page in ("README.md", "book/intro.md"):
        text = (ROOT / page).read_text("utf-8")
        table = text[text.index("| where |") :].split("\n\n")[0].splitlines()[2:]
        assert [line for line in table if not any(row in line for row in FOUND)] == []


def test_what_the_front_page_says_of_the_ten_and_of_the_fields_is_what_the_ledger_proves() -> None:
    assert claim("thrm:non-smooth:complexity/ten").as_printed == "true"
    assert claim("thrm:smooth:complexity/ten").as_printed == "true"
    assert claim("thrm:smooth:unconstrained:complexity/bound").as_printed == "true"
    assert all(BOUNDED_GRADIENT not in one.assumes for one in claim("beyond/open/bound").statements)
    fields = {
        "lem:xdiff:non-smooth": TOTAL,
        "lem:Vfunc:non-smooth": TOTAL,
        "lem:Wfunc:smooth": PAST,
        "lem:z:diff": PAST,
    }
    assert {label: claim(label).statements[0].given for label in fields} == fields
