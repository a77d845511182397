"""Composites of deformable_conv, a convolution that reads each image where an offset moves it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .lookup import Axis, look_up, look_up_grad
from .widened import widened


class _Deformed:
    """The positions that each filter is on, as a batch of images for each group of channels that moves alike."""

    def __init__(
        self,
        x: Tensor,
        offset: Tensor,
        filter: Tensor,
        mask: Tensor | None,
        strides: Sequence[int],
        paddings: Sequence[int],
        dilations: Sequence[int],
        moving: int,
        groups: int,
    ) -> None:
        self.groups, batch, kernel, outs = groups, x.shape[0] * moving, filter.shape[2:], offset.shape[2:]
        self.points = (kernel[0] * kernel[1], outs[0] * outs[1])
        moves = widened(offset).reshape(batch, self.points[0], 2, self.points[1]).unbind(2)
        self.pixels = widened(x).reshape(batch, x.shape[1] // moving, x.shape[2] * x.shape[3])
        self.axes = []
        for i, move in enumerate(moves):
            taps = torch.arange(kernel[i], device=x.device) * dilations[i] - paddings[i]
            places = taps.reshape(-1, 1) + torch.arange(outs[i], device=x.device) * strides[i]
            grid = places.reshape([kernel[0], 1, outs[0], 1] if i == 0 else [1, kernel[1], 1, outs[1]])
            fixed = grid.expand(*kernel, *outs).reshape(self.points)
            self.axes.append(Axis((move + fixed).flatten(1), x.shape[2 + i]))
        self.mask = None if mask is None else widened(mask).reshape(batch, 1, self.points[0] * self.points[1])
        self.filter = widened(filter).reshape(groups, filter.shape[0] // groups, filter.shape[1] * self.points[0])
        self.seen = look_up(self.pixels, self.axes)
        self.rows = (x.shape[0], groups, self.filter.shape[2], self.points[1])

    def columns(self) -> Tensor:
        """[batch, groups, channels of a group * taps, windows]."""
        return (self.seen if self.mask is None else self.seen * self.mask).reshape(self.rows)


def deformable_conv(
    x: Tensor,
    offset: Tensor,
    filter: Tensor,
    mask: Tensor | None = None,
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0),
    dilations: Sequence[int] = (1, 1),
    deformable_groups: int = 1,
    groups: int = 1,
    im2col_step: int = 64,
) -> Tensor:
    found = _Deformed(x, offset, filter, mask, strides, paddings, dilations, deformable_groups, groups)
    out = torch.matmul(found.filter, found.columns())
    return out.reshape(x.shape[0], filter.shape[0], *offset.shape[2:]).to(x.dtype)


def deformable_conv_grad(
    x: Tensor,
    offset: Tensor,
    filter: Tensor,
    mask: Tensor | None,
    out_grad: Tensor,
    strides: Sequence[int],
    paddings: Sequence[int],
    dilations: Sequence[int],
    deformable_groups: int,
    groups: int,
    im2col_step: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    found = _Deformed(x, offset, filter, mask, strides, paddings, dilations, deformable_groups, groups)
    grad = widened(out_grad).reshape(x.shape[0], groups, filter.shape[0] // groups, found.points[1])
    filter_grad = torch.matmul(grad, found.columns().mT).sum(0).reshape(filter.shape)
    weighted = torch.matmul(found.filter.mT, grad).reshape(found.seen.shape)
    mask_grad = None
    if mask is not None and found.mask is not None:
        mask_grad = (weighted * found.seen).sum(1).reshape(mask.shape).to(mask.dtype)
        weighted = weighted * found.mask
    x_grad, moves = look_up_grad(found.pixels, found.axes, weighted)
    offset_grad = torch.stack([move.unflatten(1, found.points) for move in moves], 2).reshape(offset.shape)
    return x_grad.reshape(x.shape).to(x.dtype), offset_grad.to(offset.dtype), filter_grad.to(filter.dtype), mask_grad
