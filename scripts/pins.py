"""Write `requirements.lock`: the pins of `constraints.txt`, each with the hashes of its wheels.

Hashes come from the index that pip is configured to use, for all wheels that fit a supported Python on Linux or macOS, so that one
lock serves all of them.  Only the standard library is used, and pip's own settings.
"""

import json
import os
import re
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote, urlsplit

from turns import plainly

ROOT = Path(__file__).resolve().parent.parent
PINS, LOCK = ROOT / "constraints.txt", ROOT / "requirements.lock"
PYTHONS = (11, 12, 13)
HEAD = "# Made by `make pins` from constraints.txt: what `make` installs, with the hashes of the files.\n"
PLATFORM = re.compile(r"any|manylinux.*_(?:x86_64|aarch64)|macosx_.*_(?:x86_64|arm64|universal2)")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(text: str) -> dict[str, str]:
    """Names and versions of a file of pins."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s\\;]+)", text, re.MULTILINE)
    return {normal(name): version for name, version in found}


def differences() -> list[str]:
    """Where the lock and the pins disagree."""
    wanted = pinned(PINS.read_text())
    locked = pinned(LOCK.read_text()) if LOCK.exists() else {}
    return sorted(f"{name} {version}" for name, version in wanted.items() ^ locked.items())


def fits(filename: str) -> bool:
    """Whether a wheel serves a supported Python on a supported platform."""
    if not filename.endswith(".whl"):
        return False
    python, abi, platform = filename.removesuffix(".whl").split("-")[-3:]
    if not any(PLATFORM.fullmatch(one) for one in platform.split(".")):
        return False
    if abi == "abi3":
        return any(int(one[3:] or 0) <= max(PYTHONS) for one in python.split(".") if one.startswith("cp3"))
    return bool({"py3", "py2", *(f"cp3{minor}" for minor in PYTHONS)} & set(python.split(".")))


def index() -> str:
    """The address of the index that pip would ask."""
    if given := os.environ.get("PIP_INDEX_URL"):
        return given.rstrip("/")
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], **QUIET)
    if asked.returncode == 0 and asked.stdout.strip():
        return str(asked.stdout).strip().rstrip("/")
    code = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    return str(subprocess.run([sys.executable, "-c", code], **QUIET).stdout).strip().rstrip("/")


QUIET = {"capture_output": True, "text": True, "check": False}


def hashes(index: str, name: str, version: str) -> list[str]:
    """Hashes of all fitting wheels of one release, sorted."""
    asked = urllib.request.Request(
        f"{index}/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json, text/html;q=0.1"}
    )
    with urllib.request.urlopen(asked, timeout=120) as answer:
        text, kind = answer.read().decode(), answer.headers.get_content_type()
    if kind.endswith("json"):
        files = [(one["filename"], one["hashes"].get("sha256", "")) for one in json.loads(text)["files"]]
    else:
        links = [urlsplit(link) for link in re.findall(r'href="([^"]+)"', text)]
        files = [(unquote(link.path.rsplit("/", 1)[-1]), link.fragment.removeprefix("sha256=")) for link in links]
    mine = [(file, value) for file, value in files if value and fits(file) and release(file) == version]
    return sorted(value for _, value in mine)


def release(filename: str) -> str:
    return filename.split("-")[1]


def write() -> int:
    wanted, where = pinned(PINS.read_text()), index()
    with ThreadPoolExecutor(8) as pool:
        found = dict(zip(wanted, pool.map(lambda one: hashes(where, *one), wanted.items()), strict=True))
    if bare := sorted(name for name, values in found.items() if not values):
        print(f"pins: no wheel was found for {', '.join(bare)}; the lock is as it was", file=sys.stderr)
        return 1
    lines = [
        f"{name}=={wanted[name]}" + "".join(f" \\\n    --hash=sha256:{value}" for value in found[name])
        for name in sorted(wanted)
    ]
    LOCK.write_text(HEAD + "\n".join(lines) + "\n")
    print(f"pins: {len(wanted)} releases, {sum(map(len, found.values()))} hashes in {LOCK.name}")
    return 0


if __name__ == "__main__":
    sys.exit(plainly("pins", write))
