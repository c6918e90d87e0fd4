"""Outputs of notebooks that need not be executed again, kept in `_build/executed`.

A notebook is executed again exactly when something changed that could change its outputs: its code cells, `shbcore`, the data, what
Coq recorded, the pins and what is installed, Python, the settings that kernels inherit, or the runner.  All of that is hashed into the
name of an entry; prose is not, since the text is always taken from the notebook as it is now.  Four guards keep a stale page
impossible: files that change while a notebook runs, a notebook that reads a file of the project that was not hashed, a library
imported from elsewhere, and a damaged entry each mean that the notebook runs again.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from pins import normal, pinned

READ = ("shbcore", "book/data", "kernel")  # folders from which a notebook may read
PINS = ("constraints.txt", "requirements.lock")
RUNNER = ("scripts/execute_notebooks.py", "scripts/executed.py", "scripts/watch_reads.py")
SETTINGS = ("BLIS", "LANG", "LC_", "MKL", "MPL", "NUMBA", "OMP", "OPENBLAS", "PYTHON", "SHBCORE", "TZ")
SKIPPED = {"__pycache__", ".ipynb_checkpoints", "generated", ".depend"}  # `make kernel` writes the last two
COMPILED = {".pyc", ".nbi", ".nbc", ".vo", ".vok", ".vos", ".glob", ".aux", ".cache"}  # made from files that are hashed
KEPT = 3  # entries of each notebook: a return to an earlier state is fast too


def inputs(root: Path) -> list[Path]:
    """Every file outside a notebook on which its outputs may depend."""
    found = [root / name for name in (*PINS, *RUNNER)]
    for folder in READ:
        files = (root / folder).rglob("*")
        found += [path for path in files if not SKIPPED & set(path.parts) and path.suffix not in COMPILED]
    return sorted(path for path in found if path.is_file())


def settings() -> dict[str, str]:
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith(SETTINGS)}


def installed(root: Path) -> list[str]:
    """Versions in use of everything that is pinned; what else is installed is not imported here."""
    pins = pinned((root / "constraints.txt").read_text())
    found = {(normal(one.name), one.version) for one in importlib.metadata.distributions()}
    return sorted(f"{name}=={version}" for name, version in found if name in pins)


def surroundings(root: Path) -> str:
    """Hash of everything but the notebook itself."""
    facts = [sys.version, sys.prefix, platform.platform(), settings(), installed(root)]
    digest = hashlib.sha256(json.dumps(facts).encode())
    for path in inputs(root):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def state(root: Path) -> list[tuple[str, int, int]]:
    """A quick look that no edit escapes, not even one that was taken back."""
    return [(str(path), path.stat().st_ctime_ns, path.stat().st_size) for path in inputs(root)]


def imported_from_elsewhere(root: Path) -> str:
    """The place from which kernels would import `shbcore`, if it is not the one in ``root``."""
    spec = importlib.util.find_spec("shbcore")
    origin = str(spec.origin if spec is not None else "nowhere")
    return "" if Path(origin).resolve().is_relative_to((root / "shbcore").resolve()) else origin


class Executed:
    """The entries of one project.  With ``fresh`` nothing is read from them, but what was executed is kept for the next time."""

    def __init__(self, root: Path, fresh: bool = False) -> None:
        self.root, self.fresh = root, fresh
        self.folder = root / "_build" / "executed"
        self.surroundings, self.state = surroundings(root), state(root)

    def key(self, path: Path, notebook: NotebookNode) -> str:
        code = [
            (cell.source, cell.metadata.get("tags", []))  # a tag may let a cell fail, or skip it
            for cell in notebook.cells
            if cell.cell_type == "code"
        ]
        return hashlib.sha256(json.dumps([path.stem, self.surroundings, code]).encode()).hexdigest()

    def entry(self, path: Path, key: str) -> Path:
        return self.folder / f"{path.stem}-{key[:20]}.json"

    def fill(self, path: Path, notebook: NotebookNode) -> bool:
        """Put kept outputs into ``notebook``; ``False`` if there are none that fit."""
        key = self.key(path, notebook)
        entry = self.entry(path, key)
        if self.fresh or not entry.is_file():
            return False
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        try:
            kept = json.loads(entry.read_text("utf-8"))
            sound = kept["key"] == key and kept["digest"] == digest(kept["cells"]) and len(kept["cells"]) == len(cells)
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            print(f"  {path.name}: what was kept of it is damaged", flush=True)
            entry.unlink(missing_ok=True)
            return False
        for cell, (count, outputs) in zip(cells, kept["cells"], strict=True):
            cell.execution_count, cell.outputs = count, [nbformat.from_dict(output) for output in outputs]
        os.utime(entry)
        return True

    def keep(self, path: Path, notebook: NotebookNode, strangers: list[str]) -> None:
        """Keep the outputs, unless something makes it doubtful that they belong to the key."""
        if strangers:
            names = ", ".join(strangers[:3])
            print(f"  {path.name} reads {names}: it is executed at every build", flush=True)
            return
        if state(self.root) != self.state:
            print(f"  {path.name}: files changed while it ran, so it will run again", flush=True)
            return
        cells = [[cell.execution_count, cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]
        key = self.key(path, notebook)
        self.folder.mkdir(parents=True, exist_ok=True)
        entry = self.entry(path, key)
        part = entry.with_suffix(f".{os.getpid()}.part")
        try:
            part.write_text(json.dumps({"key": key, "digest": digest(cells), "cells": cells}), encoding="utf-8")
            part.replace(entry)
        finally:
            part.unlink(missing_ok=True)
        mine = (one for one in self.folder.glob("*.json") if one.name.rpartition("-")[0] == path.stem)
        for old in sorted(mine, key=lambda one: -one.stat().st_mtime)[KEPT:]:
            old.unlink(missing_ok=True)


def digest(cells: Any) -> str:
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()
