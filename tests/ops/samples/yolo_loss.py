import math

import torch

from ..sample import Error, Given, Sample, T

ANCHORS = [10, 13, 16, 30, 33, 23, 30, 61]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # other numbers of boxes are another call


def boxes(*images):
    return Given(torch.tensor(images), grad=False)


def labels(*images):
    return torch.tensor(images, dtype=torch.int32)


FAR = boxes(
    [[0.1, 0.3, 0.4, 0.6], [0.7, 0.6, 0.3, 0.2], [0.5, 0.5, 0.0, 0.3]],
    [[0.9, 0.2, 0.2, 0.9], [0.4, 0.8, 0.1, 0.1], [0.2, 0.3, 0.5, 0.5]],
)
NEAR = boxes([[0.3, 0.3, 0.6, 0.9], [0.32, 0.3, 0.5, 0.9]])  # of one cell and one anchor: the last one says the score
SAMPLES = [
    Sample(T(2, 16, 4, 4), FAR, labels([0, 2, 1], [1, 1, 0]), T(2, 3, low=0.2, high=1, grad=False), ANCHORS, [1, 3], 3, 0.3, 8),
    Sample(T(2, 24, 3, 3), FAR, labels([0, 0, 0], [0, 0, 0]), None, ANCHORS, [0, 1, 2, 3], 1, 0.5, 16, False, 1.2),
    Sample(T(1, 14, 3, 3), NEAR, labels([1, 0]), T(1, 2, low=0.2, high=1, grad=False), ANCHORS, [2, 3], 2, 0.7, 16),
    Sample(T(1, 6, 2, 2), T(1, 0, 4, grad=False), torch.zeros(1, 0, dtype=torch.int32), None, ANCHORS, [1]),
    Sample(T(0, 6, 2, 2), T(0, 2, 4, grad=False), torch.zeros(0, 2, dtype=torch.int32), None, ANCHORS, [1]),
]
_LABELS = labels([0, 1])
ERRORS = [
    Error(ValueError, r"'anchors'.*pairs of numbers, got 3", T(1, 6, 2, 2), NEAR, _LABELS, None, [1, 2, 3], [0]),
    Error(ValueError, r"'anchors'.*above 0, got -1", T(1, 6, 2, 2), NEAR, _LABELS, None, [1, -1], [0]),
    Error(ValueError, r"'anchor_mask'.*at least one number", T(1, 6, 2, 2), NEAR, _LABELS, None, ANCHORS, []),
    Error(ValueError, r"'anchor_mask'.*the 4 anchors, got 4", T(1, 6, 2, 2), NEAR, _LABELS, None, ANCHORS, [4]),
    Error(ValueError, r"'x'.*\[batch, 12, size, size\], got \[1, 12, 2, 3\]", T(1, 12, 2, 3), NEAR, _LABELS, None, ANCHORS, [0, 1]),
    Error(ValueError, r"'gt_box'.*\[1, boxes, 4\], got \[2, 2, 4\]", T(1, 6, 2, 2), T(2, 2, 4), _LABELS, None, ANCHORS, [0]),
    Error(
        ValueError,
        r"'gt_label'.*int32 of the shape \[1, 2\], got int64\[1, 2\]",
        T(1, 6, 2, 2),
        NEAR,
        _LABELS.long(),
        None,
        ANCHORS,
        [0],
    ),
    Error(ValueError, r"'gt_score'.*\[1, 2\], got \[1, 3\]", T(1, 6, 2, 2), NEAR, _LABELS, T(1, 3), ANCHORS, [0]),
    Error(ValueError, r"'class_num'.*at least 1, got 0", T(1, 5, 2, 2), NEAR, _LABELS, None, ANCHORS, [0], 0),
    Error(ValueError, r"'downsample_ratio'.*at least 1, got 0", T(1, 6, 2, 2), NEAR, _LABELS, None, ANCHORS, [0], 1, 0.7, 0),
]


def _overlap(one, other):
    """Of boxes of center and size."""
    sides = [
        min(one[i] + one[i + 2] / 2, other[i] + other[i + 2] / 2) - max(one[i] - one[i + 2] / 2, other[i] - other[i + 2] / 2)
        for i in range(2)
    ]
    both = sides[0] * sides[1] if min(sides) >= 0 else 0.0
    return both / (one[2] * one[3] + other[2] * other[3] - both)


def _distance(told, label):
    return torch.nn.functional.binary_cross_entropy_with_logits(told, torch.full_like(told, label))


def reference(
    x,
    gt_box,
    gt_label,
    gt_score,
    anchors=(),
    anchor_mask=(),
    class_num=1,
    ignore_thresh=0.7,
    downsample_ratio=32,
    use_label_smooth=True,
    scale_x_y=1.0,
):
    """Loops over images, cells and boxes."""
    images, size, masks = x.shape[0], x.shape[2], len(anchor_mask)
    told = x.reshape(images, masks, 5 + class_num, size, size)
    sizes = [(w / (downsample_ratio * size), h / (downsample_ratio * size)) for w, h in zip(anchors[::2], anchors[1::2])]
    least = min(1 / class_num, 1 / 40) if use_label_smooth else 0.0
    loss, mask = [told[n].sum() * 0 for n in range(images)], torch.zeros(images, masks, size, size, dtype=x.dtype)
    cells = [(i, row, column) for i in range(masks) for row in range(size) for column in range(size)]
    for n in range(images):
        there = {t: box for t, box in enumerate(gt_box[n].tolist()) if min(box[2:]) > 1e-6}
        for i, row, column in cells:
            cell = told[n, i, :4, row, column].detach()
            place = [(at + float(c.sigmoid()) * scale_x_y - (scale_x_y - 1) / 2) / size for at, c in zip((column, row), cell)]
            box = place + [float(c.exp()) * length for c, length in zip(cell[2:], sizes[anchor_mask[i]])]
            if any(_overlap(box, other) > ignore_thresh for other in there.values()):
                mask[n, i, row, column] = -1
        for t, box in there.items():
            overlaps = [_overlap([0, 0, *one], [0, 0, *box[2:]]) for one in sizes]
            best = overlaps.index(max(overlaps))
            if best not in anchor_mask:
                continue
            i = list(anchor_mask).index(best)
            score = 1.0 if gt_score is None else float(gt_score[n, t])
            column, row = (int(at * size) for at in box[:2])
            mask[n, i, row, column] = score
            cell, weight = told[n, i, :, row, column], score * (2 - box[2] * box[3])
            loss[n] = loss[n] + weight * (_distance(cell[0], box[0] * size - column) + _distance(cell[1], box[1] * size - row))
            for c, length, anchor in zip(cell[2:4], box[2:], sizes[best]):
                loss[n] = loss[n] + weight * (c - math.log(length / anchor)).abs()
            for c, number in zip(cell[5:], range(class_num)):
                loss[n] = loss[n] + score * _distance(c, 1 - least if number == int(gt_label[n, t]) else least)
        for i, row, column in cells:
            weight, c = float(mask[n, i, row, column]), told[n, i, 4, row, column]
            if weight >= 0:
                loss[n] = loss[n] + (_distance(c, 1.0) * weight if weight > 1e-5 else _distance(c, 0.0))
    return torch.stack(loss) if images else x.sum((1, 2, 3))
