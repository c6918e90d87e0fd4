"""Sphinx extension: previews, built into the book.  What a link to a statement, a formula, a symbol or an entry of the ledger leads to is
written to ``_static/previews.js``, a plain script, so that it works without a server; ``book.js`` shows it on hover, focus and tap.

Pages are large and the places few: a page is searched as text, and only what is shown of it is parsed."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag

ANCHOR = re.compile(r"<a\s[^>]*>")
LINK = re.compile(r'\shref="(?:([\w./-]+)\.html)?#([^"]+)"')
NO_TEXT = re.compile(r'\sclass="[^"]*\b(?:headerlink|toc-backref)\b')
PLACE = re.compile(r'<(\w+)\s(?:[^<>]*\s)?id="([^"]+)"[^<>]*>')


def wanted(page: str, text: str) -> set[tuple[str, str]]:
    """The places inside pages to which the text of a page leads: page and id."""
    found = set()
    for link in ANCHOR.findall(text, text.find("<article"), text.rfind("</article>")):
        if (parts := LINK.search(link)) and not NO_TEXT.search(link):
            found.add((Path(parts[1]).name if parts[1] else page, unescape(parts[2])))
    return found


def element(text: str, kind: str, start: int) -> str:
    """The source of an element of a kind, such as ``div``, that starts here."""
    depth = 0
    for tag in re.compile(rf"<(/?){kind}\b").finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return text[start : text.index(">", tag.end()) + 1]
    raise ValueError(f"a {kind} has no end: {text[start : start + 80]}")


def shown(source: str) -> Tag:
    """An element from its source, without what makes no sense in a preview."""
    found = BeautifulSoup(source, "html.parser").find(True)
    assert isinstance(found, Tag)
    for tag in found.select(".headerlink, script, button"):
        tag.decompose()
    for tag in found.find_all(id=True):
        del tag["id"]
    return found


def letter(text: str, start: int) -> str:
    """A row of the table of symbols, in which a symbol starts here: the symbol and its meaning."""
    cells = shown(element(text, "tr", text.rfind("<tr", 0, start))).find_all("td")
    return re.sub(r"</?p>", "", f"{cells[0].decode_contents()}: {cells[1].decode_contents()}")


def preview(text: str, kind: str, name: str, start: int) -> str:
    """What is shown of a place: the block, the formula, the row of the table of symbols, or the entry of the ledger."""
    if name.startswith("sym-"):
        return f"<p>{letter(text, start)}</p>"
    if kind == "section":
        return ""
    place = shown(element(text, kind, start))
    whole = name.startswith("equation-") or {"proof", "statement"} & set(place.get("class") or ())
    part = place if whole else place.select_one(".entry-preview")
    return str(part.decode_contents()) if part else ""


def write(app: Any, error: Exception | None) -> None:
    """Write the previews of all places that a page leads to."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    pages = {path.stem: path.read_text("utf-8") for path in sorted(out.rglob("book/*.html"))}
    places = {
        page: {unescape(one[2]): (one[1], one.start()) for one in reversed([*PLACE.finditer(text)])}
        for page, text in pages.items()
    }
    asked = {place for page, text in pages.items() for place in wanted(page, text)}
    found = {}
    for page, name in sorted(asked):
        if name in places.get(page, {}):
            kind, start = places[page][name]
            if text := preview(pages[page], kind, name, start):
                found[f"{page}#{name}"] = text
    letters = {
        name: letter(pages["symbols"], start)
        for name, (_, start) in places.get("symbols", {}).items()
        if name.startswith("sym-")
    }
    text = f"window.bookPreviews = {json.dumps(found)};\nwindow.bookLetters = {json.dumps(letters)};\n"
    (out / "_static" / "previews.js").write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
