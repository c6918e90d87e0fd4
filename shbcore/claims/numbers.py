r"""The paper's own numbers: Lemma 3 is "Lemma 3", and the display ``eq:thrm:1`` is (12).

LaTeX counts the numbered displays in the order in which they stand.  The registry keeps that order, so the numbers are counted here
and not typed; what is typed is what the labels do not show: the numbered displays without a label, and the lines of one number.
"""

import re
from functools import cache

from shbcore.claims.registry import Claim, claim, claims

UNLABELLED = {
    "lem:Wfunc:smooth/phi": 1,
    "appendix:proof:lem:xdiff:non-smooth/compact": 2,
    "appendix:proof:lem:Vfunc:non-smooth/x_hat": 1,
}
"""Displays that have a number and no label, with how many numbers they take."""
LINES = {"eq:SHB:unconstrained:z": "b", "alg:iters:def:a": "a", "alg:iters:def:b": "b"}
"""Lines of a display whose parts share one number."""
_ELSE = re.compile(r"(?:lem|thrm|assumption|fig|appendix|introduction|background|conclusion|beyond)\b|.*/")
_NAMED = re.compile(r"(?:Lemma|Theorem|Figure) \d+(?:\([a-z]\))?|Assumption A|\(A\d\)|Remark i+|Appendix [A-E]")


@cache
def displays() -> dict[str, str]:
    """The number of each numbered display, by label."""
    found: dict[str, str] = {}
    count = 0
    for label in (one.label for one in claims()):
        if label in LINES:
            found[label] = f"{count}{LINES[label]}"
        elif label in UNLABELLED:
            first, count = count + 1, count + UNLABELLED[label]
            found[label] = str(first) if first == count else f"{first}, {count}"
        elif not _ELSE.match(label):
            count += 1
            found[label] = str(count)
    return found


def name(one: Claim) -> str:
    """The number by which the paper calls a lemma, theorem, figure or assumption; empty if it has none."""
    found = _NAMED.match(one.title)
    return found.group() if found else ""


def place(one: Claim) -> str:
    """How to find a claim in the paper: its name and the number of its display, or the ones it stands under."""
    display = displays().get(one.label, "")
    parts = [name(one), f"({display})" if display else ""]
    if any(parts):
        return " ".join(part for part in parts if part)
    above = one.label.rpartition("/")[0]
    over = displays().get(above, "")
    over = f"({over})" if over else name(claim(above)) if above in {c.label for c in claims()} else ""
    if over.startswith("Figure"):  # what is said about a figure stands in the text
        return ""
    return f"at {over}" if over else ""


def heading(one: Claim) -> tuple[str, str]:
    """Where a claim stands in the paper, and its title without that name."""
    title = re.sub(r"^( \(Appendix [A-E]\))?[:, ]+", "", one.title.removeprefix(name(one))) if name(one) else one.title
    return place(one), title[:1].upper() + title[1:] if name(one) else title
