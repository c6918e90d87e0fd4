"""Write `THIRD_PARTY.md`: what the built book ships that others made, in which version and under which licence.

Each file under `_static` of the built book belongs to one row; a file that belongs to none is an error.  Versions of packages come from
the pins, the others from the files themselves.
"""

import re
import sys
from fnmatch import fnmatch
from importlib.metadata import metadata
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from pins import PINS, normal, pinned
from turns import plainly

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "book" / "_static"
TARGET = ROOT / "THIRD_PARTY.md"
OWN_FOLDERS: tuple[str, ...] = ()  # folders of book/_static that hold work of this project
MADE = ("previews.js", "landscape.desk.svg", "landscape.phone.svg")  # written by book/_ext at every build


class Part(NamedTuple):
    name: str
    licence: str
    patterns: tuple[str, ...]
    package: str = ""  # distribution whose pin is the version
    version: str = ""


def said(text: str, pattern: str) -> str:
    """A version that a file states; fails if it states none."""
    found = re.search(pattern, text)
    if found is None:
        raise LookupError(f"no version found by {pattern}")
    return found.group(1)


def parts() -> list[Part]:
    mathjax = said((STATIC / "mathjax" / "tex-mml-chtml.js").read_text("utf-8"), r'VERSION="([\d.]+)"')
    scripts = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static" / "scripts"
    bootstrap = said((scripts / "bootstrap.js.LICENSE.txt").read_text("utf-8"), r"Bootstrap v([\d.]+)")
    icons = said((scripts / "fontawesome.js.LICENSE.txt").read_text("utf-8"), r"Font Awesome Free ([\d.]+)")
    copied = files("sphinx_copybutton") / "_static" / "clipboard.min.js"
    clipboard = said(copied.read_text("utf-8"), r"clipboard\.js v([\d.]+)")
    awesome = "code MIT, fonts OFL-1.1, icons CC-BY-4.0"
    return [
        Part("MathJax, with its TeX fonts", "Apache-2.0", ("mathjax/*",), version=mathjax),
        Part("Font Awesome Free", awesome, ("scripts/fontawesome.js*", "vendor/fontawesome/*"), version=icons),
        Part("Bootstrap", "MIT", ("scripts/bootstrap.js*",), version=bootstrap),
        Part("clipboard.js", "MIT", ("clipboard.min.js",), version=clipboard),
        Part(
            "Sphinx, with the Snowball stemmer",
            "BSD-2-Clause; stemmer BSD-3-Clause",
            (
                "basic.css",
                "doctools.js",
                "documentation_options.js",
                "language_data.js",
                "searchtools.js",
                "sphinx_highlight.js",
            )
            + ("file.png", "minus.png", "plus.png"),
            "Sphinx",
        ),
        Part(
            "PyData Sphinx Theme",
            "BSD-3-Clause",
            ("scripts/pydata-*", "styles/pydata-*", "styles/theme.css", "webpack-macros.html"),
            "pydata-sphinx-theme",
        ),
        Part(
            "Sphinx Book Theme",
            "BSD-3-Clause",
            ("scripts/sphinx-book-*", "styles/sphinx-book-*", "sbt-webpack-macros.html", "images/logo_*", "locales/*"),
            "sphinx-book-theme",
        ),
        Part("sphinx-copybutton", "MIT", ("copybutton*", "copy-button.svg", "check-solid.svg"), "sphinx-copybutton"),
        Part("sphinx-togglebutton", "MIT", ("togglebutton.*",), "sphinx-togglebutton"),
        Part("sphinx-design", "MIT", ("sphinx-design.*", "design-tabs.js"), "sphinx_design"),
        Part("MyST-NB", "BSD-3-Clause", ("mystnb.*.css",), "myst-nb"),
        Part("sphinx-proof", "MIT", ("proof.css",), "sphinx-proof"),
        Part("Pygments", "BSD-2-Clause", ("pygments.css",), "Pygments"),
    ]


def own(name: str) -> bool:
    """Whether a file under `_static` is work of this project: it lies in book/_static, or in a folder there that is named above."""
    return name in MADE or (
        (STATIC / name).is_file() and ("/" not in name or name.startswith(tuple(f"{one}/" for one in OWN_FOLDERS)))
    )


def strangers(static: Path) -> list[str]:
    """Files under ``static`` that belong to no row and are not of this project."""
    patterns = [pattern for part in parts() for pattern in part.patterns]
    names = sorted(path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file())
    return [name for name in names if not own(name) and not any(fnmatch(name, pattern) for pattern in patterns)]


def stated(package: str) -> str:
    """What the metadata of an installed package say about its licence."""
    facts = metadata(package)
    classifiers = [one for one in facts.get_all("Classifier", []) if one.startswith("License")]
    return " ".join([facts.get("License-Expression") or "", facts.get("License") or "", *classifiers])


def table() -> str:
    pins = pinned(PINS.read_text())
    rows = [
        f"| {one.name} | {one.version or pins[normal(one.package)]} | {one.licence} | {', '.join(f'`{p}`' for p in one.patterns)} |"
        for one in parts()
    ]
    head = (
        "# Work of others in the built book\n\n"
        "Made by `make licences`.  These files lie under `_static` of the built book; MathJax and its licence are in\n"
        "`book/_static/mathjax` too.  All else is work of this project, under the terms of LICENSE.\n\n"
        "| what | version | licence | files |\n|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def main() -> int:
    if unknown := strangers(STATIC):
        print("licences: name the maker of these files in scripts/licences.py:", *unknown, sep="\n  ", file=sys.stderr)
        return 1
    TARGET.write_text(table(), encoding="utf-8")
    print(f"licences: {len(parts())} works of others in {TARGET.name}")
    return 0


if __name__ == "__main__":
    sys.exit(plainly("licences", main))
