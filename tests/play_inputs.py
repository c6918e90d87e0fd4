"""What the pictures with sliders compute, once more by the library's own classes, and random inputs for both."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shbcore.claims.printed_start import SHORT_STEPS, gamma_1_u, gamma_u
from shbcore.model import constants
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics import monitors, slack
from shbcore.numerics.monitors import Smoothed
from shbcore.numerics.solver import Past, advance, outset, respond

OUTER, INNER = (2.0, 0.25, -0.75), (-2.0, 0.25, 1.25)
WELL = RationalProblem((PiecewiseQuadratic((-1.0, 1.0), (OUTER, INNER, OUTER)),))
BOX = Interval(-2.0, 2.0)
KINK = RationalProblem((PiecewiseQuadratic.build([0.0], [0.0, 0.0], [2.0], slope=-1.0, at_kinks=[1.0]),))
EDGE = 1e-6
"""A subgradient jumps at a kink: inputs keep away from it."""


def step(x: float, z: float, alpha: float) -> float:
    state = respond(outset(BOX, x), z, 0, alpha=alpha, beta=1.0)
    return float(advance(BOX, state, alpha=alpha).x)


def direction(g: float, x_prev: float, x: float, alpha: float, beta: float) -> float:
    return float(respond(Past(1, x_prev, x), g, 0, alpha=alpha, beta=beta).z)


def V(y: float, x: float, x_prev: float, alpha: float, beta: float, lam: float) -> float:
    envelope = Smoothed(WELL, BOX, envelope=lam)(y).value
    return float(monitors.V(Past(1, x_prev, x), WELL, Parameters(alpha, beta), envelope, envelope=lam).total)


def first_step(x: float, start: float, alpha: float, beta: float, lam: float) -> float:
    name = "g0" if start == 1 else "beta_g0"
    setting = slack.nonsmooth(KINK, REAL_LINE, Parameters(alpha, beta), envelope=lam, start=name)
    return -float(slack.lemma_4(setting, outset(REAL_LINE, x)).slack)


def bound(form: str) -> Callable[[float, float, float], float]:
    def value(alpha_0: float, root: float, share: float) -> float:
        of = {"envelope": 0.5, "beta": 1 / root, "nu": 1 / alpha_0}
        sides = {"gap": share, "L2": 1 - share, "envelope": 0.5, "alpha_0": alpha_0, "root": 1.0}
        if form == "sharpened":
            at = {"rho": 1.0, "lambda": 0.5, "alpha_0": alpha_0, "N": root}
            for one in SHORT_STEPS.definitions:
                at.setdefault(str(one.symbol), float(one.formula.subs(at)))
            return float(constants.theorem_1_bound(gamma=at[str(gamma_u)], gamma_1=at[str(gamma_1_u)], **sides))
        gamma_1 = constants.gamma_1(**of)
        if form == "printed":
            gamma = constants.gamma_printed(weak_convexity=1.0, **of)
            return float(constants.theorem_1_bound_printed(gamma=gamma, gamma_1=gamma_1, **sides))
        return float(
            constants.theorem_1_bound(gamma=constants.gamma(weak_convexity=1.0, **of), gamma_1=gamma_1, **sides)
        )

    return value


REFERENCE: dict[str, Callable[..., float]] = {
    "f": lambda x: float(WELL.value(x)),
    "slope": lambda x: float(WELL.mean_subgradient(x)),
    "prox": lambda y, lam: float(WELL.mean.prox(y, envelope=lam)),
    "envelope": lambda y, lam: float(WELL.mean.moreau(envelope=lam).value(y)),
    "smoothness": lambda lam: max(1 / lam, 2 / (1 - 2 * lam)),
    "step": step,
    "direction": direction,
    "x_bar": lambda x, x_prev, beta: float(monitors.x_bar(Past(1, x_prev, x), Parameters(0.1, beta))),
    "x_hat": lambda y, lam: float(WELL.mean.prox(y, BOX, envelope=lam)),
    "V": V,
    "first_step": first_step,
    **{form: bound(form) for form in ("printed", "repaired", "sharpened")},
}

_RANGES = {
    **dict.fromkeys(("x", "x_prev"), (-2, 2)),
    "y": (-6, 6),
    "z": (-5, 5),
    "g": (-5, 5),
    "alpha": (0.004, 1),
    "beta": (0.02, 1),
    "lam": (0.02, 0.48),
    "alpha_0": (0.1, 1.99),
    "root": (1, 1000),
    "share": (0, 1),
}


def inputs(name: str, arguments: tuple[str, ...], count: int) -> list[list[float]]:
    """Random arguments of one formula, away from its kinks."""
    rng, rows = np.random.default_rng(sum(map(ord, name))), []
    while len(rows) < count:
        row = {one: float(rng.uniform(*_RANGES[one])) for one in arguments if one != "start"}
        if name == "first_step":
            row["start"] = 1.0 if rng.random() < 0.5 else row["beta"]
        if name in ("slope", "first_step") and min(abs(abs(row["x"]) - 1), abs(row["x"])) < EDGE:
            continue
        rows.append([row[one] for one in arguments])
    return rows


AT_KINK = {"x": Fraction(0), "start": Fraction(1), "alpha": Fraction(1, 4), "beta": Fraction(1, 4), "lam": Fraction(1)}
"""The instance of the ledger at which Lemma 4 breaks at the first step."""
