"""YAML text as nodes that know the place of every character."""

from __future__ import annotations

import bisect
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..model.diagnose import Diagnostics
from ..model.op import Loc

_OPEN, _CLOSE = "([{", ")]}"
_DEEPEST = 200
_NESTING = re.compile(rf"(?P<run>(?:[-?:]\s+){{{_DEEPEST}}})|(?P<entry>^- )|(?P<open>[\[{{])|[\]}}]", re.MULTILINE)
_REMEDIES = {  # words of PyYAML's message -> what to do
    "tab": "indent with spaces",
    "mapping values": "indent the keys of an entry alike; quote a value that has ': ' in it",
    "mapping keys": "indent the keys of an entry alike; quote a value that begins with '? '",
    "expected ':'": "write `key : value`; what goes on with a value is indented deeper than its key",
    "expected key": "indent the keys of an entry alike",
    "expected '-'": "start each entry with `- op : name`, at the start of the line",
    "sequence entries": "start each entry with `- op : name`, at the start of the line",
    "expected ','": "close the bracket",
    "alias": "quote a value that begins with '*'",
    "second occurrence": "give the other anchor (&) another name",
    "start any token": "quote a value that begins with '@', '`' or '%'",
    "not allowed": "remove the character",
    "<document start>": "what is above is no list: start each entry with `- op : name`, at the start of the line",
    "document": "a file is one document: remove the line",
    "deeply": "write arguments in one line of text, such as (Tensor x, int[] axes = {})",
}


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
        text = self.source.text[self.start + start : min(self.start + end, self.end)]
        start += len(text) - len(text.lstrip())
        return Span(self.source, self.start + start, self.start + start + len(text.strip()))

    def group(self, match: re.Match[str], name: str) -> Span:
        """A group of a regular expression that was matched against `text`."""
        return self.sub(match.start(name), match.end(name))

    def split(self, separator: str) -> list[Span]:
        """The parts between separators that stand outside of brackets, braces and quotes."""
        parts, begin, depth, quote, text = [], 0, 0, "", self.text
        for match in re.finditer(rf"[\"'()\[\]{{}}{re.escape(separator)}]", text):
            i, c = match.start(), match[0]
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
    """A YAML node: a scalar, a list or a mapping. `offset` is where the text that was read begins in the source."""

    def __init__(self, source: Source, raw: Any, offset: int) -> None:
        self.source = source
        self.kind: str = raw.id  # "scalar", "sequence", "mapping"
        self._raw = raw
        self._offset = offset

    @property
    def value(self) -> str:
        """A scalar as YAML reads it."""
        return str(self._raw.value)

    @cached_property
    def span(self) -> Span:
        """The node as written, without quotes or a block scalar's header."""
        start, end = self._offset + self._raw.start_mark.index, self._offset + self._raw.end_mark.index
        style = getattr(self._raw, "style", None) if self.kind == "scalar" else None
        if style in ("'", '"'):
            start, end = start + 1, end - 1
        elif style in ("|", ">"):
            start = self.source.text.index("\n", start, end) if "\n" in self.source.text[start:end] else end
        return Span(self.source, start, end).sub(0, end - start)

    def items(self) -> list[Node]:
        return [Node(self.source, raw, self._offset) for raw in self._raw.value]

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        for key, value in self._raw.value:
            yield Node(self.source, key, self._offset), Node(self.source, value, self._offset)


def read_source(path: Path, name: str, diag: Diagnostics) -> Source | None:
    """A file, printed as `name`; None, with an error, if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        help = "name a file that exists and can be read"
        diag.error("PHI001", Loc(name, 1), f"cannot read the file: {error.strerror or error}", help)
        return None
    except UnicodeDecodeError as error:
        message = f"the file is not UTF-8: {error.reason} at byte {error.start}"
        diag.error("PHI001", Loc(name, 1), message, "save it as UTF-8")
        return None
    diag.add_source(name, text)
    return Source(name, text)


def read_entries(source: Source, diag: Diagnostics) -> list[Node]:
    """The entries of a file. Where it is not YAML, each entry is read by itself, so that one hides no error of another."""
    parts = [_compose(source, 0, len(source.text))]
    if parts[0].problem is not None:
        starts = [match.start() for match in re.finditer(r"^- ", source.text, re.MULTILINE)]
        entries = [_compose(source, begin, end) for begin, end in zip(starts, [*starts[1:], len(source.text)])]
        # an alias may stand for something in another entry
        if any(entry.problem is not None and "alias" not in entry.problem for entry in entries):
            parts = entries
    nodes = []
    for part in parts:
        if part.problem is not None:
            diag.error("PHI001", source.loc(part.place), f"not YAML: {part.problem}", _remedy(part.problem))
            diag.broken.update(re.findall(r"^- *(?:backward_)?(?:op|api) *: *(\w+)", part.text, re.MULTILINE))
        elif part.root is not None:
            nodes += _items(part.root, diag)
    return nodes


def _items(root: Node, diag: Diagnostics) -> list[Node]:
    if root.kind == "sequence":
        return root.items()
    if root.kind != "scalar" or root.value:
        diag.error("PHI002", root.span.loc, "the file must be a list of entries", "start each entry with `- op : name`")
    return []


@dataclass(frozen=True)
class _Composed:
    """The root of a text, None if it is empty; or why it is not YAML, and where."""

    text: str
    root: Node | None = None
    problem: str | None = None
    place: int = 0


def _compose(source: Source, begin: int, end: int) -> _Composed:
    text = source.text[begin:end]
    # by name: the checkout has a folder `yaml`, which hands the name over to PyYAML when it is imported
    yaml: Any = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    deep = _too_deep(text)
    if deep is not None:
        return _Composed(text, problem="nested too deeply", place=begin + deep)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        index = mark.index if mark is not None else getattr(error, "position", 0)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        index = min(index, len(text.rstrip()) - 1)  # an error at the end of the text shows its last character
        return _Composed(text, problem=problem, place=begin + max(index, 0))
    return _Composed(text, None if root is None else Node(source, root, begin))


def _too_deep(text: str) -> int | None:
    """Where brackets, or entries that begin on one line, are nested so deeply that PyYAML would overflow the stack."""
    depth = 0
    for match in _NESTING.finditer(text):
        depth = 0 if match["entry"] else depth + 1 if match["open"] else depth - 1
        if depth > _DEEPEST or match["run"]:
            return match.start()
    return None


def _remedy(problem: str) -> str:
    for words, help in _REMEDIES.items():
        if words in problem:
            return help
    return "look at the line above, too: its indentation, an open bracket or quote"
