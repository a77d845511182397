import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5)),
    Sample(T(4, 3, low=-90, high=90), 0),
    Sample(T(2, 6, 3, low=-90, high=90), 1, torch.int32),
    Sample(T(3, 500, low=-90, high=90), -1),
    Sample(T(2, 5, low=1, high=1, grad=False)),
    Sample(T()),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2),
    Error(ValueError, r"'dtype'.*int64.*int32.*got int8", T(2, 3), 1, torch.int8),
]


def reference(x, axis=-1, dtype=torch.int64):
    values, indices = torch.cummax(x, axis)
    return values, indices.to(dtype)
