r"""Instances for Theorem 3 and Appendix E: random problems, and counterexamples to printed lines, in exact numbers."""

from dataclasses import replace
from fractions import Fraction

from gmpy2 import mpq

from shbcore.claims.enumeration import by_enumeration
from shbcore.claims.evidence import Comparison, Counterexample, refuted
from shbcore.claims.trial import REAL_LINE, Trial
from shbcore.model import constants
from shbcore.model.constants import Number
from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics.solver import Start
from shbcore.proof.letters import sigma2

F = Fraction
PARABOLA = RationalProblem((PiecewiseQuadratic.build((), [1]),))
SLIDE = Trial(
    *(PARABOLA, REAL_LINE, F(1), F(1, 4), F(1, 16)),
    envelope=F(1, 2),
    smooth=True,
    words="f(x) = x^2/2 without noise (rho = 1), x_0 = 1, alpha = 1/4, beta = 1/16 (nu = 1/4), lambda = 1/2, k = 0, z_0 = g_0",
)
SILENT = replace(
    SLIDE,
    x0=F(3),
    beta=F(1, 2),
    values={sigma2: F(1)},
    words="f(x) = x^2/2 without noise, so (A3) holds with sigma = 1; rho = 1, lambda = 1/2, alpha = 1/4, beta = 1/2, x_0 = 3, k = 0",
)
CORNER = Trial(
    RationalProblem((PiecewiseQuadratic.build((), [1], slope=1),)),
    *(Interval(0, None), F(0), F(1, 4), F(1, 2)),
    envelope=F(1, 2),
    smooth=True,
    words="f(x) = x^2/2 + x on [0, oo), rho = 1, lambda = 1/2, x_0 = 0, k = 0: x_hat_0 = 0, where f has slope 1",
)


ENUMERATED = by_enumeration("theorem_3", 20)


def random_walk_of_the_parabola(alpha_0: Number, root: int, start: Start = "beta_g0") -> Number:
    r""":math:`\mathrm E\|\nabla F_{1/2}(\bar x_{k^*})\|^2` for :math:`f=x^2/2`, noise of variance 1, :math:`x_0=0`, ``root``
    :math:`=\sqrt{K+1}=1/\beta`.

    Since :math:`x_{k+1}=(2-\beta-\alpha\beta)x_k-(1-\beta)x_{k-1}-\alpha\beta\,\Delta_k`, the second moments obey a linear
    recursion; :math:`\nabla F_{1/2}(x)=\tfrac23x`, and :math:`k^*` is uniform on :math:`-1,\dots,K-1`.  With the start ``g0`` the first
    step is :math:`x_1=-\alpha\,\Delta_0`.
    """
    alpha, beta = alpha_0 / root, 1 / mpq(root)
    stay, back, ratio = 2 - beta - alpha * beta, -(1 - beta), (1 - beta) / beta
    old, mixed, new, total = mpq(0), mpq(0), mpq(0), mpq(0)
    for k in range(root * root - 1):
        weight = 1 if k == 0 and start == "g0" else beta
        total += (1 + ratio) ** 2 * new - 2 * (1 + ratio) * ratio * mixed + ratio**2 * old
        ahead = stay**2 * new + 2 * stay * back * mixed + back**2 * old + (alpha * weight) ** 2
        old, mixed, new = new, stay * new + back * mixed, ahead
    return mpq(4, 9) * total / root**2


_NOISY = (
    "f(x) = x^2/2, f'(x,S) = x +- 1 (sigma = rho = 1), x_0 = 0 (Delta = 0), lambda = 1/2, alpha_0 = 1/1000, K + 1 = 400"
)
_ALPHA_0, _ROOT = mpq(1, 1000), 20
_OF = {"weak_convexity": 1, "envelope": mpq(1, 2)}


def _bound() -> Number:
    return constants.theorem_3_bound(gap=0, sigma2=1, alpha_0=_ALPHA_0, root=_ROOT, **_OF)


def cube() -> Counterexample:
    """alpha_0^3 is refuted with the repaired start too"""
    left, right = random_walk_of_the_parabola(_ALPHA_0, _ROOT), _bound()
    return Counterexample(
        f"{_NOISY}, z_0 = beta g_0; the second moments by their linear recursion",
        printed=Comparison(left, _ALPHA_0 * right),
        repaired=Comparison(left, right),
    )


@refuted
def cube_printed_start() -> Counterexample:
    """alpha_0^3 in the second display must be alpha_0^2"""
    left, right = random_walk_of_the_parabola(_ALPHA_0, _ROOT, "g0"), _bound()
    return Counterexample(
        f"{_NOISY}, z_0 = g_0 as printed; the second moments by their linear recursion",
        printed=Comparison(left, _ALPHA_0 * right),
        repaired=Comparison(left, right),
    )


def sum_from_minus_one() -> Counterexample:
    """the sum from k = -1 is false at K = 0: nothing moved yet, but a decrease is claimed"""
    x_0, lam, alpha_0 = F(1), F(1, 2), F(1, 4)
    envelope, gradient, c = x_0**2 / (2 * (1 + lam)), x_0 / (1 + lam), F(4)
    decrease = alpha_0 / c * gradient**2
    return Counterexample(
        "f(x) = x^2/2 without noise (sigma may be taken as small as one likes; here 1/8), rho = 1, lambda = 1/2, x_0 = 1, K = 0, "
        "alpha_0 = 1/4 (beta = 1, xi = 0), so V_0 = V_{-1} = F_lambda(x_0)",
        printed=Comparison(envelope, envelope - decrease + alpha_0**2 * F(1, 64)),
        repaired=Comparison(envelope, x_0**2 / 2 - decrease + alpha_0**2 * F(1, 64)),
    )


CUBE = [cube_printed_start, refuted(cube)]
FROM_MINUS_ONE = refuted(sum_from_minus_one)
