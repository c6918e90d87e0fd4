"""What is printed is what was proved: names that read as something else, what moves with k and is not called so, ranges that are not said.

Beside ``test_attacks_5.py``.  The comment at a row names what would be read, and why it is false.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random
from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof import latex
from shbcore.proof.facts import N, composition
from shbcore.proof.foundations import LIPSCHITZ_OUTER
from shbcore.proof.language import Direction, Mean, Named, Projected, Quantity, RandomIndex, Scaled, Series, Sum, Tail
from shbcore.proof.letters import sample, trial_at, x
from shbcore.proof.lines import convex_part, first_term, outer_tangent, uniform
from shbcore.proof.scheduled import stepsize
from shbcore.proof.signs import Parameters
from tests.test_attacks import Attack, _refusal

ATTACKS: list[Attack] = []
a, k, nu, zero, nothing = sp.Symbol("a"), sp.Symbol("k"), sp.Symbol("nu"), Number(0), Sum(())
u, v, y, al = vector("u"), vector("v"), vector("y", inside=True), stepsize()
RUN = Domain(at_least(N, 1))
x_0, x_1 = x(0, True), x(1, True)


def attacks(kind: str, *rows: tuple[str, str, Any]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


# --- what moves with k


def telescope(letter: Any, domain: Domain = RUN) -> Summation:
    """Sum of <w, x_k - x_{k+1}>: true for one w, false for a sequence w_k."""
    claim = letter @ x_next <= letter @ x_k - letter @ (x_k - x_next)
    step = line(claim, [1 * number(0)], TOTAL, domain=domain, scope=Scope.EVERY)
    return Summation(step, letter @ x_k, letter @ (x_k - x_next), 1, 0)


def first_of(of: Any, begin: Any, domain: Domain = RUN) -> Line:
    claim = Series(of).equals(begin + Series(of, 1))
    return line(claim, [1 * first_term(of)], TOTAL, domain=domain, scope=Scope.RUN_ANY)


def _another_index() -> Summation:  # V_{K+1} <= V_5 + ..., with f(x_0) for V_5
    name = Named("V_k", f(x_k), "", 5)
    step = line(f(x_next) <= name - (f(x_k) - f(x_next)), [1 * number(0)], TOTAL, domain=RUN, scope=Scope.EVERY)
    return Summation(step, name, f(x_k) - f(x_next), 1, 0)


def later(name: str, index: int | None = None) -> Later:  # true from k = 1 on, and printed of k = 0
    tree = Named(name, x_k - x_next, "", index)
    claim = tree**2 <= alpha**2 * z_any**2
    terms = [1 * nonexpansive(x_next, trial_at(z_any), x_k)]
    return Later(line(claim, terms, scope=Scope.LATE))


def later_sample() -> Later:  # the sample at x_{k+1} under the name of the one at x_k
    h = f.sample(x_k, "h_k")
    return Later(line(E(h**2) <= Number(L2), [1 * second_moment(h)], TOTAL, assumes=(A2,), scope=Scope.EVERY))


def noise_at_the_start() -> Line:  # u of step K + 1 in the place of u of step 0
    free = vector("u", PAST)
    return first_of(g_k @ free, E(sample(0, True) @ free))


def sample_at_the_start() -> Line:  # x_1 depends on the h that is drawn at step 0, not on one that is drawn later
    h = f.sample(u, "h")
    return first_of(h @ x_next, E(h @ x_1))


MOVES, UNSAID = "is read as moving with k", "it is not said what it is"
ROOT = sp.Symbol(r"\sqrt{k+1}")
attacks(
    "steps",
    ("a fixed vector called w_k", MOVES, lambda: telescope(vector("w_k"))),
    ("a fixed vector called w_{K+1}", MOVES, lambda: telescope(vector("w_{K+1}"))),
    ("a number called V_k", MOVES, lambda: first_of(Quantity("V_k"), Quantity("V_k"))),  # V_0
    ("a number called phi(x_{k+1})", MOVES, lambda: line(E(Quantity(r"\phi(x_{k+1})"), PAST).equals(0))),
    (
        "a parameter called k, in a sum",  # the first term is 0
        MOVES,
        lambda: first_of(k * g_k**2, k * E(sample(0, True) ** 2), RUN.also(positive(k))),
    ),
    (
        "a root of k + 1, in a sum",
        MOVES,
        lambda: line(Series(ROOT * f(x_k)).equals(Series(ROOT * f(x_k))), domain=Domain(positive(ROOT))),
    ),
    ("a parameter c^k, moved", MOVES, lambda: shifted(Number(sp.Symbol("c^k")))),
    ("a tree with another index than its name", "index 5", _another_index),
    ("a tree that moves under one name", "what it is called at another", lambda: later("s")),
    ("a tree called q_k without an index", "what it is called at another", lambda: later("q_k")),
    ("a sample that moves under one name", "what it is called at another", later_sample),
    ("a vector of step k at the first step", UNSAID, noise_at_the_start),
    ("a sample of step k at the first step", UNSAID, sample_at_the_start),
    (
        "a projection that moves under one name",
        "what it is called at another",
        lambda: first_of(Projected("q", x_k - g_k) ** 2, E(Projected("q", x_0 - sample(0, True)) ** 2)),
    ),
)

# --- names


def nought(name: str) -> Line:
    return line(Named(name, nothing).equals(nothing), scope=Scope.EVERY)


def composed() -> Line:  # f* is above the tangent of f at a point a that is not in X
    slope, image, error = composition(y, u)
    terms = [1 * outer_tangent(f, y, u), 1 * infimum(f, y)]
    return line(f_star + slope @ (image + error) <= f(u), terms, assumes=(LIPSCHITZ_OUTER, BOUNDED_BELOW))


def convex_under(name: str) -> Line:  # f(y) = f(y) + rho / 2 |y|^2
    other = Function(name, role="convex", of=f)
    claim = other(y).equals(f(y) + rho / 2 * y**2)
    return line(claim, [1 * convex_part(f, other, y)], assumes=(WEAKLY_CONVEX,))


def value_under_a_name() -> Line:  # phi(y) = 5
    phi = Function(r"\phi", role="convex", of=f)
    return line((phi(y) - Named(r"\phi(y)", Number(5))).equals(phi(y) - Number(5)))


PAPER, ANOTHER_WAY, A_FORMULA, PARAMETER = (
    *("is a name of the paper", "written in another way", "is a formula, not a name", "name of a parameter"),
)
hat = F_env.prox(u, r"\hat u")
attacks(
    "names",
    ("0 as a subgradient", PAPER, lambda: nought("f'(x_k)")),
    ("0 as a subgradient, with a prime", PAPER, lambda: nought(r"f^\prime(x_k)")),
    ("0 as the gradient", PAPER, lambda: nought(r"\nabla f(x_k)")),
    ("0 as a subgradient, in another sign", ANOTHER_WAY, lambda: nought("f\u2032(x_k)")),
    ("0 as a subgradient, with braces", ANOTHER_WAY, lambda: nought("{f}'(x_k)")),
    ("a fixed vector as a subgradient", "for something else", lambda: line(vector("f'(x_1)").equals(nothing))),
    ("a projection as a subgradient", "for something else", lambda: line(Projected("f'(y)", y).equals(nothing))),
    ("0 as the gradient of the envelope", PAPER, lambda: nought(r"\nabla F_\lambda(x_k)")),
    (
        "twice the gradient of the envelope",
        "does not stand for",
        lambda: line(Named(r"\nabla F_\lambda(u)", 2 * (u - hat) / lam).equals(nothing), assumes=(WEAKLY_CONVEX,)),
    ),
    (
        "the gradient of the envelope at another point",
        PAPER,
        lambda: line(Named(r"\nabla F_\lambda(v)", (u - hat) / lam).equals(nothing), assumes=(WEAKLY_CONVEX,)),
    ),
    ("the projection of another vector", PAPER, lambda: line(Projected(r"\Pi_{\mathcal{X}}(v)", u).equals(nothing))),
    ("a point as its projection", PAPER, lambda: line(Named(r"\Pi_{\mathcal{X}}(v)", v).equals(v))),
    (
        "the prox point of another vector",
        PAPER,
        lambda: line(F_env.prox(u, r"\mathrm{prox}_{\lambda f}(v)").equals(nothing), assumes=(WEAKLY_CONVEX,)),
    ),
    (
        "the sample at another point, under the name of one at x_k",
        "for something else",
        lambda: line(E(f.sample(x_bar, "f'(x_k,S_k)") ** 2).equals(0), scope=Scope.EVERY),
    ),
    ("5 as the stepsize of step k", PARAMETER, lambda: line(Named(r"\alpha_k", Number(5)).equals(5))),
    ("5 as a parameter of one's own", PARAMETER, lambda: line(Named(r"\xi", Number(5)).equals(5))),
    (
        "0 as the square of a parameter",
        PARAMETER,
        lambda: line(Named("a^2", zero).equals(0), domain=Domain(positive(a))),
    ),
    ("0 under a difference in braces", A_FORMULA, lambda: nought("{x_k-x_{k-1}}")),
    ("0 under a difference in brackets", A_FORMULA, lambda: nought("(x_k-x_{k-1})")),
    ("0 under an expectation", A_FORMULA, lambda: nought(r"\mathrm{E}[g_k]")),
    ("0 under a sample in another type", ANOTHER_WAY, lambda: nought(r"\mathit{g}_k")),
    ("0 under a sample with a thin blank", ANOTHER_WAY, lambda: nought(r"g_{\,k}")),
    ("a name that ends the formula", A_FORMULA, lambda: nought("a$ is wrong, and $b")),
    ("a convex function called f, with braces", "the objective is called f", lambda: convex_under("{f}")),
    ("a conjugate called F_lambda, with braces", "another function", lambda: convex_under(r"{F}_{\lambda}")),
    ("a number under the name of a value", "two different things", value_under_a_name),
    ("a composition at a point of X", "do not say that these lie in X", composed),
    ("another kind of symbol", "must be a SymPy symbol", lambda: Domain(defined(sp.Wild("rho"), 0))),
    ("lambda in another spelling", "as the setting does", lambda: Domain(defined(sp.Symbol("lamda"), 1))),
)


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    refusal = _refusal(one)
    assert refusal is not None, "a false claim was accepted"
    assert one.reason in refusal, refusal


def test_names_that_are_right_are_accepted() -> None:
    right = [
        line(Named(r"\nabla F_\lambda(u)", (u - hat) / lam).equals((u - hat) / lam), assumes=(WEAKLY_CONVEX,)),
        line(Projected(r"\Pi_{\mathcal{X}}(v)", v).equals(Projected(r"\Pi_{\mathcal{X}}(v)", v))),
        line(Named(r"\mathcal{G}_{1/\rho}(x)", u).equals(u)),
        line(Named("q_k", x_k, "", 0).equals(x_k), scope=Scope.EVERY),
        telescope(vector("w")),
        line(f.sample(x_bar, r"f'(\bar x_k,S_k)").equals(f.sample(x_bar, r"f'(\bar x_k,S_k)")), scope=Scope.EVERY),
        line(vector("x^+").equals(vector("x^+"))),
        line(vector(r"\mathrm{clip}(g)", NOW).equals(vector(r"\mathrm{clip}(g)", NOW)), scope=Scope.EVERY),
        Later(line(Named("q_k", x_k, "", 0).equals(x_k), scope=Scope.EVERY)),
    ]
    assert [check(one).detail for one in right] == [""] * len(right)


# --- ranges, points and fields that make it true are printed


def fixed_ratio() -> Line:  # |x_{k+1} - x_k|^2 <= |z_k|^2 / 25 is false for alpha = 1
    terms = [1 * nonexpansive(x_next, trial_at(z_any), x_k), (1 - beta**2) / 25 * square(z_any)]
    claim = (x_k - x_next) ** 2 <= z_any**2 / 25
    return line(claim, terms, domain=ADMISSIBLE.also(defined(nu, 5)), scope=Scope.EVERY)


def root_below(entry: Any, bound: Any, scope: Scope = Scope.ANY) -> Line:
    domain = Domain(*([at_least(nu, 2)] if bound == nu else []), entry)
    return line(Number(N) <= Number(bound), [1 * number(bound - N)], domain=domain, scope=scope)


def infimum_in_a_sum() -> Summation:  # f(y) may be less than f* outside of X
    claim = zero <= f(y) - f_star
    step = line(claim, [1 * infimum(f, y)], TOTAL, domain=RUN, assumes=(BOUNDED_BELOW,), scope=Scope.EVERY)
    return Summation(step, zero, f_star - f(y), 1, 0)


def mean_sample(index: int, first: bool, given: int, scope: Scope) -> Line:
    g, at = sample(index, first), x(index, first)
    return line((g @ at).equals(f.slope(at) @ at), (), given, domain=Domain(), assumes=(A1,), scope=scope)


TENTH = sp.Rational(1, 10)
STEPS = Domain(positive(al), positive(beta), at_least(N, 1))
SAID: list[tuple[str, str, Any]] = [
    ("the ratio that a usual definition uses", r"\nu=5", fixed_ratio),
    ("and the definition", r"\alpha=\beta/\nu", fixed_ratio),
    ("a root below a parameter", r"\sqrt{K + 1}\in(1,\nu]", lambda: root_below(between(N, 1, nu), nu)),
    (
        "a root below a parameter, in a run",
        r"\sqrt{K + 1}\in(1,\nu]",
        lambda: root_below(between(N, 1, nu), nu, Scope.RUN),
    ),
    (
        "a root below 10 by its inverse",
        r"\sqrt{K + 1}^{-1}\ge 1/10",
        lambda: root_below(inverse_at_least(N, TENTH), 10, Scope.RUN),
    ),
    ("a point of X in a sum", r"for every $y$ in $\mathcal{X}$", infimum_in_a_sum),
    ("the field of a run", r"\mathcal{F}_K\right]", lambda: mean_sample(0, False, PAST, Scope.RUN)),
    ("the field of a short run", r"\mathcal{F}_{K-1}\right]", lambda: mean_sample(0, False, PAST, Scope.SHORT_RUN)),
    ("the field of the first step", r"\mathcal{F}_{-1}\right]", lambda: mean_sample(0, True, PAST, Scope.FIRST_ANY)),
    ("the field after it", r"\mathcal{F}_0\right]", lambda: mean_sample(1, True, NOW, Scope.FIRST_ANY)),
    ("the field of any step", r"\mathcal{F}_{k-1}\right]", lambda: mean_sample(0, False, PAST, Scope.EVERY)),
    (
        "a parameter at the random index",
        r"\mathbb{E}\left[\alpha_{k^*} f(x_{k^*})\right]",
        lambda: line(
            (N**2 * RandomIndex(al * f(x_k))).equals(Series(al * f(x_k))),
            [1 * uniform(al * f(x_k))],
            TOTAL,
            domain=STEPS,
            scope=Scope.RUN_ANY,
        ),
    ),
    (
        "a sum of sums",  # not the sum of alpha_k, and beta
        r"\sum_{k=0}^{K}\left(\alpha_{k} + \beta\right)",
        lambda: line(Series(Number(al + beta)).equals(Series(Number(al + beta))), domain=STEPS, scope=Scope.RUN),
    ),
]


@pytest.mark.parametrize(("what", "words", "build"), SAID, ids=[one[0] for one in SAID])
def test_the_words_say_what_makes_it_true(what: str, words: str, build: Any) -> None:
    found = build()
    assert check(found).passed, check(found).detail
    assert words in found.statement.words, found.statement.words


def test_an_equation_is_printed_as_one_and_a_difference_of_limits_in_brackets() -> None:
    assert latex.relation(Relation(u**2, v**2, "==", True)) == r"\|u\|^2= \|v\|^2"
    spread = latex.node(Tail("spread", f(x_k) + d_k**2))
    assert spread.count(r"\left(f(x_k)+\|d_k\|^2\right)") == 2


# --- a formula is printed with the value that it has: read back by a reader of its own

VALUES: dict[Any, Fraction] = {
    "a": Fraction(3, 7),
    "b": Fraction(5, 11),
    "q": Fraction(23, 29),
    "r": Fraction(31, 37),
    "K": Fraction(15),
    "L^2": Fraction(13, 17),
    r"f^\star": Fraction(41, 43),
    r"\alpha_{k}": Fraction(2, 19),
    "N": Fraction(4),
}
TOKEN = re.compile(
    r"\s+|\\,|\\left[(\[]|\\right[)\]]|\\frac|\\sqrt|\\mathbb\{E\}|L\^2|f\^\\star|\\alpha_\{k\}|\d+|[a-zK]|[-+^{}()/]"
)
CLOSING = ("+", "-", "}", ")", r"\right)", r"\right]")


class Reader:
    """The value of a printed formula."""

    def __init__(self, text: str) -> None:
        found = list(TOKEN.finditer(text))
        ends = [0, *(one.end() for one in found)]
        assert [*(one.start() for one in found), len(text)] == ends, text
        self.rest = [one[0] for one in found if one[0].strip() and one[0] != r"\,"]

    def take(self) -> str:
        return self.rest.pop(0)

    def sum(self) -> Fraction:
        sign = -1 if self.rest[0] == "-" and self.take() else 1
        total = sign * self.product()
        while self.rest and self.rest[0] in "+-":
            sign = -1 if self.take() == "-" else 1
            total += sign * self.product()
        return total

    def product(self) -> Fraction:
        total = self.power()
        while self.rest and self.rest[0] not in (*CLOSING, "/"):
            total *= self.power()
        if self.rest and self.rest[0] == "/":  # all before it over the one factor behind it, which ends the product
            self.take()
            total /= self.power()
            assert not self.rest or self.rest[0] in CLOSING, self.rest
        return total

    def power(self) -> Fraction:
        base = self.atom()
        if not self.rest or self.rest[0] != "^":
            return base
        self.take()
        exponent = self.group()
        if exponent.denominator == 2:
            assert isqrt(int(base)) ** 2 == base
            base, exponent = Fraction(isqrt(int(base))), exponent * 2
        return base ** int(exponent)

    def group(self) -> Fraction:
        if self.rest[0] == "{":
            self.take()
            found = self.sum()
            assert self.take() == "}"
            return found
        digits = self.take()
        self.rest[:0] = [digits[1:]] if digits[1:] else []
        return Fraction(int(digits[0]))

    def atom(self) -> Fraction:
        token = self.take()
        if token == r"\mathbb{E}":
            return self.atom()
        if token == "(" or token.startswith(r"\left"):
            found = self.sum()
            assert self.take() == (
                ")" if token == "(" else token.translate({40: ")", 91: "]"}).replace("left", "right")
            )
            return found
        if token == r"\frac":
            above = self.group()
            return above / self.group()
        if token == r"\sqrt":
            found = self.group()
            assert isqrt(int(found)) ** 2 == found
            return Fraction(isqrt(int(found)))
        return Fraction(int(token)) if token.isdigit() else VALUES[token]


def read(text: str) -> Fraction:
    reader = Reader(text)
    found = reader.sum()
    assert not reader.rest, text
    return found


SYMBOLS = {**{sp.Symbol(one): one for one in ("a", "b", "L^2", "N")}, al: r"\alpha_{k}"}


def number_of(value: Any) -> Fraction:
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Symbol:
        return VALUES[SYMBOLS[value]]
    if value.is_Pow:
        return number_of(value.base) ** int(value.exp)
    parts = [number_of(one) for one in value.args]
    total = parts[0]
    for one in parts[1:]:
        total = total + one if value.is_Add else total * one
    return total


def value_of(tree: Any) -> Fraction:
    if isinstance(tree, Sum):
        return sum((value_of(one) for one in tree.parts), Fraction(0))
    if isinstance(tree, Scaled):
        return number_of(tree.times) * value_of(tree.of)
    if isinstance(tree, Mean):
        return value_of(tree.of)
    return number_of(tree.value) if isinstance(tree, Number) else VALUES[tree.name]


def coefficients(dice: Random, depth: int) -> Any:
    if depth == 0 or dice.random() < 0.2:
        return dice.choice([*SYMBOLS, sp.S.One, sp.S.NegativeOne, sp.Integer(2), -sp.Rational(3, 2), sp.S.Half])
    one, other = coefficients(dice, depth - 1), coefficients(dice, depth - 1)
    found = dice.choice([one + other, one - other, one * other, one**2, one / (2 + other**2)])
    return sp.sympify(found)


def trees(dice: Random, depth: int) -> Any:
    way = dice.random()
    if depth == 0 or way < 0.2:
        value = Number(coefficients(dice, 2))
        return dice.choice([Quantity("q"), Quantity("r"), f_star, value, E(value)])
    if way < 0.6:
        one, other = trees(dice, depth - 1), trees(dice, depth - 1)
        return one + other if way < 0.4 else one - other
    if way < 0.9:
        times = coefficients(dice, 2)
        return times * trees(dice, depth - 1) if way < 0.75 else Scaled(times, trees(dice, depth - 1))
    return E(trees(dice, depth - 1))


def printed(seed: int) -> Iterator[tuple[str, Fraction]]:
    dice = Random(seed)
    for _ in range(60):
        value, tree = coefficients(dice, 3), trees(dice, 3)
        yield latex.tex(value), number_of(value)
        yield latex.node(tree), value_of(tree)
        for given in (TOTAL, PATHWISE):
            yield latex._joined(latex._side(tree, given)), value_of(tree)


@pytest.mark.parametrize("seed", range(5))
def test_a_formula_is_read_back_with_its_value(seed: int) -> None:
    for text, value in printed(seed):
        assert read(text) == value, text


def test_the_reader_tells_a_sum_from_a_difference() -> None:
    texts = (r"q-\left(a + b\right)", "q-a + b", r"2 \left(-q\right)", "2 -q", r"\frac{a}{2} q^2")
    values = [read(text) for text in texts]
    assert all(one != other for one, other in pairwise(values))


# --- signs: what is said of a whole domain is seen at its points


def bounds(dice: Random, before: list[Any]) -> Any:
    return sp.sympify(
        dice.choice([0, 0, 1, *before, *(one + 1 for one in before), *(1 / (1 + one**2) for one in before)])
    )


def domains(dice: Random) -> Domain:
    entries: list[Any] = []
    for i, symbol in enumerate(sp.symbols("a b c")):
        lower = bounds(dice, list(sp.symbols("a b c"))[:i])
        kinds: list[Any] = [nonnegative, positive, lambda one, low=lower: at_least(one, low)]
        kinds += [lambda one, low=lower: between(one, low, low + 1), lambda one, low=lower: inverse_above(one, low**2)]
        kinds += [lambda one, low=lower: inverse_at_least(one, low**2), lambda one, low=lower: defined(one, low + 1)]
        entries.append(dice.choice(kinds)(symbol))
    return Domain(*entries)


def member(domain: Domain, dice: Random) -> dict[Any, Any]:
    """A point of the domain, often at its edge, computed from the ranges alone."""
    at: dict[Any, Any] = {}
    for one in domain.entries:
        if not hasattr(one, "lower"):
            at[one.symbol] = one.formula.xreplace(at)
            continue
        low, share = one.lower.xreplace(at), sp.Rational(dice.choice([1, 500, 1000, 1000]), 1000)
        if one.upper is not None:
            seen = low + (one.upper.xreplace(at) - low) * share
        else:
            open_below = one.strict or (one.inverse and low == 0)
            seen = low + dice.choice([sp.Rational(1, 10**6) if open_below else 0, sp.Rational(1, 7), 1, 1000])
        at[one.symbol] = 1 / seen if one.inverse else seen
    return at


def expressions(dice: Random, depth: int) -> Any:
    if depth == 0:
        return sp.sympify(dice.choice([*sp.symbols("a b c"), 1, 2, -1]))
    one, other = expressions(dice, depth - 1), expressions(dice, depth - 1)
    return dice.choice([one + other, one - other, one * other, one if other == 0 else one / other])


@pytest.mark.parametrize("seed", range(4))
def test_a_sign_that_is_claimed_is_seen_at_every_point(seed: int) -> None:
    dice, claimed = Random(seed), 0
    for _ in range(25):
        domain = domains(dice)
        at = Parameters(domain)
        for _ in range(4):
            value = expressions(dice, 2)
            try:
                at.no_pole(value)
                low, strict = at.sign(value)
            except Refused:
                continue
            claimed += low
            for _ in range(8 if low else 0):
                seen = value.xreplace(member(domain, dice))
                assert seen.is_Rational, (domain.entries, value, seen)
                assert seen > 0 if strict else seen >= 0, (domain.entries, value, seen)
    assert claimed > 20


def test_arguments_of_a_fact_cannot_be_changed_afterwards() -> None:
    from shbcore.proof.facts import Fact

    own: Any = [u]
    fact = Fact("square", own)
    own[0] = v
    assert fact.arguments == (u,)


def test_a_direction_is_a_letter_of_the_last_step_in_a_run() -> None:
    says = line((Direction(0) - Direction(0)).equals(nothing), domain=RUN, scope=Scope.RUN).statement
    assert "z_{K+1}" in says.words
