"""``python -m shbcore verify``: the table, one claim, JSON, and the exit codes."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from shbcore.__main__ import main as command
from shbcore.claims import cli, ledger
from shbcore.claims.ledger import Outcome

CHOSEN = ("eq:proof:thrm:1:evn:1:1", "lem:Vfunc:non-smooth/gamma", "introduction/unimprovable")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[ledger.Claim, ...]:
    """A ledger of three claims: one refuted and repaired, one constant, one open."""
    chosen = tuple(claim for claim in ledger.claims() if claim.label in CHOSEN)
    monkeypatch.setattr(ledger, "claims", lambda: chosen)
    monkeypatch.setattr(ledger, "problems", lambda entries: [])
    return chosen


def test_the_table_has_one_line_a_claim_and_totals(
    few: tuple[ledger.Claim, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([]) == 0
    out = capsys.readouterr().out
    assert all(sum(line.startswith(claim.label) for line in out.splitlines()) == 1 for claim in few)
    assert "3 claims as printed: 2 wrong, 1 open" in out
    assert "0 claims failing" in out


def test_json_has_the_agreed_fields(few: tuple[ledger.Claim, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["label"] for record in records] == [claim.label for claim in few]
    for record in records:
        assert {"label", "title", "as_printed", "repair", "evidence", "chapter"} <= record.keys()
        for evidence in record["evidence"]:
            assert {"kind", "passed", "detail", "seconds", "negative_control"} <= evidence.keys()
            assert evidence["passed"] is True
            assert evidence["negative_control"]["rejected"] is True


def test_a_failing_check_makes_the_exit_code_1(
    few: tuple[ledger.Claim, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = replace(few[1].checks[0], run=lambda: Outcome(False, "it does not hold"))
    monkeypatch.setattr(ledger, "claims", lambda: (replace(few[1], checks=(bad,)),))
    assert cli.main([]) == 1
    assert "1 claims failing: " + few[1].label in capsys.readouterr().out


def test_an_incomplete_ledger_makes_the_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tuple(claim for claim in ledger.claims() if claim.label == CHOSEN[0])
    monkeypatch.setattr(ledger, "claims", lambda: one)
    assert cli.main([]) == 1
    assert "no entry" in capsys.readouterr().err


def test_one_claim_is_printed_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify", "--claim", "eq:proof:thrm:1:evn:1:1"]) == 0
    out = capsys.readouterr().out
    assert "as printed: wrong" in out
    assert "1/2 <= 0, which is false" in out
    assert "rejected" in out


def test_an_unknown_claim_is_one_line_with_the_nearest_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify", "--claim", "eq:thrm:2"]) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    assert "eq:thrm:1" in error


def test_an_unknown_command_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verfy"]) == 2
    assert "verify" in capsys.readouterr().err


def test_the_module_runs_as_a_program() -> None:
    run = subprocess.run([sys.executable, "-m", "shbcore"], capture_output=True, text=True, check=True)
    assert "verify" in run.stdout
