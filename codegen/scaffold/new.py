"""A new operator: its entry, its kernel and its test, to be filled in.

What is left to do fails the test, and says what to do: a functor does not compile (`#error`), the kernel function of a
general operator and the test's reference raise NotImplementedError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..check.entries import check
from ..model.diagnose import Diagnostics, did_you_mean
from ..model.dtypes import CPP
from ..model.op import OpSet
from ..read.parse import parse_text, resolve
from ..types.table import TYPES
from .code import library_source, readme, samples, sources, test_module
from .entry import Request, Tensor, backward_entry, forward_entry


class NewError(ValueError):
    """The operator cannot be made; the message says why."""


@dataclass(frozen=True)
class File:
    """A file to be written; `exists`: one that is there, and gets another text."""

    path: Path
    text: str
    exists: bool = False


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
    file = f"{request.family}.yaml"
    files = [_appended(root / "yaml" / "ops" / file, forward_entry(request))]
    if request.backward:
        files.append(_appended(root / "yaml" / "backward" / file, backward_entry(request)))
    if request.kernel:
        files += [File(root / "csrc" / path, text) for path, text in sources(request, opset).items()]
    path = f"tests/ops/samples/{request.name}.py"
    return [*files, File(root / path, samples(request, opset[request.name], path))]


def _appended(path: Path, text: str) -> File:
    if not path.exists():  # the family has had no gradients so far
        return File(path, text)
    return File(path, f"{path.read_text(encoding='utf-8')}\n{text}", exists=True)


def out_of_tree(request: Request, opset: OpSet, folder: Path) -> list[File]:
    """The files of an operator in a folder of its own; a README that is there stays as it is."""
    name, op = request.name, opset[request.name]
    written = {f"{name}.h": library_source(request, opset)} if request.kernel else {}
    test = test_module(request, op, list(written), f"test_{name}.py")
    files = {f"{name}.yaml": _entries(request), **written, f"test_{name}.py": test}
    if not (folder / "README.md").exists():
        files["README.md"] = readme(op, list(written))
    return [File(folder / path, text) for path, text in files.items()]


def write(files: list[File]) -> None:
    """Writes all of them.

    Raises:
        NewError: a new file is there already; nothing is written then.
    """
    for file in files:
        if not file.exists and file.path.exists():
            raise NewError(f"{file.path} exists already; nothing was written")
    for file in files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(file.text, encoding="utf-8")


def attribute(text: str) -> str:
    """`beta:float=1.0` as the YAML writes it: `float beta = 1.0`.

    Raises:
        NewError: it is not of this form.
    """
    match = re.fullmatch(r"\s*(\w+)\s*:\s*([^=]+?)\s*(?:=\s*(.*))?", text, re.DOTALL)
    if match is None:
        raise NewError(f"attribute '{text}': expected name:type or name:type=default, such as beta:float=1.0")
    name, type, default = match.groups()
    if type not in TYPES:
        help = did_you_mean(type, TYPES) or "expected a type of the YAML, such as float, int64_t, bool or Scalar"
        raise NewError(f"attribute '{text}': unknown type '{type}'; {help}")
    return f"{type} {name}" + (f" = {default}" if default is not None else "")


def tensor(text: str) -> Tensor:
    """`x`, `xs:Tensor[]`, `bias:Tensor?`, `ids:int64`, and of other dtypes lists and optional ones as well.

    Raises:
        NewError: it is not of this form.
    """
    match = re.fullmatch(r"\s*(\w+)\s*(?::\s*(\w+)\s*(\[\]|\?)?\s*)?", text)
    if match is None:
        raise NewError(f"tensor '{text}': expected a name, or name:type such as ids:int64, xs:Tensor[] or bias:Tensor?")
    name, type, suffix = match.groups()
    if type not in (None, "Tensor", *CPP):
        raise NewError(f"tensor '{text}': unknown type '{type}'; " + (did_you_mean(type, CPP) or f"Tensor, {', '.join(CPP)}"))
    dtype = None if type == "Tensor" else type
    return Tensor(name, "Tensor[]" if suffix == "[]" else "Tensor", dtype, optional=suffix == "?")
