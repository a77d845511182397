"""The library that each source belongs to: by the backends' manifests, or by its folder."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from codegen.model.backends import backend_of, backends

from .ninja import write_if_changed
from .sources import CSRC, GENERATED

_GROUPS = {".cc": 100, ".cu": 16}  # of kernels: few are compiled again after an edit, or little time is lost for all
EMULATED = "phi_gpu_emulated"  # for tests: make gpu-emulated


def library_of(source: Path) -> str:
    """The library that a source belongs to, from its path below csrc/ or below the generated tree."""
    if "emulated" in source.parts[:-1]:
        return EMULATED
    if backend := backend_of(source):
        return backend.library
    if source.parts[0] != "torch":
        return "phi_core"
    return "_C" if source.parts[:2] == ("torch", "python") else "phi_torch"


def group_sources(generated: Iterable[Path]) -> dict[str, list[Path]]:
    """Library -> its sources: all of csrc, and what the generator wrote in this run (so never a stale file)."""
    kernels = (backend.library for backend in backends() if backend.library)
    groups: dict[str, list[Path]] = {name: [] for name in ("phi_core", "phi_torch", *kernels, EMULATED, "_C")}
    files = [(file, CSRC) for file in CSRC.rglob("*")] + [(Path(file), GENERATED) for file in generated]
    for file, base in sorted(files):
        if file.suffix in (".cc", ".cu") and file.is_relative_to(base):
            groups[library_of(file.relative_to(base))].append(file)
    return groups


def together(files: Sequence[Path]) -> list[Path]:
    """The files with the generated kernels in groups, which lie beside them and are each compiled as one: their time is for the
    most part that of what they have in common. The group of a file does not depend on the others; those of an operator and its
    gradients are in one.
    """
    kernels = [file for file in files if file.is_relative_to(GENERATED / "kernels")]
    groups: dict[Path, list[Path]] = {}
    for file in kernels:
        operator = re.sub(r"((_double|_triple)?_grad)?_kernel", "", file.stem)
        number = zlib.crc32(operator.encode()) % _GROUPS[file.suffix]
        groups.setdefault(file.with_name(f"together_{number}{file.suffix}"), []).append(file)
    for path, group in groups.items():
        write_if_changed(path, "".join(f'#include "{file.relative_to(GENERATED)}"\n' for file in group))
    return sorted(groups) + [file for file in files if file not in kernels]
