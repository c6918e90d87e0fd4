"""The certified prox of robust phase retrieval against Clarabel and cvxpy, and the shared prox against independent ones.

All contenders of a size solve the same prox problems in turn, on one thread; CPU time, the least of several rounds.  Clarabel
gets its matrices ready made; cvxpy runs once with the problem compiled beforehand and x as a parameter, and once from scratch.
``gap`` is what a contender reached, measured for all by the same certified lower bound, relative to the terms of the objective.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import clarabel
import cvxpy as cp
import numpy as np
import scipy.sparse as sp

from shbcore.model.phase import RobustPhaseRetrieval, phase_retrieval
from shbcore.model.sets import WholeSpace
from shbcore.numerics.envelope import moreau, moreau_many
from shbcore.numerics.phase_prox import Array, Data, certificate, prepare, solve
from shbcore.numerics.phase_prox_many import solve_many

TOL = 1e-10


def seconds(call: Callable[[], object], repeat: int = 1) -> float:
    start = time.process_time()
    for _ in range(repeat):
        call()
    return (time.process_time() - start) / repeat


def instance(m: int, n: int, kappa: float = 1.0) -> tuple[RobustPhaseRetrieval, float, Data, Array]:
    problem, _, truth = phase_retrieval(m, n, kappa, 0.2, np.random.default_rng(m + n))
    envelope = 1 / (2 * problem.rho)
    rho = float(problem.known_least_rho())
    return (
        problem,
        envelope,
        prepare(problem.A, problem.b, problem.weights, envelope=envelope, weak_convexity=rho),
        truth,
    )


def clarabel_solver(data: Data) -> Callable[[Array], Array]:
    r"""``min y'By/2 - <x,y>/lambda + 2 w'u`` under ``u >= 0`` and ``t_i^2 <= u_i + b_i``, a cone of size 3 each."""
    k, n = data.At.shape[1], len(data.base)
    P = sp.block_diag([sp.triu(sp.csc_matrix(data.base)), sp.csc_matrix((k, k))], format="csc")
    cones = np.zeros((k, 3, n + k))
    cones[:, 0, n:] = cones[:, 1, n:] = -np.eye(k)
    cones[:, 2, :n] = -2 * data.A[:k]
    rows = sp.csc_matrix(np.vstack([np.hstack([np.zeros((k, n)), -np.eye(k)]), cones.reshape(3 * k, n + k)]))
    one, b = np.ones(k), data.b[:k]
    right = np.concatenate([np.zeros(k), np.stack([b + one, b - one, 0 * one], axis=1).ravel()])
    kinds = [clarabel.NonnegativeConeT(k), *[clarabel.SecondOrderConeT(3)] * k]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOL

    def call(x: Array) -> Array:
        q = np.concatenate([-data.inverse * x, 2 * data.w[:k]])
        return np.array(clarabel.DefaultSolver(P, q, rows, right, kinds, settings).solve().x[:n])

    return call


def cvxpy_problem(data: Data, x: Any) -> tuple[Any, cp.Problem]:
    k = data.At.shape[1]
    y = cp.Variable(len(data.base))
    kinks = 2 * data.w[:k] @ cp.pos(cp.square(data.A[:k] @ y) - data.b[:k])
    return y, cp.Problem(cp.Minimize(cp.quad_form(y, cp.psd_wrap(data.base)) / 2 - data.inverse * x @ y + kinks))


def cvxpy_solver(data: Data, compiled: bool) -> Callable[[Array], Array]:
    tight = {"solver": cp.CLARABEL, "tol_gap_abs": TOL, "tol_gap_rel": TOL, "tol_feas": TOL}
    parameter = cp.Parameter(len(data.base))
    y, problem = cvxpy_problem(data, parameter)

    def ready(x: Array) -> Array:
        parameter.value = x
        problem.solve(**tight)
        return np.asarray(y.value)

    def scratch(x: Array) -> Array:
        fresh, program = cvxpy_problem(data, x)
        program.solve(**tight)
        return np.asarray(fresh.value)

    return ready if compiled else scratch


def contest(m: int, n: int, rounds: int) -> dict[str, Any]:
    """Every contender on the same points, interleaved."""
    problem, envelope, data, truth = instance(m, n)
    X, rng = WholeSpace(n), np.random.default_rng(0)
    points = truth + rng.standard_normal((rounds, n)) / np.sqrt(n)
    contenders: dict[str, tuple[Callable[[Array], Array], int]] = {
        "interior point": (lambda x: solve(data, x, TOL).point, max(1, 6000 // (m * n))),
        "moreau": (lambda x: moreau(problem, X, x, envelope=envelope, tol=TOL).point, max(1, 6000 // (m * n))),
        "clarabel": (clarabel_solver(data), 1),
        "cvxpy, compiled": (cvxpy_solver(data, True), 1),
        "cvxpy, from scratch": (cvxpy_solver(data, False), 1),
    }
    for call, _ in contenders.values():
        call(points[0])
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    gaps = dict.fromkeys(contenders, 0.0)
    for x in points:
        bound = solve(data, x, 1e-15)
        for name, (call, repeat) in contenders.items():
            taken[name].append(seconds(lambda c=call, x=x: c(x), repeat))  # type: ignore[misc]
            value, _, scale = certificate(data, x, call(x), np.ones(m), 0.0)
            gaps[name] = max(gaps[name], (value - bound.value + bound.gap) / scale)
    best = {name: min(times) for name, times in taken.items()}
    return {
        name: {
            "microseconds": round(1e6 * best[name], 1),
            "times slower": round(best[name] / best["interior point"], 1),
            "gap": float(f"{gaps[name]:.1e}"),
        }
        for name in contenders
    }


def shared(m: int, n: int, alpha: float, distance: float, rounds: int) -> dict[str, Any]:
    r"""The m points :math:`x-\alpha g_i` at once, against one by one."""
    problem, _, data, truth = instance(m, n)
    x = truth + distance * np.random.default_rng(1).standard_normal(n) / np.sqrt(n)
    points = x - alpha * problem.subgradients(x)
    together, alone = [], []
    for _ in range(rounds):
        together.append(seconds(lambda: solve_many(data, points, TOL)))
        alone.append(seconds(lambda: [solve(data, point, TOL) for point in points]))
    fallback = sum(at.iterations > 0 for at in solve_many(data, points, TOL))
    return {
        "alpha": alpha,
        "distance to x*": distance,
        "together, ms": round(1e3 * min(together), 1),
        "one by one, ms": round(1e3 * min(alone), 1),
        "times faster": round(min(alone) / min(together), 1),
        "sent to the interior point method": fallback,
    }


def growth() -> dict[str, dict[str, float]]:
    """Microseconds a prox as n and m grow."""
    table: dict[str, dict[str, float]] = {"n, at m = 300": {}, "m, at n = 30": {}}
    for name, sizes in {
        "n, at m = 300": [(300, n) for n in (10, 30, 100, 200)],
        "m, at n = 30": [(m, 30) for m in (30, 100, 300, 1000)],
    }.items():
        for m, n in sizes:
            _, _, data, truth = instance(m, n)
            x = truth + np.random.default_rng(2).standard_normal(n) / np.sqrt(n)
            solve(data, x, TOL)
            best = min(seconds(lambda d=data, x=x: solve(d, x, TOL), 3) for _ in range(5))  # type: ignore[misc]
            table[name][str(n if name.startswith("n") else m)] = round(1e6 * best, 1)
    return table


def measure() -> dict[str, Any]:
    """All rows, as plain data."""
    moreau_many(*instance(20, 5)[:1], WholeSpace(5), np.ones((2, 5)), envelope=instance(20, 5)[1])  # compile
    return {
        "prox, 20 x 5": contest(20, 5, 20),
        "prox, 300 x 100": contest(300, 100, 5),
        # Small steps, as in the theorems, very near the solution, then the large steps of real runs.
        "shared prox, 300 x 100": [
            shared(300, 100, alpha, distance, 5)
            for alpha, distance in (
                (3e-4, 1.0),
                (3e-4, 0.1),
                (1e-3, 1.0),
                (1e-3, 0.1),
                (3e-4, 0.01),
                (3e-3, 0.1),
                (1e-2, 0.1),
                (3e-2, 0.1),
                (3e-2, 1.0),
            )
        ],
        "prox, microseconds as it grows": growth(),
    }


if __name__ == "__main__":
    from run import show

    sys.exit(show(measure()))
