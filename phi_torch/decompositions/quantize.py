"""Composites of quantization: numbers as whole steps of a scale, one for all or one for each index of an axis."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .found_sizes import most

_SMALLEST, _SHIFT = 1e-30, 1e-6  # a scale up to the first is divided by after the second is added


def _largest(bit_length: int) -> int:
    """The number of steps on either side of 0."""
    return 2 ** (bit_length - 1) - 1


def _along(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    """One scale, or one for each index of an axis."""
    return scale.reshape([-1 if i == axis else 1 for i in range(x.dim())]) if axis >= 0 else scale.reshape(())


def _round_away(x: Tensor) -> Tensor:
    """Ties go away from 0. Adding 0.5 first would lift the number below 0.5."""
    whole = x.trunc()
    return whole + torch.where((x - whole).abs() >= 0.5, x.sign(), 0)


def _steps(x: Tensor, scale: Tensor, largest: int, round_type: int) -> Tensor:
    by = largest * (1 / torch.where(scale <= _SMALLEST, scale + _SHIFT, scale))
    if round_type == 0:
        return (by * x).round().clamp(-largest - 1, largest)
    return _round_away(by * x.clamp(-scale, scale))


def _dequantized(x: Tensor, scale: Tensor, largest: float) -> Tensor:
    return x * scale / largest


def _straight_through(x: Tensor, scale: Tensor, largest: int, round_type: int) -> Tensor:
    """The number that the steps stand for; its gradient is as if it were `x`."""
    rounded = _dequantized(_steps(x, scale, largest, round_type), scale, largest).detach()
    return rounded + (x - x.detach()).nan_to_num()


def _abs_max(x: Tensor, axis: int = -1) -> Tensor:
    """0 without an element."""
    if axis < 0:
        return most(x.abs()).reshape(1)
    return functional.pad(x.abs().movedim(axis, 0).unsqueeze(1).flatten(1), (0, 1)).amax(1)


def _averaged(x: Tensor, accum: Tensor, state: Tensor, rate: float) -> tuple[Tensor, Tensor, Tensor]:
    """The mean of the maxima of all steps, of which a later one counts more; how much they count, and their sum."""
    state = rate * state.reshape(1) + 1
    accum = rate * accum.reshape(1) + _abs_max(x)
    return accum / state, state, accum


def _kept(number: Tensor | None, like: Tensor) -> Tensor:
    return like.new_empty(0) if number is None else number.reshape(-1).clone()


def quantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    in_accum: Tensor | None,
    in_state: Tensor | None,
    quant_axis: int = 0,
    bit_length: int = 8,
    qmin: int = -128,
    qmax: int = 127,
    round_type: int = 0,
    is_test: bool = True,
    only_observer: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    scale, state, accum = _kept(scale, scale), _kept(in_state, scale), _kept(in_accum, scale)
    if not is_test and quant_axis >= 0:
        scale = _abs_max(x, quant_axis)
    elif not is_test:
        scale, state, accum = _averaged(x, accum, state, 0.9)
    y = x.clone() if only_observer else _steps(x, _along(scale, x, quant_axis), qmax, round_type)
    return y, state, accum, scale


def dequantize_linear(
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    in_accum: Tensor | None,
    in_state: Tensor | None,
    quant_axis: int = 0,
    bit_length: int = 8,
    qmin: int = -128,
    qmax: int = 127,
    round_type: int = 0,
    is_test: bool = True,
    only_observer: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    y = x.clone() if only_observer else _dequantized(x.to(scale.dtype), _along(scale, x, quant_axis), qmax)
    return y, _kept(in_state, scale), _kept(in_accum, scale), _kept(scale, scale)


def fake_quantize_abs_max(x: Tensor, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, Tensor]:
    scale = _abs_max(x)
    return _steps(x, _along(scale, x, -1), _largest(bit_length), round_type), scale


def fake_quantize_dequantize_abs_max(x: Tensor, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, Tensor]:
    scale = _abs_max(x.detach())
    return _straight_through(x, _along(scale, x, -1), _largest(bit_length), round_type), scale


def fake_channel_wise_quantize_abs_max(
    x: Tensor, bit_length: int = 8, round_type: int = 1, quant_axis: int = 0, is_test: bool = False
) -> tuple[Tensor, Tensor]:
    scale = _abs_max(x, quant_axis)
    return _steps(x, _along(scale, x, quant_axis), _largest(bit_length), round_type), scale


def fake_channel_wise_quantize_dequantize_abs_max(
    x: Tensor, bit_length: int = 8, round_type: int = 1, quant_axis: int = 0
) -> tuple[Tensor, Tensor]:
    scale = _abs_max(x.detach(), quant_axis)
    return _straight_through(x, _along(scale, x, quant_axis), _largest(bit_length), round_type), scale


def fake_quantize_moving_average_abs_max(
    x: Tensor,
    in_scale: Tensor,
    in_accum: Tensor | None,
    in_state: Tensor | None,
    moving_rate: float = 0.9,
    bit_length: int = 8,
    is_test: bool = False,
    round_type: int = 1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    scale, state, accum = _observed(x, in_scale, in_accum, in_state, moving_rate, is_test)
    return _steps(x, _along(scale, x, -1), _largest(bit_length), round_type), scale, state, accum


def fake_quantize_dequantize_moving_average_abs_max(
    x: Tensor,
    in_scale: Tensor,
    in_accum: Tensor | None,
    in_state: Tensor | None,
    moving_rate: float = 0.9,
    bit_length: int = 8,
    is_test: bool = False,
    round_type: int = 1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    scale, state, accum = (t.detach() for t in _observed(x, in_scale, in_accum, in_state, moving_rate, is_test))
    return _straight_through(x, _along(scale, x, -1), _largest(bit_length), round_type), scale, state, accum


def _observed(
    x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, rate: float, is_test: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Scale, state and sum after `x`, which in a test changes nothing."""
    if is_test:
        return _kept(scale, x), _kept(state, x), _kept(accum, x)
    assert accum is not None
    assert state is not None
    return _averaged(x, accum, state, rate)


def moving_average_abs_max_scale(
    x: Tensor, in_accum: Tensor | None, in_state: Tensor | None, moving_rate: float = 0.9, is_test: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return x.clone(), *_observed(x, x.new_empty(0), in_accum, in_state, moving_rate, is_test)


def fake_dequantize_max_abs(x: Tensor, scale: Tensor, max_range: float) -> Tensor:
    return _dequantized(x, scale.reshape(()), max_range)


def fake_channel_wise_dequantize_max_abs(
    x: Tensor, scales: Sequence[Tensor], quant_bits: Sequence[int] = (8,), quant_axis: int = 0, x_num_col_dims: int = 1
) -> Tensor:
    if len(scales) == 1:
        return _dequantized(x, _along(scales[0], x, quant_axis), _largest(quant_bits[0]))
    of_both = x * _along(scales[0], x, x_num_col_dims)
    return _dequantized(of_both, scales[1].reshape(()), _largest(quant_bits[0]) * _largest(quant_bits[1]))


def dequantize_abs_max(x: Tensor, scale: Tensor, max_range: float) -> Tensor:
    return _dequantized(x, scale.reshape(()), max_range)


def dequantize_log(x: Tensor, dict: Tensor) -> Tensor:
    """A number below 0 is that of the place 128 later, with its sign."""
    place = x.long()
    value = dict.reshape(-1)[torch.where(place < 0, place + 128, place)]
    return torch.where(place < 0, -value, value)
