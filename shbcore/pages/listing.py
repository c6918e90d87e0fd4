r"""The ledger and the errata as whole pages: a table that a small script makes sortable, and one card a defect.

Both are plain HTML without times, so that a notebook's output is the same on every run; without the script the table is complete.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from shbcore.claims.graph import reach
from shbcore.claims.numbers import heading, place
from shbcore.claims.registry import CHAPTERS, EVIDENCE, VERDICTS, Claim, roots
from shbcore.claims.registry import errata as all_errata
from shbcore.claims.verify import run_check
from shbcore.pages.cards import Html, called, evidence, in_coq, maths, paragraphs, printed, read_as, right, tex


def _badge(verdict: str) -> str:
    return f'<span class="badge-verdict {verdict}">{verdict}</span>'


def _link(claim: Claim) -> str:
    return f'<a href="{claim.chapter}.html">{CHAPTERS[claim.chapter]}</a>'


def _code(label: str) -> str:
    """A label that may break after its separators."""
    name = re.sub("([:/])", r"\1<wbr>", escape(label))
    return f"<code>{name}</code>"


def _evidence(claim: Claim) -> list[tuple[str, int]]:
    count = Counter(check.kind for check in claim.checks)
    return [(kind, count[kind]) for kind in EVIDENCE if count[kind]]


def _checks(claim: Claim) -> str:
    """The evidence of a claim as a list, strongest first, each check with its control."""
    found = sorted(claim.checks, key=lambda one: EVIDENCE.index(one.kind))
    return "".join(
        f"<li><em>{called(one.kind)}</em> {maths(one.what)} <small>rejects: {maths(one.control_what)}</small></li>"
        for one in found
    )


def _entry(claim: Claim) -> str:
    """Everything about a claim; the part that a preview shows stands first."""
    text, before = "", ""
    for name, words in paragraphs(claim):
        text += f"<p>{f'<strong>{name}.</strong> ' if name != before else ''}{tex(words)}</p>"
        before = name
    at = f'<p><a href="line_by_line.html#line-{escape(claim.label)}">In the paper, line by line</a></p>'
    head = f"<p>{_badge(claim.as_printed)} <strong>{tex(claim.title)}</strong></p>"
    checks = f"<p><strong>Evidence.</strong></p><ul class=evidence>{_checks(claim)}</ul>" if claim.checks else ""
    preview = f'<div class="entry-preview"><div class="preview-only">{head}</div>{text}</div>'
    return f"{preview}{checks}{in_coq(claim)}{'' if claim.own else at}"


def _row(rank: int, claim: Claim) -> str:
    """Two rows: one to search and sort by, and below it, over the whole width, all about the claim."""
    kinds = _evidence(claim)
    where = place(claim)
    cells = [
        f"<td data-sort={rank:03d} data-name=Place>{f'<b>{escape(where)}</b> ' if where else ''}{_code(claim.label)}</td>",
        f"<td data-name=Claim><button type=button class=opens aria-expanded=false>{tex(claim.title)}</button></td>",
        f"<td data-name=Kind>{claim.kind}</td>",
        f"<td data-name=Verdict data-sort={VERDICTS.index(claim.as_printed)}>{_badge(claim.as_printed)}</td>",
        f"<td data-name=Evidence data-sort={EVIDENCE.index(kinds[0][0]) if kinds else 9}>"
        + (", ".join(f"{n}&nbsp;{called(kind)}{'s' * (n > 1 and kind.endswith('e'))}" for kind, n in kinds) or "none")
        + "</td>",
        f"<td data-name=Chapter>{_link(claim)}</td>",
    ]
    data = f'data-verdict="{claim.as_printed}" data-kind="{claim.kind}" data-evidence="{" ".join(called(kind) for kind, _ in kinds)}"'
    data += f' data-section="{escape(claim.section)}"'
    row = f"<tr class=claim {data}>{''.join(cells)}</tr>"
    more = f"<tr class=more><td colspan=6>{_entry(claim)}</td></tr>"
    return f'<tbody id="{escape(claim.label)}">{row}{more}</tbody>'


def ledger_table(claims: Sequence[Claim]) -> Html:
    """All claims by section: place, title, kind, verdict, evidence, chapter, and everything about the claim below it."""
    heads = "".join(
        f"<th scope=col>{name}</th>" for name in ("Place", "Claim", "Kind", "Verdict", "Evidence", "Chapter")
    )
    rows, lines, before = [], [], ""
    for rank, c in enumerate(claims):
        if c.section != before:
            rows.append(f"<tbody class=section><tr><th colspan=6 scope=rowgroup>{escape(c.section)}</th></tr></tbody>")
        before = c.section
        rows.append(_row(rank, c))
        lines.append(
            f"{c.label} | {c.title} | {c.kind} | {c.as_printed} | {', '.join(called(kind) for kind, _ in _evidence(c))}"
        )
    html = f'<table class="table ledger"><thead><tr>{heads}</tr></thead>{"".join(rows)}</table>'
    return Html(html, "\n".join(lines))


def counterexamples(claim: Claim) -> list[str]:
    """The exact counterexamples to a printed line, each run now; one that fails is an error."""
    found = [run_check(check) for check in claim.checks if check.kind == "counterexample"]
    for one in found:
        if not one.passed:
            raise AssertionError(f"{claim.label}: {one.detail}")
    return [f"{one.detail}." for one in found]


def _terms(rows: Iterable[tuple[str, str]]) -> str:
    """Words under their names; a name that comes again is not said again."""
    merged = [(name, "<br>".join(html for _, html in found)) for name, found in groupby(rows, key=lambda row: row[0])]
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{html}</dd>' for name, html in merged)}</dl>"


def _heir(claim: Claim) -> str:
    """A place that inherits a defect: what is printed there, and what is right."""
    said = [*(("Printed", tex(text)) for text in printed(claim)), *(("Read as", tex(text)) for text in read_as(claim))]
    said += [("Right", tex(text)) for text in right(claim)]
    return (
        f"<li>{_badge(claim.as_printed)} {tex(claim.title)} ({_code(claim.label)}, {_link(claim)}){_terms(said)}</li>"
    )


def erratum(number: int, claim: Claim) -> Html:
    """One defect where it begins: class, printed, counterexample, repair, consequence, chapter, and the places that inherit it."""
    broken = counterexamples(claim)
    rows = [("Printed", text, tex(text)) for text in printed(claim)]
    rows += [("Read as", text, tex(text)) for text in read_as(claim)]
    rows += [("Counterexample", text, maths(text)) for text in broken]
    if not broken:
        rows += [("Evidence", "; ".join(f"{one.kind}: {one.what}" for one in claim.checks), evidence(claim.checks))]
    rest = [*(("Right", text) for text in right(claim)), ("Consequence", claim.consequence)]
    rest += [("On the way to", ", ".join(reach(claim.label)) or "no theorem")]
    rows += [(name, text, tex(text)) for name, text in rest]
    heirs = [one for one in all_errata() if one.root is claim]
    places = f"The same defect in {len(heirs)} more place{'s' * (len(heirs) > 1)}"
    more = f"<details><summary>{places}</summary><ul>{''.join(map(_heir, heirs))}</ul></details>" if heirs else ""
    at, title = heading(claim)
    head = f"<strong>{number}. {escape(at)}</strong> {_badge(claim.as_printed)} <strong>{tex(title)}</strong>"
    line = f'<a href="line_by_line.html#line-{escape(claim.label)}">in the paper</a>'
    where = f"<small>{escape(claim.section)}, {_code(claim.label)}; {line}; chapter {_link(claim)}</small>"
    terms = _terms((name, html) for name, _, html in rows)
    return Html(
        f'<section class="erratum" id="erratum-{number}"><p>{head}<br>{where}</p>{terms}{more}</section>',
        "\n".join([f"{number}. {claim.title}: {claim.as_printed}", *(f"{name}. {text}" for name, text, _ in rows)]),
    )


def errata(sections: str) -> Html:
    """The defects that begin in the sections whose titles start with one of these letters, numbered in the paper's order."""
    chosen = [(n, c) for n, c in enumerate(roots(), 1) if c.section[0] in sections]
    cards = [erratum(number, claim) for number, claim in chosen]
    return Html("".join(card.html for card in cards), "\n\n".join(card.text for card in cards))


def summary() -> Html:
    """Every defect in one line: number and what it concerns, place, class, in how many places it stands, chapter."""
    rows, lines = [], []
    for number, claim in enumerate(roots(), 1):
        places = 1 + sum(one.root is claim for one in all_errata())
        theorems = ", ".join(name.removeprefix("Theorem ") for name in reach(claim.label)) or "none"
        rows.append(
            f'<tr><td><a href="#erratum-{number}">{number}. {tex(claim.title)}</a></td><td>{escape(place(claim))}</td>'
            f"<td>{_badge(claim.as_printed)}</td>"
            f"<td>{places}</td><td>{theorems}</td><td>{_link(claim)}</td></tr>"
        )
        lines.append(f"{number} | {claim.as_printed} | {claim.title} | {places} | {theorems} | {claim.chapter}")
    heads = "".join(
        f"<th>{name}</th>" for name in ("Defect", "Where", "Class", "Places", "On the way to Theorem", "Chapter")
    )
    return Html(
        f'<table class="table"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>', "\n".join(lines)
    )
