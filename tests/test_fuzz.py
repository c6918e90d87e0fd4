"""A sample of the fuzzer: a mistake is answered by an error that names the argument, and no answer is contradicted by a second way."""

from pathlib import Path

import fuzz
import numpy as np
import pytest

SEED, CALLS = 20260101, 300
fuzz.load()


def test_a_sample_of_calls_has_no_wrong_answer_no_other_error_and_no_hang() -> None:
    state = fuzz.run(CALLS, SEED, None, quiet=True)
    assert state["found"] == []
    assert sum(state["classes"].values()) == CALLS
    assert state["classes"]["refused"] > CALLS / 4
    assert state["classes"]["right"] > CALLS / 12


def test_every_target_answers_good_arguments() -> None:
    """The fuzzer does not only knock at closed doors."""
    silent = []
    for target in fuzz.REGISTRY:
        rng = np.random.default_rng(0)
        good = [{name: one(rng) for name, one in target.arguments.items()} for _ in range(6)]
        if not any(fuzz.call(target, arguments)[0] in ("right", "answered") for arguments in good):
            silent.append(target.name)
    assert silent == []


def loop(x: float) -> None:
    while True:
        x += 1


@pytest.mark.parametrize(
    ("function", "referee", "kind"),
    [
        (lambda x: x, lambda given, found: found == given["x"], "right"),
        (lambda x: x + 1, lambda given, found: found == given["x"], "wrong"),
        (lambda x: x, None, "answered"),
        (lambda x: [][1], None, "other"),
        (lambda x: int("one"), None, "other"),
        (lambda x: fuzz.importlib.import_module("shbcore.model.checks").positive("x", -x, "a test"), None, "refused"),
        (loop, None, "hang"),
    ],
)
def test_the_classes_are_told_apart(function, referee, kind: str) -> None:
    target = fuzz.Target("test", function, {}, referee)
    assert fuzz.call(target, {"x": 1.0}, limit=1)[0] == kind


def test_a_run_goes_on_where_it_stopped_and_a_damaged_state_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    fuzz.run(20, 1, path, quiet=True)
    assert fuzz.begin(path, 1, fresh=False)["next"] == 20
    resumed, straight = fuzz.run(30, 1, path, quiet=True), fuzz.run(30, 1, None, quiet=True)
    assert resumed["classes"] == straight["classes"]
    assert resumed["targets"] == straight["targets"]
    path.write_text(path.read_text()[:-20])
    assert fuzz.begin(path, 1, fresh=False)["next"] == 0
