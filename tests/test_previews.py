"""Previews: every place that the text of a page leads to, whole and without what makes no sense outside its page, and nothing else."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))
import previews

ONE = """<nav><a href="two.html#in-the-margin">no text</a></nav><article>
<a class="reference" href="two.html#lemma">Lemma</a> <a href="two.html#equation-a">(1)</a> <a href="symbols.html#sym-x">x</a>
<a href="two.html#entry">entry</a> <a href="two.html#part">part</a> <a href="#here">here</a> <a href="two.html#gone">gone</a>
<a class="headerlink" href="two.html#unasked">#</a>
<div class="statement" id="here">of this page</div></article>"""
TWO = """<article><div class="proof lemma" id="lemma"><p>It <b id="inner">holds</b>.<a class="headerlink" href="#lemma">#</a></p>
<div><div>twice</div></div></div><p>after</p>
<div class="math" id="equation-a">\\[a\\]</div><div id="entry"><p>long</p><div class="entry-preview">short</div></div>
<section id="part"><div class="entry-preview">not of a section</div></section><div class="proof" id="in-the-margin">m</div>
<div class="proof" id="unasked">u</div></article>"""
SYMBOLS = """<article><table><tr><td><p><span id="sym-y">y</span></p></td><td><p>another</p></td><td>-</td></tr>
<tr><td><p><span id="sym-x">x</span></p></td><td><p>the iterate</p></td><td>-</td></tr></table></article>"""


def written(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    (folder / "book").mkdir()
    (folder / "_static").mkdir()
    for name, text in (("one", ONE), ("two", TWO), ("symbols", SYMBOLS)):
        (folder / "book" / f"{name}.html").write_text(text)
    previews.write(SimpleNamespace(builder=SimpleNamespace(format="html"), outdir=folder), None)
    lines = (folder / "_static" / "previews.js").read_text().splitlines()
    found, letters = (json.loads(line.split(" = ", 1)[1].removesuffix(";")) for line in lines)
    return found, letters


def test_what_the_text_leads_to_is_shown_and_nothing_else(tmp_path: Path) -> None:
    found, letters = written(tmp_path)
    assert found == {
        "one#here": "of this page",
        "symbols#sym-x": "<p><span>x</span>: the iterate</p>",
        "two#entry": "short",
        "two#equation-a": "\\[a\\]",
        "two#lemma": "<p>It <b>holds</b>.</p>\n<div><div>twice</div></div>",
    }
    assert letters == {"sym-x": "<span>x</span>: the iterate", "sym-y": "<span>y</span>: another"}


def test_an_element_without_an_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="a div has no end"):
        previews.element("<div><div></div>", "div", 0)
