r"""Statements, cards and tables of the book, made from the formal objects that the ledger checks.

What a page shows of a claim is rendered here from the claim, in the built page (MyST) and in Jupyter (HTML) alike.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from shbcore.claims import checked, verify
from shbcore.claims.registry import EVIDENCE, Check, Claim, Definition, claim, claims
from shbcore.proof import latex
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import A3, BOUNDED_GRADIENT, SMOOTH, SMOOTH_EVERYWHERE
from shbcore.proof.kernel import Line, check
from shbcore.proof.lines import flat
from shbcore.proof.statement import Scope, Statement


@dataclass(frozen=True)
class Html:
    """A piece of a page: HTML for Jupyter, text for a terminal, and (where it is more than HTML) MyST for the built page."""

    html: str
    text: str
    myst: str = ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        wrapped = f'<div class="tex2jax_process mathjax_process" style="overflow-x:auto">{self.html}</div>'
        return {"text/html": wrapped, "text/plain": self.text, **({"text/markdown": self.myst} if self.myst else {})}

    def __repr__(self) -> str:
        return self.text


def _hold(html: str) -> str:
    """Keep a formula and the sign that follows it together, so that no line begins with a comma."""
    return re.sub(r"(\\\((?:(?!\\\)).)*\\\))([,.;:!?)\]]+)", r'<span class="hold">\1\2</span>', html)


def tex(text: str) -> str:
    r"""Escape ``text`` for HTML, turn ``$...$`` into ``\(...\)``, which MathJax sets, and labels between backticks into code."""
    parts = re.sub("`([^`]+)`", r"<code>\1</code>", text).split("$")
    parts = [_formula(part) if i % 2 else _escaped(part) for i, part in enumerate(parts)]
    return _hold(re.sub(r"\\\]([,.;:])\s*", r"\1\\] ", "".join(parts)))


def _escaped(words: str) -> str:
    return escape(words, quote=False).replace("&lt;code&gt;", "<code>").replace("&lt;/code&gt;", "</code>")


def _formula(text: str) -> str:
    """A formula in a sentence; one that is too wide stands by itself, in rows."""
    rows = latex.broken(text, WIDE)
    shown = escape(rows, quote=False)
    return rf"\[{shown}\]" if rows != text else rf"\({shown}\)"


WIDE = 62
"""About how many characters of a formula fit into a line of words."""
_GREEK = "alpha|beta|gamma|delta|epsilon|theta|lambda|sigma|omega|Delta|nu|xi|rho"
_ASCII = re.compile(
    rf"(?<![A-Za-z\\_])(?:x_(?P<hat>bar|hat)(?:_(?P<at>\{{[^}}]*\}}|\w))?(?P<square>\^2)?|(?P<name>{_GREEK}|[A-Za-z])"
    r"(?:_(?P<sub>\{[^}]*\}|\w+))?(?P<power>\^\d+)?)(?![A-Za-z])"
)


def maths(text: str) -> str:
    r"""HTML of words with formulas in plain letters, such as ``alpha_0^2 <= x_bar_k``, or between dollars, which MathJax sets."""

    def letter(name: str) -> str:
        return re.sub(rf"\b({_GREEK})\b", r"\\\1", name)

    def formula(found: re.Match[str]) -> str:
        if found["hat"]:
            at = f"_{found['at']}" if found["at"] else ""
            return rf"\(\{found['hat']} x" + at + (found["square"] or "") + r"\)"
        sub, power = found["sub"] or "", found["power"] or ""
        if len(found["name"]) == 1 and not sub + power:
            return found[0]
        name = r"\mathcal{F}" if found["name"] == "F" and sub.strip("{")[:1] in "k0123456789" else letter(found["name"])
        return rf"\({name}{'_{' + letter(sub.strip('{}')) + '}' if sub else ''}{power}\)"

    def plain(part: str) -> str:
        for letters, sign in (("<=", "≤"), (">=", "≥"), ("+-", "±"), ("|^2", "|²"), (")^2", ")²"), ("R^n", "ℝⁿ")):
            part = part.replace(letters, sign)
        return _ASCII.sub(formula, escape(part, quote=False))

    parts = enumerate(text.split("$"))
    return _hold("".join(rf"\({escape(part, quote=False)}\)" if i % 2 else plain(part) for i, part in parts))


def called(kind: str) -> str:
    """A kind of evidence as a reader meets it: the kernel is Coq's, not the small one of the library."""
    return "Coq" if kind == "kernel" else kind


def evidence(checks: Iterable[Any]) -> str:
    """What was checked, as HTML: the kinds of evidence, strongest first, each with its checks."""
    found = list(checks)
    kinds = [(called(kind), [one.what for one in found if one.kind == kind]) for kind in EVIDENCE]
    return " ".join(f"<em>{kind}:</em> {maths('; '.join(what))}." for kind, what in kinds if what)


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], caption: str = "") -> Html:
    """A plain table; cells may hold formulas between dollars."""
    body = [[str(cell) for cell in row] for row in rows]
    head = "".join(f"<th>{tex(h)}</th>" for h in headers)
    lines = "".join("<tr>" + "".join(f"<td>{tex(c)}</td>" for c in row) + "</tr>" for row in body)
    title = f"<caption>{tex(caption)}</caption>" if caption else ""
    html = f'<table class="table">{title}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return Html(html, "\n".join(" | ".join(row) for row in [list(headers), *body]))


# --- statements


def _leads(says: "Sequence[Sayable]", defines: bool) -> list[str]:
    """What stands before each formula: assumptions and steps, each said once; what a definition defines is named, not assumed."""
    found, before = [], ("", "")
    for one in says:
        if isinstance(one, Definition):
            found.append("")
            continue
        assumed, scope = latex.assumptions(one.assumes), latex.setting(replace(one, assumes=()))
        new = assumed and assumed != before[0]
        first = f"{_upper(assumed)}{',' if scope else ':'}" if defines else f"Assume {assumed}."
        steps = f"{scope}:" if scope and (new or scope != before[1]) else ""
        steps = steps[:1].lower() + steps[1:] if defines and new else steps
        found.append(" ".join(part for part in (first if new else "", steps) if part))
        before = (assumed, scope)
    return found


def _where(says: Statement) -> str:
    parts = (latex.domain(says.domain, latex.symbols(says)), latex.index(says))
    where = ", ".join(part for part in parts if part)
    return f"{where}." if where else ""


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


Sayable = Statement | Definition


def _said(thing: Any) -> list[Sayable]:
    """The formal statements of a claim (by its label), of a line, or of several."""
    if isinstance(thing, str):
        found = [one.statement if isinstance(one, Check) else one for one in claim(thing).says]
        return [one for one in found if one is not None]
    if isinstance(thing, (list, tuple)):
        return [part for one in thing for part in _said(one)]
    return [thing if isinstance(thing, (Statement, Definition)) else thing.statement]


def formula(says: Sayable) -> str:
    """A statement as a displayed formula."""
    return says.latex if isinstance(says, Definition) else latex.display(says.relation, says.given, scope=says.scope)


_DIRECTIVE = {
    "lemma": "lemma",
    "theorem": "theorem",
    "definition": "definition",
    "assumption": "assumption",
    "remark": "remark",
}


def statement(
    label: str, *things: Any, title: str = "", kind: str = "", equations: Sequence[str] = (), words: str = ""
) -> Html:
    """The statement of a claim, set as a numbered block: what is assumed, the formulas, the ranges; all of it from the formal object.

    Without ``things`` it is the claim ``label``; with them (lines, statements, labels) it is a block of one's own under that name.
    ``equations`` are labels for the formulas, in order.
    """
    says = _said(list(things) if things else label)
    entry = claim(label) if not things else None
    for one in things:
        if not isinstance(one, (str, Statement, Definition)) and not check(one).passed:
            raise AssertionError(f"{label}: {check(one).detail}")
    named = entry.title.replace(": ", ", ", 1) if entry else label
    heading = title or (f"paper: {named}" + (", repaired" if entry.defective else "") if entry else label)
    block = kind or (_DIRECTIVE.get(entry.kind, "proposition") if entry else "proposition")
    words = words or (entry.words if entry else "")
    myst, html, text = [], [], []
    about = [claim(one) if isinstance(one, str) else None for one in things or (label,)]
    defines = all(
        one and one.label.startswith("assumption:") and one.kind in ("assumption", "definition") for one in about
    )
    leads = _leads(says, defines)
    ranges = ["" if isinstance(one, Definition) else _where(one) for one in says]
    for i, (one, lead) in enumerate(zip(says, leads, strict=True)):
        where = "" if ranges[i] in ranges[i + 1 : i + 2] else ranges[i]  # said once, after its last formula
        number = f" ({equations[i]})" if i < len(equations) else ""
        myst += [lead, f"$$\n{formula(one)}\n$${number}", where]
        html += [
            f"<p>{tex(lead)}</p>" if lead else "",
            rf"\[{escape(formula(one), quote=False)}\]",
            f"<p>{tex(where)}</p>" if where else "",
        ]
        text.append(one.latex if isinstance(one, Definition) else one.words)
    myst += [words] if words else []
    html += [f"<p>{tex(words)}</p>"] if words else []
    body = "\n\n".join(part for part in myst if part)
    fence = f"````{{prf:{block}}} {heading}\n:label: {label}\n\n{body}\n````"
    card = f'<div class="admonition"><p class="admonition-title">{tex(heading)}</p>{"".join(html)}</div>'
    return Html(card, "\n".join([heading, *text, *([words] if words else [])]), fence)


_REASON = {
    "square": "a square",
    "number": "its sign over the whole range",
    "weak_convexity": "weak convexity",
    "convex_part": "definition of weak convexity",
    "tangent": "a convex function lies above its tangents",
    "jensen": "convexity",
    "outer_tangent": "$h$ lies above its tangents",
    "linearisation": "the bound of $h'$ times that of the error of the linear model",
    "smooth_above": "smoothness",
    "lipschitz_gradient": "the gradient is Lipschitz",
    "interpolation": "all that smoothness says about two points",
    "projection_minimises": "the projection is the nearest point",
    "conjugate_value": "definition of the conjugate",
    "whole_space": "no constraints",
    "prox_minimises": "the prox point minimises",
    "envelope_attained": "the prox point attains the envelope",
    "envelope_infimum": "an infimum is below every value",
    "free_prox": "the gradient vanishes at a free minimiser",
    "second_moment": "(A2)",
    "variance": "(A3)",
    "sure_bound": "every sample is bounded",
    "bounded_gradient": "the gradient is bounded",
    "infimum": "the infimum is below every value",
    "first_term": "the first term of the sum",
    "last_term": "the last term of the sum",
    "uniform": "the index is uniform",
    "assumed": "assumed",
}


def _source(source: Any, scope: Scope) -> tuple[str, str]:
    """What a term of a line with this scope adds up, as a formula, and why it holds."""
    if isinstance(source, Fact):
        relation = source.unfolded.relation
        return latex.relation(relation, scope=scope), _REASON.get(source.kind, source.kind.replace("_", " "))
    says = source.statement
    return latex.relation(says.relation, says.given, says.scope), source.name or "shown before"


_GRADIENTS = {SMOOTH, SMOOTH_EVERYWHERE, A3, BOUNDED_GRADIENT}
"""Assumptions on a function that has a gradient: then its subgradient is printed as the gradient."""


def certificate(line: Any, caption: str = "", *, whole: bool = False) -> Html:
    """A line, checked now, as a table: what is added up, with which multiplier, and why it holds; ``whole`` puts earlier lines in."""
    found = check(line)
    if not found.passed:
        raise AssertionError(f"{getattr(line, 'name', '') or 'line'}: {found.detail}")
    shown = flat(line) if whole and isinstance(line, Line) else line
    rows, lines = [], []
    for term in getattr(shown, "terms", ()):
        if term.multiplier == 0:
            continue
        text, why = _source(term.source, line.statement.scope)
        text = text.replace("f'(", r"\nabla f(") if _GRADIENTS & set(line.statement.assumes) else text
        sense = (
            term.source.unfolded.relation.sense
            if isinstance(term.source, Fact)
            else term.source.statement.relation.sense
        )
        times = f"${latex.tex(term.multiplier) if sense == '==' else latex.upright(term.multiplier)}$"
        rows.append((f"${text}$", times, why))
        lines.append(f"<tr><td>{tex(f'${text}$')}<br><small>{tex(why)}</small></td><td>{tex(times)}</td></tr>")
    says = line.statement
    scope = latex.setting(replace(says, assumes=()))
    head = tex(" ".join(part for part in (caption, f"{scope}:" if scope else "") if part))
    head += rf"\[{escape(latex.display(says.relation, says.given, scope=says.scope), quote=False)}\]{tex(_upper(_where(says)))}"
    html = (
        f'<table class="table certificate"><caption>{head}</caption><thead><tr><th>Add up</th><th>times</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
    return Html(html, "\n".join([says.words, table(rows, ("Add up", "times", "because")).text]))


# --- cards


_CARD = {"true": "tip", "open": "note", "typo": "note", "unstated": "warning", "gap": "warning"}
_MEANING = {
    "true": "right",
    "open": "not decided here",
    "typo": "a slip of notation",
    "wrong": "a wrong constant, index or fact",
    "false": "refuted by a counterexample",
    "gap": "a step does not follow",
    "unstated": "an assumption is missing",
}


def printed(entry: Claim) -> list[str]:
    """What the paper prints, as paragraphs: the formal statements, then the words."""
    found = [one.words if isinstance(one, Statement) else f"${one.latex}$." for one in entry.printed]
    return [*found, *([entry.printed_words] if entry.printed_words else [])]


def right(entry: Claim) -> list[str]:
    """What is true, as paragraphs: the formal statements, then the words."""
    found = [one.words if isinstance(one, Statement) else f"${one.latex}$." for one in _said(entry.label)]
    return [*found, *([entry.words] if entry.words else []), *([entry.repair] if entry.repair else [])]


def paragraphs(entry: Claim) -> list[tuple[str, str]]:
    """All texts of a claim, each with its heading."""
    rows = [("Printed", text) for text in printed(entry)] if entry.defective else []
    rows += [("Right" if entry.defective else "Claim", text) for text in right(entry)]
    return rows + ([("Consequence", entry.consequence)] if entry.consequence else [])


def _merged(rows: Sequence[tuple[str, str]], show: Any) -> str:
    """Paragraphs with their heading once."""
    html, before = "", ""
    for name, text in rows:
        html += f"<p>{f'<strong>{name}.</strong> ' if name != before else ''}{show(text)}</p>"
        before = name
    return html


def in_coq(entry: Claim) -> str:
    """The theorems of Coq about a claim, folded, each statement as Coq has it."""
    found = checked.statements(entry)
    if not found:
        return ""
    names = ", ".join(f"<code>{name}</code>" for name, _ in found[:3]) + (", …" if len(found) > 3 else "")
    text = escape("\n\n".join(text for _, text in found), quote=False)
    return f'<details class="coq tex2jax_ignore mathjax_ignore"><summary>In Coq: {names}</summary><pre>{text}</pre></details>'


def entry(label: str) -> Html:
    """The card of one claim of the ledger: verdict on the printed line, repair, consequence, and its evidence, run now."""
    one = claim(label)
    (result,) = verify.run([one])
    failed = [found for found in result.found if not found.passed]
    if failed:
        raise AssertionError(f"{label}: {failed[0].kind} check failed: {failed[0].detail}")
    rows = paragraphs(one)
    broken = [f"{found.detail}." for found in result.found if found.kind == "counterexample"]
    what = "; ".join(f"{called(found.kind)}: {found.what}" for found in result.found)
    html = _merged(rows, tex) + _merged([("Counterexample", text) for text in broken], maths)
    html += f"<p><strong>Evidence.</strong> {evidence(result.found)}</p>" if what else ""
    html += in_coq(one)
    title = f"{one.title}: {one.as_printed} ({_MEANING[one.as_printed]})"
    where = f'<p><small><a href="ledger.html#{label}">Ledger entry</a> <code>{label}</code></small></p>'
    kind = _CARD.get(one.as_printed, "danger")
    card = f'<div class="admonition {kind}"><p class="admonition-title">{tex(title)}</p>{html}{where}</div>'
    lines = [*rows, *(("Counterexample", text) for text in broken), *([("Evidence", what)] if what else [])]
    return Html(card, "\n".join([title, *(f"{name}. {text}" for name, text in lines)]))


def erratum(label: str) -> Html:
    """The card of a claim whose printed line needs a repair; a line that is right as printed is refused."""
    if not claim(label).defective:
        raise ValueError(f"{label} is right as printed; show it with entry()")
    return entry(label)


def _kinds(one: Claim) -> str:
    return ", ".join(called(kind) for kind in EVIDENCE if kind in {part.kind for part in one.checks})


def of_chapter(chapter: str) -> Html:
    """All claims of the paper that a chapter treats, with the verdict on each line as printed and the kinds of its evidence."""
    rows = [(one.title, one.as_printed, _kinds(one)) for one in claims() if one.chapter == chapter]
    return table(rows, ("Claim of the paper", "As printed", "Evidence"))


def steps(chapter: str) -> Html:
    """Every claim of the paper that a chapter treats, by label: what is true, the verdict on the printed line, the evidence."""
    found = [one for one in claims() if one.chapter == chapter]
    html = "".join(
        f"<p><strong>{tex(one.title)}</strong> ({one.as_printed}). {tex(' '.join(right(one)))}"
        f"<br><small>{_kinds(one) or 'no evidence possible'} · <code>{one.label}</code></small></p>"
        for one in found
    )
    return Html(html, "\n".join(f"{one.label}: {one.as_printed}; {_kinds(one)}" for one in found))


def foundations(label: str) -> Html:
    """What a result rests on and does not prove, each with its meaning."""
    found = verify.foundations(claim(label))
    return table([(one.kind, one.name, one.meaning) for one in found], ("Kind", "Foundation", "What it says"))
