"""Composites of ops that arrange the elements of a tensor in another way."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .images import Sides, as_given, channels_first, padded, unpadded


def fill(x: Tensor, value: float = 0) -> Tensor:
    """Not by torch.fill, over which vmap loops."""
    everywhere = torch.ones((), dtype=torch.bool, device=x.device)
    return torch.where(everywhere, torch.full((), value, dtype=x.dtype, device=x.device), x)


def fill_diagonal(x: Tensor, value: float = 0, offset: int = 0, wrap: bool = False) -> Tensor:
    columns = x.shape[1]
    step = sum(torch.empty(x.shape, device="meta").stride()) if x.dim() > 2 else columns + 1
    at = torch.arange(x.numel(), device=x.device) - offset
    chosen = (at >= 0) & (at % step == 0) & (at % columns + offset >= 0) & (at % columns + offset < columns)
    if not wrap:
        chosen = chosen & (at < columns * columns)
    return torch.where(chosen.reshape(x.shape), torch.full((), value, dtype=x.dtype, device=x.device), x)


def channel_shuffle(x: Tensor, groups: int, data_format: str = "NCHW") -> Tensor:
    n, c, h, w = channels_first(x, data_format).shape
    parts = channels_first(x, data_format).reshape(n, groups, c // groups, h, w)
    return as_given(parts.transpose(1, 2).reshape(n, c, h, w), data_format)


def pixel_unshuffle(x: Tensor, downscale_factor: int = 1, data_format: str = "NCHW") -> Tensor:
    n, c, h, w = channels_first(x, data_format).shape
    f = downscale_factor
    squares = channels_first(x, data_format).reshape(n, c, h // f, f, w // f, f)
    return as_given(squares.permute(0, 1, 3, 5, 2, 4).reshape(n, c * f * f, h // f, w // f), data_format)


def temporal_shift(x: Tensor, seg_num: int, shift_ratio: float = 0.25, data_format: str = "NCHW") -> Tensor:
    images = channels_first(x, data_format)
    n, c, h, w = images.shape
    videos = images.reshape(n // seg_num, seg_num, c, h, w)
    back, ahead = int(c * shift_ratio), int(c * 2 * shift_ratio)
    none = torch.zeros_like(videos[:, :1])
    before, behind = torch.cat([none, videos[:, :-1]], 1), torch.cat([videos[:, 1:], none], 1)
    shifted = torch.cat([before[:, :, :back], behind[:, :, back:ahead], videos[:, :, ahead:]], 2)
    return as_given(shifted.reshape(n, c, h, w), data_format)


def _sides(paddings: Sequence[int]) -> list[Sides]:
    """Of the height and the width; four paddings are top, left, bottom, right."""
    return list(zip(paddings[:2], paddings[-2:]))


def unfold(
    x: Tensor, kernel_sizes: Sequence[int], strides: Sequence[int], paddings: Sequence[int], dilations: Sequence[int]
) -> Tensor:
    return functional.unfold(padded(x, _sides(paddings)), tuple(kernel_sizes), tuple(dilations), 0, tuple(strides))


def fold(
    x: Tensor,
    output_sizes: Sequence[int],
    kernel_sizes: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    dilations: Sequence[int],
) -> Tensor:
    sides = _sides(paddings)
    size = tuple(n + sum(pair) for n, pair in zip(output_sizes, sides))
    return unpadded(functional.fold(x, size, tuple(kernel_sizes), tuple(dilations), 0, tuple(strides)), sides)


def unstack(x: Tensor, axis: int = 0, num: int = 0) -> list[Tensor]:
    return [part.clone() for part in torch.unbind(x, axis)]


def affine_grid(input: Tensor, output_shape: Sequence[int] = (), align_corners: bool = True) -> Tensor:
    sizes = output_shape[2:]
    along = [torch.linspace(-1, 1, n, dtype=input.dtype, device=input.device) if n > 1 else input.new_zeros(1) for n in sizes]
    if not align_corners:
        along = [places * ((n - 1) / n) for places, n in zip(along, sizes)]
    *others, last = torch.meshgrid(along, indexing="ij")
    points = torch.stack([last, *reversed(others), torch.ones_like(last)], -1).reshape(1, -1, len(sizes) + 1)
    return (points @ input.mT).reshape(output_shape[0], *sizes, len(sizes))


def view_dtype(input: Tensor, dtype: torch.dtype) -> Tensor:
    """The bytes of a copy, in one dimension: sizes of 0 and strides do not matter there. Numbers that stay what they are have a
    gradient."""
    if dtype == input.dtype:
        return input.clone(memory_format=torch.contiguous_format)
    last = [n * input.element_size() // dtype.itemsize for n in input.shape[-1:]]
    elements = torch.cat([input.detach().reshape(-1)])  # a copy that is dense under vmap too
    return elements.view(dtype).reshape([*input.shape[:-1], *last])
