"""The book shows only what holds, and shows it from the object: a false line, a failing check or a wrong verdict cannot be displayed."""

from dataclasses import replace

import numpy as np
import pytest

from shbcore.claims.appendix_a import NOISE, lemma_3, norm
from shbcore.claims.beyond.constrained import average
from shbcore.claims.registry import EVIDENCE, claim, claims
from shbcore.pages import cards, style
from shbcore.pages.cards import evidence, maths, tex
from shbcore.proof.latex import display


def test_a_certificate_lists_every_term_with_its_reason() -> None:
    shown = style.certificate(norm())
    assert shown.html.count("<small>") == len(norm().terms)
    assert "nonexpansiveness" in repr(shown)


def test_the_certificate_of_a_false_line_is_not_shown() -> None:
    with pytest.raises(AssertionError, match="identity fails"):
        style.certificate(lemma_3(noise=NOISE / 2))


def test_a_statement_is_set_from_the_formal_object() -> None:
    shown = style.statement("lem:xdiff:non-smooth", equations=("eq:lem:xdiff:non-smooth",))
    says = lemma_3().statement
    assert display(says.relation, says.given) in shown.myst
    assert "{prf:lemma}" in shown.myst
    assert ":label: lem:xdiff:non-smooth" in shown.myst
    assert "$$ (eq:lem:xdiff:non-smooth)" in shown.myst
    assert says.words in repr(shown)
    assert set(shown._repr_mimebundle_()) == {"text/html", "text/plain", "text/markdown"}


def test_a_changed_constant_changes_the_page() -> None:
    right = style.statement("own:one", lemma_3(), title="ours")
    other = replace(lemma_3().statement, relation=lemma_3(noise=NOISE * 2).statement.relation)
    assert style.statement("own:one", other, title="ours").myst != right.myst


def test_a_false_line_is_not_stated() -> None:
    with pytest.raises(AssertionError, match="identity fails"):
        style.statement("own:one", lemma_3(noise=NOISE / 2), title="ours")


def test_the_card_of_an_entry_with_a_failing_check_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    one = claim("eq:prox")
    broken = replace(one, says=(), more=tuple(replace(part, run=part.control) for part in one.checks))
    assert one.title in repr(style.erratum("eq:prox"))
    monkeypatch.setattr(cards, "claim", lambda label: broken)
    with pytest.raises(AssertionError, match="check failed"):
        style.entry("eq:prox")


def test_a_line_that_is_right_as_printed_has_no_erratum() -> None:
    with pytest.raises(ValueError, match="right as printed"):
        style.erratum("lem:weak:convexity/1")


def test_an_erratum_shows_printed_and_repaired_statement() -> None:
    shown = repr(style.erratum("eq:znorm"))
    assert r"\mathcal{F}_{k-1}" in shown
    assert claim("eq:znorm").statements[0].words in shown


def test_verdicts_say_what_they_return_and_take_only_truth_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert style.verdict("a", True)
    assert not style.verdict("b", np.bool_(False))
    assert style.refuted("c", True)
    assert not style.refuted("d", False)
    assert capsys.readouterr().out.split("\n")[:4] == ["HOLDS: a", "FAILS: b", "REFUTED: c", "NOT REFUTED: d"]
    for wrong in (1, "yes", lemma_3().statement.relation, None):
        with pytest.raises(TypeError, match="needs True or False"):
            style.verdict("e", wrong)


def test_formulas_keep_their_backslashes_and_text_is_escaped() -> None:
    assert tex(r"if $a<b$ & $\rho$") == r"if \(a&lt;b\) &amp; \(\rho\)"


def test_every_claim_of_a_chapter_is_in_its_table() -> None:
    titles = repr(style.claims("moreau_envelope"))
    assert all(one.title in titles for one in claims() if one.chapter == "moreau_envelope")


@pytest.mark.parametrize(
    ("plain", "set_"),
    [
        ("alpha = 1/4", r"\(\alpha\) = 1/4"),
        ("(2 nu), lambda", r'(2 <span class="hold">\(\nu\)),</span> \(\lambda\)'),
        ("x_0 <= x_bar_{k+1}", r"\(x_{0}\) ≤ \(\bar x_{k+1}\)"),
        ("|z_k|^2 at F_{k-1}", r"|\(z_{k}\)|² at \(\mathcal{F}_{k-1}\)"),
        ("eq:thrm:1 has K = 3", "eq:thrm:1 has K = 3"),
        ("a < b", "a &lt; b"),
    ],
)
def test_formulas_in_plain_letters_are_set(plain: str, set_: str) -> None:
    assert maths(plain) == set_


def test_evidence_is_grouped_by_kind_strongest_first() -> None:
    shown = evidence(claim("lem:xdiff:non-smooth").checks)
    kinds = [kind for kind in EVIDENCE if f"<em>{kind}:</em>" in shown]
    places = [shown.index(f"<em>{kind}:</em>") for kind in kinds]
    assert places == sorted(places)
    assert all(shown.count(f"<em>{kind}:</em>") == 1 for kind in kinds)


def test_the_last_term_of_a_sum_over_all_steps_has_the_last_index() -> None:
    shown = style.certificate(average(shift=True)).text
    assert (
        r"\sum_{k=0}^{K-1}\mathbb{E}\|\nabla F_\lambda(\bar x_k)\|^2+\mathbb{E}\|\nabla F_\lambda(\bar x_K)\|^2"
        in shown
    )
    assert r"0\le \|\nabla F_\lambda(\bar x_K)\|^2" in shown
    assert r"\bar x_{K-1}" not in shown


def test_a_bound_at_a_random_index_says_that_the_index_is_independent() -> None:
    for shift in (False, True):
        assert "independent of the samples" in average(shift=shift).statement.words
