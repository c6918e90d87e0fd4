"""The cards of the book show only what holds: a false certificate, a failing check or a wrong verdict cannot be displayed."""

from dataclasses import replace

import pytest

from shbcore import style
from shbcore.cards import evidence, maths, tex
from shbcore.claims import background_proofs as proofs
from shbcore.claims import ledger


def test_certificate_table_lists_every_term_of_a_valid_certificate() -> None:
    proof = proofs.smooth_lower()
    assert len(repr(style.certificate(proof)).splitlines()) == 1 + len(proof.terms)


def test_certificate_of_a_false_claim_is_not_shown() -> None:
    with pytest.raises(AssertionError, match="identity fails"):
        style.certificate(proofs.subgradient(bend=1))


def test_card_of_an_entry_with_a_failing_check_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = ledger.claim("eq:prox")
    broken = replace(claim, checks=tuple(replace(check, run=check.control) for check in claim.checks))
    assert claim.title in repr(style.erratum("eq:prox"))
    monkeypatch.setattr(ledger, "claim", lambda label: broken)
    with pytest.raises(AssertionError, match="check failed"):
        style.entry("eq:prox")


def test_a_line_that_is_right_as_printed_has_no_erratum() -> None:
    with pytest.raises(ValueError, match="right as printed"):
        style.erratum("lem:weak:convexity/1")


def test_verdicts_say_what_they_return(capsys: pytest.CaptureFixture[str]) -> None:
    assert style.verdict("a", True)
    assert not style.verdict("b", False)
    assert style.refuted("c", True)
    assert not style.refuted("d", False)
    assert capsys.readouterr().out.split("\n")[:4] == ["HOLDS: a", "FAILS: b", "REFUTED: c", "NOT REFUTED: d"]


def test_formulas_keep_their_backslashes_and_text_is_escaped() -> None:
    assert tex(r"if $a<b$ & $\rho$") == r"if \(a&lt;b\) &amp; \(\rho\)"


def test_every_claim_of_a_chapter_is_in_its_table() -> None:
    titles = repr(style.claims("moreau_envelope"))
    assert all(one.title in titles for one in ledger.claims() if one.chapter == "moreau_envelope")


@pytest.mark.parametrize(
    ("plain", "set_"),
    [
        ("alpha = 1/4", r"\(\alpha\) = 1/4"),
        ("(2 nu), lambda", r'(2 <span class="hold">\(\nu\)),</span> \(\lambda\)'),
        ("x_0 <= x_bar_{k+1}", r"\(x_{0}\) ≤ \(\bar x_{k+1}\)"),
        ("|z_k|^2 at F_{k-1}", r"|\(z_{k}\)|² at \(\mathcal{F}_{k-1}\)"),
        ("alpha_0^2, F_lambda", r'<span class="hold">\(\alpha_{0}^2\),</span> \(F_{\lambda}\)'),
        ("eq:thrm:1 has K = 3", "eq:thrm:1 has K = 3"),
        ("a < b", "a &lt; b"),
    ],
)
def test_formulas_in_plain_letters_are_set(plain: str, set_: str) -> None:
    assert maths(plain) == set_


def test_a_certificate_shows_each_reason_with_its_line() -> None:
    proof = proofs.smooth_lower()
    html = style.certificate(proof).html
    assert html.count("<small>") == len(proof.terms)
    assert all(term.hypothesis.why.split("$")[-1].strip() in html for term in proof.terms)


def test_evidence_is_grouped_by_kind_strongest_first() -> None:
    shown = evidence(ledger.claim("lem:xdiff:non-smooth").checks)
    kinds = [kind for kind in ledger.EVIDENCE if f"<em>{kind}:</em>" in shown]
    assert [shown.index(f"<em>{kind}:</em>") for kind in kinds] == sorted(
        shown.index(f"<em>{kind}:</em>") for kind in kinds
    )
    assert all(shown.count(f"<em>{kind}:</em>") == 1 for kind in kinds)
