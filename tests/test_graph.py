"""The graph of claims: no circles, nothing lost by reducing or drawing it; lists and errata complete."""

import re
from html import escape
from itertools import combinations, pairwise

import pytest

from shbcore.claims import graph
from shbcore.claims.registry import (
    BEHIND,
    CHAPTERS,
    DEFINED,
    EVIDENCE,
    MEANS,
    VERDICTS,
    Claim,
    claim,
    claims,
    errata,
    roots,
    tag,
)
from shbcore.pages import diagram, listing
from shbcore.pages.cards import badge, called, covers
from shbcore.proof import in_words
from shbcore.proof.statement import Statement

SMALL = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"c", "a"}}


def test_the_paper_does_not_argue_in_a_circle() -> None:
    assert len(graph.order(graph.whole())) == len(claims())


def test_a_circle_is_found_and_named() -> None:
    with pytest.raises(ValueError, match="a circle in the graph: a <- d"):
        graph.order({**SMALL, "a": {"d"}})


def test_edges_come_from_the_proofs() -> None:
    edges = graph.proved()
    assert "eq:proof:lem:1:norm:final" in edges["lem:xdiff:non-smooth"]
    assert "eq:proof:lem:1:norm:bounded" in edges["eq:proof:lem:1:norm:final"]
    assert "assumption:A/A2" in graph.closure(graph.whole())["thrm:non-smooth:complexity"]
    assert "lem:Wfunc:smooth" in graph.closure(graph.whole())["thrm:smooth:unconstrained:complexity"]


def test_no_stated_edge_contradicts_a_proved_one() -> None:
    below = graph.closure(graph.whole())
    assert not [(one.label, used.label) for one in claims() for used in one.uses if one.label in below[used.label]]


def test_reduction_keeps_what_rests_on_what_with_the_fewest_edges() -> None:
    reduced = graph.reduced(SMALL)
    assert reduced == {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"c"}}
    assert graph.closure(reduced) == graph.closure(SMALL)


def test_a_path_through_left_out_claims_becomes_an_edge() -> None:
    assert graph.within(SMALL, lambda node: node in "ad") == {"a": set(), "d": {"a"}}


def test_parts_that_hang_together_stand_together_the_small_ones_first() -> None:
    apart = {**SMALL, "y": {"x"}, "x": set()}
    assert diagram.together(apart) == ["x", "y", *graph.order(SMALL)]
    assert graph.order(apart)[:2] != ["x", "y"]
    assert diagram.layers(apart, 2)["x"] == 0


@pytest.mark.parametrize("width", [2, 4])
def test_a_drawing_puts_claims_below_what_they_use_and_side_by_side_without_overlap(width: int) -> None:
    uses, _ = graph.quotient()
    place, chains = diagram.layout(uses, width)
    assert all(place[a].layer + 1 == place[b].layer for chain in chains for a, b in pairwise(chain))
    for layer in {one.layer for one in place.values()}:
        row = sorted(one.x for one in place.values() if one.layer == layer and not one.slim)
        assert len(row) <= width
        assert all(right - left >= diagram.NODE - 1 for left, right in pairwise(row))


def test_every_node_of_the_map_is_a_link_with_words() -> None:
    uses, speaker = graph.quotient()
    svg = diagram.drawing(uses, speaker, "map", 4)
    links = re.findall(r'<a href="(\w+)\.html[^"]*" class="node (\w+)" [^>]*aria-label="([^"]+)"', svg)
    assert len(links) == len(uses)
    assert {chapter for chapter, _, _ in links} <= set(CHAPTERS)
    assert all(f"As printed: {tag(verdict)}" in words for _, verdict, words in links)


def test_no_label_of_the_map_is_cut_off_and_boxes_do_not_overlap() -> None:
    uses, speaker = graph.quotient()
    for half in diagram.halves(uses, speaker):
        svg = re.sub(r"<title>.*?</title>", "", diagram.drawing(half, speaker, "map", 4))
        assert "…" not in svg
        for node in half:
            called, lines = diagram._label(speaker[node])
            assert all(f">{escape(line)}</text>" in svg for line in lines)
            title = diagram.plain(speaker[node].title).replace(
                " (Appendix C)", ""
            )  # where it stands is no part of its name
            assert " ".join([called, *lines]).split()[-1] == title.split()[-1]
        at, _, _ = diagram.boxes(half, speaker, 4)
        spots = [(box.x, box.y, box.high) for node, box in at.items() if "|" not in node]
        overlap = [
            (one, two)
            for one, two in combinations(spots, 2)
            if abs(one[0] - two[0]) < diagram.NODE and one[1] < two[1] + two[2] and two[1] < one[1] + one[2]
        ]
        assert overlap == []


def test_a_node_of_a_half_names_all_that_it_rests_on_in_it() -> None:
    uses, speaker = graph.quotient()
    first, second = diagram.halves(uses, speaker)
    assert {node for half in (first, second) for node in half} == set(uses)
    below = graph.closure(uses)
    assert graph.closure(first)["Theorem 1"] == below["Theorem 1"]
    assert graph.closure(second)["Theorem 3"] == below["Theorem 3"]
    numbers = {node: str(i) for i, node in enumerate(first)}
    (shown,) = re.findall(
        rf'data-node="{numbers["Theorem 1"]}" data-below="([^"]*)"', diagram.drawing(first, speaker, "map", 4)
    )
    assert set(shown.split()) == {numbers[node] for node in below["Theorem 1"]}


def test_titles_lose_their_tex() -> None:
    assert diagram.plain(r"Induction on $\|z_k\|^2$") == "Induction on ‖zₖ‖²"
    assert not [one.title for one in claims() if re.search(r"[\\${}]", diagram.plain(one.title))]


def test_the_table_of_the_ledger_has_a_row_a_claim_and_no_times() -> None:
    html = listing.ledger_table(claims()).html
    assert html.count("<tbody id=") == len(claims())
    assert "seconds" not in html


def test_every_erratum_is_on_one_of_the_cards() -> None:
    cards = listing.errata("123456ABCDE").html
    assert [one.label for one in errata() if f'href="ledger.html#{one.label}"' not in cards] == []


def missing(one: Claim, text: str) -> list[str]:
    """What the statements of a claim say, printed and right, and a text does not: formulas and ranges."""
    says = [part for part in (*one.printed, *one.statements) if isinstance(part, Statement)]
    kept = [part for part in says if not any(covers(x, y) for x in says for y in says if part in (x, y))]
    wanted = [f"${in_words.entry(entry)}$" for part in kept for entry in in_words.entries(part)]
    return [part for part in (*(one.latex for one in kept), *wanted) if part not in text]


@pytest.mark.parametrize("one", [one for one in errata() if one.printed], ids=lambda one: one.label)
def test_what_is_said_of_both_lines_is_all_that_is_said_of_each(one: Claim) -> None:
    rows = listing._both(one)
    assert missing(one, " ".join(text for _, text in rows)) == []
    shared = [text for name, text in rows if name == "For both"]
    assert not shared or missing(one, " ".join(text for name, text in rows if name != "For both")) != []


def test_a_printed_line_that_is_right_is_not_among_the_errata() -> None:
    whole, shown = claim("proof:smooth:z:diff:Delta"), listing._both(claim("proof:smooth:z:diff:Delta"))
    assert len(whole.printed) == 2
    assert [whole.printed[i].latex in shown[0][1] for i in (0, 1)] == [False, True]


def test_each_word_of_a_verdict_is_defined_and_what_is_not_printed_is_proved() -> None:
    words = {*VERDICTS, "proved"}
    assert set(DEFINED) == set(MEANS) == words
    assert {one.verdict for one in claims()} <= words
    assert {one.verdict for one in claims() if one.own} == {"proved"}
    assert "proved" not in {one.verdict for one in claims() if not one.own}
    assert all(f"{tag(word)}: {DEFINED[word]}" in listing.verdicts().text for word in words)


def test_a_sentence_about_the_literature_is_shown_as_not_judged_and_not_as_an_open_problem() -> None:
    assert [word for word in MEANS if tag(word) != word] == ["open"]
    rest = claim("introduction/related-work")
    assert ">not judged</span>" in badge(rest.verdict)
    shown = (listing.ledger_table([rest]), listing.verdicts())
    assert all(">open<" not in one.html and "open" not in one.text.lower().split() for one in shown)
    assert listing.not_judged().html.count("<tr>") - 1 == sum(one.as_printed == "open" for one in claims())


def test_every_kind_of_evidence_in_use_is_explained_under_the_name_it_has_in_the_table() -> None:
    used = {one.kind for entry in claims() for one in entry.checks}
    assert set(BEHIND) == set(EVIDENCE)
    assert [line.split(":")[0] for line in listing.kinds().text.split("\n")] == [
        called(kind) for kind in EVIDENCE if kind in used
    ]


def test_what_is_true_is_counted_by_its_strongest_evidence() -> None:
    found = [one for one in claims() if one.as_printed == "true" and not one.own]
    best = [min(EVIDENCE.index(part.kind) for part in one.checks) for one in found]
    strongest = [EVIDENCE[i] for i in best]
    exact, floats = strongest.count("exact"), strongest.count("numeric") + strongest.count("interval")
    counted = [int(number) for number in re.findall(r"\d+", listing.behind_true().text)]
    assert counted == [len(found), len(found) - exact - floats, exact, floats]
    assert "counterexample" not in strongest


def test_several_counterexamples_are_numbered_and_a_single_one_is_not() -> None:
    cards = [listing.erratum(number, one) for number, one in enumerate(roots(), 1)]
    for one, card in zip(roots(), cards, strict=True):
        named = re.findall(r"<dt>(Counterexample.*?)</dt>", card.html)
        many = sum(part.kind == "counterexample" for part in one.checks)
        assert named == ([f"Counterexample {i + 1}" for i in range(many)] if many > 1 else ["Counterexample"] * many)


def test_a_chapter_named_in_the_words_of_a_card_is_a_link() -> None:
    assert 'chapter <a href="shorter_smooth_half.html">A shorter smooth half</a>' in listing.errata("4").html


def test_a_card_says_no_consequence_twice_and_what_is_proved_beside_words_is_not_called_their_repair() -> None:
    assert "<dd>None.</dd>" not in (shown := listing.errata("123456ABCDE").html)
    assert "no theorem" not in shown
    named = [name for name, _ in listing._both(claim("lem:Wfunc:smooth/stepsize"))]
    assert named == ["Printed", "Proved"]


def test_a_place_reaches_the_theorems_that_rest_on_it() -> None:
    assert graph.reach("eq:znorm") == ["Theorem 1", "Theorem 2"] or "Theorem 1" in graph.reach("eq:znorm")
    assert graph.group(claim("lem:Vfunc:non-smooth")) == "Lemma 4"
