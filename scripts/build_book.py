"""Build the book: execute every notebook anew, side by side, in a copy, then let jupyter-book render that copy.

Nothing is cached, so an edit of shbcore always shows.  A failing cell, a warning, an unresolved reference or a request to
another host ends the build with a status other than 0.  The finished pages replace ``_build/html`` only when all is well.
"""

import argparse
import fcntl
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import yaml
from execute_notebooks import BOOK, ROOT, execute_all, notebooks, quiet_environment
from self_contained import foreign_requests

BUILD = ROOT / "_build"
SOURCE = BUILD / "source"
OUTPUT = BUILD / "output"


def copy_sources() -> None:
    """Lay out the copy: the same tree, with execution turned off, since the notebooks in it are executed beforehand."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(BOOK, SOURCE / "book", ignore=shutil.ignore_patterns("*.ipynb", ".ipynb_checkpoints"))
    for name in ("_toc.yml", "README.md"):  # a page shows the example of README
        shutil.copy(ROOT / name, SOURCE)
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    config["execute"]["execute_notebooks"] = "off"
    (SOURCE / "_config.yml").write_text(yaml.safe_dump(config, sort_keys=False))


def render(source: Path, output: Path) -> subprocess.CompletedProcess[str]:
    """Run jupyter-book on ``source`` with warnings and unresolved references as errors; pages go to ``output/_build/html``."""
    shutil.rmtree(output, ignore_errors=True)
    call = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    options = ["--path-output", str(output), "-W", "-n", "--keep-going", "-q"]
    return subprocess.run([*call, "build", str(source), *options], capture_output=True, text=True, check=False)


def hold_punctuation(pages: Path) -> None:
    """Keep a formula and the sign that follows it together, so that no line begins with a comma."""
    formula = re.compile(r'(<span class="math [^>]*>\\\((?:(?!</span>).)*\\\)</span>)([,.;:!?)\]]+)', re.DOTALL)
    for page in pages.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(formula.sub(r'<span class="hold">\1\2</span>', text), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the book into _build/html.")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    arguments = parser.parse_args()
    quiet_environment()
    BUILD.mkdir(exist_ok=True)
    start = time.perf_counter()
    with open(BUILD / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once take turns
        copy_sources()
        paths = notebooks()
        print(f"book: executing {len(paths)} notebooks, {arguments.jobs} at a time", flush=True)
        for path, notebook in execute_all(paths, arguments.jobs).items():
            nbformat.write(notebook, SOURCE / "book" / path.relative_to(BOOK))
        print(f"book: rendering ({time.perf_counter() - start:.0f} s so far)", flush=True)
        run = render(SOURCE, OUTPUT)
        if run.returncode != 0:
            print(
                run.stdout,
                run.stderr,
                "book: jupyter-book found the errors or warnings above",
                sep="\n",
                file=sys.stderr,
            )
            return 1
        pages = OUTPUT / "_build" / "html"
        if requests := foreign_requests(pages):
            print("book: pages would ask another host:", *requests, sep="\n  ", file=sys.stderr)
            return 1
        hold_punctuation(pages)
        shutil.rmtree(BUILD / "html", ignore_errors=True)
        pages.rename(BUILD / "html")
    print(f"book: done after {time.perf_counter() - start:.0f} s; open _build/html/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
