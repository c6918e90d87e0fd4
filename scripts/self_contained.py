"""Find what a built page would fetch from another host, or in vain: scripts, styles, fonts, images, frames.

    python scripts/self_contained.py _build/html

Links that a reader may follow are no requests.  Everything a browser loads by itself is: attributes such as ``src``, link
elements that load, ``url(...)`` and ``@import`` in styles, and addresses that the page hands to its own scripts as ones to load.
"""

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

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


@lru_cache(maxsize=256)
def soup_of(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


def in_page(text: str) -> Iterator[str]:
    """Addresses on other hosts that a browser would load when it shows this page."""
    soup = soup_of(text)
    for tag in soup.find_all(True):
        assert isinstance(tag, Tag)
        for attribute in LOADING.get(tag.name, ()):
            for address in str(tag.get(attribute, "")).split(","):
                if foreign(address):
                    yield f"<{tag.name} {attribute}={address.strip()}>"
        if (
            tag.name == "link"
            and LOADING_LINKS & set(tag.get_attribute_list("rel"))
            and foreign(str(tag.get("href", "")))
        ):
            yield f"<link href={tag.get('href')}>"
        if tag.get("style"):
            yield from in_style(str(tag["style"]))
        if tag.name == "style":
            yield from in_style(tag.get_text())
        if tag.name == "script" and not tag.get("src"):
            yield from IN_SCRIPT.findall(tag.get_text())


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
    for tag in soup_of(text).find_all(True):
        for attribute in (*LOADING.get(tag.name, ()), *(("href",) if tag.name in ("a", "link") else ())):
            value = str(tag.get(attribute, ""))
            for address in value.split(",") if attribute == "srcset" else [value]:
                if path := local(address.strip().split(" ")[0]):
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
