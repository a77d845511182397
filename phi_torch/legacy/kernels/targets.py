"""Kernels of the training of detection: which anchors and priors count, and what they are compared with.

Rows of several images are given by their offsets, as in `detection.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import offsets_of, with_lod
from .detection import areas, attributes, expect_boxes, images_of, intersection
from .table import expect


@operator("mine_hard_examples")
def mine_hard_examples(op: Operands) -> None:
    loss, match, dist = op.input("ClsLoss"), op.input("MatchIndices"), op.input("MatchDist")
    kind, known = op.attr("mining_type"), ("hard_example", "max_negative")
    expect("attribute mining_type", kind in known, " or ".join(known), repr(kind))
    for slot, one in (("MatchIndices", match), ("MatchDist", dist), *(("LocLoss", one) for one in op.inputs("LocLoss"))):
        expect(f"slot {slot}", loss.dim() == 2 and one.shape == loss.shape, f"shape {[*loss.shape]}", f"shape {[*one.shape]}")
    if kind == "max_negative":
        eligible = (match == -1) & (dist < op.attr("neg_dist_threshold"))
        most = ((match != -1).sum(1) * op.attr("neg_pos_ratio")).to(torch.int64)
    else:
        expect("attribute sample_size", op.attr("sample_size") > 0, "a number above 0", op.attr("sample_size"))
        eligible, most = torch.ones_like(match, dtype=torch.bool), torch.full_like(match[:, 0], op.attr("sample_size"))
        loss = loss + op.input("LocLoss") if op.has("LocLoss") else loss
    order = torch.where(eligible, loss, -torch.inf).argsort(dim=1, descending=True, stable=True)
    rank = order.argsort(1)  # of each prior among those of its image
    selected = eligible & (rank < most[:, None])
    negative, updated = (selected, match) if kind == "max_negative" else (selected & (match < 0), match.where(selected, -1))
    op.set("NegIndices", with_lod(negative.nonzero()[:, 1:].to(torch.int32), [offsets_of(negative.sum(1).tolist())]))
    op.set("UpdatedMatchIndices", updated.clone())


# ---- anchors


class Sampling(NamedTuple):
    """By which overlaps anchors are of the foreground and the background, and how many of each count; 0 for all."""

    positive_overlap: float
    negative_overlap: float
    batch_size: int = 0
    fg_fraction: float = 0.0
    use_random: bool = False


class Targets(NamedTuple):
    """Numbers of anchors for boxes and for scores, what is expected of them, and what weight the boxes have."""

    location: Tensor
    score: Tensor
    box: Tensor
    label: Tensor
    weight: Tensor


def overlaps(x: Tensor, y: Tensor) -> Tensor:
    shared = intersection(x, y, 1.0).clamp(min=0).prod(-1)
    return torch.where(shared == 0, 0.0, shared / (areas(x, 1.0)[:, None] + areas(y, 1.0) - shared))


def deltas(anchors: Tensor, boxes: Tensor) -> Tensor:
    """What moves and stretches the anchors to the boxes."""
    (size, center), (to_size, to_center) = (
        (one[:, 2:] - one[:, :2] + 1, one[:, :2] + 0.5 * (one[:, 2:] - one[:, :2] + 1)) for one in (anchors, boxes)
    )
    return torch.cat([(to_center - center) / size, torch.log(to_size / size)], 1)


def sampled(of: Tensor, count: int, use_random: bool) -> Tensor:
    return of[torch.randperm(of.numel(), device=of.device)[:count]] if use_random else of[:count]


def _targets(anchors: Tensor, inside: Tensor, boxes: Tensor, labels: Tensor, sampling: Sampling) -> Targets:
    """Of one image: `inside` are the numbers of the anchors that count, `labels` those of the foreground by box."""
    if inside.numel() == 0 or boxes.shape[0] == 0:
        return _no_box(anchors, inside, labels, sampling)
    overlap = overlaps(anchors[inside], boxes)
    nearest, box_of = overlap.max(1)
    of_box = ((overlap - overlap.amax(0)).abs() < 1e-5).any(1)  # no other anchor is nearer to a box
    foreground = (of_box | (nearest >= sampling.positive_overlap)).nonzero()[:, 0]
    background = (nearest < sampling.negative_overlap).nonzero()[:, 0]
    if sampling.batch_size > 0 and sampling.fg_fraction > 0:
        foreground = sampled(foreground, int(sampling.fg_fraction * sampling.batch_size), sampling.use_random)
        background = sampled(background, sampling.batch_size - foreground.numel(), sampling.use_random)
    # an anchor that is of both is of the background: its box counts nothing, and is that of the first one of the foreground
    both = torch.isin(foreground, background)
    fake, left = foreground[:1].expand(int(both.sum())), foreground[~both].sort().values
    background = background.sort().values
    location, score = torch.cat([fake, left]), torch.cat([left, background])
    return Targets(
        inside[location],
        inside[score],
        deltas(anchors[inside[location]], boxes[box_of[location]]),
        torch.cat([labels[box_of[left]], torch.zeros_like(background, dtype=labels.dtype)]),
        (torch.arange(location.numel(), device=boxes.device) >= fake.numel()).to(boxes.dtype)[:, None].expand(-1, 4),
    )


def _no_box(anchors: Tensor, inside: Tensor, labels: Tensor, sampling: Sampling) -> Targets:
    """Of an image without boxes: all is background."""
    background = sampled(inside, sampling.batch_size or inside.numel(), sampling.use_random).sort().values
    none = anchors.new_empty(0, 4)
    return Targets(inside[:0], background, none, torch.zeros_like(background, dtype=labels.dtype), none)


def assigned(
    anchor: Tensor,
    gt_boxes: Tensor,
    gt_labels: Tensor,
    is_crowd: Tensor,
    im_info: Tensor,
    offsets: Sequence[int],
    straddle: float,
    sampling: Sampling,
) -> list[Targets]:
    """For each image, what is expected of the anchors, which are numbered on from those of the image before.

    Those that leave the image by `straddle` pixels do not count, unless that is below 0, nor do the boxes of crowds.
    """
    images = len(offsets) - 1
    expect_boxes("Anchor", anchor)
    expect_boxes("GtBoxes", gt_boxes)
    fits = im_info.dim() == 2 and im_info.shape[0] >= images and im_info.shape[1] == 3
    expect("slot ImInfo", fits, f"shape [{images}, 3]", f"shape {[*im_info.shape]}")
    for slot, one in (("IsCrowd", is_crowd), ("GtLabels", gt_labels)):
        expect(f"slot {slot}", one.numel() == gt_boxes.shape[0], f"one for each of {gt_boxes.shape[0]} boxes", f"{one.numel()}")
    found = []
    for image, (first, last) in enumerate(itertools.pairwise(offsets)):
        height, width, scale = im_info[image]
        counts = is_crowd.reshape(-1)[first:last] == 0
        fits_in = (anchor[:, :2] >= -straddle).all(1)
        fits_in &= (anchor[:, 2:] < torch.stack([width, height]) + straddle).all(1)
        inside = (fits_in | (straddle < 0)).nonzero()[:, 0]
        boxes, labels = gt_boxes[first:last][counts] * scale, gt_labels.reshape(-1)[first:last][counts]
        targets = _targets(anchor, inside, boxes, labels, sampling)
        before = image * anchor.shape[0]
        found.append(targets._replace(location=targets.location + before, score=targets.score + before))
    return found


def _set(op: Operands, found: Sequence[Targets]) -> None:
    """With levels of detail: the images."""
    location, score, box, label, weight = (torch.cat(some) for some in zip(*found))
    boxes, scores = (offsets_of([len(one[at]) for one in found]) for at in (0, 1))
    op.set("LocationIndex", with_lod(location.to(torch.int32), [boxes]))
    op.set("ScoreIndex", with_lod(score.to(torch.int32), [scores]))
    op.set("TargetBBox", with_lod(box, [boxes]))
    op.set("TargetLabel", with_lod(label.to(torch.int32)[:, None], [scores]))
    op.set("BBoxInsideWeight", with_lod(weight.contiguous(), [boxes]))


@operator("rpn_target_assign")
def rpn_target_assign(op: Operands) -> None:
    anchor, boxes, crowd, im_info = map(op.input, ("Anchor", "GtBoxes", "IsCrowd", "ImInfo"))
    names = ("straddle_thresh", "positive_overlap", "negative_overlap", "batch_size_per_im", "fg_fraction")
    straddle, *chosen = attributes(op, [*(f"rpn_{name}" for name in names), "use_random"])
    sampling = Sampling._make(chosen)
    _set(op, assigned(anchor, boxes, torch.ones_like(crowd), crowd, im_info, images_of(boxes), straddle, sampling))


@operator("retinanet_target_assign")
def retinanet_target_assign(op: Operands) -> None:
    anchor, boxes, labels, crowd, im_info = map(op.input, ("Anchor", "GtBoxes", "GtLabels", "IsCrowd", "ImInfo"))
    sampling = Sampling(op.attr("positive_overlap"), op.attr("negative_overlap"))
    found = assigned(anchor, boxes, labels, crowd, im_info, images_of(boxes), -1.0, sampling)
    _set(op, found)
    counts = torch.tensor([[len(one.location) + 1] for one in found], dtype=torch.int32, device=boxes.device)
    op.set("ForegroundNumber", with_lod(counts, [[*range(len(found) + 1)]]))
