"""The commands `check` and `gen`, of `python -m codegen` as of `python -m phi_torch`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .diagnose import Diagnostics
from .load import load, op_files, own_ops
from .model import Loc, OpSet

YAML = (".yaml", ".yml")


def add_files(parser: argparse.ArgumentParser) -> None:
    help = "YAML files, and the C++ files or folders that register their kernels; default: those of phi_torch"
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help=help)


def read(files: list[Path], complete: bool) -> tuple[OpSet, Diagnostics]:
    """The ops of the files, which may refer to phi_torch's own."""
    if not files:
        return load(complete=complete)
    yaml = [file for file in files if file.suffix in YAML]
    opset, diag = load(yaml, base=own_ops(), sources=[file for file in files if file not in yaml])
    if not yaml:
        diag.error("PHI001", Loc(str(files[0]), 1), "not YAML", "name the YAML file that describes the ops as well")
    return opset, diag


def failed(diag: Diagnostics) -> int:
    """Prints all errors; the exit status."""
    print(diag.render(), file=sys.stderr)
    print(f"{len(diag.errors)} error{'s' * (len(diag.errors) > 1)}", file=sys.stderr)
    return 2


def check(options: argparse.Namespace) -> int:
    """the YAML, kernels, InferMeta functions, composites, samples and docs against each other"""
    opset, diag = read(options.files, complete=True)
    if diag:
        return failed(diag)
    print(f"{len(opset.ops)} ops, no errors")
    return 0


def add_generate_arguments(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument("--out", type=Path, required=True, help="folder for the generated files")
    parser.add_argument("--dry-run", action="store_true", help="only list the files")


def generate(options: argparse.Namespace) -> int:
    """the code that follows from the YAML"""
    opset, diag = read(options.files, complete=False)
    if diag:
        return failed(diag)
    from .generate import generate  # the emitters need jinja2, the check does not

    files = [file for file in options.files if file.suffix in YAML]
    for path in generate(opset, options.out, files or op_files(), options.dry_run):
        print(path)
    return 0
