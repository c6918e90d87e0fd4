"""On a page code is folded, what it printed is not: the transformation of a page, cell by cell."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from docutils import nodes

PATH = Path(__file__).resolve().parent.parent / "book" / "_ext" / "folded_code.py"
SPEC = importlib.util.spec_from_file_location("folded_code", PATH)
assert SPEC is not None
assert SPEC.loader is not None
folded_code = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(folded_code)


def cell(code: str, printed: str = "", tags: tuple[str, ...] = ()) -> nodes.container:
    made = nodes.container(nb_element="cell_code", cell_metadata={"tags": list(tags)}, hide_mode="input")
    if "remove-input" not in tags:
        source = nodes.container(nb_element="cell_code_source")
        source += nodes.literal_block(code, code)
        made += source
    if printed:
        output = nodes.container(nb_element="cell_code_output")
        output += nodes.literal_block(printed, printed, classes=["output", "stream"])
        made += output
    return made


def page(*parts: nodes.Node, name: str = "book/any") -> nodes.section:
    section = nodes.section()
    section += list(parts)
    folded_code.fold(SimpleNamespace(env=SimpleNamespace(docname=name)), section)
    return section


def folds(tree: nodes.Node) -> list[str]:
    return [one.astext() for one in tree.findall(folded_code.FoldedCode)]


def test_code_is_folded_and_its_output_is_not() -> None:
    tree = page(cell("a = 1", "x  1"))
    assert folds(tree) == ["a = 1"]
    outside = [one.astext() for one in tree.findall(nodes.literal_block) if "stream" in one["classes"]]
    assert outside == ["x  1"]
    assert not tree[0]["hide_mode"]


def test_cells_that_show_nothing_are_folded_with_the_next() -> None:
    tree = page(cell("a"), cell("b"), cell("c", "1"), nodes.paragraph("", "words"), cell("d"), cell("e"))
    assert [one.split() for one in folds(tree)] == [["a", "b", "c"], ["d", "e"]]
    assert len(tree) == 3


def test_code_is_not_moved_past_words_or_a_cell_without_code() -> None:
    tree = page(cell("a"), nodes.paragraph("", "words"), cell("b"), cell("c", "1", tags=("remove-input",)))
    assert folds(tree) == ["a", "b"]
    assert len(tree) == 4


def test_the_code_of_a_solution_stands_in_its_fold() -> None:
    solution = nodes.container(design_component="dropdown")
    solution += nodes.paragraph("", "by hand")
    tree = page(solution, cell("assert True"))
    assert len(tree) == 1
    assert folds(solution) == ["assert True"]


def test_what_is_asked_to_be_shown_is_shown() -> None:
    assert folds(page(cell("a", tags=("show-input",)))) == []
    assert folds(page(cell("a"), name="book/verify_your_own")) == []
    assert folds(page(cell("a", tags=("hide-input",)), name="book/verify_your_own")) == ["a"]


def shown(text: str) -> str:
    tree = page(cell("a", text))
    return "".join(one.astext() for one in tree.findall(nodes.raw))


def test_what_is_printed_becomes_lines_of_the_page_unless_it_is_laid_out() -> None:
    made = shown("HOLDS: k = 0\nsides: 1 <= 2\nREFUTED: a")
    assert made.count("verdict-line") == 3
    assert made.count("<b>") == 2
    assert "HOLDS" not in made
    assert shown("600 runs in all").count("verdict-line said") == 1
    assert shown("HOLDS: k = 0\n  control: laid out by spaces") == ""
    assert shown("printed   1 <= 3/4: fails") == ""
    assert shown("pieces = (Fraction(0, 1),) must be convex") == ""


def test_a_page_left_alone_would_be_noticed(monkeypatch: Any) -> None:
    monkeypatch.setattr(folded_code, "OPEN", {"book/any"})
    assert folds(page(cell("a", "1"))) == []
