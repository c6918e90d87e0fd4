"""The reference of the proof room: every public name is there, and every example runs."""

import re
from pathlib import Path

import pytest
import sympy as sp

import shbcore.proof

PAGE = (Path(__file__).parent.parent / "book" / "api.md").read_text(encoding="utf-8")
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
