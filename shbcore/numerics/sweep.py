r"""Experiments on robust phase retrieval as values: what is run, with which seeds, and the table that comes out of it.

A :class:`Sweep` says everything; :func:`unit` computes one experiment of it (one draw of data, start and samples, shared by all stepsizes
and methods) and returns tidy rows.  A unit depends on nothing but its arguments, so any executor gives the same table, bit by bit.
"""

import itertools
import math
import re
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import pandas as pd

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval, sums
from shbcore.numerics import phase_kernel
from shbcore.numerics.phase_kernel import Work

WHY = "numerical section of the paper"


@dataclass(frozen=True)
class Momentum:
    r"""A rule for :math:`\beta`: :math:`c`, :math:`c/\sqrt K` or :math:`c/(\alpha_0\sqrt K)`.  The constant 1 is SGD."""

    c: float
    rule: Literal["constant", "root", "alpha root"] = "constant"

    def __post_init__(self) -> None:
        why = "the momentum parameter of alg:iters:def lies in (0, 1]"
        checks.real("beta", checks.positive("beta", self.c, why), why)
        checks.one_of("rule", self.rule, ("constant", "root", "alpha root"), WHY)

    @classmethod
    def parse(cls, text: str | float) -> "Momentum":
        r"""The rule that a text such as ``0.1``, ``10/sqrt(K)`` or ``1/(alpha_0 sqrt(K))`` names."""
        number = r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)"
        forms = {
            "constant": number,
            "root": number + r"/sqrt\(K\)",
            "alpha root": number + r"/\(alpha_0[ *]*sqrt\(K\)\)",
        }
        found = {rule: re.fullmatch(form, str(text).strip()) for rule, form in forms.items()}
        rule, match = next(((rule, match) for rule, match in found.items() if match), ("", None))
        if match is None or match[1].count(".") > 1 or not any(digit.isdigit() for digit in match[1].split("e")[0]):
            checks.fail("beta", text, "be a number, c/sqrt(K) or c/(alpha_0 sqrt(K))", WHY)
        return cls(float(match[1]), rule)  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        return f"{self.c:g}" + {"constant": "", "root": "/sqrt(K)", "alpha root": "/(alpha_0 sqrt(K))"}[self.rule]

    def beta(self, alpha_0: float, K: int) -> float:
        r"""The value of :math:`\beta`, which must not exceed 1."""
        alpha_0 = checks.real("alpha_0", checks.positive("alpha_0", alpha_0, WHY), WHY)
        checks.count("K", K, WHY, most=checks.MOST_ENTRIES)
        scale = {"constant": 1.0, "root": math.sqrt(K), "alpha root": alpha_0 * math.sqrt(K)}[self.rule]
        if self.c > scale:
            where = "" if self.rule == "constant" else f" = {self.name}"
            limit = f", so alpha_0 >= {self.c / math.sqrt(K):.6g}" if self.rule == "alpha root" else ""
            checks.fail(
                f"beta{where}", self.c / scale, f"lie in (0, 1]{limit}", f"lem:xdiff:non-smooth; {K = }, {alpha_0 = }"
            )
        return self.c / scale


@dataclass(frozen=True)
class Method:
    r"""SHB with a momentum rule and a start: ``g0`` is :math:`z_0=g_0` as printed, ``beta_g0`` is :math:`z_0=\beta g_0`."""

    momentum: Momentum
    start: Literal["g0", "beta_g0"] = "g0"

    def __post_init__(self) -> None:
        checks.instance(Momentum, "momentum", self.momentum, "a rule for beta")
        checks.one_of("start", self.start, ("g0", "beta_g0"), "alg:iters:def")

    @property
    def name(self) -> str:
        return "SGD" if self.momentum == Momentum(1.0) else "SHB"


SGD = Method(Momentum(1.0))


@dataclass(frozen=True)
class Setting:
    r"""A problem of the paper's experiments and the budget of a run on it: :math:`K=qm` steps in :math:`q` epochs."""

    m: int = 300
    n: int = 100
    kappa: float = 10.0
    p_fail: float = 0.3
    signal: Literal["sphere", "normal"] = "sphere"
    epochs: int = 400
    step: Literal["decaying", "constant"] = "decaying"

    def __post_init__(self) -> None:
        for name in ("m", "n", "epochs"):
            checks.count(name, getattr(self, name), WHY)
        checks.room(WHY, m=self.m, n=self.n)
        checks.room(WHY, m=self.m, epochs=self.epochs)
        if checks.real("kappa", self.kappa, WHY) < 1:
            checks.fail("kappa", self.kappa, "be at least 1", f"a condition number, {WHY}")
        checks.probability("p_fail", self.p_fail, f"the share of corrupted measurements, {WHY}")
        checks.one_of("signal", self.signal, ("sphere", "normal"), f"the law of x*, {WHY}")
        checks.one_of("step", self.step, ("decaying", "constant"), f"alpha_0/sqrt(k+1) or alpha_0/sqrt(K+1), {WHY}")

    @property
    def K(self) -> int:
        return self.epochs * self.m


@dataclass(frozen=True)
class Sweep:
    """An experiment to run: each of ``methods`` with each of ``alpha_0`` in ``experiments`` draws; the first epoch at each of
    ``epsilons`` is recorded.

    With ``keep`` the whole course of the gap is kept and no run is cut short; otherwise a run ends at the smallest accuracy.
    """

    name: str
    setting: Setting
    methods: tuple[Method, ...]
    alpha_0: tuple[float, ...]
    epsilons: tuple[float, ...] = (0.1,)
    experiments: int = 50
    seed: int = 2020
    keep: bool = False

    def __post_init__(self) -> None:
        checks.instance(str, "name", self.name, "a sweep is kept in a folder of this name")
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_. +-]*", self.name):
            checks.fail(
                "name", self.name, "be letters, digits, . + - and _", "a sweep is kept in a folder of this name"
            )
        checks.instance(Setting, "setting", self.setting, WHY)
        for method in checks.sequence("methods", self.methods, WHY):
            checks.instance(Method, "methods", method, WHY)
        checks.instance(bool, "keep", self.keep, "whether the whole course is kept")
        checks.count("experiments", self.experiments, WHY, most=10**6)
        checks.count("seed", self.seed, "seeds are explicit", least=0)
        for name in ("alpha_0", "epsilons"):
            for value in checks.sequence(name, getattr(self, name), WHY):
                checks.number(name, value, WHY)
        for name in ("methods", "alpha_0", "epsilons"):
            checks.instance(tuple, name, getattr(self, name), "a sweep is a value: it must not change")
            if len(getattr(self, name)) == 0 or len(set(getattr(self, name))) < len(getattr(self, name)):
                checks.fail(name, getattr(self, name), "be a non-empty tuple without repetitions", WHY)
        for value in self.alpha_0:
            checks.real("alpha_0", checks.positive("alpha_0", value, f"the initial stepsize, {WHY}"), WHY)
        for value in self.epsilons:
            checks.real("epsilon", checks.positive("epsilon", value, f"the accuracy asked for, {WHY}"), WHY)
        self.lanes()

    def lanes(self) -> list[tuple[Method, float, float]]:
        r"""The runs of one experiment as (method, :math:`\alpha_0`, :math:`\beta`)."""
        pairs = itertools.product(self.methods, self.alpha_0)
        return [(method, a, method.momentum.beta(a, self.setting.K)) for method, a in pairs]

    @property
    def runs(self) -> int:
        return len(self.methods) * len(self.alpha_0) * self.experiments


def grid(low: float, high: float, per_decade: int) -> tuple[float, ...]:
    """Stepsizes evenly spaced in the logarithm; they are rounded to four digits, the same numbers on every machine."""
    low, high = (
        checks.real(name, checks.positive(name, end, WHY), WHY) for name, end in (("low", low), ("high", high))
    )
    if high < low or high / low == math.inf:
        checks.fail("high", high, f"be at least low = {low}", WHY)
    checks.count("per_decade", per_decade, WHY, most=1000)
    count = round(math.log10(high / low) * per_decade) + 1
    return tuple(float(f"{a:.4g}") for a in np.geomspace(low, high, count))


def draw(setting: Setting, seed: int, experiment: int) -> tuple[Work, float]:
    r"""Data, start and samples of one experiment, as the paper describes them, and :math:`f(x^\star)`.

    The data come from :func:`phase_retrieval`; then :math:`x_0` is standard normal, and samples are i.i.d. uniform, with replacement.
    Every experiment has its own stream of the seed; settings that differ in :math:`\kappa` or :math:`p_{\mathrm{fail}}` share it.
    ``setting`` is a :class:`~shbcore.numerics.sweep.Setting`.
    """
    checks.instance(Setting, "setting", setting, WHY)
    checks.count("seed", seed, "seeds are explicit", least=0)
    checks.count("experiment", experiment, WHY, least=0, most=10**6)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(experiment,)))
    found, _, truth = phase_retrieval(setting.m, setting.n, setting.kappa, setting.p_fail, rng, setting.signal)
    problem = cast(RobustPhaseRetrieval, found)
    x_0, order = rng.standard_normal(setting.n), rng.integers(0, setting.m, setting.K)
    k = np.arange(1, setting.K + 1, dtype=np.float64)
    roots = np.sqrt(k if setting.step == "decaying" else np.full_like(k, setting.K + 1))
    f_star = sums(np.abs(sums(problem.A * truth) ** 2 - problem.b)) / setting.m
    return Work(problem.A, problem.b, x_0, order, roots), float(f_star)


def first_epoch(values: Array, level: float) -> Array:
    """For each row the first index whose value is at most ``level``; infinity if there is none."""
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] == 0:
        checks.fail("values.shape", values.shape, "be (runs, epochs)", WHY)
    hit = values <= checks.real("level", level, WHY)
    return np.where(hit.any(axis=1), hit.argmax(axis=1), np.inf)


def unit(sweep: Sweep, experiment: int) -> pd.DataFrame:
    r"""One experiment of a sweep, computed: a row a run, with the first epoch at each accuracy (infinity: never), the course
    summarised, or kept.

    ``lowest``, ``peak`` and ``final`` are gaps :math:`f(x_{mq})-f(x^\star)`; ``epochs_run`` is where the run ended.
    """
    checks.instance(Sweep, "sweep", sweep, WHY)
    work, f_star = draw(sweep.setting, sweep.seed, experiment)
    lanes = sweep.lanes()
    alpha_0, beta = np.array([a for _, a, _ in lanes]), np.array([b for _, _, b in lanes])
    first = np.array([1.0 if method.start == "g0" else b for method, _, b in lanes])
    stop = -np.inf if sweep.keep else f_star + min(sweep.epsilons)
    values, _ = phase_kernel.run(work, alpha_0, beta, first, stop=stop)
    ended = np.isnan(values).argmax(axis=1)
    last = np.where(np.isnan(values).any(axis=1), ended, values.shape[1]) - 1
    gaps = np.where(np.isnan(values), np.inf, values) - f_star
    running = np.arange(values.shape[1]) <= last[:, None]
    highest = np.where(running, gaps, -np.inf)
    table = pd.DataFrame(
        {
            "experiment": experiment,
            "method": [method.name for method, _, _ in lanes],
            "momentum": [method.momentum.name for method, _, _ in lanes],
            "start": [method.start for method, _, _ in lanes],
            "alpha_0": alpha_0,
            "beta": beta,
            **{f"epochs_{eps:g}": first_epoch(values, f_star + eps) for eps in sweep.epsilons},
            "lowest": gaps.min(axis=1),
            "peak": highest.max(axis=1),
            "peak_epoch": highest.argmax(axis=1),
            "final": gaps[np.arange(len(lanes)), last],
            "epochs_run": last,
        }
    )
    return table.assign(course=list(gaps)) if sweep.keep else table
