"""Composites of the elementwise ops: what each computes, in functions of torch."""

from __future__ import annotations

import torch
from torch import Tensor

Number = bool | int | float | complex


def cast(x: Tensor, dtype: torch.dtype) -> Tensor:
    """`x` as `dtype`; a complex number keeps its real part."""
    if x.is_complex() and not dtype.is_complex and dtype != torch.bool:
        x = torch.real(x)
    return x.to(dtype)


def cast_grad(x: Tensor, out_grad: Tensor) -> Tensor:
    return cast(out_grad, x.dtype)


def scale(x: Tensor, scale: Number = 1.0, bias: Number = 0.0, bias_after_scale: bool = True) -> Tensor:
    """x * scale + bias or (x + bias) * scale, in the dtype of `x`."""
    dtype = x.dtype
    if dtype == torch.bool:
        scale, bias = bool(scale), bool(bias)
        return (x & scale) | bias if bias_after_scale else (x | bias) & scale
    if not (x.is_floating_point() or x.is_complex()):
        scale, bias = int(scale), int(bias)  # type: ignore[arg-type]
    x = _as_compute(x)
    return (x * scale + bias if bias_after_scale else (x + bias) * scale).to(dtype)


def add_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad, x, axis), _sum_to(out_grad, y, axis)


def multiply_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    rank = out_grad.dim()
    x_grad = _as_compute(out_grad) * _aligned(y, rank, axis).conj()
    y_grad = _as_compute(out_grad) * _aligned(x, rank, axis).conj()
    return _sum_to(x_grad, x, axis).to(x.dtype), _sum_to(y_grad, y, axis).to(y.dtype)


def clip(x: Tensor, min: Number, max: Number) -> Tensor:
    """`x` from `min` to `max`; an integer's are truncated, and cut off at the limits of its dtype."""
    if not x.is_floating_point():
        limits = torch.iinfo(x.dtype)
        min, max = (limits.min if b <= limits.min else limits.max if b >= limits.max else int(b) for b in (min, max))  # type: ignore
    return torch.clamp(x, min, max)


def silu_grad(x: Tensor, out: Tensor, out_grad: Tensor) -> Tensor:
    """`out_grad` times the conjugate of the derivative of silu at `x`; half types are computed in float32."""
    wide = _as_compute(x)
    sigmoid = torch.sigmoid(wide)
    return (_as_compute(out_grad) * (sigmoid * (1 + wide * (1 - sigmoid))).conj()).to(x.dtype)


def swiglu(x: Tensor, y: Tensor | None = None) -> Tensor:
    if y is None:
        x, y = x.chunk(2, -1)
    return (torch.nn.functional.silu(_as_compute(x)) * y).to(x.dtype)


def swiglu_grad(x: Tensor, y: Tensor | None, out_grad: Tensor) -> tuple[Tensor, Tensor | None]:
    a, b = x.chunk(2, -1) if y is None else (x, y)
    a_grad = silu_grad(a, a, _as_compute(out_grad) * b)
    b_grad = (_as_compute(out_grad) * torch.nn.functional.silu(_as_compute(a))).to(x.dtype)
    return (torch.cat([a_grad, b_grad], -1), None) if y is None else (a_grad, b_grad)


def subtract_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad, x, axis), -_sum_to(out_grad, y, axis)


def divide_grad(x: Tensor, y: Tensor, out: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    x_grad = _as_compute(out_grad) / _as_compute(_aligned(y, out_grad.dim(), axis)).conj()
    y_grad = -x_grad * out.conj()
    return _sum_to(x_grad, x, axis).to(x.dtype), _sum_to(y_grad, y, axis).to(y.dtype)


def maximum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _chosen_grad(x, y, out_grad, x > y), _chosen_grad(y, x, out_grad, y > x)


def minimum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _chosen_grad(x, y, out_grad, x < y), _chosen_grad(y, x, out_grad, y < x)


def _chosen_grad(x: Tensor, y: Tensor, out_grad: Tensor, chosen: Tensor) -> Tensor:
    """`out_grad` where `x` was chosen, half of it where it was equal to `y`."""
    return _sum_to(torch.where(chosen, out_grad, torch.where(x == y, out_grad * 0.5, 0)), x, -1)


def less_than(x: Tensor, y: Tensor) -> Tensor:
    if not (x.is_complex() or y.is_complex()):
        return torch.lt(x, y)
    dtype = torch.promote_types(x.dtype, y.dtype)
    a, b = torch.view_as_real(x.to(dtype)), torch.view_as_real(y.to(dtype))
    return (a[..., 0] < b[..., 0]) | ((a[..., 0] == b[..., 0]) & (a[..., 1] < b[..., 1]))


def greater_than(x: Tensor, y: Tensor) -> Tensor:
    return less_than(y, x)


def where_grad(condition: Tensor, x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    x_grad, y_grad = torch.where(condition, out_grad, 0), torch.where(condition, 0, out_grad)
    return _sum_to(x_grad, x, -1), _sum_to(y_grad, y, -1)


def _as_compute(x: Tensor) -> Tensor:
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def _aligned_shape(x: Tensor, rank: int, axis: int) -> tuple[int, ...]:
    """The shape of `x` with ones around it, so that it begins at dimension `axis` of `rank`."""
    before = rank - x.dim() if axis == -1 else axis
    return (1,) * before + tuple(x.shape) + (1,) * (rank - x.dim() - before)


def _aligned(x: Tensor, rank: int, axis: int) -> Tensor:
    return x if axis == -1 or x.dim() == rank else x.reshape(_aligned_shape(x, rank, axis))


def _sum_to(grad: Tensor, x: Tensor, axis: int) -> Tensor:
    """`grad` summed over the dimensions in which `x` was broadcast."""
    if x.dim() == grad.dim() or axis == -1:
        return grad.sum_to_size(x.shape)
    return grad.sum_to_size(_aligned_shape(x, grad.dim(), axis)).reshape(x.shape)
