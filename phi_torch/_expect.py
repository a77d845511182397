"""Arguments of another class than a function takes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def expect(function: str, argument: str, value: object, kind: type, hint: str = "") -> None:
    """Raises a TypeError unless the value is of the class `kind`; `hint` says what to do."""
    if not isinstance(value, kind):
        expected = f"{'an' if kind.__name__[0] in 'AEIOUaeiou' else 'a'} {kind.__name__}"
        raise TypeError(f"{function}: argument '{argument}': expected {expected}, got {type(value).__name__}{hint and f'; {hint}'}")


def expect_list(function: str, argument: str, value: object, kind: type, items: str = "") -> None:
    """Raises a TypeError unless the value is a list or another iterable of objects of the class `kind`, called `items`."""
    if isinstance(value, (str, kind)) or not isinstance(value, Iterable) or not all(isinstance(one, kind) for one in value):
        raise TypeError(f"{function}: argument '{argument}': expected a list of {items or f'{kind.__name__}s'}, got {value!r:.60}")


def expect_integer(function: str, argument: str, value: object, least: int) -> None:
    """Raises a TypeError unless the value is an integer, and a ValueError if it is less than `least`."""
    expect(function, argument, value, int)
    if isinstance(value, int) and value < least:
        raise ValueError(f"{function}: argument '{argument}': expected a number from {least} on, got {value}")


def expect_path(function: str, argument: str, value: object, or_else: str = "") -> Path:
    """The path that a value is. Raises a TypeError if it is none; `or_else` is what else it may have been."""
    if not isinstance(value, (str, os.PathLike)):
        expected = f"{or_else and f'{or_else} or '}a path"
        raise TypeError(f"{function}: argument '{argument}': expected {expected}, got {type(value).__name__}")
    return Path(value)


def expect_paths(function: str, argument: str, value: object) -> tuple[Path, ...]:
    """The files that a value lists, with their folders. Raises a TypeError for one alone: a text would be taken for its letters."""
    if isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Iterable):
        raise TypeError(f"{function}: argument '{argument}': expected a list of files, got {value!r:.60}")
    return tuple(expect_path(function, argument, path).expanduser().resolve() for path in value)


def expect_names(function: str, argument: str, value: object) -> None:
    """Raises a TypeError unless the value holds texts: a text alone would be taken for its letters."""
    expect_list(function, argument, value, str, "names")
