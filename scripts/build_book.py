"""Build the book: execute what changed, side by side, in a copy, then let jupyter-book render that copy from nothing.

Which notebooks need not be executed again is decided in executed.py; ``--fresh`` executes all of them.  Pages are always rendered
anew, all of them, since numbers and references run from page to page.  A failing cell, a warning, an unresolved reference, a missing
file or a request to another host ends the build with a status other than 0.  The finished pages replace ``_build/html`` only when
all is well.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import yaml
from execute_notebooks import BOOK, LOCK, ROOT, WAITING, execute_all, notebooks, quiet_environment, remembered
from self_contained import foreign_requests, missing_files
from turns import known, plainly, turn

BUILD = ROOT / "_build"
SOURCE = BUILD / "source"
OUTPUT = BUILD / "output"
HTML = BUILD / "html"
OLD = BUILD / "html.old"


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
    without = "import gc; gc.disable()"  # what Sphinx keeps it needs: looking for garbage takes a third of its time
    call = [sys.executable, "-c", f"{without}; from jupyter_book.cli.main import main; main()"]
    options = ["--path-output", str(output), "-W", "-n", "--keep-going", "-q"]
    return subprocess.run([*call, "build", str(source), *options], capture_output=True, text=True, check=False)


def hold_punctuation(pages: Path) -> None:
    """Keep a formula and the sign that follows it together, so that no line begins with a comma."""
    formula = re.compile(r'(<span class="math [^>]*>\\\((?:(?!</span>).)*\\\)</span>)([,.;:!?)\]]+)', re.DOTALL)
    for page in pages.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(formula.sub(r'<span class="hold">\1\2</span>', text), encoding="utf-8")


def put_in_place(pages: Path, html: Path = HTML, old: Path = OLD) -> None:
    """Let ``pages`` be the book.  At every moment the old or the new one is whole, also if this is killed: see ``restore``."""
    restore(html, old)
    if html.exists():
        html.rename(old)
    pages.rename(html)
    shutil.rmtree(old, ignore_errors=True)


def restore(html: Path = HTML, old: Path = OLD) -> None:
    """Finish what a killed build left: the old pages come back if no new ones are there."""
    if old.exists() and not html.exists():
        old.rename(html)
    shutil.rmtree(old, ignore_errors=True)


def build(jobs: int, fresh: bool) -> int:
    restore()
    copy_sources()
    start = time.perf_counter()
    print("book: ", end="")
    for path, notebook in execute_all(notebooks(), jobs, remembered(fresh)).items():
        nbformat.write(notebook, SOURCE / "book" / path.relative_to(BOOK))
    print(f"book: rendering ({time.perf_counter() - start:.0f} s so far)", flush=True)
    run = render(SOURCE, OUTPUT)
    if run.returncode != 0:
        if refused := known(run.stderr):
            raise OSError(refused, os.strerror(refused), str(OUTPUT))
        problem = "book: jupyter-book found the errors or warnings above"
        print(run.stdout, run.stderr, problem, sep="\n", file=sys.stderr)
        return 1
    pages = OUTPUT / "_build" / "html"
    if requests := foreign_requests(pages):
        print("book: pages would ask another host:", *requests, sep="\n  ", file=sys.stderr)
        return 1
    if missing := missing_files(pages):
        print("book: pages ask for files that are not there:", *missing, sep="\n  ", file=sys.stderr)
        return 1
    hold_punctuation(pages)
    put_in_place(pages)
    print(f"book: done after {time.perf_counter() - start:.0f} s; open _build/html/index.html")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the book into _build/html.")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    parser.add_argument("--fresh", action="store_true", help="execute every notebook, also those that did not change")
    arguments = parser.parse_args()
    quiet_environment()
    with turn(LOCK, f"book: {WAITING}"):
        BUILD.mkdir(exist_ok=True)
        return build(arguments.jobs, arguments.fresh)


if __name__ == "__main__":
    sys.exit(plainly("book", main))
