"""Operators that read and write files of tensors; as in Paddle, their paths begin at the directory that the process runs in."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import Tensor

from ..._paddle.parameters import DTYPE_NUMBERS, Levels, read_combined, read_first, write_tensors
from .._native import DEVICE
from .._operators import Operands, operator
from ..description import LOADS
from ..kernels.table import expect
from ..lod import lod_of, with_lod


def read(op: Operands) -> list[Tensor]:
    """What the file of a `load` or a `load_combine` holds: a tensor for each variable of Out.

    Raises:
        ValueError: there is no such file, or an attribute does not fit it.
        ProgramError: it holds other tensors, or none.
    """
    path, names = Path(op.attr("file_path")), op.op.outputs["Out"]
    expect("attribute model_from_memory", not op.attr("model_from_memory", False), "false: a file is read", True)
    expect("attribute file_path", path.is_file(), f"a file below {Path.cwd()}, or the path of one", f"'{path}'")
    levels: dict[str, Levels] = {}
    if op.op.type == "load":  # of a file that may hold others after it
        tensors = [read_first(path, names[0], levels)]
    else:
        found = read_combined(path, names, levels)
        tensors = [found[name] for name in names]
    if (seek := op.attr("seek", -1)) != -1:
        tensors, levels = [_part(tensors[0], seek, op.attr("shape"))], {}
    device = op.values.get(DEVICE)
    tensors = [one.to(device, torch.float16 if op.attr("load_as_fp16", False) else one.dtype) for one in tensors]
    return [with_lod(one, levels.get(name, [])) for name, one in zip(names, tensors)]


def _part(tensor: Tensor, seek: int, shape: list[int]) -> Tensor:
    """As many elements as the shape has, from one on."""
    last = seek + math.prod(shape)
    fits = seek >= 0 and min(shape, default=0) >= 0 and last <= tensor.numel()
    expect("attribute shape", fits, f"one of at most {tensor.numel()} elements from the one at seek ({seek}) on", shape)
    return tensor.reshape(-1)[seek:last].reshape(shape)


def load(op: Operands) -> None:
    op.set("Out", *read(op))


for _type in LOADS:
    operator(_type)(load)


@operator("save")
@operator("save_combine")
def save(op: Operands) -> None:
    path, tensors = Path(op.attr("file_path")), op.inputs("X")
    expect("attribute save_to_memory", not op.attr("save_to_memory", False), "false: a file is written", True)
    expect("attribute file_path", not path.is_dir(), "the path of a file", f"that of a folder: '{path}'")
    is_free = op.attr("overwrite", True) or not path.exists()
    expect("attribute file_path", is_free, "that of no file, since overwrite is false", f"that of one: '{path}'")
    for name, tensor in zip(op.op.inputs["X"], tensors):
        expect("slot X", tensor is not None, "variables with values", f"'{name}', which has none")
        is_dense = isinstance(tensor, Tensor) and tensor.layout == torch.strided and tensor.dtype in DTYPE_NUMBERS
        expect("slot X", is_dense, "dense tensors", f"'{name}': {getattr(tensor, 'layout', type(tensor).__name__)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    halves = [one.to(torch.float16) if op.attr("save_as_fp16", False) else one for one in tensors]
    write_tensors(path, halves, map(lod_of, tensors))
