r"""The certified prox of robust phase retrieval: a primal-dual interior point method, on the whole space or on a ball.

The prox of :math:`F=f+I_X`, :math:`f(y)=\sum_i w_i|\langle a_i,y\rangle^2-b_i|`, at :math:`x` minimises
:math:`\Phi(y)=f(y)+\tfrac1{2\lambda}\|y-x\|^2` over :math:`X`.  A sample with :math:`b_i\le0` is a convex square.  For the others
:math:`|r_i|=\max_{|s_i|\le1}s_ir_i`, so that with :math:`t=Ay`, :math:`r=t^2-b` and :math:`s_i=1` wherever :math:`b_i\le0`,

.. math:: \Phi(y)=\max_{|s|\le1}L(y,s),\quad L(y,s)=\textstyle\sum_iw_is_ir_i+\tfrac1{2\lambda}\|y-x\|^2,\quad
   \nabla^2_yL=H(s)=\tfrac1\lambda I+2A^\top WSA=B+2\textstyle\sum_{b_i>0}w_i(1+s_i)a_ia_i^\top\succeq B\succeq\kappa I,

where :math:`B` is :math:`H` at :math:`s=-1` and :math:`\kappa=1/\lambda-\rho>0` with any :math:`\rho\ge2\lambda_{\max}(A^\top WA)` (rows
:math:`b_i>0` suffice); :math:`1/\lambda=2\rho` is the usual case, nothing below needs it.

**Certificate**, for any feasible :math:`y` and any :math:`s` in the box, without solving anything: :math:`L(\cdot,s)\le\Phi` is
:math:`\kappa`-strongly convex, so with :math:`e=\nabla_yL=H(s)y-x/\lambda`

.. math:: \Phi(y)-\min_X\Phi\le\textstyle\sum_iw_i(|r_i|-s_ir_i)+\|e\|^2/(2\kappa),\qquad \|y-\mathrm{prox}\|^2\le2\,\mathrm{gap}/\kappa.

On the ball :math:`\|y-c\|\le R` add :math:`\tfrac\theta2(\|y-c\|^2-R^2)\le0`, :math:`\theta\ge0`, to :math:`L`: then
:math:`e\mathrel{+}=\theta(y-c)`, :math:`\kappa\to\kappa+\theta` under :math:`\|e\|^2`, and :math:`\theta(R^2-\|y-c\|^2)/2` joins the gap.
Rounding adds errors of the order of :math:`\varepsilon\,\sum_iw_i(t_i^2+|b_i|)`; tolerances are relative to that scale plus
:math:`\tfrac1{2\lambda}\|y-x\|^2`.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Machine code in which sums may be reordered (SIMD); NaN and infinity stay what they are."""
    jit = njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
    return cast(Function, jit(function))


class Data(NamedTuple):
    r"""What all prox points of one problem, set and :math:`\lambda` share; the ``k`` rows with :math:`b_i>0` stand first."""

    A: Array
    b: Array
    w: Array
    At: Array  # the first k rows, transposed
    base: Array  # B, the Hessian at s = -1
    inverse: float  # 1/lambda
    kappa: float
    centre: Array
    radius: float  # infinite on the whole space
    order: NDArray[np.int64]  # row i of A is row order[i] of the problem


class Saddle(NamedTuple):
    r"""A feasible point with its dual :math:`(s,\theta)`, and the certificate of the pair."""

    point: Array
    value: float
    gap: float
    scale: float
    s: Array  # in the order of the data, 1 where b <= 0
    theta: float
    iterations: int


def prepare(
    A: Array,
    b: Array,
    w: Array,
    *,
    envelope: float,
    weak_convexity: float,
    centre: Array | None = None,
    radius: float = np.inf,
) -> Data:
    r"""Order the rows and form :math:`B=\tfrac1\lambda I+2\sum_{b_i\le0}w_ia_ia_i^\top-2\sum_{b_i>0}w_ia_ia_i^\top`."""
    kinked = (b > 0) & (w > 0)
    order = np.argsort(~kinked, kind="stable")
    A, b, w = np.ascontiguousarray(A[order]), b[order], w[order]
    k, n = np.count_nonzero(kinked), A.shape[1]
    base = np.eye(n) / envelope + A.T @ (np.where(b > 0, -2 * w, 2 * w)[:, None] * A)
    c = np.zeros(n) if centre is None else np.array(centre)
    return Data(
        A,
        b,
        w,
        np.ascontiguousarray(A[:k].T),
        base,
        1 / envelope,
        1 / envelope - weak_convexity,
        c,
        float(radius),
        order,
    )


def solve(data: Data, x: Array, tol: float = 1e-12) -> Saddle:
    """The prox at ``x`` to a gap of ``tol`` times the scale, or as near to it as rounding allows.

    The fast run misses 1e-10 on about one problem in 30,000 (a cycle, or complementarity ahead of feasibility), and 1e-15 more
    often where a ball binds.  The certificate tells, and a cautious run starts afresh.
    """
    x = x.copy()  # writable: one compiled version serves all callers
    fast = Saddle(*_interior_point(data, x, tol, 40, False))
    if fast.gap <= max(tol, 1e-15) * fast.scale:
        return fast
    safe = Saddle(*_interior_point(data, x, tol, 100, True))
    return safe if safe.gap < fast.gap else fast


@compiled
def dot(u: Array, v: Array) -> float:
    total = 0.0
    for i in range(len(u)):
        total += u[i] * v[i]
    return total


@compiled
def certificate(data: Data, x: Array, y: Array, s: Array, theta: float) -> tuple[float, float, float]:
    r""":math:`\Phi(y)`, the gap of :math:`(y,s,\theta)`, and the scale for rounding; knows nothing of how they were found.

    On the ball, :math:`y` must lie in it (up to rounding).  Where :math:`b_i\le0`, :math:`s_i` is taken as 1.
    """
    m, n = data.A.shape
    k = data.At.shape[1]
    t, z, e = data.A @ y, np.empty(k), np.empty(n)
    value, gap, scale = 0.0, 0.0, 0.0
    for i in range(m):
        square = t[i] * t[i]
        value += data.w[i] * abs(square - data.b[i])
        scale += data.w[i] * (square + abs(data.b[i]))
        if i < k:
            gap += data.w[i] * (abs(square - data.b[i]) - s[i] * (square - data.b[i]))
            z[i] = 2 * data.w[i] * (1 + s[i]) * t[i]
    np.dot(data.At, z, e)
    e += np.dot(data.base, y)
    move, out = 0.0, 0.0
    for j in range(n):
        e[j] += theta * (y[j] - data.centre[j]) - data.inverse * x[j]
        move += data.inverse * (y[j] - x[j]) ** 2 / 2
        out += (y[j] - data.centre[j]) ** 2
    if theta > 0:
        gap += theta * max(data.radius**2 - out, 0.0) / 2
    return value + move, gap + dot(e, e) / (2 * (data.kappa + theta)), scale + move


@compiled
def gram(At: Array, d: Array, base: Array, scaled: Array, M: Array) -> None:
    r"""Lower triangle of :math:`M=B+A^\top\mathrm{diag}(d)A`, in tiles of 4 x 2 that stay in registers."""
    n, k = At.shape
    for i in range(n):
        for j in range(k):
            scaled[i, j] = At[i, j] * d[j]
    whole = n - n % 4
    for i in range(0, whole, 4):
        for j in range(0, i + 4, 2):
            a0 = a1 = a2 = a3 = c0 = c1 = c2 = c3 = 0.0
            for l in range(k):
                u, v = scaled[j, l], scaled[j + 1, l]
                p, q, r, s = At[i, l], At[i + 1, l], At[i + 2, l], At[i + 3, l]
                a0 += p * u
                a1 += q * u
                a2 += r * u
                a3 += s * u
                c0 += p * v
                c1 += q * v
                c2 += r * v
                c3 += s * v
            M[i, j], M[i + 1, j], M[i + 2, j], M[i + 3, j] = a0, a1, a2, a3
            M[i, j + 1], M[i + 1, j + 1], M[i + 2, j + 1], M[i + 3, j + 1] = c0, c1, c2, c3
    for i in range(whole, n):
        for j in range(i + 1):
            M[i, j] = dot(At[i], scaled[j])
    for i in range(n):
        for j in range(i + 1):
            M[i, j] += base[i, j]


@compiled
def cholesky(M: Array) -> None:
    r"""Overwrite the lower triangle of :math:`M=LL^\top` by :math:`L`, four rows at a time.

    A pivot lost to rounding becomes huge, so that the solve leaves its direction alone, as interior point codes do.
    """
    n = len(M)
    for j in range(n):
        pivot = M[j, j] - dot(M[j, :j], M[j, :j])
        M[j, j] = np.sqrt(pivot) if pivot > 1e-16 * M[j, j] else 1e100
        inverse = 1.0 / M[j, j]
        whole = n - (n - j - 1) % 4
        for i in range(j + 1, whole, 4):
            a0 = a1 = a2 = a3 = 0.0
            for l in range(j):
                u = M[j, l]
                a0 += M[i, l] * u
                a1 += M[i + 1, l] * u
                a2 += M[i + 2, l] * u
                a3 += M[i + 3, l] * u
            M[i, j] = (M[i, j] - a0) * inverse
            M[i + 1, j] = (M[i + 1, j] - a1) * inverse
            M[i + 2, j] = (M[i + 2, j] - a2) * inverse
            M[i + 3, j] = (M[i + 3, j] - a3) * inverse
        for i in range(whole, n):
            M[i, j] = (M[i, j] - dot(M[i, :j], M[j, :j])) * inverse


@compiled
def cholesky_solve(L: Array, z: Array) -> None:
    r"""Overwrite :math:`z` by :math:`(LL^\top)^{-1}z`, reading rows only."""
    for i in range(len(z)):
        z[i] = (z[i] - dot(L[i, :i], z[:i])) / L[i, i]
    for i in range(len(z) - 1, -1, -1):
        z[i] /= L[i, i]
        for j in range(i):
            z[j] -= L[i, j] * z[i]


@compiled
def _interior_point(
    data: Data, x: Array, tol: float, most: int, cautious: bool
) -> tuple[Array, float, float, float, Array, float, int]:
    r"""Mehrotra's predictor-corrector on :math:`(y,s,p,q)`, and :math:`(\theta,v)` on a ball; :math:`\mu\to0` in

    .. math:: e=0,\quad w_ir_i=p_i-q_i,\quad p_i(1-s_i)=q_i(1+s_i)=\mu,\quad v=\tfrac12(R^2-\|y-c\|^2),\quad\theta v=\mu.

    With :math:`D=p/(1-s)+q/(1+s)`, :math:`d=y-c`, eliminating all but :math:`dy` leaves the positive definite matrix
    :math:`M=B+A^\top\mathrm{diag}(2w(1+s)+4w^2t^2/D)A+\theta I+\tfrac\theta v dd^\top`.  The corrector keeps the second-order
    terms of every equation, the squares in :math:`r` included.  :math:`1\pm s` are variables of their own (``up``, ``down``): near
    the boundary they keep their relative accuracy.  A ``cautious`` run takes plain, shorter Newton steps towards the central path.
    """
    n, k = data.At.shape
    A, At, b, w, base, inverse = data.A[:k], data.At, data.b, data.w, data.base, data.inverse
    ball = data.radius < np.inf
    rows, cols = np.zeros((14, k)), np.zeros((5, n))
    t, up, down, p, q, D, g = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6]
    gp, gq, z, dt, ds, dp, dq = rows[7], rows[8], rows[9], rows[10], rows[11], rows[12], rows[13]
    e, d, dy, step, near = cols[0], cols[1], cols[2], cols[3], cols[4]
    M, scaled, s = np.empty((n, n)), np.empty((n, k)), np.ones(len(b))
    best_y, best_s, best_theta, best = np.zeros(n), s.copy(), 0.0, (np.inf, np.inf, 1.0)

    # Start on the central path for y = x pulled into the ball: w r = 2 mu s/(1 - s^2) gives s, then p, q and theta.
    theta, v, rr = 0.0, 1.0, data.radius**2
    d[:] = x - data.centre
    if ball:
        d *= min(1.0, 0.9 * data.radius / np.sqrt(max(dot(d, d), 1e-300)))
        v = (rr - dot(d, d)) / 2
    y = data.centre + d
    np.dot(A, y, t)
    size = inverse * min(rr, dot(x, x) + dot(data.centre, data.centre)) if ball else 0.0
    residual = 0.0
    for i in range(k):
        size += w[i] * (t[i] * t[i] + b[i])
        residual += w[i] * abs(t[i] * t[i] - b[i])
    mu = max(0.3 * residual, 3e-2 * size) / max(k, 1)
    for i in range(k):
        zeta = w[i] * (t[i] * t[i] - b[i])
        h = np.sqrt(mu * mu + zeta * zeta)
        short = (mu + mu * mu / (h + abs(zeta))) / (mu + h)  # 1 - |s|
        down[i], up[i] = (short, 2 - short) if zeta > 0 else (2 - short, short)
        p[i], q[i] = mu / down[i], mu / up[i]
    if ball:
        theta = mu / v

    for iteration in range(most):
        size, total = 0.0, theta * v if ball else 0.0
        for i in range(k):
            size += w[i] * (t[i] * t[i] + b[i])
            total += p[i] * down[i] + q[i] * up[i]
            z[i] = 2 * w[i] * up[i] * t[i]
        np.dot(At, z, e)
        np.dot(base, y, step)
        outside = 0.0
        for j in range(n):
            d[j] = y[j] - data.centre[j]
            e[j] += step[j] + theta * d[j] - inverse * x[j]
            size += inverse * (y[j] - x[j]) ** 2 / 2
            outside += d[j] * d[j]
        if total <= max(2 * tol, 1e-9) * size or iteration == most - 1:
            shrink = min(1.0, data.radius / np.sqrt(outside)) if ball and outside > 0.0 else 1.0
            for j in range(n):
                near[j] = data.centre[j] + shrink * d[j] if shrink < 1.0 else y[j]
            for i in range(k):
                s[i] = up[i] - 1 if up[i] < down[i] else 1 - down[i]
            value, gap, scale = certificate(data, x, near, s, theta)
            if gap < best[1]:
                best_y[:], best_s[:], best_theta, best = near, s, theta, (value, gap, scale)
            if gap <= tol * scale or (total <= 1e-18 * size and iteration > 2):
                break

        mu = total / max(2 * k + ball, 1)
        for i in range(k):
            D[i] = p[i] / down[i] + q[i] / up[i]
            z[i] = 2 * w[i] * up[i] + 4 * w[i] * w[i] * t[i] * t[i] / D[i]
        gram(At, z, base, scaled, M)
        if ball:
            for i in range(n):
                M[i, i] += theta
                for j in range(i + 1):
                    M[i, j] += theta / v * d[i] * d[j]
        cholesky(M)
        target, second, dv, dtheta, a = 0.0, 0.0, 0.0, 0.0, 1.0
        for corrector in range(2):
            # Residuals of the linearised equations; the corrector adds second * (products of the predictor's steps).
            for i in range(k):
                gp[i] = target - p[i] * down[i] + second * dp[i] * ds[i]
                gq[i] = target - q[i] * up[i] - second * dq[i] * ds[i]
                g[i] = (
                    w[i] * (t[i] * t[i] - b[i] + second * dt[i] * dt[i]) - p[i] + q[i] - gp[i] / down[i] + gq[i] / up[i]
                )
                z[i] = 2 * w[i] * (t[i] * g[i] / D[i] + second * ds[i] * dt[i])
            np.dot(At, z, step)
            gv = v - (rr - outside) / 2 + second * dot(dy, dy) / 2 if ball else 0.0
            gtheta = target - theta * v - second * dv * dtheta
            along = (gtheta + theta * gv) / v
            for j in range(n):
                dy[j] = -e[j] - step[j] - second * dtheta * dy[j] - (along * d[j] if ball else 0.0)
            cholesky_solve(M, dy)
            np.dot(A, dy, dt)
            a = 1e300
            for i in range(k):
                ds[i] = (2 * w[i] * t[i] * dt[i] + g[i]) / D[i]
                dp[i] = (gp[i] + p[i] * ds[i]) / down[i]
                dq[i] = (gq[i] - q[i] * ds[i]) / up[i]
                if ds[i] != 0:
                    a = min(a, down[i] / ds[i] if ds[i] > 0 else -up[i] / ds[i])
                if dp[i] < 0:
                    a = min(a, -p[i] / dp[i])
                if dq[i] < 0:
                    a = min(a, -q[i] / dq[i])
            if ball:
                dv = -dot(d, dy) - gv
                dtheta = (gtheta - theta * dv) / v
                a = min(a, -v / dv) if dv < 0 else a
                a = min(a, -theta / dtheta) if dtheta < 0 else a
            if corrector == 0:
                a = min(1.0, a)
                after = (theta + a * dtheta) * (v + a * dv) if ball else 0.0
                for i in range(k):
                    after += (p[i] + a * dp[i]) * (down[i] - a * ds[i]) + (q[i] + a * dq[i]) * (up[i] + a * ds[i])
                target = mu * (after / total) ** 3 if total > 0 else 0.0
                second = a * a
                if cautious:
                    target, second = max(target, 0.3 * mu), 0.0
        a = min(1.0, (0.9 if cautious else 0.999) * a)
        for j in range(n):
            y[j] += a * dy[j]
        for i in range(k):
            t[i] += a * dt[i]
            up[i] += a * ds[i]
            down[i] -= a * ds[i]
            p[i] += a * dp[i]
            q[i] += a * dq[i]
        v += a * dv
        theta += a * dtheta
    return best_y, best[0], best[1], best[2], best_s, best_theta, iteration
