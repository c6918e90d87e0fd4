r"""The paper, line by line: every place in the paper's order with its number, the verdict in the margin, the line as printed and as it
should read, and for which steps, start and parameters.

What is the same for most rows is said once, by :func:`convention`; a row says what differs.  A lemma and its display are one row.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby

from shbcore.claims.lettered import Lettered, steps
from shbcore.claims.numbers import heading, name, place
from shbcore.claims.registry import CHAPTERS, MEANS, Check, Claim, Definition, claim, roots, tag
from shbcore.pages.cards import Html, Sayable, badge, closed, covers, formula, tex
from shbcore.pages.diagram import plain
from shbcore.pages.front import paper, results
from shbcore.proof import in_words, latex
from shbcore.proof.domain import Definition as Defined
from shbcore.proof.domain import Range
from shbcore.proof.language import PATHWISE, TOTAL
from shbcore.proof.letters import ADMISSIBLE
from shbcore.proof.statement import Scope, Statement

SILENT = (Scope.EVERY, Scope.ANY)
"""What a row does not say of steps and start, because it is the convention."""
IN_WORDS = {
    "introduction/contribution-non-smooth",
    "introduction/small-beta",
    "thrm:non-smooth:complexity/summary",
}
"""Rows whose words say the arithmetic that their formula checks."""


@cache
def usual() -> tuple[Range | Defined, ...]:
    r"""The ranges and definitions that a row does not repeat: the admissible parameters, and the right :math:`\gamma`, :math:`\gamma_1`."""
    found = [says for label in ("lem:Vfunc:non-smooth", "eq:thrm:1") for says in claim(label).statements[:1]]
    more = dict.fromkeys(one for says in found for one in in_words.entries(says) if str(one.symbol).startswith("gamma"))
    return (*ADMISSIBLE.entries, *more)


def convention() -> str:
    """What holds for every row that does not say otherwise, as MyST."""
    return (
        r"There are two starts: $z_0=g_0$, as printed, and $z_0=\beta g_0$, called *repaired*.  "
        f"Unless a row says otherwise, its formula holds {Scope.EVERY.value}, and {in_words.ranges(usual())}; the index $k^*$ is uniform "
        r"on $\{0,\dots,K\}$ and independent of the samples.  In a row that is not right a formula about the iterates says for which $k$ "
        "and for which start it is meant."
    )


# --- what stands around a formula


def _ranges(says: Statement) -> str:
    """The ranges and definitions of a statement, without the letters of which it says just what the convention says."""
    return in_words.ranges(one for one in in_words.entries(says) if one not in usual())


def _index(says: Statement) -> str:
    """The law of the random index, where it is not the usual one."""
    found = in_words.index(says)
    return found if r"\{-1" in found else ""


def note(says: Sayable, always: bool = False) -> str:
    """For which steps and start, under which assumptions, for which parameters a line is made, where it is not the convention."""
    if isinstance(says, Definition):
        return ""
    said = in_words.setting(says, assumed=False, steps_too=always or says.scope not in SILENT)
    assumed = f"assuming {in_words.assumptions(says.assumes)}" if says.assumes else ""
    parts = (said, assumed, _ranges(says), _index(says))
    text = "; ".join(part for part in parts if part)
    return text[:1].upper() + text[1:]


def _formulas(says: Sequence[Sayable], always: bool, more: Sequence[str] = ()) -> str:
    """Displays, each with what is said of it, and with more of it; the same words once, after the last display that they are about."""
    words = [f"<p class=line-note>{tex(said)}</p>" if (said := note(one, always)) else "" for one in says]
    words = [said + extra for said, extra in zip(words, more, strict=True)] if more else words
    html = ""
    for i, one in enumerate(says):
        html += rf"<div class=line-display>\[{escape(formula(one), quote=False)}\]</div>"
        html += words[i] if words[i] not in words[i + 1 : i + 2] else ""
    return html


def _ranges_first(says: Sequence[Sayable]) -> str:
    """The same for an assumption: what is assumed, then what follows from it."""
    return "".join(f"<p>{tex(note(one))}</p>" + rf"\[{escape(formula(one), quote=False)}\]" for one in says)


def _words(*texts: str) -> str:
    return "".join(f"<p>{tex(closed(text))}</p>" for text in texts if text)


# --- rows


def _says(one: Claim) -> list[Sayable]:
    found = [part.statement if isinstance(part, Check) else part for part in one.says]
    return [part for part in found if part is not None]


def _fingerprint(one: Sayable) -> str:
    return one.fingerprint if isinstance(one, Statement) else one.latex


def _item(one: Claim) -> bool:
    """Whether a claim is an item of a lemma that is a row of its own."""
    above, _, number = one.label.rpartition("/")
    return number.isdigit() and any(other.label == above and name(other) == name(one) != "" for other in paper())


def _parts(one: Claim) -> list[Claim]:
    """The later rows that belong to a lemma, theorem or assumption and show some of what it says; an item of a lemma has none."""
    among = paper()
    if _item(one):
        return []
    return [
        other
        for other in among[among.index(one) + 1 :]
        if other.section == one.section
        and other.kind == one.kind
        and (name(other) == name(one) != "" or (one.kind == "assumption" and other.label.startswith(f"{one.label}/")))
    ]


def _same(one: Claim) -> Claim | None:
    """The display that is all that a lemma says; then both are one row, where the display stands."""
    mine = [list(map(_fingerprint, found)) for found in (_says(one), one.printed)]
    return next(
        (
            other
            for other in _parts(one)
            if _says(one) and [list(map(_fingerprint, found)) for found in (_says(other), other.printed)] == mine
        ),
        None,
    )


def rows(found: Sequence[Claim]) -> list[list[Claim]]:
    """The rows of a section: one claim each, or a lemma with its display."""
    joined = {other.label: one for one in found if (other := _same(one))}
    first = {one.label for one in joined.values()}
    return [
        [joined[one.label], one] if one.label in joined else [one]
        for one in found
        if one.label not in first or one.label in joined
    ]


def _around(one: Claim, wrong: Sequence[Sayable], says: Sequence[Sayable]) -> str:
    """Where printed and right differ only in what is said around the formulas: both, in words, under the formulas that they are about."""
    if not wrong or len(wrong) != len(says):
        return ""
    if any((formula(w), _letters(w)) != (formula(r), _letters(r)) for w, r in zip(wrong, says, strict=True)):
        return ""
    quiet = [replace(part, scope=Scope.ANY) if isinstance(part, Statement) else part for part in says]
    pairs = [AS_PRINTED if covers(r, w) else _pair(_steps(w), _steps(r)) for w, r in zip(wrong, says, strict=True)]
    if len(set(pairs)) > 1:
        return _formulas(quiet, False, pairs)
    left_out = f"<p>Not said in print: {tex(one.repair[:1].lower() + one.repair[1:])}</p>" if one.repair else ""
    said = pairs[0] or left_out
    return _formulas(quiet, False) + said if said else ""


def _letters(one: Sayable) -> list[Defined]:
    """What the letters of a formula mean."""
    return (
        [entry for entry in in_words.entries(one) if isinstance(entry, Defined)] if isinstance(one, Statement) else []
    )


AS_PRINTED = "<p><b class=as-right>right</b> as printed</p>"


def _pair(printed: str, right: str) -> str:
    """For which steps a formula is printed, and for which it is right."""
    if printed == right:
        return ""
    return f"<p><b class=as-printed>printed</b> {tex(printed)}<br><b class=as-right>right</b> {tex(right)}</p>"


def _steps(one: Sayable) -> str:
    """For which steps, which start and given what a statement is made."""
    if isinstance(one, Definition):
        return ""
    field = {PATHWISE: "", TOTAL: "in total expectation"}.get(one.given, f"given ${latex.field_name(one.given)}$")
    return ", ".join(part for part in (one.scope.value, field) if part)


def _two(printed: str, right: str, read: str = "", words: bool = False) -> str:
    """What is printed, or in words what is wrong in print, and what is right; how words of the paper are read stands between."""
    reading = f"<div class=line-read><small>read as</small>{read}</div>" if read else ""
    return (
        f"<div class=line-printed><small>{'in print' if words else 'printed'}</small>{printed}</div>{reading}"
        f"<div class=line-right><small>right</small>{right}</div>"
    )


def _body(one: Claim, *joined: Claim) -> str:
    """What a row shows of a claim: formulas that no row of its parts shows, and the words around them; joined claims have no other row."""
    parts = [part for part in _parts(one) if part not in joined]
    below = {formula(part) for other in parts for part in _says(other)}
    says = [part for part in _says(one) if formula(part) not in below and one.kind != "proof"]
    under = {_fingerprint(part) for other in parts for part in other.printed}
    wrong = [part for part in one.printed if _fingerprint(part) not in under]
    follow = "Its parts are the rows that follow." if len(says) < len(_says(one)) and parts else ""
    if not one.defective:
        assumed = [
            replace(part, assumes=()) if one.kind == "assumption" and isinstance(part, Statement) else part
            for part in says
        ]
        return _formulas([] if one.label in IN_WORDS else assumed, False) + _words(one.words, follow)
    if around := _around(one, wrong, says):
        return around + _words(one.words)
    sure = [part for part in wrong if any(covers(other, part) for other in says)]
    if sure and len(sure) < len(wrong):
        wrong = [part for part in wrong if part not in sure]
        says = [part for part in says if not any(covers(part, other) for other in sure)]
        before = _formulas(sure, False) + AS_PRINTED
    else:
        before = ""
    right = _formulas(says, True) if one.kind != "assumption" else _ranges_first(says)
    right = _words(one.repair) + right + _words(one.words, follow)
    words, formulas = _words(one.printed_words), _formulas(wrong, True)
    if one.reading:
        return before + _two(words, right, f"<p>{tex(one.reading)}:</p>{formulas}")
    return before + _two(formulas + words, right, words=not formulas)


def _margin(verdict: str, label: str) -> str:
    badge = f'<span class="badge-verdict {verdict}">{tag(verdict)}</span>'
    return f'<a href="ledger.html#{escape(label)}" title="{MEANS[verdict]}: open the entry">{badge}</a>'


def _row(ids: Sequence[str], one: Claim, verdict: str, head: str, body: str) -> str:
    also = "".join(f'<span id="{escape(name)}"></span>' for name in ids[1:])
    labels = " ".join(f"<code>{escape(name.removeprefix('line-'))}</code>" for name in ids)
    where = f'<p class=line-where><a href="{one.chapter}.html">{CHAPTERS[one.chapter]}</a> {labels}</p>'
    return (
        f'<div class="line {verdict}" id="{escape(ids[0])}">{also}<div class="line-margin">{_margin(verdict, one.label)}</div>'
        f'<div class="line-body">{where}<p class=line-head>{head}</p>{body}</div></div>'
    )


@cache
def numbered() -> dict[str, int]:
    """The defects by the label of the claim where they begin, each with its number among the errata."""
    return {one.label: i for i, one in enumerate(roots(), 1)}


def _defect(one: Claim) -> str:
    """The defect of a line, where it has one: its own, or the one that it inherits."""
    if not one.defective:
        return ""
    number = numbered()[(one.root or one).label]
    return f' <small class=line-defect><a href="errata.html#erratum-{number}">{"from " if one.root else ""}defect {number}</a></small>'


def line(*same: Claim) -> str:
    """One place of the paper: a claim, or a lemma and its display."""
    first, one = same[0], same[-1]
    where, title = place(one), heading(first)[1]
    head = f"{f'<b>{escape(where)}</b> ' if where else ''}{tex(title)}{_defect(one)}"
    row = _row([f"line-{claim.label}" for claim in same], one, one.as_printed, head, _body(*same))
    return row + "".join(lettered(one, step) for step in steps().get(one.label, ()))


def lettered(one: Claim, step: Lettered) -> str:
    """A lettered step of a display, as a row of its own."""
    head = f"<b>{escape(place(one))}, line ({step.letter})</b>"
    shown = _formulas([step.printed], step.verdict != "true")
    if step.broken:
        shown = _two(shown, _formulas([step.right.statement], True))
    body = shown + _words(step.words)
    return _row([f"line-{one.label}/{step.letter}"], one, step.verdict, head, body)


def sections() -> dict[str, list[Claim]]:
    """The places of the paper by section."""
    return {title: list(group) for title, group in groupby(paper(), key=lambda one: one.section)}


def section(letter: str) -> Html:
    """The lines of the section whose title begins with ``letter``."""
    title, found = next((title, found) for title, found in sections().items() if title.startswith(letter))
    shown = rows(found)
    text = "\n".join(f"{place(row[-1])} | {row[0].label} | {row[0].as_printed}" for row in shown)
    return Html(
        f'<div class="lines" id="lines-{letter.lower()}">{"".join(line(*row) for row in shown)}</div>',
        f"{title}\n{text}",
    )


def legend() -> Html:
    """What the tags say, each with its number of claims."""
    counts = Counter[str](one.as_printed for one in paper())
    rows = [(verdict, words, counts[verdict]) for verdict, words in MEANS.items() if counts[verdict]]
    items = "".join(f"<li>{badge(verdict)} {words}: {count}</li>" for verdict, words, count in rows)
    return Html(
        f'<ul class="line-legend">{items}</ul>',
        "\n".join(f"{verdict}: {words}: {count}" for verdict, words, count in rows),
    )


CAUSES = {
    "eq:znorm": r"{} claimed given the past $\mathcal{{F}}_{{k-1}}$, and right in total expectation",
    "proof:smooth:z:diff:Delta": r"{} claimed given $\mathcal{{F}}_k$, which knows the noise already, and right given "
    r"$\mathcal{{F}}_{{k-1}}$",
    "alg:iters:def/start": r"{} claimed from the first step on with the printed start $z_0=g_0$, and right with $z_0=\beta g_0$ or from "
    "the second step on",
}
"""Why a line is false, by the defect that it comes from; the braces stand for "N are"."""


def causes() -> str:
    """The false lines by the defect that they come from, as MyST."""
    found = [one for one in paper() if one.as_printed == "false"]
    count = Counter((one.root or one).label for one in found)
    rows = [
        f"- {words.format(f'{count[label]} are' if count[label] > 1 else 'one is')} "
        f'(<a href="errata.html#erratum-{numbered()[label]}">defect {numbered()[label]}</a>)'
        for label, words in CAUSES.items()
        if count[label]
    ]
    last = "A claim with two causes is counted once, under the defect from which its entry derives it; its row has the whole repair."
    title = f"The {len(found)} claims that are *false* come from {len(rows)} defects"
    return f":::{{dropdown}} {title}\n" + ";\n".join(rows) + f".\n\n{last}\n:::"


def contents() -> Html:
    """Where to go: the lemmas and theorems by number, then the sections; a script adds a field to search in."""
    html, before = "", ""
    for number, one in results().items():
        kind, _, count = number.partition(" ")
        html += f"<span>{kind}</span>" if kind != before else ""
        html += f'<a href="#line-{escape(one.label)}" title="{escape(plain(one.title))}">{escape(count)}</a>'
        before = kind
    for title in sections():
        kind, letter = _kind(title), title.split()[0]
        html += f"<span>{kind}</span>" if kind != before else ""
        html += f'<a href="#lines-{letter.lower()}" title="{escape(title)}">{letter}</a>'
        before = kind
    return Html(f'<nav class="line-nav" aria-label="Sections and results"><div>{html}</div></nav>', "")


def _kind(title: str) -> str:
    return "Section" if title[0].isdigit() else "Appendix"


def titled(title: str) -> str:
    """The heading of a section, such as "Section 1. Introduction"."""
    letter, _, words = title.partition(" ")
    return f"{_kind(title)} {letter}. {words}"


def whole() -> str:
    """All sections, each under its heading, as MyST."""
    return "\n\n".join(
        f"## {titled(title)}\n\n```{{shown}} paper.section {title.split()[0]}\n```" for title in sections()
    )
