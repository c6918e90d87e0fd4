"""The five rooms: each imports only from the rooms above it, and every module belongs to one."""

import ast
from pathlib import Path

import pytest

import shbcore

ROOT = Path(shbcore.__file__).parent
ROOMS = ("model", "numerics", "proof", "claims", "pages")
FREE = {"__init__", "__main__"}
MODULES = sorted(path for path in ROOT.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The rooms that a module imports from, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "shbcore":
            names += [f"shbcore.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("shbcore.")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_from_the_rooms_above_it(path: Path) -> None:
    place = path.relative_to(ROOT).parts
    if len(place) == 1:
        assert path.stem in FREE
        return
    above = ROOMS[: ROOMS.index(place[0]) + 1]
    assert imported(path) <= set(above), f"{'/'.join(place)} imports from a room below it"


def test_the_test_sees_an_import_from_below(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    from shbcore.pages import style\n    return style\n")
    assert imported(wrong) == {"pages"}
