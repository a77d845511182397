"""Composites of the reductions, of creation ops and of dropout's gradient, in functions of torch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .widened import widened

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


def _with_axis(x: Tensor, keepdims: bool) -> Tensor:
    """A number as one of a dimension, where that is kept."""
    return x.reshape(1) if x.dim() == 0 and keepdims else x


def argmax(x: Tensor, axis: int, keepdims: bool = False, flatten: bool = False, dtype: torch.dtype | None = None) -> Tensor:
    index = (
        torch.argmax(x).reshape([1] * x.dim() if keepdims else [])
        if flatten
        else torch.argmax(_with_axis(x, keepdims), int(axis), keepdims)
    )
    return index.to(dtype or torch.int64)


def argmin(x: Tensor, axis: int, keepdims: bool = False, flatten: bool = False, dtype: torch.dtype | None = None) -> Tensor:
    index = (
        torch.argmin(x).reshape([1] * x.dim() if keepdims else [])
        if flatten
        else torch.argmin(_with_axis(x, keepdims), int(axis), keepdims)
    )
    return index.to(dtype or torch.int64)


def prod(x: Tensor, axis: Sequence[int], keepdim: bool, reduce_all: bool) -> Tensor:
    if x.dim() == 0:
        return x.clone()
    for a in sorted(range(x.dim()) if reduce_all or len(axis) == 0 else (a % x.dim() for a in axis), reverse=True):
        x = torch.prod(x, a, keepdim, dtype=x.dtype)
    return x


def prod_grad(x: Tensor, out: Tensor, out_grad: Tensor, axis: Sequence[int], keepdim: bool, reduce_all: bool) -> Tensor:
    """Of each element the product of those before and after it along the axes, which are one dimension here."""
    grad = _spread(x, out_grad, axis, keepdim, reduce_all)
    if x.dim() == 0:
        return grad.clone()
    axes = range(x.dim()) if reduce_all or len(axis) == 0 else sorted(a % x.dim() for a in axis)
    kept = [a for a in range(x.dim()) if a not in axes]
    order = [*kept, *axes]
    moved = x.permute(order)
    rows = moved.flatten(len(kept)) if len(kept) else moved.reshape(-1)
    ones = torch.ones_like(rows.narrow(-1, 0, 1)) if rows.numel() else rows
    before = torch.cat([ones, torch.cumprod(rows, -1).narrow(-1, 0, rows.shape[-1] - 1)], -1) if rows.numel() else rows
    backwards = torch.cumprod(rows.flip(-1), -1)
    after = torch.cat([ones, backwards.narrow(-1, 0, rows.shape[-1] - 1)], -1).flip(-1) if rows.numel() else rows
    others = (before * after).reshape(moved.shape).permute([order.index(a) for a in range(x.dim())])
    return (grad * torch.conj(others)).contiguous()


def logsumexp_grad(x: Tensor, out: Tensor, out_grad: Tensor, axis: Sequence[int], keepdim: bool, reduce_all: bool) -> Tensor:
    spread = [_spread(x, t, axis, keepdim, reduce_all) for t in (out, out_grad)]
    return spread[1] * torch.exp(x - spread[0])


def mean_all_grad(x: Tensor, out_grad: Tensor) -> Tensor:
    return mean_grad(x, out_grad, reduce_all=True)


def p_norm(
    x: Tensor, porder: float = 2, axis: int = -1, epsilon: float = 1e-12, keepdim: bool = False, asvector: bool = False
) -> Tensor:
    axes = None if asvector or x.dim() == 0 else axis
    if x.numel() == 0 and (porder < 0 or math.isinf(porder)):  # of which ATen knows no norm
        return torch.sum(x, axes, keepdim)
    return torch.linalg.vector_norm(x, porder, axes, keepdim)


def p_norm_grad(
    x: Tensor, out: Tensor, out_grad: Tensor, porder: float, axis: int, epsilon: float, keepdim: bool, asvector: bool
) -> Tensor:
    norm, grad = (widened(_spread(x, t, [axis], keepdim, asvector)) for t in (out, out_grad))
    return _p_norm_slope(widened(x), norm, grad, porder, epsilon).to(x.dtype)


def _p_norm_slope(x: Tensor, norm: Tensor, grad: Tensor, porder: float, epsilon: float) -> Tensor:
    signed = grad * torch.sign(x)
    if math.isinf(porder):
        return torch.where(x.abs() == norm, signed, signed.detach() * 0)
    if porder == 0:
        return torch.zeros_like(x)
    if porder == 1:
        return signed / (1 + epsilon)
    if porder == 2:
        return grad * x / (norm + epsilon)
    most = torch.finfo(x.dtype).max  # to which power numbers are 0, 1 or infinite
    exponent = min(max(porder - 1, -most), most)
    return signed * x.abs() ** exponent / (norm**exponent + epsilon)


def argsort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    values, indices = torch.sort(x, dim=axis, descending=descending, stable=True)
    return values, indices


def add_n(inputs: Sequence[Tensor]) -> Tensor:
    first, *others = inputs
    if not others:
        return first.clone()
    wide = widened(first)
    for other in others:
        wide = wide + other
    return wide.to(first.dtype)


def clip_by_norm(x: Tensor, max_norm: float) -> Tensor:
    squares = widened(x).square().sum()
    above = squares.sqrt() > max_norm
    scale = max_norm / torch.where(above, squares, 1).sqrt()  # which has derivatives where x is zeros, too
    return torch.where(above, x * scale, x).to(x.dtype)


def accuracy(x: Tensor, indices: Tensor, label: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    total = torch.full([], label.shape[0], dtype=torch.int32, device=x.device)
    correct = (indices == label).any(1).sum(dtype=torch.int32)
    return correct.float() / total.clamp(min=1), correct, total


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


def zeros(shape: Sequence[int], dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return full(shape, 0, dtype, place)


def ones(shape: Sequence[int], dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return full(shape, 1, dtype, place)


def full(shape: Sequence[int], value: Number, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.full(shape, value, dtype=dtype or torch.float32, device=place)


def full_batch_size_like(
    input: Tensor,
    shape: Sequence[int],
    dtype: torch.dtype,
    value: Number,
    input_dim_idx: int,
    output_dim_idx: int,
    place: Device = None,
) -> Tensor:
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return full(sizes, value, dtype, place or input.device)


def full_like(x: Tensor, value: Number, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.full_like(x, value, dtype=dtype or x.dtype, device=place or x.device)


def zeros_like(x: Tensor, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return full_like(x, 0, dtype, place)


def ones_like(x: Tensor, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return full_like(x, 1, dtype, place)


def empty_like(x: Tensor, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    return torch.empty_like(x, dtype=dtype or x.dtype, device=place or x.device)


def eye(num_rows: int, num_columns: int, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    columns = num_rows if num_columns == -1 else num_columns
    return torch.eye(int(num_rows), int(columns), dtype=dtype or torch.float32, device=place)


def shape(input: Tensor) -> Tensor:
    return shape64(input).to(torch.int32)


def shape64(input: Tensor) -> Tensor:
    sizes = [torch.full([], size, dtype=torch.int64, device=input.device) for size in input.shape]
    return torch.stack(sizes) if sizes else torch.empty([0], dtype=torch.int64, device=input.device)


def arange(start: Number, end: Number, step: Number = 1, dtype: torch.dtype | None = None, place: Device = None) -> Tensor:
    """An integer dtype takes the integer parts of the numbers. A step that leads away from the end leads nowhere."""
    dtype = dtype or torch.int64
    start, end, step = (v.real if isinstance(v, complex) else v for v in (start, end, step))
    if not dtype.is_floating_point:
        start, end, step = int(start), int(end), int(step)
    if (end > start) != (step > 0):
        end = start
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


def equal_all(x: Tensor, y: Tensor) -> Tensor:
    if x.shape != y.shape:
        return torch.zeros((), dtype=torch.bool, device=x.device)
    return (x == y).all()
