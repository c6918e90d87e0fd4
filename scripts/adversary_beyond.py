r"""Attack on the theorems beyond the paper, in NumPy alone: nothing here is shared with the certificates.

For each theorem a population of problems is bred for a large quotient left/right: one-dimensional and planar sets
(intervals,
polygons), f isotropic quadratic (convex, concave or linear) or w|x| - rho x^2/2, two-point noise with rare large
samples, starts on the
boundary, huge gradients.  Whole sample trees up to K = 8 (exact but for rounding), no noise up to K = 9999.  rho = 1
throughout.

    python scripts/adversary_beyond.py [--quick] [--seed 0]
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np

LAM = 0.5


@dataclass
class Batch:
    """n problems of the same shape: arrays with the problems along the first axis."""

    kind: str  # "line", "plane", "kink"
    h: np.ndarray  # curvature of f, in [-1, 1]
    b: np.ndarray  # linear part (n, dim)
    x0: np.ndarray  # (n, dim)
    corners: np.ndarray | None  # (n, m, 2), or (n, 2) for an interval; None is the whole space
    prob: np.ndarray  # probability of the first of two samples
    noise: np.ndarray  # (n, dim): the first sample is g + noise, the second balances it
    kink: np.ndarray | None = None


def project(batch: Batch, p: np.ndarray) -> np.ndarray:
    """Nearest points of the sets; p is (n, paths, dim)."""
    if batch.corners is None:
        return p
    if batch.kind != "plane":
        return np.clip(p, batch.corners[:, 0, None, None], batch.corners[:, 1, None, None])
    a = batch.corners[:, None, :, :]
    u = np.roll(batch.corners, -1, axis=1)[:, None, :, :] - a
    w = p[:, :, None, :] - a
    along = np.clip((w * u).sum(-1) / np.maximum((u * u).sum(-1), 1e-300), 0, 1)
    foot = a + along[..., None] * u
    gap = ((foot - p[:, :, None, :]) ** 2).sum(-1)
    best = np.take_along_axis(foot, gap.argmin(-1)[..., None, None], axis=2)[:, :, 0, :]
    inside = (u[..., 0] * w[..., 1] - u[..., 1] * w[..., 0] >= 0).all(-1)
    return np.where(inside[..., None], p, best)


def value(batch: Batch, x: np.ndarray) -> np.ndarray:
    out = batch.h[:, None] / 2 * (x * x).sum(-1) + (batch.b[:, None, :] * x).sum(-1)
    return out if batch.kink is None else out + batch.kink[:, None] * np.abs(x[..., 0])


def slope(batch: Batch, x: np.ndarray, side: np.ndarray | float = 0.0) -> np.ndarray:
    out = batch.h[:, None, None] * x + batch.b[:, None, :]
    return out if batch.kink is None else out + batch.kink[:, None, None] * np.where(x == 0, side, np.sign(x))


def prox(batch: Batch, c: np.ndarray, lam: float) -> np.ndarray:
    if batch.kink is None:
        return project(batch, (c / lam - batch.b[:, None, :]) / (1 / lam + batch.h[:, None, None]))
    y = c / lam - batch.b[:, None, :]
    w = batch.kink[:, None, None]
    return project(batch, np.sign(y) * np.maximum(np.abs(y) - w, 0) / (1 / lam + batch.h[:, None, None]))


def lowest(batch: Batch) -> np.ndarray:
    """The infimum of f over the set (finite by construction)."""
    candidates = []
    h = np.where(np.abs(batch.h) < 1e-12, 1e-12, batch.h)
    stationary = -batch.b / h[:, None]
    if batch.corners is None:
        return value(batch, stationary[:, None, :])[:, 0]
    if batch.kind == "plane":
        candidates += [batch.corners[:, j] for j in range(batch.corners.shape[1])]
    else:
        candidates += [batch.corners[:, [0]], batch.corners[:, [1]], 0 * batch.b]
    if batch.kink is None:
        candidates.append(stationary)
    else:
        candidates += [-(batch.b + s * batch.kink[:, None]) / h[:, None] for s in (-1, 1)]
    points = np.stack(candidates, axis=1)
    points = project(batch, points)
    return value(batch, points).min(axis=1)


def moments(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """sigma^2, and (for bounded sets) the largest second moment of a sample."""
    q = batch.prob
    sigma2 = (batch.noise**2).sum(-1) * q / (1 - q)
    if batch.corners is None:
        return sigma2, sigma2
    points = batch.corners if batch.kind == "plane" else batch.corners[:, :, None]
    points = np.concatenate([points, 0 * points[:, :1]], axis=1)
    points = project(batch, points)
    big = np.zeros_like(q)
    for side in (-1.0, 1.0):
        big = np.maximum(big, (slope(batch, points, side) ** 2).sum(-1).max(axis=1))
    if batch.kink is not None:  # one-sided limits at the kink
        big = np.maximum(big, (np.abs(batch.b[:, 0]) + np.abs(batch.kink)) ** 2 * ((points == 0).any(axis=(1, 2))))
    return sigma2, sigma2 + big


def gradients(
    batch: Batch, al: np.ndarray, be: np.ndarray, S: np.ndarray, lam: float, side: float, tree: bool
) -> np.ndarray:
    """E|grad F_lam(x_bar_k)|^2 for k = 0..K, as (n, K+1); be[0] = 1 is the printed start."""
    n, K = len(batch.h), len(al) - 1
    dim = batch.x0.shape[1]
    x = batch.x0[:, None, :].copy()
    d = np.zeros_like(x)
    weight = np.ones((n, 1))
    out = np.empty((n, K + 1))
    assert (al > 0).all()
    for k in range(K + 1):
        bar = x - (1 - be[k]) * S[k] * d
        G = (bar - prox(batch, bar, lam)) / lam
        out[:, k] = (weight * (G * G).sum(-1)).sum(1)
        if k == K:
            break
        g = slope(batch, x, side)
        if tree:
            first = g + batch.noise[:, None, :]
            second = g - (batch.prob / (1 - batch.prob))[:, None, None] * batch.noise[:, None, :]
            g = np.concatenate([first, second], axis=1)
            x, d = np.concatenate([x, x], axis=1), np.concatenate([d, d], axis=1)
            weight = np.concatenate([weight * batch.prob[:, None], weight * (1 - batch.prob)[:, None]], axis=1)
        z = be[k] * g + (1 - be[k]) * d
        y = project(batch, x - al[k] * z)
        d, x = (x - y) / al[k], y
    assert dim == x.shape[-1]
    return out


def ahead(al: np.ndarray, be: np.ndarray, last: float) -> np.ndarray:
    """S_k = alpha_k + (1 - beta_{k+1}) S_{k+1}, from the end."""
    S = np.empty(len(al) + 1)
    S[-1] = last
    be = np.append(be, be[-1])
    for k in range(len(al) - 1, -1, -1):
        S[k] = al[k] + (1 - be[k + 1]) * S[k + 1]
    return S[:-1]


def breed(rng: np.random.Generator, n: int, shape: str, old: np.ndarray | None, score: np.ndarray | None) -> np.ndarray:
    """Genes of the next generation."""
    count = 24
    if old is None or score is None:
        return rng.standard_normal((n, count))
    best = old[np.argsort(-score)[: n // 8]]
    parents, others = best[rng.integers(len(best), size=n)], best[rng.integers(len(best), size=n)]
    mixed = np.where(rng.random((n, count)) < 0.7, parents, others)
    scale = 10 ** rng.uniform(-2.5, 0, (n, 1))
    new = mixed + scale * rng.standard_normal((n, count)) * (rng.random((n, count)) < 0.5)
    new[: len(best)] = best
    new[-n // 10 :] = rng.standard_normal((len(new[-n // 10 :]), count))
    return new


def express(genes: np.ndarray, shape: str, noise: bool, unconstrained: bool, scale: float) -> Batch:
    """Problems from genes."""
    n = len(genes)
    G = genes.T
    h = np.tanh(1.5 * G[0])
    if unconstrained:
        h = np.abs(h) + 1e-3
        h = np.minimum(h, 1.0)
    size = scale * np.exp(1.5 * G[1])
    prob = 0.02 + 0.96 / (1 + np.exp(-1.5 * G[2]))
    dim = 2 if shape == "plane" else 1
    b = np.stack([np.exp(2 * G[3]) * np.sign(G[4]), np.exp(2 * G[5]) * np.sign(G[6])][:dim], axis=1)
    if shape != "plane":
        b = np.where(np.abs(G[7:8].T) < 0.5, 0.0, b)
    sd = np.exp(1.5 * G[8]) * (1.0 if noise else 0.0)
    angle = 2 * np.pi * G[9]
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1) if dim == 2 else np.sign(G[9:10].T)
    tiny = scale * np.exp(1.5 * G[10:11].T) if dim == 1 else None
    corners: np.ndarray | None
    kink = np.exp(G[15]) if shape == "kink" else None
    if shape == "plane":
        spread = np.sort(np.stack([(j + 0.9 / (1 + np.exp(-G[16 + j]))) / 8 for j in range(8)], axis=1), axis=1)
        radius = size[:, None]
        turn = 2 * np.pi * (spread + G[11:12].T)
        stretch = np.exp(1.2 * G[12])[:, None]
        corners = np.stack([radius * stretch * np.cos(turn), radius / stretch * np.sin(turn)], axis=2)
        where = np.floor(8 / (1 + np.exp(-2 * G[13]))).astype(int) % 8
        x0 = corners[np.arange(n), where]
    elif unconstrained:
        corners = None
        x0 = 3 * G[13:14].T * scale
    else:
        assert tiny is not None
        corners = np.concatenate([-tiny, tiny * np.exp(G[14:15].T)], axis=1)
        x0 = np.clip(
            corners[:, :1] + (corners[:, 1:] - corners[:, :1]) / (1 + np.exp(-3 * G[13:14].T)), *np.split(corners, 2, 1)
        )
        x0 = np.where(np.abs(G[17:18].T) < 0.4, corners[:, :1], x0)
        x0 = np.where(G[17:18].T > 1, corners[:, 1:], x0)
    return Batch(shape, h, b, x0, corners, prob, sd[:, None] * direction, kink)


@dataclass(frozen=True)
class Theorem:
    """A name, the assumption, the start, and which bound; ``lam`` and ``alpha_0`` in units of rho = 1."""

    name: str
    start: str
    bound: str
    unconstrained: bool = False
    shapes: tuple[str, ...] = ("line", "plane")
    lam: float = LAM
    alpha_0: float = 1.0
    extra: str = "0..K"


def right_side(t: Theorem, batch: Batch, N: float, gap: np.ndarray, share: float) -> np.ndarray:
    """The right side of the theorem; ``share`` weakens its noise constant."""
    sigma2, L2 = moments(batch)
    g0 = (slope(batch, batch.x0[:, None, :])[:, 0] ** 2).sum(-1)
    y, a0 = t.alpha_0 / t.lam, t.alpha_0
    c = 2 / (2 - 3 * t.lam)
    table = {
        "10, 4 L2": 10 * gap + share * 4 * L2,
        "10, 8 L2": 10 * gap + share * 8 * L2,
        "10, 4": 10 * gap + share * 4 * sigma2,
        "10, 8, 4": 10 * gap + share * 8 * sigma2 + share * 4 * g0,
        "10, 3/2 L2": 10 * gap + share * 1.5 * L2,
        "10, 3/2": 10 * gap + share * 1.5 * sigma2,
        "10, 3, 3/2": 10 * gap + share * 3 * sigma2 + share * 1.5 * g0,
        "10, 8": 10 * gap + share * 8 * sigma2,
        "T3": c * ((1 + y * y) * gap + share * (0.4 + y) * sigma2 * a0**2 / (2 * t.lam)) / a0,
        "T3 printed": c * ((1 + y * y) * gap + share * (0.8 + 2 * y) * sigma2 * a0**2 / (2 * t.lam)) / a0,
        "T3 wide": 0.6 * c * ((1 + 2 * y * y) * gap + share * (1 + 8 * y) * sigma2 * a0**2 / (2 * t.lam)) / a0,
    }
    return table[t.bound] / N


THEOREMS = [
    Theorem("Theorem 1, z_0 = beta g_0", "beta", "10, 4 L2", shapes=("line", "plane", "kink")),
    Theorem("Theorem 1, printed start", "g", "10, 8 L2", shapes=("line", "plane", "kink")),
    Theorem("Theorem 2 without G, z_0 = beta g_0", "beta", "10, 4"),
    Theorem("Theorem 2 without G, printed start", "g", "10, 8, 4"),
    Theorem("half step, (A2), z_0 = beta g_0", "beta", "10, 3/2 L2", shapes=("line", "plane", "kink"), alpha_0=0.5),
    Theorem("half step, (A3), z_0 = beta g_0", "beta", "10, 3/2", alpha_0=0.5),
    Theorem("half step, (A3), printed start", "g", "10, 3, 3/2", alpha_0=0.5),
    Theorem("Theorem 3 (R^n, 1/(2 rho)), z_0 = beta g_0", "beta", "T3", True, ("line",), 0.5, 0.5),
    Theorem("Theorem 3 (R^n, 1/(2 rho)), printed start", "g", "T3 printed", True, ("line",), 0.5, 0.5),
    Theorem("Theorem 3 (R^n, 1/(2 rho)), printed, -1..K-1", "g", "T3 printed", True, ("line",), 0.5, 0.5, "-1..K-1"),
    Theorem("Theorem 3 (R^n, lambda = 0.6), printed start", "g", "T3 printed", True, ("line",), 0.6, 0.5),
    Theorem("Theorem 3 on any X, 3/5 of it", "beta", "T3 wide", False, ("line", "plane"), 0.5, 0.25),
]


def ratio(t: Theorem, batch: Batch, K: int, tree: bool, side: float, share: float = 1.0) -> np.ndarray:
    N = np.sqrt(K + 1)
    al, be = np.full(K + 1, t.alpha_0 / N), np.full(K + 1, 1 / N)
    S = np.full(K + 1, t.alpha_0)
    if t.start == "g":
        be[0] = 1
    left = gradients(batch, al, be, S, t.lam, side, tree)
    total = left.mean(1) if t.extra == "0..K" else (left[:, 0] + left[:, :-1].sum(1)) / (K + 1) if K else left[:, 0]
    gap = np.maximum(value(batch, batch.x0[:, None, :])[:, 0] - lowest(batch), 0)
    right = right_side(t, batch, N, gap, share)
    scale = 1e-9 * (1 + (left.max(1)))
    return np.where(right > scale, total / np.maximum(right, 1e-300), 0.0)


def attack(
    t: Theorem, rng: np.random.Generator, Ks: list[int], n: int, rounds: int, share: float = 1.0
) -> tuple[float, int]:
    """The largest left/right over all shapes and horizons, and how many problems were tried."""
    worst, tried = 0.0, 0
    for K in Ks:
        tree = 0 < K <= 8
        size = max(n // (2 ** max(K - 3, 0)), 64) if tree else (n if K < 200 else max(n // 10, 64))
        spans = rounds if K < 2000 else max(rounds // 4, 2)
        for shape in t.shapes:
            genes, score = None, None
            for _ in range(spans):
                genes = breed(rng, size, shape, genes, score)
                scale = t.alpha_0 / np.sqrt(K + 1) if shape != "kink" else 1.0
                batch = express(genes, shape, tree, t.unconstrained, scale)
                side = float(rng.uniform(-1, 1))
                score = ratio(t, batch, K, tree, side, share)
                worst, tried = max(worst, float(score.max())), tried + size
    return worst, tried


# --- schedules


def schedule(name: str, K: int, beta: float, top: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stepsizes, momentum and S of a named schedule."""
    k = np.arange(K + 1)
    be = np.full(K + 1, beta)
    al = {
        "1/sqrt": top / np.sqrt(k + 1),
        "constant": np.full(K + 1, top),
        "cosine": top * (1 + np.cos(np.pi * k / (K + 2))) / 2,
        "step decay": top * 0.1 ** np.floor(3 * k / (K + 1)),
        "warm-up": top
        * np.clip((1 + beta / 2) ** np.minimum(k - K // 3.0, 0), 1e-3, 1)
        * np.where(k > 2 * K / 3, 0.1, 1),
        "wild": top * (0.05 + 0.95 * ((7 * k * k + 3 * k) % 11 / 10)),
        "nu alpha": top / np.sqrt(k + 1),
    }[name]
    if name == "nu alpha":
        nu = beta / top
        be = nu * np.concatenate([[top * np.sqrt(2)], al[:-1]])
        be = np.minimum(be, 1)
        return al, be, np.full(K + 1, 1 / nu)
    last = {"wild": al[-1], "cosine": 0.0}.get(name, al[-1] / beta)  # log-concave sequences end in zeros
    return al, be, ahead(al, be, last)


def schedule_right(
    cls: str, al: np.ndarray, be: np.ndarray, S: np.ndarray, gap: np.ndarray, s2: np.ndarray, L2: np.ndarray
) -> np.ndarray:
    """2(1 + w_0) Delta + noise, for one of the classes (lambda = 1/2, rho = 1)."""
    A, lam = be * S, LAM
    e = (1 - be) * S
    kappa = A * S / (lam * al)
    b = be[-1]
    if cls == "any":
        return 2 * gap + L2 / lam * (A**2 + 2 * A * e + A * e**2 / lam).sum()
    if cls == "rough":
        before = np.concatenate([[al[0]], al[:-1]])
        return 2 * (1 + 2 * (1 - b) * al[0] / (b * lam)) * gap + L2 / lam * (A**2 + before**2).sum()
    if cls == "i":
        c = al / (b * lam)
    elif cls == "ii":
        c = (1 + (1 - b) ** 2 / (b * lam)) * al * kappa
    elif cls == "iii":
        c = 4 * al.max() / (b * lam) - kappa
    else:
        nu = 1 / S[0]
        before = be / nu
        top = before.max()
        big = (1 / (lam * nu) ** 2 + 3 * top / (lam * nu)) / (2 - top)
        c = big * before / al
    return 2 * (1 + kappa[0] + c[0]) * gap + s2 * (A**2 / lam + c * be * al * (1 + be)).sum()


SCHEDULES = [
    ("(i) 1/sqrt(k+1)", "i", "1/sqrt"),
    ("(i) step decay", "i", "step decay"),
    ("(ii) constant", "ii", "constant"),
    ("(ii) cosine", "ii", "cosine"),
    ("(iii) warm-up and drop", "iii", "warm-up"),
    ("(iv) beta_k = nu alpha_{k-1}", "iv", "nu alpha"),
    ("(A2) any schedule, wild", "any", "wild"),
    ("(A2) non-increasing, 1/sqrt", "rough", "1/sqrt"),
    ("(A2) non-increasing, step decay", "rough", "step decay"),
]


def attack_schedule(
    cls: str, name: str, rng: np.random.Generator, Ks: list[int], n: int, rounds: int
) -> tuple[float, int]:
    worst, tried = 0.0, 0
    rough = cls in ("any", "rough")
    for K in Ks:
        tree = 0 < K <= 8
        size = max(n // (2 ** max(K - 3, 0)), 64) if tree else (n if K < 200 else max(n // 10, 64))
        for shape in ("line", "plane", "kink") if rough else ("line", "plane"):
            genes, score = None, None
            for _ in range(rounds if K < 2000 else max(rounds // 4, 2)):
                genes = breed(rng, size, shape, genes, score)
                beta = float(rng.choice([0.05, 0.1, 0.3, 0.7, 1.0]))
                top = {"iii": beta * LAM / 4, "iv": 0.5 / np.sqrt(2), "any": 1.0}.get(cls, min(2 * beta * LAM, 1.0))
                top *= float(rng.choice([1.0, 1.0, 0.3]))
                if cls == "iv":
                    beta = min(beta, 1 / np.sqrt(2))
                al, be, S = schedule(name, K, beta, top)
                batch = express(genes, shape, tree, False, float(al.mean()))
                left = (gradients(batch, al, be, S, LAM, 0.0, tree) * (be * S)).sum(1)
                gap = np.maximum(value(batch, batch.x0[:, None, :])[:, 0] - lowest(batch), 0)
                s2, L2 = moments(batch)
                right = schedule_right(cls, al, be, S, gap, s2, L2)
                score = np.where(right > 1e-9 * (1 + left), left / np.maximum(right, 1e-300), 0)
                worst, tried = max(worst, float(score.max())), tried + size
    return worst, tried


# --- the one-step inequalities are tight: nine tenths of a constant is violated


def energy_violation(share: float) -> float:
    """Largest left minus right of (B) over f = x^2/2 on the line, x_k = d_k, a fair coin; relative to the noise
    term."""
    worst = -np.inf
    for beta in (0.1, 0.5, 0.9, 1.0):
        for alpha in (0.1, 0.5, 1.0):
            xi = (1 - beta) * alpha / beta
            x = d = 1.0
            left = right = 0.0
            for noise in (-1.0, 1.0):
                new = beta * (x + noise) + (1 - beta) * d
                y = x - alpha * new
                left += 0.5 * (y * y / 2 + xi / 2 * new**2)
                right += 0.5 * (x * x / 2 + xi / 2 * d * d - alpha * (1 - alpha / 2) * new**2)
            scale = (1 + beta) / 2 * beta * alpha
            worst = max(worst, (left - right) / scale - share)
    return worst


def envelope_violation(share: float, beta: float = 0.01) -> float:
    """The same for (A): f = 0 on an interval of half-width alpha beta, lambda = 1/2, a fair coin."""
    alpha, lam = 1.0, LAM
    width = alpha * beta
    left = 0.0
    for noise in (-1.0, 1.0):
        y = np.clip(-alpha * beta * noise, -width, width)
        bar = y + (1 - beta) / beta * y
        left += 0.5 * max(abs(bar) - width, 0) ** 2 / (2 * lam)
    return left / (alpha**2 / (2 * lam)) - share


def triangle(N: int, start: str) -> tuple[float, float]:
    """The planar example against the printed start: sqrt(K+1) times the average, and rho Delta."""
    alpha = beta = 1 / N
    H = 12 / 25 * (1 - 1 / N)
    corners = np.array([[[9 / (25 * N), -12 / (25 * N)], [0, H / 3], [0, 0]]])[:, ::-1]
    u, w = corners[0, 1] - corners[0, 0], corners[0, 2] - corners[0, 0]
    if u[0] * w[1] - u[1] * w[0] < 0:  # the corners run anticlockwise
        corners = corners[:, ::-1]
    x0 = np.array([[9 / (25 * N), -12 / (25 * N)]])
    one = np.ones(1)
    batch = Batch(
        "plane", 0 * one, np.array([[1.0, 0.0]]), x0, np.ascontiguousarray(corners), one / 2, np.zeros((1, 2))
    )
    be = np.full(N * N, beta)
    be[0] = 1 if start == "g" else beta
    G = gradients(batch, np.full(N * N, alpha), be, np.ones(N * N), LAM, 0.0, False)
    return float(N * G.mean()), 9 / (25 * N)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the search")
    parser.add_argument("--part", choices=("all", "theorems", "schedules"), default="all")
    parser.add_argument("--only", default="", help="theorems whose name contains this")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    n, rounds = (300, 6) if options.quick else (2000, 16)
    Ks = [0, 1, 2, 3, 5, 8, 24, 99, 999, 9999] if not options.quick else [0, 1, 2, 3, 5, 24, 99]
    bad, all_tried = 0, 0
    print(f"{'theorem':52s} {'largest left/right':>18s} {'problems':>10s} {'seconds':>8s}")
    for t in [one for one in THEOREMS if options.only in one.name] if options.part != "schedules" else []:
        start = time.perf_counter()
        worst, tried = attack(t, rng, Ks, n, rounds)
        bad, all_tried = bad + (worst > 1 + 1e-9), all_tried + tried
        print(f"{t.name:52s} {worst:18.4f} {tried:10d} {time.perf_counter() - start:8.1f}", flush=True)
    for name, cls, kind in [one for one in SCHEDULES if options.only in one[0]] if options.part != "theorems" else []:
        start = time.perf_counter()
        worst, tried = attack_schedule(cls, kind, rng, Ks[1:], n // 3, rounds // 2)
        bad, all_tried = bad + (worst > 1 + 1e-9), all_tried + tried
        print(f"{'schedule ' + name:52s} {worst:18.4f} {tried:10d} {time.perf_counter() - start:8.1f}", flush=True)
    print(f"{all_tried} problems, {bad} theorems violated")
    print(
        f"(B), whole noise: left - right = {energy_violation(1.0):.3f} of it; nine tenths: {energy_violation(0.9):.3f}"
    )
    print(
        f"(A), whole noise: left - right = {envelope_violation(1.0):.3f} of it; nine tenths: {envelope_violation(0.9):.3f}"
    )
    for N in (30, 60, 100):
        (scaled, gap), (other, _) = triangle(N, "g"), triangle(N, "beta")
        print(
            f"triangle, K = {N * N - 1}: printed start {scaled:.4f}, z_0 = beta g_0 {other:.4f}, 10 rho Delta {10 * gap:.4f}"
        )
    tight = energy_violation(0.9) > 0 and envelope_violation(0.9) > 0
    return int(bool(bad) or not tight)


if __name__ == "__main__":
    raise SystemExit(main())
