"""Kernels of quantized inference, which programs alone name."""

from __future__ import annotations

import torch
from torch import Tensor

from ._kernels import kernel

_SCALE = (
    "(Tensor x, Tensor scale, Tensor zero_point, int quant_axis, int bit_length, int qmin, int qmax, int round_type,"
    " bool only_observer) -> Tensor"
)


def _along(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    """One scale, or one for each index of an axis."""
    return scale.reshape([-1 if i == axis else 1 for i in range(x.dim())]) if axis >= 0 else scale.reshape(())


@kernel(f"quantize_linear_deprecated_infer{_SCALE}")
def quantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int,
    bit_length: int,
    qmin: int,
    qmax: int,
    round_type: int,
    only_observer: bool,
) -> Tensor:
    """x / scale in steps of 2^(bit_length - 1) - 1: ties go to even numbers with `round_type` 0, else away from 0."""
    if only_observer:
        return x.clone()
    largest = 2 ** (bit_length - 1) - 1
    sizes = _along(scale, x, quant_axis)
    inverse = torch.where(sizes <= 1e-30, 1 / (sizes + 1e-6), 1 / sizes)
    if round_type == 0:
        return torch.round(x * largest * inverse).clamp(-largest - 1, largest)
    steps = x.clamp(-sizes, sizes) * largest * inverse
    return torch.trunc(steps + torch.copysign(torch.full_like(steps, 0.5), steps))


@kernel(f"dequantize_linear_deprecated{_SCALE}")
def dequantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_axis: int,
    bit_length: int,
    qmin: int,
    qmax: int,
    round_type: int,
    only_observer: bool,
) -> Tensor:
    if only_observer:
        return x.clone()
    return x.to(scale.dtype) * _along(scale, x, quant_axis) / (2 ** (bit_length - 1) - 1)
