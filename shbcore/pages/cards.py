r"""Statements, cards and tables of the book, made from the formal objects that the ledger checks.

What a page shows of a claim is rendered here from the claim, in the built page (MyST) and in Jupyter (HTML) alike.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from shbcore.claims import checked, verify
from shbcore.claims.graph import home
from shbcore.claims.registry import CHAPTERS, DEFINED, EVIDENCE, MEANS, Check, Claim, Definition, claim, claims, tag
from shbcore.pages.formulas import hold
from shbcore.pages.formulas import maths as maths
from shbcore.proof import in_words, latex
from shbcore.proof.domain import EVERYWHERE, Domain
from shbcore.proof.domain import Definition as Defined
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import A3, BOUNDED_GRADIENT, SMOOTH, SMOOTH_EVERYWHERE
from shbcore.proof.kernel import Line, check
from shbcore.proof.language import Number
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


def tex(text: str, narrow: int = 0) -> str:
    r"""Escape ``text`` for HTML, turn ``$...$`` into ``\(...\)``, which MathJax sets, and labels between backticks into code.

    A formula that is too wide stands by itself; so does one with a fraction in it that is wider than ``narrow``.
    """
    parts = re.sub("`([^`]+)`", r"<code>\1</code>", text).split("$")
    parts = [_formula(part, narrow) if i % 2 else _escaped(part) for i, part in enumerate(parts)]
    return hold(re.sub(r"(\n\\end\{aligned\})?\\\]([,.;:])\s*", r"\2\1\\] ", "".join(parts)))


_CHAPTER = re.compile(rf"\b(chapters? )({'|'.join(map(re.escape, CHAPTERS.values()))})")


def _escaped(words: str) -> str:
    """Words for HTML; a chapter that they name is linked."""
    found = escape(words, quote=False).replace("&lt;code&gt;", "<code>").replace("&lt;/code&gt;", "</code>")
    page = {title: name for name, title in CHAPTERS.items()}
    return _CHAPTER.sub(lambda one: f'{one[1]}<a href="{page[one[2]]}.html">{one[2]}</a>', found)


def _formula(text: str, narrow: int = 0) -> str:
    """A formula in a sentence; one that is too wide stands by itself, in rows."""
    rows = latex.broken(text, WIDE)
    shown = escape(rows, quote=False)
    alone = rows != text or (narrow and r"\frac" in text and not latex.fits(text, narrow))
    return rf"\[{shown}\]" if alone else rf"\({shown}\)"


WIDE = 62
"""About how many characters of a formula fit into a line of words."""
IN_CARD = 24
"""How many, if there is a fraction in it, in a card: there the formula is what the reader came for."""


def called(kind: str) -> str:
    """A kind of evidence as a reader meets it: the kernel is Coq's, not the small one of the library."""
    return "Coq" if kind == "kernel" else kind


def evidence(checks: Iterable[Any]) -> str:
    """What was checked, as HTML: the kinds of evidence, strongest first, each with its checks."""
    found = list(checks)
    kinds = [(called(kind), [one.what for one in found if one.kind == kind]) for kind in EVIDENCE]
    return " ".join(f"<em>{kind}:</em> {maths('; '.join(what))}." for kind, what in kinds if what)


def verdict_line(word: str, said: str) -> str:
    """A line that a check printed, such as ``HOLDS: ...`` or ``REFUTED: ...``, as a line of the page; without a word it is no verdict."""
    kind = {"HOLDS": "good", "CONTROL REJECTED": "good", "REFUTED": "refuted", "": "said"}.get(word, "bad")
    lead = (
        f"<b>{'Rejected, as it should be' if word == 'CONTROL REJECTED' else word.capitalize()}:</b> " if word else ""
    )
    return f'<p class="verdict-line {kind} tex2jax_process mathjax_process">{lead}{maths(said)}</p>'


def badge(verdict: str) -> str:
    """A verdict, in its colour; what it says is shown where one points at it."""
    return f'<span class="badge-verdict {verdict}" title="{escape(DEFINED[verdict])}">{tag(verdict)}</span>'


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], caption: str = "", *, fold: str = "") -> Html:
    """A plain table; cells may hold formulas between dollars; with ``fold`` it opens under these words."""
    body = [[str(cell) for cell in row] for row in rows]
    head = "".join(f"<th>{tex(h)}</th>" for h in headers)
    lines = "".join("<tr>" + "".join(f"<td>{tex(c)}</td>" for c in row) + "</tr>" for row in body)
    title = f"<caption>{tex(caption)}</caption>" if caption else ""
    html = f'<table class="table">{title}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return Html(_folded(html, fold), "\n".join(" | ".join(row) for row in [list(headers), *body]))


def matrix(rows: Iterable[Sequence[str]], headers: Sequence[str]) -> Html:
    """A table of marks, one short column a head, so narrow that a phone shows it whole: it is read by columns as well as by rows."""
    body = [list(row) for row in rows]
    narrow = ' style="padding:.2rem 0;text-align:center"'
    first = ' style="padding:.2rem .4rem"'
    lead = 40 if len(headers) < 11 else 33
    widths = f'<col style="width:{lead}%">' + f'<col style="width:{(100 - lead) / (len(headers) - 1):.2f}%">' * (
        len(headers) - 1
    )

    def line(kind: str, cells: Sequence[str]) -> str:
        return "".join(f"<{kind}{narrow if i else first}>{tex(cell)}</{kind}>" for i, cell in enumerate(cells))

    lines = "".join(f"<tr>{line('td', row)}</tr>" for row in body)
    look = "display:table;table-layout:fixed;width:100%;max-width:36rem"
    html = (
        f'<table class="table" style="{look}"><colgroup>{widths}</colgroup>'
        f"<thead><tr>{line('th', headers)}</tr></thead><tbody>{lines}</tbody></table>"
    )
    return Html(html, "\n".join(" | ".join(row) for row in [list(headers), *body]))


def _folded(html: str, under: str) -> str:
    """A piece of a page that opens under these words; without words it is open."""
    return f'<details class="claims"><summary>{tex(under)}</summary>{html}</details>' if under else html


# --- statements


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


_EITHER = {
    frozenset({Scope.RUN, Scope.RUN_PRINTED}): Scope.RUN_ANY,
    frozenset({Scope.SHORT_RUN, Scope.RUN_PRINTED}): Scope.RUN_ANY,
    frozenset({Scope.FIRST, Scope.FIRST_REPAIRED}): Scope.FIRST_ANY,
}
"""What holds for each of the two starts holds with either."""


def _once(says: Sequence[Sayable]) -> list[Sayable]:
    """Each thing said once: twins are left out, and what is said of both starts is said of either."""
    found: list[Sayable] = []
    for one in says:
        if one in found:
            continue
        if isinstance(one, Statement):
            for i, before in enumerate(found):
                if not isinstance(before, Statement):
                    continue
                both = frozenset({one.scope, before.scope})
                said = any(one.scope in starts and before.scope is any_ for starts, any_ in _EITHER.items())
                alike = replace(one, scope=before.scope) == before and one.latex == before.latex
                if alike and (said or both in _EITHER):
                    found[i] = before if said else replace(before, scope=_EITHER[both])
                    break
            else:
                found.append(one)
        else:
            found.append(one)
    return found


def covers(right: object, printed: object) -> bool:
    """Whether a line that holds with either start is the printed one."""
    if not isinstance(right, Statement) or not isinstance(printed, Statement):
        return False
    return right.scope is Scope.EVERY and replace(right, scope=printed.scope) == printed


@dataclass(frozen=True)
class Common:
    """What is said of several statements: ranges and definitions, the law of the index; and whether each has more of its own."""

    entries: tuple[Any, ...]
    law: str
    more: bool

    @property
    def after(self) -> str:
        """After the formulas."""
        end = ", ".join(part for part in (in_words.ranges(self.entries), self.law) if part)
        return f"throughout, {end}" if end and self.more else end

    @property
    def before(self) -> str:
        """Before the formulas."""
        law = self.law.replace("with $k^*$ uniform", "$k^*$ is uniform", 1)
        return " ".join(
            part for part in (in_words.let(self.entries), closed(f"the index {law}") if law else "") if part
        )

    def named(self, letters: str) -> str:
        """The definitions of some letters."""
        plain = {re.sub(r"[{}\\\\]", "", one.symbol.name): one for one in self.entries if isinstance(one, Defined)}
        missing = [name for name in letters.split() if name not in plain]
        if missing:
            raise ValueError(f"letters = {letters!r}: {missing[0]} is not defined here; defined are {', '.join(plain)}")
        return in_words.ranges(plain[name] for name in letters.split()).replace("where", "Here", 1)


def told(
    says: Sequence[Sayable], defines: bool = False, beside: Sequence[Sayable] = (), known: Domain = EVERYWHERE
) -> tuple[list[tuple[str, Sayable]], Common]:
    """Things said together: each with what stands before it, and what is said of all of them.

    What is said ``beside`` them on the page shares that.

    What stands before a formula (assumptions, steps, its own ranges) holds until something else of its kind is said.  Common are the
    ranges and definitions in which no two of the statements differ.  What a definition defines is named, not assumed.  What all of the
    statements assume stands before the definitions that come first.  Of what is ``known`` nothing is said.
    """
    whole: dict[Any, Statement] = {}  # one formula may hold for more than one law of the random index
    law: dict[Any, str] = {}
    for one in (*says, *beside):
        if isinstance(one, Statement):
            key = (one.latex, one.given, one.domain, one.assumes, one.scope)
            whole.setdefault(key, one)
            law[key] = ", or ".join(dict.fromkeys(part for part in (law.get(key), in_words.index(one)) if part))
    shown = {one: tuple(e for e in in_words.entries(one) if e not in known.entries) for one in whole.values()}
    laws = {one: law[key] for key, one in whole.items()}
    alike = len({found for found in laws.values() if found}) <= 1

    def common(entry: Any) -> bool:
        found = {tuple(e for e in one.domain.entries if e.symbol == entry.symbol) for one in shown}
        schedule = () in found and any(in_words.of_schedule(entry.symbol, one.domain) for one in shown)
        return len(found - {()}) == 1 and not schedule  # what one says of a schedule restricts the others

    def own(one: Statement) -> str:
        found = [in_words.ranges(entry for entry in shown[one] if not common(entry)), "" if alike else laws[one]]
        return ", ".join(part for part in found if part)

    rows: list[tuple[str, Sayable]] = []
    assumed = scope = ranges = ""
    shared = {in_words.assumptions(one.assumes) for one in shown}
    if len(shared) == 1 and not defines and not isinstance(says[0], Statement):
        (assumed,) = shared
    for one in says:
        if not isinstance(one, Statement):
            rows.append((f"Assume {assumed}." if assumed and not rows else "", one))
        if one not in shown:
            continue
        needs, steps, where = in_words.assumptions(one.assumes), in_words.setting(one, assumed=False), own(one)
        new = bool(needs) and needs != assumed
        same_run = steps.partition(", ")[0] == scope.partition(", ")[0] and "$K" in scope and not new
        parts = [steps, where]
        if where and steps == scope and not new:  # only the ranges change
            parts = [where]
        elif same_run and steps != scope:  # the other start: what was said of the steps and ranges stands
            parts = [steps.partition(", ")[2], where if where != ranges else ""]
        if defines:  # an assumption about the samples has nothing to do with the start
            parts[0] = parts[0].replace(", with either start", "")
        if defines and new:
            opening = f"{_upper(needs)} {'says that' if needs.startswith('(') else 'if'}"
            parts = [opening, *(part[:1].lower() + part[1:] for part in parts)]
        said = ", ".join(part for part in parts if part)
        changed = new or (steps, where) != (scope, ranges)
        lead = f"{_upper(said) or _unrestricted(one)}:" if changed and (said or scope or ranges) else ""
        lead = f"Assume {needs}. {lead}".strip() if new and not defines else lead
        rows.append((lead, one))
        assumed, scope, ranges = needs or assumed, steps, where
    every = tuple(dict.fromkeys(entry for found in shown.values() for entry in found if common(entry)))
    return rows, Common(every, max(laws.values(), default="") if alike else "", any(map(own, shown)))


def _unrestricted(one: Statement) -> str:
    """What stands before a statement that needs nothing of what was said before it."""
    numbers = isinstance(one.relation.left, Number) and isinstance(one.relation.right, Number)
    return "As a relation between numbers" if numbers else "In any case"


_DIRECTIVE = {
    "lemma": "lemma",
    "theorem": "theorem",
    "definition": "definition",
    "assumption": "assumption",
    "remark": "remark",
}


def statement(
    label: str,
    *things: Any,
    title: str = "",
    kind: str = "",
    equations: Sequence[str] = (),
    words: str = "",
    plain: str = "",
    fold: str = "",
    known: Domain = EVERYWHERE,
    letters: str = "",
    refuted: bool = False,
) -> Html:
    """The statement of a claim, set as a numbered block: the ranges, what is assumed, the formulas; all of it from the formal object.

    Without ``things`` it is the claim ``label``; with them (lines, statements, labels) it is a block of one's own under that name.
    ``equations`` are labels for the formulas that are printed, in order; ranges and definitions that the page has said already are
    ``known``.  With ``plain``, its assumptions in words, these stand above the formulas (which name the start, if the words do not), and
    what the formal object assumes, with all ranges and letters, is folded below them; only the definitions of the ``letters``, such as
    ``"c gamma_1'"``, are shown.  With ``fold`` the block opens under these words.  A printed line that is false is marked as ``refuted``.
    """
    says = _said(list(things) if things else label)
    entry = claim(label) if not things else None
    for one in things:
        if not isinstance(one, (str, Statement, Definition)) and not check(one).passed:
            raise AssertionError(f"{label}: {check(one).detail}")
    called_ = entry.title.replace(": ", ", ", 1) if entry else label
    heading = title or (
        f"{'ours' if entry.own else 'paper'}: {called_}" + (", repaired" if entry.defective else "")
        if entry
        else label.replace("-", " ")
    )
    block = kind or (_DIRECTIVE.get(entry.kind, "proposition") if entry else "proposition")
    words = words or (entry.words if entry else "")
    text: list[str] = []
    about = [claim(one) if isinstance(one, str) else None for one in things or (label,)]
    defines = all(
        one and one.label.startswith("assumption:") and one.kind in ("assumption", "definition") for one in about
    )
    rows, common = told(_once(says), defines, known=known)
    exactly = _exactly(rows, common.before) if plain else ""
    if plain:
        rows = [("" if "z_0" in plain else _start(lead), one) for lead, one in rows]
    first = plain or ("" if defines else common.before)
    myst, html = [first], [f"<p>{tex(first)}</p>" if first else ""]
    for i, (lead, one) in enumerate(rows):
        number = f" ({equations[i]})" if i < len(equations) else ""
        lead = re.sub("^Where ", "With ", lead)  # a sentence of its own
        myst += [lead, f"$$\n{formula(one)}\n$${number}"]
        html += [f"<p>{tex(lead)}</p>" if lead else "", rf"\[{escape(formula(one), quote=False)}\]"]
        text.append(one.latex if isinstance(one, Definition) else one.words)
    end = (
        re.sub("^for all ", "with ", common.after) if defines else common.named(letters)
    )  # a definition asserts nothing
    end = _upper(end)
    myst += [f"{end}."] if end else []
    html += [f"<p>{tex(end)}.</p>"] if end else []
    myst += [words] if words else []
    html += [f"<p>{tex(words)}</p>"] if words else []
    opened = f'<details class="exactly"><summary>{EXACTLY}</summary>'
    myst += [f"{opened}\n\n{exactly}\n\n</details>"] if exactly else []
    html += [f"{opened}<p>{tex(exactly)}</p></details>"] if exactly else []
    body = "\n\n".join(part for part in myst if part)
    mark = "\n:class: refuted" if refuted else ""
    fence = f"````{{prf:{block}}} {heading}\n:label: {label}{mark}\n\n{body}\n````"
    card = f'<div class="admonition"><p class="admonition-title">{tex(heading)}</p>{"".join(html)}</div>'
    fence = f'<details class="claims"><summary>{fold}</summary>\n\n{fence}\n\n</details>' if fold else fence
    return Html(_folded(card, fold), "\n".join([heading, *text, *([words] if words else [])]), fence)


EXACTLY = "In full"
"""Over the folded assumptions of a statement that says them in words."""
_STARTS = re.compile(
    r"(?:[Ff]or every [^,:]*, )?([Ww]ith (?:the (?:printed )?start )?\$z_0=[^$]*\$|[Ww]ith either start)"
)


def _start(lead: str) -> str:
    """What stands before a formula about a run, cut down to the start of the method."""
    found = _STARTS.search(lead) if "$K" in lead or lead.startswith("With") else None
    return f"{_upper(found[1])}:" if found else ""


def _exactly(rows: Sequence[tuple[str, Sayable]], first: str) -> str:
    """What is said around the formulas, without the formulas."""
    leads = [(i, lead.rstrip(":")) for i, (lead, _) in enumerate(rows, 1) if lead]
    named = [f"From formula {i} on: {lead}" if len(leads) > 1 else lead for i, lead in leads]
    return " ".join(closed(part) for part in (first, *named) if part)


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


_LINK = re.compile(r"\[(.*)\]\((.*)\)")


def _source(source: Any, scope: Scope) -> tuple[str, str]:
    """What a term of a line with this scope adds up, as a formula, and why it holds."""
    if isinstance(source, Fact):
        relation = source.unfolded.relation
        return latex.relation(relation, scope=scope), _REASON.get(source.kind, source.kind.replace("_", " "))
    says = source.statement
    return latex.relation(says.relation, says.given, says.scope), source.name or _because(source)


def _because(line: Any) -> str:
    """Why a line without a name holds: the entry of the ledger that says it, or the facts that it rests on."""
    label = home().get(line.statement.fingerprint)
    if label:
        return f"[{claim(label).title}](ledger.html#{label})"
    found = [one for one in dict.fromkeys(_reasons(line)) if one not in ("a square", _REASON["number"])]
    return "; ".join(found or ["a square"]) if len(found) < 5 else "an earlier line, proved in the same way"


def _reasons(line: Any) -> Iterator[str]:
    """Why the facts hold on which a line rests, and the names of the lines among them."""
    for term in getattr(line, "terms", ()):
        if isinstance(term.source, Fact):
            yield _REASON.get(term.source.kind, term.source.kind.replace("_", " "))
        elif term.source.name:
            yield term.source.name
        else:
            yield from _reasons(term.source)


def _displayed(text: str) -> str:
    """A formula of a table by itself, in rows where it is too wide: its fractions are large, and a narrow screen can break it."""
    return rf"\[{escape(latex.broken(text, WIDE), quote=False)}\]"


_GRADIENTS = {SMOOTH, SMOOTH_EVERYWHERE, A3, BOUNDED_GRADIENT}
"""Assumptions on a function that has a gradient: then its subgradient is printed as the gradient."""


def certificate(line: Any, caption: str = "", *, whole: bool = False, fold: str = "", stated: bool = False) -> Html:
    """A line, checked now, as a table: what is added up, with which multiplier, and why it holds.

    ``whole`` puts earlier lines in; with ``fold`` the table opens under these words.  What is ``stated`` right above is not said again.
    """
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
        linked = _LINK.sub(lambda one: f'<a href="{one[2]}">{tex(one[1])}</a>', why) if "](" in why else tex(why)
        lines.append(
            f"<tr><td>{_displayed(text)}<small>{linked}</small></td><td>{_displayed(times.strip('$'))}</td></tr>"
        )
    says = line.statement
    scope, where = in_words.setting(says, assumed=False), in_words.where(says)
    where += "." if where else ""
    head = tex(" ".join(part for part in (caption, f"{scope}:" if scope else "") if part))
    head += (
        rf"\[{escape(latex.display(says.relation, says.given, scope=says.scope), quote=False)}\]{tex(_upper(where))}"
    )
    head = tex(caption) if stated else head
    above = f"<caption>{head}</caption>" if head else ""
    html = (
        f'<table class="table certificate">{above}<thead><tr><th>Add up</th><th>times</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
    return Html(_folded(html, fold), "\n".join([says.words, table(rows, ("Add up", "times", "because")).text]))


# --- cards


def printed(entry: Claim) -> list[str]:
    """What the paper prints, as paragraphs: the formal statements, then the words; words alone where the statements are a reading."""
    found = [] if entry.reading else [_whole(one) for one in entry.printed]
    return [*found, *([closed(entry.printed_words)] if entry.printed_words else [])]


def read_as(entry: Claim) -> list[str]:
    """How words of the paper are read, as paragraphs; nothing where the paper has a formula."""
    return [f"{entry.reading}: {_whole(one)}" for one in entry.printed] if entry.reading else []


def _whole(one: Sayable) -> str:
    return one.words if isinstance(one, Statement) else f"${one.latex}$."


def right(entry: Claim) -> list[str]:
    """What is true, as paragraphs: the formal statements, then the words."""
    found = [_whole(one) for one in _said(entry.label)]
    return [*found, *([entry.words] if entry.words else []), *([entry.repair] if entry.repair else [])]


def said(entry: Claim) -> list[Sayable]:
    """The formal statements of a claim, each once."""
    return _once(_said(entry.label))


def sentence(says: Sequence[Any], beside: Sequence[Any] = ()) -> str:
    """Things said together in one paragraph, what they share once, and not here if something ``beside`` them shares it."""
    rows, common = told(_once(says), beside=beside)
    end = "" if beside else common.after
    text = ""
    for i, (lead, one) in enumerate(rows):
        text += (" " if text else "") + (f"{lead} " if lead else "") + f"${one.latex}$"
        last = i + 1 == len(rows)
        text += f", {end}." if last and end else "." if last or rows[i + 1][0] else ";"
    return text


def closed(words: str) -> str:
    """Words as a sentence of their own."""
    words = words if words[:1] in "$`" else _upper(words)
    return words if not words or words[-1] in ".!?)" else f"{words}."


def paragraphs(entry: Claim) -> list[tuple[str, str]]:
    """All texts of a claim, each with its heading, each heading once."""
    says = sentence(_said(entry.label))
    rows = [("Right" if entry.defective else "Claim", says or entry.words)]
    if entry.defective:
        formulas, words = sentence(entry.printed), closed(entry.printed_words)
        first = [("Printed", " ".join(part for part in (formulas, words) if part))]
        if entry.reading:
            first = [("Printed", words), ("Read as", f"{entry.reading}: {formulas}")]
        rows = [*first, *rows, ("Repair", closed(entry.repair))]
    rows += [("Note", entry.words if says else ""), ("Consequence", entry.consequence)]
    return [(name, text) for name, text in rows if text]


def _merged(rows: Sequence[tuple[str, str]], show: Any) -> str:
    return "".join(f"<p><strong>{name}.</strong> {show(text)}</p>" for name, text in rows)


def in_coq(entry: Claim) -> str:
    """The theorems of Coq about a claim, folded, each statement as Coq has it."""
    found = checked.statements(entry)
    if not found:
        return ""
    names = ", ".join(f"<code>{name}</code>" for name, _ in found[:3]) + (", …" if len(found) > 3 else "")
    text = escape("\n\n".join(text for _, text in found), quote=False)
    return f'<details class="coq tex2jax_ignore mathjax_ignore"><summary>In Coq: {names}</summary><pre>{text}</pre></details>'


def entry(label: str, *, stated: bool = False, fold: str = "") -> Html:
    """The card of one claim of the ledger: verdict on the printed line, repair, consequence, and its evidence, run now.

    What is right, and the words about it (but for those about a proof), are left out if they are ``stated`` on the page above.
    Under a title to ``fold`` it is closed at first.
    """
    one = claim(label)
    (result,) = verify.run([one])
    failed = [found for found in result.found if not found.passed]
    if failed:
        raise AssertionError(f"{label}: {failed[0].kind} check failed: {failed[0].detail}")
    above = {"Right", "Note"} - ({"Note"} if one.kind == "proof" else set()) if stated else set()
    rows = [(name, text) for name, text in paragraphs(one) if name not in above]
    broken = list(dict.fromkeys(f"{found.detail}." for found in result.found if found.kind == "counterexample"))
    what = "; ".join(f"{called(found.kind)}: {found.what}" for found in result.found)
    html = _merged(rows, lambda text: tex(text, IN_CARD))
    shown, further = (
        "".join(f"<p><strong>{name}.</strong> {maths(text)}</p>" for text in some)
        for name, some in (("Counterexample", broken[:1]), ("Another counterexample", broken[1:]))
    )
    html += shown + _evidence(result.found, in_coq(one), further)
    title = f"{one.title}: {tag(one.verdict)} ({MEANS[one.verdict]})"
    meant = f'<a href="ledger.html#ledger-verdicts" title="all verdicts">{MEANS[one.verdict]}</a>'
    head = f"{tex(one.title)} {badge(one.verdict)} <small>{meant}</small>"
    where = f'<p><small><a href="ledger.html#{label}">Ledger entry</a></small></p>'
    card = (
        f'<div class="admonition entry-card {one.as_printed}"><p class="admonition-title">{head}</p>{html}{where}</div>'
    )
    lines = [*rows, *(("Counterexample", text) for text in broken), *([("Evidence", what)] if what else [])]
    return Html(_folded(card, fold), "\n".join([title, *(f"{name}. {text}" for name, text in lines)]))


def _evidence(found: Sequence[Any], coq: str, further: str) -> str:
    """What was checked, folded: counterexamples after the first, then the kinds of evidence, strongest first, Coq with its theorems."""
    kinds = [(kind, [one.what for one in found if one.kind == kind]) for kind in EVIDENCE]
    rows = [
        f"<li><em>{_upper(called(kind))}:</em> {maths('; '.join(what))}.{coq if kind == 'kernel' else ''}</li>"
        for kind, what in kinds
        if what
    ]
    if not rows:
        return further
    names = ", ".join(called(kind) for kind, what in kinds if what)
    return _folded(f'{further}<ul class="evidence">{"".join(rows)}</ul>', f"Evidence: {names}")


def erratum(label: str, *, stated: bool = False, fold: str = "") -> Html:
    """The card of a claim whose printed line needs a repair; a line that is right as printed is refused."""
    if not claim(label).defective:
        raise ValueError(f"{label} is right as printed; show it with entry()")
    return entry(label, stated=stated, fold=fold)


def _kinds(one: Claim) -> str:
    return ", ".join(called(kind) for kind in EVIDENCE if kind in {part.kind for part in one.checks})


def section_of(section: str) -> str:
    """Where in the paper a claim stands, in short; a section without a number or letter keeps its name."""
    first, _, _ = section.partition(" ")
    return f"Section {first}" if first.isdigit() else f"Appendix {first}" if len(first) == 1 else section


def of_chapter(chapter: str) -> Html:
    """All claims of the paper that a chapter treats, folded: place, claim, verdict on the line as printed, kinds of evidence."""
    found = [one for one in claims() if one.chapter == chapter]
    lines = "".join(
        f'<tr><td>{section_of(one.section)}</td><td><a href="ledger.html#{one.label}">{tex(one.title)}</a></td>'
        f"<td>{badge(one.verdict)}</td><td>{_kinds(one) or 'none possible'}</td></tr>"
        for one in found
    )
    head = "".join(f"<th>{name}</th>" for name in ("Place", "Claim", "Verdict", "Evidence"))
    shown = f'<table class="table claims"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    html = f'<details class="claims"><summary>{len(found)} claims, with verdict and evidence</summary>{shown}</details>'
    return Html(html, "\n".join(f"{one.label}: {one.title}: {one.as_printed}; {_kinds(one)}" for one in found))


def foundations(label: str) -> Html:
    """What a result rests on and does not prove, each with its meaning."""
    found = verify.foundations(claim(label))
    return table([(one.kind, one.name, one.meaning) for one in found], ("Kind", "Foundation", "What it says"))
