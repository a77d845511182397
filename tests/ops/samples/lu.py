import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(T(3, 3)), Sample(T(2, 4, 3)), Sample(T(2, 4)), Sample(T(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3)),
    Error(NotImplementedError, "'pivot'.*true on the CPU", T(3, 3), False),
]


def reference(x, pivot=True):
    return tuple(torch.linalg.lu_factor_ex(x, pivot=pivot))
