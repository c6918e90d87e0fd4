"""The book as one PDF, from the built pages: proofs open, code and hints for a screen out, bookmarks, page numbers, links inside the file.

Each page is a sheet of its own, in the order of the table of contents, set by the same MathJax and printed by Chromium: all of them in one
would take many times its memory.  A sheet is numbered on from those before it; the contents are printed last.  Links from one sheet to
another are mended when the sheets are put together.
"""

import io
import posixpath
import re
import sys
import time
from pathlib import Path
from urllib.parse import quote, unquote

import yaml
from bs4 import BeautifulSoup, Tag
from chromium import Browser, NoBrowser
from execute_notebooks import LOCK, ROOT, WAITING
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, FloatObject, NameObject, NullObject, TextStringObject
from tqdm import tqdm
from turns import plainly, turn

HTML = ROOT / "_build" / "html"
SHEETS = ROOT / "_build" / "print"
TARGET = ROOT / "_build" / "heavy-ball-verified.pdf"
PLACE = "https://place.invalid/"
"""How a sheet names a place in another one: Chromium keeps the address, and it becomes a link inside the file."""
FRONT = 2
"""Pages before the first chapter: the cover and the contents."""

STYLE = """
@page { size: A4; margin: 18mm 18mm 20mm; @bottom-center { content: counter(page); font: 9pt sans-serif; color: #555; } }
html { font-size: 13px; } html, body { background: #fff !important; height: auto !important; overflow: visible !important; }
body { width: 174mm; margin: 0; color: #111; }
body :not(mjx-container, mjx-container *) { overflow: visible !important; max-height: none !important; position: static; }
.contents { break-before: page; } .front-pair { display: block !important; } .bd-content h1 { font-size: 24px; margin-top: 0; }
.bd-content h2 { font-size: 18px; margin-top: 1.6rem; } .bd-content h3 { font-size: 15px; } .bd-content h4 { font-size: 13px; }
h1, h2, h3, h4, summary, .sd-summary-title, .admonition-title, .erratum > p:first-child, dt,
p:has(+ :is(ul.evidence, .coq-result, .map-box)),
caption, thead, tbody tr:first-child, tr.claim, p:has(> :last-child:is(mjx-container[display])) { break-after: avoid; }
figure, img, tr, .cell_input, mjx-container[display], .admonition-title, div.proof, .line, .coq-result, caption, dt, .map-box,
table:not(.ledger, .certificate, :has(tr:nth-child(9))) { break-inside: avoid; }
div.admonition.entry-card, details div.proof { break-inside: auto; } p, li, dd, pre { orphans: 2; widows: 2; }
.line mjx-container[display] { clear: right; }
.erratum dl { display: grid; grid-template-columns: 9.4rem minmax(0, 1fr); gap: 0 .8rem; }
.erratum dd { margin: 0 0 .3rem; } .erratum > p:first-child { break-inside: avoid; } .erratum li dl { break-before: avoid; }
.erratum li dl { margin: .2rem 0; } dl.py, dl.py dd p { margin-bottom: .35rem !important; }
article > section:last-of-type > :last-child { margin-bottom: 0; }
img, svg { max-width: 100% !important; height: auto; max-height: 230mm !important; } svg.map { max-height: 215mm !important; }
pre { white-space: pre-wrap !important; overflow-wrap: anywhere; font-size: 11px; }
.bd-content table { display: table !important; max-width: 100%; } .bd-content table.ledger { font-size: .8rem; }
table.ledger tr.more { break-inside: auto; } table.ledger thead { display: table-row-group; }
table.ledger thead th:first-child { width: 13% !important; } summary { break-inside: avoid; }
table.ledger ul.evidence small { font-size: inherit; }
table.narrow, table.ledger { table-layout: fixed; width: 100% !important; }
table:is(.narrow, .ledger) :is(td, th) { overflow-wrap: anywhere; white-space: normal !important; }
table.ledger td:not(:first-child) { overflow-wrap: break-word; hyphens: auto; }
.cover h2 { font-size: 2.2em; margin-top: 70mm; } .contents p { margin: 7px 0 1px; font-weight: 600; }
.cover.contents h2 { margin-top: 0; }
.contents li { display: flex; list-style: none; line-height: 1.4; } .contents li a { flex: 1; color: #111; text-decoration: none; }
.contents li b { width: 12mm; text-align: right; font-weight: 400; } .contents ul { margin: 0; padding: 0 0 0 4mm; }
.play { break-inside: avoid; } .at-rest { font-size: .85em; color: #555; margin-top: .2rem; }
summary { display: block; list-style: none; } summary::before { content: none !important; }
body mjx-container > mjx-assistive-mml, .headerlink, .sd-summary-up, .sd-summary-down, .sd-summary-state-marker, .copybtn,
button, input, select { display: none !important; }
"""
# Formulas that are wider than the page shrink; so do tables, down to a size that can be read, below which their words break.
FIT = """(() => {
  const wide = document.body.clientWidth;
  const sizes = [];  // all are measured before one is changed: each change would lay out the whole book again
  for (const formula of document.querySelectorAll("mjx-container")) {
    const display = formula.hasAttribute("display");
    const blocks = (display ? "td, .line-body, .coq-result, " : "") + "dd, li, p, .sd-card-body, .admonition, article";
    const block = formula.parentElement.closest(blocks) || document.body;
    const padding = (side) => parseFloat(getComputedStyle(block)[side]);  // a cell is as wide as its widest formula needs
    const spare = block.matches("td") ? padding("paddingLeft") + padding("paddingRight") - 1 : display ? 24 : 2;
    const room = block.getBoundingClientRect().width - spare;
    const inner = formula.querySelector("mjx-math, svg");
    const width = inner ? inner.getBoundingClientRect().width : 0;
    if (width > room) sizes.push([formula, 100 * room / width * parseFloat(getComputedStyle(formula).fontSize)
      / parseFloat(getComputedStyle(formula.parentElement).fontSize)]);
  }
  for (const [formula, size] of sizes) formula.style.fontSize = size + "%";
  let shrunk = 0;
  for (const block of document.querySelectorAll("table")) {
    const room = block.parentElement.getBoundingClientRect().width || wide;
    if (block.scrollWidth <= room + 1) continue;
    shrunk += 1;
    block.style.zoom = Math.max(0.8, room / block.scrollWidth);
    if (block.getBoundingClientRect().width > room + 1) block.classList.add("narrow");
  }
  return [document.querySelectorAll("mjx-container").length, shrunk];
})()"""
FAULTS = """(() => {
  const found = [], all = (what) => [...document.querySelectorAll(what)], right = document.body.getBoundingClientRect().right + 2;
  const say = (one, words) => found.push(`${one.closest("section[id], article[id]")?.id}: ${words}`);
  const beyond = (one) => one.getBoundingClientRect().right > right;  // even what is hidden makes the browser shrink the whole chapter
  for (const one of all("body *"))
    if (beyond(one) && !beyond(one.parentElement)) say(one, one.tagName.toLowerCase() + " wider than the paper");
  for (const one of all("mjx-merror, [data-mjx-error], mjx-mtext[style*='color: red']")) say(one, "formula not set");
  for (const one of all("mjx-container[display]")) if (one.scrollWidth > one.clientWidth + 3) say(one, "formula cut");
  for (const one of all("img")) if (!one.complete || !one.naturalWidth) say(one, "picture missing");
  for (const one of all("figure:has(img)")) {
    const shown = [...one.querySelectorAll("img")].filter((img) => img.getClientRects().length).length;
    if (shown !== 1) say(one, `${shown} pictures in one figure`);
  }
  for (const one of all("a[href^='#']")) {
    const place = decodeURIComponent(one.getAttribute("href").slice(1));
    if (place && !document.getElementById(place)) say(one, `link to ${place} leads nowhere`);
  }
  const wide = (one) => one.getBoundingClientRect().width;
  for (const one of all(".line-body")) if (wide(one) < wide(one.parentElement) / 2) say(one, "column too narrow");
  for (const one of all(".play")) if (!one.querySelector("svg polyline")) say(one, "moving picture not drawn");
  return found;
})()"""
# A picture with sliders is drawn by its own script where they start; their values are said, and that the page can move it.
AT_REST = '<p class="at-rest">On its page in the book this picture has sliders; here they stand where they start.</p>'
CHOSEN = "for (const one of document.querySelectorAll('.play select')) one.after(one.selectedOptions[0].textContent);"
GREEK = dict(
    zip(
        ("alpha", "beta", "gamma", "delta", "lambda", "mu", "nu", "xi", "rho", "sigma", "phi", "varphi"),
        "αβγδλμνξρσφφ",
        strict=True,
    )
)


def order() -> list[tuple[str, list[str]]]:
    """Captions of the parts with the pages in them, as the table of contents has them."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    parts = [("", [toc["root"]])]
    for part in toc.get("parts", []):
        parts.append((part["caption"], [chapter["file"] for chapter in part["chapters"]]))
    return parts


def plain_formula(tex: str) -> str:
    """A short formula of a heading as HTML, so that the bookmark shows it."""
    text = re.sub(r"\\\(|\\\)|[{}$]", "", tex)
    text = re.sub(r"\\([A-Za-z]+) ?", lambda found: GREEK.get(found.group(1), found.group(1)), text)
    return re.sub(r"_(\w)", r"<sub>\1</sub>", f"<i>{text}</i>")


def mark(page: str, fragment: str) -> str:
    """The id in the joined page of a place in one of the pages."""
    return f"{page.rpartition('/')[2]}--{fragment or 'top'}"


def relink(address: str, page: str, known: set[str]) -> str:
    """An address of a built page, seen from the joined one: a place in it, a file beside it, or what it was."""
    if re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE):
        return address
    path, _, fragment = address.partition("#")
    if fragment.startswith("map-"):  # a script pins a claim of the map by it; on paper the map itself has to do
        fragment = ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else f"{page}.html"
    if target.removesuffix(".html") in known:
        return "#" + mark(target.removesuffix(".html"), fragment)
    return f"../html/{target}" + (f"#{fragment}" if fragment else "")


def article(page: str, known: set[str], html: Path) -> Tag:
    """The text of one page, ready to stand beside the others."""
    soup = BeautifulSoup((html / f"{page}.html").read_text("utf-8"), "html.parser")
    found = soup.find("article")
    assert isinstance(found, Tag), f"{page} has no article"
    drop = (
        "details .cell_input, details.hide, details.code-fold, script, .headerlink, .tag_remove-cell, img.on-phone, img.in-dark, "
        ".map-slim, .map-panel, .map-list, .preview-only, .screen-only"
    )
    moving = found.select(".play")
    drawing = {id(script) for one in moving for script in one.parent.find_all("script", recursive=False) if one.parent}
    for tag in found.select(drop):
        if id(tag) not in drawing:
            tag.decompose()
    for one in moving:
        one.insert_after(BeautifulSoup(AT_REST, "html.parser"))
    for one in found.select("details.coq.mathjax_ignore"):  # code as well: a card only names its theorems of Coq
        if named := one.summary:
            named.name = "div"
            one.replace_with(named.extract())
    for link in found.select("a.image-reference"):  # it would lead to a file of this machine
        link.unwrap()
    for button in found.select("button.opens"):  # on paper the entry stands below its title in any case
        button.name = "strong"
    for cell in found.select("div.cell"):
        if not cell.get_text(strip=True) and not cell.find(["img", "svg"]):
            cell.decompose()
    for tag in found.find_all(True):
        for name in ("id", "for", "aria-labelledby", "aria-describedby"):
            if tag.get(name):
                tag[name] = mark(page, str(tag[name]))
        for name in ("href", "src"):
            if tag.get(name):
                tag[name] = relink(str(tag[name]), page, known)
        if tag.name == "details":
            tag["open"] = ""
        if tag.get("loading"):
            del tag["loading"]
    for formula in found.select("h1 .math, h2 .math, h3 .math"):
        formula.replace_with(BeautifulSoup(plain_formula(formula.get_text()), "html.parser"))
    found["id"] = mark(page, "")
    found["class"] = ["bd-content"]  # as on its page, so that the book's own style holds
    return found


def sheets(html: Path, pages: list[str]) -> tuple[dict[str, Tag], list[str]]:
    """The text of each page with its links, those to another page as a :data:`PLACE`; and the links that lead nowhere."""
    found = {page: article(page, set(pages), html) for page in pages}
    places = {page: {str(tag["id"]) for tag in one.select("[id]")} | {mark(page, "")} for page, one in found.items()}
    everywhere = set().union(*places.values())
    wanted, dead = {mark(page, "") for page in pages}, []
    for page, one in found.items():
        for link in one.select("a[href^='#']"):
            place = unquote(str(link["href"])[1:])
            if place not in everywhere:
                dead.append(f"{page}: link to {place} leads nowhere")
            elif place not in places[page]:
                wanted.add(place)
                link["href"] = PLACE + quote(place)
    for page, one in found.items():  # Chromium remembers the places to which the sheet itself has a link
        for place in sorted(wanted & places[page]):
            one.append(BeautifulSoup(f'<a hidden href="#{place}"></a>', "html.parser"))
    return found, dead


def head_of(html: Path, page: str) -> str:
    """The style sheets of the book, and what sets its formulas."""
    soup = BeautifulSoup((html / f"{page}.html").read_text("utf-8"), "html.parser")
    found = []
    for tag in soup.select("link[rel=stylesheet], script"):
        for name in ("href", "src"):
            if tag.get(name):
                tag[name] = relink(str(tag[name]), page, set())
        if tag.name == "link" or "mathjax" in str(tag.get("src", "")) or "window.MathJax" in tag.get_text():
            found.append(str(tag))
    return "".join(found)


def sheet(head: str, body: str, before: int, title: str = "") -> str:
    """A sheet of which the first page comes after so many others; its title is the head of the pages after the first."""
    said = " ".join(title.split()).replace("\\", "").replace('"', "'")
    first = "" if before else "@bottom-center { content: none; }"
    style = f"""{STYLE} html {{ counter-reset: page {before}; }} @page :first {{ @top-right {{ content: none; }} {first} }}
        @page {{ @top-right {{ content: "{said}"; font: 8pt sans-serif; color: #555; }} }}"""
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"{head}<style>{style}</style></head><body>{body}</body></html>"
    )


def front(
    parts: list[tuple[str, list[str]]], titles: dict[str, str], starts: dict[str, int], config: dict[str, str]
) -> str:
    """The cover, and the contents with the page on which each chapter starts."""
    lines = []
    for caption, pages in parts:
        lines.append(f"<p>{caption}</p><ul>" if caption else "<ul>")
        for page in pages:
            place = PLACE + mark(page, "")
            lines.append(f'<li><a href="{place}">{titles[page]}</a><b>{starts[page]}</b></li>')
        lines.append("</ul>")
    about = "".join(f"<p>{config[name]}</p>" for name in ("about", "author", "version") if config.get(name))
    cover = f'<div class="cover"><h2 class="title">{config["title"]}</h2>{about}</div>'
    return f'{cover}<div class="cover contents"><h2>Contents</h2>{"".join(lines)}</div>'


def printed(browser: Browser, page: Path) -> tuple[PdfReader, list[str]]:
    """A sheet on paper, and what in it is cut, missing, doubled or not set."""
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.open(page)
    browser.run("document.fonts.ready.then(() => true)")
    browser.run(CHOSEN)
    browser.run(FIT)
    faults = [str(one) for one in browser.run(FAULTS)]
    return PdfReader(io.BytesIO(browser.pdf())), faults


def together(readers: list[PdfReader]) -> PdfWriter:
    """One file of all sheets: bookmarks follow each other, and links lead to places in the file."""
    writer, places = PdfWriter(), {}
    for reader in readers:
        before = len(writer.pages)
        for name, one in reader.named_destinations.items():
            number = reader.get_destination_page_number(one)
            assert number is not None, name
            places[name.lstrip("/")] = (before + number, one.left, one.top)
        writer.append(reader)
    writer.get_named_dest_root().clear()  # names as a sheet of its own has them

    def place(name: str) -> ArrayObject:
        number, left, top = places[name]
        to = [writer.pages[number].indirect_reference, NameObject("/XYZ"), FloatObject(left), FloatObject(top)]
        return ArrayObject([*to, NullObject()])

    for name in places:
        writer.add_named_destination_array(TextStringObject(name), place(name))
    for page in writer.pages:
        for link in (one.get_object() for one in page.get("/Annots", [])):
            address = str(link.get("/A", {}).get("/URI", ""))
            if address.startswith(PLACE):
                del link[NameObject("/A")]
                link[NameObject("/Dest")] = place(unquote(address.removeprefix(PLACE)))
            elif "/Dest" in link:
                link[NameObject("/Dest")] = place(str(link["/Dest"]).lstrip("/"))
    return writer


def make(
    html: Path, parts: list[tuple[str, list[str]]], config: dict[str, str], folder: Path
) -> tuple[bytes, list[str]]:
    """The book on paper, and its faults.  Sheets are written to a folder beside the pages, whose files they show."""
    pages = [page for _, chapters in parts for page in chapters]
    texts, faults = sheets(html, pages)
    head = head_of(html, pages[0])
    titles = {page: (one.h1.get_text() if one.h1 else page) for page, one in texts.items()}
    folder.mkdir(parents=True, exist_ok=True)
    starts: dict[str, int] = {}
    readers: list[PdfReader] = []
    with Browser() as browser:

        def put(name: str, body: str, before: int, title: str = "") -> PdfReader:
            path = folder / f"{name}.html"
            path.write_text(sheet(head, body, before, title), encoding="utf-8")
            reader, found = printed(browser, path)
            faults.extend(f"{name}: {one}" for one in found)
            return reader

        before = FRONT
        for page in tqdm(pages, unit="chapter", mininterval=2.0, ascii=True):
            starts[page] = before + 1
            readers.append(put(page.rpartition("/")[2], str(texts[page]), before, titles[page]))
            before += len(readers[-1].pages)
        readers.insert(0, put("contents", front(parts, titles, starts, config), 0))
    if len(readers[0].pages) != FRONT:
        faults.append(f"cover and contents take {len(readers[0].pages)} pages, not {FRONT}")
    writer = together(readers)
    writer.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    data = io.BytesIO()
    writer.write(data)
    return data.getvalue(), faults


def main() -> int:
    start = time.perf_counter()
    with turn(LOCK, f"pdf: {WAITING}"):
        if not HTML.is_dir():
            print("pdf: there is no built book: call make book", file=sys.stderr)
            return 1
        config = yaml.safe_load((ROOT / "_config.yml").read_text())
        cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
        config |= {"about": cited["title"].partition(": ")[2].capitalize(), "version": f"Version {cited['version']}"}
        print("pdf: printing (a few minutes)", flush=True)
        try:
            data, faults = make(HTML, order(), config, SHEETS)
        except NoBrowser as error:
            print(f"pdf: {error}", file=sys.stderr)
            return 1
        part = TARGET.with_suffix(".part")
        part.write_bytes(data)
        part.replace(TARGET)
    for one in faults:
        print(f"pdf: {one}", file=sys.stderr)
    pages = len(PdfReader(io.BytesIO(data)).pages)
    print(
        f"pdf: {pages} pages, {len(data) / 1e6:.1f} MB after {time.perf_counter() - start:.0f} s; open {TARGET.relative_to(ROOT)}"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(plainly("pdf", main))
