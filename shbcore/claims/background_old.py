r"""Evidence for sections 1 and 2 beside the certificates: exact instances, and identities that need no hypothesis."""

from fractions import Fraction
from functools import partial

import numpy as np
import sympy as sp

from shbcore.claims import background_lines as lines
from shbcore.claims.evidence_old import bounded, exact, identity, implied
from shbcore.claims.ledger import Check, Outcome
from shbcore.model.gallery import landscapes
from shbcore.model.rational import Interval
from shbcore.proof.positivity import Domain, inverse_at_least, nonnegative

x, y, z, g, h_x, h_y, b, t, a = sp.symbols("x y z g h_x h_y b t a")
rho, lam, alpha, beta = sp.symbols("rho lambda alpha_k beta_k")
HALF, TENTH, TWO = Fraction(1, 2), Fraction(9, 10), Fraction(2)
FREE = Domain(nonnegative(rho))
SHORT = Domain(nonnegative(rho), inverse_at_least(lam, 2 * rho))
STEP = x - alpha * (beta * g + (1 - beta) * z)
f_x, f_y = h_x - rho / 2 * x**2, h_y - rho / 2 * y**2
TANGENT = h_y - h_x - (g + rho * x) * (y - x)
r"""The convex function :math:`h=f+\tfrac\rho2\|\cdot\|^2` lies above its tangent."""


def weights(steps: int) -> list[sp.Expr]:
    r"""Weights of :math:`z_0,g_1,\dots,g_k` in :math:`z_k`, by the recursion."""
    found: list[sp.Expr] = [sp.Integer(1)]
    for _ in range(steps):
        found = [sp.expand((1 - b) * w) for w in found] + [b]
    return found


def above_the_parabola(share: Fraction) -> sp.Expr:
    """The slack of item 1 of Lemma 1, with a share of rho."""
    return f_y - f_x - g * (y - x) + rho * share / 2 * (y - x) ** 2


def bending(share: float) -> Outcome:
    r"""The bending inequality of the six applications at random pairs of points, with a ``share`` of the :math:`\rho` that each has."""
    rng = np.random.default_rng(0)
    used: dict[str, float] = {}
    for name, (f, X, truth) in landscapes(rng).items():
        need = []
        for _ in range(300):
            p = X.project(truth + rng.choice([0.3, 1.0, 3.0]) * rng.standard_normal(f.n))
            q = X.project(p + rng.choice([0.05, 0.5, 2.0]) * rng.standard_normal(f.n))
            distance = float((q - p) @ (q - p))
            bent = float(f.value(p) + f.mean_subgradient(p) @ (q - p) - f.value(q))
            need.append(2 * bent / distance if distance > 1e-8 else 0.0)
        used[name] = max(need) / float(f.weak_convexity())
    text = "share of rho that the pairs use: " + ", ".join(f"{name} {value:.2f}" for name, value in used.items())
    return Outcome(len(used) == 6 and all(0 < value <= share + 1e-6 for value in used.values()), text)


CHECKS: dict[str, tuple[Check, ...]] = {
    "eqn:objective": (
        exact("a finite sum is its mean", lines.objective, partial(lines.objective, weighted=False), "other weights"),
    ),
    "eqn:objective/weak-convexity": (
        implied(
            *("the repaired definition gives Lemma 1", above_the_parabola(Fraction(1)), [(TANGENT, sp.Integer(1))]),
            *(above_the_parabola(HALF), "Lemma 1 with half of rho"),
            where=FREE,
        ),
    ),
    "eqn:objective/class": (
        implied(
            "grad f + rho id is monotone if grad f is rho-Lipschitz",
            (h_x + rho * x - h_y - rho * y) * (x - y),
            [((h_x - h_y) * (x - y) + rho * (x - y) ** 2, sp.Integer(1))],
            *((h_x + rho / 2 * x - h_y - rho / 2 * y) * (x - y), "half of rho"),
            where=FREE,
        ),
    ),
    "eq:composite/applications": (
        Check(
            *("numeric", "six applications, 300 pairs of points each", partial(bending, 1.0), partial(bending, 0.5)),
            "half of rho",
        ),
    ),
    "eq:SHB:unconstrained": (
        identity(
            "beta = 1 is the subgradient method", STEP.subs(beta, 1), x - alpha * g, x - alpha * z, "the old direction"
        ),
    ),
    "eq:SHB:unconstrained:z": (
        identity("six steps: the weights sum to one", sum(weights(6)), sp.Integer(1), 1 + b, "one weight doubled"),
        identity("six steps: the weight of g_1", weights(6)[1], b * (1 - b) ** 5, b * (1 - b) ** 6, "one power more"),
    ),
    "introduction/contribution-non-smooth": (
        identity("C / sqrt(K+1) = eps at sqrt(K+1) = C/eps", a / (a / t), t, 2 * t, "another accuracy"),
    ),
    "introduction/small-beta": (
        identity("nu alpha at nu = 1/alpha_0, alpha = alpha_0/s", (1 / a) * (a / t), 1 / t, a / t, "nu = 1"),
    ),
    "background/projection": (
        exact("nearest, and in X", lines.projection, partial(lines.projection, Interval(-2, 1)), "onto another set Z"),
    ),
    "background/sigma-fields": (
        exact(
            "x_3 is a function of S_0, S_1, S_2",
            partial(lines.measurable, 2),
            partial(lines.measurable, 1),
            "of S_0, S_1",
        ),
    ),
    "background/subdifferential": (
        exact(
            "one-sided slopes of a kinked f",
            lines.subgradients,
            partial(lines.subgradients, outside=HALF),
            "1/2 outside",
        ),
    ),
    "background/subdifferential-cases": (
        identity(
            "at rho = 0 Lemma 1 is the subgradient inequality",
            *(above_the_parabola(Fraction(1)).subs(rho, 0), h_y - h_x - g * (y - x), h_y - h_x),
            "without the linear term",
        ),
    ),
    "background/stationary": (
        exact(
            "0 in dF(x_hat) + (x_hat - x)/lambda",
            lines.in_subdifferential,
            partial(lines.in_subdifferential, TWO),
            "twice",
        ),
    ),
    "lem:weak:convexity": (
        exact("item 1 at kinks", lines.subgradients, partial(lines.subgradients, TENTH), "9/10 of rho"),
        exact("item 2 at kinks", lines.chords, partial(lines.chords, TENTH), "9/10 of rho"),
    ),
    "eq:moreau:env": (
        exact("no competitor is below", lines.attained, partial(lines.attained, HALF), "prox moved by 1/2"),
    ),
    "lem:moreau:env": (
        bounded(
            *("rho/(1 - lambda rho) <= 1/lambda", 1 / lam - rho / (1 - lam * rho), TENTH / lam - rho / (1 - lam * rho)),
            "9/10 of 1/lambda",
            where=SHORT,
        ),
    ),
    "lem:moreau:env/2": (
        exact(
            "kinked functions, intervals too", lines.first_order, partial(lines.first_order, TENTH), "9/10 of 1/lambda"
        ),
        exact("f = -rho x^2/2 attains it", lines.curvature, partial(lines.curvature, TENTH), "9/10 of 1/lambda"),
    ),
    "eq:stationary:measure/failure": (
        exact(
            "slope of |x| at 1, 1/10, ..., 10^-9", lines.slope_of_modulus, partial(lines.slope_of_modulus, 2), "of x^2"
        ),
    ),
    "eq:stationary:measure": (
        exact(
            "(x - x_hat)/lambda in dF(x_hat)",
            lines.in_subdifferential,
            partial(lines.in_subdifferential, TWO),
            "twice that",
        ),
        exact(
            "the shortest subgradient", lines.shortest_subgradient, partial(lines.shortest_subgradient, TENTH), "9/10"
        ),
    ),
    "eq:stationary:measure/near": (
        exact("x_hat in X", lines.feasible, partial(lines.feasible, Interval(0, Fraction(1, 4))), "a smaller set"),
    ),
}
"""Evidence by label, for the ledger."""
