"""Precompiled headers: a folder's `precompiled.h` is compiled once for each library, and read by all C++ sources below it.

It names what is slow to compile and rarely changes. A source includes what it uses all the same: there is no precompiled
header with PHI_PCH=0, with another compiler than g++, in an extension, and for nvcc.
"""

from __future__ import annotations

import functools
import os
import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path

from .sources import CSRC, GENERATED


def headers(sources: Iterable[Path], cxx: str) -> dict[Path, Path]:
    """Source -> its precompiled header, for the sources that have one."""
    found = {source: _nearest(source) for source in sources if source.suffix == ".cc"} if _supported(cxx) else {}
    return {source: header for source, header in found.items() if header is not None}


@functools.cache
def _supported(cxx: str) -> bool:
    if os.environ.get("PHI_PCH") == "0":
        return False
    answer = subprocess.run([*shlex.split(cxx), "--version"], capture_output=True, text=True, check=False).stdout
    return "Free Software Foundation" in answer  # clang takes other options


def _nearest(source: Path) -> Path | None:
    """The header in the nearest folder above a source; a generated source stands as if it were in csrc/."""
    for base in (CSRC, GENERATED):
        if source.is_relative_to(base):
            candidates = (CSRC / folder / "precompiled.h" for folder in source.relative_to(base).parents)
            return next((header for header in candidates if header.is_file()), None)
    return None
