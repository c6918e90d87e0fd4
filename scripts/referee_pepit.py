r"""PEPit as an independent referee of the project's own semidefinite programmes, on deterministic steps.

Run it in an environment of its own (PEPit and cvxpy with Clarabel, nothing of this project but one file):

    python -m venv /tmp/referee && /tmp/referee/bin/pip install PEPit clarabel
    /tmp/referee/bin/python scripts/referee_pepit.py

Both solve the same worst case: the largest rise of a Lyapunov function in one step of the method without noise.  f is
weakly convex
(strongly convex with a negative modulus) with subgradients of length at most 1, or smooth with |grad f(x_k)| <= 1; X
is any closed
convex set; |d_k| <= 1.
"""

import importlib.util
import sys
import time
from pathlib import Path

import cvxpy
from PEPit import PEP, Point
from PEPit.functions import ConvexIndicatorFunction, SmoothFunction, StronglyConvexFunction
from PEPit.primitive_steps import proximal_step

HERE = Path(__file__).resolve().parent.parent / "shbcore" / "claims" / "beyond" / "worst_steps.py"
spec = importlib.util.spec_from_file_location("worst_steps", HERE)
assert spec is not None
assert spec.loader is not None
ours = importlib.util.module_from_spec(spec)
sys.modules["worst_steps"] = ours
spec.loader.exec_module(ours)


def theirs(
    kind: str, *, rho: float, alpha: float, beta: float, lam: float, weights: dict[str, float], scale: float
) -> float:
    """The same worst case, stated for PEPit."""
    xi = (1 - beta) * alpha / beta
    problem = PEP()
    if kind == "A3":
        f = problem.declare_function(SmoothFunction, L=rho)
    else:
        f = problem.declare_function(StronglyConvexFunction, mu=-rho)
    X = problem.declare_function(ConvexIndicatorFunction)
    x, before = Point(), Point()
    for point in (x, before):
        X.oracle(point)
    d = (before - x) / alpha
    g, fx = f.oracle(x)
    _, f_before = f.oracle(before)
    after, _, _ = proximal_step(x - alpha * (beta * g + (1 - beta) * d), X, 1)
    d_next = (x - after) / alpha
    _, f_after = f.oracle(after)
    rise = weights.get("prev", 0.0) * (fx - f_before) + weights.get("f", 0.0) * (f_after - fx)
    rise = rise - (weights.get("m", 0.0) + weights.get("d", 0.0)) * d**2
    rise = rise + (weights.get("m", 0.0) - weights.get("dn", 0.0)) * d_next**2
    if weights.get("F") or weights.get("grad"):
        F = f + X
        bar, bar_next = x - xi * d, x - (alpha + xi) * d_next
        hat, _, low = proximal_step(bar, F, lam)
        hat_next, _, low_next = proximal_step(bar_next, F, lam)
        change = low_next + (hat_next - bar_next) ** 2 / (2 * lam) - low - (hat - bar) ** 2 / (2 * lam)
        rise = rise + weights.get("F", 0.0) * change + weights.get("grad", 0.0) * (bar - hat) ** 2 / lam**2
    problem.add_constraint(d**2 <= 1)
    if kind == "A3":
        problem.add_constraint(g**2 <= 1)
    else:
        for _, slope, _ in f.list_of_points:
            problem.add_constraint(slope**2 <= 1)
    problem.set_performance_metric(rise / scale)
    return float(problem.solve(verbose=0, wrapper="cvxpy", solver=cvxpy.CLARABEL))


def settings() -> list[tuple[str, str, dict[str, float], dict[str, float], float]]:
    """Name, kind, parameters, weights, scale: Lemma 3, Lemma 4, U and the smooth potential at several stepsizes."""
    out = []
    rho, lam = 1.0, 0.5
    for alpha, nu in ((0.1, 1.0), (0.25, 1.0), (0.5, 1.0), (0.25, 0.5), (0.25, 2.0), (0.5, 0.5)):
        beta = nu * alpha
        xi = (1 - beta) / nu
        base = {"rho": rho, "alpha": alpha, "beta": beta, "lam": lam}
        here = f"alpha = {alpha}, nu = {nu}"
        out.append((f"Lemma 3, {here}", "A2", base, {"prev": 1 - beta, "m": nu / 2 * xi**2, "dn": -alpha}, alpha**2))
        weights = {
            "F": 1.0,
            "prev": (1 - beta) * xi**2 / (2 * lam**2) + xi / lam,
            "m": nu * xi**2 / (4 * lam**2) * xi**2 + alpha * xi**2 / (2 * lam**2),
            "grad": alpha / 2,
        }
        out.append((f"Lemma 4, {here}", "A2", base, weights, alpha**2 / (2 * lam)))
        c = (xi**2 / lam**2 + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)
        weights = {"F": 1.0, "prev": c * (1 - beta) + xi / lam, "m": c / (2 * nu), "grad": alpha / 2}
        out.append((f"U given the past, {here}", "A2", base, weights, alpha**2 / (2 * lam)))
        out.append((f"smooth, F + f/2 + |d|^2/9, {here}", "A3", base, {"F": 1.0, "f": 0.5, "m": 1 / 9}, alpha))
    return out


def main() -> int:
    bad = 0
    print(f"{'setting':46s} {'ours':>12s} {'PEPit':>12s} {'relative':>10s} {'s, ours':>8s} {'s, PEPit':>8s}")
    for name, kind, base, weights, scale in settings():
        begun = time.perf_counter()
        mine = ours.one_step(kind, **base, weights=weights, scale=scale, deterministic=True, d_bounded=True)
        middle = time.perf_counter()
        other = theirs(kind, **base, weights=weights, scale=scale)
        end = time.perf_counter()
        apart = abs(mine - other) / max(abs(other), 1e-2)
        bad += not apart <= 1e-5
        print(
            f"{name:46s} {mine:12.7f} {other:12.7f} {apart:10.1e} {middle - begun:8.2f} {end - middle:8.2f}", flush=True
        )
    print(f"{len(settings())} settings, {bad} apart by more than 1e-5")
    return int(bool(bad))


if __name__ == "__main__":
    raise SystemExit(main())
