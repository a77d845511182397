"""The faults of a program, collected so that one error names them all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from difflib import get_close_matches

LIMIT = 20  # faults that an error names


class ProgramError(ValueError):
    """A program, or a file of one, that cannot be read or run; its text names every fault that was found."""


class Faults:
    """What is wrong in `source`; `add` takes where ("block 0, op 3 (conv2d), slot Input") and what, or a function that says it,
    which is called for those that are named alone.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[str] = []
        self.count = 0

    def add(self, where: str, what: str | Callable[[], str]) -> None:
        self.count += 1
        if self.count <= LIMIT:
            what = what if isinstance(what, str) else what()
            self.found.append(f"{where}: {what}" if where else what)

    def check(self) -> None:
        """Raises what was found."""
        if self.count:
            raise ProgramError(str(self))

    def warn(self) -> None:
        """Warns of what was found."""
        if self.count:
            warnings.warn(str(self), stacklevel=2)

    def __str__(self) -> str:
        if self.count == 1:
            return f"{self.source}: {self.found[0]}"
        more = [f"and {self.count - LIMIT} more"] if self.count > LIMIT else []
        return f"{self.source}: {self.count} faults\n" + "\n".join(f"  {line}" for line in [*self.found, *more])


def op_place(block: int, index: int, type: str) -> str:
    return f"block {block}, op {index} ({type})"


def near(name: str, names: Iterable[str]) -> str:
    """ "; near: a, b" for names that look like `name`; "" for none."""
    found = get_close_matches(name, list(dict.fromkeys(names)), n=3)
    return f"; near: {', '.join(found)}" if found else ""
