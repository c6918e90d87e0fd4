r"""Tables, certificates and entries of the ledger as small pieces of a page: HTML for the book, plain text for a terminal.

Formulas stand between dollars.  A certificate is verified and an entry is run when its card is made: a card cannot show what fails.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from shbcore.claims import ledger


@dataclass(frozen=True)
class Html:
    """A piece of a page."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return f'<div class="tex2jax_process mathjax_process" style="overflow-x:auto">{self.html}</div>'

    def __repr__(self) -> str:
        return self.text


def _hold(html: str) -> str:
    """Keep a formula and the sign that follows it together, so that no line begins with a comma."""
    return re.sub(r"(\\\((?:(?!\\\)).)*\\\))([,.;:!?)\]]+)", r'<span class="hold">\1\2</span>', html)


def tex(text: str) -> str:
    r"""Escape ``text`` for HTML, turn ``$...$`` into ``\(...\)``, which MathJax sets, and labels between backticks into code."""
    text = text.replace(r"\mathrm{E}", r"\mathbb{E}")  # the sign that the chapters use
    parts = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text, quote=False)).split("$")
    return _hold("".join(rf"\({part}\)" if i % 2 else part for i, part in enumerate(parts)))


_GREEK = "alpha|beta|gamma|delta|epsilon|theta|lambda|sigma|omega|Delta|nu|xi|rho"
_ASCII = re.compile(
    rf"(?<![A-Za-z\\_])(?:x_(?P<hat>bar|hat)(?:_(?P<at>\{{[^}}]*\}}|\w))?(?P<square>\^2)?|(?P<name>{_GREEK}|[A-Za-z])"
    r"(?:_(?P<sub>\{[^}]*\}|\w+))?(?P<power>\^\d+)?)(?![A-Za-z])"
)


def maths(text: str) -> str:
    r"""HTML of words with formulas in plain letters, such as ``alpha_0^2 <= x_bar_k``, which MathJax sets."""

    def letter(name: str) -> str:
        return re.sub(rf"\b({_GREEK})\b", r"\\\1", name)

    def formula(found: re.Match[str]) -> str:
        if found["hat"]:
            return (
                rf"\(\{found['hat']} x" + (f"_{found['at']}" if found["at"] else "") + (found["square"] or "") + r"\)"
            )
        sub, power = found["sub"] or "", found["power"] or ""
        if len(found["name"]) == 1 and not sub + power:
            return found[0]
        name = r"\mathcal{F}" if found["name"] == "F" and sub.strip("{")[:1] in "k0123456789" else letter(found["name"])
        return rf"\({name}{'_{' + letter(sub.strip('{}')) + '}' if sub else ''}{power}\)"

    for plain, sign in (("<=", "≤"), (">=", "≥"), ("+-", "±"), ("|^2", "|²"), (")^2", ")²"), ("R^n", "ℝⁿ")):
        text = text.replace(plain, sign)
    return _hold(_ASCII.sub(formula, escape(text, quote=False)))


def evidence(checks: Iterable[Any]) -> str:
    """What was checked, as HTML: the kinds of evidence, strongest first, each with its checks."""
    found = list(checks)
    kinds = [(kind, [one.what for one in found if one.kind == kind]) for kind in ledger.EVIDENCE]
    return " ".join(f"<em>{kind}:</em> {maths('; '.join(what))}." for kind, what in kinds if what)


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], caption: str = "") -> Html:
    """A plain table; cells may hold formulas between dollars."""
    body = [[str(cell) for cell in row] for row in rows]
    head = "".join(f"<th>{tex(h)}</th>" for h in headers)
    lines = "".join("<tr>" + "".join(f"<td>{tex(c)}</td>" for c in row) + "</tr>" for row in body)
    title = f"<caption>{tex(caption)}</caption>" if caption else ""
    html = f'<table class="table">{title}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return Html(html, "\n".join(" | ".join(row) for row in [list(headers), *body]))


def certificate(proof: Any, statement: str = "") -> Html:
    """A ``shbcore.proof`` certificate, verified now, as a table: what is added up, with which multiplier, and why it holds."""
    found = proof.verify()
    if not found.passed:
        raise AssertionError(f"{proof.label or 'certificate'}: {found.detail}")

    def formulas(text: str) -> str:
        return text if "$" in text else re.sub(r"\\\w+ \S+|\S*[_\\]\S*", r"$\g<0>$", text)

    rows, lines = [], []
    for term, row in zip(proof.terms, proof.table(), strict=True):
        sign, note = ("=", " (equality)") if term.hypothesis.sense == "==" else (r"\ge", "")
        formula = f"${term.hypothesis.latex or f'{term.hypothesis.expression} {sign} 0'}$"
        times, why = f"{row['multiplier']}{note}", formulas(row["why"])
        rows.append((formula, times, why))
        lines.append(f"<tr><td>{tex(formula)}<br><small>{tex(why)}</small></td><td>{tex(times)}</td></tr>")
    claim = f"${statement or proof.statement}$\n" if statement or proof.statement else ""
    where = ", ".join(f"${r.latex}$" for r in proof.ranges())
    words = f"for all {where}: {found.detail}." if where else f"{found.detail}."
    caption = tex(f"{claim}{words[0].upper()}{words[1:]}").replace("\n", "<br>")
    head = f"<caption>{caption}</caption><thead><tr><th>Add up</th><th>times</th></tr></thead>"
    html = f'<table class="table certificate">{head}<tbody>{"".join(lines)}</tbody></table>'
    return Html(html, table(rows, ("Add up", "times", "because")).text)


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


def entry(label: str) -> Html:
    """The card of one claim of the ledger: verdict on the printed line, repair, consequence, and its evidence, run now."""
    claim = ledger.claim(label)
    (result,) = ledger.run([claim])
    failed = [found for found in result.found if not found.passed]
    if failed:
        raise AssertionError(f"{label}: {failed[0].kind} check failed: {failed[0].detail}")
    texts = [("Printed", claim.printed), ("Right" if claim.defective else "Claim", claim.repair or claim.statement)]
    texts += [("Consequence", claim.consequence)]
    rows = [(name, text, tex(text)) for name, text in texts]
    broken = [f"{one.detail}." for one in result.found if one.kind == "counterexample"]
    rows += [("Counterexample", text, maths(text)) for text in broken]
    rows += [("Evidence", "; ".join(f"{one.kind}: {one.what}" for one in result.found), evidence(result.found))]
    rows = [row for row in rows if row[1]]
    lines = "".join(f"<p><strong>{name}.</strong> {html}</p>" for name, _, html in rows)
    title = f"{claim.title}: {claim.as_printed} ({_MEANING[claim.as_printed]})"
    where = f'<p><small><a href="ledger.html">Ledger entry</a> <code>{label}</code></small></p>'
    kind = _CARD.get(claim.as_printed, "danger")
    html = f'<div class="admonition {kind}"><p class="admonition-title">{tex(title)}</p>{lines}{where}</div>'
    return Html(html, "\n".join([title, *(f"{name}. {text}" for name, text, _ in rows)]))


def erratum(label: str) -> Html:
    """The card of a claim whose printed line needs a repair; a line that is right as printed is refused."""
    if not ledger.claim(label).defective:
        raise ValueError(f"{label} is right as printed; show it with entry()")
    return entry(label)


def claims(chapter: str) -> Html:
    """All claims of the paper that a chapter treats, with the verdict on each line as printed and the kinds of its evidence."""
    rows = [
        (one.title, one.as_printed, ", ".join(kind for kind in ledger.EVIDENCE if kind in {c.kind for c in one.checks}))
        for one in ledger.claims()
        if one.chapter == chapter
    ]
    return table(rows, ("Claim of the paper", "As printed", "Evidence"))


def steps(chapter: str) -> Html:
    """Every claim of the paper that a chapter treats, by label: what is true, the verdict on the printed line, the evidence."""
    found = [one for one in ledger.claims() if one.chapter == chapter]
    kinds = {one: [kind for kind in ledger.EVIDENCE if kind in {c.kind for c in one.checks}] for one in found}
    html = "".join(
        f"<p><strong>{tex(one.title)}</strong> ({one.as_printed}). {tex(one.statement)}"
        f"<br><small>{', '.join(kinds[one]) or 'no evidence possible'} · <code>{one.label}</code></small></p>"
        for one in found
    )
    return Html(html, "\n".join(f"{one.label}: {one.as_printed}; {', '.join(kinds[one])}" for one in found))
