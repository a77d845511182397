"""A new operator: its entry, its kernel and its test, to be filled in.

What is left to do does not compile (`#error`) or fails its test (NotImplementedError), and says what to do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .check import check
from .diagnose import Diagnostics
from .model import OpSet
from .new_code import kernel_files, library_source, readme, samples, test_module
from .new_entry import Request, backward_entry, forward_entry
from .parse import parse_text, resolve


class NewError(ValueError):
    """The operator cannot be made; the message says why."""


@dataclass(frozen=True)
class File:
    """A file to be written, or a text to be appended to one."""

    path: Path
    text: str
    append: bool = False


def read(request: Request, known: OpSet, in_tree: bool) -> tuple[OpSet, Diagnostics]:
    """The entries of the request as ops, and what is wrong with them."""
    for name in (request.name, *([request.grad] if request.backward else [])) if in_tree else ():
        if name in known:
            raise NewError(f"there is an operator '{name}' already, at {known[name].loc}")
    diag = Diagnostics()
    opset = resolve(parse_text(_entries(request), "the new entry", diag))
    check(opset, diag, base=known)
    return opset, diag


def _entries(request: Request) -> str:
    return forward_entry(request) + ("\n" + backward_entry(request) if request.backward else "")


def in_tree(request: Request, opset: OpSet, root: Path) -> list[File]:
    """The files of an operator of this checkout."""
    files = [File(root / "yaml" / "ops.yaml", "\n" + forward_entry(request), append=True)]
    if request.backward:
        files.append(File(root / "yaml" / "backward.yaml", "\n" + backward_entry(request), append=True))
    if request.kernel:
        files += [File(root / "csrc" / "kernels" / path, text) for path, text in kernel_files(request, opset).items()]
    path = f"tests/ops/samples/{request.name}.py"
    return [*files, File(root / path, samples(opset[request.name], path))]


def out_of_tree(request: Request, opset: OpSet, folder: Path) -> list[File]:
    """The files of an operator in a folder of its own; a README that is there stays as it is."""
    name, op = request.name, opset[request.name]
    source, text = library_source(request, opset) if request.kernel else (None, "")
    files = {f"{name}.yaml": _entries(request), f"test_{name}.py": test_module(op, source, f"test_{name}.py")}
    if source is not None:
        files[source] = text
    if not (folder / "README.md").exists():
        files["README.md"] = readme(op, source)
    return [File(folder / path, text) for path, text in files.items()]


def write(files: list[File]) -> None:
    """Writes all of them.

    Raises:
        NewError: a file is there already, or one to be appended to is not; nothing is written then.
    """
    for file in files:
        if file.append != file.path.exists():
            raise NewError(f"{file.path} {'does not exist' if file.append else 'exists already'}; nothing was written")
    for file in files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        with file.path.open("a" if file.append else "x", encoding="utf-8") as out:
            out.write(file.text)


def attribute(text: str) -> str:
    """`beta:float=1.0` as the YAML writes it: `float beta = 1.0`.

    Raises:
        NewError: it is not of this form.
    """
    match = re.fullmatch(r"\s*(\w+)\s*:\s*([^=]+?)\s*(?:=\s*(.*))?", text, re.DOTALL)
    if match is None:
        raise NewError(f"attribute '{text}': expected name:type or name:type=default, such as beta:float=1.0")
    name, type, default = match.groups()
    return f"{type} {name}" + (f" = {default}" if default is not None else "")
