"""The sweep kernel against NumPy and against the machine: ratios taken side by side, printed and written as JSON and a plot.

Every figure is CPU time of one thread (the two-thread line is wall time), the least of several interleaved repetitions, with f evaluated
once an epoch.  The peak is measured too: independent fused multiply-adds on vectors, 2 flops a lane.  An iteration of a run counts 7 n
flops, an evaluation of f counts 2 m n.
"""

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib
import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils

from shbcore.numerics import simd
from shbcore.numerics.phase_kernel import Work, run
from shbcore.numerics.simd import LANES, load, splat, store
from shbcore.numerics.sweep import Setting, draw

OUT = Path(__file__).resolve().parent.parent / ".benchmarks"


@simd.intrinsic
def fma(typing: Any, a: Any, b: Any, c: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(simd._VECTOR, [simd._VECTOR] * 3)
        name = f"llvm.fma.v{LANES}f64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return simd.vec8(simd.vec8, simd.vec8, simd.vec8), codegen


@njit(nogil=True)
def multiply_add(count: int, out: np.ndarray) -> None:
    a, b = splat(out[0]), splat(out[1])
    p, q, r, s, t, u = load(out, 0), load(out, 0), load(out, 0), load(out, 0), load(out, 0), load(out, 0)
    for _ in range(count):
        p, q, r, s, t, u = fma(p, a, b), fma(q, a, b), fma(r, a, b), fma(s, a, b), fma(t, a, b), fma(u, a, b)
    store(out, 0, p + q + r + s + t + u)


def loop(work: Work, alpha_0: float, beta: float) -> float:
    """One run as one writes it with NumPy."""
    A, b, x, order, roots = work
    x, z, m = x.copy(), np.zeros_like(x), len(b)
    for k, i in enumerate(order):
        a = A[i]
        t = a @ x
        z *= 1 - beta
        z += (2 * beta * t * np.sign(t * t - b[i])) * a
        x -= (alpha_0 / roots[k]) * z
        if (k + 1) % m == 0:
            f = np.abs((A @ x) ** 2 - b).mean()
    return float(f)


def batch(work: Work, alpha_0: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """All runs at once with NumPy."""
    A, b, x, order, roots = work
    X, m = np.tile(x, (len(alpha_0), 1)), len(b)
    Z, keep = np.zeros_like(X), (1 - beta)[:, None]
    for k, i in enumerate(order):
        a = A[i]
        t = X @ a
        Z *= keep
        Z += (2 * beta * t * np.sign(t * t - b[i]))[:, None] * a
        X -= (alpha_0 / roots[k])[:, None] * Z
        if (k + 1) % m == 0:
            f = np.abs((X @ A.T) ** 2 - b).mean(axis=1)
    return f


def seconds(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    call()
    return clock() - start


def lanes(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    beta = np.full(count, 0.03)
    return np.geomspace(1e-3, 0.1, count), beta, beta


def cost(m: int, n: int, epochs: int, runs: int) -> float:
    """Nanoseconds an iteration and run."""
    work = draw(Setting(m=m, n=n, epochs=epochs), 1, 0)[0]
    return 1e9 * min(seconds(lambda: run(work, *lanes(runs))) for _ in range(5)) / (runs * epochs * m)


def main() -> int:
    setting = Setting(epochs=10)
    work, runs = draw(setting, 1, 0)[0], 80
    short = Work(*work[:3], work.order[:3000], work.roots[:3000])
    alpha_0, beta, first = lanes(runs)
    tests: dict[str, tuple[Callable[[], object], int]] = {
        "numpy loop": (lambda: loop(short, 0.05, 0.03), 3000),
        "numpy batched": (lambda: batch(short, alpha_0, beta), 3000 * runs),
        "kernel": (lambda: run(work, alpha_0, beta, first), setting.K * runs),
        "peak": (lambda: multiply_add(500_000, np.full(LANES, 0.5)), 500_000 * 6 * LANES * 2),
    }
    for call, _ in tests.values():
        call()
    taken = {name: [] for name in tests}
    for _ in range(9):
        for name, (call, _) in tests.items():
            taken[name].append(seconds(call))
    best = {name: 1e9 * min(times) / tests[name][1] for name, times in taken.items()}
    flops = 7 * setting.n + 2 * setting.n  # an iteration, and its share of the evaluation
    peak, rate = 1 / best["peak"], flops / best["kernel"]
    pair = {}
    with ThreadPoolExecutor(2) as pool:
        for name in ("kernel", "peak"):
            call, wall = tests[name][0], time.perf_counter
            ratios = [
                2 * seconds(call, wall) / seconds(lambda c=call: list(pool.map(lambda _: c(), range(2))), wall)
                for _ in range(7)
            ]
            pair[name] = float(np.median(ratios))
    growth = {
        "n": {n: cost(100, n, 10, 40) for n in (10, 30, 100, 300)},
        "m": {m: cost(m, 100, 10, 40) for m in (30, 100, 300, 1000)},
        "epochs": {e: cost(100, 100, e, 40) for e in (3, 10, 30, 100)},
        "runs": {r: cost(100, 100, 10, r) for r in (1, 8, 40, 200)},
    }
    result = {
        "machine": {"processor": platform.processor() or platform.machine(), "python": platform.python_version()},
        "peak GFlop/s (multiply-add, one thread)": round(peak, 1),
        "ns per iteration and run": {name: round(best[name], 1) for name in ("numpy loop", "numpy batched", "kernel")},
        "kernel against numpy loop": round(best["numpy loop"] / best["kernel"], 1),
        "kernel against numpy batched": round(best["numpy batched"] / best["kernel"], 1),
        "kernel share of peak": round(rate / peak, 3),
        "two threads against one": {name: round(value, 2) for name, value in pair.items()},
        "ns per iteration and run as it grows": {
            k: {str(a): round(b, 1) for a, b in v.items()} for k, v in growth.items()
        },
    }
    OUT.mkdir(exist_ok=True)
    (OUT / "bench_solver.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))
    plot(growth)
    return 0


def plot(growth: dict[str, dict[int, float]]) -> None:
    matplotlib.use("Agg")
    from shbcore.pages import style

    style.use()
    fig, axes = style.figure(1, 4, height=2.4, sharey=True)
    for ax, (name, costs) in zip(axes.flat, growth.items(), strict=True):
        ax.plot(list(costs), list(costs.values()), **style.SHB.line, marker=style.SHB.marker)
        ax.set(xscale="log", yscale="log", xlabel=name)
    axes[0, 0].set_ylabel("ns per iteration and run")
    fig.savefig(OUT / "bench_solver.png")


if __name__ == "__main__":
    sys.exit(main())
