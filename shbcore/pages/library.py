"""The pages of the library: its modules and their names, each in the words with which its description begins."""

import ast
import importlib
import inspect
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import sympy as sp

from shbcore.proof import in_words, latex
from shbcore.proof.domain import Definition, Domain, Range
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import Foundation
from shbcore.proof.language import Node, Relation
from shbcore.proof.lines import Use
from shbcore.proof.statement import Statement

BOOK = Path(__file__).resolve().parents[2] / "book"
PAGES = ("api_model", "api_numerics", "api_proof", "api_claims")
"""The pages that describe modules, in the order of the book."""
DIRECTIVE = re.compile(r"^\.\. automodule:: ([\w.]+)\n((?:   :[^\n]*\n)*)", re.MULTILINE)
LABEL = re.compile(r"(\(?)``((?:eq|eqn|lem|thrm|alg|fig|assumption):[^`]+)``(\)?)")
"""A label of the paper in a docstring."""
SHORTEST = 5
"""Characters of a line about a name: a shorter one goes on after its colon."""


class Described(NamedTuple):
    """A module on a page: which of its names are described there, if not all, and which are left out."""

    module: str
    page: str
    only: tuple[str, ...]
    without: tuple[str, ...]


def _option(name: str, options: str) -> tuple[str, ...]:
    found = re.search(rf"^   :{name}:([^\n]*)$", options, re.MULTILINE)
    return tuple(re.findall(r"\w+", found.group(1))) if found else ()


def described() -> list[Described]:
    """The modules on the pages, in order."""
    found = []
    for page in PAGES:
        for module, options in DIRECTIVE.findall((BOOK / f"{page}.md").read_text("utf-8")):
            found.append(Described(module, page, _option("members", options), _option("exclude-members", options)))
    if len({one.module for one in found}) < len(found):
        raise ValueError("a module is described twice")
    return found


def named() -> dict[str, str]:
    """The modules that are described, in order, each with its page."""
    return {one.module: one.page for one in described()}


def numbered(text: str, *, html: bool = False) -> str:
    """A docstring with the paper's number in place of each label, linked to the ledger: in reStructuredText, or for MyST in HTML."""

    def link(found: re.Match[str]) -> str:
        from shbcore.claims import numbers, registry

        before, label, after = found.groups()
        place = numbers.place(registry.claim(label))
        link = f'<a href="ledger.html#{label}">{place}</a>' if html else f"`{place} <ledger.html#{label}>`__"
        return link if before and after and place.startswith("(") else before + link + after

    return LABEL.sub(link, text)


def _sentence(doc: str) -> str:
    """The first sentence of a docstring, in MyST."""
    text = " ".join(inspect.cleandoc(doc).split("\n\n")[0].split())
    text = re.split(r"(?<=[^.]\.) ", text)[0].rstrip(".:")
    text = re.sub(r":math:`([^`]*)`", r"$\1$", numbered(text, html=True))
    return re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text).replace("``", "`")


def first_sentence(module: str) -> str:
    """The first sentence of a module's docstring, in MyST."""
    return _sentence(importlib.import_module(module).__doc__ or "")


def gist(doc: str) -> str:
    """What a line of a list says of a name: the first sentence of its docstring up to a colon or a semicolon."""
    text = _sentence(doc)
    for found in re.finditer(r"[:;] ", text):
        head = text[: found.start()]
        if len(head) >= SHORTEST and head.count("$") % 2 == 0 and head.count("(") == head.count(")"):
            return head
    return text


@cache
def _constants(module: ModuleType) -> dict[str, str]:
    """The constants of a module that are described below their definition, in order, with these words."""
    body = ast.parse(inspect.getsource(module)).body
    found: dict[str, str] = {}
    for one, after in pairwise(body):
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        if targets and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found |= {name.id: str(after.value.value) for name in targets if isinstance(name, ast.Name)}
    return found


def _order(module: ModuleType) -> list[str]:
    """The names of a module in the order in which its page has them."""
    if listed := getattr(module, "__all__", None):
        return list(listed)
    found = []
    for one in ast.parse(inspect.getsource(module)).body:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        found += [name.id for name in targets if isinstance(name, ast.Name)]
        found += [one.name] if isinstance(one, ast.FunctionDef | ast.ClassDef) else []
    return list(dict.fromkeys(found))


@cache
def names(one: Described) -> dict[str, str]:
    """The names of a module that its page describes, each with its first sentence."""
    module = importlib.import_module(one.module)
    found = {}
    for name in _order(module):
        thing = getattr(module, name, None)
        ours = (inspect.isroutine(thing) or inspect.isclass(thing)) and thing.__module__.startswith("shbcore")
        doc = _constants(module).get(name) or (thing.__doc__ if ours else "")
        if doc and not name.startswith("_") and (not one.only or name in one.only) and name not in one.without:
            found[name] = gist(doc)
    return found


def _link(one: Described, here: str = "") -> str:
    """A link to a module's description, from its own page or from another."""
    short = one.module.removeprefix("shbcore.")
    page = "" if one.page == here else f"{one.page}.html"
    return f'<a href="{page}#{re.sub("[._]", "-", short)}"><code>{short}</code></a>'


def index(page: str) -> str:
    """What is on a page, in short: its modules with their names, linked."""
    lines = []
    for one in described():
        if one.page == page:
            links = (f'<a href="#{one.module}.{name}"><code>{name}</code></a>' for name in names(one))
            lines.append(f"- {_link(one, page)}: {', '.join(links)}")
    return "\n".join(lines)


def listing(page: str) -> str:
    """What is on a page: its modules, and a line a name, linked."""
    lines = []
    for one in described():
        if one.page == page:
            lines += [f"**{_link(one, page)}**", ""]
            for name, words in names(one).items():
                lines.append(f'- <a href="#{one.module}.{name}"><code>{name}</code></a>: {words}')
            lines.append("")
    return "\n".join(lines)


def entry(text: str, page: str) -> str:
    """A link to the description of a name, ``lemma_4`` or ``slack.lemma_4``: on this page, or on the one page that has it."""
    module, _, name = text.rpartition(".")
    found = [one for one in described() if name in names(one) and (not module or one.module.endswith(f".{module}"))]
    found = [one for one in found if one.page == page] or found
    if len(found) != 1:
        raise ValueError(f"{text!r} is described in {len(found)} modules: {', '.join(one.module for one in found)}")
    where = "" if found[0].page == page else f"{found[0].page}.html"
    return f'<a href="{where}#{found[0].module}.{name}"><code>{text}</code></a>'


def wanted(page: str, rows: Sequence[str]) -> str:
    """Rows of a table (what one wants to do, names) with each name linked to its description."""
    found = ["| I want to | use |", "| --- | --- |"]
    for row in rows:
        what, used = row.strip("| ").split(" | ")
        found.append(f"| {what} | {re.sub(r'`([^`]+)`', lambda one: entry(one[1], page), used)} |")
    return "\n".join(found)


def modules() -> str:
    """A table for each part of the package, a row a module: where its description stands, what it is."""
    rows = []
    for page in PAGES:
        rows += [f'**<a href="{page}.html">{page.removeprefix("api_")}</a>**', ""]
        rows += ["| module | what it is |", "| --- | --- |"]
        rows += [f"| {_link(one)} | {first_sentence(one.module)} |" for one in described() if one.page == page]
        rows.append("")
    return "\n".join(rows)


@cache
def prepared(page: str) -> dict[str, Any]:
    """What the lines of Python on a page define, for its examples."""
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", (BOOK / f"{page}.md").read_text("utf-8"), re.DOTALL):
        exec(block, space)
    return space


def with_results(page: str, rows: Sequence[str]) -> str:
    """Rows of a table (name, what it is, example) with what the example gives below it; a name leads to its description on the page."""
    here = [one for one in reversed(described()) if one.page == page]  # of two modules with a name the first has it
    links = {name: f"#{one.module}.{name}" for one in here for name in names(one)}

    def linked(name: re.Match[str]) -> str:
        return f'<a href="{links[name[1]]}"><code>{name[1]}</code></a>' if name[1] in links else name[0]

    found = ["| name | what it is | example |", "| --- | --- | --- |"]
    for row in rows:
        name, what, example = row.strip("| ").split(" | ")
        result = gives(eval(example.strip("`"), dict(prepared(page))))
        found.append(f"| {re.sub(r'`([^`]+)`', linked, name)} | {what} | {example}<br>gives {result} |")
    return "\n".join(found)


def pieces(formula: str) -> list[str]:
    """A formula in parts between which a line may end: before a relation or a sign that stands in no brackets; a short part goes on."""
    found, depth, norms = [""], 0, 0
    for token in re.findall(r"\\[a-zA-Z]+|\\.|.", formula):
        depth += token in ("{", "(", "[", r"\langle", r"\left") or -(token in ("}", ")", "]", r"\rangle", r"\right"))
        norms += token == r"\|"
        if depth == 0 and norms % 2 == 0 and len(found[-1]) > SHORTEST and token in ("+", "-", "=", r"\le", r"\ge"):
            found.append("{}")
        found[-1] += token
    return found


def gives(thing: Any) -> str:
    """What an example of the language of proofs gives, in MyST, for a cell of a table: a formula, a range, words or plain text."""
    if isinstance(thing, tuple):
        return ", ".join(map(gives, thing))
    if isinstance(thing, Use):
        text = f"${latex.relation(thing.fact.unfolded.relation)}$"
    elif isinstance(thing, Fact):
        text = f"${latex.relation(thing.unfolded.relation)}$"
    elif isinstance(thing, Relation):
        text = f"${latex.relation(thing)}$"
    elif isinstance(thing, Domain):
        text = ", ".join(f"${in_words.entry(one)}$" for one in thing.entries)
    elif isinstance(thing, Range | Definition):
        text = f"${in_words.entry(thing)}$"
    elif isinstance(thing, Foundation):
        text = thing.name
    elif isinstance(thing, Statement):
        text = f"${thing.latex}$"
    elif isinstance(thing, Node):
        text = f"${thing}$"
    elif isinstance(thing, sp.Expr):
        text = f"${latex.tex(thing)}$"
    elif hasattr(thing, "statement"):
        text = f"${thing.statement.latex}$"
    else:
        text = str(thing)
        text = f"“{text}”" if " " in text else f"`{text}`"
    text = re.sub(r"\$([^$]+)\$", lambda found: "<wbr>".join(f"${part}$" for part in pieces(found[1])), text)
    return " ".join(text.replace(r"\|", r"\Vert ").replace("|", r"\vert ").split())
