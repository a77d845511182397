"""Kernels that choose boxes: by classes, without those that overlap with better ones, and by levels of a pyramid."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from ... import ops as phi
from .._operators import Operands, operator
from ..lod import lengths_of, offsets_of, with_lod
from .detection import areas, attributes, expect_boxes, images_of, intersection, rounded
from .polygons import polygon_overlap
from .table import expect


class Settings(NamedTuple):
    """Which boxes of a class count: those above a score, the best of them, and of these what no better one overlaps with by
    more than a threshold, which shrinks by `eta` for each that is kept. `keep_top_k` is of all classes; -1 keeps any number.
    """

    score_threshold: float
    nms_top_k: int
    keep_top_k: int
    nms_threshold: float
    nms_eta: float
    normalized: bool = True
    background_label: int = -1


Chosen = tuple[Tensor, Tensor]  # the labels and the numbers of boxes


def best(scores: Tensor, threshold: float, top_k: int) -> list[int]:
    """The numbers of the scores above a threshold, best first."""
    order = scores.argsort(descending=True, stable=True)
    order = order[scores[order] > threshold]
    return (order[:top_k] if top_k > -1 else order).tolist()


def overlaps(boxes: Tensor, normalized: bool) -> Callable[[int, int], float]:
    """How much two of the boxes overlap; those of 4 numbers are upright, others are polygons."""
    if boxes.shape[1] != 4:
        polygons = boxes.tolist()
        return functools.cache(lambda i, j: polygon_overlap(polygons[i], polygons[j]))
    one = 0.0 if normalized else 1.0
    low, high = boxes[:, :2], boxes[:, 2:]
    disjoint = ((low[:, None] > high) | (high[:, None] < low)).any(-1)
    shared = intersection(boxes, boxes, one).prod(-1)
    area = torch.where((high < low).any(1), 0.0, areas(boxes, one))  # of a box that is turned around
    found = torch.where(disjoint, 0.0, shared / (area[:, None] + area - shared)).tolist()
    return lambda i, j: found[i][j]


def apart(boxes: Tensor, candidates: Sequence[int], settings: Settings) -> list[int]:
    """The candidates that do not overlap with an earlier one that is kept."""
    overlap, kept, threshold = overlaps(boxes[candidates], settings.normalized), list[int](), settings.nms_threshold
    for i, _ in enumerate(candidates):
        if all(overlap(i, j) <= threshold for j in kept):
            kept.append(i)
            threshold *= settings.nms_eta if settings.nms_eta < 1 and threshold > 0.5 else 1.0
    return [candidates[i] for i in kept]


def best_of_classes(kept: Mapping[int, Sequence[int]], scores: Tensor, keep_top_k: int) -> Chosen:
    """The best of all classes, class by class. `scores` are [classes, boxes]."""
    labels = torch.tensor([label for label, some in kept.items() for _ in some], dtype=torch.int64, device=scores.device)
    at = torch.tensor([one for some in kept.values() for one in some], dtype=torch.int64, device=scores.device)
    if -1 < keep_top_k < at.numel():
        order = scores[labels, at].argsort(descending=True, stable=True)[:keep_top_k]
        order = order[labels[order].argsort(stable=True)]
        labels, at = labels[order], at[order]
    return labels, at


def rows_of(chosen: Chosen, boxes: Tensor, scores: Tensor) -> Tensor:
    """[label, score, box] of each."""
    labels, at = chosen
    return torch.cat([labels.to(boxes.dtype)[:, None], scores[labels, at][:, None], boxes[at]], 1)


def or_none(out: Tensor, offsets: list[int]) -> Tensor:
    """With levels of detail; older operators say -1 where nothing is chosen."""
    return with_lod(out, [offsets]) if len(out) else with_lod(out.new_full((1, 1), -1), [[0, 1]])


# ---- many classes


def multiclass(bboxes: Tensor, scores: Tensor, counts: Tensor | None, settings: Settings) -> tuple[Tensor, Tensor, Tensor]:
    """What is chosen, its numbers among all boxes, and how many of each image.

    Scores are [images, classes, boxes], or [boxes, classes] with boxes for each class and how many of them each image has.
    """
    return phi.multiclass_nms3(bboxes, scores, counts, **settings._asdict())  # type: ignore[no-any-return]


def _expect_batch(bboxes: Tensor, scores: Tensor) -> None:
    fits = bboxes.dim() == scores.dim() == 3 and bboxes.shape[:2] == scores.shape[::2]
    fits = fits and scores.shape[0] > 0
    expect("slot Scores", fits, f"[images, classes, boxes] for boxes {[*bboxes.shape]}", f"shape {[*scores.shape]}")
    sizes = (4, 8, 16, 24, 32)
    expect("slot BBoxes", bboxes.shape[2] in sizes, f"boxes of one of {sizes} numbers", f"shape {[*bboxes.shape]}")


def settings_of(op: Operands) -> Settings:
    return Settings._make(attributes(op, Settings._fields))


def _of_operator(op: Operands) -> tuple[Tensor, Tensor, list[int]]:
    """What is chosen, its numbers, and the offsets of the images. Scores of boxes one after the other may be of several."""
    bboxes, scores = op.input("BBoxes"), op.input("Scores")
    counts = torch.tensor(images_of(bboxes), dtype=torch.int32).diff() if scores.dim() == 2 else None
    out, numbers, counts = multiclass(with_lod(bboxes, []), with_lod(scores, []), counts, settings_of(op))
    return out, numbers, offsets_of(counts.tolist())


@operator("multiclass_nms")
def multiclass_nms(op: Operands) -> None:
    out, _, offsets = _of_operator(op)
    op.set("Out", or_none(out, offsets))


@operator("multiclass_nms2")
def multiclass_nms2(op: Operands) -> None:
    out, numbers, offsets = _of_operator(op)
    op.set("Out", with_lod(out, [offsets]))
    op.set("Index", with_lod(numbers, [offsets]))


@operator("locality_aware_nms")
def locality_aware_nms(op: Operands) -> None:
    """Before boxes are chosen, each one that overlaps with the one before joins it, weighted by their scores."""
    bboxes, scores, settings = op.input("BBoxes"), op.input("Scores"), settings_of(op)
    _expect_batch(bboxes, scores)
    outs = []
    for boxes, score in zip(bboxes.detach().clone(), scores.detach().clone()):
        kept = {}
        for label, one in enumerate(score):
            if label != settings.background_label:
                merged = _merged(boxes, one, settings)  # which later classes see
                good = best(one[merged], settings.score_threshold, settings.nms_top_k)
                kept[label] = apart(boxes, [merged[i] for i in good], settings)
        outs.append(rows_of(best_of_classes(kept, score, settings.keep_top_k), boxes, score))
    op.set("Out", or_none(torch.cat(outs), offsets_of([*map(len, outs)])))


def _merged(boxes: Tensor, scores: Tensor, settings: Settings) -> list[int]:
    """Joins boxes and their scores in place; the numbers of those that are left."""
    left = list[int]()
    for i in range(boxes.shape[0]):
        at = left[-1] if left else i
        if at < i and overlaps(boxes[[i, at]], settings.normalized)(0, 1) > settings.nms_threshold:
            total = scores[i] + scores[at]
            boxes[at] = (boxes[i] * scores[i] + boxes[at] * scores[at]) / total
            scores[at] = total
        else:
            left.append(i)
    return left


# ---- levels of a pyramid


@operator("retinanet_detection_output")
def retinanet_detection_output(op: Operands) -> None:
    bboxes, scores, anchors, im_info = (*map(op.inputs, ("BBoxes", "Scores", "Anchors")), op.input("ImInfo"))
    same = len(bboxes) == len(scores) == len(anchors) > 0
    expect("slot Scores", same, "as many as BBoxes and Anchors", f"{len(scores)}, {len(bboxes)} and {len(anchors)}")
    for box, score, anchor in zip(bboxes, scores, anchors):
        fits = box.dim() == score.dim() == 3 and box.shape[:2] == score.shape[:2] and anchor.shape == box.shape[1:]
        expect("slot Anchors", fits and anchor.shape[1] == 4, f"[boxes, 4] for {[*box.shape]}", f"shape {[*anchor.shape]}")
    fits = im_info.shape == (max(len(scores[0]), 1), 3)
    expect("slot ImInfo", fits, f"shape [images, 3] for scores of shape {[*scores[0].shape]}", f"shape {[*im_info.shape]}")
    settings = Settings._make([*attributes(op, Settings._fields[:5]), False, -1])
    images = [
        _retinanet([one[image] for one in bboxes], [one[image] for one in scores], anchors, im_info[image], settings)
        for image in range(scores[0].shape[0])
    ]
    op.set("Out", with_lod(torch.cat(images), [offsets_of([*map(len, images)])]))


def _retinanet(
    deltas: Sequence[Tensor], scores: Sequence[Tensor], anchors: Sequence[Tensor], im_info: Tensor, settings: Settings
) -> Tensor:
    classes, found = scores[0].shape[1], []
    for level, (delta, score, anchor) in enumerate(zip(deltas, scores, anchors)):
        threshold = settings.score_threshold if level + 1 < len(scores) else 0.0
        at = torch.tensor(best(score.reshape(-1), threshold, settings.nms_top_k), dtype=torch.int64, device=score.device)
        box = _decoded(delta[at // classes], anchor[at // classes], im_info)
        found.append(torch.cat([(at % classes).to(box.dtype)[:, None], score.reshape(-1)[at, None], box], 1))
    rows = torch.cat(found)
    kept = []
    for label in range(classes):
        of_class = (rows[:, 0] == label).nonzero()[:, 0]
        order = of_class[rows[of_class, 1].argsort(descending=True, stable=True)].tolist()
        kept += apart(rows[:, 2:], order, settings)
    chosen = rows[kept]
    chosen = chosen[chosen[:, 1].argsort(descending=True, stable=True)]
    chosen = chosen[: settings.keep_top_k] if settings.keep_top_k > -1 else chosen
    return torch.cat([chosen[:, :1] + 1, chosen[:, 1:]], 1)


def _decoded(delta: Tensor, anchor: Tensor, im_info: Tensor) -> Tensor:
    """Boxes in the image as it was before it was scaled."""
    extent = anchor[:, 2:] - anchor[:, :2] + 1
    center, half = delta[:, :2] * extent + anchor[:, :2] + extent / 2, torch.exp(delta[:, 2:]) * extent / 2
    boxes = torch.cat([center - half, center + half - 1], 1) / im_info[2]
    last = (rounded(im_info[:2] / im_info[2]) - 1).flip(0).repeat(2)
    return torch.minimum(boxes, last).clamp(min=0)


@operator("generate_proposals")
def generate_proposals(op: Operands) -> None:
    """The least size is that in the image before it was scaled."""
    scores, deltas, im_info, anchors, variances = map(op.input, ("Scores", "BboxDeltas", "ImInfo", "Anchors", "Variances"))
    names = ("pre_nms_topN", "post_nms_topN", "nms_thresh", "min_size", "eta")
    pre_nms_top_n, post_nms_top_n, nms_thresh, min_size, eta = attributes(op, names)
    fits = im_info.shape == (max(len(scores), 1), 3)
    expect("slot ImInfo", fits, f"shape [images, 3] for scores of shape {[*scores.shape]}", f"shape {[*im_info.shape]}")
    images = [
        phi.generate_proposals(
            score[None],
            delta[None],
            info[None, :2],
            anchors,
            variances,
            pre_nms_top_n,
            post_nms_top_n,
            nms_thresh,
            (max(min_size, 1.0) - 1) * info[2].item() + 1,
            eta,
        )
        for score, delta, info in zip(scores, deltas, im_info)
    ]
    rois, probabilities, counts = map(torch.cat, zip(*images))
    lod = [offsets_of(counts.tolist())]
    op.set("RpnRois", with_lod(rois, lod))
    op.set("RpnRoiProbs", with_lod(probabilities, lod))
    op.set("RpnRoisNum", counts)


@operator("collect_fpn_proposals")
def collect_fpn_proposals(op: Operands) -> None:
    rois, scores, (top,) = op.inputs("MultiLevelRois"), op.inputs("MultiLevelScores"), attributes(op, ["post_nms_topN"])
    expect("slot MultiLevelRois", len(rois) > 0, "one level at least", "none")
    expect("attribute post_nms_topN", top >= 0, "0 or more", top)
    given = [one.tolist() for one in op.inputs("MultiLevelRoIsNum")]
    out, counts = collected(rois, scores, given or [lengths_of(images_of(one)) for one in rois], top)
    op.set("FpnRois", with_lod(out, [offsets_of(counts.tolist())]))
    op.set("RoisNum", counts)


def collected(
    rois: Sequence[Tensor], scores: Sequence[Tensor], counts: Sequence[Sequence[int]], post_nms_top_n: int
) -> tuple[Tensor, Tensor]:
    """The best boxes of all levels, image by image, and how many each image has, int32.

    For each level, `counts` are the numbers of boxes of the images.
    """
    for box, score, count in itertools.zip_longest(rois, scores, counts):
        expect("slot MultiLevelScores", None not in (box, score, count), "as many as MultiLevelRois", f"{len(scores)}")
        expect_boxes("MultiLevelRois", box)
        expect("slot MultiLevelScores", score.numel() == len(box), f"{len(box)} scores", f"{score.numel()}")
        fits = len(count) == len(counts[0]) and sum(count) == len(box)
        expect("slot MultiLevelRoIsNum", fits, f"{len(counts[0])} numbers that are {len(box)} together", count)
    score = torch.cat([one.reshape(-1) for one in scores])
    device, images = score.device, len(counts[0])
    number = torch.cat([torch.arange(images, device=device).repeat_interleave(torch.tensor(c, device=device)) for c in counts])
    order = score.argsort(descending=True, stable=True)[:post_nms_top_n]
    order = order[number[order].argsort(stable=True)]
    return torch.cat(list(rois))[order], number[order].bincount(minlength=images).to(torch.int32)
