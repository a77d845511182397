import torch

from ..sample import Error, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Regular(3, 3)), Sample(Regular(2, 2, 2)), Sample(Regular(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
    Error(RuntimeError, "singular", torch.zeros(2, 2)),
]


def reference(x):
    return torch.linalg.solve(x, torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape))


def DOMAIN(x):
    """Regular as it is."""
    return x
