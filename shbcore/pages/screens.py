r"""Figures for every screen: a notebook stores a figure as SVG for a desk, and inside it a second one for a phone.

The one for a phone is the same figure laid out anew: narrower, with the panels of a row one below the other, each with its labels,
and no letter smaller than that of a tick.  A cell that needs more says so with :func:`phone`.  The book takes both apart and gives
the colours names, so that they follow the theme of the page (:func:`themed`).
"""

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.collections import QuadMesh
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.text import Text

NARROW = 4.4
"""Inches of a figure on a phone: shown 350 pixels wide, its smallest letters are 10 pixels high."""
LEAST = 9.5
"""Points of the smallest letters there."""
ROW = 11.0
"""Points of the name of a row there, unless it is too long for that."""
EVEN = "dejavusans"
"""Letters of formulas that are as large as those of the words beside them."""
DARK = {
    "#222222": "#e4e7eb",
    "#000000": "#e4e7eb",
    "#ffffff": "#121212",
    "#e3e6ea": "#31363d",
    "#c4c8cd": "#3d4650",
    "#d5d9de": "#3d4650",
    "#808080": "#9aa3ad",
    "#8b929b": "#98a1ab",
    "#0b5394": "#62a8ea",
    "#e69f00": "#f0b440",
    "#c2185b": "#ff6f9f",
    "#0f7b6c": "#3dbfa9",
    "#7e57c2": "#b195ec",
}
"""Each colour of a figure and what it becomes on a dark page, whose background is that of paper here."""
_ROUNDED = re.compile(r' d="[^"]*"|translate\([^)]*\)| (?:x|y)="[^"]*"')
_RIM = re.compile(r'<path d="([^"]*)" style="[^"]*?(stroke:[^"]*)"/>\s*<path d="\1" style="(fill:[^";]*)"/>')
_FORMULA = re.compile(r"\$(?!\\mathdefault)[^$]+\$")
_PHONE, _END = '<metadata class="phone">', "</metadata>"


def phone(fig: Any, change: Callable[[], Any]) -> None:
    """Call ``change`` before the figure is drawn for a phone."""
    fig.for_phone = [*getattr(fig, "for_phone", ()), change]


def rows(ax: Any, half: float = 0.0) -> None:
    """On a phone the names of the rows stand above them, where they take no room from what is drawn.

    Bars, of which ``half`` is half the height, make room for them: they keep their lower half, and what is written on them follows.
    On every screen the formulas in a name are as large as its words.
    """

    def change() -> None:
        down = half if ax.yaxis_inverted() else -half
        for bar in ax.patches if half else ():
            bar.set(y=bar.get_y() + (half if down > 0 else 0), height=bar.get_height() / 2)
        for text in ax.texts:
            text.set_y(text.get_position()[1] + down / 2)
        above = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points", "va": "bottom", "fontsize": ROW}
        for y, name in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True):
            row = ax.annotate(name.get_text(), (0, y), xytext=(3, 2 if half else 5), **above)
            row.set_math_fontfamily(EVEN)
            row.set_in_layout(False)  # a long name takes no room from what is drawn; it is as small as it has to be
            room = 0.93 * NARROW * ax.figure.dpi / row.get_window_extent().width
            row.set_fontsize(min(ROW, max(LEAST, ROW * room)))
        ax.set_yticklabels([])
        ax.tick_params(axis="y", length=0)

    for name in ax.get_yticklabels():
        name.set_math_fontfamily(EVEN)
    phone(ax.figure, change)


def svg(fig: Figure) -> str:
    """A figure as SVG: the same bytes each time, letters as outlines, fields of many colours as one picture."""
    for one in fig.findobj(lambda artist: isinstance(artist, QuadMesh) or getattr(artist, "filled", False)):
        if isinstance(one, (QuadMesh, ContourSet)):
            one.set_rasterized(True)
    page = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    fig.canvas.print_figure(page, format="svg", metadata=nothing, bbox_inches="tight", pad_inches=0.06, dpi=200)
    text = re.sub(r"<!--.*?-->\s*", "", page.getvalue()[page.getvalue().index("<svg") :], flags=re.DOTALL)
    text = _ROUNDED.sub(lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found.group()), text)
    return _RIM.sub(r'<path d="\1" style="\3; \2; paint-order: stroke"/>', text)  # a letter and its rim in one


def fold(fig: Any) -> None:
    """Lay a figure out anew for a phone; what :func:`shbcore.pages.style.figure` made of several columns is stacked."""
    panels: Any = getattr(fig, "panels", np.empty((0, 0)))
    height = fig.get_figheight()
    if panels.ndim == 2 and panels.shape[1] > 1:
        shown = [(i, j) for i, j in np.ndindex(panels.shape) if panels[i, j].axison or panels[i, j].has_data()]
        height = len(shown) * min(2.6, max(2.2, 0.85 * height / panels.shape[0]))
        places = GridSpec(len(shown), 1, figure=fig)
        for ax in panels.flat:
            ax.set_visible(ax.axison or ax.has_data())
        for place, (i, j) in enumerate(shown):
            ax = panels[i, j]
            ax.set_subplotspec(places[place])
            ax.tick_params(labelbottom=True, labelleft=True)
            ax.set_xlabel(ax.get_xlabel() or panels[-1, j].get_xlabel())
            ax.set_ylabel(ax.get_ylabel() or panels[i, 0].get_ylabel())
    fig.set_size_inches(NARROW, height)
    for text in fig.findobj(Text):
        formula = _FORMULA.fullmatch(text.get_text())  # its letters are smaller than those of words
        text.set_fontsize(max(LEAST, text.get_fontsize()) * (1.15 if formula else 1))
    for change in getattr(fig, "for_phone", ()):
        change()


def bundle(fig: Any) -> dict[str, str]:
    """What a notebook stores of a figure: the SVG for a desk, and in it, where no viewer draws it, the one for a phone."""
    if not hasattr(fig, "drawn"):
        wide = svg(fig)
        fold(fig)
        fig.drawn = {"image/svg+xml": wide.replace("</svg>", f"{_PHONE}{svg(fig)}{_END}</svg>")}
    drawn: dict[str, str] = fig.drawn
    return drawn


def apart(text: str) -> tuple[str, str]:
    """The SVG for a desk and the one for a phone; both are the same if there is but one."""
    wide, found, rest = text.partition(_PHONE)
    if not found:
        return text, text
    narrow, _, end = rest.rpartition(_END)
    return wide + end, narrow


def themed(text: str) -> str:
    """An SVG whose colours follow the address it is asked for by, which ends in ``#light`` or ``#dark``: places in the drawing."""
    names = {light: f"--c{light[1:]}" for light in DARK}
    body = re.sub("|".join(DARK), lambda found: f"var({names[found.group()]})", text)
    light, dark = ("".join(f"{names[one]}:{tone};" for one, tone in tones) for tones in (zip(DARK, DARK), DARK.items()))
    looks = f"<style>svg{{{light}fill:var(--c000000)}}svg:target{{{dark}}}svg:target image{{filter:brightness(.72)}}</style>"
    return re.sub(r"<svg([^>]*)>", rf'<svg id="dark"\1>{looks}<g id="light"/>', body, count=1)
