"""Execute the notebooks of the book anew, several at a time, and store their outputs without a trace of when or where.

    python scripts/execute_notebooks.py            every notebook
    python scripts/execute_notebooks.py figure_1   the notebooks with these stems

Execution counts start at one, no times are recorded, metadata are reduced to what a reader needs, and cell ids depend on the
position of the cell alone.  Two runs on one machine therefore give the same bytes.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
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


def execute(path: Path) -> NotebookNode:
    """Run one notebook in a new kernel started in its own folder, and return it with its outputs."""
    notebook = settle(nbformat.read(path, as_version=4))
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = merge_streams(cell.outputs)
    return settle(notebook)


def execute_all(paths: list[Path], jobs: int) -> dict[Path, NotebookNode]:
    """Run notebooks side by side, say how each went, and raise ``SystemExit`` if one failed."""
    failed: list[str] = []

    def one(path: Path) -> tuple[Path, NotebookNode | None]:
        start = time.perf_counter()
        try:
            notebook = execute(path)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            failed.append(path.stem)
            print(f"  FAILED  {path.name}\n{error}", flush=True)
            return path, None
        print(f"  {time.perf_counter() - start:5.1f} s  {path.name}", flush=True)
        return path, notebook

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        done = dict(pool.map(one, paths))
    if failed:
        raise SystemExit(f"a cell failed in: {', '.join(sorted(failed))}")
    return {path: notebook for path, notebook in done.items() if notebook is not None}


def quiet_environment() -> None:
    """What kernels inherit: one thread of BLAS each, fixed hashing, no debugger."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYTHONHASHSEED", "0")
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute notebooks and store their outputs.")
    parser.add_argument("stems", nargs="*", help="names of notebooks without .ipynb; all, if none is given")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    arguments = parser.parse_args()
    quiet_environment()
    for path, notebook in execute_all(notebooks(arguments.stems), arguments.jobs).items():
        nbformat.write(notebook, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
