import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3), T(2, 4), T(5, 3, 4), T(1, 5)),
    Sample(T(2, 3), T(2, 1), T(2, 3, 1), None),
    Sample(T(0, 3), T(0, 2), T(1, 3, 2), None),
]
ERRORS = [
    Error(ValueError, "as many rows", T(2, 3), T(3, 4), T(5, 3, 4), None),
    Error(ValueError, r"'weight'.*\[out, 3, 4\]", T(2, 3), T(2, 4), T(5, 4, 3), None),
    Error(ValueError, r"'bias'.*\[1, 5\], got \[5\]", T(2, 3), T(2, 4), T(5, 3, 4), T(5)),
]


def reference(x, y, weight, bias):
    return torch.nn.functional.bilinear(x, y, weight, None if bias is None else bias[0])
