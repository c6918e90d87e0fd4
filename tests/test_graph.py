"""The graph of claims: no circles, nothing lost by reducing or drawing it; and the messages for those who write certificates."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest

from shbcore import diagram, listing
from shbcore.claims import graph, ledger
from shbcore.proof.certificate import Certificate, find, identity
from shbcore.proof.hypotheses import envelope_infimum, square
from shbcore.proof.step import F_env, alpha, d_k, f, p_k, x_bar, x_hat, x_k

SMALL = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"c", "a"}}


def test_the_paper_does_not_argue_in_a_circle() -> None:
    assert len(graph.order(graph.whole())) == len(ledger.claims())


def test_a_circle_is_found_and_named() -> None:
    with pytest.raises(ValueError, match="a circle in the graph: a <- d"):
        graph.order({**SMALL, "a": {"d"}})


def test_every_edge_of_a_certificate_is_admitted_in_the_ledger() -> None:
    said = graph.closure(graph.stated())
    assert [(used, label) for label, several in graph.proved().items() for used in several - said[label]] == []


def test_reduction_keeps_what_rests_on_what_with_the_fewest_edges() -> None:
    reduced = graph.reduced(SMALL)
    assert reduced == {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"c"}}
    assert graph.closure(reduced) == graph.closure(SMALL)


def test_a_path_through_left_out_claims_becomes_an_edge() -> None:
    assert graph.within(SMALL, lambda node: node in "ad") == {"a": set(), "d": {"a"}}


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
    links = re.findall(r'<a href="(\w+)\.html" class="node (\w+)" aria-label="([^"]+)"', svg)
    assert len(links) == len(uses)
    assert {chapter for chapter, _, _ in links} <= set(ledger.CHAPTERS)
    assert all(f"As printed: {verdict}" in words for _, verdict, words in links)


def test_titles_lose_their_tex() -> None:
    assert diagram.plain(r"Induction on $\|z_k\|^2$") == "Induction on ‖zₖ‖²"
    assert not [claim.title for claim in ledger.claims() if re.search(r"[\\${}]", diagram.plain(claim.title))]


def test_the_table_of_the_ledger_has_a_row_a_claim_and_no_times() -> None:
    html = listing.ledger_table(ledger.claims()).html
    assert html.count("<tr id=") == len(ledger.claims())
    assert "seconds" not in html


def test_every_erratum_is_on_one_of_the_cards() -> None:
    cards = listing.errata("123456ABCDE").html
    assert [claim.label for claim in ledger.errata() if listing._code(claim.label) not in cards] == []


def test_a_float_in_a_proof_is_refused() -> None:
    with pytest.raises(ValueError, match="is a float"):
        0.5 * d_k**2
    assert (Fraction(1, 2) * d_k**2).terms


def test_a_product_of_vectors_points_to_the_inner_product() -> None:
    with pytest.raises(TypeError, match="u @ v"):
        x_k * x_k


def test_vectors_can_be_compared() -> None:
    assert identity(x_bar, x_k + p_k).verify().passed
    assert not identity(x_bar, x_k - p_k).verify().passed


def test_a_term_without_multiplier_is_named() -> None:
    with pytest.raises(ValueError, match="'square' without a multiplier"):
        Certificate(d_k**2 >= 0, [square(d_k)])  # type: ignore[list-item]


def test_find_names_the_term_that_no_hypothesis_contains() -> None:
    with pytest.raises(ValueError, match=re.escape(r"none contains f(x_k), F_\lambda(\bar x_k)")):
        find(F_env(x_bar) <= f(x_k), [square(d_k)])


def test_a_sum_is_printed_in_brackets_where_it_is_subtracted() -> None:
    assert r"\|\hat x_k-(x_k-\alpha d_k)\|^2" in envelope_infimum(f, F_env, x_k - alpha * d_k, x_hat).latex
