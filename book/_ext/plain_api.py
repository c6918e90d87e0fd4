"""Sphinx extension: leave out of the library's pages what a named tuple says about its fields ("Alias for field number 0")."""

from collections import namedtuple
from typing import Any

FIELD = type(namedtuple("One", "field").field)  # type: ignore[attr-defined]


def skip(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    return True if isinstance(obj, FIELD) else None


def setup(app: Any) -> dict[str, Any]:
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
