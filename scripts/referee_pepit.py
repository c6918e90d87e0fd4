r"""PEPit as an independent referee of the project's own semidefinite programmes, on steps without noise.

Both look for the largest rise of a potential in one step of the method: :func:`shbcore.proof.worst_step.worst_step` with its own Gram
matrix, and PEPit (PerformanceEstimation/PEPit) from its own functions and steps.  f is weakly convex (strongly convex with a negative
modulus) with subgradients of length at most 1, or smooth with |grad f(x_k)| <= 1; X is any closed convex set; |d_k| <= 1.
Exit status 1 if a setting differs by more than 1e-5.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shbcore.proof.worst_step import Step, steps, worst_step

AGREE = 1e-5
PLACES = ((0.1, 1.0), (0.25, 1.0), (0.5, 1.0), (0.25, 0.5), (0.25, 2.0), (0.5, 0.5))
r"""Stepsize :math:`\alpha` and :math:`\nu`, at :math:`\rho=1`, :math:`\lambda=\frac12`."""
NAMES = ("Lemma 3, noise", r"Lemma 4, $\gamma$", r"$U_k$ given the past, $\gamma'$")


@dataclass(frozen=True)
class Setting:
    """A step at a place; every one is bounded by a short direction."""

    name: str
    step: Step
    at: dict[str, Any]


def settings() -> Iterator[Setting]:
    """Three potentials of the paper and two smooth ones, at all places."""
    for alpha, nu in PLACES:
        at = {"rho": 1.0, "alpha": alpha, "beta": nu * alpha, "lam": 0.5}
        own = steps(**at)
        smooth = {
            "F + f/2 + |d|^2/9, smooth": Step("A3", {"F": 1.0, "f": 0.5, "m": 1 / 9}, alpha),
            "f + |d|^2/4, smooth": Step("A3", {"f": 1.0, "m": 0.25, "dn": -alpha}, alpha),
        }
        for name, step in {**{name: own[name] for name in NAMES}, **smooth}.items():
            yield Setting(f"{name}, alpha = {alpha}, nu = {nu}", step, at)


def ours(setting: Setting) -> float:
    """The worst case by the project's programme."""
    return worst_step(setting.step.kind, setting.step.weights, **setting.at, scale=setting.step.scale, short=True).value


def theirs(setting: Setting) -> float:
    """The same worst case, stated for PEPit."""
    import cvxpy
    from PEPit import PEP, Point
    from PEPit.functions import ConvexIndicatorFunction, SmoothFunction, StronglyConvexFunction
    from PEPit.primitive_steps import proximal_step

    rho, alpha, beta, lam = (setting.at[name] for name in ("rho", "alpha", "beta", "lam"))
    weights: dict[str, Any] = {
        "F": 0.0,
        **dict.fromkeys(("prev", "f", "m", "grad", "d", "dn"), 0.0),
        **setting.step.weights,
    }
    xi = (1 - beta) * alpha / beta
    problem = PEP()
    if setting.step.kind == "A3":
        f = problem.declare_function(SmoothFunction, L=rho)
    else:
        f = problem.declare_function(StronglyConvexFunction, mu=-rho)
    X = problem.declare_function(ConvexIndicatorFunction)
    x, before = Point(), Point()
    for point in (x, before):
        X.oracle(point)
    d = (before - x) / alpha
    g, f_x = f.oracle(x)
    _, f_before = f.oracle(before)
    after, _, _ = proximal_step(x - alpha * (beta * g + (1 - beta) * d), X, 1)
    d_next = (x - after) / alpha
    _, f_after = f.oracle(after)
    rise = weights["prev"] * (f_x - f_before) + weights["f"] * (f_after - f_x)
    rise = rise - (weights["m"] + weights["d"]) * d**2 + (weights["m"] - weights["dn"]) * d_next**2
    if weights["F"] or weights["grad"]:
        F = f + X
        bar, bar_next = x - xi * d, x - (alpha + xi) * d_next
        hat, _, low = proximal_step(bar, F, lam)
        hat_next, _, low_next = proximal_step(bar_next, F, lam)
        change = low_next + (hat_next - bar_next) ** 2 / (2 * lam) - low - (hat - bar) ** 2 / (2 * lam)
        rise = rise + weights["F"] * change + weights["grad"] * (bar - hat) ** 2 / lam**2
    problem.add_constraint(d**2 <= 1)
    if setting.step.kind == "A3":
        problem.add_constraint(g**2 <= 1)
    else:
        for _, slope, _ in f.list_of_points:
            problem.add_constraint(slope**2 <= 1)
    problem.set_performance_metric(rise / setting.step.scale)
    return float(problem.solve(verbose=0, wrapper="cvxpy", solver=cvxpy.CLARABEL))


@dataclass(frozen=True)
class Verdict:
    """Both values of a setting and the seconds that each took."""

    name: str
    ours: float
    theirs: float
    seconds: tuple[float, float]

    @property
    def apart(self) -> float:
        """The relative difference; a worst case near 0 is measured against a hundredth."""
        return abs(self.ours - self.theirs) / max(abs(self.theirs), 1e-2)


def referee(setting: Setting) -> Verdict:
    """Ask both."""
    begun = time.perf_counter()
    mine = ours(setting)
    middle = time.perf_counter()
    other = theirs(setting)
    return Verdict(setting.name, mine, other, (middle - begun, time.perf_counter() - middle))


def main() -> int:
    print(f"{'setting':58s} {'ours':>12s} {'PEPit':>12s} {'relative':>10s} {'s, ours':>8s} {'s, PEPit':>8s}")
    found = []
    for setting in settings():
        one = referee(setting)
        found.append(one)
        times = f"{one.seconds[0]:8.2f} {one.seconds[1]:8.2f}"
        print(f"{one.name:58s} {one.ours:12.7f} {one.theirs:12.7f} {one.apart:10.1e} {times}", flush=True)
    bad = sum(not one.apart <= AGREE for one in found)
    total = [sum(one.seconds[j] for one in found) for j in (0, 1)]
    print(
        f"{len(found)} settings, {bad} apart by more than {AGREE:g}; the largest difference is {max(one.apart for one in found):.1e}; "
        f"{total[0]:.1f} s ours, {total[1]:.1f} s PEPit"
    )
    return int(bool(bad))


if __name__ == "__main__":
    raise SystemExit(main())
