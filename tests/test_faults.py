"""Faults of the machine during a build: one line says what happened, and the pages that were finished stay as they were."""

import ctypes
import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book, built once, with the scripts and the configuration of the real one."""
    root = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("_ext", "_static"):
        shutil.copytree(ROOT / "book" / folder, root / "book" / folder)
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    config["sphinx"]["local_extensions"] = {"without_thebe": "book/_ext"}  # what reads the library takes its time
    (root / "_config.yml").write_text(yaml.safe_dump(config))
    for name in ("constraints.txt", "requirements.lock", "README.md", "Makefile"):
        shutil.copy(ROOT / name, root)
    (root / "shbcore").symlink_to(ROOT / "shbcore")
    shutil.copy(ROOT / "book" / "references.bib", root / "book")
    toc = {"format": "jb-book", "root": "book/intro", "chapters": [{"file": "book/chapter"}]}
    (root / "_toc.yml").write_text(yaml.safe_dump(toc))
    (root / "book" / "intro.md").write_text("# A book\n\nText.\n")
    chapter(root, "print('shown')")
    run = subprocess.run(book(root), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return root


def chapter(root: Path, code: str) -> None:
    cells = [nbformat.v4.new_markdown_cell("# A chapter"), nbformat.v4.new_code_cell(code)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), root / "book" / "chapter.ipynb")


def book(root: Path) -> list[str]:
    return [sys.executable, str(root / "scripts" / "build_book.py"), "--jobs", "1"]


def pages(root: Path) -> dict[str, bytes]:
    html = root / "_build" / "html"
    return {str(path.relative_to(html)): path.read_bytes() for path in html.rglob("*") if path.is_file()}


def refused(root: Path, before: Callable[[], None]) -> str:
    """What a build says that must fail, and leaves alone what was there."""
    old = pages(root)
    assert "book/chapter.html" in old
    run = subprocess.run(book(root), capture_output=True, text=True, check=False, preexec_fn=before)
    assert run.returncode == 1
    assert pages(root) == old
    assert "Traceback" not in run.stdout + run.stderr
    assert run.stderr.count("\n") == 1, run.stderr
    return run.stderr


def test_two_builds_at_once_take_turns_and_the_second_says_that_it_waits(built: Path) -> None:
    chapter(built, "import time\ntime.sleep(1)\nprint('both')")
    both = [
        subprocess.Popen(book(built), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    assert sum("book: waiting for another make that is building in this folder" in one for one in said) == 1
    assert sum("executing 1 notebooks" in one for one in said) == 1, "the second takes what the first executed"
    assert b"both" in pages(built)["book/chapter.html"]


@pytest.mark.parametrize("where", ["in the copy", "in an output", "in the pages"])
def test_a_disk_that_takes_no_more(built: Path, where: str) -> None:
    chapter(built, "print('shown')" if where != "in an output" else "print('x' * 1_300_000)")
    limit = {"in the copy": 1_000_000, "in an output": 1_250_000, "in the pages": 1_300_000}[
        where
    ]  # MathJax has 1.2 MB
    said = refused(built, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert said.startswith("book: a file may not grow further here")
    assert "what was finished before is as it was" in said


def test_a_folder_that_may_not_be_written_to(built: Path) -> None:
    def as_somebody() -> None:
        if os.geteuid() == 0:  # even root obeys the mode of a file without this capability
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)

    lock = built / ".build.lock"
    for path, mode in ((lock, 0o444), (built, 0o555)):
        path.chmod(mode)
    try:
        said = refused(built, as_somebody)
    finally:
        built.chmod(0o755)
        lock.chmod(0o644)
    assert said.startswith("book: this folder may not be written to")


def test_a_build_that_is_killed_leaves_the_old_pages_and_the_next_one_works(built: Path) -> None:
    chapter(built, "import time\ntime.sleep(30)")
    old = pages(built)
    process = subprocess.Popen(book(built), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while "executing 1" not in process.stdout.readline():
        pass
    time.sleep(1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert pages(built) == old
    chapter(built, "print('after')")
    assert subprocess.run(book(built), capture_output=True, check=False).returncode == 0
    assert b"after" in pages(built)["book/chapter.html"]


def test_a_missing_picture_stops_the_build(built: Path) -> None:
    chapter(built, 'from IPython.display import HTML\nHTML(\'<img src="nowhere.png" alt="nothing">\')')
    old = pages(built)
    run = subprocess.run(book(built), capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "book: pages ask for files that are not there:\n  book/chapter.html: nowhere.png" in run.stderr
    assert pages(built) == old


def test_no_page_asks_for_the_style_of_a_launcher_that_is_not_there(built: Path) -> None:
    assert not [name for name, data in pages(built).items() if name.endswith(".html") and b"sphinx-thebe" in data]


def test_clean_waits_for_a_build(built: Path) -> None:
    with open(built / ".build.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (built / "_build" / "kept").write_text("kept")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        call = ["make", "clean", f"PYTHON={sys.executable}"]
        process = subprocess.Popen(call, cwd=built, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        assert process.stdout.readline() == "clean: waiting for another make that is building in this folder\n"
        assert (built / "_build" / "kept").exists()
    process.wait(timeout=20)
    assert process.returncode == 0
    assert not (built / "_build").exists()
