"""Composites of the ops that choose, of boxes with scores, those that no better one covers."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .boxes import center_and_size, corners
from .detection import area_of, kept_of, share_of


def nms(x: Tensor, threshold: float = 1.0) -> Tensor:
    count = x.shape[0]
    low, high = torch.maximum(x[:, None, :2], x[None, :, :2]), torch.minimum(x[:, None, 2:], x[None, :, 2:])
    common = (high - low).clamp(min=0).prod(-1)
    area = (x[:, 2:] - x[:, :2]).prod(-1)
    covers = common / (area.unsqueeze(1) + area - common) > threshold
    places = torch.arange(count, device=x.device)
    is_kept = torch.ones_like(places, dtype=torch.bool)
    for place in range(count):
        is_kept = is_kept & ~(covers[place] & is_kept[place] & (places > place))
    return is_kept.nonzero().squeeze(1)


def matrix_nms(
    bboxes: Tensor,
    scores: Tensor,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    post_threshold: float = 0.0,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    pixel = 0.0 if normalized else 1.0
    images, classes, boxes = scores.shape
    image, label = (torch.arange(n, device=scores.device) for n in (images, classes))
    label = label.unsqueeze(1)
    seen = torch.where((scores > score_threshold) & (label != background_label), scores, -torch.inf)
    order = seen.argsort(dim=-1, descending=True, stable=True)[..., : nms_top_k if nms_top_k > -1 else None]
    ranked = seen.gather(2, order)
    of_class = bboxes.unsqueeze(1).expand(images, classes, boxes, 4)
    ordered = of_class.gather(2, order.unsqueeze(3).expand(*order.shape, 4))
    low = torch.maximum(ordered.unsqueeze(3)[..., :2], ordered.unsqueeze(2)[..., :2])
    high = torch.minimum(ordered.unsqueeze(3)[..., 2:], ordered.unsqueeze(2)[..., 2:])
    area = area_of(ordered[..., :2], ordered[..., 2:], pixel)
    share = share_of(low, high, area.unsqueeze(3) + area.unsqueeze(2), pixel)
    # [images, classes, boxes, better ones]; 0 of those that are not better, and of points
    overlap = torch.where(share.isnan(), 0, share).tril(-1)
    most = overlap.amax(3, keepdim=True).transpose(2, 3) if order.shape[2] else overlap
    if use_gaussian:
        decay = ((most**2 - overlap**2) * gaussian_sigma).exp()
    else:  # one that is covered as a whole covers no more than what covers it
        decay = torch.where(most == 1, 1, (1 - overlap) / torch.where(most == 1, 1, 1 - most))
    is_better = torch.ones_like(decay, dtype=torch.bool).tril(-1)
    least = torch.where(is_better, decay, 1).amin(3) if order.shape[2] else ranked
    decayed = least * ranked
    decayed = torch.where((ranked > -torch.inf) & (decayed > post_threshold), decayed, -torch.inf).flatten(1)
    best = decayed.argsort(dim=-1, descending=True, stable=True)[:, : keep_top_k if keep_top_k > -1 else None]
    is_found = decayed.gather(1, best) > -torch.inf
    places = is_found.reshape(-1).nonzero().squeeze(1)
    head = torch.stack([label.expand_as(order).flatten(1).to(scores.dtype), decayed], 2)
    rows = torch.cat([head, ordered.flatten(1, 2)], 2).gather(1, best.unsqueeze(2).expand(*best.shape, 6))
    numbers = order.flatten(1).gather(1, best) + image.unsqueeze(1) * boxes
    return (
        rows.reshape(-1, 6).index_select(0, places),
        numbers.int().reshape(-1, 1).index_select(0, places),
        is_found.sum(1, dtype=torch.int32),
    )


def generate_proposals(
    scores: Tensor,
    bbox_deltas: Tensor,
    im_shape: Tensor,
    anchors: Tensor,
    variances: Tensor,
    pre_nms_top_n: int,
    post_nms_top_n: int,
    nms_thresh: float,
    min_size: float,
    eta: float,
    pixel_offset: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    pixel = 1.0 if pixel_offset else 0.0
    images, count, height, width = scores.shape
    deltas = bbox_deltas.reshape(images, count, 4, height, width).permute(0, 3, 4, 1, 2).reshape(images, -1, 4)
    moved = deltas * variances.reshape(-1, 4)
    center, size = center_and_size(anchors.reshape(-1, 4), pixel)
    grown = moved[..., 2:].clamp(max=math.log(1000 / 16)).exp() * size
    boxes = corners(moved[..., :2] * size + center, grown, pixel)
    limit = im_shape[:, :2].flip(1).repeat(1, 2).unsqueeze(1)  # width and height, twice
    boxes = torch.minimum(boxes, limit - pixel).clamp(min=0)
    of_box = scores.permute(0, 2, 3, 1).reshape(images, -1)
    order = of_box.argsort(dim=-1, descending=True, stable=True)
    order = order[:, :pre_nms_top_n] if pre_nms_top_n > 0 else order
    ranked = of_box.gather(1, order)
    boxes = boxes.gather(1, order.unsqueeze(2).expand(*order.shape, 4))
    middle, extent = center_and_size(boxes, pixel)
    is_kept = (extent >= max(min_size, 1.0)).all(2)
    if pixel_offset:
        is_kept = is_kept & (middle <= limit[..., :2]).all(2)
    if nms_thresh > 0:
        is_kept = kept_of(boxes, is_kept, nms_thresh, pixel, eta)
        if post_nms_top_n > 0:
            is_kept = is_kept & (is_kept.cumsum(1) <= post_nms_top_n)
    # a box of zeros in front of those of each image, for one that has no other
    found = is_kept.sum(1, dtype=torch.int32)
    is_kept = torch.cat([(found == 0).unsqueeze(1), is_kept], 1).reshape(-1)
    places = is_kept.nonzero().squeeze(1)
    boxes = torch.cat([boxes.new_zeros(images, 1, 4), boxes], 1)
    ranked = torch.cat([ranked.new_zeros(images, 1), ranked], 1)
    return (
        boxes.reshape(-1, 4).index_select(0, places),
        ranked.reshape(-1, 1).index_select(0, places),
        found.clamp(min=1),
    )
