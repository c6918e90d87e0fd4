"""What a maintainer relies on: one version, licences of what is shipped, an archive with everything, hooks and workflows that exist."""

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import licences
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GENERATED = {"_build", "build", "results", "__pycache__"}
COMPILED = {".pyc", ".nbi", ".nbc", ".vo", ".vok", ".vos", ".glob", ".aux", ".lock"}


def files() -> set[str]:
    """The files of the project, without what is made from them."""
    found = set()
    for path in ROOT.rglob("*"):
        inside = path.relative_to(ROOT)
        hidden = inside.parts[0].startswith(".") and inside.parts[0] not in (".ci", ".github", ".gitignore")
        made = GENERATED & set(inside.parts) or path.suffix in COMPILED or ".egg-info" in str(inside)
        if path.is_file() and not hidden and not made and ".ipynb_checkpoints" not in inside.parts:
            found.add(inside.as_posix())
    return found | {"requirements.lock", ".pre-commit-config.yaml"}


def test_versions_agree() -> None:
    version = PROJECT["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).group(1) == version
    assert importlib.metadata.version("shbcore") == version
    elsewhere = [path for path in (ROOT / "shbcore").rglob("*.py") if "__version__ =" in path.read_text("utf-8")]
    assert elsewhere == []


def test_the_list_of_licences_and_the_files_agree() -> None:
    assert licences.TARGET.read_text("utf-8") == licences.table(), "call make licences"
    assert licences.strangers(licences.STATIC) == []


def test_stated_licences_agree() -> None:
    for part in licences.parts():
        if part.package and part.package != "sphinx-proof":  # its metadata say BSD, its licence file is MIT
            family = part.licence.split("-")[0]
            assert family in licences.stated(part.package), part


def test_a_file_of_an_unknown_maker_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "_static"
    shutil.copytree(licences.STATIC, static)
    monkeypatch.setattr(licences, "STATIC", static)
    assert licences.strangers(static) == []
    (static / "vendor").mkdir()
    (static / "vendor" / "plot.min.js").write_text("")
    assert licences.strangers(static) == ["vendor/plot.min.js"]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, built from a copy and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    copy = folder / "copy"
    for name in sorted(files()):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    build = "from setuptools.build_meta import build_sdist; print(build_sdist('..'))"
    run = subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=True)
    with tarfile.open(folder / run.stdout.split()[-1]) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    (root,) = (folder / "unpacked").iterdir()
    return root


def test_the_archive_holds_every_file_of_the_project(archive: Path) -> None:
    packed = {path.relative_to(archive).as_posix() for path in archive.rglob("*") if path.is_file()}
    assert files() - packed == set()


def test_the_archive_can_run_its_tests(archive: Path) -> None:
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    some = ("tests/test_readme.py", "tests/test_notebooks.py", "tests/test_sets.py")
    run = subprocess.run([*call, *some], cwd=archive, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]


def test_hooks_call_what_is_there() -> None:
    (group,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    for hook in group["hooks"]:
        assert group["repo"] == "local"
        command = hook["entry"].split()
        assert command[:2] == [".venv/bin/python", "-m"]
        for word in command[3:]:
            assert not word.startswith("tests/") or (ROOT / word).exists()
        assert importlib.util.find_spec(command[2]) is not None
        assert any(re.search(hook.get("files", ""), name) for name in files())


def test_the_hosted_workflow_runs_what_is_there() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    calls = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert any(call.endswith(".ci/run") for call in calls)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {word for call in calls for word in re.findall(r"\bmake ([a-z]+)", call)} <= targets
    tested = workflow["jobs"]["tests"]["strategy"]["matrix"]["python-version"]
    named = {one.rsplit(" ", 1)[1] for one in PROJECT["project"]["classifiers"] if ":: Python :: 3." in one}
    assert {"3.11", *tested} == named


def test_ci_says_first_what_it_installs_and_executes_everything(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / "kernel").mkdir()
    for name in ("bin/make", "bin/apt-get", ".venv/bin/python"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{Path(name).name} $*" | tee -a "{tmp_path}/log"\n')
        (tmp_path / name).chmod(0o755)
    (tmp_path / "bin" / "id").write_text("#!/bin/sh\necho ${IDENTITY:-0}\n")
    (tmp_path / "bin" / "id").chmod(0o755)
    for name in ("dirname", "bash", "env", "sh", "tee"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    call = [str(shutil.which("bash")), ".ci/run"]
    run = subprocess.run(
        call, cwd=tmp_path, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path / "bin")}
    )
    assert run.returncode == 0, run.stderr
    first = "ci: this installs pinned Python packages into .venv, unless they are there, and with apt-get: chromium coq"
    assert run.stdout.splitlines()[0] == first
    done = (tmp_path / "log").read_text().splitlines()
    assert done[0] == "apt-get update -qq"
    assert done[2:4] == ["make test", "make book FRESH=1"]
    browser = "python -m pytest -q tests/browser --ignore tests/browser/test_print.py"
    assert done[-2:] == [browser, "make kernel kernel-check"]
    (tmp_path / "log").unlink()
    run = subprocess.run(
        call,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tmp_path / "bin"), "IDENTITY": "7"},
    )
    assert run.returncode == 1
    assert run.stderr == "ci: only root may install them: call apt-get install chromium coq first\n"
    assert not (tmp_path / "log").exists()
