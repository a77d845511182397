import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 2, 0),
    Sample(T(3, 4), 3, -1, 12),
    Sample(T(2, 3, 70), 2, 1),
    Sample(T(5), 1, 0),
    Sample(T(3, 4), 0, 1),
    Sample(T(0, 3), 2, 1),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), 1, 2),
    Error(ValueError, r"'repeats'.*got -1", T(2, 3), -1, 0),
    Error(ValueError, r"'output_size'.*-1 or 4, got 5", T(2, 3), 2, 0, 5),
    Error(ValueError, r"'x'.*at least one dimension", T(), 2, 0),
]
TOLERANCE = {torch.bfloat16: (2e-2, 1e-1)}


def reference(x, repeats, axis, output_size=-1):
    return x.index_select(axis, torch.arange(x.shape[axis] * repeats) // max(repeats, 1))
