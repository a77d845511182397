import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5, low=-90, high=90), 2),
    Sample(T(4, 3, low=-90, high=90), 1, 0, True),
    Sample(T(2, 6, 3, low=-90, high=90), 5, 1),
    Sample(T(3, 5003, low=-90000, high=90000), 300),
    Sample(T(), 1),
    Sample(T(0, 3), 2),
]
ERRORS = [
    Error(ValueError, r"'k'.*from 1 to 3.*got 4", T(2, 3), 4),
    Error(ValueError, r"'k'.*got 0", T(2, 3), 0),
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 1, 2),
]


def reference(x, k=1, axis=-1, keepdim=False):
    values = torch.sort(x, dim=axis).values if x.dim() else x
    value = (values.narrow(axis, k - 1, 1) if keepdim else values.select(axis, k - 1)) if x.dim() else x
    return value.clone(), None  # of equal elements any
