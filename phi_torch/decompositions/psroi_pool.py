"""Composites of psroi_pool, by tables of the sums of all pixels above and left of each."""

from __future__ import annotations

import torch
from torch import Tensor

from .roi_pool import image_of, rounded
from .widened import widened


def _range(low: Tensor, high: Tensor, count: int, size: int) -> tuple[Tensor, Tensor]:
    """[boxes, cells]: the first row or column of a cell, and that after the last."""
    step = ((high - low).clamp(min=0.1) / count).unsqueeze(1)
    cell = torch.arange(count, dtype=low.dtype, device=low.device)
    begin, end = (cell * step + low.unsqueeze(1)).floor(), ((cell + 1) * step + low.unsqueeze(1)).ceil()
    return begin.clamp(0, size).long(), end.clamp(0, size).long()


class _Cells:
    """Where the cells of all boxes lie on images [batch * channels, height + 1, width + 1] of sums."""

    def __init__(
        self,
        x: Tensor,
        boxes: Tensor,
        boxes_num: Tensor,
        pooled: tuple[int, int],
        output_channels: int,
        spatial_scale: float,
    ) -> None:
        (batch, channels, height, width), (rows, columns) = x.shape, pooled
        edges = rounded(widened(boxes.detach()))
        left, top = (edges[:, :2] * spatial_scale).unbind(1)
        right, bottom = ((edges[:, 2:] + 1) * spatial_scale).unbind(1)
        self.top, self.bottom = (t[:, None, :, None] for t in _range(top, bottom, rows, height))
        self.left, self.right = (t[:, None, None, :] for t in _range(left, right, columns, width))
        count = (self.bottom - self.top) * (self.right - self.left)
        image = image_of(boxes_num, boxes.shape[0]).reshape(-1, 1, 1, 1)
        self.is_seen = (count > 0) & (self.bottom > self.top) & (image < batch)
        self.count = torch.where(self.is_seen, count, 1)
        channel = torch.arange(output_channels * rows * columns, device=x.device).reshape(-1, rows, columns)
        self.table = image.clamp(max=max(batch - 1, 0)) * channels + channel
        self.size, self.step = (height + 1) * (width + 1), width + 1

    def at(self, row: Tensor, column: Tensor) -> Tensor:
        """[boxes, channels, rows, columns]: places in all tables."""
        return self.table * self.size + row * self.step + column

    def edges(self) -> list[tuple[int, Tensor]]:
        """The places whose sums, with these signs, are the sums of the cells."""
        return [
            (1, self.at(self.bottom, self.right)),
            (-1, self.at(self.top, self.right)),
            (-1, self.at(self.bottom, self.left)),
            (1, self.at(self.top, self.left)),
        ]


def psroi_pool(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    output_channels: int = 1,
    spatial_scale: float = 1.0,
) -> Tensor:
    cells = _Cells(x, boxes, boxes_num, (pooled_height, pooled_width), output_channels, spatial_scale)
    table = torch.nn.functional.pad(x.double().cumsum(2).cumsum(3), (1, 0, 1, 0)).reshape(-1)
    total = torch.stack([sign * table.index_select(0, place.reshape(-1)) for sign, place in cells.edges()]).sum(0)
    return torch.where(cells.is_seen, total.reshape(cells.at(cells.top, cells.left).shape) / cells.count, 0).to(x.dtype)


def psroi_pool_grad(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    out_grad: Tensor,
    pooled_height: int,
    pooled_width: int,
    output_channels: int,
    spatial_scale: float,
) -> Tensor:
    cells = _Cells(x, boxes, boxes_num, (pooled_height, pooled_width), output_channels, spatial_scale)
    batch, channels, height, width = x.shape
    part = torch.where(cells.is_seen, out_grad.double() / cells.count, 0).reshape(-1)
    table = part.new_zeros(batch * channels * (height + 1) * (width + 1))
    for sign, place in cells.edges():
        table = table.index_add(0, place.reshape(-1), sign * part)
    # a sum's gradient belongs to all pixels above and left of it
    sums = table.reshape(batch, channels, height + 1, width + 1)[:, :, 1:, 1:]
    return sums.flip(2, 3).cumsum(2).cumsum(3).flip(2, 3).to(out_grad.dtype)
