"""The reference: every public name is there, and every example runs; so are the modules that the book imports."""

import importlib
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import shbcore.proof
from shbcore.pages.library import PAGES

BOOK = Path(__file__).parent.parent / "book"
PAGE = "\n".join((BOOK / f"{name}.md").read_text("utf-8") for name in ("api", *PAGES))
SECTION = PAGE.split("## Proof, name by name")[1].split("\n## ")[0]
ROWS = [line.strip("| \n").split(" | ") for line in SECTION.splitlines() if line.startswith("| `")]
NAMES = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])}


def test_every_public_name_has_an_example() -> None:
    assert set(shbcore.proof.__all__) == NAMES


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_an_example_runs(row: list[str]) -> None:
    space = {name: getattr(shbcore.proof, name) for name in shbcore.proof.__all__} | {"sp": sp}
    example = row[-1].strip("`")
    names = re.findall(r"`(\w+)`", row[0])
    assert eval(example, space) is not None or names == ["recondition"]
    used = any(re.search(rf"\b{name}\b", example) for name in names)
    assert used or names in (["Line"], ["Outcome"], ["Relation"], ["Foundation"])


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
