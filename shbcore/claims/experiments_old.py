r"""Evidence for section 5: exact where a sentence is arithmetic, small repetitions of the figures where it is a picture.

The repetitions here are reduced (a few experiments, four stepsizes a decade), so that ``verify`` stays short; the book shows the
full size.  They are numeric evidence, and each negative control is a neighbouring claim that the same numbers refuse.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, isqrt

import numpy as np
import pandas as pd
import sympy as sp

from shbcore.claims.evidence_old import Counterexample, Line, against, exact, identity, refuted
from shbcore.claims.ledger import Check, Outcome
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.numerics import panels, study
from shbcore.numerics.engine import execute
from shbcore.numerics.sweep import SGD, Setting, draw, grid

EXPERIMENTS = 8
START = "beta_g0"
WIDE = grid(0.01, 10.0, 4)
beta, c = sp.symbols("beta c")


@cache
def figure_1() -> tuple[pd.DataFrame, ...]:
    """Figure 1 with few experiments."""
    return execute(panels.figure_1(experiments=EXPERIMENTS)).tables


@cache
def figures_2_3() -> pd.DataFrame:
    """Figures 2 and 3 with few experiments and a coarser grid."""
    return execute([panels.figures_2_3(experiments=EXPERIMENTS, alpha_0=WIDE)]).tables[0]


@cache
def constant_step() -> pd.DataFrame:
    r"""The same with :math:`\alpha_0/\sqrt{K+1}`, on a grid that reaches beyond what works."""
    return execute([panels.constant_step(experiments=EXPERIMENTS, alpha_0=grid(0.1, 1000.0, 4))]).tables[0]


@cache
def figure_1d_constant() -> pd.DataFrame:
    r"""SGD in panel 1(d), same data and samples, with :math:`\alpha_0/\sqrt{K+1}`."""
    work = panels.figure_1(experiments=EXPERIMENTS)[1]
    setting = replace(work.setting, step="constant")
    return execute([replace(work, name="figure_1d_constant", setting=setting, methods=(SGD,), alpha_0=(0.15,))]).tables[
        0
    ]


def transient(tables: tuple[pd.DataFrame, ...]) -> Outcome:
    """Whether SGD in panel 1(d) grows by more than a thousand in the median before it comes back."""
    return spoken(study.transient_growth(tables))


def numeric(what: str, run: Callable[[], Outcome], control: Callable[[], Outcome], control_what: str) -> Check:
    """Floating-point evidence from repetitions of an experiment."""
    return Check("numeric", f"{what} ({EXPERIMENTS} experiments)", run, control, control_what)


def spoken(verdict: study.Verdict) -> Outcome:
    """A verdict of the study as an outcome."""
    return Outcome(verdict.holds, verdict.numbers)


def gain(table: Callable[[], pd.DataFrame], labels: str, *, turned: bool = False) -> Outcome:
    """Whether SHB works for a wider range than SGD in the panels ``labels``; ``turned`` asks the opposite."""
    chosen = [panel for panel in panels.FIGURES_2_3 if panel.label in labels.split()]
    found = {panel.label: study.advantage(table(), panel.shb(START), panels.EPSILON) for panel in chosen}
    text = ", ".join(
        f"{label}: {width.decades:+.2f} [{width.low:+.2f}, {width.high:+.2f}]" for label, width in found.items()
    )
    holds = all(width.high < 0 if turned else width.low > 0 for width in found.values())
    return Outcome(holds, f"decades of alpha_0 more than SGD, with the 95 % interval: {text}")


def wider(what: str, labels: str) -> Check:
    """SHB against SGD in some panels of figures 2 and 3."""
    return numeric(
        what, lambda: gain(figures_2_3, labels), lambda: gain(figures_2_3, labels, turned=True), "SGD is the wider one"
    )


def grown(labels: str, method: str, most: float, least: float = 0.0) -> Outcome:
    """Median growth of the gap in panels of figure 1, between two bounds."""
    found = {}
    for panel in panels.FIGURE_1:
        if panel.label in labels.split():
            chosen = SGD if method == "SGD" else panel.shb(START)
            found[panel.label] = float(np.median(study.growth(figure_1(), panel.label, chosen)))
    holds = all(least <= factor <= most for factor in found.values())
    return Outcome(holds, f"{method}: " + ", ".join(f"{label} {factor:.3g}" for label, factor in found.items()))


def data(kappa: float, radius: float) -> Outcome:
    """One draw of the data: shape, the scale of the columns of A, the length of x*."""
    instance = phase_retrieval(300, 100, 10.0, 0.2, np.random.default_rng(3))
    assert isinstance(instance.problem, RobustPhaseRetrieval)
    A, truth = instance.problem.A, instance.truth
    scale = np.sqrt((A**2).mean(axis=0)) / np.linspace(1 / kappa, 1, 100)
    fits = (
        A.shape == (300, 100) and bool(np.all(np.abs(scale - 1) < 0.25)) and abs(np.linalg.norm(truth) - radius) < 1e-12
    )
    return Outcome(
        bool(fits),
        f"A is {A.shape}, columns within {np.abs(scale - 1).max():.0%} of D, |x*| = {np.linalg.norm(truth):.3f}",
    )


def objective(factor: float) -> Outcome:
    """The objective against its formula at a random point."""
    rng = np.random.default_rng(4)
    instance = phase_retrieval(30, 5, 2.0, 0.2, rng)
    assert isinstance(instance.problem, RobustPhaseRetrieval)
    A, b, x = instance.problem.A, instance.problem.b, rng.standard_normal(5)
    gap = abs(instance.problem.value(x) - factor * np.abs((A @ x) ** 2 - b).mean())
    return Outcome(bool(gap < 1e-12), f"difference {gap:.1e}")


def starting_point(coordinates: int) -> Outcome:
    r"""Whether :math:`x_0` is standard normal in so many coordinates, by its mean square over the experiments."""
    starts = np.array([draw(Setting(), 2020, experiment)[0].x_0 for experiment in range(EXPERIMENTS)])
    square = float((starts**2).sum(axis=1).mean())
    spread = 4 * np.sqrt(2 * coordinates / EXPERIMENTS)
    return Outcome(
        abs(square - coordinates) < spread, f"{starts.shape[1]} coordinates, mean of |x_0|^2 is {square:.1f}"
    )


def budget(epochs: int) -> Outcome:
    """Whether every run of figure 1 has so many epochs of m steps, and a run that never arrives counts as infinitely late."""
    lengths = {len(course) - 1 for table in figure_1() for course in table["course"]}
    late = study.percentiles(np.array([[1.0], [2.0], [np.inf]]))[2, 0]
    return Outcome(
        lengths == {epochs} and epochs * Setting().m == Setting().K and np.isinf(late),
        f"epochs {sorted(lengths)}, K = {Setting().K}; the 90th percentile of 1, 2, never is {late}",
    )


def mean_of_moduli(divide: bool) -> Iterator[Line]:
    r""":math:`h(c(x))` against :math:`f(x)` for :math:`m=2`, :math:`a=1,b=1` and :math:`a=2,b=9`, with or without the factor 1/m."""
    for x in (Fraction(0), Fraction(1, 2), Fraction(3), Fraction(-2)):
        moduli = [abs(x * x - 1), abs(4 * x * x - 9)]
        yield Line(sum(moduli) / (2 if divide else 1), Fraction(sum(moduli), 2), "=")


def exactly_expected(trials: int, p: Fraction) -> Line:
    """The probability that exactly p m of m measurements are corrupted, against 1."""
    hits = int(p * trials)
    return Line(comb(trials, hits) * p**hits * (1 - p) ** (trials - hits), Fraction(1), "=")


def growth_of_the_parabola(alpha_0: int) -> Fraction:
    r"""A lower bound of :math:`\prod_{j<\alpha_0^2/4}(\alpha_0/\sqrt j-1)`, with :math:`\sqrt j` rounded up to three digits."""
    product = Fraction(1)
    for j in range(1, alpha_0**2 // 4):
        product *= alpha_0 / Fraction(isqrt(j * 10**6) + 1, 1000) - 1
    return product


@against("fig:1/theory")
def unbounded_subgradients() -> Counterexample:
    """(A2) fails on the whole space"""
    L = Fraction(10)
    return Counterexample(
        "f(x) = |x^2 - 1|, X = R: at x = 10 the slope is 20, whatever L is proposed (here L = 10)",
        r"\mathrm{E}\|f'(x,S)\|^2\le L^2\text{ for all }x\in\mathcal X",
        printed=Line((2 * L) ** 2, L**2),
        repaired=Line((2 * Fraction(5)) ** 2, L**2),
        numbers={"repaired": "X = [-5, 5], where |f'| <= 10"},
    )


def arrivals_differ(first: float, second: float) -> Outcome:
    """Whether the median epochs to two accuracies agree at every stepsize where both arrive."""
    a, b = (study.percentiles(study.arrivals(figures_2_3(), SGD, e))[1] for e in (first, second))
    both = np.isfinite(a) & np.isfinite(b)
    return Outcome(bool(np.any(a[both] != b[both])), f"median epochs of SGD: {a[both]} against {b[both]}")


CHECKS: dict[str, tuple[Check, ...]] = {
    "fig:1/problem": (
        numeric("value of f at a random point", lambda: objective(1.0), lambda: objective(2.0), "twice f"),
    ),
    "fig:1/composite": (
        exact(
            "h with 1/m gives f", lambda: mean_of_moduli(True), lambda: mean_of_moduli(False), "h = |.|_1 as printed"
        ),
    ),
    "fig:1/data": (numeric("one draw", lambda: data(10.0, 1.0), lambda: data(1.0, 1.0), "columns of equal scale"),),
    "fig:1/outliers": (
        exact(
            "P(exactly 60 of 300 corrupted at p = 0.2) is below 1/10, so the count is random",
            lambda: [Line(exactly_expected(300, Fraction(1, 5)).left, Fraction(1, 10))],
            lambda: [exactly_expected(300, Fraction(1, 5))],
            "exactly p m, always, as printed",
        ),
    ),
    "fig:1/x_0": (
        numeric(
            "|x_0|^2 is 100 on average", lambda: starting_point(100), lambda: starting_point(1), "1, as N(0,1) says"
        ),
    ),
    "fig:1/stepsize": (
        numeric(
            "with the constant stepsize SHB is in no panel wider than SGD, with the decaying one in all",
            lambda: Outcome(
                not any(gain(constant_step, label).passed for label in ("2(a)", "2(b)", "3(a)", "3(b)"))
                and gain(figures_2_3, "2(a) 2(b) 3(a) 3(b)").passed,
                gain(constant_step, "2(a) 2(b) 3(a) 3(b)").detail,
            ),
            lambda: gain(constant_step, "2(a) 2(b) 3(a) 3(b)"),
            "the picture does not change, as printed",
        ),
        numeric(
            "transient growth of SGD in panel 1(d) belongs to the decaying stepsize",
            lambda: Outcome(
                transient(figure_1()).passed and not transient((figure_1d_constant(),) * 2).passed,
                f"decaying: {transient(figure_1()).detail}; constant: {transient((figure_1d_constant(),) * 2).detail}",
            ),
            lambda: transient((figure_1d_constant(),) * 2),
            "it shows with the constant stepsize too, as printed",
        ),
    ),
    "fig:1/theory": (refuted(unbounded_subgradients),),
    "fig:1/budget": (
        numeric("length of the runs, and what never arrives", lambda: budget(400), lambda: budget(133), "400 n steps"),
    ),
    "fig:1/epsilon": (
        numeric(
            "the epochs depend on epsilon",
            lambda: arrivals_differ(0.1, 0.01),
            lambda: arrivals_differ(0.1, 0.1),
            "the same epsilon twice",
        ),
    ),
    "fig:1": (
        numeric(
            "SHB below a tenth of its start in all panels",
            lambda: spoken(study.converges(figure_1(), START, share=0.1)),
            lambda: spoken(study.converges(figure_1(), START, share=0.001)),
            "below a thousandth",
        ),
    ),
    "fig:1/sensitivity": (
        numeric(
            "growth of the gap of SGD in (b), (c), (d), of SHB in all",
            lambda: Outcome(
                grown("1(b) 1(c) 1(d)", "SGD", np.inf, 100.0).passed
                and grown("1(a) 1(b) 1(c) 1(d)", "SHB", 100.0).passed,
                grown("1(a) 1(b) 1(c) 1(d)", "SGD", np.inf).detail
                + "; "
                + grown("1(a) 1(b) 1(c) 1(d)", "SHB", np.inf).detail,
            ),
            lambda: grown("1(b) 1(c) 1(d)", "SHB", np.inf, 100.0),
            "the same of SHB",
        ),
    ),
    "fig:1:d": (
        numeric(
            "transient growth of SGD in panel (d)",
            lambda: spoken(study.transient_growth(figure_1())),
            lambda: spoken(study.transient_growth(figure_1(), method=panels.FIGURE_1[3].shb(START))),
            "of SHB",
        ),
    ),
    "fig:1/half-square": (
        exact(
            "for alpha_0 = 10 the iterate grows by more than 10^3 in 24 steps",
            lambda: [Line(Fraction(1000), growth_of_the_parabola(10))],
            lambda: [Line(Fraction(1000), growth_of_the_parabola(4))],
            "for alpha_0 = 4",
        ),
    ),
    "fig:1/robust": (
        numeric(
            "no panel in which SHB grows by a thousand",
            lambda: grown("1(a) 1(b) 1(c) 1(d)", "SHB", 1000.0),
            lambda: grown("1(a) 1(b) 1(c) 1(d)", "SGD", 1000.0),
            "the same of SGD",
        ),
    ),
    "fig:1/lowpass": (
        identity(
            "|1 - (1-beta) e^{-i omega}|^2 / beta^2 with c = cos(omega)",
            ((1 - (1 - beta) * c) ** 2 + (1 - beta) ** 2 * (1 - c**2)) / beta**2,
            1 + 2 * (1 - beta) / beta**2 * (1 - c),
            1 + 2 * (1 - beta) / beta**2 * (1 + c),
            "a highpass filter",
        ),
    ),
    "fig:2": (wider("figure 2, both panels", "2(a) 2(b)"),),
    "fig:epochs2eps": (wider("figure 2(a)", "2(a)"),),
    "fig:epochs2eps:corrupted": (wider("figure 2(b)", "2(b)"),),
    "fig:2/range": (wider("figures 2 and 3, all panels", "2(a) 2(b) 3(a) 3(b)"),),
    "fig:3": (wider("figure 3, both panels", "3(a) 3(b)"),),
    "fig:epochs2eps:popular:mmt": (wider("figure 3(a)", "3(a)"),),
    "fig:epochs2eps:corrupted:popular:mmt": (wider("figure 3(b)", "3(b)"),),
    "fig:3/range": (wider("figures 2 and 3, all panels", "2(a) 2(b) 3(a) 3(b)"),),
}
"""Evidence by label; the text of each entry is in ``entries/experiments.toml``."""
