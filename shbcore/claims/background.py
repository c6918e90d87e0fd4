r"""Evidence for sections 1 and 2: the problem, weak convexity, the Moreau envelope, and the measure of stationarity."""

from fractions import Fraction

import sympy as sp

from shbcore.claims import background_lines as lines
from shbcore.claims import counterexamples as refute
from shbcore.claims.evidence import bounded, exact, identity, implied, refuted
from shbcore.claims.ledger import Check
from shbcore.model.rational import Interval
from shbcore.proof.positivity import Domain, between, inverse_at_least, nonnegative, positive

x, y, z, g, h_x, h_y, h_z, a, b, t = sp.symbols("x y z g h_x h_y h_z a b t")
rho, lam, x_hat, y_hat, f_x_hat, f_y_hat = sp.symbols("rho lambda xhat yhat f_xhat f_yhat")
alpha, before, beta_before, beta_now, past, g_k = sp.symbols("alpha_k alpha_{k-1} beta_{k-1} beta_k x_{k-1} g_k")
HALF, TENTH = Fraction(1, 2), Fraction(9, 10)

# h = f + rho/2 |.|^2 is convex: above its tangent, below its chord.
f_x, f_y, f_z = (h - rho / 2 * p**2 for h, p in ((h_x, x), (h_y, y), (h_z, z)))
TANGENT = h_y - h_x - (g + rho * x) * (y - x)
CHORD = a * h_x + (1 - a) * h_y - h_z
MIXTURE = {z: a * x + (1 - a) * y}
# The envelope at x and at y, the infimum at y tried with x_hat, and strong convexity at x_hat tried with y_hat.
F_x = f_x_hat + (x - x_hat) ** 2 / (2 * lam)
F_y = f_y_hat + (y - y_hat) ** 2 / (2 * lam)
INFIMUM = f_x_hat + (y - x_hat) ** 2 / (2 * lam) - F_y
STRONG = f_y_hat + (y_hat - x) ** 2 / (2 * lam) - F_x - (1 / lam - rho) / 2 * (y_hat - x_hat) ** 2
LINEAR = F_x + (x - x_hat) * (y - x) / lam
SQUARE = (y_hat - x_hat - (y - x) / (1 - lam * rho)) ** 2
ANY = Domain(positive(rho), between(lam, 0, 1 / rho))
SHORT = Domain(nonnegative(rho), inverse_at_least(lam, 2 * rho))
FREE = Domain(nonnegative(rho))
# f = h(c(.)): convexity of h along v in its subdifferential, and |v| <= L_h with c's Jacobian L_c-Lipschitz.
H_y, H_x, v_cy, v_cx, v_J, L_h, L_c = sp.symbols("H_y H_x v_cy v_cx v_J L_h L_c")
OUTER = H_y - H_x - (v_cy - v_cx)
INNER = v_cy - v_cx - v_J + L_h * L_c / 2 * (y - x) ** 2
step = x - alpha * (beta_now * g + (1 - beta_now) * z)
FULL = x - alpha * (beta_before * g_k + (1 - beta_before) * (past - x) / before)


def heavy_ball(beta: sp.Expr) -> sp.Expr:
    r""":math:`x_k-\eta_kg_k+\lambda_k(x_k-x_{k-1})` with the paper's :math:`\eta_k,\lambda_k`."""
    return x - alpha * beta * g_k + (1 - beta) * alpha / before * (x - past)


def weights(steps: int) -> list[sp.Expr]:
    r"""Weights of :math:`z_0,g_1,\dots,g_k` in :math:`z_k`, by the recursion."""
    found: list[sp.Expr] = [sp.Integer(1)]
    for _ in range(steps):
        found = [sp.expand((1 - b) * w) for w in found] + [b]
    return found


CHECKS: dict[str, tuple[Check, ...]] = {
    "eqn:objective": (
        exact(
            "a finite sum is its mean over the samples",
            lines.objective,
            lambda: lines.objective(weighted=False),
            "other weights",
        ),
    ),
    "eqn:objective/weak-convexity": (
        refuted(refute.weak_convexity_definition),
        implied(
            "the repaired definition gives Lemma 1",
            f_y - f_x - g * (y - x) + rho / 2 * (y - x) ** 2,
            [(TANGENT, sp.Integer(1))],
            f_y - f_x - g * (y - x) + rho / 4 * (y - x) ** 2,
            "Lemma 1 with rho/4, which is what the printed definition at rho/2 would have to give",
            where=FREE,
        ),
    ),
    "eqn:objective/class": (
        implied(
            "monotonicity of grad f + rho id from the Lipschitz bound",
            (h_x + rho * x - h_y - rho * y) * (x - y),
            [((h_x - h_y) * (x - y) + rho * (x - y) ** 2, sp.Integer(1))],
            (h_x + rho / 2 * x - h_y - rho / 2 * y) * (x - y),
            "half of rho",
            where=FREE,
        ),
    ),
    "eq:composite": (
        implied(
            "tangent of h, then the quadratic bound of c along the subgradient v of h",
            H_y - H_x - v_J + L_h * L_c / 2 * (y - x) ** 2,
            [(OUTER, sp.Integer(1)), (INNER, sp.Integer(1))],
            H_y - H_x - v_J + L_h * L_c / 4 * (y - x) ** 2,
            "half of the constant",
            where=FREE,
        ),
    ),
    "eq:SHB:unconstrained": (
        identity(
            "with beta = 1 it is the subgradient method",
            step.subs(beta_now, 1),
            x - alpha * g,
            x - alpha * z,
            "the old direction",
        ),
    ),
    "eq:SHB:unconstrained:z": (
        identity(
            "six steps: the weights sum to one",
            sum(weights(6)),
            sp.Integer(1),
            b + sum(weights(6)),
            "one weight doubled",
        ),
        identity("six steps: the weight of g_1", weights(6)[1], b * (1 - b) ** 5, b * (1 - b) ** 6, "one power more"),
    ),
    "eq:SHB:unconstrained/heavy-ball": (
        identity("eliminate z_k", FULL, heavy_ball(beta_before), heavy_ball(beta_now), "beta_k in place of beta_{k-1}"),
    ),
    "introduction/contribution-non-smooth": (
        identity("C / sqrt(K+1) = eps at K+1 = (C/eps)^2", a / (a / t), t, 2 * t, "another accuracy"),
    ),
    "introduction/small-beta": (
        identity(
            "nu alpha with nu = 1/alpha_0, alpha = alpha_0/s, s = sqrt(K+1)",
            (1 / a) * (a / t),
            1 / t,
            a / t,
            "nu = 1",
        ),
    ),
    "background/projection": (
        exact(
            "nearest point of X, and in X",
            lines.projection,
            lambda: lines.projection(Interval(-2, 1)),
            "projection onto another set Z",
        ),
    ),
    "background/sigma-fields": (
        exact(
            "x_3 is a function of S_0, S_1, S_2",
            lambda: lines.measurable(2),
            lambda: lines.measurable(1),
            "of S_0, S_1 alone",
        ),
    ),
    "background/subdifferential": (
        exact(
            "both one-sided slopes of a kinked f",
            lines.subgradients,
            lambda: lines.subgradients(outside=HALF),
            "slopes moved out by 1/2",
        ),
    ),
    "background/subdifferential-cases": (
        identity(
            "at rho = 0 Lemma 1 is the subgradient inequality",
            (f_y - f_x - g * (y - x) + rho / 2 * (y - x) ** 2).subs(rho, 0),
            h_y - h_x - g * (y - x),
            h_y - h_x,
            "without the linear term",
        ),
    ),
    "background/stationary": (
        exact(
            "the prox point solves 0 in dF(x_hat) + (x_hat - x)/lambda",
            lines.in_subdifferential,
            lambda: lines.in_subdifferential(Fraction(2)),
            "twice the residual",
        ),
    ),
    "lem:weak:convexity": (
        exact(
            "both items at kinks and around",
            lines.subgradients,
            lambda: lines.subgradients(TENTH),
            "9/10 of rho in item 1",
        ),
    ),
    "lem:weak:convexity/1": (
        implied(
            "tangent of the convex function f + rho/2 |.|^2",
            f_y - f_x - g * (y - x) + rho / 2 * (y - x) ** 2,
            [(TANGENT, sp.Integer(1))],
            f_y - f_x - g * (y - x) + rho * TENTH / 2 * (y - x) ** 2,
            "9/10 of rho",
            where=FREE,
        ),
    ),
    "lem:weak:convexity/2": (
        implied(
            "chord of the convex function f + rho/2 |.|^2",
            (a * f_x + (1 - a) * f_y + rho * a * (1 - a) / 2 * (x - y) ** 2 - f_z).subs(MIXTURE),
            [(CHORD, sp.Integer(1))],
            (a * f_x + (1 - a) * f_y + rho * TENTH * a * (1 - a) / 2 * (x - y) ** 2 - f_z).subs(MIXTURE),
            "9/10 of rho",
            where=FREE,
        ),
        exact("random kinked functions", lines.chords, lambda: lines.chords(TENTH), "9/10 of rho"),
    ),
    "eq:moreau:env": (
        exact(
            "no competitor is below the exact envelope",
            lines.attained,
            lambda: lines.attained(HALF),
            "the prox point moved by 1/2",
        ),
    ),
    "eq:prox": (
        refuted(refute.prox_not_attained),
        identity(
            "uniqueness: strong convexity between two points of the same value leaves minus a square",
            STRONG.subs(f_y_hat, F_x - (y_hat - x) ** 2 / (2 * lam)),
            -(1 / lam - rho) / 2 * (y_hat - x_hat) ** 2,
            -(1 / lam - rho) * (y_hat - x_hat) ** 2,
            "twice the square",
        ),
        bounded("and its factor is positive", 1 / lam - rho, 1 / lam - 2 * rho, "1/lambda - 2 rho", where=ANY),
    ),
    "lem:moreau:env": (
        refuted(refute.prox_not_attained),
        bounded(
            "rho/(1 - lambda rho) <= 1/lambda",
            1 / lam - rho / (1 - lam * rho),
            TENTH / lam - rho / (1 - lam * rho),
            "9/10 of 1/lambda",
            where=SHORT,
        ),
    ),
    "lem:moreau:env/1": (
        implied(
            "upper parabola at x with slope (x - x_hat)/lambda",
            LINEAR + (y - x) ** 2 / (2 * lam) - F_y,
            [(INFIMUM, sp.Integer(1))],
            LINEAR - F_y,
            "no parabola",
            where=ANY,
        ),
        implied(
            "lower parabola at x with the same slope",
            F_y - LINEAR + rho / (1 - lam * rho) * (y - x) ** 2 / 2,
            [(STRONG, sp.Integer(1)), (SQUARE, (1 / lam - rho) / 2)],
            F_y - LINEAR + rho * TENTH / (1 - lam * rho) * (y - x) ** 2 / 2,
            "9/10 of the curvature",
            where=ANY,
        ),
    ),
    "lem:moreau:env/2": (
        implied(
            "upper half: the infimum tried with x_hat",
            LINEAR + (y - x) ** 2 / (2 * lam) - F_y,
            [(INFIMUM, sp.Integer(1))],
            LINEAR + TENTH * (y - x) ** 2 / (2 * lam) - F_y,
            "9/10 of 1/lambda",
            where=SHORT,
        ),
        implied(
            "lower half: strong convexity at x_hat tried with y_hat",
            F_y - LINEAR + (y - x) ** 2 / (2 * lam),
            [
                (STRONG, sp.Integer(1)),
                (SQUARE, (1 / lam - rho) / 2),
                ((y - x) ** 2, (1 / lam - rho / (1 - lam * rho)) / 2),
            ],
            F_y - LINEAR + TENTH * (y - x) ** 2 / (2 * lam),
            "9/10 of 1/lambda",
            where=SHORT,
        ),
        exact(
            "random kinked functions, on intervals too",
            lines.first_order,
            lambda: lines.first_order(TENTH),
            "9/10 of 1/lambda",
        ),
        exact(
            "f = -rho x^2/2 attains rho/(1 - lambda rho)",
            lines.curvature,
            lambda: lines.curvature(TENTH),
            "9/10 of 1/lambda",
        ),
    ),
    "eq:stationary:measure/failure": (
        exact(
            "the slope of |x| at 1, 1/10, ..., 10^-9",
            lines.slope_of_modulus,
            lambda: lines.slope_of_modulus(2),
            "x^2",
        ),
    ),
    "eq:stationary:measure": (
        exact(
            "(x - x_hat)/lambda is a subgradient of F at x_hat",
            lines.in_subdifferential,
            lambda: lines.in_subdifferential(Fraction(2)),
            "twice that vector",
        ),
        exact(
            "the shortest subgradient is no longer",
            lines.shortest_subgradient,
            lambda: lines.shortest_subgradient(TENTH),
            "9/10 of the right side",
        ),
    ),
    "eq:stationary:measure/near": (
        exact(
            "x_hat in X, and the distance",
            lines.feasible,
            lambda: lines.feasible(Interval(0, Fraction(1, 4))),
            "a smaller set",
        ),
    ),
}
"""Evidence by label; the text of each entry is in ``entries/background.toml``."""
