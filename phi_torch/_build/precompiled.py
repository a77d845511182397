"""Precompiled headers: a folder's `precompiled.h` is compiled once for each library, and read by all C++ sources below it.

It names what is slow to compile and rarely changes. A source includes what it uses all the same: there is no precompiled
header with PHI_PCH=0, with another compiler than g++, in an extension, and for nvcc.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .grouping import library_of
from .sources import CSRC, GENERATED
from .toolchain import is_gcc

NAME = "precompiled.h"


def headers(sources: Iterable[Path]) -> dict[Path, Path]:
    """Source -> its precompiled header, for the sources that have one."""
    if os.environ.get("PHI_PCH") == "0" or not is_gcc():
        return {}
    found = {source: _nearest(source) for source in sources if source.suffix == ".cc"}
    return {source: header for source, header in found.items() if header is not None}


def _nearest(source: Path) -> Path | None:
    """The header in the nearest folder above a source of the same library; a generated source stands as if in csrc/."""
    for base in (CSRC, GENERATED):
        if source.is_relative_to(base):
            name = source.relative_to(base)
            for folder in name.parents:
                if (CSRC / folder / NAME).is_file() and library_of(folder / source.name) == library_of(name):
                    return CSRC / folder / NAME
    return None
