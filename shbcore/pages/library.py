"""The pages of the library: its modules, part by part, each in the words with which it begins."""

import importlib
import re
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = ("api_model", "api_numerics", "api_proof", "api_claims")
"""The pages that describe modules, in the order of the book."""


def named() -> dict[str, str]:
    """The modules that are described, in order, each with its page."""
    texts = {page: (BOOK / f"{page}.md").read_text("utf-8") for page in PAGES}
    found = [
        (name, page) for page in PAGES for name in re.findall(r"^\.\. automodule:: ([\w.]+)", texts[page], re.MULTILINE)
    ]
    if len(dict(found)) < len(found):
        raise ValueError("a module is described twice")
    return dict(found)


def first_sentence(module: str) -> str:
    """The first sentence of a module's docstring, in MyST."""
    text = " ".join((importlib.import_module(module).__doc__ or "").split("\n\n")[0].split())
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    text = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text).replace("``", "`")
    return re.split(r"(?<=\.) ", text)[0].rstrip(".:")


def modules() -> str:
    """A row a module: where its description stands, what it is."""
    rows = ["| module | what it is |", "| --- | --- |"]
    for name, page in named().items():
        short = name.removeprefix("shbcore.")
        link = f'<a href="{page}.html#{re.sub("[._]", "-", short)}"><code>{short}</code></a>'
        rows.append(f"| {link} | {first_sentence(name)} |")
    return "\n".join(rows)
