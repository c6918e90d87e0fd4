"""Execute the notebooks of the book anew, several at a time, and store their outputs without a trace of when or where.

    python scripts/execute_notebooks.py            every notebook
    python scripts/execute_notebooks.py figure_1   the notebooks with these stems

Execution counts start at one, no times are recorded, metadata are reduced to what a reader needs, and cell ids depend on the
position of the cell alone.  Two runs on one machine therefore give the same bytes.  What was executed is kept for `make book`, which
need not execute it again (see executed.py).
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from executed import READ, Executed, imported_from_elsewhere
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from turns import plainly, turn

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
LOCK = ROOT / ".build.lock"
WAITING = "waiting for another make that is building in this folder"
TIMEOUT = 240  # seconds a cell may take
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebooks(stems: Iterable[str] = ()) -> list[Path]:
    """Notebooks of the book with the given stems (all, if none is given), the largest first; a leading ``_`` marks a draft."""
    wanted = set(stems)
    found = [path for path in BOOK.glob("*.ipynb") if not path.stem.startswith("_") or path.stem in wanted]
    missing = wanted - {path.stem for path in found}
    if missing:
        raise SystemExit(f"no such notebook in book/: {', '.join(sorted(missing))}")
    return sorted((path for path in found if not wanted or path.stem in wanted), key=lambda p: (-p.stat().st_size, p))


def settle(notebook: NotebookNode) -> NotebookNode:
    """Bring ids and metadata to the one stable form."""
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info={"name": "python"})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for index, cell in enumerate(notebook.cells):
        cell.id = f"cell-{index:03d}"
        cell.metadata = NotebookNode({key: cell.metadata[key] for key in ("tags", "mystnb") if key in cell.metadata})
    return notebook


def merge_streams(outputs: list[Any]) -> list[Any]:
    """Join pieces of one stream that follow each other: where they were cut depends on timing alone."""
    merged: list[Any] = []
    for output in outputs:
        if merged and output.output_type == "stream" == merged[-1].output_type and output.name == merged[-1].name:
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def read(path: Path) -> NotebookNode:
    return settle(nbformat.read(path, as_version=4))


def execute(path: Path, notebook: NotebookNode, root: Path = ROOT) -> list[str]:
    """Run one notebook in a new kernel started in its own folder; return the files it read that are none of its inputs."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "reads"
        allowed = tuple(str(root / name) + os.sep for name in (*READ, ".venv", "_build"))
        given = {"ROOT": str(root), "ALLOWED": allowed, "LOG": str(log)}
        watch = str(Path(__file__).with_name("watch_reads.py"))
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT,
            kernel_name="python3",
            record_timing=False,
            extra_arguments=[
                "--IPKernelApp.log_level=ERROR",
                f"--IPKernelApp.exec_lines=__import__('runpy').run_path({watch!r}, {given!r});",
            ],
            resources={"metadata": {"path": str(path.parent)}},
        )
        client.execute()
        strangers = log.read_text("utf-8").splitlines() if log.exists() else []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = merge_streams(cell.outputs)
    settle(notebook)
    return strangers


def execute_all(paths: list[Path], jobs: int, kept: Executed | None = None) -> dict[Path, NotebookNode]:
    """Run notebooks side by side, those that ``kept`` knows excepted; say how each went; raise ``SystemExit`` if one failed."""
    failed: list[str] = []
    done = {path: read(path) for path in paths}
    to_run = [path for path in paths if kept is None or not kept.fill(path, done[path])]
    same = f"; {len(paths) - len(to_run)} unchanged since they were" if len(to_run) < len(paths) else ""
    print(f"executing {len(to_run)} notebooks, {jobs} at a time{same}", flush=True)

    def one(path: Path) -> None:
        start = time.perf_counter()
        try:
            strangers = execute(path, done[path], kept.root if kept else ROOT)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            failed.append(path.stem)
            print(f"  FAILED  {path.name}\n{error}", flush=True)
            return
        print(f"  {time.perf_counter() - start:5.1f} s  {path.name}", flush=True)
        if kept is not None:
            kept.keep(path, done[path], strangers)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            list(pool.map(one, to_run))
        except KeyboardInterrupt:  # at once: kernels end with this process
            print("stopped; what was executed so far is kept", file=sys.stderr, flush=True)
            os._exit(130)
    if failed:
        raise SystemExit(f"a cell failed in: {', '.join(sorted(failed))}")
    return done


def remembered(fresh: bool) -> Executed | None:
    """What was executed before; ``None`` if kernels would import another library than the one that is hashed."""
    if elsewhere := imported_from_elsewhere(ROOT):
        print(f"shbcore comes from {elsewhere}: nothing is kept, nothing is taken", flush=True)
        return None
    return Executed(ROOT, fresh)


def quiet_environment() -> None:
    """What kernels inherit: one thread of BLAS each, fixed hashing, no debugger."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYTHONHASHSEED", "0")
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook whole or not at all."""
    part = path.with_suffix(".part")
    try:
        nbformat.write(notebook, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute notebooks and store their outputs.")
    parser.add_argument("stems", nargs="*", help="names of notebooks without .ipynb; all, if none is given")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    arguments = parser.parse_args()
    quiet_environment()
    with turn(LOCK, f"notebooks: {WAITING}"):
        for path, notebook in execute_all(notebooks(arguments.stems), arguments.jobs, remembered(fresh=True)).items():
            write(notebook, path)
    return 0


if __name__ == "__main__":
    sys.exit(plainly("notebooks", main))
