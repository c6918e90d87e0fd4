"""Sphinx extension: the library's pages without noise.

A method shows words of its own or none, a constant its value, a signature its names, plain defaults and the classes of the library
that it takes, and a label of ``paper.tex`` becomes the paper's number, which leads to the ledger.  A module begins with how its names
are imported, and a name that has a shorter import is marked.  A link to an entry in a fold opens the fold.
"""

import importlib
import inspect
import io
import re
from collections import Counter, namedtuple
from contextlib import redirect_stdout
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx import addnodes

FIELD = type(namedtuple("One", "field").field)  # type: ignore[attr-defined]
FAR = 10**6
LONGEST = 120
LONGEST_TYPE = 40
ARRAY = "ndarray[tuple[Any, ...], dtype[float64]]"
"""How Python writes the type ``Array`` of the library."""
TWICE = {"Instance", "Outcome", "Setting"}
"""Names of more than one class; with their module they lead to the right one, and are shown without it."""
OBJECT = re.compile(r"=(?:[A-Z]\w*\(|<)")
"""A default that is an object of the library."""
FIELDS = {"=-1000000": "=TOTAL", "=1000000": "=PATHWISE"}
"""Defaults that are fields of the language of proofs, by their names."""
INTERNAL = {"over", "rebuilt"}
"""Members of the trees of that language with which only the library works."""
OPENS = """
(() => {
  const open = () => {
    const at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folds = [];
    for (let one = at && at.closest("details"); one; one = one.parentElement.closest("details")) folds.push(one);
    if (!folds.some((one) => !one.open)) return;
    for (const one of folds) one.open = true;
    at.scrollIntoView({ behavior: "instant" });
  };
  addEventListener("DOMContentLoaded", open);
  addEventListener("hashchange", open);
})();
"""
"""A link to an entry that stands in a fold opens the fold."""


def formulas(text: str) -> str:
    """Words with formulas between dollars, in reStructuredText."""
    return re.sub(r"\$([^$]+)\$", r":math:`\1`", text)


def own_words(app: Any, config: Any) -> None:
    """A method that overrides another is shown only where it has words of its own."""
    config.autodoc_inherit_docstrings = False


def skip(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    return True if isinstance(obj, FIELD) or name in INTERNAL else None


def returned_type(obj: Any) -> str | None:
    """What a function returns, without the modules of the types, unless that is long or says nothing."""
    found = inspect.signature(obj).return_annotation
    if found is inspect.Signature.empty or inspect.isclass(obj):
        return None
    whole = inspect.formatannotation(found).replace("'", "")
    text = re.sub(r"\b[\w.]+\.(?=\w)", "", whole).replace(ARRAY, "Array")
    if text in ("Any", "None", "Array") or len(text) > LONGEST_TYPE:
        return None
    shown = re.sub(r"\b[\w.]+\.(\w+)", lambda one: one[0] if one[1] in TWICE else one[1], whole)
    return shown.replace(ARRAY, "Array")


@cache
def places() -> dict[str, str]:
    """Where each class of the library is described, by the full name that Python has for it."""
    from shbcore.pages.library import described, names

    found: dict[str, str] = {}
    for one in described():
        for name in names(one):
            thing = getattr(importlib.import_module(one.module), name)
            if inspect.isclass(thing) and thing.__module__.startswith("shbcore"):
                found.setdefault(f"{thing.__module__}.{thing.__qualname__}", f"{one.module}.{name}")
    return found


def taken_type(annotation: Any) -> str:
    """The type of an argument, if it is short and has a class that a page describes: each of them by the place where it stands."""
    whole = inspect.formatannotation(annotation).replace(ARRAY, "Array")
    dotted = re.compile(r"(?:\w+\.)+\w+")
    short = dotted.sub(lambda one: one[0].rpartition(".")[2], whole)
    if len(short) > LONGEST_TYPE or not any(one in places() for one in dotted.findall(whole)):
        return ""
    return dotted.sub(lambda one: places().get(one[0], one[0].rpartition(".")[2]), whole)


class Written(str):
    """Words that stand in a signature as they are."""

    __repr__ = str.__str__


def default(given: Any, space: dict[str, Any]) -> str:
    """A default, in short: an object of the library by its name in the module, and dots for what has none."""
    if isinstance(given, Enum):
        return f"{type(given).__name__}.{given.name}"
    if isinstance(given, Fraction):
        return f"Fraction({', '.join(map(str, (given.numerator, given.denominator)[: 1 + (given.denominator > 1)]))})"
    if isinstance(given, int) and f"={given}" in FIELDS:
        return FIELDS[f"={given}"][1:]
    if len(repr(given)) <= LONGEST_TYPE and not OBJECT.match(f"={given!r}"):
        return repr(given)
    named = (name for name, one in space.items() if one is given and not name.startswith("_"))
    return next(named, "...")


def with_defaults(obj: Any) -> str:
    """The names that a function or a class takes, each with its default in short."""
    space, signature = vars(importlib.import_module(obj.__module__)), inspect.signature(obj)
    made = (
        {one.name: one.default_factory for one in fields(obj) if one.default_factory is not MISSING}
        if is_dataclass(obj)
        else {}
    )
    found = []
    for name, one in signature.parameters.items():
        plain = one.replace(annotation=one.empty, default=one.empty)
        given = made[name]() if name in made else one.default
        found.append(plain if given is one.empty else plain.replace(default=Written(default(given, space))))
    return str(signature.replace(parameters=found, return_annotation=signature.empty))


def typed(obj: Any, signature: str) -> str:
    """A signature with the classes of the library that its arguments are, unless that is long."""
    plain, space = signature, vars(importlib.import_module(obj.__module__))
    for name, one in inspect.signature(obj).parameters.items():
        annotation = eval(one.annotation, dict(space)) if isinstance(one.annotation, str) else one.annotation
        if annotation is not inspect.Parameter.empty and (kind := taken_type(annotation)):
            signature = re.sub(rf"(?<=[(, ]){name}(?=[,)])", f"{name}: {kind}", signature, count=1)
            signature = re.sub(rf"(?<=[(, ]){name}=", f"{name}: {kind} = ", signature, count=1)
    return signature if len(re.sub(r"(?:\w+\.)+(?=\w)", "", signature)) <= LONGEST else plain


def shorten(app: Any, what: str, name: str, obj: Any, options: Any, signature: str, returned: str) -> Any:
    """A long signature, or one with an object as a default, is written anew; enumerations and protocols have none."""
    if inspect.isclass(obj) and (issubclass(obj, Enum) or getattr(obj, "_is_protocol", False)):
        return "", None
    if not signature or not callable(obj):
        return None
    for number, field in FIELDS.items():
        signature = signature.replace(number, field)
    if len(signature) > LONGEST or OBJECT.search(signature):
        signature = with_defaults(obj)
    return typed(obj, signature), returned_type(obj)


def value(obj: Any) -> list[str]:
    """The value of a constant, in reStructuredText: a line, or a list for a dictionary; nothing for what is no plain value."""
    if isinstance(obj, dict) and obj and all(isinstance(one, str) for pair in obj.items() for one in pair):
        pairs = [f"``{key}``: {formulas(text)}" for key, text in obj.items()]
        return [f"* {one}" for one in pairs] if max(map(len, pairs)) > LONGEST_TYPE * 2 else ["; ".join(pairs) + "."]
    if isinstance(obj, tuple) and obj and all(isinstance(one, str | int | float) for one in obj):
        return [", ".join(f"``{one}``" for one in obj) + "."]
    if isinstance(obj, frozenset):
        return value(tuple(sorted(obj)))
    return [f"Value: ``{obj!r}``."] if isinstance(obj, int | float) and abs(obj) != FAR else []


def words(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Put the paper's numbers for its labels into a docstring, and the value of a constant below it."""
    from shbcore.pages.library import numbered

    lines[:] = numbered("\n".join(lines)).split("\n")
    if what == "data" and (found := value(obj)):
        lines += ["", *found, ""]
    if what == "class" and issubclass(obj, Enum):
        lines += ["", *members(obj), ""]
    if what == "module":
        lines[:0] = [*imported(name), ""]


def members(kind: type[Enum]) -> list[str]:
    """The members of an enumeration: what each says; of a scope also which earlier lines a line of this scope may use."""
    from shbcore.proof.statement import USABLE, Scope

    if kind is not Scope:
        return [f"* ``{one.name}``: {formulas(str(one.value))}" for one in kind if one.value]
    rows = [".. list-table::", "   :header-rows: 1", "", "   * - scope", "     - says", "     - may use lines of"]
    for one in Scope:
        used = ", ".join(f"``{other.name}``" for other in Scope if other in USABLE.get(one, ()))
        if one is Scope.INHERITED:
            used = "what the line that uses it may use"
        said = formulas(one.value) or "names no step"
        rows += [f"   * - ``{one.name}``", f"     - {said}", f"     - {used or 'no other line'}"]
    return rows


def handed_on(module: str, name: str) -> bool:
    """Whether a name of a module can be imported from ``shbcore`` itself, which then has the same thing under this name."""
    import shbcore

    return name in shbcore.__all__ and getattr(importlib.import_module(module), name, None) is getattr(shbcore, name)


def imported(module: str) -> list[str]:
    """How the names of a module are imported, in reStructuredText."""
    from shbcore.pages.library import described, names

    found = [name for one in described() if one.module == module for name in names(one)]
    end = ", and so on." if len(found) > 1 else "."
    return [f"Import: ``from {module} import {found[0]}``{end}"] if found else []


@cache
def shared() -> frozenset[str]:
    """Names that two modules of one page have."""
    from shbcore.pages.library import described, names

    found = Counter((one.page, name) for one in described() for name in names(one))
    return frozenset(name for (_, name), count in found.items() if count > 1)


def with_module(app: Any, domain: str, kind: str, content: Any) -> None:
    """A name that two modules of a page have is shown with the module before it: ``rate.bound``."""
    for one in content.parent.findall(addnodes.desc_signature):
        if one.get("fullname") in shared():
            (name,) = one.findall(addnodes.desc_name)
            module = one["module"].rpartition(".")[2]
            one.insert(one.index(name), addnodes.desc_addname("", f"{module}."))
        if handed_on(one.get("module") or "shbcore", one.get("fullname") or ""):
            one += nodes.inline(
                "", "from shbcore", classes=["sd-badge", "sd-outline-muted", "sd-text-muted", "sd-ml-2"]
            )


class Examples(Directive):
    """A table of names whose last cell is an example; what it gives is computed, and stands in a further cell."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        from shbcore.pages.library import with_results

        page = self.state.document.settings.env.docname.rpartition("/")[2]
        rows = [line for line in self.content if line.startswith("| `")]
        holder = nodes.container()
        table = StringList(with_results(page, rows).splitlines(), "shbcore")
        self.state.nested_parse(table, self.content_offset, holder)
        return list(holder.children)


class Wanted(Directive):
    """A table of tasks, each with the names that serve it; the names are linked to their descriptions."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        from shbcore.pages.library import wanted

        page = self.state.document.settings.env.docname.rpartition("/")[2]
        holder = nodes.container()
        table = wanted(page, [line for line in self.content if line.startswith("| ")])
        self.state.nested_parse(StringList(table.splitlines(), "shbcore"), self.content_offset, holder)
        return list(holder.children)


def printed(code: str) -> str:
    """What lines of Python print, run on their own."""
    shown = io.StringIO()
    with redirect_stdout(shown):
        exec(code, {"__name__": "example"})
    return shown.getvalue()


class Printed(Directive):
    """Lines of Python, and below them what they print, computed when the page is built."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        code = "\n".join(self.content)
        shown = printed(code).rstrip("\n")
        lead = nodes.paragraph("", "It prints:")
        return [
            nodes.literal_block(code, code, language="python"),
            lead,
            nodes.literal_block(shown, shown, language="text"),
        ]


def opens(app: Any, page: str, template: str, context: Any, tree: Any) -> None:
    """The library's pages have folds with entries to which links lead."""
    if page.rpartition("/")[2].startswith("api"):
        app.add_js_file(None, body=OPENS)


def setup(app: Any) -> dict[str, Any]:
    app.add_directive("examples", Examples)
    app.add_directive("wanted", Wanted)
    app.add_directive("printed", Printed)
    app.connect("config-inited", own_words)
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", words)
    app.connect("object-description-transform", with_module)
    app.connect("html-page-context", opens)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
