import torch

from ..sample import Definite, Error, Sample, T

LAYOUTS = ("contiguous", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Definite(3, 3)), Sample(T(2, 2, 2)), Sample(T(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
    Error(RuntimeError, "infs or NaNs", torch.full((2, 2), torch.inf)),
]


def reference(x):
    return torch.linalg.eig(x)[0]
