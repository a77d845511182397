import torch

from ..sample import Definite, Error, Sample, T

DTYPES = (torch.float32, torch.float64)  # the phases of complex vectors are free, and have no gradient
LAYOUTS = ("contiguous", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(Definite(3, 3)), Sample(Definite(2, 2, 2), "U"), Sample(Definite(3, 3), is_test=True), Sample(Definite(0, 2, 2))]
ERRORS = [
    Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3)),
    Error(ValueError, "'uplo'.*expected 'L' or 'U', got 'l'", T(2, 2), "l"),
]


def reference(x, uplo="L", is_test=False):
    values, vectors = torch.linalg.eigh(x, uplo)
    return values, x.new_empty(0) if is_test else vectors


def DOMAIN(x):
    return (x + x.mH) / 2
