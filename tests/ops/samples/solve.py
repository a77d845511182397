import torch

from ..sample import Error, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [
    Sample(Regular(3, 3), T(3, 2)),
    Sample(Regular(2, 3, 3), T(3)),
    Sample(Regular(3, 3), T(2, 3, 1)),
    Sample(Regular(2, 2, 2), T(2, 2)),
    Sample(Regular(3, 2, 2), T(2, 2)),
    Sample(Regular(0, 2, 2), T(2, 2)),
]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3), T(2, 2)),
    Error(ValueError, "as many rows of 'y' as of 'x'", T(2, 2), T(3, 3)),
    Error(ValueError, "as many elements of 'y'", T(2, 2), T(3)),
    Error(RuntimeError, "singular", torch.zeros(2, 2), torch.ones(2, 2)),
    Error(TypeError, "same data type", T(2, 2, dtype=torch.float32), T(2, 2, dtype=torch.float64)),
]


def reference(x, y):
    if y.shape == x.shape[:-1]:
        return (torch.linalg.inv(x) @ y.unsqueeze(-1)).squeeze(-1)
    return torch.linalg.inv(x) @ y
