"""The environment: made once, said why, and mended whatever happened to it: killed, moved, robbed of its Python or of a package."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from hashlib import sha256
from pathlib import Path

import environment
import pins
import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = ("environment.py", "pins.py", "turns.py")
# The script itself, with an installation that takes half a second and leaves one package.
ASK = """
import importlib.util, os, sys, time
sys.path.insert(0, {scripts!r})
import environment, turns
real = importlib.util.find_spec
hidden = {hidden!r}
importlib.util.find_spec = lambda name, *rest: None if name in hidden else real(name, *rest)
def fill():
    with open(environment.ROOT / "log", "a") as log:
        log.write("installed\\n")
    time.sleep({seconds})
    {then}
    home = next(environment.HOME.glob("lib/python*/site-packages"))
    (home / "numpy-2.0.dist-info").mkdir(exist_ok=True)
environment.fill = fill
environment.THIS = {version!r} or environment.THIS
sys.argv[1:] = {options!r}
sys.exit(turns.plainly("environment", environment.main))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "a path with spaces"
    (root / "scripts").mkdir(parents=True)
    for name in FILES:
        shutil.copy(ROOT / "scripts" / name, root / "scripts")
    (root / "pyproject.toml").write_text("")
    pin(root, "2.0")
    return root


def pin(root: Path, version: str, locked: str = "") -> None:
    (root / "constraints.txt").write_text(f"numpy=={version}\n")
    (root / "requirements.lock").write_text(f"numpy=={locked or version} \\\n    --hash=sha256:00\n")


def ask(root: Path, *options: str, hidden: tuple[str, ...] = ("ensurepip",), then: str = "pass", version: str = "",
        seconds: float = 0.0) -> "subprocess.Popen[str]":  # fmt: skip
    scripts = str(root / "scripts")
    code = ASK.format(
        scripts=scripts, hidden=hidden, then=then, version=version, options=list(options), seconds=seconds
    )
    python = getattr(sys, "_base_executable", sys.executable)
    return subprocess.Popen([python, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root)


def outcome(process: "subprocess.Popen[str]") -> tuple[int, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out + err


def installations(root: Path) -> int:
    return (root / "log").read_text().count("installed")


def made(root: Path) -> Path:
    status, said = outcome(ask(root))
    assert status == 0, said
    assert said.startswith("environment: .venv: there is none; making it with Python")
    return root / ".venv"


def test_two_makes_at_once_install_once_and_the_second_says_that_it_waits(project: Path) -> None:
    both = [ask(project, seconds=1.0), ask(project, seconds=1.0)]
    ends = [outcome(one) for one in both]
    assert [status for status, _ in ends] == [0, 0]
    assert installations(project) == 1
    assert sum("waiting for another make" in said for _, said in ends) == 1
    assert outcome(ask(project)) == (0, ""), "what is current is left alone, in silence"


def test_a_changed_pin_installs_again_into_the_same_environment(project: Path) -> None:
    home = made(project)
    (home / "kept").touch()
    pin(project, "2.1")
    status, said = outcome(ask(project))
    assert status == 0
    assert said.startswith("environment: .venv: the pins changed; installing into it")
    assert installations(project) == 2
    assert (home / "kept").exists()


def test_a_lock_that_does_not_fit_the_pins_is_refused(project: Path) -> None:
    pin(project, "2.1", locked="2.0")
    status, said = outcome(ask(project))
    assert (status, said.count("\n")) == (1, 1)
    assert "requirements.lock does not fit constraints.txt (numpy 2.0, numpy 2.1): call make pins" in said


@pytest.mark.parametrize("moment", ["while packages are installed", "before pip is there"])
def test_killed_while_it_is_made(project: Path, moment: str) -> None:
    if moment == "before pip is there":
        (project / ".venv" / "bin").mkdir(parents=True)
        (project / ".venv" / "shbcore.unfinished").touch()
    else:
        process = ask(project, seconds=60)
        while not (project / "log").exists():
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    status, said = outcome(ask(project))
    assert status == 0
    assert said.startswith("environment: .venv: its installation was interrupted; making it with Python")
    assert outcome(ask(project)) == (0, "")


def test_killed_while_a_pin_is_changed(project: Path) -> None:
    made(project)
    pin(project, "2.1")
    process = ask(project, seconds=60)
    while installations(project) < 2:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    pin(project, "2.0")  # even a return to the old pins does not make the half-changed environment sound
    assert "its installation was interrupted; making it" in outcome(ask(project))[1]


def test_the_interpreter_is_gone(project: Path) -> None:
    home = made(project)
    for name in ("python", "python3"):
        (home / "bin" / name).unlink(missing_ok=True)
        (home / "bin" / name).symlink_to("/nowhere/python3")
    status, said = outcome(ask(project))
    assert status == 0
    assert said.startswith("environment: .venv: its Python is gone or does not start; making it with Python")


def test_an_interpreter_that_does_not_start(project: Path) -> None:
    home = made(project)
    (home / "bin" / "python").unlink()
    (home / "bin" / "python").write_text("#!/bin/sh\nexit 1\n")
    (home / "bin" / "python").chmod(0o755)
    assert "does not start; making it" in outcome(ask(project))[1]


def test_another_python_is_used_when_it_was_asked_for_and_only_then(project: Path) -> None:
    made(project)
    assert outcome(ask(project, version="3.99.1")) == (0, "")
    status, said = outcome(ask(project, "--exactly", version="3.99.1"))
    assert status == 0
    assert f"it has Python {'.'.join(map(str, sys.version_info[:3]))}, and PYTHON is 3.99.1; making it" in said


def test_an_old_python_is_told_so_in_one_line(project: Path) -> None:
    old = "environment.sys.version_info = (3, 9, 0)"
    code = (
        f"import sys; sys.path.insert(0, {str(project / 'scripts')!r}); import environment; {old}; environment.main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=project)
    assert "Python 3.11 or newer is needed" in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (project / ".venv").exists()


def test_without_ensurepip_and_pip_one_line_says_what_to_install_and_the_next_make_goes_on(project: Path) -> None:
    status, said = outcome(ask(project, hidden=("ensurepip", "pip")))
    assert status == 1
    assert "apt-get install python3-venv" in said.splitlines()[-1]
    assert "Traceback" not in said
    assert outcome(ask(project))[0] == 0


def test_without_ensurepip_the_pip_of_python_fills_the_environment(project: Path) -> None:
    show = 'print("pip:", *environment.pip()[1:4])'
    assert "pip: -m pip --python\n" in outcome(ask(project, then=show))[1]


def test_with_ensurepip_the_environment_has_its_own_pip(project: Path) -> None:
    show = "import subprocess; subprocess.run([*environment.pip(), '--version'], check=True)"
    said = outcome(ask(project, hidden=(), then=show))[1]
    assert f"from {project / '.venv'}" in said


def test_a_package_that_was_taken_away_comes_back(project: Path) -> None:
    home = made(project)
    next(home.glob("lib/*/site-packages/numpy-2.0.dist-info")).rmdir()
    assert "numpy-2.0 is missing; installing into it" in outcome(ask(project))[1]
    assert outcome(ask(project)) == (0, "")


def test_a_folder_that_was_moved(project: Path) -> None:
    made(project)
    moved = project.with_name("elsewhere")
    project.rename(moved)
    assert "the folder was moved; making it" in outcome(ask(moved))[1]


@pytest.mark.parametrize("text", ["", "[]", "{", json.dumps({"pins": 1})])
def test_a_damaged_stamp_installs_again(project: Path, text: str) -> None:
    home = made(project)
    (home / "shbcore.stamp").write_text(text)
    assert outcome(ask(project))[0] == 0
    assert installations(project) == 2


def test_if_pip_refuses_new_pins_the_old_environment_stays(project: Path) -> None:
    made(project)
    pin(project, "2.1")
    refuse = "import subprocess; raise subprocess.CalledProcessError(7, 'pip')"
    status, said = outcome(ask(project, then=refuse))
    assert status == 1
    assert said.splitlines()[-1] == "environment: pip failed with status 7, see above; call make again to repeat"
    pin(project, "2.0")
    assert outcome(ask(project)) == (0, "")


def wheel(folder: Path, name: str, version: str, *lines: str) -> str:
    """A wheel with nothing in it; its line in a lock."""
    path, info = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    about = {
        "METADATA": "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines, ""]),
        "WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(path, "w") as file:
        for key, text in about.items():
            file.writestr(f"{info}/{key}", text)
        file.writestr(f"{info}/RECORD", "".join(f"{info}/{key},,\n" for key in (*about, "RECORD")))
    return f"{name}=={version} --hash=sha256:{sha256(path.read_bytes()).hexdigest()}\n"


def test_a_release_newer_than_the_pins_changes_nothing_and_a_missing_pin_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = wheel(tmp_path, "base", "1.0", "Provides-Extra: toml")
    wheel(tmp_path, "base", "1.1", "Provides-Extra: toml")
    user = wheel(tmp_path, "user", "1.0", "Requires-Dist: base[toml]>=1.0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setattr(environment, "LOCK", tmp_path / "requirements.lock")
    for lock, status in ((user + base, 0), (user, 1)):
        home = tmp_path / f"environment_{status}"
        venv.create(home)
        monkeypatch.setattr(environment, "HOME", home)
        (tmp_path / "requirements.lock").write_text(lock)
        locked, _, check = environment.steps()
        subprocess.run(locked, check=True)
        assert subprocess.run(check, check=False).returncode == status
        assert "base-1.1.dist-info" not in environment.packages()


def test_make_says_so_if_there_is_no_such_python(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    run = subprocess.run(
        ["make", "environment", "PYTHON=/nowhere/python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert run.returncode != 0
    assert "environment: /nowhere/python does not start here" in run.stderr


def test_make_passes_on_that_a_python_was_asked_for() -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "PYTHON"))}

    def shown(*options: str) -> str:
        call = ["make", "--dry-run", "environment", *options]
        return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True, env=environment).stdout

    assert "--exactly" in shown("PYTHON=python3.12")
    assert "--exactly" not in shown()


def test_every_pin_has_hashes_and_the_lock_fits_the_pins() -> None:
    assert pins.differences() == []
    releases = pins.LOCK.read_text().replace("\\\n", "").splitlines()[1:]
    assert len(releases) == len(pins.pinned(pins.PINS.read_text()))
    assert [line for line in releases if "--hash=sha256:" not in line] == []


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    installed_by_make = [
        one for name, extra in project["optional-dependencies"].items() if name != "lab" for one in extra
    ]
    wanted = {pins.re.split(r"[<>=!~ ;\[]", one)[0] for one in [*project["dependencies"], *installed_by_make]}
    assert {pins.normal(name) for name in wanted} <= set(pins.pinned(pins.PINS.read_text()))


def test_a_file_with_another_hash_is_refused_by_pip(tmp_path: Path) -> None:
    (tmp_path / "six-1.0-py3-none-any.whl").write_bytes(b"not what was pinned")
    (tmp_path / "lock").write_text("six==1.0 --hash=sha256:" + "0" * 64 + "\n")
    call = ["-m", "pip", "install", "--dry-run", "--no-index", "--find-links", str(tmp_path), "--require-hashes"]
    run = subprocess.run(
        [sys.executable, *call, "-r", str(tmp_path / "lock")], capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "DO NOT MATCH THE HASHES" in run.stderr


@pytest.mark.parametrize(
    ("filename", "fits"),
    [
        ("a-1.0-py3-none-any.whl", True),
        ("a-1.0-py2.py3-none-any.whl", True),
        ("a-1.0-cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl", True),
        ("a-1.0-cp39-abi3-macosx_11_0_arm64.whl", True),
        ("a-1.0-cp310-cp310-manylinux_2_28_x86_64.whl", False),
        ("a-1.0-cp312-cp312-win_amd64.whl", False),
        ("a-1.0.tar.gz", False),
    ],
)
def test_wheels_for_supported_pythons_are_hashed(filename: str, fits: bool) -> None:
    assert pins.fits(filename) == fits
