import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1]),
    Sample(T(3, 4)),
    Sample(T(3, 4, 5), [0, -1], keepdim=True),
    Sample(T(2, 3, 4, 5), [1, 3]),
    Sample(T(70, 3, low=-9, high=-3), [0]),
    Sample(T(300, 70, low=-90, high=90), [0]),
    Sample(T(3, 700, low=-90, high=90), [1]),
    Sample(T(20000, low=-9000, high=9000), [0]),
    Sample(T(4, 1, 3), [1]),
    Sample(T()),
    Sample(T(), [0], keepdim=True),
    Sample(T(0, 3), [1]),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1]),
    Error(ValueError, r"'x'.*at least one element to reduce.*\[0, 3\]", T(0, 3), [0]),
]


def reference(x, axis=(), keepdim=False):
    return torch.amax(x, axis, keepdim)
