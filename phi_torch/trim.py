"""`trim`: the selection file of a trimmed build, from exported programs or from a list of operators.

`PHI_OPS=selection.yaml make build` then builds these operators, and what they need, alone.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _namespaces

if TYPE_CHECKING:
    import torch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, action="append", default=[], help="a program of torch.export.save; several times")
    parser.add_argument("--ops", action="append", default=[], help="operators, as add,relu; several times")
    parser.add_argument("--dtypes", action="store_true", help="only the data types that the programs use")
    parser.add_argument("--inference", action="store_true", help="without the operators that compute gradients")
    parser.add_argument(
        "--extension",
        action="append",
        default=[],
        help="a package with operators of its own, which the build is to load; several times",
    )
    parser.add_argument("--programs", action="store_true", help="with what loads and runs programs of PaddlePaddle and of the IR")
    parser.add_argument("-o", "--output", type=Path, help="the file to write; standard output if left out")


def run(options: argparse.Namespace) -> int:
    """The exit status: 2 for a name that is no operator and a file that is no program."""
    try:
        if options.dtypes and not options.model:
            raise ValueError("--dtypes takes the data types from a --model")
        for package in options.extension:
            importlib.import_module(package)
        ops, dtypes = collect(options.model, options.ops)
    except (KeyError, ValueError, ImportError) as error:
        print(f"error: {error.args[0]}", file=sys.stderr)
        return 2
    switches = {"backward": not options.inference, "extensions": bool(options.extension), "programs": options.programs}
    text = selection(ops, dtypes if options.dtypes else [], **switches)
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text)
        print(f"{options.output}: {len(ops)} operators; build them with PHI_OPS={options.output} make build")
    return 0


def collect(models: Iterable[Path], names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The operators that are listed or called by exported programs, and the data types of the programs' tensors.

    Args:
        models: files that torch.export.save wrote.
        names: operators; each may be several with commas between.

    Raises:
        KeyError: a name is no operator.
        ValueError: a file holds no exported program, or one that calls no operator of phi_torch, or there is no operator.
    """
    ops = {_namespaces.find(name.strip()).name for entry in names for name in entry.split(",") if name.strip()}
    dtypes: set[str] = set()
    for model in models:
        program = _load(model)
        found = {_namespaces.find(name).name for name in operators(program)}
        if not found:
            raise ValueError(f"{model} calls no operator of phi_torch")
        ops |= found
        dtypes.update(_dtypes(program))
    if not ops:
        raise ValueError("nothing to trim to: give --model or --ops")
    return sorted(ops), sorted(dtypes)


def selection(
    ops: Iterable[str], dtypes: Iterable[str] = (), *, backward: bool = True, extensions: bool = False, programs: bool = False
) -> str:
    """The text of a selection file; no data types stand for all."""
    lines = ["# what PHI_OPS=<this file> make build keeps, with what it needs; see docs/trim.md"]
    lines += ["ops :", *(f"  - {name}" for name in ops)]
    if types := list(dtypes):
        lines += ["dtypes :", *(f"  - {name}" for name in types)]
    if not backward:
        lines.append("backward : false")
    if extensions:
        lines.append("extensions : true")
    if programs:
        lines.append("programs : true")
    return "\n".join(lines) + "\n"


def operators(program: torch.export.ExportedProgram) -> Iterator[str]:
    """The operators of phi that a program calls, also in its subgraphs and as arguments of higher-order operators."""
    import torch

    for node in _nodes(program):
        for value in _flat((node.target, node.args, node.kwargs)):
            if isinstance(value, torch._ops.OpOverload) and value.namespace == "phi":
                yield value._schema.name.removeprefix("phi::")


def _nodes(program: torch.export.ExportedProgram) -> Iterator[torch.fx.Node]:
    """Those of a program and of its subgraphs."""
    for module in program.graph_module.modules():
        yield from getattr(getattr(module, "graph", None), "nodes", ())


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for element in value:
            yield from _flat(element)
    else:
        yield value


def _dtypes(program: torch.export.ExportedProgram) -> Iterator[str]:
    """The data types of a program's tensors."""
    import torch

    for node in _nodes(program):
        for value in _flat(node.meta.get("val")):
            if isinstance(value, torch.Tensor):
                yield str(value.dtype).removeprefix("torch.")


def _load(model: Path) -> torch.export.ExportedProgram:
    import torch

    if not model.is_file():
        raise ValueError(f"{model}: no such file")
    if not zipfile.is_zipfile(model):  # of which torch would say more than its error
        raise ValueError(f"{model}: no program that torch.export.save wrote, which is an archive (zip)")
    try:
        return torch.export.load(model)
    except Exception as error:
        raise ValueError(f"{model}: no program that torch.export.save wrote: {error}") from None
