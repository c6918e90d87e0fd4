"""Coq has to refuse: wrong constants in the theorems, and every control of the ledger with the multipliers of the true line."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import kernel

CONTROLS: tuple[dict[str, str], ...] = tuple(json.loads((kernel.KERNEL / "controls.json").read_text()))
"""Wrong constants: the theorem, its file, what stands there, what is put in its place.  Coq has to refuse each."""


def controls() -> None:
    """Each wrong constant in a copy of its file, and each control of the ledger with the multipliers of the true line: Coq refuses."""
    kernel.need_coq()
    refused = ledger_controls()
    constants = wrong_constants()
    print(f"kernel: {len(constants)} wrong constants and {len(refused)} controls of the ledger refused")


def changed_text(one: dict[str, str], text: str) -> str:
    """A file with a wrong constant: in the statement of its theorem only, or wherever it stands (in a definition or a lemma)."""
    found = re.search(rf"^\s*Theorem {one.get('theorem', '')}\b.*?\bProof\b", text, re.M | re.S)
    inside = one.get("where") == "statement"
    if (inside and not found) or one["right"] not in (found.group() if found and inside else text):
        sys.exit(f"kernel: control of {one['file']} finds nothing to change: {one['right']}")
    if found and inside:
        return text[: found.start()] + found.group().replace(one["right"], one["wrong"]) + text[found.end() :]
    return text.replace(one["right"], one["wrong"])


def in_a_proof(text: str, line: int) -> bool:
    """Whether a line of a file (counted from 1) stands in a proof, or ends one: what is above has been read as text and as a statement."""
    above = "\n".join(text.split("\n")[:line])
    return len(re.findall(r"\bProof\b", above)) > len(
        re.findall(r"\b(?:Qed|Defined)\.", "\n".join(text.split("\n")[: line - 1]))
    )


MISFIT = "a term of the proof has another type than the one that is asked for"


def refusal(said: str, text: str) -> str:
    """What Coq says of a wrong constant, if it has understood the statement and refuses the proof; else nothing."""
    found = re.search(
        r'File "[^"]*", line (\d+), characters [-\d]+:\n(?:Error:?\s*)(.*?)(?=\nmake|\n\n|\Z)', said, re.S
    )
    if not found or "Syntax error" in found.group(2) or "was not found in the current environment" in found.group(2):
        return ""
    if not in_a_proof(text, int(found.group(1))):
        return ""
    why = " ".join(found.group(2).split())
    return MISFIT if why.startswith("In environment") else why[:100]


def wrong_constants() -> list[dict[str, str]]:
    """Each wrong constant in a copy of its file: Coq understands the statement and refuses the proof."""
    modules = {one.name: one.module for one in kernel.theorems(kernel.files())}
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for one in CONTROLS:
            changed = changed_text(one, (kernel.KERNEL / one["file"]).read_text())
            path = Path(folder) / one["file"]
            path.write_text(changed)
            command = [
                "coqc",
                "-q",
                "-R",
                str(kernel.KERNEL),
                kernel.LIBRARY,
                "-o",
                str(path.with_suffix(".vo")),
                str(path),
            ]
            said = subprocess.run(command, capture_output=True, text=True, cwd=folder)
            if said.returncode == 0:
                sys.exit(f"kernel: {one['file']} compiles with {one['wrong']}")
            if not (reason := refusal(said.stderr, changed)):
                sys.exit(f"kernel: {one['file']} with {one['wrong']} is not refused for its proof: {said.stderr}")
            wrong = " ".join(one["wrong"].split("Proof.")[0].split())
            name = one.get("theorem", "")
            row = {"file": one["file"], "theorem": f"{modules[name]}.{name}" if name else "", "wrong": wrong}
            found.append({**row, "reason": reason})
            print(f"refused: {name or one['file']}: {wrong[:100]}: {reason[:60]}", flush=True)
    kernel.save({**json.loads(kernel.RECORD.read_text()), "refused_constants": found})
    return found


AT_ONCE = 40
REASONS = ("not a valid field equation", "No applicable tactic", "no sign for the multiplier", "No matching clauses")
"""What Coq says of a wrong identity, and of a wrong sign."""


def ledger_controls() -> list[dict[str, str]]:
    """Every changed line of the ledger: Coq accepts the statement as one, and refuses its proof for the identity or for a sign."""
    export = kernel.exporter()
    found, without = export.controls()
    refused: list[dict[str, str]] = []
    for reason in without:
        print(f"not written: {reason}")
    for number in range(0, len(found), AT_ONCE):
        part = found[number : number + AT_ONCE]
        text = "\n\n".join([export.HEAD, *(text for _, text in part)]) + "\n"
        command = [
            "coqtop",
            "-q",
            "-R",
            str(kernel.KERNEL),
            kernel.LIBRARY,
        ]  # unlike coqc it prints what `Fail` has seen
        said = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        both = said.stdout + said.stderr
        messages = re.findall(r"has indeed failed with message:\s+(.*)", both)
        reasons = [next((one for one in REASONS if one in message), "") for message in messages]
        if len(messages) != len(part) or not all(reasons) or re.search(r"^Error", both, re.M):
            sys.exit(f"kernel: among {[one for one, _ in part]} one is not refused for its identity or a sign:\n{both}")
        refused += [{**one, "reason": reason} for (one, _), reason in zip(part, reasons, strict=True)]
        print(f"refused: {number + len(part)} of {len(found)} controls of the ledger", flush=True)
    print(f"kernel: {dict(Counter(one['reason'] for one in refused))}")
    kernel.save({**json.loads(kernel.RECORD.read_text()), "refused": refused})
    return refused


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("ledger", "constants"), help="only these; both without it")
    {"ledger": ledger_controls, "constants": wrong_constants, None: controls}[parser.parse_args().what]()
