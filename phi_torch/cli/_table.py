"""Text in columns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence


def lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows below their header, columns aligned; cut to the width of the terminal, if the output is one."""
    columns = list(zip(header, *rows))
    widths = [max(map(len, column)) for column in columns]
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for row in (header, *rows):
        text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
        yield text if limit is None or len(text) <= limit else f"{text[: limit - 1]}…"
