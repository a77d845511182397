"""Kernels of detection whose results have as many rows as something is found."""

from __future__ import annotations

import torch
from torch import Tensor

from ._kernels import kernel


@kernel(
    "multiclass_nms3(Tensor bboxes, Tensor scores, Tensor? rois_num, float score_threshold, int nms_top_k, int keep_top_k,"
    " float nms_threshold, bool normalized, float nms_eta, int background_label) -> (Tensor, Tensor, Tensor)"
)
def multiclass_nms3(
    bboxes: Tensor,
    scores: Tensor,
    rois_num: Tensor | None,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float,
    normalized: bool,
    nms_eta: float,
    background_label: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Of `bboxes` [images, boxes, 4] with `scores` [images, classes, boxes] those that no better one of their class covers.

    Rows are class, score and box; the second result is the number of each box among all, the third counts those of each image.
    """
    if rois_num is not None or bboxes.dim() != 3 or scores.dim() != 3 or bboxes.shape[2] != 4:
        raise NotImplementedError(f"bboxes: expected [images, boxes, 4] without RoisNum, got {[*bboxes.shape]}")
    rows, numbers, counts = [], [], []
    for image, (boxes, of_image) in enumerate(zip(bboxes, scores)):
        found = []
        for label, of_class in enumerate(of_image):
            if label != background_label:
                chosen = _best(boxes, of_class, score_threshold, nms_top_k, nms_threshold, normalized, nms_eta)
                found += [(of_class[i].item(), label, i) for i in chosen]
        if 0 <= keep_top_k < len(found):
            found = sorted(sorted(found, key=lambda one: -one[0])[:keep_top_k], key=lambda one: one[1])
        counts.append(len(found))
        for score, label, i in found:
            rows.append(torch.cat([boxes.new_tensor([label, score]), boxes[i]]))
            numbers.append(image * boxes.shape[0] + i)
    out = torch.stack(rows) if rows else bboxes.new_empty(0, 6)
    index = torch.tensor(numbers, dtype=torch.int32, device=out.device).reshape(-1, 1)
    return out, index, torch.tensor(counts, dtype=torch.int32, device=out.device)


def _best(
    boxes: Tensor, scores: Tensor, score_threshold: float, top_k: int, threshold: float, normalized: bool, eta: float
) -> list[int]:
    """The boxes of one class, the best one first."""
    order = torch.argsort(scores, descending=True, stable=True)
    order = order[scores[order] > score_threshold]
    order = order[:top_k] if top_k > -1 else order
    covers = _overlaps(boxes[order], 0.0 if normalized else 1.0)
    kept: list[int] = []
    for i in range(len(order)):
        if not kept or bool((covers[i, kept] <= threshold).all()):
            kept.append(i)
            threshold = threshold * eta if eta < 1 and threshold > 0.5 else threshold
    return [int(i) for i in order[kept]]


def _overlaps(boxes: Tensor, pixel: float) -> Tensor:
    """The part that each two boxes have in common of what they cover together."""
    low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    common = torch.where((high >= low).all(-1), (high - low + pixel).prod(-1), 0)
    size = boxes[:, 2:] - boxes[:, :2]
    area = torch.where((size >= 0).all(-1), (size + pixel).prod(-1), 0)
    return common / (area[:, None] + area[None, :] - common)
