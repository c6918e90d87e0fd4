r"""Who uses whom: the graph of the paper's claims, from the certificates and from the ledger's ``uses``.

An edge :math:`u\to v` says that :math:`v` rests on :math:`u`.  A certificate names its hypotheses: an earlier line by its own
certificate, an assumption by its place.  :func:`proved` reads these; :func:`stated` reads the ledger; :func:`quotient` merges the
places of one lemma or theorem and steps over the lines between them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from shbcore.claims.registry import Check, Claim, claim, claims
from shbcore.proof.facts import Fact
from shbcore.proof.foundations import Foundation
from shbcore.proof.kernel import check

Graph = dict[str, set[str]]
"""What each label rests on."""
NAMED = re.compile(r"(?:Lemma|Theorem) \d")
SHOWN = ("assumption", "definition", "lemma", "theorem", "remark")


def stated() -> Graph:
    """The edges that the claims state beside their proofs."""
    return {one.label: {used.label for used in one.uses} for one in claims()}


@cache
def home() -> dict[str, str]:
    """The claim that each formal statement belongs to, by fingerprint: the first that says it."""
    found: dict[str, str] = {}
    for one in claims():
        for says in one.statements:
            found.setdefault(says.fingerprint, one.label)
    return found


@cache
def proved() -> Mapping[str, frozenset[str]]:
    """The edges that the proofs contain: an earlier line by the claim that says it, a foundation by its place in the paper.

    A definition rests on nothing that is proved of it.
    """
    known, homes = {one.label for one in claims()}, home()
    found: Graph = {}
    for one in claims():
        places: set[str] = set()
        for part in one.says if one.kind != "definition" else ():
            if isinstance(part, Check) and part.build is not None:
                line = part.build()
                places |= _below(line, one.label, homes) | _places(check(line).foundations)
        found[one.label] = places & known - {one.label}
    return {label: frozenset(used) for label, used in found.items()}


def _places(found: Iterable[Foundation]) -> set[str]:
    """Where foundations stand; an assumption that only a theorem makes is not that theorem."""
    return {one.label for one in found if one.label and claim(one.label).kind != "theorem"}


def _below(line: object, label: str, home: Mapping[str, str]) -> set[str]:
    """Where the sources of a line stand; a line that no claim says is stepped over."""
    places: set[str] = set()
    stack = [*(term.source for term in getattr(line, "terms", ())), *getattr(line, "parents", ())]
    seen: set[int] = set()
    while stack:
        source = stack.pop()
        if id(source) in seen:
            continue
        seen.add(id(source))
        if isinstance(source, Fact):
            places |= _places(source.unfolded.foundations)
            continue
        place = home.get(source.statement.fingerprint)
        if place is not None and place != label:
            places.add(place)
        else:
            stack += [*(term.source for term in getattr(source, "terms", ())), *getattr(source, "parents", ())]
    return places


def whole() -> Graph:
    """Both kinds of edges together."""
    exact = proved()
    return {label: used | exact[label] for label, used in stated().items()}


def order(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The labels so that each stands after all it rests on; a circle is an error that names it."""
    done: dict[str, bool] = {}
    found: list[str] = []

    def visit(label: str, trail: tuple[str, ...]) -> None:
        if label in trail:
            raise ValueError(f"a circle in the graph: {' <- '.join((*trail[trail.index(label) :], label))}")
        if not done.get(label):
            for used in sorted(graph[label]):
                visit(used, (*trail, label))
            done[label] = True
            found.append(label)

    for label in graph:
        visit(label, ())
    return found


def closure(graph: Mapping[str, Iterable[str]]) -> Graph:
    """All that each label of a graph, such as ``whole()``, rests on, directly or through others."""
    below: Graph = {}
    for label in order(graph):
        below[label] = {one for used in graph[label] for one in (used, *below[used])}
    return below


def reduced(graph: Mapping[str, Iterable[str]]) -> Graph:
    """Without the edges that follow from others (the transitive reduction): the same closure, the fewest lines to draw."""
    below = closure(graph)
    return {v: {u for u in used if not any(u in below[w] for w in used if w != u)} for v, used in graph.items()}


def within(graph: Mapping[str, Iterable[str]], kept: Callable[[str], bool]) -> Graph:
    """The graph on some labels; a path through left-out labels becomes an edge."""
    reach: Graph = {}
    for label in order(graph):
        reach[label] = {one for used in graph[label] for one in ({used} if kept(used) else reach[used])}
    return {label: reach[label] for label in graph if kept(label)}


def group(claim: Claim) -> str:
    """The name under which a claim is drawn: its lemma or theorem, if its title begins with one or if it is the paper's proof of it; the
    method; else its label.

    What a theorem assumes is a node of its own: the lines of its proof rest on it.
    """
    found = NAMED.match(claim.title) if claim.kind != "assumption" else None
    found = NAMED.search(claim.section) if claim.kind == "proof" else found
    method = (
        claim.label.startswith("alg:iters:def") and claim.kind == "definition" and not claim.label.endswith("start")
    )
    return found.group() if found else "alg:iters:def" if method else claim.label


def _minor(claim: Claim) -> bool:
    """An assumption that only sums up others, a definition inside an appendix, or a result that the paper does not have."""
    sums_up, inside = claim.kind == "assumption" and bool(claim.uses), "Proof" in claim.section
    return sums_up or (claim.kind == "definition" and inside) or claim.label.startswith("beyond/")


def quotient() -> tuple[Graph, dict[str, Claim]]:
    """The main claims of the theory: one node a lemma or theorem, the assumptions and definitions under them, the remarks on them.

    Returns the reduced graph and, for each node, the claim that speaks for it (the first of its group).
    """
    speaker: dict[str, Claim] = {}
    merged: Graph = {}
    graph, name = whole(), {one.label: group(one) for one in claims()}
    for one in claims():
        node = name[one.label]
        speaker.setdefault(node, one)
        merged.setdefault(node, set()).update(name[used] for used in graph[one.label])
        merged[node].discard(node)
    main = within(merged, lambda node: speaker[node].kind in SHOWN and not _minor(speaker[node]))
    below = closure(main)
    results = {node for node in main if NAMED.match(node)}
    needed = set.union(results, *(below[node] for node in results))
    needed |= {node for node in main if speaker[node].kind == "remark" and below[node] & results}
    return reduced({node: main[node] & needed for node in main if node in needed}), speaker


def part(section: str) -> Graph:
    """The reduced graph of the places of one section of the paper, by the beginning of its title (``"A"`` is Appendix A)."""
    inside = {one.label for one in claims() if one.section.startswith(f"{section} ")}
    if not inside:
        raise ValueError(f"section = {section!r}: no section of the paper begins so")
    return reduced(within(whole(), inside.__contains__))


def reach(label: str) -> list[str]:
    """The theorems that a place concerns: those that rest on it, on a place that inherits its defect, or on what its appendix proves.

    A theorem rests on what its proof in the paper rests on, also where there is another proof.
    """
    below, mine = closure(whole()), claim(label)
    places = {one.label for one in claims() if mine in (one, one.root) or group(one) == group(mine)}
    proves = re.search(r"Proof of (.*)", mine.section)
    places |= {one.label for one in claims() if proves and group(one) == proves.group(1)}
    theorems = [f"Theorem {i}" for i in (1, 2, 3)]
    members = {
        name: [c.label for c in claims() if group(c) == name or c.section.endswith(f"Proof of {name}")]
        for name in theorems
    }
    return [name for name, of in members.items() if any(places & {one, *below[one]} for one in of)]
