"""Composites of what follows a network that detects objects."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def yolo_box(
    x: Tensor,
    img_size: Tensor,
    anchors: Sequence[int] = (),
    class_num: int = 1,
    conf_thresh: float = 0.01,
    downsample_ratio: int = 32,
    clip_bbox: bool = True,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Tensor, Tensor]:
    count = len(anchors) // 2
    n, _, height, width = x.shape
    overlap = x[:, :count].sigmoid() if iou_aware else None
    cells = (x[:, count:] if iou_aware else x).reshape(n, count, 5 + class_num, height, width)
    confidence = cells[:, :, 4].sigmoid()
    if overlap is not None:
        confidence = confidence ** (1 - iou_aware_factor) * overlap**iou_aware_factor
    is_seen = confidence >= conf_thresh

    def along(axis: int, size: int, at: int) -> tuple[Tensor, Tensor, Tensor]:
        """The middle and half of the length of the boxes in pixels, and the image: of the width (0) or the height (1)."""
        image = img_size[:, 1 - axis].to(x.dtype).reshape(n, 1, 1, 1)
        places = torch.arange(size, dtype=x.dtype, device=x.device).reshape((size,) if axis == 0 else (size, 1))
        middle = (places + cells[:, :, axis].sigmoid() * scale_x_y - 0.5 * (scale_x_y - 1)) * image / size
        anchor = torch.stack([torch.full((), a, dtype=x.dtype, device=x.device) for a in anchors[axis::2]]).reshape(count, 1, 1)
        return middle, cells[:, :, at].exp() * anchor * image / (downsample_ratio * size) / 2, image

    (cx, w, image_w), (cy, h, image_h) = along(0, width, 2), along(1, height, 3)
    corners = [cx - w, cy - h, cx + w, cy + h]
    if clip_bbox:
        corners = [
            corners[0].clamp_min(0),
            corners[1].clamp_min(0),
            torch.minimum(corners[2], image_w - 1),
            torch.minimum(corners[3], image_h - 1),
        ]
    boxes = torch.where(is_seen.unsqueeze(-1), torch.stack(corners, -1), 0)
    scores = torch.where(is_seen.unsqueeze(-1), confidence.unsqueeze(-1) * cells[:, :, 5:].sigmoid().movedim(2, -1), 0)
    return boxes.reshape(n, count * height * width, 4), scores.reshape(n, count * height * width, class_num)
