r"""Exact counterexamples to printed lines, each as simple as could be found: a reader can check them by hand.

Every function returns a :class:`~shbcore.claims.evidence.Counterexample`: the instance in words, the printed line with both sides
as exact numbers, the repaired line at the same instance, and the numbers on the way.
"""

from fractions import Fraction

from shbcore.claims.evidence import Counterexample, Line

F = Fraction


def weak_convexity_definition() -> Counterexample:
    """The definition with rho |x|^2 admits f = -x^2, for which Lemma 1 fails"""
    f = {point: -(F(point) ** 2) for point in (0, 1)}
    return Counterexample(
        "weak_convexity_definition",
        ("eqn:objective/weak-convexity",),
        "f(x) = -x^2, rho = 1, x = 0, y = 1, g = 0",
        r"f(x)+\langle g,y-x\rangle-\tfrac{\rho}{2}\|y-x\|^2\le f(y)",
        printed=Line(f[0] - F(1, 2), f[1]),
        repaired=Line(f[0] - F(2, 2), f[1]),
        numbers={"f + rho x^2": "0, convex: the printed definition holds with rho = 1", "rho that Lemma 1 needs": 2},
    )


def prox_not_attained() -> Counterexample:
    """Without closedness the prox need not exist: f = 0 on (0, 1], infinite elsewhere"""
    y = F(1)
    return Counterexample(
        "prox_not_attained",
        ("eq:prox", "lem:moreau:env"),
        "f = 0 on (0,1] and +inf elsewhere, lambda = 1, x = 0; y = 1 (any y in (0,1] behaves alike)",
        r"f(y)+\tfrac{1}{2\lambda}\|x-y\|^2\le f(y/2)+\tfrac{1}{2\lambda}\|x-y/2\|^2\quad\text{for the minimiser }y",
        printed=Line(y**2 / 2, (y / 2) ** 2 / 2),
        repaired=Line(F(0), (y / 2) ** 2 / 2),
        numbers={"infimum": F(0), "value at y": y**2 / 2, "value at y/2": (y / 2) ** 2 / 2, "closure": "[0,1], prox 0"},
    )
