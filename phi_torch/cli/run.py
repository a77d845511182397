"""`run`: a Paddle model on inputs from a file."""

from __future__ import annotations

import argparse
from typing import Any

import torch

from .. import legacy
from . import _table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="DIR", help="the folder of a model, or its program")
    parser.add_argument("--input", required=True, metavar="FILE.npz", help="an array for each input, by its name")
    parser.add_argument("--output", metavar="FILE.npz", help="where the outputs go, by their names")
    parser.add_argument("--check-nan-inf", action="store_true", help="stop at the operator that gives a NaN or an infinity")
    parser.add_argument("--trace", action="store_true", help="print the kernel and the time of each operator")


def run(options: argparse.Namespace) -> int:
    import numpy

    program, parameters = legacy.read_model(options.model)
    executor = legacy.Executor(program, parameters, check_nan_inf=options.check_nan_inf, source=options.model)
    with numpy.load(options.input) as arrays:
        feed = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    executor.trace = [] if options.trace else None
    with torch.no_grad():
        found = dict(zip(executor.fetches, executor.run(feed)))
    for row in _table.lines(("operator", "kernel", "ms"), _traced(executor)) if options.trace else ():
        print(row)
    for name, value in found.items():
        print(f"{name} {str(value.dtype).removeprefix('torch.')} {list(value.shape)}\n{value}")
    if options.output:
        numpy.savez(options.output, **{name: _array(value) for name, value in found.items()})
    return 0


def _array(value: torch.Tensor) -> Any:
    """NumPy has no bfloat16: float32 holds its values."""
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def _traced(executor: legacy.Executor) -> list[tuple[str, ...]]:
    ran: list[Any] = executor.trace or []
    return [(one.place, one.signature.kernel if one.signature else "-", f"{one.seconds * 1e3:.3f}") for one in ran]
