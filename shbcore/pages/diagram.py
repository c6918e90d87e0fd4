r"""A layered drawing of who uses whom, as an SVG whose nodes are links: no layout tool, and readable without a script.

Results stand in layers by longest path with a bounded number of nodes a layer, order within a layer by barycentres, long edges through
slim placeholders (Sugiyama's scheme in its smallest form); definitions and assumptions stand in a block below them.  Lines are drawn
between results only, so that none runs through a box; what a result uses of the block lights up with it (``map.js``), and stands in the
list below the drawing.  Colours come from the page, so the drawing follows light and dark.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from shbcore.claims import graph, numbers
from shbcore.claims.registry import Claim, tag
from shbcore.pages.cards import Html

NODE, GAP, LINE, BETWEEN, SLIM = 172, 14, 14, 38, 3
"""Pixels: width of a node, gap between nodes, height of a line of text, space between layers, width of a placeholder."""
LETTERS = 25
"""How many letters fit into a line of a node."""
GROUND = ("assumption", "definition")
_SIGNS = dict(
    zip(("alpha", "beta", "gamma", "lambda", "rho", "nu", "xi", "varphi", "Delta", "delta"), "αβγλρνξφΔδ", strict=True)
)
_SIGNS |= {
    "le": "≤",
    "ge": "≥",
    "|": "‖",
    "prime": "′",
    "sqrt": "√",
    "langle": "⟨",
    "rangle": "⟩",
    "frac12": "½",
    "mathbb": "",
}
_SIGNS |= {"mathrm": "", "mathcal": "", "bar": "\u0304", "hat": "\u0302", "star": "⋆", "sigma": "σ", "nabla": "∇"}
_LOW = str.maketrans("0123456789+-=kin", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₖᵢₙ")
_HIGH = str.maketrans("0123456789+-*n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻*ⁿ")


def plain(text: str) -> str:
    r"""A title without TeX, for places where no formula is set: ``$\|z_k\|^2$`` becomes ‖zₖ‖²."""

    def formula(found: re.Match[str]) -> str:
        tex = re.sub(r"\\(bar|hat) ?(\w)", lambda m: m[2] + _SIGNS[m[1]], found[1])
        tex = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/(\2)", tex)
        tex = re.sub(r"\\math(?:cal|bb) ?\{?(\w)\}?", r"\1", tex)
        tex = re.sub(r"\\(frac12|[a-zA-Z]+|\|) ?", lambda m: _SIGNS.get(m[1], m[1]), tex)
        tex = re.sub(r"_(\w|\{[^}]*\})", lambda m: m[1].strip("{}").translate(_LOW), tex)
        tex = re.sub(r"\^(\w|′|⋆|\*|\{[^}]*\})", lambda m: m[1].strip("{}").translate(_HIGH), tex)
        return re.sub(r"[{}\\]", "", tex)

    return re.sub(r"\$([^$]*)\$", formula, text)


@dataclass(frozen=True)
class Place:
    """The middle of a node, and whether it is only a placeholder of a long edge."""

    x: float
    layer: int
    slim: bool


def together(uses: Mapping[str, set[str]]) -> list[str]:
    """The nodes so that each stands after all it uses, and those that hang together stand together, small parts first."""
    part = {node: {node} for node in uses}
    for node, used in uses.items():
        whole = set.union(part[node], *(part[one] for one in used))
        part |= dict.fromkeys(whole, whole)
    first = {one: i for i, node in enumerate(uses) for one in part[node] if node == min(part[node])}
    return sorted(graph.order(uses), key=lambda node: (len(part[node]), first[node]))


def layers(uses: Mapping[str, set[str]], width: int) -> dict[str, int]:
    """The layer of each node: below all it uses, as high as possible, at most ``width`` nodes a layer; in a narrow drawing part by part."""
    taken: dict[int, int] = {}
    found: dict[str, int] = {}
    for node in together(uses) if width < 3 else graph.order(uses):
        level = max((found[used] + 1 for used in uses[node]), default=0)
        while taken.get(level, 0) >= width:
            level += 1
        found[node] = level
        taken[level] = taken.get(level, 0) + 1
    return found


def lower(uses: Mapping[str, set[str]], level: dict[str, int], width: int) -> dict[str, int]:
    """The same with what nothing above needs moved down to just above its first user: shorter edges."""
    users: dict[str, list[str]] = {node: [] for node in uses}
    for node, used in uses.items():
        for one in used:
            users[one].append(node)
    found = dict(level)
    for node in reversed(graph.order(uses)):
        if users[node]:
            goal = min(found[user] for user in users[node]) - 1
            room = [at for at in range(goal, found[node], -1) if sum(v == at for v in found.values()) < width]
            found[node] = room[0] if room else found[node]
    return {node: sorted(set(found.values())).index(at) for node, at in found.items()}


def layout(uses: Mapping[str, set[str]], width: int) -> tuple[dict[str, Place], list[list[str]]]:
    """Places of all nodes and placeholders, and every edge as the chain of names it runs through."""
    level = lower(uses, layers(uses, width), width)
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for node in graph.order(uses):
        rows[level[node]].append(node)
    chains = []
    for node, used in uses.items():
        for one in sorted(used):
            between = [f"{one}|{node}|{i}" for i in range(level[one] + 1, level[node])]
            for i, name in enumerate(between, level[one] + 1):
                rows[i].append(name)
            chains.append([one, *between, node])
    near: dict[str, list[str]] = {name: [] for row in rows for name in row}
    for chain in chains:
        for a, b in pairwise(chain):
            near[a].append(b)
            near[b].append(a)
    at = {name: float(i) - (len(row) - 1) / 2 for row in rows for i, name in enumerate(row)}
    for _ in range(24):
        for row in rows:
            goal = {name: sum(at[n] for n in near[name]) / len(near[name]) if near[name] else at[name] for name in row}
            row.sort(key=lambda name: (goal[name], name))
            at.update({name: float(i) - (len(row) - 1) / 2 for i, name in enumerate(row)})
    fullest = max(sum(_wide(name) for name in row) + 8 * (len(row) - 1) for row in rows)  # lines keep off boxes
    x = _across(rows, near, max(width * NODE + (width - 1) * GAP, fullest))
    return {name: Place(x[name], i, "|" in name) for i, row in enumerate(rows) for name in row}, chains


def _wide(name: str) -> int:
    return SLIM if "|" in name else NODE


def _across(rows: list[list[str]], near: dict[str, list[str]], total: float) -> dict[str, float]:
    """Horizontal places: each row in its order, inside the width, near the mean of its neighbours."""
    x: dict[str, float] = {}

    def spread(row: list[str], goal: dict[str, float]) -> None:
        half = [_wide(name) / 2 for name in row]
        need = 2 * sum(half)
        gap = min(GAP, (total - need) / max(len(row) - 1, 1))
        left = 0.0
        for i, name in enumerate(row):
            rest = sum(2 * h + gap for h in half[i + 1 :])
            x[name] = min(max(goal[name], left + half[i]), total - rest - half[i])
            left = x[name] + half[i] + gap

    for row in rows:
        spread(row, {name: (i + 0.5) * total / len(row) for i, name in enumerate(row)})
    for _ in range(12):
        for row in (*rows, *reversed(rows)):
            spread(
                row, {name: sum(x[n] for n in near[name]) / len(near[name]) if near[name] else x[name] for name in row}
            )
    return x


def _label(one: Claim) -> tuple[str, list[str]]:
    """The name of a claim in the paper, if it has one, and the rest of its title in lines; nothing is cut off."""
    called = numbers.name(one)
    rest = re.sub(r"^ ?\(Appendix \w\)|^[:, ]+", "", plain(one.title).removeprefix(called)).lstrip(":, ")
    return called, textwrap.wrap(rest[:1].upper() + rest[1:] if called else rest, LETTERS, break_long_words=False)


def _height(one: Claim) -> int:
    called, lines = _label(one)
    return LINE * (len(lines) + bool(called) + 1) + 12


@dataclass(frozen=True)
class Box:
    """Where a node stands: its middle, its upper side, its height."""

    x: float
    y: float
    high: float


def boxes(
    uses: Mapping[str, set[str]], speaker: Mapping[str, Claim], width: int
) -> tuple[dict[str, Box], list[list[str]], float]:
    """The place of every node, the edges between results as chains of names, and where the results end and the block begins."""
    ground = [node for node in uses if speaker[node].kind in GROUND]
    results = {node: {one for one in used if one not in ground} for node, used in uses.items() if node not in ground}
    found: dict[str, Box] = {}
    y = 0.0
    chains: list[list[str]] = []
    if results:
        place, chains = layout(results, width)
        for layer in range(max(one.layer for one in place.values()) + 1):
            row = [node for node, one in place.items() if one.layer == layer]
            high = max((_height(speaker[node]) for node in row if not place[node].slim), default=LINE)
            found |= {node: Box(place[node].x, y, high) for node in row}
            y += high + BETWEEN
    end = y
    for start in range(0, len(ground), width):
        row = ground[start : start + width]
        high = max(_height(speaker[node]) for node in row)
        found |= {n: Box(NODE / 2 + i * (NODE + GAP), y, high) for i, n in enumerate(row)}
        y += high + GAP
    return found, chains, end


def _curve(chain: list[str], at: Mapping[str, Box]) -> str:
    """An edge as a smooth path with a head, from the lower side of what is used to the upper side of its user."""
    path = f"M{at[chain[0]].x:.0f} {at[chain[0]].y + at[chain[0]].high:.0f}"
    for one, two in pairwise(chain):
        a, b = at[one], at[two]
        bend = min(BETWEEN, abs(b.y - a.y - a.high)) * 0.6
        path += f"C{a.x:.0f} {a.y + a.high + bend:.0f} {b.x:.0f} {b.y - bend:.0f} {b.x:.0f} {b.y:.0f}"
        path += f"V{b.y + b.high:.0f}" if "|" in two else ""
    return f"{path}m-4 -7l4 7l4 -7"


def drawing(
    uses: Mapping[str, set[str]],
    speaker: Mapping[str, Claim],
    title: str,
    width: int,
    rests: Mapping[str, set[str]] | None = None,
) -> str:
    """The graph as one SVG with at most ``width`` nodes side by side.

    ``rests`` is all that each node rests on, for its words, where the drawing shows only a part of it.
    """
    at, chains, end = boxes(uses, speaker, width)
    below = graph.closure(uses)
    all_ = rests or below
    number = {node: i for i, node in enumerate(uses)}
    parts = [
        f'<path class="edge" data-from="{number[c[0]]}" data-to="{number[c[-1]]}" d="{_curve(c, at)}"/>' for c in chains
    ]
    for node in uses:
        one, box = speaker[node], at[node]
        called, lines = _label(one)
        rest = "; ".join(plain(speaker[u].title) for u in uses_in_order(all_[node], speaker)) or "nothing here"
        words = f"{plain(one.title)}. As printed: {tag(one.as_printed)}. Rests on: {rest}."
        x, y = box.x - NODE / 2, box.y
        texts = [f'<text class="name" x="{x + 11:.0f}" y="{y + 16:.0f}">{escape(called)}</text>'] if called else []
        first = 16 + LINE * bool(called)
        texts += [
            f'<text x="{x + 11:.0f}" y="{y + first + LINE * i:.0f}">{escape(line)}</text>'
            for i, line in enumerate(lines)
        ]
        bottom = y + first + LINE * len(lines) + 2
        texts.append(f'<text class="verdict" x="{x + 11:.0f}" y="{bottom:.0f}">{tag(one.as_printed)}</text>')
        size = f'x="{x:.0f}" y="{y:.0f}" height="{box.high:.0f}"'
        direct, rests_on = (
            " ".join(str(i) for i in sorted(number[u] for u in found)) for found in (uses[node], below[node])
        )
        parts.append(
            f'<a href="ledger.html#{escape(one.label)}" class="node {one.as_printed}" data-node="{number[node]}" '
            f'data-below="{rests_on}" data-uses="{direct}" aria-label="{escape(words)}"><title>{escape(words)}</title>'
            f'<rect {size} width="{NODE}" rx="5"/><rect class="band" {size} width="4"/>{"".join(texts)}</a>'
        )
    total = round(max(box.x + (SLIM if "|" in node else NODE) / 2 for node, box in at.items()))
    high = round(max(box.y + box.high for box in at.values()))
    line = f'<path class="ground" d="M0 {end - BETWEEN / 2:.0f}H{total}"/>' if 0 < end < high else ""
    size = f'viewBox="-2 -2 {total + 4} {high + 4}" width="{total + 4}" height="{high + 4}"'
    head = f'<svg class="map" xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="{escape(title)}">'
    return f"{head}{line}{''.join(parts)}</svg>"


def uses_in_order(nodes: Iterable[str], speaker: Mapping[str, Claim]) -> list[str]:
    """Nodes in the order of the paper."""
    rank = {one: i for i, one in enumerate(speaker)}
    return sorted(nodes, key=lambda node: rank[node])


def entry(one: Claim) -> str:
    """A claim in a list: its title, which leads to its entry, and the verdict on it as printed."""
    badge = f'<span class="badge-verdict {one.as_printed}">{tag(one.as_printed)}</span>'
    return f'<a href="ledger.html#{escape(one.label)}">{escape(plain(one.title))}</a> {badge}'


def listed(uses: Mapping[str, set[str]], speaker: Mapping[str, Claim], rests: Mapping[str, set[str]]) -> str:
    """The graph in words: for each claim what it rests on, directly and through others, and what rests on it."""
    html = ""
    for node in uses:
        one, used = speaker[node], uses[node] or rests[node]
        lists = {
            "Rests on": used,
            "and through these on": rests[node] - used,
            "Needed by": {other for other in rests if node in rests[other]},
        }
        links = f'<a href="line_by_line.html#line-{escape(one.label)}">in the paper</a>, <a href="{one.chapter}.html">chapter</a>'
        html += f'<div data-of="{escape(one.label)}"><p><strong>{entry(one)}</strong> <small>{links}</small></p>'
        for words, found in lists.items():
            items = "".join(f"<li>{entry(speaker[other])}</li>" for other in uses_in_order(found, speaker))
            html += f"<p>{words}</p><ul>{items}</ul>" if found else ""
        html += "</div>"
    return html


def both(
    uses: Mapping[str, set[str]],
    speaker: Mapping[str, Claim],
    title: str,
    rests: Mapping[str, set[str]] | None = None,
) -> Html:
    """The drawing for a wide page and for a phone (the page shows the one that fits), and the same as a list, folded."""
    wide, slim = (drawing(uses, speaker, title, width, rests) for width in (4, 2))
    lines = [f"{speaker[n].title} <- {', '.join(sorted(uses[n])) or '-'}" for n in graph.order(uses)]
    words = listed(uses, speaker, rests or graph.closure(uses))
    html = f'<div class="map-wide">{wide}</div><div class="map-slim">{slim}</div>'
    html += f'<details class="map-list" style="margin-top:.9rem"><summary>The same as a list</summary>{words}</details>'
    return Html(f'<div class="map-box">{html}<div class="map-panel" aria-live="polite"></div></div>', "\n".join(lines))


def halves(uses: Mapping[str, set[str]], speaker: Mapping[str, Claim]) -> tuple[graph.Graph, graph.Graph]:
    """The non-smooth half, and the smooth one, in which results of the first stand as they are, without what they rest on.

    Lemmas 1 and 2 are background, and belong to both.
    """
    below = graph.closure(uses)
    smooth = {
        node
        for node in uses
        if speaker[node].section.startswith(("4", "C", "D", "E")) and speaker[node].kind not in GROUND
    }
    first = {node for node in uses if node not in smooth and speaker[node].kind not in GROUND}
    first |= {one for node in first for one in below[node]}
    taken = {node for node in first if speaker[node].kind not in GROUND and not speaker[node].section.startswith("2")}
    shown, stack = set(smooth), list(smooth)
    while stack:
        node = stack.pop()
        if node in taken:
            continue
        new = uses[node] - shown
        shown |= new
        stack += new
    settled = shown & taken
    return (
        {node: set(uses[node]) & first for node in uses if node in first},
        {node: set() if node in settled else set(uses[node]) & shown for node in uses if node in shown},
    )


def folded(pieces: Mapping[str, Html]) -> Html:
    """Several drawings, each under a title that opens it."""
    html = "".join(f"<details><summary>{escape(name)}</summary>{one.html}</details>" for name, one in pieces.items())
    return Html(html, "\n\n".join(f"{name}\n{one.text}" for name, one in pieces.items()))
