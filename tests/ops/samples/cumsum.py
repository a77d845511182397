import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(3, 4), 0),
    Sample(T(2, 5, 3), 1, exclusive=True),
    Sample(T(2, 5, 3), axis=1, reverse=True),
    Sample(T(4, 40), -1, False, True, True),
    Sample(T(2, 3, 4), 0, flatten=True, reverse=True),
    Sample(T(2, 3, 4), -1, True, True),
    Sample(T(3, 1100), exclusive=True),
    Sample(T(3, 1101), reverse=True),
    Sample(T(70, 300), 0, reverse=True),
    Sample(T(70, 300), 0, exclusive=True),
    Sample(T(150000), 0),
    Sample(T(150001), 0, False, True, True),
    Sample(T(50000, 3), 0, exclusive=True),
    Sample(T(2, 40000, 2), 1, reverse=True),
    Sample(T()),
    Sample(T(), -1, exclusive=True),
    Sample(T(0, 3), 0),
    Sample(T(3, 0)),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2),
    Error(IndexError, r"'axis'.*\[-1, 1\).*got 1", T(2, 3), 1, flatten=True),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (2e-2, 2e-1), torch.float32: (1e-5, 1e-4), torch.complex64: (1e-5, 1e-4)}


def reference(x, axis=-1, flatten=False, exclusive=False, reverse=False):
    x = x.reshape(-1) if flatten else x
    if x.dim() == 0:
        return torch.zeros_like(x) if exclusive else x
    x = x.flip(axis) if reverse else x
    out = torch.cumsum(x, axis, dtype=x.dtype)
    if exclusive and x.numel():
        out = out.roll(1, axis)
        out.select(axis, 0).zero_()
    return out.flip(axis) if reverse else out
