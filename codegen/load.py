"""Reads and checks the operator files of this checkout, or those of an out-of-tree package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .check import check
from .check_tree import check_tree
from .diagnose import Diagnostics
from .model import Loc, OpSet
from .parse import parse_files
from .sources import Sources

ROOT = Path(__file__).resolve().parent.parent
NOT_OPS = ("op_compat", "op_version")  # files of yaml/ that describe something else


def op_files() -> list[Path]:
    """The files of yaml/ that describe ops."""
    return [path for path in sorted((ROOT / "yaml").glob("*.yaml")) if path.stem not in NOT_OPS]


def own_ops() -> OpSet:
    """The ops of yaml/, unchecked: what an out-of-tree package may refer to."""
    return parse_files(op_files(), Diagnostics())


def load(
    files: Sequence[Path] | None = None,
    base: OpSet | None = None,
    root: Path | None = None,
    sources: Sequence[Path] = (),
    complete: bool = False,
) -> tuple[OpSet, Diagnostics]:
    """The ops of the files, parsed and checked; there are no errors when the diagnostics are empty.

    Without files: those of this checkout, checked against its csrc/ and its decompositions, and if `complete` also for
    what an op needs besides: documentation and samples. For files of an out-of-tree package: `sources` are the C++ files and
    folders that must register the kernels, which without any are not looked for; `base` are ops that the files may refer
    to. Names are printed relative to `root`, by default the working directory.
    """
    diag = Diagnostics()
    if files is not None:
        opset = parse_files(files, diag, root or Path.cwd())
        check(opset, diag, sources=extension_sources(sources, diag) if sources else None, base=base)
        return opset, diag
    csrc = ROOT / "csrc"
    opset = parse_files(op_files(), diag, root or Path.cwd())
    decompositions = ROOT / "phi_torch" / "decompositions"
    check(opset, diag, sources=Sources([csrc]) if csrc.is_dir() else None, decompositions=decompositions)
    if complete:
        check_tree(opset, ROOT / "tests" / "ops" / "samples", diag)
    return opset, diag


def extension_sources(files: Sequence[Path], diag: Diagnostics) -> Sources:
    """The C++ of an out-of-tree package, with the InferMeta functions of our own."""
    for file in files:
        if not file.exists():
            diag.error("PHI001", Loc(file.as_posix(), 1), "there is no such file", "name a C++ file, or a folder of them")
    own = next(folder for folder in (ROOT / "csrc", ROOT / "include") if folder.is_dir())
    return Sources([own / "infermeta", *(file for file in files if file.exists())])
