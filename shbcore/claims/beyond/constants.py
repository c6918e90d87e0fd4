r"""What the constants must be: every lower value of the table of constants as exact evidence, with its control."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial

from shbcore.claims import constants_rows
from shbcore.claims.constants_table import Row
from shbcore.claims.evidence import Comparison, exact
from shbcore.claims.registry import Check, Section

here = Section("Beyond the paper", "how_good_are_the_constants", "sentence")


def _needs(row: Row, share: Fraction) -> Iterator[Comparison]:
    yield row.needs(share)


def needed(rows: Iterable[Row]) -> list[Check]:
    """One check a row: the instance needs the share of the certified constant that the table says, and not a tenth more."""
    found = []
    for row in rows:
        if row.name not in constants_rows.NEEDED:
            continue
        share = Fraction(constants_rows.NEEDED[row.name], 1000)
        what = f"{row.name}: {float(100 * share):.4g} per cent of the certified constant are needed"
        found.append(
            exact(
                what, partial(_needs, row, share), partial(_needs, row, share * Fraction(11, 10)), "eleven tenths of it"
            )
        )
    return found


STEPS = here.claim(
    "beyond/constants/steps",
    "What the constants of one step must be",
    words=(
        "Not in the paper. For each constant of a lemma, and of a function that falls, a problem on the line in exact numbers on which one "
        "step needs the stated share of the sharpest constant that is proved. Where the share is all of it, the constant is the best "
        "at the parameters of the table."
    ),
    more=needed(constants_rows.STEPS),
)
RUNS = here.claim(
    "beyond/constants/runs",
    "What the constants of a whole run must be",
    words=(
        "Not in the paper. For each constant of a theorem a run in exact numbers that needs the stated share of it, the other terms of the "
        "bound taken as proved."
    ),
    more=needed(constants_rows.RUNS),
)
