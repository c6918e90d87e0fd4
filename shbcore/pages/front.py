r"""The front page: the whole paper in one strip of squares, the verdict in numbers, and whether a repair changes a rate."""

import re
from html import escape
from itertools import groupby
from typing import Any

import sympy as sp

from shbcore.claims.numbers import place
from shbcore.claims.registry import CHAPTERS, Claim, claim, claims, roots
from shbcore.pages.cards import Html, statement
from shbcore.pages.diagram import plain
from shbcore.proof.domain import Domain
from shbcore.proof.facts import N
from shbcore.proof.language import Node, Number, RandomIndex, Scaled, Sum
from shbcore.proof.statement import Statement

SQUARE, PITCH, ACROSS = 13, 16, 46
"""Pixels of a square of the strip, from square to square, and how many stand in a row."""
MEANING = {
    "true": "right as printed",
    "typo": "a slip of notation",
    "unstated": "an assumption is missing",
    "gap": "a step does not follow",
    "wrong": "a constant, index or fact is wrong",
    "false": "refuted by a counterexample",
    "open": "not decided here",
}


def paper() -> list[Claim]:
    """The claims of the paper, without the results beyond it."""
    return [one for one in claims() if not one.own]


# --- the strip


def strip() -> Html:
    """Every claim of the paper, in its order, as a square in the colour of its verdict that leads to its entry."""
    parts, lines, y = [], [], 0
    for section, group in groupby(paper(), key=lambda one: one.section):
        found = list(group)
        parts.append(f'<text x="0" y="{y + 11}">{escape(section)}</text>')
        y += 17
        for i, one in enumerate(found):
            row, column = divmod(i, ACROSS)
            words = " ".join(part for part in (f"{place(one)}:" if place(one) else "", plain(one.title)) if part)
            words = f"{words}. As printed: {MEANING[one.as_printed]}."
            parts.append(
                f'<a href="ledger.html#{escape(one.label)}" class="node {one.as_printed}" aria-label="{escape(words)}">'
                f'<title>{escape(words)}</title><rect x="{column * PITCH}" y="{y + row * PITCH}" width="{SQUARE}" '
                f'height="{SQUARE}" rx="2"/></a>'
            )
        y += PITCH * (1 + (len(found) - 1) // ACROSS) + 5
        lines.append(f"{section}: {', '.join(one.as_printed for one in found)}")
    size = f'viewBox="0 0 {ACROSS * PITCH} {y}" width="{ACROSS * PITCH}" height="{y}"'
    key = "".join(
        f'<span class="node {name}"><i></i>{words}</span>'
        for name, words in MEANING.items()
        if any(one.as_printed == name for one in paper())
    )
    svg = f'<svg class="strip" xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="Every claim of the paper">'
    html = f'<div class="strip-key">{key}</div><div class="strip-box">{svg}{"".join(parts)}</svg></div>'
    return Html(html, "\n".join(lines))


# --- rates


def _summands(tree: Node, times: Any = sp.S.One) -> list[Any]:
    """The coefficients of all summands of a side, multiplied out."""
    if isinstance(tree, Sum):
        return [one for part in tree.parts for one in _summands(part, times)]
    if isinstance(tree, Scaled):
        return _summands(tree.of, times * tree.times)
    return [times * tree.value] if isinstance(tree, Number) else [times]


def _put_in(value: Any, domain: Domain) -> Any:
    """A coefficient in the free parameters alone."""
    meaning = {one.symbol: one.formula for one in domain.entries if hasattr(one, "formula")}
    while (after := value.xreplace(meaning)) != value:
        value = after
    return sp.together(value)


def exponent(bound: Statement) -> sp.Rational:
    r"""The power of :math:`K+1` with which the right side of a bound falls, worked out from its coefficients."""
    powers = []
    for value in _summands(bound.relation.right):
        above, below = sp.fraction(_put_in(sp.sympify(value), bound.domain))
        powers.append(sp.degree(sp.expand(above), N) - sp.degree(sp.expand(below), N))
    return sp.Rational(max(powers), 2)


def bounds() -> list[tuple[Claim, Statement, Statement]]:
    """The bounds of the theorems that needed a repair: the claim, as printed, as repaired."""
    found = []
    for one in paper():
        right = [says for says in one.statements if isinstance(says.relation.left, RandomIndex)]
        wrong = [says for says in one.printed if isinstance(says, Statement)]
        wrong = [says for says in wrong if isinstance(says.relation.left, RandomIndex)]
        if one.kind == "theorem" and right and wrong:
            found.append((one, wrong[0], right[0]))
    return found


def changed() -> list[str]:
    """The theorems in which a repair changes the rate."""
    return [one.label for one, wrong, right in bounds() if exponent(wrong) != exponent(right)]


def verdict() -> Html:
    """The verdict in five numbers, each read from the ledger."""
    rate = {exponent(right) for _, _, right in bounds()}
    if len(rate) != 1:
        raise ValueError(f"the repaired theorems have several rates: {rate}")
    slips = sum(one.as_printed == "typo" for one in roots())
    rows = [
        (len(paper()), "claims, every one checked or left open by name"),
        (sum(one.as_printed == "true" for one in paper()), "right as printed"),
        (len(roots()), f"defects, {slips} of them slips of notation"),
        (
            len(changed()),
            rf"rates change: all three theorems keep \((K+1)^{{{sp.latex(rate.pop(), fold_short_frac=True)}}}\)",
        ),
    ]
    html = "".join(f"<div><b>{number}</b><span>{words}</span></div>" for number, words in rows)
    return Html(f'<div class="numbers">{html}</div>', "; ".join(f"{number} {words}" for number, words in rows))


def boxed(label: str, *things: Any, title: str = "", words: str = "") -> str:
    """A statement as a box without a number, for pages that repeat what a chapter states."""
    text = statement(label, *things, title=title, words=words).myst
    return re.sub(r"^````\{prf:\w+\} ([^\n]*)\n:label:[^\n]*", r"````{admonition} \1\n:class: statement", text)


def method() -> str:
    """The method in two lines, from its definition."""
    a, b = (one.latex for one in claim("alg:iters:def").says)  # type: ignore[union-attr]
    return f"$$\n\\begin{{aligned}}\n{a.replace('=', '&=', 1)}\\\\\n{b.replace('=', '&=', 1)}\n\\end{{aligned}}\n$$"


def theorem_1(which: str) -> str:
    """Theorem 1 as it stands: ``ten``, the bound without parameters, or ``whole``, with all of them."""
    if which == "ten":
        return boxed("theorem-1", "thrm:non-smooth:complexity/ten", title="Theorem 1, as it stands")
    return boxed("theorem-1", *claim("eq:thrm:1").statements, title="Theorem 1, with all its constants, repaired")


NEWS = {
    "complexity": "**The printed start costs nothing.** The $10$ of Theorems 1 and 2 is true for $z_0=g_0$ too, and of $10L^2$ only "
    "$8L^2$ is needed, by another Lyapunov function, which falls given the past.",
    "open_question": "**The open question of the paper has the answer yes.** Theorem 2 holds without a bounded gradient.",
    "shorter_smooth_half": "**A shorter proof of the smooth half**, without conjugates, on twice the stepsizes, with smaller constants.",
    "any_schedule": "**Any schedule.** Decaying stepsizes and momenta, and what holds almost surely.",
    "how_good_are_the_constants": "**How good the constants are**: the best that is proved, beside what no proof can beat.",
    "what_momentum_costs": "**What momentum costs**: nothing in the long run with a fixed $\\beta$, a constant factor with the paper's.",
    "checked_by_a_kernel": "**Checked a second time, by Coq**, from the definitions to the theorems.",
}
"""What the paper does not have, by chapter; a chapter that the book does not have yet is left out."""


def news() -> str:
    """What is new, each with the chapter that proves it."""
    return "\n".join(f"- {words} {{doc}}`{chapter}`" for chapter, words in NEWS.items() if chapter in CHAPTERS)
