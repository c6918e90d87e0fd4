"""Two problems on the line, and the recursion, V and phi typed a second time, in fractions."""

from fractions import Fraction as Q

from shbcore.model.parameters import Parameters
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics.envelope import moreau
from shbcore.numerics.solver import Past

KINKED = RationalProblem(
    (
        PiecewiseQuadratic.build([Q(-1, 2), Q(1, 3)], [Q(1, 2), Q(-1), Q(0)], [1, 2], slope=Q(-1, 3), value=1),
        PiecewiseQuadratic.build([0], [0, Q(1, 4)], [1], slope=-1),
    ),
    (Q(1, 4), Q(3, 4)),
)
CURVED = RationalProblem(
    (
        PiecewiseQuadratic.build([0], [Q(1, 2), Q(-1, 3)], slope=Q(1, 5), value=2),
        PiecewiseQuadratic.build((), [Q(-1, 4)], slope=Q(-2)),
    ),
    (Q(1, 3), Q(2, 3)),
)
BOX = Interval(Q(-3, 4), Q(5, 4))
PAIR = Parameters(Q(1, 5), Q(2, 3))
HERE = Past(2, Q(1, 4), Q(2, 5))
LAM = Q(1, 7)


def after(problem: RationalProblem, X: Interval, q: Parameters, past: Past) -> list[tuple[Q, Q, Q]]:
    """Weight, z and next point for every sample, by the recursion."""
    found = []
    for w, g in zip(problem.weights, problem.subgradients(past.x)):
        z = q.beta * g + (1 - q.beta) * (past.x_prev - past.x) / q.alpha
        found.append((w, z, X.project(past.x - q.alpha * z)))
    return found


def V(problem: RationalProblem, X: Interval, q: Parameters, lam: Q, x_prev: Q, x: Q) -> Q:
    nu, xi = q.beta / q.alpha, (1 - q.beta) * q.alpha / q.beta
    step, d = (1 - q.beta) / q.beta * (x - x_prev), (x_prev - x) / q.alpha
    at = moreau(problem, X, x + step, envelope=lam).value
    weight = (1 - q.beta) * xi**2 / (2 * lam**2) + xi / lam
    moved = nu * xi**2 / (4 * lam**2) * step**2 + q.alpha * xi**2 / (2 * lam**2) * d**2
    return at + moved + weight * problem.value(x_prev)


def gradient(problem: RationalProblem, X: Interval, lam: Q, y: Q) -> Q:
    return (y - moreau(problem, X, y, envelope=lam).point) / lam


def phi(X: Interval, q: Parameters, x: Q, z: Q) -> Q:
    move = X.project(x - q.alpha * z) - x
    return -q.alpha * z * move - move**2 / 2
