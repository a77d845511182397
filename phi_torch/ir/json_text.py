"""JSON in steps: objects and lists of the levels of a program are walked, and `json` parses what is below them.

So one operator's attributes are what is held beside the text and the document that is made of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from .._paddle.faults import ProgramError

WHITE = (" ", "\t", "\n", "\r")
SPACE = re.compile(r"[ \t\n\r]*")
KEY = re.compile(r'"([^"\\\x00-\x1f]*)":')  # as nearly all of them are written
SLACK = 1 << 20  # bytes that a text may take beside eight times its length
# what `[`, `{`, `,` and `","` cost at most, in bytes: a list, a node, a reference with its number, a text in a list
WEIGHTS = (("[", 64), ("{", 72), (",", 32), ('","', 28))

Node = tuple[Any, ...]  # an object: key, value, key, value ...


class JsonText:
    """A cursor in a text. `members` and `items` are followed by what reads the value at the cursor, which moves it.

    Raises:
        ProgramError: the text is no JSON, or would take more than eight times its length in memory.
    """

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.at = text, source, 0
        self.decoder = json.JSONDecoder(object_pairs_hook=self.node, parse_constant=self.constant)
        self.known: dict[str, str] = {}
        weight = sum(text.count(mark) * bytes for mark, bytes in WEIGHTS)
        if weight > 8 * len(text) + SLACK:
            raise ProgramError(f"{source}: its lists and objects may take {weight} bytes; expected at most eight times the file's")

    def peek(self) -> str:
        """The character at the cursor, which goes past white space; "" at the end."""
        mark = self.text[self.at : self.at + 1]
        if mark in WHITE:
            self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            mark = self.text[self.at : self.at + 1]
        return mark

    def leaf(self) -> Any:
        """The value at the cursor: a str, number, bool, None, list or node."""
        self.peek()
        try:
            value, self.at = self.decoder.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            raise self.error(error.msg, error.pos) from None
        except RecursionError:
            raise self.error("it is nested too deeply", self.at) from None
        except ValueError as error:  # a number of thousands of digits
            raise self.error(str(error), self.at) from None
        return value

    def members(self) -> Iterator[str]:
        """The keys of the object at the cursor."""
        yield from self._several("{", "}")

    def items(self) -> Iterator[int]:
        """The indices of the list at the cursor."""
        for index, _ in enumerate(self._several("[", "]")):
            yield index

    def end(self) -> None:
        if self.peek():
            raise self.error("expected the end of the file", self.at)

    def _several(self, opening: str, closing: str) -> Iterator[str]:
        self.expect(opening)
        mark = self.peek()
        while mark != closing:
            yield self._key() if opening == "{" else ""
            mark = self.peek()
            if mark == ",":
                self.at += 1
            elif mark != closing:
                raise self.error("expected ','", self.at)
        self.at += 1

    def _key(self) -> str:
        plain = KEY.match(self.text, self.at)
        if plain is not None:
            self.at = plain.end()
            return plain[1]
        if self.peek() != '"':
            raise self.error("expected a key in double quotes", self.at)
        key: str = self.leaf()
        if self.peek() != ":":
            raise self.error("expected ':'", self.at)
        self.at += 1
        return key

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise self.error(f"expected '{mark}'", self.at)
        self.at += 1

    def error(self, what: str, at: int) -> ProgramError:
        line = self.text.count("\n", 0, at) + 1
        return ProgramError(f"{self.source}: no JSON: {what}, line {line}, column {at - self.text.rfind(chr(10), 0, at)}")

    def node(self, pairs: list[tuple[str, Any]]) -> Node:
        if len(dict(pairs)) != len(pairs):
            raise ProgramError(f"{self.source}: an object has a key twice, among {sorted(key for key, _ in pairs)[:9]}")
        if pairs and type(pairs[0][1]) is str and len(self.known) < 1000:  # names of kinds, mostly
            pairs[0] = (pairs[0][0], self.known.setdefault(pairs[0][1], pairs[0][1]))
        return tuple(chain.from_iterable(pairs))

    def constant(self, name: str) -> Any:
        raise ProgramError(f"{self.source}: '{name}' is no value in JSON")


def compact(value: Any) -> str:
    """A leaf as JSON without spaces."""
    text = bytearray()
    _append(text, value)
    return text.decode()


def _append(text: bytearray, value: Any) -> None:
    if isinstance(value, (tuple, list)):
        is_object = isinstance(value, tuple)
        text += b"{" if is_object else b"["
        for index, one in enumerate(value):
            text += b":" if is_object and index % 2 else b"," if index else b""
            _append(text, one)
        text += b"}" if is_object else b"]"
    else:
        text += json.dumps(value).encode()
