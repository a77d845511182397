import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(5), T(5)), Sample(T(2, 3), T(2, 3)), Sample(T(0), T(0))]
ERRORS = [
    Error(ValueError, "'x'.*1 or 2 dimensions", T(2, 3, 4), T(2, 3, 4)),
    Error(ValueError, "'y'.*expected the shape of 'x'", T(3), T(2)),
    Error(TypeError, "same data type", T(2, dtype=torch.float32), T(2, dtype=torch.float64)),
]


def reference(x, y):
    return torch.einsum("...i,...i->...", x, y)
