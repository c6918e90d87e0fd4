r"""The page 'Use it': statements in citable form, the choice of parameters, the line for PyTorch, and entries for a bibliography."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shbcore.claims import printed_start
from shbcore.claims.registry import claim
from shbcore.claims.theorem_1_proof import alpha_0
from shbcore.numerics.pytorch import to_torch
from shbcore.pages.front import boxed
from shbcore.proof import latex
from shbcore.proof.domain import Range
from shbcore.proof.facts import N
from shbcore.proof.statement import Scope, Statement

SHARPENED = (printed_start.ten_and_eight, printed_start.ten_and_four)
STATEMENTS = {
    "theorem-1": ("Theorem 1, sharpened: weakly convex, any convex set", "thrm:non-smooth:complexity/ten", SHARPENED),
    "theorem-1-half": ("Theorem 1 at half the stepsize", "beyond/start/half-step", ()),
    "theorem-2": ("Theorem 2 without a bounded gradient: smooth, any convex set", "beyond/open/ten", ()),
    "theorem-2-half": ("Theorem 2 at half the stepsize, without a bounded gradient", "beyond/open/half-step", ()),
    "theorem-3": ("Theorem 3, sharpened: smooth, no constraints", "beyond/short/better", ()),
    "theorem-3-set": ("Theorem 3 with constraints", "beyond/constrained/display", ()),
}
"""What one would cite, by name: a title, its entry in the ledger, and the lines to show where they are not what the entry says."""


def _roots(says: Statement) -> Range | None:
    """The range of the root of K + 1 over which a statement about a run with the repaired start holds."""
    found = [one for one in says.domain.entries if one.symbol == N and isinstance(one, Range)]
    return found[0] if found and says.scope in (Scope.RUN, Scope.SHORT_RUN) else None


def joined(says: Sequence[Statement]) -> list[Statement]:
    """Statements, each once: one bound that is proved for few steps and for many is said of all of them.

    They are joined if nothing differs but the number of steps, and if no number of steps lies between the two ranges.
    """
    found: list[Statement] = []
    for one in says:
        for i, before in enumerate(found):
            here, there = _roots(one), _roots(before)
            if here is None or there is None or replace(one, scope=before.scope, domain=before.domain) != before:
                continue
            low, high = sorted((here, there), key=lambda part: part.lower)
            same = one.domain.also(there).entries == before.domain.entries and not (low.strict or high.strict)
            if same and low.upper is not None and high.upper is None and high.lower <= low.upper:
                whole = replace(low, upper=None)
                found[i] = replace(before, scope=Scope.RUN, domain=before.domain.also(whole))
                break
        else:
            found.append(one)
    return found


def which() -> str:
    """Which statement is for which problem: what each assumes and for which stepsize, from the formal objects, as MyST."""
    rows = ["| your problem has | stepsize | starts | statement |", "|---|---|---|---|"]
    for name, (title, label, lines) in STATEMENTS.items():
        says = [build().statement for build in lines] or list(claim(label).statements)
        first = says[0]
        step = next(f"${latex.entry(one)}$" for one in first.domain.entries if one.symbol == alpha_0)
        starts = {start for one in says for start in (r"\beta g_0", "g_0") if f"z_0={start}$" in one.scope.value}
        both = " or ".join(f"$z_0={start}$" for start in sorted(starts))
        rows.append(f"| {latex.assumptions(first.assumes)} | {step} | {both} | {{ref}}`{title} <use:{name}>` |")
    return "\n".join(rows)


def stated(name: str) -> str:
    """One statement in citable form, with the labels under which the ledger keeps it."""
    title, label, lines = STATEMENTS[name]
    things: list[Any] = [build() for build in lines] or joined(claim(label).statements)
    where = f'Proved in {{doc}}`{claim(label).chapter}`; ledger entry <a href="ledger.html#{label}"><code>{label}</code></a>.'
    return f"(use:{name})=\n\n{boxed(name, *things, title=title, words=where)}"


def torch(steps: str, alpha_0: str, weight: str = "") -> str:
    """The lines for PyTorch with both starts, for a number of steps and an initial stepsize; without a weight with that of the theorems."""
    root = float(int(steps)) ** 0.5
    alpha, beta = float(alpha_0) / root, float(weight) if weight else 1 / root
    lines = []
    for start, words in (("g0", "the method as printed, z_0 = g_0"), ("beta_g0", "with z_0 = beta g_0")):
        found = to_torch(alpha, beta, start)  # type: ignore[arg-type]
        options = f"lr={found.lr:.6g}, momentum={found.momentum:.6g}, dampening={found.dampening:.6g}"
        lines += [f"# {words}", f"torch.optim.SGD(parameters, {options})"]
    return "```python\n" + "\n".join(lines) + "\n```"


def _cff(name: str) -> str:
    text = (Path(__file__).resolve().parents[2] / "CITATION.cff").read_text("utf-8")
    found = re.search(rf"^{name}: *\"?([^\"\n]+)", text, re.MULTILINE)
    return found.group(1).strip() if found else ""


def bibtex() -> str:
    """Entries for this book, from CITATION.cff, and for the paper, from the book's bibliography."""
    root = Path(__file__).resolve().parents[2]
    paper = (root / "book" / "references.bib").read_text("utf-8").partition("\n}")[0] + "\n}"
    own = f"@software{{heavyballverified,\n  author  = {{{{the shbcore authors}}}},\n  title   = {{{_cff('title')}}},\n"
    own += f"  version = {{{_cff('version')}}},\n  year    = {{2026}}\n}}"
    return f"```bibtex\n{own}\n{paper}\n```"
