import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1]),
    Sample(T(3, 4)),
    Sample(T(2, 3, 4), [0, -1], True),
    Sample(T(2, 3, 4), [1], True, True),
    Sample(T(300, 70, low=-900, high=900), [0]),
    Sample(T(3, 700, low=-9, high=9), [1]),
    Sample(T(4, 1, 3), [1]),
    Sample(T()),
    Sample(T(), [0], True),
    Sample(T(0, 3), [1]),
    Sample(T(3, 0), [1]),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1]),
]


def reference(x, axis=(), keepdim=False, reduce_all=False):
    axes = tuple(range(x.dim())) if reduce_all or not axis else tuple(axis)
    if x.dim() == 0:
        return x.clone()
    if x.numel() == 0:
        return torch.logsumexp(x, axes, keepdim)
    highest = x.amax(axes, True)
    return torch.log(torch.exp(x - highest).sum(axes, keepdim)) + highest.reshape(torch.amax(x, axes, keepdim).shape)
