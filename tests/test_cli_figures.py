"""The commands `figures` and `panel`: what they print and write, and one line with exit code 2 for nonsense."""

import subprocess
import sys
from pathlib import Path

import pytest

from shbcore.numerics import store
from shbcore.pages import cli_figures


def call(*arguments: str) -> int:
    try:
        return cli_figures.main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)


SMALL = ("--m", "40", "--n", "10", "--epochs", "20", "--experiments", "4", "--workers", "1")


def test_a_panel_of_ones_own_prints_a_line_a_stepsize(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "panel.png"
    code = call("panel", *SMALL, "--alpha0", "0.05,0.1,0.2", "--beta", "2/sqrt(K)", "--picture", str(picture))
    out = capsys.readouterr().out
    assert code == 0
    assert "24 runs" in out
    assert all(f"{alpha_0:10.4g}" in out for alpha_0 in (0.05, 0.1, 0.2))
    assert picture.stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--beta", "2"), "beta = 2.0 must lie in (0, 1]"),
        (("--beta", "1/(alpha_0 sqrt(K))", "--alpha0", "0.001"), "so alpha_0 >= 0.0353553"),
        (("--beta", "1"), "SHB is SGD"),
        (("--beta", "1/K"), "be a number, c/sqrt(K) or c/(alpha_0 sqrt(K))"),
        (("--kappa", "0.5"), "kappa = 0.5 must be at least 1"),
        (("--p-fail", "2"), "p_fail = 2.0 must lie in [0, 1]"),
        (("--m", "0"), "m = 0 must be an integer >= 1"),
        (("--m", "many"), "invalid int value: 'many'"),
        (("--alpha0", "0.1,x"), "alpha0 = '0.1,x' must be"),
        (("--alpha0", "1:0:4"), "alpha0 = '1:0:4' must be"),
        (("--alpha0", "-1"), "alpha_0 = -1.0 must be positive"),
        (("--epsilon", "0"), "epsilon = 0.0 must be positive"),
        (("--signal", "cube"), "signal = 'cube' must be one of"),
        (("--start", "zero"), "start = 'zero' must be one of"),
        (("--workers", "0"), "workers = 0 must be at least 1"),
    ],
)
def test_nonsense_is_one_line_and_exit_code_two(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("panel", *SMALL, *arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_figures_goes_on_where_it_stopped_and_names_a_damaged_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("figures", "--out", str(tmp_path), "--experiments", "1", "--workers", "1")
    assert call(*arguments) == 0
    assert "210 runs" in capsys.readouterr().out
    for name in ("figure_1.png", "figure_2.png", "figure_3.png"):
        assert (tmp_path / name).stat().st_size > 10_000
    table = store.read(tmp_path / "figures_2_3.parquet")
    assert len(table) == 198
    damaged = next(tmp_path.glob("figures_2_3-*/0000.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    assert call(*arguments) == 0
    out, err = capsys.readouterr()
    assert "1 experiments computed, 2 found" in out
    assert f"computed again: {damaged}: damaged" in err
    assert store.read(tmp_path / "figures_2_3.parquet").equals(table)


def test_the_command_line_finds_the_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shbcore", "panel", "--help"], capture_output=True, text=True, check=True
    )
    assert "--kappa" in done.stdout
