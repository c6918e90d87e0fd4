r"""A layered drawing of who uses whom, as an SVG whose nodes are links: no layout tool, no script.

Layers by longest path with a bounded number of nodes a layer, order within a layer by barycentres, long edges through slim
placeholders (Sugiyama's scheme in its smallest form).  Colours come from the page, so the drawing follows light and dark.
"""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from shbcore.claims import graph
from shbcore.claims.registry import Claim
from shbcore.pages.cards import Html

NODE, GAP, HIGH, BETWEEN, SLIM = 158, 14, 50, 34, 3
"""Pixels: width of a node, gap between nodes, height of a node, space between layers, width of a placeholder."""
_SIGNS = dict(
    zip(("alpha", "beta", "gamma", "lambda", "rho", "nu", "xi", "varphi", "Delta", "delta"), "αβγλρνξφΔδ", strict=True)
)
_SIGNS |= {"le": "≤", "ge": "≥", "|": "‖", "prime": "′", "sqrt": "√", "langle": "⟨", "rangle": "⟩", "frac12": "½"}
_SIGNS |= {"mathrm": "", "mathcal": "", "bar": "\u0304", "hat": "\u0302", "star": "⋆"}
_LOW = str.maketrans("0123456789+-=kin", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₖᵢₙ")
_HIGH = str.maketrans("0123456789+-*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻*")


def plain(text: str) -> str:
    r"""A title without TeX, for places where no formula is set: ``$\|z_k\|^2$`` becomes ‖zₖ‖²."""

    def formula(found: re.Match[str]) -> str:
        tex = re.sub(r"\\(bar|hat) ?(\w)", lambda m: m[2] + _SIGNS[m[1]], found[1])
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


def layers(uses: Mapping[str, set[str]], width: int) -> dict[str, int]:
    """The layer of each node: below all it uses, as high as possible, at most ``width`` nodes a layer."""
    taken: dict[int, int] = {}
    found: dict[str, int] = {}
    for node in graph.order(uses):
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
    fullest = max(sum(_wide(name) + 1 for name in row) for row in rows)
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


def _curve(chain: list[str], place: dict[str, Place]) -> str:
    """An edge as a smooth path, from the lower side of what is used to the upper side of its user."""
    step = HIGH + BETWEEN
    points = [(place[name].x, place[name].layer * step, place[name].slim) for name in chain]
    path = f"M{points[0][0]:.0f} {points[0][1] + HIGH:.0f}"
    for (x0, y0, _), (x1, y1, slim) in pairwise(points):
        y0 += HIGH
        path += f"C{x0:.0f} {y0 + BETWEEN / 2:.0f} {x1:.0f} {y1 - BETWEEN / 2:.0f} {x1:.0f} {y1:.0f}"
        path += f"V{y1 + HIGH:.0f}" if slim else ""
    return path


def drawing(uses: Mapping[str, set[str]], speaker: Mapping[str, Claim], title: str, width: int) -> str:
    """The graph as one SVG with at most ``width`` nodes side by side; hovering or focusing a node shows what it rests on."""
    place, chains = layout(uses, width)
    total = round(max(one.x + _wide(name) / 2 for name, one in place.items()))
    high = max(one.layer for one in place.values()) * (HIGH + BETWEEN) + HIGH
    parts = []
    for node in graph.order(uses):
        claim, at = speaker[node], place[node]
        name = plain(claim.title)
        edges = "".join(f'<path class="edge" d="{_curve(c, place)}"/>' for c in chains if c[-1] == node)
        rest = ", ".join(plain(speaker[u].title) for u in sorted(uses[node])) or "nothing here"
        words = f"{name}. As printed: {claim.as_printed}. Rests on: {rest}."
        lines = textwrap.wrap(name, 23, max_lines=2, placeholder=" …")
        x, y = at.x - NODE / 2, at.layer * (HIGH + BETWEEN)
        texts = "".join(
            f'<text x="{x + 10:.0f}" y="{y + 16 + 14 * i:.0f}">{escape(line)}</text>' for i, line in enumerate(lines)
        )
        verdict = f'<text class="verdict" x="{x + 10:.0f}" y="{y + 18 + 14 * len(lines):.0f}">{claim.as_printed}</text>'
        box = f'<rect x="{x:.0f}" y="{y:.0f}" width="{NODE}" height="{HIGH}" rx="5"/>'
        band = f'<rect class="band" x="{x:.0f}" y="{y:.0f}" width="4" height="{HIGH}"/>'
        parts.append(
            f'<a href="{claim.chapter}.html" class="node {claim.as_printed}" aria-label="{escape(words)}">'
            f"<title>{escape(words)}</title>{edges}{box}{band}{texts}{verdict}</a>"
        )
    size = f'viewBox="-2 -2 {total + 4} {high + 4}" width="{total + 4}" height="{high + 4}"'
    return f'<svg class="map" xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="{escape(title)}">{"".join(parts)}</svg>'


def both(uses: Mapping[str, set[str]], speaker: Mapping[str, Claim], title: str) -> Html:
    """The drawing for a wide page and for a phone; the page shows the one that fits."""
    wide, slim = (drawing(uses, speaker, title, width) for width in (4, 2))
    lines = [f"{speaker[n].title} <- {', '.join(sorted(uses[n])) or '-'}" for n in graph.order(uses)]
    html = f'<div class="map-wide">{wide}</div><div class="map-slim">{slim}</div>'
    return Html(html, "\n".join(lines))


def folded(pieces: Mapping[str, Html]) -> Html:
    """Several drawings, each under a title that opens it."""
    html = "".join(f"<details><summary>{escape(name)}</summary>{one.html}</details>" for name, one in pieces.items())
    return Html(html, "\n\n".join(f"{name}\n{one.text}" for name, one in pieces.items()))
