"""What the second stage of a detector learns from: proposals and boxes that are known, with a class and a box for each."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import offsets_of, with_lod
from .detection import attributes, expect_boxes, images_of
from .table import expect
from .targets import deltas, overlaps, sampled


class Choice(NamedTuple):
    """By which overlaps boxes are of the foreground and the background, and how many of each image count."""

    batch_size_per_im: int
    fg_fraction: float
    fg_thresh: float
    bg_thresh_hi: float
    bg_thresh_lo: float
    use_random: bool
    is_cascade_rcnn: bool


class Sample(NamedTuple):
    """The boxes of an image that count, of the class 0 in the background, and the known ones that they are compared with."""

    boxes: Tensor
    labels: Tensor
    known: Tensor
    overlap: Tensor


def _left(rois: Tensor, overlap: Tensor) -> Tensor:
    """What a stage before left: no box that was given, and none without a size; an empty one where that is all."""
    kept = rois[((rois[:, 2:] - rois[:, :2] + 1 > 0).all(1)) & (overlap.reshape(-1) < 1)]
    return kept if len(kept) else rois.new_zeros(1, 4)


def _sample(rois: Tensor, known: Tensor, classes: Tensor, is_crowd: Tensor, choice: Choice) -> Sample:
    boxes = torch.cat([known, rois])
    overlap, nearest = overlaps(boxes, known).max(1)
    overlap[: len(known)].masked_fill_(is_crowd != 0, -1.0)
    foreground = (overlap >= choice.fg_thresh).nonzero()[:, 0]
    background = ((overlap >= choice.bg_thresh_lo) & (overlap < choice.bg_thresh_hi) & (overlap < choice.fg_thresh)).nonzero()[:, 0]
    if not choice.is_cascade_rcnn:
        foreground = sampled(foreground, int(choice.batch_size_per_im * choice.fg_fraction), choice.use_random)
        background = sampled(background, choice.batch_size_per_im - len(foreground), choice.use_random)
    at = torch.cat([foreground, background])
    labels = torch.cat([classes[nearest[foreground]], torch.zeros_like(background, dtype=classes.dtype)])
    compared = torch.cat([known[nearest[foreground]], known[:1].expand(len(background), 4)])
    return Sample(boxes[at], labels, compared, overlap[at])


@operator("generate_proposal_labels")
def generate_proposal_labels(op: Operands) -> None:
    rois, boxes, im_info = op.input("RpnRois"), op.input("GtBoxes"), op.input("ImInfo")
    classes, is_crowd = op.input("GtClasses").reshape(-1), op.input("IsCrowd").reshape(-1)
    choice = Choice._make(attributes(op, Choice._fields))
    weights, class_nums, is_agnostic = attributes(op, ["bbox_reg_weights", "class_nums", "is_cls_agnostic"])
    expect("attribute bbox_reg_weights", len(weights) == 4, "4 numbers", weights)
    for slot, one in (("RpnRois", rois), ("GtBoxes", boxes)):
        expect_boxes(slot, one)
    for slot, flat in (("GtClasses", classes), ("IsCrowd", is_crowd)):
        expect(f"slot {slot}", len(flat) == len(boxes), f"one for each of {len(boxes)} boxes", len(flat))
    images, of_boxes = ([*pairwise(images_of(one))] for one in (rois, boxes))
    expect("slot GtBoxes", len(of_boxes) == len(images), f"boxes of {len(images)} images", len(of_boxes))
    expect("slot GtBoxes", all(first < last for first, last in of_boxes), "a box in each image", of_boxes)
    expect("slot ImInfo", im_info.dim() == 2 and len(im_info) == len(images), f"{len(images)} rows", [*im_info.shape])
    before = op.input("MaxOverlap") if choice.is_cascade_rcnn else None
    found = []
    for (first, last), (begin, end), scale in zip(images, of_boxes, im_info[:, 2]):
        some = rois[first:last] / scale
        some = some if before is None else _left(some, before[first:last])
        one = _sample(some, boxes[begin:end], classes[begin:end], is_crowd[begin:end], choice)
        found.append((one.boxes * scale, one.labels, deltas(one.boxes, one.known) / some.new_tensor(weights), one.overlap))
    lod = [offsets_of([len(labels) for _, labels, *_ in found])]
    chosen, labels, moves, overlap = (torch.cat(parts) for parts in zip(*found))
    labels = labels.long()
    column = torch.arange(class_nums, device=labels.device) == (labels > 0 if is_agnostic else labels).long()[:, None]
    inside = (column & (labels > 0)[:, None]).to(moves.dtype).repeat_interleave(4, 1)
    op.set("Rois", with_lod(chosen, lod))
    op.set("LabelsInt32", with_lod(labels.to(torch.int32)[:, None], lod))
    op.set("BboxTargets", with_lod(torch.where(inside > 0, moves.repeat(1, class_nums), 0), lod))
    for slot in ("BboxInsideWeights", "BboxOutsideWeights"):
        op.set(slot, with_lod(inside.clone(), lod))
    op.set("MaxOverlapWithGT", with_lod(overlap, lod))
