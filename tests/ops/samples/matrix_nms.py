import math

import torch

from ..sample import Error, Sample, T
from .multiclass_nms3 import LAYOUTS, boxes, overlap, scores

__all__ = ["LAYOUTS", "SAMPLES", "reference"]

DATA_DEPENDENT = True
UNROLLED = True
SAMPLES = [
    Sample(boxes(2, 8), scores(2, 3, 8), 0.1, -1, -1),
    Sample(boxes(2, 8), scores(2, 3, 8), 0.1, 5, 4, 0.2, True, 2.0, -1, False),
    Sample(boxes(1, 6), scores(1, 2, 6), 0.0, -1, 3, 0.3, False, 2.0, 1),
    Sample(boxes(1, 6), scores(1, 2, 6), 0.0, -1, -1, 0.1, True, 0.5, 0, True),
    Sample(boxes(2, 4), scores(2, 2, 4), 2.0, -1, -1),
]
ERRORS = [
    Error(ValueError, r"'bboxes'.*\[1, 5, 4\], got \[1, 5, 8\]", T(1, 5, 8), scores(1, 2, 5), 0.1, -1, -1),
    Error(ValueError, r"'bboxes'.*\[1, 5, 4\].*got \[1, 6, 4\]", boxes(1, 6), scores(1, 2, 5), 0.1, -1, -1),
    Error(ValueError, r"'scores'.*got the shape \[6, 2\]", boxes(6, 2), scores(6, 2), 0.1, -1, -1),
]


def reference(
    bboxes,
    scores,
    score_threshold,
    nms_top_k,
    keep_top_k,
    post_threshold=0.0,
    use_gaussian=False,
    gaussian_sigma=2.0,
    background_label=0,
    normalized=True,
):
    pixel = 0.0 if normalized else 1.0
    rows, numbers, counts = [], [], []
    for image, part in enumerate(bboxes.tolist()):
        found = []
        for label, of_class in enumerate(scores[image].tolist()):
            order = sorted((i for i, s in enumerate(of_class) if s > score_threshold), key=lambda i: -of_class[i])
            order = order[: nms_top_k if nms_top_k > -1 else None] if label != background_label else []
            most: list[float] = []
            for rank, i in enumerate(order):
                covered = [overlap(part[i], part[k], pixel) for k in order[:rank]]
                factors = [
                    math.exp((m * m - c * c) * gaussian_sigma) if use_gaussian else (1 - c) / (1 - m) for m, c in zip(most, covered)
                ]
                most.append(max(covered, default=0.0))
                score = of_class[i] * min([1.0, *factors])
                if score > post_threshold:
                    found.append((score, label, i, part[i]))
        found = sorted(found, key=lambda one: -one[0])[: keep_top_k if keep_top_k > -1 else None]
        counts.append(len(found))
        rows += [[label, score, *box] for score, label, _, box in found]
        numbers += [image * len(part) + i for _, _, i, _ in found]
    out = torch.tensor(rows, dtype=bboxes.dtype).reshape(-1, 6)
    return out, torch.tensor(numbers, dtype=torch.int32).reshape(-1, 1), torch.tensor(counts, dtype=torch.int32)
