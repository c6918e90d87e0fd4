"""Random problems on the line with rational data, and the parameters to try on them: the instances of the tests of slacks."""

from fractions import Fraction as Q

import gmpy2
import numpy as np

from shbcore.model.instances import KINDS, Instance, random_instance
from shbcore.model.parameters import Parameters
from shbcore.model.rational import Interval


def fast(case: Instance) -> Instance:
    """The same instance in gmpy2, which is several times faster than Fraction."""
    X = Interval(*(None if end is None else gmpy2.mpq(end) for end in (case.X.lo, case.X.hi)))
    return Instance(case.kind, case.problem.to(gmpy2.mpq), X, gmpy2.mpq(case.x0))


CASES = [
    fast(random_instance(k, np.random.default_rng(s), bounded=b))
    for k in KINDS
    for s in range(3)
    for b in (True, False)
]
NONSMOOTH = [c for c in CASES if c.kind != "smooth" or c.X.hi is not None]
SMOOTH = [c for c in CASES if c.problem.smooth]
CURVED = next(c for c in CASES if c.problem.rho > 0)
PAIRS = [Parameters(gmpy2.mpq(a), gmpy2.mpq(b)) for a, b in (("1/4", "1/4"), ("1", "3/4"), ("1/10", "1"))]


def smallest_envelope(case: Instance) -> Q:
    """1/lambda = 2 rho, the hardest choice; 1 if f is convex."""
    return 1 / (2 * case.problem.rho) if case.problem.rho else gmpy2.mpq(1)
