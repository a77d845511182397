"""Our side and ATen's: inputs as torch tensors, expressions as timed loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import torch

import phi_torch

from . import side
from .shapes import Case, Shapes

TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 5e-2}


def tensors(shapes: Shapes, case: Case) -> dict[str, Any]:
    """Fresh inputs of a row."""
    inputs = shapes.inputs(case)
    dtype = getattr(torch, case.dtype)

    def tensor(array: Any) -> torch.Tensor:
        found = torch.from_numpy(array).clone()  # numpy aligns to 16 bytes, torch to 64, as the tensors of a model are
        return found.to(dtype) if found.is_floating_point() else found

    found: dict[str, Any] = {}
    for spec, value in zip(inputs, side.arrays(inputs).values()):
        if spec["kind"] in side.LISTS:
            found[spec["name"]] = [tensor(array) for array in value]
        else:
            found[spec["name"]] = tensor(value) if isinstance(value, np.ndarray) else value
        if spec["kind"] == side.WITH_GRADIENT and case.direction != "forward":
            found[spec["name"]].requires_grad_()
    return found


def optim(kind: Any, parameters: list[torch.Tensor], gradients: list[torch.Tensor], **options: Any) -> Any:
    """A foreach optimizer whose parameters have these gradients."""
    for parameter, gradient in zip(parameters, gradients):
        parameter.requires_grad_().grad = gradient
    return kind(parameters, foreach=True, **options)


def _once(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What `make` makes of the first that it gets."""
    made: list[Any] = []

    def first(value: Any) -> Any:
        if not made:
            made.append(make(value))
        return made[0]

    return first


class Side:
    """One side of a row: `run` is its timed loop, `output` a value of the call, `moved` the bytes that the call must move."""

    def __init__(self, shapes: Shapes, case: Case, who: str, compiled: bool = False) -> None:
        entry, call, values = shapes.ops[case.op], shapes.call(case, who), tensors(shapes, case)
        dtype = getattr(torch, case.dtype)
        clock = side.clock(case.threads)
        names: dict[str, Any] = {
            "torch": torch,
            "phi": torch.ops.phi if case.entry == "op" else phi_torch,
            "aten": torch.ops.aten,
            "optim": optim,
            "dtype": dtype,
            "other": torch.float32 if dtype == torch.bfloat16 else torch.bfloat16,
            "backward": torch.autograd.backward,
            "seed": None,
        }
        setup, result = entry.get("setup", {}).get(who, ""), str(entry.get("result", "out"))
        if compiled:
            arguments = ", ".join(values)
            names["compile_once"] = _once(partial(torch.compile, dynamic=False))  # the setup, of which it uses names, runs twice
            setup, call = f"{setup or 'pass'}; compiled = compile_once(lambda {arguments}: {call})", f"compiled({arguments})"
        _, value = side.loop("pass", setup, names | values, clock, f"({call}, {result if result not in ('out', 'none') else None})")
        self.output, changed = value()
        self.result = changed if changed is not None else self.output if result == "out" else None
        several = isinstance(self.output, (list, tuple))
        if case.direction == "forward+backward":
            names["seed"] = [torch.ones_like(out) for out in self.output] if several else torch.ones_like(self.output)
        leaves = [name for name, v in values.items() if isinstance(v, torch.Tensor) and v.requires_grad]
        statements = side.body(str(call), case.direction, leaves, case.size == "tiny", several)
        self.run, _ = side.loop(statements, setup, names | values, clock)
        self.moved = _moved(entry.get("bytes"), case, values | {"out": self.output})


def _moved(declared: Mapping[str, str] | None, case: Case, values: Mapping[str, Any]) -> int | None:
    parts = ("forward", "backward") if case.direction == "forward+backward" else ("forward",)
    if declared is None or not set(parts) <= set(declared):
        return None
    return sum(_nbytes(values[name]) for part in parts for name in declared[part].split())


def _nbytes(value: Any) -> int:
    return int(value.nbytes) if isinstance(value, torch.Tensor) else sum(map(_nbytes, value))


def difference(ours: Any, other: Any, dtype: torch.dtype) -> str:
    """Where two results differ by more than rounding; "" if they do not."""
    if isinstance(ours, (list, tuple)):
        if len(ours) != len(other):
            return f"{len(ours)} outputs against {len(other)}"
        return next((d for d in map(difference, ours, other, [dtype] * len(ours)) if d), "")
    if list(ours.shape) != list(other.shape):
        return f"shape {list(ours.shape)} against {list(other.shape)}"
    tolerance = TOLERANCE[dtype]
    close = torch.isclose(ours.detach().double(), other.detach().double(), rtol=tolerance, atol=tolerance)
    return "" if close.all() else f"{int((~close).sum())} of {close.numel()} values differ"


@cache
def _copied() -> dict[str, torch.Tensor]:
    """What a copy reads and writes: more than caches hold."""
    source = torch.ones(100_000_000, dtype=torch.uint8)
    return {"source": source, "target": source.clone()}


def copy(nbytes: int, threads: int) -> side.Run:
    """The time that `nbytes` take at the bandwidth of a copy in memory, where each byte read or written counts."""
    tensors = _copied()
    run, _ = side.loop("target.copy_(source)", "", tensors, side.clock(threads))
    share = nbytes / sum(tensor.nbytes for tensor in tensors.values())
    return lambda calls: run(calls) * share
