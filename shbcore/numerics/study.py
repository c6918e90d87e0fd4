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


@dataclass(frozen=True)
class Verdict:
    """A sentence of the paper, whether the experiments bear it out, and the numbers that say so."""

    claim: str
    holds: bool
    numbers: str

    def __str__(self) -> str:
        return f"{'HOLDS' if self.holds else 'FAILS'}: {self.claim}\n       {self.numbers}"


class Width(NamedTuple):
    """Decades of working stepsizes, a 95 % bootstrap interval of them, and the working stepsizes at both ends (NaN: none)."""

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


def _longest(works: Array, alpha_0: Array) -> tuple[float, float]:
    """Ends of the longest interval of stepsizes that work; NaN if none does."""
    good = np.concatenate([[False], works, [False]])
    starts, ends = np.flatnonzero(good[1:] & ~good[:-1]), np.flatnonzero(good[:-1] & ~good[1:]) - 1
    if not starts.size:
        return np.nan, np.nan
    best = int(np.argmax(np.log(alpha_0[ends] / alpha_0[starts])))
    return float(alpha_0[starts[best]]), float(alpha_0[ends[best]])


def _decades(arrived: Array, alpha_0: Array) -> float:
    first, last = _longest(np.isfinite(percentiles(arrived, (0.5,))[0]), alpha_0)
    spacing = float(np.log10(alpha_0[-1] / alpha_0[0])) / max(alpha_0.size - 1, 1)
    return 0.0 if np.isnan(first) else float(np.log10(last / first)) + spacing


def _resampled(arrived: Array, alpha_0: Array, resamples: int, seed: int) -> Array:
    """Widths of bootstrap samples of the experiments; the same seed draws the same experiments for every method."""
    rng, size = np.random.default_rng(seed), len(arrived)
    return np.array([_decades(arrived[rng.integers(0, size, size)], alpha_0) for _ in range(resamples)])


def width(arrived: pd.DataFrame, *, resamples: int = 500, seed: int = 0) -> Width:
    """The width of a method."""
    alpha_0, data = arrived.columns.to_numpy(float), arrived.to_numpy(float)
    low, high = np.quantile(_resampled(data, alpha_0, resamples, seed), (0.025, 0.975))
    ends = _longest(np.isfinite(percentiles(data, (0.5,))[0]), alpha_0)
    return Width(_decades(data, alpha_0), float(low), float(high), *ends)


def advantage(table: pd.DataFrame, method: Method, epsilon: float, *, resamples: int = 500, seed: int = 0) -> Width:
    """Width of ``method`` less that of SGD, with a bootstrap over experiments that are shared by both; no ends."""
    ours, theirs = (arrivals(table, chosen, epsilon) for chosen in (method, SGD))
    alpha_0 = ours.columns.to_numpy(float)
    both = [_resampled(a.to_numpy(float), alpha_0, resamples, seed) for a in (ours, theirs)]
    low, high = np.quantile(both[0] - both[1], (0.025, 0.975))
    value = _decades(ours.to_numpy(float), alpha_0) - _decades(theirs.to_numpy(float), alpha_0)
    return Width(value, float(low), float(high), np.nan, np.nan)


def converges(tables: Sequence[pd.DataFrame], start: str, *, share: float = 0.05) -> Verdict:
    """'SHB converges in all settings of the figure': in at least half of the experiments of each panel the gap ends below a
    ``share`` of the gap at the start, and no run is lost."""
    parts, lost = {}, 0
    for panel in FIGURE_1:
        table = tables[0 if panel.kappa == 10 else 1]
        chosen = rows(table[table["alpha_0"] == panel.alpha_0], panel.shb(start))
        initial = chosen["course"].map(lambda course: course[0])
        parts[panel.label] = float((chosen["final"] <= share * initial).mean())
        lost += int((~np.isfinite(chosen["final"])).sum())
    numbers = ", ".join(f"{label}: {part:.0%}" for label, part in parts.items())
    text = f"gap below {share:.0%} of its start at the end of the budget, {numbers} of the runs; {lost} lost"
    return Verdict("SHB converges in all settings of figure 1", min(parts.values()) >= 0.5 and lost == 0, text)


def growth(tables: Sequence[pd.DataFrame], label: str, method: Method) -> Array:
    """Peak of the gap over its start, one number an experiment, in a panel of figure 1."""
    panel = next(panel for panel in FIGURE_1 if panel.label == label)
    table = tables[0 if panel.kappa == 10 else 1]
    chosen = rows(table[table["alpha_0"] == panel.alpha_0], method)
    return np.asarray(chosen["peak"] / chosen["course"].map(lambda course: course[0]), dtype=np.float64)


def transient_growth(tables: Sequence[pd.DataFrame], label: str = "1(d)", *, method: Method = SGD) -> Verdict:
    """'SGD exhibits a transient exponential growth before eventual convergence': at least half of the runs grow by more than
    a thousand, and end below where they started."""
    panel = next(panel for panel in FIGURE_1 if panel.label == label)
    table = tables[0 if panel.kappa == 10 else 1]
    chosen = rows(table[table["alpha_0"] == panel.alpha_0], method)
    initial = chosen["course"].map(lambda course: course[0]).to_numpy(float)
    back = float((chosen["final"].to_numpy(float) < initial).mean())
    exponent = float(np.log10(np.median(growth(tables, label, method))))
    text = f"the gap grows by a factor 10^{exponent:.0f} in the median; {back:.0%} of the runs end below their start"
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
        all(gain.low > 0 for gain in gains.values()),
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
        [gain.low > 0 for gain in gains[0]] == [gain.low > 0 for gain in gains[1]],
        f"decaying: SGD {sgd[0]} decades, SHB {shown[0]}; constant: SGD {sgd[1]} decades, SHB {shown[1]}",
    )


def widths_over_beta(plane: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    r"""Width and best median of every constant :math:`\beta` of a plane, from a table of constant momenta; :math:`\beta=1` is SGD."""
    records = []
    for beta, part in plane.groupby("beta"):
        arrived = part.pivot(index="experiment", columns="alpha_0", values=f"epochs_{epsilon:g}")
        found = width(arrived, resamples=200)
        records.append((beta, *found, float(percentiles(arrived)[1].min())))
    return pd.DataFrame(records, columns=["beta", "decades", "low", "high", "first", "last", "best"])


def independent_of_momentum(plane: pd.DataFrame, epsilon: float) -> tuple[Verdict, Verdict]:
    r"""Two readings of 'diverse values of the momentum constant': every :math:`\beta` of the plane is wider than SGD; and all are
    equally wide, up to one step of the grid."""
    found = widths_over_beta(plane, epsilon)
    sgd, shb = found[found["beta"] == 1.0].iloc[0], found[found["beta"] < 1.0]
    grid = np.sort(plane["alpha_0"].unique())
    step = float(np.log10(grid[-1] / grid[0])) / (grid.size - 1)
    span = f"{shb['decades'].min():.2f} to {shb['decades'].max():.2f} decades, SGD {sgd['decades']:.2f}"
    where = f"beta from {shb['beta'].min():.2g} to {shb['beta'].max():.2g}: {span}"
    wide, even = bool((shb["decades"] >= sgd["decades"]).all()), bool(np.ptp(shb["decades"]) <= 1.01 * step)
    return (
        Verdict(f"no momentum is narrower than SGD (epsilon = {epsilon:g})", wide, where),
        Verdict(f"the range does not depend on the momentum (epsilon = {epsilon:g})", even, where),
    )


def quadratic(alpha_0: float, beta: float, steps: int) -> Array:
    r""":math:`|x_k|` of SHB on :math:`x^2/2` from :math:`x_0=1`, without noise,
    :math:`\alpha_k=\alpha_0/\sqrt{k+1}`, :math:`z_0=\beta g_0`.

    For :math:`\beta=1` it is the product :math:`\prod_{j<k}|1-\alpha_0/\sqrt{j+1}|`: it grows exactly as long as
    :math:`\alpha_k>2`, that is :math:`k+1<\alpha_0^2/4`, and then by a factor exponential in :math:`\alpha_0^2`.
    """
    checks.positive("alpha_0", alpha_0, "the initial stepsize")
    checks.beta(beta)
    x, z, path = 1.0, 0.0, [1.0]
    for k in range(checks.count("steps", steps, "a path has steps")):
        z = (1 - beta) * z + beta * x
        x -= alpha_0 / np.sqrt(k + 1) * z
        path.append(abs(x))
    return np.array(path)
