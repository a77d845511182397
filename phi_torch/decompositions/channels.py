"""Composites that take the largest of several channels, and sums as another tensor has its shape."""

from __future__ import annotations

import torch
from torch import Tensor


def _grouped(x: Tensor, groups: int, axis: int) -> Tensor:
    """The channels of a group in a dimension behind `axis`."""
    return x.reshape(*x.shape[:axis], x.shape[axis] // groups, groups, *x.shape[axis + 1 :])


def maxout(x: Tensor, groups: int, axis: int = 1) -> Tensor:
    axis = axis % x.dim()
    grouped = _grouped(x, groups, axis)
    return grouped.gather(axis + 1, _first_of_largest(grouped, axis + 1)).squeeze(axis + 1)


def maxout_grad(x: Tensor, out: Tensor, out_grad: Tensor, groups: int, axis: int) -> Tensor:
    axis = axis % x.dim()
    grouped = _grouped(x, groups, axis)
    place = _first_of_largest(grouped, axis + 1)
    gradient = torch.zeros_like(grouped, memory_format=torch.contiguous_format).to(out_grad.dtype)
    return gradient.scatter(axis + 1, place, out_grad.unsqueeze(axis + 1)).reshape(x.shape)


def _first_of_largest(x: Tensor, axis: int) -> Tensor:
    return x.detach().argmax(axis, keepdim=True)


def reduce_as(x: Tensor, target: Tensor) -> Tensor:
    dtype = torch.int64 if x.dtype in (torch.bool, torch.int32) else x.dtype
    ahead = x.dim() - target.dim()
    dims = [i for i in range(x.dim()) if i < ahead or (target.shape[i - ahead] == 1 and x.shape[i] != 1)]
    summed = x.sum(dims, dtype=dtype) if dims else x.to(dtype, copy=True)
    return summed.reshape(target.shape)
