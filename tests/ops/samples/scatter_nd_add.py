import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices

SAMPLES = [
    Sample(T(3, 4), indices(5, 2), T(5)),
    Sample(T(3, 4), indices(5, 1, dtype=torch.int32), T(5, 4)),
    Sample(T(3, 3, 20), indices(2, 4, 2), T(2, 4, 20)),
    Sample(T(3, 4), indices(2), T()),
    Sample(T(3, 4), indices(2, 0), T(2, 3, 4)),
    Sample(T(3, 4), indices(0, 2), T(0)),
    Sample(T(50, 70), indices(900, 2, low=-50, high=49), T(900)),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), indices(2, 1, low=3, high=3), T(2, 4)),
    Error(ValueError, r"'index'.*at most 2 coordinates.*\[2, 3\]", T(3, 4), indices(2, 3), T(2)),
    Error(ValueError, r"'updates'.*\[2, 4\], got \[2\]", T(3, 4), indices(2, 1), T(2)),
    Error(TypeError, r"'updates'.*float32.*got float64", T(3, dtype=torch.float32), indices(2, 1), T(2, dtype=torch.float64)),
]
TOLERANCE = {**take_along_axis.TOLERANCE, torch.float32: (1e-4, 1e-4), torch.complex64: (1e-4, 1e-4)}


def reference(x, index, updates):
    out = x.clone()
    depth = index.shape[-1]
    index = index.reshape(index.shape[:-1].numel(), depth)
    for at, update in zip(index.tolist(), updates.reshape(len(index), *x.shape[depth:])):
        out[tuple(at)] += update
    return out
