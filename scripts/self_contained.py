"""Find what a built page would fetch from another host: scripts, styles, fonts, images, frames.

    python scripts/self_contained.py _build/html

Links that a reader may follow are no requests.  Everything a browser loads by itself is: attributes such as ``src``, link
elements that load, ``url(...)`` and ``@import`` in styles, and addresses that the page hands to its own scripts as ones to load.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

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


def in_page(text: str) -> Iterator[str]:
    """Addresses on other hosts that a browser would load when it shows this page."""
    soup = BeautifulSoup(text, "html.parser")
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


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html")
    found = foreign_requests(root)
    print("\n".join(found) or f"no request to another host in {sum(1 for _ in root.rglob('*.html'))} pages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
