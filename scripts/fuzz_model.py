"""What is called of the model: sets, problems and their constants, parameters, formulas, exact functions on the line."""

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
from fuzz import fixed, pick, rational, register, spread, uniform, vector, whole

from shbcore.model import checks, constants, gallery, instances, phase, sets, smooth, staircase
from shbcore.model import rational as line
from shbcore.model.composite import AbsoluteQuadratics, RidgeSum
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters, root

RNG = lambda rng: np.random.default_rng(int(rng.integers(1000)))  # noqa: E731
ZERO = np.zeros(2)
SETS = (
    sets.WholeSpace(2),
    sets.Ball(1.5, np.array([0.5, -0.25])),
    sets.Box(np.array([-1.0, 0.0]), np.array([1.0, 2.0])),
    sets.HalfSpace(np.array([1.0, 2.0]), 0.5),
    sets.Simplex(2, 1.5),
)
A, B = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]]), np.array([1.0, -0.5, 2.0])
PROBLEMS = (
    phase.RobustPhaseRetrieval(A, B),
    RidgeSum(A, B, smooth.LOG, np.array([0.5, 0.25, 0.25])),
    RidgeSum(A, B, gallery.CHORD),
    smooth.NoisyQuadratic(np.array([[1.0, 0.5], [0.5, -2.0]]), A),
    AbsoluteQuadratics(np.array([np.eye(2), -np.eye(2), np.ones((2, 2))]), A, B),
    gallery.ExponentialFit(np.array([0.0, 1.0]), np.array([1.0, 0.5]), sets.Box(ZERO, np.ones(2))),
)
F = line.PiecewiseQuadratic.build([-1, 0, 2], [1, -2, 0, 1], [1, 2, Fraction(1, 2)], slope=-2)
ABS = line.PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)
EXACT = line.RationalProblem((F, ABS), (Fraction(1, 3), Fraction(2, 3)))
INTERVALS = (line.REAL_LINE, line.Interval(-2, 3), line.Interval(0, None), line.Interval(1, 1))


def exact(value: Any) -> Fraction:
    """The number, whatever its type."""
    return value if isinstance(value, Fraction) else Fraction(float(value))


def near(a: Any, b: Any, tol: float = 1e-9) -> bool:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    with np.errstate(all="ignore"):
        same = np.isclose(a, b, rtol=tol, atol=tol) | (a == b)
    return a.shape == b.shape and bool(np.all(same))


def nearest(given: dict[str, Any], found: Any) -> bool:
    """The variational inequality of the projection, against points of the set drawn at random."""
    X, x = given["X"], np.asarray(given["x"], dtype=float)
    if not X.contains(found):
        return False
    others = X.project(np.random.default_rng(0).normal(0, 2, (50, X.n)))
    flat, y = x.reshape(-1, X.n), np.asarray(found).reshape(-1, X.n)
    size = 1 + np.abs(flat).max() ** 2
    return all(((others - b) @ (a - b)).max() <= 1e-9 * size for a, b in zip(flat, y))


def inside(given: dict[str, Any], found: Any) -> bool:
    """Membership by the definition of each set, in exact arithmetic, where the point is not within the tolerance of the boundary."""
    X = given["X"]
    for row in np.asarray(given["x"], dtype=float).reshape(-1, 2):
        if not np.isfinite(row).all():
            return not found
        x = [Fraction(entry) for entry in row]
        size = 1 + sum(abs(entry) for entry in x)
        if isinstance(X, sets.Ball):
            out = sum((a - Fraction(c)) ** 2 for a, c in zip(x, X.centre)) - Fraction(X.radius) ** 2
        elif isinstance(X, sets.Box):
            out = max(*(Fraction(l) - a for a, l in zip(x, X.lower)), *(a - Fraction(u) for a, u in zip(x, X.upper)))
        elif isinstance(X, sets.HalfSpace):
            out = sum(a * Fraction(n) for a, n in zip(x, X.normal)) - Fraction(X.offset)
        elif isinstance(X, sets.Simplex):
            out = max(abs(sum(x) - Fraction(X.total)), *(-a for a in x))
        else:
            out = Fraction(-1)
        if abs(out) <= size * Fraction(1, 10**7):
            return True
        if out > 0:
            return not found
    return bool(found)


def supported(given: dict[str, Any], found: Any) -> bool:
    """No point of the set is further in the direction."""
    X, y = given["X"], np.asarray(given["y"], dtype=float).reshape(-1, 2)
    others = X.project(np.random.default_rng(1).normal(0, 3, (200, 2)))
    scale = 1 + np.abs(y).max()
    return bool(np.all(others @ y.T <= np.asarray(found).reshape(-1) + 1e-9 * scale))


def by_hand(given: dict[str, Any], found: Any) -> bool:
    """Values of the samples, by loops."""
    p, x = given["problem"], [float(v) for v in np.asarray(given["x"]).ravel()]
    dots = [math.fsum(a * v for a, v in zip(row, x)) for row in A.tolist()]
    if isinstance(p, phase.RobustPhaseRetrieval):
        wanted = [abs(t * t - b) for t, b in zip(dots, B)]
    elif isinstance(p, RidgeSum) and p.loss is smooth.LOG:
        wanted = [math.log1p((t - b) ** 2) for t, b in zip(dots, B)]
    elif isinstance(p, RidgeSum):
        wanted = [2 * abs(math.sin((t - b) / 2)) if abs(t) < 1e6 else float(v) for t, b, v in zip(dots, B, found)]
    else:
        return bool(np.all(~np.isnan(found)))
    return near(found, wanted, 1e-7)


def slope(given: dict[str, Any], found: Any) -> bool:
    """A subgradient inequality of weak convexity at random points."""
    p, x = given["problem"], np.asarray(given["x"], dtype=float)
    rng, rho, value = np.random.default_rng(2), p.rho, p.value(x)
    size = 1 + np.abs(x).max()
    if size > 1e6 or (isinstance(p, gallery.ExponentialFit) and not p.domain.contains(x)):
        return True
    for _ in range(20):
        step = rng.normal(0, 1, 2)
        if isinstance(p, gallery.ExponentialFit):
            step = p.domain.project(x + step) - x
        if p.value(x + step) - value - found @ step + rho / 2 * step @ step < -1e-7 * size**2:
            return False
    return True


def bounded(name: str) -> Any:
    def referee(given: dict[str, Any], found: Any) -> bool:
        p, X = given["problem"], given["X"]
        points = X.project(np.random.default_rng(3).normal(0, 2, (20, 2)))
        for x in points:
            g, mean = p.subgradients(x), p.mean_subgradient(x)
            moment = {"L2": g, "sigma2": g - mean, "G2": mean[None]}[name]
            weight = np.ones(1) if name == "G2" else p.weights
            if weight @ np.sum(moment**2, axis=1) > found * (1 + 1e-9) + 1e-12:
                return False
        return True

    return referee


# sets
for method, referee in (("project", nearest), ("contains", inside), ("distance", None)):
    register(f"X.{method}", lambda X, x, m=method: getattr(X, m)(x), referee, 3.0, X=fixed(*SETS), x=vector(2, 3.0))
register("X.support", lambda X, y: X.support(y), supported, X=fixed(*SETS), y=vector(2))
register("conjugate", sets.conjugate, X=pick(*SETS), y=vector(2))
register("X.extent", lambda X, B, d: X.extent(B, d), X=fixed(*SETS), B=pick(A, np.eye(2)), d=pick(0.0, 1.0))
register("largest_norm", sets.largest_norm, X=pick(*SETS))
register("bounding_box", sets.bounding_box, X=pick(*SETS))
register("Ball", sets.Ball, radius=spread(1e-3, 1e3), centre=vector(2))
register("Box", sets.Box, lower=lambda rng: -rng.random(2), upper=lambda rng: rng.random(2))
register("HalfSpace", sets.HalfSpace, normal=vector(2), offset=uniform(-1, 1))
register("Simplex", sets.Simplex, dimension=whole(1, 5), total=spread(0.1, 10))
register("WholeSpace", sets.WholeSpace, dimension=whole(1, 5))

# problems
for method, referee in (("values", by_hand), ("mean_subgradient", slope), ("value", None), ("subgradients", None)):
    register(
        f"problem.{method}",
        lambda problem, x, m=method: getattr(problem, m)(x),
        referee,
        2.0,
        problem=fixed(*PROBLEMS),
        x=lambda rng: np.abs(rng.standard_normal(2)),
    )
register(
    "problem.subgradient",
    lambda problem, x, i: problem.subgradient(x, i),
    lambda given, found: near(found, given["problem"].subgradients(given["x"])[given["i"]]),
    problem=fixed(*PROBLEMS),
    x=vector(2),
    i=whole(0, 3),
)
for name in ("L2", "sigma2", "G2"):
    register(
        f"problem.{name}",
        lambda problem, X, m=name: getattr(problem, m)(X),
        bounded(name),
        problem=fixed(*PROBLEMS),
        X=pick(*SETS),
    )
    register(f"exact.{name}", lambda X, m=name: getattr(EXACT, m)(X), X=pick(*INTERVALS))
register("problem.constants", lambda problem, X: problem.constants(X), problem=fixed(*PROBLEMS), X=pick(*SETS))
weights = lambda rng: rng.dirichlet(np.ones(3))  # noqa: E731
register(
    "RobustPhaseRetrieval",
    phase.RobustPhaseRetrieval,
    A=lambda r: r.standard_normal((3, 2)),
    b=vector(3),
    weights=weights,
)
register(
    "RidgeSum", RidgeSum, A=lambda r: r.standard_normal((3, 2)), b=vector(3), loss=pick(smooth.LOG), weights=weights
)
register(
    "NoisyQuadratic", smooth.NoisyQuadratic, Q=pick(np.eye(2)), c=lambda r: r.standard_normal((3, 2)), weights=weights
)
register(
    "AbsoluteQuadratics", AbsoluteQuadratics, H=pick(np.ones((1, 2, 2))), linear=pick(np.ones((1, 2))), offset=vector(1)
)
register(
    "ExponentialFit",
    gallery.ExponentialFit,
    t=pick(np.ones(2)),
    y=vector(2),
    domain=pick(sets.Box(ZERO, np.ones(2))),
    outer=pick("square", "absolute"),
)
register("CVaR", gallery.ConditionalValueAtRisk, losses=pick(PROBLEMS[1]), level=uniform(0, 0.99))
register(
    "synchronisation",
    gallery.synchronisation,
    nodes=whole(2, 4),
    edges=pick([(0, 1)], [(0, 1), (1, 0)]),
    angles=pick([0.5], [0.5, 1.0]),
)
register(
    "principal_components",
    gallery.principal_components,
    rows=pick([0, 1]),
    columns=pick([0, 1]),
    entries=vector(2),
    shape=pick((2, 2)),
    rank=whole(1, 2),
)
register(
    "matrix_sensing", gallery.matrix_sensing, A=lambda r: r.standard_normal((3, 2, 2)), b=vector(3), rank=whole(1, 2)
)
register("kinked_at", phase.kinked_at, A=pick(A), x=vector(2))
register(
    "phase_retrieval",
    phase.phase_retrieval,
    m=whole(1, 9),
    n=whole(1, 4),
    kappa=spread(1, 50),
    p_fail=uniform(0, 1),
    rng=RNG,
    signal=pick("sphere", "normal"),
)
register(
    "robust_regression",
    smooth.robust_regression,
    m=whole(1, 9),
    n=whole(1, 4),
    p_fail=uniform(0, 1),
    rng=RNG,
    loss=pick(smooth.LOG, smooth.GEMAN_MCCLURE),
)
register(
    "indefinite_quadratic",
    smooth.indefinite_quadratic,
    lambda given, p: near(p.sigma2(sets.WholeSpace(p.n)), float(given["sigma"]) ** 2),
    m=whole(2, 9),
    n=whole(1, 4),
    sigma=spread(0.01, 10),
    rng=RNG,
)
register("rare_large_gradients", smooth.rare_large_gradients, size=spread(1, 100), n=whole(1, 4))
register("boundary_minimiser", smooth.boundary_minimiser, n=whole(1, 4))
register(
    "nonlinear_least_squares",
    gallery.nonlinear_least_squares,
    m=whole(1, 9),
    p_fail=uniform(0, 1),
    rng=RNG,
    outer=pick("square", "absolute"),
)
register(
    "robust_pca",
    gallery.robust_pca,
    shape=pick((2, 2), (1, 3)),
    rank=whole(1, 2),
    p_fail=uniform(0, 1),
    rng=RNG,
    repeats=whole(1, 2),
)
register(
    "low_rank_recovery",
    gallery.low_rank_recovery,
    m=whole(1, 9),
    d=whole(1, 3),
    rank=whole(1, 2),
    p_fail=uniform(0, 1),
    rng=RNG,
)
register(
    "conditional_value_at_risk",
    gallery.conditional_value_at_risk,
    m=whole(1, 9),
    n=whole(1, 3),
    level=uniform(0, 0.9),
    rng=RNG,
)
register("graph_synchronisation", gallery.graph_synchronisation, nodes=whole(2, 5), p_fail=uniform(0, 1), rng=RNG)
register("random_instance", instances.random_instance, kind=pick(*instances.KINDS), rng=RNG, bounded=pick(True, False))
register("weights", checks.weights, value=weights, m=pick(3))

# parameters and formulas
register(
    "Parameters",
    Parameters,
    lambda given, q: q.beta == given["beta"] and 0 < q.beta <= 1 and q.alpha > 0,
    alpha=spread(1e-3, 10),
    beta=uniform(0.01, 1),
)
register("from_nu", Parameters.from_nu, alpha=spread(1e-3, 1), nu=uniform(0.1, 1))
register(
    "theorem_1",
    Parameters.theorem_1,
    lambda given, q: near(q.alpha * math.sqrt(given["K"] + 1), float(given["alpha_0"])),
    alpha_0=spread(1e-3, 10),
    K=whole(0, 100),
)
register("theorem_3", Parameters.theorem_3, alpha_0=spread(1e-3, 0.25), K=whole(0, 100), weak_convexity=uniform(0, 1))
register("root", root, lambda given, found: near(found**2, given["K"] + 1), K=whole(0, 10**6))
register("ConstantStep", lambda alpha, k: ConstantStep(alpha)(k), alpha=spread(1e-3, 10), k=whole(0, 9))
register("DecayingStep", lambda alpha_0, k: DecayingStep(alpha_0)(k), alpha_0=spread(1e-3, 10), k=whole(0, 9))
register(
    "envelope_parameter",
    checks.envelope_parameter,
    envelope=spread(0.01, 1),
    weak_convexity=uniform(0, 1),
    result=pick(*checks.RANGES),
)
LETTERS = {
    "alpha": spread(1e-3, 1),
    "beta": uniform(0.05, 1),
    "nu": spread(0.1, 10),
    "weak_convexity": uniform(0, 2),
    "envelope": uniform(0.05, 0.3),
    "L2": uniform(0, 4),
    "sigma2": uniform(0, 4),
    "d2": uniform(0, 4),
    "theta": spread(0.1, 10),
    "gap": uniform(0, 4),
    "alpha_0": spread(0.1, 2),
    "root": spread(1, 10),
    "gamma": uniform(1, 4),
    "gamma_1": uniform(1, 4),
    "excess": uniform(0, 2),
    "factor": pick(2, 8),
}


def again(name: str) -> Any:
    """The formula in rational arithmetic of the same numbers."""

    def referee(given: dict[str, Any], found: Any) -> bool:
        if any(isinstance(value, np.ndarray) for value in given.values()):
            return True
        numbers = {
            key: Fraction(value if isinstance(value, Fraction) else float(value)) for key, value in given.items()
        }
        wanted = getattr(constants, name)(**numbers)
        parts = zip(found, wanted) if isinstance(found, tuple) else [(found, wanted)]
        return all(abs(exact(a) - b) <= Fraction(1, 10**9) * (1 + abs(b)) or abs(b) > 10**300 for a, b in parts)

    return referee


for name, formula in vars(constants).items():
    if inspect.isfunction(formula) and hasattr(formula, "__wrapped__"):
        register(
            f"constants.{name}",
            formula,
            again(name),
            0.3,
            **{key: LETTERS[key] for key in inspect.signature(formula).parameters},
        )


# the line
def enclosed(given: dict[str, Any], found: Any) -> bool:
    """The envelope by comparing ends, breaks and stationary points."""
    X, lam, y = given["X"], exact(given["envelope"]), exact(given["x"])
    points = [p for p in (X.lo, X.hi, *F.breaks) if p is not None and X.contains(p)]
    points += [X.project((y - lam * b) / (1 + lam * a)) for a, b, _ in F.pieces]
    best = min(F.value(p) + (p - y) ** 2 / (2 * lam) for p in points)
    return abs(exact(found) - best) <= Fraction(1, 10**9) * (1 + abs(best))


register(
    "f.value",
    lambda x: F.value(x),
    lambda given, found: F.slopes(given["x"]) is not None and near(float(found), float(F.value(exact(given["x"])))),
    x=rational(-20, 20),
)
register(
    "f.subgradient",
    lambda x: F.subgradient(x),
    lambda given, found: F.slopes(given["x"])[0] <= found <= F.slopes(given["x"])[1] or isinstance(found, float),
    x=rational(-20, 20),
)
register(
    "f.moreau",
    lambda X, x, envelope: F.moreau(X, envelope=envelope).value(x),
    enclosed,
    2.0,
    X=pick(*INTERVALS),
    x=rational(-20, 20),
    envelope=rational(1, 5, 12),
)
register(
    "f.prox",
    lambda x, X, envelope: F.prox(x, X, envelope=envelope),
    x=rational(-20, 20),
    X=pick(*INTERVALS),
    envelope=rational(1, 5, 12),
)
register("f.minimum", lambda X: F.minimum(X), X=pick(*INTERVALS))
register("Interval", line.Interval, lo=rational(-20, 0), hi=rational(0, 20))
register("Interval.project", lambda X, x: X.project(x), X=fixed(*INTERVALS), x=rational(-20, 20))
register(
    "PiecewiseQuadratic",
    line.PiecewiseQuadratic,
    breaks=pick((0,)),
    pieces=pick(((0, -1, 0), (0, 1, 0))),
    at_kinks=pick(None, (0,)),
)
register(
    "build",
    line.PiecewiseQuadratic.build,
    breaks=pick([0, 1]),
    curvatures=pick([0, -1, 0]),
    jumps=pick(None, [1, 2]),
    slope=rational(-4, 4),
    value=rational(-4, 4),
    at_kinks=pick(None),
)
register("combine", line.combine, weights=pick([1, 2]), functions=pick([F, ABS]))
register(
    "RationalProblem", line.RationalProblem, samples=pick((F, ABS)), weights=pick((), (Fraction(1, 4), Fraction(3, 4)))
)
register(
    "staircase",
    staircase.staircase,
    parameters=pick(Parameters(Fraction(1, 4), Fraction(1, 2))),
    steps=whole(0, 6),
    weak_convexity=rational(0, 4),
    L=rational(4, 8),
)
