"""Composites of grid_sample, which looks images or volumes up where a grid says."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.nn import functional

from .lookup import Axis, look_up, look_up_grad
from .widened import widened


def grid_sample(x: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = True) -> Tensor:
    if forward_ad._current_level >= 0:  # torch's operator has no forward mode
        axes = [Axis(at, size, mode == "nearest") for (at, _), size in _along_axes(x, grid, padding_mode, align_corners)]
        return look_up(widened(x).flatten(2), axes).reshape([*x.shape[:2], *grid.shape[1:-1]]).to(x.dtype)
    x, grid = x.view(x.shape), grid.view(grid.shape)  # under vmap batches move to the front, where torch's rule takes them
    return functional.grid_sample(widened(x), widened(grid), mode, padding_mode, align_corners).to(x.dtype)


def _positions(coordinates: Tensor, size: int, padding_mode: str, align_corners: bool) -> tuple[Tensor, Tensor]:
    """Where coordinates from -1 to 1 are along an axis of `size` pixels, and how fast they move there."""
    scale = (size - 1) / 2 if align_corners else size / 2
    at, slope = coordinates * scale + (size - 1) / 2, torch.full_like(coordinates, scale)
    if padding_mode == "reflection":
        span, low = (max(2 * (size - 1), 1), 0.0) if align_corners else (2 * size, -0.5)
        is_before, distance = at < low, (at - low).abs()
        rest = distance - (distance / span).floor() * span
        comes_back = rest > span - rest
        at = torch.where(comes_back, span - rest, rest) + low
        slope = torch.where(is_before == comes_back, slope, -slope)
    if padding_mode != "zeros":
        slope = torch.where((at >= 0) & (at <= size - 1), slope, 0)
        at = at.clamp(0, size - 1)
    return at, slope


def _along_axes(x: Tensor, grid: Tensor, padding_mode: str, align_corners: bool) -> list[tuple[tuple[Tensor, Tensor], int]]:
    """For each axis of the image, the first one first, the positions and slopes [batch, points], and its size."""
    coordinates = widened(grid).flatten(1, -2).unbind(-1)[::-1]  # the last one is of the first axis
    return [(_positions(c, size, padding_mode, align_corners), size) for c, size in zip(coordinates, x.shape[2:])]


def grid_sample_grad(
    x: Tensor, grid: Tensor, out_grad: Tensor, mode: str, padding_mode: str, align_corners: bool
) -> tuple[Tensor, Tensor]:
    """The gradients of x and grid. At the border of an image a position counts as inside."""
    found = _along_axes(x, grid, padding_mode, align_corners)
    axes = [Axis(at, size, mode == "nearest") for (at, _), size in found]
    x_grad, grads = look_up_grad(widened(x).flatten(2), axes, widened(out_grad).flatten(2))
    grid_grad = torch.stack([grad * slope for grad, ((_, slope), _) in zip(grads, found)][::-1], -1)
    return x_grad.reshape(x.shape).to(x.dtype), grid_grad.reshape(grid.shape).to(grid.dtype)
