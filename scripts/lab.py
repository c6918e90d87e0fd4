"""Open the notebooks in JupyterLab, which is installed into `.venv` when it is asked for the first time."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from turns import plainly, turn

ROOT = Path(__file__).resolve().parent.parent


def install() -> list[str]:
    """The call that adds JupyterLab and changes no pinned version."""
    call = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-compile"]
    return [*call, "--constraint", str(ROOT / "constraints.txt"), "jupyterlab>=4,<5"]


def lab(options: list[str]) -> list[str]:
    root = ["--allow-root"] if os.geteuid() == 0 else []
    return [sys.executable, "-m", "jupyterlab", f"--notebook-dir={ROOT / 'book'}", *root, *options]


def main() -> int:
    with turn(ROOT / ".venv.lock", "lab: waiting for another make that is installing"):
        if importlib.util.find_spec("jupyterlab") is None:
            print("lab: installing JupyterLab into .venv (about half a minute, only this time)", flush=True)
            if subprocess.run(install(), check=False).returncode != 0:
                print("lab: pip failed, see above; call make lab again to repeat", file=sys.stderr)
                return 1
    return subprocess.run(lab(sys.argv[1:]), check=False).returncode


if __name__ == "__main__":
    sys.exit(plainly("lab", main))
