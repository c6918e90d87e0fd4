r"""``python -m shbcore verify``: run the ledger, print a table and totals, and exit 1 if any check fails."""

import argparse
import difflib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence

from shbcore.claims import ledger
from shbcore.claims.ledger import Claim, Result


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
    verdicts = ", ".join(f"{n} {verdict}" for verdict, n in ledger.by_class(r.claim for r in results).items())
    found = [found for result in results for found in result.found]
    kinds = Counter(f.kind for f in found)
    failed = [r.claim.label for r in results if not r.passed]
    begin = ", ".join(
        f"{n} {verdict}" for verdict, n in ledger.by_class(r.claim for r in results if not r.claim.root).items()
    )
    lines = [
        f"{len(results)} claims as printed: {verdicts}",
        f"without those that only inherit a defect: {begin}",
        f"{len(found)} checks: " + ", ".join(f"{kinds[kind]} {kind}" for kind in ledger.EVIDENCE if kinds[kind]),
        f"{sum(f.control_rejected for f in found)} of {len(found)} negative controls rejected",
        f"{len(failed)} claims failing" + (": " + ", ".join(failed) if failed else "") + f"; {seconds:.1f} s",
    ]
    return "\n".join(lines)


def details(result: Result) -> str:
    """Everything about one claim, for ``--claim``."""
    c = result.claim
    lines = [f"{c.label}  ({c.section})", c.title, "", c.statement, "", f"as printed: {c.as_printed}"]
    lines += [f"{name}: {text}" for name in ("printed", "repair", "consequence") if (text := getattr(c, name))]
    for f in result.found:
        lines += [
            "",
            f"[{f.kind}] {f.what}",
            f"  {'passed' if f.passed else 'FAILED'}: {f.detail}  ({f.seconds:.2f} s)",
        ]
        lines += [
            f"  control, {f.control_what}: {'rejected' if f.control_rejected else 'NOT rejected'} ({f.control_detail})"
        ]
    return "\n".join(lines)


def unknown(label: str) -> str:
    """One line that names the nearest labels."""
    names = [entry.label for entry in ledger.claims()]
    near = difflib.get_close_matches(label, names, n=3, cutoff=0.3) or [name for name in names if label in name][:3]
    return f"no claim {label!r} in the ledger; nearest: {', '.join(near) or 'none'}"


def parser() -> argparse.ArgumentParser:
    """The arguments of ``verify``."""
    p = argparse.ArgumentParser("python -m shbcore verify", description="Run every check in the ledger of claims.")
    p.add_argument("--claim", metavar="LABEL", help="run one claim only, and print all about it")
    p.add_argument("--json", action="store_true", help="print the results as a list of objects")
    return p


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``verify``; returns the exit code: 0 all passed, 1 a check or the ledger itself failed, 2 no such claim."""
    options = parser().parse_args(arguments)
    chosen: tuple[Claim, ...] = ledger.claims()
    if options.claim is not None:
        chosen = tuple(entry for entry in chosen if entry.label == options.claim)
        if not chosen:
            print(unknown(options.claim), file=sys.stderr)
            return 2
    start = time.perf_counter()
    results = ledger.run(chosen, progress=sys.stderr.isatty())
    wrong = [] if options.claim else ledger.problems(chosen)
    if options.json:
        print(json.dumps([result.record() for result in results], indent=1, ensure_ascii=False))
    elif options.claim:
        print(details(results[0]))
    else:
        print(table(results), totals(results, time.perf_counter() - start), sep="\n\n")
    for problem in wrong:
        print(f"ledger: {problem}", file=sys.stderr)
    return 1 if wrong or not all(result.passed for result in results) else 0
