"""Every inequality of the library holds on exact one-dimensional instances, and fails there with a smaller constant."""
# ruff: noqa: SIM300  -- claims are written as on paper

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from shbcore.proof.algebra import Gram, Value, vector
from shbcore.proof.certificate import Certificate
from shbcore.proof.hypotheses import (
    Function,
    envelope_infimum,
    interpolation,
    jensen,
    lipschitz_gradient,
    nonexpansive,
    nonexpansive_pair,
    projection,
    prox_strong_convexity,
    smooth_above,
    square,
    square_convexity,
    weak_convexity,
    young,
)
from shbcore.proof.positivity import Domain, positive
from shbcore.proof.step import rho

R = Fraction(2)  # the instance's rho; the envelope has 1/lambda = 3 rho
LAM = Fraction(1, 6)
f, h, F_env = Function("f"), Function("h"), Function("F")
x, y, p, q, prox = (vector(name) for name in ("x", "y", "p", "q", "prox"))
LIBRARY = {
    "weak convexity": lambda c: weak_convexity(f, x, y, weak_convexity=c * R),
    "smoothness": lambda c: smooth_above(Function("up"), x, y, smoothness=c * R),
    "Lipschitz gradient": lambda c: lipschitz_gradient(h, x, y, smoothness=c * R),
    "interpolation": lambda c: interpolation(h, x, y, smoothness=c * R),
    "projection": lambda c: projection(x, p * (2 - c), (1, q)),
    "nonexpansiveness": lambda c: nonexpansive(c * x, p, (1, q)),
    "nonexpansiveness of a pair": lambda c: nonexpansive_pair(c * x, p, c * y, q),
    "envelope": lambda c: envelope_infimum(f, F_env, x, y, envelope=LAM / c),
    "strong convexity": lambda c: prox_strong_convexity(f, x, prox, y, envelope=LAM, weak_convexity=c * R),
    "Young": lambda c: young(x, c**3 * y, sp.Rational(1, 3)),
    "convexity of the square": lambda c: square_convexity(x, y, sp.Rational(1, 3) * c**4),
    "convexity": lambda c: jensen(Function("square"), x, y, sp.Rational(1, 3) * c),
    "a square": lambda c: square(x - y),
}


def weakly_convex(t):
    """|t| - rho t^2 / 2."""
    return abs(t) - R * t * t / 2


def prox_of(t):
    """The minimiser of |u| - rho u^2/2 + (u - t)^2/(2 lambda), by soft thresholding."""
    shrunk = max(abs(t) / LAM - 1, Fraction(0)) / (1 / LAM - R)
    return shrunk if t > 0 else -shrunk


def clip(t):
    return min(max(t, Fraction(-1)), Fraction(1))


FUNCTIONS = {
    "f": weakly_convex,
    "h": lambda t: -R * t * t / 2,
    "up": lambda t: R * t * t / 2,
    "square": lambda t: t * t,
    "F": lambda t: weakly_convex(prox_of(t)) + (prox_of(t) - t) ** 2 / (2 * LAM),
}
SLOPES = {"f'": lambda t: (1 if t >= 0 else -1) - R * t, "h'": lambda t: -R * t, "up'": lambda t: R * t}


def rational(value):
    return Fraction(int(sp.numer(value)), int(sp.denom(value)))


def evaluate(expression, points):
    def letter(u):
        if isinstance(u.key, tuple):  # a subgradient: its mark and the point
            return SLOPES[u.key[0]](place(u.key[1]))
        return points[u.name]

    def place(key):
        return sum((rational(c) * letter(u) for u, c in key), Fraction(0))

    total = Fraction(0)
    for key, coefficient in expression.terms.items():
        if isinstance(key, Gram):
            a, b = key.letters
            total += rational(coefficient) * letter(a) * letter(b)
        else:
            assert isinstance(key, Value)
            total += rational(coefficient) * (FUNCTIONS[key.function](place(key.key)) if key.function != "1" else 1)
    return total


def instances(count=400):
    rng = np.random.default_rng(5)
    for _ in range(count):
        a, b = (Fraction(int(v), 7) for v in rng.integers(-20, 21, 2))
        yield {"x": a, "y": b, "p": clip(a), "q": clip(b), "prox": prox_of(a)}


@pytest.mark.parametrize("name", LIBRARY)
def test_the_hypothesis_holds_on_every_instance(name):
    expression = LIBRARY[name](sp.S.One).expression
    assert all(evaluate(expression, points) >= 0 for points in instances())


@pytest.mark.parametrize(
    "name", [name for name in LIBRARY if name not in ("a square", "convexity of the square", "convexity", "Young")]
)
def test_the_hypothesis_fails_somewhere_with_nine_tenths_of_its_constant(name):
    expression = LIBRARY[name](sp.Rational(9, 10)).expression
    assert any(evaluate(expression, points) < 0 for points in instances())


def test_interpolation_contains_smoothness_and_the_lipschitz_gradient():
    domain = Domain(positive(rho))
    step, turn = y - x, h.slope(y) - h.slope(x)
    gradient = lipschitz_gradient(h, x, y).expression
    both = [2 * rho * interpolation(h, x, y), 2 * rho * interpolation(h, y, x)]
    assert Certificate(0 <= gradient, both, domain=domain).verify().passed
    above = [1 * interpolation(h, y, x), 1 / (4 * rho) * square(turn - rho * step)]
    assert Certificate(0 <= smooth_above(h, x, y).expression, above, domain=domain).verify().passed
    below = [1 * interpolation(h, x, y), 1 / (4 * rho) * square(turn + rho * step)]
    assert Certificate(0 <= weak_convexity(h, x, y).expression, below, domain=domain).verify().passed
