import torch

from ..sample import Error, Given, Sample
from .multiclass_nms3 import boxes, overlap

DATA_DEPENDENT = True
UNROLLED = True
SAMPLES = [
    Sample(boxes(9), 0.3),
    Sample(boxes(7), 0.1),
    Sample(boxes(4)),
    Sample(boxes(1), 0.5),
    Sample(boxes(0), 0.5),
    Sample(Given(torch.tensor([[0.0, 0, 2, 2], [0, 0, 2, 2], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 3, 3]]), grad=False), 0.1),
]
ERRORS = [Error(ValueError, r"'x'.*\[\*, 4\], got \[5\]", torch.zeros(5))]


def reference(x, threshold=1.0):
    kept: list[int] = []
    part = x.tolist()
    for i, box in enumerate(part):
        area = (box[2] - box[0]) * (box[3] - box[1])
        if not any(area > 0 and overlap(part[k], box, 0.0) > threshold for k in kept):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)
