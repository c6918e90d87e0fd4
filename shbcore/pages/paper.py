r"""The paper, line by line: every place in the paper's order with its number, the verdict in the margin, the line as printed and as it
should read."""

from html import escape
from itertools import groupby

from shbcore.claims.numbers import name, place
from shbcore.claims.registry import CHAPTERS, Claim
from shbcore.pages.cards import Html, formula, printed, right, tex
from shbcore.pages.front import MEANING, paper
from shbcore.proof.language import PATHWISE, TOTAL
from shbcore.proof.latex import field_name
from shbcore.proof.statement import Statement


def _displayed(one: object) -> str:
    return rf"<div class=line-display>\[{escape(formula(one), quote=False)}\]</div>"  # type: ignore[arg-type]


def _says(one: Claim, wrong: bool) -> str:
    """The formulas of a line, as printed or as it should read; words where there is no formula."""
    if wrong:
        found = "".join(map(_displayed, one.printed))
        return found or "".join(f"<p>{tex(text)}</p>" for text in printed(one))
    shown = [check.statement if hasattr(check, "statement") else check for check in one.says]
    found = "".join(_displayed(part) for part in shown if part is not None)
    return found or f"<p>{tex(' '.join(right(one)))}</p>"


def _steps(one: Statement) -> str:
    """For which steps, which start and given what a statement is made."""
    field = {PATHWISE: "", TOTAL: "in total expectation"}.get(one.given, f"given ${field_name(one.given)}$")
    return ", ".join(part for part in (one.scope.value, field) if part)


def _only_around(one: Claim) -> str:
    """Where printed and right differ only in what stands around the formula: both, in words."""
    wrong = [says for says in one.printed if isinstance(says, Statement)]
    if not wrong or len(wrong) != len(one.statements):
        return ""
    if any(formula(w) != formula(r) for w, r in zip(wrong, one.statements, strict=True)):
        return ""
    said = {(_steps(w), _steps(r)) for w, r in zip(wrong, one.statements, strict=True) if _steps(w) != _steps(r)}
    if not said:
        return f"<p>Not said in print: {tex(one.repair)}</p>" if one.repair else ""
    return "".join(f"<p>Printed {tex(w)}; right {tex(r)}.</p>" for w, r in sorted(said))


def line(one: Claim) -> str:
    """One place of the paper."""
    verdict = f'<span class="badge-verdict {one.as_printed}">{one.as_printed}</span>'
    margin = (
        f'<a href="ledger.html#{escape(one.label)}" title="{MEANING[one.as_printed]}: open the entry">{verdict}</a>'
    )
    where, title = place(one), one.title.removeprefix(name(one)).lstrip(":, ") if name(one) else one.title
    title = title[:1].upper() + title[1:] if name(one) else title
    place_ = f"<b>{escape(where)}</b> " if where else ""
    link = f'<a class=line-chapter href="{one.chapter}.html">{CHAPTERS[one.chapter]}</a>'
    around = _only_around(one) if one.defective else ""
    body = _says(one, one.defective and not around) + around
    if one.defective and not around:
        body = f"<div class=line-printed><small>printed</small>{body}</div>"
        body += f"<div class=line-right><small>right</small>{_says(one, False)}</div>"
    return (
        f'<div class="line {one.as_printed}" id="{escape(f"line-{one.label}")}"><div class="line-margin">{margin}</div>'
        f'<div class="line-body"><p class=line-head>{place_}{tex(title)} {link} <code>{escape(one.label)}</code></p>{body}</div></div>'
    )


def sections() -> dict[str, list[Claim]]:
    """The places of the paper by section."""
    return {title: list(group) for title, group in groupby(paper(), key=lambda one: one.section)}


def section(letter: str) -> Html:
    """The lines of the section whose title begins with ``letter``."""
    title, found = next((title, found) for title, found in sections().items() if title.startswith(letter))
    text = "\n".join(f"{place(one)} | {one.label} | {one.as_printed}" for one in found)
    return Html(f'<div class="lines">{"".join(map(line, found))}</div>', f"{title}\n{text}")


def whole() -> str:
    """All sections, each under its heading, as MyST."""
    return "\n\n".join(
        f"## Section {title}\n\n```{{shown}} paper.section {title.split()[0]}\n```" for title in sections()
    )
