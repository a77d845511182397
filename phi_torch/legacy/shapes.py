"""Shapes and dtypes of a program's variables, before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ._native import DEVICE
from ._prepare import Prepared
from ._sizes import SIZES
from ._step import Values
from .description import ProgramDesc, VarDesc

# what an unknown dimension is taken for, in two runs: a dimension that differs between them is unknown as well
GUESSES = (6, 12)


def infer_shapes(program: ProgramDesc, inputs: Mapping[str, Sequence[int]] | None = None) -> dict[str, VarDesc]:
    """The tensors of the first block as InferMeta finds them, -1 for unknown dimensions, from the shapes of the inputs.

    A variable whose operator, or one before it, needs values to know its shape is left out. Control flow is not followed.

    Args:
        program: what to look at; nothing of it is run.
        inputs: shapes of inputs, by name; those that are left out are the program's own.

    Raises:
        ProgramError: operators do not fit their kernels.
    """
    prepared = Prepared(program, "program", _skip)
    first, second = (_run(prepared, inputs or {}, guess) for guess in GUESSES)
    found = {}
    for name, tensor in first.items():
        if name in second and tensor.dim() == second[name].dim():
            dims = tuple(one if one == other else -1 for one, other in zip(tensor.shape, second[name].shape))
            found[name] = VarDesc(name, dtype=tensor.dtype, dims=dims)
    return found


def _run(prepared: Prepared, inputs: Mapping[str, Sequence[int]], guess: int) -> dict[str, Tensor]:
    block = prepared.desc.blocks[0]
    written = {name for op in block.ops if op.type != "feed" for names in op.outputs.values() for name in names}
    values: Values = {DEVICE: torch.device("meta"), SIZES: {}}
    for name, var in block.vars.items():
        given = name in inputs or name not in written or var.is_saved
        if given and var.kind == "dense_tensor" and var.dims is not None:
            shape = [guess if size < 0 else size for size in inputs.get(name, var.dims)]
            values[name] = torch.empty(shape, dtype=var.dtype, device="meta")
    for step in prepared.blocks[0]:
        if step.signature is None or step.is_missing:
            _forget(step.op.outputs, values, step.op.type == "feed")
            continue
        try:
            step.traced(values)
        except (RuntimeError, KeyError, NotImplementedError, ValueError, TypeError, IndexError):
            _forget(step.op.outputs, values, False)  # it needs values; a fault of the program shows when it runs
    return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def _forget(outputs: Mapping[str, list[str]], values: Values, keep: bool) -> None:
    for name in (name for names in outputs.values() for name in names if not keep):
        values.pop(name, None)


def _skip(block: int, values: Values) -> None:
    pass
