import torch

from ..sample import Definite, Error, Sample, T

LAYOUTS = ("contiguous", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Definite(3, 3)), Sample(Definite(2, 2, 2), True), Sample(Definite(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
    Error(RuntimeError, "not positive-definite", torch.tensor([[1.0, 2.0], [2.0, 1.0]])),
]


def reference(x, upper=False):
    return torch.linalg.cholesky(x, upper=upper)


def DOMAIN(x):
    return (x + x.mH) / 2
