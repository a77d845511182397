import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 4), 1, 1, 2), Sample(T(2, 3, 4), -1, -1, 0), Sample(T(3, 3), 5), Sample(T(0, 3))]
ERRORS = [
    Error(ValueError, "'axis2'.*another axis", T(2, 2), 0, 1, -1),
    Error(IndexError, "'axis1'.*got 2", T(2, 2), 0, 2, 1),
    Error(ValueError, "'x'.*at least 2 dimensions", T(3)),
]


def reference(x, offset=0, axis1=0, axis2=1):
    x = x.movedim((axis1, axis2), (-2, -1))
    rows, columns = x.shape[-2:]
    kept = torch.arange(columns) - torch.arange(rows).unsqueeze(1) == offset
    return torch.where(kept, x, 0).sum((-2, -1), dtype=x.dtype)
