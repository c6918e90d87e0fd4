"""Sphinx extension: load MathJax on every page, since formulas stand in the sidebar and in tables of notebooks too."""

from typing import Any


def setup(app: Any) -> dict[str, Any]:
    app.set_html_assets_policy("always")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
