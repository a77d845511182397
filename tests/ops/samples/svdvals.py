import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [Sample(T(3, 2)), Sample(T(2, 2, 4)), Sample(T(0, 3, 2))]
ERRORS = [Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3))]


def reference(x):
    return torch.linalg.eigvalsh(x @ x.mH if x.shape[-2] < x.shape[-1] else x.mH @ x).clamp(0).sqrt().flip(-1)
