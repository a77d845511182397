import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices

SAMPLES = [
    Sample(T(4, 3), torch.tensor([2, 0]), T(2, 3)),
    Sample(T(4, 3), torch.tensor([[-1], [1]]), T(2, 3)),
    Sample(T(4, 3), torch.tensor(2, dtype=torch.int32), T(3)),
    Sample(T(4), indices(7), T(7, grad=False)),
    Sample(T(4, 3), indices(9), T(9, 3), False),
    Sample(T(5, 2, 3), indices(6, dtype=torch.int32), T(6, 2, 3), False),
    Sample(T(4, 3), indices(0), T(0, 3)),
    Sample(T(4, 0), indices(2), T(2, 0)),
    Sample(T(100, 50), indices(3000, low=-100, high=99), T(3000, 50), False),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), indices(2, low=3, high=3), T(2, 4)),
    Error(ValueError, r"'updates'.*\[2, 4\], got \[3, 4\]", T(3, 4), indices(2), T(3, 4)),
    Error(ValueError, r"'x'.*at least one dimension", T(), indices(2), T(2)),
    Error(TypeError, r"'index'.*int32 or int64, got float32", T(3, 4), T(2, dtype=torch.float32), T(2, 4)),
    Error(TypeError, r"'updates'.*float32.*got float64", T(3, dtype=torch.float32), indices(2), T(2, dtype=torch.float64)),
]
TOLERANCE = {**take_along_axis.TOLERANCE, torch.float32: (1e-4, 1e-4), torch.complex64: (1e-4, 1e-4)}


def reference(x, index, updates, overwrite=True):
    out = x.clone()
    rows = index.reshape(-1)
    updates = updates.reshape(len(rows), *x.shape[1:])
    for row in rows.tolist() if not overwrite else ():
        out[row] = 0
    for row, update in zip(rows.tolist(), updates):
        out[row] = update if overwrite else out[row] + update
    return out
