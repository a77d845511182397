import torch

from ..sample import Error, Sample, T

TOLERANCE = {torch.float32: (1e-4, 1e-5)}
SAMPLES = [
    Sample(T(3, 4), 2.0, 0, 1.0),
    Sample(T(2, 3, 2), 1.0, -2, 2.0),
    Sample(T(2, 3), 3.0, 1, 100.0),
    Sample(T(0, 3), 2.0, 1, 1.0),
    Sample(T(5), 2.0, 0, 0.5),
]
ERRORS = [
    Error(ValueError, "'x'.*at least 1", T(), 2.0, 0, 1.0),
    Error(ValueError, "'p'.*above 0", T(3, 3), 0.0, 0, 1.0),
    Error(ValueError, "'max_norm'.*got -1", T(3, 3), 1.0, 0, -1.0),
    Error(IndexError, "'axis'.*got 2", T(3, 3), 1.0, 2, 1.0),
]


def reference(x, p, axis, max_norm):
    others = [i for i in range(x.dim()) if i != axis % x.dim()]
    norm = (x.abs() ** p).sum(others, keepdim=True) ** (1 / p) if others else x.abs()
    return torch.where(norm > max_norm, x * (max_norm / norm), x)
