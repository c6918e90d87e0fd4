"""Every formal statement, changed in one place: the kernel notices, or the changed statement is proved as well."""

import pytest

from shbcore.claims import falsify
from shbcore.claims.registry import claim, claims
from shbcore.claims.trial import RARE, compare

KNOWN = {
    "eq:varphi:diff:3": "constant",
    "lem:xdiff:non-smooth": "field",
    "eq:proof:lem:1:norm": "start",
    "lem:Wfunc:smooth": "range",
}


def test_a_sample_of_changes_is_noticed_in_every_claim() -> None:
    found = falsify.run(sample=3, seed=2, jobs=2)
    changed = {one[0] for one in found}
    assert changed == {entry.label for entry in claims() if entry.statements}
    missed = [one for one in found if not one[2]]
    assert len(missed) <= len(found) // 12
    assert {one[1] for one in missed} <= {
        "assumption",
        "field",
        "range",
        "start",
        "exponent",
        "index",
        "sign",
        "constant",
    }


@pytest.mark.parametrize(("label", "change"), KNOWN.items())
def test_a_known_falsehood_is_noticed(label: str, change: str) -> None:
    (part, *_) = claim(label).says
    mutants = [one for one in falsify.mutants(label, part.statement) if one.change == change]
    assert mutants
    assert any(falsify.noticed(part.build, one) for one in mutants)


def test_seven_beta_for_beta_is_noticed_by_kernel_and_by_instances() -> None:
    (part, *_) = claim("eq:varphi:diff:3").says
    wrong = part.build(share=7)
    from shbcore.proof import check

    assert not check(wrong).passed
    assert any(not one.holds for k in (0, 1) for one in compare(wrong.statement, RARE, k))
