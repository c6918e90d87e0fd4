r"""Many prox points of robust phase retrieval that lie far apart: coordinate descent on the dual, then Newton's method on the states.

With :math:`\psi_i(t)=w_i\max(2t^2-b_i,\,b_i)`, convex, the prox at :math:`x` minimises
:math:`\tfrac12y^\top By-\tfrac1\lambda x^\top y+\sum_i\psi_i(a_i^\top y)` up to a constant (:math:`B` as in :mod:`phase_prox`), so that

.. math:: y=B^{-1}(x/\lambda-A^\top u),\qquad u_i\in\partial\psi_i(t_i),\quad t=Ay.

*Descent*: :math:`u_i` moves to where its own condition holds, the others held fixed, row after row.  This costs a pass over
:math:`y`, eight points are done in one, and after a few rounds nearly all rows have their state: :math:`u_i=0` inside the kinks,
:math:`u_i=4w_it_i` outside, or in between at rest on a kink.  *Newton*: for fixed states the conditions are linear.  With
:math:`G=AB^{-1}A^\top` and :math:`S` the rows with :math:`u_i\ne0`,

.. math:: (G_{SS}+D)\,u_S=(AB^{-1}x/\lambda-\tau)_S,\qquad D_{ii}=\tfrac1{4w_i},\ \tau_i=0\text{ outside};\quad D_{ii}=0,\
   \tau_i=\pm\sqrt{b_i}\text{ at rest}.

A state that contradicts the result is changed, until none does.  Nothing rests on that: the certificate judges.
"""

import numpy as np

from shbcore.numerics.phase_prox import Array, Data, Saddle, cholesky, cholesky_solve, compiled
from shbcore.numerics.simd import LANES, load, splat, store

ROUNDS = (12, 80)
"""Rounds of descent: more at first cost more than the Newton steps that they save; a point that they do not serve gets many."""
STEPS = 10
"""Newton steps at most."""
CLOSE = 1e-13
"""How far a state may be contradicted by rounding, relative to its kink."""


def descend(data: Data, centre: Saddle, X: Array, rounds: int) -> tuple[Array, Array]:
    """Points and duals for every row of ``X``, beginning with the dual of a solution nearby."""
    k, n = data.At.shape[1], len(data.base)
    A, b, w = data.A[:k], data.b[:k], data.w[:k]
    inverse = np.linalg.inv(data.base)
    C = A @ inverse
    G = C @ A.T
    begin = 2 * w * (1 + centre.s[:k]) * (A @ centre.point)
    U = np.tile(begin, (len(X), 1))
    Y = (data.inverse * X - begin @ A) @ inverse
    for low in range(0, len(X), LANES):
        lanes = slice(low, low + LANES)
        y, u = np.zeros((n, LANES)), np.zeros((k, LANES))
        y[:, : len(Y[lanes])], u[:, : len(U[lanes])] = Y[lanes].T, U[lanes].T
        _rounds(A, C, np.diag(G).copy(), b, w, y.ravel(), u, rounds)
        U[lanes] = u[:, : len(U[lanes])].T
    _newton(G, data.inverse * X @ C.T, b, w, U)
    Y = (data.inverse * X - U @ A) @ inverse
    t, S = Y @ A.T, np.ones((len(X), len(data.b)))
    with np.errstate(divide="ignore", invalid="ignore"):
        S[:, :k] = np.clip(np.where(t != 0, U / (2 * w * t) - 1, -1), -1, 1)
    return Y, S


@compiled
def _rounds(A: Array, C: Array, q: Array, b: Array, w: Array, y: Array, u: Array, rounds: int) -> None:
    r"""Descent for eight points.  The change of one row reaches :math:`y` in the pass that computes :math:`t` of the next."""
    k, n = A.shape
    now, change = np.empty(LANES), np.zeros(LANES)
    d, c = splat(0.0), C[0]
    for _ in range(rounds):
        for j in range(k):
            a, t, rest = A[j], splat(0.0), splat(0.0)
            for i in range(0, n - 1, 2):  # two sums, so that neither waits for the other
                moved, other = load(y, i * LANES) + d * c[i], load(y, (i + 1) * LANES) + d * c[i + 1]
                t, rest = t + moved * a[i], rest + other * a[i + 1]
                store(y, i * LANES, moved)
                store(y, (i + 1) * LANES, other)
            if n % 2:
                moved = load(y, (n - 1) * LANES) + d * c[n - 1]
                t = t + moved * a[n - 1]
                store(y, (n - 1) * LANES, moved)
            store(now, 0, t + rest)
            root = np.sqrt(b[j])
            for lane in range(LANES):
                free = now[lane] + q[j] * u[j, lane]  # t_j if u_j were 0
                outside = abs(free) / (1 + 4 * w[j] * q[j])
                size = 4 * w[j] * outside if outside > root else max((abs(free) - root) / q[j], 0.0)
                found = size if free > 0 else -size
                change[lane] = u[j, lane] - found
                u[j, lane] = found
            d, c = load(change, 0), C[j]


@compiled
def _newton(G: Array, free: Array, b: Array, w: Array, U: Array) -> None:
    """For each row of ``U``: solve for the states that it shows, and change what contradicts the result, until nothing does."""
    k = len(b)
    root = np.sqrt(b)
    full = 4 * w * root  # |u| where a row at rest leaves its kink outwards
    rows, state, side = np.empty(k, np.int64), np.empty(k, np.int64), np.empty(k)
    for point in range(len(U)):
        u = U[point]
        for i in range(k):
            state[i] = 1 if abs(u[i]) > full[i] * (1 + 1e-9) else 0 if abs(u[i]) > 1e-12 * full[i] else -1
            side[i] = 1.0 if u[i] > 0 else -1.0
        for _ in range(STEPS):
            count = 0
            for i in range(k):
                if state[i] >= 0:
                    rows[count] = i
                    count += 1
            K, z = np.empty((count, count)), np.empty(count)
            for r in range(count):
                i = rows[r]
                for l in range(r + 1):
                    K[r, l] = G[i, rows[l]]
                z[r] = free[point, i]
                if state[i] == 1:
                    K[r, r] += 1 / (4 * w[i])
                else:
                    z[r] -= side[i] * root[i]
            cholesky(K)
            cholesky_solve(K, z)
            u[:] = 0.0
            u[rows[:count]] = z
            t = free[point] - np.dot(G, u)
            changes = 0
            for i in range(k):
                before = state[i]
                if before == 0:
                    out = u[i] * side[i]
                    state[i] = -1 if out < -CLOSE * full[i] else 1 if out > full[i] * (1 + CLOSE) else 0
                elif before == 1 and t[i] * side[i] < root[i] * (1 - CLOSE):
                    state[i] = 0
                elif before == -1 and abs(t[i]) > root[i] * (1 + CLOSE):
                    state[i], side[i] = 0, 1.0 if t[i] > 0 else -1.0
                changes += state[i] != before
            if changes == 0:
                break
