"""`python -m codegen check [FILES]` and `python -m codegen gen --out DIR [FILES]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .load import load, op_files


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status: 0, or 2 when there is any error."""
    parser = argparse.ArgumentParser(prog="codegen", description="Check operator YAML, or generate code from it.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help in (("check", "report all errors of the YAML"), ("gen", "generate the code")):
        command = commands.add_parser(name, help=help)
        command.add_argument("files", nargs="*", type=Path, help="default: the files of yaml/, checked against csrc/")
        command.add_argument("--csrc", type=Path, help="C++ sources that must register the kernels")
        if name == "gen":
            command.add_argument("--out", type=Path, required=True, help="folder for the generated files")
            command.add_argument("--dry-run", action="store_true", help="only list the files")
    options = parser.parse_args(argv)
    if options.csrc is not None and not options.csrc.is_dir():
        parser.error(f"--csrc {options.csrc}: no such folder")
    opset, diag = load(options.files, options.csrc)
    if diag:
        print(diag.render(), file=sys.stderr)
        print(f"{len(diag.errors)} error{'s' * (len(diag.errors) > 1)}", file=sys.stderr)
        return 2
    if options.command == "check":
        print(f"{len(opset.ops)} ops, no errors")
    else:
        from .generate import generate  # the emitters need jinja2, the check does not

        for path in generate(opset, options.out, options.files or op_files(), options.dry_run):
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
