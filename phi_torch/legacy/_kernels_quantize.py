"""Kernels of quantized networks, which programs alone name: operators with other arguments."""

from __future__ import annotations

from torch import Tensor

from .. import ops as phi
from ._kernels import kernel

_ATTRIBUTES = "int quant_axis, int bit_length, int qmin, int qmax, int round_type, bool only_observer"
_INFER = f"(Tensor x, Tensor scale, Tensor zero_point, {_ATTRIBUTES}) -> Tensor"


def largest_step(bit_length: int, qmax: int) -> int:
    """Programs of Paddle 2 know `bit_length` alone, and `qmax` is the default then."""
    return 2 ** (bit_length - 1) - 1 if qmax == 127 else qmax


@kernel(f"quantize_linear_deprecated_infer{_INFER}")
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
    bits = bit_length, qmin, largest_step(bit_length, qmax)
    return phi.quantize_linear(x, scale, zero_point, None, None, quant_axis, *bits, round_type, True, only_observer)[0]


@kernel(
    "quantize_linear_deprecated_train(Tensor x, Tensor scale, Tensor zero_point, Tensor? in_accum, Tensor? in_state,"
    f" {_ATTRIBUTES}) -> (Tensor, Tensor, Tensor, Tensor)"
)
def quantize_linear_train(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    in_accum: Tensor | None,
    in_state: Tensor | None,
    quant_axis: int,
    bit_length: int,
    qmin: int,
    qmax: int,
    round_type: int,
    only_observer: bool,
) -> tuple[Tensor | None, ...]:
    bits = bit_length, qmin, largest_step(bit_length, qmax)
    return phi.quantize_linear(x, scale, zero_point, in_accum, in_state, quant_axis, *bits, round_type, False, only_observer)


@kernel(f"dequantize_linear_deprecated{_INFER}")
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
    bits = bit_length, qmin, largest_step(bit_length, qmax)
    return phi.dequantize_linear(x, scale, zero_point, None, None, quant_axis, *bits, round_type, True, only_observer)[0]
