"""The library that each source belongs to: by the backends' manifests, or by its folder."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from codegen.model.backends import backend_of, backends

from .ninja import write_if_changed
from .sources import CSRC, GENERATED

_GROUPS = {".cc": 50, ".cu": 16}  # of kernels: few are compiled again after an edit, or little time is lost for all
_SIZES = {"phi_core": 6, "phi_torch": 6, "_C": 6, "phi_cpu": 3}  # how many hand-written files of a library make a group
_INFERMETA = re.compile(r"infermeta/\D+\.cc$")  # the generated files of single families
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
    """The files with the small ones in groups, which lie in the generated tree and are each compiled as one: the time of a small
    file is for the most part that of its headers. Those of an operator and its gradients are in one group, others of a folder in
    any; one that holds what is generated for many operators stays by itself, and so does a hand-written kernel.
    """
    folders = Counter(file.parent for file in files)
    groups: dict[Path, list[Path]] = {}
    single = []
    for file in files:
        base = next((base for base in (GENERATED, CSRC) if file.is_relative_to(base)), file.parent)
        name = file.relative_to(base)
        is_kernel, size = name.parts[0] == "kernels", _SIZES.get(library_of(name))
        if base == GENERATED and is_kernel:
            key, count = re.sub(r"((_double|_triple)?_grad)?_kernel", "", file.stem), _GROUPS[file.suffix]
        elif size and ((base == CSRC and not is_kernel) or (base == GENERATED and _INFERMETA.search(str(name)))):
            key, count = file.stem, -(-folders[file.parent] // size)
        else:
            single.append(file)
            continue
        number = zlib.crc32(key.encode()) % count
        groups.setdefault(GENERATED / name.with_name(f"together_{number}{file.suffix}"), []).append(name)
    for path, group in groups.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, "".join(f'#include "{name}"\n' for name in group))
    return sorted(groups) + single
