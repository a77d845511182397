"""Composites of the reductions, of creation ops and of dropout's gradient, in functions of torch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

Number = bool | int | float | complex
Device = torch.device | None


def sum(x: Tensor, axis: Sequence[int] = (), dtype: torch.dtype | None = None, keepdim: bool = False) -> Tensor:
    """Sums over `axis` (empty: all); integers and bool as int64 unless `dtype` is given."""
    if dtype is not None and x.is_complex() and not dtype.is_complex and dtype != torch.bool:
        x = torch.real(x)
    if dtype == torch.bool:
        return torch.sum(x != 0, list(axis), keepdim) != 0
    return torch.sum(x if dtype is None else x.to(dtype), list(axis), keepdim, dtype=dtype)


def mean(x: Tensor, axis: Sequence[int] = (), keepdim: bool = False) -> Tensor:
    """Means over `axis` (empty: all); those of integers are truncated, that of bool is whether any element is true."""
    if x.is_floating_point() or x.is_complex():
        return torch.mean(x, list(axis), keepdim)
    total = torch.sum(x, list(axis), keepdim)
    if x.dtype == torch.bool:
        return total != 0
    count = _count(x, axis)
    if isinstance(count, int) and count == 0:
        return torch.full_like(total, torch.iinfo(x.dtype).min).to(x.dtype)
    return torch.div(total, count, rounding_mode="trunc").to(x.dtype)


def sum_grad(x: Tensor, out_grad: Tensor, axis: Sequence[int] = (), keepdim: bool = False, reduce_all: bool = False) -> Tensor:
    """`out_grad` in the dtype of `x`, spread over the elements of each sum; of `x` only shape and dtype count."""
    spread = _spread(x, out_grad, axis, keepdim, reduce_all)
    return spread.clone(memory_format=torch.contiguous_format)


def mean_grad(x: Tensor, out_grad: Tensor, axis: Sequence[int] = (), keepdim: bool = False, reduce_all: bool = False) -> Tensor:
    """`out_grad` divided by the number of elements of each mean, spread over them."""
    spread = _spread(x, out_grad, axis, keepdim, reduce_all)
    return (spread / _count(x, () if reduce_all else axis)).contiguous()


def max_grad(
    x: Tensor, out: Tensor, out_grad: Tensor, axis: Sequence[int] = (), keepdim: bool = False, reduce_all: bool = False
) -> Tensor:
    """`out_grad`, divided equally among the elements of `x` that are `out`; all elements if that is NaN, which they get."""
    extreme = _spread(x, out, axis, keepdim, reduce_all)
    is_nan = torch.isnan(extreme)
    chosen = (x == extreme) | is_nan
    everything = reduce_all or len(axis) == 0
    dims = list(range(x.dim()) if everything else axis)
    wide = x.double() if x.dtype == torch.float64 else x.float()
    count = chosen.to(wide.dtype).sum(dims, keepdim=True)
    share = _spread(x, out_grad, axis, keepdim, reduce_all) / count
    return torch.where(chosen, torch.where(is_nan, extreme, share), 0).to(x.dtype)


def argmax(x: Tensor, axis: int, keepdims: bool = False, flatten: bool = False, dtype: torch.dtype | None = None) -> Tensor:
    index = torch.argmax(x).reshape([1] * x.dim() if keepdims else []) if flatten else torch.argmax(x, int(axis), keepdims)
    return index.to(dtype or torch.int64)


def cumsum(x: Tensor, axis: int = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False) -> Tensor:
    x = x.reshape(-1) if flatten else x
    axis = int(axis)
    if x.dim() == 0:
        return cumsum(x.reshape(1), 0, False, exclusive, reverse).reshape(())
    if reverse:
        x = x.flip(axis)
    if exclusive:  # not the inclusive sums less the element, which infinities would make NaN
        x = torch.cat([torch.zeros_like(x.narrow(axis, 0, 1)), x.narrow(axis, 0, x.shape[axis] - 1)], axis) if x.numel() else x
    out = torch.cumsum(x, axis, dtype=x.dtype)
    return out.flip(axis) if reverse else out


def cumsum_grad(x: Tensor, out_grad: Tensor, axis: int, flatten: bool, exclusive: bool, reverse: bool) -> Tensor:
    return cumsum(out_grad, axis, False, exclusive, not reverse).reshape(x.shape)


def empty(shape: Sequence[int], dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.empty(shape, dtype=dtype or torch.float32, device=place)


def full(shape: Sequence[int], value: Number, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.full(shape, value, dtype=dtype or torch.float32, device=place)


def full_like(x: Tensor, value: Number, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.full_like(x, value, dtype=dtype or x.dtype, device=place or x.device)


def arange(start: Number, end: Number, step: Number = 1, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    """An integer dtype takes the integer parts of the numbers."""
    dtype = dtype or torch.int64
    if not dtype.is_floating_point:
        start, end, step = (int(v.real if isinstance(v, complex) else v) for v in (start, end, step))
    return torch.arange(start, end, step, dtype=dtype, device=place)


def dropout_grad(mask: Tensor, out_grad: Tensor, p: float, is_test: bool, mode: str) -> Tensor:
    """`out_grad` times the factor that each element was multiplied by."""
    upscale = mode == "upscale_in_train"
    if is_test:
        return out_grad * (1.0 if upscale else 1.0 - p)
    factor = 1.0 / (1.0 - p) if upscale and p < 1 else 1.0
    return torch.where(mask != 0, out_grad * factor, 0)


def _count(x: Tensor, axis: Sequence[int]) -> int:
    """The number of elements of each result."""
    count = 1
    for a in range(x.dim()) if len(axis) == 0 else axis:
        count = count * (x.shape[a] if x.dim() else 1)
    return count


def _spread(x: Tensor, out_grad: Tensor, axis: Sequence[int], keepdim: bool, reduce_all: bool) -> Tensor:
    rank = x.dim()
    if rank and not keepdim:
        everything = reduce_all or len(axis) == 0
        for a in range(rank) if everything else sorted(a % rank for a in axis):
            out_grad = out_grad.unsqueeze(a)
    if out_grad.is_complex() and not x.is_complex():
        out_grad = torch.real(out_grad)
    return out_grad.to(x.dtype).expand(x.shape)
