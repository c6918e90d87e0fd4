r"""Pictures of the experiments: courses of the gap, epochs to an accuracy, the plane of stepsize and momentum, all histories of a tree."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from shbcore.model.checks import Array
from shbcore.numerics import study
from shbcore.numerics.panels import EPSILON, FIGURE_1, FIGURES_2_3, Panel, rows
from shbcore.numerics.slack import Slack, average
from shbcore.numerics.sweep import SGD, Method
from shbcore.pages import style
from shbcore.pages.screens import EVEN

PRINTED: tuple[int, tuple[float, ...]] = (0, (2, 1.2))
"""Dash of SHB with the start as printed, z_0 = g_0; the solid line starts as the proofs need."""


def look(method: Method) -> dict[str, Any]:
    """Colour by method, dash by start."""
    role = style.SGD if method.name == "SGD" else style.SHB
    return {**role.line, **({"linestyle": PRINTED} if method.name == "SHB" and method.start == "g0" else {})}


def band(ax: Axes, x: Array, low: Array, middle: Array, high: Array, method: Method, shade: bool = True) -> None:
    """Median as a line, 10th to 90th percentile as a shade."""
    keywords = look(method)
    ax.plot(x, middle, **keywords, marker="o" if len(x) < 60 else None, markersize=3)
    if shade:
        ax.fill_between(x, low, high, color=keywords["color"], alpha=0.16, linewidth=0)


def course(ax: Axes, table: pd.DataFrame, panel: Panel, methods: Sequence[Method]) -> None:
    """One panel of figure 1: the gap over epochs, logarithmic; epochs on a square-root axis, since much happens at the start."""
    chosen = table[table["alpha_0"] == panel.alpha_0]
    for method in methods:
        courses = np.stack(rows(chosen, method)["course"].to_list())
        low, middle, high = np.maximum(study.percentiles(courses), 1e-3)  # a gap below zero has no logarithm
        band(ax, np.arange(float(courses.shape[1])), low, middle, high, method, shade=_shaded(method))
    ax.set_xscale("function", functions=(lambda q: np.sqrt(np.maximum(q, 0)), np.square))
    ax.set(yscale="log", xlim=(0, courses.shape[1] - 1), xticks=[0, 10, 50, 100, 200, 400])
    ax.set_title(rf"{panel.label}  $\kappa={panel.kappa:g}$, $\alpha_0={panel.alpha_0}$")


def _shaded(method: Method) -> bool:
    """Two bands are enough: SGD, and SHB with the start that the proofs need."""
    return method.name == "SGD" or method.start == "beta_g0"


def epochs(ax: Axes, table: pd.DataFrame, methods: Sequence[Method], epsilon: float, budget: int = 400) -> None:
    """One panel of figures 2 and 3: epochs to the accuracy over the initial stepsize; never is drawn above the budget."""
    for method in methods:
        arrived = study.arrivals(table, method, epsilon)
        low, middle, high = np.minimum(study.percentiles(arrived), 1.09 * budget)
        band(ax, arrived.columns.to_numpy(float), low, middle, high, method, _shaded(method))
    ax.axhspan(1.03 * budget, 1.24 * budget, color=style.NEUTRAL.color, alpha=0.18, linewidth=0)
    ax.text(0.5, 1.175 * budget, "never", transform=ax.get_yaxis_transform(), ha="center", va="center", fontsize=9)
    ax.set(xscale="log", ylim=(0, 1.24 * budget), yticks=np.linspace(0, budget, 5))


def figure_1(tables: Sequence[pd.DataFrame]) -> Figure:
    """All four panels of figure 1 from the tables of :func:`shbcore.numerics.panels.figure_1`."""
    fig, axes = style.figure(2, 2, height=5.4, xlabel="epoch $k/m$", ylabel=r"gap $f(x_k)-f(x^\star)$", sharex=True)
    for ax, panel in zip(axes.flat, FIGURE_1):
        course(ax, tables[0 if panel.kappa == 10 else 1], panel, (panel.shb("g0"), SGD, panel.shb()))
    style.label(axes[0, 0], 14, 5, "SHB", style.SHB, ha="right")
    style.label(axes[0, 0], 2.5, 75, "SHB, $z_0=g_0$", style.SHB, fontsize=9.5, math_fontfamily=EVEN)
    for ax, x, y in zip(axes.flat, (70, 110, 13, 20), (9, 50, 3e3, 1e6)):
        style.label(ax, x, y, "SGD", style.SGD)
    for ax, y in ((axes[0, 1], 1.1), (axes[1, 0], 3), (axes[1, 1], 1.5)):
        style.label(ax, 60, y, "SHB", style.SHB)
    axes[1, 1].set_ylim(bottom=0.1)
    for ax in axes.flat:
        ax.yaxis.label.set_math_fontfamily(EVEN)
    return fig


def interval(found: study.Width) -> str:
    """A width with its interval, which a narrow table puts into a line of its own, whole."""
    return str(found).replace(", ", ",\u00a0")


BETA = {"2(a)": r"1/\sqrt{K}", "2(b)": r"1/(\alpha_0\sqrt{K})", "3(a)": "0.1", "3(b)": "0.01"}


def figures_2_3(table: pd.DataFrame, labels: Sequence[str], epsilon: float = EPSILON) -> Figure:
    """The panels named by ``labels``, side by side."""
    chosen = [panel for panel in FIGURES_2_3 if panel.label in labels]
    titles = [rf"{panel.label}  $\beta={BETA[panel.label]}$" for panel in chosen]
    across, up = r"initial stepsize $\alpha_0$", rf"epochs to $\epsilon={epsilon:g}$"
    fig, axes = style.figure(1, len(chosen), height=3.2, titles=titles, sharey=True, xlabel=across, ylabel=up)
    for ax, panel in zip(axes.flat, chosen):
        epochs(ax, table, (panel.shb("g0"), SGD, panel.shb()), epsilon)
    ax, right = axes[0, 0 if "2(a)" in labels else -1], (1.9, 90) if "2(a)" in labels else (1.5, 120)
    style.label(ax, 0.33, 350, "SGD", style.SGD)
    style.label(ax, *right, "SHB", style.SHB)
    printed = (0.31, 240) if "2(a)" in labels else (0.046, 190)
    style.label(ax, *printed, "SHB,\n$z_0=g_0$", style.SHB, fontsize=9.5, math_fontfamily=EVEN)
    return fig


def plane(ax: Axes, medians: pd.DataFrame, budget: int) -> Any:
    r"""Median epochs to an accuracy over the :math:`(\alpha_0,\beta)` plane; hatched where the median never arrives."""
    shown = np.ma.masked_invalid(medians.to_numpy(float))
    alpha_0, beta = medians.columns.to_numpy(float), medians.index.to_numpy(float)
    mesh = ax.pcolormesh(alpha_0, beta, shown, cmap=style.LANDSCAPE, vmin=0, vmax=budget, shading="nearest")
    ax.set(xscale="log", yscale="log")
    ax.patch.set(hatch="////", edgecolor="#c4c8cd", linewidth=0)
    ax.grid(visible=False)
    return mesh


def histories(ax: Axes, levels: Sequence[Sequence[tuple[Any, Slack]]]) -> None:
    """The slack of every history of a tree, level by level, each beside the one it goes on from; dots grow with their probability.

    Histories with the same slack at a level are one dot.  The dashed line is the average over all of them.
    """
    for k, (level, after) in enumerate(pairwise(levels)):
        children = len(after) // len(level)
        edges = {(level[j // children][1].slack, one.slack) for j, (_, one) in enumerate(after)}
        for ends in sorted(edges):
            ax.plot((k, k + 1), [float(end) for end in ends], color=style.NEUTRAL.color, lw=0.6, alpha=0.55)
    for k, level in enumerate(levels):
        for slack in sorted({one.slack for _, one in level}):
            probability = float(sum(weight for weight, one in level if one.slack == slack))
            role = style.WRONG if slack < 0 else style.SHB
            ax.scatter(k, float(slack), s=16 + 170 * probability, color=role.color, zorder=3, linewidth=0)
    ax.plot([float(average(level).slack) for level in levels], **style.BOUND.line, lw=1.6, zorder=4)
    ax.axhline(0, color=style.INK, lw=0.8)


def save(tables: Sequence[pd.DataFrame], out: Path) -> list[Path]:
    """Draw figures 1, 2 and 3 into ``out``."""
    style.use()
    drawn = {
        "figure_1": figure_1(tables[:2]),
        "figure_2": figures_2_3(tables[2], ("2(a)", "2(b)")),
        "figure_3": figures_2_3(tables[2], ("3(a)", "3(b)")),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, fig in drawn.items():
        fig.savefig(out / f"{name}.png")
    return [out / f"{name}.png" for name in drawn]
