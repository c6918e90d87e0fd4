r"""What Coq has checked, and whether it still stands: the record ``checked.json``, compared with the ledger by fingerprints.

Nothing here needs Coq.  The record is written by ``make kernel-check`` (and ``make kernel-controls``, for what Coq refused).  It knows

- *written* theorems: proved by hand in ``kernel/`` from the definitions of the paper, each with the fingerprints of the formal statements
  of its claim (of the printed ones, if it refutes them), and of the statements that it was read beside and is (``kernel/reviewed.json``);
- *exported* theorems: one for each line of the ledger, which says that the line follows from the facts and earlier lines that it adds up.

A statement that has changed since has another fingerprint.  It is ``not checked``, and its claim fails.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp

from shbcore.proof.facts import Fact
from shbcore.proof.joins import Join
from shbcore.proof.kernel import Line, Outcome
from shbcore.proof.statement import Scope, Statement, canonical

if TYPE_CHECKING:
    from shbcore.claims.registry import Check, Claim, Definition

RECORD = Path(__file__).with_name("checked.json")
STATEMENTS = Path(__file__).with_name("checked_statements.json")
RULES = {
    "Limit": ("limit", "Telescope.limit_rule"),
    "Later": ("renaming", "no theorem: a line for every k is taken at k + 1"),
    "Induction": ("induction", "Coq.Init.Datatypes.nat_ind"),
    "Summation": ("summation", "Telescope.telescope; with weights Schedules.weighted_telescope"),
}
"""What joins lines: the rule, and the theorem of Coq that is this rule.  That a line has the form it asks for is compared in Python."""


@cache
def record() -> dict[str, Any]:
    """The record as it was committed."""
    found: dict[str, Any] = json.loads(RECORD.read_text())
    return found


@cache
def _texts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STATEMENTS.read_text())
    return found


def definition(name: str) -> str:
    """A definition of the development, as Coq has it."""
    found: str = _texts()["definitions"][name]
    return found


def statement(name: str, *, whole: bool = True) -> str:
    """A theorem as Coq has it; ``whole`` with what its section fixes and assumes before it."""
    found = _texts()["theorems"][name]
    before, text = found["before"], found["statement"]
    return f"{before}\n\n{text}" if whole and before else str(text)


# --- fingerprints of lines


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def identity(one: Line) -> str:
    """Text that is equal for lines with the same statement and the same terms."""
    return canonical(one.statement) + "".join(f"{term.multiplier}{_describe(term.source)}" for term in one.terms)


def _describe(source: Any) -> str:
    """What a term adds up: a fact with what it says, or an earlier statement."""
    if isinstance(source, Fact):
        return canonical(source) + canonical(source.unfolded.relation)
    return canonical(source.statement)


@cache
def mark(one: Any, domain: Any) -> str:
    """Fingerprint of a line with its terms, on the domain on which it is used; of a join its rule and its statement."""
    if isinstance(one, Join):
        return _short(type(one).__name__ + canonical(one.statement))
    return _short(identity(one) + (canonical(domain) if one.statement.scope is Scope.INHERITED else ""))


def below(top: Any, *, users: bool = False) -> Iterator[tuple[Any, Any]]:
    """A line or join and all that is under it, each with a domain: its own, or (a line that holds wherever it is used) also that of its
    user; with ``users`` always that of its user, on which the ledger's kernel proves it again."""
    stack, met = [(top, top.statement.domain)], set()
    while stack:
        one, domain = stack.pop()
        if isinstance(one, Fact):
            continue
        own = one.statement.domain
        mine = own.also(*domain.entries) if users or one.statement.scope is Scope.INHERITED else own
        if (one, mine) in met:
            continue
        met.add((one, mine))
        yield one, mine
        stack += [(term.source, mine) for term in getattr(one, "terms", ())]
        stack += [(part, mine) for part in getattr(one, "parents", ())]


# --- what is in the record


@cache
def _known() -> dict[str, str]:
    """The exported theorem of each line, and the rule of each join, by its mark."""
    found = {mark: one["theorem"] for one in record()["exported"] for mark in one["marks"]}
    return found | {one["mark"]: one["rule"] for one in record()["joined"]}


@cache
def _left_out() -> dict[str, str]:
    return {one["mark"]: one["reason"] for one in record()["left_out"]}


@cache
def _refused() -> dict[str, str]:
    """Why Coq refused a changed line, by its mark."""
    return {one["mark"]: one["reason"] for one in record()["refused"]}


_GIVEN = r"not the printed line but the one given the past with $\|d_k\|^2$ on the right"
_ABOUT = {
    "Lemma_3_given": _GIVEN,
    "Lemma_4_printed_given": _GIVEN,
    "Lemma_4_given": "another function, which falls given the past",
    "Lemma_5_sharp": r"with less noise and longer steps, for $f$ smooth on $\mathbb{R}^n$",
    "Lemma_7_sharp": "with better constants",
}
"""What a theorem of Coq says that is not the statement of its claim, in words."""


@dataclass(frozen=True)
class Written:
    """A theorem that was proved in Coq by hand for a claim."""

    theorem: str
    label: str
    statements: tuple[str, ...]
    assumptions: tuple[str, ...]
    same: tuple[str, ...] | None = None
    """Fingerprints of the statements of the ledger that it is, which somebody has read side by side; nothing, if it was not compared."""

    @property
    def name(self) -> str:
        return self.theorem.rsplit(".", 1)[-1]

    @property
    def file(self) -> str:
        return f"kernel/{self.theorem.split('.')[1]}.v"

    @property
    def refutes(self) -> bool:
        """Whether it says that the printed line is false."""
        return self.name.endswith("_false")

    @property
    def inhabits(self) -> bool:
        """Whether it says that the premises of a theorem are met by a concrete problem."""
        return self.name.endswith("_not_empty")

    def what(self, says: Iterable[str]) -> str:
        """What it is for a claim that says this (fingerprints): proved only if it is one of these statements."""
        if self.refutes:
            return f"the printed line is refuted on an explicit run (`{self.name}`)"
        if self.inhabits:
            return f"its premises are met by a concrete problem (`{self.name}`)"
        if self.same is None:
            return f"{_ABOUT.get(self.name, 'a theorem from the definitions, not compared with this statement')} (`{self.name}`)"
        own = set(self.same) & set(says)
        return f"{'' if own else 'a form of it, with another constant or start, '}proved from the definitions (`{self.name}`)"


@cache
def _written() -> dict[str, tuple[Written, ...]]:
    found: dict[str, tuple[Written, ...]] = {}
    for one in record()["written"]:
        if one["label"] and one["statements"]:
            same = None if one["same"] is None else tuple(one["same"])
            row = Written(one["theorem"], one["label"], tuple(one["statements"]), tuple(one["assumptions"]), same)
            found[row.label] = (*found.get(row.label, ()), row)
    return found


def written(label: str) -> tuple[Written, ...]:
    """The theorems that were proved in Coq by hand for a claim, or for another one with the same statement."""
    says = set(record()["claims"].get(label, {}).get("statements", ()))
    others = (one for name, rows in _written().items() for one in rows if name != label)
    return (*_written().get(label, ()), *(one for one in others if says & set(one.same or ())))


def stands_for(entry: Claim, theorem: str) -> list[Statement | Definition]:
    """What of a claim a theorem of Coq is about: what it says, or (a refutation) what is printed, be it a statement or a definition."""
    return list(entry.printed if theorem.endswith("_false") else entry.statements)


def fingerprint(one: Statement | Definition) -> str:
    """Fingerprint of a statement, or of a definition as it is printed."""
    return one.fingerprint if isinstance(one, Statement) else _short(canonical(one))


def certificates(entry: Claim) -> list[Check]:
    """The certificates of a claim, each of which makes a line."""
    from shbcore.claims.registry import Check

    return [one for one in (*entry.says, *entry.more) if isinstance(one, Check) and one.build is not None]


# --- evidence


def evidence(entry: Claim) -> tuple[Check, ...]:
    """What the kernel of Coq has to say of a claim; nothing, if the claim was not there when the record was made."""
    found = [_by_hand(entry, one) for one in written(entry.label)]
    return (*found, *([_exported(entry)] if entry.label in record()["claims"] else []))


def _by_hand(entry: Claim, theorem: Written) -> Check:
    from shbcore.claims.registry import Check

    def now() -> list[Statement | Definition]:
        return stands_for(entry, theorem.name)

    def run() -> Outcome:
        found = tuple(map(fingerprint, now()))
        same = (
            found == theorem.statements if theorem.label == entry.label else bool(set(found) & set(theorem.same or ()))
        )
        rests = ", ".join(theorem.assumptions)
        detail = f"{theorem.name} in {theorem.file}, Coq {record()['coq']}, on {rests}"
        return Outcome(same, detail if same else f"not checked: the statement has changed since {detail}")

    def control() -> Outcome:
        other = fingerprint(_enlarged(now()[0])) if now() else "of nothing"
        wrong = [row["wrong"] for row in record()["refused_constants"] if row["theorem"] == theorem.theorem]
        coq = f"; Coq refuses {theorem.file} with {wrong[0]}" if wrong else ""
        return Outcome(
            other in (*theorem.statements, *(theorem.same or ())), f"fingerprint {other} is not the one recorded{coq}"
        )

    what = theorem.what(one.fingerprint for one in entry.statements)
    return Check("kernel", what, run, control, "11/10 of its right-hand side")


def _enlarged(one: Statement | Definition) -> Statement | Definition:
    """The statement with eleven tenths of its right-hand side."""
    if isinstance(one, Statement):
        return replace(one, relation=replace(one.relation, right=sp.Rational(11, 10) * one.relation.right))
    return replace(one, formula=sp.Rational(11, 10) * one.formula)


def _exported(entry: Claim) -> Check:
    from shbcore.claims.registry import Check

    held = record()["claims"][entry.label]
    rules = sorted({RULES[one][0] for one in held["rules"]})
    own, more = held["lines"], held["more_lines"]
    what = f"{own or more} line{'s' * ((own or more) > 1)}{'' if own else ' of its further evidence'} checked"
    what += " one by one" if (own or more) > 1 else ""
    what += f", joined by {', '.join(rules)}" if rules else ""
    what += f"; {more} more of its further evidence" if own and more else ""

    def run() -> Outcome:
        missing = [one.statement.fingerprint for one, domain in _lines(entry) if mark(one, domain) not in _known()]
        tops = (*held["says"], *held["more"])
        new = [one for one in certificates(entry) if _top(one) not in tops and _top(one) not in _left_out()]
        if missing or new:
            changed = missing or [one.statement.fingerprint for one in new if one.statement is not None]
            return Outcome(False, f"not checked: {', '.join(changed)} not in the record")
        return Outcome(True, f"Coq {record()['coq']}: {', '.join(theorems(entry)) or 'further evidence'}")

    def control() -> Outcome:
        changed = [one.build(**one.change) for one in certificates(entry) if one.build is not None and one.change]
        marks = [mark(one, one.statement.domain) for one in changed]
        refused = sum(one in _refused() for one in marks)
        return Outcome(
            any(one in _known() for one in marks),
            f"{len(marks)} changed, none in the record; {refused} of them handed to Coq, which refused each",
        )

    return Check("kernel", what, run, control, "these lines, changed as in the other controls")


def _top(one: Check) -> str:
    assert one.build is not None
    line = one.build()
    return mark(line, line.statement.domain)


def _lines(entry: Claim) -> Iterator[tuple[Any, Any]]:
    """Everything under the certificates of a claim, without those that Coq was not asked about."""
    for one in certificates(entry):
        if one.build is not None and _top(one) not in _left_out():
            yield from below(one.build())


def theorems(entry: Claim) -> list[str]:
    """The exported theorems for what a claim says."""
    tops = record()["claims"].get(entry.label, {}).get("says", ())
    return list(dict.fromkeys(_known()[one].rsplit(".", 1)[-1] for one in tops if one in _known()))


def statements(entry: Claim) -> list[tuple[str, str]]:
    """Each theorem of Coq about a claim, by name, with its statement as Coq has it: first those by hand."""
    names = [one.name for one in written(entry.label)] + theorems(entry)
    return [(name, statement(name)) for name in names if name in _texts()["theorems"]]


REASONS = {
    "definition": "it gives a name; there is nothing to prove",
    "words": "a sentence, with no formula of the proof language",
    "figure": "an experiment: numbers, not a theorem",
    "instances": "evidence is exact or numerical, on instances",
    "measurable": "a step that is refused as not measurable; there is nothing to prove",
    "new": "not yet handed to Coq",
}


def why_not(entry: Claim) -> str:
    """Why a claim has no evidence from the kernel of Coq; empty if it has."""
    if evidence(entry):
        return ""
    if left := [_left_out()[_top(one)] for one in certificates(entry) if _top(one) in _left_out()]:
        return left[0]
    if certificates(entry):
        return REASONS["new"]
    if entry.kind == "figure" or entry.chapter.startswith("figure"):
        return REASONS["figure"]
    if any(one.kind == "certificate" for one in entry.checks):
        return REASONS["measurable"]
    if entry.kind in ("definition", "assumption") or (entry.says and not entry.checks):
        return REASONS["definition"]
    return REASONS["instances"] if entry.checks else REASONS["words"]
