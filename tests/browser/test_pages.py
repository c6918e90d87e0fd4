"""The built book in a real browser: formulas are set, pages fit a phone, nothing is reported broken, no other host is asked.

Run after `make book`, by `.ci/run`, or with `python -m pytest tests/browser`.  Each kind of check is also shown to fail on a page that
was broken on purpose.
"""

import re
from pathlib import Path

import pytest
from chromium import Browser, NoBrowser
from looking import BOOK, LYING, Seen, look
from self_contained import foreign_requests

PAGES = sorted(path.name for path in BOOK.glob("*.html"))
RAW_TEX = re.compile(r"\\\(|\\\[|\\begin\{|\\(?:norm|inner|proj|xbar|frac|alpha|beta)\b")


def test_the_book_was_built() -> None:
    assert {"intro.html", "algorithm.html"} <= set(PAGES), "run make book first"


def test_no_page_asks_another_host() -> None:
    assert foreign_requests(BOOK.parent) == []


@pytest.mark.parametrize("page", PAGES)
def test_formulas_are_set_and_nothing_is_reported_broken(on_desk: Seen, page: str) -> None:
    seen = on_desk(page)
    assert seen["formulas"] > 0 or 'class="math' not in (BOOK / page).read_text("utf-8")
    assert seen["unset"] == 0
    assert RAW_TEX.findall(seen["words"]) == []
    assert seen["complaints"] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_page_fits_a_phone(on_phone: Seen, page: str) -> None:
    seen = on_phone(page)
    assert seen["width"] <= 390
    assert seen["complaints"] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_formula_is_cut_on_a_desktop(on_desk: Seen, page: str) -> None:
    assert on_desk(page)["cut"] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_wide_formula_shows_on_a_phone_that_it_goes_on(on_phone: Seen, page: str) -> None:
    assert [one for one, told in on_phone(page)["cut"] if not told] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_table_is_cut(on_phone: Seen, on_desk: Seen, page: str) -> None:
    assert on_phone(page)["tables"] == []
    assert on_desk(page)["tables"] == []


@pytest.mark.parametrize("page", PAGES)
def test_code_is_folded_on_every_page_but_that_about_code(on_desk: Seen, page: str) -> None:
    seen = on_desk(page)
    assert (seen["code"] > 10) if page == "verify_your_own.html" else seen["code"] == 0
    assert seen["odd folds"] == 0


@pytest.mark.parametrize("page", PAGES)
def test_no_button_lies_on_another(on_phone: Seen, on_desk: Seen, page: str) -> None:
    assert on_phone(page)["lying"] == []
    assert on_desk(page)["lying"] == []


def test_a_button_on_another_is_noticed(desk: Browser, broken: Path) -> None:
    beside = "<style>.cell > details.code-fold:not([open]) { float: right !important; margin: 0 !important }</style>"
    broken.write_text((BOOK / "errata.html").read_text("utf-8") + beside, "utf-8")
    desk.open(broken)
    assert desk.until("document.querySelector('.letters-button')")
    assert "code on letters" in desk.run(LYING)


def test_what_is_broken_at_the_desk_is_noticed(desk: Browser, broken: Path) -> None:
    wide = " ".join(["x_k"] * 90)  # a product, which is not broken into lines
    bad = rf"<div class=math>\[{wide}\]</div><div class=math>\(\frac\)</div><details class=hide></details>"
    bad += f"<table><td><pre>{9 * wide}</pre></table>"
    text = re.sub(r"(<article[^>]*>)", lambda one: one[1] + bad, (BOOK / "one_step.html").read_text("utf-8"))
    text = text.replace('<details class="code-fold">', '<details class="code-fold" open>', 1)
    broken.write_text(text.replace("_static/book.js", "_static/none.js"), "utf-8")
    seen = look(desk, broken)
    assert seen["unset"] > 0
    assert seen["code"] > 0
    assert seen["odd folds"] == 1
    assert len(seen["cut"]) == len(seen["tables"]) == 1
    assert any("ERR_FILE_NOT_FOUND" in one and "none.js" in one for one in seen["complaints"])
    broken.write_text(re.sub(r"<script[^>]*mathjax[^>]*></script>", "", text, flags=re.IGNORECASE), "utf-8")
    seen = look(desk, broken)
    assert seen["formulas"] == 0
    assert RAW_TEX.findall(seen["words"]) != []
    text = (BOOK / "shorter_smooth_half.html").read_text("utf-8")  # a certificate that nothing sets smaller
    broken.write_text(text.replace("_static/book.js", "_static/none.js"), "utf-8")
    assert look(desk, broken)["tables"] != []
    broken.write_text("<article><script>nothing.at.all</script></article>", "utf-8")
    assert any("ReferenceError" in one for one in look(desk, broken)["complaints"])


def test_a_browser_that_says_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with Browser() as silent:
        monkeypatch.setattr("chromium.PATIENCE", 0.5)
        with pytest.raises(NoBrowser, match="said nothing"):
            silent.run("new Promise(() => {})")


def test_what_is_broken_on_a_phone_is_noticed(phone: Browser, broken: Path) -> None:
    text = (BOOK / "symbols.html").read_text("utf-8").replace("_static/book.js", "_static/none.js")
    wide = rf"<div class=math>\[{' '.join(['x_k'] * 90)}\]</div><div style='width: 700px'>wide</div>"
    broken.write_text(re.sub(r"(<article[^>]*>)", lambda one: one[1] + wide, text), "utf-8")
    seen = look(phone, broken)
    assert seen["width"] > 390
    assert seen["tables"] != []
    assert [one for one, told in seen["cut"] if not told] != []
