"""False claims in named classes: each must be refused by the kernel, with its reason.  A class is a way to be fooled."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import sympy as sp

from shbcore.claims.registry import Check, proved
from shbcore.claims.verify import run_check
from shbcore.proof import *
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Term
from shbcore.proof.language import Direction, Free, Inner, Mean, Proximal, Sum
from shbcore.proof.letters import d, sample, x, z, z_printed

ORACLE = (WEAKLY_CONVEX, A1, A2)
SMOOTH_A3 = (SMOOTH, A1, A3)
a, b, c, s = sp.symbols("a b c s_a")
ONE_PARAMETER = Domain(positive(a))
HALF = sp.Rational(1, 2)
zero = Number(sp.S.Zero)
u, v, w = vector("u"), vector("v"), vector("w")
inside, outside = vector("y", inside=True), vector("q")


class Attack(NamedTuple):
    """A false claim: its class, what it tries, how it is built, and a word of the reason."""

    kind: str
    what: str
    build: Callable[[], Any]
    reason: str


ATTACKS: list[Attack] = []


def attacks(kind: str, *rows: tuple[str, str, Callable[[], Any]]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


def free(claim: Relation, *terms: Any, **how: Any) -> Line:
    return line(claim, terms, **{"domain": Domain(), **how})


# --- algebra
attacks(
    "algebra",
    ("a wrong constant", "identity fails", lambda: free(u @ v <= u**2 + v**2 / 5, 1 * square(u - v / 2))),
    ("a wrong identity", "identity fails", lambda: identity((u + v) ** 2, u**2 + v**2, domain=Domain())),
    ("a wrong sign", "identity fails", lambda: free(-(u @ v) <= u**2 / 2 + v**2 / 2, HALF * square(u - v))),
    ("a missing term", "identity fails", lambda: free(zero <= u**2 + v**2, 1 * square(u))),
    ("an inequality for an equality", "an equality cannot rest", lambda: free((u @ v).equals(0), 1 * square(u), -1 * square(u))),
    ("nothing proved", "without terms", lambda: free(zero <= u @ v)),
    ("nothing proved, though equal", "without terms", lambda: free(u @ v <= v @ u)),
    ("vectors that differ", "identity fails", lambda: line((u + v).equals(u), domain=Domain())),
    ("a vector equation with terms", "no terms", lambda: line(u.equals(u), [1 * square(u)], domain=Domain())),
    ("0 <= -|u|^2", "not shown to be non-negative", lambda: free(zero <= -(u**2), -1 * square(u))),
)
# --- signs
attacks(
    "signs",
    ("a negative multiplier", "not shown to be non-negative", lambda: free(u**2 <= zero, -1 * square(u))),
    ("a multiplier of either sign", "not shown to be non-negative", lambda: line(zero <= (a - 1) * u**2, [(a - 1) * square(u)], domain=ONE_PARAMETER)),
    ("a negative number", "not shown to be non-negative", lambda: sign(-a, domain=ONE_PARAMETER)),
    ("positive at one point only", "not shown to be non-negative", lambda: sign(a * (a - 2) + sp.Rational(99, 100), domain=ONE_PARAMETER)),
    ("Young with a negative parameter", "not shown to be", lambda: free(u @ v <= -(u**2) / 2 - v**2 / 2, 1 * young(u, v, -1))),
    ("a weight above one", "not shown to be", lambda: free((2 * u - v) ** 2 <= 2 * u**2 - v**2, 1 * square_convexity(u, v, 2))),
    ("strict where only weak", "may vanish", lambda: line(zero <= 1 / a * u**2, [1 / a * square(u)], domain=Domain(nonnegative(a)))),
    ("beta - 1/2 for beta in (0, 1]", "not shown to be non-negative", lambda: sign(beta - HALF)),
    ("1 - 2 lambda rho - 1/10", "not shown to be non-negative", lambda: sign(1 - 2 * lam * rho - sp.Rational(1, 10))),
)
# --- domains
attacks(
    "domains",
    ("a division by a parameter defined as 0", "may vanish", lambda: line(zero <= 1 / a * u**2, [1 / a * square(u)], domain=Domain(defined(a, 0)))),
    ("a parameter without a range", "has no range", lambda: line(zero <= a * u**2, [a * square(u)], domain=Domain())),
    ("an empty range", "may be empty", lambda: sign(a - 2, domain=Domain(between(a, 1, 0)))),
    ("a range that may be empty", "may be empty", lambda: sign(a, domain=Domain(nonnegative(b), between(a, b, 1)))),
    ("a circle", "circle", lambda: sign(a, domain=Domain(defined(a, b + 1), defined(b, a + 1)))),
    ("a pole inside", "may vanish", lambda: line((1 / (a - 1) * u**2).equals(1 / (a - 1) * u**2), domain=ONE_PARAMETER)),
    ("a pole of a definition", "may vanish", lambda: line((b * u**2).equals(b * u**2), domain=Domain(positive(a), defined(b, 1 / (a - 1))))),
    ("two ranges for one parameter", "two ranges", lambda: Domain(positive(a), nonnegative(a))),
    ("one over a negative number", "may be negative", lambda: sign(a, domain=Domain(inverse_at_least(a, -1)))),
    ("a longer stepsize than the earlier line allows", "not shown to be", lambda: _longer()),
    ("SymPy's own assumption for a range", "assumptions", lambda: Domain(positive(sp.Symbol("a", positive=True)))),
    ("a range that is no range", "ranges and definitions", lambda: Domain("a > 0")),  # type: ignore[arg-type]
    ("infinity as a bound", "no rational", lambda: Domain(at_least(a, sp.oo))),
    ("an irrational bound", "no rational", lambda: Domain(between(a, 0, sp.sqrt(2)))),
)


def _longer() -> Line:
    short = line(zero <= (1 - a) * u**2, [(1 - a) * square(u)], domain=Domain(between(a, 0, 1)))
    return line(zero <= (1 - a) * u**2, [1 * short], domain=Domain(between(a, 0, 2)))


# --- names
attacks(
    "names",
    ("a parameter called like a slack, one way", "not shown to be", lambda: sign(s - a, domain=Domain(nonnegative(a), nonnegative(s)))),
    ("and the other", "not shown to be", lambda: sign(a - s, domain=Domain(nonnegative(a), nonnegative(s)))),
    ("two letters of one name", "two different things", lambda: identity(vector("u", 0) ** 2, vector("u", 1) ** 2, domain=Domain())),
    ("a sample at another point called g_k", "paper's name", lambda: identity(f.sample(x_next, "g_k") ** 2, g_k**2)),
    ("a sample at x_bar called g_k", "name of the paper", lambda: identity(f.sample(x_bar, "g_k") ** 2, g_k**2)),
    ("a free vector called x_k", "name of the paper", lambda: identity(vector("x_k", -1) ** 2, x_k**2)),
    ("a tree called d_k", "paper", lambda: identity(Named("d_k", 2 * (x_prev - x_k), "", 0) ** 2, d_k**2, scope=Scope.EVERY)),
    ("a tree called z_k", "name of the paper", lambda: identity(Named("z_k", g_k, "", 0) ** 2, g_k**2, scope=Scope.EVERY)),
    ("a prox point of another point called x_hat_k", "name of the paper", lambda: _envelope_at(F_env.prox(x_k, r"\hat x_k"))),
    ("two trees of one name", "two different things", lambda: identity((u.named("t") - (2 * u).named("t")) ** 2, u**2, domain=Domain())),
    ("a second objective", "one function", lambda: line(Function("h")(x_k) <= f(x_k), [1 * square(x_k)], assumes=ORACLE, scope=Scope.EVERY)),
    ("an equation that is none of the method's", "no equation of the method", lambda: identity(Named("t", u, "magic", 0) ** 2, u**2, domain=Domain())),
)


def _envelope_at(prox: Proximal) -> Line:
    return line(F_env(x_bar).equals(f(prox) + (prox - x_bar) ** 2 / (2 * lam)), [1 * envelope_attained(F_env, prox)], assumes=ORACLE, scope=Scope.EVERY)


# --- fields
attacks(
    "fields",
    ("a fresh sample known one field early", "identity fails", lambda: line((g_k**2).equals(g_k @ f.slope(x_k)), given=PAST, assumes=ORACLE, scope=Scope.EVERY)),
    ("the mean of a sample against itself", "identity fails", lambda: line((g_k @ x_next).equals(f.slope(x_k) @ x_next), given=PAST, assumes=ORACLE, scope=Scope.EVERY)),
    ("(A1) given the sample itself", "identity fails", lambda: line((g_k @ x_k).equals(f.slope(x_k) @ x_k), given=NOW, assumes=ORACLE, scope=Scope.EVERY)),
    ("(A1) for every outcome", "identity fails", lambda: line((g_k @ x_k).equals(f.slope(x_k) @ x_k), assumes=ORACLE, scope=Scope.EVERY)),
    ("(A2) given the sample itself", "identity fails", lambda: line(g_k**2 <= Number(L2), [1 * second_moment(g_k)], NOW, assumes=ORACLE, scope=Scope.EVERY)),
    ("(A2) for every outcome", "identity fails", lambda: line(g_k**2 <= Number(L2), [1 * second_moment(g_k)], assumes=ORACLE, scope=Scope.EVERY)),
    ("(A3) given the sample itself", "identity fails", lambda: line((g_k - f.slope(x_k)) ** 2 <= Number(sigma2), [1 * variance(g_k)], NOW, assumes=SMOOTH_A3, scope=Scope.EVERY)),
    ("a mean one field early taken for the value", "identity fails", lambda: line(E(z_k**2, PAST).equals(z_k**2), given=NOW, assumes=ORACLE, scope=Scope.LATE)),
    ("total expectation for the past", "identity fails", lambda: line(d_k**2 <= Number(L2), [1 * _d_bound()], PAST, assumes=ORACLE, scope=Scope.EVERY)),
    ("the expectation of a vector", "vector", lambda: E(u)),
    ("an expectation of a vector, built by hand", "vector", lambda: free(Mean(u, TOTAL).equals(zero))),
    ("recondition |z_k|^2", "not known", lambda: recondition(z_k**2, NOW, PAST, ADMISSIBLE)),
)


def _d_bound() -> Any:
    from shbcore.claims.appendix_a import d_bound

    return d_bound()


# --- hypotheses
attacks(
    "hypotheses",
    ("(A2) for a vector that is no sample", "no oracle's sample", lambda: second_moment(u)),  # type: ignore[arg-type]
    ("(A3) for a vector that is no sample", "no oracle's sample", lambda: variance(d_next)),  # type: ignore[arg-type]
    ("(A2) at a point outside X", "not shown to lie", lambda: line(f.sample(outside, "h") ** 2 <= Number(L2), [1 * second_moment(f.sample(outside, "h"))], TOTAL, assumes=ORACLE)),
    ("a projection tested outside the set", "not shown to lie", lambda: line((x_next - outside) ** 2 <= (trial_at(z_any) - outside) ** 2, [1 * nonexpansive(x_next, trial_at(z_any), outside)], scope=Scope.EVERY)),
    ("a projection tested beyond a segment", "not shown to lie", lambda: line(zero <= (x_next - trial_at(z_any)) @ (2 * x_k - x_next - x_next), [1 * projection(x_next, trial_at(z_any), 2 * x_k - x_next)], scope=Scope.EVERY)),
    ("the projection of another vector", "is not", lambda: line((x_next - x_k) ** 2 <= (x_k - 2 * alpha * z_any - x_k) ** 2, [1 * nonexpansive(x_next, x_k - 2 * alpha * z_any, x_k)], scope=Scope.EVERY)),
    ("a free vector as a projection", "not the projection", lambda: line((inside - x_k) ** 2 <= (u - x_k) ** 2, [1 * nonexpansive(inside, u, x_k)], scope=Scope.EVERY)),
    ("a projection of something else by name", "not the projection", lambda: line((Projected("p", u) - x_k) ** 2 <= (v - x_k) ** 2, [1 * nonexpansive(Projected("p", u), v, x_k)], scope=Scope.EVERY)),
    ("weak convexity that is not assumed", "does not assume", lambda: line(f(x_k) + f.slope(x_k) @ (x_prev - x_k) <= f(x_prev) + rho / 2 * (x_prev - x_k) ** 2, [1 * weak_convexity(f, x_k, x_prev)], scope=Scope.EVERY)),
    ("smoothness from weak convexity", "does not assume", lambda: line(f(x_prev) <= f(x_k) + f.slope(x_k) @ (x_prev - x_k) + rho / 2 * (x_prev - x_k) ** 2, [1 * smooth_above(f, x_k, x_prev)], assumes=ORACLE, scope=Scope.EVERY)),
    ("smoothness outside the set", "not shown to lie", lambda: line(f(outside) <= f(x_k) + f.slope(x_k) @ (outside - x_k) + rho / 2 * (outside - x_k) ** 2, [1 * smooth_above(f, x_k, outside)], assumes=SMOOTH_A3, scope=Scope.EVERY)),
    ("interpolation from smoothness on the set", "does not assume", lambda: line(zero <= f(x_k) - f(x_prev) - (f.slope(x_prev) + f.slope(x_k)) @ (x_k - x_prev) / 2 - (f.slope(x_k) - f.slope(x_prev)) ** 2 / (4 * rho) + rho / 4 * (x_k - x_prev) ** 2, [1 * interpolation(f, x_prev, x_k)], domain=ADMISSIBLE.also(positive(rho)), assumes=SMOOTH_A3, scope=Scope.EVERY)),
    ("the envelope at a candidate outside", "not shown to lie", lambda: line(F_env(x_bar) <= f(outside) + (outside - x_bar) ** 2 / (2 * lam), [1 * envelope_infimum(F_env, x_bar, outside)], assumes=ORACLE, scope=Scope.EVERY)),
    ("a prox point of another envelope", "not a prox point", lambda: envelope_attained(F_env, Function("h_1", role="envelope", of=f, envelope=2 * lam).prox(x_bar, "q"))),
    ("a prox with too long a parameter", "not shown to exist", lambda: line(F_env(x_bar) <= f(x_k) + (x_k - x_bar) ** 2 / (2 * lam), [1 * envelope_infimum(F_env, x_bar, x_k)], domain=ADMISSIBLE.also(positive(lam)), assumes=ORACLE, scope=Scope.EVERY)),
    ("the infimum outside the set", "not shown to lie", lambda: line(f_star <= f(outside), [1 * infimum(f, outside)], assumes=(*ORACLE, BOUNDED_BELOW))),
    ("no constraints, not assumed", "does not assume", lambda: line(((x_next - trial_at(z_any)) @ x_k).equals(0), [1 * whole_space(x_next, trial_at(z_any), x_k)], scope=Scope.EVERY)),
    ("the free gradient with constraints", "does not assume", lambda: line(((f.slope(x_hat) - grad_env) @ x_k).equals(0), [1 * free_prox(x_hat, x_k)], assumes=SMOOTH_A3, scope=Scope.EVERY)),  # type: ignore[arg-type]
    ("an assumption of one's own, not declared", "does not assume", lambda: free(u @ v <= zero, 1 * assume(u @ v <= zero, "u and v are far apart")[0])),
    ("a fact that is not in the list", "unknown", lambda: Fact("wishful", (u,))),
    ("weak convexity of the envelope", "not the objective", lambda: weak_convexity(F_env, x_k, x_prev)),
    ("an envelope value for the objective", "no envelope", lambda: envelope_infimum(f, x_k, x_k)),
    ("the first step's projection without a first step", "does not exist", lambda: line((x_k - x_prev) ** 2 <= alpha**2 * Direction(-1) ** 2, [1 * nonexpansive(x_k, x_prev - alpha * Direction(-1), x_prev)], scope=Scope.EVERY)),
)
# --- composition
attacks(
    "composition",
    ("an earlier line that is false", "identity fails", lambda: line(x_next @ x_k <= zero, [1 * line(x_next @ x_k <= zero, [1 * square(x_k)], scope=Scope.EVERY)], scope=Scope.EVERY)),
    ("a thousandth of a constant two lines below", "identity fails", lambda: _deep()),
    ("a line for later steps used at every step", "an earlier line holds", lambda: line(x_k**2 <= x_k**2 + u**2, [1 * line(x_k**2 <= x_k**2 + u**2, [1 * square(u)], scope=Scope.LATE)], scope=Scope.EVERY)),
    ("the recursion at k = 0 with any start", "not available", lambda: identity(z_k, beta * g_k + (1 - beta) * d_k, scope=Scope.EVERY)),
    ("the repaired start taken for the printed one", "not available", lambda: identity(z(0, True), beta * sample(0, True), scope=Scope.FIRST)),
    ("the printed start taken for the repaired one", "not available", lambda: identity(z_printed, sample(0, True), scope=Scope.FIRST_REPAIRED)),
    ("letters of the first step in a line about every step", "first step", lambda: line(x(0, True) ** 2 <= x(0, True) ** 2 + u**2, [1 * square(u)], scope=Scope.EVERY)),
    ("first and later letters in a conditional line", "meet outside", lambda: line(x(1, True) @ x_k <= x(1, True) @ x_k + u**2, [1 * square(u)], PAST, scope=Scope.RUN)),
    ("g_{k-1} at every step", "does not exist", lambda: identity(sample(-1), sample(-1), scope=Scope.EVERY)),
    ("z_{k-1} at every step", "does not exist", lambda: identity(Direction(-1), Direction(-1), scope=Scope.EVERY)),
    ("x_{k-2} at every step", "does not exist", lambda: identity(x(-2), x(-2), scope=Scope.EVERY)),
    ("a direction that is none", "not the direction", lambda: line((x_next - x_k) ** 2 <= alpha**2 * (2 * g_k) ** 2, [1 * nonexpansive(x_next, x_k - alpha * (2 * g_k), x_k)], scope=Scope.STEP)),
    ("a subclass of a letter", "no part of the language", lambda: identity(_Evil("u") ** 2, u**2, domain=Domain())),
    ("a scalar in an inner product", "no vector", lambda: free(Inner(Number(sp.S.One), u).equals(zero))),
    ("a sum of a vector and a scalar", "vectors and scalars", lambda: free(Inner(Sum((u, Number(sp.S.One))), u).equals(zero))),
)


class _Evil(Free):
    """A letter that is not the language's."""


def _deep() -> Line:
    from shbcore.claims.appendix_a import NOISE, ORACLE as NEEDS, lemma_3

    wrong = lemma_3(noise=NOISE / 1000)
    says = wrong.statement
    again = Line(says, (1 * wrong,))
    return Line(says, (1 * again,)) if NEEDS else again


# --- rules
def _sum(**how: Any) -> Summation:
    from shbcore.claims.appendix_a import NOISE, lemma_3

    potential = (1 - beta) * f(x_prev) + nu / 2 * p_k**2
    given = {"potential": potential, "measure": d_next**2, "weight": alpha, "noise": alpha**2 * NOISE * L2, **how}
    return Summation(how.pop("line", lemma_3()), **{key: value for key, value in given.items() if key != "line"})


RUN = ADMISSIBLE.also(at_least(N, 1))


def _summed(**how: Any) -> Line:
    total = _sum(**how)
    says = total.statement
    return Line(Statement(says.relation, says.given, RUN, says.assumes, says.scope), (1 * total,))


_t = sp.Symbol("t")
attacks(
    "rules",
    ("a sum with noise 0", "form of a decrease", lambda: _summed(noise=sp.S.Zero)),
    ("a sum with nine tenths of the noise", "form of a decrease", lambda: _summed(noise=alpha**2 * nu * L2 / 2)),
    ("a sum with a heavier weight", "form of a decrease", lambda: _summed(weight=2 * alpha)),
    ("a sum of another potential", "form of a decrease", lambda: _summed(potential=(1 - beta) * f(x_prev))),
    ("a sum of another measure", "form of a decrease", lambda: _summed(measure=d_k**2)),
    ("a sum without its number of steps", "N has no range", lambda: Line(_sum().statement, (1 * _sum(),))),
    ("a sum from k = 2", "not provided for", lambda: _summed(first=2)),
    ("a sum of a false line", "identity fails", lambda: _summed(line=_false_step(), noise=sp.S.Zero)),
    ("a limit without a range", "no limit", lambda: Limit(free(zero <= u**2, 1 * square(u)), _t)),
    ("a limit away from 0", "no limit", lambda: Limit(line(zero <= u**2, [1 * square(u)], domain=Domain(between(_t, 1, 2))), _t)),
    ("a limit through a pole", "no limit", lambda: Limit(line(zero <= 1 / _t * u**2, [1 / _t * square(u)], domain=Domain(between(_t, 0, 1))), _t)),
    ("an induction that assumes more than it proves", "identity fails", lambda: _induction(hypothesis(d_k**2 <= Number(L2 / 2)))),
    ("an induction from another base", "another relation", lambda: _induction(None, base=line(zero <= Number(2 * L2), [1 * number(2 * L2)], TOTAL, scope=Scope.FIRST_ANY))),
    ("an induction whose step proves nothing new", "another relation", lambda: _induction(None, step=_step(d_k**2))),
    ("an induction for one start only", "holds", lambda: _induction(None, second=line(d(1, True) ** 2 <= Number(L2), [1 / alpha**2 * nonexpansive(x(1, True), trial_at(z(0, True), 0, True), x(0, True)), beta**2 * second_moment(sample(0, True)), 1 * number((1 - beta**2) * L2)], TOTAL, assumes=(A2,), scope=Scope.FIRST_REPAIRED))),
    ("a later line of a first step", "not a line about every step", lambda: Later(line(x(0, True) ** 2 <= x(0, True) ** 2 + u**2, [1 * square(u)], scope=Scope.FIRST))),
)


def _false_step() -> Line:
    potential = (1 - beta) * f(x_prev) + nu / 2 * p_k**2
    return line(shifted(potential) <= potential - alpha * d_next**2, [1 * square(u)], TOTAL, assumes=ORACLE, scope=Scope.STEP)


def _step(left: Any, before: Fact | None = None) -> Line:
    before = before or hypothesis(d_k**2 <= Number(L2))
    terms = [1 / alpha**2 * nonexpansive(x_next, trial, x_k), 1 * square_convexity(g_k, d_k, beta), beta * second_moment(g_k), Term(1 - beta, before)]
    if left is not d_next**2 and left == d_k**2:
        terms = [Term(sp.S.One, before)]
    return line(left <= Number(L2), terms, TOTAL, assumes=(A2, *before.unfolded.foundations), scope=Scope.STEP)


def _induction(before: Fact | None, **parts: Any) -> Induction:
    from shbcore.claims.appendix_a import d_bound

    right = d_bound()
    return Induction(right.relation, parts.get("base", right.base), parts.get("step", _step(d_next**2, before)), parts.get("second", right.second))


# --- what Python would let through
attacks(
    "python",
    ("a chained comparison", "do not chain", lambda: zero <= u**2 <= v**2),
    ("the truth of a formula", "neither true nor false", lambda: bool(u**2)),
    ("the truth of a relation", "not decided by Python", lambda: bool(u**2 <= v**2)),
    ("the truth of a line", "not decided by Python", lambda: bool(free(zero <= u**2, 1 * square(u)))),
    ("a string as a coefficient", "string", lambda: "2" * square(u)),
    ("a string that would be evaluated", "string", lambda: number("__import__('os')")),
    ("a float", "not exact", lambda: 0.1 * square(u)),
    ("a truth value as a coefficient", "not exact", lambda: True * square(u)),
    ("an imaginary coefficient", "no rational", lambda: sp.I * square(u)),
    ("a root", "no rational", lambda: sp.sqrt(2) * square(u)),
    ("a function of a parameter", "no rational", lambda: sp.exp(a) * square(u)),
    ("a fact as a coefficient", "must be a number", lambda: u * square(v)),
    ("an unknown sense", "sense", lambda: Relation(u**2, v**2, "<")),  # type: ignore[arg-type]
    ("an order of vectors", "vectors are compared", lambda: u <= v),
    ("a third power", "squared norm", lambda: u**3),
    ("a statement of a string", "must be a", lambda: Statement("u <= v")),  # type: ignore[arg-type]
    ("a fact without a multiplier", "without a multiplier", lambda: line(zero <= u**2, [square(u)])),  # type: ignore[list-item]
    ("a division by zero", "division by zero", lambda: u / 0),
    ("a Boolean field", "must be a", lambda: Statement(zero <= u**2, given=True)),
)


def _check(build: Callable[..., Any], **how: Any) -> Check:
    return proved(build, "a claim", "its control", **how)


def _true(scale: Any = 1) -> Line:
    return free(u @ v <= scale * (u**2 + v**2) / 2, HALF * square(u - v))


class _Evidence(NamedTuple):
    what: str
    check: Check


EVIDENCE = [
    _Evidence("a false claim with a control that fails too", _check(lambda scale=1: _true(sp.Rational(9, 10)), scale=2)),
    _Evidence("a control that is as true as the claim", _check(_true, scale=1)),
    _Evidence("a control that is weaker", _check(lambda scale=1: free(zero <= scale * u**2, scale * square(u)), scale=2)),
    _Evidence("a control that breaks", _check(lambda scale=1: _true() if scale == 1 else 1 / 0, scale=2)),
    _Evidence("a claim that rests on an assumption of one's own", _check(lambda scale=1: _own(scale), scale=sp.Rational(9, 10))),
]


def _own(scale: Any) -> Line:
    use, mark = assume(u @ v <= zero, "u and v are far apart")
    return line(u @ v <= (scale - 1) * u**2, [1 * use], domain=Domain(), assumes=(mark,))


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    try:
        built = one.build()
    except (ValueError, TypeError) as error:
        assert one.reason in str(error)
        return
    found = check(built)
    assert not found.passed
    assert one.reason in found.detail, found.detail


@pytest.mark.parametrize("one", EVIDENCE, ids=lambda one: one.what)
def test_evidence_that_proves_nothing_does_not_pass(one: _Evidence) -> None:
    assert not run_check(one.check).passed


def test_there_are_attacks_in_every_class() -> None:
    kinds = {one.kind for one in ATTACKS}
    assert kinds == {"algebra", "signs", "domains", "names", "fields", "hypotheses", "composition", "rules", "python"}
    assert len(ATTACKS) + len(EVIDENCE) >= 80

