"""What is seen of a page in a browser: everything that a test of all pages asks is looked up at one visit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chromium import Browser

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html" / "book"
Seen = Callable[[str], dict[str, Any]]
WORDS = """(() => { const found = [], walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
        if (!walk.currentNode.parentElement.closest("script, style, pre, code, mjx-container")) found.push(walk.currentNode.data);
    return found.join(" ") })()"""
"""The text of a page as a reader sees it: without scripts, code and formulas that are set."""
CODE = "[...document.querySelectorAll('article div.cell_input')].filter(one => one.checkVisibility()).length"
ODD_FOLDS = """document.querySelectorAll("article details.hide").length
    + [...document.querySelectorAll("article details .cell_output")].filter(one => !one.closest(".sd-dropdown")).length"""
FIGURES = """[...document.querySelectorAll("figure")].map(one => [...one.querySelectorAll("img:is(.on-desk, .on-phone)")])
    .filter(all => all.length).map(all => all.filter(img => getComputedStyle(img).display !== "none")
    .map(img => [img.className, img.getAttribute("src"), img.getBoundingClientRect().width]))"""
"""What each figure shows: class, address and width."""
UNFOLD = """new Promise(done => { document.querySelectorAll("details").forEach(one => one.open = true); dispatchEvent(new Event("resize"));
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))), 50) })"""
CUT = """[...document.querySelectorAll("article mjx-container[display='true']")].filter(one => one.clientWidth > 0
    && one.scrollWidth > one.clientWidth + 2)
    .map(one => [one.scrollWidth + " of " + one.clientWidth, one.classList.contains("more-right")])"""
"""Formulas that are cut, and whether they show that they go on."""
TABLES = """[...document.querySelectorAll("article table")].filter(one => one.getBoundingClientRect().width > 0
    && one.scrollWidth > one.clientWidth + 3).map(one => one.innerText.slice(0, 40))"""
"""Tables that are cut."""
FIRST_TIME = "Got invalid theme mode"
"""What the theme writes where no theme was chosen yet."""


def themed(browser: Browser, theme: str) -> list[Any]:
    """What each figure of the open page shows in a theme."""
    browser.run(f"document.documentElement.dataset.theme = {theme!r}")
    return list(browser.run(FIGURES))


def look(browser: Browser, page: Path) -> dict[str, Any]:
    """Everything that is asked of a page, at one visit."""
    browser.open(page)
    first = {
        "formulas": "document.querySelectorAll('mjx-container').length",
        "unset": "document.querySelectorAll('[data-mjx-error], mjx-merror').length",
        "words": WORDS,
        "code": CODE,
        "odd folds": ODD_FOLDS,
        "width": "document.documentElement.scrollWidth",
    }
    found = {name: browser.run(script) for name, script in first.items()}
    found["figures"] = {theme: themed(browser, theme) for theme in ("dark", "light")}
    browser.run(UNFOLD)
    complaints = [one for one in browser.complaints if FIRST_TIME not in one]
    return {**found, "cut": browser.run(CUT), "tables": browser.run(TABLES), "complaints": complaints}


def remembering(browser: Browser) -> Seen:
    """Looks at a page of the book when it is asked for the first time."""
    held: dict[str, dict[str, Any]] = {}

    def seen(page: str) -> dict[str, Any]:
        if page not in held:
            held[page] = look(browser, BOOK / page)
        return held[page]

    return seen
