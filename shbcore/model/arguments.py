"""Command lines: a mistake is one line on standard error and exit code 2."""

import argparse
from typing import Any, NoReturn


class OneLine(argparse.ArgumentParser):
    """A parser whose error is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual, but ``--option=--``, which loses its value on the way, is a mistake as well."""
        found = super().parse_args(args, namespace)
        for name, value in vars(found).items():
            if isinstance(value, list) and not value:
                self.error(f"argument --{name.replace('_', '-')}: expected one argument")
        return found
