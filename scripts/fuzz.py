"""Call the public functions with good, odd and nonsensical arguments, and count what comes back.

`python scripts/fuzz.py --calls 20000` goes on where it stopped (`--fresh` begins anew); call number i depends on the seed and on i
alone, and `--only i` repeats it.  What is called is registered in the files `fuzz_*.py` beside this one: a room adds a file.

A call ends in one of these classes:
  refused   a ValueError that names the argument, its value and what it must be; in the proof language also another error that the
            library raises on purpose (no accident of Python) and that names what was given, or says what is missing
  right     an answer that an independent evaluation agrees with
  answered  an answer for which there is no second way to compute it
  wrong     an answer that the independent evaluation contradicts
  other     any other exception, or a message that does not name the argument
  hang      no answer within the time limit
The exit code is 1 if there is any of the last three.
"""

import argparse
import contextlib
import importlib
import io
import json
import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

HERE = Path(__file__).resolve().parent
CLEAR = re.compile(r"^[A-Za-z_][\w. (),/\[\]]*( = .*)+ must .*\(.*\)$", re.DOTALL)
CLASSES = ("refused", "right", "answered", "wrong", "other", "hang")
BAD = ("wrong", "other", "hang")
MISSING = re.compile(
    r"^no (exact |non-negative )?multipliers|is not known at F_|has two ranges|u @ v is the inner product of two"
    r"|a (coefficient|number) must be a number|a multiplier must stand before|is not exact|is no envelope|a line is not decided by Python"
    r"|vectors are compared by equals|a vector and a scalar cannot be"
)
LIMIT = 20
"""Seconds until a call counts as hanging."""

Draw = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Target:
    """A function, a way to draw each of its arguments, how often to spoil them, and an independent evaluation of the answer."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Draw]
    referee: Callable[[dict[str, Any], Any], bool] | None = None
    weight: float = 1.0
    spoilt: Draw | None = None
    language: bool = False


REGISTRY: list[Target] = []


def register(
    name: str,
    function: Callable[..., Any],
    referee: Callable[[dict[str, Any], Any], bool] | None = None,
    weight: float = 1.0,
    spoilt: Draw | None = None,
    language: bool = False,
    /,
    **arguments: Draw,
) -> None:
    """Add a target; an argument is a function of a generator that draws a good value (it may depend on nothing else)."""
    REGISTRY.append(Target(name, function, arguments, referee, weight, spoilt, language))


def pick(*options: Any) -> Draw:
    return lambda rng: options[int(rng.integers(len(options)))]


def fixed(*options: Any) -> Draw:
    """One of a few objects that are never spoilt: those whose methods are called."""
    chosen = pick(*options)
    chosen.fixed = True  # type: ignore[attr-defined]
    return chosen


def uniform(low: float, high: float) -> Draw:
    return lambda rng: float(rng.uniform(low, high))


def spread(low: float, high: float) -> Draw:
    """Evenly in the logarithm."""
    return lambda rng: float(np.exp(rng.uniform(np.log(low), np.log(high))))


def whole(low: int, high: int) -> Draw:
    return lambda rng: int(rng.integers(low, high + 1))


def rational(low: int, high: int, denominator: int = 4) -> Draw:
    return lambda rng: Fraction(int(rng.integers(low, high + 1)), denominator)


def vector(n: int, scale: float = 1.0) -> Draw:
    return lambda rng: scale * rng.standard_normal(n)


class Odd:
    """An object that nobody expects."""

    def __repr__(self) -> str:
        return "<odd>"


NONSENSE: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: -float("inf"),
    lambda: 0,
    lambda: 0.0,
    lambda: -1,
    lambda: -0.5,
    lambda: 1e308,
    lambda: -1e308,
    lambda: 1e17,
    lambda: 5e-324,
    lambda: 2.5,
    lambda: 10**400,
    lambda: True,
    lambda: 1j,
    lambda: "",
    lambda: "g_0",
    lambda: "repaired ",
    lambda: b"g0",
    list,
    lambda: (),
    dict,
    lambda: {1, 2},
    lambda: [float("nan")],
    lambda: ["1", "2"],
    lambda: [[1.0], [2.0, 3.0]],
    lambda: np.zeros(0),
    lambda: np.zeros((2, 0)),
    lambda: np.ones(7),
    lambda: np.ones((2, 2, 2)),
    lambda: np.full(2, np.inf),
    lambda: np.full(2, 1e200),
    lambda: np.ones(2, dtype=complex),
    lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    lambda: np.array(["a", "b"]),
    lambda: np.float32(0.5),
    lambda: np.int64(3),
    lambda: Fraction(1, 3),
    lambda: Odd(),
    lambda: Odd,
    lambda: lambda *_: None,
    lambda: lambda *_: float("nan"),
)


def nonsense(rng: np.random.Generator) -> Any:
    return NONSENSE[int(rng.integers(len(NONSENSE)))]()


def draw(target: Target, rng: np.random.Generator) -> dict[str, Any]:
    """Good arguments, of which none, one or two are then spoilt."""
    chosen = {name: one(rng) for name, one in target.arguments.items()}
    open_ = [name for name, one in target.arguments.items() if not getattr(one, "fixed", False)]
    for _ in range(int(rng.choice(3, p=(0.4, 0.45, 0.15)))):
        if open_:
            name = open_[int(rng.integers(len(open_)))]
            chosen[name] = (target.spoilt or nonsense)(rng)
    return chosen


class Hang(BaseException):
    """The time limit."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def on_purpose(error: Exception, arguments: dict[str, Any]) -> bool:
    """Whether the library raised an error itself, in words that name an argument, a value or its kind, or that say what is missing."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if "shbcore" not in Path(frame.filename).parts or not re.match(r"raise |_need\(", frame.line or ""):
        return False
    text = str(error)
    names = [
        *arguments,
        *(str(one)[:30] for one in arguments.values()),
        *(repr(one)[:30] for one in arguments.values()),
    ]
    names += [type(one).__name__ for one in arguments.values()]
    return any(name and name in text for name in names) or bool(MISSING.search(text))


def call(target: Target, arguments: dict[str, Any], limit: int = LIMIT) -> tuple[str, str]:
    """The class of one call, and what there is to say about it."""
    try:
        with limited(limit), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            answer = target.function(**arguments)
            if target.referee is None:
                return "answered", ""
            return ("right", "") if target.referee(arguments, answer) else ("wrong", repr(answer)[:300])
    except (ValueError, TypeError) as error:
        clear = isinstance(error, ValueError) and CLEAR.match(str(error))
        if clear or (target.language and on_purpose(error, arguments)):
            return "refused", str(error)
        return "other", f"{type(error).__name__}: {error}"[:300]
    except Hang:
        return "hang", f"no answer within {limit} s"
    except Exception as error:
        return "other", f"{type(error).__name__}: {error}"[:300]


def one(index: int, seed: int, limit: int = LIMIT) -> tuple[Target, dict[str, Any], str, str]:
    """Call number ``index``: it depends on the seed and on its number alone."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    weights = np.array([target.weight for target in REGISTRY])
    target = REGISTRY[int(rng.choice(len(REGISTRY), p=weights / weights.sum()))]
    arguments = draw(target, rng)
    kind, words = call(target, arguments, limit)
    return target, arguments, kind, words


def load(rooms: list[str] | None = None) -> None:
    """Register what the files beside this one call."""
    sys.path.insert(0, str(HERE))
    sys.modules.setdefault("fuzz", sys.modules[__name__])
    for path in sorted(HERE.glob("fuzz_*.py")):
        if rooms is None or path.stem.removeprefix("fuzz_") in rooms:
            importlib.import_module(path.stem)


def shown(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={' '.join(repr(value).split())[:80]}" for name, value in arguments.items())


def save(path: Path, state: dict[str, Any]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        json.dump(state, file)
    os.replace(file.name, path)


def begin(path: Path, seed: int, fresh: bool) -> dict[str, Any]:
    """Where to go on; a file that cannot be read begins anew."""
    empty = {"seed": seed, "next": 0, "classes": {}, "targets": {}, "found": []}
    with contextlib.suppress(OSError, ValueError, KeyError):
        state: dict[str, Any] = json.loads(path.read_text())
        if not fresh and state["seed"] == seed and state.keys() == empty.keys():
            return state
    return empty


def warm() -> None:
    """Call every function once with good arguments: what is compiled at the first call does not count as hanging."""
    rng = np.random.default_rng(0)
    for target in REGISTRY:
        call(target, {name: one(rng) for name, one in target.arguments.items()}, limit=900)


def run(calls: int, seed: int, path: Path | None, fresh: bool = False, quiet: bool = False) -> dict[str, Any]:
    """Calls up to number ``calls``, from where the state in ``path`` stopped."""
    state = begin(path, seed, fresh) if path else begin(Path(os.devnull), seed, True)
    classes, targets = Counter(state["classes"]), Counter(state["targets"])

    def keep() -> None:
        state["classes"], state["targets"] = dict(classes), dict(targets)
        if path:
            save(path, state)

    pace = 0.2 if sys.stderr.isatty() else 10.0
    with tqdm(total=calls, initial=min(state["next"], calls), unit="call", mininterval=pace, disable=quiet) as bar:
        try:
            while state["next"] < calls:
                index = state["next"]
                target, arguments, kind, words = one(index, seed)
                classes[kind] += 1
                targets[f"{target.name}: {kind}"] += 1
                if kind in BAD:
                    state["found"].append(f"{kind}: call {index}: {target.name}({shown(arguments)}): {words}")
                state["next"] = index + 1
                bar.update()
                if index % 200 == 0:
                    keep()
        finally:
            keep()
    return state


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rooms", nargs="*", help="files fuzz_ROOM.py to load (all)")
    parser.add_argument("--state", type=Path, default=HERE.parent / "_build" / "fuzz.json")
    parser.add_argument("--fresh", action="store_true", help="forget earlier calls")
    parser.add_argument("--only", type=int, help="repeat one call and show it")
    options = parser.parse_args(argv)
    load(options.rooms)
    if options.only is not None:
        target, arguments, kind, words = one(options.only, options.seed)
        print(f"{kind}: {target.name}({shown(arguments)})\n{words}")
        return int(kind in BAD)
    try:
        warm()
        state = run(options.calls, options.seed, options.state, options.fresh)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from there", file=sys.stderr)
        return 130
    for line in state["found"][:40]:
        print(line)
    total = sum(state["classes"].values())
    print(f"{total:,} calls of {len(REGISTRY)} functions, seed {options.seed}:", end=" ")
    print(", ".join(f"{state['classes'].get(kind, 0):,} {kind}" for kind in CLASSES))
    return int(any(state["classes"].get(kind) for kind in BAD))


@contextlib.contextmanager
def silent() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Standard output and error, caught."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err


if __name__ == "__main__":
    sys.exit(main())
