import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 3), T(3)), Sample(T(4, 1), T(1)), Sample(T(0, 3), T(3)), Sample(T(3, 0), T(0))]
ERRORS = [
    Error(ValueError, "'x'.*2 dimensions", T(3), T(3)),
    Error(ValueError, r"'vec'.*expected the shape \[3\]", T(2, 3), T(2)),
    Error(TypeError, "same data type", T(2, 2, dtype=torch.float32), T(2, dtype=torch.float64)),
]


def reference(x, vec):
    return (x * vec).sum(1)
