import math

import torch

from ..sample import Error, Sample, T
from .multiclass_nms3 import LAYOUTS, best, boxes, scores

__all__ = ["LAYOUTS", "SAMPLES", "reference"]

DATA_DEPENDENT = True
UNROLLED = True


def call(images, count, height, width, *attributes, grid=(), info=2):
    grid = grid or (height, width, count)
    return Sample(
        scores(images, count, height, width),
        T(images, 4 * count, height, width, low=-0.5, high=0.5, grad=False),
        T(images, info, low=2.5, high=3, grad=False),
        boxes(*grid),
        T(*grid, 4, low=0.5, high=1, grad=False),
        *attributes,
    )


SAMPLES = [
    call(2, 2, 2, 2, 6, 3, 0.5, 0.1, 1.0, False),
    call(2, 2, 2, 3, 6, 3, 0.5, 0.1, 1.0, True),
    call(1, 3, 2, 2, -1, -1, 0.7, 0.1, 0.7, True),
    call(2, 1, 2, 2, 100, 100, 0.3, 1.5, 1.0, False),
    call(1, 2, 2, 2, 6, 3, 0.5, 50.0, 1.0, True),
    call(1, 2, 2, 2, 6, 3, 0.0, 0.1, 1.0, True),
    call(2, 2, 2, 3, 6, 3, 0.5, 0.1, 1.0, True, grid=(12,)),
    call(2, 2, 2, 2, 6, 3, 0.5, 0.1, 1.0, False, info=3),
]
ERRORS = [
    Error(ValueError, r"'scores'.*got the shape \[2, 2\]", T(2, 2), T(1, 4), T(1, 2), T(4), T(4), 6, 3, 0.5, 0.1, 1.0),
    Error(
        ValueError,
        r"'bbox_deltas'.*\[1, 8, 2, 2\].*got \[1, 4, 2, 2\]",
        *(T(1, 2, 2, 2), T(1, 4, 2, 2), T(1, 2), T(2, 2, 2, 4), T(2, 2, 2, 4), 6, 3, 0.5, 0.1, 1.0),
    ),
    Error(
        ValueError,
        r"'anchors'.*\[8, 4\].*got \[6, 4\]",
        *(T(1, 2, 2, 2), T(1, 8, 2, 2), T(1, 2), T(6, 4), T(8, 4), 6, 3, 0.5, 0.1, 1.0),
    ),
]


def reference(
    scores,
    bbox_deltas,
    im_shape,
    anchors,
    variances,
    pre_nms_top_n,
    post_nms_top_n,
    nms_thresh,
    min_size,
    eta,
    pixel_offset=True,
):
    pixel, (images, count, height, width) = 1.0 if pixel_offset else 0.0, scores.shape
    anchors, variances = (one.reshape(height, width, count, 4) for one in (anchors, variances))
    rows, probabilities, counts = [], [], []
    for image in range(images):
        high, wide = im_shape[image, :2].tolist()
        found = []
        for row in range(height):
            for column in range(width):
                for one in range(count):
                    left, top, right, bottom = anchors[row, column, one].tolist()
                    w, h = right - left + pixel, bottom - top + pixel
                    by = variances[row, column, one]
                    dx, dy, dw, dh = (bbox_deltas[image, 4 * one : 4 * one + 4, row, column] * by).tolist()
                    x, y = left + w / 2 + dx * w, top + h / 2 + dy * h
                    w, h = (math.exp(min(d, math.log(1000 / 16))) * s for d, s in ((dw, w), (dh, h)))
                    box = [x - w / 2, y - h / 2, x + w / 2 - pixel, y + h / 2 - pixel]
                    box = [max(min(at, end - pixel), 0.0) for at, end in zip(box, (wide, high, wide, high))]
                    found.append((scores[image, one, row, column].item(), box))
        found.sort(key=lambda one: -one[0])
        found = found[: pre_nms_top_n if pre_nms_top_n > 0 else None]
        large = []
        for score, box in found:
            w, h = box[2] - box[0] + pixel, box[3] - box[1] + pixel
            is_inside = not pixel_offset or (box[0] + w / 2 <= wide and box[1] + h / 2 <= high)
            if min(w, h) >= max(min_size, 1.0) and is_inside:
                large.append((score, box))
        if nms_thresh > 0:
            of = [score for score, _ in large]
            kept = best([box for _, box in large], of, -math.inf, -1, nms_thresh, pixel, eta)
            large = [large[i] for i in kept][: post_nms_top_n if post_nms_top_n > 0 else None]
        large = large or [(0.0, [0.0] * 4)]
        rows += [box for _, box in large]
        probabilities += [[score] for score, _ in large]
        counts.append(len(large))
    dtype = scores.dtype
    return torch.tensor(rows, dtype=dtype), torch.tensor(probabilities, dtype=dtype), torch.tensor(counts, dtype=torch.int32)
