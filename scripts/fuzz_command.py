"""What is called of the command line: verify, claims, falsify and figures, with right and absurd arguments.

A command ends with 0 or 1, or with 2 and one line on standard error.
What `verify --claim` and `claims` print is compared with the registry.
"""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from fuzz import fixed, pick, register, silent

from shbcore.__main__ import main
from shbcore.claims import cli, falsify
from shbcore.claims.registry import claims
from shbcore.pages import cli_figures

LABELS = tuple(one.label for one in claims() if one.kind == "definition" and one.statements)[:6]
QUICK = (claims()[0], next(one for one in claims() if one.label == LABELS[0]))
WORDS: tuple[Any, ...] = (
    *(
        "",
        "0",
        "-1",
        "nan",
        "1e400",
        "many",
        "2.5",
        "--help-me",
        "99999999999999999999",
        "é",
        "lem:",
        "lem:Vfunc",
        "\\",
        "%s",
        "\0",
    ),
    *(
        "a" * 5000,
        "*",
        "../..",
        "--",
        "-",
        "True",
        "[]",
        "eq:proof:thrm:1:evn:3 ",
        "LEM:VFUNC:NON-SMOOTH",
        "1:2",
        "\n",
        "/dev/null/x",
    ),
)


def spoilt(rng: np.random.Generator) -> Any:
    return WORDS[int(rng.integers(len(WORDS)))]


def called(*arguments: str) -> tuple[int, str]:
    """The exit code and what was printed; a refusal is handed on as the error it is."""
    with silent() as (out, error):
        try:
            code = main(list(arguments))
        except SystemExit as end:
            code = int(end.code or 0)
    lines = [
        text
        for text in error.getvalue().splitlines()
        if text.strip() and "claim" not in text[-12:] and "it/s" not in text
    ]
    if code == 2 and len(lines) == 1 and "Traceback" not in lines[0]:
        raise ValueError(f"argument = {lines[0]} must be other (command line)")
    if code not in (0, 1):
        raise RuntimeError(f"exit code {code}: {error.getvalue()[-300:]}")
    return code, out.getvalue()


def verify(claim: str, jobs: str, form: str) -> Any:
    return called("verify", f"--claim={claim}", f"--jobs={jobs}", *([form] if form else []))


def told(given: dict[str, Any], found: Any) -> bool:
    """What is printed about a claim is about that claim, and says that it passed."""
    code, out = found
    if given["form"] == "--json":
        (record,) = json.loads(out)
        return bool(code == 0 and record["label"] == given["claim"] and record["passed"])
    return code == 0 and out.startswith(str(given["claim"]))


def axioms(label: str) -> Any:
    return called("verify", f"--axioms={label}")


def listed(text: str) -> Any:
    return called("claims", text)


def contains(given: dict[str, Any], found: Any) -> bool:
    wanted = given["text"].lower() if given["text"] != "--" else ""  # the end of options, as everywhere
    count = sum(wanted in one.label.lower() or wanted in one.title.lower() for one in claims())
    return bool(found[1].count("\n") == count)


def falsified(sample: str, jobs: str, seed: str, keep: str) -> Any:
    with mock.patch.object(falsify, "claims", return_value=QUICK):
        return called(
            "falsify", f"--sample={sample}", f"--jobs={jobs}", f"--seed={seed}", *([f"--keep={keep}"] if keep else [])
        )


def figures(command: str, **words: str) -> Any:
    """Until something would be computed."""
    with mock.patch.object(cli_figures, "computed", side_effect=SystemExit(0)):
        return called(command, *(f"--{name}={word}" for name, word in words.items()))


def anything(command: str, first: str, second: str) -> Any:
    with (
        mock.patch.object(cli, "claims", return_value=QUICK),
        mock.patch.object(falsify, "claims", return_value=QUICK),
        mock.patch.object(cli_figures, "computed", side_effect=SystemExit(0)),
    ):
        return called(command, *(word for word in (first, second) if word))


register("verify", verify, told, 3.0, spoilt, claim=pick(*LABELS), jobs=pick("1"), form=fixed("", "--json"))
register("axioms", axioms, None, 2.0, spoilt, label=pick(*LABELS, "lem:Vfunc:non-smooth"))
register("claims", listed, contains, 2.0, spoilt, text=pick("lem:", "Theorem", "gamma", ""))
register("falsify", falsified, None, 1.0, spoilt, sample=pick("1"), jobs=pick("1"), seed=pick("0", "7"), keep=fixed(""))
register(
    *("figures", figures, None, 2.0, spoilt),
    command=fixed("figures"),
    experiments=pick("1"),
    seed=pick("1"),
    workers=pick("1"),
    out=fixed(str(Path("results"))),
)
register(
    *("a command", anything, None, 2.0, spoilt),
    command=pick("verify", "claims", "falsify", "figures", "help", "panel"),
    first=pick("--help", "--jobs=1"),
    second=pick("", "--json"),
)
