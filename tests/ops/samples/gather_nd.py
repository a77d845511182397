import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices

SAMPLES = [
    Sample(T(3, 4), indices(5, 2)),
    Sample(T(3, 4), indices(5, 1, dtype=torch.int32)),
    Sample(T(3, 3, 20), indices(2, 4, 2)),
    Sample(T(3, 4), indices(2)),
    Sample(T(3, 4), indices(2, 0)),
    Sample(T(3, 4), indices(0, 2)),
    Sample(T(3, 0), indices(2, 1)),
    Sample(T(50, 70), indices(900, 2, low=-50, high=49)),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), indices(2, 1, low=3, high=3)),
    Error(IndexError, r"'index'.*\[-3, 3\), got -4", T(3, 4), indices(2, 2, low=-4, high=-4)),
    Error(ValueError, r"'index'.*at most 2 coordinates.*\[2, 3\]", T(3, 4), indices(2, 3)),
    Error(ValueError, r"'index'.*at least one dimension", T(3, 4), indices()),
    Error(TypeError, r"'index'.*int32 or int64, got float32", T(3, 4), T(2, dtype=torch.float32)),
]
TOLERANCE = take_along_axis.TOLERANCE


def reference(x, index):
    depth = index.shape[-1]
    parts = [x[tuple(i.long())] for i in index.reshape(index.shape[:-1].numel(), depth)]
    rows = torch.stack(parts) if parts else x.new_zeros(0, *x.shape[depth:])
    return rows.reshape([*index.shape[:-1], *x.shape[depth:]])
