r"""Finished experiments on disk, one file each: written whole or not at all, and believed only if they prove what they are.

A file is a Parquet table whose metadata hold its provenance (parameters, seed, experiment, versions, hash of the code that
computed it) and a SHA-256 of provenance and content.  A file that cannot be read, fails its checksum, or comes from other
parameters, code or versions is named with the reason, and its experiment is computed again.
"""

import ast
import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from shbcore.model import phase
from shbcore.numerics import phase_kernel, simd, sweep
from shbcore.numerics.sweep import Sweep

KEY = b"shbcore"
Provenance = dict[str, Any]


class Refused(Exception):
    """A file that is not what it should be; the message names it and says why."""


@cache
def code() -> Provenance:
    """What computes: a hash of the source, without its comments and docstrings, and the versions of what it stands on."""
    sources = [_bare(Path(str(module.__file__)).read_text("utf-8")) for module in (phase, simd, phase_kernel, sweep)]
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "numba", "llvmlite", "pandas", "pyarrow")}
    return {
        "source": hashlib.sha256("\0".join(sources).encode()).hexdigest(),
        "versions": {"python": platform.python_version(), **versions},
    }


def _bare(source: str) -> str:
    """The code alone: what only a reader sees is left out."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            words = [one for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
            node.body = [one for one in node.body if one not in words] or [ast.Pass()]
    return ast.unparse(tree)


def parameters(work: Sweep) -> Provenance:
    """What is computed.  The name of a sweep and how many experiments it has do not change any row."""
    found = asdict(work)
    del found["name"], found["experiments"]
    return dict(json.loads(json.dumps(found)))


def provenance(work: Sweep, experiment: int) -> Provenance:
    """Everything the rows of one experiment depend on."""
    return {"experiment": experiment, "parameters": parameters(work), **code()}


def table(work: Sweep) -> Provenance:
    """What the table of a whole sweep depends on beside versions: how many experiments, of what, computed by which code."""
    return {"experiments": work.experiments, "parameters": parameters(work), "source": code()["source"]}


def packed(folder: Path, work: Sweep) -> pd.DataFrame:
    """The table of a sweep that a folder carries; :class:`Refused` if it is of other parameters or of other code."""
    return read(folder / f"{work.name}.parquet", table(work))


def checksum(frame: pd.DataFrame, text: str) -> str:
    """SHA-256 of the provenance and of every column: its name, its type, its bits."""
    digest = hashlib.sha256(text.encode())
    for name in frame:
        column = frame[name]
        if column.dtype.kind in "fi":
            kind, data = str(column.dtype), column.to_numpy().tobytes()
        elif len(column) and isinstance(column.iloc[0], np.ndarray):
            kind, data = "lists", b"".join(np.int64(len(row)).tobytes() + np.float64(row).tobytes() for row in column)
        else:
            kind, data = "text", json.dumps(column.tolist()).encode()
        digest.update(f"{name} {kind} {len(data)} ".encode() + data)
    return digest.hexdigest()


def write(path: Path, frame: pd.DataFrame, origin: Provenance) -> None:
    """Write beside the target, force to disk, then rename: a reader sees the old file, the new file, or none."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    text = json.dumps(origin, sort_keys=True)
    label = json.dumps({"provenance": text, "sha256": checksum(frame, text)}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as part, open(part, "wb") as file:
        pq.write_table(table.replace_schema_metadata({KEY: label}), file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place to write a file, which takes its name when it is whole; what failed leaves nothing behind."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def writable(root: Path) -> None:
    """A folder that results can be kept in, made if need be; an ``OSError`` that names it otherwise."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=root, prefix=".probe"):
            pass
    except OSError as error:
        raise OSError(f"{root}: no results can be kept here ({error.strerror or error})") from error


def read(path: Path, origin: Provenance | None = None) -> pd.DataFrame:
    """The table in ``path``, if it is whole and, where ``origin`` is given, comes from there; :class:`Refused` otherwise."""
    try:
        table = pq.read_table(path)
        label = json.loads((table.schema.metadata or {})[KEY])
        text: str = label["provenance"]
        frame: pd.DataFrame = table.replace_schema_metadata(None).to_pandas()
        sound = checksum(frame, text) == label["sha256"]
    except FileNotFoundError:
        raise
    except Exception as error:  # a damaged file may fail anywhere in the reader
        raise Refused(f"{path}: damaged, cannot be read ({type(error).__name__})") from error
    if not sound:
        raise Refused(f"{path}: damaged, checksum does not agree")
    found = json.loads(text)
    other = [] if origin is None else [key for key in origin if found.get(key) != origin[key]]
    if other:
        raise Refused(f"{path}: made with other {' and '.join(other)}")
    return frame


def place(root: Path, work: Sweep, experiment: int) -> Path:
    """Where an experiment is kept: a folder by name and digest of the parameters, a file by number."""
    text = json.dumps(parameters(work), sort_keys=True)
    return root / f"{work.name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}" / f"{experiment:04d}.parquet"


def tidy(root: Path) -> None:
    """Remove what writers that no longer live have left behind."""
    for part in root.glob("**/*.part"):
        try:
            os.kill(int(part.suffixes[-2][1:]), 0)
        except (ProcessLookupError, ValueError, IndexError, OverflowError):
            part.unlink(missing_ok=True)
        except PermissionError:
            continue
