import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3), [2, 3]),
    Sample(T(2, 3), [2]),
    Sample(T(3), [2, 1, 2]),
    Sample(T(2, 3)),
    Sample(T(2, 3), [1, 1]),
    Sample(T(), [2, 2]),
    Sample(T(), []),
    Sample(T(2, 1, 3), [3, 1, 2]),
    Sample(T(2, 2, 2, 2, 2), [2, 2, 2, 2, 2]),
    Sample(T(2, 3), [0, 2]),
    Sample(T(0, 3), [2, 2]),
]
ERRORS = [
    Error(ValueError, r"'repeat_times'.*got -1 at 1", T(2, 3), [2, -1]),
]


def reference(x, repeat_times=()):
    return torch.tile(x, tuple(repeat_times))
