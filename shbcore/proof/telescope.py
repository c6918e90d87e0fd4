r"""Telescoping with a symbolic number of steps: from :math:`a_{k+1}\le a_k-we_k+c` to a bound on the sum of the
:math:`e_k`.

The sum is an induction on the number of steps, so the first and the last index are explicit.  :func:`induction` certifies the schema;
:func:`telescoped` states its conclusion for given first and last terms, as a hypothesis for what follows.
"""

import sympy as sp

from shbcore.proof.algebra import Coefficient, Expression, scalar
from shbcore.proof.certificate import Certificate, Steps
from shbcore.proof.hypotheses import Hypothesis, given
from shbcore.proof.positivity import Domain, at_least, nonnegative
from shbcore.proof.printing import bracketed, tex

w, c, n, first = sp.symbols("w c n first")
STEPS = Domain(nonnegative(w), nonnegative(c), nonnegative(first), at_least(n, first))


def induction(*, per_step: Coefficient = c) -> Steps:
    r""":math:`P(n):\ a_n+w\sum_{k=\text{first}}^{n-1}e_k\le a_{\text{first}}+(n-\text{first})c`, from
    :math:`P(\text{first})` by
    :math:`P(n)\Rightarrow P(n+1)`; ``per_step`` is the constant of the conclusion."""
    a_first, a_n, a_next, e_n = (scalar(name) for name in ("a_{first}", "a_n", "a_{n+1}", "e_n"))
    s_first, s_n, s_next = (scalar(rf"\sum_{{k=first}}^{{{last}}}e_k") for last in ("first-1", "n-1", "n"))
    empty = given("empty sum", s_first.equals(0), r"\sum_{k=first}^{first-1}e_k=0", "", "no term")
    longer = given("one more term", s_next.equals(s_n + e_n), r"\sum^{n}=\sum^{n-1}+e_n", "", "the last index is n")
    one_step = given(
        "one step, k = n", a_next <= a_n - w * e_n + c, r"a_{n+1}\le a_n-we_n+c", "eq:stoc:analysis", "the lemma"
    )
    before = given("P(n)", a_n + w * s_n <= a_first + (n - first) * per_step, "P(n)", "", "the induction hypothesis")
    base = Certificate(a_first + w * s_first <= a_first + (first - first) * per_step, [w * empty], domain=STEPS)
    step = a_next + w * s_next <= a_first + (n + 1 - first) * per_step
    return Steps([base, Certificate(step, [1 * before, 1 * one_step, w * longer], domain=STEPS)])


def telescoped(
    start: Expression,
    end: Expression,
    total: Expression,
    *,
    weight: Coefficient,
    noise: Coefficient,
    steps: Coefficient,
    why: str,
) -> Hypothesis:
    r""":math:`\text{end}+w\cdot\text{total}\le\text{start}+\text{steps}\cdot c`, the conclusion
    :math:`P(\text{last}+1)` of the induction."""
    claim = end + weight * total <= start + steps * noise
    text = rf"V_{{\text{{last}}}}+{tex(weight)}{total}\le V_{{\text{{first}}}}+{bracketed(tex(steps))}\,c"
    return given("telescoped", claim, text, "eq:stoc:analysis", f"{why}, added up; $c$ is the noise of a step")
