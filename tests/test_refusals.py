"""What the language and the kernel refuse, each in its own words: wrong kinds of things, and right things in a wrong place."""

import re
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.domain import Range
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Term, parameters
from shbcore.proof.language import Direction, Inner, Mean, Scaled, Sum, Tail, Value, at_start
from shbcore.proof.letters import x
from shbcore.proof.lines import convex_part, last_term, nearest, uniform

a, b, t = sp.symbols("a b t")
u, v = vector("u"), vector("v")
y = vector("y", inside=True)
EMPTY = Domain()
ROOT = ADMISSIBLE.also(at_least(N, 1))
SEGMENT = Domain(between(t, 0, 1))


# --- the language

WORDS: dict[str, Any] = {
    "a coefficient must be a number: write u @ v": lambda: u * v,
    "a multiplier must be a number: write u @ v": lambda: square(v).__rmul__(u**2),
    "coefficient 'a' is a string: write sp.Symbol('a')": lambda: "a" * u,
    "is not exact: write Fraction(1, 3)": lambda: 0.3333 * u,
    "coefficient True is not exact: write Fraction(11, 10)": lambda: True * u,
    "coefficient 0.0 is not exact: write Fraction(11, 10)": lambda: 0.0 * u,
    "coefficient -inf is not exact: write Fraction(11, 10)": lambda: -float("inf") * u,
    "coefficient nan is not exact: write Fraction(11, 10)": lambda: float("nan") * u,
    "a coefficient must be a number or an expression in parameters, got list": lambda: u * [1],
    "is no rational expression in real parameters: sqrt(a) stands in it": lambda: (1 + sp.sqrt(a)) * u,
    "is no rational expression in real parameters: 2**a stands in it": lambda: 2**a * u,
    "a vector and a scalar cannot be added or compared": lambda: u + u**2,
    "a vector cannot be added to the number 1": lambda: u + 1,
    "a division by zero": lambda: u / 0,
    "u @ v is the inner product of two vectors": lambda: u @ u**2,
    "only the squared norm v**2 of a vector is defined, got exponent 3": lambda: u**3,
    "only the squared norm v**2 of a vector is defined, got exponent 2": lambda: (u @ v) ** 2,
    "vectors are compared by equals(), scalars by <= and >=": lambda: u <= v,
    "a formula is neither true nor false": lambda: bool(u**2),
    "a relation is not decided by Python": lambda: bool(0 <= u**2),
    "a line is not decided by Python": lambda: bool(line(0 <= u**2)),
    "a line is not decided by Python: ask check": lambda: bool(projection(x_next, trial, y)),
    "role = 'other': a function is an objective": lambda: Function("q", role="other"),  # type: ignore[arg-type]
    "q: an envelope has a function and a parameter": lambda: Function("q", role="envelope", of=f),
    "r: an envelope has a function and a parameter": lambda: Function("r", envelope=lam),
    "s: an envelope has a function and a parameter": lambda: Function("s", role="convex"),
    "w: an envelope has a function and a parameter": lambda: Function("w", of=f),
    "sample of f at u: give it a name": lambda: f.sample(u),
    "f is no envelope, so it has no prox point": lambda: f.prox(u, "q"),
    "f is a function of a vector, such as vector('y'), got 1": lambda: f(1),  # type: ignore[arg-type]
    "f is a function of a vector, such as vector('y'), got Inner": lambda: f.slope(u**2),
    "of = 1 must be a scalar of the language": lambda: E(1),  # type: ignore[arg-type]
    "given = 0.5 must be an int (a field": lambda: E(u**2, 0.5),  # type: ignore[arg-type]
    "known = 'k' must be an int (a field": lambda: vector("q", "k"),  # type: ignore[arg-type]
    "index = True must be an int (a step)": lambda: Direction(True),
    "sense = '<': a relation is '<=' or '=='": lambda: Relation(u**2, v**2, "<"),  # type: ignore[arg-type]
    "both sides of a relation are scalars, or both are vectors": lambda: Relation(u, u**2, "=="),
    "both sides of a relation are scalars, or both": lambda: Relation(u**2, 1),  # type: ignore[arg-type]
    "vectors have no order: use equals()": lambda: Relation(u, v),
    "node = 1 must be a tree of the language (another step)": lambda: shifted(1),  # type: ignore[arg-type]
    "by = True must be an integer (another step)": lambda: shifted(x_k, True),
    "q belongs to step k, and it is not said what it is at the next step": lambda: shifted(vector("q", PAST)),
    "x^+ belongs to step k, and it is not said": lambda: shifted(Projected("x^+", x_k)),
    "g is drawn at step k, and it is not said what it is": lambda: shifted(f.sample(u, "g")),
    "must be a Statement": lambda: Line(0 <= u**2),  # type: ignore[arg-type]
    "terms must be multiplier * fact, got": lambda: line(0 <= u**2, [square(u)]),  # type: ignore[list-item]
    "a multiplier must stand before its fact and be a number, not 2": lambda: square(u) * 2,
    "terms = 1 must be a list (a line of a proof)": lambda: line(0 <= u**2, 1),  # type: ignore[arg-type]
    "assumes = 'A1' must be a list (a line of a proof)": lambda: line(0 <= u**2, assumes="A1"),  # type: ignore[arg-type]
    "assumes = 1 must be a tuple of foundations, such as (A1, A2)": lambda: Statement(0 <= u**2, assumes=1),  # type: ignore[arg-type]
    "assumes: 'A1' is no foundation": lambda: Statement(0 <= u**2, assumes=("A1", "A2")),  # type: ignore[arg-type]
    "given = 'F' must be a int": lambda: Statement(0 <= u**2, "F"),  # type: ignore[arg-type]
    "v = 2 must be a vector of the language, such as x_k (square)": lambda: square(2),  # type: ignore[arg-type]
    "v = Inner": lambda: square(u**2),
    "must be a function of the language, such as f (infimum)": lambda: infimum(x_k, x_k),  # type: ignore[arg-type]
    "this is no oracle's sample (variance)": lambda: variance(u),  # type: ignore[arg-type]
    "must be a prox point, such as x_hat (prox_optimality)": lambda: prox_optimality(x_k, y),  # type: ignore[arg-type]
    "must be a scalar of the language, such as g_k**2 (uniform)": lambda: uniform(u),
    "must be a relation, such as g_k**2 <= Number(L2) (assumed)": lambda: assume(u**2, "short"),  # type: ignore[arg-type]
    "left = 1 must be a vector or a scalar of the language": lambda: identity(1, u),  # type: ignore[arg-type]
    "a = 1 must be a vector of the language, such as x_k (young)": lambda: young(1, u, 1),  # type: ignore[arg-type]
    "fact 'cauchy' is unknown; the facts are square, number": lambda: Fact("cauchy", (u, v)),
    "f is not declared as the convex function of f": lambda: convex_part(f, f, x_k),
    "a sum to K-1 may be empty: it has no first term": lambda: Fact("first_term", (u**2, "K-1")).unfolded,
    ": write beta, as the setting does": lambda: positive(sp.Symbol(r"\beta")),
    "parameter a_{k+0}: a member of a sequence has one name": lambda: positive(sp.Symbol("a_{k+0}")),
    "parameter a_{k}: a member of a sequence has one name": lambda: positive(sp.Symbol("a_{k}")),
    "parameter a_{k+01}: a member of a sequence has one name": lambda: positive(sp.Symbol("a_{k+01}")),
    "parameter a_{3}: a member of a sequence has one name": lambda: positive(sp.Symbol("a_{3}")),
    "a domain is made of ranges and definitions": lambda: Domain(a),  # type: ignore[arg-type]
    "a domain is made of ranges and definitions, such as": lambda: EMPTY.also(a > 0),
    "parameter a has two ranges or definitions": lambda: Domain(positive(a), defined(a, 1)),
    "must be a Domain (the parameters of the tree)": lambda: recondition(u**2, NOW, PAST, None),  # type: ignore[arg-type]
    "coarse = 0.5 must be a field, such as PAST": lambda: recondition(u**2, NOW, 0.5, EMPTY),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("words", WORDS)
def test_what_is_no_part_of_the_language_is_refused_where_it_is_written(words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        WORDS[words]()


def test_a_number_of_another_kind_is_taken_as_it_is() -> None:
    assert Fraction(2, 3) * u == sp.Rational(2, 3) * u
    assert (1 - u**2, u**2 - 1) == (Sum((Number(1), -(u**2))), Sum((u**2, Number(-1))))
    assert (1 * u, -1 * (u - v), 1 * (u - v)) == (u, Sum((-1 * u, -1 * (-v))), u - v)
    assert 3 * (2 * u) == Scaled(sp.Integer(6), u)
    assert 2 * Number(3) == Number(6)
    assert u / 2 == Scaled(sp.Rational(1, 2), u)
    assert "write Fraction(1, 1000)" in str(_refused(lambda: 0.00099 * u))


def _refused(build: Any) -> Exception:
    with pytest.raises((TypeError, ValueError)) as told:
        build()
    return told.value


# --- the kernel


def says(claim: Relation, *terms: Term, given: Any = PATHWISE, domain: Domain = EMPTY, **more: Any) -> str:
    """What the kernel answers: nothing, where it accepts."""
    return check(line(claim, terms, given, domain=domain, **more)).detail


class Twice(Function):
    """A function of one's own: no part of the language."""


class Wider(Domain):
    """A domain of one's own."""


envelope_2 = Function(r"F_\lambda", role="envelope", of=f, envelope=lam / 2)
other_f = Function("q", role="convex", of=f)
same_f = Function("q", role="conjugate")
WEAK = {"domain": ADMISSIBLE, "assumes": (WEAKLY_CONVEX,), "scope": Scope.EVERY}
PROX = {"domain": ADMISSIBLE, "assumes": (WEAKLY_CONVEX,), "scope": Scope.LATE}


def _named_prox(name: str, of: Any, envelope: Any = lam) -> str:
    far = Function("F", role="envelope", of=f, envelope=envelope).prox(of, name)
    return says(0 <= far**2, 1 * square(far), **PROX)


def _limit(claim: Relation, *terms: Term, domain: Domain = SEGMENT, **more: Any) -> Limit:
    return Limit(line(claim, terms, domain=domain, **more), t)


def _of_an_envelope() -> Value:
    """The value of a function that belongs to an envelope with parameter t."""
    return Function("q", role="convex", of=Function("F", role="envelope", of=f, envelope=t))(y)


def _inside_a_point() -> str:
    point = y + t * (x_k - y)
    own = line(
        f_star <= f(point),
        [1 * infimum(f, point)],
        domain=ADMISSIBLE.also(between(t, 0, 1)),
        assumes=(BOUNDED_BELOW,),
        scope=Scope.EVERY,
    )
    assert check(own).passed
    return check(Limit(own, t)).detail


def _projected_limit() -> str:
    own = Projected("q", u + t * v)
    return check(_limit(0 <= own**2, 1 * square(own))).detail


def _used_again() -> str:
    whole = _limit(0 <= u**2 + t * u**2, (1 + t) * square(u))
    assert check(whole).passed
    return check(whole, Domain(between(t, 0, 1))).detail


KEPT = 0 <= x_k**2


def _induction(**change: Any) -> Induction:
    """That a square is not negative, for every step, in the long way."""
    own = hypothesis(change.pop("of", KEPT), change.get("given", TOTAL))
    given = change.get("given", TOTAL)
    parts = {
        "base": line(KEPT.map(at_start), [1 * square(x(0, True))], given, scope=Scope.FIRST_ANY),
        "step": line(
            KEPT.map(shifted),
            [1 * square(x_next), Term(sp.S.Zero, own)],
            given,
            assumes=own.unfolded.foundations,
            scope=Scope.EVERY,
        ),
        "second": line(
            KEPT.map(lambda side: at_start(shifted(side))), [1 * square(x(1, True))], given, scope=Scope.FIRST
        ),
    }
    return Induction(**{"relation": KEPT, **parts, **change})


def _assumes_it() -> Induction:
    own = hypothesis(KEPT)
    base = line(
        KEPT.map(at_start),
        [1 * square(x(0, True)), Term(sp.S.Zero, own)],
        TOTAL,
        assumes=own.unfolded.foundations,
        scope=Scope.FIRST_ANY,
    )
    return _induction(base=base)


def _falling(own: Any = None, domain: Domain = ROOT) -> Line:
    more = [Term(sp.S.Zero, own)] if own else []
    named = own.unfolded.foundations if own else ()
    return line(
        Number(0) <= Number(0) - 0 * x_k**2 + Number(L2),
        [1 * number(L2), *more],
        TOTAL,
        domain=domain,
        assumes=named,
        scope=Scope.STEP,
    )


def _sum(**change: Any) -> Summation:
    return Summation(_falling(**change), Number(0), x_k**2, 0, L2)


DETAILS: dict[str, Any] = {
    "a function is evaluated at a vector": lambda: says(Value(f, u**2) <= 0, 1 * square(u)),
    "Twice is no function of the language": lambda: says(Value(Twice("f"), u) <= 0, 1 * square(u)),
    "Wider is no Domain of the language": lambda: check(line(0 <= u**2, [1 * square(u)], domain=EMPTY), Wider()).detail,
    "is the paper's envelope, with parameter lambda": lambda: says(0 <= envelope_2(x_k), 1 * square(x_k), **WEAK),
    "two different things are called q": lambda: says(other_f(x_k) <= same_f(x_k), 1 * square(x_k), **WEAK),
    "the objective is called f, and the assumptions are about one function: not e": lambda: says(
        0 <= Function("e")(u), 1 * square(u)
    ),
    "not f": lambda: says(0 <= Function("f", "g'")(u), 1 * square(u)),
    "h^* is the paper's name of another function": lambda: says(
        0 <= Function("h^*", role="convex", of=f)(u), 1 * square(u)
    ),
    "f_lambda is the paper's name of another function": lambda: says(
        0 <= Function(r"f_\lambda", role="convex", of=f)(u), 1 * square(u)
    ),
    "x_hat_{k+3} is a name of the paper for something else": lambda: _named_prox(r"\hat x_{k+3}", x_k),
    "x_hat_k is a name of the paper for something else": lambda: _named_prox(r"\hat x_k", x_k),
    "x_hat_{k+1} is a name of the paper for something else": lambda: _named_prox(r"\hat x_{k+1}", x_bar_next, lam / 2),
    "x_k is not made by a step": lambda: says((x_k - u) ** 2 <= (y - u) ** 2, 1 * nearest(x_k, u, y), **WEAK),
    "q is not the projection of v": lambda: says((u - v) ** 2 <= (y - v) ** 2, 1 * nearest(Projected("q", u), v, y)),
    "v is not the projection of u": lambda: says((v - u) ** 2 <= (y - u) ** 2, 1 * nearest(v, u, y)),
    "a fact about the last step is used for every k>=0": lambda: says(
        Series(x_k**2).equals(Series(x_k**2, 0, "K-1") + E(x_prev**2)),
        1 * last_term(x_k**2),
        given=TOTAL,
        domain=ROOT,
        scope=Scope.EVERY,
    ),
    "t of a limit is used again in the domain": _used_again,
    "t moves a point at which a function is evaluated": _inside_a_point,
    "t moves a point": _projected_limit,
    "t stands in a denominator: no limit to 0": lambda: check(_limit(0 <= u**2 / t, 1 / t * square(u))).detail,
    "t is the parameter of an envelope: no limit to 0": lambda: (
        check(
            _limit(
                Function("F", role="envelope", of=f, envelope=t)(y) <= f(y),
                1 * envelope_infimum(Function("F", role="envelope", of=f, envelope=t), y, y),
                domain=Domain(between(t, 0, 1), defined(rho, 0)),
                assumes=(WEAKLY_CONVEX,),
            )
        ).detail
    ),
    "t is the parameter of an envelope": lambda: (
        check(
            _limit(
                _of_an_envelope() <= _of_an_envelope() + Number(t),
                1 * number(t),
                domain=Domain(between(t, 0, 1), defined(rho, 0)),
                assumes=(WEAKLY_CONVEX,),
            )
        ).detail
    ),
    "a sum over all steps: no limit to 0": lambda: (
        check(
            _limit(
                t * Series(x_k**2) <= t * Series(x_k**2) + Number(t),
                1 * number(t),
                given=TOTAL,
                domain=ROOT.also(between(t, 0, 1)),
                scope=Scope.RUN,
            )
        ).detail
    ),
    "the letters and the assumptions depend on rho: no limit to 0": lambda: (
        check(Limit(line(0 <= u**2, [1 * square(u)], domain=Domain(positive(rho))), rho)).detail
    ),
    "an induction is in total expectation, or for every outcome": lambda: check(_induction(given=PAST)).detail,
    "only the step of an induction may use its hypothesis": lambda: check(_assumes_it()).detail,
    "the step of the induction assumes another relation": lambda: check(_induction(of=0 <= x_next**2)).detail,
    "a part of the induction holds for every k>=0": lambda: check(_induction(base=_induction().step)).detail,
    "proves another relation than the one it is used for": lambda: (
        check(_induction(relation=Number(0) <= 2 * x_k**2, of=Number(0) <= 2 * x_k**2)).detail
    ),
    "the domain of a sum over k has N, the root of K + 1": lambda: check(_sum(domain=ADMISSIBLE)).detail,
    "the hypothesis of an induction is about step k, and is summed": lambda: check(_sum(own=hypothesis(KEPT))).detail,
    "parameter b has no range in the domain": lambda: says(0 <= u**2, 1 * square(u), domain=Domain(at_least(a, b))),
    "parameter a is defined by a division by zero": lambda: says(
        0 <= u**2, 1 * square(u), domain=Domain(defined(b, 0), defined(a, 1 / b))
    ),
    "the domain runs in a circle: a -> b -> a": lambda: says(
        0 <= u**2, 1 * square(u), domain=Domain(at_least(a, b), at_least(b, a))
    ),
    "the range of a may be empty": lambda: says(
        0 <= u**2, 1 * square(u), domain=Domain(positive(b), between(a, b, 2 * b - 1))
    ),
    "one over a may be negative": lambda: says(0 <= u**2, 1 * square(u), domain=Domain(Range(a, -1, inverse=True))),
    "an inequality without terms: nothing is proved": lambda: says(0 <= u**2),
    "an equality cannot rest on an inequality": lambda: says((u**2).equals(0), 1 * square(u)),
    "an equation between vectors is an identity": lambda: says(u.equals(u), 1 * square(u)),
    "the multiplier -1 is not shown to be non-negative": lambda: says(u**2 <= 0, -1 * square(u)),
    "a sum of vectors and scalars": lambda: says(0 <= Inner(Sum((u, u**2)), u), 1 * square(u)),
    "an inner product of something that is no vector": lambda: says(0 <= Inner(u**2, u), 1 * square(u)),
    "the expectation of a vector": lambda: says(0 <= Mean(u, PAST), 1 * square(u)),
    "Tail is no part of the language": lambda: says(Tail("lim", u**2) <= 0, 1 * square(u)),
}


@pytest.mark.parametrize("words", DETAILS)
def test_the_kernel_refuses_in_these_words(words: str) -> None:
    assert words in DETAILS[words]()


def test_what_the_refusals_are_changed_from_is_accepted() -> None:
    for one in (_induction(), _sum(), _induction(given=PATHWISE)):
        assert check(one).passed, check(one).detail
    assert _named_prox(r"\hat x_k", x_bar) == _named_prox("q", x_k) == _named_prox(r"\hat x_{k+1}", x_bar_next) == ""
    point = Named("q", Projected("r", u))
    assert says((Projected("r", u) - u) ** 2 <= (y - u) ** 2, 1 * nearest(point, u, y)) == ""  # type: ignore[arg-type]
    before = x_prev - alpha * Direction(-1)
    assert says((x_k - y) ** 2 <= (before - y) ** 2, 1 * nonexpansive(x_k, before, y), **PROX) == ""


@pytest.mark.parametrize(
    ("entries", "exists"),
    [
        ((nonnegative(rho), inverse_above(lam, rho)), True),
        ((nonnegative(rho), inverse_at_least(lam, rho)), False),
        ((positive(rho), inverse_at_least(lam, rho)), False),
        ((nonnegative(rho), inverse_at_least(lam, 2 * rho)), True),
        ((positive(rho), inverse_at_least(lam, 3 * rho / 2)), True),
        ((positive(rho), inverse_above(lam, 9 * rho / 10)), False),
        ((positive(rho), inverse_above(lam, rho / 2)), False),
        ((positive(rho), positive(lam)), False),
        ((defined(rho, 0), positive(lam)), True),
        ((defined(rho, 0), nonnegative(lam)), False),
        ((defined(rho, 2), defined(lam, sp.Rational(1, 3))), True),
        ((defined(rho, 2), defined(lam, sp.Rational(1, 2))), False),
        ((defined(rho, 2), defined(lam, -1)), False),
    ],
    ids=str,
)
def test_a_prox_point_exists_where_lambda_rho_is_below_one(entries: tuple[Any, ...], exists: bool) -> None:
    hat = Function("F", role="envelope", of=f, envelope=lam).prox(u, "q")
    found = says(0 <= hat**2, 1 * square(hat), domain=Domain(*entries), assumes=(WEAKLY_CONVEX,))
    assert (found == "") is exists
    if not exists:
        assert "is not shown to exist" in found or "may vanish" in found


def test_a_vector_is_known_at_a_field_of_the_method() -> None:
    for far, known in ((999, True), (-999, True), (1000, False), (-1000, False)):
        own = vector("q", far)
        assert ("is known at no field" in says(0 <= own**2, 1 * square(own))) is not known


def test_a_sequence_is_named_by_its_first_members_and_by_those_of_step_k() -> None:
    member = {name: sp.Symbol(name) for name in ("a_{k-1}", "a_k", "a_{k+1}", "a_{-1}", "a_0", "a_1", "a_2", "b_2")}

    def told(*entries: Any) -> str:
        return says(0 <= u**2, 1 * square(u), domain=Domain(*entries))

    for name in ("a_{-1}", "a_0", "a_1", "b_2"):
        assert told(positive(member["a_k"]), positive(member[name])) == ""
    assert told(positive(member["a_k"]), positive(member["a_2"])) == (
        "a_2: of a sequence the domain names the first members, and those of steps k, k+1, ..."
    )
    assert told(positive(member["a_2"])) == told(positive(member["a_{k-1}"]), positive(member["a_1"])) == ""
    assert told(positive(member["a_k"]), at_least(member["a_0"], 1)) == ""
    wrong = "a_0 is not shown to begin a sequence of this class"
    assert told(between(member["a_k"], 0, 1), positive(member["a_0"])) == wrong
    assert told(between(member["a_k"], 0, 1), between(member["a_0"], 0, 1)) == ""
    assert told(between(member["a_k"], 0, 2), between(member["a_0"], 0, 1)) == ""
    assert told(defined(member["a_k"], 1), defined(member["a_0"], 2)) == wrong
    assert told(defined(member["a_k"], 1), defined(member["a_0"], 1)) == ""
    falling = (positive(member["a_k"]), between(member["a_{k+1}"], 0, member["a_k"]))
    assert told(*falling, positive(member["a_0"]), between(member["a_1"], 0, member["a_0"])) == ""
    growing = between(member["a_1"], 0, 2 * member["a_0"])
    assert "a_1 is not shown to begin" in told(*falling, positive(member["a_0"]), growing)


def test_a_division_by_zero_has_no_sign_and_no_value() -> None:
    at = parameters(Domain(defined(b, 0), positive(a)))
    with pytest.raises(Refused, match="1/b is a division by zero on the domain"):
        at.element(1 / b)
    with pytest.raises(Refused, match="a division by zero on the domain"):
        at.sign(1 / b)
    assert at.sign(a * b) == (True, False)
    for ask in (at.element, at.sign):
        with pytest.raises(Refused, match="parameter t has no range in the domain"):
            ask(a + t)
