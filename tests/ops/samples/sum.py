import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1]),
    Sample(T(3, 4)),
    Sample(T(3, 4, 5), [0, -1], keepdim=True),
    Sample(T(2, 3, 4, 5), [1, 3]),
    Sample(T(2, 3, 4, 5), axis=[0, 2], keepdim=True),
    Sample(T(70, 3), [0]),
    Sample(T(561, 36), [0]),
    Sample(T(5, 2), [1]),  # unaligned, rows that end before their vectors begin
    Sample(T(3, 700), [1]),
    Sample(T(2, 5003), [1]),
    Sample(T(20001), [0]),
    Sample(T(4, 1, 3), [1]),
    Sample(T()),
    Sample(T(), [0], keepdim=True),
    Sample(T(0, 3), [0]),
    Sample(T(3, 0), [0]),
    Sample(T(4, 3, 0), [0, 2]),
    Sample(T(3, 4), [0], torch.float64),
    Sample(T(3, 4, grad=False), [], torch.int32),
    Sample(T(3, 4, grad=False), [1], torch.bool),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1]),
]
TOLERANCE = {torch.float16: (2e-3, 2e-2), torch.bfloat16: (1e-2, 1e-1)}


def reference(x, axis=(), dtype=None, keepdim=False):
    if dtype is not None:
        if x.is_complex() and not dtype.is_complex and dtype != torch.bool:
            x = x.real
        x = x.to(dtype)
    out = torch.sum(x, axis, keepdim)  # int64 for integers and bool
    return out if dtype is None else out.to(dtype)
