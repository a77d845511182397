import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 4), T(2, 3, 5), T(2, 5, 4)),
    Sample(T(4), T(2, 3, 5), T(2, 5, 4), 0.5, -2.0),
    Sample(T(2, 3, 4), T(2, 3, 0), T(2, 0, 4)),
    Sample(T(0, 2, 2), T(0, 2, 3), T(0, 3, 2)),
]
ERRORS = [
    Error(ValueError, "'input'.*broadcasts to", T(3, 3, 4), T(1, 3, 5), T(1, 5, 4)),
    Error(ValueError, "3 dimensions", T(2, 2), T(2, 2), T(2, 2)),
    Error(TypeError, "same data type", T(1, dtype=torch.float32), T(1, 2, 2, dtype=torch.float64), T(1, 2, 2, dtype=torch.float64)),
]


def reference(input, x, y, beta=1.0, alpha=1.0):
    return beta * input + alpha * (x @ y)
