"""The commands `check` and `gen`, of `python -m codegen` as of `python -m phi_torch`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .extension import Description, load_extension
from .load import load, op_files
from .model.diagnose import Diagnostics
from .model.op import Loc, OpSet
from .read.sources import SUFFIXES

YAML = (".yaml", ".yml")


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    help = "an extension's YAML files, and the C++ files or folders of its kernels; default: all of phi_torch"
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help=help)
    parser.add_argument("--namespace", help="the extension's in torch.ops; default: the name of the first YAML file")


def read_extension(files: list[Path], namespace: str | None) -> tuple[OpSet, Diagnostics]:
    """The ops of an extension's YAML and C++ files; folders stand for the C++ files below them."""
    yaml = [file for file in files if file.suffix in YAML]
    given = [file for file in files if file not in yaml]
    sources = [source for file in given for source in (_cpp_files(file) if file.is_dir() else [file])]
    name = namespace or (yaml[0].stem if yaml else "extension")
    opset, diag = load_extension(Description(name, yaml, sources if given else None))
    if not yaml:
        diag.error("PHI001", Loc(str(files[0]), 1), "not YAML", "name the YAML file that describes the ops as well")
    return opset, diag


def _cpp_files(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.rglob("*")) if file.suffix in SUFFIXES]


def failed(diag: Diagnostics) -> int:
    """Prints all errors; the exit status."""
    print(diag.render(), file=sys.stderr)
    print(f"{len(diag.errors)} error{'s' * (len(diag.errors) > 1)}", file=sys.stderr)
    return 2


def check(options: argparse.Namespace) -> int:
    """the YAML, kernels, InferMeta functions, composites, samples and docs against each other"""
    own = {file.resolve() for file in options.files} <= set(op_files())
    opset, diag = load(complete=True) if own else read_extension(options.files, options.namespace)
    if diag:
        return failed(diag)
    print(f"{len(opset.ops)} ops, no errors")
    return 0


def add_generate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="YAML files; default: those of phi_torch")
    parser.add_argument("--out", type=Path, required=True, help="folder for the generated files")
    parser.add_argument("--dry-run", action="store_true", help="only list the files")


def generate(options: argparse.Namespace) -> int:
    """the code that follows from the YAML"""
    opset, diag = load(options.files or None)
    if diag:
        return failed(diag)
    from .generate import generate  # the emitters need jinja2, the check does not

    for path in generate(opset, options.out, options.files or op_files(), options.dry_run):
        print(path)
    return 0
