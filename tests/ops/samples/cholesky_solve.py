import torch

from ..sample import Error, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [
    Sample(T(3, 2), Regular(3, 3)),
    Sample(T(2, 3, 1), Regular(3, 3), True),
    Sample(T(2, 2), Regular(3, 2, 2)),
    Sample(T(2, 0), Regular(2, 2)),
]
ERRORS = [
    Error(ValueError, "as many rows of 'x' as of 'y'", T(2, 2), T(3, 3)),
    Error(ValueError, "'y'.*square", T(2, 2), T(2, 3)),
    Error(TypeError, "same data type", T(2, 2, dtype=torch.float32), T(2, 2, dtype=torch.float64)),
]


def reference(x, y, upper=False):
    factor = y.triu().mH if upper else y.tril()
    return torch.linalg.inv(factor @ factor.mH) @ x
