"""Run every benchmark of this folder in one go: print a table, and write results.json with what the machine is and can do."""

import importlib
import json
import os
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

HERE = Path(__file__).resolve().parent
PACKAGES = ("numpy", "scipy", "numba", "sympy", "cvxpy", "clarabel")


def machine() -> dict[str, Any]:
    """Processor, versions, and the rate of a matrix product on one thread."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    A, times = np.random.default_rng(0).standard_normal((800, 800)), []
    for _ in range(7):
        start = time.process_time()
        A @ A
        times.append(time.process_time() - start)
    return {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "dgemm GFlop/s, one thread": round(2 * 800**3 / min(times) / 1e9, 1),
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def lines(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Nested results as (path, value); a flat dictionary stays on one line."""
    if isinstance(value, dict) and any(isinstance(v, dict | list) for v in value.values()):
        return [line for key, inner in value.items() for line in lines(inner, (*path, str(key)))]
    if isinstance(value, list):
        return [line for inner in value for line in lines(inner, path)]
    if isinstance(value, dict):
        return [(" | ".join(path), ",  ".join(f"{key}: {inner}" for key, inner in value.items()))]
    return [(" | ".join(path), str(value))]


def show(results: dict[str, Any]) -> int:
    """Print the table."""
    table = lines(results)
    width = max(len(name) for name, _ in table)
    for name, value in table:
        print(f"{name:<{width}}  {value}")
    return 0


def rows(path: Path) -> dict[str, Any]:
    """What a benchmark's ``measure`` returns, or what its ``main`` leaves in .benchmarks."""
    module = importlib.import_module(path.stem)
    if hasattr(module, "measure"):
        return dict(module.measure())
    module.main()
    return dict(json.loads((HERE.parent / ".benchmarks" / f"{path.stem}.json").read_text()))


def main() -> int:
    results: dict[str, Any] = {"machine": machine()}
    for path in sorted(HERE.glob("bench_*.py")):
        print(f"bench: {path.name}", flush=True)
        results[path.stem] = rows(path)
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    return show(results)


if __name__ == "__main__":
    sys.exit(main())
