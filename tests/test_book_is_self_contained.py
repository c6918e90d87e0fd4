"""A page of the book asks no other host for a script, a style, a font or an image.

`make book` runs the same walk over all built pages at its end, and `.ci/run` once more through `tests/browser`.  Here the walk
is shown to find what it should, and the configuration of the book is tried on a page of its own.
"""

import shutil
from pathlib import Path

import pytest
import yaml
from build_book import render
from self_contained import foreign_requests

ROOT = Path(__file__).resolve().parent.parent

HARMLESS = """<html><head><link rel="stylesheet" href="_static/book.css"><link rel="canonical" href="https://elsewhere.example/">
<script src="_static/a.js"></script></head><body><a href="https://elsewhere.example/paper">a link to follow</a>
<img src="figure.png"><img src="data:image/png;base64,AAAA"></body></html>"""

PLANTED = {
    "script": '<script src="https://cdn.example/mathjax.js"></script>',
    "script without scheme": '<script src="//cdn.example/a.js"></script>',
    "style": '<link rel="stylesheet" href="https://fonts.example/css">',
    "preconnect": '<link rel="preconnect" href="https://fonts.example">',
    "image": '<img src="https://img.example/badge.svg">',
    "image set": '<img src="a.png" srcset="a.png 1x, https://img.example/b.png 2x">',
    "font in a style element": "<style>@font-face { src: url('https://fonts.example/a.woff') }</style>",
    "import in a style element": '<style>@import "https://fonts.example/a.css";</style>',
    "style attribute": '<p style="background: url(https://img.example/a.png)">x</p>',
    "frame": '<iframe src="https://video.example/1"></iframe>',
    "module": '<script type="module">import x from "https://cdn.example/x.mjs"</script>',
    "fetch": '<script>fetch("https://cdn.example/x.json")</script>',
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_request_is_found(tmp_path: Path, kind: str) -> None:
    page = tmp_path / "index.html"
    page.write_text(HARMLESS)
    assert foreign_requests(tmp_path) == []
    page.write_text(HARMLESS.replace("<body>", "<body>" + PLANTED[kind]))
    assert len(foreign_requests(tmp_path)) == 1


def test_a_font_in_a_style_sheet_or_an_image_in_a_drawing_is_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(HARMLESS)
    (tmp_path / "a.css").write_text("@font-face { src: url(https://fonts.example/a.woff2) }")
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://img.example/a.png"/></svg>'
    )
    assert [found.split(":")[0] for found in foreign_requests(tmp_path)] == ["a.css", "a.svg"]


def test_an_empty_folder_is_an_error_and_not_a_success(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        foreign_requests(tmp_path)


def test_a_page_built_with_the_configuration_of_the_book_asks_no_other_host(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "book" / "_static", source / "book" / "_static")
    shutil.copytree(ROOT / "book" / "_ext", source / "book" / "_ext")
    shutil.copy(ROOT / "book" / "references.bib", source / "book")
    shutil.copy(ROOT / "_config.yml", source)
    (source / "_toc.yml").write_text(yaml.safe_dump({"format": "jb-book", "root": "book/intro"}))
    (source / "book" / "intro.md").write_text("# A page\n\nWith $\\norm{x}$.\n\n```python\nx = 1\n```\n")
    run = render(source, tmp_path / "output")
    assert run.returncode == 0, run.stdout + run.stderr
    html = tmp_path / "output" / "_build" / "html"
    assert foreign_requests(html) == []
    page = (html / "book" / "intro.html").read_text()
    assert "_static/mathjax/tex-mml-chtml.js" in page
    assert (html / "_static" / "mathjax" / "tex-mml-chtml.js").is_file()
    assert len(list(html.glob("_static/mathjax/output/chtml/fonts/woff-v2/*.woff"))) == 23
