import torch

from ..sample import Error, Sample, T

DTYPES = (torch.float32, torch.float64)  # the phases of complex vectors are free, and have no gradient
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(T(3, 2)), Sample(T(2, 2, 4)), Sample(T(4, 2, grad=False), True), Sample(T(0, 3, 2))]
ERRORS = [Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3))]


def reference(x, full_matrices=False):
    """Their signs are free: the same as LAPACK chooses in double precision."""
    return torch.linalg.svd(x, full_matrices)
