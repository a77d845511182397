import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(3, 4)]),
    Sample([T(3, 4), T(3, 4)]),
    Sample([T(2, 3, 70), T(2, 3, 70), T(2, 3, 70)]),
    Sample([T(5) for _ in range(20)]),
    Sample([T(), T()]),
    Sample([T(0, 3), T(0, 3)]),
]
ERRORS = [
    Error(ValueError, r"'inputs'.*one shape, got \[3\] and \[4\]", [T(3), T(4)]),
    Error(ValueError, r"'inputs'.*at least one tensor", []),
    Error(TypeError, r"'inputs'.*one data type, got float32 and float64", [T(3, dtype=torch.float32), T(3, dtype=torch.float64)]),
]


def reference(inputs):
    return torch.stack(list(inputs)).sum(0, dtype=inputs[0].dtype)
