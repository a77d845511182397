"""kernels/strings/case_tables.h: which letters have another case in Unicode, as the interpreter that generates knows it."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from ...model.op import PHI, OpSet
from ..render import render

_END = 0x20000  # no letter beyond has a case


@dataclass
class _Range:
    """Each `step`-th code point from `first` to `last` has its other case at `distance`."""

    first: int
    last: int
    step: int
    distance: int

    def goes_on_to(self, code: int, distance: int) -> bool:
        step = code - self.last
        return distance == self.distance and step in ((1, 2) if self.first == self.last else (self.step,))


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    return {"kernels/strings/case_tables.h": _text()}


@functools.cache
def _text() -> str:
    tables = {"kToLower": _ranges(lower), "kToUpper": _ranges(upper)}
    return render("case_tables.h.j2", version=unicodedata.unidata_version, tables=tables)


def lower(letter: str) -> str:
    """Unicode's simple mapping: one letter for each. Python's is the full one, which differs for a capital I with a dot alone."""
    return letter.lower()[0]


def upper(letter: str) -> str:
    """The same; where Python has several letters, the simple mapping is that to the title's case, if there is one."""
    return next((text for text in (letter.upper(), letter.title()) if len(text) == 1), letter)


def _ranges(convert: Callable[[str], str]) -> list[_Range]:
    found: list[_Range] = []
    for code in range(_END):
        distance = ord(convert(chr(code))) - code
        if not distance:
            continue
        if not (found and found[-1].goes_on_to(code, distance)):
            found.append(_Range(code, code, 1, distance))
        found[-1].step, found[-1].last = max(code - found[-1].last, 1), code
    return found
