"""Every certificate beyond the paper passes, and its control is rejected; the exact trees agree."""

from importlib import import_module

import pytest

from shbcore.claims.beyond import enumerated
from shbcore.claims.beyond.necessity import triangle

FILES = ("printed_start", "energy", "open_question", "necessity", "theorem3_short", "schedules", "almost_surely")
PROOFS = [
    pytest.param(proof, id=f"{label}: {proof.what} ({proof.control_what})")
    for name in FILES
    for label, row in import_module(f"shbcore.claims.beyond.{name}").PROOFS.items()
    for proof in row
]


@pytest.mark.parametrize("proof", PROOFS)
def test_certificate_and_control(proof):
    verdict, control = proof.run(), proof.control()
    assert verdict.passed, verdict.detail
    assert not control.passed, control.detail


@pytest.mark.parametrize("name", enumerated.TRIALS)
def test_exact_trees(name):
    found = enumerated.distribution(name, count=40)
    assert found.violations == 0
    assert max(found.ratios) > 0.001


def test_triangle_needs_the_gradient_at_the_start():
    for N in (30, 45):
        printed, other = triangle(N), triangle(N, "beta_g0")
        assert printed.scaled > 10 * printed.gap > other.scaled
