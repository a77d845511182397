"""Arguments of another class than a function takes."""

from __future__ import annotations


def expect(function: str, argument: str, value: object, kind: type, hint: str = "") -> None:
    """Raises a TypeError unless the value is of the class `kind`; `hint` says what to do."""
    if not isinstance(value, kind):
        expected = f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        raise TypeError(f"{function}: argument '{argument}': expected {expected}, got {type(value).__name__}{hint and f'; {hint}'}")
