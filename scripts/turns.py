"""Take turns, and say in one line what the machine refused.

Two makes in one folder would write the same files.  Each takes a lock first; who has to wait says so.  The operating system
releases a lock when its owner ends, however it ends.  Only the standard library is used: the environment is made under a lock too.
"""

import errno
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def turn(lock: Path, waiting: str) -> Iterator[None]:
    """Hold ``lock`` while the block runs; print ``waiting`` if another process has it."""
    with open(lock, "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(waiting, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


ADVICE = {
    errno.ENOSPC: "the disk is full: make room and call make again",
    errno.EDQUOT: "the quota is used up: make room and call make again",
    errno.EFBIG: "a file may not grow further here: raise the limit and call make again",
    errno.EROFS: "this file system is read-only: copy the project to a folder that you may write to",
    errno.EACCES: "this folder may not be written to: copy the project, or ask for the permission",
    errno.EPERM: "this folder may not be written to: copy the project, or ask for the permission",
}


def known(text: str) -> int:
    """The number of a refusal that a text of another program reports, 0 if there is none."""
    return next((number for number in ADVICE if os.strerror(number) in text), 0)


def in_words(error: OSError) -> str:
    """What the operating system refused, and what to do about it."""
    if isinstance(error, shutil.Error):  # a list of failed copies: the first tells enough
        _, target, why = error.args[0][0]
        error = OSError(known(why), why, target)
    where = f" ({os.path.relpath(error.filename)})" if isinstance(error.filename, str) and error.filename else ""
    return ADVICE.get(error.errno or 0, error.strerror or str(error)) + where


def plainly(name: str, work: Callable[[], int]) -> int:
    """Run ``work``; a refusal of the machine or Ctrl-C becomes one line and a status, never a traceback."""
    try:
        return work()
    except OSError as error:
        print(f"{name}: {in_words(error)}; what was finished before is as it was", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{name}: stopped; what was finished before is as it was", file=sys.stderr)
        return 130
