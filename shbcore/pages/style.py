r"""How the book looks: one colour per role, one figure style, verdicts in words; the cards of ``shbcore.pages.cards`` come along.

A role has a colour, a dash and a marker, so that it is told apart in colour, in grey and by a colour-blind reader.
Figures follow the theme of the page and the width of the screen: see :mod:`shbcore.pages.screens`.
Importing this module changes nothing; :func:`use` does.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib import import_module
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from shbcore.claims.registry import claim
from shbcore.pages.cards import Html, maths, of_chapter
from shbcore.pages.cards import called as called
from shbcore.pages.cards import certificate as certificate
from shbcore.pages.cards import entry as entry
from shbcore.pages.cards import erratum as erratum
from shbcore.pages.cards import foundations as foundations
from shbcore.pages.cards import matrix as matrix
from shbcore.pages.cards import statement as statement
from shbcore.pages.cards import table as table
from shbcore.pages.diagram import plain as plain
from shbcore.pages.screens import bundle
from shbcore.pages.screens import phone as phone
from shbcore.pages.screens import rows as rows

claims = of_chapter


class Role(NamedTuple):
    """Look of everything that plays one part: colour, dash pattern, marker."""

    color: str
    dash: Any
    marker: str

    @property
    def line(self) -> dict[str, Any]:
        """Keywords for ``ax.plot``: colour and dash."""
        return {"color": self.color, "linestyle": self.dash}

    @property
    def points(self) -> dict[str, Any]:
        """Keywords for ``ax.plot``: colour and marker, no line."""
        return {"color": self.color, "linestyle": "none", "marker": self.marker, "markersize": 6}


SHB = Role("#0b5394", "-", "o")
SGD = Role("#e69f00", "-", "s")
BOUND = Role("#222222", (0, (5, 2)), "D")
WRONG = Role("#c2185b", (0, (1, 1.2)), "X")
NEUTRAL = Role("#8b929b", "-", ".")
ENVELOPE = Role("#0f7b6c", "-", "^")
ACCENT = Role("#7e57c2", (0, (7, 1.5, 1.5, 1.5)), "v")
INK, PAPER, GRID = "#222222", "#ffffff", "#e3e6ea"
LANDSCAPE = LinearSegmentedColormap.from_list("landscape", ["#0b3c6f", "#3f7fb5", "#9cc3dd", "#dfe9ee", "#fbf7ee"])
WIDTH = 6.4
"""Inches of a figure that fills the page: letters stay readable at 700 pixels and on a phone."""


def use() -> None:
    """Set the style of all figures, and let a notebook store them for every screen, free of time stamps."""
    mpl.rcdefaults()
    ink = dict.fromkeys(("axes.labelcolor", "text.color", "xtick.color", "ytick.color"), INK)
    card = dict.fromkeys(("figure.facecolor", "savefig.facecolor", "axes.facecolor"), PAPER)
    size = {"font.size": 11, "axes.titlesize": 11, "axes.labelsize": 11, "xtick.labelsize": 9.5, "ytick.labelsize": 9.5}
    frame = {
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": NEUTRAL.color,
        "legend.frameon": False,
    }
    grid = {"axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.7, "axes.axisbelow": True}
    page = {
        "figure.figsize": (WIDTH, 3.4),
        "figure.dpi": 200,
        "savefig.dpi": 200,
        "figure.constrained_layout.use": True,
    }
    cycle = cycler(color=[role.color for role in (SHB, SGD, ENVELOPE, ACCENT, WRONG, NEUTRAL)])
    other = {"axes.titlelocation": "left", "mathtext.fontset": "cm", "lines.linewidth": 2.0, "svg.hashsalt": "shbcore"}
    settings: dict[Any, Any] = {**ink, **card, **size, **frame, **grid, **page, **other, "axes.prop_cycle": cycle}
    mpl.rcParams.update(settings)
    try:
        inline: Any = import_module("matplotlib_inline.backend_inline")
    except ImportError:  # outside a notebook there is nothing more to set
        return
    inline.set_matplotlib_formats()
    if (shell := import_module("IPython").get_ipython()) is not None:
        shell.display_formatter.mimebundle_formatter.for_type(Figure, bundle)


def figure(
    rows: int = 1,
    cols: int = 1,
    *,
    height: float = 3.4,
    titles: Sequence[str] = (),
    xlabel: str = "",
    ylabel: str = "",
    narrow: float = 0,
    **options: Any,
) -> tuple[Figure, np.ndarray]:
    """A figure as wide as the page and ``height`` inches high, with ``rows`` x ``cols`` axes (always a 2-D array).

    Titles go to the axes in reading order, the labels to the bottom row and to the left column; ``narrow`` is the height on a phone.
    """
    fig, axes = plt.subplots(rows, cols, figsize=(WIDTH, height), squeeze=False, **options)
    for ax, title in zip(axes.flat, titles, strict=False):
        ax.set_title(title)
    for ax in axes[-1]:
        ax.set_xlabel(xlabel)
    for ax in axes[:, 0]:
        ax.set_ylabel(ylabel)
    fig.panels = axes
    if narrow:
        phone(fig, lambda: fig.set_figheight(narrow))
    return fig, axes


def label(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    role: Role | str = INK,
    *,
    narrow: str | tuple[float, float] | None = None,
    **options: Any,
) -> None:
    """Write ``text`` at the point (x, y) in the colour of its role, with a white rim: a label instead of a legend.

    On a phone it may stand elsewhere or say less: ``narrow`` is another point, or another text.
    """
    from matplotlib.patheffects import withStroke

    color = role.color if isinstance(role, Role) else role
    rim = [withStroke(linewidth=3, foreground=PAPER)]
    note = ax.annotate(text, (x, y), **{"color": color, "path_effects": rim, "va": "center", "zorder": 10, **options})
    if narrow is not None:
        phone(ax.figure, lambda: note.set(**{"text" if isinstance(narrow, str) else "position": narrow}))


def curve(
    ax: Axes,
    function: Callable[[Any], Any],
    xs: np.ndarray,
    role: Role,
    text: str = "",
    at: float = 0.0,
    **options: Any,
) -> None:
    """Draw a function of one number over ``xs`` in its role; ``text`` names it, just above its graph at ``at``."""
    ax.plot(xs, [float(function(x)) for x in xs], **{**role.line, **options})
    if text:
        label(ax, at, float(function(at)), text, role, xytext=(0, 11), textcoords="offset points", ha="center")


def worded(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> Html:
    """A table of words, with formulas in plain letters or between dollars; a label between backticks leads to its entry in the ledger."""

    def cell(text: str) -> str:
        link = re.fullmatch("`([^`]+)`", text)
        at = escape(link[1]) if link else ""
        return f'<a href="ledger.html#{at}"><code>{at}</code></a>' if link else maths(text)

    body = [[str(one) for one in row] for row in rows]
    head = "".join(f"<th>{maths(one)}</th>" for one in headers)
    lines = "".join(f"<tr>{''.join(f'<td>{cell(one)}</td>' for one in row)}</tr>" for row in body)
    html = f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return Html(html, "\n".join(" | ".join(row) for row in [list(headers), *body]))


def source(*things: Any) -> Html:
    """Lines, checked now, as LaTeX for a paper: what is assumed, the formulas, the ranges."""
    body = statement("own", *things).myst.partition("\n\n")[2].removesuffix("\n````")
    text = re.sub(r"\$\$\n(.*?)\n\$\$", r"\\[\n\1\n\\]", body, flags=re.DOTALL).replace("\n\n", "\n")
    return Html(f'<pre class="latex tex2jax_ignore mathjax_ignore">{escape(text, quote=False)}</pre>', text)


def refused(*labels: str, kinds: Sequence[str] = ("certificate",)) -> Html:
    """What the checks of these claims refuse, each change once; every check is run now and has to pass, and its control to fail."""
    rows = []
    for label in labels:
        entry, said = claim(label), []
        for one in entry.checks:
            if one.kind in kinds:
                if not one.run().passed or one.control().passed:
                    raise AssertionError(f"{label}: {one.what}, or its control, is not as it has to be")
                said.append(one.control_what)
        rows.append((entry.title, "; ".join(dict.fromkeys(said))))
    return table(rows, ("Place", "refused"))


def _decided(ok: Any) -> bool:
    """A truth value; a formula, a number or a list is none, and is refused."""
    if not isinstance(ok, (bool, np.bool_)):
        raise TypeError(f"a verdict needs True or False, got {type(ok).__name__}")
    return bool(ok)


def verdict(text: str, ok: Any) -> bool:
    """Print the outcome of a check in words and return it, so that a cell can say ``assert verdict(...)``."""
    good = _decided(ok)
    print(f"{'HOLDS' if good else 'FAILS'}: {plain(text)}")
    return good


def rejected(text: str, ok: Any) -> bool:
    """Print in words whether a control was rejected, as it has to be, and return it: ``assert rejected("9/10 of rho", bad)``."""
    good = _decided(ok)
    print(f"CONTROL {'REJECTED' if good else 'ACCEPTED'}: {plain(text)}")
    return good


def refuted(text: str, ok: Any) -> bool:
    """Print in words whether a claim was broken, and return it: ``assert refuted("1 <= 1/2", 1 > 1/2)``."""
    good = _decided(ok)
    print(f"{'REFUTED' if good else 'NOT REFUTED'}: {plain(text)}")
    return good
