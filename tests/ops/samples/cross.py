import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3), T(3)),
    Sample(T(2, 3), T(2, 3)),
    Sample(T(3, 2, 3), T(3, 2, 3)),
    Sample(T(3, 2, 3), T(3, 2, 3), -1),
    Sample(T(0, 3), T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'axis'.*of 3 elements of the shape \[2, 4\], got none", T(2, 4), T(2, 4)),
    Error(ValueError, "'axis'.*got 0", T(2, 3), T(2, 3), 0),
    Error(IndexError, "'axis'", T(2, 3), T(2, 3), 2),
    Error(ValueError, "'y'.*expected the shape of 'x'", T(2, 3), T(3)),
]


def reference(x, y, axis=9):
    dim = list(x.shape).index(3) if axis == 9 else axis
    a, b = x.unbind(dim), y.unbind(dim)
    return torch.stack([a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)], dim)
