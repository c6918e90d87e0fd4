r"""What the constants must be: every lower value of the table of constants as exact evidence, with its control."""

from collections.abc import Iterable
from fractions import Fraction

from shbcore.claims import constants_rows
from shbcore.claims.constants_table import Row
from shbcore.claims.evidence import exact
from shbcore.claims.registry import Check, Section

here = Section("Beyond the paper", "how_good_are_the_constants", "sentence")


def needed(rows: Iterable[Row]) -> list[Check]:
    """One check a row: the instance needs the share of the certified constant that the table says, and not a tenth more."""
    what = "{}: {:.4g} per cent of the certified constant are needed"
    return [
        exact(row.needs, what.format(row.name, row.thousandths / 10), "eleven tenths of it", times=Fraction(11, 10))
        for row in rows
        if row.thousandths
    ]


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
