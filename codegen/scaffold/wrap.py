"""A call or a declaration on as many lines as it needs."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 120


def wrapped(start: str, items: Sequence[str], end: str) -> str:
    """`start` with its items on one line, or each on its own below the first; ` {` still fits behind it."""
    line = f"{start}{', '.join(items)}{end}"
    return line if len(line) + 2 <= WIDTH else start + (",\n" + " " * len(start)).join(items) + end
