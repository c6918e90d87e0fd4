"""What was executed is used again exactly when nothing changed that could change it: a stale page cannot come about."""

import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import build_book
import executed
import nbformat
import numpy
import pytest
from execute_notebooks import execute_all, read
from executed import Executed

ROOT = Path(__file__).resolve().parent.parent
CODE = 'import sys\nsys.path.insert(0, "..")\nimport shbcore\nprint(shbcore.VALUE)'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one notebook that shows a number of its library."""
    for folder in ("shbcore", "book/data", "scripts", "kernel"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "shbcore" / "__init__.py").write_text("VALUE = 'one'\n")
    (tmp_path / "book" / "data" / "table.csv").write_text("1\n")
    (tmp_path / "kernel" / "checked.json").write_text("{}\n")
    for name in (*executed.PINS, *executed.RUNNER):
        (tmp_path / name).write_text(f"{name}\n")
    notebook(tmp_path, "Prose.", CODE)
    return tmp_path


def notebook(project: Path, prose: str, *code: str, **metadata: object) -> Path:
    path = project / "book" / "chapter.ipynb"
    cells = [nbformat.v4.new_markdown_cell(prose), *(nbformat.v4.new_code_cell(one) for one in code)]
    cells[-1].metadata.update(metadata)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def run(project: Path, capsys: pytest.CaptureFixture[str], fresh: bool = False) -> tuple[bool, str, bytes]:
    """Whether the notebook was executed, what it showed, and the bytes of the result."""
    path, target = project / "book" / "chapter.ipynb", project / "result.ipynb"
    capsys.readouterr()
    found = execute_all([path], 1, Executed(project, fresh))[path]
    nbformat.write(found, target)
    said = capsys.readouterr().out
    assert ("executing 1" in said) != ("executing 0" in said)
    return "executing 1" in said, found.cells[-1].outputs[0].text, target.read_bytes()


def test_prose_is_new_and_outputs_are_kept_byte_for_byte(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project, capsys)[:2] == (True, "one\n")
    notebook(project, "Other prose.", CODE)
    again, shown, kept = run(project, capsys)
    assert (again, shown) == (False, "one\n")
    assert b"Other prose." in kept
    anew, _, executed_anew = run(project, capsys, fresh=True)
    assert anew
    assert executed_anew == kept


def test_a_change_of_the_library_shows_at_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project, capsys)[:2] == (True, "one\n")
    # another length, so that it is seen within one second
    (project / "shbcore" / "__init__.py").write_text("VALUE = 'two, or more'\n")
    assert run(project, capsys)[:2] == (True, "two, or more\n")
    (project / "shbcore" / "__init__.py").write_text("VALUE = 'one'\n")
    assert run(project, capsys)[:2] == (False, "one\n"), "a return to an earlier state is known"


def file(name: str, text: str = "changed\n") -> Callable[[Path, pytest.MonkeyPatch], None]:
    def change(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)

    return change


CHANGES: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "code": lambda project, _: notebook(project, "Prose.", CODE + "  # changed"),
    "a new cell of code": lambda project, _: notebook(project, "Prose.", "x = 1", CODE),
    "a tag": lambda project, _: notebook(project, "Prose.", CODE, tags=["raises-exception"]),
    "the library": file("shbcore/__init__.py"),
    "a new file of the library": file("shbcore/new.toml"),
    "a file renamed": lambda project, _: (project / "kernel/checked.json").rename(project / "kernel/other.json"),
    "data": file("book/data/table.csv"),
    "what Coq recorded": file("kernel/checked.json"),
    **{name: file(name) for name in (*executed.PINS, *executed.RUNNER)},
    "Python": lambda _, monkeypatch: monkeypatch.setattr(sys, "version", "3.99.0"),
    "the machine": lambda _, monkeypatch: monkeypatch.setattr(platform, "platform", lambda: "elsewhere"),
    "what is installed": lambda _, monkeypatch: monkeypatch.setattr(executed, "installed", lambda _: ["numpy==0"]),
    "a setting": lambda _, monkeypatch: monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7"),
}
NO_CHANGES: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "nothing": lambda project, _: None,
    "prose": lambda project, _: notebook(project, "Other prose.", CODE),
    "a description": lambda project, _: notebook(project, "Prose.", CODE, mystnb={"image": {"alt": "described"}}),
    "a caption": lambda project, _: notebook(project, "Prose.", CODE, mystnb={"caption": "A curve $x_k$."}),
    "a picture of the site": file("book/logo.svg"),
    "bytecode": file("shbcore/a.pyc"),
    "a compiled proof": file("kernel/a.vo"),
    "a proof that was exported": file("kernel/generated/a.v"),
    "the order of compilation": file("kernel/.depend"),
}


def key(project: Path) -> str:
    path = project / "book" / "chapter.ipynb"
    return Executed(project).key(path, read(path))


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_could_change_an_output_is_part_of_the_key(
    project: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = key(project)
    CHANGES[what](project, monkeypatch)
    assert key(project) != before


@pytest.mark.parametrize("what", NO_CHANGES)
def test_nothing_else_is(project: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    before = key(project)
    NO_CHANGES[what](project, monkeypatch)
    assert key(project) == before


def test_a_file_that_changes_while_a_notebook_runs_keeps_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit = (
        'from pathlib import Path\nlibrary = Path("../shbcore/__init__.py")\nlibrary.write_text(library.read_text())\n'
    )
    notebook(project, "Prose.", edit + CODE)
    path = project / "book" / "chapter.ipynb"
    execute_all([path], 1, Executed(project))
    assert "files changed while it ran" in capsys.readouterr().out
    assert run(project, capsys)[0]


def test_a_notebook_that_reads_another_file_of_the_project_runs_every_time(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "README.md").write_text("read\n")
    notebook(project, "Prose.", 'print(open("../README.md").read(), end="")')
    assert run(project, capsys)[:2] == (True, "read\n")
    (project / "README.md").write_text("changed\n")
    assert run(project, capsys)[:2] == (True, "changed\n")


@pytest.mark.parametrize("damage", ["cut", "forged", "empty", "no json"])
def test_a_damaged_entry_is_never_shown(project: Path, capsys: pytest.CaptureFixture[str], damage: str) -> None:
    path = project / "book" / "chapter.ipynb"
    kept = Executed(project)
    sound = read(path)
    sound.cells[-1].outputs = [nbformat.v4.new_output("stream", name="stdout", text="one\n")]
    kept.keep(path, sound, [])
    assert kept.fill(path, read(path))
    (entry,) = kept.folder.iterdir()
    text = entry.read_text()
    broken = {"cut": text[:-20], "forged": text.replace("one", "two"), "empty": "{}", "no json": "?"}[damage]
    entry.write_text(broken)
    assert not kept.fill(path, read(path))
    assert "damaged" in capsys.readouterr().out


def test_only_a_few_entries_of_a_notebook_are_kept(project: Path) -> None:
    path = project / "book" / "chapter.ipynb"
    for number in range(executed.KEPT + 3):
        notebook(project, "Prose.", f"print({number})")
        Executed(project).keep(path, read(path), [])
    assert len(list((project / "_build" / "executed").iterdir())) == executed.KEPT


def test_versions_of_pinned_packages_count(tmp_path: Path) -> None:
    (tmp_path / "constraints.txt").write_text("numpy==0\nNbFormat==0\n")
    assert executed.installed(tmp_path) == [f"nbformat=={nbformat.__version__}", f"numpy=={numpy.__version__}"]


def test_a_library_from_elsewhere_is_noticed(tmp_path: Path) -> None:
    assert executed.imported_from_elsewhere(ROOT) == ""
    assert executed.imported_from_elsewhere(tmp_path).endswith("__init__.py")


def test_ctrl_c_stops_at_once_and_what_was_executed_is_kept(project: Path) -> None:
    quick = notebook(project, "Prose.", CODE)
    slow = quick.with_name("slow.ipynb")
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import time\ntime.sleep(60)")]), slow)
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "scripts")!r})
        from pathlib import Path
        from execute_notebooks import execute_all
        from executed import Executed
        execute_all([Path({str(quick)!r}), Path({str(slow)!r})], 1, Executed(Path({str(project)!r})))"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list(project.glob("_build/executed/*.json")) and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert said == "stopped; what was executed so far is kept\n"
    assert len(list(project.glob("_build/executed/chapter-*.json"))) == 1


def test_a_killed_build_leaves_the_old_pages_or_the_new_ones(tmp_path: Path) -> None:
    html, old, pages = (tmp_path / name for name in ("html", "html.old", "pages"))
    for folder in (old, pages):  # as if killed between the two renames
        folder.mkdir()
        (folder / "index.html").write_text(folder.name)
    build_book.restore(html, old)
    assert (html / "index.html").read_text() == "html.old"
    build_book.put_in_place(pages, html, old)
    assert (html / "index.html").read_text() == "pages"
    assert sorted(os.listdir(tmp_path)) == ["html"]


def test_an_entry_holds_no_time_and_no_place(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(project, capsys)
    (entry,) = (project / "_build" / "executed").iterdir()
    assert set(json.loads(entry.read_text())) == {"key", "digest", "cells"}
    assert str(project) not in entry.read_text()
