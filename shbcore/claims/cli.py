r"""``python -m shbcore verify`` and ``claims``: run the ledger, print a table and totals, and exit 1 if any check fails."""

import argparse
import difflib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence

from shbcore.claims import verify
from shbcore.claims.registry import EVIDENCE, by_class, claims
from shbcore.claims.verify import Result
from shbcore.model.arguments import OneLine
from shbcore.proof.foundations import Foundation
from shbcore.proof.plain import plain


def table(results: Sequence[Result]) -> str:
    """One line a claim: label, verdict on the printed line, kinds of evidence, passed, seconds."""
    width = max(len(result.claim.label) for result in results)
    head = f"{'label':<{width}}  {'as printed':<10}  {'evidence':<36}  {'passed':<6}  seconds"
    rows = [
        f"{r.claim.label:<{width}}  {r.claim.as_printed:<10}  {', '.join(r.kinds) or '-':<36}  "
        f"{('yes' if r.passed else 'NO') if r.found else '-':<6}  {r.seconds:7.2f}"
        for r in results
    ]
    return "\n".join([head, "-" * len(head), *rows])


def totals(results: Sequence[Result], seconds: float) -> str:
    """How many claims of each verdict, how many checks of each kind, and what failed."""
    verdicts = ", ".join(f"{n} {verdict}" for verdict, n in by_class(r.claim for r in results).items())
    found = [found for result in results for found in result.found]
    kinds = Counter(f.kind for f in found)
    failed = [r.claim.label for r in results if not r.passed]
    begin = ", ".join(
        f"{n} {verdict}" for verdict, n in by_class(r.claim for r in results if r.claim.root is None).items()
    )
    lines = [
        f"{len(results)} claims as printed: {verdicts}",
        f"without those that only inherit a defect: {begin}",
        f"{len(found)} checks: " + ", ".join(f"{kinds[kind]} {kind}" for kind in EVIDENCE if kinds[kind]),
        f"{sum(f.control_rejected for f in found)} of {len(found)} negative controls rejected",
        f"{len(failed)} claims failing" + (": " + ", ".join(failed) if failed else "") + f"; {seconds:.1f} s",
    ]
    return "\n".join(lines)


def details(result: Result) -> str:
    """Everything about one claim, for ``--claim``."""
    record = result.record()
    c = result.claim
    lines = [f"{c.label}  ({c.section})", c.title, "", *(one["statement"] for one in record["says"])]
    lines += [c.words] if c.words else []
    lines += ["", f"as printed: {c.as_printed}", *(f"printed: {one}" for one in record["printed"])]
    texts = (("printed", c.printed_words), ("repair", c.repair), ("consequence", c.consequence))
    lines += [f"{name}: {text}" for name, text in texts if text]
    for f in result.found:
        lines += [
            "",
            f"[{f.kind}] {f.what}",
            f"  {'passed' if f.passed else 'FAILED'}: {f.detail}  ({f.seconds:.2f} s)",
        ]
        verdict = "rejected" if f.control_rejected else "NOT rejected"
        lines += [f"  control, {f.control_what}: {verdict} ({f.control_detail})"]
    return "\n".join(lines)


def axioms(found: Sequence[Foundation]) -> str:
    """What a result rests on, each with its meaning."""
    return "\n".join(
        plain(f"[{one.kind}] {one.name}: {one.meaning}") + (f"  ({one.label})" if one.label else "") for one in found
    )


def unknown(label: str) -> str:
    """One line that names the nearest labels."""
    names = [entry.label for entry in claims()]
    near = difflib.get_close_matches(label, names, n=3, cutoff=0.3) or [name for name in names if label in name][:3]
    return f"no claim {label!r} in the ledger; nearest: {', '.join(near) or 'none'}"


def parser() -> argparse.ArgumentParser:
    """The arguments of ``verify``."""
    p = OneLine("python -m shbcore verify", description="Run every check in the ledger of claims.")
    one = p.add_mutually_exclusive_group()
    one.add_argument("--claim", metavar="LABEL", help="run one claim only, and print all about it")
    one.add_argument("--axioms", metavar="LABEL", help="print what a claim rests on, each with its meaning")
    p.add_argument("--json", action="store_true", help="print the results as a list of objects")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    return p


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``verify``; returns the exit code: 0 all passed, 1 a check or the ledger itself failed, 2 no such claim."""
    options = parser().parse_args(arguments)
    if options.jobs < 1:
        print(f"--jobs {options.jobs}: at least one process is needed", file=sys.stderr)
        return 2
    chosen = claims()
    label = options.claim if options.claim is not None else options.axioms
    if label is not None:
        chosen = tuple(entry for entry in chosen if entry.label == label)
        if not chosen:
            print(unknown(label), file=sys.stderr)
            return 2
    if options.axioms is not None:
        rests = verify.foundations(chosen[0])
        print(
            axioms(rests) if rests else f"{label} has no formal statement with a proof: it rests on its other evidence"
        )
        return 0
    start = time.perf_counter()
    results = verify.run(chosen, progress=label is None, jobs=options.jobs)
    wrong = [] if label is not None else verify.problems(chosen)
    if options.json:
        print(json.dumps([result.record() for result in results], indent=1, ensure_ascii=False))
    elif label is not None:
        print(details(results[0]))
    else:
        print(table(results), totals(results, time.perf_counter() - start), sep="\n\n")
    for problem in wrong:
        print(f"ledger: {problem}", file=sys.stderr)
    return 1 if wrong or not all(result.passed for result in results) else 0


def listing(arguments: Sequence[str] | None = None) -> int:
    """``python -m shbcore claims``: every label with its verdict and title, and its evidence, strongest first."""
    p = OneLine("python -m shbcore claims", description="List the claims of the ledger.")
    p.add_argument("text", nargs="?", default="", help="only labels or titles that contain this")
    wanted = p.parse_args(arguments).text.lower()
    chosen = [one for one in claims() if wanted in one.label.lower() or wanted in one.title.lower()]
    for one in chosen:
        kinds = ", ".join(kind for kind in EVIDENCE if any(part.kind == kind for part in one.checks))
        print(f"{one.label}  [{one.as_printed}]  {one.title}  ({kinds or 'no evidence'})")
    if not chosen:
        print(unknown(wanted), file=sys.stderr)
    return 0 if chosen else 2
