"""The second way to every statement: each formal claim about one step is evaluated exactly on small problems."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shbcore.claims.registry import Claim, claims
from shbcore.claims.trial import Trial, compare
from shbcore.model.instances import random_instance
from shbcore.model.rational import REAL_LINE
from shbcore.proof import SMOOTH, SMOOTH_EVERYWHERE, WHOLE_SPACE, Scope, Statement, rho

STEPS = {
    Scope.STEP: ((0, "repaired"), (1, "repaired"), (1, "printed")),
    Scope.EVERY: ((0, "printed"), (1, "repaired"), (1, "printed")),
}
STEPS |= {
    Scope.LATE: ((1, "printed"), (2, "repaired")),
    Scope.FIRST: ((0, "printed"),),
    Scope.FIRST_REPAIRED: ((0, "repaired"),),
}


def trials(says: Statement, start: Any, count: int = 3) -> Iterator[Trial]:
    """Problems that meet the assumptions of a statement, at admissible parameters."""
    rng = np.random.default_rng(11)
    smooth = bool({SMOOTH, SMOOTH_EVERYWHERE} & set(says.assumes))
    for j in range(count):
        kind = ("smooth", "linear noise")[j % 2] if smooth else ("kinked", "rare", "boundary")[j % 3]
        case = random_instance(kind, rng, bounded=WHOLE_SPACE not in says.assumes and not (smooth and j == 2))
        steep = case.problem.smoothness if smooth else case.problem.rho
        curved = steep if steep else Fraction(1)
        X = REAL_LINE if WHOLE_SPACE in says.assumes else case.X
        yield Trial(
            case.problem,
            X,
            case.x0,
            alpha=Fraction(1, 4) / curved,
            beta=(Fraction(1, 2), Fraction(1), Fraction(1, 4))[j % 3],
            start=start,
            envelope=1 / (2 * curved),
            smooth=smooth,
            values={rho: curved},
        )


def formal() -> list[tuple[Claim, Statement]]:
    return [(entry, says) for entry in claims() for says in entry.statements if says.scope in STEPS]


@pytest.mark.parametrize(("entry", "says"), formal(), ids=lambda one: one.label if isinstance(one, Claim) else "")
def test_a_formal_statement_holds_on_exact_instances(entry: Claim, says: Statement) -> None:
    for k, start in STEPS[says.scope]:
        for trial in trials(says, start):
            try:
                found = list(compare(says, trial, k))
            except ValueError as reason:
                if "no value for" in str(reason) or "infinite" in str(reason):
                    continue
                raise
            except KeyError:  # free vectors have no value along a run
                continue
            assert all(one.holds for one in found), (
                f"k = {k}, {start}: {next(str(one) for one in found if not one.holds)}"
            )


def test_most_statements_about_a_step_can_be_tried() -> None:
    tried = 0
    for _, says in formal():
        k, start = STEPS[says.scope][0]
        try:
            tried += any(True for trial in trials(says, start, 1) for _ in compare(says, trial, k))
        except (ValueError, KeyError):
            continue
    assert tried >= 0.6 * len(formal())
