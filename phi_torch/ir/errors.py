"""What is wrong with a program: all of it at once, up to twenty faults."""

from __future__ import annotations


class ParseError(ValueError):
    """A text that is no program; `errors` are (line, column, message), from 1."""

    def __init__(self, errors: list[tuple[int, int, str]]) -> None:
        self.errors = errors
        super().__init__("\n".join(f"{line}:{column}: {message}" for line, column, message in errors))


class VerifyError(ValueError):
    """A program that breaks rules of its dialects; `errors` are messages."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("the program is not valid:\n" + "\n".join(f"  {message}" for message in errors))
