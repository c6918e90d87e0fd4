r"""The experiments of Section 5 repeated in small: a few experiments, four stepsizes a decade, so that ``verify`` stays short.

The book shows the full size.  These are numeric evidence, and each negative control is a neighbouring claim that the same numbers refuse.
"""

from math import comb, isqrt

import numpy as np
import pandas as pd

from shbcore.claims.writing import *
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.numerics import panels, study
from shbcore.numerics.engine import execute
from shbcore.numerics.sweep import SGD, Setting, draw, grid

SHARE = Fraction(9, 10)
EXPERIMENTS, IN_THE_BOOK = 8, 50
REPAIRED, PRINTED = "beta_g0", "g0"
STARTS = (REPAIRED, PRINTED)
ALL_1, ALL_2_3 = "1(a) 1(b) 1(c) 1(d)", "2(a) 2(b) 3(a) 3(b)"
WIDE = grid(0.01, 10.0, 4)
A_PICTURE = "a picture has no constant to shift by a tenth"


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
    sweep = replace(work, name="figure_1d_constant", setting=setting, methods=(SGD,), alpha_0=(0.15,))
    return execute([sweep]).tables[0]


def numeric(
    run: Callable[..., Outcome],
    what: str,
    control_what: str,
    *,
    far: str = A_PICTURE,
    in_book: bool = False,
    **change: Any,
) -> Check:
    """Floating-point evidence from repetitions of an experiment; ``in_book`` says that the chapter shows it at full size."""
    size = f"{EXPERIMENTS} experiments" + (f"; the chapter has {IN_THE_BOOK}" if in_book else "")
    return measured(run, f"{what} ({size})", control_what, far=far, **change)


def spoken(verdict: study.Verdict) -> Outcome:
    """A verdict of the study as an outcome."""
    return Outcome(verdict.holds, verdict.numbers)


def both(test: Callable[[str], Outcome]) -> Outcome:
    """A test for both starts: it must pass for each."""
    found = {start: test(start) for start in STARTS}
    text = "; ".join(f"start {start}: {one.detail}" for start, one in found.items())
    return Outcome(all(one.passed for one in found.values()), text)


def gain(table: Callable[[], pd.DataFrame], labels: str, start: str, *, turned: bool = False) -> Outcome:
    """Whether SHB works for a wider range than SGD in the panels ``labels``; ``turned`` asks the opposite.

    With the repaired start the interval of the bootstrap must lie above zero, with the printed one the estimate.
    """
    chosen = [panel for panel in panels.FIGURES_2_3 if panel.label in labels.split()]
    found = {panel.label: study.advantage(table(), panel.shb(start), panels.EPSILON) for panel in chosen}
    text = ", ".join(
        f"{label}: {width.decades:+.2f} [{width.low:+.2f}, {width.high:+.2f}]" for label, width in found.items()
    )
    if turned:
        holds = all(width.decades < 0 for width in found.values())
    else:
        holds = all((width.low if start == REPAIRED else width.decades) > 0 for width in found.values())
    return Outcome(holds, f"decades of alpha_0 more than SGD, with the 95 % interval: {text}")


def wider(what: str, labels: str) -> Check:
    """SHB against SGD in some panels of figures 2 and 3, with either start."""

    def run(turned: bool = False) -> Outcome:
        return both(lambda start: gain(figures_2_3, labels, start, turned=turned))

    what = f"{what}: SHB is wider than SGD, with z_0 = beta g_0 by more than the bootstrap error, with z_0 = g_0 in the estimate"
    return numeric(run, what, "SGD is the wider one", in_book=True, turned=True)


def changed_picture(printed: bool = False) -> Outcome:
    """Whether the wider range of SHB goes away with the constant stepsize: no panel, and neither start, shows it any more."""
    if printed:
        return gain(constant_step, ALL_2_3, REPAIRED)
    kept = [label for label in ALL_2_3.split() for start in STARTS if gain(constant_step, label, start).passed]
    decaying = both(lambda start: gain(figures_2_3, ALL_2_3, start))
    return Outcome(not kept and decaying.passed, gain(constant_step, ALL_2_3, REPAIRED).detail)


def transient(method: Any = SGD) -> Outcome:
    """Whether a method in panel 1(d) grows by more than a thousand in the median before it comes back."""
    return spoken(study.transient_growth(figure_1(), method=method))


def decaying_alone(printed: bool = False) -> Outcome:
    """Whether the transient growth of SGD belongs to the decaying stepsize, or shows with the constant one too."""
    decaying, constant = transient(), spoken(study.transient_growth((figure_1d_constant(),) * 2))
    if printed:
        return constant
    return Outcome(decaying.passed and not constant.passed, f"decaying: {decaying.detail}; constant: {constant.detail}")


def less_sensitive(labels: str = "1(b) 1(c) 1(d)", factor: float = 10.0) -> Outcome:
    """Whether the gap of SGD grows, in the median, at least ``factor`` times as much as that of SHB in panels of figure 1, both starts."""

    def test(start: str) -> Outcome:
        text, holds = [], True
        for panel in (one for one in panels.FIGURE_1 if one.label in labels.split()):
            ours, theirs = (
                float(np.median(study.growth(figure_1(), panel.label, chosen))) for chosen in (panel.shb(start), SGD)
            )
            holds = holds and theirs >= factor * ours
            text.append(f"{panel.label} SGD {theirs:.3g}, SHB {ours:.3g}")
        return Outcome(holds, "growth of the gap: " + ", ".join(text))

    return both(test)


def converges(share: float = 0.1) -> Outcome:
    """Whether SHB comes below a share of its first gap in all panels of figure 1, with either start, and loses no run."""
    return both(lambda start: spoken(study.converges(figure_1(), start, share=share)))


BELOW_A_TENTH = numeric(
    converges, "SHB below a tenth of its start in all panels, both starts", "below a twentieth", share=0.05
)


def data(kappa: float = 10.0) -> Outcome:
    """One draw of the data: shape, the scale of the columns of A, the length of x*."""
    instance = phase_retrieval(300, 100, 10.0, 0.2, np.random.default_rng(3))
    assert isinstance(instance.problem, RobustPhaseRetrieval)
    A, truth = instance.problem.A, instance.truth
    scale = np.sqrt((A**2).mean(axis=0)) / np.linspace(1 / kappa, 1, 100)
    fits = A.shape == (300, 100) and bool(np.all(np.abs(scale - 1) < 0.25)) and abs(np.linalg.norm(truth) - 1) < 1e-12
    text = f"A is {A.shape}, columns within {np.abs(scale - 1).max():.0%} of D, |x*| = {np.linalg.norm(truth):.3f}"
    return Outcome(bool(fits), text)


def objective(factor: float = 1.0) -> Outcome:
    """The objective against its formula at a random point."""
    rng = np.random.default_rng(4)
    instance = phase_retrieval(30, 5, 2.0, 0.2, rng)
    assert isinstance(instance.problem, RobustPhaseRetrieval)
    A, b, x = instance.problem.A, instance.problem.b, rng.standard_normal(5)
    gap = abs(instance.problem.value(x) - factor * np.abs((A @ x) ** 2 - b).mean())
    return Outcome(bool(gap < 1e-12), f"difference {gap:.1e}")


def starting_point(coordinates: int = 100) -> Outcome:
    r"""Whether :math:`x_0` is standard normal in so many coordinates, by its mean square over the experiments."""
    starts = np.array([draw(Setting(), 2020, experiment)[0].x_0 for experiment in range(EXPERIMENTS)])
    square_mean = float((starts**2).sum(axis=1).mean())
    spread = 4 * np.sqrt(2 * coordinates / EXPERIMENTS)
    text = f"{starts.shape[1]} coordinates, mean of |x_0|^2 is {square_mean:.1f}"
    return Outcome(bool(abs(square_mean - coordinates) < spread), text)


def budget(epochs: int = 400) -> Outcome:
    """Whether every run of figure 1 has so many epochs of m steps, and a run that never arrives counts as infinitely late."""
    lengths = {len(course) - 1 for table in figure_1() for course in table["course"]}
    late = study.percentiles(np.array([[1.0], [2.0], [np.inf]]))[2, 0]
    return Outcome(
        bool(lengths == {epochs} and epochs * Setting().m == Setting().K and np.isinf(late)),
        f"epochs {sorted(lengths)}, K = {Setting().K}; the 90th percentile of 1, 2, never is {late}",
    )


def arrivals_differ(first: float = 0.1, second: float = 0.01) -> Outcome:
    """Whether the median epochs to two accuracies agree at every stepsize where both arrive."""
    a, b = (study.percentiles(study.arrivals(figures_2_3(), SGD, e))[1] for e in (first, second))
    arrived = np.isfinite(a) & np.isfinite(b)
    return Outcome(bool(np.any(a[arrived] != b[arrived])), f"median epochs of SGD: {a[arrived]} against {b[arrived]}")


# --- exact instances and counterexamples


def mean_of_moduli(divide: bool = True) -> Iterator[Comparison]:
    r""":math:`h(c(x))` against :math:`f(x)` for :math:`m=2`, :math:`a=1,b=1` and :math:`a=2,b=9`, with or without the factor 1/m."""
    for x in (Fraction(0), Fraction(1, 2), Fraction(3), Fraction(-2)):
        moduli = [abs(x * x - 1), abs(4 * x * x - 9)]
        yield Comparison(sum(moduli) / (2 if divide else 1), sum(moduli) / 2, "=")


def exactly_expected(share: Any = 1) -> Iterator[Comparison]:
    """The probability that exactly p m = 60 of m = 300 measurements are corrupted at p = 1/5 is at most 0.058."""
    p = Fraction(1, 5)
    yield Comparison(comb(300, 60) * p**60 * (1 - p) ** 240, share * Fraction(58, 1000))


def growth_of_the_parabola(share: Any = 1) -> Iterator[Comparison]:
    r""":math:`\prod_{j\le24}(10/\sqrt j-1)`, with :math:`\sqrt j` rounded up to three digits, is at least :math:`4.8\cdot10^7`."""
    product = Fraction(1)
    for j in range(1, 25):
        product *= 10 / Fraction(isqrt(j * 10**6) + 1, 1000) - 1
    yield Comparison(share * Fraction(48 * 10**6), product)


@refuted
def phase_sign() -> Counterexample:
    """the printed subdifferential has sign(<a,x> - b)^2 in place of sign(<a,x>^2 - b)"""
    x, b = Fraction(1, 2), Fraction(1)
    sign_of = {True: Fraction(1), False: Fraction(-1)}
    slope = (abs((x + Fraction(1, 100)) ** 2 - b) - abs((x - Fraction(1, 100)) ** 2 - b)) / Fraction(2, 100)
    return Counterexample(
        "g(x) = |x^2 - 1| (a = b = 1) at x = 1/2, where g = 1 - x^2 has slope -1",
        printed=Comparison(slope, 2 * x * sign_of[x - b > 0] ** 2, "="),
        repaired=Comparison(slope, 2 * x * sign_of[x * x - b > 0], "="),
    )


@refuted
def unbounded_subgradients() -> Counterexample:
    """(A2) fails on the whole space"""
    L = Fraction(10)
    return Counterexample(
        "f(x) = |x^2 - 1|, X = R, L = 10, x = 10",
        printed=Comparison((2 * L) ** 2, L**2),
        repaired=Comparison((2 * Fraction(5)) ** 2, L**2),  # X = [-5, 5], where |f'| <= 10
        said="the slope squared is {left}, and L^2 is {right}; a larger L fails at x = L",
    )


@refuted
def beta_above_one() -> Counterexample:
    r"""with $\beta=1/(\alpha_0\sqrt K)$ a small initial stepsize puts $\beta$ above 1"""
    K = 400 * 300
    return Counterexample(
        "K = 400 m = 120000, alpha_0 = 1/400: beta^2 = 1/(alpha_0^2 K)",
        printed=Comparison(1 / (Fraction(1, 400) ** 2 * K), Fraction(1)),
        repaired=Comparison(1 / (Fraction(1, 300) ** 2 * K), Fraction(1)),
        said="beta^2 <= 1 would mean {}, which is false",
    )
