r"""The weakly convex applications that the paper's introduction names, each small but real, each with its :math:`\rho` derived.

``nonlinear_least_squares``, ``robust_pca``, ``low_rank_recovery``, ``conditional_value_at_risk`` and
``graph_synchronisation`` plant a solution and return an
:class:`~shbcore.model.problems.Instance`; ``landscapes`` has one of each in the plane.
Robust phase retrieval has a file of its own.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from shbcore.model import checks
from shbcore.model.checks import Array
from shbcore.model.composite import AbsoluteQuadratics, Loss, RidgeSum
from shbcore.model.phase import phase_retrieval
from shbcore.model.problems import FiniteSum, Instance, Known, known
from shbcore.model.sets import Ball, Box, ConvexSet, bounding_box
from shbcore.model.smooth import LOG, robust_regression

WHY = "an application named in the introduction"


@dataclass(frozen=True, eq=False)
class ExponentialFit(FiniteSum):
    r"""Nonlinear least squares: :math:`f(x)=\sum_iw_ih(c_i(x))` with :math:`c_i(x)=x_0e^{-x_1t_i}-y_i`, a decay fitted to data.

    ``outer`` is the ``square`` :math:`h=\frac12(\cdot)^2` or the ``absolute`` value.  By ``eq:composite`` each term has
    :math:`\rho_i=L_hL_{c,i}`.  The square is not Lipschitz on the line, and :math:`\nabla^2c_i` grows with :math:`x_0`: both
    need a compact domain.  On the box :math:`[l_0,u_0]\times[l_1,u_1]`, :math:`l\ge0`, all of :math:`c_i`, :math:`\|\nabla c_i\|` and
    :math:`\|\nabla^2c_i\|` are largest at :math:`(u_0,l_1)`, and :math:`c_i` is least at :math:`(l_0,u_1)`.
    """

    t: Array
    y: Array
    domain: Box
    outer: str = "square"
    weights: Array = field(default=None)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        t = checks.array("t", self.t, (None,), WHY)
        y = checks.array("y", self.y, t.shape, WHY)
        checks.instance(Box, "domain", self.domain, "rho = L_h L_c needs a compact set, eq:composite")
        checks.one_of("outer", self.outer, ("square", "absolute"), WHY)
        if self.domain.n != 2 or (self.domain.lower < 0).any() or (t < 0).any():
            checks.fail("domain.lower", self.domain.lower, "be two non-negative numbers, as all t must", WHY)
        checks.freeze(self, t=t, y=y, weights=checks.weights(self.weights, len(t)))

    @property
    def n(self) -> int:
        return 2

    def residuals(self, x: Array) -> Array:
        r""":math:`c_i(x)`."""
        x = self._at(x)
        return np.asarray(x[0] * np.exp(-x[1] * self.t) - self.y)

    def _values(self, x: Array) -> Array:
        c = self.residuals(x)
        return c * c / 2 if self.outer == "square" else np.abs(c)

    def _subgradients(self, x: Array) -> Array:
        c, decay = self.residuals(x), np.exp(-x[1] * self.t)
        slope = c if self.outer == "square" else np.sign(c)
        return np.stack([slope * decay, -slope * x[0] * self.t * decay], axis=1)

    def _subgradient(self, x: Array, i: int) -> Array:
        decay = np.exp(-x[1] * self.t[i : i + 1])[0]
        c = x[0] * decay - self.y[i]
        slope = c if self.outer == "square" else np.sign(c)
        return np.array([slope * decay, -slope * x[0] * self.t[i] * decay])

    def _bounds(self, lower: Array, upper: Array) -> tuple[Array, Array, Array]:
        r""":math:`\max|h'(c_i)|`, :math:`\max\|\nabla c_i\|`, :math:`\max\|\nabla^2c_i\|` on a box."""
        most, least = self.residuals(np.array([upper[0], lower[1]])), self.residuals(np.array([lower[0], upper[1]]))
        slope = np.maximum(most, -least) if self.outer == "square" else np.ones_like(most)
        decay = np.exp(-lower[1] * self.t)
        off, corner = self.t * decay, upper[0] * self.t**2 * decay  # the Hessian of c_i is [[0, -off], [-off, corner]]
        return slope, decay * np.hypot(1, upper[0] * self.t), (corner + np.hypot(corner, 2 * off)) / 2

    def known_rho(self) -> Known:
        slope, _, bend = self._bounds(self.domain.lower, self.domain.upper)
        return known(self.weights @ (slope * bend), False, "sum w_i L_h L_c on the domain, eq:composite")

    def known_smoothness(self) -> Known:
        if self.outer == "absolute":
            return super().known_smoothness()
        slope, steep, bend = self._bounds(self.domain.lower, self.domain.upper)
        return known(
            self.weights @ (steep**2 + slope * bend), False, "sum w_i (|grad c|^2 + |c| |hess c|) on the domain"
        )

    def valid_on(self, X: ConvexSet) -> None:
        r"""The constants are those of the domain: :math:`\mathcal X` must lie in it."""
        checks.same_dimension(2, X)
        lower, upper = bounding_box(X)
        if (lower < self.domain.lower - 1e-12).any() or (upper > self.domain.upper + 1e-12).any():
            checks.fail("X", X, f"lie in the domain {self.domain}", "rho = L_h L_c needs a compact set, eq:composite")

    def known_L2(self, X: ConvexSet) -> Known:
        self.valid_on(X)
        slope, steep, _ = self._bounds(*bounding_box(X))
        return known(self.weights @ (slope * steep) ** 2, False, "sum w_i max |h'|^2 max |grad c|^2")


@dataclass(frozen=True, eq=False)
class ConditionalValueAtRisk(FiniteSum):
    r"""Conditional value at risk: :math:`f(x,\tau)=\tau+\frac1{1-q}\sum_iw_i(\ell_i(x)-\tau)_+`,
    :math:`\ell_i(x)=\varphi(\langle a_i,x\rangle-b_i)`.

    ``losses`` is the :class:`~shbcore.model.composite.RidgeSum` of the :math:`\ell_i`, ``level`` is :math:`q`.
    The last coordinate is :math:`\tau`; the minimum over it is the mean of the worst :math:`1-q` of the losses.  In
    ``eq:composite`` the outer function is non-decreasing, :math:`(u)_+=\max_{0\le s\le1}su`, so only the downward curvature
    :math:`\varphi''\ge-\kappa` of the losses counts: :math:`\rho=\kappa\lambda_{\max}(A^\top WA)/(1-q)`, least if :math:`A` has rank
    :math:`m` (take :math:`\tau` very negative).  The subgradient at a kink :math:`\ell_i=\tau` is that of the inactive side.
    """

    losses: RidgeSum
    level: float

    def __post_init__(self) -> None:
        checks.instance(RidgeSum, "losses", self.losses, WHY)
        if not 0 <= checks.real("level", self.level, WHY) < 1:
            checks.fail("level", self.level, "lie in [0, 1)", "CVaR divides by 1 - level")
        checks.freeze(self, weights=self.losses.weights)

    @property
    def n(self) -> int:
        return self.losses.n + 1

    def _values(self, x: Array) -> Array:
        return np.asarray(x[-1] + np.maximum(self.losses.values(x[:-1]) - x[-1], 0.0) / (1 - self.level))

    def _subgradients(self, x: Array) -> Array:
        active = (self.losses.values(x[:-1]) > x[-1])[:, None] / (1 - self.level)
        return np.hstack([active * self.losses.subgradients(x[:-1]), 1 - active])

    def _subgradient(self, x: Array, i: int) -> Array:
        loss = self.losses.loss.value(self.losses.residual(x[:-1], i))[0]
        active = (loss > x[-1]) / (1 - self.level)
        return np.append(active * self.losses.subgradient(x[:-1], i), 1 - active)

    def known_rho(self) -> Known:
        inner = self.losses.known_rho()
        return Known(inner.value / (1 - self.level), inner.how, f"{inner.note} / (1 - level)")

    def known_L2(self, X: ConvexSet) -> Known:
        r"""An active sample has squared norm :math:`(\|\nabla\ell_i\|^2+q^2)/(1-q)^2`, an inactive one 1."""
        checks.same_dimension(self.n, X)
        A = np.hstack([self.losses.A, np.zeros((self.m, 1))])
        s = self.losses.loss.steepest(-X.support(-A) - self.losses.b, X.support(A) - self.losses.b)
        active = (np.sum(A**2, axis=1) * s**2 + self.level**2) / (1 - self.level) ** 2
        return known(self.weights @ np.maximum(active, 1.0), False, "the larger of active and inactive samples")


CHORD = Loss(
    r"|e^{ir} - 1| = |2 sin(r/2)|: |slope| <= 1 near r = 0, curvature at least -1/2, at r = pi; 0 is chosen at kinks",
    lambda r: np.abs(2 * np.sin(r / 2)),
    lambda r: np.cos(r / 2) * np.sign(np.sin(r / 2)),
    (-1 / 2, float("inf")),
    lambda low, high: np.ones_like(low),
)


def synchronisation(nodes: int, edges: ArrayLike, angles: ArrayLike, weights: ArrayLike | None = None) -> RidgeSum:
    r"""Synchronisation over SO(2): :math:`f(\theta)=\sum_{ij}w_{ij}|e^{i\theta_i}e^{-i\theta_j}-e^{i\omega_{ij}}|`, :math:`\theta_0=0`.

    The modulus depends on :math:`r=\theta_i-\theta_j-\omega_{ij}` only, as :math:`|2\sin(r/2)|`.  ``eq:composite`` with
    :math:`L_h=1` and :math:`c=e^{ir}-1` gives curvature :math:`-1`; the true one is :math:`-\frac12|\sin(r/2)|\ge-\frac12`.
    So :math:`\rho=\frac12\lambda_{\max}(B^\top WB)`, half the top eigenvalue of the grounded Laplacian, least on a forest.
    Subgradients are bounded on the whole space: here (A2) needs no compact set.
    """
    checks.room(WHY, nodes=checks.count("nodes", nodes, WHY, least=2), columns=nodes)
    pairs = checks.array("edges", edges, (None, 2), WHY)
    if (pairs < 0).any() or (pairs >= nodes).any() or (pairs % 1 != 0).any() or (pairs[:, 0] == pairs[:, 1]).any():
        checks.fail("edges", pairs, f"join two different nodes of 0..{nodes - 1}", WHY)
    incidence = np.eye(nodes)[pairs[:, 0].astype(int)] - np.eye(nodes)[pairs[:, 1].astype(int)]
    return RidgeSum(
        incidence[:, 1:], checks.array("angles", angles, (len(pairs),), WHY), CHORD, checks.weights(weights, len(pairs))
    )


def _two(name: str, shape: tuple[int, int]) -> tuple[int, int]:
    """The two sizes of a matrix."""
    found = checks.sequence(name, shape, WHY)
    if len(found) != 2:
        checks.fail(name, shape, "be two sizes", WHY)
    first, second = (checks.count(f"{name}[{k}]", size, WHY) for k, size in enumerate(found))
    checks.room(WHY, rows=first, columns=second)
    return first, second


def principal_components(
    rows: ArrayLike,
    columns: ArrayLike,
    entries: ArrayLike,
    shape: tuple[int, int],
    rank: int,
    weights: ArrayLike | None = None,
) -> AbsoluteQuadratics:
    r"""Robust PCA: :math:`f(U,V)=\sum_kw_k|\langle u_{i_k},v_{j_k}\rangle-M_k|` over observed entries, :math:`x=(U,V)` row by row.

    With signs :math:`s` the Hessian is :math:`\begin{pmatrix}0&W\circ s\\(W\circ s)^\top&0\end{pmatrix}\otimes I_r`, of norm at most
    :math:`\|W\|_2` as :math:`W\ge0`, where :math:`W_{ij}` is the weight on entry :math:`(i,j)`.  If all :math:`u_{ik}=v_{jk}=t` are large,
    all signs are :math:`+1`: so :math:`\rho=\|W\|_2` exactly, :math:`1/\sqrt{m_1m_2}` for all entries with equal weight.
    """
    M = checks.array("entries", entries, (None,), WHY)
    places = {name: checks.array(name, v, M.shape, WHY) for name, v in (("rows", rows), ("columns", columns))}
    for name, place in places.items():
        if (place % 1 != 0).any():
            checks.fail(name, place, "be whole numbers", WHY)
    i, j = (place.astype(int) for place in places.values())
    shape = _two("shape", shape)
    if min(i.min(), j.min()) < 0 or i.max() >= shape[0] or j.max() >= shape[1]:
        checks.fail("shape", shape, "hold all rows and columns", WHY)
    w = checks.weights(weights, len(M))
    total = np.zeros(shape)
    np.add.at(total, (i, j), w)
    checks.room(WHY, entries=len(M), size=sum(shape) * checks.count("rank", rank, WHY), columns=sum(shape) * rank)
    axes = np.eye(sum(shape))
    pair = axes[i][:, :, None] * axes[shape[0] + j][:, None, :]
    H = np.stack([np.kron(P + P.T, np.eye(rank)) for P in pair])
    rho = known(
        np.linalg.norm(total, 2), True, "spectral norm of the matrix of weights, attained where all signs are +1"
    )
    return AbsoluteQuadratics(H, np.zeros(H.shape[:2]), -M, w, rho)


def matrix_sensing(A: ArrayLike, b: ArrayLike, rank: int, weights: ArrayLike | None = None) -> AbsoluteQuadratics:
    r"""Robust low-rank recovery: :math:`f(U)=\sum_iw_i|\langle A_i,UU^\top\rangle-b_i|`, :math:`U\in\mathbb R^{d\times r}`.

    For symmetric :math:`A_i` (others are made so) the Hessians are :math:`2A_i\otimes I_r`, and
    :math:`\rho=2\lambda_{\max}(\sum_iw_i|A_i|)` as in
    :class:`~shbcore.model.composite.AbsoluteQuadratics`.
    """
    matrices = checks.array("A", A, (None, None, None), WHY)
    if matrices.shape[1] != matrices.shape[2]:
        checks.fail("A.shape", matrices.shape, "be that of square matrices", WHY)
    offset = -checks.array("b", b, (len(matrices),), WHY)
    size = matrices.shape[1] * checks.count("rank", rank, WHY)
    checks.room(WHY, m=len(matrices), rank=size, columns=size)
    H = np.stack([np.kron(S + S.T, np.eye(rank)) for S in matrices])
    return AbsoluteQuadratics(H, np.zeros(H.shape[:2]), offset, checks.weights(weights, len(offset)))


def _outliers(m: int, p_fail: float, spread: float, rng: np.random.Generator) -> Array:
    """Normal errors of size ``spread`` on a share ``p_fail`` of ``m`` measurements, on average."""
    checks.probability("p_fail", p_fail, "the share of corrupted measurements")
    return (checks.generator(rng).random(m) < p_fail) * rng.normal(0.0, spread, m)


def nonlinear_least_squares(m: int, p_fail: float, rng: np.random.Generator, outer: str = "square") -> Instance:
    """A decay of amplitude 1.5 and rate 1, measured at ``m`` times in [0, 3] with some outliers."""
    checks.probability("p_fail", p_fail, "the share of corrupted measurements")
    checks.room(WHY, m=checks.count("m", m, WHY))
    checks.generator(rng)
    t, truth = np.linspace(0, 3, m), np.array([1.5, 1.0])
    y = truth[0] * np.exp(-truth[1] * t) + rng.normal(0, 0.02, m) + _outliers(m, p_fail, 1.0, rng)
    domain = Box(np.array([0.0, 0.5]), np.array([2.0, 2.0]))
    return Instance(ExponentialFit(t, y, domain, outer), domain, truth)


def robust_pca(
    shape: tuple[int, int], rank: int, p_fail: float, rng: np.random.Generator, repeats: int = 1
) -> Instance:
    """All entries of a random matrix of the given rank, each observed ``repeats`` times, some grossly wrong."""
    shape = _two("shape", shape)
    size = sum(shape) * checks.count("rank", rank, WHY)
    checks.room(WHY, repeats=checks.count("repeats", repeats, WHY), shape=shape[0] * shape[1], rank=size, columns=size)
    truth = checks.generator(rng).standard_normal((sum(shape), rank))
    M = np.repeat((truth[: shape[0]] @ truth[shape[0] :].T).ravel(), repeats)
    rows, columns = (np.repeat(k.ravel(), repeats) for k in np.indices(shape))
    problem = principal_components(rows, columns, M + _outliers(M.size, p_fail, 5.0, rng), shape, rank)
    return Instance(problem, Ball(2 * float(np.linalg.norm(truth)), np.zeros(problem.n)), truth.ravel())


def low_rank_recovery(m: int, d: int, rank: int, p_fail: float, rng: np.random.Generator) -> Instance:
    """Gaussian symmetric measurements of a random positive semidefinite matrix of the given rank, with outliers."""
    size = checks.count("d", d, WHY) * checks.count("rank", rank, WHY)
    checks.room(WHY, m=checks.count("m", m, WHY), d=size, columns=size)
    truth = checks.generator(rng).standard_normal((d, rank))
    A = rng.standard_normal((m, d, d))
    A = (A + A.swapaxes(1, 2)) / 2
    b = np.tensordot(A, truth @ truth.T, axes=2) + _outliers(m, p_fail, 5.0, rng)
    return Instance(
        matrix_sensing(A, b, rank), Ball(2 * float(np.linalg.norm(truth)), np.zeros(d * rank)), truth.ravel()
    )


def conditional_value_at_risk(m: int, n: int, level: float, rng: np.random.Generator) -> Instance:
    r"""The worst share :math:`1-q` of the losses of a robust regression with 10 % outliers; the planted :math:`\tau` is their quantile."""
    if not 0 <= checks.real("level", level, WHY) < 1:
        checks.fail("level", level, "lie in [0, 1)", "CVaR divides by 1 - level")
    losses, _, truth = robust_regression(m, n, 0.1, rng, LOG)
    assert isinstance(losses, RidgeSum)
    problem = ConditionalValueAtRisk(losses, level)
    tau = np.quantile(losses.values(truth), level)
    return Instance(problem, Ball(2.0 + abs(tau), np.zeros(n + 1)), np.append(truth, tau))


def graph_synchronisation(nodes: int, p_fail: float, rng: np.random.Generator) -> Instance:
    r"""A complete graph, angles within 2 of node 0; differences are seen with small noise, a share ``p_fail`` of them at random."""
    nodes = checks.count("nodes", nodes, WHY, least=2)
    checks.room(WHY, nodes=nodes, edges=nodes * (nodes - 1) // 2)
    truth = checks.generator(rng).uniform(-2, 2, nodes - 1)
    edges = np.array(list(combinations(range(nodes), 2)))
    clean = np.append(0.0, truth)[edges] @ np.array([1.0, -1.0]) + rng.normal(0, 0.05, len(edges))
    angles = np.where(
        rng.random(len(edges)) < checks.probability("p_fail", p_fail, WHY),
        rng.uniform(-np.pi, np.pi, len(edges)),
        clean,
    )
    corner = np.full(nodes - 1, np.pi)
    return Instance(synchronisation(nodes, edges, angles), Box(-corner, corner), truth)


def landscapes(rng: np.random.Generator) -> dict[str, Instance]:
    """One instance of each application in two variables, for a picture."""
    return {
        "robust phase retrieval": phase_retrieval(20, 2, 2.0, 0.1, rng),
        "nonlinear least squares": nonlinear_least_squares(12, 0.1, rng),
        "robust PCA": robust_pca((1, 1), 1, 0.2, rng, repeats=9),
        "low-rank recovery": low_rank_recovery(12, 2, 1, 0.1, rng),
        "CVaR": conditional_value_at_risk(20, 1, 0.8, rng),
        "graph synchronisation": graph_synchronisation(3, 0.0, rng),
    }
