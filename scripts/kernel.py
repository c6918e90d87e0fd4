"""Compile the Coq development (`build`), check it a second time (`check`), and see that wrong constants are refused (`controls`).

`check` runs `coqchk`, asks Coq what each theorem rests on, compares that with the axioms of the reals in the standard library, and
records in `shbcore/claims/checked.json` what was checked: theorem, label, fingerprints of the statement in Coq and in the ledger, Coq's
version, assumptions; `controls` adds what Coq refused.  The statements themselves, for the pages, are in `checked_statements.json`.
A statement that has changed since, here or in the ledger, is seen without Coq: `stale()`.
"""

import argparse
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KERNEL = ROOT / "kernel"
RECORD = ROOT / "shbcore" / "claims" / "checked.json"
STATEMENTS = ROOT / "shbcore" / "claims" / "checked_statements.json"
LABELS = KERNEL / "labels.json"
REVIEWED = KERNEL / "reviewed.json"
LIBRARY = "HeavyBall"
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
"""The axioms behind the real numbers of Coq's standard library; the project adds none."""
HOW_TO_GET_COQ = """Coq is not installed: `coqc` was not found.
  Debian, Ubuntu:  apt-get install coq      (8.16 or later; no further package is needed)
  elsewhere:       opam install coq.8.16.1  or  https://coq.inria.fr/download
A reader needs no Coq: shbcore/claims/checked.json says what was checked."""
OTHER_FORMS = ("_false", "_not_empty", "_given", "_sharp")
"""How theorems end that do not say what their claim says: refutations, instances, the form given the past, a sharper one."""
FORBIDDEN = re.compile(
    r"\b(Admitted|Axioms?|Conjectures?|Parameters?|admit|give_up|Unset|bypass_check|Declare(?!\s+Scope\b)|Primitive|Load|Module|Include)\b"
    r"|\b(Set\s+(?:Universe|Guard|Positivity|Definitional|Polymorphic|Primitive|Debug|Loose)\b[ \w]*)"
)
"""What leaves something unproved, or changes what Coq checks.  (Axioms that hide elsewhere are named by `coqchk`.)"""
IN_SECTIONS = re.compile(r"(?:Local |Global |#\[[^]]*\]\s*)*(Hypothes[ie]s|Variables?|Context)\b")
"""What is an axiom where it stands outside a section."""
NOT_GENERATED = re.compile(r"\b(nra|psatz|nia)\b")


def fingerprint(text: str) -> str:
    """Hash of a statement without its layout."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Theorem:
    """A theorem as its file states it."""

    module: str
    name: str
    statement: str

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.statement)


def without_comments(text: str) -> str:
    """The Coq text without its comments, which may be nested; what stands in a string opens and closes none."""
    kept, depth, at = [], 0, 0
    for mark in re.finditer(r'"(?:[^"]|"")*"|\(\*|\*\)', text):
        if mark.group()[0] == '"' or (mark.group() == "*)" and depth == 0):
            continue
        if depth == 0:
            kept.append(text[at : mark.start()])
        depth += 1 if mark.group() == "(*" else -1
        at = mark.end()
    return "".join([*kept, text[at:]])


def files(generated: bool = False) -> list[Path]:
    return sorted((KERNEL / "generated" if generated else KERNEL).glob("*.v"))


def theorems(paths: list[Path]) -> Iterator[Theorem]:
    """Every `Theorem` of the files, with its statement."""
    for path in paths:
        module = ".".join((LIBRARY, *path.relative_to(KERNEL).with_suffix("").parts))
        for found in re.finditer(
            r"^\s*Theorem\s+(\w+)(.*?)\.\s+Proof\b", without_comments(path.read_text()), re.M | re.S
        ):
            yield Theorem(module, found.group(1), found.group(0).rsplit("Proof", 1)[0])


def sloppy() -> list[str]:
    """Files that leave something unproved, or (generated ones) lean on a search."""
    found = []
    for path in files() + files(generated=True):
        text = without_comments(path.read_text())
        found += [f"{path.name}: {word.group().strip()}" for word in FORBIDDEN.finditer(text)]
        found += [f"{path.name}: {word} outside a section" for word in loose(path)]
        found += [f"{path.name}: {word}" for word in NOT_GENERATED.findall(text) if path.parent != KERNEL]
    return found


def loose(path: Path) -> list[str]:
    """What a file assumes outside of its sections."""
    found, depth = [], 0
    for one in sentences(path):
        text = " ".join(one.split())
        depth += text.startswith("Section ")
        depth -= bool(depth and text.startswith("End "))
        if not depth and (word := IN_SECTIONS.match(text)):
            found.append(word.group(1))
    return found


def context(path: Path) -> str:
    """Hash of a file's definitions: what the statements of later files speak of."""
    text = re.sub(r"\bProof\b.*?\b(Qed|Defined)\.", "", without_comments(path.read_text()), flags=re.S)
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


NAMES = re.compile(r"(?:Definition|Fixpoint|Record|Class|Inductive)\s+(\w+)")
OPENS = re.compile(r"(?:Context|Variables?|Hypothes[ie]s|Implicit Types|Local Notation)\b|Let\b[^:]*:=")


def sentences(path: Path) -> tuple[str, ...]:
    """The sentences of a file without comments and proofs, which keep their layout."""
    return _sentences(path.read_text())


@cache
def _sentences(text: str) -> tuple[str, ...]:
    text = re.sub(r"\bProof\b.*?\b(Qed|Defined)\.", "", without_comments(text), flags=re.S)
    parts = (one for one in re.split(r"(?<=\.)\s*?\n|(?<=\.) +(?=[A-Z]\w* )", text) if one.strip())
    return tuple(
        textwrap.dedent(one.strip("\n ")) if "\n" not in one.strip() else one.strip("\n").rstrip() for one in parts
    )


def definitions(paths: list[Path]) -> dict[str, str]:
    """What the files define, by name, as it stands there."""
    return _definitions(tuple(path.read_text() for path in paths))


@cache
def _definitions(texts: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        for one in _sentences(text):
            if name := NAMES.match(one.strip()):
                found.setdefault(name.group(1), textwrap.dedent(one))
    return found


def openings(path: Path) -> dict[str, str]:
    """For each theorem what its sections fix and assume before it: this belongs to its statement as well."""
    found: dict[str, str] = {}
    stack: list[list[str]] = [[]]
    for one in sentences(path):
        text = " ".join(one.split())
        if text.startswith("Section "):
            stack.append([])
        elif text.startswith("End ") and len(stack) > 1:
            stack.pop()
        elif OPENS.match(text):
            stack[-1].append(text)
        elif name := re.match(r"Theorem (\w+)", text):
            found[name.group(1)] = "\n".join(line for part in stack for line in part)
    return found


def exporter() -> Any:
    """The exporter, which reads the ledger."""
    sys.path[:0] = [one for one in (str(ROOT), str(ROOT / "scripts")) if one not in sys.path]
    return importlib.import_module("export_kernel")


def stand_for(name: str, label: str) -> list[str]:
    """Fingerprints of what the claim says in the ledger, or (a refutation) of what is printed there."""
    return [checked().fingerprint(one) for one in checked().stands_for(exporter().registry.claim(label), name)]


def before_it(one: Theorem) -> str:
    """What the sections of a theorem fix and assume."""
    return openings(KERNEL / f"{one.module.rsplit('.', 1)[-1]}.v").get(one.name, "")


def meaning(one: Theorem) -> str:
    """Fingerprint of all that a theorem says: its statement, what its sections assume, every definition that is used, down to `Setting`."""
    own = [path for path in files() if path.stem == one.module.rsplit(".", 1)[-1]]
    known = definitions([*own, *(path for path in files() if path not in own)])
    used: dict[str, str] = {}
    left = [f"{before_it(one)}\n{one.statement}"]
    while left:
        for name in sorted({*re.findall(r"[A-Za-z_][\w']*", left.pop())} & known.keys() - used.keys()):
            used[name] = known[name]
            left.append(known[name])
    return fingerprint("\n".join([before_it(one), one.statement, *(used[name] for name in sorted(used))]))


def reviewed() -> dict[str, dict[str, Any]]:
    """What a reader has found to be the same: theorem, fingerprint of its meaning in Coq, fingerprints of the statements of the ledger."""
    found: dict[str, dict[str, Any]] = json.loads(REVIEWED.read_text())
    return found


def of_the_ledger() -> dict[str, Any]:
    """Every statement of the ledger that has a certificate, by fingerprint."""
    return {
        check.statement.fingerprint: check.statement
        for claim in exporter().registry.claims()
        for check in checked().certificates(claim)
    }


def alike(one: Theorem, says: dict[str, Any]) -> list[str] | None:
    """The statements with the left side, the bound and the start of a theorem about the uniform index; nothing for other theorems."""
    exporter()
    reader = importlib.import_module("coq_read")
    found = reader.bound(one.statement, before_it(one), definitions(files()))
    return None if found is None else [mark for mark, each in says.items() if reader.same(found, each)]


def same(one: Theorem, label: str, says: dict[str, Any]) -> list[str] | None:
    """The statements of the ledger that this theorem is: a reader has said so of these very texts, and bounds that can be read agree.

    Nothing, if it is another form of its claim, or was not compared.
    """
    if not label or one.name.endswith(OTHER_FORMS):
        return None
    row, bounds = reviewed().get(one.name), alike(one, says)
    if row is None or row["coq"] != meaning(one):
        return None if bounds is None else []
    found = [mark for mark in row["ledger"] if mark in says]
    return found if bounds is None else [mark for mark in found if mark in bounds]


def review(names: list[str]) -> None:
    """Show each theorem beside the statements of its claim where nobody has said of these texts that they are the same.

    `names` are accepted, which is to say: the premises are those of the ledger, or weaker.  A name is `Theorem` for all that the machine
    finds alike (or for the only statement of its claim), or `Theorem:fingerprint,fingerprint`.
    """
    labels, table, says = json.loads(LABELS.read_text()), reviewed(), of_the_ledger()
    accepted = {name.split(":")[0]: [mark for mark in name.partition(":")[2].split(",") if mark] for name in names}
    for one in theorems(files()):
        label = labels.get(one.name, "")
        if not label or one.name.endswith(OTHER_FORMS):
            continue
        own = stand_for(one.name, label)
        bounds = alike(one, says)
        offered = bounds if bounds is not None else own if len(own) == 1 else []
        row = table.get(one.name, {})
        if one.name in accepted:
            table[one.name] = {"coq": meaning(one), "ledger": accepted[one.name] or offered}
        elif row.get("coq") != meaning(one) or not set(row["ledger"]) <= says.keys():
            print(f"--- {one.name}: {label}\n{before_it(one)}\n{one.statement}")
            for mark in dict.fromkeys([*offered, *own, *row.get("ledger", [])]):
                sign = "alike" if mark in offered else "not in the ledger" if mark not in says else "of the claim"
                print(f"{mark} ({sign}): {says[mark].latex if mark in says else ''}")
    rows = [f"{json.dumps(name)}: {json.dumps(table[name])}" for name in sorted(table)]
    REVIEWED.write_text("{" + ",".join(f"\n {row}" for row in rows) + "\n}\n")


def checked() -> Any:
    """The module of the library that reads the record."""
    exporter()
    return importlib.import_module("shbcore.claims.checked")


CITED = "the theorem of Robbins and Siegmund, which is cited, not proved"


def tops() -> dict[str, str]:
    """Certificates that end in a rule which Coq does not have: fingerprint and label."""
    found: dict[str, str] = {}
    for claim in exporter().registry.claims():
        for check in checked().certificates(claim):
            top, domain = next(iter(checked().below(check.build())))
            if type(top).__name__ == "AlmostSurely":
                found.setdefault(checked().mark(top, domain), claim.label)
    return found


def joins() -> list[dict[str, str]]:
    """What joins the lines of the ledger: rule, label under which it is met first, fingerprints."""
    found: dict[str, dict[str, str]] = {}
    for claim in exporter().registry.claims():
        for check in checked().certificates(claim):
            for one, domain in checked().below(check.build()):
                if (rule := type(one).__name__) in checked().RULES:
                    row = {"rule": rule, "label": claim.label, "statement": one.statement.fingerprint}
                    found.setdefault(checked().mark(one, domain), row)
    return [{**row, "mark": mark} for mark, row in found.items()]


def claims(known: set[str], left_out: list[dict[str, str]]) -> dict[str, dict[str, Any]]:
    """For each claim its certificates all of whose lines are known to Coq: their marks, how many lines, and what joins them.

    A certificate that rests on a line which is left out is left out itself, with that reason.
    """
    found: dict[str, dict[str, Any]] = {}
    why = {one["mark"]: one["reason"] for one in left_out}
    for claim in exporter().registry.claims():
        said: dict[str, list[str]] = {"says": [], "more": []}
        lines: dict[str, set[str]] = {"says": set(), "more": set()}
        rules: set[str] = set()
        for check in checked().certificates(claim):
            under = {checked().mark(one, at): type(one).__name__ for one, at in checked().below(check.build())}
            if under.keys() <= known:
                part = "says" if check in claim.says else "more"
                said[part].append(next(iter(under)))
                lines[part] |= {mark for mark, kind in under.items() if kind not in checked().RULES}
                rules |= set(under.values()) & set(checked().RULES)
            elif (top := next(iter(under))) not in why:
                cited = [CITED] if "AlmostSurely" in under.values() else []
                reason = "; ".join(dict.fromkeys([*cited, *(why[mark] for mark in under if mark in why)]))
                row = {"label": claim.label, "statement": check.statement.fingerprint, "mark": top}
                left_out.append({**row, "reason": f"it rests on a line that Coq was not given: {reason}"})
        if said["says"] or said["more"]:
            said["statements"] = [one.fingerprint for one in claim.statements]
            counts = {"lines": len(lines["says"]), "more_lines": len(lines["more"] - lines["says"])}
            found[claim.label] = {**said, **counts, "rules": sorted(rules)}
    return found


def stale() -> list[str]:
    """Statements, definitions, labels and texts, here and in the ledger, that are not those that were checked; needs no Coq."""
    record = json.loads(RECORD.read_text())
    labels = json.loads(LABELS.read_text())
    found = {f"{one.module}.{one.name}": one for one in theorems(files())}
    held = {one["theorem"]: one["fingerprint"] for one in record["written"]}
    now = {name: one.fingerprint for name, one in found.items()}
    changed = [name for name in {**held, **now} if held.get(name) != now.get(name)]
    changed += [path.name for path in files() if record["definitions"].get(path.name) != context(path)]
    changed += [
        f"{name} has a label and is not there" for name in labels if name not in {one.name for one in found.values()}
    ]
    says = of_the_ledger()
    for one in record["written"]:
        name = one["theorem"]
        if one["label"] != (label := labels.get(name.rsplit(".", 1)[-1], "")):
            changed.append(f"{name}: its label is {label or 'none'}")
        elif label and one["statements"] != stand_for(name, label):
            changed.append(f"{name}: {label} says something else")
        elif name in found and one["same"] != same(found[name], label, says):
            changed.append(f"{name}: which statements it is was not recorded so")
    changed += stale_texts(record, list(found.values()))
    live = {checked().mark(line, domain): label for label, line, domain in exporter().lines()}
    live |= {one["mark"]: one["label"] for one in joins()} | tops()
    old = {mark: one["label"] for one in record["exported"] for mark in one["marks"]}
    old |= {one["mark"]: one["label"] for one in (*record["left_out"], *record["joined"])}
    changed += [f"{label}: {mark} was not checked" for mark, label in live.items() if mark not in old]
    return changed + [f"{label}: {mark} is no longer in the ledger" for mark, label in old.items() if mark not in live]


def stale_texts(record: dict[str, Any], found: list[Theorem]) -> list[str]:
    """Texts for the pages that are not those of the theorems and definitions."""
    held = json.loads(STATEMENTS.read_text())
    prints = {one["theorem"].rsplit(".", 1)[-1]: one["fingerprint"] for one in record["exported"]}
    shown = {name.rsplit(".", 1)[-1] for name in shown_in(record)}
    written = {one.name: one for one in found}
    changed = [f"the text of {name}" for name in sorted(shown ^ held["theorems"].keys())]
    for name, text in held["theorems"].items():
        right = texts_of(written[name]) if name in written else {"before": "", "statement": ""}
        mark = fingerprint(right["statement"]) if name in written else prints.get(name)
        if fingerprint(text["statement"]) != mark or fingerprint(text["before"]) != fingerprint(right["before"]):
            changed.append(f"the text of {name}")
    defined = definitions(files())
    return list(dict.fromkeys(changed)) + [
        f"the text of the definition {name}"
        for name in {**defined, **held["definitions"]}
        if defined.get(name) != held["definitions"].get(name)
    ]


def shown_in(record: dict[str, Any]) -> set[str]:
    """The theorems whose texts the pages may show: those with a label, and those for what a claim says."""
    said = {mark for one in record["claims"].values() for mark in one["says"]}
    shown = {one["theorem"] for one in record["exported"] if said & set(one["marks"])}
    return shown | {one["theorem"] for one in record["written"] if one["label"]}


def texts_of(one: Theorem) -> dict[str, str]:
    """What the pages show of a theorem: what stands before it, and itself."""
    above = ""
    if ".generated." not in one.module:
        defined = definitions(files())
        names = dict.fromkeys(re.findall(r"\b\w*_printed\w*", one.statement))
        above = "\n".join([*(defined[name] for name in names if name in defined), before_it(one)]).strip("\n")
    return {"before": above, "statement": textwrap.dedent(one.statement.strip("\n ")).rstrip()}


def need_coq() -> str:
    if not shutil.which("coqc"):
        sys.exit(HOW_TO_GET_COQ)
    found = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"version (\S+)", found).group(1)  # type: ignore[union-attr]


def build(jobs: int) -> None:
    """Compile every file, saying which."""
    need_coq()
    if bad := sloppy():
        sys.exit("kernel: not allowed: " + ", ".join(bad))
    start, total, done = time.time(), len(files()) + len(files(generated=True)), 0
    with subprocess.Popen(
        ["make", "-C", str(KERNEL), f"-j{jobs}", "--no-print-directory"], stdout=subprocess.PIPE, text=True
    ) as run:
        for line in run.stdout or ():
            done += line.startswith("coqc ")
            print(f"[{done:3d}/{total}] {line}" if line.startswith("coqc ") else line, end="", flush=True)
    if run.returncode:
        sys.exit(f"kernel: failed after {time.time() - start:.0f} s")
    print(
        f"kernel: {total} files, {sum(1 for _ in theorems(files() + files(generated=True)))} theorems, {time.time() - start:.0f} s"
    )


def named(text: str) -> list[str]:
    """The axioms in an answer of `Print Assumptions`; an answer that is neither a list nor `Closed` is refused."""
    found = re.findall(r"^(\w[\w.']*)\s+:", text, re.M)
    if not found and "Closed under the global context" not in text:
        sys.exit(f"kernel: what Coq says of assumptions is not understood: {text}")
    return found


def assumptions(found: list[Theorem]) -> dict[str, list[str]]:
    """What each theorem rests on, as Coq prints it; exported theorems are asked about file by file, for that takes long."""
    groups: dict[str, list[str]] = {}
    for one in found:
        name = f"{one.module}.{one.name}"
        groups.setdefault(one.module if ".generated." in one.module else name, []).append(name)
    lines = [f"Require {module}." for module in dict.fromkeys(one.module for one in found)]
    for number, (group, names) in enumerate(groups.items()):
        lines += [
            f"Definition group_{number} := ({', '.join(f'@{name}' for name in names)})." if len(names) > 1 else ""
        ]
        asked = f"group_{number}" if len(names) > 1 else names[0]
        lines += [f'Goal True. idtac "@ {group}". Abort.', f"Print Assumptions {asked}."]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Assumptions.v"
        path.write_text("\n".join(lines))
        command = ["coqc", "-q", "-R", str(KERNEL), LIBRARY, str(path)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^@ (\S+)$", said, flags=re.M)[1:]
    rests = {group: named(text) for group, text in zip(parts[::2], parts[1::2], strict=True)}
    return {name: rests[group] for group, names in groups.items() for name in names}


def write(found: list[Theorem], rests: dict[str, list[str]], version: str) -> int:
    """The record of what was checked; what `controls` has seen refused is kept."""
    labels = json.loads(LABELS.read_text())
    index = json.loads((KERNEL / "generated" / "index.json").read_text())
    written: list[dict[str, Any]] = []
    exported: list[dict[str, Any]] = []
    says = of_the_ledger()
    for one in found:
        name = f"{one.module}.{one.name}"
        row: dict[str, Any] = {"theorem": name, "label": labels.get(one.name, ""), "fingerprint": one.fingerprint}
        if ".generated." in name:
            row |= index["theorems"][one.name]
            exported.append(row)
        else:
            row["statements"] = stand_for(one.name, row["label"]) if row["label"] else []
            row["same"] = same(one, row["label"], says)
            written.append(row)
        row["assumptions"] = sorted(axiom.rsplit(".", 1)[-1] for axiom in rests[name])
    joined = joins()
    left_out = list(index["left_out"])
    tops = claims({mark for one in exported for mark in one["marks"]} | {one["mark"] for one in joined}, left_out)
    before = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    record = {
        "coq": version,
        "definitions": {path.name: context(path) for path in files()},
        "claims": tops,
        "written": written,
        "exported": exported,
        "joined": joined,
        "left_out": left_out,
        "refused": before.get("refused", []),
        "refused_constants": before.get("refused_constants", []),
    }
    save(record)
    shown = shown_in(record)
    texts = {one.name: texts_of(one) for one in found if f"{one.module}.{one.name}" in shown}
    rows = {"theorems": texts, "definitions": definitions(files())}
    STATEMENTS.write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n")
    return len(written) + len(exported)


def save(record: dict[str, Any]) -> None:
    """Write the record, one row a line, so that a change is seen as one."""
    parts = []
    for key, value in record.items():
        rows = [json.dumps(one) for one in value] if isinstance(value, list) else []
        if isinstance(value, dict):
            rows = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in value.items()]
        opening, closing = "[]" if isinstance(value, list) else "{}"
        text = opening + ",".join(f"\n  {row}" for row in rows) + closing
        parts.append(f'"{key}": ' + (json.dumps(value) if isinstance(value, str) else text))
    RECORD.write_text("{" + ",\n".join(parts) + "}\n")


def not_allowed(rests: dict[str, list[str]]) -> dict[str, list[str]]:
    """Theorems that rest on more than the axioms of the reals, and on what."""
    return {name: sorted(set(on) - ALLOWED) for name, on in rests.items() if set(on) - ALLOWED}


SECTIONS = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)
"""Where `coqchk` lists what was not checked."""
LOADED = {
    "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
    "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
    "Coq.Logic.Classical_Prop.classic",
}
"""The axioms in the files of the standard library that are loaded: `coqchk` lists them all, be they used or not."""


def summary(said: str) -> dict[str, str]:
    """The sections of the summary of `coqchk`."""
    return {
        name: " ".join(text.split()) for name, text in re.findall(r"^\* ([^:\n]+):(.*?)(?=^\* |\Z)", said, re.M | re.S)
    }


def unchecked(said: str) -> list[str]:
    """What `coqchk` did not check or had to assume, beyond the axioms of the reals; a summary that is not understood is such a thing."""
    found = summary(said)
    bad = [f"{name}: {found.get(name, 'not mentioned')}" for name in SECTIONS if found.get(name) != "<none>"]
    bad += [f"theory: {found.get('Theory')}"] if found.get("Theory") != "Set is predicative" else []
    axioms = found.get("Axioms", "not mentioned").split()
    bad += [f"axiom: {one}" for one in axioms if one not in {"<none>", *LOADED}]
    return bad + [f"{name}: {text}" for name, text in found.items() if name not in (*SECTIONS, "Theory", "Axioms")]


def difference(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What differs between two records, by the names of their rows."""
    found = []
    for key in {**old, **new}:
        one, two = old.get(key), new.get(key)
        if isinstance(one, dict) and isinstance(two, dict):
            found += [f"{key}: {name}" for name in {**one, **two} if one.get(name) != two.get(name)]
        elif isinstance(one, list) and isinstance(two, list):
            rows = [row for row in [*one, *two] if row not in one or row not in two]
            found += [f"{key}: {row.get('theorem') or row.get('label') or row.get('file')}" for row in rows]
        elif one != two:
            found.append(key)
    return list(dict.fromkeys(found))


def recorded() -> list[dict[str, Any]]:
    """The record and the texts as they are on the disk."""
    return [json.loads(path.read_text()) if path.is_file() else {} for path in (RECORD, STATEMENTS)]


def check() -> None:
    """`coqchk`, assumptions, and the record; with CI set, a record that is not the committed one is an error."""
    version, start, before = need_coq(), time.time(), recorded()
    found = list(theorems(files() + files(generated=True)))
    modules = [
        ".".join((LIBRARY, *path.relative_to(KERNEL).with_suffix("").parts)) for path in files() + files(generated=True)
    ]
    if bad := sloppy():
        sys.exit("kernel: not allowed: " + ", ".join(bad))
    print(f"kernel: coqchk reads {len(modules)} files again, without the tactics that made them", flush=True)
    again = subprocess.run(
        ["coqchk", "-silent", "-o", "-R", str(KERNEL), LIBRARY, *modules], capture_output=True, text=True
    )
    said = again.stdout + again.stderr
    if again.returncode:
        sys.exit(said)
    rests = assumptions(found)
    if (wrong := not_allowed(rests)) or (others := unchecked(said)):
        sys.exit(f"kernel: not allowed: {wrong or others}")
    count = write(found, rests, version)
    print(f"kernel: {count} theorems checked again, only the axioms of the reals, {time.time() - start:.0f} s")
    differs = [name for old, new in zip(before, recorded(), strict=True) for name in difference(old, new)]
    if differs and os.environ.get("CI"):
        sys.exit(f"kernel: the record is not the committed one: {', '.join(differs[:20])} ({len(differs)} in all)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("build", "check", "review"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--accept", nargs="*", default=[], help="theorems that say what the ledger says (review)")
    parser.add_argument("--export", action="store_true", help="write the exported theorems anew before compiling")
    options = parser.parse_args()
    if options.what == "build" and options.export:
        need_coq()
        subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "export_kernel.py")],
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    do = {
        "build": lambda: build(options.jobs),
        "check": check,
        "review": lambda: review(options.accept),
    }
    do[options.what]()
