"""What make calls: notebooks executed to the same bytes, a failing cell stops everything, a missing file is found."""

from pathlib import Path

import build_book
import execute_notebooks
import nbformat
import pytest


def write(path: Path, *cells: str) -> Path:
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]), path)
    return path


def test_executing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = write(tmp_path / "one.ipynb", "import time", "print(1)\ntime.sleep(0.05)\nprint(2)", "{'a': 1}")
    (first,) = execute_notebooks.execute_all([path], jobs=1).values()
    nbformat.write(first, path)
    before = path.read_bytes()
    (second,) = execute_notebooks.execute_all([path], jobs=1).values()
    nbformat.write(second, path)
    assert path.read_bytes() == before
    assert first.cells[1].outputs[0].text == "1\n2\n"
    assert "execution" not in first.cells[0].metadata


def test_a_failing_cell_stops_the_run_and_names_the_notebook(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.ipynb", "assert True"), write(tmp_path / "bad.ipynb", "assert 1 + 1 == 3")
    with pytest.raises(SystemExit, match="a cell failed in: bad"):
        execute_notebooks.execute_all([good, bad], jobs=2)


def test_an_unknown_stem_is_refused() -> None:
    with pytest.raises(SystemExit, match="no such notebook in book/: nowhere"):
        execute_notebooks.notebooks(["nowhere"])


def test_a_formula_keeps_its_comma_and_nothing_else_is_touched(tmp_path: Path) -> None:
    formula = r'<span class="math notranslate nohighlight">\(x\)</span>'
    page = tmp_path / "page.html"
    page.write_text(f"<p>{formula}, then {formula} and <span>x</span>, and ({formula}).</p>", encoding="utf-8")
    build_book.hold_punctuation(tmp_path)
    comma, end = (f'<span class="hold">{formula}{sign}</span>' for sign in (",", ")."))
    assert page.read_text("utf-8") == f"<p>{comma} then {formula} and <span>x</span>, and ({end}</p>"
