"""Composites of what follows a network that detects objects."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .found_sizes import has_values
from .roi_pool import image_of


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
    cells = (x[:, count:] if iou_aware else x).reshape(n, count, 5 + class_num, height, width)
    confidence = cells[:, :, 4].sigmoid()
    if iou_aware:  # powers by logarithms, whose derivative is finite where a sigmoid is 0
        sure, overlap = functional.logsigmoid(cells[:, :, 4]), functional.logsigmoid(x[:, :count])
        confidence = ((1 - iou_aware_factor) * sure + iou_aware_factor * overlap).exp()
    is_seen = ~(confidence < conf_thresh)
    cells = torch.where(is_seen.unsqueeze(2), cells, 0)  # numbers of the others may have no derivative

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


def multiclass_nms3(
    bboxes: Tensor,
    scores: Tensor,
    rois_num: Tensor | None,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    classes = scores.shape[1]
    if bboxes.shape[2] != 4:
        raise NotImplementedError(f"argument 'bboxes': expected boxes of 4 numbers, got polygons of {bboxes.shape[2]}")
    if rois_num is None:
        images = [(boxes.expand(classes, *boxes.shape), of) for boxes, of in zip(bboxes, scores)]
    else:  # each image has all boxes, but sees its own
        rois_num = rois_num.reshape(-1)
        if has_values(rois_num) and int(rois_num.sum()) != scores.shape[0]:
            raise ValueError(f"argument 'rois_num': expected {scores.shape[0]} boxes in all, got {int(rois_num.sum())}")
        of_image = image_of(rois_num, scores.shape[0])
        own = [torch.where(of_image == image, scores.t(), -torch.inf) for image in range(rois_num.shape[0])]
        images = [(bboxes.transpose(0, 1), of) for of in own]
    first, found = 0, [torch.zeros(0, dtype=torch.int32, device=scores.device)]
    columns: list[tuple[Tensor, Tensor, Tensor]] = [(found[0].bool(), found[0], bboxes.new_empty(0, 6))]
    for boxes, of in images:
        label = torch.arange(classes, device=of.device).unsqueeze(1)
        seen = torch.where((of > score_threshold) & (label != background_label), of, -torch.inf)
        order = seen.argsort(dim=-1, descending=True, stable=True)[:, : nms_top_k if nms_top_k > -1 else None]
        ranked = seen.gather(1, order)
        ordered = boxes.gather(1, order.unsqueeze(2).expand(*order.shape, 4))
        kept = kept_of(ordered, ranked > -torch.inf, nms_threshold, 0.0 if normalized else 1.0, nms_eta)
        if rois_num is not None:  # in the order of the boxes
            kept = torch.zeros_like(of, dtype=torch.bool).scatter(1, order, kept)
            order, ranked, ordered = torch.arange(of.shape[1], device=of.device).expand_as(of), of, boxes
        if -1 < keep_top_k < kept.numel():
            best = torch.where(kept, ranked, -torch.inf).reshape(-1).argsort(dim=-1, descending=True, stable=True)[:keep_top_k]
            kept = kept & torch.zeros_like(kept).reshape(-1).index_fill(0, best, True).reshape(kept.shape)
        number = first + order if rois_num is None else order * classes + label
        rows = torch.cat([torch.stack([label.expand_as(order), ranked], 2), ordered], 2)
        columns.append((kept.reshape(-1), number.reshape(-1).int(), rows.reshape(-1, 6)))
        found.append(kept.sum(dtype=torch.int32).reshape(1))
        first += of.shape[1]
    kept, numbers, rows = (torch.cat(parts) for parts in zip(*columns))
    places = kept.nonzero().squeeze(1)
    return rows.index_select(0, places), numbers.index_select(0, places).unsqueeze(1), torch.cat(found)


def kept_of(boxes: Tensor, seen: Tensor, threshold: float, pixel: float, eta: float) -> Tensor:
    """Of the boxes [classes, boxes, 4] of each class, the best one first, those that are seen and that none before covers."""
    kept, limit = torch.zeros_like(seen), boxes.new_full((boxes.shape[0], 1), threshold)
    ranks = torch.arange(seen.shape[1], device=seen.device)
    area = area_of(boxes[..., :2], boxes[..., 2:], pixel)
    for rank in range(seen.shape[1]):
        box = boxes[:, rank : rank + 1]
        low, high = torch.maximum(box[..., :2], boxes[..., :2]), torch.minimum(box[..., 2:], boxes[..., 2:])
        is_free = share_of(low, high, area[:, rank : rank + 1] + area, pixel) <= limit
        keep = seen[:, rank : rank + 1] & (is_free | ~kept).all(1, keepdim=True)
        kept = kept | (keep & (ranks == rank))
        if eta < 1:
            limit = torch.where(keep & (limit > 0.5), limit * eta, limit)
    return kept


def share_of(low: Tensor, high: Tensor, areas: Tensor, pixel: float) -> Tensor:
    """What two boxes have in common, from `low` to `high`, of all that they cover: NaN of points in one place."""
    common = area_of(low, high, pixel)
    covered = areas - common
    is_nothing = covered == 0
    share = common / torch.where(is_nothing, 1, covered)
    return torch.where(is_nothing & ~(high < low).any(-1), torch.nan, share)


def area_of(low: Tensor, high: Tensor, pixel: float) -> Tensor:
    return torch.where((high >= low).all(-1), (high - low + pixel).prod(-1), 0)
