"""Composites of roi_align: the mean of an image at samples in each cell of a box.

Samples stand on a grid, and the share of a pixel is a product of one of its row and one of its column. So the images are
multiplied by two matrices for each box, which are made without a sample by itself: their number may depend on the box.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .widened import widened


def _shares(first: Tensor, step: Tensor, count: Tensor, size: int) -> Tensor:
    """[boxes, cells, size]: how much of each element of an axis `count` samples from `first` on have, in float64.

    A sample up to one element beside the axis is that at the border, others have nothing. The share that a sample at y has
    of element h, max(0, 1 - |h - y|), is a second difference of max(0, h - y), whose sum over samples has a formula.
    """
    last = first + step * (count - 1)
    first, step = torch.minimum(first, last), step.abs().clamp(min=1e-12)

    def below(t: Tensor | float) -> Tensor:
        return torch.minimum(((t - first) / step).ceil().clamp(min=0), count)

    def up_to(t: Tensor | float) -> Tensor:
        return torch.minimum((((t - first) / step).floor() + 1).clamp(min=0), count)

    begin = below(0.0)
    end = torch.maximum(begin, up_to(size - 1))
    before, after = begin - below(-1.0), torch.maximum(up_to(size), end) - end
    places = torch.arange(-1, size + 1, dtype=first.dtype, device=first.device)
    reached = torch.minimum(torch.maximum(below(places), begin), end)
    ramps = (reached - begin) * (places - first) - step * (reached * (reached - 1) - begin * (begin - 1)) / 2
    shares = ramps[..., 2:] - 2 * ramps[..., 1:-1] + ramps[..., :-2]
    inner = places[1:-1]
    return (shares + before * (inner == 0) + after * (inner == size - 1)) / count.clamp(min=1)


class _Boxes:
    """The shares that the cells of each box have of the rows of all images, and of their columns."""

    def __init__(
        self,
        x: Tensor,
        boxes: Tensor,
        boxes_num: Tensor,
        cells: tuple[int, int],
        spatial_scale: float,
        sampling_ratio: int,
        aligned: bool,
    ) -> None:
        self.wide = widened(x)
        left, top, right, bottom = (boxes.double() * spatial_scale - (0.5 if aligned else 0.0)).unbind(1)
        ends = boxes_num.cumsum(0)
        place = torch.arange(boxes.shape[0], device=x.device).unsqueeze(1)
        is_of = (place < ends) & (place >= ends - boxes_num)  # [boxes, images]
        found = []
        for start, stop, count, size in ((top, bottom, cells[0], x.shape[2]), (left, right, cells[1], x.shape[3])):
            length = stop - start if aligned else (stop - start).clamp(min=1)
            cell = (length / count).reshape(-1, 1, 1)
            samples = torch.full_like(cell, sampling_ratio) if sampling_ratio > 0 else cell.ceil().clamp(min=0)
            step = cell / samples.clamp(min=1)
            corners = torch.arange(count, dtype=cell.dtype, device=x.device).reshape(1, -1, 1) * cell
            found.append(_shares(start.reshape(-1, 1, 1) + corners + step / 2, step, samples, size).to(self.wide.dtype))
        rows, self.columns = found
        self.rows = (rows.unsqueeze(2) * is_of[:, None, :, None]).flatten(2).flatten(0, 1)  # [boxes * cells, images * height]


def roi_align(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> Tensor:
    found = _Boxes(x, boxes, boxes_num, (pooled_height, pooled_width), spatial_scale, sampling_ratio, aligned)
    images, channels, height, width = x.shape
    by_row = found.rows @ found.wide.movedim(1, 2).reshape(images * height, channels * width)
    by_row = by_row.reshape(boxes.shape[0], pooled_height * channels, width)
    out = (by_row @ found.columns.mT).reshape(boxes.shape[0], pooled_height, channels, pooled_width)
    return out.movedim(2, 1).to(x.dtype)


def roi_align_grad(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    out_grad: Tensor,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    aligned: bool,
) -> Tensor:
    found = _Boxes(x, boxes, boxes_num, (pooled_height, pooled_width), spatial_scale, sampling_ratio, aligned)
    images, channels, height, width = x.shape
    by_row = widened(out_grad).movedim(1, 2).reshape(boxes.shape[0], pooled_height * channels, pooled_width) @ found.columns
    x_grad = found.rows.mT @ by_row.reshape(boxes.shape[0] * pooled_height, channels * width)
    return x_grad.reshape(images, height, channels, width).movedim(2, 1).to(x.dtype)
