r"""The page 'Use it': statements in citable form, the choice of parameters, the line for PyTorch, and entries for a bibliography."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import sympy as sp

from shbcore.claims import printed_start
from shbcore.claims.registry import claim
from shbcore.claims.theorem_1_proof import alpha_0
from shbcore.numerics.pytorch import to_torch
from shbcore.pages import bounds
from shbcore.pages.front import boxed
from shbcore.proof import in_words, latex
from shbcore.proof.domain import Range
from shbcore.proof.facts import N, beta, rho
from shbcore.proof.foundations import BOUNDED_BELOW
from shbcore.proof.kernel import Line
from shbcore.proof.letters import lam
from shbcore.proof.statement import Scope, Statement

SHARPENED = (printed_start.ten_and_four, printed_start.ten_and_eight)
"""Theorem 1 at the stepsize of the paper with the least factors of the noise; its entry in the ledger has the printed 10."""
STATEMENTS: dict[str, tuple[str, dict[str, Sequence[Callable[[], Line]]]]] = {
    "theorem-1-any": ("Theorem 1 for every momentum: weakly convex, any convex set", {"beyond/momentum/any": ()}),
    "theorem-1": (
        "Theorem 1 with the paper's momentum: weakly convex, any convex set",
        {"beyond/start/half-step": (), "thrm:non-smooth:complexity/ten": SHARPENED},
    ),
    "theorem-2-any": (
        "Theorem 2 for every momentum, without a bounded gradient: smooth, any convex set",
        {"beyond/open/bound": ()},
    ),
    "theorem-2": (
        "Theorem 2 with the paper's momentum, without a bounded gradient: smooth, any convex set",
        {"beyond/open/half-step": (), "beyond/open/ten": ()},
    ),
    "theorem-3": ("Theorem 3, sharpened: smooth, no constraints", {"beyond/short/better": ()}),
    "theorem-3-set": ("Theorem 3 with constraints: smooth, any convex set", {"beyond/constrained/display": ()}),
}
"""What one would cite, by name: a title, its entries in the ledger, and the lines to show where they are not what an entry says."""


def says(name: str) -> list[Statement]:
    """The statements to cite under a name, each once."""
    entries = STATEMENTS[name][1].items()
    return joined([one for label, lines in entries for one in _lines(label, lines)])


def _lines(label: str, lines: Sequence[Callable[[], Line]]) -> list[Statement]:
    return [build().statement for build in lines] or list(claim(label).statements)


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


NONE = {"theorem-3-set": r"none in $\rho\Delta$ and $\sigma^2$ alone is true: {doc}`open_question`"}
"""What there is to say where a statement has no bound for the printed start."""


def _start(one: Statement) -> str:
    return r"\beta g_0" if r"\beta g_0" in one.scope.value else "g_0"


def _step(one: Statement) -> Any:
    r"""The stepsize of a bound, or, where it may be chosen, the one nearest to :math:`1/(2\rho)` that it allows."""
    (found,) = (entry for entry in one.domain.entries if entry.symbol == alpha_0)
    if isinstance(found, Range):
        usual = bounds.SHORT[alpha_0]
        return usual if found.upper is None else sp.Min(usual * rho, found.upper * rho) / rho
    return found.formula


def which() -> str:
    """Which statement is for which problem, with its bound for each start, from the formal objects: a table a problem, as MyST."""
    starts = (r"\beta g_0", "g_0")
    head = ["choice", r"$\alpha_0$", *(f"bound, $z_0={start}$" for start in starts), "statement"]
    tables: dict[str, list[list[str]]] = {}
    for name, (title, _) in STATEMENTS.items():
        groups: dict[Any, dict[str, Statement]] = {}
        for one in says(name):
            groups.setdefault(_step(one), {}).setdefault(_start(one), one)
        for step, found in groups.items():
            first = next(iter(found.values()))
            needs = in_words.assumptions(one for one in first.assumes if one is not BOUNDED_BELOW)
            free = bounds.fixed(first)
            weight = r"$\beta$ fixed" if free else r"$\beta=1/\sqrt{K+1}$"
            at = {**bounds.SHORT, alpha_0: step}
            tends = r"\text{limit: }" if free else ""
            sums = {
                one: f"${tends}{bounds.in_the_limit(found[one], at).latex}$" + _fades(found[one], at) for one in found
            }
            shown = [sums.get(one, NONE.get(name, "")) for one in starts]
            link = f"{{ref}}`{re.split(':|, without', title)[0]} <use:{name}>`"
            row = [weight, f"${latex.tex(step, flat=True)}$", *shown, link]
            tables.setdefault(needs, [head]).append(row)
    return "\n\n".join(f"**Assuming** {needs}:\n\n{_table(rows)}" for needs, rows in tables.items())


NOISE = {"theorem-1-any": "L", "theorem-2-any": "sigma"}
"""The letter whose square is the noise in a bound for every momentum."""


def smallest(name: str) -> tuple[Any, Any]:
    r"""For a fixed :math:`\beta` and :math:`\lambda=1/(2\rho)`: the :math:`\alpha_0` with the smallest limit of a bound, and that limit."""
    gap, noise, step, curve = sp.symbols(f"Delta {NOISE[name]} alpha_0 rho", positive=True)
    found = bounds.in_the_limit(says(name)[0], {lam: bounds.SHORT[lam], alpha_0: step}).map(
        lambda one: one.subs(rho, curve)
    )
    limit = found.gap * curve * gap + found.noise * noise**2
    (best,) = (one for one in sp.solve(sp.diff(limit, step), step) if one.is_positive)
    return best, sp.simplify(limit.subs(step, best))


def best() -> str:
    r"""What :math:`\alpha_0` to take if more than :math:`\rho` is known, worked out from the bounds for every momentum, as MyST."""
    shown = []
    for name, letter in NOISE.items():
        noise = sp.Symbol(letter, positive=True)
        step, limit = (sp.powdenest(one**2) for one in smallest(name))
        share, rest = (limit / noise**2 / sp.Symbol("rho", positive=True)).as_coeff_Mul()
        sign = latex.tex(noise)
        shown.append(rf"\sqrt{{{latex.tex(step * noise**2, flat=True)}}}/{sign}")
        shown.append(rf"{latex.tex(sp.sqrt(share))}{sign}\sqrt{{\rho{latex.tex(rest)}}}")
    step, limit, smooth, other = shown
    return (
        rf"If you also know $\Delta$ and $L$, take $\alpha_0={step}$: at $\lambda=1/(2\rho)$ it has the smallest limit for a fixed "
        rf"$\beta$, ${limit}$.  For smooth problems under (A3) it is $\alpha_0={smooth}$, and the limit is ${other}$."
    )


def _fades(one: Statement, at: Mapping[Any, Any]) -> str:
    """What to say of the gradient at the start where the bound has it for a given number of steps, and the limit has not."""
    here, limit = bounds.factors(one, at).slope, bounds.in_the_limit(one, at).slope
    return rf" (for a given $K$ with ${bounds.SLOPE}$ too)" if here != 0 and limit == 0 else ""


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A table in MyST, its first row the head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def _up(value: Any) -> str:
    """A number with two digits, rounded up: what it bounds stays bounded."""
    return f"{float(sp.ceiling(100 * value)) / 100:.2f}"


def cost(steps: str, *weights: str) -> str:
    r"""The bounds for any momentum in numbers, for a number of steps, at :math:`\alpha_0=\lambda=1/(2\rho)`, as MyST."""
    root = sp.sqrt(int(steps))
    rows = [["choice", "weakly convex, (A2)", "smooth, (A3)"]]
    for weight in (*weights, ""):
        at = {**bounds.SHORT, N: root, beta: sp.Rational(weight) if weight else 1 / root}
        found = [bounds.factors(says(name)[0], at) for name in ("theorem-1-any", "theorem-2-any")]
        shown = [rf"${_up(one.gap)}\rho\Delta+{_up(one.noise)}{latex.tex(one.letter)}$" for one in found]
        chosen = rf"$\beta={weight or '1/' + latex.tex(N)}$"
        rows.append([f"{chosen}, SGD" if weight == "1" else chosen, *shown])
    return _table(rows)


AT_ONCE = {"theorem-2": "For $K=0$ no sample is used, and more is true."}
"""What there is to say of the fewest steps where the statements leave them out."""


def _same_steps(found: Sequence[Statement]) -> list[Statement]:
    """The statements for the numbers of steps that all of them have, so that these are said once."""
    parts = [one for says in found for one in says.domain.entries if one.symbol == N and isinstance(one, Range)]
    if len(parts) < len(found) or any(one.strict or one.inverse or one.upper is not None for one in parts):
        return list(found)
    fewest = max(parts, key=lambda one: one.lower)
    return [replace(one, domain=one.domain.also(fewest)) for one in found]


def stated(name: str) -> str:
    """One statement in citable form, with the labels under which the ledger keeps it."""
    title, labels = STATEMENTS[name]
    chapters = ", ".join(dict.fromkeys(f"{{doc}}`{claim(label).chapter}`" for label in labels))
    entries = ", ".join(f'<a href="ledger.html#{label}"><code>{label}</code></a>' for label in labels)
    where = f"{AT_ONCE.get(name, '')} Proved in {chapters}; in the ledger {entries}.".strip()
    return f"(use:{name})=\n\n{_repeated(boxed(name, *_same_steps(says(name)), title=title, words=where))}"


def _repeated(text: str) -> str:
    """A box in which every display names its stepsize: where it is that of the display before, the lead repeats it."""
    shown, step = [], ""
    for line in text.splitlines():
        step = found.group(0) if (found := re.search(r", where \$\\alpha_\{0\}=[^$]*\$", line)) else step
        shown.append(f"{line[:-1]}{step}:" if re.fullmatch(r"With [^,:]*:", line) else line)
    return "\n".join(shown)


def torch(steps: str, alpha_0: str, weight: str = "") -> str:
    """The lines for PyTorch with both starts, for a number of steps and an initial stepsize; without a weight with that of the theorems."""
    root = float(int(steps)) ** 0.5
    alpha, beta = float(alpha_0) / root, float(weight) if weight else 1 / root
    lines = []
    for start, words in (("beta_g0", "z_0 = beta g_0"), ("g0", "z_0 = g_0, as printed")):
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
    version = _cff("version")
    own += f"  version = {{{version}}},\n  year    = {{2026}},\n"
    own += f"  note    = {{Python package shbcore, version {version}, with its book}}\n}}"
    return f"```bibtex\n{own}\n\n{paper}\n```"
