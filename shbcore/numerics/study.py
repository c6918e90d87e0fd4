r"""What the paper's experiments are said to show, as hypotheses with numbers.

Runs that never reach the accuracy count as infinitely late, and percentiles are order statistics: the median is finite if and only if
at least half of the runs arrive.  A stepsize *works* if the median arrives within the budget; the *width* of a method is the length, in
decades of :math:`\alpha_0`, of its longest interval of working stepsizes on the grid, each counted with the spacing of the grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.numerics.panels import FIGURE_1, FIGURES_2_3, rows
from shbcore.numerics.sweep import SGD, Method

LEVELS = (0.1, 0.5, 0.9)
CLEAR = 1e-9
"""A gain in decades that is more than rounding."""


@dataclass(frozen=True)
class Verdict:
    """What became of a sentence of the paper: whether the experiments bear it out, and the numbers that say so."""

    claim: str
    holds: bool
    numbers: str

    def __str__(self) -> str:
        return f"{'HOLDS' if self.holds else 'FAILS'}: {self.claim}\n       {self.numbers}"


class Width(NamedTuple):
    """The width of a method: decades of working stepsizes, a 95 % bootstrap interval of them, and the working stepsizes at
    both ends (NaN: none)."""

    decades: float
    low: float
    high: float
    first: float
    last: float

    def __str__(self) -> str:
        return f"{self.decades:.2f} [{self.low:.2f}, {self.high:.2f}]"


def arrivals(table: pd.DataFrame, method: Method, epsilon: float) -> pd.DataFrame:
    r"""Epochs to :math:`\epsilon`: a row an experiment, a column a stepsize, infinity for never."""
    return rows(table, method).pivot(index="experiment", columns="alpha_0", values=f"epochs_{epsilon:g}")


def percentiles(samples: pd.DataFrame | Array, levels: Sequence[float] = LEVELS) -> Array:
    """Order statistics of every column: the least value that a share ``level`` of the runs does not exceed."""
    return np.asarray(np.quantile(np.asarray(samples), levels, axis=0, method="inverted_cdf"))


def _works(arrived: Array) -> Array:
    """Stepsizes whose median arrives: at least half of the experiments (axis -2) do."""
    return np.asarray(2 * np.isfinite(arrived).sum(axis=-2) >= arrived.shape[-2])


def _longest(works: Array) -> tuple[int, int]:
    """First and last index of the longest run of True; (0, -1) if there is none."""
    good = np.concatenate([[False], works, [False]])
    starts, ends = np.flatnonzero(good[1:] & ~good[:-1]), np.flatnonzero(good[:-1] & ~good[1:]) - 1
    best = int(np.argmax(ends - starts)) if starts.size else 0
    return (int(starts[best]), int(ends[best])) if starts.size else (0, -1)


def _spacing(alpha_0: Array) -> float:
    return float(np.log10(alpha_0[-1] / alpha_0[0])) / max(alpha_0.size - 1, 1)


def _decades(works: Array, alpha_0: Array) -> Array:
    """Length of the longest run of True along the last axis, times the spacing of the grid."""
    run = best = np.zeros(works.shape[:-1])
    for column in np.moveaxis(works, -1, 0):
        run = (run + 1) * column
        best = np.maximum(best, run)
    return best * _spacing(alpha_0)


def _resampled(arrived: Array, alpha_0: Array, resamples: int, seed: int) -> Array:
    """Widths of bootstrap samples of the experiments; the same seed draws the same experiments for every method."""
    chosen = np.random.default_rng(seed).integers(0, len(arrived), (resamples, len(arrived)))
    return _decades(_works(arrived[chosen]), alpha_0)


def width(arrived: pd.DataFrame, *, resamples: int = 500, seed: int = 0) -> Width:
    """The width of a method on a grid evenly spaced in the logarithm."""
    alpha_0, data = arrived.columns.to_numpy(float), arrived.to_numpy(float)
    low, high = np.quantile(_resampled(data, alpha_0, resamples, seed), (0.025, 0.975))
    first, last = _longest(_works(data))
    ends = (alpha_0[first], alpha_0[last]) if last >= first else (np.nan, np.nan)
    return Width(float(_decades(_works(data), alpha_0)), float(low), float(high), float(ends[0]), float(ends[1]))


def advantage(table: pd.DataFrame, method: Method, epsilon: float, *, resamples: int = 500, seed: int = 0) -> Width:
    """Width of ``method`` less that of SGD, with a bootstrap over experiments that are shared by both; no ends."""
    found = [arrivals(table, chosen, epsilon) for chosen in (method, SGD)]
    alpha_0 = found[0].columns.to_numpy(float)
    ours, theirs = (_resampled(arrived.to_numpy(float), alpha_0, resamples, seed) for arrived in found)
    low, high = np.quantile(ours - theirs, (0.025, 0.975))
    value = [float(_decades(_works(arrived.to_numpy(float)), alpha_0)) for arrived in found]
    return Width(value[0] - value[1], float(low), float(high), np.nan, np.nan)


def panel_rows(tables: Sequence[pd.DataFrame], label: str, method: Method) -> pd.DataFrame:
    """Runs of one method in a panel of figure 1, with the gap at the start as a column."""
    panel = next(panel for panel in FIGURE_1 if panel.label == label)
    table = tables[0 if panel.kappa == 10 else 1]
    chosen = rows(table[table["alpha_0"] == panel.alpha_0], method)
    return chosen.assign(initial=[course[0] for course in chosen["course"]])


def converges(tables: Sequence[pd.DataFrame], start: str, *, share: float = 0.1) -> Verdict:
    """'SHB converges in all settings of the figure': in at least half of the experiments of each panel the gap ends below a
    ``share`` of the gap at the start, and no run is lost."""
    found = {panel.label: panel_rows(tables, panel.label, panel.shb(start)) for panel in FIGURE_1}
    parts = {label: float((part["final"] <= share * part["initial"]).mean()) for label, part in found.items()}
    lost = sum(int((~np.isfinite(part["final"])).sum()) for part in found.values())
    numbers = ", ".join(f"{label} {part:.0%}" for label, part in parts.items())
    text = f"runs that end below {share:.2g} of their start: {numbers}; {lost} lost"
    return Verdict("SHB converges in all settings of figure 1", min(parts.values()) >= 0.5 and lost == 0, text)


def growth(tables: Sequence[pd.DataFrame], label: str, method: Method) -> Array:
    """Peak of the gap over its start, one number an experiment, in a panel of figure 1."""
    chosen = panel_rows(tables, label, method)
    return np.asarray(chosen["peak"] / chosen["initial"], dtype=np.float64)


def transient_growth(tables: Sequence[pd.DataFrame], label: str = "1(d)", *, method: Method = SGD) -> Verdict:
    """'SGD exhibits a transient exponential growth before eventual convergence': at least half of the runs grow by more than
    a thousand, and end below where they started."""
    chosen = panel_rows(tables, label, method)
    back = float((chosen["final"] < chosen["initial"]).mean())
    exponent = float(np.log10(np.median(growth(tables, label, method))))
    text = f"factor 10^{exponent:.0f} in the median; {back:.0%} of the runs end below their start"
    return Verdict(f"{method.name} shows transient growth in figure {label}", exponent > 3 and back >= 0.5, text)


def wider(table: pd.DataFrame, epsilon: float, start: str) -> Verdict:
    """'A wider range of stepsizes' than SGD, for each momentum rule of figures 2 and 3: the interval of the gain is above zero."""
    gains = {panel.label: advantage(table, panel.shb(start), epsilon) for panel in FIGURES_2_3}
    sgd = width(arrivals(table, SGD, epsilon))
    numbers = "; ".join(
        f"{label} {gain.decades:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]" for label, gain in gains.items()
    )
    return Verdict(
        f"SHB works for a wider range of stepsizes than SGD (epsilon = {epsilon:g}, start {start})",
        all(gain.low > CLEAR for gain in gains.values()),
        f"SGD {sgd} decades; SHB more by {numbers}",
    )


def same_picture(decaying: pd.DataFrame, constant: pd.DataFrame, epsilon: float, start: str) -> Verdict:
    r"""':math:`\alpha_0/\sqrt{K+1}` ... will not change the qualitative aspects of our plots in any way': SHB must be wider than SGD
    for every rule with the constant stepsize if it is with the decaying one."""
    gains = [[advantage(t, p.shb(start), epsilon) for p in FIGURES_2_3] for t in (decaying, constant)]
    sgd = [width(arrivals(t, SGD, epsilon)) for t in (decaying, constant)]
    shown = [f"{min(g.decades for g in row):+.2f} to {max(g.decades for g in row):+.2f}" for row in gains]
    return Verdict(
        f"the constant stepsize does not change the picture (epsilon = {epsilon:g}, start {start})",
        [gain.low > CLEAR for gain in gains[0]] == [gain.low > CLEAR for gain in gains[1]],
        f"decaying: SGD {sgd[0]} decades, SHB {shown[0]}; constant: SGD {sgd[1]} decades, SHB {shown[1]}",
    )


def medians(plane: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    r"""Median epochs to :math:`\epsilon`: a row a :math:`\beta`, a column an :math:`\alpha_0`."""
    cells = plane.groupby(["beta", "alpha_0"])[f"epochs_{epsilon:g}"]
    return cells.agg(lambda times: float(percentiles(times.to_numpy(), (0.5,))[0])).unstack()


def widths_over_beta(plane: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    r"""Width and best median of every constant :math:`\beta` of a plane, from a table of constant momenta; :math:`\beta=1` is SGD."""
    records = []
    for beta, part in plane.groupby("beta"):
        arrived = part.pivot(index="experiment", columns="alpha_0", values=f"epochs_{epsilon:g}")
        found = width(arrived)
        records.append((beta, *found, float(percentiles(arrived)[1].min())))
    return pd.DataFrame(records, columns=["beta", "decades", "low", "high", "first", "last", "best"])


def independent_of_momentum(plane: pd.DataFrame, epsilon: float) -> tuple[Verdict, Verdict]:
    r"""Two readings of 'diverse values of the momentum constant': every :math:`\beta` of the plane is wider than SGD; and all are
    equally wide, up to one step of the grid."""
    found = widths_over_beta(plane, epsilon)
    sgd, shb = found[found["beta"] == 1.0].iloc[0], found[found["beta"] < 1.0]
    step = _spacing(np.sort(plane["alpha_0"].unique()))
    span = f"{shb['decades'].min():.2f} to {shb['decades'].max():.2f} decades, SGD {sgd['decades']:.2f}"
    where = f"beta from {shb['beta'].min():.2g} to {shb['beta'].max():.2g}: {span}"
    wide, even = bool((shb["decades"] >= sgd["decades"] - CLEAR).all()), bool(np.ptp(shb["decades"]) <= 1.01 * step)
    return (
        Verdict(f"no momentum is narrower than SGD (epsilon = {epsilon:g})", wide, where),
        Verdict(f"the range does not depend on the momentum (epsilon = {epsilon:g})", even, where),
    )


def quadratic(alpha_0: float, beta: float, steps: int) -> Array:
    r"""The distances :math:`|x_k|` of SHB on :math:`x^2/2` from :math:`x_0=1`, without noise,
    :math:`\alpha_k=\alpha_0/\sqrt{k+1}`, :math:`z_0=\beta g_0`.

    For :math:`\beta=1` it is the product :math:`\prod_{j<k}|1-\alpha_0/\sqrt{j+1}|`: it grows exactly as long as
    :math:`\alpha_k>2`, that is :math:`k+1<\alpha_0^2/4`, in all by a factor exponential in :math:`\alpha_0^2`.
    """
    checks.positive("alpha_0", alpha_0, "the initial stepsize")
    checks.beta(beta)
    x, z, path = 1.0, 0.0, [1.0]
    for k in range(checks.count("steps", steps, "a path has steps", most=10**7)):
        z = (1 - beta) * z + beta * x
        x -= alpha_0 / np.sqrt(k + 1) * z
        path.append(abs(x))
    return np.array(path)
