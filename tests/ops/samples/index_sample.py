import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices


def index(*shape, low=0, high=2, dtype=torch.int64):
    return indices(*shape, low=low, high=high, dtype=dtype)


SAMPLES = [
    Sample(T(3, 4), index(3, 5)),
    Sample(T(2, 3), index(2, 1, dtype=torch.int32)),
    Sample(T(2, 3), index(2, 0)),
    Sample(T(0, 3), index(0, 2)),
    Sample(T(70, 200), index(70, 300, high=199)),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[0, 3\), got 3", T(2, 3), index(2, 2, low=3, high=3)),
    Error(IndexError, r"'index'.*\[0, 3\), got -1", T(2, 3), index(2, 2, low=-1, high=-1)),
    Error(ValueError, r"matrices 'x' and 'index'.*\[2, 3\] and \[3, 3\]", T(2, 3), index(3, 3)),
    Error(ValueError, r"matrices.*\[3\]", T(3), index(3)),
    Error(TypeError, r"'index'.*int32 or int64, got float32", T(3, 4), T(3, 4, dtype=torch.float32)),
]
TOLERANCE = take_along_axis.TOLERANCE


def reference(x, index):
    return torch.stack([row[at.long()] for row, at in zip(x, index)]) if len(x) else x.new_zeros(index.shape)
