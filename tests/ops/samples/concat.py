import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(2, 3), T(4, 3)]),
    Sample([T(2, 3, 2), T(2, 1, 2), T(2, 4, 2)], 1),
    Sample([T(2, 3), T(2, 2)], -1),
    Sample([T(3)]),
    Sample([T(300, 1), T(300, 4), T(300, 2)], 1),
    Sample([T(2, 0), T(2, 3)], 1),
    Sample([T(2, 1 + i % 3) for i in range(70)], 1),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", [T(2, 3), T(2, 3)], 2),
    Error(ValueError, r"'x'.*equal shapes but for axis 0, got \[2, 3\] at 0 and \[2, 4\] at 1", [T(2, 3), T(2, 4)]),
    Error(ValueError, r"'x'.*at least one dimension", [T(), T()]),
    Error(TypeError, r"'x'.*one data type, got \w+ at 0 and int64 at 1", [T(2), T(2, dtype=torch.int64)]),
]


def reference(x, axis=0):
    return torch.cat(x, axis)
