"""What a file includes, read from its text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from .sources import CSRC

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@functools.cache
def names(file: Path) -> tuple[str, ...]:
    """The names in the include lines of a file."""
    return tuple(_INCLUDE.findall(file.read_text(errors="replace")))


def reached(files: Iterable[Path]) -> set[str]:
    """All that files of csrc/ include, directly or through other headers of csrc/, by the names in the include lines."""
    found: set[str] = set()
    waiting = list(files)
    while waiting:
        for name in names(waiting.pop()):
            if name not in found:
                found.add(name)
                if (CSRC / name).is_file():
                    waiting.append(CSRC / name)
    return found
