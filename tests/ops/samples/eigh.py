import torch

from ..sample import Definite, Error, Sample, T

DTYPES = (torch.float32, torch.float64)  # the phases of complex vectors are free, and have no gradient
LAYOUTS = ("contiguous", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Definite(3, 3)), Sample(Definite(2, 2, 2), "U"), Sample(Definite(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3)),
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
    Error(ValueError, "'UPLO'.*expected 'L' or 'U', got 'l'", T(2, 2), "l"),
]


def reference(x, UPLO="L"):
    return torch.linalg.eigh(x, UPLO)


def DOMAIN(x):
    return (x + x.mH) / 2
