"""The operator `detection_map`: how well detections meet the boxes that are there, as the mean of precisions over classes."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..kernels.detection import attributes, images_of
from ..kernels.table import expect
from ..lod import with_lod

Box = tuple[float, ...]
Scored = dict[int, list[tuple[float, int]]]  # by class, scores and whether they count


class State(NamedTuple):
    """What was seen so far: how many boxes each class has, and which detections were right and wrong."""

    boxes: dict[int, int]
    true: Scored
    false: Scored


class Settings(NamedTuple):
    overlap_threshold: float
    evaluate_difficult: bool
    ap_type: str
    background_label: int


def scored(rows: Tensor, offsets: Sequence[int]) -> Scored:
    """Of rows [score, counts] of one class after the other."""
    pairs = [(score, int(flag)) for score, flag in rows.tolist()]
    return defaultdict(list, {label: pairs[a:b] for label, (a, b) in enumerate(itertools.pairwise(offsets))})


def rows_of(pairs: Scored, classes: int, like: Tensor) -> tuple[Tensor, list[int]]:
    """Back to rows, and their offsets by class."""
    lists = [pairs.get(label, []) for label in range(classes)]
    return like.new_tensor([*itertools.chain(*lists)]).reshape(-1, 2), [0, *itertools.accumulate(map(len, lists))]


def _overlap(x: Box, y: Box) -> float:
    if any(y[at] > x[at + 2] or y[at + 2] < x[at] for at in (0, 1)):
        return 0.0
    low, high = [max(a, b) for a, b in zip(x[:2], y[:2])], [min(a, b) for a, b in zip(x[2:], y[2:])]
    shared = (high[0] - low[0]) * (high[1] - low[1])
    covered = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (x, y)) - shared
    return shared / covered if covered else math.nan


def add_image(state: State, detections: Tensor, labels: Tensor, settings: Settings) -> None:
    """Counts the boxes `labels` [label, difficult?, box] of an image, and `detections` [label, score, box] of it."""
    boxes = defaultdict[int, list[tuple[bool, Box]]](list)
    for label, *rest in labels.tolist():
        boxes[int(label)].append((len(rest) == 5 and abs(rest[0]) >= 1e-6, tuple(rest[-4:])))
    for label, some in boxes.items():
        count = sum(settings.evaluate_difficult or not difficult for difficult, _ in some)
        if count:
            state.boxes[label] = state.boxes.get(label, 0) + count
    found = defaultdict[int, list[tuple[float, Box]]](list)
    for label, score, *box in detections.tolist():
        found[int(label)].append((score, tuple(min(max(one, 0.0), 1.0) for one in box)))
    for label, of_class in sorted(found.items()):
        visited = set[int]()
        if label in boxes:
            of_class.sort(key=lambda one: -one[0])
        for score, box in of_class:
            right = _is_right(box, boxes.get(label, []), visited, settings)
            if right is not None:
                state.true[label].append((score, int(right)))
                state.false[label].append((score, int(not right)))


def _is_right(box: Box, boxes: Sequence[tuple[bool, Box]], visited: set[int], settings: Settings) -> bool | None:
    """Whether a detection is the first one of its nearest box; None if that is too difficult to count."""
    most, at = -1.0, -1
    for number, (_, one) in enumerate(boxes):
        overlap = _overlap(box, one)
        if overlap > most:
            most, at = overlap, number
    if most <= settings.overlap_threshold:
        return False
    if boxes[at][0] and not settings.evaluate_difficult:
        return None
    first = at not in visited
    visited.add(at)
    return first


def mean_precision(state: State, settings: Settings, dtype: torch.dtype) -> float:
    total, classes = 0.0, 0
    for label, count in sorted(state.boxes.items()):
        if count == settings.background_label:  # Paddle compares the number of boxes, not the label
            continue
        classes += 1
        if label in state.true:
            total += _precision(state.true[label], state.false[label], count, settings.ap_type, dtype)
    return total / classes if classes else 0.0


def _sums(pairs: Sequence[tuple[float, int]]) -> Tensor:
    return torch.tensor([flag for _, flag in sorted(pairs, key=lambda one: -one[0])], dtype=torch.int64).cumsum(0)


def _precision(
    true: Sequence[tuple[float, int]], false: Sequence[tuple[float, int]], count: int, ap_type: str, dtype: torch.dtype
) -> float:
    right, wrong = _sums(true).to(dtype), _sums(false).to(dtype)
    precision, recall = (right / (right + wrong)).tolist(), (right / count).tolist()
    if ap_type == "integral":
        steps = [abs(b - a) for a, b in itertools.pairwise([0.0, *recall])]
        return sum(one * step for one, step in zip(precision, steps) if step > 1e-6)
    best, last = [0.0] * 11, len(recall) - 1
    for tenth in range(10, -1, -1):
        for i in range(last, -1, -1):
            if recall[i] < tenth / 10:
                last = i
                if tenth > 0:
                    best[tenth - 1] = best[tenth]
                break
            best[tenth] = max(best[tenth], precision[i])
    return sum(best) / 11


def evaluated(
    detections: Tensor,
    labels: Tensor,
    offsets: tuple[Sequence[int], Sequence[int]],
    state: State,
    settings: Settings,
) -> Tensor:
    """Adds all images to the state; the mean precision, [1]. `offsets` are those of detections and of labels by image."""
    for (a, b), (c, d) in zip(*map(itertools.pairwise, offsets)):
        add_image(state, detections[a:b], labels[c:d], settings)
    return detections.new_tensor([mean_precision(state, settings, detections.dtype)])


@operator(
    "detection_map",
    inputs=["DetectRes", "Label", "HasState?", "PosCount?", "TruePos?", "FalsePos?"],
    outputs=["AccumPosCount", "AccumTruePos", "AccumFalsePos", "MAP"],
    attrs={
        **{"class_num": 1, "background_label": 0, "overlap_threshold": 0.5, "evaluate_difficult": True, "ap_type": "integral"},
    },
    checks={"class_num": "[1, inf)", "ap_type": "{integral, 11point}"},
)
def detection_map(op: Operands) -> None:
    detections, labels = op.input("DetectRes"), op.input("Label")
    expect("slot DetectRes", detections.dim() == 2 and detections.shape[1] == 6, "shape [n, 6]", f"shape {[*detections.shape]}")
    expect("slot Label", labels.dim() == 2 and labels.shape[1] in (5, 6), "shape [n, 5 or 6]", f"shape {[*labels.shape]}")
    settings = Settings(*(op.attr(name) for name in Settings._fields))
    state = State({}, defaultdict(list), defaultdict(list))
    if op.has("HasState") and op.has("PosCount") and bool(op.input("HasState")):
        right, wrong = op.input("TruePos"), op.input("FalsePos")
        counts = dict(enumerate(op.input("PosCount").reshape(-1).tolist()))
        state = State(counts, scored(right, images_of(right)), scored(wrong, images_of(wrong)))
    mean = evaluated(detections, labels, (images_of(detections), images_of(labels)), state, settings)
    (classes,) = attributes(op, ["class_num"])
    op.set("AccumPosCount", torch.tensor([[state.boxes.get(label, 0)] for label in range(classes)], dtype=torch.int32))
    for slot, pairs in (("AccumTruePos", state.true), ("AccumFalsePos", state.false)):
        rows, offsets = rows_of(pairs, classes, detections)
        op.set(slot, with_lod(rows, [offsets]))
    op.set("MAP", mean)
