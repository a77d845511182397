"""What the composites of operators on images share: where the channels are, and how far images are padded."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.fx.experimental.symbolic_shapes import guard_or_false

Sides = tuple[int, int]  # what is before an axis, and what is after it


def channels_last(data_format: str) -> bool:
    return data_format in ("NHWC", "NDHWC")


def channels_first(x: Tensor, data_format: str) -> Tensor:
    return x.movedim(-1, 1) if channels_last(data_format) else x


def as_given(x: Tensor, data_format: str) -> Tensor:
    """The other way round, contiguous where the dimensions move."""
    return x.movedim(1, -1).contiguous() if channels_last(data_format) else x


def sides_of(paddings: Sequence[int], axes: int) -> list[Sides]:
    """The padding of each axis: `paddings` are one number for each, or two."""
    if len(paddings) == 2 * axes:
        return list(zip(paddings[::2], paddings[1::2]))
    return [(p, p) for p in paddings]


def same_sides(size: int, window: int, stride: int) -> Sides:
    """The padding that makes an axis `stride` times smaller."""
    total = torch.sym_max(((size + stride - 1) // stride - 1) * stride + window - size, 0)
    return total // 2, total - total // 2


def padded(x: Tensor, sides: Sequence[Sides], value: float = 0.0) -> Tensor:
    """The last axes of x with more on their sides; a negative number crops."""
    return torch.constant_pad_nd(x, [p for pair in reversed(sides) for p in pair], value)


def unpadded(x: Tensor, sides: Sequence[Sides]) -> Tensor:
    return padded(x, [(-before, -after) for before, after in sides])


def is_nothing(*tensors: Tensor) -> bool:
    """Libraries refuse tensors without elements."""
    return any(guard_or_false(x.numel() == 0) for x in tensors)


def zeros(shape: Sequence[int], *of: Tensor) -> Tensor:
    """Zeros that have gradients, zeros too, by the tensors `of`."""
    return sum((x.flatten()[:0].sum() for x in of), of[0].new_zeros(shape))
