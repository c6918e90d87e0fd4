r"""What the kernel of Coq has checked, on a page: its statements beside those of the paper, and which part of the paper is covered."""

from collections import Counter
from collections.abc import Sequence
from html import escape

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from shbcore.claims import checked
from shbcore.claims.registry import Claim, claims
from shbcore.pages import screens
from shbcore.pages.cards import Html, formula, tex
from shbcore.pages.style import ENVELOPE, NEUTRAL, SHB
from shbcore.proof import latex

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
    return Html(f'<pre class="coq tex2jax_ignore mathjax_ignore">{escape(text, quote=False)}</pre>', text)


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
    body = "".join(
        f'<tr><td><pre class="coq tex2jax_ignore mathjax_ignore">{escape(line, quote=False)}</pre></td><td>{tex(says)}</td></tr>'
        for line, says in rows
    )
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
            if count[name] > 2:
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
            steps = latex.setting(says, assumed=False)
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


def without() -> Html:
    """The claims that have nothing in Coq, by reason, folded."""
    reasons: dict[str, list[Claim]] = {}
    for one in claims():
        if reason := checked.why_not(one):
            reasons.setdefault(reason, []).append(one)
    html, text = "", []
    for reason, entries in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        rows = "".join(f"<li>{tex(one.title)} (<code>{escape(one.label)}</code>)</li>" for one in entries)
        html += f"<details><summary>{len(entries)}: {tex(reason)}</summary><ul>{rows}</ul></details>"
        text.append(f"{len(entries)}: {reason}")
    return Html(html, "\n".join(text))


THEOREM_1 = (
    ("X : V -> Prop", r"the set $\mathcal{X}$; `V` is the type of square-integrable random vectors"),
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
    ("X u -> X v -> X (w * u + (1 - w) * v)%v", r"with two points every point between them lies in $\mathcal{X}$"),
    (
        "Definition weakly_convex X rho f := convex X (fun u => (f u + (rho / 2) * || u ||^2)%m).",
        r"$f+\frac\rho2\|\cdot\|^2$ is convex on $\mathcal{X}$",
    ),
    (
        "X q /\\ forall u, X u -> (|| q - y ||^2 <= || u - y ||^2)%m",
        r"$q=\Pi_{\mathcal{X}}(y)$: it lies in $\mathcal{X}$, and no other point of it is nearer to $y$",
    ),
    (
        "(Env y <= f u + (1 / (2 * lam)) * || u - y ||^2)%m",
        r"$F_\lambda(y)\le f(u)+\frac1{2\lambda}\|u-y\|^2$ for every $u\in\mathcal{X}$,",
    ),
    ("(Env y == f (prox y) + (1 / (2 * lam)) * || prox y - y ||^2)%m", "with equality at the proximal point"),
    (
        "x_step : forall k, is_projection X (x k - alpha * z k)%v (x (S k));",
        r"$x_{k+1}=\Pi_{\mathcal{X}}(x_k-\alpha z_k)$",
    ),
    (
        "z_step : forall k, z (S k) = (beta * g (S k) + (1 - beta) * d alpha x (S k))%v;",
        r"$z_{k+1}=\beta g_{k+1}+(1-\beta)d_{k+1}$, with $d_{k+1}=(x_k-x_{k+1})/\alpha$",
    ),
    ("z_start : z O = (start * g O)%v;", r"$z_0$ is `start` times $g_0$; as printed `start` is 1"),
    ("x_known : forall k, known (before k) (x k)", r"$x_k$ is $\mathcal{F}_{k-1}$-measurable"),
    (
        "mean_given (before k) (g k) (f' k) /\\ subgradient X f (x k) (f' k)",
        r"(A1): $\mathbb{E}[g_k\mid\mathcal{F}_{k-1}]=f'(x_k)$, a subgradient of $f$ at $x_k$, towards points of $\mathcal{X}$",
    ),
    (
        "(E[ || g k ||^2 | before k ] <= # L2)%m",
        r"(A2): $\mathbb{E}[\|g_k\|^2\mid\mathcal{F}_{k-1}]\le L^2$",
    ),
    (
        "((/ INR (K + 1)) * msum (K + 1) (fun k => E[ Y k ]))%m",
        r"the uniform index: $\frac1{K+1}\sum_{k=0}^{K}\mathbb{E}[Y_k]$",
    ),
)
"""The definitions under that."""
