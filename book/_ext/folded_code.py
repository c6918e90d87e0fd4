"""Sphinx extension: on a page that is read, code is folded behind a small mark, and what it printed is part of the page.

A notebook stays as it is; only its page changes.  Every code input is folded, but on the pages in ``OPEN`` and in cells with the tag
``show-input``.  Cells that follow each other are folded together where the first shows nothing, and the code of a solution stands in
the fold of the solution.  Lines that a check printed, such as ``HOLDS: ...``, are set as verdicts, and sentences as sentences.
"""

import re
from typing import Any

from docutils import nodes

from shbcore.pages.cards import verdict_line

OPEN = {"book/verify_your_own"}
"""Pages whose subject is the code."""
VERDICT = re.compile(r"(HOLDS|FAILS|REFUTED|NOT REFUTED|CONTROL REJECTED|CONTROL ACCEPTED): (.+)")
LAID_OUT = re.compile(r"^\s|\S {2,}\S|\w\(\w+=|Fraction\(|^$")
"""A line that is laid out by spaces, or that shows an object of Python."""


class FoldedCode(nodes.Element):
    """Code that is shown when asked for."""


def visit(self: Any, node: FoldedCode) -> None:
    self.body.append('<details class="code-fold"><summary>code</summary>\n')


def depart(self: Any, node: FoldedCode) -> None:
    self.body.append("</details>\n")


def _is(node: Any, element: str) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == element


def fold(app: Any, tree: Any) -> None:
    """Fold the code of a page that was read just now."""
    open_page = app.env.docname in OPEN
    for cell in list(tree.findall(lambda one: _is(one, "cell_code"))):
        tags = cell.get("cell_metadata", {}).get("tags", ())
        source = cell.children[0] if cell.children and _is(cell.children[0], "cell_code_source") else None
        if source is None or "show-input" in tags or (open_page and not {"hide-input", "hide-cell"} & set(tags)):
            continue
        cell["hide_mode"] = "output" if "hide-output" in tags else ""
        folded = FoldedCode()
        cell.replace(source, folded)
        folded += source
    for cell in list(tree.findall(lambda one: _is(one, "cell_code"))):
        join(cell)
    for printed in list(tree.findall(nodes.literal_block)):
        if "stream" in printed.get("classes", ()) and (lines := spoken(printed.astext())):
            printed.parent.replace(printed, lines)


def join(cell: Any) -> None:
    """Put a cell that shows only its folded code into the solution before it, or its code into the fold of the next cell."""
    if not (len(cell.children) == 1 and isinstance(cell.children[0], FoldedCode)):
        return
    at = cell.parent.index(cell)
    before = cell.parent[at - 1] if at else None
    after = cell.parent[at + 1] if at + 1 < len(cell.parent) else None
    folded = cell.children[0]
    if isinstance(before, nodes.container) and before.get("design_component") == "dropdown":
        cell.parent.remove(cell)
        before += cell
    elif _is(after, "cell_code") and after.children and isinstance(after.children[0], FoldedCode):
        cell.parent.remove(cell)
        for source in reversed(folded.children):
            after.children[0].insert(0, source)


def spoken(text: str) -> list[nodes.Node]:
    """What a cell printed, as lines of the page; nothing if a line of it is laid out by spaces or shows an object of Python."""
    lines = text.rstrip("\n").split("\n")
    if any(LAID_OUT.search(line) for line in lines):
        return []
    found = [VERDICT.fullmatch(line) for line in lines]
    shown = [verdict_line(*(one.groups() if one else ("", line))) for one, line in zip(found, lines, strict=True)]
    return [nodes.raw("", "".join(shown), format="html")]


def setup(app: Any) -> dict[str, Any]:
    app.add_node(FoldedCode, html=(visit, depart))
    app.connect("doctree-read", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
