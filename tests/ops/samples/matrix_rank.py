import torch

from ..sample import Definite, Error, Sample, T

LAYOUTS = ("contiguous", "unaligned")
SAMPLES = [
    Sample(T(3, 4), 0.0),
    Sample(torch.tensor([[1.0, 2.0], [2.0, 4.0]]), 0.0),
    Sample(T(2, 3, 3), 0.7, False),
    Sample(Definite(3, 3), 0.5, False, True),
    Sample(T(0, 3, 2), 0.0),
]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3), 0.0),
    Error(ValueError, "square", T(2, 3), 0.0, True, True),
]


def reference(x, tol, use_default_tol=True, hermitian=False):
    return torch.linalg.matrix_rank(x) if use_default_tol else torch.linalg.matrix_rank(x, atol=tol, rtol=0.0)
