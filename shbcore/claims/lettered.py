r"""The lettered steps of a display, each decided by itself: line (b) of ``eq:znorm`` is where Lemma 3 breaks, (a) and (c) are right.

The entry in the ledger is that of the whole display; this says which step of it is at fault.
"""

from dataclasses import dataclass

from shbcore.claims.writing import *

LONGER = r"Given $\mathcal{F}_k$ the last step is known, and may be longer than its average."


@dataclass(frozen=True)
class Lettered:
    """A step of a display: its letter, what is printed, and either the line that proves it or its refutation and the repair."""

    letter: str
    printed: Statement
    right: Line
    broken: Check | None = None
    words: str = ""

    @property
    def verdict(self) -> Verdict:
        return "false" if self.broken else "true"


@cache
def convexity(share: Any = 1) -> Line:
    r"""Step (a): the square of the norm is convex."""
    claim = z_next**2 <= share * beta * g_next**2 + (1 - beta) * d_next**2
    return line(claim, [1 * square_convexity(g_next, d_next, beta)], NOW, scope=Scope.EVERY)


@cache
def bounded(share: Any = 1) -> Line:
    r"""Step (b) in total expectation: (A2), and the nonexpansiveness of the projection."""
    terms = [beta * second_moment(g_next), (1 - beta) / alpha**2 * nonexpansive(x_next, trial_at(z_any), x_k)]
    claim = beta * g_next**2 + (1 - beta) * d_next**2 <= share * beta * L2 + (1 - beta) * z_any**2
    return line(claim, terms, TOTAL, assumes=(on.A2,), scope=Scope.EVERY)


def bounded_as_printed() -> Statement:
    r"""Step (b) given the present, with :math:`\mathrm E[\|z_k\|^2|\mathcal F_{k-1}]` in place of :math:`\|z_k\|^2`."""
    claim = beta * g_next**2 + (1 - beta) * d_next**2 <= beta * L2 + (1 - beta) * E(z_any**2, PAST)
    return replace(bounded().statement, relation=claim, given=NOW, scope=Scope.PRINTED)


@cache
def induced(share: Any = 1) -> Line:
    r"""Step (c), from the induction hypothesis and from nothing else."""
    use, mark = assume(E(z_any**2, PAST) <= Number(L2), "the induction hypothesis")
    claim = beta * L2 + (1 - beta) * E(z_any**2, PAST) <= Number(share * L2)
    return line(claim, [(1 - beta) * use], assumes=(mark,), scope=Scope.EVERY)


@cache
def steps() -> dict[str, tuple[Lettered, ...]]:
    """The lettered steps, by the label of their display."""
    a, b, c = convexity(), bounded(), induced()
    fails = broken_at(bounded_as_printed(), RARE, "step (b) fails after a rare sample", b, k=1)
    return {
        "eq:znorm": (
            Lettered("a", a.statement, a),
            Lettered("b", bounded_as_printed(), b, fails, LONGER),
            Lettered(
                "c",
                c.statement,
                c,
                words="It follows from the hypothesis; but line (b) does not give the hypothesis for the next step.",
            ),
        )
    }
