"""Make `.venv` what `requirements.lock` says, once, also when several makes ask at the same time.

Only the standard library is used: this script is what runs before anything is installed.  A stamp in the environment holds a hash
of the pins, the folder, and the names of what was installed; while all of it agrees nothing is done.  Otherwise one line says why, and
what is done about it: packages are installed again, or the environment is made anew.  A mark lies in it while that goes on, so that an
installation that was killed is never taken for a finished one.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

from pins import LOCK, PINS, ROOT, differences
from turns import plainly, turn

HOME = ROOT / ".venv"
THIS = ".".join(map(str, sys.version_info[:3]))


class Refused(Exception):
    """The environment cannot be made; the text says why, in one line."""


def python() -> Path:
    return HOME / "bin" / "python"


def stamp() -> Path:
    return HOME / "shbcore.stamp"


def mark() -> Path:
    return HOME / "shbcore.unfinished"


def pins() -> str:
    """Hash of everything that decides what is installed."""
    digest = hashlib.sha256()
    for path in (ROOT / "pyproject.toml", PINS, LOCK):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def packages() -> list[str]:
    """Names and versions of what is installed, as the folders say."""
    return sorted(path.name for path in HOME.glob("lib/python*/site-packages/*.dist-info"))


def version_of_home() -> str:
    """The version of the environment's Python; empty if it does not start."""
    code = "import sys, encodings, json; print('.'.join(map(str, sys.version_info[:3])))"
    try:
        run = subprocess.run([str(python()), "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip()


def recorded() -> dict[str, object]:
    try:
        found = json.loads(stamp().read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def trouble(exactly: bool) -> tuple[str, bool]:
    """Why the environment cannot be used as it is (empty if it can), and whether it has to be made anew."""
    if not HOME.exists():
        return "there is none", True
    if mark().exists():
        return "its installation was interrupted", True
    version = version_of_home()
    if not version:
        return "its Python is gone or does not start", True
    if exactly and version != THIS:
        return f"it has Python {version}, and PYTHON is {THIS}", True
    found = recorded()
    if found.get("root", str(ROOT)) != str(ROOT):
        return "the folder was moved", True
    if found.get("pins") != pins():
        return "the pins changed" if found else "it was not made by this script", False
    missing = (
        set(map(str, found["packages"])) - set(packages()) if isinstance(found.get("packages"), list) else {"stamp"}
    )
    if missing:
        return f"{min(missing).removesuffix('.dist-info')} is missing", False
    return "", False


def create() -> None:
    """An empty environment with this Python.  The mark is there before anything else is."""
    if sys.version_info < (3, 11):  # noqa: UP036 (python3 of the machine may be older)
        raise Refused(f"Python 3.11 or newer is needed, this is {THIS}: call make PYTHON=python3.11")
    with_pip = importlib.util.find_spec("ensurepip") is not None
    if not with_pip and importlib.util.find_spec("pip") is None:
        raise Refused(
            f"Python {THIS} can fill no environment: it has neither ensurepip nor pip; "
            "install them (Debian, Ubuntu: apt-get install python3-venv) and call make again"
        )
    if HOME.exists():
        mark().touch()
        shutil.rmtree(HOME)
    HOME.mkdir()
    mark().touch()
    venv.create(HOME, with_pip=with_pip)


def pip() -> list[str]:
    """The environment's pip, or that of this Python, which then works on the environment."""
    if list(HOME.glob("lib/python*/site-packages/pip")):
        return [str(python()), "-m", "pip", "--disable-pip-version-check"]
    if importlib.util.find_spec("pip") is None:
        raise Refused("there is no pip: remove .venv, install python3-venv, and call make again")
    return [sys.executable, "-m", "pip", "--python", str(python()), "--disable-pip-version-check"]


def steps() -> list[list[str]]:
    """What pip is asked for: exactly the files whose hashes are in the lock, then shbcore itself, built with what is there already.

    pip is not asked to look for dependencies: the lock has them all, and an older pip would take the newest release of one that is
    asked for with an extra (`coverage[toml]`) and then miss its hash.  The last step sees that nothing is absent.
    """
    install = [*pip(), "install", "-qq", "--no-compile", "--no-deps"]
    locked = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)]
    return [[*install, *locked], [*install, "--no-build-isolation", "--editable", "."], [*pip(), "check"]]


def fill() -> None:
    for step in steps():
        subprocess.run(step, cwd=ROOT, check=True)


def repair(why: str, anew: bool) -> None:
    """Make the environment what it should be.  If pip refuses to change a sound one, that one stays."""
    if different := differences():
        raise Refused(f"requirements.lock does not fit constraints.txt ({', '.join(different[:3])}): call make pins")
    with_what = f"making it with Python {THIS}" if anew else "installing into it"
    print(f"environment: .venv: {why}; {with_what} (about 90 s)", flush=True)
    if anew:
        create()
    mark().touch()
    try:
        fill()
    except subprocess.CalledProcessError as error:
        if not anew:
            mark().unlink()
        raise Refused(f"pip failed with status {error.returncode}, see above; call make again to repeat") from None
    record = {"pins": pins(), "root": str(ROOT), "python": version_of_home(), "packages": packages()}
    stamp().write_text(json.dumps(record, indent=1))
    mark().unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description="Make .venv what requirements.lock says.")
    parser.add_argument("--exactly", action="store_true", help="with this Python, also if .venv works with another")
    exactly = parser.parse_args().exactly
    if not trouble(exactly)[0]:
        return 0
    with turn(ROOT / ".venv.lock", "environment: waiting for another make that is installing"):
        why, anew = trouble(exactly)
        if not why:
            return 0
        start = time.perf_counter()
        try:
            repair(why, anew)
        except Refused as error:
            print(f"environment: {error}", file=sys.stderr)
            return 1
        print(f"environment: ready after {time.perf_counter() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(plainly("environment", main))
