import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), [0]), Sample(T(2, 3, 2), [1, -1]), Sample(T(0, 3), [1])]
ERRORS = [
    Error(IndexError, "'axis'.*got 2", T(2, 2), [2]),
    Error(ValueError, "'axis'.*dimension 1 again", T(2, 2), [1, -1]),
    Error(ValueError, "'axis'.*at least one", T(2), []),
]


def reference(x, axis):
    for dim in axis:
        x = x.index_select(dim, torch.arange(x.shape[dim] - 1, -1, -1))
    return x
