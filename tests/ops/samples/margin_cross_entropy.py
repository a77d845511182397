import math

import torch

from ..sample import Error, Sample, T


def cosines(*shape):
    return T(*shape, low=-0.9, high=0.9)


def classes(*shape, high, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=0, high=high)


TOLERANCE = {torch.float16: (1e-2, 1e-1), torch.bfloat16: (5e-2, 5e-1)}
SAMPLES = [
    Sample(cosines(3, 5), classes(3, high=4)),
    Sample(cosines(3, 5), classes(3, 1, high=4, dtype=torch.int32), True, 0, 0, 1, 1.2, 0.3, 0.1, 8.0),
    Sample(cosines(2, 3, 4), classes(2, 3, 1, high=3), False, 0, 0, 1, 1.0, 0.0, 0.35, 16.0),
    Sample(cosines(2, 3, 4), classes(2, 3, 1, high=3), False, 0, 0, 1, 0.9, 0.0, 0.0, 1.0),
    Sample(T(2, 4), classes(2, high=3), False, 0, 0, 1, 1.0, 0.0, 0.0, 2.0),
    Sample(T(4, low=-0.9, high=0.9), classes(high=3), False, 0, 0, 1, 1.0, 0.5, 0.0, 4.0),
    Sample(T(0, 4), classes(0, high=3)),
]
ERRORS = [
    Error(ValueError, r"'logits'.*\[\.\.\., classes\]", T(3, 0), classes(3, high=1)),
    Error(ValueError, r"'label'.*\[3\] or \[3, 1\], got \[2\]", cosines(3, 4), classes(2, high=3)),
    Error(TypeError, r"'label'.*int32 or int64", cosines(3, 4), T(3, dtype=torch.float32, grad=False)),
    Error(IndexError, r"'label'.*the 4 classes", cosines(3, 4), T(3, dtype=torch.int64, low=4, high=4)),
    Error(NotImplementedError, r"one process", cosines(3, 4), classes(3, high=3), False, 0, 1, 2),
]


def reference(logits, label, return_softmax=False, ring_id=0, rank=0, nranks=1, margin1=1.0, margin2=0.5, margin3=0.0, scale=64.0):
    flat = logits.reshape(math.prod(logits.shape[:-1]), logits.shape[-1])
    rows = []
    for row, one in zip(flat.unbind(), label.flatten().tolist()):
        cosine = row[one]
        if (margin1, margin2) != (1, 0):
            cosine = torch.cos(margin1 * torch.acos(cosine) + margin2)
        rows.append(scale * torch.where(torch.arange(len(row)) == one, cosine - margin3, row))
    scaled = torch.stack(rows) if rows else flat
    loss = -torch.stack([row.log_softmax(0)[one] for row, one in zip(rows, label.flatten().tolist())]) if rows else flat.sum(1)
    return scaled.softmax(1).reshape(logits.shape), loss.reshape(*logits.shape[:-1], 1)
