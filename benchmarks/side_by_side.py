"""Three problems that AutoLyap, PEPit and this library can all express, side by side: lines of code, seconds, what the answer says.

Deterministic and at given numbers, because that is what all three can do.  ``python benchmarks/side_by_side.py`` needs
``pip install autolyap pepit``; it writes book/data/side_by_side.json, from which the chapter 'Verify your own' prints its table.
"""

import ast
import inspect
import json
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RHO, ALPHA, BETA = 1.0, 0.5, 0.5
REPEATS = 7


# --- 1: a gradient step on a smooth function; how much does f fall?


def gradient_pepit() -> str:
    from PEPit import PEP
    from PEPit.functions import SmoothFunction

    problem = PEP()
    f = problem.declare_function(SmoothFunction, L=RHO)
    x = problem.set_initial_point()
    after = x - ALPHA * f.gradient(x)
    problem.set_initial_condition(f(x) - f(after) <= 1)
    problem.set_performance_metric(f.gradient(x) ** 2)
    return rf"$\|\nabla f(x)\|^2\le{problem.solve(verbose=0):.4f}\,(f(x)-f(x^+))$"


def gradient_autolyap() -> str:
    from autolyap import IterationIndependent, SolverOptions
    from autolyap.algorithms import GradientMethod
    from autolyap.problemclass import InclusionProblem, Smooth

    problem, method = InclusionProblem([Smooth(L=RHO)]), GradientMethod(gamma=ALPHA)
    measure = IterationIndependent.SublinearConvergence.get_parameters_optimality_measure(method)
    options = SolverOptions(backend="cvxpy", cvxpy_solver="CLARABEL")
    found = IterationIndependent.search_lyapunov(
        problem, method, *(measure[i] for i in (0, 2, 1, 3)), remove_C2=True, solver_options=options, verbosity=0
    )
    return {"feasible": "a Lyapunov function exists"}[found["status"]]


def gradient_shbcore() -> str:
    from shbcore import proof as P

    x = P.vector("x", inside=True)
    after = x - P.alpha * P.f.slope(x)
    domain = P.Domain(P.nonnegative(P.rho), P.inverse_above(P.alpha, P.rho / 2))
    facts, assumes = [P.smooth_above(P.f, x, after)], (P.SMOOTH, P.WHOLE_SPACE)
    template = P.Template(
        (P.f(x), P.f(after)), [], P.f.slope(x) ** 2, P.Number(0), facts, P.PATHWISE, domain, assumes, P.Scope.ANY
    )
    found = P.lyapunov(template, "decrease")
    return rf"$f(x)-f(x^+)\ge{tex(found.decrease)}\|\nabla f(x)\|^2$"


# --- 2: a step of heavy ball on a smooth function


def heavy_ball_pepit() -> str:
    from PEPit import PEP, Point
    from PEPit.functions import SmoothFunction

    problem = PEP()
    f = problem.declare_function(SmoothFunction, L=RHO)
    x, d = problem.set_initial_point(), Point()
    z = BETA * f.gradient(x) + (1 - BETA) * d
    after, xi = x - ALPHA * z, (1 - BETA) * ALPHA / BETA
    problem.set_initial_condition(f(x) + xi / 2 * d**2 - f(after) - xi / 2 * z**2 <= 1)
    problem.set_performance_metric(z**2)
    return rf"$\|z\|^2\le{problem.solve(verbose=0):.4f}$ times the fall of $f+\frac\xi2\|d\|^2$, which was given"


def heavy_ball_autolyap() -> str:
    from autolyap import IterationIndependent, SolverOptions
    from autolyap.algorithms import HeavyBallMethod
    from autolyap.problemclass import InclusionProblem, Smooth

    problem, method = InclusionProblem([Smooth(L=RHO)]), HeavyBallMethod(gamma=ALPHA * BETA, delta=1 - BETA)
    measure = IterationIndependent.SublinearConvergence.get_parameters_optimality_measure(method)
    options = SolverOptions(backend="cvxpy", cvxpy_solver="CLARABEL")
    found = IterationIndependent.search_lyapunov(
        problem, method, *(measure[i] for i in (0, 2, 1, 3)), remove_C2=True, solver_options=options, verbosity=0
    )
    return {"feasible": "a Lyapunov function exists"}[found["status"]]


def heavy_ball_shbcore() -> str:
    from shbcore import proof as P

    x, d = P.vector("x", inside=True), P.vector("d")
    z = P.beta * P.f.slope(x) + (1 - P.beta) * d
    domain = P.Domain(P.nonnegative(P.rho), P.inverse_above(P.alpha, P.rho / 2), P.between(P.beta, 0, 1))
    facts, assumes = [P.smooth_above(P.f, x, x - P.alpha * z), P.square(z - d)], (P.SMOOTH, P.WHOLE_SPACE)
    template = P.Template(
        (P.f(x), P.f(x - P.alpha * z)),
        [(d**2, z**2)],
        z**2,
        P.Number(0),
        facts,
        P.PATHWISE,
        domain,
        assumes,
        P.Scope.ANY,
    )
    found = P.lyapunov(template, "decrease")
    return rf"$f+{tex(found.weights[0])}\|d\|^2$, which was found, falls by ${tex(found.decrease)}\|z\|^2$"


# --- 3: a proximal point of a weakly convex function


def proximal_pepit() -> str:
    from PEPit import PEP
    from PEPit.functions import ConvexFunction
    from PEPit.primitive_steps import proximal_step

    problem = PEP()  # PEPit has no weakly convex functions: f + rho/2 |x|^2 is convex
    convex = problem.declare_function(ConvexFunction)
    x = problem.set_initial_point()
    after, _, value = proximal_step(x / (1 - ALPHA * RHO), convex, ALPHA / (1 - ALPHA * RHO))
    f_x, f_after = convex(x) - RHO / 2 * x**2, value - RHO / 2 * after**2
    problem.set_initial_condition(f_x - f_after <= 1)
    problem.set_performance_metric((x - after) ** 2)
    return rf"$\|x^+-x\|^2\le{problem.solve(verbose=0):.4f}\,(f(x)-f(x^+))$"


def proximal_autolyap() -> str:
    from autolyap import IterationIndependent, SolverOptions
    from autolyap.algorithms import ProximalPoint
    from autolyap.problemclass import InclusionProblem, WeaklyConvex

    problem, method = InclusionProblem([WeaklyConvex(mu_tilde=RHO)]), ProximalPoint(gamma=ALPHA)
    measure = IterationIndependent.SublinearConvergence.get_parameters_optimality_measure(method)
    options = SolverOptions(backend="cvxpy", cvxpy_solver="CLARABEL")
    found = IterationIndependent.search_lyapunov(
        problem, method, *(measure[i] for i in (0, 2, 1, 3)), remove_C2=True, solver_options=options, verbosity=0
    )
    return {"feasible": "a Lyapunov function exists"}[found["status"]]


def proximal_shbcore() -> str:
    from shbcore import proof as P

    x = P.vector("x", inside=True)
    after = P.F_env.prox(x, r"\hat y")
    domain, facts = (
        P.Domain(P.nonnegative(P.rho), P.inverse_at_least(P.lam, 2 * P.rho)),
        [P.prox_strong_convexity(after, x)],
    )
    template = P.Template(
        (P.f(x), P.f(after)),
        [],
        (x - after) ** 2,
        P.Number(0),
        facts,
        P.PATHWISE,
        domain,
        (P.WEAKLY_CONVEX,),
        P.Scope.ANY,
    )
    found = P.lyapunov(template, "decrease")
    return rf"$f(x)-f(x^+)\ge{tex(found.decrease)}\|x^+-x\|^2$"


AT = {"rho": RHO, "alpha": ALPHA, "beta": BETA}
"""Where PEPit and AutoLyap answer, each to the tolerance of its solver; for the proximal point the parameter of the prox is ALPHA."""
PROBLEMS = {"gradient": "gradient step", "heavy_ball": "heavy ball", "proximal": "proximal point"}
TOOLS = {"pepit": "PEPit", "autolyap": "AutoLyap", "shbcore": "shbcore"}


def tex(value: Any) -> str:
    """A rational function as a formula, without a minus before a bracket."""
    from shbcore.proof import latex

    return latex.tex(value)


def code(function: Callable[[], str]) -> int:
    """Statements of a solution, imports left out."""
    (whole,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(whole, ast.FunctionDef)
    return sum(not isinstance(one, ast.Import | ast.ImportFrom) for one in whole.body)


def measure() -> list[dict[str, Any]]:
    rows = []
    for problem, title in PROBLEMS.items():
        for tool, name in TOOLS.items():
            solve = globals()[f"{problem}_{tool}"]
            solve()  # imports and caches
            seconds = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                answer = solve()
                seconds.append(time.perf_counter() - start)
            rows.append({"problem": title, "tool": name, "statements": code(solve), "seconds": round(min(seconds), 2)})
            rows[-1] |= {"answer": answer}
            print(*rows[-1].values(), sep=" | ", flush=True)
    return rows


def main() -> int:
    versions = {name: version(name) for name in ("autolyap", "pepit", "cvxpy", "clarabel", "sympy")}
    found = {
        "by": "benchmarks/side_by_side.py",
        "versions": versions,
        "processor": processor(),
        "at": AT,
        "rows": measure(),
    }
    (HERE.parent / "book" / "data" / "side_by_side.json").write_text(json.dumps(found, indent=1) + "\n")
    return 0


def processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    raise SystemExit(main())
