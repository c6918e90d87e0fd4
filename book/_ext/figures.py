"""Sphinx extension: each picture of a notebook is a figure with a number and a caption, so that it can be cited.

The caption is the description that the picture must have in any case (``mystnb: image: alt`` of its cell).
"""

from typing import Any

from docutils import nodes


def number(app: Any, tree: Any) -> None:
    """Put each described picture of an output into a figure; Sphinx numbers it with the chapter."""
    count = 0
    for image in list(tree.findall(nodes.image)):
        words = image.get("alt", "")
        if not words or isinstance(image.parent, nodes.figure) or not _of_a_cell(image):
            continue
        count += 1
        figure = nodes.figure("", ids=[f"figure-{count}"])
        image.replace_self(figure)
        figure += [image, nodes.caption(words, words)]


def _of_a_cell(image: nodes.Node) -> bool:
    """Whether a picture is the output of a cell."""
    place = image.parent
    while place is not None:
        if "cell_output" in getattr(place, "attributes", {}).get("classes", ()):
            return True
        place = place.parent
    return False


def setup(app: Any) -> dict[str, Any]:
    app.connect("doctree-read", number, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
