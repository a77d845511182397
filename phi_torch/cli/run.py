"""`run`: a program on inputs from a file."""

from __future__ import annotations

import argparse
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from .. import legacy
from ..ir.files import is_program
from . import _extensions, _program_argument, _table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _program_argument.add_argument(parser)
    parser.add_argument(
        "--input", required=True, metavar="FILE.npz", help="required: arrays by the names of inputs; levels in NAME.lod0"
    )
    parser.add_argument("--output", metavar="FILE.npz", help="where the outputs go, by their names")
    parser.add_argument("--check-nan-inf", action="store_true", help="stop at the operator that gives a NaN or an infinity")
    parser.add_argument("--trace", action="store_true", help="print the kernel and the time of each operator")
    _extensions.add_argument(parser)
    parser.add_argument(
        "--profile", action="store_true", help="of a Paddle 3 program, a .phi or a .pt2 file: the time of each kernel"
    )


def run(options: argparse.Namespace) -> int:
    _extensions.load(options)
    if is_program(Path(options.model)):
        _show(_run_program(options, _read(options.input)), options.output)
        return 0
    if options.profile:
        raise ValueError("--profile is for programs of Paddle 3, .phi and .pt2 files; --trace is for those of Paddle 2")
    program, parameters = legacy.read_model(options.model)
    executor = legacy.Executor(program, parameters, check_nan_inf=options.check_nan_inf, source=options.model)
    feed = _feed(_read(options.input), executor.feeds)
    executor.trace = [] if options.trace else None
    with torch.no_grad():
        found = dict(zip(executor.fetches, executor.run(feed)))
    for row in _table.lines(("operator", "kernel", "ms"), _traced(executor)) if options.trace else ():
        print(row)
    _show(found, options.output)
    return 0


def _read(path: str) -> dict[str, torch.Tensor]:
    import numpy

    if Path(path).is_file() and not zipfile.is_zipfile(path):
        raise ValueError(f"{path}: expected arrays by the names of inputs, as numpy.savez writes them")
    with numpy.load(path) as arrays:
        return {name: _tensor(arrays, name, path) for name in arrays.files}


def _tensor(arrays: Any, name: str, path: str) -> torch.Tensor:
    try:
        return torch.from_numpy(arrays[name])
    except (TypeError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: array '{name}': expected numbers or booleans of a dtype that torch has: {error}") from None


def _feed(arrays: dict[str, torch.Tensor], inputs: list[str]) -> dict[str, torch.Tensor]:
    """The arrays of a file as inputs: `NAME.lod0`, `NAME.lod1` hold the offsets of the levels of detail of `NAME`."""
    feed, lods = dict(arrays), dict[str, list[list[int]]]()
    for name in arrays:
        while (level := f"{name}.lod{len(lods.get(name, []))}") in feed and level not in inputs:
            lods.setdefault(name, []).append(feed.pop(level).tolist())
    return {name: legacy.LoDTensor(value, lods[name]) if name in lods else value for name, value in feed.items()}


def _run_program(options: argparse.Namespace, feed: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    from .. import ir

    if options.trace or options.check_nan_inf:
        raise ValueError("--trace and --check-nan-inf are for programs of Paddle 2; --profile is for this one")
    run = ir.compile(ir.load(options.model))
    found = run.named(**feed)
    if options.profile:
        print(run.profile(*(feed[name] for name, _ in run.inputs)))
    return found


def _show(found: dict[str, torch.Tensor], output: str | None) -> None:
    import numpy

    found = dict(_tensors(found))
    for name, value in found.items():
        print(f"{name} {str(value.dtype).removeprefix('torch.')} {list(value.shape)}\n{value}")
    if output:
        lods = {name: value.lod for name, value in found.items() if isinstance(value, legacy.LoDTensor)}
        levels = {f"{name}.lod{number}": numpy.array(level) for name, lod in lods.items() for number, level in enumerate(lod)}
        numpy.savez(output, **{name: _array(value) for name, value in found.items()}, **levels)  # type: ignore[arg-type]


def _tensors(found: Mapping[str, Any]) -> Iterator[tuple[str, torch.Tensor]]:
    """Outputs by name; the tensors of an array are `NAME.0`, `NAME.1`."""
    for name, value in found.items():
        yield from ((f"{name}.{index}", one) for index, one in enumerate(value)) if isinstance(value, list) else [(name, value)]


def _array(value: torch.Tensor) -> Any:
    """NumPy has no bfloat16: float32 holds its values."""
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def _traced(executor: legacy.Executor) -> list[tuple[str, ...]]:
    ran: list[Any] = executor.trace or []
    return [(one.place, one.signature.kernel if one.signature else "-", f"{one.seconds * 1e3:.3f}") for one in ran]
