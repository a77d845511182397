import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(3), T(4)]),
    Sample([T(3), T(), T(70)]),
    Sample([T(5)]),
    Sample([T(0), T(3)]),
]
ERRORS = [
    Error(ValueError, r"'inputs'.*vectors, got the shape \[2, 3\]", [T(2, 3)]),
    Error(ValueError, r"'inputs'.*at least one tensor", []),
    Error(TypeError, r"'inputs'.*float32 and float64", [T(3, dtype=torch.float32), T(3, dtype=torch.float64)]),
]


def reference(inputs):
    sizes = [x.numel() for x in inputs]
    return [x.reshape([-1 if i == at else 1 for i in range(len(sizes))]).expand(sizes) if x.numel() else x.new_zeros(sizes)
            for at, x in enumerate(inputs)]  # fmt: skip
