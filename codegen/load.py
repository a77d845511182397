"""Reads and checks the operator files of this checkout, or those of an out-of-tree package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .check.against_tree import check_tree
from .check.aten_compat import check_aten_compat
from .check.entries import check
from .check.program_ops import check_program_ops
from .check.rewrites import check_rewrites
from .check.rules import check_ir
from .model.category import implementation, is_composite_alone
from .model.diagnose import Diagnostics
from .model.op import Loc, OpSet
from .read.aten_compat import read_aten_compat
from .read.op_compat import read_op_compat
from .read.parse import display_name, parse_files
from .read.program_ops import read_program_ops
from .read.rewrites import read_rewrites
from .read.sources import Sources
from .view.program_ops import program_ops

ROOT = Path(__file__).resolve().parent.parent


def op_files() -> list[Path]:
    """The files of yaml/ that describe ops: one for each family, forward ops and backward ops apart."""
    return [path for folder in ("ops", "backward") for path in sorted((ROOT / "yaml" / folder).glob("*.yaml"))]


def families() -> list[str]:
    """The names of the files with forward ops, and of the folders of csrc/kernels/ that have their kernels."""
    return [path.stem for path in op_files() if path.parent.name == "ops"]


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
    sources_of_kernels = Sources([csrc]) if csrc.is_dir() else None
    check(opset, diag, sources=sources_of_kernels, decompositions=decompositions)
    if sources_of_kernels is not None:
        opset = with_definitions(opset, sources_of_kernels)
    for add in (with_program_ops, with_pir_ops, with_rewrites, with_aten_rows):
        opset = add(opset, diag, root or Path.cwd())
    if complete:
        check_tree(opset, ROOT / "tests" / "ops" / "samples", diag)
    return opset, diag


def with_definitions(opset: OpSet, sources: Sources) -> OpSet:
    """The ops, with the places where the parts of their generated kernels are defined."""
    parts = (implementation(op, opset) for op in opset.ops if op.dtypes and not is_composite_alone(op))
    found = ((name, sources.definition(name.rpartition("::")[2], header)) for header, names in parts for name in names)
    return replace(opset, definitions={name: Loc(*place) for name, place in found if place is not None})


def with_program_ops(opset: OpSet, diag: Diagnostics, root: Path) -> OpSet:
    """The ops of this checkout, with the operators of programs that they and yaml/ describe, checked."""
    files = [ROOT / "yaml" / name for name in ("op_compat.yaml", "program_ops.yaml")]
    compats = read_op_compat(files[0], display_name(files[0], root), diag)
    written = read_program_ops(files[1], display_name(files[1], root), diag)
    check_program_ops(opset, compats, written, ROOT / "csrc" / "ops" / "compat", diag)
    return replace(opset, program_ops=program_ops(opset, compats, written))


def with_pir_ops(opset: OpSet, diag: Diagnostics, root: Path) -> OpSet:
    """The ops of this checkout, with those that only programs have, checked."""
    pir_ops = parse_files([ROOT / "yaml" / "pir_ops.yaml"], diag, root).ops
    for op in pir_ops:
        check_ir(op, diag)
        if op.name in opset:
            diag.error_at("PHI020", op.loc, "op", f"'{op.name}' is an operator at {opset[op.name].loc}", "remove the entry")
    return replace(opset, pir_ops=pir_ops)


def with_rewrites(opset: OpSet, diag: Diagnostics, root: Path) -> OpSet:
    """The ops of this checkout, with the rewrites of programs, checked."""
    file = ROOT / "yaml" / "rewrites.yaml"
    rewrites = read_rewrites(file, display_name(file, root), diag)
    check_rewrites(opset, rewrites, diag)
    return replace(opset, rewrites=rewrites)


def with_aten_rows(opset: OpSet, diag: Diagnostics, root: Path) -> OpSet:
    """The ops of this checkout, with the overloads of ATen that are some of them, checked."""
    file = ROOT / "yaml" / "aten_compat.yaml"
    rows = read_aten_compat(file, display_name(file, root), diag)
    check_aten_compat(opset, rows, diag)
    return replace(opset, aten_rows=rows)


def extension_sources(files: Sequence[Path], diag: Diagnostics) -> Sources:
    """The C++ of an out-of-tree package, with the InferMeta functions of our own."""
    for file in files:
        if not file.exists():
            diag.error("PHI001", Loc(file.as_posix(), 1), "there is no such file", "name a C++ file, or a folder of them")
    own = next(folder for folder in (ROOT / "csrc", ROOT / "include") if folder.is_dir())
    return Sources([own / "infermeta", *(file for file in files if file.exists())])
