import torch

from ..sample import Error, Sample, T


def index(*shape, low=-3, high=2, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


SAMPLES = [
    Sample(T(3, 4), index(5)),
    Sample(T(2, 3), index(4, dtype=torch.int32), 1),
    Sample(T(2, 3, 4), index(2), -2),
    Sample(T(3, 2), index()),
    Sample(T(2, 3), index(), 1),
    Sample(T(3, 2), index(4, 1)),
    Sample(T(7), index(3)),
    Sample(T(3, 4), index(0)),
    Sample(T(3, 0), index(2)),
    Sample(T(0, 1, 20), index(0), -2),
    Sample(T(2, 4000), index(3000, low=-4000, high=3999), 1),
    Sample(T(300, 40), index(2000, low=0, high=299)),
]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), index(2, low=3, high=3)),
    Error(IndexError, r"'index'.*\[-4, 4\), got -5", T(3, 4), index(2, low=-5, high=-5), 1),
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(3, 4), index(2), 2),
    Error(ValueError, r"'x'.*at least one dimension", T(), index(2)),
    Error(ValueError, r"'index'.*one column, got the shape \[1, 2\]", T(3, 4), index(1, 2)),
    Error(TypeError, r"'index'.*int32 or int64, got float32", T(3, 4), T(2, dtype=torch.float32)),
]
TOLERANCE = {torch.bfloat16: (2e-2, 2e-1), torch.float16: (2e-3, 2e-2)}


def reference(x, index, axis=0):
    flat = index.reshape(-1).long()
    out = x.index_select(axis, torch.where(flat < 0, flat + x.shape[axis], flat))
    return out.squeeze(axis) if index.dim() == 0 else out
