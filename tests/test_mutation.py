"""Mutation: stronger constants, shifted indices and missing hypotheses are rejected; what survives is known and explained."""

import pytest

from shbcore.claims.mutation import MAIN, ROOM, mutants, points, provable
from shbcore.claims.mutation_parts import Main


@pytest.mark.parametrize("main", MAIN, ids=lambda main: main.label)
def test_the_terms_add_up_to_the_certified_claim_and_are_provable_at_the_test_points(main: Main) -> None:
    assert main.faithful()
    assert provable(main.proof()).passed


def test_every_mutant_of_lemma_3_is_rejected() -> None:
    found = mutants(steps=False, only="lem:xdiff:non-smooth")
    assert {mutant.kind for mutant in found} == {"constant", "index", "hypothesis"}
    assert [str(mutant) for mutant in found if not mutant.rejected] == []


def test_what_survives_of_lemma_7_is_its_noise_and_two_squares() -> None:
    found = [mutant for mutant in mutants(steps=False, only="lem:z:diff") if not mutant.rejected]
    assert sorted(mutant.kind for mutant in found) == ["constant", "hypothesis", "hypothesis"]
    (noise,) = (mutant for mutant in found if mutant.kind == "constant")
    assert noise.what.startswith("4 nu alpha^2 sigma^2")
    assert "from 3/4" in noise.detail
    assert ROOM["lem:z:diff"] in noise.detail


def test_the_corner_is_on_the_edge_of_the_domain_and_no_amount_vanishes_there() -> None:
    main = next(main for main in MAIN if main.label == "lem:Wfunc:smooth")
    inner, corner = points(main.proof().domain)
    named = {str(symbol): value for symbol, value in corner.items()}
    assert named["r"] * 4 == 1
    assert named["sigma^2"] > 0
    assert set(inner) == set(corner)
