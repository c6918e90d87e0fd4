"""The kernel on true lines: expectations, signs, ranges, membership, starts; and what a line rests on."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from shbcore.proof import *
from shbcore.proof.kernel import Context, parameters
from shbcore.proof.language import known
from shbcore.proof.letters import d, sample, x, z
from shbcore.proof.plain import plain

a, b, t = sp.symbols("a b t")
u, v = vector("u"), vector("v")


def names(outcome: Outcome) -> set[str]:
    assert outcome.passed, outcome.detail
    return {one.name for one in outcome.foundations}


def test_what_a_check_answers_is_true_only_for_a_proof() -> None:
    good, wrong = (line(0 <= g_k**2, [times * square(g_k)], scope=Scope.EVERY) for times in (1, 3))
    assert check(good)
    assert not check(wrong)
    assert check(wrong).detail == "identity fails: -2 * |g_k|^2"


def test_a_field_knows_its_letters() -> None:
    assert [known(one) for one in (x_prev, x_k, x_next, g_k, g_next, x_hat)] == [-2, -1, 0, 0, 1, -1]
    assert known(x(0, True)) == TOTAL
    assert known(sample(0, True)) == 0


def test_a_fresh_sample_is_replaced_by_its_mean_against_what_was_known_before() -> None:
    product = line((g_k @ x_k).equals(f.slope(x_k) @ x_k), given=PAST, assumes=(A1,), scope=Scope.EVERY)
    assert "(A1)" in names(check(product))


def test_unbiasedness_is_recorded_only_where_it_is_needed() -> None:
    convex = line(
        z_next**2 <= beta * g_next**2 + (1 - beta) * d_next**2,
        [1 * square_convexity(g_next, d_next, beta)],
        NOW,
        scope=Scope.EVERY,
    )
    assert "(A1)" not in names(check(convex))


def test_the_tower_property_joins_fields() -> None:
    inner = line(E(E(g_k**2, NOW), PAST).equals(E(g_k**2, PAST)), given=PATHWISE, scope=Scope.EVERY)
    assert check(inner).passed


@pytest.mark.parametrize(
    ("value", "domain", "weak", "strict"),
    [
        (a, Domain(nonnegative(a)), True, False),
        (a, Domain(positive(a)), True, True),
        (a - 1, Domain(at_least(a, 1)), True, False),
        (1 - a, Domain(between(a, 0, 1)), True, False),
        (a, Domain(between(a, 0, 1)), True, True),
        (1 - 2 * a * b, Domain(nonnegative(b), inverse_at_least(a, 2 * b)), True, False),
        (1 - a * b, Domain(positive(b), inverse_above(a, b)), True, True),
        (2 - a, Domain(between(a, 0, 1)), True, True),
        (a - 1, Domain(positive(a)), False, False),
        (a**2 - a + 1, Domain(positive(a)), True, True),
        (sp.Rational(1, 2) - a, Domain(between(a, 0, 1)), False, False),
    ],
)
def test_signs_over_a_whole_range(value: sp.Expr, domain: Domain, weak: bool, strict: bool) -> None:
    assert parameters(domain).sign(value) == (weak, strict)


def test_every_domain_has_a_rational_point_inside_it() -> None:
    point = parameters(ADMISSIBLE).point()
    assert 0 < point[beta] <= 1
    assert 1 / point[lam] >= 2 * point[rho]
    assert point[alpha] == point[beta] / point[nu]


def test_convex_combinations_of_points_of_the_set_lie_in_it() -> None:
    inside = Context(ADMISSIBLE, Scope.EVERY, ())
    inside.inside((1 - beta) * x_k + beta * x_next)
    with pytest.raises(Refused, match="not shown to lie"):
        inside.inside((1 - beta) * x_k + 2 * beta * x_next)
    free = Context(ADMISSIBLE, Scope.EVERY, (WHOLE_SPACE,))
    free.inside(u)
    assert WHOLE_SPACE in free.used


def test_one_step_covers_every_step_but_the_first_with_the_printed_start() -> None:
    step = d_next**2 <= z_k**2
    terms = [1 / alpha**2 * nonexpansive(x_next, trial, x_k)]
    assert names(check(line(step, terms, scope=Scope.STEP))) >= {"the repaired start", "the direction"}
    assert "the repaired start" not in names(check(line(step, terms, scope=Scope.LATE)))
    assert not check(line(step, terms, scope=Scope.EVERY)).passed
    any_direction = [1 / alpha**2 * nonexpansive(x_next, trial_at(z_any), x_k)]
    assert check(line(d_next**2 <= z_any**2, any_direction, scope=Scope.EVERY)).passed


def test_the_two_starts_are_two_vectors() -> None:
    assert check(identity(z(0, True), beta * sample(0, True), scope=Scope.FIRST_REPAIRED)).passed
    assert check(identity(d(0, True), 0 * x(0, True), scope=Scope.FIRST_ANY)).passed


def test_an_earlier_line_is_verified_on_the_domain_of_use() -> None:
    everywhere = line(0 <= a * u**2, [a * square(u)], domain=Domain(nonnegative(a)))
    use = line(0 <= a * u**2, [1 * everywhere], domain=Domain(between(a, 0, 1)))
    assert check(use).passed
    assert not check(line(0 <= a * u**2, [1 * everywhere], domain=Domain(at_least(a, -1)))).passed


def test_a_limit_keeps_what_does_not_depend_on_the_parameter() -> None:
    optimal = projection(x_next, trial_at(z_any), x_k)
    use = line(0 <= (x_next - trial_at(z_any)) @ (x_k - x_next), [1 * optimal], scope=Scope.EVERY)
    assert "limit" in names(check(use))


def test_smoothness_contains_weak_convexity() -> None:
    below = line(
        f(x_k) + f.slope(x_k) @ (x_prev - x_k) <= f(x_prev) + rho / 2 * (x_prev - x_k) ** 2,
        [1 * weak_convexity(f, x_k, x_prev)],
        assumes=(SMOOTH,),
        scope=Scope.EVERY,
    )
    assert any("smooth" in name for name in names(check(below)))


def test_exact_coefficients_are_taken_as_they_are() -> None:
    assert check(line(0 <= Fraction(1, 3) * u**2, [Fraction(1, 3) * square(u)], domain=Domain())).passed


def test_a_refusal_names_what_is_left_over() -> None:
    found = check(line(u @ v <= u**2 / 2 + v**2, [sp.Rational(1, 2) * square(u - v)], domain=Domain()))
    assert found.detail == "identity fails: 1/2 * |v|^2"


def test_a_refusal_is_plain_text_with_sums_in_brackets() -> None:
    wrong = check(line(((1 - beta) * g_k**2).equals(g_k**2), given=PAST, scope=Scope.EVERY))
    assert wrong.detail == "identity fails: beta * E[|g_k|^2 | F_{k-1}]"
    longer = check(line(((2 - beta) * u).equals(u), domain=Domain(between(beta, 0, 1))))
    assert longer.detail == "identity fails: (beta - 1) * u"
    outside = check(line(f_star <= f(x_bar), [1 * infimum(f, x_bar)], assumes=(BOUNDED_BELOW,), scope=Scope.EVERY))
    assert outside.detail.startswith("x_bar_k is not shown to lie in X")
    assert plain(r"$\|x_k-\bar x_k\|^2\le \frac{\alpha^2}{2 \lambda}$") == "|x_k-x_bar_k|^2<= (alpha^2)/(2 lambda)"


def test_the_facts_of_a_line_are_put_together_by_flat() -> None:
    from shbcore.claims.appendix_a import lemma_3

    whole = flat(lemma_3())
    assert check(whole).passed
    assert len(whole.terms) == 6
    assert whole.statement is lemma_3().statement


def test_a_line_and_a_statement_are_shown_in_plain_text() -> None:
    says = Statement(f(x_next) <= f(x_k) + sp.Rational(1, 2) * d_k**2, PATHWISE, ADMISSIBLE, (), Scope.STEP)
    assert str(says) == "f(x_{k+1}) <= f(x_k)+1/2 |d_k|^2, for every k>=1, and for k=0 if z_0=beta g_0"
    assert str(Line(says)) == str(says)
    assert str(replace(says, scope=Scope.ANY)) == "f(x_{k+1}) <= f(x_k)+1/2 |d_k|^2"


def test_a_fraction_of_two_negative_polynomials_is_positive_and_of_two_signs_is_not() -> None:
    at = parameters(Domain(positive(beta)))
    s = at.space.field.ring.gens[0]
    assert at._of_fraction(-s, -1 - s) == (True, True)
    assert at._of_fraction(s, -1 - s) == (False, False)
    assert at._of_fraction(0 * s, -1 - s) == (True, False)


def test_a_parameter_whose_denominator_has_two_signs_leaves_signs_to_the_longer_way() -> None:
    t = sp.Symbol("t")
    at = parameters(Domain(positive(beta), at_least(t, 1 / (beta**2 - beta + 1))))
    assert at.fractions is None
    assert at.sign(t) == (False, False)
    assert at.sign(beta) == (True, True)
