"""Sphinx extension: the library's pages without noise: no fields of named tuples ("Alias for field number 0"), short signatures."""

import inspect
import re
from collections import namedtuple
from enum import Enum
from typing import Any

FIELD = type(namedtuple("One", "field").field)  # type: ignore[attr-defined]
LONGEST = 120
OBJECT = re.compile(r"=(?:[A-Z]\w*\(|<|\d{7})")
"""A default that is an object of the library, or a field."""


def skip(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    return True if isinstance(obj, FIELD) else None


def shorten(app: Any, what: str, name: str, obj: Any, options: Any, signature: str, returned: str) -> Any:
    """A signature with a long default, or one that is no plain value, shows names of arguments only; that of an enumeration is left out."""
    if inspect.isclass(obj) and issubclass(obj, Enum):
        return "", returned
    if not signature or (len(signature) <= LONGEST and not OBJECT.search(signature)):
        return None
    return f"({', '.join(inspect.signature(obj).parameters)})", returned


def setup(app: Any) -> dict[str, Any]:
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
