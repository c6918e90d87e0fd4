"""Faults from outside: Ctrl-C, no folder to write in, a full disk, a reader that has gone.  One line, and nothing finished is lost."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from shbcore import __main__ as commands
from shbcore.numerics import engine, store, sweep
from shbcore.numerics.sweep import SGD, Setting, Sweep
from shbcore.pages import cli_figures

SMALL = ("--m", "30", "--n", "6", "--epochs", "10", "--experiments", "4", "--alpha0", "0.1", "--workers", "1")
LONG = ("--m", "300", "--n", "100", "--epochs", "500", "--epsilon", "1e-12", "--alpha0", "0.01:1:16")


def call(*arguments: str) -> int:
    return cli_figures.main(["panel", *arguments])


def files(root: Path) -> list[Path]:
    return sorted(root.rglob("*.parquet"))


def test_control_c_stops_a_sweep_at_once_and_keeps_what_is_finished(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shbcore", "panel", *LONG, "--experiments", "200", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while not files(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    kept = len(files(tmp_path))
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    _, error = process.communicate(timeout=60)
    assert time.monotonic() - begun < 10, "the queue was drained"
    assert process.returncode == 130
    assert error.rstrip().splitlines()[-1].startswith("interrupted; finished experiments are kept")
    assert "Traceback" not in error
    assert 0 < kept <= len(files(tmp_path)) < 200
    for path in files(tmp_path):
        store.read(path)
    assert not list(tmp_path.rglob("*.part"))


def test_what_is_finished_when_a_sweep_is_interrupted_is_kept(tmp_path: Path) -> None:
    """The second result is ready when the first is being handed over, and the interruption comes right then."""
    work = Sweep("small", Setting(m=10, n=3, epochs=2), (SGD,), (0.1,), experiments=3)

    def interrupt(finished: int) -> None:
        if finished == 1 and not stopped:
            stopped.append(True)
            raise KeyboardInterrupt

    stopped: list[bool] = []
    with pytest.raises(KeyboardInterrupt), ThreadsDoneFirst() as executor:
        engine.execute([work], tmp_path, executor, interrupt)
    assert engine.execute([work], tmp_path).found == 3


class ThreadsDoneFirst(engine.Executor):
    """An executor that has finished everything by the time anything is collected."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: engine.Future[object] = engine.Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("place", ["/proc/no-results-here", "{tmp}/a file/below"])
def test_a_folder_that_cannot_be_written_is_one_line_before_anything_is_computed(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("in the way")
    monkeypatch.setattr(sweep, "unit", lambda *_: pytest.fail("something was computed"))
    assert call(*SMALL, "--out", place.format(tmp=tmp_path)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no results can be kept here" in error


def test_a_full_disk_is_one_line_and_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, written = pq.write_table, []

    def write(table, file, **options):  # type: ignore[no-untyped-def]
        if len(written) == 2:
            file.write(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(file)
        real(table, file, **options)

    monkeypatch.setattr(pq, "write_table", write)
    assert call(*SMALL, "--out", str(tmp_path)) == 2
    assert "No space left on device" in capsys.readouterr().err.splitlines()[-1]
    assert len(files(tmp_path)) == 2
    assert not list(tmp_path.rglob("*.part"))
    monkeypatch.setattr(pq, "write_table", real)
    assert call(*SMALL, "--out", str(tmp_path)) == 0
    assert "2 experiments computed, 2 found" in capsys.readouterr().out


def test_a_picture_that_cannot_be_drawn_is_refused_before_anything_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "unit", lambda *_: pytest.fail("something was computed"))
    for name in ("panel.nothing", "panel"):
        assert call(*SMALL, "--picture", str(tmp_path / name)) == 2
        assert f"{name}' must end in one of" in capsys.readouterr().err


def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), store.whole(path) as part:
        part.write_text(f"half {1 / 0}")
    assert path.read_text() == "old"
    with store.whole(path) as part:
        part.write_text("new")
    assert [one.name for one in tmp_path.iterdir()] == ["result"]
    assert path.read_text() == "new"


@pytest.mark.parametrize("command", [("panel", *SMALL), ("claims",), ("verify", "--claim", "alg:iters:def"), ("help",)])
def test_a_reader_that_has_gone_is_no_error(command: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    call = [sys.executable, "-m", "shbcore", *command]
    process = subprocess.Popen(call, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 141
    assert "Traceback" not in error
    assert "Broken" not in error


@pytest.mark.parametrize(("trouble", "code"), [(KeyboardInterrupt(), 130), (OSError(errno.ENOSPC, "No space left"), 2)])
def test_any_command_ends_in_one_line(
    trouble: BaseException, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raised(*_: object) -> int:
        raise trouble

    monkeypatch.setattr(commands, "_command", raised)
    assert commands.main(["verify"]) == code
    assert capsys.readouterr().err.count("\n") == 1
