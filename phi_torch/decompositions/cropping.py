"""Composites of crop: a part of a tensor that begins somewhere inside of it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def crop(x: Tensor, shape: Sequence[int] = (), offsets: Sequence[int] = ()) -> Tensor:
    for axis, size in enumerate(shape):
        begin = offsets[axis] if offsets else 0
        x = x.narrow(axis, begin, x.shape[axis] - begin if size == -1 else size)
    return x.clone(memory_format=torch.contiguous_format)


def crop_grad(x: Tensor, out_grad: Tensor, offsets: Sequence[int]) -> Tensor:
    sides: list[int] = []
    for axis in reversed(range(x.dim())):
        begin = offsets[axis] if offsets else 0
        sides += [begin, x.shape[axis] - begin - out_grad.shape[axis]]
    return torch.constant_pad_nd(out_grad, sides) if sides else out_grad.clone()


def index_select_strided_grad(x: Tensor, out_grad: Tensor, index: int, axis: int) -> Tensor:
    offsets = [0] * x.dim()
    offsets[axis] = index % x.shape[axis]
    return crop_grad(x, out_grad.unsqueeze(axis), offsets)
