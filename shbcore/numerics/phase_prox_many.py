r"""Many prox points of robust phase retrieval around one centre, from one factorisation: those of a conditional expectation.

At a solution every kinked row (:math:`b_i>0`) has one of three states: :math:`s_i=-1` inside the kinks, :math:`s_i=1` outside, or it
rests on a kink, :math:`t_i=\tau_i=\pm\sqrt{b_i}`.  The states :math:`\sigma` at the centre are frozen, :math:`Z` being the resting rows.
With :math:`M_0=B+4\sum_{\sigma_i=1}w_ia_ia_i^\top` and :math:`u_i=2w_i(1+s_i)t_i` on :math:`Z`, the optimality conditions at :math:`x` read

.. math:: M_0y+A_Z^\top u=x/\lambda-A_N^\top\varphi,\qquad A_Zy=\tau+\delta,

where :math:`v=(\varphi,\delta)` is zero but for the rows whose state changed.  Eliminating :math:`y` once leaves an affine map from inputs
:math:`v` to outputs :math:`o`, namely :math:`t_i` off :math:`Z` and :math:`u_i` on :math:`Z`,

.. math:: o=o(x)+Kv,\qquad K=\begin{pmatrix}-A_NPA_N^\top&A_NN\\-(A_NN)^\top&-Q\end{pmatrix},\quad
   Q=(A_ZM_0^{-1}A_Z^\top)^{-1},\ N=M_0^{-1}A_Z^\top Q,\ P=M_0^{-1}-N A_ZM_0^{-1},

the Woodbury identity for all changes of state at once.  A point then costs a few linear systems of the size of its changes, solved by an
active-set (semismooth Newton) iteration.  Nothing rests on its success: the certificate of :mod:`phase_prox` judges every result, and
what it rejects goes to :mod:`phase_prox_far`, then to the interior point method.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shbcore.numerics.phase_prox import Array, Data, Saddle, certificate, compiled, solve
from shbcore.numerics.phase_prox_far import ROUNDS, descend

States = NDArray[np.int64]
SHARE = 1e-5
"""A resting row counts as independent of the others if this share of it is orthogonal to them."""
PROBE = 16
"""Points that show whether the states of the centre serve the others."""


class Frozen(NamedTuple):
    """The centre's solution, its states, and the affine map from inputs to outputs and to points."""

    centre: Saddle
    state: States
    kink: Array  # tau
    spare: States  # resting rows that depend on others
    Kt: Array  # K transposed: row i is the answer of all outputs to input i
    Yt: Array  # row i is the answer of y to input i
    P: Array
    N: Array
    Q: Array


def freeze(data: Data, x: Array) -> Frozen:
    """Solve at ``x`` and eliminate ``y`` in the optimality conditions with the states found there."""
    k = data.At.shape[1]
    A, b, w = data.A[:k], data.b[:k], data.w[:k]
    centre = solve(data, x, 1e-14)
    s, t = centre.s[:k], A @ centre.point
    resting = np.abs(t * t - b) / b < 1 - np.abs(s)
    state = np.where(resting, 0, np.where(s > 0, 1, -1))
    L = np.linalg.cholesky(data.base + A.T @ ((4 * w * (state == 1))[:, None] * A))
    rows = np.linalg.solve(L, A.T).T
    Z: list[int] = []
    basis = np.empty((0, data.A.shape[1]))
    for i in sorted(np.flatnonzero(resting), key=lambda i: abs(s[i])):
        fresh = rows[i] - (basis @ rows[i]) @ basis
        fresh -= (basis @ fresh) @ basis
        if np.linalg.norm(fresh) > SHARE * np.linalg.norm(rows[i]):
            basis, Z = np.vstack([basis, fresh / np.linalg.norm(fresh)]), [*Z, int(i)]
    spare = np.setdiff1d(np.flatnonzero(resting), Z)
    state[spare] = -1
    Z.sort()
    inverse = np.linalg.inv(L)
    inverse = inverse.T @ inverse
    side = inverse @ A[Z].T
    Q = np.asarray(np.linalg.inv(A[Z] @ side), dtype=np.float64)
    N = side @ Q
    P = inverse - N @ side.T
    Yt = -A @ P
    Yt[Z] = N.T
    Kt = Yt @ A.T
    Kt[:, Z] = -A @ N
    Kt[np.ix_(Z, Z)] = -Q
    return Frozen(centre, state, np.copysign(np.sqrt(b), t), spare, Kt, Yt, P, N, Q)


def solve_many(data: Data, X: Array, tol: float = 1e-12) -> list[Saddle]:
    """The prox at every row of ``X`` to a gap of ``tol`` times the scale.

    They share the factorisation at their mean.  If that does not serve the first few, they lie too far apart for it, and
    :mod:`phase_prox_far` takes all.  What the certificate rejects goes to the interior point method.
    """
    X = X.copy()
    frozen = freeze(data, X.mean(axis=0))
    if frozen.centre.theta * data.radius**2 > 1e-9 * frozen.centre.scale:  # the ball binds: theta varies with the point
        return [solve(data, x, tol) for x in X]
    near = _vertex if len(frozen.spare) else _active_sets
    found: dict[int, Saddle] = {}

    def judge(rows: States, Y: Array, S: Array) -> None:
        value, gap, scale, inside = _certificates(data, X[rows], Y, S)
        for i in np.flatnonzero((inside > 0) & (gap <= tol * scale)):
            found[int(rows[i])] = Saddle(Y[i], value[i], gap[i], scale[i], S[i], 0.0, 0)

    everyone = np.arange(len(X))
    judge(everyone[:PROBE], *near(data, frozen, X[:PROBE]))
    if 2 * len(found) >= len(X[:PROBE]) and len(X) > PROBE:
        judge(everyone[PROBE:], *near(data, frozen, X[PROBE:]))
    for rounds in ROUNDS:
        left = np.array([i for i in everyone if i not in found], np.int64)
        if len(left) and data.At.shape[1]:
            judge(left, *descend(data, frozen.centre, X[left], rounds))
    return [found[i] if i in found else solve(data, x, tol) for i, x in enumerate(X)]


def _vertex(data: Data, frozen: Frozen, X: Array) -> tuple[Array, Array]:
    r"""More kinks meet at the centre's solution than its dimension: a sharp point, which stays the solution nearby.

    Only the dual moves: :math:`2\sum_{i}w_i\tau_i\,ds_i\,a_i=dx/\lambda` over the resting rows, by the step of least
    :math:`\sum_i(ds_i/(1-|s_i|))^2`.
    """
    k = data.At.shape[1]
    resting = np.append(np.flatnonzero(frozen.state == 0), frozen.spare)
    s = frozen.centre.s[resting]
    room = 1 - np.abs(s)
    C = (2 * data.w[resting] * frozen.kink[resting] * room)[:, None] * data.A[:k][resting]
    residual = data.inverse * X - _pull(data, frozen.centre)
    S = np.tile(frozen.centre.s, (len(X), 1))
    S[:, resting] = np.clip(s + room * (residual @ np.linalg.pinv(C)), -1, 1)
    return np.tile(frozen.centre.point, (len(X), 1)), S


def _pull(data: Data, at: Saddle) -> Array:
    r""":math:`H(s)y`, which equals :math:`x/\lambda` at a solution for :math:`x`."""
    k = data.At.shape[1]
    t = data.A[:k] @ at.point
    return np.asarray(data.base @ at.point + data.At @ (2 * data.w[:k] * (1 + at.s[:k]) * t))


def _active_sets(data: Data, frozen: Frozen, X: Array) -> tuple[Array, Array]:
    k = data.At.shape[1]
    Z = np.flatnonzero(frozen.state == 0)
    tau = frozen.kink[Z]
    free = data.inverse * X @ frozen.P + frozen.N @ tau
    outputs = free @ data.A[:k].T
    outputs[:, Z] = data.inverse * X @ frozen.N - frozen.Q @ tau
    S, inputs = np.ones((len(X), len(data.b))), np.zeros((len(X), k))
    _change_states(frozen.Kt, frozen.state, frozen.kink, data.b, data.w, outputs, inputs, S)
    return free + inputs @ frozen.Yt, S


@compiled
def _change_states(
    Kt: Array,
    start: States,
    kink: Array,
    b: Array,
    w: Array,
    outputs: Array,
    inputs: Array,
    S: Array,
    most: int = 15,
    cap: int = 70,
) -> None:
    r"""For each point: solve for the current states, change those that contradict the result, until none does.

    A row leaves its kink when :math:`|s_i|>1`, and comes to rest when its residual has the wrong sign.  Overwrites ``inputs`` and ``S``.
    """
    k = len(start)
    for point in range(len(outputs)):
        free, v = outputs[point], inputs[point]
        o, state, tau = free.copy(), start.copy(), kink.copy()
        where = np.empty(k, np.int64)
        for _ in range(most):
            changes, count = 0, 0
            for i in range(k):
                t = kink[i] + v[i] if start[i] == 0 else o[i]
                s = (o[i] / (2 * w[i] * t) - 1) if start[i] == 0 else start[i] + v[i] / (2 * w[i] * t)
                S[point, i] = max(-1.0, min(1.0, s)) if state[i] == 0 else state[i]
                if state[i] == 0 and abs(s) > 1 + 1e-12:
                    state[i] = 1 if s > 0 else -1
                    changes += 1
                elif state[i] != 0 and state[i] * (t * t - b[i]) < -1e-13 * b[i]:
                    state[i] = 0
                    if start[i] != 0:
                        tau[i] = np.sqrt(b[i]) if t > 0 else -np.sqrt(b[i])
                    changes += 1
                if state[i] != start[i]:
                    where[count] = i
                    count += 1
            if changes == 0 or count > cap:
                break
            K, z = np.empty((count, count)), np.empty(count)
            for row in range(count):
                i = where[row]
                for column in range(count):
                    K[row, column] = Kt[where[column], i]
                if start[i] == 0:  # left its kink: u = 2 w (1 + s)(tau + delta)
                    K[row, row] -= 2 * w[i] * (1 + state[i])
                    z[row] = 2 * w[i] * (1 + state[i]) * kink[i] - free[i]
                elif state[i] == 0:  # came to rest: t = tau
                    z[row] = tau[i] - free[i]
                else:  # changed sides: phi = 2 w (s - sigma) t
                    K[row, row] -= 1 / (2 * w[i] * (state[i] - start[i]))
                    z[row] = -free[i]
            _eliminate(K, z)
            v[:] = 0.0
            o[:] = free
            for row in range(count):
                v[where[row]] = z[row]
                for i in range(k):
                    o[i] += z[row] * Kt[where[row], i]


@compiled
def _eliminate(K: Array, z: Array) -> None:
    """Overwrite ``z`` by the solution of ``K v = z``: Gauss with partial pivoting."""
    n = len(z)
    for j in range(n):
        pivot = j + np.argmax(np.abs(K[j:, j]))
        if pivot != j:
            for l in range(j, n):
                K[j, l], K[pivot, l] = K[pivot, l], K[j, l]
            z[j], z[pivot] = z[pivot], z[j]
        for i in range(j + 1, n):
            factor = K[i, j] / K[j, j]
            z[i] -= factor * z[j]
            for l in range(j + 1, n):
                K[i, l] -= factor * K[j, l]
    for i in range(n - 1, -1, -1):
        for l in range(i + 1, n):
            z[i] -= K[i, l] * z[l]
        z[i] /= K[i, i]


@compiled
def _certificates(data: Data, X: Array, Y: Array, S: Array) -> tuple[Array, Array, Array, Array]:
    """Value, gap and scale of every pair, and whether the point lies in the ball."""
    out = np.empty((4, len(X)))
    for i in range(len(X)):
        out[0, i], out[1, i], out[2, i] = certificate(data, X[i], Y[i], S[i], 0.0)
        out[3, i] = np.sum((Y[i] - data.centre) ** 2) <= data.radius**2
    return out[0], out[1], out[2], out[3]
