"""More false claims, found by a hostile reading of the kernel: each must be refused, or its words must say what makes it true.

Same style as ``test_attacks.py``.  The comment at a row names a model in which the printed claim is false.
"""

from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.facts import Fact
from shbcore.proof.joins import Join
from shbcore.proof.kernel import Term
from shbcore.proof.language import Direction, Iterate, Node, Proximal, Scaled, Sum
from shbcore.proof.letters import d, recursion, sample, x, z_printed
from shbcore.proof.lines import _fact, first_term, jensen, last_term, tangent, uniform
from tests.test_attacks import Attack, _refusal, free

ORACLE = (WEAKLY_CONVEX, A1, A2)
ATTACKS: list[Attack] = []
HALF = sp.Rational(1, 2)
a, t, mu = sp.symbols("a t mu")
zero = Number(sp.S.Zero)
u, v, w = vector("u"), vector("v"), vector("w")
y, y_2 = vector("y", inside=True), vector("y_2", inside=True)
NOISY = Domain(nonnegative(L2))
CURVED = Domain(nonnegative(rho))
RUNS = ADMISSIBLE.also(at_least(N, 1))


def attacks(kind: str, *rows: tuple[str, str, Any]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


# --- limits: a parameter that the setting depends on goes to 0
def _moment() -> Line:
    return line(g_k**2 <= Number(L2), [1 * second_moment(g_k)], PAST, domain=NOISY, assumes=(A2,), scope=Scope.EVERY)


def _curved() -> Line:
    claim = f(y) + f.slope(y) @ (y_2 - y) - rho / 2 * (y_2 - y) ** 2 <= f(y_2)
    return line(claim, [1 * weak_convexity(f, y, y_2)], domain=CURVED, assumes=(WEAKLY_CONVEX,))


def _contraction() -> Line:
    terms = [
        1 / alpha**2 * nonexpansive(x_next, trial, x_k),
        1 * square_convexity(g_k, d_k, beta),
        beta * second_moment(g_k),
    ]
    where = Domain(positive(alpha), between(beta, 0, 1), nonnegative(L2))
    claim = d_next**2 <= beta * Number(L2) + (1 - beta) * d_k**2
    return line(claim, terms, TOTAL, domain=where, assumes=(A2,), scope=Scope.STEP)


def _shrinking_prox() -> Line:
    p = Proximal("p", f, t, u)
    where = Domain(defined(rho, 0), between(t, 0, 1))
    claim = 2 * t * f(p) + (p - u) ** 2 <= 2 * t * f(y) + (y - u) ** 2
    return line(claim, [2 * t * _fact("prox_minimises", p, y)], domain=where, assumes=(WEAKLY_CONVEX,))


def _shrinking_series() -> Line:
    where = Domain(positive(alpha), between(t, 0, 1))
    claim = Series(t * d_next**2).equals(t * d(1, True) ** 2 + Series(t * d_next**2, 1))
    return line(claim, [1 * first_term(t * d_next**2)], TOTAL, domain=where, scope=Scope.RUN_ANY)


attacks(
    "limits",
    ("E|g|^2 <= L^2 as L -> 0", "limit", lambda: Limit(_moment(), L2)),  # any oracle that is not 0
    ("weak convexity as rho -> 0", "limit", lambda: Limit(_curved(), rho)),  # f = -rho x^2 / 2
    ("a step as beta -> 0", "limit", lambda: Limit(_contraction(), beta)),  # k = 0: d_0 = 0 and d_1 = beta g_0
    ("used in a line", "limit", lambda: _limit_used()),
    ("a parameter of an envelope -> 0", "limit", lambda: Limit(_shrinking_prox(), t)),  # f = x^2/2, u = 1, t = 1, X = R
    ("a parameter in a series -> 0", "limit", lambda: Limit(_shrinking_series(), t)),  # t = 1, K = 0, d_1 != 0
)


def _limit_used() -> Line:
    below = Limit(_contraction(), beta)
    return line(
        d_next**2 <= d_k**2,
        [1 * below],
        TOTAL,
        domain=Domain(positive(alpha), nonnegative(L2)),
        assumes=(A2,),
        scope=Scope.STEP,
    )


# --- domains: an earlier line fixes a parameter of the setting, of which the later line does not speak
def _convex_below() -> Line:
    claim = f(y) + f.slope(y) @ (y_2 - y) <= f(y_2)
    low = line(claim, [1 * weak_convexity(f, y, y_2)], domain=Domain(defined(rho, 0)), assumes=(WEAKLY_CONVEX,))
    return line(claim, [1 * low], domain=Domain(), assumes=(WEAKLY_CONVEX,))


def _no_momentum_below() -> Line:
    claim = ((x_next - x_k + alpha * g_k) @ v).equals(0)
    fact = whole_space(x_next, x_k - alpha * g_k, v)
    how = {"assumes": (WHOLE_SPACE,), "scope": Scope.STEP}
    low = line(claim, [1 * fact], domain=Domain(positive(alpha), defined(beta, 1)), **how)
    return line(claim, [1 * low], domain=Domain(positive(alpha)), **how)


def _noise_below() -> Line:
    how = {"assumes": (A2,), "scope": Scope.EVERY}
    low = line(g_k**2 <= Number(sp.S.One), [1 * second_moment(g_k)], PAST, domain=Domain(defined(L2, 1)), **how)
    return line(g_k**2 <= Number(sp.S.One), [1 * low], PAST, domain=Domain(), **how)


attacks(
    "domains",
    ("rho = 0 in an earlier line only", "rho", _convex_below),  # f = -x^2/2
    ("beta = 1 in an earlier line only", "beta", _no_momentum_below),  # beta = 1/2
    ("L = 1 in an earlier line only", "L^2", _noise_below),  # |g| = 2
    ("a bound with a pole", "", lambda: sign(a * mu - 1, domain=Domain(nonnegative(a), at_least(mu, 1 / a)))),  # a = 0
    ("a float in a tree", "", lambda: free(Number(sp.Float(1 / 3)).equals(Number(sp.Rational(1, 3))))),
    (
        "a second beta, printed alike",
        "",
        lambda: line(
            ((sp.Symbol(r"\beta") - 1) * u**2).equals(0),
            domain=Domain(between(beta, 0, 1), defined(sp.Symbol(r"\beta"), 1)),
        ),
    ),
    (
        "a prox for any lambda, rho without a range",
        "rho",
        lambda: _prox_anyhow(),
    ),  # f = -x^2, lambda = 1: no minimiser
    ("an envelope of an envelope", "prox", lambda: _envelope_twice()),  # f = -rho x^2/2, lambda = .5/rho, mu = .9/rho
)


def _prox_anyhow() -> Line:
    p = F_env.prox(u, "p")
    claim = F_env(u).equals(f(p) + (p - u) ** 2 / (2 * lam))
    return line(claim, [1 * envelope_attained(F_env, p)], domain=Domain(positive(lam)), assumes=(WEAKLY_CONVEX,))


def _envelope_twice() -> Line:
    twice = Function("G", role="envelope", of=F_env, envelope=mu)
    p = twice.prox(u, "p")
    claim = twice(u).equals(F_env(p) + (p - u) ** 2 / (2 * mu))
    where = ADMISSIBLE.also(inverse_above(mu, rho))
    return line(claim, [1 * envelope_attained(twice, p)], domain=where, assumes=(WEAKLY_CONVEX,))


# --- facts
def _envelope_monotone() -> Line:
    phi = Function(r"\psi", role="convex", of=F_env)
    claim = zero <= (F_env.slope(y) - F_env.slope(y_2) + rho * (y - y_2)) @ (y - y_2)
    terms = [1 * tangent(F_env, phi, y, y_2), 1 * tangent(F_env, phi, y_2, y)]
    return line(claim, terms, assumes=(WEAKLY_CONVEX,))


def _envelope_sample() -> Line:
    g = F_env.sample(x_k)
    return line((g @ u).equals(F_env.slope(x_k) @ u), given=PAST, assumes=ORACLE, scope=Scope.EVERY)


def _empty_sum() -> Line:
    claim = Series(d_next**2, 0, "K-1").equals(d(1, True) ** 2 + Series(d_next**2, 1, "K-1"))
    return line(claim, [1 * first_term(d_next**2, "K-1")], TOTAL, domain=RUNS, scope=Scope.SHORT_RUN)


def _odd_sum() -> Line:
    odd: Any = "-1"
    claim = Series(d_next**2, 0, odd).equals(d(1, True) ** 2 + Series(d_next**2, 1, odd))
    return line(claim, [1 * first_term(d_next**2, odd)], TOTAL, domain=RUNS, scope=Scope.RUN)


attacks(
    "facts",
    ("the envelope as weakly convex as f", "not the objective", _envelope_monotone),  # f = -rho x^2/2
    ("a sample of the envelope called g_k", "not the objective", _envelope_sample),  # f = x^2/2: F' = x/(1+lambda)
    (
        "the convex function of an envelope",
        "",
        lambda: line(
            Function(r"\psi", role="convex", of=F_env)(HALF * y + HALF * y_2)
            <= HALF * Function(r"\psi", role="convex", of=F_env)(y)
            + HALF * Function(r"\psi", role="convex", of=F_env)(y_2),
            [1 * jensen(Function(r"\psi", role="convex", of=F_env), y, y_2, HALF)],
            assumes=(WEAKLY_CONVEX,),
        ),
    ),  # f = -rho x^2/2
    (
        "a prox point for lambda = -1",
        "",
        lambda: line(
            f_star <= f(Proximal("p", f, sp.Integer(-1), u)),
            [1 * infimum(f, Proximal("p", f, sp.Integer(-1), u))],
            domain=Domain(),
            assumes=(BOUNDED_BELOW, WEAKLY_CONVEX),
        ),
    ),
    ("the first term of an empty sum", "", _empty_sum),  # K = 0: 0 = E|d_1|^2
    ("a sum to -1", "", _odd_sum),
)


# --- fields
def _far() -> Line:
    g = sample(10**6 + 1)
    return line((g @ x_k).equals(f.slope(x(10**6 + 1)) @ x_k), assumes=ORACLE, scope=Scope.EVERY)


def _far_moment() -> Line:
    h = f.sample(vector("q", PATHWISE, inside=True), "h")
    return line(h**2 <= Number(L2), [1 * second_moment(h)], PATHWISE, domain=NOISY, assumes=(A2,))


def _before_everything() -> Line:
    h = f.sample(vector("q", TOTAL - 1, inside=True), "h")
    return line(E(h**2).equals(h**2), domain=Domain())


def _first_given_past() -> Line:
    claim = (sample(1, True) @ x(1, True)).equals(f.slope(x(1, True)) @ x(1, True))
    return line(claim, given=PAST, assumes=ORACLE, scope=Scope.RUN_ANY)


def _first_by_number() -> Line:
    odd: Any = 2
    x_5 = Iterate(5, odd)
    claim = (f.sample(x_5, "h") @ x_5).equals(f.slope(x_5) @ x_5)
    return line(claim, given=PAST, assumes=ORACLE, scope=Scope.EVERY)


def _early_sample() -> Line:
    h = f.sample(HALF * x_prev + HALF * y, "h")
    return line((h @ g_k).equals(h @ f.slope(x_k)), given=PAST, assumes=ORACLE, scope=Scope.EVERY)


def _late_sample() -> Line:
    point = x_k + Scaled(sp.S.Zero, x(5))
    return line(
        (f.sample(point, "h") @ Direction(3)).equals(f.slope(point) @ Direction(3)),
        given=TOTAL,
        assumes=ORACLE,
        scope=Scope.EVERY,
    )


def _mixed_sample() -> Line:
    point = HALF * x(3, True) + HALF * x_k
    late = vector("q", 2)
    claim = (f.sample(point, "h") @ late).equals(f.slope(point) @ late)
    return line(claim, given=TOTAL, assumes=ORACLE, scope=Scope.RUN_ANY)


attacks(
    "fields",
    ("(A1) for every outcome, a million steps on", "", _far),
    ("(A2) for every outcome, at a point of the finest field", "", _far_moment),
    ("a sample that is known before everything", "", _before_everything),
    ("letters of the first step given F_{k-1} in a run", "first step", _first_given_past),  # K >= 2: g_1 is known
    ("a first step that is counted 2", "first", _first_by_number),  # k >= 6
    ("a sample at a mean of x_{k-1} at k = 0", "", _early_sample),  # k = 0: h = f'(., S_0), as g_0
    ("a sample that waits five steps", "", _late_sample),  # h = g_k
    ("a sample at a point of two anchors", "", _mixed_sample),  # K >= 9, q = h
)


# --- rules
def _printed_series() -> Line:
    claim = Series(z_k**2).equals(Series((beta * g_k + (1 - beta) * d_k) ** 2))
    return line(claim, given=TOTAL, domain=RUNS, scope=Scope.RUN_PRINTED)


def _circular() -> Induction:
    """E f(x_k) - E f(x_{k-1}) <= rho alpha^2 L^2 / 2: true at k = 0, and at k = 1 with the printed start; step: itself at k + 1."""
    where = Domain(nonnegative(rho), nonnegative(L2), positive(alpha), between(beta, 0, 1))
    bound = rho * alpha**2 * L2 / 2
    relation = f(x_k) - f(x_prev) <= Number(bound)
    own = hypothesis(relation)
    (mark,) = own.unfolded.foundations
    x_0, x_1, g_0 = x(0, True), x(1, True), sample(0, True)
    base = line(f(x_0) - f(x_0) <= Number(bound), [1 * number(bound)], TOTAL, domain=where, scope=Scope.FIRST_ANY)
    needs = (SMOOTH, WHOLE_SPACE, A1, A2)
    y_0 = x_0 - alpha * z_printed
    second = line(
        f(x_1) - f(x_0) <= Number(bound),
        [
            1 * smooth_above(f, x_0, x_1),
            alpha * square(f.slope(x_0)),
            rho * alpha**2 / 2 * second_moment(g_0),
            1 * whole_space(x_1, y_0, f.slope(x_0)),
            rho / 2 * whole_space(x_1, y_0, x_1 - x_0 - alpha * g_0),
        ],
        TOTAL,
        domain=where,
        assumes=needs,
        scope=Scope.FIRST,
    )
    again = line(relation, [Term(sp.S.One, own)], TOTAL, domain=where, assumes=(mark,), scope=Scope.EVERY)
    step = line(
        f(x_next) - f(x_k) <= Number(bound), [1 * Later(again)], TOTAL, domain=where, assumes=(mark,), scope=Scope.STEP
    )
    return Induction(relation, base, step, second)


def _own_in_an_induction() -> Induction:
    relation = x_k**2 <= zero
    lines = []
    for claim, scope in (
        (x(0, True) ** 2 <= zero, Scope.FIRST_ANY),
        (x_next**2 <= zero, Scope.STEP),
        (x(1, True) ** 2 <= zero, Scope.FIRST),
    ):
        use, mark = assume(E(claim.left) <= zero, "all is 0")
        lines.append(line(claim, [1 * use], TOTAL, domain=Domain(), assumes=(mark,), scope=scope))
    return Induction(relation, lines[0], lines[1], lines[2])


def _biased_sum() -> Line:
    noise = (g_k - f.slope(x_k)) @ x_k
    where = Domain(at_least(N, 1))
    nothing = line(zero <= zero, [1 * number(0)], TOTAL, domain=where, scope=Scope.EVERY)
    total = Summation(nothing, zero, noise, sp.S.One, sp.S.Zero)
    return line(total.statement.relation, [1 * total], TOTAL, domain=where, scope=Scope.RUN_ANY)


def _biased_induction() -> Induction:
    def nothing(scope: Scope) -> Line:
        return line(zero <= zero, [1 * number(0)], TOTAL, domain=Domain(), scope=scope)

    relation = (g_k - f.slope(x_k)) @ x_k <= zero
    return Induction(relation, nothing(Scope.FIRST_ANY), nothing(Scope.STEP), nothing(Scope.FIRST))


attacks(
    "rules",
    ("(A1) in a sum, not assumed", "", _biased_sum),  # a biased oracle
    ("(A1) in an induction, not assumed", "", _biased_induction),
    (
        "the recursion at k = 0 at a random index, either start",
        "",
        lambda: line(
            RandomIndex(z_k**2).equals(RandomIndex(recursion() ** 2)), given=TOTAL, domain=RUNS, scope=Scope.RUN_ANY
        ),
    ),
    ("the recursion at k = 0 inside a sum, printed start", "", _printed_series),  # K = 0: |g_0|^2 = beta^2 |g_0|^2
    (
        "an induction whose step is its hypothesis, later",
        "",
        _circular,
    ),  # clip(x), x_0 = 1, alpha = 1.9, beta = .01: k = 2
)


# --- names: what is printed is not what is proved
def _quiet(claim: Relation, *terms: Any, **how: Any) -> Line:
    return line(claim, terms, **{"assumes": ORACLE, "scope": Scope.EVERY, **how})


def _same_name(role: Any, **more: Any) -> Function:
    return Function("f", role=role, **more)


def _hat_of_another(function: Function) -> Line:
    hat = function.prox(x_bar, r"\hat x_k")
    claim = function(x_bar).equals(f(hat) + (hat - x_bar) ** 2 / lam)
    return _quiet(claim, 1 * envelope_attained(function, hat))


attacks(
    "names",
    (
        "z_{k+1} called z_k",
        "",
        lambda: identity(Named("z_k", recursion(1), "recursion", 1), recursion(1), scope=Scope.EVERY),
    ),
    (
        "z_{k+1} called p_k",
        "",
        lambda: identity(Named("p_k", recursion(1), "recursion", 1), recursion(1), scope=Scope.EVERY),
    ),
    ("f(x_k) called f^*", "", lambda: identity(f(x_k), Named(r"f^\star", f(x_k)), scope=Scope.EVERY)),
    ("f(x_k) called f(x_{k+1})", "", lambda: identity(f(x_k), Named("f(x_{k+1})", f(x_k)), scope=Scope.EVERY)),
    ("0 called 1", "", lambda: identity(Named("1", zero), 0, domain=Domain())),
    (
        "0 called the gradient of the envelope",
        "",
        lambda: identity(Named(r"\nabla F_\lambda(\bar x_k)", Sum(())) ** 2, 0, scope=Scope.EVERY),
    ),
    (
        "a constant called x_{k}",
        "",
        lambda: line(
            (g_k @ vector("g_{k}")).equals(f.slope(x_k) @ vector("g_{k}")),
            given=TOTAL,
            assumes=ORACLE,
            scope=Scope.EVERY,
        ),
    ),
    (
        "a conjugate called f",
        "",
        lambda: free(
            _same_name("conjugate")(u).equals(u @ Projected("p", u) - Projected("p", u) ** 2 / 2),
            1 * conjugate_value(_same_name("conjugate"), Projected("p", u), u),
        ),
    ),
    (
        "a convex part called f",
        "",
        lambda: free(
            _same_name("convex", of=f)(HALF * y + HALF * y_2)
            <= HALF * _same_name("convex", of=f)(y) + HALF * _same_name("convex", of=f)(y_2),
            1 * jensen(_same_name("convex", of=f), y, y_2, HALF),
            assumes=(WEAKLY_CONVEX,),
        ),
    ),
    (
        "another function for the objective",
        "",
        lambda: line(
            Function("q")(y) + Function("q").slope(y) @ (y_2 - y) - rho / 2 * (y_2 - y) ** 2 <= Function("q")(y_2),
            [1 * weak_convexity(Function("q"), y, y_2)],
            assumes=(WEAKLY_CONVEX,),
        ),
    ),
    (
        "the envelope for lambda/2 called F_lambda",
        "",
        lambda: _hat_of_another(Function(r"F_\lambda", role="envelope", of=f, envelope=lam / 2)),
    ),
    (
        "the prox for lambda/2 called x_hat_k",
        "",
        lambda: _hat_of_another(Function("G", role="envelope", of=f, envelope=lam / 2)),
    ),
    (
        "a slope called twice the slope",
        "",
        lambda: line(
            (g_k @ u).equals(Function("f", "2f'").slope(x_k) @ u), given=PAST, assumes=ORACLE, scope=Scope.EVERY
        ),
    ),
    (
        "two assumptions of one's own under one name",
        "",
        lambda: free(
            u**2 <= zero, 1 * assume(u**2 <= zero, "far apart")[0], assumes=(assume(u @ v <= zero, "far apart")[1],)
        ),
    ),
    (
        "an assumption of one's own called (A1)",
        "",
        lambda: free(
            Number(sp.S.One) <= zero,
            1 * assume(Number(sp.S.One) <= zero, "(A1)")[0],
            assumes=(assume(Number(sp.S.One) <= zero, "(A1)")[1],),
        ),
    ),
)


# --- python: classes of one's own
class _Magic(Join):
    """A join that proves what it says."""

    name = "magic"

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    def proved(self, *_: Any) -> set[Foundation]:
        return set()


class _Wish(Fact):
    """A fact that says something else."""

    @property
    def unfolded(self) -> Any:
        from shbcore.proof.facts import Unfolded

        return Unfolded(u**2 <= zero, ())


class _Low(Function):
    """A function whose values are a hundred less."""

    def __call__(self, at: Node) -> Any:
        return f(at) - 100


class _Ring(Foundation):
    """A foundation that equals every other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(WHOLE_SPACE)


def _changed() -> Line:
    good = free(zero <= u**2, 1 * square(u))
    assert check(good).passed
    object.__setattr__(good, "statement", Statement(u**2 <= zero, domain=good.statement.domain))
    return good


def _cached() -> Any:
    later = Later(free(zero <= u**2, 1 * square(u), scope=Scope.EVERY))
    later.__dict__["statement"] = Statement(u**2 <= zero, scope=Scope.EVERY)
    return later


attacks(
    "python",
    ("a join of one's own", "", lambda: _Magic(Statement(u**2 <= zero))),
    ("a line that uses it", "", lambda: free(u**2 <= zero, 1 * _Magic(Statement(u**2 <= zero)))),
    ("a subclass of a fact", "", lambda: free(u**2 <= zero, Term(sp.S.One, _Wish("square", (u,))))),
    (
        "a subclass of a function",
        "",
        lambda: line(
            f_star <= f(y) - 100,
            [Term(sp.S.One, Fact("infimum", (_Low("f"), y)))],
            domain=Domain(),
            assumes=(BOUNDED_BELOW,),
        ),
    ),
    ("a cached statement changed", "", lambda: _cached()),
    (
        "a subclass of a foundation",
        "",
        lambda: line(
            f_star <= f(u), [1 * infimum(f, u)], assumes=(BOUNDED_BELOW, _Ring("fair weather", "assumption", ""))
        ),
    ),
    ("a statement changed after its check", "", _changed),
)


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    refusal = _refusal(one)
    assert refusal is not None, "a false claim was accepted"
    assert one.reason in refusal, refusal


# --- words: true, but not what is printed
def _words(build: Any) -> str:
    found = build()
    return found.statement.words if check(found).passed else "refused"


def _last_sum() -> Line:
    claim = Series(d_k**2).equals(Series(d_k**2, 0, "K-1") + d(-1) ** 2)
    return line(claim, [1 * last_term(d_k**2)], TOTAL, domain=RUNS, scope=Scope.RUN_ANY)


def _hidden_step() -> Line:
    terms = [1 * nonexpansive(x_next, x_k - g_k, x_k), 1 * second_moment(g_k)]
    where = Domain(defined(alpha, 1), defined(beta, 1), nonnegative(L2))
    return line((x_next - x_k) ** 2 <= Number(L2), terms, PAST, domain=where, assumes=(A2,), scope=Scope.STEP)


def _hidden_curvature() -> Line:
    claim = f(y) + f.slope(y) @ (y_2 - y) - HALF * (y_2 - y) ** 2 <= f(y_2)
    terms = [1 * weak_convexity(f, y, y_2), (1 - rho) / 2 * square(y_2 - y)]
    return line(claim, terms, domain=Domain(between(rho, 0, 1)), assumes=(WEAKLY_CONVEX,))


def _hidden_steps() -> Line:
    from shbcore.claims.appendix_a import NOISE, lemma_3

    potential = (1 - beta) * f(x_prev) + nu / 2 * p_k**2
    total = Summation(lemma_3(), potential, d_next**2, alpha, alpha**2 * NOISE * L2)
    says = total.statement
    right = says.relation.map(lambda side: side)
    begin = right.right.parts[:-1]  # type: ignore[attr-defined]
    claim = right.left <= Sum(begin) + Number(alpha**2 * NOISE * L2)
    where = ADMISSIBLE.also(defined(N, 1))
    return line(claim, [1 * total], TOTAL, domain=where, assumes=says.assumes, scope=Scope.RUN)


def _run_without_sum() -> Line:
    from shbcore.claims.appendix_a import d_bound

    terms = [1 * Later(d_bound()), 1 * square(d_k)]
    step = line(d_next**2 <= d_k**2 + Number(L2), terms, TOTAL, domain=RUNS, assumes=(A2,), scope=Scope.EVERY)
    total = Summation(step, d_k**2, d_k**2, sp.S.Zero, L2)
    claim = d_k**2 <= d(0, True) ** 2 + N**2 * Number(L2)
    return line(claim, [1 * total], TOTAL, domain=RUNS, assumes=(A2,), scope=Scope.RUN_ANY)


WORDS = [
    ("an induction names the assumptions of one's own in its parts", "all is 0", _own_in_an_induction),
    ("E|x_{k+1} - x_k|^2 <= L^2 says that alpha = 1", r"\alpha", _hidden_step),
    ("convexity up to 1/2 says that rho <= 1", r"\rho\in", _hidden_curvature),
    (
        "E|g|^2 <= 1 says that L = 1",
        "L^2=1",
        lambda: line(
            g_k**2 <= Number(sp.S.One),
            [1 * second_moment(g_k)],
            PAST,
            domain=Domain(defined(L2, 1)),
            assumes=(A2,),
            scope=Scope.EVERY,
        ),
    ),
    ("a sum of one step says that K = 0", r"\sqrt{K + 1}=1", lambda: _hidden_steps()),
    (
        "the infimum says that y lies in X",
        r"\mathcal{X}",
        lambda: line(f_star <= f(y), [1 * infimum(f, y)], domain=Domain(), assumes=(BOUNDED_BELOW,)),
    ),
    (
        "E[|q|^2|F_{k-1}] = |q|^2 says when q is known",
        r"$q$ is known at $\mathcal{F}_{k-1}$",
        lambda: line(E(vector("q", PAST) ** 2, PAST).equals(vector("q", PAST) ** 2), domain=Domain()),
    ),
    ("a run without a sum says which step is meant", "K+1", lambda: _run_without_sum()),
    (
        "two random indices are told apart",
        r"k^{**}",
        lambda: line(
            (N**2 * RandomIndex(d_k**2) - N**2 * RandomIndex(d_k**2, True)).equals(
                Series(d_k**2) - d(0, True) ** 2 - Series(d_k**2, 0, "K-1")
            ),
            [1 * uniform(d_k**2), -1 * uniform(d_k**2, shift=True)],
            TOTAL,
            domain=RUNS,
            scope=Scope.RUN,
        ),
    ),
    ("the last term of a sum is d_K", "d_K", _last_sum),
    (
        "a random index is in every letter",
        r"d_{k^*+1}",
        lambda: line(
            (N**2 * RandomIndex(d_next**2)).equals(Series(d_next**2)),
            [1 * uniform(d_next**2)],
            TOTAL,
            domain=RUNS,
            scope=Scope.RUN,
        ),
    ),
    (
        "twice a negative number is no difference",
        r"2 \left(-",
        lambda: line(Scaled(sp.Integer(2), Sum((-(u**2),))) <= zero, [2 * square(u)], domain=Domain()),
    ),
]


@pytest.mark.parametrize(("what", "word", "build"), WORDS, ids=lambda one: one if isinstance(one, str) else "")
def test_the_words_say_what_makes_it_true(what: str, word: str, build: Any) -> None:
    words = _words(build)
    assert words == "refused" or word in words, words
