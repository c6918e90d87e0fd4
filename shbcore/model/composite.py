r"""Two shapes of weakly convex composite, :math:`f=h\circ c` of ``eq:composite``, with their constants derived once.

Sums of :math:`|q_i(x)|` with quadratic :math:`q_i`, and sums of :math:`\varphi(\langle a_i,x\rangle-b_i)` with a scalar loss.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.problems import FiniteSum, Known, known, squared
from shbcore.model.sets import ConvexSet, WholeSpace, largest_norm


def top_eigenvalue(A: Array, weights: Array) -> float:
    r""":math:`\lambda_{\max}(\sum_iw_ia_ia_i^\top)`; the weights may have any sign."""
    A = checks.array("A", A, (None, None), "data of a finite sum")
    return float(np.linalg.eigvalsh((A.T * checks.array("weights", weights, (len(A),), "one for each row")) @ A)[-1])


@dataclass(frozen=True, eq=False)
class AbsoluteQuadratics(FiniteSum):
    r""":math:`f(x)=\sum_iw_i|q_i(x)|` with :math:`q_i(x)=\frac12x^\top H_ix+l_i^\top x+c_i`.

    This is ``eq:composite`` with :math:`h=\sum_iw_i|\cdot|` and :math:`c=q` quadratic.  It is a maximum of quadratics,
    :math:`f(x)=\max_{|s_i|\le1}\sum_iw_is_iq_i(x)`, so :math:`f+\frac\rho2\|\cdot\|^2` is convex as soon as
    :math:`\rho I+\sum_iw_is_iH_i\succeq0` for all :math:`s`.  As :math:`-|H_i|\preceq s_iH_i` (matrix absolute value),
    :math:`\rho=\lambda_{\max}(\sum_iw_i|H_i|)` will do; a problem that knows better passes its own ``modulus``, a
    :class:`~shbcore.model.problems.Known`.  ``H`` has the shape ``(m, n, n)``, ``linear`` ``(m, n)``, ``offset`` ``(m,)``.
    The subgradient is :math:`\mathrm{sign}(q_i)\nabla q_i`, with 0 at a kink.
    """

    H: Array
    linear: Array
    offset: Array
    weights: Array = field(default=None)  # type: ignore[arg-type]
    modulus: Known | None = None

    def __post_init__(self) -> None:
        why = "a finite sum of |q_i|, eq:composite"
        H = checks.array("H", self.H, (None, None, None), why)
        m, n, _ = H.shape
        if H.shape[1] != H.shape[2]:
            checks.fail("H.shape", H.shape, "be that of m square matrices", why)
        uneven = np.abs(H - H.swapaxes(1, 2)).max(axis=(1, 2))
        if (wrong := uneven > 1e-12 * np.abs(H).max(axis=(1, 2))).any():
            i = int(np.argmax(wrong))
            checks.fail(f"H[{i}]", H[i], "be symmetric", f"the gradient of q_i is H_i x + l_i, {why}")
        if uneven.any():  # by rounding alone
            H = checks.array("H", H / 2 + H.swapaxes(1, 2) / 2, H.shape, why)
        checks.freeze(
            self,
            H=H,
            linear=checks.array("linear", self.linear, (m, n), why),
            offset=checks.array("offset", self.offset, (m,), why),
            weights=checks.weights(self.weights, m),
        )
        if self.modulus is not None:
            checks.instance(Known, "modulus", self.modulus, checks.RHO)

    @property
    def n(self) -> int:
        return int(self.H.shape[1])

    def quadratics(self, x: Array) -> Array:
        r""":math:`q_i(x)`."""
        x = self._at(x)
        return np.asarray((self.H @ x / 2 + self.linear) @ x + self.offset)

    def _values(self, x: Array) -> Array:
        return np.abs(self.quadratics(x))

    def _subgradients(self, x: Array) -> Array:
        return np.asarray(np.sign(self.quadratics(x))[:, None] * (self.H @ x + self.linear))

    def _subgradient(self, x: Array, i: int) -> Array:
        slope = self.H[i] @ x
        return np.asarray(np.sign((slope / 2 + self.linear[i]) @ x + self.offset[i]) * (slope + self.linear[i]))

    def _curvature(self) -> float:
        eigenvalues, bases = np.linalg.eigh(self.H)
        absolute = (bases * np.abs(eigenvalues)[:, None, :]) @ bases.swapaxes(1, 2)
        return float(np.linalg.eigvalsh(np.tensordot(self.weights, absolute, axes=1))[-1])

    def known_rho(self) -> Known:
        return self.modulus or known(self._curvature(), False, "largest eigenvalue of sum w_i |H_i|")

    def known_L2(self, X: ConvexSet) -> Known:
        r""":math:`L^2=\sup_{\mathcal X}\sum_iw_i\|H_ix+l_i\|^2`, least if :math:`\mathcal X` has interior: kinks are not dense."""
        checks.same_dimension(self.n, X)
        root = np.sqrt(self.weights)
        B, d = (root[:, None, None] * self.H).reshape(-1, self.n), -(root[:, None] * self.linear).ravel()
        value, exact = X.extent(B, d)
        never_flat = bool((self.H.any(axis=(1, 2)) | self.linear.any(axis=1)).all())
        value = squared(value, "X", X)
        return known(value, exact and X.has_interior and never_flat, "sup over X of sum w_i |H_i x + l_i|^2")

    def known_G2(self, X: ConvexSet) -> Known:
        r""":math:`G=\|\sum w_is_i(H_ix+l_i)\|\le\lambda_{\max}(\sum w_i|H_i|)\|x\|+\sum w_i\|l_i\|`, and at most :math:`L`."""
        bound = self._curvature() * largest_norm(X) + self.weights @ np.linalg.norm(self.linear, axis=1)
        return known(min(bound**2, self.known_L2(X).value), False, "the smaller of curvature times |x| and L, squared")


@dataclass(frozen=True)
class Loss:
    r"""A scalar function :math:`\varphi` with its slope, the range of :math:`\varphi''` off kinks (where :math:`\varphi` bends upwards),
    and :math:`\max|\varphi'|` over an interval ``steepest(low, high)``."""

    name: str
    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    curvature: tuple[float, float]
    steepest: Callable[[Array, Array], Array]

    def __post_init__(self) -> None:
        why = "the scalar loss of a finite sum"
        for name in ("value", "slope", "steepest"):
            checks.function(name, getattr(self, name), why)
        ends = checks.sequence("curvature", self.curvature, why)
        if len(ends) != 2 or not checks.number("curvature[0]", ends[0], why) <= ends[1]:
            checks.fail("curvature", self.curvature, "be a range (low, high)", why)


@dataclass(frozen=True, eq=False)
class RidgeSum(FiniteSum):
    r""":math:`f(x)=\sum_iw_i\varphi(\langle a_i,x\rangle-b_i)`: ``A`` has the rows :math:`a_i`, and :math:`\varphi` is a :class:`Loss`.

    If :math:`\varphi''\ge-\kappa` off kinks, then :math:`\varphi+\frac\kappa2(\cdot)^2` is convex, hence
    :math:`f+\frac\kappa2\sum_iw_i\langle a_i,x\rangle^2` is, and :math:`\rho=\kappa\lambda_{\max}(A^\top WA)`.  If :math:`A` has
    rank :math:`m`, every residual can sit where :math:`\varphi''` is least, and this :math:`\rho` is least too.
    """

    A: Array
    b: Array
    loss: Loss
    weights: Array = field(default=None)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        why = "data (a_i, b_i) of a finite sum, eqn:objective"
        A = checks.array("A", self.A, (None, None), why)
        b = checks.array("b", self.b, (len(A),), why)
        checks.instance(Loss, "loss", self.loss, why)
        checks.freeze(self, A=A, b=b, weights=checks.weights(self.weights, len(A)))

    @property
    def n(self) -> int:
        return int(self.A.shape[1])

    @property
    def free_residuals(self) -> bool:
        """Whether every vector of residuals occurs."""
        return bool(np.linalg.matrix_rank(self.A) == self.m)

    def _values(self, x: Array) -> Array:
        return self.loss.value(self.A @ x - self.b)

    def _subgradients(self, x: Array) -> Array:
        return self.loss.slope(self.A @ x - self.b)[:, None] * self.A

    def residual(self, x: Array, i: int) -> Array:
        r""":math:`\langle a_i,x\rangle-b_i` of one sample, as an array of one entry."""
        return np.asarray(self.A[i : i + 1] @ x - self.b[i : i + 1])

    def _subgradient(self, x: Array, i: int) -> Array:
        return np.asarray(self.loss.slope(self.residual(x, i))[0] * self.A[i])

    def known_rho(self) -> Known:
        kappa = max(-self.loss.curvature[0], 0.0)
        value = kappa * top_eigenvalue(self.A, self.weights)
        return known(value, self.free_residuals, f"{kappa:g} lambda_max(A'WA)")

    def known_smoothness(self) -> Known:
        r"""As :math:`\rho` above, with :math:`\max|\varphi''|` in place of :math:`\kappa`."""
        steep = max(abs(end) for end in self.loss.curvature)
        if steep == np.inf:
            return super().known_smoothness()
        value = steep * top_eigenvalue(self.A, self.weights)
        return known(value, self.free_residuals, f"{steep:g} lambda_max(A'WA)")

    def steepest(self, X: ConvexSet) -> Array:
        r""":math:`\sup_{x\in\mathcal X}|\varphi'(\langle a_i,x\rangle-b_i)|` for each sample."""
        checks.same_dimension(self.n, X)
        return self.loss.steepest(-X.support(-self.A) - self.b, X.support(self.A) - self.b)

    def known_L2(self, X: ConvexSet) -> Known:
        r""":math:`L^2=\sum_iw_i\|a_i\|^2\sup|\varphi'|^2`, each supremum over the residuals that :math:`\mathcal X` allows."""
        squares = np.sum(self.A**2, axis=1) * self.steepest(X) ** 2
        sharp = self.free_residuals and isinstance(X, WholeSpace)
        return known(self.weights @ squares, sharp, "sum w_i |a_i|^2 sup |phi'|^2")

    def known_G2(self, X: ConvexSet) -> Known:
        r""":math:`G=\|A^\top Ws\|\le\sum_iw_i\|a_i\||s_i|` and
        :math:`G\le\lambda_{\max}(A^\top WA)^{1/2}(\sum_iw_is_i^2)^{1/2}`: the smaller of the two, squared."""
        s = self.steepest(X)
        triangle = self.weights @ (np.linalg.norm(self.A, axis=1) * s)
        operator = np.sqrt(top_eigenvalue(self.A, self.weights) * (self.weights @ s**2))
        return known(min(triangle, operator) ** 2, False, "the smaller of a triangle and an operator norm bound")
