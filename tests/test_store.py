"""What is on disk is whole and what it says it is, or it is named and computed again; a killed sweep loses nothing that was finished."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import study

from shbcore.numerics import panels, store
from shbcore.numerics.engine import compact, execute
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep

WORK = Sweep(
    "small", Setting(m=40, n=10, epochs=30), (SGD, Method(Momentum(0.1))), (0.01, 0.1, 1.0), (0.3,), experiments=4
)

CHILD = """
import sys
from pathlib import Path
from shbcore.numerics.engine import execute, processes
from shbcore.numerics.sweep import SGD, Method, Momentum, Setting, Sweep
if __name__ == "__main__":
    work = Sweep("long", Setting(m=100, n=50, epochs=200), (SGD, Method(Momentum(0.1))), (0.01, 0.1, 1.0), (1e-9,), experiments=20)
    pool = processes(2) if sys.argv[2] == "2" else None
    execute([work], Path(sys.argv[1]), pool, lambda n: print(n, flush=True))
    if pool:
        pool.shutdown()
"""


def content(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.parquet"))}


def test_a_second_execution_computes_nothing_and_gives_the_same(tmp_path: Path) -> None:
    first, second = execute([WORK], tmp_path), execute([WORK], tmp_path)
    assert (first.computed, first.found, second.computed, second.found) == (4, 0, 0, 4)
    assert first.tables[0].equals(second.tables[0])


def test_more_experiments_extend_what_is_there(tmp_path: Path) -> None:
    execute([WORK], tmp_path)
    more = execute([Sweep(**{**vars(WORK), "experiments": 6, "name": "small"})], tmp_path)
    assert (more.computed, more.found) == (2, 4)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(bytes(data))


def forge(path: Path) -> None:
    """A readable file with a changed number under the old label."""
    table = pq.read_table(path)
    column = table.schema.get_field_index("lowest")
    frame = table.column("lowest").to_numpy().copy()
    frame[0] += 1e-12
    pq.write_table(table.set_column(column, "lowest", [frame]).replace_schema_metadata(table.schema.metadata), path)


def relabel(path: Path) -> None:
    """A sound file of another experiment in the wrong place."""
    path.write_bytes(path.with_name("0002.parquet").read_bytes())


@pytest.mark.parametrize("damage", [truncate, empty, flip, forge, relabel])
def test_a_damaged_file_is_named_and_computed_again(tmp_path: Path, damage) -> None:
    first = execute([WORK], tmp_path)
    before = content(tmp_path)
    path = store.place(tmp_path, WORK, 1)
    damage(path)
    again = execute([WORK], tmp_path)
    assert (again.computed, again.found) == (1, 3)
    assert len(again.refused) == 1
    assert str(path) in again.refused[0]
    assert again.tables[0].equals(first.tables[0])
    assert content(tmp_path) == before


def test_results_of_other_code_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute([WORK], tmp_path)
    now = store.code()
    monkeypatch.setattr(store, "code", lambda: {**now, "source": "another"})
    again = execute([WORK], tmp_path)
    assert again.computed == 4
    assert all("other source" in reason for reason in again.refused)


def test_a_file_says_how_it_was_made(tmp_path: Path) -> None:
    execute([WORK], tmp_path)
    label = json.loads(pq.read_schema(store.place(tmp_path, WORK, 3)).metadata[store.KEY])
    origin = json.loads(label["provenance"])
    assert origin["experiment"] == 3
    assert origin["parameters"]["seed"] == WORK.seed
    assert origin["parameters"]["setting"]["m"] == 40
    assert {"python", "numpy", "numba"} <= set(origin["versions"])


def test_what_a_dead_writer_left_is_removed_and_never_read(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    path = store.place(tmp_path, WORK, 0)
    path.parent.mkdir(parents=True)
    part = path.with_name(f"{path.name}.{ended.pid}.part")
    part.write_bytes(b"half a file")
    assert execute([WORK], tmp_path).computed == 4
    assert not part.exists()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_at_random_moments_nothing_finished_is_lost(tmp_path: Path, workers: str) -> None:
    child = tmp_path / "child.py"
    child.write_text(CHILD)
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    chance, finished = random.Random(int(workers)), 0
    subprocess.run([sys.executable, str(child), str(calm), "1"], check=True, capture_output=True)
    for _ in range(3 if workers == "1" else 2):
        process = subprocess.Popen([sys.executable, str(child), str(rough), workers], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        found = int(process.stdout.readline())
        assert found >= finished, "a finished experiment was lost"
        finished = found
        for _ in range(chance.randint(1, 5)):
            finished += int(process.stdout.readline() or 0)
        time.sleep(chance.uniform(0, 0.02))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    subprocess.run([sys.executable, str(child), str(rough), workers], check=True, capture_output=True)
    assert content(rough) == content(calm)


def test_the_hash_of_the_code_sees_code_and_no_words() -> None:
    before = '"""Words."""\n\ndef f(x):\n    """More."""\n    return x + 1  # and more\n'
    assert store._bare(before) == store._bare("def f(x):\n    return x + 1\n")
    assert store._bare(before) != store._bare(before.replace("+ 1", "+ 2"))


BOOK = Path(__file__).resolve().parent.parent / "book" / "data"
STUDY = (panels.figures_2_3(), *panels.larger_study())


@pytest.mark.parametrize("work", STUDY, ids=lambda work: work.name)
def test_the_tables_of_the_book_come_from_this_code(work: Sweep) -> None:
    """After a change of the sweeps: make study."""
    assert len(store.packed(BOOK, work)) == work.runs
    with pytest.raises(store.Refused, match="made with other parameters"):
        store.packed(BOOK, replace(work, seed=work.seed + 1))
    with pytest.raises(store.Refused, match="made with other experiments"):
        store.packed(BOOK, replace(work, experiments=work.experiments + 1))


def test_a_table_of_other_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "code", lambda: {"source": "another"})
    with pytest.raises(store.Refused, match="made with other source"):
        store.packed(BOOK, STUDY[0])


def test_a_study_is_run_and_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that was packed is the compact form of the whole one, and what this code did not make is not packed."""
    works = (panels.figures_2_3(experiments=1), *panels.larger_study(experiments=1))
    small = pd.DataFrame({"experiment": [0], "method": ["SGD"], "momentum": ["1"], "start": ["g0"], "alpha_0": [0.1]})
    small = small.assign(beta=1.0, **{"epochs_0.1": 3.0}, final=0.5)
    for work in works:
        store.write(tmp_path / "results" / f"{work.name}.parquet", small, {**store.table(work), **store.code()})
    study.pack(tmp_path / "results", tmp_path / "data", 1)
    assert capsys.readouterr().out.count(" runs, ") == len(works)
    pd.testing.assert_frame_equal(store.packed(tmp_path / "data", works[0]), compact(small), check_dtype=False)
    store.write(
        tmp_path / "results" / f"{works[1].name}.parquet", small, {**store.table(works[1]), "source": "another"}
    )
    with pytest.raises(store.Refused, match="other source"):
        study.pack(tmp_path / "results", tmp_path / "data", 1)
