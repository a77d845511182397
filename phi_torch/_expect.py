"""Arguments of another class than a function takes."""

from __future__ import annotations

from collections.abc import Iterable


def expect(function: str, argument: str, value: object, kind: type, hint: str = "") -> None:
    """Raises a TypeError unless the value is of the class `kind`; `hint` says what to do."""
    if not isinstance(value, kind):
        expected = f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        raise TypeError(f"{function}: argument '{argument}': expected {expected}, got {type(value).__name__}{hint and f'; {hint}'}")


def expect_names(function: str, argument: str, value: object) -> None:
    """Raises a TypeError unless the value holds texts: a text alone would be taken for its letters."""
    if isinstance(value, str) or not isinstance(value, Iterable) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"{function}: argument '{argument}': expected a list of names, got {value!r:.60}")
