r"""Many runs of SHB on one robust phase retrieval problem at once, compiled, bit by bit equal to the plain loop.

.. math:: f(x) = \frac1m\sum_{i=1}^m \bigl|\langle a_i,x\rangle^2-b_i\bigr|, \qquad
   z_k = (1-\beta)z_{k-1}+\beta g_k,\quad x_{k+1} = x_k-\alpha_k z_k,\quad
   g_k = 2\,\mathrm{sign}(t_k^2-b_i)\,t_k\,a_i,\quad t_k=\langle a_i,x_k\rangle,\ i=S_k

Runs that share data, start and sample order differ only in :math:`(\alpha_0,\beta)`: they are the lanes of a vector.  SGD is the
lane :math:`\beta=1`.  One pass over the coordinates updates z and x and already sums :math:`t_{k+1}`; every lane adds in the
order j = 1, ..., n, so no rounding differs from that of :func:`reference`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from shbcore.model import checks
from shbcore.numerics.simd import LANES, load, magnitude, signed, splat, store

Array = NDArray[np.float64]
WHY = "runs on one robust phase retrieval problem"


def compiled(function: Callable[..., Any]) -> Any:
    """Strict compilation: no fastmath, hence no reordering and no contraction, on any processor."""
    return njit(cache=True, nogil=True, error_model="numpy")(function)


class Work(NamedTuple):
    """What the lanes share: data, start, samples :math:`S_k`, and the roots :math:`r_k` in :math:`\\alpha_k=\\alpha_0/r_k`."""

    A: Array
    b: Array
    x_0: Array
    order: NDArray[np.int64]
    roots: Array


@compiled
def _advance(
    A: Any, b: Any, order: Any, roots: Any, X: Any, Z: Any, alpha_0: Any, beta: Any, first: Any, base: Any
) -> None:
    """One epoch of the eight lanes whose states start at ``base`` lanes: the fused pass."""
    n = A.shape[1]
    start = base * n
    step, weight = load(alpha_0, base), load(beta, base)
    keep = splat(1.0) - weight
    a = A[order[0]]
    t = splat(0.0)
    for j in range(n):
        t = t + load(X, start + j * LANES) * a[j]
    for k in range(order.size):
        i = order[k]
        share = load(first, base) if k == 0 else weight
        c = signed(t * t - splat(b[i]), (share * 2.0) * t)
        alpha = step / roots[k]
        a_next = A[order[min(k + 1, order.size - 1)]]
        t = splat(0.0)
        for j in range(n):
            at = start + j * LANES
            z = keep * load(Z, at) + c * a[j]
            x = load(X, at) - alpha * z
            t = t + x * a_next[j]
            store(Z, at, z)
            store(X, at, x)
        a = a_next


@compiled
def _values(A: Any, b: Any, X: Any, base: Any, out: Any) -> None:
    """f at the eight lanes; four rows at a time, so that their sums do not wait for each other."""
    m, n = A.shape
    start = base * n
    total = splat(0.0)
    for i in range(0, m - m % 4, 4):
        p, q, r, s = A[i], A[i + 1], A[i + 2], A[i + 3]
        t, u, v, w = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
        for j in range(n):
            x = load(X, start + j * LANES)
            t, u, v, w = t + x * p[j], u + x * q[j], v + x * r[j], w + x * s[j]
        total = total + magnitude(t * t - splat(b[i]))
        total = total + magnitude(u * u - splat(b[i + 1]))
        total = total + magnitude(v * v - splat(b[i + 2]))
        total = total + magnitude(w * w - splat(b[i + 3]))
    for i in range(m - m % 4, m):
        p = A[i]
        t = splat(0.0)
        for j in range(n):
            t = t + load(X, start + j * LANES) * p[j]
        total = total + magnitude(t * t - splat(b[i]))
    store(out, 0, total / float(m))


@compiled
def _run(work: Any, alpha_0: Any, beta: Any, first: Any, runs: Any, stop: Any, values: Any) -> int:
    """Fill ``values[lane, epoch]``; lanes that are done are replaced by the last live one, so that vectors stay full."""
    A, b, x_0, order, roots = work
    (m, n), size = A.shape, alpha_0.size
    X, Z, out = np.zeros(size * n), np.zeros(size * n), np.empty(LANES)
    x, z = X.reshape(size // LANES, n, LANES), Z.reshape(size // LANES, n, LANES)
    for j in range(n):
        x[:, j, :] = x_0[j]
    who, live, done, iterations = np.arange(size), runs, np.zeros(size, np.bool_), 0
    for epoch in range(order.size // m + 1):
        for base in range(0, live, LANES):
            if epoch > 0:
                now = slice((epoch - 1) * m, epoch * m)
                _advance(A, b, order[now], roots[now], X, Z, alpha_0, beta, first if epoch == 1 else beta, base)
                iterations += m * min(LANES, live - base)
            _values(A, b, X, base, out)
            for slot in range(base, min(base + LANES, live)):
                values[who[slot], epoch] = out[slot - base]
                # f may overflow while x is finite, and such a run can still come back: it is x that decides
                lost = not np.isfinite(out[slot - base]) and not np.all(np.isfinite(x[base // LANES, :, slot % LANES]))
                done[slot] = lost or out[slot - base] <= stop
        for slot in range(live - 1, -1, -1):
            if done[slot]:
                live -= 1
                x[slot // LANES, :, slot % LANES] = x[live // LANES, :, live % LANES]
                z[slot // LANES, :, slot % LANES] = z[live // LANES, :, live % LANES]
                alpha_0[slot], beta[slot], first[slot], who[slot] = alpha_0[live], beta[live], first[live], who[live]
        if live == 0:
            break
    return iterations


def _padded(row: Array, filler: float) -> Array:
    return np.concatenate([row, np.full(-row.size % LANES, filler)])


def _checked(work: Work, alpha_0: Any, beta: Any, first: Any) -> tuple[Array, Array, Array]:
    """Compiled code trusts sizes and indices: they are checked before it is entered."""
    A = checks.array("work.A", checks.instance(Work, "work", work, WHY).A, (None, None), WHY)
    m, n = A.shape
    checks.array("work.b", work.b, (m,), WHY)
    checks.array("work.x_0", work.x_0, (n,), WHY)
    order = checks.instance(np.ndarray, "work.order", work.order, WHY)
    if order.ndim != 1 or order.dtype != np.int64 or order.size % m or not ((order >= 0) & (order < m)).all():
        checks.fail("work.order", order, f"be whole epochs of {m} samples, each in 0..{m - 1}", checks.LAW)
    if order.size == 0:
        checks.fail("work.order", order, "have at least one epoch", WHY)
    if (checks.array("work.roots", work.roots, order.shape, WHY) <= 0).any():
        checks.fail("work.roots", work.roots, "be positive", "alpha_k = alpha_0/r_k")
    lanes = checks.array("alpha_0", alpha_0, (None,), WHY)
    found = lanes, *(checks.array(name, v, lanes.shape, WHY) for name, v in (("beta", beta), ("first", first)))
    for name, row, most in zip(("alpha_0", "beta", "first"), found, (np.inf, 1.0, 1.0)):
        if not ((row > 0) & (row <= most)).all():
            checks.fail(name, row, f"lie in (0, {most:g}]", "alg:iters:def")
    return found[0], found[1], found[2]


def run(work: Work, alpha_0: Array, beta: Array, first: Array, *, stop: float = -np.inf) -> tuple[Array, int]:
    r"""Values :math:`f(x_{mq})`, q = 0, 1, ..., of every lane (NaN after a lane stopped), and the number of iterations made.

    A lane stops when its value is at most ``stop`` or its iterate is no longer finite; there is no finite divergence threshold, since
    SGD grows by orders of magnitude and then recovers.  ``first`` is the weight of :math:`g_0` in :math:`z_0`: 1 as printed in
    ``alg:iters:def``, :math:`\beta` as its proofs need.
    """
    alpha_0, beta, first = _checked(work, alpha_0, beta, first)
    if stop != stop:
        checks.fail("stop", stop, "be a number or an infinity", WHY)
    values = np.full((alpha_0.size, work.order.size // work.A.shape[0] + 1), np.nan)
    lanes = _padded(alpha_0, 0.0), _padded(beta, 1.0), _padded(first, 1.0)
    iterations = _run(work, *lanes, alpha_0.size, stop, values)
    return values, int(iterations)


def reference(work: Work, alpha_0: float, beta: float, first: float) -> Array:
    """One lane, as one would write it down: the definition that :func:`run` is compared with, bit by bit."""
    _checked(work, [alpha_0], [beta], [first])
    A, b, x_0, order, roots = work
    m, n = int(A.shape[0]), int(A.shape[1])

    def dot(a: Array, x: list[float]) -> float:
        total = 0.0
        for j in range(n):
            total += float(a[j]) * x[j]
        return total

    def value(x: list[float]) -> float:
        total = 0.0
        for i in range(m):
            t = dot(A[i], x)
            total += abs(t * t - float(b[i]))
        return total / m

    x, z = [float(entry) for entry in x_0], [0.0] * n
    values = [value(x)]
    for k in range(order.size):
        a, t = A[order[k]], dot(A[order[k]], x)
        weight = first if k == 0 else beta
        c = 2 * weight * t * float(np.sign(t * t - float(b[order[k]])))
        for j in range(n):
            z[j] = (1 - beta) * z[j] + c * float(a[j])
            x[j] -= alpha_0 / float(roots[k]) * z[j]
        if (k + 1) % m == 0:
            values.append(value(x))
    return np.array(values)
