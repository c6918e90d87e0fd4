"""What a reader takes away: the joined page behind the PDF, the zip of notebooks, the call that opens JupyterLab."""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import bundle
import lab
import make_pdf
import pytest
from bs4 import BeautifulSoup
from execute_notebooks import notebooks, read

from shbcore.proof import search

ROOT = Path(__file__).resolve().parent.parent
HEAD = """<head><link rel="stylesheet" href="../_static/book.css"><script>window.MathJax = {}</script>
<script defer src="../_static/mathjax/tex-mml-chtml.js"></script><script src="../_static/book.js"></script></head>"""
FIRST = rf"""<html>{HEAD}<body><article><section id="one"><h1>One: <span class="math">\(\varphi_k\)</span><a class="headerlink">#</a></h1>
<p>See <a href="two.html#here">two</a>, <a href="two.html">all of two</a>, <a href="#one">above</a>, <a href="https://paper.example/">the
paper</a>.</p><div class="cell"><details class="hide above-input"><div class="cell_input">code_one</div></details></div>
<div class="cell"><div class="cell_input">code_two</div><div class="cell_output"><img src="../_images/a.png" loading="lazy"></div></div>
<details><summary>Proof</summary>of it</details></section></article></body></html>"""
ON_SCREEN = f"""<html>{HEAD}<body><article><section id="three"><h1>Three</h1>
<figure><img class="on-desk in-light" src="../_images/a.desk.svg#light">
<img class="on-desk in-dark" src="../_images/a.desk.svg#dark"><img class="on-phone in-light" src="../_images/a.phone.svg#light"></figure>
<div class="cell"><details class="code-fold"><summary>code</summary>code_three</details><p>printed</p></div>
<details class="coq tex2jax_ignore mathjax_ignore"><summary>In Coq: <code>Lemma_9</code></summary><pre>Theorem Lemma_9</pre></details>
<div><div class="map-wide">wide</div><div class="map-slim">slim</div></div><div class="preview-only">twice</div>
<p>A list<span class="screen-only">; click it</span>.</p>
<div><div class="play" data-play="ball"></div><script>draw()</script></div><script>other()</script></section></article></body></html>"""
SECOND = f"""<html>{HEAD}<body><article><section id="here"><h1>Two</h1>
<a href="../_static/data.csv">data</a></section></article></body></html>"""


def joined_of(folder: Path, parts: list[tuple[str, list[str]]]) -> BeautifulSoup:
    """All sheets in one tree, the cover and the contents first."""
    pages = [page for _, chapters in parts for page in chapters]
    found, _ = make_pdf.sheets(folder, pages)
    titles = {page: one.h1.get_text() for page, one in found.items()}
    starts = {page: 3 + number for number, page in enumerate(pages)}
    body = make_pdf.front(parts, titles, starts, {"title": "Title", "author": "authors"})
    text = make_pdf.sheet(make_pdf.head_of(folder, pages[0]), body + "".join(map(str, found.values())), 0)
    return BeautifulSoup(text, "html.parser")


PARTS = [("", ["book/one"]), ("Part", ["book/two"])]


@pytest.fixture
def joined(tmp_path: Path) -> BeautifulSoup:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "one.html").write_text(FIRST)
    (tmp_path / "book" / "two.html").write_text(SECOND)
    return joined_of(tmp_path, PARTS)


def test_links_lead_to_places_in_the_file_and_those_places_exist(joined: BeautifulSoup, tmp_path: Path) -> None:
    targets = [str(tag["href"]) for tag in joined.select("article a[href]")]
    there = make_pdf.PLACE
    first = [f"{there}two--here", f"{there}two--top", "#one--one", "https://paper.example/", "#one--top"]
    assert targets == [*first, "../html/_static/data.csv", "#two--here", "#two--top"]
    places = [str(tag["id"]) for tag in joined.select("[id]")]
    assert len(places) == len(set(places))
    assert {one.removeprefix(there).lstrip("#") for one in targets if one.startswith(("#", there))} <= set(places)
    pages = [page for _, chapters in PARTS for page in chapters]
    assert make_pdf.sheets(tmp_path, pages)[1] == []
    (tmp_path / "book" / "two.html").write_text(SECOND.replace('id="here"', 'id="hear"'))
    assert make_pdf.sheets(tmp_path, pages)[1] == ["book/one: link to two--here leads nowhere"]


def test_proofs_are_open_folded_code_is_out_and_pictures_are_found(joined: BeautifulSoup) -> None:
    assert joined.find("details").has_attr("open")
    assert "of it" in joined.get_text()
    assert "code_one" not in joined.get_text()
    assert "code_two" in joined.get_text(), "code that a page shows is part of its text"
    assert [tag["src"] for tag in joined.select("img")] == ["../html/_images/a.png"]
    assert len(joined.select("div.cell")) == 1, "a cell without output leaves no gap"


def test_bookmarks_can_show_the_formula_of_a_heading(joined: BeautifulSoup) -> None:
    assert joined.find("h1").decode_contents() == "One: <i>φ<sub>k</sub></i>"


def test_contents_have_every_chapter_with_its_page(joined: BeautifulSoup) -> None:
    assert [tag.get_text() for tag in joined.select(".contents li a")] == ["One: φk", "Two"]
    assert [tag.get_text() for tag in joined.select(".contents li b")] == ["3", "4"]


def test_the_title_of_a_chapter_is_the_head_of_its_pages_but_the_first() -> None:
    text = make_pdf.sheet("", "", 7, 'A\n "B"')
    assert "@top-right { content: \"A 'B'\";" in text
    assert "@page :first { @top-right { content: none; }" in text


@pytest.fixture
def on_screen(tmp_path: Path) -> BeautifulSoup:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "three.html").write_text(ON_SCREEN)
    return joined_of(tmp_path, [("", ["book/three"])])


def test_of_what_a_page_holds_for_several_screens_paper_gets_one(on_screen: BeautifulSoup) -> None:
    assert [tag["src"] for tag in on_screen.select("img")] == ["../html/_images/a.desk.svg#light"]
    text = on_screen.find("article").get_text()
    assert [word for word in ("code_three", "Theorem", "slim", "twice", "click") if word in text] == []
    assert [word for word in ("printed", "In Coq: Lemma_9", "wide", "A list.") if word not in text] == []


def test_a_picture_with_sliders_keeps_the_script_that_draws_it_and_says_so(on_screen: BeautifulSoup) -> None:
    assert [tag.get_text() for tag in on_screen.select("article script")] == ["draw()"]
    assert on_screen.select_one(".play + .at-rest") is not None


def test_the_style_of_the_book_holds_on_paper(on_screen: BeautifulSoup) -> None:
    assert on_screen.select_one("article.bd-content") is not None


def test_only_what_sets_formulas_is_run(joined: BeautifulSoup) -> None:
    assert [tag.get("src") for tag in joined.select("script")] == [None, "../html/_static/mathjax/tex-mml-chtml.js"]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    bundle.bundle(folder / "taken.zip")
    with zipfile.ZipFile(folder / "taken.zip") as archive:
        archive.extractall(folder)
    return folder / "taken"


def test_the_bundle_holds_every_notebook_and_all_data(unpacked: Path) -> None:
    for path in notebooks():
        assert (unpacked / "notebooks" / path.name).read_bytes() == path.read_bytes()
    data = sorted((ROOT / "book" / "data").iterdir())
    assert data
    assert sorted(path.name for path in (unpacked / "notebooks" / "data").iterdir()) == [path.name for path in data]


def test_three_lines_start_it(unpacked: Path) -> None:
    lines = [
        line for line in (unpacked / "README.txt").read_text().splitlines() if line.startswith(("python3", "env/"))
    ]
    assert len(lines) == 3
    (wheel,) = unpacked.glob("*.whl")
    assert f"./{wheel.name}[lab]" in lines[1]
    assert (unpacked / "constraints.txt").read_bytes() == (ROOT / "constraints.txt").read_bytes()


IMPORT = re.compile(r"(?:^|\n) *(?:from|import) +(\w+)|import_module\(\"(\w+)")


def imported(texts: Iterable[str]) -> set[str]:
    """The packages of others that code asks for."""
    found = {one or other for text in texts for one, other in IMPORT.findall(text)}
    return found - set(sys.stdlib_module_names) - {"shbcore"}


def test_what_the_three_lines_install_has_all_that_the_notebooks_import() -> None:
    cells = [cell.source for path in notebooks() for cell in read(path).cells if cell.cell_type == "code"]
    library = [path.read_text("utf-8") for path in (ROOT / "shbcore").rglob("*.py")]
    asked = imported([*cells, *library])
    assert {"cvxpy", "numpy", "matplotlib", "gmpy2"} <= asked
    assert asked & bundle.strange("lab") == {"distributed"}, "it is another extra, and no notebook uses it"
    assert "cvxpy" in bundle.strange("dask"), "an extra that lacks a package is noticed"


def test_a_package_that_an_extra_installs_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install 'shbcore[referee]'")):
        search.cvxpy()


def test_the_wheel_holds_every_file_of_the_library(unpacked: Path) -> None:
    (wheel,) = unpacked.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("shbcore/")}
    skipped = {"__pycache__", ".ipynb_checkpoints"}
    files = (path for path in (ROOT / "shbcore").rglob("*") if path.is_file() and not skipped & set(path.parts))
    assert packed == {path.relative_to(ROOT).as_posix() for path in files}


def test_the_wheel_alone_runs_with_all_that_it_reads(unpacked: Path) -> None:
    (wheel,) = unpacked.glob("*.whl")
    site = unpacked / "site"
    call = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run(call, check=True)
    code = "import shbcore; from shbcore.claims import registry; print(shbcore.__file__, len(registry.claims()) > 100)"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=unpacked, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [str(site / "shbcore" / "__init__.py"), "True"]


def test_the_same_sources_give_the_same_bundle(unpacked: Path, tmp_path: Path) -> None:
    bundle.bundle(tmp_path / "taken.zip")
    assert (tmp_path / "taken.zip").read_bytes() == (unpacked.parent / "taken.zip").read_bytes()


def test_jupyterlab_is_added_without_touching_a_pin_and_opens_the_chapters() -> None:
    call = lab.install()
    assert call[call.index("--constraint") + 1] == str(ROOT / "constraints.txt")
    assert call[-1] == "jupyterlab>=4,<5"
    assert f"--notebook-dir={ROOT / 'book'}" in lab.lab([])
