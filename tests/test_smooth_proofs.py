"""Every certificate of the smooth half holds, and every perturbed one is rejected."""

import pytest

from shbcore.claims import smooth_proofs
from shbcore.claims.labels import PLACES
from shbcore.claims.theorem3_proofs import THEOREM_3, first_step_3, first_step_printed, theorem_3, theorem_3_start
from shbcore.claims.W_proofs import lemma_W, stepsizes_up_to
from shbcore.proof.positivity import prove_nonnegative
from shbcore.proof.step import alpha, rho

CASES = [(label, i) for label, proofs in smooth_proofs.PROOFS.items() for i in range(len(proofs))]


@pytest.mark.parametrize(("label", "index"), CASES)
def test_certificate_holds_and_its_control_is_rejected(label: str, index: int) -> None:
    proof = smooth_proofs.PROOFS[label][index]
    assert proof.run().passed, proof.run().detail
    assert not proof.control().passed, f"the control '{proof.control_what}' survived"


def test_every_proof_stands_under_a_label_of_the_paper() -> None:
    assert set(smooth_proofs.PROOFS) <= {place.name for place in PLACES}


def test_w_lemma_needs_its_stepsize_bound() -> None:
    too_long = lemma_W(threshold=1)
    assert not too_long.verify().passed
    assert prove_nonnegative(1 - rho * alpha, stepsizes_up_to(1)).passed


def test_theorem_3_needs_every_hypothesis() -> None:
    for whole in (theorem_3(), first_step_3(), theorem_3_start(), first_step_printed()):
        for i in range(len(whole.terms)):
            assert not whole.without(i).verify().passed


def test_theorem_3_domain_keeps_the_stepsize_of_the_w_lemma() -> None:
    assert prove_nonnegative(1 - 4 * rho * alpha, THEOREM_3).passed
