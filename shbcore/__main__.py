r"""The command line: ``python -m shbcore verify | claims | falsify | figures | panel``."""

import os
import sys
from collections.abc import Sequence

USAGE = """usage: python -m shbcore COMMAND [options]

  verify    run every check in the ledger of claims (--claim LABEL, --axioms LABEL, --json)
  claims    list the claims with their labels
  falsify   change every formal statement in turn, and see that it is noticed
  figures   recompute the figures of the paper's experiments
  panel     recompute one panel of a figure

python -m shbcore COMMAND --help lists the options of a command; --version prints the version.
Where the package is installed, shbcore is the same command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.  A reader that has gone, Ctrl-C, or a refusal of the machine is an exit code and at most one line."""
    command, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        print(f"python -m shbcore {command}: standard output is closed", file=sys.stderr)
        return 2
    try:
        code = _command(command, rest)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has gone; nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        print(f"python -m shbcore {command}: interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"python -m shbcore {command}: {error}", file=sys.stderr)
        return 2
    return code


def _command(command: str, rest: list[str]) -> int:
    """Hand over; each command is imported only when it is asked for."""
    if command == "verify":
        from shbcore.claims.cli import main as verify

        return verify(rest)
    if command == "claims":
        from shbcore.claims.cli import listing

        return listing(rest)
    if command == "falsify":
        from shbcore.claims.falsify import main as falsify

        return falsify(rest)
    if command in ("figures", "panel"):
        from shbcore.pages.cli_figures import main as draw

        return draw([command, *rest])
    if command in ("-V", "--version"):
        from shbcore import __version__

        print(f"shbcore {__version__}")
        return 0
    if command in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    print(f"no command {command!r}; there are verify, claims, falsify, figures, panel", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
