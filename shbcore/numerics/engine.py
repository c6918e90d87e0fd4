r"""Sweeps executed: what is not on disk yet is computed in any executor, kept as soon as it is finished, and collected in order."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

import pandas as pd

from shbcore.model import checks
from shbcore.numerics import store, sweep
from shbcore.numerics.sweep import Setting, Sweep

MOST_WORKERS = 256


@dataclass(frozen=True)
class Outcome:
    """What :func:`execute` answers: the tables of all sweeps in order, how many experiments were computed or found, and the
    files that were refused."""

    tables: tuple[pd.DataFrame, ...]
    computed: int
    found: int
    refused: tuple[str, ...]


def execute(
    sweeps: Sequence[Sweep],
    root: Path | None = None,
    executor: Executor | None = None,
    done: Callable[[int], object] = lambda experiments: None,
) -> Outcome:
    """Run sweeps: compute what is not yet under ``root`` (``None``: keep nothing) in ``executor`` (``None``: here), and
    collect it in order.

    Only the calling process writes, an experiment as soon as it is finished, so workers may be anywhere and need no common
    disk.  ``done`` is told how many experiments have just been found or finished: a progress bar's ``update`` fits.  When it is
    interrupted, what waits in the queue is cancelled, and what is finished by then is kept.
    """
    for work in checks.sequence("sweeps", sweeps, "what is executed"):
        checks.instance(Sweep, "sweeps", work, "what is executed")
    checks.function("done", done, "it is told of progress")
    if root is not None:
        root = Path(root)
        store.writable(root)  # before anything is computed
    keys = [(s, e) for s, work in enumerate(sweeps) for e in range(work.experiments)]
    results: dict[tuple[int, int], pd.DataFrame] = {}
    refused: list[str] = []
    for s, e in keys:
        if root is None:
            break
        try:
            results[s, e] = store.read(store.place(root, sweeps[s], e), store.provenance(sweeps[s], e))
        except FileNotFoundError:
            continue
        except store.Refused as reason:
            refused.append(str(reason))
    found, missing = len(results), [key for key in keys if key not in results]
    done(found)

    def keep(s: int, e: int, table: pd.DataFrame) -> None:
        if root is not None:
            store.write(store.place(root, sweeps[s], e), table, store.provenance(sweeps[s], e))
        results[s, e] = table
        done(1)

    if executor is None:
        for s, e in missing:
            keep(s, e, sweep.unit(sweeps[s], e))
    else:
        futures: dict[Future[pd.DataFrame], tuple[int, int]] = {}
        try:
            for s, e in missing:
                futures[executor.submit(sweep.unit, sweeps[s], e)] = s, e
            for future in as_completed(list(futures)):
                keep(*futures[future], future.result())
                del futures[future]
        except BaseException:
            for future in futures:
                future.cancel()
            for future, (s, e) in futures.items():
                if (s, e) not in results and future.done() and not future.cancelled() and future.exception() is None:
                    with contextlib.suppress(OSError):
                        keep(s, e, future.result())
            raise
    if root is not None:
        store.tidy(root)
    tables = [pd.concat([results[s, e] for e in range(w.experiments)], ignore_index=True) for s, w in enumerate(sweeps)]
    return Outcome(tuple(tables), len(missing), found, tuple(refused))


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that say which run it is and when it arrived, in small types: what a book can carry."""
    names = [str(name) for name in table if str(name).startswith("epochs_") and name != "epochs_run"]
    arrived = {name: table[name].astype("float32") for name in names}
    chosen = table[["experiment", "method", "momentum", "start", "alpha_0", "beta"]]
    return chosen.assign(experiment=table["experiment"].astype("int16"), **arrived)


def agrees(table: pd.DataFrame, work: Sweep, experiment: int) -> bool:
    """Compute one experiment anew, and compare it with its rows in a compact table, bit by bit."""
    checks.instance(pd.DataFrame, "table", table, "a compact table of a sweep")
    if "experiment" not in table:
        checks.fail("table", list(table), "have a column experiment", "a compact table of a sweep")
    stored = table[table["experiment"] == experiment].reset_index(drop=True)
    anew = compact(sweep.unit(work, experiment))
    return list(stored) == list(anew) and all((stored[name] == anew[name]).all() for name in stored)


def _follow_parent() -> None:
    """In a worker: end when the parent does, even if it was killed and could not say so; Ctrl-C is the parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        sentinel = parent.sentinel
        threading.Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()


def processes(workers: int) -> ProcessPoolExecutor:
    """A pool of fresh processes; the kernel is compiled here first, so that they only load it."""
    checks.count("workers", workers, "processes at a time", most=MOST_WORKERS)
    warm = Sweep("warm", Setting(m=2, n=2, epochs=1), (sweep.SGD,), (0.1,), experiments=1)
    sweep.unit(warm, 0)
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_follow_parent)


@contextlib.contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """:func:`processes` as a context: an exception, Ctrl-C above all, ends the processes at once in place of draining the queue."""
    executor = processes(workers)
    try:
        yield executor
    except BaseException:
        running = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for _ in range(
            200
        ):  # the queue is emptied by a thread of the pool, which must not find its processes gone before
            if not getattr(executor, "_cancel_pending_futures", False):
                break
            time.sleep(0.01)
        for process in running:
            process.terminate()
        raise
    executor.shutdown()
