r"""Appendix D: the proof of Theorem 2, which is that of Theorem 1 with :math:`\sigma^2+G^2` in place of :math:`L^2` everywhere.

The replacement is made by the machine, in every line of the proofs of Lemmas 3, 4 and Theorem 1, and every line is checked again.
"""

from dataclasses import fields
from functools import wraps
from typing import ParamSpec, TypeVar

from shbcore.claims.writing import *
from shbcore.claims.appendix_a import d_bound
from shbcore.claims.appendix_c_phi import smooth_f
from shbcore.claims.method import START
from shbcore.claims.printed_start import ten_printed
from shbcore.claims.theorem_1_proof import theorem_1, theorem_1_start
from shbcore.proof.facts import Fact

here = Section("D Proof of Theorem 2", "smooth_constrained")
P = ParamSpec("P")
R = TypeVar("R")
SECOND = sigma2 + G2
VARIANCE = (on.A1, on.A3, on.BOUNDED_GRADIENT)
r"""What takes the place of (A2): (A1), (A3) and a bounded gradient."""


@cache
def moment(g: Sample = g_k, share: Any = 1) -> Line:
    r"""(A1), (A3) and :math:`\|\nabla f\|\le G` on :math:`X` contain (A2) with :math:`L^2=\sigma^2+G^2`."""
    claim = E(g**2, known(g.at)) <= Number(share * SECOND)
    terms = [1 * variance(g), 1 * bounded_gradient(f, g.at)]
    return line(claim, terms, domain=EVERYWHERE, scope=Scope.INHERITED, name="variance and gradient")


@cache
def _assumed(before: tuple[Foundation, ...]) -> tuple[Foundation, ...]:
    stands_for = {on.A2: VARIANCE, on.WEAKLY_CONVEX: (on.SMOOTH,)}
    return tuple(dict.fromkeys(new for one in before for new in stands_for.get(one, (one,))))


def smooth_oracle(thing: Any) -> Any:
    r"""A line, a join, a fact, a tree or a number with :math:`\sigma^2+G^2` for :math:`L^2`, and :func:`moment` for (A2)."""
    if isinstance(thing, (Line, Join)):
        return _rebuilt(thing)
    if isinstance(thing, Fact):
        return (
            moment(*thing.arguments)
            if thing.kind == "second_moment"
            else Fact(thing.kind, smooth_oracle(thing.arguments))
        )
    if isinstance(thing, Term):
        return Term(smooth_oracle(thing.multiplier), smooth_oracle(thing.source))
    if isinstance(thing, Statement):
        return replace(thing, relation=smooth_oracle(thing.relation), assumes=_assumed(thing.assumes))
    if isinstance(thing, Relation):
        return thing.map(smooth_oracle)
    if isinstance(thing, Node):
        return reparametrised(thing, {L2: SECOND})
    if isinstance(thing, tuple):
        return tuple(map(smooth_oracle, thing))
    return thing.xreplace({L2: SECOND}) if isinstance(thing, sp.Basic) else thing


@cache
def _rebuilt(thing: Any) -> Any:
    """The line or join with every part replaced, once for each."""
    return replace(thing, **{one.name: smooth_oracle(getattr(thing, one.name)) for one in fields(thing)})


def replaced(build: Callable[P, R]) -> Callable[P, R]:
    """A line or join of the proof of Theorem 1 with the replacement made in all of its proof; its arguments stay."""

    @wraps(build)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        found: R = smooth_oracle(build(*args, **kwargs))
        return found

    return again


# --- the displays of Appendix D

g_0 = sample(0, first=True)
slope_0, slope_next = smooth_f.slope(x(0, first=True)), smooth_f.slope(x_next)


@cache
def base_split(share: Any = 1) -> Line:
    r"""The cross term vanishes by (A1)."""
    claim = (z_printed**2).equals((g_0 - slope_0) ** 2 + share * slope_0**2)
    return line(claim, (), TOTAL, assumes=(on.A1,), scope=Scope.FIRST)


@cache
def base(share: Any = 1) -> Line:
    return line(z_printed**2 <= Number(share * SECOND), [1 * moment(g_0)], TOTAL, assumes=VARIANCE, scope=Scope.FIRST)


@cache
def base_repaired(share: Any = 1) -> Line:
    claim = z(0, first=True) ** 2 <= share * beta**2 * SECOND
    return line(claim, [beta**2 * moment(g_0)], TOTAL, assumes=VARIANCE, scope=Scope.FIRST_REPAIRED)


@cache
def step_split(share: Any = 1) -> Line:
    right = share * beta**2 * (g_next - slope_next) ** 2 + (beta * slope_next + (1 - beta) * d_next) ** 2
    return line((z_next**2).equals(right), (), TOTAL, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def step(share: Any = 1) -> Line:
    r"""(A3), and the square is convex."""
    right = share * beta**2 * sigma2 + beta * slope_next**2 + (1 - beta) * d_next**2
    terms = [beta**2 * variance(g_next), 1 * square_convexity(slope_next, d_next, beta)]
    name = "(A3), and the square is convex"
    return line(z_next**2 <= right, terms, TOTAL, assumes=(on.A1, on.A3), scope=Scope.EVERY, name=name)


def step_printed() -> Statement:
    """The last line of the display without an expectation of the gradient."""
    right = beta**2 * sigma2 + beta * slope_next**2 + (1 - beta) * E(d_next**2)
    return Statement(E(z_next**2) <= right, PATHWISE, ADMISSIBLE, (on.A1, on.A3), Scope.PRINTED)


@cache
def d_below_z(share: Any = 1) -> Line:
    terms = [1 / alpha**2 * nonexpansive(x_next, trial_at(z_any), x_k)]
    return line(d_next**2 <= share * z_any**2, terms, TOTAL, scope=Scope.EVERY)


@cache
def d_next_bounded(share: Any = 1) -> Line:
    claim = d_next**2 <= Number(share * SECOND)
    terms, name = [1 * Later(replaced(d_bound)())], "by induction: the step is no longer than the direction before it"
    return line(claim, terms, TOTAL, assumes=VARIANCE, scope=Scope.EVERY, name=name)


@cache
def z_bounded(share: Any = 1) -> Line:
    terms = [
        1 * step(),
        beta * bounded_gradient(f, x_next),
        (1 - beta) * d_next_bounded(),
        1 * number(beta * (1 - beta) * sigma2),
    ]
    return line(z_next**2 <= Number(share * SECOND), terms, TOTAL, assumes=VARIANCE, scope=Scope.EVERY)


theorem_2, theorem_2_start, ten_2 = replaced(theorem_1), replaced(theorem_1_start), replaced(ten_printed)
r"""Theorem 2 with :math:`z_0=\beta g_0`, with the printed start, and its second display with the printed start."""


@cache
def second_moment_2(share: Any = 1) -> Line:
    r"""The mean of :math:`\|g_k\|^2` given the past."""
    claim = g_k**2 <= Number(share * SECOND)
    return line(claim, [1 * moment()], PAST, assumes=VARIANCE, scope=Scope.EVERY)


# --- the places of Appendix D

_REPLACED = "the proof of Theorem 1, every line replaced and checked again"
PROVED_2 = [
    proved(theorem_2, f"{_REPLACED}, with the repaired start", under="the noise"),
    proved(theorem_2_start, f"{_REPLACED}, with the printed start", under="the cost of the start"),
]
MOMENT = proved(second_moment_2, "(A2) from (A1), (A3) and a bounded gradient", under="it")

BASE = here.claim(
    "appendix:proof:thrm:smooth:complexity/base",
    "Base of the induction",
    as_printed="typo",
    says=[
        proved(base_split, "the cross term vanishes", under="the gradient"),
        proved(base, "with the printed start", under="the bound"),
    ],
    words=r"Here $g_0$ is the oracle's $f^\prime(x_0,S_0)$.",
    printed_words=r"$\nabla f(x_0,S_0)$, although (A3) knows only $f^\prime(x,S)$, and $f(\cdot,S)$ need not be differentiable",
    repair=r"$f^\prime$ in place of $\nabla f$.",
    consequence="None.",
    more=proved(base_repaired, "with the repaired start", under="the bound"),
)
STEP = here.claim(
    "appendix:proof:thrm:smooth:complexity/step",
    "Step of the induction",
    as_printed="typo",
    says=[
        proved(step_split, "cross terms vanish", under="the noise"),
        proved(step, "(A3), and the square is convex", under="the noise"),
    ],
    printed=step_printed(),
    printed_words="the gradient in the last line without an expectation",
    repair="The expectation of the squared gradient.",
    consequence=r"None: $G^2$ bounds it next.",
)
NONEXPANSIVE = here.claim(
    "appendix:proof:thrm:smooth:complexity/nonexpansive",
    "Length of the step",
    says=[
        proved(d_below_z, r"the projection against $x_k$", under="the right side"),
        proved(d_next_bounded, "by induction", under="the bound"),
    ],
)
CONCLUSION = here.claim(
    "appendix:proof:thrm:smooth:complexity/conclusion",
    "End of Appendix D",
    says=proved(z_bounded, "the lines before", under="the bound"),
    words=r"The square of $\beta$ is at most $\beta$.",
    uses=[STEP, NONEXPANSIVE],
)
PROOF = here.proof(
    "appendix:proof:thrm:smooth:complexity",
    "Appendix D: proof of Theorem 2",
    as_printed="gap",
    says=PROVED_2,
    words=(
        "The induction is right, in total expectation. Shorter: (A1), (A3) and a bounded gradient contain (A2), "
        r"with $\sigma^2+G^2$ in place of $L^2$."
    ),
    printed_words=r"$\sigma^2+G^2$ for $L^2$ in the proofs of Lemmas 3, 4 and Theorem 1, which do not cover the printed start",
    repair="The same in the repaired proofs.",
    consequence="Theorem 2 has the defects of Theorem 1, and no other.",
    more=MOMENT,
    uses=[BASE, CONCLUSION],
    root=START,
    before=BASE,
)
