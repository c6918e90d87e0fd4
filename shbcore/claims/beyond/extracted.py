r"""From a worst case to a problem: the slope of a semidefinite programme's optimum, rounded, and the step evaluated exactly with it.

In the worst step of (A) and of its sum with (B) the gradient at :math:`x_k` stands against the rare value of the noise, and a wall at
:math:`x_k` holds it.  Only its part along the noise matters; that is read off the Gram matrix.  Needs the extra ``referee``.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from shbcore.claims.beyond.tight_steps import ALPHA, BETA, LAMBDA, Instance, rare_jump
from shbcore.claims.constants_table import StepRow, rows
from shbcore.proof.worst_step import steps, worst_step

NAMES = ("(A), noise", r"$\mathcal{E}_k$, noise")
SETTING: dict[str, Any] = {"rho": 1.0, "alpha": float(ALPHA), "beta": float(BETA), "lam": float(LAMBDA)}


@dataclass(frozen=True)
class Extracted:
    """The worst case in floating point, the rounded problem, and what it needs, exactly."""

    worst: float
    instance: Instance
    slope: Fraction
    needs: Fraction


def extracted(name: str, rare: int) -> Extracted:
    r"""The worst step with noise of the values :math:`-M` and :math:`1/M`, rounded and evaluated; ``rare`` is :math:`M`."""
    if name not in NAMES:
        raise ValueError(f"name = {name!r}: must be one of {', '.join(NAMES)}")
    step = steps(**SETTING)[name]
    found = worst_step(step.kind, step.weights, **SETTING, scale=step.scale, chance=1 / (1 + rare**2))
    slope = Fraction(-found.products["v", "D"]).limit_denominator(50)
    (row,) = (one for one in rows() if one.name == name)
    assert isinstance(row, StepRow)
    instance = rare_jump(slope, rare)
    return Extracted(found.value, instance, slope, replace(row, instance=instance).lower)
