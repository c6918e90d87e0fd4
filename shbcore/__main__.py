r"""The command line: ``python -m shbcore verify | mutate | figures | panel``."""

import sys
from collections.abc import Sequence

USAGE = """usage: python -m shbcore COMMAND [options]

  verify    run every check in the ledger of claims (--claim LABEL, --json)
  mutate    strengthen every constant and drop every hypothesis, and list what the checks reject
  figures   recompute the figures of the paper's experiments
  panel     recompute one panel of a figure

python -m shbcore COMMAND --help lists the options of a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Hand over to the command; each is imported only when it is asked for."""
    command, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if command == "verify":
        from shbcore.claims.cli import main as verify

        return verify(rest)
    if command == "mutate":
        from shbcore.claims.mutation import main as mutate

        return mutate(rest)
    if command in ("figures", "panel"):
        from shbcore.cli_figures import main as draw

        return draw([command, *rest])
    if command in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    print(f"no command {command!r}; there are verify, mutate, figures, panel", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
