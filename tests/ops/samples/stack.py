import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(2, 3), T(2, 3)]),
    Sample([T(2, 3), T(2, 3), T(2, 3)], 1),
    Sample([T(2, 3), T(2, 3)], -1),
    Sample([T(), T(), T()]),
    Sample([T(4)], -1),
    Sample([T(300, 2), T(300, 2)], 2),
    Sample([T(2, 0), T(2, 0)], 1),
    Sample([T(3)] * 70, 1),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-3, 3\), got 3", [T(2, 3), T(2, 3)], 3),
    Error(ValueError, r"'x'.*equal shapes, got \[2, 3\] at 0 and \[3\] at 1", [T(2, 3), T(3)]),
    Error(TypeError, r"'x'.*one data type, got \w+ at 0 and int64 at 1", [T(2), T(2, dtype=torch.int64)]),
]


def reference(x, axis=0):
    return torch.stack(x, axis)
