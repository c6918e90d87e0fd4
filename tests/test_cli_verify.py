"""``python -m shbcore verify`` and ``claims``: the table, one claim, foundations, JSON, and the exit codes."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from shbcore.__main__ import main as command
from shbcore.claims import cli, verify
from shbcore.claims.registry import Claim, claims
from shbcore.proof.kernel import Outcome

CHOSEN = ("eq:proof:thrm:1:evn:1:1", "lem:Vfunc:non-smooth/gamma", "introduction/unimprovable")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[Claim, ...]:
    """A ledger of three claims: one index, one constant, one open."""
    chosen = tuple(one for one in claims() if one.label in CHOSEN)
    monkeypatch.setattr(cli, "claims", lambda: chosen)
    return chosen


def test_the_table_has_one_line_a_claim_and_totals(few: tuple[Claim, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert all(sum(line.startswith(f"{one.label} ") for line in out.splitlines()) == 1 for one in few)
    assert "3 claims as printed: 2 wrong, 1 open" in out
    assert "0 claims failing" in out


def test_two_processes_find_the_same(few: tuple[Claim, ...], capsys: pytest.CaptureFixture[str]) -> None:
    def verdicts() -> list[tuple[str, bool]]:
        return [(record["label"], record["passed"]) for record in json.loads(capsys.readouterr().out)]

    assert cli.main(["--json", "--jobs", "1"]) == 0
    alone = verdicts()
    assert cli.main(["--json", "--jobs", "2"]) == 0
    assert verdicts() == alone


def test_json_has_the_agreed_fields(few: tuple[Claim, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--json", "--jobs", "1"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["label"] for record in records] == [one.label for one in few]
    for record in records:
        assert {"label", "title", "as_printed", "repair", "evidence", "chapter"} <= record.keys()
        for evidence in record["evidence"]:
            assert {"kind", "passed", "detail", "seconds", "negative_control"} <= evidence.keys()
            assert evidence["passed"] is True
            assert evidence["negative_control"]["rejected"] is True


def test_a_failing_check_makes_the_exit_code_1(
    few: tuple[Claim, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = replace(few[-1].checks[0], run=lambda: Outcome(False, "it does not hold"))
    monkeypatch.setattr(cli, "claims", lambda: (replace(few[-1], says=(bad,), more=()),))
    monkeypatch.setattr(verify, "problems", lambda entries: [])
    assert cli.main(["--jobs", "1"]) == 1
    assert "1 claims failing: " + few[-1].label in capsys.readouterr().out


def test_a_damaged_ledger_makes_the_exit_code_1(
    few: tuple[Claim, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "claims", lambda: (replace(few[-1], consequence=""),))
    assert cli.main(["--jobs", "1"]) == 1
    assert "consequence is empty" in capsys.readouterr().err


def test_one_claim_is_printed_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify", "--claim", "eq:proof:thrm:1:evn:1:1"]) == 0
    out = capsys.readouterr().out
    assert "as printed: wrong" in out
    assert "which is false" in out
    assert "rejected" in out


def test_foundations_are_printed_with_their_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify", "--axioms", "lem:xdiff:non-smooth"]) == 0
    out = capsys.readouterr().out
    assert "[assumption] (A2)" in out
    assert "[rule] induction" in out
    assert len(out.splitlines()) <= 18


def test_a_claim_without_a_proof_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify", "--axioms", "introduction/unimprovable"]) == 0
    assert "no formal statement" in capsys.readouterr().out


def test_claims_are_listed_and_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["claims"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(claims())
    assert command(["claims", "Lemma 4"]) == 0
    assert "lem:Vfunc:non-smooth  [false]" in capsys.readouterr().out
    assert command(["claims", "nothing of this name"]) == 2


def test_an_unknown_claim_is_one_line_with_the_nearest_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--claim", "--axioms"):
        assert command(["verify", option, "eq:thrm:2"]) == 2
        error = capsys.readouterr().err
        assert len(error.strip().splitlines()) == 1
        assert "eq:thrm:1" in error


def test_an_unknown_command_and_a_wrong_number_are_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verfy"]) == 2
    assert "verify" in capsys.readouterr().err
    assert command(["verify", "--jobs", "0"]) == 2
    assert "at least one process" in capsys.readouterr().err


def test_the_module_runs_as_a_program() -> None:
    run = subprocess.run([sys.executable, "-m", "shbcore"], capture_output=True, text=True, check=True)
    assert "verify" in run.stdout


def test_one_claim_and_the_axioms_of_another_are_not_asked_for_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--claim", "lem:moreau:env", "--axioms", "lem:xdiff:non-smooth"])
    told = capsys.readouterr().err
    assert left.value.code == 2
    assert told.count("\n") == 1
    assert "--axioms" in told
    assert "--claim" in told


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
def test_a_closed_standard_output_is_one_line_at_most(closed: str) -> None:
    call = f"exec {sys.executable} -m shbcore claims {closed}"
    run = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert run.stderr.count("\n") == (closed == ">&-")
