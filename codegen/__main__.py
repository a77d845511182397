"""`python -m codegen check [FILE...]` and `python -m codegen gen --out DIR [FILE...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import command


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status: 0, or 2 when there is any error."""
    parser = argparse.ArgumentParser(prog="codegen", description="Check operator YAML, or generate code from it.")
    commands = parser.add_subparsers(required=True)
    for name, run, add_arguments in (
        ("check", command.check, command.add_check_arguments),
        ("gen", command.generate, command.add_generate_arguments),
    ):
        added = commands.add_parser(name, help=run.__doc__)
        add_arguments(added)
        added.set_defaults(run=run)
    options = parser.parse_args(argv)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
