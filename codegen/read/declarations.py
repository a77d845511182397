"""C++ function declarations, read from their text: what a kernel or an InferMeta function takes."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_FUNCTION = re.compile(r"void\s+(\w+)\s*\(")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*([^;{}()]+);")
_PARAMETER = re.compile(r"(?P<type>.*[\s&*>])(?P<name>[A-Za-z_]\w*)", re.DOTALL)
_NO_TYPE = ("const", "unsigned", "typename", "struct")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a C++ function; without a name where the declaration leaves it out."""

    type: str
    name: str = ""
    optional: bool = False  # it has a default

    def __str__(self) -> str:
        return f"{self.type} {self.name}".rstrip()


@dataclass(frozen=True)
class Function:
    """A declaration or definition of a function that returns nothing."""

    name: str
    params: tuple[Parameter, ...]
    file: str
    line: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def without_comments(text: str) -> str:
    """C++ without comments, every line in its place."""
    return _TOKENS.sub(lambda m: m[0] if m[0].startswith('"') else "\n" * m[0].count("\n") or " ", text)


def find_functions(text: str) -> Iterator[tuple[str, int]]:
    """The name of each function that returns nothing, and where its parameters begin; a call `void f(` is none."""
    for match in _FUNCTION.finditer(text):
        yield match[1], match.end()


def read_function(name: str, text: str, start: int, file: str) -> Function:
    """The function whose parenthesis opens before `start`; names that the file declares by `using` are resolved."""
    aliases = _aliases(text)
    params = tuple(_parameter(piece, aliases) for piece in call_args(text, start) if piece not in ("", "void"))
    return Function(name, params, file, text.count("\n", 0, start) + 1)


@functools.lru_cache(maxsize=64)  # the functions of a file come one after another
def _aliases(text: str) -> Mapping[str, str]:
    return {alias: " ".join(type.split()) for alias, type in _ALIAS.findall(text)}


def _parameter(text: str, aliases: Mapping[str, str]) -> Parameter:
    text = re.sub(r"\[\[.*?\]\]|\bUNUSED\b", "", text).strip()
    declared, equals, _ = text.partition("=")
    declared = declared.strip()
    match = _PARAMETER.fullmatch(declared)
    if match is None or match["type"].strip() in _NO_TYPE:
        type, name = declared, ""
    else:
        type, name = match["type"].strip(), match["name"]
    for alias, meaning in aliases.items():
        if alias in type:
            type = re.sub(rf"\b{alias}\b(?:<\w+>)?", meaning, type)
    return Parameter(type, name, bool(equals))


def call_args(text: str, start: int) -> list[str]:
    """The arguments of the call, or the parameters of the function, whose parenthesis opens before `start`."""
    args, begin, depth = [], start, 0
    for i in range(start, len(text)):
        c = text[i]
        if c in "([{<":
            depth += 1
        elif c in ")]}>" and depth:
            depth -= 1
        elif c == ")" or (c == "," and depth == 0):
            args.append(" ".join(text[begin:i].split()))
            begin = i + 1
            if c == ")":
                break
    return args
