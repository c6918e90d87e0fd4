"""Run inside a kernel: note which files of the project are opened that do not count among the inputs of a notebook.

``ROOT``, ``ALLOWED`` (paths under the root, and the environment) and ``LOG`` are given by the runner.
"""

import os
import sys


def watch(root: str, allowed: tuple[str, ...], log: str) -> None:
    seen: set[str] = set()
    inside = root + os.sep

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str):
            return
        path = os.path.abspath(arguments[0])
        if not path.startswith(inside) or path.startswith(allowed) or path in seen or not os.path.isfile(path):
            return
        seen.add(path)  # before the log is opened, which calls the hook again
        with open(log, "a", encoding="utf-8") as file:
            file.write(os.path.relpath(path, root) + "\n")

    seen.add(os.path.abspath(log))
    sys.addaudithook(hook)


given = globals()
watch(given["ROOT"], given["ALLOWED"], given["LOG"])
