r"""The repaired theorems against exact total expectations: whole sample trees of random small rational problems.

For each problem both sides of the theorem are exact numbers (``gmpy2.mpq``); what is kept is left divided by right, at most 1 if the
theorem holds.  Problems are made hard on purpose: kinks at the start, rare large samples, minima on the boundary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from gmpy2 import mpq

from shbcore.claims.registry import Check
from shbcore.model.instances import KINDS, Instance, random_instance
from shbcore.model.rational import Interval
from shbcore.numerics import slack
from shbcore.numerics.slack import Slack
from shbcore.proof.kernel import Outcome

COUNT = 200
PRINTED_START = "ten, z_0 = g_0"
"""The second display of Theorem 1 with the start as printed."""
ROOTS = (1, 2, 2, 2, 3)
r""":math:`\sqrt{K+1}`: trees of depth 0, 3 and 8, with square roots that stay rational."""


@dataclass(frozen=True)
class Distribution:
    """Left over right on all problems, and how many problems violate the claim (none, if it is true)."""

    name: str
    ratios: tuple[float, ...]
    violations: int

    @classmethod
    def of(cls, name: str, sides: Iterable[tuple[Any, Any]]) -> Distribution:
        """From the two sides of the claim on each problem."""
        both = list(sides)
        ratios = tuple(float(left / right) if right else 0.0 for left, right in both)
        return cls(name, ratios, sum(bool(left > right) for left, right in both))

    def holds(self, scale: int = 1) -> Outcome:
        """Whether no problem violates the claim with its right side divided by ``scale``."""
        bad = sum(ratio * scale > 1 for ratio in self.ratios)
        detail = str(self) if scale == 1 else f"{bad} violations of 1/{scale} of the bound"
        return Outcome(self.violations == 0 and bad == 0, detail)

    def quantiles(self, *levels: float) -> list[float]:
        """Quantiles of left over right."""
        return [float(value) for value in np.quantile(self.ratios, levels)]

    def __str__(self) -> str:
        low, middle, high = self.quantiles(0.1, 0.5, 0.9)
        return (
            f"{self.name}: {len(self.ratios)} problems, {self.violations} violations; left/right median {middle:.3f}, "
            f"80 % in [{low:.3f}, {high:.3f}], largest {max(self.ratios):.3f}"
        )


def exact_instance(kind: str, rng: np.random.Generator, *, bounded: bool, curved: bool = False) -> Instance:
    r"""A random instance in ``mpq``; ``curved`` redraws until :math:`\rho>0`."""
    case = random_instance(kind, rng, bounded=bounded, number=mpq)
    while curved and case.problem.rho == 0:
        case = random_instance(kind, rng, bounded=bounded, number=mpq)
    X = Interval(*(None if end is None else mpq(end) for end in (case.X.lo, case.X.hi)))
    return Instance(case.kind, case.problem.to(mpq), X, mpq(case.x0))


def draw(rng: np.random.Generator, *choices: str) -> Any:
    """One of some rationals."""
    return mpq(choices[int(rng.integers(len(choices)))])


def _trial_1(rng: np.random.Generator, j: int, form: Any) -> Slack:
    form, start = ("ten", "g0") if form == PRINTED_START else (form, "beta_g0")
    kinds = ("kinked", "rare", "boundary") if form == "ten" else KINDS
    kind = kinds[j % len(kinds)]
    case = exact_instance(kind, rng, bounded=kind == "smooth" or j % 2 == 0, curved=form == "ten")
    rho, K = case.problem.rho, ROOTS[j % len(ROOTS)] ** 2 - 1
    envelope = 1 / (2 * rho + draw(rng, "0", "0", "1", "1/2")) if rho else mpq(1)
    alpha_0 = draw(rng, "1/4", "1/2", "1", "2", "4")
    if form == "ten":
        alpha_0, envelope = 1 / rho, 1 / (2 * rho)
    of: dict[str, Any] = {"alpha_0": alpha_0, "K": K, "envelope": envelope, "form": form, "start": start}
    return slack.theorem_1(case.problem, case.X, case.x0, **of)


def _trial_2(rng: np.random.Generator, j: int, form: Any) -> Slack:
    case = exact_instance("smooth" if j % 3 else "linear noise", rng, bounded=True)
    rho, K = case.problem.rho, ROOTS[j % len(ROOTS)] ** 2 - 1
    envelope = 1 / (2 * rho + draw(rng, "0", "0", "1")) if rho else mpq(1)
    alpha_0 = draw(rng, "1/4", "1/2", "1", "2", "4")
    return slack.theorem_2(case.problem, case.X, case.x0, alpha_0=alpha_0, K=K, envelope=envelope, form=form)


def _trial_3(rng: np.random.Generator, j: int, form: Any) -> Slack:
    case = exact_instance("smooth", rng, bounded=False)
    while case.problem.smoothness == 0:
        case = exact_instance("smooth", rng, bounded=False)
    rho, K = case.problem.smoothness, ROOTS[j % len(ROOTS)] ** 2 - 1
    envelope = 1 / (rho * draw(rng, "2", "2", "7/4", "8/5")) if form == "first" else 1 / (2 * rho)
    alpha_0 = draw(rng, "1/4", "1/4", "1/8", "1/40") / rho
    return slack.theorem_3(case.problem, case.x0, alpha_0=alpha_0, K=K, envelope=envelope, form=form)


Trial = Callable[[np.random.Generator, int, Any], Slack]
TRIALS: dict[str, Trial] = {"theorem_1": _trial_1, "theorem_2": _trial_2, "theorem_3": _trial_3}
REPAIRED = {"theorem_1": "repaired", "theorem_2": "repaired", "theorem_3": "first"}


def on_random_problems(of: Callable[[], Distribution], what: str, scale: int) -> Check:
    """A theorem on random problems; these do not attain a bound, so the control divides it by ``scale``."""
    what, control_what = f"{what} on {COUNT} random problems, whole sample trees", f"1/{scale} of the right side"
    far = "random problems stay far below the bound"
    return Check("exact", what, lambda: of().holds(), lambda: of().holds(scale), control_what, far=far)


def by_enumeration(name: str, scale: int, form: str = "", display: str = "") -> Check:
    """A theorem of the paper on random problems."""
    return on_random_problems(partial(distribution, name, form), f"{_title(name)}{display}", scale)


def _title(theorem: str) -> str:
    return theorem.replace("_", " ").capitalize()


@cache
def distribution(theorem: str, form: str = "", count: int = COUNT, seed: int = 0) -> Distribution:
    """Left over right of ``theorem_1``, ``theorem_2`` or ``theorem_3`` on random problems; ``form`` is that of
    :mod:`shbcore.numerics.slack`, the repaired one by default."""
    rng = np.random.default_rng(seed)
    slacks = (TRIALS[theorem](rng, j, form or REPAIRED[theorem]) for j in range(count))
    return Distribution.of(_title(theorem), ((one.lhs, one.rhs) for one in slacks))
