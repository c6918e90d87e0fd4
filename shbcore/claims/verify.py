r"""Running the evidence: every check with its negative control, side by side, and what a result rests on.

A check passes only if ``run`` passes **and** ``control``, the same check on a claim changed a little, fails.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from tqdm import tqdm

from shbcore.claims.registry import CHAPTERS, EVIDENCE, VERDICTS, Check, Claim, Definition, Evidence, claims
from shbcore.proof.foundations import ALL, Foundation
from shbcore.proof.kernel import Outcome, check, parameters
from shbcore.proof.statement import Scope


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
        """The result as plain data, for ``python -m shbcore verify --json``."""
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
        """The result as plain data, for ``python -m shbcore verify --json``: the statements are those that were proved."""
        c = self.claim
        head = {"label": c.label, "title": c.title, "kind": c.kind, "section": c.section, "chapter": c.chapter}
        says = [{"statement": one.words, "fingerprint": one.fingerprint} for one in c.statements]
        says += [{"statement": f"${one.latex}$"} for one in c.says if isinstance(one, Definition)]
        printed = [getattr(one, "words", "") or f"${one.latex}$" for one in c.printed]
        verdict = {"as_printed": c.as_printed, "printed": printed, "printed_words": c.printed_words, "repair": c.repair}
        tail = {"says": says, "words": c.words, "consequence": c.consequence, "uses": [one.label for one in c.uses]}
        root = c.root.label if c.root is not None else ""
        return {
            **head,
            **verdict,
            **tail,
            "root": root,
            "passed": self.passed,
            "evidence": [one.record() for one in self.found],
        }


def _outcome(do: Callable[[], Any]) -> tuple[Outcome, bool]:
    """What ``do`` finds, and whether it broke: an exception is a failure with its text."""
    try:
        return do(), False
    except Exception as error:  # a check that breaks has not passed
        return Outcome(False, f"{type(error).__name__}: {error}"), True


def run_check(one: Check) -> Found:
    """Run a check and its negative control."""
    start = time.perf_counter()
    (found, _), (control, broken) = _outcome(one.run), _outcome(one.control)
    rejected = not control.passed and not broken
    detail = found.detail if rejected else f"{found.detail}; the negative control was not rejected: {control.detail}"
    seconds = time.perf_counter() - start
    return Found(
        one.kind, one.what, found.passed and rejected, detail, seconds, one.control_what, rejected, control.detail
    )


_SLOW: tuple[Evidence, ...] = ("exact", "numeric")
"""Evidence that takes long and shares nothing with other evidence; lines and their controls share what they rest on."""


def _work(label: str, slow: bool) -> dict[int, Found]:
    """The slow evidence of a claim, or the rest, by its place."""
    from shbcore.claims.registry import claim

    return {i: run_check(one) for i, one in enumerate(claim(label).checks) if (one.kind in _SLOW) is slow}


def run(chosen: Iterable[Claim], *, progress: bool = False, jobs: int = 1) -> list[Result]:
    """Run every check of the claims in ``chosen``; the results are in the order given, whichever finished first.

    With two jobs another process runs the slow evidence (``exact`` and ``numeric``), and this one all other checks.  With more jobs this
    one keeps the other checks of the first claims, and hands out the rest.  A single claim is run here.
    """
    entries = list(chosen)
    total = sum(len(one.checks) for one in entries)
    bar = tqdm(total=total, disable=not progress, unit="check", mininterval=2.0, ascii=True)
    found: dict[str, dict[int, Found]] = {one.label: {} for one in entries}
    if jobs > 1 and len(entries) > 1:
        own = len(entries) * 2 // jobs
        with ProcessPoolExecutor(jobs - 1, mp_context=get_context("fork")) as pool:
            asked = [(one.label, pool.submit(_work, one.label, True)) for one in entries]
            asked += [(one.label, pool.submit(_work, one.label, False)) for one in entries[own:]]
            for _, answer in asked:
                answer.add_done_callback(lambda done: bar.update(len(done.result()) if not done.exception() else 0))
            for one in entries[:own]:
                found[one.label] |= _work(one.label, False)
                bar.update(len(found[one.label]))
            for label, answer in asked:
                found[label] |= answer.result()
    else:
        for one in entries:
            found[one.label] = dict(enumerate(map(run_check, one.checks)))
            bar.update(len(one.checks))
    bar.close()
    return [Result(one, tuple(part for _, part in sorted(found[one.label].items()))) for one in entries]


def foundations(entry: Claim) -> tuple[Foundation, ...]:
    """What the formal statements of a claim rest on, in the order of the list of foundations."""
    found: set[Foundation] = set()
    for one in entry.says:
        if isinstance(one, Check) and one.build is not None:
            outcome = check(one.build())
            if not outcome.passed:
                raise ValueError(f"{entry.label}: {outcome.detail}")
            found |= outcome.foundations
    return tuple(sorted(found, key=lambda one: ALL.index(one) if one in ALL else len(ALL)))


_RELATION = re.compile(r"\$[^$]*(?:=|\\le\b|\\ge\b|<|>|\\in\b|\\approx)[^$]*\$")
REPAIRED = (Scope.STEP, Scope.FIRST_REPAIRED, Scope.RUN)


def problems(entries: Sequence[Claim]) -> list[str]:
    """What is wrong with the ledger itself: labels doubled, entries without what their verdict requires, words that restate."""
    count = Counter(entry.label for entry in entries)
    found = [f"{label}: twice in the ledger" for label, n in count.items() if n > 1]
    for entry in entries:
        for one in entry.statements:
            parameters(one.domain).point()
        found += [f"{entry.label}: {what}" for what in _faults(entry)]
    return found


def _faults(entry: Claim) -> Iterator[str]:
    need = ["title", "chapter"]
    need += ["repair", "consequence", "checks"] if entry.defective else []
    need += ["checks"] if entry.as_printed == "true" else []
    yield from (f"{name} is empty ({entry.as_printed})" for name in need if not getattr(entry, name))
    kinds = {one.kind for one in entry.checks}
    repaired = any(one.scope in REPAIRED for one in entry.statements)
    faults = {
        "nothing is said": not (entry.says or entry.words),
        "nothing is printed": entry.defective and not (entry.printed or entry.printed_words),
        f"{entry.as_printed} is no verdict": entry.as_printed not in VERDICTS,
        f"no chapter {entry.chapter}": entry.chapter not in CHAPTERS,
        "false without a counterexample": entry.as_printed == "false" and "counterexample" not in kinds,
        "true as printed, but its statement needs the repaired start": (
            entry.as_printed == "true" and not entry.own and repaired
        ),
    }
    yield from (what for what, there in faults.items() if there)
    yield from (f"{kind} is no evidence" for kind in sorted(kinds - set(EVIDENCE)))
    for name in ("words", "printed_words", "repair", "consequence") if entry.says else ():
        yield from (f"{name} restates {formula}" for formula in _RELATION.findall(getattr(entry, name)))


def everything(*, progress: bool = True, jobs: int = 2) -> list[Result]:
    """All claims, run."""
    return run(claims(), progress=progress, jobs=jobs)
