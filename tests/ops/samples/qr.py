import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
SAMPLES = [
    Sample(T(3, 2)),
    Sample(T(2, 4, 3)),
    Sample(T(3, 2, grad=False), "complete"),
    Sample(T(3, 2, grad=False), "r"),
    Sample(T(0, 3, 2)),
]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3)),
    Error(ValueError, "'mode'.*got 'full'", T(3, 3), "full"),
]


def reference(x, mode="reduced"):
    return torch.linalg.qr(x, mode)
