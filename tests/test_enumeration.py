"""The repaired Theorems 1, 2 and 3 on 200 random rational problems each, over whole sample trees, without a violation."""

import pytest

from shbcore.claims.enumeration import COUNT, distribution


@pytest.mark.parametrize("theorem", ["theorem_1", "theorem_2", "theorem_3"])
def test_the_repaired_theorem_holds_on_every_random_problem(theorem: str) -> None:
    found = distribution(theorem)
    assert len(found.ratios) >= COUNT >= 200
    assert found.violations == 0
    assert max(found.ratios) <= 1
    assert max(found.ratios) > 0.05, "the problems are too easy to test anything"


def test_the_ten_holds_on_every_random_problem() -> None:
    assert distribution("theorem_1", "ten").violations == 0


def test_the_printed_first_display_of_theorem_2_is_violated_by_some_random_problem() -> None:
    assert distribution("theorem_2", "printed").violations > 0


def test_the_distribution_reads_as_a_sentence() -> None:
    text = str(distribution("theorem_3"))
    assert "200 problems, 0 violations" in text
