r"""The panels of the paper's figures 1, 2 and 3, as sweeps.

The paper leaves open the accuracy, the grid of :math:`\alpha_0`, what becomes of runs that never arrive, and (by contradicting itself)
the start.  Chosen here: several accuracies, six stepsizes a decade from :math:`10^{-2.5}` to 10, never is infinity, both starts.
The grid begins above :math:`1/\sqrt K=0.0029`: below it :math:`\beta=1/(\alpha_0\sqrt K)` of figure 2(b) exceeds 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from shbcore.model import checks
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep, grid

STEPSIZES = grid(10**-2.5, 10.0, 6)
EPSILONS = (0.1, 0.03, 0.01)
EPSILON = 0.1
"""The accuracy of the pictures.  The epochs depend on it; the other accuracies show that the conclusion does not."""


@dataclass(frozen=True)
class Panel:
    """A picture of the paper: where it stands, what it says below it, and its momentum rule."""

    label: str
    caption: str
    momentum: Momentum
    alpha_0: float | None = None
    kappa: float = 10.0

    def shb(self, start: str = "beta_g0") -> Method:
        return Method(self.momentum, start)  # type: ignore[arg-type]


TEN = Momentum(10.0, "root")
FIGURE_1 = (
    Panel("1(a)", "kappa = 10, alpha_0 = 0.1", TEN, 0.1),
    Panel("1(b)", "kappa = 10, alpha_0 = 0.25", TEN, 0.25),
    Panel("1(c)", "kappa = 1, alpha_0 = 0.1", TEN, 0.1, 1.0),
    Panel("1(d)", "kappa = 1, alpha_0 = 0.15", TEN, 0.15, 1.0),
)
FIGURES_2_3 = (
    Panel("2(a)", "beta = 1/sqrt(K)", Momentum(1.0, "root")),
    Panel("2(b)", "beta = 1/(alpha_0 sqrt(K))", Momentum(1.0, "alpha root")),
    Panel("3(a)", "beta = 0.1", Momentum(0.1)),
    Panel("3(b)", "beta = 0.01", Momentum(0.01)),
)


def both_starts(*rules: Momentum) -> tuple[Method, ...]:
    """SGD once, and SHB with each rule and each start."""
    return (SGD, *(Method(rule, start) for start in ("g0", "beta_g0") for rule in rules))


def figure_1(*, experiments: int = 50, seed: int = 2020) -> tuple[Sweep, ...]:
    r"""Two sweeps, :math:`\kappa=10` and :math:`\kappa=1`, with the whole course of the gap; :math:`x^\star` standard normal."""
    return tuple(
        Sweep(
            f"figure_1_kappa_{kappa:g}",
            Setting(kappa=kappa, p_fail=0.2, signal="normal"),
            both_starts(TEN),
            tuple(panel.alpha_0 for panel in FIGURE_1 if panel.kappa == kappa and panel.alpha_0),
            EPSILONS,
            experiments,
            seed,
            keep=True,
        )
        for kappa in (10.0, 1.0)
    )


def figures_2_3(*, experiments: int = 50, seed: int = 2020, alpha_0: tuple[float, ...] = STEPSIZES) -> Sweep:
    """One sweep for all four panels: they share the data, and SGD, which knows nothing of momentum, is run once."""
    rules = tuple(panel.momentum for panel in FIGURES_2_3)
    return Sweep("figures_2_3", Setting(), both_starts(*rules), alpha_0, EPSILONS, experiments, seed)


def constant_step(*, experiments: int = 50, seed: int = 2020, alpha_0: tuple[float, ...] = STEPSIZES) -> Sweep:
    r"""Figures 2 and 3 with :math:`\alpha_k=\alpha_0/\sqrt{K+1}`, the stepsize of the theorems, on the same data and samples."""
    work = figures_2_3(experiments=experiments, seed=seed, alpha_0=alpha_0)
    return replace(work, name="constant_step", setting=Setting(step="constant"))


def fine_grid(*, experiments: int = 50, seed: int = 2021) -> Sweep:
    """Figures 2 and 3 once more, with other seeds and sixteen stepsizes a decade."""
    work = figures_2_3(experiments=experiments, seed=seed, alpha_0=grid(0.01, 10.0, 16))
    return replace(work, name="fine_grid")


BETAS = tuple(sorted(grid(10**-2.5, 1.0, 4), reverse=True))


def momentum_plane(kappa: float, *, experiments: int = 20, seed: int = 2022, betas: tuple[float, ...] = BETAS) -> Sweep:
    r"""The plane of :math:`\alpha_0` and a constant :math:`\beta`, from SGD (:math:`\beta=1`) down to :math:`1/\sqrt K`."""
    checks.sequence("betas", betas, "constant momenta", least=1)
    methods = tuple(Method(Momentum(beta), "beta_g0") if beta < 1 else SGD for beta in betas)
    return Sweep(
        f"plane_kappa_{kappa:g}", Setting(kappa=kappa), methods, grid(10**-2.5, 10.0, 4), EPSILONS, experiments, seed
    )


KAPPAS = (1.0, 3.0, 10.0, 30.0)


def larger_study(*, experiments: int = 50, seed: int = 2020) -> tuple[Sweep, ...]:
    """Everything beyond the paper's figures: the constant stepsize, the fine grid, the planes."""
    planes = (momentum_plane(kappa, seed=seed + 2, experiments=max(1, experiments * 2 // 5)) for kappa in KAPPAS)
    return constant_step(experiments=experiments, seed=seed), fine_grid(experiments=experiments, seed=seed + 1), *planes


def own_panel(
    alpha_0: Sequence[float],
    beta: str | float = "1/sqrt(K)",
    *,
    epsilon: float = EPSILON,
    experiments: int = 50,
    seed: int = 2020,
    start: str = "beta_g0",
    **setting: Any,
) -> Sweep:
    r"""A panel of one's own: SGD against SHB, on any :class:`~shbcore.numerics.sweep.Setting` (``kappa``, ``p_fail``, ``m``, ``n``,
    ``epochs``, ...).

    ``beta`` is a number or a rule, ``"c/sqrt(K)"`` or ``"c/(alpha_0 sqrt(K))"``.
    """
    stepsizes = checks.sequence("alpha_0", alpha_0, "the stepsizes of a panel", least=1)
    methods = (SGD, Method(Momentum.parse(beta), start))  # type: ignore[arg-type]
    if methods[1].name == "SGD":
        checks.fail("beta", beta, "be below 1: with beta = 1 SHB is SGD", "eq:SHB:unconstrained")
    for name in {"m", "n", "epochs"} & setting.keys():  # a NumPy integer would overflow in K = epochs m
        setting[name] = checks.count(name, setting[name], "numerical section of the paper")
    return Sweep("panel", Setting(**setting), methods, stepsizes, (epsilon,), experiments, seed)


def rows(table: pd.DataFrame, method: Method) -> pd.DataFrame:
    """The rows of one method in a table."""
    checks.instance(pd.DataFrame, "table", table, "a table of a sweep")
    checks.instance(Method, "method", method, "a method of the sweep")
    chosen = (table["momentum"] == method.momentum.name) & ((table["start"] == method.start) | (method.name == "SGD"))
    return table[chosen]
