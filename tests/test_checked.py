"""Evidence from the kernel of Coq: it is there for what matters, and a statement that has changed since is not checked."""

import json
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from shbcore.claims import checked, verify
from shbcore.claims.appendix_a import NOISE, lemma_3
from shbcore.claims.cli import listing
from shbcore.claims.registry import EVIDENCE, Check, Claim, claim, claims, proved
from shbcore.pages import cards, coq
from shbcore.pages import listing as ledger
from shbcore.proof.kernel import Line

RESULTS = [one for one in claims() if not one.own and one.kind in ("lemma", "theorem")]


def of_kernel(entry: Claim) -> list[Check]:
    return [one for one in entry.checks if one.kind == "kernel"]


def test_it_is_the_strongest_kind_and_stands_first() -> None:
    assert EVIDENCE[0] == "kernel"
    assert claim("lem:xdiff:non-smooth").checks[0].kind == "kernel"


@pytest.mark.parametrize("entry", RESULTS, ids=lambda entry: entry.label)
def test_every_lemma_and_theorem_has_it(entry: Claim) -> None:
    assert of_kernel(entry)
    assert all(verify.run_check(one).passed for one in of_kernel(entry))


def test_every_displayed_step_with_a_certificate_has_it_or_is_left_out() -> None:
    left_out = {one["label"] for one in checked.record()["left_out"]}
    missing = [
        one.label
        for one in claims()
        if not one.own and checked.certificates(one) and not of_kernel(one) and one.label not in left_out
    ]
    assert missing == []


def with_noise(entry: Claim, noise: Any) -> Claim:
    """Lemma 3 with another constant."""
    first = proved(lambda: lemma_3(noise=noise), "changed", "no control")
    return replace(entry, says=(first,), more=())


def test_a_changed_constant_is_not_checked() -> None:
    entry = claim("lem:xdiff:non-smooth")
    assert all(one.run().passed for one in of_kernel(with_noise(entry, NOISE)))
    for wrong in of_kernel(with_noise(entry, NOISE * sp.Rational(11, 10))):
        found = wrong.run()
        assert not found.passed
        assert "not checked" in found.detail
    (result,) = verify.run([with_noise(entry, NOISE * sp.Rational(11, 10))])
    assert not result.passed


def test_a_changed_proof_of_the_same_statement_is_not_checked() -> None:
    line = lemma_3()
    other = Line(line.statement, (*line.terms, 1 * line.terms[0].source))
    entry = replace(claim("lem:xdiff:non-smooth"), says=(proved(lambda: other, "longer", "no control"),), more=())
    assert not next(one for one in of_kernel(entry) if "lines" in one.what).run().passed


def test_a_refutation_is_about_the_printed_line() -> None:
    entry = claim("eq:lem:xdiff:non-smooth")
    part = next(one for one in of_kernel(entry) if "line is refuted" in one.what)
    assert part.run().passed
    (says,) = entry.printed
    relation = replace(says.relation, right=sp.Rational(11, 10) * says.relation.right)
    other = replace(entry, printed=(replace(says, relation=relation),))
    assert not next(one for one in of_kernel(other) if "line is refuted" in one.what).run().passed


def test_a_control_in_the_record_would_not_be_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = claim("lem:xdiff:non-smooth")
    part = next(one for one in of_kernel(entry) if " checked" in one.what)
    assert verify.run_check(part).control_rejected
    wrong = [one.build(**one.change) for one in checked.certificates(entry) if one.build and one.change]
    marks = {checked.mark(one, one.statement.domain): "planted" for one in wrong}
    monkeypatch.setattr(checked, "_known", lambda: {**KNOWN, **marks})
    assert not verify.run_check(part).control_rejected


KNOWN = checked._known()


def test_a_form_with_another_constant_is_called_one() -> None:
    found = [(entry, one) for entry in RESULTS for one in checked.written(entry.label)]
    assert any(one.same for _, one in found)
    for entry, one in found:
        says = [each.fingerprint for each in entry.statements]
        if one.same is not None and not one.refutes and not one.inhabits:
            assert ("a form of it" in one.what(says)) != bool(set(one.same) & set(says))


def test_a_theorem_that_is_a_statement_of_another_claim_is_a_form_of_its_own() -> None:
    entry = claim("thrm:non-smooth:complexity/ten")
    rows = {one.name: one for one in checked.written(entry.label)}
    says = [each.fingerprint for each in entry.statements]
    assert rows["Theorem_1_ten"].what(says).startswith("proved from")
    assert rows["Theorem_1_falling_printed_start"].same
    assert rows["Theorem_1_falling_printed_start"].what(says).startswith("a form of it")


def test_a_refuted_definition_has_a_fingerprint_of_its_own() -> None:
    entry = claim("lem:Vfunc:non-smooth/gamma")
    (part,) = (one for one in of_kernel(entry) if "line is refuted" in one.what)
    assert verify.run_check(part).passed
    (printed,) = entry.printed
    for other in ((replace(printed, formula=printed.formula + 1),), ()):
        (part,) = (one for one in of_kernel(replace(entry, printed=other)) if "line is refuted" in one.what)
        assert not part.run().passed
        assert part.control() is not None


def test_lines_of_further_evidence_are_told_apart() -> None:
    entry = claim("lem:xdiff:non-smooth")
    (what,) = (one.what for one in of_kernel(entry) if " checked" in one.what)
    held = checked.record()["claims"][entry.label]
    assert what.startswith(f"{held['lines']} lines checked one by one")
    assert what.endswith(f"{held['more_lines']} more of its further evidence")
    (what,) = (one.what for one in of_kernel(claim("eq:SHB:unconstrained")) if " checked" in one.what)
    assert what == "1 line of its further evidence checked"


def test_a_claim_without_it_says_why() -> None:
    for entry in claims():
        assert bool(checked.why_not(entry)) != bool(of_kernel(entry))


def test_cards_and_the_ledger_show_the_statement_of_coq() -> None:
    entry = claim("lem:xdiff:non-smooth")
    for html in (cards.entry(entry.label).html, ledger.ledger_table([entry]).html):
        assert "<details" in html
        assert "Theorem Lemma_3" in html
        assert "<em>Coq:</em>" in html or "&nbsp;Coq" in html


def test_lines_beside_the_paper_stand_in_coq() -> None:
    assert "V -&gt; Prop" in coq.beside(["Theorem_1"], coq.THEOREM_1).html
    with pytest.raises(AssertionError, match="Coq has no line"):
        coq.beside(["Theorem_1"], [("gamma_1 lam beta nu * 2", "changed")])


def test_the_command_line_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert listing(["lem:xdiff:non-smooth"]) == 0
    assert "(kernel, certificate" in capsys.readouterr().out


def test_the_record_is_small_and_one_row_a_line() -> None:
    text = checked.RECORD.read_text()
    assert len(text) < 600_000
    assert json.loads(text)["coq"]
