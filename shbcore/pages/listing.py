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
from shbcore.claims.numbers import name as name_of
from shbcore.claims.registry import BEHIND, CHAPTERS, DEFINED, EVIDENCE, MEANS, Check, Claim, claims, roots, tag
from shbcore.claims.registry import errata as all_errata
from shbcore.claims.verify import run_check
from shbcore.pages.cards import (
    Html,
    badge,
    called,
    closed,
    covers,
    evidence,
    in_coq,
    maths,
    paragraphs,
    said,
    section_of,
    sentence,
    tex,
    told,
)
from shbcore.proof.in_words import entries
from shbcore.proof.statement import Statement


def _link(claim: Claim) -> str:
    return f'<a href="{claim.chapter}.html">{CHAPTERS[claim.chapter]}</a>'


_CHAPTER = re.compile(rf"chapter ({'|'.join(map(re.escape, CHAPTERS.values()))})")
_PAGE = {title: page for page, title in CHAPTERS.items()}
_DESK = 'class="d-none d-md-table-cell d-print-table-cell"'
_FLOWS = 'class="d-inline d-md-table-cell d-print-table-cell"'
"""Cells of a row that a phone leaves out, and those that it sets one after the other."""


def _words(text: str) -> str:
    """Words of a claim as HTML; a chapter that they name is a link."""
    return _CHAPTER.sub(lambda m: f'chapter <a href="{_PAGE[m[1]]}.html">{m[1]}</a>', tex(text))


def _code(label: str) -> str:
    """A label that may break after its separators."""
    name = re.sub("([:/])", r"\1<wbr>", escape(label))
    return f"<code>{name}</code>"


def _at(claim: Claim) -> str:
    """Where in the paper a claim stands: its number, or the section."""
    return place(claim) or (CHAPTERS[claim.chapter] if claim.own else section_of(claim.section))


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
        text += f"<p>{f'<strong>{name}.</strong> ' if name != before else ''}{_words(words)}</p>"
        before = name
    at = f'<a href="line_by_line.html#line-{escape(claim.label)}">in the paper, line by line</a>; '
    at = (
        f"<p>{claim.kind.capitalize()}; chapter {_link(claim)}; {'' if claim.own else at}label {_code(claim.label)}</p>"
    )
    head = f"<p>{badge(claim.verdict)} <strong>{tex(claim.title)}</strong></p>"
    checks = f"<p><strong>Evidence.</strong></p><ul class=evidence>{_checks(claim)}</ul>" if claim.checks else ""
    preview = f'<div class="entry-preview"><div class="preview-only">{head}</div>{text}</div>'
    return f"{preview}{checks}{in_coq(claim)}{at}"


def _row(rank: int, claim: Claim) -> str:
    """Two rows: one to search and sort by, and below it, over the whole width, all about the claim."""
    kinds = _evidence(claim)
    cells = [
        f"<td {_FLOWS} data-sort={rank:03d} data-name=Place>{escape(_at(claim))} </td>",
        f"<td {_FLOWS} data-name=Claim><button type=button class=opens aria-expanded=false>{tex(heading(claim)[1])}</button> </td>",
        f"<td {_DESK} data-name=Kind>{claim.kind}</td>",
        f"<td {_FLOWS} data-sort={list(MEANS).index(claim.verdict)}>{badge(claim.verdict)}</td>",
        f"<td {_DESK} data-name=Evidence data-sort={EVIDENCE.index(kinds[0][0]) if kinds else 9}>"
        + (", ".join(f"{n}&nbsp;{called(kind)}{'s' * (n > 1 and kind.endswith('e'))}" for kind, n in kinds) or "none")
        + "</td>",
    ]
    data = f'data-verdict="{claim.verdict}" data-kind="{claim.kind}" data-evidence="{" ".join(called(kind) for kind, _ in kinds)}"'
    data += f' data-section="{escape(claim.section)}"'
    row = f"<tr class=claim {data}>{''.join(cells)}</tr>"
    more = f"<tr class=more><td colspan=5>{_entry(claim)}</td></tr>"
    return f'<tbody id="{escape(claim.label)}">{row}{more}</tbody>'


def ledger_table(claims: Sequence[Claim]) -> Html:
    """All claims by section: place, title, kind, verdict, evidence, and everything about the claim below it; on a phone less in a row."""
    heads = "".join(f"<th scope=col>{name}</th>" for name in ("Place", "Claim", "Kind", "Verdict", "Evidence"))
    rows, lines, before = [], [], ""
    for rank, c in enumerate(claims):
        if c.section != before:
            rows.append(f"<tbody class=section><tr><th colspan=5 scope=rowgroup>{escape(c.section)}</th></tr></tbody>")
        before = c.section
        rows.append(_row(rank, c))
        lines.append(
            f"{c.label} | {c.title} | {c.kind} | {tag(c.verdict)} | {', '.join(called(kind) for kind, _ in _evidence(c))}"
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


def _both(claim: Claim) -> list[tuple[str, str]]:
    """What is printed, what is right, and in which range both are meant, each under its name; a printed line that is right is left out."""
    right, printed = said(claim), list(claim.printed)
    kept = [one for one in printed if not any(covers(other, one) for other in right)]
    if kept and len(kept) < len(printed):
        right = [one for one in right if not any(covers(one, other) for other in printed)]
        printed = kept
    letters = [
        {e.symbol for one in part if isinstance(one, Statement) for e in entries(one)} for part in (printed, right)
    ]
    formal = all(letters) and len(letters[0] ^ letters[1]) <= 1  # else what is said of both would be about one of them
    beside = (right, printed) if formal else ((), ())
    first, second = sentence(printed, beside[0]), sentence(right, beside[1])
    rows = [("Printed", text) for text in (first, closed(claim.printed_words)) if text]
    if claim.reading:
        rows = [("Printed", closed(claim.printed_words)), ("Read as", f"{claim.reading}: {first}")]
    checked = bool(claim.says) and all(isinstance(one, Check) for one in claim.says)
    sides = [{s.relation.right for s in part if isinstance(s, Statement)} for part in (right, printed)]
    beside_words = checked and (not printed or (claim.kind == "assumption" and not sides[0] & sides[1]))
    rows += [
        ("Proved" if beside_words else "Right", second or claim.words)
    ]  # proved beside words is not what stands in their place
    shared = told(printed, beside=right)[1].after.removeprefix("throughout, ") if formal else ""
    return [*rows, *([("For both", f"{shared[:1].upper()}{shared[1:]}.")] if shared else [])]


def _heir(claim: Claim) -> str:
    """A place that inherits a defect: what is printed there, and what is right."""
    rows = [*_both(claim), ("Change", closed(claim.repair))]
    title = f'<a href="ledger.html#{escape(claim.label)}">{tex(claim.title)}</a>'
    return (
        f"<li>{badge(claim.verdict)} {title} ({_link(claim)}){_terms((name, _words(text)) for name, text in rows)}</li>"
    )


def erratum(number: int, claim: Claim) -> Html:
    """One defect where it begins: class, printed, counterexample, repair, consequence, chapter, and the places that inherit it."""
    broken, said_ = counterexamples(claim), _both(claim)
    rows = [(name, text, tex(text)) for name, text in said_ if name in ("Printed", "Read as")]
    rows += [("Change", closed(claim.repair), tex(closed(claim.repair)))]
    names = [f"Counterexample {i}" if len(broken) > 1 else "Counterexample" for i in range(1, len(broken) + 1)]
    rows += [(name, text, maths(text)) for name, text in zip(names, broken, strict=True)]
    checks = [
        one for one in claim.checks if one.kind == "exact" or (one.kind != "kernel" and claim.as_printed != "typo")
    ]
    if checks and not broken:
        rows += [("Evidence", "; ".join(f"{one.kind}: {one.what}" for one in checks), evidence(checks))]
    rest = [row for row in said_ if row[0] not in ("Printed", "Read as")]
    rest += [("Note", claim.words)] if claim.says and claim.words else []
    rest += [("Consequence", claim.consequence)] if claim.consequence != "None." else []
    rest += [("On the way to", ", ".join(theorems))] if (theorems := reach(claim.label)) else []
    rows += [(name, text, _words(text)) for name, text in rest]
    heirs = [one for one in all_errata() if one.root is claim]
    places = f"The same defect in {len(heirs)} more place{'s' * (len(heirs) > 1)}"
    more = f"<details><summary>{places}</summary><ul>{''.join(map(_heir, heirs))}</ul></details>" if heirs else ""
    at = place(claim).removeprefix(name_of(claim)).strip()
    head = f"<strong>{number}. {tex(claim.title)}</strong> {badge(claim.verdict)} {escape(at)}"
    line = f'<a href="line_by_line.html#line-{escape(claim.label)}">in the paper</a>'
    ledger = f'<a href="ledger.html#{escape(claim.label)}">in the ledger</a>'
    where = f"<small>{escape(claim.section)}; {line}; {ledger}; chapter {_link(claim)}</small>"
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
    """Every defect in one line: number and what it concerns, place, class, what to change, in how many places it stands, which theorems."""
    rows, lines = [], []
    for number, claim in enumerate(roots(), 1):
        places = 1 + sum(one.root is claim for one in all_errata())
        theorems = ", ".join(name.removeprefix("Theorem ") for name in reach(claim.label)) or "–"
        rows.append(
            f'<tr><td><a href="#erratum-{number}">{number}. {tex(claim.title)}</a></td><td>{escape(_at(claim))}</td>'
            f"<td>{badge(claim.verdict)}</td><td>{tex(closed(claim.repair))}</td><td>{places}</td><td>{theorems}</td></tr>"
        )
        lines.append(f"{number} | {claim.as_printed} | {claim.title} | {claim.repair} | {places} | {theorems}")
    heads = "".join(f"<th>{name}</th>" for name in ("Defect", "Where", "Class", "What to change", "Places", "Theorems"))
    return Html(
        f'<table class="table"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>', "\n".join(lines)
    )


def not_judged() -> Html:
    """The sentences of the paper that are not judged, each with a link to its entry, and where they stand."""
    found = [one for one in claims() if one.as_printed == "open"]
    rows = "".join(
        f'<tr><td><a href="ledger.html#{escape(one.label)}">{tex(one.title)}</a></td><td>{escape(_at(one))}</td></tr>'
        for one in found
    )
    html = f'<table class="table"><thead><tr><th>Sentence</th><th>Where</th></tr></thead><tbody>{rows}</tbody></table>'
    return Html(html, "\n".join(f"{one.title} | {_at(one)}" for one in found))


def verdicts(*words: str) -> Html:
    """What the words of a verdict say; without ``words`` all of them."""
    rows = [(word, DEFINED[word]) for word in words or DEFINED]
    terms = "".join(f"<dt>{badge(word)}</dt><dd>{tex(text)}</dd>" for word, text in rows)
    return Html(f'<dl class="verdict-words">{terms}</dl>', "\n".join(f"{tag(word)}: {text}" for word, text in rows))


def behind_true() -> Html:
    """On what the claims of the paper rest that are right as printed: how many have which strongest evidence, and what that is worth."""
    found = [one for one in claims() if one.as_printed == "true" and not one.own]
    count: Counter[str] = Counter(_evidence(one)[0][0] for one in found)
    algebra, floating = count["kernel"] + count["certificate"], count["interval"] + count["numeric"]
    text = (
        f"Not every true has the same weight. Of the {len(found)} claims of the paper that are right as printed, {algebra} have evidence "
        "from Coq or a certificate: as a rule a proof of the line, for a definition or a sketch a proof of something that follows from "
        f"it. {count['exact']} rest on exact instances alone. These settle a sentence that says that something can happen; a sentence "
        f"about all problems they only confirm. {floating} rest on floating point alone: the figures, their data, and sentences about "
        "applications and experiments. Runs on a computer bear them out and do not prove them."
    )
    return Html(f"<p>{text.replace('every true', 'every ' + badge('true'))}</p>", text)


def kinds() -> Html:
    """What the kinds of evidence in use are, strongest first."""
    used = {one.kind for claim in claims() for one in claim.checks}
    rows = [(called(kind), BEHIND[kind]) for kind in EVIDENCE if kind in used]
    terms = "".join(f"<dt>{name}</dt><dd>{tex(text)}</dd>" for name, text in rows)
    html = f'<dl class="verdict-words" style="grid-template-columns: 8.5rem 1fr">{terms}</dl>'
    return Html(html, "\n".join(f"{name}: {text}" for name, text in rows))
