"""The exact tree: every history of a rational problem with two samples, with prox, V and Lemma 4 at each node."""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
import numpy as np

from shbcore.model.instances import random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import Interval
from shbcore.numerics.slack import average, lemma_4, nonsmooth, over_tree


def seconds(number: Callable[..., Any], depth: int) -> float:
    """Processor seconds for all histories up to ``depth`` samples, Lemma 4 checked in total expectation at every level."""
    cases = (random_instance("kinked", np.random.default_rng(seed)) for seed in range(50))
    case = next(one for one in cases if one.problem.m == 2)
    problem, X = case.problem.to(number), Interval(number(case.X.lo), number(case.X.hi))
    start = time.process_time()
    setting = nonsmooth(problem, X, Parameters(number(1, 4), number(1, 2)), envelope=1 / (2 * problem.rho + 1))
    levels = over_tree(setting, number(case.x0), depth - 1, lemma_4)
    if not all(average(level).verdict == "holds" for level in levels):
        raise RuntimeError("Lemma 4 failed on the tree")
    return time.process_time() - start


def measure() -> dict[str, Any]:
    """Depth 12 (8,190 nodes) with both kinds of exact numbers, and how the cost grows with the depth."""
    slow, fast = seconds(Fraction, 12), seconds(gmpy2.mpq, 12)
    return {
        "depth 12": {"fractions, s": round(slow, 2), "gmpy2, s": round(fast, 2), "ratio": round(slow / fast, 1)},
        "growth, gmpy2, s": {str(depth): round(seconds(gmpy2.mpq, depth), 3) for depth in (6, 8, 10, 12, 14)},
    }
