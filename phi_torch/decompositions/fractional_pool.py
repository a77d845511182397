"""Composites of fractional max pooling, whose windows a number between 0 and 1 places."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .pooling import max_pool_with_index_grad
from .widened import widened

__all__ = ["fractional_max_pool", "fractional_max_pool_grad"]


def _elements(size: int, count: int, kernel: int, u: Tensor) -> Tensor:
    """The elements of each window [count, longest] along an axis, of shorter ones the last once more.

    In float32, as PaddlePaddle's kernel has them: where a window begins may hang on how a number is rounded.
    """

    def number(value: float) -> Tensor:
        return torch.full((), value, dtype=torch.float32, device=u.device)

    window = torch.arange(count, dtype=torch.float32, device=u.device)
    if kernel == 0:
        base = size // count
        alpha = number(size) / count
        u = u * torch.minimum(number(base + 2) / alpha - 1, number(size + 1 - base) / alpha - (count - 1))
        longest = base + 2
    else:
        alpha = number(size - kernel) / max(count - 1, 1)
        longest = kernel
    first = (u * alpha).long()
    start = ((window + u) * alpha).long() - first
    end = start + kernel if kernel else ((window + 1 + u) * alpha).long() - first
    last = end.clamp(max=size) - 1
    return torch.minimum(start.unsqueeze(1) + torch.arange(longest, device=u.device), last.unsqueeze(1))


def fractional_max_pool(
    x: Tensor, output_size: Sequence[int], kernel_size: Sequence[int], random_u: float = 0.0, return_mask: bool = True
) -> tuple[Tensor, Tensor]:
    """From the last axis to the first one, so that of maxima that are equal the first one is found."""
    if random_u == 0:
        u = torch.rand((), dtype=torch.float32, device=x.device)
    else:
        u = torch.full((), random_u, dtype=torch.float32, device=x.device)
    out, place, step = widened(x), None, 1
    for dim in range(x.dim() - 1, 1, -1):
        elements = _elements(x.shape[dim], output_size[dim - 2], kernel_size[dim - 2], u)
        count, longest = elements.shape
        windows = [*out.shape[:dim], count, longest, *out.shape[dim + 1 :]]
        out, which = out.index_select(dim, elements.flatten()).reshape(windows).max(dim + 1, keepdim=True)
        along = elements.reshape([*[1] * dim, count, longest, *[1] * (x.dim() - dim - 1)]).expand(windows)
        found = along.gather(dim + 1, which) * step
        if place is not None:
            found = found + place.index_select(dim, elements.flatten()).reshape(windows).gather(dim + 1, which)
        out, place, step = out.squeeze(dim + 1), found.squeeze(dim + 1), step * x.shape[dim]
    assert place is not None
    return out.to(x.dtype), place.int()


def fractional_max_pool_grad(
    x: Tensor,
    mask: Tensor,
    out_grad: Tensor,
    output_size: Sequence[int],
    kernel_size: Sequence[int],
    random_u: float,
    return_mask: bool,
) -> Tensor:
    return max_pool_with_index_grad(x, mask, out_grad, kernel_size, (), (), False, False, False)
