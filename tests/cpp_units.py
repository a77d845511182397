"""How tests in C++ are compiled: with sanitizers, and in few units."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Once = Callable[[str, Callable[[Path], Path]], Path]  # the fixture `once`


def sanitizers(folder: Path, names: str) -> tuple[str, ...]:
    """The flags for them."""
    flags = (f"-fsanitize={names}", "-fno-sanitize-recover=all", "-g1")
    empty = folder / "empty.cc"
    empty.write_text("int main() {}")
    if subprocess.run(["c++", *flags, str(empty), "-o", str(folder / "empty")], capture_output=True).returncode:
        pytest.skip(f"the compiler has no sanitizer for {names}")
    return flags


def by_folder(folder: Path, sources: list[Path]) -> list[Path]:
    """One unit of each folder's sources: most of a compilation is headers. Those of a dialect register it, and stay apart."""
    units = [source for source in sources if source.parent.name == "dialect"]
    for parent in sorted({source.parent for source in sources} - {source.parent for source in units}):
        unit = folder / f"all_of_{'_'.join(parent.parts[-2:])}.cc"
        unit.write_text("".join(f'#include "{source}"\n' for source in sorted(sources) if source.parent == parent))
        units.append(unit)
    return units
