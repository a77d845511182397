"""What a file includes, read from its text."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from codegen.read import cpp

from .sources import CSRC, GENERATED


@functools.cache
def names(file: Path) -> tuple[str, ...]:
    """The names in the include lines of a file."""
    return cpp.includes(file.read_text(errors="replace"))


@functools.cache
def needs_nvcc(source: Path) -> bool:
    """Whether a source has code for GPUs: of the generated kernels, those that reach a .cuh. The others only call primitives,
    and the host's compiler is quicker."""
    if source.suffix != ".cu":
        return False
    generated = source.is_relative_to(GENERATED / "kernels")
    return not generated or any(name.endswith(".cuh") for name in reached([source]))


def reached(files: Iterable[Path]) -> set[str]:
    """All that files of csrc/ or generated ones include, directly or through others of these, by the names in the include
    lines."""
    found: set[str] = set()
    waiting = list(files)
    while waiting:
        for name in names(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting += (base / name for base in (CSRC, GENERATED) if (base / name).is_file())
    return found
