r"""The ledger: what a claim is, what evidence is, and how all of it is run.

A :class:`Claim` is one place of the paper in this project's words, with the verdict on the line *as printed*: ``true``; ``typo``, a
slip of notation; ``wrong``, a constant, index or fact; ``false``, refuted; ``gap``, a step that does not follow; ``unstated``, a missing
assumption; ``open``, a sentence that is not decided here: it speaks of other papers, or asserts without a proof, and no theorem rests
on it.  Its evidence is a tuple of :class:`Check`.  A check passes only if ``run`` passes **and** ``control``, the same check on a
perturbed claim, fails.
"""

from __future__ import annotations

import importlib
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple, get_args

from tqdm import tqdm

from shbcore.claims.labels import ORDER, PLACES, SECTION

Verdict = Literal["true", "typo", "wrong", "false", "gap", "unstated", "open"]
Evidence = Literal["certificate", "exact", "counterexample", "interval", "numeric"]
Kind = Literal["definition", "assumption", "lemma", "theorem", "step", "remark", "sentence", "figure", "proof"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
"""Kinds of evidence, strongest first."""
CHAPTERS = {
    "before_we_start": "Before we start",
    "weak_convexity": "Weak convexity",
    "moreau_envelope": "The Moreau envelope",
    "algorithm": "The algorithm",
    "one_step": "One step",
    "lyapunov_V": "The Lyapunov function",
    "complexity": "Complexity",
    "phi_and_W": "Smooth problems",
    "smooth_constrained": "Smooth and constrained",
    "smooth_unconstrained": "Smooth and unconstrained",
    "figure_1": "Figure 1",
    "figures_2_3": "Figures 2 and 3",
    "theory_meets_experiment": "Theory meets experiment",
    "slacks": "Every inequality along one run",
    "errata": "Errata",
    "ledger": "The ledger",
    "map": "The map",
    "verify_your_own": "Verify your own",
}
"""The chapters of the book by file, with their titles, in short."""

EVIDENCE_MODULES = (
    *("algorithm", "nonsmooth_proofs", "smooth_proofs"),
    *("background_old", "enumerated", "experiments_old", "counterexamples"),
)
"""Modules of this package that hold evidence by label, as ``PROOFS`` (certificates) or ``CHECKS``."""


class Outcome(NamedTuple):
    """What a check found, and the words for it."""

    passed: bool
    detail: str

    @classmethod
    def of(cls, found: Any) -> Outcome:
        """An outcome from an ``Outcome``, a ``bool``, or anything with ``passed`` and ``detail``."""
        if isinstance(found, bool):
            return cls(found, "holds" if found else "does not hold")
        return cls(bool(found.passed), str(found.detail))


@dataclass(frozen=True)
class Check:
    """One piece of evidence: ``run`` must pass, ``control`` (the same check on a perturbed claim) must fail."""

    kind: Evidence
    what: str
    run: Callable[[], Any]
    control: Callable[[], Any]
    control_what: str


@dataclass(frozen=True)
class Claim:
    """One claim of the paper: its place, its statement in our words, the verdict on the printed line, and the evidence.

    ``statement`` is what is true (the repaired claim, where the printed one is not).  ``root`` names the claim whose defect this
    one inherits; it is empty where the defect begins.
    """

    label: str
    title: str
    kind: Kind
    statement: str
    chapter: str
    as_printed: Verdict = "true"
    printed: str = ""
    repair: str = ""
    consequence: str = ""
    uses: tuple[str, ...] = ()
    root: str = ""
    checks: tuple[Check, ...] = ()

    @property
    def section(self) -> str:
        """The section of the paper."""
        return SECTION[self.label]

    @property
    def defective(self) -> bool:
        """Whether the line as printed needs a repair."""
        return self.as_printed not in ("true", "open")


@dataclass(frozen=True)
class Found:
    """The result of one check: whether it passed, what it found, its time, and what became of its negative control."""

    kind: Evidence
    what: str
    passed: bool
    detail: str
    seconds: float
    control_what: str
    control_rejected: bool
    control_detail: str

    def record(self) -> dict[str, Any]:
        """The result as plain data, for ``--json``."""
        control = {"what": self.control_what, "rejected": self.control_rejected, "detail": self.control_detail}
        head = {"kind": self.kind, "what": self.what, "passed": self.passed, "detail": self.detail}
        return {**head, "seconds": round(self.seconds, 4), "negative_control": control}


@dataclass(frozen=True)
class Result:
    """A claim with the results of all of its checks."""

    claim: Claim
    found: tuple[Found, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(found.passed for found in self.found)

    @property
    def seconds(self) -> float:
        """The time all checks of the claim took."""
        return sum(found.seconds for found in self.found)

    @property
    def kinds(self) -> tuple[Evidence, ...]:
        """The kinds of evidence, strongest first, without repetition."""
        return tuple(kind for kind in EVIDENCE if any(found.kind == kind for found in self.found))

    def record(self) -> dict[str, Any]:
        """The result as plain data, for ``--json``."""
        c = self.claim
        head = {"label": c.label, "title": c.title, "kind": c.kind, "section": c.section, "chapter": c.chapter}
        verdict = {"as_printed": c.as_printed, "printed": c.printed, "repair": c.repair, "consequence": c.consequence}
        tail = {"statement": c.statement, "uses": list(c.uses), "root": c.root, "passed": self.passed}
        return {**head, **verdict, **tail, "evidence": [found.record() for found in self.found]}


def _outcome(do: Callable[[], Any]) -> Outcome:
    """What ``do`` finds; an exception is a failure with its text."""
    try:
        return Outcome.of(do())
    except Exception as error:  # a check that breaks has not passed
        return Outcome(False, f"{type(error).__name__}: {error}")


def run_check(check: Check) -> Found:
    """Run a check and its negative control."""
    start = time.perf_counter()
    found, control = _outcome(check.run), _outcome(check.control)
    broken = control.detail.split(":")[0].endswith("Error") and ":" in control.detail
    rejected = not control.passed and not broken
    detail = found.detail if rejected else f"{found.detail}; the negative control was not rejected: {control.detail}"
    seconds = time.perf_counter() - start
    passed = found.passed and rejected
    return Found(check.kind, check.what, passed, detail, seconds, check.control_what, rejected, control.detail)


def run(claims: Iterable[Claim], *, progress: bool = False) -> list[Result]:
    """Run every check of every claim, in the order given; a check that several claims share is run once."""
    bar = tqdm(list(claims), disable=not progress, unit="claim", leave=False)
    results: list[Result] = []
    known: dict[Check, Found] = {}
    for claim in bar:
        bar.set_postfix_str(claim.label[-40:])
        known |= {check: run_check(check) for check in claim.checks if check not in known}
        results.append(Result(claim, tuple(known[check] for check in claim.checks)))
    return results


@cache
def claims() -> tuple[Claim, ...]:
    """All claims in the order of the paper: the text from ``entries/*.toml``, with every check that carries its label."""
    checks: dict[str, list[Check]] = {}
    for name in EVIDENCE_MODULES:
        module = importlib.import_module(f"{__package__}.{name}")
        for label, proofs in (*getattr(module, "PROOFS", {}).items(), *getattr(module, "CHECKS", {}).items()):
            checks.setdefault(label, []).extend(Check(p.kind, p.what, p.run, p.control, p.control_what) for p in proofs)
    found: list[Claim] = []
    for file in sorted((resources.files(__package__) / "entries").iterdir(), key=lambda file: file.name):
        for label, text in tomllib.loads(file.read_text(encoding="utf-8")).items():
            text["uses"] = tuple(text.get("uses", ()))
            found.append(Claim(label=label, **text, checks=tuple(checks.pop(label, ()))))
    if checks:
        raise ValueError(f"evidence without an entry in the ledger: {', '.join(checks)}")
    return tuple(sorted(found, key=lambda claim: ORDER.get(claim.label, len(ORDER))))


def claim(label: str) -> Claim:
    """The claim with this label."""
    for entry in claims():
        if entry.label == label:
            return entry
    raise KeyError(label)


def problems(entries: Sequence[Claim], *, complete: bool = True) -> list[str]:
    """What is wrong with the ledger itself: labels missing or doubled, entries without what their verdict requires."""
    count = Counter(entry.label for entry in entries)
    known = set(ORDER)
    found = [f"{label}: twice in the ledger" for label, n in count.items() if n > 1]
    found += [f"{label}: not a place of the paper" for label in count if label not in known]
    if complete:
        found += [f"{place.name}: no entry" for place in PLACES if place.name not in count]
    for entry in entries:
        need = ["title", "statement", "chapter"]
        need += ["printed", "repair", "consequence", "checks"] if entry.defective else []
        need += ["checks"] if entry.as_printed == "true" else []
        found += [f"{entry.label}: {name} is empty ({entry.as_printed})" for name in need if not getattr(entry, name)]
        found += [
            f"{entry.label}: uses {name}, which is no place of the paper" for name in entry.uses if name not in known
        ]
        found += [f"{entry.label}: {entry.as_printed} is no verdict"] if entry.as_printed not in VERDICTS else []
        found += [f"{entry.label}: {check.kind} is no evidence" for check in entry.checks if check.kind not in EVIDENCE]
        found += [f"{entry.label}: no chapter {entry.chapter}"] if entry.chapter not in CHAPTERS else []
        found += [f"{entry.label}: its root {entry.root} is unknown"] if entry.root and entry.root not in known else []
        if entry.as_printed == "false" and "counterexample" not in {check.kind for check in entry.checks}:
            found.append(f"{entry.label}: false without a counterexample")
    return found


def errata() -> tuple[Claim, ...]:
    """The claims whose printed line needs a repair, in the order of the paper."""
    return tuple(entry for entry in claims() if entry.defective)


def roots() -> tuple[Claim, ...]:
    """The errata at which a defect begins; every other one inherits it (see ``Claim.root``)."""
    return tuple(entry for entry in errata() if not entry.root)


def by_class(entries: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims there are of each verdict."""
    count = Counter(entry.as_printed for entry in entries)
    return {verdict: count[verdict] for verdict in VERDICTS if count[verdict]}
