"""What the sources offer to the YAML: registered kernels, InferMeta functions, functors, decompositions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_REGISTER = re.compile(r"\b(PD_REGISTER_(?:BUILTIN_|PLUGIN_)?KERNEL\w*)\s*\(")
_INFER_META = re.compile(r"\bvoid\s+(\w+InferMeta)\s*\(")
_MAX_EXPANSION = 4


@dataclass(frozen=True)
class Registration:
    """One PD_REGISTER_KERNEL; `dtypes` as they are written."""

    name: str
    backend: str
    layout: str
    file: str
    line: int
    dtypes: tuple[str, ...]


def scan_sources(csrc: Path) -> dict[str, list[Registration]]:
    """The kernels that the .cc and .cu files register, by name."""
    found: dict[str, list[Registration]] = {}
    for path in sorted([*csrc.rglob("*.cc"), *csrc.rglob("*.cu")]):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "PD_REGISTER" not in text:
            continue
        for registration in scan_text(text, path.relative_to(csrc.parent).as_posix()):
            found.setdefault(registration.name, []).append(registration)
    return found


def scan_text(text: str, file: str) -> Iterator[Registration]:
    """The registrations of one source, also those inside macros that the file itself defines."""
    text = _strip_comments(text)
    macros = {name: (params, body) for name, params, body in _DEFINE.findall(text)}
    text = _DIRECTIVE.sub(lambda m: "\n" * m[0].count("\n"), text)
    yield from _scan(text, file, None, macros, 0)


def scan_infer_meta(csrc: Path) -> set[str]:
    """The InferMeta functions that csrc/infermeta declares, without namespaces."""
    return set().union(*(infer_meta_functions(path) for path in sorted((csrc / "infermeta").rglob("*.h"))))


def infer_meta_functions(header: Path) -> set[str]:
    """The InferMeta functions of one header."""
    if not header.is_file():
        return set()
    return set(_INFER_META.findall(_strip_comments(header.read_text(encoding="utf-8", errors="replace"))))


def defines(path: Path, name: str) -> bool | None:
    """Whether a header defines the struct or the function `name`; None when there is no such file."""
    if not path.is_file():
        return None
    text = _strip_comments(path.read_text(encoding="utf-8", errors="replace"))
    return re.search(rf"\b(?:struct|class|using|void)\s+{name}\b", text) is not None


def structs(path: Path) -> list[str]:
    """The structs that a header defines, to suggest one."""
    text = _strip_comments(path.read_text(encoding="utf-8", errors="replace"))
    return re.findall(r"\b(?:struct|class)\s+(\w+)", text)


def python_functions(path: Path) -> dict[str, list[str]] | None:
    """The functions at the top of a Python file with their parameters; None when it cannot be read."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            parameters = node.args
            found[node.name] = [a.arg for a in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)]
    return found


def _strip_comments(text: str) -> str:
    return _TOKENS.sub(lambda m: m[0] if m[0].startswith('"') else "\n" * m[0].count("\n") or " ", text)


def _scan(text: str, file: str, line: int | None, macros: dict[str, tuple[str, str]], depth: int) -> Iterator[Registration]:
    for match in _REGISTER.finditer(text):
        args = _call_args(text, match.end())
        where = line if line is not None else text.count("\n", 0, match.start()) + 1
        registration = _registration(match[1], args, file, where)
        if registration is not None:
            yield registration
    if depth == _MAX_EXPANSION or not macros:
        return
    for match in re.finditer(rf"\b({'|'.join(map(re.escape, macros))})\s*\(", text):
        params, body = macros[match[1]]
        where = line if line is not None else text.count("\n", 0, match.start()) + 1
        yield from _scan(_expand(params, body, _call_args(text, match.end())), file, where, macros, depth + 1)


def _registration(macro: str, args: list[str], file: str, line: int) -> Registration | None:
    if macro.startswith("PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE"):
        args = [*args[:1], "ALL_BACKEND", *args[1:], "ALL_DTYPE"]
    elif macro.startswith("PD_REGISTER_KERNEL_FOR_ALL_DTYPE"):
        args = [*args, "ALL_DTYPE"]
    if len(args) < 4:
        return None
    return Registration(args[0], args[1], args[2], file, line, tuple(args[4:]))


def _call_args(text: str, start: int) -> list[str]:
    """The arguments of the call whose parenthesis opens before `start`."""
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


def _expand(params: str, body: str, args: list[str]) -> str:
    names = [p.strip() for p in params.split(",")]
    values = dict(zip(names, args, strict=False))
    if names[-1] == "...":
        values["__VA_ARGS__"] = ", ".join(args[len(names) - 1 :])
    body = body.replace("\\\n", " ")
    body = re.sub(r"\b\w+\b", lambda m: values.get(m[0], m[0]), body)
    return re.sub(r"\s*##\s*", "", body)
