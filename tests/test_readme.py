"""The example in the README runs and prints what the README says; the files it names exist; so do the targets of make."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_example_prints_what_the_readme_says() -> None:
    run = subprocess.run([sys.executable, "-c", block("python")], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout == block("text")


def test_the_example_is_short() -> None:
    code = [line for line in block("python").splitlines() if line and not line.startswith(("from", "import"))]
    assert len(code) <= 10


def test_linked_files_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_make_command_in_the_documents_is_a_target() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`make ([a-z]+)", text)) | set(re.findall(r"^make ([a-z]+)", text, re.MULTILINE))
    assert {"book", "test", "verify"} <= named
    assert named <= targets
