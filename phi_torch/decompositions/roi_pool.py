"""Composites of roi_pool: the largest pixel in each cell of a box."""

from __future__ import annotations

import torch
from torch import Tensor


def image_of(boxes_num: Tensor, count: int) -> Tensor:
    """[boxes]: the image of each box; one more than there are if it is of none."""
    place = torch.arange(count, device=boxes_num.device)
    return (place.unsqueeze(1) >= boxes_num.cumsum(0)).sum(1)


def rounded(x: Tensor) -> Tensor:
    """To whole numbers, halves away from 0, as C does."""
    return torch.where(x < 0, (x - 0.5).ceil(), (x + 0.5).floor())


def _cells(low: Tensor, high: Tensor, count: int, size: int) -> Tensor:
    """[boxes, cells, size]: whether a row or column belongs to a cell."""
    step = ((high - low + 1).clamp(min=1) / count).unsqueeze(1)
    cell = torch.arange(count, dtype=low.dtype, device=low.device)
    begin, end = (cell * step).floor() + low.unsqueeze(1), ((cell + 1) * step).ceil() + low.unsqueeze(1)
    place = torch.arange(size, dtype=low.dtype, device=low.device)
    return (place >= begin.unsqueeze(-1)) & (place < end.unsqueeze(-1))


def roi_pool(
    x: Tensor, boxes: Tensor, boxes_num: Tensor, pooled_height: int = 1, pooled_width: int = 1, spatial_scale: float = 1.0
) -> tuple[Tensor, Tensor]:
    count, (batch, _, height, width) = boxes.shape[0], x.shape
    left, top, right, bottom = rounded(boxes.detach().float() * spatial_scale).unbind(1)
    rows, columns = _cells(top, bottom, pooled_height, height), _cells(left, right, pooled_width, width)
    image = image_of(boxes_num, count)
    is_on_image = (image < batch).reshape(-1, 1, 1, 1)
    pixels = x.index_select(0, image.clamp(max=batch - 1))
    with_columns = torch.where(columns[:, None, None], pixels.detach().unsqueeze(3), -torch.inf)
    best, column = with_columns.max(-1)  # [boxes, channels, height, cells]
    with_rows = torch.where(rows[:, None, :, :, None], best.unsqueeze(2), -torch.inf)
    row = with_rows.max(3).indices  # [boxes, channels, cells, cells]
    place = row * width + column.gather(2, row)
    has_pixel = rows.any(-1)[:, None, :, None] & columns.any(-1)[:, None, None] & is_on_image
    found = pixels.flatten(2).gather(2, place.flatten(2)).reshape(place.shape)
    return torch.where(has_pixel, found, 0), torch.where(has_pixel, place, -1)


def roi_pool_grad(
    x: Tensor,
    boxes: Tensor,
    boxes_num: Tensor,
    arg_max: Tensor,
    out_grad: Tensor,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
) -> Tensor:
    batch, channels, height, width = x.shape
    size = height * width
    image = image_of(boxes_num, boxes.shape[0]).clamp(max=batch - 1).reshape(-1, 1, 1, 1)
    channel = torch.arange(channels, device=arg_max.device).reshape(-1, 1, 1)
    is_place = (arg_max >= 0) & (arg_max < size)
    place = (image * channels + channel) * size + torch.where(is_place, arg_max, 0)
    grad = torch.where(is_place, out_grad, 0)
    found = torch.zeros(batch * channels * size, dtype=grad.dtype, device=grad.device)
    return found.scatter_add(0, place.flatten(), grad.flatten()).reshape(x.shape)
