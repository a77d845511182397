import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(6, 3), 2, 0), Sample(T(2, 6, 2), 3, 1), Sample(T(2, 5), 1, -1), Sample(T(0, 4), 2, 0), Sample(T(2, 70), 70, 1)]
ERRORS = [
    Error(ValueError, r"'num'.*divisor of 5.*got 2", T(5), 2, 0),
    Error(ValueError, r"'num'.*at least 1, got 0", T(5), 0, 0),
    Error(IndexError, r"'axis'.*got 1", T(5), 1, 1),
]


def reference(x, num, axis):
    return list(torch.tensor_split(x, num, axis))
