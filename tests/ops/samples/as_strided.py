import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [2, 3], [4, 1]),
    Sample(T(6, dtype=torch.int64), [2, 2], [1, 2], 8),
    Sample(T(5), [3], [0]),
    Sample(T(4, dtype=torch.int64), [], [], 16),
    Sample(T(4), [0, 2], [1, 1]),
]
ERRORS = [
    Error(ValueError, "'stride'.*expected 1 numbers", T(3), [2], [1, 1]),
    Error(IndexError, "the last element is number 4 of 'input', which has 4", T(4), [3], [2]),
    Error(ValueError, "'offset'.*whole elements, got -1", T(4), [1], [1], -1),
]


def reference(input, dims=(), stride=(), offset=0):
    places = torch.tensor(offset // input.element_size())
    for i, (size, step) in enumerate(zip(dims, stride)):
        places = places + (torch.arange(size) * step).reshape([size] + [1] * (len(dims) - 1 - i))
    return input.reshape(-1)[places]
