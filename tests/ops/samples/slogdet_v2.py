import torch

from ..sample import Error, Regular, Sample, T

TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
SAMPLES = [Sample(Regular(3, 3)), Sample(T(2, 2, 2)), Sample(T(0, 2, 2)), Sample(T(2, 0, 0))]
ERRORS = [Error(ValueError, r"'x'.*expected square matrices, got the shape \[2, 3\]", T(2, 3))]


def reference(x):
    d = torch.linalg.det(x)
    return torch.sgn(d) if x.is_complex() else torch.sgn(d).detach(), d.abs().log()
