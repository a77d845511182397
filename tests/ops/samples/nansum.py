import torch

from ..sample import Error, Given, Sample, T

NAN = Given(torch.tensor([[1.0, torch.nan, 3.0], [torch.nan, 0.5, -2.0]]), grad=False)
SAMPLES = [
    Sample(NAN, [1]),
    Sample(NAN),
    Sample(T(3, 4, 5), [0, -1], keepdim=True),
    Sample(NAN, [0], torch.float64),
    Sample(NAN, [0], torch.int32, True),
    Sample(T(), [0]),
    Sample(T(3, 0), [1]),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), [2]),
    Error(ValueError, r"axis.*expected each dimension once, got dimension 1", T(2, 3), [1, -1]),
]
TOLERANCE = {torch.float16: (2e-3, 2e-2), torch.bfloat16: (1e-2, 1e-1)}


def reference(x, axis=(), dtype=None, keepdim=False):
    x = torch.where(x.isnan(), torch.zeros_like(x), x)
    if dtype is not None:
        x = (x.real if x.is_complex() and not dtype.is_complex else x).to(dtype)
    out = torch.sum(x, axis, keepdim)  # int64 for integers and bool
    return out if dtype is None else out.to(dtype)
