"""Sphinx extension: each picture of a notebook is a figure with a number and a caption, so that it can be cited.

The caption says what the figure shows, with formulas between dollars; it stands in the metadata of the cell, ``mystnb: caption``,
beside the description for those who do not see the picture (``mystnb: image: alt``).  MyST-NB hands the metadata of a cell on to
the page and leaves ``caption`` alone.  A picture with a description and without a caption is a warning.

An SVG that holds one drawing for a desk and one for a phone becomes two files, whose colours follow the theme of the page; a picture
of the class ``picture`` is treated in the same way.
"""

import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util import logging

from shbcore.pages import screens

FORMULA = re.compile(r"\$([^$]+)\$")
SIZE = re.compile(r'width="([\d.]+)pt" height="([\d.]+)pt"')


class screen(nodes.image):
    """A drawing for one kind of screen, in both themes."""


def number(app: Any, tree: Any) -> None:
    """Put each described picture of an output into a figure; Sphinx numbers it with the chapter."""
    count = 0
    for image in list(tree.findall(nodes.image)):
        if not image.get("alt") or isinstance(image.parent, nodes.figure) or not _of_a_cell(image):
            continue
        words = _caption_of_the_cell(image)
        if not words:
            logging.getLogger(__name__).warning("a picture has no caption (metadata mystnb.caption)", location=image)
        count += 1
        figure = nodes.figure("", ids=[f"figure-{count}"])
        image.replace_self(figure)
        figure += [image, caption(words)]
    for image in list(tree.findall(nodes.image)):
        if str(image.get("uri", "")).endswith(".svg") and (_of_a_cell(image) or "picture" in image["classes"]):
            image.replace_self(screens_of(app, image))


def screens_of(app: Any, image: nodes.image) -> list[nodes.Node]:
    """The drawings in the file of a picture, each in a file of its own beside it."""
    source = Path(app.env.relfn2path(image["uri"])[1])
    found: list[nodes.Node] = []
    for kind, text in zip(("desk", "phone"), screens.apart(source.read_text("utf-8")), strict=True):
        source.with_suffix(f".{kind}.svg").write_text(screens.themed(text), "utf-8")
        one = screen(**image.attributes)
        width, height = (round(float(size) * 4 / 3) for size in SIZE.search(text).groups())  # type: ignore[union-attr]
        one.update_basic_atts({"classes": [f"on-{kind}"]})
        one.attributes |= {"uri": image["uri"].removesuffix("svg") + f"{kind}.svg", "pixels": (width, height)}
        found.append(one)
    return found


def visit_screen(self: Any, node: screen) -> None:
    """A tag for each theme; what is hidden by the style sheet is not loaded."""
    uri = posixpath.join(self.builder.imgpath, self.builder.images[node["uri"]])
    width, height = node["pixels"]
    about = f'alt="{escape(node["alt"])}" width="{width}" height="{height}" loading="lazy"'
    for theme in ("light", "dark"):
        names = " ".join(["dark-light", *node["classes"], f"in-{theme}"])
        self.body.append(f'<img class="{names}" src="{uri}#{theme}" {about}>\n')
    raise nodes.SkipNode


def caption(words: str) -> nodes.caption:
    """The words of a caption, what stands between dollars as formulas."""
    made = nodes.caption(words)
    for place, part in enumerate(FORMULA.split(words)):
        if part:
            made += nodes.math(part, part) if place % 2 else nodes.Text(part)
    return made


def _around(image: nodes.Node) -> list[Any]:
    """The attributes of everything that a picture stands in, from the inside out."""
    found, place = [], image.parent
    while place is not None:
        found.append(getattr(place, "attributes", {}))
        place = place.parent
    return found


def _of_a_cell(image: nodes.Node) -> bool:
    """Whether a picture is the output of a cell."""
    return any("cell_output" in one.get("classes", ()) for one in _around(image))


def _caption_of_the_cell(image: nodes.Node) -> str:
    """What the metadata of the cell of a picture say; empty if they say nothing."""
    cells = (one["cell_metadata"] for one in _around(image) if "cell_metadata" in one)
    about: dict[str, Any] = next(cells, {})
    return str(about.get("mystnb", {}).get("caption", ""))


def setup(app: Any) -> dict[str, Any]:
    app.add_node(screen, html=(visit_screen, None))
    app.connect("doctree-read", number, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
