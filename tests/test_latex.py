"""Formulas are printed as a person would set them, and a printed statement says all that the object says."""

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.latex import display, node, relation, tex

u, v = vector("u"), vector("v")


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (u**2, r"\|u\|^2"),
        (u @ v, r"\langle u,v\rangle"),
        (u - 2 * v, "u-2 v"),
        ((u - v) ** 2, r"\|u-v\|^2"),
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
        r"$\alpha=\frac{\beta}{\nu}$",
    ):
        assert part in words


def test_statements_that_differ_have_different_fingerprints_and_print_differently() -> None:
    from shbcore.claims.appendix_a import NOISE, lemma_3

    says, other = lemma_3().statement, lemma_3(noise=NOISE * sp.Rational(9, 10)).statement
    assert says.fingerprint != other.fingerprint
    assert says.words != other.words
    assert says.fingerprint == lemma_3().statement.fingerprint
