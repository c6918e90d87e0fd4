"""Mutation of the code: places that cannot matter are left out, tests are chosen by what they reach, and the three ends are told apart."""

import subprocess
import sys
import tomllib
from pathlib import Path

import mutation
import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = """from functools import cache


@cache
def f(x: int | None, *, y: int | str = 1) -> int | None:
    return x | y * 2 if x < -1e300 else 1e15


class P(Protocol):
    @property
    def n(self) -> int: ...


class C:
    @property
    def n(self) -> int: ...
"""


def test_what_nothing_evaluates_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(SOURCE)
    never = mutation._never(path)
    lines = SOURCE.splitlines()
    assert (4, 0) in never or (4, 1) in never, "the decorator that remembers"
    assert (5, lines[4].index("|")) in never
    assert (5, lines[4].index("*,")) in never
    assert (6, lines[5].index("|")) not in never
    assert (6, lines[5].index("*")) not in never
    assert (6, lines[5].index("1e300")) in never, "one more is the same number"
    assert (10, lines[9].index("@")) in never, "a protocol is for a type checker"
    assert (15, lines[14].index("@")) not in never
    assert (6, lines[5].index("-1e300")) not in never
    assert (6, lines[5].index("1e15")) not in never


def test_tests_are_those_that_reach_the_line_fastest_first() -> None:
    seconds = {"slow": 5.0, "quick": 0.1, "middle": 1.0, "other": 0.01}
    found = {"lines": {"m.py": {"3": ["slow", "quick", "middle"], "9": ["other"]}}, "seconds": seconds}
    assert mutation.choose(found, "m.py", range(3, 4), 0.0, 3.0) == ["quick", "middle"]
    assert mutation.choose(found, "m.py", range(3, 4), 3.0, 60.0) == ["slow"]
    assert mutation.choose(found, "m.py", range(5, 6), 0.0, 0.5) == ["other", "quick"], "no test: all of them"
    found["lines"]["simd.py"] = {"3": ["slow"]}
    found["lines"]["phase_prox_many.py"] = {"8": ["middle"]}
    every = mutation.choose(found, "simd.py", range(3, 4), 0.0, 60.0)
    assert every == ["middle", "slow", "other", "quick"], "compiled: all of them, first those that enter compiled code"


def test_the_settings_name_what_is_there() -> None:
    for room in mutation.settings()["rooms"].values():
        for pattern in room["modules"]:
            assert list(ROOT.glob(pattern)), pattern
        for name in room["tests"]:
            assert (ROOT / "tests" / f"{name}.py").exists(), name


def test_every_explained_survivor_is_still_there() -> None:
    for module, was, now in mutation.explained():
        lines = [line.strip() for line in (ROOT / module).read_text("utf-8").splitlines()]
        assert all(part in lines for part in was.split(" ;; ") if part), f"{module}: {was}"
        assert was != now
    text = (ROOT / "tests" / "mutation_survivors.toml").read_text("utf-8")
    assert all(len(one["why"]) > 20 for one in tomllib.loads(text).get("survivor", []))


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("assert True", "survived"),
        ("assert False", "killed"),
        ("while True: pass", "hangs"),
        ("__import__('time').sleep(7)", "survived"),
        ("__import__('time').sleep(600)", "hangs"),
        ("pass\n\ntest_it = 1", "survived"),
    ],
)
def test_the_three_ends_are_told_apart(tmp_path: Path, body: str, end: str) -> None:
    """The limit is one of computing, not of the clock: a wait of 7 s passes a limit of 5, and one without end does not."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tmp_path / "tests" / "test_it.py").write_text(f"def test_it():\n    {body}\n")
    code = (
        f"import mutation; from pathlib import Path; mutation.TREE = Path({str(tmp_path)!r});"
        f"mutation.WAITING = {1 if '600' in body else 20};"
        f"print(mutation.forked(['tests/test_it.py::test_it'], 'm.py', {60 if body[0] in 'ap' else 5})[0])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "scripts", capture_output=True, text=True, check=True, timeout=120
    )
    assert run.stdout.strip() == end


def test_a_file_that_a_killed_run_left_mutated_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, home = tmp_path / "root", tmp_path / "home"
    for name, value in (("ROOT", root), ("HOME", home), ("TREE", home / "tree")):
        monkeypatch.setattr(mutation, name, value)
    for folder in (root / "shbcore", root / "tests", home):
        folder.mkdir(parents=True)
    (root / "shbcore" / "one.py").write_text("ONE = 1\n")
    (root / "tests" / "test_one.py").write_text("")
    first = mutation.copy()
    (home / "tree" / "shbcore" / "one.py").write_text("ONE = 2\n")
    assert mutation.copy() == first
    assert (home / "tree" / "shbcore" / "one.py").read_text() == "ONE = 1\n"
    (root / "shbcore" / "one.py").write_text("ONE = 3\n")
    assert mutation.copy()[0] != first[0]
    assert mutation.copy()[1] == first[1]
