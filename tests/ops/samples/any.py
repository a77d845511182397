import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4, grad=False), [1]),
    Sample(T(3, 4, low=0, high=0, grad=False)),
    Sample(T(3, 4, low=1, high=1, grad=False)),
    Sample(T(3, 4, 5, grad=False), [0, -1], keepdim=True),
    Sample(T(300, 70, dtype=torch.bool), [0]),
    Sample(T(3, 700, dtype=torch.bool), [1], True),
    Sample(T(20000, grad=False)),
    Sample(T(grad=False)),
    Sample(T(grad=False), [0], keepdim=True),
    Sample(T(0, 3, grad=False), [0]),
    Sample(T(0, 3, grad=False), [1]),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1]),
]


def reference(x, axis=(), keepdim=False):
    return torch.amax((x != 0).to(torch.uint8), axis, keepdim) != 0 if x.numel() else torch.any(x != 0, axis, keepdim)
