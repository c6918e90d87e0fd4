"""The second way to every statement: each formal claim about one step is evaluated exactly on small problems."""

import pytest

from shbcore.claims.falsify import STEPS, trials
from shbcore.claims.registry import Claim, claims
from shbcore.claims.trial import compare
from shbcore.proof import Statement


def formal() -> list[tuple[Claim, Statement]]:
    return [(entry, says) for entry in claims() for says in entry.statements if says.scope in STEPS]


@pytest.mark.parametrize(("entry", "says"), formal(), ids=lambda one: one.label if isinstance(one, Claim) else "")
def test_a_formal_statement_holds_on_exact_instances(entry: Claim, says: Statement) -> None:
    for k, start in STEPS[says.scope]:
        for trial in trials(says, start):
            try:
                found = list(compare(says, trial, k))
            except ValueError as reason:
                if "no value for" in str(reason) or "free vector" in str(reason):  # these have no value along a run
                    continue
                if "the domain of the statement" in str(reason):  # of such parameters it does not speak
                    continue
                raise
            assert all(one.holds for one in found), (
                f"k = {k}, {start}: {next(str(one) for one in found if not one.holds)}"
            )


def test_most_statements_about_a_step_can_be_tried() -> None:
    tried = 0
    for _, says in formal():
        k, start = STEPS[says.scope][0]
        try:
            tried += any(True for trial in trials(says, start, 1) for _ in compare(says, trial, k))
        except ValueError:
            continue
    assert tried >= 0.6 * len(formal())
