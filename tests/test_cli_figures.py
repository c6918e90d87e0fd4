"""The commands `figures` and `panel`: what they print and write, and one line with exit code 2 for nonsense; and the tree of histories."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import same_color

from shbcore.numerics import store
from shbcore.numerics.slack import Slack
from shbcore.pages import cli_figures, figures, style


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


def test_the_tree_of_histories_shows_every_slack_and_marks_those_below_zero() -> None:
    levels = [[(1, Slack(0, 1))], [(Fraction(1, 4), Slack(3, 1)), (Fraction(3, 4), Slack(0, 2))]]
    fig, axes = style.figure()
    figures.histories(axes[0, 0], levels)
    dots = {tuple(one.get_offsets()[0]): one.get_facecolor()[0] for one in axes[0, 0].collections}
    wrong = {at for at, color in dots.items() if same_color(tuple(color), style.WRONG.color)}
    assert set(dots) == {(0, 1), (1, -2), (1, 2)}
    assert wrong == {(1, -2)}
    average = next(line for line in axes[0, 0].lines if len(line.get_xdata()) == 2 and line.get_zorder() == 4)
    assert list(average.get_ydata()) == [1, 1]
    plt.close(fig)
