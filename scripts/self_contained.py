"""Find what a built page would fetch from another host, or in vain: scripts, styles, fonts, images, frames.

    python scripts/self_contained.py _build/html

Links that a reader may follow are no requests.  Everything a browser loads by itself is: attributes such as ``src``, link
elements that load, ``url(...)`` and ``@import`` in styles, and addresses that the page hands to its own scripts as ones to load.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "input": ("src",),
    "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
    "form": ("action",),
}
LOADING_LINKS = {
    "stylesheet",
    "icon",
    "shortcut",
    "preload",
    "modulepreload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
}
FOREIGN = re.compile(r"^\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""", re.IGNORECASE)
IN_DRAWING = re.compile(r"""<(?:image|use|script)[^>]*href\s*=\s*['"]((?:https?:)?//[^'"]+)""", re.IGNORECASE)
IN_SCRIPT = re.compile(
    r"""(?:import\s*\(?|from|importScripts\(|fetch\(|\.src\s*=|\bopen\(\s*['"][A-Z]+['"]\s*,)\s*[`'"]((?:https?:)?//[^`'"]+)"""
)


def foreign(address: str) -> bool:
    return bool(FOREIGN.match(address))


def in_style(text: str) -> Iterator[str]:
    for plain, imported in IN_STYLE.findall(text):
        if foreign(plain or imported):
            yield plain or imported


@dataclass
class Element:
    """The start of an element of a page; ``text`` is what stands in a script or a style."""

    name: str
    attributes: dict[str, str]
    text: str = ""

    def addresses(self, *attributes: str) -> Iterator[tuple[str, str]]:
        """The addresses in some attributes, each with its attribute; one of them may have several, with widths."""
        for key in attributes:
            value = self.attributes.get(key, "")
            for one in value.split(",") if key == "srcset" else [value]:
                yield key, one.strip().split(" ")[0]


class Reader(HTMLParser):
    """The elements of a page in a list: a tree of large pages takes several times as long."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {key: value or "" for key, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.elements[-1].text += data


@lru_cache(maxsize=256)
def elements(text: str) -> list[Element]:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader.elements


def in_page(text: str) -> Iterator[str]:
    """Addresses on other hosts that a browser would load when it shows this page."""
    for one in elements(text):
        for attribute, address in one.addresses(*LOADING.get(one.name, ())):
            if foreign(address):
                yield f"<{one.name} {attribute}={address}>"
        link = one.attributes.get("href", "") if one.name == "link" else ""
        if foreign(link) and LOADING_LINKS & set(one.attributes.get("rel", "").split()):
            yield f"<link href={link}>"
        yield from in_style(one.attributes.get("style", ""))
        if one.name == "style":
            yield from in_style(one.text)
        if one.name == "script" and "src" not in one.attributes:
            yield from IN_SCRIPT.findall(one.text)


def foreign_requests(root: Path) -> list[str]:
    """Every foreign request under ``root``, as ``file: address``; raises ``FileNotFoundError`` if there is no page at all."""
    pages = sorted(root.rglob("*.html"))
    if not pages:
        raise FileNotFoundError(f"no page under {root}")
    found = [f"{page.relative_to(root)}: {address}" for page in pages for address in in_page(page.read_text("utf-8"))]
    for sheet in sorted([*root.rglob("*.css"), *root.rglob("*.svg")]):
        text = sheet.read_text("utf-8", errors="replace")
        addresses = [*in_style(text), *(IN_DRAWING.findall(text) if sheet.suffix == ".svg" else [])]
        found += [f"{sheet.relative_to(root)}: {address}" for address in addresses]
    return found


def local(address: str) -> str:
    """The path in an address of this folder, without query and fragment; empty if it names no file."""
    address = address.strip()
    parts = urlsplit(address)
    return "" if parts.scheme or parts.netloc or foreign(address) else unquote(parts.path)


def asked_for(text: str) -> Iterator[str]:
    """Files of this folder that a page loads or links to."""
    for one in elements(text):
        for _, address in one.addresses(*LOADING.get(one.name, ()), *(("href",) if one.name in ("a", "link") else ())):
            if path := local(address):
                yield path


def missing_files(root: Path) -> list[str]:
    """Every file that a page or a style sheet under ``root`` asks for and that is not there, as ``file: address``."""
    found = set()
    for page in root.rglob("*.html"):
        if "_static" in page.relative_to(root).parts:  # templates of the theme, no pages
            continue
        text = page.read_text("utf-8")
        found |= {(page, address) for address in asked_for(text) if not (page.parent / address).exists()}
    for sheet in root.rglob("*.css"):
        for plain, imported in IN_STYLE.findall(sheet.read_text("utf-8", errors="replace")):
            address = local(plain or imported)
            if address and not (sheet.parent / address).exists():
                found.add((sheet, address))
    return sorted(f"{file.relative_to(root)}: {address}" for file, address in found)


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html")
    found = foreign_requests(root) + missing_files(root)
    print(
        "\n".join(found)
        or f"no request to another host and no missing file in {sum(1 for _ in root.rglob('*.html'))} pages"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
