import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(3, 4), T(4)]),
    Sample([T(3, 1), T(1, 70), T()]),
    Sample([T(2, 3)]),
    Sample([T(0, 3), T(3)]),
]
ERRORS = [
    Error(ValueError, r"\[2, 3\] of 'input' and \[4\] of 'input' do not broadcast", [T(2, 3), T(4)]),
    Error(ValueError, r"'input'.*at least one tensor", []),
    Error(TypeError, r"'input'.*float32 and float64", [T(3, dtype=torch.float32), T(3, dtype=torch.float64)]),
]


def reference(input):
    return list(torch.broadcast_tensors(*input))
