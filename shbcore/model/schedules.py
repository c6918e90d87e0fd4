r"""Stepsizes that change from step to step: the rules that training scripts use, and a schedule, which knows the coming stepsizes.

A rule is a :class:`~shbcore.model.parameters.Step`, :math:`k\mapsto\alpha_k`.  A :class:`Schedule` joins a rule with :math:`\beta`,
the weight of the fresh subgradient (the momentum is :math:`1-\beta`), and gives :math:`S_k=\alpha_k+(1-\beta)S_{k+1}`, by which
:math:`\bar x_k=x_k-(1-\beta)S_kd_k` looks ahead; the method does not.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

from shbcore.model import checks
from shbcore.model.checks import Number
from shbcore.model.parameters import Step, exactly

Kind = Literal["any", "monotone", "falling", "warm"]
KINDS: tuple[Kind, ...] = get_args(Kind)
r"""The classes of stepsizes in the theorems about schedules.  The theorems, with their right sides, stand in
`Any schedule <any_schedule.html>`__.

* ``any``, under (A2): any stepsizes.  The weights are :math:`\beta S_k`, with the sums :math:`S_k` of :class:`Schedule`.
* ``monotone``, under (A2): stepsizes that do not grow.  The weights are :math:`\alpha_k`.
* ``falling``, for smooth functions: stepsizes that do not grow, with :math:`\alpha_0\le2\beta\lambda`.  The weights are :math:`\alpha_k`.
* ``warm``, for smooth functions: stepsizes that never exceed :math:`\beta\lambda/4` and grow slowly, as ``grows_slowly`` says.  The
  weights are :math:`\alpha_k`.
"""
STEPS = "iterations are counted from 0"


@dataclass(frozen=True)
class CosineStep:
    r"""Cosine annealing, :math:`\alpha_k=\alpha_0\cos^2\bigl(\frac{\pi k}{2(K+2)}\bigr)`; it would be 0 at :math:`K+2`."""

    alpha_0: Number
    K: int

    def __post_init__(self) -> None:
        alpha_0 = checks.positive("alpha_0", self.alpha_0, "the first stepsize")
        checks.freeze(self, alpha_0=alpha_0, K=checks.count("K", self.K, "the last step", least=0))

    def __call__(self, k: int) -> Number:
        k = checks.count("k", k, STEPS, least=0)
        return self.alpha_0 * math.cos(math.pi * min(k, self.K + 1) / (2 * (self.K + 2))) ** 2


@dataclass(frozen=True)
class StepDecay:
    r"""Step decay, :math:`\alpha_k=\alpha_0q^{\lfloor k/m\rfloor}`: every :math:`m` steps the stepsize is multiplied by
    :math:`q\in(0,1]`.  ``every`` is :math:`m`, ``factor`` is :math:`q`."""

    alpha_0: Number
    every: int
    factor: Number

    def __post_init__(self) -> None:
        alpha_0 = checks.positive("alpha_0", self.alpha_0, "the first stepsize")
        every = checks.count("every", self.every, "steps between two drops", least=1)
        factor = checks.settled("factor", self.factor, "a drop of the stepsize")
        if not 0 < factor <= 1:
            checks.fail("factor", self.factor, "lie in (0, 1]", "a drop of the stepsize")
        checks.freeze(self, alpha_0=alpha_0, every=every, factor=factor)

    def __call__(self, k: int) -> Number:
        k = checks.count("k", k, STEPS, least=0)
        found = self.alpha_0 * self.factor ** (k // self.every)
        if found == 0:
            checks.fail("k", k, "leave a stepsize above 0: in floats it has become 0", "alpha_k > 0, alg:iters:def")
        return found


@dataclass(frozen=True)
class WarmUp:
    r"""Slow growth to a constant, :math:`\alpha_k=\min(\text{top},(1+\text{growth})^k\,\text{first})`."""

    first: Number
    top: Number
    growth: Number

    def __post_init__(self) -> None:
        first = checks.settled("first", checks.positive("first", self.first, "the first stepsize"), "a number")
        why = "how fast the stepsize grows"
        growth = checks.settled("growth", checks.positive("growth", self.growth, why), why)
        top = checks.settled("top", self.top, "the largest stepsize")
        if not top >= first:
            checks.fail("top", self.top, f"be at least first = {self.first}", "a warm-up does not fall")
        checks.freeze(self, first=first, growth=growth, top=top)

    def __call__(self, k: int) -> Number:
        k = checks.count("k", k, STEPS, least=0)
        if k * math.log1p(self.growth) > math.log(self.top) - math.log(self.first) + 1:  # far above the top
            return self.top
        return min(self.top, self.first * (1 + self.growth) ** k)


@dataclass(frozen=True)
class Schedule:
    r"""Stepsizes :math:`\alpha_0,\dots,\alpha_{K+1}` of a rule, constant after that, with :math:`\beta\in(0,1]`, the weight of the
    fresh subgradient.  Here :math:`S_k=\sum_{i\ge k}(1-\beta)^{i-k}\alpha_i` is a sum of the coming stepsizes, and no sample."""

    step: Step
    beta: Number
    K: int

    def __post_init__(self) -> None:
        checks.function("step", self.step, "a stepsize rule k -> alpha_k, alg:iters:def")
        K = checks.count("K", self.K, "the last step", least=0, most=10**7)
        checks.freeze(self, beta=exactly(checks.beta(self.beta)), K=K)

    @cached_property
    def alphas(self) -> tuple[Number, ...]:
        r""":math:`\alpha_0,\dots,\alpha_{K+1}`."""
        return tuple(exactly(checks.alpha(self.step(k))) for k in range(self.K + 2))

    @cached_property
    def coming(self) -> tuple[Number, ...]:
        r""":math:`S_0,\dots,S_{K+1}`, back from :math:`S_{K+1}=\alpha_{K+1}/\beta`."""
        found = [self.alphas[-1] / self.beta]
        for alpha in reversed(self.alphas[:-1]):
            found.append(alpha + (1 - self.beta) * found[-1])
        return tuple(reversed(found))

    def _index(self, k: int) -> int:
        return min(max(checks.count("k", k, STEPS, least=-1), 0), self.K + 1)

    def alpha(self, k: int) -> Number:
        r""":math:`\alpha_k`; :math:`\alpha_{-1}`, which the method does not use, is :math:`\alpha_0`."""
        return self.alphas[self._index(k)]

    def S(self, k: int) -> Number:
        r""":math:`S_k`, the weighted sum of the coming stepsizes."""
        return self.coming[self._index(k)]

    def falls(self) -> bool:
        """Whether no stepsize is larger than the one before."""
        return all(after <= before for before, after in pairwise(self.alphas))

    def log_concave(self) -> bool:
        """Whether the ratio of consecutive stepsizes is at most 1 and does not grow."""
        a = self.alphas
        return self.falls() and all(a[k] ** 2 >= a[k - 1] * a[k + 1] for k in range(1, len(a) - 1))

    def grows_slowly(self) -> bool:
        r"""Whether :math:`\alpha_{k+1}\le(1+\frac\beta2)\alpha_k`."""
        a = self.alphas
        return all(2 * after <= (2 + self.beta) * before for before, after in pairwise(a))

    def admits(self, kind: Kind, *, envelope: Number) -> bool:
        r"""Whether the schedule is of this class, with :math:`\lambda` = ``envelope``, so that the theorem about the class applies."""
        checks.one_of("kind", kind, KINDS, "the theorems about schedules")
        envelope = checks.positive("envelope", envelope, "lambda of eq:moreau:env")
        if kind == "any":
            return True
        if kind == "warm":
            return self.grows_slowly() and 4 * max(self.alphas) <= self.beta * envelope
        return self.falls() and (kind == "monotone" or self.alphas[0] <= 2 * self.beta * envelope)

    def weights(self, kind: Kind) -> tuple[Number, ...]:
        r"""The weights of :math:`\mathbb E\|\nabla F_\lambda(\bar x_k)\|^2` in the theorem about a class of :data:`KINDS`."""
        checks.one_of("kind", kind, KINDS, "the theorems about schedules")
        return tuple(self.beta * s for s in self.coming[:-1]) if kind == "any" else self.alphas[:-1]

    def bound(self, kind: Kind, *, envelope: Number, gap: Number, noise: Number) -> Number:
        r"""The right side of the theorem about a class, in whose left side these weights stand: ``gap`` is :math:`\Delta=f(x_0)-f^\star`,
        ``noise`` is :math:`L^2` under (A2) and :math:`\sigma^2` under (A3)."""
        if not self.admits(kind, envelope=envelope):
            checks.fail("kind", kind, "be a class to which the schedule belongs", f"beyond/schedule/{kind}")
        gap = checks.nonnegative("gap", gap, "Delta = f(x_0) - f*")
        noise = checks.nonnegative("noise", noise, "L^2 of (A2), or sigma^2 of (A3)")
        b, lam = self.beta, exactly(checks.positive("envelope", envelope, "lambda of eq:moreau:env"))
        alphas = self.alphas[:-1]
        if kind == "any":
            A, e = self.weights("any"), [(1 - b) * s for s in self.coming[:-1]]
            each = [a * a + 2 * a * x + a * x * x / lam for a, x in zip(A, e, strict=True)]
            return 2 * gap + noise / lam * sum(each)
        if kind == "monotone":
            each = [(2 - b) / b * a * a + (1 - b) ** 2 / (b * b * lam) * a**3 for a in alphas]
            return 2 / b * gap + noise / (b * lam) * sum(each)
        if kind == "falling":
            squares = sum(a * a for a in alphas)
            return 2 / b * (1 + 2 * alphas[0] / (b * lam)) * gap + (2 + b) * noise / (b * lam) * squares
        top = max(self.alphas)
        each = [4 * a * a / (1 + b) ** 2 + 4 * (1 + b) * top * a for a in alphas]
        return 2 / b * (1 + 4 * top / (b * lam)) * gap + noise / (b * lam) * sum(each)
