import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4, low=-9, high=2), [1]),
    Sample(T(3, 4)),
    Sample(T(3, 4, 5), [0, -1], keepdim=True),
    Sample(T(2, 3, 4, 5), [1, 3]),
    Sample(T(300, 70), [0]),
    Sample(T(3, 700), [1], True),
    Sample(T(2, 3, 10, 12), [0, 2, 3]),
    Sample(T()),
    Sample(T(0, 3), [1]),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-1, 1\), got -2", T(3), [-2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 0", T(2, 3), [0, 0]),
]
TOLERANCE = {torch.float16: (2e-3, 2e-3), torch.bfloat16: (1e-2, 1e-2)}


def reference(x, axis=(), keepdim=False):
    if x.dtype == torch.bool:
        return torch.sum(x, axis, keepdim) > 0
    if x.is_floating_point() or x.is_complex():
        return torch.mean(x, axis, keepdim)
    return torch.mean(x.double(), axis, keepdim).trunc().to(x.dtype)
