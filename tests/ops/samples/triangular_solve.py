import torch

from ..sample import Error, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [
    Sample(Regular(3, 3), T(3, 2)),
    Sample(Regular(2, 3, 3), T(3, 1), False),
    Sample(Regular(3, 3), T(2, 3, 2), True, True),
    Sample(Regular(2, 2), T(2, 2), False, True, True),
    Sample(Regular(0, 2, 2), T(2, 2)),
]
ERRORS = [
    Error(ValueError, "as many rows of 'y' as of 'x'", T(2, 2), T(3, 3)),
    Error(ValueError, "'x'.*square", T(2, 3), T(2, 3)),
    Error(ValueError, "'y'.*at least 2 dimensions", T(2, 2), T(2)),
]


def reference(x, y, upper=True, transpose=False, unitriangular=False):
    triangle = x.triu() if upper else x.tril()
    if unitriangular:
        triangle = triangle - triangle.diagonal(0, -2, -1).diag_embed() + torch.eye(x.shape[-1], dtype=x.dtype)
    return torch.linalg.inv(triangle.mT if transpose else triangle) @ y
