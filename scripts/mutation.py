"""Mutate the code, one place at a time, with the operators of cosmic-ray, and see that the tests notice.

    python scripts/mutation.py ROOM [--sample 300] [--seed 0] [--fresh]

`tests/mutation.toml` says what is mutated and which tests there are.  The work goes on in a copy of the project, `_build/mutation`; the
session of cosmic-ray there holds what is finished, so that a stopped run goes on, until a file of the project changes.  A mutant meets the
tests that reach its line, fastest first, in a fork of a process that has the heavy packages loaded already.
What lives is listed.  A mutant that changes no behaviour is explained in `tests/mutation_survivors.toml`.
The exit code is 1 if one is not.
"""

import argparse
import ast
import contextlib
import hashlib
import importlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turns import plainly, turn

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "_build" / "mutation"
TREE = HOME / "tree"
KINDS = (".py", ".toml", ".parquet", ".json", ".txt", ".v", ".md")
COSMIC_RAY = "cosmic-ray==8.7.0"
COPIED = ("shbcore", "tests", "scripts", "pyproject.toml", "book/data", "constraints.txt", "kernel", "README.md")
HEAVY = (
    "numpy",
    "scipy.optimize",
    "sympy",
    "numba",
    "pandas",
    "pyarrow.parquet",
    "hypothesis",
    "tqdm",
    "_pytest.assertion.rewrite",
)
COMPILED = ("phase_kernel.py", "phase_prox.py", "simd.py")
"""Modules that numba compiles: a mutant of them must not meet what was compiled before."""
CALLERS = (*COMPILED, "phase_prox_far.py", "phase_prox_many.py")
"""Where compiled code is called from Python."""
WAITING = 20
"""A mutant may take so many times its limit by the clock: other work on the machine is no reason to call it hanging."""


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "tests" / "mutation.toml").read_text())


def explained() -> dict[tuple[str, str, str], str]:
    """Mutants that change nothing that matters: module, line before, line after, and why."""
    path = ROOT / "tests" / "mutation_survivors.toml"
    entries = tomllib.loads(path.read_text()).get("survivor", []) if path.exists() else []
    return {(one["module"], one["was"], one["now"]): one["why"] for one in entries}


# --- the copy, and which tests reach which line


def digest(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.read_bytes() + b"\0")
    return found.hexdigest()


def copy() -> tuple[str, str]:
    """Make the copy anew if a file changed; returns hashes of the library, and of the tests and everything else."""
    parts = [ROOT / name for name in COPIED]
    files = [one for part in parts if part.exists() for one in ([part] if part.is_file() else part.rglob("*"))]
    files = [one for one in files if one.is_file() and one.suffix in KINDS]
    own = ROOT / "shbcore"
    library, rest = (
        digest(one for one in files if own in one.parents),
        digest(one for one in files if own not in one.parents),
    )
    stamp = HOME / "copied"
    if not stamp.exists() or stamp.read_text() != library + rest:
        shutil.rmtree(TREE, ignore_errors=True)
    for one in files:  # also after a run that was killed while a file was mutated
        target = TREE / one.relative_to(ROOT)
        if not target.exists() or target.read_bytes() != one.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(one, target)
    if not stamp.exists() or stamp.read_text() != library + rest:
        call = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "shbcore", "tests"]
        subprocess.run(call, cwd=TREE, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(library + rest)
    return library, rest


def modules(room: str) -> list[Path]:
    """The files that are mutated, as they are called in the copy."""
    found = [path for pattern in settings()["rooms"][room]["modules"] for path in sorted(TREE.glob(pattern))]
    without = {"__init__", "pytorch", *settings()["rooms"][room].get("without", ())}
    return [path.relative_to(TREE) for path in found if path.stem not in without]


def tests(room: str) -> list[str]:
    names = settings()["rooms"][room]["tests"]
    return [f"tests/{name}.py" for name in names if (TREE / "tests" / f"{name}.py").exists()]


def environment() -> dict[str, str]:
    more = {"PYTHONPATH": str(TREE), "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    return {**os.environ, **more}


def reached(room: str) -> dict[str, Any]:
    """Which tests reach which line, and how long each takes: measured once, by a run with coverage."""
    held = HOME / f"{room}.reached.json"
    want = digest([*(TREE / one for one in modules(room)), *(TREE / one for one in tests(room))])
    if held.exists() and (found := json.loads(held.read_text()))["for"] == want:
        return dict(found)
    print(f"mutation: which tests reach which line of {room} (once)", flush=True)
    data, times = HOME / f"{room}.coverage", HOME / f"{room}.xml"
    call = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "junit_duration_report=call",
        f"--junitxml={times}",
    ]
    cover = ["--cov=shbcore", "--cov-branch", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
    run = subprocess.run(
        [*call, *cover, *tests(room)],
        cwd=TREE,
        env={**environment(), "COVERAGE_FILE": str(data)},
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        raise SystemExit(f"mutation: the tests fail before anything is mutated:\n{run.stdout[-3000:]}")
    found = {"for": want, "lines": _lines(room, data), "seconds": _seconds(times)}
    held.write_text(json.dumps(found))
    return found


def _lines(room: str, data: Path) -> dict[str, dict[str, list[str]]]:
    coverage = importlib.import_module("coverage")
    parts = sorted(data.parent.glob(f"{data.name}*"))
    held = coverage.CoverageData(str(parts[0]))
    held.read()
    found: dict[str, dict[str, list[str]]] = {}
    for module in modules(room):
        by_line = held.contexts_by_lineno(str(TREE / module))
        found[str(module)] = {
            str(line): sorted({name.split("|")[0] for name in names if name}) for line, names in by_line.items()
        }
    return found


def _seconds(times: Path) -> dict[str, float]:
    import xml.etree.ElementTree as tree

    found = {}
    for case in tree.parse(times).iter("testcase"):
        name = f"{str(case.get('classname')).replace('.', '/')}.py::{case.get('name')}"
        found[name] = float(case.get("time") or 0)
    return found


# --- mutants


def _never(path: Path) -> set[tuple[int, int]]:
    """Places where a change cannot change behaviour: annotations, decorators that only remember or are in a protocol, the star before
    keywords, numbers so large that one more is the same."""
    spans: list[Any] = []
    text = path.read_text("utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        stars = [one.start(1) for one in re.finditer(r"(?:^\s*|[(,] ?)(\*),", line)]
        spans += [ast.Pass(lineno=number, end_lineno=number, col_offset=at, end_col_offset=at + 1) for at in stars]
    for node in ast.walk(ast.parse(text)):
        notes = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            notes += [one for one in node.decorator_list if re.match(r"(functools\.)?(lru_)?cache", ast.unparse(one))]
        if isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases):  # for a type checker alone
            notes += [two for one in node.body if isinstance(one, ast.FunctionDef) for two in one.decorator_list]
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value + 1 == node.value:
            at = node.col_offset + 1  # one more or less is the same number; a minus before it stays
            spans.append(ast.Pass(lineno=node.lineno, end_lineno=node.lineno, col_offset=at, end_col_offset=at + 1))
        spans += [one for one in notes if one is not None]
    return {
        (line, column)
        for one in spans
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
        for column in range(
            one.col_offset - 1 if line == one.lineno else 0, one.end_col_offset if line == one.end_lineno else 400
        )
    }


def prepare(room: str, sample: int | None, seed: int, fresh: bool, now: tuple[str, str]) -> Any:
    """The session: all mutants of the room, of which the seed chooses ``sample``; the others are skipped.

    With other tests and the same library, what was noticed stays noticed, and what lived is tried again.
    """
    from cosmic_ray.commands.init import init
    from cosmic_ray.work_db import WorkDB
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    path, stamp = HOME / f"{room}.sqlite", HOME / f"{room}.stamp"
    mine = [now[0], f"{sample} {seed}", now[1]]
    held = stamp.read_text().split("\n") if stamp.exists() and path.exists() and not fresh else []
    if held[:2] == mine[:2]:
        if held != mine:
            with contextlib.closing(sqlite3.connect(path)) as direct, direct:
                direct.execute("DELETE FROM work_results WHERE test_outcome = 'SURVIVED'")
            stamp.write_text("\n".join(mine))
        return WorkDB(str(path), WorkDB.Mode.open)
    path.unlink(missing_ok=True)
    session = WorkDB(str(path), WorkDB.Mode.create)
    names = {f"core/{one}" for one in settings()["operators"]}
    os.chdir(TREE)
    init(modules(room), session, {})
    never = {str(one): _never(TREE / one) for one in modules(room)}
    fit, rest = [], []
    for item in session.work_items:
        (one,) = item.mutations
        good = one.operator_name in names and tuple(one.start_pos) not in never[str(one.module_path)]
        (fit if good else rest).append(item)
    fit.sort(
        key=lambda item: (
            str(item.mutations[0].module_path),
            item.mutations[0].start_pos,
            item.mutations[0].operator_name,
            item.mutations[0].occurrence,
        )
    )
    chosen = fit if sample is None or len(fit) <= sample else random.Random(seed).sample(fit, sample)
    kept = {item.job_id for item in chosen}
    skip = [item.job_id for item in (*fit, *rest) if item.job_id not in kept]
    for begin in range(0, len(skip), 500):
        session.set_multiple_results(skip[begin : begin + 500], WorkResult(WorkerOutcome.SKIPPED))
    (HOME / f"{room}.count").write_text(json.dumps({"fit": len(fit), "chosen": len(chosen)}))
    stamp.write_text("\n".join(mine))
    return session


class Chosen:
    """A plugin of pytest: exactly these tests, in this order."""

    def __init__(self, names: list[str]) -> None:
        self.place = {name: i for i, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.place), key=lambda one: self.place[one.nodeid])


def choose(found: dict[str, Any], module: str, lines: range, least: float, most: float) -> list[str]:
    """The tests that reach one of the lines, fastest first, between ``least`` and ``most`` seconds of them; all, if none does.

    All as well where the module is compiled: which test is seen there is the one that happened to compile it.  Those that enter
    compiled code from Python come first.
    """
    by_line, seconds = found["lines"].get(module, {}), found["seconds"]
    names = {name for line in lines for name in by_line.get(str(line), [])}
    entering: set[str] = set()
    if Path(module).name in COMPILED:
        names = set()
        entering = {
            name
            for other, held in found["lines"].items()
            if Path(other).name in CALLERS
            for reaching in held.values()
            for name in reaching
        }
    names = names or set(seconds)
    spent, chosen = 0.0, []
    for name in sorted(names, key=lambda one: (one not in entering, seconds.get(one, 1.0), one)):
        spent += seconds.get(name, 1.0) + 0.002
        if spent > most and chosen:
            break
        if spent > least:
            chosen.append(name)
    return chosen


def forked(names: list[str], module: str, limit: int) -> tuple[str, str]:
    """Whether the tests notice, in a child that imports the mutated code afresh: killed, survived or hangs; and what was said.

    It hangs if it computes for ``limit`` seconds, or waits for as long as :data:`WAITING` of them.
    """
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            code = 99
            try:
                os.setsid()
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
                code = _child(names, module)
            finally:
                os._exit(code)
        deadline, status = time.monotonic() + WAITING * limit, None
        while status is None and time.monotonic() < deadline:
            done, state = os.waitpid(child, os.WNOHANG)
            status = os.waitstatus_to_exitcode(state) if done else None
            if status is None:
                time.sleep(0.02)
        if status is None:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
        if status in (None, -signal.SIGXCPU, -signal.SIGKILL):
            return "hangs", f"no end within {limit} s"
        said.seek(0)
        words = said.read().decode(errors="replace")[-1500:]
    if status == 4:  # pytest was called in a wrong way: nothing is known of the mutant
        raise RuntimeError(words)
    return ("survived" if status in (0, 5) else "killed"), words  # 5: no test was left to notice


def _child(names: list[str], module: str) -> int:
    import pytest

    os.chdir(TREE)
    sys.path[:0] = [str(TREE), str(TREE / "scripts"), str(TREE / "tests")]
    sys.dont_write_bytecode = True
    os.environ.update(environment())
    if Path(module).name in COMPILED:
        config = importlib.import_module("numba").config
        config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="numba-")
    files = list(dict.fromkeys(name.split("::")[0] for name in names))
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "--no-header", "--tb=line"]
    return int(pytest.main([*options, *files], plugins=[Chosen(names)]))


def execute(room: str, session: Any, found: dict[str, Any]) -> None:
    """Every pending mutant; Ctrl-C loses only the one under way."""
    from cosmic_ray import plugins
    from cosmic_ray.mutating import _make_diff, use_mutation
    from cosmic_ray.work_item import WorkerOutcome, WorkResult
    from tqdm import tqdm

    os.chdir(TREE)
    config = settings()
    pending = sorted(session.pending_work_items, key=lambda item: item.mutations[0].module_path.name in COMPILED)
    done = json.loads((HOME / f"{room}.count").read_text())["chosen"] - len(pending)
    pace = 0.2 if sys.stderr.isatty() else 20.0
    for item in tqdm(
        pending, initial=done, total=done + len(pending), unit="mutant", mininterval=pace, maxinterval=2 * pace
    ):
        (one,) = item.mutations
        operator = plugins.get_operator(one.operator_name)(**one.operator_args)
        with use_mutation(one.module_path, operator, one.occurrence) as (before, after):
            module, lines = str(one.module_path), range(one.start_pos[0], one.end_pos[0] + 1)
            outcome, words = "survived", "no test reaches it"
            for least, most in ((0.0, config["seconds"]), (config["seconds"], config["more_seconds"])):
                names = choose(found, module, lines, least, most)
                if names and outcome == "survived":
                    outcome, words = forked(names, module, config["limit"])
            diff = "\n".join(_make_diff(before, after, one.module_path))
        state = "survived" if outcome == "survived" else "killed"
        session.set_result(item.job_id, WorkResult(WorkerOutcome.NORMAL, f"{outcome}\n{words}", state, diff))


# --- what came of it


def _line(diff: str, sign: str) -> str:
    lines = [one[1:].strip() for one in diff.splitlines() if one.startswith(sign) and not one.startswith(sign * 3)]
    return " ;; ".join(lines)


def report(room: str, session: Any) -> int:
    """Score and survivors; a survivor that is not explained makes the exit code 1."""
    why, killed, hung, alive, excused = explained(), 0, 0, [], 0
    where = {item.job_id: item.mutations[0] for item in session.work_items}
    for job, result in session.results:
        if result.worker_outcome == "skipped":
            continue
        killed += result.is_killed
        hung += (result.output or "").startswith("hangs")
        if not result.is_killed:
            one, diff = where[job], result.diff or ""
            key = (str(one.module_path), _line(diff, "-"), _line(diff, "+"))
            excused += key in why
            alive.append((key, one.start_pos[0], why.get(key, "")))
    count = json.loads((HOME / f"{room}.count").read_text())
    tried = killed + len(alive)
    share = killed / max(tried, 1)
    error = 1.96 * math.sqrt(share * (1 - share) / max(tried, 1) * (1 - tried / count["fit"])) if tried else 0
    for (module, was, now), line, reason in sorted(alive, key=lambda one: (one[0][0], one[1])):
        print(f"{module}:{line}: {reason or 'NOT EXPLAINED'}\n    - {was}\n    + {now}")
    print(
        f"{room}: {killed} of {tried} mutants noticed ({share:.1%} +- {error:.1%} of all {count['fit']}), {hung} of them by hanging; "
        f"{len(alive)} live, {excused} of them explained"
    )
    return int(len(alive) > excused)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=sorted(settings()["rooms"]))
    parser.add_argument("--sample", type=int, default=None, help="so many mutants, chosen by the seed (all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fresh", action="store_true", help="forget what is finished")
    parser.add_argument("--report", action="store_true", help="only say what came of it so far")
    options = parser.parse_args()
    if importlib.util.find_spec("cosmic_ray") is None:
        with turn(ROOT / ".venv.lock", "mutation: waiting for another make that is installing"):
            print("mutation: installing cosmic-ray into .venv (only this time)", flush=True)
            pip = [
                sys.executable,
                "-m",
                "pip",
                "--disable-pip-version-check",
                "install",
                "-qq",
                "--constraint",
                "constraints.txt",
            ]
            subprocess.run([*pip, COSMIC_RAY], cwd=ROOT, check=True)
    HOME.mkdir(parents=True, exist_ok=True)
    with turn(HOME / "lock", "mutation: waiting for another run in this folder"):
        if options.report:
            from cosmic_ray.work_db import WorkDB

            return report(options.room, WorkDB(str(HOME / f"{options.room}.sqlite"), WorkDB.Mode.open))
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        now = copy()
        found = reached(options.room)
        session = prepare(options.room, options.sample, options.seed, options.fresh, now)
        for name in HEAVY:
            importlib.import_module(name)
        execute(options.room, session, found)
        return report(options.room, session)


if __name__ == "__main__":
    sys.exit(plainly("mutation", main))
