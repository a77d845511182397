"""Kernels of quantized networks, which programs alone name: operators with other arguments, and those of oneDNN."""

from __future__ import annotations

import torch
from torch import Tensor

from ... import ops as phi
from .._operators import Operands, operator
from .table import expect, kernel

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


@kernel("straight_through_estimator_grad(Tensor out_grad) -> Tensor")
def straight_through_estimator_grad(out_grad: Tensor) -> Tensor:
    """Of what is rounded to steps and back, as if it were not."""
    return phi.assign(out_grad)


@operator("fake_quantize_range_abs_max")
def fake_quantize_range_abs_max(op: Operands) -> None:
    """Steps of the largest absolute value of the last `window_size` batches, which OutScales holds in turn."""
    x, scale = op.input("X"), op.input("InScale")
    if not op.attr("is_test"):
        if not op.has("Iter"):
            raise ValueError("slot Iter: expected the number of the batch in training, got none")
        window, count, largest = op.attr("window_size"), int(op.input("Iter")), x.abs().max().reshape(1)
        scales = op.current("OutScales") if op.op.outputs.get("OutScales") else None
        scales = x.new_zeros(window) if scales is None else scales.clone()
        gone, scales[count % window] = scales[count % window].clone(), largest[0]
        if scale < largest:
            scale = largest
        elif (gone - scale).abs() < 1e-6:  # what was the largest one leaves the window
            scale = scales[: min(count, window)].max().reshape(1) if count else torch.zeros_like(scale)
        op.set("OutScales", scales)
    given = scale.reshape(1), None, None, 0.9, op.attr("bit_length"), True, op.attr("round_type")
    op.set("Out", phi.fake_quantize_moving_average_abs_max(x, *given)[0])
    op.set("OutScale", scale.reshape(1).clone())


@operator("fake_channel_wise_quantize_abs_max")
def fake_channel_wise_quantize_abs_max(op: Operands) -> None:
    """In a test the scales are those that OutScale has from training, and stay."""
    x, (bits, round_type, axis) = op.input("X"), (op.attr(name) for name in ("bit_length", "round_type", "quant_axis"))
    if not op.attr("is_test"):
        out, scale = phi.fake_channel_wise_quantize_abs_max(x, bits, round_type, axis, False)
        op.set("OutScale", scale)
    else:
        scale = op.current("OutScale")
        if scale is None:
            raise ValueError("slot OutScale: expected a variable with the scales of training where is_test is true, got none")
        zero, last = torch.zeros_like(scale), largest_step(bits, 127)
        out = phi.quantize_linear(x, scale, zero, None, None, axis, bits, -last, last, round_type, True, False)[0]
    op.set("Out", out)


# What Paddle's passes for oneDNN put around layers of integers.


def _scale_of(op: Operands, name: str) -> Tensor:
    """In float32, as oneDNN computes with it."""
    scale = op.attr(name)
    expect(f"attribute {name}", scale != 0.0, "another number than 0", scale)
    return torch.tensor(scale)


def _shift_of(op: Operands) -> int:
    shift = op.attr("Shift")
    expect("attribute Shift", 0.0 <= shift <= 255.0, "a number from 0 to 255", shift)
    return int(shift)


def _rounded(x: Tensor, dtype: torch.dtype) -> Tensor:
    """The nearest of the integers that a data type has, of two the even one."""
    limits = torch.iinfo(dtype)
    return x.round().clamp(limits.min, limits.max).to(dtype)


@operator("quantize")
def quantize(op: Operands) -> None:
    scale, shift = _scale_of(op, "Scale"), _shift_of(op)
    found = op.input("Input").float() * scale + shift
    is_signed = op.attr("is_negative_input") and op.attr("Shift") == 0.0
    dtype = torch.int8 if is_signed else torch.uint8
    op.set("Output", found.bfloat16() if op.attr("bfloat16") else _rounded(found, dtype))


@operator("dequantize")
def dequantize(op: Operands) -> None:
    op.set("Output", (op.input("Input").float() - _shift_of(op)) * (1.0 / _scale_of(op, "Scale")))


@operator("requantize")
def requantize(op: Operands) -> None:
    x, factor = op.input("Input"), _scale_of(op, "Scale_out") / _scale_of(op, "Scale_in")
    expect("slot Input", x.dtype in (torch.int8, torch.uint8), "int8 or uint8", x.dtype)
    shifts = op.attr("Shift_in"), op.attr("Shift_out")
    expect("slot Input", x.dtype == torch.uint8 or not any(shifts), "uint8 where there are shifts", x.dtype)
    shift = min(max(shifts[1] - float(factor) * shifts[0], 0.0), 255.0)
    op.set("Output", _rounded(x.float() * factor + int(shift + 0.5), x.dtype))
