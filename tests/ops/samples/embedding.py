import torch

from ..sample import Error, Sample, T


def ids(*shape, high=4, low=0, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


SAMPLES = [
    Sample(ids(2, 3), T(5, 4)),
    Sample(ids(7, dtype=torch.int32), T(5, 3), 2),
    Sample(ids(7, high=1), T(5, 3), 0),
    Sample(ids(), T(5, 3)),
    Sample(ids(300, high=9), T(10, 70), 0),
    Sample(ids(0, 3), T(5, 3)),
]
ERRORS = [
    Error(IndexError, r"'x'.*\[0, 5\).*got 5", ids(3, low=5, high=5), T(5, 3)),
    Error(IndexError, r"'x'.*\[0, 5\).*got -1", ids(3, low=-1, high=-1), T(5, 3)),
    Error(ValueError, r"'padding_idx'.*got -2", ids(3), T(5, 3), -2),
    Error(ValueError, r"'weight'.*2 dimensions, got the shape \[5\]", ids(3), T(5)),
    Error(TypeError, r"'x'.*int32 or int64, got float32", T(3, dtype=torch.float32), T(5, 3)),
]
TOLERANCE = {torch.bfloat16: (2e-2, 2e-1), torch.float16: (2e-3, 2e-2)}


def reference(x, weight, padding_idx=-1, sparse=False):
    rows = weight[x.long()]
    return rows if padding_idx == -1 else rows.masked_fill((x == padding_idx).unsqueeze(-1), 0)
