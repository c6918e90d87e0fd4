r"""The term :math:`\|\nabla f(x_0)\|^2` of the printed start cannot go: a triangle, in exact arithmetic.

:math:`f(x)=x_1` (so :math:`\|\nabla f\|=1`, :math:`\sigma=0`), :math:`\rho=1`, :math:`\lambda=\frac12`,
:math:`\alpha=\beta=1/N`,
:math:`N^2=K+1`, and :math:`X` the triangle with the corners

.. math:: A=\Bigl(\tfrac9{25N},-\tfrac{12}{25N}\Bigr),\quad B=(0,0),\quad C=\Bigl(0,\tfrac H3\Bigr),\qquad
H=\tfrac{12}{25}\Bigl(1-\tfrac1N\Bigr).

From :math:`x_0=A` with :math:`z_0=g_0` the first step runs along :math:`AB` and ends in :math:`B`; there the velocity
turns into
:math:`BC`, along which :math:`f` does not change, so that it fades like :math:`(1-\beta)^k` while :math:`\bar x_k`
stays at height
:math:`H`, two thirds of it beyond the corner :math:`C`:
:math:`\|\nabla F_\lambda(\bar x_k)\|^2=4(\tfrac23H)^2` for :math:`k=2,\dots,1+\lfloor N/3\rfloor`, by Bernoulli's
:math:`(1-\frac1N)^j\ge1-\frac jN`.  Hence for :math:`3\mid N`

.. math:: \sqrt{K+1}\,\mathrm E\|\nabla F_\lambda(\bar
x_{k^*})\|^2\ge\tfrac{16}{27}H^2=\tfrac{256}{1875}\Bigl(1-\tfrac1N\Bigr)^2,
    \qquad\rho\Delta=\tfrac9{25N}\to0:

for every constant :math:`a` the bound :math:`(a\rho\Delta+b\sigma^2)/\sqrt{K+1}` fails for all
:math:`N\ge2+\frac{9a}{25}\cdot\frac{1875}{256}`.
With :math:`z_0=\beta g_0` it holds (:func:`~shbcore.claims.beyond.open_question.theorem_beta`).  Corners with more
sides turn the
velocity with less loss (seen, not proved: up to :math:`2/e`).
"""

from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import sympy as sp

from shbcore.claims.beyond.common import TENTH
from shbcore.proof.certificate import Certificate, Proof, Verdict, proof_of, sign
from shbcore.proof.positivity import Domain, at_least, nonnegative, positive

Point = tuple[Q, Q]


def _on_segment(p: Point, a: Point, b: Point) -> Point:
    """The nearest point of the segment from a to b."""
    u = (b[0] - a[0], b[1] - a[1])
    t = ((p[0] - a[0]) * u[0] + (p[1] - a[1]) * u[1]) / (u[0] ** 2 + u[1] ** 2)
    t = min(max(t, Q(0)), Q(1))
    return a[0] + t * u[0], a[1] + t * u[1]


def project(p: Point, corners: list[Point]) -> Point:
    """The projection onto a triangle, exactly: the point itself, or the nearest of the projections onto the sides."""
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    turns = [(b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) for a, b in sides]
    if all(t >= 0 for t in turns) or all(t <= 0 for t in turns):
        return p
    near = [_on_segment(p, a, b) for a, b in sides]
    return min(near, key=lambda q: (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2)


@dataclass(frozen=True)
class Run:
    r"""The exact average of :math:`\|\nabla F_\lambda(\bar x_k)\|^2` over :math:`k=0,\dots,K`, the part of it that
    the estimate
    counts (:math:`k=2,\dots,1+N/3`), and :math:`\rho\Delta`."""

    N: int
    average: Q
    counted: Q
    gap: Q

    @property
    def scaled(self) -> Q:
        r""":math:`\sqrt{K+1}` times the average."""
        return self.N * self.average


def triangle(N: int, start: str = "g0") -> Run:
    """The method on the triangle above for K + 1 = N^2 steps, in fractions; nothing is random."""
    alpha = beta = Q(1, N)
    H = Q(12, 25) * (1 - Q(1, N))
    corners: list[Point] = [(Q(9, 25 * N), Q(-12, 25 * N)), (Q(0), Q(0)), (Q(0), H / 3)]
    x = corners[0]
    d: Point = (Q(0), Q(0))
    total = counted = Q(0)
    for k in range(N * N):
        reach = (1 - beta) / beta * alpha
        bar = (x[0] - reach * d[0], x[1] - reach * d[1])
        hat = project((bar[0] - Q(1, 2), bar[1]), corners)  # the prox of a linear function, lambda = 1/2
        here = 4 * ((bar[0] - hat[0]) ** 2 + (bar[1] - hat[1]) ** 2)
        total += here
        counted += here if 2 <= k <= 1 + N // 3 else 0
        scale = Q(1) if k == 0 and start == "g0" else beta
        z = (scale + (1 - beta) * d[0], (1 - beta) * d[1])
        y = project((x[0] - alpha * z[0], x[1] - alpha * z[1]), corners)
        d = ((x[0] - y[0]) / alpha, (x[1] - y[1]) / alpha)
        if d == (0, 0) and x == y and k > N:  # at rest: the gradient stays what it is
            hat = project((x[0] - Q(1, 2), x[1]), corners)
            total += (N * N - 1 - k) * 4 * ((x[0] - hat[0]) ** 2 + (x[1] - hat[1]) ** 2)
            break
        x = y
    return Run(N, total / N**2, counted / N**2, corners[0][0])


def lower_bound(share: Any = 1) -> Certificate:
    r"""For :math:`3\mid N`: the counted steps alone give :math:`\frac
    N3\cdot4\cdot\frac49H^2/N=\frac{256}{1875}(1-\frac1N)^2`, and this is
    above :math:`a\rho\Delta` for :math:`N\ge2+\frac{9a}{25}\cdot\frac{1875}{256}`."""
    n, a = sp.symbols("N a")
    height = sp.Rational(12, 25) * (1 - 1 / n)
    left = sp.Rational(1, 3) * 4 * sp.Rational(4, 9) * height**2
    need = 2 + share * a * sp.Rational(9, 25) * sp.Rational(1875, 256)
    domain = Domain(nonnegative(a), at_least(n, need))
    return sign(left - a * sp.Rational(9, 25) / n, "beyond/open/necessity", domain=domain)


def bernoulli(share: Any = 1) -> Certificate:
    r"""The step of Bernoulli's inequality: from :math:`q\ge1-\frac jN` to :math:`(1-\frac1N)q\ge1-\frac{j+1}N`, for
    :math:`q=1-\frac jN+u`."""
    n, j, u = sp.symbols("N j u")
    domain = Domain(at_least(n, 1), nonnegative(j), nonnegative(u))
    q = 1 - j / n + u
    return sign((1 - 1 / n) * q - 1 + share * (j + 1) / n, "beyond/open/necessity", domain=domain)


def stays_at_height(share: Any = 1) -> Certificate:
    r"""On :math:`BC` the height of :math:`\bar x_k` is constant: :math:`\bar x_{k+1}=x_k-\frac1\nu d_{k+1}` with
    :math:`d_{k+1}=(1-\beta)d_k` is :math:`x_k-\frac{1-\beta}\nu d_k=\bar x_k`."""
    from shbcore.proof.algebra import constant
    from shbcore.proof.certificate import identity

    h, v, b, nu = sp.symbols("h v beta nu")
    domain = Domain(positive(nu), positive(b), nonnegative(h), nonnegative(v))
    return identity(constant(h + (1 - share * b) * v / nu), constant(h + (1 - b) / nu * v), domain=domain)


def exact_run(N: int = 30, factor: int = 10) -> Proof:
    r"""At :math:`N=30` (:math:`K=899`) the exact average exceeds :math:`10\rho\Delta/\sqrt{K+1}`; with
    :math:`z_0=\beta g_0` it does not."""

    def test(start: str) -> Verdict:
        run = triangle(N, start)
        above = run.scaled > factor * run.gap
        words = (
            f"sqrt(K+1) times the average = {float(run.scaled):.6f}, {factor} rho Delta = {float(factor * run.gap):.6f}"
        )
        return Verdict(above, words)

    return Proof(
        "exact", "z_0 = g_0 violates 10 rho Delta", lambda: test("g0"), lambda: test("beta_g0"), "z_0 = beta g_0"
    )


def as_computed(N: int = 30) -> Proof:
    r"""The counted steps of the run are exactly the estimate :math:`\frac{256}{1875}(1-\frac1N)^2`."""

    def test(share: Q) -> Verdict:
        found = N * triangle(N).counted
        return Verdict(found == share * Q(256, 1875) * (1 - Q(1, N)) ** 2, f"{found} for N = {N}")

    return Proof("exact", "the estimate is what the run counts", lambda: test(Q(1)), lambda: test(Q(11, 10)), "11/10")


PROOFS: dict[str, list[Proof]] = {
    "beyond/open/necessity": [
        proof_of("every constant a fails for large N", lower_bound, "nine tenths of the N", share=TENTH),
        proof_of("Bernoulli, one step", bernoulli, "nine tenths", share=TENTH),
        proof_of("the height stays", stays_at_height, "nine tenths of beta", share=TENTH),
        exact_run(),
        as_computed(),
    ]
}

if __name__ == "__main__":
    from shbcore.claims.beyond.common import report

    raise SystemExit(0 if report(PROOFS) else 1)
