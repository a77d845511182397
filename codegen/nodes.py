"""YAML text as nodes that know the place of every character."""

from __future__ import annotations

import bisect
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .diagnose import Diagnostics
from .model import Loc

_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Source:
    """One YAML file; `name` is how it is printed."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0] + [m.end() for m in re.finditer("\n", self.text)]

    def loc(self, index: int) -> Loc:
        line = bisect.bisect_right(self._line_starts, index)
        return Loc(self.name, line, index - self._line_starts[line - 1] + 1)


@dataclass(frozen=True)
class Span:
    """A piece of a source, from character `start` up to `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def folded(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def loc(self) -> Loc:
        return self.source.loc(self.start)

    @property
    def length(self) -> int:
        """Characters on the first line, for a caret."""
        return len(self.text.split("\n", 1)[0])

    def sub(self, start: int, end: int) -> Span:
        """The characters `start` to `end` of this span, without surrounding whitespace."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return Span(self.source, self.start + start, self.start + start + len(text.strip()))

    def group(self, match: re.Match[str], name: str) -> Span:
        """A group of a regular expression that was matched against `text`."""
        return self.sub(match.start(name), match.end(name))

    def split(self, separator: str) -> list[Span]:
        """The parts between separators that stand outside of brackets, braces and quotes."""
        parts, begin, depth, quote, text = [], 0, 0, "", self.text
        for i, c in enumerate(text):
            if quote:
                if c == quote and text[i - 1] != "\\":
                    quote = ""
            elif c in "\"'":
                quote = c
            elif c in _OPEN:
                depth += 1
            elif c in _CLOSE:
                depth -= 1
            elif c == separator and depth == 0:
                parts.append(self.sub(begin, i))
                begin = i + 1
        last = self.sub(begin, len(text))
        return [*parts, last] if parts or last.text else []


class Node:
    """A YAML node: a scalar, a list or a mapping."""

    def __init__(self, source: Source, raw: Any) -> None:
        self.source = source
        self.kind: str = raw.id  # "scalar", "sequence", "mapping"
        self._raw = raw

    @property
    def value(self) -> str:
        """A scalar as YAML reads it."""
        return str(self._raw.value)

    @cached_property
    def span(self) -> Span:
        """The node as written, without quotes or a block scalar's header."""
        start, end = self._raw.start_mark.index, self._raw.end_mark.index
        style = getattr(self._raw, "style", None) if self.kind == "scalar" else None
        if style in ("'", '"'):
            start, end = start + 1, end - 1
        elif style in ("|", ">"):
            start = self.source.text.index("\n", start, end) if "\n" in self.source.text[start:end] else end
        return Span(self.source, start, end).sub(0, end - start)

    def items(self) -> list[Node]:
        return [Node(self.source, raw) for raw in self._raw.value]

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        for key, value in self._raw.value:
            yield Node(self.source, key), Node(self.source, value)


def compose(source: Source, diag: Diagnostics) -> Node | None:
    """The root node; None for an empty file, and with an error for what is not YAML."""
    # by name: the checkout has a folder `yaml`, which hands the name over to PyYAML when it is imported
    yaml: Any = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(source.text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        index = mark.index if mark is not None else getattr(error, "position", 0)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        index = min(index, len(source.text.rstrip()) - 1)  # an error at the end of the file shows its last character
        diag.error("PHI001", source.loc(max(index, 0)), f"not YAML: {problem}")
        return None
    except RecursionError:
        diag.error("PHI001", source.loc(0), "not YAML: nested too deeply")
        return None
    return None if root is None else Node(source, root)
