import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(7), 0, 3, 2),
    Sample(T(2, 6, 2), 1, 2, 1),
    Sample(T(2, 5), -1, 5, 1),
    Sample(T(0, 3), 1, 2, 1),
    Sample(T(2, 3), 1, 2, 2**62),
]
ERRORS = [
    Error(ValueError, "'size'.*got 4", T(3), 0, 4, 1),
    Error(ValueError, "'step'.*got 0", T(3), 0, 2, 0),
    Error(IndexError, "'axis'.*got 1", T(3), 1, 1, 1),
]


def reference(input, axis, size, step):
    starts = range(0, input.shape[axis] - size + 1, step)
    return torch.stack([input.narrow(axis, s, size).movedim(axis, -1) for s in starts], axis if axis >= 0 else axis - 1)
