"""What the sources offer to the YAML: registered kernels, InferMeta functions, functors, decompositions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .declarations import Function, call_args, find_functions, read_function, without_comments

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_REGISTER = re.compile(r"\b(PD_REGISTER_(?:BUILTIN_|PLUGIN_|CHANNELS_LAST_)?KERNEL\w*)\s*\(")
_DEFINITION = re.compile(r"\b(?:struct|class|using|void)\s+(\w+)")
_FORM = re.compile(r"\bTorchForm\s*<\s*(?:\w*::)*(\w+)\s*>")
_MAX_EXPANSION = 4
HEADERS = (".h", ".hpp", ".cuh")
SUFFIXES = (*HEADERS, ".cc", ".cpp", ".cu")


@dataclass(frozen=True)
class Registration:
    """One PD_REGISTER_KERNEL; `function` and `dtypes` as they are written."""

    name: str
    backend: str
    layout: str
    function: str
    file: str
    line: int
    dtypes: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


class Sources:
    """The C++ files below some folders, and single files; each is read once, when it is first asked for.

    A file of a folder is printed as `folder/...`, a single file as it is given.
    """

    def __init__(self, places: Iterable[Path]) -> None:
        self._paths: dict[str, Path] = {}
        for place in places:
            if place.is_dir():
                files = (file for file in sorted(place.rglob("*")) if file.suffix in SUFFIXES)
                self._paths |= {file.relative_to(place.parent).as_posix(): file for file in files}
            else:
                self._paths[place.as_posix()] = place

    @cached_property
    def texts(self) -> dict[str, str]:
        """File -> text without comments."""
        read = ((name, path.read_text(encoding="utf-8", errors="replace")) for name, path in self._paths.items())
        return {name: without_comments(text) for name, text in read}

    @cached_property
    def kernels(self) -> dict[str, list[Registration]]:
        """The kernels that the files register, by name."""
        found: dict[str, list[Registration]] = {}
        for file, text in self.texts.items():
            if "PD_REGISTER" in text and not file.endswith(HEADERS):
                for registration in scan_text(text, file):
                    found.setdefault(registration.name, []).append(registration)
        return found

    def functions(self, name: str) -> list[Function]:
        """The declarations and definitions of a function, without regard to namespaces."""
        return [read_function(name, self.texts[file], start, file) for file, start in self._functions.get(name, ())]

    @cached_property
    def infer_metas(self) -> list[str]:
        """The names of all InferMeta functions."""
        return [name for name in self._functions if name.endswith("InferMeta")]

    @cached_property
    def forms(self) -> set[str]:
        """The classes of tensors that a header says how torch holds, without their namespaces."""
        headers = (text for file, text in self.texts.items() if file.endswith(HEADERS))
        return {match[1] for text in headers for match in _FORM.finditer(text)}

    @cached_property
    def _functions(self) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for file, text in self.texts.items():
            for name, start in find_functions(text):
                found.setdefault(name, []).append((file, start))
        return found

    def find(self, path: str) -> str:
        """The file whose path ends in `path`; in a checkout's csrc/ if there is none."""
        return next((name for name in self._paths if f"/{name}".endswith(f"/{path}")), f"csrc/{path}")

    def header_of(self, name: str) -> str | None:
        """The header that defines a struct or a function."""
        return next(iter(self._definitions.get(name, ())), None)

    def defines(self, file: str, name: str) -> bool | None:
        """Whether a header defines the struct or the function `name`; None when there is no such file."""
        return file in self._definitions.get(name, ()) if file in self.texts else None

    def definition(self, name: str, header: str) -> tuple[str, int] | None:
        """The file and the line of a struct or a function: in the header whose path ends in `header`, or else in another."""
        found = self._definitions.get(name, {})
        file = self.find(header) if self.find(header) in found else next(iter(found), None)
        return None if file is None else (file, self.texts[file].count("\n", 0, found[file]) + 1)

    @cached_property
    def _definitions(self) -> dict[str, dict[str, int]]:
        """Name -> header -> where it first defines that struct or function."""
        found: dict[str, dict[str, int]] = {}
        for file, text in self.texts.items():
            for match in _DEFINITION.finditer(text) if file.endswith(HEADERS) else ():
                found.setdefault(match[1], {}).setdefault(file, match.start(1))
        return found

    def structs(self, file: str) -> list[str]:
        """The structs that a header defines, to suggest one."""
        return re.findall(r"\b(?:struct|class)\s+(\w+)", self.texts.get(file, ""))


def scan_text(text: str, file: str) -> Iterator[Registration]:
    """The registrations of one source, also those inside macros that the file itself defines."""
    text = without_comments(text)
    macros = {name: (params, body) for name, params, body in _DEFINE.findall(text)}
    text = _DIRECTIVE.sub(lambda m: "\n" * m[0].count("\n"), text)
    yield from _scan(text, file, None, macros, 0)


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


def _scan(text: str, file: str, line: int | None, macros: dict[str, tuple[str, str]], depth: int) -> Iterator[Registration]:
    for match in _REGISTER.finditer(text):
        args = call_args(text, match.end())
        where = line if line is not None else text.count("\n", 0, match.start()) + 1
        registration = _registration(match[1], args, file, where)
        if registration is not None:
            yield registration
    if depth == _MAX_EXPANSION or not macros:
        return
    for match in re.finditer(rf"\b({'|'.join(map(re.escape, macros))})\s*\(", text):
        params, body = macros[match[1]]
        where = line if line is not None else text.count("\n", 0, match.start()) + 1
        yield from _scan(_expand(params, body, call_args(text, match.end())), file, where, macros, depth + 1)


def _registration(macro: str, args: list[str], file: str, line: int) -> Registration | None:
    if macro.startswith("PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE"):
        args = [*args[:1], "ALL_BACKEND", *args[1:], "ALL_DTYPE"]
    elif macro.startswith("PD_REGISTER_KERNEL_FOR_ALL_DTYPE"):
        args = [*args, "ALL_DTYPE"]
    if len(args) < 4:
        return None
    name, backend, layout, function, *dtypes = args
    return Registration(name, backend, layout, function, file, line, tuple(dtypes))


def _expand(params: str, body: str, args: list[str]) -> str:
    names = [p.strip() for p in params.split(",")]
    values = dict(zip(names, args, strict=False))
    if names[-1] == "...":
        values["__VA_ARGS__"] = ", ".join(args[len(names) - 1 :])
    body = body.replace("\\\n", " ")
    body = re.sub(r"\b\w+\b", lambda m: values.get(m[0], m[0]), body)
    return re.sub(r"\s*##\s*", "", body)
