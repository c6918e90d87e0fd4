"""What a line could hide, launder or call by another's name: limits, inductions, sums, own assumptions, numbers of a fixed width, names.

Beside ``test_attacks_4.py``.  The comment at a row names what would follow, and why it is false.
"""

from typing import Any

import numpy as np
import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Term
from shbcore.proof.language import Direction, Iterate, Mean, Named, Projected, Quantity, Sum, sequence
from shbcore.proof.letters import x
from shbcore.proof.scheduled import d, stepsize, trial_at, z
from shbcore.proof.surely import AlmostSurely
from tests.test_attacks import Attack, _refusal

ATTACKS: list[Attack] = []
c_k, c_next, c_0, c_1 = sequence("c"), sequence("c", 1), sequence("c", 0, True), sequence("c", 1, True)
al, al_next, al_prev, al_0 = stepsize(), stepsize(1), stepsize(-1), stepsize(0, True)
a, b, t, theta, zero = *sp.symbols("a b t theta"), Number(0)
u, v, y, y_2 = vector("u"), vector("v"), vector("y", inside=True), vector("y_2", inside=True)
x_0, x_1, z_0 = x(0, True), x(1, True), Direction(0, True)
CONVEX = f(y) + f.slope(y) @ (y_2 - y) <= f(y_2)
FLAT: Any = {"domain": Domain(defined(rho, 0)), "assumes": (WEAKLY_CONVEX,)}


def attacks(kind: str, *rows: tuple[str, str, Any]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


# --- limits


def falling(domain: Domain) -> Induction:
    """c_k <= c_0 for a falling sequence."""
    relation = Number(c_k) <= Number(c_0)
    own = hypothesis(relation)
    (mark,) = own.unfolded.foundations
    base = line(Number(c_0) <= Number(c_0), [1 * number(0)], TOTAL, domain=Domain(positive(c_0)))
    terms = [Term(sp.S.One, own), 1 * number(c_k - c_next)]
    step = line(Number(c_next) <= Number(c_0), terms, TOTAL, domain=domain, assumes=(mark,), scope=Scope.EVERY)
    first = Domain().also(*domain.started(), *domain.started(1))
    second = line(Number(c_1) <= Number(c_0), [1 * number(c_0 - c_1)], TOTAL, domain=first, scope=Scope.FIRST)
    return Induction(relation, base, step, second)


def _limit_of_the_first_member() -> Line:  # 1 <= 0
    domain = Domain(positive(c_next), at_least(c_k, c_next))
    limit = Limit(falling(domain.also(positive(c_0))), c_0)  # type: ignore[arg-type]
    return line(Number(1) <= zero, [1 / c_k * limit], TOTAL, domain=domain, scope=Scope.EVERY)


def _limit_of_the_first_stepsize() -> Line:  # the first step has length 0
    terms = [1 * nonexpansive(x_1, x_0 - al_0 * z_0, x_0)]
    domain = Domain(positive(al), positive(al_0))
    step = line((x_0 - x_1) ** 2 <= al_0**2 * z_0**2, terms, domain=domain, scope=Scope.FIRST_ANY)
    return line((x_0 - x_1) ** 2 <= zero, [1 * Limit(step, al_0)], domain=Domain(positive(al)), scope=Scope.FIRST_ANY)


def own_bound(value: Any, domain: Domain) -> tuple[Line, Any]:
    use, mark = assume(u**2 <= Number(value), "u is short")
    return line(u**2 <= Number(value), [1 * use], domain=domain, assumes=(mark,)), mark


def _limit_of_an_assumption() -> Line:  # |u|^2 <= t for one t does not make u = 0
    short, mark = own_bound(t, Domain(between(t, 0, 1)))
    return line(u**2 <= zero, [1 * Limit(short, t)], domain=Domain(), assumes=(mark,))


DEPENDS = "the letters and the assumptions depend on"
attacks(
    "limits",
    ("the first member of a sequence to 0", DEPENDS, _limit_of_the_first_member),
    ("the first stepsize to 0", DEPENDS, _limit_of_the_first_stepsize),
    ("a parameter of an own assumption to 0", DEPENDS, _limit_of_an_assumption),
)

# --- what an earlier line says of the setting, and its user does not


def induction_on_a_flat_function() -> Induction:  # every weakly convex function is convex
    own = hypothesis(CONVEX)
    (mark,) = own.unfolded.foundations
    fact = [1 * weak_convexity(f, y, y_2)]
    step = line(CONVEX, [Term(sp.S.One, own)], TOTAL, domain=Domain(), assumes=(mark,), scope=Scope.EVERY)
    first = line(CONVEX, fact, TOTAL, scope=Scope.FIRST_ANY, **FLAT)
    return Induction(CONVEX, first, step, line(CONVEX, fact, TOTAL, scope=Scope.FIRST, **FLAT))


def _no_gradient_in_the_lower_bound() -> AlmostSurely:  # liminf |f'(y)| = 0 for f(x) = x
    e_k, e_next = sequence("e"), sequence("e", 1)
    measure = f.slope(y) ** 2
    domain = Domain(positive(al), positive(e_k), defined(e_next, e_k + al))
    fall = -e_next * measure <= -e_k * measure - al * measure
    step = line(fall, [1 * number(0)], PAST, domain=domain, scope=Scope.EVERY)
    none = {"domain": domain.also(defined(G2, 0)), "assumes": (BOUNDED_GRADIENT,), "scope": Scope.EVERY}
    low = line(zero <= -e_k * measure, [e_k * bounded_gradient(f, y)], **none)  # type: ignore[arg-type]
    return AlmostSurely(step, low, -e_k * measure, measure, al, 0, 0, "liminf", least=1)  # type: ignore[arg-type]


def _first_stepsize_one() -> Line:  # false for alpha_0 = 2 and X = R^n
    claim, fact = (x_0 - x_1) ** 2 <= z_0**2, [1 * nonexpansive(x_1, x_0 - al_0 * z_0, x_0)]
    low = line(claim, fact, domain=Domain(defined(al_0, 1)), scope=Scope.FIRST_ANY)
    return line(claim, [1 * low], domain=Domain(positive(al)), scope=Scope.FIRST_ANY)


def _assumption_with_another_parameter() -> Line:  # |u|^2 <= a says nothing of |u|^2 <= 1
    use, mark = assume(u**2 <= Number(a), "u is short")
    low = line(u**2 <= Number(1), [1 * use], domain=Domain(defined(a, 1)), assumes=(mark,))
    return line(u**2 <= Number(1), [1 * low], domain=Domain(), assumes=(mark,))


HIDDEN = "has no range in the domain"
attacks(
    "hidden domains",
    ("an induction whose first step is about another class", HIDDEN, induction_on_a_flat_function),
    ("a lower bound on another class", HIDDEN, _no_gradient_in_the_lower_bound),
    ("a first stepsize that is fixed", HIDDEN, _first_stepsize_one),
    ("a parameter of an own assumption", HIDDEN, _assumption_with_another_parameter),
)


def test_a_line_about_another_class_is_not_proved_on_a_wider_domain() -> None:
    low = line(CONVEX, [1 * weak_convexity(f, y, y_2)], scope=Scope.EVERY, **FLAT)
    assert check(low).passed
    assert HIDDEN in check(low, Domain()).detail
    assert HIDDEN in check(Later(low), Domain()).detail


# --- what a join uses is an assumption too

NOISE = (g_k - f.slope(x_k)) @ x_k


def _sum_that_is_unbiased() -> Line:  # false for a biased oracle
    domain = Domain(at_least(N, 1))
    step = line(zero <= zero, [1 * number(0)], TOTAL, domain=domain, assumes=(A1,), scope=Scope.EVERY)
    total = Summation(step, zero, NOISE, sp.S.One, sp.S.Zero)
    return line(total.statement.relation, [1 * total], TOTAL, domain=domain, scope=Scope.RUN_ANY)


def nothing(scope: Scope) -> Line:
    return line(zero <= zero, [1 * number(0)], TOTAL, domain=Domain(), assumes=(A1,), scope=scope)


def _induction_that_is_unbiased() -> Line:
    relation = NOISE <= zero
    found = Induction(relation, nothing(Scope.FIRST_ANY), nothing(Scope.STEP), nothing(Scope.FIRST))
    return line(relation, [1 * found], TOTAL, domain=Domain(), scope=Scope.EVERY)


def _later_sample() -> Any:  # the sample at a fixed point is its mean
    h = f.sample(u, "h")
    mean = (h @ v).equals(f.slope(u) @ v)
    return Later(line(mean, given=PAST, domain=Domain(), assumes=(A1,), scope=Scope.EVERY))


UNASSUMED = "which the statement does not assume"
attacks(
    "joins",
    ("a sum without (A1)", UNASSUMED, _sum_that_is_unbiased),
    ("an induction without (A1)", UNASSUMED, _induction_that_is_unbiased),
    ("a sample at a fixed point, moved to another step", "drawn at step k", _later_sample),
)

# --- numbers and types that are not Python's own


def _changed_afterwards() -> Line:  # 1 <= 0
    parts: Any = [u**2]
    low = line(zero <= Sum(parts), [1 * square(u)], domain=Domain())
    assert check(low).passed
    parts[:] = [Number(-1)]
    return line(Number(1) <= zero, [1 * low], domain=Domain())


class Loose(Relation):
    def map(self, _: Any) -> Relation:
        return zero <= zero


class Deaf(Domain):
    def also(self, *_: Any) -> Domain:
        return self


def _loose_relation() -> Line:
    own = Loose(Number(1), zero)
    return Induction(own, nothing(Scope.FIRST_ANY), nothing(Scope.STEP), nothing(Scope.FIRST))  # type: ignore[return-value]


def _overflowing_envelope() -> Line:  # every point is its own prox point
    narrow, wide = (Function("G", role="envelope", of=f, envelope=one) for one in (np.uint8(200), 200))
    p, q = narrow.prox(u, "p"), wide.prox(u, "p")
    terms = [-225 * envelope_attained(wide, q), 225 * envelope_attained(narrow, p)]
    return line((q - u) ** 2 <= zero, terms, **FLAT)


def _overflowing_weight() -> Line:  # Jensen's inequality with the weights 2 and 255
    phi = Function(r"\phi", role="convex", of=f)
    terms = [Term(sp.S.One, Fact("jensen", (phi, y, y_2, np.uint8(2))))]
    return line(phi(2 * y + 255 * y_2) <= 2 * phi(y) + 255 * phi(y_2), terms, domain=Domain(), assumes=(WEAKLY_CONVEX,))


INT = "must be an int"
attacks(
    "numbers",
    ("not a number as a field", INT, lambda: Mean(g_k @ x_k, float("nan"))),  # type: ignore[arg-type]
    ("half a field", INT, lambda: vector("q", -0.5)),  # type: ignore[arg-type]
    ("a field that overflows", INT, lambda: vector("q", np.int8(127), inside=True)),  # type: ignore[arg-type]
    ("a step that overflows", INT, lambda: Iterate(np.uint8(0))),  # type: ignore[arg-type]
    ("a direction at a truth value", INT, lambda: Direction(True)),
    ("an envelope that overflows", "identity fails", _overflowing_envelope),
    ("a weight that overflows", "not shown to be non-negative", _overflowing_weight),
    ("a sum changed afterwards", "identity fails", _changed_afterwards),
    ("a relation with rules of its own", "must be a Relation", _loose_relation),
    ("a domain that forgets", "must be a Domain", lambda: line(CONVEX, domain=Deaf(defined(rho, 0)))),
    (
        "a negative second moment",  # 1 <= 0
        "not shown to be non-negative",
        lambda: line(
            *(Number(1) <= zero, [1 * second_moment(g_k), 1 * square(g_k)], PAST),
            domain=Domain(defined(L2, -1)),
            assumes=(A2,),
            scope=Scope.EVERY,
        ),
    ),
)

# --- sequences without a member, almost surely


def shorter(domain: Domain, factor: Any) -> AlmostSurely:
    q = factor**2
    terms = [
        q / al**2 * nonexpansive(x_next, trial_at(z(0)), x_k),
        q * square_convexity(g_k, d(0), beta),
        q * beta * second_moment(g_k),
    ]
    after = moved_square(factor)
    claim = after * d(1) ** 2 <= q * d(0) ** 2 - beta * q * d(0) ** 2 + beta * q * Number(L2)
    step = line(claim, terms, PAST, domain=domain, assumes=(A2,), scope=Scope.STEP)
    low = line(zero <= q * d(0) ** 2, [q * square(d(0))], domain=domain, scope=Scope.EVERY)
    return AlmostSurely(step, low, q * d(0) ** 2, d(0) ** 2, beta * q, beta * q * L2, beta * L2, "rest")  # type: ignore[arg-type]


def moved_square(factor: Any) -> Any:
    return (c_next if factor == c_k else factor) ** 2


COMMON = (between(beta, 0, 1), nonnegative(L2))
attacks(
    "almost surely",
    (
        "one number below every stepsize",
        "depends on the step",
        lambda: shorter(Domain(positive(al_prev), positive(al), between(theta, 0, al), *COMMON), theta),
    ),
    (
        "stepsizes that grow",
        "bounded below, or fixed",
        lambda: shorter(
            Domain(
                *(between(al_next, 0, 1), between(al, 0, al_next), between(al_prev, 0, al)),
                *(between(c_k, 0, al), defined(c_next, c_k), *COMMON),
            ),
            c_k,
        ),
    ),
)

# --- names: what is printed is what is proved


def called(tree: Any, **more: Any) -> Line:
    return line(tree, domain=Domain(), scope=Scope.EVERY, **more)


def _conjugate_under_the_name_of_the_envelope() -> Line:
    other, p = Function(r"F_\lambda", role="conjugate"), Projected("p", u)
    return line(other(u).equals(u @ p - p**2 / 2), [1 * conjugate_value(other, p, u)], domain=Domain())


def _convex_function_under_a_formula() -> Line:
    other = Function("-f", role="convex", of=f)
    fact = Term(sp.S.One, Fact("convex_part", (f, other, y)))
    claim = other(y).equals(f(y) + rho / 2 * y**2)
    return line(claim, [fact], domain=Domain(nonnegative(rho)), assumes=(WEAKLY_CONVEX,))


ANOTHER_WAY, A_FORMULA = "written in another way", "is a formula, not a name"
attacks(
    "names",
    ("a number called f(x_k)", "for something else", lambda: called(E(Quantity("f(x_k)")).equals(Quantity("f(x_k)")))),
    ("a conjugate called F_lambda", "another function", _conjugate_under_the_name_of_the_envelope),
    ("a convex function called -f", A_FORMULA, _convex_function_under_a_formula),
    ("0 under a norm", A_FORMULA, lambda: called(Named(r"\|g_k\|^2", zero).equals(0))),
    ("0 under a difference", A_FORMULA, lambda: called(Named(r"x_k-x_{k-1}", zero).equals(0))),
    ("0 under a parameter", "name of a parameter", lambda: called(Named("L^2", zero).equals(0))),
    (
        "a free vector called g_k, with braces",
        ANOTHER_WAY,
        lambda: called((g_k @ vector("{g}_k")).equals(f.slope(x_k) @ vector("{g}_k")), given=PAST, assumes=(A1,)),
    ),
    ("a free vector called x_k, with a blank", ANOTHER_WAY, lambda: called((vector("x_ k") - x_k).equals(Sum(())))),
    ("a second beta", "as the setting does", lambda: Domain(defined(sp.Symbol(r"{\beta}"), 1))),
    ("an own assumption called (A1)", "name of an assumption", lambda: assume(Number(1) <= zero, "(a1) ")),
)


def test_two_assumptions_are_told_apart_by_what_they_say() -> None:
    one, other = (assume(u**2 <= Number(value), "short")[1] for value in (2 * a, sp.Symbol("2*a")))
    assert one != other


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    refusal = _refusal(one)
    assert refusal is not None, "a false claim was accepted"
    assert one.reason in refusal, refusal


def test_a_wrong_proof_is_no_exception() -> None:
    deep = u**2
    for _ in range(600):
        deep = Named("t", deep)  # type: ignore[assignment]
    assert "too deep" in check(line(deep.equals(u**2), domain=Domain())).detail
    pole = sp.Pow(sp.Integer(0), -1, evaluate=False)
    assert not check(line(Number(1) <= zero, [1 * number(pole)], domain=Domain())).passed
