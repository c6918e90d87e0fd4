r"""The rows of the table of constants: for each one the statements that carry it and the instance that needs it.

One step is taken at :math:`\rho=1`, :math:`\lambda=\frac12`, :math:`\alpha=\frac14`, :math:`\beta=\frac12`; a run at :math:`\rho=1`,
:math:`\lambda=\frac12`, with the number of steps and the :math:`\alpha_0` of its instance.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp
from gmpy2 import mpq

from shbcore.claims.appendix_a import lemma_3
from shbcore.claims.appendix_b import PRINTED_4, lemma_4
from shbcore.claims.appendix_c_phi import lemma_6
from shbcore.claims.appendix_c_sharp import lemma_W_sharp
from shbcore.claims.appendix_c_z import lemma_7, lemma_W
from shbcore.claims.appendix_d import ten_2
from shbcore.claims.appendix_e_proof import theorem_3
from shbcore.claims.beyond import constrained, energy, half_step, open_question, shorter
from shbcore.claims.beyond.descent import slide, teeth, wall
from shbcore.claims.beyond.fresh import Run, corner
from shbcore.claims.beyond.fresh import run as fresh
from shbcore.claims.beyond.less_noise import lemma_7_less
from shbcore.claims.beyond.tight_steps import BOWL, CAP, LONG, TWO_KINKS, Instance, rare_jump, stairs
from shbcore.claims.beyond.turning import polygon
from shbcore.claims.constants_table import Measure, RunRow, StepRow
from shbcore.claims.printed_start import (
    falls_given_past,
    ten_and_eight,
    ten_and_four,
    ten_printed,
    theorem_u,
    theorem_u_printed,
)
from shbcore.claims.theorem_1 import PRINTED_BOUND
from shbcore.claims.theorem_1_proof import theorem_1, theorem_1_start
from shbcore.claims.theorem_2 import Mapping, gradient_mapping
from shbcore.claims.trial import REAL_LINE, Trial
from shbcore.model.rational import PiecewiseQuadratic, RationalProblem
from shbcore.proof.kernel import Line
from shbcore.proof.language import Node, Number
from shbcore.proof.letters import L2, alpha, d_next, lam, nu, rho, sigma2

Q = Fraction
ENVELOPE_NOISE = Number(alpha**2 * sigma2 / (2 * lam))
STEP_NOISE = Number(nu * alpha**2 * sigma2)
MAPPING = Mapping(inside=False)
PARABOLA = Instance(
    Trial(
        RationalProblem((PiecewiseQuadratic.build((), [1]),)),
        *(REAL_LINE, Q(0), Q(1), Q(1)),
        smooth=True,
        points={"x": Q(1)},
    ),
    0,
    "f(x) = x^2/2 at x = 1",
)
MAPPING_PRINTED = float(sp.Rational(3, 2) * (1 + 1 / sp.sqrt(2)))
"""The factor of remark iii after Theorem 2, which the ledger has in words."""


def _step(
    name: str, label: str, build: Callable[..., Line], unit: Node, instance: Instance, thousandths: int, **more: Any
) -> StepRow:
    """A row for the line ``build()``, whose first argument is the constant; ``printed`` is also the repaired one, unless that is given."""
    more = {"zero": build(sp.S.Zero).statement, "repaired": more.get("printed"), **more}
    return StepRow(name, label, build().statement, unit=unit, instance=instance, thousandths=thousandths, **more)


STEPS = (
    _step(
        *("Lemma 3, noise", "lem:xdiff:non-smooth", lemma_3, Number(alpha**2 * L2), stairs(LONG + 1), 999),
        printed=lemma_3().statement,
    ),
    _step(
        *(r"Lemma 4, $\gamma$", "lem:Vfunc:non-smooth", lemma_4, Number(alpha**2 * L2 / (2 * lam)), stairs(LONG), 999),
        printed=PRINTED_4,
        repaired=lemma_4().statement,
    ),
    _step(
        r"$U_k$ given the past, $\gamma'$",
        "thrm:non-smooth:complexity/ten",
        *(falls_given_past, Number(alpha**2 * L2 / (2 * lam)), TWO_KINKS, 1000),
    ),
    _step("Lemma 5, noise", "lem:Wfunc:smooth", lemma_W_sharp, STEP_NOISE, BOWL, 581, printed=lemma_W().statement),
    _step(
        *("Lemma 6, bend", "lem:xdiff:smooth", lemma_6, rho * alpha**2 * d_next**2, CAP, 1000),
        zero=lemma_6(1 / (1 - rho * alpha / 2)).statement,
        printed=lemma_6().statement,
    ),
    _step(
        *("Lemma 7, noise", "lem:z:diff", lemma_7_less, STEP_NOISE, BOWL, 672),
        printed=(lemma_7().statement, lemma_7(0).statement),
    ),
    _step(
        *(
            "Gradient mapping",
            "thrm:smooth:complexity/remark-iii",
            gradient_mapping,
            MAPPING.gradient**2,
            PARABOLA,
            1000,
        ),
        printed=MAPPING_PRINTED,
        repaired=gradient_mapping().statement,
        root=True,
    ),
    _step(
        *("(A), noise", "beyond/energy/A", energy.envelope_step, ENVELOPE_NOISE, rare_jump(Q(37, 2)), 904),
        zero=energy.envelope_step(noise=0).statement,
    ),
    _step("(B), noise", "beyond/energy/B", energy.energy_lemma, STEP_NOISE, BOWL, 1000),
    _step(r"$\mathcal{E}_k$, noise", "beyond/energy/falls", energy.falls, ENVELOPE_NOISE, rare_jump(Q(33, 2)), 871),
    _step(r"$\mathcal{V}_k$, noise", "beyond/short/falls", shorter.falls, ENVELOPE_NOISE, BOWL, 1000),
    _step(
        *(r"$\mathcal{U}_k$, noise", "beyond/constrained/falls", constrained.falls),
        *(ENVELOPE_NOISE, rare_jump(Q(33, 2)), 871),
    ),
)

# --- runs

ONE, HALF, QUARTER = mpq(1), mpq(1, 2), mpq(1, 4)
ROOT = 32
HUBER = "a bowl of curvature 16, steep walls far out, noise in a fresh direction at every step"
FLAT = "f = 0 on a box, noise in a fresh direction at every step"
WALL = "f(x) = (51/50) x - x^2/2 on [0, 1] from x_0 = 1, no noise"
TEETH = "teeth on the way down, no noise"
WAVES = "smooth teeth on the way down, no noise"
SLIDE = "a slide: curvature -1, then 1 to the minimum; no noise"
BALL = "f(x) = |x|^2/2, noise in a fresh direction at every step"
CORNER = "a corner: in every coordinate a slope towards a wall, noise in a fresh direction at every step"
POLYGON = "f(x) = x_1 on a polygon with eight small turns, no noise, the printed start"
PUSHED = "; the printed start pushes one more direction"

to_wall = partial(wall, ROOT, mpq(1, 50))
down_teeth = partial(teeth, ROOT, mpq(1, 16))
huber = partial(fresh, ROOT, mpq(16))
flat = partial(fresh, ROOT, mpq(0), boxed=True)
round_polygon = partial(polygon, ROOT**2, 8)

Cell = tuple[str, Line, Measure, Callable[..., Run], str, int]
"""A constant of a bound: its name, the line that carries it, what it multiplies, a run, the run in words, and the thousandths needed."""


def _runs(name: str, label: str, *cells: Cell, alpha_0: Any = ONE, **more: Any) -> list[RunRow]:
    """The rows of one bound; ``printed`` is also the repaired one, unless that is given."""
    more = {"alpha_0": Q(str(alpha_0)), "repaired": more.get("printed"), **more}
    return [
        RunRow(name % part, label, line.statement, measure=of, make=make, said=said, thousandths=needed, **more)
        for part, line, of, make, said, needed in cells
    ]


_FREE, _FREE_PRINTED = open_question.ten_and_four(), open_question.ten_eight_four()
_HALVED, _HALVED_PRINTED = open_question.ten_and_three_halves(), open_question.ten_three_three_halves()

RUNS = (
    *_runs(
        "Theorem 1, %s",
        "thrm:non-smooth:complexity/ten",
        (r"$\rho\Delta$", ten_and_four(), "gap", partial(teeth, 2 * ROOT, mpq(1, 32), smooth=True), WAVES, 179),
        (r"$L^2$, start $\beta g_0$", ten_and_four(), "L2", huber, HUBER, 322),
        (r"$L^2$, start $g_0$", ten_and_eight(), "L2", partial(huber, start="printed"), HUBER + PUSHED, 232),
        printed=ten_printed().statement,
    ),
    *_runs(
        r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, %s",
        "eq:thrm:1",
        (r"$\Delta$", theorem_1(), "gap", partial(down_teeth, HALF), TEETH, 293),
        (r"$L^2$, start $\beta g_0$", theorem_u(), "L2", partial(huber, alpha_0=HALF), HUBER, 254),
        printed=PRINTED_BOUND,
        repaired=theorem_1().statement,
        alpha_0=HALF,
    ),
    *_runs(
        r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, %s",
        "eq:thrm:1",
        (
            *(r"$L^2$, start $g_0$", theorem_u_printed(), "L2"),
            *(partial(huber, alpha_0=HALF, start="printed"), HUBER + PUSHED, 181),
        ),
        printed=PRINTED_BOUND,
        repaired=theorem_1_start().statement,
        alpha_0=HALF,
    ),
    *_runs(
        "Theorem 2, %s",
        "thrm:smooth:complexity/ten",
        (r"$\rho\Delta$", _FREE, "gap", to_wall, WALL, 314),
        (r"$G^2$, start $\beta g_0$", _FREE, "G2", to_wall, WALL, 0),
        (r"$\sigma^2$, start $\beta g_0$", _FREE, "sigma2", flat, FLAT, 178),
        printed=ten_2().statement,
    ),
    *_runs(
        r"Theorem 3, %s at $\alpha_0=\frac{1}{4\rho}$",
        "thrm:smooth:unconstrained:complexity/bound",
        (
            *(r"$\Delta$", constrained.average(), "gap"),
            *(partial(slide, ROOT, mpq(1, 50), mpq(3, 10), QUARTER), SLIDE, 429),
        ),
        (r"$\sigma^2$", shorter.average(), "sigma2", partial(fresh, ROOT, ONE, alpha_0=QUARTER), BALL, 113),
        printed=theorem_3().statement,
        alpha_0=QUARTER,
    ),
    *_runs(
        "Without $G$, %s",
        "beyond/open/ten",
        (r"$\rho\Delta$", _FREE, "gap", to_wall, WALL, 314),
        (r"$\sigma^2$, start $\beta g_0$", _FREE, "sigma2", flat, FLAT, 178),
        (r"$\sigma^2$, start $g_0$", _FREE_PRINTED, "sigma2", partial(flat, start="printed"), FLAT + PUSHED, 179),
        (r"$\|\nabla f(x_0)\|^2$, start $g_0$", _FREE_PRINTED, "slope2", round_polygon, POLYGON, 127),
    ),
    *_runs(
        r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, %s",
        "beyond/open/half-step",
        (r"$\rho\Delta$", _HALVED, "gap", partial(to_wall, HALF), WALL, 446),
        (r"$\sigma^2$, start $\beta g_0$", _HALVED, "sigma2", partial(corner, ROOT, alpha_0=HALF), CORNER, 145),
        (
            *(r"$\sigma^2$, start $g_0$", _HALVED_PRINTED, "sigma2"),
            *(partial(flat, alpha_0=HALF, start="printed"), FLAT + PUSHED, 119),
        ),
        (r"$\|\nabla f(x_0)\|^2$, start $g_0$", _HALVED_PRINTED, "slope2", partial(round_polygon, HALF), POLYGON, 77),
        alpha_0=HALF,
    ),
    *_runs(
        "Half the stepsize under (A2), %s",
        "beyond/start/half-step",
        (r"$\rho\Delta$", half_step.ten_and_three_halves(), "gap", partial(down_teeth, HALF), TEETH, 313),
        (
            *(r"$L^2$, start $\beta g_0$", half_step.ten_and_three_halves(), "L2"),
            *(partial(huber, alpha_0=HALF), HUBER, 252),
        ),
        (
            *(r"$L^2$, start $g_0$", half_step.ten_and_three(), "L2"),
            *(partial(huber, alpha_0=HALF, start="printed"), HUBER + PUSHED, 179),
        ),
        alpha_0=HALF,
    ),
    *_runs(
        r"Theorem 3 with constraints, %s at $\alpha_0=\frac{1}{4\rho}$",
        "beyond/constrained/average",
        (r"$\Delta$", constrained.average(), "gap", partial(to_wall, QUARTER), WALL, 581),
        (r"$\sigma^2$", constrained.average(), "sigma2", partial(corner, ROOT, alpha_0=QUARTER), CORNER, 179),
        alpha_0=QUARTER,
    ),
)
