"""Formulas are printed as a person would set them, and a printed statement says all that the object says."""

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from shbcore.claims.appendix_e_proof import evn_3
from shbcore.claims.registry import claim as claim_of
from shbcore.claims.registry import claims as claims_of
from shbcore.pages.cards import certificate
from shbcore.proof import *
from shbcore.proof import in_words
from shbcore.proof.domain import Range
from shbcore.proof.in_words import entry, index
from shbcore.proof.language import Inner, Scaled, Sum, Tail, sequence
from shbcore.proof.latex import broken, display, node, relation, tex, upright
from shbcore.proof.letters import x

u, v = vector("u"), vector("v")


def named(one: object) -> str:
    """The name of a case: what is wanted, which does not change with the printer."""
    return one if isinstance(one, str) else ""


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (u**2, r"\|u\|^2"),
        (u @ v, r"\langle u,v\rangle"),
        (u - 2 * v, "u-2 v"),
        ((u - v) ** 2, r"\|u-v\|^2"),
        ((beta / (1 + beta) * u) ** 2, r"\left\|\frac{\beta}{1 + \beta} u\right\|^2"),
        (beta * (u - v), r"\beta \left(u-v\right)"),
        (x_next - ((1 - beta) * x_k + beta * x_next), r"x_{k+1}-\left(1 - \beta\right) x_k-\beta x_{k+1}"),
        (f(x_k), "f(x_k)"),
        (f.slope(x_k), "f'(x_k)"),
        (E(d_k**2), r"\mathbb{E}\|d_k\|^2"),
        (E(d_next**2, PAST), r"\mathbb{E}\left[\|d_{k+1}\|^2\,\middle|\,\mathcal{F}_{k-1}\right]"),
    ],
)
def test_trees(tree: object, text: str) -> None:
    assert node(tree) == text  # type: ignore[arg-type]


def test_what_the_field_knows_stands_outside_the_expectation() -> None:
    claim = f(x_k) + d_next**2 <= f(x_prev) + Number(L2)
    assert relation(claim, PAST).startswith(r"f(x_k)+\mathbb{E}\left[\|d_{k+1}\|^2")
    assert relation(claim, PAST).endswith(r"\le f(x_{k-1})+L^2")


def test_squares_of_constants_stand_last() -> None:
    assert tex(L2 * alpha**2 / lam) == r"\frac{\alpha^2}{\lambda} L^2"


def test_a_long_relation_is_broken_before_its_sign() -> None:
    from shbcore.claims.appendix_a import lemma_3

    says = lemma_3().statement
    shown = display(says.relation, says.given, width=40)
    assert shown.count(r"\\") >= 1
    assert r"&\quad\le " in shown
    assert r"\\" not in display(says.relation, says.given, width=400)


def test_a_sentence_names_assumptions_steps_ranges_and_definitions() -> None:
    from shbcore.claims.appendix_a import lemma_3

    words = lemma_3().statement.words
    for part in (
        "(A1)",
        "(A2)",
        r"$k\ge1$",
        r"$z_0=\beta g_0$",
        r"$\nu>0$",
        r"$\beta\in(0,1]$",
        r"$\alpha=\beta/\nu$",
    ):
        assert part in words


def test_statements_that_differ_have_different_fingerprints_and_print_differently() -> None:
    from shbcore.claims.appendix_a import NOISE, lemma_3

    says, other = lemma_3().statement, lemma_3(noise=NOISE * sp.Rational(9, 10)).statement
    assert says.fingerprint != other.fingerprint
    assert says.words != other.words
    assert says.fingerprint == lemma_3().statement.fingerprint


# --- every rule of the printer, on small cases

a, b = sp.symbols("a b")
one_minus = r"\left(1 - a\right)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (a - 1, rf"-{one_minus}"),
        (1 - a, "1 - a"),
        (a * (a - 1), rf"-a {one_minus}"),
        (b * (a - 1) ** 2, rf"b {one_minus}^2"),
        (b * (a - 1) ** 3, rf"-b {one_minus}^{{3}}"),
        (b / (a - 1) ** 2, rf"\frac{{b}}{{{one_minus}^2}}"),
        (1 / (a - 1), r"-\frac{1}{1 - a}"),
        ((a - 1) * (b - 1), rf"{one_minus} \left(1 - b\right)"),
        ((a - 1) * (b - 1) * (a + b - 2), rf"-{one_minus} \left(1 - b\right) \left(2 - a - b\right)"),
        (L2 * (a - 1), rf"-{one_minus} L^2"),
        (L2 * (a + 1), r"\left(1 + a\right) L^2"),
        (-L2, "-L^2"),
        (-2 * a, "-2 a"),
        (-a - b, r"-\left(a + b\right)"),
        (a**2 - a, r"-\left(a - a^2\right)"),
        (a * b - a * b**2 + b**2, "a b + b^2 - a b^2"),
        (N, r"\sqrt{K + 1}"),
        (N**2, "K + 1"),
        (1 - N, r"1 - \sqrt{K + 1}"),
        (a**2 * sp.Symbol("c_{k+1}"), "a^2 c_{k+1}"),
        (sp.S.Zero, "0"),
        (Fraction(1, 2), r"\frac{1}{2}"),
        (sigma2 + G2, r"\sigma^2 + G^2"),
    ],
    ids=named,
)
def test_a_coefficient_begins_with_what_is_positive(value: object, text: str) -> None:
    assert tex(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (a / b, "a/b"),
        (-a / b, "-a/b"),
        ((1 - a) / b, "(1 - a)/b"),
        (1 / (a * b), "1/(a b)"),
        (1 / (1 - a), "1/(1 - a)"),
        (a**2 / b**2, "a^2/b^2"),
        (3 * a / 2, "3 a/2"),
        (Fraction(1, 2), "1/2"),
        (b - a / 2, "b - a/2"),
        (a / N, r"a/\sqrt{K + 1}"),
        (1 / N, r"1/\sqrt{K + 1}"),
        (a**2 * (b + a * (1 - b) / 2) / N**2, r"a^2 \left(a \left(1 - b\right)/2 + b\right)/(K + 1)"),
        (a * L2 / b, "a L^2/b"),  # and not a/b L^2
        (L2 / (2 * b), "L^2/(2 b)"),
        ((1 + a) * L2 / b, r"\left(1 + a\right) L^2/b"),
    ],
    ids=named,
)
def test_in_a_line_of_words_a_fraction_has_a_slash(value: object, text: str) -> None:
    assert tex(value, flat=True) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (a * (1 + b / 2) / (2 * b), r"\frac{a \left(1 + b/2\right)}{2 b}"),
        (1 / (1 + a / b), r"\frac{1}{1 + a/b}"),
        (1 + a / b, r"1 + \frac{a}{b}"),
        (L2 * a / b, r"\frac{a}{b} L^2"),
    ],
    ids=named,
)
def test_no_fraction_stands_upright_in_another(value: object, text: str) -> None:
    assert tex(value) == text


@pytest.mark.parametrize("one", [entry for entry in claims_of() if entry.statements], ids=lambda one: one.label)
def test_no_statement_of_the_ledger_has_a_fraction_in_a_fraction(one: Any) -> None:
    found = [said for said in map(nested, (says.words for says in one.statements)) if said]
    assert found == []


def nested(text: str) -> str:
    """The first fraction of a text with another one in it."""
    for at in (found.start() for found in re.finditer(r"\\frac", text)):
        depth, closed = 0, 0
        for i, sign in enumerate(text[at:]):
            depth += (sign == "{") - (sign == "}")
            closed += sign == "}" and depth == 0
            if closed == 2:
                if r"\frac" in text[at + 5 : at + i]:
                    return text[at : at + i + 1]
                break
    return ""


def test_a_fraction_in_a_fraction_would_be_found() -> None:
    assert nested(r"x+\frac{a}{1+\frac{b}{c}}+y") == r"\frac{a}{1+\frac{b}{c}}"
    assert nested(r"\frac{a}{b}+\frac{c}{d}") == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (a, "a"),
        ((a - 1) * (b - 1), rf"{one_minus} \left(1 - b\right)"),
        (-2 * a * (b - 1) * (a + 3), r"2 a \left(1 - b\right) \left(3 + a\right)"),
        (b * (a - 1), r"b \left(a - 1\right)"),
        (a - 1, "a - 1"),
        ((a - 1) ** 3 * -b, rf"b {one_minus}^{{3}}"),
        (-a * (a - 1) * (b - 1), rf"a {one_minus} \left(b - 1\right)"),
        (-b * (a - b), r"b \left(b - a\right)"),
        (-b * (a + b), r"- b \left(a + b\right)"),
    ],
    ids=named,
)
def test_no_minus_stands_before_a_coefficient_that_is_not_negative(value: object, text: str) -> None:
    assert upright(value) == text


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (Scaled(sp.Integer(1), u - v), "u-v"),
        (Scaled(sp.Integer(-1), u - v), "-u+v"),
        (Scaled(sp.Integer(2), Sum((u,))), "2 u"),
        (Scaled(sp.Integer(2), Sum((-u,))), r"2 \left(-u\right)"),
        (Scaled(sp.Integer(1), u), "u"),
        (Sum(()), "0"),
        (0 * u, "0"),
        (u + 0 * v, "u"),
        (u**2 + a * (v - v) ** 2, r"\|u\|^2"),
        (u**2 + a * (v - u) ** 2, r"\|u\|^2+a \|v-u\|^2"),
        (u**2 + a * (v + v) ** 2, r"\|u\|^2+a \|2 v\|^2"),
        (Number(1 - a) + u**2, r"1 - a+\|u\|^2"),
        (u**2 - Number(a - 1), r"\|u\|^2+1 - a"),
        (u**2 - Number(1 + a), r"\|u\|^2-\left(1 + a\right)"),
        (u**2 - Number(a), r"\|u\|^2-a"),
        (u**2 + (a - 1) * v**2, rf"\|u\|^2-{one_minus} \|v\|^2"),
        (Inner(vector("u"), u), r"\|u\|^2"),
        (Series(a * u**2), r"\sum_{k=0}^{K}a\,\mathbb{E}\|u\|^2"),
        (Series((1 - a) * u**2, 1, "K-1"), rf"\sum_{{k=1}}^{{K-1}}{one_minus}\mathbb{{E}}\|u\|^2"),
        (Series(Number(a)), r"\sum_{k=0}^{K}a"),
        (RandomIndex(x_k**2 + d_next**2), r"\mathbb{E}\left[\|x_{k^*}\|^2+\|d_{k^*+1}\|^2\right]"),
        (E(Number(a)), "a"),
        (E(x_next**2, 2), r"\mathbb{E}\left[\|x_{k+1}\|^2\,\middle|\,\mathcal{F}_{k+2}\right]"),
        (E(x_next**2, NOW), r"\mathbb{E}\left[\|x_{k+1}\|^2\,\middle|\,\mathcal{F}_k\right]"),
        (E(Quantity("Q_1")), r"\mathbb{E}[Q_1]"),
        (E(u**2 + v**2), r"\mathbb{E}\left[\|u\|^2+\|v\|^2\right]"),
        (Tail("lim", u**2), r"\lim_{k\to\infty}\|u\|^2"),
        (Tail("rest", 2 * u**2), r"\lim_{K\to\infty}\sum_{k\ge K}2 \|u\|^2"),
    ],
    ids=named,
)
def test_further_trees(tree: object, text: str) -> None:
    assert node(tree) == text  # type: ignore[arg-type]


def test_what_is_no_tree_is_not_printed() -> None:
    with pytest.raises(TypeError, match="Fraction is no part of the language"):
        node(Fraction(1, 2))  # type: ignore[arg-type]


def given_past(inner: str) -> str:
    return rf"\mathbb{{E}}\left[{inner}\,\middle|\,\mathcal{{F}}_{{k-1}}\right]"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (2 * f(x_next) - d_next**2 <= f(x_k), given_past(r"2 f(x_{k+1})-\|d_{k+1}\|^2") + r"\le f(x_k)"),
        (-f(x_next) - 2 * d_next**2 <= f(x_k), "-" + given_past(r"f(x_{k+1})+2 \|d_{k+1}\|^2") + r"\le f(x_k)"),
        (
            f(x_next) + f(x_k) + d_next**2 <= 0,
            given_past("f(x_{k+1})") + "+f(x_k)+" + given_past(r"\|d_{k+1}\|^2") + r"\le 0",
        ),
        (a * f(x_k) <= (1 - a) * f(x_next), rf"a f(x_k)\le {one_minus}\,{given_past('f(x_{k+1})')}"),
        (f(x_k) <= -a * f(x_next), rf"f(x_k)\le -a\,{given_past('f(x_{k+1})')}"),
        (a * (f(x_next) - f(x_k)) <= 0, given_past(r"a \left(f(x_{k+1})-f(x_k)\right)") + r"\le 0"),
        (f(x_k) >= f(x_next), rf"f(x_k)\ge {given_past('f(x_{k+1})')}"),
        (f(x_k).equals(f(x_next)), rf"f(x_k)= {given_past('f(x_{k+1})')}"),
        (x_k.equals(x_next), "x_k= x_{k+1}"),
    ],
    ids=named,
)
def test_a_relation_given_the_past(claim: Relation, text: str) -> None:
    assert relation(claim, PAST) == text


al, al_next, al_prev = (sequence("alpha", i) for i in (0, 1, -1))
WEIGHTED = al * f(x_k) <= al_next * f(x_next) + Number(al_prev)


@pytest.mark.parametrize(
    ("claim", "scope", "text"),
    [
        (WEIGHTED, Scope.RUN, r"\alpha_{K+1} f(x_{K+1})\le \alpha_{K+2} f(x_{K+2})+\alpha_{K}"),
        (WEIGHTED, Scope.RUN_ANY, r"\alpha_{K+1} f(x_{K+1})\le \alpha_{K+2} f(x_{K+2})+\alpha_{K}"),
        (WEIGHTED, Scope.SHORT_RUN, r"\alpha_{K} f(x_K)\le \alpha_{K+1} f(x_{K+1})+\alpha_{K-1}"),
        (WEIGHTED, Scope.EVERY, r"\alpha_{k} f(x_k)\le \alpha_{k+1} f(x_{k+1})+\alpha_{k-1}"),
        (WEIGHTED, None, r"\alpha_{k} f(x_k)\le \alpha_{k+1} f(x_{k+1})+\alpha_{k-1}"),
        (f(x_k) <= Series(u**2), None, r"f(x_{K+1})\le \sum_{k=0}^{K}\mathbb{E}\|u\|^2"),
        (f(x_k) <= Series(u**2, 0, "K-1"), None, r"f(x_K)\le \sum_{k=0}^{K-1}\mathbb{E}\|u\|^2"),
        (f(x_k) <= RandomIndex(u**2), None, r"f(x_{K+1})\le \mathbb{E}\|u\|^2"),
        (f(x_prev) <= RandomIndex(u**2, True), None, r"f(x_{K-1})\le \mathbb{E}\|u\|^2"),
        (f(x_k) <= Series(u**2, 0, "K-1"), Scope.RUN, r"f(x_{K+1})\le \sum_{k=0}^{K-1}\mathbb{E}\|u\|^2"),
        (f(x(2)) <= f(x(-2)) + f(x(0, True)), Scope.RUN, r"f(x_{K+3})\le f(x_{K-1})+f(x_0)"),
        (f(x(2)) <= f(x(-2)) + f(x(0, True)), Scope.SHORT_RUN, r"f(x_{K+2})\le f(x_{K-2})+f(x_0)"),
    ],
    ids=named,
)
def test_in_a_run_the_letters_of_a_step_are_those_of_the_last_one(claim: Relation, scope: Scope, text: str) -> None:
    assert relation(claim, scope=scope) == text


# --- long formulas


def rows(text: str) -> list[str]:
    """The rows of a formula that is broken; of one that is not, the one."""
    return text.removeprefix("\\begin{aligned}\n").removesuffix("\n\\end{aligned}").split("\\\\\n")


def test_a_bracket_that_is_too_wide_is_opened() -> None:
    claim = f(x_k) <= 2 * a * (f(x_k) + f(x_prev) + d_k**2 + x_k @ x_prev + f(x_next))
    assert rows(display(claim, width=10)) == [
        "&f(x_k)",
        r"&\quad\le 2 a \biggl(f(x_k)",
        r"&\qquad\qquad +f(x_{k-1})",
        r"&\qquad\qquad +\|d_k\|^2",
        r"&\qquad\qquad +\langle x_k,x_{k-1}\rangle",
        r"&\qquad\qquad +f(x_{k+1})\biggr)",
    ]
    assert rows(display(claim, width=20))[1:] == [
        r"&\quad\le 2 a \biggl(f(x_k)+f(x_{k-1})",
        r"&\qquad\qquad +\|d_k\|^2+\langle x_k,x_{k-1}\rangle+f(x_{k+1})\biggr)",
    ]
    spread = f(x_next) + d_next**2 + x_next**2 + g_k**2
    assert rows(display(spread <= f(x_k), PAST, width=20)) == [
        r"&\mathbb{E}\biggl[f(x_{k+1})+\|d_{k+1}\|^2",
        r"&\qquad\qquad +\|x_{k+1}\|^2+\|g_k\|^2\,\bigg|\,\mathcal{F}_{k-1}\biggr]",
        r"&\quad\le f(x_k)",
    ]
    nested = f(x_k) <= a * ((1 - b) / (1 + b) * (f(x_k) - f(x_prev)) + b * d_k**2)
    assert rows(display(nested, width=12))[1:] == [
        r"&\quad\le a \biggl(\frac{1 - b}{1 + b} \left(f(x_k)-f(x_{k-1})\right)",
        r"&\qquad\qquad +b \|d_k\|^2\biggr)",
    ]
    twice = f(x_k) <= (1 - a) * (f(x_k) + f(x_prev))
    assert rows(display(twice, width=8))[1:] == [
        rf"&\quad\le {one_minus} \biggl(f(x_k)",
        r"&\qquad\qquad +f(x_{k-1})\biggr)",
    ]
    minus = f(x_k) <= a * (f(x_prev) - f(x_k)) * -1
    assert rows(display(minus, width=8))[1:] == [
        r"&\quad\le -a \biggl(f(x_{k-1})",
        r"&\qquad\qquad -f(x_k)\biggr)",
    ]
    leading = f(x_k) <= (1 - a) * (-f(x_prev) - f(x_k))
    assert rows(display(leading, width=8))[1:] == [
        rf"&\quad\le {one_minus} \biggl(-f(x_{{k-1}})",
        r"&\qquad\qquad -f(x_k)\biggr)",
    ]
    behind = f(x_k) <= (f(x_k) + f(x_prev)).named("(a+b)c")
    assert rows(display(behind, width=3))[1:] == [r"&\quad\le (a+b)c"]


def test_a_formula_is_broken_exactly_where_it_is_too_wide() -> None:
    claim = f(x_k) <= f(x_prev) + d_k**2 - x_k**2
    assert display(claim, width=21) == r"f(x_k)\le f(x_{k-1})+\|d_k\|^2-\|x_k\|^2"
    assert rows(display(claim, width=20)) == [
        "&f(x_k)",
        r"&\quad\le f(x_{k-1})+\|d_k\|^2-\|x_k\|^2",
    ]
    assert rows(display(claim, width=18))[1:] == [r"&\quad\le f(x_{k-1})+\|d_k\|^2-\|x_k\|^2"]
    assert rows(display(claim, width=17))[1:] == [r"&\quad\le f(x_{k-1})+\|d_k\|^2", r"&\qquad -\|x_k\|^2"]
    left = f(x_prev) + d_k**2 - x_k**2 <= f(x_k)
    assert rows(display(left, width=11)) == [
        *("&f(x_{k-1})", r"&\quad +\|d_k\|^2-\|x_k\|^2", r"&\quad\le f(x_k)"),
    ]
    bracket = f(x_k) <= a * (f(x_k) + f(x_prev))  # its second row is 19 wide
    assert len(rows(display(bracket, width=15))) == 2
    assert len(rows(display(bracket, width=14))) == 3


@pytest.mark.parametrize(
    ("text", "width", "wanted"),
    [
        ("a+b=c+d+e+f+g", 6, ["&a+b", r"&\quad =c+d", r"&\qquad +e+f", r"&\qquad +g"]),
        ("a+b=c+d+e+f+g", 13, ["a+b=c+d+e+f+g"]),
        ("a+b=c+d+e+f+g", 12, ["&a+b", r"&\quad =c+d+e+f+g"]),
        (
            r"f(x+y)\le \frac{a+b}{c}+d-e^{-1}+\alpha -b",
            6,
            ["&f(x+y)", r"&\quad \le \frac{a+b}{c}", r"&\qquad +d", r"&\qquad -e^{-1}", r"&\qquad +\alpha -b"],
        ),
        ("-a+bcd", 2, ["&-a", r"&\qquad +bcd"]),
        ("-a-b<c", 3, ["&-a", r"&\qquad -b", r"&\quad <c"]),
        (r"a\leq b+c", 3, ["&a", r"&\quad \leq b", r"&\qquad +c"]),
        (r"\left(a+b\right)c\ge [d-e]", 4, [r"&\left(a+b\right)c", r"&\quad \ge [d-e]"]),
        ("a=-b+c", 3, ["&a", r"&\quad =-b", r"&\qquad +c"]),
        ("x^+-y_-+z", 3, ["&x^+", r"&\qquad -y_-", r"&\qquad +z"]),
        ("abcdefghijklmnop", 3, ["abcdefghijklmnop"]),
        (r"\frac{abcdef}{g}=\frac{h}{ijklmn}", 13, [r"\frac{abcdef}{g}=\frac{h}{ijklmn}"]),
        (r"\frac{abcdef}{g}=\frac{h}{ijklmn}", 12, [r"&\frac{abcdef}{g}", r"&\quad =\frac{h}{ijklmn}"]),
    ],
)
def test_a_formula_in_words_is_broken_before_its_signs(text: str, width: int, wanted: list[str]) -> None:
    assert rows(broken(text, width)) == wanted


def test_the_usual_width_of_a_line() -> None:
    assert broken("a=" + "b" * 52) == "a=" + "b" * 52
    assert rows(broken("a=" + "b" * 53)) == ["&a", r"&\quad =" + "b" * 53]
    for more in (0, 1):
        assert len(rows(display(Quantity("a") <= Quantity("b" * (52 + more))))) == 1 + more
        opened = Quantity("a") <= 2 * (Quantity("b" * (26 + more)) + Quantity("c" * 25))  # four more do no harm
        assert len(rows(display(opened))) == 2 + more


# --- ranges and parameters


@pytest.mark.parametrize(
    ("entry_of", "text"),
    [
        (at_least(N, 1), r"K\ge 0"),
        (at_least(N, 2), r"K\ge 3"),
        (at_least(N, sp.Rational(3, 2)), r"K\ge 2"),
        (at_least(N, sp.Rational(1, 2)), r"K\ge 0"),
        (at_least(N, -1), r"K\ge 0"),
        (nonnegative(N), r"K\ge 0"),
        (positive(N), r"K\ge 0"),
        (Range(N, 1, strict=True), r"K\ge 1"),
        (Range(N, 2, strict=True), r"K\ge 4"),
        (Range(N, sp.Rational(5, 2), strict=True), r"K\ge 6"),
        (between(N, 0, 5), r"0\le K\le 24"),
        (between(N, 1, 3), r"1\le K\le 8"),
        (between(N, sp.Rational(5, 2), sp.Rational(7, 2)), r"6\le K\le 11"),
        (between(N, 2, a), r"\sqrt{K + 1}\in(2,a]"),
        (at_least(N, a), r"\sqrt{K + 1}\ge a"),
        (at_least(sp.Symbol(r"\sqrt{k+1}"), 1), r"k\ge 0"),
        (at_least(sp.Symbol(r"\sqrt{k+1}"), a), r"\sqrt{k+1}\ge a"),
        (positive(sp.Symbol(r"\sqrt{K}")), "K>0"),
        (Range(sp.Symbol(r"\sqrt{K}"), 1, inverse=True), r"\sqrt{K}^{-1}\ge 1"),
        (Range(a, 0, inverse=True), r"a^{-1}\ge 0"),
        (Range(a, b, strict=True, inverse=True), r"a^{-1}>b"),
        (between(a, b, 2), r"a\in(b,2]"),
        (defined(a, b - 1), r"a=-\left(1 - b\right)"),
    ],
    ids=named,
)
def test_a_range_and_a_definition(entry_of: object, text: str) -> None:
    assert entry(entry_of) == text  # type: ignore[arg-type]


def words(claim: Relation, where: Domain, scope: Scope = Scope.EVERY, **more: object) -> str:
    return Statement(claim, domain=where, scope=scope, **more).words  # type: ignore[arg-type]


def test_a_statement_names_the_parameters_that_it_speaks_of() -> None:
    where = ADMISSIBLE.also(positive(a), positive(b), at_least(N, 1))
    every = r"For every $k\ge0$, with either start: "
    assert words(0 <= a * u**2, where) == every + r"$a \|u\|^2\ge 0$, for all $a>0$."
    assert words(0 <= Number(1) * 1, Domain()) == every + r"$1\ge 0$."
    assert words(0 <= u**2, where.also(defined(rho, 0))) == every + r"$\|u\|^2\ge 0$, where $\rho=0$."
    assert words(0 <= u**2, where.also(at_least(N, 2))).endswith(r", for all $K\ge 3$.")
    assert (
        words(0 <= x_hat**2, where)
        == every + r"$\|\hat x_k\|^2\ge 0$, for all $\rho\ge 0$, $\beta\in(0,1]$, $\lambda^{-1}\ge 2 \rho$."
    )
    assert r"$\lambda^{-1}\ge 2 \rho$" in words(0 <= F_env(u), where)
    total = words(0 <= Series(u**2), where, Scope.RUN)
    assert total.endswith(r"for all $\nu>0$, $\beta\in(0,1]$, where $\alpha=\beta/\nu$.")
    three = words(0 <= Series(u**2), where.also(at_least(N, 2)), Scope.RUN)
    assert three.startswith(r"For every $K\ge 3$, with $z_0=\beta g_0$: ")
    few = words(0 <= Series(u**2), where.also(between(N, 0, 3)), Scope.RUN)
    assert few.startswith(r"For every $0\le K\le 8$, with")
    assert total.startswith(r"For every $K\ge0$, with $z_0=\beta g_0$: ")


def test_a_class_of_sequences_is_named_once() -> None:
    c = sp.Symbol("c_k")
    where = Domain(positive(al_prev), positive(al), between(al_next, 0, al), nonnegative(c), positive(a))
    says = words(0 <= u**2, where)
    assert says.endswith(r"for all $\alpha_{k}>0$, $\alpha_{k+1}\in(0,\alpha_{k}]$, $c_{k}\ge 0$.")
    begun = where.also(*where.started(), *where.started(1))
    assert r"\alpha_{0}" not in words(0 <= u**2, where.also(positive(sequence("alpha", 0, True))))
    assert r"\alpha_{1}\in(0,\alpha_{0}]" not in words(0 <= u**2, begun)
    fixed = words(0 <= u**2, where.also(defined(sequence("alpha", 0, True), 1)))
    assert fixed.endswith(r", where $\alpha_{0}=1$.")
    other = Domain(positive(al), at_least(sequence("alpha", 2), 1))
    assert words(0 <= u**2, other).endswith(r"for all $\alpha_{k}>0$, $\alpha_{k+2}\ge 1$.")
    assert words(0 <= u**2, Domain(positive(al), at_least(sequence("q", 0, True), 1))).endswith(r"$\alpha_{k}>0$.")
    assert words(0 <= u**2, Domain(positive(c), at_least(sequence("c", 0, True), 1))).endswith(
        r"for all $c_{k}>0$, $c_{0}\ge 1$."
    )
    later = Domain(positive(al_next), positive(sequence("alpha", 2)))
    assert words(0 <= u**2, later).endswith(r"for all $\alpha_{k+1}>0$.")
    assert words(0 <= u**2, Domain(at_least(sequence("alpha", 0, True), 1))).endswith(r"for all $\alpha_{0}\ge 1$.")


def test_points_of_the_set_and_what_is_known_of_a_vector() -> None:
    y, q = vector("y", inside=True), vector("q", PAST)
    assert words(0 <= y @ q, Domain(), Scope.ANY).startswith(
        r"For every $y$ in $\mathcal{X}$, where $q$ is known at $\mathcal{F}_{k-1}$: "
    )
    assert words(0 <= y**2, Domain()).startswith(
        r"For every $k\ge0$, with either start, for every $y$ in $\mathcal{X}$: "
    )
    assert words(0 <= u**2, Domain(), Scope.INHERITED, assumes=(A1,)) == r"Assume (A1). $\|u\|^2\ge 0$."
    assert index(Statement(0 <= RandomIndex(u**2))) == (
        r"with $k^*$ uniform on $\{0,\dots,K\}$, independent of the samples"
    )
    assert index(Statement(0 <= RandomIndex(u**2, True))) == (
        r"with $k^*$ uniform on $\{-1,\dots,K-1\}$, independent of the samples; $\bar x_{-1}$ means $\bar x_0$"
    )
    assert index(Statement(0 <= u**2)) == ""


PRINTED = tomllib.loads((Path(__file__).parent / "data" / "printed.toml").read_text())["printed"]


@pytest.mark.parametrize("one", PRINTED, ids=lambda one: f"{one['label']} {one['number']} {one['how']}")
def test_statements_of_the_ledger_are_printed_so(one: dict[str, Any]) -> None:
    says = claim_of(one["label"]).statements[one["number"]]
    found = {
        "words": lambda: says.words,
        "display": lambda: display(says.relation, says.given, scope=says.scope),
        "narrow": lambda: display(says.relation, says.given, width=30, scope=says.scope),
        "broken": lambda: broken(says.latex, width=40),
    }
    assert found[one["how"]]() == one["text"]


def test_a_vector_in_a_product_begins_with_what_is_added_and_has_each_letter_once() -> None:
    shown = certificate(evn_3(), whole=True).text
    assert r"\langle \hat x_k-\bar x_k,\nabla f(x_k)" in shown
    assert r"\|x_k-2 \bar x_k+\hat x_k\|^2" in shown
    assert r"\langle -" not in shown


# --- where the points of a statement lie

ANYWHERE = {
    "background/subdifferential-cases",
    "lem:weak:convexity",
    "lem:weak:convexity/1",
    "lem:weak:convexity/2",
    "eq:moreau:env",
    "eq:prox",
    "assumption:A3/weakly-convex",
}
"""The claims about f alone: their points may be any, and the envelope of f is an infimum over the whole space."""


def test_points_lie_in_the_set_unless_a_statement_is_about_f_alone() -> None:
    every = [(one.label, says.words) for one in claims_of() for says in one.statements]
    assert {label for label, text in every if r"$ in $\mathbb{R}^n$" in text} == ANYWHERE
    assert len({label for label, text in every if r"$ in $\mathcal{X}$" in text}) > 8


def test_the_envelope_of_f_is_an_infimum_over_the_whole_space_and_that_of_F_over_the_set() -> None:
    y, at, everywhere = vector("y", inside=True), vector("x"), Domain(positive(rho), positive(lam))
    of_f = Function(r"f_\lambda", role="envelope", of=f, envelope=lam)
    for envelope, place in ((of_f, r"\mathbb{R}^n"), (F_env, r"\mathcal{X}")):
        below = envelope(at) <= f(y) + (at - y) ** 2 / (2 * lam)
        assert f"For every $y$ in ${place}$: " in words(below, everywhere, Scope.ANY)
    assert r"$y$ in $\mathcal{X}$" in words(of_f(at) <= f(y), everywhere, Scope.ANY, assumes=(A2,))
    assert r"$y$ in $\mathcal{X}$" in words(of_f(at) <= f(y), everywhere)


def test_an_equality_along_every_vector_is_one_of_vectors() -> None:
    v, w = vector("v"), vector("w", PAST)
    assert relation((g_k @ v).equals(f.slope(x_k) @ v), PAST) == (
        r"\mathbb{E}\left[g_k\,\middle|\,\mathcal{F}_{k-1}\right]= f'(x_k)"
    )
    assert relation((d_k @ v).equals(g_k @ v)) == "d_k= g_k"
    for kept in (
        (d_k @ w).equals(g_k @ w),
        (d_k @ v).equals((g_k + v) @ v),
        d_k @ v <= g_k @ v,
        (d_k @ v).equals(g_k @ u),
    ):
        assert r"\langle" in relation(kept)


def test_a_vector_in_a_product_has_no_idle_terms_and_a_square_no_minus_before_it() -> None:
    a, b, minus = x(0), x(1), sp.S.NegativeOne
    back = Sum((Sum((a, b)), Scaled(minus, a)))
    assert node(Inner(back, back)) == rf"\|{node(b)}\|^2"
    turned = Scaled(minus, b)
    assert node(Inner(turned, turned)) == rf"\|{node(b)}\|^2"
    product = rf"\langle {node(b)},{node(a)}\rangle"
    assert relation(Inner(turned, a) <= Inner(a, a)).startswith(f"-{product}")
    assert relation(Scaled(sp.Integer(-2), Inner(turned, a)) <= Inner(a, a)).startswith(f"2 {product}")
    assert node(Inner(Sum((a, a)), b)) == rf"\langle 2 {node(a)},{node(b)}\rangle"


def test_a_wide_fraction_under_a_sum_is_set_as_a_product_of_the_same_value() -> None:
    from shbcore.claims.beyond import schedules

    text = schedules.concave().statement.latex
    assert r"\frac{S_{k}^2 \beta^2}{2 \lambda} \left(1 + \alpha_{k}" in text
    noise = schedules.concave().statement.relation.right.parts[1].of.value
    S, a, b, r, lam_, s2 = sp.symbols("S_k alpha_k beta rho lambda sigma^2")
    known = {one.name: one for one in noise.free_symbols}
    S, a, b, r, lam_, s2 = (known[one.name] for one in (S, a, b, r, lam_, s2))
    shown = S**2 * b**2 / (2 * lam_) * (1 + a * (1 + b) * (r + (1 - b) ** 2 / (b * lam_))) * s2
    assert sp.simplify(noise - shown) == 0
    assert (
        r"\frac{S_{k}^2 \beta^2 + \alpha_{k}^2 \left(1 + \beta\right)}{2 \lambda}" in schedules.sharp().statement.latex
    )


def test_of_the_ranges_of_a_statement_only_squares_repetitions_and_the_steps_are_not_printed() -> None:
    silent: dict[str, set[str]] = {}
    for one in claims_of():
        for says in one.statements:
            chosen = says.domain.about(in_words.symbols(says))
            for entry_ in set(chosen) - set(in_words.entries(says)):
                if not in_words._repeats(entry_, chosen):
                    silent.setdefault(str(entry_.symbol), set()).add(entry(entry_))
    assert silent.pop("L^2") == {r"L^2\ge 0"}
    assert silent.pop("sigma^2") == {r"\sigma^2\ge 0"}
    assert silent.pop("G^2") == {r"G^2\ge 0"}
    assert set(silent) == {"N"}  # the steps, which the words before the formula name
