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
from shbcore.claims.theorem_1_proof import ten, theorem_1, theorem_1_start
from shbcore.claims.theorem_2 import Mapping, gradient_mapping
from shbcore.claims.trial import REAL_LINE, Trial
from shbcore.model.rational import PiecewiseQuadratic, RationalProblem
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
    name: str,
    label: str,
    build: Callable[..., Any],
    zero: dict[str, Any],
    unit: Node,
    instance: Instance,
    **more: Any,
) -> StepRow:
    return StepRow(name, label, build().statement, zero=build(**zero).statement, unit=unit, instance=instance, **more)


def _same(build: Callable[..., Any]) -> dict[str, Any]:
    """Printed and repaired are what is certified."""
    return {"printed": build().statement, "repaired": build().statement}


STEPS = (
    _step(
        "Lemma 3, noise",
        "lem:xdiff:non-smooth",
        *(lemma_3, {"noise": 0}, Number(alpha**2 * L2), stairs(LONG + 1)),
        **_same(lemma_3),
    ),
    _step(
        r"Lemma 4, $\gamma$",
        "lem:Vfunc:non-smooth",
        *(lemma_4, {"value": sp.S.Zero}, Number(alpha**2 * L2 / (2 * lam)), stairs(LONG)),
        printed=PRINTED_4,
        repaired=lemma_4().statement,
    ),
    _step(
        r"$U_k$ given the past, $\gamma'$",
        "thrm:non-smooth:complexity/ten",
        *(falls_given_past, {"share": 0}, Number(alpha**2 * L2 / (2 * lam)), TWO_KINKS),
    ),
    _step(
        "Lemma 5, noise",
        "lem:Wfunc:smooth",
        *(lemma_W_sharp, {"share": 0}, STEP_NOISE, BOWL),
        printed=lemma_W().statement,
        repaired=lemma_W().statement,
    ),
    _step(
        "Lemma 6, bend",
        "lem:xdiff:smooth",
        *(lemma_6, {"share": 1 / (1 - rho * alpha / 2)}, rho * alpha**2 * d_next**2, CAP),
        **_same(lemma_6),
    ),
    _step(
        "Lemma 7, noise",
        "lem:z:diff",
        *(lemma_7_less, {"share": 0}, STEP_NOISE, BOWL),
        printed=(lemma_7().statement, lemma_7(factor=0).statement),
        repaired=(lemma_7().statement, lemma_7(factor=0).statement),
    ),
    _step(
        "Gradient mapping",
        "thrm:smooth:complexity/remark-iii",
        *(gradient_mapping, {"factor": 0}, MAPPING.gradient**2, PARABOLA),
        printed=MAPPING_PRINTED,
        repaired=gradient_mapping().statement,
        root=True,
    ),
    _step("(A), noise", "beyond/energy/A", energy.envelope_step, {"noise": 0}, ENVELOPE_NOISE, rare_jump(Q(37, 2))),
    _step("(B), noise", "beyond/energy/B", energy.energy_lemma, {"noise": 0}, STEP_NOISE, BOWL),
    _step(
        r"$\mathcal{E}_k$, noise",
        "beyond/energy/falls",
        energy.falls,
        {"noise": 0},
        ENVELOPE_NOISE,
        rare_jump(Q(33, 2)),
    ),
    _step(r"$\mathcal{V}_k$, noise", "beyond/short/falls", shorter.falls, {"noise": 0}, ENVELOPE_NOISE, BOWL),
    _step(
        r"$\mathcal{U}_k$, noise",
        "beyond/constrained/falls",
        *(constrained.falls, {"noise": 0}, ENVELOPE_NOISE, rare_jump(Q(33, 2))),
    ),
)

# --- runs

HALF, QUARTER = mpq(1, 2), mpq(1, 4)
ROOT = 32
HUBER = "a bowl of curvature 16, steep walls far out, noise in a fresh direction at every step"
FLAT = "f = 0 on a box, noise in a fresh direction at every step"
WALL = "f(x) = (51/50) x - x^2/2 on [0, 1] from x_0 = 1, no noise"
TEETH = "teeth on the way down, no noise"
WAVES = "smooth teeth on the way down, no noise"
SLIDE = "a slide: curvature -1, then 1 to the minimum; no noise"
CORNER = "a corner: in every coordinate a slope towards a wall, noise in a fresh direction at every step"
POLYGON = "f(x) = x_1 on a polygon with eight small turns, no noise, the printed start"
PUSHED = "; the printed start pushes one more direction"


def _run(
    name: str, label: str, build: Callable[..., Any], measure: Measure, make: Callable[[], Run], said: str, **more: Any
) -> RunRow:
    step = more.pop("alpha_0", Q(1))
    exact = Q(int(step.numerator), int(step.denominator))
    return RunRow(name, label, build().statement, measure=measure, make=make, said=said, alpha_0=exact, **more)


def _theorem_1() -> list[RunRow]:
    place, first = "thrm:non-smooth:complexity/ten", "eq:thrm:1"
    bowl, pushed = partial(fresh, ROOT, mpq(16)), partial(fresh, ROOT, mpq(16), start="printed")
    down = partial(teeth, 2 * ROOT, mpq(1, 32), smooth=True)
    half = {"printed": PRINTED_BOUND, "alpha_0": HALF}
    return [
        _run(
            r"Theorem 1, $\rho\Delta$",
            *(place, ten_and_four, "gap", down, WAVES),
            printed=ten_printed().statement,
            repaired=ten().statement,
        ),
        _run(
            r"Theorem 1, $L^2$, start $\beta g_0$",
            *(place, ten_and_four, "L2", bowl, HUBER),
            printed=ten_printed().statement,
            repaired=ten().statement,
        ),
        _run(
            r"Theorem 1, $L^2$, start $g_0$",
            *(place, ten_and_eight, "L2", pushed, HUBER + PUSHED),
            printed=ten_printed().statement,
            repaired=ten_printed().statement,
        ),
        _run(
            r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $\Delta$",
            *(first, theorem_1, "gap", partial(teeth, ROOT, mpq(1, 16), HALF), TEETH),
            repaired=theorem_1().statement,
            **half,
        ),
        _run(
            r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $L^2$, start $\beta g_0$",
            *(first, theorem_u, "L2", partial(fresh, ROOT, mpq(16), alpha_0=HALF), HUBER),
            repaired=theorem_1().statement,
            **half,
        ),
        _run(
            r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $L^2$, start $g_0$",
            *(first, theorem_u_printed, "L2", partial(fresh, ROOT, mpq(16), alpha_0=HALF, start="printed")),
            HUBER + PUSHED,
            repaired=theorem_1_start().statement,
            **half,
        ),
    ]


def _smooth() -> list[RunRow]:
    box, pushed = partial(fresh, ROOT, mpq(0), boxed=True), partial(fresh, ROOT, mpq(0), boxed=True, start="printed")
    against = partial(wall, ROOT, mpq(1, 50))
    two, three = "thrm:smooth:complexity/ten", "thrm:smooth:unconstrained:complexity/bound"
    printed_2, printed_3 = ten_2().statement, theorem_3().statement
    bowl = partial(fresh, ROOT, mpq(1), alpha_0=QUARTER)
    return [
        _run(
            r"Theorem 2, $\rho\Delta$",
            *(two, open_question.ten_and_four, "gap", against, WALL),
            printed=printed_2,
            repaired=printed_2,
        ),
        _run(
            r"Theorem 2, $G^2$",
            *(two, open_question.ten_and_four, "G2", against, WALL),
            printed=printed_2,
            repaired=printed_2,
        ),
        _run(
            r"Theorem 2, $\sigma^2$",
            *(two, open_question.ten_and_four, "sigma2", box, FLAT),
            printed=printed_2,
            repaired=printed_2,
        ),
        _run(
            r"Theorem 3, $\Delta$ at $\alpha_0=\frac{1}{4\rho}$",
            *(three, constrained.average, "gap", partial(slide, ROOT, mpq(1, 50), mpq(3, 10), QUARTER), SLIDE),
            printed=printed_3,
            repaired=printed_3,
            alpha_0=QUARTER,
        ),
        _run(
            r"Theorem 3, $\sigma^2$ at $\alpha_0=\frac{1}{4\rho}$",
            *(three, shorter.average, "sigma2", bowl, "f(x) = |x|^2/2, noise in a fresh direction at every step"),
            printed=printed_3,
            repaired=printed_3,
            alpha_0=QUARTER,
        ),
        _run(r"Without $G$, $\rho\Delta$", "beyond/open/ten", open_question.ten_and_four, "gap", against, WALL),
        _run(
            r"Without $G$, $\sigma^2$, start $\beta g_0$",
            "beyond/open/ten",
            open_question.ten_and_four,
            "sigma2",
            box,
            FLAT,
        ),
        _run(
            r"Without $G$, $\sigma^2$, start $g_0$",
            *("beyond/open/ten", open_question.ten_eight_four, "sigma2", pushed, FLAT + PUSHED),
        ),
        _run(
            r"Without $G$, $\|\nabla f(x_0)\|^2$, start $g_0$",
            *("beyond/open/ten", open_question.ten_eight_four, "slope2", partial(polygon, ROOT**2, 8), POLYGON),
        ),
        _run(
            r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\rho\Delta$",
            *("beyond/open/half-step", open_question.ten_and_three_halves, "gap"),
            *(partial(wall, ROOT, mpq(1, 50), HALF), WALL),
            alpha_0=HALF,
        ),
        _run(
            r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\sigma^2$, start $\beta g_0$",
            *("beyond/open/half-step", open_question.ten_and_three_halves, "sigma2"),
            *(partial(corner, ROOT, alpha_0=HALF), CORNER),
            alpha_0=HALF,
        ),
        _run(
            r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\sigma^2$, start $g_0$",
            *("beyond/open/half-step", open_question.ten_three_three_halves, "sigma2"),
            *(partial(fresh, ROOT, mpq(0), boxed=True, alpha_0=HALF, start="printed"), FLAT + PUSHED),
            alpha_0=HALF,
        ),
        _run(
            r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\|\nabla f(x_0)\|^2$, start $g_0$",
            *("beyond/open/half-step", open_question.ten_three_three_halves, "slope2"),
            *(partial(polygon, ROOT**2, 8, HALF), POLYGON),
            alpha_0=HALF,
        ),
        _run(
            r"Half the stepsize under (A2), $\rho\Delta$",
            *("beyond/start/half-step", half_step.ten_and_three_halves, "gap"),
            *(partial(teeth, ROOT, mpq(1, 16), HALF), TEETH),
            alpha_0=HALF,
        ),
        _run(
            r"Half the stepsize under (A2), $L^2$, start $\beta g_0$",
            *("beyond/start/half-step", half_step.ten_and_three_halves, "L2"),
            *(partial(fresh, ROOT, mpq(16), alpha_0=HALF), HUBER),
            alpha_0=HALF,
        ),
        _run(
            r"Half the stepsize under (A2), $L^2$, start $g_0$",
            *("beyond/start/half-step", half_step.ten_and_three, "L2"),
            *(partial(fresh, ROOT, mpq(16), alpha_0=HALF, start="printed"), HUBER + PUSHED),
            alpha_0=HALF,
        ),
        _run(
            r"Theorem 3 with constraints, $\Delta$ at $\alpha_0=\frac{1}{4\rho}$",
            *("beyond/constrained/average", constrained.average, "gap"),
            *(partial(wall, ROOT, mpq(1, 50), QUARTER), WALL),
            alpha_0=QUARTER,
        ),
        _run(
            r"Theorem 3 with constraints, $\sigma^2$ at $\alpha_0=\frac{1}{4\rho}$",
            *("beyond/constrained/average", constrained.average, "sigma2"),
            *(partial(corner, ROOT, alpha_0=QUARTER), CORNER),
            alpha_0=QUARTER,
        ),
    ]


RUNS = (*_theorem_1(), *_smooth())

NEEDED = {
    r"Lemma 3, noise": 999,
    r"Lemma 4, $\gamma$": 999,
    r"$U_k$ given the past, $\gamma'$": 1000,
    r"Lemma 5, noise": 581,
    r"Lemma 6, bend": 1000,
    r"Lemma 7, noise": 672,
    r"Gradient mapping": 1000,
    r"(A), noise": 904,
    r"(B), noise": 1000,
    r"$\mathcal{E}_k$, noise": 871,
    r"$\mathcal{V}_k$, noise": 1000,
    r"$\mathcal{U}_k$, noise": 871,
    r"Theorem 1, $\rho\Delta$": 179,
    r"Theorem 1, $L^2$, start $\beta g_0$": 322,
    r"Theorem 1, $L^2$, start $g_0$": 232,
    r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $\Delta$": 293,
    r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $L^2$, start $\beta g_0$": 254,
    r"Theorem 1, first display at $\alpha_0=\frac{1}{2\rho}$, $L^2$, start $g_0$": 181,
    r"Theorem 2, $\rho\Delta$": 314,
    r"Theorem 2, $\sigma^2$": 178,
    r"Theorem 3, $\Delta$ at $\alpha_0=\frac{1}{4\rho}$": 429,
    r"Theorem 3, $\sigma^2$ at $\alpha_0=\frac{1}{4\rho}$": 113,
    r"Without $G$, $\rho\Delta$": 314,
    r"Without $G$, $\sigma^2$, start $\beta g_0$": 178,
    r"Without $G$, $\sigma^2$, start $g_0$": 179,
    r"Without $G$, $\|\nabla f(x_0)\|^2$, start $g_0$": 127,
    r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\rho\Delta$": 446,
    r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\sigma^2$, start $\beta g_0$": 145,
    r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\sigma^2$, start $g_0$": 119,
    r"Without $G$ at $\alpha_0=\frac{1}{2\rho}$, $\|\nabla f(x_0)\|^2$, start $g_0$": 77,
    r"Half the stepsize under (A2), $\rho\Delta$": 313,
    r"Half the stepsize under (A2), $L^2$, start $\beta g_0$": 252,
    r"Half the stepsize under (A2), $L^2$, start $g_0$": 179,
    r"Theorem 3 with constraints, $\Delta$ at $\alpha_0=\frac{1}{4\rho}$": 581,
    r"Theorem 3 with constraints, $\sigma^2$ at $\alpha_0=\frac{1}{4\rho}$": 179,
}
"""What each instance needs of the certified constant, in thousandths, rounded down; the ledger evaluates it again."""
