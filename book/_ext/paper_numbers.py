"""Sphinx extension: what the paper numbers carries the paper's number, everywhere: Lemma 3 is "Lemma 3", its display (9).

Blocks of the paper that have no number there have none here; results of our own keep the number of their chapter.
"""

import re
from collections import Counter
from typing import Any

from docutils import nodes
from sphinx_proof.nodes import NODE_TYPES

NAMED = re.compile(r"(?:Lemma|Theorem|Remark) (\d+|i+)\b")
AGAIN = re.compile(r"repaired-(?:lemma|theorem)-(\d+)$")
"""A statement of the paper that is set a second time, repaired."""
HEAD = re.compile(r"paper: (?:(?:Lemma|Theorem|Remark) (?:\d+|i+)\b(?: \(Appendix \w\))?[:,]? *)?")


def assign(app: Any, env: Any) -> None:
    """Put the paper's numbers in the place of those that Sphinx counted."""
    from shbcore.claims import numbers, registry

    known = {one.label: one for one in registry.claims() if not one.own}
    displays = {f"equation-{nodes.make_id(label)}": number for label, number in numbers.displays().items()}
    for kinds in env.toc_fignumbers.values():
        ours: list[tuple[bool, tuple[int, ...], dict[str, Any], str]] = []
        for kind, found in kinds.items():
            for name in found:
                if kind == "displaymath" and name in displays:
                    found[name] = (displays[name],)
                elif kind in NODE_TYPES and name in known:
                    number = NAMED.match(known[name].title)
                    found[name] = (number.group(1),) if number else ()
                elif kind in NODE_TYPES and name.startswith("repaired-"):
                    number = AGAIN.search(name)
                    found[name] = (number.group(1),) if number else ()
                elif kind in NODE_TYPES or kind == "displaymath":
                    ours.append((kind == "displaymath", found[name], found, name))
        count: Counter[Any] = Counter()  # what is our own is counted by itself, so that no number is missing
        for kind, old, found, name in sorted(ours, key=lambda one: one[:2]):
            count[kind, old[:-1]] += 1
            found[name] = (*old[:-1], count[kind, old[:-1]])


def shorten(app: Any, tree: Any) -> None:
    """The title of a block: '(paper: Lemma 3, progress of one step)' becomes '(progress of one step)' behind its number."""
    for block in tree.findall(lambda one: isinstance(one, tuple(NODE_TYPES.values()))):
        title = next(block.findall(nodes.title), None)
        for text in list(title.findall(nodes.Text)) if title is not None else []:
            if "paper: " in text:
                text.parent.replace(text, nodes.Text(HEAD.sub("", text)))
                break


def setup(app: Any) -> dict[str, Any]:
    app.connect("env-check-consistency", assign)  # after Sphinx has counted, before it writes
    app.connect("doctree-read", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
