"""What a reader takes away, after `make pdf` and `make bundle`: the PDF is whole, and every notebook of the zip runs."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import bundle
import licences
import make_pdf
import pytest
from execute_notebooks import execute_all
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parents[2]
PDF = make_pdf.TARGET
ZIP = ROOT / "_build" / f"heavy-ball-verified-{bundle.version()}.zip"


DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
RAW = re.compile(r"\\\((?!\.\.\.)|\\begin\{")  # the library's page names \(...\) in its words
FOOT = 90  # points: the margin at the foot, and a line of text below a heading


@pytest.fixture(scope="module")
def pdf() -> PdfReader:
    assert PDF.exists(), "run make pdf first"
    return PdfReader(PDF)


def bookmarks(outline: list[Any]) -> list[Any]:
    return [one for item in outline for one in (bookmarks(item) if isinstance(item, list) else [item])]


def at_the_foot(pdf: PdfReader) -> list[str]:
    """Headings below which no line has room."""
    return [str(one.title) for one in bookmarks(pdf.outline) if one.top is not None and float(one.top) < FOOT]


def odd_titles(pdf: PdfReader) -> list[str]:
    """Bookmarks that are empty or show how a formula is written."""
    titles = [str(one.title) for one in bookmarks(pdf.outline)]
    return [title for title in titles if not title.strip() or re.search(r"[\\$^{}]|(^|\s)_", title)]


def empty(pdf: PdfReader) -> list[int]:
    """Pages with nothing but a number and the head of the chapter."""
    heads = {" ".join(str(one.title).split()) for one in bookmarks(pdf.outline)}
    lines = [[line.strip() for line in page.extract_text().splitlines() if line.strip()] for page in pdf.pages]
    return [n for n, page in enumerate(lines, 1) if all(one.isdigit() or one in heads for one in page)]


def test_bookmarks_read_well_and_no_heading_stands_alone_at_the_foot(pdf: PdfReader) -> None:
    assert len(bookmarks(pdf.outline)) > 150
    assert odd_titles(pdf) == []
    assert at_the_foot(pdf) == []


def test_every_chapter_has_a_bookmark_that_leads_to_the_page_in_the_contents(pdf: PdfReader) -> None:
    pages = [page for _, part in make_pdf.order() for page in part]
    starts = {name: pdf.get_destination_page_number(one) for name, one in pdf.named_destinations.items()}
    contents = {name: (starts[name] or 0) + 1 for name in (make_pdf.mark(page, "") for page in pages)}
    found = {pdf.get_destination_page_number(one) + 1 for one in bookmarks(pdf.outline)}
    assert set(contents.values()) <= found
    shown = pdf.pages[make_pdf.FRONT - 1].extract_text()
    number = make_pdf.FRONT  # of the page itself
    assert [int(one) for one in re.findall(r"(\d+)$", shown, re.MULTILINE)] == [number, *contents.values()]


def test_formulas_are_set_and_no_page_is_empty(pdf: PdfReader) -> None:
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 100
    assert [number for number, text in enumerate(texts, 1) if RAW.search(text)] == []
    assert empty(pdf) == []


def test_pages_are_numbered_and_links_stay_inside(pdf: PdfReader) -> None:
    assert str(len(pdf.pages)) in pdf.pages[-1].extract_text().split()
    links = [one.get_object() for page in pdf.pages for one in page.get("/Annots", [])]
    inside = [one for one in links if "/Dest" in one or one.get("/A", {}).get("/S") == "/GoTo"]
    local = [one for one in links if str(one.get("/A", {}).get("/URI", "")).startswith("file:")]
    assert len(inside) > 300
    assert local == []
    assert [one for one in inside if one["/Dest"][0].get_object().get("/Type") != "/Page"] == []
    assert [one for one in links if make_pdf.PLACE in str(one.get("/A", {}).get("/URI", ""))] == []


BROKEN = {
    "<pre style='white-space: pre !important; width: 400mm'>wide</pre>": "pre wider than the paper",
    "<svg width='900' height='9' style='max-width: none !important'></svg>": "svg wider than the paper",
    "<i style='position: absolute; left: 0; width: 300mm; clip-path: inset(50%)'>hidden</i>": "i wider than the paper",
    "<mjx-merror>x</mjx-merror>": "formula not set",
    "<mjx-container display style='display: block; width: 9px'><p style='width: 99px'>x</p></mjx-container>": "formula cut",
    "<img src='nowhere.svg'>": "picture missing",
    f"<figure><img src='{DOT}'><img src='{DOT}'></figure>": "2 pictures in one figure",
    f"<figure><img hidden src='{DOT}'></figure>": "0 pictures in one figure",
    "<div class='line'><div class='line-body' style='width: 20%'>x</div></div>": "column too narrow",
    "<a href='#nowhere'>x</a>": "link to nowhere leads nowhere",
    "<div class='play'></div>": "moving picture not drawn",
}


def test_each_fault_of_a_page_is_noticed_and_nothing_else(tmp_path: Path) -> None:
    drawn = "<div class='play'><svg width='9'><polyline/></svg></div><pre>short</pre>"
    whole = f"<figure><img src='{DOT}'></figure>{drawn}<div class='line'><div class='line-body'><a href='#a--top'>x</a></div></div>"
    for number, (piece, _) in enumerate([(whole, ""), *BROKEN.items()]):
        page = tmp_path / f"{number}.html"
        page.write_text(f"<!doctype html><style>{make_pdf.STYLE}</style><body><article id='a--top'>{piece}</article>")
    with make_pdf.Browser() as browser:
        browser.call("Emulation.setEmulatedMedia", media="print")
        found = []
        for number in range(len(BROKEN) + 1):
            browser.open(tmp_path / f"{number}.html")
            found.append(browser.run(make_pdf.FAULTS))
    assert found == [[], *([f"a--top: {words}"] for words in BROKEN.values())]


def test_a_formula_that_is_not_set_an_empty_page_and_a_heading_at_the_foot_are_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    body = (
        "<article id='a--top'><h1>A</h1>\\(x\\)<div style='height: 225mm'></div><h2 style='break-after: auto'>B _k</h2>"
        "<div style='break-before: page; height: 9mm'></div><p style='break-before: page'>C</p></article>"
    )
    page.write_text(make_pdf.sheet("", body, 0, "A"), encoding="utf-8")
    with make_pdf.Browser() as browser:
        broken, faults = make_pdf.printed(browser, page)
    assert faults == []
    assert RAW.search(broken.pages[0].extract_text())
    assert empty(broken) == [2]
    assert at_the_foot(broken) == ["B _k"]
    assert odd_titles(broken) == ["B _k"]


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
    # Of what is installed here only that which the second line of its README installs may be imported.
    hidden = [f"sys.modules[{name!r}] = None\n" for name in sorted(bundle.strange("lab"))]
    (folder / "site" / "sitecustomize.py").write_text("import sys\n" + "".join(hidden))
    monkeypatch.setenv("PYTHONPATH", str(folder / "site"))
    found = sorted((folder / "notebooks").glob("*.ipynb"))
    assert [path.name for path in found] == sorted(path.name for path in (ROOT / "book").glob("[!_]*.ipynb"))
    execute_all(found, 2)
