"""Runs the code generator over the operators of this build."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codegen.generate import generate as emit
from codegen.load import load, op_files

from . import selection
from .ninja import write_if_changed
from .sources import GENERATED, PACKAGE, ROOT
from .toolchain import BuildError
from .trimming import Trim, trim


@dataclass(frozen=True)
class Generated:
    """The files that were written, and how PHI_OPS trims the build."""

    files: tuple[Path, ...]
    trim: Trim | None


def generate(package: Path = PACKAGE) -> Generated:
    """Generates the sources. Python modules go to the folder `package`, the reference of all operators to docs/.

    Raises:
        BuildError: the YAML has errors, or PHI_OPS; the message shows them all.
    """
    opset, diagnostics = load(root=ROOT)
    if diagnostics:
        raise BuildError(diagnostics.render())
    selected = selection.from_environment()
    trimmed = None if selected is None else trim(selected, opset)
    if trimmed is not None:
        opset = trimmed.opset
        trimmed.write_dtypes()
    files = tuple(emit(opset, GENERATED, op_files()))
    targets = {"python": package} if trimmed else {"python": package, "docs": ROOT / "docs"}
    for file in files:
        if file.parent.parent == GENERATED and file.parent.name in targets:
            write_if_changed(targets[file.parent.name] / file.name, file.read_text())
    return Generated(files, trimmed)
