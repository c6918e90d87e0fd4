"""Certificates: the identity is exact, the signs are proved, and nothing weaker passes."""
# ruff: noqa: SIM300  -- claims are written as on paper

import pytest
import sympy as sp

from shbcore.claims import nonsmooth_proofs
from shbcore.claims.background_proofs import smooth_lower
from shbcore.claims.labels import ORDER
from shbcore.claims.lemma3_proofs import (
    LEFT_3,
    NOISE,
    RIGHT_3,
    lemma_3,
    lemma_3_family,
    lemma_3_given,
    norm_bounded,
    theta,
)
from shbcore.claims.lemma4_proofs import GAMMA, GAMMA_PRINTED, inner_1_bounded, lemma_4, lemma_4_family, lemma_4_given
from shbcore.claims.nonsmooth_proofs import first_step, theorem_1, theorem_1_start
from shbcore.claims.W_proofs import noise_against_momentum
from shbcore.model import constants
from shbcore.proof.algebra import TRIVIAL, vanishes, vector
from shbcore.proof.certificate import Certificate, find, identity, sign
from shbcore.proof.hypotheses import bounded, combination, given, nonexpansive, projection, square, young
from shbcore.proof.positivity import Domain, inverse_at_least, inverse_between, positive
from shbcore.proof.step import ADMISSIBLE, L2, alpha, beta, d_k, d_next, g_k, lam, nu, rho, trial, x_k, x_next

CASES = [(label, i) for label, proofs in nonsmooth_proofs.PROOFS.items() for i in range(len(proofs))]


@pytest.mark.parametrize(("label", "index"), CASES, ids=[f"{label}-{i}" for label, i in CASES])
def test_every_line_of_the_non_smooth_half_is_certified_and_its_control_rejected(label, index):
    proof = nonsmooth_proofs.PROOFS[label][index]
    verdict, control = proof.run(), proof.control()
    assert verdict.passed, verdict.detail
    assert not control.passed, control.detail
    assert label in ORDER


def test_lemma_3_comes_out_of_one_linear_solve():
    written = lemma_3().flat()
    found = find(written.claim, [term.hypothesis for term in written.terms], TRIVIAL)
    assert found.verify().passed
    pairs = zip(written.terms, found.terms, strict=True)
    assert all(vanishes(ADMISSIBLE.define(a.multiplier - b.multiplier)) for a, b in pairs)


def test_lemma_3_comes_out_of_a_linear_programme_with_exact_recovery():
    at = {rho: 1, nu: 2, beta: sp.Rational(1, 4), L2: 3}
    written = lemma_3().flat()
    found = find(written.claim, [term.hypothesis for term in written.terms], TRIVIAL, at=at)
    assert found.verify().passed
    assert all(term.multiplier.is_Rational for term in found.terms)


def droppable(certificate):
    flat = certificate.flat()
    assert flat.verify().passed
    assert flat.refit().passed
    return [flat.terms[i].hypothesis.latex for i in range(len(flat.terms)) if flat.without(i).refit().passed]


@pytest.mark.parametrize("build", [lemma_3, lemma_4])
def test_no_hypothesis_of_lemmas_3_and_4_can_be_dropped(build):
    assert droppable(build()) == []


@pytest.mark.parametrize("build", [lemma_3_given, lemma_4_given])
def test_only_one_of_three_dependent_facts_about_the_projection_can_be_dropped_from_the_conditional_forms(build):
    combined = nonexpansive(trial, x_next, (1 - beta, x_k), (beta, x_next))
    at_x, optimal = nonexpansive(trial, x_next, (1, x_k)), projection(trial, x_next, (1, x_k))
    assert (combined.expression - at_x.expression + 2 * beta * optimal.expression).is_zero()
    assert set(droppable(build())) == {combined.latex, at_x.latex, optimal.latex}


def test_lemma_3_as_printed_is_not_certified_given_the_past():
    total = lemma_3()
    conditional = Certificate(total.claim, total.terms, -1)
    verdict = conditional.verify()
    assert not verdict.passed
    assert r"\|d_k\|^2" in verdict.detail
    assert not conditional.refit().passed


def test_the_conditional_form_of_lemma_3_implies_the_total_one():
    terms = [
        1 * lemma_3_given().hypothesis(),
        alpha**2 * (1 - beta) * (rho + nu) / 2 * bounded(d_k, L2, total=True),
    ]
    assert Certificate(LEFT_3 <= RIGHT_3 + alpha**2 * NOISE * L2, terms, TRIVIAL).verify().passed


@pytest.mark.parametrize(("family", "member"), [(lemma_3_family, lemma_3_given), (lemma_4_family, lemma_4_given)])
def test_the_conditional_forms_are_the_members_theta_1_of_their_families(family, member):
    at_1 = (family().claim.gap - member().claim.gap).map(lambda value: ADMISSIBLE.define(value).subs(theta, 1))
    assert at_1.is_zero()
    assert not (family().claim.gap - member().claim.gap).map(ADMISSIBLE.define).is_zero()


def test_the_printed_start_leaves_the_factor_of_Delta_as_it_is():
    for gap in (0, 1):
        of = {"gap": gap, "L2": 3, "envelope": 1, "gamma": 2, "gamma_1": 5, "alpha_0": sp.Integer(7), "root": 2}
        more = constants.theorem_1_bound_start(excess=11, **of) - constants.theorem_1_bound(**of)
        assert more == sp.Rational(2 * 11 * 3, 7 * 2)
    assert all(not first_step().without(i).verify().passed for i in range(len(first_step().terms)))


def test_the_printed_gamma_follows_from_no_multipliers():
    assert lemma_4(GAMMA).flat().refit().passed
    assert not lemma_4(GAMMA_PRINTED).flat().refit().passed


def test_a_negative_multiplier_is_rejected():
    v = vector("v")
    verdict = Certificate(0 <= -(v**2), [-1 * square(v)]).verify()
    assert not verdict.passed
    assert "multiplier of square" in verdict.detail


def test_a_hypothesis_outside_its_own_range_is_rejected():
    u, v = vector("u"), vector("v")
    claim = u @ v <= u**2 / (2 * (beta - 1)) + (beta - 1) / 2 * v**2
    assert not Certificate(claim, [1 * young(u, v, beta - 1)]).verify().passed
    with pytest.raises(ValueError, match="sum to 1"):
        combination([(beta, u), (beta, v)])


def test_an_equality_cannot_rest_on_an_inequality():
    v = vector("v")
    assert not Certificate((v**2).equals(0 * v**2), [-1 * square(v)]).verify().passed
    assert identity((2 * v) ** 2, 4 * v**2).verify().passed


def test_a_total_bound_does_not_serve_conditionally():
    claim = d_next**2 <= L2
    assert Certificate(claim, [1 * bounded(d_next, L2, total=True)], TRIVIAL).verify().passed
    assert not Certificate(claim, [1 * bounded(d_next, L2, total=True)], -1).verify().passed


def test_no_multipliers_is_an_error_for_find():
    u, v = vector("u"), vector("v")
    with pytest.raises(ValueError, match="do not span"):
        find(u @ v <= u**2, [square(u)])
    with pytest.raises(ValueError, match="rational value"):
        find(u @ v <= alpha * u**2, [square(u)], at={rho: 1})


def test_signs_of_parameters_are_certificates_too():
    assert sign(1 - beta).verify().passed
    assert not sign(1 - 2 * beta).verify().passed
    assert not sign(sp.Rational(9, 20) - rho * lam).verify().passed


def test_theorem_1_flattens_to_assumptions():
    for certificate in (theorem_1(), theorem_1_start()):
        flat = certificate.flat()
        assert flat.verify().passed
        assert all(term.hypothesis.proof is None for term in flat.terms)


def test_the_table_has_a_row_for_each_term_and_latex_is_produced():
    certificate = norm_bounded()
    rows = certificate.table()
    assert [row["where"] for row in rows] == [
        "eq:proof:lem:1:norm:2",
        "proof:lem:1:inp:g:xdiff",
        "eq:x:opt:cond:x_next:new",
    ]
    assert rows[1]["multiplier"] == r"$1 - \beta$"
    assert certificate.latex().startswith(r"\begin{align*}")


def test_a_hypothesis_of_ones_own_can_be_stated():
    h = given("cap", g_k**2 <= 4, r"\|g_k\|^2\le4", "", "assumed")
    assert Certificate(g_k**2 <= 5, [1 * h, 1 * given("1>0", 0 * g_k**2 <= 1, "1>0", "", "")]).verify().passed
    assert not Certificate(g_k**2 <= 3, [1 * h]).refit().passed


def test_an_earlier_line_is_verified_again_where_it_is_used_on_another_domain():
    longer = ADMISSIBLE.also(inverse_between(lam, 3 * rho / 2, 2 * rho), positive(rho))
    line = inner_1_bounded()
    assert line.verify().passed
    moved = Certificate(line.claim, [1 * line.hypothesis()], domain=longer).verify()
    assert not moved.passed
    assert "on this domain" in moved.detail


def test_a_denominator_that_vanishes_on_the_domain_is_refused():
    """An identity of rational functions says nothing at a pole: at lambda rho = 1 the lower half of Lemma 2 has one."""
    closed = Domain(positive(rho), inverse_at_least(lam, rho))
    assert smooth_lower().poles() == []
    assert smooth_lower(domain=closed).poles()
    assert "may vanish" in smooth_lower(domain=closed).verify().detail
    assert smooth_lower().verify().passed


def test_only_the_parameters_that_occur_are_listed():
    shown = {one.symbol for one in lemma_3().flat().ranges()}
    assert {rho, beta, L2, alpha, nu} == shown
    assert lam in {one.symbol for one in lemma_4().ranges()}


def test_one_term_is_not_called_terms():
    assert identity(d_k, d_k).verify().detail == "identity exact"
    assert (
        Certificate(0 * d_k**2 <= d_k**2, [1 * square(d_k)]).verify().detail
        == "identity exact; 1 term with proved signs"
    )


def test_a_condition_of_an_earlier_line_is_listed_though_its_parameter_does_not_occur():
    """The line before holds for rho alpha <= 1; so does this one, which does not mention rho."""
    line = noise_against_momentum()
    assert rho not in {symbol for value in line.coefficients() for symbol in value.free_symbols}
    assert rho in {one.symbol for one in line.ranges()}
