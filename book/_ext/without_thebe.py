"""Sphinx extension: leave out the live-code launcher that jupyter-book always loads.

The book is read without a server, so its launcher only adds a script that points to another host, and adds it twice on every page.
"""

from typing import Any


def forget(app: Any, config: Any) -> None:
    """Disconnect every handler of the launcher before the first page is read, and its style sheet, which they would have copied."""
    for listeners in app.events.listeners.values():
        listeners[:] = [one for one in listeners if getattr(one.handler, "__module__", "") != "sphinx_thebe"]
    app.registry.css_files[:] = [one for one in app.registry.css_files if one[0] != "sphinx-thebe.css"]


def setup(app: Any) -> dict[str, Any]:
    app.connect("config-inited", forget)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
