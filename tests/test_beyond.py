"""The results beyond the paper: word for word where they are about a printed line, exact trees, and the triangle."""

from dataclasses import replace
from fractions import Fraction

import pytest

from shbcore.claims.appendix_e_proof import evn_5, theorem_3
from shbcore.claims.beyond import enumerated, open_question, shorter
from shbcore.claims.beyond.necessity import project, triangle
from shbcore.claims.registry import claim, claims
from shbcore.proof import WHOLE_SPACE, Scope, check
from shbcore.proof.foundations import A2, BOUNDED_GRADIENT
from shbcore.proof.kernel import Line
from shbcore.proof.lines import last_term, line, uniform


def test_theorem_3_is_proved_word_for_word_with_the_printed_start() -> None:
    for ours, paper in ((shorter.as_printed_start, theorem_3), (shorter.evn_5_printed, evn_5)):
        assert ours().statement.fingerprint == replace(paper().statement, scope=Scope.RUN_PRINTED).fingerprint
        assert check(ours()).passed
    assert claim("thrm:smooth:unconstrained:complexity/bound").as_printed == "true"


def test_the_open_question_is_answered_without_a_bounded_gradient() -> None:
    for entry in (one for one in claims() if one.label.startswith(("beyond/energy", "beyond/open"))):
        for says in entry.statements:
            assert not {A2, BOUNDED_GRADIENT, WHOLE_SPACE} & set(says.assumes)


def test_every_number_of_steps_is_covered() -> None:
    at_least_3 = open_question.ten_and_four().statement.words
    few = open_question.ten_and_four_small().statement.words
    assert r"For every $K\ge 3$" in at_least_3
    assert r"For every $1\le K\le 3$" in few
    assert "At the first step, with either start" in open_question.at_once().statement.words


@pytest.mark.parametrize("scope", [Scope.RUN, Scope.RUN_PRINTED, Scope.STEP, Scope.ANY])
def test_the_last_term_of_a_sum_is_known_by_its_index(scope: Scope) -> None:
    """Letters of a step stand for k = K only in a short run: elsewhere the fact would be about another step."""
    good = open_question.whole_sum()
    assert check(good).passed
    assert not check(Line(replace(good.statement, scope=scope), good.terms)).passed


def test_the_last_term_is_not_that_of_the_step_after() -> None:
    measure, domain = open_question.MEASURE, open_question.SMALL
    short = last_term(measure, ended=False).fact.unfolded.relation
    ended = last_term(measure).fact.unfolded.relation
    how = {"domain": domain, "assumes": open_question.SETTING}
    assert check(line(short, [1 * last_term(measure, ended=False)], -(10**6), scope=Scope.SHORT_RUN, **how)).passed
    assert check(line(ended, [1 * last_term(measure)], -(10**6), scope=Scope.RUN, **how)).passed
    assert not check(line(short, [1 * last_term(measure)], -(10**6), scope=Scope.RUN, **how)).passed
    assert not check(line(ended, [1 * last_term(measure)], -(10**6), scope=Scope.SHORT_RUN, **how)).passed
    assert uniform(measure).fact.unfolded.relation != short


@pytest.mark.parametrize("name", enumerated.TRIALS)
def test_exact_trees(name: str) -> None:
    found = enumerated.distribution(name, count=40)
    assert found.violations == 0
    assert max(found.ratios) > 0.001


def test_the_triangle_needs_the_gradient_at_the_start() -> None:
    for root in (30, 45):
        printed, repaired = triangle(root), triangle(root, "repaired")
        assert printed.mean > 10 * printed.gap > repaired.mean
        assert printed.mean <= 10 * printed.gap + 4
    with pytest.raises(ValueError, match="start"):
        triangle(3, "other")  # type: ignore[arg-type]


@pytest.mark.parametrize("root", [30, 45])
def test_the_triangle_with_the_range_of_theorem_3(root: int) -> None:
    run, alpha, height = triangle(root), Fraction(1, root), Fraction(12, 25) * (1 - Fraction(1, root))
    corners = [(9 * alpha / 25, -12 * alpha / 25), (Fraction(0), Fraction(0)), (Fraction(0), height / 3)]
    start = corners[0]
    hat = project((start[0] - Fraction(1, 2), start[1]), corners)
    first = 4 * ((start[0] - hat[0]) ** 2 + (start[1] - hat[1]) ** 2)
    assert (
        run.early - run.mean == first / root
    )  # the gradient at x_0 counts twice, the last one, which is 0 at rest, not at all
    assert first > 0


def test_the_projection_onto_a_triangle() -> None:
    corners = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]
    assert project((Fraction(1), Fraction(1)), corners) == (Fraction(1, 2), Fraction(1, 2))
    assert project((Fraction(1, 4), Fraction(1, 4)), corners) == (Fraction(1, 4), Fraction(1, 4))
    assert project((Fraction(-1), Fraction(-2)), corners) == (Fraction(0), Fraction(0))
