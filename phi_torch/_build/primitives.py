"""Which sources implement which primitives, read from their text.

`csrc/primitive/<name>.h` declares an interface; a source registers functions for it with `RegisterPrimitive<Name>`, itself or
by a header of `primitive/impl/`. A source that names single operations of an interface (`ReduceOp::kSum`) implements these.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codegen.read import cpp

from . import includes
from .sources import CSRC


@dataclass(frozen=True)
class Implementation:
    """What a source registers: interfaces, by the names of their headers, and operations; none stands for all."""

    headers: frozenset[str]
    operations: frozenset[str]


@functools.cache
def implementations() -> dict[Path, Implementation]:
    """The sources that register functions of primitives."""
    headers = sorted((CSRC / "primitive").glob("*.h"))
    declared = {name: f"primitive/{header.name}" for header in headers for name in cpp.interfaces(header.read_text())}
    found = {}
    for source in sorted(source for folder in ("primitive", "torch") for source in (CSRC / folder).rglob("*.c[cu]")):
        files = [source, *(CSRC / name for name in includes.names(source) if name.startswith("primitive/impl/"))]
        names = {name for file in files for name in cpp.registered_primitives(file.read_text())} & declared.keys()
        if names:
            found[source] = Implementation(frozenset(declared[name] for name in names), _operations(source))
    return found


def needed(files: Iterable[Path], headers: set[str]) -> set[Path]:
    """The sources of the primitives that these files, which include these headers, may look up."""
    asking = (*files, *(CSRC / name for name in headers if not name.startswith("primitive/impl/")))
    named = {operation for file in asking if file.is_file() for operation in _operations(file)}
    return {
        source
        for source, implementation in implementations().items()
        if implementation.headers & headers and (not implementation.operations or implementation.operations & named)
    }


@functools.cache
def _operations(file: Path) -> frozenset[str]:
    return cpp.operations(file.read_text(errors="replace"))
