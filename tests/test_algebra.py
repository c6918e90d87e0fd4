"""The algebra computes conditional expectations as a tree of samples does, and refuses what is not measurable."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from shbcore.proof.algebra import (
    ONE,
    TRIVIAL,
    E,
    Expression,
    Function,
    Gram,
    Mean,
    MeasurabilityError,
    constant,
    known_at,
    pull_out,
    recondition,
    vanishes,
    vector,
)
from shbcore.proof.printing import bracketed, tex
from shbcore.proof.step import alpha, beta, d_k, d_next, f, g_k, g_next, rho, x_k, x_next, x_prev, z_k

WEIGHTS = (Fraction(1, 3), Fraction(2, 3))
PATHS = list(product((0, 1), repeat=3))  # samples of the fields 0, 1, 2


def weight(path):
    return np.prod([WEIGHTS[s] for s in path])


class Tree:
    """Letters as rational plane vectors on the tree of all samples; a letter of field j depends on the samples 0..j."""

    def __init__(self, letters, seed):
        rng = np.random.default_rng(seed)
        draw = lambda: np.array([Fraction(int(v), 3) for v in rng.integers(-5, 6, 2)])  # noqa: E731
        table = {}
        self.values = {}
        for letter in letters:
            for path in PATHS:
                start = path[: max(letter.known + 1, 0)]
                self.values[letter, path] = table.setdefault((letter, start), draw())
        for letter in letters:
            if letter.mean is not None:  # shift so that the mean over the fresh sample is the declared one
                old = {path: self.values[letter, path] for path in PATHS}
                for path in PATHS:
                    mean = sum(WEIGHTS[s] * old[(*path[: letter.known], s, *path[letter.known + 1 :])] for s in (0, 1))
                    wanted = sum(float_free(c) * self.values[m, path] for m, c in letter.mean.terms.items())
                    self.values[letter, path] = old[path] - mean + wanted

    def evaluate(self, expression, path):
        return sum(float_free(c) * self.scalar(key, path) for key, c in expression.terms.items())

    def scalar(self, key, path):
        if key == ONE:
            return Fraction(1)
        if isinstance(key, Mean):
            return self.average(lambda p: self.scalar(key.of, p), key.given, path)
        assert isinstance(key, Gram)
        return self.values[key.letters[0], path] @ self.values[key.letters[1], path]

    @staticmethod
    def average(value, given, path):
        known = max(given + 1, 0)
        same = [p for p in PATHS if p[:known] == path[:known]]
        return sum(weight(p) * value(p) for p in same) / sum(weight(p) for p in same)


def float_free(coefficient):
    return Fraction(int(sp.numer(coefficient)), int(sp.denom(coefficient)))


@pytest.mark.parametrize("given", [TRIVIAL, -1, 0, 1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_conditional_expectations_agree_with_a_tree_of_samples(given, seed):
    u, mean = vector("u", -1), vector("m", -1)
    g, v = vector("g", 0, mean=mean), vector("v", 0)
    late = vector("h", 1, mean=g + v)
    letters = [letter for w in (u, mean, g, v, late) for letter in w.terms]
    tree = Tree(letters, seed)
    total = (2 * g + 3 * u) @ (late - v) - 5 * (g @ u) + (late + u) ** 2 / 7 + 4
    nested = E(total, 1) + E(v @ late, 0)
    for expression in (total, nested):
        taken = E(expression, given)
        for path in PATHS:
            direct = Tree.average(lambda p, e=expression: tree.evaluate(e, p), given, path)
            assert tree.evaluate(taken, path) == direct


def test_noise_vanishes_exactly_where_the_other_factor_is_known_before_the_sample():
    noise, noise_next = g_k - f.slope(x_k), g_next - f.slope(x_next)
    assert E(noise @ (x_k + d_k), -1).is_zero()
    assert E(noise_next @ (z_k - d_next), 0).is_zero()
    assert E(noise_next @ noise, TRIVIAL).is_zero()
    assert not E(noise @ d_next, -1).is_zero()
    assert not E(noise @ d_k, 0).is_zero()


def test_the_mean_subgradient_comes_out_of_the_oracle():
    assert (E(g_k @ (x_prev - x_k), -1) - f.slope(x_k) @ (x_prev - x_k)).is_zero()


P_K = (beta * f.slope(x_k) + (1 - beta) * d_k).named("p_k")
P_NEXT = (beta * f.slope(x_next) + (1 - beta) * d_next).named("p_{k+1}")
DELTA, DELTA_NEXT = g_k - f.slope(x_k), g_next - f.slope(x_next)

REFUSED = {
    "eq:znorm step (b)": (lambda: recondition(z_k**2, 0, -1), "g_k"),
    "eq:xdiff:norm:L given F_{k-1}": (lambda: recondition((x_k - x_prev) ** 2 / alpha**2, -1, -2), "d_k"),
    "proof:smooth:z:diff:Delta": (lambda: recondition(DELTA**2, 0, -1), "g_k"),
    "proof:smooth:cond:expect:b": (lambda: recondition(DELTA @ (P_NEXT - P_K), 0, -1), r"d_\{k\+1\}"),
    "proof:smooth:g:inp/noise": (lambda: recondition(DELTA @ (x_k - x_next), 0, -1), r"d_\{k\+1\}"),
    "pulling x_{k+1} out given F_{k-1}": (lambda: pull_out(x_k - x_next, DELTA, -1), r"d_\{k\+1\}"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_the_algebra_refuses_unmeasurable_lines_of_the_paper_and_names_the_factor(line):
    attempt, factor = REFUSED[line]
    with pytest.raises(MeasurabilityError, match=factor):
        attempt()


def test_the_algebra_accepts_the_measurable_lines_of_the_paper():
    assert pull_out(P_NEXT - P_K, DELTA_NEXT, 0).is_zero()  # proof:smooth:cond:expect:a
    assert pull_out(P_K, DELTA, -1).is_zero()  # proof:smooth:cond:expect:b:1
    assert (recondition(d_k**2, 0, -1) - d_k**2).is_zero()
    assert (pull_out(x_prev - x_k, g_k, -1) - f.slope(x_k) @ (x_prev - x_k)).is_zero()  # proof:lem:1:inp:g:xdiff


def test_a_mean_must_be_known_before_its_sample():
    with pytest.raises(MeasurabilityError):
        vector("g", 0, mean=vector("late", 0))


def test_inner_products_are_symmetric_bilinear_and_values_are_keyed_by_the_point():
    u, v, h = vector("u"), vector("v"), Function("h")
    assert (u @ v - v @ u).is_zero()
    assert ((u + alpha * v) ** 2 - u**2 - 2 * alpha * (u @ v) - alpha**2 * v**2).is_zero()
    assert (h((u + v) - v) - h(u)).is_zero()
    assert not (h(u) - h(v)).is_zero()
    with pytest.raises(ValueError, match="squared norm"):
        u**3


def test_zero_is_decided_by_the_expanded_numerator():
    s = sp.Symbol("s")
    assert vanishes(1 / (1 + 1 / s) - s / (s + 1))
    assert not vanishes(1 / (1 + s) - 1 / (1 + s + s**2))


def test_expressions_print_as_latex():
    text = str(E(z_k**2, -1) + constant(1))
    assert r"\mathcal{F}_{k-1}" in text
    assert str(Expression({})) == "0"
    known_at(Expression({}), TRIVIAL)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("x_k", "x_k"),
        ("x^+", "x^+"),
        ("x_{k+1}", "x_{k+1}"),
        (r"\langle u,v-w\rangle", r"\langle u,v-w\rangle"),
        (r"\|u-v\|^2", r"\|u-v\|^2"),
        ("u-v", "(u-v)"),
        (r"f(u)-\frac{1}{2}", r"(f(u)-\frac{1}{2})"),
    ],
)
def test_a_sum_is_put_in_brackets_before_it_is_subtracted(name, printed):
    assert bracketed(name) == printed


def test_a_named_difference_keeps_its_sign_when_it_is_negated():
    u, v = vector("u"), vector("v")
    turn = (u - v).named("u-v")
    assert str(-turn) == "-(u-v)"
    assert str(turn - turn.named("w-v")) == "u-v-(w-v)"
    assert str(beta * turn) == r"\beta (u-v)"


def test_coefficients_print_with_what_is_subtracted_last():
    assert tex(1 - beta) == tex(-(beta - 1)) == r"1 - \beta"
    assert tex(-alpha * (beta - 1)) == r"\alpha \left(1 - \beta\right)"
    assert tex(alpha * (1 / rho - 1)) == r"\alpha \left(\frac{1}{\rho} - 1\right)"
    assert tex((beta - 1) ** 2 / alpha) == r"\frac{\left(1 - \beta\right)^{2}}{\alpha}"


def test_a_function_of_something_else_than_a_vector_is_refused():
    u = vector("u")
    for wrong in (u**2, "u", 1):
        for call in (f, f.slope, lambda x: f.sample(x, "g")):
            with pytest.raises(ValueError, match="function of a vector"):
                call(wrong)
