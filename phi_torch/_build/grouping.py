"""The library that each source belongs to: by the backends' manifests, or by its folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from codegen.model.backends import backend_of, backends

from .sources import CSRC, GENERATED

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
