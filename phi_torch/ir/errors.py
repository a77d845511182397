"""What is wrong with a program: all of it at once, up to twenty faults."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class ParseError(ValueError):
    """A text that is no program; `errors` are (line, column, message), from 1, and `source` is the file that it stands in."""

    def __init__(self, errors: list[tuple[int, int, str]], source: str = "") -> None:
        self.errors, self.source = errors, source
        prefix = f"{source}:" if source else ""
        super().__init__("\n".join(f"{prefix}{line}:{column}: {message}" for line, column, message in errors))


class VerifyError(ValueError):
    """A program that breaks rules of its dialects; `errors` are messages, and `source` is the file that it was read from."""

    def __init__(self, errors: list[str], source: str = "") -> None:
        self.errors, self.source = errors, source
        whose = f"{source}: " if source else ""
        super().__init__(f"{whose}the program is not valid:\n" + "\n".join(f"  {message}" for message in errors))


@contextmanager
def of_file(source: str) -> Iterator[None]:
    """What is wrong within is an error of that file."""
    try:
        yield
    except (ParseError, VerifyError) as error:
        raise type(error)(error.errors, source) from None  # type: ignore[arg-type]
