"""The cost of a step of ``shb`` on a problem of one's own for m = 10^2 .. 10^6 samples: it asks for one sample, and should not grow."""

import time
from itertools import islice
from typing import Any

import numpy as np

from shbcore.model.own import from_functions
from shbcore.model.parameters import ConstantStep
from shbcore.model.sets import WholeSpace
from shbcore.numerics.solver import shb

SIZES = (10**2, 10**3, 10**4, 10**5, 10**6)


def microseconds(m: int, *, weighted: bool = False, steps: int = 1000, repeats: int = 3) -> float:
    """The least time of a step over a few runs, after a first one."""
    slopes = np.random.default_rng(0).standard_normal((m, 5))
    weights = np.arange(1, m + 1) / (m * (m + 1) / 2) if weighted else None
    own = from_functions(lambda x, i: float(slopes[i] @ x), lambda x, i: slopes[i], n=5, m=m, weights=weights, rho=0.0)
    run = shb(own, WholeSpace(5), ConstantStep(1e-3), 0.5, np.zeros(5), np.random.default_rng(0))
    list(islice(run, 50))
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        list(islice(run, steps))
        times.append((time.perf_counter() - begun) / steps)
    return round(1e6 * min(times), 1)


def measure() -> dict[str, Any]:
    return {
        f"a step of shb, {name}": {f"m = {m}": microseconds(m, weighted=weighted) for m in SIZES}
        for name, weighted in (("equal weights, us", False), ("own weights, us", True))
    }


if __name__ == "__main__":
    for name, row in measure().items():
        print(name, row)
