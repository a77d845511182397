"""Composites of the ops that copy parts of tensors to other places, and of the gradients of views."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

__all__ = [
    "gather",
    "gather_grad",
    "index_select",
    "index_select_grad",
    "one_hot",
    "slice_grad",
    "tile_grad",
]


def tile_grad(x: Tensor, out_grad: Tensor, repeat_times: Sequence[int]) -> Tensor:
    rank = max(x.dim(), len(repeat_times))
    sizes = [1] * (rank - x.dim()) + list(x.shape)
    repeats = [1] * (rank - len(repeat_times)) + list(repeat_times)
    if rank == 0:
        return out_grad.clone()
    pairs = [size for pair in zip(repeats, sizes) for size in pair]
    return out_grad.reshape(pairs).sum(list(range(0, 2 * rank, 2))).reshape(x.shape)


def slice_grad(
    input: Tensor,
    out_grad: Tensor,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    infer_flags: Sequence[int] = (),
    decrease_axis: Sequence[int] = (),
) -> Tensor:
    """One axis after the other becomes whole again."""
    grad = out_grad
    for axis in sorted(axis % input.dim() for axis in decrease_axis):
        grad = grad.unsqueeze(axis)
    for axis, start, end in zip(axes, starts, ends):
        shape = list(grad.shape)
        shape[axis] = input.shape[axis]
        grad = torch.ops.aten.slice_backward(grad, shape, axis, start, end, 1)
    return grad if len(axes) else grad.clone()


def _rows(x: Tensor, index: Tensor, axis: int) -> Tensor:
    """The index as a vector of numbers that do not count from the end."""
    flat = index.reshape(-1)
    return torch.where(flat < 0, flat + x.shape[axis], flat)


def gather(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    axis = int(axis)
    out = x.index_select(axis, _rows(x, index, axis))
    return out.squeeze(axis) if index.dim() == 0 else out


def gather_grad(x: Tensor, index: Tensor, out_grad: Tensor, axis: int = 0) -> Tensor:
    axis = int(axis) % x.dim()
    grad = out_grad.unsqueeze(axis) if index.dim() == 0 else out_grad
    return out_grad.new_zeros(x.shape).index_add(axis, _rows(x, index, axis), grad)


def index_select(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    return gather(x, index, axis)


def index_select_grad(x: Tensor, index: Tensor, out_grad: Tensor, axis: int) -> Tensor:
    return gather_grad(x, index, out_grad, axis)


def one_hot(x: Tensor, num_classes: int) -> Tensor:
    return (x.unsqueeze(-1) == torch.arange(int(num_classes), device=x.device)).to(torch.float32)
