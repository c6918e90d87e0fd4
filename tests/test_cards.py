"""The book shows only what holds, and shows it from the object: a false line, a failing check or a wrong verdict cannot be displayed."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shbcore.claims.appendix_a import NOISE, least_theta, lemma_3, lemma_3_family, norm
from shbcore.claims.beyond import momentum, schedules
from shbcore.claims.beyond.constrained import average
from shbcore.claims.registry import EVIDENCE, claim, claims
from shbcore.pages import cards, style
from shbcore.pages.cards import evidence, maths, tex
from shbcore.proof import in_words, latex
from shbcore.proof.domain import EVERYWHERE
from shbcore.proof.facts import Fact
from shbcore.proof.latex import display
from shbcore.proof.statement import Scope


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


def test_a_result_of_ones_own_is_called_by_its_label() -> None:
    assert "{prf:proposition} one step" in style.statement("one-step", lemma_3()).myst
    assert "{prf:proposition} ours" in style.statement("one-step", lemma_3(), title="ours").myst


def test_the_source_of_a_result_is_what_the_page_shows() -> None:
    says = lemma_3().statement
    text = repr(style.source(lemma_3()))
    assert f"\\[\n{display(says.relation, says.given)}\n\\]" in text
    assert text.startswith(r"Let $\rho\ge 0$, $\nu>0$, $\beta\in(0,1]$. Write $\alpha=\beta/\nu$.")
    assert "\n" + r"Assume $f$ is $\rho$-weakly convex, (A1), (A2). For every" in text
    assert "prf:" not in text
    assert "`" not in text
    assert "$$" not in text
    assert repr(style.source(norm())) != text
    with pytest.raises(AssertionError, match="identity fails"):
        style.source(lemma_3(noise=NOISE / 2))


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
    assert style.rejected("9/10", True)
    assert not style.rejected("9/10", False)
    assert capsys.readouterr().out.split("\n")[:2] == ["CONTROL REJECTED: 9/10", "CONTROL ACCEPTED: 9/10"]
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
        ("alpha = 1/4", r"\(\alpha = 1/4\)"),
        ("so (2 nu), lambda", r'so <span class="hold">\((2 \nu)\),</span> \(\lambda\)'),
        ("x_0 <= x_bar_{k+1}", r"\(x_{0} \le \bar x_{k+1}\)"),
        ("|z_k|^2 at F_(k-1)", r"\(\|z_{k}\|^2\) at \(\mathcal{F}_{k-1}\)"),
        ("eq:thrm:1 has K = 3", r"eq:thrm:1 has \(K = 3\)"),
        (
            "f(x) = -x for x <= 0, x - x^2/2 on [0, 2/5], slope 1",
            r"\(f(x) = -x\) for \(x \le 0\), \(x - x^2/2\) on \([0, 2/5]\), slope 1",
        ),
        (
            "f'(x,S) = +-1 with probability 1/2 (sigma = 1)",
            r"\(f'(x,S) = \pm 1\) with probability \(1/2\) (\(\sigma = 1\))",
        ),
        ("f(x) = 11/10 x - x^2/2", r"\(f(x) = \tfrac{11}{10} x - x^2/2\)"),
        ("sign(<a,x>^2 - b)", r"\(\operatorname{sign}(\langle a,x\rangle^2 - b)\)"),
        ("the sign of it, 1/4 of all", r"the sign of it, \(1/4\) of all"),
        ("f(x_0) - f* = L = 1", r"\(f(x_{0}) - f^\star = L = 1\)"),
        (
            "within 2.5e-07, panel 1(d), the paper's V_k",
            r"within \(2.5\cdot10^{-7}\), panel 1(d), the paper's \(V_{k}\)",
        ),
        ("a minimiser, no larger; (A2), (b), item 2", "a minimiser, no larger; (A2), (b), item 2"),
        ("SGD(params, lr=..., momentum=0)", "SGD(params, lr=..., momentum=0)"),
        ("measured < the bound", "measured &lt; the bound"),
    ],
)
def test_formulas_in_plain_letters_are_set(plain: str, set_: str) -> None:
    shown = maths(plain)
    assert (shown if "hold" in set_ else re.sub("</?span[^>]*>", "", shown)) == set_


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


# --- what is said together


def in_force(rows: list[tuple[str, Any]], end: str) -> list[tuple[Any, str]]:
    """Each statement with all the words that hold for it, as a reader reads them: a part holds until another of its kind is said."""
    found: list[tuple[Any, str]] = []
    assumed = run = start = ranges = ""
    for lead, one in rows:
        sentence, _, rest = lead.rpartition(". ")
        if sentence or lead.startswith("Assume"):
            assumed, rest = (sentence, rest) if sentence else (lead, "")
        steps, mark, own = re.split(r"(?i)(?:^|, )(for all|where)\b", rest.rstrip(":") + ", for all", maxsplit=1)
        own = f"{mark}{own}" if own else ""
        if steps.startswith("With"):
            start, ranges = steps, own or ranges
        elif steps:
            (run, _, start), ranges = steps.partition(", "), own
        elif own:
            ranges = own
        found.append((one, f"{assumed} {run}, {start} {ranges} {end}"))
    return found


def lost(one: Any, words: str) -> list[str]:
    """What a statement says and the words do not."""
    scope = in_words.setting(one, assumed=False)
    parts = [*scope.lower().split(", "), *(f"${in_words.entry(entry)}$" for entry in in_words.entries(one))]
    parts += in_words.assumptions(one.assumes).split(", ") + [in_words.index(one)]
    return [part for part in parts if part not in words and part not in words.lower()]


def added(one: Any, words: str, others: Any) -> list[str]:
    """What the words say of a schedule and the statement does not: it would be claimed for fewer schedules than were proved."""
    entries = [
        entry
        for other in others
        for entry in in_words.entries(other)
        if in_words.of_schedule(entry.symbol, other.domain)
    ]
    return [
        text for entry in entries if entry not in one.domain.entries and (text := f"${in_words.entry(entry)}$") in words
    ]


def test_a_range_of_one_schedule_would_be_noticed_in_another() -> None:
    any_, falling = schedules.anything().statement, schedules.monotone().statement
    assert added(any_, in_words.where(falling), [falling]) != []
    assert added(falling, in_words.where(falling), [falling]) == []
    rows, end = cards.told([any_, falling])
    assert [added(one, words, [any_, falling]) for one, words in in_force(rows, end.after)] == [[], []]


@pytest.mark.parametrize("one", [one for one in claims() if len(one.statements) > 1], ids=lambda one: one.label)
def test_things_said_together_keep_every_condition(one: Any) -> None:
    rows, end = cards.told(list(one.statements))
    assert [missing for says, words in in_force(rows, end.after) if (missing := lost(says, words))] == []
    assert [more for says, words in in_force(rows, end.after) if (more := added(says, words, one.statements))] == []
    printed = {latex.display(says.relation, says.given, scope=says.scope) for says in one.statements}
    assert {cards.formula(says) for _, says in rows} == printed


def test_a_condition_that_two_statements_do_not_share_stands_with_each() -> None:
    says = lemma_3().statement
    other = replace(says, domain=EVERYWHERE, assumes=says.assumes[:1])
    rows, end = cards.told([says, other])
    assert "Assume" in rows[1][0]
    assert [lost(one, words) for one, words in in_force(rows, end.after)] == [[], []]
    assert lost(says, in_force(rows, "")[0][1]) != []  # without the end its ranges would be missing


def test_what_needs_nothing_of_what_stands_before_it_says_so() -> None:
    both = [lemma_3_family().statement, least_theta().statement]
    (first, _), (second, _) = cards.told(both)[0]
    assert "For every" in first
    assert second == "As a relation between numbers:"
    free = replace(lemma_3().statement, assumes=(), domain=EVERYWHERE, scope=Scope.ANY)
    assert cards.told([both[0], free])[0][1][0] == "In any case:"
    assert cards.told(both[1:])[0][0][0] == ""  # nothing stands before it


def test_a_table_of_marks_has_one_width_for_all_its_columns() -> None:
    shown = style.matrix([("the set $\\mathcal{X}$", "•", ""), ("(A1)", "", "•")], ("", "L3", "T1"))
    assert shown.html.count('<col style="width:30.00%">') == 2
    assert shown.html.count("<td") == 6
    assert "table-layout:fixed" in shown.html
    assert shown.text.splitlines() == [" | L3 | T1", r"the set $\mathcal{X}$ | • | ", "(A1) |  | •"]


def test_the_same_for_both_starts_is_said_once_with_either_start() -> None:
    says = replace(lemma_3().statement, scope=Scope.RUN)
    shown = cards.statement("own:starts", says, replace(says, scope=Scope.RUN_PRINTED), title="ours").myst
    assert shown.count("$$") == 2
    assert "with either start" in shown
    labels = ("own:first", "own:second")
    more = replace(says, relation=lemma_3(noise=NOISE * 2).statement.relation)
    numbered = cards.statement(
        "own:starts", says, replace(says, scope=Scope.RUN_PRINTED), more, title="ours", equations=labels
    )
    assert (
        numbered.myst.count("$$ (own:") == numbered.myst.count("$$") / 2 == 2
    )  # a number for each formula that is printed
    other = replace(says, scope=Scope.RUN_PRINTED, relation=lemma_3(noise=NOISE * 2).statement.relation)
    shown = cards.statement("own:starts", says, other, title="ours").myst
    assert shown.count("$$") == 4
    assert "either" not in shown


@pytest.mark.parametrize("one", [one for one in claims() if one.defective], ids=lambda one: one.label)
def test_a_card_has_each_heading_once_in_one_order(one: Any) -> None:
    order = ["Printed", "Read as", "Right", "Repair", "Note", "Consequence"]
    names = [name for name, _ in cards.paragraphs(one)]
    assert names == [name for name in order if name in names]
    assert {"Printed", "Right"} <= set(names)


def test_what_is_stated_above_is_not_repeated_in_a_card() -> None:
    right = claim("eq:znorm").statements[0].latex
    assert right in repr(style.erratum("eq:znorm"))
    assert right not in repr(style.erratum("eq:znorm", stated=True))
    names = [name for name, _ in cards.paragraphs(claim("eq:znorm"))]
    shown = repr(style.erratum("eq:znorm", stated=True))
    assert [name for name in names if f"{name}. " in shown] == [name for name in names if name not in ("Right", "Note")]


def test_a_long_certificate_can_be_folded() -> None:
    assert style.certificate(norm(), fold="open it").html.startswith('<details class="claims"><summary>open it')


def test_a_card_lists_its_evidence_coq_first() -> None:
    shown = style.entry("lem:xdiff:non-smooth").html
    rows = re.findall(r"<li><em>(\w+):", shown)
    assert rows[0] == "Coq"
    assert len(rows) == len(set(rows)) > 2
    assert shown.index('<details class="coq') < shown.index(f"<em>{rows[1]}:")


def test_a_card_shows_one_counterexample_and_folds_the_rest() -> None:
    shown = style.entry("lem:Vfunc:non-smooth").html
    open_, folded = shown.split('<details class="claims"><summary>Evidence: Coq, certificate', 1)
    assert (open_.count("<strong>Counterexample."), open_.count("<strong>Another")) == (1, 0)
    assert folded.count("<strong>Another counterexample.") == 3
    assert "<em>Coq:</em>" in folded
    assert "<em>Coq:</em>" not in open_
    assert 'href="ledger.html#ledger-verdicts"' in open_
    assert "(ledger:verdicts)=" in (Path(__file__).parent.parent / "book" / "ledger.ipynb").read_text("utf-8")


def test_every_claim_of_a_chapter_has_a_row_with_verdict_and_link() -> None:
    shown = style.claims("phi_and_W").html
    here = [one for one in claims() if one.chapter == "phi_and_W"]
    assert shown.startswith("<details")
    assert shown.count("<tr>") == len(here) + 1
    assert all(f'href="ledger.html#{one.label}"' in shown for one in here)
    assert shown.count("badge-verdict false") == sum(one.as_printed == "false" for one in here)


def test_a_verdict_is_set_as_a_line_of_the_page() -> None:
    assert cards.verdict_line("HOLDS", "k = 0").startswith('<p class="verdict-line good')
    assert r"<b>Refuted:</b> \(k = 0\)" in cards.verdict_line("REFUTED", "k = 0")
    assert "bad" in cards.verdict_line("FAILS", "k = 0")
    assert cards.verdict_line("CONTROL REJECTED", "k = 0").startswith('<p class="verdict-line good')
    assert "<b>Rejected, as it should be:</b>" in cards.verdict_line("CONTROL REJECTED", "k = 0")
    assert "bad" in cards.verdict_line("CONTROL ACCEPTED", "k = 0")
    assert "<b>" not in cards.verdict_line("", "k = 0")


# --- formulas that are read and not deciphered


def test_every_formula_of_a_certificate_stands_by_itself_so_that_a_narrow_screen_can_break_it() -> None:
    shown = style.certificate(lemma_3(), whole=True).html
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td></tr>", shown, re.DOTALL)
    assert len(rows) > 4
    assert [cell for row in rows for cell in row if not cell.startswith(r"\[")] == []


def test_in_a_card_a_formula_with_a_fraction_stands_by_itself() -> None:
    long = (
        r"$V_{k+1}\le V_k-\frac{\alpha}{2}\|\nabla F_\lambda(\bar x_k)\|^2+\frac{\alpha^2\gamma}{2\lambda}L^2+\sigma^2$"
    )
    assert tex(long).startswith(r"\(")
    assert tex(long, cards.IN_CARD).startswith(r"\[")
    assert tex(r"$\beta=\frac{1}{2}$", cards.IN_CARD).startswith(r"\(")
    assert tex(long.replace(r"\frac", ""), cards.IN_CARD).startswith(r"\(")
    assert r"\[\mathbb{E}\left[V_{k+1}" in style.entry("lem:Vfunc:non-smooth").html


def test_the_comma_after_rows_stands_in_the_last_of_them() -> None:
    wide = "+".join(["x_{k+1}"] * 40)
    assert tex(f"${wide}$, for all").count("\\end{aligned}\\] for all") == 1
    assert ",\n\\end{aligned}" in tex(f"${wide}$, for all")


def test_no_line_ends_with_a_bracket_before_a_formula() -> None:
    assert maths("a ($x$, b)") == r'a <span class="hold">(\(x\),</span> b)'
    assert maths("a $x$ b") == r"a \(x\) b"
    assert tex("a $x$, b") == r'a <span class="hold">\(x\),</span> b'


def test_the_letters_of_a_statement_in_plain_words_are_shown_when_asked_for() -> None:
    lines = (momentum.any_momentum(), momentum.any_momentum_printed())
    shown, _, folded = style.statement("x", *lines, plain="In words.", letters="gamma'").myst.partition("<details")
    assert r"Here ${\gamma'}=1 + c \lambda \nu$." in shown
    assert "c=" not in shown
    assert folded.index("Let") < folded.index("Write") < folded.index("The index") < folded.index("Assume")
    assert "L^2" not in folded  # a square is not negative
    with pytest.raises(ValueError, match="letters = 'kappa': kappa is not defined here; defined are nu, alpha"):
        style.statement("x", *lines, plain="In words.", letters="kappa")


def test_a_table_can_be_folded() -> None:
    rows = [("a", "b")]
    assert style.table(rows, ("x", "y"), fold="one row").html.startswith('<details class="claims"><summary>one row')
    assert style.table(rows, ("x", "y")).html.startswith("<table")


def test_a_definition_says_what_it_defines_and_asserts_nothing() -> None:
    smooth = style.statement("assumption:A3/smooth").myst
    assert r"$f$ is $\rho$-smooth on $\mathcal{X}$ if, for every $x$, $y$ in $\mathcal{X}$:" in smooth
    assert "\nWith $\\rho\\ge 0$." in smooth
    assert "(A2) says that, for every" in style.statement("assumption:A/A2").myst
    assert "for all" not in smooth
    assert r"Let $\rho>0$." in style.statement("assumption:A3/weakly-convex").myst


def test_what_stands_right_above_is_not_said_again() -> None:
    whole, short = style.certificate(norm()), style.certificate(norm(), "Why.", stated=True)
    assert "<caption>" in whole.html
    assert "<caption>Why.</caption>" in short.html
    assert "<caption>" not in style.certificate(norm(), stated=True).html
    assert whole.html.partition("<thead>")[2] == short.html.partition("<thead>")[2]
    with pytest.raises(AssertionError, match="identity fails"):
        style.certificate(lemma_3(noise=NOISE / 2), stated=True)


def test_assumptions_in_words_stand_first_and_the_exact_ones_are_folded() -> None:
    lines = schedules.anything(), schedules.anything_printed()
    usual, plain = style.statement("own:any", *lines), style.statement("own:any", *lines, plain="Let it be so.")
    first, folded = plain.myst.split('<details class="exactly">')
    assert [
        formula for formula in re.findall(r"\$\$\n(.*?)\n\$\$", usual.myst, re.DOTALL) if formula not in first
    ] == []
    assert (
        first.index("Let it be so.")
        < first.index("With $z_0=\\beta g_0$:")
        < first.index("With the printed start $z_0=g_0$:")
    )
    assert "(A2)" not in first
    for said in ("(A2)", "f^\\star>-\\infty", "\\alpha_{k}>0", "with $z_0=\\beta g_0$"):
        assert said in folded
    assert "(A2)" in plain.html.partition("<details")[2]
    assert (
        "With $z_0"
        not in style.statement("own:any", *lines, plain="With $z_0=g_0$, say.")
        .myst.split("<details")[0]
        .split("say.")[1]
    )


def test_a_statement_can_be_folded_and_keeps_its_label() -> None:
    shown = style.statement("lem:xdiff:non-smooth", fold="Here it is")
    assert shown.myst.startswith('<details class="claims"><summary>Here it is</summary>\n\n````{prf:lemma}')
    assert ":label: lem:xdiff:non-smooth" in shown.myst
    assert shown.html.startswith("<details")


def test_a_line_without_a_name_is_found_in_the_ledger_or_says_what_it_rests_on() -> None:
    terms = [term.source for term in momentum.any_momentum_printed().terms if not isinstance(term.source, Fact)]
    found = [cards._because(one) for one in terms if not one.name]
    assert found == [
        "an earlier line, proved in the same way",
        "the prox point attains the envelope; the infimum is below every value",
    ]
    label = "eq:proof:lem:1:norm:final"
    (says,) = (part.build() for part in claim(label).says[:1])
    assert cards._because(says) == f"[{claim(label).title}](ledger.html#{label})"
    shown = style.certificate(lemma_3())
    assert f'<a href="ledger.html#{label}">' in shown.html
    assert "shown before" not in shown.html


def test_a_chapter_that_words_name_is_linked() -> None:
    assert tex("(chapter The open question)") == '(chapter <a href="open_question.html">The open question</a>)'
    assert tex("in chapter 5, the open question") == "in chapter 5, the open question"
