"""Sphinx extension: ``{shown} module.function`` puts what a function of ``shbcore.pages`` makes onto the page, at every build.

The function gives MyST (a string) or an ``Html`` piece.  So a page that only repeats the ledger needs no notebook and is never stale.
"""

from importlib import import_module
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList


class Shown(Directive):
    """The piece of a page that ``shbcore.pages.<module>.<function>(*arguments)`` makes; arguments are separated by spaces."""

    required_arguments = 1
    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        module, _, function = self.arguments[0].partition(".")
        piece = getattr(import_module(f"shbcore.pages.{module}"), function)(*self.arguments[1:])
        if not isinstance(piece, str):
            html = f'<div class="tex2jax_process mathjax_process">{piece.html}</div>'
            return [nodes.raw("", html, format="html")]
        holder = nodes.container()
        self.state.nested_parse(StringList(piece.splitlines(), "shbcore"), self.content_offset, holder)
        return list(holder.children)


def setup(app: Any) -> dict[str, Any]:
    app.add_directive("shown", Shown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
