r"""Smooth non-convex problems with known :math:`\rho`, :math:`\sigma` and :math:`G`: quadratics with linear noise, robust regression."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.composite import Loss, RidgeSum
from shbcore.model.problems import FiniteSum, Instance, Known, known, squared
from shbcore.model.sets import Ball, ConvexSet

WHY = "a smooth problem under (A3)"


@dataclass(frozen=True, eq=False)
class NoisyQuadratic(FiniteSum):
    r"""Quadratics :math:`f_i(x)=\frac12x^\top Qx+\langle c_i,x\rangle`: any symmetric :math:`Q`, definite or not, with linear noise.

    The noise :math:`c_i-\bar c` does not depend on :math:`x`, so all constants are closed forms:
    :math:`\sigma^2=\sum w_i\|c_i-\bar c\|^2`, :math:`G=\sup\|Qx+\bar c\|`, :math:`L^2=G^2+\sigma^2`.
    """

    Q: Array
    c: Array
    weights: Array = field(default=None)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        c = checks.array("c", self.c, (None, None), WHY)
        Q = checks.array("Q", self.Q, (c.shape[1], c.shape[1]), WHY)
        if not np.array_equal(Q, Q.T):
            checks.fail("Q", Q, "be symmetric", WHY)
        checks.freeze(self, Q=Q, c=c, weights=checks.weights(self.weights, len(c)))

    @property
    def n(self) -> int:
        return len(self.Q)

    @property
    def mean(self) -> Array:
        r""":math:`\bar c`."""
        return np.asarray(self.weights @ self.c)

    def _values(self, x: Array) -> Array:
        return np.asarray(x @ self.Q @ x / 2 + self.c @ x)

    def _subgradients(self, x: Array) -> Array:
        return np.asarray(self.Q @ x + self.c)

    def _subgradient(self, x: Array, i: int) -> Array:
        return np.asarray(self.Q @ x + self.c[i])

    def known_rho(self) -> Known:
        return known(max(-np.linalg.eigvalsh(self.Q)[0], 0.0), True, "the negative part of the least eigenvalue of Q")

    def known_smoothness(self) -> Known:
        return known(np.abs(np.linalg.eigvalsh(self.Q)).max(), True, "the largest |eigenvalue| of Q")

    def known_sigma2(self, X: ConvexSet) -> Known:
        checks.same_dimension(self.n, X)
        with np.errstate(over="ignore", invalid="ignore"):
            value = self.weights @ np.sum((self.c - self.mean) ** 2, axis=1)
        if not np.isfinite(value):
            checks.fail(
                "c", self.c, "keep sigma^2 below 1e308", "it is finite for linear noise, and computed in floats"
            )
        return known(value, True, "linear noise")

    def known_G2(self, X: ConvexSet) -> Known:
        checks.same_dimension(self.n, X)
        value, exact = X.extent(self.Q, -self.mean)
        return known(squared(value, "X", X), exact, "sup over X of |Qx + mean c|^2")

    def known_L2(self, X: ConvexSet) -> Known:
        G2 = self.known_G2(X)
        return known(G2.value + self.known_sigma2(X).value, G2.how == "closed form", "G^2 + sigma^2")


def rising_then_falling(slope: Callable[[Array], Array], peak: float) -> Callable[[Array, Array], Array]:
    r""":math:`\max|\varphi'|` over an interval, for an odd :math:`\varphi'` that rises from 0 to ``peak`` and falls after."""

    checks.function("slope", slope, WHY)
    checks.positive("peak", peak, WHY)

    def steepest(low: Array, high: Array) -> Array:
        nearest, farthest = np.maximum(np.maximum(low, -high), 0.0), np.maximum(-low, high)
        return slope(np.clip(peak, nearest, farthest))

    return steepest


def _log_slope(r: Array) -> Array:
    return 2 * r / (1 + r * r)


def _geman_mcclure_slope(r: Array) -> Array:
    return 2 * r / (1 + r * r) ** 2


LOG = Loss(
    r"log(1 + r^2): |slope| <= 1 at r = 1, curvature from -1/4 at r^2 = 3 to 2 at 0",
    lambda r: np.log1p(r * r),
    _log_slope,
    (-1 / 4, 2.0),
    rising_then_falling(_log_slope, 1.0),
)
r"""The :class:`~shbcore.model.composite.Loss` :math:`\varphi(r)=\log(1+r^2)`."""
GEMAN_MCCLURE = Loss(
    r"r^2/(1 + r^2): |slope| <= 3 sqrt(3)/8 at r^2 = 1/3, curvature from -1/2 at r^2 = 1 to 2 at 0",
    lambda r: r * r / (1 + r * r),
    _geman_mcclure_slope,
    (-1 / 2, 2.0),
    rising_then_falling(_geman_mcclure_slope, 3**-0.5),
)
r"""The :class:`~shbcore.model.composite.Loss` :math:`\varphi(r)=r^2/(1+r^2)`."""


def indefinite_quadratic(m: int, n: int, sigma: float, rng: np.random.Generator) -> NoisyQuadratic:
    r"""Eigenvalues of :math:`Q` spaced from :math:`-1` to 1 in a random basis, noise with standard deviation exactly ``sigma``."""
    checks.room(WHY, m=checks.count("m", m, WHY, least=2), n=checks.count("n", n, WHY))
    sigma = checks.real("sigma", checks.nonnegative("sigma", sigma, WHY), WHY)
    basis, _ = np.linalg.qr(checks.generator(rng).standard_normal((n, n)))
    Q = (basis * np.linspace(-1, 1, n)) @ basis.T
    noise = rng.standard_normal((m, n))
    noise -= noise.mean(axis=0)
    noise *= sigma / np.sqrt(np.mean(np.sum(noise**2, axis=1)))
    return NoisyQuadratic((Q + Q.T) / 2, rng.standard_normal(n) / np.sqrt(n) + noise)


def robust_regression(m: int, n: int, p_fail: float, rng: np.random.Generator, loss: Loss = LOG) -> Instance:
    r"""Linear measurements of a unit vector, of which a share ``p_fail`` on average is off by :math:`N(0,25)`; the set is a ball."""
    checks.probability("p_fail", p_fail, WHY)
    checks.room(WHY, m=checks.count("m", m, WHY), n=checks.count("n", n, WHY))
    checks.instance(Loss, "loss", loss, WHY)
    truth = checks.generator(rng).standard_normal(n)
    truth /= np.linalg.norm(truth)
    A = rng.standard_normal((m, n))
    b = A @ truth + (rng.random(m) < p_fail) * rng.normal(0.0, 5.0, m)
    return Instance(RidgeSum(A, b, loss), Ball(2.0, np.zeros(n)), truth)


def rare_large_gradients(size: float, n: int = 1) -> NoisyQuadratic:
    r"""Linear samples :math:`\pm s\langle e_1,x\rangle` with weight :math:`1/(2s^2)` each and 0 otherwise: :math:`f=0`, :math:`L=\sigma=1`,
    while a single gradient is as long as :math:`s\ge1`, which is ``size``.  An adversary of bounds that hold only on average."""
    checks.room(WHY, n=checks.count("n", n, WHY), columns=n)
    if not 1 <= checks.real("size", size, WHY) <= 1e100:
        checks.fail("size", size, "be at least 1 and at most 1e100", "the weights 1/(2 size^2) sum to at most 1")
    c = np.outer([size, -size, 0.0], np.eye(n)[0])
    return NoisyQuadratic(np.zeros((n, n)), c, np.array([0.5, 0.5, size**2 - 1]) / size**2)


def boundary_minimiser(n: int) -> Instance:
    r""":math:`f(x)=-\frac12\|x\|^2-x_1` on the unit ball, with noise :math:`\pm e_1`: concave, least at :math:`e_1` on the boundary, where
    :math:`\|\nabla f\|=2`.  An adversary of arguments that need an interior solution."""
    checks.room(WHY, n=checks.count("n", n, WHY), columns=n)
    e = np.eye(n)[0]
    return Instance(NoisyQuadratic(-np.eye(n), np.array([-2 * e, 0 * e])), Ball(1.0, np.zeros(n)), e)
