r"""Robust phase retrieval, the problem of the paper's experiments: :math:`f(x)=\sum_iw_i\lvert\langle a_i,x\rangle^2-b_i\rvert`."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.composite import top_eigenvalue
from shbcore.model.problems import FiniteSum, Instance, Known, known
from shbcore.model.sets import ConvexSet, WholeSpace

WHY = "robust phase retrieval, numerical section"


@dataclass(frozen=True, eq=False)
class RobustPhaseRetrieval(FiniteSum):
    r"""Samples :math:`f_i(x)=|\langle a_i,x\rangle^2-b_i|`, with weights :math:`1/m` unless given.

    The subgradient is :math:`2\langle a_i,x\rangle a_i\,\mathrm{sign}(\langle a_i,x\rangle^2-b_i)`.  At a kink the subdifferential is
    :math:`2\langle a_i,x\rangle a_i[-1,1]` and the choice here is its middle, 0.  Where :math:`\langle a_i,x\rangle=b_i=0`
    there is no kink, and the gradient is 0.
    """

    A: Array
    b: Array
    weights: Array = field(default=None)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        A = checks.array("A", self.A, (None, None), WHY)
        b = checks.array("b", self.b, (len(A),), WHY)
        checks.freeze(self, A=A, b=b, weights=checks.weights(self.weights, len(A)))

    @property
    def n(self) -> int:
        return int(self.A.shape[1])

    def _values(self, x: Array) -> Array:
        return np.abs((self.A @ x) ** 2 - self.b)

    def _subgradients(self, x: Array) -> Array:
        t = self.A @ x
        return np.asarray((2 * t * np.sign(t * t - self.b))[:, None] * self.A)

    def known_rho(self) -> Known:
        r""":math:`\rho=2\lambda_{\max}(A^\top WA)`.

        :math:`f=\max_{|s_i|\le1}\sum_iw_is_i(\langle a_i,x\rangle^2-b_i)`, and every one of these quadratics has a Hessian
        :math:`2A^\top WSA\succeq-2A^\top WA`.  If all :math:`b_i>0`, then near 0 every sign is :math:`-1`, the Hessian is
        :math:`-2A^\top WA`, and no smaller :math:`\rho` will do.
        """
        value = max(2 * top_eigenvalue(self.A, self.weights), 0.0)
        return known(value, bool((self.b > 0).all()), "2 lambda_max(A'WA), least if all b_i > 0")

    def known_least_rho(self) -> Known:
        r"""The least :math:`\rho` for any :math:`b`: a sample with :math:`b_i\le0` is convex, :math:`s_i=1` always, so
        :math:`\rho=2\lambda_{\max}(A^\top WTA)_+` with :math:`t_i=1` if :math:`b_i>0` and :math:`-1` otherwise, attained near 0."""
        signed = np.where(self.b > 0, self.weights, -self.weights)
        return known(max(2 * top_eigenvalue(self.A, signed), 0.0), True, "2 lambda_max(A'W sign(b) A), at least 0")

    def known_L2(self, X: ConvexSet) -> Known:
        r""":math:`L^2=\sup_{\mathcal X}\sum_i4w_i\|a_i\|^2\langle a_i,x\rangle^2`.

        On the ball of radius :math:`R` about 0 this is :math:`R^2\lambda_{\max}(4A^\top\mathrm{diag}(w_i\|a_i\|^2)A)`.  Kinks lower
        the second moment only on a null set, so it is the supremum wherever :math:`\mathcal X` has interior.
        """
        checks.same_dimension(self.n, X)
        norms = np.linalg.norm(self.A, axis=1)
        value, exact = X.extent((2 * np.sqrt(self.weights) * norms)[:, None] * self.A)
        return known(value**2, exact and X.has_interior, "sup over X of sum 4 w_i |a_i|^2 <a_i,x>^2")

    def known_G2(self, X: ConvexSet) -> Known:
        r"""The square of :math:`2\|W^{1/2}A\|_2\sup_{\mathcal X}\|W^{1/2}Ax\|\ge\|2A^\top WSAx\|`; on a ball of radius :math:`R` about
        0 it is :math:`\rho^2R^2`."""
        checks.same_dimension(self.n, X)
        root = np.sqrt(self.weights)[:, None] * self.A
        value = 2 * float(np.linalg.norm(root, 2)) * X.extent(root).value
        return known(value**2, False, "(2 |W^(1/2) A| sup |W^(1/2) A x|)^2")


def sums(terms: Array) -> Array:
    """Sums along the last axis, strictly from left to right."""
    terms = checks.points("terms", terms, np.shape(terms)[-1] if np.ndim(terms) else 1, finite=False)
    return np.asarray(np.add.accumulate(terms, axis=-1)[..., -1])


def phase_retrieval(
    m: int, n: int, kappa: float, p_fail: float, rng: np.random.Generator, signal: str = "sphere"
) -> Instance:
    r"""A random problem as in the paper's experiments: :math:`A=QD` with :math:`Q` standard normal and :math:`D` linearly
    spaced from :math:`1/\kappa` to 1,
    :math:`b_i=\langle a_i,x^\star\rangle^2+\delta_i\zeta_i`, :math:`\zeta_i\sim N(0,25)`, :math:`P(\delta_i=1)=p_{\mathrm{fail}}`.

    ``signal``: :math:`x^\star` uniform on the unit ``sphere`` (figures 2 and 3) or standard ``normal`` (figure 1).
    Drawn in the order :math:`x^\star,Q,\delta,\zeta`.  The set is the whole space, as in the paper.  Sums run from left to right, so
    that a seed gives the same bits on every processor: runs on the data are chaotic.
    """
    checks.room(WHY, m=checks.count("m", m, WHY), n=checks.count("n", n, WHY))
    if checks.real("kappa", kappa, WHY) < 1:
        checks.fail("kappa", kappa, "be at least 1", f"the condition number of D, {WHY}")
    checks.probability("p_fail", p_fail, WHY)
    checks.one_of("signal", signal, ("sphere", "normal"), WHY)
    checks.generator(rng)
    truth = rng.standard_normal(n)
    if signal == "sphere":
        truth /= math.sqrt(math.fsum((truth * truth).tolist()))
    A = rng.standard_normal((m, n)) * np.linspace(1 / kappa, 1, n)
    corrupted = rng.random(m) < p_fail
    b = sums(A * truth) ** 2 + corrupted * rng.normal(0.0, 5.0, m)
    return Instance(RobustPhaseRetrieval(A, b), WholeSpace(n), truth)


def kinked_at(A: ArrayLike, x: ArrayLike) -> RobustPhaseRetrieval:
    r"""All :math:`m` samples have their kink at ``x``: :math:`b=(Ax)^2`.  An adversary that sits on an iterate.

    The kinks are hit exactly if :math:`Ax` is free of rounding, as for data of a few binary digits.
    """
    data = checks.array("A", A, (None, None), WHY)
    return RobustPhaseRetrieval(data, (data @ checks.point(x, data.shape[1])) ** 2)
