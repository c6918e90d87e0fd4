"""The form of a notebook: executed, without errors, with assertions, short cells, nothing ignored in silence, pictures in words."""

import copy
import importlib.util
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
from docutils import nodes
from execute_notebooks import settle

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(path for path in (ROOT / "book").glob("*.ipynb") if not path.stem.startswith("_"))
LONGEST_CELL = 20
LONGEST_CAPTION = 220
IGNORES = re.compile(r"#\s*NBVAL_(?:IGNORE_OUTPUT|SKIP|RAISES_EXCEPTION|VARIABLE_OUTPUT)\b(.*)")
IGNORING_TAGS = {"nbval-ignore-output", "nbval-skip", "nbval-raises-exception", "raises-exception", "skip-execution"}
PICTURE = re.compile(r"!\[\s*\]\(|<img(?![^>]*\balt=['\"][^'\"]+)[^>]*>")
FIGURE = re.compile(r"^\s*:{3,}\{figure\}|^\s*`{3,}\{(?:figure|image)\}", re.MULTILINE)


def defects(notebook: Any) -> list[str]:
    """Everything that is wrong with the form of a notebook, one sentence each."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = []
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("the kernel is not python3")
    if not any(re.search(r"^\s*assert\b", cell.source, re.MULTILINE) for cell in code):
        found.append("no cell asserts anything")
    for position, cell in enumerate(code, start=1):
        where = f"code cell {position}"
        if cell.execution_count != position:
            found.append(f"{where} was not executed in order (count {cell.execution_count})")
        if any(output.output_type == "error" for output in cell.outputs):
            found.append(f"{where} stores an error")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{where} wrote to stderr")
        if len(cell.source.strip().splitlines()) > LONGEST_CELL:
            found.append(f"{where} is longer than {LONGEST_CELL} lines")
        if IGNORING_TAGS & set(cell.metadata.get("tags", [])):
            found.append(f"{where} ignores its output by a tag, where no reason can stand")
        if any(len(reason.strip(" :-.")) < 10 for reason in IGNORES.findall(cell.source)):
            found.append(f"{where} ignores its output without a reason")
        if "execution" in cell.metadata:
            found.append(f"{where} carries times")
        pictured = any("image/" in key for output in cell.outputs for key in output.get("data", {}))
        if pictured and not described(cell):
            found.append(f"{where} shows a picture without a description (metadata mystnb.image.alt)")
        if pictured or described(cell):
            found += [f"{where} shows a picture {fault}" for fault in faults_of_caption(cell)]
    if PICTURE.search(prose):
        found.append("a picture in the text has no description")
    for block in FIGURE.finditer(prose):
        if ":alt:" not in prose[block.start() : block.start() + 400]:
            found.append("a figure in the text has no :alt:")
    return found


def described(cell: Any) -> bool:
    return len(str(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", ""))) >= 10


def faults_of_caption(cell: Any) -> list[str]:
    """What is wrong with the caption of a picture."""
    about = cell.metadata.get("mystnb", {})
    words = str(about.get("caption", ""))
    if len(words) < 10:
        return ["without a caption (metadata mystnb.caption)"]
    found = []
    if words == about.get("image", {}).get("alt"):
        found.append("whose caption is its description")
    if len(words) > LONGEST_CAPTION:
        found.append(f"whose caption is longer than {LONGEST_CAPTION} characters")
    formulas, outside = re.findall(r"\$([^$]+)\$", words), re.sub(r"\$[^$]+\$", "", words)
    if "$" in outside:
        found.append("whose caption has a dollar too many or too few")
    if re.search(r"[\\_^{}]", outside):
        found.append("whose caption has TeX outside dollars")
    if any(one.count("{") != one.count("}") for one in formulas):
        found.append("whose caption has a formula with a brace too many or too few")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_has_the_form_of_a_chapter(path: Path) -> None:
    assert defects(nbformat.read(path, as_version=4)) == []


def test_there_are_notebooks_and_all_are_in_the_table_of_contents() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    listed = {Path(chapter["file"]).name for part in toc["parts"] for chapter in part["chapters"]}
    assert NOTEBOOKS
    assert {path.stem for path in NOTEBOOKS} <= listed


def _sound() -> Any:
    cell = nbformat.v4.new_code_cell("value = 2\nassert value == 2\nprint(value)", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="2\n")]
    return nbformat.v4.new_notebook(
        cells=[cell], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )


def _change(cell: Any, **changes: Any) -> None:
    for name, value in changes.items():
        cell[name] = value


def _figure(cell: Any) -> None:
    cell.outputs.append(nbformat.v4.new_output("display_data", data={"image/png": "AAAA"}))


def _captioned(caption: str) -> Any:
    """Show a picture with a description and this caption."""

    def change(cell: Any) -> None:
        _figure(cell)
        cell.metadata.update(mystnb={"caption": caption, "image": {"alt": "A curve that falls."}})

    return change


def _error(cell: Any) -> None:
    cell.outputs.append(nbformat.v4.new_output("error", ename="E", evalue="", traceback=[]))


SPOILERS = {
    "was not executed": lambda cell: _change(cell, execution_count=None),
    "stores an error": _error,
    "ignores its output without a reason": lambda cell: _change(cell, source="# NBVAL_IGNORE_OUTPUT\n" + cell.source),
    "by a tag": lambda cell: cell.metadata.update(tags=["nbval-skip"]),
    "no cell asserts": lambda cell: _change(cell, source="print(2)"),
    "longer than": lambda cell: _change(cell, source=cell.source + "\nvalue" * LONGEST_CELL),
    "without a description": _figure,
    "without a caption": _captioned(""),
    "caption is its description": _captioned("A curve that falls."),
    "caption is longer": _captioned("The curve falls. " * 20),
    "a dollar too": _captioned("The value of $x_k falls."),
    "TeX outside": _captioned("The value of x_k falls."),
    "a brace too": _captioned(r"The value of $\frac{1}{2$ falls."),
    "carries times": lambda cell: cell.metadata.update(execution={"iopub.execute_input": "now"}),
}


@pytest.mark.parametrize("complaint", SPOILERS)
def test_a_spoilt_notebook_is_refused(complaint: str) -> None:
    sound = _sound()
    assert defects(sound) == []
    spoilt = copy.deepcopy(sound)
    SPOILERS[complaint](spoilt.cells[0])
    assert any(complaint in defect for defect in defects(spoilt))


def test_a_reason_makes_an_ignored_output_acceptable() -> None:
    notebook = _sound()
    notebook.cells[0].source = "# NBVAL_IGNORE_OUTPUT: measured seconds differ\n" + notebook.cells[0].source
    assert defects(notebook) == []


def test_a_picture_with_a_caption_is_acceptable_and_keeps_it_when_it_is_executed() -> None:
    notebook = _sound()
    _captioned(r"The iterates $x_k$ fall like $1/\sqrt{K+1}$.")(notebook.cells[0])
    assert defects(settle(notebook)) == []


@pytest.mark.parametrize("words", ["Before $x_k$, after.", "$x_k$ first", "no formula", r"$\frac{1}{2}$"])
def test_the_page_shows_the_caption_with_its_formulas(words: str) -> None:
    spec = importlib.util.spec_from_file_location("figures", ROOT / "book" / "_ext" / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    output = nodes.container("", nodes.image(alt="A curve."), classes=["cell_output"])
    about = {"mystnb": {"caption": words, "image": {"alt": "A curve."}}}
    page = nodes.container("", nodes.container("", output, cell_metadata=about))
    figures.number(None, page)
    (caption,) = page.findall(nodes.caption)
    assert isinstance(caption.parent, nodes.figure)
    assert caption.parent["ids"] == ["figure-1"]
    assert caption.astext() == words.replace("$", "")
    assert [one.astext() for one in caption.findall(nodes.math)] == words.split("$")[1::2]
