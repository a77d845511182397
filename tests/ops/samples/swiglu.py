import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(3, 4)),
    Sample(T(3, 4)),
    Sample(T(2, 3, 140)),
    Sample(T(2, 3, 70), T(2, 3, 70)),
    Sample(T(), T()),
    Sample(T(2)),
    Sample(T(0, 4)),
    Sample(T(3, 0)),
]
ERRORS = [
    Error(ValueError, r"'y': expected the shape \[2, 3\] of 'x', got \[3\]", T(2, 3), T(3)),
    Error(ValueError, r"even last dimension without 'y', got the shape \[2, 3\]", T(2, 3)),
    Error(ValueError, r"even last dimension without 'y', got the shape \[\]", T()),
]


def reference(x, y=None):
    if y is None:
        x, y = x.chunk(2, -1)
    return torch.nn.functional.silu(x) * y
