"""The reference: every public name is there, and every example runs; so are the modules that the book imports."""

import importlib
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book" / "_ext"))
import plain_api

import shbcore.proof
from shbcore.pages import library
from shbcore.pages.library import PAGES

BOOK = Path(__file__).parent.parent / "book"
PAGE = "\n".join((BOOK / f"{name}.md").read_text("utf-8") for name in ("api", *PAGES))
SECTION = PAGE.split("## Proof, name by name")[1].split("\n## ")[0]
ROWS = [line.strip("| \n").split(" | ") for line in SECTION.splitlines() if line.startswith("| `")]
NAMES = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])}


ANSWERS = {"Line", "Outcome", "Relation", "Foundation", "NotFound", "Farkas", "Template", "Found", "Induction", "Limit"}
"""Names that an example does not call: what others make or answer."""


def test_every_public_name_has_an_example() -> None:
    assert set(shbcore.proof.__all__) == NAMES


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_an_example_runs_and_shows_what_it_gives(row: list[str]) -> None:
    example, names = row[-1].strip("`"), re.findall(r"`(\w+)`", row[0])
    found = eval(example, dict(library.prepared("api_proof")))
    assert found is not None or names == ["recondition"]
    assert any(re.search(rf"\b{name}\b", example) for name in names) or set(names) <= ANSWERS
    shown = library.gives(found)
    assert shown
    assert "object at" not in shown
    assert "|" not in shown  # it would end the cell


def test_what_an_example_gives_is_set_as_mathematics() -> None:
    space = library.prepared("api_proof")
    for example, shown in (
        ("square(g_k)", r"$0\le \Vert g_k\Vert ^2$"),
        ("infimum(f, x_next)", r"$f^\star$<wbr>${}\le f(x_{k+1})$"),
        ("between(beta, 0, 1)", r"$\beta\in(0,1]$"),
        ("(A1, A2)", "(A1), (A2)"),
    ):
        assert library.gives(eval(example, dict(space))) == shown
    assert library.gives(True) == "`True`"


@pytest.mark.parametrize("page", PAGES)
def test_every_name_is_listed_and_linked(page: str) -> None:
    text = library.listing(page)
    shown = [one for one in library.described() if one.page == page]
    assert shown
    for one in shown:
        found = library.names(one)
        assert found
        assert all(f'href="#{one.module}.{name}"' in text for name in found)
        assert [name for name, words in found.items() if not 5 <= len(words) or words.count("$") % 2] == []
        module = importlib.import_module(one.module)
        assert [name for name in (*one.only, *one.without) if not hasattr(module, name)] == []


def test_a_label_of_the_paper_becomes_its_number() -> None:
    assert library.numbered("(``eq:Vfunc``)") == "`(10) <ledger.html#eq:Vfunc>`__"
    assert (
        library.numbered("Weights (``lem:Wfunc:smooth``).") == "Weights (`Lemma 5 <ledger.html#lem:Wfunc:smooth>`__)."
    )
    assert 'ledger.html#eq:Vfunc">(10)</a>' in library.numbered("``eq:Vfunc``", html=True)
    assert library.numbered("``beta_g0``") == "``beta_g0``"


def test_no_label_of_the_paper_is_left_on_a_page() -> None:
    for one in library.described():
        module = importlib.import_module(one.module)
        things = [module, *(getattr(module, name) for name in library.names(one))]
        docs = [str(thing.__doc__) for thing in things]
        docs += [str(part.__doc__) for thing in things if isinstance(thing, type) for part in vars(thing).values()]
        for doc in docs:
            assert not re.search(r"(?:eq|eqn|lem|thrm|alg):\w", re.sub(r"<[^>]*>", "", library.numbered(doc))), doc


RUN = re.compile(r"```\{printed\}\n(.*?)```", re.DOTALL)
TASKS = re.compile(r"```\{wanted\}\n(.*?)```", re.DOTALL)
SHOWN = {
    "api_model": ("rho = 2 and L^2 = 16",),
    "api_numerics": ("3 15/32 holds", "2 1565/2048", "SHB [inf, 29.0"),
    "api_proof": ("proved\nidentity fails",),
    "api_claims": ("as printed: false", "true at k = 0: False", "nine tenths of the share\nrejected: True"),
}
"""What the examples at the beginning of the pages must print among other things: the prose around them says so."""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_begins_with_an_example_that_prints_what_the_prose_says(page: str) -> None:
    text = (BOOK / f"{page}.md").read_text("utf-8")
    found = RUN.findall(text)
    assert len(found) == len(SHOWN[page])
    assert text.index("```{printed}") < text.index("```{wanted}") < text.index("library.listing")
    for block, said in zip(found, SHOWN[page], strict=True):
        assert said in plain_api.printed(block)
    assert "fails" not in plain_api.printed(found[0]) or page == "api_proof"


def test_the_first_run_prints_what_the_prose_says() -> None:
    (block,) = RUN.findall((BOOK / "api.md").read_text("utf-8"))
    assert [line.split()[-1] for line in plain_api.printed(block).splitlines()] == ["fails", "holds", "holds", "holds"]


def test_a_name_of_two_modules_of_a_page_is_told_apart() -> None:
    assert {"Setting", "bound", "given_past"} <= plain_api.shared()
    assert "shb" not in plain_api.shared()


def test_a_module_begins_with_its_import_and_a_name_of_shbcore_is_marked() -> None:
    for one in library.described():
        (said,) = plain_api.imported(one.module)
        space: dict[str, Any] = {}
        exec(re.findall(r"``(.*?)``", said)[0], space)
    marked = {
        name for one in library.described() for name in library.names(one) if plain_api.handed_on(one.module, name)
    }
    assert marked == set(shbcore.__all__)
    assert not plain_api.handed_on("shbcore.model.rational", "exact")


def test_every_scope_has_a_row_with_the_lines_that_it_may_use() -> None:
    rows = "\n".join(plain_api.members(shbcore.proof.Scope))
    assert rows.count("   * - ``") == len(shbcore.proof.Scope)
    assert "``STEP``\n     - for every :math:`k\\ge1`" in rows
    assert "``ANY``, ``INHERITED``, ``EVERY``, ``STEP``\n" in rows


PLAIN = (
    "Domain",
    "Range",
    "Definition",
    "Use",
    "Fact",
    "Line",
    "Limit",
    "Later",
    "Induction",
    "Summation",
    "Relation",
    "Statement",
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_an_example_gives_is_printed_in_plain_text(row: list[str]) -> None:
    found = eval(row[-1].strip("`"), dict(library.prepared("api_proof")))
    for one in found if isinstance(found, tuple) else (found,):
        if type(one).__name__ in PLAIN:
            assert str(one)
            assert "\\" not in str(one)
            assert not re.search(r"object at|\w+\(\w+=", str(one))


def test_relations_are_printed_in_plain_text() -> None:
    space = library.prepared("api_proof")
    for example, shown in (
        ("square(g_k - d_k)", "0 <= |g_k-d_k|^2"),
        ("free_prox(x_hat, d_k)", "<f'(x_hat_k)-1/lambda (x_bar_k-x_hat_k),d_k> = 0"),
        ("Domain(positive(nu), between(beta, 0, 1))", "nu > 0; beta in (0,1]"),
        ("defined(alpha, beta / nu)", "alpha = beta/nu"),
        ("Later(small)", "|d_{k+1}|^2>= 0, for every k>=0, with either start"),
    ):
        assert str(eval(example, dict(space))) == shown
    assert repr(eval("square(g_k)", dict(space))).startswith("Use(Fact(kind='square'")


def test_a_signature_tells_the_classes_of_the_library_that_it_takes() -> None:
    slack, trial = (importlib.import_module(f"shbcore.{name}") for name in ("numerics.slack", "claims.trial"))
    for thing, plain, told in (
        (slack.lemma_3, "(s, past, form='printed')", "(s: Setting, past: Past, form='printed')"),
        (trial.compare, "(statement, trial, k=0)", "(statement: Statement, trial: Trial, k=0)"),
        (trial.first_step_breaks, "(like, trial=AT_ONE)", "(like, trial: Trial = AT_ONE)"),
    ):
        found = plain_api.typed(thing, plain)
        assert re.sub(r"shbcore\.[\w.]*\.", "", found) == told
    assert "shbcore.numerics.slack.Setting" in plain_api.typed(slack.lemma_3, "(s, past)")


@pytest.mark.parametrize("page", PAGES)
def test_every_task_leads_to_the_description_of_a_name(page: str) -> None:
    (rows,) = TASKS.findall((BOOK / f"{page}.md").read_text("utf-8"))
    shown = library.wanted(page, rows.splitlines()).splitlines()
    assert len(shown) == len(rows.splitlines()) + 2 > 10
    assert [row for row in shown[2:] if "href=" not in row and "](#" not in row] == []


def test_a_name_that_is_nowhere_or_in_two_modules_is_refused() -> None:
    for name, words in (("nothing", "in 0 modules"), ("bound", "in 2 modules")):
        with pytest.raises(ValueError, match=words):
            library.entry(name, "api_numerics")
    assert (
        library.entry("Ball", "api_proof") == '<a href="api_model.html#shbcore.model.sets.Ball"><code>Ball</code></a>'
    )


def test_the_types_in_the_signatures_of_proofs_are_described() -> None:
    found = {name for one in library.described() if one.page == "api_proof" for name in library.names(one)}
    assert {"Use", "Fact", "Scope", "Line", "Outcome", "Domain"} <= found


def examples(section: str) -> list[list[str]]:
    return [line.strip("| \n").split(" | ") for line in section.splitlines() if line.startswith("| `")]


OURS = PAGE.split("## The names of `shbcore`")[1].split("\n## ")[0]
FIRST = examples(OURS)
OWN = ("from_functions", "estimated", "Stream")


def test_every_name_of_the_package_has_an_example() -> None:
    assert [name for row in FIRST for name in re.findall(r"`(\w+)`", row[0])] != []
    assert {name for row in FIRST for name in re.findall(r"`(\w+)`", row[0])} == {*shbcore.__all__, *OWN}


def given(section: str) -> dict[str, Any]:
    """What stands before the examples, run."""
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
        exec(block, space)
    return space


@pytest.mark.parametrize("row", FIRST, ids=lambda row: row[0])
def test_an_example_of_the_package_gives_what_the_page_says(row: list[str]) -> None:
    first, second = OURS.split("A problem of one's own")
    example, gives, (name,) = row[-2].strip("`"), row[-1].strip("`"), re.findall(r"`(\w+)`", row[0])
    space = given(OURS if name in OWN else first)
    assert str(eval(example, space)) == gives
    assert re.search(rf"\b{name}\b", example)
    assert (row[-2] in second) == (name in OWN)


def test_every_name_of_the_package_is_imported_before_the_examples() -> None:
    space = given(OURS)
    assert [name for name in (*shbcore.__all__, *OWN) if name not in space] == []
    assert space["problem"].value(Fraction(1)) == Fraction(1, 2)


def test_what_the_book_imports_of_model_and_numerics_is_there() -> None:
    cells = [
        "".join(cell["source"]) for one in BOOK.glob("*.ipynb") for cell in json.loads(one.read_text("utf-8"))["cells"]
    ]
    used = {name for cell in cells for name in re.findall(r"from (shbcore\.(?:model|numerics)\.\w+) import", cell)}
    shown = set(re.findall(r"automodule:: (\S+)", PAGE))
    assert used - shown == set()
    assert {"shbcore.model.own", "shbcore.numerics.envelope", "shbcore.model.phase"} <= shown
    for name in shown:
        importlib.import_module(name)


def test_public_names_say_what_they_are() -> None:
    proof = [getattr(shbcore.proof, name) for name in shbcore.proof.__all__]
    assert [one.__name__ for one in proof if callable(one) and hasattr(one, "__name__") and not one.__doc__] == []
    assert [name for name in shbcore.__all__ if not getattr(shbcore, name).__doc__] == []


LISTED = re.findall(r"\{automodule\} (\S+)|automodule:: (\S+)", PAGE)


def foreign(cls: type) -> list[str]:
    """Properties without words of their own that would inherit those of a value: ``vector = False`` has the words of ``bool``."""
    found = []
    for name, value in vars(cls).items():
        if isinstance(value, property) and not name.startswith("_") and not value.__doc__:
            above = [vars(base)[name] for base in cls.__mro__[1:] if name in vars(base)]
            found += [f"{cls.__name__}.{name}" for one in above[:1] if not isinstance(one, property)]
    return found


def test_no_property_is_described_by_the_words_of_a_builtin() -> None:
    modules = [importlib.import_module(one) for row in LISTED for one in row if one]
    classes = {one for module in modules for one in vars(module).values() if isinstance(one, type)}
    classes = {one for one in classes if one.__module__.startswith("shbcore")}
    assert len(classes) > 50
    assert [name for one in classes for name in foreign(one)] == []


def test_a_property_with_borrowed_words_is_found() -> None:
    class Base:
        vector = False
        other = False

    class Below(Base):
        @property
        def vector(self) -> bool:  # type: ignore[override]
            return True

        @property
        def other(self) -> bool:  # type: ignore[override]
            """Its own words."""
            return True

    assert foreign(Below) == ["Below.vector"]
