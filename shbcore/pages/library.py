"""The page of the library: its modules, room by room, each in the words with which it begins."""

import importlib
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "book" / "api.md"


def named() -> list[str]:
    """The modules that the page describes, in its order."""
    return re.findall(r"^\.\. automodule:: ([\w.]+)", PAGE.read_text("utf-8"), re.MULTILINE)


def first_sentence(module: str) -> str:
    """The first sentence of a module's docstring, in MyST."""
    text = " ".join((importlib.import_module(module).__doc__ or "").split("\n\n")[0].split())
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    text = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text).replace("``", "`")
    return re.split(r"(?<=\.) ", text)[0].rstrip(".:")


def modules() -> str:
    """A row a module: where its description stands on the page, its file, what it is."""
    rows = ["| module | what it is |", "| --- | --- |"]
    for name in named():
        link = f'<a href="#{re.sub("[._]", "-", name)}"><code>{name.removeprefix("shbcore.")}</code></a>'
        rows.append(f"| {link} | {first_sentence(name)} |")
    return "\n".join(rows)
