import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices

SAMPLES = [
    Sample(T(3, 4), indices(5), T(5, 4)),
    Sample(T(2, 3), indices(4, dtype=torch.int32), T(2, 4), 1),
    Sample(T(2, 3, 20), indices(2), T(2, 2, 20), -2),
    Sample(T(7), indices(3), T(3)),
    Sample(T(3, 4), indices(0), T(0, 4)),
    Sample(T(3, 0), indices(2), T(2, 0)),
    Sample(T(300, 40), indices(2000, low=0, high=299), T(2000, 40)),
    Sample(T(300, 40), indices(100, low=0, high=299), T(100, 40)),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), indices(2, low=3, high=3), T(2, 4)),
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(3, 4), indices(2), T(2, 4), 2),
    Error(ValueError, r"'add_value'.*\[2, 4\], got \[3, 4\]", T(3, 4), indices(2), T(3, 4)),
    Error(ValueError, r"'index'.*vector, got the shape \[2, 1\]", T(3, 4), indices(2, 1), T(2, 4)),
    Error(TypeError, r"'add_value'.*float32.*got float64", T(3, dtype=torch.float32), indices(2), T(2, dtype=torch.float64)),
]
TOLERANCE = {**take_along_axis.TOLERANCE, torch.float32: (1e-4, 1e-4), torch.complex64: (1e-4, 1e-4)}


def reference(x, index, add_value, axis=0):
    out = x.clone()
    for i, at in enumerate(index.tolist()):
        out.select(axis, at).add_(add_value.select(axis, i))
    return out
