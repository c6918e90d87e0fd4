"""Remove what was built, when no other make is building.  The environment stays."""

import shutil
import sys
from pathlib import Path

from turns import plainly, turn

ROOT = Path(__file__).resolve().parent.parent
BUILT = ("_build", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage")


def main() -> int:
    with turn(ROOT / ".build.lock", "clean: waiting for another make that is building in this folder"):
        caches = [
            path for path in ROOT.rglob("__pycache__") if ".venv" not in path.parts and "_build" not in path.parts
        ]
        for path in (*(ROOT / name for name in BUILT), *caches):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(plainly("clean", main))
