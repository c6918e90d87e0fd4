"""Make `.venv` what `pyproject.toml` and `constraints.txt` say, once, also when several makes ask at the same time.

Only the standard library is used: this script is what runs before anything is installed.  A stamp in the environment holds a
hash of the pins, of the interpreter and of the folder; while it agrees nothing is done.  The lock is released by the operating
system when its owner ends, however it ends.
"""

import fcntl
import hashlib
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
STAMP = HOME / "shbcore.stamp"
EXTRAS = "dev,book,referee,dask"


def wanted() -> str:
    """Hash of everything the content of the environment depends on."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {ROOT} {EXTRAS}".encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def current() -> bool:
    return STAMP.is_file() and STAMP.read_text() == wanted()


def install() -> None:
    """Create the environment if there is none, and install the pinned packages and shbcore itself into it."""
    python = HOME / "bin" / "python"
    if not python.is_file():
        print(f"environment: creating .venv with Python {sys.version.split()[0]}", flush=True)
        venv.create(HOME, with_pip=True, clear=HOME.exists())
    print("environment: installing the pinned packages (a few minutes the first time)", flush=True)
    STAMP.unlink(missing_ok=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-compile"]
    subprocess.run([*pip, "--constraint", "constraints.txt", "--editable", f".[{EXTRAS}]"], cwd=ROOT, check=True)
    STAMP.write_text(wanted())


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 (python3 of the machine may be older)
        print(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: call make PYTHON=python3.11",
            file=sys.stderr,
        )
        return 1
    if current():
        return 0
    with open(ROOT / ".venv.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("environment: waiting for another make that is installing", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        if current():
            return 0
        start = time.perf_counter()
        try:
            install()
        except subprocess.CalledProcessError as error:
            print(f"environment: pip failed with status {error.returncode}", file=sys.stderr)
            return 1
        print(f"environment: ready after {time.perf_counter() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
