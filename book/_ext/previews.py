"""Sphinx extension: previews, built into the book.  What a link to a statement, a formula, a symbol or an entry of the ledger leads to is
written to ``_static/previews.js``, a plain script, so that it works without a server; ``book.js`` shows it on hover, focus and tap."""

import json
import re
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag

LINK = re.compile(r"(?:([\w./-]+)\.html)?#(.+)")


def wanted(page: str, soup: BeautifulSoup) -> set[tuple[str, str]]:
    """The places inside pages to which the text of a page leads: page and id."""
    found = set()
    article = soup.find("article")
    for link in article.find_all("a", href=True) if isinstance(article, Tag) else ():
        parts = LINK.fullmatch(str(link["href"]))
        if parts and not {"headerlink", "toc-backref"} & set(link.get("class") or ()):
            found.add((Path(parts[1]).name if parts[1] else page, parts[2]))
    return found


def preview(place: Tag, name: str) -> str:
    """What is shown of a place: the block, the formula, the row of the table of symbols, or the entry of the ledger."""
    if "proof" in (place.get("class") or ()) or "statement" in (place.get("class") or ()):
        return str(place.decode_contents())
    if name.startswith("equation-"):
        return str(place.decode_contents())
    if name.startswith("sym-"):
        row = place.find_parent("tr")
        cells = row.find_all("td") if row else []
        return f"<p>{cells[0].decode_contents()}: {cells[2].decode_contents()}</p>" if len(cells) > 2 else ""
    card = place.select_one(".entry-preview") or (place if place.select_one(".entry-preview") else None)
    return str(card.decode_contents()) if card else ""


def write(app: Any, error: Exception | None) -> None:
    """Write the previews of all places that a page leads to."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    pages = {
        path.stem: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in sorted(out.rglob("book/*.html"))
    }
    places = {page: {str(one["id"]): one for one in reversed(soup.find_all(id=True))} for page, soup in pages.items()}
    asked = {place for page, soup in pages.items() for place in wanted(page, soup)}
    found = {}
    for page, name in sorted(asked):
        place = places.get(page, {}).get(name)
        if place is not None and (text := preview(place, name)):
            for tag in (soup := BeautifulSoup(text, "html.parser")).select(".headerlink, script, button"):
                tag.decompose()
            for tag in soup.find_all(id=True):
                del tag["id"]
            found[f"{page}#{name}"] = str(soup)
    letters = {}
    if "symbols" in pages:
        for row in pages["symbols"].select("table tr:has([id^=sym-])"):
            cells = row.find_all("td")
            for place in row.select("[id^=sym-]"):
                letters[str(place["id"])] = re.sub(
                    r"</?p>", "", f"{cells[0].decode_contents()}: {cells[2].decode_contents()}"
                )
    text = f"window.bookPreviews = {json.dumps(found)};\nwindow.bookLetters = {json.dumps(letters)};\n"
    (out / "_static" / "previews.js").write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
