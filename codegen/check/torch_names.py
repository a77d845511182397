"""The names that torch has, read from the files of its package: importing it takes longer than all checks together."""

from __future__ import annotations

import importlib.util
import math
import re
from functools import cache
from pathlib import Path

from .composite_types import Parameter

_EXPORTED = re.compile(r'^\s+"(\w+)",|\b(\w+) as \2\b|^(?:def|class) (\w+)', re.MULTILINE)


@cache
def names_of(module: str) -> frozenset[str] | None:
    """What a composite may take from `torch`, `aten`, `prims` or `math`; None where that cannot be told."""
    if module == "math":
        return frozenset(dir(math))
    torch = _package("torch")
    if torch is None:
        return None
    if module == "torch":
        return _torch_names(torch)
    if module == "aten":
        return _found(_native(torch), r"^(?:- func:|  autogen:) (\w+)")
    if module == "prims":
        return _found(torch / "_prims" / "__init__.py", r'^\s+"(\w+)",')
    return None


@cache
def overloads_of(module: str, name: str) -> tuple[tuple[Parameter, ...], ...] | None:
    """What the overloads of a function of `torch` or `aten` take; None where that cannot be told."""
    torch = _package("torch")
    if module not in ("torch", "aten") or torch is None:
        return None
    found = _found(_native(torch), rf"^- func: {name}(?:\.\w+)?\((.*)\) ->")
    if found is None:
        return None
    return tuple(tuple(_parameter(text) for text in args.split(", ") if text not in ("", "*")) for args in sorted(found))


def _parameter(text: str) -> Parameter:
    """Of `Tensor(a!) self` or `int[1]? dim=None`."""
    type, _, name = re.sub(r"\(\w+!?( -> \*)?\)", "", text).partition("=")[0].rpartition(" ")
    return Parameter(name, type)


def _native(torch: Path) -> Path:
    return (_package("torchgen") or torch) / "packaged" / "ATen" / "native" / "native_functions.yaml"


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _torch_names(torch: Path) -> frozenset[str] | None:
    functions = _found(torch / "_C" / "_VariableFunctions.pyi", r"^def (\w+)\(")
    classes = _found(torch / "_C" / "__init__.pyi", r"^(?:(?:class|def) )?(\w+)\b(?=[:(])")
    if functions is None or classes is None:
        return None
    files = (torch / "__init__.py", torch / "functional.py")
    exported = {name for file in files for groups in _EXPORTED.findall(file.read_text(encoding="utf-8")) for name in groups}
    modules = {path.stem for path in torch.iterdir() if path.suffix == ".py" or path.is_dir()}
    return functions | classes | exported | modules - {""}


def _found(file: Path, pattern: str) -> frozenset[str] | None:
    try:
        return frozenset(re.findall(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)) or None
    except OSError:
        return None
