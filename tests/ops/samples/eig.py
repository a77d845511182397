import torch

from ..sample import Definite, Error, Sample, T

LAYOUTS = ("contiguous", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Definite(3, 3, grad=False)), Sample(T(2, 2, 2, grad=False)), Sample(T(0, 2, 2, grad=False))]
ERRORS = [Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3))]


def reference(x):
    return torch.linalg.eig(x)
