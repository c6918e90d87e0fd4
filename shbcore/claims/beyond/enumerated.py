r"""The theorems of this folder against exact expectations: whole sample trees of random small rational problems.

Both sides are exact numbers (``gmpy2.mpq``).  The formulas are written out once more here, in plain arithmetic, so that a slip in a
certificate's statement shows.  What is kept is left divided by right, at most 1 if the theorem holds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from gmpy2 import mpq

from shbcore.claims.enumeration import COUNT, Distribution, draw, exact_instance, on_random_problems
from shbcore.claims.registry import Check
from shbcore.model.rational import REAL_LINE, Interval, RationalProblem

Number = Any
ROOTS = (1, 2, 2, 2, 2, 2, 2, 2, 2, 3)
r""":math:`\sqrt{K+1}`: trees of depth 0, 3 and 8."""


@dataclass(frozen=True)
class Case:
    """A problem on a set, with its constants."""

    problem: RationalProblem
    X: Interval
    x0: Number

    @property
    def gap(self) -> Number:
        return self.problem.value(self.x0) - self.problem.f_star(self.X)


def gradients(case: Case, al: Sequence[Number], be: Sequence[Number], S: Sequence[Number], lam: Number) -> list[Number]:
    r"""The exact :math:`\mathrm E\|\nabla F_\lambda(\bar x_k)\|^2`, :math:`k=0,\dots,K`; histories that meet are joined."""
    envelope = case.problem.moreau(case.X, envelope=lam)
    level: dict[tuple[Number, Number], Number] = {(case.x0, mpq(0)): mpq(1)}
    out = []
    for k, (a, b, s) in enumerate(zip(al, be, S, strict=True)):
        out.append(sum((p * envelope.subgradient(x - (1 - b) * s * d) ** 2 for (x, d), p in level.items()), mpq(0)))
        if k == len(al) - 1:
            break
        after: dict[tuple[Number, Number], Number] = {}
        for (x, d), p in level.items():
            for weight, g in zip(case.problem.weights, case.problem.subgradients(x), strict=True):
                y = case.X.project(x - a * (b * g + (1 - b) * d))
                key = (y, (x - y) / a)
                after[key] = after.get(key, mpq(0)) + p * weight
        level = after
    return out


def constant_steps(
    alpha: Number, beta: Number, K: int, printed: bool
) -> tuple[list[Number], list[Number], list[Number]]:
    """Constant stepsize and momentum; the printed start is beta_0 = 1."""
    return [alpha] * (K + 1), [mpq(1) if printed else beta] + [beta] * K, [alpha / beta] * (K + 1)


Sides = tuple[Number, Number]


def _case(rng: np.random.Generator, j: int, kinds: Sequence[str], bounded: bool | None = None) -> Case:
    kind = kinds[j % len(kinds)]
    inside = bounded if bounded is not None else (kind == "smooth" or j % 2 == 0)
    made = exact_instance(kind, rng, bounded=inside)
    return Case(made.problem, made.X, made.x0)


def _smooth(rng: np.random.Generator, j: int, *, space: bool = False) -> Case:
    """A smooth problem with positive smoothness, on an interval (or on the line)."""
    while True:
        made = exact_instance("smooth", rng, bounded=not space)
        if made.problem.smoothness != 0:
            return Case(made.problem, REAL_LINE if space else made.X, made.x0)


def theorem_1(rng: np.random.Generator, j: int, printed: bool, share: Number = 1) -> Sides:
    r""":math:`2(\gamma_1'\Delta+t\gamma'\alpha_0^2L^2/(2\lambda))/(\alpha_0\sqrt{K+1})`, any :math:`\nu`."""
    case = _case(rng, j, ("kinked", "rare", "boundary", "linear noise", "smooth"))
    N = ROOTS[j % len(ROOTS)]
    rho = case.problem.rho
    alpha_0 = draw(rng, "1/4", "1", "2")
    if rho:
        alpha_0 = min(alpha_0, mpq(19, 10) * N / rho)
    lam = 1 / (2 * rho + draw(rng, "0", "0", "1")) if rho else mpq(1)
    beta = draw(rng, "1/10", "1/2", "9/10") if j % 2 else mpq(1, N)
    return theorem_1_at(case, N, alpha_0, beta, lam, printed, share)


def theorem_1_at(
    case: Case, N: int, alpha_0: Number, beta: Number, lam: Number, printed: bool = False, share: Number = 1
) -> Sides:
    r"""The two sides on one problem, for one :math:`\nu`."""
    rho, alpha = case.problem.rho, alpha_0 / N
    nu = beta / alpha
    xi = (1 - beta) / nu
    L2, K = case.problem.L2(case.X), N * N - 1
    c = (xi**2 / lam**2 + rho * xi * alpha / lam) / (2 - beta - (1 - beta) * rho * alpha)
    gamma, gamma_1 = 1 + c * nu * lam, 1 + c * (1 - beta) + xi / lam
    times = 1 if not printed else 1 - mpq(1, N * N) + 1 / (nu * alpha_0) ** 2
    left = sum(gradients(case, *constant_steps(alpha, beta, K, printed), lam)) / (K + 1)
    right = 2 * (gamma_1 * case.gap + times * gamma * alpha_0**2 * L2 / (2 * lam)) / (alpha_0 * N)
    return left, share * right


def ten(rng: np.random.Generator, j: int, form: str, share: Number = 1) -> Sides:
    r"""The parameter-free displays, :math:`\alpha_0=1/\rho` or half of it, :math:`\lambda=\frac1{2\rho}`."""
    rough, half = "L2" in form, "3/2" in form
    case = _case(rng, j, ("kinked", "rare", "boundary", "smooth")) if rough else _smooth(rng, j)
    while rough and case.problem.rho == 0:
        case = _case(rng, j, ("kinked", "rare", "boundary", "smooth"))
    N = ROOTS[j % len(ROOTS)]
    rho = case.problem.rho if rough else case.problem.smoothness
    K, a = N * N - 1, mpq(1, 2 if half else 1)
    printed = form in ("10, 8 L2", "10, 8, 4", "10, 3, 3/2")
    sigma2, slope = case.problem.sigma2(case.X), case.problem.mean_subgradient(case.x0)
    left = sum(gradients(case, *constant_steps(a / (rho * N), mpq(1, N), K, printed), 1 / (2 * rho))) / (K + 1)
    noise = {
        "10, 4 L2": lambda: 4 * case.problem.L2(case.X),
        "10, 8 L2": lambda: 8 * case.problem.L2(case.X),
        "10, 4": lambda: 4 * sigma2,
        "10, 8, 4": lambda: 8 * sigma2 + 4 * slope**2,
        "10, 3/2 L2": lambda: mpq(3, 2) * case.problem.L2(case.X),
        "10, 3, 3/2": lambda: 3 * sigma2 + mpq(3, 2) * slope**2,
        "10, 3/2": lambda: mpq(3, 2) * sigma2,
    }[form]()
    return left, share * (10 * rho * case.gap + noise) / N


def open_question(rng: np.random.Generator, j: int, printed: bool, share: Number = 1) -> Sides:
    r"""The smooth bound for any :math:`\nu` and :math:`\lambda`, on an interval."""
    case = _smooth(rng, j)
    rho, N = case.problem.smoothness, ROOTS[j % len(ROOTS)]
    alpha_0 = draw(rng, "1/4", "1", "19/10") / rho
    lam = 1 / (2 * rho + draw(rng, "0", "0", "1"))
    beta = draw(rng, "1/10", "1/2", "9/10") if j % 2 else mpq(1, N)
    return open_question_at(case, N, alpha_0, beta, lam, printed, share)


def open_question_at(
    case: Case, N: int, alpha_0: Number, beta: Number, lam: Number, printed: bool = False, share: Number = 1
) -> Sides:
    r"""The two sides on one problem, for one :math:`\nu`."""
    rho, alpha = case.problem.smoothness, alpha_0 / N
    nu = beta / alpha
    xi, kappa = (1 - beta) / nu, 1 / (lam * nu)
    c = (xi**2 / lam**2 + rho * alpha / (lam * nu)) / (2 - rho * alpha)
    K, sigma2 = N * N - 1, case.problem.sigma2(case.X)
    left = sum(gradients(case, *constant_steps(alpha, beta, K, printed), lam)) / (K + 1)
    step = alpha * sigma2 / lam * (1 + c * lam * nu * (1 + beta))
    right = 2 * (1 + kappa + c) * case.gap / (alpha * (K + 1)) + step
    if printed:
        J = 1 / (2 * lam * nu**2) + c * (1 + beta) / (2 * nu)
        slope = case.problem.mean_subgradient(case.x0) ** 2
        right += 2 / (alpha * (K + 1)) * (J * sigma2 + (J - (kappa + c) * alpha / 2) * slope) - step / (K + 1)
    return left, share * right


def theorem_3(rng: np.random.Generator, j: int, kind: str, share: Number = 1) -> Sides:
    r"""Theorem 3 with the smaller constants, :math:`\alpha_0\le\frac1{2\rho}`, on the line; or (``wide``) three fifths of the printed
    bound on an interval, :math:`\alpha_0\le\frac1{4\rho}`."""
    wide = kind == "wide"
    case = _smooth(rng, j, space=not wide)
    rho, N = case.problem.smoothness, ROOTS[j % len(ROOTS)]
    alpha_0 = draw(rng, "1/4", "1/4", "1/8") / rho if wide else draw(rng, "1/2", "1/2", "1/4", "1/20") / rho
    return theorem_3_at(case, N, alpha_0, 1 / (rho * draw(rng, "2", "2", "7/4", "8/5")), kind, share)


def theorem_3_at(case: Case, N: int, alpha_0: Number, lam: Number, kind: str, share: Number = 1) -> Sides:
    """The two sides on one problem."""
    rho, wide = case.problem.smoothness, kind == "wide"
    K, sigma2, printed = N * N - 1, case.problem.sigma2(case.X), kind.startswith("printed")
    G = gradients(case, *constant_steps(alpha_0 / N, mpq(1, N), K, printed), lam)
    left = sum(G) / (K + 1) if not kind.endswith("-1") or K == 0 else (G[0] + sum(G[:-1])) / (K + 1)
    y, c = alpha_0 / lam, 2 / (2 - 3 * rho * lam)
    noise = (1 + 8 * y) if wide else (mpq(2, 5) + y) * (2 if printed else 1)
    weight = mpq(3, 5) * (1 + 2 * y * y) if wide else 1 + y * y
    noise = mpq(3, 5) * noise if wide else noise
    return left, share * c * (weight * case.gap + noise * sigma2 * alpha_0**2 / (2 * lam)) / (alpha_0 * N)


def _ahead(al: Sequence[Number], beta: Number, last: Number) -> list[Number]:
    r""":math:`S_k=\alpha_k+(1-\beta)S_{k+1}`, back from :math:`S_{K+1}`."""
    S = [last]
    for a in reversed(al):
        S.append(a + (1 - beta) * S[-1])
    return S[:0:-1]


def _stepsizes(
    rng: np.random.Generator, j: int, cls: str, beta: Number, lam: Number, rho: Number, K: int
) -> list[Number]:
    """Random stepsizes of a class."""
    if cls in ("falling", "sharp", "rough", "monotone"):
        scale = lam * draw(rng, "1/2", "3") if cls == "monotone" else 2 * beta * lam
        return [scale * a for a in sorted((draw(rng, "1", "3/4", "1/2", "1/10") for _ in range(K + 2)), reverse=True)]
    if cls == "concave":
        ratio, first = draw(rng, "1", "9/10", "1/2"), draw(rng, "1", "1/2") / rho
        return [first * (ratio**k if j % 2 else mpq(K + 3 - k, K + 3)) for k in range(K + 2)]
    if cls == "warm":
        top = beta * lam / 4
        al = [top * draw(rng, "1/10", "1/2", "1")]
        while len(al) < K + 2:
            al.append(min(top, al[-1] * (1 + beta / 2)) if rng.random() < 0.7 else top * mpq(1, 10))
        return al
    return [draw(rng, "1/100", "1/2", "1", "3") * lam for _ in range(K + 2)]


def schedule(rng: np.random.Generator, j: int, cls: str, share: Number = 1) -> Sides:
    r"""Weighted sums of :math:`\mathrm E\|\nabla F_\lambda(\bar x_k)\|^2` against the bound of a class of stepsizes."""
    rough = cls in ("any", "monotone", "rough")
    case = _case(rng, j, ("kinked", "rare", "boundary", "smooth")) if rough else _smooth(rng, j)
    rho, K = case.problem.rho if rough else case.problem.smoothness, (1, 4, 4, 5)[j % 4]
    lam = 1 / (2 * rho + draw(rng, "0", "0", "1")) if rho else mpq(1)
    beta = draw(rng, "1/10", "3/10", "7/10", "1")
    al = _stepsizes(rng, j, cls, beta, lam, rho, K)
    last = al[-1] / beta if cls != "concave" else al[-1]
    return schedule_at(case, cls, al[:-1], beta, lam, draw(rng, "0", "1") if cls == "any" else last, share)


def schedule_at(
    case: Case, cls: str, al: list[Number], beta: Number, lam: Number, last: Number, share: Number = 1
) -> Sides:
    r"""The two sides on one problem, for stepsizes :math:`\alpha_0,\dots,\alpha_K`; ``last`` is :math:`S_{K+1}`."""
    rough = cls in ("any", "monotone", "rough")
    rho, K = case.problem.rho if rough else case.problem.smoothness, len(al) - 1
    S = _ahead(al, beta, last)
    A, e = [beta * s for s in S], [(1 - beta) * s for s in S]
    G = gradients(case, al, [beta] * (K + 1), S, lam)
    weights = A if cls in ("any", "sharp", "concave", "rough") else al
    left = sum(w * g for w, g in zip(weights, G, strict=True))
    gap, before = case.gap, [al[0], *al[:-1]]
    noise, extra = case.problem.L2(case.X) if rough else case.problem.sigma2(case.X), mpq(0)
    kappa = [a * s / (lam * x) for a, s, x in zip(A, S, al, strict=True)]
    side = 1 - beta
    if cls == "any":
        each = [(a * a + 2 * a * x + a * x * x / lam) / lam for a, x in zip(A, e, strict=True)]
    elif cls == "monotone":
        gap, each = (
            gap / beta,
            [((2 - beta) / beta * a**2 + side**2 / (beta**2 * lam) * a**3) / (beta * lam) for a in al],
        )
    elif cls == "rough":
        extra, each = 2 * side * al[0] / (beta * lam), [(a * a + b * b) / lam for a, b in zip(A, before, strict=True)]
    elif cls == "falling":
        gap, extra, each = gap / beta, 2 * al[0] / (beta * lam), [(2 + beta) * a * a / (beta * lam) for a in al]
    elif cls == "warm":
        top = lam * beta / 4
        gap, extra = gap / beta, mpq(1)
        each = [(4 * a * a / (1 + beta) ** 2 + 4 * (1 + beta) * top * a) / (beta * lam) for a in al]
    else:
        theta = rho + side**2 / (beta * lam)
        c = [theta * a * k if cls == "concave" else a / (beta * lam) for a, k in zip(al, kappa, strict=True)]
        extra = kappa[0] + c[0]
        each = [a * a / lam + x * beta * y * (1 + beta) for a, x, y in zip(A, c, al, strict=True)]
    return left, share * (2 * (1 + extra) * gap + noise * sum(each))


SCHEDULES = ("any", "monotone", "rough", "sharp", "falling", "concave", "warm")
Trial = Callable[[np.random.Generator, int], Sides]
TRIALS: dict[str, Trial] = {
    "start/beta": lambda rng, j: theorem_1(rng, j, False),
    "start/printed": lambda rng, j: theorem_1(rng, j, True),
    "start/ten-four": lambda rng, j: ten(rng, j, "10, 4 L2"),
    "start/ten-eight": lambda rng, j: ten(rng, j, "10, 8 L2"),
    "open/beta": lambda rng, j: open_question(rng, j, False),
    "open/printed": lambda rng, j: open_question(rng, j, True),
    "open/ten-four": lambda rng, j: ten(rng, j, "10, 4"),
    "open/ten-eight-four": lambda rng, j: ten(rng, j, "10, 8, 4"),
    "start/half-step": lambda rng, j: ten(rng, j, "10, 3/2 L2"),
    "open/half-step": lambda rng, j: ten(rng, j, "10, 3/2"),
    "open/half-step, printed": lambda rng, j: ten(rng, j, "10, 3, 3/2"),
    "short/beta, 0..K": lambda rng, j: theorem_3(rng, j, "beta"),
    "short/beta, -1..K-1": lambda rng, j: theorem_3(rng, j, "beta-1"),
    "short/printed, 0..K": lambda rng, j: theorem_3(rng, j, "printed"),
    "short/printed, -1..K-1": lambda rng, j: theorem_3(rng, j, "printed-1"),
    "short/constrained": lambda rng, j: theorem_3(rng, j, "wide"),
    **{f"schedule/{cls}": partial(schedule, cls=cls) for cls in SCHEDULES},
}


@cache
def distribution(name: str, count: int = COUNT, seed: int = 0) -> Distribution:
    """Left over right of one theorem on random problems."""
    rng = np.random.default_rng(seed)
    return Distribution.of(f"beyond/{name}", (TRIALS[name](rng, j) for j in range(count)))


def tried(name: str, words: str, scale: int) -> Check:
    """A theorem of this folder on random problems, by the exact tree of its samples."""
    return on_random_problems(partial(distribution, name), f"{words},", scale)
