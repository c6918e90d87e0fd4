r"""The front page: the whole paper in one strip of squares, the verdict in numbers, short answers, and whether a repair changes a rate."""

import re
from collections import Counter
from html import escape
from itertools import groupby
from typing import Any

import sympy as sp

from shbcore.claims.lettered import steps
from shbcore.claims.numbers import name, place
from shbcore.claims.registry import CHAPTERS, EVIDENCE, MEANS, Claim, claim, claims, roots, tag
from shbcore.pages.bounds import put_in
from shbcore.pages.cards import Html, called, statement
from shbcore.pages.diagram import plain
from shbcore.proof.facts import N
from shbcore.proof.language import Node, Number, RandomIndex, Scaled, Sum
from shbcore.proof.statement import Statement


def paper() -> list[Claim]:
    """The claims of the paper, without the results beyond it."""
    return [one for one in claims() if not one.own]


# --- the strip


def square(verdict: str) -> str:
    """A verdict as a small square, with a sign of its own, so that it can be told without colour."""
    return f'<i class="square {verdict}"></i>'


KEY = {
    "true": " as printed",
    "typo": " of notation",
    "unstated": " assumption or average",
    "gap": " in a proof",
    "wrong": " constant, index or fact",
    "false": ": its conditions must change",
    "open": ": literature, or a guess",
}
"""What makes the word of a verdict a phrase, in the order of severity of :data:`MEANS`."""


def strip() -> Html:
    """Every claim of the paper, in its order, as a square in the colour of its verdict that leads to its entry."""
    rows, lines = [], []
    for section, group in groupby(paper(), key=lambda one: one.section):
        found, links = list(group), ""
        for one in found:
            words = " ".join(part for part in (f"{place(one)}:" if place(one) else "", plain(one.title)) if part)
            words = escape(f"{words}. As printed: {MEANS[one.as_printed]}.")
            at = f'href="ledger.html#{escape(one.label)}"'
            links += f'<a {at} title="{words}" aria-label="{words}">{square(one.as_printed)}</a>'
        rows.append(f"<dt>{escape(section)}</dt><dd>{links}</dd>")
        lines.append(f"{section}: {', '.join(one.as_printed for one in found)}")
    count: Counter[str] = Counter(one.as_printed for one in paper())
    key = "".join(
        f"<span>{square(name)}<b>{tag(name)}</b>{KEY[name]} ({count[name]})</span>" for name in MEANS if count[name]
    )
    html = f'<div class="strip-key">{key}</div><dl class="strip" aria-label="Every claim of the paper">{"".join(rows)}</dl>'
    return Html(html, "\n".join(lines))


# --- the results by name


def results() -> dict[str, Claim]:
    """The lemmas and theorems of the paper by number, each with the claim that states it."""
    found = {name(one): one for one in reversed(paper()) if name(one).startswith(("Lemma", "Theorem"))}
    return dict(sorted(found.items()))


def named() -> Html:
    """The lemmas and theorems with the verdict on each as printed; each leads to its line."""
    links = "".join(
        f'<a href="line_by_line.html#line-{escape(one.label)}" title="{escape(plain(one.title))}">{number} '
        f'<span class="badge-verdict {one.as_printed}">{tag(one.as_printed)}</span></a>'
        for number, one in results().items()
    )
    text = ", ".join(f"{number}: {one.as_printed}" for number, one in results().items())
    return Html(f'<p class="named">{links}</p>', text)


def questions() -> str:
    """What a visitor asks first, with short answers, verdicts from the ledger, and where to read on, as MyST."""
    first, ten, lemma = claim("eq:thrm:1"), claim("thrm:non-smooth:complexity/ten"), results()["Lemma 4"]
    third, line_b, shared = results()["Theorem 3"], claim("eq:znorm"), claim("eq:proof:thrm:1:evn:1:1")
    fifth = results()["Lemma 5"]
    (step,) = (one for one in steps()[line_b.label] if one.letter == "b")

    def line(one: Claim, words: str) -> str:
        return f'<a href="line_by_line.html#line-{one.label}">{words}</a>'

    rows = {
        "Is Theorem 1 true?": f"{line(ten, 'The bound with the 10')} is *{ten.as_printed}* as printed. "
        f"{line(first, 'The first display')} is *{first.as_printed}*: its $L^2$ lacks the factor $\\alpha_0^2$, the constant $\\gamma$ "
        "is the wrong one of Lemma 4, and for $z_0=g_0$ what is proved has a larger factor of $L^2$: {doc}`complexity`.",
        "Is its proof right? Is Lemma 4?": f"Not as printed: {line(lemma, 'Lemma 4')}, on which it rests, is *{lemma.as_printed}*. "
        "It holds in total expectation, not given the past, with a larger constant $\\gamma$, and at the first step only if "
        "$z_0=\\beta g_0$. With these repairs the theorem is proved: {doc}`lyapunov_V`, {doc}`complexity`.",
        "Does momentum help?": "Not with the constant stepsize of the theorems: there it gained nothing on the problems of the paper's "
        "experiments. It helps where a *decaying* stepsize starts too large: {doc}`theory_meets_experiment`.",
        "Which $\\beta$ should I take?": "For the best bound under (A2) $\\beta=1$, no momentum; under (A3) $\\beta=1$ or a little less. "
        "If you want momentum, take a fixed one such as $\\beta=0.1$ (momentum 0.9): as $K$ grows its bound becomes that of SGD. For "
        "PyTorch: {ref}`Use it <use:beta>`.",
        "What does Theorem 3 rest on?": "On Lemma 5, on the gradient of the envelope (Lemma 2), on one line of the proof of Lemma 4 "
        f"({line(shared, 'the first bound of the envelope')}), and on what these rest on; neither on (A2) nor on the $V_k$ of Lemma 4: "
        f'<a href="map.html#map-{third.label}">the map</a>, {{doc}}`foundations`. {line(fifth, "Lemma 5")} is *{fifth.as_printed}* as '
        "printed and proved with its repairs; a shorter proof of the theorem is in {doc}`shorter_smooth_half`.",
        "Where is a given line?": "Every line of the paper is in {doc}`line_by_line`, with a field to find it by number or label. For "
        f'instance <a href="line_by_line.html#line-{line_b.label}/{step.letter}">line (b) of <code>{line_b.label}</code></a>: it is in '
        f"display {place(line_b)} and is *{step.verdict}*.",
        "What do I cite?": "The statements in {doc}`use_it`.",
    }
    return "\n".join(f"- **{question}**  {answer}" for question, answer in rows.items())


# --- evidence

KINDS = {
    "kernel": "a theorem that the kernel of Coq has checked: the lines of the proofs, and the lemmas and theorems from the definitions of "
    "the paper, for every $k$ and $K$; {doc}`checked_by_a_kernel` says what is trusted then",
    "certificate": "a proof that the checker of `shbcore`, a small program, accepts: an identity in exact algebra, in which facts are "
    "added up, inequalities with non-negative multipliers and equations with any; the pages print the statements that were checked",
    "exact": "an instance in rational arithmetic, with expectations as sums over all samples: nothing is estimated; it confirms a line",
    "counterexample": "the same, and it refutes a line, or what the line would imply",
    "interval": "floating point with a certified error",
    "numeric": "floating point: runs of the method or data, measured, and never called a proof",
}
"""What each kind of evidence is, in short."""


def evidence() -> str:
    """The kinds of evidence, the strongest first, each with its number of checks of the paper, as MyST."""
    count = Counter(check.kind for one in paper() for check in one.checks)
    rows = [f"| {called(kind)} | {KINDS[kind]} | {count[kind]} |" for kind in EVIDENCE if count[kind]]
    return "\n".join(["| kind | what it is | checks |", "|---|---|---|", *rows, f"| together | | {count.total()} |"])


# --- rates


def _summands(tree: Node, times: Any = sp.S.One) -> list[Any]:
    """The coefficients of all summands of a side, multiplied out."""
    if isinstance(tree, Sum):
        return [one for part in tree.parts for one in _summands(part, times)]
    if isinstance(tree, Scaled):
        return _summands(tree.of, times * tree.times)
    return [times * tree.value] if isinstance(tree, Number) else [times]


def exponent(bound: Statement) -> sp.Rational:
    r"""The power of :math:`K+1` with which the right side of a bound falls, worked out from its coefficients."""
    powers = []
    for value in _summands(bound.relation.right):
        above, below = sp.fraction(put_in(sp.sympify(value), bound.domain))
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
    """The verdict in four numbers, each read from the ledger."""
    rate = {exponent(right) for _, _, right in bounds()}
    if len(rate) != 1:
        raise ValueError(f"the repaired theorems have several rates: {rate}")
    slips = sum(one.as_printed == "typo" for one in roots())
    rows = [
        (len(paper()), "claims, each checked or named as not judged"),
        (sum(one.as_printed == "true" for one in paper()), "right as printed"),
        (len(roots()), f"separate defects ({slips} are slips of notation)"),
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
    """Theorem 1: ``ten``, the bound without parameters, true as printed, or ``whole``, with all of them."""
    if which == "ten":
        return boxed("theorem-1", "thrm:non-smooth:complexity/ten", title="Theorem 1, main bound, as printed")
    return boxed("theorem-1", *claim("eq:thrm:1").statements, title="Theorem 1, with all its constants, repaired")


NEWS = {
    "open_question": "**The paper's open question is answered: yes**, with $z_0=\\beta g_0$: Theorem 2 holds without a bounded gradient. "
    "With the printed start the gradient at $x_0$ enters.",
    "complexity": "**The printed 10 holds for the printed start too**, in Theorems 1 and 2. In place of the $10L^2$ of "
    "Theorem 1, $8L^2$ is enough there, and $4L^2$ with $z_0=\\beta g_0$.",
    "shorter_smooth_half": "**A shorter proof of Theorem 3**, for both starts, twice the stepsizes and, in part, any convex set.",
    "any_schedule": "**Any stepsizes**: falling, jumping, warming up; and what holds almost surely.",
    "how_good_are_the_constants": "**How good the constants are**: each beside one that no proof can beat.",
    "what_momentum_costs": "**What momentum costs**: a factor with the paper's $\\beta$; with a fixed one the cost goes to 0 as $K$ grows.",
    "checked_by_a_kernel": "**Checked a second time, by Coq**, from the definitions to the theorems.",
}
"""What the paper does not have, by chapter; a chapter that the book does not have yet is left out."""


def news() -> str:
    """What is new, each with the chapter that proves it."""
    return "\n".join(f"- {words} {{doc}}`{chapter}`" for chapter, words in NEWS.items() if chapter in CHAPTERS)
