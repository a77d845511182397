"""What programs do with arrays of tensors beside writing and reading one: parts of them, and the gradients."""

from __future__ import annotations

import torch
from torch import Tensor

from .. import ops as phi
from ._operators import Operands, OperatorFunction, operator

# kernels that an operator is mapped to where its variable is an array
OF_ARRAYS: dict[str, OperatorFunction] = {}


def _number(op: Operands, name: str) -> int:
    """The only one of `starts` or `ends`, as an attribute or in a tensor."""
    slots = (f"{name.capitalize()}Tensor", f"{name.capitalize()}TensorList")
    given = [int(one) for slot in slots for one in op.inputs(slot)] or op.attr(name, [])
    if len(given) != 1:
        raise ValueError(f"attribute {name}: expected one number for an array of tensors, got {given}")
    return given[0]


def _places(op: Operands, array: list[Tensor]) -> range:
    """Those of a part: of one element where an axis is dropped."""
    start = _number(op, "starts")
    if op.attr("decrease_axis", []):
        at = start + len(array) if start < 0 else start
        if not 0 <= at < len(array):
            raise ValueError(f"attribute starts: expected the index of a tensor in an array of {len(array)}, got {start}")
        return range(at, at + 1)
    return range(*slice(start, _number(op, "ends")).indices(len(array)))


def _slice_array(op: Operands) -> None:
    array = op.array("Input")
    found = [array[at] for at in _places(op, array)]
    op.set("Out", found[0] if op.attr("decrease_axis", []) else found)


def _slice_array_grad(op: Operands) -> None:
    array, grad = op.array("Input"), op.input("Out@GRAD")
    found = [torch.zeros_like(one) for one in array]
    for at, one in zip(_places(op, array), [grad] if isinstance(grad, Tensor) else grad):
        found[at] = one
    op.set("Input@GRAD", found)


OF_ARRAYS.update(slice_array=_slice_array, slice_array_dense=_slice_array)
OF_ARRAYS.update(slice_array_grad=_slice_array_grad, slice_array_dense_grad=_slice_array_grad)


@operator("tensor_array_to_tensor_grad")
def tensor_array_to_tensor_grad(op: Operands) -> None:
    array, grad, axis = op.array("X"), op.input("Out@GRAD"), op.attr("axis", 0)
    if op.attr("use_stack", False):
        op.set("X@GRAD", list(phi.unbind(grad, axis)))
    else:
        op.set("X@GRAD", list(phi.split(grad, [one.shape[axis] for one in array], axis)))
