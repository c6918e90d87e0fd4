r"""What the kernel of Coq has checked, on a page: its statements beside those of the paper, and which part of the paper is covered."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from shbcore.claims import checked
from shbcore.claims.registry import EVIDENCE, MEANS, Claim, claims, tag
from shbcore.claims.verify import foundations
from shbcore.pages import screens
from shbcore.pages.cards import Html, badge, called, formula, tex
from shbcore.pages.style import ACCENT, ENVELOPE, INK, NEUTRAL, PAPER, SGD, SHB, WRONG
from shbcore.proof import in_words
from shbcore.proof.foundations import ROBBINS_SIEGMUND

LEVELS = ("by hand", "line by line", "none")
"""How a claim stands: a theorem of Coq from the definitions, its lines exported one by one, or nothing in Coq."""


def level(entry: Claim) -> str:
    """How a claim stands in Coq, at its best: a theorem by hand counts if it is what the claim says, or refutes what is printed."""
    says = set(checked.record()["claims"].get(entry.label, {}).get("statements", ()))
    if any(one.refutes or says & set(one.same or ()) for one in checked.written(entry.label)):
        return LEVELS[0]
    return LEVELS[1] if checked.evidence(entry) else LEVELS[2]


def source(*names: str, whole: bool = True) -> Html:
    """Theorems or definitions by name, as Coq has them."""
    text = "\n\n".join(_text(name, whole) for name in names)
    return Html(_code(_broken(text)), text)


def folded(title: str, *names: str) -> Html:
    """The same, long, under a title that opens it."""
    shown = source(*names)
    return Html(f"<details class=claims><summary>{tex(title)}</summary>{shown.html}</details>", shown.text)


def definitions(rows: Sequence[tuple[str, str]]) -> Html:
    """Definitions of Coq by name (one or more in a row), each whole, below what they say in the paper."""
    texts = ["\n".join(_text(name).strip() for name in names.split()) for names, _ in rows]
    html = "".join(
        f'<p style="margin:1.1rem 0 .3rem">{tex(says)}</p>{_code(_broken(text))}'
        for (_, says), text in zip(rows, texts, strict=True)
    )
    return Html(html, "\n".join(f"{says}: {text}" for (_, says), text in zip(rows, texts, strict=True)))


def listed(rows: Sequence[tuple[str, str]]) -> Html:
    """Claims with the names of their theorems in Coq."""
    body = "".join(f"<li>{tex(title)}: <code>{escape(name)}</code></li>" for title, name in rows)
    return Html(f"<ul>{body}</ul>", "\n".join(f"{title}: {name}" for title, name in rows))


def _code(text: str) -> str:
    return f'<pre class="coq tex2jax_ignore mathjax_ignore">{escape(text, quote=False)}</pre>'


def _broken(text: str, width: int = 48) -> str:
    """The same text for a narrow screen: a long line is broken where the fewest brackets are open, best after an arrow or an *and*."""
    rows = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        while len(line) > width and (found := _spaces(line, width)):
            at = min(found)[-1]
            rows.append(line[:at])
            line = indent + line[at + 1 :]
        rows.append(line)
    return "\n".join(rows)


def _spaces(line: str, width: int) -> list[tuple[int, int, int, int]]:
    """Where a line may be broken: how many brackets are open, how badly a reader takes it, then the farthest to the right."""
    found, depth, first = [], 0, len(line) - len(line.lstrip()) + 12
    for at, sign in enumerate(line[: width + 1]):
        if sign in "([{" or line.startswith(("|| ", "<< "), at):
            depth += 1
        elif sign in ")]}" or (line.startswith(("||^", ">>"), at) and line[at - 1] == " "):
            depth -= 1
        elif sign == " " and at > first and not line.startswith(("||^", ">>", ":="), at + 1):
            before, named = line[:at], line[:at].endswith(":=") and " let " not in line[:at]
            if before.endswith(("||", "<<", "#", "~", "<=", "=", "/", "*", "+", "-")) and not named:
                continue
            good = (
                before.endswith(("->", "/\\", ",")) or line.startswith("let ", at + 1),
                named,
                line.startswith(("<= ", "== ", "= ", "+ ", "- "), at + 1),
                line.startswith(("* ", "/ "), at + 1),
                True,
            )
            found.append((depth, good.index(True), -at, at))
    return found


def _text(name: str, whole: bool = True) -> str:
    try:
        return checked.definition(name)
    except KeyError:
        return checked.statement(name, whole=whole)


def beside(names: Sequence[str], rows: Sequence[tuple[str, str]], caption: str = "") -> Html:
    """Coq's lines beside what they say in the paper; each line has to stand in one of the texts with these names."""
    whole = " ".join(" ".join(_text(name).split()) for name in names)
    for line, _ in rows:
        if " ".join(line.split()) not in whole:
            raise AssertionError(f"Coq has no line {line!r} in {', '.join(names)}")
    body = "".join(f"<tr><td>{_code(_broken(line, 44))}</td><td>{tex(says)}</td></tr>" for line, says in rows)
    title = f"<caption>{tex(caption)}</caption>" if caption else ""
    head = "<thead><tr><th>In Coq</th><th>In the paper</th></tr></thead>"
    html = f'<table class="table beside">{title}{head}<tbody>{body}</tbody></table>'
    return Html(html, "\n".join(f"{line}  |  {says}" for line, says in rows))


def sections() -> dict[str, list[Claim]]:
    """The claims by section of the paper, in its order; what the paper does not have comes last."""
    found: dict[str, list[Claim]] = {}
    for one in claims():
        found.setdefault("beyond the paper" if one.own else one.section, []).append(one)
    return found


def coverage(ax: Axes) -> None:
    """One bar a section: how many of its claims are proved in Coq from the definitions, how many line by line, how many not."""
    found = sections()
    colours = dict(zip(LEVELS, (SHB.color, ENVELOPE.color, "#d5d9de"), strict=True))
    for row, entries in enumerate(found.values()):
        count, left = Counter(level(one) for one in entries), 0
        for name in LEVELS:
            ax.barh(row, count[name], left=left, color=colours[name], height=0.72)
            if count[name] > 1:
                ink = "#ffffff" if name != LEVELS[2] else "#222222"
                ax.text(
                    left + count[name] / 2, row, str(count[name]), ha="center", va="center", color=ink, fontsize=9.5
                )
            left += count[name]
    ax.set_yticks(range(len(found)), list(found))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.spines["left"].set_color(NEUTRAL.color)
    named = dict(zip(LEVELS, ("from the definitions", "line by line", "no theorem in Coq"), strict=True))
    handles = [Patch(color=colours[name], label=text) for name, text in named.items()]
    ax.legend(handles=handles, loc="center right", bbox_to_anchor=(1.0, 0.46), fontsize=9.5)
    screens.rows(ax, 0.36)
    screens.phone(ax.figure, lambda: ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.03, 1.0)))


REPAIRED, REFUTED = "Coq: the repair", "Coq: the repair, and that the line is false"
"""What a proof in Coq is worth for a line that is not right as printed."""


def refuted(entry: Claim) -> bool:
    """Whether Coq has a theorem that the printed line is false."""
    return any(one.refutes for one in checked.written(entry.label))


def strongest(entry: Claim) -> str:
    """The strongest evidence of a claim; if it is from Coq and the line is not right, what of it Coq has proved."""
    kind = next((kind for kind in EVIDENCE if kind in {one.kind for one in entry.checks}), "none")
    if kind != "kernel" or entry.as_printed in ("true", "open"):
        return called(kind)
    return REFUTED if refuted(entry) else REPAIRED


def verdicts(ax: Axes) -> None:
    """One bar a verdict: the claims of the paper by their strongest evidence."""
    count: Counter[tuple[str, str]] = Counter((one.as_printed, strongest(one)) for one in claims() if not one.own)
    lined = {"facecolor": PAPER, "edgecolor": SHB.color, "linewidth": 0.8}
    looks: dict[str, dict[str, Any]] = {"Coq": {"facecolor": SHB.color}}
    looks |= {REPAIRED: {**lined, "hatch": "////"}, REFUTED: {**lined, "hatch": "xxxxxx"}}
    roles = {"certificate": ENVELOPE, "exact": ACCENT, "counterexample": WRONG, "interval": NEUTRAL, "numeric": SGD}
    looks |= {kind: {"facecolor": role.color} for kind, role in roles.items()}
    looks["none"] = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 0.8}
    words, left = [word for word in MEANS if word != "proved"], Counter[str]()
    for kind, look in looks.items():
        for row, word in enumerate(words):
            if number := count[word, kind]:
                ax.barh(row, number, left=left[word], **look)
                left[word] += number
    ax.set_yticks(range(len(words)), [tag(word) for word in words])
    ax.invert_yaxis()
    ax.set_xlim(0, 1.05 * max(left.values()))
    ax.grid(axis="y", visible=False)
    used = [kind for kind in looks if any(count[word, kind] for word in words)]
    handles = [Patch(label=kind, **looks[kind]) for kind in used]
    ax.legend(handles=handles, loc="lower right", fontsize=9.5)
    screens.phone(ax.figure, lambda: ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.2, 1.0)))


def behind_the_rest() -> Html:
    """What stands behind a line of the paper that is not right: a proof of what is right, and what shows that the printed line is not."""
    found = [one for one in claims() if not one.own and one.as_printed not in ("true", "open")]
    kinds = {one.label: {check.kind for check in one.checks} for one in found}
    broken = [one for one in found if "counterexample" in kinds[one.label]]
    both = [one for one in found if refuted(one)]
    if {one for one in found if one.as_printed == "false"} - set(broken) or set(both) - set(broken):
        raise AssertionError("a line that is called false has no counterexample")
    proofs = sum("kernel" in of for of in kinds.values())
    text = (
        f"{len(found)} claims are not right as printed. For {proofs} of them Coq has checked a proof of what is right in their place; "
        "for a definition, of something that follows from it. That a printed line fails is not shown by such a proof. It is shown by a "
        f"counterexample in exact numbers, computed in Python, to the line or to what it would imply; {len(broken)} claims have one, and "
        f"every false line is among them. {len(both)} printed lines are refuted in Coq too."
    )
    return Html(f"<p>{text.replace('false line', badge('false') + ' line')}</p>", text)


def behind_own() -> Html:
    """On what the results rest that the paper does not have."""
    found = [one for one in claims() if one.own]
    weak = [one for one in found if strongest(one) != "Coq"]
    exact = [one for one in weak if strongest(one) == "exact"]
    rest = [one for one in weak if strongest(one) == "certificate"]
    cited = [one for one in rest if ROBBINS_SIEGMUND in foundations(one)]
    if len(exact) + len(rest) != len(weak):
        raise AssertionError("a result of the book rests on less than a certificate or exact numbers")
    text = (
        f"Of the {len(found)} results beyond the paper {len(found) - len(weak)} have a theorem in Coq, by hand or line by line. "
        f"{len(exact)} say how large constants must be, and concrete problems in exact numbers prove that. {len(rest)} have certificates "
        f"and nothing in Coq; {len(cited)} of these, on convergence on almost every path, also use the theorem of Robbins and Siegmund, "
        "which is cited."
    )
    return Html(f"<p>{text}</p>", text)


def results() -> Html:
    """The lemmas and theorems of the paper with their names in Coq; each opens to its statements, once, and to the theorems of Coq."""
    html, text = "", []
    shown: set[str] = set()
    for entry in claims():
        by_hand = [one for one in checked.written(entry.label) if not (one.refutes or one.inhabits)]
        fresh = [says for says in entry.statements if says.fingerprint not in shown]
        if entry.own or entry.kind not in ("lemma", "theorem") or not fresh or _part(entry):
            continue
        inner, names = "", []
        for says in fresh:
            shown.add(says.fingerprint)
            exact = [one.name for one in by_hand if says.fingerprint in (one.same or ())]
            names += exact or ["line by line"]
            inner += rf"<div class=coq-result>\[{escape(formula(says), quote=False)}\]"
            steps = in_words.setting(says, assumed=False)
            inner += f"<p><small>{tex(steps)}</small></p>" if steps else ""
            inner += f"{source(*exact).html if exact else '<p><small>In Coq: line by line</small></p>'}</div>"
            text.append(f"{entry.title} | {says.latex} | {steps} | {', '.join(exact) or 'line by line'}")
        called = ", ".join(name if " " in name else f"<code>{name}</code>" for name in dict.fromkeys(names))
        link = f'<p><small><a href="ledger.html#{escape(entry.label)}">Its entry in the ledger</a></small></p>'
        html += f"<details class=coq-results><summary><b>{tex(entry.title)}.</b> In Coq: {called}</summary>{link}{inner}</details>"
    return Html(html, "\n".join(text))


def _part(entry: Claim) -> bool:
    """Whether a claim is a piece of a lemma or theorem that stands here whole."""
    return "/" in entry.label.removeprefix("lem:weak:convexity/")


LARGE = "its normal form is so large that its export alone takes a minute; not compiled"
"""A reason of the record, in the words of the export."""


def without() -> Html:
    """The claims that have nothing in Coq, by reason, folded; of two reasons the first one counts, and the second stands at the claim."""
    reasons: dict[str, list[tuple[Claim, str]]] = {}
    for one in claims():
        if reason := checked.why_not(one):
            first = reason.removesuffix(f"; {LARGE}")
            note = "" if first == reason else ", which also rests on an identity too large to compile"
            reasons.setdefault(first.replace(LARGE, "an identity too large to compile"), []).append((one, note))
    html, text = "", []
    for reason, entries in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        rows = "".join(f"<li>{tex(one.title)} (<code>{escape(one.label)}</code>){note}</li>" for one, note in entries)
        count = f"{len(entries)} claims" if len(entries) > 1 else f"1 claim, “{entries[0][0].title}”"
        said = f"{count}: {reason}"
        html += f"<details><summary>{tex(said)}</summary><ul>{rows}</ul></details>"
        text.append(said)
    return Html(html, "\n".join(text))


THEOREM_1 = (
    (
        "X : V -> Prop",
        r"the set $\mathcal{X}$, as the random vectors with values in it; `V` is the type of square-integrable random vectors",
    ),
    ("f Env : V -> M", r"$f$ and its envelope $F_\lambda$; `M` is the type of integrable random variables"),
    ("x z g f' : nat -> V", r"the sequences $x_k$, $z_k$, the samples $g_k$, and $f'(x_k)$"),
    ("K : nat", r"the last index, any natural number"),
    ("Let N := sqrt (INR (K + 1)).", r"$\sqrt{K+1}$; `INR` makes a real number of a natural one"),
    ("let alpha := alpha_0 / N in", r"the stepsize $\alpha=\alpha_0/\sqrt{K+1}$"),
    ("let nu := / alpha_0 in let beta := nu * alpha in", r"$\nu=1/\alpha_0$ and $\beta=\nu\alpha$; `/ a` is $1/a$"),
    ("nonsmooth_run alpha nu beta ->", r"if all that is below is assumed, with the start $z_0=\beta g_0$, then"),
    ("uniform K (fun k =>", r"the expectation at $k^*$, drawn uniformly from $0,\dots,K$,"),
    ("|| env_gradient lam prox (bar beta x k) ||^2", r"of $\|\nabla F_\lambda(\bar x_{k})\|^2$"),
    (
        "<= # (2 * (gamma_1 lam beta nu * (f_0 - f_star)",
        r"is at most $2(\gamma_1(f(x_0)-f^\star)$; `# c` is the number $c$ as a random variable",
    ),
    (
        "+ gamma rho lam beta nu * L2 * alpha_0 ^ 2 / (2 * lam)) / (alpha_0 * N)",
        r"$+\gamma L^2\alpha_0^2/(2\lambda))/(\alpha_0\sqrt{K+1})$",
    ),
)
"""Theorem 1 in Coq, piece by piece, beside the paper's words."""
ASSUMED = (
    (
        "ranges : 0 <= rho /\\ 0 <= L2 /\\ 0 < alpha_0 /\\ 0 < lam /\\ 2 * rho <= / lam;",
        r"the ranges of the parameters, with $\lambda^{-1}\ge2\rho$",
    ),
    ("set_convex : convex_set X;", r"$\mathcal{X}$ is convex"),
    (
        "function_weakly_convex : weakly_convex X rho f;",
        r"$f$ is $\rho$-weakly convex; it is enough to ask for it on $\mathcal{X}$",
    ),
    (
        "envelope : moreau X f lam Env prox;",
        r"`Env` is the Moreau envelope of $f$ on $\mathcal{X}$, `prox` its proximal map",
    ),
    (
        "run : heavy_ball X alpha (nu * alpha) start x z g;",
        r"the sequences are a run of the method; at its start $z_0$ is `start` times $g_0$",
    ),
    ("oracle_mean : A1 X f x g f';", "(A1)"),
    ("oracle_moment : A2 L2 g;", "(A2)"),
    ("start_value : (f (x O) == # f_0)%m;", r"$f(x_0)$ is the number $f_0$"),
    ("bounded_below : forall u, X u -> (# f_star <= f u)%m", r"$f^\star$ is below $f$ on $\mathcal{X}$"),
)
"""What Theorem 1 assumes."""
DEFINED = (
    (
        "convex_set",
        r"A convex set: with two points every point between them lies in $\mathcal{X}$. The points are random vectors, the weight `w` "
        "is a number.",
    ),
    ("convex weakly_convex", r"Weak convexity: $f+\frac\rho2\|\cdot\|^2$ is convex on $\mathcal{X}$."),
    (
        "is_projection",
        r"The projection $q=\Pi_{\mathcal{X}}(y)$: it lies in $\mathcal{X}$, and no point of $\mathcal{X}$ is nearer to $y$.",
    ),
    (
        "moreau env_gradient",
        r"The envelope: the proximal point $\hat y$ of $y$ lies in $\mathcal{X}$; $F_\lambda(y)\le f(u)+\frac1{2\lambda}\|u-y\|^2$ for "
        r"every $u\in\mathcal{X}$, with equality at $\hat y$; a field that knows $y$ knows $\hat y$. "
        r"Then $\nabla F_\lambda(y)=\frac1\lambda(y-\hat y)$.",
    ),
    (
        "before prev d heavy_ball",
        r"The method, from a point of $\mathcal{X}$ and with $z_0$ equal to `start` times $g_0$; as printed `start` is 1. Here `before k` "
        r"is $\mathcal{F}_{k-1}$, `prev x k` is $x_{k-1}$ (and $x_0$ for $k=0$), `S k` is $k+1$.",
    ),
    ("p bar", r"The extrapolated point $\bar x_k=x_k+p_k$ with $p_k=\frac{1-\beta}\beta(x_k-x_{k-1})$."),
    (
        "mean_given subgradient A1",
        r"(A1): $\mathbb{E}[g_k\mid\mathcal{F}_{k-1}]=f'(x_k)$, a subgradient of $f$ at $x_k$, towards points of $\mathcal{X}$. The mean "
        r"is said by inner products with vectors $v$ that $\mathcal{F}_{k-1}$ knows.",
    ),
    ("A2", r"(A2), along the run: $\mathbb{E}[\|g_k\|^2\mid\mathcal{F}_{k-1}]\le L^2$."),
    ("uniform", r"The uniform index: $\frac1{K+1}\sum_{k=0}^{K}\mathbb{E}[Y_k]$; `msum` is the sum."),
    ("xi gamma gamma_1", r"The constants $\xi$, $\gamma$ (repaired) and $\gamma_1$."),
)
"""The definitions under that."""
SETTING = (
    (
        "Inductive fld := Trivial | At (j : Z) | All.",
        r"the fields: one that knows nothing, $\mathcal{F}_j$, one that knows everything",
    ),
    ("Definition fle (i j : fld) : bool :=", "whether the field $i$ knows no more than $j$"),
    (
        "on : event -> M -> R;",
        r"`on A X` is $\mathbb{E}[X\,1_A]$; $X\le Y$ means `on A X <= on A Y` for every event $A$",
    ),
    ("E : fld -> M -> M;", "the expectation given a field"),
    ("known : fld -> V -> Prop;", "whether a vector is measurable at a field"),
)
"""The letters of the class under all of it."""
