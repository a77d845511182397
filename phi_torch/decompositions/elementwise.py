"""Composites of the elementwise ops: what each computes, in functions of torch."""

from __future__ import annotations

import math

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


def gelu(x: Tensor, approximate: bool = False) -> Tensor:
    return torch.nn.functional.gelu(x, approximate="tanh" if approximate else "none")


def gelu_grad(x: Tensor, out_grad: Tensor, approximate: bool) -> Tensor:
    """`out_grad` times the derivative of gelu at `x`; half types are computed in float32."""
    dtype = x.dtype
    x, out_grad = _as_compute(x), _as_compute(out_grad)
    if approximate:
        square = 0.044715 * x * x
        t = torch.tanh(math.sqrt(2 / math.pi) * x * (1 + square))
        slope = math.sqrt(2 / math.pi) * (1 + 3 * square)
        derivative = 0.5 * (1 + t + x * slope * (1 - t * t))
    else:
        cumulative = 0.5 * (1 + torch.erf(x * math.sqrt(0.5)))
        derivative = cumulative + x * torch.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    return (out_grad * derivative).to(dtype)


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


def scale_grad(out_grad: Tensor, scale: Number = 1.0) -> Tensor:
    return (_as_compute(out_grad) * scale).to(out_grad.dtype)


def add_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad, x, axis), _sum_to(out_grad, y, axis)


def multiply_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    rank = out_grad.dim()
    x_grad = _as_compute(out_grad) * _aligned(y, rank, axis).conj()
    y_grad = _as_compute(out_grad) * _aligned(x, rank, axis).conj()
    return _sum_to(x_grad, x, axis).to(x.dtype), _sum_to(y_grad, y, axis).to(y.dtype)


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
