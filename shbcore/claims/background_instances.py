r"""Lines of section 2 evaluated exactly on small random rational problems; each has a multiplier that makes it stronger."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from shbcore.claims.evidence import Comparison
from shbcore.model.constants import Number
from shbcore.model.instances import KINDS, Instance, random_instance
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic

ZERO, ONE = Fraction(0), Fraction(1)


def instances(count: int = 12) -> Iterator[Instance]:
    """Small random rational problems of every kind, on intervals and on the whole line."""
    rng = np.random.default_rng(1)
    for j in range(count):
        yield random_instance(KINDS[j % len(KINDS)], rng, bounded=j % 2 == 0)


def points(instance: Instance) -> list[Fraction]:
    """A few points of X around the start, the kinks among them."""
    around = [instance.x0 + Fraction(j, 3) for j in (-4, -1, 0, 2, 5)]
    return sorted({instance.X.project(p) for p in (*around, *instance.problem.mean.breaks)})


def objective(share: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`f(x)=\mathbb E_P[f(x;S)]` for a finite sum; ``share`` of the mean is a perturbed claim."""
    for instance in instances():
        problem = instance.problem
        for p in points(instance):
            mean = sum((w * value for w, value in zip(problem.weights, problem.values(p))), ZERO)
            yield Comparison(problem.value(p), share * mean, "=")


def sums(share: Fraction = ONE) -> Iterator[Comparison]:
    r"""The constant of a finite sum is at most the sum of the constants of its weighted parts, and equal to it for equal curvatures."""
    for instance in instances():
        problem = instance.problem
        parts = (w * one.weak_convexity for w, one in zip(problem.weights, problem.samples))
        yield Comparison(problem.mean.weak_convexity, share * sum(parts, ZERO))


def projection(target: Interval | None = None) -> Iterator[Comparison]:
    r""":math:`\|\Pi_{\mathcal X}(x)-x\|\le\|z-x\|` for every :math:`z\in\mathcal X`; ``target`` projects onto another set."""
    X = Interval(-1, 2)
    for p in (Fraction(j, 2) for j in range(-8, 9)):
        nearest = (target or X).project(p)
        yield from (Comparison(abs(nearest - p), abs(Fraction(j, 4) - p)) for j in range(-4, 9))
        yield Comparison(abs(nearest - X.project(nearest)), ZERO)


def measurable(known: int = 2) -> Iterator[Comparison]:
    r""":math:`x_3` is the same for histories that share :math:`S_0,\dots` up to ``known``: true for :math:`\mathcal F_2`, not for less."""
    rng = np.random.default_rng(2)
    instance = random_instance("linear noise", rng, bounded=False)
    slopes, alpha, beta = instance.problem.subgradients(instance.x0), Fraction(1, 2), Fraction(1, 3)

    def third(history: tuple[int, ...]) -> Number:
        past, now = instance.x0, instance.x0
        for s in history:
            past, now = now, now - alpha * beta * slopes[s] + (1 - beta) * (now - past)
        return now

    count = len(slopes)
    histories = [(i, j, k) for i in range(count) for j in range(count) for k in range(count)]
    for h in histories:
        for other in histories:
            if h[: known + 1] == other[: known + 1]:
                yield Comparison(third(h), third(other), "=")


def subgradients(share: Fraction = ONE, outside: Fraction = ZERO) -> Iterator[Comparison]:
    r""":math:`f(x)+\langle g,y-x\rangle-\tfrac\rho2|y-x|^2\le f(y)` for the extreme g of :math:`\partial f(x)`; ``share`` of the last
    term, or g ``outside`` the subdifferential, is a perturbed claim."""
    for instance in instances():
        f = instance.problem.mean
        for p in points(instance):
            low, high = f.slopes(p)
            for q in points(instance):
                for slope in (low - outside, high + outside):
                    bend = share * f.weak_convexity / 2 * (q - p) ** 2
                    yield Comparison(f.value(p) + slope * (q - p) - bend, f.value(q))


def chords(share: Fraction = ONE) -> Iterator[Comparison]:
    r"""Item 2 of Lemma 1 at rational points and mixtures."""
    for instance in instances():
        f = instance.problem.mean
        for p in points(instance):
            for q in points(instance):
                for a in (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)):
                    bend = share * f.weak_convexity * a * (1 - a) / 2 * (p - q) ** 2
                    yield Comparison(f.value(a * p + (1 - a) * q), a * f.value(p) + (1 - a) * f.value(q) + bend)


def _proximal() -> Iterator[tuple[PiecewiseQuadratic, Interval, Fraction, Fraction, Fraction]]:
    """Function, set, envelope parameter, a point (also outside X), its prox."""
    for instance in instances():
        f, X = instance.problem.mean, instance.X
        lam = 1 / (2 * f.weak_convexity + 1)
        for p in (*points(instance), instance.x0 + 7, instance.x0 - 7):
            yield f, X, lam, p, f.prox(p, X, envelope=lam)


def attained(shift: Fraction = ZERO) -> Iterator[Comparison]:
    r"""The prox attains the infimum: no competitor is below it; ``shift`` moves the point."""
    for f, X, lam, p, hat in _proximal():
        moved = X.project(hat + shift)
        value = f.value(moved) + (p - moved) ** 2 / (2 * lam)
        for q in (*f.breaks, hat + 1, hat - 1, hat + Fraction(1, 9), hat - Fraction(1, 9)):
            c = X.project(q)
            yield Comparison(value, f.value(c) + (p - c) ** 2 / (2 * lam))


def first_order(scale: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`|F_\lambda(y)-F_\lambda(x)-\langle(x-\hat x)/\lambda,y-x\rangle|\le\tfrac1{2\lambda}|y-x|^2`."""
    for f, X, lam, p, hat in _proximal():
        F = f.moreau(X, envelope=lam)
        for step in (Fraction(1, 3), Fraction(-2), Fraction(5)):
            gap = F.value(p + step) - F.value(p) - (p - hat) / lam * step
            yield Comparison(abs(gap), scale * step**2 / (2 * lam))


def _slopes(f: PiecewiseQuadratic, X: Interval, hat: Fraction) -> tuple[Fraction | None, Fraction | None]:
    r"""The ends of :math:`\partial F(\hat x)`; ``None`` where the normal cone makes it infinite."""
    low, high = f.slopes(hat)
    return None if X.lo is not None and hat == X.lo else low, None if X.hi is not None and hat == X.hi else high


def in_subdifferential(scale: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`(x-\hat x)/\lambda\in\partial F(\hat x)`, as two inequalities."""
    for f, X, lam, p, hat in _proximal():
        low, high = _slopes(f, X, hat)
        s = scale * (p - hat) / lam
        yield Comparison(s if low is None else low, s)
        yield Comparison(s, s if high is None else high)


def shortest_subgradient(scale: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`\operatorname{dist}(0,\partial F(\hat x))\le\|\nabla F_\lambda(x)\|`."""
    for f, X, lam, p, hat in _proximal():
        low, high = _slopes(f, X, hat)
        nearest = low if low is not None and low > 0 else (-high if high is not None and high < 0 else ZERO)
        yield Comparison(nearest, scale * abs(p - hat) / lam)


def feasible(share: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`\hat x\in\mathcal X` and :math:`|x-\hat x|=\lambda|\nabla F_\lambda(x)|`; ``share`` of the distance is a perturbed claim."""
    for f, X, lam, p, hat in _proximal():
        yield Comparison(abs(hat - X.project(hat)), ZERO)
        yield Comparison(abs(p - hat), share * lam * abs(f.moreau(X, envelope=lam).subgradient(p)), "=")


def curvature(factor: Fraction = ONE) -> Iterator[Comparison]:
    r"""For :math:`f=-\rho x^2/2` the envelope has curvature exactly :math:`-\rho/(1-\lambda\rho)`: at most :math:`1/\lambda`."""
    for r, reciprocal in ((1, 2), (2, 5), (3, 10)):
        lam = ONE / reciprocal
        bend = -PiecewiseQuadratic.build((), [-r]).moreau(REAL_LINE, envelope=lam).pieces[0][0]
        yield Comparison(bend, r / (1 - lam * r), "=")
        yield Comparison(bend, factor / lam)


def slope_of_modulus(size: Fraction = ONE) -> Iterator[Comparison]:
    r""":math:`|f'(x)|=1` for :math:`f=|x|` however near to 0; another ``size`` of the slope is a perturbed claim."""
    modulus = PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1)
    for j in range(10):
        p = ONE / 10**j
        yield Comparison(modulus.subgradient(p), size, "=")
        yield Comparison(-modulus.subgradient(-p), size, "=")
