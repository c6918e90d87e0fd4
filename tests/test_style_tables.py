"""Tables of words: formulas are set, labels lead to the ledger, and what the checks of a claim refuse is said once and run."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from shbcore.claims.registry import claim
from shbcore.pages import coq, style


def test_words_in_a_table_are_set_as_formulas_and_a_label_is_a_link() -> None:
    made = style.worded([("1/sqrt(k+1)", "`eq:thrm:1`", "from $b$ on")], ("Rule", "place", "words"))
    assert r"\(1/\sqrt{k+1}\)" in made.html
    assert '<a href="ledger.html#eq:thrm:1"><code>eq:thrm:1</code></a>' in made.html
    assert r"from \(b\) on" in made.html
    assert made.text.splitlines()[1] == "1/sqrt(k+1) | `eq:thrm:1` | from $b$ on"


def test_a_refusal_is_said_once() -> None:
    label = "beyond/momentum/sgd"
    said = [one.control_what for one in claim(label).checks if one.kind == "certificate"]
    assert len(said) > len(set(said))
    text = style.refused(label).text
    assert [text.count(one) for one in set(said)] == [1]


def test_a_control_that_passes_is_not_hidden_by_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = claim("beyond/momentum/sgd")
    weak = tuple(replace(one, control=one.run) if one.kind == "certificate" else one for one in entry.checks)
    monkeypatch.setattr(style, "claim", lambda label: SimpleNamespace(checks=weak, title=entry.title))
    with pytest.raises(AssertionError, match="control"):
        style.refused(entry.label)


def test_the_statements_in_coq_stand_there_once_each_with_its_steps() -> None:
    rows = coq.results().text.splitlines()
    assert len(rows) == len(set(rows)) > 15
    both = [row for row in rows if "Theorem_3_as_printed" in row or row.endswith("| Theorem_3")]
    assert len(both) == 2
    assert len({row.split(" | ")[1] for row in both}) == 1
    assert len({row.split(" | ")[2] for row in both}) == 2
