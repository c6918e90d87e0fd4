"""The front pages say what the ledger says: the paper's numbers, the rates, the strip, the lines, what is to be cited."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape
from itertools import count
from pathlib import Path

import pytest
import sympy as sp

from shbcore.claims import graph, lettered, numbers, printed_start, registry
from shbcore.claims.lemma_3 import READ_FOR_EACH
from shbcore.claims.registry import claim, claims
from shbcore.claims.theorem_1_proof import alpha_0
from shbcore.pages import bounds, front, library, paper, use
from shbcore.pages.cards import formula
from shbcore.proof import in_words, latex
from shbcore.proof.domain import Domain, Range, at_least, between
from shbcore.proof.facts import N
from shbcore.proof.foundations import A2, A3
from shbcore.proof.kernel import Line, check
from shbcore.proof.language import Scaled
from shbcore.proof.letters import ADMISSIBLE, alpha, beta, lam, rho
from shbcore.proof.lines import sign
from shbcore.proof.search import refit
from shbcore.proof.statement import Scope, Statement

ROOT = Path(__file__).resolve().parent.parent
LABELS = (ROOT / "tests" / "data" / "paper_labels.txt").read_text("utf-8").split()
KNOWN = {
    "eqn:objective": "1",
    "eq:SHB:unconstrained:z": "3b",
    "alg:iters:def": "7",
    "alg:iters:def:a": "7a",
    "eq:Vfunc": "10",
}
KNOWN |= {
    "eq:thrm:1": "12",
    "eq:lem:smooth:W": "14",
    "eq:znorm": "24",
    "eq:proof:thrm:1:evn:3": "37",
    "eq:proof:thrm:3:evn:5": "74",
}
"""As LaTeX numbers them; the last one shows that none is left out."""


@pytest.mark.parametrize("label", KNOWN)
def test_a_display_has_the_number_of_the_paper(label: str) -> None:
    assert numbers.displays()[label] == KNOWN[label]


def test_displays_are_numbered_in_the_order_of_the_paper() -> None:
    found = [label for label in numbers.displays() if "/" not in label]
    assert found == [label for label in LABELS if label in found]
    assert [label for label in LABELS if re.match(r"eqn?:|proof:", label) and label not in found] == []


def test_a_display_that_is_left_out_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "UNLABELLED", {})
    monkeypatch.setattr(numbers, "displays", numbers.displays.__wrapped__)
    assert numbers.displays()["eq:proof:thrm:3:evn:5"] != KNOWN["eq:proof:thrm:3:evn:5"]


def test_places_are_called_as_in_the_paper() -> None:
    assert numbers.place(claim("lem:xdiff:non-smooth")) == "Lemma 3"
    assert numbers.place(claim("eq:lem:Vfunc:non-smooth")) == "Lemma 4 (11)"
    assert numbers.place(claim("eq:znorm/base")) == "at (24)"


def test_no_repair_changes_a_rate() -> None:
    found = front.bounds()
    assert {one.title.split(",")[0].split(":")[0] for one, _, _ in found} >= {"Theorem 1", "Theorem 2", "Theorem 3"}
    assert front.changed() == []
    assert {front.exponent(right) for _, _, right in found} == {sp.Rational(-1, 2)}


@pytest.mark.parametrize("factor", [1 / N, N, sp.sqrt(N) ** 2 * (1 + 1 / N)])
def test_a_changed_rate_would_be_noticed(factor: sp.Expr) -> None:
    _, _, right = front.bounds()[0]
    slower = replace(right, relation=replace(right.relation, right=Scaled(factor, right.relation.right)))
    assert front.exponent(slower) != front.exponent(right)


def lines() -> str:
    return "".join(paper.section(title.split()[0]).html for title in paper.sections())


def test_the_strip_and_the_lines_have_every_claim_of_the_paper_once() -> None:
    expected = [one.label for one in claims() if not one.own]
    assert re.findall(r'href="ledger\.html#([^"]+)"', front.strip().html) == expected
    parts = [f"{label}/{step.letter}" for label, found in lettered.steps().items() for step in found]
    assert sorted(re.findall(r' id="line-([^"]+)"', lines())) == sorted([*expected, *parts])


def test_a_line_shows_what_is_printed_and_what_is_right() -> None:
    one = claim("lem:Vfunc:non-smooth/gamma")
    html = paper.line(one)
    assert html.index("printed</small>") < html.index("right</small>")
    assert "false" in paper.line(claim("eq:znorm"))
    assert "(24)" in paper.line(claim("eq:znorm"))


JOINED = {"lem:xdiff:non-smooth": "(9)", "lem:Vfunc:non-smooth": "(11)", "lem:Wfunc:smooth": "(14)"}


@pytest.mark.parametrize("label", JOINED)
def test_a_lemma_and_its_display_are_one_row_with_both_names(label: str) -> None:
    (row,) = (row for found in paper.sections().values() for row in paper.rows(found) if row[0].label == label)
    where, head = (paper.line(*row).split(f"{part}>")[1].split("</p>")[0] for part in ("line-where", "line-head"))
    assert JOINED[label] in head
    assert all(f"<code>{one.label}</code>" in where for one in row)
    assert len(row) == 2
    shown = paper.line(*row)
    for side in ("line-printed", "line-right"):
        assert r"\[" in shown.split(f"<div class={side}>")[1].split("<div class=line-right>")[0], f"no formula: {side}"


def test_no_side_of_a_row_is_empty() -> None:
    sides = [f"<small>{side}</small></div>" for side in ("printed", "read as", "right")]
    shown = {row[0].label: paper.line(*row) for found in paper.sections().values() for row in paper.rows(found)}
    assert [label for label, html in shown.items() if any(side in html for side in sides)] == []


def test_a_display_that_says_something_else_would_stay_a_row_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = count()
    monkeypatch.setattr(paper, "_fingerprint", lambda one: str(next(marks)))
    assert [row for found in paper.sections().values() for row in paper.rows(found) if len(row) > 1] == []


def unsaid(says: Statement, words: str) -> list[str]:
    """What a statement needs and neither the convention nor the words of its row say."""
    shown = in_words.ranges(in_words.entries(says))
    needed = [in_words.entry(one) for one in says.domain.entries if one not in paper.usual()]
    needed = [part for part in needed if f"${part}$" in shown]
    needed += [r"k^*$ uniform on $\{-1,"] if r"\{-1," in in_words.index(says) else []
    needed += in_words.assumptions(says.assumes).split(", ")
    needed += [] if says.scope in paper.SILENT else [in_words.setting(says, assumed=False).lower()]
    return [part for part in needed if part not in words and part not in words.lower()]


def test_a_row_and_the_convention_say_all_that_a_line_needs() -> None:
    found = [says for one in front.paper() for says in one.statements]
    assert len(found) > 200
    assert [says for says in found if unsaid(says, paper.note(says))] == []
    assert all(f"${in_words.entry(one)}$" in paper.convention() for one in paper.usual())
    assert set(ADMISSIBLE.entries) < set(paper.usual())
    assert "$k^*$ is uniform on" in paper.convention()
    says = claim("lem:xdiff:non-smooth").statements[0]
    assert unsaid(replace(says, scope=Scope.LATE), paper.note(says))
    assert unsaid(replace(says, assumes=(*says.assumes, A3)), paper.note(says))
    assert unsaid(claim("lem:Vfunc:non-smooth").printed[0], paper.note(claim("lem:Vfunc:non-smooth").statements[0])), (
        "another gamma"
    )


def test_a_formula_of_words_is_told_as_a_reading() -> None:
    read = [paper.line(one) for one in claims() if one.reading == READ_FOR_EACH]
    assert len(read) == 3
    for html in read:
        printed, rest = html.split("<small>printed</small>")[1].split("<small>read as</small>")
        assert r"\[" not in printed
        assert r"\[" in rest.split("<small>right</small>")[0]
    assert "read as" not in paper.line(claim("eq:znorm"))


def test_steps_that_differ_are_told_under_their_own_formula() -> None:
    html = paper.line(claim("proof:smooth:p:normdiff"))
    parts = [part for part in html.split("line-display")[1:] if "as-printed" in part]
    assert len(parts) == html.count("line-display") - 1 == 2
    assert "right</b> as printed" in html.split("line-display")[1], "the first formula holds as it is printed"
    assert not any("with either start" in part or "right</b> as printed" in part for part in parts)
    apart = paper.line(claim("proof:smooth:z:diff:Delta"))
    assert apart.index("right</b> as printed") < apart.index("<small>printed</small>")
    gamma = paper.line(claim("thrm:non-smooth:complexity/proof-sum"))
    assert r"\gamma=1 + \rho \xi/2" in gamma.split("<small>right</small>")[0], "what a letter means in print"
    shared = paper.line(claim("eq:proof:thrm:1:evn:2"))
    assert shared.count("as-printed") == 1


def test_an_assumption_is_not_told_to_assume_itself() -> None:
    assert "Assuming" not in paper.line(claim("assumption:A/A1"))
    assert "Assuming" in paper.line(claim("proof:lem:1:inp:g:xdiff"))
    assert r"\[" not in paper.line(claim("assumption:A")), "its parts are rows of their own"


def test_rows_without_their_formula_have_words_for_it() -> None:
    for label in paper.IN_WORDS:
        one = claim(label)
        assert one.statements
        assert "$" in one.words
        assert r"\[" not in paper.line(one)


@pytest.mark.parametrize(
    "step", [step for found in lettered.steps().values() for step in found], ids=lambda s: s.letter
)
def test_each_lettered_step_is_proved_or_refuted(step: lettered.Lettered) -> None:
    assert check(step.right).passed
    if step.broken:
        assert step.verdict == "false"
        assert step.broken.run().passed
        assert not step.broken.control().passed
    else:
        assert (step.printed, step.verdict) == (step.right.statement, "true")
    assert escape(formula(step.printed), quote=False) in lines()


@pytest.mark.parametrize("build", [lettered.convexity, lettered.bounded, lettered.induced])
def test_nine_tenths_of_a_lettered_step_is_not_proved(build: Callable[..., Line]) -> None:
    assert not refit(build(share=sp.Rational(9, 10))).passed


def test_the_steps_of_a_display_make_its_chain() -> None:
    a, b, c = (step.printed for step in lettered.steps()["eq:znorm"])
    assert (
        latex.relation(a.relation, a.given).split(r"\le ")[1] == latex.relation(b.relation, b.given).split(r"\le ")[0]
    )
    assert (
        latex.relation(b.relation, b.given).split(r"\le ")[1] == latex.relation(c.relation, c.given).split(r"\le ")[0]
    )


def test_every_lemma_and_theorem_is_named_and_proved() -> None:
    assert list(front.results()) == [*(f"Lemma {i}" for i in range(1, 8)), *(f"Theorem {i}" for i in range(1, 4))]
    assert all(one.statements for one in front.results().values())
    text = lines()
    assert all(f'id="{at}"' in text for at in re.findall(r"line_by_line\.html#([^\"]+)\"", front.named().html))


def test_the_short_answers_are_those_of_the_ledger() -> None:
    text = front.questions()
    assert all(f'id="{at}"' in lines() for at in re.findall(r"line_by_line\.html#([^\"]+)\"", text))
    uses, speaker = graph.quotient()
    assert "Lemma 4" in uses["Theorem 1"]
    assert {node for node in uses["Theorem 3"] if speaker[node].kind == "lemma"} == {"Lemma 2", "Lemma 5"}
    assert not {"assumption:A/A2", "eq:Vfunc"} & graph.closure(uses)["Theorem 3"]
    assert {"assumption:A/A2", "eq:Vfunc"} <= graph.closure(uses)["Theorem 1"]
    assert "On Lemma 5, on the gradient of the envelope (Lemma 2), on one line of the proof of Lemma 4" in text
    assert f"Lemma 5</a> is *{front.results()['Lemma 5'].as_printed}* as printed and proved" in text
    assert front.results()["Lemma 5"].statements
    assert "eq:proof:thrm:1:evn:1:1" in graph.whole()["eq:proof:thrm:3:evn:1"]
    rests = graph.closure(graph.whole())[front.results()["Theorem 3"].label]
    assert "eq:proof:thrm:1:evn:1:1" in rests
    assert not {"assumption:A/A2", "eq:Vfunc", "lem:Vfunc:non-smooth"} & rests
    for label, words in (
        ("thrm:non-smooth:complexity/ten", "with the 10"),
        ("eq:thrm:1", "first display"),
        ("lem:Vfunc:non-smooth", "Lemma 4"),
    ):
        assert re.search(rf"{words}</a>[^.*]* is \*{claim(label).as_printed}\*", text)
    assert claim("thrm:non-smooth:complexity/ten").as_printed == "true"
    assert {"alpha_0^2", "gamma"} <= set(re.findall(r"\\(\w+(?:\^2)?)", text.splitlines()[0]))
    assert all(word in claim("eq:thrm:1").repair for word in (r"$\alpha_0^2$", r"$\gamma$"))
    assert all(
        word in claim("lem:Vfunc:non-smooth").repair.lower() for word in ("total expectation", r"$\gamma$", "start")
    )


def test_the_key_of_the_strip_has_the_words_of_the_chips() -> None:
    key = front.strip().html.split("<dl")[0]
    words = re.findall(r'<span class="badge-verdict \w+">([^<]+)<', front.named().html)
    assert {"true", "unstated", "wrong", "false"} <= set(words) <= set(re.findall("<b>([^<]+)</b>", key))
    assert "<b>not judged</b>" in key


def test_the_checks_of_each_kind_add_up() -> None:
    numbers = [int(row.split("|")[-2]) for row in front.evidence().splitlines()[2:]]
    assert sum(numbers[:-1]) == numbers[-1] == sum(len(one.checks) for one in front.paper())
    assert set(front.KINDS) == set(registry.EVIDENCE)


def test_an_item_of_a_lemma_shows_all_that_it_says() -> None:
    first = claim("lem:moreau:env/1")
    assert [says for says in first.statements if escape(formula(says), quote=False) not in paper.line(first)] == []
    assert "rows that follow" not in paper.line(first)
    assert "rows that follow" in paper.line(claim("lem:moreau:env"))


def test_what_is_new_about_the_printed_start_is_what_was_proved() -> None:
    said = front.NEWS["complexity"]
    for build, noise in (
        (printed_start.ten_and_eight, "$8L^2$ is enough there"),
        (printed_start.ten_and_four, "$4L^2$ with"),
    ):
        assert noise in said
        assert f"${bounds.factors(build().statement).latex.split('+')[1]}$" in noise


@pytest.mark.parametrize("name", use.STATEMENTS)
def test_what_is_to_be_cited_is_what_the_ledger_proves(name: str) -> None:
    says = use.says(name)
    assert says
    assert [one for one in says if formula(one) not in use.stated(name)] == []
    assert all(f'ledger.html#{label}"' in use.stated(name) for label in use.STATEMENTS[name][1])
    proved = {check.statement.fingerprint for one in registry.claims() for check in one.checks if check.statement}
    each = [one for label, lines in use.STATEMENTS[name][1].items() for one in use._lines(label, lines)]
    assert [one for one in each if one.fingerprint not in proved] == []
    assert use.joined(each) == says


def split() -> tuple[Statement, Statement]:
    """A bound that is proved for many steps, and the same for few."""
    many, few, _ = claim("beyond/open/ten").statements
    return many, few


def roots_of(says: Statement) -> Range:
    (found,) = (one for one in says.domain.entries if one.symbol == N and isinstance(one, Range))
    return found


def test_one_bound_in_two_ranges_is_said_once() -> None:
    many, few = split()
    (whole,) = use.joined([many, few])
    assert formula(whole) == formula(many) == formula(few)
    assert (roots_of(whole).lower, roots_of(whole).upper) == (roots_of(few).lower, None)
    assert use.joined([few, many]) == [whole]
    assert use.stated("theorem-2").count(formula(many)) == 1
    assert r"K\ge 1" in use.stated("theorem-2")


def test_what_does_not_cover_all_steps_or_says_something_else_is_not_joined() -> None:
    many, few = split()
    gap = replace(many, domain=many.domain.also(replace(roots_of(many), lower=sp.Integer(3))))
    assert use.joined([gap, few]) == [gap, few]
    other = replace(few, relation=replace(few.relation, right=Scaled(sp.Integer(2), few.relation.right)))
    assert use.joined([many, other]) == [many, other]
    printed = replace(few, scope=Scope.RUN_PRINTED)
    assert use.joined([many, printed]) == [many, printed]
    assumed = replace(few, assumes=(*few.assumes, A2))
    assert use.joined([many, assumed]) == [many, assumed]


def test_the_line_for_pytorch_is_the_method() -> None:
    text = use.torch("100", "0.5")
    assert "lr=0.05, momentum=0.9, dampening=0.9" in text
    assert "lr=0.005, momentum=0.9, dampening=0" in text
    fixed = use.torch("10000", "0.5", "0.1")
    assert "lr=0.005, momentum=0.9, dampening=0.9" in fixed
    assert "lr=0.0005, momentum=0.9, dampening=0" in fixed


def test_the_bibliography_names_the_version() -> None:
    version = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version
    assert f"version = {{{version.group(1)}}}" in use.bibtex()
    assert "@inproceedings{mai2020" in use.bibtex()


def test_what_is_new_about_schedules_is_about_stepsizes() -> None:
    """The chapter changes the stepsize and keeps the momentum: no statement of it has a momentum with an index."""
    assert "moment" not in front.NEWS["any_schedule"].lower()
    found = [says for one in claims() if one.label.startswith("beyond/schedule/") for says in one.statements]
    assert found
    assert [says for says in found if re.search(r"\\beta_\{?[k0]", says.latex)] == []


def test_what_is_new_leads_to_chapters_that_exist() -> None:
    named = set(re.findall(r"\{doc\}`(\w+)`", front.news()))
    assert {"complexity", "open_question", "shorter_smooth_half"} <= named <= set(registry.CHAPTERS)


@pytest.mark.parametrize("name", use.STATEMENTS)
def test_stepsize_and_momentum_of_what_is_to_be_cited_are_those_of_the_page(name: str) -> None:
    for says in use.says(name):
        meaning = {one.symbol: one.formula for one in says.domain.definitions}
        assert meaning[alpha] == alpha_0 / N
        assert bounds.fixed(says) == name.endswith("-any") == (beta not in meaning)
        assert meaning.get(beta, 1 / N) == 1 / N


def test_a_bound_shows_the_factors_of_its_statement() -> None:
    table = use.which()
    assert r"$10\rho\Delta+\tfrac{3}{2}L^2$ | $10\rho\Delta+3L^2$" in table
    assert r"$16\rho\Delta+\tfrac{14}{5}\sigma^2$ | $16\rho\Delta+\tfrac{28}{5}\sigma^2$" in table
    assert r"$\text{limit: }4\rho\Delta+L^2$" in table
    rows = [row for row in table.splitlines() if row.startswith("|")]
    assert all(row.count("|") == 6 for row in rows)
    leads = re.findall(r"^\*\*Assuming\*\* (.*):$", table, re.M)
    assert len(leads) == len(set(leads)) == table.count("\n|---|")
    assert len(rows) - 2 * len(leads) == table.count("{ref}")
    half, _ = claim("beyond/start/half-step").statements
    more = replace(half, relation=replace(half.relation, right=Scaled(sp.Integer(2), half.relation.right)))
    assert bounds.factors(more).gap == 2 * bounds.factors(half).gap == 20
    with pytest.raises(ValueError, match="no bound by the gap"):
        bounds.factors(claim("lem:Vfunc:non-smooth").statements[0])


r = sp.Symbol("r")


def test_each_display_of_a_box_names_its_stepsize() -> None:
    for name in ("theorem-1", "theorem-2"):
        leads = re.findall(r"start \$z_0=g_0\$(.*):$", use.stated(name), re.M)
        assert [r"1/(2 \rho)" in one for one in leads] == [True, False]
        assert r"\alpha_{0}=1/\rho" in leads[1]


def test_a_gradient_that_fades_is_told() -> None:
    row = next(one for one in use.which().splitlines() if "Theorem 2 for every momentum" in one)
    assert row.split("|")[4].count("(for a given $K$") == use.which().count("(for a given $K$") == 1


@pytest.mark.parametrize("name", use.NOISE)
def test_the_best_stepsize_has_the_smallest_limit_for_every_fixed_weight(name: str) -> None:
    best, limit = use.smallest(name)
    gap, noise, curve, t = sp.symbols(f"Delta {use.NOISE[name]} rho t", positive=True)
    for says in use.says(name):
        found = bounds.in_the_limit(says, {lam: 1 / (2 * rho), alpha_0: t * best})
        found = found.map(lambda value: sp.sympify(value).subs(rho, curve))
        there = found.gap * curve * gap + found.noise * noise**2 + found.slope
        assert beta not in there.free_symbols, "the same for every weight"
        assert sp.simplify(there - limit - limit * (t - 1) ** 2 / (2 * t)) == 0, "more for every other stepsize"
    usual = 4 * curve * gap + noise**2
    assert sp.expand(usual - limit - (2 * sp.sqrt(curve * gap) - noise) ** 2) == 0, "that of 1/(2 rho) is no smaller"


def test_what_the_page_says_of_the_best_stepsize() -> None:
    assert r"\alpha_0=\sqrt{\Delta/\rho}/L$" in use.best()
    assert r"$4L\sqrt{\rho\Delta}$" in use.best()
    assert r"\alpha_0=\sqrt{\Delta/\rho}/\sigma$" in use.best()


def test_for_a_given_number_of_steps_a_bound_is_above_its_limit_and_that_of_sgd_equals_it() -> None:
    w = sp.Symbol("w")  # the weight is 1 / (1 + w)
    for says in (one for name in use.NOISE for one in use.says(name)):
        here, limit = bounds.factors(says, bounds.SHORT), bounds.in_the_limit(says, bounds.SHORT)
        for one, other in ((here.gap, limit.gap), (here.noise, limit.noise), (here.slope, limit.slope)):
            above, below = sp.fraction(sp.together((one - other).subs({beta: 1 / (1 + w), N: 1 + r})))
            signs = {bool(factor > 0) for part in (above, below) for factor in sp.Poly(part, w, r).coeffs()}
            assert above == 0 or len(signs) == 1, "over one sign: it is larger"
    sgd = bounds.factors(use.says("theorem-1-any")[0], {**bounds.SHORT, beta: sp.S.One})
    assert sgd == bounds.in_the_limit(use.says("theorem-1-any")[0], bounds.SHORT)


@pytest.mark.parametrize("weight", [sp.Rational(1, 10), sp.Rational(1, 2), sp.S.One])
def test_the_iterate_itself_has_twice_the_limit_with_a_fixed_weight(weight: sp.Rational) -> None:
    at = {**bounds.SHORT, beta: weight}
    one = bounds.in_the_limit(use.says("theorem-1-any")[0], at)
    for says in claim("thrm:non-smooth:complexity/remark-iii-rate").statements:
        assert bounds.in_the_limit(says, at) == one.map(lambda value: 2 * value)


def test_what_the_page_says_of_the_best_weight() -> None:
    smooth, plain = (bounds.factors(use.says(name)[0], bounds.SHORT) for name in ("theorem-2-any", "theorem-1-any"))
    w = sp.Symbol("w")  # the weight is 1 / (1 + w)
    for value in (plain.gap, plain.noise, smooth.gap):
        rest = sp.fraction(sp.together((value - value.subs(beta, 1)).subs({beta: 1 / (1 + w), N: 1 + r})))
        signs = {bool(factor > 0) for part in rest for factor in sp.Poly(part, w, r).coeffs()}
        assert len(signs) == 1, "over one sign in both: no weight below 1 has a smaller factor"
    at = {N: 100, beta: sp.Rational(9, 10)}
    assert smooth.noise.subs(at) < smooth.noise.subs({**at, beta: 1}), "but a little less noise"


def test_what_is_rounded_is_rounded_up() -> None:
    for root, weight in ((10, "1/10"), (100, "1/10"), (100, "1")):
        at = {**bounds.SHORT, N: sp.Integer(root), beta: sp.Rational(weight)}
        found = bounds.factors(use.says("theorem-1-any")[0], at)
        (shown,) = re.findall(r"\$([\d.]+)\\rho\\Delta\+([\d.]+)L\^2\$", use.cost(str(root**2), weight).splitlines()[2])
        assert 0 <= sp.Rational(shown[0]) - found.gap < sp.Rational(1, 100)
        assert 0 <= sp.Rational(shown[1]) - found.noise < sp.Rational(1, 100)


def least(name: str, start: str, share: sp.Rational = sp.S.One) -> bounds.Factors:
    r"""A bound at :math:`\lambda=1/(2\rho)` and a share of the stepsize :math:`r\lambda`, with the paper's momentum."""
    says = next(one for one in use.says(name) if use._start(one) == start)
    at = {lam: 1 / (2 * rho), alpha_0: share * r / (2 * rho), **({beta: 1 / N} if bounds.fixed(says) else {})}
    return bounds.factors(says, at)


def is_less(left: bounds.Factors, right: bounds.Factors, longest: sp.Rational) -> tuple[bool, bool]:
    r"""Whether one bound is below another for every K and every stepsize up to the longest; the gradient at the start is at most
    :math:`2\rho\Delta`."""
    where = Domain(between(r, 0, longest), at_least(N, 1))
    lines = (
        sign(right.gap, less=left.gap + 2 * left.slope, domain=where),
        sign(right.noise, less=left.noise, domain=where),
    )
    return check(lines[0]).passed, check(lines[1]).passed


FOUR_FIFTHS = sp.Rational(4, 5)


@pytest.mark.parametrize(
    ("name", "start", "share", "longest"),
    [
        ("theorem-3", r"\beta g_0", FOUR_FIFTHS, sp.S.One),
        ("theorem-3", "g_0", FOUR_FIFTHS, sp.S.One),
        ("theorem-3-set", r"\beta g_0", sp.S.One, sp.S.Half),
    ],
)
def test_theorem_3_is_not_the_smallest_as_the_page_says(
    name: str, start: str, share: sp.Rational, longest: sp.Rational
) -> None:
    theirs = least(name, start)
    assert is_less(least("theorem-2-any", start, share), theirs, longest) == (True, True)
    assert is_less(theirs, least("theorem-2-any", start, share), longest)[0] is False
    if share != 1:  # at the same stepsize only the gap is less
        assert is_less(least("theorem-2-any", start), theirs, longest) == (True, False)


def test_the_library_lists_each_of_its_modules_with_a_sentence() -> None:
    assert len(library.named()) > 30
    assert set(library.named().values()) == set(library.PAGES)
    assert [name for name in library.named() if len(library.first_sentence(name)) < 8] == []
    assert library.first_sentence("shbcore.model.sets").startswith("Closed convex sets")


def test_every_false_claim_has_one_of_the_causes_and_is_counted_under_it() -> None:
    found = [one for one in front.paper() if one.as_printed == "false"]
    assert {(one.root or one).label for one in found} == set(paper.CAUSES)
    text = paper.causes()
    assert f"The {len(found)} claims" in text
    assert sum(int(number) for number in re.findall(r"^- (\d+) are", text, re.M)) == len(found)
    number = {one.label: i for i, one in enumerate(registry.roots(), 1)}
    assert re.findall(r"#erratum-(\d+)", text) == [str(number[label]) for label in paper.CAUSES]


def test_a_line_that_is_not_right_names_its_defect() -> None:
    number = {one.label: i for i, one in enumerate(registry.roots(), 1)}
    for one in front.paper():
        found = re.findall(r"#erratum-(\d+)\">(from )?defect (\d+)<", paper._defect(one))
        if one.defective:
            at = str(number[(one.root or one).label])
            assert found == [(at, "from " if one.root else "", at)]
        else:
            assert found == []
    assert "line-defect" in paper.line(claim("eq:znorm"))
    assert "*from defect" in (ROOT / "book" / "line_by_line.md").read_text("utf-8")


def test_the_two_starts_are_said_before_they_are_used() -> None:
    text = paper.convention()
    assert text.index("called *repaired*") < text.index("with either start")
    assert all(start in text for start in ("$z_0=g_0$", r"$z_0=\beta g_0$"))


def test_the_lines_are_read_in_the_version_whose_numbers_they_have() -> None:
    (number,) = re.findall(
        r"eprint *= \{([\d.]+)\}", (ROOT / "book" / "references.bib").read_text("utf-8").partition("\n}")[0]
    )
    assert all(number in (ROOT / "book" / name).read_text("utf-8") for name in ("line_by_line.md", "references.md"))


def test_the_paper_is_found_where_the_front_page_says() -> None:
    paper_ = (ROOT / "book" / "references.bib").read_text("utf-8").partition("\n}")[0]
    (number,) = re.findall(r"eprint *= \{([\d.]+)\}", paper_)
    assert f"https://arxiv.org/abs/{number}" in (ROOT / "book" / "intro.md").read_text("utf-8")
