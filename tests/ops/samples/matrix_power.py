import torch

from ..sample import Error, Regular, Sample, T

TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
SAMPLES = [
    Sample(T(3, 3), 3),
    Sample(T(2, 2, 2), 1),
    Sample(Regular(2, 2), -2),
    Sample(T(3, 3, grad=False), 0),
    Sample(T(0, 2, 2), 2),
]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3), 2),
    Error(RuntimeError, "singular", torch.zeros(2, 2), -1),
]


def reference(x, n):
    factor, out = torch.linalg.inv(x) if n < 0 else x, torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape)
    for _ in range(abs(n)):
        out = out @ factor
    return out


def DOMAIN(x):
    """Regular as it is."""
    return x
