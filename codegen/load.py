"""Reads and checks the operator files of this checkout, or those of an out-of-tree package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .check import check
from .diagnose import Diagnostics
from .model import OpSet
from .parse import parse_files

ROOT = Path(__file__).resolve().parent.parent
NOT_OPS = ("op_compat", "op_version")  # files of yaml/ that describe something else


def op_files() -> list[Path]:
    """The files of yaml/ that describe ops."""
    return [path for path in sorted((ROOT / "yaml").glob("*.yaml")) if path.stem not in NOT_OPS]


def load(
    files: Sequence[Path] = (), csrc: Path | None = None, base: OpSet | None = None, root: Path | None = None
) -> tuple[OpSet, Diagnostics]:
    """The ops of the files, parsed and checked; there are no errors when the diagnostics are empty.

    Without files: those of this checkout, checked against its csrc/ and its decompositions. `base` are ops that the
    files may refer to; names are printed relative to `root`, by default the working directory.
    """
    decompositions = None
    if not files:
        files, decompositions = op_files(), ROOT / "phi_torch" / "decompositions"
        csrc = csrc or (ROOT / "csrc" if (ROOT / "csrc").is_dir() else None)
    diag = Diagnostics()
    opset = parse_files(files, diag, root or Path.cwd())
    check(opset, diag, csrc=csrc, decompositions=decompositions, base=base)
    return opset, diag
