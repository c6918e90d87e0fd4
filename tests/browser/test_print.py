"""What a reader takes away, after `make pdf` and `make bundle`: the PDF is whole, and every notebook of the zip runs."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import bundle
import licences
import make_pdf
import pytest
from execute_notebooks import execute_all
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parents[2]
PDF = make_pdf.TARGET
ZIP = ROOT / "_build" / f"heavy-ball-verified-{bundle.version()}.zip"


@pytest.fixture(scope="module")
def pdf() -> PdfReader:
    assert PDF.exists(), "run make pdf first"
    return PdfReader(PDF)


def bookmarks(outline: list[object]) -> list[object]:
    return [one for item in outline for one in (bookmarks(item) if isinstance(item, list) else [item])]


def test_every_chapter_has_a_bookmark_that_leads_to_the_page_in_the_contents(pdf: PdfReader) -> None:
    pages = [page for _, part in make_pdf.order() for page in part]
    contents = make_pdf.starts(PDF.read_bytes())
    assert sorted(contents) == sorted(make_pdf.mark(page, "") for page in pages)
    found = {pdf.get_destination_page_number(one) + 1 for one in bookmarks(pdf.outline)}
    assert set(contents.values()) <= found
    shown = pdf.pages[1].extract_text()
    assert [number for number in contents.values() if f" {number}" not in shown] == []


def test_formulas_are_set_and_pictures_are_there(pdf: PdfReader) -> None:
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 100
    raw = re.compile(r"\\\((?!\.\.\.)|\\begin\{")  # the library's page names \(...\) in its words
    assert [number for number, text in enumerate(texts, 1) if raw.search(text)] == []
    drawn = sum(len(page.images) for page in pdf.pages[:60])
    assert drawn > 5
    assert [number for number, text in enumerate(texts, 1) if not text.strip()] == []


def test_pages_are_numbered_and_links_stay_inside(pdf: PdfReader) -> None:
    assert str(len(pdf.pages)) in pdf.pages[-1].extract_text().split()
    links = [one.get_object() for page in pdf.pages for one in page.get("/Annots", [])]
    inside = [one for one in links if "/Dest" in one or one.get("/A", {}).get("/S") == "/GoTo"]
    local = [one for one in links if str(one.get("/A", {}).get("/URI", "")).startswith("file:")]
    assert len(inside) > 300
    assert local == []


def test_a_formula_that_is_not_set_would_be_noticed_and_a_page_that_is_too_wide(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html><style>{make_pdf.STYLE}</style><body><article id='a--top'><h1>A</h1>\\(x\\)"
        "<pre style='white-space: pre !important; width: 400mm'>wide</pre></article>"
    )
    data, cut = make_pdf.printed(page)
    assert cut == ["a--top: pre"]
    (tmp_path / "a.pdf").write_bytes(data)
    assert r"\(" in PdfReader(tmp_path / "a.pdf").pages[0].extract_text()


def test_every_file_of_the_pages_has_a_maker() -> None:
    assert licences.strangers(ROOT / "_build" / "html" / "_static") == []


def test_every_notebook_of_the_bundle_runs_with_its_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ZIP.exists(), "run make bundle first"
    with zipfile.ZipFile(ZIP) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    (wheel,) = folder.glob("*.whl")
    call = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index", "--target", str(folder / "site")]
    subprocess.run([*call, str(wheel)], check=True)
    monkeypatch.setenv("PYTHONPATH", str(folder / "site"))
    found = sorted((folder / "notebooks").glob("*.ipynb"))
    assert [path.name for path in found] == sorted(path.name for path in (ROOT / "book").glob("[!_]*.ipynb"))
    execute_all(found, 2)
