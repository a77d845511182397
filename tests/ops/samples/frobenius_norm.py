import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [0, 1], False, False),
    Sample(T(3, 4), [], False, True),
    Sample(T(2, 3, 4), [1], True, False),
    Sample(T(2, 300, 7), [1], False, False),
    Sample(T(), [], False, False),
    Sample(T(0, 3), [1], False, False),
    Sample(T(3, 0), [1], False, False),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2], False, False),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1], False, False),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (2e-2, 2e-2)}


def reference(x, axis, keep_dim, reduce_all):
    axes = tuple(range(x.dim())) if reduce_all or not axis else tuple(axis)
    return torch.sqrt(torch.sum(x.abs() ** 2, axes, keep_dim)).to(x.dtype)
