"""A zip of all notebooks, their data and the library as a wheel, which runs anywhere after three lines.

Files are sorted and carry one date, so that the same sources give the same bytes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

from execute_notebooks import BOOK, LOCK, ROOT, WAITING, notebooks
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from turns import plainly, turn

BUILD = ROOT / "_build"
DATE = (1980, 1, 1, 0, 0, 0)
WITHOUT = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.nbi", "*.nbc")
LINES = """python3 -m venv env
env/bin/pip install --constraint constraints.txt "./{wheel}[lab]"
env/bin/jupyter lab notebooks
"""
README = """{title}

All notebooks of the book with their data, and the library shbcore {version} as a wheel.  With Python 3.11 or newer:

{lines}
The versions in constraints.txt are those with which the stored outputs were made.
"""


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def strange(extra: str) -> set[str]:
    """The modules that are importable here and that ``shbcore[extra]`` does not install."""
    todo, seen = [(Requirement("shbcore"), extra)], set()
    while todo:
        one, more = todo.pop()
        name = canonicalize_name(one.name)
        if (name, more) in seen:
            continue
        seen.add((name, more))
        try:
            needs = [Requirement(text) for text in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:  # JupyterLab, which is added when it is asked for
            continue
        for need in needs:
            if need.marker is None or need.marker.evaluate({"extra": more}):
                todo += [(need, wanted) for wanted in (need.extras or {""})]
    installed = {name for name, _ in seen}
    found = metadata.packages_distributions()
    return {module for module, names in found.items() if not installed & {canonicalize_name(name) for name in names}}


def sources(target: Path) -> Path:
    """A copy of what the package is built from, so that building leaves nothing behind in the project."""
    target.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target)
    shutil.copytree(ROOT / "shbcore", target / "shbcore", ignore=WITHOUT)
    return target


def wheel(target: Path) -> Path:
    """Build the wheel into ``target``, with what is installed here, and return its path."""
    with tempfile.TemporaryDirectory() as folder:
        copy = sources(Path(folder) / "sources")
        call = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
        subprocess.run([*call, "--wheel-dir", str(target), str(copy)], check=True, env=environment)
    return next(target.glob("*.whl"))


def bundle(target: Path) -> None:
    """Write the zip, whole or not at all."""
    part = target.with_suffix(".part")
    with tempfile.TemporaryDirectory() as folder:
        built = wheel(Path(folder))
        lines = LINES.format(wheel=built.name)
        readme = README.format(title="Heavy ball, verified", version=version(), lines=lines)
        files = {built.name: built.read_bytes(), "README.txt": readme.encode()}
        files |= {name: (ROOT / name).read_bytes() for name in ("constraints.txt", "LICENSE", "THIRD_PARTY.md")}
        files |= {f"notebooks/{path.name}": path.read_bytes() for path in notebooks()}
        data = (path for path in (BOOK / "data").rglob("*") if path.is_file())
        files |= {f"notebooks/{path.relative_to(BOOK).as_posix()}": path.read_bytes() for path in data}
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(f"{target.stem}/{name}", DATE)
                entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
                archive.writestr(entry, files[name])
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def main() -> int:
    with turn(LOCK, f"bundle: {WAITING}"):
        BUILD.mkdir(exist_ok=True)
        target = BUILD / f"heavy-ball-verified-{version()}.zip"
        bundle(target)
    print(f"bundle: {len(notebooks())} notebooks, {target.stat().st_size / 1e6:.1f} MB in {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(plainly("bundle", main))
